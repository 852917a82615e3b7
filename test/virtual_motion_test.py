#!/usr/bin/python3
"""Virtual motions of scene.json: they are the velocities that kinematics finds when a drive moves that freedom at unit rate and other drives stand still; the fastest point has 1 m/s."""
import json
import os
import sys
import tempfile
import unittest

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "py"))
import cli              # noqa: E402

EXAMPLES = os.path.join(cli.ROOT, "examples")
FIT = 1e-9              # of 1 m/s: both solve some hundred linear equations, and follow holds positions to 1e-12
CHAIN = """roberval: 1
space: planar
bodies:
  ground: {markers: {A: [0, 0], R: {at: [0, 0.5], angle: 30 deg}}}
  a: {mass: 1, inertia: 0.1, centroid: [0.1, 0.1], pose: {angle: 20 deg}, markers: {A: [0, 0], B: [0.5, 0]}}
  b: {mass: 1, inertia: 0.1, centroid: [0.2, 0], pose: {at: [0.47, 0.17], angle: 70 deg}, markers: {B: [0, 0], C: [0.4, 0.1]}}
  block: {mass: 1, inertia: 0.1, centroid: [0.05, 0], pose: {at: [0, 0.5], angle: 30 deg}, markers: {R: [0, 0]}}
joints:
  A: {type: revolute, between: [ground.A, a.A]}
  B: {type: revolute, between: [a.B, b.B]}
  rail: {type: prismatic, between: [ground.R, block.R]}
DRIVES
motion: {from: 0, to: 0, step: 1}
"""
ARM = """roberval: 1
space: spatial
bodies:
  ground: {markers: {A: {at: [0, 0, 0.2], axis: [0, 1, 2]}}}
  a: {mass: 1, inertia: [1, 1, 1], centroid: [0.1, 0, 0.2], pose: {at: [0, 0, 0.2]}, markers: {A: {at: [0, 0, 0], axis: [0, 1, 2]}, B: {at: [1, 0.2, 0], axis: [1, 1, 0]}}}
  b: {mass: 1, inertia: [1, 1, 1], centroid: [0.5, 0.1, 0], pose: {at: [1, 0.2, 0.2]}, markers: {B: {at: [0, 0, 0], axis: [1, 1, 0]}, C: [1, 0, 0]}}
joints:
  A: {type: revolute, between: [ground.A, a.A]}
  B: {type: cylindrical, between: [a.B, b.B]}
DRIVES
motion: {from: 0, to: 0, step: 1}
"""


def scene_of(text_or_path):
    with tempfile.TemporaryDirectory() as folder:
        path = text_or_path
        if "\n" in path:
            path = os.path.join(folder, "model.yaml")
            with open(path, "w", encoding="utf-8") as f:
                f.write(text_or_path)
        done = cli.run(["check", path, "--out", os.path.join(folder, "out")], out=False)
        assert done.code == 0, done.said()
        with open(os.path.join(folder, "out", "scene.json"), encoding="utf-8") as f:
            return json.load(f)


def flat(scene, motion):
    """Velocities and turns of all bodies, one vector."""
    planar, numbers = scene["space"] == "planar", []
    for body in scene["bodies"][1:]:
        moved = motion["bodies"].get(body["name"], {"velocity": [0, 0, 0], "angular": 0 if planar else [0, 0, 0]})
        numbers += moved["velocity"] + ([0, 0, moved["angular"]] if planar else moved["angular"])
    return np.array(numbers, float)


def of_series(scene, done):
    """The same of the first sample."""
    turns = ["", "", "omega"] if scene["space"] == "planar" else ["omegax", "omegay", "omegaz"]
    return np.array([done.series[f"{body['name']}.{part}"][0] if f"{body['name']}.{part}" in done.series else 0.0
                     for body in scene["bodies"][1:] for part in ["vx", "vy", "vz"] + turns])


class VirtualMotions(cli.Case):
    def same_as_drives(self, text, freedoms):
        """A motion for each freedom that is left; then drives lead those freedoms, one of them at unit rate."""
        scene = scene_of(text.replace("DRIVES", ""))
        motions = scene["virtual_motions"]
        self.assertEqual([m["name"] for m in motions], freedoms)
        start = {f: self.value(text, f) for f in freedoms}
        for motion in motions:
            drives = ", ".join(f'd{k}: {{coordinate: {f}, motion: "{start[f]:.17g} + {int(f == motion["freedom"])}*t"}}' for k, f in enumerate(freedoms))
            driven = text.replace("DRIVES", f"drives: {{{drives}}}")
            with_drives = scene_of(driven)["virtual_motions"]
            self.assertEqual([(m["name"], m["freedom"]) for m in with_drives], [(f"d{k}", f) for k, f in enumerate(freedoms)])
            done = cli.run_model(driven, "kinematics")
            self.assertEqual(done.code, 0, done.said())
            for moved in (motion, with_drives[freedoms.index(motion["freedom"])]):
                self.near(flat(scene, moved), motion["rate"] * of_series(scene, done), FIT, motion["name"])

    def value(self, text, freedom):
        done = cli.run_model(text.replace("DRIVES", ""), "assemble", "--json", out=False)
        self.assertEqual(done.code, 0, done.said())
        return done.json()["state"]["coordinates"][freedom]

    def test_of_the_plane_each_freedom_alone(self):
        self.same_as_drives(CHAIN, ["A.angle", "rail.distance", "B.angle"])

    def test_of_space_each_freedom_alone(self):
        self.same_as_drives(ARM, ["A.angle", "B.angle", "B.distance"])

    def test_of_machines_that_are_driven(self):
        """What their first sample moves with is the sum of their drives' motions, and nothing else."""
        for name, count in (("stewart/stewart", 6), ("shaper/shaper", 1), ("pumpjack/pumpjack", 1), ("slider3d/slider3d", 1), ("backhoe/backhoe", 3), ("planetary/planetary", 1)):
            with self.subTest(name):
                path = os.path.join(EXAMPLES, name + ".yaml")
                scene, done = scene_of(path), cli.run(["kinematics", path])
                self.assertEqual(done.code, 0, done.said())
                motions, v = scene["virtual_motions"], of_series(scene, done)
                self.assertEqual(len(motions), count, [m["name"] for m in motions])
                columns = np.array([flat(scene, m) for m in motions]).T
                rates = np.linalg.lstsq(columns, v, rcond=None)[0]
                self.near(columns @ rates, v, FIT * max(1, np.abs(v).max()), name)

    def test_the_fastest_point_has_unit_speed(self):
        """All points of a block on a rail have the same speed."""
        scene = scene_of(CHAIN.replace("DRIVES", ""))
        motion = next(m for m in scene["virtual_motions"] if m["name"] == "rail.distance")
        self.near(np.linalg.norm(motion["bodies"]["block"]["velocity"]), 1, 1e-12)
        self.near(motion["rate"], 1, 1e-12)
        self.near(motion["bodies"]["block"]["velocity"], [np.cos(np.pi / 6), 0.5, 0], 1e-12)
        self.assertEqual(list(motion["bodies"]), ["block"])

    def test_freedoms_have_units(self):
        named = 'coordinates: {turn: "2[1]*A.angle", way: "A.angle*0.5[m]", area: "0.1[m]*rail.distance"}'.replace("2[1]", "2")
        driven = CHAIN.replace("DRIVES", named + '\ndrives: {d: {coordinate: area, motion: 0}, e: {coordinate: B.angle, motion: 0.8}}')
        self.assertEqual({m["freedom"]: m["unit"] for m in scene_of(driven)["virtual_motions"]}, {"turn": "", "area": "m^2", "B.angle": "rad"})
        self.assertEqual({m["freedom"]: m["unit"] for m in scene_of(CHAIN.replace("DRIVES", 'coordinates: {way: "A.angle*0.5[m]"}'))["virtual_motions"]}, {"way": "m", "B.angle": "rad", "rail.distance": "m"})
        self.assertEqual([m["unit"] for m in scene_of(ARM.replace("DRIVES", ""))["virtual_motions"]], ["rad", "rad", "m"])

    def test_requirements_and_stops_hold_nothing(self):
        """as where freedoms are counted: those of the launcher at its latch, and of an arm that is to follow a path"""
        path = os.path.join(EXAMPLES, "launcher/launcher.yaml")
        done = cli.run(["simulate", path, "--to", "0.05"])
        self.assertEqual([m["freedom"] for m in done.scene["virtual_motions"]], ["gap.x"])
        self.assertEqual(done.result["mobility"]["degrees_of_freedom"], 1)
        tracked = CHAIN.replace("DRIVES", 'track: {rate: 50 1/s, require: {p: {equation: "A.angle - 20[deg]*(1 + t)"}, q: {equation: "B.angle - 50[deg] + 0*t"}}}').replace("to: 0", "to: 0.1")
        done = cli.run_model(tracked, "track")
        self.assertEqual(done.code, 0, done.said())
        self.assertEqual([m["freedom"] for m in done.scene["virtual_motions"]], ["A.angle", "rail.distance", "B.angle"])

    def test_of_what_is_held_there_is_none(self):
        held = CHAIN.replace("DRIVES", 'constraints: {p: {equation: "A.angle - 0.3"}, q: {equation: "B.angle - 0.8"}, r: {equation: "rail.distance"}}')
        self.assertEqual(scene_of(held)["virtual_motions"], [])


if __name__ == "__main__":
    unittest.main()
