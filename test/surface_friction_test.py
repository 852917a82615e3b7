#!/usr/bin/env python3
"""Friction of cams on surfaces of space: outlines drawn along z and turned about it, under points and flats.

Motions by Runge and Kutta of the equations of a particle on the surface, m a = m g + N n - mu N u/|u|, written here for points alone; closed forms of rest, impacts, drives and modes.
Tolerances.  Outlines are splines through points of circles and parabolas: with h the distance of points their second derivative, which N has, is off by h^2/12 of what it is at most, and less in the mean. 720
points a turn: 6e-6. Motions: 1e-5 of the radius.
"""
import math
import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "py"))
import numpy as np      # noqa: E402
import cli              # noqa: E402

G, R, M = 9.81, 0.5, 0.3


def table(name, x, y):
    return {name: "x [m],y [m]\n" + "".join(f"{a!r},{b!r}\n" for a, b in zip(map(float, x), map(float, y)))}


TURN = np.linspace(0, 2 * math.pi, 721)
RING = np.array([R * np.cos(TURN), R * np.sin(TURN)])
RING[:, -1] = RING[:, 0]
HALF = np.linspace(-math.pi / 2 + 1e-3, math.pi / 2 - 1e-3, 361)
BOWL = np.linspace(1.2, 0.002, 1500)                                      # z = x^2 from the rim to the bottom: material left of the way is below
FILES = {**table("ring.csv", *RING), **table("ball.csv", R * np.cos(HALF), R * np.sin(HALF)), **table("bowl.csv", BOWL, BOWL ** 2)}


def model(curve, at, mu, static=None, joint=None, bodies=None, drawn=None, **more):
    """a particle at a place of the surface, which is ground's unless bodies say so"""
    rub = {"coefficient": mu} if static is None else {"coefficient": mu, "static": static}
    kinds = {"ring": {"file": "ring.csv", "x": "x", "y": "y", "closed": True}, "ball": {"file": "ball.csv", "x": "x", "y": "y", "revolved": True}, "bowl": {"file": "bowl.csv", "x": "x", "y": "y", "revolved": True}}
    return {"roberval": 1, "space": "spatial", "gravity": [0, 0, -G], "bodies": {"puck": {"particle": True, "mass": M, "pose": {"at": list(map(float, at))}}, **(bodies or {})},
            "joints": {"face": {"type": "cam", "between": [drawn or "ground", "puck"], "curve": kinds[curve], "friction": rub, **(joint or {})}}, "motion": {"from": 0, "to": 0.4, "step": 0.05}, **more}


def rates(v, of="xyz"):
    return {f"{c}(puck)'": float(x) for c, x in zip(of, v)}


def slide(normal, bend, p, v, mu, gravity, times, steps=400, spin=lambda p: np.zeros(3)):
    """normal(p) out of the surface, bend(p, v): n.a = -bend of motions on it; the surface moves with spin(p) under the puck. Places, rates and loads at the times"""
    def f(y):
        p, v = y[:3], y[3:]
        n = normal(p)
        N = -bend(p, v) - gravity @ n                                     # n.a = -bend = g.n + N
        u = v - spin(p)
        return np.concatenate([v, gravity + N * n - mu * abs(N) * u / np.linalg.norm(u)]), N
    y, out = np.concatenate([p, v]), []
    for k, t in enumerate(times):
        if k:
            h = (t - times[k - 1]) / steps
            for _ in range(steps):
                a = f(y)[0]
                b = f(y + h / 2 * a)[0]
                c = f(y + h / 2 * b)[0]
                d = f(y + h * c)[0]
                y = y + h / 6 * (a + 2 * b + 2 * c + d)
        out.append(np.append(y, f(y)[1] * M))
    return np.array(out)


class Surface(cli.Case):
    mu = 0.0

    def run_it(self, m, *flags, code=0):
        done = cli.run_model(m, *flags, files=FILES)
        self.assertEqual(done.code, code, done.said())
        return done

    def follows(self, done, want, tolerance=1e-5):
        got = np.array([done.series[f"puck.{c}"] for c in "xyz"]).T
        self.assertLess(np.abs(got - want[:, :3]).max(), tolerance * R)
        self.assertLess(np.abs(done.series["face.F"] - want[:, 6]).max(), 2e-5 * max(abs(want[:, 6])))
        two = np.hypot(done.series["face.friction.x"], done.series["face.friction.y"])
        self.assertLess(np.abs(two - self.mu * abs(done.series["face.F"])).max(), 1e-9 * max(abs(want[:, 6])))
        self.assertLess(abs(done.result["integration"]["energy_error"]), 1e-7)


class Slides(Surface):
    def test_down_a_ball(self):
        """from a place beside its top, with a rate across: n = p/R, bend = v^2/R"""
        self.mu = 0.25
        p = R * np.array([math.cos(1.0) * math.cos(0.4), math.cos(1.0) * math.sin(0.4), math.sin(1.0)])
        v = np.cross([0.3, -0.2, 1.0], p) * 1.5
        done = self.run_it(model("ball", p, self.mu, initial=rates(v, "xy")), "simulate", "--tolerance", "1e-9")
        self.follows(done, slide(lambda p: p / np.linalg.norm(p), lambda p, v: v @ v / R, p, v, self.mu, np.array([0, 0, -G]), done.time))
        # the way of slip, as printed: along the outline upwards, and round z
        P, V = np.array([done.series[f"puck.{c}"] for c in "xyz"]), np.array([done.series[f"puck.v{c}"] for c in "xyz"])
        rho = np.hypot(P[0], P[1])
        up = np.array([-P[2] * P[0] / rho, -P[2] * P[1] / rho, rho]) / R
        ring = np.array([-P[1], P[0], 0 * rho]) / rho
        for name, way in (("face.friction.x", up), ("face.friction.y", ring)):
            self.near(done.series[name], -self.mu * abs(done.series["face.F"]) * (V * way).sum(0) / np.sqrt((V * V).sum(0)), 1e-5)

    def test_round_a_bowl_until_it_rests(self):
        """z = x^2 + y^2: n = (-2x, -2y, 1)/s, bend = -2 (vx^2 + vy^2)/s; where it comes to rest it stays"""
        self.mu = 0.5
        p, v = np.array([0.6, 0.1, 0.37]), np.array([-0.5, 1.0, 0.0])
        v[2] = 2 * p[:2] @ v[:2]

        def normal(p):
            return np.array([-2 * p[0], -2 * p[1], 1]) / math.sqrt(1 + 4 * p[:2] @ p[:2])
        done = self.run_it(model("bowl", p, self.mu, initial=rates(v, "xy")), "simulate", "--tolerance", "1e-9", "--to", "0.3")
        self.follows(done, slide(normal, lambda p, v: -2 * v[:2] @ v[:2] / math.sqrt(1 + 4 * p[:2] @ p[:2]), p, v, self.mu, np.array([0, 0, -G]), done.time))
        rests = self.run_it(model("bowl", p, self.mu, 0.8, initial=rates(v, "xy")), "simulate", "--to", "20", "--step", "1")
        kinds = [e["kind"] for e in rests.result["integration"]["events"]]
        self.assertEqual(kinds, ["stick"])
        for c in "xyz":
            self.assertEqual(np.ptp(rests.series[f"puck.{c}"][-5:]), 0)

    def test_along_and_round_a_leaning_drum(self):
        """drawn along z, which leans: n = (x, y, 0)/R in its axes, bend = (vx^2 + vy^2)/R"""
        self.mu = 0.2
        g = np.array([G * math.sin(0.3), 0.4, -0.2]) - [0, G * math.cos(0.3), 0.0]
        p, v = np.array([R * math.cos(1.2), R * math.sin(1.2), 0.1]), np.array([0, 0, 0.6]) + 0.8 * np.array([-math.sin(1.2), math.cos(1.2), 0])
        m = model("ring", p, self.mu, gravity=list(map(float, g)), initial={"x(puck)'": float(v[0]), "z(puck)'": float(v[2])})
        done = self.run_it(m, "simulate", "--tolerance", "1e-9")
        self.follows(done, slide(lambda p: np.array([p[0], p[1], 0]) / R, lambda p, v: v[:2] @ v[:2] / R, p, v, self.mu, g, done.time))

    def test_a_turning_ball_carries_it(self):
        """the ball turns about its axis under the puck, driven: u = v - w x p"""
        self.mu, w = 0.3, 4.0
        p = R * np.array([math.cos(0.9), 0, math.sin(0.9)])
        v = np.array([0.0, 0.5, 0.0])
        m = model("ball", p, self.mu, bodies={"ball": {"mass": 3, "inertia": [0.3] * 3}}, drawn="ball", drives={"motor": {"coordinate": "axle.angle", "motion": f"{w}*t"}}, initial=rates(v, "xy"))
        m["joints"]["axle"] = {"type": "revolute", "between": ["ground", "ball"]}
        done = self.run_it(m, "simulate", "--tolerance", "1e-9")
        want = slide(lambda p: p / np.linalg.norm(p), lambda p, v: v @ v / R, p, v, self.mu, np.array([0, 0, -G]), done.time, spin=lambda p: np.cross([0, 0, w], p))
        self.follows(done, want)
        self.near(done.series["motor.effort"], np.hypot(done.series["puck.x"], done.series["puck.y"]) * done.series["face.friction.y"], 1e-7)


class Rest(Surface):
    def at(self, slope, round_z=0.7):
        """on the ball where its tangent has this slope"""
        return R * np.array([math.sin(slope) * math.cos(round_z), math.sin(slope) * math.sin(round_z), math.cos(slope)])

    def test_it_stays_on_slopes_up_to_the_angle_of_friction(self):
        for slope, static, stays in ((0.3, math.tan(0.3) * 1.001, True), (0.3, math.tan(0.3) * 0.999, False), (0.9, math.tan(0.9) * 1.001, True)):
            still = {"x(puck)'": 0, "y(puck)'": 0}
            done = self.run_it(model("ball", self.at(slope), 0.1, static, initial=still, motion={"from": 0, "to": 1000 if stays else 0.1, "step": 250 if stays else 0.02}), "simulate")
            moved = max(np.ptp(done.series[f"puck.{c}"]) for c in "xyz")
            if stays:
                self.assertEqual(moved, 0)
                self.near(done.series["face.friction.x"], M * G * math.sin(slope) + 0 * done.time, 1e-6)
                self.near(done.series["face.friction.y"], 0 * done.time, 1e-9)
            else:
                self.assertGreater(moved, 1e-3)

    def test_what_holds(self):
        """a level force P outwards and one across, S, on slope a: |P cos a + W sin a| <= mu (W cos a - P sin a), and (W sin a)^2 + S^2 <= (mu W cos a)^2"""
        a, mu, W = 0.35, 0.6, M * G
        out, across = np.array([math.cos(0.7), math.sin(0.7), 0]), np.array([-math.sin(0.7), math.cos(0.7), 0])
        for way, ends in ((out, (-W * (math.sin(a) + mu * math.cos(a)) / (math.cos(a) - mu * math.sin(a)), W * (mu * math.cos(a) - math.sin(a)) / (math.cos(a) + mu * math.sin(a)))),
                          (across, (-W * math.sqrt((mu * math.cos(a)) ** 2 - math.sin(a) ** 2), W * math.sqrt((mu * math.cos(a)) ** 2 - math.sin(a) ** 2)))):
            m = model("ball", self.at(a), mu, joint={"unilateral": True}, parameters={"P": "0 N"}, loads={"push": {"type": "force", "to": "puck", "value": [f"{float(c)!r}*P" for c in way]}})
            hold = self.run_it(m, "statics", "--hold", "P").result["hold"]
            self.near([hold["min"], hold["max"]], list(ends), 2e-5)


class OneSided(Surface):
    @cli.long
    def test_it_lifts_off_a_ball(self):
        """slides until nothing presses, then flies; the instant from the same equations"""
        self.mu = 0.1
        p = R * np.array([math.sin(0.5), 0, math.cos(0.5)])
        v = 1.2 * np.array([math.cos(0.5) * 0.8, 0.6, -math.sin(0.5) * 0.8])
        done = self.run_it(model("ball", p, self.mu, joint={"unilateral": True}, initial=rates(v), motion={"from": 0, "to": 0.3, "step": 0.05}), "simulate", "--tolerance", "1e-10")
        lifts = [e["t"] for e in done.result["integration"]["events"] if e["kind"] in ("lift", "open", "release")]
        self.assertEqual(len(lifts), 1, done.result["integration"]["events"])
        low, high = 0.0, 0.3
        for _ in range(40):
            mid = (low + high) / 2
            on = slide(lambda p: p / np.linalg.norm(p), lambda p, v: v @ v / R, p, v, self.mu, np.array([0, 0, -G]), [0, mid])[-1]
            low, high = (mid, high) if on[6] > 0 else (low, mid)
        self.assertLess(abs(lifts[0] - low), 2e-5)
        for k, t in enumerate(done.time):
            if t > low:
                for c, name in enumerate("xyz"):
                    fly = on[c] + on[3 + c] * (t - low) - (G / 2 * (t - low) ** 2 if c == 2 else 0)
                    self.assertLess(abs(done.series[f"puck.{name}"][k] - fly), 1e-5)

    def test_it_strikes_with_side(self):
        """a particle falls on a ball: the normal rate comes back with e, slip loses mu (1 + e) |vn|, or ends"""
        for mu in (0.15, 5.0):
            e, h = 0.4, 0.2
            p0 = np.array([0.1, -0.2, 0.6])
            v0 = np.array([0.4, 0.1, 0.0])
            m = model("ball", p0, mu, joint={"unilateral": True, "restitution": e}, initial=rates(v0), motion={"from": 0, "to": h, "step": 0.0025})
            done = self.run_it(m, "simulate", "--tolerance", "1e-10")
            low, high = 0.0, h
            for _ in range(60):
                t = (low + high) / 2
                at = p0 + v0 * t + np.array([0, 0, -G / 2 * t * t])
                low, high = (t, high) if np.linalg.norm(at) > R else (low, t)
            n, v = at / R, v0 + np.array([0, 0, -G * t])
            vn, u = v @ n, v - (v @ n) * n
            lost = min(mu * (1 + e) * -vn, np.linalg.norm(u))
            after = -e * vn * n + u * (1 - lost / np.linalg.norm(u))
            k = next(k for k, x in enumerate(done.time) if x > t + 1e-9)
            s = done.time[k] - t
            for c, name in enumerate("xyz"):
                self.assertLess(abs(done.series[f"puck.v{name}"][k] - after[c] + (G * s if c == 2 else 0)), 1e-6, f"{mu} {name}")


class Flats(Surface):
    def test_a_tappet_over_a_disk_that_shifts(self):
        """a disk of radius R turns about an axis b off its middle and shifts along it with V, under a level flat that springs press with F: u = (w times the height of the contact over the axis, V)"""
        b, w, V, mu, F = 0.03, 3.0, 0.8, 0.2, 40.0
        m = {"roberval": 1, "space": "spatial", "gravity": [0, 0, 0],
             "bodies": {"shaft": {"mass": 2, "inertia": [0.1] * 3, "markers": {"middle": [b, 0, 0]}}, "flat": {"mass": 1, "inertia": [0.1] * 3, "pose": {"at": [0, R, 0]}}},
             "joints": {"axle": {"type": "cylindrical", "between": ["ground", "shaft"]}, "guide": {"type": "prismatic", "between": ["ground", "flat"], "at": [0, R, 0], "axis": [0, 1, 0]},
                        "lobe": {"type": "cam", "between": ["shaft.middle", "flat"], "flat": True, "curve": {"file": "ring.csv", "x": "x", "y": "y", "closed": True}, "friction": {"coefficient": mu}}},
             "drives": {"turn": {"coordinate": "axle.rz", "motion": f"{w}*t"}, "shift": {"coordinate": "axle.z", "motion": f"{V}*t"}},
             "loads": {"press": {"type": "force", "to": "flat", "value": [0, f"-{F}", 0]}}, "motion": {"from": 0, "to": 0.5, "step": 0.1}}
        done = self.run_it(m, "inverse", "--frame", "ground")
        t = done.time
        lift = b * np.sin(w * t) + R
        N = F - 1 * b * w * w * np.sin(w * t)                              # the flat goes with the lift
        u = np.array([w * lift, -V + 0 * t])                               # of the flat over the disk, whose top goes to -x
        size = np.hypot(*u)
        self.near(done.series["lobe.F"], N, 1e-4)
        self.near(done.series["lobe.friction.x"], mu * N * w * lift / size, 1e-4)   # the disk takes the flat with it, counterclockwise: to -x
        self.near(done.series["lobe.friction.y"], mu * N * V / size, 1e-4)
        self.near(done.series["turn.effort"], N * b * np.cos(w * t) + mu * N * w * lift / size * lift, 1e-4)
        self.near(done.series["shift.effort"], mu * N * V / size, 1e-4)


class Outlines(Surface):
    @cli.long
    def test_a_wheel_is_taken_along_until_it_rolls(self):
        """wheel 1 turns with w, a wheel of the same outline is pressed on it by F: I x = mu F R until it turns as fast, at w I/(mu F R); then they roll, which takes no force"""
        w, mu, F, inertia = 5.0, 0.2, 30.0, 0.4
        ring = {"file": "ring.csv", "x": "x", "y": "y", "closed": True}
        m = {"roberval": 1, "space": "spatial", "gravity": [0, 0, 0],
             "bodies": {"one": {"mass": 2, "inertia": [0.1] * 3}, "seat": {"mass": 1, "inertia": [0.1] * 3, "pose": {"at": [2 * R, 0, 0]}}, "two": {"mass": 1, "inertia": [inertia] * 3, "pose": {"at": [2 * R, 0, 0]}}},
             "joints": {"A": {"type": "revolute", "between": ["ground", "one"]}, "B": {"type": "revolute", "between": ["seat", "two"]},
                        "guide": {"type": "prismatic", "between": ["ground", "seat"], "at": [2 * R, 0, 0], "axis": [1, 0, 0]},
                        "rub": {"type": "cam", "between": ["one", "two"], "curve": ring, "curve2": ring, "friction": {"coefficient": mu}}},
             "drives": {"turn": {"coordinate": "A.angle", "motion": f"{w}*t"}}, "loads": {"press": {"type": "force", "to": "seat", "value": [f"-{F}", 0, 0]}}, "initial": {"B.angle'": 0},
             "motion": {"from": 0, "to": 1, "step": 0.05}}
        done = self.run_it(m, "simulate", "--tolerance", "1e-9")
        end = w * inertia / (mu * F * R)
        self.assertLess(end, 0.9)
        events = done.result["integration"]["events"]
        self.assertEqual([e["kind"] for e in events], ["stick"])
        self.assertLess(abs(events[0]["t"] - end), 1e-5)
        self.near(done.series["B.angle'"], -np.minimum(mu * F * R / inertia * done.time, w), 1e-4)
        self.near(done.series["rub.friction.x"], np.where(done.time < end, mu * F, 0), 1e-2)
        self.near(done.series["rub.friction.y"], 0 * done.time, 1e-9)


class InModes(Surface):
    def test_on_a_drum_that_turns_under_it(self):
        """drum's axis level, its top runs up against the fall: at tan a = mu the puck rests while it slides; l^2 = g/(R cos a) round the drum, and across a spring k with the damper mu N/|u|"""
        mu, w, k = 0.4, 6.0, 30.0
        a = math.atan(mu)
        p = [R * math.sin(a), R * math.cos(a), 0.0]
        m = model("ring", p, mu, gravity=[0, -G, 0], bodies={"drum": {"mass": 3, "inertia": [0.3] * 3}}, drawn="drum", drives={"motor": {"coordinate": "axle.angle", "motion": f"{w}*t"}},
                  loads={"spring": {"type": "force", "to": "puck", "value": ["0 N", "0 N", f"-{k}*z(puck)"]}}, initial={"x(puck)": p[0], "z(puck)": 0, "x(puck)'": 0, "z(puck)'": 0})
        m["joints"]["axle"] = {"type": "revolute", "between": ["ground", "drum"]}
        modes = self.run_it(m, "modes", "--json").json()["modes"]
        got = sorted((complex(*x["eigenvalue"]) for x in modes), key=lambda z: (round(z.real, 6), z.imag))
        N = M * G * math.cos(a)
        grow = math.sqrt(G / (R * math.cos(a)))
        want = [grow, -grow, *np.roots([M, mu * N / (w * R), k])]
        for z in want:
            if complex(z).imag >= 0:
                self.assertLess(min(abs(z - x) for x in got), 1e-4 * abs(z), f"{z} of {got}")


if __name__ == "__main__":
    unittest.main()
