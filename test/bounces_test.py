#!/usr/bin/env python3
"""Stops that are hit in turn, each hop shorter than the one before by the same factor: the instant at which they come to rest follows from the first ones."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "py"))
import numpy as np      # noqa: E402
import cli              # noqa: E402

# found by a search at random: a rod on a carriage, with a second rod on a slot, whose tip bounces without loss while the first rod falls back on its own stop without bouncing
CHAIN = {"roberval": 1, "space": "planar", "gravity": [0, -9.81], "bodies": {
    "ground": {"markers": {"O": [-0.716, 0.986]}},
    "b0": {"mass": 0.527, "inertia": 0.229, "centroid": [0.3190183396521331, -0.21521526506906047], "pose": {"at": [-0.716, 0.986]}, "markers": {"P": [0, 0], "Q": [0.6380366793042662, -0.43043053013812094]}},
    "b1": {"mass": 2.952, "inertia": 0.136, "centroid": [0.37945807235763784, -0.12013350321824182], "pose": {"at": [-0.07796332069573375, 0.555569469861879]},
           "markers": {"P": [0, 0], "Q": [0.7589161447152757, -0.24026700643648363]}},
    "b2": {"mass": 1.902, "inertia": 0.278, "centroid": [-0.3646236077032984, 0.3355341040526555], "pose": {"at": [0.6809528240195419, 0.3153024634253954]},
           "markers": {"P": [0, 0], "Q": [-0.7292472154065968, 0.671068208105311]}}},
    "joints": {"j0": {"type": "prismatic", "between": ["ground.O", "b0.P"]}, "j1": {"type": "revolute", "between": ["b0.Q", "b1.P"], "damping": 0.19}, "j2": {"type": "slot", "between": ["b1.Q", "b2.P"]}},
    "loads": {"f": {"type": "force", "to": "b0.Q", "value": ["5*sin(3*t)", 0], "active": "t < 0.5[s]"}},
    "stops": {"floor": {"coordinate": "y(b2.Q)", "min": 0.9483, "restitution": 1}, "lim": {"coordinate": "j1.angle", "min": -0.5866590903952945, "max": 1.4475876924768964}},
    "motion": {"from": 0, "to": 1.5, "step": 0.025}}


class Hops(cli.Case):
    def test_they_come_to_rest(self):
        done = self.ok(CHAIN, "simulate", "--tolerance", "1e-7")
        events = done.result["integration"]["events"]
        t = np.array([e["t"] for e in events if e["name"] == "floor" and e["kind"] == "impact"])
        hop = np.diff(t)
        k = np.flatnonzero(hop < 1e-3)[0]                      # from here on the motion beside is slow against the hops
        ratio = hop[k + 1:k + 16] / hop[k:k + 15]
        self.near(ratio, np.full(ratio.shape, ratio[-1]), 0.005, "one ratio")
        rest = t[k + 16] + hop[k + 15] * ratio[-1] / (1 - ratio[-1])
        last = max(e["t"] for e in events)
        # the last hops, below 1e-9 of the size, strike both stops at once, and have another ratio
        self.assertAlmostEqual(last, rest, delta=0.02 * (rest - t[k]))
        self.assertLess(len(events), 400)                      # 34 000 in a hundredth of a second, and no end, where hops below rounding kept each other going
        resting = done.time > last
        self.assertTrue(resting.any())
        for name in ("floor.force", "lim.force"):
            self.assertTrue((done.series[name][resting] > 0).all(), name)
        self.near(done.series["j1.angle"][resting], np.full(resting.sum(), -0.5866590903952945), 1e-9, "on its stop")


if __name__ == "__main__":
    cli.main()
