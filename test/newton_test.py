#!/usr/bin/env python3
"""inverse --method newton: the equilibrium of bodies, six (in the plane three) unknowns a joint, against published numbers and the other methods, whole and of some bodies."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "py"))
import cli  # noqa: E402
import textbook  # noqa: E402

NEWTON = ("--method", "newton")


class Textbook(cli.Case):
    def test_published_numbers(self):
        for name, model, flags, want in textbook.problems():
            with self.subTest(name):
                done = self.ok(model, "inverse", *NEWTON, *flags)
                largest = max(abs(v) for v in want.values())
                for column, value in want.items():
                    # places and rates are known to twelve digits, accelerations to some less
                    self.near(done.series[column][0], value, 3e-10 * largest, f"{name}: {column}")


if __name__ == "__main__":
    cli.main()
