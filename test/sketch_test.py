#!/usr/bin/python3
"""Pictures of the mechanism, read back: pins stand where the series puts the markers, arrows point and are as long as forces turned into ground's axes by formulas written down here, and the line says the
verdict. Files for other viewers hold the same poses in single precision."""
import base64
import json
import os
import re
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "py"))
import cli              # noqa: E402

SVG = "{http://www.w3.org/2000/svg}"
ARROW = 90              # px of the longest force (docs/report.md)
EXAMPLES = os.path.join(cli.ROOT, "examples")
TYPES = {5126: "<f4", 5125: "<u4"}
WIDTHS = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}

CRANK = """roberval: 1
title: "Crank <b>& rod"
space: planar
gravity: [0, -9.81]
bodies:
  crank: {mass: 2, inertia: 0.02, centroid: [0.1, 0], markers: {A: [0.2, 0]}}
  rod: {mass: 3, inertia: 0.1, centroid: [0.3, 0], pose: {at: [0.2, 0]}, markers: {B: [0.6, 0]}}
  piston: {mass: 1, inertia: 0.001, pose: {at: [0.8, 0]}}
joints:
  main: {type: revolute, between: [ground, crank]}
  crankpin: {type: revolute, between: [crank.A, rod]}
  wrist: {type: revolute, between: [rod.B, piston]}
  guide: {type: prismatic, between: [ground, piston]}
drives: {motor: {coordinate: main.angle, motion: "0.3 + 8*t"}}
motion: {from: 0, to: 0.7, step: 10 ms}
"""


def points_of(path):
    return np.array([[float(a), float(b)] for a, b in re.findall(r"[ML](\S+) ([-0-9.]+)", path.get("d"))])


class Sheet:
    def __init__(self, path):
        self.root = ElementTree.parse(path).getroot()
        self.title = self.root.find(SVG + "title").text
        self.things = {}
        for g in self.root.iter(SVG + "g"):
            self.things.setdefault(g.find(SVG + "title").text, []).extend(list(g))

    def circles(self, name):
        return np.array([[float(c.get("cx")), float(c.get("cy"))] for c in self.things[name] if c.tag == SVG + "circle"])

    def arrow(self, name, colour):
        """Foot and tip of the force, in px, y up."""
        lines = [points_of(p) for p in self.things[name] if p.tag == SVG + "path" and p.get("stroke") == colour and p.get("fill") == "none"]
        heads = [points_of(p) for p in self.things[name] if p.tag == SVG + "path" and p.get("stroke") == colour and p.get("fill") != "none"]
        return np.array([1, -1]) * lines[0][0], np.array([1, -1]) * heads[0][0]


class Pictures(cli.Case):
    def drawn(self, *args, option="--svg", read=Sheet):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "picture")
            done = cli.run([*args, option, path])
            self.assertEqual(done.code, 0, done.said())
            return done, read(path)

    def model(self, text):
        file = tempfile.NamedTemporaryFile("w", suffix=".yaml")
        self.addCleanup(file.close)
        file.write(text)
        file.flush()
        return file.name


class Sketch(Pictures):
    def test_pins_stand_where_the_series_puts_the_markers(self):
        for at in (0.0, 0.31, 0.57):
            done, sheet = self.drawn("inverse", self.model(CRANK), "--at", str(at))
            k = int(np.argmin(np.abs(done.time - at)))
            place = {name: np.array([done.series[name + ".x"][k], done.series[name + ".y"][k]]) for name in ("rod", "piston")}
            main, crankpin, wrist = (sheet.circles(name)[-1] for name in ("main", "crankpin", "wrist"))
            scale = np.linalg.norm(crankpin - main) / np.linalg.norm(place["rod"])
            for px, metres in ((crankpin, place["rod"]), (wrist, place["piston"])):
                self.near((px - main) * [1, -1], scale * metres, 0.03, "a pin")    # three points written to 0.01 px

    def test_arrows_are_the_forces_in_ground_axes(self):
        done, sheet = self.drawn("inverse", self.model(CRANK), "--at", "0.2")
        k = int(np.argmin(np.abs(done.time - 0.2)))
        angle = {"main": 0, "crankpin": done.series["crank.angle"][k], "wrist": done.series["rod.angle"][k], "guide": 0}
        force = {}
        for name, a in angle.items():
            fx, fy = done.series[name + ".Fx"][k], done.series[name + ".Fy"][k]
            force[name] = np.array([np.cos(a) * fx - np.sin(a) * fy, np.sin(a) * fx + np.cos(a) * fy])
        largest = max(np.linalg.norm(f) for f in force.values())
        for name, f in force.items():
            foot, tip = sheet.arrow(name, "#0072b2")
            self.near(tip - foot, ARROW * f / largest, 0.05, name)

    def test_the_line_says_the_verdict_and_not_its_colour_alone(self):
        _, sheet = self.drawn("inverse", os.path.join(EXAMPLES, "door", "door.yaml"))
        lines = [p for p in sheet.things["top"] if p.get("stroke") == "#d55e00" and p.get("fill") == "none"]
        heads = [p for p in sheet.things["top"] if p.get("stroke") == "#d55e00" and p.get("fill") == "#ffffff"]
        self.assertTrue(lines and heads and all(p.get("stroke-dasharray") for p in lines))
        _, sheet = self.drawn("inverse", self.model(CRANK))
        self.assertFalse([p for p in sheet.root.iter(SVG + "path") if p.get("stroke") == "#d55e00" and float(p.get("stroke-width")) > 1.2 and p in sheet.things["main"]])

    def test_loads_differ_from_reactions_and_drives_have_numbers(self):
        """a load has a colour of its own and points at its point; a drive has its effort beside it, also one of nothing"""
        pushed = CRANK.replace("drives:", "loads: {push: {type: force, to: piston, value: [-40, 0]}}\ndrives:")
        idle = pushed.replace("[0, -9.81]", "[0, 0]").replace("value: [-40, 0]", "value: [0, 40]").replace("0.3 + 8*t", "0.3")   # the guide carries it alone
        for text in (pushed, idle):
            done, sheet = self.drawn("inverse", self.model(text))
            words = [t.text for t in sheet.root.iter(SVG + "text")]
            (told,) = [w for w in words if w and w.startswith("motor ")]
            first = abs(done.series["motor.effort"][0])
            value = float(told.split()[1]) * (1e3 if "kN" in told else 1)
            self.assertLessEqual(abs(value - first), 1e-3 * first + 1e-12, told)   # four digits; 0 where it is rounding
            (colour,) = {p.get("stroke") for p in sheet.things["push"] if p.tag == SVG + "path" and p.get("fill") == "none"}
            self.assertNotIn(colour, ("#0072b2", "#d55e00"))
            self.assertIn("load", words)
            foot, tip = sheet.arrow("push", colour)
            self.near(tip, sheet.circles("wrist")[-1] * [1, -1], 0.03, "the load ends at its point")
            self.assertGreater(np.linalg.norm(tip - foot), 5)

    def test_a_rail_is_as_long_as_the_poses_need(self):
        for times in ("0", "0.2", "0,0.1,0.2,0.3,0.39"):
            _, sheet = self.drawn("inverse", self.model(CRANK), "--at", times)
            lines = [points_of(p) for p in sheet.things["guide"] if p.tag == SVG + "path"]
            rail = max((line for line in lines if np.ptp(line[:, 1]) < 1e-6), key=lambda line: np.ptp(line[:, 0]))
            blocks = np.concatenate([line for line in lines if len(line) == 4 and np.ptp(line[:, 1]) > 1])
            self.assertLess(rail[:, 0].min(), blocks[:, 0].min(), times)
            self.assertGreater(rail[:, 0].max(), blocks[:, 0].max(), times)

    def test_self_stress_is_drawn_without_a_load(self):
        door = os.path.join(EXAMPLES, "door", "door.yaml")
        _, sheet = self.drawn("check", door, "--self-stress", "1")
        self.assertTrue([p for p in sheet.things["top"] if p.get("stroke") == "#d55e00"])
        done = cli.run(["check", door, "--self-stress", "99", "--svg", "/dev/null"])
        self.assertEqual(done.code, 2)
        self.assertIn("no self-stress 99", done.err)
        done = cli.run(["check", self.model(CRANK), "--self-stress", "1", "--svg", "/dev/null"])
        self.assertIn("every reaction is determined", done.err)

    def test_arrows_of_a_virtual_motion_are_velocities(self):
        """At unit rate of the crank its pin moves with the crank's length at right angles to it, and all points as kinematics says at 8 rad/s; they are drawn to one scale, from the pins on."""
        _, sheet = self.drawn("check", self.model(CRANK), "--virtual-motion", "motor")
        lines = [points_of(p) for p in sheet.things["virtual motion"] if p.tag == SVG + "path" and p.get("fill") == "none"]
        lines = {tuple(np.round(line[0])): (line[1] - line[0]) * [1, -1] for line in lines if len(line) == 2}
        done = cli.run(["kinematics", self.model(CRANK)])
        speed = {name: np.array([done.series[f"{body}.vx"][0], done.series[f"{body}.vy"][0]]) for name, body in (("crankpin", "rod"), ("wrist", "piston"))}
        head = 0.8 * 8          # px that the line ends before the tip
        arrow = {name: lines[tuple(np.round(sheet.circles(name)[-1]))] for name in speed}
        arrow = {name: a * (1 + head / np.linalg.norm(a)) for name, a in arrow.items()}
        scale = np.linalg.norm(arrow["crankpin"]) / np.linalg.norm(speed["crankpin"])
        for name, v in speed.items():
            self.near(arrow[name], scale * v, 0.05, name)
        by_name = self.drawn("check", self.model(CRANK), "--virtual-motion", "main.angle")[1]
        self.assertEqual([p.get("d") for p in sheet.things["virtual motion"]], [p.get("d") for p in by_name.things["virtual motion"]])
        self.assertIn("virtual motion of motor: main.angle alone changes", [t.text for t in sheet.root.iter(SVG + "text")])

    def test_poses_beyond_the_samples_are_refused(self):
        """A picture of another instant than was asked for is a wrong answer."""
        model = self.model(CRANK)
        for command, at, said in (("inverse", "5", r"no pose at time = 5 s: the samples go from 0 to \S+ s"), ("inverse", "0.1, 9", "= 9 s"), ("inverse", "-1e-6", "= -1e-06 s"),
                                  ("assemble", "0.1", "from 0 to 0 s"), ("check", "0", "check has one state")):
            with tempfile.TemporaryDirectory() as folder:
                done = cli.run([command, model, "--svg", os.path.join(folder, "x.svg"), "--at", at], out=False)
                self.assertEqual(done.code, 2, done.said())
                self.assertRegex(done.err, said)
                self.assertEqual(os.listdir(folder), [])
        self.drawn("inverse", model, "--at", "0, 0.1", "--only", "main")         # poses with what is wanted of them, no curves
        done = cli.run(["inverse", model, "--svg", "-", "--at", "0.1", "--x", "time"], out=False)
        self.assertEqual((done.code, "leave out one" in done.err), (2, True), done.said())

    def test_wrong_calls_of_virtual_motions_are_said(self):
        model = self.model(CRANK)
        for args, said in ((["--virtual-motion", "2"], "there is no virtual motion '2'; there are 1"), (["--virtual-motion", "rod"], "there is no virtual motion 'rod'"),
                           (["--virtual-motion", "1", "--at", "0"], "leave out --at")):
            done = cli.run(["check", model, *args, "--svg", "/dev/null"], out=False)
            self.assertEqual(done.code, 2)
            self.assertIn(said, done.err)
        held = self.model(CRANK.replace("drives:", 'constraints: {stand: {equation: "main.angle - 0.3"}}\nunused_drives:').split("unused_drives")[0] + "motion: {from: 0, to: 0, step: 1}\n")
        done = cli.run(["check", held, "--virtual-motion", "1", "--svg", "/dev/null"], out=False)
        self.assertEqual((done.code, "nothing is free" in done.err), (2, True), done.said())

    def test_stops_have_forces(self):
        """A block that a spring presses onto a stop, k (l - 0.3) with the wall at 0.5: the arrow points back, with that force; one that hangs on its hinge at an angle has the moment of its weight."""
        model = self.model("""roberval: 1
space: planar
gravity: [0, -9.81]
bodies:
  ground: {markers: {R: [0, -0.5], W: [0.9, -0.5]}}
  block: {mass: 1, inertia: 0.01, pose: {at: [0.5, -0.5]}}
  arm: {mass: 2, inertia: 0.05, centroid: [0.2, 0], pose: {angle: 20 deg}}
joints: {slide: {type: prismatic, between: [ground.R, block]}, hinge: {type: revolute, between: [ground, arm]}}
loads: {push: {type: spring, between: [ground.W, block], stiffness: 100, free_length: 0.3}}
stops: {wall: {coordinate: slide.distance, max: 0.5}, lid: {coordinate: hinge.angle, min: 20 deg}}
motion: {from: 0, to: 0.1, step: 0.1}
""")
        done, sheet = self.drawn("simulate", model, "--at", "0.1")
        self.near(done.series["wall.force"][-1], -100 * 0.1, 1e-9)
        foot, tip = sheet.arrow("wall", "#0072b2")
        self.assertLess(tip[0], foot[0])
        self.near(tip[1], foot[1], 0.02)
        words = [t.text for t in sheet.root.iter(SVG + "text")]
        self.assertIn("wall 10 N", words)
        self.assertIn(f"lid {2 * 9.81 * 0.2 * np.cos(np.radians(20)):.4g} N.m", words)

    def test_what_is_held_twice_has_a_ring(self):
        """The door's hinges, whose reactions are not unique; those that are have none."""
        _, sheet = self.drawn("check", os.path.join(EXAMPLES, "door", "door.yaml"))
        rings = {name for name, parts in sheet.things.items() for c in parts if c.tag == SVG + "circle" and c.get("stroke") == "#d55e00" and c.get("stroke-dasharray")}
        self.assertEqual(rings, {"top", "bottom"})
        words = [t.text for t in sheet.root.iter(SVG + "text")]
        self.assertTrue([w for w in words if w.startswith("held twice: ") and "top.Tx" in w and "bottom.Tx" in w], words)
        _, sheet = self.drawn("check", self.model(CRANK))
        self.assertFalse([c for c in sheet.root.iter(SVG + "circle") if c.get("stroke") == "#d55e00"])

    def test_parts_of_a_force_or_a_pose_do_not_pass_for_the_whole(self):
        """A folder whose series was written with --only: a joint of which one component is left has no arrow, a body of which one coordinate is left stays where it begins, and that is said."""
        model = self.model(CRANK)
        with tempfile.TemporaryDirectory() as folder:
            some, picture = os.path.join(folder, "some"), os.path.join(folder, "picture.svg")
            wanted = ["main", "wrist.Fx", "crank", "rod.x", "piston.[xy]"]
            kept = cli.run(["inverse", model, "--out", some, *(a for w in wanted for a in ("--only", w))], out=False)
            self.assertEqual(kept.code, 0, kept.said())
            done = cli.run(["report", some, "--svg", picture, "--at", "0.3"], out=False, quiet=False)
            self.assertEqual(done.code, 0, done.said())
            self.assertRegex(done.err, "no poses of 2 of 3 bodies")
            sheet = Sheet(picture)
        self.assertTrue(sheet.arrow("main", "#0072b2")[0] is not None)
        self.assertFalse([p for p in sheet.things.get("wrist", []) if p.get("stroke") == "#0072b2"])
        begins = cli.run(["inverse", model])
        main, wrist = sheet.circles("main")[-1], sheet.circles("wrist")[-1]
        crankpin = sheet.circles("crankpin")[-1]                    # of the rod
        first = {name: np.array([begins.series[name + ".x"][0], begins.series[name + ".y"][0]]) for name in ("rod", "piston")}
        scale = np.linalg.norm(crankpin - main) / np.linalg.norm(first["rod"])
        self.near((crankpin - main) * [1, -1], scale * first["rod"], 0.03, "the rod stays")
        self.near((wrist - main) * [1, -1], scale * first["piston"], 0.06, "the piston stays")      # the scale is that of a fourth of its length

    def test_names_are_text(self):
        _, sheet = self.drawn("check", self.model(CRANK))
        self.assertEqual(sheet.title, "Crank <b>& rod")
        self.assertIn("crankpin", [t.text for t in sheet.root.iter(SVG + "text")])

    def test_all_is_on_the_sheet_and_no_words_cover_others(self):
        """Letters of the fonts named are at least half as wide as high: words that cover each other by that are seen to."""
        for command, file in (("inverse", self.model(CRANK)), ("check", os.path.join(EXAMPLES, "stewart", "stewart.yaml")), ("inverse", os.path.join(EXAMPLES, "door", "door.yaml"))):
            for width in (260, 720):
                _, sheet = self.drawn(command, file, "--width", str(width))
                size = np.array([float(sheet.root.get(k)) for k in ("width", "height")])
                self.assertEqual(size[0], width)
                points = [p for path in sheet.root.iter(SVG + "path") for p in points_of(path)] + [p for name in sheet.things for p in sheet.circles(name)]
                self.assertTrue((np.array(points) >= 0).all() and (np.array(points) <= size).all(), file)
                boxes = []
                for t in [t for t in sheet.root.iter(SVG + "text") if t.get("paint-order")]:
                    x, y, high = (float(t.get(k)) for k in ("x", "y", "font-size"))
                    wide = 0.5 * high * len(t.text)
                    x -= {"end": wide, "middle": wide / 2}.get(t.get("text-anchor"), 0)
                    boxes.append((x, y - 0.7 * high, x + wide, y))
                self.assertTrue(len(boxes) > 2)
                for k, a in enumerate(boxes):
                    self.assertFalse([b for b in boxes[:k] if a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]], file)
        done = cli.run(["check", self.model(CRANK), "--width", "7", "--svg", "/dev/null"])
        self.assertEqual(done.code, 2)
        self.assertIn("from 100 to 10000", done.err)

    def test_every_example_can_be_drawn_from_all_sides(self):
        for name in ("stewart/stewart", "bricard/bricard", "tippetop/tippetop", "planetary/planetary", "valvetrain/valvetrain") if not cli.MORE else \
                sorted(f"{d}/{f[:-5]}" for d in os.listdir(EXAMPLES) if os.path.isdir(os.path.join(EXAMPLES, d)) for f in os.listdir(os.path.join(EXAMPLES, d)) if f.endswith(".yaml")):
            for view in ("oblique", "front", "side", "top"):
                _, sheet = self.drawn("check", os.path.join(EXAMPLES, name + ".yaml"), "--view", view)
                self.assertTrue(any(True for _ in sheet.root.iter(SVG + "path")), name)
                numbers = [float(v) for p in sheet.root.iter(SVG + "path") for v in re.findall(r"-?[0-9.]+", p.get("d"))]
                self.assertTrue(all(abs(v) < 1e4 for v in numbers), name)


class Gltf:
    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            self.file = json.load(file)
        head, data = self.file["buffers"][0]["uri"].split(",")
        self.bytes = base64.b64decode(data)
        assert head == "data:application/octet-stream;base64" and len(self.bytes) == self.file["buffers"][0]["byteLength"]

    def numbers(self, accessor):
        a = self.file["accessors"][accessor]
        view = self.file["bufferViews"][a["bufferView"]]
        return np.frombuffer(self.bytes, TYPES[a["componentType"]], a["count"] * WIDTHS[a["type"]], view["byteOffset"]).reshape(a["count"], -1)

    def moves(self, name, path, kind=None):
        """Times and values of the node's channel."""
        animation = self.file["animations"][0]
        for channel in animation["channels"]:
            node = self.file["nodes"][channel["target"]["node"]]
            if node["name"] == name and channel["target"]["path"] == path and node.get("extras", {}).get("kind") == kind:
                sampler = animation["samplers"][channel["sampler"]]
                return self.numbers(sampler["input"])[:, 0], self.numbers(sampler["output"])
        raise KeyError(name)


class Frames(Pictures):
    def frames(self, *args):
        return self.drawn(*args, option="--frames", read=Gltf)

    def test_toothed_wheels_are_solids_with_gaps_of_their_teeth(self):
        """Closed meshes with outward faces: by Gauss the volume is a third of the sum of (p x q) . r / 2 over all faces; it is the area between outline and axis (or rim) times the thickness.
        The outline is that of docs: feet 1.25 modules inside the pitch circle and tips 1 module outside, at 0.30 and 0.14 of a pitch; inverted for rings."""
        for name in ("gear", "gear-internal"):
            model = os.path.join(cli.ROOT, "docs", "pictures", "models", name + ".yaml")
            done, gltf = self.frames("check", model)
            with tempfile.TemporaryDirectory() as folder:
                cli.run(["check", model, "--out", folder], out=False)
                with open(os.path.join(folder, "scene.json"), encoding="utf-8") as file:
                    scene = json.load(file)
            wheels = [f for f in scene["figures"] if f["kind"] == "wheel" and f["teeth"] > 0]
            nodes = [n for n in gltf.file["nodes"] if "mesh" in n and n["name"] == "gear"]
            volumes = []
            for node in nodes:
                primitive = gltf.file["meshes"][node["mesh"]]["primitives"][0]
                if primitive.get("mode", 4) != 4:
                    continue
                p = gltf.numbers(primitive["attributes"]["POSITION"])[gltf.numbers(primitive["indices"])[:, 0]].astype(float).reshape(-1, 3, 3)
                volumes.append(np.einsum("ij,ij->i", np.cross(p[:, 0], p[:, 1]), p[:, 2]).sum() / 6)
            want = []
            for wheel in wheels:
                module, way = 2 * wheel["radius"] / wheel["teeth"], -1 if wheel["internal"] else 1
                r = np.array([wheel["radius"] + way * module * out for out in (-1.25, 1, 1, -1.25)])
                angle = 2 * np.pi / wheel["teeth"] * np.diff([-0.30, -0.14, 0.14, 0.30, 0.70])
                area = wheel["teeth"] * 0.5 * np.sum(r * np.roll(r, -1) * np.sin(angle))
                rim = wheel["teeth"] * 0.5 * (1.12 * wheel["radius"]) ** 2 * np.sin(angle).sum()
                want.append((rim - area if wheel["internal"] else area) * 0.3 * scene["symbol"])
            self.assertEqual(len(volumes), 2, name)
            self.near(volumes, want, 1e-4 * max(want), name)    # points are in single precision

    def test_bodies_move_as_the_series_says(self):
        for model, spatial in ((self.model(CRANK), False), (os.path.join(EXAMPLES, "cardan", "cardan.yaml"), True)):
            done, gltf = self.frames("inverse", model)
            bodies = [n["name"] for n in gltf.file["nodes"] if n.get("extras", {}).get("kind") == "body" and n["name"] != "ground"]
            self.assertTrue(bodies)
            for body in bodies:
                t, at = gltf.moves(body, "translation", "body")
                self.near(t, done.time - done.time[0], 1e-6 * np.ptp(done.time), "times")
                want = np.stack([done.series[body + "." + c] if body + "." + c in done.series else 0 * t for c in "xyz"], 1)
                self.near(at, want, 1e-6 * (1 + np.abs(want).max()), body)
                _, q = gltf.moves(body, "rotation", "body")
                if spatial:
                    want = np.stack([done.series[body + ".q" + c] for c in "xyzw"], 1)
                else:
                    half = done.series[body + ".angle"] / 2
                    want = np.stack([0 * half, 0 * half, np.sin(half), np.cos(half)], 1)
                self.near(np.abs((q * want).sum(1)), np.ones(len(q)), 1e-5, body)      # q and -q are one turn

    def test_arrows_have_the_length_that_the_extras_say_and_the_verdict_as_material(self):
        done, gltf = self.frames("inverse", os.path.join(EXAMPLES, "door", "door.yaml"))
        _, scale = gltf.moves("top", "scale", "force")
        force = np.sqrt(sum(done.series["top.F" + c] ** 2 for c in "xyz"))
        self.near(scale[:, 2], gltf.file["extras"]["arrow_metres_per_newton"] * force, 1e-6 * scale.max(), "top")
        node = next(n for n in gltf.file["nodes"] if n["name"] == "top" and n.get("extras", {}).get("kind") == "force")
        material = gltf.file["meshes"][node["mesh"]]["primitives"][0]["material"]
        self.assertEqual((node["extras"]["verdict"], gltf.file["materials"][material]["name"]), ("not unique", "not unique"))

    def test_bounds_indices_and_sizes_are_those_of_the_numbers(self):
        _, gltf = self.frames("inverse", os.path.join(EXAMPLES, "stewart", "stewart.yaml"), "--to", "0.2")
        for k, accessor in enumerate(gltf.file["accessors"]):
            if "min" in accessor:
                numbers = gltf.numbers(k)
                self.assertEqual([np.float32(v) for v in accessor["min"]], list(numbers.min(0)))
                self.assertEqual([np.float32(v) for v in accessor["max"]], list(numbers.max(0)))
        for mesh in gltf.file["meshes"]:
            for primitive in mesh["primitives"]:
                points, index = gltf.numbers(primitive["attributes"]["POSITION"]), gltf.numbers(primitive["indices"])
                self.assertTrue(index.max() < len(points) and len(index) % (3 if primitive["mode"] == 4 else 2) == 0)
                if "NORMAL" in primitive["attributes"]:
                    self.near(np.linalg.norm(gltf.numbers(primitive["attributes"]["NORMAL"]), axis=1), np.ones(len(points)), 1e-5, "normals")

    def test_without_a_motion_there_is_none(self):
        _, gltf = self.frames("check", self.model(CRANK))
        self.assertNotIn("animations", gltf.file)


cli.main()
