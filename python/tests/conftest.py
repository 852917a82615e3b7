"""Where the package, the program and the models are."""
from __future__ import annotations

import json
import os
import pathlib
import signal
import subprocess
import sys
from typing import Any, Dict, List, Tuple

ROOT = pathlib.Path(__file__).resolve().parents[2]
if not os.environ.get("ROBERVAL_INSTALLED"):  # else the installed package is tested
    sys.path.insert(0, str(ROOT / "python"))

signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell starts programs in the background with ^C ignored

PROGRAM = os.environ.get("ROBERVAL", str(ROOT / "build/release/roberval"))
EXAMPLES = ROOT / "examples"
ACCEPTANCE = ROOT.parent / "shared/acceptance"

PENDULUM = """roberval: 1
space: planar
gravity: [0, -9.81]
parameters: {u: 0 N.m, m: 2 kg}
bodies: {rod: {mass: m, inertia: 0.1, centroid: [0.5, 0]}}
joints: {hinge: {type: revolute, between: [ground, rod]}}
loads: {motor: {type: torsion-spring, joint: hinge, torque: "-u"}}
initial: {hinge.angle: 0, hinge.angle': 0}
motion: {from: 0, to: 1 s, step: 10 ms}
"""
FOURBAR = """roberval: 1
space: planar
gravity: [0, -9.81]
parameters: {w: 6.283185307179586 rad/s}
bodies:
  crank: {mass: 0.5, inertia: 0.001, centroid: [0.05, 0], markers: {A: [0.1, 0]}}
  rod: {mass: 2, inertia: 0.05, centroid: [0.2, 0], markers: {B: [0.4, 0]}, pose: {at: [0.1, 0], angle: 40 deg}}
  rocker: {mass: 1.5, inertia: 0.02, centroid: [0.15, 0], markers: {B: [0.3, 0]}, pose: {at: [0.4, 0], angle: 90 deg}}
  ground: {markers: {C: [0.4, 0]}}
joints:
  O: {type: revolute, between: [ground, crank]}
  A: {type: revolute, between: [crank.A, rod]}
  B: {type: revolute, between: [rod.B, rocker.B]}
  C: {type: revolute, between: [ground.C, rocker]}
drives: {motor: {coordinate: O.angle, motion: "w*t"}}
motion: {from: 0, to: 1 s, step: 10 ms}
"""


def program(arguments: List[str], folder: pathlib.Path) -> Tuple[int, Dict[str, Any], str]:
    """Exit status, result.json and series.csv of the program."""
    done = subprocess.run([PROGRAM, *arguments, "--quiet", "--out", str(folder)], capture_output=True, text=True, check=False)
    result, series = folder / "result.json", folder / "series.csv"
    found = json.loads(result.read_text()) if result.exists() else {}
    return done.returncode, found, series.read_text() if series.exists() else ""
