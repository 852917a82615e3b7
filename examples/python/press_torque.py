"""Which torque does the servo press need? Peak, root mean square and energy of a turn.

The rms here is that of the samples; halving the step shows that it has settled. It prints

    peak 79269 N.m at 0.579 s, rms 30.3 kN.m, work 48.1 kJ a turn
    with half the step: peak 79269 N.m, rms 30.3 kN.m
"""
import pathlib

import numpy as np

import roberval as rb

model = rb.Model(pathlib.Path(__file__).parents[1] / "press/press.yaml")
result = model.inverse(to="1 s", step="1 ms")
torque, t = result["servo.effort"], result.time
power = result["servo_power"]
peak = int(np.argmax(np.abs(torque)))
print(f"peak {torque[peak]:.0f} {torque.unit} at {t[peak]:.3f} s, rms {np.sqrt(np.mean(torque**2)) / 1e3:.1f} kN.m, "
      f"work {np.trapz(power, t) / 1e3:.1f} kJ a turn")
finer = model.inverse(to="1 s", step="0.5 ms")["servo.effort"]
print(f"with half the step: peak {np.abs(finer).max():.0f} N.m, rms {np.sqrt(np.mean(finer**2)) / 1e3:.1f} kN.m")
