#!/usr/bin/python3
# ctest: smoke
# ctest: long
"""Broken models and calls, one broken thing each: exit 2, `file:line:column: error:` on the line of the mistake, a text that says what
would be right, and nothing written.  Then what is not the file's fault: mechanisms that cannot be assembled or lock up (exit 1), and
what this version does not do yet (exit 2, "not in this version").

A case is (name, text of BASE to replace, replacement, patterns).  The expected line is the line of the replacement (its `«` when it
spans several lines); each pattern must be found in the messages of that line, whatever the case of letters."""
import json
import math
import os
import re
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "py"))
import cli              # noqa: E402

BASE = """\
roberval: 1
title: Press
space: planar
units: {length: mm, angle: deg}
gravity: [0, -9.81 m/s^2]
parameters:
  n: 60 rpm
  a: 50 mm
  half: "a/2"
bodies:
  ground:
    markers:
      O: [0, 0]
      rail: {at: [0, 0], angle: 0}
      hook: [100, 200]
      W: [-100, 0]
  crank:
    mass: 2 kg
    centroid: [25, 0]
    inertia: 0.02 kg.m^2
    pose: {at: [0, 0], angle: 30 deg}
    markers:
      O: [0, 0]
      A: [a, 0]
  rod:
    mass: 1.5
    inertia: 0.01
    pose: {at: [43, 25], angle: -10}
    markers:
      A: [0, 0]
      B: {at: [150, 0], angle: 0}
  slider:
    mass: 500 g
    inertia: 0.001
    pose:
      at: [191, 0]
    markers: {B: [0, 0]}
  wheel:
    mass: 1
    inertia: 0.002
    pose: {at: [-100, 0]}
    markers: {C: [0, 0]}
joints:
  hinge:
    type: revolute
    between: [ground.O, crank.O]
  pin:
    type: revolute
    between: [crank.A, rod.A]
  wrist:
    type: revolute
    between: [rod.B, slider.B]
  guide:
    type: prismatic
    between: [ground.rail, slider.B]
  axle:
    type: revolute
    between: [ground.W, wheel.C]
  mesh:
    type: gear
    between: [crank.O, wheel.C]
    radii: [60, 40]
    pressure_angle: 20 deg
drives:
  motor:
    coordinate: hinge.angle
    motion: "pi/6 + n*t"
loads:
  press:
    type: force
    to: slider.B
    value: [-10 N, 0]
    frame: ground
  twist:
    type: torque
    to: wheel
    value: "2*sin(t)"
  spring:
    type: spring
    between: [ground.hook, rod.B]
    stiffness: 250 N/m
    free_length: 100 mm
    damping: 3 N.s/m
    force: "10*(l - 0.1)^3"
  coil:
    type: torsion-spring
    joint: hinge
    stiffness: 2 N.m/rad
    free_angle: 10
motion:
  from: 0
  to: 0.1
  step: 0.05
output:
  height: "y(rod.B)"
  power: "motor.effort*hinge.angle'"
"""

CASES = [
    # ---- keys
    ("top key misspelt", "gravity: [0", "gravty: [0", ["gravty", "gravity"]),
    ("top key unknown", "title: Press", "colour: red", ["colour"]),
    ("body key misspelt", "inertia: 0.02 kg.m^2", "inertai: 0.02 kg.m^2", ["inertai", "inertia"]),
    ("marker key misspelt", "rail: {at: [0, 0], angle: 0}", "rail: {at: [0, 0], angel: 0}", ["angel", "angle"]),
    ("pose key misspelt", "pose: {at: [43, 25], angle: -10}", "pose: {at: [43, 25], angl: -10}", ["angl", "angle"]),
    ("joint key misspelt", "radii: [60, 40]", "radi: [60, 40]", ["radi", "radii"]),
    ("drive key misspelt", "coordinate: hinge.angle", "coordinat: hinge.angle", ["coordinat", "coordinate"]),
    ("load key misspelt", "stiffness: 250 N/m", "stifness: 250 N/m", ["stifness", "stiffness"]),
    ("unit key misspelt", "units: {length: mm", "units: {lenght: mm", ["lenght", "length"]),
    ("motion key misspelt", "step: 0.05", "stepp: 0.05", ["stepp", "step"]),
    ("key of another joint", "radii: [60, 40]", "radii: [60, 40]\n    «pitch: 3", ["pitch"]),
    ("key of another load", "value: \"2*sin(t)\"", "value: \"2*sin(t)\"\n    «stiffness: 3", ["stiffness"]),
    ("key of another kind of thing", "mass: 1.5", "stiffness: 1.5", ["stiffness"]),
    ("key in capitals", "mass: 1.5", "Mass: 1.5", ["Mass", "mass"]),
    ("duplicate key", "mass: 1.5", "mass: 1.5\n    «mass: 1.6", ["mass"]),
    ("duplicate body", "  slider:\n", "  slider: {mass: 1}\n  «slider:\n", ["slider"]),
    # ---- required
    ("joint without type", "    type: prismatic\n", "", ["type"], "guide"),
    ("joint without between", "    between: [ground.rail, slider.B]\n", "", ["between"], "guide"),
    ("drive without coordinate", "    coordinate: hinge.angle\n", "", ["coordinate"], "motor"),
    ("drive without motion", "    motion: \"pi/6 + n*t\"\n", "", ["motion"], "motor"),
    ("force without point", "    to: slider.B\n", "", ["to"], "press"),
    ("force without value", "    value: [-10 N, 0]\n", "", ["value"], "press"),
    ("spring without between", "    between: [ground.hook, rod.B]\n", "", ["between"], "spring"),
    ("stiffness without free length", "    free_length: 100 mm\n", "", ["free_length"], "spring"),
    ("torsion spring without joint", "    joint: hinge\n", "", ["joint"], "coil"),
    ("load without type", "    type: torsion-spring\n", "", ["type"], "coil"),
    ("gear without radii", "    radii: [60, 40]\n", "", ["radii"], "mesh"),
    ("version missing", "roberval: 1\n", "", ["roberval"], None),
    ("space missing", "space: planar\n", "", ["space"], None),
    # ---- values of the wrong kind
    ("version of the future", "roberval: 1", "roberval: 2", ["1"]),
    ("version not a number", "roberval: 1", "roberval: one", ["roberval|version"]),
    ("space unknown", "space: planar", "space: flat", ["planar"]),
    ("mass a list", "mass: 1.5", "mass: [1, 2]", ["mass"]),
    ("mass a map", "mass: 1.5", "mass: {value: 2}", ["mass"]),
    ("mass a truth value", "mass: 1.5", "mass: true", ["mass"]),
    ("mass empty", "mass: 1.5", "mass:", ["mass"]),
    ("mass a word", "mass: 1.5", "mass: heavy", ["heavy"]),
    ("mass infinite", "mass: 1.5", "mass: .inf", [""]),
    ("mass not a number", "mass: 1.5", "mass: .nan", [""]),
    ("mass negative", "mass: 1.5", "mass: -1.5", ["mass", "positive|negative"]),
    ("inertia negative", "inertia: 0.01", "inertia: -0.01", ["inertia", "positive|negative"]),
    ("inertia a list in the plane", "inertia: 0.01", "inertia: [0.01, 0.01, 0.01]", ["inertia"]),
    ("centroid with three components", "centroid: [25, 0]", "centroid: [25, 0, 0]", ["centroid|2|two"]),
    ("centroid a number", "centroid: [25, 0]", "centroid: 25", ["centroid"]),
    ("gravity with one component", "gravity: [0, -9.81 m/s^2]", "gravity: [-9.81 m/s^2]", ["gravity|2|two|component"]),
    ("gravity a number", "gravity: [0, -9.81 m/s^2]", "gravity: 9.81", ["gravity"]),
    ("marker with one component", "hook: [100, 200]", "hook: [100]", ["hook|2|two|component"]),
    ("marker a word", "hook: [100, 200]", "hook: there", ["hook"]),
    ("markers a list", "markers: {B: [0, 0]}", "markers: [B, [0, 0]]", ["markers|map"]),
    ("marker axis in the plane", "rail: {at: [0, 0], angle: 0}", "rail: {at: [0, 0], axis: [1, 0, 0]}", ["axis"]),
    ("bodies a list", "bodies:\n  ground:", "bodies:\n  «- 1\n  - 2\nbodiez:\n  ground:", ["bodies|map"]),
    ("joint a word", "  axle:\n    type: revolute\n    between: [ground.W, wheel.C]\n", "  axle: revolute\n", ["axle|map"]),
    ("between with one end", "between: [crank.A, rod.A]", "between: [crank.A]", ["between|two|2"]),
    ("between with three ends", "between: [crank.A, rod.A]", "between: [crank.A, rod.A, rod.B]", ["between|two|2"]),
    ("between a word", "between: [crank.A, rod.A]", "between: crank.A", ["between"]),
    ("force with three components in the plane", "value: [-10 N, 0]", "value: [-10 N, 0, 0]", ["value|2|two|component"]),
    ("force a number", "value: [-10 N, 0]", "value: 10", ["value|component|list"]),
    ("torque a list", "value: \"2*sin(t)\"", "value: [1, 2]", ["value|torque"]),
    ("frame unknown", "frame: ground", "frame: world", ["ground", "body"]),
    ("radii one number", "radii: [60, 40]", "radii: 60", ["radii"]),
    ("radius negative", "radii: [60, 40]", "radii: [-60, 40]", ["radi"]),
    ("radii that do not fit", "radii: [60, 40]", "radii: [60, 41]", ["radi|distance"], "mesh"),       # radii, markers or poses may be wrong: told at the joint
    # ---- dimensions: both are named
    ("mass in metres", "mass: 1.5", "mass: 1.5 m", ["mass", "length"]),
    ("inertia in kilograms", "inertia: 0.02 kg.m^2", "inertia: 0.02 kg", ["inertia", "mass"]),
    ("marker in kilograms", "hook: [100, 200]", "hook: [100 kg, 200]", ["length", "mass"]),
    ("angle in newton metres", "angle: 30 deg", "angle: 30 N.m", ["angle", "torque"]),
    ("torque in joule-less newtons", "value: \"2*sin(t)\"", "value: 5 N", ["torque", "force"]),
    ("torque in radians", "value: \"2*sin(t)\"", "value: 5 rad", ["torque", "angle"]),
    ("stiffness in newtons", "stiffness: 250 N/m", "stiffness: 250 N", ["stiffness", "force"]),
    ("stiffness torsional", "stiffness: 250 N/m", "stiffness: 250 N.m/rad", ["stiffness", "torsional"]),
    ("torsional stiffness translational", "stiffness: 2 N.m/rad", "stiffness: 2 N/m", ["stiffness"]),
    ("damping in newtons per metre", "damping: 3 N.s/m", "damping: 3 N/m", ["damping", "stiffness"]),
    ("free length in degrees", "free_length: 100 mm", "free_length: 100 deg", ["length", "angle"]),
    ("free angle in millimetres", "free_angle: 10", "free_angle: 10 mm", ["angle", "length"]),
    ("gravity a velocity", "-9.81 m/s^2", "-9.81 m/s", ["acceleration", "velocity|speed"]),
    ("force in kilograms", "value: [-10 N, 0]", "value: [-10 kg, 0]", ["force", "mass"]),
    ("radii in seconds", "radii: [60, 40]", "radii: [60 s, 40]", ["length", "time"]),
    ("step in metres", "step: 0.05", "step: 0.05 m", ["time", "length"]),
    ("unit of length a mass", "units: {length: mm", "units: {length: kg", ["length", "mass"]),
    ("unit unknown", "units: {length: mm", "units: {length: smoot", ["smoot"]),
    ("unit misspelt", "mass: 2 kg", "mass: 2 kgs", ["kgs"]),
    ("unit unknown in a quantity", "stiffness: 250 N/m", "stiffness: 250 N/mmm", ["mmm"]),
    # ---- names
    ("body misspelt", "between: [crank.A, rod.A]", "between: [crnk.A, rod.A]", ["crnk", "crank"]),
    ("marker unknown", "between: [crank.A, rod.A]", "between: [crank.A, rod.Q]", ["rod", "Q"]),
    ("marker of the wrong body", "between: [crank.A, rod.A]", "between: [crank.B, rod.A]", ["crank", "B"]),
    ("joint of a body with itself", "between: [crank.A, rod.A]", "between: [crank.A, crank.O]", ["crank"]),
    ("joint type misspelt", "type: prismatic", "type: prismtic", ["prismtic", "prismatic"]),
    ("joint type of space", "type: prismatic", "type: cylindrical", ["cylindrical"]),
    ("joint type of space, a ball", "type: prismatic", "type: spherical", ["spherical"]),
    ("load type misspelt", "type: torsion-spring", "type: torsion-sprin", ["torsion-sprin", "torsion-spring"]),
    ("load on an unknown body", "to: wheel", "to: wheell", ["wheell", "wheel"]),
    ("load on an unknown marker", "to: slider.B", "to: slider.A", ["slider", "A"]),
    ("spring at an unknown marker", "between: [ground.hook, rod.B]", "between: [ground.hok, rod.B]", ["hok", "hook"]),
    ("torsion spring on an unknown joint", "joint: hinge", "joint: hing", ["hing", "hinge"]),
    ("torsion spring on a slide", "joint: hinge", "joint: guide", ["guide", "angle|revolute|turn"]),
    ("joint called like a body", "  pin:\n", "  rod:\n", ["rod"]),
    ("load called like a joint", "  twist:\n", "  pin:\n", ["pin"]),
    ("output called like a joint", "  height: ", "  pin: ", ["pin"]),
    ("drive called like a body", "  motor:\n", "  wheel:\n", ["wheel"]),
    ("name with a digit first", "  axle:\n", "  2axle:\n", ["2axle|name"]),
    ("name with a dash", "  axle:\n", "  ax-le:\n", ["ax-le|name"]),
    ("body called ground twice", "  slider:\n    mass: 500 g", "  ground:\n    mass: 500 g", ["ground"]),
    ("mass of the ground", "  ground:\n", "  ground:\n    «mass: 3\n", ["ground|mass"]),
    ("parameter called t", "  half: ", "  t: ", ["t"]),
    ("parameter called pi", "  half: ", "  pi: ", ["pi"]),
    ("parameter called after a function", "  half: ", "  sin: ", ["sin"]),
    ("parameter called ground", "  half: ", "  ground: ", ["ground"]),
    # ---- expressions
    ("name unknown in a motion", "\"pi/6 + n*t\"", "\"pi/6 + n*tt\"", ["tt"]),
    ("parameter misspelt", "A: [a, 0]", "A: [aa, 0]", ["aa"]),
    ("parenthesis open", "\"pi/6 + n*t\"", "\"pi/6 + (n*t\"", [r"[()]|parenthes|bracket"]),
    ("parenthesis too many", "\"pi/6 + n*t\"", "\"pi/6 + n*t)\"", [r"\)|parenthes|unexpected"]),
    ("operator missing", "\"pi/6 + n*t\"", "\"pi/6 + n t\"", ["t"]),
    ("operand missing", "\"pi/6 + n*t\"", "\"pi/6 + n*\"", [""]),
    ("expression empty", "\"pi/6 + n*t\"", "\"\"", ["empty|expression|motion"]),
    ("function misspelt", "\"2*sin(t)\"", "\"2*sinn(t)\"", ["sinn", "sin"]),
    ("function with too few arguments", "\"2*sin(t)\"", "\"step(t, 0, 0, 1)\"", ["step", "5|five|argument"]),
    ("function with too many arguments", "\"2*sin(t)\"", "\"sin(t, 1)\"", ["sin", "1|one|argument"]),
    ("function without arguments", "\"2*sin(t)\"", "\"2*sin\"", ["sin"]),
    ("character unknown", "\"2*sin(t)\"", "\"2 $ t\"", [r"\$"]),
    ("unit literal unknown", "\"pi/6 + n*t\"", "\"30[dge] + n*t\"", ["dge"]),
    ("unit literal unclosed", "\"pi/6 + n*t\"", "\"30[deg + n*t\"", [""]),
    ("time where a constant is needed", "mass: 1.5", "mass: \"2*t\"", ["t"]),
    ("coordinate where a constant is needed", "mass: 1.5", "mass: \"2*hinge.angle\"", ["hinge"]),
    ("parameter of a later one", "  n: 60 rpm", "  n: \"2*half\"", ["half"]),
    ("parameter of itself", "  half: \"a/2\"", "  half: \"half/2\"", ["half"]),
    ("parameter of time", "  half: \"a/2\"", "  half: \"t/2\"", ["t"]),
    ("joint of a coordinate misspelt", "coordinate: hinge.angle", "coordinate: hnge.angle", ["hnge", "hinge"]),
    ("coordinate that the joint has not", "coordinate: hinge.angle", "coordinate: hinge.distance", ["hinge|distance"]),
    ("coordinate misspelt", "coordinate: hinge.angle", "coordinate: hinge.angel", ["angel"]),
    ("coordinate of an unknown body", "coordinate: hinge.angle", "coordinate: angle(crnk)", ["crnk", "crank"]),
    ("coordinate of an unknown marker", "coordinate: hinge.angle", "coordinate: x(rod.Q)", ["rod", "Q"]),
    ("distance of one point", "coordinate: hinge.angle", "coordinate: distance(rod.A)", ["distance"]),
    ("coordinate a number", "coordinate: hinge.angle", "coordinate: 3", ["coordinate"]),
    ("coordinate of a rate", "coordinate: hinge.angle", "coordinate: hinge.angle'", ["'|rate|hinge"]),
    ("z in the plane", "coordinate: hinge.angle", "coordinate: z(rod.B)", ["z"]),
    ("output of an unknown drive", "motor.effort*", "motr.effort*", ["motr"]),
    ("output of an unknown component", "\"y(rod.B)\"", "\"hinge.Fq\"", ["Fq"]),
    ("output of an unknown point", "\"y(rod.B)\"", "\"y(rod.C)\"", ["rod", "C"]),
    ("spring length misspelt", "\"10*(l - 0.1)^3\"", "\"10*(ll - 0.1)^3\"", ["ll"]),
    ("spring length outside a spring", "\"2*sin(t)\"", "\"2*l\"", ["l"]),
    # ---- motion
    ("motion backwards", "  to: 0.1", "  to: -0.1", ["to|from|end|before"]),
    ("step zero", "step: 0.05", "step: 0", ["step"]),
    ("step negative", "step: 0.05", "step: -0.05", ["step"]),
    ("step a word", "step: 0.05", "step: small", ["small"]),
    ("motion of time", "  to: 0.1", "  to: \"t\"", ["t"]),
    # ---- shapes
    ("shape kind misspelt", "    mass: 1.5\n    inertia: 0.01\n", "    shape:\n      - «{rodd: {from: [0, 0], to: [150, 0]}, mass: 1.5}\n", ["rodd", "rod"]),
    ("shape without mass", "    mass: 1.5\n    inertia: 0.01\n", "    shape:\n      - «{disk: {at: [0, 0], radius: 10}}\n", ["mass|density"]),
    ("shape radius negative", "    mass: 1.5\n    inertia: 0.01\n", "    shape:\n      - «{disk: {at: [0, 0], radius: -10}, mass: 1}\n", ["radius|positive"]),
    ("shape key misspelt", "    mass: 1.5\n    inertia: 0.01\n", "    shape:\n      - «{disk: {at: [0, 0], radis: 10}, mass: 1}\n", ["radis", "radius"]),
    ("shape without thickness", "    mass: 1.5\n    inertia: 0.01\n", "    shape:\n      - «{disk: {at: [0, 0], radius: 10}, density: 7800 kg/m^3}\n", ["thickness"]),
    ("more hole than plate", "    mass: 1.5\n    inertia: 0.01\n",
     "    «shape:\n      - {disk: {at: [0, 0], radius: 10}, mass: 1}\n      - {disk: {at: [0, 0], radius: 8}, mass: 2, void: true}\n", ["mass|negative|positive"], "shape"),
    # ---- YAML
    ("bracket unclosed", "centroid: [25, 0]", "centroid: [25, 0", [""]),
    ("brace too many", "pose: {at: [-100, 0]}", "pose: {{at: [-100, 0]}", [""]),
    ("tab for indentation", "    mass: 1.5", "\t«mass: 1.5", [""]),
    ("quote unclosed", "\"y(rod.B)\"", "\"y(rod.B)", [""]),
    ("indentation broken", "    inertia: 0.01\n", "   inertia: 0.01\n", [""]),
    ("alias unknown", "mass: 1.5", "mass: *heavy", ["heavy|alias|anchor"]),
]


def edited(text, *edits):
    """The text with each edit made once, and the lines (1-based) of the replacements (or of their mark)."""
    lines = []
    for old, new in edits:
        if text.count(old) < 1:
            raise ValueError(f"{old!r} is not in the base model")
        at = text.index(old)
        mark = new.find("«")
        clean = new.replace("«", "")
        lines.append(text.count("\n", 0, at) + 1 + new.count("\n", 0, max(mark, 0)))
        text = text[:at] + clean + text[at + len(old):]
    return text, lines


def line_of(text, name):
    """Line of the key `name:` (a thing the user named)."""
    for i, line in enumerate(text.splitlines(), 1):
        if line.strip().startswith(name + ":"):
            return i
    raise ValueError(name)


class Bad(cli.Case):
    def refused(self, text, command="inverse", *flags, **options):
        done = cli.run_model(text, command, *flags, **options)
        self.assertEqual(done.code, 2, done.said())
        self.assertEqual(done.files, [], "nothing is written")
        self.assertEqual(done.out, "", "nothing on stdout")
        self.assertNotIn("internal", done.err.lower())
        return done

    def told(self, done, lines, patterns):
        """A message on one of the lines with every pattern in the texts of those lines."""
        here = [m for m in done.errors if m.line in lines]
        self.assertTrue(here, f"no error on line {sorted(lines)}: {done.err.strip()[-700:]}")
        text = " | ".join(m.text for m in here)
        for p in patterns:
            self.assertRegex(text, re.compile(p, re.I), f"line {sorted(lines)}")
        for m in here:
            self.assertGreaterEqual(m.column, 1)
            self.assertTrue(m.file.endswith("model.yaml"), m.file)


class OneMistake(Bad):
    def test_the_base_model_is_right(self):
        for command in ("check", "kinematics", "inverse"):
            done = cli.run_model(BASE, command)
            self.assertEqual(done.code, 0, done.said())

    def test_cases_are_distinct(self):
        self.assertEqual(len({c[0] for c in CASES}), len(CASES))
        self.assertGreater(len(CASES), 80)

    def test_each_case(self):
        for name, old, new, patterns, *where in CASES[::7 if cli.QUICK else 1]:
            with self.subTest(name):
                text, lines = edited(BASE, (old, new))
                lines = set(lines)
                if where:                                                      # a missing thing: told at its owner or just inside it
                    owner = {1, 2, 3} if where[0] is None else {line_of(text, where[0]), line_of(text, where[0]) + 1}
                    lines = owner | lines if new else owner
                if name in ("bracket unclosed", "quote unclosed"):             # a reader may only notice further on
                    done = self.refused(text)
                    self.assertGreaterEqual(min(m.line for m in done.errors), min(lines))
                    continue
                if name in ("indentation broken", "brace too many", "tab for indentation"):
                    lines |= {min(lines) + 1, min(lines) - 1}                  # where a YAML reader may see it
                self.told(self.refused(text), lines, patterns)

    def test_check_and_kinematics_refuse_too(self):
        for name, old, new, patterns, *where in CASES[::9]:
            for command in ("check", "kinematics"):
                with self.subTest(name, command=command):
                    text, _ = edited(BASE, (old, new))
                    self.refused(text, command)


class Suggestions(Bad):
    def test_did_you_mean(self):
        for old, new, right in (("gravity: [0", "gravtiy: [0", "gravity"), ("between: [crank.A, rod.A]", "between: [crank.A, rd.A]", "rod"),
                                ("type: prismatic", "type: prismattic", "prismatic"), ("mass: 1.5", "mas: 1.5", "mass")):
            with self.subTest(new):
                text, lines = edited(BASE, (old, new))
                self.told(self.refused(text), set(lines), [rf"did you mean.*\b{right}\b"])

    def test_the_column_points_at_the_mistake(self):
        for old, new, word in (("mass: 1.5", "mas: 1.5", "mas"), ("between: [crank.A, rod.A]", "between: [crank.A, rod.Q]", "rod.Q"),
                               ("inertia: 0.01", "inertia: -0.01", "-0.01")):
            with self.subTest(new):
                text, (line,) = edited(BASE, (old, new))
                done = self.refused(text)
                columns = [m.column for m in done.errors if m.line == line]
                want = text.splitlines()[line - 1].index(word) + 1
                self.assertTrue(any(want <= c <= want + len(word) for c in columns), f"columns {columns}, expected {want}")

    def test_column_inside_an_expression(self):
        text, (line,) = edited(BASE, ("\"pi/6 + n*t\"", "\"pi/6 + n*tt\""))
        done = self.refused(text)
        start = text.splitlines()[line - 1].index("\"")
        columns = [m.column for m in done.errors if m.line == line]
        self.assertTrue(any(start + 1 <= c <= start + 13 for c in columns), columns)


class ManyMistakes(Bad):
    def test_all_are_told_in_one_run(self):
        chosen = ["unit of length a mass", "gravity a velocity", "inertia in kilograms", "mass negative", "pose key misspelt", "body misspelt",
                  "joint type misspelt", "radii one number", "name unknown in a motion", "load on an unknown marker", "frame unknown",
                  "function misspelt", "damping in newtons per metre", "torsion spring on an unknown joint", "step negative"]
        text, want = BASE, []
        for c in chosen:
            _, old, new, *_ = next(x for x in CASES if x[0] == c)
            text, lines = edited(text, (old, new))
            want += lines
        done = self.refused(text)
        missing = [(c, n) for c, n in zip(chosen, want) if n not in {m.line for m in done.errors}]
        self.assertFalse(missing, done.err[-3000:])

    def test_one_mistake_gives_few_messages(self):
        """a misspelt body is one mistake, not one at each of its uses; a wrong unit is told once"""
        for name in ("body misspelt", "mass in metres", "joint type misspelt", "function misspelt", "marker unknown", "mass negative", "top key misspelt"):
            with self.subTest(name):
                _, old, new, *_ = next(x for x in CASES if x[0] == name)
                done = self.refused(edited(BASE, (old, new))[0])
                self.assertLessEqual(len(done.errors), 2, done.err)

    def test_twenty_mistakes(self):
        body = "".join(f"  b{k}: {{mass: -1, inertia: 1}}\n" for k in range(20))
        text = f"roberval: 1\nspace: planar\nbodies:\n{body}"
        done = self.refused(text, "check")
        self.assertEqual([m.line for m in done.errors], list(range(4, 24)), done.err[-500:])

    def test_in_the_order_of_the_file(self):
        text, _ = edited(BASE, ("step: 0.05", "step: -1"), ("mass: 1.5", "mass: -1"), ("frame: ground", "frame: world"))
        done = self.refused(text)
        lines = [m.line for m in done.errors]
        self.assertEqual(lines, sorted(lines))


class Files(Bad):
    def raw(self, content, name="model.yaml"):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, name)
            with open(path, "wb") as f:
                f.write(content)
            return cli.run(["inverse", path])

    def test_strange_files(self):
        deep = b"roberval: 1\ntitle: " + b"[" * 5000 + b"]" * 5000 + b"\n"
        bomb = b"a: &a [x,x,x,x,x,x,x,x,x]\n" + b"".join(b"%c: &%c [*%c,*%c,*%c,*%c,*%c,*%c,*%c,*%c,*%c]\n" % (c, c, *([c - 1] * 9)) for c in range(ord("b"), ord("k")))
        for what, content in (("empty", b""), ("only a comment", b"# nothing\n"), ("a list", b"- 1\n- 2\n"), ("a word", b"hello\n"), ("invalid UTF-8", b"roberval: 1\ntitle: \xff\xfe\n"),
                              ("control character", b"roberval: 1\ntitle: a\x01b\n"), ("NUL", b"roberval: 1\ntitle: a\x00b\n"), ("two documents", BASE.encode() + b"---\nroberval: 1\n"),
                              ("deep", deep), ("alias bomb", bomb), ("UTF-16", BASE.encode("utf-16")), ("binary", bytes(range(256)) * 20), ("key not a string", b"roberval: 1\n? [a, b]\n: 3\n"),
                              ("a second broken document", BASE.encode() + b"---\n[\n"), ("tag", b"roberval: !!python/object:os.system 1\nspace: planar\n")):
            with self.subTest(what):
                done = self.raw(content)
                self.assertEqual(done.code, 2, done.said())
                self.assertEqual(done.files, [])
                self.assertTrue(done.errors, done.err[-300:])

    def test_byte_order_mark_and_crlf_are_fine(self):
        for what, content in (("BOM", b"\xef\xbb\xbf" + BASE.encode()), ("CRLF", BASE.replace("\n", "\r\n").encode())):
            with self.subTest(what):
                done = self.raw(content)
                self.assertEqual(done.code, 0, done.said())

    def test_lines_with_crlf(self):
        text, (line,) = edited(BASE, ("mass: 1.5", "mass: -1.5"))
        done = self.raw(text.replace("\n", "\r\n").encode())
        self.assertEqual({m.line for m in done.errors}, {line})

    def test_absent_file_and_folder(self):
        with tempfile.TemporaryDirectory() as folder:
            for path in (os.path.join(folder, "absent.yaml"), folder):
                done = cli.run(["inverse", path])
                self.assertEqual(done.code, 2, done.said())
                self.assertIn(os.path.basename(path), done.err)

    def test_yaml_core_schema(self):
        """y n on off yes no are strings: names of bodies may be so; 1e-3 is a number; only true and false are truth values"""
        text = BASE.replace("wheel", "on").replace("slider", "y").replace("1.5", "15e-1")
        done = cli.run_model(text, "inverse")
        self.assertEqual(done.code, 0, done.said())
        self.assertIn("on.angle", done.series)

    def test_numbers_and_quantities_as_strings(self):
        text = BASE.replace("mass: 1.5", "mass: \"1.5\"").replace("hook: [100, 200]", "hook: [\"100\", 20 cm]")
        a, b = cli.run_model(BASE, "inverse"), cli.run_model(text, "inverse")
        self.assertEqual(b.code, 0, b.said())
        for k, x in a.series.items():
            self.near(b.series[k], x, 1e-12 * max(1, abs(x).max()), k)


class Calls(Bad):
    def call(self, *args, code=2, out=False):
        done = cli.run(list(args), out=out, quiet=False)
        self.assertEqual(done.code, code, f"{args}: {done.said()}")
        return done

    def with_base(self, *flags, command="inverse", text=BASE):
        return cli.run_model(text, command, *flags)

    def test_wrong_calls(self):
        for args in ((), ("invers", "x.yaml"), ("inverse",), ("inverse", "a.yaml", "b.yaml"), ("--wrong",), ("inverse", "--frame")):
            with self.subTest(args):
                done = self.call(*args)
                self.assertTrue((done.err + done.out).strip())                 # without arguments the help may stand on stdout
        self.assertRegex(self.call("invers", "x.yaml").err, "inverse")

    def test_wrong_flags(self):
        for flags in (("--frame", "sideways"), ("--sped", "3"), ("--step", "0"), ("--step", "-1"), ("--step", "x"), ("--from", "1", "--to", "0"), ("--method", "magic"),
                      ("--coordinates", "polar"), ("--redundant", "guess"), ("--set", "n"), ("--set", "=3"), ("--step", "1 m")):
            with self.subTest(flags):
                done = self.with_base(*flags)
                self.assertEqual(done.code, 2, done.said())
                self.assertEqual(done.files, [])
                self.assertTrue(done.err.strip())

    def test_help_and_version(self):
        self.assertIn("inverse", self.call("--help", code=0).out)
        self.assertRegex(self.call("--version", code=0).out, r"\d+\.\d+")
        for command in ("check", "kinematics", "inverse", "schema"):
            self.assertTrue(self.call(command, "--help", code=0).out.strip())

    def test_overrides(self):
        for flag, word in (("m=3", "m"), ("n=3", "n"), ("n=3 m", "n"), ("half=3 smoot", "smoot"), ("a=-", "a")):
            with self.subTest(flag):
                done = self.with_base("--set", flag)
                self.assertEqual(done.code, 2, done.said())
                self.assertIn(word, done.err)
                self.assertEqual(done.files, [])
        for flag in ("n=0", "n=90[rpm]", "n=90 rpm", "n=1.5 Hz", "half=0.03", "a=5 cm"):
            with self.subTest(flag):
                done = self.with_base("--set", flag)
                self.assertIn(done.code, (0, 2) if flag in ("n=1.5 Hz",) else (0,), done.said())

    def test_output_not_writable(self):
        with tempfile.NamedTemporaryFile() as f:
            with tempfile.TemporaryDirectory() as folder:
                path = os.path.join(folder, "model.yaml")
                with open(path, "w") as m:
                    m.write(BASE)
                done = cli.run(["inverse", path, "--quiet", "--out", os.path.join(f.name, "sub")], out=False, quiet=False)
                self.assertEqual(done.code, 1, done.said())
                self.assertIn(os.path.basename(f.name), done.err)

    def test_json_is_alone_on_stdout(self):
        done = cli.run_model(BASE, "inverse", "--json", out=False, quiet=False)
        self.assertEqual(done.code, 0, done.said())
        doc = done.json()
        for key in ("roberval", "analysis", "frame", "model", "mobility", "reactions", "drives", "audit", "series"):
            self.assertIn(key, doc)

    def test_without_out_nothing_is_written(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "model.yaml")
            with open(path, "w") as f:
                f.write(BASE)
            done = cli.run(["inverse", path], cwd=folder, out=False)
            self.assertEqual(done.code, 0, done.said())
            self.assertEqual(os.listdir(folder), ["model.yaml"])


class Motion(Bad):
    PENDULUM = {"roberval": 1, "space": "planar", "gravity": [0, -9.81], "bodies": {"rod": {"mass": 1, "inertia": .1, "markers": {"O": [-.5, 0], "E": [.5, 0]}, "pose": {"at": [.5, 0]}}},
                "joints": {"hinge": {"type": "revolute", "between": ["ground", "rod.O"]}}, "motion": {"from": 0, "to": 1, "step": 0.1}}

    def pendulum(self, **more):
        return {**json.loads(json.dumps(self.PENDULUM)), **more}

    def test_no_motion(self):
        text = BASE[:BASE.index("motion:\n  from")] + BASE[BASE.index("output:"):]
        for command in ("inverse", "kinematics"):
            self.assertRegex(self.refused(text, command).err, "motion")
        done = cli.run_model(text, "check")
        self.assertEqual(done.code, 0, "check needs no motion: " + done.said())

    def test_under_driven_names_what_could_drive(self):
        self.assertIn("hinge.angle", self.refused(self.pendulum()).err)
        text = BASE[:BASE.index("drives:")] + BASE[BASE.index("loads:"):].replace("  power: \"motor.effort*hinge.angle'\"\n", "")
        self.assertRegex(self.refused(text).err, r"(hinge|axle)\.angle|guide\.distance|angle\(\w+\)")

    def test_under_driven_by_two(self):
        m = self.pendulum()
        m["bodies"]["arm"] = {"mass": 1, "inertia": .1, "pose": {"at": [1, 0]}}
        m["joints"]["elbow"] = {"type": "revolute", "between": ["rod.E", "arm"]}
        err = self.refused(m).err
        self.assertRegex(err, r"hinge\.angle|angle\(rod\)")
        self.assertRegex(err, r"elbow\.angle|angle\(arm\)")

    def test_a_driven_part_is_not_named(self):
        m = self.pendulum(drives={"motor": {"coordinate": "hinge.angle", "motion": "t"}})
        m["bodies"]["arm"] = {"mass": 1, "inertia": .1, "pose": {"at": [1, 0]}}
        m["joints"]["elbow"] = {"type": "revolute", "between": ["rod.E", "arm"]}
        self.assertRegex(self.refused(m).err, r"elbow\.angle|angle\(arm\)")

    def test_over_driven_names_the_drives(self):
        for second, motion in (("hinge.angle", "t"), ("angle(rod)", "t"), ("y(rod.E)", "sin(t)"), ("hinge.angle", "2*t")):
            with self.subTest(second, motion=motion):
                m = self.pendulum(drives={"motor": {"coordinate": "hinge.angle", "motion": "t"}, "servo": {"coordinate": second, "motion": motion}})
                err = self.refused(m).err
                self.assertIn("motor", err)
                self.assertIn("servo", err)

    def test_a_drive_on_what_a_joint_holds(self):
        m = self.pendulum(drives={"motor": {"coordinate": "hinge.angle", "motion": "t"}, "pull": {"coordinate": "x(rod.O)", "motion": "0"}})
        self.assertIn("pull", self.refused(m).err)

    def test_contradictory_drives(self):
        """two drives that start together and then part: found out on the way or before, with their names"""
        m = self.pendulum(drives={"motor": {"coordinate": "hinge.angle", "motion": "0.2*t"}, "servo": {"coordinate": "angle(rod)", "motion": "0.3*t"}})
        done = cli.run_model(m, "inverse")
        self.assertIn(done.code, (1, 2), done.said())
        self.assertIn("motor", done.err)
        self.assertIn("servo", done.err)

    def test_contradictory_joints(self):
        """two x joints with different values: exit 1 or 2 with both names"""
        m = self.pendulum()
        m["joints"] = {"a": {"type": "x", "between": ["ground", "rod.O"], "value": 0.1}, "b": {"type": "x", "between": ["ground", "rod.O"], "value": 0.3},
                       "c": {"type": "y", "between": ["ground", "rod.O"]}, "d": {"type": "angle", "between": ["ground", "rod"]}}
        done = cli.run_model(m, "inverse")
        self.assertIn(done.code, (1, 2), done.said())
        self.assertRegex(done.err, r"\ba\b")
        self.assertRegex(done.err, r"\bb\b")

    def test_no_assembly(self):
        """a coupler too short to reach: exit 1, the gap in metres, the joints by name"""
        m = {"roberval": 1, "space": "planar", "bodies": {
            "crank": {"mass": 1, "inertia": .1, "markers": {"A": [1, 0]}, "pose": {"angle": 1.5}}, "rocker": {"mass": 1, "inertia": .1, "pose": {"at": [4, 0], "angle": 1.6}, "markers": {"B": [1, 0]}},
            "rod": {"mass": 1, "inertia": .1, "pose": {"at": [0.5, 1]}, "markers": {"B": [1.2, 0]}}, "ground": {"markers": {"Q": [4, 0]}}},
            "joints": {"O": {"type": "revolute", "between": ["ground", "crank"]}, "A": {"type": "revolute", "between": ["crank.A", "rod"]},
                       "B": {"type": "revolute", "between": ["rod.B", "rocker.B"]}, "Q": {"type": "revolute", "between": ["ground.Q", "rocker"]}},
            "drives": {"motor": {"coordinate": "O.angle", "motion": "1.5 + t"}}, "motion": {"from": 0, "to": 1, "step": 0.1}}
        for command in ("inverse", "kinematics"):
            done = cli.run_model(m, command)
            self.assertEqual(done.code, 1, done.said())
            self.assertRegex(done.err, re.compile("no assembly found", re.I))
            self.assertRegex(done.err, r"\d\S* m\b", "the gap in metres")
            self.assertRegex(done.err, r"\b[ABOQ]\b", "by name")
        m["bodies"]["rod"]["markers"]["B"] = [3.9, 0]                          # long enough: A is 4.1 to 4.9 from Q until the crank points away
        done = cli.run_model(m, "inverse")
        self.assertEqual(done.code, 0, done.said())

    def test_link_too_short(self):
        m = self.pendulum()
        m["bodies"]["ground"] = {"markers": {"P": [5, 0]}}
        m["joints"]["bar"] = {"type": "link", "between": ["ground.P", "rod.E"], "length": 1}
        m["drives"] = {}
        done = cli.run_model(m, "inverse")
        self.assertEqual(done.code, 1, done.said())
        self.assertRegex(done.err, re.compile("no assembly found", re.I))
        self.assertRegex(done.err, r"\bbar\b|\bhinge\b")
        self.assertRegex(done.err, r"\d\S* m\b")

    def test_lock_up_on_the_way(self):
        """a pendulum pushed by a point beyond its reach at t = 0.5: exit 1 says when, and what was reached is kept"""
        m = self.pendulum(drives={"push": {"coordinate": "y(rod.E)", "motion": "0.1 + 1.8*t"}})          # sin = 1 at t = 0.5
        for command in ("inverse", "kinematics"):
            done = cli.run_model(m, command)
            self.assertEqual(done.code, 1, done.said())
            self.assertRegex(done.err, r"0\.[45]")
            self.assertIn("series.csv", done.files)
            self.assertIn(len(done.time), (5, 6), "samples before 0.5 are kept")                           # 0 .. 0.4, perhaps 0.5
            self.near(done.series["rod.angle"][:5], [math.asin(.1 + 1.8 * t) for t in (0, .1, .2, .3, .4)], 1e-9)
            self.assertRegex(done.err, r"push|rod|hinge")

    def test_dead_centre_is_not_passed_in_silence(self):
        """a slider-crank driven by its slider through a dead centre that it just reaches"""
        m = {"roberval": 1, "space": "planar", "gravity": [0, -9.81],
             "bodies": {"crank": {"mass": 1, "inertia": .1, "markers": {"A": [1, 0]}, "pose": {"angle": 1}}, "rod": {"mass": 1, "inertia": .1, "pose": {"at": [.5, .8], "angle": -.3}, "markers": {"B": [3, 0]}}},
             "joints": {"O": {"type": "revolute", "between": ["ground", "crank"]}, "A": {"type": "revolute", "between": ["crank.A", "rod"]}, "y": {"type": "y", "between": ["ground", "rod.B"]}},
             "drives": {"push": {"coordinate": "x(rod.B)", "motion": "3.5 + 0.6*t"}}, "motion": {"from": 0, "to": 1, "step": 0.125}}
        done = cli.run_model(m, "inverse")
        self.assertEqual(done.code, 1, done.said())
        self.assertRegex(done.err, r"0\.[78]")


class Extremes(Bad):
    """Numbers that cannot be computed with are refused where they stand; whatever fails says so."""

    def arm(self, **changes):
        body = {"mass": 1, "inertia": 0.1, "centroid": [0.5, 0], "markers": {"T": [1, 0]}, **changes}
        return {"roberval": 1, "space": "planar", "gravity": [0, -9.81], "bodies": {"arm": body}, "joints": {"pin": {"type": "revolute", "between": ["ground", "arm"]}},
                "drives": {"motor": {"coordinate": "pin.angle", "motion": "t"}}, "motion": {"from": 0, "to": 1, "step": 0.5}}

    def test_too_large_or_too_small(self):
        for key, change in (("mass", {"mass": 5e-324}), ("mass", {"mass": 1e300}), ("inertia", {"inertia": 1e-200}), ("T", {"markers": {"T": [1e308, 0]}}), ("centroid", {"centroid": [0, -1e155]}),
                            ("at", {"pose": {"at": [1e200, 0]}})):
            for call in (["inverse"], ["inverse", "--coordinates", "natural", "--mixed"], ["simulate"], ["statics", "--units", "model"], ["check", "--motion"], ["modes"]):
                done = cli.run_model(self.arm(**change), *call)
                self.assertEqual(done.code, 2, f"{call} {change}: {done.said()}")
                self.assertIn(f"'{key}' is ", done.errors[0].text)

    @cli.long
    def test_nothing_fails_without_a_word(self):
        """numbers near the ends of what a double holds: whatever comes of it, a failure has an error in words"""
        for motion in (5e-324, 1e308, "1e308*t", "5e-324*t", "exp(700*t)", "1e200*sin(t)"):
            for far in (0.0, 1e99, 1e-300):
                model = self.arm(centroid=[far, 0])
                model["drives"]["motor"]["motion"] = motion
                model["drives"]["again"] = {"coordinate": "angle(arm)", "motion": motion}
                if far == 0:
                    del model["drives"]["again"]
                for call in (["check", "--motion"], ["inverse", "--units", "model"], ["simulate", "--coordinates", "natural", "--mixed"], ["statics", "--coordinates", "natural", "--mixed"], ["kinematics"]):
                    done = cli.run_model(model, *call)
                    self.assertIn(done.code, (0, 1, 2), done.said())
                    self.assertNotRegex(done.out, "(?<![a-z])(inf|nan)(?![a-z])")
                    if done.code:
                        self.assertIn("error: ", done.err, f"{call} {motion} {far}: {done.code}")


class Terminal(cli.Case):
    """What controls a terminal, turns the direction of writing, or is no text at all is shown in digits; files of results stay JSON and XML."""

    MODEL = json.dumps({"roberval": 1, "title": "a \u202e b \u200b c", "space": "planar", "bodies": {"arm": {"mass": 1, "inertia": 0.1}}, "joints": {"pin": {"type": "revolute", "between": ["ground", "arm"]}},
                        "drives": {"motor": {"coordinate": "pin.angle", "motion": "t"}}, "motion": {"from": 0, "to": 1, "step": 0.5}}, ensure_ascii=False)
    ACTS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2066-\u2069]".encode("utf-8").decode("utf-8"))

    def test_names_of_files(self):
        for name in (b"x\xff.yaml", b"x\x1b[31m.yaml", "x\u202ey.yaml".encode(), b"\xed\xa0\x80.yaml", b"x\nroberval: error.yaml"):
            with tempfile.TemporaryDirectory() as folder:
                path, out = os.path.join(folder.encode(), name), os.path.join(folder, "out")
                for text, code in ((self.MODEL, 0), (self.MODEL.replace("pin.angle", "pi\\u202e.angle"), 2)):
                    with open(path, "w", encoding="utf-8") as f:
                        f.write(text)
                    for call in (["inverse", path, "--out", out], ["check", path], ["inverse", path, "--svg", os.path.join(folder, "x.svg")], ["inverse", path, "--frames", os.path.join(folder, "x.gltf")],
                                 ["inverse", path, "--json"], ["report", path, "--out", os.path.join(folder, "x.html")]):
                        done = subprocess.run([cli.BINARY.encode(), *call], capture_output=True, cwd=folder)
                        self.assertEqual(done.returncode, code, done.stderr)
                        shown = done.stdout + done.stderr
                        self.assertIsNone(self.ACTS.search(shown.decode("utf-8")), f"{name} {call}")
                with open(os.path.join(out, "result.json"), encoding="utf-8") as f:
                    json.load(f)
                with open(os.path.join(folder, "x.gltf"), encoding="utf-8") as f:
                    json.load(f)
                xml.etree.ElementTree.parse(os.path.join(folder, "x.svg"))
                done = subprocess.run([cli.BINARY, "report", out, "--out", os.path.join(folder, "y.html")], capture_output=True)
                self.assertEqual(done.returncode, 0, done.stderr)

    def test_arguments(self):
        for call in (["ch\x1beck", "x"], ["check", "--\u202e"], ["check", "none\x1b.yaml"], ["check", "x", "--set", "\x1b=1"], ["inverse", "x", "--step", "\x1b[2J"]):
            done = subprocess.run([cli.BINARY, *call], capture_output=True)
            self.assertEqual(done.returncode, 2)
            self.assertIsNone(self.ACTS.search(done.stderr.decode("utf-8")), call)


if __name__ == "__main__":
    cli.main()
