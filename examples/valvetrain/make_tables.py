#!/usr/bin/env python3
"""The cam of the valve train: an outline for a flat follower, in closed form. Synthetic: no engine was measured.

Lift over the cam's angle a from the nose, |a| <= b = 80 deg:  h(a) = 7 mm * (1 - (a/b)^2)^3, else 0.
Support function s(a) = 18 mm + h(a). The flat lies at distance s; it touches the outline at
    x = s cos a - s' sin a,   y = s sin a + s' cos a,        radius of curvature rho = s + s''.
Nose along x. Rows every degree from -180 to 180 deg; the last repeats the first. Prints the least rho and the peak of s''.
"""
import math
import os

os.chdir(os.path.dirname(os.path.abspath(__file__)))
BASE, LIFT, HALF = 18.0, 7.0, math.radians(80)


def support(a):
    u = a / HALF
    if abs(u) >= 1:
        return BASE, 0.0, 0.0
    w = 1 - u * u
    return (BASE + LIFT * w**3, -6 * LIFT * u * w * w / HALF,
            LIFT * (-6 * w * w + 24 * u * u * w) / HALF**2)


rows, rho, peak = [], [], []
for deg in range(-180, 181):
    a = math.radians(deg)
    s, s1, s2 = support(a)
    rows.append((s * math.cos(a) - s1 * math.sin(a), s * math.sin(a) + s1 * math.cos(a)))
    rho.append(s + s2)
    peak.append(s2)
rows[-1] = rows[0]
with open("cam.csv", "w", newline="\n") as out:
    out.write("# synthetic, see make_tables.py\nx [mm],y [mm]\n")
    for x, y in rows:
        out.write(f"{x:.9f},{y:.9f}\n")
print(f"radius of curvature at least {min(rho):.3f} mm; h'' from {min(peak):.3f} to {max(peak):.3f} mm/rad^2")
