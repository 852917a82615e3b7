#!/usr/bin/env python3
"""Where a program is tempted to print plausible numbers: coarse steps, dead centres, singular states, redundant outputs."""
import csv
import json
import math
import os
import subprocess
import sys
import tempfile
import unittest

ROBERVAL = os.environ.get("ROBERVAL", os.path.join(os.path.dirname(__file__), "..", "build", "release", "roberval"))

LINKAGE = """
roberval: 1
space: planar
gravity: [0, -9.81]
parameters: {reach: %(l)s}
bodies:
  crank: {mass: 1, inertia: 0.1, pose: {angle: %(start)s}, markers: {O: [0, 0], A: [1, 0]}}
  rod: {mass: 1, inertia: 0.1, pose: {at: [%(ax)s, %(ay)s], angle: %(rod)s}, markers: {A: [0, 0], B: [reach, 0]}}
  slider: {mass: 1, inertia: 0.1, pose: {at: [%(bx)s, 0]}, markers: {B: [0, 0]}}
joints:
  O: {type: revolute, between: [ground, crank.O]}
  A: {type: revolute, between: [crank.A, rod.A]}
  B: {type: revolute, between: [rod.B, slider.B]}
  guide: {type: prismatic, between: [ground, slider.B]}
drives: {m: {coordinate: %(coordinate)s, motion: "%(motion)s"}}
motion: {from: 0, to: %(to)s, step: %(step)s}
"""


def slider_crank(l, start, coordinate, motion, to, step):
    ax, ay = math.cos(start), math.sin(start)
    bx = ax + math.sqrt(l * l - ay * ay)
    return LINKAGE % dict(l=l, start=start, ax=ax, ay=ay, rod=math.asin(-ay / l), bx=bx, coordinate=coordinate, motion=motion, to=to,
                          step=step)


class Limits(unittest.TestCase):
    def run_model(self, text, command="inverse", out=None, arguments=()):
        folder = tempfile.mkdtemp()
        path = os.path.join(folder, "model.yaml")
        with open(path, "w") as file:
            file.write(text)
        out = out or os.path.join(folder, "out")
        done = subprocess.run([ROBERVAL, command, path, "--out", out, "--quiet", *arguments], capture_output=True, text=True, timeout=1200)
        rows = []
        if os.path.exists(os.path.join(out, "series.csv")):
            with open(os.path.join(out, "series.csv")) as file:
                rows = list(csv.reader(file))
        result = json.load(open(os.path.join(out, "result.json"))) if os.path.exists(os.path.join(out, "result.json")) else None
        return done, rows, result

    def column(self, rows, name):
        index = [head.split(" [")[0].split(" (")[0] for head in rows[0]].index(name)
        return [float(row[index]) for row in rows[1:]]

    def test_a_coarse_step_keeps_the_branch(self):
        """closed form of the slider on its branch; rounding only, whatever the step"""
        for l, speed, step in ((1.02, 3, 0.5), (1.1, 30, 0.5), (1.05, 7, 1.0)):
            done, rows, _ = self.run_model(slider_crank(l, 0.2, "O.angle", f"0.2 + {speed}*t", 20, step))
            self.assertEqual(done.returncode, 0, done.stderr)
            for t, x in zip(self.column(rows, "time"), self.column(rows, "slider.x")):
                angle = 0.2 + speed * t
                self.assertAlmostEqual(x, math.cos(angle) + math.sqrt(l * l - math.sin(angle) ** 2), delta=1e-9)

    def test_a_dead_centre_is_a_lock_up_with_its_time(self):
        """the slider is driven past its reach of 1 + 3 = 4 m at t = 0.1 s"""
        done, rows, result = self.run_model(slider_crank(3, 0.5, "guide.distance", "3.8 + 2*t", 1, 0.01))
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r"lock-up at t = 0\.(09999\d*|1) s")
        self.assertGreaterEqual(len(rows), 10)  # what was reached is kept
        self.assertLess(max(abs(x) for x in self.column(rows, "m.effort")), 1e6)

    def test_no_sample_stands_on_a_singular_state(self):
        """touching the dead centre exactly at the sample t = 1: the run ends there, nothing of it is printed"""
        done, rows, _ = self.run_model(slider_crank(3, 0.5, "guide.distance", "3.8 + 0.2*sin(t*pi/2)", 2, 0.01))
        self.assertEqual(done.returncode, 1)
        self.assertTrue(all(abs(x) < 1e9 for x in self.column(rows, "O.Fx")))

    def flat(self, motion, to, start="0"):
        return f"""
roberval: 1
space: planar
gravity: [0, -9.81]
bodies:
  ground: {{markers: {{A: [0, 0], B: [2, 0]}}}}
  a: {{mass: 1, inertia: 0.1, pose: {{angle: {start}}}, markers: {{O: [0, 0], P: [1, 0]}}}}
  c: {{mass: 1, inertia: 0.1, pose: {{at: [{math.cos(float(start))}, {math.sin(float(start))}]}}, markers: {{P: [0, 0], Q: [2, 0]}}}}
  b: {{mass: 1, inertia: 0.1, pose: {{at: [2, 0], angle: {start}}}, markers: {{O: [0, 0], Q: [1, 0]}}}}
joints:
  j1: {{type: revolute, between: [ground.A, a.O]}}
  j2: {{type: revolute, between: [a.P, c.P]}}
  j3: {{type: revolute, between: [c.Q, b.Q]}}
  j4: {{type: revolute, between: [ground.B, b.O]}}
drives: {{m: {{coordinate: j1.angle, motion: "{motion}"}}}}
motion: {{from: 0, to: {to}, step: 0.01}}
"""

    def test_an_unsafe_rank_is_never_called_unique(self):
        for angle in ("1e-9", "1e-8"):
            done, _, result = self.run_model(self.flat(angle, 0), "check")
            if done.returncode == 0 and not result["mobility"]["decision"]["safe"]:
                self.assertNotIn("unique", {result["reactions"][j]["components"]["Fx"]["verdict"] for j in ("j1", "j2", "j3", "j4")})

    def test_a_direction_that_turns_its_sign_is_no_branch_point(self):
        """rows of the universal joint between two bearings are redundant; from this instant on those are chosen of which one turns its sign at half a turn, in joint coordinates"""
        with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../examples/cardan/cardan.yaml"), encoding="utf-8") as file:
            model = file.read()
        for start in ("0.019", "0.032"):
            done, _, result = self.run_model(model, "kinematics", arguments=("--coordinates", "joint", "--from", start, "--to", "0.079", "--step", "8.8 us"))
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertFalse([note for note in result["notes"] if "branch point" in note], start)

    def test_a_branch_point_between_samples_is_named_and_passed_smoothly(self):
        expected = [(math.pi - 0.5) / (2 * math.pi), (2 * math.pi - 0.5) / (2 * math.pi)]
        for coordinates in ("natural", "joint", "absolute"):
            done, rows, result = self.run_model(self.flat("0.5 + 2*pi*t", 1, "0.5"), "kinematics", arguments=("--coordinates", coordinates))
            self.assertEqual(done.returncode, 0, done.stderr)
            times = [float(note.split("t = ")[1].split(" s")[0]) for note in result["notes"] if "branch point" in note]
            self.assertEqual(len(times), 2, coordinates)
            for got, want in zip(times, expected):
                self.assertAlmostEqual(got, want, delta=1e-5)
        for a, b in zip(self.column(rows, "a.angle"), self.column(rows, "b.angle")):
            self.assertAlmostEqual(a, b, delta=1e-9)  # a parallelogram stays one

    def test_a_sample_on_a_branch_point_ends_the_run(self):
        done, rows, _ = self.run_model(self.flat("pi/3 - pi/3*t", 3, str(math.pi / 3)))
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r"t = (1|0\.99999\d*) s")
        self.assertTrue(all(abs(x) < 1e4 for x in self.column(rows, "j1.Fx")))

    BEAM = """
roberval: 1
space: planar
gravity: [0, -9.81]
bodies: {bar: {mass: 2, inertia: 0.1, markers: {A: [-1, 0], B: [1, 0]}}}
joints:
  A: {type: revolute, between: [ground, bar.A], at: [-1, 0]}
  B: {type: revolute, between: [ground, bar.B], at: [1, 0]}
motion: {from: 0, to: 0, step: 1}
output: {part: "A.Fx", sum: "A.Fx + B.Fx", load: "sqrt(A.Fx^2 + A.Fy^2)", square: "A.Fx^2", largest: "max(A.Fx, 1)", down: "2*A.Fy"}
"""

    def test_an_output_of_reactions_carries_their_verdict(self):
        done, rows, _ = self.run_model(self.BEAM)
        self.assertEqual(done.returncode, 0, done.stderr)
        marked = {head.split(" [")[0].split(" (")[0]: "(not unique)" in head for head in rows[0]}
        self.assertEqual({k: marked[k] for k in ("part", "sum", "load", "square", "largest", "down")},
                         {"part": True, "sum": False, "load": True, "square": True, "largest": True, "down": False})

    def test_the_effort_of_a_constraint_can_be_an_output(self):
        """a mass held at x = 1 + t^2/2 by an equation, m = 2 kg: the effort is m x'' = 2 N, whatever else the output does with it"""
        done, rows, _ = self.run_model("""
roberval: 1
space: planar
bodies: {p: {particle: true, mass: 2, pose: {at: [1, 0]}}}
joints: {floor: {type: y, between: [ground, p]}}
constraints: {held: {equation: "x(p.O) - 1 - t^2/2"}}
motion: {from: 0, to: 1, step: 0.5}
output: {twice: "2*held.effort"}
""".replace("p.O", "p"))
        self.assertEqual(done.returncode, 0, done.stderr)
        for value, twice in zip(self.column(rows, "held.effort"), self.column(rows, "twice")):
            self.assertAlmostEqual(value, 2, delta=1e-12)
            self.assertAlmostEqual(twice, 4, delta=1e-12)

    def test_results_of_another_run_do_not_stay(self):
        out = tempfile.mkdtemp()
        self.run_model(self.BEAM, out=out)
        self.assertTrue(os.path.exists(os.path.join(out, "series.csv")))
        self.run_model(self.BEAM, "check", out=out)
        self.assertFalse(os.path.exists(os.path.join(out, "series.csv")))

    ARM = """
roberval: 1
space: planar
bodies: {arm: {mass: 2, inertia: 0.1, markers: {O: [0, 0], P: [1, 0]}}}
joints: {hinge: {type: revolute, between: [ground, arm.O]}}
drives: {m: {coordinate: hinge.angle, motion: "%s"}}
motion: {from: 0, to: %s, step: %s}
%s
"""

    def test_a_motion_that_ends_at_rest_passes_its_audit(self):
        for motion, to, step in (("step(t, 0, 0, 1, 1)", 2, 0.01), ("step(t, 1, 0, 2, 1)", 2, 0.1), ("step(t, 0.2, 0, 1, 90[deg])", 2, 0.02),
                                 ("314*t", 10, 0.1), ("abs(t - 1)", 0.9, 0.1), ("min(t, 1)", 0.9, 0.1)):
            done, _, _ = self.run_model(self.ARM % (motion, to, step, ""))
            self.assertEqual(done.returncode, 0, f"{motion}: {done.stderr}")

    def test_a_jump_is_not_called_a_dead_centre(self):
        done, _, _ = self.run_model(self.ARM % ("if(t < 0.5, t, t + 0.2)", 1, 0.1, ""))
        self.assertEqual(done.returncode, 1)
        self.assertIn("jumps", done.stderr)
        self.assertIn("'m'", done.stderr)

    def test_rates_that_are_not_finite_name_their_drive(self):
        done, _, _ = self.run_model(self.ARM % ("sqrt(t)", 1, 0.1, ""))
        self.assertEqual(done.returncode, 1)
        self.assertIn("'m'", done.stderr)

    def test_a_damper_alone_needs_no_free_length(self):
        done, rows, _ = self.run_model(self.ARM % ("t", 1, 0.1, "loads: {d: {type: spring, between: [ground, arm.P], damping: 1}}"))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertAlmostEqual(max(abs(x) for x in self.column(rows, "d.force")), 0, delta=1e-12)  # the distance does not change

    def test_units_of_overrides_are_checked(self):
        text = self.ARM.replace("bodies:", "parameters: {n: 60 rpm}\nbodies:") % ("n*t", 0.1, 0.1, "")
        for override, code in (("n=90 rpm", 0), ("n=90[rpm]", 0), ("n=0", 0), ("n=90", 2), ("n=90[m]", 2), ("n=2*pi", 2), ("n=90 m", 2), ("k=1", 2)):
            done, _, _ = self.run_model(text, arguments=["--set", override])
            self.assertEqual(done.returncode, code, f"{override}: {done.stderr}")


if __name__ == "__main__":
    unittest.main()
