#!/usr/bin/python3
"""Curves of --svg, read back from the picture: the printed ticks give the scales, and with them every point of a path must lie on the series."""
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
FACTORS = {"N": 1, "kN": 1e3, "N.m": 1, "kN.m": 1e3, "m": 1, "mm": 1e-3, "deg": np.pi / 180, "s": 1, "J": 1, "1": 1, "rad/s": 1}
HALF_PIXEL = 0.11  # points are written to 0.01 px, and those nearer than 0.1 px to the last are left out

DOOR = os.path.join(cli.ROOT, "examples", "door", "door.yaml")
PENDULUM = """roberval: 1
title: "{title}"
space: planar
gravity: [0, -9.81]
bodies:
  bob: {{mass: 2000 kg, inertia: 30, centroid: [1, 0]}}
joints: {{pin: {{type: revolute, between: [ground, bob]}}}}
drives: {{motor: {{coordinate: pin.angle, motion: "0.5 * sin(2*t)"}}}}
motion: {{from: 0, to: 3, step: 10 ms}}
"""


def number(text):
    return float(text.replace("\u2212", "-"))


class Panel:
    """One panel: its box, its unit and the scale of its ticks."""

    def __init__(self, box, texts):
        self.left, self.top, self.width, self.height = (float(box.get(k)) for k in ("x", "y", "width", "height"))
        marks = [(float(t.get("y")) - 4, number(t.text)) for t in texts if t.get("text-anchor") == "end" and self.top - 1 < float(t.get("y")) - 4 < self.top + self.height + 1]
        self.per_px, self.zero = np.polyfit([y for y, _ in marks], [v for _, v in marks], 1)
        middle = self.top + self.height / 2
        units = [t.text for t in texts if t.get("transform") and abs(float(re.match(r"translate\(\S+ (\S+)\)", t.get("transform"))[1]) - middle) < 1]
        self.unit = units[0]

    def value(self, y):
        return (self.per_px * y + self.zero) * FACTORS[self.unit]


class Picture:
    def __init__(self, path):
        root = ElementTree.parse(path).getroot()
        texts = [t for t in root.iter(SVG + "text")]
        boxes = [r for r in root.iter(SVG + "rect") if r.get("stroke") == "#666666"]
        self.title = root.find(SVG + "title").text
        self.panels = [Panel(b, texts) for b in boxes]
        across = [(float(t.get("x")), number(t.text)) for t in texts if t.get("text-anchor") == "middle" and not t.get("transform") and re.fullmatch(r"[\u22120-9.e+-]+", t.text)]
        self.per_px, self.zero = np.polyfit([x for x, _ in across], [v for _, v in across], 1)
        name = [t.text for t in texts if t.get("text-anchor") == "middle" and " [" in t.text][0]
        self.across = re.match(r"(.*) \[(.*)\]$", name).groups()
        self.curves = {g.find(SVG + "title").text: g.findall(SVG + "path") for g in root.iter(SVG + "g") if g.get("class") == "curve"}
        self.texts = [t.text for t in texts]

    def points(self, name):
        panel = None
        for path in self.curves[name]:
            p = np.array([[float(a), float(b)] for a, b in re.findall(r"[ML](\S+) ([-0-9.]+)", path.get("d"))])
            panel = next(q for q in self.panels if q.top - 1 <= p[0, 1] <= q.top + q.height + 1)
            yield (self.per_px * p[:, 0] + self.zero) * FACTORS[self.across[1]], panel.value(p[:, 1]), panel


class Curves(cli.Case):
    def drawn(self, *args):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "curves.svg")
            done = cli.run([*args, "--svg", path])
            self.assertEqual(done.code, 0, done.said())
            return done, Picture(path)

    def lies_on(self, done, picture, name, across="time"):
        x, y = done.series[across], done.series[name]
        for xs, ys, panel in picture.points(name):
            allowed_x = HALF_PIXEL * abs(picture.per_px) * FACTORS[picture.across[1]]
            allowed_y = 2 * HALF_PIXEL * abs(panel.per_px) * FACTORS[panel.unit]
            slack = allowed_y + allowed_x * np.max(np.abs(np.diff(y) / np.diff(x)))
            self.near(ys, np.interp(xs, x, y), slack, name)
            self.assertLess(abs(xs[0] - x[0]) + abs(xs[-1] - x[-1]), 2 * allowed_x)

    def test_points_lie_on_the_series_in_units_with_prefixes(self):
        with tempfile.NamedTemporaryFile("w", suffix=".yaml") as model:
            model.write(PENDULUM.format(title="Swing"))
            model.flush()
            done, picture = self.drawn("inverse", model.name, "--only", "motor.effort", "--only", "pin.F[xy]", "--only", "bob.angle")
        self.assertEqual({p.unit for p in picture.panels}, {"kN.m", "kN", "deg"})
        self.assertEqual(set(picture.curves), {"motor.effort", "pin.Fx", "pin.Fy", "bob.angle"})
        for name in picture.curves:
            self.lies_on(done, picture, name)

    def test_values_that_are_not_unique_are_dashed_and_say_so(self):
        done, picture = self.drawn("inverse", DOOR, "--only", "top.Fz", "--only", "top.Fx")
        for name in ("top.Fz", "top.Fx"):
            dashed = all(p.get("stroke-dasharray") for p in picture.curves[name])
            self.assertEqual(dashed, done.marks[name] != "unique", name)
        self.assertIn("top.Fz (not unique)", picture.texts)

    def test_over_another_column_and_with_another_title(self):
        with tempfile.NamedTemporaryFile("w", suffix=".yaml") as model:
            model.write(PENDULUM.format(title="x"))
            model.flush()
            args = ["inverse", model.name, "--step", "0.7", "--to", "0.7"]
            done, picture = self.drawn(*args, "--only", "motor.effort", "--only", "bob.angle", "--x", "bob.angle", "--title", "A & B")
        self.assertEqual(picture.across, ("bob.angle", "deg"))
        self.assertEqual(picture.title, "A & B")
        self.lies_on(done, picture, "motor.effort", across="bob.angle")

    def test_titles_are_text_and_never_markup(self):
        with tempfile.NamedTemporaryFile("w", suffix=".yaml") as model:
            model.write(PENDULUM.format(title="</text><script>alert(1)</script> & \\u00e9"))
            model.flush()
            _, picture = self.drawn("inverse", model.name, "--only", "motor.effort")
        self.assertEqual(picture.title, "</text><script>alert(1)</script> & \u00e9")

    def test_options_without_a_picture_are_a_mistake(self):
        for args in (["--at", "0.1"], ["--view", "top"], ["--self-stress", "1"], ["--x", "time"], ["--title", "A"], ["--width", "300"]):
            done = cli.run(["inverse", DOOR, *args], out=False)
            self.assertEqual((done.code, done.out), (2, ""), args)
            self.assertIn("--svg FILE is missing", done.err)

    def test_standard_output_is_for_one_thing(self):
        done = cli.run(["inverse", DOOR, "--svg", "-"], out=False, quiet=False)
        self.assertEqual(done.code, 0, done.said())
        self.assertEqual(ElementTree.fromstring(done.out).tag, SVG + "svg")
        for args in (["--svg", "-", "--json"], ["--svg", "-", "--frames", "-"], ["--frames", "-", "--out", "-"]):
            done = cli.run(["inverse", DOOR, *args], out=False)
            self.assertEqual((done.code, done.out), (2, ""), args)
            self.assertIn("wants standard output for itself", done.err)

    def test_what_cannot_be_drawn_is_said(self):
        for args, words in (["--only", "nobody*"], "no column fits"), (["--only", "top.Fz", "--x", "nothing"], "no column 'nothing'"):
            with tempfile.TemporaryDirectory() as folder:
                done = cli.run(["inverse", DOOR, *args, "--svg", os.path.join(folder, "c.svg")], quiet=False)
                self.assertEqual((done.code, os.listdir(folder)), (2, []), done.said())
                self.assertIn(words, done.err)
        done = cli.run(["inverse", DOOR, "--only", "top.Fz", "--svg", "/nowhere/at/all.svg"])
        self.assertEqual(done.code, 1)
        self.assertIn("cannot write /nowhere/at/all.svg", done.err)


cli.main()
