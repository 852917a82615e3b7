#!/usr/bin/python3
# ctest: polar-slow joint-slow
"""Constraints that do work (nonideal:).

Held against: Udwadia's formulas with numpy's pseudo-inverse, for particles under random equations, dependent, moving and on rates; the same forces given as loads, which must give the same motion and
the same reactions of joints; the run without them, whose efforts are the ideal ones."""
import json
import math
import os
import random
import sys
import tempfile
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent / "py"))
import cli  # noqa: E402

ROUNDS = int(os.environ.get("ROBERVAL_ROUNDS", "8"))
AXES = "xyz"


def term(c, text):
    return f"({float(c)!r})*{text}"


class Particles:
    """count particles; equations phi = c.q + q.D.q + e sin(w t) + k, or psi = (g + G q).v - h."""

    def __init__(self, seed, count=2):
        self.rng = np.random.default_rng(seed)
        self.n = 3 * count
        self.names = [f"{AXES[i % 3]}(p{i // 3})" for i in range(self.n)]
        self.mass = self.rng.uniform(0.5, 3, count)
        self.q = self.rng.uniform(-1, 1, self.n)
        self.gravity, self.rates = self.rng.uniform(-5, 5, 3), self.rng.uniform(-1, 1, 2).tolist()
        self.rows, self.forces, self.drag = {}, {}, self.rng.uniform(0.1, 0.5)

    def equation(self, name):
        c, D = self.rng.uniform(-1, 1, self.n), self.rng.uniform(-0.4, 0.4, (self.n, self.n))
        self.rows[name] = ["equation", c, (D + D.T) / 2, self.rng.uniform(-0.3, 0.3), self.rng.uniform(1, 3)]

    def velocity(self, name):
        self.rows[name] = ["velocity", self.rng.uniform(-1, 1, self.n), self.rng.uniform(-0.5, 0.5, (self.n, self.n)), self.rng.uniform(-1, 1), 0]

    def twice(self, name, other, factor):
        kind, c, D, e, w = self.rows[other]
        self.rows[name] = [kind, factor * c, factor * D, factor * e, w]

    def text(self, name):
        kind, c, D, e, w = self.rows[name]
        if kind == "velocity":
            return " + ".join(term(c[i], self.names[i] + "'") for i in range(self.n)) + " + " + \
                   " + ".join(term(D[i, j], f"{self.names[j]}*{self.names[i]}'") for i in range(self.n) for j in range(self.n)) + f" - ({e!r})"
        k = -(c @ self.q + self.q @ D @ self.q)
        return " + ".join(term(c[i], self.names[i]) for i in range(self.n)) + " + " + \
               " + ".join(term(D[i, j], f"{self.names[i]}*{self.names[j]}") for i in range(self.n) for j in range(self.n)) + f" + {e!r}*sin({w!r}*t) + ({float(k)!r})"

    def model(self, nonideal=True):
        bodies = {f"p{b}": {"particle": True, "mass": m, "pose": {"at": list(map(float, self.q[3 * b:3 * b + 3]))}} for b, m in enumerate(self.mass)}
        constraints = {}
        for name in self.rows:
            constraints[name] = {self.rows[name][0]: self.text(name)}
            if nonideal and name in self.forces:
                constraints[name]["nonideal"] = {self.names[i]: text for i, (text, _) in self.forces[name].items()}
        return {"roberval": 1, "space": "spatial", "gravity": list(map(float, self.gravity)), "bodies": bodies, "constraints": constraints,
                "initial": {name + "'": rate for name, rate in zip(self.names, self.rates)}, "motion": {"from": 0, "to": 0.02, "step": 0.01}}

    def expected(self, t, q, v):
        """a, ideal efforts by name, powers by name, from Udwadia's formulas."""
        M, A, b, nu = np.repeat(self.mass, 3), [], [], []
        for kind, c, D, e, w in self.rows.values():
            A.append(c + D @ q if kind == "velocity" else c + 2 * D @ q)
            b.append(-(D @ v) @ v if kind == "velocity" else -(2 * v @ D @ v - e * w * w * math.sin(w * t)))
        A, b, root = np.array(A), np.array(b), np.sqrt(M)
        Q = M * np.tile(self.gravity, self.n // 3)
        B = A / root
        plus = np.linalg.pinv(B, rcond=1e-10)
        Qi = root * (plus @ (b - A @ (Q / M)))
        effort = dict(zip(self.rows, np.linalg.lstsq(A.T, Qi, rcond=1e-10)[0]))
        a, power = (Q + Qi) / M, {}
        for name, forces in self.forces.items():
            C = np.zeros(self.n)
            for i, (_, value) in forces.items():
                C[i] += value(t, q, v, effort)
            Qni = root * (C / root - plus @ (B @ (C / root)))
            a, power[name] = a + Qni / M, float(v @ Qni)
        return a, effort, power


def state(done, k, n):
    get = lambda kind: np.array([done.series[f"p{i // 3}.{kind}{AXES[i % 3]}"][k] for i in range(n)])
    return get(""), get("v"), get("a")


class Nonideal(cli.Case):
    @cli.long
    def test_particles_move_by_udwadias_formulas(self):
        for seed in range(ROUNDS):
            p = Particles(seed, 2 + seed % 2)
            p.equation("one")
            p.velocity("two")
            if seed % 2:
                p.equation("open")
                p.twice("twice", "open", -2.5)                             # their efforts are not unique, the motion is
            k, s, i, j = float(p.drag), float(p.rng.uniform(-2, 2)), int(p.rng.integers(p.n)), int(p.rng.integers(p.n))
            p.forces["one"] = {i: (f"-{k!r}*abs(one.effort)*{p.names[i]}'", lambda t, q, v, e, i=i, k=k: -k * abs(e["one"]) * v[i]),
                               (i + 1) % p.n: (f"{s!r}*cos(t)*{p.names[j]} + two.effort", lambda t, q, v, e, j=j, s=s: s * math.cos(t) * q[j] + e["two"])}
            p.forces["two"] = {j: (f"{s!r} - one.effort*two.effort/10", lambda t, q, v, e, s=s: s - e["one"] * e["two"] / 10)}
            done = self.ok(p.model(), "simulate")
            ideal = self.ok(p.model(nonideal=False), "simulate")
            for sample in range(3):
                q, v, a = state(done, sample, p.n)
                want, effort, power = p.expected(float(done.time[sample]), q, v)
                size = max(1, float(np.abs(want).max()))
                self.near(a, want, 1e-9 * size, f"accelerations, seed {seed}")
                for name in ("one", "two"):
                    self.near(done.series[f"{name}.effort"][sample], effort[name], 1e-9 * size * 3, f"effort of {name}, seed {seed}")
                    self.near(done.series[f"{name}.nonideal"][sample], power[name], 1e-9 * size * 3, f"power of {name}, seed {seed}")
            for name in ("one", "two"):                                    # the start does not depend on the forces
                self.near(done.series[f"{name}.effort"][0], ideal.series[f"{name}.effort"][0], 1e-9 * size * 3, "ideal effort at the start")
            self.assertEqual(done.units["one.nonideal"], "W")
            self.assertLess(np.abs(done.series["energy.error"]).max(), 1e-8 * max(1, np.abs(done.series["energy"]).max()))

    def chain(self, rng, nonideal):
        """Two links on ground, the tip of the second led along a line that moves; the forces as nonideal: or as loads, or not at all (None)."""
        c, s, f = (rng.uniform(-3, 3) for _ in range(3))
        model = {"roberval": 1, "space": "planar", "gravity": [0, -9.81],
                 "bodies": {"a": {"mass": 1.2, "inertia": 0.1, "centroid": [0.3, 0], "pose": {"angle": 0.3}, "markers": {"P": [0.6, 0]}},
                            "b": {"mass": 0.7, "inertia": 0.05, "centroid": [0.2, 0.05], "pose": {"at": [0.6 * math.cos(0.3), 0.6 * math.sin(0.3)], "angle": -0.7}, "markers": {"T": [0.5, 0]}}},
                 "joints": {"A": {"type": "revolute", "between": ["ground", "a"]}, "B": {"type": "revolute", "between": ["a.P", "b"]}},
                 "constraints": {"rail": {"equation": "y(b.T) - 0.2*x(b.T) - h - 0.1*sin(2*t)"}}, "parameters": {"h": rng.uniform(-0.15, 0.1)},
                 "initial": {"B.angle'": 0.8}, "motion": {"from": 0, "to": 0.4, "step": 0.1}}
        torque, push = f"{c!r}*A.angle' + {s!r}*sin(3*t)", f"{f!r} - 0.4*x(b.T)'"
        if nonideal:
            model["constraints"]["rail"]["nonideal"] = {"A.angle": torque, "x(b.T)": push}
        elif nonideal is False:
            model["loads"] = {"turn": {"type": "torsion-spring", "joint": "A", "torque": f"-({torque})"}, "pull": {"type": "force", "to": "b.T", "value": [push, 0]}}
        return model

    def test_joints_carry_what_the_same_forces_as_loads_put_on_them(self):
        for seed in range(ROUNDS):
            work, loads, ideal = (self.ok(self.chain(random.Random(seed), kind), "simulate") for kind in (True, False, None))
            names = [c for c in loads.series if c in work.series and c not in ("rail.effort", "energy", "energy.error")]
            self.assertTrue({"A.Fx", "B.Fy", "a.angle", "b.ax", "B.angle''"} <= set(names))
            for name in names:
                size = max(1, np.abs(loads.series[name]).max())
                self.near(work.series[name], loads.series[name], 1e-7 * size, f"{name}, seed {seed}")
            self.near(work.series["rail.effort"][0], ideal.series["rail.effort"][0], 1e-8, "the effort stays the ideal one")
            self.assertGreater(abs(work.series["rail.effort"] - loads.series["rail.effort"]).max(), 1e-3)   # with loads it is not
            self.assertEqual(set(work.result["constraints"]["rail"]), {"effort", "nonideal"})

    def test_friction_in_joints_feels_it_and_it_ends_with_its_constraint(self):
        """joint friction follows what joints carry, the force included; a constraint that does not hold does no work"""
        for seed in range(max(2, ROUNDS // 2)):
            models = [self.chain(random.Random(seed), kind) for kind in (True, False)]
            for model in models:
                model["joints"]["A"]["friction"] = {"coefficient": 0.3, "radius": 0.1}
                model["constraints"]["rail"]["active"] = "t < 0.25[s]"
                model["motion"]["to"] = 0.5
            for name in models[1]["loads"]:
                models[1]["loads"][name]["active"] = "t < 0.25[s]"
            work, loads = (self.ok(model, "simulate") for model in models)
            self.assertGreater(np.abs(work.series["A.friction"]).max(), 1e-2)
            self.assertEqual(np.abs(work.series["rail.nonideal"][3:]).max(), 0, "no work after it has let go")
            for name in ("a.angle", "b.x", "A.Fx", "A.Fy", "B.Fx", "A.friction", "b.ay"):
                self.near(work.series[name], loads.series[name], 1e-6 * max(1, np.abs(loads.series[name]).max()), f"{name}, seed {seed}")

    def test_a_force_may_read_a_constraint_that_comes_later_and_parameters_may_change_it(self):
        p = Particles(9)
        p.equation("one")
        p.equation("two")
        p.forces["one"] = {0: ("-mu*two.effort*x(p0)'", None)}
        model = {**p.model(), "parameters": {"mu": 0.3}}
        first = self.ok(model, "simulate")
        other = self.ok({**model, "constraints": dict(reversed(model["constraints"].items()))}, "simulate")
        for name in first.series:
            self.near(first.series[name], other.series[name], 1e-9 * max(1, np.abs(other.series[name]).max()), name)
        changed = self.ok(model, "simulate", "--set", "mu=0.9")
        self.near(changed.series["one.nonideal"][0], 3 * first.series["one.nonideal"][0], 1e-9, "three times the force, three times the power")
        self.assertGreater(abs(first.series["one.nonideal"][0]), 1e-3)

    def test_it_works_in_space_as_in_the_plane(self):
        model = self.chain(random.Random(2), True)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "flat.json")
            Path(path).write_text(json.dumps(model))
            text = cli.run(["convert", path, "--to", "spatial"], out=False)
        self.assertEqual(text.code, 0, text.said())
        flat, space = self.ok(model, "simulate"), self.ok(text.out, "simulate")
        for name in ("A.Fx", "B.Fy", "rail.effort", "rail.nonideal", "b.vx"):
            self.near(space.series[name], flat.series[name], 1e-6 * max(1, np.abs(flat.series[name]).max()), name)

    def test_other_commands_refuse_it_or_need_no_forces(self):
        model = self.chain(random.Random(1), True)
        for command in ("statics", "inverse"):
            with_drive = {**model, "drives": {"motor": {"coordinate": "A.angle", "motion": "0.3 + 0.1*t"}}}
            with_drive.pop("initial")
            done = cli.run_model(with_drive, command)
            self.assertEqual(done.code, 2, done.said())
            self.assertIn("constraint 'rail' does work (nonideal:)", done.err)
        self.ok(with_drive, "kinematics")
        done, document = cli.check(model)
        self.assertEqual(done.code, 0, done.said())
        self.assertIn("verdict", document["constraints"]["rail"])

    def test_mistakes_are_said_where_they_are(self):
        wrong = [({"A.angle'": "1"}, "'A.angle'' is a rate; a non-ideal force acts along a coordinate"), ({"A.angel": "1"}, "no coordinate 'angel'"), ({"A.angle": "A.angle''"}, "second rates"),
                 ({"A.angle": "motor.effort"}, "there is no joint 'motor'"), ({"A.angle": "rail.power"}, "constraint 'rail' has no 'power'"),
                 ({"A.angle": "nobody.effort"}, "there is no joint 'nobody'"), ({"x(b.T)": "2 N.m"}, "N.m"), ({"x(b.T)": [1, 2]}, "must be a number, NUMBER UNIT or an expression, not a list"), ("A.angle", "must be a map of coordinates to forces")]
        for nonideal, words in wrong:
            model = self.chain(random.Random(1), None)
            model["constraints"]["rail"]["nonideal"] = nonideal
            model["drives"] = {"motor": {"coordinate": "A.angle", "motion": "0.3"}}
            done = cli.run_model(model, "simulate")
            self.assertEqual(done.code, 2, f"{nonideal}: {done.said()}")
            self.assertIn(words, done.err, f"{nonideal}")
            self.assertTrue(done.errors and done.errors[0].line > 1, done.said())

    def test_a_force_that_is_not_finite_or_not_determined_is_named(self):
        p = Particles(3)
        p.equation("one")
        p.twice("twice", "one", 3)
        model = p.model()
        model["initial"] = {}
        model["constraints"]["one"].update(equation="x(p0) + z(p1)", nonideal={"y(p0)": "y(p0)'/abs(y(p0)')"})
        model["bodies"]["p0"]["pose"]["at"], model["bodies"]["p1"]["pose"]["at"] = [0, 0, 0], [0, 0, 0]
        del model["constraints"]["twice"]
        done = cli.run_model(model, "simulate")
        self.assertEqual(done.code, 1, done.said())
        self.assertIn("constraint 'one', nonideal along y(p0): ", done.err)
        model["constraints"]["one"]["nonideal"] = {"y(p0)": "-one.effort"}
        model["constraints"]["twice"] = {"equation": "3*x(p0) + 3*z(p1)"}
        done = cli.run_model(model, "simulate")
        self.assertEqual(done.code, 1, done.said())
        self.assertIn("depends on the effort of 'one', which the rigid model does not determine", done.err)


if __name__ == "__main__":
    cli.main()
