#!/usr/bin/python3
"""Coordinates by the user's names. A name for a coordinate as it stands changes nothing, bit for bit. A name for an expression of coordinates, driven, moves as asked by printed poses alone, and the efforts
are those of the principle of virtual powers, written down here:

    sum over bodies of (m (a - g) . v* + (I alpha + w x I w) . w*) = sum of effort_k c_k'*

for the velocities v*, w* of other motions through the same place. Beside a name, whatever takes an expression gives what it gives with the expression written out."""
import json
import math
import os
import re
import sys
import unittest

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "py"))
import cli              # noqa: E402
import mechanisms       # noqa: E402
import redundant_oracles as oracles             # noqa: E402

ROUNDS = int(os.environ.get("ROBERVAL_ROUNDS", "3"))
G = 9.81


def turned(axis, angle):
    k = np.asarray(axis) / np.linalg.norm(axis)
    K = np.array([[0, -k[2], k[1]], [k[2], 0, -k[0]], [-k[1], k[0], 0]])
    return np.eye(3) + math.sin(angle) * K + (1 - math.cos(angle)) * K @ K


def of_quaternion(q):
    w, x, y, z = q
    return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)], [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                     [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])


class Machine:
    """A chain of bodies, every joint driven: sliding ones by a distance, turning ones by an angle. Poses at t = 0 fit."""

    def __init__(self, rng, spatial):
        self.rng, self.spatial, self.n = rng, spatial, 3 if spatial else 2
        self.bodies, self.joints, self.points = {}, {}, {}
        r, A, last, n = np.zeros(3), np.eye(3), "ground", int(rng.integers(2, 4))
        self.bodies["ground"] = {"markers": {"P": self.point()}}
        self.points["ground.P"] = ("ground", np.array(self.pad(self.bodies["ground"]["markers"]["P"])))
        self.start = []
        for k in range(n):
            name, hinge = f"b{k}", f"J{k}"
            seat, axis = self.point(), (rng.normal(size=3) if spatial else np.array([0, 0, 1.0]))
            axis /= np.linalg.norm(axis)
            slides = k == 1 and rng.random() < .4
            value = float(rng.uniform(.2, .6)) if slides else float(rng.uniform(-1, 1))
            marker = {"at": seat, "axis": axis.tolist()} if spatial else {"at": seat}
            self.bodies[last]["markers"]["S" + name] = marker
            own = {"at": [0] * self.n, "axis": axis.tolist()} if spatial else {"at": [0, 0]}
            along = axis if spatial else np.array([1.0, 0, 0])
            r = r + A @ np.array(self.pad(seat)) + (A @ along * value if slides else 0)
            A = A if slides else A @ turned(axis, value)
            P = self.point()
            pose = {"at": r[:self.n].tolist()}
            if spatial:
                pose["rotate"] = {"quaternion": self.quaternion(A)}
            else:
                pose["angle"] = math.atan2(A[1, 0], A[0, 0])
            self.bodies[name] = {"mass": float(rng.uniform(.5, 3)), "markers": {"P": P, "O": own}, "pose": pose,
                                 "inertia": (np.array([1, 1.2, 1.1]) * rng.uniform(.05, .3)).tolist() if spatial else float(rng.uniform(.05, .3))}
            self.points[name + ".P"] = (name, np.array(self.pad(P)))
            self.joints[hinge] = {"type": "prismatic" if slides else "revolute", "between": [f"{last}.S{name}", f"{name}.O"]}
            self.start.append((f"{hinge}.distance" if slides else f"{hinge}.angle", value))
            last = name
        self.names = [b for b in self.bodies if b != "ground"]

    @staticmethod
    def quaternion(R):
        w = math.sqrt(max(0, 1 + np.trace(R))) / 2
        return [w, *(np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]]) / (4 * w))]

    def point(self):
        return self.rng.uniform(-.6, .6, self.n).tolist()

    @staticmethod
    def pad(p):
        return list(p) + [0] * (3 - len(p))

    def model(self, drives, **more):
        """drives: name -> (coordinate, motion)"""
        return json.loads(json.dumps({"roberval": 1, "space": "spatial" if self.spatial else "planar", "gravity": [0, -G, 0][:self.n], "bodies": self.bodies, "joints": self.joints,
                                      "drives": {d: {"coordinate": c, "motion": m} for d, (c, m) in drives.items()}, "motion": {"from": 0, "to": .02, "step": .001}, **more}))

    # ---- what was printed

    def place(self, done, body, k):
        if body == "ground":
            return np.zeros(3), np.eye(3), 0.0
        s = done.series
        r = np.array([s[f"{body}.{c}"][k] if f"{body}.{c}" in s else 0.0 for c in "xyz"])
        if self.spatial:
            return r, of_quaternion([s[f"{body}.q{c}"][k] for c in "wxyz"]), math.nan
        a = s[body + ".angle"][k]
        return r, turned([0, 0, 1], a), a

    def at(self, done, point, k):
        body, p = self.points[point]
        r, A, _ = self.place(done, body, k)
        return r + A @ p

    def rates(self, done, k):
        """v, w of all bodies, one after the other; their a, alpha; columns of kinematics."""
        def of(word, turn):
            out = []
            for b in self.names:
                out += [done.series[f"{b}.{word}{c}"][k] if f"{b}.{word}{c}" in done.series else 0.0 for c in "xyz"]
                out += [done.series[f"{b}.{turn}{c}"][k] for c in "xyz"] if self.spatial else [0, 0, done.series[f"{b}.{turn}"][k]]
            return np.array(out)
        return of("v", "omega"), of("a", "alpha")

    def wrenches(self, done, k):
        """m (a - g), I alpha + w x I w of all bodies: what acts on them beside weight."""
        v, a = self.rates(done, k)
        out = np.zeros_like(v)
        for n, b in enumerate(self.names):
            m, I = self.bodies[b]["mass"], self.bodies[b]["inertia"]
            _, A, _ = self.place(done, b, k)
            J = A @ np.diag(I) @ A.T if self.spatial else np.diag([0, 0, I])
            w = v[6 * n + 3:6 * n + 6]
            out[6 * n:6 * n + 3] = m * (a[6 * n:6 * n + 3] + np.array([0, G, 0]))
            out[6 * n + 3:6 * n + 6] = J @ a[6 * n + 3:6 * n + 6] + np.cross(w, J @ w)
        return out

    # ---- an expression of coordinates, and the same from printed poses

    def expression(self):
        rng, points = self.rng, list(self.points)
        terms, values = [], []

        def pick():
            return str(rng.choice(points[1:]))

        def number():
            return float(np.round(rng.uniform(.3, 1.5) * rng.choice([-1, 1]), 3))

        def length():
            p, q = pick(), "ground.P"
            c = str(rng.choice(["x", "y", "z"][:self.n]))
            if rng.random() < .5:
                return f"distance({q}, {p})", lambda d, k: float(np.linalg.norm(self.at(d, p, k) - self.at(d, q, k)))
            return f"{c}({p})", lambda d, k: self.at(d, p, k)["xyz".index(c)]

        def pure():
            if not self.spatial:
                b = str(rng.choice(self.names))
                return f"angle({b})", lambda d, k: self.place(d, b, k)[2]
            b, i, j = str(rng.choice(self.names)), int(rng.integers(3)), int(rng.integers(3))
            return f"dot(ground.{'xyz'[i]}, {b}.{'xyz'[j]})", lambda d, k: self.place(d, b, k)[1][i, j]

        for kind in rng.choice(["plain", "turn", "product", "square"], int(rng.integers(2, 4)), replace=False):
            a, (x, fx), (p, fp) = number(), length(), pure()
            if kind == "plain":
                terms.append(f"({a}*{x})"), values.append(lambda d, k, a=a, f=fx: a * f(d, k))
            elif kind == "turn":
                terms.append(f"({a}[m]*{p})"), values.append(lambda d, k, a=a, f=fp: a * f(d, k))
            elif kind == "product":
                terms.append(f"({a}*{x}*sin({p}))"), values.append(lambda d, k, a=a, f=fx, g=fp: a * f(d, k) * math.sin(g(d, k)))
            else:
                terms.append(f"({a}*{x}^2/0.5[m])"), values.append(lambda d, k, a=a, f=fx: a * f(d, k) ** 2 / .5)
        return " + ".join(terms), lambda d, k: sum(f(d, k) for f in values)


def draw(seed, spatial):
    """A machine, and an expression to be driven in place of its last joint's coordinate."""
    for trial in range(50):
        m = Machine(np.random.default_rng([seed, trial, spatial]), spatial)
        text, value = m.expression()
        plain = {f"d{k}": (c, f"{x!r} + ({m.rng.uniform(-1, 1)!r})*t + ({m.rng.uniform(-3, 3)!r})*t^2") for k, (c, x) in enumerate(m.start)}
        done = cli.run_model(m.model(plain, output={"g": text}), "kinematics")
        if done.code != 0:
            raise AssertionError(done.said() + json.dumps(m.model(plain, output={"g": text})))
        # how g depends on the last joint: by driving it alone
        alone = {d: (c, repr(x) if c != m.start[-1][0] else f"{x!r} + t") for d, (c, x) in zip(plain, m.start)}
        slope = cli.run_model(m.model(alone, output={"g": text}), "kinematics").series["g"]
        if abs(slope[1] - slope[0]) > 2e-4:
            g0 = value(done, 0)
            last = list(plain)[-1]
            return m, text, value, {**plain, last: ("g", f"{g0!r} + ({m.rng.uniform(-1, 1)!r})*t + ({m.rng.uniform(-2, 2)!r})*t^2")}
    raise AssertionError(f"no machine for seed {seed}")


def same(case, a, b, names=None):
    """Two runs of the same columns: bit for bit."""
    case.assertEqual(a.columns, b.columns)
    for c in a.series:
        case.assertTrue(np.array_equal(a.series[c], b.series[c], equal_nan=True), c)
        case.assertEqual(a.marks[c], b.marks[c])


class Aliases(cli.Case):
    """A name for a coordinate as it stands."""

    def alias(self, model):
        """The model with its drives' coordinates called by names; those names."""
        named = json.loads(json.dumps(model))
        named["coordinates"] = {f"c_{d}": drive["coordinate"] for d, drive in model["drives"].items()}
        for d, drive in named["drives"].items():
            drive["coordinate"] = f" c_{d}"
        return named

    @cli.long
    def test_planar_machines_are_the_same_to_the_last_bit(self):
        for kind in (mechanisms.four_bar, mechanisms.slider_crank, mechanisms.sleeve, mechanisms.tree, mechanisms.linked):
            model, _, _ = mechanisms.draw(kind, 5)
            named = self.alias(model)
            for command in ("inverse", "kinematics", "statics"):
                a, b = self.ok(model, command), self.ok(named, command)
                same(self, a, b)
                for key in ("mobility", "reactions", "drives", "audit", "self_stress", "groups"):
                    self.assertEqual(a.result.get(key), b.result.get(key), key)

    def test_what_check_says_is_the_same(self):
        for model in (oracles.door(), oracles.cranks((0., .6, 1.5)), oracles.scissor(mast=True), oracles.planetary(3)):
            if "drives" not in model:
                joint = next(j for j, x in model["joints"].items() if x["type"] == "revolute")
                at = self.ok(model, "assemble").result["state"]["coordinates"][f"{joint}.angle"]
                model = {**model, "drives": {"hand": {"coordinate": f"{joint}.angle", "motion": at}}}
            a, b = (cli.run_model(m, "check", "--json", out=False) for m in (model, self.alias(model)))
            self.assertEqual((a.code, b.code), (0, 0), a.said() + b.said())
            a, b = a.json(), b.json()
            for key in set(a) - {"model"}:
                self.assertEqual(json.dumps(a[key]), json.dumps(b[key]), key)

    def test_spatial_machines_are_the_same_to_the_last_bit(self):
        for seed in range(ROUNDS):
            m = Machine(np.random.default_rng([17, seed]), True)
            model = m.model({f"d{k}": (c, f"{x!r} + 3*t") for k, (c, x) in enumerate(m.start)})
            for command in ("inverse", "kinematics"):
                same(self, self.ok(model, command), self.ok(self.alias(model), command))

    def test_everywhere_a_coordinate_may_stand(self):
        m = Machine(np.random.default_rng(3), False)
        names = {"c": m.start[0][0], "far": f"distance(ground.P, {m.names[-1]}.P)"}
        motion = {f"d{k}": (c, f"{x!r} + t") for k, (c, x) in enumerate(m.start)}
        last = motion.popitem()

        def written(far, c):
            return m.model(motion, constraints={last[0]: {"velocity": f"{far}' - 0.2*{c}"}}, loads={"well": {"type": "energy", "value": f"3*{far}^2 + {c}"}},
                           output={"o": f"{far}*{c}' + {far}''"}, initial={far: 0.9})
        for command in ("inverse", "kinematics", "assemble"):
            a, b = self.ok(written(names["far"], names["c"]), command), self.ok({**written("far", "c"), "coordinates": names}, command)
            same(self, a, b)


class Expressions(cli.Case):
    def motions(self, spatial):
        for seed in range(ROUNDS):
            yield draw(seed, spatial)

    def run_both(self, m, drives, text, **more):
        model = m.model(drives, coordinates={"g": text}, output={"o": "g", "o1": "g'", "o2": "g''"}, **more)
        return model, self.ok(model, "kinematics"), self.ok(model, "inverse")

    def law_of_motion(self, spatial):
        for m, text, value, drives in self.motions(spatial):
            model, kin, inv = self.run_both(m, drives, text)
            last = list(drives)[-1]
            g = np.array([value(kin, k) for k in range(len(kin.time))])
            c = [float(x) for x in re.match(r"(\S+) \+ \((\S+)\)\*t \+ \((\S+)\)\*t\^2", drives[last][1]).groups()]
            t = kin.time
            self.near(g, c[0] + c[1] * t + c[2] * t * t, 1e-10, "g by the poses, " + text)
            self.near(kin.series["o"], g, 1e-12, "g")
            self.near(kin.series["o1"], c[1] + 2 * c[2] * t, 1e-10, "g'")
            self.near(kin.series["o2"], np.full_like(t, 2 * c[2]), 1e-8, "g''")
            self.assertIn(inv.units[last + ".effort"], ("N", None), text) # a bare factor leaves the dimension open
            self.assertTrue(inv.units[last + ".effort"] == "N" or "[m]*" not in text, text)

    def test_planar_motion(self):
        self.law_of_motion(False)

    def test_spatial_motion(self):
        self.law_of_motion(True)

    def law_of_powers(self, spatial):
        for m, text, value, drives in self.motions(spatial):
            _, kin, inv = self.run_both(m, drives, text)
            W = m.wrenches(kin, 0)
            powers, rates = [], []
            for k in range(len(drives)):
                # another motion through the same place
                start = {d: (c, f"{mo.split(' + ')[0]} + ({m.rng.uniform(-1, 1)!r})*t") for d, (c, mo) in drives.items()}
                other = self.ok(m.model(start, coordinates={"g": text}), "kinematics")
                powers.append(W @ m.rates(other, 0)[0])
                rates.append([float(re.search(r"\((\S+)\)\*t", mo)[1]) for _, mo in start.values()])
            effort = np.linalg.solve(np.array(rates), powers)
            size = np.abs(effort).max() * np.linalg.cond(np.array(rates))
            self.near([inv.series[d + ".effort"][0] for d in drives], effort, 1e-9 * (1 + size), text)

    def test_efforts_of_the_plane_obey_virtual_powers(self):
        self.law_of_powers(False)

    def test_efforts_of_space_obey_virtual_powers(self):
        self.law_of_powers(True)

    @cli.long
    def test_a_drive_is_the_constraint_that_holds_the_same(self):
        for spatial in (False, True):
            for m, text, value, drives in self.motions(spatial):
                _, kin, inv = self.run_both(m, drives, text)
                last = list(drives)[-1]
                held = {d: x for d, x in drives.items() if d != last}
                for written in (f"g - ({drives[last][1]})", f"{text} - ({drives[last][1]})"):
                    other = m.model(held, coordinates={"g": text}, constraints={last: {"equation": written}})
                    done, moved = self.ok(other, "inverse"), self.ok(other, "kinematics")
                    for c in inv.series:
                        if c in done.series:
                            self.near(done.series[c], inv.series[c], 1e-9 * (1 + np.abs(inv.series[c]).max()), c)
                            self.assertEqual(done.marks[c], inv.marks[c])
                    for c in moved.series:
                        self.near(moved.series[c], kin.series[c], 1e-9 * (1 + np.abs(kin.series[c]).max()), c)
                    self.assertIn(last + ".effort", done.series)

    def test_motion_from_forces_is_driven_by_it(self):
        for spatial in (False, True):
            m, text, value, drives = draw(3, spatial)
            last = list(drives)[-1]
            free = m.start[0]
            held = {d: x for d, x in list(drives.items())[1:-1]}
            more = {"coordinates": {"g": text, "first": free[0]}, "initial": {"first": free[1], "first'": .3}}
            a = self.ok(m.model({**held, last: drives[last]}, **more), "simulate")
            b = self.ok(m.model(held, constraints={last: {"equation": f"{text} - ({drives[last][1]})"}}, **more), "simulate")
            for c in a.series:
                if c in b.series:
                    self.near(a.series[c], b.series[c], 1e-9 * (1 + np.abs(b.series[c]).max()), c)
            self.assertIn(last + ".effort", b.series)
            self.near(a.series["energy.error"], np.zeros(len(a.time)), 1e-6 * (1 + np.abs(a.series["energy"]).max()), "energy")

    @cli.long
    def test_wherever_an_expression_stands(self):
        """Loads, rates, second rates, equations, statics: as with the expression written out, its rates from the chain rule by a difference."""
        for spatial in (False, True):
            for m, text, value, drives in self.motions(spatial):
                plain = {d: (c, f"{x!r} + {m.rng.uniform(-1, 1)!r}*t") for d, (c, x) in zip(drives, m.start)}
                joint = next(j for j, x in m.joints.items() if x["type"] == "revolute")
                more = {"coordinates": {"h": text, "g": "0.5*h + h^2/1[m]"}}

                def loads(g):
                    return {"well": {"type": "energy", "value": f"0.5*({g})^2 + sin({g}/1[m])"}, "coil": {"type": "torsion-spring", "joint": joint, "torque": f"2*({g})"}}
                written = f"(0.5*({text}) + ({text})^2/1[m])"
                for command in ("inverse", "statics"):
                    a = self.ok(m.model(plain, loads=loads("g"), output={"o": "g"}, **more), command)
                    b = self.ok(m.model(plain, loads=loads(written), output={"o": written}), command)
                    self.assertEqual(a.columns, b.columns)
                    for c in a.series:
                        self.near(a.series[c], b.series[c], 1e-10 * (1 + np.abs(b.series[c]).max()), c)
                done = self.ok(m.model(plain, output={"o": "g", "o1": "g'", "o2": "g''", "h1": "h'"}, **more), "kinematics")
                o, step = done.series["o"], .001
                first = (o[:-4] - 8 * o[1:-3] + 8 * o[3:-1] - o[4:]) / (12 * step)
                second = (-o[:-4] + 16 * o[1:-3] - 30 * o[2:-2] + 16 * o[3:-1] - o[4:]) / (12 * step * step)
                self.near(done.series["o1"][2:-2], first, 1e-7 * (1 + np.abs(first).max()), "g'")
                self.near(done.series["o2"][2:-2], second, 1e-5 * (1 + np.abs(second).max()), "g''")

    def test_rates_in_velocity_constraints_are_prescribed_rates(self):
        for spatial in (False, True):
            for m, text, value, drives in self.motions(spatial):
                _, kin, inv = self.run_both(m, drives, text)
                last = list(drives)[-1]
                held = {d: x for d, x in drives.items() if d != last}
                rate = re.search(r"\((\S+)\)\*t \+ \((\S+)\)\*t\^2", drives[last][1])
                other = m.model(held, coordinates={"g": text}, constraints={last: {"velocity": f"g' - ({rate[1]} + 2*({rate[2]})*t)"}}, initial={"g": drives[last][1].split(" + ")[0]})
                done = self.ok(other, "inverse")
                for c in inv.series:
                    if c in done.series:
                        self.near(done.series[c], inv.series[c], 1e-7 * (1 + np.abs(inv.series[c]).max()), c)

    def test_initial_conditions_of_value_and_rate(self):
        for spatial in (False, True):
            for m, text, value, drives in self.motions(spatial):
                last = list(drives)[-1]
                held = {d: x for d, x in drives.items() if d != last}
                g0 = float(drives[last][1].split(" + ")[0])
                model = m.model(held, coordinates={"g": text}, initial={"g": g0 + .01, "g'": "0.3 m/s"})
                done = self.ok(model, "assemble")
                self.near(value(done, 0), g0 + .01, 1e-10, text)
                state = done.result["state"]
                self.near([state["coordinates"]["g"], state["rates"]["g'"]], [g0 + .01, .3], 1e-10, text)
                left = self.ok(m.model(held, coordinates={"g": text}), "assemble")
                self.assertEqual(left.result["state"]["completed"], ["g", "g'"])

    def test_statics_holds_it_by_every_method(self):
        for spatial in (False, True):
            m, text, value, drives = draw(1, spatial)
            drives = {d: (c, x.split(" + ")[0]) for d, (c, x) in drives.items()}
            done = self.ok(m.model(drives, coordinates={"g": text}), "inverse")
            for method in ("energy", "lagrange", "augmented", "virtual-power", "relaxation"):
                rest = self.ok(m.model(drives, coordinates={"g": text}), "statics", "--method", method)
                for d in drives:
                    self.near(rest.series[d + ".effort"][:1], done.series[d + ".effort"][:1], 1e-5 * (1 + np.abs(done.series[d + ".effort"][0])), f"{d} by {method}, {text}")

    def test_follow_goes_along_it(self):
        m, text, value, drives = draw(2, False)
        last = list(drives)[-1]
        held = {d: (c, x.split(" + ")[0]) for d, (c, x) in drives.items()}
        g0 = float(held[last][1])
        model = m.model({**held, last: ("g", "p")}, coordinates={"g": text}, parameters={"p": g0}, output={"o": "g"})
        done = self.ok(model, "statics", f"--follow=p={g0}..{g0 + .02}")
        self.near(done.series["o"], done.series["p"], 1e-9, "g along p")
        alone = self.ok(model, "statics", "--set", f"p={done.series['p'][-1]!r}")
        self.near(done.series[last + ".effort"][-1:], alone.series[last + ".effort"], 1e-6 * (1 + abs(alone.series[last + ".effort"][0])), "effort at the end")

    def test_check_judges_it(self):
        for spatial in (False, True):
            m, text, value, drives = draw(4, spatial)
            last = list(drives)[-1]
            _, doc = cli.check(m.model(drives, coordinates={"g": text}))
            self.assertEqual(doc["drives"][last]["verdict"], "unique")
            self.assertEqual((doc["mobility"]["degrees_of_freedom"], doc["mobility"]["redundant"]), (0, 0))
            # beside the joint's own drive it is one too many
            twice = m.model({**drives, "own": (m.start[-1][0], repr(m.start[-1][1]))}, coordinates={"g": text})
            _, doc = cli.check(twice)
            self.assertEqual((doc["mobility"]["redundant"], doc["drives"][last]["verdict"], doc["drives"]["own"]["verdict"]), (1, "not unique", "not unique"))


BASE = """roberval: 1
space: planar
units: {length: mm, angle: deg}
parameters: {n: 2 m, k: 3 N}
bodies: {rod: {mass: 1, inertia: 1, markers: {P: [1000, 0]}}}
joints: {pin: {type: revolute, between: [ground, rod]}}
"""


class Units(cli.Case):
    def unit(self, expression, motion="t"):
        done = self.ok({"roberval": 1, "space": "planar", "bodies": {"rod": {"mass": 1, "inertia": 1, "markers": {"P": [1, 0]}}}, "joints": {"pin": {"type": "revolute", "between": ["ground", "rod"]}},
                        "coordinates": {"g": expression}, "drives": {"d": {"coordinate": "g", "motion": motion}}, "motion": {"from": 0.1, "to": 0.2, "step": .1},
                        "output": {"o": "g", "r": "g'", "p": "d.effort*g'"}})
        return [done.units[c] or "" for c in ("d.effort", "o", "r")]

    def test_efforts_times_rates_are_powers(self):
        self.assertEqual(self.unit("pin.angle"), ["N.m", "rad", "rad/s"])
        self.assertEqual(self.unit("2*pin.angle"), ["", "", ""]) # a bare factor may mean a radius
        self.assertEqual(self.unit("pin.angle + 2*pin.angle"), ["N.m", "rad", "rad/s"])
        self.assertEqual(self.unit("0.3[m]*pin.angle"), ["N", "m", "m/s"])
        self.assertEqual(self.unit("y(rod.P)"), ["N", "m", "m/s"])
        self.assertEqual(self.unit("2*y(rod.P) + y(rod.P)"), ["N", "m", "m/s"])
        self.assertEqual(self.unit("y(rod.P)*x(rod.P)"), ["N/m", "m^2", "m^2/s"])
        self.assertEqual(self.unit("y(rod.P)/2[m]")[0], "N.m")

    def test_bare_numbers_are_in_units_of_the_file(self):
        for name, value, want in (("g", "250", .25), ("g", "250 mm", .25), ("g", "0.1[m] + 150[mm]", .25), ("turn", "30", math.pi / 6), ("turn", "0.5 rad", .5)):
            text = BASE + f"coordinates: {{g: 'y(rod.P) + y(rod.P)*0', turn: pin.angle + 0*pin.angle}}\ndrives: {{d: {{coordinate: {name}, motion: '{value}'}}}}\noutput: {{o: {name}}}\nmotion: {{from: 0, to: 1, step: 1}}\n"
            self.near(self.ok(text, "kinematics").series["o"][0], want, 1e-12, value)


class Refused(cli.Case):
    CASES = [
        ("coordinates: {t: x(rod)}", "'t' has a meaning in expressions; a coordinate needs another name"),
        ("coordinates: {sin: x(rod)}", "'sin' has a meaning in expressions; a coordinate needs another name"),
        ("coordinates: {and: x(rod)}", "'and' has a meaning in expressions; a coordinate needs another name"),
        ("coordinates: {or: x(rod)}", "'or' has a meaning in expressions; a coordinate needs another name"),
        ("coordinates: {not: x(rod)}", "'not' has a meaning in expressions; a coordinate needs another name"),
        ("coordinates: {here: x(rod)}", "'here' has a meaning in expressions; a coordinate needs another name"),
        ("coordinates: {distance: x(rod)}", "'distance' has a meaning in expressions; a coordinate needs another name"),
        ("coordinates: {n: x(rod)}", "the name 'n' is taken by a parameter or table; a coordinate needs another"),
        ("coordinates: {2a: x(rod)}", "'2a' is not a name; a name is letters, digits and '_', starting with a letter"),
        ("coordinates: {a: x(rod) + a}", "the coordinate 'a' is made of itself"),
        ("coordinates: {a: x(rod) + b, b: 2*a}", "the coordinate 'b' stands further down; a coordinate is made of those above it, so that none goes in a circle"),
        ("coordinates: {a: 2*n + pi}", "coordinate 'a' holds no coordinate: it is a constant, and belongs under parameters:"),
        ("coordinates: {a: 12}", "coordinate 'a' holds no coordinate: it is a constant, and belongs under parameters:"),
        ("coordinates: {a: \"x(rod)'\"}", "a coordinate is made of positions alone; its own rate is its name with ' where it is used"),
        ("coordinates: {a: \"2*pin.angle'\"}", "a coordinate is made of positions alone; its own rate is its name with ' where it is used"),
        ("coordinates: {a: x(rod) - t}", "t cannot stand here: a coordinate depends on where the bodies are alone; time belongs into motion: or equation:"),
        ("coordinates: {a: x(rod) + k}", "a force [N] is added to a length [m]"),
        ("coordinates: {a: pin.angel}", "joint 'pin' (revolute) has no coordinate 'angel'"),
        ("coordinates: {a: rood.angle}", "there is no joint 'rood'"),
        ("coordinates: {a: [1, 2]}", "'a' must be a number, NUMBER UNIT or an expression, not a list"),
        ("coordinates: {a: x(rod), a: y(rod)}", "key \"a\" stands twice in this map"),
        ("coordinates: [x(rod)]", "coordinates"),
        ("coordinates: {stroke: x(rod)}\ndrives: {d: {coordinate: stroek, motion: t}}", "unknown name 'stroek'; did you mean 'stroke'?"),
        ("coordinates: {g: x(rod) + y(rod)}\ndrives: {d: {coordinate: g, motion: 3 N}}", "'motion' is of dimension length (m), but 'N' is a unit of force"),
        ("coordinates: {g: x(rod) + y(rod)}\ndrives: {d: {coordinate: g, motion: '2[rad]*t/1[s]'}}", "'motion' is a length [m], but"),
        ("coordinates: {g: x(rod)*y(rod)^2}\ndrives: {d: {coordinate: g, motion: '2[m] + 1[m]*sin(t)'}}", "'motion' is a volume [m^3], but '2[m] + 1[m]*sin(t)' is a length [m]"),
        ("coordinates: {g: x(rod)*y(rod)^3}\ndrives: {d: {coordinate: g, motion: '2[m] + 1[m]'}}", "'g' is a quantity in m^4, but this is a length [m]"),
        ("coordinates: {g: x(rod)*y(rod)^3}\ndrives: {d: {coordinate: g, motion: 2 m}}", "'g' is a quantity in m^4, but this is a length [m]"),
        ("coordinates: {g: x(rod)*y(rod)^3}\ninitial: {g: 2 m}", "'g' is a quantity in m^4, but this is a length [m]"),
        ("coordinates: {g: x(rod) + y(rod)}\ninitial: {g: 2 deg}", "'g' is of dimension length (m), but 'deg' is a unit of angle"),
        ("coordinates: {g: x(rod) + y(rod)}\ninitial: {\"g'\": 2 mm}", "\"g'\"".replace('"', "'") + " is of dimension velocity (m/s), but 'mm' is a unit of length"),
        ("coordinates: {g: x(rod) + y(rod)}\ndrives: {d: {coordinate: \"g'\", motion: t}}", "a drive prescribes a coordinate, not a rate; integrate the motion and drive the coordinate"),
        ("coordinates: {g: x(rod) + y(rod)}\ndrives: {d: {coordinate: g + 1, motion: t}}", "'g + 1' is no coordinate; a coordinate is"),
        ("drives: {d: {coordinate: abs(pin.angle), motion: t}}", "'abs(pin.angle)' is no coordinate; a coordinate is"),
        ("coordinates: {g: x(rod) + y(rod)}\ndrives: {d: {coordinate: g, motion: t}, e: {coordinate: g, motion: t}}", "the system is over-driven: drives 'd' and 'e' move the same coordinate g; take one of them away"),
        ("coordinates: {g: pin.angle}\ndrives: {d: {coordinate: g, motion: t}, e: {coordinate: pin.angle, motion: t}}", "the system is over-driven: drives 'd' and 'e' move the same coordinate pin.angle; take one of them away"),
        ("coordinates: {g: x(rod) + y(rod)}\nconstraints: {c: {equation: \"g'\"}}", "a rate cannot stand here; a constraint on rates is a velocity: constraint"),
        ("coordinates: {g: x(rod) + y(rod)}\nconstraints: {c: {velocity: \"g''\"}}", "second rates may stand in outputs only"),
        ("coordinates: {g: x(rod) + y(rod)}\nconstraints: {c: {velocity: g}}", "constraint 'c' holds no rate (such as hinge.angle'); a relation without rates stands under 'equation'"),
        ("coordinates: {g: x(rod) + y(rod)}\nloads: {f: {type: field, acceleration: [g, 0]}}", "a coordinate cannot stand here; only t, parameters and tables of t can"),
        ("coordinates: {g: x(rod) + y(rod)}\noutput: {o: g + k}", "a force [N] is added to a length [m]"),
    ]

    def test_each_is_answered_once(self):
        for text, message in self.CASES:
            done = cli.run_model(BASE + text + "\n", "check")
            with self.subTest(text):
                self.assertEqual(done.code, 2, done.said())
                self.assertEqual(len(done.errors), 1, done.said())
                self.assertIn(message, done.errors[0].text)
                self.assertGreater(done.errors[0].line, 6)

    def test_a_wrong_coordinate_is_wrong_once(self):
        done = cli.run_model(BASE + "coordinates: {g: x(rood), h: 2*g}\ndrives: {d: {coordinate: g, motion: t}}\ninitial: {h: 3}\nconstraints: {c: {equation: g - 3*pin.angle}}\noutput: {o: \"g'' + h\"}\n", "check")
        self.assertEqual((done.code, len(done.errors)), (2, 1), done.said())

    def test_what_is_not_smooth_is_noted(self):
        done = cli.run_model(BASE + "coordinates: {g: abs(y(rod.P))}\n", "info", "--json", out=False)
        self.assertTrue(any("coordinate 'g' uses abs and may not be twice continuously differentiable" in n for n in done.json()["notes"]), done.out)
        self.assertEqual(done.json()["coordinates"], {"g": {"is": "abs(y(rod.P))", "unit": "m"}})

    def test_names_of_outputs_bodies_and_drives_are_another_matter(self):
        done = self.ok(BASE + "coordinates: {rod: y(rod.P), d: 2*rod, pin: pin.angle}\ndrives: {d: {coordinate: pin, motion: '30[deg]'}}\noutput: {o: rod + d + 0*y(rod)}\nmotion: {from: 0, to: 1, step: 1}\n",
                       "kinematics")
        self.near(done.series["o"][0], 1.5, 1e-12, "3 y")

    def test_what_cannot_be_evaluated_is_said_of_the_coordinate(self):
        done = cli.run_model(BASE + "coordinates: {g: sqrt(y(rod.P))}\ndrives: {d: {coordinate: g, motion: 0.5 - t}}\nmotion: {from: 0, to: 1, step: 0.1}\n", "kinematics")
        self.assertEqual(done.code, 1, done.said())


if __name__ == "__main__":
    cli.main()
