#!/usr/bin/env python3
# ctest: joint
"""roberval report of a study: the page holds the doubles of study.csv and what study.json says; large studies are thinned and say so; damaged folders and wrong calls are refused in words."""
import base64
import csv
import json
import os
import re
import shutil
import struct
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "py"))
import cli              # noqa: E402

DATA = re.compile(r'<script type="application/json" id="roberval-data">(.*?)</script>', re.S)
BARS = 240
MODEL = """roberval: 1
title: 'Beam </script><img src=x onerror=alert(1)> Ä'
space: planar
parameters: {a: 200 mm, F: 1 N, b: 500 mm}
bodies:
  ground: {markers: {A: [0, 0], B: [1, 0]}}
  beam: {mass: 1 kg, inertia: 0.1 kg.m^2, markers: {A: [0, 0], P: [a, 0], B: [b + 0.5, 0]}}
joints:
  A: {type: revolute, between: [ground.A, beam.A]}
  B: {type: revolute, between: [ground.B, beam.B]}
loads: {push: {type: force, to: beam.P, value: [0, -F]}}
"""
STUDY = """study: 1
title: "Beam <b>"
model: model.yaml
analysis: statics
vary:
  a: {from: 100 mm, to: 900 mm, steps: 9}
  F: [1 N, 5 N, 3 N]
  b: [500 mm, 501 mm]
collect:
  left: {value: "abs(A.Fy)", limit: "<= 2.5 N"}
  right: "B.Fy"
  along: "A.Fx"
"""
MANY = """study: 1
model: model.yaml
analysis: statics
design: {design}
{more}vary: {vary}
collect: {{left: {{value: "A.Fy", limit: "<= 2.9 N"}}, right: "B.Fy"}}
"""


def doubles(text):
    raw = base64.b64decode(text, validate=True)
    return struct.unpack(f"<{len(raw) // 8}d", raw)


class Page:
    """The data of a page: columns by name, verdicts, statuses, folders."""

    def __init__(self, text):
        found = DATA.findall(text)
        assert len(found) == 1 and "<!--ROBERVAL-DATA-->" not in text
        self.size, self.data = len(text.encode()), json.loads(found[0], parse_constant=cli.refuse_constant)
        rows = self.rows = self.data["rows"]
        n, all_ = rows["count"], doubles(rows["data"])
        names = ["variant"] + [c["name"] for c in rows["columns"]]
        assert len(all_) == n * len(names)
        self.columns = {name: all_[k * n:(k + 1) * n] for k, name in enumerate(names)}
        marks = base64.b64decode(rows["marks"], validate=True)
        quantities = [c["name"] for c in rows["columns"] if c["of"] == "quantity"]
        assert len(marks) == n * (len(quantities) + 2)
        self.verdicts = {name: [rows["verdicts"][m] for m in marks[k * n:(k + 1) * n]] for k, name in enumerate(quantities)}
        self.statuses = [rows["statuses"][m] for m in marks[len(quantities) * n:(len(quantities) + 1) * n]]
        self.kept = list(marks[(len(quantities) + 1) * n:])


class StudyReport(cli.Case):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="rbv-study-report-", dir=cli.SCRATCH)
        self.addCleanup(shutil.rmtree, self.folder)
        self.write("model.yaml", MODEL)

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as f:
            f.write(text)

    def read(self, name):
        with open(self.path(name), encoding="utf-8", newline="") as f:
            return f.read()

    def call(self, *args, code=0):
        done = cli.run(args, cwd=self.folder, out=False, quiet=False)
        self.assertEqual(done.code, code, done.said())
        return done

    def study(self, text, code=1):
        self.write("study.yaml", text)
        self.call("study", "study.yaml", "--out", "out", code=code)
        with open(self.path("out/study.csv"), encoding="utf-8", newline="") as f:
            return list(csv.DictReader(f)), json.loads(self.read("out/study.json"))

    def same_row(self, page, k, row, heads):
        """Row k of the page is this row of study.csv."""
        for name, values in page.columns.items():
            cell = row[heads[name]]
            self.assertEqual(struct.pack("<d", values[k]) if cell else values[k] != values[k], struct.pack("<d", float(cell)) if cell else True, (name, row))
        self.assertEqual(page.statuses[k], row["status"])
        for name, verdicts in page.verdicts.items():
            if row[heads[name]]:
                self.assertEqual(verdicts[k], row[name + ".verdict"])

    @staticmethod
    def heads(rows):
        return {re.sub(r" \[.*\]$", "", head): head for head in rows[0]}

    def histograms(self, page, rows, answer):
        heads = self.heads(rows)
        for one, (name, facts) in zip(page.data["histograms"], answer["quantities"].items()):
            wished = [0] * BARS
            for row in rows:
                if row[heads[name]] and row["status"] == "done":
                    low, high = facts["least"]["value"], facts["largest"]["value"]
                    wished[min(int((float(row[heads[name]]) - low) / (high - low) * BARS), BARS - 1) if high > low else 0] += 1
            self.assertEqual(one["bars"], wished, name)

    def test_page_holds_the_files(self):
        rows, answer = self.study(STUDY)
        self.assertEqual(self.call("report", "out").out, "wrote out/report.html\n")
        page, heads = Page(self.read("out/report.html")), self.heads(rows)
        self.assertEqual({k: v for k, v in answer.items() if k != "run"}, page.data["study"])
        self.assertEqual((page.rows["count"], page.rows["of"], page.rows["strides"], page.rows["silent"]), (54, 54, [1, 1, 1], 0))
        self.assertEqual({c["name"]: c["unit"] for c in page.rows["columns"]}, {"a": "mm", "F": "N", "b": "mm", "left": "N", "right": "N", "along": "N"})
        self.assertEqual({n: (v["axis"], v["values"]) for n, v in answer["study"]["vary"].items()}, {"a": (0, 9), "F": (1, 3), "b": (2, 2)})
        for k, row in enumerate(rows):
            self.same_row(page, k, row, heads)
        failed = [k for k, row in enumerate(rows) if row["status"] != "done"]
        self.assertEqual(len(failed), 27)                                      # the beam of 501 mm does not fit
        self.assertEqual([[k, rows[k]["message"]] for k in failed], page.rows["messages"])
        over = sum(row["status"] == "done" and float(row[heads["left"]]) > 2.5 for row in rows)
        self.assertEqual((page.rows["failed"], page.rows["over"]), ([27, 27], [over, over]))
        self.assertGreater(over, 0)
        self.assertIn("not unique", page.verdicts["along"])                    # pins on both sides hold along the beam
        self.histograms(page, rows, answer)
        self.assertNotIn("<b>", DATA.findall(self.read("out/report.html"))[0])

    def test_place_and_links(self):
        self.study(STUDY + "keep: series\n")
        kept = {int(name) for name in os.listdir(self.path("out/variants"))}
        self.assertGreaterEqual(len(kept), 27)
        self.call("report", "out")
        page = Page(self.read("out/report.html"))
        self.assertEqual(page.data["variants"], "variants/")
        self.assertEqual({int(v) for v, k in zip(page.columns["variant"], page.kept) if k}, kept)
        for out, path, links in (("out/other.html", "out/other.html", "variants/"), ("out", "out/out.html", "variants/"), ("page.html", "page.html", None), ("./page.htm", "./page.htm", None)):
            self.assertEqual(self.call("report", "out/", "--out", out).out, f"wrote {path}\n")
            self.assertEqual(Page(self.read(path)).data["variants"], links, out)
        printed = self.call("report", "out", "--out", "-").out
        self.assertEqual(Page(printed).columns["variant"], page.columns["variant"])
        self.assertEqual(self.call("report", "out", "--quiet").out, "")
        before = self.read("out/report.html")
        self.call("report", "out")
        self.assertEqual(self.read("out/report.html"), before)

    @cli.long
    def test_thinned_grid(self):
        vary = "{a: {from: 100 mm, to: 900 mm, steps: 251}, F: {from: 1 N, to: 3 N, steps: 101}}"
        rows, answer = self.study(MANY.format(design="grid", more="", vary=vary), code=0)
        self.call("report", "out")
        page, heads = Page(self.read("out/report.html")), self.heads(rows)
        self.assertEqual(page.rows["strides"], [2, 1])
        held = {k for k in range(len(rows)) if (k // 101) % 2 == 0}
        for facts in answer["quantities"].values():
            held |= {facts["least"]["variant"] - 1, facts["largest"]["variant"] - 1}
        over = [k for k, row in enumerate(rows) if float(row[heads["left"]]) > 2.9]
        held |= set([k for k in over if k not in held][:1000])
        self.assertEqual([int(v) - 1 for v in page.columns["variant"]], sorted(held))
        self.assertEqual(page.rows["over"], [len([k for k in over if k in held]), len(over)])
        for k, v in enumerate(page.columns["variant"]):
            self.same_row(page, k, rows[int(v) - 1], heads)
        self.histograms(page, rows, answer)
        self.assertLess(page.size, 2e6)
        self.call("report", "out", "--full")
        self.assertEqual(Page(self.read("out/report.html")).columns["variant"], tuple(range(1, len(rows) + 1)))

    @cli.long
    def test_thinned_sample(self):
        vary = "{a: {uniform: [100 mm, 900 mm]}, F: {normal: [2 N, 0.3 N]}, b: [500 mm, 500 mm, 500 mm, 500 mm, 500 mm, 500 mm, 500 mm, 500 mm, 500 mm, 501 mm]}"
        rows, answer = self.study(MANY.format(design="monte-carlo", more="samples: 24000\n", vary=vary))
        self.call("report", "out")
        page, heads = Page(self.read("out/report.html")), self.heads(rows)
        first, variants = page.rows["first"], [int(v) for v in page.columns["variant"]]
        self.assertNotIn("strides", page.rows)
        self.assertTrue(10000 < first <= 20000)
        self.assertEqual(variants[:first], list(range(1, first + 1)))
        self.assertEqual(variants, sorted(set(variants)))
        extremes = {facts[end]["variant"] for facts in answer["quantities"].values() for end in ("least", "largest")}
        self.assertTrue(extremes <= set(variants))
        failed = [k for k, row in enumerate(rows) if row["status"] != "done"]
        self.assertEqual(page.rows["failed"][1], len(failed))
        self.assertEqual(page.rows["failed"][0], sum(status != "done" for status in page.statuses))
        beyond = [k for k in failed if k >= first]
        self.assertTrue(set(k + 1 for k in beyond[:1000]) <= set(variants))
        self.assertEqual(len(page.rows["messages"]) + page.rows["silent"], page.rows["failed"][0])
        self.assertEqual([m[1] for m in page.rows["messages"]], [rows[variants[m[0]] - 1]["message"] for m in page.rows["messages"]])
        for k, v in enumerate(variants):
            self.same_row(page, k, rows[v - 1], heads)
        self.histograms(page, rows, answer)
        self.assertLess(page.size, 2.2e6)

    def test_damaged(self):
        self.study(STUDY)
        table, answer = self.read("out/study.csv"), self.read("out/study.json")
        lines = table.splitlines(keepends=True)

        def refused(words, csv_text=table, json_text=answer):
            self.write("out/study.csv", csv_text)
            self.write("out/study.json", json_text)
            done = self.call("report", "out", code=2)
            self.assertIn(words, done.err)
            self.assertFalse(os.path.exists(self.path("out/report.html")))

        refused("out/study.csv:1:1: error: it is empty", "")
        refused("out/study.csv:1:1: error: its columns are not those of study.json", table.replace("a [mm]", "a [m]", 1))
        refused("out/study.csv:4:1: error: this row is damaged", "".join(lines[:3]) + "3,oh\n" + "".join(lines[4:]))
        refused("out/study.csv:55:1: error: this row is damaged", table[:-4])
        refused("out/study.csv:54:1: error: rows are missing at its end", "".join(lines[:-1]))
        refused("out/study.csv:56:1: error: there are more rows", table + lines[-1])
        refused("out/study.csv:3:1: error: variants are not in their order", "".join(lines[:2]) + "".join(lines[3:]))
        value = lines[1].split(",")[4]
        refused("out/study.csv:2:1: error: a value is beyond the extremes of study.json", table.replace(value, "1e6", 1))
        refused("not as many variants are done as study.json counts", json_text=answer.replace('"done": 27', '"done": 26'))
        refused("this is no study of this program: 'vary' is missing or damaged", json_text=answer.replace('"vary"', '"varied"'))
        refused("this is no study of this program: 'variants'", json_text=answer.replace('"variants": 54', '"variants": null'))
        refused("this is no study of this program: 'axis'", json_text=answer.replace('"axis": 2', '"axis": 7'))
        refused("this is no study of this program: 'vary'", json_text=answer.replace('"values": 9', '"values": 8'))
        refused("out/study.json:", json_text=answer[:200])
        self.write("out/study.json", answer)
        os.remove(self.path("out/study.csv"))
        self.assertIn("out/study.csv: error: No such file or directory", self.call("report", "out", code=2).err)
        os.remove(self.path("out/study.json"))
        self.assertIn("there is no out/study.json: a study writes it when all variants have a row", self.call("report", "out", code=2).err)

    def test_wrong_calls(self):
        self.study(STUDY)
        for flags, name in ((["--only", "left"], "--only"), (["--units", "model"], "--units"), (["--analysis", "statics"], "--analysis"), (["--set", "F=2"], "--set"), (["--svg", "x.svg"], "--svg"), (["--from", "1"], "--from")):
            self.assertIn(f"out is the folder of a study, of which nothing is computed or left out: its page takes --out and --full, not {name}", self.call("report", "out", *flags, code=2).err)
        self.assertIn("a second folder lies over a result", self.call("report", "out", "out", code=2).err)
        self.assertIn("the page of report is HTML", self.call("report", "out", "--out", "page.pdf", code=2).err)
        self.assertFalse(os.path.exists(self.path("out/report.html")))
        os.symlink("elsewhere", self.path("out/report.html"))
        self.assertIn("it is no regular file", self.call("report", "out", code=1).err)
        self.assertFalse(os.path.exists(self.path("out/elsewhere")))


if __name__ == "__main__":
    cli.main()
