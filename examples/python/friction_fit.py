"""Fit Coulomb and viscous friction of a slide to a measured motion, with scipy.

The measurement is made here: a simulated run with known friction and noise of 0.1 mm. The fit finds the values again. It
prints

    mu 0.120, c 3.0 N.s/m
"""
import numpy as np
import numpy.typing as npt
from scipy.optimize import least_squares

import roberval as rb

model = rb.Model(text="""
roberval: 1
space: planar
gravity: [0, -9.81]
parameters: {mu: 0.12, c: 3 N.s/m, k: 200 N/m}
bodies: {slide: {mass: 2, inertia: 0.01}}
joints: {rail: {type: prismatic, between: [ground, slide], friction: {coefficient: mu}}}
loads:
  spring: {type: spring, between: [ground, slide.P], stiffness: k, free_length: 0.5}
  damper: {type: force, to: slide, value: ["-c*rail.distance'", 0]}
initial: {rail.distance: 0.2, rail.distance': 0}
motion: {from: 0, to: 1.5 s, step: 10 ms}
""".replace("inertia: 0.01}", "inertia: 0.01, markers: {P: [0.5, 0]}}"))
rng = np.random.default_rng(0)
measured = np.asarray(model.simulate()["rail.distance"]) + 1e-4 * rng.standard_normal(151)


def residual(x: "npt.NDArray[np.float64]") -> "npt.NDArray[np.float64]":
    model.set(mu=abs(x[0]), c=abs(x[1]))
    position = np.asarray(model.simulate()["rail.distance"])
    off: "npt.NDArray[np.float64]" = position - measured
    return off


fit = least_squares(residual, [0.05, 1.0], diff_step=1e-3)
print(f"mu {fit.x[0]:.3f}, c {fit.x[1]:.1f} N.s/m")
