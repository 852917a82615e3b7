#!/usr/bin/env python3
"""plate.csv: ground reaction under one foot over one step cycle of 1 s. gait.csv: what cameras of 100 Hz make of the motion of leg.yaml, to 0.01 deg and 0.01 mm. Synthetic: nobody was measured.

u = t / 0.62 s, 0 <= u <= 1 while the foot is on the ground (stance), body weight W = 75 kg * 9.81 m/s^2:
    forward   Fx = -0.16 W sin(2 pi u)                          (brakes, then pushes)
    upward    Fy =  1.20 W (sin(pi u) + 0.28 sin(3 pi u))       (two humps)
and zero in the air; to each the noise of a force plate: uniform in +-12 N and +-30 N, from a fixed linear congruential generator.
Centre of pressure, from the ankle forward along the sole, without noise: -40 mm + 190 mm (10 u^3 - 15 u^4 + 6 u^5).
"""
import math
import os

os.chdir(os.path.dirname(os.path.abspath(__file__)))
WEIGHT = 75 * 9.81
seed = 1669


def noise(size):
    global seed
    seed = (1103515245 * seed + 12345) % 2**31
    return size * (2 * seed / 2**31 - 1)


with open("plate.csv", "w", newline="\n") as out:
    out.write("# synthetic, see make_tables.py\ntime [s],forward [N],upward [N],pressure [mm]\n")
    for k in range(-50, 551):
        t = k * 0.002
        u = min(1.0, max(0.0, t / 0.62))
        fx = -0.16 * WEIGHT * math.sin(2 * math.pi * u) + noise(12)
        fy = 1.2 * WEIGHT * (math.sin(math.pi * u) + 0.28 * math.sin(3 * math.pi * u)) + noise(30)
        cop = -40 + 190 * u**3 * (10 - 15 * u + 6 * u * u)
        out.write(f"{t:.3f},{fx:.2f},{fy:.2f},{cop:.4f}\n")


def fourier(t, a0, *pairs):
    w = 2 * math.pi
    return a0 + sum(pairs[k] * math.cos((k // 2 + 1) * w * t) + pairs[k + 1] * math.sin((k // 2 + 1) * w * t) for k in range(0, len(pairs), 2))


with open("gait.csv", "w", newline="\n") as out:
    out.write("# synthetic, see make_tables.py: for roberval inverse leg.yaml --record gait.csv\n"
              "time [s],y(pelvis.hip) [mm],hip.angle [deg],knee.angle [deg],ankle.angle [deg]\n")
    for k in range(101):
        t = k / 100
        height = 940 - 18 * math.cos(4 * math.pi * t)
        hip = fourier(t, 12.6, 19.7, -4.3, -2.2, -1.4, 0, 0.5)
        knee = -fourier(t, 21.4, -4.1, -19.1, -12.0, 8.6, 0.1, 3.6, -0.6, 0.1)
        ankle = fourier(t, -0.1, -0.2, 5.3, -0.2, -6.8, -1.9, 1.5, 1.5, -0.7)
        out.write(f"{t:.2f},{height:.2f},{hip:.2f},{knee:.2f},{ankle:.2f}\n")
