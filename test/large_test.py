#!/usr/bin/env python3
"""Time and memory grow with the number of bodies, not with its square; ROBERVAL_LARGE=100000 tries the size that is promised."""
import json
import os
import resource
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "py"))
import cli              # noqa: E402
import large            # noqa: E402

SANITIZED = "ROBERVAL_PRELOAD" not in os.environ and "ROBERVAL_LARGE" not in os.environ
LARGE = int(os.environ.get("ROBERVAL_LARGE", "1000" if SANITIZED else "4000"))
MOST_SECONDS = 60       # of processor time: what takes longer is ended, it is far from linear
# What 100 000 bodies may take with the program as users get it: [s of processor time] twice that of an idle machine of two cores at 2.5 GHz, and [MiB], which does not depend on
# the machine, a tenth more than measured.
MOST = {"check": (8, 510), "inverse": (11, 535), "kinematics": (11, 485)}
# KiB for each body more, of every build without sanitizers: a twentieth more than measured of a chain (4.7, 5.1 and 4.6), which takes most.
MOST_A_BODY = {"check": 4.95, "inverse": 5.35, "kinematics": 4.85}


class Large(cli.Case):
    def setUp(self):
        temp = tempfile.TemporaryDirectory(prefix="rbv-large-")
        self.addCleanup(temp.cleanup)
        self.temp = temp.name

    def run_one(self, command, kind, n):
        """(seconds of processor time, MiB) of one run."""
        path = os.path.join(self.temp, f"{kind}{n}.yaml")
        if not os.path.exists(path):
            large.write(kind, n, path)
        program = subprocess.Popen([cli.BINARY, command, path, "--quiet"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                                   preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (MOST_SECONDS, MOST_SECONDS)))
        err = program.stderr.read()
        _, status, usage = os.wait4(program.pid, 0)
        program.returncode = os.waitstatus_to_exitcode(status)
        program.stderr.close()
        self.assertEqual(program.returncode, 0, err)
        return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024

    def grows(self, command, kind):
        """Four times as many bodies: twice the time of a linear growth is allowed, and what a busy machine adds."""
        most = LARGE
        runs = [self.run_one(command, kind, most // 4) for _ in range(2)]
        small, few = min(runs)
        time, memory = self.run_one(command, kind, most)
        if time >= 8 * small + 0.3:     # caches filled by others? once more
            time = min(time, self.run_one(command, kind, most)[0])
        self.assertLess(time, 8 * small + 0.3, f"{command} of a {kind}: {small:.2f} s, and {time:.2f} s for {most} bodies, four times as many")
        if not SANITIZED:
            self.assertLess(1024 * (memory - few) / (most - most // 4), MOST_A_BODY[command], f"KiB for each body in {command} of a {kind}")
        if LARGE >= 100000:
            self.assertLess(time, MOST[command][0], f"{command} of a {kind}")
            self.assertLess(memory, MOST[command][1], f"{command} of a {kind}")

    @cli.long
    def test_chain(self):
        for command in MOST:
            self.grows(command, "chain")

    def test_ladder(self):
        for command in ("check", "inverse"):
            self.grows(command, "ladder")

    @cli.long
    def test_grid(self):
        for command in ("check", "inverse"):
            self.grows(command, "grid")

    @cli.long
    def test_hanging(self):
        self.grows("check", "hanging")
        self.grows("check", "loops")

    def free_coordinates(self, kind, n):
        """What `assemble` names for the freedoms of the model, with its value, and how many degrees of freedom ranks leave."""
        path = os.path.join(self.temp, f"{kind}{n}.yaml")
        large.write(kind, n, path)
        result = json.loads(subprocess.run([cli.BINARY, "assemble", path, "--json"], check=True, capture_output=True, text=True).stdout)
        value = result["state"]["coordinates"]
        return path, {name: value[name] for name in result["state"]["completed"] if not name.endswith("'")}, result["mobility"]["degrees_of_freedom"]

    def test_an_equation_that_reads_too_much_is_refused(self):
        """second derivatives by all pairs of 3000 quantities would take more than 100 GB"""
        count = 3000
        bodies = {f"b{k}": {"particle": True, "mass": 1, "pose": {"at": [k, 0]}} for k in range(count)}
        model = {"roberval": 1, "space": "planar", "bodies": bodies, "constraints": {"sum": {"equation": " + ".join(f"y(b{k})" for k in range(count))}}}
        done = cli.run_model(model, "check", out=False)
        self.assertEqual(done.code, 2, done.said())
        self.assertIn("the equation of 'sum' reads so many quantities", done.err)

    @cli.long
    def test_freedoms_are_named(self):
        """The coordinates named are as many as the freedoms; drives on all of them leave none and are none too many."""
        for kind in ("hanging", "loops"):
            path, free, left = self.free_coordinates(kind, LARGE)
            self.assertGreater(left, LARGE // 4)
            self.assertEqual(len(free), left, kind)
            with open(path, "a", encoding="utf-8") as f:
                f.write("drives:\n" + "".join(f"  d{k}: {{coordinate: {name}, motion: \"{value!r}\"}}\n" for k, (name, value) in enumerate(free.items())))
            result = json.loads(subprocess.run([cli.BINARY, "check", path, "--json"], check=True, capture_output=True, text=True).stdout)
            self.assertEqual((result["mobility"]["degrees_of_freedom"], result["mobility"]["redundant"]), (0, 0), kind)


if __name__ == "__main__":
    cli.main()
