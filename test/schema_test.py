#!/usr/bin/python3
# ctest: long
"""`roberval schema` prints a JSON Schema (2020-12) that says what the reader says, wherever a schema can know: unknown keys, values of
the wrong kind, missing required keys.  It cannot know names, dimensions, expressions or geometry."""
import copy
import json
import os
import random
import re
import sys
import tempfile
import shutil
import unittest
from concurrent.futures import ThreadPoolExecutor

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "py"))
import cli              # noqa: E402
import models           # noqa: E402
import bad_input_test   # noqa: E402
from broken_lines_test import by_line, misspelt_key       # noqa: E402

try:
    import jsonschema
except ImportError:
    jsonschema = None

BASE = bad_input_test.BASE
POOL = ThreadPoolExecutor(2)
MISTAKES = int(os.environ.get("ROBERVAL_ROUNDS", "6" if cli.MORE else "2"))           # of each model

# cases of bad_input_test that a schema can know
KNOWABLE = """top key misspelt|top key unknown|body key misspelt|marker key misspelt|pose key misspelt|joint key misspelt|drive key misspelt|
load key misspelt|unit key misspelt|motion key misspelt|key of another joint|key of another load|key of another kind of thing|key in capitals|joint without type|
joint without between|drive without coordinate|drive without motion|force without point|force without value|spring without between|
torsion spring without joint|load without type|gear without radii|version missing|space missing|version of the future|version not a number|space unknown|
mass a list|mass a map|mass a truth value|centroid a number|gravity a number|gravity with one component|marker with one component|markers a list|bodies a list|joint a word|
between with one end|between with three ends|between a word|frame unknown|radii one number|joint type misspelt|load type misspelt|name with a digit first|
name with a dash|mass of the ground|force a number|shape kind misspelt|shape key misspelt""".replace("\n", "").split("|")

REQUIRED = {("joints", "*", "type"), ("joints", "*", "between"), ("drives", "*", "coordinate"), ("drives", "*", "motion"), ("loads", "*", "type"),
            ("roberval",), ("space",)}


class Schema(cli.Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        if jsonschema is None or models.yaml is None:
            raise unittest.SkipTest("needs python3-jsonschema and python3-yaml")
        cls.done = cli.run(["schema"], out=False, quiet=False)
        try:
            cls.schema = cls.done.json()
            cls.validator = jsonschema.Draft202012Validator(cls.schema)
        except ValueError:
            cls.schema = None

    def setUp(self):
        self.assertIsNotNone(self.schema, self.done.said())

    def faults(self, document):
        return [f"{'/'.join(map(str, e.absolute_path))}: {e.message[:160]}" for e in self.validator.iter_errors(document)]

    def test_is_a_schema(self):
        self.assertEqual(self.done.code, 0, self.done.said())
        self.assertEqual(self.schema.get("$schema"), "https://json-schema.org/draft/2020-12/schema")
        jsonschema.Draft202012Validator.check_schema(self.schema)

    def test_pointers_inside_lead_somewhere(self):
        def walk(x):
            if isinstance(x, dict):
                if isinstance(x.get("$ref"), str):
                    self.assertTrue(x["$ref"].startswith("#"), x["$ref"])
                    node = self.schema
                    for part in x["$ref"][1:].strip("/").split("/"):
                        if part:
                            node = node[part.replace("~1", "/").replace("~0", "~")]
                for v in x.values():
                    walk(v)
            elif isinstance(x, list):
                for v in x:
                    walk(v)
        walk(self.schema)

    def test_every_key_is_described(self):
        bare = []

        def walk(x, path):
            if isinstance(x, dict):
                for name, v in x.get("properties", {}).items() if isinstance(x.get("properties"), dict) else ():
                    if isinstance(v, dict) and "const" not in v and not (v.get("description") or "").strip() and path[-1:] != ["if"]:
                        bare.append("/".join(path + [name]))
                for k, v in x.items():
                    self.assertNotIn(k, ("oneOf", "anyOf") if path[-1:] != ["properties"] else (), "a mistake would be told as 'not valid under any'")
                    walk(v, path + [str(k)])
            elif isinstance(x, list):
                for k, v in enumerate(x):
                    walk(v, path + [str(k)])
        walk(self.schema, [])
        self.assertEqual(bare, [])

    @cli.long
    def test_one_mistake_has_one_message_at_its_place(self):
        """A key that is not there, a value of a wrong kind, a missing key: told once, as what it is, where it is."""
        random_ = random.Random(1)
        for name, (folder, text) in {**models.examples(), "base": (None, BASE)}.items():
            document = models.load(text)
            if self.faults(document):
                continue
            mistakes = list(self.mistakes(document))
            for path, wrong, pattern in random_.sample(mistakes, min(len(mistakes), MISTAKES)):
                with self.subTest(name=name, path=path):
                    errors = list(self.validator.iter_errors(wrong))
                    told = [e for e in errors if re.search(pattern, e.message) and list(e.absolute_path) == list(path)]
                    self.assertEqual(len(told), 1, [e.message[:200] for e in errors])
                    self.assertEqual(len(errors), 1, [e.message[:200] for e in errors])

    def mistakes(self, document):
        """(place of the message, document, message): at every map of the sections with fixed keys."""
        for path, node in list(self.maps(document)):
            star = models.star(path)
            fixed = len(path) == 2 and path[0] in ("bodies", "joints", "loads", "drives", "constraints", "tables") or path == () or star in (("motion",), ("units",), ("bodies", "*", "pose"))
            if fixed:
                yield path, self.changed(document, path, lambda n: n.__setitem__("zzz", 1)), r"'zzz' was unexpected"
            if fixed and len(path) == 2 and path[0] in ("joints", "loads"):
                yield path + ("type",), self.changed(document, path, lambda n: n.__setitem__("type", "zzz")), r"'zzz' is not one of"
                yield path, self.changed(document, path, lambda n: n.__delitem__("type")), r"'type' is a required property"
            if fixed and "between" in node:
                yield path + ("between",), self.changed(document, path, lambda n: n.__setitem__("between", ["ground"])), r"too short"
                if path[0] == "joints":
                    yield path, self.changed(document, path, lambda n: n.__delitem__("between")), r"'between' is a required property"
            if fixed and path[0:1] == ("bodies",) and "mass" in node:
                yield path + ("mass",), self.changed(document, path, lambda n: n.__setitem__("mass", True)), r"True is not of type 'number', 'string'"
            if star == ("bodies", "*", "markers"):
                yield path + ("zzz",), self.changed(document, path, lambda n: n.__setitem__("zzz", [1])), r"too short"
                yield path + ("zzz",), self.changed(document, path, lambda n: n.__setitem__("zzz", "0, 0")), r"'0, 0' is not of type 'array', 'object'"
        yield ("space",), {**document, "space": "zzz"}, r"'zzz' is not one of \['planar', 'spatial'\]"
        yield (), {k: v for k, v in document.items() if k != "space"}, r"'space' is a required property"
        yield ("roberval",), {**document, "roberval": 2}, r"1 was expected"

    def maps(self, node, path=()):
        if isinstance(node, dict):
            yield path, node
            for k, v in node.items():
                yield from self.maps(v, path + (k,))

    def changed(self, document, path, change):
        copied = copy.deepcopy(document)
        node = copied
        for k in path:
            node = node[k]
        change(node)
        return copied

    @cli.long
    def test_models_that_run_validate(self):
        found = {**models.examples(), **models.acceptance(), "base": (tempfile.gettempdir(), BASE)}
        for name, (folder, text) in found.items():
            with self.subTest(name):
                with tempfile.TemporaryDirectory() as temp:
                    path = os.path.join(temp, "model.yaml")
                    if folder != tempfile.gettempdir():
                        shutil.copytree(folder, temp, dirs_exist_ok=True)
                    with open(path, "w", encoding="utf-8") as f:
                        f.write(text)
                    code = cli.run(["check", path], out=False).code
                try:
                    document = models.load(text)
                except models.yaml.YAMLError:
                    self.assertEqual(code, 2)
                    continue
                if code in (0, 1):
                    self.assertEqual(self.faults(document), [])
                elif self.faults(document) == []:
                    pass                                                       # refused for what a schema cannot know

    def test_cases_that_a_schema_can_know(self):
        names = {c[0] for c in bad_input_test.CASES}
        for name in KNOWABLE:
            self.assertIn(name, names)
        for name, old, new, *_ in bad_input_test.CASES:
            if name in KNOWABLE:
                with self.subTest(name):
                    document = models.load(bad_input_test.edited(BASE, (old, new))[0])
                    self.assertNotEqual(self.faults(document), [])

    def type_at(self, thing, path):
        """The type of the thing at a path of a document: it says which keys belong there."""
        for key in path[:2]:
            thing = thing[key] if isinstance(thing, dict) and key in thing else None
        return thing.get("type") if isinstance(thing, dict) else None

    @cli.long
    def test_unknown_keys_everywhere(self):
        found = {"base": (None, BASE), **models.examples()}
        seen = set()
        for name, (folder, text) in found.items():
            document = models.load(text)
            if self.faults(document):
                continue
            kinds = {}                                                         # a line of each kind of place; ROBERVAL_MORE=1: all
            for n, places in by_line(text).items():
                kind = models.star(places[0].path), self.type_at(document, places[0].path)
                if cli.MORE or kind not in seen:
                    kinds.setdefault(n if cli.MORE else kind, (n, places))
            seen |= set(kinds)
            bad = [f"line {n}: {b[1]}" for n, p in kinds.values() for b in [misspelt_key(text, p)] if b and not self.faults(models.load(b[0]))]
            with self.subTest(name):
                self.assertEqual(bad, [])

    @cli.long
    def test_values_of_a_wrong_kind_everywhere(self):
        """each value replaced by values of other kinds: schema and reader give the same verdict, for kinds that nothing accepts"""
        text = json.loads(json.dumps(models.load(BASE)))
        paths = []

        def walk(x, path):
            if path:
                paths.append(path)
            for k, v in (x.items() if isinstance(x, dict) else enumerate(x) if isinstance(x, list) else ()):
                walk(v, path + (k,))
        walk(text, ())
        jobs = []
        wrong = [True, None, [True], {"zz": 1}, [[1]]]
        for number, path in enumerate(paths):
            for new in wrong if cli.MORE else (wrong[number % 5],):
                doc = copy.deepcopy(text)
                node = doc
                for k in path[:-1]:
                    node = node[k]
                node[path[-1]] = new
                jobs.append((path, new, doc))
        bad = []
        for (path, new, doc), done in zip(jobs, POOL.map(lambda j: cli.run_model(j[2], "check", out=False), jobs)):
            faults = self.faults(doc)
            if done.code not in (0, 2):
                bad.append(f"{'.'.join(map(str, path))} = {new}: exit {done.code}")
            elif bool(faults) != (done.code == 2):
                # a schema cannot know that a name has gone with a map replaced by {"zz": 1}: only then the reader alone may refuse
                if done.code == 2 and (new == {"zz": 1} or new is None or re.search(r"unknown|no (body|joint|marker|such)|not defined|there is no", done.err)):
                    continue
                bad.append(f"{'.'.join(map(str, path))} = {json.dumps(new)}: reader exit {done.code}, schema {faults[:1]}: {done.err.strip()[:200]}")
        self.assertFalse(bad, f"{len(bad)} of {len(jobs)}\n" + "\n".join(bad[:40]))

    @cli.long
    def test_missing_keys_everywhere(self):
        """each key removed: what the schema misses the reader misses too, and the reader's required keys are required by the schema"""
        text = json.loads(json.dumps(models.load(BASE)))
        jobs = []

        def walk(x, path):
            if isinstance(x, dict):
                for k, v in x.items():
                    doc = copy.deepcopy(text)
                    node = doc
                    for p in path:
                        node = node[p]
                    del node[k]
                    jobs.append((path + (k,), doc))
                    walk(v, path + (k,))
        walk(text, ())
        bad = []
        for (path, doc), done in zip(jobs, POOL.map(lambda j: cli.run_model(j[1], "check", out=False), jobs)):
            faults = self.faults(doc)
            if faults and done.code != 2:
                bad.append(f"without {'.'.join(map(str, path))}: reader exit {done.code}, schema {faults[:1]}")
            if models.star(path) in REQUIRED and (not faults or done.code != 2):
                bad.append(f"without {'.'.join(map(str, path))}: reader exit {done.code}, schema {faults[:1]}")
        self.assertFalse(bad, "\n".join(bad))

    def test_forms_that_are_allowed(self):
        """numbers, quantities and expressions wherever a quantity stands; a marker as point or map"""
        for old, new in (("mass: 1.5", "mass: 1.5e0"), ("mass: 1.5", "mass: \"1.5\""), ("mass: 1.5", "mass: 1500 g"), ("mass: 1.5", "mass: \"1[kg] + 0.5\""), ("hook: [100, 200]", "hook: {at: [100, 200]}"),
                         ("hook: [100, 200]", "hook: [\"2*a\", 200 mm]"), ("motion: \"pi/6 + n*t\"", "motion: 30 deg"), ("to: wheel", "to: wheel"), ("title: Press", "title: \"\"")):
            with self.subTest(new):
                text = bad_input_test.edited(BASE, (old, new))[0]
                done = cli.run_model(text, "check", out=False)
                self.assertEqual(done.code, 0, done.said())
                self.assertEqual(self.faults(models.load(text)), [])


if __name__ == "__main__":
    cli.main()
