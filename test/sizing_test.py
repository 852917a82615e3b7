#!/usr/bin/python3
"""Sizing: what rated drives and rolling bearings (ISO 281, ISO 76) get from the computed loads, and the verdicts (the rest is in
sizing_rest_test.py), against closed forms, statics by hand, and the formulas written again in py/sizing.py on the columns of series.csv.

Tolerance.  A figure that is an integral over samples may be off by the error that it states (and must state a small one); all
others, and integrals of constants, are compared at 1e-9 or better.
"""
import copy
import math
import os
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "py"))
import cli              # noqa: E402
from sizing import *    # noqa: E402, F403


class Drives(Sizing):
    def test_rms_of_a_sine_squared_a_trapezoid_and_a_triangle_of_speed(self):
        """rotor of J: T = J acceleration; w/2 (1 - cos) of speed, +a 0 -a, and +a -a"""
        J, w, a = .5, 20, 30
        for name, motion, rms, most in (
                ("sin2", f"{w}*(t/2 - sin(2*pi*t)/(4*pi))", J * w * math.pi / math.sqrt(2), 1e-6),
                ("trapezoid", f"if(t < 1/3, {a/2}*t^2, if(t < 2/3, {a/18} + {a/3}*(t-1/3), {2*a/9} - {a/2}*(1-t)^2))", J * a * math.sqrt(2 / 3), .1),
                ("triangle", f"if(t < 0.5, {a/2}*t^2, {a/4} - {a/2}*(1-t)^2)", J * a, .1)):
            with self.subTest(name):
                d = self.sizing(wheel(motion, {"peak": 100, "continuous": 10}, step=1 / 300))["drives"]["m"]
                self.figure(d, "rms", rms, most, name)
                self.figure(d, "rms_to_continuous", rms / 10, most, name)

    def test_rest_of_a_table_is_rest(self):
        """100 kg lifted and lowered by a table of nine decimals: where it rests, the signs of rates that are rounding of the table choose no efficiency. The motion at rest, written as
        steps, has k = 1; the spline of the table swings on for some rows beside each motion, and there alone the two differ"""
        t = np.arange(0, 10.0001, .05)
        y = .3 * step01((t - 4) / 1) - .3 * step01((t - 8.5) / 1)

        def lift(motion, **more):
            return {"roberval": 1, "space": "planar", "gravity": [0, -9.81], "bodies": {"ground": {"markers": {"G": {"at": [0, 0], "angle": "90 deg"}}}, "load": {"mass": 100, "inertia": 1, "pose": {"angle": "90 deg"}}},
                    "joints": {"s": {"type": "prismatic", "between": ["ground.G", "load"]}}, "motion": {"from": 0, "to": 10, "step": .01},
                    "drives": {"m": {"coordinate": "s.distance", "motion": motion, "rating": {"continuous": 1000, "peak": 3000, "speed": 2, "efficiency": .5}}}, **more}
        exact = self.sizing(lift("step(t, 4, 0, 5, 0.3) - step(t, 8.5, 0, 9.5, 0.3)"))["drives"]["m"]
        rows = "time [s],height [m]\n" + "".join(f"{a:.9g},{b:.9f}\n" for a, b in zip(t, y))
        told = self.sizing(lift("lift(t)", tables={"lift": {"file": "lift.csv", "x": "time", "y": "height"}}), files={"lift.csv": rows})["drives"]["m"]
        self.assertGreater(exact["rms"], 1000)
        self.assertLess(abs(told["rms"] / exact["rms"] - 1), .06)
        rest = np.array([T for v, T in zip(told["plot"]["x"], told["plot"]["y"]) if abs(v) < 1e-7])
        self.assertGreater(len(rest), 100)
        self.assertGreater(np.mean(np.abs(rest - 981) < 1e-3), .9)

    def test_every_figure_that_hangs_on_samples_states_an_error(self):
        m = engine(**RATED)
        s = self.sizing(m)
        for of, names in ((s["drives"]["motor"], ("margin_to_peak", "speed_to_limit")), (s["bearings"]["main"], ("s0",)), (s["guides"]["bore"], ("s0",)), (s["plain"]["crankpin"], ("p_share", "v_share", "pv_share"))):
            for name in names:
                self.assertGreater(of["errors"][name], 0, name)
        fine = self.sizing(m, "inverse", "--step", "0.01 ms")
        for group, item, names in (("drives", "motor", ("margin_to_peak", "speed_to_limit")), ("bearings", "main", ("s0",)), ("guides", "bore", ("s0",)), ("plain", "crankpin", ("p_share", "v_share", "pv_share"))):
            for name in names:
                self.assertLessEqual(abs(fine[group][item][name] - s[group][item][name]), s[group][item]["errors"][name] * 1.01 + 1e-12, name)

    def test_a_mean_speed_beyond_the_curve_is_said(self):
        curve = {"file": "c.csv"}
        self.sizing(wheel("400*t", {"curve": curve}), files={"c.csv": "speed [rpm],peak,continuous\n0,30,12\n3000,20,8\n"})
        self.assertIn("mean speed is beyond the curve", self.notes())

    def test_rms_of_a_triangle_of_torque(self):
        m = wheel("0*t", {"peak": 100}, loads={"T": {"type": "torque", "to": "w", "value": "12*asin(sin(2*pi*t))*2/pi"}}, step=.01)
        self.figure(self.sizing(m)["drives"]["m"], "rms", 12 / math.sqrt(3), 5e-3)

    def test_rms_is_one_time_integral_everywhere(self):
        """T = 3 + 4 sin: mean over samples counts an end twice; and uneven steps, since `to` is no whole number of steps"""
        m = wheel("t", {"peak": 100}, loads={"T": {"type": "torque", "to": "w", "value": "-3 - 4*sin(2*pi*t)"}}, to=1, step=.0303)
        d = self.sizing(m)["drives"]["m"]
        self.figure(d, "rms", math.sqrt(9 + 8), 1e-3)
        del m["drives"]["m"]["rating"]
        self.same(self.ok(m).result["drives"]["m"]["rms"], d["rms"], 1e-12)

    def test_a_frictionless_pendulum_gives_back_what_it_takes(self):
        m = wheel("0.8*sin(2*pi*t)", {"peak": 100}, to=1, step=.001, gravity=[0, -9.81])
        m["bodies"]["w"]["centroid"] = [.3, 0]
        d = self.sizing(m)["drives"]["m"]
        self.assertGreater(d["motoring_energy"], 1)
        self.near(d["motoring_energy"] - d["regenerating_energy"], 0, 1e-9 * d["motoring_energy"])
        a = lambda t: .8 * np.sin(2 * np.pi * t)                              # noqa: E731
        v = lambda t: 1.6 * np.pi * np.cos(2 * np.pi * t)                     # noqa: E731
        P = lambda t: (-.59 * 4 * np.pi**2 * a(t) + 9.81 * .3 * np.cos(a(t))) * v(t)    # noqa: E731
        self.figure(d, "motoring_energy", simpson(lambda t: np.maximum(P(t), 0), 0, 1, 400000), 1e-3)
        self.figure(d, "motoring_mean", d["motoring_energy"], 1e-3)
        self.figure(d, "mean_speed", 3.2, 1e-3)
        self.same(d["top_speed"], 1.6 * math.pi)
        m["drives"]["m"]["motion"] = "2*pi*t"                                  # a full turn lifts by 2 l and lets down again
        d = self.sizing(m)["drives"]["m"]
        for k in ("motoring_energy", "regenerating_energy"):
            self.figure(d, k, 2 * 9.81 * .3, 1e-3)
        for k in ("motoring_peak", "regenerating_peak", "peak"):
            self.same(d[k], 9.81 * .3 * (1 if k == "peak" else 2 * math.pi), 1e-9, k)

    def test_a_flywheel_behind_a_gear_with_losses(self):
        """T = Jm r a + J a/(r eta) where the flywheel takes power, J a eta/r where it gives; the rotor's part has no losses"""
        J, Jm, r, eta, A, w0 = .5, .004, 4, .8, 30, 50
        m = wheel(f"{w0}*t - {A}/(4*pi^2)*sin(2*pi*t)", {"continuous": 3, "peak": 20, "speed": "3000 rpm", "efficiency": eta}, J=J, rotor={"inertia": Jm, "ratio": r}, step=.005)
        d = self.sizing(m)["drives"]["m"]
        up, down = A * (Jm * r + J / (r * eta)), A * (Jm * r + J * eta / r)
        self.same(d["peak"], up)
        self.same(d["peak_at"], .25)
        self.figure(d, "rms", math.sqrt((up**2 + down**2) / 4), 1e-3)
        self.figure(d, "mean_speed", w0 * r, 1e-6)
        self.same(d["top_speed"], r * (w0 + A / (2 * math.pi)))
        self.same(d["speed_to_limit"], r * (w0 + A / (2 * math.pi)) / (3000 * RPM))
        self.same(d["margin_to_peak"], 20 / up)
        self.same(d["margin_at"], .25)
        w = lambda t: r * (w0 - A / (2 * np.pi) * np.cos(2 * np.pi * t))      # noqa: E731
        for k, T, a, b in (("motoring_energy", up, 0, .5), ("regenerating_energy", down, .5, 1)):
            self.figure(d, k, abs(simpson(lambda t: T * np.sin(2 * np.pi * t) * w(t), a, b)), 1e-3)
        for k in ("first", "least", "largest"):
            self.same(d["inertia_ratio_" + k], J / (Jm * r**2))
        self.assertEqual(d["outside"], 0)

    def test_a_crank_with_a_gear_with_losses(self):
        """all of a drive's figures from effort, speed and acceleration in series.csv of a fine run; the moment of inertia by hand"""
        m, Jm, r, eta = engine(), 4e-4, 5, .9
        d = self.sizing(m)["drives"]["motor"]
        fine = self.ok(engine(False), "inverse", "--step", "0.01 ms").series
        t, effort, w, al = (fine[k] for k in ("time", "motor.effort", "w", "al"))
        load = effort - Jm * r * r * al
        T = Jm * r * al + load / r * np.where(load * w > 0, 1 / eta, eta)
        P = T * w * r
        length = t[-1]
        self.figure(d, "rms", math.sqrt(over(t, T**2) / length), 2e-3)
        self.figure(d, "mean_speed", r * over(t, np.abs(w)) / length, 1e-5)
        self.figure(d, "motoring_energy", over(t, np.maximum(P, 0)), 1e-2)
        self.figure(d, "regenerating_energy", over(t, np.maximum(-P, 0)), 3e-2)
        self.figure(d, "motoring_mean", over(t, np.maximum(P, 0)) / length, 1e-2)
        every = slice(None, None, 50)
        self.same(d["peak"], np.abs(T[every]).max())
        self.same(d["motoring_peak"], P[every].max())
        self.same(d["regenerating_peak"], -P[every].min())
        self.same(d["top_speed"], r * np.abs(w[every]).max())
        self.same(d["margin_to_peak"], 30 / np.abs(T[every]).max())
        th = fine["crank.angle"][every]
        ph = np.arcsin(-.05 * np.sin(th) / .2)
        dph = -.05 * np.cos(th) / (.2 * np.cos(ph))
        dx, dy = -.05 * np.sin(th) - .07 * np.sin(ph) * dph, .05 * np.cos(th) + .07 * np.cos(ph) * dph
        I = .004 + dx**2 + dy**2 + .005 * dph**2 + 1.5 * (-.05 * np.sin(th) - .2 * np.sin(ph) * dph)**2
        for k, x in (("first", I[0]), ("least", I.min()), ("largest", I.max())):
            self.same(d["inertia_ratio_" + k], x / (Jm * r * r), 1e-9, k)

    def test_a_linear_drive_with_and_without_a_rotor(self):
        m = {"roberval": 1, "space": "planar", "bodies": {"b": {"mass": 5, "inertia": 1}}, "joints": {"s": {"type": "prismatic", "between": ["ground", "b"]}},
             "drives": {"m": {"coordinate": "s.distance", "motion": "0.1*sin(2*pi*t)", "rating": {"peak": "30 N", "continuous": "20 N", "speed": "1 m/s"}}},
             "motion": {"from": 0, "to": 1, "step": .005}}
        F = 5 * .1 * 4 * math.pi**2
        d = self.sizing(m)["drives"]["m"]
        self.assertEqual((d["units"]["peak"], d["units"]["top_speed"]), ("N", "m/s"))
        self.same(d["peak"], F)
        self.figure(d, "rms", F / math.sqrt(2), 1e-5)
        self.figure(d, "mean_speed", .4, 1e-3)
        self.same(d["speed_to_limit"], .2 * math.pi)
        self.same(d["margin_to_peak"], 30 / F)
        self.assertIsNone(d["inertia_ratio_first"])
        m["drives"]["m"].update(rotor={"inertia": 1e-4, "ratio": "200 rad/m"}, rating={"peak": "1 N.m", "speed": "3000 rpm"})
        d = self.sizing(m)["drives"]["m"]
        self.same(d["peak"], F / 200 + 1e-4 * 200 * F / 5)
        self.same(d["top_speed"], 200 * .2 * math.pi)
        self.same(d["inertia_ratio_first"], 5 / (1e-4 * 200**2))

    def test_a_curve_is_linear_between_its_rows_and_exceeded_beyond(self):
        curve = {"curve.csv": "speed [rpm],peak [N.m],continuous [N.m]\n0,10,5\n1000,10,4\n3000,4,2\n"}
        m = wheel("5*t^2", {"curve": {"file": "curve.csv"}}, to=30, step=.5)
        d = self.sizing(m, files=curve)["drives"]["m"]
        peak = lambda w: np.interp(w / RPM, [0, 1000, 3000], [10, 10, 4])     # noqa: E731
        self.same(d["margin_to_peak"], peak(300) / 5)
        self.same(d["margin_at"], 30)
        self.assertEqual((d["outside"], d["outside_first"], d["outside_last"]), (5, 28, 30))       # peak(10 t) < 5 from 27.93 s
        self.figure(d, "rms_to_continuous", 5 / np.interp(150 / RPM, [0, 1000, 3000], [5, 4, 2]), 1e-9)
        d = self.sizing(m, "inverse", "--to", "35", files=curve)["drives"]["m"]
        self.assertEqual((d["outside"], d["outside_first"], d["outside_last"]), (15, 28, 35))
        d = self.sizing(wheel("-5*t^2", {"curve": {"file": "curve.csv"}}, to=30, step=.5), files=curve)["drives"]["m"]
        self.same(d["margin_to_peak"], peak(300) / 5, what="backwards")

    def test_the_plot_of_a_drive_holds_its_samples_and_all_that_limits_it(self):
        """outside is counted by what the plot says: a curve, below a level, up to a speed"""
        curve = {"curve.csv": "speed [rpm],peak [N.m],continuous [N.m]\n0,10,5\n1000,10,4\n3000,4,2\n"}
        m = wheel("5*t^2", {"curve": {"file": "curve.csv"}, "peak": "6 N.m", "speed": "250 rad/s", "continuous": "4.5 N.m"}, to=30, step=.5)
        d = self.sizing(m, files=curve)["drives"]["m"]
        p = d["plot"]
        np.testing.assert_allclose(p["x"], np.arange(61) * 5, rtol=1e-9, atol=1e-9)
        np.testing.assert_allclose(p["y"], np.full(61, 5), rtol=1e-9)
        np.testing.assert_allclose(p["speed"], np.array([0, 1000, 3000]) * RPM, rtol=1e-12)
        self.assertEqual((p["peak"], p["continuous_curve"], p["continuous"], p["peak_limit"], p["speed_limit"]), ([10, 10, 4], [5, 4, 2], 4.5, 6, 250))
        limit = np.minimum(np.interp(p["x"], p["speed"], p["peak"]), p["peak_limit"])
        self.assertEqual(d["outside"], int(np.sum((np.array(p["y"]) > limit) | (np.array(p["x"]) > p["speed_limit"] * (1 + 1e-12)))))
        p = self.sizing(wheel("5*t^2", {"peak": 6}))["drives"]["m"]["plot"]
        self.assertEqual((p["speed"], p["peak"], p["continuous"], p["peak_limit"], p["speed_limit"]), ([0, None], [6, 6], None, 6, None))

    def test_speed_above_the_limit_is_outside(self):
        d = self.sizing(wheel("5*t^2", {"peak": 6, "speed": "100 rad/s"}, to=20, step=1))["drives"]["m"]
        self.same(d["speed_to_limit"], 2)
        self.assertEqual((d["outside"], d["outside_first"], d["outside_last"]), (10, 11, 20))

    def test_an_actuator_of_track_is_rated(self):
        m = {"roberval": 1, "space": "planar", "gravity": [0, -9.81],
             "bodies": {"u": {"mass": 3, "inertia": .06, "centroid": [.25, 0], "pose": {"at": [0, 0], "angle": "90 deg"}, "markers": {"e": [.5, 0]}},
                        "f": {"mass": 2, "inertia": .03, "centroid": [.2, 0], "pose": {"at": [0, .5], "angle": "-10 deg"}, "markers": {"p": [.4, 0]}}},
             "joints": {"s": {"type": "revolute", "between": ["ground", "u"]}, "e": {"type": "revolute", "between": ["u.e", "f"]}},
             "track": {"require": {"px": {"equation": "x(f.p) - 0.4 - 0.1*sin(2*pi*t)"}, "py": {"equation": "y(f.p) - 0.3 - 0.1*cos(2*pi*t)"}},
                       "actuators": {"m1": {"coordinate": "s.angle", "rating": {"peak": 40, "continuous": 20, "speed": 10}}, "m2": {"coordinate": "e.angle"}}, "rate": "20 1/s"},
             "output": {"w": "s.angle'"}, "motion": {"from": 0, "to": 1, "step": .002}}
        d, s = self.sizing(m, "track")["drives"]["m1"], self.done.series
        T, w, t = s["m1.effort"], s["w"], s["time"]
        self.same(d["peak"], np.abs(T).max())
        self.near(d["rms"], math.sqrt(over(t, T**2)), 1e-5 * d["rms"] + d["errors"]["rms"])
        self.near(d["motoring_energy"], over(t, np.maximum(T * w, 0)), 1e-4 * d["motoring_energy"] + d["errors"]["motoring_energy"])
        self.same(d["margin_to_peak"], 40 / np.abs(T).max())

    def test_a_coarse_step_is_noted(self):
        """above 1 % of error a note asks for a smaller step, below none does"""
        m = engine()
        self.sizing(m, "inverse", "--step", "10 ms")
        self.assertIn("step", self.notes())
        self.sizing(m, "inverse", "--step", "0.1 ms")
        self.assertNotIn("smaller step", self.notes())

    def test_two_samples_do_not_state_that_they_are_exact(self):
        """T = 1 - 3t, speed 2t, F = 1 kN + 1 kN t, from two samples and from three: right within the error stated, or no figure"""
        m = wheel("t^2", {"peak": 10}, loads={"T": {"type": "torque", "to": "w", "value": "3*t"}, "F": {"type": "force", "to": "w", "value": [0, "1000 + 1000*t"]}}, to=.5)
        m["joints"]["j"].update(bearing=dict(BALL), plain=dict(PLAIN))
        for step in (.5, .25):
            s = self.sizing(m, "inverse", "--step", str(step))
            for item, k, x in ((s["drives"]["m"], "rms", .5), (s["drives"]["m"], "motoring_energy", 1 / 27), (s["bearings"]["j"], "P", (4e9 * simpson(lambda t: (1 + t)**3 * 2 * t, 0, .5))**(1 / 3)), (s["plain"]["j"], "p_mean", 1250 / 3e-4)):
                with self.subTest(f"{k} of {.5 / step + 1:g} samples"):
                    if item[k] is not None:
                        self.near(item[k], x, item["errors"].get(k, math.inf) + 1e-12 * x, k)

    def test_the_inertia_of_one_of_two_drives(self):
        """an arm of two links: the diagonal of its mass matrix"""
        m = {"roberval": 1, "space": "planar", "bodies": {"u": {"mass": 3, "inertia": .06, "centroid": [.25, 0], "markers": {"e": [.5, 0]}}, "f": {"mass": 2, "inertia": .03, "centroid": [.2, 0], "pose": {"at": [.5, 0]}}},
             "joints": {"s": {"type": "revolute", "between": ["ground", "u"]}, "e": {"type": "revolute", "between": ["u.e", "f"]}}, "drives": {}, "motion": {"from": 0, "to": 1, "step": .1}}
        for d, j, motion in (("a", "s", "t"), ("b", "e", "t^2")):
            m["drives"][d] = {"coordinate": j + ".angle", "motion": motion, "rotor": {"inertia": 1e-3, "ratio": 10}, "rating": {"peak": 10}}
        for command in ("inverse", "simulate"):
            s = self.sizing(m, command)["drives"]
            M11 = [(.06 + 3 * .25**2 + .03 + 2 * (.5**2 + .2**2 + 2 * .5 * .2 * math.cos(e))) / .1 for e in (0, 1)]
            for d, k, x in (("a", "first", M11[0]), ("a", "least", M11[1]), ("a", "largest", M11[0]), ("b", "first", 1.1), ("b", "largest", 1.1)):
                self.same(s[d]["inertia_ratio_" + k], x, 1e-9, f"{d} {k}")

    def test_an_effort_of_rounding_errors_asks_for_no_smaller_step(self):
        m = rotors(({}, (0, -1000, 0)))
        m["drives"]["d0"]["rating"] = {"peak": 2, "continuous": 1}
        self.sizing(m)
        self.assertNotIn("smaller step", self.notes())


class Bearings(Sizing):
    def test_1_kN_of_10_kN_at_60_rpm_lasts_1000_million_turns(self):
        for space in ("planar", "spatial"):
            b = self.sizing(rotors(({"bearing": BALL}, (600, -800, 0)), space=space))["bearings"]["j0"]
            for k, x in (("P0", 1000), ("P", 1000), ("L10", 1000), ("L10h", 1e9 / 3600), ("Lnm", 1000), ("Lnmh", 1e9 / 3600), ("s0", 8), ("turns", 1)):
                self.same(b[k], x, 1e-9, f"{space} {k}")
            self.assertEqual((b["verdict"], b["why"]), ("unique", None))

    def test_a_sine_shaped_load(self):
        """P = (4/(3 pi))^(1/3) F for balls; mean of |sin|^(10/3) for rollers"""
        p = 10 / 3
        roll = (math.gamma((p + 1) / 2) / (math.sqrt(math.pi) * math.gamma(p / 2 + 1)))**(1 / p)
        for step, most in ((.01, 1e-2), (.0037, 1e-3), (.001, 1e-4)):
            s = self.sizing(rotors(*((({"bearing": b}, (0, "3000*sin(2*pi*t)", 0))) for b in (BALL, ROLLER)), step=step))["bearings"]
            self.figure(s["j0"], "P", (4 / (3 * math.pi))**(1 / 3) * 3000, most, f"balls {step}")
            self.figure(s["j1"], "P", roll * 3000, most, f"rollers {step}")
            self.figure(s["j1"], "L10", (10 / 3 / roll)**p, 4 * most, f"rollers {step}")

    def test_the_load_is_weighed_with_the_turns(self):
        """loads and speeds that change smoothly, against quadrature of the same functions"""
        F = lambda t: 1000 + 1000 * step01((t - .3) / .1) - 1500 * step01((t - .7) / .1)       # noqa: E731
        w = lambda t: 10 - 30 * step01((t - .5) / .1)                                          # noqa: E731
        m = rotors(({"bearing": BALL}, ("1000 + step(t, 0.3, 0, 0.4, 1000) + step(t, 0.7, 0, 0.8, -1500)", 0, 0)), motion="10*t - 30*ramp(t, 0.5, 0.6)", step=.002)
        b = self.sizing(m)["bearings"]["j0"]
        edges = (0, .3, .4, .5, .5 + .1 * .4021, .6, .7, .8, 1)
        whole = lambda f: sum(simpson(f, *e) for e in zip(edges, edges[1:]))                   # noqa: E731
        turns = whole(lambda t: np.abs(w(t)))
        self.figure(b, "turns", turns / (2 * math.pi), 1e-4)
        P = (whole(lambda t: F(t)**3 * np.abs(w(t))) / turns)**(1 / 3)
        self.figure(b, "P", P, 1e-4)
        self.figure(b, "L10h", 1e6 * (1e4 / P)**3 / (turns / (2 * math.pi)) / 3600, 1e-3)

    def test_stepped_loads_are_the_sum_of_damages(self):
        """1, 2, 0.5 kN that jump at samples, a speed that jumps: 1/L = sum of n_i/N_i, within the error stated"""
        m = rotors(({"bearing": BALL}, ("if(t < 0.4, 1000, if(t < 0.7, 2000, 500))", 0, 0)), motion="10*t + 20*(t + 0.0)*0", step=.0005)
        b = self.sizing(m)["bearings"]["j0"]
        damage = .4 / 1000 + .3 / 125 + .3 / 8000                                              # of the turns of the run, in 1/10^6
        self.figure(b, "L10", 1 / damage, 2e-2)
        self.figure(b, "L10h", 1e6 / damage / (10 / (2 * math.pi)) / 3600, 2e-2)

    def test_deep_groove_factors_at_the_nodes_of_the_table(self):
        at = [(x, e, Y) for x, e, Y in DEEP] + [((a[0] + b[0]) / 2, (a[1] + b[1]) / 2, (a[2] + b[2]) / 2) for a, b in zip(DEEP, DEEP[1:])]
        each, want = [], []
        for x, e, Y in at:
            Fa = x * 8000 / 13
            for Fr in (Fa / (2 * e), Fa / (e * 1.001), Fa / (e * .999)):
                each.append(({"bearing": BALL}, (-.6 * Fr, .8 * Fr, Fa if len(each) % 2 else -Fa)))
                want.append((.56 * Fr + Y * Fa if Fa > e * Fr else Fr, max(.6 * Fr + .5 * Fa, Fr)))
        s = self.sizing(rotors(*each, step=.25))["bearings"]
        for i, (P, P0) in enumerate(want):
            self.same(s[f"j{i}"]["P"], P, 1e-9, f"at f0 Fa/C0 = {at[i // 3][0]}")
            self.same(s[f"j{i}"]["P0"], P0, 1e-9, f"at f0 Fa/C0 = {at[i // 3][0]}")

    def test_deep_groove_beyond_the_table_holds_its_ends(self):
        each = [({"bearing": BALL}, (Fa, 0, Fa)) for Fa in (.1 * 8000 / 13, 9 * 8000 / 13)]
        s = self.sizing(rotors(*each))["bearings"]
        for k, Y in (("j0", 2.30), ("j1", 1.00)):
            Fa = s[k]["P0"] / 1.1
            self.same(s[k]["P"], .56 * Fa + Y * Fa, 1e-9, k)

    def test_angular_contact_factors(self):
        each, want = [], []
        for deg, (X, Y, e, Y0) in CONTACT.items():
            for Fr, Fa in ((1000, .99 * e * 1000), (1000, 1.01 * e * 1000), (300, 1500)):
                each.append(({"bearing": {"series": "angular-contact", "angle": f"{deg} deg", "C": "10 kN", "C0": "8 kN"}}, (Fr, 0, Fa)))
                want.append((X * Fr + Y * Fa if Fa > e * Fr else Fr, max(.5 * Fr + Y0 * Fa, Fr)))
        for x, e, Y in FIFTEEN:
            Fa, Fr = x * 8000 / 13, x * 8000 / 13 / (1.5 * e)
            each.append(({"bearing": {"series": "angular-contact", "angle": "15 deg", "f0": 13, "C": "10 kN", "C0": "8 kN"}}, (Fr, 0, Fa)))
            want.append((.44 * Fr + Y * Fa, max(.5 * Fr + .46 * Fa, Fr)))
        s = self.sizing(rotors(*each, step=.25))["bearings"]
        for i, (P, P0) in enumerate(want):
            self.same(s[f"j{i}"]["P"], P, 1e-9, f"{each[i]}")
            self.same(s[f"j{i}"]["P0"], P0, 1e-9, f"{each[i]}")

    def test_other_series(self):
        given = {"e": .3, "Y1": 2.1, "Y2": 3.2, "Y0": 2.2, "C": "10 kN", "C0": "8 kN"}
        general = {"series": "general", "C": "10 kN", "C0": "8 kN", "X": .5, "Y": 1.3, "e": .4, "X0": .7, "Y0": .8, "exponent": 3.2}
        each, want = [], []
        for Fr, Fa in ((1000, 200), (1000, 500), (400, 700)):
            big = lambda e: Fa > e * Fr                                       # noqa: E731
            for b, P, P0, p in (
                    ({"series": "self-aligning", **given}, .65 * Fr + 3.2 * Fa if big(.3) else Fr + 2.1 * Fa, Fr + 2.2 * Fa, 3),
                    ({"series": "spherical-roller", **given}, .67 * Fr + 3.2 * Fa if big(.3) else Fr + 2.1 * Fa, Fr + 2.2 * Fa, 10 / 3),
                    ({**TAPER, "C": "10 kN", "C0": "8 kN"}, .4 * Fr + 1.6 * Fa if big(.37) else Fr, max(.5 * Fr + .9 * Fa, Fr), 10 / 3),
                    (general, .5 * Fr + 1.3 * Fa if big(.4) else Fr, max(.7 * Fr + .8 * Fa, Fr), 3.2)):
                each.append(({"bearing": b}, (0, Fr, -Fa)))
                want.append((P, P0, p))
        s = self.sizing(rotors(*each))["bearings"]
        for i, (P, P0, p) in enumerate(want):
            for k, x in (("P", P), ("P0", P0), ("L10", (1e4 / P)**p), ("s0", 8000 / P0)):
                self.same(s[f"j{i}"][k], x, 1e-9, f"{each[i]} {k}")

    def test_a_cylindrical_roller_bearing_carries_no_axial_force(self):
        s = self.sizing(rotors(({"bearing": ROLLER}, (0, 1000, 0)), ({"bearing": ROLLER}, (0, 1000, 300))))["bearings"]
        self.same(s["j0"]["L10"], 10**(10 / 3))
        self.same(s["j1"]["P"], 1000)
        said = (self.notes() + " | " + str(s["j1"]["why"])).lower()
        said = [note for note in said.split(" | ") if "axial" in note]
        self.assertTrue(said and all("j1" in note and "j0" not in note for note in said), said)

    def test_reliability_a_iso_and_factor(self):
        each = [({"bearing": {**BALL, "reliability": R, "a_iso": 2.5}}, (0, 1000, 0)) for R in RELIABLE] + [({"bearing": {**BALL, "factor": 1.5}}, (0, 1000, 0))]
        s = self.sizing(rotors(*each))["bearings"]
        for i, a1 in enumerate(RELIABLE.values()):
            self.same(s[f"j{i}"]["L10"], 1000)
            self.same(s[f"j{i}"]["Lnm"], 1000 * a1 * 2.5)
            self.same(s[f"j{i}"]["Lnmh"], 1e9 / 3600 * a1 * 2.5)
        for k, x in (("P", 1500), ("P0", 1500), ("s0", 8 / 1.5), ("L10", 1000 / 1.5**3)):
            self.same(s[f"j{len(RELIABLE)}"][k], x, 1e-9, k)

    def test_the_same_life_whichever_ring_turns(self):
        """a load fixed in space: between [ground, body], and [body, ground]"""
        m = rotors(({"bearing": BALL}, ("800 + 300*t", 500, 400)), ({"bearing": BALL}, ("800 + 300*t", 500, 400)), motion="9*t + 5*t^2")
        m["joints"]["j1"]["between"].reverse()
        m["drives"]["d1"]["motion"] = "-9*t - 5*t^2"
        s = self.sizing(m)["bearings"]
        for k in ("P0", "P", "L10", "L10h", "s0", "turns"):
            self.same(s["j1"][k], s["j0"][k], 1e-9, k)

    def test_the_speed_is_that_of_one_ring_against_the_other(self):
        """crankpin: crank and rod both turn"""
        m = engine(crankpin={"bearing": BALL})
        b = self.sizing(m)["bearings"]["crankpin"]
        fine = self.ok(engine(False), "inverse", "--step", "0.01 ms").series
        t, w, F = fine["time"], np.abs(fine["wp"]), np.hypot(fine["crankpin.Fx"], fine["crankpin.Fy"])
        self.figure(b, "turns", over(t, w) / (2 * math.pi), 1e-3)
        self.figure(b, "P", (over(t, F**3 * w) / over(t, w))**(1 / 3), 1e-3)
        self.same(b["P0"], F[::50].max())

    def test_what_is_noted(self):
        for name, motion, force, word in (("quarter", "0.5*sin(2*pi*t)", 1000, "quarter"), ("heavy", "60[rpm]*t", 6000, "c/2"), ("open", "0.9*2*pi*t", "1000 + 300*t", "end")):
            self.sizing(rotors(({"bearing": BALL}, (0, force, 0)), motion=motion))
            said = self.notes()
            with self.subTest(name):
                self.assertIn("j0", said)
                self.assertTrue(word in said or (name == "heavy" and "half" in said) or (name == "open" and "repeat" in said), said)
        b = self.sizing(rotors(({"bearing": BALL}, (0, 1000, 0)), motion="0.5*sin(2*pi*t)"))["bearings"]["j0"]
        self.figure(b, "turns", 2 / (2 * math.pi), 1e-2)                                       # travel counts
        self.same(b["P"], 1000)
        m = rotors(({"bearing": BALL}, (0, 1000, 0)))
        m["loads"]["T"] = {"type": "torque", "to": "b0", "value": [30, 40, 0]}
        b = self.sizing(m)["bearings"]["j0"]
        self.assertIn("not in p", self.notes())
        self.assertIn("50", self.notes())
        self.same(b["P"], 1000)

    def test_what_is_not_noted(self):
        """a swing of more than a quarter turn; 72 degrees one way, which is no swing; and moments that are rounding errors"""
        m = rotors(({"bearing": BALL}, (300, 400, 500)))
        for b in ("ground", "b0"):
            m["bodies"].setdefault(b, {})["markers"] = {"A": {"at": [0, 0, 0], "axis": [1, 1, 1]}}
        m["joints"]["j0"]["between"] = ["ground.A", "b0.A"]
        steady = rotors(({"bearing": BALL}, (0, 1000, 0)))
        for model, flags, word in ((rotors(({"bearing": BALL}, (0, 1000, 0)), motion="0.8*sin(2*pi*t)"), (), "quarter"), (steady, ("--to", "0.2"), "quarter"), (m, (), "not in p")):
            with self.subTest(word + " ".join(flags)):
                self.sizing(model, "inverse", *flags)
                self.assertNotIn(word, self.notes())

    def test_the_figures_are_the_same_in_all_coordinates_methods_and_frames(self):
        m = rotors(({"bearing": BALL}, (300, "400 + 100*t", 500)))
        for b in ("ground", "b0"):
            m["bodies"].setdefault(b, {})["markers"] = {"A": {"at": [0, 0, 0], "axis": [1, 1, 1]}}
        m["joints"]["j0"]["between"] = ["ground.A", "b0.A"]
        a = self.sizing(m)["bearings"]["j0"]
        for flags in ("--coordinates natural", "--coordinates joint", "--method newton", "--method two-step", "--method virtual-power", "--method recursive", "--units model", "--only d*", "--frame ground"):
            with self.subTest(flags):
                b = self.sizing(m, "inverse", *flags.split())["bearings"]["j0"]
                for k in ("P0", "P", "L10"):
                    self.same(b[k], a[k], 1e-9, k)

    def test_what_carries_nothing_is_said_to(self):
        b = self.sizing(rotors(({"bearing": BALL}, (0, 0, 0))))["bearings"]["j0"]
        self.assertEqual((b["P"], b["L10"]), (0, None))
        self.assertTrue(b["why"] or "j0" in self.notes(), "no life, and no word why")

    def test_standing_still_under_load_there_is_s0_alone(self):
        b = self.sizing(rotors(({"bearing": BALL}, (0, 1000, 0)), motion="0.3"))["bearings"]["j0"]
        self.same(b["s0"], 8)
        self.assertEqual([b[k] for k in ("P", "L10", "L10h", "Lnm", "Lnmh")], [None] * 5)
        self.assertIn("stand", self.notes() + str(b["why"]))
        b = self.sizing(rotors(({"bearing": BALL}, (0, 1000, 0))), "inverse", "--to", "0")["bearings"]["j0"]          # one sample
        self.same(b["s0"], 8)
        self.assertEqual([b[k] for k in ("L10", "L10h")], [None] * 2)


    def test_a_bearing_whose_speed_is_rounding_stands_still(self):
        """a pan hung on the rod of a parallelogram keeps its angle: its hinge's speed is rounding of the cranks', slow or fast, whatever is printed besides"""
        crank = {"mass": 1, "inertia": .01, "markers": {"A": [.1, 0]}}
        m = {"roberval": 1, "space": "planar", "gravity": [0, -9.81],
             "bodies": {"ground": {"markers": {"g": [.5, 0]}}, "c1": crank, "c2": {**crank, "pose": {"at": [.5, 0]}}, "pan": {"mass": 5, "inertia": .1, "pose": {"at": [.4, .2]}},
                        "rod": {"mass": 10, "inertia": 1, "centroid": [.4, 0], "pose": {"at": [.1, 0]}, "markers": {"b": [.5, 0], "c": [.3, .2]}}},
             "joints": {"o1": {"type": "revolute", "between": ["ground", "c1"]}, "o2": {"type": "revolute", "between": ["ground.g", "c2"]}, "p1": {"type": "revolute", "between": ["c1.A", "rod"]},
                        "p2": {"type": "revolute", "between": ["c2.A", "rod.b"]}, "keep": {"type": "angle", "between": ["ground", "pan"]},
                        "hang": {"type": "revolute", "between": ["rod.c", "pan"], "bearing": BALL, "plain": PLAIN}},
             "drives": {"m": {"coordinate": "o1.angle", "motion": "0.3 + 60[rpm]*t"}}, "motion": {"from": 0, "to": .14, "step": "1 ms"}}
        for rpm, to in ((60, .14), (6000, .0014)):
            for output in ({}, {"w": "o1.angle'"}):
                m["drives"]["m"]["motion"], m["motion"], m["output"] = f"0.3 + {rpm}[rpm]*t", {"from": 0, "to": to, "step": to / 140}, output
                s = self.sizing(m)
                b, p = s["bearings"]["hang"], s["plain"]["hang"]
                self.assertEqual([b[k] for k in ("P", "L10", "L10h")] + [p["life"]], [None] * 4)
                self.assertEqual(p["v"], 0)
                self.assertGreater(b["P0"], 40)
                self.assertIn("stands still", self.notes())

    def test_a_slow_hinge_is_not_at_rest_because_of_what_is_printed(self):
        m = rotors(({"bearing": BALL}, (0, 1000, 0)), motion="0.01*t", output={"tip": "1e8[m/s]", "carrier": "6e7[rad/s]"})
        self.same(self.sizing(m)["bearings"]["j0"]["P"], 1000)

    def test_a_run_that_ends_elsewhere_is_noted(self):
        """a third of a turn and not back, though load and speed at the end are those at the start; whole turns, and there and back, are not noted"""
        for motion, noted in (("step(t, 0, 0, 1, 2)", True), ("step(t, 0, 0, 1, 4*pi)", False), ("1 - cos(2*pi*t)", False)):
            self.sizing(rotors(({"bearing": BALL}, (0, 1000, 0)), motion=motion))
            self.assertEqual("the end of the run is not its start" in self.notes(), noted, motion)


class Pairs(Sizing):
    def shares(self, Fr, Fa):
        """P, P0 of a deep-groove bearing like A"""
        f = {"f0": 14, "C0": "11 kN"}
        return deep_groove(Fr, Fa, f), max(.6 * Fr + .5 * Fa, Fr)

    def test_a_belt_shaft_by_hand(self):
        """Pulley 100 mm above the second marker of a hinge at 0, bearings at -40 and 60 mm, 900 N of belt, 150 N of thrust at
        radius 0, weight across: moments about each bearing"""
        m = shaft({"a": PAIR_A, "b": PAIR_B}, force=(0, -900, 150), gravity=[0, -10, 0])
        m["bodies"]["s"]["centroid"] = [0, 0, .03]                             # 40 N there
        s = self.sizing(m)["bearings"]
        at_b = (900 * .14 + 40 * .07) / .1
        at_a = 940 - at_b
        P, P0 = self.shares(abs(at_a), 150)
        for k, x in (("P", P), ("P0", P0), ("L10", (20000 / P)**3), ("L10h", (20000 / P)**3 * 1e6 / 3600), ("s0", 11000 / P0)):
            self.same(s["h.a"][k], x, 1e-9, "a " + k)
        for k, x in (("P", at_b), ("P0", at_b), ("L10", (30000 / at_b)**(10 / 3)), ("s0", 26000 / at_b)):
            self.same(s["h.b"][k], x, 1e-9, "b " + k)
        self.assertEqual({b["verdict"] for b in s.values()}, {"unique"})

    def test_the_places_count_from_the_second_marker(self):
        """the same shaft, its hinge's markers elsewhere: frame 0.2 m up in both, the shaft's marker at z = 0.07"""
        s = self.sizing(shaft({"a": PAIR_A, "b": PAIR_B}))["bearings"]
        m = shaft({"a": {**PAIR_A, "at": "-110 mm"}, "b": {**PAIR_B, "at": "-10 mm"}})
        m["bodies"]["ground"] = {"markers": {"S": [.3, .2, .27]}}
        m["bodies"]["s"]["markers"]["S"] = [0, 0, .07]
        m["bodies"]["s"]["pose"] = {"at": [.3, .2, .2]}
        m["joints"]["h"]["between"] = ["ground.S", "s.S"]
        t = self.sizing(m)["bearings"]
        for b in s:
            for k in ("P0", "P", "L10", "s0"):
                self.same(t[b][k], s[b][k], 1e-9, f"{b} {k}")

    def of_their_own(self, m):
        """series of the same shaft on a spherical joint and an inline one"""
        m = copy.deepcopy(m)
        m["bodies"]["s"]["markers"].update(a=[0, 0, -.04], b=[0, 0, .06])
        m["bodies"]["ground"] = {"markers": {"a": [0, 0, -.04], "b": [0, 0, .06]}}
        m["joints"] = {"a": {"type": "spherical", "between": ["ground.a", "s.a"]}, "b": {"type": "inline", "between": ["ground.b", "s.b"]}, "see": {"type": "free", "between": ["ground", "s"]}}
        m["drives"]["d"]["coordinate"] = "see.rz"
        c = self.ok(m).series
        return np.hypot(c["a.Fx"], c["a.Fy"]), np.abs(c["a.Fz"]), np.hypot(c["b.Fx"], c["b.Fy"]), c["time"]

    def test_two_bearings_are_two_joints_of_their_own(self):
        """an unbalanced shaft that speeds up and is pulled in all directions; and one whose loads turn with it, so that P is constant and no quadrature stands between"""
        m = shaft({"a": PAIR_A, "b": PAIR_B}, force=("300*cos(5*t)", "-900 + 200*t", "150*sin(4*t) + 40"), place=(.04, .02, .1), motion="1.2*sin(3*t)", gravity=[0, -9.81, 1])
        s = self.sizing(m)["bearings"]
        Fr, Fa, Fb, t = self.of_their_own(m)
        self.same(s["h.a"]["P0"], max(self.shares(*f)[1] for f in zip(Fr, Fa)))
        self.same(s["h.b"]["P0"], Fb.max())
        m["motion"]["step"] = .0005
        Fr, Fa, Fb, t = self.of_their_own(m)
        w, P = np.abs(3.6 * np.cos(3 * t)), np.array([self.shares(*f)[0] for f in zip(Fr, Fa)])
        self.figure(s["h.a"], "P", (over(t, P**3 * w) / over(t, w))**(1 / 3), 1e-2, "a")
        self.figure(s["h.b"], "P", (over(t, Fb**(10 / 3) * w) / over(t, w))**.3, 1e-2, "b")
        m = shaft({"a": PAIR_A, "b": PAIR_B}, force=(500, -300, 90), motion="2.5*t")
        m["loads"]["F"]["frame"] = "body"
        s = self.sizing(m)["bearings"]
        Fr, Fa, Fb, t = self.of_their_own(m)
        for k, x in (("h.a", self.shares(Fr[0], Fa[0])), ("h.b", (Fb[0], Fb[0]))):
            self.same(s[k]["P"], x[0])
            self.same(s[k]["P0"], x[1])

    def test_in_the_plane_forces_are_shared_by_the_lever_rule(self):
        ball = {k: v for k, v in PAIR_A.items() if k != "at"}
        m = rotors(({"bearings": {"a": {**ball, "at": "-30 mm"}, "b": {**ball, "at": "90 mm", "floating": True}, }}, (600, -800)),
                   ({"bearings": {"a": {**ball, "at": "20 mm"}, "b": {**ball, "at": "50 mm", "floating": True}}}, (600, -800)), space="planar")
        s = self.sizing(m)["bearings"]
        for k, x in (("j0.a", 750), ("j0.b", 250), ("j1.a", 1000 * 5 / 3), ("j1.b", 1000 * 2 / 3)):
            self.same(s[k]["P"], x, 1e-9, k)
            self.same(s[k]["P0"], x, 1e-9, k)
            self.same(s[k]["L10"], (20000 / x)**3, 1e-9, k)

    def arranged(self, way, thrust, bearing, at=(-.04, .06), **other):
        """P, P0 of a and b of a pair, Fr 300 and 600 N, thrust (of the world on the shaft, along z)"""
        Ra, Rb, span = 300, 600, at[1] - at[0]
        m = shaft({"arrangement": way, "a": {**bearing, "at": at[0]}, "b": {**bearing, **other, "at": at[1]}}, force=(0, -Ra - Rb, thrust), place=(0, 0, at[0] + Rb / (Ra + Rb) * span))
        m["bodies"]["s"]["centroid"] = [0, 0, 0]
        s = self.sizing(m)["bearings"]
        return s["h.a"], s["h.b"]

    def test_x_and_o_arrangements_by_hand(self):
        """X: the bearing at larger z holds the shaft against +z, the one at smaller z against -z; O: the other way round. Each carries
        at least its induced force; the thrust goes into the one that it is pushed against"""
        forty = {"series": "angular-contact", "angle": "40 deg", "C": "20 kN", "C0": "18 kN"}
        for name, bearing, induced, P, P0 in (
                ("tapered", TAPER, lambda F: F / 3.2, lambda r, a: .4 * r + 1.6 * a if a > .37 * r else r, lambda r, a: max(.5 * r + .9 * a, r)),
                ("angular", forty, lambda F: 1.14 * F, lambda r, a: .35 * r + .57 * a if a > 1.14 * r * (1 + 1e-12) else r, lambda r, a: max(.5 * r + .26 * a, r))):
            for way in "XO":
                for thrust in (0, 150, 900, -50, -900):
                    Sa, Sb = induced(300), induced(600)
                    push = thrust if way == "X" else -thrust                   # what is to be held by b, beyond a
                    Na = max(Sa, Sb - push)
                    Nb = Na + push
                    a, b = self.arranged(way, thrust, bearing)
                    for got, r, x in ((a, 300, Na), (b, 600, Nb)):
                        self.same(got["P"], P(r, x), 1e-9, f"{name} {way} {thrust} N, Fr {r}, Fa {x:.6g}")
                        self.same(got["P0"], P0(r, x), 1e-9, f"{name} {way} {thrust} N, Fr {r}, Fa {x:.6g} P0")

    def test_statics_gives_P0_and_s0(self):
        m = shaft({"a": PAIR_A, "b": PAIR_B}, force=(0, -900, 150), gravity=[0, -10, 0])
        m["bodies"]["s"]["centroid"] = [0, 0, .03]
        s = self.sizing(m, "statics")["bearings"]
        at_b = (900 * .14 + 40 * .07) / .1
        for k, F, C0, P0 in (("h.a", at_b - 940, 11000, None), ("h.b", at_b, 26000, at_b)):
            P0 = P0 or max(.6 * F + 75, F)
            self.same(s[k]["P0"], P0, 1e-9, k)
            self.same(s[k]["s0"], C0 / P0, 1e-9, k)
            self.assertEqual([s[k][f] for f in ("P", "L10", "L10h")], [None] * 3)


class Verdicts(Sizing):
    def door(self, radial=True, **hinges):
        """Two hinges 1 m apart on one axis, weight 600 N along it, 400 N across in the middle between them."""
        m = {"roberval": 1, "space": "spatial",
             "bodies": {"ground": {"markers": {"a": [0, 0, -.5], "b": [0, 0, .5]}}, "d": {"mass": 30, "inertia": [2, 2, 2], "markers": {"a": [0, 0, -.5], "b": [0, 0, .5]}}},
             "joints": {k: {"type": "revolute", "between": [f"ground.{k}", f"d.{k}"], "bearing": BALL} for k in "ab"},
             "drives": {"hand": {"coordinate": "a.angle", "motion": "2*pi*t"}},
             "loads": {"W": {"type": "force", "to": "d", "value": [0, 400 if radial else 0, -600]}}, "motion": {"from": 0, "to": 1, "step": .02}}
        for k, keys in hinges.items():
            m["joints"][k].update(keys)
        return m

    NUMBERS = ("P0", "P", "L10", "L10h", "Lnm", "Lnmh", "s0")

    def test_no_life_of_a_door_on_two_hinges(self):
        s = self.sizing(self.door())["bearings"]
        for k in "ab":
            self.assertEqual(s[k]["verdict"], "not unique")
            self.nothing(s[k], *self.NUMBERS)
            self.assertRegex(s[k]["why"], "free|compliance")

    def test_compliances_give_the_door_a_life(self):
        """the weight goes by stiffness: 3 : 1; 400 N in the middle between equal hinges: 200 N each"""
        soft = {"x": 1e-8, "y": 1e-8, "rx": 1e-5, "ry": 1e-5}
        s = self.sizing(self.door(a={"compliance": {**soft, "z": 1e-8}}, b={"compliance": {**soft, "z": 3e-8}}))["bearings"]
        for k, Fa in (("a", 450), ("b", 150)):
            self.assertEqual(s[k]["verdict"], "compliance")
            P = deep_groove(200, Fa)
            self.same(s[k]["P"], P, 1e-6, k)
            self.same(s[k]["L10"], (1e4 / P)**3, 1e-5, k)
            self.same(s[k]["P0"], max(120 + Fa / 2, 200), 1e-6, k)

    def test_ranges_bound_each_sample(self):
        """two coaxial hinges with compliances of 1 to 4 share a load that turns with its shaft: at most .8 of it in one, .5 in the middle, each moment. Static figures have bounds, too"""
        def machine(first, second):
            hinge = {"type": "revolute", "between": ["ground", "b"]}
            return {"roberval": 1, "space": "planar", "bodies": {"b": {"mass": 100, "inertia": 8}},
                    "joints": {"p": {**hinge, "compliance": {"x": first, "y": first}, "bearing": ROLLER, "plain": PLAIN}, "q": {**hinge, "compliance": {"x": second, "y": second}}},
                    "drives": {"m": {"coordinate": "p.angle", "motion": "60[rpm]*t"}}, "loads": {"f": {"type": "force", "to": "b", "value": ["981*cos(2*pi*t)", "981*sin(2*pi*t)"]}},
                    "motion": {"from": 0, "to": 1, "step": .01}}
        for first, second, share in (([1e-6, 4e-6], [1e-6, 4e-6], .8), ([1e-6, 4e-6], 2e-6, 2 / 3)):
            s = self.sizing(machine(first, second))
            b, p = s["bearings"]["p"], s["plain"]["p"]
            self.same(b["P"], 981 / 2, 1e-9)
            self.figure(b, "L10_least", (1e4 / (share * 981))**(10 / 3), 1e-6)
            self.figure(b, "L10h_least", (1e4 / (share * 981))**(10 / 3) * 1e6 / 3600, 1e-6)
            self.same(b["P0_most"], share * 981, 1e-9)
            self.same(b["s0_least"], 8000 / (share * 981), 1e-9)
            self.same(p["p_most"], share * 981 / (.02 * .015), 1e-9)
            self.same(p["p_share_most"], share * 981 / (.02 * .015) / 20e6, 1e-9)
            self.figure(p, "life_least", 1e-4 / (3600 * 1e-15 * share * 981 / (.02 * .015) * 2 * math.pi * .01), 1e-6)

    def test_an_arrangement_within_a_range(self):
        """tapered rollers in X at -0.1 m and 0 beside a second hinge that yields 1 to 40 times as much: what radial loads induce grows within the range, too. The bound is the life at its end"""
        def machine(other):
            hinge = {"type": "revolute", "between": ["ground", "s"]}
            own = {"x": 1e-6, "y": 1e-6}
            return {"roberval": 1, "space": "spatial", "bodies": {"s": {"mass": 1, "inertia": [1, 1, 1]}},
                    "joints": {"p": {**hinge, "compliance": own, "bearings": {"arrangement": "X", "a": {**TAPER, "at": -.1}, "b": {**TAPER, "at": 0}}}, "q": {"type": "inline", "between": ["ground", "s"], "compliance": {"x": other, "y": other}}},
                    "drives": {"m": {"coordinate": "p.angle", "motion": "60[rpm]*t"}}, "loads": {"F": {"type": "force", "to": "s", "value": [8000, 0, 0]}}, "motion": {"from": 0, "to": 1, "step": .1}}
        ranged, end = self.sizing(machine([1e-6, 40e-6]))["bearings"], self.sizing(machine(40e-6))["bearings"]
        for k in ("p.a", "p.b"):
            self.same(ranged[k]["L10_least"], end[k]["L10"], 1e-9, k)
            self.same(ranged[k]["s0_least"], end[k]["s0"], 1e-9, k)

    def test_a_guide_without_static_moments_has_no_bound_of_s0(self):
        m = slide("planar", guide={"m0z": None}, force=(0, 300), torque=(5, 6, 7))
        m["joints"]["g"]["guide"] = {k: v for k, v in m["joints"]["g"]["guide"].items() if v is not None}
        m["joints"]["g"]["compliance"] = {"y": [1e-6, 4e-6]}
        m["bodies"]["ground"] = {"markers": {"S": [0.1, 0]}}
        m["joints"]["support"] = {"type": "y", "between": ["ground", "b"], "compliance": {"y": 1e-6}}
        g = self.sizing(m)["guides"]["g"]
        self.assertEqual((g["s0"], g["s0_least"], g["P0_most"]), (None, None, None))
        self.assertGreater(g["L10_least"], 0)

    def test_an_axial_range_that_does_no_harm(self):
        """480 N of thrust at most beside 4 kN across: below e, so that P = Fr within the whole range"""
        soft = {"x": 1e-8, "y": 1e-8, "rx": 1e-3, "ry": 1e-3, "z": [1e-8, 4e-8]}
        m = self.door(False, a={"compliance": soft}, b={"compliance": soft})
        body = next(n for n in m["bodies"] if n != "ground")
        m.setdefault("loads", {})["across"] = {"type": "force", "to": body, "value": [8000, 0, 0]}
        s = self.sizing(m)["bearings"]
        for k in "ab":
            self.assertGreater(s[k]["P"], 2000)
            self.same(s[k]["L10_least"], s[k]["L10"], 1e-9)

    def test_a_life_of_ranges_names_the_least(self):
        """z of each between 1 and 4: 480 N of 600 at most, at their means 300"""
        soft = {"x": 1e-8, "y": 1e-8, "rx": 1e-5, "ry": 1e-5, "z": [1e-8, 4e-8]}
        s = self.sizing(self.door(False, a={"compliance": soft}, b={"compliance": soft}))["bearings"]
        for k in "ab":
            self.same(s[k]["P"], deep_groove(0, 300), 1e-6)
            least = (1e4 / deep_groove(0, 480))**3
            self.assertIsNotNone(s[k]["L10_least"])
            self.assertLessEqual(s[k]["L10_least"], least * (1 + 1e-6))
            self.same(s[k]["L10_least"], least, 1e-4)
            self.same(s[k]["L10h_least"], s[k]["L10_least"] * 1e6 / 3600, 1e-4)

    def three_cranks(self, **keys):
        m = {"roberval": 1, "space": "planar", "gravity": [0, -10], "bodies": {"ground": {"markers": {f"g{i}": [i, 0] for i in range(3)}}, "beam": {"mass": 10, "inertia": 3, "centroid": [.7, 0], "pose": {"at": [0, .3]}, "markers": {f"m{i}": [i, 0] for i in range(3)}}},
             "joints": {}, "drives": {"d": {"coordinate": "p0.angle", "motion": "90[deg] + 0.4*sin(2*pi*t)", "rating": {"peak": 100}}}, "motion": {"from": 0, "to": 1, "step": .05}}
        for i in range(3):
            m["bodies"][f"c{i}"] = {"mass": 1, "inertia": .01, "pose": {"at": [i, 0], "angle": "90 deg"}, "markers": {"e": [.3, 0]}}
            m["joints"][f"p{i}"] = {"type": "revolute", "between": [f"ground.g{i}", f"c{i}"], "bearing": {k: v for k, v in BALL.items()}, **keys}
            m["joints"][f"q{i}"] = {"type": "revolute", "between": [f"c{i}.e", f"beam.m{i}"], "plain": {"diameter": .02, "width": .01, "p": "20 MPa", "wear": "1e-15 m^2/N", "depth": 1e-4}}
        return m

    def test_no_figures_of_three_cranks(self):
        s = self.sizing(self.three_cranks())
        for i in range(3):
            self.assertEqual(s["bearings"][f"p{i}"]["verdict"], "not unique")
            self.nothing(s["bearings"][f"p{i}"], *self.NUMBERS)
            self.nothing(s["plain"][f"q{i}"], "p", "p_mean", "p_share", "pv", "wear_per_hour", "life")
        d, f = s["drives"]["d"], .4 * np.sin(2 * np.pi * np.linspace(0, 1, 21))
        self.assertEqual(d["verdict"], "unique")                              # all the same: cranks that balance, a beam on 0.3 m
        self.same(d["peak"], np.abs(-30 * np.sin(f) - (.9 + .03) * 4 * np.pi**2 * f).max())

    def test_with_compliance_three_cranks_have_a_life(self):
        """statics alone at 12 o'clock, rigid cranks on equally soft pivots: 100 N at 0.7 of a beam on three springs, and 10 N each"""
        m = self.three_cranks(compliance={"y": 1e-9})
        s = self.sizing(m, "statics")["bearings"]
        for i in range(3):
            self.assertEqual(s[f"p{i}"]["verdict"], "compliance")
            self.same(s[f"p{i}"]["P0"], 10 + 100 * (1 / 3 + (i - 1) * -.3 / 2), 1e-6, f"p{i}")

    def test_no_life_of_planets(self):
        m = {"roberval": 1, "space": "planar", "bodies": {"ground": {}, "sun": {"mass": 1, "inertia": .01}, "carrier": {"mass": 1, "inertia": .1, "markers": {}}},
             "joints": {"s": {"type": "revolute", "between": ["ground", "sun"]}, "c": {"type": "revolute", "between": ["ground", "carrier"]}},
             "drives": {"d": {"coordinate": "s.angle", "motion": "10*t"}}, "loads": {"T": {"type": "torque", "to": "carrier", "value": -60}}, "motion": {"from": 0, "to": 1, "step": .05}}
        for i in range(3):
            at = [.1 * math.cos(2 * math.pi * i / 3), .1 * math.sin(2 * math.pi * i / 3)]
            m["bodies"]["carrier"]["markers"][f"m{i}"] = at
            m["bodies"][f"p{i}"] = {"mass": .1, "inertia": .001, "pose": {"at": at}}
            m["joints"][f"b{i}"] = {"type": "revolute", "between": [f"carrier.m{i}", f"p{i}"], "bearing": BALL}
            m["joints"][f"g{i}"] = {"type": "gear", "between": ["sun", f"p{i}"], "radii": [.05, .05], "carrier": "carrier"}
            m["joints"][f"r{i}"] = {"type": "gear", "between": ["ground", f"p{i}"], "radii": [.15, .05], "internal": True, "carrier": "carrier"}
        s = self.sizing(m)["bearings"]
        for i in range(3):
            self.assertEqual(s[f"b{i}"]["verdict"], "not unique")
            self.nothing(s[f"b{i}"], *self.NUMBERS)
            m["joints"][f"g{i}"]["compliance"] = m["joints"][f"r{i}"]["compliance"] = {"x": 1e-8, "y": 1e-8}
        s = self.sizing(m)["bearings"]                                         # soft teeth: 60 N.m on three pins at 0.1 m, and 0.1 kg that run round with the carrier, at a quarter of the sun's speed
        for i in range(3):
            self.assertEqual(s[f"b{i}"]["verdict"], "compliance")
            self.same(s[f"b{i}"]["P"], math.hypot(200, .1 * .1 * 2.5**2), 1e-6, f"b{i}")

    def test_an_axial_force_that_is_not_unique_does_a_floating_bearing_no_harm(self):
        """a shaft on a hinge, a point at its end that holds it along z as well: Fz of the hinge is not unique, the rest is"""
        m = shaft({"a": PAIR_A, "b": PAIR_B}, force=(0, -900, 150))
        m["bodies"]["s"]["centroid"] = [0, 0, 0]
        m["joints"]["end"] = {"type": "general", "locked": ["z"], "between": ["ground", "s"]}
        s = self.sizing(m)["bearings"]
        self.same(s["h.b"]["P"], 900 * .14 / .1)
        self.assertEqual(s["h.b"]["verdict"], "unique")
        self.assertEqual(s["h.a"]["verdict"], "not unique")
        self.nothing(s["h.a"], *self.NUMBERS)

    def test_a_pair_needs_unique_moments(self):
        m = self.door()
        for k in "ab":
            m["joints"][k]["bearings"] = {"p": {**BALL, "at": -.01}, "q": {**BALL, "at": .01, "floating": True}}
            del m["joints"][k]["bearing"]
        s = self.sizing(m)["bearings"]
        self.assertEqual(sorted(s), ["a.p", "a.q", "b.p", "b.q"])
        for b in s.values():
            self.nothing(b, *self.NUMBERS)

    def test_a_note_shows_no_value_that_is_not_unique_without_saying_so(self):
        """thrust and moments that another joint shares: the value printed is an accident of the solver"""
        for bearing, second, word in ((ROLLER, {"type": "general", "locked": ["z"]}, "axial"), (BALL, {"type": "parallel"}, "|t|")):
            m = shaft({}, force=(0, -900, 150))
            del m["joints"]["h"]["bearings"]
            m["joints"]["h"]["bearing"] = bearing
            m["joints"]["end"] = {**second, "between": ["ground", "s"]}
            self.sizing(m)
            for n in self.done.result["notes"]:
                if "'h'" in n and word in n.lower():
                    self.assertIn("not unique", n)

    def test_an_axial_force_that_is_not_unique_does_a_plain_bearing_no_harm(self):
        m = rotors(({"plain": PLAIN}, (0, 100, 700)))
        m["joints"]["end"] = {"type": "general", "locked": ["z"], "between": ["ground", "b0"]}
        self.same(self.sizing(m)["plain"]["j0"]["p"], 100 / 3e-4)


if __name__ == "__main__":
    cli.main()
