#!/usr/bin/python3
# ctest: long joint-slow
"""Ways to one answer where reactions are not unique (compliance, misfit, intervals, elimination), and friction of joints.

Sources: docs/theory.md, docs/verdicts.md, docs/decisions/0003; Coulomb's law.  Closed forms: two
springs side
by side carry a load W as c2/(c1 + c2) W, and squeeze each other by misfit/(c1 + c2); friction of a pin is mu r |F|, of a guide of half
length h under a moment mu |T|/h.  test/py/redundant_oracles.py holds the oracles: Statics (equilibrium matrices of redundant_test, energy minimum by
least squares) and Rubbing (planar mechanisms, friction iterated to a fixed point).

Tolerances.  T9 = 1e-9 on forces of order 10 to 1000: the systems are well conditioned, rounding gives 1e-12.  Friction 1e-9 of the size:
the fixed point is iterated to 1e-13.  Columns that may not depend on the way to one answer are compared as text.
"""
import csv
import json
import math
import os
import sys
import tempfile
import itertools
import unittest

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "py"))
import cli              # noqa: E402
import redundant_test   # noqa: E402
import redundant_oracles as oracles             # noqa: E402
from redundant_oracles import G, INSTANT      # noqa: E402

T9 = 1e-9
KEY = {"Fx": "x", "Fy": "y", "Tz": "rz"}
SYSTEMS = redundant_test.SYSTEMS


def set_keys(model, name, values):
    """values {joint.component: x} as key `name` of the joints; a link (F) gives way alike along both axes"""
    for label, x in values.items():
        joint, c = label.split(".")
        keys = model["joints"][joint].setdefault(name, {})
        for d in ("x", "y") if c == "F" else (KEY[c],):
            keys[d] = x
    return model


def redundant(system):
    return oracles.Statics(system).null.shape[1]


OPEN = {n: s for n, s in SYSTEMS.items() if redundant(s)}


class Ways(cli.Case):
    def value(self, model, column, want, tol=T9, *flags):
        done = self.ok(model, "inverse", *flags)
        self.near(done.series[column][0], want, tol, column)
        return done

    def refused(self, model, *words, flags=(), code=2, command="inverse"):
        done = cli.run_model(model, command, *flags)
        self.assertEqual(done.code, code, done.said())
        for w in words:
            self.assertIn(w, done.err)
        return done

    def verdicts(self, done, want, what=""):
        for key, mark in want.items():
            j, c = key.split(".")
            self.assertEqual(done.result["reactions"][j]["components"][c]["verdict"], mark, f"{what} {key}")


class Door(Ways):
    """two pins one above the other share the weight as springs do"""
    W = 10 * G

    def test_shares(self):
        for c1, c2 in ((1e-6, 1e-6), (1e-6, 3e-6), (5e-9, 1e-9), (1e-3, 1e-8), (1, 2)):
            with self.subTest(c1=c1, c2=c2):
                done = self.value(oracles.door({"compliance": {"y": c1}}, {"compliance": {"y": c2}}), "A.Fy", self.W * c2 / (c1 + c2))
                self.near(done.series["B.Fy"][0], self.W * c1 / (c1 + c2), T9)
                self.verdicts(done, {"A.Fy": "compliance", "B.Fy": "compliance", "A.Fx": "unique", "B.Fx": "unique", "A.Tz": "free"})
                self.assertEqual(done.marks["A.Fy"], "compliance")
                self.assertEqual(done.result["redundant"], "compliance")

    def test_check_says_the_same(self):
        for lower, upper in (({"y": 1e-6}, {"y": 3e-6}), ({"y": 1e-6}, {}), ({"x": 1e-6}, {}), ({}, {})):
            model = oracles.door({"compliance": lower}, {"compliance": upper})
            for flags in ((), ("--redundant", "min-norm"), ("--redundant", "eliminate=A.Fy")):
                done, (_, doc) = self.ok(model, "inverse", *flags), cli.check(model, *flags)
                self.assertEqual(doc["redundant"], done.result["redundant"])
                for j, r in done.result["reactions"].items():
                    self.assertEqual({c: x["verdict"] for c, x in doc["reactions"][j]["components"].items()},
                                     {c: x["verdict"] for c, x in r["components"].items()})

    def test_only_one_gives_way(self):
        """the rigid pin takes all of it"""
        done = self.value(oracles.door({"compliance": {"y": 1e-6}}), "A.Fy", 0.0)
        self.near(done.series["B.Fy"][0], self.W, T9)
        self.verdicts(done, {"A.Fy": "compliance", "B.Fy": "compliance"})

    def test_nought_is_rigid(self):
        done = self.value(oracles.door({"compliance": {"y": 0}}, {"compliance": {"y": 0}}), "A.Fy", self.W / 2)
        self.verdicts(done, {"A.Fy": "not unique", "B.Fy": "not unique"})
        self.value(oracles.door({"compliance": {"y": 1e-6}}, {"compliance": {"y": 0}}), "B.Fy", self.W)

    def test_misfit(self):
        """the loose lower joint would hold the door's marker higher by d1: its spring pushes up, by d1/(c1 + c2); the other the other
        way"""
        for c1, c2, d1, d2 in ((1e-6, 3e-6, 1e-3, 0), (1e-6, 3e-6, -1e-3, 0), (2e-7, 1e-6, 0, 1e-4), (2e-7, 1e-6, 5e-4, 2e-4),
                               (1e-6, 1e-6, 3e-3, 3e-3)):
            with self.subTest(c1=c1, c2=c2, d1=d1, d2=d2):
                model = oracles.door({"compliance": {"y": c1}, "misfit": {"y": d1}}, {"compliance": {"y": c2}, "misfit": {"y": d2}})
                done = self.value(model, "A.Fy", (self.W * c2 + d1 - d2) / (c1 + c2), 1e-8)
                self.near(done.series["B.Fy"][0], (self.W * c1 - d1 + d2) / (c1 + c2), 1e-8)

    def test_misfit_where_it_can_settle_does_nothing(self):
        """along x the door turns a little: no stress"""
        a = self.ok(oracles.door({"compliance": {"x": 1e-6, "y": 1e-6}}, {"compliance": {"y": 1e-6}}))
        b = self.ok(oracles.door({"compliance": {"x": 1e-6, "y": 1e-6}, "misfit": {"x": 1e-3}}, {"compliance": {"y": 1e-6}}))
        for key in ("A.Fx", "A.Fy", "B.Fx", "B.Fy"):
            self.near(b.series[key], a.series[key], T9, key)

    def test_turned_axes(self):
        """markers turned by 40 deg: their x and y are both soft, isotropic; in ground's axes it is the same door"""
        for angle in (.7, -2.0):
            soft = lambda c: {"compliance": {"x": c, "y": c}}
            done = self.ok(oracles.door(soft(1e-6), soft(3e-6), angle), "inverse", "--frame", "ground")
            self.near(done.series["A.Fy"][0], self.W * .75, T9)
            self.near(done.series["B.Fy"][0], self.W * .25, T9)
            self.verdicts(done, {"A.Fy": "compliance", "A.Fx": "unique", "B.Fx": "unique"})
            own = self.ok(oracles.door(soft(1e-6), soft(3e-6), angle))
            c, s = math.cos(angle), math.sin(angle)
            x, y = done.series["A.Fx"], done.series["A.Fy"]
            self.near(own.series["A.Fx"], c * x + s * y, T9)
            self.near(own.series["A.Fy"], -s * x + c * y, T9)

    def test_anisotropic_in_turned_axes(self):
        """only x of a marker turned by a is soft: along ground's y it gives way by c sin^2 a"""
        a, c1, c2 = .7, 2e-6, 5e-6
        model = oracles.door({"compliance": {"x": c1}}, {"compliance": {"x": c2}}, a)
        done = self.ok(model, "inverse", "--frame", "ground")
        fx = {"A": done.series["A.Fx"][0], "B": done.series["B.Fx"][0]}          # unique; they load the springs as well
        s, c = math.sin(a), math.cos(a)
        # N = (A up, B down): s c1 (c FxA + s FyA) = s c2 (c FxB + s FyB)
        fy = (c2 * (c * fx["B"] + s * self.W) - c1 * c * fx["A"]) / (s * (c1 + c2))
        self.near(done.series["A.Fy"][0], fy, T9)

    def test_units(self):
        want = self.W * 3 / 4
        for c1, c2, more in (("1e-6 m/N", "3e-6 m/N", {}), ("1e-6 mm/N", "3e-9 m/N", {}), ("1 um/N", "3e-3 mm/N", {}),
                             ("1e-3 mm/N", 3e-6, {}),
                             ("1 um/kN", "3e-9 m/N", {}), (1e-6, "3e-6", {"units": {"length": "mm", "force": "kN"}}),
                             ("a", "3*a", {"parameters": {"a": 1e-6}}), ("a", "3e-6", {"parameters": {"a": "1e-3 mm/N"}})):
            with self.subTest(c1=c1, c2=c2, **more):
                model = oracles.door({"compliance": {"y": c1}}, {"compliance": {"y": c2}}, **more)
                scale = 1e3 if more.get("units", {}).get("length") == "mm" else 1.0
                if scale != 1:
                    for b in model["bodies"].values():
                        b["markers"] = {k: {"at": [x * scale for x in m["at"]], "angle": m["angle"]} for k, m in b["markers"].items()}
                        if "centroid" in b:
                            b["centroid"] = [x * scale for x in b["centroid"]]
                self.value(model, "A.Fy", want)

    def test_torsional_units(self):
        """a plate welded twice at one place: torques share like forces"""
        joint = lambda c: {"type": "fixed", "between": ["ground.a", "plate.a"], "compliance": {"rz": c}}
        for c1, c2 in ((1e-4, 3e-4), ("1e-4 rad/(N.m)", "3e-7 rad/(N.mm)"), ("1 rad/(kN.m)", "3e-3 rad/(N.m)"),
                       ("1 deg/(N.m)", "3 deg/(N.m)")):
            with self.subTest(c1=c1, c2=c2):
                model = oracles.model({"ground": {"markers": {"a": [0, 0]}}, "plate": {"mass": 1, "inertia": 1, "markers": {"a": [0, 0]}}},
                                   {"one": joint(c1), "two": joint(c2)}, motion=INSTANT,
                                   loads={"T": {"type": "torque", "to": "plate", "value": 8}})
                done = self.value(model, "one.Tz", -6.0)
                self.near(done.series["two.Tz"][0], -2.0, T9)
                self.verdicts(done, {"one.Tz": "compliance", "one.Fx": "not unique"})

    def test_misfit_in_units(self):
        want = (self.W * 3e-6 + 1e-3) / 4e-6
        for misfit, units in (("1 mm", {}), (1e-3, {}), ("1000 um", {}), (1, {"length": "mm"}), ("d", {})):
            model = oracles.door({"compliance": {"y": 1e-6}, "misfit": {"y": misfit}}, {"compliance": {"y": 3e-6}}, parameters={"d": "1 mm"},
                              units=units)
            if units:
                for b in model["bodies"].values():
                    b["markers"] = {k: {"at": [x * 1e3 for x in m["at"]]} for k, m in b["markers"].items()}
                    if "centroid" in b:
                        b["centroid"] = [x * 1e3 for x in b["centroid"]]
            with self.subTest(misfit, units=units):
                self.value(model, "A.Fy", want, 1e-8)

    def test_misfit_of_an_angle(self):
        """two welds at one place, one wants the plate turned by 1 deg: torques -+ 1 deg/(c1 + c2)"""
        for misfit, units in (("1 deg", {}), (1, {"angle": "deg"}), (math.pi / 180, {})):
            joint = lambda c, **more: {"type": "fixed", "between": ["ground", "plate"], "compliance": {"x": 1e-6, "y": 1e-6, "rz": c},
                                       **more}
            model = oracles.model({"plate": {"mass": 1, "inertia": 1}}, {"one": joint(1e-4, misfit={"rz": misfit}), "two": joint(3e-4)},
                               motion=INSTANT, units=units)
            done = self.value(model, "one.Tz", math.radians(1) / 4e-4)
            self.near(done.series["two.Tz"][0], -math.radians(1) / 4e-4, T9)


class Bars(Ways):
    def test_three_bars_alike(self):
        """F_i = (u + d_i)/c_i downwards stretch u; the middle one too long by d carries less, by 2d/3c; the outer ones half of it more"""
        c, d, P = 2e-6, 3e-4, 100.0
        soft = {"compliance": {"x": c, "y": c}}
        for sign in (1, -1):
            done = self.ok(oracles.bars(keys=(soft, {**soft, "misfit": {"y": -sign * d}}, soft), pull=P))
            self.near(done.series["bar1.F"][0], P / 3 - sign * 2 * d / (3 * c), T9)
            for k in (0, 2):
                self.near(done.series[f"bar{k}.F"][0], P / 3 + sign * d / (3 * c), T9)
            self.verdicts(done, {"bar1.F": "compliance", "bar1.Fy": "compliance", "side.Fx": "unique"})

    def test_heated_bar(self):
        """compliance L/EA and thermal growth alpha dT L: the classic of two materials, here the bars differ in both"""
        L, EA, alpha, dT = 3.0, (2e6, 1e6, 2e6), (1.2e-5, 2.4e-5, 1.2e-5), 60.0
        keys = [{"compliance": {"y": L / e}, "misfit": {"y": -a * dT * L}} for e, a in zip(EA, alpha)]
        done = self.ok(oracles.bars(keys=keys, pull=0.0))
        u = sum(e * a for e, a in zip(EA, alpha)) / sum(EA)                   # common stretch per K
        for k in range(3):
            self.near(done.series[f"bar{k}.F"][0], EA[k] * (u - alpha[k]) * dT, 1e-8, f"bar{k}")

    def test_slanted_bars(self):
        """Navier's three bars: a pin on a vertical bar and two at 45 deg, all of one EA: the middle one P/(1 + 2 cos^3)"""
        P, L = 50.0, 1.0
        bodies = {"ground": {"markers": {"a": [-1, 1], "b": [0, 1], "c": [1, 1]}}, "pin": {"mass": 1, "particle": True}}
        link = lambda m, c: {"type": "link", "between": [f"ground.{m}", "pin"], "compliance": {"x": c, "y": c}}
        joints = {"a": link("a", 1e-6 * math.sqrt(2)), "b": link("b", 1e-6 * L), "c": link("c", 1e-6 * math.sqrt(2))}
        done = self.ok(oracles.model(bodies, joints, motion=INSTANT, loads={"P": {"type": "force", "to": "pin", "value": [0, -P]}}))
        c3 = math.cos(math.pi / 4)**3
        self.near(done.series["b.F"][0], P / (1 + 2 * c3), T9)
        self.near(done.series["a.F"][0], P * math.cos(math.pi / 4)**2 / (1 + 2 * c3), T9)

    def test_a_link_that_gives_way_only_across_its_line(self):
        """a vertical bar with compliance along x: nothing to give way there; it is refused or it counts as rigid, and its verdict says
        so"""
        done = cli.run_model(oracles.bars(keys=({"compliance": {"x": 1e-6}},) * 3), "inverse")
        if done.code == 0:
            self.verdicts(done, {"bar0.F": "not unique", "bar1.F": "not unique"})
        else:
            self.assertEqual(done.code, 2, done.said())


class Systems(Ways):
    """every overconstrained system of redundant_test with random compliances and misfits"""

    def compare(self, done, want, marks, what=""):
        size = max(1.0, max(abs(x) for x in want.values()))
        for key, x in want.items():
            self.near(done.series[key][0], x, 1e-9 * size, f"{what} {key}")
        self.verdicts(done, marks, what)

    def test_everything_soft(self):
        rng = np.random.default_rng(1)
        for name, system in OPEN.items():
            with self.subTest(name):
                oracle = oracles.Statics(system)
                soft = {n: float(10**rng.uniform(-7, -5)) for n in oracle.names}
                off = {n: float(rng.uniform(-1e-4, 1e-4)) for n in oracle.names if not n.endswith(".F")}
                for misfit in ({}, off):
                    want, marks = oracle.answer(soft, misfit)
                    model = set_keys(set_keys(system.model(), "compliance", soft), "misfit", misfit)
                    self.compare(self.ok(model), want, marks)

    def test_some_soft(self):
        """what the soft directions leave open is not unique, and of least norm among what remains; unique components never move"""
        rng = np.random.default_rng(2)
        kinds = set()
        for name, system in OPEN.items():
            oracle = oracles.Statics(system)
            for count in (1, 2, 3):
                names = [n for n in oracle.names if not n.endswith(".F")]
                if len(names) < count:
                    continue
                soft = {names[k]: float(10**rng.uniform(-7, -5)) for k in rng.choice(len(names), count, replace=False)}
                with self.subTest(name, soft=soft):
                    want, marks = oracle.answer(soft)
                    kinds |= set(marks.values())
                    done = self.ok(set_keys(system.model(), "compliance", soft))
                    self.compare(done, want, marks)
                    plain, firm = oracle.answer()
                    for key, m in firm.items():
                        if m == "unique":
                            self.near(done.series[key][0], plain[key], T9 * 100, key)
        self.assertEqual(kinds, {"unique", "compliance", "not unique"})

    def test_scale_does_not_matter(self):
        rng = np.random.default_rng(3)
        for name, system in list(OPEN.items())[::3]:
            oracle = oracles.Statics(system)
            soft = {n: float(10**rng.uniform(-7, -5)) for n in oracle.names}
            want, marks = oracle.answer(soft)
            for scale in (1e-3, 1e3, 1e6):
                with self.subTest(name, scale=scale):
                    self.compare(self.ok(set_keys(system.model(), "compliance", {n: c * scale for n, c in soft.items()})), want, marks)

    def test_order_does_not_matter(self):
        rng = np.random.default_rng(4)
        for name, system in list(OPEN.items())[1::3]:
            with self.subTest(name):
                oracle = oracles.Statics(system)
                soft = {n: float(10**rng.uniform(-7, -5)) for n in oracle.names[::2]}
                want, marks = oracle.answer(soft)
                model = set_keys(system.model(), "compliance", soft)
                for part in ("joints", "bodies"):
                    model[part] = dict(reversed(model[part].items()))
                self.compare(self.ok(model), want, marks)

    def test_least_norm_can_be_asked_for(self):
        system = OPEN["beam built in at both ends"]
        oracle = oracles.Statics(system)
        model = set_keys(system.model(), "compliance", dict.fromkeys(oracle.names, 1e-6))
        want, marks = oracle.answer()
        done = self.ok(model, "inverse", "--redundant", "min-norm")
        self.compare(done, want, marks)
        self.assertEqual(done.result["redundant"], "min-norm")

    def test_compliance_asked_for_where_no_joint_has_one(self):
        done = cli.run_model(OPEN["beam built in at both ends"].model(), "inverse", "--redundant", "compliance")
        self.assertIn(done.code, (0, 2), done.said())
        if done.code == 0:
            self.assertIn("not unique", done.marks.values())


class Refusals(Ways):
    def line(self, model, joint):
        for i, text in enumerate(json.dumps(model, indent=1).splitlines(), 1):
            if f'"{joint}": {{' in text:
                return i

    def test_directions_not_held(self):
        for key, words in (("compliance", "compliant"), ("misfit", "out of fit")):
            model = oracles.door({key: {"rz": 1e-6}})
            done = self.refused(model, "'A'", "rz", words)
            self.assertGreater(done.errors[0].line, self.line(model, "A"))
        self.refused(oracles.guides(kinds=("slot", "prismatic")) | {"joints": {"g": {"type": "slot", "between": ["ground.g0", "slide.s0"],
                                                                                "compliance": {"x": 1e-6}}}}, "'g'", " x")

    def test_a_rigid_loop_out_of_fit(self):
        """whether other directions give way or none does"""
        for lower, upper in (({"misfit": {"y": 1e-3}, "compliance": {"x": 1e-6}}, {}), ({"misfit": {"y": 1e-3}}, {}),
                             ({"misfit": {"y": 1e-3}}, {"compliance": {"x": 1e-6}}), ({"misfit": {"y": 1e-3}}, {"misfit": {"y": 2e-3}})):
            with self.subTest(lower=lower, upper=upper):
                self.refused(oracles.door(lower, upper), "A", "misfit")
                self.refused(oracles.door(lower, upper), "A", "misfit", flags=("--redundant", "compliance"))
        for lower, upper in (({"misfit": {"y": 1e-3}}, {"misfit": {"y": 1e-3}, "compliance": {"x": 1e-6}}),
                             ({"misfit": {"x": 1e-3}, "compliance": {"x": 1e-6}}, {})):
            with self.subTest("it fits", lower=lower, upper=upper):
                self.ok(oracles.door(lower, upper))

    def test_values(self):
        for bad in (-1e-6, [2e-6, 1e-6], [1e-6], [1e-6, 2e-6, 3e-6], [-1e-6, 1e-6], "1e-6 N/m", "1e-6 rad/(N.m)", "1 mm", True, None, [],
                    {"a": 1}):
            with self.subTest(bad):
                done = self.refused(oracles.door({"compliance": {"y": bad}}))
                self.assertTrue(done.errors, done.err)
        for bad in ("1 N", "1 deg", [0, 1e-3], None, True):
            with self.subTest(misfit=bad):
                self.assertTrue(self.refused(oracles.door({"misfit": {"y": bad}, "compliance": {"y": 1e-6}})).errors)
        for keys in ({"compliance": {"z": 1}}, {"compliance": 1e-6}, {"misfit": 1e-3}, {"compliance": {"y": "t*1e-6"}},
                     {"complience": {"y": 1}}):
            with self.subTest(keys=keys):
                self.assertTrue(self.refused(oracles.door(keys)).errors)

    def test_an_interval_that_begins_at_nought(self):
        """a geometric mean of nought would be rigid: least > 0 is asked for"""
        self.refused(oracles.door({"compliance": {"y": [0, 1e-6]}}, {"compliance": {"y": [1e-6, 2e-6]}}), "least")

    def test_words_of_the_call(self):
        for way in ("average", "eliminate", "eliminate=", "eliminate=Z.Fx", "eliminate=A.Fx", "eliminate=A.Tz", "eliminate=A.Fy,B.Fy",
                    "min_norm"):
            with self.subTest(way):
                self.refused(oracles.door(), flags=("--redundant", way))
                self.refused(oracles.door(), flags=("--redundant", way), command="check")


class Intervals(Ways):
    def ranges(self, done, key):
        c = done.result["reactions"][key.split(".")[0]]["components"][key.split(".")[1]]
        return c["range_min"], c["range_max"]

    def test_two_pins(self):
        W, a, b = 10 * G, (1e-6, 4e-6), (2e-6, 3e-6)
        done = self.ok(oracles.door({"compliance": {"y": list(a)}, "misfit": {"y": 1e-4}},
                                 {"compliance": {"y": [f"{b[0]} m/N", f"{b[1]} m/N"]}}))
        f = lambda c1, c2: (W * c2 + 1e-4) / (c1 + c2)
        self.near(done.series["A.Fy"][0], f(math.sqrt(a[0] * a[1]), math.sqrt(b[0] * b[1])), T9)
        corners = [f(x, y) for x in a for y in b]
        self.near(self.ranges(done, "A.Fy"), (min(corners), max(corners)), T9)
        self.near(self.ranges(done, "B.Fy"), (W - max(corners), W - min(corners)), T9)
        self.assertNotIn("range_min", [k for k, v in done.result["reactions"]["A"]["components"]["Fx"].items() if v is not None])

    def test_an_interval_of_no_width(self):
        done = self.ok(oracles.door({"compliance": {"y": [2e-6, 2e-6]}}, {"compliance": {"y": 3e-6}}))
        self.near(done.series["A.Fy"][0], .6 * 10 * G, T9)
        c = done.result["reactions"]["A"]["components"]["Fy"]
        self.near([c.get("range_min", c["min"]), c.get("range_max", c["max"])], [.6 * 10 * G] * 2, T9)

    def test_three_intervals_against_a_grid(self):
        """a beam on a pin and more rollers than it needs: the extremes of a grid of 17^3 with its corners lie within the range and meet
        it"""
        system = redundant_test.System().body("beam", [2, 0], 3).force("beam", [3, 0], [5, -20]).joint("pin", "revolute", "ground",
                                                                                                       "beam", [0, 0]) \
            .joint("a", "slot", "ground", "beam", [1, 0]).joint("b", "slot", "ground", "beam", [2, 0]).joint("c", "slot", "ground",
                                                                                                             "beam", [4, 0])
        oracle = oracles.Statics(system)
        box = {"pin.Fy": (1e-6, 5e-5), "a.Fy": (3e-7, 2e-6), "b.Fy": (1e-7, 1e-5)}
        fixed, off = {"c.Fy": 2e-6}, {"a.Fy": 2e-5}
        model = set_keys(set_keys(system.model(), "compliance", {**{k: list(v) for k, v in box.items()}, **fixed}), "misfit", off)
        done = self.ok(model)
        mean = {k: math.sqrt(v[0] * v[1]) for k, v in box.items()}
        want, _ = oracle.answer({**mean, **fixed}, off)
        names = list(want)
        for key in names:
            self.near(done.series[key][0], want[key], T9 * 100, key)
        grid = [np.geomspace(*v, 9) for v in box.values()]
        values = np.array([list(oracle.answer({**dict(zip(box, c)), **fixed}, off)[0].values()) for c in itertools.product(*grid)])
        for k, key in enumerate(names):
            if key.endswith("Fy"):
                self.near(self.ranges(done, key), (values[:, k].min(), values[:, k].max()), 1e-7, key)

    def test_in_ground_axes(self):
        """a combination of the joint's own components has its extremes at corners too"""
        soft = lambda a, b: {"compliance": {"x": [1e-6, a], "y": [b, 9e-6]}}
        keys = (soft(2e-6, 3e-6), soft(8e-6, 1e-6))
        done = self.ok(oracles.door(*keys, .6), "inverse", "--frame", "ground")
        values = []
        for c in itertools.product(*[v for k in keys for v in k["compliance"].values()]):
            point = [{"compliance": {"x": c[0], "y": c[1]}}, {"compliance": {"x": c[2], "y": c[3]}}]
            values.append(self.ok(oracles.door(*point, .6), "inverse", "--frame", "ground").series["A.Fy"][0])
        self.near(self.ranges(done, "A.Fy"), (min(values), max(values)), 1e-8)

    def test_over_the_samples(self):
        """the extremes over box and time: a load that grows from 0 to 3 P"""
        model = oracles.door({"compliance": {"y": [1e-6, 4e-6]}}, {"compliance": {"y": 2e-6}}, parameters={"P": 50},
                          loads={"pull": {"type": "force", "to": "door.a", "value": [0, "-3*P*t"]}})
        model["motion"], model["gravity"] = {"from": 0, "to": 1, "step": .25}, [0, 0]
        done = self.ok(model)
        self.near(self.ranges(done, "A.Fy"), (0.0, 150 * 2 / 3), T9)
        self.near(done.result["reactions"]["A"]["components"]["Fy"]["max"], 75, T9)

    def test_no_range_without_an_interval_or_another_way(self):
        soft = {"compliance": {"y": [1e-6, 4e-6]}}
        for flags in (("--redundant", "min-norm"), ("--redundant", "eliminate=A.Fy")):
            done = self.ok(oracles.door(soft, soft), "inverse", *flags)
            self.assertIsNone(done.result["reactions"]["A"]["components"]["Fy"].get("range_min"), flags)


class Eliminate(Ways):
    @cli.long
    def test_against_the_oracle(self):
        """every admissible choice of as many components as there are self-stresses (some of them), and of fewer"""
        rng = np.random.default_rng(5)
        for name, system in OPEN.items():
            oracle = oracles.Statics(system)
            N, p = oracle.null, oracle.null.shape[1]
            loose = [k for k in range(len(oracle.names)) if np.abs(N[k]).max() > 1e-8 and not oracle.names[k].endswith(".F")]
            if not loose:
                continue
            for size in {p, 1}:
                choices = list(itertools.combinations(loose, size)) if math.comb(len(loose), size) < 3000 else []
                rng.shuffle(choices)
                good = [c for c in choices if np.linalg.svd(N[list(c)])[1][-1] > 1e-3][:3]
                bad = [c for c in choices if np.linalg.svd(N[list(c)])[1][-1] < 1e-12][:1]
                for choice in good + bad:
                    labels = [oracle.names[k] for k in choice]
                    with self.subTest(name, labels=labels):
                        flags = ("--redundant", "eliminate=" + ",".join(labels))
                        if choice in bad and choice not in good:
                            self.refused(system.model(), flags=flags)
                            continue
                        want, marks = oracle.answer(eliminate=labels)
                        done = self.ok(system.model(), "inverse", *flags)
                        size_ = max(1.0, max(abs(x) for x in want.values()))
                        for key, x in want.items():
                            self.near(done.series[key][0], x, 1e-9 * size_, key)
                        for key in labels:
                            self.assertEqual(done.series[key][0], 0.0, key)
                        self.verdicts(done, marks)
                        self.assertTrue(done.result["redundant"].startswith("eliminate"), done.result["redundant"])

    def test_with_compliances_present_it_still_is_elimination(self):
        soft = {"compliance": {"y": 1e-6}}
        done = self.value(oracles.door(soft, soft), "A.Fy", 0.0, 0.0, "--redundant", "eliminate=A.Fy")
        self.near(done.series["B.Fy"][0], 10 * G, T9)
        self.verdicts(done, {"A.Fy": "not unique", "B.Fy": "not unique"})

    def test_rows_that_become_dependent_on_the_way(self):
        """of three parallel cranks only the force along them is loose; A0.Fx of ground stops being part of it when they stand
        upright"""
        model = oracles.cranks(angle=math.pi / 2 - .25, drive="pi/2 + 0.5*(t - 0.5)", motion={"from": 0, "to": 1, "step": .1})
        flags = ("--frame", "ground", "--redundant", "eliminate=A0.Fx")
        done = self.refused(model, "A0.Fx", "0.5", flags=flags, code=1)
        self.near(done.time, np.arange(5) * .1, 1e-12)
        whole = self.ok(model, "inverse", "--frame", "ground")
        self.near(done.series["A0.Fx"], np.zeros(5), 0.0)
        for key in ("motor.effort", "coupler.x", "c1.angle"):
            self.near(done.series[key], whole.series[key][:5], 0.0, key)
        self.assertIsNotNone(done.result)
        self.ok(model, "inverse", "--frame", "ground", "--redundant", "eliminate=A0.Fy")

    def test_in_the_axes_of_the_crank_it_lasts(self):
        model = oracles.cranks(angle=math.pi / 2 - .25, drive="pi/2 + 0.5*(t - 0.5)", motion={"from": 0, "to": 1, "step": .1})
        done = self.ok(model, "inverse", "--redundant", "eliminate=B0.Fx")
        self.near(done.series["B0.Fx"], 0 * done.time, 0.0)


def raw(model, *flags):
    """columns of series.csv as text, without the verdict of their heads"""
    with tempfile.TemporaryDirectory(prefix="rbv-raw-") as folder:
        path = os.path.join(folder, "model.json")
        with open(path, "w", encoding="utf-8") as f:
            json.dump(model, f)
        done = cli.limited([cli.BINARY, "inverse", path, "--quiet", "--out", folder, *flags], capture_output=True)
        assert done.returncode == 0, done.stderr.decode()
        with open(os.path.join(folder, "series.csv"), encoding="utf-8", newline="") as f:
            rows = list(csv.reader(f))
    return {h.split(" (")[0]: [r[k] for r in rows[1:]] for k, h in enumerate(rows[0])}


class Same(Ways):
    def test_motion_and_efforts_do_not_know_the_way(self):
        soft = {j: {"compliance": {"x": c, "y": c}} for j, c in (("A0", 1e-6), ("A1", [2e-6, 5e-6]), ("A2", 5e-7), ("B1", 1e-6))}
        more = {"motion": {"from": 0, "to": 2, "step": .1}, "output": {"height": "y(coupler.B1)", "rate": "angle(c2)'",
                                                                       "second": "angle(c2)''"}}
        plain = oracles.cranks(drive="1.1 + t + 0.3*sin(5*t)", **more)
        pins = oracles.cranks(drive="1.1 + t + 0.3*sin(5*t)", pins=soft, **more)
        runs = [raw(plain), raw(plain, "--redundant", "eliminate=B0.Fx"), raw(plain, "--redundant", "eliminate=B2.Fx"), raw(pins),
                raw(pins, "--redundant", "min-norm"), raw(pins, "--redundant", "eliminate=B1.Fx")]
        keys = [k for k in runs[0] if k.split(".")[0] in ("coupler", "c0", "c1",
                                                          "c2") or k.startswith(("motor", "time", "height", "rate", "second"))]
        self.assertEqual(len(keys), 12 + 1 + 1 + 3)
        for other in runs[1:]:
            for key in keys:
                self.assertEqual(other[key], runs[0][key], key)
        moved = max(abs(float(x) - float(y)) for x, y in zip(runs[0]["B1.Fx [N]"], runs[3]["B1.Fx [N]"]))
        self.assertGreater(moved, 1e-3)
        self.assertEqual(runs[0], runs[4])

    def test_unique_components_do_not_move(self):
        soft = {j: {"compliance": {"x": 1e-6, "y": 3e-6}} for j in ("A0", "A1", "B2")}
        more = {"motion": {"from": 0, "to": 2, "step": .1}}
        a = self.ok(oracles.cranks(drive="1.1 + t", **more))
        b = self.ok(oracles.cranks(drive="1.1 + t", pins=soft, **more))
        c = self.ok(oracles.cranks(drive="1.1 + t", **more), "inverse", "--redundant", "eliminate=B1.Fx")
        for key, m in a.marks.items():
            if m == "unique" and key[0] in "AB":
                self.near(b.series[key], a.series[key], 1e-8, key)
                self.near(c.series[key], a.series[key], 1e-8, key)
                self.assertEqual(b.marks[key], "unique", key)

    def test_along_the_motion_by_the_oracle(self):
        """three cranks with soft pins, dynamics included"""
        soft = {j: {"compliance": {"x": c, "y": c * k}} for j, c, k in (("A0", 1e-6, 2), ("A1", 4e-6, 1), ("B2", 5e-7, 3), ("B1", 1e-6, 1))}
        model = oracles.cranks(drive="1.1 + t + 0.3*sin(5*t)", pins=soft, motion={"from": 0, "to": 2, "step": .25})
        done = self.ok(model)
        mech = oracles.Rubbing(model)
        for i, (q, v, a) in enumerate(mech.states(done.series, done.time)):
            want = mech.answer(q, v, a, done.time[i], compliance=mech.soft)
            for key, x in want["values"].items():
                self.near(done.series[key][i], x, 1e-8, f"{key} at {done.time[i]}")


# ---------------------------------------------------------------- friction

def slider_crank(friction, turn="3*t + 0.4", rod=.3, **more):
    """crank .1 on a pin, rod, slider on a horizontal guide; a force on the slider"""
    a = .4
    tip = [.1 * math.cos(a), .1 * math.sin(a)]
    b = -math.asin(tip[1] / rod)
    x = tip[0] + rod * math.cos(b)
    bodies = {"ground": {"markers": {"O": [0, 0]}},
              "crank": {"mass": 2, "inertia": .004, "centroid": [.03, .01], "pose": {"at": [0, 0], "angle": a},
                        "markers": {"O": [0, 0], "A": [.1, 0]}},
              "rod": {"mass": 1, "inertia": .01, "centroid": [.12, 0], "pose": {"at": tip, "angle": b},
                      "markers": {"A": [0, 0], "B": [rod, 0]}},
              "slider": {"mass": 3, "inertia": .01, "centroid": [.01, .02], "pose": {"at": [x, 0]}, "markers": {"B": [0, 0], "G": [0, 0]}}}
    joints = {"O": {"type": "revolute", "between": ["ground.O", "crank.O"]}, "A": {"type": "revolute", "between": ["crank.A", "rod.A"]},
              "B": {"type": "revolute", "between": ["rod.B", "slider.B"]}, "S": {"type": "prismatic", "between": ["ground.O", "slider.G"]}}
    for j, f in friction.items():
        joints[j]["friction"] = f
    more.setdefault("motion", {"from": 0, "to": 2, "step": .05})
    return oracles.model(bodies, joints, gravity=[0, -G], drives={"motor": {"coordinate": "O.angle", "motion": turn}},
                      loads={"press": {"type": "force", "to": "slider.B", "value": ["-200 - 50*sin(2*t)", 0]}}, **more)


PINS = {"O": {"coefficient": .2, "radius": .02}, "A": {"coefficient": .15, "radius": .015}, "B": {"coefficient": .1, "radius": .01}}
GUIDE = {"S": {"coefficient": .12}}
LONG = {"S": {"coefficient": .12, "radius": .04}}
RATES = {"wO": "O.angle'", "wA": "A.angle'", "wB": "B.angle'", "vS": "S.distance'"}


class Friction(Ways):
    def against(self, model, gears=False, tol=1e-9):
        done = self.ok(model)
        mech = oracles.Rubbing(model)
        for i in range(0, len(done.time), 1 if cli.MORE else 8):
            q, t = mech.poses(done.series, i), done.time[i]
            v = mech.velocity(q, t) if gears else mech.velocity_from(q, np.zeros(mech.n), t)
            a = mech.acceleration(q, v, t) if gears else mech.acceleration_at(q, v, t)
            want = mech.rub(q, v, a, t, gears)
            size = max(1.0, max(abs(x) for x in want.values()))
            for key, x in want.items():
                if key in done.series:
                    self.near(done.series[key][i], x, tol * size, f"{key} at {t}")
                else:
                    self.assertNotIn("friction", key)
        return done

    @cli.long
    def test_pins_and_guide(self):
        for friction in (PINS, GUIDE, LONG, {**PINS, **GUIDE}, {**PINS, **LONG}, {"A": PINS["A"]}):
            with self.subTest(list(friction)):
                done = self.against(slider_crank(friction))
                for j in friction:
                    self.assertEqual(done.units[f"{j}.friction"], "N" if j == "S" else "N.m")
                    self.assertGreater(np.abs(done.series[f"{j}.friction"]).max(), .1 if j == "S" else .01)

    def test_from_printed_forces(self):
        """the law itself, by the columns alone"""
        done = self.ok(slider_crank({**PINS, **LONG}, output=RATES))
        s = done.series
        for j, f in PINS.items():
            want = -f["coefficient"] * f["radius"] * np.hypot(s[f"{j}.Fx"], s[f"{j}.Fy"]) * np.sign(s[f"w{j}"])
            self.near(s[f"{j}.friction"], want, 1e-9, j)
        h = LONG["S"]["radius"]
        press = np.abs(s["S.Fy"] / 2 + s["S.Tz"] / (2 * h)) + np.abs(s["S.Fy"] / 2 - s["S.Tz"] / (2 * h))
        self.near(s["S.friction"], -.12 * press * np.sign(s["vS"]), 1e-8, "guide")
        done = self.ok(slider_crank(GUIDE, output=RATES))
        self.near(done.series["S.friction"], -.12 * np.abs(done.series["S.Fy"]) * np.sign(done.series["vS"]), 1e-9, "short guide")

    def power(self, model, pins, tol):
        bodies = [b for b in model["bodies"] if b != "ground"]
        model["output"] = {**RATES, "vB": "x(slider.B)'", **{f"{d}{c}{b}": f"{c}({b}.G{b}){q}" if c != "w" else f"angle({b}){q}"
                                                              for b in bodies for c in "xyw" for d, q in (("v", "'"), ("a", "''"))}}
        for b in bodies:
            model["bodies"][b]["markers"][f"G{b}"] = model["bodies"][b]["centroid"]
        done = self.ok(model)
        s, power = done.series, 0.0
        for b in bodies:
            m, inertia = model["bodies"][b]["mass"], model["bodies"][b]["inertia"]
            power = power + m * (s[f"vx{b}"] * s[f"ax{b}"] + s[f"vy{b}"] * (s[f"ay{b}"] + G)) + inertia * s[f"vw{b}"] * s[f"aw{b}"]
        loss = sum(s[f"{j}.friction"] * s[f"v{j}" if j == "S" else f"w{j}"] for j in pins)
        self.assertTrue(np.all(loss <= 0) and loss.min() < -1)
        self.near(s["motor.effort"] * s["wO"] + s["press.Fx"] * s["vB"] + loss, power, tol, "power")

    def test_power(self):
        """drive + load + friction = rate of kinetic and potential energy"""
        self.power(slider_crank({**PINS, **LONG}), [*PINS, "S"], 1e-8)

    def test_two_directions(self):
        """friction turns with the rate; without masses the loads at one pose are statics: the effort forward and back is not alike"""
        a = self.ok(slider_crank({**PINS, **GUIDE}, motion={"from": 0, "to": 0, "step": 1}, output=RATES))
        b = self.ok(slider_crank({**PINS, **GUIDE}, "0.4 - 3*t", motion={"from": 0, "to": 0, "step": 1}, output=RATES))
        c = self.ok(slider_crank({}, motion={"from": 0, "to": 0, "step": 1}))
        for j in ("O", "A", "B", "S"):
            self.assertLess(a.series[f"{j}.friction"][0] * b.series[f"{j}.friction"][0], 0, j)
        self.assertGreater(a.series["motor.effort"][0], c.series["motor.effort"][0])
        self.assertLess(b.series["motor.effort"][0], c.series["motor.effort"][0])
        self.against(slider_crank({**PINS, **LONG}, "0.4 - 3*t"))

    def test_swinging(self):
        self.against(slider_crank({**PINS, **LONG}, "0.4 + 0.9*sin(4*t + 0.1)", motion={"from": 0, "to": 1.5, "step": .07}))

    def test_no_friction(self):
        plain = raw(slider_crank({}))
        for friction in ({j: {"coefficient": 0, "radius": .01} for j in "OAB"}, {"S": {"coefficient": 0}}):
            got = raw(slider_crank(friction))
            for key, x in plain.items():
                self.near(np.array(got[key], float), np.array(x, float), 1e-10, key)
            for j in friction:                                                  # a column of noughts, or none
                self.assertFalse(any(float(x) for x in got.get(f"{j}.friction [{'N' if j == 'S' else 'N.m'}]", ())))

    def test_units(self):
        """a radius in units of the file; radius and coefficient as parameters"""
        want = raw(slider_crank({"O": PINS["O"]}))
        for f in ({"coefficient": "mu", "radius": "20 mm"}, {"coefficient": 0.2, "radius": "r"},
                  {"coefficient": "2*0.1", "radius": "2 cm"}):
            got = raw(slider_crank({"O": f}, parameters={"mu": .2, "r": "20 mm"}))
            self.near(np.array(got["motor.effort [N.m]"], float), np.array(want["motor.effort [N.m]"], float), 1e-10)

    def test_standing_still(self):
        """a stop at t = 0.5: no friction there, and a note with the joint's name"""
        done = cli.run_model(slider_crank(PINS, "0.4 + (t - 0.5)^2", motion={"from": 0, "to": 1, "step": .25}), "inverse", quiet=False)
        self.assertEqual(done.code, 0, done.said())
        for j in PINS:
            self.assertEqual(done.series[f"{j}.friction"][2], 0.0)
            self.assertNotEqual(done.series[f"{j}.friction"][1], 0.0)
            self.assertTrue(any(f"'{j}'" in n and "still" in n for n in done.result["notes"]), done.result["notes"])

    def test_slot(self):
        """a pin driven along a slot under a load across it; the slot is turned"""
        for angle in (0.0, .6):
            bodies = {"ground": {"markers": {"s": {"at": [0, 0], "angle": angle}}}, "p": {"mass": 2, "particle": True}}
            model = oracles.model(bodies, {"s": {"type": "slot", "between": ["ground.s", "p"], "friction": {"coefficient": .3}}},
                               gravity=[0, -G],
                               drives={"pull": {"coordinate": "s.x", "motion": "0.5*t + 0.2*t^2"}}, motion={"from": 0, "to": 1, "step": .5})
            done = self.ok(model)
            self.near(done.series["s.friction"], -.3 * 2 * G * math.cos(angle) + 0 * done.time, 1e-11)
            self.near(done.series["pull.effort"], 2 * .4 + 2 * G * (math.sin(angle) + .3 * math.cos(angle)) + 0 * done.time, 1e-11)
            self.against(model)

    def test_band_brake_of_a_drum(self):
        """a drum pressed by its own weight: M = mu r m g, whatever the speed; a load on the rim adds to both"""
        bodies = {"drum": {"mass": 10, "inertia": .2, "markers": {"rim": [.3, 0]}}}
        for sign in (1, -1):
            model = oracles.model(bodies, {"hub": {"type": "revolute", "between": ["ground", "drum"],
                                                "friction": {"coefficient": .1, "radius": "25 mm"}}},
                               gravity=[0, -G], drives={"turn": {"coordinate": "hub.angle", "motion": f"{sign}*2*t"}},
                               motion={"from": 0, "to": 1, "step": .5})
            done = self.ok(model)
            self.near(done.series["turn.effort"], sign * .1 * .025 * 10 * G + 0 * done.time, 1e-12)


class Jam(Ways):
    @staticmethod
    def lift(mu, a=.2, h=.1, speed=.3, load=0.0):
        """a block on a vertical guide of half length h is lifted by a force that acts a beside it; 2 mu a/L >= 1 jams, L = 2h"""
        mark = {"at": [0, 0], "angle": math.pi / 2}
        bodies = {"ground": {"markers": {"g": mark}}, "block": {"mass": 2, "inertia": .1,
                                                                "markers": {"g": mark, "P": [a, 0], "Q": [-a, 0]}}}
        return oracles.model(bodies, {"guide": {"type": "prismatic", "between": ["ground.g", "block.g"],
                                             "friction": {"coefficient": mu, "radius": h}}},
                          gravity=[0, -G], drives={"lift": {"coordinate": "y(block.P)", "motion": f"{speed}*t"}},
                          motion={"from": 0, "to": .2, "step": .1})

    def test_before_it_jams(self):
        for mu in (0, .1, .3, .45, .499):
            done = self.ok(self.lift(mu))
            self.near(done.series["lift.effort"], 2 * G / (1 - 2 * mu) + 0 * done.time, 1e-9 / (1 - 2 * mu))
            if mu:
                self.near(done.series["guide.friction"], -2 * mu * done.series["lift.effort"], 1e-9 / (1 - 2 * mu))

    def test_jams(self):
        for mu, a in ((.5001, .2), (.6, .2), (5, .2), (.2, .6)):
            done = self.refused(self.lift(mu, a), "jam", "guide", code=1)
            self.assertNotIn("internal", done.err)

    def test_letting_down(self):
        for mu in (.1, .4, .6, 2.0):
            done = self.ok(self.lift(mu, speed=-.3))
            self.near(done.series["lift.effort"], 2 * G / (1 + 2 * mu) + 0 * done.time, 1e-9)

    def test_a_rod_too_steep(self):
        """a slide on the floor is pushed by a rod from a knob on a wall, at the angle b to the floor: F (cos b - mu sin b) against 10 N,
        so that it jams where mu tan b >= 1"""
        b = math.atan2(1.0, .3)
        for mu, load in ((.5, -10), (.28, -10), (.2, -10), (.5, 10)):
            bodies = {"ground": {"markers": {"o": [0, 0], "up": {"at": [0, 1], "angle": -math.pi / 2}}},
                      "slide": {"mass": 1e-9, "inertia": 1e-9, "pose": {"at": [.3, 0]}, "markers": {"o": [0, 0]}},
                      "knob": {"mass": 1e-9, "inertia": 1e-9, "pose": {"at": [0, 1], "angle": -math.pi / 2}, "markers": {"o": [0, 0]}}}
            joints = {"floor": {"type": "prismatic", "between": ["ground.o", "slide.o"], "friction": {"coefficient": mu}},
                      "wall": {"type": "prismatic", "between": ["ground.up", "knob.o"]},
                      "rod": {"type": "link", "between": ["slide.o", "knob.o"]}}
            model = oracles.model(bodies, joints, drives={"push": {"coordinate": "wall.distance", "motion": "0.3*t"}}, motion=INSTANT,
                               loads={"against": {"type": "force", "to": "slide.o", "value": [load, 0]}})
            with self.subTest(mu=mu, load=load):
                if load < 0 and mu * math.tan(b) >= 1:
                    self.refused(model, "jam", "floor", code=1)
                    continue
                F = load / (math.cos(b) - math.copysign(mu, -load) * math.sin(b))
                done = self.ok(model)
                self.near(done.series["rod.F"][0], F, 1e-6)              # masses of 1e-9, amplified 50 times
                self.near(done.series["push.effort"][0], -F * math.sin(b), 1e-6)

    def test_keeps_what_was_reached(self):
        """the overhang of the force that lifts grows with time: 0.1 + t, and jams beyond 0.2"""
        mark = {"at": [0, 0], "angle": math.pi / 2}
        bodies = {"ground": {"markers": {"g": mark}},
                  "block": {"mass": 2, "inertia": .1, "markers": {"g": mark, "o": [0, 0]}},
                  "arm": {"mass": 1e-6, "inertia": 1e-9, "pose": {"at": [.1, 0]}, "markers": {"P": [0, 0]}}}
        joints = {"guide": {"type": "prismatic", "between": ["ground.g", "block.g"], "friction": {"coefficient": .5, "radius": .1}},
                  "boom": {"type": "prismatic", "between": ["block.o", "arm.P"]}}
        model = oracles.model(bodies, joints, gravity=[0, -G], motion={"from": 0, "to": .2, "step": .01},
                           drives={"lift": {"coordinate": "y(arm.P)", "motion": "0.3*t"},
                                   "out": {"coordinate": "boom.distance", "motion": "0.1 + t"}})
        done = self.refused(model, "jam", code=1)
        self.assertTrue(8 <= len(done.time) <= 11, done.time)
        self.assertIn("0.1", done.err)


class FrictionOfRedundantJoints(Ways):
    F = {"coefficient": .2, "radius": .02}

    def model(self, rubbing=("A1",), soft=False, c=1e-6, **more):
        pins = {j: {"compliance": {"x": c * (1 + k), "y": c * (1 + k)}} for k,
                j in enumerate(("A0", "B0", "A1", "B1", "A2", "B2"))} if soft else {}
        for j in rubbing:
            pins.setdefault(j, {})["friction"] = self.F
        return oracles.cranks(drive="1.1 + 2*t", pins=pins, motion={"from": 0, "to": 1, "step": .1}, **more)

    def test_refused(self):
        done = self.refused(self.model(), "'A1'", "friction", "not")
        self.assertRegex(done.err, "not unique|does not determine|undetermined")
        self.refused(self.model(("B2",)), "'B2'")
        self.refused(self.model(), "'A1'", flags=("--redundant", "min-norm"))
        self.refused(self.model(soft=True), "'A1'", flags=("--redundant", "min-norm"))
        self.refused(self.model(), "'A1'", flags=("--redundant", "eliminate=B1.Fx"))

    def test_check_warns(self):
        done = cli.run_model(self.model(), "check", quiet=False)
        self.assertEqual(done.code, 0, done.said())
        self.assertRegex(done.err + done.out + str(done.result["notes"]), "friction")

    def test_half_soft_is_not_enough(self):
        model = self.model()
        for j in ("A0",):
            model["joints"][j]["compliance"] = {"x": 1e-6, "y": 1e-6}
        self.ok(model)                                                          # one self-stress: one soft pin decides it
        model = oracles.cranks((0, .3, .7, 1.2), drive="1.1 + 2*t", motion={"from": 0, "to": 1, "step": .5},
                            pins={"A1": {"friction": self.F}, "A0": {"compliance": {"x": 1e-6, "y": 1e-6}}})
        self.refused(model, "'A1'")

    def test_friction_of_a_unique_joint_beside_redundant_ones(self):
        """a door on two pins hung on a turning post: the post's pin is unique"""
        model = self.model(())
        model["bodies"]["vane"] = {"mass": 1, "inertia": .1, "centroid": [.1, 0], "markers": {"o": [0, 0]},
                                   "pose": {"at": [model["bodies"]["coupler"]["pose"]["at"][0],
                                                   model["bodies"]["coupler"]["pose"]["at"][1]]}}
        model["joints"]["flag"] = {"type": "revolute", "between": ["coupler.B0", "vane.o"], "friction": self.F}
        model["drives"]["wave"] = {"coordinate": "flag.angle", "motion": "3*t"}
        done = self.ok(model)
        self.assertEqual(done.marks["flag.friction"], "unique")
        self.assertEqual(done.marks["wave.effort"], "unique")
        self.assertEqual(done.marks["motor.effort"], "unique")
        self.near(done.series["flag.friction"], -.2 * .02 * np.hypot(done.series["flag.Fx"], done.series["flag.Fy"]), 1e-10)

    def test_with_compliances(self):
        """all pins soft: values by the fixed point with the energy minimum in each step"""
        model = self.model(("A1", "B2", "A0"), soft=True)
        done = self.ok(model)
        mech = oracles.Rubbing(model)
        for i in range(0, len(done.time), 2):
            t = done.time[i]
            q = mech.poses(done.series, i)
            v = mech.velocity_from(q, np.zeros(mech.n), t)
            want = mech.rub(q, v, mech.acceleration_at(q, v, t), t)
            for key, x in want.items():
                self.near(done.series[key][i], x, 1e-8, f"{key} at {t}")
        for j in ("A1", "B2", "A0"):
            self.assertEqual(done.marks[f"{j}.friction"], "compliance", j)
        self.assertEqual(done.marks["motor.effort"], "compliance")
        self.assertEqual(done.result["drives"]["motor"]["verdict"], "compliance")

    def test_what_moves_with_the_compliances_is_marked(self):
        a, b = self.ok(self.model(("A1", "B2"), soft=True)), self.model(("A1", "B2"), soft=True)
        b["joints"]["A1"]["compliance"] = {"x": 9e-5, "y": 9e-5}
        b = self.ok(b)
        moved = {k for k in a.series if np.abs(a.series[k] - b.series[k]).max() > 1e-9}
        self.assertIn("motor.effort", moved)
        for k in moved:
            self.assertEqual(a.marks[k], "compliance", k)
        for k, m in a.marks.items():
            if k[0] in "AB" and m == "unique":
                self.assertNotIn(k, moved)

    def test_intervals(self):
        """the range comes from the corners, each with its own friction"""
        model, box = self.model(("A1",), soft=True), {"A0": (1e-6, 4e-6), "A1": (1e-6, 9e-6)}
        for j, b in box.items():
            model["joints"][j]["compliance"] = {"x": list(b), "y": 1e-6}
        done, runs = self.ok(model), []
        for corner in itertools.product(*box.values()):
            for j, c in zip(box, corner):
                model["joints"][j]["compliance"]["x"] = c
            runs.append(self.ok(model).series)
        for key in ("A1.Fx", "B0.Fx", "A2.Fy"):
            c = done.result["reactions"][key[:2]]["components"][key[3:]]
            self.near((c["range_min"], c["range_max"]), (min(r[key].min() for r in runs), max(r[key].max() for r in runs)), 1e-8, key)

    def test_outputs_and_resultants(self):
        """max over a motion and the joint's verdict follow the components"""
        done = self.ok(self.model(("A1",), soft=True, output={"power": "motor.effort*A0.angle'"}))
        self.assertEqual(done.result["reactions"]["A1"]["verdict"], "compliance")
        self.assertIn("compliance", [done.marks["power"], (done.result["outputs"]["power"] or {}).get("verdict")])


class Gears(Friction):
    """bearings of gears carry tangential and radial forces; their friction feeds back on the tooth force"""

    @staticmethod
    def pair(alpha=.35, internal=False, frictions=None, turn="2*t + t^2", a=.4):
        r1, r2 = (.4, .1) if internal else (.1, .3)
        d = abs(r1 - r2) if internal else r1 + r2
        at = [d * math.cos(a), d * math.sin(a)]
        bodies = {"ground": {"markers": {"o": [0, 0], "p": at}}, "one": {"mass": 4, "inertia": .02, "markers": {"o": [0, 0]}},
                  "two": {"mass": 7, "inertia": .3, "pose": {"at": at}, "markers": {"o": [0, 0]}}}
        joints = {"b1": {"type": "revolute", "between": ["ground.o", "one.o"]},
                  "b2": {"type": "revolute", "between": ["ground.p", "two.o"]},
                  "mesh": {"type": "gear", "between": ["one.o", "two.o"], "radii": [r1, r2], "internal": internal, "pressure_angle": alpha}}
        for j, f in (frictions or {}).items():
            joints[j]["friction"] = f
        return oracles.model(bodies, joints, gravity=[0, -G], drives={"motor": {"coordinate": "b1.angle", "motion": turn}},
                          loads={"brake": {"type": "torque", "to": "two", "value": "30 - 50*t"}}, motion={"from": 0, "to": 1, "step": .125})

    BEARINGS = {"b1": {"coefficient": .3, "radius": .02}, "b2": {"coefficient": .2, "radius": .04}}

    def test_pair(self):
        for internal in (False, True):
            for turn in ("2*t + t^2", "-2*t - 3*t^2"):
                for alpha in (0, .35, -0.0):
                    with self.subTest(internal=internal, turn=turn, alpha=alpha):
                        self.against(self.pair(alpha, internal, self.BEARINGS, turn), gears=True)

    def test_radial_force_matters(self):
        a = self.ok(self.pair(0, False, self.BEARINGS))
        b = self.ok(self.pair(.6, False, self.BEARINGS))
        self.assertGreater(np.abs(a.series["motor.effort"] - b.series["motor.effort"]).max(), 1e-3)

    def test_one_planet(self):
        f = {j: {"coefficient": .1, "radius": .03} for j in ("sun_bearing", "carrier_bearing", "pin0")}
        self.against(oracles.planetary(1, frictions=f), gears=True)

    def test_three_planets_are_refused(self):
        self.refused(oracles.planetary(3, frictions={"pin1": {"coefficient": .1, "radius": .03}}), "'pin1'")


# what Friction tests is not repeated for gears
for _name in [n for n in dir(Friction) if n.startswith("test_")]:
    if _name not in Gears.__dict__:
        setattr(Gears, _name, None)


class Oracles(unittest.TestCase):
    """the oracles against closed forms and each other (without the program)"""

    def test_statics(self):
        for name, system in OPEN.items():
            got, marks = oracles.Statics(system).answer()
            for key, x in system.minimum_norm().items():
                self.assertAlmostEqual(got[key], x, delta=1e-8, msg=f"{name} {key}")
            _, _, verdict = system.exact()
            self.assertEqual(marks, verdict, name)

    def test_drum(self):
        model = oracles.model({"drum": {"mass": 10, "inertia": .2}}, {"hub": {"type": "revolute", "between": ["ground", "drum"],
                           "friction": {"coefficient": .1, "radius": .025}}}, gravity=[0, -G],
                           drives={"turn": {"coordinate": "hub.angle", "motion": "2*t"}}, motion=INSTANT)
        mech = oracles.Rubbing(model)
        v = mech.velocity(mech.q0, 0.0)
        self.assertAlmostEqual(mech.rub(mech.q0, v, 0 * v, 0.0)["turn.effort"], .1 * .025 * 10 * G, delta=1e-12)


if __name__ == "__main__":
    cli.main()
