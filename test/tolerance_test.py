#!/usr/bin/python3
"""`roberval tolerance`, by docs/tolerance.md: nominal values, worst cases, standard deviations, influences, shares, Monte Carlo, what is unbounded.

All is compared with closed forms, with differences of runs of `statics` and `inverse`, or with laws.  The closed form of a misfit is this one:
loads that shift without any load are F = F0 + N s, the columns of N self-stresses.  Joints yield by C F, and s makes F.C.F/2 - m.F least.
So dF/dm = N (N^T C N)^-1 N^T.  Misfits m push the second body along their direction, so signs are those of F.
"""
import csv
import json
import math
import os
import re
import sys
import tempfile
import unittest

import numpy as np
from scipy import integrate

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "py"))
import cli              # noqa: E402

try:
    import jsonschema
    import yaml
except ImportError:
    jsonschema = yaml = None


HEAD = "roberval: 1\nspace: {}\ngravity: [0, {}{} m/s^2]\n"


def door(bottom="{z: 1 um/N}", top="{z: 1 um/N}", tolerances="{top.z: 0.1 mm, bottom.z: {normal: 20 um}}", misfit="0 mm"):
    """40 kg on two hinges 1.6 m apart: each carries 196.2 N where they are equal."""
    return HEAD.format("spatial", "0, ", -9.81) + f"""parameters: {{lift: {misfit}, swing: 0 rad/s}}
bodies:
  ground: {{markers: &m {{bottom: [0, 0, 0.25], top: [0, 0, 1.85]}}}}
  door: {{mass: 40 kg, inertia: [12, 15, 4], centroid: [0.45, 0, 1.05], markers: *m}}
joints:
  bottom: {{type: revolute, between: [ground.bottom, door.bottom], compliance: {bottom}}}
  top: {{type: revolute, between: [ground.top, door.top], compliance: {top}, misfit: {{z: lift}}}}
drives: {{hand: {{coordinate: bottom.angle, motion: "swing*t"}}}}
motion: {{from: 0 s, to: 0 s, step: 0.1 s}}
tolerances: {tolerances}
"""


FULL = "{x: 1 um/N, y: 2 um/N, z: 3 um/N, rx: 1e-4, ry: 2e-4}", "{x: 4 um/N, y: 1 um/N, z: 2 um/N, rx: 3e-4, ry: 1e-4}"


def table(tolerances="{a.z: 0.1 mm, b.z: {normal: 20 um}, c.z: {uniform: 30 um}}", c=(1, 2, 3, 4), kind="inplane", prefix=("",), more="", extra=""):
    """Tables of 40 kg on four legs, loaded in the middle.  c: compliances in um/N, None is rigid.  The self-stress is +1 -1 +1 -1."""
    bodies, joints = "", ""
    for p in prefix:
        bodies += f"  {p}table: {{mass: M, inertia: [1, 1, 1], markers: {{a: [1, 0.5, 0], b: [-1, 0.5, 0], c: [-1, -0.5, 0], d: [1, -0.5, 0]}}}}\n"
        for leg, yields in zip("abcd", c):
            soft = f", compliance: {{z: {yields} um/N}}" if yields else ""
            joints += f"  {p}{leg}: {{type: {kind}, between: [ground, {p}table.{leg}]{soft}{extra}}}\n"
        joints += "".join(f"  {p}s{x}: {{type: {x}, between: [ground, {p}table]}}\n" for x in "xy") + f"  {p}st: {{type: y, between: [ground, {p}table.b]}}\n"
    return HEAD.format("spatial", "0, ", -10) + f"parameters: {{M: 40 kg}}\nbodies:\n{bodies}joints:\n{joints}tolerances: {tolerances}\n{more}\n"


GUIDE = HEAD.format("planar", "", -10) + """bodies:
  ground: {markers: {left: [0, 0], right: [0, 0]}}
  slide: {mass: 10 kg, inertia: 1, centroid: [0.1, 0], markers: {left: [-0.2, 0], right: [0.3, 0]}}
joints:
  left: {type: prismatic, between: [ground, slide.left], compliance: {y: 1e-6, rz: 2e-5}}
  right: {type: prismatic, between: [ground, slide.right], compliance: {y: 3e-6, rz: 1e-5}}
drives: {push: {coordinate: left.distance, motion: "0.1*t - 0.2"}}
tolerances: {left.y: 5 um, left.rz: {uniform: 0.1 mrad}, right.y: 10 um, right.rz: {normal: 0.02 mrad}}
motion: {from: 0 s, to: 1 s, step: 0.5 s}
"""


def cranks(tolerances="{B2.x: 10 um, B3.x: {normal: 1 um}, B1.y: 1 um, A2.y: {uniform: 1 um}}"):
    """docs/verdicts.md: three cranks of 0.5 m at 60 degrees; their forces shift as -0.6, +1, -0.4 along them."""
    at, soft = {1: 0, 2: .6, 3: 1.5}, {1: "2e-8", 2: "1e-8", 3: "2e-8"}
    bodies = "".join(f"  crank{i}: {{mass: 1, inertia: 0.02, centroid: [0.25, 0], pose: {{at: [{x}, 0], angle: 60 deg}}, markers: {{B: [0.5, 0]}}}}\n"
                     for i, x in at.items())
    joints = "".join(f"  A{i}: {{type: revolute, between: [ground.A{i}, crank{i}]}}\n"
                     f"  B{i}: {{type: revolute, between: [crank{i}.B, table.B{i}], compliance: {{x: {soft[i]}}}}}\n" for i in at)
    return HEAD.format("planar", "", -9.81) + f"""bodies:
  ground: {{markers: {{A1: [0, 0], A2: [0.6, 0], A3: [1.5, 0]}}}}
  table: {{mass: 4 kg, inertia: 0.8, centroid: [0.7, 0], pose: {{at: [0.25, 0.433]}}, markers: {{B1: [0, 0], B2: [0.6, 0], B3: [1.5, 0]}}}}
{bodies}joints:
{joints}drives: {{motor: {{coordinate: A1.angle, motion: "60[deg] + 2*t"}}}}
motion: {{from: 0 s, to: 0.5 s, step: 0.1 s}}
tolerances: {tolerances}
"""


def lever(tolerances="{a: 2 mm, m: {normal: 10 g}, b: {uniform: 5 mm}}"):
    """A weight m at b from the pivot, on a rest at a: rest.Fy = m g b/a, pivot.Fy = m g - rest.Fy."""
    return HEAD.format("planar", "", -10) + f"""parameters: {{a: 200 mm, b: 0.5 m, m: 3 kg}}
bodies: {{lever: {{mass: m, inertia: 1, centroid: [b, 0], markers: {{p: [a, 0]}}}}}}
joints: {{pivot: {{type: revolute, between: [ground, lever]}}, rest: {{type: point, between: [ground, lever.p]}}}}
tolerances: {tolerances}
"""


DRAWER = HEAD.format("planar", "", 0) + """parameters: {mu: 0.2, h: 0.2 m}
bodies: {drawer: {mass: 5 kg, inertia: 0.1, markers: {knob: [0, h]}}}
joints: {rail: {type: prismatic, between: [ground, drawer], friction: {coefficient: mu, radius: 50 mm}}}
drives: {hand: {coordinate: x(drawer.knob), motion: "0.1*t"}}
loads: {goods: {type: force, to: drawer, value: [-10 N, 0]}}
motion: {from: 0 s, to: 0 s, step: 0.5 s}
tolerances: {mu: {uniform: 0.02}, h: {uniform: 10 mm}}
"""


class Tolerances(cli.Case):
    def tolerance(self, model, *flags):
        done = self.ok(model, "tolerance", "--json", *flags, out=False, quiet=False)
        self.sums(done.json())
        return done.json()

    def influences(self, document, rows, causes):
        return np.array([[document["components"][r]["influences"][c] for c in causes] for r in rows], float)

    def values(self, document, names, key):
        return np.array([document["components"][n][key] for n in names], float)

    def sums(self, document):
        """What holds in every document: the worst case, sigma and shares follow from influences, widths and sigmas."""
        causes = {n: c for n, c in document["tolerances"].items() if not c["unbounded"]}
        width, sigma = (np.array([c[key] for c in causes.values()], float) for key in ("width", "sigma"))
        for name, c in document["components"].items():
            if "influences" in c:
                by = np.abs([c["influences"][n] for n in causes])
                reach, variance = float(by @ width), float(by**2 @ sigma**2)
                self.near([*c["worst"], c["sigma"]], [c["nominal"] - reach, c["nominal"] + reach, math.sqrt(variance)],
                          1e-9 * (abs(c["nominal"]) + reach) + 1e-300, name)
                self.near([c["shares"][n] for n in causes], by**2 * sigma**2 / (variance or 1), 1e-9, name)
                self.near(sum(c["shares"].values()), 1 if variance else 0, 1e-12, f"shares of {name}")

    def unique_is_zero(self, document):
        """A misfit does not change what is unique, and there is no rounding in it.  Parameters do change it."""
        for name, c in document["components"].items():
            if c["verdict"] == "unique":
                self.assertEqual([n for n, v in c["influences"].items() if "." in n and v != 0], [], f"reach the unique {name}: {c['influences']}")

    def csv(self, model, *flags):
        """Columns of tolerance.csv by name, and tolerance.json, which is what --json prints."""
        with tempfile.TemporaryDirectory(dir=cli.SCRATCH) as out:
            self.ok(model, "tolerance", "--out", out, *flags, out=False)
            with open(os.path.join(out, "tolerance.csv"), encoding="utf-8", newline="") as f:
                rows = list(csv.reader(f))
            with open(os.path.join(out, "tolerance.json"), encoding="utf-8") as f:
                document = json.load(f, parse_constant=cli.refuse_constant)
        self.assertEqual({**self.tolerance(model, *flags), "file": 0}, {**document, "file": 0}, "--json is tolerance.json")
        return {cli.HEAD.match(h)["name"]: np.array([float(row[i] or "nan") for row in rows[1:]]) for i, h in enumerate(rows[0])}, document


class Finite(Tolerances):
    def test_door(self):
        """top.Fz shifts by m/(c1 + c2); worst case and sigma of one and two misfits; the hand feels nothing"""
        for misfit, nominal in (("0 mm", 196.2), ("0.2 mm", 296.2), ("-0.2 mm", 96.2)):           # 0.2 mm/(2 um/N) = 100 N
            d = self.tolerance(door(misfit=misfit))
            top = d["components"]["top.Fz"]
            self.near(self.values(d, ["top.Fz", "bottom.Fz"], "nominal"), [nominal, 392.4 - nominal], 1e-8)
            self.near(self.influences(d, ["top.Fz", "bottom.Fz"], ["top.z", "bottom.z"]), 5e5 * np.array([[1, -1], [-1, 1]]), 1e-6)
            self.near(top["worst"], [nominal - 80, nominal + 80], 1e-7)                         # 0.1 mm + 3 * 20 um
            self.near(top["sigma"], 5e5 * math.hypot(.1e-3 / 3, 20e-6), 1e-8)
            self.assertEqual(d["components"]["hand.effort"]["influences"], {"top.z": 0, "bottom.z": 0})
            self.near(d["tolerances"]["top.z"]["nominal"], (nominal - 196.2) * 2e-6, 1e-15)
            self.assertEqual((top["unit"], top["verdict"], d["unbounded"]), ("N", "compliance", {}))
            self.unique_is_zero(d)

    def test_size_of_a_tolerance(self):
        """an influence is a derivative: that of 1e-12 m is that of 1 m, and a fit of no width in reach of no self-stress is none"""
        for size in ("1e-12 m", "1 m"):
            d = self.tolerance(door(tolerances=f"{{top.z: {size}, bottom.z: {{uniform: {size}}}}}"))
            self.near(self.influences(d, ["top.Fz", "bottom.Fz"], ["top.z", "bottom.z"]), 5e5 * np.array([[1, -1], [-1, 1]]), 1e-6)

    def test_table_of_four_legs(self):
        """the self-stress +1 -1 +1 -1 over the sum of four compliances"""
        d, S, legs = self.tolerance(table()), np.array([1, -1, 1, -1]), [f"{x}.Fz" for x in "abcd"]
        G = np.outer(S, S) / 1e-5
        self.near(self.influences(d, legs, ["a.z", "b.z", "c.z"]), G[:, :3], 1e-3)
        self.near(self.values(d, legs, "nominal"), 100 + 20 * S, 1e-9)             # 100 N each, and s = -S.C.F/S.C.S = 20 N
        self.near(self.values(d, legs, "sigma"), np.sqrt(G[:, :3]**2 @ np.array([1e-4 / 3, 2e-5, 3e-5 / math.sqrt(3)])**2), 1e-8)
        self.unique_is_zero(d)

    def test_two_tables(self):
        """misfits that share one run: each keeps its own influence, also on an output that reads both tables; the other table has exactly 0"""
        d = self.tolerance(table("{p_a.z: 0.1 mm, q_b.z: 50 um, q_c.z: {normal: 10 um}}", prefix=("p_", "q_"), more='output: {both: "p_a.Fz + 2*q_b.Fz"}'))
        causes = ["p_a.z", "q_b.z", "q_c.z"]
        rows = ["p_a.Fz", "p_b.Fz", "q_b.Fz", "q_d.Fz"]
        self.near(self.influences(d, rows, causes), 1e5 * np.array([[1, 0, 0], [-1, 0, 0], [0, 1, -1], [0, 1, -1]]), 1e-3)
        for table_, others in (("p", causes[1:]), ("q", causes[:1])):
            self.assertFalse(self.influences(d, [f"{table_}_{x}.Fz" for x in "abcd"], others).any())
        self.near(self.influences(d, ["both"], causes), [[1e5, 2e5, -2e5]], 1e-3)

    def test_guide_with_two_shoes(self):
        """shoes d = 0.5 m apart: F1 + F2 = 0, T1 + T2 = d F1.  Basis: (F1, T1, F2, T2) = (1, 0, -1, d) and (0, 1, 0, -1)"""
        d = self.tolerance(GUIDE)
        rows, causes, c = ["left.Fy", "left.Tz", "right.Fy", "right.Tz"], ["left.y", "left.rz", "right.y", "right.rz"], np.array([1e-6, 2e-5, 3e-6, 1e-5])
        N = np.array([[1, 0], [0, 1], [-1, 0], [.5, -1]])
        G = N @ np.linalg.solve(N.T @ np.diag(c) @ N, N.T)
        self.near(self.influences(d, rows, causes), G, 1e-8 * np.abs(G).max())
        rigid = np.array([100, 30, 0, 0])                                   # 100 N at 0.3 m from the left shoe
        self.near(self.values(d, rows, "nominal"), rigid - G @ (c * rigid), 1e-9)
        self.near(self.values(d, rows, "sigma"), np.sqrt(G**2 @ np.array([5e-6 / 3, 1e-4 / math.sqrt(3), 1e-5 / 3, 2e-5])**2), 1e-9)
        self.unique_is_zero(d)

    def test_three_cranks(self):
        """an error of length of a crank is a misfit along it: s_i s_j/sum c s^2 at every place; A2 has ground's axes"""
        d = self.tolerance(cranks())
        s, k, pins = np.array([-.6, 1, -.4]), 1 / (.36 * 2e-8 + 1e-8 + .16 * 2e-8), ["B1.Fx", "B2.Fx", "B3.Fx"]
        self.near(self.influences(d, pins, ["B2.x", "B3.x"]), k * np.outer(s, s[1:]), 1e-6 * k)
        for name, sign in zip(pins, s):
            angle = math.radians(60) + 2 * d["components"][name]["at"]
            self.near(d["components"][name]["influences"]["A2.y"], sign * k * math.sin(angle), 1e-6 * k, name)
        self.unique_is_zero(d)                                              # what is across the cranks, whose angles are no round numbers

    def test_supports_that_are_let_go(self):
        """what a stop that touches without pushing would do if it pushed is no influence; what rigid rows alone share is not unique"""
        model = HEAD.format("planar", "", 0) + """bodies:
  ground: {markers: {O: [0, 0]}}
  beam: {mass: 1 kg, inertia: 1, markers: {O: [0, 0], A: [0, 0], F: [0, 0]}}
joints: {pin: {type: fixed, between: [ground.O, beam.O], compliance: {x: 1e-6 m/N, y: 1e-6 m/N, rz: 1e-6 rad/(N.m)}}}
loads: {up: {type: force, to: beam.F, value: [0, 100 N]}}
stops: {a: {coordinate: y(beam.A), min: 0}}
tolerances: {pin.y: 0.01 mm}
"""
        d = self.tolerance(model, "--analysis", "statics")
        self.assertEqual(d["components"]["pin.Fy"]["influences"], {"pin.y": 0})
        bare = model[:model.index("tolerances")]
        for m in ("1 um", "-1 um"):                                                              # runs say the same
            run = self.ok(bare.replace("rz: 1e-6 rad/(N.m)}", f"rz: 1e-6 rad/(N.m)}}, misfit: {{y: {m}}}"), "statics")
            self.near(run.series["pin.Fy"], [-100], 1e-9)
        shaft = HEAD.format("planar", "", -9.81) + """bodies:
  ground: {markers: {A: [0, 0], B: [1, 0], C: [2, 0]}}
  shaft: {mass: 10 kg, inertia: 3, centroid: [0.2, 0], markers: {A: [0, 0], B: [1, 0], C: [2, 0]}}
joints:
  a: {type: revolute, between: [ground.A, shaft.A], compliance: {y: 1e-6 m/N}}
  b: {type: point, between: [ground.B, shaft.B], compliance: {y: 1e-6 m/N}}
  lock: {type: angle, between: [ground, shaft]}
stops: {c: {coordinate: y(shaft.C), min: 0}, d: {coordinate: y(shaft.B), max: 0}}
loads: {f: {type: force, to: shaft.C, value: [0, 30 N]}}
"""
        self.assertEqual(self.ok(shaft, "statics").result["reactions"]["lock"]["components"]["Tz"]["verdict"], "not unique")  # c - d - lock.Tz are rigid

    def test_misfits_where_nothing_gives_way(self):
        """a misfit that stresses no loop moves nothing: Monte Carlo leaves it out, with friction and without"""
        arm = HEAD.format("planar", "", -9.81) + """parameters: {{L: 1 m}}
bodies: {{ground: {{markers: {{O: [0, 0]}}}}, arm: {{mass: 2 kg, inertia: 0.1, centroid: ["L/2", 0], markers: {{O: [0, 0]}}}}}}
joints: {{pin: {{type: revolute, between: [ground.O, arm.O]{}}}}}
drives: {{m: {{coordinate: pin.angle, motion: "t"}}}}
motion: {{to: 1 s, step: 0.5 s}}
tolerances: {{pin.x: 0.1 mm, L: 1 mm}}
"""
        for friction in ("", ", friction: {coefficient: 0.1, radius: 20 mm}"):
            c = self.tolerance(arm.format(friction), "--monte-carlo", "400")["components"]["m.effort"]
            self.near(c["monte_carlo"]["sigma"], 2 * 9.81 / 2 * 1e-3 / 3, 5e-4)                  # m g/2 dL, to 4 of its standard errors

    def test_every_sample_of_every_analysis(self):
        """the cranks along 2001 samples, computed in blocks on threads or one after the other, by inverse in other coordinates, and by simulate"""
        model = cranks().replace("step: 0.1 s", "step: 0.25 ms")
        s, k = np.array([-.6, 1, -.4]), 1 / (.36 * 2e-8 + 1e-8 + .16 * 2e-8)
        for flags in ("--analysis", "inverse"), ("--coordinates", "joint"), ("--coordinates", "natural"), ("--analysis", "simulate"):
            series, _ = self.csv(model, *flags)
            angle = math.radians(60) + 2 * series["time"]
            for name, share in zip(("B1.Fx", "B2.Fx", "B3.Fx"), s):
                sigma = k * abs(share) * np.sqrt((s[1] * 1e-5 / 3)**2 + (s[2] * 1e-6)**2 + (np.sin(angle) * 1e-6)**2 / 3)
                self.near(series[name + ".sigma"], sigma, 1e-6 * k * 1e-5, f"{flags} {name}")
                worst = k * abs(share) * (1e-5 + .4 * 3e-6 + np.abs(np.sin(angle)) * 1e-6)
                self.near((series[name + ".largest"] - series[name + ".least"]) / 2, worst, 1e-6 * k * 1e-5, f"{flags} {name}")

    @unittest.skipIf(yaml is None, "needs python3-yaml")
    def test_planetary_with_five_planets(self):
        """examples/planetary with five planets on pins that yield along the tangent: dF/dm = C^-1 - C^-1 1 1^T C^-1/(1^T C^-1 1), half of it in each mesh"""
        with open(os.path.join(cli.ROOT, "examples", "planetary", "planetary.yaml"), encoding="utf-8") as f:
            m = yaml.safe_load(f)
        bodies, joints, c = m["bodies"], m["joints"], 1e-8 * np.array([1, 2, 1, 4, 1])
        for i in range(1, 6):
            at = [f"centre*{f}({72 * i}[deg])" for f in ("cos", "sin")]
            bodies["carrier"]["markers"][f"pin{i}"] = {"at": at, "angle": 72 * i}
            bodies[f"planet{i}"] = {**bodies["planet1"], "pose": {"at": at}}
            joints[f"pin{i}"] = {**joints["pin1"], "between": [f"carrier.pin{i}", f"planet{i}.centre"], "compliance": {"y": float(c[i - 1])}}
            for mesh in ("sun_mesh", "ring_mesh"):
                joints[f"{mesh}{i}"] = {**joints[f"{mesh}1"], "between": [joints[f"{mesh}1"]["between"][0], f"planet{i}.centre"]}
        m.update(output={}, tolerances={f"pin{i}.y": {"normal": "0.5 um"} for i in range(1, 6)})
        d = self.tolerance(json.dumps(m), "--from", "0.3 s", "--to", "0.3 s", "--step", "1 ms")
        causes, pins, w = list(m["tolerances"]), [f"pin{i}.Fy" for i in range(1, 6)], 1 / c
        G = np.diag(w) - np.outer(w, w) / w.sum()
        self.near(self.influences(d, pins, causes), G, 1e-7 * np.abs(G).max())
        self.near(np.abs(self.influences(d, [f"sun_mesh{i}.Ft" for i in range(1, 6)], causes)), np.abs(G) / 2, 1e-7 * np.abs(G).max())
        self.near(np.abs(self.values(d, pins, "nominal")), 400 / .072 * w / w.sum(), 1e-5)       # 400 N m at 72 mm
        self.unique_is_zero(d)

    def test_door_that_yields_in_every_direction(self):
        """spatial, against differences of statics, and in other coordinates"""
        causes = [f"{j}.{x}" for j in ("bottom", "top") for x in ("x", "y", "z", "rx", "ry")]
        model = door(*FULL, "{" + ", ".join(f"{c}: {'1 mrad' if '.r' in c else '0.1 mm'}" for c in causes) + "}")
        d, bare = self.tolerance(model, "--analysis", "statics"), model.replace(", misfit: {z: lift}", "")
        forces, couples = ([n for n in d["components"] if f".{x}" in n] for x in ("F", "T"))
        for cause in causes:
            joint, x = cause.split(".")
            fits = (re.sub(rf"(\n  {joint}: .*?compliance: {{.*?}})", rf"\1, misfit: {{{x}: {m}}}", bare) for m in (1e-5, -1e-5))
            plus, minus = (self.ok(text, "statics").series for text in fits)
            for part in (forces, couples):
                want = np.array([(plus[n][0] - minus[n][0]) / 2e-5 for n in part])
                self.near(self.influences(d, part, [cause])[:, 0], want, 1e-6 * np.abs(want).max(initial=1e-3), f"influences of {cause}")
        self.unique_is_zero(d)
        for coordinates in ("joint", "natural"):
            other = self.tolerance(model, "--analysis", "statics", "--coordinates", coordinates)
            for key in (*causes, "nominal", "sigma", "worst"):
                a, b = (np.array([c["influences"][key] if key in causes else c[key] for c in x["components"].values()], float) for x in (d, other))
                self.near(b, a, 1e-9 * np.abs(a).max(), f"{coordinates}: {key}")

    def test_an_output_that_is_not_linear_in_forces(self):
        """influences are derivatives: that of F^2 is 2 F dF/dm, that of |F| is dF/dm where F > 0"""
        d = self.tolerance(table("{a.z: 0.2 mm}", more='output: {square: "a.Fz^2", size: "abs(a.Fz)"}'))
        self.near(self.influences(d, ["square", "size"], ["a.z"])[:, 0], [2 * 120 * 1e5, 1e5], [24, 1e-2])

    def test_bare_normal_uniform_and_coverage(self):
        for K in (None, 2, 4.5):
            d = self.tolerance(table(), *(["--coverage", K] if K else []))
            k, got = K or 3, [(c["width"], c["sigma"]) for c in d["tolerances"].values()]
            self.near(got, [(1e-4, 1e-4 / k), (k * 2e-5, 2e-5), (3e-5, 3e-5 / math.sqrt(3))], 1e-17)
            self.assertEqual(d["coverage"], k)
            self.near(d["components"]["a.Fz"]["worst"], [120 - 13 - 2 * k, 120 + 13 + 2 * k], 1e-8)

    def test_monte_carlo(self):
        """linear: mean and sigma within 3 standard errors; the seed decides; the noise is no difference"""
        n, seen = 2000, []
        for seed in (1, 29, 1):
            d = self.tolerance(table(), "--monte-carlo", n, "--seed", seed)
            for name in "abcd":
                c, m = d["components"][f"{name}.Fz"], d["components"][f"{name}.Fz"]["monte_carlo"]
                self.near(m["mean"], c["nominal"], 3 * c["sigma"] / math.sqrt(n), name)
                self.near(m["sigma"], c["sigma"], 3 * c["sigma"] / math.sqrt(2 * n), name)
                self.assertTrue(m["least"] < c["nominal"] < m["largest"] and not m["differs"])
            self.assertEqual(d["components"]["sx.Fx"]["monte_carlo"]["sigma"], 0)
            seen.append({**d, "file": 0})
        self.assertEqual([seen[0] == other for other in seen], [True, False, True])

    def test_monte_carlo_says_what_is_not_linear(self):
        """F = k/a with a uniform in [0.1, 0.3] m: mean k ln 3/0.2, E F^2 = k^2/0.03; the linear sigma is k/a^2 0.1/sqrt 3, a fifth less"""
        n, k, model = 3000, 15, lever("{a: {uniform: 100 mm}}")
        d = self.tolerance(model, "--monte-carlo", n)["components"]
        c = d["rest.Fy"]
        moment = [integrate.quad(lambda a, p=p: (k / a)**p / .2, .1, .3)[0] for p in (1, 2, 3, 4)]
        mean, var = k * math.log(3) / .2, k * k / .03 - (k * math.log(3) / .2)**2
        fourth = moment[3] - 4 * mean * moment[2] + 6 * mean**2 * moment[1] - 3 * mean**4
        self.near(c["monte_carlo"]["mean"], mean, 3 * math.sqrt(var / n))
        self.near(c["monte_carlo"]["sigma"], math.sqrt(var), 3 * math.sqrt((fourth - var**2) / n) / (2 * math.sqrt(var)))
        self.near(c["sigma"], k / (.04 - 1e-8) * .1 / math.sqrt(3), 1e-8)              # central differences over 0.1 mm
        self.assertTrue(k / .3 <= c["monte_carlo"]["least"] < c["monte_carlo"]["largest"] <= k / .1)
        self.assertEqual((c["monte_carlo"]["differs"], d["pivot.Fx"]["monte_carlo"]["differs"]), (True, False))
        self.assertRegex(self.ok(model, "tolerance", "--monte-carlo", n, out=False, quiet=False).out, r"rest\.Fy is not linear")

    def test_friction_has_monte_carlo_alone(self):
        """docs/joints.md: the hand needs 10 N/(1 - mu h/r), the couple on the rail is h times the hand's"""
        moment = [integrate.dblquad(lambda h, mu, p=p: (10 / (1 - mu * h / .05))**p / (.04 * .02), .18, .22, .19, .21)[0] for p in (1, 2)]
        for n in (1000, 300):
            done = self.ok(DRAWER, "tolerance", "--json", *(["--monte-carlo", n] if n < 1000 else []), out=False, quiet=False)
            self.assertRegex(done.err, rf"note: joint 'rail'.*{n} samples.*Monte Carlo alone")
            c, m, sigma = (x := done.json()["components"]["hand.effort"]), x["monte_carlo"], math.sqrt(moment[1] - moment[0]**2)
            self.assertEqual((done.json()["linear"], "influences" in c, c["worst"]), (False, False, [m["least"], m["largest"]]))
            self.near(c["nominal"], 50, 1e-9)
            self.near([m["mean"], m["sigma"]], [moment[0], sigma], 3 * sigma / math.sqrt(n))        # tails are heavier than normal ones
            self.assertTrue(10 / (1 - .18 * .19 / .05) <= c["worst"][0] < 50 < c["worst"][1] <= 10 / (1 - .22 * .21 / .05))

    def test_unilateral_has_monte_carlo_alone(self):
        """statics holds them as they are, so that means and sigmas are those of the linear table"""
        done = self.ok(table(kind="point", extra=", unilateral: true"), "tolerance", "--json", out=False, quiet=False)
        self.assertRegex(done.err, r"note: joint 'a'.*unilateral.*1000 samples of Monte Carlo alone")
        c, want = done.json()["components"]["a.Fz"], 1e5 * math.sqrt((1e-4 / 3)**2 + 2e-5**2 + 3e-10)
        self.near(c["monte_carlo"]["mean"], 120, 3 * want / math.sqrt(1000))
        self.near(c["sigma"], want, 3 * want / math.sqrt(2000))

    def test_a_cause_that_feeds_another(self):
        """half = L/2 + its own deviation: the load of L goes through half; a misfit that is a parameter, with a deviation of its own"""
        text = ("roberval: 1\nspace: planar\ngravity: [0, -10]\nparameters: {L: 1 m, half: \"L/2\"}\n"
                "bodies: {bar: {mass: 2, inertia: 0.1, centroid: [half, 0]}}\n"
                "joints: {hinge: {type: revolute, between: [ground, bar], damping: 0.1}}\n"
                "drives: {motor: {coordinate: hinge.angle, motion: \"0\"}}\ntolerances: {L: 60 mm, half: 3 mm}\n")
        d = self.tolerance(text, "--monte-carlo", "2000")
        c = d["components"]["motor.effort"]
        sigma = 20 * math.hypot(.02 / 2, .001)
        self.near(c["sigma"], sigma, 1e-8)
        self.near(c["monte_carlo"]["sigma"], sigma, 3 * sigma / math.sqrt(4000))

    def test_lever(self):
        """F = m g b/a.  Central differences over h = a thousandth of the tolerance have for 1/a the value -m g b/(a^2 - h^2)"""
        d = self.tolerance(lever())
        causes, h = list(d["tolerances"]), 2e-6
        rest = np.array([-15 / (.04 - h * h), 25, 150])
        self.near(self.influences(d, ["rest.Fy", "pivot.Fy", "pivot.Fx"], causes), [rest, [0, 10, 0] - rest, [0, 0, 0]], 1e-6)
        self.near(self.values(d, ["rest.Fy"], "sigma"), [math.sqrt((rest**2) @ np.array([2e-3 / 3, .01, 5e-3 / math.sqrt(3)])**2)], 1e-8)
        self.assertEqual([(c["nominal"], c["unit"]) for c in d["tolerances"].values()], [(.2, "m"), (3, "kg"), (.5, "m")])
        free = self.tolerance(lever("{pivot.x: 1 mm, rest.y: 1 mm}"))       # what is not redundant is unique
        self.assertEqual(({v for c in free["components"].values() for v in c["influences"].values()}, free["unbounded"]), ({0}, {}))
        self.near(self.tolerance(lever(), "--set", "b=0.25 m")["components"]["rest.Fy"]["nominal"], 37.5, 1e-10)

    def test_against_differences(self):
        """of the load and of a compliance, beside a misfit: central differences by --set of statics over the same step"""
        model = table("{M: 1 kg, c: {uniform: 0.4 um/N}, a.z: 0.1 mm}").replace("{z: 1 um/N}", "{z: c}").replace("{M: 40 kg}", "{M: 40 kg, c: 1 um/N}")
        d, legs = self.tolerance(model), [f"{x}.Fz" for x in "abcd"]
        for name, value, unit, step in (("M", 40, "kg", .001), ("c", 1e-6, "m/N", 4e-10)):
            pair = [self.ok(model, "statics", "--set", f"{name}={value + s * step!r} {unit}").series for s in (1, -1)]
            want = [(pair[0][n][0] - pair[1][n][0]) / (2 * step) for n in legs]
            self.near(self.influences(d, legs, [name])[:, 0], want, 1e-6 * np.abs(want).max(), name)
        # s = (c2 + c4 - c1 - c3) 100 N/sum c, ds/dc1 = (-100 N - s)/sum c
        self.near(self.influences(d, legs, ["c"])[:, 0], -120 / 1e-5 * np.array([1, -1, 1, -1]), 1e-4 * 120 / 1e-5)
        self.near(self.influences(d, legs, ["M"])[:, 0], 2.5 + .5 * np.array([1, -1, 1, -1]), 1e-6)

    def test_every_sample(self):
        """a swinging door: its forces against runs with misfits at every sample, and where the table takes them"""
        more, model = ("--to", "1 s", "--set", "swing=2 rad/s"), door(*FULL, "{top.x: 0.1 mm, top.z: {uniform: 0.2 mm}}")
        t, d = self.csv(model, *more)
        self.near(t["time"], np.arange(11) / 10, 1e-12)
        base, pull, lift = (self.ok(model.replace("misfit: {z: lift}", f"misfit: {m}"), "inverse", *more).series
                            for m in ("{z: 0}", "{x: 1e-5}", "{z: 1e-5}"))
        for name, c in d["components"].items():
            by = [np.abs(run[name] - base[name]) / 1e-5 for run in (pull, lift)]
            reach, sigma = 1e-4 * by[0] + 2e-4 * by[1], np.hypot(by[0] * 1e-4 / 3, by[1] * 2e-4 / math.sqrt(3))
            size = 1e-7 * (np.abs(base[name]).max() + reach.max() + 1)
            for key, want in (("nominal", base[name]), ("least", base[name] - reach), ("largest", base[name] + reach), ("sigma", sigma)):
                self.near(t[f"{name}.{key}"], want, size, f"{name}.{key}")
            largest = np.maximum(np.abs(t[f"{name}.least"]), np.abs(t[f"{name}.largest"]))
            i = int(np.argmin(np.abs(t["time"] - c["at"])))
            self.near(largest[i], largest.max(), 1e-9 * (1 + largest.max()), f"{name}: the sample of the table")
            self.near([c["nominal"], *c["worst"], c["sigma"]], [t[f"{name}.{k}"][i] for k in ("nominal", "least", "largest", "sigma")], size, name)

    def test_coordinates_along_a_motion(self):
        a, _ = self.csv(cranks())
        for coordinates in ("joint", "natural"):
            b, _ = self.csv(cranks(), "--coordinates", coordinates)
            self.assertEqual(list(a), list(b))
            for name in a:
                self.near(b[name], a[name], 1e-9 * max(1000, np.abs(a[name]).max()), f"{coordinates}: {name}")


class Unbounded(Tolerances):
    def safe(self, document, N):
        """The sums that are said to be safe are across the self-stresses (rows of N by component), and there are as many as can be."""
        names, rows = list(N), []
        for text in document["safe"]:                                       # a.Fz - 0.5 b.Fz
            terms = re.findall(r"([+-]?)\s*(\d+(?:\.\d+)?(?:e-?\d+)?\s+)?([A-Za-z_]\w*\.\w+)", text)
            c = {name: float((sign or "+") + (number.strip() or "1")) for sign, number, name in terms}
            self.assertLessEqual(set(c), set(document["components"]))
            rows += [[c.get(n, 0) for n in names]] if set(c) <= set(names) else []
        across = np.array(rows) @ np.array(list(N.values()), float)
        self.near(across, 0 * across, 1e-4, "safe sums")
        self.assertEqual(np.linalg.matrix_rank(rows), len(names) - across.shape[1], document["safe"])

    def test_rigid_table(self):
        d, legs = self.tolerance(table(c=(None,) * 4)), [f"{x}.Fz" for x in "abcd"]
        self.assertEqual({k: sorted(v) for k, v in d["unbounded"].items()}, {f"{x}.z": legs for x in "abc"})
        self.assertEqual({(c["nominal"], c["sigma"], c["verdict"]) for n, c in d["components"].items() if n in legs}, {(None, None, "not unique")})
        self.safe(d, dict(zip(legs, [[1], [-1], [1], [-1]])))
        self.unique_is_zero(d)                                              # the stops, beside unbounded misfits
        self.assertRegex(cli.run_model(table(c=(None,) * 4), "tolerance", out=False, quiet=False).out,
                         r"a\.z stresses a loop.*unbounded: a\.Fz, b\.Fz, c\.Fz, d\.Fz\n(.*\n)+compliances that would make them finite(.*\n)+no misfit reaches")

    def test_door(self):
        """docs/tolerance.md: bottom.x loads Fx and Ty of both hinges, two self-stresses: Fx pairs with a couple of 1.6 m, and opposite couples"""
        d = self.tolerance(door(tolerances="{top.z: 0.1 mm, bottom.x: {normal: 20 um}}"))
        self.assertEqual({k: sorted(v) for k, v in d["unbounded"].items()}, {"bottom.x": ["bottom.Fx", "bottom.Ty", "top.Fx", "top.Ty"]})
        # F at height z has the couple z F about y: 1.85 Ftop + 0.25 Fbottom + Ttop + Tbottom = 0
        self.safe(d, {"bottom.Fx": [1, 0], "top.Fx": [-1, 0], "bottom.Ty": [1.6, 1], "top.Ty": [0, -1]})
        self.near(d["components"]["top.Fz"]["worst"], [146.2, 246.2], 1e-8)
        self.assertEqual(d["components"]["top.Fz"]["influences"]["bottom.x"], 0, "bottom.x does nothing to another self-stress")
        self.unique_is_zero(d)                                              # hand.effort

    @unittest.skipIf(yaml is None, "needs python3-yaml")
    def test_the_advice_makes_it_finite(self):
        """all of `compliances`, put into the model, leave nothing unbounded"""
        for text in (door(tolerances="{bottom.x: 20 um}"), table(c=(None,) * 4), door(tolerances="{top.x: 1 mm, top.rx: 1 mrad}")):
            d = self.tolerance(text)
            loaded, model = {name for names in d["unbounded"].values() for name in names}, yaml.safe_load(text)
            self.assertTrue(loaded and d["compliances"])
            for one in ", ".join(d["compliances"]).split(", "):
                joint, x = one.split(".")
                model["joints"][joint].setdefault("compliance", {})[x] = 1e-6
            after = self.tolerance(json.dumps(model))
            self.assertEqual((after["unbounded"], [n for n in loaded if after["components"][n]["sigma"] is None]), ({}, []), d["compliances"])


class BadInput(Tolerances):
    def test_places(self):
        """exit 2, and line and column of the key or of what is wrong in its value"""
        for text, where, words, *model in (
                ("{q.z: 1 mm}", "q.z", "no joint 'q'"), ("{a.q: 1 mm}", "a.q", "'q'.*there are x, y, z, rx, ry and rz"),
                ("{a.x: 1 mm}", "a.x", "'a' does not hold x"), ("{a.rz: 1 mrad}", "a.rz", "'a' does not hold rz"),
                ("{nope: 1 mm}", "nope", "no parameter 'nope'"), ("{pivot.z: 1 mm}", "pivot.z", "z", lever), ("{pivot.rz: 1 mrad}", "pivot.rz", "rz", lever),
                ("{a.z: 1 kg}", "kg", "length.*mass"), ("{a.z: {normal: 1 mrad}}", "mrad", "length.*angle"), ("{M: 1 mm}", "1 mm", "length.*mass"),
                ("{M: {uniform: 1 N}}", "1 N", "force.*mass"), ("{M: 0 kg}", "M", "above 0"),
                *((f"{{a.z: {size}}}", "a.z", "above 0") for size in ("0 mm", "-1 mm", "{normal: 0 mm}", "{normal: -1 um}", "{uniform: -1 um}")),
                *((f"{{a.z: {kind}}}", kind, "normal.*uniform") for kind in ("{normal: 1 mm, uniform: 2 mm}", "{}", "{triangle: 1 mm}")),
                ("{a.z: [1 mm]}", "[1 mm]", "list"), ("[a.z]", "[a.z]", "must be a map"), ("{a.z: word}", "word", "unknown name 'word'")):
            lines = (model[0] if model else table)(text).split("\n")
            done = cli.run_model("\n".join(lines), "tolerance", out=False, quiet=False)
            self.assertEqual((done.code, done.out, len(done.errors)), (2, "", 1), f"{text}: {done.said()}")
            line = next(i for i, s in enumerate(lines) if s.startswith("tolerances:"))
            self.assertEqual((done.errors[0].line, done.errors[0].column), (line + 1, lines[line].find(where, 11) + 1), done.said())
            self.assertRegex(done.errors[0].text, words)

    def test_others(self):
        """all at once; nothing to do; options"""
        self.assertEqual(len(cli.run_model(table("{q.z: 1 mm, a.x: 1 mm, a.z: 1 kg}"), "tolerance", out=False).errors), 3)
        for model, words, *flags in (
                (table().replace("tolerances:", "#"), "nothing under tolerances:"), (table("{}"), "under tolerances:"), (table().replace("gravity:", "#"), "need loads"),
                *((table(), "error:", *f.split()) for f in ("--monte-carlo 0", "--monte-carlo many", "--coverage 0", "--coverage -1", "--seed -1",
                                                            "--analysis modes", "--coordinates polar", "--set nope=1"))):
            done = cli.run_model(model, "tolerance", *flags, out=False, quiet=False)
            self.assertTrue(done.code == 2 and words in done.err, f"{flags}: {done.said()}")

    @unittest.skipIf(jsonschema is None, "needs python3-jsonschema and python3-yaml")
    def test_schema(self):
        validator = jsonschema.Draft202012Validator(cli.run(["schema"], out=False, quiet=False).json())
        for text in (door(), table(), GUIDE, cranks(), lever(), DRAWER, table('{a.z: "0.1[mm]", b.z: 1e-4}')):
            self.assertEqual([e.message for e in validator.iter_errors(yaml.safe_load(text))], [], text)
        for wrong in ("[a.z]", "5", "{a.z: [1 mm]}", "{a.z: {triangle: 1 mm}}", "{a.z: {normal: 1 mm, uniform: 2 mm}}", "{a.z: {}}", "{a.z: true}"):
            self.assertTrue(list(validator.iter_errors(yaml.safe_load(table(wrong)))), wrong)


if __name__ == "__main__":
    cli.main()
