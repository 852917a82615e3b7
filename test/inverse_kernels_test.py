#!/usr/bin/python3
"""The methods of inverse dynamics are different routes: programs in which the kernel of one of them is broken (cmake/tests.cmake: one factor is 1.01) fail by this method alone, by their own audit."""
import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "py"))
import cli              # noqa: E402

BROKEN = os.environ.get("ROBERVAL_BROKEN") or os.path.join(os.path.dirname(cli.BINARY), "broken")
METHODS = {"two-step": ["two-step"], "lagrange": ["lagrange"], "penalty": ["penalty", "augmented"], "recursive": ["recursive"], "pseudo-inverse": ["pseudo-inverse"]}     # what goes through each kernel
EXAMPLES = ("shaper/shaper.yaml", "door/door.yaml", "planetary/planetary.yaml", "bricard/bricard.yaml")


@unittest.skipUnless(os.path.isdir(BROKEN), "no broken programs here (set ROBERVAL_BROKEN)")
class Kernels(cli.Case):
    def solve(self, program, path, method):
        return cli.limited([program, "inverse", os.path.join(cli.ROOT, "examples", path), "--method", method, "--quiet"], cli.TIMEOUT, capture_output=True)

    def test_each_fails_alone(self):
        every = [m for methods in METHODS.values() for m in methods]
        for path in EXAMPLES:
            for kernel, methods in METHODS.items():
                for method in every:
                    with self.subTest(path=path, broken=kernel, method=method):
                        done = self.solve(os.path.join(BROKEN, f"broken_{kernel}"), path, method)
                        self.assertEqual(done.returncode, 1 if method in methods else 0, done.stderr)
                        if method in methods:
                            self.assertIn(b"fails its audit", done.stderr)


if __name__ == "__main__":
    cli.main()
