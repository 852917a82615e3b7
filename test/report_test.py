#!/usr/bin/env python3
# ctest: joint
"""roberval report: the page holds what the files of --out hold, to the last bit, from a model and from a folder; names and texts of models are never markup; a machine that is wrong is shown; wrong calls are said."""
import base64
import bisect
import json
import math
import os
import re
import shutil
import struct
import sys
import tempfile
import unittest
from pathlib import Path

import jsonschema

sys.path.insert(0, str(Path(__file__).parent / "py"))
import cli              # noqa: E402
import pictures         # noqa: E402

DATA = re.compile(r'<script type="application/json" id="roberval-data">(.*?)</script>', re.S)
PRESS = """roberval: 1
title: 'Press </script><img src=x onerror=alert(1)> "quoted" \\ Ä 日本 &amp; <!-- '
space: planar
units: {length: mm}
gravity: [0, -9.81 m/s^2]
bodies:      # a comment with </script> and <b>
  ground: {markers: {O: [0, 0]}}
  crank: {mass: 2, inertia: 0.01, markers: {O: [0, 0], A: [50, 0]}, pose: {at: [0, 0], angle: 40 deg}}
  rod: {mass: 1, inertia: 0.01, markers: {A: [0, 0], B: [200, 0]}, pose: {at: [38, 32]}}
  piston: {mass: 1, inertia: 0.01, pose: {at: [235, 0]}, markers: {B: [0, 0]}}
joints:
  main: {type: revolute, between: [ground.O, crank.O]}
  pin: {type: revolute, between: [crank.A, rod.A]}
  wrist: {type: revolute, between: [rod.B, piston.B]}
  bore: {type: prismatic, between: [ground.O, piston.B]}
  again: {type: prismatic, between: [ground.O, piston.B]}
drives: {motor: {coordinate: main.angle, motion: "40[deg] + 2*pi*t"}}
loads: {work: {type: force, to: piston.B, value: ["-100*t", 0]}}
motion: {from: 0 s, to: 1 s, step: 0.02 s}
output: {ratio: "y(crank.A)/x(crank.A)", power: "motor.effort*main.angle'"}
"""
SHORT = """roberval: 1
title: A rod too short
space: planar
bodies:
  ground: {markers: {A: [0, 0], D: [1, 0]}}
  crank: {mass: 1, inertia: 0.1, markers: {A: [0, 0], B: [0.2, 0]}, pose: {at: [0, 0], angle: 60 deg}}
  rod: {mass: 1, inertia: 0.1, markers: {B: [0, 0], C: [0.3, 0]}, pose: {at: [0.1, 0.2]}}
  rocker: {mass: 1, inertia: 0.1, markers: {D: [0, 0], C: [0.2, 0]}, pose: {at: [1, 0], angle: 120 deg}}
joints:
  A: {type: revolute, between: [ground.A, crank.A]}
  B: {type: revolute, between: [crank.B, rod.B]}
  C: {type: revolute, between: [rod.C, rocker.C]}
  D: {type: revolute, between: [ground.D, rocker.D]}
motion: {from: 0 s, to: 1 s, step: 0.1 s}
"""
LOCK = SHORT.replace("[0.2, 0]}, pose: {at: [0, 0], angle: 60 deg}", "[0.5, 0]}, pose: {at: [0, 0], angle: 30 deg}").replace("C: [0.3, 0]}, pose: {at: [0.1, 0.2]}", "C: [0.6, 0]}, pose: {at: [0.43, 0.25]}")
LOCK = LOCK.replace("C: [0.2, 0]}", "C: [0.4, 0]}").replace("motion:", 'drives: {motor: {coordinate: A.angle, motion: "pi/6 + 2*t"}}\nmotion:').replace("0.1 s", "0.02 s")


class Report(cli.Case):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="rbv-report-")
        self.addCleanup(shutil.rmtree, self.folder)

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as f:
            f.write(text)
        return self.path(name)

    def call(self, *args, code=0):
        done = cli.run(args, cwd=self.folder, out=False, quiet=False)
        self.assertEqual(done.code, code, done.said())
        return done

    def page(self, name):
        with open(self.path(name), encoding="utf-8") as f:
            text = f.read()
        (data,) = DATA.findall(text)
        self.assertNotIn("<", data)
        document = json.loads(data)
        for result in document["results"]:
            jsonschema.validate(result["scene"], pictures.SCHEMA)
        return document

    def columns(self, result):
        series = result["series"]
        raw, n = base64.b64decode(series["data"]), series["samples"]
        self.assertEqual(len(raw), 8 * n * len(series["columns"]))
        return {c["name"]: struct.unpack(f"<{n}d", raw[8 * n * k: 8 * n * (k + 1)]) for k, c in enumerate(series["columns"])}

    def bits(self, values):
        return struct.pack(f"<{len(values)}d", *values)

    def test_the_page_holds_what_the_files_hold(self):
        self.write("press.yaml", PRESS)
        self.call("inverse", "press.yaml", "--out", "out", "--quiet")
        self.assertEqual(self.call("report", "press.yaml").out, "wrote press.html\n")
        self.assertEqual(self.call("report", "out").out, "wrote out/report.html\n")
        at_once, later = self.page("press.html"), self.page("out/report.html")
        self.assertEqual(at_once, later)
        (result,) = at_once["results"]
        for part in ("scene", "result"):
            with open(self.path(f"out/{part}.json"), encoding="utf-8") as f:
                self.assertEqual(result[part], json.load(f))
        with open(self.path("out/series.csv"), encoding="utf-8") as f:
            head, *rows = [line.rstrip("\n").split(",") for line in f]
        own = self.columns(result)
        self.assertEqual([m[1] for m in map(re.compile(r"([^ ]+)").match, head)], list(own))
        for k, name in enumerate(own):
            self.assertEqual(self.bits(own[name]), self.bits([float(row[k]) for row in rows]), name)
        verdicts = {c["name"]: (c["unit"], c["verdict"]) for c in result["series"]["columns"]}
        self.assertEqual(verdicts["bore.Fy"], ("N", "not unique"))
        self.assertEqual(verdicts["main.Fx"], ("N", "unique"))
        self.assertEqual(verdicts["motor.effort"], ("N.m", "unique"))
        self.assertEqual(verdicts["crank.angle"], ("rad", None))
        self.assertEqual(verdicts["power"], ("W", "unique"))

    def test_out_may_be_a_folder_where_the_page_has_the_name_of_the_model(self):
        self.write("press.v2.yaml", PRESS)
        self.call("check", "press.v2.yaml", "--out", "run.2", "--quiet")
        os.mkdir(self.path("pages.d"))
        for call, path in ((("press.v2.yaml", "--out", "pages.d"), "pages.d/press.v2.html"), (("press.v2.yaml", "--out", "pages.d/"), "pages.d/press.v2.html"), (("press.v2.yaml",), "press.v2.html"),
                           (("run.2", "--out", "pages.d"), "pages.d/run.2.html"), (("run.2/", "--out", "pages.d"), "pages.d/run.2.html"), (("run.2/",), "run.2/report.html")):
            with self.subTest(call=call):
                self.assertEqual(self.call("report", *call).out, f"wrote {path}\n")
                self.assertEqual(len(self.page(path)["results"]), 1)
                os.remove(self.path(path))
        self.assertIn("cannot write none/: No such file or directory", self.call("report", "run.2", "--out", "none/", code=1).err)

    def test_texts_of_a_model_are_never_markup(self):
        self.write("press.yaml", PRESS)
        self.call("report", "press.yaml", "--out", "page.html")
        with open(self.path("page.html"), encoding="utf-8") as f:
            text = f.read()
        self.assertNotIn("<img", text[text.index("roberval-data"):])
        self.assertNotIn("onerror=alert(1)>", re.sub(DATA, "", text))
        scene = self.page("page.html")["results"][0]["scene"]
        self.assertEqual(scene["title"], 'Press </script><img src=x onerror=alert(1)> "quoted" \\ Ä 日本 &amp; <!-- ')
        self.assertEqual(scene["text"], PRESS)
        self.assertEqual(scene["units"], {"length": "mm"})
        lines = PRESS.split("\n")
        for thing in scene["things"] + scene["bodies"][1:]:
            self.assertIn(thing["name"] + ":", lines[thing["line"] - 1])

    def test_columns_without_values_come_back(self):
        """cells that are empty in series.csv are NaN in the page"""
        self.write("press.yaml", PRESS.replace("y(crank.A)/x(crank.A)", "if(t < 0.5, 1, 0)").replace("motion: {from", "coordinates: {c: x(crank.A)}\nmotion: {from"))
        self.call("statics", "press.yaml", "--out", "out", "--quiet")
        self.call("report", "out")
        self.call("report", "press.yaml", "--analysis", "statics")
        one, two = self.page("press.html")["results"][0], self.page("out/report.html")["results"][0]
        self.assertEqual(one, two)

    def test_units_of_the_model(self):
        """what was written in the model's units is read in SI again, and the page is told to begin in them"""
        self.write("press.yaml", PRESS)
        self.call("inverse", "press.yaml", "--out", "out", "--units", "model", "--quiet")
        self.call("report", "out")
        self.call("report", "press.yaml", "--units", "model")
        self.assertEqual(self.page("press.html")["units"], "model")
        one, two = (self.columns(self.page(name)["results"][0]) for name in ("press.html", "out/report.html"))
        for name in one:
            self.near(two[name], one[name], [1e-14 * max(1, abs(v)) for v in one[name]], name)      # 15 digits
        self.assertEqual(*([c["unit"] for c in self.page(name)["results"][0]["series"]["columns"]] for name in ("press.html", "out/report.html")))

    def test_only_some_columns(self):
        self.write("press.yaml", PRESS)
        self.call("report", "press.yaml", "--only", "main*")
        names = list(self.columns(self.page("press.html")["results"][0]))
        self.assertEqual([n for n in names if n.endswith((".x", ".y", ".angle"))], [f"{b}.{c}" for b in ("crank", "rod", "piston") for c in ("x", "y", "angle")])   # the picture needs them
        self.assertEqual([n for n in names if "." not in n or n.startswith(("main", "pin"))], ["time", "main.Fx", "main.Fy", "main.Tz"])

    def test_two_results(self):
        self.write("press.yaml", PRESS)
        self.call("inverse", "press.yaml", "--out", "one", "--quiet")
        self.call("kinematics", "press.yaml", "--out", "two", "--quiet")
        self.call("report", "one", "two", "--out", "both.html")
        self.assertEqual([r["result"]["analysis"] for r in self.page("both.html")["results"]], ["inverse", "kinematics"])
        self.call("report", "press.yaml", "two", "--analysis", "check", "--out", "both.html")
        self.assertEqual([r["series"]["samples"] for r in self.page("both.html")["results"]], [0, 51])

    @staticmethod
    def table(page):
        """columns of the page's first result: {name: [values]}"""
        series = json.loads(DATA.findall(page.read_text(encoding="utf-8"))[0])["results"][0]["series"]
        raw, n = base64.b64decode(series["data"]), series["samples"]
        values = struct.unpack(f"<{len(raw) // 8}d", raw)
        return {column["name"]: values[k * n:(k + 1) * n] for k, column in enumerate(series["columns"])}, series["of"]

    @cli.long
    def test_long_runs_are_thinned(self):
        """Of 20 001 samples the page has some thousand: a curve through them leaves that through all by no more than a thousandth of its range within a thousandth of the time, and has its
        extremes; a peak of one sample and a jump are there. --full has all."""
        model = PRESS.replace("step: 0.02 s", "step: 0.05 ms").replace('"-100*t"', '"-100*t - step(t, 0.3[s], 0, 0.30001[s], 300) - 4000*exp(-((t - 0.7[s])/0.04[ms])^2)"')
        with tempfile.TemporaryDirectory() as folder:
            where = Path(folder)
            (where / "press.yaml").write_text(model, encoding="utf-8")
            for name, flags in (("thin", []), ("full", ["--full"])):
                self.assertEqual(cli.run(["report", "press.yaml", "--analysis", "inverse", "--out", f"{name}.html", *flags], cwd=folder, out=False).code, 0)
            (thin, of), (full, every) = self.table(where / "thin.html"), self.table(where / "full.html")
        self.assertEqual((of, every), (20001, 20001))
        self.assertEqual(len(full["time"]), 20001)
        self.assertTrue(1000 < len(thin["time"]) < 3000, len(thin["time"]))
        place = {t: k for k, t in enumerate(full["time"])}
        kept = [place[t] for t in thin["time"]]
        self.assertEqual((kept[0], kept[-1]), (0, 20000))
        self.assertLessEqual(max(b - a for a, b in zip(kept, kept[1:])), 21)
        for name, values in full.items():
            least, most = min(values), max(values)
            self.assertEqual([values[k] for k in kept], list(thin[name]))
            if most - least > 1e-6 * max(map(abs, (least, most)), default=0):
                self.assertEqual((least, most), (min(thin[name]), max(thin[name])), name)
            if re.fullmatch(r"(crank|rod|piston)\.(x|y|angle)", name): # straight lines between samples keep bodies together
                line = [values[a] + (values[b] - values[a]) * (k - a) / (b - a) for a, b in zip(kept, kept[1:]) for k in range(a, b)]
                self.assertLessEqual(max(abs(x - y) for x, y in zip(line, values)), max((most - least) / 299, 1e-9), name)
            pixel = max(most - least, 1e-3) / 1000
            for a in range(0, 20000, 20):
                shown = [values[k] for k in kept[max(0, bisect.bisect_left(kept, a) - 1):bisect.bisect_right(kept, a + 20) + 1]]
                self.assertGreaterEqual(min(values[a:a + 21]), min(shown) - pixel * 1.001, name)
                self.assertLessEqual(max(values[a:a + 21]), max(shown) + pixel * 1.001, name)

    @cli.long
    def test_every_analysis(self):
        self.write("press.yaml", PRESS)
        free = self.write("free.yaml", re.sub(r"drives:.*\n", "", PRESS).replace("output: {ratio", "output: {r").replace(', power: "motor.effort*main.angle\'"', ""))
        for name, model in (("check", "press.yaml"), ("assemble", "press.yaml"), ("kinematics", "press.yaml"), ("statics", "press.yaml"), ("inverse", "press.yaml"), ("simulate", free), ("modes", "press.yaml")):
            with self.subTest(name):
                self.call("report", model, "--analysis", name, "--out", "page.html", *(("--to", "0.1") if name == "simulate" else ()))
                self.assertEqual(self.page("page.html")["results"][0]["result"]["analysis"], name)
        self.call("report", free, "--to", "0.1", "--out", "page.html")
        self.assertEqual(self.page("page.html")["results"][0]["result"]["analysis"], "simulate")
        self.write("arch.yaml", "roberval: 1\nspace: planar\nparameters: {F: 1}\nbodies: {b: {mass: 1, inertia: 1, markers: {A: [1, 0]}}}\njoints: {j: {type: revolute, between: [ground, b]}}\n"
                   "loads: {f: {type: force, to: b.A, value: [0, -F]}, s: {type: torsion-spring, joint: j, stiffness: 10}}\n")
        self.call("report", "arch.yaml", "--follow", "F=1..2")
        result = self.page("arch.html")["results"][0]
        self.assertEqual((result["result"]["analysis"], result["series"]["columns"][0]["name"]), ("statics", "F"))

    @cli.long
    def test_a_machine_that_does_not_assemble(self):
        """reach 0.2 + 0.3 + 0.2 where 1 m is asked: the four joints of the loop share the 0.3 m that lack"""
        self.write("short.yaml", SHORT)
        for flags in ((), ("--analysis", "inverse"), ("--analysis", "statics"), ("--analysis", "simulate"), ("--analysis", "kinematics"), ("--analysis", "assemble"), ("--analysis", "modes")):
            with self.subTest(flags):
                done = self.call("report", "short.yaml", *flags, code=1)
                self.assertIn("no assembly found", done.err)
                (result,) = self.page("short.html")["results"]
                failure, things = result["scene"]["failure"], result["scene"]["things"]
                self.assertEqual(result["series"], {"columns": [], "samples": 0, "of": 0, "data": ""})
                self.assertIn("no assembly found", failure["text"])
                self.assertEqual(result["result"]["failure"], failure["text"])
                self.assertEqual(sorted(things[k]["name"] for k in failure["loop"]), ["A", "B", "C", "D"])
                self.assertEqual(len(failure["gaps"]), 4)
                for gap in failure["gaps"]:
                    self.assertLess(abs(math.dist(gap["from"], gap["to"]) - gap["length"]), 1e-12)
                self.assertLess(abs(sum(gap["length"] for gap in failure["gaps"]) - 0.3), 1e-6)    # where the search stops: gaps are least to half the digits
        self.assertEqual(cli.run(["inverse", self.path("short.yaml")], out=True).files, [])        # no file of it elsewhere

    def test_a_lock_up_keeps_its_samples(self):
        """the crank can be led until rod and rocker lie straight: |D - B| = 1.0 m at cos(angle) = 0.25"""
        self.write("lock.yaml", LOCK)
        done = self.call("report", "lock.yaml", "--analysis", "inverse", code=1)
        (result,) = self.page("lock.html")["results"]
        self.assertTrue(done.err.strip().endswith(result["scene"]["failure"]["text"].split("\n")[-1]), done.err)
        times = self.columns(result)["time"]
        locked = (math.acos(0.25) - math.pi / 6) / 2
        self.assertLessEqual(times[-1], locked)
        self.assertGreater(times[-1], locked - 0.02)
        self.assertEqual(result["scene"]["failure"]["gaps"], [])

    def test_no_equilibrium(self):
        self.write("slide.yaml", "roberval: 1\nspace: planar\ngravity: [0, -9.81]\nbodies: {b: {mass: 1, inertia: 1, pose: {at: [0.3, 0]}}}\njoints: {j: {type: prismatic, between: [ground, b], at: [0, 0]}}\n"
                   "loads: {f: {type: force, to: b, value: [5, 0]}}\n")
        self.call("report", "slide.yaml", code=1)
        failure = self.page("slide.html")["results"][0]["scene"]["failure"]
        self.assertIn("no equilibrium found", failure["text"])
        self.assertEqual((failure["gaps"], failure["loop"]), ([], []))

    def test_check_shows_what_is_held_twice(self):
        self.write("press.yaml", PRESS)
        self.call("report", "press.yaml", "--analysis", "check")
        (result,) = self.page("press.html")["results"]
        names = {t["name"] for t in result["scene"]["things"]}
        self.assertTrue(result["result"]["self_stress"])
        for mode in result["result"]["self_stress"]:
            self.assertTrue({name.split(".")[0] for name in mode} <= {"bore", "again"} <= names)

    def test_standard_output(self):
        self.write("press.yaml", PRESS)
        self.call("report", "press.yaml")
        with open(self.path("press.html"), encoding="utf-8") as f:
            self.assertEqual(self.call("report", "press.yaml", "--out", "-").out, f.read())

    def test_wrong_folders(self):
        self.write("press.yaml", PRESS)
        self.call("inverse", "press.yaml", "--out", "good", "--quiet")
        good = {name: Path(self.path(f"good/{name}")).read_text(encoding="utf-8") for name in ("scene.json", "result.json", "series.csv")}

        def refused(said, **changed):
            shutil.rmtree(self.path("bad"), ignore_errors=True)
            os.mkdir(self.path("bad"))
            for name, text in {**good, **{k.replace("_", "."): v for k, v in changed.items()}}.items():
                if text is not None:
                    self.write(f"bad/{name}", text)
            done = self.call("report", "bad", code=2)
            self.assertIn(said, done.err)
            self.assertEqual(sorted(os.listdir(self.path("bad"))), sorted(n for n in good if changed.get(n.replace(".", "_"), "") is not None))
        refused("there is no bad/scene.json", scene_json=None)
        refused("there is no bad/result.json", result_json=None)
        refused("bad/series.csv: error:", series_csv=None)
        refused("bad/scene.json:1:", scene_json='{"scene": 2}')
        refused("'bodies' is missing", scene_json='{"scene": 1}')
        refused("bad/scene.json:", scene_json=good["scene.json"][:2000])
        refused("'on' is missing or damaged", scene_json=good["scene.json"].replace('"on": 3', '"on": 99'))
        refused("'kind' is missing or damaged", scene_json=good["scene.json"].replace('"kind": "circle"', '"kind": "square"'))
        refused("'of' is missing or damaged", scene_json=good["scene.json"].replace('"of": 3', '"of": 300'))
        refused("'bodies' is missing or damaged", scene_json=good["scene.json"].replace('"bodies": {"crank": {"velocity"', '"bodies": {"crnk": {"velocity"'))
        refused("'velocity' is missing or damaged", scene_json=good["scene.json"].replace('"bodies": {"crank": {"velocity": [0, ', '"bodies": {"crank": {"velocity": ['))
        refused("'angular' is missing or damaged", scene_json=good["scene.json"].replace('"angular": ', '"angular": [0], "other": '))
        refused("'points' is missing or damaged", scene_json=good["scene.json"].replace('"points": [[0, 0, 0]', '"points": [[0, 0]'))
        refused("this is no result", result_json="{}")
        refused("bad/series.csv:3:1: error: this row has not as many cells", series_csv="\n".join(good["series.csv"].split("\n")[:2] + ["0.1,2"]) + "\n")
        refused("bad/series.csv:2:1: error: a cell of this row is no number", series_csv=good["series.csv"].split("\n")[0] + "\nx" + ",1" * good["series.csv"].split("\n")[0].count(",") + "\n")
        os.mkdir(self.path("empty"))
        self.assertIn("there is no empty/scene.json", self.call("report", "empty", code=2).err)
        self.assertIn("of which nothing is computed", self.call("report", "good", "--set", "a=1", code=2).err)

    def test_wrong_calls(self):
        self.write("press.yaml", PRESS)
        self.assertIn("cannot read the model", self.call("report", "nothing.yaml", code=2).err)
        self.assertIn("cannot be 'dance'", self.call("report", "press.yaml", "--analysis", "dance", code=2).err)
        self.assertIn("one ", self.call("report", "a", "b", "c", code=2).err)
        self.assertIn("report wants a model file", self.call("report", code=2).err)
        self.assertIn("cannot write no/where.html", self.call("report", "press.yaml", "--out", "no/where.html", code=1).err)
        self.assertEqual(sorted(os.listdir(self.folder)), ["press.yaml"])


if __name__ == "__main__":
    cli.main()
