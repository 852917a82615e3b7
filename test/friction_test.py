#!/usr/bin/env python3
# ctest: joint-slow
"""Friction of joints in the plane and in space against closed forms, numerical solutions of equations written here, and the laws of power and energy.

Tolerances.  inverse: 1e-10 of the numbers, rounding of well-conditioned equations.  simulate: tolerance 1e-9 of a step, over some tens of steps: 1e-7.  Places that stick: 1e-14 of their size, rounding of one position.
"""
import math
import os
import re
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "py"))
import numpy as np      # noqa: E402
import cli              # noqa: E402
from integrate import runge_kutta      # noqa: E402

G = 9.81
INERTIA = [0.02, 0.03, 0.04]


def spatial(bodies, joints, **more):
    return {"roberval": 1, "space": "spatial", "gravity": [0, 0, -G], "bodies": bodies, "joints": joints, "motion": {"from": 0, "to": 1, "step": 0.25}, **more}


def rub(mu, radius=None, static=None):
    out = {"coefficient": mu}
    if radius is not None:
        out["radius"] = radius
    if static is not None:
        out["static"] = static
    return out


TILT = 0.35


def incline(kind, mu, **more):
    """A block of 2 kg on the xy plane of a marker that is turned by TILT about y: x points downhill."""
    turn = {"axis": [0, 1, 0], "angle": TILT}
    return spatial({"ground": {"markers": {"s": {"at": [0, 0, 0], "rotate": turn}}}, "b": {"mass": 2, "inertia": INERTIA, "pose": {"at": [0, 0, 0], "rotate": turn}}},
                   {"p": {"type": kind, "between": ["ground.s", "b"], "friction": mu}}, **more)


def jack(mu, pitch, radius, down=False, **more):
    """A nut of 30 kg on a screw that stands upright and turns once a second."""
    return spatial({"screw": {"mass": 1, "inertia": INERTIA}, "nut": {"mass": 30, "inertia": INERTIA}},
                   {"axle": {"type": "revolute", "between": ["ground", "screw"]}, "guide": {"type": "prismatic", "between": ["ground", "nut"]},
                    "thread": {"type": "screw", "between": ["screw", "nut"], "pitch": pitch, "friction": rub(mu, radius)}},
                   drives={"motor": {"coordinate": "axle.angle", "motion": f"{'' if down else '-'}2*pi*t"}}, output={"z": "z(nut)"}, **more)


POINTS = 720        # of a circle: its spline's curvature is (2 pi/720)^2/12 = 6e-6 off at the points,
SPLINE = 1e-4       # and so are forces of some 15 N [N]


def circle(r, cx=0.0, backwards=False):
    """a CSV of a closed circle; backwards: the points run clockwise"""
    a = np.linspace(0, 2 * math.pi, POINTS + 1)[:-1] * (-1 if backwards else 1)
    rows = [f"{cx + r * math.cos(x)!r},{r * math.sin(x)!r}" for x in a]
    return "x [m],y [m]\n" + "\n".join(rows + rows[:1]) + "\n"


def outline(name):
    return {"file": name, "x": "x", "y": "y", "closed": True}


R, ECCENTRIC, SPEED, TAPPET = 0.03, 0.01, 6.0, 2.0


def tappet(follower, mu, **more):
    """An eccentric disk turns under a tappet in an upright guide. follower: keys of the cam"""
    return {"roberval": 1, "space": "planar", "gravity": [0, -G],
            "bodies": {"ground": {"markers": {"up": {"at": [0, 0], "angle": "90 deg"}}}, "cam": {"mass": 1, "inertia": 0.001},
                       "tappet": {"mass": TAPPET, "inertia": 0.001, "pose": {"at": [0, 0.04]}, "markers": {"face": [0, 0], "stem": {"at": [0, 0], "angle": "90 deg"}}}},
            "joints": {"shaft": {"type": "revolute", "between": ["ground", "cam"]}, "guide": {"type": "prismatic", "between": ["ground.up", "tappet.stem"]},
                       "lobe": {"type": "cam", "between": ["cam", "tappet.face"], "curve": outline("cam.csv"), "friction": rub(mu), **follower}},
            "drives": {"motor": {"coordinate": "shaft.angle", "motion": f"{SPEED}*t"}}, "motion": {"from": 0, "to": 1.05, "step": 0.03},
            "output": {"height": "guide.distance"}, **more}


FILES = {"cam.csv": circle(R, ECCENTRIC), "roller.csv": circle(0.012)}


def tappet_forces(roller, mu, t, w=SPEED):
    """Height, F, friction on the tappet along z x n, torque of the motor, sliding rate. roller: its radius, None: a flat.

    m y'' + m g = F n_y + f t_y with f = -mu F sign(u), u that of the tappet over the cam at the contact P; the motor holds the moment of both about the shaft."""
    c = np.array([ECCENTRIC * math.cos(w * t), ECCENTRIC * math.sin(w * t)])
    if roller is None:
        n, y, rate, second = np.array([0.0, 1.0]), c[1] + R, w * c[0], -w * w * c[1]
    else:
        long = R + roller
        root = math.sqrt(long ** 2 - c[0] ** 2)
        y, n = c[1] + root, np.array([-c[0], root]) / long
        slope = w * c[0] * c[1] / root              # root' = -c_x c_x'/root, c_x' = -w c_y
        rate = w * c[0] + slope
        second = -w * w * c[1] + (w * w * (c[0] ** 2 - c[1] ** 2) - slope ** 2) / root
    P, along = c + R * n, np.array([-n[1], n[0]])
    u = along @ (np.array([0, rate]) - w * np.array([-P[1], P[0]]))
    F = TAPPET * (second + G) / (n[1] - mu * np.sign(u) * along[1])
    f = -mu * abs(F) * np.sign(u)
    assert F > 0
    pair = F * n + f * along
    return y, F, f, P[0] * pair[1] - P[1] * pair[0], u


class Inverse(cli.Case):
    def solve(self, model, *flags, **more):
        return self.ok(model, "inverse", *flags, **more)

    def test_cam_under_a_flat_a_point_and_a_roller_that_does_not_turn(self):
        """torque, guide and contact in closed form; what the motor puts in beyond the tappet's own power is mu F |u|; whichever way the outline runs"""
        mu = 0.2
        for follower, roller in (({"flat": True}, None), ({}, 0.0), ({"curve2": outline("roller.csv")}, 0.012)):
            for backwards in (False, True):
                done = self.solve(tappet(follower, mu), files={**FILES, "cam.csv": circle(R, ECCENTRIC, backwards)})
                y, F, f, torque, u = (np.array(x) for x in zip(*(tappet_forces(roller, mu, t) for t in done.time)))
                self.near(done.series["height"], y, 1e-8, "height")
                self.near(done.series["lobe.F"], F, SPLINE, "contact")
                self.near(done.series["lobe.friction"], f, SPLINE, "friction")
                self.near(done.series["motor.effort"], torque, SPLINE, "motor")
                self.assertEqual((done.units["lobe.friction"], done.marks["lobe.friction"], done.marks["motor.effort"]), ("N", "unique", "unique"))
                lift = np.array([TAPPET * (tappet_forces(roller, 0, t)[3]) for t in done.time]) / TAPPET * SPEED    # without friction the motor lifts, and no more
                self.near(done.series["motor.effort"] * SPEED - lift, mu * F * abs(u), 2 * SPLINE, "what friction takes")

    def test_the_guide_of_a_flat_tappet_carries_the_friction_of_its_cam(self):
        mu = 0.3
        done = self.solve(tappet({"flat": True}, mu), "--frame", "ground", files=FILES)
        F = np.array([tappet_forces(None, mu, t)[1] for t in done.time])
        self.near(done.series["guide.Fx"], mu * F, SPLINE, "the cam drags the tappet along -x; the guide holds it")
        self.near(done.series["lobe.Fx"], 0 * F, SPLINE, "friction is no part of the reaction")

    def test_journal_bearing_with_a_collar(self):
        """torque mu r (radial + axial); the tilting couple of the weight beside it presses nothing"""
        mu, r, axial = 0.12, 0.03, 7.0
        done = self.solve(spatial({"ground": {"markers": {"O": {"at": [0, 0, 0], "axis": [1, 0, 0]}}}, "shaft": {"mass": 2, "inertia": INERTIA, "centroid": [0.2, 0, 0], "markers": {"O": {"at": [0, 0, 0], "axis": [1, 0, 0]}}}},
                                  {"j": {"type": "revolute", "between": ["ground.O", "shaft.O"], "friction": rub(mu, r)}},
                                  drives={"m": {"coordinate": "j.angle", "motion": "3*t"}}, loads={"push": {"type": "force", "to": "shaft", "value": [axial, 0, 0]}}))
        self.near(done.series["j.friction"], -mu * r * (2 * G + axial) + 0 * done.time, 1e-10, "torque")
        self.near(done.series["m.effort"], mu * r * (2 * G + axial) + 0 * done.time, 1e-10, "drive")
        self.assertEqual((done.units["j.friction"], done.marks["j.friction"]), ("N.m", "unique"))

    def test_block_on_an_incline_in_every_way(self):
        """planar, inplane with its turns held, and prismatic along the fall line: f = -mu m g cos(tilt) u/|u|"""
        mu = 0.3
        N = 2 * G * math.cos(TILT)
        for vx, vy in ((1, 0), (0.6, -0.8), (-0.2, 0.1)):
            done = self.solve(incline("planar", rub(mu), drives={"x": {"coordinate": "p.x", "motion": f"{vx}*t"}, "y": {"coordinate": "p.y", "motion": f"{vy}*t"},
                                                                  "turn": {"coordinate": "p.rz", "motion": "0.7*t"}}))
            size = math.hypot(vx, vy)
            self.near(done.series["p.friction.x"], -mu * N * vx / size + 0 * done.time, 1e-10)
            self.near(done.series["p.friction.y"], -mu * N * vy / size + 0 * done.time, 1e-10)
            self.near(done.series["x.effort"], mu * N * vx / size - 2 * G * math.sin(TILT) + 0 * done.time, 1e-10, "drive")
            self.near(done.series["turn.effort"], 0 * done.time, 1e-10)
            self.assertNotIn("p.friction.rz", done.series)

    def test_a_face_with_a_radius_resists_turning_too(self):
        """(vx, vy, r w): the torque takes r times its share of mu N"""
        mu, r, v, w = 0.25, 0.08, 0.3, 5.0
        done = self.solve(incline("planar", rub(mu, r), drives={"x": {"coordinate": "p.x", "motion": f"{v}*t"}, "y": {"coordinate": "p.y", "motion": "0"}, "turn": {"coordinate": "p.rz", "motion": f"{w}*t"}}))
        N, size = 2 * G * math.cos(TILT), math.hypot(v, r * w)
        self.near(done.series["p.friction.x"], -mu * N * v / size + 0 * done.time, 1e-10)
        self.near(done.series["p.friction.rz"], -mu * N * r * r * w / size + 0 * done.time, 1e-10)
        self.near(done.series["turn.effort"], mu * N * r * r * w / size + 0 * done.time, 1e-10)

    def test_bead_on_a_wire_and_a_point_on_a_plane(self):
        mu, W = 0.2, 1.5 * G
        done = self.solve(spatial({"ground": {"markers": {"w": {"at": [0, 0, 0], "axis": [1, 0, 0]}}}, "b": {"mass": 1.5, "particle": True}},
                                  {"wire": {"type": "inline", "between": ["ground.w", "b"], "friction": rub(mu)}}, drives={"d": {"coordinate": "x(b)", "motion": "-2*t"}}))
        self.near(done.series["wire.friction"], mu * W + 0 * done.time, 1e-10)
        done = self.solve(spatial({"b": {"mass": 1.5, "particle": True}}, {"floor": {"type": "inplane", "between": ["ground", "b"], "friction": rub(mu)}},
                                  drives={"x": {"coordinate": "x(b)", "motion": "3*t"}, "y": {"coordinate": "y(b)", "motion": "4*t"}}))
        self.near(done.series["floor.friction.x"], -mu * W * 0.6 + 0 * done.time, 1e-10)
        self.near(done.series["floor.friction.y"], -mu * W * 0.8 + 0 * done.time, 1e-10)

    def test_shaft_that_slides_and_turns(self):
        """Coulomb's cone over (v, r w): what turns slides with next to no force along"""
        mu, r, v, w = 0.3, 0.05, 0.1, 40.0
        done = self.solve(spatial({"ground": {"markers": {"O": {"at": [0, 0, 0], "axis": [1, 0, 0]}}}, "s": {"mass": 4, "inertia": INERTIA, "markers": {"O": {"at": [0, 0, 0], "axis": [1, 0, 0]}}}},
                                  {"j": {"type": "cylindrical", "between": ["ground.O", "s.O"], "friction": rub(mu, r)}},
                                  drives={"along": {"coordinate": "j.distance", "motion": f"{v}*t"}, "turn": {"coordinate": "j.angle", "motion": f"{w}*t"}}))
        size = math.hypot(v, r * w)
        self.near(done.series["j.friction.z"], -mu * 4 * G * v / size + 0 * done.time, 1e-10)
        self.near(done.series["j.friction.rz"], -mu * 4 * G * r * r * w / size + 0 * done.time, 1e-10)

    def test_ball_in_its_socket(self):
        """torque mu r |F| against the angular velocity, on a moving socket too"""
        mu, r, w = 0.2, 0.04, np.array([1.0, -2.0, 2.0])
        spins = {f"w{a}": {"velocity": f"w{a}(b) - ({x})"} for a, x in zip("xyz", w)}
        done = self.solve(spatial({"b": {"mass": 3, "inertia": [0.02, 0.02, 0.02]}}, {"s": {"type": "spherical", "between": ["ground", "b"], "friction": rub(mu, r)}}, constraints=spins))
        for k, a in enumerate("xyz"):
            self.near(done.series[f"s.friction.r{a}"], -mu * r * 3 * G * w[k] / 3 + 0 * done.time, 1e-10, a)
            self.near(done.series[f"w{a}.effort"], mu * r * 3 * G * w[k] / 3 + 0 * done.time, 1e-10, a)

    def test_screw_jack_lifts_with_the_efficiency_of_its_thread(self):
        """torque W r tan(phi + alpha) up and W r tan(phi - alpha) down; eta = tan(alpha)/tan(alpha + phi)"""
        mu, pitch, r = 0.12, 0.006, 0.011
        alpha, phi, W = math.atan2(pitch, 2 * math.pi * r), math.atan(mu), 30 * G
        up, down = self.solve(jack(mu, pitch, r)), self.solve(jack(mu, pitch, r, down=True))
        self.assertGreater(up.series["z"][-1], 0.005)
        self.near(up.series["motor.effort"], -W * r * math.tan(alpha + phi) + 0 * up.time, 1e-10, "up")
        self.near(down.series["motor.effort"], W * r * math.tan(phi - alpha) + 0 * up.time, 1e-10, "down")
        power_in, power_out = up.series["motor.effort"][1] * -2 * math.pi, W * pitch
        self.near(power_out / power_in, math.tan(alpha) / math.tan(alpha + phi), 1e-10, "efficiency")
        self.near(power_in - power_out, abs(up.series["thread.friction"][1]) * 2 * math.pi, 1e-9, "what friction takes")

    def test_guide_in_space_jams_as_the_one_in_the_plane(self):
        """a drawer pulled beside its middle: couples across press both ends; and a couple about the axis presses its sides"""
        mu, h, a, pull = 0.2, 0.1, 0.15, 50.0
        bodies = {"ground": {"markers": {"O": {"at": [0, 0, 0], "axis": [1, 0, 0]}}}, "d": {"mass": 1, "inertia": INERTIA, "markers": {"O": {"at": [0, 0, 0], "axis": [1, 0, 0]}, "h": {"at": [0, a, 0]}}}}
        model = spatial(bodies, {"g": {"type": "prismatic", "between": ["ground.O", "d.O"], "friction": rub(mu, h)}}, gravity=[0, 0, 0], drives={"m": {"coordinate": "g.distance", "motion": "t"}},
                        loads={"pull": {"type": "force", "to": "d.h", "value": [-pull, 0, 0]}})
        done = self.solve(model)                                    # couple a P about z: two ends with a P/2h each
        self.near(done.series["g.friction"], -mu * a * pull / h + 0 * done.time, 1e-9, "two ends")
        model["loads"]["pull"] = {"type": "torque", "to": "d", "value": [4, 0, 0]}
        self.near(self.solve(model).series["g.friction"], -mu * 4 / h + 0 * done.time, 1e-10, "about the axis")
        plane = {"roberval": 1, "space": "planar", "bodies": {"d": {"mass": 1, "inertia": 1, "markers": {"h": [0, a]}}}, "motion": model["motion"],
                 "joints": {"g": {"type": "prismatic", "between": ["ground", "d"], "friction": rub(mu, h)}}, "drives": model["drives"],
                 "loads": {"pull": {"type": "force", "to": "d.h", "value": [-pull, -10]}}}
        flat = self.solve(plane)
        model["loads"]["pull"] = {"type": "force", "to": "d.h", "value": [-pull, -10, 0]}
        self.near(self.solve(model).series["g.friction"], flat.series["g.friction"], 1e-9, "plane and space")

    def test_universal_joint_rubs_in_both_its_pins(self):
        """each pin has mu r (across + along) against its own turn; friction takes what the drive puts in"""
        mu, r, bend = 0.15, 0.02, 0.5
        done = self.solve(spatial({
            "ground": {"markers": {"a": {"at": [0, 0, 0], "axis": [1, 0, 0]}, "b": {"at": [0, 0, 0], "axis": [math.cos(bend), math.sin(bend), 0]}}},
            "one": {"mass": 1, "inertia": INERTIA, "markers": {"a": {"at": [0, 0, 0], "axis": [1, 0, 0]}, "c": {"at": [0, 0, 0], "axis": [0, 0, 1]}}},
            "two": {"mass": 5, "inertia": INERTIA, "markers": {"b": {"at": [0, 0, 0], "axis": [math.cos(bend), math.sin(bend), 0]}, "c": {"at": [0, 0, 0], "axis": [-math.sin(bend), math.cos(bend), 0]}}}},
            {"in": {"type": "revolute", "between": ["ground.a", "one.a"]}, "out": {"type": "general", "between": ["ground.b", "two.b"], "locked": ["rx", "ry"]},
             "cross": {"type": "universal", "between": ["one.c", "two.c"], "friction": rub(mu, r)}},
            drives={"m": {"coordinate": "in.angle", "motion": "2*t"}}, motion={"from": 0.05, "to": 1.05, "step": 0.05},
            output={"z": "dot(one.c.z, ground.z)", "u": "dot(two.c.x, ground.z)", "v": "dot(two.c.y, ground.z)", "w": "dot(two.c.z, ground.z)", "power": "m.effort*in.angle'", "e": "0"}))
        F = 5 * G                                                    # straight up, in the axes of the pins
        for way, along in (("rz", done.series["z"]), ("rx", done.series["w"])):
            want = mu * r * F * (np.sqrt(1 - along ** 2) + abs(along))
            self.near(abs(done.series[f"cross.friction.{way}"]), want, 1e-9, way)

    def test_what_stands_still_prints_0_as_not_unique_with_its_range(self):
        """the drive's effort is as open; what merely turns back at an instant is not"""
        model = {"roberval": 1, "space": "planar", "gravity": [0, -G], "bodies": {"b": {"mass": 2, "inertia": 1}}, "motion": {"from": 0, "to": 1, "step": 0.25},
                 "joints": {"g": {"type": "prismatic", "between": ["ground", "b"], "friction": rub(0.2, static=0.3)}}, "drives": {"d": {"coordinate": "g.distance", "motion": "1"}}}
        done = self.solve(model)
        self.near(done.series["g.friction"], 0 * done.time, 0)
        self.assertEqual({done.marks[n] for n in ("g.friction", "d.effort")}, {"not unique"})
        self.assertEqual(done.marks["g.Fy"], "unique")
        note = " ".join(done.result["notes"])
        self.assertIn("'g' stands still", note)
        self.near(float(re.search(r"limit, -\S+ to (\S+) N;", note)[1]), 0.3 * 2 * G, 1e-4)    # as it is printed
        rubs = done.result["reactions"]["g"]["components"]["friction"]
        self.near([rubs["range_min"], rubs["range_max"]], [-0.3 * 2 * G, 0.3 * 2 * G], 1e-12)
        self.assertNotIn("range_min", done.result["reactions"]["g"]["components"]["Fy"])
        self.assertRegex(cli.run_model(model, "inverse", quiet=False).out, r"friction may be +unit +least +most\ng.friction +N +-5\.88\S* +5\.88")
        model["loads"] = {"w": {"type": "force", "to": "b", "value": ["0", "-t*10[N/s]"]}}       # the range is that of the largest load met while it stands
        rubs = self.solve(model).result["reactions"]["g"]["components"]["friction"]
        self.near([rubs["range_min"], rubs["range_max"]], [-0.3 * (2 * G + 10), 0.3 * (2 * G + 10)], 1e-12)
        del model["loads"]
        model["drives"]["d"]["motion"] = "(t - 0.5)^2"
        self.assertEqual(self.solve(model).marks["d.effort"], "unique")

    def test_what_has_no_friction_says_why(self):
        bodies = {"a": {"mass": 1, "inertia": INERTIA}, "b": {"mass": 1, "inertia": INERTIA, "pose": {"at": [1, 0, 0]}}}
        for joint, word in (({"type": "fixed"}, "nothing slides"), ({"type": "free"}, "holds nothing"), ({"type": "link"}, "needs the radius"), ({"type": "x"}, "no faces"), ({"type": "constant-velocity"}, "needs the radius"),
                            ({"type": "parallel"}, "no faces"), ({"type": "revolute"}, "needs the radius"), ({"type": "spherical"}, "needs the radius"), ({"type": "chain", "radii": [0.1, 0.1]}, "do not slip")):
            done = cli.run_model(spatial(bodies, {"j": {**joint, "between": ["ground", "a"], "friction": {"coefficient": 0.1}}}), "check")
            self.assertEqual(done.code, 2, joint)
            self.assertRegex(done.err, word)

    def test_bead_on_a_helix_that_turns(self):
        """z is driven and the wire turns: m a = m g + N + f, N square to the tangent t, f = -mu |N| t along a wire that is slower"""
        mu, r, lead, m, w = 0.2, 0.2, 0.3, 0.7, 1.5
        done = self.solve(helix(mu, drives={"turn": {"coordinate": "pin.angle", "motion": f"{w}*t"}, "lift": {"coordinate": "z(bead)", "motion": "0.02 + 0.1*t"}}), files=HELIX)
        k = 2 * math.pi / lead
        spin = w + 0.1 * k                                              # of the bead about the axis
        size = math.hypot(r, 1 / k)
        t = np.array([0, r, 1 / k]) / size                              # radial, around, up
        # m a = (-m r spin^2, 0, 0); lift L along z: N + f = (-m r spin^2, 0, m G - L), N.t = 0, f = -mu |N| t
        low, high = -50.0, 50.0
        for _ in range(100):
            L = (low + high) / 2
            total = np.array([-m * r * spin ** 2, 0, m * G - L])
            f = total @ t
            low, high = (L, high) if f > -mu * np.linalg.norm(total - f * t) else (low, L)
        self.near(done.series["lift.effort"], L + 0 * done.time, SPLINE, "lift")
        self.near(done.series["wire.friction"], f + 0 * done.time, SPLINE, "friction")
        self.near(done.series["turn.effort"], f * t[1] * -r + (total - f * t)[1] * -r + 0 * done.time, SPLINE, "the wire's drive")

    def test_general_takes_the_faces_of_the_kind_it_is(self):
        more = {"drives": {"m": {"coordinate": "p.rz", "motion": "t"}}}
        bodies = {"b": {"mass": 2, "inertia": INERTIA}}
        one = self.solve(spatial(bodies, {"p": {"type": "revolute", "between": ["ground", "b"], "friction": rub(0.1, 0.1)}}, drives={"m": {"coordinate": "p.angle", "motion": "t"}}))
        two = self.solve(spatial(bodies, {"p": {"type": "general", "locked": ["x", "y", "z", "rx", "ry"], "between": ["ground", "b"], "friction": rub(0.1, 0.1)}}, **more))
        self.near(one.series["p.friction"], two.series["p.friction"], 1e-12)


def helix(mu, **more):
    return spatial({"screw": {"mass": 2, "inertia": [0.1, 0.1, 0.05]}, "bead": {"particle": True, "mass": 0.7, "pose": {"at": [0.2 * math.cos(0.4 * math.pi / 3), 0.2 * math.sin(0.4 * math.pi / 3), 0.02]}}},
                   {"pin": {"type": "revolute", "between": ["ground", "screw"]}, "wire": {"type": "cam", "between": ["screw", "bead"], "curve": {"file": "helix.csv", "x": "x", "y": "y", "z": "z"}, "friction": rub(mu)}}, **more)


TURNS = np.linspace(-2 * math.pi, 2 * math.pi, 2 * POINTS)
HELIX = {"helix.csv": "x [m],y [m],z [m]\n" + "".join(f"{0.2 * math.cos(a)!r},{0.2 * math.sin(a)!r},{0.3 * a / (2 * math.pi)!r}\n" for a in TURNS)}
GROUND, DISK, MASS = 0.5, 0.1, 2.0       # radii of a cylinder that stands still, and of a disk on top of it
SPIN = MASS * DISK ** 2 / 2


def disk(mu, angle, spin, until):
    """On its side at `angle` from the top, at rest but for its spin."""
    far = GROUND + DISK
    return {"roberval": 1, "space": "planar", "gravity": [0, -G], "bodies": {"disk": {"mass": MASS, "inertia": SPIN, "pose": {"at": [far * math.sin(angle), far * math.cos(angle)]}}},
            "joints": {"c": {"type": "cam", "between": ["ground", "disk"], "curve": outline("ground.csv"), "curve2": outline("disk.csv"), "friction": rub(mu)}},
            "initial": {"x(disk)": far * math.sin(angle), "x(disk)'": 0, "angle(disk)": 0, "angle(disk)'": spin}, "motion": {"from": 0, "to": until, "step": 0.05},
            "output": {"phi": "atan2(x(disk), y(disk))", "turn": "angle(disk)", "rate": "(x(disk)'*y(disk) - y(disk)'*x(disk))/(x(disk)^2 + y(disk)^2)"}}


DISKS = {"ground.csv": circle(GROUND), "disk.csv": circle(DISK)}


def disk_slides(mu, way):
    """(phi, turn, phi', turn')': the tangent goes with phi, friction against `way` of the slip L phi' + r turn'"""
    far = GROUND + DISK

    def f(y):
        N = MASS * (G * math.cos(y[0]) - far * y[2] ** 2)
        return np.array([y[2], y[3], (G * math.sin(y[0]) - way * mu * N / MASS) / far, -way * mu * N * DISK / SPIN])
    return f


class Simulate(cli.Case):
    def go(self, model, *flags, **more):
        return self.ok(model, "simulate", *flags, **more)

    def test_a_disk_rolls_down_a_cylinder_on_the_friction_of_its_outline(self):
        """the contact sticks, and wanders: phi'^2 L^2 (m + J/r^2)/2 = m g L (cos phi0 - cos phi), friction m g sin(phi)/(1 + m r^2/J)"""
        done = self.go(disk(0.6, 0.2, 0, 0.6), files=DISKS)
        far, phi = GROUND + DISK, done.series["phi"]
        self.near(done.series["rate"] ** 2, 2 * MASS * G * (math.cos(0.2) - np.cos(phi)) / (MASS + SPIN / DISK ** 2) / far, 1e-6, "energy")
        self.near(done.series["turn"], -far / DISK * (phi - 0.2), 1e-7, "rolls")
        self.near(abs(done.series["c.friction"]), MASS * G * np.sin(phi) / 3, SPLINE, "friction")
        self.assertEqual(self.events(done), [])
        self.assertEqual(done.marks["c.friction"], "unique")

    def test_a_disk_slides_down_a_cylinder(self):
        done = self.go(disk(0.05, 0.3, 0, 0.45), files=DISKS)
        end = runge_kutta(disk_slides(0.05, 1), np.array([0.3, 0, 0, 0.0]), 0.45, 2000)
        self.near([done.series["phi"][-1], done.series["turn"][-1]], end[:2], 1e-6)
        self.near(abs(done.series["c.friction"]), 0.05 * abs(done.series["c.F"]), 1e-12, "Coulomb's law")
        self.assertLess(abs(done.result["integration"]["energy_error"]), 1e-6)

    def test_a_disk_that_spins_slides_and_then_rolls(self):
        """until L phi' + r turn' = 0"""
        mu, far = 0.4, GROUND + DISK
        done = self.go(disk(mu, 0.2, 10, 0.8), files=DISKS)
        f, low, high = disk_slides(mu, 1), 0.0, 0.3
        for _ in range(40):
            middle = (low + high) / 2
            y = runge_kutta(f, np.array([0.2, 0, 0, 10.0]), middle, 400)
            low, high = (middle, high) if far * y[2] + DISK * y[3] > 0 else (low, middle)
        self.assertEqual(self.events(done), [("c", "stick")])
        self.near(done.result["integration"]["events"][0]["t"], low, 1e-6)

        def rolls(y):
            a = G * math.sin(y[0]) / 1.5 / far
            return np.array([y[2], y[3], a, -a * far / DISK])
        self.near([done.series["phi"][-1], done.series["turn"][-1]], runge_kutta(rolls, y, 0.8 - low, 2000)[:2], 1e-6)

    def test_a_bead_slides_down_a_helix(self):
        """s'' = g k/l - mu |N|/m, N/m = (r (w - s'/l)^2, g r/l) across, l the length of the wire per radian, k its rise, w the rate of the wire; or it goes round with the wire"""
        r, k = 0.2, 0.3 / (2 * math.pi)
        length = math.hypot(r, k)
        for mu, w in ((0.1, 0.0), (0.1, 1.5), (0.3, 0.0), (0.3, 1.5)):
            def f(y):
                return np.array([y[1], G * k / length - mu * math.hypot((w - y[1] / length) ** 2 * r, G * r / length)])
            done = self.go(helix(mu, drives={"turn": {"coordinate": "pin.angle", "motion": f"{w}*t"}}, initial={"z(bead)": 0.02, "z(bead)'": 0}, output={"x": "x(bead)", "z": "z(bead)"}), files=HELIX)
            slides = f(np.zeros(2))[1] > 0
            way = np.array([runge_kutta(f, np.zeros(2), t, 1000)[0] if t > 0 and slides else 0.0 for t in done.time])
            self.near(done.series["z"], 0.02 - way * k / length, 2e-6 if slides else 1e-9)
            self.near(done.series["x"], r * np.cos(0.02 / k - way / length + w * done.time), 5e-6 if slides else 1e-7)
            self.assertEqual(slides, mu < 0.2)
            if not slides:
                self.near(abs(done.series["wire.friction"]), 0.7 * G * k / length + 0 * done.time, SPLINE)

    def test_a_disk_that_lifts_off_rubs_no_more(self):
        """slides down until nothing presses, then flies: a parabola, and its turning stays; rolling down, it slides first"""
        for mu, start in ((0.05, 0.3), (0.0, 0.3), (0.6, 0.2)):
            model = disk(mu, start, 0, 1.0)
            model["joints"]["c"]["unilateral"] = True
            model["output"].update(x="x(disk)", y="y(disk)")
            done = self.go(model, files=DISKS)
            names = [kind for _, kind in self.events(done)]
            self.assertEqual(names, ["release"] if mu < 0.5 else ["slip", "release"])
            leaves = done.result["integration"]["events"][-1]["t"]
            if mu < 0.5:
                y, far = runge_kutta(disk_slides(mu, 1), np.array([start, 0, 0, 0.0]), leaves, 4000), GROUND + DISK
                self.near(G * math.cos(y[0]) - far * y[2] ** 2, 0, 1e-4, "nothing presses when it leaves")
                after = done.time >= leaves
                t = done.time[after] - leaves
                self.assertGreater(len(t), 5)
                self.near(done.series["x"][after], far * math.sin(y[0]) + far * y[2] * math.cos(y[0]) * t, 2e-6, "x")
                self.near(done.series["y"][after], far * math.cos(y[0]) - far * y[2] * math.sin(y[0]) * t - G * t * t / 2, 2e-6, "y")
                self.near(done.series["turn"][after], y[1] + y[3] * t, 2e-6, "turn")
                self.near(done.series["c.friction"][after], 0 * t, 0)
            self.assertLess(abs(done.result["integration"]["energy_error"]), 1e-6)

    def test_a_cam_that_lands_is_rubbed_by_its_impulse(self):
        """falls 10 mm on to a cam that turns: the motor's impulse is P e cos(phi) + mu P (R + e sin(phi)), P = 2 kg (fall + rise of the cam)"""
        model = tappet({"flat": True, "unilateral": True}, 0.2)
        done = self.go(model, files=FILES)
        first = done.result["integration"]["events"][0]
        self.assertEqual((first["name"], first["kind"]), ("lobe", "impact"))
        t = first["t"]
        phi = SPEED * t
        k = int(np.argmax(done.time > t))
        rise = ECCENTRIC * SPEED * math.cos(phi)
        P = first["impulse"]
        self.near(P / TAPPET, rise - done.series["tappet.vy"][k - 1] + G * (t - done.time[k - 1]), 1e-4)
        self.near(done.series["motor.impulse"][k], P * ECCENTRIC * math.cos(phi) + 0.2 * P * (R + ECCENTRIC * math.sin(phi)), 1e-5)
        model["joints"]["lobe"]["friction"] = rub(0)
        self.go(model, files=FILES)
        model["joints"]["lobe"]["friction"] = rub(0.2)
        model["bodies"]["tappet"]["pose"]["at"] = [0, R]              # on it from the start
        model["initial"] = {"guide.distance": R, "guide.distance'": ECCENTRIC * SPEED}
        done = self.go(model, files=FILES)
        _, F, f, torque, _ = (np.array(x) for x in zip(*(tappet_forces(None, 0.2, t) for t in done.time)))
        self.near(done.series["lobe.F"], F, SPLINE)
        self.near(done.series["lobe.friction"], f, SPLINE)
        self.near(done.series["motor.effort"], torque, SPLINE)

    def test_a_driven_cam_rubs_as_in_inverse(self):
        mu = 0.2
        done = self.go(tappet({"flat": True}, mu), files=FILES)
        _, F, f, torque, _ = (np.array(x) for x in zip(*(tappet_forces(None, mu, t) for t in done.time)))
        self.near(done.series["lobe.F"], F, SPLINE)
        self.near(done.series["lobe.friction"], f, SPLINE)
        self.near(done.series["motor.effort"], torque, SPLINE)

    def events(self, done):
        return [(e["name"], e["kind"]) for e in done.result["integration"]["events"]]

    @cli.long
    def test_a_block_thrown_across_an_incline_curves_and_stops(self):
        """m u' = m g sin - mu N u/|u|, by Runge-Kutta until it is slow; then it stays for ever"""
        mu, u0 = 0.5, np.array([0.8, 1.0])
        model = incline("planar", rub(mu), initial={"p.x'": u0[0], "p.y'": u0[1], "p.rz": 0, "p.rz'": 0}, motion={"from": 0, "to": 0.8, "step": 0.1}, output={"x": "p.x", "y": "p.y"})

        def f(y):
            u = y[2:]
            return np.array([u[0], u[1], G * math.sin(TILT) - mu * G * math.cos(TILT) * u[0] / math.hypot(*u), -mu * G * math.cos(TILT) * u[1] / math.hypot(*u)])

        done = self.go(model)
        want = np.array([runge_kutta(f, np.concatenate([[0, 0], u0]), t, 4000) if t > 0 else np.concatenate([[0, 0], u0]) for t in done.time])
        self.near(done.series["x"], want[:, 0], 1e-8, "x")
        self.near(done.series["y"], want[:, 1], 1e-8, "y")
        model["motion"] = {"from": 0, "to": 10000, "step": 1000}
        done = self.go(model)
        self.assertEqual(self.events(done), [("p", "stick")])
        for name in "xy":
            self.assertLess(np.ptp(done.series[name][1:]), 1e-14)    # rounding of one position
        self.near(done.series["p.friction.x"][1:], -2 * G * math.sin(TILT) + 0 * done.time[1:], 1e-10, "what holds it")
        self.assertLess(abs(done.result["integration"]["energy_error"]), 1e-7)

    def test_it_slips_where_the_pull_passes_the_limit_and_that_way(self):
        """force (3, 4) t on a level plane: at |F| = static m g, along (0.6, 0.8), then with the smaller coefficient"""
        mu, static = 0.2, 0.3
        model = spatial({"b": {"mass": 2, "inertia": INERTIA}}, {"p": {"type": "planar", "between": ["ground", "b"], "friction": rub(mu, static=static)}},
                        loads={"pull": {"type": "force", "to": "b", "value": ["3[N/s]*t", "4[N/s]*t", 0]}}, motion={"from": 0, "to": 3, "step": 0.25}, output={"x": "x(b)", "y": "y(b)"},
                        initial={"p.rz": 0, "p.rz'": 0})
        done = self.go(model)
        begins = static * 2 * G / 5
        self.near(done.result["integration"]["events"][0]["t"], begins, 1e-9, "begins")
        t = np.maximum(done.time - begins, 0)
        s = ((5 * begins / 2 - mu * G) * t ** 2 / 2 + 5 / 2 * t ** 3 / 6)
        self.near(done.series["x"], 0.6 * s, 1e-8)
        self.near(done.series["y"], 0.8 * s, 1e-8)

    def test_slip_begins_in_the_direction_in_which_the_motion_does(self):
        """faces with u = (v, r w) of unequal masses m, J/r^2, pulled by F = (f t, q t/r): slip at |F| = static N, along the u to which u' = (F1 - mu N u1/|u|)/m, (F2 - mu N u2/|u|) r^2/J is parallel;
        Runge and Kutta from there, in small steps at first: 1e-6. The pull's own direction is not that one."""
        mu, static, N, r, m, f, q, end = 0.3, 0.5, 10, 0.05, 1, 2, 0.1, 4

        def joints(kind, J):
            push = [10, 0, f"{f}[N/s]*t"] if kind == "cylindrical" else [f"{f}[N/s]*t", 0, 0]
            return {**spatial({"b": {"mass": m, "inertia": [J, J, J]}}, {"p": {"type": kind, "between": ["ground", "b"], "friction": rub(mu, r, static)}}, motion={"from": 0, "to": end, "step": 0.5},
                              loads={"f": {"type": "force", "to": "b", "value": push}, "q": {"type": "torque", "to": "b", "value": [0, 0, f"{q}[N*m/s]*t"]}}), "gravity": [0, 0, 0 if kind == "cylindrical" else -10]}
        for kind, J in (("cylindrical", 0.02), ("planar", 0.02), ("cylindrical", 0.0005), ("planar", 0.3)):
            G2 = m * r * r / J
            begins = static * N / math.hypot(f, q / r)
            F = np.array([f, q / r])

            def rate(t, angle):
                return (F * t - mu * N * np.array([math.cos(angle), math.sin(angle)])) * [1 / m, G2 / m]

            def turns(angle):
                return math.cos(angle) * rate(begins, angle)[1] - math.sin(angle) * rate(begins, angle)[0]
            low, high = 0.0, math.pi / 2       # turns falls through its one zero there: motions turn towards it
            self.assertTrue(turns(low) > 0 > turns(high))
            for _ in range(60):
                middle = (low + high) / 2
                low, high = (middle, high) if turns(middle) > 0 else (low, middle)
            first = 1e-7
            y = np.concatenate([[begins + first], first * rate(begins, low)])

            def flow(y):
                return np.concatenate([[1], rate(y[0], math.atan2(y[2], y[1]))])
            at = first
            while begins + at < end:           # steps grow with |u|
                step = min(at / 50, 0.002, end - begins - at)
                y = runge_kutta(flow, y, step, 1)
                at += step
            done = self.go(joints(kind, J))
            self.assertEqual(self.events(done), [("p", "slip")])
            self.near(done.result["integration"]["events"][0]["t"], begins, 1e-9, "begins")
            self.near(done.series["b.vz" if kind == "cylindrical" else "b.vx"][-1:], y[1:2], 1e-6, "v")
            self.near(done.series["b.omegaz"][-1:], y[2:] / r, 1e-6, "w")

    @cli.long
    def test_slip_begins_slowly_where_static_friction_is_no_larger(self):
        """as above with static = coefficient: u' = 0 at first. Polar: u = s (cos a, sin a), with dt = s dT  da/dT = u'.(-sin a, cos a), ds/dT = s u'.(cos a, sin a) is smooth; Runge and Kutta from 2 ms after the
        instant on, a being where it turns no more. 1e-6: the tolerance, and the start's (0.002)^2/2."""
        mu, N, r, J, f, q = 0.3, 10, 0.05, 0.02, 2, 0.1
        begins, G2, late = mu * N / f / math.sqrt(2), r * r / J, 2e-3

        def parts(t, a):
            c, n = math.cos(a), math.sin(a)
            x, y = f * t - mu * N * c, (q / r * t - mu * N * n) * G2
            return c * y - n * x, c * x + n * y

        def settled(t):
            low, high = 0, math.pi / 2
            for _ in range(50):
                low, high = ((low + high) / 2, high) if parts(t, (low + high) / 2)[0] > 0 else (low, (low + high) / 2)
            return low

        def flow(y):
            turns, gains = parts(y[0], y[1])
            return np.array([y[2], turns, y[2] * gains])
        times = begins + late * (np.arange(100) + 0.5) / 100
        y = np.array([begins + late, settled(begins + late), sum(parts(t, settled(t))[1] for t in times) * late / 100])
        while 3 - y[0] > 1e-11:
            y = runge_kutta(flow, y, min(0.05, 0.004 / y[2], 0.5 * (3 - y[0]) / y[2] if 3 - y[0] > 1e-6 else (3 - y[0]) / y[2]), 1)
        done = self.go({**spatial({"b": {"mass": 1, "inertia": [J, J, J]}}, {"p": {"type": "planar", "between": ["ground", "b"], "friction": rub(mu, r)}}, motion={"from": 0, "to": 3, "step": 0.5},
                                  loads={"f": {"type": "force", "to": "b", "value": [f"{f}[N/s]*t", 0, 0]}, "q": {"type": "torque", "to": "b", "value": [0, 0, f"{q}[N*m/s]*t"]}}), "gravity": [0, 0, -10]})
        self.near(done.result["integration"]["events"][0]["t"], begins, 1e-9, "begins")
        self.near(done.series["b.vx"][-1:], y[2] * np.cos(y[1:2]), 1e-6, "v")
        self.near(done.series["b.omegaz"][-1:], y[2] * np.sin(y[1:2]) / r, 1e-6, "w")

    def test_ball_joint_brakes_a_spinning_body_and_holds_it(self):
        """J w' = -mu r N w/|w| for equal inertias: |w| falls by mu r N/J a second; at rest it stays where it is"""
        mu, r, J, w = 0.2, 0.05, 0.02, np.array([1.0, 2.0, -2.0])
        model = spatial({"b": {"mass": 3, "inertia": [J, J, J]}}, {"s": {"type": "spherical", "between": ["ground", "b"], "friction": rub(mu, r)}},
                        initial={f"w{a}(b)": x for a, x in zip("xyz", w)}, motion={"from": 0, "to": 0.3, "step": 0.05}, output={f"w{a}": f"w{a}(b)" for a in "xyz"})
        done = self.go(model)
        speed = np.maximum(3 - mu * r * 3 * G / J * done.time, 0)
        for k, a in enumerate("xyz"):
            self.near(done.series[f"w{a}"], w[k] / 3 * speed, 1e-8, a)
        self.assertEqual(self.events(done), [("s", "stick")])
        model["motion"] = {"from": 0, "to": 10000, "step": 2000}
        done = self.go(model)
        for q in ("qw", "qx", "qy", "qz"):
            self.assertLess(np.ptp(done.series[f"b.{q}"][1:]), 1e-14)

    def test_a_ball_joint_holds_a_beam_out_or_lets_it_fall(self):
        """it holds m g a up to static r |F|"""
        for radius, holds in ((0.6, True), (0.4, False)):
            done = self.go(spatial({"b": {"mass": 3, "inertia": INERTIA, "centroid": [0.1, 0, 0]}}, {"s": {"type": "spherical", "between": ["ground", "b"], "friction": rub(0.2, radius)}},
                                   motion={"from": 0, "to": 0.5, "step": 0.25}, output={"z": "z(b)", "w": "wy(b)"}))
            if holds:
                self.near(done.series["s.friction.ry"], -3 * G * 0.1 + 0 * done.time, 1e-10)
            self.assertEqual(abs(done.series["w"][-1]) < 1e-12, holds)

    def test_a_nut_runs_down_a_steep_thread_and_stays_on_a_flat_one(self):
        """(m + J/k^2...) : with k = pitch/2pi, thread forces as on an incline of angle alpha with the mass m and J/r^2 around"""
        m, J, r = 30.0, 0.04, 0.011
        for pitch, mu in ((0.02, 0.1), (0.006, 0.1)):
            alpha = math.atan2(pitch, 2 * math.pi * r)
            model = spatial({"nut": {"mass": m, "inertia": [0.02, 0.03, J]}}, {"thread": {"type": "screw", "between": ["ground", "nut"], "pitch": pitch, "friction": rub(mu, r)}},
                            motion={"from": 0, "to": 0.5, "step": 0.1}, output={"z": "z(nut)"})
            done = self.go(model)
            # N normal to the thread, f along it up: m (g - a) = N cos + f sin, J w' = r (N sin - f cos), a = r w' tan(alpha)
            A = np.array([[m, math.cos(alpha) + mu * math.sin(alpha)], [J / (r * r * math.tan(alpha)), -(math.sin(alpha) - mu * math.cos(alpha))]])
            a = np.linalg.solve(A, [m * G, 0])[0] if math.tan(alpha) > mu else 0
            self.near(done.series["z"], -a * done.time ** 2 / 2, 1e-8, "falls")
            if a == 0:
                self.assertLess(np.ptp(done.series["z"]), 1e-14)

    @cli.long
    def test_a_shaft_slides_down_while_it_turns(self):
        """m v' = m g - mu N v/|u|, J w' = -mu N r^2 w/|u|, u = (v, r w): spin takes the friction along"""
        mu, r, m, J, push = 0.4, 0.03, 2.0, 0.04, 60.0
        model = spatial({"s": {"mass": m, "inertia": [0.02, 0.02, J]}}, {"j": {"type": "cylindrical", "between": ["ground", "s"], "friction": rub(mu, r)}},
                        loads={"press": {"type": "force", "to": "s", "value": [push, 0, 0]}}, initial={"j.distance": 0, "j.distance'": 0, "j.angle": 0, "j.angle'": 50},
                        motion={"from": 0, "to": 1, "step": 0.1}, output={"z": "z(s)", "turn": "j.angle"})

        def f(y):
            size = math.hypot(y[2], r * y[3])
            return np.array([y[2], y[3], -G - mu * push / m * y[2] / size, -mu * push * r * r / J * y[3] / size])

        done = self.go(model)
        want = np.array([runge_kutta(f, np.array([0, 0, 0, 50.0]), t, 4000) if t > 0 else np.zeros(4) for t in done.time])
        self.near(done.series["z"], want[:, 0], 1e-7)
        self.near(done.series["turn"], want[:, 1], 1e-7)
        self.assertLess(abs(done.result["integration"]["energy_error"]), 1e-6)

    def test_plane_and_space_agree(self):
        """a pendulum on a rough pin swings out, sticks, in the plane and about an axis of space"""
        plane = {"roberval": 1, "space": "planar", "gravity": [0, -G], "bodies": {"b": {"mass": 2, "inertia": 0.03, "centroid": [0.4, 0]}}, "motion": {"from": 0, "to": 4, "step": 0.25},
                 "joints": {"O": {"type": "revolute", "between": ["ground", "b"], "friction": rub(0.4, 0.1)}}, "output": {"a": "O.angle"}}
        space = {**plane, "space": "spatial", "gravity": [0, -G, 0], "bodies": {"b": {"mass": 2, "inertia": [0.03, 0.03, 0.03], "centroid": [0.4, 0, 0]}}}
        one, two = self.go(plane), self.go(space)
        self.near(one.series["a"], two.series["a"], 1e-6)
        self.near(one.series["O.friction"], two.series["O.friction"], 1e-5)
        self.assertEqual(self.events(one), self.events(two))

    def test_a_rope_that_friction_pulls_only_while_it_sticks_goes_slack_when_it_gives_way(self):
        """two sleds on a rail, a rope between them: the pull on the first breaks it away, and then it gains on the second"""
        for coordinates in ("absolute", "natural", "joint"):
            for pull in (30, 5, 0.5):
                sled = {"mass": 1, "inertia": 1}
                model = {"roberval": 1, "space": "planar", "gravity": [0, -G], "bodies": {"a": sled, "b": {**sled, "pose": {"at": [1, 0]}}},
                         "joints": {"p": {"type": "prismatic", "between": ["ground", "a"], "friction": rub(0.1)}, "q": {"type": "prismatic", "between": ["ground", "b"]}, "r": {"type": "link", "between": ["a", "b"], "unilateral": True}},
                         "loads": {"f": {"type": "force", "to": "a", "value": [pull, 0]}, "g": {"type": "force", "to": "b", "value": [10, 0]}}, "motion": {"from": 0, "to": 0.05, "step": 0.05}}
                done = self.ok(model, "simulate", "--coordinates", coordinates)
                f = 0.1 * G
                slack = pull - f > 10
                first = pull - f if slack else (pull + 10 - f) / 2
                self.near(done.series["p.distance''"][0], first, 1e-10, "first")
                self.near(done.series["q.distance''"][0], 10 if slack else first, 1e-10, "second")
                self.near(done.series["r.F"][0], 0 if slack else 10 - first, 1e-10, "rope")

    def test_what_falls_freely_neither_slips_nor_flutters(self):
        """a hinge with friction between bodies that fall, or fly without turning, carries rounding: it sticks, nothing happens (events at any time, or an end by changes without end)"""
        for gravity in ([1, 2], [0, -G], [0.3, -9]):
            for pose in (0.3, 0.7, 1.1, 2, 2.9):
                c, s = math.cos(pose), math.sin(pose)
                model = {"roberval": 1, "space": "planar", "gravity": gravity, "motion": {"from": 0, "to": 1, "step": 0.5},
                         "bodies": {"a": {"mass": 1.3, "inertia": 0.1, "centroid": [0.13, 0.21], "pose": {"at": [0.2, 0.3], "angle": pose}, "markers": {"e": [0.71, 0.13]}},
                                    "b": {"mass": 2, "inertia": 0.2, "centroid": [0.3, 0.1], "pose": {"at": [0.2 + 0.71 * c - 0.13 * s, 0.3 + 0.71 * s + 0.13 * c], "angle": 1.1}}},
                         "joints": {"w": {"type": "revolute", "between": ["a.e", "b"], "friction": rub(0.2, 0.05)}}}
                for coordinates in ("absolute", "natural", "joint"):
                    done = self.ok(model, "simulate", "--coordinates", coordinates)
                    self.assertEqual(done.result["integration"]["events"], [])
                    self.near(done.series["w.angle"], [1.1 - pose] * 3, 1e-12, "angle")

    def test_a_slide_whose_angle_is_held_twice_slips_as_any_other(self):
        """the couple that both share is open, and presses no face: rounding of it held what slips, by couples of 1e17 N m"""
        for a in (0, 0.7, 1.3):
            along, across = 30 * math.cos(a) - (2 + 2 * G) * math.sin(a), 30 * math.sin(a) + (2 + 2 * G) * math.cos(a)
            model = {"roberval": 1, "space": "planar", "gravity": [0, -G],
                     "bodies": {"ground": {"markers": {"R": {"at": [0.1, 0.2], "angle": a}, "Q": {"at": [0.3, -0.2], "angle": a + 0.3}}},
                                "b": {"mass": 2, "inertia": 0.1, "centroid": [0.1, 0.2], "pose": {"at": [0, 0], "angle": a + 0.4}, "markers": {"R": {"at": [0.1, 0.22], "angle": -0.4}, "Q": {"at": [-0.3, 0.1], "angle": -0.1}}}},
                     "joints": {"p": {"type": "prismatic", "between": ["ground.R", "b.R"], "friction": rub(0.2)}, "q": {"type": "parallel", "between": ["ground.Q", "b.Q"]}},
                     "loads": {"f": {"type": "force", "to": "b", "value": [30, -2]}}, "motion": {"from": 0, "to": 0.1, "step": 0.1}}
            for coordinates in ("absolute", "joint"):
                done = self.ok(model, "simulate", "--coordinates", coordinates)
                self.near(done.series["p.Fy"], [across] * 2, 1e-10, "Fy")
                self.near(done.series["p.friction"], [-math.copysign(0.2 * across, along)] * 2, 1e-10, "friction")
                self.near(done.series["p.distance''"], [(along - math.copysign(0.2 * across, along)) / 2] * 2, 1e-10, "acceleration")
                self.near(done.series["p.Tz"], done.series["q.Tz"], 1e-10, "of least norm: halves")

    def test_friction_that_sticks_together_is_one_answer_of_least_norm(self):
        """a constraint and friction hold a block against 5 N: both printed as not unique, together 5 N; the rows are those without friction"""
        model = {"roberval": 1, "space": "planar", "gravity": [0, -G], "bodies": {"b": {"mass": 3, "inertia": 0.1}}, "constraints": {"d": {"equation": "x(b)"}}, "motion": {"from": 0, "to": 1, "step": 0.5},
                 "joints": {"l": {"type": "prismatic", "between": ["ground", "b"], "friction": rub(0.3)}}, "loads": {"p": {"type": "force", "to": "b", "value": [-5, 0]}}}
        done = self.go(model)
        self.near(done.series["d.effort"] + done.series["l.friction"], 5 + 0 * done.time, 1e-12)
        self.assertEqual({done.marks[n] for n in ("d.effort", "l.friction")}, {"not unique"})
        self.assertEqual([done.result["mobility"][n] for n in ("rows", "rank", "redundant", "degrees_of_freedom")], [3, 3, 0, 0])


class Hold(cli.Case):
    def ask(self, model, parameter, *flags, **more):
        return self.ok(model, "statics", "--hold", parameter, *flags, **more).result["hold"]

    def test_eccentric_clamp(self):
        """M = W (e cos(angle) +- mu (R + e sin(angle))): where that holds 0 the clamp locks itself"""
        angle, W = 1.2, 50.0
        for mu, locks in ((0.05, False), (0.15, True)):
            model = tappet({"flat": True}, mu, parameters={"M": "0.15 N.m"})
            del model["drives"], model["output"], model["gravity"]
            model["bodies"]["cam"]["pose"] = {"at": [0, 0], "angle": angle}
            model["bodies"]["tappet"]["pose"] = {"at": [0, R + ECCENTRIC * math.sin(angle)]}
            model["loads"] = {"work": {"type": "force", "to": "tappet", "value": [0, -W]}, "hand": {"type": "torque", "to": "cam", "value": "M"}}
            model["initial"] = {"shaft.angle": angle}
            hold = self.ask(model, "M", files=FILES)
            middle, half = W * ECCENTRIC * math.cos(angle), mu * W * (R + ECCENTRIC * math.sin(angle))
            self.ends(hold, middle - half, middle + half, SPLINE)
            self.assertEqual(hold["min"] < 0, locks)

    def ends(self, hold, least, most, tol=1e-9):
        for got, want in ((hold["min"], least), (hold["max"], most)):
            if want is None:
                self.assertIsNone(got)
            else:
                self.near(got, want, tol)

    def test_block_on_an_incline(self):
        """m g (sin - mu cos) to m g (sin + mu cos), with the static coefficient; 5 N holds, 50 N does not"""
        model = incline("planar", rub(0.2, static=0.25), parameters={"P": "5 N"}, loads={"up": {"type": "force", "to": "b", "value": ["-P", 0, 0], "frame": "body"}})
        N = 2 * G * math.cos(TILT)
        hold = self.ask(model, "P")
        self.ends(hold, 2 * G * math.sin(TILT) - 0.25 * N, 2 * G * math.sin(TILT) + 0.25 * N)
        self.assertEqual((hold["holds"], hold["unit"], hold["at_limit"], hold["others"]), (True, "N", ["p"], []))
        self.assertFalse(self.ask(model, "P", "--set", "P=50 N")["holds"])

    def test_stops_and_conditions(self):
        """mu N = 6 N: a lower stop that touches takes any push against it, an upper one any pull, one that is away or not active nothing; a clamp that holds takes all, and a spring that acts moves the range"""
        base = {"roberval": 1, "space": "planar", "gravity": [0, -10], "parameters": {"P": "1 N"}, "bodies": {"b": {"mass": 2, "inertia": 1, "pose": {"at": [0.5, 0]}}},
                "joints": {"p": {"type": "prismatic", "between": ["ground", "b"], "friction": {"coefficient": 0.3}}},
                "loads": {"pull": {"type": "force", "to": "b", "value": ["P", 0]},
                          "spring": {"type": "spring", "between": ["ground", "b"], "stiffness": 10, "free_length": 0.2, "active": "t > 1[s]"}}}
        stop = {"coordinate": "p.distance"}
        for stops, least, most in (({}, -6, 6), ({"s": {**stop, "min": 0.5}}, None, 6), ({"s": {**stop, "max": 0.5}}, -6, None), ({"s": {**stop, "min": 0.4}}, -6, 6), ({"s": {**stop, "min": 0.5, "active": "t > 1[s]"}}, -6, 6)):
            self.ends(self.ask({**base, "stops": stops}, "P"), least, most)
        self.ends(self.ask(base, "P", "--from", "2"), -6 + 3, 6 + 3)
        self.ends(self.ask({**base, "constraints": {"clamp": {"equation": "p.distance - 0.5", "active": "t < 1[s]"}}}, "P"), None, None)
        done = cli.run_model({**base, "stops": {"s": {**stop, "max": 0.4}}}, "statics", "--hold", "P")
        self.assertEqual(done.code, 2)
        self.assertIn("stop 's' is passed", done.err)

    def test_pull_across_an_incline_is_held_by_a_cone(self):
        """|(m g sin, P)| <= mu N: a circle, not a square"""
        mu = 0.6
        model = incline("planar", rub(mu), parameters={"P": "1 N"}, loads={"aside": {"type": "force", "to": "b", "value": [0, "P", 0], "frame": "body"}})
        most = math.sqrt((mu * 2 * G * math.cos(TILT)) ** 2 - (2 * G * math.sin(TILT)) ** 2)
        self.ends(self.ask(model, "P"), -most, most, 1e-7)

    def test_screw_jack_locks_itself_or_does_not(self):
        """tan(alpha) <= mu: any load; a steeper thread: none but 0, or with a hand at the nut W r tan(alpha -+ phi)"""
        r, mu = 0.011, 0.12
        for pitch, turn in ((0.006, None), (0.02, None), (0.02, 5.0)):
            alpha, phi = math.atan2(pitch, 2 * math.pi * r), math.atan(mu)
            loads = {"w": {"type": "force", "to": "nut", "value": [0, 0, "-W"]}}
            if turn:
                loads["hand"] = {"type": "torque", "to": "nut", "value": [0, 0, turn]}
            model = spatial({"nut": {"mass": 1, "inertia": INERTIA}}, {"thread": {"type": "screw", "between": ["ground", "nut"], "pitch": pitch, "friction": rub(mu, r)}},
                            gravity=[0, 0, 0], parameters={"W": "100 N"}, loads=loads)
            hold = self.ask(model, "W")
            if pitch == 0.006:
                self.ends(hold, None, None)
                self.assertTrue(hold["holds"])
            elif not turn:
                self.ends(hold, 0, 0)
            else:
                self.ends(hold, turn / r / math.tan(alpha + phi), turn / r / math.tan(alpha - phi), 1e-7)

    def test_drawer_that_jams(self):
        """pulled a beside the middle of a guide of half length h: |P - 10| <= mu |P| a/h; from mu a/h = 1 on no pull moves it, and a push of 50 N does not either"""
        for mu, ends, others in ((0.2, (10 / 1.8, 50), []), (0.3, (10 / 2.2, None), [{"min": None, "max": -50}])):
            hold = self.ask({"roberval": 1, "space": "planar", "parameters": {"P": "20 N"}, "bodies": {"d": {"mass": 5, "inertia": 0.1, "markers": {"knob": [0, 0.2]}}},
                             "joints": {"rail": {"type": "prismatic", "between": ["ground", "d"], "friction": rub(mu, 0.05)}},
                             "loads": {"goods": {"type": "force", "to": "d", "value": [-10, 0]}, "hand": {"type": "force", "to": "d.knob", "value": ["P", 0]}}}, "P")
            self.ends(hold, *ends)
            self.assertEqual(len(hold["others"]), len(others))
            for got, want in zip(hold["others"], others):
                self.ends(got, want["min"], want["max"], 1e-8)

    def test_ladder(self):
        """how high a man can climb: floor and wall rub; s cos = (Nw sin + Fw cos) L with Fw = muw Nw, Nw = muf Nf, Nf + Fw = W"""
        muf, muw, L, beta, W = 0.3, 0.2, 4.0, math.radians(60), 500
        hold = self.ask({"roberval": 1, "space": "planar", "parameters": {"s": "1 m"},
                         "bodies": {"ground": {"markers": {"wall": {"at": [0, 0], "angle": "90 deg"}, "floor": [0, 0]}},
                                    "ladder": {"mass": 1, "inertia": 1, "pose": {"at": [L * math.cos(beta), 0], "angle": math.pi - beta}, "markers": {"foot": [0, 0], "top": [L, 0], "man": ["s", 0]}}},
                         "joints": {"floor": {"type": "slot", "between": ["ground.floor", "ladder.foot"], "friction": rub(muf)}, "wall": {"type": "slot", "between": ["ground.wall", "ladder.top"], "friction": rub(muw)}},
                         "loads": {"man": {"type": "force", "to": "ladder.man", "value": [0, -W]}}}, "s")
        Nw = muf * W / (1 + muf * muw)
        self.near(hold["max"], L * Nw * (math.sin(beta) + muw * math.cos(beta)) / (W * math.cos(beta)), 1e-8)
        self.assertEqual(hold["at_limit"], ["floor", "wall"])

    def test_wedge(self):
        """under a weight W in an upright guide without friction: P = W tan(alpha +- phi) with a level floor without friction"""
        alpha, mu, W = 0.3, 0.1, 100.0
        model = {"roberval": 1, "space": "planar", "parameters": {"P": "20 N"},
                 "bodies": {"ground": {"markers": {"floor": [0, 0], "guide": {"at": [0, 0], "angle": "90 deg"}}}, "wedge": {"mass": 1, "inertia": 1, "markers": {"face": {"at": [0, 0], "angle": alpha}}},
                            "block": {"mass": 1, "inertia": 1, "markers": {"face": {"at": [0, 0], "angle": alpha}, "up": {"at": [0, 0], "angle": "90 deg"}}}},
                 "joints": {"floor": {"type": "prismatic", "between": ["ground.floor", "wedge"]}, "guide": {"type": "prismatic", "between": ["ground.guide", "block.up"]},
                            "face": {"type": "slot", "between": ["wedge.face", "block.face"], "friction": rub(mu)}},
                 "loads": {"weight": {"type": "force", "to": "block", "value": [0, -W]}, "push": {"type": "force", "to": "wedge", "value": ["-P", 0]}}}
        phi = math.atan(mu)
        self.ends(self.ask(model, "P"), W * math.tan(alpha - phi), W * math.tan(alpha + phi))
        model["joints"]["face"]["friction"] = rub(0.4)               # self-locking: no push is needed; without end where alpha + phi passes 90 degrees
        self.assertLess(self.ask(model, "P")["min"], 0)

    def test_bell_crank_on_a_rough_pin(self):
        """P a - W b = +- mu r (P + W): loads side by side"""
        mu, r, a, b, W = 0.3, 0.05, 0.4, 0.3, 80.0
        hold = self.ask({"roberval": 1, "space": "planar", "parameters": {"P": "60 N"}, "bodies": {"c": {"mass": 1, "inertia": 1, "markers": {"a": [a, 0], "b": [-b, 0]}}},
                         "joints": {"pin": {"type": "revolute", "between": ["ground", "c"], "friction": rub(mu, r)}},
                         "loads": {"p": {"type": "force", "to": "c.a", "value": [0, "-P"]}, "w": {"type": "force", "to": "c.b", "value": [0, -W]}}}, "P")
        self.ends(hold, W * (b - mu * r) / (a + mu * r), W * (b + mu * r) / (a - mu * r))

    def test_a_rope_only_pulls(self):
        """a block hangs on to a one-sided rope up an incline: friction need not hold what the rope does, but the rope does not push"""
        model = {"roberval": 1, "space": "planar", "gravity": [0, -G], "parameters": {"P": "1 N"}, "bodies": {"ground": {"markers": {"hook": [-1, 0]}}, "b": {"mass": 2, "inertia": 1}},
                 "joints": {"g": {"type": "prismatic", "between": ["ground", "b"], "friction": rub(0.2)}, "rope": {"type": "link", "between": ["ground.hook", "b"], "unilateral": True}},
                 "loads": {"p": {"type": "force", "to": "b", "value": ["P", 0]}}}
        self.ends(self.ask(model, "P"), -0.2 * 2 * G, None)

    def test_what_cannot_be_asked(self):
        model = {"roberval": 1, "space": "planar", "gravity": [0, -G], "parameters": {"P": "1 N", "Q": "1 N", "shift": "1 m"}, "bodies": {"ground": {"markers": {"m": ["shift", 0]}}, "b": {"mass": 2, "inertia": 1}},
                 "joints": {"g": {"type": "prismatic", "between": ["ground.m", "b"], "friction": rub(0.2)}}, "drives": {"d": {"coordinate": "g.distance", "motion": "0"}},
                 "loads": {"p": {"type": "force", "to": "b", "value": ["P*abs(P)*1[1/N]", 0]}}, "output": {"o": "Q*1[m]"}}
        for parameter, code, word in (("P", 2, "not linear"), ("Q", 2, "no load depends"), ("shift", 2, "stands elsewhere"), ("z", 2, "no such parameter")):
            done = cli.run_model(model, "statics", "--hold", parameter)
            self.assertEqual(done.code, code, done.said())
            self.assertIn(word, done.err)
        model["joints"]["g"].pop("friction")
        self.assertIn("no joint of the model has friction", cli.run_model(model, "statics", "--hold", "P").err)
        done = cli.run_model({"roberval": 1, "space": "planar", "gravity": [0, -G], "parameters": {"P": "1 N"}, "bodies": {"a": {"mass": 1, "inertia": 1}, "b": {"mass": 2, "inertia": 1}},
                              "joints": {"g": {"type": "prismatic", "between": ["ground", "b"], "friction": rub(0.2)}}, "loads": {"p": {"type": "force", "to": "b", "value": ["P", 0]}}}, "statics", "--hold", "P")
        self.assertEqual(done.code, 1)
        self.assertIn("out of balance where no friction acts", done.err)

    def test_notes_of_the_place_are_said_once(self):
        """the loads are asked for at three values of the parameter, in one and the same place; where nothing holds, too"""
        model = {"roberval": 1, "space": "planar", "gravity": [0, -G], "parameters": {"P": "1 N"}, "bodies": {"b": {"mass": 2, "inertia": 1, "pose": {"at": [0, 0], "angle": 3.1}}},
                 "joints": {"g": {"type": "prismatic", "between": ["ground", "b"], "friction": rub(0.2)}}, "loads": {"p": {"type": "force", "to": "b", "value": ["P", 0]}}}
        done = cli.run_model(model, "statics", "--hold", "P")
        self.assertEqual((done.code, " ".join(done.result["notes"]).count("180 deg twin")), (0, 1), done.said())
        model["bodies"]["a"] = {"mass": 1, "inertia": 1}
        done = cli.run_model(model, "statics", "--hold", "P", quiet=False)
        self.assertEqual((done.code, done.err.count("180 deg twin")), (1, 1), done.said())

    def test_a_radius_where_nothing_turns_is_an_error(self):
        """in the plane and in space; 0 is none"""
        for space, kinds in (("planar", ("slot", "knife-edge", "wheel")), ("spatial", ("inplane", "inline", "ball", "wheel"))):
            for kind in kinds:
                joint = {"type": kind, "between": ["ground", "a"], "friction": {"coefficient": 0.1, "radius": "5 mm"}}
                if kind in ("ball", "wheel"):
                    joint |= {"radius": 0.1} if space == "spatial" else {}
                if kind in ("knife-edge", "wheel") and space == "planar":
                    joint["friction"]["normal"] = 2
                model = {"roberval": 1, "space": space, "bodies": {"a": {"mass": 1, "inertia": INERTIA if space == "spatial" else 0.1}}, "joints": {"j": joint}}
                done = cli.run_model(model, "check")
                self.assertEqual(done.code, 2, (kind, done.said()))
                self.assertIn("friction of 'j' has no radius", done.err)
                joint["friction"]["radius"] = 0
                self.assertNotIn("has no radius", cli.run_model(model, "check").err)


if __name__ == "__main__":
    unittest.main()
