#!/usr/bin/python3
"""The length L of the least norm: it does not depend on which end of a link, gear or belt comes first, it can be given, and then the values are those of that L."""
import copy
import math
import os
import sys
import unittest

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "py"))
import cli              # noqa: E402


def table(rng, links):
    """A plate on a hinge of three rows and on links, more than hold it."""
    bodies = {"ground": {"markers": {}}, "plate": {"mass": 3, "inertia": .2, "centroid": rng.uniform(-.3, .3, 2).tolist(), "markers": {}}}
    joints = {"fix": {"type": "fixed", "between": ["ground", "plate"]}}
    for k in range(links):
        foot, hook = rng.uniform(-1, 1, 2), rng.uniform(-2, 2, 2)
        bodies["ground"]["markers"][f"A{k}"], bodies["plate"]["markers"][f"B{k}"] = foot.tolist(), hook.tolist()
        joints[f"l{k}"] = {"type": "link", "between": [f"ground.A{k}", f"plate.B{k}"]}
    return {"roberval": 1, "space": "planar", "gravity": [0, -9.81], "bodies": bodies, "joints": joints}


class Norm(cli.Case):
    def solve(self, model, *flags):
        done = cli.run_model(model, "statics", "--json", *flags, out=False)
        self.assertEqual(done.code, 0, done.said())
        return done.json()

    def values(self, result, sign=()):
        return {f"{j}.{c}": x["first"] for j, e in result["reactions"].items() for c, x in e["components"].items() if j not in sign or c == "F"}

    def test_either_end_first(self):
        for trial in range(6):
            rng = np.random.default_rng([2, trial])
            model = table(rng, 3)
            other = copy.deepcopy(model)
            swapped = [f"l{k}" for k in range(3) if rng.random() < .6] or ["l0"]
            for name in swapped:
                other["joints"][name]["between"].reverse()
            a, b = self.solve(model), self.solve(other)
            first, second = self.values(a, swapped), self.values(b, swapped)
            for k, x in first.items():
                self.assertAlmostEqual(x, second[k], delta=1e-11 * max(map(abs, first.values())), msg=f"{trial} {k}")

    def test_a_length_that_is_given(self):
        """least sum |F|^2 + |T|^2/L^2, written down for the plate"""
        for trial in range(4):
            rng = np.random.default_rng([3, trial])
            model = table(rng, 3)
            L = 10 ** rng.uniform(-1.5, 1.5)
            have = self.values(self.solve(model, "--norm-length", repr(L)))
            c = model["bodies"]["plate"]["centroid"]
            columns, load = [np.array([1, 0, 0]), np.array([0, 1, 0]), np.array([0, 0, 1])], 3 * 9.81 * np.array([0, 1, c[0]])
            for k in range(3):
                p, q = (np.array(model["bodies"][b]["markers"][m]) for b, m in (("ground", f"A{k}"), ("plate", f"B{k}")))
                u = (p - q) / math.hypot(*(p - q))                     # tension pulls the plate to the foot
                columns.append(np.array([u[0], u[1], q[0] * u[1] - q[1] * u[0]]))
            A, weight = np.array(columns).T, np.array([1, 1, 1 / L, 1, 1, 1])
            want = np.linalg.pinv(A / weight) @ load / weight
            for name, x in zip(("fix.Fx", "fix.Fy", "fix.Tz", "l0.F", "l1.F", "l2.F"), want):
                self.assertAlmostEqual(have[name], x, delta=1e-10 * np.abs(want).max(), msg=name)

    def test_contacts(self):
        """racks and cams: the force alone, at the pitch point or where they touch, wherever on line or flat the markers stand; least sum written down for the plate"""
        t = 2 * math.pi * np.arange(720) / 720
        for trial in range(5):
            rng = np.random.default_rng([4, trial])
            found = []
            for slide in (0, 1):
                rng = np.random.default_rng([4, trial])
                model = table(rng, 1)
                points, R = [], rng.uniform(.2, .5)
                for k, kind in enumerate(("rack", "cam")):
                    at, direction = rng.uniform(-1, 1, 2), rng.uniform(-3, 3)
                    u = np.array([math.cos(direction), math.sin(direction)])
                    n, along = np.array([-u[1], u[0]]), rng.uniform(-1, 1, 2)[slide]
                    if kind == "rack":                                  # the pinion is the plate
                        line, other, points_at = at + along * u, at + R * n, at
                        model["bodies"]["ground"]["markers"]["R"] = {"at": line.tolist(), "angle": direction}
                        model["bodies"]["plate"]["markers"]["R"] = other.tolist()
                        model["joints"]["rack"] = {"type": "rack", "between": ["ground.R", "plate.R"], "radius": R}
                        points.append((u, points_at))
                    else:                                              # a round outline on ground, a flat on the plate that touches it
                        model["bodies"]["ground"]["markers"]["C"] = at.tolist()
                        model["bodies"]["plate"]["markers"]["C"] = {"at": (at + R * n + .3 * along * u).tolist(), "angle": direction}
                        model["joints"]["cam"] = {"type": "cam", "between": ["ground.C", "plate.C"], "flat": True, "curve": {"file": "round.csv", "x": "x", "y": "y", "closed": True}}
                        points.append((n, at + R * n))
                text = "x,y\n" + "".join(f"{R * math.cos(a)!r},{R * math.sin(a)!r}\n" for a in [*t, 0])
                done = cli.run_model(model, "statics", "--json", out=False, files={"round.csv": text})
                self.assertEqual(done.code, 0, done.said())
                found.append(self.values(done.json()))
                L = done.json()["least_norm"]["length"]
            a, b = found
            for name in ("fix.Fx", "fix.Fy", "fix.Tz", "l0.F"):
                self.assertAlmostEqual(a[name], b[name], delta=1e-8 * max(map(abs, a.values())), msg=f"{trial} {name}")
            c = model["bodies"]["plate"]["centroid"]
            p, q = (np.array(model["bodies"][body]["markers"][m]) for body, m in (("ground", "A0"), ("plate", "B0")))
            columns = [np.array([1, 0, 0]), np.array([0, 1, 0]), np.array([0, 0, 1])]
            for u, at in [((p - q) / math.hypot(*(p - q)), q), *points]:
                columns.append(np.array([u[0], u[1], at[0] * u[1] - at[1] * u[0]]))
            want = np.linalg.pinv(np.array(columns).T / np.array([1, 1, 1 / L, 1, 1, 1])) @ (3 * 9.81 * np.array([0, 1, c[0]])) / np.array([1, 1, 1 / L, 1, 1, 1])
            for name, x in zip(("fix.Fx", "fix.Fy", "fix.Tz", "l0.F"), want):
                self.assertAlmostEqual(b[name], x, delta=1e-8 * np.abs(want).max(), msg=f"{trial} {name}")

    def test_calls(self):
        model = table(np.random.default_rng(1), 2)
        done = cli.run_model(model, "statics", "--norm-length", "250 mm", out=False, quiet=False)
        self.assertIn("L = 0.25 m", done.out)
        for value in ("0", "-1", "2 kg", "x"):
            done = cli.run_model(model, "statics", "--norm-length", value)
            self.assertEqual(done.code, 2, done.said())
            self.assertIn("--norm-length", done.err)


if __name__ == "__main__":
    unittest.main(verbosity=1)
