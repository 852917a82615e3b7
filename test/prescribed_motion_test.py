#!/usr/bin/python3
# ctest: polar natural joint
"""inverse --motion: a motion that is given, without drives. The motion of simulate put back obeys and has the reactions of simulate; what is wrong with a motion is told along the freedom where it is, as closed forms say;
a motion that does not quite fit the joints is fitted; D1 and P1 of the textbook without their motor (R000-92 ... 96)."""
import copy
import math
import os
import re
import sys
import tempfile
import unittest

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "py"))
import cli       # noqa: E402
import textbook  # noqa: E402

POLAR = os.environ.get("ROBERVAL_COORDINATES") == "polar"
NATURAL = os.environ.get("ROBERVAL_COORDINATES") in ("natural", "joint")


def table(series, units, order=None):
    """Columns as series.csv has them."""
    names = order or list(series)
    head = ",".join(f"{n} [{units[n]}]" if units.get(n) else n for n in names)
    return head + "\n" + "\n".join(",".join(repr(float(series[n][k])) if np.isfinite(series[n][k]) else "" for n in names) for k in range(len(series["time"]))) + "\n"


def lever(g=9.81, **more):
    """A pendulum of length 2 m, its centroid in the middle, 3 kg."""
    return {"roberval": 1, "space": "planar", "gravity": [0, -g], "bodies": {"rod": {"mass": 3, "inertia": 1, "centroid": [1, 0], "markers": {"tip": [2, 0]}}},
            "joints": {"pin": {"type": "revolute", "between": ["ground", "rod"]}}, "initial": {"pin.angle": 0.3, "pin.angle'": 1.0}, "motion": {"from": 0, "to": 0.5, "step": 0.125}, **more}


def arm(**more):
    """Two bars in a chain."""
    return {"roberval": 1, "space": "planar", "gravity": [0, -9.81],
            "bodies": {"upper": {"mass": 2, "inertia": 0.3, "centroid": [0.5, 0.1], "markers": {"E": [1, 0]}}, "lower": {"mass": 1, "inertia": 0.1, "centroid": [0.4, 0], "pose": {"at": [1, 0]}}},
            "joints": {"shoulder": {"type": "revolute", "between": ["ground", "upper"]}, "elbow": {"type": "revolute", "between": ["upper.E", "lower"]}},
            "initial": {"shoulder.angle": 0.2, "shoulder.angle'": 0.5, "elbow.angle": 0.7, "elbow.angle'": -1}, "motion": {"from": 0, "to": 0.4, "step": 0.1}, **more}


class Given(cli.Case):
    def back(self, model, done, *flags, **options):
        """The motion of a run given to a model."""
        files = {"motion.csv": table(done.series, done.units)}
        return cli.run_model(model, "inverse", "--motion", "motion.csv", *flags, files=files, **options)

    def residual(self, done, freedom):
        return done.series[f"{freedom}.residual"]

    def obeys(self, model, *flags, least=1e-10):
        """What simulate does obeys, and has the same reactions."""
        free = self.ok(model, "simulate", *flags)
        done = self.back(model, free, *flags)
        self.assertEqual(done.code, 0, done.said())
        most = max(1.0, max(np.nanmax(np.abs(free.series[c])) for c in free.series if free.units[c] in ("N", "N.m")))
        residuals = [c for c in done.series if c.endswith(".residual")]
        self.assertGreater(len(residuals), 0)
        for c in residuals:
            self.near(done.series[c], np.zeros(len(done.time)), least * most, c)
        for joint, entry in free.result["reactions"].items():
            for name, part in entry["components"].items():
                c, here = f"{joint}.{name}", done.result["reactions"][joint]["components"][name]
                self.near(done.series[c], free.series[c], max(1e-9 * most, part["error"], here["error"]), c)
                self.assertEqual(done.marks[c], free.marks[c], c)
        return done

    def note(self, done):
        return " ".join(done.result["notes"])


class Simulated(Given):
    def test_plane(self):
        self.assertIn("obeys the laws of mechanics", self.note(self.obeys(arm())))
        done = self.obeys({**arm(), "loads": {"coil": {"type": "torsion-spring", "joint": "elbow", "stiffness": 20, "damping": 0.3}, "pull": {"type": "force", "to": "lower", "value": [3, "5*sin(9*t)"]}}})
        self.assertEqual([c for c in done.series if c.endswith("residual")], ["shoulder.angle.residual", "elbow.angle.residual"])
        self.assertEqual(done.units["elbow.angle.residual"], "N.m")

    def test_d1_released(self):
        """The four-bar without its motor."""
        model, _ = textbook.d1()
        del model["drives"]
        model["initial"] = {"A.angle'": 6}
        model["motion"] = {"from": 0, "to": 0.3, "step": 0.1}
        self.obeys(model, "--frame", "ground")

    def test_p1_released(self):
        """In space, three rows too many: verdicts and least norms of simulate."""
        model, _ = textbook.p1()
        del model["drives"]
        model["initial"] = {"A.angle'": 6}
        model["motion"] = {"from": 0, "to": 0.2, "step": 0.1}
        done = self.obeys(model, "--frame", "ground", "--norm-length", "1")
        self.assertEqual(done.marks["A.Fz"], "not unique")
        self.assertEqual(done.marks["A.Fx"], "unique")

    @unittest.skipIf(POLAR, "a spatial machine")
    def test_space(self):
        """A double pendulum of a universal joint and a ball, with a spring; a particle on a rod."""
        model = {"roberval": 1, "space": "spatial", "gravity": [0, 0, -9.81],
                 "bodies": {"a": {"mass": 2, "inertia": [0.1, 0.3, 0.35, 0.01, 0, 0.02], "centroid": [0.5, 0.05, -0.02], "markers": {"E": [1, 0, 0]}},
                            "b": {"mass": 1, "inertia": [0.05, 0.1, 0.12], "centroid": [0.4, 0, 0.1], "pose": {"at": [1, 0, 0]}}},
                 "joints": {"hang": {"type": "universal", "between": ["ground", "a"]}, "ball": {"type": "spherical", "between": ["a.E", "b"]}},
                 "loads": {"spring": {"type": "spring", "between": ["ground", "b"], "stiffness": 30, "free_length": 0.8, "damping": 1}},
                 "motion": {"from": 0, "to": 0.2, "step": 0.1}}
        model["bodies"]["ground"] = {"markers": {"side": {"at": [0, 0, 0], "axis": [0, 1, 0]}}}
        model["bodies"]["a"]["markers"]["arm"] = {"at": [0, 0, 0], "axis": [1, 0, 0]}
        model["joints"]["hang"]["between"] = ["ground.side", "a.arm"]
        done = self.obeys(model)
        self.assertEqual(sum(c.endswith(".residual") for c in done.series), 5)

    def test_rolls_and_slides(self):
        """A rack; a knife edge, whose row is on rates; a drive besides, whose effort is found."""
        wheel = {"roberval": 1, "space": "planar", "gravity": [1, -9.81], "bodies": {"wheel": {"mass": 2, "inertia": 0.1, "centroid": [0.05, 0.02], "pose": {"at": [0, 0.3]}}},
                 "joints": {"roll": {"type": "rack", "between": ["ground", "wheel"], "radius": 0.3}}, "motion": {"from": 0, "to": 0.4, "step": 0.2}}
        wheel["joints"]["height"] = {"type": "y", "between": ["ground", "wheel"], }
        wheel["bodies"]["ground"] = {"markers": {"rail": [0, 0.3]}}
        wheel["joints"]["height"]["between"] = ["ground.rail", "wheel"]
        self.obeys(wheel)
        sled = {"roberval": 1, "space": "planar", "gravity": [1, -3], "bodies": {"sled": {"mass": 2, "inertia": 0.4, "centroid": [0.2, 0.05]}},
                "joints": {"edge": {"type": "knife-edge", "between": ["ground", "sled"]}}, "initial": {"x(sled)'": 2, "angle(sled)'": 1.5}, "motion": {"from": 0, "to": 0.4, "step": 0.2}}
        self.obeys(sled)
        led = arm(drives={"servo": {"coordinate": "shoulder.angle", "motion": "0.2 + 0.5*t - t^2"}})
        del led["initial"]["shoulder.angle"], led["initial"]["shoulder.angle'"]
        free = self.ok(led, "simulate")
        done = self.obeys(led)
        self.near(done.series["servo.effort"], free.series["servo.effort"], 1e-9 * 40)
        self.assertEqual([c for c in done.series if c.endswith("residual")], ["elbow.angle.residual"])

    @unittest.skipIf(NATURAL, "motion from forces with friction, or own equations, is not of these coordinates")
    def test_friction(self):
        block = {"roberval": 1, "space": "planar", "gravity": [0, -9.81], "bodies": {"block": {"mass": 1, "inertia": 0.1, "centroid": [0.1, 0.2]}},
                 "joints": {"rail": {"type": "prismatic", "between": ["ground", "block"], "friction": {"coefficient": 0.2}}}, "initial": {"rail.distance'": 3}, "motion": {"from": 0, "to": 0.4, "step": 0.1}}
        done = self.obeys(block)
        self.near(done.series["rail.friction"], np.full(5, -0.2 * 9.81), 1e-9)

    @unittest.skipIf(NATURAL, "motion from forces with friction, or own equations, is not of these coordinates")
    def test_own_equations(self):
        """A coordinate with an equation of its own."""
        model = lever(generalized={"coordinates": {"u": {"start": 0.1}}, "mass": [[2]], "force": ["-50*u - 3*pin.angle"]})
        done = self.obeys(model)
        self.assertIn("u.residual", done.series)


class Wrong(Given):
    def test_other_gravity(self):
        """m c (g' - g) cos is what the pendulum of another planet would need."""
        free = self.ok(lever(9.0), "simulate")
        done = self.back(lever(9.81), free)
        self.assertEqual(done.code, 0, done.said())
        angle = free.series["pin.angle"]
        self.near(self.residual(done, "pin.angle"), -3 * 0.81 * np.cos(angle), 1e-9 * 30)
        self.assertRegex(self.note(done), r"does not obey the laws of mechanics: along pin.angle forces have -2\.\d+ N.m too much")
        self.assertEqual(done.marks["pin.Fx"], "unsure")

    def test_where_it_is_missing(self):
        """A torque that the model does not know shows along its own joint alone; in a drive there it is the effort."""
        torque = "4*cos(7*t)"
        known = arm(loads={"couple": {"type": "torsion-spring", "joint": "elbow", "stiffness": 0, "torque": f"-({torque})"}})
        free = self.ok(known, "simulate")
        done = self.back(arm(), free)
        want = -4 * np.cos(7 * free.time)
        self.near(self.residual(done, "elbow.angle"), want, 1e-9 * 40)
        self.near(self.residual(done, "shoulder.angle"), np.zeros(len(want)), 1e-9 * 40)

    def test_at_rest_in_the_air(self):
        """m g is missing of a body that stands still there, and a particle likewise; nothing joins them."""
        model = {"roberval": 1, "space": "planar", "gravity": [0, -10], "bodies": {"stone": {"mass": 2, "inertia": 1, "centroid": [0.3, 0]}, "bead": {"mass": 1, "particle": True}}, "motion": {"from": 0, "to": 1, "step": 1}}
        names = ["time", *(f"{b}.{c}" for b, parts in (("stone", ("x", "y", "angle", "vx", "vy", "omega", "ax", "ay", "alpha")), ("bead", ("x", "y", "vx", "vy", "ax", "ay"))) for c in parts)]
        rows = {n: [0.0] for n in names}
        done = cli.run_model(model, "inverse", "--motion", "m.csv", files={"m.csv": table(rows, {"time": "s"})})
        self.assertEqual(done.code, 0, done.said())
        got = {c: done.series[c][0] for c in done.series if c.endswith("residual")}
        self.near([got["x(stone).residual"], got["y(stone).residual"], got["angle(stone).residual"], got["y(bead).residual"]], [0, -20, 0, -10], 1e-12)
        rows["stone.ay"] = rows["bead.ay"] = [-10.0]
        done = cli.run_model(model, "inverse", "--motion", "m.csv", files={"m.csv": table(rows, {"time": "s"})})
        self.near([done.series[c][0] for c in got], np.zeros(5), 1e-12)


class Textbook(Given):
    def without_motor(self, make, *flags):
        """The driven motion at t = 0 given to the mechanism without its motor: what forces have too much of is the effort with the other sign; with that as a load the reactions are those of the book."""
        model, want = make()
        driven = self.ok(model, "kinematics", "--to", "0", "--from", "0")
        free = copy.deepcopy(model)
        del free["drives"]
        effort = want["motor.effort"]
        done = self.back(free, driven, *flags)
        self.assertEqual(done.code, 0, done.said())
        self.near(self.residual(done, "A.angle")[0], -effort, 1e-9 * abs(effort))
        crank = next(b for b in free["bodies"] if b in ("b2", "crank"))
        spatial = model["space"] == "spatial"
        free["loads"]["motor"] = {"type": "torque", "to": crank, "value": [0, 0, effort] if spatial else effort}
        done = self.back(free, driven, *flags)
        self.assertEqual(done.code, 0, done.said())
        largest = max(abs(v) for v in want.values())
        self.near(self.residual(done, "A.angle")[0], 0, 1e-9 * largest)
        for column, value in want.items():
            if column != "motor.effort":
                self.near(done.series[column][0], value, 3e-10 * largest, column)
        return done

    def test_d1(self):
        self.without_motor(textbook.d1, "--frame", "ground")

    @unittest.skipIf(POLAR, "a spatial machine")
    def test_p1(self):
        """17 of 20 rows are independent, 18 coordinates: neither is J'J regular nor are the reactions unique."""
        done = self.without_motor(textbook.p1, "--frame", "ground", "--norm-length", "1")
        mobility = done.result["mobility"]
        self.assertEqual((mobility["coordinates"], mobility["rows"], mobility["rank"], mobility["degrees_of_freedom"]), (18, 20, 17, 1))

    @unittest.skipIf(POLAR, "a spatial machine")
    def test_p3(self):
        self.without_motor(textbook.p3, "--frame", "ground")

    def test_with_drives(self):
        """The same method of a driven motion: the problems to their digits."""
        for name, model, flags, want in textbook.problems():
            if POLAR and model["space"] == "spatial":
                continue
            with self.subTest(name):
                done = self.ok(model, "inverse", "--method", "pseudo-inverse", *flags)
                largest = max(abs(v) for v in want.values())
                for column, value in want.items():
                    self.near(done.series[column][0], value, 3e-10 * largest, f"{name}: {column}")


class Turns(Given):
    """Several turns between two samples, in a table that has nothing but bodies, put back on drives that ask for something else."""
    def given(self, model, *flags, first=0):
        moved = self.ok(model, "kinematics", "--from", str(first))
        bodies = [c for c in moved.series if c == "time" or c.split(".")[0] in model["bodies"]]
        model["drives"] = {name: {**drive, "motion": 0} for name, drive in model["drives"].items()}
        done = cli.run_model(model, "inverse", "--motion", "motion.csv", *flags, files={"motion.csv": table(moved.series, moved.units, bodies)})
        self.assertEqual(done.code, 0, done.said())
        self.assertNotIn("quite fit", done.said() + str(done.result["notes"]))
        return done

    @unittest.skipIf(POLAR, "a spatial machine")
    def test_screw(self):
        """(J p + m/p) z'' + m p g, p = pitch/2pi: 100 rad/s; a spring along it knows where the nut is"""
        p, m, J, k, g = 0.05 / (2 * math.pi), 2, 0.15, 30, 9.81
        z = lambda t: 0.8 * t + 0.3 * t**2  # noqa: E731
        model = {"roberval": 1, "space": "spatial", "gravity": [0, 0, -g], "bodies": {"nut": {"mass": m, "inertia": [0.1, 0.12, J]}}, "joints": {"s": {"type": "screw", "between": ["ground", "nut"], "pitch": 0.05}},
                 "drives": {"d": {"coordinate": "s.angle", "motion": f"(0.8*t + 0.3*t^2)/{p!r}"}},
                 "loads": {"coil": {"type": "torsion-spring", "joint": "s", "stiffness": k, "free_angle": 0}}, "motion": {"from": 0, "to": 1, "step": 0.125}}
        for first in (0, 0.25):
            done = self.given(copy.deepcopy(model), first=first)
            t = done.time
            self.near(done.series["d.effort"], J * 0.6 / p + p * m * (0.6 + g) + k * z(t) / p, 1e-6, "effort")

    @unittest.skipIf(POLAR, "does not take whole turns from poses")
    def test_spring_on_a_hinge(self):
        """whole turns of a hinge in space go on by the rates; in the plane they are those of the poses"""
        for space, inertia in (("planar", 0.2), ("spatial", [0.1, 0.1, 0.2])):
            model = {"roberval": 1, "space": space, "bodies": {"b": {"mass": 1, "inertia": inertia}}, "joints": {"h": {"type": "revolute", "between": ["ground", "b"]}},
                     "drives": {"d": {"coordinate": "h.angle", "motion": "40*t - 30*t^2"}}, "loads": {"s": {"type": "torsion-spring", "joint": "h", "stiffness": 2, "free_angle": 0}},
                     "motion": {"from": 0, "to": 2, "step": 0.5}}
            done = self.given(model)
            self.near(done.series["d.effort"], -0.2 * 60 + 2 * (40 * done.time - 30 * done.time**2), 1e-9, space)

    @unittest.skipIf(POLAR, "does not take whole turns of a centre about the origin from poses")
    def test_planet(self):
        """the line of the wheels' centres turns, and its whole turns are those of the wheels: the arm by 1.6 turns a sample; a spring on the sun's shaft"""
        model = {"roberval": 1, "space": "planar", "bodies": {"sun": {"mass": 1, "inertia": 0.01}, "arm": {"mass": 0.1, "inertia": 1e-3, "markers": {"P": [0.35, 0]}}, "planet": {"mass": 1, "inertia": 0.02, "pose": {"at": [0.35, 0]}}},
                 "joints": {"a": {"type": "revolute", "between": ["ground", "sun"]}, "b": {"type": "revolute", "between": ["ground", "arm"]}, "c": {"type": "revolute", "between": ["arm.P", "planet"]},
                            "g": {"type": "gear", "between": ["sun", "planet"], "radii": [0.2, 0.15], "carrier": "arm"}},
                 "drives": {"d": {"coordinate": "b.angle", "motion": "10*t"}, "e": {"coordinate": "a.angle", "motion": "3*t"}}, "motion": {"from": 0, "to": 4, "step": 1},
                 "loads": {"s": {"type": "torsion-spring", "joint": "a", "stiffness": 2, "free_angle": 0}}}
        for first in (0, 2):
            done = self.given(copy.deepcopy(model), first=first)
            self.near(done.series["e.effort"], 6 * done.time, 1e-8, "sun")
            self.near(done.series["d.effort"], 0 * done.time, 1e-8, "arm")


class Measured(Given):
    def test_noise(self):
        """A motion with noise does not fit the joints; it is fitted, what was corrected is told, and the errors of reactions cover what they are off by, nearly always."""
        model, _ = textbook.d1()
        del model["drives"]
        model["initial"] = {"A.angle'": 6}
        model["motion"] = {"from": 0, "to": 0.3, "step": 0.03}
        free = self.ok(model, "simulate")
        rng = np.random.default_rng(7)
        noisy = copy.copy(free)
        noisy.series = dict(free.series)
        for c in free.series:
            part = c.rsplit(".", 1)[-1]
            level = {"x": 1e-5, "y": 1e-5, "angle": 1e-5, "vx": 1e-4, "vy": 1e-4, "omega": 1e-4, "ax": 0.3, "ay": 0.3, "alpha": 0.3}.get(part)
            if level and c.split(".")[0] in model["bodies"]:
                noisy.series[c] = free.series[c] + level * rng.standard_normal(len(free.time))
        done = self.back(model, noisy)
        self.assertEqual(done.code, 0, done.said())
        self.assertRegex(self.note(done), "does not quite fit the joints")
        self.assertRegex(self.note(done), "does not obey")
        self.assertLess(done.result["audit"]["max_constraint_error"], 1e-12)
        inside = total = 0
        for joint, entry in done.result["reactions"].items():
            for name, part in entry["components"].items():
                c = f"{joint}.{name}"
                total += done.series[c].size
                inside += np.sum(np.abs(done.series[c] - free.series[c]) <= 3 * part["error"])
        self.assertGreater(inside / total, 0.95)
        far = dict(noisy.series)
        far["b3.x"] = far["b3.x"] + 8
        noisy.series = far
        done = self.back(model, noisy)
        self.assertEqual(done.code, 0, done.said())     # the nearest place, and how far that is
        self.assertRegex(self.note(done), r"off by at most [1-9]\.?\d* m,")


class Bad(Given):
    def said(self, text, pattern, model=None, *flags, code=2):
        files = {"m.csv": text} if text is not None else {}
        done = cli.run_model(model or lever(), "inverse", "--motion", "m.csv", *flags, files=files)
        self.assertEqual(done.code, code, done.said())
        self.assertRegex(done.err, pattern)

    def test_tables(self):
        free = self.ok(lever(), "simulate")
        good = table(free.series, free.units)
        lines = good.splitlines()
        self.said(None, "cannot take the motion from .*m.csv: No such file")
        self.said("", "the table is empty")
        self.said(lines[0] + "\n", "the table has no row")
        self.said(good, "no row between these times", None, "--from", "7")
        self.said(good.replace("time [s]", "angle [s]"), "goes along 'angle', not along time")
        self.said(good.replace("rod.ax [m/s^2]", "rod.a [m/s^2]").replace("rod.alpha [", "rod.beta ["), "m.csv lacks columns that a motion of this model needs: rod.ax, rod.alpha")
        self.said(good.replace("rod.x [m]", "rod.x [deg]"), r"m.csv:1:1: error: column 'rod.x' has the unit \[deg\]; it wants one such as \[m\]")
        self.said(good.replace("rod.x [m]", "rod.x [metres]"), r"column 'rod.x' has the unit \[metres\]; it wants one such as \[m\]")
        self.said("\n".join([lines[0], lines[2], lines[1]]), "m.csv:3:1: error: the time 0 s comes after 0.125 s")
        self.said("\n".join([lines[0], lines[1] + ",1"]), "not as many cells as the header")
        self.said("\n".join([lines[0], lines[1].replace(",", ",x", 1)]), "m.csv:2:1: error: 'x.*' is no number")
        self.said(good.replace("rod.", "bar."), "has bodies that are not in this model: bar")
        self.said(good, "--step does not go with it", None, "--step", "0.1")
        self.said(good, "solved by --method pseudo-inverse: newton needs a drive for every freedom", None, "--method", "newton")
        self.said(good, "--start does not go with it", None, "--start", "statics")
        self.said(good, "stop 'wall': what it carries is not said", lever(stops={"wall": {"coordinate": "pin.angle", "max": 3}}))
        self.said(good, "active:, which inverse does not follow", lever(joints={"pin": {"type": "revolute", "between": ["ground", "rod"], "active": "t < 3"}}))

    def test_units_and_blanks(self):
        """mm, degrees, blanks: the same numbers."""
        free = self.ok(lever(), "simulate")
        scaled, units = dict(free.series), dict(free.units)
        for c, unit, factor in (("rod.vx", "mm/s", 1e3), ("rod.vy", "mm/s", 1e3), ("rod.omega", "deg/s", 180 / math.pi), ("time", "ms", 1e3)):
            scaled[c], units[c] = free.series[c] * factor, unit
        text = re.sub(",", " , ", table(scaled, units))
        done = cli.run_model(lever(), "inverse", "--motion", "m.csv", "--to", "0.25", files={"m.csv": text})
        self.assertEqual(done.code, 0, done.said())
        self.near(done.time, [0, 0.125, 0.25], 1e-12)
        self.near(done.series["pin.Fx"], free.series["pin.Fx"][:3], 1e-9 * 30)
        self.near(self.residual(done, "pin.angle"), np.zeros(3), 1e-9 * 30)

    def test_folder(self):
        """The folder of a result is as good as its series.csv; all that is known at a late failure is kept."""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "m.yaml")
            import json
            with open(path, "w", encoding="utf-8") as f:
                json.dump(lever(), f)
            self.assertEqual(cli.limited([cli.BINARY, "simulate", path, "--out", os.path.join(folder, "o"), "--quiet"]).returncode, 0)
            done = cli.run(["inverse", path, "--motion", os.path.join(folder, "o")])
            self.assertEqual(done.code, 0, done.said())
            self.assertEqual(len(done.time), 5)


if __name__ == "__main__":
    cli.main()
