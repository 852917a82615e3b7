#!/usr/bin/env python3
# ctest: long
"""Statics in natural coordinates: `statics --coordinates natural` by all six methods.

The four-bar under seven kinds of loads, the five-bar and the spatial RSSR below were solved apart from this program by several methods that share no code (computed, twelve digits): places and the second
derivative of the energy by the crank. Then each example of examples/ against absolute coordinates: the same equilibrium is judged there by the same rules, but is looked for by other equations.

Tolerances: 1e-9 of numbers of order one, twelve digits of the references allow it; curvature 1e-8, which sums differences of larger numbers. The penalty's places are off by what it says.
"""
import glob
import json
import os
import sys
import unittest

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "py"))
import cli              # noqa: E402

METHODS = ("energy", "lagrange", "penalty", "augmented", "virtual-power", "relaxation")
EXACT = tuple(m for m in METHODS if m != "penalty")
TOL, CURVATURE = 1e-9, 1e-8
EXAMPLES = sorted(glob.glob(os.path.join(cli.ROOT, "examples", "*", "*.yaml")))


def cubic(k, c, variable, free):
    """k (1 + c x^2) x with x = variable - free: what is added to k x."""
    return f"{k * c}*({variable} - {free})^3"


def to(p, q):
    return float(np.arctan2(q[1] - p[1], q[0] - p[0]))


# ---- the four-bar: weights, four springs, a spring on the crank's angle, a force, a torque, a frame that spins ------------

FOUR_START = [(1.0, 0.0), (2.7875, 1.88807938128)]
FOUR_REST = [(0.955380257794, -0.295378677322), (2.46335833137, 1.82263976679)]
FOUR_ANGLE, FOUR_STIFFNESS = -0.299851857331, 480.401047077


def four_bar(start=None):
    (one, two), B = start or FOUR_START, (3.0, 0.0)
    spring = lambda a, b, k, c, free: {"type": "spring", "between": [a, b], "stiffness": k, "free_length": free, "force": cubic(k, c, "l", free)}  # noqa: E731
    return {
        "roberval": 1, "space": "planar", "gravity": [0, -9.81],
        "bodies": {
            "ground": {"markers": {"A": [0, 0], "B": list(B), "D": [1.5, 3.0]}},
            "crank": {"mass": 2, "centroid": [.45, .05], "inertia": .2, "markers": {"A": [0, 0], "P1": [1, 0]}, "pose": {"at": [0, 0], "angle": to((0, 0), one)}},
            "coupler": {"mass": 3, "centroid": [1.2, .2], "inertia": 1.7, "markers": {"P1": [0, 0], "P2": [2.6, 0], "P3": [1.3, .8], "E3": [2, .5]},
                        "pose": {"at": list(one), "angle": to(one, two)}},
            "rocker": {"mass": 2.5, "centroid": [.9, -.1], "inertia": .8, "markers": {"B": [0, 0], "P2": [1.9, 0], "S4": [.6, .3]}, "pose": {"at": list(B), "angle": to(B, two)}}},
        "joints": {"A": {"type": "revolute", "between": ["ground.A", "crank.A"]}, "one": {"type": "revolute", "between": ["crank.P1", "coupler.P1"]},
                   "two": {"type": "revolute", "between": ["coupler.P2", "rocker.P2"]}, "B": {"type": "revolute", "between": ["ground.B", "rocker.B"]}},
        "loads": {"to_ground": spring("crank.P1", "ground.B", 200., .5, 2.), "across": spring("coupler.P3", "rocker.S4", 120., .3, .9),
                  "hung": {"type": "spring", "between": ["ground.D", "coupler.P3"], "stiffness": 80, "free_length": 1.1}, "long": spring("ground.A", "coupler.P2", 150., .2, 2.4),
                  "coil": {"type": "torsion-spring", "joint": "A", "stiffness": 40, "free_angle": .3, "torque": cubic(40., .2, "A.angle", .3)},
                  "push": {"type": "force", "to": "coupler.E3", "value": [10, -20]}, "turn": {"type": "torque", "to": "rocker", "value": 5},
                  "spin": {"type": "rotating-frame", "speed": 2}},
        "output": {"x1": "x(crank.P1)", "y1": "y(crank.P1)", "x2": "x(rocker.P2)", "y2": "y(rocker.P2)"}}


# ---- the five-bar: two freedoms ------------------------------------------------------------------------------------------

FIVE_START = [(-.416146836547, .909297426826), (1.03000545062, 1.59387288821), (2.32612197903, .838835177371)]
FIVE_REST = [(-.0701943005788, .997533337872), (1.06369731702, 2.12637779108), (1.92266254115, .896671019638)]
FIVE_ANGLES, FIVE_STIFFNESS = (1.64104839959, 1.65683294215), [[325.241558452, -263.261928319], [-263.261928319, 267.124789707]]


def five_bar():
    (one, two, three), B = FIVE_START, (2., 0.)
    bar = lambda m, centroid, inertia, a, b, at, toward, length: {  # noqa: E731
        "mass": m, "centroid": centroid, "inertia": inertia, "markers": {a: [0, 0], b: [length, 0]}, "pose": {"at": list(at), "angle": to(at, toward)}}
    return {
        "roberval": 1, "space": "planar", "gravity": [0, -9.81],
        "bodies": {"ground": {"markers": {"A": [0, 0], "B": list(B)}}, "two": bar(1.5, [.5, 0], .15, "A", "P1", (0, 0), one, 1.), "three": bar(2., [.7, .1], .45, "P1", "P2", one, two, 1.6),
                   "four": bar(1.8, [.6, -.1], .4, "P3", "P2", three, two, 1.5), "five": bar(1.2, [.4, 0], .1, "B", "P3", B, three, .9)},
        "joints": {"A": {"type": "revolute", "between": ["ground.A", "two.A"]}, "J1": {"type": "revolute", "between": ["two.P1", "three.P1"]},
                   "J2": {"type": "revolute", "between": ["three.P2", "four.P2"]}, "J3": {"type": "revolute", "between": ["five.P3", "four.P3"]},
                   "B": {"type": "revolute", "between": ["ground.B", "five.B"]}},
        "loads": {"spring": {"type": "spring", "between": ["two.P1", "five.P3"], "stiffness": 300, "free_length": 1.9, "force": cubic(300., .4, "l", 1.9)},
                  "coil": {"type": "torsion-spring", "joint": "A", "stiffness": 60, "free_angle": 2.}, "other": {"type": "torsion-spring", "joint": "B", "stiffness": 50, "free_angle": 1.2}},
        "output": {f"{c}{k}": f"{c}({p})" for k, p in enumerate(("two.P1", "three.P2", "five.P3"), 1) for c in "xy"}}


# ---- the spatial four-bar RSSR -------------------------------------------------------------------------------------------

RSSR_B, RSSR_AXIS = np.array([1.2, .4, .1]), np.array([.6, 0., .8])
RSSR_START = [.382421093642, .322108843619, 0., -.644217687238, .764842187284, 0., 1.23735796358, 1.29878771005, .0719815273131, -.798922408937, .0518860605314, .599191806703]
RSSR_STABLE = [.0592564525743, -.496476256057, 0., .992952512114, .118512905149, 0., .490682463776, .554457886684, .631988152168, -.137295899274, -.985163244755, .102971924456]
RSSR_UNSTABLE = [.165998480486, .471640227797, 0., -.943280455594, .331996960972, 0., 1.1606194137, 1.29865278457, .129535439725, -.798802475177, -.0546952587494, .599101856383]
RSSR_STIFFNESS = {"stable": 55.8105510142, "unstable": -227.622340536}


def frame(x, z):
    """The unit quaternion of axes x, z x x, z."""
    A = np.array([x, np.cross(z, x), z]).T
    w = np.sqrt(max(0., 1 + np.trace(A))) / 2
    if w > .1:
        return [float(v) for v in (w, (A[2, 1] - A[1, 2]) / 4 / w, (A[0, 2] - A[2, 0]) / 4 / w, (A[1, 0] - A[0, 1]) / 4 / w)]
    values, vectors = np.linalg.eig(A)                                        # nearly half a turn: the axis is what stays
    axis = np.real(vectors[:, np.argmin(abs(values - 1))])
    turn = np.arctan2(np.dot(axis, [A[2, 1] - A[1, 2], A[0, 2] - A[2, 0], A[1, 0] - A[0, 1]]) / 2, (np.trace(A) - 1) / 2)
    return [float(np.cos(turn / 2))] + [float(v) for v in np.sin(turn / 2) * axis / np.linalg.norm(axis)]


def rssr(start):
    r1, r2 = np.array(start[:3]), np.array(start[6:9])
    up = np.array([0., 0., 1.])
    rod = (r2 - r1) / np.linalg.norm(r2 - r1)
    across = np.cross(rod, up) / np.linalg.norm(np.cross(rod, up))
    body = lambda m, G, I, markers, at, x, z: {  # noqa: E731
        "mass": m, "centroid": G, "inertia": I, "markers": markers, "pose": {"at": [float(v) for v in at], "rotate": {"quaternion": frame(x, z)}}}
    x4 = (r2 - RSSR_B) / .9
    x4 = x4 - RSSR_AXIS * (x4 @ RSSR_AXIS)
    return {
        "roberval": 1, "space": "spatial", "gravity": [0, 0, -9.81],
        "bodies": {
            "ground": {"markers": {"A": [0, 0, 0], "B": {"at": RSSR_B.tolist(), "axis": RSSR_AXIS.tolist()}, "S": [.6, -.5, .7]}},
            "crank": body(2, [.2, .03, .05], [.02, .05, .06, .001, .002, 0.], {"A": [0, 0, 0], "P1": [.5, 0, 0]}, (0, 0, 0), r1 / .5, up),
            "rod": body(1.5, [.65, 0, 0], [0., 1.5 * 1.3**2 / 12, 1.5 * 1.3**2 / 12], {"P1": [0, 0, 0], "P2": [1.3, 0, 0], "M": [.65, 0, 0]}, r1, rod, across),
            "rocker": body(3, [.4, -.05, .02], [.05, .25, .27, 0., -.004, .003], {"B": [0, 0, 0], "P2": [.9, 0, 0]}, RSSR_B, x4 / np.linalg.norm(x4), RSSR_AXIS)},
        "joints": {"A": {"type": "revolute", "between": ["ground.A", "crank.A"]}, "one": {"type": "spherical", "between": ["crank.P1", "rod.P1"]},
                   "two": {"type": "spherical", "between": ["rod.P2", "rocker.P2"]}, "B": {"type": "revolute", "between": ["ground.B", "rocker.B"]}},
        "loads": {"spring": {"type": "spring", "between": ["rod.M", "ground.S"], "stiffness": 400, "free_length": .4, "force": cubic(400., .6, "l", .4)}},
        "output": {f"{c}{k}": f"{c}({p})" for k, p in ((1, "crank.P1"), (2, "rod.P2")) for c in "xyz"}}


class References(cli.Case):
    def solve(self, model, method, *flags):
        return self.ok(model, "statics", "--coordinates", "natural", "--method", method, *flags)

    def places(self, done, names, want, method):
        allowed = TOL if method != "penalty" else 3 * done.result["equilibrium"]["penalty"]["position_error"]
        self.near([done.series[n][0] for n in names], want, allowed, f"{method} {names}")

    def test_four_bar_under_seven_kinds_of_loads(self):
        for method in METHODS:
            with self.subTest(method=method):
                done = self.solve(four_bar(), method)
                self.places(done, ("x1", "y1", "x2", "y2"), np.ravel(FOUR_REST), method)
                rest = done.result["equilibrium"]
                self.assertEqual(rest["stability"], "stable")
                if method != "penalty":
                    self.near(rest["coordinates"]["A.angle"], FOUR_ANGLE, TOL, method)
                    self.near(1 / rest["compliance"]["A.angle"]["A.angle"], FOUR_STIFFNESS, CURVATURE * FOUR_STIFFNESS, method)

    def test_five_bar_with_two_freedoms(self):
        for method in METHODS:
            with self.subTest(method=method):
                done = self.solve(five_bar(), method)
                self.places(done, ("x1", "y1", "x2", "y2", "x3", "y3"), np.ravel(FIVE_REST), method)
                rest = done.result["equilibrium"]
                self.assertEqual(rest["stability"], "stable")
                if method != "penalty":
                    self.near([rest["coordinates"][a] for a in ("A.angle", "B.angle")], FIVE_ANGLES, TOL, method)
                    yields = [[rest["compliance"][a][b] for b in ("A.angle", "B.angle")] for a in ("A.angle", "B.angle")]
                    self.near(np.linalg.inv(yields), FIVE_STIFFNESS, 400 * CURVATURE, method)

    def rssr(self, start, kind, want, methods):
        for method in methods:
            with self.subTest(method=method, kind=kind):
                done = self.solve(rssr(start), method)
                self.places(done, ("x1", "y1", "z1", "x2", "y2", "z2"), want[:3] + want[6:9], method)
                rest = done.result["equilibrium"]
                self.assertEqual(rest["stability"], kind)
                if method != "penalty" and kind == "stable":
                    self.near(1 / rest["compliance"]["A.angle"]["A.angle"], RSSR_STIFFNESS[kind], CURVATURE * 250, method)

    def test_rssr_stable(self):
        self.rssr(RSSR_STABLE[:6] + RSSR_STABLE[6:], "stable", RSSR_STABLE, METHODS)

    def test_rssr_from_afar_downhill(self):
        self.rssr(RSSR_START, "stable", RSSR_STABLE, ("energy", "virtual-power", "relaxation"))

    def test_rssr_unstable_by_newton(self):
        self.rssr(RSSR_START, "unstable", RSSR_UNSTABLE, ("lagrange",))

    def test_rssr_stiffness_where_it_is_unstable(self):
        """A drive holds the crank at both sides of the place: what its effort changes by is the second derivative of the energy."""
        angle, h = 1.23237649976, 1e-3
        efforts = []
        for side in (-2, -1, 1, 2):
            model = rssr(RSSR_UNSTABLE)
            model["drives"] = {"hold": {"coordinate": "A.angle", "motion": repr(angle + side * h)}}
            model["motion"] = {"from": 0, "to": 1, "step": 1}
            efforts.append(self.solve(model, "lagrange").series["hold.effort"][0])
        slope = (efforts[0] - 8 * efforts[1] + 8 * efforts[2] - efforts[3]) / (12 * h)                     # O(h^4)
        self.near(slope, RSSR_STIFFNESS["unstable"], 1e-6 * 228, "d effort / d angle")

    def test_newton_takes_few_steps(self):
        """Exact second derivatives of rows: the reference takes 6 steps by multipliers and by virtual power, 12 by a penalty of 1e7 N/m. Steps that converge linearly, by a tenth each, would take some 14."""
        for method, most in (("lagrange", 6), ("virtual-power", 6), ("energy", 8)):
            self.assertLessEqual(self.solve(four_bar(), method).result["equilibrium"]["iterations"], most, method)
        self.assertLessEqual(self.solve(four_bar(), "penalty", "--penalty", "1e7").result["equilibrium"]["iterations"], 14)

    def test_penalty_is_off_by_one_over_alpha(self):
        off = []
        for alpha in ("1e6", "1e7", "1e8"):
            done = self.solve(four_bar(), "penalty", "--penalty", alpha)
            off.append(max(abs(done.series[n][0] - w) for n, w in zip(("x1", "y1", "x2", "y2"), np.ravel(FOUR_REST))))
            self.assertLess(off[-1], 3 * done.result["equilibrium"]["penalty"]["position_error"])          # it says so
        self.near([off[0] / off[1], off[1] / off[2]], [10, 10], .2, "error over error of ten times alpha")

    def test_start_from_which_full_steps_leave_the_branch(self):
        """Crank at 0.9 rad: outside the basin of full Newton steps. Downhill and damped motion come to the same place."""
        one = np.array([np.cos(.9), np.sin(.9)])
        B = np.array([3., 0.])
        d = np.linalg.norm(B - one)
        x = (d * d + 2.6**2 - 1.9**2) / (2 * d)
        along = (B - one) / d
        two = one + x * along + np.sqrt(2.6**2 - x * x) * np.array([-along[1], along[0]])
        for method in ("energy", "relaxation"):
            self.places(self.solve(four_bar((tuple(one), tuple(two))), method), ("x1", "y1", "x2", "y2"), np.ravel(FOUR_REST), method)

    @cli.long
    def test_all_finds_both_of_the_rssr(self):
        done = self.solve(rssr(RSSR_START), "energy", "--all")
        angles = [(e["stability"], e["coordinates"]["A.angle"]) for e in done.result["equilibria"]]
        for kind, want in (("stable", -1.45200422836), ("unstable", 1.23237649976)):
            self.assertTrue(any(k == kind and abs(np.remainder(a - want + np.pi, 2 * np.pi) - np.pi) < TOL for k, a in angles), angles)


# It rolls where it likes, and falls to the left or to the right: which of its places of rest is found is anybody's, but one is as deep as the other.
ROLLS = {"bicycle/bicycle.yaml"}


class Examples(cli.Case):
    def both(self, path, method):
        return [cli.run(["statics", path, "--method", method, "--coordinates", c]) for c in ("absolute", "natural")]

    def compare(self, path, method, absolute, natural):
        a, b = absolute.result, natural.result
        exact = method != "penalty"
        allowed = TOL * a["model"]["size"] + 1e-15 if exact else 5 * (a["equilibrium"]["penalty"]["position_error"] + b["equilibrium"]["penalty"]["position_error"])
        self.assertEqual(a["equilibrium"]["stability"], b["equilibrium"]["stability"])
        self.near(b["mobility"]["degrees_of_freedom"], a["mobility"]["degrees_of_freedom"], 0)
        rolls = os.path.relpath(path, os.path.join(cli.ROOT, "examples")) in ROLLS
        if rolls and a["equilibrium"]["stability"] == "neutral":
            self.near(b["equilibrium"]["energy"], a["equilibrium"]["energy"], 1e-9 * abs(a["equilibrium"]["energy"]), "energy")
            return
        if not rolls:
            for name, body in a["equilibrium"]["bodies"].items():
                self.near(b["equilibrium"]["bodies"][name]["at"], body["at"], allowed, name)
            for name, value in a["equilibrium"]["coordinates"].items():
                self.near(b["equilibrium"]["coordinates"][name], value, allowed / (1 if exact else min(.1, a["model"]["size"] or 1)) + 1e-9, name)
        if exact and a["equilibrium"]["curvature"] is not None:
            self.near(b["equilibrium"]["curvature"], a["equilibrium"]["curvature"], 1e-6 * abs(a["equilibrium"]["curvature"]), "curvature")
        forces = [c["first"] for r in a["reactions"].values() for c in r["components"].values() if c["first"] is not None]
        most = max([abs(f) for f in forces], default=0.)
        tolerance = 1e-8 * most + 1e-9 if exact else 10 * sum(r["equilibrium"]["penalty"]["force_error"] for r in (a, b)) + 1e-6 * most + 1e-9
        for name, joint in a["reactions"].items():
            for component, value in joint["components"].items():
                other = b["reactions"][name]["components"][component]
                nothing = max(abs(x["first"] or 0) - (x.get("error") or 0) for x in (value, other)) <= 0       # what is less than its own error may have any verdict
                if not nothing and (exact or "unsure" not in (value["verdict"], other["verdict"])):          # the penalty's forces are off
                    self.assertEqual(other["verdict"], value["verdict"], f"{name}.{component}")
                if value["first"] is not None and (exact or (value["verdict"] == "unique" and not rolls)):
                    self.near(other["first"], value["first"], tolerance, f"{name}.{component}")

    def one(self, path, method):
        name = os.path.relpath(path, os.path.join(cli.ROOT, "examples"))
        absolute, natural = self.both(path, method)
        self.assertEqual(natural.code, absolute.code, natural.said())
        if absolute.code == 0:
            self.compare(path, method, absolute, natural)
        return absolute.code == 0

    @cli.long
    def test_all_examples(self):
        for method in METHODS:
            solved = 0
            for path in EXAMPLES[::1 if cli.MORE else 5]:
                with self.subTest(example=os.path.basename(path), method=method):
                    solved += bool(self.one(path, method))
            self.assertGreater(solved, (15 if method == "energy" else 25) if cli.MORE else 2, method)


def chain(n, span=.8):
    """n equal links of length 1/n between two hooks, from an arc: they hang as vertical forces that grow by one weight from joint to joint under one horizontal force."""
    l, low, high = 1. / n, 0., np.pi
    turns = lambda a: -a + 2 * a * (np.arange(n) + .5) / n  # noqa: E731
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if l * np.sum(np.cos(turns(middle))) > span else (low, middle)
    angles = turns(low)
    x, y = np.concatenate(([0], l * np.cumsum(np.cos(angles)))), np.concatenate(([0], l * np.cumsum(np.sin(angles))))
    bodies = {"ground": {"markers": {"A": [0, 0], "B": [span, 0]}}}
    joints, before = {}, "ground.A"
    for k in range(n):
        bodies[f"b{k}"] = {"mass": l, "inertia": l**3 / 12, "centroid": [l / 2, 0], "markers": {"E": [l, 0]}, "pose": {"at": [float(x[k]), float(y[k])], "angle": float(angles[k])}}
        joints[f"j{k}"] = {"type": "revolute", "between": [before, f"b{k}"]}
        before = f"b{k}.E"
    joints["end"] = {"type": "revolute", "between": ["ground.B", before]}
    return {"roberval": 1, "space": "planar", "gravity": [0, -10], "bodies": bodies, "joints": joints}


class Large(cli.Case):
    @cli.long
    def test_a_hanging_chain_of_many_links(self):
        """tan(angle_k) = (V_0 + (k + 1/2) w) / H, by two unknowns that close the span (statics_laws_test.py)"""
        n = 2000 if cli.MORE else 400
        for method in ("energy", "augmented"):
            self.hangs(n, "natural", method)

    def hangs(self, n, coordinates, method):
        done = self.ok(chain(n), "statics", "--coordinates", coordinates, "--method", method)
        H, w = done.series["j0.Fx"][0], 10. / n
        slopes = np.tan([done.result["equilibrium"]["bodies"][f"b{k}"]["angle"] for k in range(n)])
        V = np.arange(n) * w + w / 2 - 5.
        self.near(slopes, V / abs(H), 1e-6 * np.max(np.abs(slopes)), method)
        self.near(np.sum(1. / n / np.sqrt(1 + (V / H)**2)), .8, 1e-9, "span")

    @cli.long
    def test_virtual_power_with_many_freedoms(self):
        """of a loop by the accelerations of its two rows; an open chain has none in joint coordinates: 200 links that stand out straight hang from their hook"""
        self.hangs(40, "natural", "virtual-power")
        self.hangs(130, "joint", "virtual-power")
        straight, n = chain(200), 200
        del straight["joints"]["end"]
        for k in range(n):
            straight["bodies"][f"b{k}"]["pose"] = {"at": [k / n, 0], "angle": 0}
        done = self.ok(straight, "statics", "--coordinates", "joint", "--method", "virtual-power")
        angles = np.array([done.result["equilibrium"]["bodies"][f"b{k}"]["angle"] for k in range(n)])
        self.near(np.sin(angles), np.full(n, -1.), 1e-12, "they hang")
        self.near(np.abs(done.series["j0.Fy"][0]), 10, 1e-9, "the weight")

    def test_virtual_power_is_dense(self):
        done = cli.run_model(chain(310), "statics", "--coordinates", "natural", "--method", "virtual-power")
        self.assertEqual(done.code, 1, done.said())
        self.assertIn("virtual power is dense, and the mechanism has too many freedoms for it; the other methods are sparse", done.err)


PENDULUM = """
roberval: 1
space: planar
gravity: [0, -10]
bodies: {rod: {mass: 1, inertia: 0.1, centroid: [1, 0]}, cart: {mass: 1, inertia: 0.1, pose: {at: [3, 0]}}}
joints: {A: {type: revolute, between: [ground, rod]}, slide: {type: prismatic, between: [ground, cart]}}
"""


class Supports(cli.Case):
    def natural(self, text, *flags):
        return self.ok(text, "statics", "--coordinates", "natural", *flags)

    def test_a_rod_on_a_stop(self):
        """m g l cos(angle) of the weight; without the stop it hangs"""
        for method in METHODS:
            done = self.natural(PENDULUM + "stops: {end: {coordinate: A.angle, min: -0.4}}\n", "--method", method)
            self.near(done.series["rod.angle"][0], -.4, 1e-3 if method == "penalty" else 1e-9, method)
            self.near(done.series["end.force"][0], 10 * np.cos(.4), 1e-2 if method == "penalty" else 1e-7, method)
            self.assertEqual(done.result["equilibrium"]["pressed"], ["end"])

    def test_a_beam_that_lands(self):
        """met on the way down, one after the other, by energy; what would pull is let go"""
        beam = PENDULUM.replace("bodies: {", "bodies: {beam: {mass: 3, inertia: 1, markers: {A: [-1, 0], B: [1, 0]}, pose: {at: [0, 0.3], angle: 0.1}}, ") \
                       .replace("joints: {", "joints: {side: {type: x, between: [ground, beam]}, ")
        beam += "stops: {a: {coordinate: y(beam.A), min: 0}, b: {coordinate: y(beam.B), min: 0}}\nloads: {up: {type: force, to: beam.B, value: [0, F]}}\nparameters: {F: 6 N}\n"
        done = self.natural(beam)
        self.near([done.series["a.force"][0], done.series["b.force"][0]], [15, 9], 1e-7, "two stops")
        done = self.natural(beam, "--set", "F=16 N")                       # V = (30 - 2 F) sin(angle): up to the upright
        self.near([done.series["a.force"][0], done.series["b.force"][0], done.series["beam.angle"][0]], [14, 0, np.pi / 2], 1e-7, "one lifts off")

    def test_locked(self):
        """a rate that is locked holds the cart against a force"""
        model = PENDULUM + "constraints: {slow: {velocity: \"slide.distance'\"}}\nloads: {push: {type: force, to: cart, value: [7, 0]}}\n"
        done = self.natural(model, "--locked")
        self.near(done.series["slow.effort"][0], -7, 1e-8, "effort")
        self.near(done.series["rod.angle"][0], -np.pi / 2, 1e-9, "angle")


TRUSS = """
roberval: 1
space: planar
parameters: {P: 0 N, far: 1}
bodies: {ground: {markers: {L: [-1, 0], R: [1, 0]}}, l: {mass: 1, inertia: 0.1, pose: {at: [-1, 0], angle: 16.699244233993622 deg}}, slider: {mass: 3, inertia: 0.2, pose: {at: [0, 0.3]}, markers: {M: [far, 0]}}}
joints: {guide: {type: prismatic, between: [ground, slider], axis: [0, 1]}, pivot: {type: revolute, between: [ground.L, l]}, rail: {type: slot, between: [l, slider]}}
loads: {r: {type: spring, between: [ground.R, slider], stiffness: 1000, free_length: "sqrt(1.09)"}, s: {type: spring, between: [ground.L, slider], stiffness: 1000, free_length: "sqrt(1.09)"}, P: {type: force, to: slider, value: [0, "-P"]}}
"""


class Paths(cli.Case):
    """The truss of von Mises on a guide, with a rod that follows: P(y) = 2 k (sqrt(1 + r^2)/sqrt(1 + y^2) - 1) y. Every place is solved on points and vectors; follow_test.py and follow_stops_test.py are run in
    these coordinates as a whole (ctest: natural)."""

    @cli.long
    def test_snap_through(self):
        done = self.ok(TRUSS, "statics", "--coordinates", "natural", "--follow", "P=0..20 N")
        y, P = done.series["slider.y"], done.series["P"]
        self.near(P, 2000 * (np.sqrt(1.09) / np.sqrt(1 + y**2) - 1) * y, 1e-7, "closed form")
        fold = np.sqrt(1.09**(1 / 3.) - 1)
        event = done.result["follow"]["events"][0]
        self.assertEqual(event["kind"], "snap-through")
        self.near(event["at"], 2000 * (np.sqrt(1.09) / np.sqrt(1 + fold**2) - 1) * fold, 1e-6, "fold")

    @cli.long
    def test_as_in_absolute_coordinates(self):
        """the same events, to the same digits, and the same forces where both have a place"""
        both = [self.ok(TRUSS, "statics", "--coordinates", c, "--follow", "P=0..20 N") for c in ("absolute", "natural")]
        events = [[(e["kind"], e["at"]) for e in d.result["follow"]["events"]] for d in both]
        self.assertEqual([k for k, _ in events[0]], [k for k, _ in events[1]])
        self.near([a for _, a in events[1]], [a for _, a in events[0]], 1e-7, "events")
        self.near([d.series["r.force"][-1] for d in both], [both[0].series["r.force"][-1]] * 2, 1e-7, "last place")

    def test_points_stay_the_same_along_a_path(self):
        """a marker that nothing holds gets farther from the centroid than others: bodies are told by the points that they began with"""
        model = TRUSS.replace("far: 1", "far: 0.1").replace("P: 0 N", "P: 5 N")
        done = self.ok(model, "statics", "--coordinates", "natural", "--follow", "far=0.1..3")
        self.assertEqual(done.result["follow"]["ended"], "to the end")

    def test_hold_is_of_bodies(self):
        model = "roberval: 1\nspace: planar\ngravity: [0, -10]\nparameters: {F: 0 N}\nbodies: {block: {mass: 2, inertia: 1}}\n" \
                "joints: {rail: {type: prismatic, between: [ground, block], friction: {coefficient: 0.3}}}\nloads: {push: {type: force, to: block, value: [F, 0]}}\n"
        for coordinates in ("absolute", "natural"):
            done = self.ok(model, "statics", "--coordinates", coordinates, "--hold", "F")
            hold = json.dumps(done.result["hold"])
            self.assertIn("6", hold)


class Refusals(cli.Case):
    def test_nothing_holds_it(self):
        done = cli.run_model("roberval: 1\nspace: planar\ngravity: [0, -10]\nbodies: {b: {mass: 1, inertia: 1}}\n", "statics", "--coordinates", "natural")
        self.assertEqual(done.code, 1, done.said())
        self.assertIn("nothing holds body 'b'", done.err)


if __name__ == "__main__":
    cli.main()
