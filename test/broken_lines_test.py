#!/usr/bin/python3
# ctest: long
"""Every line of every example model (of `make test` every 25th, drawn at random), broken in five ways: the program refuses (exit 2) and points at that line.

  key     its first key that the format knows is misspelt
  name    its first reference to a body, marker, joint, drive or parameter names something unknown
  unit    its first dimensional number gets a unit of another dimension
  type    its first value becomes a map
  syntax  the line becomes what YAML cannot read: told at or after its line, and nothing else is told
The models are those below examples/ and the base model of bad_input_test.py."""
import os
import random
import re
import shutil
import sys
import tempfile
import unittest
from concurrent.futures import ThreadPoolExecutor

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "py"))
import cli              # noqa: E402
import models           # noqa: E402
from bad_input_test import BASE       # noqa: E402

POOL = ThreadPoolExecutor(2)
REFERENCES = ("between", "to", "joint", "carrier", "coordinate", "value", "motion", "force", "torque", "equation")
QUANTITY = re.compile(r"^\s*[-+.\d][^a-zA-Z]*([eE][-+]?\d+)?\s*(\S.*)?$")


def by_line(text):
    out = {}
    for p in models.places(text):
        out.setdefault(p.line, []).append(p)
    return out


def quoted(place, new):
    style = place.node.style
    return f"{style}{new}{style}" if style in ("'", '"') else new


def misspelt_key(text, places):
    for p in places:
        if p.kind == "key" and not p.node.style:
            return p.replace(text, p.node.value + "qx"), p.node.value + "qx"
    return None


def unknown_name(text, places):
    for p in places:
        if p.kind != "scalar":
            continue
        star, value = models.star(p.path), p.node.value
        if star[:1] == ("joints",) and "between" in star or star[:2] == ("loads", "*") and star[2] in ("between", "to", "joint") or star[-1] == "carrier":
            body, dot, marker = value.partition(".")
            if body.strip():
                return p.replace(text, quoted(p, f"{body}{dot}{marker}_zz" if dot else f"{body}_zz")), "_zz"
        if star[:1] in (("coordinates",), ("drives",), ("output",), ("constraints",)) or star[:2] == ("loads", "*") and star[2] in ("value", "force", "torque"):
            m = re.search(r"\b[A-Za-z]\w*\.[A-Za-z]\w*|(?<=angle\()\w+", value)
            if m:
                head = m[0].split(".")[0]
                return p.replace(text, quoted(p, value[:m.start()] + head + "_zz" + value[m.start() + len(head):])), "_zz"
    return None


def wrong_unit(text, places):
    for p in places:
        if p.kind == "scalar" and p.path and isinstance(models.core(p.node.value), (int, float)) | bool(QUANTITY.match(p.node.value)):
            if not isinstance(models.core(p.node.value), (int, float)) and re.search(r"[-+*/^(]\s*[A-Za-z]|\(|\*|t\b", p.node.value):
                continue                                                       # an expression carries no dimension
            keys = [k for k in models.star(p.path) if isinstance(k, str)]
            if not keys or keys[0] in ("parameters", "roberval", "output", "tables", "coordinates"):
                continue
            key = keys[-1] if keys[-1] != "*" else "at"                        # a marker is a point
            if key in models.WRONG and keys[:2] != ["loads", "*"] or key in ("stiffness", "free_length", "damping", "free_angle"):
                return p.replace(text, quoted(p, models.WRONG[key])), ""
            if keys[0] == "loads" and key == "value":
                return p.replace(text, quoted(p, "1 kg")), ""
    return None


def wrong_type(text, places):
    for p in places:
        star = models.star(p.path)
        if p.kind == "scalar" and star and not (len(star) == 1 and star[0] == "title"):
            return p.replace(text, "{zz: [1]}"), ""
        if p.kind == "list":
            return p.replace(text, "{zz: [1]}") if p.node.flow_style else None, ""
    return None


def syntax(text, line):
    lines = text.splitlines(keepends=True)
    old = lines[line - 1]
    lines[line - 1] = old[:len(old) - len(old.lstrip())] + "@broken: ]\n"
    return "".join(lines)


class Lines(cli.Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        if models.yaml is None:
            raise unittest.SkipTest("python3-yaml is not installed")

    def every(self, breaking, judge):
        found = {**models.examples(), "base": (None, BASE)}
        total = 0
        for name, (folder, text) in found.items():
            with tempfile.TemporaryDirectory() as temp:
                if folder:
                    shutil.copytree(folder, temp, dirs_exist_ok=True)
                first = self.check(temp, text, 0)
                if first.code == 2 and re.search("not in this version", first.err):
                    continue
                self.assertEqual(first.code, 0, f"{name}: {first.said()}")
                jobs = [(line, *b) for line, b in breaking(text) if b and b[0]]
                if folder and not cli.MORE:
                    jobs = random.Random(name).sample(jobs, (len(jobs) + 24) // 25)
                total += len(jobs)
                runs = POOL.map(lambda j: (j, self.check(temp, j[1], id(j))), jobs)
                bad = [f"{name}:{j[0]}: {text.splitlines()[j[0] - 1].strip()!r}: {why}" for j, done in runs for why in [judge(j, done)] if why]
            with self.subTest(name):
                self.assertFalse(bad, f"{len(bad)} of {len(jobs)} lines\n" + "\n".join(bad[:12]))
        self.assertGreater(total, 0)

    def check(self, folder, text, key):
        path = os.path.join(folder, f"mutant{key}.yaml")
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)
        return cli.run(["check", path, "--json"], out=False)

    def at_line(self, job, done):
        line, _, word = job
        if done.code != 2:
            return f"exit {done.code}"
        here = [m for m in done.errors if m.line == line]
        if not here:
            return f"told elsewhere: {done.errors[:3]}"
        if word and not any(word in m.text for m in here):
            return f"{word} is not named: {here[:2]}"
        return None

    @cli.long
    def test_key(self):
        self.every(lambda text: [(n, misspelt_key(text, p)) for n, p in by_line(text).items()], self.at_line)

    @cli.long
    def test_name(self):
        self.every(lambda text: [(n, unknown_name(text, p)) for n, p in by_line(text).items()], self.at_line)

    @cli.long
    def test_unit(self):
        self.every(lambda text: [(n, wrong_unit(text, p)) for n, p in by_line(text).items()], self.at_line)

    @cli.long
    def test_type(self):
        self.every(lambda text: [(n, wrong_type(text, p)) for n, p in by_line(text).items()], self.at_line)

    @cli.long
    def test_syntax(self):
        def judge(job, done):
            if done.code != 2:
                return f"exit {done.code}"
            if len(done.errors) != 1:
                return f"{len(done.errors)} errors: {done.errors[:3]}"
            return None if done.errors[0].line >= job[0] else f"told at line {done.errors[0].line}"
        self.every(lambda text: [(n, (syntax(text, n), "")) for n in by_line(text)], judge)


class Breakings(unittest.TestCase):
    """What the five ways do to the base model (runs without the program)."""

    @unittest.skipIf(models.yaml is None, "python3-yaml is not installed")
    def test_counts(self):
        lines = by_line(BASE)
        for f, least in ((misspelt_key, 60), (unknown_name, 12), (wrong_unit, 18), (wrong_type, 60)):
            made = [f(BASE, p) for p in lines.values()]
            self.assertGreaterEqual(sum(1 for m in made if m and m[0]), least, f.__name__)
        for n, p in lines.items():
            b = unknown_name(BASE, p)
            if b:
                self.assertEqual([k + 1 for k, (x, y) in enumerate(zip(BASE.splitlines(), b[0].splitlines())) if x != y], [n])
            with self.assertRaises(models.yaml.YAMLError):
                models.yaml.compose(syntax(BASE, n))


if __name__ == "__main__":
    cli.main()
