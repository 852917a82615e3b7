#!/usr/bin/env python3
"""An equilibrium is right or refused: machines whose numbers differ by many orders against closed forms.

Tolerances.  1e-3 of a number: what is off by more is no number (docs/results.md, `unsure`); the audit allows 1e-7 where places are no rounding.
"""
import math
import os
import random
import sys
import unittest

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "py"))
import cli              # noqa: E402

SURE = 1e-3
G = 9.81


def springs(k1, k2, F1, F2, turned=False):
    """two carts on a rail, a spring of k1 to ground, of k2 between them, free lengths 1 m"""
    bodies = {"ground": {"markers": {"o": [0, 0]}}, "a": {"mass": 1, "inertia": 1, "pose": {"at": [1, 0]}}, "b": {"mass": 1, "inertia": 1, "pose": {"at": [2, 0]}}}
    joints = {"ra": {"type": "prismatic", "between": ["ground", "a"]}, "rb": {"type": "prismatic", "between": ["ground", "b"]}}
    if turned:
        bodies, joints = dict(reversed(list(bodies.items()))), dict(reversed(list(joints.items())))
    return {"roberval": 1, "space": "planar", "bodies": bodies, "joints": joints,
            "loads": {"s1": {"type": "spring", "between": ["ground.o", "a"], "stiffness": k1, "free_length": 1}, "s2": {"type": "spring", "between": ["a", "b"], "stiffness": k2, "free_length": 1},
                      "f1": {"type": "force", "to": "a", "value": [F1, 0]}, "f2": {"type": "force", "to": "b", "value": [F2, 0]}}}


def bennett(length, twist, ratio, turn):
    """points and axes of a Bennett linkage at the first angle `turn`: links of lengths a, b, a, b and twists alpha, beta, alpha, beta with sin beta / b = sin alpha / a;
    tan(t1/2) tan(t2/2) = sin((beta + alpha)/2) / sin((beta - alpha)/2), t3 = -t1, t4 = -t2. The last link is the ground."""
    other = math.asin(ratio * math.sin(twist))
    second = 2 * math.atan(math.sin((other + twist) / 2) / math.sin((other - twist) / 2) / math.tan(turn / 2))
    R, p, points, axes = np.eye(3), np.zeros(3), [], []
    for angle, far, bend in zip((turn, second, -turn, -second), (length, ratio * length) * 2, (twist, other) * 2):
        points.append(p)
        axes.append(R[:, 2])
        c, s, cb, sb = math.cos(angle), math.sin(angle), math.cos(bend), math.sin(bend)
        R = R @ np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
        p = p + far * R[:, 0]
        R = R @ np.array([[1, 0, 0], [0, cb, -sb], [0, sb, cb]])
    return points, axes, p


def bennett_model(points, axes, masses, gravity):
    names = ["ground", "l1", "l2", "l3", "ground"]
    bodies = {names[k + 1]: {"mass": masses[k], "inertia": [0.1, 0.1, 0.1], "pose": {"at": [float(x) for x in (points[k] + points[k + 1]) / 2]}} for k in range(3)}
    joints = {"ABCD"[k]: {"type": "revolute", "between": [names[k], names[k + 1]], "at": [float(x) for x in points[k]], "axis": [float(x) for x in axes[k]]} for k in range(4)}
    return {"roberval": 1, "space": "spatial", "gravity": [float(x) for x in gravity], "bodies": bodies, "joints": joints}


def quaternion(R):
    """w, x, y, z of a rotation: the largest eigenvector of Bar-Itzhack's matrix"""
    (a, b, c), (d, e, f), (g, h, i) = R
    K = np.array([[a - e - i, b + d, c + g, h - f], [b + d, e - a - i, f + h, c - g], [c + g, f + h, i - a - e, d - b], [h - f, c - g, d - b, a + e + i]])
    x, y, z, w = np.linalg.eigh(K)[1][:, -1]
    return [float(n) for n in (w, x, y, z)]


class Goldberg:
    """Goldberg's linkage of five: two of Bennett's with a common link of length a, twist alpha, which is left out, and two links b and c as one; sin alpha / a = sin beta / b = sin gamma / c. Its angles are found by
    Levenberg's method on the closing, which has as many numbers as a chain of five hinges in space, one more than it needs."""

    def __init__(self, chance):
        twist = [chance.uniform(0.4, 1.2) for _ in range(3)]
        a, b, c = (1.2 * math.sin(t) for t in twist)
        self.length, self.twist = [a, b, c, a, b + c], [twist[0], twist[1], twist[2], twist[0], twist[1] + twist[2]]
        self.mass, self.aside, self.coil = [chance.uniform(0.5, 2) for _ in range(4)], [chance.uniform(-0.2, 0.2) for _ in range(4)], chance.uniform(1, 30)
        off = 1
        while off > 1e-13:
            self.angle, off = self.closed(chance.uniform(0.5, 2.5), np.array([chance.uniform(-3, 3) for _ in range(4)]))

    def frames(self, angles):
        """of each link behind its turn, and of the end"""
        R, p, found = np.eye(3), np.zeros(3), []
        for t, far, bend in zip(angles, self.length, self.twist):
            c, s, cb, sb = math.cos(t), math.sin(t), math.cos(bend), math.sin(bend)
            R = R @ np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
            found.append((p, R))
            p, R = p + far * R[:, 0], R @ np.array([[1, 0, 0], [0, cb, -sb], [0, sb, cb]])
        return found + [(p, R)]

    def off(self, angles):
        p, R = self.frames(angles)[-1]
        return np.concatenate([p, (R - np.eye(3)).ravel()])

    def closed(self, first, others):
        mu, left = 1e-2, self.off([first, *others])
        for _ in range(100):
            J = np.array([(self.off([first, *(others + 1e-6 * e)]) - self.off([first, *(others - 1e-6 * e)])) / 2e-6 for e in np.eye(4)]).T
            trial = others - np.linalg.solve(J.T @ J + mu * np.eye(4), J.T @ left)
            then = self.off([first, *trial])
            others, left, mu = (trial, then, max(mu / 10, 1e-15)) if then @ then < left @ left else (others, left, 10 * mu)
        return np.array([first, *others]), np.linalg.norm(left)

    def energy(self, angles):
        """of weights along -z and of the coil of the first hinge"""
        places = [(p + R @ [far / 2, y, 0])[2] for (p, R), far, y in zip(self.frames(angles), self.length, self.aside)]
        return sum(m * G * z for m, z in zip(self.mass, places)) + self.coil * angles[0] ** 2 / 2

    def model(self):
        frames = self.frames(self.angle)
        bodies = {"ground": {"markers": {"F": {"at": [float(x) for x in frames[4][0]], "axis": [float(x) for x in frames[4][1][:, 2]], "x": [float(x) for x in frames[4][1][:, 0]]}}}}
        for k in range(4):
            p, R = frames[k]
            bodies[f"b{k}"] = {"mass": self.mass[k], "inertia": [0.02, 0.03, 0.04], "centroid": [self.length[k] / 2, self.aside[k], 0],
                               "pose": {"at": [float(x) for x in p], "rotate": {"quaternion": quaternion(R)}},
                               "markers": {"E": {"at": [self.length[k], 0, 0], "rotate": {"axis": [1, 0, 0], "angle": self.twist[k]}}}}
        joints = {f"j{k}": {"type": "revolute", "between": ["ground" if k == 0 else f"b{k - 1}.E", f"b{k}" if k < 4 else "ground.F"]} for k in range(5)}
        return {"roberval": 1, "space": "spatial", "gravity": [0, 0, -G], "bodies": bodies, "joints": joints, "loads": {"coil": {"type": "torsion-spring", "joint": "j0", "stiffness": self.coil}}}


def bead(far, angle):
    """a motor holds a weight of 1 kg `far` from its pin"""
    return {"roberval": 1, "space": "planar", "gravity": [0, -G], "bodies": {"bead": {"mass": 1, "inertia": 1, "centroid": [far, 0]}},
            "joints": {"pin": {"type": "revolute", "between": ["ground", "bead"]}}, "drives": {"motor": {"coordinate": "pin.angle", "motion": angle}}}


def pulleys(mass, torque):
    """a belt from a pulley of `mass`, on which the torque acts, to a driven one of twice its radius"""
    return {"roberval": 1, "space": "planar",
            "bodies": {"ground": {"markers": {"o": [1, 0]}}, "a": {"mass": 2, "inertia": 0.1}, "b": {"mass": mass, "inertia": mass, "pose": {"at": [1, 0]}}},
            "joints": {"pa": {"type": "revolute", "between": ["ground", "a"]}, "pb": {"type": "revolute", "between": ["ground.o", "b"]}, "belt": {"type": "belt", "between": ["a", "b"], "radii": [0.2, 0.1]}},
            "drives": {"motor": {"coordinate": "pa.angle", "motion": 0.3}}, "loads": {"m": {"type": "torque", "to": "b", "value": torque}}}


class Audited(cli.Case):
    def right_or_refused(self, model, want, *flags):
        """True where it is found: then these first values are right; else exit 1 says why"""
        done = cli.run_model(model, "statics", *flags)
        self.assertIn(done.code, (0, 1), done.said())
        if done.code == 1:
            self.assertRegex(done.err, "fails its audit|no equilibrium found")
            return False
        for name, value in want.items():
            self.assertLessEqual(abs(done.series[name][0] - value), SURE * max(abs(value), 1e-300), f"{name} {done.series[name][0]} {value}")
        return True

    def test_springs_of_many_orders(self):
        """x = 1 + (F1 + F2)/k1, s2 = F2"""
        die = random.Random(4)
        for trial in range(40 if cli.MORE else 12):
            k1, k2, F1, F2 = 10 ** die.uniform(1, 3), 10 ** die.uniform(4, 16), die.uniform(1, 20), die.uniform(1, 20)
            want = {"s1.force": F1 + F2, "s2.force": F2, "a.x": 1 + (F1 + F2) / k1}
            flags = ([], ["--coordinates", "natural"], ["--coordinates", "joint"])[trial % 3] + ["--method", ("energy", "lagrange", "relaxation", "augmented")[trial % 4]]
            with self.subTest(k1=k1, k2=k2, flags=flags):
                found = self.right_or_refused(springs(k1, k2, F1, F2, trial % 2), want, *flags)
                self.assertTrue(found or k2 > 1e9, "where the last bit of a place is less than 1e-6 N it is found")

    def test_no_start_from_where_it_does_not_rest(self):
        for command in (["modes"], ["simulate", "--to", "0.1", "--step", "0.1"]):
            done = cli.run_model(springs(100, 1e15, 10, 10), *command, "--start", "statics")
            self.assertEqual(done.code, 1, done.said())
            self.assertIn("fails its audit", done.err)

    def test_a_weight_far_from_its_motor(self):
        for exponent in (0, 3, 6, 9, 11, 12, 13):
            for angle in (0.785398, -2.2):
                with self.subTest(exponent=exponent, angle=angle):
                    far = 1.1 * 10 ** exponent
                    found = self.right_or_refused(bead(far, angle), {"motor.effort": G * far * math.cos(angle)})
                    self.assertTrue(found or exponent > 6)

    def test_a_pulley_of_almost_no_mass(self):
        for exponent in (0, -8, -14, -20, -30):
            for method in ("energy", "lagrange", "virtual-power"):
                with self.subTest(exponent=exponent, method=method):
                    self.right_or_refused(pulleys(10.0 ** exponent, 3), {"motor.effort": -6}, "--method", method)

    def test_nearly_neutral(self):
        """a weight upright on a coil of (1 + 2 part) m g c: mu is `part` of the sum of its contributions; below 1e-8 neutral, from 1e-7 on stable or not, and between not decided, with a note"""
        turn = math.pi / 2
        for part, want in ((0, "neutral"), (4e-9, "neutral"), (-4e-9, "neutral"), (3e-8, None), (-3e-8, None), (3e-7, "stable"), (-3e-7, "unstable")):
            model = {"roberval": 1, "space": "planar", "gravity": [0, -G], "bodies": {"a": {"mass": 2, "inertia": 0.3, "centroid": [0.5, 0], "pose": {"at": [0, 0], "angle": turn}}},
                     "joints": {"p": {"type": "revolute", "between": ["ground", "a"]}}, "loads": {"k": {"type": "torsion-spring", "joint": "p", "stiffness": 2 * G * 0.5 * (1 + 2 * part), "free_angle": turn}}}
            with self.subTest(part=part):
                done = self.ok(model, "statics", "--method", "lagrange")
                self.assertEqual(done.result["equilibrium"]["stability"], want)
                self.assertEqual("less than ten times what counts as none" in str(done.result["notes"]), want is None)

    @cli.long
    def test_linkages_that_close_by_their_proportions_alone(self):
        """Newton on position and multipliers comes to an equilibrium of a Bennett linkage, whose rows repeat each other: its energy along the one angle is a minimum where it is called stable, and a maximum
        where it is called unstable"""
        chance = random.Random(11)
        for k in range(40 if cli.MORE else 8):
            length, twist, ratio, turn = chance.uniform(0.5, 2), chance.uniform(0.3, 0.7), chance.uniform(1.1, 1.4), chance.uniform(0.6, 2.4)
            gravity = np.array([chance.uniform(-5, 5), chance.uniform(-10, 10), -G])
            masses = [chance.uniform(1, 4) for _ in range(3)]
            points, axes, end = bennett(length, twist, ratio, turn)
            self.assertLess(np.linalg.norm(end), 1e-12)

            def energy(at):
                places = bennett(length, twist, ratio, at)[0]
                return -sum(m * gravity @ (places[i] + places[i + 1]) / 2 for i, m in enumerate(masses))
            values = np.array([energy(x) for x in 2 * math.pi * (np.arange(400) + 0.5) / 400])
            before, after, span = np.roll(values, 1), np.roll(values, -1), values.max() - values.min()
            extremes = {"stable": values[(values < before) & (values < after)], "unstable": values[(values > before) & (values > after)]}
            for method in ("lagrange", "energy"):
                with self.subTest(k=k, method=method):
                    result = self.ok(bennett_model(points, axes, masses, gravity), "statics", "--method", method).result["equilibrium"]
                    off = np.abs(extremes[result["stability"]] - result["energy"]).min()
                    self.assertLess(off, 1e-3 * span)                        # the grid is off by its step's square

    @cli.long
    def test_linkages_of_five(self):
        """a Goldberg linkage at rest, by Newton on position and multipliers: or refused, where the start leads to a singular position. Where it is found the chain closes there, and along its one motion the energy
        is least where it is called stable, largest where unstable"""
        chance, refused, count = random.Random(5), 0, 40 if cli.MORE else 6
        for k in range(count):
            linkage = Goldberg(chance)
            for method in ("lagrange", "energy"):
                with self.subTest(k=k, method=method):
                    done = cli.run_model(linkage.model(), "statics", "--method", method)
                    if method == "lagrange" and done.code == 1:
                        self.assertRegex(done.err, "no equilibrium found: Newton's method .lagrange. does not converge")
                        refused += 1
                        continue
                    self.assertEqual(done.code, 0, done.said())
                    at = done.result["equilibrium"]
                    angles = np.array([at["coordinates"][f"j{n}.angle"] for n in range(5)])
                    self.assertLess(np.abs(linkage.off(angles)).max(), 1e-8)
                    self.assertAlmostEqual(linkage.energy(angles), at["energy"], delta=1e-6)
                    step = 1e-3
                    below, above = (linkage.energy(linkage.closed(angles[0] + d, angles[1:])[0]) for d in (-step, step))
                    bend = (above + below - 2 * at["energy"]) / step ** 2
                    self.assertLess(abs(above - below) / (2 * step), 1e-4 * (abs(bend) + 10))       # the difference is off by the third derivative times the square of the step
                    self.assertEqual(at["stability"], "stable" if bend > 0 else "unstable")
        self.assertLess(refused, 0.2 * count)


if __name__ == "__main__":
    unittest.main()
