#!/usr/bin/env python3
"""What rolls as long as friction holds, and belts that slip: closed forms, numerical solutions of equations written here, the plane against space.

Tolerances.  simulate: tolerance 1e-9 of a step, over some tens of steps: 1e-7.  Forces from the equations alone: 1e-10, rounding.
"""
import math
import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "py"))
import numpy as np      # noqa: E402
import cli              # noqa: E402
from integrate import runge_kutta      # noqa: E402

G = 9.81
R, M = 0.0285, 0.17
BALL = [0.4 * M * R * R] * 3


def billiard(mu, v, w, tilt=0.0, **more):
    """a ball on a cloth that is turned by `tilt` about y (x points downhill), thrown with v and w in ground axes"""
    turn = {"axis": [0, 1, 0], "angle": tilt}
    start = {f"{name}(b)'": value for name, value in zip("xyz", v)} if v is not None else {}
    start.update({f"w{name}(b)": value for name, value in zip("xyz", w)} if v is not None else {})
    if tilt == 0:
        start.pop("z(b)'", None)            # which the cloth decides
    model = {"roberval": 1, "space": "spatial", "gravity": [0, 0, -G],
             "bodies": {"ground": {"markers": {"s": {"at": [0, 0, 0], "rotate": turn}}},
                        "b": {"mass": M, "inertia": BALL, "pose": {"at": [R * math.sin(tilt), 0, R * math.cos(tilt)]}}},
             "joints": {"c": {"type": "ball", "between": ["ground.s", "b"], "radius": R, "friction": {"coefficient": mu}}},
             "motion": {"from": 0, "to": 1, "step": 0.125}, "output": {"wy": "wy(b)", "wx": "wx(b)"}}
    if start:
        model["initial"] = start
    model.update(more)
    return model


def cart(friction, v, spin, heading=0.0, **more):
    """a wheel of 0.3 m on a cart that keeps its heading; the wheel stands upright"""
    c, s = math.cos(heading), math.sin(heading)
    axle = {"at": [0, 0, 0], "axis": [-s, c, 0]}
    return {"roberval": 1, "space": "spatial", "gravity": [0, 0, -G],
            "bodies": {"ground": {"markers": {"X": {"at": [0, 0, 0], "axis": [c, s, 0]}}},
                       "cart": {"mass": 3, "inertia": [0.1, 0.1, 0.1], "pose": {"at": [0, 0, 0.3]}, "markers": {"hub": axle}},
                       "rim": {"mass": 1, "inertia": [0.04, 0.04, 0.04], "pose": {"at": [0, 0, 0.3]}, "markers": {"hub": axle}}},
            "joints": {"upright": {"type": "parallel", "between": ["ground", "cart"]}, "keeps": {"type": "perpendicular", "between": ["ground.X", "cart.hub"]},
                       "axle": {"type": "revolute", "between": ["cart.hub", "rim.hub"]},
                       "tyre": {"type": "wheel", "between": ["ground", "rim.hub"], "radius": 0.3, "friction": friction}},
            "initial": {"x(cart)'": v[0], "y(cart)'": v[1], "axle.angle'": spin}, "motion": {"from": 0, "to": 1, "step": 0.1}, **more}


class Contacts(cli.Case):
    def go(self, model, *flags, **more):
        return self.ok(model, "simulate", *flags, **more)

    def events(self, done):
        return [(e["name"], e["kind"]) for e in done.result["integration"]["events"]]

    def near_energy(self, done):
        self.assertLess(abs(done.result["integration"]["energy_error"]), 1e-7 * max(abs(done.series["energy"])))

    def test_a_billiard_ball_slides_and_then_rolls(self):
        """at 5/7 v0, from t = 2 v0/(7 mu g) on (Coriolis 1835)"""
        v0, mu = 2.0, 0.2
        done = self.go(billiard(mu, (v0, 0, 0), (0, 0, 0)))
        rolls = 2 * v0 / (7 * mu * G)
        self.assertEqual(self.events(done), [("c", "stick")])
        self.near(done.result["integration"]["events"][0]["t"], rolls, 1e-8)
        slides = done.time < rolls
        self.near(done.series["b.vx"], np.where(slides, v0 - mu * G * done.time, 5 / 7 * v0), 1e-9)
        self.near(done.series["c.friction.x"], np.where(slides, -mu * M * G, 0), 1e-10)
        self.near(done.series["c.Fx"], done.series["c.friction.x"], 0)
        self.near(done.series["c.F"], M * G + 0 * done.time, 1e-10)
        self.assertEqual({done.marks[n] for n in ("c.friction.x", "c.Fx", "c.F")}, {"unique"})
        self.near_energy(done)

    def test_a_ball_with_side_and_follow_curves(self):
        """the slip u = v + w x (-R z) keeps its direction: v(t) = v0 - mu g t u0/|u0| up to 2 |u0|/(7 mu g), v0 - 2/7 u0 afterwards; the twist about the normal stays"""
        mu, v0, w0 = 0.25, np.array([1.5, 0.3, 0]), np.array([40.0, -25.0, 30.0])
        done = self.go(billiard(mu, v0, w0))
        u0 = v0 + np.cross(w0, [0, 0, -R])
        rolls, way = 2 * np.linalg.norm(u0) / (7 * mu * G), u0 / np.linalg.norm(u0)
        self.near(done.result["integration"]["events"][0]["t"], rolls, 1e-7)
        for k, name in enumerate("xy"):
            t = np.minimum(done.time, rolls)
            self.near(done.series[f"b.v{name}"], v0[k] - mu * G * t * way[k], 1e-7)
            self.near(done.series[f"b.{name}"], v0[k] * done.time - mu * G * way[k] * (t * t / 2 + t * (done.time - t)), 1e-7)
        self.near(done.series["b.omegaz"], w0[2] + 0 * done.time, 1e-9)
        self.near_energy(done)

    def test_a_ball_rolls_down_what_is_not_too_steep(self):
        """tan(tilt) <= 7/2 mu: friction 2/7 m g sin; steeper it slides, with m g mu cos, and a turn that is slower"""
        for tilt, slides in ((0.3, False), (0.8, True)):
            mu = 0.2
            done = self.go(billiard(mu, None, None, tilt))
            a = G * (math.sin(tilt) - mu * math.cos(tilt)) if slides else 5 / 7 * G * math.sin(tilt)
            turn = 5 * mu * G * math.cos(tilt) / (2 * R) if slides else a / R
            self.near(done.series["b.x"] - R * math.sin(tilt), a * done.time ** 2 / 2 * math.cos(tilt), 1e-7)
            self.near(done.series["wy"], turn * done.time, 1e-6)
            self.near(done.series["c.friction.x"], -(mu * M * G * math.cos(tilt) if slides else 2 / 7 * M * G * math.sin(tilt)) + 0 * done.time, 1e-9)
            self.assertEqual(self.events(done), [])

    def test_a_wheel_that_is_locked_slides_as_a_block(self):
        """whatever its heading: mu N against the velocity, longitudinal and lateral parts in one circle"""
        mu, v = 0.5, np.array([2.0, 1.0])
        for heading in (0.0, 0.7):
            model = cart({"coefficient": mu}, v, 0, heading, drives={"brake": {"coordinate": "axle.angle", "motion": "0"}})
            del model["initial"]["axle.angle'"]
            done = self.go(model)
            stops, t = np.linalg.norm(v) / (mu * G), np.minimum(done.time, np.linalg.norm(v) / (mu * G))
            self.near(done.result["integration"]["events"][0]["t"], stops, 1e-7)
            for k, name in enumerate("xy"):
                self.near(done.series[f"cart.{name}"], v[k] * t - mu * G * v[k] / np.linalg.norm(v) * t * t / 2, 1e-7)
            along = np.array([[math.cos(heading), math.sin(heading)], [-math.sin(heading), math.cos(heading)]]) @ (v / np.linalg.norm(v))
            self.near(done.series["tyre.friction.x"][0], -mu * 4 * G * along[0], 1e-9)
            self.near(done.series["tyre.friction.y"][0], -mu * 4 * G * along[1], 1e-9)
            self.near_energy(done)

    def test_a_wheel_spins_up_while_it_drifts(self):
        """4 v' = f, 0.04 w' = -0.3 f_x, f = -mu N u/|u|, u = (vx - 0.3 w, vy): by Runge-Kutta"""
        mu, v, spin, end = 0.5, [2.0, 1.0], -4.0, 0.15

        def f(y):
            u = np.array([y[0] - 0.3 * y[2], y[1]])
            force = -mu * 4 * G * u / np.linalg.norm(u)
            return np.array([force[0] / 4, force[1] / 4, -0.3 * force[0] / 0.04])
        done = self.go(cart({"coefficient": mu}, v, spin, motion={"from": 0, "to": end, "step": end / 2}))
        want = runge_kutta(f, np.array([*v, spin]), end, 4000)
        self.near([done.series[n][-1] for n in ("cart.vx", "cart.vy", "rim.omegay")], want, 1e-7)
        self.assertEqual(self.events(done), [])
        rolls = self.go(cart({"coefficient": mu}, v, spin))
        self.assertEqual(self.events(rolls), [("tyre", "stick")])
        self.near(rolls.series["rim.omegay"][-1] * 0.3, rolls.series["cart.vx"][-1], 1e-12)
        self.near_energy(rolls)

    def test_static_friction_holds_a_braked_wheel_for_ever(self):
        """4 kg on a slope of tan 0.25 with 0.3: at 1e4 s where it was; 0.2 gives way at once"""
        model = cart({"coefficient": 0.2, "static": 0.3}, (0, 0), 0, gravity=[-0.25 * G, 0, -G], drives={"brake": {"coordinate": "axle.angle", "motion": "0"}}, motion={"from": 0, "to": 1e4, "step": 2500})
        del model["initial"]
        done = self.go(model)
        for name in ("cart.x", "cart.y", "cart.vx", "rim.omegay"):
            self.near(done.series[name], 0 * done.time, 1e-30)        # rounding of 0
        self.near(done.series["tyre.friction.x"], G + 0 * done.time, 1e-9)
        model["joints"]["tyre"]["friction"]["static"] = 0.2
        model["motion"] = {"from": 0, "to": 1, "step": 0.25}
        self.near(self.go(model).series["cart.x"], -0.05 * G * np.arange(5) ** 2 / 32, 1e-8)

    def test_a_sledge_on_a_blade_skids_by_runge_kutta(self):
        """3 kg, 0.2 kg m^2, its blade 0.4 m ahead, 20 N on it: until the blade no longer slips; afterwards it is the blade that holds"""
        mu, N, end = 0.5, 20.0, 0.1

        def f(y):
            side = np.array([-math.sin(y[2]), math.cos(y[2])])
            slip = y[3] * side[0] + y[4] * side[1] + 0.4 * y[5]
            force = -mu * N * math.copysign(1, slip)
            return np.array([y[3], y[4], y[5], force * side[0] / 3, force * side[1] / 3, 0.4 * force / 0.2])
        for kind in ("knife-edge", "wheel"):
            model = {"roberval": 1, "space": "planar", "bodies": {"s": {"mass": 3, "inertia": 0.2, "markers": {"k": [0.4, 0]}}}, "motion": {"from": 0, "to": end, "step": end / 2},
                     "joints": {"k": {"type": kind, "between": ["ground", "s.k"], "friction": {"coefficient": mu, "normal": "20 N"}}}, "initial": {"x(s)'": 2, "y(s)'": 1, "angle(s)'": 0}}
            done = self.go(model)
            self.near([done.series[n][-1] for n in ("s.x", "s.y", "s.angle", "s.vx", "s.vy", "s.omega")], runge_kutta(f, np.array([0, 0, 0, 2.0, 1.0, 0]), end, 2000), 1e-8)
            self.near(done.series["k.Fy"], -mu * N + 0 * done.time, 1e-12)
            self.near(done.series["k.friction"], done.series["k.Fy"], 1e-14)
            self.assertEqual((done.marks["k.Fy"], done.marks["k.friction"]), ("unique", "unique"))
            longer = self.go(model, "--to", "1", "--step", "0.1")
            self.assertEqual(self.events(longer), [("k", "stick")])
            self.near_energy(longer)

    def test_plane_and_space_agree(self):
        """the sledge, and the same on a floor of space"""
        plane = {"roberval": 1, "space": "planar", "bodies": {"s": {"mass": 3, "inertia": 0.2, "markers": {"k": [0.4, 0]}}}, "motion": {"from": 0, "to": 1, "step": 0.125},
                 "joints": {"k": {"type": "knife-edge", "between": ["ground", "s.k"], "friction": {"coefficient": 0.5, "normal": 20}}}, "initial": {"x(s)'": 2, "y(s)'": 1, "angle(s)'": 0}}
        space = {**plane, "space": "spatial", "gravity": [0, 0, -G], "bodies": {"s": {"mass": 3, "inertia": [0.2, 0.2, 0.2], "markers": {"k": [0.4, 0, 0]}}},
                 "joints": {"floor": {"type": "planar", "between": ["ground", "s"]}, **plane["joints"]}, "initial": {"x(s)'": 2, "y(s)'": 1, "floor.rz'": 0}}
        one, two = self.go(plane), self.go(space)
        for a, b in (("s.x", "s.x"), ("s.y", "s.y"), ("s.omega", "s.omegaz"), ("k.friction", "k.friction"), ("k.Fy", "k.Fy")):
            self.near(one.series[a], two.series[b], 1e-6, a)
        self.near(one.result["integration"]["events"][0]["t"], two.result["integration"]["events"][0]["t"], 1e-8)

    def test_rates_that_are_not_given_are_those_that_roll(self):
        """a wheel of which only the speed is said rolls from the first; with its turn too, it slides"""
        model = cart({"coefficient": 0.5}, (2, 0), 0)
        del model["initial"]["y(cart)'"], model["initial"]["axle.angle'"]
        done = self.go(model)
        self.near(done.series["rim.omegay"], 2 / 0.3 + 0 * done.time, 1e-9)
        self.assertEqual(self.events(done), [])
        model["initial"]["axle.angle'"] = 2 / 0.3      # one too many, but no other than rolling
        self.near(self.go(model).series["rim.omegay"], 2 / 0.3 + 0 * done.time, 1e-9)

    def test_of_two_wheels_that_one_slides_that_must(self):
        """two carts side by side, one thrown without its wheel turning: the other one, of which only the speed is said, rolls; in either order"""
        one, two = cart({"coefficient": 0.5}, (2, 0), 0), cart({"coefficient": 0.5}, (2, 0), 0)
        bodies, joints = {"ground": one["bodies"]["ground"]}, {}
        for tag, model in (("a", one), ("b", two)):
            for name in ("cart", "rim"):
                bodies[name + tag] = {**model["bodies"][name], "pose": {"at": [0, 5 if tag == "a" else -5, 0.3]}}
            for name, joint in model["joints"].items():
                joints[name + tag] = {**joint, "between": [side.replace("cart", "cart" + tag).replace("rim", "rim" + tag) for side in joint["between"]]}
        start = {"x(carta)'": 2, "y(carta)'": 0, "axlea.angle'": 0, "x(cartb)'": 3}
        for order in (list(joints), list(reversed(joints))):
            done = self.go({**one, "bodies": bodies, "joints": {n: joints[n] for n in order}, "initial": start, "motion": {"from": 0, "to": 0.02, "step": 0.01}})
            self.near(done.series["rima.omegay"][0], 0, 1e-12)
            self.near(done.series["rimb.omegay"], 10 + 0 * done.time, 1e-9)
            self.near(done.series["tyrea.friction.x"], -0.5 * 4 * G + 0 * done.time, 1e-9)

    def test_inverse_rolls_and_says_where_it_would_slip(self):
        """a cart that is pulled with a = 2 t rolls on the friction 0.04/0.3^2 a = 0.889 t"""
        model = cart({"coefficient": 0.02, "static": 0.03}, (0, 0), 0, drives={"pull": {"coordinate": "x(cart)", "motion": "t^3/3"}, "aside": {"coordinate": "axle.angle", "motion": "t^3/0.9"}})
        del model["initial"], model["drives"]["aside"]
        model["motion"] = {"from": 0, "to": 2, "step": 0.25}
        done = self.ok(model, "inverse")
        need = 0.04 / 0.09 * 2 * done.time
        self.near(done.series["tyre.friction.x"], -need, 1e-9)
        self.near(done.series["pull.effort"], 4 * 2 * done.time + need, 1e-9)
        first = done.time[np.argmax(need > 0.03 * 4 * G)]
        self.assertIn(f"'tyre' needs a friction of {need[done.time == first][0]:.6g} N at t = {first:.6g} s, and no more than 1.1772 N is there", " ".join(done.result["notes"]))
        model["joints"]["tyre"]["friction"] = {"coefficient": 0.1}
        self.assertNotIn("slips", " ".join(self.ok(model, "inverse").result["notes"]))

    def test_hold_asks_what_a_wheel_can_hold(self):
        """a braked wheel against a pull across it: |(G, P)| <= mu 4 G on the slope of 0.25"""
        model = cart({"coefficient": 0.3}, (0, 0), 0, gravity=[-0.25 * G, 0, -G], drives={"brake": {"coordinate": "axle.angle", "motion": "0"}}, parameters={"P": "1 N"},
                     loads={"p": {"type": "force", "to": "cart", "value": [0, "P", 0]}})
        del model["initial"]
        hold = self.ok(model, "statics", "--hold", "P").result["hold"]
        most = math.sqrt((0.3 * 4 * G) ** 2 - G ** 2)
        self.near([hold["min"], hold["max"]], [-most, most], 1e-7)
        self.assertEqual(hold["at_limit"], ["tyre"])

    def test_ground_axes_and_other_units_say_the_same(self):
        model = cart({"coefficient": 0.5}, (2.0, 1.0), -4.0, 0.7)
        one = self.go(model)
        two = self.go(model, "--frame", "ground")
        c, s = math.cos(0.7), math.sin(0.7)
        f = np.array([one.series["tyre.friction.x"], one.series["tyre.friction.y"]])
        self.near(two.series["tyre.Fx"], c * f[0] - s * f[1], 1e-9)
        self.near(two.series["tyre.Fy"], s * f[0] + c * f[1], 1e-9)
        scaled = {**model, "units": {"force": "kN"}}
        self.near(self.go(scaled).series["tyre.friction.x"], f[0], 1e-12)

    def test_what_is_wrong_is_said(self):
        bodies = {"a": {"mass": 1, "inertia": 0.1}}
        for joint, word in (({"type": "knife-edge", "friction": {"coefficient": 0.1}}, "needs the load on it"), ({"type": "wheel", "friction": {"coefficient": 0.1, "normal": -1}}, "needs the load on it"),
                            ({"type": "slot", "friction": {"coefficient": 0.1, "normal": 3}}, "has no normal"), ({"type": "wheel", "friction": {"coefficient": 0.1, "normal": "3 m"}}, "force"),
                            ({"type": "knife-edge", "friction": {"coefficient": 0.2, "static": 0.1, "normal": 1}}, "no smaller")):
            done = cli.run_model({"roberval": 1, "space": "planar", "bodies": bodies, "joints": {"j": {**joint, "between": ["ground", "a"]}}}, "check")
            self.assertEqual(done.code, 2, joint)
            self.assertRegex(done.err, word)


RADII, APART, PRELOAD, ROUGH = (0.1, 0.2), 0.5, 100.0, 0.3


def most_pull(crossed=False):
    """2 T0 (e^(mu beta) - 1)/(e^(mu beta) + 1), beta the smaller angle of wrap"""
    reach = sum(RADII) if crossed else RADII[1] - RADII[0]
    beta = math.pi + (2 if crossed else -2) * math.asin(reach / APART)
    return 2 * PRELOAD * (math.exp(ROUGH * beta) - 1) / (math.exp(ROUGH * beta) + 1)


def drive_belt(space, brake, crossed=False, **more):
    """a motor turns the small pulley with 5 rad/s; the large one, 0.2 kg m^2, is braked"""
    flat = space == "planar"
    wheel = {"mass": 1, "inertia": 0.2 if flat else [0.3, 0.3, 0.2]}
    return {"roberval": 1, "space": space, "bodies": {"a": {**wheel, "pose": {"at": [0, 0] if flat else [0, 0, 0]}}, "b": {**wheel, "pose": {"at": [APART, 0] if flat else [APART, 0, 0]}}},
            "joints": {"A": {"type": "revolute", "between": ["ground", "a"]}, "B": {"type": "revolute", "between": ["ground", "b"], "at": [APART, 0] if flat else [APART, 0, 0]},
                       "belt": {"type": "belt", "between": ["a", "b"], "radii": list(RADII), "preload": PRELOAD, "crossed": crossed, "friction": {"coefficient": ROUGH}}},
            "drives": {"motor": {"coordinate": "A.angle", "motion": "5*t"}}, "parameters": {"P": "1 N.m"},
            "loads": {"brake": {"type": "torque", "to": "b", "value": brake if flat else [0, 0, brake]}}, "motion": {"from": 0, "to": 2, "step": 0.1}, **more}


class Belts(cli.Case):
    def test_a_belt_slips_where_euler_says_and_takes_hold_again(self):
        """a brake of 40 N m between 0.45 s and 1 s takes the pulley's speed from 2.5 down, and the slipping belt brings it back"""
        for space in ("planar", "spatial"):
            for crossed in (False, True):
                way, pull = -1 if crossed else 1, most_pull(crossed)
                done = self.ok(drive_belt(space, f"{-way}*if(t < 0.45[s], 2[N.m], if(t < 1[s], 40[N.m], 2[N.m]))", crossed), "simulate")
                slows, gains = (pull * RADII[1] - 40) / 0.2, (pull * RADII[1] - 2) / 0.2
                back = 1 - 0.55 * slows / gains
                rate = np.interp(done.time, [0, 0.45, 1, back, 2], [2.5, 2.5, 2.5 + 0.55 * slows, 2.5, 2.5])
                self.near(way * done.series["B.angle'"], rate, 1e-7)
                sure = (abs(done.time - 1) > 1e-3) & (done.time > 0)
                want = np.where((done.time > 0.45) & (done.time < back), pull, 2 / RADII[1])
                self.near(way * done.series["belt.F"][sure], want[sure], 1e-8)
                self.near(done.series["belt.friction"], done.series["belt.F"], 1e-12)
                events = [(e["name"], e["kind"]) for e in done.result["integration"]["events"]]
                self.assertEqual(events, [("belt", "slip"), ("belt", "stick")])
                self.near([e["t"] for e in done.result["integration"]["events"]], [0.45, back], 1e-8)
                self.assertLess(abs(done.result["integration"]["energy_error"]), 1e-7)
                self.assertEqual({done.marks[n] for n in ("belt.F", "belt.friction", "belt.Fx")}, {"unique"})

    def test_pulleys_that_start_otherwise_slip(self):
        model = drive_belt("planar", "0[N.m]", initial={"B.angle'": 0, "B.angle": 0})
        done = self.ok(model, "simulate", "--to", "0.1", "--step", "0.02")
        self.near(done.series["B.angle'"], np.minimum(most_pull() * RADII[1] / 0.2 * done.time, 2.5), 1e-8)

    def test_inverse_says_that_it_would_slip_and_hold_where(self):
        done = self.ok(drive_belt("planar", "-20[N.m/s]*t"), "inverse")
        first = done.time[np.argmax(100 * done.time > most_pull())]
        self.assertIn(f"'belt' needs a friction of {100 * first:.6g} N at t = {first:.6g} s, and no more than {most_pull():.6g} N is there", " ".join(done.result["notes"]))
        self.near(done.series["belt.F"], 100 * done.time, 1e-9)
        hold = self.ok(drive_belt("planar", "P"), "statics", "--hold", "P").result["hold"]
        self.near([hold["min"], hold["max"]], [-most_pull() * RADII[1], most_pull() * RADII[1]], 1e-8)

    def test_what_is_wrong_is_said(self):
        for change, word in (({"preload": 0}, "needs its preload"), ({"friction": {"coefficient": 0.2, "static": 0.3}}, "creeps"), ({"unilateral": True}, "only one of them")):
            model = drive_belt("planar", "0[N.m]")
            model["joints"]["belt"].update(change)
            done = cli.run_model(model, "check")
            self.assertEqual(done.code, 2, change)
            self.assertRegex(done.err, word)


if __name__ == "__main__":
    unittest.main()
