"""At which speed does a centrifuge's bowl begin to whirl by itself? Modes along the speed, two ways.

Once by modes of single speeds, once along the parameter, where the library finds the crossing itself: at sqrt(k/m) (1 + c_bearing /
c_bowl) = 360 rad/s. It prints

    3000 rpm: largest real part +0.00 1/s
    4000 rpm: largest real part +2.20 1/s
    6000 rpm: largest real part +9.95 1/s
    flutter at 360.0 rad/s, 3438 rpm
"""
import pathlib

import numpy as np

import roberval as rb

model = rb.Model(pathlib.Path(__file__).parents[1] / "rotor/rotor.yaml")
for rpm in (3000, 4000, 6000):
    model.set(speed=f"{rpm} rpm")
    worst = max(mode["eigenvalue"][0] for mode in model.modes().modes)
    print(f"{rpm} rpm: largest real part {worst:+.2f} 1/s")
model.set(speed=None)
along = model.modes(follow="speed=600..9000 rpm")
for crossing in along.events:
    print(f"{crossing['kind']} at {crossing['at']:.1f} rad/s, {crossing['at'] * 30 / np.pi:.0f} rpm")
