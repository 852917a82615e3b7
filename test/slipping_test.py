#!/usr/bin/env python3
"""Drives with max: and catch_up: against closed forms of a rotor that is asked to speed up faster than its motor can."""
import math
import os
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "py"))
import numpy as np      # noqa: E402
import cli              # noqa: E402

J, TORQUE, DROP, RAMP, TOP = 0.5, 20.0, 0.4, 25.0, 35.0     # kg m^2, N m, N m s, rad/s^2, rad/s
END = TOP / RAMP                                             # the motion speeds up until then
ROTOR = f"""roberval: 1
space: planar
bodies: {{rotor: {{mass: 1, inertia: {J}}}}}
joints: {{hinge: {{type: revolute, between: [ground, rotor]}}}}
drives: {{motor: {{coordinate: hinge.angle, motion: "if(t < {END}, 0.5*{RAMP}*t^2, 0.5*{RAMP}*{END}^2 + {TOP}*(t - {END}))", max: "{TORQUE}[N.m] - {DROP}[N.m.s/rad]*abs(hinge.angle')"MORE}}}}
motion: {{from: 0, to: 5, step: 0.02}}
output: {{power: "motor.effort*hinge.angle'"}}
"""

# The motor's curve is met where J RAMP = TORQUE - DROP RAMP t; from there on J w' = TORQUE - DROP w.
SLIPS = (TORQUE - J * RAMP) / (DROP * RAMP)
FREE = TORQUE / DROP


def speed(t):
    return FREE + (RAMP * SLIPS - FREE) * math.exp(-DROP * (t - SLIPS) / J)


def turn(t):
    tau = J / DROP
    return 0.5 * RAMP * SLIPS ** 2 + FREE * (t - SLIPS) + (RAMP * SLIPS - FREE) * tau * (1 - math.exp(-(t - SLIPS) / tau))


def motion(t):
    return 0.5 * RAMP * t * t if t < END else 0.5 * RAMP * END ** 2 + TOP * (t - END)


def rate(t):
    return RAMP * t if t < END else TOP


def bisect(f, low, high):
    for _ in range(200):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if f(middle) * f(low) > 0 else (low, middle)
    return low


class Slipping(cli.Case):
    def run_rotor(self, more="", *options, command="simulate", code=0):
        run = cli.run_model(ROTOR.replace("MORE", more), command, *options)
        self.assertEqual(run.code, code, run.said())
        return run

    def events(self, run):
        return [(e["name"], e["kind"]) for e in run.result["integration"]["events"]], [e["t"] for e in run.result["integration"]["events"]]

    def check(self, run, catches, effort_after, lag_after):
        for t, angle, w, effort in zip(run.time, run.series["hinge.angle"], run.series["hinge.angle'"], run.series["motor.effort"]):
            if abs(t - SLIPS) < 1e-6 or abs(t - catches) < 1e-6:
                continue
            if t < SLIPS:
                expected = 0.5 * RAMP * t * t, RAMP * t, J * RAMP
            elif t < catches:
                expected = turn(t), speed(t), TORQUE - DROP * speed(t)
            else:
                expected = motion(t) + lag_after(t), None, effort_after(t)
            self.assertAlmostEqual(angle, expected[0], delta=2e-7, msg=f"at {t}")
            if expected[1] is not None:
                self.assertAlmostEqual(w, expected[1], delta=2e-7, msg=f"at {t}")
            self.assertAlmostEqual(effort, expected[2], delta=2e-6, msg=f"at {t}")
        np.testing.assert_allclose(run.series["power"], run.series["motor.effort"] * run.series["hinge.angle'"], atol=1e-9)

    def test_a_motor_that_keeps_its_speed_lags_for_good(self):
        run = self.run_rotor()
        catches = SLIPS - J / DROP * math.log((FREE - TOP) / (FREE - RAMP * SLIPS))       # its speed is the motion's again
        names, times = self.events(run)
        self.assertEqual(names, [("motor", "slip"), ("motor", "engage")])
        self.assertAlmostEqual(times[0], SLIPS, delta=1e-9)
        self.assertAlmostEqual(times[1], catches, delta=1e-9)
        lag = turn(catches) - motion(catches)
        self.assertLess(lag, -1)
        self.check(run, catches, lambda t: 0, lambda t: lag)

    def test_a_servo_catches_up(self):
        catch_up = 0.8
        run = self.run_rotor(f", catch_up: {catch_up} 1/s")
        catches = bisect(lambda t: rate(t) - speed(t) + catch_up * (motion(t) - turn(t)), END, 5)
        names, times = self.events(run)
        self.assertEqual(names, [("motor", "slip"), ("motor", "engage")])
        self.assertAlmostEqual(times[0], SLIPS, delta=1e-9)
        self.assertAlmostEqual(times[1], catches, delta=1e-8)
        lag = turn(catches) - motion(catches)
        self.check(run, catches, lambda t: J * catch_up ** 2 * lag * math.exp(-catch_up * (t - catches)), lambda t: lag * math.exp(-catch_up * (t - catches)))
        self.assertGreater(max(run.series["hinge.angle'"]), TOP + 0.1)                     # it runs faster to catch up

    def test_it_brakes_no_harder_than_it_can(self):
        # with a fast catch_up it slips once more, braking: efforts stay within the curve all the time
        run = self.run_rotor(", catch_up: 6 1/s")
        names, _ = self.events(run)
        self.assertEqual(names, [("motor", "slip"), ("motor", "slip"), ("motor", "engage")])
        limit = TORQUE - DROP * np.abs(run.series["hinge.angle'"])
        self.assertLess(np.max(np.abs(run.series["motor.effort"]) - np.maximum(limit, 0)), 1e-7)
        self.assertLess(abs(run.series["hinge.angle"][-1] - motion(5)), 1e-4)

    def test_within_its_limit_the_motion_is_kept_exactly(self):
        strong = ROTOR.replace("MORE", "").replace(f"{TORQUE}[N.m]", "200[N.m]")
        run = cli.run_model(strong, "simulate")
        self.assertEqual(run.result["integration"]["events"], [])
        np.testing.assert_allclose(run.series["hinge.angle"], [motion(t) for t in run.time], atol=1e-13 * motion(5))

    def test_a_crane_that_cannot_lift_lets_down(self):
        # 2 kg on a winch of 15 N: it falls with (15 - 2 g)/2 while its motion asks it to stand; from 1 s on, 25 N stop it, and it stands where it came to rest
        text = """roberval: 1
space: planar
gravity: [0, -9.81]
bodies: {ground: {markers: {U: {at: [0, 0], angle: 90 deg}}}, hook: {mass: 2, inertia: 1, markers: {U: {at: [0, 0], angle: 90 deg}}}}
joints: {rail: {type: prismatic, between: [ground.U, hook.U]}}
drives: {winch: {coordinate: rail.distance, motion: 0, max: "if(t < 1, 15, 25)"}}
motion: {from: 0, to: 4, step: 0.1}
"""
        run = cli.run_model(text, "simulate")
        self.assertEqual(run.code, 0, run.said())
        falls, brakes = (15 - 2 * 9.81) / 2, (25 - 2 * 9.81) / 2
        rest = 1 - falls / brakes
        depth = 0.5 * falls + 0.5 * falls * (rest - 1)
        names, times = self.events(run)
        self.assertEqual(names[-1], ("winch", "engage"))
        self.assertAlmostEqual(times[-1], rest, delta=1e-6)
        self.assertAlmostEqual(run.series["rail.distance"][-1], depth, delta=1e-6)
        self.assertAlmostEqual(run.series["winch.effort"][-1], 2 * 9.81, delta=1e-9)
        self.assertAlmostEqual(run.series["winch.effort"][0], 15, delta=1e-12)

    def test_a_run_in_two_parts_while_it_slips_and_while_it_lags(self):
        for half in (1.0, 3.0):
            text = ROTOR.replace("MORE", ", catch_up: 0.8 1/s")
            with tempfile.TemporaryDirectory() as folder:
                path = os.path.join(folder, "m.yaml")
                with open(path, "w", encoding="utf-8") as f:
                    f.write(text)
                part = os.path.join(folder, "part")
                cli.limited([cli.BINARY, "simulate", path, "--quiet", "--to", str(half), "--out", part])
                go = cli.run(["simulate", path, "--start", part])
                self.assertEqual(go.code, 0, go.said())
                whole = self.run_rotor(", catch_up: 0.8 1/s")
                first = int(np.argmin(abs(whole.time - half)))
                np.testing.assert_allclose(go.series["hinge.angle"], whole.series["hinge.angle"][first:], atol=1e-6)
                np.testing.assert_allclose(go.series["motor.effort"], whole.series["motor.effort"][first:], atol=1e-6)

    def test_on_an_expression_of_the_coordinate_it_is_the_same_motor(self):
        plain = self.run_rotor(", catch_up: 0.8 1/s")
        for factor in (2.0, 1e-4, 1e4):                                             # the effort on f = k angle is that on the angle over k
            text = ROTOR.replace("MORE", ", catch_up: 0.8 1/s").replace("coordinate: hinge.angle", "coordinate: f").replace('motion: "', f'motion: "{factor!r}*').replace("if(", "(if(").replace("- 1.4))", "- 1.4)))")
            text = text.replace(f"{TORQUE}[N.m] - {DROP}[N.m.s/rad]*abs(hinge.angle')", f"({TORQUE} - {DROP}*abs(f')/{factor!r})/{factor!r}").replace("motor.effort*hinge.angle'", "motor.effort*f'")
            run = cli.run_model(text.replace("bodies:", f'coordinates: {{f: "{factor!r}*hinge.angle"}}\nbodies:'), "simulate")
            self.assertEqual(run.code, 0, run.said())
            self.assertEqual(self.events(run)[0], self.events(plain)[0])
            np.testing.assert_allclose(self.events(run)[1], self.events(plain)[1], atol=1e-6)
            for name, k in (("hinge.angle", 1), ("hinge.angle'", 1), ("motor.effort", factor), ("power", 1)):
                np.testing.assert_allclose(k * run.series[name], plain.series[name], atol=2e-6 * max(1, np.abs(plain.series[name]).max()), err_msg=name)

    def test_on_the_square_of_a_distance(self):
        # f = x^2 is to be 1 + 4 t^2; with an effort of 1 on f a mass of 2 has x'' = x: it falls behind from the start, x = cosh t, until f' = sinh 2t = 8t, and follows with that lag
        text = """roberval: 1
space: planar
bodies: {b: {mass: 2, inertia: 1, pose: {at: [1, 0]}}}
joints: {rail: {type: prismatic, between: [ground, b]}}
coordinates: {f: "rail.distance^2"}
drives: {d: {coordinate: f, motion: "1 + 4*t^2", max: 1}}
motion: {from: 0, to: 3, step: 0.05}
output: {power: "d.effort*f'"}
"""
        run = cli.run_model(text, "simulate")
        self.assertEqual(run.code, 0, run.said())
        caught = bisect(lambda t: math.sinh(2 * t) - 8 * t, 1, 3)
        names, times = self.events(run)
        self.assertEqual(names[-1], ("d", "engage"))
        self.assertAlmostEqual(times[-1], caught, delta=1e-6)
        lag = math.cosh(caught) ** 2 - 1 - 4 * caught ** 2
        for t, x, effort in zip(run.time, run.series["rail.distance"], run.series["d.effort"]):
            f = 1 + lag + 4 * t * t                                   # x'' = (f''/2 - x'^2)/x, and 2 x'' = 2 x effort
            self.assertAlmostEqual(x, math.cosh(t) if t < caught else math.sqrt(f), delta=1e-6)
            self.assertAlmostEqual(effort, 1 if t < caught else (4 - 16 * t * t / f) / f, delta=1e-5)
        np.testing.assert_allclose(run.series["power"], run.series["d.effort"] * 2 * run.series["rail.distance"] * run.series["rail.distance'"], atol=1e-9)

    def test_other_analyses(self):
        self.assertIn("drive 'motor' has a max:, and kinematics knows no efforts", self.run_rotor(command="kinematics", code=2).err)
        run = cli.run_model(ROTOR.replace("MORE", ""), "inverse", quiet=False)
        self.assertEqual(run.code, 0, run.said())
        first = math.ceil(SLIPS / 0.02 + 1e-9) * 0.02
        self.assertIn(f"drive 'motor' cannot follow its motion: from t = {first:.9g} s on it needs more than its max:", run.err + run.out)
        self.assertNotIn("cannot follow", cli.run_model(ROTOR.replace("MORE", "").replace(f"{TORQUE}[N.m]", "200[N.m]"), "inverse", quiet=False).out)

    def test_what_is_wrong_is_said(self):
        def wrong(text, *changes):
            model = ROTOR.replace("MORE", "")
            for a, b in changes:
                self.assertIn(a, model)
                model = model.replace(a, b)
            run = cli.run_model(model, "simulate")
            self.assertEqual(run.code, 2, run.said())
            self.assertIn(text, run.err)
        curve = f"max: \"{TORQUE}[N.m] - {DROP}[N.m.s/rad]*abs(hinge.angle')\""
        wrong("has catch_up:, but no max:", (curve, "catch_up: 3 1/s"))
        wrong("catch_up says how fast something dies out, in 1/s; Hz is cycles per second", (curve, curve + ", catch_up: 3 Hz"))
        wrong("catch_up of drive 'motor' must not be negative", (curve, curve + ", catch_up: -3 1/s"))
        wrong("torque", (curve, "max: 20 N"))
        wrong("torque", ("coordinate: hinge.angle", "coordinate: twice"), ("bodies:", 'coordinates: {twice: "hinge.angle - angle(rotor) + angle(rotor)"}\nbodies:'), (curve, "max: 20 N"))


class Engaging(cli.Case):
    """max: with active:. A slide of 2 kg that stands still until the drive takes hold of it at 0.5 s, and lets go at `end`; it asks for x = t with at most 4 N."""

    def go(self, rate=0.0, end=2.5, more="", speed=0, to=3, *options, code=0):
        model = f"""roberval: 1
space: planar
bodies: {{b: {{mass: 2, inertia: 1}}}}
joints: {{s: {{type: prismatic, between: [ground, b]}}}}
drives: {{d: {{coordinate: s.distance, motion: "1*t", max: 4 N, catch_up: {rate} 1/s, active: "t > 0.5[s] and t < {end}[s]"{more}}}}}
initial: {{s.distance: 0, s.distance': {speed}}}
motion: {{from: 0, to: {to}, step: 0.1}}
"""
        run = cli.run_model(model, "simulate", *options)
        self.assertEqual(run.code, code, run.said())
        return run

    def events(self, run):
        return [(e["kind"], round(e["t"], 6)) for e in run.result["integration"]["events"]]

    def test_it_slips_until_the_rate_is_its_own(self):
        """2 m/s^2 to 1 m/s at 1 s; then it follows, the lag of 0.75 m stays; then it coasts"""
        run = self.go()
        self.assertEqual(self.events(run), [("engage", 0.5), ("slip", 0.5), ("engage", 1.0), ("disengage", 2.5)])
        for t, x, effort in zip(run.time, run.series["s.distance"], run.series["d.effort"]):
            self.assertAlmostEqual(x, 0 if t < 0.5 else (t - 0.5) ** 2 if t < 1 else 0.25 + t - 1, delta=1e-9)
            if min(abs(t - s) for s in (0.5, 1, 2.5)) > 1e-6:
                self.assertEqual(abs(effort) > 1e-9, 0.5 < t < 1)

    def test_it_catches_up(self):
        """s = 1 - x' + r (t - x) is zero where x = (t - 0.5)^2; from there on the lag dies out"""
        r = 1.5
        run = self.go(r, 4, to=3.9)
        meets = bisect(lambda t: 1 - 2 * (t - 0.5) + r * (t - (t - 0.5) ** 2), 0.5, 9)
        turned = [t for kind, t in self.events(run) if kind == "engage"]
        self.assertAlmostEqual(turned[1], meets, delta=1e-6)
        lag = meets - (meets - 0.5) ** 2
        for t, x in zip(run.time, run.series["s.distance"]):
            if t > meets:                                       # braking takes 2 r^2 lag at most, 2.6 N
                self.assertAlmostEqual(x, t - lag * math.exp(-r * (t - meets)), delta=1e-7)

    def test_it_lets_go_while_it_slips(self):
        run = self.go(end=0.8)
        self.assertEqual(self.events(run), [("engage", 0.5), ("slip", 0.5), ("disengage", 0.8)])
        self.assertAlmostEqual(run.series["s.distance"][-1], 0.09 + 0.6 * 2.2, delta=1e-9)
        self.assertEqual(run.series["d.effort"][-1], 0)

    def test_what_fits_is_taken_as_it_is(self):
        """with the rate of its motion it follows from where it is, with value: here as well"""
        for more in ("", ", value: here"):
            run = self.go(1.5, 2.5, more, speed=1)
            self.assertEqual(self.events(run), [("engage", 0.5), ("disengage", 2.5)])
            self.near(run.series["s.distance"], run.time, 1e-9)
            self.near(run.series["d.effort"], 0 * run.time, 1e-9)


SLIDER = """roberval: 1
space: planar
bodies: {block: {mass: 2, inertia: 1}}
joints: {slide: {type: prismatic, between: [ground, block]}}
drives: {push: {coordinate: slide.distance, motion: "MOTION", max: "5 N"}}
stops: {end: {coordinate: slide.distance, max: 0.5, restitution: 0}}
motion: {from: 0, to: 3, step: 0.1}
"""


class Stalls(unittest.TestCase):
    """A block of 2 kg whose drive of at most 5 N meets a stop: as 5 N that push it would."""

    def run_slider(self, motion, *changes):
        model = SLIDER.replace("MOTION", motion)
        for a, b in changes:
            self.assertIn(a, model)
            model = model.replace(a, b)
        run = cli.run_model(model, "simulate", "--tolerance", "1e-11")
        self.assertEqual(run.code, 0, run.said())
        return run

    def test_one_that_slips_lands_and_stalls(self):
        landing = math.sqrt(0.4)                    # 0.5 = (5/2) t^2/2
        for way, limit in ((1, "max: 0.5"), (-1, "min: -0.5")):
            run = self.run_slider(f"{way}*3*t^2", ("max: 0.5", limit))
            impact, land = run.result["integration"]["events"]
            self.assertEqual([impact["kind"], land["kind"]], ["impact", "land"])
            self.assertAlmostEqual(impact["t"], landing, delta=1e-9)
            self.assertAlmostEqual(impact["impulse"], 2 * 2.5 * landing, delta=1e-8)
            t = run.series["time"]
            rests = t > landing
            np.testing.assert_allclose(run.series["slide.distance"], way * np.where(rests, 0.5, 1.25 * t ** 2), atol=1e-9)
            np.testing.assert_allclose(run.series["push.effort"], 5 * way, atol=1e-12)
            np.testing.assert_allclose(run.series["end.force"], np.where(rests, -5 * way, 0), atol=1e-9)

    def test_bounces_as_under_a_force(self):
        for part in (0.3, 0.9):
            bounces = ("restitution: 0", f"restitution: {part}")
            drive = 'drives: {push: {coordinate: slide.distance, motion: "3*t^2", max: "5 N"}}'
            run = self.run_slider("3*t^2", bounces)
            force = self.run_slider("3*t^2", bounces, (drive, "loads: {push: {type: force, to: block, value: [5, 0]}}"))
            for name in ("slide.distance", "end.force"):
                np.testing.assert_allclose(run.series[name], force.series[name], atol=1e-8)

    def test_one_that_follows_stalls_until_its_motion_turns_back(self):
        t = (run := self.run_slider("sin(t)")).series["time"]
        stalls, after = (t > math.pi / 6) & (t < math.pi / 2), t > math.pi / 2
        expected = np.where(after, np.sin(t) - 0.5, np.minimum(np.sin(t), 0.5))
        np.testing.assert_allclose(run.series["slide.distance"], expected, atol=1e-8)
        np.testing.assert_allclose(run.series["push.effort"], np.where(stalls, 5, -2 * np.sin(t)), atol=1e-7)
        np.testing.assert_allclose(run.series["end.force"], np.where(stalls, -5, 0), atol=1e-9)

    def test_an_impact_throws_it_back(self):
        run = self.run_slider("t", ("restitution: 0", "restitution: 0.5"), ("to: 3", "to: 0.85"))
        t = run.series["time"]
        tau = np.maximum(t - 0.5, 0)                # back at 0.5 m at tau = 0.4
        np.testing.assert_allclose(run.series["slide.distance"], np.where(tau > 0, 0.5 - 0.5 * tau + 1.25 * tau ** 2, t), atol=1e-9)
        np.testing.assert_allclose(run.series["push.effort"], np.where(tau > 0, 5, 0), atol=1e-9)

    def test_a_rope_stops_it(self):
        rope = ("stops: {end: {coordinate: slide.distance, max: 0.5, restitution: 0}}\n", "")
        link = ("between: [ground, block]}}", "between: [ground, block]}, rope: {type: link, between: [ground.far, block], length: 1.5, unilateral: true}}")
        run = self.run_slider("3*t^2", rope, link, ("bodies: {", "bodies: {ground: {markers: {far: [-1, 0]}}, "))
        rests = run.series["time"] > math.sqrt(0.4)
        np.testing.assert_allclose(run.series["rope.F"], np.where(rests, 5, 0), atol=1e-9)
        np.testing.assert_allclose(run.series["push.effort"], 5, atol=1e-12)

    def test_an_impact_elsewhere_leaves_it_alone(self):
        other = ("drives: {", 'drives: {other: {coordinate: beside.distance, motion: "0.2*sin(3*t)", max: "9 N"}, ')
        run = self.run_slider("t", other, ("block: {mass: 2, inertia: 1}", "block: {mass: 2, inertia: 1}, two: {mass: 1, inertia: 1}"),
                              ("joints: {", "joints: {beside: {type: prismatic, between: [ground, two]}, "))
        t = run.series["time"]
        np.testing.assert_allclose(run.series["beside.distance"], 0.2 * np.sin(3 * t), atol=1e-9)
        np.testing.assert_allclose(run.series["other.effort"], -1.8 * np.sin(3 * t), atol=1e-7)
        np.testing.assert_allclose(run.series["push.effort"], np.where(t > 0.5 - 1e-9, 5, 0), atol=1e-9)
        self.assertEqual([(h["name"], h["kind"]) for h in run.result["integration"]["events"]], [("end", "impact"), ("end", "land"), ("push", "slip")])


class Begins(cli.Case):
    """A clutch whose sides turn differently at the start slips from there: closed form, in all coordinates and orders."""

    def clutch(self, speeds, inertias, limit, order=1, extra=None):
        names = ["a", "b"][::order]
        model = {"roberval": 1, "space": "planar", "bodies": {n: {"mass": 1, "inertia": inertias["ab".index(n)]} for n in names},
                 "joints": {n.upper(): {"type": "revolute", "between": ["ground", n]} for n in names}, "coordinates": {"slip": "angle(b) - angle(a)"},
                 "drives": {"clutch": {"coordinate": "slip", "motion": "0", "max": limit}},
                 "initial": {"A.angle'": speeds[0], "B.angle'": speeds[1]}, "motion": {"from": 0, "to": 1, "step": 0.05}}
        model["drives"].update(extra or {})
        return model

    def test_two_wheels(self):
        for speeds, inertias, limit in (((20, 0), (0.1, 0.2), 5), ((-3, 9), (0.4, 0.1), 2), ((5, 5), (0.1, 0.2), 1), ((7, 1), (0.3, 0.3), 0.5)):
            meets = abs(speeds[0] - speeds[1]) / (limit / inertias[0] + limit / inertias[1])
            end = (inertias[0] * speeds[0] + inertias[1] * speeds[1]) / sum(inertias)
            sign = 1 if speeds[0] > speeds[1] else -1
            for order, coordinates in ((1, "absolute"), (-1, "absolute"), (1, "natural"), (1, "joint")):
                done = self.ok(self.clutch(speeds, inertias, limit, order), "simulate", "--coordinates", coordinates)
                for t, a, b in zip(done.time, done.series["a.omega"], done.series["b.omega"]):
                    slips = t < meets
                    self.assertAlmostEqual(a, speeds[0] - sign * limit / inertias[0] * t if slips else end, delta=1e-6 * 20)     # of the tolerance 1e-9 over 1 s, with a margin
                    self.assertAlmostEqual(b, speeds[1] + sign * limit / inertias[1] * t if slips else end, delta=1e-6 * 20)
                events = [(e["name"], e["kind"]) for e in done.result["integration"]["events"]]
                self.assertEqual(events, [("clutch", "engage")] if 0 < meets < 1 else [])

    def test_what_can_hold_alone_holds(self):
        """a motor with a limit beside: initial rates fit its motion, so that only the clutch slips"""
        motor = {"motor": {"coordinate": "A.angle", "motion": "20*t", "max": 50}}
        done = self.ok(self.clutch((20, 0), (0.1, 0.2), 5, extra=motor), "simulate")
        self.assertAlmostEqual(done.series["a.omega"][2], 20, delta=1e-9)
        self.assertAlmostEqual(done.series["b.omega"][2], 5 / 0.2 * 0.1, delta=1e-6)
        self.assertAlmostEqual(done.series["motor.effort"][2], 5, delta=1e-6)

    def test_one_too_many_names_what_is_free(self):
        model = self.clutch((20, 0), (0.1, 0.2), 5)
        del model["drives"]["clutch"]["max"]
        done = cli.run_model(model, "simulate")
        self.assertEqual(done.code, 2, done.said())
        self.assertIn("one too many", done.err)
        self.assertIn("without conditions 1 freedom is left, such as", done.err)
        model["drives"]["motor"] = {"coordinate": "A.angle", "motion": "20*t"}
        self.assertIn("they leave nothing free", cli.run_model(model, "simulate").err)


if __name__ == "__main__":
    unittest.main()
