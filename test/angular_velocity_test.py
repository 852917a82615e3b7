#!/usr/bin/python3
"""wx(body), wy, wz and dot(a.M.x, b.N.z) in space: against the printed poses and accelerations, in constraints, drives, loads and initial conditions.

Rotations are multiplied out by numpy; torques are d(J w)/dt; a hinge driven by its cosine is the hinge driven by its angle."""
import math
import random
import sys
import unittest
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent / "py"))
import cli  # noqa: E402
import space  # noqa: E402

TOL = 1e-9
AXES = "xyz"
J = [0.5, 0.7, 0.9, 0.05, -0.04, 0.03]


def tensor(I):
    return np.array([[I[0], I[3], I[4]], [I[3], I[1], I[5]], [I[4], I[5], I[2]]])


def arm(seed):
    """ground - a - b by hinges in general position, driven"""
    rng = random.Random(seed)
    vector = lambda: [rng.uniform(-1, 1) for _ in range(3)]
    frame = lambda: {"at": vector(), "axis": vector(), "x": vector()}
    bodies = {"ground": {"markers": {"G": frame(), "H": frame()}}}
    for name in "ab":
        bodies[name] = {"mass": 1.5, "inertia": J, "centroid": vector(), "markers": {"A": frame(), "B": frame(), "M": frame()}}
    return {"roberval": 1, "space": "spatial", "bodies": bodies,
            "joints": {"p": {"type": "revolute", "between": ["ground.G", "a.A"]}, "q": {"type": "revolute", "between": ["a.B", "b.A"]}},
            "drives": {"dp": {"coordinate": "p.angle", "motion": "t + t^2"}, "dq": {"coordinate": "q.angle", "motion": "0.3 - 2*t + t^3"}},
            "motion": {"from": 0, "to": 1, "step": 0.25}}


class Spin(cli.Case):
    def axes(self, model, done, side, k):
        """axes of a marker in ground's, and its body's angular velocity and acceleration"""
        body, _, marker = side.partition(".")
        own = space.of_marker(model["bodies"][body]["markers"][marker])[1] if marker else np.eye(3)
        if body == "ground":
            return own, np.zeros(3), np.zeros(3)
        R = space.of_quaternion([done.series[f"{body}.q{c}"][k] for c in "wxyz"])
        w, a = ([done.series[f"{body}.{word}{c}"][k] for c in AXES] for word in ("omega", "alpha"))
        return R @ own, np.array(w), np.array(a)

    def test_outputs(self):
        for seed in range(4):
            model, rng = arm(seed), random.Random(seed)
            pairs = [(rng.choice(["a", "b.M", "ground.H", "a.B"]), rng.choice(AXES), rng.choice(["b", "ground.G", "a.M", "ground"]), rng.choice(AXES)) for _ in range(6)]
            model["output"] = {f"w{side.replace('.', '_')}{x}{n}": f"w{x}({side}){prime}" for side in ("a", "b", "b.M", "a.B") for x in AXES for n, prime in enumerate(("", "'"))}
            model["output"] |= {f"d{k}_{n}": f"dot({i}.{x}, {j}.{y}){prime}" for k, (i, x, j, y) in enumerate(pairs) for n, prime in enumerate(("", "'", "''"))}
            done = self.ok(model, "kinematics")
            for k in range(len(done.time)):
                for side in ("a", "b", "b.M", "a.B"):
                    A, w, alpha = self.axes(model, done, side, k)
                    A = A if "." in side else np.eye(3)
                    for n, want in enumerate((A.T @ w, A.T @ alpha)):
                        self.near([done.series[f"w{side.replace('.', '_')}{x}{n}"][k] for x in AXES], want, 1e-8, f"{side} rate {n}")
                for n, (i, x, j, y) in enumerate(pairs):
                    (A, wa, aa), (B, wb, ab) = self.axes(model, done, i, k), self.axes(model, done, j, k)
                    l, b = A[:, AXES.index(x)], B[:, AXES.index(y)]
                    dl, db = np.cross(wa, l), np.cross(wb, b)
                    ddl, ddb = np.cross(aa, l) + np.cross(wa, dl), np.cross(ab, b) + np.cross(wb, db)
                    self.near([done.series[f"d{n}_{order}"][k] for order in range(3)], [l @ b, dl @ b + l @ db, ddl @ b + 2 * dl @ db + l @ ddb], 1e-8, f"dot {n}")

    def test_prescribed_angular_velocity(self):
        """a body in a ball joint at its centroid, w given in ground's axes or its own: efforts are the torque along those axes"""
        for own in (False, True):
            side = "b.M" if own else "b"
            frame = {"at": [0, 0, 0], "axis": [1, 2, -1], "x": [0.3, 1, 0]}
            given = [f"1 + t", "0.5*sin(2*t)", "cos(t) - 2"]
            model = {"roberval": 1, "space": "spatial", "bodies": {"b": {"mass": 2, "inertia": J, "markers": {"M": frame}}},
                     "joints": {"ball": {"type": "spherical", "between": ["ground", "b"]}},
                     "constraints": {f"c{x}": {"velocity": f"w{x}({side}) - ({g})"} for x, g in zip(AXES, given)}, "motion": {"from": 0, "to": 1, "step": 0.1}}
            motion, forces = self.ok(model, "kinematics"), self.ok(model)
            for k, t in enumerate(motion.time):
                A, w, alpha = self.axes(model, motion, "b", k)
                E = A @ space.of_marker(frame)[1] if own else np.eye(3)
                self.near(E.T @ w, [1 + t, 0.5 * math.sin(2 * t), math.cos(t) - 2], TOL, "w")
                I = A @ tensor(J) @ A.T
                self.near([forces.series[f"c{x}.effort"][k] for x in AXES], E.T @ (I @ alpha + np.cross(w, I @ w)), 1e-8, "torque")

    def test_a_hinge_driven_by_its_cosine(self):
        """dot(arm.x, ground.x) = cos(angle): effort per unit of the cosine, so that powers agree"""
        base = arm(1)
        base["bodies"] = {"ground": {"markers": {"G": {"at": [0, 0, 0], "axis": [0, 0, 1]}}}, "a": {**base["bodies"]["a"], "markers": {"A": {"at": [0.2, 0, 0], "axis": [0, 0, 1]}}}}
        base["joints"] = {"p": base["joints"]["p"]}
        base["gravity"] = [1, -9.81, 2]
        cosine = "0.3 + 0.4*t"
        by_angle = {**base, "drives": {"m": {"coordinate": "p.angle", "motion": f"acos({cosine})"}}}
        by_dot = {**base, "drives": {"m": {"coordinate": "dot(ground.x, a.x)", "motion": cosine}}}
        by_dot["bodies"] = {**base["bodies"], "a": {**base["bodies"]["a"], "pose": {"at": [0, 0, 0], "rotate": {"axis": [0, 0, 1], "angle": 1}}}}
        one, two = self.ok(by_angle), self.ok(by_dot)
        angle = np.arccos(0.3 + 0.4 * one.time)
        self.near(two.series["m.effort"] * -np.sin(angle), one.series["m.effort"], TOL, "effort")
        for c in ("p.Fx", "p.Fy", "p.Fz", "p.Tx", "p.Ty"):
            self.near(two.series[c], one.series[c], TOL, c)

    def test_a_hinge_of_the_plane_driven_by_its_cosine(self):
        """In the plane, where bodies have no axes of space: dot(x, x) is the cosine of the angle, here of 1 + t; the effort e on it does the work of the torque -e sin(angle)."""
        model = {"roberval": 1, "space": "planar", "gravity": [0, -9.81], "bodies": {"a": {"mass": 2, "inertia": 0.3, "centroid": [0.4, 0], "pose": {"at": [0, 0], "angle": 1}}},
                 "joints": {"hinge": {"type": "revolute", "between": ["ground", "a"]}},
                 "drives": {"d": {"coordinate": "dot(ground.x, a.x)", "motion": "cos(1 + t)"}}, "motion": {"from": 0, "to": 1, "step": 0.1}}
        motion, forces = self.ok(model, "kinematics"), self.ok(model)
        for k, t in enumerate(motion.time):
            self.near([motion.series["hinge.angle"][k]], [1 + t], TOL, "angle")
            self.near([-forces.series["d.effort"][k] * math.sin(1 + t)], [2 * 9.81 * 0.4 * math.cos(1 + t)], TOL, "torque")

    def test_held_square_it_is_a_perpendicular_joint(self):
        """a plate on a ball, one axis level by dot = 0: the couple of the joint that holds the same"""
        frame = {"at": [0, 0, 0], "axis": [0, 1, 0.2]}
        def model(**more):
            base = {"roberval": 1, "space": "spatial", "gravity": [0, 0, -9.81],
                    "bodies": {"ground": {"markers": {"Z": [0, 0, 0]}}, "b": {"mass": 2, "inertia": J, "centroid": [0.4, 0.3, 0.1], "markers": {"M": frame}}},
                    "joints": {"ball": {"type": "spherical", "between": ["ground", "b"]}},
                    "constraints": {"cx": {"velocity": "wz(b) - 1"}, "cy": {"velocity": "wz(b.M) - 0.5"}}, "motion": {"from": 0, "to": 0.5, "step": 0.1}}
            for key, value in more.items():
                base[key] = {**base[key], **value}
            return base
        joint = self.ok(model(joints={"level": {"type": "perpendicular", "between": ["ground.Z", "b.M"]}}))
        equation = self.ok(model(constraints={"level": {"equation": "dot(ground.Z.z, b.M.z)"}}))
        couple = np.sqrt(sum(joint.series[f"level.T{x}"]**2 for x in AXES))
        self.near(np.abs(equation.series["level.effort"]), couple, 1e-8, "couple")
        self.near(equation.series["cx.effort"], joint.series["cx.effort"], 1e-8, "effort")

    def test_loads_know_them(self):
        """a torque against w, and a potential of an inclination: what the motor of a hinge feels"""
        c, k = 0.7, 3.0
        model = {"roberval": 1, "space": "spatial", "bodies": {"a": {"mass": 1, "inertia": J}}, "joints": {"p": {"type": "revolute", "between": ["ground", "a"]}},
                 "drives": {"m": {"coordinate": "p.angle", "motion": "t + t^2"}},
                 "loads": {"drag": {"type": "torque", "to": "a", "value": [f"-{c}*wx(a)", f"-{c}*wy(a)", f"-{c}*wz(a.A)"]}, "well": {"type": "energy", "value": f"{k}*dot(a.x, ground.y)"}},
                 "motion": {"from": 0, "to": 1, "step": 0.25}}
        model["bodies"]["a"]["markers"] = {"A": [1, 0, 0]}
        done = self.ok(model)
        angle, rate = done.time + done.time**2, 1 + 2 * done.time
        self.near(done.series["m.effort"], 2 * J[2] + c * rate + k * np.cos(angle), TOL, "effort")
        model["gravity"], model["drives"] = [0, 0, 0], {}
        model["loads"] = {"well": {"type": "energy", "value": f"{k}*dot(a.x, ground.y) - dot(a.x, ground.x)"}}
        rest = self.ok(model, "statics", "--json", out=False).json()["equilibrium"]
        self.near(math.tan(rest["coordinates"]["p.angle"]), -k, 1e-8, "rest")

    def test_initial_rates(self):
        model = {"roberval": 1, "space": "spatial", "bodies": {"b": {"mass": 2, "inertia": J, "pose": {"at": [1, 2, 3], "rotate": {"axis": [1, 1, 1], "angle": 1}}}},
                 "initial": {"wx(b)": 1, "wy(b)": "60 rpm", "wz(b)": -3, "x(b)'": 2, "y(b)'": 0, "z(b)'": 1}, "output": {"x": "wx(b)", "y": "wy(b)", "z": "wz(b)", "v": "x(b)'"},
                 "motion": {"from": 0, "to": 0, "step": 1}}
        done = self.ok(model, "assemble")
        for name, want in (("x", 1), ("y", 2 * math.pi), ("z", -3), ("v", 2)):
            self.column(done, name, want, TOL)

    def test_mistakes(self):
        base = arm(2)
        base["bodies"]["bead"] = {"mass": 1, "particle": True}
        for change, words in ((("drives", "d", {"coordinate": "wx(b)", "motion": "t"}), "'wx(b)' is the rate of none; prescribe it by a velocity: constraint"),
                              (("constraints", "c", {"equation": "wx(b) - 1"}), "a constraint on rates is a velocity: constraint"),
                              (("constraints", "c", {"velocity": "wx(b)' - 1"}), "second rates may stand in outputs only"),
                              (("output", "o", "wx(b)''"), "has a first rate only"), (("output", "o", "wx(bead)"), "'bead' is a particle"),
                              (("output", "o", "wx(ground)"), "'ground' does not turn"), (("output", "o", "wx(c)"), "no body 'c'"),
                              (("output", "o", "dot(b.M, a.M.x)"), "'b.M' is no axis; write body.marker.x"), (("output", "o", "dot(b.M.w, a.M.x)"), "is no axis"),
                              (("output", "o", "dot(b.N.x, a.M.x)"), "no marker 'N'"), (("output", "o", "dot(bead.x, a.M.x)"), "'bead' is a particle"),
                              (("output", "o", "dot(b.M.x)"), "dot takes two axes"), (("output", "o", "wx(a, b)"), "takes one argument: wx(rod)")):
            model = {**base, change[0]: {**base.get(change[0], {}), change[1]: change[2]}}
            done = cli.run_model(model, "check")
            self.assertEqual(done.code, 2, change)
            self.assertIn(words, done.err)
        plane = {"roberval": 1, "space": "planar", "bodies": {"b": {"mass": 1, "inertia": 1}}, "motion": {"from": 0, "to": 0, "step": 1}}
        for text, words in (("wz(b)", "in the plane it is angle(body)'"), ("dot(b.z, ground.x)", "in the plane there are x and y")):
            done = cli.run_model({**plane, "output": {"o": text}}, "check")
            self.assertEqual(done.code, 2)
            self.assertIn(words, done.err)
        plane |= {"joints": {"p": {"type": "revolute", "between": ["ground", "b"]}}, "drives": {"m": {"coordinate": "p.angle", "motion": "0.4"}}, "output": {"o": "dot(b.x, ground.y)"}}
        self.column(self.ok(plane), "o", math.sin(0.4), TOL)


if __name__ == "__main__":
    cli.main()
