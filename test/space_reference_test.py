#!/usr/bin/python3
# ctest: long
"""Spatial mechanisms with published, exactly known or independently computed answers: positions, drive efforts, reactions, ranks, verdicts.

Sources: published and independently computed problems (P1, P3, a four-bar in space, a door);
reference/ folders ifto_a04_bricard, spatial_slider_crank, ifto_a05_governor, robot_puma560, robot_iiwa14, redundant_four_leg_table, solvability,
nh_rolling_disk; closed forms of platforms, bevel differentials and universal joints, derived at their tests.
Everything also against space.py: Newton and Euler body by body at poses of our own, with least norm and verdicts of its own.

Tolerances.  Where the data are exact: TIGHT = 1e-11 times the largest value of its table (condition numbers below 1e3 times rounding, and as
much again for other processors).  T9 = 1e-9: reference values computed to that.  Numbers printed with n digits: half a unit of the last, and
what the digits of the problem's data make of it.  Others are told where they stand.
"""
import concurrent.futures
import copy
import math
import os
import sys
import unittest

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "py"))
import cli          # noqa: E402
import space        # noqa: E402
from space import COMPONENTS, EYE, INSTANT, Jet, Wrenches, floats, grow, model, place, put, stack, through, turn, unit       # noqa: E402

POOL = concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 2)
TIGHT, T9 = 1e-11, 1e-9
G = 9.81
X, Y, Z = EYE
CRITERIA = ((), ("--criterion", "ranks"), ("--criterion", "svd"), ("--criterion", "qr"))
COUNTS = ("rows", "rank", "degrees_of_freedom", "redundant")


def posed(m, state, rough=None):
    """the model with the poses of a state at its values; rough: each body somewhat off, by a generator of random numbers"""
    m = copy.deepcopy(m)
    for b, (r, R) in state.items():
        if b != "ground":
            r, R = Jet.of(r).a, Jet.of(R).a
            if rough is not None:
                r, R = r + .02 * rough.normal(size=3), turn(rough.normal(size=3), .1) @ R
            m["bodies"][b]["pose"] = {"at": floats(r)} if m["bodies"][b].get("particle") else put(r, R)
    return m


def joint(kind, first, second, **keys):
    return {"type": kind, "between": [first, second], **keys}


def force(to, *value, **keys):
    return {"type": "force", "to": to, "value": floats(value), **keys}


def torque(to, *value, **keys):
    return {"type": "torque", "to": to, "value": floats(value), **keys}


def drive(coordinate, motion):
    return {"coordinate": coordinate, "motion": motion if isinstance(motion, str) else through(*motion)}


class Space(cli.Case):
    def against(self, done, oracle, frame="joint", tol=TIGHT, i=0, **how):
        """all reactions and efforts of sample i, their verdicts, and the counts"""
        want = oracle.answer(frame, **how)
        size = max(1.0, max(map(abs, want["values"].values())))
        for key, x in want["values"].items():
            self.near(done.series[key][i], x, tol * size, key)
            self.assertEqual(done.marks[key], want["marks"][key], key)
        for joint_ in oracle.read:
            for c in COMPONENTS:
                got = done.result["reactions"][joint_]["components"][c]["verdict"]
                self.assertEqual(got, want["marks"][f"{joint_}.{c}"], f"{joint_}.{c}")
        self.counts(done.result, want["rows"], want["rank"], len(oracle.load) - want["rank"] - self.particles(oracle.m), want["redundant"])
        self.clean(done)
        return want

    @staticmethod
    def particles(m):
        return 3 * sum(bool(b.get("particle")) for b in m["bodies"].values())

    def counts(self, doc, *want):
        self.assertEqual([doc["mobility"][k] for k in COUNTS], list(want))

    def clean(self, done):
        """the program's own proof, in N, N m, W, m"""
        for key, x in done.result["audit"].items():
            if key.startswith("max_"):
                self.assertLess(x, 1e-7, key)

    def force_at(self, done, name, i=0):
        return np.array([done.series[f"{name}.F{c}"][i] for c in "xyz"])

    def torque_at(self, done, name, i=0):
        return np.array([done.series[f"{name}.T{c}"][i] for c in "xyz"])

    def pair(self, done, name, F, T, tol, i=0):
        self.near(self.force_at(done, name, i), F, tol, f"{name} force")
        self.near(self.torque_at(done, name, i), T, tol, f"{name} torque")

    def checked(self, m, *flags):
        done, doc = cli.check(m, *flags)
        self.assertEqual(done.code, 0, done.said())
        return doc

    def all_criteria(self, m, counts, marks, frame="ground", gruebler=None):
        """check by each criterion: counts and {joint.component: verdict}; those not told are `free`"""
        for flags, (done, doc) in zip(CRITERIA, POOL.map(lambda f: cli.check(m, "--frame", frame, *f), CRITERIA)):
            with self.subTest(criterion=flags):
                self.assertEqual(done.code, 0, done.said())
                self.counts(doc, *counts)
                if gruebler is not None:
                    self.assertEqual(doc["mobility"]["gruebler"], gruebler)
                got = {f"{j}.{c}": r["components"][c]["verdict"] for j, r in doc["reactions"].items() for c in COMPONENTS}
                self.assertEqual(got, {k: marks.get(k, "free") for k in got})
                self.assertEqual(set(marks) - set(got), set())
                worst = lambda r: max((c["verdict"] for c in r["components"].values()), key=["free", "unique", "not unique"].index)
                for j, r in doc["reactions"].items():
                    self.assertEqual(r["verdict"], worst(r), j)


# ---------------------------------------------------------------- P1: four-bar with parallel axes, loads out of its plane

P1_TABLE = {                                        # P1, T in N m alongside N (L = 1 m): A, 1, 2, B on the child, ground's axes
    "A": (-115.38367051, -25.2363721852, -5.32858063231, -14.9529056331, 1.01188458256, 0.0),
    "J": (-107.269346999, -11.4653890617, -5.32858063231, -10.7788850337, -2.30041425521, 0.0),
    "K": (-24.9904915378, -73.8648067376, 9.67141936769, 6.07890947715, 0.536057265258, 0.0),
    "B": (-17.1147527114, 97.073795636, -1.67141936769, -19.6528811897, -0.752472407391, 0.0)}
P1_MOTOR = 74.2997166629


def four_bar(loads=True):
    m = model(
        {"ground": {"markers": {"A": [0, 0, 0], "B": [3, 0, 0], "D": [1.5, 3, 0]}},
         "crank": {"mass": 2, "centroid": [.45, .05, 0], "inertia": [.03, .18, .2], "markers": {"A": [0, 0, 0], "J": [1, 0, 0]}},
         "coupler": {"mass": 3, "centroid": [1.2, .2, 0], "inertia": [.1, 1.65, 1.7],
                     "markers": {"J": [0, 0, 0], "K": [2.6, 0, 0], "E": [2, .5, .4], "P": [1.3, .8, 0]}},
         "rocker": {"mass": 2.5, "centroid": [.9, -.1, 0], "inertia": [.05, .77, .8],
                    "markers": {"B": [0, 0, 0], "K": [1.9, 0, 0], "E": [.6, 0, .2]}}},
        {"A": joint("revolute", "ground.A", "crank.A"), "J": joint("revolute", "crank.J", "coupler.J"),
         "K": joint("revolute", "coupler.K", "rocker.K"), "B": joint("revolute", "ground.B", "rocker.B")},
        {"motor": drive("A.angle", "0.9 + 6*t - 6*t^2")},
        {"push": force("coupler.E", 10, -20, 15), "side": force("rocker.E", 0, 0, -8), "twist": torque("rocker", 0, 0, 5),
         "strut": {"type": "spring", "between": ["ground.D", "coupler.P"], "stiffness": 300, "free_length": 1.1, "damping": 15}},
        gravity=[0, -G, 0])
    if not loads:
        del m["loads"]
    chain = lambda x, t: grow(m, {"A": .9 + 6 * t - 6 * t * t, "J": x[0], "K": x[1]})
    state = lambda t, near=(-.45, 1.15): chain(space.solve(lambda x, s: stack(space.closure(m, chain(x, s), "B")[:2]), near, t), space.time(t))
    return m, state


class ParallelAxes(Space):
    """P1.  12 digits given: 1e-9 off values of 100; its motor and forces in the plane also stand in planar D1"""

    def test_unique_parts(self):
        m, state = four_bar()
        done = self.ok(posed(m, state(0.0)), "inverse", "--frame", "ground")
        self.column(done, "motor.effort", P1_MOTOR, 1e-9)
        for j, want in P1_TABLE.items():
            self.near(self.force_at(done, j)[:2], want[:2], 1e-9, j)
            verdicts = [done.result["reactions"][j]["components"][c]["verdict"] for c in COMPONENTS]
            self.assertEqual(verdicts, ["unique"] * 2 + ["not unique"] * 3 + ["free"], j)
        self.assertEqual(done.result["drives"]["motor"]["verdict"], "unique")
        mob = done.result["mobility"]
        self.assertEqual([mob[k] for k in ("coordinates", "rows", "rank", "redundant", "degrees_of_freedom", "gruebler")], [18, 21, 18, 3, 0, -2])

    def test_least_norm(self):
        """torques over L, the rms distance of the four joints from their mean"""
        m, state = four_bar()
        for frame in ("joint", "ground"):
            done = self.ok(posed(m, state(0.0)), "inverse", "--frame", frame)
            oracle = Wrenches(m, state(0.0))
            self.against(done, oracle, frame)
            self.near(done.result["least_norm"]["length"], oracle.lengths()["A"], 1e-12)

    def test_sums_across_the_plane(self):
        """the same in any solution: what the frame, and what the crank, feel across the plane (balances of the table itself)"""
        m, state = four_bar()
        m = posed(m, state(0.0))
        asked = {"A.Fz + B.Fz": "unique", "A.Fz - J.Fz": "unique", "J.Fz - K.Fz": "unique", "A.Fz": "not unique", "A.Fz - B.Fz": "not unique",
                 "A.Tx + B.Tx": "unique", "A.Ty + B.Ty - 3*B.Fz": "unique", "A.Ty + B.Ty": "not unique"}
        doc = self.checked(m, "--frame", "ground", *[x for k in asked for x in ("--ask", k)])
        self.assertEqual({k: a["verdict"] for k, a in zip(asked, doc["asked"])}, asked)
        done = self.ok(m, "inverse", "--frame", "ground")
        s = {k: x[0] for k, x in done.series.items()}
        A, B, J = (dict(zip(COMPONENTS, P1_TABLE[k])) for k in "ABJ")
        for got, want in ((s["A.Fz"] + s["B.Fz"], A["Fz"] + B["Fz"]), (s["A.Fz"] - s["J.Fz"], A["Fz"] - J["Fz"]),
                          (s["A.Tx"] + s["B.Tx"], A["Tx"] + B["Tx"]), (s["A.Ty"] + s["B.Ty"] - 3 * s["B.Fz"], A["Ty"] + B["Ty"] - 3 * B["Fz"])):
            self.near(got, want, 1e-9)

    @cli.long
    def test_whole_turn(self):
        """a crank that turns round, from rough poses: everything against the oracle at every sample"""
        m, state = four_bar()
        m["drives"]["motor"]["motion"] = "0.9 + 6*t"
        chain = lambda x, t: grow(m, {"A": .9 + 6 * t, "J": x[0], "K": x[1]})
        f = lambda x, s: stack(space.closure(m, chain(x, s), "B")[:2])
        m["motion"] = {"from": 0, "to": 1.0, "step": .125}
        done = self.ok(posed(m, state(0.0), np.random.default_rng(1)), "inverse")
        near = (-.45, 1.15)
        for i, t in enumerate(done.time):
            for s in np.linspace(max(0, t - .125), t, 6):
                x = space.solve(f, near, s)
                near = x.a
            self.against(done, Wrenches(m, chain(x, space.time(t))), i=i, length=done.result["least_norm"]["length"])
        self.near(done.result["least_norm"]["length"], Wrenches(m, state(0.0)).lengths()["A"], 1e-12, "L is that of the first state")


# ---------------------------------------------------------------- P3: RSSR

P3_TABLE = {                                        # P3: A on 2, 1 on the rod by 2, 2 on 4 by the rod, B on 4
    "A": ((-127.937779476, -137.122659427, 20.0537437421), (3.55974618512, -2.97266606668, 0.0)),
    "J": ((-123.684304983, -127.394948764, 0.433743742068), (0, 0, 0)),
    "K": ((-88.6967620343, -123.154706778, -27.5936066364), (0, 0, 0)),
    "B": ((43.1137967629, 132.252007619, 91.2108305899), (61.3477786678, -6.85885719331, -46.0108340009))}
P3_MOTOR = -10.013107179
P3_R2 = ((1.23735796358, 1.29878771005, .0719815273131), (.665201208052, -.043201529661, -.498900906039),
         (-34.3330673394, 1.45843385864, 25.7498005046))                        # q, qd, qdd of the point r2


def rssr(spin="perpendicular"):
    """two spherical joints and the rod's own turning held by a row that feels nothing, or a universal joint for one of them"""
    uB, B = np.array([.6, 0, .8]), np.array([1.2, .4, .1])
    m = model(
        {"ground": {"markers": {"A": [0, 0, 0], "B": {"at": floats(B), "axis": floats(uB)}}},
         "crank": {"mass": 2, "centroid": [.2, .03, .05], "inertia": [.02, .05, .06, .001, .002, 0], "markers": {"A": [0, 0, 0], "J": [.5, 0, 0]}},
         "rod": {"shape": space.rod([0, 0, 0], [1.3, 0, 0], 1.5),
                 "markers": {"J": {"at": [0, 0, 0], "axis": [0, 1, 0]}, "K": {"at": [1.3, 0, 0], "axis": [0, 1, 0]}, "P": [.39, 0, 0]}},
         "arm": {"mass": 3, "centroid": [.4, -.05, .02], "inertia": [.05, .25, .27, 0, -.004, .003],
                 "markers": {"B": [0, 0, 0], "K": [.9, 0, 0]}}},
        {"A": joint("revolute", "ground.A", "crank.A"), "J": joint("spherical", "crank.J", "rod.J"),
         "K": joint("spherical", "rod.K", "arm.K"), "B": joint("revolute", "ground.B", "arm.B")},
        {"motor": drive("A.angle", (.7, 5, -8))}, {"pull": force("rod.P", 4, -3, 6)}, gravity=[0, 0, -G],
        output={f"r{c}{n}": f"{c}(arm.K){chr(39) * n}" for c in "xyz" for n in (0, 1, 2)})
    if spin == "universal":
        m["joints"]["K"]["type"] = "universal"
    else:
        m["joints"]["spin"] = joint("perpendicular", "crank.J", "rod.J")
    psi = lambda t: .7 + 5 * t - 4 * t * t
    arm = lambda x: grow(m, {"B": x})
    crank = lambda t: grow(m, {"A": psi(t)})

    def gap(x, t):
        d = place(m, arm(x[0]), "arm.K")[0] - place(m, crank(t), "crank.J")[0]
        return stack([d @ d - 1.69])

    def state(t=0.0):
        x = space.solve(gap, [1.6], t)
        s = {**arm(x[0]), **crank(space.time(t))}
        r = place(m, s, "crank.J")[0]
        d = (place(m, s, "arm.K")[0] - r) / 1.3
        y = unit(space.cross(uB if spin == "universal" else Z, d))
        s["rod"] = (r, stack([d, y, space.cross(d, y)]).T)
        return s
    return m, state


class Rssr(Space):
    """P3.  12 digits given: 1e-9 off values of 100"""

    def test_published(self):
        for spin in ("perpendicular", "universal"):
            m, state = rssr(spin)
            done = self.ok(posed(m, state()), "inverse", "--frame", "ground")
            self.column(done, "motor.effort", P3_MOTOR, 1e-10)
            for j, (F, T) in P3_TABLE.items():
                self.pair(done, j, F, T, 1e-9)
            if spin == "perpendicular":
                self.pair(done, "spin", [0, 0, 0], [0, 0, 0], 1e-9)              # a thin rod does not mind how it turns about itself
            self.against(done, Wrenches(m, state()), "ground")
            self.assertEqual({r["verdict"] for r in done.result["reactions"].values()}, {"unique"})
            for n, row in enumerate(P3_R2):
                for c, x in zip("xyz", row):
                    self.column(done, f"r{c}{n}", x, 1e-10)

    def test_axes_of_the_joints(self):
        m, state = rssr()
        self.against(self.ok(posed(m, state())), Wrenches(m, state()))

    def test_along_a_motion(self):
        m, state = rssr()
        m["motion"] = {"from": 0, "to": .2, "step": .05}
        done = self.ok(posed(m, state(), np.random.default_rng(2)), "inverse")
        for i, t in enumerate(done.time):
            self.against(done, Wrenches(m, state(t)), i=i)


# ---------------------------------------------------------------- T1: a tree of turning and sliding joints

T1_LINKS = (                                        # parent, type, origin, R0, axis, m, G, I
    (-1, "R", (0, 0, .3), ((1, 0, 0), .2), (0, 0, 1), 5.0, (.1, .02, .2), (.3, .25, .35, .02, -.01, .015)),
    (0, "R", (.3, .1, .4), ((0, 1, 0), -.5), (0, .6, .8), 3.0, (.25, 0, .05), (.05, .16, .17, .005, 0, .008)),
    (0, "P", (-.2, .15, .35), ((1, 1, 0), .7), (0, 1, 0), 2.0, (.02, .3, -.05), (.08, .03, .07)),
    (1, "R", (.5, .05, 0), ((0, 0, 1), .4), (2 / 6**.5, 1 / 6**.5, 1 / 6**.5), 1.2, (.2, .01, -.03), (.02, .05, .045, 0, .001, 0)),
    (2, "P", (0, .6, .1), ((0, 1, 1), -.3), (1, 0, 0), .8, (.1, .05, 0), (.004, .006, .005)))
T1_LOADS = (((0, 0, 0), (.5, -.3, 1)), ((3, -2, 5), (0, 0, 0)), ((0, 4, 0), (0, 0, 0)), ((-6, 1, 2), (.2, .4, -.6)), ((0, 0, 0), (0, 0, 0)))
T1_Q = ((.5, -.8, .25, 1.1, -.15), (1.2, -2, .7, 3.1, -.9), (2.5, 4, -1.6, -5, 2.2))
T1_TAU = (12.6043249601, 5.13836703167, 3.71503385138, .0124527707835, -2.84313932915)
T1_F = ((-.726312326128, -6.95989758145, 103.132071619), (3.29278817808, 7.57520652631, 31.4973599027),
        (-1.44927285743, -17.7191885409, 20.2125342239), (5.85214359942, 1.50089289933, 8.23729040881),
        (2.9321737183, -3.03895492645, 4.89664967416))
T1_T = ((16.872975658, -1.948687786, -.395018570296), (-2.73182787078, -4.7783134662, -1.01441910818),
        (10.0854398611, 2.62871832808, 2.70473437972), (.587379870375, -.439180636238, .0365307213841),
        (.431490045031, -.467972705685, -.348095940043))
T1_POINTS = ((0, 0, .3), (.215332214707, .147501885587, .738035650441), (-.327397845726, .14643226381, .803000800971),
             (.530357421513, -.0339837557153, 1.08491038443), (-.589799768658, .493829011317, 1.28705181272))


def tree():
    bodies, joints, drives, loads = {"ground": {"markers": {}}}, {}, {}, {}
    for i, (parent, kind, origin, (axis0, angle), axis, mass, c, I) in enumerate(T1_LINKS):
        p = f"link{parent + 1}" if parent >= 0 else "ground"
        R0, (_, A) = turn(axis0, angle), space.of_marker({"axis": axis})
        bodies[p]["markers"][f"J{i + 1}"] = {"at": floats(origin), "axis": floats(R0 @ A[:, 2]), "x": floats(R0 @ A[:, 0])}
        bodies[f"link{i + 1}"] = {"mass": mass, "centroid": floats(c), "inertia": floats(I),
                                  "markers": {"O": {"at": [0, 0, 0], "axis": floats(axis), "x": floats(A[:, 0])}, "G": floats(c)}}
        joints[f"J{i + 1}"] = joint("revolute" if kind == "R" else "prismatic", f"{p}.J{i + 1}", f"link{i + 1}.O")
        drives[f"d{i + 1}"] = drive(f"J{i + 1}.{'angle' if kind == 'R' else 'distance'}", [q[i] for q in T1_Q])
        loads[f"f{i + 1}"], loads[f"t{i + 1}"] = force(f"link{i + 1}.G", *T1_LOADS[i][0]), torque(f"link{i + 1}", *T1_LOADS[i][1])
    m = model(bodies, joints, drives, loads, gravity=[0, 0, -G])
    return m, grow(m, {f"J{i + 1}": Jet(*[q[i] for q in T1_Q]) for i in range(5)})


class Tree(Space):
    """T1.  12 digits given: 1e-9 off values of 100"""

    def test_published(self):
        m, state = tree()
        for poses in (posed(m, state), posed(m, state, np.random.default_rng(3))):
            done = self.ok(poses, "inverse", "--frame", "ground")
            for i in range(5):
                self.column(done, f"d{i + 1}.effort", T1_TAU[i], 1e-10)
                self.pair(done, f"J{i + 1}", T1_F[i], T1_T[i], 1e-9)
                for c, x in zip("xyz", T1_POINTS[i]):
                    self.column(done, f"link{i + 1}.{c}", x, 1e-11)
            self.counts(done.result, 30, 30, 0, 0)
        self.against(self.ok(posed(m, state)), Wrenches(m, state))

    def test_order_does_not_matter(self):
        m, state = tree()
        m = posed(m, state)
        back = {**m, **{k: dict(reversed(m[k].items())) for k in ("bodies", "joints", "drives", "loads")}}
        a, b = self.ok(m), self.ok(back)
        for key in a.series:
            self.near(b.series[key], a.series[key], 1e-11, key)


# ---------------------------------------------------------------- arms: PUMA 560, iiwa 14

PUMA_DH = (                                         # d, a, alpha, m, centre, inertia
    (0, 0, math.pi / 2, 0, (0, 0, 0), (0, .35, 0)), (0, .4318, 0, 17.4, (-.3638, .006, .2275), (.13, .524, .539)),
    (.15005, .0203, -math.pi / 2, 4.8, (-.0203, -.0141, .070), (.066, .086, .0125)),
    (.4318, 0, math.pi / 2, .82, (0, .019, 0), (1.8e-3, 1.3e-3, 1.8e-3)), (0, 0, -math.pi / 2, .34, (0, 0, 0), (.3e-3, .4e-3, .3e-3)),
    (0, 0, 0, .09, (0, 0, .032), (.15e-3, .15e-3, .04e-3)))
PUMA_JM = np.array([2e-4] * 3 + [3.3e-5] * 3)
PUMA_GEAR = np.array([-62.6111, 107.815, -53.7063, 76.0364, 71.923, 76.686])
PUMA_VISCOUS = np.array([1.48e-3, .817e-3, 1.38e-3, 71.2e-6, 82.6e-6, 36.7e-6])
PUMA_COULOMB = np.array([.395, .126, .132, 11.2e-3, 9.26e-3, 3.96e-3])          # of positive rates
QN = np.array([0, math.pi / 4, math.pi, 0, math.pi / 4, 0])
PUMA_TAU0 = (0, 31.63988037835713, 6.035138023010514, 0, .0282528, 0)
PUMA_TAU1 = np.array([29.1421, 56.5044, 16.3528, 1.2645, 1.1239, .5196])
PUMA_TAU2 = np.array([32.4952, 60.8670, 17.7436, 1.4545, 1.2991, .7138])
PUMA_MASS = np.array([[3.6594, -.4044, .1006, -.0025, 0, 0], [-.4044, 4.4137, .3509, 0, .0024, 0], [.1006, .3509, .9378, 0, .0015, 0],
                      [-.0025, 0, 0, .1925, 0, 0], [0, .0024, .0015, 0, .1713, 0], [0, 0, 0, 0, 0, .1941]])
PUMA_STATE = ((.3, -.7, 1.1, .4, -.9, .2), (.5, -.3, .8, -1.2, .6, .9), (1, .4, -.6, .7, -.2, 1.5))
PUMA_RIGID = (2.193233216512058, 26.668338005514556, -3.440595383349995, -.0010086882385491127, .013519318265981161, .00012470437262001774)
PUMA_WAY = {                                        # time: torques, force and moment on link 1 about the base's origin
    .25: ((-5.66385622368262, 9.335201125819717, -6.848024240508898, -.033874196861331786, -.03538135675708324, -.0019534327632202346),
          (-2.8246694044869365, -9.977591691918086, 222.90586060126623), (-33.30444037275001, -26.61927542592813, -5.66385622368262)),
    .5: ((-5.765012173335631, 2.409526953709835, -9.139796008412386, -.0027851301428153336, -.03838633097388652, -.00022866210159870813),
         (-2.94424176224973, -7.728162641227525, 228.35714012191505), (-36.86182502624343, -28.137982404799537, -5.765012173335631)),
    .75: ((-5.601413107279799, 9.35990761576844, -6.80999157488363, .034704230402337735, -.00963620866420603, .0018638004506561765),
          (-2.8078501622328016, -10.01371698477319, 222.84915428876872), (-33.29050194507269, -26.63996658317255, -5.601413107279799))}

IIWA_XYZ = ((0, 0, .1575), (0, 0, .2025), (0, .2045, 0), (0, 0, .2155), (0, .1845, 0), (0, 0, .2155), (0, .081, 0))
H = math.pi / 2
IIWA_RPY = ((0, 0, 0), (H, 0, 2 * H), (H, 0, 2 * H), (H, 0, 0), (-H, 2 * H, 0), (H, 0, 0), (-H, 2 * H, 0))
IIWA_MASS = (4, 4, 3, 2.7, 1.7, 1.8, .3)
IIWA_CENTRE = ((0, -.03, .12), (.0003, .059, .042), (0, .03, .13), (0, .067, .034), (.0001, .021, .076), (0, .0006, .0004), (0, 0, .02))
IIWA_INERTIA = ((.1, .09, .02), (.05, .018, .044), (.08, .075, .01), (.03, .01, .029), (.02, .018, .005), (.005, .0036, .0047), (.001, .001, .001))
IIWA_CASES = (                                      # q, qd, qdd, torques, force and moment about the base's origin
    ((0, .5, 0, -1.2, 0, .8, 0), (0,) * 7, (0,) * 7,
     (0, -33.08302722019871, -.1729823915497516, 14.424146505566425, -.34029354803304435, -.18423234820224366, 0),
     (0, 0, 171.675), (.11006819999999617, -33.08302722019871, 0)),
    ((.3, -.6, .9, -1.2, .5, .8, -.4), (.5, -.4, .3, .7, -.6, .2, 1), (1, -.5, .8, .3, -.9, .6, .4),
     (1.817334001196881, 14.983313474082527, -5.531652934335914, 10.286538133386035, -.2764304196567705, -.2861516017302298,
      -.0005924267782211647), (-2.384803411779261, -5.926150623029245, 168.72659125844575),
     (9.985423114841478, 17.243826288351748, 1.817334001196881)),
    ((-1, 1.1, -.7, 1.5, 2, -1.3, .9), (1.5, -1, 2, -2.5, 1, 3, -2), (0,) * 7,
     (-3.645440641496891, -28.321238605546466, 8.749464654125335, -5.299519267554624, -.09615299020677379, .06096356909744479,
      .008319134255421315), (-12.170403314273667, -2.674317244101034, 162.6325142624568),
     (-16.28009542831549, -29.94459153000756, -3.645440641496891)))
IIWA_DIAGONAL = (.6971811617239901, 2.3105906663008846, .4959809408607026, .5369039410767112, .012645607775305438, .008760947999999994, .001)
IIWA_FREE = (12.098083163353023, -7.013108076281058, 42.00836098003858, -17.112801023050313, -357.0069543915137, 194.68606699736398,
             1264.0832158888184)


def arm(links, q, qd, qdd, gravity=True, **more):
    """links: (mass, centre, inertia, marker on the parent, marker on the link)"""
    bodies, joints, drives = {"ground": {"markers": {}}}, {}, {}
    for i, (mass, c, I, before, after) in enumerate(links):
        parent = f"link{i}" if i else "ground"
        bodies[parent]["markers"][f"J{i + 1}"] = before
        bodies[f"link{i + 1}"] = {"mass": float(mass), "centroid": floats(c), "inertia": floats(I), "markers": {"O": after}}
        joints[f"J{i + 1}"] = joint("revolute", f"{parent}.J{i + 1}", f"link{i + 1}.O")
        drives[f"d{i + 1}"] = drive(f"J{i + 1}.angle", (q[i], qd[i], qdd[i]))
    m = model(bodies, joints, drives, **more)
    if gravity:
        m["gravity"] = [0, 0, -G]
    state = grow(m, {f"J{i + 1}": Jet(q[i], qd[i], qdd[i]) for i in range(len(links))})
    return posed(m, state), state


def puma_links(extra):
    """joint i+1 about z of frame i, then the link's own frame.  Links 1 and 3 of the published table are no real bodies (no mass but inertia;
    Iyy > Ixx + Izz): extra adds (1 kg, 0.35 in Ixx and Izz) and 0.02 to each moment of link 3, times extra"""
    out = []
    for i, (d, a, alpha, mass, c, I) in enumerate(PUMA_DH):
        I = np.array(I, float)
        if i == 0:
            mass, I = extra, I + extra * np.array([.35, 0, .35])
        if i == 2:
            I = I + .02 * extra
        R = turn(X, alpha)
        out.append((mass, c, I, [0, 0, 0], put(-R.T @ np.array([a, 0, d]), R.T)))
    return out


def iiwa_links():
    return [(IIWA_MASS[i], IIWA_CENTRE[i], IIWA_INERTIA[i],
             {"at": floats(IIWA_XYZ[i]), "rotate": {"euler": "zyx", "angles": floats(IIWA_RPY[i][::-1])}}, [0, 0, 0]) for i in range(7)]


class Arms(Space):
    def puma(self, q, qd, qdd, gravity=True, motions=None, motion=INSTANT, flags=()):
        """torques [sample, joint] and the base's wrench: linear in masses and inertias, so that of the published table is 2 x(1) - x(2)"""
        out = []
        for extra in (1, 2):
            m, state = arm(puma_links(extra), q, qd, qdd, gravity, motion=motion)
            for i, text in enumerate(motions or ()):
                m["drives"][f"d{i + 1}"]["motion"] = text
            done = self.ok(m, "inverse", "--frame", "ground", *flags)
            self.clean(done)
            if motions is None:
                self.against(done, Wrenches(m, state), "ground")
            out.append(np.array([done.series[k] for k in (*[f"d{i + 1}.effort" for i in range(6)], *[f"J1.{c}" for c in COMPONENTS])]))
        return (2 * out[0] - out[1]).T

    def test_puma_gravity(self):
        self.near(self.puma(QN, np.zeros(6), np.zeros(6))[0, :6], PUMA_TAU0, 1e-10)

    def test_puma_state(self):
        """published computation to 1e-10"""
        self.near(self.puma(*PUMA_STATE)[0, :6], PUMA_RIGID, 1e-10)

    def test_puma_published(self):
        """Robotics Toolbox, four decimals: motors are G^2 Jm qdd and |G| (B |G| qd + Tc) on top of the links"""
        ratio = np.abs(PUMA_GEAR)
        motor = lambda qd, qdd: ratio**2 * PUMA_JM * qdd + np.where(qd > 0, ratio * (PUMA_VISCOUS * ratio * qd + PUMA_COULOMB), 0)
        one, none = np.ones(6), np.zeros(6)
        self.near(self.puma(QN, one, none)[0, :6] + motor(one, none), PUMA_TAU1, 6e-5)
        self.near(self.puma(QN, one, one)[0, :6] + motor(one, one), PUMA_TAU2, 6e-5)
        # published accelerations of given torques; their four decimals times the mass matrix
        qd, tau = np.array([.1, .2, .8, .2, .5, 1]), np.array([1, 3.2, 1.8, .1, .7, 4.6])
        qdd = np.array([-7.4102, -9.8432, -10.9694, -4.4314, -.9881, 21.0228])
        got = self.puma(QN, qd, qdd)[0, :6] + motor(qd, qdd)
        self.near(got, tau, 6e-5 * np.abs(PUMA_MASS).sum(1).max())

    def test_puma_friction_in_the_model(self):
        """the motors' friction as damping and torque of torsion springs"""
        m, _ = arm(puma_links(1), QN, np.ones(6), np.zeros(6))
        m["loads"] = {f"rub{i + 1}": {"type": "torsion-spring", "joint": f"J{i + 1}", "damping": float(PUMA_VISCOUS[i] * PUMA_GEAR[i]**2),
                                      "torque": repr(float(abs(PUMA_GEAR[i]) * PUMA_COULOMB[i]))} for i in range(6)}
        links = self.puma(QN, np.ones(6), np.zeros(6))[0, :6]
        with_, without = self.ok(m), self.ok({k: v for k, v in m.items() if k != "loads"})
        got = np.array([with_.series[f"d{i + 1}.effort"][0] - without.series[f"d{i + 1}.effort"][0] for i in range(6)])
        self.near(links + got, PUMA_TAU1, 6e-5)

    def test_puma_mass_matrix(self):
        columns = list(POOL.map(lambda e: self.puma(QN, np.zeros(6), e, gravity=False)[0, :6], np.eye(6)))
        self.near(np.array(columns).T + np.diag(PUMA_GEAR**2 * PUMA_JM), PUMA_MASS, 6e-5)

    def test_puma_coriolis(self):
        """published Coriolis matrix times rates, its four decimals times the rates (12)"""
        qd = np.array([1, 2, 3, 1, 2, 3.])
        C = np.array([[-.1735, -2.0494, -.1178, -.0002, -.0045, .0001], [.6274, 1.1572, 1.9287, -.0015, -.0003, 0],
                      [-.3608, -.7734, -.0018, -.0009, -.0064, 0], [.0011, .0005, -.0001, .0002, .0002, -.0001],
                      [-.0002, .0028, .0046, -.0002, 0, 0], [.0001, 0, 0, 0, 0, 0]])
        self.near(self.puma(QN, qd, np.zeros(6), gravity=False)[0, :6], C @ qd, 12 * 6e-5)

    def test_puma_trajectory(self):
        A, c, w = (.5, .4, .3, .6, .5, .7), np.array([.1, .7, -.5, .2, .3, -.4]), (1, 1, 1, 2, 2, 2)
        motions = [f"{c[i]} + {A[i]}*sin({w[i]}*pi*t)" for i in range(6)]
        got = self.puma(c, np.zeros(6), np.zeros(6), motions=motions, motion={"from": 0, "to": .75, "step": .05})
        for t, (tau, F, T) in PUMA_WAY.items():
            row = got[round(t / .05)]
            self.near(row[:6], tau, T9)
            self.near(row[6:], [*F, *T[:2], 0], T9, "base")                    # the motor's part is not the joint's
            self.near(tau[0], T[2], 1e-12)

    def test_a_tensor_of_no_body_is_refused(self):
        m, _ = arm(puma_links(1), QN, np.zeros(6), np.zeros(6))
        m["bodies"]["link3"]["inertia"] = floats(PUMA_DH[2][5])
        done = cli.run_model(m)
        self.assertEqual(done.code, 2, done.said())
        self.assertIn("inertia", done.err)

    def test_iiwa(self):
        for q, qd, qdd, tau, F, T in IIWA_CASES:
            m, state = arm(iiwa_links(), q, qd, qdd)
            done = self.ok(m, "inverse", "--frame", "ground")
            self.near([done.series[f"d{i + 1}.effort"][0] for i in range(7)], tau, T9)
            at = np.array(IIWA_XYZ[0])
            self.near(self.force_at(done, "J1"), F, T9)
            about = self.torque_at(done, "J1") + np.cross(at, F) + [0, 0, done.series["d1.effort"][0]]
            self.near(about, T, T9)
            self.against(done, Wrenches(m, state), "ground")
            self.against(self.ok(m), Wrenches(m, state))

    def test_iiwa_from_no_pose(self):
        """an open chain has one assembly: all links at ground's origin to begin with"""
        for q, qd, qdd, tau, _, _ in IIWA_CASES:
            m, _ = arm(iiwa_links(), q, qd, qdd)
            for spec in m["bodies"].values():
                spec.pop("pose", None)
            done = self.ok(m)
            self.near([done.series[f"d{i + 1}.effort"][0] for i in range(7)], tau, T9)

    def test_iiwa_mass_matrix(self):
        q = IIWA_CASES[1][0]

        def column(e):
            done = self.ok(arm(iiwa_links(), q, (0,) * 7, e, gravity=False)[0])
            return [done.series[f"d{i + 1}.effort"][0] for i in range(7)]
        M = np.array(list(POOL.map(column, np.eye(7))))
        self.near(np.diag(M), IIWA_DIAGONAL, 1e-10)
        self.near(M, M.T, 1e-12)

    def test_iiwa_free(self):
        """accelerations under given torques: prescribed, they need just these; digits of 1264 rad/s^2 times 2.3 kg m^2"""
        q, qd = IIWA_CASES[1][:2]
        done = self.ok(arm(iiwa_links(), q, qd, IIWA_FREE)[0])
        self.near([done.series[f"d{i + 1}.effort"][0] for i in range(7)], [10, -20, 15, 5, -3, 2, 1], T9)


# ---------------------------------------------------------------- Bricard's linkage

BRICARD_POINTS = np.array([[0, 0, 0], [1, 0, 0], [1, -1, 0], [1, -1, 1], [0, -1, 1], [0, 0, 1]], float)
BRICARD_AXES = [Y, Z, X, Y, Z, X]
BRICARD_FREE = {                                    # free motion from rest: P3 of thin rods, of solid ones
    .5: ((.7743026312228175, -.9797493868782935, -.2002277176407124), (.774717808039245, -.9798150476556712, -.19990615895343822)),
    1.0: ((.2733339158096727, -.8865440007919838, -.4626442852340825), (.2744813192646052, -.8867079387346571, -.4623300026873537)),
    1.5: ((-.28083572616405444, -.8876256442805125, -.4605656474549497), (-.27901757542109984, -.8873613788327546, -.46107459630306863)),
    2.0: ((-.7799472277880715, -.9806356304379692, -.19584116093285314), (-.7781353730333008, -.9803526834432585, -.19725267061716914)),
    3.0: ((-.7686064616357104, -.9788410571663144, -.20462205356592303), (-.7712813589686139, -.9792693298398014, -.20256253265377364)),
    4.0: ((.2883299203090379, -.8887290082144749, -.45843292852728346), (.2835510790817645, -.8880228141230506, -.4597993927757854)),
    6.0: ((.25830852212979116, -.8844482160411808, -.46663835369755935), (.265400787358638, -.8854255620147364, -.4647812110347094))}


def bricard(solid=False, **drives):
    P, A = BRICARD_POINTS, BRICARD_AXES
    mark = lambda k: {"at": floats(P[k]), "axis": floats(A[k])}
    bodies = {"ground": {"markers": {"P1": mark(0), "P6": mark(5)}}}
    for i in range(5):
        spec = {"shape": space.rod(P[i], P[i + 1], 1)}
        if solid:
            d = unit(P[i + 1] - P[i])
            spec = {"mass": 1, "centroid": floats((P[i] + P[i + 1]) / 2),
                    "inertia": floats(np.diag(1.01 / 12 * (EYE - np.outer(d, d)) + .02 / 12 * np.outer(d, d)))}
        bodies[f"rod{i + 1}"] = {**spec, "markers": {f"P{k + 1}": mark(k) for k in (i, i + 1)}}
    at = ["ground", *[f"rod{i}" for i in range(1, 6)]]
    joints = {f"J{i + 1}": joint("revolute", f"{at[i]}.P{i + 1}", f"{at[i + 1]}.P{i + 1}") for i in range(5)}
    joints["J6"] = joint("revolute", "ground.P6", "rod5.P6")
    m = model(bodies, joints, drives, gravity=[0, -G, 0], output={f"P3{c}": f"{c}(rod2.P3)" for c in "xyz"})

    def state(angle):
        """poses at a jet of the first joint's angle: the odd joints turn alike, and so do the even ones: sin b = -sin a/(1 + sin a)"""
        u = -space.sin(angle) / (1 + space.sin(angle))
        b = space.atan2(u, space.sqrt(1 - u * u))
        return grow(m, {f"J{k + 1}": angle if k % 2 == 0 else b for k in range(5)})
    return m, state


class Bricard(Space):
    """ifto_a04_bricard: six revolutes of 30 rows, rank 29, one freedom"""
    SWEEP = "1.6 - 1.6*cos(t)"

    def angle(self, t):
        return 1.6 - 1.6 * space.cos(space.time(t))

    def test_counts(self):
        m, state = bricard()
        for flags in CRITERIA:
            for angle in (0.0, 1.1):
                doc = self.checked(posed(m, state(Jet(angle))), *flags)
                self.counts(doc, 30, 29, 1, 1)
                mob = doc["mobility"]
                self.assertEqual([mob[k] for k in ("coordinates", "gruebler", "mobility_without_drives")], [30, 0, 1])
        self.assertEqual(mob["redundant_permanent"], 1, "it turns all the way round: the row is redundant everywhere")

    def test_verdicts(self):
        m, state = bricard()
        for angle in (0.0, 1.1, 2.3):
            s = state(Jet(angle))
            free = copy.deepcopy(m)
            free.pop("gravity")
            want = Wrenches(free, s).answer("joint")["marks"]
            doc = self.checked(posed(m, s))
            self.assertEqual({f"{j}.{c}": r["components"][c]["verdict"] for j, r in doc["reactions"].items() for c in COMPONENTS}, want, angle)

    def test_driven_along_its_way(self):
        for solid in (False, True):
            m, state = bricard(solid, motor=drive("J1.angle", self.SWEEP))
            m["motion"] = {"from": 0, "to": 3.0, "step": .3}
            done = self.ok(m, "inverse")
            for i, t in enumerate(done.time):
                s = state(self.angle(t))
                self.against(done, Wrenches(m, s), i=i, length=done.result["least_norm"]["length"])
                self.near([done.series[f"P3{c}"][i] for c in "xyz"], place(m, s, "rod2.P3")[0].a, 1e-11, "P3")
            self.near(done.result["least_norm"]["length"], Wrenches(m, state(Jet(0.0))).lengths()["J1"], 1e-12, "L is that of the first state")

    def test_from_rough_poses(self):
        """31 rows of rank 30 assemble all the same: 2 cm and 6 deg off"""
        m, state = bricard(motor=drive("J1.angle", (1.1, .5, -1)))
        s = state(Jet(1.1, .5, -1))
        for seed in range(4):
            done = self.ok(posed(m, s, np.random.default_rng(seed)))
            self.against(done, Wrenches(m, s))

    def test_redundant_all_the_way(self):
        m, state = bricard(motor=drive("J1.angle", self.SWEEP))
        m["motion"] = {"from": 0, "to": 3.0, "step": .1}
        doc = self.checked(m, "--motion")
        self.assertEqual([(x["rank"], x["redundant"], x["safe"]) for x in doc["along_motion"]["rank_changes"]], [(30, 1, True)])

    def test_power_along_its_way(self):
        """work of the motor = kinetic energy + weight lifted, by numbers alone: positions and turns of the file, differences of fourth order over
        2 ms: h^4/30 of fifth derivatives, some 1e3 J/s^5, so 1e-9, and rounding of 1e-14/h more"""
        m, _ = bricard(motor=drive("J1.angle", self.SWEEP))
        m["motion"] = {"from": 0, "to": 1.5, "step": 2e-3}
        done = self.ok(m, "inverse")
        h, s = 2e-3, done.series
        rate = lambda x: (8 * (x[3:-1] - x[1:-3]) - (x[4:] - x[:-4])) / (12 * h)         # loses two samples at each end
        energy = 0
        for i in range(5):
            c, e = (BRICARD_POINTS[i] + BRICARD_POINTS[i + 1]) / 2, BRICARD_POINTS[i + 1] - BRICARD_POINTS[i]
            r = np.array([s[f"rod{i + 1}.{k}"] for k in "xyz"]).T
            R = np.array([space.of_quaternion(q) for q in np.array([s[f"rod{i + 1}.q{k}"] for k in "wxyz"]).T])
            v, u = rate(r + R @ c), rate(R @ e)
            energy = energy + .5 * (v * v).sum(1) + (u * u).sum(1) / 24 + G * (r + R @ c)[2:-2, 1]
        power = s["motor.effort"] * 1.6 * np.sin(done.time)
        self.near(rate(energy), power[4:-4], 1e-8, "power")

    @cli.long
    def test_free_motion(self):
        """reference: points of P3 in free motion lie on the way (1e-8); speed by energy, the second rate by the oracle: no effort there"""
        for t, both in BRICARD_FREE.items():
            for solid, P3 in enumerate(both):
                m, state = bricard(bool(solid))
                a = bricard_angle(m, state, P3)
                rate = math.sqrt(2 * bricard_fall(state(Jet(a))) / bricard_inertia(m, state, a)) * (1 if t < 2.5 or t > 5 else -1)
                driven = {**m, "drives": {"motor": drive("J1.angle", "t")}}
                effort = lambda c: Wrenches(driven, state(Jet(a, rate, c))).answer()["values"]["motor.effort"]
                second = -effort(0.0) / (effort(1.0) - effort(0.0))
                m["drives"] = {"motor": drive("J1.angle", (a, rate, second))}
                done = self.ok(posed(m, state(Jet(a))), "inverse")
                self.near([done.series[f"P3{c}"][0] for c in "xyz"], P3, 1e-8, f"P3 at {t}")
                self.column(done, "motor.effort", 0.0, 1e-8)


def bricard_angle(m, state, P3):
    """the angle at which P3 has the x given (Newton's method from the circle of P2)"""
    a = 1.6 - 1.6 * P3[0]
    for _ in range(20):
        p = place(m, state(Jet(a, 1.0)), "rod2.P3")[0]
        a -= (p.a[0] - P3[0]) / p.b[0]
    return a


def bricard_fall(s):
    """potential energy lost since the start"""
    y = sum((s[f"rod{i + 1}"][0] + s[f"rod{i + 1}"][1] @ ((BRICARD_POINTS[i] + BRICARD_POINTS[i + 1]) / 2)).a[1] for i in range(5))
    return G * (-2.5 - y)


def bricard_inertia(m, state, a):
    """twice the kinetic energy at unit rate"""
    s, J = state(Jet(a, 1.0)), 0.0
    for b in (f"rod{i}" for i in range(1, 6)):
        mass, c, I = space.mass_of(m["bodies"][b])
        r, R = s[b]
        v, w = (r + R @ c).b, space.twist(s[b])[0]
        J += mass * v @ v + w @ R.a @ I @ R.a.T @ w
    return J


# ---------------------------------------------------------------- a crank, a rod and a slider in space

CRANK_TABLE = (                                     # t, crank angle, rate, second rate, slider x, its rate, of the free motion
    (.1, .552043837936791, 5.632093424973195, 11.666540775561163, .22636901600463605, .29473389743016654),
    (.2, 1.2309269184530487, 8.780697905471651, 66.30225843388388, .26054593268868714, .39490249452437715),
    (.5, 5.249898842578807, 12.641666201182863, 127.9969412130474, .18874810326118804, -.2779707429219047),
    (1, 10.484073838523507, 10.229888391903943, -27.33931595007656, .23376475033550437, -.537705705355455),
    (2, 20.03128598109678, 8.421894316010695, 59.298774728461765, .25830444341652375, .3885523303509673),
    (3, 31.357363456377936, 6.296237315306957, -35.82100940035792, .19772820060874996, .23641438732976153),
    (5, 51.369439887902395, 7.903679714697691, 49.77102201718919, .25465008546596585, .37782716838060787))


def slider_crank(motion):
    m = model(
        {"ground": {"markers": {"A": {"at": [0, .1, .12], "axis": [1, 0, 0]}, "S": {"at": [0, 0, 0], "axis": [1, 0, 0]}}},
         "crank": {"mass": .12, "inertia": [1e-4, 1e-4, 1e-4], "markers": {"A": {"at": [0, 0, 0], "axis": [1, 0, 0]}, "B": [0, 0, .08]}},
         "rod": {"mass": .5, "centroid": [.15, 0, 0], "inertia": [4e-4, 4e-3, 4e-3],
                 "markers": {"B": [0, 0, 0], "C": {"at": [.3, 0, 0], "axis": [0, 1, 0]}}},
         "slider": {"mass": 2, "inertia": [1e-3, 1e-3, 1e-3], "markers": {"C": {"at": [0, 0, 0], "axis": [1, 0, 0]}}}},
        {"A": joint("revolute", "ground.A", "crank.A"), "B": joint("spherical", "crank.B", "rod.B"),
         "C": joint("universal", "slider.C", "rod.C"), "S": joint("prismatic", "ground.S", "slider.C")},
        {"motor": drive("A.angle", motion)}, gravity=[0, 0, -G])

    def state(th):
        B = stack([0 * th, .1 - .08 * space.sin(th), .12 + .08 * space.cos(th)])
        x = space.sqrt(.09 - B[1] * B[1] - B[2] * B[2])
        C = stack([x, 0 * x, 0 * x])
        e1 = (C - B) / .3
        e2 = unit(space.cross(X, e1))
        return {"crank": (Jet([0, .1, .12]), turn(X, th)), "rod": (B, stack([e1, e2, space.cross(e1, e2)]).T), "slider": (C, Jet(EYE))}
    return m, state


def slider_crank_torque(m, state, th):
    """Lagrange: J th'' + J' th'^2/2 + V', derivatives by the angle"""
    s, J, dJ, dV = state(Jet(th.a, 1.0)), 0.0, 0.0, 0.0
    for b in ("crank", "rod", "slider"):
        mass, c, I = space.mass_of(m["bodies"][b])
        r, R = s[b]
        p, (w, dw), I = r + R @ c, space.twist(s[b]), R.a @ I @ R.a.T
        J, dJ, dV = J + mass * p.b @ p.b + w @ I @ w, dJ + 2 * (mass * p.b @ p.c + w @ I @ dw), dV + mass * G * p.b[2]
    return J * th.c + .5 * dJ * th.b**2 + dV


class SliderCrank(Space):
    """spatial_slider_crank: revolute, spherical, universal and prismatic, exactly constrained"""

    def test_start(self):
        m, state = slider_crank("6*t")
        done = self.ok(posed(m, state(Jet(0.0))), "kinematics")
        for key, x in {"slider.x": .2, "slider.vx": .24, "rod.omegax": 1.92, "rod.omegay": -.96, "rod.omegaz": .48}.items():
            self.column(done, key, x, 1e-12)

    def test_kinematics(self):
        """a turn and a half, speeding up: places, rates, second rates of every body in ground's axes"""
        m, state = slider_crank("6*t + 2*t^2")
        m["motion"] = {"from": 0, "to": 1.2, "step": .1}
        done = self.ok(posed(m, state(Jet(0.0))), "kinematics")
        for i, t in enumerate(done.time):
            t = space.time(t)
            for body, pose in state(6 * t + 2 * t * t).items():
                r, R = pose
                w, al = space.twist(pose)
                got = lambda keys: [done.series[f"{body}.{k}"][i] for k in keys.split()]
                self.near(got("x y z"), r.a, 1e-12, body)
                self.near(got("vx vy vz"), r.b, 1e-11, body)
                self.near(got("ax ay az"), r.c, 1e-10, body)
                self.near(got("omegax omegay omegaz"), w, 1e-11, body)
                self.near(got("alphax alphay alphaz"), al, 1e-9, body)
                self.near(space.of_quaternion(got("qw qx qy qz")), R.a, 1e-12, body)
                self.near(np.linalg.norm(got("qw qx qy qz")), 1.0, 1e-14)
        for body in state(Jet(0.0)):
            q = np.array([done.series[f"{body}.q{k}"] for k in "wxyz"])
            self.assertGreater((q[:, 1:] * q[:, :-1]).sum(0).min(), 0, "continuous")

    def test_torque_and_reactions(self):
        m, state = slider_crank("6*t + 2*t^2")
        m["motion"] = {"from": 0, "to": 1.2, "step": .1}
        done = self.ok(posed(m, state(Jet(0.0)), np.random.default_rng(4)), "inverse")
        for i, t in enumerate(done.time):
            t = space.time(t)
            th = 6 * t + 2 * t * t
            self.near(done.series["motor.effort"][i], slider_crank_torque(m, state, th), 1e-11, f"torque at {t.a}")
            self.against(done, Wrenches(m, state(th)), i=i)

    def test_free_motion_needs_no_torque(self):
        """published to 1e-7, second rates computed from the same angle and rate: no torque but rounding"""
        for t, *th, x, v in CRANK_TABLE:
            m, state = slider_crank(through(*th))
            m["output"] = {"turned": "A.angle"}
            done = self.ok(posed(m, state(Jet(th[0]))), "inverse")
            self.column(done, "motor.effort", 0.0, 1e-12)
            self.column(done, "turned", th[0], 1e-12)                         # eight turns are eight turns
            done = self.ok(posed(m, state(Jet(th[0]))), "kinematics")
            self.column(done, "slider.x", x, 1e-7)
            self.column(done, "slider.vx", v, 1e-7)


# ---------------------------------------------------------------- governor

GOVERNOR_TABLE = (                                  # t; s, alpha, psi, their rates in the order psi, s, alpha, of the free motion
    (0, .5, math.pi / 6, 0, 2 * math.pi, 0, 0),
    (.1, .5238364755695711, .49617386907590416, .6221066814026982, 6.10371780883088, .4592718104362166, -.5226739297540867),
    (.5, .7432494247863717, .25949138154337015, 2.8076794883678864, 5.10341542197162, .052119780158324185, -.05390521849869352),
    (1, .501420922379569, .5218333016255444, 5.586346965868988, 6.271125741876546, -.12215149289763638, .14088557947943814),
    (2, .5059092942967046, .5166637973645974, 11.173267075661235, 6.23622361443595, -.24078314698349312, .2769261885719955),
    (5, .5355631037216166, .48287458657697197, 27.94253199104296, 6.022496499758709, -.5436826902775361, .6139170473884736),
    (10, .6196229170612787, .3900737018447388, 55.935409909102304, 5.54820362265531, -.7476033541644742, .8084670513457379))


def governor(psi, s, swing, swing2=None):
    """each (value, rate, second rate)"""
    thin = .3 * (1 + 1e-4) / 12
    y = {"at": [0, 0, 0], "axis": [0, 1, 0]}
    arm_ = {"mass": .3, "centroid": [.5, 0, 0], "inertia": [.3 * 2e-4 / 12, thin, thin], "markers": {"H": y, "C": [.5, 0, 0], "T": [1, 0, 0]}}
    spring = lambda k: {"type": "spring", "between": [f"arm{k}.C", f"slider.P{k}"], "stiffness": 8e5, "damping": 4e4, "free_length": .5}
    m = model(
        {"shaft": {"mass": .3, "centroid": [0, 0, .5], "inertia": [thin, thin, .3 * 2e-4 / 12],
                   "markers": {"H1": {"at": [.05, 0, 1], "axis": [0, 1, 0]}, "H2": {"at": [-.05, 0, 1], "axis": [0, -1, 0], "x": [-1, 0, 0]}}},
         "slider": {"mass": 3, "inertia": [.005, .005, .005], "markers": {"P1": [.05, 0, 0], "P2": [-.05, 0, 0]}},
         "arm1": arm_, "arm2": copy.deepcopy(arm_), "ball1": {"mass": 5, "particle": True}, "ball2": {"mass": 5, "particle": True}},
        {"O": joint("revolute", "ground", "shaft"), "S": joint("prismatic", "shaft", "slider"),
         "H1": joint("revolute", "shaft.H1", "arm1.H"), "H2": joint("revolute", "shaft.H2", "arm2.H"),
         "T1": joint("spherical", "arm1.T", "ball1"), "T2": joint("spherical", "arm2.T", "ball2")},
        {"spin": drive("O.angle", psi), "lift": drive("S.distance", s), "swing1": drive("H1.angle", swing),
         "swing2": drive("H2.angle", swing2 or swing)},
        {"s1": spring(1), "s2": spring(2)}, gravity=[0, 0, -G])
    state = grow(m, {"O": Jet(*psi), "S": Jet(*s), "H1": Jet(*swing), "H2": Jet(*(swing2 or swing))})
    for k in (1, 2):
        state[f"ball{k}"] = (place(m, state, f"arm{k}.T")[0], Jet(EYE))
    return m, state


def governor_lagrange(psi, s, a):
    """efforts: moment of the spin, force of the lift, sum of the two moments of swing; and the angular momentum"""
    sin, cos = math.sin(a[0]), math.cos(a[0])
    bar, rod_, ends = .3 * 2e-4 / 12, .3, 5.0
    across = rod_ * (1 + 1e-4) / 12
    J = bar + .005 + 2 * (rod_ * (.05 + .5 * cos)**2 + across * cos**2 + bar * sin**2 + ends * (.05 + cos)**2)
    dJ = 2 * (-rod_ * (.05 + .5 * cos) * sin - 2 * across * cos * sin + 2 * bar * sin * cos - 2 * ends * (.05 + cos) * sin)
    dx, dz = .5 * cos, 1 - .5 * sin - s[0]
    l = math.hypot(dx, dz)
    rate = (dx * -.5 * sin * a[1] + dz * (-.5 * cos * a[1] - s[1])) / l
    F = 8e5 * (l - .5) + 4e4 * rate
    spin = J * psi[2] + dJ * a[1] * psi[1]
    lift = 3 * (s[2] + G) - 2 * F * dz / l
    swing = 2 * (rod_ / 4 + across + ends) * a[2] - .5 * dJ * psi[1]**2 - 2 * G * cos * (rod_ / 2 + ends) - F * (dx * sin + dz * cos) / l
    return spin, lift, swing, J * psi[1]


class Governor(Space):
    """ifto_a05_governor.  Forces of up to 1e5 N where springs are out of length: 1e-11 of them"""

    def efforts(self, m, state):
        done = self.ok(posed(m, state), "inverse")
        want = self.against(done, Wrenches(m, state))
        self.against(self.ok(posed(m, state), "inverse", "--frame", "ground"), Wrenches(m, state), "ground")
        self.counts(done.result, 30, 30, 0, 0)
        got = {k: done.series[f"{k}.effort"][0] for k in ("spin", "lift", "swing1", "swing2")}
        return got, max(map(abs, want["values"].values()))

    def test_lagrange(self):
        for psi, s, a in (((.4, 5, 3), (.55, .3, -2), (.45, -.6, 4)), ((-2, -7, 0), (.5, 0, 0), (math.pi / 6, 0, 0)),
                          ((9, 1, 1), (.7, 1, 1), (.2, 2, 5))):
            got, size = self.efforts(*governor(psi, s, a))
            spin, lift, swing, _ = governor_lagrange(psi, s, a)
            self.near([got["spin"], got["lift"], got["swing1"] + got["swing2"]], [spin, lift, swing], TIGHT * size)
            self.near(got["swing1"], got["swing2"], TIGHT * size)

    def test_arms_that_swing_apart(self):
        self.efforts(*governor((.4, 5, 3), (.55, .3, -2), (.45, -.6, 4), (.6, 1, -3)))

    def test_turning_as_one(self):
        """springs at rest, all turning together: the arms must be held against what spins them out"""
        got, _ = self.efforts(*governor((0, 2 * math.pi, 0), (.5, 0, 0), (math.pi / 6, 0, 0)))
        c, w = math.cos(math.pi / 6), 4 * math.pi**2
        one = lambda r, m, h: m * (w * (.05 + r * c) * r * h - G * r * c)
        out = one(.5, .3, .5) + one(1, 5, .5) + w * .3 * (1 + 1e-4) / 12 * c * .5 - w * .3 * 2e-4 / 12 * c * .5
        self.near([got["spin"], got["lift"], got["swing1"], got["swing2"]], [0, 3 * G, out, out], 1e-9)

    def test_free_motion(self):
        """reference states; second rates by Lagrange's equations: no effort but 1e-11 of the forces in the springs; first integral to its digits"""
        for t, s, a, psi, psi1, s1, a1 in GOVERNOR_TABLE:
            f = lambda *second: np.array(governor_lagrange((psi, psi1, second[0]), (s, s1, second[1]), (a, a1, second[2]))[:3])
            f0 = f(0, 0, 0)
            second = np.linalg.solve(np.column_stack([f(*e) - f0 for e in EYE]), -f0)
            got, size = self.efforts(*governor((psi, psi1, second[0]), (s, s1, second[1]), (a, a1, second[2])))
            self.near(list(got.values()), [0] * 4, TIGHT * size)
            self.near(governor_lagrange((psi, psi1, 0), (s, s1, 0), (a, a1, 0))[3], 53.868998658418434, 1e-5, "momentum")


# ---------------------------------------------------------------- a table on four legs

LEGS = ((1, .6), (-1, .6), (-1, -.6), (1, -.6))


def table(moving=False):
    """legs on a floor that can heave, roll and pitch; x, y and the turn about z are held by three rows that feel nothing"""
    floor = "floor" if moving else "ground"
    feet = {f"leg{k + 1}": [x, y, 0] for k, (x, y) in enumerate(LEGS)}
    m = model(
        {"table": {"mass": 30, "inertia": [4, 9, 10], "markers": {**feet, "E": [1, 0, 0], "W": [.25, -.1, 0]}}},
        {**{f"L{k + 1}": joint("inplane", floor, f"table.leg{k + 1}") for k in range(4)}, "X": joint("x", floor, "table"),
         "Y": joint("y", floor, "table"), "E": joint("y", floor, "table.E")})
    if not moving:
        m["loads"] = {"W": force("table.W", 0, 0, -400)}
        return m
    m["bodies"].update({"lift": {"mass": 1, "inertia": [1, 1, 1]}, "floor": {"mass": 1, "inertia": [1, 1, 1]}})
    m["joints"].update({"mast": joint("prismatic", "ground", "lift"), "ball": joint("spherical", "lift", "floor")})
    m["drives"] = {"heave": drive("mast.distance", (0, 0, 2)), "roll": drive("ball.rx", (0, 0, .5)), "pitch": drive("ball.ry", (0, 0, -.8)),
                   "yaw": drive("ball.rz", "0")}
    m["gravity"] = [0, 0, -G]
    return m


class Table(Space):
    """redundant_four_leg_table: least norm in closed form, W/4 (1 + x xi/a^2 + y yi/b^2)"""
    VERDICTS = {**{f"L{k}.Fz": "not unique" for k in range(1, 5)}, "X.Fx": "unique", "Y.Fy": "unique", "E.Fy": "unique"}

    def test_load_at_rest(self):
        done = self.ok(table(), "inverse")
        for k, x in enumerate((108.33333333333333, 58.333333333333336, 91.66666666666666, 141.66666666666669)):
            self.column(done, f"L{k + 1}.Fz", x, T9)
        for key in ("X.Fx", "Y.Fy", "E.Fy"):
            self.column(done, key, 0.0, T9)
        self.counts(done.result, 7, 6, 0, 1)
        self.against(done, Wrenches(table()))

    def test_verdicts(self):
        self.all_criteria(table(), (7, 6, 0, 1), self.VERDICTS, gruebler=-1)
        doc = self.checked(table())
        mode = doc["self_stress"][0]
        self.near([mode[f"L{k}.Fz"] / mode["L1.Fz"] for k in range(1, 5)], [1, -1, 1, -1], 1e-12)
        self.assertEqual(len(mode), 4)
        asked = {"L1.Fz + L2.Fz": "unique", "L1.Fz + L3.Fz": "not unique", "L1.Fz - L3.Fz": "unique", "L1.Fz + L2.Fz + L3.Fz + L4.Fz": "unique"}
        doc = self.checked(table(), *[x for k in asked for x in ("--ask", k)])
        self.assertEqual([a["verdict"] for a in doc["asked"]], list(asked.values()))

    def test_moving(self):
        m = table(moving=True)
        done = self.ok(m, "inverse")
        for k, x in enumerate((91.20833333333333, 87.60833333333333, 85.94166666666668, 89.54166666666667)):
            self.column(done, f"L{k + 1}.Fz", x, T9)
            self.assertEqual(done.marks[f"L{k + 1}.Fz"], "not unique")
        # what is driven under it: 1 kg of lift and of floor, and inertias of 1
        self.column(done, "heave.effort", 32 * (G + 2), T9)
        self.column(done, "roll.effort", (4 + 1) * .5, T9)
        self.column(done, "pitch.effort", (9 + 1) * -.8, T9)

    def test_soft_legs(self):
        """equal compliances share as least norm does; one leg of four times the compliance: the plane's compatibility f1 - f2 + f3 - 4 f4 = 0"""
        m = table()
        for k in range(1, 5):
            m["joints"][f"L{k}"]["compliance"] = {"z": 1e-5}
        done = self.ok(m)
        self.near([done.series[f"L{k}.Fz"][0] for k in range(1, 5)], [325 / 3, 175 / 3, 275 / 3, 425 / 3], T9)
        self.assertEqual(done.marks["L1.Fz"], "compliance")
        m["joints"]["L4"]["compliance"]["z"] = 4e-5
        done = self.ok(m)
        f = np.linalg.solve(np.array([[1] * 4, [p[0] for p in LEGS], [p[1] for p in LEGS], [1, -1, 1, -4]], float), [400, 100, -40, 0])
        self.near([done.series[f"L{k}.Fz"][0] for k in range(1, 5)], f, T9)


# ---------------------------------------------------------------- which reactions are unique

POINTS = {"A": (0, 0, 0), "B": (.2, .5, 0), "C": (1, .7, 0), "D": (1.2, 0, 0)}
KINDS = {"R": ("revolute", "Fx Fy Fz Tx Ty"), "S": ("spherical", "Fx Fy Fz"), "C": ("cylindrical", "Fx Fy Tx Ty"), "P": ("inline", "Fx Fy")}


def flat_loop(kinds, points=POINTS, last=("rocker", "ground"), **more):
    """a planar four-bar of joints along z in space"""
    ends = dict(zip("ABCD", (("ground", "crank"), ("crank", "coupler"), ("coupler", "rocker"), last)))
    centre = {b: (np.array(points[p]) + points[q]) / 2 for b, p, q in (("crank", "A", "B"), ("coupler", "B", "C"), ("rocker", "C", "D"))}
    bodies = {b: {"mass": 1, "inertia": [1, 1, 1], "pose": {"at": floats(c)}, "markers": {}} for b, c in centre.items()}
    bodies["ground"] = {"markers": {}}
    for n, pair in ends.items():
        for b in pair:
            bodies[b]["markers"][n] = floats(np.array(points[n]) - centre.get(b, np.zeros(3)))
    joints = {n: joint(KINDS[k][0], *(f"{b}.{n}" for b in ends[n])) for n, k in zip("ABCD", kinds)}
    return model(bodies, joints, **more)


def vehicle():
    at = {"1": (.5, .4), "2": (.5, -.4), "3": (-.5, .4), "4": (-.5, -.4)}
    axle = lambda *p: {"at": floats(p), "axis": [0, 1, 0]}
    bodies = {"chassis": {"mass": 1, "inertia": [1, 1, 1], "pose": {"at": [0, 0, .3]},
                          "markers": {f"a{n}": axle(x, y, -.1) for n, (x, y) in at.items()}}}
    joints = {}
    for n, (x, y) in at.items():
        bodies[f"w{n}"] = {"mass": 1, "inertia": [1, 1, 1], "pose": {"at": [x, y, .2]}, "markers": {"C": axle(0, 0, 0)}}
        joints[f"ax{n}"] = joint("revolute", f"chassis.a{n}", f"w{n}.C")
        joints[f"W{n}"] = joint("wheel", "ground", f"w{n}.C", radius=.2)
    return model(bodies, joints, {"drive": drive("ax1.angle", "t")}, gravity=[0, 0, -G])


def doors(upper):
    kind = {"R": "revolute", "S": "spherical", "P": "inline"}[upper]
    return model({"ground": {"markers": {"lower": [0, 0, 0], "upper": [0, 0, 1]}},
                  "door": {"mass": 20, "inertia": [2.4, 3.4, 1.1], "pose": {"at": [.4, 0, .5]},
                           "markers": {"lower": [-.4, 0, -.5], "upper": [-.4, 0, .5]}}},
                 {"lower": joint("revolute", "ground.lower", "door.lower"), "upper": joint(kind, "ground.upper", "door.upper")})


class Solvability(Space):
    """reference solvability: ranks and single rows exact; every criterion, in ground's axes"""

    def marks(self, rows, loose):
        return {k: "not unique" if k in loose else "unique" for k in rows}

    def test_four_bars(self):
        across = [f"{j}.{c}" for j in "ABCD" for c in ("Fz", "Tx", "Ty")]
        for kinds, counts, loose in (("RRRR", (20, 17, 1, 3), across), ("RRSC", (17, 17, 1, 0), ()), ("RRSR", (18, 17, 1, 1), across),
                                     ("RSRP", (15, 15, 3, 0), ())):
            rows = [f"{j}.{c}" for j, k in zip("ABCD", kinds) for c in KINDS[k][1].split()]
            with self.subTest(kinds):
                self.all_criteria(flat_loop(kinds), counts, self.marks(rows, loose), gruebler=18 - counts[0])

    def test_doors(self):
        for upper, counts, unique in (("R", (10, 5, 1, 5), ()), ("S", (8, 5, 1, 3), ()), ("P", (7, 5, 1, 2), ("lower.Fz",))):
            rows = [f"lower.{c}" for c in KINDS["R"][1].split()] + [f"upper.{c}" for c in KINDS[upper][1].split()]
            with self.subTest(upper):
                self.all_criteria(doors(upper), counts, self.marks(rows, set(rows) - set(unique)), gruebler=6 - counts[0])

    def test_vehicle(self):
        """forces at the ground act about the wheel's centre with Tx = r Fy, Ty = -r Fx"""
        one = [f"{j}{n}.{c}" for n in range(1, 5) for j, cs in (("ax", "Fx Tz"), ("W", "Fx Ty")) for c in cs.split()]
        many = [f"{j}{n}.{c}" for n in range(1, 5) for j, cs in (("ax", "Fy Fz Tx"), ("W", "Fy Fz Tx")) for c in cs.split()]
        self.all_criteria(vehicle(), (33, 30, 0, 3), self.marks(one + many, many), gruebler=-2)
        doc = self.checked(vehicle())
        self.assertEqual(doc["drives"]["drive"]["verdict"], "unique")

    def test_tricycle(self):
        """tricycle_planar on its plane in space: knife edges at the wheels"""
        steer = {"at": [1.2, 0, 0], "rotate": {"axis": [0, 0, 1], "angle": .3}}
        m = model({"chassis": {"mass": 1, "inertia": [1, 1, 1], "markers": {"left": [0, .4, 0], "right": [0, -.4, 0], "front": steer}}},
                  {"floor": joint("planar", "ground", "chassis"),
                   **{k: joint("knife-edge", "ground", f"chassis.{k}") for k in ("left", "right", "front")}})
        marks = {"floor.Fz": "unique", "floor.Tx": "unique", "floor.Ty": "unique", "front.Fy": "unique",
                 "left.Fy": "not unique", "right.Fy": "not unique"}
        self.all_criteria(m, (6, 5, 1, 1), marks, frame="joint")


class Parallelogram(Space):
    """a planar four-bar in space: crank 0.3, coupler 0.6 at 0.7 rad; 20 rows of rank 17, three freedoms of self-stress in each joint"""

    @staticmethod
    def model(**more):
        tip = .3 * np.array([math.cos(.7), math.sin(.7), 0])
        points = {"A": (0, 0, 0), "B": tuple(tip), "C": tuple(tip + [.6, 0, 0]), "D": (.6, 0, 0)}
        return flat_loop("RRRR", points, ("ground", "rocker"), **more)

    def test_counts_and_sums(self):
        rows = [f"{j}.{c}" for j in "ABCD" for c in ("Fx", "Fy", "Fz", "Tx", "Ty")]
        # a parallelogram: forces along the cranks are settled across the plane by no other loop, so in the plane all is unique
        marks = {k: "unique" if k.split(".")[1] in ("Fx", "Fy") else "not unique" for k in rows}
        self.all_criteria(self.model(), (20, 17, 1, 3), marks, gruebler=-2)
        asked = {"A.Fz + D.Fz": "unique", "A.Fz": "not unique", "D.Fz": "not unique", "A.Fz - D.Fz": "not unique", "A.Fz - B.Fz": "unique",
                 "B.Fz - C.Fz": "unique", "C.Fz + D.Fz": "unique", "A.Tx + D.Tx": "unique", "A.Ty + D.Ty - 0.6*D.Fz": "unique",
                 "A.Ty + D.Ty": "not unique", "A.Tx": "not unique", "A.Fx + A.Fz": "not unique", "2*A.Fx - 3*C.Fy": "unique"}
        for flags in CRITERIA:
            doc = self.checked(self.model(), "--frame", "ground", *flags, *[x for k in asked for x in ("--ask", k)])
            self.assertEqual({k: a["verdict"] for k, a in zip(asked, doc["asked"])}, asked, flags)
        self.assertEqual(len(doc["self_stress"]), 3)

    def test_sums_hold_their_value(self):
        """a side load: whichever reactions are chosen, the sum across the plane is the load"""
        loads = {"side": force("coupler", 0, 0, 50), "weight": force("rocker", 0, -30, 0)}
        m = self.model(drives={"motor": drive("A.angle", "0")}, loads=loads)
        for flags in ((), ("--redundant", "eliminate=A.Fz,A.Tx,A.Ty"), ("--redundant", "eliminate=D.Fz,D.Tx,D.Ty")):
            done = self.ok(m, "inverse", "--frame", "ground", *flags)
            s = {k: x[0] for k, x in done.series.items()}
            self.near(s["A.Fz"] + s["D.Fz"], -50, T9)
            self.near(s["A.Fz"] - s["B.Fz"], 0, T9)
            if flags:
                for key in flags[1][10:].split(","):
                    self.near(s[key], 0, 1e-12, key)
        self.against(self.ok(m), Wrenches(m))

    def test_advice_works(self):
        """a ball at one end of the coupler and a pin that slides at another: exactly constrained (RRSC of solvability)"""
        m = self.model()
        m["joints"]["C"]["type"], m["joints"]["D"]["type"] = "spherical", "cylindrical"
        self.counts(self.checked(m), 17, 17, 1, 0)
        doc = self.checked(self.model())
        self.assertEqual(sum(a["self_stresses"] for a in doc["advice"]), 3)
        for option in doc["advice"][0]["free"]:
            self.assertEqual(len(set(option["directions"])), 3)
            self.assertTrue({d.split(".")[1] for d in option["directions"]} <= {"z", "rx", "ry"}, option)


class Door(Space):
    """a door on two hinges: 20 kg, centroid 0.4 m from hinges at +-0.6 m"""
    STIFF = {"x": 1e-8, "y": 1e-8, "z": 1e-8, "rx": 1e-3, "ry": 1e-3}

    def model(self, top=None, bottom=None):
        m = model({"ground": {"markers": {"top": [0, 0, .6], "bottom": [0, 0, -.6]}},
                   "door": {"mass": 20, "centroid": [.4, 0, 0], "inertia": [2.4, 3.4, 1.1], "markers": {"top": [0, 0, .6], "bottom": [0, 0, -.6]}}},
                  {"top": joint("revolute", "ground.top", "door.top"), "bottom": joint("revolute", "ground.bottom", "door.bottom")},
                  {"hold": drive("top.angle", "0")}, gravity=[0, 0, -G])
        for name, c in (("top", top), ("bottom", bottom)):
            if c:
                m["joints"][name]["compliance"] = c
        return m

    def test_verdicts(self):
        rows = [f"{j}.{c}" for j in ("top", "bottom") for c in KINDS["R"][1].split()]
        self.all_criteria(self.model(), (11, 6, 0, 5), {k: "not unique" for k in rows}, gruebler=-4)

    def test_least_norm(self):
        """L = 0.6 m: weight shared alike; 78.48 N m by +-F at 1.2 m and twice T: least 2 F^2 + 2 T^2/L^2 with 1.2 F + 2 T = 78.48 is T = 0.6 F"""
        done = self.ok(self.model())
        F = 78.48 / 2.4
        self.against(done, Wrenches(self.model()))
        self.near(done.result["least_norm"]["length"], .6, 1e-12)
        s = {k: x[0] for k, x in done.series.items()}
        self.near([s["top.Fx"], s["bottom.Fx"], s["top.Fz"], s["bottom.Fz"]], [-F, F, 98.1, 98.1], T9)
        self.near([s["top.Ty"], s["bottom.Ty"]], [-.6 * F] * 2, T9)
        self.column(done, "hold.effort", 0.0, T9)

    def test_compliances(self):
        """reference lam_compliant and lam_soft_upper_axial: reactions are -lam; sixteen digits, but compliances differ by 1e5: 1e-9"""
        table_ = ((self.STIFF, 65.39818338379492, 98.10000000002624, 98.09999999997378),
                  ({**self.STIFF, "z": 1e-5}, 65.3981833837949, .19600399600393814, 196.0039960039961))
        for top, Fx, up, down in table_:
            m = self.model(top, self.STIFF)
            done = self.ok(m, "inverse", "--frame", "ground")
            s = {k: x[0] for k, x in done.series.items()}
            self.near([s["top.Fx"], s["top.Fz"], s["bottom.Fx"], s["bottom.Fz"]], [-Fx, up, Fx, down], 1e-9)
            self.near(np.abs([s["top.Ty"], s["bottom.Ty"]]), [.00108996972] * 2, 1e-9)
            self.near(1.2 * Fx - s["top.Ty"] - s["bottom.Ty"], 78.48, 1e-9)
            want = Wrenches(m).answer("ground", compliance={"top": top, "bottom": self.STIFF})
            for key, x in want["values"].items():
                self.near(s[key], x, 1e-8, key)
            self.assertEqual({k: done.marks[k] for k in done.marks if k[:3] in ("top", "bot") and want["marks"][k] != "free"},
                             {k: "compliance" for k in want["marks"] if k[:3] in ("top", "bot") and want["marks"][k] != "free"})

    def test_exactly_constrained(self):
        """a ball below and a guided ball above"""
        m = self.model()
        m["joints"] = {"bottom": joint("spherical", "ground.bottom", "door.bottom"), "top": joint("inline", "ground.top", "door.top")}
        m["bodies"]["door"]["markers"]["handle"] = [.8, 0, 0]
        m["drives"]["hold"] = drive("y(door.handle)", "0")
        done = self.ok(m, "inverse", "--frame", "ground")
        self.pair(done, "bottom", [65.4, 0, 196.2], [0, 0, 0], T9)
        self.pair(done, "top", [-65.4, 0, 0], [0, 0, 0], T9)
        self.against(done, Wrenches(m), "ground")


# ---------------------------------------------------------------- Stewart's platform

STEWART = [(np.array([math.cos(c + .25 * s), math.sin(c + .25 * s), 0]), np.array([.6 * math.cos(c + .8 * s), .6 * math.sin(c + .8 * s), -.05]))
           for c in (0, 2 * math.pi / 3, 4 * math.pi / 3) for s in (-1, 1)]
PLATE = {"mass": 50, "centroid": [.02, .03, .1], "inertia": [3, 4, 6, .2, -.1, .15]}


def stewart(pose, legs=None, lengths=None):
    """legs: universal, driven slide, spherical; a mass for each half leg or none; or, legs=False, six driven distances"""
    r, R = pose
    plate = {**PLATE, "markers": {f"P{k + 1}": floats(p) for k, (_, p) in enumerate(STEWART)}}
    m = model({"ground": {"markers": {}}, "plate": plate}, {}, {}, gravity=[0, 0, -G])
    m["joints"], m["drives"], state = {}, {}, {"plate": (r, R)}
    for k, (b, p) in enumerate(STEWART):
        n, across = k + 1, np.array([-b[1], b[0], 0])
        d = r + R @ p - b
        l = space.sqrt(d @ d)
        m["bodies"]["ground"]["markers"][f"B{n}"] = {"at": floats(b), "axis": floats(across)}
        motion = lengths[k] if lengths else (l.a, l.b, l.c)
        if legs is False:
            m["drives"][f"ram{n}"] = drive(f"distance(plate.P{n}, ground.B{n})", motion)
            continue
        y = unit(space.cross(d, across))
        A = stack([space.cross(y, d / l), y, d / l]).T
        half = {"mass": legs, "inertia": floats(legs * np.array([.02, .03, .015, .002, 0, -.001]))} if legs else {}
        m["bodies"][f"low{n}"] = {**half, **({"centroid": [0, .01, .3]} if legs else {}), "markers": {"U": {"at": [0, 0, 0], "axis": [0, 1, 0]}}}
        m["bodies"][f"up{n}"] = {**half, **({"centroid": [.01, 0, -.25]} if legs else {})}
        m["joints"].update({f"U{n}": joint("universal", f"ground.B{n}", f"low{n}.U"), f"S{n}": joint("prismatic", f"low{n}", f"up{n}"),
                            f"K{n}": joint("spherical", f"up{n}", f"plate.P{n}")})
        m["drives"][f"ram{n}"] = drive(f"S{n}.distance", motion)
        state[f"low{n}"], state[f"up{n}"] = (Jet(b), A), (r + R @ p, A)
    if legs is False:
        del m["joints"]
    return posed(m, state), state


def stewart_forces(pose):
    """what six massless legs push with: balance of the plate about its origin"""
    r, R = pose
    w, al = space.twist(pose)
    mass, c, I = space.mass_of(PLATE)
    I, c = R.a @ I @ R.a.T, R.a @ c
    F = mass * (r.c + np.cross(al, c) + np.cross(w, np.cross(w, c)) + [0, 0, G])
    T = I @ al + np.cross(w, I @ w) + np.cross(c, F)
    columns, directions = [], []
    for b, p in STEWART:
        d, arm_ = unit(r.a + R.a @ p - b), R.a @ p
        columns.append(np.r_[d, np.cross(arm_, d)])
        directions.append(d)
    return np.linalg.solve(np.array(columns).T, np.r_[F, T]), directions


def plate_pose(r, first, second):
    turned = turn([1, 2, .5], Jet(*first)) @ turn([0, 1, -1], Jet(*second))
    return stack([Jet(*k) for k in r]), turned


PLATE_STILL = plate_pose(((.1,), (-.05,), (.9,)), (.12,), (-.08,))
PLATE_MOVING = plate_pose(((.1, .3, -2), (-.05, -.4, 1), (.9, .5, 3)), (.12, .7, -4), (-.08, -.9, 2))


class Stewart(Space):
    """13 bodies, 72 rows; leg forces by the platform's Jacobian"""

    def test_massless_legs(self):
        for pose in (PLATE_STILL, PLATE_MOVING):
            m, state = stewart(pose)
            f, d = stewart_forces(pose)
            done = self.ok(m, "inverse", "--frame", "ground")
            self.counts(done.result, 78, 78, 0, 0)
            self.assertEqual(done.result["mobility"]["gruebler"], 6)
            for k in range(6):
                n = k + 1
                self.column(done, f"ram{n}.effort", f[k], 100 * TIGHT)
                self.pair(done, f"K{n}", f[k] * d[k], [0, 0, 0], 100 * TIGHT)
                self.pair(done, f"U{n}", f[k] * d[k], [0, 0, 0], 100 * TIGHT)
                self.pair(done, f"S{n}", [0, 0, 0], [0, 0, 0], 100 * TIGHT)
            self.against(done, Wrenches(m, state), "ground")
            self.against(self.ok(m), Wrenches(m, state))

    def test_driven_distances(self):
        for pose in (PLATE_STILL, PLATE_MOVING):
            m, _ = stewart(pose, legs=False)
            f, _ = stewart_forces(pose)
            done = self.ok(m, "inverse")
            for k in range(6):
                self.column(done, f"ram{k + 1}.effort", f[k], 100 * TIGHT)

    def test_legs_with_mass(self):
        m, state = stewart(PLATE_MOVING, legs=4.0)
        self.against(self.ok(m), Wrenches(m, state))
        self.against(self.ok(m, "inverse", "--frame", "ground"), Wrenches(m, state), "ground")

    def test_screw_motion(self):
        """the plate heaves and turns about z; legs as expressions of time, found from a rough start"""
        psi, h = "(0.3*sin(2*t))", "(0.9 + 0.1*cos(3*t))"
        pose = lambda t: (stack([0 * t, 0 * t, .9 + .1 * space.cos(3 * t)]), turn(Z, .3 * space.sin(2 * t)))
        lengths = []
        for b, p in STEWART:
            phase = math.atan2(p[1], p[0]) - math.atan2(b[1], b[0])
            lengths.append(f"sqrt(1 + 0.36 - 1.2*cos({phase!r} + {psi}) + ({h} - 0.05)^2)")
        m, state = stewart(pose(space.time(0.0)), lengths=lengths)
        m = posed(m, state, np.random.default_rng(5))
        m["motion"] = {"from": 0, "to": 2, "step": .25}
        done = self.ok(m, "inverse", "--frame", "ground")
        for i, t in enumerate(done.time):
            at = pose(space.time(t))
            f, d = stewart_forces(at)
            self.near([done.series[f"ram{k + 1}.effort"][i] for k in range(6)], f, 100 * TIGHT, f"legs at {t}")
            self.near([done.series[f"plate.{c}"][i] for c in "xyz"], at[0].a, 1e-11)


# ---------------------------------------------------------------- a bevel differential

class Differential(Space):
    """side wheels and cage about x, one planet about the cage's z; pitch radii R = 0.06, r = 0.03.
    Rolling: planet = (left - cage) R/r = -(right - cage) R/r.  Teeth, Ft > 0 turning the planet up: planet  r (Ftl + Ftr) = Ip s'',
    right wheel  R Ftr + load = Ir right'',  left wheel  motor - R Ftl = Il left''; the cage carries the planet over."""
    R, r, D = .06, .03, .06
    IL, IR, IC, IP, IT, M = .02, .03, .05, 4e-4, 3e-4, .4

    def model(self, kind="bevel", **wheel):
        R, r = self.R, self.r
        axle = lambda x: {"at": [x, 0, 0], "axis": [1, 0, 0]}
        still = lambda I: {"mass": 1, "inertia": [I, I, I]}
        gear = lambda a: joint(kind, f"{a}.G", "planet.G", radii=[R, r], carrier="cage", **wheel)
        return model(
            {"ground": {"markers": {"L": axle(-.2), "R": axle(.2), "C": axle(0)}},
             "left": {**still(self.IL), "markers": {"J": axle(-.2), "G": axle(-r)}},
             "right": {**still(self.IR), "markers": {"J": axle(.2), "G": axle(r)}},
             "cage": {**still(self.IC), "markers": {"J": axle(0), "S": [0, 0, self.D]}},
             "planet": {"mass": self.M, "inertia": [self.IT, self.IT, self.IP], "pose": {"at": [0, 0, self.D]},
                        "markers": {"G": [0, 0, R - self.D]}}},
            {"L": joint("revolute", "ground.L", "left.J"), "Q": joint("revolute", "ground.R", "right.J"),
             "C": joint("revolute", "ground.C", "cage.J"), "S": joint("revolute", "cage.S", "planet"), "GL": gear("left"), "GR": gear("right")},
            {"cage_": drive("C.angle", "3*t + 2*t^2"), "left_": drive("L.angle", "5*t - t^2")},
            {"load": torque("right", -7, 0, 0)}, motion={"from": 0, "to": .4, "step": .1},
            output={"right_": "Q.angle'", "planet_": "S.angle'", "right__": "Q.angle''", "planet__": "S.angle''"})

    def test_speeds(self):
        for kind in ("bevel", "gear"):
            done = self.ok(self.model(kind), "kinematics")
            t = done.time
            cage, left = 3 + 4 * t, 5 - 2 * t
            self.column(done, "right_", 2 * cage - left, 1e-11)
            self.column(done, "planet_", (left - cage) * 2, 1e-11)
            self.column(done, "right__", 2 * 4 + 2, 1e-10)
            self.column(done, "planet__", (-2 - 4) * 2, 1e-10)
            self.counts(done.result, 24, 24, 0, 0)

    def test_torques(self):
        done = self.ok(self.model(), "inverse")
        s, right = (-2 - 4) * 2, 2 * 4 + 2
        ftr = (self.IR * right + 7) / self.R
        ftl = self.IP * s / self.r - ftr
        self.column(done, "GR.Ft", ftr, 10 * TIGHT)
        self.column(done, "GL.Ft", ftl, 10 * TIGHT)
        self.column(done, "left_.effort", self.IL * -2 + self.R * ftl, 10 * TIGHT)
        # virtual power with left held: right turns twice, the planet's own turn at -R/r
        cage = (self.IC + self.IT + self.M * self.D**2) * 4 + 2 * (self.IR * right + 7) - self.R / self.r * self.IP * s
        self.column(done, "cage_.effort", cage, 10 * TIGHT)

    def test_split(self):
        """without acceleration half of the cage's torque goes to each side"""
        m = self.model()
        m["drives"] = {"cage_": drive("C.angle", "3*t"), "left_": drive("L.angle", "5*t")}
        done = self.ok(m, "inverse")
        self.column(done, "cage_.effort", 14.0, 10 * TIGHT)
        self.column(done, "left_.effort", -7.0, 10 * TIGHT)

    def test_teeth_push_apart(self):
        """Fr = |Ft| tan 20 deg, square to the pitch cones: away from the cones' tip along each axis; taken up by the bearings"""
        m = self.model()
        done = self.ok(m, "inverse", "--frame", "ground")
        s, a = done.series, math.tan(math.radians(20))
        h = math.hypot(self.R, self.r)
        for gear, side in (("GL", -1), ("GR", 1)):
            ft = s[f"{gear}.Ft"]
            self.near(s[f"{gear}.Fr"], np.abs(ft) * a, 10 * TIGHT)
            self.near(s[f"{gear}.Fa"], 0 * ft, 10 * TIGHT)
            self.near(s[f"{gear}.F"], np.abs(ft) / math.cos(math.radians(20)), 10 * TIGHT)
            # at the start the planet stands up: n on the planet is (-side R, 0, r)/h, t = side y
            apart = s[f"{gear}.Fr"][0] * np.array([-side * self.R, 0, self.r]) / h
            self.near(self.force_at(done, gear), ft[0] * side * Y + apart, 10 * TIGHT)
            thrust = np.abs(ft) * a * self.R / h
            self.near(s["L.Fx" if side < 0 else "Q.Fx"], -side * thrust, 10 * TIGHT)

    def test_pressure_angle(self):
        done = self.ok(self.model(pressure_angle="25 deg"), "inverse")
        self.near(done.series["GL.Fr"], np.abs(done.series["GL.Ft"]) * math.tan(math.radians(25)), 10 * TIGHT)
        plain = self.ok(self.model(), "inverse")
        for key in ("GL.Ft", "GR.Ft", "cage_.effort", "left_.effort"):
            self.near(done.series[key], plain.series[key], 10 * TIGHT, key)


# ---------------------------------------------------------------- shafts at an angle

class Cardan(Space):
    """input about x, output in the xy-plane at beta.  Fork axes e1 (input, along z at a = 0) and e2 square to each other: tan b = tan a cos beta.
    The cross passes a torque M n, n = e1 x e2:  M n.u2 = J2 b'' + load; the motor gives J1 a'' + M n.u1.
    What of M n is square to a shaft bends it, and pairs of forces at its ends hold it."""
    BETA, J1, J2, LOAD, L1, L2 = .5, .03, .05, 12.0, .3, .4

    def model(self, kind="universal", motion="0.3 + 8*t + 3*t^2"):
        u2 = np.array([math.cos(self.BETA), math.sin(self.BETA), 0])
        shaft = lambda J, **k: {"mass": 1, "inertia": [.8 * J, .8 * J, J], "markers": k}
        fork = {"at": [0, 0, 0], "axis": [1, 0, 0]} if kind == "universal" else [0, 0, 0]
        m = model({"ground": {"markers": {"A": {"at": [-self.L1, 0, 0], "axis": [1, 0, 0], "x": [0, 0, 1]},
                                          "E": {"at": floats(self.L2 * u2), "axis": floats(u2)}}},
                   "input": shaft(self.J1, A=[0, 0, -self.L1], U=fork), "out": shaft(self.J2, U=fork, E=[0, 0, self.L2])},
                  {"A": joint("revolute", "ground.A", "input.A"), "U": joint(kind, "input.U", "out.U"), "E": joint("inline", "ground.E", "out.E")},
                  {"motor": drive("A.angle", motion)}, {"brake": torque("out", 0, 0, -self.LOAD, frame="body")})
        def state(a):
            u1 = X
            if kind == "universal":
                p = np.array([-math.sin(self.BETA), math.cos(self.BETA), 0])
                b = self.follow(a)
                e1, e2 = Z * space.cos(a) - Y * space.sin(a), p * space.cos(b) + Z * space.sin(b)
            else:
                e1 = Z * space.cos(a) - Y * space.sin(a)
                e2 = turn(Z, self.BETA) @ e1
            axes = lambda e, u: stack([e, space.cross(u, e), Jet(u)]).T
            return {"input": (Jet([0, 0, 0]), axes(e1, u1)), "out": (Jet([0, 0, 0]), axes(e2, u2))}
        return m, state, u2

    def follow(self, a):
        """b with tan b = tan a cos beta, as many turns as a"""
        b = space.atan2(space.sin(a) * math.cos(self.BETA), space.cos(a))
        return Jet(b.a + 2 * math.pi * round(float(a.a - b.a) / (2 * math.pi)), b.b, b.c)

    def run_and_follow(self, kind):
        m, state, u2 = self.model(kind)
        m["motion"] = {"from": 0, "to": 1, "step": .1}
        at = lambda t: .3 + 8 * space.time(t) + 3 * space.time(t) * space.time(t)
        m = posed(m, state(at(0.0)))
        done, moves = self.ok(m, "inverse", "--frame", "ground"), self.ok(m, "kinematics")
        self.counts(done.result, 12, 12, 0, 0)
        for i, t in enumerate(done.time):
            yield i, at(t), done, moves, Wrenches(m, state(at(t))), u2

    def test_universal(self):
        for i, a, done, moves, oracle, u2 in self.run_and_follow("universal"):
            b = self.follow(a)
            self.near([moves.series[f"out.omega{c}"][i] for c in "xyz"], b.b * u2, 1e-11, "output speed")
            self.near([moves.series[f"out.alpha{c}"][i] for c in "xyz"], b.c * u2, 1e-9, "output acceleration")
            e1, e2 = oracle.state["input"][1].a[:, 0], oracle.state["out"][1].a[:, 0]
            n = unit(np.cross(e1, e2))
            M = (self.J2 * b.c + self.LOAD) / (n @ u2)
            self.near(done.series["motor.effort"][i], self.J1 * a.c + M * (n @ X), 10 * TIGHT, "motor")
            self.near(M * (n @ X), (self.J2 * b.c + self.LOAD) * b.b / a.b, 10 * TIGHT, "power through the cross")
            self.near(self.torque_at(done, "U", i), M * n, 10 * TIGHT, "torque of the cross")
            F = np.cross(u2, M * (n - (n @ u2) * u2)) / self.L2                  # L2 u2 x F + bend = 0, F square to u2
            self.near(self.force_at(done, "E", i), F, 10 * TIGHT, "far bearing")
            self.near(self.force_at(done, "U", i), -F, 10 * TIGHT)
            bend = M * (n - (n @ X) * X) + np.cross(self.L1 * X, -F)
            self.near(self.torque_at(done, "A", i), bend, 10 * TIGHT, "bending of the input's bearing")
            self.against(done, oracle, "ground", i=i)

    def test_constant_velocity(self):
        """b = a at any angle; the torque lies along the bisector of the shafts: load tan(beta/2) bends either shaft"""
        for i, a, done, moves, oracle, u2 in self.run_and_follow("constant-velocity"):
            self.near([moves.series[f"out.omega{c}"][i] for c in "xyz"], a.b * u2, 1e-11, "output speed")
            Q = self.J2 * a.c + self.LOAD
            self.near(done.series["motor.effort"][i], self.J1 * a.c + Q, 10 * TIGHT, "motor")
            half = self.BETA / 2
            T = Q / math.cos(half) * np.array([math.cos(half), math.sin(half), 0])
            self.near(self.torque_at(done, "U", i), T, 10 * TIGHT, "torque of the joint")
            self.near(np.linalg.norm(T - (T @ u2) * u2), Q * math.tan(half), 10 * TIGHT, "bending")
            self.against(done, oracle, "ground", i=i)

    def test_swing_of_the_speed(self):
        """over a turn the output's speed swings between w cos beta and w / cos beta"""
        m, state, u2 = self.model(motion="t")
        m["motion"] = {"from": 0, "to": math.pi, "step": math.pi / 8}
        done = self.ok(posed(m, state(Jet(0.0))), "kinematics")
        speed = np.array([done.series[f"out.omega{c}"] for c in "xyz"]).T @ u2
        self.near([speed[0], speed[4], speed[8]], [math.cos(self.BETA), 1 / math.cos(self.BETA), math.cos(self.BETA)], 1e-12)

    def test_two_bearings_each_are_too_many(self):
        """both shafts in hinges: two rows across each plane too many, three in all (rank 11 of 14)"""
        m, state, _ = self.model()
        m = posed(m, state(Jet(.3)))
        m["joints"]["E"]["type"] = "revolute"
        doc = self.checked({k: v for k, v in m.items() if k != "drives"})
        self.counts(doc, 14, 11, 1, 3)


# ---------------------------------------------------------------- a rolling disk

DISK = {"m": 1.5, "R": .3, "It": .03375, "Ia": .0675}
DISK_STEADY = (                                     # lean, precession; spin against the frame, force towards the centre, up
    (.3, -2.0, -3.8642987985137927, 2.945932546672002), (.15, -1.0, -3.4192795307321657, 1.4714286292163548),
    (.6, -3.5, -5.90806885840663, 6.192616817400311))
DISK_TRANSIENT = (                                  # t; centre, normal, velocity, angular velocity; contact force (1e-7)
    (.1, (.20961277771346815, -.09133582264882836, .28880032990293714), (-.09863950861125352, -.9576008958313422, -.27068574333337375),
     (2.0893947224810714, -.25655130149025984, -.011559902138072755), (.8653542850386241, 7.011643924463784, .7976107166390227),
     (-.2920090607942744, -2.596420022409831, 15.02592090186664)),
    (.25, (.5198154700565306, -.1492294260604332, .2896117453345976), (-.26772698870397094, -.9275054141351844, -.2608753845601851),
     (2.040272270248555, -.5129726626241083, .019721076223749495), (1.7064561624822328, 6.820409107504213, .8644675960616346),
     (-.6703410518117914, -2.458384951034633, 14.87830153828188)),
    (.5, (1.013327201180242, -.32526412034789104, .29294710343075514), (-.4020408195833062, -.8898857077266848, -.21556114346644367),
     (1.9003226326828733, -.8852978214662178, -.005381856620586478), (2.915112890618538, 6.250239469426632, 1.1764744750380198),
     (-.9582847050609784, -2.1108481107882335, 14.440133263228592)),
    (1, (1.855598844730905, -.9422095096911692, .29188682834475393), (-.7435031044247297, -.6275720639906261, -.23099012578319317),
     (1.4130197184202464, -1.5523789699651809, .018631322734543477), (5.12436231317514, 4.677179274224693, 1.0696906226851697),
     (-1.8080362263302123, -1.5557048845700203, 14.545764991770731)),
    (2, (2.5628066760114057, -2.8637662912942603, .2891998536007343), (-.9639815378133622, .00588675597785162, -.26590400685029725),
     (-.07343241882327801, -2.1031752413175226, -.016712187617159653), (7.0434104272996985, -.2525174874268139, .8301643945059343),
     (-2.580048028403204, .04947450056361159, 14.951520578049903)))


def disk(centre, normal, drives, **more):
    """the disk's z is its axle; N lies 1 m along it"""
    x = unit(np.cross(Z, normal))
    pose = put(centre, np.column_stack([x, np.cross(normal, x), normal]))
    return model({"disk": {"mass": DISK["m"], "inertia": [DISK["It"], DISK["It"], DISK["Ia"]], "pose": pose,
                           "markers": {"C": [0, 0, 0], "N": [0, 0, 1]}}},
                 {"floor": joint("wheel", "ground", "disk", radius=DISK["R"])}, drives, gravity=[0, 0, -G], **more)


def disk_free(n, v, w):
    """accelerations of centre and angular velocity of a free disk, and the force at the contact: Newton and Euler with v = R w x e2"""
    m, R, It, Ia = DISK["m"], DISK["R"], DISK["It"], DISK["Ia"]
    k = Z - n[2] * n
    e2, nd = k / np.linalg.norm(k), np.cross(w, n)
    kd = -nd[2] * n - n[2] * nd
    e2d = kd / np.linalg.norm(k) - k * (k @ kd) / np.linalg.norm(k)**3
    J = It * EYE + (Ia - It) * np.outer(n, n)
    A = np.hstack([EYE, R * space.skew(e2)])
    Mi = np.linalg.inv(np.block([[m * EYE, np.zeros((3, 3))], [np.zeros((3, 3)), J]]))
    Q = np.r_[0, 0, -m * G, -np.cross(w, J @ w)]
    f = np.linalg.solve(A @ Mi @ A.T, R * np.cross(w, e2d) - A @ Mi @ Q)
    a = Mi @ (Q + A.T @ f)
    return a[:3], a[3:], f, e2


class RollingDisk(Space):
    """nh_rolling_disk: contact and no slip, three rows, of which two are on rates"""

    def test_freedoms(self):
        doc = self.checked(disk([0, 0, .3], -Y, None))
        self.counts(doc, 3, 3, 3, 0)
        self.assertEqual(doc["mobility"]["degrees_of_freedom_position"], 5)

    def test_steady(self):
        """lean and precession held, the way of the centre as it rolls: no effort, and the force of the closed form turns with it.
        x = X0 + R sin(lean) sin(psi) with contact speed -R phi' along e1; driven in x, where e1 stays within 60 deg of it"""
        for lean, turn_, spin, inward in DISK_STEADY:
            s, c, R = math.sin(lean), math.cos(lean), DISK["R"]
            psi = f"({turn_!r}*t)"
            x = f"({-R * spin / turn_ + R * s!r})*sin{psi}"
            drives = {"way": drive("x(disk.C)", x), "heading": drive("x(disk.N)", f"{x} + {c!r}*sin{psi}"),
                      "lean": drive("z(disk.N)", f"{R * c - s!r}")}
            m = disk([0, -R * s, R * c], [0, -c, -s], drives, motion={"from": 0, "to": 1 / abs(turn_), "step": .1 / abs(turn_)})
            done = self.ok(m, "inverse", "--frame", "ground")
            for i, t in enumerate(done.time):
                p = turn_ * t
                e1, e2 = np.array([math.cos(p), math.sin(p), 0]), np.array([s * math.sin(p), -s * math.cos(p), c])
                F = np.array([0, 0, DISK["m"] * G]) + inward * np.array([math.sin(p), -math.cos(p), 0])
                self.pair(done, "floor", F, np.cross(-R * e2, F), 1e-8, i)
                self.near(F @ e1, 0, 1e-12)
                for k in drives:
                    self.near(done.series[f"{k}.effort"][i], 0, 1e-8, k)
            self.counts(done.result, 6, 6, 0, 0)
            self.assertEqual(done.result["mobility"]["degrees_of_freedom_position"], 2)
            self.clean(done)

    def test_transient(self):
        """free motion at the states of the reference: rates and second rates prescribed along x or y (whichever lies nearer to its heading)"""
        for t, C, n, v, w, force_ in DISK_TRANSIENT:
            C, n, v, w = map(np.array, (C, n, v, w))
            a, al, f, e2 = disk_free(n, v, w)
            self.near(f, force_, 1e-7, "force of the reference")
            e1 = np.cross(e2, n)
            k = int(abs(e1[1]) > abs(e1[0]))
            nd, ndd = np.cross(w, n), np.cross(al, n) + np.cross(w, np.cross(w, n))
            drives = {"way": drive(f"{'xy'[k]}(disk.C)", (C[k], v[k], a[k])),
                      "heading": drive(f"{'xy'[k]}(disk.N)", (C[k] + n[k], v[k] + nd[k], a[k] + ndd[k])),
                      "lean": drive("z(disk.N)", (C[2] + n[2], v[2] + nd[2], a[2] + ndd[2]))}
            m = disk(C, n, drives)
            done, moves = self.ok(m, "inverse", "--frame", "ground"), self.ok(m, "kinematics")
            # digits of the reference are right to 1e-8; the second rates follow from them without loss
            self.near([moves.series[f"disk.{key}"][0] for key in ("vx", "vy", "vz", "omegax", "omegay", "omegaz")], [*v, *w], 1e-7, f"rates at {t}")
            self.pair(done, "floor", force_, np.cross(-DISK["R"] * e2, force_), 1e-6)
            for key in drives:
                self.column(done, f"{key}.effort", 0.0, 1e-6)

    def test_pressing_force(self):
        """printed beside: along the ground's normal"""
        lean, turn_, spin, _ = DISK_STEADY[0]
        s, c, R = math.sin(lean), math.cos(lean), DISK["R"]
        drives = {"way": drive("x(disk.C)", (0, -R * spin + R * s * turn_)), "heading": drive("x(disk.N)", (0, -R * spin + (R * s + c) * turn_)),
                  "lean": drive("z(disk.N)", f"{R * c - s!r}")}
        done = self.ok(disk([0, -R * s, R * c], [0, -c, -s], drives), "inverse")
        self.column(done, "floor.F", DISK["m"] * G, 1e-8)
        # the second marker's axes: z is the axle
        axle = np.array([0, -c, -s])
        inward = np.array([0, -2.945932546672002, DISK["m"] * G])
        self.near(done.series["floor.Fz"][0], inward @ axle, 1e-8)


# ---------------------------------------------------------------- whatever stands anywhere

def moved(m, R, d):
    """the same machine elsewhere: ground's markers, poses, gravity and loads in ground's axes, carried along"""
    m = copy.deepcopy(m)
    markers = m["bodies"].setdefault("ground", {}).setdefault("markers", {})
    for name, spec in markers.items():
        at, A = space.of_marker(spec)
        markers[name] = put(R @ at + d, R @ A)
    markers["O_"] = put(d, R)
    for j in m.get("joints", {}).values():
        j["between"] = ["ground.O_" if k == "ground" else k for k in j["between"]]
    for b, spec in m["bodies"].items():
        if b != "ground":
            r, A = (k.a for k in space.pose_of(spec))
            spec["pose"] = {"at": floats(R @ r + d)} if spec.get("particle") else put(R @ r + d, R @ A)
    m["gravity"] = floats(R @ m.get("gravity", [0, 0, 0]))
    for spec in m.get("loads", {}).values():
        if "value" in spec and spec.get("frame") != "body":
            spec["value"] = floats(R @ spec["value"])
    m.pop("output", None)
    return m


def in_mm(m):
    """lengths written in mm"""
    m = copy.deepcopy(m)
    m["units"] = {"length": "mm"}
    longer = lambda v: [1000 * x for x in v]
    for spec in m["bodies"].values():
        for k in ("centroid",):
            if k in spec:
                spec[k] = longer(spec[k])
        for part in spec.get("shape", []):
            part["rod"] = {k: longer(v) for k, v in part["rod"].items()}
        if "at" in spec.get("pose", {}):
            spec["pose"]["at"] = longer(spec["pose"]["at"])
        spec["markers"] = {n: longer(v) if isinstance(v, list) else {**v, "at": longer(v["at"])} for n, v in spec.get("markers", {}).items()}
    m["gravity"] = [f"{x!r} m/s^2" for x in m["gravity"]]
    for spec in m.get("loads", {}).values():
        if "free_length" in spec:
            spec["free_length"] *= 1000
    for spec in m.get("joints", {}).values():
        for k in ("radius", "length"):
            if k in spec:
                spec[k] *= 1000
    return m


class Anywhere(Space):
    """reactions in the joints' axes, efforts, verdicts (also of what is not unique) do not know where the machine stands or how it is written"""

    def machines(self):
        m, state = four_bar()
        yield posed(m, state(0.0))
        m, state = rssr()
        yield posed(m, state())
        m, state = bricard(motor=drive("J1.angle", (1.1, 2, -3)))
        yield posed(m, state(Jet(1.1)))
        m, state = governor((.4, 5, 3), (.55, .3, -2), (.45, -.6, 4), (.6, 1, -3))
        yield posed(m, state)
        yield stewart(PLATE_MOVING, legs=4.0)[0]
        yield Parallelogram.model(drives={"motor": drive("A.angle", (0, 2, 1))}, loads={"side": force("coupler", 1, 2, 50)})

    def same(self, a, b):
        keys = [k for k in a.series if k.split(".")[-1] in COMPONENTS + ("effort",) and k.split(".")[0] not in a.result["loads"]]
        size = max(1.0, max(np.abs(a.series[k]).max() for k in keys))
        self.assertGreater(len(keys), 10)
        for k in keys:
            self.near(b.series[k], a.series[k], TIGHT * size, k)
            self.assertEqual(b.marks[k], a.marks[k], k)
        self.assertEqual(a.result["mobility"]["rank"], b.result["mobility"]["rank"])

    def test_turned_world(self):
        rng = np.random.default_rng(7)
        for m in self.machines():
            self.same(self.ok(m), self.ok(moved(m, turn(rng.normal(size=3), rng.uniform(1, 3)), rng.normal(size=3))))

    def test_millimetres(self):
        for m in self.machines():
            m.pop("output", None)
            m.setdefault("gravity", [0, 0, 0])
            for d in m["drives"].values():
                if "angle" not in d["coordinate"]:
                    d["motion"] = f"({d['motion']})"                              # an expression is SI whatever the units
            self.same(self.ok(m), self.ok(in_mm(m)))


# ---------------------------------------------------------------- frames of all kinds of joints

FRAME_KINDS = ("revolute", "prismatic", "cylindrical", "spherical", "universal", "planar", "fixed", "parallel", "perpendicular", "inline", "inplane",
               "x", "y", "z", "constant-velocity", "screw", "link", "distance", "general")


def random_frame(rng):
    """bodies anywhere, joined by joints of any kind that fit there, until nothing moves"""
    n = int(rng.integers(2, 5))
    bodies = {"ground": {"markers": {}}}
    where = {"ground": (np.zeros(3), EYE)}
    turned = lambda: turn(rng.normal(size=3), rng.uniform(0, 3))
    for b in (f"b{i}" for i in range(n)):
        where[b] = (rng.normal(size=3), turned())
        I = matrix_of_points(rng)
        bodies[b] = {"mass": float(rng.uniform(1, 5)), "centroid": floats(.3 * rng.normal(size=3)), "inertia": space.tensor(I),
                     "pose": put(*where[b]), "markers": {}}
    m, names = model(bodies, {}, gravity=floats(5 * rng.normal(size=3))), list(where)
    m["joints"] = {}
    m["loads"] = {"f": force("b0", *rng.normal(size=3) * 30), "t": torque("b1", *rng.normal(size=3) * 30)}
    k = 0
    while True:
        i, j = (names.index(f"b{k}"), int(rng.integers(0, k + 1))) if k < n else rng.choice(n + 1, 2, replace=False)
        if rng.random() < .5:
            i, j = j, i
        kind = str(rng.choice(FRAME_KINDS))
        p, A = rng.normal(size=3), turned()
        spec = {"type": kind}
        q, B = p.copy(), turned()                                             # second marker: place, axes
        slide = lambda *axes: sum(rng.normal() * A[:, a] for a in axes)
        if kind in ("revolute", "cylindrical", "screw", "planar", "parallel"):
            B = A @ turn(Z, rng.uniform(-3, 3))
        if kind in ("prismatic", "fixed"):
            B = A
        if kind in ("universal", "perpendicular"):
            B = A @ turn(Z, rng.uniform(-3, 3)) @ turn(X, math.pi / 2) @ turn(Z, rng.uniform(-3, 3))
        if kind == "constant-velocity":
            B = A @ turn(np.r_[rng.normal(size=2), 0], rng.uniform(.1, 2))
        if kind in ("prismatic", "cylindrical", "screw", "inline"):
            q = q + slide(2)
        if kind in ("planar", "inplane", "z"):
            q = q + slide(0, 1)
        if kind in ("parallel", "perpendicular", "link", "distance"):
            q = rng.normal(size=3)
        if kind == "x":
            q = q + slide(1, 2)
        if kind == "y":
            q = q + slide(0, 2)
        if kind == "screw":
            spec["pitch"] = float(rng.uniform(-.3, .3))
        if kind == "general":
            turns = [(), ("rx", "ry"), ("ry", "rz"), ("rx", "rz"), ("rx", "ry", "rz")][rng.integers(5)]
            places = [c for c in "xyz" if rng.random() < .5] or ["y"]
            spec["locked"] = places + list(turns)
            q = q + slide(*[a for a in range(3) if "xyz"[a] not in places]) if len(places) < 3 else q
            if len(turns) == 3:
                B = A
            elif turns:
                free = next(a for a in range(3) if ("rx", "ry", "rz")[a] not in turns)
                B = A @ turn(EYE[free], rng.uniform(-3, 3))
        for b, c, place_, axes in ((names[i], "a", p, A), (names[j], "b", q, B)):
            r, R = where[b]
            m["bodies"][b]["markers"][f"{c}{k}"] = put(R.T @ (place_ - r), R.T @ axes)
        m["joints"][f"j{k}"] = {**spec, "between": [f"{names[i]}.a{k}", f"{names[j]}.b{k}"]}
        k += 1
        if k >= n and 3 * k >= 6 * n:
            oracle = Wrenches(m)
            s = np.linalg.svd(oracle.W, compute_uv=False)
            if len(s) >= 6 * n and s[6 * n - 1] > 3e-2 * s[0]:
                return m, oracle
        if k > 6 * n:
            return random_frame(rng)


def matrix_of_points(rng):
    """the tensor of some points: always that of a real body"""
    p = rng.normal(size=(6, 3)) * .3
    return sum((x @ x) * EYE - np.outer(x, x) for x in p)


class Frames(Space):
    """structures of two to four bodies at rest under weight, a force and a torque: joints of every kind, reactions of least norm, verdicts"""

    @cli.long
    def test_random_frames(self):
        seen, redundant = set(), 0
        jobs = [(random_frame(np.random.default_rng(seed)), ("joint", "ground")[seed % 2]) for seed in range(40 if cli.MORE else 12)]
        runs = POOL.map(lambda job: cli.run_model(job[0][0], "inverse", "--frame", job[1]), jobs)
        for seed, (((m, oracle), frame), done) in enumerate(zip(jobs, runs)):
            with self.subTest(seed=seed, frame=frame):
                self.assertEqual(done.code, 0, done.said())
                want = self.against(done, oracle, frame)
                redundant += want["redundant"] > 0
                seen |= {j["type"] for j in m["joints"].values()}
        self.assertEqual(seen, set(FRAME_KINDS))
        self.assertGreater(redundant, len(jobs) // 2)


class Reference(unittest.TestCase):
    """space.py and the closed forms against published numbers (runs without the program)"""

    def near(self, got, want, tol, what=""):
        self.assertLess(np.abs(np.asarray(got, float) - np.asarray(want, float)).max(), tol, what)

    def test_four_bar(self):
        m, state = four_bar()
        got = Wrenches(m, state(0.0)).answer("ground", length=1.0)
        for j, want in P1_TABLE.items():
            self.near([got["values"][f"{j}.{c}"] for c in COMPONENTS], want, 1e-9, j)
        self.near(got["values"]["motor.effort"], P1_MOTOR, 1e-10)
        self.assertEqual((got["rank"], got["redundant"]), (18, 3))

    def test_rssr(self):
        for spin in ("perpendicular", "universal"):
            m, state = rssr(spin)
            got = Wrenches(m, state()).answer("ground")["values"]
            for j, (F, T) in P3_TABLE.items():
                self.near([got[f"{j}.{c}"] for c in COMPONENTS], [*F, *T], 1e-9, j)
            self.near(got["motor.effort"], P3_MOTOR, 1e-10)
            r2 = place(m, state(), "arm.K")[0]
            self.near([r2.a, r2.b, r2.c], P3_R2, 1e-10)

    def test_tree(self):
        m, state = tree()
        got = Wrenches(m, state).answer("ground")["values"]
        for i in range(5):
            self.near([got[f"J{i + 1}.{c}"] for c in COMPONENTS], [*T1_F[i], *T1_T[i]], 1e-9)
            self.near(got[f"d{i + 1}.effort"], T1_TAU[i], 1e-10)
            self.near(state[f"link{i + 1}"][0].a, T1_POINTS[i], 1e-11)

    def test_arms(self):
        m, state = arm(iiwa_links(), *IIWA_CASES[1][:3])
        got = Wrenches(m, state).answer("ground")["values"]
        self.near([got[f"d{i + 1}.effort"] for i in range(7)], IIWA_CASES[1][3], 1e-10)
        tau = []
        for extra in (1, 2):
            m, state = arm(puma_links(extra), *PUMA_STATE)
            got = Wrenches(m, state).answer("ground")["values"]
            tau.append(np.array([got[f"d{i + 1}.effort"] for i in range(6)]))
        self.near(2 * tau[0] - tau[1], PUMA_RIGID, 1e-10)

    @cli.long
    def test_bricard(self):
        for angle in (.3, 1.4, 2.9):
            m, state = bricard()
            s = state(Jet(angle, .7, -.4))
            for r in space.closure(m, s, "J6"):
                self.near([r.a, r.b, r.c], 0, 1e-14, "the closed form closes the loop")
            got = Wrenches({**m, "drives": {"motor": drive("J1.angle", "t")}}, s).answer()
            self.assertEqual((got["rank"], got["redundant"]), (30, 1))
        for t, both in BRICARD_FREE.items():
            for solid, P3 in enumerate(both):
                m, state = bricard(bool(solid))
                a = bricard_angle(m, state, P3)
                self.near(place(m, state(Jet(a)), "rod2.P3")[0].a, P3, 1e-8, "P3")

    def test_slider_crank(self):
        m, state = slider_crank("t")
        for th in (Jet(.3, 2.0, -5.0), Jet(2.9, -3.0, 4.0)):
            self.near(Wrenches(m, state(th)).answer()["values"]["motor.effort"], slider_crank_torque(m, state, th), 1e-12)
        for _, *th, x, v in CRANK_TABLE:
            s = state(Jet(*th))
            self.near([s["slider"][0].a[0], s["slider"][0].b[0]], [x, v], 1e-7)
            self.near(slider_crank_torque(m, state, Jet(*th)), 0.0, 1e-12)
        self.near(space.twist(state(Jet(0.0, 6.0))["rod"])[0], [1.92, -.96, .48], 1e-12)

    def test_governor(self):
        psi, s, a = (.4, 5, 3), (.55, .3, -2), (.45, -.6, 4)
        got = Wrenches(*governor(psi, s, a)).answer()["values"]
        self.near([got["spin.effort"], got["lift.effort"], got["swing1.effort"] + got["swing2.effort"]], governor_lagrange(psi, s, a)[:3], 1e-8)
        for t, s, a, psi, psi1, s1, a1 in GOVERNOR_TABLE:
            self.near(governor_lagrange((psi, psi1, 0), (s, s1, 0), (a, a1, 0))[3], 53.868998658418434, 1e-5)

    def test_table(self):
        got = Wrenches(table()).answer()
        self.near([got["values"][f"L{k}.Fz"] for k in range(1, 5)], [325 / 3, 175 / 3, 275 / 3, 425 / 3], 1e-10)
        self.assertEqual({k: v for k, v in got["marks"].items() if v != "free"}, Table.VERDICTS)

    def test_solvability(self):
        loops = [flat_loop(k) for k in ("RRRR", "RRSC", "RRSR", "RSRP")] + [doors(k) for k in "RSP"] + [vehicle(), Parallelogram.model()]
        want = [(20, 17), (17, 17), (18, 17), (15, 15), (10, 5), (8, 5), (7, 5), (33, 30), (20, 17)]
        got = [Wrenches(m).answer("ground") for m in loops]
        self.assertEqual([(g["rows"], g["rank"]) for g in got], want)
        unique = lambda g, j: [c for c in COMPONENTS if g["marks"][f"{j}.{c}"] == "unique"]
        for k, j, want in ((0, "A", "Fx Fy"), (2, "C", "Fx Fy"), (4, "lower", ""), (6, "lower", "Fz"), (7, "ax2", "Fx Tz"), (7, "W3", "Fx Ty"),
                           (8, "B", "Fx Fy")):
            self.assertEqual(unique(got[k], j), want.split())

    def test_door(self):
        for top, Fx, up, down in ((Door.STIFF, 65.39818338379492, 98.1, 98.1),
                                  ({**Door.STIFF, "z": 1e-5}, 65.3981833837949, .19600399600393814, 196.0039960039961)):
            got = Wrenches(Door().model()).answer("ground", compliance={"top": top, "bottom": Door.STIFF})["values"]
            self.near([got["top.Fx"], got["top.Fz"], got["bottom.Fx"], got["bottom.Fz"]], [-Fx, up, Fx, down], 1e-9)

    def test_platform(self):
        for pose in (PLATE_STILL, PLATE_MOVING):
            m, state = stewart(pose)
            got, f = Wrenches(m, state).answer(), stewart_forces(pose)[0]
            self.near([got["values"][f"ram{k + 1}.effort"] for k in range(6)], f, 1e-9)
            self.assertEqual((got["rows"], got["rank"]), (78, 78))

    def test_differential(self):
        """power of motors and load = rate of the kinetic energy"""
        d = Differential
        cage, left, c2, l2 = 3.7, 4.1, 4, -2
        right, r2, s1, s2 = 2 * cage - left, 2 * c2 - l2, 2 * (left - cage), 2 * (l2 - c2)
        ftr = (d.IR * r2 + 7) / d.R
        ftl = d.IP * s2 / d.r - ftr
        motor = (d.IC + d.IT + d.M * d.D**2) * c2 + 2 * (d.IR * r2 + 7) - d.R / d.r * d.IP * s2
        rate = (d.IC + d.IT + d.M * d.D**2) * cage * c2 + d.IL * left * l2 + d.IR * right * r2 + d.IP * s1 * s2
        self.near(motor * cage + (d.IL * l2 + d.R * ftl) * left - 7 * right, rate, 1e-12)

    def test_shafts(self):
        case = Cardan()
        for kind in ("universal", "constant-velocity"):
            m, state, u2 = case.model(kind)
            a = Jet(2.2, 7.0, -3.0)
            s = state(a)
            got = Wrenches(m, s).answer("ground")["values"]
            for r in space.closure(m, s, "U") + space.closure(m, s, "E") + space.closure(m, s, "A"):
                self.near([r.a, r.b, r.c], 0, 1e-12)
            b = case.follow(a) if kind == "universal" else a
            self.near(got["motor.effort"], case.J1 * a.c + (case.J2 * b.c + case.LOAD) * b.b / a.b, 1e-9)
            self.near(space.twist(s["out"])[0], b.b * u2, 1e-12)

    def test_disk(self):
        for _, C, n, v, w, force_ in DISK_TRANSIENT:
            self.near(disk_free(*map(np.array, (n, v, w)))[2], force_, 1e-7)
        for lean, turn_, spin, inward in DISK_STEADY:
            s, c, R = math.sin(lean), math.cos(lean), DISK["R"]
            n, e2 = np.array([0, -c, -s]), np.array([0, -s, c])
            w = np.array([0, 0, turn_]) + spin * n
            self.near(disk_free(n, R * np.cross(w, e2), w)[2], [0, -inward, DISK["m"] * G], 1e-9)


if __name__ == "__main__":
    cli.main()
