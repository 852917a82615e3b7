#!/usr/bin/env python3
"""Statics: equilibrium, stability, curvature and reactions, through the command line, by all five methods.

Expected numbers are closed forms, the published and computed ones of theory/ (S1, S2, S3, examples 6.5.1, 6.5.2, problems 6.5.1, 6.5.2) and
reference/ (two bars, four-bar with a spring), or come from `rest` below: a Newton in numpy on an energy written here, with exact second derivatives.

Tolerances: 1e-9 relative, twelve digits of the stored references allow it; the penalty method states its error of position, ten times it is
allowed.  The audit is to be below 1e-9 of the loads, constraints below 1e-9 m.
"""
import math
import os
import sys
import unittest

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "py"))
import cli              # noqa: E402
import space            # noqa: E402

METHODS = ("energy", "lagrange", "penalty", "virtual-power", "relaxation")
TOL, g = 1e-9, 9.81
DOWN = [0, -g]
pi, sin, cos = math.pi, math.sin, math.cos


# ---- second derivatives: a number with its gradient and Hessian ------------------------------------------------------

class D:
    __array_priority__ = 100

    def __init__(self, v, grad, hess):
        self.v, self.g, self.h = v, grad, hess

    def of(self, f, f1, f2):
        return D(f, f1 * self.g, f1 * self.h + f2 * np.outer(self.g, self.g))

    def __add__(self, o):
        return D(self.v + o.v, self.g + o.g, self.h + o.h) if isinstance(o, D) else D(self.v + o, self.g, self.h)

    __radd__ = __add__

    def __neg__(self):
        return D(-self.v, -self.g, -self.h)

    def __sub__(self, o):
        return self + (-o)

    def __rsub__(self, o):
        return -self + o

    def __mul__(self, o):
        if not isinstance(o, D):
            return D(self.v * o, self.g * o, self.h * o)
        x = np.outer(self.g, o.g)
        return D(self.v * o.v, self.v * o.g + o.v * self.g, self.v * o.h + o.v * self.h + x + x.T)

    __rmul__ = __mul__

    def __truediv__(self, o):
        return self * o**-1 if isinstance(o, D) else self * (1 / o)

    def __pow__(self, n):
        return self.of(self.v**n, n * self.v**(n - 1), n * (n - 1) * self.v**(n - 2) if n != 1 else 0.0)


def Sin(x):
    return x.of(sin(x.v), cos(x.v), -sin(x.v)) if isinstance(x, D) else sin(x)


def Cos(x):
    return x.of(cos(x.v), -sin(x.v), -cos(x.v)) if isinstance(x, D) else cos(x)


def variables(q):
    n = len(q)
    return [D(float(x), np.eye(n)[i], np.zeros((n, n))) for i, x in enumerate(q)]


def rest(V, q, closed=lambda q: [], mass=None):
    """Newton on V(q) + lambda'closed(q): (q, lambda, lowest mu of K u = mu M u on the tangent); mass(q): list of (m, D)."""
    q = np.array(q, float)
    m = len(closed(variables(q)))
    grads = lambda q: (V(variables(q)), closed(variables(q)))                        # noqa: E731
    v, c = grads(q)
    J = np.array([x.g for x in c]).reshape(m, len(q))
    lam = np.linalg.lstsq(J.T, -v.g, rcond=None)[0] if m else np.zeros(0)
    for _ in range(60):
        v, c = grads(q)
        J = np.array([x.g for x in c]).reshape(m, len(q))
        K = v.h + sum((f * x.h for f, x in zip(lam, c)), np.zeros_like(v.h))
        A = np.block([[K, J.T], [J, np.zeros((m, m))]])
        b = -np.concatenate([v.g + J.T @ lam, [x.v for x in c]])
        step = np.linalg.solve(A, b)
        q, lam = q + step[:len(q)], lam + step[len(q):]
        if np.abs(step[:len(q)]).max() < 1e-14:
            break
    mu = None
    if mass:
        M = sum(w * np.outer(x.g, x.g) for w, x in mass(variables(q)))
        N = np.linalg.svd(J)[2][m:].T if m else np.eye(len(q))
        mu = np.linalg.eigvals(np.linalg.solve(N.T @ M @ N, N.T @ K @ N)).real.min()
    return q, lam, mu


def turned(p, angle, at=(0.0, 0.0)):
    """at + R(angle) p"""
    return at[0] + p[0] * Cos(angle) - p[1] * Sin(angle), at[1] + p[0] * Sin(angle) + p[1] * Cos(angle)


def gap(a, b):
    return ((a[0] - b[0])**2 + (a[1] - b[1])**2)**0.5


def wrapped(x):
    return (np.asarray(x, float) + pi) % (2 * pi) - pi


# ---- models ----------------------------------------------------------------------------------------------------------

def planar(bodies, joints=None, loads=None, gravity=None, **more):
    return {"roberval": 1, "space": "planar", **({"gravity": gravity} if gravity else {}), "bodies": bodies, "joints": joints or {},
            "loads": loads or {}, **more}


def spatial(*args, **more):
    return {**planar(*args, **more), "space": "spatial"}


def rod(length, mass, angle, at=(0, 0), **markers):
    return {"mass": mass, "inertia": mass * length**2 / 12, "centroid": [length / 2, 0], "pose": {"at": [float(x) for x in at], "angle": float(angle)},
            "markers": {"E": [length, 0], **markers}}


def pin(first, second, kind="revolute", **more):
    return {"type": kind, "between": [first, second], **more}


def spring(first, second, stiffness, free, **more):
    return {"type": "spring", "between": [first, second], "stiffness": stiffness, "free_length": free, **more}


def particle(mass, *at):
    return {"particle": True, "mass": mass, "pose": {"at": list(at)}}


def cubic(k, c, free, name="l"):
    """the part k c (x - free)^3 of the springs of SPEC-000"""
    return f"{k * c!r}*({name} - {free!r})^3"


class Statics(cli.Case):
    """`at`: one run, with what holds of every run checked."""

    def at(self, model, method=None, *flags, loads=None, **options):
        flags = (["--method", method] if method else []) + list(flags)
        done = cli.run_model(model, "statics", *flags, **options)
        self.assertEqual(done.code, 0, f"{method}: {done.said()}")
        r = done.result
        self.assertEqual(r["analysis"], "statics")
        for key in ("roberval", "frame", "model", "mobility", "reactions", "drives", "constraints", "loads", "self_stress", "groups", "audit", "series"):
            self.assertIn(key, r)
        e = r["equilibrium"]
        for key in ("coordinates", "bodies", "energy", "stability", "curvature", "iterations", "method"):
            self.assertIn(key, e)
        self.assertIn(e["stability"], ("stable", "unstable", "neutral"))
        if method:
            self.assertEqual(e["method"], method)
        self.assertEqual(set(e["bodies"]), {b for b in model["bodies"] if b != "ground"})
        self.assertTrue(all(len(c) == 1 for c in done.series.values()), "one row")
        self.assertEqual([c.split(" ")[0] for c in done.columns], r["series"]["columns"])
        for name, pose in e["bodies"].items():
            n = 2 if model["space"] == "planar" else 3
            self.assertEqual(len(pose["at"]), n)
            self.near(pose["at"], [done.series[f"{name}.{x}"][0] for x in "xyz"[:n]], 1e-15, name)
        size = loads or self.size(model, done)
        if method != "penalty":
            self.assertLessEqual(r["audit"]["max_force_imbalance"], TOL * size, f"{method}: audit of forces")
            self.assertLessEqual(r["audit"]["max_torque_imbalance"], TOL * size, f"{method}: audit of torques")
            self.assertLessEqual(r["audit"]["max_constraint_error"], TOL, f"{method}: audit of constraints")
        else:
            self.assertIn("penalty", e)
        return done

    @staticmethod
    def size(model, done):
        """the largest load, of at least 1 N"""
        weight = np.linalg.norm(model.get("gravity", [0, 0])) * max([b.get("mass", 0) for b in model["bodies"].values()])
        return max(1.0, weight, *[abs(done.series[c][0]) for c in done.series if c.split(".")[0] in model["loads"]], 0.0)

    def slack(self, done, tol=TOL, length=1.0):
        """the tolerance of a position: what the penalty method states, ten times"""
        penalty = done.result["equilibrium"].get("penalty")
        return max(tol, 10 * penalty["position_error"] / length) if penalty else tol

    def angle(self, done, column, want, length=1.0, what=""):
        self.near(wrapped(done.series[column][0] - want), 0, self.slack(done, length=min(length, 1.0)), f"{what} {column}")

    def place(self, done, body, want, what=""):
        got = [done.series[f"{body}.{x}"][0] for x in "xyz"[:len(want)]]
        self.near(got, want, self.slack(done) * max(1, np.abs(want).max()), f"{what} {body}")

    def state(self, done, stability, curvature=None, what="", tol=1e-8):
        e = done.result["equilibrium"]
        self.assertEqual(e["stability"], stability, f"{what}: curvature {e['curvature']}")
        if curvature is not None:
            self.assertIsNotNone(e["curvature"], what)
            loose = 1e-3 if e["method"] == "penalty" else tol
            self.near(e["curvature"], curvature, loose * max(abs(curvature), 1e-3), f"{what} curvature")

    def force(self, done, column, want, what="", scale=None):
        tol = 1e-4 if done.result["equilibrium"]["method"] == "penalty" else TOL
        self.near(done.series[column][0], want, tol * max(scale or 0, abs(want), 1.0), f"{what} {column}")

    def refused(self, model, code, pattern, *flags):
        done = cli.run_model(model, "statics", *flags, quiet=False)
        self.assertEqual(done.code, code, f"{flags}: {done.said()}\n{done.out[-500:]}")
        self.assertRegex(done.err, pattern)
        return done


# ---- published and stored problems -----------------------------------------------------------------------------------

class Published(Statics):
    def two_bars(self, length, a, b):
        bodies = {"one": rod(length, 1.0, a), "two": rod(length, 1.0, b, turned((length, 0), a))}
        joints = {"pin": pin("ground", "one"), "mid": pin("one.E", "two"), "guide": pin("ground", "two.E", "x", value=length)}
        return planar(bodies, joints, gravity=DOWN)

    @staticmethod
    def two_bars_curvature(length, a, b):
        centre = lambda q: (turned((length / 2, 0), q[0]), turned((length / 2, 0), q[1], turned((length, 0), q[0])))      # noqa: E731
        V = lambda q: g * (centre(q)[0][1] + centre(q)[1][1])                                                              # noqa: E731
        J = length**2 / 12
        mass = lambda q: [(1.0, x) for c in centre(q) for x in c] + [(J, q[0]), (J, q[1])]                                 # noqa: E731
        return rest(V, (a, b), lambda q: [length * Cos(q[0]) + length * Cos(q[1]) - length], mass)

    LOW, HIGH = (5.023321069306443, 5.479493790989602), (1.2598642378731428, 0.8036915161899838)

    def test_two_bars_hanging(self):
        q, _, mu = self.two_bars_curvature(1.0, *self.LOW)
        self.near(q, self.LOW, 1e-12)
        a = 4.9
        b = 2 * pi - math.acos(1 - cos(a))
        for method in METHODS:
            done = self.at(self.two_bars(1.0, a, b), method, "--frame", "ground")
            self.angle(done, "one.angle", self.LOW[0], what=method)
            self.angle(done, "two.angle", self.LOW[1], what=method)
            self.state(done, "stable", mu, method)
            for column, want in zip(("guide.Fx", "pin.Fx", "pin.Fy", "mid.Fx", "mid.Fy"),
                                    (4.72874680960644, -4.72874680960644, 19.62, -4.72874680960644, 9.81)):
                self.force(done, column, want, method)

    def test_two_bars_upper(self):
        _, _, mu = self.two_bars_curvature(1.0, *self.HIGH)
        a = 1.3
        done = self.at(self.two_bars(1.0, a, math.acos(1 - cos(a))), "lagrange", "--frame", "ground")
        self.angle(done, "one.angle", self.HIGH[0])
        self.angle(done, "two.angle", self.HIGH[1])
        self.state(done, "unstable", mu)
        for column, want in zip(("guide.Fx", "pin.Fx", "pin.Fy", "mid.Fx", "mid.Fy"), (-4.72874680960644, 4.72874680960644, 19.62, 4.72874680960644, 9.81)):
            self.force(done, column, want)

    def test_minimising_methods_leave_the_upper_one(self):
        a = 1.3
        for method in ("energy", "relaxation", "penalty"):
            done = self.at(self.two_bars(1.0, a, math.acos(1 - cos(a))), method)
            self.state(done, "stable", what=method)
            self.angle(done, "one.angle", self.LOW[0], what=method)

    def test_problem_6_5_2_of_haug(self):
        _, _, mu = self.two_bars_curvature(2.0, 5.0233, 5.4795)
        for method in METHODS:
            done = self.at(self.two_bars(2.0, 5.2, 2 * pi - math.acos(1 - cos(5.2))), method)
            self.near(wrapped(done.series["one.angle"] - 5.0233), [0], 6e-5, method)
            self.near(wrapped(done.series["two.angle"] - 5.4795), [0], 6e-5, method)
            self.angle(done, "one.angle", 5.023321069306443, what=method)
            self.force(done, "guide.Fx", 0.48203331392522325 * g, method)
            self.state(done, "stable", mu, method)
            self.near(done.result["equilibrium"]["energy"], -3.5760695447383 * g, 1e-5 if method == "penalty" else 1e-8, method)

    def test_example_6_5_1_of_haug(self):
        m, l, J = 2.0, 0.5, 0.1
        cases = [(5.0, pi / 2, [(-0.3022591838371193, 7.920218545293486, 5.850623819478918), (1.5707963267948966, -4.81, 9.81),
                                (3.4438518374269123, 7.9202185452934835, 5.850623819478919)]),
                 (20.0, 0.0, [(-0.4431255284927058, 24.20618668145198, -2.2425843414325835)]),
                 (5.0, 0.0, [(-1.0225602752952518, 13.372297300305483, -5.75822350877573)])]
        for k, free, found in cases:
            for phi, second, energy in found:
                for method in METHODS if second > 0 else ("lagrange",):
                    body = {"mass": m, "inertia": J, "centroid": [l, 0], "pose": {"at": [0, 0], "angle": phi + 0.1}}
                    mod = planar({"arm": body}, {"hinge": pin("ground", "arm")}, {"coil": {"type": "torsion-spring", "joint": "hinge", "stiffness": k, "free_angle": free}},
                                 DOWN, initial={"hinge.angle": phi + 0.1})
                    what = f"{method} k={k} phi={phi:.3f}"
                    done = self.at(mod, method)
                    self.near(done.result["equilibrium"]["coordinates"]["hinge.angle"], phi, self.slack(done, length=l), what)
                    self.state(done, "stable" if second > 0 else "unstable", second / (m * l * l + J), what)
                    self.near(done.result["equilibrium"]["energy"], energy, 1e-5 if method == "penalty" else 1e-9, what)
                    self.force(done, "coil.torque", k * (phi - free), what)
                    self.force(done, "hinge.Fy", m * g, what)

    def test_example_6_5_2_of_haug(self):
        F, L1, L2 = 25.0, 1.2, 0.8
        want = (-0.9414461053330804, -0.3739375323061)
        centres = lambda q: (turned((L1 / 2, 0), q[0]), turned((L2 / 2, 0), q[1], turned((L1, 0), q[0])))         # noqa: E731
        V = lambda q: 3 * g * centres(q)[0][1] + 2 * g * centres(q)[1][1] - F * (L1 * Cos(q[0]) + L2 * Cos(q[1]))  # noqa: E731
        mass = lambda q: [(3.0, x) for x in centres(q)[0]] + [(2.0, x) for x in centres(q)[1]] + [(3 * L1**2 / 12, q[0]), (2 * L2**2 / 12, q[1])]  # noqa: E731
        branches = {(0, 0): "stable", (1, 0): "unstable", (0, 1): "unstable", (1, 1): "unstable"}
        for turn, stability in branches.items():
            goal = np.array(want) + pi * np.array(turn)
            q, _, mu = rest(V, goal, mass=mass)
            self.near(q, goal, 1e-12)
            a, b = goal + 0.03
            for method in METHODS if stability == "stable" else ("lagrange",):
                bodies = {"one": rod(L1, 3.0, a), "two": rod(L2, 2.0, b, turned((L1, 0), a))}
                done = self.at(planar(bodies, {"pin": pin("ground", "one"), "mid": pin("one.E", "two")},
                                      {"pull": {"type": "force", "to": "two.E", "value": [F, 0]}}, DOWN), method)
                self.angle(done, "one.angle", goal[0], what=f"{method} {turn}")
                self.angle(done, "two.angle", goal[1], what=f"{method} {turn}")
                self.state(done, stability, mu, f"{method} {turn}")
                self.force(done, "pin.Fx", -F, method)
                self.force(done, "pin.Fy", 5 * g, method)

    def test_problem_6_5_1_block_on_a_spring(self):
        for method in METHODS:
            done = self.at(planar({"block": particle(2.0, 0, -0.5)}, {"guide": pin("ground", "block", "x")}, {"s": spring("ground", "block", 150.0, 0.0)}, DOWN), method)
            self.place(done, "block", (0, -0.1308), method)
            self.state(done, "stable", 75.0, method)
            self.near(done.result["equilibrium"]["energy"], -1.2831480000000002, 1e-5 if method == "penalty" else 1e-9, method)

    # four-bar with a spring
    a, b, c, d = 0.3, 0.8, 0.6, 0.9
    FOUND = {"stable": ((5.935729771813597, 0.9992622023002393, 1.884567906297678),
                        (-45.08857892515476, 21.233723371812953, 4.760460187624906, 19.66445997465727, 4.760460187624906, -4.86054002534273,
                         -4.760460187624906, 24.48054002534273)),
             "unstable": ((3.0108599511606178, 0.4300166192961175, 2.4715388071961004),
                          (-261.4384533078408, 39.27961163073378, 17.644125210804297, 20.354821674968743, 17.644125210804297, -4.170178325031256,
                           -17.644125210804297, 23.790178325031256))}

    def fourbar(self, t1):
        A = np.array(turned((self.a, 0), t1))
        D_ = np.array([self.d, 0]) - A
        R = np.hypot(*D_)
        t2 = math.atan2(D_[1], D_[0]) + math.acos((self.b**2 + R**2 - self.c**2) / (2 * self.b * R))
        B = A + self.b * np.array([cos(t2), sin(t2)])
        bodies = {"ground": {"markers": {"Q": [self.d, 0]}}, "crank": rod(self.a, 1.0, t1), "coupler": rod(self.b, 2.5, t2, A),
                  "rocker": rod(self.c, 2.0, math.atan2(B[1], B[0] - self.d), (self.d, 0))}
        joints = {"O": pin("ground", "crank"), "A": pin("crank.E", "coupler"), "B": pin("coupler.E", "rocker.E"), "Q": pin("ground.Q", "rocker")}
        return planar(bodies, joints, {"s": spring("crank.E", "ground.Q", 400.0, 0.5)}, DOWN)

    def fourbar_curvature(self, q):
        parts = lambda q: [turned((self.a / 2, 0), q[0]), turned((self.b / 2, 0), q[1], turned((self.a, 0), q[0])), turned((self.c / 2, 0), q[2], (self.d, 0))]  # noqa: E731
        masses = (1.0, 2.5, 2.0)
        V = lambda q: sum((m * g * p[1] for m, p in zip(masses, parts(q))), 0.0) + 200.0 * (gap(turned((self.a, 0), q[0]), (self.d, 0)) - 0.5)**2  # noqa: E731

        def closed(q):
            B, C = turned((self.b, 0), q[1], turned((self.a, 0), q[0])), turned((self.c, 0), q[2], (self.d, 0))
            return [B[0] - C[0], B[1] - C[1]]

        def mass(q):
            return [(m, x) for m, p in zip(masses, parts(q)) for x in p] + [(m * l * l / 12, x) for m, l, x in zip(masses, (self.a, self.b, self.c), q)]
        return rest(V, q, closed, mass)

    PINS = ("O.Fx", "O.Fy", "A.Fx", "A.Fy", "B.Fx", "B.Fy", "Q.Fx", "Q.Fy")

    def check_fourbar(self, done, stability, what=""):
        q, forces = self.FOUND[stability]
        found, _, mu = self.fourbar_curvature(q)
        self.near(found, q, 1e-11)
        self.state(done, stability, mu, what)
        for column, want in zip(self.PINS, forces):
            self.force(done, column, want, what, 260)
        return q

    def test_fourbar_with_spring(self):
        for stability, start, methods in (("stable", 5.7, METHODS), ("unstable", 3.05, ("lagrange",))):
            for method in methods:
                done = self.at(self.fourbar(start), method, "--frame", "ground")
                q = self.check_fourbar(done, stability, method)
                for body, want in zip(("crank", "coupler", "rocker"), q):
                    self.angle(done, f"{body}.angle", want, 0.3, method)

    def in_space(self, start):
        flat = self.fourbar(start)
        bodies = {}
        for name, b in flat["bodies"].items():
            markers = {k: [*v, 0] for k, v in b["markers"].items()}
            if name == "ground":
                bodies[name] = {"markers": markers}
                continue
            bodies[name] = {"mass": b["mass"], "inertia": [1e-3, b["inertia"], b["inertia"]], "centroid": [*b["centroid"], 0], "markers": markers,
                            "pose": {"at": [*b["pose"]["at"], 0], "rotate": {"axis": [0, 0, 1], "angle": b["pose"]["angle"]}}}
        return {**flat, "space": "spatial", "gravity": [0, -g, 0], "bodies": bodies}

    def test_fourbar_in_space_with_four_hinges(self):
        """redundant by three: what stays in the plane is the planar model's, and unique"""
        for stability, start, methods in (("stable", 5.7, METHODS), ("unstable", 3.05, ("lagrange",))):
            for method in methods:
                done = self.at(self.in_space(start), method, "--frame", "ground")
                m = done.result["mobility"]
                self.assertEqual((m["coordinates"], m["rows"], m["rank"], m["redundant"], m["degrees_of_freedom"]), (18, 20, 17, 3, 1))
                q = self.check_fourbar(done, stability, method)
                for body, want in zip(("crank", "coupler", "rocker"), q):
                    s = done.series
                    self.near(wrapped(2 * math.atan2(s[f"{body}.qz"][0], s[f"{body}.qw"][0]) - want), 0, self.slack(done, length=0.3), f"{method} {body}")
                    self.near([s[f"{body}.qx"][0], s[f"{body}.qy"][0], s[f"{body}.z"][0]], [0, 0, 0], self.slack(done), f"{method} {body}")
                self.assertEqual({done.marks[p] for p in self.PINS}, {"unique"})
                self.assertEqual(done.marks["O.Fz"], "not unique")
                self.near(done.series["O.Fz"][0], 0, 1e-6, "no load along z: least norm is none")


class Specification(Statics):
    """S1, S2, S3 of reference-000.json"""

    A, B, Dp = (0.0, 0.0), (3.0, 0.0), (1.5, 3.0)

    @staticmethod
    def meet(p, r, q, s, side=1):
        """the point at r from p and s from q, left of p to q for side 1"""
        p, q = np.array(p, float), np.array(q, float)
        d = np.hypot(*(q - p))
        x = (r * r - s * s + d * d) / (2 * d)
        e = (q - p) / d
        return p + x * e + side * math.sqrt(r * r - x * x) * np.array([-e[1], e[0]])

    @staticmethod
    def along(p, q):
        return math.atan2(q[1] - p[1], q[0] - p[0])

    def s1(self, psi):
        p1 = np.array([cos(psi), sin(psi)])
        p2 = self.meet(p1, 2.6, self.B, 1.9)
        put = lambda p, q: {"at": [float(x) for x in p], "angle": self.along(p, q)}                               # noqa: E731
        bodies = {"ground": {"markers": {"B": list(self.B), "D": list(self.Dp)}},
                  "two": {"mass": 2.0, "centroid": [0.45, 0.05], "inertia": 0.2, "markers": {"E": [1, 0]}, "pose": put((0, 0), p1)},
                  "three": {"mass": 3.0, "centroid": [1.2, 0.2], "inertia": 1.7, "markers": {"E": [2.6, 0], "P": [1.3, 0.8], "F": [2.0, 0.5]}, "pose": put(p1, p2)},
                  "four": {"mass": 2.5, "centroid": [0.9, -0.1], "inertia": 0.8, "markers": {"E": [1.9, 0], "S": [0.6, 0.3]}, "pose": put(self.B, p2)}}
        joints = {"jA": pin("ground", "two"), "j1": pin("two.E", "three"), "j2": pin("three.E", "four.E"), "jB": pin("ground.B", "four")}

        def law(first, second, k, c, free):
            return spring(first, second, k, free, force=cubic(k, c, free))
        loads = {"s1B": law("two.E", "ground.B", 200.0, 0.5, 2.0), "sPS": law("three.P", "four.S", 120.0, 0.3, 0.9), "sDP": law("ground.D", "three.P", 80.0, 0.0, 1.1),
                 "ss": law("ground", "three.E", 150.0, 0.2, 2.4),
                 "coil": {"type": "torsion-spring", "joint": "jA", "stiffness": 40.0, "free_angle": 0.3, "torque": cubic(40.0, 0.2, 0.3, "jA.angle")},
                 "push": {"type": "force", "to": "three.F", "value": [10, -20]}, "twist": {"type": "torque", "to": "four", "value": 5},
                 "spin": {"type": "rotating-frame", "speed": 2, "axis": [0, 0, 1], "center": [0, 0]}}
        return planar(bodies, joints, loads, DOWN)

    def test_s1_with_seven_kinds_of_load(self):
        psi, curvature = -0.299851857331, 480.401047077 / 5.32472141782
        p1, p2 = (0.955380257794, -0.295378677322), (2.46335833137, 1.82263976679)
        for method in METHODS:
            for start in (0.0,) if method != "relaxation" else (0.0, 0.9):
                done = self.at(self.s1(start), method)
                self.angle(done, "two.angle", psi, what=f"{method} from {start}")
                self.place(done, "three", p1, method)
                self.angle(done, "three.angle", self.along(p1, p2), what=method)
                self.angle(done, "four.angle", self.along(self.B, p2), what=method)
                self.state(done, "stable", curvature, method)

    def s2_point(self, q):
        p1, p3 = turned((1.0, 0), q[0]), turned((0.9, 0), q[3], (2.0, 0))
        return p1, turned((1.6, 0), q[1], p1), turned((1.5, 0), q[2], p3), p3

    S2 = [("two", 1.5, (0.5, 0.0), 0.15), ("three", 2.0, (0.7, 0.1), 0.45), ("four", 1.8, (0.6, -0.1), 0.4), ("five", 1.2, (0.4, 0.0), 0.1)]

    def s2_numpy(self, q):
        centres = lambda q: [turned(b[2], x, at) for b, x, at in zip(self.S2, q, ((0, 0), self.s2_point(q)[0], self.s2_point(q)[3], (2.0, 0)))]  # noqa: E731

        def V(q):
            p1, _, _, p3 = self.s2_point(q)
            x = gap(p1, p3) - 1.9
            return (sum((b[1] * g * c[1] for b, c in zip(self.S2, centres(q))), 0.0) + 300 * (x**2 * 0.5 + 0.4 / 4 * x**4)
                    + 30 * (q[0] - 2.0)**2 + 25 * (q[3] - 1.2)**2)

        def closed(q):
            _, p2, other, _ = self.s2_point(q)
            return [p2[0] - other[0], p2[1] - other[1]]
        mass = lambda q: [(b[1], x) for b, c in zip(self.S2, centres(q)) for x in c] + [(b[3], x) for b, x in zip(self.S2, q)]  # noqa: E731
        q, _, mu = rest(V, q, closed, mass)
        return q, mu, V(q) if not isinstance(V(q), D) else V(q).v

    def test_s2_five_bars(self):
        p1, p2, p3 = (-0.0701943005788, 0.997533337872), (1.06369731702, 2.12637779108), (1.92266254115, 0.896671019638)
        want = (1.64104839959, self.along(p1, p2), self.along(p3, p2), 1.65683294215)
        q, mu, energy = self.s2_numpy(want)
        self.near(q, want, 1e-10)
        s1 = (cos(2.0), sin(2.0))
        s3 = tuple(turned((0.9, 0), 1.2, (2.0, 0)))
        s2 = (1.03000545062, 1.59387288821)
        poses = (((0, 0), 2.0), (s1, self.along(s1, s2)), (s3, self.along(s3, s2)), ((2.0, 0), 1.2))
        bodies = {"ground": {"markers": {"B": [2.0, 0]}}}
        for (name, m, G, J), (at, angle), length in zip(self.S2, poses, (1.0, 1.6, 1.5, 0.9)):
            bodies[name] = {"mass": m, "centroid": list(G), "inertia": J, "markers": {"E": [length, 0]}, "pose": {"at": [float(x) for x in at], "angle": angle}}
        joints = {"jA": pin("ground", "two"), "j1": pin("two.E", "three"), "j2": pin("three.E", "four.E"), "j3": pin("five.E", "four"), "jB": pin("ground.B", "five")}
        loads = {"s": spring("two.E", "five.E", 300.0, 1.9, force=cubic(300.0, 0.4, 1.9)),
                 "c2": {"type": "torsion-spring", "joint": "jA", "stiffness": 60, "free_angle": 2.0},
                 "c5": {"type": "torsion-spring", "joint": "jB", "stiffness": 50, "free_angle": 1.2}}
        for method in METHODS:
            done = self.at(planar(bodies, joints, loads, DOWN), method)
            for (name, *_), x in zip(self.S2, want):
                self.angle(done, f"{name}.angle", x, what=method)
            self.state(done, "stable", mu, method)
            self.near(done.result["equilibrium"]["energy"], energy, 1e-4 if method == "penalty" else 1e-9 * max(1, abs(energy)), method)

    # S3: RSSR with a spring at the middle of its rod
    uA, uB, Bs, Ds = np.array([0, 0, 1.0]), np.array([0.6, 0, 0.8]), np.array([1.2, 0.4, 0.1]), [0.6, -0.5, 0.7]
    I2 = [0.02, 0.05, 0.06, 0.001, 0.002, 0.0]
    I4 = [0.05, 0.25, 0.27, 0.0, -0.004, 0.003]

    def rssr(self, psi, r2, ball=False):
        """the rod's spin: free (ball) or held by a universal joint at the crank; r2: a place near, brought onto the loop here"""
        r1 = 0.5 * np.array([cos(psi), sin(psi), 0])
        e1 = np.array([0.8, 0, -0.6])
        e2 = np.cross(self.uB, e1)
        beta = math.atan2((r2 - self.Bs) @ e2, (r2 - self.Bs) @ e1)
        for _ in range(50):
            r2 = self.Bs + 0.9 * (cos(beta) * e1 + sin(beta) * e2)
            beta -= ((r2 - r1) @ (r2 - r1) - 1.69) / (2 * (r2 - r1) @ (0.9 * (cos(beta) * e2 - sin(beta) * e1)))

        def frame(x, z):
            x = x / np.linalg.norm(x)
            z = z - (z @ x) * x
            z = z / np.linalg.norm(z)
            return {"quaternion": [float(v) for v in space.quaternion(np.column_stack([x, np.cross(z, x), z]))]}
        J = 1.5 * 1.69 / 12
        along = (r2 - r1) / np.linalg.norm(r2 - r1)
        side = np.cross(along, self.uA)                                                     # the rod's z: square to the crank's axis
        bodies = {"ground": {"markers": {"B": {"at": [float(x) for x in self.Bs], "axis": [0.6, 0, 0.8]}, "D": self.Ds}},
                  "crank": {"mass": 2.0, "centroid": [0.2, 0.03, 0.05], "inertia": self.I2, "markers": {"E": [0.5, 0, 0]}, "pose": {"at": [0, 0, 0], "rotate": frame(r1, self.uA)}},
                  "rod": {"mass": 1.5, "centroid": [0.65, 0, 0], "inertia": [1e-3 if ball else 0, J, J], "markers": {"E": [1.3, 0, 0], "M": [0.65, 0, 0]},
                          "pose": {"at": [float(x) for x in r1], "rotate": frame(along, side)}},
                  "rocker": {"mass": 3.0, "centroid": [0.4, -0.05, 0.02], "inertia": self.I4, "markers": {"E": [0.9, 0, 0]},
                             "pose": {"at": [float(x) for x in self.Bs], "rotate": frame(r2 - self.Bs, self.uB)}}}
        joints = {"jA": pin("ground", "crank"), "j1": pin("crank.E", "rod", "spherical" if ball else "universal"), "j2": pin("rod.E", "rocker.E", "spherical"),
                  "jB": pin("ground.B", "rocker")}
        m = spatial(bodies, joints, {"s": spring("rod.M", "ground.D", 400.0, 0.4, force=cubic(400.0, 0.6, 0.4))}, [0, 0, -g])
        m["output"] = {"X1": "x(crank.E)", "Y1": "y(crank.E)", "X2": "x(rocker.E)", "Y2": "y(rocker.E)", "Z2": "z(rocker.E)"}
        return m

    S3 = {"stable": ((0.0592564525743, -0.496476256057, 0.490682463776, 0.554457886684, 0.631988152168), 55.8105510142, -1.45200422836),
          "unstable": ((0.165998480486, 0.471640227797, 1.1606194137, 1.29865278457, 0.129535439725), -227.622340536, 1.23237649976)}
    START = np.array([1.23735796358, 1.29878771005, 0.0719815273131])

    def rssr_mass(self, points):
        """reduced mass of the crank's angle: turning bodies, and a thin rod between velocities v1, v2"""
        r1, r2 = np.array([*points[:2], 0]), np.array(points[2:])
        v1, w = np.cross(self.uA, r1), np.cross(self.uB, r2 - self.Bs)
        rate = (r2 - r1) @ v1 / ((r2 - r1) @ w)
        v2 = rate * w
        return 0.06 + 2 * (0.2**2 + 0.03**2) + (0.27 + 3 * (0.4**2 + 0.05**2)) * rate**2 + 0.5 * (v1 @ v1 + v1 @ v2 + v2 @ v2)

    def test_s3_in_space(self):
        for stability, start, methods in (("stable", -1.2, METHODS), ("unstable", 1.2, ("lagrange",))):
            points, K, _ = self.S3[stability]
            for ball in (False, True):
                for method in methods:
                    done = self.at(self.rssr(start, np.array(points[2:]), ball), method)
                    what = f"{stability} {method} ball={ball}"
                    for column, want in zip(("X1", "Y1", "X2", "Y2", "Z2"), points):
                        self.near(done.series[column][0], want, self.slack(done), f"{what} {column}")
                    if ball and stability == "stable":                              # the rod spins freely about itself
                        self.state(done, "neutral", what=what)
                    else:
                        self.state(done, stability, K / self.rssr_mass(points), what)

    def test_s3_from_the_stored_start(self):
        for method in ("energy", "penalty", "relaxation"):
            done = self.at(self.rssr(0.7, self.START), method)
            self.assertEqual(done.result["equilibrium"]["stability"], "stable", method)


if __name__ == "__main__":
    cli.main()
