#!/usr/bin/env python3
"""Motions of many bodies: windows of four-bars whose motion is elliptic functions."""
import math
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "bench", "peers", "motion"), os.path.join(HERE, "..", "bench", "peers"), os.path.join(HERE, "py")]
import cli              # noqa: E402
import machines         # noqa: E402


class LargeMotions(cli.Case):
    def windows(self, loops, step, count, tolerance, within):
        """A02 of IFToMM's library: twice a turn all links lie in line, and the rank falls by the number of loops."""
        machine = machines.windows(loops, step, count)
        done = self.ok(machine.model(), "simulate", "--tolerance", repr(tolerance))
        worst = 0
        for t, x, y in zip(done.time, done.series["px"], done.series["py"]):
            worst = max(worst, math.dist((x, y), machine.reference(t)[:2]))
        self.assertLess(worst, within)

    def test_windows_at_the_finest_tolerance(self):
        """Within a microradian of the line rows give way whatever the tolerance: 1e-9 of the energy at each of six passages, 1e-7 of the length."""
        self.windows(10, 0.5, 20, 1e-12, 5e-7)

    def test_many_windows(self):
        """Beyond 400 unknowns by the Schur complement; 120 loops up to the first passage."""
        self.windows(120, 0.05, 14, 1e-10, 1e-9)


if __name__ == "__main__":
    cli.main()
