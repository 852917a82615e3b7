"""A crane trolley under your own controller: moves 2 m and damps the swing of its load, in steps of 5 ms.

The controller sees place and angle at each step and sets the force until the next. It prints

    at 15 s: trolley 1.997 m, swing -0.00 deg, largest force 120 N
"""
import numpy as np

import roberval as rb

crane = rb.Model(text="""
roberval: 1
space: planar
gravity: [0, -9.81]
parameters: {f: 0 N}
bodies:
  trolley: {mass: 50, inertia: 1}
  load: {mass: 100, inertia: 0.1, centroid: [0, -3]}
joints:
  rail: {type: prismatic, between: [ground, trolley]}
  hook: {type: revolute, between: [trolley, load]}
loads: {motor: {type: force, to: trolley, value: [f, 0]}}
initial: {rail.distance: 0, rail.distance': 0, hook.angle: 0, hook.angle': 0}
""")
sim = crane.simulation(inputs=["f"])
largest = 0.0
for k in range(1, 3001):
    x, v, s, w = sim["rail.distance"], sim["rail.distance'"], sim["hook.angle"], sim["hook.angle'"]
    force = float(np.clip(60 * (2 - x) - 160 * v + 400 * s + 250 * w, -150, 150))
    sim["f"] = force
    sim.step("5 ms")
    largest = max(largest, abs(force))
print(f"at {sim.time:.0f} s: trolley {sim['rail.distance']:.3f} m, swing {np.degrees(sim['hook.angle']):.2f} deg, "
      f"largest force {largest:.0f} N")
