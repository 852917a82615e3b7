#!/usr/bin/env python3
"""The dynamometer card of the pumpjack: polished-rod load over its position, up and down. Synthetic.

Position s in inches above the lowest point, 0 ... S, S the stroke of the linkage (solved here from its lengths).
    up(s)   = 8000 lbf + 5000 lbf * R(s / 12 in)       + 600 lbf * sin(2 pi s / S * 1.5) * R(s/12) * R((S-s)/12)
    down(s) = 8000 lbf + 5000 lbf * (1 - R((S-s)/12))  - 500 lbf * sin(2 pi s / S * 1.5) * R(s/12) * R((S-s)/12)
8000 lbf: rods in fluid; 5000 lbf: the fluid the plunger lifts, taken up over 12 in of stretch; R(u) = 10u^3 - 15u^4 + 6u^5,
0 below 0, 1 above 1. Both branches meet at s = 0 and s = S. Prints the stroke and the area of the card (work per stroke).
"""
import math
import os

os.chdir(os.path.dirname(os.path.abspath(__file__)))
A, C, P, CRANK, X, Y = 111.0, 96.0, 98.0, 37.0, -96.0, -97.0  # [in]: the model's lengths; X, Y: crank centre from the saddle


def rise(u):
    u = min(1.0, max(0.0, u))
    return u**3 * (10 - 15 * u + 6 * u * u)


def beam(crank):
    """The beam's angle for a crank angle: the tail lies at distance P from the pin, C from the saddle, on the left."""
    px, py = X + CRANK * math.cos(crank), Y + CRANK * math.sin(crank)
    d = math.hypot(px, py)
    inner = math.acos((C * C + d * d - P * P) / (2 * C * d))
    return math.atan2(py, px) - inner - math.pi  # angle of the tail, minus half a turn


angles = [math.remainder(beam(2 * math.pi * k / 20000), 2 * math.pi) for k in range(20000)]
lowest, highest = min(angles), max(angles)
stroke = A * (highest - lowest)


def up(s):
    ends = rise(s / 12) * rise((stroke - s) / 12)
    return 8000 + 5000 * rise(s / 12) + 600 * math.sin(3 * math.pi * s / stroke) * ends


def down(s):
    ends = rise(s / 12) * rise((stroke - s) / 12)
    return 8000 + 5000 * (1 - rise((stroke - s) / 12)) - 500 * math.sin(3 * math.pi * s / stroke) * ends


n = 200
with open("card.csv", "w", newline="\n") as out:
    out.write("# synthetic, see make_tables.py\nposition [in],up [lbf],down [lbf]\n")
    for k in range(n + 1):
        s = stroke * k / n
        out.write(f"{s:.6f},{up(s):.4f},{down(s):.4f}\n")
work = sum(up(stroke * (k + 0.5) / 5000) - down(stroke * (k + 0.5) / 5000) for k in range(5000)) * stroke / 5000
print(f"beam from {math.degrees(lowest):.3f} to {math.degrees(highest):.3f} deg (lowest {lowest:.9f} rad), "
      f"stroke {stroke:.4f} in; card {work:.0f} in.lbf = {work * 0.112984829:.0f} J per stroke")
