#!/usr/bin/python3
# ctest: joint
"""--coordinates natural (as @joint: joint) of assemble and modes: the same numbers as in absolute coordinates, for all examples; what is not admitted is refused with its reason."""
import json
import os
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "py"))
import cli  # noqa: E402

SOURCE = Path(os.environ.get("ROBERVAL_SOURCE", Path(__file__).parent.parent))
NATURAL = ("--coordinates", cli.other_coordinates())
# What two ways round differently, of the fastest root: double zeros and slow roots are known no better.
ROUNDING = 1e-11


def examples():
    return sorted((SOURCE / "examples").rglob("*.yaml"))


def roots(done):
    return [complex(*m["eigenvalue"]) for m in json.loads(done.out)["modes"]]


class Natural(cli.Case):
    def both(self, path, *args):
        a, b = (cli.run([args[0], str(path), *args[1:], *more], out=False) for more in ((), NATURAL))
        self.assertEqual(a.code, b.code, b.err)
        return (a, b) if a.code == 0 else (None, None)

    @cli.long
    def test_modes_of_the_examples(self):
        seen = 0
        for path in examples():
            for start in ((), ("--start", "statics")) if cli.MORE else (("--start", "statics"),):
                with self.subTest(path=path.name, start=start):
                    a, b = self.both(path, "modes", "--json", *start)
                    if a is None:
                        continue
                    want, got = roots(a), roots(b)
                    self.assertEqual(len(want), len(got))
                    seen += len(want)
                    size = max([abs(r) for r in want], default=0)
                    self.assertLessEqual(max([abs(x - y) for x, y in zip(want, got)], default=0), ROUNDING * size)
        self.assertGreater(seen, 20)

    def test_assemble_of_the_examples(self):
        """assembled as bodies: nothing differs; what the coordinates are stands beside it"""
        seen = 0
        for path in examples()[::1 if cli.MORE else 4]:
            with self.subTest(path=path.name):
                a, b = self.both(path, "assemble", "--json")
                if a is None:
                    continue
                a, b = json.loads(a.out), json.loads(b.out)
                self.assertNotIn("coordinates", a)
                self.assertIn("coordinates", b)
                for key in ("state", "mobility"):
                    self.assertEqual(a[key], b[key], key)
                seen += 1
        self.assertGreater(seen, 5)

    def test_along_a_parameter(self):
        model = {"roberval": 1, "space": "planar", "gravity": [0, -9.81], "parameters": {"k": "100 N.m/rad"}, "bodies": {"ground": {}, "bar": {"mass": 2, "inertia": 0.2, "centroid": [0.5, 0], "pose": {"at": [0, 0], "angle": 1.5707963267948966}}},
                 "joints": {"h": {"type": "revolute", "between": ["ground", "bar"]}}, "loads": {"s": {"type": "torsion-spring", "joint": "h", "stiffness": "k", "free_angle": 1.5707963267948966}}}
        done = self.ok(model, "modes", "--follow", "k=100..1 N.m/rad", *NATURAL)
        event, = done.result["follow"]["events"]
        self.assertEqual(event["kind"], "divergence")
        self.near(event["at"], 2 * 9.81 * 0.5, 1e-6 * 100, "divergence where the spring is as stiff as m g a")

    def test_what_is_not_admitted(self):
        done = cli.run(["assemble", str(SOURCE / "examples" / "press" / "press.yaml"), "--udwadia", "symmetric", *NATURAL], out=False)
        self.assertEqual(done.code, 2, done.err)
        self.assertIn("--udwadia is written over the places of bodies", done.err)


if __name__ == "__main__":
    cli.main()
