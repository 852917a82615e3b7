#!/usr/bin/env python3
"""Leg lengths of a flight simulator over a take-off, from the pose of its cabin. Synthetic; the formulas are all here.

The cabin's joints lie on a circle of 1.5 m, those of the floor on one of 1.9 m, in pairs 16 deg apart; at home the cabin is 1.7 m up.
Pose: surge x, heave z, roll about x, then pitch about y (turned up first, then rolled about its own long axis). Writes legs.csv.
"""
import math
import os

os.chdir(os.path.dirname(os.path.abspath(__file__)))

FLOOR, CABIN, PAIR, HOME = 1.9, 1.5, math.radians(8), 1.7


def rise(t, start, end):
    """0 to 1, with three derivatives of zero at both ends."""
    s = min(1.0, max(0.0, (t - start) / (end - start)))
    return s**4 * (35 - 84 * s + 70 * s * s - 20 * s**3)


def pose(t):
    """x, z, pitch (nose up), roll (right side down)."""
    thrust = rise(t, 0.5, 1.5) - rise(t, 1.8, 4.3)                      # surge says that thrust begins, and is taken back slowly
    tilt = rise(t, 1.5, 4.0) - rise(t, 8.0, 9.5)                        # meanwhile weight plays the part of thrust
    rough = 0.004 * math.sin(2 * math.pi * 2.5 * t) * (rise(t, 1.0, 2.5) - rise(t, 4.5, 5.0))
    climb = rise(t, 4.8, 5.8) - rise(t, 7.0, 9.0)
    bank = rise(t, 6.0, 7.0) - rise(t, 7.5, 8.8)
    return 0.35 * thrust, 0.15 * climb + rough, math.radians(11) * tilt + math.radians(4) * climb, math.radians(12) * bank


def lengths(t):
    x, z, pitch, roll = pose(t)
    cp, sp, cr, sr = math.cos(pitch), math.sin(pitch), math.cos(roll), math.sin(roll)
    out = []
    for leg in range(6):
        third, mirror = divmod(leg, 2)
        turn = third * 2 * math.pi / 3
        low = turn + (2 * math.pi / 3 - PAIR if mirror else PAIR)
        high = turn + (math.pi / 3 + PAIR if mirror else math.pi / 3 - PAIR)
        px, py = CABIN * math.cos(high), CABIN * math.sin(high)
        # rotation: pitch about y by -pitch (nose up), then roll about the cabin's x
        top = (x + cp * px - sp * sr * py, cr * py, HOME + z + sp * px + cp * sr * py)
        out.append(math.dist(top, (FLOOR * math.cos(low), FLOOR * math.sin(low), 0)))
    return out


if __name__ == "__main__":
    with open("legs.csv", "w", newline="\n") as out:
        out.write("# synthetic, see make_tables.py\ntime [s];" + ";".join(f"leg{k} [m]" for k in range(1, 7)) + "\n")
        for k in range(1001):
            out.write(f"{k / 100:g};" + ";".join(f"{v:.9f}" for v in lengths(k / 100)) + "\n")
