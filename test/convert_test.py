#!/usr/bin/env python3
"""roberval convert --to spatial: the same machine, by other measures and six columns a body, gives the same numbers.

The plane knows turns as numbers, space as quaternions; its rows, masses, loads and audit are others. So the two are independent but for the reader, and every
in-plane position, effort and reaction that is determined must agree: 1e-9 of the largest value of its column, and for springs over tables 1e-7 (a cubic
spline's own rounding, divided by steps)."""
import re
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "py"))
import cli  # noqa: E402

ROOT = Path(__file__).resolve().parent.parent
FOUR_BAR = """roberval: 1
title: Four-bar
space: planar
units: {length: mm, angle: deg}
gravity: [0, -9810 mm/s^2]
parameters: {w: 60 rpm}
bodies:
  ground: {markers: {A: [0, 0], D: {at: [400, 0], angle: 10}}}
  crank: {mass: 0.5, centroid: [50, 5], inertia: "5e-4 kg.m^2", pose: {at: [0, 0], angle: 60}, markers: {A: [0, 0], B: {at: [100, 0], angle: -20}}}
  rod: {mass: 1, centroid: [200, 0], inertia: "2*0.005", pose: {at: [50, 86.6], angle: 32}, markers: {B: [0, 0], C: [400, 0], E: [200, 100]}}
  rocker: {shape: [{rod: {from: [0, 0], to: [300, 0]}, mass: 0.8}], pose: {at: [400, 0], angle: 92}, markers: {D: [0, 0], C: [300, 0]}}
joints:
  A: {type: revolute, between: [ground.A, crank.A], damping: 0.02 N.m.s/rad}
  B: {type: revolute, between: [crank.B, rod.B]}
  C: {type: revolute, between: [rod.C, rocker.C]}
  D: {type: revolute, between: [ground.D, rocker.D]}
drives: {motor: {coordinate: "angle(crank)", motion: "60[deg] + w*t"}}
loads:
  pull: {type: force, to: rod.E, value: [20, "5*sin(t)"], frame: body}
  twist: {type: torque, to: rocker, value: "2*angle(rod)'"}
  coil: {type: torsion-spring, joint: D, stiffness: 3 N.m/rad, free_angle: 80}
  spring: {type: spring, between: [ground.A, rod.E], stiffness: 0.2 N/mm, free_length: 150}
  spin: {type: rotating-frame, speed: "0.5*t", center: [100, 50]}
motion: {from: 0, to: 1, step: 50 ms}
output: {lean: "angle(rod)", twisting: twist.torque, height: "y(rod.E)"}
"""


class Convert(cli.Case):
    def convert(self, path, *options):
        return subprocess.run([cli.BINARY, "convert", str(path), "--to", "spatial", *options], capture_output=True, text=True, check=False)

    def solve(self, path):
        """along the motion; a model without one at rest"""
        done = cli.run(["inverse" if "\nmotion:" in Path(path).read_text() else "statics", path])
        self.assertEqual(done.code, 0, done.said())
        return done

    def agree(self, planar, spatial, tolerance):
        marks, seen = planar.marks, 0
        for name, values in planar.series.items():
            other = spatial.series.get({"distance": name[:-8] + "x"}.get(name.rsplit(".", 1)[-1], name))
            if name.endswith(".torque"):
                other = spatial.series.get(name[:-6] + "Tz", other)
            if other is None:
                self.assertTrue(name.endswith(".angle"), f"{name} is missing")
                continue
            if marks.get(name) == "not unique":
                self.assertEqual(spatial.marks.get(name), "not unique", name)
                continue
            size = max(map(abs, [*values, *other])) or 1
            for t, (x, y) in enumerate(zip(values, other)):
                self.assertLessEqual(abs(x - y), tolerance * size + 1e-10, f"{name} at sample {t}")
            seen += 1
        self.assertGreater(seen, 8)

    def both(self, path, tolerance=1e-9):
        done = self.convert(path, "--quiet")
        self.assertEqual(done.returncode, 0, done.stderr)
        spatial = path.with_suffix(".spatial.yaml")
        spatial.write_text(done.stdout)
        planar, other = self.solve(path), self.solve(spatial)
        self.agree(planar, other, tolerance)
        return planar, other

    def test_a_four_bar_keeps_its_numbers_and_gains_three_self_stresses(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "four_bar.yaml"
            path.write_text(FOUR_BAR)
            planar, other = self.both(path)
            self.assertEqual(planar.result["mobility"]["gruebler"], 1)
            self.assertEqual({key: other.result["mobility"][key] for key in ("gruebler", "redundant", "degrees_of_freedom")},
                             {"gruebler": -2, "redundant": 3, "degrees_of_freedom": 0})
            for joint in "ABCD":
                parts = other.result["reactions"][joint]["components"]
                self.assertEqual([parts[c]["verdict"] for c in ("Fx", "Fy", "Fz", "Tx", "Ty", "Tz")],
                                 ["unique", "unique", "not unique", "not unique", "not unique", "free"], joint)
            asked = subprocess.run([cli.BINARY, "check", str(path.with_suffix(".spatial.yaml")), "--json", "--ask", "A.Fz + D.Fz", "--ask", "A.Fz - D.Fz"],
                                   capture_output=True, text=True, check=True).stdout
            self.assertRegex(asked, r'"A.Fz \+ D.Fz"[^}]*"unique"')
            self.assertRegex(asked, r'"A.Fz - D.Fz"[^}]*"not unique"')

    @cli.long
    def test_the_examples_of_the_plane(self):
        for path in sorted(ROOT.glob("examples/*/*.yaml")):
            text = path.read_text()
            if "space: planar" not in text or re.search(r"\b(friction|active|states|stops|track):", text):
                continue
            with self.subTest(path.name), tempfile.TemporaryDirectory() as folder:
                for near in path.parent.iterdir():
                    (Path(folder) / near.name).write_bytes(near.read_bytes())
                self.both(Path(folder) / path.name, 1e-7)

    def refused(self, text, pattern):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "model.yaml"
            path.write_text(text)
            done = self.convert(path)
            self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
            self.assertRegex(done.stderr, pattern)

    def test_what_has_no_counterpart_is_refused_by_name(self):
        self.refused(FOUR_BAR.replace("damping: 0.02 N.m.s/rad", "friction: {coefficient: 0.1, radius: 10}"), r"model.yaml:13:\d+: error: joint 'A' has friction")
        self.refused(FOUR_BAR.replace('"angle(crank)"', '"angle(rod)"'), r"model.yaml:17:\d+: error: drive 'motor' is of angle\(rod\).*no hinge joins 'rod' to ground")
        self.refused(FOUR_BAR.replace("mass: 0.5", "mass: -1"), r"mass")

    MOTION = """roberval: 1
space: planar
gravity: [0, -9.81]
parameters: {k: 300}
coordinates: {stroke: slide.distance}
bodies:
  ground: {markers: {A: {at: [0, 0], angle: 30 deg}}}
  car: {mass: 2, inertia: 0.1, pose: {at: [0.3, 0.1732], angle: 30 deg}}
  rod: {mass: 1, inertia: 0.05, centroid: [0.3, 0], pose: {at: [0.3, 0.1732], angle: -40 deg}, markers: {E: [0.6, 0]}}
  arm: {mass: 0.5, inertia: 0.02, centroid: [0.2, 0], pose: {at: [2, 0], angle: 50 deg}}
joints:
  slide: {type: prismatic, between: [ground.A, car], damping: 0.5}
  pin: {type: revolute, between: [car, rod]}
  axle: {type: revolute, between: [ground, arm], at: [2, 0]}
  clasp: {type: fixed, between: [ground, arm], value: here, active: "arrest > 0.21"}
loads:
  feet: {type: spring, between: [ground, car], stiffness: k, free_length: 0.3}
  brake: {type: torque, to: rod, value: "-2*pin.angle' + 3*arrest", active: "stroke > 0.2"}
stops:
  bumper: {coordinate: stroke, min: 0.15, restitution: 0.4}
  end: {coordinate: angle(arm), min: 20 deg, restitution: 0.5, active: "t < 0.5[s]"}
states: {arrest: {rate: "angle(rod)'^2*0.1 + 0.2", start: 0.05}}
events: {half: {when: "slide.distance - 0.25"}, level: {when: "y(rod.E) + 0.3", direction: falling, set: {arrest: "arrest + 0.01"}}}
generalized: {coordinates: {u: {start: 0.2, rate: 0}}, mass: [["1 + 0.1*slide.distance^2"]], force: ["-20*u + 3*slide.distance"]}
initial: {slide.distance: 0.3464, slide.distance': -0.5, pin.angle: -70 deg, pin.angle': 0, angle(arm): 50 deg, angle(arm)': -1}
motion: {from: 0, to: 1, step: 0.05}
output: {height: "y(rod.E)", lean: angle(rod)}
"""

    def test_motion_from_forces(self):
        """Conditions, stops, states, events and a generalized coordinate: simulate gives the same motion, and the same happens at the same time"""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "model.yaml"
            path.write_text(self.MOTION)
            done = self.convert(path)
            self.assertEqual(done.returncode, 0, done.stderr)
            other = path.with_suffix(".spatial.yaml")
            other.write_text(done.stdout)
            planar, spatial = (cli.run(["simulate", p, "--tolerance", "1e-11"]) for p in (path, other))
            self.assertEqual((planar.code, spatial.code), (0, 0), planar.said() + spatial.said() + done.stdout)
            events = [r.result["integration"]["events"] for r in (planar, spatial)]
            self.assertEqual([(e["name"], e["kind"]) for e in events[0]], [(e["name"], e["kind"]) for e in events[1]])
            self.assertGreater(len({e["name"] for e in events[0]}), 4)
            self.near([e["t"] for e in events[0]], [e["t"] for e in events[1]], 1e-8)
            for name in ("u", "u'", "arrest", "height", "lean", "car.x", "rod.y", "bumper.force", "end.force", "feet.force", "slide.Fy", "slide.Tz", "pin.Fx"):
                self.near(spatial.series[name], planar.series[name], 1e-6, name)
            self.near(spatial.series["slide_distance"], planar.series["slide.distance"], 1e-8)

    def test_a_drive_with_a_rotor_and_a_condition(self):
        text = self.MOTION.replace("motion:", """drives: {motor: {coordinate: pin.angle, motion: "-70[deg] + 2*t", rotor: {inertia: 0.001, ratio: 20}, active: "t < 0.4[s]"}}
motion:""", 1).replace(", pin.angle: -70 deg, pin.angle': 0", "")
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "model.yaml"
            path.write_text(text)
            other = path.with_suffix(".spatial.yaml")
            other.write_text(self.convert(path).stdout)
            planar, spatial = (cli.run(["simulate", p, "--tolerance", "1e-11"]) for p in (path, other))
            self.assertEqual((planar.code, spatial.code), (0, 0), planar.said() + spatial.said())
            for name in ("motor.effort", "u", "height"):
                self.near(spatial.series[name], planar.series[name], 1e-6, name)

    def test_a_limit_of_a_drive_is_kept(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "model.yaml"
            path.write_text(FOUR_BAR.replace('"60[deg] + w*t"', '"60[deg] + w*t", max: "9[N.m] - 0.1[N.m.s/rad]*abs(A.angle\')"'))
            self.assertIn("max: \"9[N.m] - 0.1[N.m.s/rad]*abs(A.angle')\"", self.convert(path).stdout)

    def test_a_spatial_model_is_spatial_already(self):
        self.refused("roberval: 1\nspace: spatial\nbodies: {b: {mass: 1}}\n", "spatial already")

    def test_the_call(self):
        for arguments, pattern in ((["convert", os.path.join(cli.ROOT, "examples", "press", "press.yaml")], "to what"), (["convert", "x.yaml", "--to", "urdf"], "not in this version"),
                                   (["convert", "x.yaml", "--to", "spatial", "--out", "here"], "standard output"),
                                   (["convert", "x.yaml", "--to", "spatial", "--set", "a=2"], "--set does not belong to convert")):
            done = subprocess.run([cli.BINARY, *arguments], capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 2)
            self.assertRegex(done.stderr, pattern)

    def test_loose_bodies_and_particles_are_kept_in_the_plane(self):
        text = """roberval: 1
space: planar
gravity: [0, -9.81]
bodies:
  ground: {markers: {G: {at: [0.1, 0.2], angle: 0.3}}}
  puck: {mass: 2, particle: true, pose: {at: [1, 0.5]}}
  bar: {mass: 1, inertia: 0.1, pose: {at: [0.5, 0.2], angle: 0.4}, markers: {P: [0.2, 0], Q: [-0.3, 0.1]}}
joints:
  groove: {type: slot, between: [ground.G, bar.P]}
  lean: {type: angle, value: 20 deg, between: [ground.G, bar]}
  rope: {type: link, between: [bar.Q, puck]}
drives:
  push: {coordinate: "x(bar.P)", motion: "0.7 + 0.1*t^2"}
  lift: {coordinate: "y(puck)", motion: "0.5 + 0.05*sin(3*t)"}
motion: {from: 0, to: 1, step: 0.1}
output: {turn: "angle(bar)"}
"""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "loose.yaml"
            path.write_text(text)
            done = self.convert(path)
            self.assertRegex(done.stderr, "'puck' is kept in the plane by the joint 'keep_puck'")
            self.assertRegex(done.stderr, "'bar' is kept in the plane by the joint 'keep_bar'")
            self.both(path)


if __name__ == "__main__":
    unittest.main()
