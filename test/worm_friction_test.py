#!/usr/bin/env python3
"""Friction of teeth that slide along each other: worms and helical gears of crossed axes, against the formulas of machine elements and power.

With the lead angle g, tan g = lead/(2 pi r1), and the normal pressure angle a the wheel's torque M needs on the worm M r1/r2 (cos a tan g + mu)/(cos a - mu tan g) to be lifted, (cos a tan g - mu)/(cos a + mu tan g) to be lowered.
Tolerances.  inverse: 1e-10, rounding.  simulate: tolerance 1e-9 of a step: 1e-7.
"""
import math
import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "py"))
import numpy as np      # noqa: E402
import cli              # noqa: E402

R1, R2, IW, IG = 0.02, 0.08, 1e-4, 5e-3


def worm(mu, lead=0.02, alpha=20, torque="-5", static=None, carried=False, **more):
    """a worm about z, its wheel about y; carried: both on a frame that is welded to ground"""
    rub = {"coefficient": mu} if static is None else {"coefficient": mu, "static": static}
    bodies = {"ground": {"markers": {"B": {"at": [R1 + R2, 0, 0], "axis": [0, 1, 0]}}}, "w": {"mass": 1, "inertia": [IW] * 3},
              "g": {"mass": 1, "inertia": [IG] * 3, "pose": {"at": [R1 + R2, 0, 0]}, "markers": {"c": {"at": [0, 0, 0], "axis": [0, 1, 0]}}}}
    mesh = {"type": "worm", "between": ["w", "g.c"], "radii": [R1, R2], "pitch": lead, "pressure_angle": f"{alpha} deg", "friction": rub}
    joints = {"A": {"type": "revolute", "between": ["ground", "w"]}, "B": {"type": "revolute", "between": ["ground.B", "g.c"]}, "mesh": mesh}
    if carried:
        bodies["frame"] = {"mass": 3, "inertia": [0.1] * 3, "markers": {"B": bodies["ground"]["markers"]["B"]}}
        joints["A"]["between"][0], joints["B"]["between"][0], mesh["carrier"] = "frame", "frame.B", "frame"
    return {"roberval": 1, "space": "spatial", "bodies": bodies, "joints": joints, "loads": {"m": {"type": "torque", "to": "g", "value": [0, torque, 0]}}, "motion": {"from": 0, "to": 1, "step": 0.25}, **more}


def angles(lead, alpha):
    return lead / (2 * math.pi * R1), math.cos(math.radians(alpha))


class Worms(cli.Case):
    def test_what_lifting_and_lowering_take(self):
        for mu in (0.0, 0.05, 0.1, 0.3):
            for lead, alpha in ((0.02, 20), (0.04, 14.5), (0.02, 0)):
                tan, c = angles(lead, alpha)
                lift, lower = 5 * R1 / R2 * (c * tan + mu) / (c - mu * tan), 5 * R1 / R2 * (c * tan - mu) / (c + mu * tan)
                for way in (1, -1):
                    done = self.ok(worm(mu, lead, alpha, drives={"d": {"coordinate": "A.angle", "motion": f"{way}*10*t"}}), "inverse")
                    effort = done.series["d.effort"]
                    lifts = abs(effort[0]) >= 5 * R1 / R2 * tan - 1e-9
                    self.near(abs(effort), abs(lift if lifts else lower) + 0 * done.time, 1e-10)
                    self.near(abs(done.series["mesh.friction"]), mu * done.series["mesh.F"], 1e-10)
                    self.assertEqual({done.marks[n] for n in ("mesh.friction", "mesh.F", "d.effort")}, {"unique"})

    def test_power_that_does_not_arrive_is_friction(self):
        done = self.ok(worm(0.1, drives={"d": {"coordinate": "A.angle", "motion": "-10*t"}}, output={"power": "d.effort*A.angle' - 5[N.m]*B.angle'"}), "inverse")
        slip = R1 * 10 / math.cos(math.atan(0.02 / (2 * math.pi * R1)))          # of the worm along its thread
        self.near(done.series["power"], abs(done.series["mesh.friction"]) * slip, 1e-9)

    def test_a_self_locking_worm_stays_for_ever_and_another_runs_back(self):
        """tan g = 0.159: with 0.3 > 0.15 = cos(a) tan(g) nothing moves in 1e4 s; with 0.1 it runs back, r1 (Fn c sin g - mu Fn cos g) = Iw x and 5 - r2 (Fn c cos g + mu Fn sin g) = Ig x r1 tan g/r2"""
        still = self.ok(worm(0.3, motion={"from": 0, "to": 1e4, "step": 2500}), "simulate")
        for name in ("A.angle", "B.angle", "A.angle'"):
            self.near(still.series[name], 0 * still.time, 1e-14)        # rounding of one position
        for name, values in still.series.items():                       # what is too small to have digits is printed as 0
            self.assertFalse(np.any((values != 0) & (abs(values) < sys.float_info.min)), name)
        tan, c = angles(0.02, 20)
        sin, cos, mu = math.sin(math.atan(tan)), math.cos(math.atan(tan)), 0.1
        x, Fn = np.linalg.solve([[IW, -R1 * (c * sin - mu * cos)], [IG * R1 * tan / R2, R2 * (c * cos + mu * sin)]], [0, 5])
        for carried in (False, True):
            model = worm(mu, carried=carried)
            if carried:
                model["joints"]["weld"] = {"type": "fixed", "between": ["ground", "frame"]}
            done = self.ok(model, "simulate")
            self.near(abs(done.series["A.angle"]), x * done.time ** 2 / 2, 1e-6)
            self.near(done.series["mesh.F"], Fn + 0 * done.time, 1e-8)
            self.assertLess(abs(done.result["integration"]["energy_error"]), 1e-6)

    def test_what_it_can_hold(self):
        """locked by friction no torque on the wheel moves it; else it holds none; a brake on the worm holds what the formulas say"""
        model = worm(0.3, torque="M", parameters={"M": "1 N.m"})
        hold = self.ok(model, "statics", "--hold", "M").result["hold"]
        self.assertEqual((hold["min"], hold["max"]), (None, None))
        model = worm(0.1, torque="-5", parameters={"T": "0.1 N.m"})
        model["loads"]["brake"] = {"type": "torque", "to": "w", "value": [0, 0, "T"]}
        hold = self.ok(model, "statics", "--hold", "T").result["hold"]
        tan, c = angles(0.02, 20)
        ends = sorted([5 * R1 / R2 * (c * tan + 0.1) / (c - 0.1 * tan), 5 * R1 / R2 * (c * tan - 0.1) / (c + 0.1 * tan)])
        self.near(sorted([abs(hold["min"]), abs(hold["max"])]), ends, 1e-8)

    def test_a_worm_that_is_driven_stops_and_locks(self):
        """a flywheel on a locking worm runs out, and the torque of its wheel does not start it again"""
        model = worm(0.3, torque="-0.05", initial={"A.angle'": 20})
        done = self.ok(model, "simulate", "--to", "3")
        self.assertEqual([(e["name"], e["kind"]) for e in done.result["integration"]["events"]], [("mesh", "stick")])
        self.near(done.series["A.angle'"][-1], 0, 1e-25)
        self.assertLess(abs(done.result["integration"]["energy_error"]), 1e-9)

    def test_crossed_helical_gears(self):
        """two wheels of 45 degrees at right angles: the power lost is friction times slip, sqrt(2) r w for equal wheels"""
        model = worm(0.1)
        model["joints"]["mesh"] = {"type": "gear", "between": ["w", "g.c"], "radii": [0.05, 0.05], "helix_angle": "45 deg", "pressure_angle": "20 deg", "friction": {"coefficient": 0.1}}
        model["bodies"]["g"]["pose"] = {"at": [0.1, 0, 0]}
        model["drives"] = {"d": {"coordinate": "A.angle", "motion": "10*t"}}
        model["output"] = {"power": "d.effort*A.angle' - 5[N.m]*B.angle'"}
        done = self.ok(model, "inverse")
        self.near(done.series["power"], 0.1 * done.series["mesh.F"] * math.sqrt(2) * 0.05 * 10, 1e-9)


if __name__ == "__main__":
    unittest.main()
