#!/usr/bin/env python3
"""Cams of space: a point on a curve of space, on a surface of revolution, and on a planar outline that reaches along z.

Closed forms: a bead on a helical wire that turns, a bead in a turning paraboloid bowl, a follower of a round post. Curves are splines through points of the
closed form: with 400 points a turn their third derivative jumps by (2 pi/400)^2, so accelerations, and forces, are asked to 1e-5 of the largest.
"""
import math
import sys
import unittest
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent / "py"))
import cli  # noqa: E402

G = np.array([0.3, -0.4, -9.81])


def rotation_z(a):
    return np.array([[math.cos(a), -math.sin(a), 0], [math.sin(a), math.cos(a), 0], [0, 0, 1]])


def second(f, t, h=1e-3):
    """f'' by eighth order"""
    w = (-205 / 72, 8 / 5, -1 / 5, 8 / 315, -1 / 560)
    return (w[0] * f(t) + sum(w[k] * (f(t + k * h) + f(t - k * h)) for k in range(1, 5))) / h**2


class SpaceCams(cli.Case):
    def solve(self, model, columns, command="inverse", *flags):
        lines = [",".join(f"{name} [m]" for name in columns)] + [",".join(repr(float(x)) for x in row) for row in zip(*columns.values())]
        return cli.run_model(model, command, *flags, files={"curve.csv": "\n".join(lines) + "\n"})

    def check_bead(self, done, place, mass):
        """position and force on the bead, ground axes, at each sample"""
        self.assertEqual(done.code, 0, done.said())
        times = done.series["time"]
        size = max(np.linalg.norm(mass * (second(place, t) - G)) for t in times)
        for n, t in enumerate(times):
            p = np.array([done.series[f"bead.{c}"][n] for c in "xyz"])
            self.assertLess(np.linalg.norm(p - place(t)), 1e-7)
            total = sum(np.array([done.series[f"{joint}.F{c}"][n] for c in "xyz"]) for joint in ("wire",))
            yield n, t, total, mass * (second(place, t) - G), size

    def test_a_bead_on_a_turning_helix(self):
        radius, lead, mass = 0.2, 0.3, 0.7
        s = np.linspace(-1.2 * math.pi, 2.4 * math.pi, 1400)
        columns = {"u": radius * np.cos(s), "v": radius * np.sin(s), "w": lead * s / (2 * math.pi)}
        spin, climb = "0.4*t + 0.3*t^2", "0.05 + 0.12*sin(1.5*t)"
        model = {"roberval": 1, "space": "spatial", "gravity": list(G),
                 "bodies": {"ground": {"markers": {"O": [0.1, 0.2, 0.3]}},
                            "screw": {"mass": 2, "inertia": [0.1, 0.1, 0.05], "pose": {"at": [0.1, 0.2, 0.3]}, "markers": {"O": [0, 0, 0]}},
                            "bead": {"particle": True, "mass": mass, "pose": {"at": [0.1 + radius * math.cos(1.05), 0.2 + radius * math.sin(1.05), 0.35]}}},
                 "joints": {"pin": {"type": "revolute", "between": ["ground.O", "screw.O"]},
                            "wire": {"type": "cam", "between": ["screw.O", "bead"], "curve": {"file": "curve.csv", "x": "u", "y": "v", "z": "w"}}},
                 "drives": {"turn": {"coordinate": "pin.angle", "motion": spin}, "lift": {"coordinate": "z(bead)", "motion": "0.3 + " + climb}},
                 "motion": {"from": 0, "to": 1, "step": 0.05}}

        def place(t):
            phi, z = 0.4 * t + 0.3 * t**2, 0.05 + 0.12 * math.sin(1.5 * t)
            a = 2 * math.pi * z / lead
            return np.array([0.1, 0.2, 0.3]) + rotation_z(phi) @ np.array([radius * math.cos(a), radius * math.sin(a), z])

        done = self.solve(model, columns, "inverse", "--frame", "ground")
        for n, t, force, need, size in self.check_bead(done, place, mass):
            # the wire pushes across itself, the lift along z: their sum is m (a - g)
            tangent = rotation_z(0.4 * t + 0.3 * t**2) @ self.tangent(t, radius, lead)
            lift = done.series["lift.effort"][n]
            self.assertLess(np.linalg.norm(force + [0, 0, lift] - need), 1e-5 * size)
            self.assertLess(abs(force @ tangent), 1e-6 * size)
        result = done.result
        self.assertEqual((result["mobility"]["rows"], result["mobility"]["rank"], result["mobility"]["redundant"]), (9, 9, 0))
        self.assertEqual(result["reactions"]["wire"]["components"]["Fx"]["verdict"], "unique")
        self.assertNotIn("F", result["reactions"]["wire"]["components"])

    @staticmethod
    def tangent(t, radius, lead):
        z = 0.05 + 0.12 * math.sin(1.5 * t)
        a = 2 * math.pi * z / lead
        tangent = np.array([-radius * math.sin(a), radius * math.cos(a), lead / (2 * math.pi)])
        return tangent / np.linalg.norm(tangent)

    def test_a_bead_in_a_turning_bowl(self):
        k, mass = 0.8, 1.3                      # z = k rho^2
        rho = np.linspace(0.02, 1.2, 600)       # outwards: the material, to the left, is above; the bead presses from within
        columns = {"r": rho, "h": k * rho**2}
        model = {"roberval": 1, "space": "spatial", "gravity": list(G),
                 "bodies": {"ground": {"markers": {"O": [0, 0, -0.2]}},
                            "bowl": {"mass": 5, "inertia": [1, 1, 1], "pose": {"at": [0, 0, -0.2]}, "markers": {"B": [0, 0, 0]}},
                            "bead": {"particle": True, "mass": mass, "pose": {"at": [0.5, 0.1, 0]}}},
                 "joints": {"pin": {"type": "revolute", "between": ["ground.O", "bowl.B"]},
                            "wire": {"type": "cam", "between": ["bowl.B", "bead"], "curve": {"file": "curve.csv", "x": "r", "y": "h", "revolved": True}}},
                 "drives": {"turn": {"coordinate": "pin.angle", "motion": "2*t"},
                            "along": {"coordinate": "x(bead)", "motion": "0.5*cos(t)"}, "across": {"coordinate": "y(bead)", "motion": "0.1 + 0.3*sin(2*t)"}},
                 "motion": {"from": 0, "to": 1, "step": 0.05}}

        def place(t):
            x, y = 0.5 * math.cos(t), 0.1 + 0.3 * math.sin(2 * t)
            return np.array([x, y, -0.2 + k * (x * x + y * y)])

        done = self.solve(model, columns, "inverse", "--frame", "ground")
        for n, t, force, need, size in self.check_bead(done, place, mass):
            x, y, _ = place(t)
            normal = np.array([-2 * k * x, -2 * k * y, 1])
            driven = np.array([done.series["along.effort"][n], done.series["across.effort"][n], 0])
            self.assertLess(np.linalg.norm(force + driven - need), 1e-5 * size)
            self.assertLess(np.linalg.norm(np.cross(force, normal / np.linalg.norm(normal))), 1e-6 * size)
            self.assertAlmostEqual(abs(done.series["wire.F"][n]), np.linalg.norm(force), delta=1e-9 * size)
        self.assertEqual(done.result["mobility"]["redundant"], 0)

    def test_a_follower_of_a_round_post(self):
        radius, mass = 0.25, 0.9
        a = np.linspace(0, 2 * math.pi, 401)
        columns = {"x": radius * np.cos(a), "y": radius * np.sin(a)}
        columns["x"][-1], columns["y"][-1] = columns["x"][0], columns["y"][0]
        model = {"roberval": 1, "space": "spatial", "gravity": list(G),
                 "bodies": {"post": {"mass": 5, "inertia": [1, 1, 1], "markers": {"B": {"at": [0, 0, 0], "axis": [0, 1, 0], "x": [0, 0, 1]}}},
                            "bead": {"particle": True, "mass": mass, "pose": {"at": [0.25, 0.2, 0.02]}}},
                 "joints": {"hold": {"type": "fixed", "between": ["ground", "post"]},
                            "wire": {"type": "cam", "between": ["post.B", "bead"], "curve": {"file": "curve.csv", "x": "x", "y": "y", "closed": True}}},
                 "drives": {"up": {"coordinate": "z(bead)", "motion": "0.1*sin(2*t)"}, "along": {"coordinate": "y(bead)", "motion": "0.2 + t^2"}},
                 "motion": {"from": 0, "to": 1, "step": 0.05}}

        def place(t):
            z = 0.1 * math.sin(2 * t)
            return np.array([math.sqrt(radius**2 - z**2), 0.2 + t**2, z])

        done = self.solve(model, columns, "inverse", "--frame", "ground")
        for n, t, force, need, size in self.check_bead(done, place, mass):
            driven = np.array([0, done.series["along.effort"][n], done.series["up.effort"][n]])
            self.assertLess(np.linalg.norm(force + driven - need), 1e-4 * size)   # 400 points for the whole circle
            self.assertLess(abs(force[1]), 1e-9 * size)

    def test_what_a_curve_of_space_cannot_have(self):
        columns = {"u": [0, 1, 2, 3.0], "v": [0, 1, 0, 1.0], "w": [0, 0.5, 1, 2.0]}
        base = {"roberval": 1, "space": "spatial", "bodies": {"b": {"mass": 1, "inertia": [1, 1, 1]}}, "motion": {"from": 0, "to": 1, "step": 1}}
        for keys, curve, pattern in (({"flat": True}, {"z": "w"}, "follower of cam 'wire' on a curve of space is a point"),
                                     ({}, {"z": "w", "revolved": True}, "without revolved"), ({"flat": True}, {"revolved": True}, "surface of revolution is a point"),
                                     ({}, {"z": "nothing"}, "no column 'nothing'")):
            model = {**base, "joints": {"wire": {"type": "cam", "between": ["ground", "b"], "curve": {"file": "curve.csv", "x": "u", "y": "v", **curve}, **keys}}}
            done = self.solve(model, columns, "check")
            self.assertEqual(done.code, 2, done.said())
            self.assertRegex(done.err, pattern)


if __name__ == "__main__":
    unittest.main()
