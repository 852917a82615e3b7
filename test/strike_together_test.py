#!/usr/bin/python3
"""Impacts in which several faces rub: two contacts at once against all cases of stick, slip and parting; what rolls and is struck; pins beside a stop."""
import itertools
import math
import random
import sys
import unittest
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent / "py"))
import cli  # noqa: E402

G = 9.81


def all_cases(A, w0, target, mu):
    """Every (z1, z2, f1, f2) of the law, by trying all cases: w = w0 + A p; a contact parts, sticks, or slides either way. Rates after, without repetition."""
    found = []
    for cases in itertools.product(("parts", "sticks", 1, -1), repeat=2):
        M, right = np.zeros((4, 4)), np.zeros(4)
        for i, case in enumerate(cases):
            if case == "parts":
                M[i, i] = M[2 + i, 2 + i] = 1
                continue
            M[i], right[i] = A[i], target[i] - w0[i]
            if case == "sticks":
                M[2 + i], right[2 + i] = A[2 + i], -w0[2 + i]
            else:
                M[2 + i, 2 + i], M[2 + i, i] = 1, case * mu
        if abs(np.linalg.det(M)) < 1e-12 * np.abs(M).max() ** 4:
            continue
        p = np.linalg.solve(M, right)
        w = w0 + A @ p
        good = True
        for i, case in enumerate(cases):
            z, f, away, slip = p[i], p[2 + i], w[i], w[2 + i]
            good = good and z >= -1e-12 and away >= target[i] - 1e-12 and abs(f) <= mu * z + 1e-12 and (case in ("parts", "sticks") or case * slip > -1e-12)
        if good and not any(np.allclose(w, other, atol=1e-9) for other, _, _ in found):
            found.append((w, p, cases))
    return found


class Together(cli.Case):
    def go(self, model, *flags):
        done = cli.run_model(model, "simulate", *flags)
        self.assertEqual(done.code, 0, done.said())
        return done

    @staticmethod
    def sledge(rng, e, mu):
        """Two feet of a body at (x1, -h) and (x2, -h) strike the ground at one instant; no weight, so that it moves uniformly before."""
        m, J, h = rng.uniform(0.5, 3), rng.uniform(0.02, 0.3), rng.uniform(0.05, 0.5)
        x = (-rng.uniform(0.1, 0.6), rng.uniform(0.1, 0.6))
        v = (rng.uniform(-3, 3), -rng.uniform(0.3, 2))
        ball = {"type": "ball", "radius": 0.1, "unilateral": True, "restitution": e, "friction": {"coefficient": mu}}
        model = {
            "roberval": 1, "space": "spatial", "bodies": {"b": {"mass": m, "inertia": [J] * 3, "pose": {"at": [0, 0, h + 0.1 - v[1] * 0.1]}, "markers": {"p": [x[0], 0, -h], "q": [x[1], 0, -h]}}},
            "joints": {"P": {**ball, "between": ["ground", "b.p"]}, "Q": {**ball, "between": ["ground", "b.q"]}},
            "initial": {"x(b)'": v[0], "y(b)'": 0, "z(b)'": v[1], "wx(b)": 0, "wy(b)": 0, "wz(b)": 0}, "motion": {"from": 0, "to": 0.101, "step": 0.101},
        }
        depth = h + 0.1
        rows = np.array([[0, 1, -x[0]], [0, 1, -x[1]], [1, 0, -depth], [1, 0, -depth]])  # of (vx, vz, wy): gaps, slips at the feet's lowest points
        A = rows @ np.diag([1 / m, 1 / m, 1 / J]) @ rows.T
        return model, A, rows @ np.array([v[0], v[1], 0]), rows, np.diag([1 / m, 1 / m, 1 / J]), v

    @cli.long
    def test_two_feet(self):
        seen = set()
        for seed in range(40):
            rng = random.Random(seed)
            mu, e = rng.choice([0.1, 0.4, 0.9]), rng.choice([0, 0.3])
            model, A, w0, rows, W, v = self.sledge(rng, e, mu)
            cases = all_cases(A, w0, np.array([-e * w0[0], -e * w0[1]]), mu)
            cases = [(p, case) for w, p, case in cases if 0.5 * p @ (w + w0) <= 0]
            if not cases: # restitution has to give way
                continue
            for turned in (False, True):
                if turned:
                    model["joints"] = dict(reversed(model["joints"].items()))
                done = self.go(model)
                got = np.array([done.series["b.vx"][-1], done.series["b.vz"][-1], done.series["b.omegay"][-1]])
                errors = [np.abs(np.array([v[0], v[1], 0]) + W @ rows.T @ p - got).max() for p, _ in cases]
                self.assertLess(min(errors), 1e-9, f"seed {seed}: {cases}, {got}")
                seen |= set(map(str, cases[int(np.argmin(errors))][1]))
        self.assertEqual(seen, {"parts", "sticks", "1", "-1"})

    def test_a_ball_that_rolls_against_a_wall_keeps_its_spin(self):
        """the floor is not pressed by the blow, so that it has no friction then; afterwards it slides till it rolls: 7 v = 5 (-e v) + 2 v"""
        for e in (0.0, 0.5, 0.9):
            R, v = 0.1, 1.0
            model = {
                "roberval": 1, "space": "spatial", "gravity": [0, 0, -G], "bodies": {"b": {"mass": 2, "inertia": [0.008] * 3, "pose": {"at": [0, 0, R]}}},
                "joints": {"floor": {"type": "ball", "between": ["ground", "b"], "radius": R, "friction": {"coefficient": 0.3}}}, "stops": {"wall": {"coordinate": "x(b)", "max": 0.5, "restitution": e}},
                "initial": {"x(b)'": v, "y(b)'": 0, "wz(b)": 0, "wx(b)": 0, "wy(b)": v / R}, "motion": {"from": 0, "to": 2, "step": 0.1},
            }
            done = self.go(model)
            self.assertAlmostEqual(done.series["b.vx"][4], v, delta=1e-9)
            events = [(x["name"], x["kind"]) for x in done.result["integration"]["events"]]
            self.assertEqual(events[:2], [("floor", "slip"), ("wall", "impact")])
            if e > 0:
                k = int(np.argmax(done.time > 0.5))
                self.assertAlmostEqual(done.series["b.vx"][k], -e * v + 0.3 * G * (done.time[k] - 0.5), delta=1e-8)
                self.assertAlmostEqual(done.series["b.vx"][-1], (2 - 5 * e) / 7 * v if 5 * e > 2 else 0, delta=1e-8)

    def test_a_ball_that_rolls_into_a_wedge(self):
        """The wall leans over the ball, or away from it: its blow presses the floor, or pulls, and what that carries rubs. All cases of (z, N, f, f') are tried."""
        seen = set()
        for seed in range(20):
            rng = random.Random(seed)
            mu, nu, e, R, m, v, lean = rng.choice([0.1, 0.3, 0.8]), rng.choice([0.1, 0.3, 0.8]), rng.choice([0, 0.5]), 0.1, 2.0, 1.5, rng.choice([-1, 1]) * rng.uniform(0.2, 0.8)
            J, normal, along = 0.4 * m * R * R, np.array([-math.cos(lean), -math.sin(lean)]), np.array([math.sin(lean), -math.cos(lean)])
            # rates (vx, vz, wy): away from the wall, off the floor, slip at the wall (point -R n: v + w x r, w x (x, 0, z) = w (z, 0, -x)), slip at the floor
            touch = -R * normal
            rows = np.array([[*normal, 0], [0, 1, 0], [*along, along @ np.array([touch[1], -touch[0]])], [1, 0, -R]])
            W = np.diag([1 / m, 1 / m, 1 / J])
            A, w0 = rows @ W @ rows.T, rows @ np.array([v, 0, v / R])
            found = []
            for wall, floor, sign in itertools.product(("sticks", 1, -1), ("sticks", 1, -1), (1, -1)):
                if wall == floor == "sticks":                   # three rates do not tell four impulses
                    continue
                M, right = np.zeros((4, 4)), np.zeros(4)
                M[0], right[0] = A[0], -e * w0[0] - w0[0]
                M[1], right[1] = A[1], -w0[1]
                for i, (case, c, s) in enumerate(((wall, nu, 1), (floor, mu, sign))):
                    if case == "sticks":
                        M[2 + i], right[2 + i] = A[2 + i], -w0[2 + i]
                    else:
                        M[2 + i, 2 + i], M[2 + i, i] = 1, case * c * s
                p = np.linalg.solve(M, right)
                w = w0 + A @ p
                good = p[0] >= 0 and sign * p[1] >= -1e-12 and 0.5 * p @ (w + w0) <= 0
                good = good and all(abs(p[2 + i]) <= c * abs(p[i]) + 1e-12 and (case == "sticks" or case * w[2 + i] > -1e-12) for i, (case, c) in enumerate(((wall, nu), (floor, mu))))
                if good:
                    found.append((p, wall, floor))
            if not found: # restitution has to give way
                continue
            axis = [normal[0], 0, normal[1]]
            model = {
                "roberval": 1, "space": "spatial", "bodies": {"ground": {"markers": {"wall": {"at": [0.5, 0, R], "axis": axis}}}, "b": {"mass": m, "inertia": [J] * 3, "pose": {"at": [0, 0, R]}}},
                "joints": {"floor": {"type": "ball", "between": ["ground", "b"], "radius": R, "friction": {"coefficient": mu}},
                           "side": {"type": "ball", "between": ["ground.wall", "b"], "radius": R, "unilateral": True, "restitution": e, "friction": {"coefficient": nu}}},
                "initial": {"x(b)'": v, "y(b)'": 0, "wz(b)": 0, "wx(b)": 0, "wy(b)": v / R}, "motion": {"from": 0, "to": 0.6, "step": 0.02},
            }
            done = self.go(model)
            hit = [x for x in done.result["integration"]["events"] if x["kind"] == "impact"][0]
            if ("floor", "slip") not in [(x["name"], x["kind"]) for x in done.result["integration"]["events"]]:
                continue                                        # the floor holds: the wall alone is struck, by Routh's process
            k = int(np.argmax(done.time > hit["t"] + 1e-9))
            got = np.array([done.series["b.vx"][k], done.series["b.vz"][k], done.series["b.omegay"][k]])
            errors = [np.abs(np.array([v, 0, v / R]) + W @ rows.T @ p - got).max() for p, _, _ in found]
            self.assertLess(min(errors), 1e-9, f"seed {seed}: {found}, {got}")
            right = [x for x, error in zip(found, errors) if error < 1e-9]
            p, wall, floor = right[0]
            if len(right) == 1:
                self.assertAlmostEqual(hit["impulse"], p[0], delta=1e-9)
            seen |= {("wall", wall), ("floor", floor)}
        self.assertLessEqual({("wall", "sticks"), ("wall", 1), ("floor", -1)}, seen)

    def test_a_ball_that_is_towed_with_a_jerk(self):
        """a drive that engages makes it twice as fast in no time; the floor has no impulse, so that its spin follows by friction, 2.5 mu g/R a second"""
        m, R, mu, v = 2.0, 0.1, 0.3, 1.0
        model = {
            "roberval": 1, "space": "spatial", "gravity": [0, 0, -G], "bodies": {"b": {"mass": m, "inertia": [0.4 * m * R * R] * 3, "pose": {"at": [0, 0, R]}}},
            "joints": {"floor": {"type": "ball", "between": ["ground", "b"], "radius": R, "friction": {"coefficient": mu}}},
            "drives": {"tow": {"coordinate": "x(b)", "motion": f"{2 * v}*t", "active": "t > 0.5[s]", "value": "here"}},
            "initial": {"x(b)'": v, "y(b)'": 0, "wz(b)": 0}, "motion": {"from": 0, "to": 1, "step": 0.05},
        }
        done = self.go(model)
        self.near(done.series["b.omegay"], [v / R if t <= 0.5 else min(v / R + 2.5 * mu * G / R * (t - 0.5), 2 * v / R) for t in done.time], 1e-7)
        self.assertEqual([(x["name"], x["kind"]) for x in done.result["integration"]["events"]], [("tow", "engage"), ("floor", "slip"), ("floor", "stick")])

    def test_a_rough_pin_beside_a_stop(self):
        """a rod that strikes a stop of its angle: the pin's impulse m a (1 + e) w rubs, and the stop brings what that takes"""
        m, J, a, mu, r, e, w = 2.0, 0.1, 0.4, 0.3, 0.05, 0.5, 2.0
        model = {
            "roberval": 1, "space": "planar", "bodies": {"rod": {"mass": m, "inertia": J, "centroid": [a, 0]}}, "joints": {"pin": {"type": "revolute", "between": ["ground", "rod"], "friction": {"coefficient": mu, "radius": r}}},
            "stops": {"end": {"coordinate": "pin.angle", "max": 0.001, "restitution": e}}, "initial": {"pin.angle'": w}, "motion": {"from": 0, "to": 0.1, "step": 0.1},
        }
        done = self.go(model)
        (hit,) = [x for x in done.result["integration"]["events"] if x["kind"] == "impact"]
        k = mu * r * m * a / (J + m * a * a)
        before = w * math.exp(-k * 0.001)                       # on the way w' = -k w^2
        self.assertAlmostEqual(hit["impulse"], (J + m * a * a) * (1 + e) * before + mu * r * m * a * (1 + e) * before, delta=1e-7)
        model["stops"]["end"]["restitution"] = 0                # nothing slips any more: whether stop or pin has stopped it is open
        self.assertIn("but not how contacts and friction share its impulses", str(self.go(model).result["notes"]))


if __name__ == "__main__":
    unittest.main()
