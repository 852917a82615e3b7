#!/usr/bin/env python3
"""Motion from forces in coordinates whose rates are no body twists: scripts about motions of the plane, as they stand, with the program linked with polar coordinates (test/support/polar.c).

What takes the rates of coordinates for body twists, or forgets the bias of accelerations, fails there; in absolute coordinates it does not show.
"""
import os
import subprocess
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "py"))
import cli              # noqa: E402

POLAR = os.path.join(os.path.dirname(cli.BINARY), "roberval_polar")


class Polar(unittest.TestCase):
    def script(self, name):
        done = subprocess.run([sys.executable, os.path.join(HERE, name)], env=dict(os.environ, ROBERVAL=POLAR), capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_polar_coordinates_are_not_absolute_ones(self):
        """a body that flies straight past has a radius that is no linear function of time: steps are as short as that asks for, one long step would do for its place"""
        model = {"roberval": 1, "space": "planar", "bodies": {"p": {"particle": True, "mass": 1}}, "initial": {"x(p)'": 30}, "motion": {"from": 0, "to": 10, "step": 10}}
        steps = []
        for binary in (cli.BINARY, POLAR):
            with cli.tempfile.TemporaryDirectory() as folder:
                path = os.path.join(folder, "m.json")
                with open(path, "w", encoding="utf-8") as f:
                    cli.json.dump(model, f)
                done = subprocess.run([binary, "simulate", path, "--out", folder, "--quiet"], capture_output=True, text=True)
                self.assertEqual(done.returncode, 0, done.stderr)
                with open(os.path.join(folder, "result.json"), encoding="utf-8") as f:
                    steps.append(cli.json.load(f)["integration"]["evaluations"])
        self.assertGreater(steps[1], steps[0])

    @cli.long
    def test_what_happens(self):
        self.script("transition_test.py")

    @cli.long
    def test_drives_at_their_limits(self):
        self.script("slipping_test.py")

    @cli.long
    def test_impacts(self):
        self.script("strike_test.py")

    @cli.long
    def test_impacts_together(self):
        self.script("strike_together_test.py")

    @cli.long
    def test_published_motions(self):
        self.script("motion_reference_test.py")


if __name__ == "__main__":
    unittest.main()
