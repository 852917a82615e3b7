#!/usr/bin/env python3
"""The error that every reaction and effort carries is honest: held against fifty digits, near a dead position and far from it.

A parallelogram, its crank driven, is solved in closed form (the coupler moves without turning) and nine equations of equilibrium in decimal arithmetic. Near the flat position forces grow as
1/angle and what rounding does to them as 1/angle^2 and more.
"""
import math
import os
import random
import sys
from decimal import Decimal as D, getcontext

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "py"))
import cli  # noqa: E402

getcontext().prec = 60
TRIALS = int(os.environ.get("ROBERVAL_TRIALS", "6"))


def cosine_and_sine(x):
    """By their series; |x| below some radians."""
    c, s, term, n = D(0), D(0), D(1), 0
    while abs(term) > D(10) ** -58 or n < 4:
        if n % 2 == 0:
            c += term if n % 4 == 0 else -term
        else:
            s += term if n % 4 == 1 else -term
        n += 1
        term = term * x / n
    return c, s


def solve(A, b):
    """Gauss with pivoting."""
    n = len(b)
    for k in range(n):
        p = max(range(k, n), key=lambda r: abs(A[r][k]))
        A[k], A[p], b[k], b[p] = A[p], A[k], b[p], b[k]
        for r in range(k + 1, n):
            f = A[r][k] / A[k][k]
            if f:
                A[r] = [x - f * y for x, y in zip(A[r], A[k])]
                b[r] -= f * b[k]
    x = [D(0)] * n
    for k in range(n - 1, -1, -1):
        x[k] = (b[k] - sum(A[k][j] * x[j] for j in range(k + 1, n))) / A[k][k]
    return x


class Parallelogram:
    """Cranks of length r on A (0, 0) and D (1, 0), each of mass m and inertia J, centroid in the middle; a coupler of length 1 and mass M."""

    def __init__(self, rng, angle):
        self.angle, self.r, self.w, self.al = angle, rng.uniform(0.2, 0.6), rng.uniform(-4, 4), rng.uniform(-9, 9)
        self.m, self.J, self.M, self.g = rng.uniform(0.5, 2), rng.uniform(0.01, 0.1), rng.uniform(0.5, 3), 9.81

    def model(self):
        r, a = self.r, self.angle
        crank = {"mass": self.m, "inertia": self.J, "centroid": [r / 2, 0], "markers": {"E": [r, 0]}}
        motion = f"{a!r} + {self.w!r}*t + {self.al / 2!r}*t^2"
        return {"roberval": 1, "space": "planar", "gravity": [0, -self.g],
                "bodies": {"ground": {"markers": {"A": [0, 0], "D": [1, 0]}}, "crank": {**crank, "pose": {"angle": a}},
                           "coupler": {"mass": self.M, "inertia": 0.2, "centroid": [0.5, 0], "pose": {"at": [r * math.cos(a), r * math.sin(a)]}, "markers": {"C": [1, 0]}},
                           "rocker": {**crank, "pose": {"at": [1, 0], "angle": a}}},
                "joints": {"A": {"type": "revolute", "between": ["ground.A", "crank"]}, "B": {"type": "revolute", "between": ["crank.E", "coupler"]},
                           "C": {"type": "revolute", "between": ["coupler.C", "rocker.E"]}, "D": {"type": "revolute", "between": ["ground.D", "rocker"]}},
                "drives": {"motor": {"coordinate": "A.angle", "motion": motion}}, "motion": {"from": 0, "to": 0, "step": 1}}

    def exact(self):
        """{name: value}: forces on the second body, the motor's torque."""
        c, s = cosine_and_sine(D(self.angle))
        r, w, al, m, J, M, g = (D(x) for x in (self.r, self.w, 2 * (self.al / 2), self.m, self.J, self.M, self.g))
        half = D(self.r / 2)
        acceleration = lambda at: (at * (-al * s - w * w * c), at * (al * c - w * w * s))  # noqa: E731
        (ax, ay), (bx, by) = acceleration(half), acceleration(r)
        A, b = [[D(0)] * 9 for _ in range(9)], [D(0)] * 9
        Ax, Ay, Bx, By, Cx, Cy, Dx, Dy, T = range(9)
        for row, entries, right in ((0, {Ax: 1, Bx: -1}, m * ax), (1, {Ay: 1, By: -1}, m * (ay + g)),
                                    (2, {Bx: r * s, By: -r * c, T: 1}, (J + m * half * half) * al + m * g * half * c),
                                    (3, {Bx: 1, Cx: -1}, M * bx), (4, {By: 1, Cy: -1}, M * (by + g)), (5, {By: 1, Cy: 1}, D(0)),
                                    (6, {Cx: 1, Dx: 1}, m * ax), (7, {Cy: 1, Dy: 1}, m * (ay + g)),
                                    (8, {Cx: -r * s, Cy: r * c}, (J + m * half * half) * al + m * g * half * c)):
            for k, x in entries.items():
                A[row][k] = D(x)
            b[row] = right
        return dict(zip(("A.Fx", "A.Fy", "B.Fx", "B.Fy", "C.Fx", "C.Fy", "D.Fx", "D.Fy", "motor"), solve(A, b)))


class Errors(cli.Case):
    def solved(self, machine, command="inverse"):
        return self.ok(machine.model(), command, "--frame", "ground")

    def values(self, done):
        found = {f"{j}.{c}": x for j, r in done.result["reactions"].items() for c, x in r["components"].items()}
        found["motor"] = done.result["drives"]["motor"]
        return found

    def test_errors_contain_the_truth(self):
        """at angles from 1 rad to 1e-7 rad; what is called unique is right to a thousandth of the largest of its unit"""
        for seed in range(TRIALS):
            for exponent in range(8):
                with self.subTest(seed=seed, exponent=exponent):
                    rng = random.Random(seed)
                    machine = Parallelogram(rng, rng.uniform(1, 9) * 10.0**-exponent * rng.choice([-1, 1]) * 0.1)
                    done = self.solved(machine)
                    exact, found = machine.exact(), self.values(done)
                    largest = max(abs(x) for n, x in exact.items() if n != "motor")
                    for name, value in exact.items():
                        off, error = abs(D(found[name]["first"]) - value), D(found[name]["error"])
                        self.assertLessEqual(off, error, f"{name}: {found[name]}, truth {float(value)!r}")
                        limit = D("1e-3") * (abs(value) if name == "motor" else largest)
                        if found[name]["verdict"] == "unique":
                            self.assertLessEqual(off, limit, name)

    def test_errors_are_not_vast(self):
        """far from the flat position twelve digits are right, and so the error says"""
        for seed in range(TRIALS):
            with self.subTest(seed=seed):
                machine = Parallelogram(random.Random(seed), 0.7 + 0.1 * seed)
                for name, x in self.values(self.solved(machine)).items():
                    if x["verdict"] != "free":
                        self.assertLess(x["error"], 1e-10 * 1e3, name)

    def test_nearly_flat_is_no_lock_up(self):
        for angle in (1e-6, -1e-8, 1e-9):
            with self.subTest(angle=angle):
                done = self.ok(Parallelogram(random.Random(7), angle).model())
                self.assertNotIn("lock-up", done.err)
                self.assertEqual(self.values(done)["A.Fx"]["verdict"], "unsure")

    def test_every_force_has_an_error(self):
        for command in ("inverse", "statics"):
            done = self.ok(Parallelogram(random.Random(3), 0.5).model(), command)
            for name, x in self.values(done).items():
                self.assertGreaterEqual(x["error"], 0, name)


if __name__ == "__main__":
    __import__("unittest").main()
