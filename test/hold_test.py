#!/usr/bin/env python3
"""What friction can hold, against all corners of all pieces of the closed inequalities |f| <= mu |n|, n of either sign: ladders, blocks on several faces, wedges, guides.

Truth: with E z = e of the bodies and z = (n, f, p), each choice of signs s of the loads gives a polyhedron |f_j| <= mu_j s_j n_j; p goes over the union of those of all choices, from corner to corner or
along a ray. Tolerances: 1e-7 of an end or of 1, rounding times the condition of three rows of random numbers; machines at which a tolerance of the truth itself matters are left out.
"""
import itertools
import math
import os
import random
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "py"))
import numpy as np      # noqa: E402
import cli              # noqa: E402

NEAR = 1e-7


def corners(G, g, c, tol):
    """(least, largest) of c.w over G w <= g, or None; G without a straight line"""
    rows, d = G.shape
    values, least, most = [], math.inf, -math.inf
    for pick in itertools.combinations(range(rows), d):
        M = G[list(pick)]
        if abs(np.linalg.det(M)) < 1e-10:
            continue
        w = np.linalg.solve(M, g[list(pick)])
        if (G @ w <= g + tol * max(1, np.abs(w).max())).all():
            values.append(c @ w)
    if not values:
        return None
    least, most = min(values), max(values)
    for pick in itertools.combinations(range(rows), d - 1):
        ray = np.linalg.svd(G[list(pick)])[2][-1] if d > 1 else np.ones(1)
        for way in (ray, -ray):
            if (G @ way <= tol).all():
                least, most = -math.inf if c @ way < -1e-9 else least, math.inf if c @ way > 1e-9 else most
    return least, most


def union(pieces, tol):
    out = []
    for least, most in sorted(pieces):
        if out and least <= out[-1][1] + tol * max(1, abs(least)):
            out[-1][1] = max(out[-1][1], most)
        else:
            out.append([least, most])
    return out


def truth(contacts, loads, moves, tol):
    """contacts: (matrix of n and f in the equations [3 bodies, terms], [(mu, row of w over z of its loads)]) in plain numbers; see Machine"""
    E = np.column_stack([contacts["E"], moves])
    z0, _, rank, sigma = np.linalg.lstsq(E, -loads, rcond=None)
    if np.abs(E @ z0 + loads).max() > 1e-9 * max(1, np.abs(loads).max()):
        return []
    if rank < min(E.shape) or sigma[rank - 1] < 1e-3 * sigma[0]:
        return None
    N = np.linalg.svd(E)[2][rank:].T
    pieces = []
    terms = [t for _, _, several in contacts["law"] for t in several]
    for signs in itertools.product((1, -1), repeat=len(terms)):
        rows, at = [], 0
        for mu, friction, several in contacts["law"]:
            limit = np.zeros(E.shape[1])
            for t in several:
                limit = limit + mu * signs[at] * t
                rows.append(-signs[at] * t)       # the piece in which this sign is its own
                at += 1
            rows += [friction - limit, -friction - limit]
        G = np.array(rows)
        piece = corners(G @ N, -G @ z0, N[-1], tol)
        if piece:
            pieces.append((z0[-1] + piece[0], z0[-1] + piece[1]))
    return union(pieces, 1e-8)


class Machine:
    """bodies without weight, contacts at points [x, y] with a direction: slots (a force n across, f along) and guides (n1, n2 at both ends, f along)"""
    def __init__(self, bodies):
        self.bodies, self.columns, self.law, self.joints, self.count = bodies, [], [], {}, 0
        self.ground, self.marks, self.loads, self.given, self.moved = {}, [{} for _ in range(bodies)], {}, np.zeros(3 * bodies), np.zeros(3 * bodies)

    def column(self, to, against, at, way):
        column = np.zeros(3 * self.bodies)
        for body, sign in ((to, 1), (against, -1)):
            if body >= 0:
                column[3 * body:3 * body + 3] += sign * np.array([way[0], way[1], at[0] * way[1] - at[1] * way[0]])
        self.columns.append(column)
        return len(self.columns) - 1

    def mark(self, body, name, at, angle):
        (self.ground if body < 0 else self.marks[body])[name] = {"at": at, "angle": angle}
        return f"{'ground' if body < 0 else 'b%d' % body}.{name}"

    def contact(self, body, against, at, angle, mu, half=0.0):
        """half: of a guide's length; 0: a slot"""
        name = f"c{self.count}"
        self.count += 1
        along, across = (math.cos(angle), math.sin(angle)), (-math.sin(angle), math.cos(angle))
        ends = [[at[k] + half * s * along[k] for k in range(2)] for s in ((1, -1) if half else (0,))]
        normals = [self.column(body, against, end, across) for end in ends]
        friction = self.column(body, against, at, along)
        self.law.append((mu, friction, normals))
        joint = {"type": "prismatic" if half else "slot", "between": [self.mark(against, name, at, angle), self.mark(body, name, at, angle)], "friction": {"coefficient": mu}}
        if half:
            joint["friction"]["radius"] = half
        self.joints[name] = joint

    def force(self, name, body, at, F, moving=None):
        """F [N], or with `moving` the place at + p moving"""
        column = np.array([F[0], F[1], at[0] * F[1] - at[1] * F[0]])
        self.given[3 * body:3 * body + 3] += column
        self.marks[body][name] = {"at": at}
        self.loads[name] = {"type": "force", "to": f"b{body}.{name}", "value": F}
        if moving:
            self.moved[3 * body + 2] += moving[0] * F[1] - moving[1] * F[0]
            self.marks[body][name] = {"at": [f"{at[k]!r}[m] + p*{moving[k]!r}" for k in range(2)]}

    def pull(self, name, body, at, way):
        """p [N] times way"""
        self.moved[3 * body:3 * body + 3] += np.array([way[0], way[1], at[0] * way[1] - at[1] * way[0]])
        self.marks[body][name] = {"at": at}
        self.loads[name] = {"type": "force", "to": f"b{body}.{name}", "value": [f"p*{way[k]!r}" for k in range(2)]}

    def model(self, p, unit, turned):
        bodies = {"ground": {"markers": self.ground}, **{f"b{k}": {"mass": 1, "inertia": 1, "markers": self.marks[k]} for k in range(self.bodies)}}
        joints, loads = self.joints, self.loads
        if turned:
            bodies, joints = dict(reversed(list(bodies.items()))), dict(reversed(list(joints.items())))
        return {"roberval": 1, "space": "planar", "parameters": {"p": f"{p!r} {unit}"}, "bodies": bodies, "joints": joints, "loads": loads}

    def truth(self):
        unknowns = len(self.columns) + 1
        unit = np.eye(unknowns)
        law = {"E": np.array(self.columns).T, "law": [(mu, unit[f], [unit[n] for n in normals]) for mu, f, normals in self.law]}
        coarse, fine = (truth(law, self.given, self.moved, tol) for tol in (1e-6, 1e-10))
        alike = coarse is not None and fine is not None and len(coarse) == len(fine) and all(near(a, b) for x, y in zip(coarse, fine) for a, b in zip(x, y))
        return fine if alike else None


def near(a, b):
    return a == b or (math.isfinite(b) and abs(a - b) <= NEAR * max(1, abs(b)))


def ladder(die):
    """a man on a ladder on rough slots; where he stands over the foot the wall carries nothing"""
    m, L, angle = Machine(1), die.uniform(1, 8), math.radians(die.choice([60, 100, die.uniform(20, 160)]))
    m.contact(0, -1, [0, 0], 0.0, die.uniform(0.05, 1))
    m.contact(0, -1, [L * math.cos(angle), L * math.sin(angle)], math.pi / 2, die.uniform(0.05, 1))
    m.force("man", 0, [0.0, 0.0], [0.0, -die.uniform(100, 900)], [math.cos(angle), math.sin(angle)])
    return m, "m", die.choice([0.0, 0.5, 1.0, -0.5, die.uniform(-8, 8)])


def block(die):
    """a body in three slots, pulled beside a weight"""
    m = Machine(1)
    for _ in range(die.choice([2, 3])):
        m.contact(0, -1, [die.uniform(-2, 2), die.uniform(-2, 2)], die.uniform(0, math.pi), die.uniform(0.1, 1))
    m.force("weight", 0, [die.uniform(-1, 1), die.uniform(-1, 1)], [0.0, -die.uniform(5, 50)])
    m.pull("hand", 0, [die.uniform(-1, 1), die.uniform(-1, 1)], [die.uniform(-1, 1), die.uniform(-1, 1)])
    return m, "N", die.choice([0.0, die.uniform(-100, 100)])


def wedge(die):
    """a wedge on a rough floor lifts a block that is guided up"""
    m, slope = Machine(2), die.uniform(0.1, 0.8)
    m.contact(0, -1, [0.0, 0.0], 0.0, die.uniform(0.05, 0.6), 0.5)
    m.contact(1, -1, [1.0, 1.0], math.pi / 2, die.choice([0.0001, die.uniform(0.05, 0.6)]), 0.4)
    m.contact(1, 0, [0.5, 0.5], slope, die.uniform(0.05, 0.6))
    m.force("weight", 1, [0.6, 1.0], [0.0, -die.uniform(10, 100)])
    m.pull("hand", 0, [0.0, die.uniform(0, 0.3)], [-1.0, 0.0])
    return m, "N", die.choice([0.0, die.uniform(-50, 200)])


def drawer(die):
    """a guide of some length, loaded beside its middle: both ends press"""
    m = Machine(1)
    m.contact(0, -1, [0.0, 0.0], die.uniform(0, math.pi), die.uniform(0.1, 0.9), die.uniform(0.1, 1))
    m.force("goods", 0, [die.uniform(-1, 1), die.uniform(-1, 1)], [die.uniform(-20, 20), die.uniform(-20, 20)])
    m.pull("hand", 0, [die.uniform(-1, 1), die.uniform(-1, 1)], [die.uniform(-1, 1), die.uniform(-1, 1)])
    return m, "N", die.choice([0.0, die.uniform(-100, 100)])


class Hold(cli.Case):
    def check(self, make, seeds):
        """ends, number of pieces, and whether the present value holds"""
        asked = 0
        for seed in seeds:
            m, unit, p = make(random.Random(seed))
            want = m.truth()
            if want is None or any(near(p, end) for piece in want for end in piece):
                continue
            asked += 1
            with self.subTest(make=make.__name__, seed=seed):
                done = cli.run_model(m.model(p, unit, seed % 2), "statics", "--hold", "p")
                if not want:
                    self.assertEqual(done.code, 1, done.said())
                    continue
                self.assertEqual(done.code, 0, done.said())
                hold = done.result["hold"]
                got = sorted([-math.inf if x["min"] is None else x["min"], math.inf if x["max"] is None else x["max"]] for x in [hold] + hold["others"])
                self.assertTrue(len(got) == len(want) and all(near(a, b) for x, y in zip(got, want) for a, b in zip(x, y)), f"{got} instead of {want}")
                self.assertEqual(hold["holds"], any(a <= p <= b for a, b in want))
        self.assertGreater(asked, 0.5 * len(seeds))

    def test_random_machines(self):
        for make in (ladder, block, wedge, drawer):
            self.check(make, range(120 if cli.MORE else 12))


if __name__ == "__main__":
    unittest.main()
