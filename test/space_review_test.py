#!/usr/bin/env python3
"""Regressions of space: what a reading against the contract found. Each number has a closed form; tolerances are rounding of the values shown (1e-9)."""
import math
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "py"))
import cli  # noqa: E402

BODY = {"mass": 1, "inertia": [1, 1, 1]}


def model(bodies, joints, **more):
    return {"roberval": 1, "space": "spatial", "bodies": bodies, "joints": joints, "motion": {"from": 0, "to": 1, "step": 0.5}, **more}


def turned(axis, degrees, at=(0, 0, 0)):
    return {**BODY, "pose": {"at": list(at), "rotate": {"axis": axis, "angle": f"{degrees} deg"}}}


class Review(cli.Case):
    def solve(self, m, command="inverse", *flags):
        done = cli.run_model(m, command, *flags, quiet=False)
        self.assertEqual(done.code, 0, done.said())
        return done

    def test_a_start_at_half_a_turn_is_plus_pi(self):
        m = model({"b": turned([0, 0, 1], 180)}, {"h": {"type": "revolute", "between": ["ground", "b"]}},
                  loads={"coil": {"type": "torsion-spring", "joint": "h", "stiffness": 1, "free_angle": math.pi}}, output={"a": "h.angle"})
        m["drives"] = {"d": {"coordinate": "y(b)", "motion": "0"}}
        m["bodies"]["b"]["markers"] = {"P": [1, 0, 0]}
        m["drives"]["d"]["coordinate"] = "y(b.P)"
        done = self.solve(m)
        self.near(done.series["a"][0], math.pi, 1e-9, "angle")
        self.near(done.series["coil.torque"][0], 0, 1e-9, "torque")

    def test_an_opposite_start_is_turned_over_whatever_drives_it(self):
        for kind in ("revolute", "screw"):
            for axis in ([0, 1, 0], [1, 0, 0], [1, 2, 0]):
                joint = {"type": kind, "between": ["ground", "b"], **({"pitch": 0.1} if kind == "screw" else {})}
                done = self.solve(model({"b": turned(axis, 180)}, {"h": joint}, drives={"d": {"coordinate": "h.angle", "motion": "t"}}))
                self.assertRegex(done.err + done.out, "'b' was turned over")
                w, z = done.series["b.qw"][-1], done.series["b.qz"][-1]
                self.near(abs(w), math.cos(0.5), 1e-9, "qw")
                self.near(abs(z), math.sin(0.5), 1e-9, "qz")

    def test_axes_that_start_parallel_can_become_square(self):
        for kind in ("universal", "perpendicular"):
            done = self.solve(model({"b": BODY}, {"p": {"type": kind, "between": ["ground", "b"]}}), "check")
            self.assertEqual(done.result["mobility"]["redundant"], 0)

    def test_a_rack_with_any_pinion_axis(self):
        inertia, radius = 0.3, math.hypot(0.05, 0.05)
        bodies = {"ground": {"markers": {"A": {"at": [0, 0, 0], "axis": [1, 0, 0]}, "B": {"at": [0.3, 0, 0.1], "axis": [0, 1, 1]}}},
                  "bar": {"mass": 2, "inertia": [1, 1, 1], "markers": {"A": {"at": [0, 0, 0], "axis": [1, 0, 0]}, "R": [0, 0, 0]}},
                  "pin": {"mass": 1, "inertia": [inertia] * 3, "pose": {"at": [0.3, 0, 0.1]}, "markers": {"B": {"at": [0, 0, 0], "axis": [0, 1, 1]}}}}
        m = model(bodies, {"slide": {"type": "prismatic", "between": ["ground.A", "bar.A"]}, "axle": {"type": "revolute", "between": ["ground.B", "pin.B"]},
                           "rack": {"type": "rack", "radius": radius, "between": ["bar.R", "pin.B"]}},
                  drives={"d": {"coordinate": "slide.distance", "motion": "0.1*t^2"}}, output={"turn": "axle.angle"})
        done = self.solve(m)
        self.near(abs(done.series["turn"][-1]), 0.1 / radius, 1e-9, "turn")
        self.near(abs(done.series["rack.F"][0]), inertia * 0.2 / radius**2, 1e-9, "force")
        self.near(done.series["d.effort"][0], 2 * 0.2 + inertia * 0.2 / radius**2, 1e-9, "effort")
        m["bodies"]["pin"]["markers"]["B"]["axis"] = m["bodies"]["ground"]["markers"]["B"]["axis"] = [1, 1, 0]
        done = cli.run_model(m, "inverse")
        self.assertEqual(done.code, 2)
        self.assertRegex(done.err, "square to the first's x")

    def test_a_disk_that_lies_flat_is_told(self):
        for command in ("check", "inverse"):
            done = cli.run_model(model({"b": BODY}, {"w": {"type": "wheel", "radius": 0.3, "between": ["ground", "b"]}}), command)
            self.assertEqual(done.code, 2, done.said())
            self.assertRegex(done.err, "joint 'w' lies flat")

    def test_a_screw_far_from_its_start(self):
        done = self.solve(model({"b": BODY}, {"h": {"type": "screw", "pitch": 0.01, "between": ["ground", "b"]}},
                                drives={"d": {"coordinate": "h.distance", "motion": "0.5 + t"}}, output={"a": "h.angle"}))
        self.near(done.series["a"][0], 100 * math.pi, 1e-8, "turns")

    def test_a_ball_is_no_particle(self):
        done = cli.run_model(model({"b": {"particle": True, "mass": 1}}, {"r": {"type": "ball", "radius": 0.1, "between": ["ground", "b"]}}), "check")
        self.assertEqual(done.code, 2)
        self.assertRegex(done.err, "'b' is a particle")

    def test_free_in_ground_axes_is_zero_and_the_worst_counts(self):
        """a slide on a turntable: across it at the start, along it a quarter turn later"""
        bodies = {"table": {**BODY, "markers": {"S": {"at": [0, 0, 0], "axis": [1, 0, 0]}}}, "shoe": {**BODY, "markers": {"S": {"at": [0, 0, 0], "axis": [1, 0, 0]}}}}
        joints = {"pin": {"type": "revolute", "between": ["ground", "table"]}, "slide": {"type": "prismatic", "between": ["table.S", "shoe.S"]}}
        m = model(bodies, joints, gravity=[0, 0, -9.81],
                  drives={"turn": {"coordinate": "pin.angle", "motion": "0.5*pi*t"}, "go": {"coordinate": "slide.distance", "motion": "0.5"}})
        m["motion"]["step"] = 1
        done = self.solve(m, "inverse", "--frame", "ground")
        self.assertEqual(done.series["slide.Fx"][0], 0)
        self.assertEqual(done.result["reactions"]["slide"]["components"]["Fx"]["verdict"], "unique")
        self.assertEqual(done.series["slide.Fy"][-1], 0)

    def test_what_is_free_at_the_start_of_a_planar_motion_may_not_stay_so(self):
        """a slot on a turning lever: its force has no x in ground axes while the slot lies along x"""
        m = {"roberval": 1, "space": "planar", "gravity": [0, -9.81], "bodies": {"lever": {"mass": 1, "inertia": 1}, "bob": {"mass": 2, "particle": True, "pose": {"at": [1, 0]}}},
             "joints": {"pin": {"type": "revolute", "between": ["ground", "lever"]}, "slot": {"type": "slot", "between": ["lever", "bob"]}},
             "drives": {"turn": {"coordinate": "pin.angle", "motion": "0.5*t"}, "out": {"coordinate": "slot.x", "motion": "1"}}, "motion": {"from": 0, "to": 1, "step": 0.5}}
        done = self.solve(m, "inverse", "--frame", "ground")
        self.assertEqual(done.series["slot.Fx"][0], 0)
        self.near(done.series["slot.Fx"][-1], -2 * 9.81 * math.cos(0.5) * math.sin(0.5), 1e-9, "slot.Fx")
        self.assertEqual(done.result["reactions"]["slot"]["components"]["Fx"]["verdict"], "unique")

    def test_a_wheel_may_slide_along_its_parallel_axis(self):
        bodies = {"p": BODY, "q": {**BODY, "pose": {"at": [0.25, 0, 0]}}, "ground": {"markers": {"Q": [0.25, 0, 0]}}}
        joints = {"a": {"type": "revolute", "between": ["ground", "p"]}, "b": {"type": "cylindrical", "between": ["ground.Q", "q"]},
                  "mesh": {"type": "gear", "between": ["p", "q"], "radii": [0.1, 0.15]}}
        m = model(bodies, joints, drives={"motor": {"coordinate": "a.angle", "motion": "6*t"}, "shift": {"coordinate": "b.distance", "motion": "0.05*t"}},
                  output={"turned": "b.angle"})
        self.near(self.solve(m).series["turned"][-1], -4, 1e-9, "turned")


if __name__ == "__main__":
    unittest.main()
