#!/usr/bin/env python3
# ctest: joint
"""Motions far below the rounding of places: closed forms of decays, and audits whose scales must not vanish with them."""
import os
import random
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "py"))
import numpy as np      # noqa: E402
import cli              # noqa: E402

ROUNDS = int(os.environ.get("ROBERVAL_ROUNDS", "60" if cli.MORE else "12"))


def pinned(axis, at, centroid, gravity, loads, rate=0.0, angle=0.0, to=1.0, inertia=(.1, .1, .1)):
    model = {"roberval": 1, "space": "spatial", "gravity": [0, 0, -gravity], "bodies": {
        "ground": {"markers": {"A": {"at": at, "axis": axis}, "S": [x + 1 for x in at]}},
        "b": {"mass": 1, "centroid": centroid, "inertia": list(inertia), "pose": {"at": at}, "markers": {"A": {"at": [0, 0, 0], "axis": axis}, "S": [2 * x for x in axis]}}},
        "joints": {"pin": {"type": "revolute", "between": ["ground.A", "b.A"]}}, "loads": loads, "motion": {"from": 0, "to": to, "step": to / 10}}
    if rate or angle:
        model["initial"] = {"pin.angle": angle, "pin.angle'": rate}
    return model


class Tiny(cli.Case):
    def test_a_wheel_on_its_axis(self):
        """weight at the axis, damping d: w e^(-d t/I), down to 1e-50 of where it began; the weight does no work, but its centroid stands still to rounding of w alone"""
        for axis in ([0, 1, 1], [1, 2, 3]):
            for start in (1, 1e-20, 1e-27, 1e-50, 1e-100):
                model = pinned(axis, [0.3, 0, -1.7], [0.05 * x for x in axis], 9.81, {"s": {"type": "torsion-spring", "joint": "pin", "stiffness": 0, "damping": 0.5}}, rate=start, to=2.0)
                done = self.ok(model, "simulate")
                if start == 1:                        # slower ones are below the rounding of what the weight presses with
                    self.near(done.series["pin.angle'"], start * np.exp(-0.5 / 0.1 * done.time), 1e-8 * start, "rate")

    def test_forces_are_those_of_the_solution_at_any_size(self):
        """a body off its axis with a spring that is turned by an angle down to 1e-150: the force in the pin is m r times the acceleration, to the digits"""
        for angle in (1e-6, 1e-20, 1e-27, 1e-50, 1e-100):
            done = self.ok(pinned([0, 0, 1], [0, 0, 0], [0.1, 0, 0], 0, {"s": {"type": "torsion-spring", "joint": "pin", "stiffness": 2}}, angle=angle), "simulate")
            torque = done.series["s.torque"][0]
            self.assertGreater(torque, angle)                          # places are assembled to 1e-3 of so small an angle
            second = -torque / (0.1 + 1 * 0.1 ** 2)
            self.near(done.series["pin.Fy"][:1], [0.1 * second], 1e-9 * abs(second), f"pin.Fy at {angle}")

    def test_at_rest_for_long(self):
        """an implicit method at rest: changes of its stages are rounding, and no reason to say that the equations are singular"""
        for stiffness, damping in ((2, 20), (20, 20), (0, 20)):
            model = pinned([1, 2, 3], [-1.7, 0.3, -1.7], [0.05, 0.1, 0.15], 9.81, {"s": {"type": "torsion-spring", "joint": "pin", "stiffness": stiffness, "damping": damping}}, to=20.0)
            done = self.ok(model, "simulate")
            self.column(done, "pin.angle", 0, 1e-15)

    def test_audits_of_random_ones(self):
        rng = random.Random(1)
        for _ in range(ROUNDS):
            axis = rng.choice(([0, 1, 1], [1, 2, 3], [1, 1, 1], [1, 0, 2]))
            loads = {"s": {"type": "torsion-spring", "joint": "pin", "stiffness": rng.choice((0, 2)), "damping": rng.choice((0.5, 20))}}
            if rng.random() < .6:
                loads["q"] = {"type": "spring", "between": ["ground.S", "b.S"], "stiffness": 20, "free_length": 1, "damping": 1}
            self.ok(pinned(axis, [rng.choice((0, 0.3, -1.7)) for _ in range(3)], rng.choice(([0, 0, 0], [.1, .2, .3], [.05 * x for x in axis])), rng.choice((0, 9.81)), loads,
                           rng.choice((0, 1e-20, 1e-27)), 0, 2.0, rng.choice(([.1, .1, .1], [.1, .2, .25]))), "simulate")


if __name__ == "__main__":
    cli.main()
