#!/usr/bin/env python3
"""Sizes do not matter: a mechanism of other lengths, masses and durations is the same in its own units, and inertias may be as small as they like.

Lengths times L, masses times M, durations times T leave the equations as they are: each column is then multiplied by what its unit says. Factors are powers of 2, so numbers of the
model are exact; the steps of the integration are chosen by shares of each quantity, so they are the same, and what differs is rounding of expressions read as text: 1e-8 of the largest
of the unit covers it for the second or so of smooth motion here.

A rod of mass m whose inertia goes to 0, released level, is a particle at its centroid: F = 3 m g sin(angle) along it, angle' = sqrt(2 g sin(angle) / r). The inertia moves this by
inertia / (m r^2), and the tolerance of the integration is 1e-9."""
import math
import os
import sys
import unittest

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "py"))
import cli              # noqa: E402

G, R = 10.0, 0.5
UNITS = {"": (0, 0, 0), "s": (0, 0, 1), "m": (1, 0, 0), "rad": (0, 0, 0), "N": (1, 1, -2), "N.m": (2, 1, -2), "J": (2, 1, -2), "W": (2, 1, -3), "m/s": (1, 0, -1), "rad/s": (0, 0, -1),
         "m/s^2": (1, 0, -2), "rad/s^2": (0, 0, -2)}


def machine(L=1.0, M=1.0, T=1.0, driven=False):
    """Two rods on a spring, or with a motor and friction, in units of L, M and T."""
    def rod(mass, inertia, at, angle):
        return {"mass": mass * M, "inertia": inertia * M * L * L, "centroid": [0.5 * L, 0], "pose": {"at": [x * L for x in at], "angle": angle}, "markers": {"P": [L, 0]}}
    model = {"roberval": 1, "space": "planar", "gravity": [0, -G * L / T ** 2],
             "bodies": {"ground": {"markers": {"Q": [2 * L, 0]}}, "a": rod(2, 0.25, (0, 0), 0), "b": rod(1, 0.125, (1, 0), 0)},
             "joints": {"o": {"type": "revolute", "between": ["ground", "a"]}, "p": {"type": "revolute", "between": ["a.P", "b"], "damping": 0.25 * M * L * L / T}},
             "loads": {"spring": {"type": "spring", "between": ["ground.Q", "b.P"], "stiffness": 8 * M / T ** 2, "free_length": L / 2, "damping": 0.5 * M / T}},
             "motion": {"from": 0, "to": T, "step": T / 16}}
    model["bodies"]["ground"]["markers"]["Q"][1] = L
    if driven:
        model["drives"] = {"one": {"coordinate": "o.angle", "motion": f"sin(t/{T!r})"}, "two": {"coordinate": "p.angle", "motion": f"0.5*(t/{T!r})^2"}}
        model["joints"]["o"]["friction"] = {"coefficient": 0.25, "radius": 0.125 * L}
    return model


class Scales(cli.Case):
    def compare(self, command, **factors):
        driven = command in ("inverse", "kinematics")
        one, other = self.ok(machine(driven=driven), command), self.ok(machine(driven=driven, **factors), command)
        self.assertEqual(one.columns, other.columns)
        power = [factors.get(k, 1.0) for k in "LMT"]
        largest = {}
        for name, unit in one.units.items():
            largest[unit] = max(largest.get(unit, 0), np.nanmax(np.abs(one.series[name])))
        for name, unit in one.units.items():
            scale = math.prod(f ** n for f, n in zip(power, UNITS[unit or ""]))
            self.near(other.series[name] / scale, one.series[name], 1e-8 * max(largest[unit], 1e-9), f"{command} {factors}: {name} [{unit}]")

    def test_lengths_masses_and_durations(self):
        for command in ("simulate", "inverse", "kinematics"):
            for factors in ({"L": 2.0 ** 17}, {"L": 2.0 ** -17}, {"M": 2.0 ** 40}, {"M": 2.0 ** -40}, {"T": 2.0 ** 13}, {"T": 2.0 ** -13}, {"L": 2.0 ** -13, "M": 2.0 ** -50, "T": 2.0 ** -10}):
                with self.subTest(command, **factors):
                    self.compare(command, **factors)

    def swings(self, model, angle, gravity=G, mass=1.0):
        """What a particle on a rod does, by its own columns."""
        done = self.ok(model, "simulate")
        s = np.sin(-done.series[angle])
        self.near(done.series["w"] ** 2, 2 * gravity * s / R, 1e-6 * gravity / R, "rate")
        force = np.hypot(done.series["h.Fx"], done.series["h.Fy"])
        self.near(force, 3 * mass * gravity * s, 1e-6 * mass * gravity, "force")
        audit = done.result["audit"]
        self.assertLess(audit["max_force_imbalance"], 1e-12 * mass * gravity)
        self.assertLess(audit["max_torque_imbalance"], 1e-12 * mass * gravity * R)

    def test_a_rod_of_almost_no_inertia_is_a_particle(self):
        for inertia in (1e-9, 1e-12, 1e-16, 1e-24, 1e-40):
            for mass in (1.0, 2.0 ** 30, 2.0 ** -30):
                with self.subTest(inertia=inertia, mass=mass):
                    self.swings({"roberval": 1, "space": "planar", "gravity": [0, -G],
                                 "bodies": {"rod": {"mass": mass, "inertia": inertia * mass, "centroid": [R, 0]}}, "joints": {"h": {"type": "revolute", "between": ["ground", "rod"]}},
                                 "output": {"w": "h.angle'"}, "motion": {"from": 0, "to": 2, "step": 0.1}}, "rod.angle", mass=mass)

    def test_in_space(self):
        for inertia in (1e-9, 1e-12, 1e-16):
            with self.subTest(inertia=inertia):
                self.swings({"roberval": 1, "space": "spatial", "gravity": [0, -G, 0],
                             "bodies": {"rod": {"mass": 1, "inertia": [inertia] * 3, "centroid": [R, 0, 0]}}, "joints": {"h": {"type": "revolute", "between": ["ground", "rod"]}},
                             "output": {"w": "h.angle'", "turned": "h.angle"}, "motion": {"from": 0, "to": 2, "step": 0.1}}, "turned")


if __name__ == "__main__":
    cli.main()
