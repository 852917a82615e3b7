#!/usr/bin/python3
"""Rows on rates: knife edges, wheels and `velocity:` constraints, through the command line.

Sources: docs/joints.md (a planar wheel is a knife edge; reactions in the second marker's axes; a rolling speed is a `velocity:`
constraint), ranks of C = [Phi_q; Psi]; closed forms of a sled on a circle worked out here.

The sled: marker K at k in the body, its x turned by beta, theta = angle(sled) + beta, t = (cos, sin) theta, n = (-sin, cos) theta.
Speed u along t and yaw rate w: K runs on a circle, a_K = u' t + u w n.  The centroid lies at c = (c1, c2) in K's axes:
    a_G = (u' - w^2 c1 - w' c2) t + (u w + w' c1 - w^2 c2) n;   m a_G = effort_u t + Fy n;   J w' + c x m a_G = effort_w
(the speed program's gradient is a force t at K, its effort is one in N; the wheel pushes along n, the second marker's y).

Tolerances.  WAY = 1e-9: positions are integrated by the program; asked of it over several turns of order 1 m.  T9 = 1e-9 times the
largest force: one well conditioned linear solve at the reported state, whose integration error enters with a factor of order 1.
DIFF = 1e-6: fourth-order differences of columns at h = 2 ms leave h^4 ~ 1e-11 and rounding plus integration error over h, 1e-9/2e-3.
"""
import math
import os
import sys
import unittest

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "py"))
import cli              # noqa: E402
import rolling          # noqa: E402

WAY, T9, DIFF = 1e-9, 1e-9, 1e-6
INSTANT = {"from": 0, "to": 0, "step": 1}
CRITERIA = ((), ("--criterion", "ranks"), ("--criterion", "svd"), ("--criterion", "qr"))


def R(p):
    return np.array([[math.cos(p), -math.sin(p)], [math.sin(p), math.cos(p)]])


class Sled:
    """K at k, its x at beta; the body's frame at (x, y, p) at the start; centroid g in the body frame."""
    m, J = 3.0, 0.4

    def __init__(self, k=(0.0, 0.0), beta=0.0, g=(0.0, 0.0), start=(0.0, 0.0, 0.0)):
        self.k, self.beta, self.g, self.start = np.array(k), beta, np.array(g), start
        self.c = R(-beta) @ (self.g - self.k)                                 # the centroid from K in K's axes
        self.K0, self.th0 = np.array(start[:2]) + R(start[2]) @ self.k, start[2] + beta

    def along(self):
        b = f"(angle(sled) + {self.beta!r})"
        return f"x(sled.K)'*cos{b} + y(sled.K)'*sin{b}", f"y(sled.K)'*cos{b} - x(sled.K)'*sin{b}"

    def model(self, speed=None, yaw=None, kind="knife-edge", **more):
        t, n = self.along()
        m = {"roberval": 1, "space": "planar",
             "bodies": {"sled": {"mass": self.m, "inertia": self.J, "centroid": [float(x) for x in self.g],
                                 "pose": {"at": [float(x) for x in self.start[:2]], "angle": self.start[2]},
                                 "markers": {"K": {"at": [float(x) for x in self.k], "angle": self.beta}}}},
             "joints": {}, "constraints": {}, "drives": {}}
        if kind == "velocity":
            m["constraints"]["W"] = {"velocity": n}
        elif kind:
            m["joints"]["W"] = {"type": kind, "between": ["ground", "sled.K"]}
        if speed is not None:
            m["constraints"]["push"] = {"velocity": f"{t} - ({speed})"}
        if yaw is not None:
            m["drives"]["yaw"] = {"coordinate": "angle(sled)", "motion": yaw}
        m["output"] = {"Kx": "x(sled.K)", "Ky": "y(sled.K)", **rolling.accelerations(m)}
        m.update(more)
        return {k: v for k, v in m.items() if v != {}}

    def circle(self, t, u, w):
        th = self.th0 + w * t
        return np.array([self.K0[0] + u / w * (np.sin(th) - math.sin(self.th0)), self.K0[1] - u / w * (np.cos(th) - math.cos(self.th0))])

    def forces(self, u, du, w, dw):
        """Fy, effort of the speed program, effort of the yaw drive"""
        c1, c2 = self.c
        at, an = du - w * w * c1 - dw * c2, u * w + dw * c1 - w * w * c2
        return self.m * an, self.m * at, self.J * dw + self.m * (c1 * an - c2 * at)


SLEDS = {"centred": Sled(), "centroid ahead": Sled(g=(.3, 0)), "centroid aside": Sled(g=(0, .2)),
         "all askew": Sled(k=(.1, -.2), beta=.7, g=(-.15, .25), start=(1.5, -.5, 2.0))}


class Circle(cli.Case):
    def test_five_turns(self):
        u, w = .8, 1.7
        motion = {"from": 0, "to": 5 * 2 * math.pi / w, "step": .05}
        for name, sled in SLEDS.items():
            for kind in ("knife-edge", "wheel"):
                with self.subTest(name, kind=kind):
                    done = self.ok(sled.model(repr(u), f"{sled.start[2]!r} + {w!r}*t", kind, motion=motion))
                    x, y = sled.circle(done.time, u, w)
                    self.column(done, "Kx", x, WAY)
                    self.column(done, "Ky", y, WAY)
                    self.column(done, "sled.angle", sled.start[2] + w * done.time, WAY)
                    self.near([x[-1], y[-1]], sled.K0, 1e-9, "the circle closes")
                    Fy, push, yaw = sled.forces(u, 0, w, 0)
                    self.column(done, "W.Fy", Fy, T9 * 10)
                    self.column(done, "push.effort", push, T9 * 10)
                    self.column(done, "yaw.effort", yaw, T9 * 10)
                    self.column(done, "W.Fx", 0, 0)
                    self.column(done, "W.Tz", 0, 0)
                    self.assertEqual([done.marks[f"W.{c}"] for c in ("Fx", "Fy", "Tz")], ["free", "unique", "free"])
                    r = done.result["reactions"]["W"]
                    self.assertEqual((r["on"], r["by"], r["verdict"], r["type"]), ("sled", "ground", "unique", kind))

    def test_signs_in_the_simplest_case(self):
        """forward along x at 1 m/s, turning left at 2 rad/s, 3 kg: the ground pushes to the left with 6 N"""
        done = self.ok(Sled().model("1", "2*t", motion=INSTANT))
        self.column(done, "W.Fy", 6.0, T9)
        done = self.ok(Sled().model("1", "-2*t", motion=INSTANT))
        self.column(done, "W.Fy", -6.0, T9)

    def test_ground_axes(self):
        u, w, sled = .8, 1.7, SLEDS["all askew"]
        model = sled.model(repr(u), f"2 + {w!r}*t", motion={"from": 0, "to": 3, "step": .1})
        a, b = self.ok(model), self.ok(model, "inverse", "--frame", "ground")
        th = a.series["sled.angle"] + sled.beta
        self.near(b.series["W.Fx"], -np.sin(th) * a.series["W.Fy"], T9 * 10, "Fx")
        self.near(b.series["W.Fy"], np.cos(th) * a.series["W.Fy"], T9 * 10, "Fy")
        self.column(b, "W.Tz", 0, 1e-12)
        self.assertEqual(b.result["reactions"]["W"]["verdict"], "unique")

    def test_kinematics_needs_no_masses(self):
        u, w, sled = .8, 1.7, SLEDS["all askew"]
        model = sled.model(repr(u), f"2 + {w!r}*t", motion={"from": 0, "to": 8, "step": .1})
        del model["bodies"]["sled"]["mass"], model["bodies"]["sled"]["inertia"], model["bodies"]["sled"]["centroid"]
        done = self.ok(model, "kinematics")
        x, y = sled.circle(done.time, u, w)
        self.column(done, "Kx", x, WAY)
        self.column(done, "Ky", y, WAY)
        th = sled.th0 + w * done.time
        self.near(done.series["V0_sled"] - w * (y - done.series["sled.y"]), u * np.cos(th), 1e-8, "velocity of K")      # v_0 + w x r

    def test_velocity_row_is_the_knife_edge(self):
        """the same row written out: same motion, same effort; three times the row: a third of the effort"""
        u, w = .8, 1.7
        for name, sled in SLEDS.items():
            with self.subTest(name):
                motion = {"from": 0, "to": 4, "step": .1}
                model = lambda kind: sled.model(f"{u!r} + 0.3*t", f"{sled.start[2]!r} + {w!r}*t + 0.2*t^2", kind, motion=motion)
                a, b = self.ok(model("knife-edge")), self.ok(model("velocity"))
                triple = model("velocity")
                triple["constraints"]["W"]["velocity"] = f"3*({sled.along()[1]})"
                c = self.ok(triple)
                t = a.time
                Fy, push, yaw = sled.forces(u + .3 * t, .3, w + .4 * t, .4)
                for done, key, factor in ((a, "W.Fy", 1), (b, "W.effort", 1), (c, "W.effort", 1 / 3)):
                    self.column(done, key, Fy * factor, T9 * 100)
                    self.column(done, "push.effort", push, T9 * 100)
                    self.column(done, "yaw.effort", yaw, T9 * 100)
                    for k in ("sled.x", "sled.y", "sled.angle"):
                        self.near(done.series[k], a.series[k], WAY, k)
                self.assertEqual(b.result["constraints"]["W"]["verdict"], "unique")

    def test_step_of_samples_and_units_do_not_matter(self):
        sled = SLEDS["all askew"]
        model = sled.model("0.8 + 0.3*sin(3*t)", "2 + 1.7*t + 0.5*cos(2*t) - 0.5", motion={"from": 0, "to": 6, "step": .01})
        a = self.ok(model)
        b = self.ok(model, "inverse", "--step", "3")
        for k in ("sled.x", "sled.y", "W.Fy", "push.effort"):
            self.near(b.series[k], a.series[k][::300], 1e-8, k)
        mm = {**model, "units": {"length": "mm", "angle": "deg"}}
        body = mm["bodies"]["sled"] = dict(model["bodies"]["sled"])
        body["centroid"] = [1e3 * x for x in body["centroid"]]
        body["pose"] = {"at": [1e3 * x for x in body["pose"]["at"]], "angle": math.degrees(body["pose"]["angle"])}
        body["markers"] = {"K": {"at": [1e3 * x for x in body["markers"]["K"]["at"]], "angle": math.degrees(sled.beta)}}
        body["inertia"] = f"{sled.J!r} kg.m^2"
        c = self.ok(mm, "inverse", "--step", "0.1")
        for k in ("sled.x", "sled.y", "sled.angle", "W.Fy", "push.effort", "yaw.effort"):
            self.near(c.series[k], a.series[k][::10], 1e-8, f"mm {k}")

    def test_unit_literals_in_the_row(self):
        sled, motion = Sled(), {"from": 0, "to": 2, "step": .1}
        a = self.ok(sled.model("0.5", "0.3*t", motion=motion))
        b = self.ok(sled.model("v + 0[mm/s]", "w*t", motion=motion, parameters={"v": "500 mm/s", "w": "0.3 rad/s"}))
        c = self.ok(sled.model("0.5[m/s] + 0*t", "0.3[rad/s]*t", motion=motion))
        for done in (b, c):
            for k in ("Kx", "Ky", "W.Fy"):
                self.near(done.series[k], a.series[k], WAY, k)


class Rest(cli.Case):
    """initial conditions: what is free on position level though nothing is on velocity level"""

    def test_position_conditions(self):
        u, w = .8, 1.7
        sled = SLEDS["all askew"]
        motion = {"from": 0, "to": 4, "step": .1}
        for keys in (("x(sled.K)", "y(sled.K)"), ("x(sled)", "y(sled)"), ("x(sled.K)", "y(sled)")):
            with self.subTest(keys):
                # at angle 2 the frame's origin lies R(2) k before K
                K0 = np.array([7.0, -3.0])
                frame = K0 - R(2.0) @ sled.k
                have = {"x(sled.K)": K0[0], "y(sled.K)": K0[1], "x(sled)": frame[0], "y(sled)": frame[1]}
                done = self.ok(sled.model(repr(u), f"2 + {w!r}*t", motion=motion, initial={k: float(have[k]) for k in keys}))
                th = sled.th0 + w * done.time
                self.column(done, "Kx", K0[0] + u / w * (np.sin(th) - math.sin(sled.th0)), WAY)
                self.column(done, "Ky", K0[1] - u / w * (np.cos(th) - math.cos(sled.th0)), WAY)

    def test_missing_ones_are_completed_from_the_poses_and_said(self):
        sled = SLEDS["all askew"]
        for initial, missing in (({}, ("x(sled", "y(sled")), ({"x(sled.K)": 7.0}, ("y(sled",))):
            with self.subTest(missing):
                model = sled.model("0.8", "2 + 1.7*t", motion=INSTANT, initial=initial)
                done = self.ok(model, "inverse", quiet=False)
                self.near(done.series["Ky"][0], sled.K0[1], 1e-9, "Ky stays")
                self.near(done.series["Kx"][0], initial.get("x(sled.K)", sled.K0[0]), 1e-9, "Kx")
                notes = str(done.result["notes"])
                for name in missing:
                    self.assertIn(name, notes)
                if initial:
                    self.assertNotIn("x(sled)", notes)

    def test_complete_conditions_need_no_note(self):
        model = SLEDS["all askew"].model("0.8", "2 + 1.7*t", motion=INSTANT, initial={"x(sled.K)": 1.0, "y(sled.K)": 2.0})
        done = self.ok(model)
        self.assertFalse([n for n in map(str, done.result["notes"]) if "initial" in n], done.result["notes"])

    def test_the_start_lies_at_from(self):
        """conditions hold at motion's from, not at zero"""
        done = self.ok(Sled().model("1", "2*t", motion={"from": 3, "to": 4, "step": .1}, initial={"x(sled.K)": 1.0, "y(sled.K)": 2.0}))
        self.near([done.series["Kx"][0], done.series["Ky"][0]], [1, 2], 1e-12, "start")
        th = 2 * done.time
        self.column(done, "Kx", 1 + .5 * (np.sin(th) - math.sin(6)), WAY)

    def test_too_many_or_contradictory_ones(self):
        """nothing is free on velocity level, and only two coordinates on position level"""
        for initial in ({"x(sled.K)": 1, "y(sled.K)": 2, "x(sled)": 5}, {"x(sled.K)": 1, "y(sled.K)": 2, "angle(sled)": 1},
                        {"x(sled.K)": 1, "y(sled.K)": 2, "x(sled.K)'": 9}):
            with self.subTest(list(initial)):
                done = cli.run_model(Sled().model("1", "2*t", motion=INSTANT, initial=initial))
                self.assertEqual(done.code, 2, done.said())
                self.assertTrue(any(k in done.err for k in initial), done.err)


class Programs(cli.Case):
    """`velocity:` rows that depend on time and are not linear in the rates"""

    def test_speed_programs(self):
        """a sled whose speed is S = 1 + t/10 and whose direction turns at w: closed form of its way, m S' along, m S w across;
        sqrt(v.v) - S pushes with its effort in N; v.v - S^2 has the gradient 2 v, so its effort is m S'/(2 S).
        Either sense of running along the line obeys the row: the first sample tells which one the program took."""
        w, motion = .9, {"from": 0, "to": 3, "step": .1}
        v2 = "x(sled.K)'^2 + y(sled.K)'^2"
        for name, row, scale in (("root", f"sqrt({v2}) - (1 + 0.1*t)", lambda S: 1.0),
                                 ("square", f"{v2} - (1 + 0.1*t)^2", lambda S: 2 * S)):
            with self.subTest(name):
                model = Sled().model(None, f"{w!r}*t", motion=motion)
                model["constraints"] = {"pace": {"velocity": row}}
                done = self.ok(model)
                s, t = done.series, done.time
                S, th = 1 + .1 * t, w * t
                way = lambda f: f - f[0]
                sense = math.copysign(1, s["V0_sled"][0])
                self.near(s["Kx"], sense * way(S * np.sin(th) / w + .1 * np.cos(th) / w**2), WAY, "Kx")
                self.near(s["Ky"], sense * way(-S * np.cos(th) / w + .1 * np.sin(th) / w**2), WAY, "Ky")
                self.column(done, "W.Fy", sense * 3 * S * w, T9 * 10)
                self.column(done, "pace.effort", 3 * .1 / scale(S), T9 * 10)
                self.column(done, "yaw.effort", 0.0, T9 * 10)

    def test_a_particle_without_any_joint(self):
        """its direction by a row linear in the rates, its speed by one that is not"""
        v2 = "x(puck)'^2 + y(puck)'^2"
        model = {"roberval": 1, "space": "planar", "gravity": [0, -9.81],
                 "bodies": {"puck": {"particle": True, "mass": 2, "pose": {"at": [1, 2]}}},
                 "constraints": {"aim": {"velocity": "y(puck)'*cos(0.7*t) - x(puck)'*sin(0.7*t)"},
                                 "pace": {"velocity": f"sqrt({v2}) - (1 + 0.1*t)"}},
                 "output": {"vx": "x(puck)'", "vy": "y(puck)'", "ax": "x(puck)''", "ay": "y(puck)''"},
                 "motion": {"from": 0, "to": 3, "step": .1}}
        done = self.ok(model)
        s, t = done.series, done.time
        mob = done.result["mobility"]
        self.assertEqual([mob[k] for k in ("coordinates", "rows", "rank", "degrees_of_freedom", "degrees_of_freedom_position", "gruebler")],
                         [2, 2, 2, 0, 2, 0])
        S, th = 1 + .1 * t, .7 * t
        sense = math.copysign(1, s["vx"][0])
        self.column(done, "vx", sense * S * np.cos(th), WAY)
        self.column(done, "vy", sense * S * np.sin(th), WAY)
        ax, ay = sense * (.1 * np.cos(th) - .7 * S * np.sin(th)), sense * (.1 * np.sin(th) + .7 * S * np.cos(th))
        self.column(done, "ax", ax, T9 * 10)
        self.column(done, "ay", ay, T9 * 10)
        fx, fy = 2 * ax, 2 * ay + 2 * 9.81
        self.column(done, "aim.effort", fy * np.cos(th) - fx * np.sin(th), T9 * 100)
        self.column(done, "pace.effort", sense * (fx * np.cos(th) + fy * np.sin(th)), T9 * 100)

    def test_rates_of_joint_coordinates(self):
        """a velocity row on a joint's rate is the drive with the integrated motion, its effort the motor's"""
        base = {"roberval": 1, "space": "planar", "gravity": [0, -9.81],
                "bodies": {"rod": {"mass": 2, "inertia": .1, "centroid": [.4, 0], "pose": {"at": [0, 0], "angle": .3}}},
                "joints": {"pin": {"type": "revolute", "between": ["ground", "rod"]}}, "motion": {"from": 0, "to": 3, "step": .1},
                "output": {"alpha": "pin.angle''"}}
        row = {**base, "constraints": {"motor": {"velocity": "pin.angle' - (2*cos(3*t) + 0.5)"}}}
        drive = {**base, "drives": {"motor": {"coordinate": "pin.angle", "motion": "0.3 + 2/3*sin(3*t) + 0.5*t"}}}
        a, b = self.ok(row), self.ok(drive)
        for k in ("rod.angle", "pin.Fx", "pin.Fy", "motor.effort", "alpha"):
            self.near(a.series[k], b.series[k], 1e-8, k)
        ma, mb = a.result["mobility"], b.result["mobility"]
        self.assertEqual((ma["degrees_of_freedom"], ma["degrees_of_freedom_position"]), (0, 1))
        self.assertEqual((mb["degrees_of_freedom"], mb["degrees_of_freedom_position"]), (0, 0))

    def test_products_of_rates_and_coordinates(self):
        """x' = k y, y' = -k x: a circle about the origin without any drive or angle"""
        model = {"roberval": 1, "space": "planar", "bodies": {"puck": {"particle": True, "mass": 2, "pose": {"at": [1, 0]}}},
                 "constraints": {"a": {"velocity": "x(puck)' - 2*y(puck)"}, "b": {"velocity": "y(puck)' + 2*x(puck)"}},
                 "motion": {"from": 0, "to": 20, "step": .5}}
        done = self.ok(model)
        self.column(done, "puck.x", np.cos(2 * done.time), WAY * 10)
        self.column(done, "puck.y", -np.sin(2 * done.time), WAY * 10)
        self.column(done, "a.effort", -8 * np.cos(2 * done.time), 1e-8)

    def test_a_table_in_the_row(self):
        """the speed from a table whose points lie on a line"""
        sled = Sled()
        model = sled.model("pace(t)", "0.6*t", motion={"from": 0, "to": 2, "step": .1},
                           tables={"pace": {"file": "p.csv", "x": "time", "y": "speed"}})
        text = "time [s],speed [km/h]\n" + "".join(f"{t / 2},{3.6 * (1 + .1 * t / 2)!r}\n" for t in range(7))
        done = self.ok(model, files={"p.csv": text})
        S, th = 1 + .1 * done.time, .6 * done.time
        way = lambda f: f - f[0]
        self.column(done, "Kx", way(S * np.sin(th) / .6 + .1 * np.cos(th) / .36), WAY)
        self.column(done, "push.effort", .3, 1e-8)


class Freedoms(cli.Case):
    """degrees of freedom on both levels, ranks and verdicts, by each criterion"""

    def mobility(self, model, *flags):
        done, doc = cli.check(model, *flags)
        self.assertEqual(done.code, 0, done.said())
        m = doc["mobility"]
        return [m[k] for k in ("coordinates", "rows", "rank", "redundant", "degrees_of_freedom", "degrees_of_freedom_position",
                               "gruebler")], doc

    def test_counts(self):
        s = SLEDS["all askew"]
        for model, want in ((s.model(), [3, 1, 1, 0, 2, 3, 2]), (s.model(None, "2+t"), [3, 2, 2, 0, 1, 2, 2]),
                            (s.model("1", None), [3, 2, 2, 0, 1, 3, 1]), (s.model("1", "2+t"), [3, 3, 3, 0, 0, 2, 1]),
                            (s.model(None, None, "velocity"), [3, 1, 1, 0, 2, 3, 2])):
            for flags in CRITERIA:
                with self.subTest(want, flags=flags):
                    self.assertEqual(self.mobility(model, *flags)[0], want)

    def axle(self, *markers):
        """knife edges (x, y, angle) on one body, in the body's frame"""
        m = Sled().model("1", "0.7*t" if len({x for x, y, p in markers}) == 1 else None)
        m["bodies"]["sled"]["markers"].update({f"P{k}": {"at": [x, y], "angle": p} for k, (x, y, p) in enumerate(markers)})
        m["joints"] = {f"W{k}": {"type": "knife-edge", "between": ["ground", f"sled.P{k}"]} for k in range(len(markers))}
        return m

    def test_two_on_one_axle(self):
        """the same row twice, wherever along the axle: one redundant, both not unique, shared alike by least norm, their sum m u w"""
        for n in (2, 3):
            m = self.axle(*[(0, y, 0) for y in (-.4, .3, 1.1)[:n]])
            for flags in CRITERIA:
                got, doc = self.mobility(m, *flags)
                self.assertEqual(got, [3, n + 2, 3, n - 1, 0, 2, 2 - n], f"{n} {flags}")
                self.assertEqual([doc["reactions"][j]["verdict"] for j in doc["reactions"]], ["not unique"] * n)
                self.assertEqual(len(doc["self_stress"]), n - 1)
            done = self.ok({**m, "motion": {"from": 0, "to": 2, "step": .2}})
            for k in range(n):
                self.column(done, f"W{k}.Fy", 3 * .7 / n, T9 * 10)
                self.assertEqual(done.marks[f"W{k}.Fy"], "not unique")
                self.assertEqual(done.marks[f"W{k}.Fx"], "free")
            self.assertEqual(done.result["drives"]["yaw"]["verdict"], "unique")
            self.assertEqual(done.result["constraints"]["push"]["verdict"], "unique")

    def test_two_in_line_lock_the_heading(self):
        """parallel edges one behind the other: no yaw, both unique; the body runs straight"""
        m = self.axle((0, 0, 0), (.5, .2, 0))
        got, doc = self.mobility(m)
        self.assertEqual(got, [3, 3, 3, 0, 0, 3, 0])
        self.assertEqual([r["verdict"] for r in doc["reactions"].values()], ["unique"] * 2)
        done = self.ok({**m, "motion": {"from": 0, "to": 2, "step": .2}, "initial": {"x(sled)": 0, "y(sled)": 0, "angle(sled)": .4},
                        "gravity": [0, -2]})
        self.column(done, "sled.x", math.cos(.4) * done.time, WAY)
        self.column(done, "sled.angle", .4, WAY)
        # weight at the frame's origin: across 6 cos(.4) at W0 alone, W1 would turn the body
        self.column(done, "W0.Fy", 6 * math.cos(.4), T9 * 10)
        self.column(done, "W1.Fy", 0.0, T9 * 10)

    def test_skew_edges_turn_about_their_centre(self):
        """normals meet in one point: the body turns about it; three that meet there are one too many"""
        m = self.axle((0, 1, 0), (1, 0, -math.pi / 2))
        m.pop("constraints")
        m["drives"] = {"yaw": {"coordinate": "angle(sled)", "motion": "0.5*t"}}
        got, doc = self.mobility(m)
        self.assertEqual(got, [3, 3, 3, 0, 0, 2, 1])
        done = self.ok({**m, "motion": {"from": 0, "to": 5, "step": .5}})
        self.column(done, "sled.x", 0.0, WAY)
        self.column(done, "sled.y", 0.0, WAY)
        three = self.axle((0, 1, 0), (1, 0, -math.pi / 2), (.6, .8, math.atan2(-.6, .8)))
        three.pop("constraints")
        three["drives"] = m["drives"]
        got, doc = self.mobility(three)
        self.assertEqual(got, [3, 4, 3, 1, 0, 2, 0])
        self.assertEqual({r["verdict"] for r in doc["reactions"].values()}, {"not unique"})

    def test_two_of_one_axle_with_compliances(self):
        """shares as the stiffness"""
        m = self.axle((0, -.4, 0), (0, .3, 0))
        m["motion"] = INSTANT
        for k, c in enumerate(("1e-5 m/N", "3e-5 m/N")):
            m["joints"][f"W{k}"]["compliance"] = {"y": c}
        done = self.ok(m)
        self.column(done, "W0.Fy", 3 * .7 * .75, T9)
        self.column(done, "W1.Fy", 3 * .7 * .25, T9)
        self.assertEqual(done.marks["W0.Fy"], "compliance")

    def test_two_of_one_axle_with_one_left_out(self):
        m = {**self.axle((0, -.4, 0), (0, .3, 0)), "motion": INSTANT}
        for out, other in (("W0", "W1"), ("W1", "W0")):
            done = self.ok(m, "inverse", "--redundant", f"eliminate={out}.Fy")
            self.column(done, f"{out}.Fy", 0.0, 0.0)
            self.column(done, f"{other}.Fy", 3 * .7, T9)
            self.assertEqual([done.marks[f"W{k}.Fy"] for k in (0, 1)], ["not unique"] * 2)


class Balance(cli.Case):
    """Newton and Euler from the printed numbers, power, and the oracle of test/py/rolling.py at the reported poses"""

    @staticmethod
    def train(n, seed):
        """a tractor steered by its yaw, n trailers hinged one to the next, each with a knife edge or wheel of its own; loads and weight"""
        rng = np.random.default_rng([n, seed])
        r = lambda lo, hi: float(rng.uniform(lo, hi))
        beta = r(-.4, .4)
        bodies = {"tractor": {"mass": r(1, 4), "inertia": r(.05, .5), "centroid": [r(-.2, .2), r(-.2, .2)],
                              "pose": {"at": [r(-1, 1), r(-1, 1)], "angle": r(-3, 3)},
                              "markers": {"K": {"at": [r(-.2, .2), r(-.1, .1)], "angle": beta}, "hitch": [r(-.5, -.3), r(-.1, .1)]}}}
        joints = {"W0": {"type": "knife-edge", "between": ["ground", "tractor.K"]}}
        before, p = "tractor", bodies["tractor"]["pose"]
        for k in range(1, n + 1):
            h = np.array(p["at"]) + R(p["angle"]) @ bodies[before]["markers"]["hitch"]
            angle, eye = p["angle"] + r(-.5, .5), np.array([r(.4, .7), r(-.05, .05)])
            at = h - R(angle) @ eye
            bodies[f"trailer{k}"] = p_ = {
                "mass": r(1, 4), "inertia": r(.05, .5), "centroid": [r(-.2, .2), r(-.2, .2)],
                "pose": {"at": [float(x) for x in at], "angle": angle},
                "markers": {"eye": [float(x) for x in eye], "hitch": [r(-.4, -.2), 0.0],
                            "K": {"at": [r(-.2, 0), r(-.1, .1)], "angle": r(-.1, .1)}}}
            joints[f"H{k}"] = {"type": "revolute", "between": [f"{before}.hitch", f"trailer{k}.eye"]}
            joints[f"W{k}"] = {"type": ("wheel", "knife-edge")[k % 2], "between": ["ground", f"trailer{k}.K"]}
            before, p = f"trailer{k}", p_["pose"]
        b = f"(angle(tractor) + {beta!r})"
        u, w, p0 = r(.5, 1), (r(.3, .8), r(.2, .4), r(1, 3)), bodies["tractor"]["pose"]["angle"]
        model = {"roberval": 1, "space": "planar", "gravity": [r(-3, 3), r(-9, 9)], "bodies": bodies, "joints": joints,
                 "constraints": {"push": {"velocity": f"x(tractor.K)'*cos{b} + y(tractor.K)'*sin{b} - ({u!r} + 0.3*sin(2*t))"}},
                 "drives": {"yaw": {"coordinate": "angle(tractor)", "motion": f"{p0!r} + {w[0]!r}*t + {w[1]!r}*sin({w[2]!r}*t)"}},
                 "loads": {"pull": {"type": "force", "to": f"{before}.hitch", "value": [r(-9, 9), f"{r(-9, 9)!r}*cos(3*t)"],
                                    "frame": "body"},
                           "twist": {"type": "torque", "to": before, "value": r(-3, 3)}},
                 "motion": {"from": 0, "to": 2, "step": .1}}
        model["output"] = rolling.accelerations(model)
        return model, (u, w, beta)

    @staticmethod
    def way(model, given, times):
        """the train's poses by its own kinematics: heading in closed form, K by the speed, each trailer by its knife edge"""
        u, w, beta = given
        bodies, names = model["bodies"], list(model["bodies"])
        p0 = bodies["tractor"]["pose"]["angle"]
        cross = lambda r: np.array([-r[1], r[0]])

        def local(b, m):
            m = bodies[b]["markers"][m]
            return np.array(m["at"] if isinstance(m, dict) else m)

        def f(t, y):
            p, dp = p0 + w[0] * t + w[1] * math.sin(w[2] * t), w[0] + w[1] * w[2] * math.cos(w[2] * t)
            speed = u + .3 * math.sin(2 * t)
            vK = speed * np.array([math.cos(p + beta), math.sin(p + beta)])
            hitch = vK + dp * cross(R(p) @ (local("tractor", "hitch") - local("tractor", "K")))
            out = [*vK]
            for k, b in enumerate(names[1:]):
                psi = y[2 + k]
                tilt = psi + bodies[b]["markers"]["K"]["angle"]
                n = np.array([-math.sin(tilt), math.cos(tilt)])
                rate = -(n @ hitch) / (n @ cross(R(psi) @ (local(b, "K") - local(b, "eye"))))
                out.append(rate)
                hitch = hitch + rate * cross(R(psi) @ (local(b, "hitch") - local(b, "eye")))
            return np.array(out)
        p = bodies["tractor"]["pose"]
        start = np.array(p["at"]) + R(p["angle"]) @ local("tractor", "K")
        return rolling.runge_kutta(f, [*start, *[bodies[b]["pose"]["angle"] for b in names[1:]]], times, 2e-3)

    def trains(self):
        for n in (0, 1, 2, 3):
            for seed in range(2):
                yield n, seed, *self.train(n, seed)

    @cli.long
    def test_way_of_trains(self):
        for n, seed, model, given in self.trains():
            with self.subTest(trailers=n, seed=seed):
                done = self.ok(model, "kinematics", quiet=True)
                want = self.way(model, given, done.time)
                K = model["bodies"]["tractor"]["markers"]["K"]["at"]
                p = done.series["tractor.angle"]
                self.near(done.series["tractor.x"] + np.cos(p) * K[0] - np.sin(p) * K[1], want[:, 0], 1e-8, "K.x")
                self.near(done.series["tractor.y"] + np.sin(p) * K[0] + np.cos(p) * K[1], want[:, 1], 1e-8, "K.y")
                for k in range(1, n + 1):
                    self.near(done.series[f"trailer{k}.angle"], want[:, 1 + k], 1e-8, f"trailer {k}")
                mob = done.result["mobility"]
                got = [mob[k] for k in ("degrees_of_freedom", "degrees_of_freedom_position", "redundant", "gruebler")]
                self.assertEqual(got, [0, 2 + n, 0, 1])

    @cli.long
    def test_forces_of_trains(self):
        """every body by itself, the oracle's reactions, and the power: edges do no work"""
        for n, seed, model, given in self.trains():
            with self.subTest(trailers=n, seed=seed):
                mech = rolling.Rolling(model)
                done = self.ok(model, "inverse", "--frame", "ground")
                s, (u, w, _) = done.series, given
                worst, size = rolling.balance(mech, s, done.time)
                self.near(worst, 0.0, T9 * size, "Newton and Euler")
                for i in (0, 7, 20):
                    t = done.time[i]
                    q = mech.poses(s, i)
                    v = mech.velocity_from(q, np.zeros(mech.n), t)
                    a = mech.acceleration_at(q, v, t)
                    for key, x in mech.answer(q, v, a, t, "ground")["values"].items():
                        self.near(s[key][i], x, T9 * 10 * size, f"{key} at {t}")
                for i, t in enumerate(done.time):
                    q, v, a = rolling.reported(mech, s, i)
                    power = s["push.effort"][i] * (u + .3 * math.sin(2 * t)) + mech.applied(q, v, t) @ v
                    power += s["yaw.effort"][i] * (w[0] + w[1] * w[2] * math.cos(w[2] * t))
                    rate = mech.inertia_wrench(q, v, a) @ v
                    self.near(power, rate, T9 * 10 * max(1, size), f"power at {t}")
                audit = done.result["audit"]
                for key in ("max_force_imbalance", "max_torque_imbalance", "max_power_imbalance"):
                    self.assertLess(audit[key], T9 * 10 * size, key)
                self.assertLess(audit["max_constraint_error"], 1e-9)

    def test_kinetic_energy_over_a_run(self):
        """the work of the efforts, summed by Simpson's rule, is the change of the kinetic energy: no rate, no second rate is used but v"""
        model, (u, w, _) = self.train(2, 5)
        for k in ("gravity", "loads"):
            model.pop(k)
        model["motion"] = {"from": 0, "to": 2, "step": .005}
        done = self.ok(model)
        mech, s, t = rolling.Rolling(model), done.series, done.time
        P = s["push.effort"] * (u + .3 * np.sin(2 * t)) + s["yaw.effort"] * (w[0] + w[1] * w[2] * np.cos(w[2] * t))
        h = t[1] - t[0]
        work = h / 3 * (P[0] + P[-1] + 4 * P[1:-1:2].sum() + 2 * P[2:-1:2].sum())
        E = [mech.kinetic_energy(*rolling.reported(mech, s, i)[:2]) for i in (0, -1)]
        self.near(work, E[1] - E[0], 1e-7, "work")                             # h^4 times fourth derivatives of some 100, over 180

    def test_methods_agree(self):
        model, _ = self.train(2, 1)
        a, b = self.ok(model), self.ok(model, "inverse", "--method", "lagrange")
        for k in a.series:
            self.near(b.series[k], a.series[k], 1e-8, k)

    def test_order_does_not_matter(self):
        model, _ = self.train(3, 1)
        a = self.ok(model)
        other = {**model, **{k: dict(reversed(model[k].items())) for k in ("bodies", "joints", "loads")}}
        b = self.ok(other)
        for k in a.series:
            self.near(b.series[k], a.series[k], 1e-8, k)


class Moving(cli.Case):
    """a cart that skates on a turning plate"""
    OMEGA, SPIN, U = .9, 1.6, .4

    def model(self, swapped=False, **more):
        rel = ("((x(cart.K)' + angle(plate)'*y(cart.K))*cos(angle(cart)) + (y(cart.K)' - angle(plate)'*x(cart.K))*sin(angle(cart)))")
        m = {"roberval": 1, "space": "planar", "gravity": [0, -9.81],
             "bodies": {"plate": {"mass": 8, "inertia": 1.5, "centroid": [.1, .05], "pose": {"at": [0, 0], "angle": .2},
                                  "markers": {"P": {"at": [.3, .4], "angle": .5}}},
                        "cart": {"mass": 2, "inertia": .1, "centroid": [.05, -.1], "pose": {"at": [.5, .3], "angle": .7},
                                 "markers": {"K": [.2, .1]}}},
             "joints": {"pivot": {"type": "revolute", "between": ["ground", "plate"]},
                        "W": {"type": "knife-edge", "between": ["plate", "cart.K"]}},
             "constraints": {"push": {"velocity": f"{rel} - {self.U!r}"}},
             "drives": {"table": {"coordinate": "pivot.angle", "motion": f"0.2 + {self.OMEGA!r}*t"},
                        "yaw": {"coordinate": "angle(cart)", "motion": f"0.7 + {self.SPIN!r}*t"}},
             "motion": {"from": 0, "to": 4, "step": .1}, **more}
        m["output"] = {"Kx": "x(cart.K)", "Ky": "y(cart.K)", **rolling.accelerations(m)}
        return m

    def test_a_circle_on_the_plate(self):
        """seen from the plate the cart runs at U and turns at SPIN - OMEGA: a circle, which the plate carries round"""
        done = self.ok(self.model(motion={"from": 0, "to": 15, "step": .1}))
        t, w = done.time, self.SPIN - self.OMEGA
        K0 = np.array([.5, .3]) + R(.7) @ [.2, .1]
        rho0, th = R(-.2) @ K0, .5 + w * t
        rho = np.array([rho0[0] + self.U / w * (np.sin(th) - math.sin(.5)), rho0[1] - self.U / w * (np.cos(th) - math.cos(.5))])
        c, s = np.cos(.2 + self.OMEGA * t), np.sin(.2 + self.OMEGA * t)
        self.column(done, "Kx", c * rho[0] - s * rho[1], WAY)
        self.column(done, "Ky", s * rho[0] + c * rho[1], WAY)

    def test_no_sideways_velocity_against_the_plate(self):
        """the place of K seen from the plate, differenced over samples: along the cart's axis only, and at U"""
        done = self.ok(self.model(motion={"from": 0, "to": .4, "step": .002}))
        s = done.series
        c, n = np.cos(s["plate.angle"]), np.sin(s["plate.angle"])
        rho = np.array([c * s["Kx"] + n * s["Ky"], -n * s["Kx"] + c * s["Ky"]])
        d = (8 * (rho[:, 3:-1] - rho[:, 1:-3]) - (rho[:, 4:] - rho[:, :-4])) / (12 * .002)
        th = (s["cart.angle"] - s["plate.angle"])[2:-2]
        self.near(-np.sin(th) * d[0] + np.cos(th) * d[1], 0 * th, DIFF, "sideways")
        self.near(np.cos(th) * d[0] + np.sin(th) * d[1], self.U + 0 * th, DIFF, "along")

    def test_forces(self):
        """the plate gets the opposite of what the cart gets, at K; the motors' power is what the energy takes"""
        model = self.model()
        mech = rolling.Rolling(model)
        done = self.ok(model, "inverse", "--frame", "ground")
        worst, size = rolling.balance(mech, done.series, done.time)
        self.near(worst, 0.0, T9 * size, "Newton and Euler")
        joint = self.ok(model)
        th = joint.series["cart.angle"]
        self.near(done.series["W.Fx"], -np.sin(th) * joint.series["W.Fy"], T9 * size, "in the second marker's axes")
        self.near(done.series["W.Fy"], np.cos(th) * joint.series["W.Fy"], T9 * size, "in the second marker's axes")
        r = done.result["reactions"]["W"]
        self.assertEqual((r["on"], r["by"]), ("cart", "plate"))
        for i, t in enumerate(done.time):
            q, v, a = rolling.reported(mech, done.series, i)
            C, _, _ = mech.all_rows(q, v, t)
            power = sum(done.series[f"{n}.effort"][i] * (C[mech.row_of(n)] @ v) for n in ("push", "table", "yaw"))
            self.near(power + mech.applied(q, v, t) @ v, mech.inertia_wrench(q, v, a) @ v, T9 * 10 * size, f"power at {t}")

    def test_the_edge_on_the_plate(self):
        """roles: line and point belong to the second marker.  Here the edge stands on the plate, and the cart is the ground it cuts"""
        model = self.model()
        model["joints"]["W"] = {"type": "knife-edge", "between": ["cart", "plate.P"]}
        model["constraints"]["push"] = {"velocity": "x(cart)'*cos(angle(plate)) + y(cart)'*sin(angle(plate)) - 0.4"}
        mech = rolling.Rolling(model)
        done = self.ok(model, "inverse", "--frame", "ground")
        worst, size = rolling.balance(mech, done.series, done.time)
        self.near(worst, 0.0, T9 * size, "Newton and Euler")
        for i in (0, 20, 40):
            t = done.time[i]
            q = mech.poses(done.series, i)
            v = mech.velocity_from(q, np.zeros(mech.n), t)
            a = mech.acceleration_at(q, v, t)
            self.near([done.series["V0_cart"][i], done.series["V1_cart"][i]], v[6:8], 1e-8, f"velocity at {t}")
            self.near([done.series["A0_cart"][i], done.series["A1_cart"][i]], a[6:8], 1e-8, f"acceleration at {t}")
            for key, x in mech.answer(q, v, a, t, "ground")["values"].items():
                self.near(done.series[key][i], x, T9 * 10 * size, f"{key} at {t}")

    def test_counts(self):
        done, doc = cli.check(self.model())
        self.assertEqual(done.code, 0, done.said())
        want = {"coordinates": 6, "rows": 6, "rank": 6, "redundant": 0, "degrees_of_freedom": 0, "degrees_of_freedom_position": 2,
                "gruebler": 2}
        self.assertEqual({k: doc["mobility"][k] for k in want}, want)


BASE = """\
roberval: 1
space: planar
bodies:
  sled: {mass: 3, inertia: 0.4, markers: {K: [0.1, 0]}}
  other: {mass: 1, inertia: 0.1, pose: {at: [2, 0]}, markers: {Q: [0, 0]}}
joints:
  weld: {type: fixed, between: [ground, other]}
  W: {type: knife-edge, between: [ground, sled.K]}
constraints:
  push: {velocity: "x(sled.K)'*cos(angle(sled)) + y(sled.K)'*sin(angle(sled)) - 1"}
drives:
  yaw: {coordinate: angle(sled), motion: "0.5*t"}
motion: {from: 0, to: 1, step: 0.1}
"""
PUSH = """push: {velocity: "x(sled.K)'*cos(angle(sled)) + y(sled.K)'*sin(angle(sled)) - 1"}"""
W = "W: {type: knife-edge, between: [ground, sled.K]}"

# name, what of BASE is replaced, by what, patterns that the messages of that line must match
MISTAKES = [
    ("both kinds", PUSH, """push: {velocity: "x(sled)' - 1", equation: "x(sled) - t"}""", ["velocity", "equation"]),
    ("neither kind", PUSH, "push: {}", ["velocity", "equation"]),
    ("nothing but nonideal", PUSH, """push: {nonideal: ["1"]}""", ["velocity|equation|nonideal"]),
    ("no rate", PUSH, """push: {velocity: "x(sled) - t"}""", ["no rate"]),
    ("only time", PUSH, """push: {velocity: "sin(t)"}""", ["rate"]),
    ("a number", PUSH, "push: {velocity: 3}", ["rate"]),
    ("second rate", PUSH, """push: {velocity: "x(sled)'' - 1"}""", ["second rate|''|x\\(sled\\)"]),
    ("a result", PUSH, """push: {velocity: "x(sled)' - W.Fy"}""", ["W.*Fy"]),
    ("unknown body", PUSH, """push: {velocity: "x(sledd)' - 1"}""", ["sledd", "sled"]),
    ("unknown marker", PUSH, """push: {velocity: "x(sled.L)' - 1"}""", ["L"]),
    ("unknown function", PUSH, """push: {velocity: "x(sled)'*coss(1) - 1"}""", ["coss", "cos"]),
    ("spatial coordinate", PUSH, """push: {velocity: "z(sled.K)' - 1"}""", ["z"]),
    ("wrong unit", PUSH, """push: {velocity: "x(sled)' - 1[parsec/s]"}""", ["parsec"]),
    ("unfinished", PUSH, """push: {velocity: "x(sled)' - "}""", ["."]),
    ("misspelt key", PUSH, """push: {velocty: "x(sled)' - 1"}""", ["velocty", "velocity"]),
    ("a list", PUSH, """push: {velocity: ["x(sled)' - 1"]}""", ["."]),
    ("rate in an equation", PUSH, """push: {equation: "x(sled)' - 1"}""", ["velocity|rate"]),
    ("misspelt type", W, "W: {type: knife_edge, between: [ground, sled.K]}", ["knife-edge"]),
    ("one marker", W, "W: {type: knife-edge, between: [sled.K]}", ["between|two"]),
    ("within one body", W, "W: {type: knife-edge, between: [sled, sled.K]}", ["sled"]),
    ("a value", W, "W: {type: knife-edge, between: [ground, sled.K], value: 1}", ["value"]),
    ("a length", W, "W: {type: knife-edge, between: [ground, sled.K], length: 1}", ["length"]),
    ("spatial compliance", W, "W: {type: knife-edge, between: [ground, sled.K], compliance: {z: 1e-5}}", ["z"]),
    ("compliance of a spatial turn", W, "W: {type: knife-edge, between: [ground, sled.K], compliance: {rx: 1e-5}}", ["rx"]),
    ("negative compliance", W, "W: {type: knife-edge, between: [ground, sled.K], compliance: {y: -1e-5}}",
     ["-1e-0?5|negative|positive|or more"]),
    ("compliance in a wrong unit", W, "W: {type: knife-edge, between: [ground, sled.K], compliance: {y: 1 N/m}}", ["m/N|compliance"]),
    ("drive of an edge's angle's twin", "yaw: {coordinate: angle(sled)", "yaw: {coordinate: W.angle", ["W"]),
]


class BadInput(cli.Case):
    def test_mistakes_of_the_file(self):
        for name, old, new, patterns in MISTAKES:
            with self.subTest(name):
                self.assertIn(old, BASE)
                text = BASE.replace(old, new)
                line = text[:text.index(new)].count("\n") + 1
                done = cli.run_model(text, "inverse")
                self.assertEqual(done.code, 2, done.said())
                self.assertFalse(done.files, "nothing is written")
                said = " | ".join(m.text for m in done.errors if m.line == line)
                self.assertTrue(said, f"no error at line {line}: {done.err}")
                for p in patterns:
                    self.assertRegex(said, p)

    def test_the_base_is_right(self):
        done = cli.run_model(BASE, "inverse")
        self.assertEqual(done.code, 0, done.said())

    def test_every_mistake_in_one_run(self):
        text = BASE.replace(PUSH, """push: {velocity: "x(sled) - t"}\n  more: {}\n  third: {velocity: "y(sledd)'"}""")
        done = cli.run_model(text, "inverse")
        self.assertEqual(done.code, 2, done.said())
        first = text[:text.index("push:")].count("\n") + 1
        self.assertEqual({m.line for m in done.errors} & {first, first + 1, first + 2}, {first, first + 1, first + 2}, done.err)

    def test_contradictory_rows(self):
        """two speeds for one sled: a contradiction that names them"""
        other = PUSH.replace("push", "slow").replace("- 1", "- 0.7")
        for command in ("inverse", "kinematics"):
            done = cli.run_model(BASE.replace(PUSH, PUSH + "\n  " + other), command)
            self.assertIn(done.code, (1, 2), done.said())
            self.assertRegex(done.err, "push|slow")

    def test_a_row_against_an_edge(self):
        side = """side: {velocity: "y(sled.K)'*cos(angle(sled)) - x(sled.K)'*sin(angle(sled)) - 0.1"}"""
        done = cli.run_model(BASE.replace(PUSH, PUSH + "\n  " + side), "inverse")
        self.assertIn(done.code, (1, 2), done.said())
        self.assertRegex(done.err, "side|W")

    def test_the_same_row_twice_is_redundant_not_wrong(self):
        again = PUSH.replace("push", "again")
        done = self.ok(BASE.replace(PUSH, PUSH + "\n  " + again))
        self.assertEqual(done.result["mobility"]["redundant"], 1)
        self.assertEqual({done.result["constraints"][n]["verdict"] for n in ("push", "again")}, {"not unique"})
        self.assertEqual(done.result["reactions"]["W"]["verdict"], "unique")

    def test_a_speed_that_cannot_be(self):
        """v.v + 1 = 0 has no solution, of any Newton step"""
        done = cli.run_model(BASE.replace(PUSH, """push: {velocity: "x(sled.K)'^2 + y(sled.K)'^2 + 1"}"""), "inverse")
        self.assertIn(done.code, (1, 2), done.said())
        self.assertIn("push", done.err)

    def test_a_speed_that_ends(self):
        """v.v = 1 - 2t: from t = 0.5 s on there is none; what was reached is kept"""
        done = cli.run_model(BASE.replace(PUSH, """push: {velocity: "x(sled.K)'^2 + y(sled.K)'^2 - (1 - 2*t)"}"""), "inverse")
        self.assertEqual(done.code, 1, done.said())
        self.assertIn("push", done.err)
        self.assertGreaterEqual(len(done.series.get("time", [])), 4)
        self.assertTrue(all(np.isfinite(x).all() and np.abs(x).max() < 1e6 for x in done.series.values()))

    def test_under_driven_names_a_coordinate(self):
        for text in (BASE.replace("constraints:\n  " + PUSH + "\n", ""),
                     BASE.replace("""drives:\n  yaw: {coordinate: angle(sled), motion: "0.5*t"}\n""", "")):
            for command in ("inverse", "kinematics"):
                done = cli.run_model(text, command)
                self.assertEqual(done.code, 2, done.said())
                self.assertRegex(done.err, r"sled")
                self.assertRegex(done.err, r"(x|y|angle)\(sled")
                self.assertFalse(done.files)

    def test_free_motion_can_be_checked(self):
        done, doc = cli.check(BASE.replace("constraints:\n  " + PUSH + "\n", ""))
        self.assertEqual(done.code, 0, done.said())
        self.assertEqual((doc["mobility"]["degrees_of_freedom"], doc["mobility"]["degrees_of_freedom_position"]), (1, 2))

    def test_a_compliance_where_nothing_is_held_is_not_silent(self):
        """x is free at a knife edge: refused, or a note says so"""
        done = cli.run_model(BASE.replace(W, W[:-1] + ", compliance: {x: 1e-5}}"), "inverse", quiet=False)
        if done.code == 0:
            self.assertRegex(str(done.result["notes"]) + done.err, "compliance")
        else:
            self.assertEqual(done.code, 2, done.said())
            self.assertTrue(done.errors, done.said())

    def test_a_rate_that_a_drive_gives_already(self):
        """x' = cos t with the drive x = sin t: consistent, but the drive moves what the row moves already"""
        text = """
roberval: 1
space: planar
bodies: {puck: {particle: true, mass: 2}}
constraints: {again: {velocity: "x(puck)' - cos(t)"}}
drives: {px: {coordinate: x(puck), motion: "sin(t)"}, py: {coordinate: y(puck), motion: "t"}}
motion: {from: 0, to: 1, step: 0.1}
"""
        done = cli.run_model(text, "inverse")
        self.assertEqual(done.code, 2, done.said())
        self.assertRegex(done.err, "px")
        done, doc = cli.check(text)
        self.assertEqual(done.code, 0, done.said())
        self.assertEqual([doc["mobility"][k] for k in ("rows", "rank", "redundant", "degrees_of_freedom_position")], [3, 2, 1, 0])
        self.assertEqual((doc["drives"]["py"]["verdict"], doc["drives"]["px"]["verdict"]), ("unique", "not unique"))


class Oracle(unittest.TestCase):
    """rolling.py under the closed forms of this file (runs without the program)"""

    def test_sled(self):
        for name, sled in SLEDS.items():
            with self.subTest(name):
                mech = rolling.Rolling(sled.model("0.8 + 0.3*t", f"{sled.start[2]!r} + 1.7*t + 0.2*t^2"))
                q = np.append(np.zeros(3), sled.start)
                v = mech.velocity_from(q, np.zeros(6), 0.0)
                a = mech.acceleration_at(q, v, 0.0)
                got = mech.answer(q, v, a, 0.0)["values"]
                for key, x in zip(("W.Fy", "push.effort", "yaw.effort"), sled.forces(.8, .3, 1.7, .4)):
                    self.assertAlmostEqual(got[key], x, delta=1e-12)

    def test_rows_by_complex_step(self):
        """the knife edge's row and gamma: n.v and -(n' . rdot) phidot, n' the perpendicular"""
        sled = SLEDS["all askew"]
        mech = rolling.Rolling(sled.model())
        rng = np.random.default_rng(1)
        for _ in range(10):
            q, v = np.append(np.zeros(3), rng.normal(size=3)), np.append(np.zeros(3), rng.normal(size=3))
            C, gamma, error = mech.all_rows(q, v, 0.0)
            th, k = q[5] + sled.beta, R(q[5]) @ sled.k
            n = np.array([-math.sin(th), math.cos(th)])
            row = np.array([*n, n @ [-k[1], k[0]]])
            self.assertLess(np.abs(C[0, 3:] - row).max(), 1e-14)
            self.assertAlmostEqual(gamma[0], -(np.array([-n[1], n[0]]) @ v[3:5]) * v[5], delta=1e-13)
            self.assertAlmostEqual(error[0], row @ v[3:], delta=1e-14)

    def test_way_of_trains_obeys_the_edges(self):
        model, given = Balance.train(2, 0)
        times = np.linspace(0, 1, 1001)
        y = Balance.way(model, given, times)
        i, h = 500, times[1]
        mech = rolling.Rolling(model)

        def pose(i):
            u, w, beta = given
            p = model["bodies"]["tractor"]["pose"]["angle"] + w[0] * times[i] + w[1] * math.sin(w[2] * times[i])
            at = y[i, :2] - R(p) @ model["bodies"]["tractor"]["markers"]["K"]["at"]
            q = [0, 0, 0, *at, p]
            for k in (1, 2):
                before = "tractor" if k == 1 else "trailer1"
                hitch = np.array(q[-3:-1]) + R(q[-1]) @ model["bodies"][before]["markers"]["hitch"]
                q += [*(hitch - R(y[i, 1 + k]) @ model["bodies"][f"trailer{k}"]["markers"]["eye"]), y[i, 1 + k]]
            return np.array(q)
        v = mech.velocity_from(pose(i), np.zeros(12), times[i])
        d = (8 * (pose(i + 1) - pose(i - 1)) - (pose(i + 2) - pose(i - 2))) / (12 * h)
        self.assertLess(np.abs(v - d).max(), 1e-8)


if __name__ == "__main__":
    cli.main()
