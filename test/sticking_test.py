#!/usr/bin/env python3
# ctest: polar-slow joint-slow
"""Friction that sticks: mechanisms that come to rest in several joints at once, what shares a load with it, and when it gives way.

Judged by Coulomb's law on the printed numbers, closed forms, and orders of joints and bodies that must not matter."""
import itertools
import json
import math
import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "py"))
import numpy as np      # noqa: E402
import cli              # noqa: E402

RADIUS, MU = 0.01, 0.2
PIN = {"coefficient": MU, "radius": RADIUS}
B = (0.1 * math.cos(1.2), 0.1 * math.sin(1.2))
ACROSS = math.hypot(0.4 - B[0], B[1])                           # from B to D, and the angle of that line; then C by the sides of BCD, so that the loop is closed as it is written
SLANT = math.atan2(-B[1], 0.4 - B[0])
ROD = SLANT + math.acos((ACROSS ** 2 + 0.35 ** 2 - 0.3 ** 2) / (2 * ACROSS * 0.35))
ROCKER = SLANT + math.pi - math.acos((ACROSS ** 2 + 0.3 ** 2 - 0.35 ** 2) / (2 * ACROSS * 0.3))
BODIES = {
    "c": {"mass": 1, "inertia": 0.002, "centroid": [0.05, 0], "pose": {"at": [0, 0], "angle": 1.2}, "markers": {"B": [0.1, 0]}},
    "r": {"mass": 1.5, "inertia": 0.02, "centroid": [0.17, 0], "pose": {"at": B, "angle": ROD}, "markers": {"C": [0.35, 0]}},
    "o": {"mass": 1, "inertia": 0.01, "centroid": [0.15, 0], "pose": {"at": [0.4, 0], "angle": ROCKER}, "markers": {"C": [0.3, 0]}},
}
PINS = {"A": ["ground.A", "c"], "B": ["c.B", "r"], "C": ["r.C", "o.C"], "D": ["ground.D", "o"]}


def four_bar(pins="ABCD", bodies="cro", turned="", friction=PIN, to=6, step=0.5):
    joints = {k: {"type": "revolute", "between": PINS[k][::-1] if k in turned else PINS[k], "friction": friction} for k in pins}
    ground = {"ground": {"markers": {"A": [0, 0], "D": [0.4, 0]}}}
    return json.dumps({"roberval": 1, "space": "planar", "gravity": [0, -9.81], "bodies": ground | {k: BODIES[k] for k in bodies}, "joints": joints,
                       "motion": {"from": 0, "to": to, "step": step}})


def slider(load, limit, static=0.3, coefficient=0.2, motion="0", more="", to=3, catch_up=None):
    """2 kg on a level guide: it presses with 20 N. Pushed by `load`, a drive of at most `limit`."""
    drive = {"coordinate": "s.distance", "motion": motion, "max": limit} | ({"catch_up": catch_up} if catch_up else {})
    return json.dumps({"roberval": 1, "space": "planar", "gravity": [0, -10], "bodies": {"b": {"mass": 2, "inertia": 1}},
                       "joints": {"s": {"type": "prismatic", "between": ["ground", "b"], "friction": {"coefficient": coefficient, "static": static}}},
                       "drives": {"d": drive}, "loads": {"p": {"type": "force", "to": "b", "value": [load, 0]}}, "motion": {"from": 0, "to": to, "step": 0.1}})


class Rest(cli.Case):
    def simulate(self, model, *options):
        run = cli.run_model(model, "simulate", *options)
        self.assertEqual(run.code, 0, run.said())
        return run

    def events(self, run):
        return [(e["t"], e["name"], e["kind"]) for e in run.result["integration"]["events"]]


class Loop(Rest):
    def test_all_pins_of_a_four_bar_stick_at_one_instant(self):
        run = self.simulate(four_bar())
        events = self.events(run)
        last = events[-1][0]
        self.assertEqual([(n, k) for t, n, k in events if t == last], [(n, "stick") for n in "ABCD"])
        self.assertEqual([e for e in events if e[0] > last], [])
        self.assertEqual([e[1] for e in events if e[2] == "stick"], list("ABCD"))     # it never rests before
        for pin in "ABCD":
            self.assertEqual(run.marks[f"{pin}.friction"], "not unique")
            self.assertLess(abs(run.series[f"{pin}.angle'"][-1]), 1e-12)

    def test_shares_are_within_the_limits(self):
        run = self.simulate(four_bar())
        at = run.time > self.events(run)[-1][0]
        for pin in "ABCD":
            load = np.hypot(run.series[f"{pin}.Fx"], run.series[f"{pin}.Fy"])
            self.assertTrue(np.all(np.abs(run.series[f"{pin}.friction"][at]) <= MU * RADIUS * load[at] * (1 + 1e-9)), pin)

    def test_shares_are_of_least_norm(self):
        """Against least squares over the equations of equilibrium, written here: forces of the pins and their torques over L."""
        run = self.simulate(four_bar(friction=PIN | {"static": 100}), "--frame", "ground")          # so that no limit is in the way
        s = {k: v[-1] for k, v in run.series.items()}
        start = np.array(list(self.places({k: v[0] for k, v in run.series.items()}).values()))
        length = math.sqrt(np.mean(np.sum((start - start.mean(0)) ** 2, 1)))
        places, names, pins = self.places(s), "cro", "ABCD"
        E, b = np.zeros((9, 12)), np.zeros(9)
        for i, body in enumerate(names):
            arm = BODIES[body]["centroid"][0]
            centre = np.array([s[f"{body}.x"], s[f"{body}.y"]]) + arm * np.array([math.cos(s[f"{body}.angle"]), math.sin(s[f"{body}.angle"])])
            b[3 * i + 1] = 9.81 * BODIES[body]["mass"]
            for j, pin in enumerate(pins):
                pair = [x.split(".")[0] for x in PINS[pin]]
                sign = (pair[1] == body) - (pair[0] == body)
                arm = places[pin] - centre
                E[3 * i, 3 * j] = E[3 * i + 1, 3 * j + 1] = sign
                E[3 * i + 2, 3 * j:3 * j + 3] = sign * np.array([-arm[1], arm[0], length])
        least = np.linalg.lstsq(E, b, rcond=None)[0]
        for j, pin in enumerate(pins):
            found = [s[f"{pin}.Fx"], s[f"{pin}.Fy"], s[f"{pin}.friction"] / length]
            self.assertTrue(np.allclose(found, least[3 * j:3 * j + 3], atol=1e-8), (pin, found, least[3 * j:3 * j + 3]))

    @staticmethod
    def places(s):
        way = {body: np.array([math.cos(s[f"{body}.angle"]), math.sin(s[f"{body}.angle"])]) for body in "co"}
        return {"A": np.zeros(2), "B": np.array([s["c.x"], s["c.y"]]) + 0.1 * way["c"], "C": np.array([s["o.x"], s["o.y"]]) + 0.3 * way["o"], "D": np.array([0.4, 0])}

    @cli.long
    def test_no_order_matters(self):
        whole = self.simulate(four_bar(), "--frame", "ground")
        orders = list(itertools.permutations("ABCD"))
        for n, pins in enumerate(orders if cli.MORE else orders[1::5]):
            turned = "BD" if n % 2 else ""
            run = self.simulate(four_bar(pins, ["cro", "orc", "rco"][n % 3], turned), "--frame", "ground")
            self.assertEqual(len(self.events(run)), len(self.events(whole)))
            self.assertAlmostEqual(self.events(run)[-1][0], self.events(whole)[-1][0], delta=1e-6)
            for pin in "ABCD":
                for part in ("Fx", "Fy", "friction"):
                    self.assertEqual(run.marks[f"{pin}.{part}"], whole.marks[f"{pin}.{part}"])
                    self.assertAlmostEqual(run.series[f"{pin}.{part}"][-1], (-1 if pin in turned else 1) * whole.series[f"{pin}.{part}"][-1], delta=1e-5)

    def test_nothing_drifts(self):
        short, long = self.simulate(four_bar(to=6)), self.simulate(four_bar(to=1e4, step=500))
        self.assertEqual(len(self.events(short)), len(self.events(long)))
        after = long.time > 10
        for body in BODIES:
            for part in ("x", "y", "angle"):
                values = long.series[f"{body}.{part}"][after]
                self.assertLessEqual(np.ptp(values), 1e-14, f"{body}.{part}")


class Shares(Rest):
    """A slider that friction and a drive with a limit hold: its friction can carry 20 static newtons, the drive `limit`."""

    def test_where_the_least_norm_is_too_much_for_friction_the_drive_takes_the_rest(self):
        run = self.simulate(slider("-4 N", "5 N", 0.05, 0.05))
        self.assertEqual(self.events(run), [])
        self.assertAlmostEqual(run.series["s.friction"][-1], 1, delta=1e-9)
        self.assertAlmostEqual(run.series["d.effort"][-1], 3, delta=1e-9)
        self.assertEqual((run.marks["s.friction"], run.marks["d.effort"]), ("not unique", "not unique"))

    def test_both_give_way_where_both_together_cannot_hold(self):
        run = self.simulate(slider("-4[N/s]*t", "2.5 N", 0.05, 0.02, to=2))
        (t, first, kind), (later, second, _) = self.events(run)
        self.assertEqual(({first, second}, kind), ({"s", "d"}, "slip"))
        self.assertAlmostEqual(t, 3.5 / 4, delta=1e-9)
        self.assertAlmostEqual(later, t, delta=1e-9)
        tau = run.time[-1] - 3.5 / 4                                     # 2 x'' = 2.5 + 0.4 - 4 t
        self.assertAlmostEqual(run.series["s.distance"][-1], (-0.6 * tau ** 2 / 2 - 4 * tau ** 3 / 6) / 2, delta=1e-8)

    def test_a_drive_that_cannot_overcome_static_friction_stalls(self):
        for motion, since in (("0.1*t^2", 0), ("if(t<1[s],0[m],0.1[m/s^2]*(t-1[s])^2)", 1)):
            run = self.simulate(slider("0 N", "5 N", motion=motion, catch_up="10 1/s"))
            self.assertEqual([(n, k) for _, n, k in self.events(run)], [("d", "slip")] if since else [])
            after = run.time > since + 0.01
            self.assertTrue(np.all(run.series["d.effort"][after] == 5))
            self.assertTrue(np.allclose(run.series["s.friction"][after], -5, rtol=1e-12))
            self.assertTrue(np.all(np.abs(run.series["s.distance"]) < 1e-20))

    def test_a_drive_that_can_moves_it(self):
        run = self.simulate(slider("0 N", "6.01 N", motion="0.1*t^2"))
        self.assertTrue(np.allclose(run.series["s.distance"], 0.1 * run.time ** 2, atol=1e-9))
        self.assertTrue(np.allclose(run.series["d.effort"][1:], 4.4, rtol=1e-9))

    def test_the_load_lets_it_go(self):
        """Stuck with the drive at 5 N until the load's 0.5 t brings 6 N; then 2 x'' = 5 + 0.5 t - 4, until the drive has caught up."""
        run = self.simulate(slider("0.5[N/s]*t", "5 N", motion="0.1*t^2", to=2.4))
        self.assertEqual([(n, k) for _, n, k in self.events(run)], [("s", "slip")])
        self.assertAlmostEqual(self.events(run)[0][0], 2, delta=1e-8)
        tau = run.time[-1] - 2
        self.assertAlmostEqual(run.series["s.distance"][-1], 0.5 * tau ** 2 + 0.25 * tau ** 3 / 6, delta=1e-8)

    def test_the_drive_breaks_it_loose_when_its_limit_grows(self):
        run = self.simulate(slider("0 N", "5[N] + 0.5[N/s]*t", motion="0.1*t^2", to=2.4))
        events = self.events(run)
        self.assertAlmostEqual(events[0][0], 2, delta=1e-8)
        self.assertEqual(events[0][1:], ("s", "slip"))
        self.assertLess(np.abs(run.series["s.distance"][run.time < 1.95]).max(), 1e-20)

    def test_a_screw_that_a_weak_motor_and_its_load_turn(self):
        """5 kg on a thread of 10 mm, r = 10 mm, static 0.2: with tan(a) = p/2 pi r it is lifted by F r tan(a + rho). The motor's 0.12 N m, asked for from 0.5 s on, sharp, and a torque of 0.05 t bring that together."""
        run = self.simulate(json.dumps({
            "roberval": 1, "space": "spatial", "gravity": [0, 0, -9.81], "bodies": {"n": {"mass": 5, "inertia": [0.1, 0.1, 0.05]}},
            "joints": {"s": {"type": "screw", "between": ["ground", "n"], "pitch": 0.01, "friction": {"coefficient": 0.15, "static": 0.2, "radius": 0.01}}},
            "drives": {"m": {"coordinate": "s.angle", "motion": "if(t < 0.5[s], 0, 5[1/s^2]*(t - 0.5[s])^2)", "max": "0.12 N.m", "catch_up": "10 1/s"}},
            "loads": {"k": {"type": "torque", "to": "n", "value": [0, 0, "0.05*t"]}}, "motion": {"from": 0, "to": 3, "step": 0.05}}))
        lift = 5 * 9.81 * 0.01 * math.tan(math.atan(0.01 / (2 * math.pi * 0.01)) + math.atan(0.2))
        (first, *drive), (later, *screw) = self.events(run)
        self.assertEqual((drive, screw), (["m", "slip"], ["s", "slip"]))
        self.assertAlmostEqual(first, 0.5, delta=1e-12)
        self.assertAlmostEqual(later, (lift - 0.12) / 0.05, delta=1e-7)
        self.assertTrue(np.all(np.abs(run.series["m.effort"]) <= 0.12 * (1 + 1e-12)))


class Ways(Rest):
    """A cylindrical joint, pressed by 10 N, pulled along by 2 t and turned by 0.05 of it: friction of 3 N lets go at 2 sqrt(2) t = 3, with hardly a force that is left over. Sliding is 8 times as easy as turning."""
    MODEL = json.dumps({"roberval": 1, "space": "spatial", "gravity": [0, 0, 0], "bodies": {"b": {"mass": 1, "inertia": [0.01, 0.01, 0.02]}},
                        "joints": {"c": {"type": "cylindrical", "between": ["ground", "b"], "friction": {"coefficient": 0.3, "radius": 0.05}}},
                        "loads": {"p": {"type": "force", "to": "b", "value": [10, 0, "2*t"]}, "q": {"type": "torque", "to": "b", "value": [0, 0, "0.1*t"]}},
                        "motion": {"from": 0, "to": 2, "step": 0.1}})
    BEGINS = 3 / (2 * math.sqrt(2))

    @staticmethod
    def reference(end, slow=4e-3):
        """Places and rates of slide, by Runge and Kutta; at first, while u/|u| turns too fast for that, along w with f/m - 3 w/m = a w, |w| = 1: less than slow^4 is lost."""
        ease = np.array([1, 1 / 8])
        t, x, u = Ways.BEGINS, np.zeros(2), np.zeros(2)
        for h in [slow / 400] * 400:
            pull, low, high = ease * 2 * (t + h / 2), 0.0, 100.0
            for _ in range(80):
                middle = 0.5 * (low + high)
                low, high = (middle, high) if np.hypot(*(pull / (3 * ease + middle))) > 1 else (low, middle)
            a = high * pull / (3 * ease + high)
            x, u, t = x + h * u + h * h / 2 * a, u + h * a, t + h
        y = np.concatenate([x, u])

        def rate(t, y):
            return np.concatenate([y[2:], ease * (2 * t - 3 * y[2:] / np.hypot(*y[2:]))])
        while t < end - 1e-12:
            h = min(0.1 * np.hypot(*y[2:]), 1e-3, end - t)
            k1 = rate(t, y)
            k2 = rate(t + h / 2, y + h / 2 * k1)
            k3 = rate(t + h / 2, y + h / 2 * k2)
            y, t = y + h / 6 * (k1 + 2 * k2 + 2 * k3 + rate(t + h, y + h * k3)), t + h
        return y

    @cli.long
    def test_slip_that_begins_slowly_in_two_directions(self):
        reference = self.reference(2)
        for method in ("auto", "explicit", "implicit"):
            run = self.simulate(self.MODEL, "--method", method)
            (t, name, kind), = self.events(run)
            self.assertEqual((name, kind), ("c", "slip"))
            self.assertAlmostEqual(t, self.BEGINS, delta=1e-9)
            s = run.series
            found = [s["c.distance"][-1], 0.05 * s["c.angle"][-1], s["c.distance'"][-1], 0.05 * s["c.angle'"][-1]]
            self.assertTrue(np.allclose(found, reference, atol=2e-8, rtol=0), (method, found - reference))
            self.assertLess(run.result["integration"]["steps"], 2000)              # once 51168

    def test_every_step_is_judged(self):
        run = self.simulate(self.MODEL, "--samples", "steps")
        self.assertLess(run.result["integration"]["energy_error"], 1e-9)

    def test_turning_and_sliding_shaft_that_comes_to_rest(self):
        """Along u as it began where the mobilities agree: from u = 0.5 m/s at 3 m/s^2 to rest in 1/6 s, by either method."""
        model = json.loads(self.MODEL) | {"initial": {"c.distance'": 0.3, "c.angle'": 8}, "motion": {"from": 0, "to": 0.5, "step": 0.05}}
        model["bodies"]["b"]["inertia"][2] = 0.05 ** 2
        model["loads"] = {"p": {"type": "force", "to": "b", "value": [10, 0, 0]}}
        for method in ("explicit", "implicit"):
            run = self.simulate(json.dumps(model), "--method", method)
            (t, name, kind), = self.events(run)
            self.assertEqual((name, kind), ("c", "stick"))
            self.assertAlmostEqual(t, 0.5 / 3, delta=1e-8)
            self.assertAlmostEqual(run.series["c.distance"][-1], 0.6 * 0.25 / 6, delta=1e-9)
            self.assertAlmostEqual(run.series["c.angle"][-1], 0.8 * 0.25 / 6 / 0.05, delta=1e-7)


class Beside(Rest):
    """Friction beside stops, teeth, and other friction."""

    def test_what_a_stop_stops_sticks_there(self):
        """2 kg, friction 0.2 (static 0.3) of 20 N, pushed by 12 sin 3t: from where that is 6 on 2 x'' = 12 sin 3t - 4. It lands at 50 mm, is let go by the stop where the push turns, and by friction where it is -6."""
        model = {"roberval": 1, "space": "planar", "gravity": [0, -10], "bodies": {"b": {"mass": 2, "inertia": 0.1}},
                 "joints": {"s": {"type": "prismatic", "between": ["ground", "b"], "friction": {"coefficient": 0.2, "static": 0.3}}},
                 "loads": {"p": {"type": "force", "to": "b", "value": ["12*sin(3*t)", 0]}}, "stops": {"z": {"coordinate": "s.distance", "max": 0.05}}, "motion": {"from": 0, "to": 1.4, "step": 0.05}}
        run = self.simulate(json.dumps(model))
        begins = math.asin(0.5) / 3

        def place(t):
            tau = t - begins
            return -(math.sin(3 * t) - math.sin(3 * begins) - 3 * tau * math.cos(3 * begins)) * 6 / 9 - tau ** 2
        low, high = begins, 0.6
        for _ in range(100):
            middle = 0.5 * (low + high)
            low, high = (middle, high) if place(middle) < 0.05 else (low, middle)
        expected = [(begins, "s", "slip"), (low, "z", "impact"), (low, "z", "land"), (low, "s", "stick"), (math.pi / 3, "z", "release"), ((math.pi + math.asin(0.5)) / 3, "s", "slip")]
        events = self.events(run)
        self.assertEqual([e[1:] for e in events], [e[1:] for e in expected])
        for (t, name, kind), (right, _, _) in zip(events, expected):
            if kind != "release":                                                      # the shares of stop and friction are open: only that it holds is not
                self.assertAlmostEqual(t, right, delta=1e-8, msg=(name, kind))

    def test_what_lets_go_first_may_hold_after_all(self):
        """Five rods in a row, stretched out, let go with friction in their pins: which pins hold at first is no order of strength. No pin may be pushed along its way, and all that stick are within their limits."""
        bodies, joints = {}, {}
        for k in range(5):
            bodies[f"l{k}"] = {"mass": 1, "inertia": 0.02, "centroid": [0.25, 0], "pose": {"at": [0.5 * k, 0]}, "markers": {"e": [0.5, 0]}}
            joints[f"p{k}"] = {"type": "revolute", "between": [f"l{k - 1}.e" if k else "ground", f"l{k}"], "friction": {"coefficient": 0.6, "radius": 0.05}}
        run = self.simulate(json.dumps({"roberval": 1, "space": "planar", "gravity": [0, -9.81], "bodies": bodies, "joints": joints, "motion": {"from": 0, "to": 0.2, "step": 0.01}}))
        s, sticks = run.series, 0
        for pin in joints:
            limit, f, rate = 0.6 * 0.05 * np.hypot(s[f"{pin}.Fx"], s[f"{pin}.Fy"]), s[f"{pin}.friction"], s[f"{pin}.angle'"]
            still = np.abs(rate) < 1e-9
            sticks += np.count_nonzero(still)
            self.assertTrue(np.all(np.abs(f) <= limit * (1 + 1e-9)), pin)
            self.assertTrue(np.allclose(f[~still], -np.sign(rate[~still]) * limit[~still], rtol=1e-9), pin)
            begins = still & (np.abs(s[f"{pin}.angle''"]) > 1e-6)
            self.assertTrue(np.all(f[begins] * s[f"{pin}.angle''"][begins] < 0), pin)
        self.assertGreater(sticks, 20)

    def test_teeth_press_bearings(self):
        """Two wheels on bearings that rub, from 20 rad/s to rest: with the tooth force Ft, at an angle of 20 degrees, J1 a = r1 Ft - mu r N1, J2 a/2 = -r2 Ft - mu r N2."""
        ground = {"markers": {"O": [0, 0], "P": [0.3, 0]}}
        bearing = {"coefficient": 0.2, "static": 0.3, "radius": 0.05}
        run = self.simulate(json.dumps({
            "roberval": 1, "space": "planar", "gravity": [0, -9.81], "bodies": {"ground": ground, "g1": {"mass": 1, "inertia": 0.01}, "g2": {"mass": 2, "inertia": 0.05, "pose": {"at": [0.3, 0]}}},
            "joints": {"b1": {"type": "revolute", "between": ["ground.O", "g1"], "friction": bearing}, "b2": {"type": "revolute", "between": ["ground.P", "g2"], "friction": bearing},
                       "mesh": {"type": "gear", "between": ["g1", "g2"], "carrier": "ground", "radii": [0.1, 0.2], "pressure_angle": "20 deg"}},
            "initial": {"b1.angle'": 20}, "motion": {"from": 0, "to": 3, "step": 0.1}}))
        tooth = 0.0
        for _ in range(200):
            across = tooth * math.tan(math.radians(20))
            drag = [0.2 * 0.05 * math.hypot(across, tooth - 9.81), 0.2 * 0.05 * math.hypot(across, tooth + 2 * 9.81)]
            slowing = (drag[0] + drag[1] / 2) / (0.01 + 0.05 / 4)
            tooth = (drag[0] - 0.01 * slowing) / 0.1
        events = self.events(run)
        self.assertEqual([e[1:] for e in events], [("b1", "stick"), ("b2", "stick")])
        for e in events:
            self.assertAlmostEqual(e[0], 20 / slowing, delta=1e-8)

    def test_bounces_between_two_stops_end(self):
        """A double pendulum falls upon two stops that throw it back less and less: it comes to rest on both, pressed."""
        for restitution in (0.1, 0.4, 0.8):
            rod = {"mass": 1, "inertia": 0.02, "centroid": [0.25, 0], "markers": {"e": [0.5, 0]}}
            run = self.simulate(json.dumps({
                "roberval": 1, "space": "planar", "gravity": [0, -9.81], "bodies": {"a": rod, "b": rod | {"pose": {"at": [0.5, 0]}}},
                "joints": {"p": {"type": "revolute", "between": ["ground", "a"]}, "q": {"type": "revolute", "between": ["a.e", "b"]}},
                "stops": {"z": {"coordinate": "p.angle", "min": -1, "restitution": restitution}, "y": {"coordinate": "x(b.e)", "min": 0.3, "restitution": restitution}},
                "motion": {"from": 0, "to": 10, "step": 0.5}}))
            events = self.events(run)
            self.assertEqual({e[1] for e in events if e[2] == "land"}, {"y", "z"})
            self.assertLess(len(events), 200)
            s = {k: v[-1] for k, v in run.series.items()}
            inward = 0.5 * math.cos(-1) - 0.3                              # b hangs with its end at x = 0.3
            slant = -math.pi + math.acos(inward / 0.5)
            self.assertAlmostEqual(s["p.angle"], -1, delta=1e-9)
            self.assertAlmostEqual(s["b.angle"], slant, delta=1e-9)
            push = -9.81 * 0.25 * math.cos(slant) / (0.5 * math.sin(slant))  # torques on b about its pin
            self.assertAlmostEqual(s["y.force"], push, delta=1e-8)
            torque = 9.81 * 0.25 * math.cos(-1) + 0.5 * (math.cos(-1) * 9.81 + math.sin(-1) * push)
            self.assertAlmostEqual(s["z.force"], torque, delta=1e-8)

    def test_what_engages_meets_a_limited_drive(self):
        """A clutch takes a second rotor along: momentum is kept, since the motor's effort has a limit; then that speeds both up."""
        model = {"roberval": 1, "space": "planar", "bodies": {"a": {"mass": 1, "inertia": 0.5}, "b": {"mass": 1, "inertia": 0.25}},
                 "joints": {"A": {"type": "revolute", "between": ["ground", "a"]}, "B": {"type": "revolute", "between": ["ground", "b"]}},
                 "drives": {"m": {"coordinate": "A.angle", "motion": "10*t", "max": "2 N.m"}},
                 "constraints": {"c": {"equation": "A.angle - B.angle", "active": "t > 1", "value": "here"}}, "motion": {"from": 0, "to": 3, "step": 0.25}}
        run = self.simulate(json.dumps(model))
        events = self.events(run)
        self.assertEqual([e[1:] for e in events], [("c", "engage"), ("m", "slip"), ("m", "engage")])
        self.assertAlmostEqual(events[-1][0], 1 + (10 - 5 / 0.75) / (2 / 0.75), delta=1e-9)
        at = np.argmin(np.abs(run.time - 2))
        self.assertAlmostEqual(run.series["B.angle'"][at], 5 / 0.75 + 2 / 0.75, delta=1e-9)
        self.assertEqual(run.series["m.impulse"][-1], 0)

    def test_a_stop_that_is_hardly_met_between_two_looks(self):
        """Thrown up by 2 m/s under 10 m/s^2 it comes 10 um beyond the stop, for 2.8 ms of a step of some tenths of a second."""
        for tolerance in (1e-3, 1e-9):
            run = self.simulate(json.dumps({
                "roberval": 1, "space": "planar", "gravity": [0, -10], "bodies": {"p": {"particle": True, "mass": 1}}, "initial": {"y(p)'": 2},
                "stops": {"s": {"coordinate": "y(p)", "max": 0.19999, "restitution": 0.5}}, "motion": {"from": 0, "to": 4, "step": 2}}), "--tolerance", tolerance)
            (t, name, kind), = self.events(run)
            self.assertEqual((name, kind), ("s", "impact"))
            self.assertAlmostEqual(t, 0.2 - math.sqrt(2e-6), delta=1e-7)


if __name__ == "__main__":
    unittest.main()
