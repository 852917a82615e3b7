#!/usr/bin/python3
# ctest: polar-slow natural-slow joint-slow
"""Rods between two balls: their spin is counted, listed, held, and moves nothing.

Held against: the same machine with a universal joint at one end of the rod, which must give every number but those of the rod's own turn (thin or massless rods; others
feel the universal joint spin them); the same with a row on rates that holds w.u = 0, whose effort must be 0; bars without mass (`link`) in place of the rods. Motions from forces: the same with inertia about the
line, which an idle spin does not feel; with bars; in other coordinates."""
import math
import os
import random
import sys
import unittest
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent / "py"))
import cli  # noqa: E402
import space  # noqa: E402

TOL = 1e-9
ROUNDS = int(os.environ.get("ROBERVAL_ROUNDS", "3"))


def listed(v):
    return [float(x) for x in v]


class Machine:
    """bodies placed in ground at the start: markers are given there"""

    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.bodies, self.joints, self.place, self.rods = {"ground": {"markers": {}}}, {}, {}, []

    def vector(self, size=1.0):
        return np.array([self.rng.uniform(-size, size) for _ in range(3)])

    def body(self, name, at, **more):
        R = space.turn(self.vector(), self.rng.uniform(0, 3))
        self.place[name] = (np.array(at, float), R)
        self.bodies[name] = {"pose": {"at": listed(at), "rotate": {"quaternion": space.quaternion(R)}}, "markers": {}, **more}

    def local(self, name, v):
        return v if name == "ground" else self.place[name][1].T @ v

    def marker(self, name, label, p, axis, across=None):
        origin = np.zeros(3) if name == "ground" else self.place[name][0]
        m = {"at": listed(self.local(name, p - origin)), "axis": listed(self.local(name, axis))}
        if across is not None:
            m["x"] = listed(self.local(name, across))
        self.bodies[name]["markers"][label] = m
        return f"{name}.{label}"

    def joint(self, name, kind, first, second, p, axis, second_axis=None):
        across = np.cross(axis, self.vector())
        ends = [self.marker(first, name, p, axis, across), self.marker(second, name, p, axis if second_axis is None else second_axis, across)]
        self.joints[name] = {"type": kind, "between": ends}

    def rod(self, name, first, second, p, q, mass, thick):
        """a rod from a ball on `first` at p to a ball on `second` at q; z at its balls is square to it, those of its neighbours square to both"""
        u, l = space.unit(q - p), float(np.linalg.norm(q - p))
        self.body(name, p + 0.3 * (q - p) + (0.1 * self.vector() if thick else 0))
        J = mass * (l * l / 12 * (np.eye(3) - np.outer(u, u)) + thick**2 * (np.eye(3) + np.outer(u, u)))
        R = self.place[name][1]
        J = R.T @ J @ R
        if mass:
            self.bodies[name] |= {"mass": mass, "inertia": listed([J[0, 0], J[1, 1], J[2, 2], J[0, 1], J[0, 2], J[1, 2]]), "centroid": listed(self.local(name, (p + q) / 2 - self.place[name][0]))}
        z = space.unit(np.cross(u, self.vector()))
        self.joint(name + "1", "spherical", *self.order(first, name, p, z, np.cross(u, z)))
        self.joint(name + "2", "spherical", *self.order(second, name, q, z, np.cross(u, z)))
        self.rods.append((name, u))

    def order(self, neighbour, rod, p, z, across):
        return (neighbour, rod, p, across, z) if self.rng.random() < 0.5 else (rod, neighbour, p, z, across)

    def solid(self):
        return {"mass": self.rng.uniform(1, 2), "inertia": [0.01, 0.012, 0.015], "centroid": listed(self.vector(0.1))}

    def model(self, **more):
        return {"roberval": 1, "space": "spatial", "gravity": [1.0, 2.0, -9.81], "bodies": self.bodies, "joints": self.joints, "motion": {"from": 0, "to": 0.4, "step": 0.05}, **more}


def four_bar(seed, mass=0.7, thick=0.0):
    """crank, rod between balls, rocker, axes in general position"""
    m = Machine(seed)
    A, D = m.vector(0.2), np.array([1.0, 0, 0]) + m.vector(0.2)
    B, C = A + 0.2 * space.unit(m.vector()), D + 0.5 * space.unit(m.vector())
    axis = lambda lever: space.unit(np.cross(lever, m.vector()))                  # levers square to their axes, so that balls move well
    u = space.unit(C - B)
    a, d = space.unit(np.cross(B - A, u) + 0.3 * axis(B - A)), space.unit(np.cross(C - D, u) + 0.1 * axis(C - D))       # the rod pushes along the ways of its ends
    m.body("crank", A, **m.solid())
    m.body("rocker", D, **m.solid())
    m.joint("a", "revolute", "ground", "crank", A, a)
    m.joint("d", "revolute", "ground", "rocker", D, d)
    m.rod("rod", "crank", "rocker", B, C, mass, thick)
    return m, {"motor": {"coordinate": "a.angle", "motion": "0.15*sin(6*t)"}}


def steering(seed, mass=0.5, thick=0.0):
    """a rack, two tie rods, two knuckles"""
    m = Machine(seed)
    m.body("rack", [0.2, 0, 0.1], **m.solid())
    m.joint("slide", "prismatic", "ground", "rack", np.array([0.2, 0, 0.1]), np.array([0, 1.0, 0.0]))
    for side, name in ((1, "left"), (-1, "right")):
        pivot = np.array([0, side * 0.7, 0]) + m.vector(0.02)
        m.body(name, pivot, **m.solid())
        m.joint("king_" + name, "revolute", "ground", name, pivot, np.array([0.1, side * 0.2, 1.0]) + m.vector(0.05))
        m.rod("tie_" + name, "rack", name, np.array([0.2, side * 0.3, 0.1]) + m.vector(0.02), pivot + np.array([0.15, 0, 0.02]) + m.vector(0.02), mass, thick)
    return m, {"motor": {"coordinate": "slide.distance", "motion": "0.03*sin(5*t)"}}


MACHINES = (four_bar, steering)


def twin(model, rods):
    """with universal joints at one end of each rod"""
    joints = {k: {**v, "type": "universal" if any(k == name + "1" for name, _ in rods) else v["type"]} for k, v in model["joints"].items()}
    return {**model, "joints": joints}


class Idle(cli.Case):
    def same(self, a, b, skip, tol=TOL):
        """all columns but those of the rods' own turns and of the cross's couple"""
        size = {}
        for name, values in b.series.items():
            size[b.units[name]] = max(size.get(b.units[name], 0), float(np.nanmax(np.abs(values))))
        for name, values in a.series.items():
            if not skip(name):
                self.near(values, b.series[name], tol * max(size[b.units[name]], 1e-3), name)
                self.assertEqual(a.marks[name], b.marks[name], name)

    def skip(self, rods):
        turned = tuple(f"{name}.{c}" for name, _ in rods for c in ("q", "omega", "alpha"))
        couples = tuple(f"{name}1.T" for name, _ in rods)
        return lambda column: column.startswith(turned) or column.startswith(couples)

    @cli.long
    def test_all_but_its_own_turn_is_that_with_a_universal_joint(self):
        for make in MACHINES:
            for seed in range(ROUNDS):
                for mass in (0.0, 0.7):
                    m, drives = make(seed, mass)
                    model = m.model(drives=drives)
                    for command in ("inverse", "kinematics"):
                        a, b = self.ok(model, command, "--frame", "ground"), self.ok(twin(model, m.rods), command, "--frame", "ground")
                        self.same(a, b, self.skip(m.rods))
                    mob = a.result["mobility"]
                    self.assertEqual([mob[k] for k in ("degrees_of_freedom", "degrees_of_freedom_position", "idle", "redundant")], [len(m.rods), len(m.rods), len(m.rods), 0])
                    self.assertEqual([i["body"] for i in a.result["idle"]], [name for name, _ in m.rods])
                    self.assertEqual(b.result["idle"], [])

    def test_thick_rods_turn_without_torque(self):
        """w.u = 0, and the rows on rates that say so carry nothing; their integral is the turn; the orders of things do not matter"""
        for make in MACHINES:
            for seed in range((ROUNDS + 1) // 2):
                m, drives = make(seed, 0.8, 0.15)
                model = m.model(drives=drives)
                model["motion"] |= {"to": 0.2, "step": 0.01}
                held = {**model, "bodies": dict(model["bodies"]), "constraints": {}}
                for name, u in m.rods:
                    held["bodies"][name] = {**held["bodies"][name], "markers": {**held["bodies"][name]["markers"], "L": {"at": [0, 0, 0], "axis": listed(m.local(name, u))}}}
                    held["constraints"][f"hold_{name}"] = {"velocity": f"wz({name}.L)"}
                a, b = self.ok(model), self.ok(held)
                self.same(a, b, lambda column: False, 1e-7)
                for name, _ in m.rods:
                    self.column(b, f"hold_{name}.effort", 0, 1e-9)
                motion = self.ok(model, "kinematics")
                for name, u in m.rods:
                    for k in range(len(motion.time)):
                        R = space.of_quaternion([motion.series[f"{name}.q{c}"][k] for c in "wxyz"])
                        for word in ("omega", "alpha"):
                            self.near(np.dot(R @ m.local(name, u), [motion.series[f"{name}.{word}{c}"][k] for c in "xyz"]), 0, 1e-8, word)
                shuffled = {**model, "joints": dict(m.rng.sample(list(model["joints"].items()), len(model["joints"]))),
                            "bodies": dict(m.rng.sample(list(model["bodies"].items()), len(model["bodies"])))}
                self.same(self.ok(shuffled), a, lambda column: False)

    def test_all_methods(self):
        for thick in (0.0, 0.2):
            m, drives = four_bar(3, 0.7, thick)
            a, b, c = (self.ok(m.model(drives=drives), "inverse", "--method", method) for method in ("two-step", "lagrange", "newton"))
            self.same(a, b, lambda column: False)
            self.same(a, c, lambda column: False)

    def test_counted_listed_and_said(self):
        m, drives = steering(1)
        done = cli.run_model(m.model(drives=drives), "check", "--json", out=False, quiet=False)
        said = done.json()
        self.assertEqual([said["mobility"][k] for k in ("coordinates", "rows", "rank", "degrees_of_freedom", "idle")], [30, 28, 28, 2, 2])
        self.assertEqual([i["body"] for i in said["idle"]], ["tie_left", "tie_right"])
        self.assertRegex(" ".join(said["notes"]), "spin of 'tie_left' about its own line.*is idle")
        self.assertEqual({r["verdict"] for r in said["reactions"].values()} | {said["drives"]["motor"]["verdict"]}, {"unique"})
        self.assertRegex(cli.run_model(m.model(drives=drives), "check", quiet=False).out, r"(?m)^idle.*tie_left, tie_right")

    def test_equilibria(self):
        """the spin neither makes it neutral nor moves it: place, curvature, reactions with every method"""
        for make in MACHINES:
            m, drives = make(2)
            spring = {"s": {"type": "torsion-spring", "joint": "a" if make is four_bar else "king_left", "stiffness": 200, "free_angle": 0.1}}
            model = m.model(loads=spring)
            rest = self.ok(twin(model, m.rods), "statics").result
            self.assertEqual(rest["equilibrium"]["stability"], "stable")
            for method in ("energy", "lagrange", "virtual-power", "relaxation"):
                done = self.ok(model, "statics", "--method", method).result
                self.assertEqual(done["equilibrium"]["stability"], "stable", method)
                self.near(done["equilibrium"]["curvature"], rest["equilibrium"]["curvature"], 1e-6 * rest["equilibrium"]["curvature"], method)
                for name, value in rest["equilibrium"]["coordinates"].items():
                    self.near(done["equilibrium"]["coordinates"][name], value, 1e-7, name)
                for joint in ("slide", "king_left", "king_right") if make is steering else ("a", "d"):
                    for c, part in rest["reactions"][joint]["components"].items():
                        if part["first"] is not None:
                            self.near(done["reactions"][joint]["components"][c]["first"], part["first"], 1e-5, f"{joint}.{c}")
            soft = self.ok(model, "statics", "--method", "penalty").result["equilibrium"]
            self.near(soft["curvature"], rest["equilibrium"]["curvature"], 1e-2 * rest["equilibrium"]["curvature"], "penalty")
            held = self.ok(m.model(drives=drives, loads=spring), "statics").result
            self.assertEqual(held["mobility"]["degrees_of_freedom"], len(m.rods))

    def platform(self, legs, seed):
        m = Machine(seed)
        m.body("table", [0, 0, 1.0], mass=30, inertia=[1, 1, 2], centroid=[0.1, 0.05, 0.02])
        feet = [np.array([math.cos(a), math.sin(a), 0]) + m.vector(0.05) for a in (0.0, 0.3, 2.1, 2.4, 4.2, 4.5, 5.3)]
        heads = [np.array([0.6 * math.cos(a), 0.6 * math.sin(a), 1]) + m.vector(0.05) for a in (5.6, 1.0, 1.3, 3.1, 3.4, 5.2, 0.4)]
        return m, list(zip(feet, heads))[:legs]

    def test_a_table_on_rods_is_one_on_bars(self):
        """six rods between balls, or seven: forces, ranks and verdicts of as many bars without mass"""
        for legs in (6, 7):
            for seed in range((ROUNDS + 1) // 2):
                m, ends = self.platform(legs, seed)
                bars = Machine(seed)
                bars.place, bars.bodies = dict(m.place), {k: {**v, "markers": dict(v["markers"])} for k, v in m.bodies.items()}
                for k, (p, q) in enumerate(ends):
                    m.rod(f"leg{k}", "ground", "table", p, q, 0, 0)
                    bars.joint(f"leg{k}", "link", "ground", "table", p, np.array([0, 0, 1.0]))
                    bars.bodies["table"]["markers"][f"leg{k}"]["at"] = listed(bars.local("table", q - bars.place["table"][0]))
                a, b = (self.ok({**x.model(), "motion": {"from": 0, "to": 0, "step": 1}}, "statics", "--frame", "ground").result for x in (m, bars))
                self.assertEqual([r["mobility"]["degrees_of_freedom"] for r in (a, b)], [legs, 0])
                self.assertEqual([r["mobility"]["redundant"] for r in (a, b)], [legs - 6] * 2)
                for k in range(legs):
                    bar = b["reactions"][f"leg{k}"]["components"]["F"]
                    rod = [a["reactions"][f"leg{k}2"]["components"][c] for c in ("Fx", "Fy", "Fz")]
                    self.assertEqual({c["verdict"] for c in rod}, {bar["verdict"]})
                    if legs == 6:
                        self.near(math.sqrt(sum(c["first"]**2 for c in rod)), abs(bar["first"]), 1e-7, f"leg {k}")

    def test_a_spin_that_something_sees_is_none(self):
        """refused with its reason, and with the joint that mends it"""
        def change(m, model, what):
            name = m.rods[0][0]
            body = model["bodies"][name]
            if what == "centroid":
                body["centroid"] = listed(np.array(body["centroid"]) + 0.01)
            elif what == "inertia":
                body["inertia"] = [0.01, 0.02, 0.025]
            elif what == "output":
                model["output"] = {"o": f"wy({name})"}
            elif what == "damping":
                model["joints"][name + "2"]["damping"] = [0.1, 0.1, 0.1]
            elif what == "force":
                body["markers"]["far"] = [1, 2, 3]
                model["loads"] = {"push": {"type": "force", "to": f"{name}.far", "value": [1, 0, 0]}}
            elif what == "torque":
                model["loads"] = {"twist": {"type": "torque", "to": name, "value": [1, 0, 0]}}
            elif what == "frame":
                model["loads"] = {"turntable": {"type": "rotating-frame", "speed": 3, "axis": [0, 0, 1]}}
        words = {"centroid": "its centroid lies beside the line", "inertia": "its inertia is not symmetric about the line", "output": "output 'o' sees it", "damping": "damping of joint 'rod2' acts on it",
                 "force": "load 'push' acts on it", "torque": "load 'twist' acts on it", "frame": "load 'turntable' acts on it"}
        for seed, (what, why) in enumerate(words.items()):
            m, drives = four_bar(seed, 0.7, 0.1)
            model = m.model(drives=drives)
            change(m, model, what)
            done = cli.run_model(model)
            self.assertEqual(done.code, 2, what)
            self.assertIn(why, done.err)
            mended = done.err.split("; joint '")[-1].split("'")[0]
            self.assertRegex(done.err, f"joint '{mended}' as a universal joint would hold it")
            self.assertEqual(cli.check(model)[1]["idle"], [])
            model["joints"][mended]["type"] = "universal"
            self.ok(model)
        m, drives = four_bar(1, 0.7, 0.0)                     # a thin rod in a turning frame feels no torque about its line
        model = m.model(drives=drives)
        change(m, model, "frame")
        self.assertEqual(len(self.ok(model).result["idle"]), 1)

    def test_what_does_not_see_it(self):
        """points of the line, lengths, springs between them, products with the line's own direction"""
        m, drives = four_bar(4, 0.7, 0.1)
        name, u = m.rods[0]
        R, at = m.place[name][1], m.bodies[name]["centroid"]
        m.bodies[name]["markers"]["mid"] = {"at": at, "axis": listed(R.T @ u)}
        model = m.model(drives=drives, loads={"s": {"type": "spring", "between": ["ground", f"{name}.mid"], "stiffness": 100, "free_length": 0.1},
                                              "f": {"type": "force", "to": f"{name}.mid", "value": ["5*x(rod.mid)", 0, 3]}}, output={"x": f"x({name}.mid)'", "lean": f"dot({name}.mid.z, ground.x)"})
        done = self.ok(model)
        self.assertEqual(len(done.result["idle"]), 1)
        same = self.ok(twin(model, m.rods))
        self.near(done.series["lean"], same.series["lean"], TOL, "lean")

    def test_nothing_is_missing_for_it(self):
        """neither as a drive nor as an initial condition; what is missing besides is named alone"""
        m, drives = steering(2)
        done = cli.run_model(m.model(), "inverse")
        self.assertEqual(done.code, 2)
        self.assertRegex(done.err, "1 degree of freedom is left without a drive")
        self.assertNotRegex(done.err, r"tie_(left|right)[12]?\.r")
        placed = self.ok(m.model(initial={"slide.distance": 0.01, "slide.distance'": 0.2}), "assemble", quiet=False)
        self.assertNotRegex(placed.out + placed.err, "without an initial")
        self.assertEqual({name.split(".")[0] for name in placed.result["state"]["completed"]}, {f"tie_{side}1" for side in ("left", "right")})    # where they stand comes from their poses

COORDINATES = ("absolute", "natural", "joint")


class Moving(cli.Case):
    """motions from forces of rods without inertia about their line: thin ones, a mass in one point, none at all"""

    def machine(self, make, seed, what):
        m, _ = make(seed, 0.0 if what in ("massless", "bars") else 0.7, 0.0)
        for name, u in m.rods:
            body, R = m.bodies[name], m.place[name][1]
            if what == "point":
                body["inertia"] = [0, 0, 0]
            elif what == "spins":                             # a third of the inertia across the line, about it
                I = body["inertia"]
                J = np.array([[I[0], I[3], I[4]], [I[3], I[1], I[5]], [I[4], I[5], I[2]]])
                J = J + np.trace(J) / 6 * np.outer(R.T @ u, R.T @ u)
                body["inertia"] = listed([J[0, 0], J[1, 1], J[2, 2], J[0, 1], J[0, 2], J[1, 2]])
            elif what == "bars":
                ends = [next(e for e in m.joints.pop(name + k)["between"] if not e.startswith(name + ".")) for k in "12"]
                m.joints[name] = {"type": "link", "between": ends}
                del m.bodies[name]
        c = "a.angle" if make is four_bar else "slide.distance"
        return {**m.model(initial={c + "'": 0.6}), "motion": {"from": 0, "to": 0.2, "step": 0.02}}, c

    def agree(self, a, b, tol, what):
        """all columns that both have, but a body's turn about its line"""
        size = {}
        for name, values in b.series.items():
            size[b.units[name]] = max(size.get(b.units[name], 0), float(np.nanmax(np.abs(values))))
        for name in set(a.series) & set(b.series):
            if "error" not in name and not name.split(".")[-1].startswith("q") and ".alpha" not in name and ".omega" not in name:
                self.near(a.series[name], b.series[name], tol * max(size[b.units[name]], 1e-3), f"{what}: {name}")

    def test_they_move_as_those_that_have_some(self):
        """ten steps, each within the tolerance of 1e-9 of the rates' sizes; forces, from second derivatives, are ten times as far off"""
        for make in MACHINES:
            for seed in range(3, 3 + (ROUNDS + 2) // 3):
                model, _ = self.machine(make, seed, "thin")
                want = self.ok(self.machine(make, seed, "spins")[0], "simulate", "--frame", "ground")
                for coordinates in COORDINATES:
                    for method in ("explicit", "implicit"):
                        done = self.ok(model, "simulate", "--frame", "ground", "--coordinates", coordinates, "--method", method)
                        self.agree(done, want, 1e-7, f"{make.__name__} {seed} {coordinates} {method}")
                        self.assertLess(done.result["integration"]["energy_error"], 1e-7)

    def test_without_mass_they_are_bars(self):
        for make in MACHINES:
            want = self.ok(self.machine(make, 4, "bars")[0], "simulate", "--frame", "ground")
            model, _ = self.machine(make, 4, "massless")
            for coordinates in COORDINATES:
                self.agree(self.ok(model, "simulate", "--frame", "ground", "--coordinates", coordinates), want, 1e-7, f"{make.__name__} {coordinates}")

    def test_a_mass_in_one_point(self):
        """energy, and the same in all coordinates; inertia of 1e-9 kg.m^2 moves it by as much (4e-11 to 2e-9, found with 1e-6 and 1e-9)"""
        for make in MACHINES:
            model, c = self.machine(make, 5, "point")
            want = self.ok(model, "simulate", "--frame", "ground")
            for coordinates in COORDINATES:
                done = self.ok(model, "simulate", "--frame", "ground", "--coordinates", coordinates)
                self.agree(done, want, 1e-7, f"{make.__name__} {coordinates}")
                self.assertLess(done.result["integration"]["energy_error"], 1e-7)
            for name in model["bodies"]:
                if name in ("rod", "tie_left", "tie_right"):
                    model["bodies"][name]["inertia"] = [1e-9, 1e-9, 1e-9]
            self.near(self.ok(model, "simulate").series[c], want.series[c], 1e-8, c)

    @cli.long
    def test_impacts_control_and_modes(self):
        for make in MACHINES:
            model, c = self.machine(make, 3, "thin")
            spins, _ = self.machine(make, 3, "spins")
            hits = {"stops": {"end": {"coordinate": c, "max": 0.02, "restitution": 0.5}}}
            unit = "rad" if make is four_bar else "m"
            required = {"track": {"require": {"pace": {"equation": f"{c} - 0.6[{unit}/s]*t"}}}}
            loads = {"s": {"type": "torsion-spring", "joint": "a" if make is four_bar else "king_left", "stiffness": 200, "free_angle": 0.1}}
            for coordinates in COORDINATES:
                more = ("--coordinates", coordinates)
                a, b = (self.ok({**x, **hits}, "simulate", *more) for x in (model, spins))
                self.assertEqual([e["kind"] for e in a.result["integration"]["events"]], [e["kind"] for e in b.result["integration"]["events"]])
                self.assertIn("impact", [e["kind"] for e in a.result["integration"]["events"]])
                self.agree(a, b, 1e-6, f"impact, {coordinates}")                     # an impact's instant is off by a step's error over the speed
                self.agree(*(self.ok({**x, **required}, "track", *more) for x in (model, spins)), 1e-7, f"track, {coordinates}")
                roots = [np.array([mode["eigenvalue"] for mode in self.ok({**x, "initial": {}, "loads": loads}, "modes", "--start", "statics", *more).result["modes"]]) for x in (model, spins)]
                self.near(roots[0], roots[1], 1e-9 * np.max(np.abs(roots[1])))


if __name__ == "__main__":
    cli.main()
