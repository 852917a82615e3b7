#!/usr/bin/python3
"""Every example by every method in natural coordinates, against two steps in absolute ones: efforts and reactions agree (MODEL.md section 8), verdicts are equal."""
import glob
import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "py"))
import cli              # noqa: E402

EXAMPLES = sorted(glob.glob(os.path.join(cli.ROOT, "examples", "*", "*.yaml")))


def solve(path, *flags):
    return cli.run(["inverse", path, "--json", *flags], out=False)


class Agreeing(cli.Case):
    def agree(self, a, b, what):
        """Values of a unit differ by no more than 1e-9 of its largest, or both errors."""
        values = {}
        for kind in ("reactions", "drives", "constraints"):
            for name, entry in a[kind].items():
                parts = [(f"{name}.{c}", x, b[kind][name]["components"][c]) for c, x in entry["components"].items()] if kind == "reactions" else [(name, entry, b[kind][name])]
                for full, x, y in parts:
                    self.assertEqual(x["verdict"], y["verdict"], f"{what} {full}")
                    if x["first"] is not None:
                        values.setdefault(x.get("unit", full.rsplit(".", 1)[-1][:1]), []).append((full, x, y))
        for unit in values.values():
            largest = max(abs(x["first"]) for _, x, _ in unit)
            for full, x, y in unit:
                self.assertLessEqual(abs(x["first"] - y["first"]), max(1e-9 * largest, x["error"], y["error"]), f"{what} {full}")


class Pairs(Agreeing):
    def test_examples(self):
        count = 0
        for path in EXAMPLES[::1 if cli.MORE else 6]:
            reference = solve(path)
            if reference.code != 0:
                continue
            count += 1
            for method in ("two-step", "lagrange", "newton", "penalty", "augmented", "virtual-power", "recursive", "pseudo-inverse"):
                with self.subTest(example=os.path.basename(path), method=method):
                    done = solve(path, "--method", method, "--coordinates", "natural")
                    self.assertEqual(done.code, 0, done.said())
                    self.agree(reference.json(), done.json(), f"{os.path.basename(path)} {method}")
        self.assertGreater(count, 30 if cli.MORE else 4)


if __name__ == "__main__":
    cli.main()
