#!/usr/bin/python3
"""Dimensions: expressions, parameters, tables and results have one, units that are written must not contradict each other, and what nothing uses is said.

Sources: docs/model-file.md, sections Dimensions, Parameters and Output.  Random expressions are judged by an algebra of its own, test/py/dimensions.py.
ROBERVAL_DIMENSIONS=N: that many random expressions instead of 600."""
import glob
import os
import random
import re
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "py"))
import cli                                                      # noqa: E402
from dimensions import (Contradiction, F, Grower, Judge, KNOWN, LOOSE, NUMBER, WRITTEN, but_angle, unit)      # noqa: E402

WORDS = {"length": "a length [m]", "angle": "an angle [rad]", "mass": "a mass [kg]", "time": "a time [s]", "force": "a force [N]", "torque": "a torque [N.m]",
         "inertia": "an inertia [kg.m^2]", "stiffness": "a stiffness [N/m]", "damping": "a damping [N.s/m]", "density": "a density [kg/m^3]",
         "torsional stiffness": "a torsional stiffness [N.m/rad]", "torsional damping": "a torsional damping [N.m.s/rad]", "energy": "an energy [J]",
         "velocity": "a velocity [m/s]", "angular velocity": "an angular velocity [rad/s]", "acceleration": "an acceleration [m/s^2]",
         "angular acceleration": "an angular acceleration [rad/s^2]", "frequency": "a frequency [Hz]", "compliance": "a compliance [m/N]",
         "torsional compliance": "a torsional compliance [rad/(N.m)]", "pure number": "a pure number", "power": "a power [W]", "area": "an area [m^2]"}

# a planar and a spatial model with every key that takes a quantity or an expression: «key|dimension|right value»
PLANAR = """\
roberval: 1
space: planar
gravity: [«gravity|acceleration|1 m/s^2», «gravity|acceleration|-9.81 m/s^2»]
parameters:
@@
tables: {lift: {file: lift.csv, x: time, y: height, smooth: «smooth|frequency|20 Hz»}}
bodies:
  ground: {markers: {W: ["-0.1[m]", 0], S: [0, 0.5], R: [0, 0.3], V: [1, 1]}}
  crank:
    mass: «mass|mass|2 kg»
    centroid: [«centroid|length|25 mm», 0]
    inertia: «inertia|inertia|0.02 kg.m^2»
    pose: {at: [«at|length|0 m», 0], angle: «angle|angle|30 deg»}
    markers: {A: [«A|length|50 mm», 0], B: {at: [«at|length|20 mm», 0], angle: «angle|angle|5 deg»}}
  plate:
    shape:
      - {rod: {from: [«from|length|0 m», 0], to: [«to|length|1 m», 0], height: «height|length|10 mm»}, density: «density|density|8000 kg/m^3», thickness: «thickness|length|5 mm»}
      - {rectangle: {at: [«at|length|0 m», 0], width: «width|length|20 mm», height: «height|length|30 mm», angle: «angle|angle|3 deg»}, mass: «mass|mass|1 kg»}
      - {triangle: {base: «base|length|20 mm», height: «height|length|30 mm»}, mass: 1}
      - {disk: {radius: «radius|length|20 mm»}, mass: 1}
      - {semicircle: {radius: «radius|length|20 mm», angle: «angle|angle|3 deg»}, mass: 1}
      - {ring: {radius: «radius|length|20 mm», width: «width|length|1 mm»}, mass: 1}
      - {polygon: {points: [[«|length|0 m», 0], [1, 0], [1, 1]]}, mass: 1}
    pose: {at: [0.3, 0.3]}
  slider: {mass: 1, inertia: 0.01, pose: {at: [0.5, 0]}}
  wheel: {mass: 1, inertia: 0.002, pose: {at: [-0.1, 0]}}
  far: {mass: 1, inertia: 0.002, pose: {at: [2, 2]}}
joints:
  hinge: {type: revolute, between: [ground, crank], damping: «damping|torsional damping|0.1 N.m.s/rad», friction: {coefficient: «coefficient|pure number|0.1 m/m», radius: «radius|length|5 mm»},
          compliance: {x: «x|compliance|1e-9 m/N»}}
  pin: {type: slot, between: [ground.S, plate], value: «value|length|300 mm», damping: [«damping|damping|1 N.s/m», «damping|torsional damping|1 N.m.s/rad»]}
  guide: {type: prismatic, between: [ground, slider], at: [«at|length|0.5 m», 0], axis: [«axis|pure number|1 m/m», 0], damping: «damping|damping|3 N.s/m»,
          misfit: {y: «y|length|1 mm», rz: «rz|angle|1 mrad»}, compliance: {rz: [«rz|torsional compliance|1e-9 rad/(N.m)», 1e-8]}}
  axle: {type: revolute, between: [ground.W, wheel]}
  mesh: {type: gear, between: [crank, wheel], radii: [«radii|length|60 mm», 0.04], pressure_angle: «pressure_angle|angle|20 deg», helix_angle: «helix_angle|angle|5 deg»}
  bar: {type: link, between: [plate, slider], length: «length|length|1 m»}
  turned: {type: angle, between: [ground, far], value: «value|angle|1 deg»}
  strap: {type: belt, between: [wheel, far], radii: [«radii|length|60 mm», 0.04], preload: «preload|force|10 N»}
drives:
  motor: {coordinate: hinge.angle, motion: «motion|angle|30 deg»}
  jack: {coordinate: guide.distance, motion: «motion|length|30 mm»}
loads:
  pull: {type: force, to: slider, value: [«value|force|10 N», «value|force|-10 N»]}
  twist: {type: torque, to: wheel, value: «value|torque|2 N.m»}
  spring: {type: spring, between: [ground.V, slider], stiffness: «stiffness|stiffness|250 N/m», free_length: «free_length|length|100 mm», damping: «damping|damping|3 N.s/m»,
           force: «force|force|5 N»}
  coil: {type: torsion-spring, joint: hinge, stiffness: «stiffness|torsional stiffness|2 N.m/rad», free_angle: «free_angle|angle|10 deg», damping: «damping|torsional damping|1 N.m.s/rad»,
         torque: «torque|torque|5 N.m»}
  bush: {type: bushing, between: [ground.R, plate], stiffness: [«stiffness|stiffness|2 N/m», 3, «stiffness|torsional stiffness|2 N.m/rad»],
         damping: [«damping|damping|2 N.s/m», 3, «damping|torsional damping|2 N.m.s/rad»]}
  spin: {type: rotating-frame, speed: «speed|angular velocity|30 rpm», center: [«center|length|1 m», 0]}
  field: {type: field, acceleration: [«acceleration|acceleration|1 m/s^2», 0]}
  well: {type: energy, value: «value|energy|2 J»}
initial: {hinge.angle: «hinge.angle|angle|30 deg», "hinge.angle'": «hinge.angle'|angular velocity|2 rad/s», guide.distance: «guide.distance|length|1 m», "guide.distance'": «guide.distance'|velocity|1 m/s»}
motion: {from: «from|time|1 s», to: «to|time|2 s», step: «step|time|100 ms»}
output: {table: lift(t)}
"""
SPATIAL = """\
roberval: 1
space: spatial
parameters:
@@
bodies:
  ground: {markers: {A: {at: [«at|length|1 m», 0, 0], axis: [0, «axis|pure number|1 m/m», 0], x: [0, 0, «x|pure number|1 m/m»]}, B: [0, «B|length|1 m», 0], C: [0, 3, 0]}}
  block:
    shape:
      - {box: {at: [0, 0, 0], size: [«size|length|1 m», 1, 1], rotate: {axis: [«axis|pure number|1 m/m», 0, 0], angle: «angle|angle|30 deg»}}, density: «density|density|800 kg/m^3»}
      - {cylinder: {from: [0, 0, 0], to: [«to|length|1 m», 0, 0], radius: «radius|length|1 m»}, mass: «mass|mass|1 kg»}
      - {sphere: {radius: «radius|length|1 m»}, mass: 1}
    pose: {at: [0, 0, 0], rotate: {euler: zyx, angles: [«angles|angle|0 deg», 0, 0]}}
  arm: {mass: 1, inertia: [«inertia|inertia|1 kg.m^2», 1, 1], pose: {at: [0, 1, 0]}}
  ball: {mass: 1, inertia: [1, 1, 1], pose: {at: [0, 3, 0]}}
joints:
  screw: {type: screw, between: [ground, block], pitch: «pitch|length|5 mm»}
  round: {type: spherical, between: [ground.B, arm], damping: [«damping|torsional damping|1 N.m.s/rad», 1, 1],
          compliance: {z: «z|compliance|1e-9 m/N»}, misfit: {z: «z|length|1 mm»}}
  slide: {type: cylindrical, between: [ground.C, ball], damping: [«damping|damping|1 N.s/m», «damping|torsional damping|1 N.m.s/rad»]}
loads:
  pull: {type: force, to: arm, value: [0, 0, «value|force|10 N»]}
  twist: {type: torque, to: arm, value: [0, 0, «value|torque|10 N.m»]}
  bush: {type: bushing, between: [ground, arm], stiffness: [2, 3, 4, 5, «stiffness|torsional stiffness|2 N.m/rad», 5], damping: [2, 3, «damping|damping|2 N.s/m», 3, 4, 5]}
  spin: {type: rotating-frame, speed: 1, axis: [0, 0, «axis|pure number|1 m/m»]}
  field: {type: field, acceleration: [0, 0, «acceleration|acceleration|1 m/s^2»]}
motion: {from: 0, to: 1, step: 1}
"""
LIFT = "time [s],height [mm]\n" + "".join(f"{0.05 * k},{k * k}\n" for k in range(40))
TOKEN = re.compile("«([^|»]*)\\|([^|»]*)\\|([^»]*)»")
SAMPLES = {"length": "5 mm", "angle": "5 deg", "mass": "3 kg", "force": "2 kN", "torque": "7 N.m", "time": "3 s", "stiffness": "2 N/mm", "damping": "3 N.s/m",
           "torsional stiffness": "3 N.m/rad", "torsional damping": "2 N.m.s/rad", "angular velocity": "60 rpm", "frequency": "10 Hz", "energy": "5 J",
           "velocity": "3 m/s", "acceleration": "2 m/s^2", "density": "8 kg/L", "inertia": "2 kg.m^2", "compliance": "1 mm/N", "pure number": "3 m/m",
           "torsional compliance": "2 rad/(N.m)"}
# what fits besides the dimension itself: rad fits 1, and N.m is an energy
LIKE = {"angle": ("pure number",), "pure number": ("angle",), "energy": ("torque", "torsional stiffness"), "torque": ("torsional stiffness",),
        "torsional stiffness": ("torque", "energy")}


def filled(template, value_of):
    """The template with a parameter for each token, and [(line, column, key, dimension, name, value)]."""
    tokens, lines = list(TOKEN.finditer(template)), []
    for k, token in enumerate(tokens):
        lines.append(f"  p{k}: {value_of(k, token)}")
    found, text = [], template.replace("@@", "\n".join(lines))
    while True:
        token = TOKEN.search(text)
        if not token:
            return text, found
        k = len(found)
        line, column = text.count("\n", 0, token.start()) + 1, token.start() - text.rfind("\n", 0, token.start())
        found.append((line, column, token[1], token[2], f"p{k}", value_of(k, token)))
        text = text[:token.start()] + f"p{k}" + text[token.end():]


class Keys(unittest.TestCase):
    """A parameter where a quantity or an expression is wanted, for every key."""

    def read(self, text):
        return cli.run_model(text, "check", out=False, files={"lift.csv": LIFT})

    def test_right_dimensions_pass(self):
        for template in (PLANAR, SPATIAL):
            text, tokens = filled(template, lambda k, token: token[3])
            done = self.read(text)
            self.assertGreater(len(tokens), 20)
            self.assertEqual([m for m in done.messages if " is a" in m.text or "dimension" in m.text], [], done.err)
            self.assertNotRegex(done.err + done.out, "nothing uses")

    def test_wrong_dimensions_are_named(self):
        names = sorted(SAMPLES)
        for template in (PLANAR, SPATIAL):
            for shift in range(1, len(names), 4):
                def wrong(k, token):
                    at = (names.index(token[2]) + shift) % len(names)
                    while names[at] == token[2] or names[at] in LIKE.get(token[2], ()):
                        at = (at + 1) % len(names)
                    return SAMPLES[names[at]]
                text, tokens = filled(template, wrong)
                done = self.read(text)
                got = {}
                for m in done.errors:
                    got.setdefault((m.line, m.column), m.text)
                self.assertEqual(done.code, 2)
                self.assertNotIn("must be positive", done.err)          # of what could not be read
                for line, column, key, dimension, name, value in tokens:
                    is_a = WORDS[next(n for n in names if SAMPLES[n] == value)]
                    said = got.get((line, column), "nothing")
                    if dimension == "pure number" or key in ("", "axis", "x") and dimension == "length":
                        self.assertIn(f"but '{name}' is {is_a}", said, (line, column))
                    else:
                        self.assertRegex(said, re.escape(f"'{key}' is {WORDS[dimension]}, but '{name}' is {is_a}"), (line, column))

    def test_a_bare_number_fits_every_key(self):
        for template in (PLANAR, SPATIAL):
            text, tokens = filled(template, lambda k, token: re.match(r"[-\d.e]+", token[3])[0])
            done = self.read(text)
            self.assertEqual([m for m in done.messages if " is a" in m.text or "dimension" in m.text], [], done.err)

    def test_the_findings(self):
        head = "roberval: 1\nspace: planar\nparameters: {m: 50 mm, n: 10 Hz, load: 1500 kg, E: 5 J, T: 5 N.m}\n"
        joint = "joints: {pin: {type: revolute, between: [ground, b]}}\nmotion: {from: 0, to: 1, step: 1}\n"
        for body, line, column, text in (
                ("bodies: {b: {mass: m, inertia: 1}}\n", 4, 20, "'mass' is a mass [kg], but 'm' is a length [m]"),
                ("bodies: {b: {mass: 1, inertia: 1}}\ndrives: {d: {coordinate: pin.angle, motion: \"n*t\"}}\n", 5, 46,
                 "'motion' is an angle [rad], but 'n*t' is a number of cycles; a cycle is 2*pi radians: write 2*pi*f for a frequency f"),
                ("bodies: {b: {mass: 1, inertia: 1}}\nloads: {f: {type: force, to: b, value: [0, \"-load\"]}}\n", 5, 45,
                 "'value' is a force [N], but '-load' is a mass [kg]; its weight is that times 9.81[m/s^2]"),
                ("bodies: {b: {mass: 1, inertia: 1}}\nloads: {f: {type: torque, to: b, value: E}}\n", 5, 41, "'value' is a torque [N.m], but 'E' is an energy [J]"),
                ("bodies: {b: {mass: 1, inertia: 1}}\ndrives: {d: {coordinate: pin.angle, motion: \"1[deg]*t\"}}\n", 5, 46,
                 "'motion' is an angle [rad], but '1[deg]*t' is a quantity in rad.s; beside a factor with a unit t is a time [s]")):
            done = cli.run_model(head + body + joint, "inverse", out=False)
            self.assertEqual([(m.line, m.column, m.text) for m in done.errors], [(line, column, text)], body)
            self.assertEqual(done.code, 2)


BASE = """\
roberval: 1
space: planar
parameters: {a: 50 mm, n: 60 rpm, f: 10 Hz, k: 250 N/mm, m: 2 kg, F: 30 N, T: 4 N.m, E: 2 J, P: 5 W, tau: 1.5 s, c: 3, q: "a/20[mm]", s: "sin(0.3)", d: "a + 3[mm]", b: "2*a"}
tables:
  lift: {file: lift.csv, x: time, y: height}
  bare: {file: bare.csv, x: u, y: v}
bodies:
  ground: {markers: {V: [3, 3]}}
  rod: {mass: 1, inertia: 0.1, markers: {P: [1, 0]}}
  cart: {mass: 1, inertia: 0.1}
joints:
  pin: {type: revolute, between: [ground, rod]}
  rail: {type: prismatic, between: [ground, cart]}
drives:
  motor: {coordinate: pin.angle, motion: "n*t"}
constraints: {track: {equation: "rail.distance - 0.3*t"}, pace: {velocity: "x(cart)' + rail.distance' - 0.6"}}
loads:
  spring: {type: spring, between: [ground.V, cart], stiffness: 3, free_length: 1}
  well: {type: energy, value: "0.5*(x(cart) - 1)^2"}
motion: {from: 0 s, to: 0.2 s, step: 0.1 s}
output:
"""
FILES = {"lift.csv": LIFT, "bare.csv": "u,v\n0,1\n1,2\n2,5\n"}

RIGHT = [("a*sin(n*t)", "m"), ("2*pi*f*t", None), ("a", "m"), ("2*a", None), ("a/2", None), ("-a", "m"), ("a + 5", "m"), ("a - b", "m"), ("c*F", None), ("m*9.81", None),
         ("m*9.81[m/s^2] + F", "N"), ("k*a", "N"), ("k*a*a", "N.m"), ("k*a*a + E", "J"), ("T + E", "J"), ("T*n", "W"), ("P/n", "N.m"), ("P - T*n", "W"), ("F*a*n - P", "W"),
         ("a*pin.angle", "m"), ("n^2*a", "m/s^2"), ("a*n/a*t", "rad"), ("a*n", "m/s"), ("motor.effort*pin.angle'", "W"), ("motor.effort/a", "N"), ("pin.Fx*a + pin.Tz", "N.m"),
         ("spring.force", "N"), ("well.energy", "J"), ("track.effort", "N"), ("pace.effort*rail.distance'", "W"), ("sqrt(k/m)", "1/s"), ("sqrt(k/m)*t", None), ("2*sqrt(k/m)", None),
         ("exp(-t/tau)*a", "m"), ("exp(-t)", None), ("log(a/d)", None), ("atan2(x(rod.P), y(rod.P))", "rad"), ("asin(a/d) + pin.angle", "rad"), ("atan(2) + 30[deg]", "rad"),
         ("if(t < 2[s], a, d)", "m"), ("if(pin.angle > 30[deg], a, 0)", "m"), ("(a < d)*F", "N"), ("min(a, d, x(rod.P), 3)", "m"), ("max(0, F)", "N"), ("abs(F)*sign(a)", "N"),
         ("floor(pin.angle/360[deg])", None), ("step(t, 0, a, 1, d)", "m"), ("step(t, 0[s], 0, 1[s], 1)", None), ("F*step(t, 0[s], 0, 1[s], 1)", None), ("F*pulse(t, 0, 1, 0.2)", "N"),
         ("n*ramp(t, 0[s], 1[s])", "rad"), ("ramp(pin.angle, 0, 90[deg])", "rad"), ("poly(t, a, 3[m/s], 2[m/s^2])", "m"), ("poly(t, a, 3)", "m"), ("fourier(t, 2*pi*f, a, d, 3)", "m"),
         ("fourier(t, n, F, 1, 2)", "N"), ("lift(t)", "m"), ("lift(tau)", "m"), ("bare(a)", None), ("bare(t)*a", None), ("lift(t)*F", "N.m"), ("a^2", "m^2"), ("a^0.5", "m^0.5"),
         ("(a/d)^t", None), ("2^t", None), ("a^(1/3)", None), ("t", "s"), ("t*a", "m.s"), ("t + a", "m"), ("q*F", "N"), ("s*F", "N"), ("b*F", None), ("d - a", "m"), ("1/f", None),
         ("f*tau + f*t", "cycle"), ("F/m - 9.81[m/s^2]", "m/s^2"), ("x(rod.P)*sin(pin.angle)", "m"), ("0*a + F", "N"), ("pin.angle/1[deg]", None), ("pin.angle + 0.2", "rad"), ("q + pin.angle", "rad"),
         ("cos(2*pi*f*t)", None), ("sin(n*t + 30[deg])", None), ("cosh(a/d)", None), ("distance(rod.P, ground.V)''", "m/s^2"), ("F == 3[kN]", None), ("pin.Tz/k/a/a", None), ("a*F*pin.angle'", "W"),
         ("pin.angle''", "rad/s^2"), ("m*x(rod.P)''", "N"), ("0.5*m*x(rod.P)'^2", None), ("m*x(rod.P)'^2/2 - E", "J"), ("m*a^2 - 1[kg.m^2]", "kg.m^2")]
WRONG = [("a + F", 4, "a force [N] is added to a length [m]"), ("a - 3[s]", 4, "a time [s] is subtracted from a length [m]"), ("x(rod.P) + 5[N]", 11, "a force [N] is added to a length [m]"),
         ("a + d + x(rod.P) - m", 19, "a mass [kg] is subtracted from a length [m]"), ("2*(F + a)", 7, "a length [m] is added to a force [N]"), ("F*a + F", 6, "a force [N] is added to a torque [N.m]"),
         ("pin.angle > a", 12, "an angle [rad] is compared with a length [m]"), ("(F) == (a*a)", 8, "a force [N] is compared with an area [m^2]"),
         ("min(a, 3, F)", 10, "min is given a length [m] and a force [N], which must be alike"), ("if(t > 1, a, F)", 13, "if is given a length [m] and a force [N], which must be alike"),
         ("atan2(a, F)", 9, "atan2 is given a length [m] and a force [N], which must be alike"), ("step(t, 0[s], 0, 1[m], 1)", 17, "step is given a time [s] and a length [m], which must be alike"),
         ("step(t, 0, a, 1, F)", 17, "step is given a length [m] and a force [N], which must be alike"), ("ramp(a, 0, 3[s])", 11, "ramp is given a length [m] and a time [s], which must be alike"),
         ("pulse(a, 0, 1[m], F)", 18, "pulse is given a length [m] and a force [N], which must be alike"), ("sin(a)", 4, "the argument of sin is a length [m]; it must be a pure number or an angle"),
         ("sin(f*t)", 4, "the argument of sin is a number of cycles; for an angle write 2*pi*f*t"), ("exp(F)", 4, "the argument of exp is a force [N]; it must be a pure number or an angle"),
         ("asin(a)", 5, "the argument of asin is a length [m]; it must be a pure number or an angle"), ("log(1 + a)", 4, "the argument of log is a length [m]; it must be a pure number or an angle"),
         ("2^a", 2, "the exponent is a length [m]; it must be a pure number or an angle"), ("a^t", 2, "a length [m] has an exponent that varies; only a pure number can"),
         ("poly(t, a, F)", 11, "this term of poly is a quantity in kg.m/s, those before are a length [m]"), ("poly(a, a, a)", 11, "this term of poly is an area [m^2], those before are a length [m]"),
         ("fourier(t, f, 1, 2, 3)", 11, "w*x of fourier is a number of cycles; for an angle write 2*pi*f*t"), ("fourier(t, n, a, 2, F)", 20, "fourier is given a length [m] and a force [N], which must be alike"),
         ("lift(a)", 5, "the argument of table 'lift' is a time [s], not a length [m]"), ("lift(t) + F", 10, "a force [N] is added to a length [m]"), ("motor.effort + pin.angle", 15, "an angle [rad] is added to a torque [N.m]"),
         ("pin.Fx - pin.Tz", 9, "a torque [N.m] is subtracted from a force [N]"), ("spring.force - well.energy", 15, "an energy [J] is subtracted from a force [N]"),
         ("f + n", 4, "an angular velocity [rad/s] is added to a frequency [Hz]"), ("n*t + f*t", 6, "a number of cycles is added to an angle [rad]"),
         ("30[deg] + 30[deg]*t", 10, "a quantity in rad.s is added to an angle [rad]; beside a factor with a unit t is a time [s]"), ("track.effort - a", 15, "a length [m] is subtracted from a force [N]"),
         ("sin(2*pi*t) + (a + (T - F))", 24, "a force [N] is subtracted from a torque [N.m]"), ("s*F + a", 6, "a length [m] is added to a force [N]"), ("q*F + a", 6, "a length [m] is added to a force [N]"),
         ("d + F", 4, "a force [N] is added to a length [m]"), ("lift(t)*a + F*lift(t)^2", 12, "a quantity in kg.m^3/s^2 is added to an area [m^2]")]
# coordinates alone: a note, and the value is taken
ODD = [("y(rod.P) - x(rod.P)^2", 11, "an area [m^2] is subtracted from a length [m]"), ("rail.distance + pin.angle", 16, "an angle [rad] is added to a length [m]"),
       ("y(rod.P)' - x(cart)*x(rod.P)'", 12, "a quantity in m^2/s is subtracted from a velocity [m/s]"), ("sin(rail.distance)", 4, "the argument of sin is a length [m]; it must be a pure number or an angle")]


def model_of(expressions):
    return BASE + "".join(f'  o{k}: "{e}"\n' for k, e in enumerate(expressions))


FIRST = BASE.count("\n") + 1


def column_of(k, offset):
    return len(f'  o{k}: "') + 1 + offset


def read(expressions, command="kinematics", **options):
    return cli.run_model(model_of(expressions), command, files=FILES, **options)


class Expressions(unittest.TestCase):
    def test_right_ones_pass_and_carry_their_unit(self):
        done = read([e for e, _ in RIGHT])
        self.assertEqual(done.code, 0, done.err)
        for k, (text, wanted) in enumerate(RIGHT):
            self.assertEqual(done.units[f"o{k}"], wanted, text)
        done = read([e for e, _ in RIGHT if "lift(tau)" not in e], "inverse")
        self.assertNotIn("contradict", done.err)

    def test_the_unit_stands_in_the_result(self):
        done = read([e for e, _ in RIGHT[:50]])
        units = {c["name"]: c.get("unit") for c in done.result["series"]["columns"]} if isinstance(done.result["series"]["columns"][0], dict) else None
        for k, (text, wanted) in enumerate(RIGHT[:50]):
            if units is not None:
                self.assertEqual(units[f"o{k}"] or None, wanted, text)

    def test_wrong_ones_are_refused_where_they_are(self):
        done = read([e for e, _, _ in WRONG])
        self.assertEqual(done.code, 2)
        self.assertEqual([(m.line, m.column, m.text) for m in done.errors], [(FIRST + k, column_of(k, at), text) for k, (_, at, text) in enumerate(WRONG)])

    def test_coordinates_alone_are_noted(self):
        done = read([e for e, _, _ in ODD] + ["a + 3[N]"], quiet=False)
        notes = [(m.line, m.column, m.text) for m in done.messages if m.kind == "note" and "numbers in SI" in m.text]
        self.assertEqual(notes, [(FIRST + k, column_of(k, at), f"in '{e}' {text}: taken as numbers in SI") for k, (e, at, text) in enumerate(ODD)])
        for text, *_ in ODD:
            self.assertEqual(read([text]).code, 0)

    def test_questions_have_no_dimension(self):
        self.assertEqual(cli.run_model(model_of(["t"]), "check", "--ask", "pin.Fx + motor.effort", files=FILES).code, 0)

    def test_random_expressions(self):
        """accepted or refused, and where, as the other algebra says; the unit of what is accepted"""
        leaves = [("3", NUMBER, ""), ("0.25", NUMBER, ""), ("pi", NUMBER, ""), ("c", NUMBER, ""), ("b", NUMBER, ""), ("t", LOOSE, "s"), ("t", LOOSE, "s"), ("s", LOOSE, ""),
                  ("5[mm]", WRITTEN, "m"), ("2[kN]", WRITTEN, "N"), ("30[deg]", WRITTEN, "rad"), ("60[rpm]", WRITTEN, "rad/s"), ("2[Hz]", WRITTEN, "Hz"), ("a", WRITTEN, "m"), ("n", WRITTEN, "rad/s"),
                  ("f", WRITTEN, "Hz"), ("k", WRITTEN, "N/m"), ("m", WRITTEN, "kg"), ("F", WRITTEN, "N"), ("T", WRITTEN, "N.m"), ("tau", WRITTEN, "s"), ("q", WRITTEN, ""), ("d", WRITTEN, "m"),
                  ("pin.angle", KNOWN, "rad"), ("pin.angle'", KNOWN, "rad/s"), ("x(rod.P)", KNOWN, "m"), ("y(rod.P)'", KNOWN, "m/s"), ("rail.distance''", KNOWN, "m/s^2"),
                  ("motor.effort", WRITTEN, "N.m"), ("pin.Fx", WRITTEN, "N"), ("pin.Tz", WRITTEN, "N.m"), ("spring.force", WRITTEN, "N"), ("track.effort", KNOWN, "N")]
        tables = [("lift", (WRITTEN, unit("s")), (WRITTEN, unit("m"))), ("bare", (NUMBER, {}), (NUMBER, {}))]
        grower = Grower(random.Random(int(os.environ.get("ROBERVAL_SEED", "5"))), leaves, tables)
        wanted_count, judged, refused, numeric = int(os.environ.get("ROBERVAL_DIMENSIONS", "600")), 0, 0, 0
        while judged < wanted_count:
            trees = [grower.grow(grower.rng.choice([1, 2, 2, 3])) for _ in range(60)]
            texts, wanted = [], []
            for tree in trees:
                judge = Judge()
                texts.append(tree.text())
                try:
                    wanted.append((None, judge.judge(tree), judge.odd))
                except Contradiction as at:
                    wanted.append((at.args[0].offset, None, judge.odd))
            done = read(texts)
            got = {m.line - FIRST: m for m in done.errors}
            good = []
            for k, (at, value, odd) in enumerate(wanted):
                error = got.get(k)
                if error and re.search(r"outside the table|is nan|division|too large|is no real|of -|finite|of 0|log of|sin of|cos of|must be greater", error.text) and "argument of" not in error.text:
                    numeric += 1
                    continue
                judged += 1
                refused += at is not None
                self.assertEqual(error.column if error else None, None if at is None else column_of(k, at), f"{texts[k]}: {error}")
                if at is None:
                    good.append((texts[k], value, odd))
            done = read([text for text, _, _ in good], quiet=False)
            self.assertEqual(done.code, 0, done.err)
            for k, (text, (firmness, dimension), odd) in enumerate(good):
                printed = done.units[f"o{k}"]
                said = re.search(rf"^note: in '{re.escape(text[:100])}' (an? |the |this |w\*x |\w+ is given )", done.out, re.M)
                self.assertEqual(bool(said), bool(odd), text)
                self.assertEqual(but_angle(unit(printed or "")), but_angle(dimension) if firmness > NUMBER else {}, f"{text}: {printed}")
        self.assertGreater(refused, 0.1 * judged)
        self.assertGreater(judged - refused, 0.2 * judged)
        self.assertLess(numeric, 0.2 * judged)


class Overrides(unittest.TestCase):
    MODEL = """\
roberval: 1
space: planar
parameters: {n: 60 rpm, a: 50 mm, d: "a + 3[mm]", e: a, h: 3, b: "2*a", g: "h + 1", r: "a/10[mm]", push0: 0 N}
bodies: {rod: {mass: h, inertia: g, markers: {A: [a, 0], B: [d, 0], C: [e, 0], D: [b, "r*1[mm]"]}}}
joints: {pin: {type: revolute, between: [ground, rod]}}
drives: {motor: {coordinate: pin.angle, motion: "n*t"}}
loads: {push: {type: force, to: rod.A, value: [push0, 0]}}
motion: {from: 0, to: 0.1, step: 0.1}
"""

    def said(self, *flags):
        done = cli.run_model(self.MODEL, "inverse", *flags, name="m.yaml")
        return done.code, re.sub(r"^.*?m\.yaml: ", "", done.err.splitlines()[0]) if done.err else ""

    def test_a_unit_where_the_file_has_one(self):
        for value in ("n=90 rpm", "n=90[rpm]", "n=2*45[rpm]", "n=9 rad/s", "n=0", "a=60 mm", "d=1 cm", "d=0", "e=3[in]", "e=2*a", "h=5", "h=5*2", "b=7", "b=7 mm", "g=2", "r=3", "push0=5 N",
                      "push0=0", "push0=1e3[lbf]"):
            self.assertEqual(self.said("--set", value)[0], 2 if value == "e=2*a" else 0, (value, self.said("--set", value)))
        for name, own in (("n", "60 rpm"), ("a", "50 mm"), ("d", "a + 3[mm]"), ("e", "a"), ("push0", "0 N")):
            code, text = self.said("--set", f"{name}=5")
            self.assertEqual((code, text), (2, f"error: --set {name}=5 has no unit, but the model gives '{name}' as {own}; write --set '{name}=5 UNIT'"))

    def test_its_dimension(self):
        for value, is_a, own, wants in (("n=10 Hz", "a frequency [Hz]", "60 rpm", "an angular velocity [rad/s]"), ("n=5 mm", "a length [m]", "60 rpm", "an angular velocity [rad/s]"),
                                        ("a=3[kg]", "a mass [kg]", "50 mm", "a length [m]"), ("d=3 kg", "a mass [kg]", "a + 3[mm]", "a length [m]"), ("e=n", "an angular velocity [rad/s]", "a", "a length [m]"),
                                        ("push0=2[kg]", "a mass [kg]", "0 N", "a force [N]"), ("r=2 N", "a force [N]", "a/10[mm]", "a pure number")):
            code, text = self.said("--set", value)
            self.assertEqual((code, text), (2, f"error: --set {value}: {is_a} is of another dimension than the model's {own}, {wants}"))
        code, text = self.said("--set", "h=5 mm")                # the file has none, but its use wants one
        self.assertEqual(code, 2)
        self.assertIn("'mass' is a mass [kg], but 'h' is a length [m]", text)

    def test_what_the_key_would_take(self):
        """rad fits 1, J alone is no torque, 1/s is a frequency: a value of another spelling is accepted, one of another dimension is not, and info shows what was declared"""
        declared = {"per": "3 N/rad", "arc": "0.1 m/rad", "coil": "3 N.m/rad", "speed": "3 rad/s", "often": "2 Hz", "work": "5 J", "twist": "5 N.m"}
        model = self.MODEL.replace("parameters: {", "parameters: {" + ", ".join(f"{k}: {v}" for k, v in declared.items()) + ", ")
        fits = {"per": ("2 N", "2 kN/rad", "3 N/deg"), "arc": ("0.1 m", "10 mm/deg"), "coil": ("3 N.m", "3 J/rad^2", "3 N.m/deg"), "speed": ("3 1/s", "30 rpm"), "often": ("3 1/s", "4 kHz"),
                "work": ("5 N.m", "5 J"), "twist": ("5 J/rad", "5 N.m")}
        fits_not = {"per": ("2 N/m", "2 m"), "arc": ("2 m/s",), "coil": ("3 N/m",), "speed": ("3 Hz", "3 deg"), "often": ("3 rad/s", "3 s"), "work": ("3 N",), "twist": ("5 J", "5 N")}
        for code, which in ((0, fits), (2, fits_not)):
            for name, values in which.items():
                for value in values:
                    done = cli.run_model(model, "inverse", "--set", f"{name}={value}", name="m.yaml")
                    self.assertEqual(done.code, code, (name, value, done.err))
                    if code:
                        self.assertIn(f"is of another dimension than the model's {declared[name]}, ", done.err)
        units = {name: value.split()[1] for name, value in declared.items()}
        shown = {name: p["unit"] for name, p in cli.run_model(model, "info", "--json", name="m.yaml", out=False).json()["parameters"].items()}
        self.assertEqual({name: shown[name] for name in units}, units)

    def test_along_a_parameter(self):
        model = self.MODEL.replace('drives: {motor: {coordinate: pin.angle, motion: "n*t"}}\n', "")
        model = model.replace("motion:", "  coil: {type: torsion-spring, joint: pin, stiffness: 3}\nmotion:").replace("loads: {push:", "loads:\n  push:").replace("[push0, 0]}}", "[push0, 0]}")
        for spec, code, part in (("push0=0..5 N", 0, ""), ("push0=1..5", 2, "has no unit, but the model gives 'push0' as 0 N"), ("push0=0..5 mm", 2, "a length [m] is of another dimension than the model's 0 N"),
                                 ("d=50..60", 2, "has no unit"), ("h=1..2", 0, "")):
            done = cli.run_model(model, "statics", "--follow", spec)
            self.assertEqual(done.code, code, (spec, done.err))
            self.assertIn(part, done.err)


class Unused(unittest.TestCase):
    def notes(self, model, *flags, **options):
        done = cli.run_model(model, "check", *flags, quiet=False, **options)
        self.assertEqual(done.code, 0, done.err)
        return done.out + done.err

    def test_random_parameters(self):
        """of random parameters made of each other, a few used by the model: exactly the others are named"""
        rng = random.Random(2)
        for trial in range(25):
            count = rng.randrange(1, 12)
            made_of = [[j for j in range(k) if rng.random() < 0.3] for k in range(count)]
            roots = {k for k in range(count) if rng.random() < 0.3}
            used, todo = set(), list(roots)
            while todo:
                k = todo.pop()
                if k not in used:
                    used.add(k)
                    todo += made_of[k]
            sums = ["1" + "".join(f" + p{j}" for j in deps) for deps in made_of]
            changed = [k for k in range(count) if rng.random() < 0.2]
            places = [f'"p{k}"' for k in sorted(roots)]
            model = ("roberval: 1\nspace: planar\nparameters: {" + ", ".join(f'p{k}: "{s}"' for k, s in enumerate(sums)) + "}\n"
                     "bodies: {b: {mass: 1, inertia: 1" + (", markers: {" + ", ".join(f"M{k}: [{p}, 0]" for k, p in enumerate(places)) + "}" if places else "") + "}}\n"
                     "joints: {j: {type: fixed, between: [ground, b]}}\n")
            text = self.notes(model)
            self.assertEqual(set(re.findall(r"nothing uses the parameter '(\w+)'", text)), {f"p{k}" for k in range(count) if k not in used}, model)
            text = self.notes(model, *(x for k in changed for x in ("--set", f"p{k}=3")))
            unused = {k for k in range(count) if k not in self.reached(roots, made_of, changed)}
            self.assertEqual(set(re.findall(r"--set (\w+) changes nothing: nothing uses this parameter", text)), {f"p{k}" for k in unused & set(changed)}, model)
            self.assertEqual(set(re.findall(r"nothing uses the parameter '(\w+)'", text)), {f"p{k}" for k in unused - set(changed)}, model)

    @staticmethod
    def reached(roots, made_of, changed):
        """with the changed ones made of nothing"""
        used, todo = set(), list(roots)
        while todo:
            k = todo.pop()
            if k not in used:
                used.add(k)
                todo += [] if k in changed else made_of[k]
        return used

    def test_tables(self):
        text = self.notes(BASE.replace("bare.csv, x: u, y: v}", "bare.csv, x: u, y: v}\n  idle: {file: lift.csv, x: time, y: height}") + '  o: "lift(t)"\n', files=FILES)
        self.assertEqual(set(re.findall(r"nothing uses the table '(\w+)'", text)), {"bare", "idle"})

    def test_it_has_a_place(self):
        done = cli.run_model("roberval: 1\nspace: planar\nparameters: {a: 1,\n  idle: 3 mm}\nbodies: {b: {mass: a, inertia: 1}}\njoints: {j: {type: fixed, between: [ground, b]}}\n", "check", quiet=False)
        self.assertIn("note: nothing uses the parameter 'idle'", done.out)


class BareNumbers(unittest.TestCase):
    """a number without unit inside an expression, where `units:` gives the key another unit than SI's"""
    MODEL = """\
roberval: 1
space: planar
units: {UNITS}
parameters: {k: 3, a: 50 mm, w: 2 rad/s, g: "2*25"}
bodies: {rod: {mass: 1, inertia: 1, centroid: [X, a], markers: {A: [w*0, g*a*k]}}}
joints: {pin: {type: revolute, between: [ground, rod]}}
drives: {motor: {coordinate: pin.angle, motion: "MOTION"}}
motion: {from: 0, to: 0.1, step: 0.1}
"""

    def notes(self, units, x, motion):
        done = cli.run_model(self.MODEL.replace("UNITS", units).replace("X", x).replace("MOTION", motion), "kinematics", quiet=False)
        self.assertEqual(done.code, 0, done.err)
        return re.findall(r"^note: (.*: inside an expression numbers are SI.*)$", done.out, re.M)

    def test_where_it_is_said(self):
        rest = ": inside an expression numbers are SI, whatever units: says; for %s write a unit in brackets, as in 2[%s]"
        for units, x, motion, said in (
                ("length: mm", '"2*25"', "1", ["'2*25' is 50 m" + rest % ("mm", "mm")]), ("length: mm", "k", "1", ["'k' is 3 m" + rest % ("mm", "mm")]), ("length: mm", "a", "1", []), ("length: mm", "25", "1", []),
                ("length: mm", '"a/2"', "1", []), ("length: mm", '"25"', "1", []), ("length: mm", "25 mm", "1", []), ("length: mm", '"0*k"', "1", []), ("length: m", '"2*25"', "30*t", []),
                ("angle: deg", '"2*25"', "30*t", ["'30*t' is in rad" + rest % ("deg", "deg")]), ("angle: deg", "1", "2*pi*t", []), ("angle: deg", "1", "w*t", []), ("angle: deg", "1", "30", []),
                ("angle: deg", "1", "k*t", ["'k*t' is in rad" + rest % ("deg", "deg")]), ("angle: rad", "1", "30*t", []), ("length: in", '"k*g"', "1", ["'k*g' is 150 m" + rest % ("in", "in")])):
            self.assertEqual(self.notes(units, x, motion), said, (units, x, motion))


class Examples(unittest.TestCase):
    def test_every_example_agrees_with_itself(self):
        files = sorted(glob.glob(os.path.join(cli.ROOT, "examples", "*", "*.yaml")))
        self.assertGreater(len(files), 20)
        for file in files:
            done = cli.run(["check", file], quiet=False, out=False)
            self.assertNotEqual(done.code, 2, done.err)
            self.assertNotRegex(done.out + done.err, "in SI|nothing uses|inside an expression", file)


class BareTerms(cli.Case):
    """A number without a unit beside something with one counts in SI: a note where `units:` says otherwise."""

    def notes(self, motion=None, units={"length": "mm", "angle": "deg"}, **more):
        model = {"roberval": 1, "space": "planar", "units": units, "parameters": {"n": "60 rpm", "a": "50 mm", "x0": 60}, "bodies": {"ground": {"markers": {"P": [10, 20]}}, "arm": {"mass": 1, "inertia": 0.1, "markers": {"T": [100, 0]}}},
                 "joints": {"pin": {"type": "revolute", "between": ["ground", "arm"]}}, "drives": {"motor": {"coordinate": "pin.angle", "motion": motion or "0"}}, "motion": {"from": 0, "to": 1, "step": 0.5}, **more}
        done = cli.run_model(model, "kinematics")
        self.assertEqual(done.code, 0, done.said())
        return " | ".join(n for n in done.result["notes"] if "uses" not in n)

    def test_beside_a_unit(self):
        for motion, term in (("60 + n*t", "'60' is 60 rad"), ("60[deg] + 360*t", "'360*t' is in rad"), ("n*t - x0", "'x0' is 60 rad"), ("step(t, 0, 0[deg], 1, 90)", "'90' is 90 rad"),
                             ("if(t < 2, 30[deg], 45)", "'45' is 45 rad"), ("max(n*t, 5)", "'5' is 5 rad"), ("2*(n*t - 20)", "'20' is 20 rad"), ("n*t + 3*sin(t)", "'3*sin(t)' is in rad")):
            self.assertIn(term, self.notes(motion), motion)

    def test_what_is_meant_is_left_alone(self):
        for motion in ("60[deg] + n*t", "n*t", "2*pi*t", "pi/2 + n*t", "60[deg] + 2*pi*t", "n*t + 0", "sin(pi/4)*n*t", "2*n*t + 60[deg]", "a/50[mm]*n*t"):
            self.assertEqual(self.notes(motion), "", motion)
        for motion in ("60 + n*t", "60[deg] + 6*t", "x0*n*t/(1 + sin(3))"):
            self.assertEqual(self.notes(motion, units={}), "", motion)

    def test_lengths_in_laws(self):
        for law, term in (("200[N/m]*(l - 100)", "'100' is 100 m"), ("if(l > 300, 1[N], 2[N])", "'300' is 300 m")):
            spring = {"rope": {"type": "spring", "between": ["ground.P", "arm.T"], "force": law}}
            model_notes = self.notes("n*t", loads=spring)
            self.assertIn(term, model_notes)
        self.assertNotIn("is 0.1 m", self.notes("n*t", loads={"rope": {"type": "spring", "between": ["ground.P", "arm.T"], "force": "200[N/m]*(l - 0.1[m])"}}))

    def test_degrees_in_sin(self):
        for units in ({}, {"angle": "deg"}):
            self.assertIn("'30' is 30 rad", self.notes("n*t", units=units, loads={"pull": {"type": "force", "to": "arm.T", "value": ["10[N]*sin(30)", 0]}}))
        self.assertEqual(self.notes("n*t", units={}, loads={"pull": {"type": "force", "to": "arm.T", "value": ["10[N]*sin(1.5)", "2[N]*cos(30[deg])"]}}), "")

    def test_gravity_in_millimetres(self):
        self.assertIn("gravity is 9810 m/s^2", self.notes("n*t", gravity=[0, -9810]))
        self.assertIn("gravity is 9810 m/s^2", self.notes("n*t", units={}, gravity=[0, -9810]))
        for gravity in ([0, -9.81], [0, "-9810 mm/s^2"], [0, "-9810 m/s^2"]):
            self.assertEqual(self.notes("n*t", gravity=gravity), "")
        self.assertEqual(self.notes("n*t", units={"acceleration": "mm/s^2"}, gravity=[0, -9810]), "")


if __name__ == "__main__":
    cli.main()
