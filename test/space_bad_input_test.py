#!/usr/bin/python3
"""Broken spatial models, one broken thing each: exit 2, `file:line:column: error:` on the line of the mistake, a text that says what is wrong, and
nothing written.  Then spatial mechanisms with a drive too few or too many, and what is of space in planar models.

A case is as in test/bad_input_test.py: (name, text of BASE to replace, replacement, patterns[, the thing at whose lines it may be told])."""
import json
import math
import os
import re
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "py"))
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import bad_input_test          # noqa: E402
import cli                     # noqa: E402
from bad_input_test import edited      # noqa: E402

BASE = """\
roberval: 1
title: Arm in space
space: spatial
units: {length: mm, angle: deg}
gravity: [0, 0, -9.81 m/s^2]
bodies:
  ground:
    markers:
      O: {at: [0, 0, 0], axis: [0, 1, 0]}
      rail: {at: [0, 0, 300], axis: [1, 0, 0], x: [0, 0, 1]}
      hook: [100, 200, 300]
      W: {at: [-200, 0, 0], rotate: {axis: [0, 0, 1], angle: 0}}
      V: {at: [-320, 0, 0], rotate: {quaternion: [1, 0, 0, 0]}}
  arm:
    mass: 2 kg
    centroid: [150, 0, 0]
    inertia: [0.001, 0.02, 0.0201, 0.0001, 0, 0.0002]
    pose: {at: [0, 0, 0], rotate: {euler: zyx, angles: [0, -30, 0]}}
    markers:
      O: {at: [0, 0, 0], axis: [0, 1, 0]}
      P: [300, 0, 0]
  block:
    mass: 1 kg
    inertia: [0.01, 0.01, 0.01]
    pose: {at: [0, 0, 300]}
    markers:
      Q: {at: [0, 0, 0], axis: [1, 0, 0], x: [0, 0, 1]}
  bob:
    mass: 0.5 kg
    particle: true
    pose: {at: [100, 200, 200]}
  wheel:
    mass: 1.5 kg
    inertia: [0.01, 0.01, 0.02]
    pose: {at: [-200, 0, 0]}
  pinion:
    mass: 0.7 kg
    shape:
      - cylinder: {from: [0, 0, -10], to: [0, 0, 10], radius: 40}
        mass: 0.7 kg
    pose: {at: [-320, 0, 0]}
joints:
  hinge:
    type: revolute
    between: [ground.O, arm.O]
  guide:
    type: cylindrical
    between: [ground.rail, block.Q]
  axle:
    type: revolute
    between: [ground.W, wheel]
  axle2:
    type: revolute
    between: [ground.V, pinion]
  mesh:
    type: gear
    between: [wheel, pinion]
    radii: [80, 40]
    pressure_angle: 20 deg
  side:
    type: inline
    between: [ground.hook, bob]
drives:
  motor:
    coordinate: hinge.angle
    motion: "-pi/6 + t"
  slide:
    coordinate: guide.distance
    motion: "0.1*t"
  roll:
    coordinate: guide.angle
    motion: "t"
  spin:
    coordinate: axle.angle
    motion: "t"
  drop:
    coordinate: side.z
    motion: "-0.1"
loads:
  press:
    type: force
    to: arm.P
    value: [0, -10 N, 0]
    frame: ground
  twist:
    type: torque
    to: block
    value: [0, "2*sin(t)", 1]
    frame: body
  coil:
    type: torsion-spring
    joint: hinge
    stiffness: 2 N.m/rad
  mount:
    type: bushing
    between: [ground.rail, block.Q]
    stiffness: [100, 100, 100, 1, 1, 1]
    damping: [1, 1, 1, 0, 0, 0]
  tide:
    type: field
    acceleration: ["x", "y", "0"]
  turn:
    type: rotating-frame
    speed: 1 rad/s
    axis: [0, 0, 1]
    center: [0, 0, 0]
motion:
  from: 0
  to: 0.1
  step: 0.05
output:
  height: "z(arm.P)"
"""

ARM = "inertia: [0.001, 0.02, 0.0201, 0.0001, 0, 0.0002]"
CASES = [
    # ---- inertia: what a real body can have
    ("triangle inequality", ARM, "inertia: [0.001, 0.02, 0.03]", ["triangle|Izz|real body|exceed|sum|inertia"]),
    ("triangle inequality, first moment", ARM, "inertia: [0.05, 0.02, 0.02]", ["triangle|Ixx|real body|exceed|sum|inertia"]),
    ("triangle inequality of the principal moments", ARM, "inertia: [0.02, 0.02, 0.02, 0.0099, 0.0099, 0.0099]",
     ["triangle|principal|real body|definite|inertia"]),
    ("not positive definite", ARM, "inertia: [0.01, 0.01, 0.01, 0.02, 0, 0]", ["definite|positive|inertia"]),
    ("negative moment", ARM, "inertia: [-0.01, 0.02, 0.02]", ["positive|negative"]),
    ("inertia of two numbers", ARM, "inertia: [0.01, 0.02]", ["inertia", "3|three|6|six"]),
    ("inertia of four numbers", ARM, "inertia: [0.01, 0.02, 0.02, 0]", ["inertia", "3|three|6|six"]),
    ("inertia of nine numbers", ARM, "inertia: [0.01, 0, 0, 0, 0.01, 0, 0, 0, 0.01]", ["inertia", "3|three|6|six"]),
    ("inertia a number in space", ARM, "inertia: 0.02", ["inertia"]),
    ("inertia in kilograms", ARM, "inertia: [0.01 kg, 0.02, 0.02]", ["inertia", "mass"]),
    ("inertia infinite", ARM, "inertia: [.inf, 0.02, 0.02]", [""]),
    # ---- numbers of components
    ("gravity with two components", "gravity: [0, 0, -9.81 m/s^2]", "gravity: [0, -9.81 m/s^2]", ["gravity|3|three|component"]),
    ("marker with two components", "hook: [100, 200, 300]", "hook: [100, 200]", ["hook|3|three|component"]),
    ("marker with four components", "hook: [100, 200, 300]", "hook: [100, 200, 300, 1]", ["hook|3|three|component"]),
    ("marker's place with two components", "O: {at: [0, 0, 0], axis: [0, 1, 0]}\n      rail", "O: {at: [0, 0], axis: [0, 1, 0]}\n      rail",
     ["at|3|three|component"]),
    ("axis with two components", "V: {at: [-320, 0, 0], rotate: {quaternion: [1, 0, 0, 0]}}", "V: {at: [-320, 0, 0], axis: [0, 1]}",
     ["axis|3|three|component"]),
    ("force with two components", "value: [0, -10 N, 0]", "value: [0, -10 N]", ["value|3|three|component"]),
    ("torque with two components", "value: [0, \"2*sin(t)\", 1]", "value: [0, \"2*sin(t)\"]", ["value|3|three|component"]),
    ("torque a number in space", "value: [0, \"2*sin(t)\", 1]", "value: 5", ["value|torque|3|three|component"]),
    ("centroid with two components", "centroid: [150, 0, 0]", "centroid: [150, 0]", ["centroid|3|three|component"]),
    ("pose with two components", "pose: {at: [0, 0, 300]}", "pose: {at: [0, 300]}", ["at|3|three|component"]),
    ("bushing with three stiffnesses", "stiffness: [100, 100, 100, 1, 1, 1]", "stiffness: [100, 100, 1]", ["stiffness|6|six|component"]),
    ("bushing with three dampings", "damping: [1, 1, 1, 0, 0, 0]", "damping: [1, 1, 0]", ["damping|6|six|component"]),
    ("field with two components", "acceleration: [\"x\", \"y\", \"0\"]", "acceleration: [\"x\", \"y\"]", ["acceleration|3|three|component"]),
    ("frame's axis with two components", "    axis: [0, 0, 1]\n", "    axis: [0, 1]\n", ["axis|3|three|component"]),
    ("frame's axis of no direction", "    axis: [0, 0, 1]\n", "    axis: [0, 0, 0]\n", ["axis|zero|direction|length"]),
    # ---- turning
    ("angle of a pose in space", "pose: {at: [0, 0, 300]}", "pose: {at: [0, 0, 300], angle: 30}", ["angle", "rotate|space|plan"]),
    ("angle of a marker in space", "hook: [100, 200, 300]", "hook: {at: [100, 200, 300], angle: 30}", ["angle", "rotate|axis|space|plan"]),
    ("quaternion not of unit length", "quaternion: [1, 0, 0, 0]", "quaternion: [1, 1, 0, 0]", ["quaternion|unit|length|1"]),
    ("quaternion a little off", "quaternion: [1, 0, 0, 0]", "quaternion: [1.00001, 0, 0, 0]", ["quaternion|unit|length"]),
    ("quaternion of nought", "quaternion: [1, 0, 0, 0]", "quaternion: [0, 0, 0, 0]", ["quaternion|unit|length"]),
    ("quaternion of three", "quaternion: [1, 0, 0, 0]", "quaternion: [1, 0, 0]", ["quaternion|4|four"]),
    ("axis of no direction", "rotate: {axis: [0, 0, 1], angle: 0}", "rotate: {axis: [0, 0, 0], angle: 0}", ["axis|zero|direction|length"]),
    ("marker's axis of no direction", "O: {at: [0, 0, 0], axis: [0, 1, 0]}\n      rail", "O: {at: [0, 0, 0], axis: [0, 0, 0]}\n      rail",
     ["axis|zero|direction|length"]),
    ("marker's x along its axis", "axis: [1, 0, 0], x: [0, 0, 1]}\n      hook", "axis: [1, 0, 0], x: [2, 0, 0]}\n      hook",
     ["x|parallel|along|axis"]),
    ("marker's x of no direction", "axis: [1, 0, 0], x: [0, 0, 1]}\n      hook", "axis: [1, 0, 0], x: [0, 0, 0]}\n      hook",
     ["x|zero|direction|length"]),
    ("x without an axis", "hook: [100, 200, 300]", "hook: {at: [100, 200, 300], rotate: {axis: [0, 0, 1], angle: 3}, x: [1, 0, 0]}", ["x|rotate"]),
    ("axis and rotate", "W: {at: [-200, 0, 0], rotate: {axis: [0, 0, 1], angle: 0}}",
     "W: {at: [-200, 0, 0], axis: [0, 0, 1], rotate: {axis: [0, 0, 1], angle: 0}}", ["axis|rotate"]),
    ("axis without angle", "rotate: {axis: [0, 0, 1], angle: 0}", "rotate: {axis: [0, 0, 1]}", ["angle"]),
    ("angle without axis", "rotate: {axis: [0, 0, 1], angle: 0}", "rotate: {angle: 0}", ["axis"]),
    ("two ways to turn", "rotate: {axis: [0, 0, 1], angle: 0}", "rotate: {axis: [0, 0, 1], angle: 0, quaternion: [1, 0, 0, 0]}",
     ["quaternion|axis|one of"]),
    ("nothing to turn", "rotate: {axis: [0, 0, 1], angle: 0}", "rotate: {}", ["axis|quaternion|euler|rotate"]),
    ("turned by a number", "rotate: {axis: [0, 0, 1], angle: 0}", "rotate: 30", ["rotate|map"]),
    ("euler word nonsense", "euler: zyx", "euler: abc", ["abc", "x|y|z"]),
    ("euler word with equal neighbours", "euler: zyx", "euler: zzx", ["zzx"]),
    ("euler word too short", "euler: zyx", "euler: zy", ["zy"]),
    ("euler word too long", "euler: zyx", "euler: zyxz", ["zyxz"]),
    ("euler angles too few", "angles: [0, -30, 0]", "angles: [0, -30]", ["angles|3|three"]),
    ("euler without angles", "{euler: zyx, angles: [0, -30, 0]}", "{euler: zyx}", ["angles"]),
    ("euler angle in metres", "angles: [0, -30, 0]", "angles: [0, -30 m, 0]", ["angle", "length"]),
    ("turning key misspelt", "rotate: {quaternion: [1, 0, 0, 0]}", "rotate: {quaternoin: [1, 0, 0, 0]}", ["quaternoin", "quaternion"]),
    # ---- particles
    ("particle with an inertia", "    particle: true\n", "    particle: true\n    «inertia: [0.01, 0.01, 0.01]\n", ["inertia", "particle"]),
    ("particle that is turned", "pose: {at: [100, 200, 200]}", "pose: {at: [100, 200, 200], rotate: {axis: [0, 0, 1], angle: 3}}",
     ["rotate|particle|turn"]),
    ("torque on a particle", "    to: block\n    value: [0,", "    «to: bob\n    value: [0,", ["bob|particle"], "twist"),
    ("hinge on a particle", "    type: inline\n    between: [ground.hook, bob]", "    «type: revolute\n    between: [ground.hook, bob]",
     ["bob|particle"], "side"),
    # ---- kinds of the other space
    ("slot in space", "type: inline", "type: slot", ["slot", "plan|inline"]),
    ("angle joint in space", "type: inline", "type: angle", ["angle"]),
    ("angle of a body in space", "coordinate: axle.angle", "coordinate: angle(wheel)", ["angle|plan"]),
    ("joint kind misspelt", "type: cylindrical", "type: cylindrial", ["cylindrial", "cylindrical"]),
    ("joint kind misspelt, long", "type: inline", "type: constant-velcity", ["constant-velcity", "constant-velocity"]),
    ("planar shape in space", "cylinder: {from: [0, 0, -10], to: [0, 0, 10], radius: 40}", "disk: {at: [0, 0], radius: 40}",
     ["disk", "cylinder|plan|space"]),
    # ---- joints
    ("one turn locked alone", "type: inline", "type: general\n    «locked: [x, y, rz]", ["rz|one|alone|two"], "side"),
    ("one turn locked, nothing else", "type: inline", "type: general\n    «locked: [rx]", ["rx|one|alone|two"], "side"),
    ("a direction that is none", "type: inline", "type: general\n    «locked: [x, y, rw]", ["rw"]),
    ("a direction twice", "type: inline", "type: general\n    «locked: [x, x]", ["x|twice|duplicate"]),
    ("nothing locked", "type: inline", "type: general\n    «locked: []", ["locked|at least"], "side"),
    ("locked of another kind", "type: inline", "type: inline\n    «locked: [x, y]", ["locked"]),
    ("screw without pitch", "type: cylindrical", "type: screw", ["pitch"], "guide"),
    ("screw of pitch nought", "type: cylindrical", "type: screw\n    «pitch: 0", ["pitch"]),
    ("screw's pitch an angle", "type: cylindrical", "type: screw\n    «pitch: 10 deg", ["length", "angle"], "guide"),
    ("pitch of a revolute", "type: revolute\n    between: [ground.O", "type: revolute\n    «pitch: 3\n    between: [ground.O", ["pitch"]),
    ("link of no length", "type: inline", "type: link\n    «length: 0", ["length|positive"]),
    ("link of negative length", "type: inline", "type: link\n    «length: -5", ["length|positive|negative"]),
    ("wheel without radius", "type: inline", "type: wheel", ["radius"], "side"),
    ("ball without radius", "type: inline", "type: ball", ["radius"], "side"),
    ("ball of negative radius", "type: inline", "type: ball\n    «radius: -3", ["radius|positive|negative"]),
    ("radii that do not fit", "radii: [80, 40]", "radii: [80, 41]", ["radi|distance|pitch circle"], "mesh"),
    ("radii that do not fit by little", "radii: [80, 40]", "radii: [80, 40.001]", ["radi|distance|pitch circle"], "mesh"),
    ("radius negative", "radii: [80, 40]", "radii: [-80, 40]", ["radi|positive"]),
    ("radii of three", "radii: [80, 40]", "radii: [80, 40, 1]", ["radii|2|two"]),
    ("radii and teeth", "radii: [80, 40]", "radii: [80, 40]\n    «teeth: [40, 20]", ["radii|teeth"], "mesh"),
    ("helix angle too large", "pressure_angle: 20 deg", "pressure_angle: 20 deg\n    «helix_angle: 95 deg", ["helix"]),
    ("pressure angle too large", "pressure_angle: 20 deg", "pressure_angle: 90 deg", ["pressure|angle"]),
    ("carrier unknown", "pressure_angle: 20 deg", "carrier: frame", ["frame"]),
    ("bevel of parallel axes", "    type: gear\n", "    type: bevel\n", ["bevel|axes|parallel|intersect|meet"], "mesh"),
    ("worm without pitch", "    type: gear\n", "    type: worm\n", ["pitch"], "mesh"),
    ("compliance in a direction that is none", "between: [ground.O, arm.O]", "between: [ground.O, arm.O]\n    compliance: {«rw: 1}",
     ["rw"], "hinge"),
    ("joint's axis of two components", "    between: [wheel, pinion]\n", "    between: [wheel, pinion]\n    «axis: [0, 1]\n",
     ["axis|3|three|component"], "mesh"),
    # ---- coordinates
    ("coordinate that the joint has not", "coordinate: hinge.angle", "coordinate: hinge.distance", ["hinge|distance"]),
    ("angle of an inline joint", "coordinate: side.z", "coordinate: side.angle", ["side|angle"]),
    ("distance of a gear", "coordinate: side.z", "coordinate: mesh.distance", ["mesh|distance"]),
    ("coordinate misspelt", "coordinate: guide.distance", "coordinate: guide.distnce", ["distnce"]),
    ("turn that is none", "coordinate: hinge.angle", "coordinate: hinge.rw", ["rw"]),
    ("torsion spring on a joint without angle", "joint: hinge", "joint: side", ["side", "angle|turn"]),
    ("output of an unknown component", "\"z(arm.P)\"", "\"hinge.Tq\"", ["Tq"]),
    # ---- shapes
    ("shape unknown", "cylinder: {from", "cylindre: {from", ["cylindre", "cylinder"]),
    ("shape quite unknown", "cylinder: {from: [0, 0, -10], to: [0, 0, 10], radius: 40}", "teapot: {at: [0, 0, 0]}", ["teapot"]),
    ("cylinder of no height", "to: [0, 0, 10], radius", "to: [0, 0, -10], radius", ["cylinder|length|height|from|same"]),
    ("cylinder without radius", ", radius: 40}", "}", ["radius"]),
    ("sphere of negative radius", "cylinder: {from: [0, 0, -10], to: [0, 0, 10], radius: 40}", "sphere: {at: [0, 0, 0], radius: -4}",
     ["radius|positive"]),
    ("box with a flat side", "cylinder: {from: [0, 0, -10], to: [0, 0, 10], radius: 40}", "box: {at: [0, 0, 0], size: [10, 0, 10]}",
     ["size|positive"]),
    ("box of two sides", "cylinder: {from: [0, 0, -10], to: [0, 0, 10], radius: 40}", "box: {at: [0, 0, 0], size: [10, 10]}", ["size|3|three"]),
    ("shape without mass", "        mass: 0.7 kg\n", "", ["mass|density"], "shape"),
    ("mesh file absent", "cylinder: {from: [0, 0, -10], to: [0, 0, 10], radius: 40}", "mesh: {file: absent.stl}", ["absent.stl"]),
]

# a pinion with a shape has its mass from it: the base keeps only one of them
BASE = BASE.replace("    mass: 0.7 kg\n    shape:", "    shape:")

CORNERS = (0, 0, 0), (30, 0, 0), (0, 30, 0), (0, 0, 30)
TETRAHEDRON = [tuple(CORNERS[k] for k in face) for face in ((0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3))]


def stl(triangles):
    out = ["solid part"]
    for t in triangles:
        out += ["facet normal 0 0 0", " outer loop", *(f"  vertex {x} {y} {z}" for x, y, z in t), " endloop", "endfacet"]
    return "\n".join([*out, "endsolid part", ""])


class Space(bad_input_test.Bad):
    def where(self, text, name):
        """lines of the thing called name, from its key to the next of the same depth"""
        lines = text.splitlines()
        start = bad_input_test.line_of(text, name)
        depth = len(lines[start - 1]) - len(lines[start - 1].lstrip())
        end = start
        while end < len(lines) and len(lines[end]) - len(lines[end].lstrip()) > depth:
            end += 1
        return set(range(start, end + 1))


class OneMistake(Space):
    def test_the_base_model_is_right(self):
        for command in ("check", "kinematics", "inverse"):
            done = cli.run_model(BASE, command)
            self.assertEqual(done.code, 0, done.said())

    def test_cases_are_distinct(self):
        self.assertEqual(len({c[0] for c in CASES}), len(CASES))

    @cli.long
    def test_each_case(self):
        for name, old, new, patterns, *thing in CASES:
            with self.subTest(name):
                text, lines = edited(BASE, (old, new))
                done = self.refused(text)
                self.told(done, self.where(text, thing[0]) | set(lines) if thing else set(lines), patterns)

    @cli.long
    def test_one_mistake_is_not_told_elsewhere(self):
        """nothing else in the file is wrong: no line besides that of the mistake (or its thing) gets an error"""
        for name, old, new, _, *thing in CASES:
            with self.subTest(name):
                text, lines = edited(BASE, (old, new))
                done = self.refused(text)
                allowed = set(lines) | (self.where(text, thing[0]) if thing else set())
                self.assertEqual([m for m in done.errors if m.line not in allowed], [])

    def test_nearly_right_is_right(self):
        """rounded numbers of other programs are taken: a quaternion of seven digits, radii that fit to 1e-7"""
        for old, new in (("quaternion: [1, 0, 0, 0]", "quaternion: [1.0000001, 0, 0, 0]"), ("radii: [80, 40]", "radii: [80, 40.00001]"),
                         ("quaternion: [1, 0, 0, 0]", "quaternion: [-1, 0, 0, 0]"), (ARM, "inertia: [0.01, 0.02, 0.03]")):
            with self.subTest(new):
                done = cli.run_model(edited(BASE, (old, new))[0], "inverse")
                self.assertEqual(done.code, 0, done.said())

    def test_many_mistakes_in_one_run(self):
        """twelve mistakes far apart are told together"""
        chosen = ("gravity with two components", "quaternion not of unit length", "marker's x along its axis", "inertia of two numbers",
                  "euler word nonsense", "pose with two components", "joint kind misspelt", "locked of another kind", "force with two components",
                  "torque with two components", "bushing with three stiffnesses", "frame's axis of no direction")
        picked = [next(c for c in CASES if c[0] == n) for n in chosen]
        text, _ = edited(BASE, *((old, new) for _, old, new, *_ in picked))
        done = self.refused(text)
        first = [old.split("\n")[0] for _, old, *_ in picked]
        self.assertEqual(len(first), 12)
        self.assertGreaterEqual(len({m.line for m in done.errors}), 12, done.err[-1500:])

    def test_no_plane_left(self):
        """a planar model that is called spatial: every list of two, every angle is told"""
        done = self.refused(bad_input_test.BASE.replace("space: planar", "space: spatial"))
        self.assertGreaterEqual(len(done.errors), 10, done.err)


class Plane(Space):
    """what belongs to space in a planar model"""

    def test_spatial_kinds(self):
        for kind in ("cylindrical", "spherical", "universal", "screw", "planar", "perpendicular", "inline", "inplane", "constant-velocity",
                     "bevel", "worm", "ball", "z"):
            with self.subTest(kind):
                text, lines = edited(bad_input_test.BASE, ("type: prismatic", f"type: {kind}"))
                self.told(self.refused(text), set(lines), [kind, "space|spatial"])

    def test_spatial_keys(self):
        for name, old, new, pattern in (("rotate", "pose: {at: [43, 25], angle: -10}", "pose: {at: [43, 25], rotate: {axis: [0, 0, 1], angle: -10}}",
                                         "rotate"),
                                        ("tensor", "inertia: 0.01", "inertia: [0.01, 0.01, 0.01]", "inertia"),
                                        ("axis of a marker", "hook: [100, 200]", "hook: {at: [100, 200], axis: [0, 0, 1]}", "axis"),
                                        ("three components", "hook: [100, 200]", "hook: [100, 200, 0]", "hook|2|two|component"),
                                        ("sphere", "    mass: 1.5\n    inertia: 0.01\n",
                                         "    shape:\n      - «{sphere: {at: [0, 0], radius: 10}, mass: 1}\n", "sphere")):
            with self.subTest(name):
                text, lines = edited(bad_input_test.BASE, (old, new))
                self.told(self.refused(text), set(lines), [pattern])

    def test_spatial_coordinates(self):
        for c in ("hinge.z", "hinge.rx", "hinge.ry", "z(rod.B)"):
            with self.subTest(c):
                text, lines = edited(bad_input_test.BASE, ("coordinate: hinge.angle", f"coordinate: {c}"))
                self.told(self.refused(text), set(lines), [re.escape(c.split("(")[0].split(".")[-1])])


class Meshes(Space):
    def mesh(self, content, keys="density: 1000 kg/m^3"):
        text, lines = edited(BASE, ("      - cylinder: {from: [0, 0, -10], to: [0, 0, 10], radius: 40}\n        mass: 0.7 kg\n",
                                    f"      - mesh: {{file: part.stl}}\n        {keys}\n"))
        return cli.run_model(text, "inverse", files={"part.stl": content} if content is not None else {}), lines[0]

    def test_a_closed_mesh_is_right(self):
        done, _ = self.mesh(stl(TETRAHEDRON))
        self.assertEqual(done.code, 0, done.said())

    def test_broken_meshes(self):
        flipped = [TETRAHEDRON[0][::-1], *TETRAHEDRON[1:]]
        whole = stl(TETRAHEDRON)
        for name, content, pattern in (("open", stl(TETRAHEDRON[:3]), "closed|open|edge|hole"),
                                       ("a hole of one triangle", stl(TETRAHEDRON[1:]), "closed|open|edge|hole"),
                                       ("one triangle the other way round", stl(flipped), "closed|orient|edge|way|consistent"),
                                       ("empty", stl([]), "closed|empty|triangle|volume"),
                                       ("no STL", "hello\n", "STL|stl|solid|triangle|facet"),
                                       ("cut short", whole[:200], "vertex|end|STL|stl|short|facet|line"),
                                       ("not a number", whole.replace("vertex 0 30 0", "vertex 0 thirty 0"), "thirty|number"),
                                       ("infinite", whole.replace("vertex 0 30 0", "vertex 0 inf 0"), "inf|number|finite")):
            with self.subTest(name):
                done, line = self.mesh(content)
                self.assertEqual(done.code, 2, done.said())
                self.assertEqual(done.files, [])
                self.assertTrue(done.errors, done.err)
                self.assertRegex(" | ".join(m.text for m in done.errors), re.compile(pattern, re.I))
                self.assertTrue(any(m.file.endswith("part.stl") or m.line in (line, line + 1) for m in done.errors), done.err)
                self.assertIn("part.stl", done.err)

    def test_outside_of_the_folder(self):
        for path in ("../part.stl", "/etc/passwd"):
            text, (line,) = edited(BASE, ("cylinder: {from: [0, 0, -10], to: [0, 0, 10], radius: 40}", f"mesh: {{file: {path}}}"))
            done = self.refused(text)
            self.told(done, {line}, ["folder|below|outside|" + re.escape(path)])


class Drives(Space):
    def pendulum(self, **more):
        m = {"roberval": 1, "space": "spatial", "gravity": [0, 0, -9.81],
             "bodies": {"rod": {"mass": 1, "inertia": [0.1, 0.1, 0.1], "markers": {"O": [-0.5, 0, 0], "E": [0.5, 0, 0]},
                                "pose": {"at": [0.5, 0, 0]}}},
             "joints": {"ball": {"type": "spherical", "between": ["ground", "rod.O"]}}, "motion": {"from": 0, "to": 1, "step": 0.1}}
        return {**json.loads(json.dumps(m)), **more}

    def test_under_driven_names_what_could_drive(self):
        err = self.refused(self.pendulum()).err
        self.assertRegex(err, r"\b3\b|three")
        self.assertRegex(err, r"ball\.r[xyz]|[xyz]\(rod|distance\(")
        m = self.pendulum()
        m["joints"]["ball"] = {"type": "cylindrical", "between": ["ground", "rod"]}
        err = self.refused(m).err
        self.assertIn("ball.angle", err)
        self.assertIn("ball.distance", err)
        m["drives"] = {"motor": {"coordinate": "ball.distance", "motion": "t"}}
        err = self.refused(m).err
        self.assertIn("ball.angle", err)

    def test_a_body_without_joints(self):
        """six freedoms are told"""
        m = self.pendulum(joints={})
        self.assertRegex(self.refused(m).err, r"\b6\b|six")

    def test_a_link_with_two_balls_turns_about_itself(self):
        """where it is not symmetric about its line the turn of a rod between two balls is a freedom: inverse asks for it by name of the rod"""
        solid = {"mass": 1, "inertia": [0.1, 0.1, 0.1]}
        m = {"roberval": 1, "space": "spatial", "gravity": [0, 0, -9.81], "bodies": {
            "ground": {"markers": {"rail": {"at": [0.8, 0, 0.1], "axis": [1, 0, 0]}}},
            "crank": {**solid, "markers": {"A": [0.2, 0, 0]}},
            "rod": {**solid, "pose": {"at": [0.2, 0, 0]}, "markers": {"B": [0.6, 0, 0.1]}},
            "slider": {**solid, "pose": {"at": [0.8, 0, 0.1]}, "markers": {"S": {"at": [0, 0, 0], "axis": [1, 0, 0]}}}},
            "joints": {"hinge": {"type": "revolute", "between": ["ground", "crank"]}, "one": {"type": "spherical", "between": ["crank.A", "rod"]},
                       "two": {"type": "spherical", "between": ["rod.B", "slider"]},
                       "guide": {"type": "prismatic", "between": ["ground.rail", "slider.S"]}},
            "drives": {"motor": {"coordinate": "hinge.angle", "motion": "0.3 + t"}}, "motion": {"from": 0, "to": 1, "step": 0.1}}
        self.assertEqual(cli.run_model(m, "inverse").code, 0, "idle: a ball's inertia, its centroid on the line")
        m["bodies"]["rod"]["centroid"] = [0.3, 0.01, 0.05]
        err = self.refused(m).err
        self.assertRegex(err, r"\brod\b|\bone\b|\btwo\b")
        m["joints"]["two"]["type"] = "universal"
        m["bodies"]["rod"]["markers"]["B"] = {"at": [0.6, 0, 0.1], "axis": [0, 0, 1]}
        done = cli.run_model(m, "inverse")
        self.assertNotEqual(done.code, 2, "a universal joint holds it: " + done.said())

    def test_over_driven_names_the_drives(self):
        drives = {f"d{c}": {"coordinate": f"{c}(rod.E)", "motion": f"{math.cos(0.3) if c == 'x' else 0.1}"} for c in "xyz"}
        err = self.refused(self.pendulum(drives=drives)).err                    # E stays 1 m from the ball: one of them is too many
        self.assertRegex(err, r"d[xyz]")
        m = self.pendulum(drives={"motor": {"coordinate": "pin.angle", "motion": "t"}, "servo": {"coordinate": "pin.rz", "motion": "t"}})
        m["joints"] = {"pin": {"type": "revolute", "between": ["ground", "rod.O"]}}
        err = self.refused(m).err
        self.assertIn("motor", err)
        self.assertIn("servo", err)

    def test_a_drive_on_what_a_joint_holds(self):
        m = self.pendulum(drives={"motor": {"coordinate": "pin.angle", "motion": "t"}, "pull": {"coordinate": "z(rod.E)", "motion": "0"}})
        m["joints"] = {"pin": {"type": "revolute", "between": ["ground", "rod.O"]}}
        self.assertIn("pull", self.refused(m).err)

    def test_a_gear_whose_distance_nothing_holds(self):
        """a wheel that slides on the floor: no bearings, whether a drive happens to hold it or not"""
        solid = {"mass": 1, "inertia": [1, 1, 1]}
        m = self.pendulum(bodies={"a": solid, "b": {**solid, "pose": {"at": [0.3, 0, 0]}}})
        m["joints"] = {"pin": {"type": "revolute", "between": ["ground", "a"]}, "floor": {"type": "planar", "between": ["ground", "b"]},
                       "mesh": {"type": "gear", "between": ["a", "b"], "radii": [0.1, 0.2]}}
        m["drives"] = {"motor": {"coordinate": "pin.angle", "motion": "t"}, "push": {"coordinate": "floor.y", "motion": "0"}}
        self.assertRegex(self.refused(m, "check").err, "nothing holds.*mesh")
        m["drives"]["pull"] = {"coordinate": "floor.x", "motion": "0.3"}
        for command in ("check", "inverse"):
            done = self.refused(m, command)
            self.assertRegex(done.err, "nothing holds.*mesh")
            self.assertTrue(done.errors and done.errors[0].line > 1, done.err)


class Calls(Space):
    def test_flags_of_reactions(self):
        """components of space are known to --ask and --redundant, others are not"""
        done = cli.run_model(BASE, "check", "--json", "--ask", "hinge.Tx + hinge.Fz", out=False)
        self.assertEqual(done.code, 0, done.said())
        self.assertEqual(done.json()["asked"][0]["verdict"], "unique")
        for ask in ("hinge.Tq", "hinge.", "hing.Fx"):
            self.refused(BASE, "check", "--ask", ask, out=False)

    def test_schema_knows_space(self):
        with tempfile.TemporaryDirectory():
            done = cli.run(["schema"], out=False)
        self.assertEqual(done.code, 0, done.said())
        for word in ("spatial", "quaternion", "euler", "spherical", "cylinder"):
            self.assertIn(f'"{word}"', done.out)


class HalfTurn(cli.Case):
    def test_driven_rotation_vector(self):
        """(3 + t, 0.3 t, 0) is half a turn long where 1.09 t^2 + 6 t = pi^2 - 9: it ends there, by the name of its drive, not of one that moves as it should"""
        end = (math.sqrt(36 + 4 * 1.09 * (math.pi**2 - 9)) - 6) / (2 * 1.09)
        model = {"roberval": 1, "space": "spatial", "bodies": {"b": {"mass": 1, "inertia": [1, 1, 1]}}, "joints": {"j": {"type": "general", "locked": ["x", "y"], "between": ["ground", "b"]}},
                 "drives": {"up": {"coordinate": "j.z", "motion": "5*t"}, "one": {"coordinate": "j.rx", "motion": "3+t"}, "two": {"coordinate": "j.ry", "motion": "0.3*t"}, "three": {"coordinate": "j.rz", "motion": 0}},
                 "motion": {"from": 0, "to": 1, "step": 0.05}}
        for coordinates in ("absolute", "natural", "joint"):
            done = cli.run_model(model, "kinematics", "--coordinates", coordinates)
            self.assertEqual(done.code, 1)
            said = re.search(r"cannot be followed past t = ([0-9.]+) s: drive 'one' moves 'j.rx', a component of a rotation vector, whose length comes to half a turn there", done.err)
            self.assertTrue(said, done.err)
            self.near(float(said[1]), end, 1e-5, "end")


if __name__ == "__main__":
    cli.main()
