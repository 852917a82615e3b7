#!/usr/bin/python3
"""Regression tests for findings of a code review: tooth forces, order of joints, ranges, --ask, marks of outputs, graded compliances,
infinite derivatives, elimination, particles, check --motion, friction with two solutions, a nonlinear rate through zero.

What is compared with is independent of the program: the law of tooth forces, closed forms of
springs side by side, runs of the same mechanism written in another order, with another of the equally right reactions, or with a range's
ends in place of the range, and Coulomb's law solved here for the press (all roots of a piecewise linear equation).

Tolerances.  T9 = 1e-9 of the size where two runs solve one well conditioned system; tooth forces 1e-11 of the size: they follow Ft within
the same sample, and the iteration on them stops at 1e-12.
"""
import math
import os
import re
import sys
import unittest

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "py"))
import cli              # noqa: E402

T9 = 1e-9
ONE = os.path.join(cli.ROOT, "examples", "guide", "one.yaml")
HEAD = "roberval: 1\nspace: planar\n"

ASYM = HEAD + """bodies:
  ground: {markers: {axis: [0, 0]}}
  sun: {mass: 1 kg, inertia: 0.1 kg.m^2}
  carrier: {mass: 1 kg, inertia: 0.1 kg.m^2, markers: {p0: [2.0, 0.0], p1: [-0.3472963553338606, 1.969615506024416]}}
  planet0: {mass: 1 kg, inertia: 0.1 kg.m^2, pose: {at: [2.0, 0.0]}}
  planet1: {mass: 1 kg, inertia: 0.1 kg.m^2, pose: {at: [-0.3472963553338606, 1.969615506024416]}}
joints:
  S: {type: revolute, between: [ground.axis, sun]}
  C: {type: revolute, between: [ground.axis, carrier]}
  P0: {type: revolute, between: [carrier.p0, planet0]}
  s0: {type: gear, between: [sun, planet0], radii: [1, 1], carrier: carrier, pressure_angle: 30 deg}
  r0: {type: gear, between: [ground.axis, planet0], radii: [3, 1], internal: true, carrier: carrier, pressure_angle: 30 deg}
  P1: {type: revolute, between: [carrier.p1, planet1]}
  s1: {type: gear, between: [sun, planet1], radii: [1, 1], carrier: carrier, pressure_angle: 30 deg}
  r1: {type: gear, between: [ground.axis, planet1], radii: [3, 1], internal: true, carrier: carrier, pressure_angle: 30 deg}
drives: {m: {coordinate: S.angle, motion: "t"}}
loads: {T: {type: torque, to: carrier, value: -100}}
motion: {from: 0 s, to: 0.1 s, step: 0.05 s}
"""


def planets():
    """three planets, helical; bearings and one mesh give way, so that shares are of every sort"""
    place = lambda deg: f'["0.072*cos({deg}[deg])", "0.072*sin({deg}[deg])"]'
    pins = (90, 210, 330)
    soft = (", compliance: {x: 1e-8, y: 2e-8}", ", compliance: {x: 3e-8, y: 1e-8}", "")
    t = HEAD + "parameters: {n: 1500 rpm, load: 400}\nbodies:\n  ground: {markers: {axis: [0, 0]}}\n"
    t += "  sun: {mass: 1.6 kg, inertia: 1.1e-3 kg.m^2, markers: {axis: [0, 0]}}\n  carrier:\n    mass: 5.3\n    inertia: 0.026\n"
    t += "    markers:\n      axis: [0, 0]\n" + "".join(f"      pin{k}: {{at: {place(p)}, angle: {p} deg}}\n" for k, p in enumerate(pins))
    for k, p in enumerate(pins):
        t += f"  planet{k}: {{mass: 1.1, inertia: 8e-4, pose: {{at: {place(p)}}}, markers: {{centre: [0, 0]}}}}\n"
    t += "joints:\n  sun_bearing: {type: revolute, between: [ground.axis, sun.axis], compliance: {x: 3e-8, y: 1e-8}}\n"
    t += "  carrier_bearing: {type: revolute, between: [ground.axis, carrier.axis]}\n"
    for k in range(3):
        more = ", carrier: carrier, helix_angle: 15 deg"
        t += f"  pin{k}: {{type: revolute, between: [carrier.pin{k}, planet{k}.centre]{soft[k]}}}\n"
        t += f"  sun_mesh{k}: {{type: gear, between: [sun.axis, planet{k}.centre], teeth: [24, 24]{more}"
        t += ", compliance: {x: 1e-9, y: 1e-9}}\n" if k == 0 else "}\n"
        t += f"  ring_mesh{k}: {{type: gear, between: [ground.axis, planet{k}.centre], teeth: [72, 24], internal: true{more}}}\n"
    return t + """drives: {motor: {coordinate: sun_bearing.angle, motion: "n*ramp(t, 0, 0.25[s])"}}
loads: {machine: {type: torque, to: carrier, value: "-load*step(t, 0, 0, 0.25, 1)"}}
motion: {from: 0 s, to: 0.5 s, step: 10 ms}
"""


def table(joints, bodies, drive, end=.2, markers="", gravity=True):
    """a table on three parallel cranks: one crank is one too many"""
    crank = lambda k, x: (f"  crank{k}: {{mass: 1 kg, inertia: 0.02 kg.m^2, centroid: [0.25, 0], pose: {{at: [{x}, 0], angle: 60 deg}}, "
                          "markers: {B: [0.5, 0]}}\n")
    return (HEAD + "gravity: [0, -9.81 m/s^2]\nbodies:\n"
            f"  ground: {{markers: {{A1: [0, 0], A2: [0.6, 0], A3: [1.5, 0]{markers}}}}}\n"
            + crank(1, 0) + crank(2, .6) + crank(3, 1.5)
            + "  table: {mass: 4 kg, inertia: 0.8 kg.m^2, centroid: [0.7, 0], pose: {at: [0.25, 0.433]}, "
            "markers: {B1: [0, 0], B2: [0.6, 0], B3: [1.5, 0]}}\n" + bodies
            + "joints:\n" + "".join(f"  {j}\n" for j in joints)
            + f"drives: {{motor: {drive}}}\nmotion: {{from: 0 s, to: {end} s, step: 0.1 s}}\n")


def cranks(b1="compliance: {x: 1e-8, y: 1e-8}, friction: {coefficient: 0.3, radius: 50 mm}", b2="compliance: {x: 1e-8, y: 1e-8}",
           b3="compliance: {x: 1e-8, y: 1e-8}"):
    out = []
    for k, more in zip((1, 2, 3), (b1, b2, b3)):
        out += [f"A{k}: {{type: revolute, between: [ground.A{k}, crank{k}]}}",
                f"B{k}: {{type: revolute, between: [crank{k}.B, table.B{k}], {more}}}"]
    return out


PUSHED = ["P: {type: prismatic, between: [ground.rail, slide], friction: {coefficient: 0.2, radius: 50 mm}}",
          "Q: {type: revolute, between: [slide, rod.a]}", "S: {type: revolute, between: [rod.b, crank1.B]}"]
PUSHED_BODIES = ("  slide: {mass: 1 kg, inertia: 0.1 kg.m^2, pose: {at: [-0.6, 0.1]}}\n"
                 "  rod: {mass: 1 kg, inertia: 0.1 kg.m^2, pose: {at: [-0.6, 0.1], angle: 20 deg}, "
                 'markers: {a: [0,0], b: ["sqrt(0.85^2 + (0.433012701892-0.1)^2)", 0]}}\n')
GEARED = ["W: {type: revolute, between: [ground.g, w]}", "G: {type: gear, between: [w, crank1], radii: [0.5, 0.5]}"]


def pushed(order=None, **pins):
    joints = PUSHED + cranks(**pins)
    joints = joints if order is None else [joints[i] for i in order]
    return table(joints, PUSHED_BODIES, '{coordinate: P.distance, motion: "0.4 + 0.2*t"}', .2, ", rail: [-1, 0.1]")


def geared(order=None, **pins):
    joints = GEARED + cranks(**pins)
    joints = joints if order is None else [joints[i] for i in order]
    return table(joints, "  w: {mass: 1 kg, inertia: 0.1 kg.m^2, pose: {at: [-1, 0]}}\n", '{coordinate: W.angle, motion: "-2*t"}', .1,
                 ", g: [-1, 0]")


def door(low="", high="", tail="motion: {from: 0 s, to: 0 s, step: 1 s}\n"):
    return HEAD + f"""gravity: [0, -9.81 m/s^2]
bodies:
  ground: {{markers: {{low: [0, 0.3], high: [0, 1.7]}}}}
  door: {{mass: 40 kg, inertia: 12 kg.m^2, centroid: [0.4, 1], markers: {{low: [0, 0.3], high: [0, 1.7]}}}}
joints:
  low: {{type: revolute, between: [ground.low, door.low]{low}}}
  high: {{type: revolute, between: [ground.high, door.high]{high}}}
{tail}"""


def point(constraint, motion="{from: 0 s, to: 1 s, step: 0.5 s}", at=0, more=""):
    return HEAD + f"""bodies:
  p: {{particle: true, mass: 1 kg, pose: {{at: [{at}, 0]}}}}
constraints:
  bad: {{{constraint}}}
  other: {{equation: "y(p)"}}
motion: {motion}
{more}"""


def verdicts(done):
    out = {}
    for j, r in done.result["reactions"].items():
        out[j] = r["verdict"]
        out.update({f"{j}.{c}": x["verdict"] for c, x in r["components"].items()})
    out.update({f"{d}.effort": x["verdict"] for d, x in done.result["drives"].items()})
    return out


class Teeth(cli.Case):
    def test_fr_follows_ft(self):
        for name, model, alpha, beta in (("asym", ASYM, 30, 0), ("planets", planets(), 20, 15)):
            a, b, runs = math.radians(alpha), math.radians(beta), []
            for method in ("two-step", "lagrange"):
                with self.subTest(name, method=method):
                    done = self.ok(model, "inverse", "--method", method)
                    gears = [n[:-3] for n in done.series if n.endswith(".Ft")]
                    self.assertEqual(len(gears), 4 if name == "asym" else 6)
                    self.assertTrue({done.marks[f"{g}.Ft"] for g in gears} <= {"not unique", "compliance"}, done.columns)
                    size = max(np.abs(done.series[f"{g}.Ft"]).max() for g in gears)
                    self.assertGreater(size, 1)
                    for g in gears:
                        Ft, Fr, Fa = (done.series[f"{g}.{c}"] for c in ("Ft", "Fr", "Fa"))
                        self.near(Fr, np.abs(Ft) * math.tan(a) / math.cos(b), 1e-11 * size, g)
                        self.near(Fa, Ft * math.tan(b), 1e-11 * size, g)
                        self.near(done.series[f"{g}.F"], np.sqrt(Ft**2 + Fr**2 + Fa**2), 1e-11 * size, g)
                        self.near(np.hypot(done.series[f"{g}.Fx"], done.series[f"{g}.Fy"]), np.hypot(Ft, Fr), 1e-11 * size, g)
                    runs.append((done, size))
            (one, size), (two, _) = runs
            self.assertEqual(one.columns, two.columns)
            for n in one.series:
                self.near(two.series[n], one.series[n], T9 * max(size, np.abs(one.series[n]).max()), f"{name} {n}")


class Orders(cli.Case):
    """friction and gears that follow open reactions"""

    def test_verdicts_do_not_depend_on_order(self):
        for model, n in ((pushed, 9), (geared, 8)):
            want = self.ok(model())
            for order in (list(range(1, n)) + [0], list(range(n))[::-1], list(range(3, n)) + [0, 1, 2], [2, 5, 0, 7, 1, 4, 6, 3]
                          + list(range(8, n))):
                with self.subTest(model.__name__, order=order):
                    done = self.ok(model(order))
                    self.assertEqual(verdicts(done), verdicts(want))
                    for key, x in want.series.items():
                        self.near(done.series[key], x, T9 * max(1, np.abs(x).max()), key)
                        self.assertEqual(done.marks[key], want.marks[key], key)
                    _, doc = cli.check(model(order))
                    self.assertEqual({f"{j}.{c}": x["verdict"] for j, r in doc["reactions"].items() for c, x in r["components"].items()},
                                     {k: v for k, v in verdicts(done).items() if k.count(".") and not k.endswith("effort")})

    def test_unique_does_not_follow_compliances(self):
        """B1 a hundred times as soft: what is unique stays, and what is `compliance` through gears and friction goes with it"""
        soft = "compliance: {x: 1e-6, y: 1e-6}, friction: {coefficient: 0.3, radius: 50 mm}"
        for model, moves in ((geared, ("W.Fx", "W.Fy", "G.Ft", "G.Fr", "motor.effort")),
                             (pushed, ("P.Fy", "Q.Fx", "S.Fx", "motor.effort"))):
            one, two = self.ok(model()), self.ok(model(b1=soft))
            for key, mark in one.marks.items():
                if mark == "unique":
                    self.near(two.series[key], one.series[key], T9 * max(1, np.abs(one.series[key]).max()), f"{model.__name__} {key}")
            for key in moves:
                self.assertEqual(one.marks[key], "compliance", key)
                self.assertGreater(np.abs(one.series[key] - two.series[key]).max(), 1e-3, key)


class Ranges(cli.Case):
    GEARS = HEAD + """bodies:
  ground: {markers: {a: [0, 0], b: [1, 0]}}
  w1: {mass: 1 kg, inertia: 1 kg.m^2}
  w2: {mass: 1 kg, inertia: 1 kg.m^2, pose: {at: [1, 0]}}
joints:
  A: {type: revolute, between: [ground.a, w1]}
  B: {type: revolute, between: [ground.b, w2]}
  g1: {type: gear, between: [w1, w2], radii: [0.5, 0.5], compliance: {y: @}, misfit: {y: 100 um}}
  g2: {type: gear, between: [w1, w2], radii: [0.5, 0.5], compliance: {y: 1e-6}}
drives: {m: {coordinate: A.angle, motion: "0*t"}}
loads: {T: {type: torque, to: w2, value: 50}}
motion: {from: 0 s, to: 0 s, step: 0.1 s}
"""

    def cranks(self):
        return table(cranks("compliance: {x: @, y: 1e-6}", "compliance: {x: 1e-6, y: 1e-6}, misfit: {x: -10 um}, "
                            "friction: {coefficient: 0.3, radius: 100 mm}", "compliance: {x: 1e-6, y: 1e-6}"), "",
                     '{coordinate: A1.angle, motion: "60[deg] + 2*t"}', 0)

    def components(self, doc):
        for j, r in doc["reactions"].items():
            for c, x in r["components"].items():
                yield f"{j}.{c}", x
            for c in ("resultant",):
                yield f"{j} |F|", r[c] or {}
        for d, x in doc["drives"].items():
            yield f"{d}.effort", x

    def test_ranges_hold_what_is_printed_and_their_ends(self):
        for name, text, low, high in (("gears", self.GEARS, 3e-7, 3e-6), ("cranks", self.cranks(), 1e-8, 1e-4)):
            with self.subTest(name):
                doc = cli.run_model(text.replace("@", f"[{low}, {high}]"), "inverse", "--json", out=False).json()
                ends = [dict(self.components(cli.run_model(text.replace("@", repr(c)), "inverse", "--json", out=False).json()))
                        for c in (low, high)]
                found = 0
                for key, x in self.components(doc):
                    if "range_min" not in x:
                        continue
                    found += 1
                    tol = T9 * max(1, abs(x["max"]), abs(x["min"]))
                    for what in [x["first"], x["min"], x["max"]]:
                        self.assertLessEqual(x["range_min"], what, key)
                        self.assertLessEqual(what, x["range_max"], key)
                    for end in ends:
                        self.assertLessEqual(x["range_min"] - tol, end[key]["min"], key)
                        self.assertLessEqual(end[key]["max"], x["range_max"] + tol, key)
                self.assertGreater(found, 5)

    def test_ranges_the_wrong_way_round(self):
        line = door().splitlines().index(next(x for x in door().splitlines() if x.startswith("  low:"))) + 1
        for r in ("[2e-8, 1e-8]", "[1e-8, 0]", "[0, 1e-8]"):
            for command in ("inverse", "check"):
                done = cli.run_model(door(f", compliance: {{y: {r}}}"), command, out=False)
                self.assertEqual(done.code, 2, f"{r} {done.said()}")
                self.assertEqual([m.line for m in done.errors], [line], r)
                self.assertIn("compliance", done.err)
                self.assertEqual(done.out, "")
        self.ok(door(", compliance: {y: [1e-8, 2e-8]}"))


class Asked(cli.Case):
    def test_refused(self):
        for what in ("floor(low.Fy)", "sign(low.Fy)", "step(low.Fy, 0, 0, 1, 1)", "step(low.Fy, 1000, 0, 2000, 1)", "abs(low.Fy)",
                     "if(low.Fy > 0, 1, 0)", "low.Fy*low.Fx", "low.Fx*high.Fx*1e-200", "low.Fy*(0*low.Fx)", "low.Fy^2",
                     "max(low.Fy, high.Fy)", "2/low.Fy", "sqrt(low.Fy)", "1e-200*floor(low.Fy)", "low.F", "low.Fr", "low.Fz", "low.Tx"):
            done = cli.run_model(door(), "check", "--ask", what, out=False)
            self.assertEqual(done.code, 2, f"{what}: {done.said()}")
            self.assertEqual(done.out, "", what)
            self.assertIn(what, done.err)

    def test_scaled(self):
        """the weight is carried by both pins together, how is open; along x they are a couple, each is determined"""
        for factor in ("", "1e-200*", "1e200*", "-1e-200*", "1e-9*"):
            for what, want in (("(low.Fy + high.Fy)", "unique"), ("low.Fy", "not unique"), ("(low.Fy - high.Fy)", "not unique"),
                               ("low.Fx", "unique"), ("(low.Fx + high.Fx)", "unique"), ("(low.Fx + 2*high.Fy)", "not unique")):
                done, doc = cli.check(door(), "--ask", factor + what)
                self.assertEqual(done.code, 0, done.said())
                self.assertEqual([a["verdict"] for a in doc["asked"]], [want], factor + what)


class Outputs(cli.Case):
    OPEN = {"o1": "step(low.Fy, 0, 0, 500, 1) + low.Fx", "o2": "ramp(low.Fy, 0, 500)", "o3": "if(low.Fy > 300, 1, 0)",
            "o4": "sqrt(low.Fx^2 + low.Fy^2)", "o5": "low.Fy*1e-200", "o6": "pulse(low.Fy, 100, 300, 100)", "o7": "floor(low.Fy)",
            "o8": "abs(low.Fy)", "o9": "low.Fy*low.Fx", "o10": "max(low.Fy, 1)", "flat_step": "step(low.Fy, 1000, 0, 2000, 1)",
            "flat_ramp": "ramp(low.Fy, 1000, 2000)", "flat_if": "if(low.Fy > 1000, 1, 0)", "flat_pulse": "pulse(low.Fy, 1000, 1100, 5)"}
    SHUT = {"u1": "step(low.Fx, 0, 0, 500, 1)", "u2": "low.Fx + high.Fx", "u3": "abs(low.Fx)", "u4": "x(door)"}

    def test_marks(self):
        lines = "".join(f'  {k}: "{v}"\n' for k, v in {**self.OPEN, **self.SHUT}.items())
        model = door(tail="motion: {from: 0 s, to: 0 s, step: 1 s}\noutput:\n" + lines)
        done = self.ok(model)
        others = [self.ok(model, "inverse", "--redundant", f"eliminate={c}") for c in ("low.Fy", "high.Fy")]
        for k in self.OPEN:
            self.assertEqual(done.marks[k], "not unique", f"{k} = {self.OPEN[k]}")
            if not k.startswith("flat"):                                       # equally right reactions differ here
                self.assertNotEqual(others[0].series[k][0], others[1].series[k][0], k)
        for k in self.SHUT:
            self.assertEqual(done.marks[k], "unique", k)
            self.near(others[0].series[k], others[1].series[k], 1e-9, k)


class Graded(cli.Case):
    def test_one_soft_and_two_stiff(self):
        """three pins one above the other: u/1e-3 + 2 u/s = 300 N"""
        text = HEAD + """gravity: [0, -10]
bodies:
  ground: {markers: {a: [0, 0], b: [0, 1], c: [0, 3]}}
  door: {mass: 30 kg, inertia: 12 kg.m^2, centroid: [0.4, 1], markers: {a: [0, 0], b: [0, 1], c: [0, 3]}}
joints:
  a: {type: revolute, between: [ground.a, door.a], compliance: {y: 1e-3, x: 1e-9}}
  b: {type: revolute, between: [ground.b, door.b], compliance: {y: @, x: 1e-9}}
  c: {type: revolute, between: [ground.c, door.c], compliance: {y: @, x: 1e-9}}
motion: {from: 0 s, to: 0 s, step: 1 s}
"""
        for k in range(9, 21):
            s = 10.0**-k
            done = self.ok(text.replace("@", f"1e-{k}"))
            for j in "bc":
                self.near(done.series[f"{j}.Fy"][0], 300 / (2 + s / 1e-3), 1e-6, f"{j} {s}")
                self.near(done.series[f"{j}.Fy"][0], 150, 1.5e-4, f"{j} {s}")
            self.near(done.series["a.Fy"][0], 300 * s / (s + 2e-3), 1e-6, f"a {s}")
            for j in "abc":
                self.assertEqual(done.marks[f"{j}.Fy"], "compliance", f"{j} {s}")


class Infinite(cli.Case):
    def said(self, constraint, command, at=0):
        done = cli.run_model(point(constraint, at=at), command, out=False)
        what = f"{constraint} {command}: {done.said()}"
        self.assertEqual(done.code, 1, what)
        self.assertNotIn("memory", done.err, what)
        self.assertRegex(done.err, "error: .*'bad'", what)

    def test_equations(self):
        for e in ("sqrt(x(p))", "sqrt(x(p)) + t", "log(x(p))", "asin(1 + x(p)) - pi/2"):
            for command in ("check", "kinematics", "inverse"):
                with self.subTest(e, command=command):
                    self.said(f'equation: "{e}"', command)

    def test_rates(self):
        for e in ("sqrt(x(p)')", "x(p)'*1e308*10", "x(p)'/y(p)", "sqrt(x(p)')*2 - t", "abs(x(p)')^0.5 - t"):
            for command in ("check", "kinematics", "inverse"):
                with self.subTest(e, command=command):
                    self.said(f'velocity: "{e}"', command)

    def test_on_the_way(self):
        """x = (1 - t)^2: at t = 1 the derivative of sqrt(x) is infinite"""
        for command in ("kinematics", "inverse"):
            self.said('equation: "sqrt(x(p)) - 1 + t"', command, at=1)


class Eliminated(cli.Case):
    def many(self, n):
        return HEAD + "bodies:\n  b: {mass: 1 kg, inertia: 1 kg.m^2}\njoints:\n" + "".join(
            f"  j{k}: {{type: revolute, between: [ground, b], at: [{k}, {k * k % 7}]}}\n" for k in range(n))

    def test_large_block(self):
        """all of 250 pins: each is one that may be left out"""
        done = cli.run_model(self.many(250), "check", "--redundant", "eliminate=j0.Fx", out=False)
        self.assertEqual(done.code, 2, done.said())
        self.assertEqual(done.out, "")
        self.assertIn("j0.Fx", done.err)
        self.assertNotRegex(done.err, "determine|unique")
        small = self.ok(self.many(30), "inverse", "--redundant", "eliminate=j0.Fx", "--from", "0", "--to", "0", "--step", "1")
        self.assertEqual(small.marks["j0.Fx"], "not unique")

    def test_constraint_effort(self):
        """c and c2 hold the moment of the weight together: c + 2 c2 = m g s cos(0.1)"""
        text = HEAD + """gravity: [0, -9.81]
bodies: {b: {mass: 1 kg, inertia: 1 kg.m^2, centroid: [0.3, 0]}}
joints:
  r: {type: revolute, between: [ground, b]}
  x: {type: x, between: [ground, b]}
constraints:
  c: {equation: "angle(b) - 0.1"}
  c2: {equation: "2*angle(b) - 0.2"}
  z: {equation: "0*angle(b)"}
motion: {from: 0 s, to: 0 s, step: 1 s}
"""
        moment = .3 * 9.81 * math.cos(.1)
        for names, want in ((("c.effort",), {"c.effort": 0, "c2.effort": moment / 2}),
                            (("c2.effort",), {"c2.effort": 0, "c.effort": moment}), (("z.effort",), {"z.effort": 0}),
                            (("c2.effort", "x.Fx"), {"c2.effort": 0, "c.effort": moment, "x.Fx": 0, "r.Fx": 0})):
            for method in ("two-step", "lagrange"):
                done = self.ok(text, "inverse", "--redundant", "eliminate=" + ",".join(names), "--method", method)
                for k in names:
                    self.assertEqual(done.series[k][0], 0.0, f"{k} {method}")
                for k, x in want.items():
                    self.near(done.series[k][0], x, T9, k)


class Particles(cli.Case):
    def test_no_directions(self):
        text = HEAD + """bodies:
  disk: {mass: 1 kg, inertia: 1 kg.m^2}
  p: {particle: true, mass: 1 kg, pose: {at: [0, 1]}}
joints:
  hub: {type: revolute, between: [ground, disk]}
  k: {@}
"""
        for joint in ("type: knife-edge, between: [ground, p]", "type: knife-edge, between: [disk, p]",
                      "type: wheel, between: [ground, p]", "type: wheel, between: [disk, p], radius: 0.1",
                      "type: rack, between: [ground, p], radius: 1", "type: rack, between: [disk, p], radius: 1",
                      "type: general, between: [ground, p], locked: [rz]", "type: general, between: [p, disk], locked: [rz]",
                      "type: general, between: [disk, p], locked: [x, rz]"):
            with self.subTest(joint):
                done = cli.run_model(text.replace("@", joint), "check", out=False)
                self.assertEqual(done.code, 2, done.said())
                self.assertEqual({m.line for m in done.errors}, {8}, done.said())
                self.assertIn("particle", done.err)
                self.assertIn("'p'", done.err)


class Motion(cli.Case):
    def test_none(self):
        for flags in ((), ("--json",), ("--quiet",)):
            done = cli.run_model(door(tail=""), "check", "--motion", *flags, out=False, quiet=False)
            self.assertEqual((done.code, done.out), (2, ""), done.said())
            self.assertIn("motion", done.err)
        self.assertEqual(cli.run_model(door(tail=""), "check", out=False).code, 0)

    def test_notes_once(self):
        free = HEAD + """bodies:
  b: {mass: 1 kg, inertia: 1 kg.m^2}
joints:
  k: {type: knife-edge, between: [ground, b]}
drives:
  a: {coordinate: angle(b), motion: "t"}
constraints:
  pace: {velocity: "x(b)'*cos(angle(b)) + y(b)'*sin(angle(b)) - 1"}
motion: {from: 0 s, to: 1 s, step: 0.25 s}
"""
        for model in (free, pushed(), Ranges.GEARS.replace("@", "[3e-7, 3e-6]"), None):
            for flags in ((), ("--motion",)):
                args = ("check", ONE, *flags) if model is None else None
                done = cli.run(args, out=False, quiet=False) if args else cli.run_model(model, "check", *flags, out=False, quiet=False)
                self.assertEqual(done.code, 0, done.said())
                said = (done.err + done.out).splitlines()
                text = [re.sub(r"^.*?(note|warning): ", "", x) for x in said if re.search("(note|warning): ", x)]
                self.assertEqual(len(text), len(set(text)), done.err + done.out)
                if model is free:
                    self.assertGreater(len(text), 0)


class Jamming(cli.Case):
    """the press in one guide: friction s of the guide on the ram is a load there; Fy and Tz of the guide are linear in it"""

    def lines(self):
        with open(ONE, encoding="utf-8") as f:
            text = f.read()
        text = text.replace("loads:\n", "loads:\n  rub: {type: force, to: ram.guide, value: [0, s]}\n")
        text = text.replace("parameters:\n", "parameters:\n  s: 0\n").replace("\noutput:\n", "\noutput:\n  slip: \"guide.distance'\"\n")
        runs = [self.ok(text, "inverse", "--set", "mu=0", "--set", f"s={s}", "--step", "0.01") for s in (0, 1000)]
        shoes = [np.array([r.series["guide.Fy"] / 2 + k * r.series["guide.Tz"] / .12 for k in (1, -1)]) for r in runs]
        return runs[0].time, np.sign(np.where(np.abs(runs[0].series["slip"]) > 1e-9, runs[0].series["slip"], 0)), shoes

    def roots(self, mu, way, at0, slope):
        """friction limits u = mu sum|at0 - way slope u| with u >= 0: one candidate for each pair of signs"""
        found = []
        for signs in ((1, 1), (1, -1), (-1, 1), (-1, -1)):
            signs = np.array(signs)
            d = 1 + mu * way * (signs @ slope)
            if abs(d) > 1e-9:
                u = mu * (signs @ at0) / d
                if u >= 0 and (signs * (at0 - way * slope * u) >= -1e-9).all() and not any(abs(u - x) < 1e-6 for x in found):
                    found.append(u)
        return found

    def test_two_solutions(self):
        time, way, (zero, thousand) = self.lines()
        slope = (thousand - zero) / 1000
        for mu in (.5, .2):
            found = [self.roots(mu, way[i], zero[:, i], slope[:, i]) if way[i] else [0.0] for i in range(len(time))]
            most = max(map(len, found))
            done = cli.run(["inverse", ONE, "--set", f"mu={mu}", "--step", "0.01"], quiet=False)
            self.assertEqual(done.code, 0, done.said())
            for i, roots in enumerate(found):
                near = min((abs(done.series["guide.friction"][i] + way[i] * u) for u in roots), default=math.inf)
                self.assertLess(near, 1e-6 * max(1.0, abs(done.series["guide.friction"][i])), f"mu {mu} t {time[i]} {roots}")
            said = [x for x in (done.err + done.out).splitlines() if "'guide'" in x and "more than one" in x]
            self.assertEqual(most > 1, mu == .5, most)
            self.assertEqual(bool(said), most > 1, done.err + done.out)
            aside = cli.run(["inverse", ONE, "--set", f"mu={mu}", "--step", "0.01", "--json"], out=False, quiet=False)
            warned = [x for x in aside.err.splitlines() if "warning:" in x and "'guide'" in x]
            self.assertEqual(bool(warned), most > 1, aside.err)
            self.assertEqual(done.marks["guide.friction"], "not unique" if most > 1 else "unique")


class ThroughZero(cli.Case):
    def test_speed(self):
        """(x')^2 = (1 - t)^2: 1 - t or t - 1 throughout, never |1 - t|"""
        for step in (.3, .25, .07, .1, .5):
            for command in ("kinematics", "inverse"):
                with self.subTest(step=step, command=command):
                    model = point("velocity: \"(x(p)')^2 - (1 - t)^2\"", f"{{from: 0 s, to: 2 s, step: {step} s}}",
                                  more="output: {v: \"x(p)'\"}\n")
                    done = cli.run_model(model, command)
                    self.assertIn(done.code, (0, 1), done.said())
                    t, v = done.time, done.series["v"]
                    s = np.sign(v[0])
                    self.near(v, s * (1 - t), 1e-6, "v")
                    if done.code == 1:
                        self.assertLessEqual(t[-1], 1 + 1e-9)
                        self.assertRegex(done.err, "error: .*t = (1|0[.]9|1[.]0)")
                    else:
                        self.near(t[-1], 2, 1e-12)


if __name__ == "__main__":
    cli.main()
