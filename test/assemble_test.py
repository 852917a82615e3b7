#!/usr/bin/env python3
# ctest: smoke polar natural joint
"""roberval assemble: the state at the first instant, held against the geometry of the model itself.

Random chains in the plane and in space, open and closed, with random initial conditions and drives from rough starting poses. What is printed for the bodies must bring the
joints' points together and move them alike, by formulas of this file; conditions and drives must have their values; what is said to be completed must be what is missing."""
import json
import math
import os
import random
import re
import sys
import unittest

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "py"))
import cli              # noqa: E402

ROUNDS = int(os.environ.get("ROBERVAL_ROUNDS", "12"))


def rotation(q):
    w, v = q[0], np.array(q[1:])
    return np.eye(3) + 2 * w * skew(v) + 2 * skew(v) @ skew(v)


def skew(v):
    return np.array([[0, -v[2], v[1]], [v[2], 0, -v[0]], [-v[1], v[0], 0]])


class Placed:
    """A body of result.json: points and their velocities in ground axes, of the plane as z = 0."""

    def __init__(self, body):
        self.at, self.v = np.zeros(3), np.zeros(3)
        self.at[:len(body["at"])], self.v[:len(body["velocity"])] = body["at"], body["velocity"]
        w = body["angular_velocity"]
        self.w = np.array(w) if isinstance(w, list) else np.array([0, 0, w])
        angle = body.get("angle")
        self.A = rotation(body["quaternion"]) if angle is None else rotation([np.cos(angle / 2), 0, 0, np.sin(angle / 2)])

    def point(self, marker):
        arm = self.A @ np.array(list(marker) + [0] * (3 - len(marker)))
        return self.at + arm, self.v + np.cross(self.w, arm)


def planar_chain(r, closed):
    """Links in a row from ground; closed: the last one ends on ground again, at a distance that all can reach."""
    lengths = [r.uniform(0.6, 1.4) for _ in range(r.randint(3, 5) if closed else r.randint(1, 4))]
    angles = [r.uniform(-1, 1) for _ in lengths]
    tip = np.cumsum([[0, 0]] + [[l * np.cos(a), l * np.sin(a)] for l, a in zip(lengths, angles)], axis=0)
    bodies, joints = {"ground": {"markers": {"G": [0, 0], "H": list(tip[-1])}}}, {}
    for k, (l, a) in enumerate(zip(lengths, angles)):
        bodies[f"b{k}"] = {"pose": {"at": [x + r.uniform(-0.1, 0.1) for x in tip[k]], "angle": a + r.uniform(-0.1, 0.1)}, "markers": {"P": [0, 0], "Q": [l, 0]}}
        joints[f"j{k}"] = {"type": "revolute", "between": ["ground.G" if k == 0 else f"b{k - 1}.Q", f"b{k}.P"]}
    if closed:
        joints["end"] = {"type": "revolute", "between": ["ground.H", f"b{len(lengths) - 1}.Q"]}
    exact = {f"j{k}": a - (angles[k - 1] if k else 0) for k, a in enumerate(angles)}
    return {"roberval": 1, "space": "planar", "bodies": bodies, "joints": joints}, exact, len(lengths) - (2 if closed else 0)


class Assembled(cli.Case):
    def assemble(self, model):
        done = cli.run_model(model, "assemble")
        self.assertEqual(done.code, 0, done.said() + json.dumps(model))
        return done, done.result["state"]

    def points_meet(self, model, state):
        placed = {name: Placed(body) for name, body in state["bodies"].items()}

        def of(side):
            body, marker = side.split(".")
            at = model["bodies"][body]["markers"][marker]
            return (np.array(list(at) + [0] * (3 - len(at))), np.zeros(3)) if body == "ground" else placed[body].point(at)
        for name, joint in model["joints"].items():
            (p, v), (q, u) = map(of, joint["between"])
            self.near(p, q, 1e-9, f"the points of {name}")
            self.near(v, u, 1e-7, f"their velocities at {name}")

    def series_is_the_state(self, done, state):
        self.assertEqual(len(done.time), 1)
        for name, value in state["coordinates"].items():
            if name in done.series:
                self.assertEqual(done.series[name][0], value)
                self.assertEqual(done.series[name + "'"][0], state["rates"][name + "'"])
        for name, body in state["bodies"].items():
            self.assertEqual([done.series[f"{name}.{x}"][0] for x in "xyz"[:len(body["at"])]], body["at"])
            self.assertEqual([done.series[f"{name}.v{x}"][0] for x in "xyz"[:len(body["at"])]], body["velocity"])
        self.assertFalse([c for c in done.series if c.endswith("''") or c.endswith(".alpha") or ".ax" in c], "no accelerations are known")

    def residuals_are_small(self, state):
        sizes = [max(r["length"] + r["angle"], r["length_rate"] + r["angle_rate"]) for r in state["residuals"].values()]
        self.assertLess(max(sizes), 1e-8)

    def test_conditions_are_judged_where_they_hold(self):
        """x of a crank's end decides its angle and rate but at 0, where it is largest: x' = -0.6 sin(60 deg) q' = 1; from a crank at 0 nothing tells whether x = 0.3 is met at 60 deg or at -60 deg."""
        def model(pose, initial):
            return {"roberval": 1, "space": "planar", "bodies": {"a": {"mass": 2, "inertia": 0.1, "pose": {"angle": pose}, "markers": {"E": [0.6, 0]}}},
                    "joints": {"r": {"type": "revolute", "between": ["ground", "a"]}}, "initial": initial}
        done = self.ok(model(0, {"r.angle": "60 deg", "x(a.E)'": 1}), "assemble")
        self.assertAlmostEqual(done.result["state"]["rates"]["r.angle'"], -1 / (0.6 * math.sin(math.pi / 3)), delta=1e-12)
        done = self.ok(model(0.02, {"x(a.E)": 0.3}), "assemble")
        self.assertAlmostEqual(done.result["state"]["coordinates"]["r.angle"], math.pi / 3, delta=1e-9)
        for initial, words in (({"x(a.E)": 0.3}, "changes with nothing that is free in the starting poses"), ({"x(a.E)": 0.7}, "is one too many"), ({"r.angle": 0, "x(a.E)'": 1}, "'x.a.E.'' is one too many")):
            bad = cli.run_model(model(0, initial), "assemble")
            self.assertEqual(bad.code, 2, bad.said())
            self.assertRegex(bad.err, words)

    def test_planar_chains(self):
        r = random.Random(11)
        for k in range(ROUNDS):
            model, exact, freedoms = planar_chain(r, closed=k % 2 == 1)
            names = [n for n in model["joints"] if n != "end"]
            given = r.sample(names, r.randint(0, freedoms)) if freedoms else []
            rates = r.sample(names, r.randint(0, freedoms)) if freedoms else []
            model["initial"] = {**{f"{n}.angle": exact[n] + r.uniform(-0.05, 0.05) for n in given}, **{f"{n}.angle'": r.uniform(-2, 2) for n in rates}}
            if r.random() < 0.5:
                model["motion"] = {"from": r.uniform(-1, 1), "to": 2, "step": 1}
            done, state = self.assemble(model)
            self.points_meet(model, state)
            self.series_is_the_state(done, state)
            self.residuals_are_small(state)
            for name, value in model["initial"].items():
                kind = "rates" if name.endswith("'") else "coordinates"
                self.near(state[kind][name], value, 1e-9 if kind == "coordinates" else 1e-7, name)
            self.assertEqual(done.time[0], model.get("motion", {"from": 0})["from"])
            self.assertEqual(done.result["mobility"]["degrees_of_freedom"], freedoms)
            done_again, again = self.what_was_completed_may_be_given(model, state, freedoms, len(given), len(rates))
            self.assertEqual(again["completed"], [])
            for name, body in state["bodies"].items():
                start = model["bodies"][name]["pose"]
                half = np.array(model["bodies"][name]["markers"]["P"]) * 0                # the centroid is the frame's origin
                self.near(body["moved"], np.linalg.norm(np.array(body["at"]) + half - start["at"]), 1e-12, f"{name} moved")
                self.near(body["turned"], abs(body["angle"] - start["angle"]), 1e-12, f"{name} turned")

    def what_was_completed_may_be_given(self, model, state, freedoms, given, rates):
        completed = state["completed"]
        self.assertEqual(len([c for c in completed if not c.endswith("'")]), freedoms - given)
        self.assertEqual(len([c for c in completed if c.endswith("'")]), freedoms - rates)
        full = {**model, "initial": {**model.get("initial", {}), **{c: (state["rates"] if c.endswith("'") else state["coordinates"])[c] for c in completed}}}
        done, again = self.assemble(full)
        for kind, tolerance in (("coordinates", 1e-9), ("rates", 1e-7)):
            for name, value in state[kind].items():
                self.near(again[kind][name], value, tolerance, f"{name} when what was completed is given")
        return done, again

    def test_chains_in_space(self):
        r = random.Random(3)
        for _ in range(ROUNDS // 2):
            count, bodies, joints = r.randint(1, 3), {"ground": {"markers": {"G": [0, 0, 0]}}}, {}
            for k in range(count):
                length = r.uniform(0.5, 1)
                bodies[f"b{k}"] = {"pose": {"at": [r.uniform(-0.05, 0.05), r.uniform(-0.05, 0.05), -k + r.uniform(-0.05, 0.05)],
                                            "rotate": {"axis": [r.uniform(-1, 1), r.uniform(-1, 1), 1], "angle": r.uniform(-0.3, 0.3)}},
                                   "markers": {"P": [0, 0, 0], "Q": [0, 0, -length]}}
                joints[f"j{k}"] = {"type": "spherical", "between": ["ground.G" if k == 0 else f"b{k - 1}.Q", f"b{k}.P"]}
            model = {"roberval": 1, "space": "spatial", "bodies": bodies, "joints": joints, "initial": {f"z(b{count - 1}.Q)'": 0.0}}
            model["initial"] = {f"j0.{c}": r.uniform(-0.4, 0.4) for c in ("rx", "ry", "rz")[:r.randint(0, 3)]}
            done, state = self.assemble(model)
            self.points_meet(model, state)
            self.series_is_the_state(done, state)
            self.assertEqual(len(state["coordinates"]), 3 * count)
            for name, value in model["initial"].items():
                self.near(state["coordinates"][name], value, 1e-9, name)
            self.what_was_completed_may_be_given(model, state, 3 * count, len(model["initial"]), 0)

    def test_drives_decide_and_outputs_are_measured(self):
        r = random.Random(7)
        for _ in range(ROUNDS // 2):
            model, exact, _ = planar_chain(r, closed=False)
            a, w, t = exact["j0"] + r.uniform(-0.1, 0.1), r.uniform(-3, 3), r.uniform(0, 2)
            model["drives"] = {"motor": {"coordinate": "j0.angle", "motion": f"{a!r} + {w!r}*(t - {t!r})"}}
            model["output"] = {"turn": "j0.angle", "speed": "j0.angle'", "effort": "motor.effort", "second": "j0.angle''"}
            model["motion"] = {"from": t, "to": t + 1, "step": 1}
            done, state = self.assemble(model)
            self.near([state["coordinates"]["j0.angle"], state["rates"]["j0.angle'"]], [a, w], 1e-9)
            self.near([done.series["turn"][0], done.series["speed"][0]], [a, w], 1e-9)
            self.assertTrue(np.isnan(done.series["effort"][0]) and np.isnan(done.series["second"][0]), "neither forces nor accelerations are known")
            self.assertNotIn("j0.angle", state["completed"])
            moved = cli.run_model(model, "assemble", "--from", repr(t + 0.1))
            self.near(moved.result["state"]["coordinates"]["j0.angle"], a + 0.1 * w, 1e-9)

    def test_what_cannot_be_assembled_is_said(self):
        r = random.Random(2)
        model, exact, _ = planar_chain(r, closed=False)
        model["initial"] = {"j0.angle": exact["j0"], "angle(b0)": exact["j0"] + 0.1}
        done = cli.run_model(model, "assemble")
        self.assertEqual(done.code, 2)
        self.assertRegex(done.err, "angle\\(b0\\)' is one too many")
        model, exact, _ = planar_chain(r, closed=True)
        model["bodies"]["ground"]["markers"]["H"] = [50, 0]
        done = cli.run_model(model, "assemble")
        self.assertEqual(done.code, 1)
        self.assertRegex(done.err, "no assembly found|contradict")

    def test_gaps_are_in_the_unit_of_their_equation(self):
        """equations that contradict each other, of angles, lengths, areas and pure numbers, in random order"""
        for seed in range(ROUNDS):
            r = random.Random(f"gaps {seed}")
            off = r.uniform(0.4, 1.2)
            pairs = {"rad": ("A.angle", f"A.angle - {off}[rad]"), "m": ("x(b.Q)", f"x(b.Q) - {off}[m]"), "m^2": ("x(b.Q)*y(b.Q)", f"x(b.Q)*y(b.Q) - {off}[m^2]"),
                     "": ("sin(A.angle)", f"sin(A.angle) - {off}")}
            unit = r.choice(list(pairs))
            constraints = {"one": {"equation": pairs[unit][0]}, "two": {"equation": pairs[unit][1]}}
            if r.random() < 0.5:
                constraints = dict(reversed(constraints.items()))
            model = {"roberval": 1, "space": "planar", "bodies": {"a": {"pose": {"angle": r.uniform(-1, 1)}, "markers": {"P": [1, 0]}},
                                                                   "b": {"pose": {"at": [0.9, 0.1]}, "markers": {"Q": [0.5, 0]}}},
                     "joints": {"A": {"type": "revolute", "between": ["ground", "a"]}, "B": {"type": "revolute", "between": ["a.P", "b"]}}, "constraints": constraints}
            done = cli.run_model(model, "assemble")
            self.assertEqual(done.code, 1, done.said())
            gaps = dict(re.findall(r"constraint '(\w+)' [-+.\de]+ ?(\S*?)(?:,|$)", done.err.strip()))
            self.assertEqual(gaps, {"one": unit, "two": unit}, done.err)

    def test_lines_of_centres_at_half_a_turn(self):
        """gears whose second wheel is to the left of the first: turns count from the starting poses on, to whichever side the line of centres goes"""
        for seed in range(ROUNDS):
            r = random.Random(f"half a turn {seed}")
            turn, drive, teeth = r.choice([-1, 1]) * r.uniform(0, 0.2) * r.choice([1, 1e-12]), r.uniform(-0.3, 0.3), [r.randint(15, 40), r.randint(15, 80)]
            model = {"roberval": 1, "space": "planar",
                     "bodies": {"ground": {"markers": {"B": [-0.4 * math.cos(turn), -0.4 * math.sin(turn)]}}, "a": {"mass": 1, "inertia": 1}, "b": {"mass": 1, "inertia": 1, "pose": {"at": [-0.4, 0]}}},
                     "joints": {"A": {"type": "revolute", "between": ["ground", "a"]}, "B": {"type": "revolute", "between": ["ground.B", "b"]},
                                "mesh": {"type": "gear", "between": ["a", "b"], "teeth": teeth}}, "initial": {"A.angle": drive, "A.angle'": 1}}
            state = self.ok(model, "assemble").result["state"]
            ratio = teeth[0] / teeth[1]
            self.near(state["coordinates"]["B.angle"], (1 + ratio) * turn - ratio * drive, 1e-9, f"seed {seed}")  # Willis' formula, the carrier turned by `turn`

    def test_what_closes_stays(self):
        """beside a slide whose equation has no root near its pose, an arm on an elbow keeps the branch that its own poses mean"""
        for seed in range(ROUNDS):
            r = random.Random(f"stays {seed}")
            angle, (upper, fore, slide) = r.choice([-1, 1]) * math.acos(0.97), r.sample(["k", "l", "m", "n", "p"], 3)
            bodies = {"ground": {"markers": {"E": [3.94, 0], "D": [2, 0]}}, slide: {"pose": {"at": [0, 1]}, "markers": {"W": [8, 0]}},
                      upper: {"pose": {"at": [2, 0], "angle": angle + r.uniform(-0.1, 0.1)}, "markers": {"T": [1, 0]}},
                      fore: {"pose": {"at": [2 + math.cos(angle), math.sin(angle)], "angle": -angle}, "markers": {"T": [1, 0]}}}
            joints = {"S": {"type": "prismatic", "between": ["ground", slide], "axis": [0, 1]}, "D": {"type": "revolute", "between": ["ground.D", upper]},
                      "C": {"type": "revolute", "between": [f"{upper}.T", fore]}, "E": {"type": "revolute", "between": [f"{fore}.T", "ground.E"]}}
            equation = f"y({slide}.W)^3 - 3[m^2]*y({slide}.W) + 2.2[m^3]"  # least at 1 m: 0.2 m^3
            done = self.ok({"roberval": 1, "space": "planar", "bodies": bodies, "joints": joints, "constraints": {"root": {"equation": equation}}}, "assemble")
            self.assertRegex(str(done.result["notes"]), "led to no assembly; this one was found from other poses")
            self.near(done.result["state"]["coordinates"]["D.angle"], angle, 1e-8, f"seed {seed}")


class ManyFreedoms(cli.Case):
    def test_a_long_chain_names_what_it_completes(self):
        """300 links in a random order, some hinges welded or given: all other hinges, each once, from ground outward; the note has the first of them"""
        rng = random.Random(11)
        n = 300
        bodies = {f"b{k}": {"mass": 1, "inertia": 0.1, "pose": {"at": [k, 0]}, "markers": {"E": [1, 0]}} for k in range(n)}
        welded = set(rng.sample(range(n), 40))
        joints = {f"j{k}": {"type": "fixed" if k in welded else "revolute", "between": [f"b{k - 1}.E" if k else "ground", f"b{k}"]} for k in range(n)}
        given = rng.sample([k for k in range(n) if k not in welded], 5)
        bodies, joints = ({name: x[name] for name in rng.sample(list(x), n)} for x in (bodies, joints))
        done = self.ok({"roberval": 1, "space": "planar", "bodies": bodies, "joints": joints, "initial": {f"j{k}.angle": 0.1 for k in given}}, "assemble")
        left = [f"j{k}" for k in range(n) if k not in welded and k not in given]
        completed = [name for name in done.result["state"]["completed"] if not name.endswith("'")]
        self.assertEqual(completed, [f"{name}.angle" for name in left])
        note = next(text for text in done.result["notes"] if "initial condition" in str(text))
        self.assertIn(f"{n - 45} freedoms", str(note))
        self.assertIn(f"{left[0]}.angle, {left[1]}.angle", str(note))
        self.assertRegex(str(note), r"angle, \.\.\.")


if __name__ == "__main__":
    cli.main()
