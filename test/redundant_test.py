#!/usr/bin/python3
# ctest: polar-slow joint-slow
"""Overconstrained planar systems at rest: ranks and verdicts against exact rational arithmetic, minimum-norm values against
docs/theory.md (least sum |F|^2 + |T|^2/L^2 per biconnected block, T about the second marker, L the rms distance of the block's
joint points from their mean).

The equilibrium matrix here is written down directly from statics: column k holds the wrench, about the ground's origin, that a unit of
component k exerts on the second body, and its opposite on the first.  It shares nothing with planar.py.

Tolerance 1e-9 on forces of order 10: the systems are well conditioned (rational geometry of order 1), the answer is one
least-squares solution; 1e-9 leaves a factor of 1e5 over rounding.
"""
import math
import os
import sys
import unittest
from fractions import Fraction as Q

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "py"))
import cli              # noqa: E402
import planar           # noqa: E402

G = 9.81
T9 = 1e-9
COMPONENTS = ("Fx", "Fy", "Tz")
HELD = {"revolute": (0, 1), "prismatic": (1, 2), "fixed": (0, 1, 2), "slot": (1,), "parallel": (2,), "x": (0,), "y": (1,), "angle": (2,)}
DIRECTION = {"0": (Q(1), Q(0)), "345": (Q(4, 5), Q(3, 5)), "-345": (Q(4, 5), Q(-3, 5)), "90": (Q(0), Q(1)), "5-12": (Q(5, 13), Q(12, 13))}


def rank(rows):
    """Exact rank by elimination over the rationals."""
    rows, r = [list(x) for x in rows], 0
    for c in range(len(rows[0]) if rows else 0):
        p = next((i for i in range(r, len(rows)) if rows[i][c] != 0), None)
        if p is None:
            continue
        rows[r], rows[p] = rows[p], rows[r]
        for i in range(r + 1, len(rows)):
            f = rows[i][c] / rows[r][c]
            if f:
                rows[i] = [a - f * b for a, b in zip(rows[i], rows[r])]
        r += 1
    return r


class System:
    """Bodies with frames at rational points (angle 0), joints at rational points and directions."""

    def __init__(self, gravity=True):
        self.bodies, self.joints, self.loads, self.gravity = {}, {}, {}, gravity

    def body(self, name, at, mass=1):
        self.bodies[name] = ([Q(v) for v in at], mass)
        return self

    def joint(self, name, kind, first, second, at, direction="0", second_at=None):
        at = [Q(v) for v in at]
        self.joints[name] = (kind, first, second, at, direction, [Q(v) for v in second_at] if second_at else at)
        return self

    def force(self, body, at, value):
        self.loads[f"load{len(self.loads)}"] = (body, [Q(v) for v in at], [Q(v) for v in value])
        return self

    # ---- the model file
    def model(self, scale=1.0):
        f = lambda p, o=(0, 0): [float(p[0] - o[0]) * scale, float(p[1] - o[1]) * scale]
        frame = {"ground": (Q(0), Q(0)), **{n: b[0] for n, b in self.bodies.items()}}
        markers = {n: {} for n in frame}
        joints, loads = {}, {}
        for name, (kind, a, b, p, d, p2) in self.joints.items():
            angle = math.atan2(float(DIRECTION[d][1]), float(DIRECTION[d][0]))
            markers[a][name + "_1"] = {"at": f(p, frame[a]), "angle": angle}
            markers[b][name + "_2"] = {"at": f(p2, frame[b]), "angle": angle}
            joints[name] = {"type": kind, "between": [f"{a}.{name}_1", f"{b}.{name}_2"]}
            if kind == "link":
                joints[name]["length"] = math.hypot(float(p2[0] - p[0]), float(p2[1] - p[1])) * scale
            if kind in ("slot", "x", "y"):
                e = DIRECTION[d]
                dx, dy = p2[0] - p[0], p2[1] - p[1]
                joints[name]["value"] = float((e[0] * dx + e[1] * dy) if kind == "x" else (e[0] * dy - e[1] * dx)) * scale
        for name, (b, p, F) in self.loads.items():
            markers[b][name] = f(p, frame[b])
            loads[name] = {"type": "force", "to": f"{b}.{name}", "value": [float(x) for x in F], "frame": "ground"}
        m = {"roberval": 1, "space": "planar", "bodies": {"ground": {"markers": markers["ground"]}}, "joints": joints, "loads": loads,
             "motion": {"from": 0, "to": 0, "step": 1}}
        if self.gravity:
            m["gravity"] = [0, -G]
        for n, (at, mass) in self.bodies.items():
            m["bodies"][n] = {"mass": mass, "inertia": 0.1, "pose": {"at": f(at)}, "markers": markers[n]}
        return m

    # ---- exact statics
    def columns(self):
        """[(joint, component)], matrix [3 bodies x columns] of rationals; components in the first marker's axes."""
        names, out = [], []
        order = {n: i for i, n in enumerate(self.bodies)}

        def column(a, b, wrench):
            col = [Q(0)] * (3 * len(order))
            for who, s in ((b, 1), (a, -1)):
                if who != "ground":
                    for k in range(3):
                        col[3 * order[who] + k] += s * wrench[k]
            return col
        for name, (kind, a, b, p1, d, p) in self.joints.items():
            e = DIRECTION[d]
            axes = [e, (-e[1], e[0])]
            if kind == "link":
                # a rational multiple of the tension's direction: ranks and verdicts do not need the unit vector
                u = (p1[0] - p[0], p1[1] - p[1])
                names.append((name, "F"))
                out.append(column(a, b, (u[0], u[1], p[0] * u[1] - p[1] * u[0])))
                continue
            for k in HELD[kind]:
                names.append((name, COMPONENTS[k]))
                w = (axes[k][0], axes[k][1], p[0] * axes[k][1] - p[1] * axes[k][0]) if k < 2 else (Q(0), Q(0), Q(1))
                out.append(column(a, b, w))
        return names, [list(r) for r in zip(*out)]

    def load(self):
        order = {n: i for i, n in enumerate(self.bodies)}
        b = np.zeros(3 * len(order))
        for n, (at, mass) in self.bodies.items():
            if self.gravity:
                b[3 * order[n]:3 * order[n] + 3] += [0, -G * mass, float(at[0]) * -G * mass]
        for body, p, F in self.loads.values():
            b[3 * order[body]:3 * order[body] + 3] += [float(F[0]), float(F[1]), float(p[0] * F[1] - p[1] * F[0])]
        return b

    def exact(self):
        """rank, {joint.component: verdict}"""
        names, A = self.columns()
        r = rank(A)
        verdict = {}
        for k, (j, c) in enumerate(names):
            without = [row[:k] + row[k + 1:] for row in A]
            verdict[f"{j}.{c}"] = "unique" if rank(without) == r - 1 else "not unique"
        return r, len(names), verdict

    def minimum_norm(self):
        """{joint.component: value} of least sum |F|^2 + |T|^2/L^2"""
        names, A = self.columns()
        A = np.array([[float(x) for x in row] for row in A])
        order = ["ground", *self.bodies]
        blocks = planar.biconnected(len(order), [(n, order.index(j[1]), order.index(j[2])) for n, j in self.joints.items()])
        weight = np.ones(len(names))
        for block in blocks:
            pts = np.array([[float(x) for x in self.joints[n][5]] for n in block])
            L = math.sqrt(((pts - pts.mean(0))**2).sum(1).mean()) or 1.0          # one point: nothing to share out
            for k, (j, c) in enumerate(names):
                if j in block and c == "Tz":
                    weight[k] = L
        for k, (j, c) in enumerate(names):
            if c == "F":
                p1, p2 = self.joints[j][3], self.joints[j][5]
                weight[k] = 1 / math.hypot(float(p2[0] - p1[0]), float(p2[1] - p1[1]))
        y = np.linalg.lstsq(A * weight, -self.load(), rcond=1e-12)[0]
        assert np.abs(A @ (weight * y) + self.load()).max() < 1e-10
        values = weight * y
        for k, (j, c) in enumerate(names):
            if c == "F":
                values[k] /= weight[k]                                       # per unit of tension
        return {f"{j}.{c}": x for (j, c), x in zip(names, values)}


def beam():
    return System().body("beam", [2, 0], 3).force("beam", [3, 0], [5, -20])


SYSTEMS = {
    "beam on x y and two more y": beam().joint("left_x", "x", "ground", "beam", [0, 0]).joint("left_y", "y", "ground", "beam", [0, 0])
    .joint("middle", "y", "ground", "beam", [Q(3, 2), 0]).joint("right", "y", "ground", "beam", [4, 0]),
    "beam on a pin and two rollers": beam().joint("pin", "revolute", "ground", "beam", [0, 0]).joint("middle", "slot", "ground", "beam", [1, 0])
    .joint("right", "slot", "ground", "beam", [4, 0]),
    "beam on four rollers and a stop": beam().joint("a", "y", "ground", "beam", [0, 0]).joint("b", "y", "ground", "beam", [1, 0])
    .joint("c", "y", "ground", "beam", [2, 0]).joint("d", "y", "ground", "beam", [4, 0]).joint("stop", "x", "ground", "beam", [4, Q(1, 2)]),
    "beam built in at both ends": beam().joint("left", "fixed", "ground", "beam", [0, 0]).joint("right", "fixed", "ground", "beam", [4, 0]),
    "built in, pinned and propped": beam().joint("wall", "fixed", "ground", "beam", [0, 0]).joint("pin", "revolute", "ground", "beam", [4, 1])
    .joint("prop", "slot", "ground", "beam", [2, 0], "345"),
    "two coaxial revolutes": System().body("b", [1, 0], 2).joint("one", "revolute", "ground", "b", [0, 0]).joint("two", "revolute", "ground", "b", [0, 0])
    .joint("stop", "y", "ground", "b", [2, 0]),
    "two revolutes on one body": System().body("b", [1, 0], 2).joint("one", "revolute", "ground", "b", [0, 0]).joint("two", "revolute", "ground", "b", [2, 1]).force("b", [1, 1], [3, 1]),
    "two parallel guides": System().body("s", [1, 1], 2).joint("low", "prismatic", "ground", "s", [0, 0], "345").joint("high", "prismatic", "ground", "s", [0, 2], "345")
    .joint("stop", "x", "ground", "s", [1, 1], "345").force("s", [2, 1], [4, -3]),
    "two crossed guides": System().body("s", [1, 1], 2).joint("one", "prismatic", "ground", "s", [0, 0], "345").joint("two", "prismatic", "ground", "s", [2, 0], "-345")
    .force("s", [2, 1], [4, -3]),
    "prismatic and revolute between the same bodies": System().body("s", [1, 1], 2).joint("guide", "prismatic", "ground", "s", [0, 1], "345")
    .joint("pin", "revolute", "ground", "s", [1, 1]).force("s", [2, 1], [4, -3]),
    "prismatic and slot on one line": System().body("s", [1, 0], 2).joint("guide", "prismatic", "ground", "s", [0, 0]).joint("slot", "slot", "ground", "s", [3, 0])
    .joint("stop", "x", "ground", "s", [0, 0]),
    "two welds in a chain": System().body("a", [1, 0], 1).body("b", [3, 0], 2).joint("wall", "fixed", "ground", "a", [0, 0]).joint("weld", "fixed", "a", "b", [2, 0])
    .joint("again", "fixed", "b", "a", [2, 1]).force("b", [4, 0], [1, -7]),
    "four bars where three suffice": System().body("plate", [2, 2], 3).joint("a", "link", "ground", "plate", [0, 0], second_at=[1, 2]).joint("b", "link", "ground", "plate", [1, 0], second_at=[1, 2])
    .joint("c", "link", "ground", "plate", [4, 0], second_at=[3, 2]).joint("d", "link", "ground", "plate", [5, 1], second_at=[3, 3]).force("plate", [3, 3], [2, -5]),
    "five bars": System().body("plate", [2, 2], 3).joint("a", "link", "ground", "plate", [0, 0], second_at=[1, 2]).joint("b", "link", "ground", "plate", [1, 0], second_at=[1, 2])
    .joint("c", "link", "ground", "plate", [4, 0], second_at=[3, 2]).joint("d", "link", "ground", "plate", [5, 1], second_at=[3, 3]).joint("e", "link", "ground", "plate", [5, 4], second_at=[3, 3]),
    "triangle frame hung from two pins": System().body("a", [1, 1], 1).body("b", [3, 1], 1).body("c", [2, 0], 1).joint("A", "revolute", "ground", "a", [0, 0])
    .joint("B", "revolute", "ground", "b", [4, 0]).joint("top", "revolute", "a", "b", [2, 2]).joint("tie_a", "revolute", "a", "c", [1, 0]).joint("tie_b", "revolute", "b", "c", [3, 0]).force("c", [2, 0], [0, -8]),
    "two blocks of different size on one wall": System().body("a", [1, 0], 1).body("b", [10, 0], 2).joint("a1", "fixed", "ground", "a", [0, 0]).joint("a2", "fixed", "ground", "a", [2, 0])
    .joint("b1", "fixed", "ground", "b", [5, 0]).joint("b2", "fixed", "ground", "b", [25, 3]),
    "a block hung on a block": System().body("a", [1, 0], 1).body("b", [3, 0], 2).joint("a1", "fixed", "ground", "a", [0, 0]).joint("a2", "fixed", "ground", "a", [2, 1])
    .joint("b1", "fixed", "a", "b", [2, 0]).joint("b2", "revolute", "a", "b", [3, 2]).force("b", [5, 0], [2, -9]),
    "a unique arm on a redundant frame": System().body("frame", [1, 0], 1).body("arm", [4, 0], 2).joint("f1", "revolute", "ground", "frame", [0, 0]).joint("f2", "revolute", "ground", "frame", [2, 0])
    .joint("shoulder", "fixed", "frame", "arm", [2, 1], "345"),
    "parallel three times": System().body("s", [1, 1], 2).joint("pin", "revolute", "ground", "s", [0, 0]).joint("p1", "parallel", "ground", "s", [1, 1]).joint("p2", "parallel", "ground", "s", [2, 1])
    .joint("p3", "angle", "ground", "s", [5, 1]),
    "ladder of welds": System().body("a", [0, 1], 1).body("b", [3, 1], 1).body("r1", [1, 1], 1).body("r2", [1, 2], 1).joint("A", "fixed", "ground", "a", [0, 0]).joint("B", "fixed", "ground", "b", [3, 0])
    .joint("a1", "fixed", "a", "r1", [0, 1]).joint("b1", "fixed", "b", "r1", [3, 1]).joint("a2", "fixed", "a", "r2", [0, 2]).joint("b2", "fixed", "b", "r2", [3, 2]).force("r2", [2, 2], [6, -1]),
    "slanted slots": System().body("s", [1, 1], 2).joint("a", "slot", "ground", "s", [0, 0], "345").joint("b", "slot", "ground", "s", [2, 0], "5-12").joint("c", "slot", "ground", "s", [1, 3], "-345")
    .joint("d", "slot", "ground", "s", [3, 3], "90").force("s", [1, 2], [3, 1]),
}


class Overconstrained(cli.Case):
    def facts(self, system, scale=1.0):
        done, doc = cli.check(system.model(scale))
        self.assertEqual(done.code, 0, done.said())
        return doc

    def test_ranks_and_verdicts_are_exact(self):
        for name, system in SYSTEMS.items():
            with self.subTest(name):
                r, columns, verdict = system.exact()
                doc = self.facts(system)
                mob = doc["mobility"]
                self.assertEqual([mob[k] for k in ("coordinates", "rows", "rank", "redundant", "degrees_of_freedom")],
                                 [3 * len(system.bodies), columns, r, columns - r, 3 * len(system.bodies) - r])
                self.assertEqual(len(doc["self_stress"]), columns - r)
                for j, (kind, *_) in system.joints.items():
                    got = {c: x["verdict"] for c, x in doc["reactions"][j]["components"].items()}
                    if kind == "link":
                        want = verdict[f"{j}.F"]
                        self.assertIn(want, got.values(), f"{j}: {got}")
                        self.assertEqual(doc["reactions"][j]["verdict"], want, j)
                        continue
                    for c in COMPONENTS:
                        self.assertEqual(got[c], verdict.get(f"{j}.{c}", "free"), f"{j}.{c}")
                    worst = "not unique" if "not unique" in [verdict.get(f"{j}.{c}") for c in COMPONENTS] else "unique"
                    self.assertEqual(doc["reactions"][j]["verdict"], worst, j)

    def test_verdicts_at_every_size(self):
        for name, system in list(SYSTEMS.items())[::2]:
            want = self.facts(system)["reactions"]
            for scale in (1e-3, 1e3):
                with self.subTest(name, scale=scale):
                    got = self.facts(system, scale)["reactions"]
                    for j, r in want.items():
                        self.assertEqual({c: x["verdict"] for c, x in got[j]["components"].items()}, {c: x["verdict"] for c, x in r["components"].items()}, j)

    def test_minimum_norm_values(self):
        for name, system in SYSTEMS.items():
            with self.subTest(name):
                done = self.ok(system.model())
                r, columns, verdict = system.exact()
                for key, x in system.minimum_norm().items():
                    self.column(done, key, x, T9 * 100)                      # forces of order 10 to 100
                    if verdict[key] == "not unique" and not key.endswith(".F"):
                        self.assertEqual(done.marks[key], "not unique", key)

    def test_values_do_not_depend_on_size(self):
        """without weight, forces stay and torques scale with the length"""
        for name, system in SYSTEMS.items():
            if not system.loads:
                continue
            plain = System(gravity=False)
            plain.bodies, plain.joints, plain.loads = system.bodies, system.joints, system.loads
            a = self.ok(plain.model())
            for scale in (1e-3, 1e3):
                with self.subTest(name, scale=scale):
                    b = self.ok(plain.model(scale))
                    for key in a.series:
                        if key.split(".")[0] in system.joints:
                            f = scale if key.endswith("Tz") else 1.0
                            self.near(b.series[key], a.series[key] * f, T9 * 100 * f, key)

    def test_values_do_not_depend_on_the_order_of_joints(self):
        for name, system in SYSTEMS.items():
            with self.subTest(name):
                m = system.model()
                a = self.ok(m)
                m["joints"] = dict(reversed(m["joints"].items()))
                m["bodies"] = dict(reversed(m["bodies"].items()))
                b = self.ok(m)
                for key, x in a.series.items():
                    self.near(b.series[key], x, T9 * 100, key)
                    self.assertEqual(b.marks[key], a.marks[key], key)

    def test_coaxial_revolutes_share_equally(self):
        done = self.ok(SYSTEMS["two coaxial revolutes"].model())
        for c in ("Fx", "Fy"):
            self.near(done.series["one." + c], done.series["two." + c], T9, c)

    def test_beam_of_rollers_follows_the_regression_line(self):
        """parallel supports: the least-squares forces lie on a straight line over the support's place"""
        done = self.ok(SYSTEMS["beam on four rollers and a stop"].model())
        F = np.array([done.series[f"{k}.Fy"][0] for k in "abcd"])
        x = np.array([0, 1, 2, 4.0])
        fit = np.polyfit(x, F, 1)
        self.near(F, np.polyval(fit, x), T9 * 100)
        self.near(F.sum(), 3 * G + 20, T9 * 100)

    def test_min_norm_is_the_default_and_can_be_asked_for(self):
        m = SYSTEMS["beam built in at both ends"].model()
        a, b = self.ok(m), self.ok(m, "inverse", "--redundant", "min-norm")
        self.assertEqual(a.columns, b.columns)
        for key, x in a.series.items():
            self.near(b.series[key], x, 0.0, key)


class PlanarAgrees(unittest.TestCase):
    """planar.py gives the same ranks, verdicts and minimum-norm values (runs without the program)."""

    def test_all_systems(self):
        for name, system in SYSTEMS.items():
            with self.subTest(name):
                mech = planar.Mechanism(system.model())
                table = mech.inverse()
                r, columns, verdict = system.exact()
                s = mech.samples[0]
                self.assertEqual((s["rank"], len(mech.phi(mech.q0, 0.0))), (r, columns))
                for key, x in system.minimum_norm().items():
                    self.assertAlmostEqual(table[key][0], x, delta=1e-9, msg=key)
                    if not key.endswith(".F"):
                        self.assertEqual(s["verdict"][key], verdict[key], key)


if __name__ == "__main__":
    cli.main()
