#!/usr/bin/env python3
"""Cylinder pressure of a small diesel engine over two turns. Synthetic: a one-zone model, no engine was measured.

Crank angle 0 is firing top dead centre. V(a): volume from crank radius, rod and compression ratio.
  intake      -360 ... -140 deg   p = 0.95 bar
  compression -140 ...   -8       p V^1.35 constant
  combustion    -8 ...  130       dp = ((g - 1) dQ - g p dV) / V, g = 1.33,
                                  Q(a) = 800 J (1 - exp(-6.9 u^2.2)), u = (a + 8) / 60   (Wiebe; net of wall losses)
  blowdown     130 ...  200       from there to 1.1 bar with 10 s^3 - 15 s^4 + 6 s^5
  exhaust      200 ...  330       p = 1.1 bar, and back to 0.95 bar until 360
Prints the work and the mean pressure of the cycle, the numbers to check the analysis with.
"""
import math
import os

os.chdir(os.path.dirname(os.path.abspath(__file__)))

R, L, BORE, RATIO = 0.043, 0.145, 0.086, 17.0
AREA = math.pi / 4 * BORE**2
SWEPT = AREA * 2 * R
CLEAR = SWEPT / (RATIO - 1)
HEAT, GAMMA, POLY = 800.0, 1.33, 1.35


def volume(a):
    return CLEAR + AREA * (R + L - R * math.cos(a) - math.sqrt(L**2 - (R * math.sin(a)) ** 2))


def rise(s):
    s = min(1.0, max(0.0, s))
    return s**3 * (10 - 15 * s + 6 * s * s)


def heat(deg):
    u = max(0.0, (deg + 8) / 60)
    return HEAT * (1 - math.exp(-6.9 * u**2.2))


def pressures():
    p, fine = {}, 100
    start = 0.95e5 * (volume(math.radians(-140)) / volume(math.radians(-8))) ** POLY
    now = start
    for k in range(-8 * fine, 130 * fine + 1):
        if k % fine == 0:
            p[k // fine] = now

        def slope(deg, value):
            a, d = math.radians(deg), 1e-4
            dv = (volume(a + math.radians(d)) - volume(a - math.radians(d))) / (2 * d)
            dq = (heat(deg + d) - heat(deg - d)) / (2 * d)
            return ((GAMMA - 1) * dq - GAMMA * value * dv) / volume(a)

        deg, h = k / fine, 1 / fine
        s1 = slope(deg, now)
        s2 = slope(deg + h / 2, now + h / 2 * s1)
        now += h * s2
    for deg in range(-360, 361):
        if deg <= -140:
            p[deg] = 0.95e5
        elif deg < -8:
            p[deg] = 0.95e5 * (volume(math.radians(-140)) / volume(math.radians(deg))) ** POLY
        elif 130 < deg <= 200:
            free = p[130] * (volume(math.radians(130)) / volume(math.radians(deg))) ** POLY
            p[deg] = free + (1.1e5 - free) * rise((deg - 130) / 70)
        elif deg > 200:
            p[deg] = 1.1e5 - 0.15e5 * rise((deg - 330) / 30)
    return p


p = pressures()
p[360] = p[-360]
work = sum((p[d] + p[d + 1]) / 2 * (volume(math.radians(d + 1)) - volume(math.radians(d))) for d in range(-360, 360))
print(f"swept volume {SWEPT * 1e6:.1f} cm3, peak {max(p.values()) / 1e5:.1f} bar, work {work:.1f} J per cycle, "
      f"mean pressure {work / SWEPT / 1e5:.2f} bar, mean torque {work / (4 * math.pi):.2f} N.m")
with open("pressure.csv", "w", newline="\n") as out:
    out.write("# synthetic, see make_tables.py\nangle [deg];pressure [bar]\n")
    for deg in range(-360, 361):
        out.write(f"{deg};{p[deg] / 1e5:.5f}\n")
