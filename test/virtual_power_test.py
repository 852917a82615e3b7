#!/usr/bin/python3
"""inverse --method virtual-power: the reference problems to their digits, all examples against the other methods, single reactions against the whole table, and the virtual motions that
are printed against kinematics of the mechanism cut there."""
import copy
import glob
import math
import os
import sys
import tempfile
import unittest

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "py"))
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import cases_test            # noqa: E402
import cli                   # noqa: E402
import space_reference_test  # noqa: E402
import textbook              # noqa: E402

VIRTUAL = ("--method", "virtual-power")
EXAMPLES = sorted(glob.glob(os.path.join(cli.ROOT, "examples", "**", "*.yaml"), recursive=True))
ERRORS = 10             # two methods differ by no more than so many estimated errors of rounding, which are those of one sample's
LEAST = 1e-12           # N and N m, where the estimate is of a reaction that is zero
FIT = 1e-9              # of velocities for a unit rate: both solve a few dozen linear equations


class Virtually:
    """Every inverse of a class of reference problems by this method."""

    def ok(self, model, command="inverse", *flags, **options):
        return super().ok(model, command, *(VIRTUAL if command == "inverse" else ()), *flags, **options)


class Linkages(Virtually, cases_test.Linkages):
    """D1 with its motor and its ram, D3 (force and couple of a sleeve), D6, and others"""


class Rssr(Virtually, space_reference_test.Rssr):
    """P3"""


class Tree(Virtually, space_reference_test.Tree):
    """T1"""


class ParallelAxes(Virtually, space_reference_test.ParallelAxes):
    """P1: reactions across the plane are not unique, and those of least norm"""


class Gears(Virtually, cases_test.Gears):
    """tooth forces, and the pushes that follow them"""


def numbers(result):
    """{name: entry} of all reactions, efforts and efforts of constraints."""
    found = {f"{j}.{c}": e for j, joint in result["reactions"].items() for c, e in joint["components"].items()}
    found.update({f"{k}.effort": e for section in ("drives", "constraints") for k, e in result[section].items()})
    return found


class FiveBar(cli.Case):
    """D2: two motors, three springs, loads that follow their lengths"""

    def test_published(self):
        m, want = textbook.d2()
        for flags in ((), ("--reaction", "Q.Fx")):
            done = self.ok(m, "inverse", *VIRTUAL, *flags)
            for column, value in want.items():
                self.near(done.series[column][0], value, 1e-7, column)


class Examples(cli.Case):
    def inverse(self, path, *flags):
        done = cli.run(["inverse", path, "--json", *flags], out=False)
        return done.json() if done.code == 0 else None

    def compare(self, path, a, b):
        """b is a part of a, or all of it."""
        for name, y in b.items():
            x = a[name]
            self.assertEqual(x["verdict"], y["verdict"], f"{path}: {name}")
            for key in ("first", "min", "max"):
                self.near(y[key], x[key], ERRORS * max(x.get("error", 0), y.get("error", 0)) + LEAST, f"{path}: {key} of {name}")

    @cli.long
    def test_all_examples_agree_with_two_steps(self):
        count = 0
        for path in EXAMPLES:
            one = self.inverse(path)
            if one is None:
                continue
            two = self.inverse(path, *VIRTUAL)
            self.assertIsNotNone(two, path)
            self.assertEqual(two["method"], "virtual-power")
            self.compare(path, numbers(one), numbers(two))
            self.assertEqual(set(numbers(one)), set(numbers(two)))
            count += 1
        self.assertGreater(count, 25)

    @cli.long
    def test_single_reactions_are_those_of_the_table(self):
        """asked for alone, and where some are not unique together with all; --frame ground as well"""
        alone = 0
        for n, path in enumerate(EXAMPLES):
            frame = ("--frame", ("joint", "ground")[n % 2])
            one = self.inverse(path, *frame)
            if one is None:
                continue
            table = {k: e for k, e in numbers(one).items() if k.split(".")[0] not in one["drives"]}
            unique = [k for k, e in table.items() if e["verdict"] == "unique"]
            for names in (unique[:40], list(table)[n % 3::7][:40]):
                if not names:
                    continue
                part = self.inverse(path, *VIRTUAL, *frame, "--reaction", ",".join(names))
                self.assertIsNotNone(part, path)
                got = numbers(part)
                self.assertEqual(set(got), set(names) | {f"{k}.effort" for k in one["drives"]}, path)
                self.compare(path, numbers(one), got)
                self.assertEqual(set(part["virtual_motions"]), set(names))
                alone += part["audit"]["max_force_imbalance"] is None
        self.assertGreater(alone, 15, "they are found alone where nothing needs the others")

    def test_the_whole_table_in_natural_coordinates(self):
        for name in ("pumpjack/pumpjack", "shaper/shaper"):
            path = os.path.join(cli.ROOT, "examples", name + ".yaml")
            one, two = self.inverse(path), self.inverse(path, *VIRTUAL, "--coordinates", "natural")
            self.assertIsNotNone(two, path)
            self.compare(path, numbers(one), numbers(two))

    def test_single_reactions_in_natural_coordinates(self):
        m = cases_test.four_bar()
        one = self.ok(m, "inverse", *VIRTUAL, "--reaction", "P2.Fx,P2.Fy")
        two = self.ok(m, "inverse", *VIRTUAL, "--reaction", "P2.Fx,P2.Fy", "--coordinates", "natural")
        self.assertIsNone(two.result["audit"]["max_force_imbalance"], "these alone")
        self.compare("four-bar", numbers(one.result), numbers(two.result))
        for name, motion in one.result["virtual_motions"].items():
            for body, v in motion["bodies"].items():
                other = two.result["virtual_motions"][name]["bodies"][body]
                self.near([*v["velocity"], v["angular"]], [*other["velocity"], other["angular"]], FIT, name)


class Ways(cli.Case):
    """One reaction by cutting its joint, by varying the joint's rows, by taking a body out of its rigid rows (R000-104 ... 114): each is a route of its own, to the same digits."""
    WAYS = (("cut",), ("constraint",), ("body", "--coordinates", "natural"), ("constraint", "--coordinates", "natural"))

    def test_published(self):
        """D1, D3, D4, D6, P1, P3"""
        for name, model, flags, want in textbook.problems():
            names = [c for c in want if c.split(".")[0] in model["joints"]]
            largest = max(abs(v) for v in want.values())
            for way in self.WAYS if names else ():
                with self.subTest(name, way=way):
                    done = self.ok(model, "inverse", *VIRTUAL, *flags, "--reaction", ",".join(names), "--by", *way)
                    for column in names:
                        self.near(done.series[column][0], want[column], 3e-10 * largest, column)
                    if name in ("d1", "d3", "d6", "p3"):
                        self.assertIsNone(done.result["audit"]["max_force_imbalance"], "these alone")
                        self.assertEqual(bool(done.result.get("virtual_motions")), way[0] == "cut")

    @cli.long
    def test_examples(self):
        alone = 0
        for n, path in enumerate(EXAMPLES[::1] if cli.MORE else EXAMPLES[1::9]):
            frame = ("--frame", ("joint", "ground")[n % 2])
            whole = cli.run(["inverse", path, "--json", *frame], out=False)
            if whole.code != 0:
                continue
            table = numbers(whole.json())
            unique = [k for k, e in table.items() if e["verdict"] == "unique" and k.split(".")[0] not in whole.json()["drives"]][:40]
            for way in self.WAYS[1:3] if unique else ():
                done = cli.run(["inverse", path, "--json", *VIRTUAL, *frame, "--reaction", ",".join(unique), "--by", *way], out=False)
                if done.code == 2 and way[0] == "body":
                    self.assertRegex(done.err, "friction is not among the forces|generalized coordinates have no points|too many numbers")
                    continue
                self.assertEqual(done.code, 0, done.said())
                got = numbers(done.json())
                alone += done.json()["audit"]["max_force_imbalance"] is None
                for k in unique:
                    self.assertEqual(got[k]["verdict"], "unique", f"{path} {k}")
                    for key in ("first", "min", "max"):
                        self.near(got[k][key], table[k][key], ERRORS * max(table[k]["error"], got[k]["error"]) + LEAST, f"{path} {way}: {key} of {k}")
        self.assertGreater(alone, 25 if cli.MORE else 1)

    def test_a_branching_pin(self):
        """Three bodies at one pin: what one joint does there is the sum over all bodies beyond it."""
        m = textbook.d6()[0]
        m["joints"]["P"]["between"] = ["b4.P2", "b5"]
        m["bodies"]["b5"]["pose"]["at"] = [2.96971140589, 1.89975856389]
        del m["bodies"]["b6"], m["joints"]["J3"], m["joints"]["C"]
        m["bodies"]["ground"]["markers"]["wall"] = [4.5, 0]
        m["joints"]["slider"] = {"type": "x", "between": ["ground.wall", "b5.P3"]}
        whole = self.ok(m, "inverse")
        for way in self.WAYS:
            done = self.ok(m, "inverse", *VIRTUAL, "--reaction", "J2.Fx,J2.Fy,P.Fx,P.Fy,slider.Fx", "--by", *way)
            for column in ("J2.Fx", "J2.Fy", "P.Fx", "P.Fy", "slider.Fx"):
                self.near(done.series[column], whole.series[column], 1e-9 * 300, column)

    def test_rigid_rows(self):
        """D1: each bar varied by itself gives its published tension, by the motion in which it alone grows longer by 1 m/s (6.114); of space and of redundant rows what one system of equations for all rows gives"""
        rows = ("--coordinates", "natural", "--by", "constraint")
        m = textbook.d1()[0]
        for body, lam, L in (("b2", 45.0475252508, 1), ("b3", 9.63626473569, 2.6), ("b4", -21.4701887717, 1.9)):
            done = self.ok(m, "inverse", *VIRTUAL, *rows, "--reaction", f"{body}.row1")
            self.near(done.series[f"{body}.row1"][0], 2 * lam * L, 1e-9 * 100, body)
            self.assertFalse([c for c in done.series if c.split(".")[0] in m["joints"]], "these alone")
        points = self.ok(m, "inverse", *VIRTUAL, *rows, "--reaction", "b3.row1").result["virtual_motions"]["b3.row1"]["points"]
        ends = [np.array(points[k]) for k in sorted(points)]
        self.near(ends[0] if np.abs(ends[0]).max() < np.abs(ends[1]).max() else ends[1], [0, 0], 1e-12, "the crank is held")
        rssr, loop = space_reference_test.rssr("universal"), space_reference_test.four_bar()
        for m in (space_reference_test.posed(rssr[0], rssr[1]()), space_reference_test.posed(loop[0], loop[1](0.))):
            whole = self.ok(m, "inverse", "--coordinates", "natural", "--multipliers")
            names = [c for c in whole.series if ".row" in c]
            done = self.ok(m, "inverse", *VIRTUAL, *rows, "--reaction", ",".join(names))
            for c in names:
                self.near(done.series[c], whole.series[c], 1e-9 * max(map(lambda x: abs(whole.series[x][0]), names)), c)
                self.assertEqual(done.marks[c], whole.marks[c])
                self.assertEqual(done.marks[c] == "unique", done.result["virtual_motions"][c] is not None, c)

    def test_motion_of_a_drive(self):
        """the virtual motion of an effort is that of unit rate of its drive: rates of `kinematics` over the drive's; and all that is done is listed by name"""
        m = textbook.d1()[0]
        moved = self.ok(m, "kinematics").series
        for way in self.WAYS:
            motion = self.ok(m, "inverse", *VIRTUAL, "--reaction", "motor,J1.Fx" if "J1" in m["joints"] else "motor", "--by", *way).result["virtual_motions"]["motor.effort"]["bodies"]
            rate = moved["b2.omega"][0]
            for body in ("b3", "b4"):
                self.near([*motion[body]["velocity"][:2], motion[body]["angular"]], [moved[f"{body}.{c}"][0] / rate for c in ("vx", "vy", "omega")], FIT, body)

    def test_refused(self):
        for flags, text in ((("--reaction", "coupler.row1", "--coordinates", "natural"), "no joint that could be cut"), (("--reaction", "coupler.row1", "--by", "constraint"), "no joint, body or constraint"),
                            (("--reaction", "coupler.row2", "--coordinates", "natural", "--by", "constraint"), "rigid row body.row1")):
            done = cli.run_model(cases_test.four_bar(), "inverse", *VIRTUAL, *flags, out=False)
            self.assertEqual((done.code, text in done.err), (2, True), done.err)
        m, state = space_reference_test.rssr("universal")
        done = cli.run_model(space_reference_test.posed(m, state()), "inverse", *VIRTUAL, "--coordinates", "natural", "--by", "constraint", "--reaction", "rod.row2", out=False)
        self.assertEqual((done.code, "stands for no force" in done.err), (2, True), done.err)
        for flags, text in ((("--by", "body"), "carry its forces to its neighbours: they are those of points and vectors: --coordinates natural"), (("--by", "joint"), "--by is cut, constraint or body")):
            done = cli.run_model(cases_test.four_bar(), "inverse", *VIRTUAL, "--reaction", "P1.Fx", *flags, out=False)
            self.assertEqual(done.code, 2)
            self.assertIn(text, done.err)
        done = cli.run_model(cases_test.four_bar(), "inverse", *VIRTUAL, "--by", "constraint", out=False)
        self.assertEqual(done.code, 2)
        self.assertIn("--by says how a reaction is found that --reaction asks for", done.err)

    def test_top_dead_centre(self):
        """Where all efforts have no power but rounding: in natural coordinates, too."""
        path = os.path.join(cli.ROOT, "examples", "engine", "engine.yaml")
        for way in self.WAYS:
            self.assertEqual(cli.run(["inverse", path, *VIRTUAL, "--reaction", "main.Fx", "--to", "0", "--by", *way]).code, 0)


def at_rest(m):
    """The motion: as it is at the first instant, inputs standing still."""
    m = copy.deepcopy(m)
    for d in m["drives"].values():
        d["motion"] = d["motion"].split(" + ")[0]
        d["coordinate"] = d["coordinate"].replace("A.angle", "angle(crank)")
    m.pop("output", None)
    m.pop("loads", None)
    return m


class Motions(cli.Case):
    """The motion printed for J.c is what kinematics finds when J holds the other components alone, and a drive moves J in c at unit rate."""

    def printed(self, m, *names):
        done = self.ok(m, "inverse", *VIRTUAL, "--reaction", ",".join(names))
        return done, done.result["virtual_motions"]

    def same(self, motion, series, planar):
        for name, body in motion["bodies"].items():
            turns = [("omega", body["angular"])] if planar else list(zip(("omegax", "omegay", "omegaz"), body["angular"]))
            for part, got in [*zip(("vx", "vy", "vz"), body["velocity"]), *turns]:
                if f"{name}.{part}" in series:
                    self.near(got, series[f"{name}.{part}"][0], FIT, f"{name}.{part}")

    def cut(self, m, joint, kind, coordinate):
        m = at_rest(m)
        m["joints"][joint]["type"] = kind
        m["drives"]["cut"] = {"coordinate": f"{joint}.{coordinate}", "motion": "t"}
        return self.ok(m, "kinematics").series

    def test_of_a_four_bar_each_pin_cut(self):
        m = cases_test.four_bar()
        done, motions = self.printed(m, *[f"{j}.{c}" for j in ("A", "P1", "P2", "B") for c in ("Fx", "Fy")])
        for j in ("A", "P1", "P2", "B"):
            for c, kind, coordinate in (("Fx", "y", "x"), ("Fy", "x", "y")):
                self.same(motions[f"{j}.{c}"], self.cut(m, j, kind, coordinate), True)

    def test_power(self):
        """the component is the power of weights and inertia in the motion printed, the sign changed (R000-114)"""
        m = cases_test.four_bar()
        done, motions = self.printed(m, "P1.Fx", "B.Fy")
        for name, motion in motions.items():
            power = 0.0
            for body, v in motion["bodies"].items():
                spec, angle = m["bodies"][body], done.series[f"{body}.angle"][0]
                arm = cases_test.R(angle) @ spec["centroid"]
                velocity = np.array(v["velocity"][:2]) + v["angular"] * np.array([-arm[1], arm[0]])
                a, alpha = self.acceleration(m, body)
                power += velocity @ (spec["mass"] * (np.array([0, -cases_test.G]) - a)) - v["angular"] * spec["inertia"] * alpha
            self.near(done.series[name][0], -power, 1e-8, name)

    def acceleration(self, m, body):
        """of the centroid, by kinematics"""
        m = copy.deepcopy(m)
        m["bodies"][body]["markers"]["centroid_"] = m["bodies"][body]["centroid"]
        m["output"] = {"ax": f"x({body}.centroid_)''", "ay": f"y({body}.centroid_)''", "al": f"angle({body})''"}
        s = self.ok(m, "kinematics").series
        return np.array([s["ax"][0], s["ay"][0]]), s["al"][0]

    def test_of_a_distance_that_is_varied(self):
        """a coupler without mass is a link: its tension by a unit rate of its length (R000-112, R000-113)"""
        m = cases_test.four_bar()
        del m["bodies"]["coupler"], m["joints"]["P1"], m["joints"]["P2"]
        m["joints"]["bar"] = {"type": "distance", "between": ["crank.P1", "rocker.P2"], "length": 2.6}
        done, motions = self.printed(m, "bar.F")
        whole = self.ok(m, "inverse")
        self.column(done, "bar.F", whole.series["bar.F"], 1e-9)
        self.assertEqual([c for c in done.columns if "bar" in c], ["bar.F [N]"])
        cut = at_rest(m)
        del cut["joints"]["bar"]
        cut["drives"]["bar"] = {"coordinate": "distance(crank.P1, rocker.P2)", "motion": "2.6 + t"}
        s = self.ok(cut, "kinematics").series
        sign = 1 if abs(motions["bar.F"]["bodies"]["rocker"]["angular"] - s["rocker.omega"][0]) < 1e-6 else -1
        self.near(sign, -1, 0, "a tension pulls: the motion along with it makes the bar shorter")
        self.near(-motions["bar.F"]["bodies"]["rocker"]["angular"], s["rocker.omega"][0], FIT)
        self.near(motions["bar.F"]["bodies"]["crank"]["angular"], 0, FIT)

    def test_of_a_constraint(self):
        m = cases_test.four_bar()
        m["constraints"] = {"lead": {"equation": m["drives"]["motor"]["coordinate"] + " - (" + m["drives"]["motor"]["motion"] + ")"}}
        del m["drives"]
        done = self.ok(m, "inverse", *VIRTUAL, "--reaction", "lead.effort")
        motor = self.ok(cases_test.four_bar(), "inverse").series["motor.effort"][0]
        self.near(done.series["lead.effort"][0], motor, 1e-9)
        self.near(done.result["virtual_motions"]["lead.effort"]["bodies"]["crank"]["angular"], 1, FIT)

    def test_of_space(self):
        """RSSR: a ball cut along one axis keeps the other two; the motion keeps all other joints, by their coordinates' rates"""
        m, state = space_reference_test.rssr()
        m = space_reference_test.posed(m, state())
        done, motions = self.printed(m, "J.Fx", "K.Fz", "A.Tx", "B.Ty")
        whole = self.ok(m, "inverse")
        for name, motion in motions.items():
            self.column(done, name, whole.series[name], 1e-9)
            for j, joint in m["joints"].items():
                rate = self.rate(m, whole, motion, joint["between"])
                axes = self.axes(m, whole, joint["between"][0])
                allowed = {"A": (5,), "B": (5,), "J": (3, 4, 5), "K": (3, 4, 5), "spin": tuple(range(6))}[j]
                local = np.concatenate([axes.T @ rate[:3], axes.T @ rate[3:]])
                for c, n in zip(("Fx", "Fy", "Fz", "Tx", "Ty", "Tz"), range(6)):
                    if n not in allowed:
                        self.near(local[n], 1.0 if f"{j}.{c}" == name else 0.0, FIT, f"{name}: {j} along {c}")
            self.near(motion["bodies"]["crank"]["angular"][2], 0, FIT, "the motor stands still")

    def pose(self, done, body):
        if body == "ground":
            return np.zeros(3), np.eye(3)
        s = done.series
        w, x, y, z = (s[f"{body}.{c}"][0] for c in ("qw", "qx", "qy", "qz"))
        A = np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)], [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                      [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])
        return np.array([s[f"{body}.{c}"][0] for c in "xyz"]), A

    def marker(self, m, name):
        spec = m["bodies"][name.split(".")[0]]["markers"][name.split(".")[1]]
        spec = spec if isinstance(spec, dict) else {"at": spec}
        return np.array(spec["at"], float), np.array(spec.get("axis", [0, 0, 1]), float)

    def axes(self, m, done, name):
        """of a first marker; here x of the marker counts for no more than being square to z, but for markers that are not turned"""
        _, A = self.pose(done, name.split(".")[0])
        z = self.marker(m, name)[1]
        z = z / np.linalg.norm(z)
        if abs(z[2] - 1) < 1e-15:
            return A
        x = self.first_axis(z)
        return A @ np.column_stack([x, np.cross(z, x), z])

    def first_axis(self, z):
        """docs/model-file.md: the smallest turn takes z to the axis"""
        v, c = np.cross([0, 0, 1], z), z[2]
        K = np.array([[0, -v[2], v[1]], [v[2], 0, -v[0]], [-v[1], v[0], 0]])
        return (np.eye(3) + K + K @ K / (1 + c))[:, 0]

    def rate(self, m, done, motion, between):
        """of the second marker against the first one"""
        out = np.zeros(6)
        for sign, name in zip((-1, 1), between):
            body = name.split(".")[0]
            if body == "ground":
                continue
            v, w = (np.array(motion["bodies"][body][k], float) for k in ("velocity", "angular"))
            _, A = self.pose(done, body)
            out += sign * np.concatenate([v + np.cross(w, A @ self.marker(m, name)[0]), w])
        return out


class Doors(cli.Case):
    """What is not determined has no virtual motion, and its value is that of the common choice."""
    PATH = os.path.join(cli.ROOT, "examples", "door", "door.yaml")

    def test_a_door_that_is_held_twice(self):
        whole = cli.run(["inverse", self.PATH])
        done = cli.run(["inverse", self.PATH, *VIRTUAL, "--reaction", "top.Fz,top.Fx,bottom.Tz"])
        self.assertEqual(done.code, 0, done.said())
        for name in ("top.Fz", "top.Fx", "hand.effort"):
            self.column(done, name, whole.series[name], 1e-9)
        components = done.result["reactions"]["top"]["components"]
        self.assertEqual({c: e["verdict"] for c, e in components.items()}, {"Fz": "not unique", "Fx": "not unique"})
        self.assertIsNone(done.result["virtual_motions"]["top.Fz"])
        notes = [n for n in done.result["notes"] if "virtual motion" in n]
        self.assertEqual(len(notes), 2, notes)
        self.assertTrue(any("moves top.Fz alone" in n and "determined are bottom.Fz + top.Fz" in n and "self-stress" in n for n in notes), notes)
        # the sum named is the same in any choice
        other = cli.run(["inverse", self.PATH, *VIRTUAL, "--redundant", "eliminate=top.Fz"])
        self.column(other, "bottom.Fz", whole.series["bottom.Fz"] + whole.series["top.Fz"], 1e-9)
        self.assertEqual(done.result["self_stress"], whole.result["self_stress"], "also where few columns are kept")
        self.assertEqual(done.result["groups"], whole.result["groups"])

    def test_unique_parts_of_a_machine_that_is_held_twice(self):
        path = os.path.join(cli.ROOT, "examples", "cardan", "cardan.yaml")
        whole = cli.run(["inverse", path])
        names = ["input.Tx", "cross.Ty", "output.Tx"]
        done = cli.run(["inverse", path, *VIRTUAL, "--reaction", ",".join(names)])
        for name in names:
            self.column(done, name, whole.series[name], 1e-7)
            self.assertIsNotNone(done.result["virtual_motions"][name])
        self.assertGreater(whole.result["mobility"]["redundant"], 0)


class Calls(cli.Case):
    PATH = os.path.join(cli.ROOT, "examples", "press", "press.yaml")

    def refused(self, pattern, *flags):
        done = cli.run(["inverse", self.PATH, *flags], out=False, quiet=False)
        self.assertEqual(done.code, 2, done.said())
        self.assertRegex(done.err, pattern)

    def test_what_is_refused(self):
        self.refused("--reaction goes with --method virtual-power", "--reaction", "wrist.Fx")
        self.refused("--reaction goes with --method virtual-power: lagrange", "--method", "lagrange", "--reaction", "wrist.Fx")
        self.refused("joint 'wrist' has no reaction 'Fq'; it has Fx, Fy, Tz", *VIRTUAL, "--reaction", "wrist.Fq")
        self.refused("no joint, body or constraint that carries 'wirst.Fx'", *VIRTUAL, "--reaction", "gib.Fy,wirst.Fx")
        self.refused("--reaction wants names", *VIRTUAL, "--reaction", "")

    def test_joints_bodies_and_efforts(self):
        def columns(names):
            done = cli.run(["inverse", self.PATH, *VIRTUAL, "--to", "0", "--reaction", names])
            self.assertEqual(done.code, 0, done.said())
            return {k for k in numbers(done.result)}
        self.assertEqual(columns("wrist"), {"wrist.Fx", "wrist.Fy", "wrist.Tz", "servo.effort"})
        self.assertEqual(columns("wrist.Fx,wrist.Fx"), {"wrist.Fx", "servo.effort"})
        self.assertEqual(columns("servo.effort"), {"servo.effort"})
        self.assertEqual(columns("rod"), {f"{j}.{c}" for j in ("crankpin", "wrist") for c in ("Fx", "Fy", "Tz")} | {"servo.effort"})

    def test_contacts_that_nobody_looks_at_are_named(self):
        path = os.path.join(cli.ROOT, "examples", "valvetrain", "valvetrain.yaml")
        for names, noted in (("cam.Fx", 1), ("cam.Fx,cam.F", 0)):
            done = cli.run(["inverse", path, *VIRTUAL, "--to", "0", "--reaction", names])
            self.assertEqual(done.code, 0, done.said())
            self.assertEqual(len([n for n in done.result["notes"] if "'cam' can push" in n]), noted, done.result["notes"])

    def test_a_picture(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "cut.svg")
            done = cli.run(["inverse", self.PATH, *VIRTUAL, "--to", "0", "--reaction", "gib.Fy", "--svg", path, "--virtual-motion", "gib.Fy"])
            self.assertEqual(done.code, 0, done.said())
            with open(path, encoding="utf-8") as f:
                self.assertIn("virtual motion of gib.Fy: the cut of gib along y alone changes", f.read())
            motion = next(v for v in done.scene["virtual_motions"] if v["name"] == "gib.Fy")
            printed = done.result["virtual_motions"]["gib.Fy"]["bodies"]
            for name, body in motion["bodies"].items():
                self.near(body["velocity"], motion["rate"] * np.array(printed[name]["velocity"]), 1e-9)
                self.near(body["angular"], motion["rate"] * printed[name]["angular"], 1e-9)


if __name__ == "__main__":
    cli.main()
