#!/usr/bin/python3
"""Notes of reading, compiling and analysing reach every result: tables and result.json of each command, each note once.

The kinds: drives that are not twice continuously differentiable, racks off their pinions, solids that are inside out, tables that were smoothed.  What is expected is
counted in the output: a note stands there once and names its thing; a good neighbour (smooth, on the pinion, outside out, not smoothed) says nothing.
"""
import json
import os
import random
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "py"))
import cli              # noqa: E402

COMMANDS = ("check", "kinematics", "statics", "inverse")
HEAD = "roberval: 1\nspace: {}\nmotion: {{from: 0, to: 1, step: 0.5}}\n"


def driven(motion):
    return HEAD.format("planar") + f"""bodies: {{arm: {{mass: 2, inertia: 0.1, centroid: [0.5, 0]}}}}
joints: {{pin: {{type: revolute, between: [ground, arm]}}}}
drives: {{motor: {{coordinate: pin.angle, motion: "{motion}"}}}}
"""


def racked(radius, height):
    return HEAD.format("planar") + f"""bodies:
  pinion: {{mass: 1, inertia: 0.01, pose: {{at: [0.1, {height}]}}}}
  bar: {{mass: 1, inertia: 0.01}}
joints:
  axle: {{type: revolute, between: [ground, pinion], at: [0.1, {height}]}}
  guide: {{type: prismatic, between: [ground, bar]}}
  mesh: {{type: rack, between: [bar, pinion], radius: {radius}}}
drives: {{motor: {{coordinate: axle.angle, motion: "t"}}}}
"""


def solid(rng, inside_out):
    """a tetrahedron as ASCII STL, and a body made of it"""
    corner = [(0, 0, 0), (1 + rng.random(), 0, 0), (0, 1 + rng.random(), 0), (0, 0, 1 + rng.random())]
    faces = [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)]
    text = "solid s\n"
    for a, b, c in faces:
        a, b, c = (a, c, b) if inside_out else (a, b, c)
        text += " facet normal 0 0 0\n  outer loop\n" + "".join("   vertex %r %r %r\n" % corner[k] for k in (a, b, c)) + "  endloop\n endfacet\n"
    model = HEAD.format("spatial") + """bodies: {block: {shape: [{mesh: {file: s.stl}, density: 1000}]}}
joints: {pin: {type: revolute, between: [ground, block]}}
drives: {motor: {coordinate: pin.angle, motion: "t"}}
"""
    return model, {"s.stl": text + "endsolid s\n"}


def measured(smooth):
    rows = "".join(f"{0.05 * k},{0.3 * k * k * 0.0025}\n" for k in range(41))
    model = driven("law(t)") + f"tables: {{law: {{file: law.csv, x: t, y: q{', smooth: 3 Hz' if smooth else ''}}}}}\n"
    return model, {"law.csv": "t [s],q [rad]\n" + rows}


class Notes(cli.Case):
    def heard(self, model, part, times, files=None):
        """`part` stands in that many notes of every command, in tables, on stdout as JSON, and in result.json"""
        for command in COMMANDS:
            done = cli.run_model(model, command, quiet=False, files=files)
            self.assertEqual(done.code, 0, done.said())
            shown = [line for line in done.out.splitlines() if line.startswith("note: ") and part in line]
            self.assertEqual(len(shown), times, f"{command}: {done.out[-600:]}")
            self.assertEqual(sum(part in note for note in done.result["notes"]), times, command)
            printed = cli.run_model(model, command, "--json", out=False, quiet=False, files=files)
            self.assertEqual(sum(part in note for note in json.loads(printed.out)["notes"]), times, command)
            self.assertEqual(len(set(done.result["notes"])), len(done.result["notes"]), "no note twice")

    @cli.long
    def test_a_drive_that_is_not_smooth_is_noted(self):
        rng = random.Random(1)
        for motion in ("abs(t-{})", "max(t,{})", "min(t, {}) + t", "t + if(t < {0}, 0, (t-{0})^2)", "sqrt(1+abs(t-{}))", "t + sign(t-{})*0"):
            self.heard(driven(motion.format(round(rng.uniform(0.1, 0.9), 2))), "drive 'motor'", 1)
        for motion in ("t^2", "sin(3*t)", "step(t, 0, 0, 1, 1)"):
            self.heard(driven(motion), "drive 'motor'", 0)

    @cli.long
    def test_a_rack_off_its_pinion_is_noted(self):
        rng = random.Random(2)
        for _ in range(4):
            radius = round(rng.uniform(0.02, 0.2), 4)
            self.heard(racked(radius, radius * rng.choice((0.4, 0.9, 1.1, -1.5))), "the pinion of 'mesh'", 1)
            self.heard(racked(radius, rng.choice((1, -1)) * radius), "the pinion of 'mesh'", 0)

    def test_a_solid_inside_out_is_noted(self):
        rng = random.Random(3)
        for inside_out in (True, False):
            model, files = solid(rng, inside_out)
            self.heard(model, "s.stl", int(inside_out), files)

    def test_smoothing_is_noted(self):
        for smooth in (True, False):
            model, files = measured(smooth)
            self.heard(model, "table 'law'", int(smooth), files)

    def test_along_a_parameter_notes_of_the_model_are_there(self):
        model = racked(0.05, 0.07) + "parameters: {F: 1}\nloads: {pull: {type: force, to: bar, value: [F, 0]}}\n"
        done = cli.run_model(model, "statics", "--follow", "F=1..2", quiet=False)
        self.assertEqual(done.code, 0, done.said())
        self.assertEqual(sum("the pinion of 'mesh'" in note for note in done.result["notes"]), 1)

    def test_many_notes_hide_neither_those_of_the_run_nor_errors(self):
        bodies = "".join(f"  b{k}: {{mass: 1, inertia: 1}}\n" for k in range(150))
        joints = "".join(f"  j{k}: {{type: revolute, between: [ground, b{k}]}}\n" for k in range(150))
        drives = "".join(f"  d{k}: {{coordinate: j{k}.angle, motion: \"abs(t-0.3)\"}}\n" for k in range(150))
        model = HEAD.format("planar") + f"bodies:\n{bodies}  bare: {{}}\njoints:\n{joints}  jb: {{type: revolute, between: [ground, bare]}}\ndrives:\n{drives}"
        done = cli.run_model(model + '  db: {coordinate: jb.angle, motion: "t"}\n', "inverse", quiet=False)
        self.assertEqual(done.code, 0, done.said())
        self.assertTrue(any("without mass: bare" in note for note in done.result["notes"]), done.result["notes"][-3:])
        done = cli.run_model(model, "inverse", quiet=False)                 # a freedom is left
        self.assertEqual(done.code, 2)
        self.assertIn("not determined", done.err)

    def test_quiet_is_quiet(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "m.yaml")
            with open(path, "w", encoding="utf-8") as f:
                f.write(driven("abs(t-0.3)"))
            done = cli.run(["inverse", path], out=False)
        self.assertEqual((done.code, done.out, done.err), (0, "", ""))


class Assembly(cli.Case):
    """What assembly had to do is said whatever comes behind it."""

    FOURBAR = {"roberval": 1, "space": "planar", "gravity": [0, -9.81], "bodies": {"ground": {"markers": {"B": [2, 0.3]}}, "a": {"mass": 1, "inertia": 0.1, "centroid": [0.5, 0], "markers": {"P": [1, 0]}},
                                                                                  "b": {"mass": 1, "inertia": 0.1, "centroid": [0.5, 0], "pose": {"at": [1.2, 0.3]}, "markers": {"Q": [1.2, 0]}}},
               "joints": {"A": {"type": "revolute", "between": ["ground", "a"]}, "P": {"type": "revolute", "between": ["a.P", "b"]}, "B": {"type": "revolute", "between": ["ground.B", "b.Q"]}},
               "motion": {"from": 0, "to": 0.1, "step": 0.05}}

    def test_the_largest_correction_where_a_motion_starts_at_rest(self):
        for coordinates in ("absolute", "natural", "joint"):
            plain = cli.run_model(self.FOURBAR, "statics", "--coordinates", coordinates, out=False, quiet=False).out
            correction = plain.split("largest correction")[1].splitlines()[0]
            for command in ("simulate", "modes", "inverse"):
                done = cli.run_model(self.FOURBAR, command, "--start", "statics", "--coordinates", coordinates, out=False, quiet=False)
                self.assertEqual(done.code, 0, done.said())
                self.assertIn("largest correction" + correction, done.out)

    def test_notes_of_what_rests(self):
        """a body that the joints turn over: noted by statics, and by what starts there"""
        model = json.loads(json.dumps(self.FOURBAR))
        model["bodies"]["b"]["pose"] = {"at": [1, 0], "angle": 3.3}
        notes = [n for n in self.ok(model, "statics").result["notes"] if "starting pose" in n]
        self.assertNotEqual(notes, [])
        for command in ("simulate", "modes"):
            got = self.ok(model, command, "--start", "statics").result["notes"]
            for note in notes:
                self.assertIn(note, got)

    def test_parallel_axes_that_must_be_square(self):
        for kind in ("universal", "perpendicular"):
            for axis, parallel in (([0, 0, 1], True), ([0, 0, -1], True), ([1, 0, 0], False), ([0, 0.6, 0.8], False)):
                model = {"roberval": 1, "space": "spatial", "bodies": {"ground": {"markers": {"A": {"at": [0, 0, 0], "axis": [0, 0, 1]}}}, "shaft": {"mass": 1, "inertia": [0.1, 0.1, 0.1], "markers": {"B": {"at": [0, 0, 0], "axis": axis}}}},
                         "joints": {"cross": {"type": kind, "between": ["ground.A", "shaft.B"]}}, "motion": {"from": 0, "to": 1, "step": 0.5}}
                for command in ("check", "assemble", "simulate"):
                    notes = " ".join(self.ok(model, command).result["notes"])
                    (self.assertIn if parallel else self.assertNotIn)("the z axes of 'cross' are parallel in the starting poses; they must be square", notes)
                held = json.loads(json.dumps(model))            # by a weld, too: it cannot be assembled
                held["joints"]["weld"] = {"type": "fixed", "between": ["ground", "shaft"]}
                if parallel:
                    done = cli.run_model(held, "check", out=False, quiet=False)
                    self.assertEqual(done.code, 1, done.said())
                    self.assertIn("the z axes of 'cross' are parallel", done.err)


if __name__ == "__main__":
    cli.main()
