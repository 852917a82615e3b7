#!/usr/bin/env python3
"""inverse --method newton: the equilibrium of bodies, six (in the plane three) unknowns a joint, against published numbers, and --balance: what the equations of some bodies alone determine, by hand."""
import math
import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "py"))
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import cli  # noqa: E402
import space_reference_test  # noqa: E402
import textbook  # noqa: E402

import numpy as np  # noqa: E402

NEWTON = ("--method", "newton")
COUNTS = ("unknowns", "equations", "rank", "gruebler")


class Newton(cli.Case):
    def counts(self, done):
        return tuple(done.result["newton"][k] for k in COUNTS)

    def marks(self, done, *columns):
        return [done.marks[c] for c in columns]


class Textbook(Newton):
    def test_published_numbers(self):
        for name, model, flags, want in textbook.problems():
            with self.subTest(name):
                done = self.ok(model, "inverse", *NEWTON, *flags)
                largest = max(abs(v) for v in want.values())
                for column, value in want.items():
                    # places and rates are known to twelve digits, accelerations to some less
                    self.near(done.series[column][0], value, 3e-10 * largest, f"{name}: {column}")

    def test_counts(self):
        """Four pins of the plane and a motor; in space 25 unknowns in 22 equations (R000-73)."""
        self.assertEqual(self.counts(self.ok(textbook.d1()[0], "inverse", *NEWTON)), (13, 13, 13, 1))
        self.assertEqual(self.counts(self.ok(textbook.p1()[0], "inverse", *NEWTON)), (25, 22, 22, -2))
        self.assertEqual(self.counts(self.ok(textbook.p3()[0], "inverse", *NEWTON)), (25, 26, 25, 2))    # nothing turns the rod about its line
        self.assertNotIn("newton", self.ok(textbook.d1()[0]).result)


class Newtonly:
    """Every inverse of a class of reference problems by this method."""

    def ok(self, model, command="inverse", *flags, **options):
        return super().ok(model, command, *(NEWTON if command == "inverse" else ()), *flags, **options)


class Tree(Newtonly, space_reference_test.Tree):
    """T1: five bodies, branches, hinges and slides, wrenches from outside"""


class ParallelAxes(Newtonly, space_reference_test.ParallelAxes):
    """P1 in the plane of its motion and across it"""


class Large(Newton):
    """Sizes at which the equations are solved in other ways: KLU, and where rows are redundant beyond what orthogonal factors are for."""

    def same(self, model):
        a, b = self.ok(model), self.ok(model, "inverse", *NEWTON)
        self.assertEqual(a.columns, b.columns)
        for column in a.columns:
            name = cli.HEAD.match(column)["name"]
            largest = max(np.max(np.abs(a.series[c])) for c in a.series if a.units[c] == a.units[name])
            self.near(b.series[name], a.series[name], 1e-9 * largest, name)
        return b

    def test_a_chain(self):
        bodies = {f"b{k}": {"mass": 1, "inertia": 0.1, "centroid": [0.5, 0.1], "pose": {"at": [k, 0]}, "markers": {"P": [1, 0]}} for k in range(40)}
        joints = {f"j{k}": {"type": "revolute", "between": [f"b{k - 1}.P" if k else "ground", f"b{k}"]} for k in range(40)}
        drives = {f"d{k}": {"coordinate": f"j{k}.angle", "motion": f"0.2*sin(t + {k})"} for k in range(40)}
        done = self.same({"roberval": 1, "space": "planar", "gravity": [0, -9.81], "bodies": bodies, "joints": joints, "drives": drives, "motion": {"from": 0, "to": 1, "step": 0.25}})
        self.assertEqual(self.counts(done), (160, 160, 160, 40))

    @cli.long
    def test_a_door_with_many_hinges(self):
        """1 + 5 (n - 1) rows too many; 6 n + 1 unknowns"""
        for n in (10, 60):
            places = {f"h{k}": [0, 0, 0.1 * k * k] for k in range(n)}
            model = {"roberval": 1, "space": "spatial", "gravity": [0, 0, -9.81], "bodies": {"ground": {"markers": places}, "door": {"mass": 20, "inertia": [1, 2, 3, 0, 0, 0], "centroid": [0.4, 0.1, 1], "markers": places}},
                     "joints": {h: {"type": "revolute", "between": [f"ground.{h}", f"door.{h}"]} for h in places}, "drives": {"hand": {"coordinate": "h0.angle", "motion": "sin(2*t)"}},
                     "motion": {"from": 0, "to": 1, "step": 0.25}}
            done = self.same(model)
            self.assertEqual(self.counts(done), (6 * n + 1, 6 + n, 6 + n, 6 - 5 * n))


class Friction(Newton):
    def test_little_friction_settles(self):
        """0.05 N beside 650 N: iterations end at the rounding of the largest forces"""
        path = os.path.join(cli.ROOT, "examples", "guide", "shoes.yaml")
        a, b = (cli.run(["inverse", path, "--to", "0.02", *flags]) for flags in ((), NEWTON))
        self.assertEqual((a.code, b.code), (0, 0), b.said())
        self.near(b.series["left.friction"], a.series["left.friction"], 1e-9 * 650)


SLIDER = {"roberval": 1, "space": "planar", "gravity": [0, -9.81],
          "bodies": {"crank": {"mass": 2, "inertia": 0.02, "centroid": [0.05, 0], "pose": {"angle": 0.7}, "markers": {"P": [0.1, 0]}},
                     "rod": {"mass": 1, "inertia": 0.01, "centroid": [0.15, 0], "pose": {"at": [0.0765, 0.0644], "angle": -0.16}, "markers": {"W": [0.4, 0]}},
                     "slider": {"mass": 3, "inertia": 0.01, "pose": {"at": [0.47, 0]}}},
          "joints": {"main": {"type": "revolute", "between": ["ground", "crank"]}, "pin": {"type": "revolute", "between": ["crank.P", "rod"]}, "wrist": {"type": "revolute", "between": ["rod.W", "slider"]},
                     "guide": {"type": "prismatic", "between": ["ground", "slider"]}},
          "loads": {"gas": {"type": "force", "to": "slider", "value": ["-500 - 200*sin(30*t)", 0]}},
          "drives": {"motor": {"coordinate": "main.angle", "motion": "0.7 + 30*t"}}, "motion": {"from": 0, "to": 0.2, "step": 0.01}}


class Subsets(Newton):
    def balance(self, model, bodies, *flags):
        return self.ok(model, "inverse", *NEWTON, "--balance", bodies, *flags)

    def test_rod_and_slider(self):
        """The crank's bearing and its motor drop out; nine unknowns in nine equations."""
        whole, some = self.ok(SLIDER), self.balance(SLIDER, "rod,slider")
        self.assertEqual(self.counts(some), (9, 9, 9, 0))
        self.assertEqual(some.result["newton"]["bodies"], ["rod", "slider"])
        self.assertEqual(sorted(some.result["reactions"]), ["guide", "pin", "wrist"])
        self.assertEqual(some.result["drives"], {})
        self.assertFalse([c for c in some.series if c.startswith(("main", "motor"))])
        for column in some.series:
            self.assertEqual(some.marks[column], whole.marks[column], column)
            self.near(some.series[column], whole.series[column], 1e-9 * np.max(np.abs(whole.series["wrist.Fx"])), column)

    def test_slider_alone(self):
        """Three equations for four: the wrist's pull along the guide is m a less the gas; its side force or that of the guide stay open, but not the couple, for the wrist is the centroid."""
        done = self.balance(SLIDER, "slider", "--frame", "ground")
        self.assertEqual(self.counts(done), (6, 5, 5, -1))
        self.assertEqual(self.marks(done, "wrist.Fx", "wrist.Fy", "guide.Fy", "guide.Tz"), ["unique", "not unique", "not unique", "unique"])
        x, t = done.series["slider.x"], done.time
        a = np.gradient(np.gradient(x, t), t)[3:-3]                            # coarse differences: m a to some percent of the gas
        self.near(done.series["wrist.Fx"][3:-3], 3 * a + 500 + 200 * np.sin(30 * t[3:-3]), 40)
        self.column(done, "guide.Tz", 0, 1e-9)
        self.assertEqual(self.marks(self.balance(SLIDER, "slider"), "wrist.Fx", "wrist.Fy"), ["not unique"] * 2)    # in axes of the rod

    def test_rod_alone(self):
        """The moment about one pin determines the force across the bar at the other, and no more."""
        done = self.balance(textbook.d1()[0], "b3")
        self.assertEqual(self.counts(done), (6, 5, 5, -1))
        self.assertEqual(self.marks(done, "J2.Fx", "J2.Fy", "J1.Fx", "J1.Fy"), ["not unique", "unique", "not unique", "not unique"])
        angle = 0.443824750018
        self.near(done.series["J2.Fy"][0], 24.9904915378 * math.sin(angle) - 73.8648067376 * math.cos(angle), 1e-8)

    def test_a_rod_between_balls(self):
        """Across itself, and no more: along it only the difference of both ends."""
        done = self.balance(textbook.p3()[0], "rod")
        self.assertEqual(self.counts(done), (12, 12, 11, 0))
        self.assertEqual(self.marks(done, "J2.Fx", "J2.Fy", "J2.Fz", "J1.Fx"), ["not unique", "unique", "unique", "not unique"])

    def test_a_rocker_and_its_coupler(self):
        done = self.balance(textbook.d1()[0], "b4,b3", "--frame", "ground")
        self.assertEqual(self.counts(done), (9, 9, 9, 0))
        self.assertEqual(set(self.marks(done, *[f"{j}.{c}" for j in ("J1", "J2", "B") for c in ("Fx", "Fy")])), {"unique"})
        self.near(done.series["B.Fy"][0], 97.073795636, 1e-7)

    def test_all_bodies_are_the_whole(self):
        for model in (SLIDER, textbook.d1()[0], textbook.p3()[0]):
            names = ",".join(b for b in model["bodies"] if b != "ground")
            self.assertEqual(self.balance(model, names).columns, self.ok(model).columns)

    def test_redundant(self):
        """In space what the whole leaves open stays open; across the hinges the rocker and the coupler know their forces in the plane."""
        done = self.balance(textbook.p1()[0], "b3,b4", "--frame", "ground")
        self.assertEqual(self.counts(done), (18, 15, 15, -3))
        self.assertEqual(self.marks(done, "B.Fx", "B.Fy", "B.Fz", "J1.Fx", "J1.Fz", "J1.Tx"), ["unique", "unique", "not unique", "unique", "not unique", "not unique"])

    def test_sums(self):
        """m a of the crank is what its two pins leave: the difference is determined where neither is."""
        m = {**textbook.d1()[0], "output": {"both": "A.Fx - J1.Fx", "one": "A.Fx + J1.Fx", "far": "B.Fx"}}
        done = self.balance(m, "b2", "--frame", "ground")
        self.assertEqual(self.marks(done, "both", "one", "far"), ["unique", "not unique", "not unique"])
        self.near(done.series["both"][0], 2 * -4.0571617557, 1e-8)

    def test_friction(self):
        """Friction of the guide follows its reaction: the slider alone does not know it, and so nothing; with the rod it does."""
        m = {**SLIDER, "joints": {**SLIDER["joints"], "guide": {"type": "prismatic", "between": ["ground", "slider"], "friction": {"coefficient": 0.1, "radius": 0.05}}}}
        done = self.balance(m, "slider", "--frame", "ground")
        self.assertEqual(set(self.marks(done, "wrist.Fx", "wrist.Fy", "guide.Fy", "guide.Tz", "guide.friction")), {"not unique"})
        self.assertIn("nothing of them is called unique", "".join(done.result["notes"]))
        done = self.balance(m, "rod,slider")
        self.assertEqual(set(self.marks(done, "wrist.Fx", "wrist.Fy", "guide.Fy", "guide.Tz", "guide.friction")), {"unique"})

    def test_mistakes(self):
        for flags, words in ((("--balance", "rod"), "--method newton"), ((*NEWTON, "--balance", "rood"), "did you mean 'rod'"), ((*NEWTON, "--balance", "ground"), "ground"),
                             ((*NEWTON, "--balance", ""), "--balance"), ((*NEWTON, "--balance", "main"), "no body 'main'")):
            with self.subTest(flags):
                done = cli.run_model(SLIDER, "inverse", *flags)
                self.assertEqual(done.code, 2, done.said())
                self.assertIn(words, done.err)


class Broken(Newton):
    """A program whose equations of Newton's equilibrium are off by a thousandth in the forces of joints: this method fails its audit, no other does."""

    def test_no_other_method_uses_its_kernel(self):
        program = os.path.join(os.environ.get("ROBERVAL_BROKEN") or os.path.join(os.path.dirname(cli.BINARY), "broken"), "broken_newton")
        if not os.access(program, os.X_OK):
            raise unittest.SkipTest(f"no program at {program}")
        sound, cli.BINARY = cli.BINARY, program
        try:
            for name, model, flags, _ in textbook.problems():
                for method in ("two-step", "lagrange", "newton"):
                    with self.subTest(name, method=method):
                        done = cli.run_model(model, "inverse", "--method", method, *flags)
                        self.assertEqual(done.code, 1 if method == "newton" else 0, done.said())
                        if method == "newton":
                            self.assertIn("audit", done.err)
        finally:
            cli.BINARY = sound


if __name__ == "__main__":
    cli.main()
