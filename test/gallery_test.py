#!/usr/bin/env python3
"""A gallery of every joint kind, load, drive, stop and shape, in the plane and in space: each is drawn, and its figures lie where the markers of the result lie, at every sample of a motion.

The law: figures move with the poses of series.csv alone. A pin's circle, a ball, a cross lie on both bodies' markers to what assembly leaves in a joint (1e-9 of the size); wheels lie on
their markers and touch; areas and volumes of drawn shapes give the masses that `info` prints. Geometry is done here by other formulas (test/py/pictures.py).
"""
import json
import math
import re
import sys
import unittest
from pathlib import Path

import jsonschema
import numpy as np

sys.path.insert(0, str(Path(__file__).parent / "py"))
import cli              # noqa: E402
import pictures         # noqa: E402

FIT = 1e-8              # [m] machines here are about 1 m: ten times what assembly and projection leave
MOTION = {"from": 0, "to": 0.02, "step": 0.005}
CIRCLE = "u [m],v [m]\n" + "".join(f"{0.1 * math.cos(k * math.pi / 24)!r},{0.1 * math.sin(k * math.pi / 24)!r}\n" for k in range(48)) + "0.1,0\n"
HELIX = "u [m],v [m],w [m]\n" + "".join(f"{0.2 * math.cos(k / 20)!r},{0.2 * math.sin(k / 20)!r},{0.01 * k!r}\n" for k in range(60))
PROFILE = "u [m],v [m]\n" + "".join(f"{0.02 * k!r},{0.02 * k * 0.02 * k!r}\n" for k in range(21))
FILES = {"circle.csv": CIRCLE, "helix.csv": HELIX, "profile.csv": PROFILE}


def body(at, spatial, **more):
    return {"mass": 1, "inertia": [0.1, 0.1, 0.1] if spatial else 0.1, "pose": {"at": at}, **more}


def plane(joint, at=(0.3, 0.2), more=None, ground=(0, 0), axis=None):
    """one body at the place `at` with a joint to ground"""
    model = {"roberval": 1, "space": "planar", "gravity": [0, -9.81], "bodies": {"ground": {"markers": {"A": list(ground)}}, "part": body(list(at), False, markers={"B": [0, 0], "C": [0.3, 0.1]})},
             "joints": {"j": {"between": ["ground.A", "part.B"], **joint}}, "motion": MOTION}
    model.update(more or {})
    return model


def space(joint, at=(0.3, 0.2, 0.1), more=None, first=None):
    model = {"roberval": 1, "space": "spatial", "gravity": [0, 0, -9.81],
             "bodies": {"ground": {"markers": {"A": first or {"at": [0, 0, 0], "axis": [0, 1, 1]}}}, "part": body(list(at), True, markers={"B": first or {"at": [0, 0, 0], "axis": [0, 1, 1]}, "C": [0.3, 0.1, 0]})},
             "joints": {"j": {"between": ["ground.A", "part.B"], **joint}}, "motion": MOTION}
    model.update(more or {})
    return model


def wheels(joint, spatial, radii, second=(0.3, 0), axis2=None):
    """two wheels in bearings of ground, and what runs between them"""
    point = (lambda p: [*p, 0]) if spatial else list
    model = {"roberval": 1, "space": "spatial" if spatial else "planar", "gravity": [0, -9.81] + [0] * spatial,
             "bodies": {"ground": {"markers": {"A": point((0, 0)), "B": {"at": list(second), **({"axis": axis2} if axis2 else {})} if spatial else list(second)}},
                        "one": body(point((0, 0)), spatial, markers={"O": point((0, 0))}),
                        "two": body(list(second), spatial, markers={"O": {"at": [0, 0, 0], **({"axis": axis2} if axis2 else {})} if spatial else [0, 0]})},
             "joints": {"a": {"type": "revolute", "between": ["ground.A", "one.O"]}, "b": {"type": "revolute", "between": ["ground.B", "two.O"]},
                        "j": {"between": ["one.O", "two.O"], **joint}}, "initial": {"a.angle'": 3}, "motion": MOTION}
    if radii:
        model["joints"]["j"]["radii"] = radii
    return model


def cam(curve, more=None, spatial=False, at=None, second=None):
    curve = {"file": "circle.csv", "x": "u", "y": "v", "closed": True} if curve is None else curve
    at = at or ([0, 0.1, 0] if spatial else [0, 0.1])
    model = {"roberval": 1, "space": "spatial" if spatial else "planar", "bodies": {"part": body(at, spatial, **({"markers": second} if second else {}))},
             "joints": {"j": {"type": "cam", "between": ["ground", "part.B" if second else "part"], "curve": curve, **(more or {})}}, "motion": MOTION}
    return model


POINT = {"type": "revolute"}
PLANE = {
    "revolute": plane({"type": "revolute"}, (0, 0)), "prismatic": plane({"type": "prismatic"}, (0.3, 0)), "translational": plane({"type": "translational"}, (0.3, 0)), "fixed": plane({"type": "fixed"}, (0, 0)),
    "free": plane({"type": "free"}), "slot": plane({"type": "slot", "value": 0.1}, (0.3, 0.1)), "point": plane({"type": "point", "value": 0.1}, (0.3, 0.1)), "parallel": plane({"type": "parallel"}), "x": plane({"type": "x", "value": 0.3}), "y": plane({"type": "y", "value": 0.2}),
    "angle": plane({"type": "angle"}), "general": plane({"type": "general", "locked": ["x", "rz"]}, (0, 0.4)), "link": plane({"type": "link"}), "distance": plane({"type": "distance"}),
    "gear": wheels({"type": "gear"}, False, [0.1, 0.2]), "belt": wheels({"type": "belt"}, False, [0.05, 0.1]), "chain": wheels({"type": "chain", "crossed": True}, False, [0.05, 0.1]),
    "rack": {"roberval": 1, "space": "planar", "bodies": {"ground": {"markers": {"P": [0, 0.1]}}, "pinion": body([0, 0.1], False), "bar": body([0.05, 0], False)},
             "joints": {"pin": {"type": "revolute", "between": ["ground.P", "pinion"]}, "way": {"type": "prismatic", "between": ["ground", "bar"]},
                        "j": {"type": "rack", "between": ["bar", "pinion"], "radius": 0.1}}, "initial": {"pin.angle'": 2}, "motion": MOTION},
    "cam": cam(None), "knife-edge": plane({"type": "knife-edge"}), "wheel": plane({"type": "wheel"}),
}
FLAT = {"at": [0, 0, 0]}
SPACE = {
    "revolute": space({"type": "revolute"}, (0, 0, 0)), "prismatic": space({"type": "prismatic"}, (0, 0.2, 0.2)), "translational": space({"type": "translational"}, (0, 0.2, 0.2)), "cylindrical": space({"type": "cylindrical"}, (0, 0.2, 0.2)),
    "spherical": space({"type": "spherical"}, (0, 0, 0)), "constant-velocity": space({"type": "constant-velocity"}, (0, 0, 0)), "screw": space({"type": "screw", "pitch": 0.02}, (0, 0.2, 0.2)),
    "universal": space({"type": "universal", "between": ["ground.A", "part.D"]}, (0, 0, 0), {"bodies": {"ground": {"markers": {"A": {"at": [0, 0, 0], "axis": [0, 1, 1]}}}, "part": body([0, 0, 0], True, markers={"D": {"at": [0, 0, 0], "axis": [1, 0, 0]}, "C": [0.3, 0.1, 0]})}}),
    "planar": space({"type": "planar"}, (0.3, 0.1, -0.1)), "fixed": space({"type": "fixed"}, (0, 0, 0)), "free": space({"type": "free"}), "inline": space({"type": "inline"}, (0, 0.2, 0.2)), "inplane": space({"type": "inplane"}, (0.3, 0.1, -0.1)), "point": space({"type": "point"}, (0.3, 0.1, -0.1)),
    "parallel": space({"type": "parallel"}), "x": space({"type": "x", "value": 0.3}, first=FLAT), "y": space({"type": "y", "value": 0.2}, first=FLAT), "z": space({"type": "z", "value": 0.1}, first=FLAT),
    "perpendicular": space({"type": "perpendicular", "between": ["ground.A", "part.D"]}, (0, 0, 0), {"bodies": {"ground": {"markers": {"A": {"at": [0, 0, 0], "axis": [0, 1, 1]}}}, "part": body([0.1, 0, 0], True, markers={"D": {"at": [0, 0, 0], "axis": [1, 0, 0]}})}}),
    "general": space({"type": "general", "locked": ["x", "rx", "ry"]}, (0, 0.2, 0.1), first=FLAT), "link": space({"type": "link"}), "distance": space({"type": "distance"}),
    "gear": wheels({"type": "gear"}, True, [0.1, 0.2], (0.3, 0, 0)), "belt": wheels({"type": "belt"}, True, [0.05, 0.1], (0.3, 0, 0)), "chain": wheels({"type": "chain"}, True, [0.05, 0.1], (0.3, 0, 0)),
    "bevel": wheels({"type": "bevel"}, True, [0.2, 0.1], (0.2, 0, 0.1), [1, 0, 0]), "worm": wheels({"type": "worm", "pitch": 0.05}, True, [0.1, 0.2], (0.3, 0, 0), [0, 1, 0]),
    "rack": {"roberval": 1, "space": "spatial", "bodies": {"ground": {"markers": {"P": [0, 0.1, 0], "W": {"at": [0, 0, 0], "axis": [1, 0, 0]}}}, "pinion": body([0, 0.1, 0], True), "bar": body([0.05, 0, 0], True, markers={"W": {"at": [0, 0, 0], "axis": [1, 0, 0]}})},
             "joints": {"pin": {"type": "revolute", "between": ["ground.P", "pinion"]}, "way": {"type": "prismatic", "between": ["ground.W", "bar.W"]},
                        "j": {"type": "rack", "between": ["bar", "pinion"], "radius": 0.1}}, "initial": {"pin.angle'": 2}, "motion": MOTION},
    "cam": cam(None, spatial=True), "knife-edge": space({"type": "knife-edge"}, (0.3, 0.2, 0), first=FLAT),
    "wheel": space({"type": "wheel", "radius": 0.1, "between": ["ground", "part.D"]}, more={"bodies": {"part": body([0.3, 0.2, 0.1], True, markers={"D": {"at": [0, 0, 0], "axis": [0, 1, 0]}})}}),
    "ball": space({"type": "ball", "radius": 0.1, "between": ["ground", "part"]}, (0.3, 0.2, 0.1)),
}
CURVES = {  # other cams
    "flat": cam(None, {"flat": True}), "curve": cam(None, {"curve2": {"file": "circle.csv", "x": "u", "y": "v", "closed": True}}, at=[0, 0.2]),
    "wire": cam({"file": "helix.csv", "x": "u", "y": "v", "z": "w"}, spatial=True, at=[0.2 * math.cos(1.5), 0.2 * math.sin(1.5), 0.3]),
    "bowl": cam({"file": "profile.csv", "x": "u", "y": "v", "revolved": True}, spatial=True, at=[0.2, 0, 0.04]),
}
LOCKED_POINT = ("revolute", "fixed", "spherical", "universal", "constant-velocity")


def kinds(space_of):
    """names of the kinds in the program's own table"""
    text = (Path(__file__).parent.parent / "src" / "model" / "model" / "kinds.c").read_text(encoding="utf-8")
    return {m[1] for m in re.finditer(r'^    \{"([a-z-]+)",\s+(BOTH|PLANE|SPACE),', text, re.M) if m[2] in ("BOTH", space_of)}


class Gallery(cli.Case):
    def draw(self, model, command="simulate", *flags):
        done = cli.run_model(model, command, *flags, files=FILES)
        self.assertEqual(done.code, 0, done.said())
        jsonschema.validate(done.scene, pictures.SCHEMA)
        return pictures.Picture(done)

    def near_point(self, a, b, what):
        self.assertLess(np.linalg.norm(np.asarray(a) - np.asarray(b)), FIT, what)

    def on_markers(self, picture, name, kind):
        """the symbol stands on the joint's second marker, and where the joint holds a point on both"""
        _, thing = picture.thing(name)
        shown = [f for f in picture.of(name) if f["role"] != "ground"]
        if kind == "free":    # it holds nothing: its name alone
            self.assertEqual(picture.of(name), [])
            return
        self.assertTrue(shown, f"{kind} is not drawn")
        second = picture.scene["markers"][thing["markers"][1]]["on"]
        for sample in range(picture.samples):
            ends = [picture.marker(m, sample) for m in thing["markers"]]
            if kind in LOCKED_POINT:
                self.near_point(ends[0], ends[1], kind)
            spans = [f for f in shown if isinstance(f["on"], list)]
            for f in spans:
                for end, place in zip(ends, picture.places(f, sample)):
                    self.near_point(end, place, f"{kind} {f['kind']}")
            own = [f for f in shown if f["on"] == second]
            middles = [picture.middle(f, sample) for f in own]
            corners = [p for f in own for p in picture.places(f, sample)]
            nearest = min([np.linalg.norm(m - ends[1]) for m in middles], default=0 if spans else np.inf)
            if kind == "perpendicular":   # a rod of each from there
                nearest = min(np.linalg.norm(p - ends[1]) for p in corners)
            if kind in ("parallel", "angle"):   # two strokes at its sides
                nearest = np.linalg.norm(np.mean(middles, axis=0) - ends[1])
            if kind == "fixed":   # a corner: its right angle lies square to the marker
                nearest = min(np.linalg.norm(p - ends[1]) for p in corners + middles) - 0.7 * picture.scene["symbol"]
            self.assertLess(nearest, FIT if kind != "cam" else 1e-3, f"{kind} at sample {sample}")

    def test_every_joint_kind_is_here(self):
        self.assertEqual(set(PLANE), kinds("PLANE"))
        self.assertEqual(set(SPACE), kinds("SPACE"))

    @cli.long
    def test_joints_of_the_plane(self):
        for kind, model in PLANE.items():
            with self.subTest(kind):
                self.on_markers(self.draw(model, "assemble" if kind == "wheel" else "simulate"), "j", kind)

    @cli.long
    def test_joints_of_space(self):
        for kind, model in SPACE.items():
            with self.subTest(kind):
                self.on_markers(self.draw(model), "j", kind)

    def test_wheels_touch_and_stand_on_their_markers(self):
        for space_name, gallery in (("plane", PLANE), ("space", SPACE)):
            for kind in ("gear", "bevel", "belt", "chain"):
                if kind not in gallery:
                    continue
                with self.subTest(f"{kind} {space_name}"):
                    picture = self.draw(gallery[kind])
                    _, thing = picture.thing("j")
                    drawn = picture.of("j", "wheel")
                    self.assertEqual(len(drawn), 2)
                    for sample in range(picture.samples):
                        ends = [picture.marker(m, sample) for m in thing["markers"]]
                        for f, end in zip(drawn, ends):
                            self.near_point(picture.middle(f, sample), end, kind)
                        if kind == "gear":
                            self.assertLess(abs(np.linalg.norm(ends[1] - ends[0]) - drawn[0]["radius"] - drawn[1]["radius"]), FIT)
                    strand = picture.of("j", "strand")
                    self.assertEqual([f["radii"] for f in strand], [[f["radius"] for f in drawn]] * (kind in ("belt", "chain")))

    def test_a_rack_passes_its_pinion(self):
        """its teeth lie around the pitch line, which touches the pinion's circle"""
        for gallery in (PLANE, SPACE):
            picture = self.draw(gallery["rack"])
            wheel, teeth = picture.of("j", "wheel")[0], picture.of("j", "line")[0]
            for sample in range(picture.samples):
                centre, points = picture.middle(wheel, sample), np.array(picture.places(teeth, sample))
                heights = points[:, 1] - centre[1] + wheel["radius"]
                self.assertLess(abs(heights.max() + heights.min()), FIT)        # as far above the pitch line as below
                self.assertLess(heights.max(), 0.2 * wheel["radius"])
                self.assertLess(points[:, 0].min(), centre[0])
                self.assertGreater(points[:, 0].max(), centre[0])

    def test_cams_lie_on_their_curves(self):
        for name, model in {"point": PLANE["cam"], **CURVES}.items():
            with self.subTest(name):
                picture = self.draw(model)
                curves = [f for f in picture.of("j", "line", "mesh") if len(f.get("points", f.get("vertices"))) > 4]
                self.assertEqual(len(curves), 2 if name == "curve" else 1)
                for f in curves:
                    for p in f.get("points", f.get("vertices")):
                        r = math.hypot(p[0], p[1])
                        off = abs(p[2] - r * r) if name == "bowl" else abs(r - 0.2) if name == "wire" else abs(r - 0.1)
                        self.assertLess(off, 2e-5, name)  # a spline through 48 points of a circle, or 60 of a helix, is off by (h/R)^4/384 of the radius
                if name == "flat":
                    line = next(f for f in picture.of("j", "line") if len(f["points"]) == 2)
                    for sample in range(picture.samples):
                        a, b = picture.places(line, sample)
                        self.near_point(0.5 * (a + b), picture.marker(picture.thing("j")[1]["markers"][1], sample), name)

    LOADS = {
        "force": ({"type": "force", "to": "part.C", "value": ["3 N", "4 N"]}, "arrow"), "torque": ({"type": "torque", "to": "part", "value": 2}, "turning"),
        "spring": ({"type": "spring", "between": ["ground.A", "part.C"], "stiffness": 100, "free_length": 0.2, "damping": 3}, "coil"),
        "torsion-spring": ({"type": "torsion-spring", "joint": "j", "stiffness": 2}, "turning"), "bushing": ({"type": "bushing", "between": ["ground.A", "part.C"], "stiffness": [1, 1, 1], "damping": [0, 0, 0]}, "line"),
        "rotating-frame": ({"type": "rotating-frame", "speed": 3}, "turning"), "field": ({"type": "field", "acceleration": ["1", "0"]}, "arrow"), "energy": ({"type": "energy", "value": "x(part.C)^2"}, "circle"),
    }

    @cli.long
    def test_every_load_is_drawn(self):
        text = (Path(__file__).parent.parent / "src" / "model" / "model" / "kinds.c").read_text(encoding="utf-8")
        self.assertEqual(set(self.LOADS), set(re.findall(r'\] =\s+\{"([a-z-]+)",\s+BOTH', text)))
        for kind, (load, figure) in self.LOADS.items():
            for spatial in (False, True):
                with self.subTest(f"{kind} {'space' if spatial else 'plane'}"):
                    load = dict(load)
                    if spatial and kind in ("force", "field", "torque"):
                        key = "acceleration" if kind == "field" else "value"
                        load[key] = [0, 0, 2] if kind == "torque" else [*load[key], 0]
                    if spatial and kind == "bushing":
                        load["stiffness"], load["damping"], figure = [1] * 6, [0] * 6, "box"
                    if spatial and kind == "energy":
                        figure = "sphere"
                    base = space(POINT, (0, 0, 0), first={"at": [0, 0, 0], "axis": [0, 1, 0]}) if spatial else plane(POINT, (0, 0))
                    picture = self.draw({**base, "loads": {"l": load}})
                    drawn = picture.of("l", figure)
                    self.assertTrue(drawn, f"{[f['kind'] for f in picture.of('l')]}")
                    self.assertTrue(all(f["role"] in ("load", "ground") for f in picture.of("l") if f["role"] != "symbol"))
                    _, thing = picture.thing("l")
                    for sample in range(picture.samples):
                        if kind == "force":
                            at = picture.point(drawn[0]["on"], drawn[0]["at"], sample)
                            self.near_point(at, picture.marker(thing["point"], sample), kind)
                            way = picture.direction(drawn[0].get("along", drawn[0]["on"]), drawn[0]["axis"], sample)
                            self.near_point(way, [0.6, 0.8, 0], kind)
                        if kind == "spring":
                            for f in picture.of("l", "coil", "damper"):
                                for m, p in zip(thing["markers"], picture.places(f, sample)):
                                    self.near_point(picture.marker(m, sample), p, kind)

    def test_drives_and_stops(self):
        turning = self.draw({**plane(POINT, (0, 0)), "drives": {"d": {"coordinate": "j.angle", "motion": "t"}}}, "inverse")
        self.assertEqual([f["axis"] for f in turning.of("d", "turning")], [[0, 0, 1]])
        sliding = self.draw({**plane({"type": "prismatic"}, (0.3, 0)), "drives": {"d": {"coordinate": "j.distance", "motion": "0.3 + t"}}, "stops": {"s": {"coordinate": "j.distance", "min": 0.1, "max": 0.7}}}, "inverse")
        arrow = sliding.of("d", "arrow")[0]
        for sample in range(sliding.samples):
            self.near_point(sliding.point(arrow["on"], arrow["at"], sample), [0.3 + 0.005 * sample, 0, 0], "arrow")
            self.near_point(sliding.direction(arrow.get("along", arrow["on"]), arrow["axis"], sample), [1, 0, 0], "arrow")
        sleeve = 0.6 * sliding.scene["symbol"]     # half the block that is drawn: its faces meet the buffers
        buffers = [sliding.places(f, 0) for f in sliding.of("s", "line") if f["closed"]]
        self.near_point(sorted(min((abs(p[0] - 0.4), p[0]) for p in b)[1] for b in buffers), [0.1 - sleeve, 0.7 + sleeve], "stops stand at their limits")
        ram = self.draw({**plane({"type": "revolute"}, (0, 0)), "drives": {"d": {"coordinate": "distance(ground.Q, part.C)", "motion": "0.5 + 0.1*t"}},
                         "bodies": {"ground": {"markers": {"A": [0, 0], "Q": [0.2, -0.3]}}, "part": body([0, 0], False, markers={"B": [0, 0], "C": [0.3, 0.1]})}}, "inverse")
        for sample in range(ram.samples):
            ends = ram.places(ram.of("d", "damper")[0], sample)
            self.assertLess(abs(np.linalg.norm(ends[1] - ends[0]) - 0.5 - 0.0005 * sample), FIT)

    def test_what_holds_one_direction_rolls_on_ground(self):
        """x, y, z: a roller touches a line (in space a plate) of ground that is square to the direction held."""
        for kind, axis in (("x", 0), ("y", 1)):
            picture = self.draw(PLANE[kind])
            pin, = picture.of("j", "circle")
            surface = next(f for f in picture.of("j", "line") if f["role"] == "symbol")
            for sample in range(picture.samples):
                a, b = picture.places(surface, sample)
                self.assertLess(abs((b - a)[axis]), FIT)
                self.assertLess(abs(picture.point(pin["on"], pin["at"], sample)[axis] - a[axis] - pin["radius"]), FIT, kind)
            self.assertTrue([f for f in picture.of("j") if f["role"] == "ground"])
        for axis, kind in enumerate("xyz"):
            picture = self.draw(SPACE[kind])
            ball, = picture.of("j", "sphere")
            plate, = [f for f in picture.of("j", "box") if f["role"] == "ground"]
            top = np.array(plate["at"]) + pictures.rotated(plate["turn"], np.array([0, 0, plate["size"][2] / 2]))
            for sample in range(picture.samples):
                self.assertLess(abs(picture.point(ball["on"], ball["at"], sample)[axis] - top[axis] - ball["radius"]), FIT, kind)

    def test_what_rolls_touches_its_plane(self):
        for kind, radius in (("wheel", 0.1), ("ball", 0.1), ("knife-edge", 0)):
            picture = self.draw(SPACE[kind], "assemble" if kind == "wheel" else "simulate")
            plate, = [f for f in picture.of("j", "box") if f["role"] == "ground"]
            top = plate["at"][2] + plate["size"][2] / 2
            self.assertLess(abs(top), FIT)
            self.near_point(plate["at"][:2], [0.3, 0.2], "under the second")
            self.assertLess(abs(picture.marker(picture.thing("j")[1]["markers"][1], 0)[2] - radius), FIT)

    def test_teeth_mesh(self):
        """At the pitch point, at every sample: where a tooth of one wheel stands the other has a gap, half a pitch from its teeth. A tooth stands along the x of a wheel's figure."""
        ring = wheels({"type": "gear", "internal": True}, False, [0.1, 0.4], (0.3, 0))
        turned = wheels({"type": "gear"}, False, [0.1, 0.2], (0.18, 0.24))
        toothed = wheels({"type": "gear", "teeth": [17, 34]}, True, None, (0.3, 0, 0))
        for model in (PLANE["gear"], SPACE["gear"], ring, turned, toothed):
            picture = self.draw(model)
            one, two = picture.of("j", "wheel")
            pitch = 2 * np.pi * one["radius"] / one["teeth"]
            self.assertLess(abs(pitch - 2 * np.pi * two["radius"] / two["teeth"]), 1e-9)
            for sample in range(picture.samples):
                c1, c2 = (picture.point(f["on"], f["at"], sample) for f in (one, two))
                way = (c2 - c1) / np.linalg.norm(c2 - c1)
                touch = c1 + one["radius"] * (way if not (one["internal"] or two["internal"]) or one["radius"] > two["radius"] else -way)
                tangent = np.array([-way[1], way[0], 0])
                offset = []                # of the nearest tooth from the pitch point, along the tangent
                for f, c in ((one, c1), (two, c2)):
                    x = picture.direction(f["on"], pictures.rotated(f["turn"], np.array([1.0, 0, 0])), sample)
                    r = touch - c
                    angle = np.arctan2(np.cross(r, x)[2], np.dot(r, x))     # from the pitch point to a tooth
                    step = 2 * np.pi / f["teeth"]
                    angle -= step * round(angle / step)
                    offset.append(angle * np.dot(np.cross([0, 0, 1], r), tangent))
                apart = (offset[0] - offset[1]) / pitch
                self.assertLess(abs(abs(apart - round(apart)) - 0.5), 1e-6, f"sample {sample}: teeth are {apart} pitches apart")
        rack = self.draw(PLANE["rack"])
        pinion, = rack.of("j", "wheel")
        teeth, = [f for f in rack.of("j", "line") if len(f["points"]) > 8]
        for sample in range(rack.samples):
            c = rack.point(pinion["on"], pinion["at"], sample)
            corners = np.array(rack.places(teeth, sample))
            centres = corners.reshape(-1, 4, 3).mean(axis=1)[:, 0]
            x = rack.direction(pinion["on"], pictures.rotated(pinion["turn"], np.array([1.0, 0, 0])), sample)
            angle = np.arctan2(x[0], -x[1])          # from straight down to a tooth, counterclockwise as x grows
            pitch = 2 * np.pi * pinion["radius"] / pinion["teeth"]
            gap = c[0] + pinion["radius"] * angle + pitch / 2
            apart = (gap - centres[0]) / pitch
            self.assertLess(abs(apart - round(apart)), 1e-6, f"rack at sample {sample}")

    def test_constraints_tie_bodies(self):
        model = {**plane(POINT, (0, 0)), "bodies": {"ground": {"markers": {"A": [0, 0], "Q": [0, -0.2]}}, "part": body([0, 0], False, markers={"B": [0, 0], "C": [0.3, 0.1]}), "block": body([0.3, -0.2], False)},
                 "joints": {"j": {"type": "revolute", "between": ["ground.A", "part.B"]}, "way": {"type": "prismatic", "between": ["ground.Q", "block"]}},
                 "constraints": {"c": {"equation": "x(part.C) - x(block)"}}}
        picture = self.draw(model)
        tie, = picture.of("c", "bar")
        for sample in range(picture.samples):
            c, block = picture.places(tie, sample)
            self.assertLess(abs(c[0] - block[0]), FIT)          # what the equation says
            self.near_point(block, [block[0], -0.2, 0], "on the block")

    def test_ground_is_hatched(self):
        for kind in ("revolute", "prismatic", "fixed", "slot", "link"):
            picture = self.draw(PLANE[kind])
            self.assertTrue([f for f in picture.of("j") if f["role"] == "ground" and f["on"] == 0], kind)
        loose = {**plane(POINT, (0, 0)), "joints": {"j": {"type": "revolute", "between": ["part.B", "other"]}}}
        loose["bodies"] = {**loose["bodies"], "other": body([0, 0], False)}
        self.assertEqual([f for f in self.draw(loose).scene["figures"] if f["role"] == "ground"], [])


def area(points):
    x, y = np.array(points)[:, 0], np.array(points)[:, 1]
    return 0.5 * abs(np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1)))


class Shapes(cli.Case):
    """Drawn shapes have the masses of the model: area times thickness times density, volume times density."""

    def drawn(self, shape, spatial, files=None, **more):
        part = {**shape, "density": 1000, **({} if spatial else {"thickness": 0.01}), **more}
        parts = [part] if not more.get("void") else [{("box" if spatial else "rectangle"): {"at": [0] * (3 if spatial else 2), **({"size": [5, 5, 5]} if spatial else {"width": 5, "height": 5})}, "density": 1000, **({} if spatial else {"thickness": 0.01})}, part]
        done = cli.run_model({"roberval": 1, "space": "spatial" if spatial else "planar", "bodies": {"b": {"shape": parts}}, "joints": {"j": {"type": "revolute", "between": ["ground", "b"]}}}, "check", files=files)
        self.assertEqual(done.code, 0, done.said())
        jsonschema.validate(done.scene, pictures.SCHEMA)
        return [f for f in done.scene["figures"] if f["role"] in ("substance", "void")], done.scene["bodies"][1]["mass"]

    @cli.long
    def test_the_plane(self):
        n = 24                                                                # corners of a half circle
        half = 0.5 * 0.2 ** 2 * n * math.sin(math.pi / n)
        shapes = {"rod": ({"from": [0, 0], "to": [0.3, 0.4], "height": 0.02}, 0.01), "rectangle": ({"at": [0.1, 0.2], "width": 0.3, "height": 0.1}, 0.03), "triangle": ({"at": [0, 0], "base": 0.3, "height": 0.2, "angle": 0.5}, 0.03),
                  "disk": ({"at": [0.1, 0], "radius": 0.2}, math.pi * 0.04), "semicircle": ({"at": [0, 0], "radius": 0.2, "angle": 1}, half),
                  "polygon": ({"points": [[0, 0], [0.4, 0], [0.4, 0.3], [0.1, 0.5]]}, None)}
        for name, (keys, size) in shapes.items():
            for void in (False, True):
                with self.subTest(name, void=void):
                    figures, mass = self.drawn({name: keys}, False, **({"void": True} if void else {}))
                    f = figures[-1]
                    self.assertEqual(f["role"], "void" if void else "substance")
                    drawn = math.pi * f["radius"] ** 2 if f["kind"] == "circle" else area(f["points"])
                    own = 250 - mass if void else mass
                    exact = drawn / size * math.pi * 0.02 if name == "semicircle" else drawn  # the polygon in the half circle
                    self.near(10 * exact, own, 1e-9 * own + 1e-13 * 250, name)
        rings, mass = self.drawn({"ring": {"at": [0, 0], "radius": 0.2, "width": 0.05}}, False)
        self.assertEqual([f["role"] for f in rings], ["substance", "void"])
        self.near(10 * math.pi * (rings[0]["radius"] ** 2 - rings[1]["radius"] ** 2), mass, 1e-9, "ring")

    def test_space(self):
        shapes = {"box": {"at": [0.1, 0, 0], "size": [0.1, 0.2, 0.3], "rotate": {"axis": [1, 1, 0], "angle": 0.4}}, "cylinder": {"from": [0, 0, 0], "to": [0.3, 0.4, 0], "radius": 0.1},
                  "cone": {"from": [0, 0, 0], "to": [0, 0.4, 0.3], "radius": 0.1}, "sphere": {"at": [0.1, 0, 0], "radius": 0.2}}
        for name, keys in shapes.items():
            with self.subTest(name):
                (f,), mass = self.drawn({name: keys}, True)
                self.assertEqual(f["kind"], name)
                length = math.dist(f.get("from", [0]), f.get("to", [0]))
                volume = {"box": lambda: math.prod(f["size"]), "cylinder": lambda: math.pi * f["radius"] ** 2 * length, "cone": lambda: math.pi * f["radius"] ** 2 * length / 3,
                          "sphere": lambda: 4 * math.pi / 3 * f["radius"] ** 3}[name]()
                self.near(1000 * volume, mass, 1e-9 * mass, name)
                if name == "box":
                    self.near(f["turn"], [math.cos(0.2), math.sin(0.2) / math.sqrt(2), math.sin(0.2) / math.sqrt(2), 0], 1e-12, name)

    def test_meshes(self):
        """volume of a tetrahedron by the divergence of its triangles; those that face inwards are turned; corners are shared"""
        p = [(0, 0, 0), (0.3, 0, 0), (0, 0.4, 0), (0, 0, 0.5)]
        for faces in ([(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)], [(0, 1, 2), (0, 3, 1), (0, 2, 3), (1, 3, 2)]):
            text = "solid s\n" + "".join("facet normal 0 0 0\nouter loop\n" + "".join("vertex %r %r %r\n" % p[k] for k in face) + "endloop\nendfacet\n" for face in faces) + "endsolid s\n"
            (f,), mass = self.drawn({"mesh": {"file": "s.stl", "scale": 1}}, True, files={"s.stl": text})
            self.assertEqual(len(f["vertices"]), 4)
            v = np.array(f["vertices"])
            volume = sum(np.dot(v[a], np.cross(v[b], v[c])) for a, b, c in f["triangles"]) / 6
            self.near(1000 * volume, mass, 1e-12 * mass, "mesh")
            self.near(mass, 1000 * 0.3 * 0.4 * 0.5 / 6, 1e-9, "mesh")

    def test_thin_rods(self):
        for spatial in (False, True):
            ends = {"from": [0.1] * (3 if spatial else 2), "to": [0.5] * (3 if spatial else 2)}
            done = cli.run_model({"roberval": 1, "space": "spatial" if spatial else "planar", "bodies": {"b": {"shape": [{"rod": ends, "mass": 2}]}}, "joints": {"j": {"type": "revolute", "between": ["ground", "b"]}}}, "check")
            rods = [f for f in done.scene["figures"] if f["role"] == "substance"]
            self.assertEqual([f["kind"] for f in rods], ["line"], done.said())
            self.near(np.array(rods[0]["points"])[:, :3 if spatial else 2], [ends["from"], ends["to"]], 0, "rod")


class Outlines(cli.Case):
    def test_a_body_without_shapes_joins_its_points(self):
        """the hull of its joints' points and its centroid, counterclockwise; two points are a line, one is a dot"""
        model = {"roberval": 1, "space": "planar", "bodies": {"plate": {"mass": 1, "inertia": 1, "centroid": [0.5, 0.2], "markers": {"A": [0, 0], "B": [1, 0], "C": [0.5, 1], "D": [0.5, 0.4]}},
                                                              "rod": {"markers": {"A": [0, 0], "B": [1, 0]}, "pose": {"at": [1, 0]}}, "dot": {"particle": True, "mass": 1, "pose": {"at": [2, 0]}}},
                 "joints": {**{n: {"type": "revolute", "between": ["ground", f"plate.{n}"], "at": p} for n, p in (("A", [0, 0]),)}, "e": {"type": "revolute", "between": ["plate.B", "rod.A"]},
                            "f": {"type": "link", "between": ["ground", "plate.C"], "at": [2, 2]}, "g": {"type": "link", "between": ["ground", "plate.D"], "at": [2, 3]}, "h": {"type": "revolute", "between": ["rod.B", "dot"]}}}
        done = cli.run_model(model, "check")
        self.assertEqual(done.code, 0, done.said())
        own = {done.scene["bodies"][f["body"]]["name"]: f for f in done.scene["figures"] if f["role"] == "outline"}
        corners = [p[:2] for p in own["plate"]["points"]]
        self.assertEqual(sorted(corners), [[0, 0], [0.5, 1], [1, 0]])            # D and the centroid lie inside
        self.assertGreater(np.cross(*(np.array(corners[k]) - corners[0] for k in (1, 2))), 0)
        self.assertEqual((own["rod"]["points"], own["rod"]["closed"]), ([[0, 0, 0], [1, 0, 0]], False))
        self.assertEqual((own["dot"]["kind"], own["dot"]["at"]), ("circle", [0, 0, 0]))

    def test_the_scene_grows_with_the_model_alone(self):
        """chains of n and 2 n bodies: figures, things, markers and bytes double"""
        def chain(n):
            lines = ["roberval: 1", "space: planar", "bodies:"] + [f"  b{k:05d}: {{mass: 1, inertia: 1, pose: {{at: [{k}, 0]}}, markers: {{A: [0, 0], B: [1, 0]}}}}" for k in range(n)]
            lines += ["joints:"] + [f"  j{k:05d}: {{type: revolute, between: [{'ground' if k == 0 else f'b{k - 1:05d}.B'}, b{k:05d}.A]}}" for k in range(n)]
            return cli.run_model("\n".join(lines) + "\n", "check")
        small, large = chain(1000), chain(2000)
        self.assertEqual((small.code, large.code), (0, 0), small.said())
        for key, fixed in (("bodies", 1), ("markers", 1), ("things", 0), ("figures", 2)):   # ground; the triangle and hatching under the first pin
            self.assertEqual(len(large.scene[key]) - fixed, 2 * (len(small.scene[key]) - fixed), key)


class Axes(cli.Case):
    def test_components_turned_by_axes_are_those_of_ground(self):
        """components along the axes of the scene's marker, turned here, are what --frame ground prints; so are forces in a body's axes"""
        model = {"roberval": 1, "space": "spatial", "gravity": [0.3, -0.4, -9.81],
                 "bodies": {"ground": {"markers": {"A": {"at": [0, 0, 0], "axis": [1, 2, 3]}}},
                            "arm": {"mass": 2, "inertia": [0.1, 0.2, 0.25], "centroid": [0.3, 0.1, 0], "markers": {"A": {"at": [0, 0, 0], "axis": [1, 2, 3]}, "B": {"at": [0.5, 0.2, 0.1], "axis": [0, 1, 1], "x": [1, 0, 0]}}},
                            "hand": {"mass": 1, "inertia": [0.05, 0.05, 0.05], "pose": {"at": [0.5, 0.2, 0.1]}, "markers": {"B": {"at": [0, 0, 0], "axis": [0, 1, 1], "x": [1, 0, 0]}}}},
                 "joints": {"shoulder": {"type": "revolute", "between": ["ground.A", "arm.A"]}, "elbow": {"type": "revolute", "between": ["arm.B", "hand.B"]}},
                 "drives": {"one": {"coordinate": "shoulder.angle", "motion": "t + t^2"}, "two": {"coordinate": "elbow.angle", "motion": "2*t"}},
                 "loads": {"push": {"type": "force", "to": "hand", "value": [1, 2, 3], "frame": "body"}}, "motion": {"from": 0, "to": 1, "step": 0.1}}
        own, ground = cli.run_model(model, "inverse"), cli.run_model(model, "inverse", "--frame", "ground")
        picture = pictures.Picture(own)
        for name in ("shoulder", "elbow"):
            _, thing = picture.thing(name)
            self.assertIsNone(pictures.Picture(ground).thing(name)[1]["axes"])
            for sample in range(picture.samples):
                for letter in "FT":
                    v = [own.series[f"{name}.{letter}{c}"][sample] for c in "xyz"]
                    want = [ground.series[f"{name}.{letter}{c}"][sample] for c in "xyz"]
                    self.near(picture.marker_axis(thing["axes"], v, sample), want, 1e-9 * 60, name)
        _, push = picture.thing("push")
        for sample in range(picture.samples):
            self.near(picture.marker_axis(push["axes"], [1, 2, 3], sample), picture.direction(2, [1, 2, 3], sample), 1e-12, "push")


if __name__ == "__main__":
    cli.main()
