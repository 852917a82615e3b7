#!/usr/bin/env python3
# ctest: joint
"""--start DIR[@t]: a run that goes on from another result against the run without a break, and against closed forms where the other model is another."""
import math
import os
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "py"))
import numpy as np      # noqa: E402
import cli              # noqa: E402

# steps of 1e-9 of each size over a few thousand steps
AGREE = 2e-7

PLANE = """roberval: 1
space: planar
gravity: [0, -9.81]
bodies:
  arm: {mass: 2, inertia: 0.1, centroid: [0.5, 0], pose: {at: [0, 0]}, markers: {B: [1, 0]}}
  arm2: {mass: 1, inertia: 0.05, centroid: [0.3, 0.1], pose: {at: [1, 0]}}
  bob: {particle: true, mass: 1, pose: {at: [3, 1]}}
  hop: {particle: true, mass: 1, pose: {at: [9, 0.2]}}
  wheel: {mass: 1, inertia: 0.2, pose: {at: [5, 0]}}
  slider: {mass: 1, inertia: 0.1, pose: {at: [7, 0]}}
joints:
  pin: {type: revolute, between: [ground, arm], at: [0, 0], damping: 0.1}
  pin2: {type: revolute, between: [arm.B, arm2]}
  axle: {type: revolute, between: [ground, wheel], at: [5, 0]}
  way: {type: prismatic, between: [ground, slider], at: [7, 0], friction: {coefficient: 0.3, static: 0.4}}
  rope: {type: link, between: [ground.R, bob], length: 1.3, unilateral: true}
drives: {motor: {coordinate: axle.angle, motion: "9*t^2"}}
loads: {push: {type: force, to: slider, value: ["6*sin(3*t)", 0]}}
stops:
  floor: {coordinate: y(bob), min: 0.85, restitution: 0.6}
  table: {coordinate: y(hop), min: 0, restitution: 0.95}
states: {sum: {rate: "sin(pin.angle)", start: 0.1}}
initial: {way.distance': 0.5, pin.angle: 0.2}
motion: {from: 0, to: 2, step: 0.1}
""".replace("bodies:\n", "bodies:\n  ground: {markers: {R: [3.2, 2]}}\n", 1)

SPACE = """roberval: 1
space: spatial
gravity: [0, 0, -9.81]
bodies:
  ground: {markers: {O: [0, 0, 0], P: [0.3, 0, 0]}}
  top: {mass: 1, inertia: [0.01, 0.01, 0.02], centroid: [0, 0, 0.2], pose: {rotate: {axis: [1, 0, 0], angle: 0.4}}}
  big: {mass: 1, inertia: [0.02, 0.02, 0.04]}
  small: {mass: 0.5, inertia: [0.01, 0.01, 0.01], pose: {at: [0.3, 0, 0]}}
joints:
  foot: {type: spherical, between: [ground.O, top]}
  A: {type: revolute, between: [ground.O, big]}
  B: {type: revolute, between: [ground.P, small]}
  mesh: {type: gear, between: [big, small], radii: [0.2, 0.1]}
loads: {twist: {type: torque, to: big, value: [0, 0, "2 + 0.1*A.angle"]}}
initial: {A.angle: 0.3, A.angle': 30, wz(top): 90}
motion: {from: 0, to: 1, step: 0.05}
"""

OWN = """roberval: 1
space: planar
generalized:
  coordinates: {u: {start: 0.3, rate: 0.2}, w: {start: 0, rate: 1}}
  mass: [["0.7*(1 + u^2)", 0], [0, 2]]
  force: ["-3*u - 0.1*u'", "-5*w + u"]
motion: {from: 0, to: 2, step: 0.1}
"""


class Start(cli.Case):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="rbv-start-")
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def model(self, name, text):
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)
        return path

    def call(self, command, model, *more, out=None, code=0):
        folder = os.path.join(self.folder, out) if out else tempfile.mkdtemp(dir=self.folder)
        done = cli.limited([cli.BINARY, command, model, "--out", folder, *more], capture_output=True)
        run = cli.Run(done.returncode, done.stdout.decode(), done.stderr.decode(), folder)
        self.assertEqual(run.code, code, run.said())
        return run

    def continued(self, text, half, end, start):
        path = self.model("m.yaml", text)
        whole = self.call("simulate", path, "--to", str(end))
        self.call("simulate", path, "--to", str(half if start == "part" else end), out="part")
        go = self.call("simulate", path, "--start", os.path.join(self.folder, "part") + ("" if start == "part" else f"@{half} s"), "--to", str(end))
        first = int(np.argmin(abs(whole.time - half)))
        np.testing.assert_allclose(go.time, whole.time[first:], atol=1e-12)
        for name in whole.series:
            if name.startswith("energy.error") or "impulse" in name or name not in go.series:
                continue
            a, b = whole.series[name][first:], go.series[name]
            size = max(np.nanmax(abs(whole.series[name])), 1)
            np.testing.assert_allclose(b, a, atol=AGREE * size, err_msg=name)
        return whole, go

    def test_a_run_in_two_parts_is_the_run_without_a_break(self):
        whole, go = self.continued(PLANE, 1, 2, "part")
        self.assertGreater(whole.series["axle.angle"][-1], 30)          # turns are counted
        late = [e for e in whole.result["integration"]["events"] if e["t"] > 1]
        self.assertGreaterEqual(len(late), 3)
        self.assertEqual([(e["name"], e["kind"]) for e in go.result["integration"]["events"]], [(e["name"], e["kind"]) for e in late])
        for a, b in zip(go.result["integration"]["events"], late):
            self.assertAlmostEqual(a["t"], b["t"], delta=1e-6)

    def test_from_a_sample_between(self):
        self.continued(PLANE, 1.3, 2, "between")

    def test_turns_of_joints_and_meshes_in_space(self):
        whole, _ = self.continued(SPACE, 0.5, 1, "part")
        self.assertGreater(abs(whole.series["B.angle"][10]), 20)

    def test_generalized_coordinates(self):
        self.continued(OWN, 1, 2, "between")

    def test_another_model_with_a_joint_released(self):
        # a bob on an arm that lets go at 1 s: a parabola from there
        held = """roberval: 1
space: planar
gravity: [0, -9.81]
bodies: {bob: {mass: 2, inertia: 0.3, pose: {at: [0.8, 0]}}}
joints: {pin: {type: revolute, between: [ground, bob], at: [0, 0]}}
drives: {motor: {coordinate: pin.angle, motion: "3*t"}}
motion: {from: 0, to: 1, step: 0.1}
"""
        free = held.replace("joints: {pin: {type: revolute, between: [ground, bob], at: [0, 0]}}\ndrives: {motor: {coordinate: pin.angle, motion: \"3*t\"}}\n", "").replace("to: 1", "to: 2")
        self.call("simulate", self.model("held.yaml", held), out="part")
        go = self.call("simulate", self.model("free.yaml", free), "--start", os.path.join(self.folder, "part"))
        t = go.time - 1
        np.testing.assert_allclose(go.series["bob.x"], 0.8 * math.cos(3) - 2.4 * math.sin(3) * t, atol=1e-9)
        np.testing.assert_allclose(go.series["bob.y"], 0.8 * math.sin(3) + 2.4 * math.cos(3) * t - 4.905 * t * t, atol=1e-9)
        np.testing.assert_allclose(go.series["bob.angle"], 3 + 3 * t, atol=1e-9)
        # the clock set back
        back = self.call("simulate", self.model("free.yaml", free), "--start", os.path.join(self.folder, "part"), "--from", "0", "--to", "1")
        np.testing.assert_allclose(back.series["bob.x"], go.series["bob.x"], atol=1e-9)

    def test_results_of_other_analyses_start_at_rest(self):
        pendulum = """roberval: 1
space: planar
gravity: [0, -9.81]
bodies: {bob: {mass: 2, inertia: 0.5, centroid: [0, -1], pose: {angle: 0.3}}}
joints: {pin: {type: revolute, between: [ground, bob], at: [0, 0]}}
motion: {from: 0, to: 1, step: 0.1}
"""
        path = self.model("m.yaml", pendulum)
        self.call("statics", path, out="rest")
        run = self.call("simulate", path, "--start", os.path.join(self.folder, "rest"))
        self.assertIn("has no rates", run.err + run.out)
        self.assertLess(max(abs(run.series["bob.angle"])), 1e-8)
        self.call("assemble", path, out="placed")
        run = self.call("simulate", path, "--start", os.path.join(self.folder, "placed"))
        np.testing.assert_allclose(run.series["pin.angle"], self.call("simulate", path).series["pin.angle"], atol=1e-8)

    def test_modes_where_the_other_result_ends(self):
        # omega^2 = m g l / (J + m l^2) about the lowest place, where statics has gone
        pendulum = """roberval: 1
space: planar
gravity: [0, -9.81]
bodies: {bob: {mass: 2, inertia: 0.5, centroid: [0, -1], pose: {angle: 0.3}}}
joints: {pin: {type: revolute, between: [ground, bob], at: [0, 0]}}
"""
        path = self.model("m.yaml", pendulum)
        self.call("statics", path, out="rest")
        run = self.call("modes", path, "--start", os.path.join(self.folder, "rest"))
        self.assertAlmostEqual(run.result["modes"][0]["frequency"], math.sqrt(2 * 9.81 / 2.5) / (2 * math.pi), places=9)

    def test_what_cannot_be_started_from_is_said(self):
        path = self.model("m.yaml", PLANE)
        self.call("simulate", path, "--to", "1", out="part")
        part = os.path.join(self.folder, "part")

        def wrong(text, *more, model=path, command="simulate"):
            self.assertIn(text, self.call(command, model, *more, code=2).err)
        wrong("No such file or directory", "--start", "nowhere")
        wrong("there is no sample at t = 1.04 s: the last is at 1 s", "--start", part + "@1.04")
        wrong("the nearest are at 0.3 s and 0.4 s", "--start", part + "@0.34 s")
        wrong("wants a time", "--start", part + "@soon")
        wrong("to must not lie before from", "--start", part, "--to", "0.5")
        wrong("--start of inverse is statics", "--start", part, command="inverse")
        wrong("lacks columns that a start of this model needs: arm3.x, arm3.vx, arm3.y, arm3.vy, arm3.angle, arm3.omega", "--start", part,
              model=self.model("more.yaml", PLANE.replace("  arm2:", "  arm3: {mass: 1, inertia: 1}\n  arm2:")))
        wrong("has bodies that are not in this model: bob", "--start", part,
              model=self.model("less.yaml", "\n".join(line for line in PLANE.splitlines() if "bob" not in line)))
        wrong("slider (a particle in this model)", "--start", part,
              model=self.model("point.yaml", "\n".join(line for line in PLANE.replace("slider: {mass: 1, inertia: 0.1,", "slider: {particle: true, mass: 1,").splitlines() if "way" not in line)))
        wrong("does not fit this model at t = 1 s: off are joint 'pin2' (x) by 0.1 m", "--start", part, model=self.model("off.yaml", PLANE.replace("B: [1, 0]", "B: [1.1, 0]")))
        series = os.path.join(part, "series.csv")
        with open(series, encoding="utf-8") as f:
            text = f.read()
        with open(series, "w", encoding="utf-8") as f:
            f.write(text.replace("time [s]", "load [N]", 1))
        wrong("goes along 'load', not along time", "--start", part)


if __name__ == "__main__":
    unittest.main()
