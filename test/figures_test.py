#!/usr/bin/python3
"""Figures on a page: what is rounding is shown as 0, constants once, and a range of values that are not unique in brackets without times.  The files keep what was computed.

Held against series.csv and result.json of the same run.  Rounding: below 1e-13 of the largest value of the same unit in the result (an angle of 1 rad, a place of the size
of the mechanism, forces and torques by that size), or below a value's own error; a page has six digits, so 1e-5 of a value tells whether it is the same.
"""
import json
import math
import os
import random
import re
import sys
import unittest

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "py"))
import cli              # noqa: E402
import exact            # noqa: E402
import mechanisms       # noqa: E402
import redundant_oracles as oracles             # noqa: E402

ROUNDING, DIGITS = 1e-13, 1e-5


def redundant():
    """doubled machines in motion: values that are not unique vary"""
    for drive in ("1.1 + t", "0.3*sin(4*t) + 0.9", "1.1"):
        yield f"cranks {drive}", {**oracles.cranks(drive=drive), "gravity": [0, -9.81], "motion": {"from": 0, "to": 0.4, "step": 0.05}}
    for seed in range(0, 40, 5):
        system, _ = exact.system(seed)
        yield f"exact {seed}", {**system.model(), "gravity": [0, -9.81], "motion": {"from": 0, "to": 0, "step": 1}}


def moving():
    for k, kind in enumerate(mechanisms.KINDS):
        rng = np.random.default_rng([77, k])
        yield kind.__name__, json.loads(json.dumps(kind(rng), default=float))


class Page:
    """lines of tables: name -> cells by the place of the heads above them"""

    def __init__(self, text):
        self.lines, heads = {}, None
        for line in text.splitlines():
            if " unit " in line and ("first" in line or "value" in line) and "per unit load" not in line:
                heads = [(m.group(), m.start(), m.end()) for m in re.finditer(r"at \[\w+\]|\S+(?: \S+)*?(?=  |$)", line)]
                continue
            if not line.strip():
                heads = None
            if heads and not line.startswith(" "):
                cells, last = {}, 0
                for word, start, end in heads:
                    if word in ("first", "min", "max", "value") or word.startswith("at "):
                        key = f"{word} {last}" if word.startswith("at ") else word
                        last = word if not word.startswith("at ") else last
                        cells[key] = line[:end][max(0, end - 14):].split("  ")[-1].strip() if len(line) >= end else ""
                self.lines[re.split(r"  ", line)[0]] = cells


class Figures(cli.Case):
    def scales(self, done):
        largest = {}
        for name, unit in done.units.items():
            if unit and name != "time":
                largest[unit] = max(largest.get(unit, 0), np.max(np.nan_to_num(np.abs(done.series[name]))))
        for joint in done.result["reactions"].values():
            largest["N"] = max(largest.get("N", 0), abs(joint["resultant"]["max"] or 0))
        size = done.result["model"]["size"] or 1
        largest["rad"], largest["m"] = max(1, largest.get("rad", 0)), max(size, largest.get("m", 0))
        n, nm = largest.get("N", 0), largest.get("N.m", 0)
        largest["N"], largest["N.m"] = max(n, nm / size), max(nm, n * size)
        return largest

    def errors(self, done):
        found = {f"{j}.{c}": x.get("error") for j, r in done.result["reactions"].items() for c, x in r["components"].items()}
        found.update({f"{d}.effort": x.get("error") for part in ("drives", "constraints") for d, x in done.result[part].items()})
        return {k: v for k, v in found.items() if v}

    def compare(self, name, model, command="inverse"):
        done = cli.run_model(model, command, quiet=False)
        if done.code != 0:
            return 0, 0, 0
        page, scale, error = Page(done.out), self.scales(done), self.errors(done)
        seen = zeros = open_ = 0
        for column, cells in page.lines.items():
            if column not in done.series:
                continue
            x, unit = done.series[column], done.units[column]
            if np.isnan(x).any():                                             # an output that reads what kinematics does not have
                self.assertEqual({v for v in cells.values() if v}, {"-"})
                continue
            floor = max(ROUNDING * scale.get(unit, 0), ROUNDING * np.abs(x).max(), error.get(column, 0))
            constant = x.max() - x.min() <= max(floor, 1e-12 * np.abs(x).max())
            loose = done.marks[column] == "not unique" and "first" in cells
            first = cells.get("first", cells.get("value"))
            with self.subTest(name, column=column, cells=cells):
                self.figure(first, x[0], floor, (loose, loose))
                seen += 1
                zeros += first.strip("[]") == "0" and x[0] != 0
                open_ += loose
                if "first" not in cells:
                    continue
                if constant:
                    self.assertEqual({k: v for k, v in cells.items() if k != "first" and v}, {}, "constants once")
                    continue
                self.figure(cells["min"], x.min(), floor, (loose, False))
                self.figure(cells["max"], x.max(), floor, (False, loose))
                for word, extreme in (("min", x.min()), ("max", x.max())):
                    at = next(v for k, v in cells.items() if k.startswith("at ") and k.endswith(word))
                    if loose:
                        self.assertEqual(at, "", "no times of values that are not unique")
                    else:
                        k = int(np.argmin(np.abs(done.time - float(at))))
                        self.assertLessEqual(abs(x[k] - extreme), floor + 2 * DIGITS * abs(extreme), f"{word} at {at}")
        return seen, zeros, open_

    def figure(self, cell, value, floor, brackets):
        self.assertEqual((cell.startswith("["), cell.endswith("]")), brackets, cell)
        shown = float(cell.strip("[]"))
        if abs(value) <= floor * (1 - 1e-6):
            self.assertEqual(shown, 0, f"{value!r} is rounding of {floor!r}")
        elif abs(value) > floor * (1 + 1e-6):
            self.assertNotEqual(shown, 0)
            self.assertLessEqual(abs(shown - value), DIGITS * abs(value) + floor)

    def test_of_driven_machines(self):
        seen = np.array([self.compare(name, model, command) for name, model in moving() for command in ("inverse", "kinematics")])
        self.assertGreater(seen[:, 0].sum(), 300)
        self.assertGreater(seen[:, 1].sum(), 0, "some rounding was shown as 0")

    def test_of_redundant_machines(self):
        seen = np.array([self.compare(name, model) for name, model in redundant()])
        self.assertGreater(seen[:, 2].sum(), 10, "some values are not unique")
        self.assertGreater(seen[:, 1].sum(), 0)

    def test_neutral_has_no_curvature(self):
        """arms balanced at every angle by springs without free length, k h p = m g c: the page says 0, the file what is left of the sum"""
        rng, other = random.Random(4), 0
        for _ in range(12):
            m, c, h, p = (rng.uniform(0.3, 3) for _ in range(4))
            bodies = {"ground": {"markers": {"top": [0, h]}},
                      "arm": {"mass": m, "inertia": 1, "centroid": [c, 0], "markers": {"p": [p, 0]}, "pose": {"at": [0, 0], "angle": rng.uniform(-1.4, 1.4)}}}
            model = {"roberval": 1, "space": "planar", "gravity": [0, -9.81], "bodies": bodies, "joints": {"pin": {"type": "revolute", "between": ["ground", "arm"]}},
                     "loads": {"spring": {"type": "spring", "between": ["ground.top", "arm.p"], "stiffness": m * 9.81 * c / (h * p), "free_length": 0}}}
            done = cli.run_model(model, "statics", quiet=False)
            self.assertEqual(done.code, 0, done.said())
            self.assertEqual(done.result["equilibrium"]["stability"], "neutral")
            self.assertIn(", curvature 0 1/s^2", done.out)
            other += done.result["equilibrium"]["curvature"] != 0
        self.assertGreater(other, 3, "what the file keeps is rounding, not 0")

    def test_what_rounding_has_left_of_a_difference(self):
        """outputs that are 0 but for rounding, whatever they read and in whatever unit; the file keeps what was computed

        A four-bar that turns: lengths, angles, rates, accelerations, forces, torques and powers are differenced with themselves by another way. 1e-13 of what each reads is rounding; nothing of these is
        more than 1e-14 of it.
        """
        bars = {"crank": 0.1, "coupler": 0.35, "rocker": 0.3}
        bodies = {"ground": {"markers": {"A": [0, 0], "D": [0.4, 0]}}}
        for name, length in bars.items():
            bodies[name] = {"mass": 1 + length, "inertia": 0.02 * length, "centroid": [length / 2, 0.01], "markers": {"p": [0, 0], "q": [length, 0]}}
        bodies["crank"]["pose"], bodies["coupler"]["pose"], bodies["rocker"]["pose"] = {"at": [0, 0], "angle": 1}, {"at": [0.05, 0.087], "angle": 0.6}, {"at": [0.4, 0], "angle": 1.8}
        joints = {"A": ["ground.A", "crank.p"], "B": ["crank.q", "coupler.p"], "C": ["coupler.q", "rocker.q"], "D": ["ground.D", "rocker.p"]}
        nothing = {"length": "distance(crank.p, crank.q) - 0.1", "ratio": "distance(crank.p, crank.q)/0.1 - 1", "turn": "A.angle + B.angle - angle(coupler)",
                   "bare": "sin(A.angle)^2 + cos(A.angle)^2 - 1", "rate": "(A.angle' + B.angle' - angle(coupler)')/1[rad/s]", "speed": "x(crank.q)' + 0.1*sin(A.angle)*A.angle'",
                   "force": "(A.Fx - B.Fx) + (B.Fx - A.Fx)", "number": "(A.Fx*1 - 2*A.Fx + A.Fx)/1[N]", "power": "motor.effort*A.angle' - 12.5*motor.effort"}
        model = {"roberval": 1, "space": "planar", "gravity": [0, -9.81], "bodies": bodies,
                 "joints": {name: {"type": "revolute", "between": between} for name, between in joints.items()}, "drives": {"motor": {"coordinate": "A.angle", "motion": "1 + 12.5*t"}},
                 "motion": {"from": 0, "to": 0.5, "step": 0.01}, "output": {**nothing, "height": "y(rocker.q)", "tiny": "1e-9*y(rocker.q)", "tiny_force": "1e-12*A.Fx"}}
        done = cli.run_model(model, "inverse", quiet=False)
        self.assertEqual(done.code, 0, done.said())
        lines = Page(done.out).lines
        for name in nothing:
            self.assertEqual({v for v in lines[name].values() if v}, {"0"}, name)
        self.assertGreater(sum(np.any(done.series[name] != 0) for name in nothing), 4, "the file keeps what rounding has left")
        for name, like in (("tiny", "height"), ("tiny_force", "A.Fx")):                          # small by a factor, not by a difference
            scale = 1e-9 if name == "tiny" else 1e-12
            self.near([float(lines[name]["max"])], [scale * done.series[like].max()], 1e-5 * scale * abs(done.series[like]).max(), name)

    def test_parts_of_quaternions(self):
        """a body that turns about x: qy and qz are 0 on the page of kinematics and of assemble"""
        model = {"roberval": 1, "space": "spatial", "bodies": {"wheel": {"pose": {"at": [0, 0, 0], "rotate": {"axis": [0, 0, 1], "angle": 0.3}}, "markers": {"p": {"at": [0, 0, 0], "axis": [1, 0, 0]}}}},
                 "joints": {"pin": {"type": "revolute", "between": ["ground.p", "wheel.p"]}}, "drives": {"m": {"coordinate": "pin.angle", "motion": "3*t"}}, "motion": {"from": 0, "to": 1, "step": 0.05}}
        model["bodies"]["ground"] = {"markers": {"p": {"at": [0, 0, 0], "axis": [0.9553364891256060, 0.2955202066613396, 0]}}}
        for command in ("kinematics", "assemble"):
            done = cli.run_model(model, command, quiet=False)
            self.assertEqual(done.code, 0, done.said())
            noise = [word for line in done.out.splitlines() if not line.startswith("audit") for word in line.split() if re.fullmatch(r"-?[\d.]+e-(1[3-9]|[2-9]\d|\d{3})", word)]
            self.assertEqual(noise, [], command)

    def test_small_machines_are_not_rounding(self):
        """lengths of micrometres, masses of micrograms: nothing of them is taken for 0"""
        for scale in (1e-6, 1e-3, 1e3):
            model = {"roberval": 1, "space": "planar", "gravity": [0, -9.81],
                     "bodies": {"arm": {"mass": scale**3, "inertia": scale**5, "centroid": [scale, 0.3 * scale]}},
                     "joints": {"pin": {"type": "revolute", "between": ["ground", "arm"]}}, "drives": {"m": {"coordinate": "pin.angle", "motion": "t"}},
                     "motion": {"from": 0, "to": 1, "step": 0.1}}
            done = cli.run_model(model, "inverse", quiet=False)
            line = Page(done.out).lines["m.effort"]
            self.near([float(line["first"]), float(line["min"])], [9.81 * scale**4, done.series["m.effort"].min()], 1e-4 * 9.81 * scale**4)
            self.assertFalse(math.isclose(done.series["m.effort"].min(), 0))


if __name__ == "__main__":
    cli.main()
