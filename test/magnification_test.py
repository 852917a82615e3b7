#!/usr/bin/python3
"""What a motion makes of small differences of its start: integration.magnification, and the note beyond a million.

Held against two runs whose starts differ by little. A power of ten is asked for: which difference of the start, and which coordinate, is another factor of some units."""
import math
import os
import re
import sys
import unittest

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "py"))
import cli  # noqa: E402

COORDINATES = ("absolute", "natural", "joint")
NOTE = r"note: the motion magnifies small differences of its start about 1e(\d+) times"


def chain(n, to, angle=0.0, **more):
    bodies, joints, before = {}, {}, "ground"
    for k in range(n):
        bodies[f"l{k}"] = {"mass": 1, "inertia": 1 / 12, "centroid": [0.5, 0], "markers": {"E": [1, 0]}, "pose": {"at": [k, 0]}}
        joints[f"j{k}"] = {"type": "revolute", "between": [before, f"l{k}"]}
        before = f"l{k}.E"
    return {"roberval": 1, "space": "planar", "gravity": [0, -9.81], "bodies": bodies, "joints": joints, "motion": {"from": 0, "to": to, "step": to / 100}, "initial": {"j0.angle": angle}, **more}


def top(to):
    return {"roberval": 1, "space": "spatial", "gravity": [0, 0, -9.81], "joints": {"s": {"type": "spherical", "between": ["ground", "b"]}}, "initial": {"wz(b)": 60}, "motion": {"from": 0, "to": to, "step": to / 10},
            "bodies": {"b": {"mass": 1, "inertia": [0.02, 0.02, 0.01], "centroid": [0, 0, 0.1], "pose": {"rotate": {"axis": [1, 0, 0], "angle": 0.3}}}}}


def orbit(to):
    return {"roberval": 1, "space": "planar", "bodies": {"p": {"particle": True, "mass": 1, "pose": {"at": [1, 0]}}}, "joints": {}, "loads": {"g": {"type": "energy", "value": "-1/sqrt(x(p)^2 + y(p)^2)"}},
            "initial": {"y(p)'": 1.1}, "motion": {"from": 0, "to": to, "step": to / 10}}


def racket(to, beside, turned=0.0):
    """about its middle axis, y, nearly"""
    return {"roberval": 1, "space": "spatial", "bodies": {"b": {"mass": 1, "inertia": [1, 2, 3], "pose": {"rotate": {"axis": [0.3, -0.5, 0.8], "angle": turned}}}}, "joints": {}, "initial": {"wx(b)": beside, "wy(b)": 5, "wz(b)": 0},
            "motion": {"from": 0, "to": to, "step": to / 600}}


def rotating(series):
    return [c for c in series if c.split(".")[-1] in ("x", "y", "z", "angle", "qx", "qy", "qz", "qw")]


class Magnification(cli.Case):
    def factor(self, model, *flags, command="simulate"):
        """and the power of ten that the note says, or None"""
        done = self.ok(model, command, *flags, quiet=False)
        said = re.search(NOTE, done.out + done.err)
        got = done.result["integration"]["magnification"]
        self.assertEqual(said is not None, got is not None and got > 1e6)
        if said:
            self.near(int(said[1]), math.log10(got), 0.5)
        return got

    def runs(self, make, d):
        a, b = (self.ok(make(x), "simulate", "--tolerance", "1e-11").series for x in (0.0, d))
        return max(np.max(np.abs(a[c] - b[c])) for c in rotating(a)) / d

    @cli.long
    def test_two_runs(self):
        """chains of two, three, five links that fall; a racket up to its second turn, from two distances to its axis"""
        cases = [(lambda d: chain(2, 20, d), 1e-12), (lambda d: chain(3, 15, d), 1e-10), (lambda d: chain(5, 6, d), 1e-9), (lambda d: racket(5, 1e-3, d), 1e-8), (lambda d: racket(10, 1e-8, d), 1e-12)]
        for k, (make, d) in enumerate(cases):
            want = self.runs(make, d)
            for coordinates in COORDINATES:
                self.near(math.log10(self.factor(make(0.0), "--coordinates", coordinates)), math.log10(want), 1, f"{k} {coordinates}")

    def test_regular_motions_have_no_note(self):
        """a pendulum and a top that swing and spin many times; an orbit, where differences grow with the time, many times around"""
        for model in (chain(1, 50), top(5), orbit(500)):
            for coordinates in COORDINATES:
                self.assertLess(self.factor(model, "--coordinates", coordinates), 1e5, coordinates)

    def test_control_events_orders(self):
        """a chain whose first link is led; stops on the way; bodies and joints in another order have the same factor"""
        led = chain(3, 12, track={"require": {"way": {"equation": "j0.angle - 0.4*sin(5*t)"}}})
        led["initial"] = {}
        self.assertGreater(self.factor(led, command="track"), 1)
        stopped = chain(3, 5, stops={"s": {"coordinate": "j1.angle", "max": 1.0, "restitution": 0.6}})
        self.assertGreater(self.factor(stopped), 1)
        model = chain(2, 10)
        turned = {**model, **{k: dict(reversed(model[k].items())) for k in ("bodies", "joints")}}
        self.near(math.log(self.factor(model)), math.log(self.factor(turned)), 0.01)     # the same motion, but for rounding

    def test_what_has_none(self):
        """by the implicit method, and where drives prescribe everything"""
        self.assertIsNone(self.factor(chain(2, 1), "--method", "implicit"))
        led = chain(2, 1, drives={f"d{k}": {"coordinate": f"j{k}.angle", "motion": "t^2"} for k in range(2)})
        led["initial"] = {}
        self.assertIsNone(self.factor(led))


if __name__ == "__main__":
    cli.main()
