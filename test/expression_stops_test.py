#!/usr/bin/env python3
# ctest: natural joint
"""Stops on named expressions of coordinates: balances of impulses by hand, multipliers, envelopes known in closed form, and the same limit written in other words."""
import math
import os
import random
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "py"))
import numpy as np      # noqa: E402
import cli              # noqa: E402

ROUNDS = int(os.environ.get("ROBERVAL_ROUNDS", "12" if cli.MORE else "4"))
G = 9.81
# steps are good to 1e-9 of each quantity (the default), and some hundreds of them add up
STEPS = 1e-7
# where a curved limit is met is found to rounding, but what slides along it drifts with the tolerance of the steps
CURVED = 1e-6


def sliders(m, start, rates, stop, forces=(0, 0), coordinate="s1.distance - 2*s2.distance", to=1.0):
    """two blocks on rails beside each other, that know of each other by the stop alone"""
    return {"roberval": 1, "space": "planar",
            "bodies": {"ground": {"markers": {"A": [0, 0], "B": [0, 1]}},
                       "a": {"mass": m[0], "inertia": 0.1, "pose": {"at": [start[0], 0]}}, "b": {"mass": m[1], "inertia": 0.1, "pose": {"at": [start[1], 1]}}},
            "joints": {"s1": {"type": "prismatic", "between": ["ground.A", "a"]}, "s2": {"type": "prismatic", "between": ["ground.B", "b"]}},
            "coordinates": {"gap": coordinate}, "stops": {"lim": {"coordinate": "gap", **stop}},
            "loads": {"fa": {"type": "force", "to": "a", "value": [forces[0], 0]}, "fb": {"type": "force", "to": "b", "value": [forces[1], 0]}},
            "initial": {"s1.distance": start[0], "s2.distance": start[1], "s1.distance'": rates[0], "s2.distance'": rates[1]},
            "motion": {"from": 0, "to": to, "step": to / 10}}


class Impacts(cli.Case):
    def test_two_sliders(self):
        """g = x1 - 2 x2 >= 0 with m1, m2: P = (1 + e) u / (1/m1 + 4/m2) for an approach u, on the blocks P and -2 P"""
        rng = random.Random(5)
        for k in range(ROUNDS):
            m, e, v = [rng.uniform(.5, 3), rng.uniform(.5, 3)], rng.choice([0, .3, .7, 1]), [-rng.uniform(.2, 1), rng.uniform(.2, 1)]
            x = [1, 0.1]
            u = -(v[0] - 2 * v[1])
            hit, P = (x[0] - 2 * x[1]) / u, (1 + e) * u / (1 / m[0] + 4 / m[1])
            upper = k % 2 == 1
            model = sliders(m, x, v, {"max" if upper else "min": 0, "restitution": e}, coordinate="2*s2.distance - s1.distance" if upper else "s1.distance - 2*s2.distance")
            done = self.ok(model, "simulate")
            t, sign = done.time, -1 if upper else 1
            self.assertEqual([(e["name"], e["kind"]) for e in done.result["integration"]["events"]], [("lim", "impact")])
            self.assertAlmostEqual(done.result["integration"]["events"][0]["t"], hit, delta=STEPS)
            after = t > hit
            self.column(done, "s1.distance", x[0] + v[0] * t + np.where(after, P / m[0] * (t - hit), 0), STEPS)
            self.column(done, "s2.distance", x[1] + v[1] * t - np.where(after, 2 * P / m[1] * (t - hit), 0), STEPS)
            self.column(done, "lim.impulse", np.where(after, sign * P, 0), STEPS * P)

    def test_bounces_add_up(self):
        """2 y of a ball over 0, dropped from h: hops of e^n, at rest after t0 (1 + e)/(1 - e); then 2 y is pushed up by m g/2, and the impulses and pushes together are half of m g t"""
        h, e, m = 0.5, 0.5, 2.0
        model = {"roberval": 1, "space": "planar", "gravity": [0, -G], "bodies": {"ball": {"particle": True, "mass": m, "pose": {"at": [0, h]}}},
                 "coordinates": {"twice": "2*y(ball)"}, "stops": {"floor": {"coordinate": "twice", "min": 0, "restitution": e}}, "motion": {"from": 0, "to": 1.5, "step": 0.05}}
        done = self.ok(model, "simulate")
        fall = math.sqrt(2 * h / G)
        rest = fall * (1 + e) / (1 - e)
        at_rest = done.time > rest + 1e-3
        self.assertGreater(at_rest.sum(), 3)
        self.near(done.series["floor.force"][at_rest], np.full(at_rest.sum(), m * G / 2), STEPS * m * G, "floor.force")
        self.near(done.series["floor.impulse"][at_rest], np.full(at_rest.sum(), m * G / 2 * rest), 1e-6 * m * G, "floor.impulse")
        self.near(done.series["ball.y"][at_rest], np.zeros(at_rest.sum()), STEPS, "ball.y")
        hops = [x["t"] for x in done.result["integration"]["events"] if x["kind"] == "impact"]
        want = [fall * (1 + 2 * sum(e ** k for k in range(1, n + 1))) for n in range(6)]
        self.near(hops[:6], want, STEPS, "hops")
        self.assertIsNone(done.units["floor.force"])           # 2 may be a length or a number: the unit stays open, as of drives

    def test_several_at_once(self):
        """a block between two limits of two expressions, x + y <= 1 and x - y <= 1, runs into their corner: the impulses are those of both rows"""
        model = {"roberval": 1, "space": "planar", "bodies": {"p": {"particle": True, "mass": 3}}, "coordinates": {"up": "x(p) + y(p)", "down": "x(p) - y(p)"},
                 "stops": {"u": {"coordinate": "up", "max": 1, "restitution": 1}, "d": {"coordinate": "down", "max": 1, "restitution": 1}},
                 "initial": {"x(p)": 0, "y(p)": 0, "x(p)'": 2, "y(p)'": 0}, "motion": {"from": 0, "to": 1, "step": 0.08}}
        done = self.ok(model, "simulate")
        self.column(done, "p.x", np.where(done.time < 0.5, 2 * done.time, 2 - 2 * done.time), STEPS)
        for name in ("u", "d"):           # 3 kg 4 m/s back along x; each row pushes -P along x
            self.column(done, name + ".impulse", np.where(done.time < 0.5, 0, -6), 6 * STEPS)


class Rests(cli.Case):
    def test_multiplier(self):
        """pressed by forces F: M a = F + lambda grad, grad . a = 0"""
        rng = random.Random(7)
        for _ in range(ROUNDS):
            m, F = np.array([rng.uniform(.5, 3), rng.uniform(.5, 3)]), np.array([-rng.uniform(1, 5), rng.uniform(1, 5)])
            grad = np.array([1, -2])
            lam = -(grad @ (F / m)) / (grad @ (grad / m))
            done = self.ok(sliders(m, [1, 0.5], [0, 0], {"min": 0}, F), "simulate")
            self.column(done, "lim.force", lam, 1e-9 * lam)
            a = (F + lam * grad) / m
            self.column(done, "s1.distance", 1 + a[0] * done.time ** 2 / 2, STEPS * np.abs(a).max())
            self.column(done, "s2.distance", .5 + a[1] * done.time ** 2 / 2, STEPS * np.abs(a).max())

    def test_off_a_sphere(self):
        """a particle slides from the top of a sphere, x^2 + y^2 (+ z^2) >= R^2, and leaves it where cos = 2/3 + v^2/(3 g R); the push on f = r^2 times 2 r is m (g cos - v^2/R)"""
        R, v, m = 0.7, 0.4, 1.3
        for space in (False, True):
            third = [0] if space else []
            square = "x(p)^2 + y(p)^2" + (" + z(p)^2" if space else "")
            model = {"roberval": 1, "space": "spatial" if space else "planar", "gravity": [0, -G] + third, "bodies": {"p": {"particle": True, "mass": m, "pose": {"at": [0, R] + third}}},
                     "coordinates": {"square": square}, "stops": {"ball": {"coordinate": "square", "min": R * R}}, "output": {"up": "y(p)", "fast": "x(p)'^2 + y(p)'^2"},
                     "initial": {"x(p)": 0, "y(p)": R, **({"z(p)": 0} if space else {}), "x(p)'": v, "y(p)'": 0, **({"z(p)'": 0} if space else {})}, "motion": {"from": 0, "to": 0.8, "step": 0.02}}
            done = self.ok(model, "simulate")
            events = done.result["integration"]["events"]
            self.assertEqual([(e["name"], e["kind"]) for e in events], [("ball", "release")])
            leaves = R * (2 / 3 + v * v / (3 * G * R))
            on = done.time < events[0]["t"]
            y, fast = done.series["up"], done.series["fast"]
            self.near(fast[on], v * v + 2 * G * (R - y[on]), CURVED, "energy")
            self.near(done.series["ball.force"][on], m * (G * y[on] / R - fast[on] / R) / (2 * R), CURVED * m * G, "push")
            self.assertGreater(y[on].min(), leaves - 1e-6)
            self.assertTrue((done.series["ball.force"][~on] == 0).all())
            # flight from there
            c = leaves / R
            speed = math.sqrt(v * v + 2 * G * (R - leaves))
            t = done.time[~on] - events[0]["t"]
            self.near(y[~on], leaves - speed * math.sqrt(1 - c * c) * t - G * t * t / 2, CURVED, "flight")
            self.assertEqual(done.units["ball.force"], "N/m")

    def test_in_other_words(self):
        """inside a circle by its distance or by the square of it: the same swing, pushes in the ratio 2 R; hit from inside as well"""
        R = 0.5
        model = {"roberval": 1, "space": "planar", "gravity": [0, -G], "bodies": {"p": {"particle": True, "mass": 2, "pose": {"at": [0.1, 0.2]}}},
                 "coordinates": {"square": "x(p)^2 + y(p)^2"}, "initial": {"x(p)": 0.1, "y(p)": 0.2, "x(p)'": 1, "y(p)'": 0.3}, "motion": {"from": 0, "to": 0.8, "step": 0.02}}
        a = self.ok({**model, "stops": {"s": {"coordinate": "distance(p, ground)", "max": R, "restitution": 0.4}}}, "simulate")
        b = self.ok({**model, "stops": {"s": {"coordinate": "square", "max": R * R, "restitution": 0.4}}}, "simulate")
        for name in ("p.x", "p.y"):
            self.near(a.series[name], b.series[name], CURVED, name)
        self.near(a.series["s.force"], 2 * R * b.series["s.force"], CURVED * 2 * G, "s.force")
        self.near(a.series["s.impulse"], 2 * R * b.series["s.impulse"], CURVED * 2, "s.impulse")
        kinds = [(e["kind"]) for e in a.result["integration"]["events"]]
        self.assertEqual(kinds, [e["kind"] for e in b.result["integration"]["events"]])
        self.assertIn("impact", kinds)

    def test_as_the_constraint(self):
        """a rope that a crank winds up, distance - 0.2 m/rad angle >= c, pressed all the while: the motion and the effort of the constraint"""
        words = {"roberval": 1, "space": "planar", "gravity": [0, -G], "bodies": {
            "ground": {"markers": {"P": [0, 0], "H": [0.6, 0]}}, "b": {"mass": 1.5, "inertia": 0.05, "pose": {"at": [0.3, -0.4]}, "markers": {"Q": [0, 0]}},
            "w": {"mass": 1, "inertia": 0.2, "pose": {"at": [0.6, 0]}, "markers": {"R": [0.1, 0]}}},
            "joints": {"hinge": {"type": "revolute", "between": ["ground.H", "w"]}}, "coordinates": {"gap": "distance(ground.P, b.Q) - 0.2*hinge.angle"},
            "loads": {"pull": {"type": "force", "to": "b", "value": [0.5, 0.2]}}, "motion": {"from": 0, "to": 0.5, "step": 0.05}}
        stop = self.ok({**words, "stops": {"s": {"coordinate": "gap", "max": 0.5}}}, "simulate")
        held = self.ok({**words, "constraints": {"s": {"equation": "distance(ground.P, b.Q) - 0.2*hinge.angle - 0.5"}}}, "simulate")
        self.assertTrue((stop.series["s.force"] < -1).all())
        self.near(stop.series["s.force"], held.series["s.effort"], CURVED * 20, "force")
        for name in ("b.x", "b.y", "hinge.angle"):
            self.near(stop.series[name], held.series[name], CURVED, name)

    def test_units_of_the_expression_play_no_part(self):
        want = None
        for factor in (1, 1e4, 1e-4):
            done = self.ok(sliders([1, 2], [1, 0], [-1, 0.2], {"min": 0, "restitution": 0.3}, (-3, 1), f"{factor}*(s1.distance - 2*s2.distance)", 3.0), "simulate")
            got = (done.series["s1.distance"], factor * done.series["lim.force"], factor * done.series["lim.impulse"])
            want = want or got
            for a, b in zip(got, want):
                self.near(a, b, 1e-6, f"factor {factor}")
            self.assertGreater(abs(got[1][-1]), 0.1)


class Commands(cli.Case):
    MODEL = {"roberval": 1, "space": "planar", "bodies": {"p": {"particle": True, "mass": 1}, "q": {"particle": True, "mass": 1}},
             "coordinates": {"area": "x(p)*x(q)"}, "stops": {"s": {"coordinate": "area", "max": 0.5}}, "motion": {"from": 0, "to": 1, "step": 0.125}}

    def test_a_prescribed_motion_passes(self):
        model = {**self.MODEL, "drives": {"a": {"coordinate": "x(p)", "motion": "2*t"}, "b": {"coordinate": "x(q)", "motion": "t"}},
                 "constraints": {"c": {"equation": "y(p)"}, "d": {"equation": "y(q)"}}}
        for command in ("kinematics", "inverse"):
            done = self.ok(model, command)                        # 2 t^2 > 0.5 from the first sample after t = 0.5 on
            self.assertIn("stop 's' is passed from t = 0.625 s on: area is beyond max = 0.5 m^2, farthest at t = 1 s with 2 m^2", "\n".join(done.result["notes"]))

    def test_messages(self):
        done = cli.run_model({**self.MODEL, "initial": {"x(p)": 1, "x(q)": 0.7}}, "simulate")
        self.assertEqual(done.code, 2)
        self.assertIn("stop 's' is passed at the start: area is 0.7, beyond max 0.5", done.err)
        done = cli.run_model({**self.MODEL, "stops": {"s": {"coordinate": "area'", "max": 1}}}, "simulate")
        self.assertEqual(done.code, 2)
        self.assertIn("a stop holds a coordinate, not a rate: 'area''", done.err)
        done = cli.run_model({**self.MODEL, "stops": {"s": {"coordinate": "area", "max": "1 m"}}}, "simulate")
        self.assertEqual(done.code, 2)
        self.assertIn("m^2", done.err)
        model = {**self.MODEL, "coordinates": {"root": "sqrt(x(p))"}, "stops": {"s": {"coordinate": "root", "max": 2}}, "initial": {"x(p)": 1, "x(p)'": -2}}
        done = cli.run_model(model, "simulate")
        self.assertEqual(done.code, 1, done.said())
        self.assertIn("'s' is on a coordinate that is not a finite number", done.err)

    def test_conditions(self):
        """while t < 0.3 s the stop is not there, and engages where it is not passed"""
        model = sliders([1, 1], [1, 0], [1, 0], {"max": 1.5, "active": "t > 0.3[s]"})
        done = self.ok(model, "simulate")
        self.column(done, "s1.distance", np.minimum(1 + done.time, 1.5 + (done.time - 0.5) * 0.8), STEPS)     # P = 1/5, of v = 1
        model["stops"]["lim"]["max"] = 1.2
        done = cli.run_model(model, "simulate")
        self.assertEqual(done.code, 1)
        self.assertIn("'lim' engages where it does not fit: it is passed by 0.1 m", done.err)

    def test_statics(self):
        """weights on two springs, whose heights differ by no more than a third of one of them: k y + m g - lambda grad = 0"""
        k, m = (200, 300), (3, 5)
        model = {"roberval": 1, "space": "planar", "gravity": [0, -10], "parameters": {"w": 1},
                 "bodies": {"ground": {"markers": {"A": [0, 0], "B": [1, 0]}}, "p": {"particle": True, "mass": m[0]}, "q": {"particle": True, "mass": m[1], "pose": {"at": [1, 0]}}},
                 "joints": {"a": {"type": "x", "between": ["ground.A", "p"]}, "b": {"type": "x", "between": ["ground.B", "q"]}},
                 "coordinates": {"tilt": "3*y(p) - w*y(q)"}, "stops": {"s": {"coordinate": "tilt", "min": -0.1}},
                 "loads": {"ka": {"type": "energy", "value": f"0.5*{k[0]}*y(p)^2"}, "kb": {"type": "energy", "value": f"0.5*{k[1]}*y(q)^2"}}}
        def rest(w):
            grad, free = np.array([3, -w]), np.array([-10 * m[i] / k[i] for i in range(2)])
            lam = max((-0.1 - grad @ free) / (grad @ (grad / np.array(k))), 0)
            return free + lam * grad / np.array(k), lam
        done = self.ok(model, "statics")
        y, lam = rest(1)
        self.assertGreater(lam, 1)
        self.near(done.series["p.y"][:1], y[:1], 1e-8, "p.y")
        self.near(done.series["q.y"][:1], y[1:], 1e-8, "q.y")
        self.near(done.series["s.force"][:1], [lam], 1e-6, "s.force")
        self.assertEqual(done.result["stops"]["s"]["verdict"], "unique")
        # along w: it lets go where 3 y1 - w y2 of the free ones is -0.1
        done = self.ok(model, "statics", "--follow", "w=1..3")
        w = done.series["w"]
        want = np.array([np.append(*rest(x)) for x in w])
        self.near(done.series["p.y"], want[:, 0], 1e-7, "p.y")
        self.near(done.series["s.force"], want[:, 2], 1e-5, "s.force")
        self.assertEqual(want[-1, 2], 0)

    def test_modes(self):
        """pressed it holds: the frequency of the one freedom that is left, with the curvature of the limit: a particle in the trough y >= x^2, pressed with m g, as y' = x'^2/2: w^2 = 2 g"""
        model = {"roberval": 1, "space": "planar", "gravity": [0, -10], "bodies": {"p": {"particle": True, "mass": 2}},
                 "coordinates": {"over": "y(p) - x(p)^2"}, "stops": {"s": {"coordinate": "over", "min": 0}}, "motion": {"from": 0, "to": 1, "step": 0.1}}
        done = self.ok(model, "modes", "--start", "statics")
        self.assertEqual(len(done.result["modes"]), 1)
        self.assertAlmostEqual(done.result["modes"][0]["frequency"], math.sqrt(20) / (2 * math.pi), delta=1e-6)

    def test_on_an_angle(self):
        """half of an angle minus another is an angle: its push is a torque, 2 wheels of inertia 1 and 2"""
        model = {"roberval": 1, "space": "planar", "bodies": {"a": {"mass": 1, "inertia": 1}, "b": {"mass": 1, "inertia": 2}},
                 "joints": {"i": {"type": "revolute", "between": ["ground", "a"]}, "j": {"type": "revolute", "between": ["ground", "b"]}},
                 "coordinates": {"twist": "i.angle/2 - j.angle"}, "stops": {"s": {"coordinate": "twist", "max": "90 deg", "restitution": 0}},
                 "initial": {"i.angle": 0, "j.angle": 0, "i.angle'": 10, "j.angle'": -1}, "motion": {"from": 0, "to": 1, "step": 0.1}}
        done = self.ok(model, "simulate")
        hit, P = math.pi / 2 / 6, 6 / (0.25 / 1 + 1 / 2)
        self.column(done, "i.angle", 10 * done.time - np.where(done.time > hit, P / 2 * (done.time - hit), 0), STEPS)
        self.column(done, "s.impulse", np.where(done.time > hit, -P, 0), STEPS * P)
        self.assertEqual(done.units["s.force"], "N.m")

    def test_conversion(self):
        model = sliders([1, 2], [1, 0], [-1, 0.2], {"min": 0})
        done = cli.run_model(model, "convert", "--to", "spatial", out=False)
        self.assertEqual(done.code, 0, done.said())
        space = self.ok(done.out, "simulate")
        plane = self.ok(model, "simulate")
        self.near(space.series["a.x"], plane.series["a.x"], STEPS, "a.x")
        self.column(space, "lim.impulse", plane.series["lim.impulse"], STEPS)


if __name__ == "__main__":
    cli.main()
