#!/usr/bin/python3
"""The examples with bodies, joints, constraints, drives and loads in random orders: verdicts are equal, and numbers agree.

Two runs of one mechanism are held against each other; nothing but the order in the file differs, so neither knows better.  Numbers agree where they
differ by at most 1e-9 of the largest value of their unit, or by what the two runs together say that rounding may have moved them (docs/results.md, `error`).

ROBERVAL_ORDERS: how many orders of each example (1); ROBERVAL_ORDERS_EVERY=1: all examples, else some.
"""
import json
import os
import random
import shutil
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "py"))
import cli              # noqa: E402
import models           # noqa: E402

ORDERS = int(os.environ.get("ROBERVAL_ORDERS", "1"))
EVERY = os.environ.get("ROBERVAL_ORDERS_EVERY") == "1"
SECTIONS = ("bodies", "joints", "constraints", "drives", "loads")
AGREE = 1e-9


def shuffled(model, rng):
    out = dict(model)
    for key in SECTIONS:
        if key in model:
            items = list(model[key].items())
            rng.shuffle(items)
            out[key] = dict(items)
    return out


def values(result):
    """{name: {first, min, max, unit, error, verdict}} of every force in result.json."""
    out = {}
    for joint, reaction in (result.get("reactions") or {}).items():
        for component, value in reaction["components"].items():
            out[f"{joint}.{component}"] = value
    for section in ("drives", "constraints"):
        for name, value in (result.get(section) or {}).items():
            out[f"{name}.effort"] = value
    return out


def largest(of):
    big = {}
    for value in of.values():
        for key in ("min", "max"):
            if value.get(key) is not None:
                big[value["unit"]] = max(big.get(value["unit"], 0), abs(value[key]))
    return big


@unittest.skipIf(models.yaml is None, "needs python3-yaml")
class Orders(cli.Case):
    def solved(self, folder, model, command):
        """Run beside a copy of the files that the model names."""
        with tempfile.TemporaryDirectory(prefix="rbv-orders-") as place:
            copy = os.path.join(place, "model")
            shutil.copytree(folder, copy)
            with open(os.path.join(copy, "shuffled.json"), "w", encoding="utf-8") as f:
                json.dump(model, f)
            return cli.run([command, os.path.join(copy, "shuffled.json")], timeout=120)

    def compare(self, a, b, what):
        one, two = values(a.result), values(b.result)
        self.assertEqual(set(one), set(two), what)
        big = largest(one)
        for name, v in one.items():
            w = two[name]
            self.assertEqual(v["verdict"], w["verdict"], f"{what}: {name}")
            allowed = max(AGREE * big.get(v["unit"], 0), (v["error"] or 0) + (w["error"] or 0))
            for key in ("min", "max"):
                if v.get(key) is not None and w.get(key) is not None:
                    self.near(w[key], v[key], allowed, f"{what}: {name} {key}")
            if name in a.series and name in b.series:
                self.near(b.series[name], a.series[name], allowed, f"{what}: {name}")

    def test_no_number_and_no_verdict_depends_on_the_order(self):
        examples = models.examples()
        chosen = {name: x for k, (name, x) in enumerate(examples.items()) if EVERY or k % 6 == 1 or "differential/differential" in name}
        for name, (folder, text) in chosen.items():
            model = models.load(text)
            command = "inverse" if "motion" in model else "statics"
            first = self.solved(folder, model, command)
            self.assertEqual(first.code, 0, f"{name}: {first.said()}")
            for order in range(ORDERS):
                second = self.solved(folder, shuffled(model, random.Random(f"{name} {order}")), command)
                self.assertEqual(second.code, 0, f"{name} {order}: {second.said()}")
                self.compare(first, second, f"{name} order {order}")


if __name__ == "__main__":
    cli.main()
