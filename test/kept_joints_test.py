#!/usr/bin/env python3
"""Motion from forces where coordinates keep joints by themselves (--coordinates natural, joint): what reads, between samples, reactions that motion does not have: friction, teeth that push in impacts; and masses that are no
body's: rotors of drives, generalized coordinates.

Compared with absolute coordinates, whose motion has all reactions, and with closed forms.

Tolerances.  Motions are integrated to 1e-9 of sizes and speeds in each step; some hundred steps leave 1e-6 of the largest value of the same unit. Where the numbers of q are polynomials of second degree in time, and where
forces are those of one instant, 1e-9.
"""
import math
import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "py"))
import numpy as np      # noqa: E402
import cli              # noqa: E402
import same_motion      # noqa: E402
import failure_cause_test       # noqa: E402

G = 9.81


def planar(bodies, joints, **more):
    return {"roberval": 1, "space": "planar", "gravity": [0, -G], "bodies": bodies, "joints": joints, "motion": {"from": 0, "to": 1, "step": 0.05}, **more}


def rough(kind, *sides, mu=0.2, **more):
    return {"type": kind, "between": list(sides), "friction": {"coefficient": mu, **more}}


# a slider-crank with rough pins, which natural coordinates share, and a rough rail
CRANK, ROD, START = 0.2, 0.5, 1.0
FAR = CRANK * math.cos(START) + math.sqrt(ROD ** 2 - (CRANK * math.sin(START)) ** 2)
SLIDER = planar(
    {"crank": {"mass": 1, "inertia": 0.02, "pose": {"at": [0, 0], "angle": START}, "markers": {"A": [CRANK, 0]}},
     "rod": {"mass": 0.5, "inertia": 0.01, "centroid": [0.25, 0], "markers": {"B": [ROD, 0]},
             "pose": {"at": [CRANK * math.cos(START), CRANK * math.sin(START)], "angle": -math.asin(CRANK * math.sin(START) / ROD)}},
     "slider": {"mass": 2, "inertia": 0.1, "pose": {"at": [FAR, 0]}}},
    {"shaft": rough("revolute", "ground", "crank", radius=0.01), "A": rough("revolute", "crank.A", "rod", radius=0.02), "B": rough("revolute", "rod.B", "slider", radius=0.015, mu=0.15),
     "rail": rough("prismatic", "ground", "slider", static=0.25)},
    loads={"push": {"type": "force", "to": "slider", "value": ["-12*cos(5*t)", 0]}}, initial={"shaft.angle": START, "shaft.angle'": 9})

# a double pendulum in space whose hinges are rough: faces of several directions, loads of forces and torques
SWING = {"roberval": 1, "space": "spatial", "gravity": [0, 0, -G],
         "bodies": {"ground": {"markers": {"O": {"at": [0, 0, 0], "axis": [0, 1, 0]}}},
                    "a": {"mass": 1, "inertia": [0.02, 0.1, 0.1], "centroid": [0.5, 0, 0], "markers": {"O": {"at": [0, 0, 0], "axis": [0, 1, 0]}, "P": {"at": [1, 0, 0], "axis": [0, 0, 1]}}},
                    "b": {"mass": 2, "inertia": [0.08, 0.2, 0.25], "centroid": [0.4, 0, 0.1], "pose": {"at": [1, 0, 0]}, "markers": {"P": {"at": [0, 0, 0], "axis": [0, 0, 1]}}}},
         "joints": {"h": rough("revolute", "ground.O", "a.O", radius=0.03), "k": rough("revolute", "a.P", "b.P", radius=0.03)},
         "initial": {"h.angle'": 1, "k.angle'": 3}, "motion": {"from": 0, "to": 1, "step": 0.1}}


class Kept(same_motion.Case):
    def checked(self, model):
        return self.ok(model, "simulate", "--coordinates", self.coordinates)


class Friction(Kept):
    def test_a_slider_crank_with_rough_pins(self):
        """its slider sticks, slips and turns back; pins turn under reactions that motion does not have"""
        a, b = self.both(SLIDER)
        self.agree(a, b, 1e-6)
        self.agree_on_events(a, b)
        self.assertLess(abs(b.result["integration"]["energy_error"]), 1e-6)
        self.assertGreater(max(abs(b.series["A.friction"])), 0.01)

    def test_rough_hinges_in_space(self):
        a, b = self.both(SWING)
        self.agree(a, b, 1e-6)
        self.assertLess(abs(b.result["integration"]["energy_error"]), 1e-6)

    def test_a_wheel_on_a_rough_axle_comes_to_rest(self):
        """its weight alone presses the pin, N = m g: w = w0 - mu r m g t / I until it stops for good"""
        mu, r, m, I, w0 = 0.3, 0.05, 2.0, 0.04, 5.0
        model = planar({"disk": {"mass": m, "inertia": I}}, {"pin": rough("revolute", "ground", "disk", mu=mu, radius=r)}, initial={"pin.angle'": w0})
        got = self.checked(model)
        slows = mu * r * m * G / I
        self.near(got.series["pin.angle'"], np.maximum(w0 - slows * got.time, 0), 1e-8)
        self.near(got.series["pin.Fy"], m * G + 0 * got.time, 1e-9)
        self.assertEqual([(e["name"], e["kind"]) for e in got.result["integration"]["events"]], [("pin", "stick")])
        self.assertAlmostEqual(got.result["integration"]["events"][0]["t"], w0 / slows, delta=1e-8)

    def test_a_block_on_an_incline(self):
        """m s'' = m g (sin - mu cos)"""
        slope, mu = 0.6, 0.3
        model = planar({"ground": {"markers": {"I": {"at": [0, 0], "angle": -slope}}}, "block": {"mass": 2, "inertia": 0.1, "pose": {"at": [0, 0], "angle": -slope}}},
                       {"way": rough("prismatic", "ground.I", "block", mu=mu)})
        got = self.checked(model)
        self.near(got.series["way.distance"], G * (math.sin(slope) - mu * math.cos(slope)) * got.time ** 2 / 2, 1e-8)

    def test_pins_that_hold_twice(self):
        """two hinges on one line in space hold a door more than once: friction that reads what is not unique is refused as in absolute coordinates"""
        axis = {"axis": [0, 0, 1]}
        model = {"roberval": 1, "space": "spatial", "gravity": [0, 0, -G], "bodies": {"ground": {"markers": {"L": {"at": [0, 0, 0], **axis}, "U": {"at": [0, 0, 2], **axis}}},
                 "door": {"mass": 20, "inertia": [8, 4, 4], "centroid": [0.5, 0, 1], "markers": {"L": {"at": [0, 0, 0], **axis}, "U": {"at": [0, 0, 2], **axis}}}},
                 "joints": {"lower": rough("revolute", "ground.L", "door.L", radius=0.01), "upper": {"type": "revolute", "between": ["ground.U", "door.U"]}},
                 "initial": {"lower.angle'": 1}, "motion": {"from": 0, "to": 1, "step": 0.1}}
        for coordinates in ("absolute", self.coordinates):
            got = same_motion.run("simulate", model, "--coordinates", coordinates)
            self.assertEqual(got.code, 1, got.err)
            self.assertIn("friction in joint 'lower' depends on its reaction, which the rigid model does not determine", got.err)

    def test_impacts_with_friction(self):
        """an arm on a smooth hinge, on its end a rod on a rough one, whose tip strikes a rough floor: a contact that rubs, and a pin that rubs in the blow; up to where hops come without end"""
        hinge = {"axis": [0, 1, 0]}
        model = {"roberval": 1, "space": "spatial", "gravity": [0, 0, -G],
                 "bodies": {"ground": {"markers": {"O": {"at": [0, 0, 0.75], **hinge}}},
                            "a": {"mass": 1, "inertia": [0.01, 0.05, 0.05], "centroid": [0.4, 0, 0], "pose": {"at": [0, 0, 0.75]}, "markers": {"O": {"at": [0, 0, 0], **hinge}, "E": {"at": [0.8, 0, 0], **hinge}}},
                            "b": {"mass": 0.5, "inertia": [0.01, 0.02, 0.02], "centroid": [0, 0, -0.2], "pose": {"at": [0.8, 0, 0.75]}, "markers": {"E": {"at": [0, 0, 0], **hinge}, "T": [0, 0, -0.4]}}},
                 "joints": {"o": {"type": "revolute", "between": ["ground.O", "a.O"]}, "e": rough("revolute", "a.E", "b.E", radius=0.02),
                            "floor": {**rough("ball", "ground", "b.T", mu=0.4), "radius": 0.01, "unilateral": True, "restitution": 0.3}}, "motion": {"from": 0, "to": 0.45, "step": 0.05}}
        a, b = self.both(model)
        self.agree(a, b, 1e-5)
        self.assertTrue(self.agree_on_events(a, b, 1e-5))

    def test_integrated_implicitly(self):
        a, b = self.both(SWING, "--method", "implicit", "--tolerance", "1e-8")
        self.agree(a, b, 1e-5)

    def test_in_two_parts(self):
        """a run that starts where another ends"""
        whole = self.in_them(SLIDER)
        with cli.tempfile.TemporaryDirectory() as folder:
            model, out = os.path.join(folder, "m.json"), os.path.join(folder, "out")
            with open(model, "w", encoding="utf-8") as f:
                cli.json.dump(SLIDER, f)
            done = cli.subprocess.run([cli.BINARY, "simulate", model, "--coordinates", self.coordinates, "--to", "0.1", "--out", out, "--quiet"], capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr)
            rest = self.in_them(SLIDER, "--start", out, "--from", "0.1")
        self.assertEqual(rest.code, 0, rest.err)
        for name in ("slider.x", "shaft.angle'", "A.Fx", "A.friction"):
            self.assertLess(abs(rest.series[name][-1] - whole.series[name][-1]), 1e-6 * (1 + max(abs(whole.series[name]))), name)

    def test_a_parallelogram_with_rough_pins_jams_next_to_its_flat_position(self):
        """driven, no acceleration feels the reactions that grow without bound there; steps end where friction has no solution, as in absolute coordinates"""
        for more in ({"drives": {"motor": {"coordinate": "a.angle", "motion": "pi/3 - 2*t"}}}, {"initial": {"a.angle'": -3}}):
            model = failure_cause_test.Stuck("parallelogram").parallelogram(True, more)
            got = self.in_them(model)
            self.assertEqual(got.code, 1, got.err)
            self.assertIn("the mechanism jams: near a flat position", got.err)

    def test_the_example(self):
        a, b = self.both(os.path.join(cli.ROOT, "examples", "brake", "brake.yaml"))
        self.agree(a, b, 1e-5)
        self.agree_on_events(a, b)


class Teeth(Kept):
    def test_an_impact_beside_teeth_that_push(self):
        """A wheel of I1 at the rate w, geared to one of I2, strikes a stop that takes all its rate, pressed on by 0.1 N m. The teeth stop the other: Ft = I2 w / r; tan 20 deg of that pushes both apart, and the bearings answer with both at once."""
        I1, I2, r, w = 1.0, 0.4, 0.5, 3.0
        model = {"roberval": 1, "space": "planar", "bodies": {"a": {"mass": 1, "inertia": I1}, "b": {"mass": 1, "inertia": I2, "pose": {"at": [1, 0]}}, "ground": {"markers": {"B": [1, 0]}}},
                 "joints": {"p": {"type": "revolute", "between": ["ground", "a"]}, "q": {"type": "revolute", "between": ["ground.B", "b"]},
                            "g": {"type": "gear", "between": ["a", "b"], "radii": [r, r], "pressure_angle": "20 deg"}},
                 "loads": {"press": {"type": "torque", "to": "a", "value": 0.1}},
                 "stops": {"s": {"coordinate": "p.angle", "max": 1}}, "initial": {"p.angle'": w}, "motion": {"from": 0, "to": 1, "step": 0.1}}
        a, b = self.both(model)
        self.agree(a, b, 1e-9)
        impulses = self.agree_on_events(a, b)
        rate = math.sqrt(w * w + 2 * 0.1 / (I1 + I2))       # the torque of 0.1 N m has done 0.1 J there
        self.near(impulses, [(I1 + I2) * rate], 1e-8)
        tooth = I2 * rate / r
        self.near([abs(b.series[n + ".impulse"][-1]) for n in ("p.Fx", "p.Fy", "q.Fx", "q.Fy")], [tooth * math.tan(math.radians(20)), tooth] * 2, 1e-8)


class Masses(Kept):
    # two arms and a slide; the second arm's motor sits on the first
    ARMS = planar({"one": {"mass": 2, "inertia": 0.1, "centroid": [0.3, 0], "markers": {"E": [0.6, 0]}}, "two": {"mass": 1, "inertia": 0.05, "centroid": [0.2, 0], "pose": {"at": [0.6, 0]}},
                   "three": {"mass": 0.5, "inertia": 0.01, "pose": {"at": [0.9, 0]}}},
                  {"a": {"type": "revolute", "between": ["ground", "one"]}, "b": {"type": "revolute", "between": ["one.E", "two"]}, "c": {"type": "prismatic", "between": ["two", "three"]}},
                  drives={"p": {"coordinate": "a.angle", "motion": "0", "active": "t < 0.1", "rotor": {"inertia": 0.001, "ratio": 20}},
                          "q": {"coordinate": "b.angle", "motion": "0", "active": "t < 0.2", "rotor": {"inertia": 0.0005, "ratio": -15}},
                          "r": {"coordinate": "c.distance", "motion": "0.3", "active": "t < 0.3", "rotor": {"inertia": 1e-4, "ratio": "80 rad/m"}}})

    def test_rotors_of_drives_that_let_go(self):
        a, b = self.both(self.ARMS)
        self.agree(a, b, 1e-6)
        self.assertLess(abs(b.result["integration"]["energy_error"]), 1e-6)

    def test_rotors_in_space(self):
        """between bodies of which one vector follows from two others: their accelerations have a bias, which turns the rotor too"""
        model = {**SWING, "joints": {n: {k: v for k, v in j.items() if k != "friction"} for n, j in SWING["joints"].items()},
                 "drives": {"d" + n: {"coordinate": n + ".angle", "motion": "0", "active": "t < 0", "rotor": {"inertia": i, "ratio": 30}} for n, i in (("h", 4e-4), ("k", 3e-4))}}
        a, b = self.both(model)
        self.agree(a, b, 1e-6)
        self.assertLess(abs(b.result["integration"]["energy_error"]), 1e-6)
        plain = {k: v for k, v in model.items() if k != "drives"}
        without = self.in_them(plain)
        self.assertGreater(max(abs(without.series["k.angle'"] - b.series["k.angle'"])), 0.1)

    def test_a_rotor_beside_friction(self):
        """the motor's rotor loads the rough pin it turns on only by what it asks of the hinge: I -> I + i n^2"""
        mu, r, m, I, w0, i, n = 0.3, 0.05, 2.0, 0.04, 5.0, 1e-4, 15
        model = planar({"disk": {"mass": m, "inertia": I}}, {"pin": rough("revolute", "ground", "disk", mu=mu, radius=r)}, initial={"pin.angle'": w0},
                       drives={"motor": {"coordinate": "pin.angle", "motion": "0", "active": "t < 0", "rotor": {"inertia": i, "ratio": n}}}, motion={"from": 0, "to": 0.5, "step": 0.05})
        got = self.checked(model)
        self.near(got.series["pin.angle'"], w0 - mu * r * m * G / (I + i * n * n) * got.time, 1e-8)

    def test_generalized_coordinates_tied_to_bodies(self):
        """a generalized coordinate u, its mass a function of the angle of a pendulum whose turn it follows, beside friction of a pin"""
        model = planar({"rod": {"mass": 1, "inertia": 0.1, "centroid": [0.5, 0]}, "bob": {"mass": 0.5, "inertia": 0.01, "pose": {"at": [1, 0]}}},
                       {"pin": rough("revolute", "ground", "rod", radius=0.02), "end": {"type": "revolute", "between": ["rod", "bob"], "at": [1, 0]}},
                       generalized={"coordinates": {"u": {"start": 0, "rate": 0}, "w": {"start": 0.1, "rate": 2}}, "mass": [["0.3 + 0.1*cos(pin.angle)", 0.05], [0.05, 0.2]], "force": ["-2*u", "-3*w"]},
                       constraints={"tie": {"equation": "u - 0.5*pin.angle"}})
        a, b = self.both(model)
        self.agree(a, b, 1e-6)
        self.agree_on_events(a, b)


class FrictionInJointCoordinates(Friction):
    coordinates = "joint"


class TeethInJointCoordinates(Teeth):
    coordinates = "joint"


class MassesInJointCoordinates(Masses):
    coordinates = "joint"


if __name__ == "__main__":
    unittest.main()
