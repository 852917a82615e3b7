#!/usr/bin/env python3
"""roberval info and roberval init: what is said of a model is what was written into it, and the templates run.

Random models; masses, tensors and places are added up here with numpy alone."""
import json
import math
import os
import random
import re
import sys
import tempfile
import unittest

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "py"))
import cli              # noqa: E402
import models           # noqa: E402

try:
    import jsonschema
except ImportError:
    jsonschema = None

ROUNDS = int(os.environ.get("ROBERVAL_ROUNDS", "10"))
KINDS = {"planar": ["revolute", "prismatic", "fixed", "parallel", "slot"], "spatial": ["revolute", "prismatic", "spherical", "cylindrical", "universal"]}


def turned(axis, angle):
    k = np.array(axis) / np.linalg.norm(axis)
    K = np.array([[0, -k[2], k[1]], [k[2], 0, -k[0]], [-k[1], k[0], 0]])
    return np.eye(3) + math.sin(angle) * K + (1 - math.cos(angle)) * K @ K


class Info(cli.Case):
    def info(self, model, *flags):
        done = cli.run_model(model, "info", "--json", *flags, out=False)
        self.assertEqual(done.code, 0, done.said() + json.dumps(model))
        return done.json()

    def test_what_belongs_to_motion_is_listed(self):
        text = """roberval: 1
space: planar
bodies: {b: {mass: 1, inertia: 1}}
joints: {rail: {type: prismatic, between: [ground, b]}}
stops: {bump: {coordinate: rail.distance, max: 1}, low: {coordinate: rail.distance, min: -1, active: "t > 1"}}
states: {sum: {rate: "rail.distance", start: 0, unit: m.s}}
events: {lands: {when: "rail.distance - 0.2", do: stop}, half: {when: "t - 0.5"}}
loads: {f: {type: force, to: b, value: [1, 0], active: "t < 2"}}
generalized: {coordinates: {u: {start: 0, unit: rad}}, mass: [[1]], force: [0]}
track: {require: {path: {equation: "u - t"}, pace: {velocity: "rail.distance' - 1"}}, actuators: {a: {coordinate: u}, c: {coordinate: rail.distance}}}
"""
        said = self.info(text)
        for key, want in (("stops", {"bump": "rail.distance", "low": "rail.distance"}), ("events", {"lands": "stop", "half": "mark"}), ("conditions", {"low": "stop", "f": "load"}), ("states", {"sum": "m.s"}),
                          ("generalized", {"u": "rad"}), ("required", {"path": "equation", "pace": "velocity"}), ("actuators", {"a": "u", "c": "rail.distance"}), ("constraints", {})):
            self.assertEqual(said[key], want, key)
        page = cli.run_model(text, "info", out=False, quiet=False).out
        self.assertIn("2 stops, 2 events, 2 conditions, 1 state, 1 generalized coordinate, 2 requirements, 2 actuators", " ".join(page.split()))
        for name in ("bump", "lands", "sum", "path", "pace"):
            self.assertRegex(page, rf"(?m)^{name}\b")
        self.assertIn("bump", cli.run_model(text, "info", "--only", "bump", out=False, quiet=False).out)

    def a_model(self, r, space):
        """The model, and what has to be said of it."""
        spatial, n = space == "spatial", 3 if space == "spatial" else 2
        bodies, want, points = {}, {}, []
        for k in range(r.randint(1, 5)):
            at, centroid, mark = ([r.uniform(-2, 2) for _ in range(n)] for _ in range(3))
            axis, angle, mass = [r.uniform(-1, 1) for _ in range(3)], r.uniform(-3, 3), r.uniform(0.5, 5)
            if not spatial:
                axis = [0, 0, 1]
            moments = sorted(r.uniform(0.5, 0.9) for _ in range(3))
            turn = turned([r.uniform(-1, 1) for _ in range(3)], r.uniform(-3, 3))
            J = turn @ np.diag(moments) @ turn.T
            body = {"mass": f"{mass!r} kg", "centroid": centroid, "markers": {"M": mark},
                    "inertia": [J[0, 0], J[1, 1], J[2, 2], J[0, 1], J[0, 2], J[1, 2]] if spatial else moments[0],
                    "pose": {"at": at, "rotate": {"axis": axis, "angle": angle}} if spatial else {"at": at, "angle": angle}}
            particle = r.random() < 0.2
            if particle:
                del body["inertia"]
                body["particle"] = True
                body["centroid"] = centroid = mark = [0] * n
                body["markers"] = {"M": mark}
                body["pose"] = {"at": at}
                angle = 0
            bodies[f"b{k}"] = body
            own = [] if particle else moments if spatial else moments[:1]
            want[f"b{k}"] = {"mass": mass, "centroid": centroid, "moments": own}
            A = turned(axis, angle)[:n, :n] if angle else np.eye(n)                # markers count where a joint uses them: here none does
            points.append(np.array(at) + A @ np.array(centroid))
        return {"roberval": 1, "space": space, "bodies": bodies}, want, np.array(points)

    def test_bodies_mass_and_size(self):
        r = random.Random(8)
        for k in range(ROUNDS):
            space = ("planar", "spatial")[k % 2]
            model, want, points = self.a_model(r, space)
            said = self.info(model)
            self.assertEqual(list(said["bodies"]), list(want))
            for name, body in want.items():
                got = said["bodies"][name]
                self.near(got["mass"], body["mass"], 1e-12)
                self.near(got["centroid"], body["centroid"], 1e-12)
                self.near(got["principal_moments"], body["moments"], 1e-9)
                self.near(got["radii_of_gyration"], np.sqrt(np.array(body["moments"]) / body["mass"]), 1e-8)
                self.assertEqual((got["particle"], got["markers"]), (not body["moments"], 1))
            self.near(said["total_mass"], sum(b["mass"] for b in want.values()), 1e-12)
            points = np.vstack([points, np.zeros((1, points.shape[1]))])          # and the origin of ground
            edges = points.max(axis=0) - points.min(axis=0)
            self.near(said["size"], edges.max(), 1e-9)

    def test_what_else_is_in_it(self):
        r = random.Random(18)
        for k in range(ROUNDS):
            space = ("planar", "spatial")[k % 2]
            model, want, _ = self.a_model(r, space)
            solid = [b for b, w in want.items() if w["moments"]]
            if not solid:
                continue
            kinds = [r.choice(KINDS[space]) for _ in range(r.randint(0, 6))]
            model["joints"] = {f"j{i}": {"type": kind, "between": ["ground", f"{r.choice(solid)}.M"]} for i, kind in enumerate(kinds)}
            speed, length, count = r.uniform(1, 100), r.uniform(1, 9), r.randint(2, 9)
            model["parameters"] = {"speed": f"{speed!r} rpm", "length": f"{length!r} mm", "count": count, "twice": "2*length"}
            model["loads"] = {"pull": {"type": "force", "to": f"{solid[0]}.M", "value": ["1 N"] * (3 if space == "spatial" else 2)}} if r.random() < 0.5 else {}
            model["output"] = {"way": f"x({solid[0]}.M)", "pace": f"x({solid[0]}.M)'"}
            said = self.info(model, "--set", "count=3")
            self.assertEqual(said["joint_kinds"], {kind: kinds.count(kind) for kind in dict.fromkeys(kinds)})
            self.assertEqual({n: j["type"] for n, j in said["joints"].items()}, {n: j["type"] for n, j in model["joints"].items()})
            self.assertEqual([j["between"][1] for j in said["joints"].values()], [j["between"][1] for j in model["joints"].values()])
            self.assertEqual((said["load_kinds"], said["loads"]), ({"force": 1}, {"pull": "force"}) if model["loads"] else ({}, {}))
            self.near(said["parameters"]["speed"]["value"], speed * 2 * math.pi / 60, 1e-12)
            self.assertEqual(said["parameters"]["speed"]["unit"], "rad/s")
            self.near(said["parameters"]["twice"]["value"], 2e-3 * length, 1e-15)
            self.assertEqual(said["parameters"]["count"], {"value": 3, "unit": "", "by": "--set"})
            self.assertEqual(said["outputs"], {"way": "m", "pace": "m/s"})
            self.assertIsNone(said["motion"])
            self.assertEqual(said["space"], space)
            self.page_says_the_same(model, said, r)

    def page_says_the_same(self, model, said, r):
        page = cli.run_model(model, "info", out=False, quiet=False).out
        for name, body in said["bodies"].items():
            mass = re.search(rf"(?m)^{name} +(\S+) ", page)
            self.near(float(mass[1]), body["mass"], 1e-3 * body["mass"], name)
        for name, joint in said["joints"].items():
            self.assertRegex(page, rf"(?m)^{name} +{joint['type']} +ground +{joint['between'][1]}$")
        chosen = r.choice(list(said["bodies"]))
        only = cli.run_model(model, "info", "--only", chosen, out=False, quiet=False)
        self.assertEqual([n for n in said["bodies"] if f"\n{n} " in only.out], [chosen])
        self.assertEqual(only.err, "")

    def test_files_that_were_read_and_the_result_on_disk(self):
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "a.csv"), "w", encoding="utf-8") as file:
                file.write("t [s],y [mm]\n" + "".join(f"{k},{k * k}\n" for k in range(5)))
            model = {"roberval": 1, "space": "planar", "bodies": {"b": {"mass": 1, "inertia": 1}},
                     "tables": {"one": {"file": "a.csv", "x": "t", "y": "y"}, "two": {"file": "a.csv", "x": "t", "y": "y"}}}
            with open(os.path.join(folder, "m.json"), "w", encoding="utf-8") as file:
                json.dump(model, file)
            done = cli.run(["info", "m.json"], cwd=folder)
            self.assertEqual(done.code, 0, done.said())
            self.assertEqual((done.result["analysis"], done.result["files"], done.files), ("info", ["a.csv"], ["result.json"]))
            self.assertEqual(done.result["tables"]["one"], {"unit": "m", "from": 0, "to": 4, "unit_of_argument": "s", "periodic": False})
        self.assertEqual(cli.run_model({"roberval": 1, "space": "planar", "bodies": {"b": {"mas": 1}}}, "info").code, 2)


class Init(cli.Case):
    def call(self, *arguments, text=None):
        return cli.limited([cli.BINARY, *arguments], input=text, capture_output=True, text=True)

    def test_the_templates_run(self):
        for arguments in ([], ["planar"], ["spatial"]):
            template = self.call("init", *arguments)
            self.assertEqual((template.returncode, template.stderr), (0, ""))
            text = template.stdout
            self.assertIn(f"space: {arguments[0] if arguments else 'planar'}", text)
            for command in ("info", "check", "assemble", "kinematics", "statics", "inverse"):
                done = self.call(command, "-", text=text)
                self.assertEqual((done.returncode, done.stderr), (0, ""), command)
                notes = [line for line in done.stdout.splitlines() if line.startswith("note: ") and "computes no efforts" not in line]
                self.assertTrue(not notes or command == "statics", done.stdout)
            self.assertEqual(json.loads(self.call("check", "-", "--json", text=text).stdout)["mobility"]["degrees_of_freedom"], 0)
            if jsonschema:
                schema = json.loads(self.call("schema").stdout)
                self.assertEqual([e.message for e in jsonschema.Draft202012Validator(schema).iter_errors(models.load(text))], [])
            commented = [line for line in text.splitlines() if line.startswith(("  # ", "# initial"))]   # what is offered works when it is taken
            for line in commented:
                done = self.call("check", "-", text=text.replace(line, line.replace("# ", "", 1)))
                self.assertTrue(done.returncode == 0 or "one too many" in done.stderr, done.stderr)
            self.assertGreaterEqual(len(commented), 2)

    def test_there_is_no_other_space(self):
        done = self.call("init", "flat")
        self.assertEqual((done.returncode, done.stdout), (2, ""))


if __name__ == "__main__":
    cli.main()
