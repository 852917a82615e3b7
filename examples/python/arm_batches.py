"""A robot's arm in batches, and the computed torque of a closed linkage.

Efforts of 10 000 samples in one call; the torque that moves a four-bar along a given crank motion, with all reactions. It
prints

    arm: largest efforts [8.04e+00 6.62e+01 2.23e+01 1.73e+00 2.89e+00 1.61e-02] N.m
    engine: torque from -94.36 to 94.36 N.m
"""
import pathlib

import numpy as np

import roberval as rb

examples = pathlib.Path(__file__).parents[1]
arm = rb.Model(examples / "arm/arm.yaml").tree()
phase = np.linspace(0, 2 * np.pi, 10000)[:, None] + np.arange(arm.nv)
q, v, a = np.sin(phase), np.cos(phase), -np.sin(phase)
tau = arm.inverse(q, v, a, threads=2)
print(f"arm: largest efforts {np.array2string(np.abs(tau).max(axis=0), precision=2)} N.m")

engine = rb.Model(examples / "engine/engine.yaml")
linkage = engine.linkage()
start = linkage.start()
first = start[[linkage.tree.coordinates.index("main.angle")]]
t = np.linspace(0, 0.02, 401)[:, None]
speed = 2 * np.pi * 50
sample = linkage.inverse(first + speed * t, np.full_like(t, speed), np.zeros_like(t), reactions=True)
print(f"engine: torque from {sample.efforts.min():.2f} to {sample.efforts.max():.2f} N.m")
