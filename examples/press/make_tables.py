#!/usr/bin/env python3
"""The two tables of the press. Both are synthetic: no machine was measured.

crank.csv  a servo press's encoder log, one row every 10 ms, a little longer than one stroke on both sides:
               phi(t) = 360 deg * tau + 38 deg * sin(2 pi tau) - 5 deg * sin(4 pi tau),  tau = t / 2.4 s
           rounded to 0.01 deg, as an encoder of 36000 counts would.
draw.csv   punch force of a deep-drawing tool over the slide's height h above bottom dead centre:
               F(h) = 900 kN * u^2 * exp(2 (1 - u)),  u = (80 mm - h) / 35 mm,  h = 0 ... 80 mm
"""
import math
import os

os.chdir(os.path.dirname(os.path.abspath(__file__)))

with open("crank.csv", "w", newline="\n") as out:
    out.write("# synthetic, see make_tables.py\ntime [s],angle [deg]\n")
    for k in range(-40, 281):
        tau = k * 0.01 / 2.4
        phi = 360 * tau + 38 * math.sin(2 * math.pi * tau) - 5 * math.sin(4 * math.pi * tau)
        out.write(f"{k * 0.01:.2f},{phi:.2f}\n")

with open("draw.csv", "w", newline="\n") as out:
    out.write("# synthetic, see make_tables.py\nheight [mm],force [kN]\n")
    for k in range(0, 81):
        u = (80 - k) / 35
        out.write(f"{k},{900 * u * u * math.exp(2 * (1 - u)):.4f}\n")
