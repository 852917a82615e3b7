#!/usr/bin/python3
"""What rolls by its friction and has active: knife edge, ball and belt that take hold of what slides, in closed form, and let go again."""
import math
import sys
import unittest
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent / "py"))
import cli  # noqa: E402


class Active(cli.Case):
    def go(self, model, *flags):
        done = cli.run_model(model, "simulate", *flags)
        self.assertEqual(done.code, 0, done.said())
        return done

    def events(self, done, name):
        return [(x["kind"], round(x["t"], 6)) for x in done.result["integration"]["events"] if x["name"] == name]

    def test_a_blade_that_is_let_down(self):
        """2 kg that glide sideways with 1 m/s; from 0.5 s on the blade takes 0.2 * 10 N: at rest sideways 1 s later; along it nothing changes; after 2 s it is lifted"""
        model = {
            "roberval": 1, "space": "planar", "bodies": {"sledge": {"mass": 2, "inertia": 1}},
            "joints": {"blade": {"type": "knife-edge", "between": ["ground", "sledge"], "friction": {"coefficient": 0.2, "normal": 10}, "active": "t > 0.5[s] and t < 2[s]"}, "turn": {"type": "angle", "between": ["ground", "sledge"]}},
            "loads": {"wind": {"type": "force", "to": "sledge", "value": [0, "if(t > 1.75[s], 1[N], 0[N])"]}},
            "initial": {"x(sledge)'": 3, "y(sledge)'": 1}, "motion": {"from": 0, "to": 3, "step": 0.1},
        }
        done = self.go(model)
        self.assertEqual(self.events(done, "blade"), [("engage", 0.5), ("slip", 0.5), ("stick", 1.5), ("disengage", 2.0)])
        for t, v, f in zip(done.time, done.series["sledge.vy"], done.series["blade.friction"]):
            self.assertAlmostEqual(v, 1 if t < 0.5 else 1.5 - t if t < 1.5 else 0 if t < 2 else 0.5 * (t - 2), delta=1e-9)
            if min(abs(t - s) for s in (0.5, 1.5, 1.75, 2)) > 1e-6:
                self.assertAlmostEqual(f, 0 if t < 0.5 or t > 2 else -2 if t < 1.5 else 0 if t < 1.75 else -1, delta=1e-9)
        self.near(done.series["sledge.vx"], 3 + 0 * done.time, 1e-9)

    def test_a_ball_that_is_set_down(self):
        """pressed with 20 N from 0.5 s on it slides until it rolls with 5/7 of its speed, and keeps its spin when it is taken up"""
        m, R, mu, v = 2.0, 0.1, 0.25, 1.0
        model = {
            "roberval": 1, "space": "spatial", "bodies": {"b": {"mass": m, "inertia": [0.4 * m * R * R] * 3, "pose": {"at": [0, 0, R]}}},
            "joints": {"floor": {"type": "ball", "between": ["ground", "b"], "radius": R, "friction": {"coefficient": mu}, "active": "t > 0.5[s] and t < 1.5[s]"}},
            "loads": {"hand": {"type": "force", "to": "b", "value": [0, 0, "if(t > 0.5[s] and t < 1.5[s], -20[N], 0[N])"]}},
            "initial": {"x(b)'": v, "y(b)'": 0, "z(b)'": 0, "wx(b)": 0, "wy(b)": 0, "wz(b)": 0}, "motion": {"from": 0, "to": 2, "step": 0.05},
        }
        done = self.go(model)
        ends = 0.5 + 2 / 7 * v / (mu * 20 / m)
        self.assertEqual(self.events(done, "floor"), [("engage", 0.5), ("slip", 0.5), ("stick", round(ends, 6)), ("disengage", 1.5)])
        for t, got, w in zip(done.time, done.series["b.vx"], done.series["b.omegay"]):
            self.assertAlmostEqual(got, v - mu * 20 / m * min(max(t - 0.5, 0), ends - 0.5), delta=1e-8)
            self.assertAlmostEqual(w, mu * 20 / (0.4 * m * R) * min(max(t - 0.5, 0), ends - 0.5), delta=1e-6)

    def test_a_belt_that_is_put_on(self):
        """It slips with 2 T0 tanh(mu pi/2) on equal pulleys until they turn alike, and is thrown off again."""
        J, r, mu, T, w = 0.5, 0.2, 0.3, 50.0, 10.0
        model = {
            "roberval": 1, "space": "planar", "bodies": {"ground": {"markers": {"B": [1, 0]}}, "a": {"mass": 1, "inertia": J}, "b": {"mass": 1, "inertia": J, "pose": {"at": [1, 0]}}},
            "joints": {"A": {"type": "revolute", "between": ["ground", "a"]}, "B": {"type": "revolute", "between": ["ground.B", "b"]},
                       "belt": {"type": "belt", "between": ["a", "b"], "radii": [r, r], "preload": T, "friction": {"coefficient": mu}, "active": "t > 0.2[s] and t < 1[s]"}},
            "loads": {"brake": {"type": "torque", "to": "b", "value": "if(t > 1[s], -1[N.m], 0[N.m])"}},
            "initial": {"A.angle'": w, "B.angle'": 0, "A.angle": 0, "B.angle": 0.3}, "motion": {"from": 0, "to": 1.5, "step": 0.05},
        }
        done = self.go(model)
        pull = 2 * T * math.tanh(mu * math.pi / 2)
        ends = 0.2 + 0.5 * w * J / (pull * r)
        self.assertEqual(self.events(done, "belt"), [("engage", 0.2), ("slip", 0.2), ("stick", round(ends, 6)), ("disengage", 1.0)])
        slid = np.clip(done.time - 0.2, 0, ends - 0.2)
        self.near(done.series["A.angle'"], w - pull * r / J * slid, 1e-8)
        self.near(done.series["B.angle'"], pull * r / J * slid - np.clip(done.time - 1, 0, None) / J, 1e-8)


if __name__ == "__main__":
    unittest.main()
