#!/usr/bin/python3
"""Wrong models, as somebody would write them who knows mechanics but not this program, or slips: what the program says must name the thing and lead to the mend.

MISTAKES is a table: what is wrong, the model, the command, the exit status, words that must be said (each a regular expression), words that must not.  What is not an error is
a note or a figure on the page.  Behind the table: kinds of mistakes with random numbers, where what is said can be computed: loops that are too short by so much, drives that
move the same freedom, joints that are missing; and every word of another program that the program claims to understand leads to a word that it accepts.
"""
import json
import math
import os
import random
import re
import struct
import sys
import tempfile
import unittest

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "py"))
import cli              # noqa: E402

PLANE, SPACE = "roberval: 1\nspace: planar\n", "roberval: 1\nspace: spatial\n"
GENERALIZED = "roberval: 1\nspace: planar\ngeneralized: {coordinates: {u: {start: 0.1}}, mass: %s, force: %s}\nmotion: {from: 0, to: 1, step: 0.5}\n"
TIME = "motion: {from: 0, to: 1, step: 0.5}\n"
ARM = "bodies: {arm: {mass: 2, inertia: 0.1, centroid: [0.5, 0], markers: {tip: [1, 0]}}}\n"
ARMS = "bodies: {arm: {mass: 2, inertia: 0.1, centroid: [0.5, 0], markers: {tip: [1, 0]}}, fore: {mass: 1, inertia: 0.1, pose: {at: [1, 0]}}}\n"
PIN = "joints: {pin: {type: revolute, between: [ground, arm]}}\n"
MOTOR = 'drives: {motor: {coordinate: pin.angle, motion: "t"}}\n'
BALL = "bodies: {arm: {mass: 2, inertia: [0.1, 0.1, 0.1], centroid: [0.5, 0, 0]}}\n"
WHEELS = ("bodies: {a: {mass: 1, inertia: 1}, b: {mass: 1, inertia: 1, pose: {at: [1, 0]}}}\njoints: {A: {type: revolute, between: [ground, a]}, "
          "B: {type: revolute, between: [ground, b], at: [1, 0]}, mesh: {type: gear, between: [a, b], radii: [0.4, 0.6]%s}}\n")


def pin(kind):
    return PLANE + ARM + PIN.replace("revolute", kind)


def load(text):
    return PLANE + ARM + PIN + f"loads: {{it: {{{text}}}}}\n" + TIME


def body(text):
    return PLANE + f"bodies: {{arm: {{{text}}}}}\n" + PIN


def motion(text):
    return PLANE + "gravity: [0, -9.81]\n" + ARM + PIN + text + "\n" + TIME


def driven(motion):
    return PLANE + ARM + PIN + MOTOR.replace('"t"', motion) + TIME


def four_bar(crank=0.3, coupler=0.8, rocker=0.6, base=1.0, drives=MOTOR.replace("pin", "A"), change=("", "")):
    return (PLANE + f"""gravity: [0, -9.81]
bodies:
  ground: {{markers: {{A: [0, 0], D: [{base!r}, 0]}}}}
  crank: {{mass: 1, inertia: {crank**2 / 12!r}, markers: {{B: [{crank!r}, 0]}}, pose: {{at: [0, 0], angle: 60 deg}}}}
  coupler: {{mass: 1, inertia: {coupler**2 / 12!r}, markers: {{C: [{coupler!r}, 0]}}, pose: {{at: [0.15, 0.26], angle: 20 deg}}}}
  rocker: {{mass: 1, inertia: {rocker**2 / 12!r}, markers: {{C: [{rocker!r}, 0]}}, pose: {{at: [{base!r}, 0], angle: 100 deg}}}}
joints:
  A: {{type: revolute, between: [ground.A, crank]}}
  B: {{type: revolute, between: [crank.B, coupler]}}
  C: {{type: revolute, between: [coupler.C, rocker.C]}}
  D: {{type: revolute, between: [ground.D, rocker]}}
{drives}{TIME}""").replace(*change)


def tooth():
    """one triangle as binary STL"""
    return b"part".ljust(80) + struct.pack("<I", 1) + struct.pack("<12fH", 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0)


NO = ()
MISTAKES = [
    # --- words of other programs: kinds ---
    ("hinge for revolute", pin("hinge"), "check", 2, ("'hinge'", "mean 'revolute'"), NO),
    ("pin for revolute", pin("pin"), "check", 2, ("'pin'", "mean 'revolute'"), NO),
    ("slider for prismatic", pin("slider"), "check", 2, ("'slider'", "mean 'prismatic'"), NO),
    ("translation for prismatic", pin("translation"), "check", 2, ("'translation'", "mean 'prismatic'"), ("translational",)),
    ("weld for fixed", pin("weld"), "check", 2, ("'weld'", "mean 'fixed'"), NO),
    ("a ball in the plane", pin("ball"), "check", 2, ("'ball' is a joint of space; this model is planar", "mean 'revolute'"), NO),
    ("a ball in a socket", SPACE + BALL + "joints: {j: {type: ball, between: [ground, arm]}}\n", "check", 2, ("radius", "a ball in a socket is spherical"), NO),
    ("bar for link", pin("bar"), "check", 2, ("'bar'", "mean 'link'"), NO),
    ("a rope as a joint", pin("rope"), "check", 2, ("'rope'", "type: link", "unilateral: true"), NO),
    ("a motor as a joint", pin("motor"), "check", 2, ("'motor'", "drives:", "coordinate: hinge.angle"), NO),
    ("a spring as a joint", pin("spring"), "check", 2, ("'spring'", "loads:", "type: spring"), NO),
    ("hooke for universal", SPACE + BALL + "joints: {j: {type: hooke, between: [ground, arm]}}\n", "check", 2, ("'hooke'", "mean 'universal'"), NO),
    ("a slot in space", SPACE + BALL + "joints: {j: {type: slot, between: [ground, arm]}}\n", "check", 2, ("'slot' is a joint of the plane; this model is spatial", "mean 'inline'"), NO),
    ("moment for torque", load("type: moment, to: arm, value: 3"), "check", 2, ("'moment'", "mean 'torque'"), NO),
    ("a damper", load("type: damper, between: [ground, arm.tip], damping: 3"), "check", 2, ("'damper'", "type: spring with damping:"), NO),
    ("gravity as a load", load("type: gravity, value: 9.81"), "check", 2, ("'gravity'", "weight comes from masses", r"gravity: \[0, -9.81 m/s\^2\]"), NO),
    ("friction as a load", load("type: friction, to: arm, value: 0.1"), "check", 2, ("'friction'", "belongs to its joint", "coefficient"), NO),
    # --- words of other programs: keys ---
    ("cog for centroid", body("mass: 2, inertia: 0.1, cog: [0.5, 0]"), "check", 2, ("'cog' in body 'arm'", "mean 'centroid'"), NO),
    ("position for pose", body("mass: 2, inertia: 0.1, position: [0.5, 0]"), "check", 2, ("'position' in body 'arm'", "mean 'pose'"), NO),
    ("k, c and length0", load("type: spring, between: [ground, arm.tip], k: 100, c: 1, length0: 0.1"), "check", 2,
     ("'k' in load 'it'; did you mean 'stiffness'", "'c' in load 'it'; did you mean 'damping'", "'length0' in load 'it'; did you mean 'free_length'"), ("nothing in it",)),
    ("a force on something", load("type: force, on: arm.tip, magnitude: [1, 0]"), "check", 2, ("'on' in load 'it'; did you mean 'to'", "'magnitude' in load 'it'; did you mean 'value'"),
     ("lacks the key",)),
    ("bodies of a joint", PLANE + ARM + "joints: {pin: {type: revolute, bodies: [ground, arm]}}\n", "check", 2, ("'bodies' in joint 'pin'; did you mean 'between'",), ("lacks the key",)),
    ("a drive's speed", PLANE + ARM + PIN + "drives: {motor: {coordinate: pin.angle, speed: 10}}\n" + TIME, "inverse", 2,
     ("'speed' in drive 'motor'; did you mean 'motion'", "the coordinate itself, not its speed"), ("lacks the key",)),
    ("duration and dt", PLANE + ARM + PIN + MOTOR + "motion: {start: 0, duration: 1, dt: 0.1}\n", "inverse", 2,
     ("'start' in motion; did you mean 'from'", "'duration' in motion; did you mean 'to'", "'dt' in motion; did you mean 'step'"), ("lacks the key",)),
    # --- how it is written ---
    ("a decimal comma in braces", body("mass: 0,5 kg, inertia: 0.1"), "check", 2, ("0,5 kg", "behind a point: 0.5 kg"), ("unknown key",)),
    ("a decimal comma in a line", PLANE + "bodies:\n  arm:\n    mass: 0,5 kg\n    inertia: 0.1\n" + PIN, "check", 2, ("decimal number is written with a point",), NO),
    ("decimal commas in a list", body("mass: 2, inertia: 0.1, centroid: [0,5, 0,2]"), "check", 2, ("'centroid'", "list of 2 numbers, not of 4", "point, as in 0.5"), NO),
    ("commas of an expression in a map", driven("step(t, 0, 0, 1, 1)"), "inverse", 2, (r"step\(t, 0, 0, 1, 1\)", "put the expression in quotes"), ("unknown key", "stands twice")),
    ("commas of an expression in a list", load("type: force, to: arm.tip, value: [max(t, 1), 0]"), "inverse", 2, (r"max\(t, 1\)", "put the expression in quotes"), ("list of 2",)),
    ("no blank behind a colon", PLANE + "bodies:\n  arm:\n    mass:2\n    inertia: 0.1\n", "check", 2, ("a blank is missing behind this \":\"",), NO),
    ("no blank behind a colon in braces", body("mass:2, inertia: 0.1"), "check", 2, ("a blank is missing behind the ':' of 'mass:2'",), NO),
    ("a tab", PLANE + "bodies:\n\tarm: {mass: 2}\n", "check", 2, ("a tab cannot indent", "use spaces"), NO),
    ("a list of joints", PLANE + ARM + "joints:\n  - {name: pin, type: revolute, between: [ground, arm]}\n", "check", 2, ("joints must be a map of names", "name as key"), NO),
    ("a unit in an expression without brackets", driven('"30 deg + t"'), "inverse", 2, ("units stand in brackets",), NO),
    ("** for ^", driven('"t**2"'), "inverse", 2, (r"'\*\*'", r"write \^"), NO),
    ("ln for log", driven('"ln(t + 1)"'), "inverse", 2, ("'ln'", "mean 'log'"), NO),
    ("time for t", driven('"2*time"'), "inverse", 2, ("'time'", "did you mean .t.\\?"), NO),
    ("yes for true", PLANE + WHEELS % ", internal: yes", "check", 2, ("'internal' of joint 'mesh' must be true or false, not yes",), NO),
    # --- other files ---
    ("URDF", '<?xml version="1.0"?>\n<robot name="r"><link name="a"/></robot>\n', "check", 2, (r"XML \(URDF\)", "not converted in this version"), ("map of keys",)),
    ("MJCF", '<mujoco model="m"><worldbody/></mujoco>\n', "check", 2, (r"XML \(MJCF\)",), ("map of keys",)),
    ("another JSON", '{"robot": {"links": [1, 2]}}\n', "check", 2, ("nothing of a model stands in this file", "roberval: 1"), ("unknown key",)),
    ("a binary file", "\x7fELF\x02\x01\x01\x00\x00", "check", 2, ("this is a binary file, not a model",), NO),
    ("an STL mesh", tooth(), "check", 2, ("this is a mesh .STL.", r"shape: \{mesh: \{file:"), NO),
    ("an STL mesh in letters", "solid part\n facet normal 0 0 1\n  outer loop\n", "check", 2, ("this is a mesh .STL.",), NO),
    ("a table", "time [s],angle [deg]\n0,1\n0.1,2\n", "check", 2, (r"table of numbers .CSV.", "under tables:"), NO),
    # --- signs, units, magnitudes ---
    ("a negative mass", body("mass: -2, inertia: 0.1"), "check", 2, ("the mass of 'arm' is -2 kg", "positive"), NO),
    ("a negative inertia", body("mass: 2, inertia: -0.1"), "check", 2, ("the inertia of 'arm' is -0.1", "positive"), NO),
    ("a negative stiffness", load("type: spring, between: [ground, arm.tip], stiffness: -100, free_length: 0.1"), "check", 0, ("stiffness of spring 'it' is negative",), NO),
    ("a negative damping", load("type: spring, between: [ground, arm.tip], damping: -1"), "check", 2, ("a damping is 0 or more",), NO),
    ("a step of the wrong sign", PLANE + ARM + PIN + MOTOR + "motion: {from: 0, to: 1, step: -0.1}\n", "inverse", 2, ("step of a motion must be positive",), NO),
    ("an end before the start", PLANE + ARM + PIN + MOTOR + "motion: {from: 1, to: 0, step: 0.1}\n", "inverse", 2, ("ends at 0 s, before it starts at 1 s",), NO),
    ("degrees without their unit", body("mass: 2, inertia: 0.1, pose: {at: [0, 0], angle: 90}"), "check", 0, ("pose of 'arm' has an angle of 90 rad", "14.3 turns", "unit missing .deg."), NO),
    ("a pressure angle in degrees", PLANE + WHEELS % ", pressure_angle: 20", "check", 2, ("between 0 and 85 deg, commonly 20 deg",), NO),
    ("an inertia in kg.mm^2", body("mass: 2, inertia: 66666, centroid: [0.5, 0], markers: {tip: [1, 0]}"), "check", 0, ("of 'arm' make a radius of gyration of 183 m", "is a unit wrong"), NO),
    ("an inertia too small", PLANE + ARM.replace("0.1", "1e-7") + PIN.replace("ground, arm]", "ground, arm.tip]"), "check", 0, ("of 'arm' make a radius of gyration", "is a unit wrong"), NO),
    ("an inertia without a mass", body("inertia: 0.1"), "check", 2, ("'arm' has an inertia but no mass",), NO),
    ("no gravity", PLANE + ARM + PIN + MOTOR + TIME, "inverse", 0, ("no gravity",), NO),
    ("gravity upwards", PLANE + "gravity: [0, 9.81]\n" + ARM + PIN + MOTOR + TIME, "inverse", 0, (r"gravity 9.81 m/s\^2 along \+y",), NO),
    ("gravity of space in the plane", PLANE + "gravity: [0, 0, -9.81]\n" + ARM + PIN, "check", 2, ("'gravity'", "this model is planar"), NO),
    ("gravity of the plane in space", SPACE + "gravity: [0, -9.81]\n" + BALL, "check", 2, ("'gravity'", "this model is spatial"), NO),
    ("a tensor that no body has", SPACE + BALL.replace("[0.1, 0.1, 0.1]", "[0.1, 0.1, 0.5]"), "check", 2, ("no real body has the inertia of 'arm'", "none can exceed the sum"), NO),
    ("a spring without a free length", load("type: spring, between: [ground, arm.tip], stiffness: 100"), "check", 2, ("'it'", "needs its free_length"), NO),
    # --- names ---
    ("a body misspelt", PLANE + ARM + PIN.replace("arm]", "amr]"), "check", 2, ("no body 'amr'; did you mean 'arm'",), NO),
    ("a marker misspelt", PLANE + ARM + PIN.replace("arm]", "arm.tpi]"), "check", 2, ("no marker 'tpi'; did you mean 'arm.tip'",), NO),
    ("a marker without its body", load("type: force, to: tip, value: [1, 0]"), "check", 2, ("no body 'tip'; did you mean 'arm.tip'",), NO),
    ("a coordinate that the joint has not", driven('"t"').replace("pin.angle", "pin.distance"), "inverse", 2, ("'pin' .revolute. has no coordinate 'distance'", "it has angle"), NO),
    ("a joint between a body and itself", PLANE + ARM + "joints: {pin: {type: revolute, between: [arm.tip, arm]}}\n", "check", 2, ("'pin' lies between body 'arm' and itself",), NO),
    ("a torque's name", PLANE + ARM + PIN + MOTOR + TIME + 'output: {o: "motor.torque"}\n', "inverse", 2, ("drive 'motor' has no 'torque'; it has effort",), NO),
    # --- joints missing, too many, too short; drives ---
    ("a body that nothing holds", PLANE + ARMS + PIN + MOTOR + TIME, "inverse", 2, ("3 degrees of freedom are left", "a joint is missing: nothing holds body 'fore'"), NO),
    ("the same, checked", PLANE + ARMS + PIN + MOTOR + TIME, "check", 0, ("nothing holds body 'fore'",), NO),
    ("the last joint of a loop missing", four_bar(change=("  D: {type: revolute, between: [ground.D, rocker]}\n", "")), "inverse", 2,
     ("not determined", "a joint is missing: body 'rocker' is held by joint 'C' alone"), NO),
    ("no drive", four_bar(drives=""), "inverse", 2, ("1 degree of freedom is left without a drive", r"A\.angle"), ("a joint is missing",)),
    ("members too short", four_bar(0.2, 0.3, 0.2), "inverse", 1, ("not? ?.*assembl|no assembly", "the loop of the joints", r"\bA\b", r"\bB\b", r"\bC\b", r"\bD\b", "0.3 m less far"), NO),
    ("two drives of one coordinate", PLANE + ARM + PIN + 'drives: {a: {coordinate: pin.angle, motion: "t"}, b: {coordinate: pin.angle, motion: "2*t"}}\n' + TIME, "inverse", 2,
     ("over-driven: drives 'a' and 'b' move the same coordinate pin.angle",), NO),
    ("two drives that agree", four_bar(drives='drives: {a: {coordinate: A.angle, motion: "1 + t"}, b: {coordinate: angle(crank), motion: "1 + t"}}\n'), "inverse", 2,
     ("over-driven: drives 'a' and 'b' move the same freedom", "take one of them away"), NO),
    ("the same, checked", four_bar(drives='drives: {a: {coordinate: A.angle, motion: "1 + t"}, b: {coordinate: angle(crank), motion: "1 + t"}}\n'), "check", 0,
     ("over-driven: drives 'a' and 'b' move the same freedom", "leave out [ab]\\b"), NO),
    ("two drives that contradict", four_bar(drives='drives: {a: {coordinate: A.angle, motion: "1 + t"}, b: {coordinate: D.angle, motion: "2.5 + t"}}\n'), "inverse", 2,
     ("(?s)^[^\\n]*over-driven: drives 'a' and 'b' move the same freedom",), NO),
    ("the same, checked", four_bar(drives='drives: {a: {coordinate: A.angle, motion: "1 + t"}, b: {coordinate: D.angle, motion: "2.5 + t"}}\n'), "check", 2,
     ("(?s)^[^\\n]*over-driven: drives 'a' and 'b' move the same freedom",), NO),
    ("a drive of what is fixed", PLANE + ARM + PIN.replace("revolute", "fixed") + 'drives: {motor: {coordinate: angle(arm), motion: "t"}}\n' + TIME, "inverse", 2,
     ("over-driven", "leave drive 'motor' nothing to move"), NO),
    ("wheels that do not fit", PLANE + WHEELS.replace("0.6", "0.7") % "", "check", 2, ("radii of gear 'mesh' do not fit", "1 m apart", "want 1.1 m"), NO),
    ("a wheel without a bearing", PLANE + WHEELS.replace("B: {type: revolute, between: [ground, b], at: [1, 0]}, ", "") % "", "check", 2,
     ("nothing holds the centre distance of gear 'mesh'", "bearings on one carrier"), NO),
    ("a rack off its pinion", PLANE + "bodies: {bar: {mass: 1, inertia: 1}, wheel: {mass: 1, inertia: 1, pose: {at: [0, 0.1]}}}\njoints: {a: {type: revolute, between: [ground, wheel], "
     "at: [0, 0.1]}, b: {type: prismatic, between: [ground, bar]}, mesh: {type: rack, between: [bar, wheel], radius: 0.05}}\n", "check", 0,
     ("pinion of 'mesh' has its centre 0.1 m", "not its radius 0.05 m"), NO),
    ("a motion with a corner", driven('"abs(t - 0.3)"'), "inverse", 0, ("drive 'motor' uses abs", "may not be twice continuously differentiable"), NO),
    ("initial conditions too many", PLANE + ARM + PIN + "initial: {pin.angle: 30 deg, x(arm.tip): 0.3}\n" + TIME, "check", 2, (r"'x\(arm.tip\)' is one too many",), NO),
    ("no motion", PLANE + ARM + PIN + MOTOR, "inverse", 2, ("no motion: section", "motion: {from: 0 s"), NO),
    ("statics of what falls", PLANE + "gravity: [0, -9.81]\n" + ARMS + PIN, "statics", 1, ("nothing holds body 'fore'",), NO),
    # --- motion from forces: stops, states, events, generalized coordinates, control, the start ---
    ("a stop with lower and upper", motion("stops: {s: {coordinate: pin.angle, lower: -1, upper: 1}}"), "simulate", 2, ("'lower'", "mean 'min'", "'upper'", "mean 'max'"), ("neither",)),
    ("a stop of an angle in mm", motion("stops: {s: {coordinate: pin.angle, max: 200 mm}}"), "simulate", 2, ("'max' is of dimension angle", "mm"), ("neither",)),
    ("a stop on a joint", motion("stops: {s: {joint: pin, max: 1}}"), "simulate", 2, ("mean 'coordinate'",), NO),
    ("a stop that is passed", motion("stops: {s: {coordinate: pin.angle, min: 10 deg}}"), "simulate", 2, ("'s' is passed at the start", "pin.angle is 0"), NO),
    ("contacts at top level", motion("contacts: {s: {coordinate: pin.angle, max: 1}}"), "simulate", 2, ("mean 'stops'",), NO),
    ("a state by its derivative", motion('states: {I: {derivative: "pin.angle"}}'), "simulate", 2, ("'derivative'", "mean 'rate'"), ("lacks",)),
    ("a state with initial", motion('states: {I: {rate: "pin.angle", initial: 2}}'), "simulate", 2, ("'initial'", "mean 'start'"), NO),
    ("a state called t", motion("states: {t: {rate: 1}}"), "simulate", 2, ("'t' has a meaning in expressions", "another name"), NO),
    ("controllers at top level", motion("controllers: {c: {}}"), "simulate", 2, ("mean 'states'",), NO),
    ("an event by a condition", motion('events: {e: {condition: "pin.angle + 1"}}'), "simulate", 2, ("'condition'", "mean 'when'"), ("lacks",)),
    ("an event with =", motion('events: {e: {when: "pin.angle = 1"}}'), "simulate", 2, ("write ==", "one side"), NO),
    ("an event with &&", motion('events: {e: {when: "pin.angle > 1 && t > 0.2"}}'), "simulate", 2, ("'&&'", "write and"), NO),
    ("an event with ||", motion('events: {e: {when: "pin.angle > 1 || t > 0.2"}}'), "simulate", 2, ("'\\|\\|'", "write or"), NO),
    ("an event that sets a coordinate", motion('events: {e: {when: "pin.angle + 1", set: {pin.angle: 0}}}'), "simulate", 2, ("no state", "stops"), NO),
    ("an event that terminates", motion('events: {e: {when: "pin.angle + 1", do: terminate}}'), "simulate", 2, ("'do'", "mark, stop"), NO),
    ("one mass for a matrix", GENERALIZED % ("2", "[0]"), "simulate", 2, ("mass must be a list of rows, as in \\[\\[",), NO),
    ("a matrix that is not symmetric", "roberval: 1\nspace: planar\ngeneralized: {coordinates: {u: {}, w: {}}, mass: [[2, 1], [0, 2]], force: [0, 0]}\n" + TIME, "simulate", 2, ("symmetric", "row 2"), NO),
    ("an acceleration in a force", GENERALIZED % ("[[2]]", '["-u\'\'"]'), "simulate", 2, ("second rates",), NO),
    ("no mass of a generalized coordinate", GENERALIZED % ("[[0]]", '["-u"]'), "simulate", 1, ("generalized coordinate 'u' has no mass",), ("body 'u'",)),
    ("a requirement with =", motion('track: {require: {p: {equation: "pin.angle = t"}}}'), "track", 2, ("one side",), NO),
    ("a requirement as a text", motion('track: {require: {p: "pin.angle - t"}}'), "track", 2, ("equation, velocity",), NO),
    ("a start that does not fit", motion('track: {require: {p: {equation: "pin.angle - 1 - t"}}}'), "track", 1, ("'p'", "off by -1", "rate:", "initial:"), NO),
    ("an actuator that is too weak", motion('initial: {pin.angle: 0, pin.angle\': 1}\ntrack: {require: {p: {equation: "pin.angle - t"}}, actuators: {m: {coordinate: pin.angle, max: 1}}}'), "track", 1,
     ("within the limits", "'m' \\(1 N.m\\)"), NO),
    ("track: in simulate", motion('track: {require: {p: {equation: "pin.angle - t"}}}'), "simulate", 0, ("roberval track does",), NO),
    ("omega at the start", motion("initial: {omega(arm): 1}"), "simulate", 2, ("rate of a coordinate", "angle\\(...\\)'"), ("for a product",)),
    ("a velocity at the start", motion("initial: {pin.velocity: 1}"), "simulate", 2, ("pin.angle'",), NO),
    ("a turn per second in Hz", motion("initial: {pin.angle': 2 Hz}"), "simulate", 2, ("angular velocity", "frequency"), NO),
    ("a condition that is true", motion('drives: {m: {coordinate: pin.angle, motion: "t", active: true}}'), "simulate", 2, ("'active'", "without it"), NO),
    ("a speed for a motion", driven("600 rpm"), "inverse", 2, ("'motion' is of dimension angle", r"600\[rpm\]\*t"), NO),
    ("a speed for a motion, in brackets", driven('"600[rpm]"'), "inverse", 2, ("angular velocity", "that times t"), NO),
    ("brackets without quotes", driven("30[deg]*t"), "inverse", 2, ("must be in quotes",), ("is missing before",)),
    ("gravity as a number", PLANE + "gravity: 9.81\n" + ARM + PIN, "check", 2, (r"as in \[0, -9.81 m/s\^2\]",), NO),
    ("a start in degrees without their unit", motion("initial: {pin.angle: 90}"), "simulate", 0, ("'pin.angle' is 90 rad, that is 14.3 turns",), NO),
    ("a step longer than the motion", PLANE + "units: {time: ms}\n" + ARM + PIN + MOTOR + "motion: {from: 0, to: 1, step: 0.1 s}\n", "inverse", 0, ("step of 0.1 s is longer than the motion from 0 s to 0.001 s",), NO),
    ("world for ground", PLANE + ARM + PIN.replace("ground", "world"), "check", 2, ("no body 'world'; did you mean 'ground'",), NO),
    ("kgm2", body("mass: 2, inertia: 0.1 kgm2"), "check", 2, ("'kgm2' is no unit; did you mean 'kg.m'",), NO),
    ("gaps without rounding", four_bar(0.2, 0.3, 0.2), "inverse", 1, ("leaves gaps",), (r"e-\d\d+ rad",)),
    ("a condition on a body", PLANE + "bodies: {arm: {mass: 2, inertia: 0.1, active: 't < 1'}}\n" + PIN, "check", 2, ("joints, drives, constraints, loads and stops may have active:",), NO),
    ("what engages does not fit", motion('drives: {m: {coordinate: pin.angle, motion: "1", active: "t > 0.5"}}'), "simulate", 1, ("'m' engages where it does not fit", "value: here"), NO),
    ("a soft stop", motion("stops: {s: {coordinate: pin.angle, max: 1, stiffness: 1e5}}"), "simulate", 2, ("a stop is rigid", "load", "if\\("), NO),
    ("a stop's range", motion("stops: {s: {coordinate: pin.angle, range: [-1, 1]}}"), "simulate", 2, ("write min: and max:",), NO),
    ("limits of a joint", PLANE + ARM + "joints: {pin: {type: revolute, between: [ground, arm], max: 1}}\n", "check", 2, ("entry of stops:",), NO),
    ("a motor in a joint", PLANE + ARM + 'joints: {pin: {type: revolute, between: [ground, arm], motion: "t"}}\n', "check", 2, ("entry of drives:",), NO),
    ("a joint at an angle", PLANE + ARM + "joints: {pin: {type: revolute, between: [ground, arm], angle: 30 deg}}\n", "check", 2, ("poses of its bodies", "initial:"), NO),
    ("the stiffness of a joint", PLANE + ARM + "joints: {pin: {type: revolute, between: [ground, arm], stiffness: {x: 1e6 N/m}}}\n", "check", 2, ("mean 'compliance'",), NO),
    ("a kinetic coefficient", PLANE + ARM + "joints: {pin: {type: revolute, between: [ground, arm], friction: {kinetic: 0.3, static: 0.4, radius: 10 mm}}}\n", "check", 2, ("'kinetic' in friction; did you mean 'coefficient'",),
     ("lacks",)),
    ("a pin of 10 m", PLANE + ARM + "joints: {pin: {type: revolute, between: [ground, arm], friction: {coefficient: 0.3, radius: 10}}}\n", "check", 0, ("friction in 'pin' has a radius of 10 m", "is a unit wrong"), NO),
    ("a body's velocity", body("mass: 2, inertia: 0.1, velocity: [1, 0]"), "check", 2, ("initial: at top level",), NO),
    ("an event at an instant", motion("events: {e: {at: 0.5}}"), "simulate", 2, ('write when: "t - 0.5"',), NO),
    ("an event that is a number", motion('events: {e: {when: "0.5"}}'), "simulate", 2, ("depends on nothing that changes", "t - 0.5"), NO),
    ("a state set to another dimension", motion('states: {I: {rate: "pin.angle", unit: rad.s}}\nevents: {e: {when: "pin.angle + 1", set: {I: 2 m}}}'), "simulate", 2,
     ("this is a length .m., but state 'I' is a quantity in rad.s",), NO),
    ("a state of another dimension than its rate, by coordinates", motion('states: {I: {rate: "pin.angle", unit: rad}}'), "simulate", 0, ("the rate of state 'I' is an angle .rad. by its coordinates, but the state is an angle",), NO),
    ("a quantity for a condition", motion('loads: {f: {type: torque, to: arm, value: 1, active: 5 kg}}'), "simulate", 2, ("active: is true or not, such as t > 2.s.; '5 kg' is a quantity",), NO),
    ("a quantity that varies for a condition", motion('loads: {f: {type: torque, to: arm, value: 1, active: "2[s] - t"}}'), "simulate", 2, ("active: is true or not, such as t > 2.s.; this is a time",), NO),
    ("a state that starts in another dimension", motion('states: {I: {rate: "pin.angle", unit: rad.s, start: 2 m}}'), "simulate", 2, ("'start' of state 'I' is a length .m., but its unit: says", "rad.s"), NO),
    ("a generalized force in another dimension", "roberval: 1\nspace: planar\ngeneralized: {coordinates: {u: {start: 1 m}}, mass: [[2 kg]], force: [3 N.m]}\n" + TIME, "simulate", 2,
     ("the force on 'u' is a torque .N.m., but mass times the acceleration of 'u' is a force .N.",), NO),
    ("a generalized mass in another dimension", "roberval: 1\nspace: planar\ngeneralized: {coordinates: {u: {start: 1 m}, w: {start: 1 rad}}, mass: [[2 kg, 1 kg], [1 kg, 2 kg.m^2]], force: [0, 0]}\n" + TIME, "simulate",
     2, ("this mass times the acceleration of 'w' is", "but mass times the acceleration of 'u' is a force .N."), NO),
    ("a diagonal for a matrix", "roberval: 1\nspace: planar\ngeneralized: {coordinates: {u: {}, w: {}}, mass: [1, 2], force: [0, 0]}\n" + TIME, "simulate", 2, ("row 1 of mass must be a list, as in mass: \\[\\[",), NO),
    ("a generalized velocity", "roberval: 1\nspace: planar\ngeneralized: {coordinates: {u: {start: 1, velocity: 2}}, mass: [[1]], force: [0]}\n" + TIME, "simulate", 2, ("'velocity'", "mean 'rate'"), NO),
    ("a reaction that a joint has not", motion('output: {o: "pin.Fz"}'), "simulate", 2, ("'Fz'", "its reactions are Fx, Fy"), NO),
    ("a tensor as a matrix", SPACE + BALL.replace("[0.1, 0.1, 0.1]", "[[1, 0, 0], [0, 1, 0], [0, 0, 1]]"), "check", 2, ("'inertia' must be a list of 3 to 6 numbers, not of lists", "Ixx, Iyy, Izz, Ixy"), NO),
    ("a tensor in the plane", PLANE + "bodies: {arm: {mass: 2, inertia: [0.1, 0.1, 0.1]}}\n" + PIN, "check", 2, ("this model is planar: the moment of inertia about the centroid",), NO),
    ("an axis by its letter", SPACE + BALL + "joints: {j: {type: revolute, between: [ground, arm], at: [0, 0, 0], axis: z}}\n", "check", 2, ("'axis' must be a list of 3 numbers", "as in \\[0, 0, 1\\]"), NO),
    ("a gear's ratio", PLANE + (WHEELS % "").replace("radii: [0.4, 0.6]", "ratio: 1.5"), "check", 2, ("radii: or teeth: of both wheels",), NO),
    ("no mass", PLANE + "bodies: {arm: {}}\n" + PIN + TIME, "simulate", 1, ("'arm' has no mass",), NO),
    ("a reaction in a load", load('type: force, to: arm.tip, value: ["0.1*pin.Fx", 0]'), "check", 2, ("'pin.Fx' is a reaction", "output:", "friction"), ("has no coordinate",)),
    ("a spring in a joint that turns", load("type: spring, joint: pin, stiffness: 3, free_length: 0"), "check", 2, ("'pin' \\(revolute\\) turns", "type: torsion-spring"), NO),
    ("a spring in a joint that neither turns nor slides", pin("fixed") + "loads: {it: {type: spring, joint: pin, stiffness: 3, free_length: 0}}\n" + TIME, "check", 2, ("between: \\[first, second\\]",), ("torsion",)),
    ("a unit in a flow map", PLANE + ARM + PIN + "tables: {lift: {file: lift.csv, x: time [s], y: h}}\n", "check", 2, ("quotes around a text with",), NO),
    ("a state named as a body", motion('states: {arm: {rate: "1", start: 0}}'), "simulate", 2, (":[6]:.*the name 'arm' is taken by a body; a state needs another",), ("there is no body 'arm'",)),
    ("a state named as a joint", motion('states: {pin: {rate: "pin.angle", start: 0}}'), "simulate", 2, ("the name 'pin' is taken by a joint; a state needs another",), NO),
    ("the time by its name", driven('"sin(time)"'), "inverse", 2, ("unknown name 'time'; did you mean 't'",), NO),
    ("quotes in an expression", driven('"\u2018t\u2019"').encode(), "inverse", 2, ("no quotes inside of an expression",), NO),
    ("a blank that does not break", driven('"2\u00a0+ t"').encode(), "inverse", 2, ("plain blank|is no unit",), NO),
    ("a blank that does not break in an expression", driven('"t +\u00a02"').encode(), "inverse", 2, ("write a plain blank",), NO),
    ("a blank that does not break before a unit", driven('"t"').replace("mass: 2", 'mass: "2 \u00a0kg"').encode(), "inverse", 2, ("did you mean 'kg'",), NO),
    ("a dash in a unit", load("type: torque, to: arm, value: 3 N-m"), "check", 2, ("'N-m' is no unit; did you mean 'N.m'",), NO),
    ("dashes in a unit", body("mass: 2, inertia: 3 kg-m^2"), "check", 2, ("did you mean 'kg.m\\^2'",), NO),
    ("half a power of a unit", load("type: torque, to: arm, value: 3 N/m^1.5"), "check", 2, ("exponents of units are whole numbers",), NO),
    ("modes far from rest", motion("")[:-len(TIME) - 1], "modes", 0, ("no equilibrium", "--start statics"), NO),
]


class Table(cli.Case):
    def run_text(self, text, command):
        """stderr and stdout together, errors first"""
        with tempfile.TemporaryDirectory(prefix="rbv-mistake-") as folder:
            path = os.path.join(folder, "model.yaml")
            with open(path, "wb") as f:
                f.write(text if isinstance(text, bytes) else text.encode("latin-1"))
            done = cli.run([command, path], out=False, quiet=False)
        return done, done.err + done.out

    @cli.long
    def test_each_is_named_with_its_mend(self):
        self.assertGreaterEqual(len(MISTAKES), 38)
        for name, text, command, code, said, unsaid in MISTAKES:
            done, words = self.run_text(text, command)
            with self.subTest(name, command=command):
                self.assertEqual(done.code, code, words[:600])
                for part in said:
                    self.assertRegex(words, part)
                for part in unsaid:
                    self.assertNotRegex(words, part)
                if code == 2:
                    for line in done.err.splitlines():
                        self.assertRegex(line, r": (error|note|warning): ")

    def test_what_is_right_is_left_alone(self):
        """the neighbours of the mistakes: no error, no note but those that name what was left open"""
        for text, command in ((pin("revolute"), "check"), (driven('"step(t, 0, 0, 1, 1)"'), "inverse"), (four_bar(), "inverse"), (PLANE + WHEELS % "", "check"),
                              (load("type: spring, between: [ground, arm.tip], stiffness: 100, free_length: 0.1"), "check"),
                              (body("mass: 2, inertia: 0.1, pose: {at: [0, 0], angle: 90 deg}"), "check"), (body("mass: 2, inertia: 0.1, pose: {at: [0, 0], angle: 7}"), "check")):
            done, words = self.run_text(text, command)
            self.assertEqual(done.code, 0, words[:400])
            self.assertEqual([line for line in words.splitlines() if line.startswith("note: ") and "initial condition" not in line and "turned by" not in line], [])


class Calls(cli.Case):
    MODEL = PLANE + "parameters: {n: 60 rpm}\n" + ARM + PIN + MOTOR.replace('"t"', '"n*t"') + TIME

    def test_blanks_in_set(self):
        for text in ("n=120 rpm", "n = 120 rpm", " n =120 rpm", "n\t= 120 rpm"):
            done = self.ok(self.MODEL, "kinematics", "--set", text)
            self.assertAlmostEqual(done.series["arm.angle"][-1], 4 * math.pi, delta=1e-9)
        self.assertIn("it has: n", cli.run_model(self.MODEL, "kinematics", "--set", "m = 3").err)

    def test_a_column_with_its_unit(self):
        model = PLANE + ARM + PIN + 'tables: {lift: {file: lift.csv, x: "time [s]", y: h}}\n' + MOTOR.replace('"t"', '"lift(t)"') + TIME
        done = cli.run_model(model, files={"lift.csv": "time [s],h [rad]\n0,0\n0.5,1\n1,1\n2,0\n"})
        self.assertEqual(done.code, 2)
        self.assertIn("named without its unit, which stands in the file: 'time'", done.err)

    def test_a_robot_to_convert(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "robot.urdf")
            with open(path, "w", encoding="utf-8") as f:
                f.write('<?xml version="1.0"?>\n<robot name="r"><link name="a"/></robot>\n')
            for more in ([], ["--to", "spatial"]):
                done = cli.run(["convert", path, *more], out=False, quiet=False)
                self.assertEqual(done.code, 2)
                self.assertIn("XML", done.err)


class Loops(cli.Case):
    def test_what_the_reach_of_a_loop_lacks(self):
        """a four-bar whose longest member exceeds the others together by so much; a slider whose rod is too short for its guide"""
        rng = random.Random(11)
        for k in range(12):
            sizes = [rng.uniform(0.2, 1) for _ in range(4)]
            longest = rng.randrange(4)
            lacks = rng.uniform(0.05, 0.5) * sum(sizes)
            sizes[longest] = sum(sizes) - sizes[longest] + lacks
            done = cli.run_model(four_bar(*sizes, drives=""), "check", out=False)
            self.assertEqual(done.code, 1, done.said())
            found = re.search(r"the loop of the joints (\w+(?:, \w+)*) does not close: its members reach (\S+) m less far", done.err)
            self.assertTrue(found, done.err)
            self.assertEqual(set(found[1].split(", ")), set("ABCD"))
            self.near(float(found[2]), lacks, 2e-3 * lacks, f"{sizes}")
        for k in range(6):
            crank, rod, height = rng.uniform(0.1, 0.3), rng.uniform(0.2, 0.5), rng.uniform(1, 2)
            model = {"roberval": 1, "space": "planar", "bodies": {
                "ground": {"markers": {"g": [0, height]}}, "crank": {"mass": 1, "inertia": 0.01, "markers": {"B": [crank, 0]}, "pose": {"at": [0, 0], "angle": 1}},
                "rod": {"mass": 1, "inertia": 0.01, "markers": {"C": [rod, 0]}, "pose": {"at": [0, crank], "angle": 1}}, "block": {"mass": 1, "inertia": 1, "pose": {"at": [0, height]}}},
                "joints": {"A": {"type": "revolute", "between": ["ground", "crank"]}, "B": {"type": "revolute", "between": ["crank.B", "rod"]},
                           "C": {"type": "revolute", "between": ["rod.C", "block"]}, "guide": {"type": "prismatic", "between": ["ground.g", "block"]}}}
            done = cli.run_model(model, "check", out=False)
            found = re.search(r"the loop of the joints (\w+(?:, \w+)*) does not close: its members reach (\S+) m less far", done.err)
            self.assertTrue(found, done.err)
            self.assertEqual(set(found[1].split(", ")), {"A", "B", "C", "guide"})
            self.near(float(found[2]), height - crank - rod, 2e-3 * height)

    def test_the_loop_that_is_short_is_named_beside_one_that_is_not(self):
        rng = random.Random(12)
        for _ in range(5):
            model = {"roberval": 1, "space": "planar", "bodies": {"ground": {"markers": {}}}, "joints": {}}
            short = rng.choice("pq")
            for name, at in (("p", 0.0), ("q", 5.0)):
                sizes = [1.0, 1.2, 1.1, 1.5]
                if name == short:
                    sizes[3] = 3.3 + rng.uniform(0.2, 1)
                ground = model["bodies"]["ground"]["markers"]
                ground[f"{name}A"], ground[f"{name}D"] = [at, 0], [at + sizes[3], 0]
                for k, member in enumerate(("crank", "coupler", "rocker")):
                    model["bodies"][name + member] = {"mass": 1, "inertia": 0.1, "markers": {"e": [sizes[k], 0]}, "pose": {"at": [at, 0], "angle": 1.0 + 0.4 * k}}
                for joint, ends in (("A", (f"ground.{name}A", f"{name}crank")), ("B", (f"{name}crank.e", f"{name}coupler")),
                                    ("C", (f"{name}coupler.e", f"{name}rocker.e")), ("D", (f"ground.{name}D", f"{name}rocker"))):
                    model["joints"][name + joint] = {"type": "revolute", "between": list(ends)}
            done = cli.run_model(model, "check", out=False)
            found = re.search(r"the loop of the joints (\w+(?:, \w+)*) does not close", done.err)
            self.assertTrue(found, done.err)
            self.assertEqual(set(found[1].split(", ")), {short + j for j in "ABCD"})


class Drives(cli.Case):
    def chain(self, rng, count):
        """an open chain of pins, each driven"""
        bodies, joints, drives, last = {}, {}, {}, "ground"
        for k in range(count):
            bodies[f"b{k}"] = {"mass": 1, "inertia": 0.1, "centroid": [0.4, 0], "markers": {"e": [round(rng.uniform(0.5, 1), 3), 0]}}
            joints[f"j{k}"] = {"type": "revolute", "between": [last, f"b{k}"]}
            drives[f"d{k}"] = {"coordinate": f"j{k}.angle", "motion": f"{round(rng.uniform(0.1, 0.4), 3)} + 0.3*t"}
            last = f"b{k}.e"
        return {"roberval": 1, "space": "planar", "bodies": bodies, "joints": joints, "drives": drives, "motion": {"from": 0, "to": 1, "step": 0.5}}

    def test_one_too_many_is_named_with_those_that_move_its_freedom(self):
        """the turn of body k is the sum of the angles before it: a drive of it shares them, and no others"""
        rng = random.Random(13)
        for _ in range(10):
            count = rng.randint(2, 6)
            model, k = self.chain(rng, count), rng.randrange(1, count)
            total = " + ".join(model["drives"][f"d{j}"]["motion"].replace(" + 0.3*t", "") for j in range(k + 1))
            for off, code in ((0, 2), (0.5, 2)):                                # consistent, or not
                model["drives"]["extra"] = {"coordinate": f"angle(b{k})", "motion": f"{total} + {off} + {0.3 * (k + 1)}*t"}
                for command in ("inverse", "check", "simulate")[:3 if off else 2]:
                    done = cli.run_model(model, command, out=False, quiet=False)
                    self.assertEqual(done.code, 0 if command == "check" and off == 0 else code, done.said())
                    said = [line for line in (done.err + done.out).splitlines() if "over-driven" in line]
                    self.assertEqual(len(said), 1, done.err)
                    self.assertEqual(set(re.findall(r"'(\w+)'", said[0])), {f"d{j}" for j in range(k + 1)} | {"extra"})
                    if off:
                        self.assertIn("over-driven", done.err.splitlines()[0], "the cause first")

    def test_a_missing_joint_is_looked_for_at_its_body(self):
        rng = random.Random(14)
        for _ in range(8):
            count = rng.randint(2, 6)
            model, k = self.chain(rng, count), rng.randrange(count)
            del model["drives"][f"d{k}"]
            done = cli.run_model(model, "inverse", out=False)
            self.assertEqual(done.code, 2)
            self.assertIn(f"j{k}.angle", done.err)
            self.assertEqual("a joint is missing" in done.err, k == count - 1, done.err)       # the last link hangs at one joint
            if k == count - 1:
                self.assertIn(f"body 'b{k}' is held by joint 'j{k}' alone", done.err)
            del model["joints"][f"j{k}"]                                        # what hangs on it hangs on nothing
            done = cli.run_model(model, "inverse", out=False)
            self.assertEqual(done.code, 2)
            if k == count - 1:
                self.assertIn(f"nothing holds body 'b{k}'", done.err)


class Meanings(cli.Case):
    """each word is understood, and what it is said to mean is accepted in its place"""
    JOINTS = {"planar": "pin hinge Hinge pivot rotation slider sliding translation guide rail weld rigid welded ball ball-joint bar rod strut groove pin-in-slot "
                        "gear-pair rack-and-pinion pulley tire".split(),
              "spatial": "hinge Pivot slider weld ball-and-socket ball_joint hooke cardan U-joint cylinder rzeppa lead-screw bar rod point-on-plane plane".split()}
    LOADS = "moment couple point_force push spring-damper tsda torsional-spring rotational_spring mount centrifugal potential".split()

    def meant(self, model):
        done = cli.run_model(model, "check", out=False)
        self.assertEqual(done.code, 2)
        found = re.search(r"there is no (?:joint|load) type '[^']*'; did you mean '([^']*)'\?|is a joint of space; this model is planar; did you mean '([^']*)'\?", done.err)
        self.assertTrue(found, done.err)
        return found[1] or found[2]

    def test_kinds_of_joints(self):
        for space, words in self.JOINTS.items():
            schema = json.loads(cli.run(["schema"], out=False, quiet=False).out)
            for word in words:
                tensor = 1 if space == "planar" else [1, 1, 1]
                model = {"roberval": 1, "space": space, "bodies": {"a": {"mass": 1, "inertia": tensor}}, "joints": {"j": {"type": word, "between": ["ground", "a"]}}}
                kind = self.meant(model)
                self.assertIn(f'"{kind}"', json.dumps(schema), word)
                model["joints"]["j"]["type"] = kind
                done = cli.run_model(model, "check", out=False)
                self.assertNotRegex(done.err, "there is no joint type|is a joint of", word)

    def test_kinds_of_loads(self):
        for word in self.LOADS:
            model = {"roberval": 1, "space": "planar", "bodies": {"a": {"mass": 1, "inertia": 1}}, "loads": {"l": {"type": word}}}
            model["loads"]["l"]["type"] = self.meant(model)
            self.assertNotIn("there is no load type", cli.run_model(model, "check", out=False).err, word)


if __name__ == "__main__":
    cli.main()
