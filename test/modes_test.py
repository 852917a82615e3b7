#!/usr/bin/python3
# ctest: polar natural joint
"""Modes: roots of the linearised motion against closed forms, against the curvature that statics finds, and against small swings of simulate.

Every machine is drawn anew from a seed, and its roots come from a formula, or from the characteristic polynomial of its textbook equations, by numpy."""
import json
import math
import os
import random
import sys
import tempfile
import unittest
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent / "py"))
import cli  # noqa: E402

ROUNDS = int(os.environ.get("ROBERVAL_ROUNDS", "3"))
G = 9.81


def planar(bodies, joints=None, loads=None, **more):
    return {"roberval": 1, "space": "planar", "bodies": bodies, "joints": joints or {}, "loads": loads or {}, **more}


def spatial(bodies, joints=None, loads=None, **more):
    return {**planar(bodies, joints, loads, **more), "space": "spatial"}


def ordered(roots):
    """as modes lists them: conjugates once, by size, the growing one first"""
    kept = [complex(r) for r in roots if r.imag >= -1e-9 * max(1, abs(r))]
    return sorted(kept, key=lambda r: (round(abs(r), 7), -r.real))


def roots_of(M, D, K):
    """z'' M + D z' + K z = 0"""
    n = len(M)
    A = np.block([[np.zeros((n, n)), np.eye(n)], [-np.linalg.solve(M, K), -np.linalg.solve(M, D)]])
    return np.linalg.eigvals(A)


class Modes(cli.Case):
    def modes(self, model, *flags):
        done = self.ok(model, "modes", "--json", *flags, out=False)
        return done.json()["modes"]

    def roots(self, model, *flags):
        return [complex(*m["eigenvalue"]) for m in self.modes(model, *flags)]

    def same(self, model, want, *flags, tol=1e-9):
        got, want = self.roots(model, *flags), ordered(want)
        self.assertEqual(len(got), len(want), f"{got} for {want}")
        size = max([1e-3] + [abs(r) for r in want])
        left = list(got)
        for r in want: # of equal sizes the order is not that of the list
            best = min(left, key=lambda g: abs(g - r))
            self.assertLessEqual(abs(best - r), tol * size, f"{got} for {want}")
            left.remove(best)
        sizes = [abs(g) for g in got]
        self.assertTrue(all(a <= b * (1 + 1e-8) + 1e-12 for a, b in zip(sizes, sizes[1:])), "sorted by size")

    @staticmethod
    def chain(n, m, k, c=0.0, reverse=False):
        bodies = {"ground": {"markers": {"O": [0, 0], "L": [0, 0], "R": [n + 1, 0]}}}
        order = range(n, 0, -1) if reverse else range(1, n + 1)
        for i in order:
            bodies[f"m{i}"] = {"mass": m, "inertia": 0.1, "pose": {"at": [i, 0]}}
        joints = {f"s{i}": {"type": "prismatic", "between": ["ground.O", f"m{i}"]} for i in order}
        ends = ["ground.L"] + [f"m{i}" for i in range(1, n + 1)] + ["ground.R"]
        loads = {f"k{i}": {"type": "spring", "between": [ends[i], ends[i + 1]], "stiffness": k, "free_length": 1, "damping": c} for i in range(n + 1)}
        return planar(bodies, joints, loads)

    def test_chains(self):
        for seed in range(ROUNDS):
            rng = random.Random(seed)
            n, m, k = rng.randint(1, 9), rng.uniform(0.1, 9), rng.uniform(1, 1e4)
            want = [2 * math.sqrt(k / m) * math.sin(j * math.pi / (2 * (n + 1))) for j in range(1, n + 1)]
            for reverse in (False, True):
                modes = self.modes(self.chain(n, m, k, reverse=reverse))
                self.near([x["eigenvalue"][1] for x in modes], want, 1e-11 * want[-1], "im")
                self.near([x["eigenvalue"][0] for x in modes], np.zeros(n), 0, "re")
                self.near([x["frequency"] for x in modes], np.array(want) / (2 * math.pi), 1e-11 * want[-1], "frequency")
                for j, x in enumerate(modes, 1):
                    shape = np.array([math.sin(i * j * math.pi / (n + 1)) for i in range(1, n + 1)])
                    got = np.array([x["shape"][f"s{i}.distance"][0] for i in range(1, n + 1)])
                    self.near(np.abs(got).max(), 1, 1e-12, "the largest is 1")
                    self.near(abs(got @ shape) / np.linalg.norm(got) / np.linalg.norm(shape), 1, 1e-12, "shape")
                    share = np.array([x["participation"].get(f"m{i}.x", 0) for i in range(1, n + 1)])
                    self.near(share, shape**2 / (shape @ shape), 1e-9, "participation")

    def test_long_chains(self):
        """A hanging chain of n equal point masses on links of length l: omega^2 = (g / l) x, x the zeros of the Laguerre polynomial L_n. Long chains take other ways: sparse factors,
        orthogonal factors without pivoting."""
        n, length, g = (260 if cli.MORE else 220), 0.3, G
        got = self.roots(self.hanging(n, length))
        zeros = np.linalg.eigvalsh(np.diag(2.0 * np.arange(n) + 1) + np.diag(np.arange(1.0, n), 1) + np.diag(np.arange(1.0, n), -1))
        want = np.sqrt(zeros * g / length)
        self.assertEqual(len(got), n)
        np.testing.assert_allclose(np.sort([r.imag for r in got]), want, rtol=1e-7)

    def test_long_chains_with_proportional_damping(self):
        """Hinges whose dampers are beta times their springs: s^2 + beta omega^2 s + omega^2 = 0 for each root of the chain without dampers."""
        n, beta = 210, 3e-4
        bodies = {f"b{k}": {"mass": 1 + 0.3 * (k % 3), "inertia": 0.02, "centroid": [0.05, 0], "pose": {"at": [0.1 * k, 0]}, "markers": {"E": [0.1, 0]}} for k in range(n)}
        joints = {f"j{k}": {"type": "revolute", "between": [f"b{k - 1}.E" if k else "ground", f"b{k}"]} for k in range(n)}
        loads = {f"s{k}": {"type": "torsion-spring", "joint": f"j{k}", "stiffness": 40 + k % 5} for k in range(n)}
        square = [-(r * r).real for r in self.roots(planar(bodies, joints, loads))]
        for load in loads.values():
            load["damping"] = beta * load["stiffness"]
        want = [r for w2 in square for r in np.roots([1, beta * w2, w2])]
        got = self.roots(planar(bodies, joints, loads))
        got += [r.conjugate() for r in got if r.imag > 0]
        key = lambda r: (abs(r.imag), r.real, r.imag)  # noqa: E731
        self.assertEqual(len(got), len(want))
        np.testing.assert_allclose(np.sort_complex(got), np.sort_complex(want), rtol=1e-6, atol=1e-6 * max(map(abs, want)))

    @staticmethod
    def hanging(n, length=0.3):
        """n equal point masses on links"""
        bodies = {f"b{k}": {"mass": 2.0, "pose": {"at": [0, -length * (k + 1)]}, "particle": True} for k in range(n)}
        joints = {f"j{k}": {"type": "distance", "between": [f"b{k - 1}" if k else "ground", f"b{k}"]} for k in range(n)}
        return planar(bodies, joints, gravity=[0, -G])

    @staticmethod
    def pendulum_chains(count, n, up=False):
        """equal chains of links side by side, hanging, or balanced upright"""
        s, bodies, joints = 1 if up else -1, {"ground": {"markers": {f"P{c}": [c, 0] for c in range(count)}}}, {}
        for c in range(count):
            for k in range(n):
                bodies[f"c{c}b{k}"] = {"mass": 1, "inertia": 0.01, "centroid": [0, 0.05 * s], "pose": {"at": [c, 0.1 * s * k]}, "markers": {"E": [0, 0.1 * s]}}
                joints[f"c{c}j{k}"] = {"type": "revolute", "between": [f"c{c}b{k - 1}.E" if k else f"ground.P{c}", f"c{c}b{k}"]}
        return planar(bodies, joints, gravity=[0, -G])

    @cli.long
    def test_lowest_of_a_long_chain(self):
        """The lowest roots alone, by sparse factors: those of test_long_chains, of a chain beyond dense algebra."""
        n, length, most = 3100, 0.3, 8
        got = self.roots(self.hanging(n, length), "--modes", str(most))
        k = np.arange(n)
        T = np.vstack([2.0 * k + 1, np.append(k[1:], 0)])  # the zeros of L_n, smallest first, by Sturm sequences: bisection needs no matrix
        want = [np.sqrt(self.laguerre_zero(T, i) * G / length) for i in range(most)]
        self.assertEqual(len(got), most)
        np.testing.assert_allclose([r.imag for r in got], want, rtol=1e-7)  # rounding of coordinates of 900 m

    @staticmethod
    def laguerre_zero(T, i):
        """zero i of L_n: the number of eigenvalues of the tridiagonal T below x is that of negative pivots"""
        diagonal, off = T[0].tolist(), T[1].tolist()

        def below(x):
            count, d = 0, 1.0
            for a, b in zip(diagonal, [0.0] + off):
                d = a - x - (b * b / d if d else b * b / 1e-300)
                count += d < 0
            return count
        low, high = 0.0, (3.0 * (i + 1)) ** 2 / len(diagonal)
        while high - low > 1e-12 * high:
            middle = (low + high) / 2
            low, high = (low, middle) if below(middle) > i else (middle, high)
        return high

    @cli.long
    def test_lowest_are_the_first_of_all(self):
        """Multiple roots, roots that grow, double zeros: the N of least frequency are the first N of all, found by dense algebra."""
        free = self.pendulum_chains(2, 110)
        free["gravity"] = [0, 0]
        del free["joints"]["c0j0"]
        free["loads"] = {f"s{name}": {"type": "torsion-spring", "joint": name, "stiffness": 100} for name in free["joints"] if not name.endswith("j0")}
        for name, model, most in (("two", self.pendulum_chains(2, 110), 9), ("equal", self.pendulum_chains(220, 1), 7), ("upright", self.pendulum_chains(1, 210, up=True), 6), ("free", free, 7)):
            with self.subTest(name):
                every, lowest = self.roots(model), self.roots(model, "--modes", str(most))
                self.assertEqual(len(lowest), most)
                np.testing.assert_allclose(lowest, every[:most], atol=1e-8 * abs(every[-1]))

    @cli.long
    def test_lowest_beside_neutral_and_soft_motions(self):
        """210 pendulums on torsion springs k (1 + i/100) without weight: omega^2 = k_i / J of each. Beside them a free body of any mass, or a pendulum on a spring 1e12 times as soft; masses of 1e-20."""
        n, stiffness, J = 210, 100.0, 0.01 + 0.01

        def model(scale=1.0, free=None, soft=None, stiff=stiffness):
            bodies = {"ground": {"markers": {f"P{k}": [0.5 * k, 0] for k in range(n)}}}
            bodies |= {f"b{k}": {"mass": scale, "inertia": 0.01 * scale, "centroid": [0, -0.1], "pose": {"at": [0.5 * k, 0]}} for k in range(n)}
            joints = {f"j{k}": {"type": "revolute", "between": [f"ground.P{k}", f"b{k}"]} for k in range(n)}
            loads = {f"s{k}": {"type": "torsion-spring", "joint": f"j{k}", "stiffness": stiff * scale * (1 + k / 100)} for k in range(n)}
            if free:
                bodies["free"] = {"mass": free, "inertia": free, "pose": {"at": [-5, 0]}}
            if soft:
                loads["s0"]["stiffness"] = soft
            return planar(bodies, joints, loads, gravity=[0, 0])
        roots = [math.sqrt(stiffness * (1 + k / 100) / J) for k in range(n)]
        for name, what, want in (("light", {"scale": 1e-20, "free": 1e-20}, [0] * 3 + roots), ("free", {"free": 1.0}, [0] * 3 + roots), ("heavy", {"free": 1e4}, [0] * 3 + roots),
                                 ("soft", {"soft": 1e-8, "stiff": 1e5}, [math.sqrt(1e-8 / J)] + [r * math.sqrt(1e3) for r in roots[1:]])):
            for most in (6, 12):
                with self.subTest(name, most=most):
                    got = self.roots(model(**what), "--modes", str(most))
                    self.assertEqual([r.real for r in got], [0] * most)
                    np.testing.assert_allclose([r.imag for r in got], want[:most], rtol=1e-10)

    def test_growth_that_is_left_out_is_said(self):
        model = self.chain(3, 1, 100)
        model["loads"]["fall"] = {"type": "force", "to": "m3", "value": ["1e6[N/m]*(x(m3) - 3[m])", 0]}
        done = cli.run_model(model, "modes", "--modes", "1", quiet=False, out=False)
        self.assertIn("1 mode of higher frequency grows", done.out)

    def test_lowest_of_what_is_damped(self):
        """dense algebra finds the first of all"""
        model = self.damped(210)
        self.assertEqual(self.roots(model, "--modes", "5"), self.roots(model)[:5])
        for flags in (["--modes", "0"], ["--modes", "x"], ["--modes", "3", "--follow", "k=0..1"]):
            self.assertEqual(cli.run_model(self.chain(2, 1, 1), "modes", *flags).code, 2)

    def damped(self, n):
        model = self.pendulum_chains(1, n)
        model["loads"] = {"d": {"type": "torsion-spring", "joint": f"c0j{n - 1}", "stiffness": 0, "damping": 0.01}}
        return model

    @unittest.skipUnless(os.path.basename(cli.BINARY) == "roberval", "in other coordinates as many bodies have other numbers")
    def test_what_is_too_large(self):
        """beyond the size of dense algebra the cause is named, or the option"""
        done = cli.run_model(self.damped(1001), "modes", "--modes", "5")
        self.assertEqual(done.code, 1)
        self.assertIn("here is damping", done.err)
        done = cli.run_model(self.pendulum_chains(1, 1001), "modes")
        self.assertEqual(done.code, 2)
        self.assertIn("--modes finds those of least frequency", done.err)

    def test_dampers(self):
        """under- and overcritical, alone and in a chain"""
        for seed in range(ROUNDS):
            rng = random.Random(seed)
            m, k = rng.uniform(0.1, 9), rng.uniform(1, 1e4)
            for ratio in (rng.uniform(0.01, 0.9), rng.uniform(1.1, 9)):
                c = ratio * math.sqrt(2 * m * k)                # of two springs beside the mass
                model = self.chain(1, m, k, c)
                self.same(model, np.roots([m, 2 * c, 2 * k]))
                for x in self.modes(model):
                    r = complex(*x["eigenvalue"])
                    self.near(x["damping"], -r.real / abs(r), 1e-12, "damping")
            n, c = rng.randint(2, 6), rng.uniform(0.01, 3) * math.sqrt(m * k)
            T = 2 * np.eye(n) - np.eye(n, k=1) - np.eye(n, k=-1)
            self.same(self.chain(n, m, k, c), roots_of(m * np.eye(n), c * T, k * T))

    @staticmethod
    def pendulums(rng, unit=1.0, sign=-1):
        """n bars below (above) each other; M and K in angles"""
        n = rng.randint(1, 4)
        l = [rng.uniform(0.2, 1.5) for _ in range(n)]
        a = [rng.uniform(0.1, 0.9) * x for x in l]
        m, J = [rng.uniform(0.2, 4) for _ in range(n)], [rng.uniform(0.01, 0.5) for _ in range(n)]
        bodies, joints, y = {"ground": {}}, {}, 0.0
        for i in range(n):
            bodies[f"b{i}"] = {"mass": m[i], "inertia": f"{J[i]!r} kg.m^2", "centroid": [a[i] / unit, 0], "pose": {"at": [0, y / unit], "angle": sign * math.pi / 2}, "markers": {"E": [l[i] / unit, 0]}}
            joints[f"h{i}"] = {"type": "revolute", "between": [f"b{i - 1}.E" if i else "ground", f"b{i}"]}
            y += sign * l[i]
        M, K = np.zeros((n, n)), np.zeros((n, n))
        for i in range(n):
            reach = np.array([l[j] if j < i else a[i] if j == i else 0 for j in range(n)])
            M += m[i] * np.outer(reach, reach)
            M[i, i] += J[i]
            K += -sign * m[i] * G * np.diag(reach)
        more = {"units": {"length": "mm"}, "gravity": [0, f"{-G} m/s^2"]} if unit != 1 else {"gravity": [0, -G]}
        return planar(bodies, joints, **more), M, K

    def test_pendulums(self):
        for seed in range(ROUNDS):
            for sign in (-1, 1):
                model, M, K = self.pendulums(random.Random(seed), sign=sign)
                want = roots_of(M, 0 * M, K)
                self.same(model, want)
                self.same(self.pendulums(random.Random(seed), 1e-3, sign)[0], want)
                model["bodies"] = dict(reversed(list(model["bodies"].items())))
                self.same(model, want)
                if sign < 0:
                    rest = self.ok(model, "statics", "--json", out=False).json()["equilibrium"]["curvature"]
                    self.near(self.modes(model, "--start", "statics")[0]["eigenvalue"][1]**2, rest, 1e-8 * rest, "curvature")

    def test_bodies_move_together_at_their_joints(self):
        """Motions of bodies with a mode: at every pin both bodies' points move alike, and their turns differ by the pin's own part of the shape."""
        path = os.path.join(cli.ROOT, "examples", "suspension", "suspension.yaml")
        with tempfile.TemporaryDirectory() as folder:
            done = cli.limited([cli.BINARY, "modes", path, "--start", "statics", "--out", folder, "--quiet"], capture_output=True)
            self.assertEqual(done.returncode, 0, done.stderr)
            with open(os.path.join(folder, "scene.json"), encoding="utf-8") as file:
                scene = json.load(file)
            with open(os.path.join(folder, "result.json"), encoding="utf-8") as file:
                modes = json.load(file)["modes"]
        for mode in modes:
            moved = {name: [np.array(part) @ [1, 1j] for part in (body["at"], body["turn"])] for name, body in mode["bodies"].items()}
            moved["ground"] = [np.zeros(3), np.zeros(3)]
            for joint in (t for t in scene["things"] if t["kind"] == "joint" and t["type"] == "revolute"):
                rates, turns = [], []
                for marker in (scene["markers"][k] for k in joint["markers"]):
                    body = scene["bodies"][marker["on"]]
                    w, z = body["turn"][0], body["turn"][3]
                    cosine, sine = 1 - 2 * z * z, 2 * w * z
                    arm = np.array([[cosine, -sine], [sine, cosine]]) @ marker["at"][:2]
                    v, turn = moved[body["name"]]
                    rates.append(v[:2] + turn[2] * np.array([-arm[1], arm[0]]))
                    turns.append(turn[2])
                size = max(abs(x) for x in rates[0]) + max(abs(x) for x in turns)
                self.near(np.abs(rates[1] - rates[0]), np.zeros(2), 1e-10 * size, joint["name"])
                self.assertLess(abs(turns[1] - turns[0] - complex(*mode["shape"][joint["name"] + ".angle"])), 1e-10 * size)

    def test_swings_of_simulate(self):
        model, M, K = self.pendulums(random.Random(5))
        first = self.modes(model)[0]
        w = first["eigenvalue"][1]
        turns = np.cumsum([first["shape"][f"h{i}.angle"][0] for i in range(len(M))]) if len(M) > 1 else np.array([1.0])
        model["initial"] = {f"h{i}.angle": (model["bodies"]["b0"]["pose"]["angle"] if i == 0 else 0) + 1e-4 * first["shape"][f"h{i}.angle"][0] for i in range(len(M))}
        model["initial"].update({f"h{i}.angle'": 0 for i in range(len(M))})
        model["motion"] = {"from": 0, "to": 3.0, "step": 0.05}
        done = self.ok(model, "simulate")
        got = done.series["b0.angle"] - model["bodies"]["b0"]["pose"]["angle"]
        self.near(got, 1e-4 * turns[0] * np.cos(w * done.time), 1e-4 * 1e-6, "swing")

    def test_without_mass(self):
        for seed in range(ROUNDS):
            rng = random.Random(seed)
            m, a, b, c = rng.uniform(0.5, 5), rng.uniform(10, 1e3), rng.uniform(10, 1e3), rng.uniform(1, 50)
            bodies = {"ground": {}, "knot": {"mass": 0, "pose": {"at": [1, 0]}}, "load": {"mass": m, "inertia": 1, "pose": {"at": [2, 0]}}}
            joints = {"s": {"type": "prismatic", "between": ["ground", "knot"]}, "t": {"type": "prismatic", "between": ["ground", "load"]}}
            near = {"type": "spring", "between": ["ground", "knot"], "stiffness": a, "free_length": 1}
            far = {"type": "spring", "between": ["knot", "load"], "stiffness": b, "free_length": 1}
            w = math.sqrt(a * b / (a + b) / m)
            self.same(planar(bodies, joints, {"a": near, "b": far}), [complex(0, w)])
            self.same(planar(bodies, joints, {"a": {**near, "damping": c}, "b": far}), np.roots([m * c, m * (a + b), c * b, a * b]))
            dashpot = {"type": "spring", "between": ["ground", "knot"], "damping": c}
            self.same(planar(bodies, joints, {"a": dashpot, "b": far}), [0, *np.roots([m * c, m * b, c * b])])
            done = cli.run_model(planar(bodies, joints), "modes")
            self.assertEqual(done.code, 1)
            self.assertIn("neither mass nor stiffness nor damping", done.err)

    def test_free_motions(self):
        """a double zero is one entry; with a damper to ground one zero and one root"""
        free = planar({"a": {"mass": 2, "inertia": 3}, "b": {"mass": 1, "inertia": 1, "pose": {"at": [1, 0]}}}, None,
                      {"k": {"type": "spring", "between": ["a", "b"], "stiffness": 50, "free_length": 1}})
        self.same(free, [0] * 5 + [complex(0, math.sqrt(50 * 1.5))])
        slide = planar({"ground": {}, "a": {"mass": 2, "inertia": 3, "pose": {"at": [1, 0]}}}, {"s": {"type": "prismatic", "between": ["ground", "a"]}},
                       {"c": {"type": "spring", "between": ["ground", "a"], "damping": 8}})
        self.same(slide, [0, -4])
        gone = planar({"p": {"particle": True, "mass": 2}}, None, {"turn": {"type": "rotating-frame", "speed": 3}})
        self.same(gone, [3j, 3j], tol=1e-7)                     # x'' = 9 x + 6 y', y'' = 9 y - 6 x': two chains of two

    def test_redundant(self):
        """a beam on any number of parallel cranks swings as a pendulum"""
        for seed in range(ROUNDS):
            rng = random.Random(seed)
            n, l, M, m, J = rng.randint(2, 5), rng.uniform(0.3, 2), rng.uniform(0.5, 9), rng.uniform(0.1, 2), rng.uniform(0.01, 0.3)
            bodies, joints = {"ground": {"markers": {}}, "beam": {"mass": M, "inertia": 1, "pose": {"at": [0, -l]}, "markers": {}}}, {}
            for i in range(n):
                bodies["ground"]["markers"][f"P{i}"] = [i, 0]
                bodies["beam"]["markers"][f"P{i}"] = [i, 0]
                bodies[f"c{i}"] = {"mass": m, "inertia": J, "centroid": [l / 2, 0], "pose": {"at": [i, 0], "angle": -math.pi / 2}, "markers": {"E": [l, 0]}}
                joints[f"A{i}"] = {"type": "revolute", "between": [f"ground.P{i}", f"c{i}"]}
                joints[f"B{i}"] = {"type": "revolute", "between": [f"c{i}.E", f"beam.P{i}"]}
            w = math.sqrt(G * (M * l + n * m * l / 2) / (M * l**2 + n * (J + m * l**2 / 4)))
            self.same(planar(bodies, joints, gravity=[0, -G]), [complex(0, w)])

    def test_bifilar(self):
        for seed in range(ROUNDS):
            rng = random.Random(seed)
            a, h, m, J = rng.uniform(0.2, 1), rng.uniform(0.5, 2), rng.uniform(0.5, 5), rng.uniform(0.05, 1)
            bodies = {"ground": {"markers": {"L": [-a, 0, 0], "R": [a, 0, 0]}},
                      "bar": {"mass": m, "inertia": [J / 3, J, J], "pose": {"at": [0, 0, -h]}, "markers": {"L": [-a, 0, 0], "R": [a, 0, 0]}}}
            joints = {s: {"type": "link", "between": [f"ground.{s}", f"bar.{s}"]} for s in "LR"}
            sway, yaw = math.sqrt(G / h), math.sqrt(m * G * a**2 / (J * h))
            self.same(spatial(bodies, joints, gravity=[0, 0, -G]), [complex(0, sway), complex(0, sway), complex(0, yaw)]) # the spin about its own line is idle

    def test_rotor(self):
        """tilt of a spinning rotor in a soft bearing: I w^2 - C s w - k = 0"""
        for seed in range(ROUNDS):
            rng = random.Random(seed)
            I, C, k, kt, m, s = rng.uniform(0.1, 1), 0, rng.uniform(50, 500), rng.uniform(500, 5000), rng.uniform(1, 9), rng.uniform(5, 60)
            C = rng.uniform(0.3, 1.9) * I
            model = spatial({"ground": {}, "rotor": {"mass": m, "inertia": [I, I, C]}}, None,
                            {"bearing": {"type": "bushing", "between": ["ground", "rotor"], "stiffness": [kt, kt, 2 * kt, k, k, 0], "damping": [0, 0, 0, 0, 0, 0]}},
                            initial={"wz(rotor)": s})
            root = math.sqrt((C * s)**2 + 4 * I * k)
            want = [0] + [complex(0, x) for x in (math.sqrt(kt / m), math.sqrt(kt / m), math.sqrt(2 * kt / m), (root + C * s) / (2 * I), (root - C * s) / (2 * I))]
            self.same(model, want, tol=1e-8)

    def test_governor(self):
        """an arm on a driven shaft, hanging or swung out: constant matrices in the joint's coordinate, not in ground's"""
        for seed in range(ROUNDS):
            rng = random.Random(seed)
            m, a, J = rng.uniform(0.5, 5), rng.uniform(0.2, 1), rng.uniform(0.01, 0.3)
            own = m * G * a / (J + m * a**2)
            for s, out in ((0.7 * math.sqrt(own), False), (rng.uniform(1.2, 3) * math.sqrt(own), True)):
                angle = math.acos(own / s**2) if out else 0.0
                want = s * math.sin(angle) if out else math.sqrt(own - s**2)
                bodies = {"ground": {}, "shaft": {"mass": 1, "inertia": [0.1, 0.1, 0.1], "markers": {"H": {"at": [0, 0, 0], "axis": [0, 1, 0], "x": [0, 0, -1]}}},
                          "arm": {"mass": m, "inertia": [J, J, 0], "centroid": [0, 0, -a], "markers": {"H": {"at": [0, 0, 0], "axis": [0, 1, 0], "x": [0, 0, -1]}},
                                  "pose": {"at": [0, 0, 0], "rotate": {"axis": [0, 1, 0], "angle": angle}}}}
                joints = {"spin": {"type": "revolute", "between": ["ground", "shaft"]}, "hinge": {"type": "revolute", "between": ["shaft.H", "arm.H"]}}
                model = spatial(bodies, joints, gravity=[0, 0, -G], drives={"motor": {"coordinate": "spin.angle", "motion": f"{s!r}*t"}}, initial={"hinge.angle": angle, "hinge.angle'": 0},
                                motion={"from": rng.uniform(0, 3), "to": 4, "step": 1})
                self.same(model, [complex(0, want)], tol=1e-8)

    def test_out_of_balance(self):
        """a pendulum let go at any angle: -g/l cos, frozen, and a note"""
        for angle in (0.3, 2.0, -1.2):
            model = planar({"ground": {}, "bob": {"mass": 2, "inertia": 0.3, "centroid": [0.5, 0], "pose": {"at": [0, 0], "angle": angle - math.pi / 2}}},
                           {"h": {"type": "revolute", "between": ["ground", "bob"]}}, gravity=[0, -G])
            square = 2 * G * 0.5 * math.cos(angle) / (0.3 + 2 * 0.25)
            root = math.sqrt(abs(square))
            self.same(model, [complex(0, root)] if square > 0 else [root, -root], tol=1e-9)
            done = self.ok(model, "modes", quiet=False)
            self.assertIn("no equilibrium", " ".join(done.result["notes"]))
            self.assertEqual(done.result["linearised"]["about"], "state")

    def test_trailer(self):
        """a castor on a pivot that moves on at a constant speed: held sideways by a spring, or stiffly"""
        for seed in range(ROUNDS):
            rng = random.Random(seed)
            V, L, e, m, J, M, k = (rng.uniform(*x) for x in ((0.5, 5), (0.2, 1), (0.05, 0.9), (0.5, 3), (0.05, 0.5), (1, 9), (50, 900)))
            e *= L
            bodies = {"ground": {}, "car": {"mass": 5, "inertia": 1}, "head": {"mass": M, "inertia": 1, "markers": {"S": {"at": [0, 0], "angle": math.pi / 2}}},
                      "castor": {"mass": m, "inertia": J, "centroid": [-e, 0], "markers": {"W": [-L, 0]}}}
            bodies["car"]["markers"] = {"S": {"at": [0, 0], "angle": math.pi / 2}}
            joints = {"road": {"type": "prismatic", "between": ["ground", "car"]}, "side": {"type": "prismatic", "between": ["car.S", "head.S"]},
                      "pivot": {"type": "revolute", "between": ["head", "castor"]}, "wheel": {"type": "knife-edge", "between": ["ground", "castor.W"]}}
            drives = {"pull": {"coordinate": "road.distance", "motion": f"{V!r}*t"}}
            loads = {"k": {"type": "energy", "value": f"0.5*{k!r}*side.distance^2"}}
            y = np.poly1d([L * M + m * (L - e), 0, L * k])
            turn = np.poly1d([J - m * e * (L - e), 0, 0])
            want = (y * np.poly1d([L, V]) + turn * np.poly1d([1, 0])).roots
            self.same(planar(bodies, joints, loads, drives=drives), want, tol=1e-8)
            joints["side"] = {"type": "fixed", "between": ["car.S", "head.S"]}
            self.same(planar(bodies, joints, drives=drives), [-V / L], tol=1e-9)

    def test_follow(self):
        """divergence of a pendulum on a spring, flutter where a damper drives, a particle on a turntable unstable between its two frequencies"""
        rng = random.Random(1)
        m, a, J = rng.uniform(1, 3), rng.uniform(0.3, 1), 0.2
        column = planar({"ground": {}, "bar": {"mass": m, "inertia": J, "centroid": [a, 0], "pose": {"at": [0, 0], "angle": math.pi / 2}}},
                        {"h": {"type": "revolute", "between": ["ground", "bar"]}}, {"k": {"type": "torsion-spring", "joint": "h", "stiffness": "k", "free_angle": math.pi / 2}},
                        gravity=[0, -G], parameters={"k": "100 N.m/rad"})
        done = self.ok(column, "modes", "--follow", "k=100..1 N.m/rad")
        s, (event,) = done.series, done.result["follow"]["events"]
        self.assertEqual(event["kind"], "divergence")
        self.near(event["at"], m * G * a, 1e-6 * 100, "divergence")
        square = (s["k"] - m * G * a) / (J + m * a * a)
        self.near(s["mode1.im"]**2 - s["mode1.re"]**2, square, 1e-8 * 100, "square of the root")
        fed = {**self.chain(1, 2, 25), "parameters": {"c": 1}}
        fed["loads"]["k0"]["force"] = "2*c*l'"
        done = self.ok(fed, "modes", "--follow", "c=3..-2")
        event, = done.result["follow"]["events"]
        self.assertEqual(event["kind"], "flutter")
        self.near(event["at"], 0, 1e-8, "flutter")
        self.near(event["eigenvalue"], [0, 5], 1e-7, "root")
        self.near(done.series["mode1.re"], -done.series["c"] / 2, 1e-9, "re")
        table = planar({"p": {"particle": True, "mass": 2}}, None,
                       {"well": {"type": "energy", "value": "0.5*200*x(p)^2 + 0.5*500*y(p)^2"}, "turn": {"type": "rotating-frame", "speed": "n"}}, parameters={"n": 0})
        done = self.ok(table, "modes", "--follow", "n=0..20")
        events = done.result["follow"]["events"]
        self.assertEqual([e["kind"] for e in events], ["divergence", "stable"])
        self.near([e["at"] for e in events], [10, math.sqrt(250)], 1e-6, "between its frequencies")
        for k, n in enumerate(done.series["n"]):
            want = ordered(np.roots([1, 0, 350 + 2 * n * n, 0, (100 - n * n) * (250 - n * n)]))
            got = [complex(done.series[f"mode{j}.re"][k], done.series[f"mode{j}.im"][k]) for j in range(1, 5) if f"mode{j}.re" in done.series]
            got = [g for g in got if g == g]
            zeros = [r for r in want if abs(r) < 1e-6]
            want = [r for r in want if abs(r) >= 1e-6] + zeros[:1]             # a double zero is one entry
            self.assertEqual(len(got), len(want), f"{got} at {n}, not {want}")
            for r in want:                                                     # each root has one of its own: doubled ones are two
                nearest = min(got, key=lambda g: abs(r - g))
                self.assertLessEqual(abs(r - nearest), 1e-4, f"{r} of {got} at {n}")
                got.remove(nearest)
        self.assertGreater(len(done.series["n"]), 20)

    def test_growing_roots_that_meet_are_no_beginning_of_flutter(self):
        """u'' = 9 u + 2 n w', w'' = w - 2 n u': roots^2 from x^2 - (10 - 4 n^2) x + 9; two grow, meet at n = (3 - 1)/2, and come back at n = (3 + 1)/2"""
        gyroscope = {"roberval": 1, "space": "planar", "parameters": {"n": 0}, "motion": {"from": 0, "to": 1, "step": 1},
                     "generalized": {"coordinates": {"u": {"start": 0}, "w": {"start": 0}}, "mass": [[1, 0], [0, 1]], "force": ["9*u + 2*n*w'", "w - 2*n*u'"]}}
        for way, kinds, at in (("n=0..3", ["divergence to flutter", "stable"], [1, 2]), ("n=3..0", ["flutter", "flutter to divergence"], [2, 1])):
            events = self.ok(gyroscope, "modes", "--follow", way).result["follow"]["events"]
            self.assertEqual([e["kind"] for e in events], kinds)
            self.near([e["at"] for e in events], at, 1e-6, way)

    def test_refusals(self):
        flat = planar({"ground": {"markers": {"R": [3, 0]}}, "a": {"mass": 1, "inertia": 1, "markers": {"E": [1, 0]}}, "b": {"mass": 1, "inertia": 1, "pose": {"at": [1, 0]}, "markers": {"E": [2, 0]}}},
                      {"A": {"type": "revolute", "between": ["ground", "a"]}, "B": {"type": "revolute", "between": ["a.E", "b"]}, "C": {"type": "revolute", "between": ["b.E", "ground.R"]}})
        done = self.ok(flat, "modes")
        self.assertIn("this position only", " ".join(done.result["notes"]))
        self.assertEqual(cli.run_model(self.chain(2, 1, 1), "modes", "--follow", "k=0..1").code, 2)
        chain = self.chain(1, 2, 25)
        done = cli.run_model({**chain, "constraints": {"rough": {"equation": "y(m1)", "nonideal": {"x(m1)": "-x(m1)'"}}}}, "modes")
        self.assertEqual(done.code, 2)
        self.assertIn("does work", done.err)
        done = self.ok({**chain, "stops": {"wall": {"coordinate": "x(m1)", "max": 3}}}, "modes")
        self.assertIn("no stop and no one-sided joint holds", " ".join(done.result["notes"]))
        self.assertEqual(cli.run_model(chain, "modes", "--out", "-", out=False).code, 2)

    def test_falling_chains(self):
        """hinges that begin at rest, not in equilibrium: M d'' + K d = 0 with the change of M phi''; and long ones, whose last hinges the others nearly know"""
        def chain(n, tilt):
            bodies, at, poses = {}, np.zeros(2), []
            for k in range(n):
                phi = tilt(k)
                bodies[f"b{k}"] = {"mass": 1, "inertia": 0.01, "centroid": [0, -0.05], "markers": {"E": [0, -0.1]}, "pose": {"at": list(at), "angle": phi}}
                at = at + 0.1 * np.array([math.sin(phi), -math.cos(phi)])
                poses.append(phi)
            joints = {f"j{k}": {"type": "revolute", "between": [f"b{k - 1}.E" if k else "ground", f"b{k}"]} for k in range(n)}
            return planar(bodies, joints, gravity=[0, -9.81]), np.array(poses)
        n = 9
        model, phi = chain(n, lambda k: 0.3 + 0.2 * math.sin(2 * k))
        after = n - 1 - np.arange(n)                                         # links that hang on each
        c = np.array([[0.01 + 0.05**2 + 0.1**2 * after[i] if i == j else 0.1 * (0.05 + 0.1 * after[max(i, j)]) for j in range(n)] for i in range(n)])
        turn = phi[:, None] - phi[None, :]
        weight = 9.81 * (0.05 + 0.1 * after)
        M, S = c * np.cos(turn), c * np.sin(turn)
        a = -np.linalg.solve(M, weight * np.sin(phi))
        K = np.diag(weight * np.cos(phi) - S @ a) + S * a[None, :]
        roots = np.sqrt(np.linalg.eigvals(-np.linalg.solve(M, K)).astype(complex))    # and their negatives
        got = [abs(complex(*m["eigenvalue"])) for m in self.ok(model, "modes").result["modes"]]
        self.near(np.sort(got), np.sort(np.abs(roots)), 1e-6 * np.abs(roots).max())
        for n in (190, 250):
            self.assertEqual(len(self.ok(chain(n, lambda k: 0.087 if k == 0 else 0)[0], "modes").result["modes"]), n)


if __name__ == "__main__":
    cli.main()
