#!/usr/bin/env python3
# ctest: joint
"""Friction in the pins of bars without mass: closed forms, the same machine with a rod of next to no mass between two rough pins, and what friction holds.

Tolerances.  inverse against closed forms: 1e-10, rounding; against the light rod: 1e-6, its mass over the others. simulate: 1e-6, some tens of steps of 1e-9 and that mass.
"""
import math
import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "py"))
import numpy as np      # noqa: E402
import cli              # noqa: E402

L, CRANK, LIGHT = 0.5, 0.2, 1e-8


def slider_crank(mu, radius, rod, start=0.3, static=None, **more):
    """a crank on a smooth shaft, a slider of 2 kg on a smooth rail; the rod between them a link, or a body of 1e-8 kg"""
    rub = {"coefficient": mu, "radius": radius}
    if static is not None:
        rub["static"] = static
    x, y = CRANK * math.cos(start), CRANK * math.sin(start)
    far = x + math.sqrt(L * L - y * y)
    turn = math.atan2(-y, far - x)
    bodies = {"crank": {"mass": 1, "inertia": 0.02, "pose": {"at": [0, 0], "angle": start}, "markers": {"A": [CRANK, 0]}}, "slider": {"mass": 2, "inertia": 0.1, "pose": {"at": [far, 0]}}}
    joints = {"shaft": {"type": "revolute", "between": ["ground", "crank"]}, "rail": {"type": "prismatic", "between": ["ground", "slider"]}}
    if rod:
        bodies["rod"] = {"mass": LIGHT, "inertia": LIGHT * 0.02, "pose": {"at": [x, y], "angle": turn}, "markers": {"B": [L, 0]}}
        joints["A"] = {"type": "revolute", "between": ["crank.A", "rod"], "friction": rub}
        joints["B"] = {"type": "revolute", "between": ["rod.B", "slider"], "friction": rub}
    else:
        joints["rod"] = {"type": "link", "between": ["crank.A", "slider"], "length": L, "friction": rub}
    return {"roberval": 1, "space": "planar", "bodies": bodies, "joints": joints, "loads": {"work": {"type": "force", "to": "slider", "value": ["-30[N] - 20[N.s/m]*x(slider)'", 0]}},
            "motion": {"from": 0, "to": 1, "step": 0.125}, **more}


class Links(cli.Case):
    def test_both_pins_slide(self):
        """a body that does not turn swings on the bar: N = |F|/sqrt(1 - (2 mu r/l)^2), from F along and the couples' force 2 mu r N/l across"""
        for mu, radius in ((0.1, 0.01), (0.3, 0.2)):
            model = {"roberval": 1, "space": "planar", "gravity": [0, -9.81], "bodies": {"b": {"mass": 2, "inertia": 0.1, "pose": {"at": [0.3, -0.4]}}},
                     "joints": {"level": {"type": "parallel", "between": ["ground", "b"]}, "bar": {"type": "link", "between": ["ground", "b"], "friction": {"coefficient": mu, "radius": radius}}},
                     "drives": {"d": {"coordinate": "x(b)", "motion": "0.3 - 0.1*t"}}, "motion": {"from": 0, "to": 1, "step": 0.25}}
            done = self.ok(model, "inverse")
            N = abs(done.series["bar.F"]) / math.sqrt(1 - (2 * mu * radius / L) ** 2)
            self.near(abs(done.series["bar.friction.first"]), mu * radius * N, 1e-10)
            self.near(done.series["bar.friction.second"], -done.series["bar.friction.first"], 1e-10)
            self.assertEqual({done.marks[n] for n in ("bar.F", "bar.friction.first", "d.effort")}, {"unique"})
            x = 0.3 - 0.1 * done.time                                       # power of the weight, the drive, friction, and the mass's own
            y = -np.sqrt(L * L - x * x)
            rate, second = 0.1 * x / y, -(0.01 / y) - (0.1 * x) ** 2 / y ** 3
            self.near(done.series["d.effort"] * -0.1, 2 * 9.81 * rate + 2 * mu * radius * N * np.hypot(0.1, rate) / L + 2 * rate * second, 1e-9)

    def test_a_link_is_a_rod_without_mass_in_inverse(self):
        more = {"drives": {"motor": {"coordinate": "shaft.angle", "motion": "0.3 + 5*t"}}}
        for mu, radius in ((0.1, 0.02), (0.4, 0.1)):
            link, rod = (self.ok(slider_crank(mu, radius, light, **more), "inverse") for light in (False, True))
            self.near(link.series["motor.effort"], rod.series["motor.effort"], 1e-6)
            self.near(link.series["rod.friction.first"], rod.series["A.friction"], 1e-6)
            self.near(link.series["rod.friction.second"], rod.series["B.friction"], 1e-6)
            self.near(np.hypot(link.series["rod.F"], (link.series["rod.friction.first"] - link.series["rod.friction.second"]) / L), np.hypot(rod.series["A.Fx"], rod.series["A.Fy"]), 1e-6)

    def test_a_link_is_a_rod_without_mass_in_simulate(self):
        """thrown, it comes to rest and stays"""
        more = {"initial": {"shaft.angle": 1.2, "shaft.angle'": 8}, "motion": {"from": 0, "to": 0.6, "step": 0.05}}
        link, rod = (self.ok(slider_crank(0.3, 0.05, light, 1.2, loads={"work": {"type": "force", "to": "slider", "value": ["-3[N] - 20[N.s/m]*x(slider)'", 0]}}, **more), "simulate") for light in (False, True))
        self.near(link.series["shaft.angle"], rod.series["shaft.angle"], 1e-6)
        self.near(link.series["slider.x"], rod.series["slider.x"], 1e-6)
        self.near(link.series["rod.friction.second"], rod.series["B.friction"], 2e-5)
        self.assertLess(abs(link.result["integration"]["energy_error"]), 1e-6)

    def test_it_sticks_for_ever_and_slips_beyond(self):
        """near its dead point friction of both pins holds the crank under 30 N on the slider: exactly where `--hold` says"""
        model = slider_crank(0.2, 0.02, False, 0.04, parameters={"P": "30 N"}, loads={"work": {"type": "force", "to": "slider", "value": ["-30", 0]}, "hand": {"type": "torque", "to": "crank", "value": "T"}})
        model["parameters"] = {"T": "0 N.m"}
        hold = self.ok(model, "statics", "--hold", "T").result["hold"]
        light = slider_crank(0.2, 0.02, True, 0.04, loads=model["loads"], parameters=model["parameters"])
        same = self.ok(light, "statics", "--hold", "T").result["hold"]
        self.near([hold["min"], hold["max"]], [same["min"], same["max"]], 1e-7)
        # the force line is tangent to both friction circles: to one side of both pins, or across from one to the other
        start, rho = 0.04, 0.2 * 0.02
        y, slope = CRANK * math.sin(start), math.asin(CRANK * math.sin(start) / L)
        ends = []
        for s in (1, -1):
            tilt = slope + math.asin(2 * rho * s / L)
            F = 30 / math.cos(tilt)
            ends.append(-F * (CRANK * math.sin(start + tilt) + s * rho))        # the friction circles: the force passes both pins at rho, on opposite sides
        self.near(sorted([hold["min"], hold["max"]]), sorted(ends), 1e-8)
        still = self.ok({**model, "motion": {"from": 0, "to": 1e4, "step": 2500}}, "simulate", "--set", f"T={(hold['min'] + hold['max']) / 2!r} N.m")
        self.near(still.series["slider.x"], still.series["slider.x"][0] + 0 * still.time, 1e-14)
        self.near(still.series["crank.omega"], 0 * still.time, 1e-25)
        for T, moves in ((hold["max"] - 1e-4, False), (hold["max"] + 1e-4, True), (hold["min"] + 1e-4, False), (hold["min"] - 1e-4, True)):
            done = self.ok({**model, "motion": {"from": 0, "to": 0.2, "step": 0.1}}, "simulate", "--set", f"T={T!r} N.m")
            self.assertEqual(abs(done.series["crank.omega"][-1]) > 1e-9, moves, T)

    def test_it_needs_a_radius(self):
        model = {"roberval": 1, "space": "planar", "bodies": {"b": {"mass": 2, "inertia": 1, "pose": {"at": [0.3, -0.4]}}},
                 "joints": {"bar": {"type": "link", "between": ["ground", "b"], "friction": {"coefficient": 0.1}}}}
        self.assertRegex(cli.run_model(model, "check").err, "needs the radius of its pins")


if __name__ == "__main__":
    unittest.main()
