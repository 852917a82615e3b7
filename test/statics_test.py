#!/usr/bin/env python3
# ctest: long natural-slow joint-slow
"""Statics: equilibrium, stability, curvature and reactions, through the command line, by all five methods.

Expected numbers are closed forms, published and computed ones (examples and problems 6.5.1, 6.5.2 of Haug) and
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

METHODS = ("energy", "lagrange", "penalty", "augmented", "virtual-power", "relaxation")
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
    return {"mass": mass, "inertia": mass * length**2 / 12, "centroid": [length / 2, 0],
            "pose": {"at": [float(x) for x in at], "angle": float(angle)},
            "markers": {"E": [length, 0], **markers}}


def pin(first, second, kind="revolute", **more):
    return {"type": kind, "between": [first, second], **more}


def spring(first, second, stiffness, free, **more):
    return {"type": "spring", "between": [first, second], "stiffness": stiffness, "free_length": free, **more}


def particle(mass, *at):
    return {"particle": True, "mass": mass, "pose": {"at": list(at)}}


def cubic(k, c, free, name="l"):
    """the part k c (x - free)^3 of hardening springs"""
    return f"{k * c!r}*({name} - {free!r})^3"


class Statics(cli.Case):
    """`at`: one run, with what holds of every run checked."""

    def at(self, model, method=None, *flags, loads=None, **options):
        flags = (["--method", method] if method else []) + list(flags)
        done = cli.run_model(model, "statics", *flags, **options)
        self.assertEqual(done.code, 0, f"{method}: {done.said()}")
        r = done.result
        self.assertEqual(r["analysis"], "statics")
        for key in ("roberval", "frame", "model", "mobility", "reactions", "drives", "constraints", "loads", "self_stress", "groups",
                    "audit", "series"):
            self.assertIn(key, r)
        e = r["equilibrium"]
        for key in ("coordinates", "bodies", "energy", "stability", "curvature", "iterations", "method"):
            self.assertIn(key, e)
        self.assertIn(e["stability"], ("stable", "unstable", "neutral", None) if "--locked" in flags else ("stable", "unstable", "neutral"))
        if method:
            self.assertEqual(e["method"], method)
        self.assertEqual(set(e["bodies"]), {b for b in model["bodies"] if b != "ground"})
        self.assertTrue(all(len(c) == 1 for c in done.series.values()), "one row")
        self.assertEqual([c.split(" ")[0] for c in done.columns], r["series"]["columns"])
        for name, pose in e["bodies"].items():
            n = 2 if model["space"] == "planar" else 3
            self.assertEqual(len(pose["at"]), n)
            self.near(pose["at"], [done.series[f"{name}.{x}"][0] for x in "xyz"[:n]], 1e-15, name)
        if e["curvature"] is None and r["mobility"]["degrees_of_freedom_position"]:
            self.assertTrue(r["notes"], f"{method}: no curvature, and no note says why")
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

    def neutral(self, done, what=""):
        """the penalty method stands beside the constraints by 1e-6 m or so and feels a curvature of that size"""
        e = done.result["equilibrium"]
        if e["method"] == "penalty":
            self.assertLess(abs(e["curvature"] or 0.0), 0.1, what)
        else:
            self.state(done, "neutral", what=what)

    def force(self, done, column, want, what="", scale=None):
        tol = 1e-4 if done.result["equilibrium"]["method"] == "penalty" else TOL
        self.near(done.series[column][0], want, tol * max(scale or 0, abs(want), 1.0), f"{what} {column}")

    def energy(self, done, want, what="", forces=100.0):
        """off by less than the forces along the way that the penalty method is off"""
        tol = 10 * forces * done.result["equilibrium"]["penalty"]["position_error"] if "penalty" in done.result["equilibrium"] else 0.0
        self.near(done.result["equilibrium"]["energy"], want, tol + TOL * max(1, abs(want)), f"{what} energy")

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
        for column, want in zip(("guide.Fx", "pin.Fx", "pin.Fy", "mid.Fx", "mid.Fy"),
                                (-4.72874680960644, 4.72874680960644, 19.62, 4.72874680960644, 9.81)):
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
            self.energy(done, -3.5760695447383 * g, method)

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
                    mod = planar({"arm": body}, {"hinge": pin("ground", "arm")},
                                 {"coil": {"type": "torsion-spring", "joint": "hinge", "stiffness": k, "free_angle": free}},
                                 DOWN, initial={"hinge.angle": phi + 0.1})
                    what = f"{method} k={k} phi={phi:.3f}"
                    done = self.at(mod, method)
                    self.near(done.result["equilibrium"]["coordinates"]["hinge.angle"], phi, self.slack(done, length=l), what)
                    self.state(done, "stable" if second > 0 else "unstable", second / (m * l * l + J), what)
                    self.energy(done, energy, what)
                    self.force(done, "coil.torque", k * (phi - free), what)
                    self.force(done, "hinge.Fy", m * g, what)

    def test_example_6_5_2_of_haug(self):
        F, L1, L2 = 25.0, 1.2, 0.8
        want = (-0.9414461053330804, -0.3739375323061)
        centres = lambda q: (turned((L1 / 2, 0), q[0]), turned((L2 / 2, 0), q[1], turned((L1, 0), q[0])))         # noqa: E731
        V = lambda q: 3 * g * centres(q)[0][1] + 2 * g * centres(q)[1][1] - F * (L1 * Cos(q[0]) + L2 * Cos(q[1]))  # noqa: E731
        mass = lambda q: [(3.0, x) for x in centres(q)[0]] + [(2.0, x) for x in centres(q)[1]] + [(3 * L1**2 / 12, q[0]),  # noqa: E731
                                                                                                  (2 * L2**2 / 12, q[1])]
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
            done = self.at(planar({"block": particle(2.0, 0, -0.5)}, {"guide": pin("ground", "block", "x")},
                                  {"s": spring("ground", "block", 150.0, 0.0)}, DOWN), method)
            self.place(done, "block", (0, -0.1308), method)
            self.state(done, "stable", 75.0, method)
            self.energy(done, -1.2831480000000002, method)

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
        parts = lambda q: [turned((self.a / 2, 0), q[0]), turned((self.b / 2, 0), q[1], turned((self.a, 0), q[0])),  # noqa: E731
                           turned((self.c / 2, 0), q[2], (self.d, 0))]
        masses = (1.0, 2.5, 2.0)
        V = lambda q: sum((m * g * p[1] for m, p in zip(masses, parts(q))),  # noqa: E731
                          0.0) + 200.0 * (gap(turned((self.a, 0), q[0]), (self.d, 0)) - 0.5)**2

        def closed(q):
            B, C = turned((self.b, 0), q[1], turned((self.a, 0), q[0])), turned((self.c, 0), q[2], (self.d, 0))
            return [B[0] - C[0], B[1] - C[1]]

        def mass(q):
            return [(m, x) for m, p in zip(masses, parts(q)) for x in p] + [(m * l * l / 12, x) for m, l,
                                                                            x in zip(masses, (self.a, self.b, self.c), q)]
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
                    self.near(wrapped(2 * math.atan2(s[f"{body}.qz"][0], s[f"{body}.qw"][0]) - want), 0, self.slack(done, length=0.3),
                              f"{method} {body}")
                    self.near([s[f"{body}.qx"][0], s[f"{body}.qy"][0], s[f"{body}.z"][0]], [0, 0, 0], self.slack(done), f"{method} {body}")
                self.assertEqual({done.marks[p] for p in self.PINS}, {"unique"})
                self.assertEqual(done.marks["O.Fz"], "not unique")
                self.near(done.series["O.Fz"][0], 0, 1e-6, "no load along z: least norm is none")


class Specification(Statics):
    """published equilibria, computed to 12 digits"""

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
                  "three": {"mass": 3.0, "centroid": [1.2, 0.2], "inertia": 1.7,
                            "markers": {"E": [2.6, 0], "P": [1.3, 0.8], "F": [2.0, 0.5]}, "pose": put(p1, p2)},
                  "four": {"mass": 2.5, "centroid": [0.9, -0.1], "inertia": 0.8, "markers": {"E": [1.9, 0], "S": [0.6, 0.3]},
                           "pose": put(self.B, p2)}}
        joints = {"jA": pin("ground", "two"), "j1": pin("two.E", "three"), "j2": pin("three.E", "four.E"), "jB": pin("ground.B", "four")}

        def law(first, second, k, c, free):
            return spring(first, second, k, free, force=cubic(k, c, free))
        loads = {"s1B": law("two.E", "ground.B", 200.0, 0.5, 2.0), "sPS": law("three.P", "four.S", 120.0, 0.3, 0.9),
                 "sDP": law("ground.D", "three.P", 80.0, 0.0, 1.1),
                 "ss": law("ground", "three.E", 150.0, 0.2, 2.4),
                 "coil": {"type": "torsion-spring", "joint": "jA", "stiffness": 40.0, "free_angle": 0.3, "torque": cubic(40.0, 0.2, 0.3, "jA.angle")},
                 "push": {"type": "force", "to": "three.F", "value": [10, -20]}, "twist": {"type": "torque", "to": "four", "value": 5},
                 "spin": {"type": "rotating-frame", "speed": 2, "axis": [0, 0, 1], "center": [0, 0]}}
        return planar(bodies, joints, loads, DOWN)

    def test_s1_with_seven_kinds_of_load(self):
        psi, curvature = -0.299851857331, 480.401047077 / 5.32472141782
        p1, p2 = (0.955380257794, -0.295378677322), (2.46335833137, 1.82263976679)
        for method in METHODS:
            for start in {"relaxation": (0.0, 0.9), "lagrange": (0.0, .6, .7, .8, .9, 1.0, 1.1, 1.2)}.get(method, (0.0,)):
                done = self.at(self.s1(start), method)
                self.angle(done, "two.angle", psi, what=f"{method} from {start}")
                self.place(done, "three", p1, method)
                self.angle(done, "three.angle", self.along(p1, p2), what=method)
                self.angle(done, "four.angle", self.along(self.B, p2), what=method)
                self.state(done, "stable", curvature, method)

    def test_s1_by_lagrange_from_anywhere(self):
        """some equilibrium is found from every start; a drive that holds the crank there has nothing to do"""
        rng = np.random.default_rng(41)
        for start in [-3.0, *([3.0] if cli.MORE else []), *rng.uniform(-3.14, 3.14, 3 if cli.MORE else 1)]:
            with self.subTest(start=start):
                # 0.5 s; it was 57 s when energies of laws near a free length were sought to more digits than their lengths have
                done = self.at(self.s1(start), "lagrange", timeout=10)
                held = self.s1(start)
                for name, body in done.result["equilibrium"]["bodies"].items():
                    held["bodies"][name]["pose"] = {"at": body["at"], "angle": body["angle"]}
                held["drives"] = {"hold": {"coordinate": "jA.angle", "motion": f"{done.result['equilibrium']['coordinates']['jA.angle']!r} + 0*t"}}
                held["motion"] = {"from": 0, "to": 0, "step": 1}
                result = self.ok(held, "inverse").result
                self.assertLess(abs(result["drives"]["hold"]["first"]), 1e-7, result["drives"])

    def s2_point(self, q):
        p1, p3 = turned((1.0, 0), q[0]), turned((0.9, 0), q[3], (2.0, 0))
        return p1, turned((1.6, 0), q[1], p1), turned((1.5, 0), q[2], p3), p3

    S2 = [("two", 1.5, (0.5, 0.0), 0.15), ("three", 2.0, (0.7, 0.1), 0.45), ("four", 1.8, (0.6, -0.1), 0.4), ("five", 1.2, (0.4, 0.0), 0.1)]

    def s2_numpy(self, q):
        centres = lambda q: [turned(b[2], x, at) for b, x,  # noqa: E731
                             at in zip(self.S2, q, ((0, 0), self.s2_point(q)[0], self.s2_point(q)[3], (2.0, 0)))]

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
            bodies[name] = {"mass": m, "centroid": list(G), "inertia": J, "markers": {"E": [length, 0]},
                            "pose": {"at": [float(x) for x in at], "angle": angle}}
        joints = {"jA": pin("ground", "two"), "j1": pin("two.E", "three"), "j2": pin("three.E", "four.E"), "j3": pin("five.E", "four"),
                  "jB": pin("ground.B", "five")}
        loads = {"s": spring("two.E", "five.E", 300.0, 1.9, force=cubic(300.0, 0.4, 1.9)),
                 "c2": {"type": "torsion-spring", "joint": "jA", "stiffness": 60, "free_angle": 2.0},
                 "c5": {"type": "torsion-spring", "joint": "jB", "stiffness": 50, "free_angle": 1.2}}
        for method in METHODS:
            done = self.at(planar(bodies, joints, loads, DOWN), method)
            for (name, *_), x in zip(self.S2, want):
                self.angle(done, f"{name}.angle", x, what=method)
            self.state(done, "stable", mu, method)
            self.energy(done, energy, method)

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
                  "crank": {"mass": 2.0, "centroid": [0.2, 0.03, 0.05], "inertia": self.I2, "markers": {"E": [0.5, 0, 0]},
                            "pose": {"at": [0, 0, 0], "rotate": frame(r1, self.uA)}},
                  "rod": {"mass": 1.5, "centroid": [0.65, 0, 0], "inertia": [1e-3 if ball else 0, J, J],
                          "markers": {"E": [1.3, 0, 0], "M": [0.65, 0, 0]},
                          "pose": {"at": [float(x) for x in r1], "rotate": frame(along, side)}},
                  "rocker": {"mass": 3.0, "centroid": [0.4, -0.05, 0.02], "inertia": self.I4, "markers": {"E": [0.9, 0, 0]},
                             "pose": {"at": [float(x) for x in self.Bs], "rotate": frame(r2 - self.Bs, self.uB)}}}
        joints = {"jA": pin("ground", "crank"), "j1": pin("crank.E", "rod", "spherical" if ball else "universal"),
                  "j2": pin("rod.E", "rocker.E", "spherical"),
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
                    with self.subTest(method=method):
                        done = self.at(self.rssr(start, np.array(points[2:]), ball), method)
                        what = f"{stability} {method} ball={ball}"
                        for column, want in zip(("X1", "Y1", "X2", "Y2", "Z2"), points):
                            self.near(done.series[column][0], want, self.slack(done), f"{what} {column}")
                        self.assertEqual(done.result["mobility"]["idle"], int(ball))     # the rod's spin about itself moves nothing, and is held
                        self.state(done, stability, K / self.rssr_mass(points), what)

    def test_s3_from_the_stored_start(self):
        for method in ("energy", "penalty", "relaxation"):
            done = self.at(self.rssr(0.7, self.START), method)
            self.assertEqual(done.result["equilibrium"]["stability"], "stable", method)


# ---- closed forms ----------------------------------------------------------------------------------------------------

class Closed(Statics):
    def pendulum(self, angle, length=1.0, mass=2.0, **more):
        return planar({"arm": rod(length, mass, angle)}, {"hinge": pin("ground", "arm")}, gravity=DOWN, **more)

    def test_pendulum_hanging_and_upright(self):
        for method in METHODS:
            done = self.at(self.pendulum(-0.6), method)
            self.angle(done, "arm.angle", -pi / 2, what=method)
            self.state(done, "stable", 1.5 * g, method)
            self.force(done, "hinge.Fy", 2 * g, method)
        done = self.at(self.pendulum(1.5), "lagrange")
        self.angle(done, "arm.angle", pi / 2)
        self.state(done, "unstable", -1.5 * g)
        self.assertIn("hinge.angle", str(done.result["equilibrium"].get("falls_by")))

    def test_where_no_joint_has_a_coordinate_the_motion_of_the_body_is_named(self):
        """a block on a line, free along it: x or y, whichever moves more; an upright rod held by x and y alone: its angle; on a ball in space: a turn"""
        for angle in (0.2, 0.7, 0.9, 1.3, 2.0, 2.9, -0.4):
            line = {"ground": {"markers": {"g": {"at": [0, 0], "angle": angle}}}, "block": {"mass": 1, "inertia": 1}}
            done = self.at(planar(line, {"line": {"type": "slot", "between": ["ground.g", "block"]}, "flat": {"type": "parallel", "between": ["ground", "block"]}}), "lagrange")
            self.assertEqual(done.result["equilibrium"]["falls_by"], "x(block)" if abs(cos(angle)) > abs(sin(angle)) else "y(block)")
        hold = {k: {"type": k, "between": ["ground", "arm"]} for k in ("x", "y")}
        done = self.at(planar({"arm": rod(1.0, 2.0, pi / 2)}, hold, gravity=DOWN), "lagrange")
        self.assertEqual(done.result["equilibrium"]["falls_by"], "angle(arm)")
        for direction, name in (([1, 0, 0], "x"), ([0, 1, 0], "y")):
            body = {"mass": 2, "centroid": [0, 0, 0.5], "inertia": [0.1, 0.1, 0.1]}
            held = {"ball": {"type": "spherical", "between": ["ground", "arm"]},
                    "upright": {"type": "perpendicular", "between": ["ground.s", "arm"]}}     # z of the rod stays square to the axis that may not tilt
            ground = {"markers": {"s": {"at": [0, 0, 0], "axis": direction}}}
            done = self.at({"roberval": 1, "space": "spatial", "bodies": {"ground": ground, "arm": body}, "joints": held, "loads": {}, "gravity": [0, 0, -g]}, "lagrange")
            self.assertEqual(done.result["equilibrium"]["falls_by"], f"a turn of arm about {name}")

    def test_started_level(self):
        """where the stiffness of one rod is zero and that of several is of both signs"""
        l, m = 0.4, 0.5
        for n in (1, 2, 5):
            def middle(q):
                x, y, out = 0.0, 0.0, []
                for a in q:
                    c, s = l * Cos(a), l * Sin(a)
                    out.append((x + 0.5 * c, y + 0.5 * s))
                    x, y = x + c, y + s
                return out
            _, _, mu = rest(lambda q: sum((m * g * p[1] for p in middle(q)), 0.0), [-pi / 2] * n,
                            mass=lambda q: [(m, x) for p in middle(q) for x in p] + [(m * l * l / 12, a) for a in q])
            bodies = {f"b{i}": rod(l, m, 0, (i * l, 0)) for i in range(n)}
            joints = {f"j{i}": pin(f"b{i - 1}.E" if i else "ground", f"b{i}") for i in range(n)}
            for method in ("energy", "penalty", "virtual-power", "relaxation"):
                with self.subTest(method=method, rods=n):
                    done = self.at(planar(bodies, joints, gravity=DOWN), method)
                    for i in range(n):
                        self.angle(done, f"b{i}.angle", -pi / 2, l / n, method)
                    self.state(done, "stable", mu, method)

    def test_started_at_a_spring_of_no_length(self):
        mod = planar({"dot": particle(2.0, 0, 0)}, {}, {"s": spring("ground", "dot", 100.0, 0.0)}, DOWN)
        for method in METHODS:
            with self.subTest(method=method):
                done = self.at(mod, method)
                self.place(done, "dot", (0, -2 * g / 100), method)
                self.state(done, "stable", 50.0, method)

    def test_started_exactly_upright(self):
        """a saddle is left by the method that minimises, kept by the one that only balances"""
        self.state(self.at(self.pendulum(pi / 2), "energy"), "stable", 1.5 * g)
        self.state(self.at(self.pendulum(pi / 2), "lagrange"), "unstable", -1.5 * g)

    def balance(self, tilt, left, right, loads=(50.0, 50.0)):
        """Roberval's: two beams of half length 0.4 on posts 0.3 apart, two hangers; weights `left`, `right` out on their plates"""
        e = 0.4 * np.array([cos(tilt), sin(tilt)])
        beam = lambda y: {"mass": 1.5, "inertia": 0.05, "pose": {"at": [0, y], "angle": tilt},  # noqa: E731
                          "markers": {"L": [-0.4, 0], "R": [0.4, 0]}}
        hanger = lambda at, reach: {"mass": 0.5, "inertia": 0.01, "pose": {"at": [float(x) for x in at]},  # noqa: E731
                                    "markers": {"T": [0, 0.3], "W": [reach, 0.4]}}
        bodies = {"ground": {"markers": {"T": [0, 0.3]}}, "low": beam(0.0), "high": beam(0.3), "lh": hanger(-e, left), "rh": hanger(e, right)}
        joints = {"p": pin("ground", "low"), "q": pin("ground.T", "high"), "ll": pin("low.L", "lh"), "lr": pin("low.R", "rh"),
                  "hl": pin("high.L", "lh.T"),
                  "hr": pin("high.R", "rh.T")}
        forces = {"wl": {"type": "force", "to": "lh.W", "value": [0, -loads[0]]}, "wr": {"type": "force", "to": "rh.W", "value": [0, -loads[1]]}}
        return planar(bodies, joints, forces, DOWN)

    def test_roberval_balance_is_neutral_wherever_the_weights_sit(self):
        for tilt in (0.0, 0.2):
            for left, right in ((0.0, 0.0), (-0.3, 0.1), (0.25, 0.6)):
                for method in METHODS if left == right == 0 else [m for m in METHODS if m not in ("penalty", "augmented")]:
                    with self.subTest(method=method):
                        what = f"{method} tilt {tilt} weights at {left}, {right}"
                        done = self.at(self.balance(tilt, left, right), method, "--frame", "ground")
                        if method not in ("penalty", "augmented"):   # any tilt is an equilibrium; that method drifts along on its stretch
                            self.near(done.series["low.angle"][0], tilt, 1e-6, what)
                        self.neutral(done, what)
                        s = {k: v[0] for k, v in done.series.items()}
                        scale = 1e-4 if method == "penalty" else 1e-9
                        self.near(s["ll.Fy"] + s["hl.Fy"], 50 + 0.5 * g, 60 * scale, f"{what}: the hanger is carried")
                        self.near(s["p.Fy"] + s["q.Fy"], 100 + 4 * g, 150 * scale, f"{what}: all is carried")
                        self.near(s["hl.Fx"] * 0.3, -left * 50, 150 * scale, f"{what}: moment on the left hanger about its lower pin")
                        self.near(s["hr.Fx"] * 0.3, -right * 50, 150 * scale, f"{what}: moment on the right hanger")

    def test_roberval_balance_with_a_coil_weighs(self):
        """10 N more on the left, wherever it sits, against a coil: 4 cos(tilt) = k tilt"""
        tilt = 0.5
        k = 4 * cos(tilt) / tilt
        for left, right in ((0.0, 0.0), (-0.3, 0.1)):
            mod = self.balance(0.2, left, right, (50.0, 40.0))
            mod["loads"]["coil"] = {"type": "torsion-spring", "joint": "p", "stiffness": k}
            for method in METHODS:
                done = self.at(mod, method)
                what = f"{method} {left} {right}"
                self.angle(done, "low.angle", tilt, 0.4, what)
                e = done.result["equilibrium"]
                self.assertEqual(e["stability"], "stable", what)
                if method != "penalty" or e["curvature"] is not None:
                    self.state(done, "stable", (4 * sin(tilt) + k) / (2 * 0.5 * 0.16 + 2 * 0.05), what)

    def truss(self, height, load, k=1000.0, rise=0.3, mass=3.0):
        bodies = {"ground": {"markers": {"L": [-1, 0], "R": [1, 0]}}, "top": particle(mass, 0, height)}
        free = math.hypot(1, rise)
        loads = {"a": spring("ground.L", "top", k, free), "b": spring("ground.R", "top", k, free),
                 "P": {"type": "force", "to": "top", "value": [0, -load]}}
        return planar(bodies, {"guide": pin("ground", "top", "x")}, loads)

    def test_von_mises_truss(self):
        k, free, m = 1000.0, math.hypot(1, 0.3), 3.0
        for y, stability in ((0.25, "stable"), (0.1, "unstable"), (-0.05, "unstable"), (-0.33, "stable"), (0.3, "stable")):
            l = math.hypot(1, y)
            load = -2 * k * (1 - free / l) * y
            second = 2 * k * (1 - free / l + free * y * y / l**3)
            self.assertEqual(second > 0, stability == "stable")
            for method in METHODS if stability == "stable" else ("lagrange",):
                done = self.at(self.truss(y + 0.01, load), method)
                self.place(done, "top", (0, y), f"{method} {y}")
                self.state(done, stability, second / m, f"{method} {y}")
                self.force(done, "a.force", k * (l - free), method)
                self.force(done, "guide.Fx", 0, method, 100)

    def test_truss_snaps_through_over_its_limit(self):
        """beyond the limit load only the lower branch is left: found by bisection of the load's closed form"""
        k, free = 1000.0, math.hypot(1, 0.3)
        load = lambda y: -2 * k * (1 - free / math.hypot(1, y)) * y                   # noqa: E731
        limit = max(load(y) for y in np.linspace(0, 0.3, 3001))
        low, high = -1.0, -0.3
        for _ in range(200):
            mid = 0.5 * (low + high)
            low, high = (mid, high) if load(mid) > 1.2 * limit else (low, mid)
        for method in ("energy", "penalty", "virtual-power", "relaxation"):
            done = self.at(self.truss(0.25, 1.2 * limit), method)
            self.place(done, "top", (0, low), method)
            self.state(done, "stable", what=method)

    def ball(self, joint, start, force=None):
        bodies = {"ground": {"markers": {"U": {"at": [0, 0, 0], "axis": [1, 0, 0]}}},
                  "bob": {"mass": 2.0, "centroid": [0, 0, -0.7], "inertia": [0.1, 0.15, 0.05],
                          "pose": {"at": [0, 0, 0], "rotate": {"axis": start[0], "angle": start[1]}},
                          "markers": {"U": {"at": [0, 0, 0], "axis": [0, 1, 0]}, "G": [0, 0, -0.7]}}}
        m = spatial(bodies, {"ball": pin("ground.U", "bob.U", joint)},
                    {"f": {"type": "force", "to": "bob.G", "value": force}} if force else {}, [0, 0, -g])
        m["output"] = {"X": "x(bob.G)", "Y": "y(bob.G)", "Z": "z(bob.G)"}
        return m

    def test_spherical_pendulum_on_a_ball_joint(self):
        """spin about the line of the force costs nothing: neutral; a universal joint takes it away: stable"""
        for force in (None, [8.0, -5.0, 3.0]):
            pull = np.array(force or [0, 0, 0]) + [0, 0, -2 * g]
            for joint in ("spherical", "universal"):
                for method in METHODS:
                    with self.subTest(method=method):
                        what = f"{method} {joint} {force}"
                        done = self.at(self.ball(joint, ([1, 0.5, 0], 0.3), force), method, "--frame", "ground")
                        for column, want in zip("XYZ", 0.7 * pull / np.linalg.norm(pull)):
                            self.near(done.series[column][0], want, self.slack(done), f"{what} {column}")
                        for column, want in zip(("ball.Fx", "ball.Fy", "ball.Fz"), -pull):
                            self.force(done, column, want, what, 20)
                        if joint == "spherical":
                            self.neutral(done, what)
                        else:
                            self.state(done, "stable", None if force else 2 * g * 0.7 / (0.15 + 2 * 0.49), what)

    def test_particle_on_a_link(self):
        for force in ([0, 0, 0], [6.0, 2.0, -4.0]):
            pull = np.array(force) + [0, 0, -2 * g]
            size = np.linalg.norm(pull)
            m = spatial({"bob": particle(2.0, 0.3, 0.2, -math.sqrt(0.49 - 0.13))}, {"rope": pin("ground", "bob", "link")},
                        {"f": {"type": "force", "to": "bob", "value": force}}, [0, 0, -g])
            for method in METHODS:
                done = self.at(m, method)
                self.place(done, "bob", 0.7 * pull / size, method)
                self.force(done, "rope.F", size, method)
                self.state(done, "stable", size / 2 / 0.7, method)
            m["bodies"]["bob"] = particle(2.0,
                                          *[float(x) for x in 0.7 * (np.array([0.1, 0,
                                                                               0.0]) - pull / size) / np.linalg.norm(np.array([0.1, 0,
                                                                                                                               0]) - pull / size)])
            done = self.at(m, "lagrange")
            self.place(done, "bob", -0.7 * pull / size)
            self.force(done, "rope.F", -size)
            self.state(done, "unstable", -size / 2 / 0.7)

    def test_chain_of_twenty_links(self):
        """uniform rods between two pins: tan(angle) = vertical over horizontal tension at each rod's middle"""
        n, l, m, span = 20, 0.1, 0.2, 1.3
        w = m * g
        lift = w * (np.arange(n) - (n - 1) / 2)
        low, high = 1e-3, 1e3
        for _ in range(300):
            H = math.sqrt(low * high)
            low, high = (H, high) if np.cos(np.arctan2(lift, H)).sum() * l < span else (low, H)
        angles = np.arctan2(lift, H)

        def heights(q):
            x, y, out = 0.0, 0.0, []
            for a in q:
                c, s = l * Cos(a), l * Sin(a)
                out.append((x + 0.5 * c, y + 0.5 * s))
                x, y = x + c, y + s
            return out, x, y
        q, _, mu = rest(lambda q: sum((w * p[1] for p in heights(q)[0]), 0.0), angles, lambda q: [heights(q)[1] - span, heights(q)[2]],
                        lambda q: [(m, x) for p in heights(q)[0] for x in p] + [(m * l * l / 12, a) for a in q])
        self.near(q, angles, 1e-12)
        half, at, bodies, joints = math.acos(span / n / l), np.zeros(2), {"ground": {"markers": {"R": [span, 0]}}}, {}
        for i in range(n):
            a = -half if i < n / 2 else half
            bodies[f"b{i}"] = rod(l, m, a, at)
            at = at + l * np.array([cos(a), sin(a)])
            joints[f"j{i}"] = pin(f"b{i-1}.E" if i else "ground", f"b{i}")
        joints["end"] = pin("ground.R", f"b{n-1}.E")
        for method in METHODS:
            done = self.at(planar(bodies, joints, gravity=DOWN), method)
            slack = n * self.slack(done) / l if method == "penalty" else TOL
            self.near([wrapped(done.series[f"b{i}.angle"][0]) for i in range(n)], angles, slack, method)
            self.state(done, "stable", mu, method)
            self.force(done, "j0.Fx", -H, method, n * w)
            self.force(done, "j0.Fy", n * w / 2, method, n * w)
            self.force(done, "end.Fx", H, method, n * w)

    def test_mass_on_a_bushing(self):
        kx, ky, kt, m, J, c = 900.0, 400.0, 30.0, 5.0, 0.2, 0.15
        V = lambda q: 0.5 * kx * q[0]**2 + 0.5 * ky * q[1]**2 + 0.5 * kt * q[2]**2 + m * g * (q[1] + c * Sin(q[2])) - 40.0 * q[0]    # noqa: E731
        q, _, mu = rest(V, (0.01, -0.1, -0.1), mass=lambda q: [(m, q[0] + c * Cos(q[2])), (m, q[1] + c * Sin(q[2])), (J, q[2])])
        self.near(q[:2], [40 / kx, -m * g / ky], 1e-14)
        mod = planar({"engine": {"mass": m, "inertia": J, "centroid": [c, 0]}}, {},
                     {"mount": {"type": "bushing", "between": ["ground", "engine"], "stiffness": [kx, ky, kt],
                     "damping": [3, 3, 1]}, "pull": {"type": "force", "to": "engine", "value": [40, 0]}}, DOWN)
        for method in METHODS:
            done = self.at(mod, method)
            self.place(done, "engine", q[:2], method)
            self.angle(done, "engine.angle", q[2], what=method)
            self.state(done, "stable", mu, method)
            self.force(done, "mount.Fx", -40.0, method)
            self.force(done, "mount.Fy", m * g, method)
            self.force(done, "mount.Tz", m * g * c * cos(q[2]), method)

    def test_mass_on_a_bushing_in_space(self):
        k = [500.0, 600.0, 700.0, 20.0, 30.0, 40.0]
        mod = spatial({"engine": {"mass": 4.0, "inertia": [0.1, 0.2, 0.25],
                                  "pose": {"at": [0.1, 0, 0], "rotate": {"axis": [1, 1, 0], "angle": 0.4}}}}, {},
                      {"mount": {"type": "bushing", "between": ["ground", "engine"], "stiffness": k}}, [0, 0, -g])
        for method in METHODS:
            done = self.at(mod, method)
            self.place(done, "engine", (0, 0, -4 * g / 700), method)
            s = done.series
            self.near([s["engine.qx"][0], s["engine.qy"][0], s["engine.qz"][0]], [0, 0, 0], self.slack(done), method)
            self.state(done, "stable", min(500 / 4, 20 / 0.1, 30 / 0.2, 40 / 0.25), method)
            self.force(done, "mount.Fz", 4 * g, method)

    def governor(self, speed, angle, l=0.5):
        return spatial({"ball": particle(1.2, l * sin(angle), 0, -l * cos(angle))},
                       {"arm": pin("ground", "ball", "link"), "plane": pin("ground", "ball", "y")},
                       {"spin": {"type": "rotating-frame", "speed": speed, "axis": [0, 0, 1]}}, [0, 0, -g])

    def test_governor_in_a_rotating_frame(self):
        l, w = 0.5, 7.0
        phi = math.acos(g / (w * w * l))
        for method in METHODS:
            done = self.at(self.governor(w, 1.0), method)
            self.place(done, "ball", (l * sin(phi), 0, -l * cos(phi)), method)
            self.state(done, "stable", (w * sin(phi))**2, method)
            self.force(done, "arm.F", 1.2 * w * w * l, method)
            done = self.at(self.governor(3.0, 0.3), method)                         # below the critical speed 4.43 rad/s
            self.place(done, "ball", (0, 0, -l), method)
            self.state(done, "stable", g / l - 9, method)
        done = self.at(self.governor(w, 0.02), "lagrange")
        self.place(done, "ball", (0, 0, -l))
        self.state(done, "unstable", g / l - w * w)
        self.place(self.at(self.governor(w, -0.6), "energy"), "ball", (-l * sin(phi), 0, -l * cos(phi)), "the mirrored one")

    def test_nonlinear_spring(self):
        k, c, x = 200.0, 1e4, 0.05
        m = (k * x + c * x**3) / g
        mod = planar({"ground": {"markers": {"T": [0, 1]}}, "block": particle(m, 0, 0.45)}, {"guide": pin("ground", "block", "x")},
                     {"s": spring("ground.T", "block", k, 0.5, force=f"{c}*(l - 0.5)^3", damping=7)}, DOWN)
        for method in METHODS:
            done = self.at(mod, method)
            self.place(done, "block", (0, 0.5 - x), method)
            self.state(done, "stable", (k + 3 * c * x * x) / m, method)
            self.force(done, "s.force", m * g, method)

    def test_double_well_of_an_energy_load(self):
        a, b, m = 6.0, 0.4, 1.5
        mod = lambda x: planar({"bead": particle(m, x, 0)}, {"wire": pin("ground", "bead", "y")},  # noqa: E731
                               {"well": {"type": "energy", "value": f"{a}*(x(bead)^2 - {b}^2)^2"}})
        for x in (b, -b):
            for method in METHODS:
                with self.subTest(method=method):
                    done = self.at(mod(0.8 * x), method)
                    self.place(done, "bead", (x, 0), method)
                    self.state(done, "stable", 8 * a * b * b / m, method)
                    self.near(done.result["equilibrium"]["energy"], 0, 1e-9, method)
        done = self.at(mod(0.05), "lagrange")
        self.place(done, "bead", (0, 0))
        self.state(done, "unstable", -4 * a * b * b / m)
        self.near(done.result["equilibrium"]["energy"], a * b**4, 1e-9)

    def test_particle_in_a_potential(self):
        K, p = np.array([[50.0, 12.0], [12.0, 30.0]]), np.array([7.0, -4.0])
        mod = planar({"dot": particle(2.0, 0.3, 0.1)}, {},
                     {"bowl": {"type": "energy", "value": "25*x(dot)^2 + 12*x(dot)*y(dot) + 15*y(dot)^2 - 7*x(dot)"},
                                                         "pull": {"type": "force", "to": "dot", "value": [0, -4]}})
        for method in METHODS:
            done = self.at(mod, method)
            self.place(done, "dot", np.linalg.solve(K, p), method)
            self.state(done, "stable", np.linalg.eigvalsh(K / 2.0).min(), method)

    def test_top_of_a_hill(self):
        """nothing is loaded at the top: an audit relative to the loads there would be one of rounding"""
        mod = planar({"bead": particle(1.0, 0.3, 0)}, {"wire": pin("ground", "bead", "y")}, {"hill": {"type": "energy", "value": "-x(bead)^2"}})
        done = self.at(mod, "lagrange")
        self.place(done, "bead", (0, 0))
        self.state(done, "unstable", -2.0)

    def test_a_torque_along_fixed_axes_of_space_has_no_energy(self):
        bodies = {"arm": {"mass": 2.0, "inertia": [0.1, 0.1, 0.1], "centroid": [0.5, 0, 0]}}
        loads = {"twist": {"type": "torque", "to": "arm", "value": [4, 0, 3]}, "coil": {"type": "torsion-spring", "joint": "hinge", "stiffness": 7.5}}
        mod = spatial(bodies, {"hinge": pin("ground", "arm")}, loads)
        for method in (None, "lagrange", "virtual-power", "relaxation"):
            done = self.at(mod, method)
            self.near(done.result["equilibrium"]["coordinates"]["hinge.angle"], 0.4, TOL, str(method))
            self.force(done, "hinge.Tx", -4.0, str(method))
            self.force(done, "coil.torque", 3.0, str(method))
            self.state(done, "stable", what=str(method))
        self.refused(mod, 2, "twist", "--method", "energy")

    def test_a_coil_of_many_turns(self):
        mod = planar({"drum": {"mass": 1.0, "inertia": 0.5}}, {"axle": pin("ground", "drum")},
                     {"coil": {"type": "torsion-spring", "joint": "axle", "stiffness": 2.0,
                                                                                                      "free_angle": 20.0}})
        for method in METHODS:
            with self.subTest(method=method):
                done = self.at(mod, method)
                self.near(done.result["equilibrium"]["coordinates"]["axle.angle"], 20.0, self.slack(done, 2e-8), method)
                self.state(done, "stable", 4.0, method)

    def test_gear_pair(self):
        """torque 3 N.m on a pinion of 0.1 m, a coil on the wheel of 0.2 m"""
        bodies = {"ground": {"markers": {"W": [0.3, 0]}}, "pinion": {"mass": 1.0, "inertia": 0.02},
                  "wheel": {"mass": 4.0, "inertia": 0.3, "pose": {"at": [0.3, 0]}}}
        joints = {"a": pin("ground", "pinion"), "b": pin("ground.W", "wheel"), "mesh": pin("pinion", "wheel", "gear", radii=[0.1, 0.2])}
        loads = {"twist": {"type": "torque", "to": "pinion", "value": 3}, "coil": {"type": "torsion-spring", "joint": "b", "stiffness": 50}}
        for method in METHODS:
            done = self.at(planar(bodies, joints, loads, DOWN), method)
            self.angle(done, "wheel.angle", -0.12, 0.1, method)
            self.angle(done, "pinion.angle", 0.24, 0.1, method)
            self.force(done, "mesh.Ft", -30.0, method)
            self.state(done, "stable", 50 / (0.3 + 0.02 * 4), method)

    def test_scales(self):
        """a watch's and a crane's pendulum, with a spring that carries half"""
        for l, m in ((1e-3, 1e-6), (1.0, 1.0), (200.0, 1e6)):
            mod = self.pendulum(-0.9, l, m)
            mod["loads"] = {"coil": {"type": "torsion-spring", "joint": "hinge", "stiffness": m * g * l, "free_angle": 0.5 * cos(0.7) - 0.7}}
            second = m * g * l / 2 * sin(0.7) + m * g * l
            for method in METHODS:
                what = f"{method} {l} m"
                done = self.at(mod, method)
                self.angle(done, "arm.angle", -0.7, l, what)
                self.state(done, "stable", second / (m * l * l / 3), what)
                self.near(done.series["hinge.Fy"][0] / (m * g), 1, 1e-4 if method == "penalty" else TOL, what)

    def test_start_far_away(self):
        """ten metres or a good turn from rest: the methods that go downhill arrive"""
        mod = planar({"block": {**rod(0.4, 3.0, 2.9, (8, -6))}, "ground": {"markers": {"T": [0, 2]}}}, {},
                     {"s": spring("ground.T", "block", 500.0, 0.3)}, DOWN)
        for method in ("energy", "penalty", "virtual-power", "relaxation"):
            done = self.at(mod, method)
            self.place(done, "block", (0, 1.7 - 3 * g / 500), method)
            self.angle(done, "block.angle", -pi / 2, 0.4, method)
            self.force(done, "s.force", 3 * g, method)

    def test_field(self):
        mod = planar({"dot": particle(2.0, 0.3, 0.1)}, {}, {"bowl": {"type": "field", "acceleration": ["-9*x + 2", "-4*(y - 1)"]}})
        for method in (None, "lagrange", "virtual-power", "relaxation"):
            done = self.at(mod, method)
            self.place(done, "dot", (2 / 9, 1), str(method))
            self.state(done, "stable", what=str(method))

    def follower(self, angle, F=6.0):
        m = self.pendulum(angle)
        m["loads"] = {"jet": {"type": "force", "to": "arm.E", "value": [0, F], "frame": "body"}}
        return m

    def test_follower_force(self):
        """a jet at the tip, square to the rod: F l = m g l/2 cos(angle)"""
        phi = math.acos(2 * 6.0 / (2 * g))
        for method in (None, "lagrange", "virtual-power", "relaxation"):
            done = self.at(self.follower(-phi + 0.1), method)
            self.angle(done, "arm.angle", -phi, what=str(method))
            self.state(done, "stable", what=str(method))
            self.assertIsNone(done.result["equilibrium"]["curvature"])
            self.force(done, "hinge.Fx", 6.0 * sin(-phi), str(method))
            self.force(done, "hinge.Fy", 2 * g - 6.0 * cos(phi), str(method))
        done = self.at(self.follower(phi - 0.05), "lagrange")
        self.angle(done, "arm.angle", phi)
        self.state(done, "unstable")
        self.refused(self.follower(-phi), 2, "jet", "--method", "energy")
        self.refused(self.follower(-pi / 2, 25.0), 1, "no equilibrium")            # F > m g/2: it turns and turns

    def test_ziegler_pendulum_flutters(self):
        """two rods with coils under a force along the last: masses at the ends, M x'' + K x = 0; flutter is unstable without a static sign"""
        k, l, m1, m2, J = 10.0, 0.5, 2.0, 1.0, 1e-9
        for P, stability in ((20.0, "stable"), (60.0, "unstable")):
            M = np.array([[m1 + m2, m2], [m2, m2]]) * l * l + J * np.eye(2)
            K = np.array([[2 * k - P * l, P * l - k], [-k, k]])
            mu = np.linalg.eigvals(np.linalg.solve(M, K))
            self.assertEqual(bool(np.all(np.abs(mu.imag) < 1e-9) and np.all(mu.real > 0)), stability == "stable")
            bodies = {"one": {"mass": m1, "inertia": J, "centroid": [l, 0], "markers": {"E": [l, 0]}},
                      "two": {"mass": m2, "inertia": J, "centroid": [l, 0], "markers": {"E": [l, 0]}, "pose": {"at": [l, 0]}}}
            loads = {"c1": {"type": "torsion-spring", "joint": "a", "stiffness": k}, "c2": {"type": "torsion-spring", "joint": "b", "stiffness": k},
                     "P": {"type": "force", "to": "two.E", "value": [-P, 0], "frame": "body"}}
            done = self.at(planar(bodies, {"a": pin("ground", "one"), "b": pin("one.E", "two")}, loads), "lagrange")
            self.angle(done, "one.angle", 0)
            self.angle(done, "two.angle", 0)
            self.state(done, stability, what=f"P = {P}")
            self.force(done, "a.Fx", P)

    def test_drive_that_holds_an_angle(self):
        for method in METHODS:
            mod = self.pendulum(0.4, drives={"motor": {"coordinate": "hinge.angle", "motion": "0.25*t"}}, motion={"from": 2, "to": 5, "step": 1})
            done = self.at(mod, method)
            self.angle(done, "arm.angle", 0.5, what=method)
            self.column(done, "time", 2.0, 0)
            self.force(done, "motor.effort", 2 * g * 0.5 * cos(0.5), method)
            self.force(done, "hinge.Fy", 2 * g, method)
            self.assertIn("motor", done.result["drives"])
            self.assertNotEqual(done.result["equilibrium"]["stability"], "unstable")

    def test_half_driven(self):
        """the first of two rods is held at 0.3, the second hangs"""
        bodies = {"one": rod(1.0, 2.0, 0.3), "two": rod(0.6, 1.0, -1.0, (cos(0.3), sin(0.3)))}
        mod = planar(bodies, {"a": pin("ground", "one"), "b": pin("one.E", "two")}, gravity=DOWN,
                     drives={"motor": {"coordinate": "a.angle", "motion": "0.3"}})
        for method in METHODS:
            done = self.at(mod, method)
            self.angle(done, "two.angle", -pi / 2, 0.6, method)
            self.state(done, "stable", 1.5 * g / 0.6, method)
            self.force(done, "motor.effort", (2 * g * 0.5 + g) * cos(0.3), method)

    def test_ladder(self):
        """hand statics: floor m g, wall and spring m g/(2 tan)"""
        L, m, phi, k = 2.0, 8.0, 1.0, 400.0
        pull = m * g / (2 * math.tan(phi))
        free = L * cos(phi) - pull / k
        second = -m * g * L / 2 * sin(phi) + k * (L * sin(phi))**2 - pull * L * cos(phi)
        start = 1.1
        bodies = {"ladder": rod(L, m, pi - start, (L * cos(start), 0))}
        mod = planar(bodies, {"floor": pin("ground", "ladder", "y"), "wall": pin("ground", "ladder.E", "x")},
                     {"rope": spring("ground", "ladder", k, free)}, DOWN)
        for method in METHODS:
            done = self.at(mod, method)
            self.angle(done, "ladder.angle", pi - phi, what=method)
            self.state(done, "stable", second / (m * L * L / 3), method)
            for column, want in (("floor.Fy", m * g), ("wall.Fx", pull), ("rope.force", pull)):
                self.force(done, column, want, method)

    def test_neutral_free_bodies_stay_where_they_are(self):
        flat = planar({"b": {"mass": 1, "inertia": 1, "pose": {"at": [0.3, -0.2], "angle": 0.7}}})
        deep = spatial({"b": {"mass": 1, "inertia": [1, 1, 1], "pose": {"at": [0.3, -0.2, 0.1]}}})
        for method in METHODS:
            done = self.at(flat, method)
            self.place(done, "b", (0.3, -0.2), method)
            self.angle(done, "b.angle", 0.7, what=method)
            self.state(done, "neutral", what=method)
            done = self.at(deep, method)
            self.place(done, "b", (0.3, -0.2, 0.1), method)
            self.state(done, "neutral", what=method)

    def test_a_slide_without_load_along_it_is_neutral(self):
        mod = planar({"shoe": {"mass": 3, "inertia": 1, "centroid": [0.2, 0], "pose": {"at": [0.6, 0]}}},
                     {"rail": pin("ground", "shoe", "prismatic")}, gravity=DOWN)
        for method in METHODS:
            with self.subTest(method=method):
                done = self.at(mod, method)
                self.place(done, "shoe", (0.6, 0), method)
                self.state(done, "neutral", what=method)
                self.force(done, "rail.Fy", 3 * g, method)
                self.force(done, "rail.Tz", 3 * g * 0.2, method)

    def test_a_fixed_body(self):
        mod = planar({"sign": {"mass": 3, "inertia": 1, "centroid": [0.5, 0]}}, {"wall": pin("ground", "sign", "fixed")}, gravity=DOWN)
        for method in METHODS:
            done = self.at(mod, method)
            self.force(done, "wall.Fy", 3 * g, method)
            self.force(done, "wall.Tz", 1.5 * g, method)
            self.assertNotEqual(done.result["equilibrium"]["stability"], "unstable")

    def test_pfaffian_rows_carry_nothing_unless_locked(self):
        mod = planar({"ground": {"markers": {"P": [0.2, 0]}}, "sled": {"mass": 2, "inertia": 1, "pose": {"at": [0.5, 0]}}},
                     {"edge": pin("ground", "sled", "knife-edge")},
                     {"s": {"type": "bushing", "between": ["ground.P", "sled"], "stiffness": [100, 100, 10]}}, DOWN)
        done = self.at(mod)
        self.place(done, "sled", (0.2, -2 * g / 100))
        self.force(done, "edge.Fy", 0)
        self.state(done, "stable", 10.0)
        mod["loads"]["s"]["stiffness"] = [100, 0, 10]
        self.refused(mod, 1, "sled")
        done = self.at(mod, None, "--locked")
        self.place(done, "sled", (0.2, 0))
        self.force(done, "edge.Fy", 2 * g)


class Failures(Statics):
    LOOSE = planar({"stone": {"mass": 1, "inertia": 1}, "arm": rod(1.0, 2.0, -1.0)}, {"hinge": pin("ground", "arm")}, gravity=DOWN)
    ARM = planar({"arm": rod(1.0, 2.0, -1.0)}, {"hinge": pin("ground", "arm")}, gravity=DOWN)

    @cli.long
    def test_a_falling_body_is_named(self):
        for method in METHODS:
            done = self.refused(self.LOOSE, 1, "no equilibrium", "--method", method)
            self.assertNotIn("'arm'", done.err, method)
            if method in ("energy", "relaxation"):
                self.assertIn("'stone'", done.err, method)

    def test_every_method_names_what_nothing_holds(self):
        """docs/statics.md: what nothing holds is named; said in the model's words"""
        for method in ("lagrange", "penalty", "virtual-power"):
            with self.subTest(method=method):
                self.refused(self.LOOSE, 1, "'stone'", "--method", method)

    def test_a_falling_body_of_space_is_named(self):
        for method in ("energy", "relaxation"):
            self.refused(spatial({"stone": {"mass": 1, "inertia": [1, 1, 1]}}, gravity=[0, 0, -g]), 1, "stone", "--method", method)

    def test_unbounded_energy(self):
        bead = {"bead": particle(1.0, 0.3, 0)}
        for value in ("-x(bead)", "-x(bead)^2"):
            mod = planar(bead, {"wire": pin("ground", "bead", "y")}, {"hill": {"type": "energy", "value": value}})
            for method in ("energy", "penalty", "virtual-power", "relaxation"):
                self.refused(mod, 1, "bead" if method in ("energy", "relaxation") else "no equilibrium", "--method", method)
        self.refused(planar({"shoe": {"mass": 3, "inertia": 1}}, {"rail": pin("ground", "shoe", "y")},
                            {"push": {"type": "force", "to": "shoe", "value": [4, 0]}}), 1, "shoe")

    @cli.long
    def test_a_turning_moment_without_rest(self):
        mod = planar({"wheel": {"mass": 1, "inertia": 1}}, {"axle": pin("ground", "wheel")}, {"twist": {"type": "torque", "to": "wheel", "value": 3}})
        for method in METHODS:
            self.refused(mod, 1, "wheel|axle" if method in ("energy", "relaxation") else "no equilibrium", "--method", method)

    def test_joints_that_do_not_fit(self):
        mod = planar({"ground": {"markers": {"Q": [5, 0]}}, "arm": rod(1.0, 2.0, -1.0)},
                     {"hinge": pin("ground", "arm"), "other": pin("ground.Q", "arm.E")}, gravity=DOWN)
        self.assertIn(cli.run_model(mod, "statics").code, (1, 2))

    def test_wrong_options(self):
        for flags in (("--method", "newtn"), ("--method", "two-step"), ("--method",), ("--damping", "-1", "--method", "relaxation"),
                      ("--damping", "much", "--method", "relaxation"), ("--follow", "p=0..1"), ("--nothing",), ("--criterion", "svd")):
            done = cli.run_model(self.ARM, "statics", *flags)
            self.assertEqual(done.code, 2, f"{flags}: {done.said()}")
            self.assertTrue(done.err.strip(), flags)

    def test_damping_of_relaxation(self):
        for damping in ("0.5", "3", "40"):
            done = self.at(self.ARM, "relaxation", "--damping", damping)
            self.angle(done, "arm.angle", -pi / 2, what=damping)

    def test_json_is_what_out_writes(self):
        done = cli.run_model(self.ARM, "statics", "--json", quiet=False)
        self.assertEqual(done.code, 0)
        self.assertEqual(done.json()["equilibrium"], done.result["equilibrium"])
        self.assertEqual(done.files, ["result.json", "scene.json", "series.csv"])

    def test_words_of_the_screen(self):
        done = cli.run_model(self.ARM, "statics", quiet=False, out=False)
        self.assertRegex(done.out, "equilibrium: stable, curvature 14.715")
        self.assertEqual(cli.run_model(self.ARM, "statics").out, "")


if __name__ == "__main__":
    cli.main()
