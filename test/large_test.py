#!/usr/bin/env python3
"""Time and memory grow with the number of bodies, not with its square; ROBERVAL_LARGE=100000 tries the size that is promised."""
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
MOST = {"check": (8, 570), "inverse": (11, 710), "kinematics": (11, 650)}


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

    def grows(self, command, kind, most=LARGE):
        """Four times as many bodies: twice the time of a linear growth is allowed, and what a busy machine adds."""
        small = min(self.run_one(command, kind, most // 4)[0] for _ in range(2))
        time, memory = self.run_one(command, kind, most)
        if time >= 8 * small + 0.3:     # caches filled by others? once more
            time = min(time, self.run_one(command, kind, most)[0])
        self.assertLess(time, 8 * small + 0.3, f"{command} of a {kind}: {small:.2f} s, and {time:.2f} s for {most} bodies, four times as many")
        if LARGE >= 100000 and most == LARGE:
            self.assertLess(time, MOST[command][0], f"{command} of a {kind}")
            self.assertLess(memory, MOST[command][1], f"{command} of a {kind}")

    def test_chain(self):
        for command in MOST:
            self.grows(command, "chain")

    def test_ladder(self):
        for command in ("check", "inverse"):
            self.grows(command, "ladder")

    def test_grid(self):
        for command in ("check", "inverse"):
            self.grows(command, "grid")

    def test_hanging(self):
        for most in (LARGE // 8, LARGE // 2, LARGE):    # freedoms are named in small systems, counted in large ones
            self.grows("check", "hanging", most)


if __name__ == "__main__":
    cli.main()
