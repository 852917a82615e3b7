#!/usr/bin/env python3
# ctest: slow
"""A run of many samples takes no more memory than one of few: with 40 MB for all data of the program, samples of more than 100 MB are computed and written; so are those of a recorded motion whose length nobody
knows, from a pipe and onto one.

RLIMIT_DATA counts what a program has for itself, not files that it has mapped; sanitizers need more, so there it is not limited. Of a particle that swings on a rod of 1 m
in g = 10 m/s^2 from the height of its pivot: v^2 = 20 sin(angle), F = 30 sin(angle)."""
import csv
import math
import os
import resource
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "py"))
import cli              # noqa: E402

SAMPLES = 800000
MEMORY = 40 << 20
FALL = f"""roberval: 1
space: planar
gravity: [0, -10]
bodies: {{b: {{particle: true, mass: 1, pose: {{at: [1, 0]}}}}}}
joints: {{l: {{type: link, between: [ground, b]}}}}
output: {{vx: "x(b)'", vy: "y(b)'", again: x(b), more: y(b)}}
motion: {{from: 0, to: 8, step: {8 / SAMPLES!r}}}
"""
RECORDED = 1000000 if cli.MORE else 600000
MASS = """roberval: 1
space: planar
gravity: [0, -10]
bodies: {ground: {markers: {up: {at: [0, 0], angle: 90 deg}}}, b: {mass: 2, inertia: 0.1, markers: {up: {at: [0, 0], angle: 90 deg}}}}
joints: {rail: {type: prismatic, between: [ground.up, b.up]}}
drives: {jack: {coordinate: rail.distance, motion: 0}}
output: {again: y(b), more: y(b), still: y(b), and_more: y(b), so_on: y(b), last: y(b)}
"""


def limit():
    if os.environ.get("ROBERVAL_PRELOAD"):                                     # not a build with sanitizers
        resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))


class ManySamples(cli.Case):
    def test_simulate(self):
        with tempfile.TemporaryDirectory(prefix="rbv-many-", dir=".") as folder:
            path, out = os.path.join(folder, "fall.yaml"), os.path.join(folder, "out")
            with open(path, "w", encoding="utf-8") as f:
                f.write(FALL)
            done = subprocess.run([cli.BINARY, "simulate", path, "--out", out, "--quiet"], capture_output=True, text=True, preexec_fn=limit, check=False)
            self.assertEqual(done.returncode, 0, done.stderr)
            count = 0
            with open(os.path.join(out, "series.csv"), encoding="utf-8", newline="") as f:
                rows = csv.reader(f)
                head = next(rows)
                width = len(head)
                x, y, vx, vy, F = (next(k for k, h in enumerate(head) if h.split(" ")[0] == n) for n in ("b.x", "b.y", "vx", "vy", "l.F"))
                for row in rows:
                    count += 1
                    if count % 1000 == 1:
                        row = [float(v) if v else math.nan for v in row]
                        self.assertAlmostEqual(row[vx] ** 2 + row[vy] ** 2, -20 * row[y], delta=1e-6)
                        self.assertAlmostEqual(row[F], -30 * row[y], delta=1e-6)
                        self.assertAlmostEqual(math.hypot(row[x], row[y]), 1, delta=1e-9)
            self.assertEqual(count, SAMPLES + 1)
            self.assertGreater(8 * count * width, 2 * MEMORY)                  # else this says nothing

    def record(self, source, *flags, small=False, **streams):
        def limits():
            limit()
            if small:
                resource.setrlimit(resource.RLIMIT_FSIZE, (110 << 20, 110 << 20))
        return subprocess.run([cli.BINARY, "inverse", "mass.yaml", "--record", source, "--quiet", *flags], preexec_fn=limits, check=False, stderr=subprocess.PIPE, **streams)

    def check_record(self, file, every=1000):
        """F = m (a + g) of a mass on a rail upright: rows of a sine. The number of rows, and of numbers in each."""
        rows, count = csv.reader(file), 0
        head = next(rows)
        t, x, F = (next(k for k, h in enumerate(head) if h.split(" ")[0] == n) for n in ("time", "b.y", "jack.effort"))
        for row in rows:
            if count % every == 0:
                self.assertAlmostEqual(float(row[x]), 0.1 * math.sin(float(row[t])), delta=1e-14)
                self.assertAlmostEqual(float(row[F]), 2 * (10 - 0.1 * math.sin(float(row[t]))), delta=1e-6)    # of the order of the step squared
            count += 1
        return count, len(head)

    def test_record(self):
        with tempfile.TemporaryDirectory(prefix="rbv-many-", dir=".") as folder:
            with open(os.path.join(folder, "mass.yaml"), "w", encoding="utf-8") as f:
                f.write(MASS)
            with open(os.path.join(folder, "long.csv"), "w", encoding="utf-8") as f:
                f.write("time [s],jack\n")
                f.writelines(f"{1e-3 * k!r},{0.1 * math.sin(1e-3 * k)!r}\n" for k in range(RECORDED))
            done = self.record("long.csv", "--out", "out", cwd=folder)
            self.assertEqual(done.returncode, 0, done.stderr)
            with open(os.path.join(folder, "out", "series.csv"), encoding="utf-8", newline="") as f:
                count, width = self.check_record(f)
            self.assertEqual(count, RECORDED)
            self.assertGreater(8 * count * width, 1.5 * MEMORY)
            with subprocess.Popen(["head", "-n", "600001", "long.csv"], cwd=folder, stdout=subprocess.PIPE) as head:
                full = self.record("-", "--out", "full", cwd=folder, small=True, stdin=head.stdout)     # files of 110 MB at most: the samples fit, the series does not
            self.assertEqual(full.returncode, 1, full.stderr)
            self.assertIn(b"cannot write full/series.csv", full.stderr)
            if os.path.exists(os.path.join(folder, "full")):                            # else the run was done before samples were written for the first time
                self.assertEqual(os.listdir(os.path.join(folder, "full")), ["series.csv.part"])
                with open(os.path.join(folder, "full", "series.csv.part"), encoding="utf-8", newline="") as f:
                    self.assertGreater(self.check_record(f.read().rsplit("\n", 1)[0].splitlines())[0], 10000)
            with open(os.path.join(folder, "long.csv"), "rb") as source, open(os.path.join(folder, "piped.csv"), "wb") as target:
                cat = subprocess.Popen(["cat"], stdin=source, stdout=subprocess.PIPE)
                done = self.record("-", "--out", "-", cwd=folder, stdin=cat.stdout, stdout=target)
                cat.stdout.close()
                cat.wait()
            self.assertEqual(done.returncode, 0, done.stderr)
            with open(os.path.join(folder, "piped.csv"), encoding="utf-8", newline="") as f:
                self.assertEqual(self.check_record(f), (count, width))


if __name__ == "__main__":
    cli.main()
