#!/usr/bin/python3
"""Long runs: killed at random times and resumed they give the files of a run without a break, byte for byte; what was written before stays; another model, options or nothing to resume are refused."""
# ctest: slow
import csv
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "py"))
import cli  # noqa: E402

SEED = int(os.environ.get("ROBERVAL_SEED", "12"))
ROUNDS = int(os.environ.get("ROBERVAL_ROUNDS", "1"))
MODEL = """
roberval: 1
space: planar
gravity: [0, -9.81]
parameters: {bounce: 0.9}
bodies:
  block: {particle: true, mass: 2 kg, pose: {at: [0, 1]}}
  arm: {mass: 2, inertia: 0.1, centroid: [0.5, 0], pose: {at: [3, 0]}}
  arm2: {mass: 2, inertia: 0.1, centroid: [0.5, 0], pose: {at: [4, 0]}}
  cart: {mass: 1, inertia: 0.1, pose: {at: [6, 0]}}
joints:
  pin: {type: revolute, between: [ground, arm], at: [3, 0]}
  pin2: {type: revolute, between: [arm, arm2], at: [4, 0]}
  way: {type: prismatic, between: [ground, cart], at: [6, 0], friction: {coefficient: 0.2, static: 0.25}}
loads: {push: {type: force, to: cart, value: ["3*sin(t)", 0]}}
stops: {floor: {coordinate: y(block), min: 0, restitution: "bounce"}}
states: {sum: {rate: "sin(pin.angle)", start: 0}}
motion: {from: 0, to: %g, step: 0.01}
"""


def read(path):
    with open(path, "rb") as f:
        return f.read()


class Resume(cli.Case):
    def setUp(self):
        self.random = random.Random(SEED)
        folder = tempfile.TemporaryDirectory(prefix="rbv-resume-")
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.model = os.path.join(self.folder, "m.yaml")
        self.write(150)

    def write(self, to, text=MODEL):
        with open(self.model, "w", encoding="utf-8") as f:
            f.write((text % to).replace('"bounce"', "0.9"))

    def simulate(self, out, *flags, **options):
        return subprocess.Popen([cli.BINARY, "simulate", self.model, "--quiet", "--out", os.path.join(self.folder, out), *flags], stderr=subprocess.PIPE, text=True, **options)

    def done(self, program):
        err = program.communicate()[1]
        return program.returncode, err

    def stop(self, out, number, *flags, more=(0.0, 0.4)):
        """Signal it a random time after the first checkpoint of its own stands there; False: it was done before."""
        path = os.path.join(self.folder, out, "checkpoint")
        before = os.stat(path).st_mtime_ns if os.path.exists(path) else 0
        program = self.simulate(out, *flags)
        while program.poll() is None and not (os.path.exists(path) and os.stat(path).st_mtime_ns != before):
            time.sleep(0.01)
        time.sleep(self.random.uniform(*more))
        alive = program.poll() is None
        program.send_signal(number)
        code, err = self.done(program)
        if alive:
            self.assertEqual(code, -number if number == signal.SIGKILL else 130, err)
        return alive

    def check_same(self, a, b):
        for name in ("series.csv", "result.json"):
            self.assertTrue(read(os.path.join(self.folder, a, name)) == read(os.path.join(self.folder, b, name)), f"{name} differs")
        self.assertEqual(sorted(os.listdir(os.path.join(self.folder, a))), sorted(os.listdir(os.path.join(self.folder, b))))

    def test_killed_and_resumed(self):
        for number, flags in [(signal.SIGKILL, ()), (signal.SIGINT, ("--samples", "steps"))] * ROUNDS:
            for out in ("whole", "parts"):
                shutil.rmtree(os.path.join(self.folder, out), ignore_errors=True)
            self.assertEqual(self.done(self.simulate("whole", *flags)), (0, ""))
            self.assertTrue(self.stop("parts", number, *flags), "done too soon for this test to say anything")
            self.stop("parts", number, *flags, "--resume")
            if os.path.exists(os.path.join(self.folder, "parts", "checkpoint")):  # else all was written before
                code, err = self.done(self.simulate("parts", *flags, "--resume"))
                self.assertEqual(code, 0, err)
            self.check_same("whole", "parts")

    def test_what_is_written_stays(self):
        self.write(600)                       # far from done when it is killed
        self.assertTrue(self.stop("out", signal.SIGKILL, more=(0.3, 0.8)))
        text = read(os.path.join(self.folder, "out", "series.csv.part")).decode()
        text = text[:text.rindex("\n") + 1]  # it may have been killed while it wrote
        rows = list(csv.reader(text.splitlines()))
        self.assertGreater(len(rows), 100)
        self.assertEqual({len(row) for row in rows}, {len(rows[0])})
        self.assertEqual([float(row[0]) for row in rows[1:]], [0.01 * k for k in range(len(rows) - 1)])

    def refused(self, pattern, *flags):
        code, err = self.done(self.simulate("out", *flags, "--resume"))
        self.assertEqual(code, 2, err)
        self.assertTrue(re.search(pattern, err), err)

    def test_refusals(self):
        self.refused("there is no checkpoint")
        self.assertTrue(self.stop("out", signal.SIGKILL))
        kept = read(os.path.join(self.folder, "out", "checkpoint"))
        self.refused("another option --tolerance", "--tolerance", "1e-8")
        self.refused("another option --from, --to or --step", "--to", "151")
        self.refused("another option --samples", "--samples", "steps")
        self.refused("another option --frame", "--frame", "ground")
        self.refused("another model", "--set", "bounce=0.8")
        self.write(150, MODEL.replace("mass: 2 kg", "mass: 3 kg"))
        self.refused("another model")
        self.write(150)
        path = os.path.join(self.folder, "out", "checkpoint")
        for damaged in (kept[:-1], kept[:20], b"", kept[:200] + bytes([kept[200] ^ 1]) + kept[201:], kept.replace(b"version: ", b"version; ", 1)):
            with open(path, "wb") as f:
                f.write(damaged)
            self.refused("damaged")
        self.assertEqual(subprocess.run([cli.BINARY, "simulate", self.model, "--resume"], capture_output=True).returncode, 2)

    def test_a_full_disk(self):
        """files may not grow beyond some size, two thirds of what the series will have: the run ends with a message after many checkpoints, and goes on later"""
        self.assertEqual(self.done(self.simulate("whole")), (0, ""))
        most = os.path.getsize(os.path.join(self.folder, "whole", "series.csv")) * 2 // 3

        def limit():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
        code, err = self.done(self.simulate("out", preexec_fn=limit))
        self.assertEqual(code, 1, err)
        self.assertIn("File too large", err)
        self.assertTrue(os.path.exists(os.path.join(self.folder, "out", "checkpoint")), os.listdir(os.path.join(self.folder, "out")))
        self.assertFalse(os.path.exists(os.path.join(self.folder, "out", "series.csv")))
        code, err = self.done(self.simulate("out", "--resume"))
        self.assertEqual(code, 0, err)
        self.check_same("whole", "out")

    def test_steps(self):
        """both sides of a bounce: one instant, two rows, the rate turned by the restitution"""
        self.write(3)
        self.assertEqual(self.done(self.simulate("out", "--samples", "steps")), (0, ""))
        with open(os.path.join(self.folder, "out", "series.csv"), newline="") as f:
            rows = [{k.split(" ")[0]: float(v) for k, v in row.items() if v} for row in csv.DictReader(f)]
        bounces = [(a, b) for a, b in zip(rows, rows[1:]) if a["time"] == b["time"] and a["block.vy"] != b["block.vy"]]
        self.assertGreaterEqual(len(bounces), 3)
        for a, b in bounces:
            self.assertAlmostEqual(b["block.vy"], -0.9 * a["block.vy"], delta=1e-9)
            self.assertAlmostEqual(a["block.y"], 0, delta=1e-9)
        self.assertEqual(rows[0]["time"], 0)
        self.assertEqual(rows[-1]["time"], 3)


if __name__ == "__main__":
    unittest.main()
