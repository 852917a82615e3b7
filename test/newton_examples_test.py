#!/usr/bin/env python3
# ctest: slow
"""Every example by inverse --method newton and by the default: efforts, reactions, verdicts."""
import glob
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "py"))
import cli  # noqa: E402

import numpy as np  # noqa: E402

NEWTON = ("--method", "newton")


class Examples(cli.Case):
    def agree(self, a, b, what):
        self.assertEqual(a.columns, b.columns, what)                          # with the verdicts in their heads
        largest = {}
        for column in a.series:
            unit = a.units[column]
            largest[unit] = max(largest.get(unit, 0), np.nanmax(np.abs(a.series[column]), initial=0))
        errors = [{}, {}]
        for done, into in zip((a, b), errors):
            for joint, r in done.result["reactions"].items():
                into.update({f"{joint}.{c}": v.get("error") for c, v in r["components"].items()})
            for kind in ("drives", "constraints"):
                into.update({f"{k}.effort": v.get("error") for k, v in done.result[kind].items()})
        for column in a.series:
            tol = max(1e-9 * largest[a.units[column]], *(e.get(column) or 0 for e in errors))
            self.near(b.series[column], a.series[column], tol, f"{what}: {column}")

    def test_newton_and_two_step(self):
        for path in sorted(glob.glob(os.path.join(cli.ROOT, "examples", "*", "*.yaml"))):
            with self.subTest(os.path.relpath(path, cli.ROOT)):
                a, b = (cli.run(["inverse", path, *flags]) for flags in ((), NEWTON))
                self.assertEqual((a.code, a.err), (b.code, b.err))
                self.assertIn(a.code, (0, 2))
                if a.code == 0:
                    self.assertEqual(b.result["method"], "newton")
                    self.agree(a, b, os.path.basename(path))


if __name__ == "__main__":
    cli.main()
