#!/usr/bin/python3
# ctest: polar-slow joint
"""Equations that are not linear in the rates: all their solutions can be had, which one does not depend on axes, order or frame, and what has none is said so.

Closed forms: of a particle with linear rows a.v = alpha, b.v = beta and |v - c|^2 = S^2 the rates are two points on a line; other sets are listed by hand."""
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


def particle(rows, initial=None, kind="spatial"):
    """a particle under `velocity:` rows, {name: text}; its rates as outputs"""
    model = {"roberval": 1, "space": kind, "bodies": {"p": {"mass": 2, "particle": True}},
             "constraints": {k: {"velocity": v} for k, v in rows.items()}, "motion": {"from": 0, "to": 0.2, "step": 0.1},
             "output": {f"v{a}": f"{a}(p)'" for a in AXES[:3 if kind == "spatial" else 2]}}
    if initial:
        model["initial"] = {k: float(v) for k, v in initial.items()}
    return model


def linear(a, value):
    return " + ".join(f"({float(k)!r})*{axis}(p)'" for k, axis in zip(a, AXES)) + f" - ({float(value)!r})"


def sphere(c, S):
    return " + ".join(f"({axis}(p)' - ({float(k)!r}))^2" for k, axis in zip(c, AXES)) + f" - ({float(S * S)!r})"


def solutions(a, alpha, b, beta, c, S):
    """points of the line a.v = alpha, b.v = beta at the distance S from c; and the line's point nearest to 0"""
    n = space.unit(np.cross(a, b))
    v0 = np.linalg.solve([a, b, n], [alpha, beta, 0])
    m, d = n @ (v0 - c), v0 - c
    root = m * m - (d @ d - S * S)
    return ([v0 + (-m + s * math.sqrt(root)) * n for s in (1, -1)] if root > 0 else []), v0


def rates(done):
    return np.array([done.series[f"v{a}"][0] for a in AXES if f"v{a}" in done.series])


class Branch(cli.Case):
    def cases(self, count, offset):
        rng = random.Random(11 + offset)
        vector = lambda: np.array([rng.uniform(-1, 1) for _ in range(3)])
        for _ in range(count):
            a, b, c = vector(), vector(), offset * vector()
            alpha, beta, S = rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(0.5, 3)
            found, v0 = solutions(a, alpha, b, beta, c, S)
            yield rng, {"one": linear(a, alpha), "two": linear(b, beta), "pace": sphere(c, S)}, found, v0, np.cross(a, b)

    @cli.long
    def test_two_on_a_line(self):
        for offset in (0, 1):
            none = 0
            for rng, rows, found, v0, n in self.cases(14, offset):
                names = list(rows)
                rng.shuffle(names)
                rows = {k: rows[k] for k in names}
                done = cli.run_model(particle(rows), "kinematics")
                if not found:
                    none += 1
                    self.assertEqual(done.code, 1, done.said())
                    self.assertRegex(done.err, "no rates found at t = 0 s: constraint '(one|two|pace)' cannot be met.*may have no solution")
                    continue
                self.assertEqual(done.code, 0, done.said())
                near = sorted(found, key=lambda v: np.linalg.norm(v - v0))
                if offset == 0:                              # even: as near, and forwards along x
                    near = sorted(found, key=lambda v: -v[0])
                self.near(rates(done), near[0], TOL, "rates")
                for want in found:                           # both can be asked for, by any rate that tells them apart, to six digits
                    axis = rng.randrange(3)
                    chosen = self.ok(particle(rows, {f"{AXES[axis]}(p)'": want[axis] * (1 + 1e-8)}), "kinematics")
                    self.near(rates(chosen), want, TOL, "chosen")
                bad = cli.run_model(particle(rows, {"x(p)'": found[0][0] + 0.05}), "kinematics")
                self.assertEqual(bad.code, 2)
                self.assertRegex(bad.err, r"initial condition 'x\(p\)'' cannot be met.*without it that rate could be")
            self.assertGreater(none, 0)

    def test_what_other_initial_rates_leave_is_told(self):
        """x' = 1.2 and x'^2 + y'^2 = 4 leave 1.6 and -1.6"""
        bad = cli.run_model(particle({"pace": "x(p)'^2 + y(p)'^2 - 4"}, {"x(p)'": 1.2, "y(p)'": -1.7}, "planar"), "simulate")
        self.assertEqual(bad.code, 2)
        self.assertRegex(bad.err, r"initial condition 'y\(p\)'' cannot be met.*without it that rate could be -?1\.6 or -?1\.6\n")
        self.assertRegex(bad.err, r"off by [0-9.e+-]+ m/s\)")

    def test_exchanged_axes_and_turned_frames(self):
        """the same physics: the rates turn with the frame when one is chosen; axes exchanged without a choice give the exchanged rates where x decides nothing"""
        for rng, rows, found, v0, n in self.cases(4, 0):
            if not found:
                continue
            turn = space.turn([rng.uniform(-1, 1) for _ in range(3)], rng.uniform(0, 3))
            texts = {}
            for name, text in rows.items():
                for i, axis in enumerate(AXES):
                    text = text.replace(f"{axis}(p)'", f"@{i}")
                for i in range(3):
                    text = text.replace(f"@{i}", "(" + " + ".join(f"({float(turn[k][i])!r})*{AXES[k]}(p)'" for k in range(3)) + ")")
                texts[name] = text
            want = turn @ found[1]
            self.near(rates(self.ok(particle(texts, {"x(p)'": want[0]}), "kinematics")), want, TOL, "turned")
        for speed in (0.3, 1.0, 1.4):
            got = []
            for x, y in (("x", "y"), ("y", "x")):
                model = particle({"pace": f"{x}(p)'^2 + {y}(p)'^2 - 2"}, kind="planar")
                model["drives"] = {"d": {"coordinate": f"{x}(p)", "motion": f"{speed}*t"}}
                done = self.ok(model)
                got.append([done.series["v" + x], done.series["v" + y]])
            self.near(got[0], got[1], TOL, "exchanged")
            self.near(got[0][1], np.full(3, math.sqrt(2 - speed**2)), TOL, "rate")

    def test_four_solutions_each_of_them(self):
        """x'^2 + y'^2 = 5, x' y' = 2: (1, 2), (2, 1) and their opposites; forwards along x first"""
        rows = {"round": "x(p)'^2 + y(p)'^2 - 5", "cross": "x(p)'*y(p)' - 2"}
        self.assertGreater(rates(self.ok(particle(rows, kind="planar"), "kinematics"))[0], 0)
        for want in ((1, 2), (2, 1), (-1, -2), (-2, -1)):
            done = self.ok(particle(rows, {"x(p)'": want[0]}, kind="planar"), "kinematics")
            self.near(rates(done), want, TOL, "chosen")

    def test_not_only_squares(self):
        for text, want in (("sinh(x(p)') + x(p)' - 3", None), ("abs(x(p)') - 2", 2), ("x(p)'^4 - 81", 3), ("exp(x(p)') - 0.5", math.log(0.5)), ("cos(x(p)') - 0.5", math.pi / 3)):
            model = particle({"pace": text, "still": "y(p)' - 1"}, kind="planar")
            vx, vy = rates(self.ok(model, "kinematics"))
            if want is None:
                self.near(math.sinh(vx) + vx, 3, TOL, text)
            else:
                self.near(vx, want, TOL, text)

    def test_a_body_in_any_pose_goes_forwards(self):
        """a sled on a knife edge with a speed: in its own axes the same whatever its pose and the order of what is said"""
        want = None
        for k, angle in enumerate((0, 0.7, 2.5, -2)):
            at = [0.3 * k, -k]
            model = {"roberval": 1, "space": "planar", "bodies": {"sled": {"mass": 2, "inertia": 1, "centroid": [0.2, 0.1], "pose": {"at": at, "angle": angle}, "markers": {"K": [0.4, 0.3]}}},
                     "joints": {"edge": {"type": "knife-edge", "between": ["ground", "sled"]}}, "drives": {"yaw": {"coordinate": "angle(sled)", "motion": f"{angle} + 0.5*t"}},
                     "constraints": {"pace": {"velocity": "x(sled.K)'^2 + y(sled.K)'^2 - 1"}},
                     "output": {"vx": "x(sled)'", "vy": "y(sled)'"}, "motion": {"from": 0, "to": 0, "step": 1}}
            done = self.ok(model)
            c, s = math.cos(angle), math.sin(angle)
            own = np.array([[c, s], [-s, c]]) @ rates(done)
            want = own if want is None else want
            self.near(own, want, TOL, "own axes")
            self.near([done.series["edge.Fy"][0], done.series["pace.effort"][0]], [self.first(done, "edge.Fy"), self.first(done, "pace.effort")], TOL, "forces")
        self.near(want, [0.15 + math.sqrt(1 - 0.2**2), 0], TOL, "forwards")          # K moves with (v - 0.15, 0.2)

    def first(self, done, name):
        self.kept = getattr(self, "kept", {})
        return self.kept.setdefault(name, done.series[name][0])

    def test_what_linear_rows_decide_stays_one_too_many(self):
        for rows, initial in (({"one": "x(p)' - 1", "two": "y(p)' - 2"}, {"x(p)'": 1}), ({"one": "x(p)' - 1", "pace": "y(p)'^2 - 4"}, {"x(p)'": 1})):
            done = cli.run_model(particle(rows, initial, kind="planar"), "kinematics")
            self.assertEqual(done.code, 2, done.said())
            self.assertIn("'x(p)'' is one too many", done.err)


if __name__ == "__main__":
    cli.main()
