#!/usr/bin/env python3
# ctest: joint
"""Motion from forces in natural coordinates (--coordinates natural): points and unit vectors that joints share, rigid rows, masses V' (c4 x I) V. As @joint in joint coordinates: angles and slides along a tree.

Compared with absolute coordinates, which take another route to the same motion: other unknowns, other masses, other rows, reactions from the imbalance of bodies. And with laws that neither knows: a closed form, energy
and momentum of free bodies, inverse dynamics of the motion that was found.

Tolerances.  Motions are integrated to 1e-9 of sizes and speeds in each step; after some hundred steps both are within 1e-5 of each other (1e-4 where a motion doubles its errors in time, said there), of the largest
value of the same kind: a column that is zero is so to the rounding of the others, and 1e-10 (of forces that are all rounding of weights of some 100 N). Where drives lead everything, and at one instant, 1e-9.
"""
import math
import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "py"))
import numpy as np      # noqa: E402
import cli              # noqa: E402
import same_motion      # noqa: E402
from same_motion import run     # noqa: E402

COORDINATES = cli.other_coordinates()
NATURAL = ("--coordinates", COORDINATES)
HELD = 5e-14            # rounding of rows: that of an angle of more than a hundred radians is 3e-14

EXAMPLES = {            # what the plane and space have: closed loops, more joints than needed, gears, rows on rates, springs, bushings
    "arm/arm": 1e-4, "backhoe/backhoe": 1e-4, "bricard/bricard": 1e-5, "door/pivots": 1e-5, "governor/governor": 1e-4, "guide/guide": 1e-4, "leg/leg": 1e-5, "planetary/planetary": 1e-4,
    "pumpjack/pumpjack": 1e-4, "scissor/both_sides": 1e-5, "slider3d/slider3d": 1e-4, "cardan/cardan": 1e-4, "cardan/constant_velocity": 1e-4}


# samples beside the dead centre, where forces jump as the sign of a rate does that is zero there
ASIDE = {"guide/guide": ("--step", "3 ms")}


def hinge(at, axis):
    return {"at": at, "axis": axis}


# two bars in space on hinges that are square to each other, the second with its centroid beside the line of its markers
BARS = {"roberval": 1, "space": "spatial", "gravity": [0, 0, -9.81],
        "bodies": {"ground": {"markers": {"O": hinge([0, 0, 0], [0, 1, 0])}},
                   "a": {"mass": 1, "inertia": [0.02, 0.1, 0.1], "centroid": [0.5, 0, 0], "markers": {"O": hinge([0, 0, 0], [0, 1, 0]), "P": hinge([1, 0, 0], [0, 0, 1])}},
                   "b": {"mass": 2, "inertia": [0.08, 0.2, 0.25], "centroid": [0.4, 0, 0.1], "pose": {"at": [1, 0, 0]}, "markers": {"P": hinge([0, 0, 0], [0, 0, 1])}}},
        "joints": {"h": {"type": "revolute", "between": ["ground.O", "a.O"]}, "k": {"type": "revolute", "between": ["a.P", "b.P"]}},
        "initial": {"h.angle'": 1, "k.angle'": 3}, "motion": {"from": 0, "to": 1, "step": 0.1}}


class Natural(same_motion.Case):
    @cli.long
    def test_examples_move_as_in_absolute_coordinates(self):
        for name, tolerance in EXAMPLES.items():
            with self.subTest(name):
                path = os.path.join(cli.ROOT, "examples", name + ".yaml")
                a, b = self.both(path, *ASIDE.get(name, ()))
                self.agree(a, b, tolerance, name)
                self.assertLessEqual(b.result["integration"]["constraint_error"], HELD)

    def test_a_pendulum_by_its_integral_of_energy(self):
        """a rod from rest at the angle 1 below the horizontal: w^2 = 2 m g c (sin - sin 1) / I, and the pin's force along and across the rod from m (a - g)"""
        m, c, I = 2.0, 0.4, 0.3
        model = {"roberval": 1, "space": "planar", "gravity": [0, -9.81],
                 "bodies": {"rod": {"mass": m, "inertia": I, "centroid": [c, 0], "pose": {"at": [0, 0], "angle": -1.0}}},
                 "joints": {"pin": {"type": "revolute", "between": ["ground", "rod"]}}, "motion": {"from": 0, "to": 2, "step": 0.05}}
        got = run("simulate", model, *NATURAL, "--frame", "ground")
        self.assertEqual(got.code, 0, got.err)
        phi, w = np.asarray(got.series["pin.angle"]), np.asarray(got.series["pin.angle'"])
        about = I + m * c * c
        np.testing.assert_allclose(w * w, 2 * m * 9.81 * c * (math.sin(-1.0) - np.sin(phi)) / about, atol=1e-7)
        alpha = -m * 9.81 * c * np.cos(phi) / about
        np.testing.assert_allclose(got.series["pin.angle''"], alpha, atol=1e-7)
        ax, ay = c * (-alpha * np.sin(phi) - w * w * np.cos(phi)), c * (alpha * np.cos(phi) - w * w * np.sin(phi))
        np.testing.assert_allclose(got.series["pin.Fx"], m * ax, atol=1e-6)
        np.testing.assert_allclose(got.series["pin.Fy"], m * (ay + 9.81), atol=1e-6)

    def test_a_row_of_parallelograms_by_its_integral_of_energy(self):
        """100 loops, whose equations have no pivots on their diagonal: bars of 1 kg and 1 m, n + 1 upright that turn, n that are carried"""
        n, bar = 100, {"mass": 1, "inertia": 1 / 12, "centroid": [0.5, 0], "markers": {"e": [1, 0]}}
        bodies = {"ground": {"markers": {f"g{k}": [k, 0] for k in range(n + 1)}}}
        bodies.update({f"v{k}": {**bar, "pose": {"at": [k, 0], "angle": math.pi / 2}} for k in range(n + 1)})
        bodies.update({f"h{k}": {**bar, "pose": {"at": [k, 1]}} for k in range(n)})
        joints = {f"A{k}": {"type": "revolute", "between": [f"ground.g{k}", f"v{k}"]} for k in range(n + 1)}
        for k in range(n):
            joints.update({f"B{k}": {"type": "revolute", "between": [f"v{k}.e", f"h{k}"]}, f"C{k}": {"type": "revolute", "between": [f"h{k}.e", f"v{k + 1}.e"]}})
        model = {"roberval": 1, "space": "planar", "gravity": [0, -9.81], "bodies": bodies, "joints": joints, "initial": {"A0.angle'": -1}, "motion": {"from": 0, "to": 0.5, "step": 0.1}}
        done = run("simulate", model, *NATURAL)
        self.assertEqual(done.code, 0, done.err)
        angle, rate = done.series["A0.angle"], done.series["A0.angle'"]
        self.near(rate**2, 1 + 2 * 9.81 * ((n + 1) / 2 + n) / ((n + 1) / 3 + n) * (1 - np.sin(angle)), 1e-6)
        self.assertLess(rate[-1], -2.5)                                      # it falls

    def test_bodies_that_nothing_pushes(self):
        """a body that tumbles freely about its middle axis keeps its momentum in ground axes and its energy; bodies without forces pass the audit though all that is left over is rounding"""
        model = {"roberval": 1, "space": "spatial", "bodies": {"b": {"mass": 3, "inertia": [1, 2, 3]}}, "initial": {"wx(b)": 0.2, "wy(b)": 4, "wz(b)": 0, "x(b)'": 1, "y(b)'": 0, "z(b)'": 0},
                 "motion": {"from": 0, "to": 5, "step": 0.1}}
        got = run("simulate", model, *NATURAL)
        self.assertEqual(got.code, 0, got.err)
        q = np.array([got.series["b.q" + k] for k in "wxyz"])
        w = np.array([got.series["b.omega" + k] for k in "xyz"])
        L, up = [], []
        for (a, x, y, z), s in zip(q.T, w.T):
            A = np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - a * z), 2 * (x * z + a * y)], [2 * (x * y + a * z), 1 - 2 * (x * x + z * z), 2 * (y * z - a * x)],
                          [2 * (x * z - a * y), 2 * (y * z + a * x), 1 - 2 * (x * x + y * y)]])
            up.append(A[1, 1])
            L.append(A @ np.diag([1, 2, 3]) @ A.T @ s)
        np.testing.assert_allclose(L, np.tile(L[0], (len(L), 1)), atol=1e-5)    # the middle axis is not stable: errors grow by e^(0.6 w t)
        self.assertLess(min(up), -0.9)       # it has turned over
        np.testing.assert_allclose(got.series["b.x"], got.series["time"], atol=1e-9)
        flat = {"roberval": 1, "space": "planar", "bodies": {"b": {"mass": 3, "inertia": 1}}, "initial": {"angle(b)'": 7}, "motion": {"from": 0, "to": 1, "step": 0.1}}
        got = run("simulate", flat, *NATURAL)
        self.assertEqual(got.code, 0, got.err)
        np.testing.assert_allclose(got.series["b.angle"], 7 * np.asarray(got.series["time"]), atol=1e-9)

    def test_inverse_dynamics_of_what_was_found(self):
        """drives that begin with the angles, rates and accelerations of a motion need no effort at that instant, and joints carry the same"""
        for t in (0.3, 0.8):
            got = run("simulate", BARS, *NATURAL)
            k = int(round(t / 0.1))
            law = {j: [got.series[f"{j}.angle{d}"][k] for d in ("", "'", "''")] for j in "hk"}
            driven = {n: v for n, v in BARS.items() if n != "initial"}
            driven["drives"] = {"m" + j: {"coordinate": j + ".angle", "motion": f"{x!r} + {v!r}*t + {a / 2!r}*t^2"} for j, (x, v, a) in law.items()}
            driven["motion"] = {"from": 0, "to": 0, "step": 0.1}
            for coordinates in ("absolute", COORDINATES):
                inverse = run("inverse", driven, "--coordinates", coordinates)
                self.assertEqual(inverse.code, 0, inverse.err)
                size = max(abs(got.series[f"h.{c}"][k]) for c in ("Fx", "Fy", "Fz"))
                for j in "hk":
                    self.assertLess(abs(inverse.series["m" + j + ".effort"][0]), 1e-9 * size)
                    for c in ("Fx", "Fy", "Fz", "Tx", "Ty"):
                        self.assertLess(abs(inverse.series[f"{j}.{c}"][0] - got.series[f"{j}.{c}"][k]), 1e-9 * size, f"{j}.{c}")

    def test_a_motion_that_drives_lead_is_that_of_inverse_dynamics(self):
        path = os.path.join(cli.ROOT, "examples", "press", "press.yaml")
        inverse, got = run("inverse", path, *NATURAL), run("simulate", path, *NATURAL)
        self.assertEqual((inverse.code, got.code), (0, 0), inverse.err + got.err)
        for name in inverse.series:
            if name in got.series and "error" not in name:
                size = float(np.max(np.abs(inverse.series[name])))
                np.testing.assert_allclose(got.series[name], inverse.series[name], atol=1e-7 * size + 1e-6)

    def test_it_starts_where_others_end_and_in_equilibrium(self):
        whole = run("simulate", BARS, *NATURAL)
        with cli.tempfile.TemporaryDirectory() as folder:
            model, out = os.path.join(folder, "m.json"), os.path.join(folder, "out")
            with open(model, "w", encoding="utf-8") as f:
                cli.json.dump(BARS, f)
            done = cli.subprocess.run([cli.BINARY, "simulate", model, *NATURAL, "--to", "0.5", "--out", out, "--quiet"], capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr)
            rest = run("simulate", BARS, *NATURAL, "--start", out, "--from", "0.5")
        self.assertEqual(rest.code, 0, rest.err)
        for name in ("b.x", "b.qw", "k.angle'", "h.Fx"):
            self.assertLess(abs(rest.series[name][-1] - whole.series[name][-1]), 1e-6 * (1 + abs(whole.series[name][-1])), name)
        still = {n: v for n, v in BARS.items() if n != "initial"}
        a, b = self.both(still, "--start", "statics")
        self.agree(a, b, 1e-6)

    def test_integrated_implicitly(self):
        a, b = self.both(BARS, "--method", "implicit", "--tolerance", "1e-8")
        self.agree(a, b, 1e-4)

    def test_tracked(self):
        a, b = self.both(os.path.join(cli.ROOT, "examples", "writer", "writer.yaml"), command="track")
        self.agree(a, b, 1e-5)

    def test_impacts(self):
        """a double pendulum whose elbow strikes a stop, with impulses of both pins, which it shares; a latch that opens; a ball on a rope"""
        stops = {"roberval": 1, "space": "planar", "gravity": [0, -9.81],
                 "bodies": {"a": {"mass": 1, "inertia": 0.1, "centroid": [0.5, 0], "markers": {"E": [1, 0]}}, "b": {"mass": 1, "inertia": 0.1, "centroid": [0.5, 0.1], "pose": {"at": [1, 0]}}},
                 "joints": {"s": {"type": "revolute", "between": ["ground", "a"]}, "e": {"type": "revolute", "between": ["a.E", "b"]}},
                 "stops": {"elbow": {"coordinate": "e.angle", "min": -0.4, "restitution": 0.5}}, "motion": {"from": 0, "to": 1, "step": 0.02}}
        rope = {"roberval": 1, "space": "spatial", "gravity": [0, 0, -9.81],
                "bodies": {"ground": {"markers": {"R": [0, 0, 2]}}, "a": {"mass": 1, "inertia": [0.1, 0.1, 0.1], "centroid": [0.5, 0, 0], "markers": {"O": hinge([0, 0, 0], [0, 1, 0]), "E": [1, 0, 0]}}},
                "joints": {"h": {"type": "revolute", "between": ["ground.O", "a.O"]}, "line": {"type": "distance", "between": ["ground.R", "a.E"], "length": 2.6, "unilateral": True, "restitution": 0.3}},
                "motion": {"from": 0, "to": 1, "step": 0.05}}
        rope["bodies"]["ground"]["markers"]["O"] = hinge([0, 0, 0], [0, 1, 0])
        latch = dict(stops, stops={}, drives={"hold": {"coordinate": "e.angle", "motion": "0", "active": "t < 0.3"}})
        for model, struck in ((stops, "elbow"), (rope, "line"), (latch, None)):
            a, b = self.both(model)
            self.agree(a, b, 1e-6)
            impulses = self.agree_on_events(a, b)
            self.assertEqual(bool(impulses), struck is not None)
            self.assertTrue(struck is None or b.result["integration"]["events"][0]["name"] == struck)


if __name__ == "__main__":
    unittest.main()
