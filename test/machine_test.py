#!/usr/bin/python3
# ctest: joint
"""The head of a result, in which a slip of a unit shows: size, mass, the largest correction of a starting pose; and notes on inertias out of proportion.

Size and corrections are computed again from the poses of series.csv and the model's own numbers: the longest edge of the box around joint markers and centroids, the distance
of a frame's origin from its `at`, its turn from its `angle` up to half a turn.  Inertias: every body of every example with its inertia a thousand million times too large, or
too small, is named, and none as it stands.  Tolerance 1e-9 of the size: poses are assembled to 1e-9.
"""
import copy
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
import models           # noqa: E402

TOL = 1e-9
COMMANDS = ("check", "assemble", "kinematics", "inverse", "statics")


def turned(a, p):
    return np.array([math.cos(a) * p[0] - math.sin(a) * p[1], math.sin(a) * p[0] + math.cos(a) * p[1]])


def four_bar(rng, off, poses=True):
    """a driven four-bar at a random place and size, its poses off by up to `off` of the size; (model, true poses)"""
    size, at = 10 ** rng.uniform(-3, 2), np.array([rng.uniform(-5, 5), rng.uniform(-5, 5)])
    p = [at + size * np.array(q) for q in ([0, 0], [rng.uniform(-.2, .2), rng.uniform(.3, .6)], [rng.uniform(.8, 1.2), rng.uniform(.7, 1)], [1, rng.uniform(-.2, .1)])]
    true, bodies = {}, {"ground": {"markers": {"A": list(p[0]), "D": list(p[3]), "far": [1e3, 1e3]}}}
    for name, a, b in (("crank", p[0], p[1]), ("coupler", p[1], p[2]), ("rocker", p[3], p[2])):
        angle, length = math.atan2(*(b - a)[::-1]), float(np.hypot(*(b - a)))
        true[name] = (a, angle)
        bodies[name] = {"mass": round(rng.uniform(1, 9), 3), "inertia": length**2 / 12, "centroid": [length / 2, rng.uniform(-.2, .2) * length],
                        "markers": {"a": [0, 0], "b": [length, 0], "unused": [50 * length, 0]}}
        if poses:
            bodies[name]["pose"] = {"at": [x + off * size * rng.uniform(-1, 1) for x in a], "angle": angle + off * rng.uniform(-1, 1)}
    joints = {"A": {"type": "revolute", "between": ["ground.A", "crank.a"]}, "B": {"type": "revolute", "between": ["crank.b", "coupler.a"]},
              "C": {"type": "revolute", "between": ["coupler.b", "rocker.b"]}, "D": {"type": "revolute", "between": ["ground.D", "rocker.a"]}}
    model = {"roberval": 1, "space": "planar", "bodies": bodies, "joints": joints, "gravity": [0, -9.81],
             "drives": {"motor": {"coordinate": "A.angle", "motion": f"{true['crank'][1]!r} + 0.1*t"}}, "motion": {"from": 0, "to": 0.1, "step": 0.1}}
    return model, true, size


def box(model, placed):
    """the longest edge around joint markers and centroids; placed: name -> (origin, angle)"""
    points = []
    for joint in model["joints"].values():
        for body, marker in (ref.split(".") for ref in joint["between"]):
            at, angle = placed.get(body, (np.zeros(2), 0))
            points.append(at + turned(angle, model["bodies"][body]["markers"][marker]))
    points += [placed[b][0] + turned(placed[b][1], spec["centroid"]) for b, spec in model["bodies"].items() if b != "ground"]
    return float(max(np.max(points, axis=0) - np.min(points, axis=0)))


class Head(cli.Case):
    @cli.long
    def test_size_mass_and_the_largest_correction(self):
        rng = random.Random(7)
        for k in range(12):
            model, _, size = four_bar(rng, rng.choice((0.0, 0.01, 0.2)))
            for command in COMMANDS:
                done = self.ok(model, command)
                head = done.result["model"]
                self.near(head["mass"], sum(b.get("mass", 0) for b in model["bodies"].values()), 1e-12, command)
                if command == "assemble":
                    placed = {b: (np.array([done.series[f"{b}.x"][0], done.series[f"{b}.y"][0]]), done.series[f"{b}.angle"][0]) for b in ("crank", "coupler", "rocker")}
                    heads, first = {}, head
                heads = {**(heads if command != "check" else {}), command: head}
            self.near(first["size"], box(model, placed), TOL * size, "size")
            corrections = {b: (float(np.hypot(*(placed[b][0] - model["bodies"][b]["pose"]["at"]))),
                               abs(math.remainder(placed[b][1] - model["bodies"][b]["pose"]["angle"], 2 * math.pi))) for b in placed}
            named = first["largest_correction"]
            self.near([named["distance"], named["angle"]], corrections[named["body"]], [TOL * size, TOL], "correction")
            for b, (distance, angle) in corrections.items():
                self.assertFalse(distance > named["distance"] + TOL * size and angle > named["angle"] + TOL, f"{b} was corrected more than {named}")
            for command, other in heads.items():
                self.near(other["size"], first["size"], 1e-6 * size, command)
                self.assertEqual(other["largest_correction"]["body"], named["body"], command)

    def test_poses_that_were_not_given_are_not_corrected(self):
        model, _, _ = four_bar(random.Random(3), 0, poses=False)
        for command in COMMANDS:
            self.assertIsNone(self.ok(model, command).result["model"]["largest_correction"])
        model, true, size = four_bar(random.Random(4), 0)                   # one given, at the origin
        del model["bodies"]["crank"]["pose"], model["bodies"]["rocker"]["pose"]
        model["bodies"]["coupler"]["pose"] = {"at": [0, 0], "angle": 0}
        model["bodies"]["coupler"]["pose"]["angle"] = true["coupler"][1]
        named = self.ok(model, "check").result["model"]["largest_correction"]
        self.assertEqual(named["body"], "coupler")
        self.near(named["distance"], float(np.hypot(*true["coupler"][0])), 1e-6 * size)

    def test_the_page_shows_it(self):
        model, _, _ = four_bar(random.Random(5), 0.1)
        for command in COMMANDS:
            done = cli.run_model(model, command, quiet=False)
            head = done.result["model"]
            line = done.out.splitlines()[1 if command in ("check", "statics") else 2]
            found = re.fullmatch(r"size (\S+) m, mass (\S+) kg(?:, gravity 9.81 m/s\^2 along -y)?; largest correction of a starting pose: '(\w+)' by (\S+) m and (\S+) rad", line)
            self.assertTrue(found, done.out[:400])
            self.assertEqual(found[3], head["largest_correction"]["body"])
            self.near([float(found[k]) for k in (1, 2, 4, 5)],
                      [head["size"], head["mass"], head["largest_correction"]["distance"], head["largest_correction"]["angle"]],
                      [1e-3 * head["size"], 1e-3, 1e-2 * head["largest_correction"]["distance"], 1e-2])
        model, _, _ = four_bar(random.Random(5), 0)
        self.assertIn("the starting poses fit", cli.run_model(model, "check", out=False, quiet=False).out)

    def test_a_length_in_the_wrong_unit_shows(self):
        model, _, _ = four_bar(random.Random(6), 0)
        right = self.ok(model, "check").result["model"]
        model["bodies"]["coupler"]["markers"]["b"][0] *= 1000                # mm for m: the loop no longer closes, the open chain is that large
        del model["joints"]["C"], model["drives"]
        wrong = cli.run_model(model, "check")
        self.assertEqual(wrong.code, 0, wrong.said())
        self.assertGreater(self.ok({**model, "joints": {**model["joints"], "C": {"type": "free", "between": ["coupler.b", "rocker.b"]}}},
                                   "check").result["model"]["size"], 100 * right["size"])


class Inertias(cli.Case):
    def noted(self, model, folder, command="check"):
        files = {}
        for name in os.listdir(folder):
            if name.endswith(".csv"):
                with open(os.path.join(folder, name), encoding="utf-8") as f:
                    files[name] = f.read()
        done = cli.run_model(model, command, "--json", out=False, files=files)
        self.assertEqual(done.code, 0, done.said())
        return re.findall(r"of '(\w+)' make a radius of gyration", " ".join(done.json()["notes"]))

    @cli.long
    def test_out_of_proportion_is_named_and_else_nothing(self):
        if models.yaml is None:
            self.skipTest("needs PyYAML")
        rng, tried = random.Random(8), 0
        for name, (folder, text) in models.examples().items():
            model = models.load(text)
            with self.subTest(name):
                self.assertEqual(self.noted(model, folder), [])
            own = [b for b, spec in model["bodies"].items() if isinstance(spec, dict) and "inertia" in spec and not isinstance(spec["inertia"], dict)]
            for factor in (1e6, 1e-6):                                        # kg.mm^2 for kg.m^2, and the other way
                if not own:
                    continue
                body = rng.choice(own)
                wrong, markers = copy.deepcopy(model), (model["bodies"][body].get("markers") or {})
                values = wrong["bodies"][body]["inertia"]
                scale = lambda v: v * factor if isinstance(v, (int, float)) else re.sub(r"^\S+", lambda m: repr(float(m[0]) * factor), v)
                try:
                    wrong["bodies"][body]["inertia"] = [scale(v) for v in values] if isinstance(values, list) else scale(values)
                except ValueError:                                            # an expression
                    continue
                reach = max([math.dist([float(str(x).split()[0]) for x in (m if isinstance(m, list) else m["at"])], [0] * 2 if model["space"] == "planar" else [0] * 3)
                             for m in markers.values() if re.fullmatch(r"[-\d., \[\]e]+", json.dumps(m if isinstance(m, list) else m["at"]))] or [0])
                point = "pose" not in json.dumps(model["bodies"]) and not re.search(r"[1-9]", json.dumps([b.get("markers") for b in model["bodies"].values() if isinstance(b, dict)]))
                if reach == 0 and (factor < 1 or point or not model.get("joints")):
                    continue                                                  # nothing of the body says how large it is
                with self.subTest(name, body=body, factor=factor):
                    self.assertEqual(self.noted(wrong, folder), [body])
                    tried += 1
        self.assertGreater(tried, 25)

    def test_with_every_analysis_that_knows_masses(self):
        model, _, _ = four_bar(random.Random(9), 0)
        model["bodies"]["rocker"]["inertia"] *= 1e6
        for command in ("check", "statics", "inverse"):
            self.assertEqual(self.noted(model, "/", command), ["rocker"])
        self.assertEqual(self.noted(model, "/", "kinematics"), [])


if __name__ == "__main__":
    cli.main()
