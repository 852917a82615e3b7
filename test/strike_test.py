#!/usr/bin/env python3
# ctest: natural joint
"""Impacts of contacts that rub: bouncing balls by hand, a rod that strikes with its end by small steps of the impulse written here, cams that land.

Tolerances.  1e-8 where states jump after a flight that is exact to the tolerance; 1e-4 and 5e-4 against 20000 steps of first order of the impulse, 1e-4 of rates of some m/s, and the turn up to it.
"""
import math
import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "py"))
import numpy as np      # noqa: E402
import cli              # noqa: E402

G, R, M = 9.81, 0.03, 0.2
J = 0.4 * M * R * R


def thrown(mu, e, v, w, height=0.5, static=None):
    rub = {"coefficient": mu} if static is None else {"coefficient": mu, "static": static}
    start = {f"{n}(b)'": x for n, x in zip("xyz", (*v, 0))}
    start.update({f"w{n}(b)": x for n, x in zip("xyz", w)})
    return {"roberval": 1, "space": "spatial", "gravity": [0, 0, -G], "bodies": {"b": {"mass": M, "inertia": [J] * 3, "pose": {"at": [0, 0, R + height]}}},
            "joints": {"floor": {"type": "ball", "between": ["ground", "b"], "radius": R, "unilateral": True, "restitution": e, "friction": rub}}, "initial": start,
            "motion": {"from": 0, "to": 0.6, "step": 0.02}, "output": {f"w{n}": f"w{n}(b)" for n in "xyz"}}


def bounce(mu, e, v, w, down):
    """of a ball: its slip u = v + R (z x w)... loses 7/2 of what friction brings, along u"""
    u = v + np.cross(w, [0, 0, -R])
    size = math.hypot(u[0], u[1])
    most = mu * (1 + e) * down                                  # friction's impulse over m, while it slides
    part = min(most, 2 / 7 * size) / size if size > 0 else 0
    dv = -part * np.array([u[0], u[1], 0])
    return v + dv, w + np.cross([0, 0, -R], M * dv) / J


def rod(mu, e, angle, v, spin):
    """a slender body in the xz plane whose lower end, a ball of 10 mm, strikes the ground at once; 0.6 m long, its centroid in the middle, turned by `angle` about y"""
    end = np.array([0.3 * math.sin(angle), -0.3 * math.cos(angle)])     # x and z of the end against the centroid
    turn = {"axis": [0, 1, 0], "angle": -angle}
    model = {"roberval": 1, "space": "spatial", "bodies": {"r": {"mass": 1, "inertia": [0.03, 0.03, 0.001], "pose": {"at": [0, 0, 0.011 - end[1]], "rotate": turn}, "markers": {"E": [0, 0, -0.3]}}},
             "joints": {"g": {"type": "ball", "between": ["ground", "r.E"], "radius": 0.01, "unilateral": True, "restitution": e, "friction": {"coefficient": mu}}},
             "initial": {"x(r)'": v[0], "y(r)'": 0, "z(r)'": v[1], "wx(r)": 0, "wy(r)": spin, "wz(r)": 0}, "motion": {"from": 0, "to": 4e-3, "step": 5e-4}, "output": {"w": "wy(r)"}}
    return model, end + np.array([0, -0.01])


def strike(mu, e, arm, v, spin):
    """Routh's method in small steps: v + spin about y (x' = w z, z' = -w x) at the arm; mass 1, inertia 0.03"""
    v, w = np.array(v, float), spin
    rate = lambda: np.array([v[0] + w * arm[1], v[1] - w * arm[0]])      # noqa: E731
    away, step = -e * rate()[1], abs(rate()[1]) / 20000
    way = math.copysign(1, rate()[0])
    while rate()[1] < away:
        u = rate()[0]
        Gtt, Gnt = 1 + arm[1] ** 2 / 0.03, -arm[0] * arm[1] / 0.03
        f = -mu * way
        if u * way <= 0:                                        # slip ends: it stays if friction can hold it, or goes on the other way
            need = -Gnt / Gtt
            way = -way if abs(need) > mu and need * way < 0 else way
            f = need if abs(need) <= mu else math.copysign(mu, need)
        v = v + step * np.array([f, 1.0])
        w += step * (arm[1] * f - arm[0] * 1.0) / 0.03
    return v, w


class Strikes(cli.Case):
    def go(self, model, *flags, **more):
        return self.ok(model, "simulate", *flags, **more)

    def test_a_ball_bounces_with_side(self):
        for mu, e, v, w in ((0.1, 0.6, (2.0, 0.5), (10.0, -50.0, 7.0)), (0.3, 0.8, (1.0, 0.0), (0.0, -40.0, 0.0)), (0.0, 0.5, (1.0, 0.0), (0.0, 20.0, 0.0)), (0.5, 0.0, (2.0, 1.0), (0, 0, 0))):
            done = self.go(thrown(mu, e, v, w))
            lands, down = math.sqrt(2 * 0.5 / G), math.sqrt(2 * G * 0.5)
            self.near(done.result["integration"]["events"][0]["t"], lands, 1e-9)
            self.near(done.result["integration"]["events"][0]["impulse"], M * (1 + e) * down, 1e-8)
            after, spin = bounce(mu, e, np.array([*v, 0]), np.array(w, float), down)
            k = int(np.argmax(done.time > lands))
            flies = e > 0                                       # else it lies, and friction goes on
            if flies:
                self.near([done.series[f"b.v{n}"][k] for n in "xy"], after[:2], 1e-8)
                self.near([done.series[f"w{n}"][k] for n in "xyz"], spin, 1e-6)
                self.near(done.series["b.vz"][k], e * down - G * (done.time[k] - lands), 1e-8)
            else:
                slides = np.hypot(*(after + np.cross(spin, [0, 0, -R]))[:2])
                rolls = after - 2 / 7 * (after + np.cross(spin, [0, 0, -R]))
                t = min(done.time[-1] - lands, 2 * slides / (7 * mu * G))
                self.near([done.series[f"b.v{n}"][-1] for n in "xy"], (after + (rolls - after) * (t / (2 * slides / (7 * mu * G)) if slides > 0 else 1))[:2], 1e-7)
            self.assertTrue(np.all(np.diff(done.series["energy"]) <= 1e-9))

    @cli.long
    def test_a_rod_strikes_with_its_end(self):
        """the end slides on, stops in the impact and sticks, or turns back: the mobility couples both directions"""
        seen = set()
        for mu, e, angle, v, spin in ((0.1, 0.5, 0.5, (0.0, -2.0), 0.0), (0.8, 0.5, 0.5, (0.5, -2.0), 0.0), (0.15, 0.3, -0.6, (1.0, -1.5), 2.0), (0.3, 0.0, 0.4, (-0.4, -2.0), 1.0), (0.05, 1.0, 0.7, (0.3, -1.0), 0.0)):
            model, arm = rod(mu, e, angle, v, spin)
            done = self.go(model)
            t = done.result["integration"]["events"][0]["t"]
            turn = spin * t                                     # the rod turns a little until it strikes
            c, s = math.cos(turn), math.sin(turn)
            end = arm + np.array([0, 0.01])
            end = np.array([c * end[0] + s * end[1], -s * end[0] + c * end[1]])
            after, w = strike(mu, e, end + np.array([0, -0.01]), v, spin)
            k = int(np.argmax(done.time > t))
            if e > 0:
                self.near([done.series["r.vx"][k], done.series["r.vz"][k]], after, 1e-4)
                self.near(done.series["w"][k], w, 5e-4)
                u = after[0] + w * (end[1] - 0.01)
                seen.add("slides" if abs(u) > 1e-2 else "sticks")
            self.assertTrue(np.all(np.diff(done.series["energy"]) <= 1e-9))
        self.assertEqual(seen, {"slides", "sticks"})

    def test_a_ball_whose_slip_ends_in_the_impact_flies_freely(self):
        """it bounced with the rows of rolling held in the air: the run ended with signal 11, or told of sticking"""
        model = thrown(0.3, 0.5, (3, 0), (0, 0), height=0.1)
        model["motion"] = {"from": 0, "to": 2, "step": 0.1}
        done = self.go(model)
        self.near(done.series["b.vx"][-1], 15 / 7, 1e-8)
        events = done.result["integration"]["events"]
        self.assertEqual([e["kind"] for e in events], ["impact"] * (len(events) - 1) + ["land"])

    def test_slip_that_ends_in_the_air_is_no_event(self):
        model = thrown(0.3, 0.5, (-0.2, 0), (0, 0), height=1)
        model["gravity"] = [1, 0, -G]                           # x' = t - 0.2
        model["motion"]["to"] = 0.4
        done = self.go(model)
        self.assertEqual(done.result["integration"]["events"], [])
        self.near(done.series["b.vx"], done.time - 0.2, 1e-12)
        self.assertTrue(np.all(done.series["wy"] == 0))


if __name__ == "__main__":
    unittest.main()
