#!/usr/bin/python3
# ctest: polar natural joint
"""Modes beside a state in which friction slides: mode coupling of a shoe on a belt, damping across a slip, a pin that rubs as it turns, outputs of the state space.

Roots are those of textbook equations written here; what a pin does follows from differences of its equation of motion."""
import math
import random
import sys
import unittest
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent / "py"))
import cli  # noqa: E402

G = 9.81


def ordered(roots):
    kept = [complex(r) for r in roots if r.imag >= -1e-9 * max(1, abs(r))]
    return sorted(kept, key=lambda r: (round(abs(r), 6), -r.real, r.imag))


def roots_of(M, D, K):
    n = len(M)
    return np.linalg.eigvals(np.block([[np.zeros((n, n)), np.eye(n)], [-np.linalg.solve(M, K), -np.linalg.solve(M, D)]]))


class Friction(cli.Case):
    def modes(self, model, *flags):
        return self.ok(model, "modes", "--json", *flags, out=False).json()

    def same(self, model, want, tol=1e-9):
        got = ordered([complex(*m["eigenvalue"]) for m in self.modes(model)["modes"]])
        want = ordered(want)
        self.assertEqual(len(got), len(want), f"{got} for {want}")
        size = max(abs(r) for r in want)
        for a, b in zip(got, want):
            self.assertLessEqual(abs(a - b), tol * size, f"{got} for {want}")

    @staticmethod
    def shoe(rng, mu, speed):
        """A mass on two springs that are not square to each other, which a spring presses on a belt: the least model of mode coupling (Hoffmann and others 2002).

        N = P - k y, M (x, y)'' + K (x, y) = (sign mu N, N): friction makes K unsymmetric."""
        m, light, k, P = rng.uniform(1, 3), rng.uniform(0.01, 0.1), rng.uniform(100, 300), 50.0
        kxx, kxy, kyy = rng.uniform(300, 500), rng.uniform(-60, -20), rng.uniform(100, 200)
        push = f"-({kxx!r}*x(mass) + {kxy!r}*y(mass))", f"-({kxy!r}*x(mass) + {kyy!r}*y(mass)) - {P!r} + lift"
        model = {
            "roberval": 1, "space": "planar", "parameters": {"mu": mu, "pull": 0, "lift": 0},
            "bodies": {"ground": {"markers": {"B": [0, -0.5]}}, "belt": {"mass": 1, "inertia": 1, "pose": {"at": [0, -0.5]}}, "shoe": {"particle": True, "mass": light, "pose": {"at": [0, -0.5]}}, "mass": {"particle": True, "mass": m}},
            "joints": {"run": {"type": "prismatic", "between": ["ground.B", "belt"]}, "face": {"type": "slot", "between": ["belt", "shoe"], "friction": {"coefficient": "mu"}},
                       "guide": {"type": "x", "between": ["mass", "shoe"]}},
            "drives": {"motor": {"coordinate": "run.distance", "motion": f"{speed!r}*t"}},
            "loads": {"frame": {"type": "force", "to": "mass", "value": list(push)}, "pressed": {"type": "force", "to": "mass", "value": ["0 N", f"-{k!r}*(y(mass) - y(shoe) - 0.5)"]},
                      "back": {"type": "force", "to": "shoe", "value": ["0 N", f"{k!r}*(y(mass) - y(shoe) - 0.5)"]}},
        }
        return model, m, light, k, P, np.array([[kxx, kxy], [kxy, kyy]])

    def test_mode_coupling(self):
        kinds = set()
        for seed in range(6):
            rng = random.Random(seed)
            mu, speed = rng.choice([0.05, 0.3, 0.8]), rng.choice([-2.0, 3.0])
            model, m, light, k, P, K = self.shoe(rng, mu, speed)
            sign = 1 if speed > 0 else -1
            K = K + np.array([[0, sign * mu * k], [0, k]])  # N = -k y (the shoe keeps its height, no mass of its own moves up)
            x, y = np.linalg.solve(K, [0, -P])              # in equilibrium while it slides
            model["bodies"]["mass"]["pose"] = {"at": [x, y]}
            model["bodies"]["shoe"]["pose"] = {"at": [x, -0.5]}
            model["initial"] = {"x(mass)'": 0, "y(mass)'": 0, "x(mass)": x, "y(mass)": y}
            want = roots_of(np.diag([m + light, m]), np.zeros((2, 2)), K)
            kinds.add(bool(max(want.real) > 1e-6))
            self.same(model, want)
        self.assertEqual(kinds, {True, False}, "some flutter, and some do not")

    def test_outputs(self):
        """what faces and the guide carry, beside the same state"""
        model, m, light, k, P, K = self.shoe(random.Random(1), 0.3, 3.0)
        mu = 0.3
        K = K + np.array([[0, mu * k], [0, k]])
        x, y = np.linalg.solve(K, [0, -P])
        model["bodies"]["mass"]["pose"], model["bodies"]["shoe"]["pose"] = {"at": [x, y]}, {"at": [x, -0.5]}
        model["initial"] = {"x(mass)'": 0, "y(mass)'": 0, "x(mass)": x, "y(mass)": y}
        model["loads"]["knock"] = {"type": "force", "to": "mass", "value": [0, 0]}
        s = self.modes(model, "--inputs", "knock.Fx,knock.Fy", "--outputs", "face.friction,face.Fy,guide.Fx")["state_space"]
        self.assertEqual([x["name"] for x in s["states"]], ["mass.y", "shoe.x", "mass.y'", "shoe.x'"])
        rub = np.array([-mu * k, 0, 0, 0])              # friction on the shoe along x, mu N = -mu k y
        row = np.array([K[0, 1], K[0, 0], 0, 0]) / (m + light)
        self.near([x["at"] for x in s["outputs"]], [-mu * k * y, -k * y, mu * k * y], 1e-9 * P)
        self.near(s["C"], [rub, [-k, 0, 0, 0], -light * row - rub], 1e-8 * k, "C")
        self.near(s["D"], [[0, 0], [0, 0], [light / (m + light), 0]], 1e-9, "D")

    def test_damps_across(self):
        """A particle on a plate that slides under it: u/|u| turns with what moves across, mu N/|u| a damper."""
        for seed in range(3):
            rng = random.Random(seed)
            m, k, mu, V = rng.uniform(0.5, 2), rng.uniform(20, 90), rng.uniform(0.1, 0.5), rng.choice([-1, 1]) * 10 ** rng.uniform(-3, 1)
            at = math.copysign(mu * m * G / k, V)
            model = {
                "roberval": 1, "space": "spatial", "gravity": [0, 0, -G],
                "bodies": {"ground": {"markers": {"rail": {"at": [0, 0, 0], "axis": [1, 0, 0]}}}, "plate": {"mass": 1, "inertia": [1, 1, 1], "markers": {"rail": {"at": [0, 0, 0], "axis": [1, 0, 0]}}}, "puck": {"particle": True, "mass": m, "pose": {"at": [at, 0, 0]}}},
                "joints": {"run": {"type": "prismatic", "between": ["ground.rail", "plate.rail"]}, "face": {"type": "inplane", "between": ["plate", "puck"], "friction": {"coefficient": mu}}},
                "drives": {"motor": {"coordinate": "run.distance", "motion": f"{V!r}*t"}},
                "loads": {"springs": {"type": "force", "to": "puck", "value": [f"-{k!r}*x(puck)", f"-{k!r}*y(puck)", "0 N"]}},
                "initial": {"x(puck)": at, "y(puck)": 0, "x(puck)'": 0, "y(puck)'": 0},
            }
            self.same(model, np.concatenate([np.roots([m, 0, k]), np.roots([m, mu * m * G / abs(V), k])]), 1e-8)

    def test_pin(self):
        """a rod that turns in a rough pin: N = |m (a_c - g)| takes the acceleration along"""
        for seed in range(3):
            rng = random.Random(seed)
            m, J, a, mu, r, angle, rate = rng.uniform(1, 3), rng.uniform(0.1, 0.3), rng.uniform(0.2, 0.6), rng.uniform(0.1, 0.5), 0.05, rng.uniform(-3, 3), rng.choice([-1, 1]) * rng.uniform(1, 9)

            def gain(phi, w):
                alpha = 0.0
                for _ in range(200):
                    F = m * np.array([a * (-w * w * math.cos(phi) - alpha * math.sin(phi)), a * (-w * w * math.sin(phi) + alpha * math.cos(phi)) + G])
                    alpha = (-m * G * a * math.cos(phi) - math.copysign(mu * r * np.hypot(*F), w)) / (J + m * a * a)
                return alpha

            def slope(f, h=1e-3):
                return sum(c * (f(j * h) - f(-j * h)) for j, c in ((1, 4 / 5), (2, -1 / 5), (3, 4 / 105), (4, -1 / 280))) / h

            model = {
                "roberval": 1, "space": "planar", "gravity": [0, -G], "bodies": {"rod": {"mass": m, "inertia": J, "centroid": [a, 0], "pose": {"at": [0, 0], "angle": angle}}},
                "joints": {"pin": {"type": "revolute", "between": ["ground", "rod"], "friction": {"coefficient": mu, "radius": r}}}, "initial": {"pin.angle": angle, "pin.angle'": rate},
            }
            self.same(model, np.linalg.eigvals([[0, 1], [slope(lambda h: gain(angle + h, rate)), slope(lambda h: gain(angle, rate + h))]]), 1e-8)

    def test_ball_that_slides(self):
        """a ball with side on a table, tied to a spring: its own relation does not hold, friction is part of its reaction"""
        m, R, mu, k, J = 2.0, 0.1, 0.2, 30.0, 0.4 * 2 * 0.01
        z0 = np.array([0.0, 0.0, 1.5, 0.2, 3.0, -4.0])  # x, y, vx, vy, wx, wy

        def rate(z):
            x, y, vx, vy, wx, wy = z
            u = np.array([vx - R * wy, vy + R * wx])    # the point that touches: v + w x (0, 0, -R)
            f = -mu * m * G * u / np.hypot(*u)
            return np.array([vx, vy, f[0] / m - k * x / m, f[1] / m - k * y / m, R * f[1] / J, -R * f[0] / J])

        h = 1e-3
        A = np.array([sum(c * (rate(z0 + j * h * e) - rate(z0 - j * h * e)) for j, c in ((1, 4 / 5), (2, -1 / 5), (3, 4 / 105), (4, -1 / 280))) / h for e in np.eye(6)]).T
        model = {
            "roberval": 1, "space": "spatial", "gravity": [0, 0, -G], "bodies": {"ball": {"mass": m, "inertia": [J, J, J], "pose": {"at": [0, 0, R]}}},
            "joints": {"table": {"type": "ball", "between": ["ground", "ball"], "radius": R, "friction": {"coefficient": mu}}},
            "loads": {"spring": {"type": "force", "to": "ball", "value": [f"-{k}*x(ball)", f"-{k}*y(ball)", "0 N"]}},
            "initial": {"x(ball)'": 1.5, "y(ball)'": 0.2, "wx(ball)": 3, "wy(ball)": -4, "wz(ball)": 0},
        }
        got = [complex(*x["eigenvalue"]) for x in self.modes(model)["modes"]]
        size = max(abs(r) for r in np.linalg.eigvals(A))
        for want in np.linalg.eigvals(A):
            if want.imag >= 0 and abs(want) > 1e-6 * size:
                self.assertLess(min(abs(want - r) for r in got), 1e-8 * size, f"{want} in {got}")

    def test_a_law_in_pieces_beside_friction_that_slides(self):
        """whether friction slides is decided by the beginning of a motion; laws in pieces are read after it, on the piece where the state is"""
        for x, k in ((0.2, 50.0), (-0.2, 8.0)):
            model = {"roberval": 1, "space": "planar", "gravity": [0, -G], "bodies": {"block": {"mass": 2.0, "inertia": 1, "pose": {"at": [x, 0]}}},
                     "joints": {"rail": {"type": "prismatic", "between": ["ground", "block"], "friction": {"coefficient": 0.1}}},
                     "loads": {"spring": {"type": "force", "to": "block", "value": ["-x(block)*if(x(block) > 0, 50[N/m], 8[N/m])", 0]}},
                     "initial": {"rail.distance": x, "rail.distance'": 1.0}}
            [root] = [complex(*m["eigenvalue"]) for m in self.modes(model)["modes"]]
            self.assertLess(abs(root - 1j * math.sqrt(k / 2)), 1e-8 * math.sqrt(k), root)

    def test_what_is_said(self):
        model, *_ = self.shoe(random.Random(0), 0.3, 3.0)
        model["initial"] = {"x(mass)'": 0, "y(mass)'": 0, "x(mass)": 0, "y(mass)": 0}
        model["bodies"]["mass"]["pose"] = {"at": [0, 0]}
        self.assertIn("friction slides in 'face': it follows the loads on the faces", self.ok(model, "modes", "--json", out=False).out)
        block = {"roberval": 1, "space": "planar", "gravity": [0, -G], "bodies": {"block": {"mass": 1, "inertia": 1, "markers": {"E": [1, 0]}}},
                 "joints": {"left": {"type": "prismatic", "between": ["ground", "block"], "friction": {"coefficient": 0.1}}, "right": {"type": "prismatic", "between": ["ground", "block"]}}, "initial": {"left.distance'": 1}}
        done = cli.run_model(block, "modes", out=False)
        self.assertEqual(done.code, 1, done.said())
        self.assertIn("friction in joint 'left' depends on its reaction, which the rigid model does not determine", done.said())


if __name__ == "__main__":
    unittest.main()
