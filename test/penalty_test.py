#!/usr/bin/python3
# ctest: natural joint
"""Statics by penalty and by augmented multipliers on mechanisms with redundant joints: Sarrus linkages and parallel cranks, of random sizes, on springs.

Ranks, mobility and verdicts are those of the rigid mechanism, as the other methods find them; what the penalty is off by is stated, falls as 1/alpha, and is not less than
what it is off by from the equilibrium of the energy method. The augmented method is off by rounding alone, whatever its alpha."""
import math
import os
import sys
import unittest

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "py"))
import cli              # noqa: E402


def sarrus(rng):
    """A table on two legs of three hinges, each in a plane of its own: it goes straight up and down. Mobility 1, one redundant row."""
    length, base, height, turn = rng.uniform(.3, .8), rng.uniform(.1, .5), rng.uniform(.6, 1.4), rng.uniform(.6, 2.2)
    height *= length
    out = math.sqrt(length**2 - height**2 / 4)
    bodies, joints = {"table": {"mass": 10, "inertia": [1, 1, 1], "pose": {"at": [0, 0, height]}}}, {}
    for n, angle in enumerate((rng.uniform(-3, 3),) * 2):
        u = np.array([math.cos(angle + n * turn), math.sin(angle + n * turn), 0])
        low, knee, top = base * u, (base + out) * u + [0, 0, height / 2], base * u + [0, 0, height]
        for name, p, q in (("low", low, knee), ("up", knee, top)):
            bodies[f"{name}{n}"] = {"mass": 1, "inertia": [.02, .02, .02], "pose": {"at": ((p + q) / 2).tolist()}}
        for name, pair, at in (("a", ["ground", f"low{n}"], low), ("b", [f"low{n}", f"up{n}"], knee), ("c", [f"up{n}", "table"], top)):
            joints[f"{name}{n}"] = {"type": "revolute", "between": pair, "at": at.tolist(), "axis": [-u[1], u[0], 0]}
    stiffness, weight = float(rng.uniform(1500, 4000)), 9.81 * (10 + 2 * (.25 + .75))       # legs rise by a quarter and three of what the table does
    spring = {"type": "spring", "between": ["ground", "table"], "stiffness": stiffness, "free_length": float(.95 * height + weight / stiffness)}
    return {"roberval": 1, "space": "spatial", "gravity": [0, 0, -9.81], "bodies": bodies, "joints": joints, "loads": {"s": spring}}


def cranks(rng):
    """Three parallel cranks under one bar, held by a coil: mobility 1, one redundant row."""
    feet, crank, angle = [0.0, float(rng.uniform(.4, 1)), float(rng.uniform(1.2, 2))], rng.uniform(.3, .8), rng.uniform(.5, 1.2)
    bodies, joints = {"ground": {"markers": {f"A{k}": [x, 0] for k, x in enumerate(feet)}}}, {}
    tip = [crank * math.cos(angle), crank * math.sin(angle)]
    bodies["bar"] = {"mass": 4, "inertia": .3, "centroid": [.5, 0], "markers": {f"B{k}": [x, 0] for k, x in enumerate(feet)}, "pose": {"at": tip}}
    for k, x in enumerate(feet):
        bodies[f"c{k}"] = {"mass": 1, "inertia": .05, "centroid": [crank / 2, 0], "markers": {"B": [crank, 0]}, "pose": {"at": [x, 0], "angle": angle}}
        joints[f"p{k}"] = {"type": "revolute", "between": [f"ground.A{k}", f"c{k}"]}
        joints[f"q{k}"] = {"type": "revolute", "between": [f"c{k}.B", f"bar.B{k}"]}
    stiffness, rest = float(rng.uniform(100, 300)), angle - .1
    coil = {"type": "torsion-spring", "joint": "p0", "stiffness": stiffness, "free_angle": float(rest + 9.81 * crank * math.cos(rest) * (4 + 3 * .5) / stiffness)}
    return {"roberval": 1, "space": "planar", "gravity": [0, -9.81], "bodies": bodies, "joints": joints, "loads": {"coil": coil}}


class Redundant(cli.Case):
    def solve(self, model, *flags):
        done = cli.run_model(model, "statics", "--json", "--norm-length", "0.5", *flags, out=False)
        self.assertEqual(done.code, 0, f"{flags} {done.said()}")
        return done.json()

    def models(self):
        for trial in range(3):
            for name, make in (("sarrus", sarrus), ("cranks", cranks)):
                yield f"{name} {trial}", make(np.random.default_rng([11, trial]))

    def forces(self, result):
        return {f"{j}.{c}": x["first"] for j, entry in result["reactions"].items() for c, x in entry["components"].items() if c[0] == "F"}

    def verdicts(self, result):
        return {f"{j}.{c}": x["verdict"] for j, entry in result["reactions"].items() for c, x in entry["components"].items()}

    def test_what_is_rigid_is_judged_as_rigid(self):
        for name, model in self.models():
            exact = self.solve(model)
            for method in ("penalty", "augmented"):
                have = self.solve(model, "--method", method)
                with self.subTest(name, method=method):
                    for key in ("rank", "redundant", "degrees_of_freedom", "gruebler"):
                        self.assertEqual(have["mobility"][key], exact["mobility"][key], key)
                    self.assertTrue(have["mobility"]["decision"]["safe"])
                    self.assertEqual(self.verdicts(have), self.verdicts(exact))
                    self.assertEqual(have["equilibrium"]["stability"], exact["equilibrium"]["stability"])

    def test_errors_are_stated_and_fall(self):
        for name, model in self.models():
            exact = self.solve(model)
            stiff = 1e5 * max(abs(x) for x in self.forces(exact).values())
            stated = []
            for factor in (1, 10, 100):
                have = self.solve(model, "--method", "penalty", "--penalty", repr(stiff * factor))
                penalty = have["equilibrium"]["penalty"]
                self.assertAlmostEqual(penalty["coefficient"] / (stiff * factor), 1, delta=1e-12)
                here, there = self.forces(have), self.forces(exact)
                off = max(abs(here[k] - there[k]) for k in there)
                moved = max(abs(have["equilibrium"]["coordinates"][k] - x) for k, x in exact["equilibrium"]["coordinates"].items())
                with self.subTest(name, factor=factor):
                    self.assertLessEqual(off, 1.01 * penalty["force_error"] + 1e-9 * max(map(abs, there.values())))
                    self.assertLessEqual(penalty["force_error"], 10 * off)
                    self.assertLess(moved, 100 * penalty["position_error"])
                    self.assertGreater(moved, 1e-3 * penalty["position_error"])
                    for k, x in there.items():
                        joint, component = k.split(".")
                        error = have["reactions"][joint]["components"][component]["error"]
                        self.assertLessEqual(abs(here[k] - x), 1.01 * error + 1e-10 * max(map(abs, there.values())), k)
                stated.append((penalty["position_error"], penalty["force_error"]))
            for a, b in zip(stated, stated[1:]):
                for x, y in zip(a, b):
                    self.assertAlmostEqual(x / y, 10, delta=2, msg=name)

    def test_augmented_is_off_by_rounding(self):
        for name, model in self.models():
            exact = self.solve(model)
            stiff = 1e5 * max(abs(x) for x in self.forces(exact).values())
            rounds = []
            for flags in ((), ("--penalty", repr(stiff)), ("--penalty", repr(100 * stiff))):
                have = self.solve(model, "--method", "augmented", *flags)
                self.assertNotIn("penalty", have["equilibrium"])
                rounds.append(have["equilibrium"]["rounds"])
                there, here = self.forces(exact), self.forces(have)
                with self.subTest(name, flags=flags):
                    for k, x in there.items():
                        self.assertAlmostEqual(here[k], x, delta=1e-8 * max(map(abs, there.values())), msg=k)
                    for k, x in exact["equilibrium"]["coordinates"].items():
                        self.assertAlmostEqual(have["equilibrium"]["coordinates"][k], x, delta=1e-8, msg=k)
            # It is the method itself that gets there: one round alone is the penalty method, which is off by more; each round gains the ratio of alpha to the stiffness across the rows.
            self.assertGreater(min(rounds), 1, f"{name} {rounds}")
            self.assertGreaterEqual(rounds[1], rounds[2], f"{name} {rounds}")
            self.assertNotIn("rounds", exact["equilibrium"])

    def test_near_flat_the_errors_cover_what_is_off(self):
        """a truss of two bars, theta from flat, under P: it stands where it is, and each bar carries P / (2 sin theta)"""
        for theta, load in ((.5, 10), (.1, 1e3), (.05, 10), (.02, 1e3), (.01, 10), (3e-3, 10), (1e-4, 1e3)):
            x, y = math.cos(theta), math.sin(theta)
            truss = {"roberval": 1, "space": "planar", "bodies": {"ground": {"markers": {"A": [-x, 0], "B": [x, 0]}}, "top": {"particle": True, "mass": 1, "pose": {"at": [0, y]}}},
                     "joints": {"l": {"type": "link", "between": ["ground.A", "top"]}, "r": {"type": "link", "between": ["ground.B", "top"]}}, "loads": {"p": {"type": "force", "to": "top", "value": [0, -load]}}}
            done = cli.run_model(truss, "statics", "--method", "penalty")
            with self.subTest(theta=theta):
                if theta < .01:
                    self.assertEqual(done.code, 1)
                    self.assertIn("however stiff the penalty, the joints stand off too far; --method energy and lagrange hold joints exactly", done.err)
                    continue
                self.assertEqual(done.code, 0, done.said())
                off, penalty = abs(done.series["l.F"][0] + load / (2 * y)), done.result["equilibrium"]["penalty"]
                self.assertLessEqual(off, 1.01 * penalty["force_error"])
                self.assertLessEqual(penalty["force_error"], 10 * off)
                self.assertAlmostEqual(abs(done.series["top.y"][0] - y) / penalty["position_error"], 1, delta=.05)

    def test_factor_of_a_joint(self):
        """closed form: where rows of stiffness f K hold a weight, it sinks by m g/(f1 + f2) K, in all coordinates where rows yield; multipliers taken over leave nothing of that"""
        K, m, g = 1e5, 2.0, 10.0
        model = {"roberval": 1, "space": "planar", "gravity": [0, -g], "bodies": {"plate": {"mass": m, "inertia": .1}},
                 "joints": {k: {"type": "y", "between": ["ground", "plate"], "penalty": f} for k, f in (("one", 3), ("two", .5))} | {"side": {"type": "x", "between": ["ground", "plate"]}, "level": {"type": "angle", "between": ["ground", "plate"]}}}
        if os.environ.get("ROBERVAL_COORDINATES") == "joint":
            return  # an arc of the tree holds exactly
        for coordinates in ((), ("--coordinates", "natural")):
            at = self.ok(model, "statics", "--method", "penalty", "--penalty", str(K), *coordinates).result["equilibrium"]["bodies"]["plate"]["at"]
            self.near(at, [0, -m * g / (3.5 * K)], 1e-12)
            done = self.ok(model, "statics", "--method", "augmented", *coordinates)
            self.near(done.result["equilibrium"]["bodies"]["plate"]["at"], [0, 0], 1e-12)
        soft = {**model, "joints": {**model["joints"], "two": {"type": "y", "between": ["ground", "plate"]}}}  # the place is that of the stiffness alone, not of the order of rows
        swapped = {**soft, "joints": dict(reversed(soft["joints"].items()))}
        places = [self.ok(k, "statics", "--method", "penalty", "--penalty", str(K)).result["equilibrium"]["bodies"]["plate"]["at"][1] for k in (soft, swapped)]
        self.near(places, [-m * g / (4 * K)] * 2, 1e-12)

    def test_calls(self):
        model = cranks(np.random.default_rng(1))
        for flags, words in (((), ["--method penalty"]), (("--method", "penalty", "--penalty", "-1"), ["--penalty", "-1"]), (("--method", "penalty", "--penalty", "2 kN"), ["2 kN"])):
            flags = flags or ("--penalty", "1e6")
            done = cli.run_model(model, "statics", *flags)
            self.assertEqual(done.code, 2, done.said())
            for word in words:
                self.assertIn(word, done.err)
        a, b = (self.solve(model, "--method", "penalty", "--penalty", text) for text in ("2e6", "2 kN/mm"))
        self.assertEqual(a["equilibrium"]["coordinates"], b["equilibrium"]["coordinates"])


if __name__ == "__main__":
    unittest.main(verbosity=1)
