#!/usr/bin/env python3
"""--coordinates joint: every analysis of every example and of every kind of joint, beside absolute coordinates; which tree is taken changes no number.

Both routes round differently: columns agree to 1e-9 of the largest value of the same unit, and what is rounding of nothing stays below 1e-9 (of forces of some 10 kN, speeds of some 100 rad/s: 1e-13 of them). Verdicts,
statuses, ranks and messages are the same to the letter. Equilibria are searched for to 1e-9 by other steps: 1e-7. Motions from forces are in natural_motion_test.py@joint.
"""
import json
import os
import re
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "py"))
import numpy as np  # noqa: E402
import cli  # noqa: E402

SOURCE = Path(os.environ.get("ROBERVAL_SOURCE", Path(__file__).parent.parent))
JOINT = ("--coordinates", "joint")
METHODS = ("lagrange", "newton", "penalty", "augmented", "virtual-power", "recursive")
TOLERANCE, NOTHING = 1e-9, 1e-9
# The bicycle at rest may stand anywhere (neutral), with its wheels turned otherwise, whose axes its tyres' forces are along: not the same numbers.
PATHS = (("crane/crane", (), "luff=50..78 deg"), ("crane/crane", (), "wind=0..30 kN"), ("scissor/at_rest", (), "load=0..378 kg"), ("scissor/at_rest", (), "load=0..400 kg"), ("truss/truss", (), "push=0..20 N"),
         ("truss/truss", ("rise=300 mm",), "push=0..16 kN"), ("truss/truss", ("rise=300 mm", "sideways=5 N"), "push=0..16 kN"))
OTHER_REST = {"bicycle.yaml"}
SCREWS = """roberval: 1
space: spatial
gravity: [0, 0, -9.81]
bodies:
  ground: {markers: {A: {at: [0.1, 0, 0], axis: [0, 0.3, 1]}}}
  nut: {mass: 2, inertia: [0.1, 0.12, 0.15, 0.01, 0, 0.02], centroid: [0.1, 0.05, 0.2], pose: {at: [0.1, 0, 0]}, markers: {S: {at: [0, 0, 0], axis: [0, 0.3, 1]}, P: {at: [0.3, 0, 0.1], axis: [1, 0, 0]}}}
  tip: {mass: 1, inertia: [0.05, 0.06, 0.07], centroid: [0.2, 0, 0], pose: {at: [0.4, 0, 0.1]}, markers: {P: {at: [0, 0, 0], axis: [1, 0, 0]}}}
joints:
  s: {type: screw, between: [ground.A, nut.S], pitch: 0.05}
  p: {type: screw, between: [tip.P, nut.P], pitch: -0.02}
"""
DRIVEN = SCREWS + """drives: {m: {coordinate: s.angle, motion: "8 + 9*t + 3*t^2"}, k: {coordinate: p.distance, motion: "0.03*t"}}
motion: {from: 0, to: 1, step: 0.1}
"""


def examples():
    return sorted((SOURCE / "examples").rglob("*.yaml"))


def kinds():
    """every kind of joint, load and drive has a model for its picture"""
    return sorted((SOURCE / "docs" / "pictures" / "models").glob("*.yaml"))


def some(models, step):
    return models[::1 if cli.MORE else step]


class Joint(cli.Case):
    def runs(self, path, command, *more, other=JOINT):
        both = [cli.run([command, str(path), *more, *extra]) for extra in ((), other)]
        if command == "statics" and both[1].code == 2 and "does not take this" in both[1].err:
            return None, None       # stops and one-sided joints are for absolute coordinates
        self.assertEqual(both[0].code, both[1].code, both[1].err)
        return both if both[0].code == 0 else (None, None)

    def agree(self, a, b, what, tolerance=TOLERANCE, turns=False):
        """turns: whole turns that a search has made on its way do not count"""
        self.assertEqual(list(a.series), list(b.series), what)
        self.assertEqual(a.marks, b.marks, what)
        size = {}
        for name, values in a.series.items():
            unit = a.units.get(name) or ""
            size[unit] = max(size.get(unit, 0), float(np.nanmax(np.abs(values), initial=0)))
        spin = size.get("rad/s", 0)
        for name, values in a.series.items():
            if "error" in name:
                continue
            np.testing.assert_array_equal(np.isnan(values), np.isnan(b.series[name]), f"{what} {name}")
            off = values - b.series[name]
            if turns and a.units.get(name) == "rad":
                off = np.remainder(off + np.pi, 2 * np.pi) - np.pi
            off = float(np.nanmax(np.abs(off), initial=0))
            self.assertLessEqual(off, tolerance * size[a.units.get(name) or ""] + NOTHING + 1e-13 * spin**2, f"{what} {name}")

    def compare(self, models, command, *more, tolerance=TOLERANCE):
        seen = 0
        for path in models:
            with self.subTest(path=path.name, command=command, more=more):
                a, b = self.runs(path, command, *more)
                if a:
                    self.agree(a, b, path.name, tolerance, command == "statics")
                    seen += 1
        return seen

    @cli.long
    def test_driven_motions(self):
        for command in ("kinematics", "inverse"):
            self.assertGreater(self.compare(some(examples(), 3), command), 5)

    @cli.long
    def test_methods(self):
        """penalty and augmented to what they say themselves: their errors are in result.json, here to 1e-5"""
        for n, method in enumerate(METHODS):
            tolerance = 1e-5 if method in ("penalty", "augmented") else 1e-8
            self.assertGreater(self.compare(examples() if cli.MORE else examples()[n::7], "inverse", "--method", method, tolerance=tolerance), 1)

    def test_verdicts(self):
        seen = 0
        for path in some(examples() + kinds(), 5):
            with self.subTest(path=path.name):
                a, b = (cli.run(["check", str(path), "--json", *extra], out=False) for extra in ((), JOINT))
                self.assertEqual(a.code, b.code, b.err)
                if a.code:
                    continue
                a, b = json.loads(a.out), json.loads(b.out)
                tree = b.pop("coordinates")
                self.assertEqual(tree["kind"], "joint")
                for key in ("mobility", "reactions", "drives", "self_stress", "advice"):
                    self.assertEqual(a.get(key), b.get(key), key)
                seen += 1
        self.assertGreater(seen, 10)

    def test_screws(self):
        """one number: its angle, through many turns; in space what hangs on it the other way round, too"""
        for command, more in (("kinematics", ()), ("inverse", ()), ("inverse", ("--method", "recursive")), ("simulate", ())):
            a, b = (cli.run_model(DRIVEN, command, *more, *extra) for extra in ((), JOINT))
            self.assertEqual([a.code, b.code], [0, 0], b.err)
            self.agree(a, b, command, 1e-9)
        free = SCREWS + "initial: {s.angle': 40, p.angle: 0.3, p.angle': -2}\nmotion: {from: 0, to: 0.5, step: 0.05}\n"
        a, b = (cli.run_model(free, "simulate", *extra) for extra in ((), JOINT))
        self.assertEqual([a.code, b.code], [0, 0], b.err)
        self.agree(a, b, "free", 1e-6)
        self.assertGreater(abs(b.series["s.angle"][-1]), 4 * np.pi)
        listed = cli.run_model(DRIVEN, "check", "--json", *JOINT, out=False).json()["coordinates"]
        self.assertEqual([(arc["body"], arc["on"], arc["joint"], arc["numbers"], arc["which"]) for arc in listed["arcs"]], [("nut", "ground", "s", 1, "angle"), ("tip", "nut", "p", 1, "angle")])
        self.assertEqual((listed["cut"], listed["other_rows"]), ([], 2))

    def test_turns_that_are_held(self):
        """in the plane markers' angles add up to whole turns off the pose: it stays where it was, with the couples of what counts turns"""
        for joint, whole in (({"type": "prismatic"}, -1), ({"type": "fixed"}, -1), ({"type": "general", "locked": ["x", "rz"]}, 1), ({"type": "angle", "value": 2.9}, -2), ({"type": "parallel"}, 0)):
            for turned in (False, True):
                with self.subTest(joint=joint["type"], turned=turned):
                    sign = -1 if turned else 1
                    angle = 6 + sign * joint.get("value", 0) + whole * 2 * np.pi
                    sides = ["ground.A", "b.P"]
                    model = {"roberval": 1, "space": "planar", "motion": {"from": 0, "to": 0.1, "step": 0.1},
                             "bodies": {"ground": {"markers": {"A": {"at": [0, 0], "angle": 3}, "C": [0, 0]}},
                                        "b": {"mass": 1, "inertia": 1, "pose": {"angle": angle}, "markers": {"P": {"at": [0, 0], "angle": -3}, "C": [0, 0]}},
                                        "c": {"mass": 1, "inertia": 1, "pose": {"angle": angle}}},
                             "joints": {"j": {**joint, "between": sides[::sign]}, "k": {"type": "revolute", "between": ["b.C", "c"]}},
                             "loads": {"bush": {"type": "bushing", "between": ["ground.C", "b.C"], "stiffness": [0, 0, 4]}}}
                    for other in ((), JOINT, ("--coordinates", "natural")):
                        done = cli.run_model(json.dumps(model), "simulate", *other)
                        self.assertEqual(done.code, 0, done.err)
                        for name in ("b.angle", "c.angle"):
                            np.testing.assert_allclose(done.series[name], angle, atol=1e-12, err_msg=f"{name} {other}")
                        np.testing.assert_allclose(done.series["bush.Tz"], -4 * angle, atol=1e-11, err_msg=str(other))

    def test_equilibria(self):
        self.assertGreater(self.compare([path for path in some(examples(), 6) if path.name not in OTHER_REST], "statics", tolerance=1e-7), 1)

    @cli.long
    def test_paths(self):
        """paths of equilibria go by other steps: the same events at the same loads and places, the same end. Loads at folds to 1e-8, places there, where it is the square of the way that they change with, to 1e-4.
        The scissor ends where its arms lie flat and forces grow without bound, as near as each gets."""
        for path, values, spec in PATHS:
            with self.subTest(path=path, values=values, spec=spec):
                sets = [word for value in values for word in ("--set", value)]
                a, b = (cli.run(["statics", str(SOURCE / "examples" / f"{path}.yaml"), *sets, "--follow", spec, *extra]) for extra in ((), JOINT))
                self.assertEqual(a.code, b.code, b.err)
                one, two = a.result["follow"], b.result["follow"]
                self.assertEqual(one["ended"], two["ended"])
                if a.code == 0:
                    self.assertEqual(a.err, b.err)
                    self.assertAlmostEqual(one["reached"], two["reached"], delta=1e-8 * max(abs(one["reached"]), 1))
                else:
                    self.assertIn("the path ends at", b.err)
                    for done in (a, b):
                        self.assertLess(done.series["height"][-1], 0.02)
                what = ("kind", "before", "after", "turns_at")
                self.assertEqual([[e.get(k) for k in what] for e in one["events"]], [[e.get(k) for k in what] for e in two["events"]])
                most = max([abs(e["at"]) for e in one["events"]], default=0)
                for e, f in zip(one["events"], two["events"]):
                    self.assertAlmostEqual(e["at"], f["at"], delta=1e-8 * most)
                    for places in ("equilibrium", "lands"):
                        if e.get(places) or f.get(places):
                            for body, place in e[places]["bodies"].items():
                                np.testing.assert_allclose(place["at"], f[places]["bodies"][body]["at"], atol=1e-4, err_msg=f"{body} {places}")

    @cli.long
    def test_any_cut_gives_the_same(self):
        """each joint of an example cut, and several of them: by joint coordinates and by the recursive method"""
        seen = 0
        for n, path in enumerate(some(examples(), 5)):
            whole = cli.run(["inverse", str(path)])
            text = path.read_text(encoding="utf-8")
            names = re.findall(r"^  (\w+):", re.split(r"^\w", text.split("\njoints:", 1)[-1].split("\n", 1)[-1], maxsplit=1, flags=re.M)[0], re.M)
            if whole.code or not names:
                continue
            chosen = [[name] for name in names] + [names[::2], names[1::3], names]
            for cut in chosen if cli.MORE else chosen[n % 3::4]:
                for other in (JOINT, ("--method", "recursive")):
                    with self.subTest(path=path.name, cut=cut, other=other):
                        done = cli.run(["inverse", str(path), *other, "--cut", ",".join(cut)])
                        if done.code == 2 and other != JOINT:
                            continue        # a pair that this method does not take
                        self.assertEqual(done.code, 0, done.err)
                        self.agree(whole, done, path.name, 1e-8)
                        seen += 1
        self.assertGreater(seen, 10)

    def test_any_cut_goes_through_flat_positions(self):
        """Bricard's hinges: in the flat position rows that bodies' equations do well with are nearly dependent in the equations of some cuts"""
        path = SOURCE / "examples" / "bricard" / "bricard.yaml"
        whole = cli.run(["inverse", str(path)])
        for cut in ("P1", "P3", "P5", "P6", "P2,P5", "P1,P3,P5"):
            with self.subTest(cut=cut):
                done = cli.run(["inverse", str(path), *JOINT, "--cut", cut])
                self.assertEqual(done.code, 0, done.err)
                self.agree(whole, done, cut, 1e-9)

    def test_the_tree_is_listed(self):
        path = SOURCE / "examples" / "bricard" / "bricard.yaml"
        for command in ("check", "assemble"):
            tree = cli.run([command, str(path), "--json", *JOINT, "--cut", "P2,P5"], out=False).json()["coordinates"]
            self.assertEqual(tree["numbers"], 10)
            self.assertEqual([cut["joint"] for cut in tree["cut"]], ["P2", "P5"])
            self.assertEqual([(arc["on"], arc["numbers"]) for arc in tree["arcs"] if "joint" not in arc], [("ground", 6)])
        page = cli.run(["check", str(path), *JOINT], out=False, quiet=False).out
        self.assertRegex(page, r"joint coordinates: 5 numbers, 6 rows")
        self.assertRegex(page, r"(?m)^beam1 +ground +P1 +1 +angle$")
        self.assertRegex(page, r"(?m)^P\d +5 +cut$")

    def test_what_cannot_be_cut(self):
        path = str(SOURCE / "examples" / "press" / "press.yaml")
        done = cli.run(["inverse", path, *JOINT, "--cut", "gip"], out=False)
        self.assertEqual(done.code, 2)
        self.assertIn("there is no joint 'gip' to cut; did you mean 'gib'?", done.err)
        done = cli.run(["inverse", path, "--cut", "gib"], out=False)
        self.assertEqual(done.code, 2)
        self.assertIn("--cut goes with --coordinates joint or --method recursive", done.err)


if __name__ == "__main__":
    unittest.main()
