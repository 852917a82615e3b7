#!/usr/bin/python3
"""Advice can be pasted: every type that check advises is put into the model by program, and check is run again.

What each option promises: the rows it names are no longer redundant, the mobility stays, and with what mends everything at once every reaction is unique.  The page says the
same as result.json.  Models: the examples, random planar systems with redundancy 0 to 6, some of them converted to space, doors in space on random hinges in random places.
COUNT random models of each kind (ROBERVAL_COUNT).
"""
import copy
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import unittest

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "py"))
import cli              # noqa: E402
import exact            # noqa: E402
import models           # noqa: E402

COUNT = int(os.environ.get("ROBERVAL_COUNT", "12" if cli.MORE else "6"))
KINDS = ("revolute", "revolute", "cylindrical", "spherical", "fixed", "prismatic", "universal", "planar", "inline", "general")


def examples():
    for path in models.examples() if models.yaml else ():
        with open(os.path.join(cli.ROOT, path), encoding="utf-8") as f:
            if ".csv" not in (text := f.read()):
                yield os.path.basename(path), models.load(text)


def planar():
    for seed in range(COUNT):
        system, _ = exact.system(seed)
        yield f"planar {seed}", system.model()


def converted():
    """the same machines in space; what has no counterpart is left out"""
    for seed in range(100, 100 + COUNT):
        system, _ = exact.system(seed)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "m.json")
            with open(path, "w", encoding="utf-8") as f:
                json.dump(system.model(), f)
            done = subprocess.run([cli.BINARY, "convert", path, "--to", "spatial", "--quiet"], capture_output=True, text=True, check=False)
        if done.returncode == 0 and models.yaml:
            yield f"converted {seed}", models.load(done.stdout)


def doors():
    """a body held at two or three places along a line through space, the places turned about it"""
    for seed in range(COUNT):
        rng = random.Random(f"door {seed}")
        axis, x = np.array([rng.gauss(0, 1) for _ in range(3)]), np.array([rng.gauss(0, 1) for _ in range(3)])
        at = np.array([rng.uniform(-1, 1) for _ in range(3)])
        axis /= np.linalg.norm(axis)
        ground, leaf, joints = {}, {}, {}
        for k in range(rng.choice((2, 2, 3))):
            place = at + rng.uniform(0.2, 1) * (k + 1) * axis
            kind = rng.choice(KINDS)
            ground[f"g{k}"] = {"at": list(place), "axis": list(axis), "x": list(x)}
            other = list(np.cross(axis, x))
            leaf[f"l{k}"] = {"at": list(place), "axis": other if kind == "universal" else list(axis), "x": list(axis) if kind == "universal" else list(x)}
            joints[f"j{k}"] = {"type": kind, "between": [f"ground.g{k}", f"leaf.l{k}"]}
            if kind == "general":
                joints[f"j{k}"]["locked"] = rng.choice((["x", "z", "rx", "rz"], ["y", "rx", "ry", "rz"], ["x", "y", "z"]))
            if rng.random() < 0.2:
                joints[f"j{k}"]["compliance"] = {"z" if kind == "planar" else "y" if kind != "general" else joints[f"j{k}"]["locked"][0]: 1e-7}
        yield f"door {seed}", {"roberval": 1, "space": "spatial", "bodies": {"ground": {"markers": ground}, "leaf": {"mass": 1, "inertia": [1, 1, 1], "markers": leaf}},
                               "joints": joints, "output": {"o": "j0.Fy + 2*j0.z", **({"p": "j1.angle"} if joints["j1"]["type"] == "revolute" else {})}}


def paste(model, option):
    """the option typed into the model: types, and what it says changes beside them"""
    m = copy.deepcopy(model)
    for joint, kind in option["replace"].items():
        if kind.startswith("no "):
            del m[{"no joint": "joints", "no drive": "drives", "no constraint": "constraints"}[kind]][joint]
            continue
        name, _, locked = kind.partition(", locked: ")
        spec = m["joints"][joint]
        spec["type"] = name
        spec.pop("locked", None)
        if locked:
            spec["locked"] = locked.strip("[]").split(", ")
    for old, new in option.get("edits", {}).items():
        if new:
            m = json.loads(re.sub(rf"\b{re.escape(old)}\b", new, json.dumps(m)))
        elif old.startswith("outputs that read "):
            joint = old.rsplit(" ", 1)[1]
            m["output"] = {k: v for k, v in m["output"].items() if not re.search(rf"\b{joint}\.", str(v))}
        else:
            joint, key, direction = old.split(".")
            del m["joints"][joint][key][direction]
            if not m["joints"][joint][key]:
                del m["joints"][joint][key]
    for section in ("joints", "drives", "constraints", "output"):
        if section in m and not m[section]:
            del m[section]
    return m


def kept(option):
    """a drive too many may be all that holds positions beside rows on rates; else every freedom stays"""
    return [key for key in KEPT if key != "degrees_of_freedom_position" or "no drive" not in option["replace"].values()]


KEPT = ("mobility_without_drives", "degrees_of_freedom", "degrees_of_freedom_position", "coordinates", "rank")


class Advice(cli.Case):
    def each(self, source):
        for name, model in source:
            done, doc = cli.check(model)
            self.assertEqual(done.code, 0, f"{name}: {done.said()}")
            if doc["mobility"]["redundant"] and doc["mobility"]["decision"]["safe"]:
                yield name, model, doc

    def pasted(self, name, model, option):
        m = paste(model, option)
        done, doc = cli.check(m)
        self.assertEqual(done.code, 0, f"{name} with {option}: {done.said()}")
        return doc

    def everything(self, source, least):
        tried = together = silent = clusters = 0
        for name, model, doc in self.each(source):
            for cluster in doc["advice"]:
                clusters += 1
                silent += not cluster["free"] and "otherwise" not in cluster     # nearly singular: whatever is freed leaves a rank in doubt
                for option in cluster["free"]:
                    with self.subTest(name, paste=option["replace"]):
                        after = self.pasted(name, model, option)
                        self.assertEqual(after["mobility"]["redundant"], doc["mobility"]["redundant"] - cluster["self_stresses"])
                        for key in kept(option):
                            self.assertEqual(after["mobility"][key], doc["mobility"][key], key)
                        tried += 1
                if "otherwise" in cluster:
                    self.assertNotIn("replace", cluster["otherwise"])
                    self.assertTrue(cluster["otherwise"]["obstacle"])
            option = doc["advice_together"]
            if option:
                with self.subTest(name, together=option["replace"]):
                    after = self.pasted(name, model, option)
                    self.assertEqual(after["mobility"]["redundant"], 0)
                    verdicts = {c["verdict"] for r in after["reactions"].values() for c in r["components"].values()}
                    self.assertTrue(verdicts <= {"unique", "free"}, verdicts)
                    for key in kept(option):
                        self.assertEqual(after["mobility"][key], doc["mobility"][key], key)
                    together += 1
            self.page(name, model, doc)
        self.assertGreaterEqual(min(tried, together), least, "so many options")
        self.assertLessEqual(silent, 0.05 * clusters)

    def page(self, name, model, doc):
        """the page says it first, as it stands in result.json"""
        done = cli.run_model(model, "check", out=False, quiet=False)
        lines = [line for line in done.out.splitlines() if line.startswith("all of them unique at once: ")]
        option = doc["advice_together"]
        self.assertEqual(len(lines), 1 if option else 0, name)
        if not option:
            return
        self.assertLess(done.out.index(lines[0]), done.out.index("to make them unique"))
        for joint, kind in option["replace"].items():
            self.assertIn(joint if kind.startswith("no ") else f"{joint}: {kind}", lines[0])
        for old, new in option.get("edits", {}).items():
            self.assertIn(f"{old} becomes {new}" if new else old, lines[0])

    @cli.long
    def test_of_the_examples(self):
        self.everything(examples(), 8)

    def test_in_the_plane(self):
        self.everything(planar(), COUNT // 2)

    @cli.long
    def test_converted_to_space(self):
        self.everything(converted(), COUNT // 3)

    def test_on_doors_in_space(self):
        self.everything(doors(), COUNT // 3)

    def test_words_that_cannot_be_typed_are_not_advised(self):
        """one turn alone held in space is an error; nothing that is advised says so"""
        for name, _, doc in self.each(doors()):
            for option in [o for a in doc["advice"] for o in a["free"]] + [o for o in [doc["advice_together"]] if o]:
                for kind in option["replace"].values():
                    self.assertRegex(kind, r"^(no (joint|drive|constraint)|[a-z-]+|general, locked: \[\w+(, \w+)*\])$")
                    turns = re.findall(r"\br[xyz]\b", kind)
                    self.assertNotEqual(len(turns), 1, f"{name}: {kind}")


if __name__ == "__main__":
    cli.main()
