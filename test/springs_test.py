#!/usr/bin/python3
# ctest: smoke
"""Springs of no length: where two points pass through each other the force is the limit of those just before, along the points' relative motion; at rest there is none unless the force is
zero. And springs along a joint, whose length has a sign.

Bodies are driven in all their coordinates, so that efforts are minus the generalized forces of the spring. The limit is written down here from the points' velocities, and held against the
program's own numbers a moment before."""
import math
import os
import sys
import unittest

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "py"))
import cli              # noqa: E402


def driven(places, rates, points, spring, motion, passing=0.0):
    """Bodies 'i' and 'j' of the plane at places (x, y, angle) at t = passing, with rates, and a spring between their points."""
    bodies, drives = {}, {}
    for name, q, v, p in zip("ij", places, rates, points):
        bodies[name] = {"mass": 1, "inertia": .1, "markers": {"P": list(p)}, "pose": {"at": list(q[:2]), "angle": q[2]}}
        for coordinate, x, rate in zip((f"x({name})", f"y({name})", f"angle({name})"), q, v):
            drives["d" + coordinate[0] + name] = {"coordinate": coordinate, "motion": f"{x!r} + ({rate!r})*(t - {passing!r})"}
    return {"roberval": 1, "space": "planar", "bodies": bodies, "drives": drives, "loads": {"s": {"type": "spring", "between": ["i.P", "j.P"], **spring}}, "motion": motion}


def turned(angle, p):
    c, s = math.cos(angle), math.sin(angle)
    return np.array([c * p[0] - s * p[1], s * p[0] + c * p[1]])


class Passing(cli.Case):
    def efforts(self, done, k):
        return np.array([[done.series[f"d{c}{b}.effort"][k] for c in "xya"] for b in "ij"])

    def test_a_published_one(self):
        """Haug's limit: Q on the first body is (-34.009, 40.811, 10.883)"""
        model = driven([(.2, .1, 0.), (.3, .3, 0.)], [(.4, -.2, 1.), (-.3, .5, .7)], [(.1, .2), (0., 0.)], {"stiffness": 100, "free_length": .5, "damping": 4},
                       {"from": 0, "to": .1, "step": .1})
        done = cli.run_model(model, "inverse", quiet=False)
        self.assertEqual(done.code, 0, done.said())
        Q = -self.efforts(done, 0)
        for have, want in zip(Q[0], (-34.00921998322399, 40.81106397986879, 10.882950394631678)):
            self.assertAlmostEqual(have, want, delta=1e-12)
        self.assertAlmostEqual(done.series["s.force"][0], -53.124099870362656, delta=1e-12)
        self.assertTrue(any("'s'" in n and "t = 0 s" in n for n in done.result["notes"]), done.result["notes"])

    def test_random_ones(self):
        for trial in range(15):
            rng = np.random.default_rng([3, trial])
            unit = 10 ** rng.uniform(-3, 3)
            points = unit * rng.uniform(-1, 1, (2, 2)) * (rng.random((2, 1)) < .7)
            angles, where, at = rng.uniform(-3, 3, 2), unit * rng.uniform(-2, 2, 2), float(rng.choice([0.0, .5, 1.25]))
            places = [tuple(where - turned(a, p)) + (float(a),) for a, p in zip(angles, points)]
            rates = [tuple(unit * rng.uniform(-1, 1, 2)) + (float(rng.uniform(-2, 2)),) for _ in "ij"]
            k, c, l0 = 10 ** rng.uniform(0, 4), rng.uniform(0, 50), unit * rng.uniform(0, 1)
            spring = {"stiffness": k, "free_length": l0, "damping": c, "force": f"{k}*(l + {.1 * unit}) + {c}*l'"}
            h = 1e-7
            model = driven(places, rates, points.tolist(), spring, {"from": at - h, "to": at + h, "step": h}, at)
            done = cli.run_model(model, "inverse")
            self.assertEqual(done.code, 0, done.said())
            arms = [turned(a, p) for a, p in zip(angles, points)]
            v = [np.array(r[:2]) + r[2] * np.array([-s[1], s[0]]) for r, s in zip(rates, arms)]
            speed = np.hypot(*(v[1] - v[0]))
            force = -k * l0 - 2 * c * speed + k * .1 * unit
            F = force * (v[1] - v[0]) / speed                # on the second, towards where the first came from
            want = np.array([[-s * F[0], -s * F[1], -s * (arm[0] * F[1] - arm[1] * F[0])] for s, arm in zip((-1, 1), arms)])
            middle = 1
            scale = np.array([1, 1, unit]) * (abs(force) + 1e-9)
            with self.subTest(trial=trial):
                self.assertLess(np.abs((self.efforts(done, middle) - want) / scale).max(), 1e-11)
                self.assertAlmostEqual(done.series["s.force"][middle], force, delta=1e-11 * (abs(force) + k * l0))
                self.assertLess(np.abs((self.efforts(done, 0) - want) / scale).max(), 1e-4)

    def test_in_space(self):
        """a slide along a line through the other point"""
        rng = np.random.default_rng(4)
        for trial in range(3):
            axis = rng.normal(size=3)
            axis /= np.linalg.norm(axis)
            speed, k, l0 = rng.uniform(.5, 2), 300.0, .2
            model = {"roberval": 1, "space": "spatial", "bodies": {"ground": {"markers": {"A": {"at": [1, 2, 3], "axis": axis.tolist()}}}, "b": {"mass": 2, "inertia": [1, 1, 1]}},
                     "joints": {"slide": {"type": "prismatic", "between": ["ground.A", "b"]}},
                     "drives": {"d": {"coordinate": "slide.distance", "motion": f"{speed!r}*(t - 1)"}},
                     "loads": {"s": {"type": "spring", "between": ["ground.A", "b"], "stiffness": k, "free_length": l0}}, "motion": {"from": .5, "to": 1.5, "step": .25}}
            done = cli.run_model(model, "inverse")
            self.assertEqual(done.code, 0, done.said())
            for t, force, effort in zip(done.time, done.series["s.force"], done.series["d.effort"]):
                l = speed * abs(t - 1)
                self.assertAlmostEqual(force, k * (l - l0), delta=1e-9)
                self.assertAlmostEqual(effort, k * (l - l0) * (-1 if t <= 1 else 1), delta=1e-9)

    def test_at_rest(self):
        """a force without a direction is refused with its spring and time; no force is none"""
        rng = np.random.default_rng(5)
        for trial in range(4):
            q, p = rng.uniform(-1, 1, 3), rng.uniform(-1, 1, 2)
            other = tuple(np.array(q[:2]) + turned(q[2], p)) + (0.3,)
            rates = [(0., 0., 0.), (0., 0., float(rng.uniform(-1, 1)))]          # the second turns about the point
            at = driven([tuple(q), other], rates, [p.tolist(), (0., 0.)], {"stiffness": 50, "free_length": .4}, {"from": .5, "to": 1, "step": .5})
            done = cli.run_model(at, "inverse")
            self.assertEqual(done.code, 1, done.said())
            self.assertIn("spring 's'", done.err)
            self.assertIn("-20 N", done.err)
            self.assertIn("0.5 s", done.err)
            at["loads"]["s"]["free_length"] = 0
            done = cli.run_model(at, "inverse")
            self.assertEqual(done.code, 0, done.said())
            self.assertLess(max(abs(x) for name, x in ((n, v[0]) for n, v in done.series.items()) if name.endswith(".effort")), 1e-9)
            at["drives"].pop("dxj"), at["drives"].pop("dyj"), at["drives"].pop("daj")
            at["loads"]["s"]["free_length"] = .4
            done = cli.run_model(at, "statics")
            self.assertNotEqual(done.code, 0, "at rest a push without a direction holds nothing")
            self.assertIn("'s'", done.err)


class Along(cli.Case):
    """springs along a joint"""

    def slide(self, space, spring, motion="2*(t - 1)", **more):
        line = {"A": {"at": [1, 2], "angle": .4}} if space == "planar" else {"A": {"at": [1, 2, 3], "axis": [1, 2, -1]}}
        return {"roberval": 1, "space": space, "gravity": [0, 0] if space == "planar" else [0, 0, 0],
                "bodies": {"ground": {"markers": line}, "b": {"mass": 2, "inertia": 1 if space == "planar" else [1, 1, 1]}},
                "joints": {"slide": {"type": "prismatic", "between": ["ground.A", "b"]}},
                "drives": {"d": {"coordinate": "slide.distance", "motion": motion}} if motion else {},
                "loads": {"s": {"type": "spring", "joint": "slide", **spring}}, "motion": {"from": .5, "to": 1.5, "step": .125}, **more}

    def test_its_length_has_a_sign(self):
        for space in ("planar", "spatial"):
            for l0 in (.3, 0, -.7):
                spring = {"stiffness": 100, "free_length": l0, "damping": 3, "force": "40*l^3 + 2*l'"}
                done = cli.run_model(self.slide(space, spring), "inverse")
                self.assertEqual(done.code, 0, done.said())
                for t, force, effort in zip(done.time, done.series["s.force"], done.series["d.effort"]):
                    l = 2 * (t - 1)
                    want = 100 * (l - l0) + 3 * 2 + 40 * l**3 + 4
                    self.assertAlmostEqual(force, want, delta=1e-9)
                    self.assertAlmostEqual(effort, want, delta=1e-9)

    def test_at_rest(self):
        """a weight on a spring along an upright slide hangs at l0 - m g / k, below zero"""
        model = self.slide("planar", {"stiffness": 100, "free_length": -.1}, None)
        model["bodies"]["ground"]["markers"]["A"] = {"at": [0, 0], "angle": math.pi / 2}
        model["gravity"] = [0, -9.81]
        for method in ("energy", "lagrange", "virtual-power"):
            done = cli.run_model(model, "statics", "--method", method)
            self.assertEqual(done.code, 0, done.said())
            self.assertAlmostEqual(done.result["equilibrium"]["coordinates"]["slide.distance"], -.1 - 2 * 9.81 / 100, delta=1e-9)
            self.assertEqual(done.result["equilibrium"]["stability"], "stable")
            self.assertAlmostEqual(done.result["equilibrium"]["curvature"], 50, delta=1e-7)

    def test_what_it_refuses(self):
        for joint, spring, words in ((None, {"joint": "slid"}, ["slid", "slide"]), ("revolute", {}, ["distance"]), (None, {"between": ["ground.A", "b"]}, ["not both"])):
            model = self.slide("planar", {"stiffness": 1, "free_length": 0, **spring}, None)
            if joint:
                model["joints"]["slide"]["type"] = joint
            done = cli.run_model(model, "check")
            self.assertEqual(done.code, 2, done.said())
            for word in words:
                self.assertIn(word, done.err)


if __name__ == "__main__":
    unittest.main(verbosity=1)
