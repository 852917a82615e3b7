#!/usr/bin/env python3
# ctest: polar natural joint
"""modes --inputs --outputs: matrices against closed forms, against differences of the accelerations of simulate, poles against the modes."""
import math
import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "py"))
import numpy as np      # noqa: E402
import cli              # noqa: E402

MASS, DAMPER, SPRING = 2.0, 3.0, 200.0
BLOCK = f"""roberval: 1
space: planar
bodies: {{block: {{mass: {MASS}, inertia: 1, pose: {{at: [0.5, 0]}}}}}}
joints: {{way: {{type: prismatic, between: [ground, block], damping: {DAMPER}}}}}
loads:
  leaf: {{type: spring, between: [ground, block], stiffness: {SPRING}, free_length: 0.5}}
  pull: {{type: force, to: block, value: [0, 0]}}
output: {{place: way.distance, rate: "way.distance'", gain: "way.distance''"}}
"""

CART = """roberval: 1
space: planar
gravity: [0, -9.81]
bodies:
  cart: {mass: 1.5, inertia: 1}
  pole: {mass: 0.4, inertia: 0.02, centroid: [0, 0.5], markers: {C: [0, 0.5]}}
joints:
  rail: {type: prismatic, between: [ground, cart], at: [0, 0], damping: 0.3}
  pin: {type: revolute, between: [cart, pole], damping: 0.05}
DRIVE
loads: {gust: {type: force, to: pole.C, value: [0.2, 0]}, twist: {type: torque, to: pole, value: 0.1}PUSH}
initial: {rail.distance: X, rail.distance': V, pin.angle: A, pin.angle': W}
output: {tip: "x(pole.C)", side: pin.Fx, gain: "pin.angle''", power: "pin.Fy*rail.distance'"}
motion: {from: 0, to: 1e-6, step: 1e-6}
"""

# differences with this step of the accelerations and forces, which have derivatives of about 100
STEP = 1e-4
OFF = 1e-5

SPACE = """roberval: 1
space: spatial
gravity: [0, 0, -9.81]
bodies:
  ground: {markers: {O: [0, 0, 0]}}
  top: {mass: 1.3, inertia: [0.02, 0.02, 0.03], centroid: [0, 0, 0.3], pose: {rotate: {axis: [1, 0, 0], angle: 0.2}}}
joints: {pivot: {type: universal, between: [ground.O, top]}}
loads: {push: {type: force, to: top, value: [0, 0, 0], frame: body}}
output: {height: z(top)}
"""


class StateSpace(cli.Case):
    def modes(self, text, *more, code=0):
        run = cli.run_model(text, "modes", *more)
        self.assertEqual(run.code, code, run.said())
        return run

    def matrices(self, result):
        space = result["state_space"]
        return [np.array(space[k], float).reshape(len(space[rows]), len(space[columns])) for k, rows, columns in
                (("A", "states", "states"), ("B", "states", "inputs"), ("C", "outputs", "states"), ("D", "outputs", "inputs"))]

    def test_a_mass_on_a_spring_has_its_transfer_function(self):
        result = self.modes(BLOCK, "--inputs", "pull.Fx,leaf", "--outputs", "place,rate,gain,leaf,pull.Fx").result
        space = result["state_space"]
        self.assertEqual([s["name"] for s in space["states"]], ["way.distance", "way.distance'"])
        self.assertEqual([s["unit"] for s in space["inputs"]], ["N", "N"])
        self.assertEqual([s["name"] for s in space["outputs"]], ["place", "rate", "gain", "leaf.force", "pull.Fx"])
        A, B, C, D = self.matrices(result)
        for frequency in (0.1, 1, 10, 300):
            s = 1j * frequency
            H = C @ np.linalg.solve(s * np.eye(2) - A, B) + D
            place = 1 / (MASS * s * s + DAMPER * s + SPRING)
            want = [[place, -place], [s * place, -s * place], [s * s * place, -s * s * place], [SPRING * place, 1 - SPRING * place], [1, 0]]
            np.testing.assert_allclose(H, want, atol=1e-11)
        self.assertAlmostEqual(space["outputs"][0]["at"], 0.5, places=12)

    def test_a_cart_and_its_pole_against_differences(self):
        state = {"X": 0.1, "V": 0.7, "A": 0.4, "W": -1.1}
        drive = 'drives: {motor: {coordinate: rail.distance, motion: "0.1 + 0.7*t"}}'

        def put(text, values):
            for name, value in values.items():
                text = text.replace(f": {name}", f": {value!r}")
            return text
        driven = CART.replace("DRIVE", drive).replace("PUSH", "").replace("rail.distance: X, rail.distance': V, ", "")
        result = self.modes(put(driven, state), "--inputs", "motor,gust.Fy,twist", "--outputs", "tip,side,gain,power,motor,pin.Fy").result
        A, B, C, D = self.matrices(result)
        effort = result["state_space"]["outputs"][4]["at"]
        free = CART.replace("DRIVE", "")

        def measured(change=None, h=0.0, input=None):
            values, loads = dict(state), [effort, 0.0, 0.1]
            if change:
                values[change] += h
            if input is not None:
                loads[input] += h
            text = free.replace("PUSH", f", effort: {{type: force, to: cart, value: [{loads[0]!r}, 0]}}").replace("[0.2, 0]", f"[0.2, {loads[1]!r}]").replace("value: 0.1}", f"value: {loads[2]!r}}}")
            run = cli.run_model(put(text, values), "simulate")
            self.assertEqual(run.code, 0, run.said())
            at = {name: column[0] for name, column in run.series.items()}
            names = [s["name"] for s in result["state_space"]["states"]]
            rates = [at[name + "'"] for name in names]
            return np.array(rates), np.array([at["tip"], at["side"], at["gain"], at["power"], loads[0], at["pin.Fy"]])
        order = [{"rail.distance": "X", "rail.distance'": "V", "pin.angle": "A", "pin.angle'": "W"}[s["name"]] for s in result["state_space"]["states"]]
        for k, name in enumerate(order):
            up, down = measured(name, STEP), measured(name, -STEP)
            np.testing.assert_allclose(A[:, k], (up[0] - down[0]) / (2 * STEP), atol=OFF, err_msg=name)
            np.testing.assert_allclose(C[:, k], (up[1] - down[1]) / (2 * STEP), atol=OFF, err_msg=name)
        for k in range(3):
            up, down = measured(None, STEP, k), measured(None, -STEP, k)
            np.testing.assert_allclose(B[:, k], (up[0] - down[0]) / (2 * STEP), atol=OFF)
            np.testing.assert_allclose(D[:, k], (up[1] - down[1]) / (2 * STEP), atol=OFF)
        self.same_poles(result, 1e-7)

    def same_poles(self, result, places):
        poles = np.linalg.eigvals(self.matrices(result)[0])
        found = []
        for mode in result["modes"]:
            re, im = mode["eigenvalue"]
            found += [complex(re, im)] + ([complex(re, -im)] if im > 0 else [complex(0, 0)] if re == 0 else [])
        found = [f for f in found if abs(f) > 1e-6]
        poles = [p for p in poles if abs(p) > 1e-3]           # a chain of two zeros splits by the root of rounding
        self.assertEqual(len(found), len(poles))
        for pole in poles:
            self.assertLess(min(abs(pole - f) for f in found), places * (1 + abs(pole)))

    def test_poles_are_the_modes(self):
        self.same_poles(self.modes(BLOCK, "--outputs", "place").result, 1e-10)
        result = self.modes(SPACE, "--inputs", "push.Fx,push.Fy", "--outputs", "height,pivot.Fz").result
        self.same_poles(result, 1e-7)
        # inverted: two places grow as sqrt(m g l/(J + m l^2)); a unit of force at the foot, where it has no arm, does nothing
        A, B, C, D = self.matrices(result)
        np.testing.assert_allclose(B, 0, atol=1e-10)
        grows = np.sort(np.linalg.eigvals(A).real)[-1]
        self.assertGreater(grows, 0)

    def test_without_names_all_outputs(self):
        space = self.modes(BLOCK, "--inputs", "pull.Fx").result["state_space"]
        self.assertEqual([s["name"] for s in space["outputs"]], ["place", "rate", "gain"])
        self.assertIsNone(space["states"][0].get("at"))
        self.assertNotIn("state_space", self.modes(BLOCK).result)

    def test_bodies_without_joints(self):
        text = """roberval: 1
space: planar
bodies: {bob: {mass: 2, inertia: 0.5, centroid: [0.1, 0]}}
loads: {well: {type: energy, value: "10*x(bob)^2 + 20*y(bob)^2 + 3*angle(bob)^2"}, push: {type: force, to: bob, value: [0, 0]}}
output: {x: x(bob)}
""".replace("{x: ", "{place: ")
        result = self.modes(text, "--inputs", "push.Fy").result
        self.assertEqual([s["name"] for s in result["state_space"]["states"]], ["bob.centroid.x", "bob.centroid.y", "bob.angle", "bob.centroid.x'", "bob.centroid.y'", "bob.angle'"])
        _, B, C, _ = self.matrices(result)
        np.testing.assert_allclose(B[:, 0], [0, 0, 0, 0, 0.5, -0.1 / 0.5], atol=1e-12)
        np.testing.assert_allclose(C, [[1, 0, 0, 0, 0, 0]], atol=1e-12)     # at angle 0 a turn moves the origin along y
        self.same_poles(result, 1e-9)

    def test_what_is_no_signal_is_said(self):
        def wrong(text, *more, model=BLOCK):
            self.assertIn(text, self.modes(model, *more, code=2).err)
        wrong("'pul' is no input", "--inputs", "pul")
        wrong("load 'pull' has 2 components; write pull.Fx", "--inputs", "pull")
        wrong("'plac' is no output: there is no such column; did you mean 'place'?", "--outputs", "plac")
        wrong("not with --follow", "--outputs", "place", "--follow", "k=1..2")
        wrong("the mechanism is redundant", "--outputs", "way.Fy",
              model=BLOCK.replace("joints: {", "joints: {twin: {type: prismatic, between: [ground, block]}, "))


if __name__ == "__main__":
    unittest.main()
