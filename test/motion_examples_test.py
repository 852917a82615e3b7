#!/usr/bin/env python3
# ctest: polar joint
"""Examples of motion: the numbers of their stories against closed forms, laws, and published values."""
import math
import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "py"))
import numpy as np      # noqa: E402
import cli              # noqa: E402

EXAMPLES = os.path.join(cli.ROOT, "examples")


def bisect(f, low, high):
    for _ in range(200):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if f(middle) * f(low) > 0 else (low, middle)
    return low


class Examples(cli.Case):
    def solve(self, command, model, *options):
        run = cli.run([command, os.path.join(EXAMPLES, model)] + list(options))
        self.assertEqual(run.code, 0, run.said())
        return run

    def events(self, run):
        return {(e["name"], e["kind"]): e["t"] for e in run.result["integration"]["events"]}

    def test_a_tappet_leaves_its_cam_where_the_spring_no_longer_suffices(self):
        half, peak = math.radians(80), 7e-3        # the lift 7 mm (1 - (a/80 deg)^2)^3 over the angle from the nose

        def force(a, w):
            u = a / half
            h, h1, h2 = peak * (1 - u * u) ** 3, -6 * peak * u * (1 - u * u) ** 2 / half, peak * (-6 * (1 - u * u) ** 2 + 24 * u * u * (1 - u * u)) / half ** 2
            return 32e3 * (8e-3 + h) + 4 * h1 * w + 0.096 * h2 * w * w
        jump = math.sqrt(480 / (0.096 * 6 * peak / half ** 2))            # at the nose
        self.assertAlmostEqual(jump * 60 / (2 * math.pi), 4600, delta=10)
        self.assertEqual(self.events(self.solve("simulate", "valvetrain/flies.yaml", "--set", "n=4500 rpm")), {})
        w = 5000 * 2 * math.pi / 60
        angle = bisect(lambda a: force(a, w), -math.radians(40), -math.radians(5))
        events = self.events(self.solve("simulate", "valvetrain/flies.yaml"))
        # a spline through points a degree apart has a curvature that is off by some 1e-5
        self.assertAlmostEqual(w * events["cam", "release"] - 1.5 * math.pi, angle, delta=1e-4)
        self.assertIn(("cam", "land"), events)

    def test_the_bicycle_of_the_benchmark(self):
        # J. P. Meijaard, J. M. Papadopoulos, A. Ruina, A. L. Schwab, Proc. R. Soc. A 463 (2007) 1955: weave and capsize speed, eigenvalues at 5 m/s
        run = self.solve("modes", "bicycle/bicycle.yaml", "--follow", "v=1..8 m/s")
        events = [(e["kind"], e["at"]) for e in run.result["follow"]["events"]]
        self.assertEqual([kind for kind, _ in events], ["stable", "divergence"])
        self.assertAlmostEqual(events[0][1], 4.29238253634111, delta=1e-7)
        self.assertAlmostEqual(events[1][1], 6.02426201538837, delta=1e-7)
        found = [m["eigenvalue"] for m in self.solve("modes", "bicycle/bicycle.yaml").result["modes"]]
        for root in ([-0.322866429004087, 0], [-0.775341882195845, 4.46486771378823], [-14.07838969279822, 0]):
            self.assertLess(min(math.hypot(root[0] - f[0], root[1] - f[1]) for f in found), 1e-7)

    def test_a_bicycle_rights_itself(self):
        run = self.solve("simulate", "bicycle/bicycle.yaml", "--set", "push=0.2 rad/s")
        self.assertGreater(max(abs(run.series["lean"])), 0.03)
        self.assertLess(abs(run.series["lean"][-1]), 0.003)

    def test_a_latch_a_plunger_and_a_flight(self):
        run = self.solve("simulate", "launcher/launcher.yaml")
        events = self.events(run)
        speed = 0.06 * math.sqrt(4000 / 0.2)
        self.assertAlmostEqual(events["latch", "disengage"], 0.1, delta=1e-12)
        self.assertAlmostEqual(events["face", "release"], 0.1 + 0.5 * math.pi * math.sqrt(0.2 / 4000), delta=1e-9)
        self.assertAlmostEqual(run.series["speed"][-1], speed, delta=1e-8)
        self.assertAlmostEqual(events["lands", "event"], events["rail", "disengage"] + math.sqrt(1.6 / 9.81), delta=1e-9)
        self.assertAlmostEqual(run.series["distance"][-1], 0.05 + speed * math.sqrt(1.6 / 9.81), delta=1e-8)

    def test_a_load_comes_to_rest_against_the_wind(self):
        run = self.solve("simulate", "gantry/gantry.yaml", "--to", "120")
        sway = math.atan(60 / (400 * 9.81))
        self.assertAlmostEqual(run.series["place"][-1], 4, delta=1e-6)
        self.assertAlmostEqual(run.series["sway"][-1], sway, delta=1e-6)
        self.assertAlmostEqual(run.series["force"][-1], -60, delta=1e-3)
        self.assertAlmostEqual(run.series["integral"][-1], -(60 + 3000 * sway) / 60, delta=1e-4)
        without = self.solve("simulate", "gantry/gantry.yaml", "--to", "120", "--set", "ki=0 N/(m.s)")
        self.assertAlmostEqual(without.series["place"][-1], 4 + (60 + 3000 * sway) / 400, delta=1e-6)

    def test_a_tippe_top_keeps_what_jellett_found(self):
        run = self.solve("simulate", "tippetop/tippetop.yaml")
        J1, J3, R, e = 1.3e-6, 1.35e-6, 15e-3, 4e-3
        s = run.series
        w, x, y, z = (s[f"top.q{c}"] for c in "wxyz")
        axis = np.array([2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)])       # of the top, in ground's axes
        spin = np.array([s["top.omegax"], s["top.omegay"], s["top.omegaz"]])
        momentum = J1 * spin + (J3 - J1) * np.sum(spin * axis, axis=0) * axis
        lowest = e * axis + np.array([0, 0, -R])[:, None]                                          # from the centroid
        jellett = np.sum(momentum * lowest, axis=0)
        np.testing.assert_allclose(jellett, jellett[0], rtol=1e-6)
        self.assertLess(s["tilt"][0], 0.2)
        self.assertGreater(s["tilt"][-1], 3.1)
        energy = 0.5 * np.sum(momentum * spin, axis=0) + 0.5 * 15e-3 * (s["top.vx"] ** 2 + s["top.vy"] ** 2 + s["top.vz"] ** 2) + 15e-3 * 9.81 * s["top.z"]
        np.testing.assert_allclose(s["energy"], energy, rtol=1e-9)
        self.assertLess(max(np.diff(energy)), 1e-9 * energy[0])

    def test_an_arm_writes_a_circle_with_the_torques_of_a_two_link_arm(self):
        run = self.solve("track", "writer/writer.yaml")
        w, r, rate = 3, 0.12, 20
        for name, place, centre, phase in (("px", "px_place", 0.4, 0), ("py", "py_place", 0.3, -math.pi / 2)):
            path = centre + r * np.cos(w * run.time + phase)
            e0, e1 = run.series[place][0] - path[0], r * w * math.sin(phase)                        # it starts at rest
            self.assertGreater(abs(e0), 1e-4)
            np.testing.assert_allclose(run.series[place] - path, (e0 + (e1 + rate * e0) * run.time) * np.exp(-rate * run.time), atol=1e-8)
        # late, on the circle: angles by the law of cosines, their rates by differences
        a, b = 0.5, 0.4

        def angles(t):
            px, py = 0.4 + r * math.cos(w * t), 0.3 + r * math.sin(w * t)
            bend = -math.acos((px * px + py * py - a * a - b * b) / (2 * a * b))
            return np.array([math.atan2(py, px) - math.atan2(b * math.sin(bend), a + b * math.cos(bend)), bend])
        t, h = 2.4, 1e-3
        q, v = angles(t), (8 * (angles(t + h) - angles(t - h)) - angles(t + 2 * h) + angles(t - 2 * h)) / (12 * h)
        acceleration = (-angles(t + 2 * h) + 16 * angles(t + h) - 30 * q + 16 * angles(t - h) - angles(t - 2 * h)) / (12 * h * h)
        m1, m2, J1, J2, c1, c2, g = 3, 2, 0.06, 0.03, 0.25, 0.2, 9.81
        cross = m2 * a * c2
        M = np.array([[J1 + J2 + m1 * c1 ** 2 + m2 * (a * a + c2 * c2) + 2 * cross * math.cos(q[1]), J2 + m2 * c2 ** 2 + cross * math.cos(q[1])],
                      [J2 + m2 * c2 ** 2 + cross * math.cos(q[1]), J2 + m2 * c2 ** 2]])
        s = cross * math.sin(q[1])
        force = M @ acceleration + np.array([-s * (2 * v[0] * v[1] + v[1] ** 2), s * v[0] ** 2])
        force += g * np.array([(m1 * c1 + m2 * a) * math.cos(q[0]) + m2 * c2 * math.cos(q.sum()), m2 * c2 * math.cos(q.sum())])
        k = int(np.argmin(abs(run.time - t)))
        np.testing.assert_allclose([run.series["m1.effort"][k], run.series["m2.effort"][k]], force, atol=1e-6)


if __name__ == "__main__":
    unittest.main()
