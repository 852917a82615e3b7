#!/usr/bin/python3
# ctest: natural joint
"""Rotors of drives: m = inertia ratio^2 on the drive's coordinate, against closed forms and against the same machine with the inertia on its body, in every analysis."""
import math
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent / "py"))
import cli  # noqa: E402

INERTIA, RATIO = 2e-4, 50.0
REFLECTED = INERTIA * RATIO ** 2    # 0.5 kg m^2
MASS, ARM, OWN, G = 2.0, 0.4, 0.05, 9.81
J = OWN + MASS * ARM ** 2

ROD = """roberval: 1
space: SPACE
gravity: GRAVITY
bodies: {rod: {mass: 2, inertia: TENSOR, centroid: [0.4, 0ZERO]}}
joints: {hinge: {type: revolute, between: [ground, rod]}}
drives: {motor: {coordinate: hinge.angle, motion: "MOTION", rotor: {inertia: 2 kg.cm^2, ratio: 50}MORE}}
motion: {from: 0, to: 1, step: 0.05}
output: {power: "motor.effort*hinge.angle'"}
"""


def rod(motion="0.3*t^2", more="", space="planar", text=ROD):
    planar = space == "planar"
    for name, value in (("SPACE", space), ("GRAVITY", "[0, -9.81]" if planar else "[0, -9.81, 0]"), ("TENSOR", "0.05" if planar else "[0.01, 0.05, 0.05]"), ("ZERO", "" if planar else ", 0"), ("MOTION", motion), ("MORE", more)):
        text = text.replace(name, value)
    return text


# Two arms, the second one's motor on the first; a slide along the second.
ARMS = """roberval: 1
space: planar
gravity: [0, -9.81]
bodies:
  one: {mass: 2, inertia: 0.1, centroid: [0.3, 0], markers: {E: [0.6, 0]}}
  two: {mass: 1, inertia: 0.05, centroid: [0.2, 0], pose: {at: [0.6, 0]}}
  three: {mass: 0.5, inertia: 0.01, pose: {at: [0.9, 0]}}
joints:
  a: {type: revolute, between: [ground, one]}
  b: {type: revolute, between: [one.E, two]}
  c: {type: prismatic, between: [two, three]}
drives:
  p: {coordinate: a.angle, motion: "P", rotor: {inertia: 0.001, ratio: 20}LET}
  q: {coordinate: b.angle, motion: "Q", rotor: {inertia: 0.0005, ratio: -15}LET}
  r: {coordinate: c.distance, motion: "R", rotor: {inertia: 1e-4, ratio: 80 rad/m}LET}
motion: {from: 0, to: 0.5, step: 0.02}
"""
MASSES = {"p": 0.001 * 400, "q": 0.0005 * 225, "r": 1e-4 * 6400}


class Rotors(cli.Case):
    def run_one(self, text, command, *flags):
        return self.ok(text, command, *flags)

    def test_effort(self):
        """motor = (J + I n^2) q'' + m g c cos q, in plane and space, by both methods"""
        for space in ("planar", "spatial"):
            for flags in ((), ("--method", "lagrange")):
                done = self.run_one(rod(space=space), "inverse", *flags)
                q = 0.3 * done.time ** 2
                self.near(done.series["motor.effort"], (J + REFLECTED) * 0.6 + MASS * G * ARM * np.cos(q), 1e-10)
                self.assertEqual(done.marks["motor.effort"], "unique")
        held = self.run_one(rod(), "statics")
        self.near(held.series["motor.effort"], [MASS * G * ARM], 1e-10)

    def test_a_driven_motion_is_simulated_with_the_same_efforts(self):
        done, simulated = self.run_one(rod("sin(3*t)"), "inverse"), self.run_one(rod("sin(3*t)"), "simulate")
        self.near(simulated.series["motor.effort"], done.series["motor.effort"], 1e-8)
        w = 3 * np.cos(3 * done.time)
        energy = 0.5 * (J + REFLECTED) * w ** 2 + MASS * G * ARM * np.sin(np.sin(3 * done.time))
        self.near(simulated.series["energy"] - simulated.series["energy"][0], energy - energy[0], 1e-9)

    def test_torques_and_lengths_on_moving_bodies(self):
        """Each drive's effort is that without its rotor, and m c'' more; reactions are the same"""
        text = ARMS.replace("LET", "").replace('"P"', '"sin(2*t)"').replace('"Q"', '"0.5 - t^2"').replace('"R"', '"0.3 + 0.1*sin(5*t)"')
        done = self.run_one(text, "inverse")
        bare = self.run_one("\n".join(line.split(", rotor:")[0] + "}" if "rotor:" in line else line for line in text.splitlines()), "inverse")
        t = done.time
        for name, second in (("p", -4 * np.sin(2 * t)), ("q", -2 + 0 * t), ("r", -2.5 * np.sin(5 * t))):
            self.near(done.series[f"{name}.effort"], bare.series[f"{name}.effort"] + MASSES[name] * second, 1e-9, name)
        for column in ("a.Fx", "a.Fy", "b.Fx", "b.Fy", "c.Fy", "c.Tz"):
            self.near(done.series[column], bare.series[column], 1e-10, column)

    def test_what_is_let_go_falls_with_its_rotor(self):
        """From t = 0.3 s the rod swings freely, with J + I n^2: energy by the closed form, and as a rod of that inertia"""
        text = rod("0.5", ', active: "t < 0.3[s]"').replace("to: 1", "to: 2")
        done = self.run_one(text, "simulate", "--tolerance", "1e-11")
        free = done.time > 0.3
        w, q = done.series["hinge.angle'"][free], done.series["hinge.angle"][free]
        self.near(0.5 * (J + REFLECTED) * w ** 2 + MASS * G * ARM * np.sin(q), MASS * G * ARM * math.sin(0.5) + 0 * q, 1e-8)
        other = self.run_one(text.replace(", rotor: {inertia: 2 kg.cm^2, ratio: 50}", "").replace("inertia: 0.05", f"inertia: {OWN + REFLECTED}"), "simulate", "--tolerance", "1e-11")
        self.near(q, other.series["hinge.angle"][free], 1e-8)

    def test_released_arms_keep_their_energy(self):
        """All three let go at 0.09 s: the audit of every sample and the balance of energy hold, and a' = M^-1 Q by the textbook's matrices"""
        text = ARMS.replace("LET", ', active: "t < 0.09[s]"').replace('"P"', '"0.4 + 2*t"').replace('"Q"', '"0.5 - t"').replace('"R"', '"0.3 + 0.5*t"')
        done = self.run_one(text, "simulate", "--tolerance", "1e-11")
        self.assertLess(np.abs(done.series["energy.error"]).max(), 1e-8)
        k = 15
        q, v = (np.array([done.series[n + mark][k] for n in ("a.angle", "b.angle", "c.distance")]) for mark in ("", "'"))
        kinds = [(2, 0.1), (1, 0.05), (0.5, 0.01)]

        def places(q):
            a, b, c = q
            E = 0.6 * np.array([np.cos(a), np.sin(a)])
            u = np.array([np.cos(a + b), np.sin(a + b)])
            return np.concatenate([0.5 * E, [a], E + 0.2 * u, [a + b], E + c * u, [a + b]])

        def jacobian(q):
            return np.array([places(q + 1e-20j * e).imag / 1e-20 for e in np.eye(3)]).T
        D = np.diag([x for m, i in kinds for x in (m, m, i)])
        M = lambda q: jacobian(q).T @ D @ jacobian(q) + np.diag([MASSES[n] for n in "pqr"])  # noqa: E731
        h = 1e-4
        dJ = (jacobian(q + h * v) - jacobian(q - h * v)) / (2 * h)
        weights = np.concatenate([[0, -9.81 * m, 0] for m, _ in kinds])
        a = np.linalg.solve(M(q), jacobian(q).T @ (weights - D @ dJ @ v))
        self.near([done.series[n][k] for n in ("a.angle''", "b.angle''", "c.distance''")], a, 1e-5, "accelerations") # h^2

    def test_impacts(self):
        """A rod with its rotor strikes a stop: q' is turned back with its momentum (J + I n^2) (1 + e) w"""
        text = rod("0.5", ', active: "t < 0.1[s]"').replace("output:", "stops: {s: {coordinate: hinge.angle, min: 0.2, restitution: 0.5}}\noutput:")
        done = self.run_one(text, "simulate", "--tolerance", "1e-11")
        first = next(e for e in done.result["integration"]["events"] if e["kind"] == "impact")
        w = math.sqrt(2 * MASS * G * ARM * (math.sin(0.5) - math.sin(0.2)) / (J + REFLECTED))
        self.near([first["impulse"]], [(J + REFLECTED) * 1.5 * w], 1e-7)

    def test_a_motor_at_its_limit(self):
        """max: 3 N m on J + I n^2, without weight: where its motion asks for more it accelerates with 3/(J + I n^2)"""
        run = self.run_one(rod("4*step(t, 0.2, 0, 0.3, 1)", ", max: 3 N.m").replace("gravity: [0, -9.81]\n", ""), "simulate")
        second, effort = run.series["hinge.angle''"], run.series["motor.effort"]
        slips = np.abs(np.abs(effort) - 3) < 1e-9
        self.assertGreater(slips.sum(), 2)
        self.near(second * (J + REFLECTED), effort, 1e-8)

    def test_modes(self):
        """A released motor on a spring: w^2 = k/(J + I n^2), whether it is let go by a condition, or is an input"""
        text = rod("0", ', active: "t < 0[s]"').replace("output:", "loads: {coil: {type: torsion-spring, joint: hinge, stiffness: 40}}\noutput:").replace("gravity: [0, -9.81]\n", "").replace("output: {power: \"motor.effort*hinge.angle'\"}", "initial: {hinge.angle: 0, hinge.angle': 0}")
        done = self.run_one(text, "modes")
        mode, = done.result["modes"]
        self.near([mode["eigenvalue"][1]], [math.sqrt(40 / (J + REFLECTED))], 1e-9)
        self.near([mode["participation"]["motor.rotor"]], [REFLECTED / (J + REFLECTED)], 1e-9)
        held = text.replace(', active: "t < 0[s]"', "").replace("initial: {hinge.angle: 0, hinge.angle': 0}", "")
        space = self.run_one(held, "modes", "--inputs", "motor", "--outputs", "hinge.angle").result["state_space"]
        self.near(np.array(space["B"])[:, 0], [0, 1 / (J + REFLECTED)], 1e-9)
        self.near(np.array(space["A"])[1, 0], -40 / (J + REFLECTED), 1e-8)

    def test_bad_input(self):
        slide = """roberval: 1
space: planar
bodies: {b: {mass: 1, inertia: 1}}
joints: {s: {type: prismatic, between: [ground, b]}}
coordinates: {twice: "2*s.distance"}
drives: {d: {coordinate: COORDINATE, motion: t, rotor: {ROTOR}}}
"""
        for coordinate, rotor, message in (("s.distance", "inertia: 1", "needs a ratio"), ("s.distance", "inertia: 1 kg, ratio: 1", "mass"), ("s.distance", "inertia: 1, ratio: 3 m", "rad/m"), ("s.distance", "ratio: 3", "inertia"),
                                           ("s.distance", "inertia: -1, ratio: 3", "not negative"), ("twice", "inertia: 1, ratio: 3", "expression of coordinates"), ("s.distance", "inertia: 1, ratios: 3", "ratio")):
            run = cli.run_model(slide.replace("COORDINATE", coordinate).replace("ROTOR", rotor), "check")
            self.assertEqual(run.code, 2, rotor)
            self.assertIn(message, run.err)
        run = cli.run_model(rod().replace("ratio: 50", "ratio: 50 rad/m"), "check")
        self.assertEqual(run.code, 2)
        self.assertIn("rad of the rotor per rad", run.err)


if __name__ == "__main__":
    cli.main()
