#!/usr/bin/python3
# ctest: long
"""Mixed coordinates (--coordinates natural --mixed): distances and angles as unknowns with rows of their own.

Sources: multipliers of five problems that were solved apart from this program in these coordinates (D1 with a motor and with a ram, D2, D3, S1 of the theory's reference, twelve digits), among them those of rows |d|^2 - s^2 and
dx sin psi - dy cos psi; the same motions, efforts, reactions and equilibria as without such numbers, of all examples and of machines in which each kind of measure is a number.

Tolerances: 1e-9 of values of 100 by the digits of the references, 1e-8 where places are found from rounded ones; between two coordinates 1e-9 of the largest of a unit, of integrated motions what natural_motion_test.py says."""
import math
import os
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent / "py"))
import cli  # noqa: E402
import natural_motion_test as motions  # noqa: E402
import natural_statics_test as rest  # noqa: E402
import textbook  # noqa: E402

NATURAL = ("--coordinates", "natural")
MIXED = (*NATURAL, "--mixed")
EXAMPLES = sorted((Path(os.environ.get("ROBERVAL_SOURCE", cli.ROOT)) / "examples").rglob("*.yaml"))


class Compared(cli.Case):
    def rows(self, done):
        return {r["row"]: r for r in done.result["natural"]["multipliers"]}

    def same(self, a, b, tol, what=""):
        """all columns, of the largest of their unit; quaternions, which are the same with the other sign, by their size"""
        size = {}
        for name, values in b.series.items():
            size[b.units[name]] = max(size.get(b.units[name], 0), float(np.nanmax(np.abs(values))) if np.isfinite(values).any() else 0)
        for rate, second in (("m/s", "m/s^2"), ("rad/s", "rad/s^2")):  # accelerations that cancel are rounded as squares of rates are
            size[second] = max(size.get(second, 0), size.get("rad/s", 0) * size.get(rate, 0))
        self.assertEqual(list(a.series), list(b.series))
        for name, values in a.series.items():
            if "error" not in name and np.isfinite(b.series[name]).any():
                got, want = (np.abs(x) if name[-3:-1] == ".q" else np.nan_to_num(x) for x in (values, b.series[name]))
                self.near(got, want, tol * max(size[b.units[name]], 1e-3), f"{what} {name}")
                self.assertEqual(a.marks[name], b.marks[name], name)


class Published(Compared):
    def published(self, model, command, want, tol=1e-9, **meant):
        done = self.ok(model, command, *MIXED, *(() if command == "statics" else textbook.GROUND))
        self.assertLess(done.result["natural"]["residual"], 1e-13)
        rows = self.rows(done)
        for name, value in want.items():
            self.assertIn(name, rows)
            self.near(rows[name]["lambda"], value, tol * max(1, abs(value)), name)
            self.assertEqual(rows[name]["verdict"], "unique")
        for name, (value, unit) in meant.items():
            row = rows[name.replace("__", ".")]
            self.near(row["value"], value, tol * max(1, abs(value)), name)
            self.assertEqual(row["unit"], unit)
        return done

    def test_four_bar_with_a_motor(self):
        """D1: three bars, (x1 - xA) sin psi - (y1 - yA) cos psi, psi - psi(t); the couple of the angle's row on the crank is the motor's"""
        self.published(textbook.d1()[0], "inverse", {"b2.row1": 45.0475252508, "b3.row1": 9.63626473569, "b4.row1": -21.4701887717, "A.angle.row": 74.2997166629, "motor": -74.2997166629},
                       A__angle__row=(74.2997166629, "N.m"), b2__row1=(2 * 45.0475252508, "N"))

    def test_four_bar_with_a_ram(self):
        """D1 again: |r2 - A|^2 - s^2 and s - s(t); a ram pushes its ends apart by -2 lambda s"""
        name = "ram.length.row"
        done = self.published(textbook.d1_actuator()[0], "inverse", {"b2.row1": -30.6612611831, "b3.row1": -22.7992249891, "b4.row1": -27.9885360743, name: 25.5797207521, "ram": 180.35621279})
        self.near(self.rows(done)[name]["value"], -2 * 25.5797207521 * 3.52537493543, 1e-7)

    def test_sleeve(self):
        """D3: of a crank of 0.8 m the angle's row in d, not in unit vectors: lambda = M / 0.8"""
        self.published(textbook.d3()[0], "inverse", {"b2.row1": 6.43775840183, "A.angle.row": -0.760580226232, "motor": 0.608464180985})

    def test_five_bar(self):
        """D2: springs on two angles and on the distance of two points, in equilibrium; lambda of angles is M over the length of their bars"""
        m = rest.five_bar()
        self.published(m, "statics", {"two.row1": -13.9365188273, "three.row1": -2.85544560894, "four.row1": -3.74082762633, "five.row1": -11.9297456867, "A.angle.row": 21.5370960248, "B.angle.row": -25.379607897},
                       A__angle__row=(21.5370960248, "N.m"), B__angle__row=(-25.379607897 * .9, "N.m"))

    def test_five_bar_driven(self):
        m = {**rest.five_bar(), "drives": {"A": {"coordinate": "A.angle", "motion": textbook.turns(2., 3., 5.)}, "B": {"coordinate": "B.angle", "motion": textbook.turns(1.2, -2., 4.)}}, "motion": textbook.motion()}
        m["drives"] = {"left": m["drives"]["A"], "right": m["drives"]["B"]}
        self.published(m, "inverse", {"two.row1": -68.2733074381, "three.row1": 8.47916596928, "four.row1": 7.56123623927, "five.row1": -60.1317586956, "A.angle.row": 320.449035181, "B.angle.row": -317.780869469,
                                      "left": -320.449035181, "right": 286.002782522}, 1e-8)

    def test_four_bar_at_rest(self):
        """S1: |r2 - A|^2 - s^2 with a spring along s, psi with a spring on psi, and seven kinds of loads; by each method that is exact"""
        for method in rest.EXACT:
            done = self.ok(rest.four_bar(), "statics", "--method", method, *MIXED)
            rows = self.rows(done)
            for name, value in {"crank.row1": 25.9962218159, "coupler.row1": -13.3048627635, "rocker.row1": -10.4359780571, "long.length.row": 17.6949033189, "A.angle.row": 25.7207946566}.items():
                self.near(rows[name]["lambda"], value, 1e-8, f"{method} {name}")
            self.near(1 / done.result["equilibrium"]["compliance"]["A.angle"]["A.angle"], 480.401047077, 1e-8 * 480, method)
        m = rest.four_bar()                     # the same multipliers of bars without numbers: springs then act on points
        rows = self.rows(self.ok(m, "statics", *NATURAL))
        for name, value in {"crank.row1": 25.9962218159, "coupler.row1": -13.3048627635, "rocker.row1": -10.4359780571}.items():
            self.near(rows[name]["lambda"], value, 1e-8, name)


# One freedom in space by a chain of all joints whose coordinates can be numbers: a hinge that drives a slide by an equation, a sleeve with a spring, a ram.
def machine():
    z, tilted = [0, 0, 1], [.3, .2, 1]
    return {"roberval": 1, "space": "spatial", "gravity": [0, 1, -9.81],
            "bodies": {"ground": {"markers": {"O": {"at": [0, 0, 0], "axis": z}, "R": [1.5, 1, .4]}},
                       "wheel": {"mass": 2, "inertia": [.1, .2, .15, .01, 0, .02], "centroid": [.1, .05, .2], "markers": {"O": {"at": [0, 0, 0], "axis": z}, "S": {"at": [.4, .1, .3], "axis": tilted}}},
                       "slide": {"mass": 1, "inertia": [.05, .04, .06], "centroid": [0, .1, .05], "pose": {"at": [.4, .1, .3]}, "markers": {"S": {"at": [0, 0, 0], "axis": tilted}, "C": {"at": [.2, 0, .1], "axis": [1, .5, 0]}}},
                       "drum": {"mass": .7, "inertia": [.02, .03, .02], "centroid": [.02, 0, .1], "pose": {"at": [.6, .1, .4]}, "markers": {"C": {"at": [0, 0, 0], "axis": [1, .5, 0]}, "E": [.1, .2, 0]}}},
            "joints": {"hinge": {"type": "revolute", "between": ["ground.O", "wheel.O"]}, "rail": {"type": "prismatic", "between": ["wheel.S", "slide.S"]}, "sleeve": {"type": "cylindrical", "between": ["slide.C", "drum.C"]}},
            "loads": {"coil": {"type": "torsion-spring", "joint": "hinge", "stiffness": 3, "free_angle": .2}, "tie": {"type": "spring", "between": ["ground.R", "slide.C"], "stiffness": 40, "free_length": .3}}}


DRIVEN = {"drives": {"turn": {"coordinate": "hinge.angle", "motion": "0.5*t"}, "ram": {"coordinate": "distance(ground.R, drum.E)"}},
          "constraints": {"cam": {"equation": "rail.distance - 0.05*sin(hinge.angle)"}, "thread": {"equation": "sleeve.distance - 0.02*sleeve.angle"}}}


def driven_machine():
    m = machine()
    at = np.array([.7, .3, .4]) - [1.5, 1, .4]
    drives = {k: dict(v) for k, v in DRIVEN["drives"].items()}
    drives["ram"]["motion"] = f"{float(np.linalg.norm(at))!r} + 0.02*sin(3*t)"
    return {**m, **DRIVEN, "drives": drives, "motion": {"from": 0, "to": .3, "step": .03}}


# In the plane what is no joint's: the turn of a body and the direction of two points as numbers.
def pendulums():
    return {"roberval": 1, "space": "planar", "gravity": [0, -9.81],
            "bodies": {"a": {"mass": 1, "inertia": .1, "centroid": [.5, 0], "pose": {"angle": .3}, "markers": {"P": [1, 0]}},
                       "b": {"mass": 2, "inertia": .2, "centroid": [.4, .1], "pose": {"at": [math.cos(.3), math.sin(.3)], "angle": -.4}, "markers": {"Q": [.8, 0]}}},
            "joints": {"A": {"type": "revolute", "between": ["ground", "a"]}, "B": {"type": "revolute", "between": ["a.P", "b"]}}}


class Agreement(Compared):
    def three(self, model, command, tol, *flags):
        want, plain, mixed = (self.ok(model, command, *flags, *c) for c in ((), NATURAL, MIXED))
        self.same(mixed, want, tol)
        self.same(mixed, plain, tol)
        return mixed

    def test_every_joint_of_space(self):
        model = driven_machine()
        done = self.three(model, "inverse", 1e-9, "--frame", "ground")
        self.three(model, "kinematics", 1e-9)
        rows = self.rows(done)
        self.near(rows["hinge.angle.row"]["value"] + done.series["coil.torque"][0], done.series["turn.effort"][0] - 0.05 * done.series["cam.effort"][0], 1e-8, "what acts along the hinge's angle")
        self.near(rows["ram.length.row"]["value"], done.series["ram.effort"][0], 1e-8)
        said = cli.check(model, *MIXED)[1]["coordinates"]
        self.assertEqual({n["name"]: n["kind"] for n in said["measured"]},
                         {"hinge.angle": "angle", "rail.distance": "offset", "sleeve.angle": "angle", "sleeve.distance": "offset", "tie.length": "distance", "ram.length": "distance"})
        self.assertEqual(said["numbers"], cli.check(model, *NATURAL)[1]["coordinates"]["numbers"] + 6)

    def test_equilibria(self):
        model = {**machine(), "constraints": DRIVEN["constraints"], "loads": {**machine()["loads"], "hold": {"type": "torsion-spring", "joint": "sleeve", "stiffness": 5}}}
        model["constraints"] = {"cam": DRIVEN["constraints"]["cam"], "thread": DRIVEN["constraints"]["thread"]}
        want = self.ok(model, "statics").result["equilibrium"]
        for method in rest.EXACT:
            got = self.ok(model, "statics", "--method", method, *MIXED).result["equilibrium"]
            self.near(got["curvature"], want["curvature"], 1e-7 * want["curvature"], method)
            for name, value in want["coordinates"].items():
                self.near(got["coordinates"][name], value, 1e-7, f"{method} {name}")
        soft = self.ok(model, "statics", "--method", "penalty", *MIXED).result["equilibrium"]
        for name, value in want["coordinates"].items():
            self.near(soft["coordinates"][name], value, 1e-4, name)

    def test_motion_from_forces(self):
        model = {**machine(), "constraints": DRIVEN["constraints"], "initial": {"hinge.angle": 0, "hinge.angle'": 1, "sleeve.angle": 0, "sleeve.angle'": 2}, "motion": {"from": 0, "to": 1, "step": .1}}
        self.three(model, "simulate", 1e-6, "--frame", "ground")
        roots = [np.array([r["eigenvalue"] for r in self.ok(model, "modes", *c).result["modes"]]) for c in ((), MIXED)]
        self.near(roots[1], roots[0], 1e-9 * np.max(np.abs(roots[0])))

    def test_turns_and_directions(self):
        """three and a half turns; the row of an angle is regular all the way round"""
        for coordinate, start, name in (("B.angle", -.7, "B.angle"), ("angle(b)", -.4, "other.angle")):
            model = {**pendulums(), "drives": {"turn": {"coordinate": "A.angle", "motion": ".3 + 22*t"}, "other": {"coordinate": coordinate, "motion": f"{start} - 9*t"}}, "motion": {"from": 0, "to": 1, "step": .01}}
            done = self.three(model, "inverse", 1e-9)
            self.near(done.series["a.angle"], .3 + 22 * done.time, 1e-9)
            rows = self.rows(done)
            self.near(rows["A.angle.row"]["value"], done.series["turn.effort"][0], 1e-9 * 500)
            self.near(rows[name + ".row"]["value"], done.series["other.effort"][0], 1e-9 * 500)
        free = {**pendulums(), "loads": {"coil": {"type": "torsion-spring", "joint": "B", "stiffness": 2}}, "initial": {"A.angle'": 3}, "motion": {"from": 0, "to": 1, "step": .1}}
        self.three(free, "simulate", 1e-6)

    def test_series_of_multipliers(self):
        done = self.ok(textbook.d1()[0], "inverse", "--multipliers", *MIXED)
        self.near(done.series["A.angle.row"], done.series["motor.effort"], 1e-9 * 100)
        self.assertEqual((done.units["A.angle.row"], done.marks["A.angle.row"]), ("N.m", "unique"))

    @cli.long
    def test_examples(self):
        """what is admitted without numbers is with them, and the same"""
        seen = 0
        for path in EXAMPLES[::1 if cli.MORE else 3]:
            for command, flags in (("kinematics", ()), ("inverse", ()), ("statics", ("--method", "lagrange"))):
                plain = cli.run([command, path, *flags, *NATURAL])
                if plain.code != 0:
                    continue
                with self.subTest(path=path.name, command=command):
                    mixed = cli.run([command, path, *flags, *MIXED])
                    self.assertEqual(mixed.code, 0, mixed.err)
                    self.same(mixed, plain, 1e-7 if command == "statics" else 1e-8, path.name)
                    seen += bool(mixed.series)
        self.assertGreater(seen, 20)
        for name, tolerance in list(motions.EXAMPLES.items())[::1 if cli.MORE else 4]:
            path = os.path.join(cli.ROOT, "examples", name + ".yaml")
            a, b = (cli.run(["simulate", path, *more]) for more in ((), MIXED))
            self.assertEqual((a.code, b.code), (0, 0), b.err)
            self.same(b, a, 10 * tolerance, name)

    def test_words(self):
        m = textbook.d1()[0]
        for flags in (("--mixed",), ("--mixed", "--coordinates", "absolute")):
            done = cli.run_model(m, "inverse", *flags)
            self.assertEqual(done.code, 2)
            self.assertIn("--mixed goes with --coordinates natural", done.err)
        done = cli.run_model(m, "report", "--mixed", out=False)
        self.assertEqual(done.code, 2)
        self.assertNotIn("measured", cli.check(m, *NATURAL)[1]["coordinates"])
        page = cli.run_model(m, "check", *MIXED, out=False, quiet=False)
        self.assertRegex(page.out, r"A\.angle +angle from ground to b2 +sin\(psi\)")


if __name__ == "__main__":
    cli.main()
