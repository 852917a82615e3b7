#!/usr/bin/python3
# ctest: long
"""Laws of spatial mechanics, through the command line alone: every kind of joint in space on a moving carrier, in generic poses.

What a run prints is judged by what follows from the printed poses (test/py/space_laws.py): rates by central differences over 13 samples, free-body
sums of every body, the wrenches that a kind of joint can carry, least norms by pseudo-inverse, closed forms.

Tolerances.  Differences of order 12 with a step of 0.03 s on motions of some 3 rad/s leave 1e-10 of the accelerations, rounding 1e-15/step^2 = 1e-12;
reactions are sums of some ten such terms and drives are drawn with a condition below 10.  RATES = 1e-7 of the largest wrench leaves a
factor of ten for the fastest of them.  What needs no differences (geometry, axes, invariance) is compared at EXACT = 1e-9 of its size.
"""
import math
import os
import random
import sys
import unittest
from concurrent.futures import ThreadPoolExecutor

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "py"))
import cli                # noqa: E402
import space_laws as sl   # noqa: E402

RATES = 1e-7
EXACT = 1e-9
CAM = 1e-5                # a spline's third derivative jumps by some 1e-3 of the radius at each point, which differences over 13 samples feel
POOL = ThreadPoolExecutor(2)
WELL = 10                 # largest condition of a drawn set of drives: far from the places where they lose their grip


def seeds(*all_of_them):
    """The first; ROBERVAL_MORE=1: all."""
    return all_of_them if cli.MORE else all_of_them[:1]


def own_coordinates(kind, keys):
    """The relative coordinates that move the joint all by themselves; none where it has too few."""
    locks = keys.get("locked") or sl.LOCKS.get(kind, "").split()
    return {"screw": ["angle"], "revolute": ["angle"], "prismatic": ["distance"], "translational": ["distance"], "cylindrical": ["angle", "distance"],
            "universal": [], "perpendicular": [], "constant-velocity": ["rx", "ry"], "link": ["y", "z", "rx", "ry", "rz"],
            "distance": ["x", "y", "rx", "ry", "rz"]}.get(kind, [c for c in ("x", "y", "z", "rx", "ry", "rz") if c not in locks])


def on_joint(kind, seed, variant, order=1, **keys):
    """A body on a carrier by the joint, its free directions driven: by the joint's own coordinates ("own"), or by distances and places of
    points ("points")."""
    for attempt in range(2000):
        b = sl.Build([seed, attempt, *map(ord, kind)])
        rng = b.rng
        b.carrier(size=1.0 if own_coordinates(kind, keys) and variant == "own" else 0.1)
        b.body("arm")
        first, second = ("carrier", "arm") if order == 1 else ("arm", "carrier")
        R1 = sl.random_rotation(rng)
        p1 = b.state["carrier"][0] + b.vector(0.4)
        v = sl.unit(rng.normal(size=3)) * rng.uniform(0.5, 1.2)
        d, Q = rng.normal(size=3) * 0.4, sl.exp(v)
        about = lambda k: sl.turn(np.eye(3)[k], float(rng.uniform(-1.5, 1.5)))                     # noqa: E731
        locks = keys.get("locked") or sl.LOCKS.get(kind, "").split()
        if kind == "general" or kind in sl.LOCKS:
            for k in locks:
                if k in "xyz":
                    d["xyz".index(k)] = keys.get("value", 0)
            turns = [sl.AXES[k] for k in locks if k[0] == "r"]
            Q = np.eye(3) if len(turns) == 3 else about(3 - sum(turns)) if len(turns) == 2 else Q
        elif kind in ("universal", "perpendicular"):
            Q = about(2) @ sl.turn([0, 1, 0], math.pi / 2) @ about(2)
            d = d * 0 if kind == "universal" else d
        elif kind == "constant-velocity":
            Q, d = sl.exp([*rng.uniform(0.3, 0.6, 2), 0]), d * 0
        elif kind == "screw":
            Q, d[:2] = about(2), 0
        b.joint("test", kind, first, second, p1, R1, p1 + R1 @ d, R1 @ Q, **keys)
        free = 6 - b.geometry().span(b.geometry().start(), "test").shape[1]
        own = [f"test.{c}" for c in own_coordinates(kind, keys)] if variant == "own" else []
        points = []
        for k in range(free - len(own)):
            p = b.marker("arm", b.state["arm"][0] + b.vector(0.6))
            other = ("carrier", "ground")[k % 2]
            points.append(f"distance({p}, {b.marker(other, b.state[other][0] + b.vector(1.0))})" if k % 3 < 2
                          else f"{'xyz'[int(rng.integers(3))]}({p})")
        coordinates = own + points
        A = sl.drive_matrix(b, "test", "arm", coordinates)
        if A.shape == (6, 6) and np.linalg.cond(A) < WELL:
            break
    else:
        raise ValueError(f"no good drives for {kind}")
    for c in coordinates:
        b.drive(c, 0.02 if points else 0.25 if c.split(".")[-1] in ("angle", "rx", "ry", "rz") else 0.08)
    b.model["loads"] = {"push": {"type": "force", "to": b.marker("arm", b.state["arm"][0] + b.vector(0.3)), "value": list(b.vector(10)),
                                 "frame": "body"},
                        "twist": {"type": "torque", "to": "arm", "value": list(b.vector(3)), "frame": "ground"},
                        "pull": {"type": "force", "to": "carrier", "value": list(b.vector(10))},
                        "twirl": {"type": "torque", "to": "carrier", "value": list(b.vector(3)), "frame": "body"}}
    return b


KINDS = [("revolute", {}), ("prismatic", {}), ("translational", {}), ("cylindrical", {}), ("spherical", {}), ("universal", {}),
         ("screw", {"pitch": 0.2}), ("screw", {"pitch": -0.07}),
         ("planar", {}), ("fixed", {}), ("parallel", {}), ("perpendicular", {}), ("inline", {}), ("inplane", {}), ("point", {}), ("link", {}), ("distance", {}),
         ("x", {}), ("y", {"value": 0.13}),
         ("z", {"value": -0.2}), ("constant-velocity", {}),
         ("general", {"locked": ["x", "y", "z", "rx", "ry", "rz"]}), ("general", {"locked": ["rx", "ry", "rz"]}),
         ("general", {"locked": ["rx", "rz"]}),
         ("general", {"locked": ["ry", "rz"]}), ("general", {"locked": ["x", "rx", "ry"]}), ("general", {"locked": ["x", "z", "ry", "rz"]}),
         ("general", {"locked": ["y", "z", "rx", "ry", "rz"]}),
         ("general", {"locked": ["x", "z"]}), ("general", {"locked": ["x", "y", "z", "rx", "rz"]}), ("general", {"locked": ["y"]})]


class Space(cli.Case):
    def each(self, jobs, work):
        """jobs: (label, arguments...); work returns a list of failures"""
        def guard(job):
            try:
                return work(*job[1:])
            except AssertionError as e:
                return [str(e)]
        for job, bad in zip(jobs, POOL.map(guard, jobs)):
            with self.subTest(job[0]):
                self.assertFalse(bad, "\n".join(str(x) for x in bad[:8]))

    def close(self, bad, what, got, want, tol):
        got, want = np.asarray(got, float), np.asarray(want, float)
        off = np.abs(got - want).max() if got.size else 0.0
        if not off <= tol:
            bad.append(f"{what}: off by {off:.3g}, allowed {tol:.3g}; got {np.round(got, 9).tolist()}, expected {np.round(want, 9).tolist()}")

    def balance(self, bad, model, done, gravity, tol=RATES, extra=None, samples=None):
        """Every body is in balance at the inner samples; done in ground axes."""
        moves = sl.Moves(model, done)
        for i in samples or list(moves.inner)[::2]:
            out, size = sl.imbalance(moves, done.series, i, gravity, extra)
            for body, w in out.items():
                if not np.abs(w).max() <= tol * max(size, 1):
                    bad.append(f"t={moves.time[i]:g}: {body} is out of balance by {np.round(w, 8).tolist()} of {size:.3g}")
        return moves

    def axes(self, bad, model, done, ground, joints=None):
        """What stands in joint axes is what stands in ground axes, turned."""
        moves = sl.Moves(model, ground)
        if done.result["frame"] != "joint" or ground.result["frame"] != "ground":
            bad.append("frame in result.json")
        for joint in joints or model["joints"]:
            second = model["joints"][joint]["type"] in ("knife-edge", "wheel")
            for i in range(0, len(moves.time), 4):
                _, _, R1, _, _, R2 = moves.geometry.pair(moves.state(i), joint)
                R = R2 if second else R1
                w = sl.reaction(ground.series, joint, i)
                self.close(bad, f"{joint} in its own axes", sl.reaction(done.series, joint, i), np.r_[R.T @ w[:3], R.T @ w[3:]], EXACT * max(1,
                        np.abs(w).max()))

    def rates(self, bad, model, moves, tol=RATES):
        """kinematics prints the rates that the poses have"""
        done = self.ok(model, "kinematics")
        names = ("vx vy vz", "omegax omegay omegaz", "ax ay az", "alphax alphay alphaz")
        for i in list(moves.inner)[::2]:
            rates = moves.rates(i)
            size = max(1.0, max(np.abs(r).max() for rate in rates.values() for r in rate))
            for body in moves.geometry.names:
                for columns, want in zip(names, rates[body]):
                    self.close(bad, f"{body} {columns}", [done.series[f"{body}.{c}"][i] for c in columns.split()], want, tol * size)


class Kinds(Space):
    """Each kind of joint by itself."""

    @cli.long
    def test_every_kind(self):
        def work(kind, keys, variant, order):
            b = on_joint(kind, 7 + order, variant, order, **keys)
            model, bad = b.model, []
            done, ground = self.ok(model), self.ok(model, "inverse", "--frame", "ground")
            moves = self.balance(bad, model, ground, b.gravity)
            self.axes(bad, model, done, ground)
            g, start = moves.geometry, moves.geometry.start()
            for i in moves.inner:
                state, rates, t = moves.state(i), moves.rates(i), moves.time[i]
                for joint in model["joints"]:
                    self.close(bad, f"{joint} holds", g.error(state, joint, start), 0, EXACT)
                    w = sl.reaction(ground.series, joint, i)
                    S = g.span(state, joint)
                    size = max(1.0, np.abs(w).max())
                    self.close(bad, f"{joint} carries what it cannot", w - S @ np.linalg.lstsq(S, w, rcond=None)[0], 0, EXACT * size)
                    self.close(bad, f"{joint} does no work", sl.power(g, state, rates, joint, w), 0, RATES * size)
                    if model["joints"][joint]["type"] in ("link", "distance"):
                        _, p1, _, _, p2, _ = g.pair(state, joint)
                        self.close(bad, f"{joint}.F is tension", w[:3], -ground.series[f"{joint}.F"][i] * sl.unit(p2 - p1), EXACT * size)
                for d, drive in model["drives"].items():
                    self.close(bad, f"{d} on {drive['coordinate']}", g.coordinate(state, drive["coordinate"])[0], b.driven(d, t), EXACT)
            locks = keys.get("locked") or sl.LOCKS.get(kind)
            held = {sl.COMPONENT[k] for k in (locks.split() if isinstance(locks, str) else locks)} if locks else None
            for c, x in done.result["reactions"]["test"]["components"].items():
                if held is not None and c in sl.COMPONENTS:
                    want = "unique" if c in held else "free"
                    if x["verdict"] != want:
                        bad.append(f"test.{c} is {x['verdict']}, expected {want}")
                    if c not in held and np.abs(done.series[f"test.{c}"]).max() > 0:
                        bad.append(f"test.{c} is not zero")
            for run, doc in ((done, cli.check(model)), (ground, cli.check(model, "--frame", "ground"))):
                got = doc[1]["reactions"] if doc[1] else {}
                if {j: {c: x["verdict"] for c, x in r["components"].items()} for j, r in got.items()} != \
                        {j: {c: x["verdict"] for c, x in r["components"].items()} for j, r in run.result["reactions"].items()}:
                    bad.append("check gives other verdicts: " + doc[0].said())
            # in ground's axes nothing generic is free that the joint holds in part
            for joint in model["joints"]:
                S = g.span(moves.state(8), joint)
                for k, c in enumerate(sl.COMPONENTS):
                    want = "unique" if np.abs(S[k]).max() > 1e-6 else "free"
                    if ground.result["reactions"][joint]["components"][c]["verdict"] != want:
                        bad.append(f"in ground's axes {joint}.{c} is not {want}")
            mobility = done.result["mobility"]
            rows = g.span(start, "test").shape[1]
            want = {"coordinates": 12, "rows": 4 + 2 + rows + len(b.model["drives"]) - 2, "rank": 12, "redundant": 0, "degrees_of_freedom": 0,
                    "degrees_of_freedom_position": 0,
                    "gruebler": 12 - 4 - rows}
            bad += [f"mobility.{k} is {mobility[k]}, expected {x}" for k, x in want.items() if mobility[k] != x]
            self.rates(bad, model, moves)
            return bad
        jobs = []
        for k, (kind, keys) in enumerate(KINDS):
            label = kind + "".join(f" {x}" for x in keys.values())
            both = ("own", 1), ("points", 2)
            jobs += [(f"{label} {variant} {order}", kind, keys, variant, order) for variant, order in (both if cli.MORE else both[k % 2:][:1])]
        self.each(jobs, work)

    def test_swapped_sides(self):
        """[a, b] written [b, a]: the opposite wrench about the other marker"""
        def work(kind, keys):
            b = on_joint(kind, 3, "points", 1, **keys)
            other, bad = sl.copy(b.model), []
            other["joints"]["test"]["between"].reverse()
            if "value" in keys:                                                 # on parallel axes only it would be the opposite
                return bad
            one, two = self.ok(b.model, "inverse", "--frame", "ground"), self.ok(other, "inverse", "--frame", "ground")
            moves = sl.Moves(b.model, one)
            for i in range(0, len(moves.time), 4):
                _, p1, _, _, p2, _ = moves.geometry.pair(moves.state(i), "test")
                w = sl.reaction(one.series, "test", i)
                want = -np.r_[w[:3], w[3:] + np.cross(p2 - p1, w[:3])]
                self.close(bad, "swapped", sl.reaction(two.series, "test", i), want, EXACT * 10 * max(1, np.abs(w).max()))
            return bad
        symmetric = ("revolute", "cylindrical", "prismatic", "spherical", "universal", "screw", "fixed", "parallel", "perpendicular", "link",
                     "constant-velocity", "planar")
        jobs = [(k, k, keys) for k, keys in KINDS if k in symmetric and k != "planar"]
        self.each(jobs, work)


    def test_places_of_the_starting_pose(self):
        """`at` and `axis` in ground's coordinates instead of markers: the same joint"""
        def work(kind):
            b, bad = on_joint(kind, 8, "own" if kind != "spherical" else "points"), []
            other = sl.copy(b.model)
            g = b.geometry()
            _, p, R, *_ = g.pair(g.start(), "test")
            other["joints"]["test"].update(between=["carrier", "arm"], at=list(p))
            if kind != "spherical":
                other["joints"]["test"]["axis"] = list(3 * R[:, 2])
                other["drives"]["D2"] = {"coordinate": "test.angle", "motion": "0.3*sin(t)"}                    # equal frames: it starts at 0
                th = g.coordinate(g.start(), "test.angle")[0]
                b.model["drives"]["D2"] = {"coordinate": "test.angle", "motion": f"{float(th)!r} + 0.3*sin(t)"}
            one, two = self.ok(b.model, "inverse", "--frame", "ground"), self.ok(other, "inverse", "--frame", "ground")
            size = max(np.abs(x).max() for n, x in one.series.items() if "." in n and n.split(".")[1][0] in "FTe")
            for n, x in one.series.items():
                self.close(bad, n, two.series[n], x, EXACT * 10 * max(1, size))
            return bad
        self.each([(k, k) for k in ("revolute", "spherical")], work)

    def test_an_equation_is_a_drive(self):
        """the drives' coordinates held by constraints: the same motion, efforts and reactions"""
        def work(kind, keys):
            b, bad = on_joint(kind, 5, "points", 1, **keys), []
            other = sl.copy(b.model)
            held = list(other["drives"])[2:]
            other["constraints"] = {d: {"equation": f"{other['drives'][d]['coordinate']} - ({other['drives'][d]['motion']})"} for d in held}
            for d in held:
                del other["drives"][d]
            one, two = self.ok(b.model), self.ok(other)
            size = max(np.abs(x).max() for n, x in one.series.items() if "." in n and n.split(".")[1][0] in "FTe")
            for n, x in one.series.items():
                self.close(bad, n, two.series[n], x, EXACT * 10 * max(1, size))
            return bad
        self.each([(k, k, {}) for k in ("spherical", "universal", "inplane", "link")], work)

    def test_a_particle_on_three_lines(self):
        """three driven distances hold a point mass: pulls that sum to m(a - g)"""
        b = sl.Build(6)
        p = b.vector(0.3)
        b.model["bodies"]["bob"] = {"mass": 1.7, "particle": True, "pose": {"at": list(p)}, "markers": {"P": [0, 0, 0]}}
        b.state["bob"] = p, np.eye(3)
        b.carrier()
        for k, d in enumerate(([1, 0.2, 0], [0, 1, 0.3], [-0.2, 0, 1])):
            body = ("ground", "carrier")[k % 2]
            b.drive(f"distance({b.marker(body, p + np.array(d))}, bob.P)", 0.1)
        bad, done = [], self.ok(b.model, "inverse", "--frame", "ground")
        self.assertNotIn("bob.qw", done.series)
        self.assertEqual(done.result["mobility"]["coordinates"], 9)
        self.balance(bad, b.model, done, b.gravity)
        self.assertFalse(bad, "\n".join(bad[:8]))


class Shapes(Space):
    """Bodies from parts, moved through space beside the same body with its mass, centroid and tensor worked out."""

    @staticmethod
    def solid(kind, keys):
        """(volume, centroid, tensor about it per unit of mass)"""
        if kind == "box":
            a, b, c = keys["size"]
            J = np.diag([b * b + c * c, a * a + c * c, a * a + b * b]) / 12
            R = sl.rotation_of(keys["rotate"]) if "rotate" in keys else np.eye(3)
            return a * b * c, np.array(keys.get("at", [0, 0, 0]), float), R @ J @ R.T
        if kind == "sphere":
            r = keys["radius"]
            return 4 / 3 * math.pi * r**3, np.array(keys["at"], float), 0.4 * r * r * np.eye(3)
        p, q = np.array(keys["from"], float), np.array(keys["to"], float)
        h, u = np.linalg.norm(q - p), sl.unit(q - p)
        r = keys.get("radius", 0)
        if kind == "cone":
            axial, across, at, volume = 0.3 * r * r, 0.15 * r * r + 0.0375 * h * h, p + (q - p) / 4, math.pi * r * r * h / 3
        else:
            axial, across, at, volume = r * r / 2, r * r / 4 + h * h / 12, (p + q) / 2, math.pi * r * r * h
        return volume, at, across * np.eye(3) + (axial - across) * np.outer(u, u)

    def test_parts(self):
        box = {"size": [0.3, 0.2, 0.1], "at": [0.1, 0.2, -0.1], "rotate": {"axis": [1, 2, 3], "angle": 0.7}}
        tube = {"from": [0, 0.1, 0], "to": [0.2, 0.3, 0.4], "radius": 0.08}
        cube = [[x, y, z] for x in (0, 0.2) for y in (0, 0.3) for z in (-0.1, 0.1)]
        faces = ((0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3))
        stl = "solid cube\n"
        for f in faces:
            for tri in ((f[0], f[1], f[2]), (f[0], f[2], f[3])):
                stl += "facet normal 0 0 0\nouter loop\n" + "".join("vertex {} {} {}\n".format(*cube[k]) for k in tri) + "endloop\nendfacet\n"
        stl += "endsolid cube\n"

        def work(parts, seed):
            mass, first, second = 0.0, np.zeros(3), np.zeros((3, 3))
            for part in parts:
                kind = next(k for k in part if k in ("box", "cylinder", "cone", "sphere", "rod", "mesh"))
                volume, at, J = self.solid(*(("box", {"size": [0.2, 0.3, 0.2], "at": [0.1, 0.15, 0]}) if kind == "mesh" else (kind, part[kind])))
                m = part["mass"] if "mass" in part else part["density"] * volume
                m = -m if part.get("void") else m
                mass, first, second = mass + m, first + m * at, second + m * (J + (at @ at) * np.eye(3) - np.outer(at, at))
            c = first / mass
            J = second - mass * ((c @ c) * np.eye(3) - np.outer(c, c))
            b, bad = on_joint("cylindrical", seed, "own"), []
            one, two = sl.copy(b.model), sl.copy(b.model)
            one["bodies"]["arm"].update(mass=mass, centroid=list(c), inertia=[J[0, 0], J[1, 1], J[2, 2], J[0, 1], J[0, 2], J[1, 2]])
            for key in ("mass", "centroid", "inertia"):
                del two["bodies"]["arm"][key]
            two["bodies"]["arm"]["shape"] = parts
            a, s = self.ok(one), self.ok(two, files={"cube.stl": stl})
            size = max(np.abs(x).max() for n, x in a.series.items() if "." in n and n.split(".")[1][0] in "FTe")
            for n, x in a.series.items():
                self.close(bad, n, s.series[n], x, EXACT * max(1, size))
            return bad
        self.each([("box", [{"box": box, "mass": 2}], 13), ("cylinder", [{"cylinder": tube, "density": 500}], 14),
                   ("cone", [{"cone": tube, "mass": 1.5}], 15),
                   ("sphere", [{"sphere": {"at": [0.1, 0, 0.2], "radius": 0.15}, "density": 300}], 16), ("mesh", [{"mesh": {"file": "cube.stl"},
                           "density": 400}], 17),
                   ("rod and ball", [{"rod": {"from": [0, 0, 0], "to": [0, 0.2, -0.5]}, "mass": 0.6}, {"sphere": {"at": [0, 0.2, -0.5],
                           "radius": 0.1}, "mass": 1}], 18),
                   ("box with a hole", [{"box": {**box, "at": [0.1, 0.2, 0.2]}, "density": 900}, {"sphere": {"at": [0.1, 0.2, 0.2], "radius": 0.04},
                           "density": 900, "void": True},
                                        {"cylinder": tube, "density": 100}], 19)], work)


# ---- wheels on wheels
def wheels(seed, c1, z1, c2, z2, joint, ground=False, size=0.5):
    """Two wheels on revolutes of a carrier (or of ground), the first one driven, a torque on the second; joint(b) adds what couples them."""
    b = sl.Build(seed)
    if not ground:
        b.carrier()
    holder = "ground" if ground else "carrier"
    r, R = b.state[holder]
    ends = []
    for k, (c, z) in enumerate(((c1, z1), (c2, z2)), 1):
        c, z = r + R @ c, R @ z
        b.body(f"w{k}", at=c + b.vector(0.1))
        b.joint(f"pin{k}", "revolute", holder, f"w{k}", c, sl.frame(z, b.rng))
        A = sl.frame(z, b.rng)
        ends.append(b.marker(f"w{k}", c, A))
    b.drive("pin1.angle", size)
    b.model["loads"] = {"brake": {"type": "torque", "to": "w2", "value": list(b.vector(4))}, "push": {"type": "force", "to": "w2",
            "value": list(b.vector(10)), "frame": "body"}}
    b.model["joints"]["mesh"] = {**joint, "between": ends}
    return b


class Gears(Space):
    """Every pair of wheels: the ratio, one force through the pitch point, across the teeth, and the balance of the wheels and of the carrier."""

    @staticmethod
    def pairs():
        """name -> (c1, z1, c2, z2, C, tooth direction or None, joint, outward: Fr on the second along outward) in the carrier's axes"""
        out = {}
        rng = np.random.default_rng(5)
        r1, r2 = 0.11, 0.17

        def parallel(name, n1, n2, flip=1.0, offset=0.0, beta=0.0, **keys):
            """C = c1 + n1 n = c2 + n2 n along the common normal n"""
            A = sl.random_rotation(rng)
            z, n = A[:, 2], A[:, 0]
            C = rng.normal(size=3) * 0.3
            c1, c2 = C - n1 * n - offset / 2 * z, C - n2 * n + offset / 2 * z
            tooth = math.cos(beta) * z + math.sin(beta) * np.cross(z, sl.unit(n1 * n))
            inner = n1 * n2 > 0
            out[name] = (c1, z, c2, flip * z, C, tooth, {"type": "gear", "radii": [abs(n1), abs(n2)], "helix_angle": beta, **({"internal": True}
                    if inner else {}), **keys},
                         n * (np.sign(n1) if not inner or abs(n2) > abs(n1) else -np.sign(n2)))
        parallel("spur", r1, -r2)
        parallel("spur, axes opposite", r1, -r2, flip=-1.0)
        parallel("spur, axes offset", r1, -r2, offset=0.04, pressure_angle=0.3)
        parallel("helical right", r1, -r2, beta=0.35)
        parallel("helical left", r1, -r2, beta=-0.25, pressure_angle=0.25)
        parallel("planet in a ring", r1, 2.2 * r1)
        parallel("ring around a planet", 2.2 * r1, r1)
        parallel("helical planet in a ring", r1, 2.2 * r1, beta=0.3)
        for name, kind, lean in (("bevel", "bevel", (0.6, 0.9)), ("bevel of a right angle", "bevel", (0.5, math.pi / 2 - 0.5)),
                                 ("gear of meeting axes", "gear", (0.4, 0.8)),
                                 ("bevel, second axis turned", "bevel", (0.6, -0.9)), ("spiral bevel", "bevel", (0.6, 0.9))):
            A = sl.random_rotation(rng)
            g, n, t = A.T
            apex = rng.normal(size=3) * 0.3
            C = apex + 0.2 * g
            z1, z2 = sl.turn(t, lean[0]) @ g, sl.turn(t, -abs(lean[1])) @ g
            c1, c2 = (apex + ((C - apex) @ z) * z for z in (z1, z2))
            away = sl.unit(np.cross(g, t))
            away = away if away @ (c2 - c1) > 0 else -away
            beta = 0.3 if name == "spiral bevel" else 0.0
            tooth = math.cos(beta) * g + math.sin(beta) * np.cross(z1, sl.unit(C - c1)) if beta else None
            keys = {"helix_angle": beta} if beta else {}
            out[name] = (c1, z1, c2, z2 * np.sign(lean[1]), C, tooth, {**keys, "type": kind, "radii": [float(np.linalg.norm(C - c1)),
                    float(np.linalg.norm(C - c2))]}, away)
        for name, shaft, key in (("crossed helical", math.pi / 2, {"type": "gear", "helix_angle": 0.7}), ("crossed helical, generic", -1.1,
                {"type": "gear", "helix_angle": 0.5}),
                                 ("crossed helical, left", 1.2, {"type": "gear", "helix_angle": -0.4}),
                                 ("worm", math.pi / 2, {"type": "worm", "pitch": 0.12}), ("worm left", math.pi / 2, {"type": "worm", "pitch": -0.06}),
                                 ("worm, generic", 1.3, {"type": "worm", "pitch": 0.1})):
            A = sl.random_rotation(rng)
            n = A[:, 0]
            z1, z2 = A[:, 2], sl.turn(n, shaft) @ A[:, 2]
            C = rng.normal(size=3) * 0.3
            c1, c2 = C - r1 * n, C + r2 * n
            beta = key.get("helix_angle")
            tooth = math.cos(beta) * z1 + math.sin(beta) * np.cross(z1, n) if beta is not None else sl.unit(key["pitch"] / (2 * math.pi) * z1
                    + r1 * np.cross(z1, n))
            out[name] = (c1, z1, c2, z2, C, tooth, {"radii": [r1, r2], **key}, n)
        return out

    @cli.long
    def test_every_pair(self):
        def work(name, c1, z1, c2, z2, C, tooth, joint, outward):
            b = wheels([11, *map(ord, name)], c1, z1, c2, z2, {**joint, "carrier": "carrier"})
            model, bad = b.model, []
            done, ground = self.ok(model), self.ok(model, "inverse", "--frame", "ground")
            moves = self.balance(bad, model, ground, b.gravity)
            self.axes(bad, model, done, ground)
            e1, e2 = C - c1 - z1 * (z1 @ (C - c1)), C - c2 - z2 * (z2 @ (C - c2))
            t2 = np.cross(z2, sl.unit(e2))
            across = np.cross(outward, tooth) if tooth is not None else t2        # in the pitch plane, square to the teeth
            v1, v2 = np.cross(z1, e1) @ across, np.cross(z2, e2) @ across
            ratio = v1 / v2
            g, s = moves.geometry, ground.series
            start = g.start()
            at0 = [g.coordinate(start, f"pin{k}.angle")[0] for k in (1, 2)]
            alpha = joint.get("pressure_angle", math.radians(20))
            for i in moves.inner:
                state, rates = moves.state(i), moves.rates(i)
                turns = [g.coordinate(state, f"pin{k}.angle")[0] - a for k, a in zip((1, 2), at0)]
                self.close(bad, "ratio", math.remainder(turns[1] - ratio * turns[0], 2 * math.pi), 0, 1e-8)
                r, R = state["carrier"]
                w = sl.reaction(s, "mesh", i)
                size = max(1.0, np.abs(w).max())
                F, p2 = w[:3], g.pair(state, "mesh")[4]
                self.close(bad, "the force goes through the pitch point", w[3:], np.cross(r + R @ C - p2, F), EXACT * 10 * size)
                Ft, Fr, Fa, total = (s[f"mesh.{c}"][i] for c in ("Ft", "Fr", "Fa", "F"))
                self.close(bad, "Ft", Ft, F @ R @ t2, EXACT * 10 * size)
                self.close(bad, "Fr", Fr, F @ R @ outward, EXACT * 10 * size)
                self.close(bad, "Fr of the pressure angle", Fr, math.tan(alpha) * math.hypot(Ft, Fa), EXACT * 10 * size)
                self.close(bad, "F", [total, total], [np.linalg.norm(F), math.sqrt(Ft**2 + Fr**2 + Fa**2)], EXACT * 10 * size)
                if tooth is not None:
                    self.close(bad, "no force along the teeth", F @ R @ tooth, 0, EXACT * 10 * size)
                else:
                    self.close(bad, "no force along the cone", Fa, 0, EXACT * 10 * size)
                if name.startswith(("helical", "spur")):
                    self.close(bad, "Fa", Fa, Ft * math.tan(joint.get("helix_angle", 0)), EXACT * 10 * size)
                self.close(bad, "no work of the pair", sl.power(g, state, rates, "mesh", w), 0, RATES * size)
            self.rates(bad, model, moves)
            return bad
        self.each([(n, n, *x) for n, x in self.pairs().items()], work)

    def test_teeth_and_many_turns(self):
        """20 : 30 teeth over ten turns: the second has turned back by 20/3 turns, and its angle counts them"""
        model = {"roberval": 1, "space": "spatial", "bodies": {
            "ground": {"markers": {"B": [0.25, 0, 0]}}, "w1": {"mass": 1, "inertia": [0.01, 0.01, 0.02]}, "w2": {"mass": 2, "inertia": [0.02, 0.02,
                    0.03], "pose": {"at": [0.25, 0, 0]}}},
            "joints": {"a": {"type": "revolute", "between": ["ground", "w1"]}, "b": {"type": "revolute", "between": ["ground.B", "w2"]},
                       "mesh": {"type": "gear", "between": ["w1", "w2"], "teeth": [20, 30]}},
            "drives": {"motor": {"coordinate": "a.angle", "motion": "10*pi*t^2"}}, "motion": {"from": 0, "to": 1.4, "step": 0.02},
                 "output": {"turned": "b.angle"}}
        done = self.ok(model)
        self.column(done, "turned", -10 * math.pi * done.time**2 * 2 / 3, 1e-8)
        self.column(done, "mesh.Ft", -0.03 * 20 * math.pi * 2 / 3 / 0.15, 1e-8)
        self.column(done, "motor.effort", 20 * math.pi * (0.02 + 0.03 * 4 / 9), 1e-8)
        self.column(done, "mesh.Fr", 0.03 * 20 * math.pi * 2 / 3 / 0.15 * math.tan(math.radians(20)), 1e-8)

    def test_phase_of_the_starting_pose(self):
        """wherever the wheels and their markers stand: an assembled start is left as it is, and the ratio holds over two turns"""
        def work(kind, ratio, start1, start2, marker1, marker2):
            about = lambda a: {"axis": [0, 0, 1], "angle": a}                    # noqa: E731
            model = {"roberval": 1, "space": "spatial", "bodies": {
                "ground": {"markers": {"B": [0.25, 0, 0]}},
                "w1": {"mass": 1, "inertia": [0.01, 0.01, 0.02], "pose": {"rotate": about(start1)}, "markers": {"G": {"rotate": about(marker1)}}},
                "w2": {"mass": 1, "inertia": [0.01, 0.01, 0.02], "pose": {"at": [0.25, 0, 0], "rotate": about(start2)},
                       "markers": {"G": {"rotate": about(marker2)}}}},
                "joints": {"a": {"type": "revolute", "between": ["ground", "w1"]}, "b": {"type": "revolute", "between": ["ground.B", "w2"]},
                           "mesh": {"type": kind, "between": ["w1.G", "w2.G"], "radii": [0.1, 0.15]}},
                "drives": {"motor": {"coordinate": "a.angle", "motion": f"{start1!r} + 4*pi*t"}}, "motion": {"from": 0, "to": 1, "step": 0.05},
                "output": {"turned": "b.angle"}}
            done, bad = self.ok(model), []
            self.close(bad, "start", math.remainder(done.series["turned"][0] - start2, 2 * math.pi), 0, EXACT)
            self.close(bad, "ratio", done.series["turned"] - done.series["turned"][0], ratio * 4 * math.pi * done.time, 1e-8)
            return bad
        angles = (-3.0, -2.0, 0.0, 2.0, 3.0)
        jobs = [(f"{kind} {a} {b} {c} {d}", kind, ratio, a, b, c, d) for kind, ratio in (("gear", -2 / 3), ("belt", 2 / 3))
                for a in angles for b in (0.0, 3.0) for c in (0.0, 2.0, -2.0) for d in (0.0, 2.5)]
        self.each(jobs if cli.MORE else random.Random(1).sample(jobs, len(jobs) // 5), work)

    def test_rack(self):
        def work(side, seed):
            b = sl.Build(seed)
            b.carrier()
            r, R = b.state["carrier"]
            A = R @ sl.random_rotation(b.rng)
            x, up, z = A[:, 0], A[:, 1], A[:, 2]
            C, radius = r + b.vector(0.3), 0.13
            c = C + side * radius * up
            b.body("bar")
            b.body("pinion", at=c)
            b.joint("guide", "prismatic", "carrier", "bar", C + b.vector(0.2), sl.frame(x, b.rng))
            b.joint("axle", "revolute", "carrier", "pinion", c, sl.frame(z, b.rng))
            b.model["joints"]["teeth"] = {"type": "rack", "between": [b.marker("bar", C - 0.3 * x, A), b.marker("pinion", c, sl.frame(z, b.rng))],
                                          "radius": radius}
            b.drive("axle.angle", 0.8)
            b.model["loads"] = {"cut": {"type": "force", "to": "bar", "value": list(b.vector(30))}}
            bad, model = [], b.model
            done, ground = self.ok(model), self.ok(model, "inverse", "--frame", "ground")
            moves = self.balance(bad, model, ground, b.gravity)
            self.axes(bad, model, done, ground)
            g, s = moves.geometry, ground.series
            start = g.start()
            for i in moves.inner:
                state, rates = moves.state(i), moves.rates(i)
                turned = g.coordinate(state, "axle.angle")[0] - g.coordinate(start, "axle.angle")[0]
                moved = g.coordinate(state, "guide.distance")[0] - g.coordinate(start, "guide.distance")[0]
                self.close(bad, "the bar moves with the pinion's lowest point", moved, radius * turned * (np.cross(z, -side * up) @ x), EXACT)
                w = sl.reaction(s, "teeth", i)
                B = state["carrier"][1] @ R.T
                F = s["teeth.F"][i] * B @ x
                self.close(bad, "the tooth force", w, np.r_[F, np.cross(-side * radius * B @ up, F)], EXACT * 10 * max(1, np.abs(w).max()))
                self.close(bad, "no work", sl.power(g, state, rates, "teeth", w), 0, RATES * max(1, np.abs(w).max()))
            return bad
        self.each([("pinion above", 1, 21), ("pinion below", -1, 22)], work)

    def test_cam(self):
        """an eccentric disk, its outline a spline through 72 points (2e-7 of the radius), under a point and under a flat"""
        radius, e = 0.09, np.array([0.03, -0.02])
        th = np.linspace(0, 2 * math.pi, 73)
        xy = e + radius * np.column_stack([np.cos(th), np.sin(th)])
        xy[-1] = xy[0]
        csv = "x [m],y [m]\n" + "".join(f"{x!r},{y!r}\n" for x, y in xy.tolist())

        def work(flat, seed):
            b = sl.Build(seed, step=0.02)
            b.carrier()
            r, R = b.state["carrier"]
            A = R @ sl.random_rotation(b.rng)                                   # the cam turns about z, the follower slides along y
            o = r + b.vector(0.3)
            turned = A @ sl.turn([0, 0, 1], 0.4)
            centre = o + turned[:, :2] @ e
            n = A @ ([math.sin(0.3), math.cos(0.3), 0] if not flat else [0, 1, 0])
            p = centre + radius * n + (0.02 * A[:, 0] if flat else 0)
            b.body("lobe", at=o + b.vector(0.05))
            b.body("tappet", at=p + b.vector(0.1))
            b.joint("shaft", "revolute", "carrier", "lobe", o, sl.frame(A[:, 2], b.rng))
            b.joint("guide", "prismatic", "carrier", "tappet", p + b.vector(0.1), sl.frame(A[:, 1], b.rng))
            face = np.column_stack([-A[:, 0], -A[:, 1], A[:, 2]]) if flat else sl.frame(A[:, 2], b.rng)
            b.model["joints"]["contact"] = {"type": "cam", "between": [b.marker("lobe", o, turned), b.marker("tappet", p, face)],
                                            "curve": {"file": "disk.csv", "x": "x", "y": "y", "closed": True}, **({"flat": True} if flat else {})}
            b.drive("shaft.angle", 0.5)
            b.model["loads"] = {"push": {"type": "force", "to": "tappet", "value": list(-80 * A[:, 1])}}
            bad, model, files = [], b.model, {"disk.csv": csv}
            done, ground = self.ok(model, files=files), self.ok(model, "inverse", "--frame", "ground", files=files)
            moves = self.balance(bad, model, ground, b.gravity, CAM)
            self.axes(bad, model, done, ground)
            g, s = moves.geometry, ground.series
            for i in moves.inner:
                state, rates = moves.state(i), moves.rates(i)
                _, p1, R1, _, p2, R2 = g.pair(state, "contact")
                c = p1 + R1[:, :2] @ e
                n = -R2[:, 1] if flat else sl.unit(p2 - c)
                n = -n if n @ (p2 - c) < 0 else n
                self.close(bad, "contact", (p2 - c) @ n, radius, 1e-6)
                w, F = sl.reaction(s, "contact", i), s["contact.F"][i]
                size = max(1.0, np.abs(w).max())
                self.close(bad, "the force is normal", w[:3], F * n, 1e-4 * size)    # a spline's slope is less good than its value
                self.close(bad, "at the contact", w[3:], np.cross(c + radius * n - p2, F * n), 1e-4 * size)
                self.close(bad, "no work", sl.power(g, state, rates, "contact", w), 0, CAM * size)
            if (s["contact.F"] <= 0).any() or any("contact" in str(note) for note in done.result["notes"]):
                bad.append(f"it presses, F >= {s['contact.F'].min():g}; notes {done.result['notes']}")
            return bad
        self.each([("point", False, 35), ("flat", True, 36)], work)

    def test_belt(self):
        def work(crossed, preload, seed):
            rng = np.random.default_rng(seed)
            A = sl.random_rotation(rng)
            z, u, v = A[:, 2], A[:, 0], A[:, 1]
            r1, r2, a = 0.12, 0.05, 0.4
            c1 = rng.normal(size=3) * 0.3
            c2 = c1 + a * u
            keys = {**({"crossed": True} if crossed else {}), **({"preload": preload} if preload else {})}
            b = wheels(seed, c1, z, c2, z, {"type": "belt", "radii": [r1, r2], **keys}, ground=True)
            bad, model = [], b.model
            ground, done = self.ok(model, "inverse", "--frame", "ground"), self.ok(model)
            moves = self.balance(bad, model, ground, b.gravity)
            self.axes(bad, model, done, ground)
            g, s = moves.geometry, ground.series
            start = g.start()
            slant = math.asin((r1 + r2 if crossed else r1 - r2) / a)
            for i in moves.inner:
                state = moves.state(i)
                turns = [g.coordinate(state, f"pin{k}.angle")[0] - g.coordinate(start, f"pin{k}.angle")[0] for k in (1, 2)]
                self.close(bad, "ratio", math.remainder(turns[1] - (-1 if crossed else 1) * r1 / r2 * turns[0], 2 * math.pi), 0, EXACT)
                w, F = np.zeros(6), s["mesh.F"][i]
                for up in (1, -1):                                              # two strands, tangent to both pulleys
                    m1 = math.sin(slant) * u + up * math.cos(slant) * v
                    m2 = -m1 if crossed else m1
                    along = sl.unit(c1 + r1 * m1 - c2 - r2 * m2)
                    tight = np.sign(np.cross(m2, along) @ z)                    # this strand turns the second positively
                    pull = preload + tight * F / 2
                    w += np.r_[pull * along, np.cross(r2 * m2, pull * along)]
                got = sl.reaction(s, "mesh", i)
                size = max(1.0, np.abs(w).max())
                self.close(bad, "two strands", got, w, EXACT * 10 * size)
                self.close(bad, "torque", got[3:] @ z, F * r2, EXACT * 10 * size)
            return bad
        self.each([("open", False, 0.0, 31), ("crossed", True, 0.0, 32), ("open, tight", False, 250.0, 33), ("crossed, tight", True, 250.0, 34)],
                  work)


class Rolling(Space):
    """Rolling and sliding on a plane that itself moves."""

    def chain(self, seed, kind, radius):
        """carrier's plane, a base held upright on it (x, y, z, rz free), a lean, a spin; the wheel or ball touches the plane"""
        b = sl.Build(seed)
        b.carrier()
        r, R = b.state["carrier"]
        P = R @ sl.random_rotation(b.rng)
        N, p0 = P[:, 2], r + b.vector(0.3)
        a = sl.unit(P @ [0.3, 0.85, 0.42])                                      # the wheel's axle, leaning
        height = radius if kind == "ball" else radius * math.sqrt(1 - (N @ a)**2)
        c = p0 + P @ [*(b.rng.normal(size=2) * 0.3), height]
        b.body("base", at=c + b.vector(0.2))
        b.body("fork", at=c + b.vector(0.2))
        b.body("roller", at=c + b.vector(0.02))
        yaw = sl.turn(N, 0.7) @ P
        b.joint("stand", "parallel", "carrier", "base", p0 + b.vector(0.1), P, c + b.vector(0.2), yaw)
        b.joint("lean", "revolute", "base", "fork", c + b.vector(0.1), sl.frame(np.cross(a, N) + 0.2 * N, b.rng))
        b.joint("spin", "revolute", "fork", "roller", c, sl.frame(a if kind == "wheel" else a + 0.3 * P[:, 0], b.rng))
        b.model["joints"]["touch"] = {"type": kind, "between": [b.marker("carrier", p0, P), b.marker("roller", c, sl.frame(a, b.rng))],
                                      "radius": radius}
        b.drive("stand.rz", 0.5)
        b.drive("lean.angle", 0.2)
        b.drive("spin.angle", 0.8)
        b.model["loads"] = {"push": {"type": "force", "to": "fork", "value": list(b.vector(10))}, "twist": {"type": "torque", "to": "roller",
                "value": list(b.vector(2))}}
        return b

    def test_wheel_and_ball(self):
        def work(kind, seed, radius=0.25):
            b = self.chain(seed, kind, radius)
            model, bad = b.model, []
            done, ground = self.ok(model), self.ok(model, "inverse", "--frame", "ground")
            moves = self.balance(bad, model, ground, b.gravity)
            self.axes(bad, model, done, ground)
            g, s = moves.geometry, ground.series
            for i in moves.inner:
                state, rates = moves.state(i), moves.rates(i)
                b1, p1, R1, b2, c, R2 = g.pair(state, "touch")
                N, a = R1[:, 2], R2[:, 2]
                rho = -radius * (N if kind == "ball" else sl.unit(N - (N @ a) * a))
                self.close(bad, "the rim touches the plane", N @ (c + rho - p1), 0, EXACT)
                v1, v2 = (rates[k][0] + np.cross(rates[k][1], c + rho - state[k][0]) for k in (b1, b2))
                self.close(bad, "no slip", v2 - v1, 0, RATES)
                w = sl.reaction(s, "touch", i)
                size = max(1.0, np.abs(w).max())
                self.close(bad, "a force at the contact", w[3:], np.cross(rho, w[:3]), EXACT * 10 * size)
                self.close(bad, "F presses", s["touch.F"][i], w[:3] @ N, EXACT * 10 * size)
                self.close(bad, "no work", sl.power(g, state, rates, "touch", w), 0, RATES * size)
                for d, drive in model["drives"].items():
                    self.close(bad, d, g.coordinate(state, drive["coordinate"])[0], b.driven(d, moves.time[i]), EXACT)
            told = any("touch" in str(note) for note in done.result["notes"])
            if told != bool((s["touch.F"] < 0).any()):
                bad.append(f"F from {s['touch.F'].min():g} to {s['touch.F'].max():g}, notes {done.result['notes']}: a contact that pulls is told")
            mobility = done.result["mobility"]
            if mobility["degrees_of_freedom"] != 0 or mobility["degrees_of_freedom_position"] != 2:
                bad.append(f"mobility {mobility}: no velocity is free, two places are")
            self.rates(bad, model, moves)
            return bad
        self.each([(f"{k} {n}", k, n) for k in ("wheel", "ball") for n in seeds(41, 42, 43)], work)

    def test_knife_edge(self):
        def work(seed):
            b = sl.Build(seed)
            b.carrier()
            P = b.state["carrier"][1] @ sl.random_rotation(b.rng)
            p0 = b.state["carrier"][0] + b.vector(0.3)
            p = p0 + P @ [0.2, -0.3, 0]
            b.body("sled", at=p + b.vector(0.1))
            b.joint("stand", "planar", "carrier", "sled", p0, P, p, sl.turn(P[:, 2], 0.4) @ P)
            q = p + b.vector(0.3)
            edge = P @ [0.9, 0.3, 0.35]                                         # leaning: only its direction in the plane counts
            A = sl.frame(np.cross(edge, b.rng.normal(size=3)), x=edge)
            b.model["joints"]["blade"] = {"type": "knife-edge", "between": [b.marker("carrier", p0, P), b.marker("sled", q, A)]}
            b.drive("stand.rz", 0.4)
            b.drive("stand.x", 0.3)
            b.model["loads"] = {"push": {"type": "force", "to": "sled", "value": list(b.vector(20))}}
            model, bad = b.model, []
            done, ground = self.ok(model), self.ok(model, "inverse", "--frame", "ground")
            moves = self.balance(bad, model, ground, b.gravity)
            self.axes(bad, model, done, ground)
            g, s = moves.geometry, ground.series
            for i in moves.inner:
                state, rates = moves.state(i), moves.rates(i)
                b1, _, R1, b2, c, R2 = g.pair(state, "blade")
                n = sl.unit(np.cross(R1[:, 2], R2[:, 0]))
                v1, v2 = (rates[k][0] + np.cross(rates[k][1], c - state[k][0]) for k in (b1, b2))
                self.close(bad, "never sideways", n @ (v2 - v1), 0, RATES)
                w = sl.reaction(s, "blade", i)
                self.close(bad, "a force across the edge", w, np.r_[n * (n @ w[:3]), 0, 0, 0], EXACT * 10 * max(1, np.abs(w).max()))
            if done.result["mobility"]["degrees_of_freedom_position"] != 1:
                bad.append(f"mobility {done.result['mobility']}")
            self.rates(bad, model, moves)
            return bad
        self.each([(str(n), n) for n in seeds(51, 52)], work)

    def test_coin_on_a_circle(self):
        """a disk that rolls steadily round a circle of radius d (of its centre) with lean th, held by nothing: W z x L is the moment of the
        contact force; the massless stand then carries nothing and both motors rest"""
        R, th, d, W, m, C, A = 0.3, 0.35, 2.0, 1.7, 4.0, 0.11, 0.06
        spin = -W * d / R - W * math.sin(th)                                    # no slip at the lowest point
        g = W * W * math.cos(th) * (R * m * d + C * d / R + A * math.sin(th)) / (R * m * math.sin(th))
        axle = [math.cos(th), 0, math.sin(th)]
        model = {"roberval": 1, "space": "spatial", "gravity": [0, 0, -g], "bodies": {
            "base": {"pose": {"at": [d, 0, R * math.cos(th)]}, "markers": {"axle": {"at": [0, 0, 0], "axis": axle}}},
            "disk": {"mass": m, "inertia": [A, A, C], "pose": {"at": [d, 0, R * math.cos(th)], "rotate": {"axis": [0, 1, 0], "angle": math.pi / 2
                    - th}}}},
            "joints": {"stand": {"type": "parallel", "between": ["ground", "base"]}, "axle": {"type": "revolute", "between": ["base.axle", "disk"]},
                       "touch": {"type": "wheel", "between": ["ground", "disk"], "radius": R}},
            "drives": {"yaw": {"coordinate": "stand.rz", "motion": f"{W}*t"}, "roll": {"coordinate": "axle.angle", "motion": f"{spin!r}*t"}},
            "motion": {"from": 0, "to": 2, "step": 0.05}}
        done = self.ok(model, "inverse", "--frame", "ground")
        t, s = done.time, done.series
        size = m * g
        self.column(done, "disk.x", d * np.cos(W * t), 1e-8)
        self.column(done, "disk.y", d * np.sin(W * t), 1e-8)
        self.column(done, "touch.Fz", m * g, EXACT * size)
        self.column(done, "touch.F", m * g, EXACT * size)
        self.column(done, "touch.Fx", -m * W * W * d * np.cos(W * t), 1e-8 * size)
        self.column(done, "touch.Fy", -m * W * W * d * np.sin(W * t), 1e-8 * size)
        for name in ("stand.Tx", "stand.Ty", "yaw.effort", "roll.effort", "axle.Fx", "axle.Fy", "axle.Fz", "axle.Tx", "axle.Ty"):
            self.near(s[name], np.zeros(len(t)), 1e-8 * size, name)
        model["initial"] = {"stand.x": 5.0, "stand.y": -1.0}                    # the place is free: another circle, the same forces
        moved = self.ok(model, "inverse", "--frame", "ground")
        self.column(moved, "disk.x", 5 + d * (np.cos(W * t) - 1), 1e-8)
        self.column(moved, "disk.y", -1 + d * np.sin(W * t), 1e-8)
        self.column(moved, "touch.Fx", s["touch.Fx"], 1e-8 * size)


# ---- the same mechanism written differently
def hinge(b, name, one, other, p, axis):
    b.joint(name, "revolute", one, other, p, sl.frame(axis, b.rng))


def four_bar(seed, plane=True):
    """Planar with four parallel hinges (three rows redundant); or spatial, with a ball and a universal joint at the rod (none), drawn away from
    its dead centres."""
    for attempt in range(100):
        b = sl.Build([seed, attempt])
        A = sl.random_rotation(b.rng)
        o = b.vector(0.3)
        P = [o + A @ [*p, 0] for p in ((0, 0), (0.1, 0.3), (0.7, 0.4), (0.6, -0.05))]
        for name, k in (("crank", 0), ("rod", 1), ("rocker", 2)):
            b.body(name, at=(P[k] + P[k + 1]) / 2)
        for name, one, other, k in (("A", "ground", "crank", 0), ("B", "crank", "rod", 1), ("C", "rod", "rocker", 2), ("D", "rocker", "ground", 3)):
            if plane or name in "AD":
                hinge(b, name, one, other, P[k] + 0.05 * k * A[:, 2], A[:, 2])
        if not plane:
            b.joint("B", "spherical", "crank", "rod", P[1], sl.random_rotation(b.rng))
            R = sl.random_rotation(b.rng)
            b.joint("C", "universal", "rod", "rocker", P[2], R, P[2], R @ sl.turn([0, 0, 1], 0.4) @ sl.turn([0, 1, 0], math.pi / 2))
        b.drive("A.angle", 0.4 if plane else 0.2)
        if plane or np.linalg.svd(sl.equilibrium(b.geometry(), b.geometry().start())[0])[1][-1] > 0.1:
            return b
    raise ValueError("no good four-bar")


def door(seed):
    b = sl.Build(seed)
    axis = sl.unit(b.vector())
    p = b.vector(0.3)
    b.body("leaf", at=p + 0.4 * axis + b.vector(0.3))
    hinge(b, "lower", "ground", "leaf", p, axis)
    hinge(b, "upper", "leaf", "ground", p + 0.8 * axis, axis)
    b.drive("lower.angle", 0.5)
    return b


def sarrus(seed):
    """Two legs of three parallel hinges each, in two directions: the plate goes up and down, one row of thirty is redundant."""
    b = sl.Build(seed)
    A = sl.random_rotation(b.rng)
    o = b.vector(0.3)
    b.body("plate", at=o + A @ [0, 0, 0.5])
    for name, turn in (("a", 0), ("b", math.pi / 2 + 0.3)):
        S = A @ sl.turn([0, 0, 1], turn)
        foot, knee, top = (o + S @ p for p in ([0.3, 0, 0], [0.55, 0, 0.27], [0.3, 0, 0.5]))
        b.body(f"{name}_low", at=foot)
        b.body(f"{name}_high", at=top)
        hinge(b, f"{name}1", "ground", f"{name}_low", foot + 0.1 * S[:, 1], S[:, 1])
        hinge(b, f"{name}2", f"{name}_low", f"{name}_high", knee, S[:, 1])
        hinge(b, f"{name}3", f"{name}_high", "plate", top - 0.05 * S[:, 1], S[:, 1])
    b.drive("a1.angle", 0.15)
    return b


def table(seed):
    """A plate on four legs and three stops."""
    b = sl.Build(seed)
    A = sl.random_rotation(b.rng)
    o = b.vector(0.3)
    b.body("plate", at=o + A @ [0.05, 0.1, 0])
    for k, p in enumerate(([0.5, 0.4, 0], [-0.5, 0.5, 0], [-0.4, -0.6, 0], [0.6, -0.4, 0])):
        b.joint(f"leg{k}", "inplane", "ground", "plate", o, A, o + A @ p, sl.random_rotation(b.rng))
    for k, (p, n) in enumerate((([0.5, 0, 0], 0), ([0.5, 0.4, 0], 1), ([-0.5, 0.2, 0], 1))):
        b.joint(f"stop{k}", "inplane", "ground", "plate", o + A @ p, sl.frame(A[:, n], b.rng), None, sl.random_rotation(b.rng))
    return b


MECHANISMS = {"spatial four-bar": (lambda seed: four_bar(seed, plane=False), 0), "door": (door, 5), "four-bar": (four_bar, 3), "sarrus": (sarrus, 1),
              "table": (table, 1)}


def with_loads(b):
    names = b.geometry().names
    for k, body in enumerate(names[:3]):
        b.model["loads"][f"force{k}"] = {"type": "force", "to": b.marker(body, b.state[body][0] + b.vector(0.2)), "value": list(b.vector(20)),
                                         "frame": ("ground", "body")[k % 2]}
        b.model["loads"][f"twist{k}"] = {"type": "torque", "to": body, "value": list(b.vector(3)), "frame": ("body", "ground")[k % 2]}
    return b


class Invariance(Space):
    """What is printed does not depend on how the model is written; least norms and verdicts come out of a pseudo-inverse too."""

    def compare(self, bad, what, got, want, tol=EXACT * 10, name=lambda n: n):
        sizes = {}
        kind = lambda n: "force" if n.split(".")[-1][0] in "FT" or n.endswith("effort") else n.split(".")[-1][0]     # noqa: E731
        for n, x in want.items():
            sizes[kind(n)] = max(sizes.get(kind(n), 1.0), np.abs(x).max())
        for n, x in want.items():
            if name(n) not in got:
                bad.append(f"{what}: no column {name(n)}")
            else:
                off = np.abs(got[name(n)] - x).max()
                if not off <= tol * sizes[kind(n)]:
                    bad.append(f"{what}: {n} off by {off:.3g} of {sizes[kind(n)]:.3g}")

    @staticmethod
    def verdicts(done):
        return {f"{j}.{c}": x["verdict"] for j, r in done.result["reactions"].items() for c, x in r["components"].items()}

    def each_mechanism(self, work, names=MECHANISMS):
        self.each([(f"{n} {seed}", n, with_loads(MECHANISMS[n][0](seed)), seed) for n in names for seed in seeds(61, 62)], work)

    def test_order_names_units(self):
        def work(name, b, seed):
            bad, model = [], b.model
            one = self.ok(model)
            for k in range(2):
                two = self.ok(sl.shuffled(model, np.random.default_rng(k)))
                self.compare(bad, f"order {k}", two.series, one.series)
                bad += [f"order {k}: {c} is {two_v}, was {v}" for (c, v), two_v in ((x, self.verdicts(two)[x[0]])
                                                                                    for x in self.verdicts(one).items()) if v != two_v]
            two = self.ok(sl.in_other_units(model))
            self.compare(bad, "units", two.series, one.series)
            if self.verdicts(two) != self.verdicts(one):
                bad.append("units: other verdicts")
            other, names = sl.renamed(model)
            two = self.ok(other)
            rename = lambda n: names.get(n.partition(".")[0], n.partition(".")[0]) + "".join(n.partition(".")[1:])     # noqa: E731
            self.compare(bad, "names", two.series, one.series, name=rename)
            got = self.verdicts(two)
            bad += [f"names: {c} is {got[rename(c)]}, was {v}" for c, v in self.verdicts(one).items() if got[rename(c)] != v]
            return bad
        self.each_mechanism(work)

    def test_turned_world(self):
        def work(name, b, seed):
            bad, model = [], b.model
            rng = np.random.default_rng(seed)
            one, one_ground = self.ok(model), self.ok(model, "inverse", "--frame", "ground")
            for k in range(2):
                R, shift = sl.random_rotation(rng), rng.normal(size=3) * (0, 2)[k]
                other = sl.turned(model, R, shift)
                two, ground = self.ok(other), self.ok(other, "inverse", "--frame", "ground")
                own = {n: x for n, x in one.series.items() if n.split(".")[0] in (*model["joints"], *model["drives"])}
                self.compare(bad, f"turn {k}", two.series, own)
                want = {}
                for joint in model["joints"]:
                    for letter in "FT":
                        turned = R @ [one_ground.series[f"{joint}.{letter}{c}"] for c in "xyz"]
                        want.update({f"{joint}.{letter}{c}": turned[i] for i, c in enumerate("xyz")})
                for body in b.geometry().names:
                    moved = R @ [one_ground.series[f"{body}.{c}"] for c in "xyz"] + shift[:, None]
                    want.update({f"{body}.{c}": moved[i] for i, c in enumerate("xyz")})
                self.compare(bad, f"turn {k}, ground", ground.series, want)
                a, c = self.verdicts(one), self.verdicts(two)
                bad += [f"turn {k}: {n} is {c[n]}, was {v}" for n, v in a.items() if c[n] != v]
                L = [x.result["least_norm"]["length"] for x in (one, two)]
                if MECHANISMS[name][1] and (L[0] is None or abs(L[0] - L[1]) > EXACT * L[0]):
                    bad.append(f"turn {k}: length of the norm {L}")
                if {k: x for k, x in one.result["mobility"].items() if isinstance(x, int)} != {k: x for k, x in two.result["mobility"].items()
                                                                                               if isinstance(x, int)}:
                    bad.append(f"turn {k}: mobility")
            return bad
        self.each_mechanism(work)

    @cli.long
    def test_every_kind_in_a_turned_world_and_other_units(self):
        """joints, gears and rollers on a carrier: nothing but the ground is turned, everything is in mm, deg and g"""
        makers = [(f"{kind} {keys}", lambda kind=kind, keys=keys: on_joint(kind, 4, "own", 1, **keys)) for kind, keys in KINDS]
        makers += [(name, lambda name=name, x=x: wheels([4, *map(ord, name)], *x[:4], {**x[6], "carrier": "carrier"})) for name,
                   x in Gears.pairs().items()]
        makers += [(kind, lambda kind=kind: Rolling("chain").chain(44, kind, 0.2)) for kind in ("wheel", "ball")]

        def work(name, make):
            b, bad = make(), []
            one, units = self.ok(b.model), self.ok(sl.in_other_units(b.model))
            own = {n: x for n, x in one.series.items() if n.split(".")[0] in (*b.model["joints"], *b.model["drives"])}
            self.compare(bad, "units", units.series, one.series, EXACT * 100)
            if any(d["coordinate"][:2] in ("x(", "y(", "z(") for d in b.model["drives"].values()):
                return bad
            rng = np.random.default_rng(1)
            two = self.ok(sl.turned(b.model, sl.random_rotation(rng), rng.normal(size=3)))
            self.compare(bad, "turned", two.series, own, EXACT * 100)
            if not self.verdicts(one) == self.verdicts(two) == self.verdicts(units):
                bad.append("other verdicts")
            return bad
        self.each([(n, n, make) for n, make in makers[::1 if cli.MORE else 2]], work)

    def test_balance_least_norm_and_verdicts(self):
        def work(name, b, seed):
            bad, model = [], b.model
            redundant = MECHANISMS[name][1]
            done, ground = self.ok(model), self.ok(model, "inverse", "--frame", "ground")
            moves = self.balance(bad, model, ground, b.gravity, samples=[6, 10])
            self.axes(bad, model, done, ground)
            mobility = done.result["mobility"]
            coordinates = 6 * len(moves.geometry.names)
            if mobility["redundant"] != redundant or mobility["rank"] != coordinates or mobility["rows"] != coordinates + redundant:
                bad.append(f"mobility {mobility}")
            g, start = moves.geometry, moves.geometry.start()
            length = done.result["least_norm"]["length"] if redundant else 1.0
            for i in (6, 10):
                state, rates = moves.state(i), moves.rates(i)
                wrenches, efforts, stress, rest = sl.least_norm(g, state, rates, b.gravity, length, moves.time[i])
                size = max(1.0, max(np.abs(w).max() for w in wrenches.values()))
                if rest > RATES * size:
                    bad.append(f"the reference is out of balance by {rest:.3g}")
                for joint, w in wrenches.items():
                    self.close(bad, f"{joint} of least norm", sl.reaction(ground.series, joint, i), w, RATES * size)
                    self.close(bad, f"{joint} holds", g.error(state, joint, start), 0, EXACT)
                    for frame, run in (("ground", ground), ("joint", done)):
                        R = np.eye(3) if frame == "ground" else g.pair(state, joint)[2]
                        S = np.vstack([R.T @ stress[joint][:3], R.T @ stress[joint][3:]])
                        span = g.span(state, joint)
                        span = np.vstack([R.T @ span[:3], R.T @ span[3:]])
                        for k, c in enumerate(sl.COMPONENTS):
                            # the reference's null space is good to 1e-12; in ground's axes nothing generic is exactly zero
                            want = "not unique" if np.abs(S[k]).max(initial=0) > 1e-8 else "unique" if np.abs(span[k]).max() > 1e-8 else "free"
                            got = run.result["reactions"][joint]["components"][c]["verdict"]
                            if got != want:
                                bad.append(f"{frame}: {joint}.{c} is {got}, expected {want} ({np.abs(S[k]).max(initial=0):.2g})")
                for d, e in efforts.items():
                    self.close(bad, d, ground.series[f"{d}.effort"][i], e, RATES * size)
                    if done.result["drives"][d]["verdict"] != "unique":
                        bad.append(f"{d} is unique")
            return bad
        self.each_mechanism(work)

    def test_each_joint_first_and_swapped(self):
        """each joint listed first, and each with its sides exchanged: the first answer, with the opposite wrench about the other marker"""
        def work(name, b, seed):
            bad, model = [], b.model
            model["motion"]["to"] = 2 * model["motion"]["step"]
            one = self.ok(model, "inverse", "--frame", "ground")
            forces = {n: x for n, x in one.series.items() if n.split(".")[0] in (*model["joints"], *model["drives"])}
            moves = sl.Moves(model, one)
            for joint in model["joints"]:
                two = sl.copy(model)
                two["joints"] = {joint: two["joints"][joint], **two["joints"]}
                self.compare(bad, f"{joint} first", self.ok(two, "inverse", "--frame", "ground").series, forces)
                if any(d["coordinate"].startswith(joint + ".") for d in model["drives"].values()) or model["joints"][joint]["type"] == "inplane":
                    continue
                two = sl.copy(model)
                two["joints"][joint]["between"].reverse()
                want = dict(forces)
                for i in range(len(moves.time)):
                    _, p1, _, _, p2, _ = moves.geometry.pair(moves.state(i), joint)
                    w = sl.reaction(one.series, joint, i)
                    for k, x in enumerate(-np.r_[w[:3], w[3:] + np.cross(p2 - p1, w[:3])]):
                        c = f"{joint}.{sl.COMPONENTS[k]}"
                        want[c] = want[c] if i else np.zeros(len(moves.time))
                        want[c][i] = x
                self.compare(bad, f"{joint} swapped", self.ok(two, "inverse", "--frame", "ground").series, want)
            return bad
        self.each_mechanism(work)

    def test_methods_agree(self):
        def work(name, b, seed):
            bad, one = [], self.ok(b.model, "inverse", "--method", "lagrange")
            for method in ("two-step", "newton"):
                two = self.ok(b.model, "inverse", "--method", method)
                self.compare(bad, method, two.series, one.series)
                if self.verdicts(one) != self.verdicts(two):
                    bad.append(f"{method}: other verdicts")
            return bad
        self.each_mechanism(work)

    def test_compliances_share_by_energy(self):
        """joints that all give way in all directions: of all balances the one of least energy sum c w^2 / 2, and every verdict says so"""
        def work(name, b, seed):
            bad, model = [], b.model
            rng = np.random.default_rng(seed)
            given = {j: np.r_[rng.uniform(1e-7, 1e-6, 3), rng.uniform(1e-6, 1e-5, 3)] for j in model["joints"]}
            for j, c in given.items():                                          # all are revolutes
                model["joints"][j]["compliance"] = dict(zip(("x", "y", "z", "rx", "ry"), map(float, c)))
            done, own = self.ok(model, "inverse", "--frame", "ground"), self.ok(model)
            moves = self.balance(bad, model, done, b.gravity, samples=[8])
            state, rates = moves.state(8), moves.rates(8)
            wrenches, efforts, stress, _ = sl.least_norm(moves.geometry, state, rates, b.gravity, 1.0, moves.time[8], given)
            size = max(1.0, max(np.abs(w).max() for w in wrenches.values()))
            for joint, w in wrenches.items():
                self.close(bad, f"{joint} of least energy", sl.reaction(done.series, joint, 8), w, RATES * size)
                R1 = moves.geometry.pair(state, joint)[2]
                S = np.vstack([R1.T @ stress[joint][:3], R1.T @ stress[joint][3:]])
                for k, c in enumerate(sl.COMPONENTS):
                    verdict = own.result["reactions"][joint]["components"][c]["verdict"]
                    want = "compliance" if np.abs(S[k]).max(initial=0) > 1e-8 else verdict if verdict in ("unique", "free") else "unique"
                    if verdict != want:
                        bad.append(f"{joint}.{c} is {verdict}, expected {want}")
            return bad
        self.each_mechanism(work, ["door", "four-bar", "sarrus"])

    def test_self_stress_modes_balance(self):
        def work(name, b, seed):
            bad, model = [], b.model
            run, doc = cli.check(model, "--frame", "ground")
            if run.code:
                return [run.said()]
            if len(doc["self_stress"]) != MECHANISMS[name][1]:
                bad.append(f"{len(doc['self_stress'])} modes, expected {MECHANISMS[name][1]}")
            g = b.geometry()
            state = g.start()
            for mode in doc["self_stress"]:
                out = {}
                for joint in model["joints"]:
                    w = np.array([mode.get(f"{joint}.{c}", 0.0) for c in sl.COMPONENTS])
                    b1, _, _, b2, p2, _ = g.pair(state, joint)
                    sl.add(out, b2, p2, w[:3], w[3:])
                    sl.add(out, b1, p2, -w[:3], -w[3:])
                for body, w in out.items():
                    self.close(bad, f"mode on {body}", w, 0, EXACT * 10)
            return bad
        self.each_mechanism(work, ["door", "four-bar", "sarrus", "table"])

    def test_compliance_shares(self):
        """two hinges that give way along the axis carry the weight as two springs, c2/(c1 + c2) and c1/(c1 + c2), seen from the first hinge"""
        for c1, c2 in ((1e-6, 3e-6), (2e-7, 2e-7)):
            b = door(63)
            b.model["motion"] = {"from": 0, "to": 0.06, "step": 0.03}
            b.model["drives"]["D0"]["motion"] = repr(float(b.geometry().coordinate(b.geometry().start(), "lower.angle")[0]))
            for joint, c in (("lower", c1), ("upper", c2)):
                b.model["joints"][joint]["compliance"] = {"z": c}
            done = self.ok(b.model)
            g = b.geometry()
            axis = g.pair(g.start(), "lower")[2][:, 2]
            load = -b.model["bodies"]["leaf"]["mass"] * b.gravity @ axis         # what the hinges have to bring along the axis, on the leaf
            self.column(done, "lower.Fz", load * c2 / (c1 + c2), EXACT * 100)
            z2 = g.pair(g.start(), "upper")[2][:, 2]
            self.column(done, "upper.Fz", -load * c1 / (c1 + c2) * (axis @ z2), EXACT * 100)
            self.assertEqual(done.result["reactions"]["lower"]["components"]["Fz"]["verdict"], "compliance")


# ---- turns
class Turns(Space):
    """Angles count their turns, quaternions do not jump."""

    def continuous(self, done, body):
        q = np.column_stack([done.series[f"{body}.q{c}"] for c in "wxyz"])
        self.near(np.linalg.norm(q, axis=1), np.ones(len(q)), 1e-12, f"{body}: unit quaternions")
        self.assertGreater((q[1:] * q[:-1]).sum(axis=1).min(), 0, f"{body}: the quaternion jumps to its opposite")
        return q

    def test_three_turns(self):
        def work(kind, seed):
            b = sl.Build(seed, step=0.02, samples=51)
            axis = sl.unit(b.vector())
            p = b.vector(0.4)
            b.body("rotor", at=p + b.vector(0.3))
            R = sl.frame(axis, b.rng)
            z0 = 0.0 if kind == "revolute" else 0.15
            b.joint("pin", kind, "ground", "rotor", p, R, p + z0 * axis, R @ sl.turn([0, 0, 1], 0.5), **({"pitch": 0.04} if kind == "screw" else {}))
            b.model["drives"] = {"motor": {"coordinate": "pin.angle", "motion": "0.5 + 6*pi*t"}}
            if kind == "cylindrical":
                b.model["drives"]["slide"] = {"coordinate": "pin.distance", "motion": "0.15 + 0.2*t^2"}
            b.model["output"] = {"turned": "pin.angle", "rate": "pin.angle'", "moved": "pin.z"}
            for command in ("kinematics", "inverse"):
                done = self.ok(b.model, command)
                t = done.time
                self.column(done, "turned", 0.5 + 6 * math.pi * t, 1e-9)
                self.column(done, "rate", 6 * math.pi, 1e-9)
                self.column(done, "moved", z0 + {"revolute": 0 * t, "cylindrical": 0.2 * t * t, "screw": 3 * 0.04 * t}[kind], 1e-9)
                if command == "kinematics":
                    self.column(done, "pin.angle", 0.5 + 6 * math.pi * t, 1e-9)
                q = self.continuous(done, "rotor")
                B = b.state["rotor"][1]
                for i in range(len(t)):
                    self.near(sl.matrix(q[i]), sl.turn(axis, 6 * math.pi * t[i]) @ B, 1e-9, f"orientation at {t[i]:g}")
                self.near(q[-1], -q[0], 1e-9, "three turns change the sign of the quaternion")
            return []
        self.each([(f"{k} {n}", k, n) for k in ("revolute", "cylindrical", "screw") for n in seeds(71, 72)], work)

    def test_single_free_turns_count(self):
        """rx, ry, rz of joints that leave just that turn: three turns are 6 pi"""
        def work(kind, locked, c):
            b = sl.Build(74, step=0.02, samples=51)
            p = b.vector(0.4)
            b.body("rotor", at=p + b.vector(0.3))
            R = sl.random_rotation(b.rng)
            b.joint("pin", kind, "ground", "rotor", p, R, p, R @ sl.turn(np.eye(3)[sl.AXES[c]], 0.5), **({"locked": locked} if locked else {}))
            b.model["drives"] = {"motor": {"coordinate": f"pin.{c}", "motion": "0.5 - 6*pi*t"}}
            held = locked or sl.LOCKS[kind].split()
            for k in "xyz":
                if k not in held:
                    b.model["drives"][f"hold_{k}"] = {"coordinate": f"pin.{k}", "motion": "0"}
            b.model["output"] = {"turned": f"pin.{c}"}
            done = self.ok(b.model)
            self.column(done, "turned", 0.5 - 6 * math.pi * done.time, 1e-9)
            self.continuous(done, "rotor")
            return []
        self.each([("planar", "planar", None, "rz"), ("parallel", "parallel", None, "rz"), ("revolute", "revolute", None, "rz"),
                   ("about y", "general", ["x", "y", "z", "rx", "rz"], "ry"), ("about x", "general", ["ry", "rz"], "rx")], work)

    def test_turns_do_not_depend_on_the_samples(self):
        """a wheel and a shaft that are carried along make several turns between two samples: their angles, which no drive tells, and the torque
        of a spring on them, count all the same"""
        for step in (0.05, 0.3, 0.5, 1.0):
            with self.subTest("gear", step=step):
                model = {"roberval": 1, "space": "spatial", "bodies": {
                    "ground": {"markers": {"B": [0.25, 0, 0]}},
                    "w1": {"mass": 1, "inertia": [0.1, 0.1, 0.2]}, "w2": {"mass": 1, "inertia": [0.1, 0.1, 0.2], "pose": {"at": [0.25, 0, 0]}}},
                    "joints": {"a": {"type": "revolute", "between": ["ground", "w1"]}, "b": {"type": "revolute", "between": ["ground.B", "w2"]},
                               "mesh": {"type": "gear", "between": ["w1", "w2"], "radii": [0.1, 0.15]}},
                    "drives": {"motor": {"coordinate": "a.angle", "motion": "6*pi*t"}},
                    "loads": {"coil": {"type": "torsion-spring", "joint": "b", "stiffness": 2}},
                    "motion": {"from": 0, "to": 1, "step": step}, "output": {"turned": "b.angle"}}
                done = self.ok(model)
                self.column(done, "turned", -4 * math.pi * done.time, 1e-9)
                self.column(done, "motor.effort", -2 * -4 * math.pi * done.time * 2 / 3, 1e-9)
            with self.subTest("shafts", step=step):
                model = {"roberval": 1, "space": "spatial", "bodies": {
                    "ground": {"markers": {"out": {"at": [0, 0, 0], "axis": [math.sin(0.5), 0, math.cos(0.5)], "x": [math.cos(0.5), 0,
                            -math.sin(0.5)]}}},
                    "input": {"mass": 1, "inertia": [1, 1, 1]}, "output": {"mass": 1, "inertia": [1, 1, 1], "pose": {"rotate": {"axis": [0, 1, 0],
                            "angle": 0.5}}}},
                    "joints": {"a": {"type": "revolute", "between": ["ground", "input"]}, "b": {"type": "parallel", "between": ["ground.out",
                            "output"]},
                               "ball": {"type": "constant-velocity", "between": ["input", "output"]}},
                    "drives": {"motor": {"coordinate": "a.angle", "motion": "6*pi*t"}},
                    "motion": {"from": 0, "to": 1, "step": step}, "output": {"turned": "b.rz"}}
                done = self.ok(model)
                self.column(done, "turned", 6 * math.pi * done.time, 1e-9)

    def test_constant_velocity_shafts(self):
        """two bent shafts with a constant-velocity joint turn alike, turn after turn, and carry the torque one to one"""
        for bend in (0.3, 1.0):
            z2 = [math.sin(bend), 0, math.cos(bend)]
            model = {"roberval": 1, "space": "spatial", "bodies": {
                "ground": {"markers": {"out": {"at": [0, 0, 0], "axis": z2, "x": [math.cos(bend), 0, -math.sin(bend)]}}},
                "input": {"mass": 1, "inertia": [0.01, 0.01, 0.01]},
                "output": {"mass": 1, "inertia": [0.02, 0.02, 0.03], "pose": {"rotate": {"axis": [0, 1, 0], "angle": bend}}}},
                "joints": {"a": {"type": "revolute", "between": ["ground", "input"]},
                           "ball": {"type": "constant-velocity", "between": ["input", "output"]}, "b": {"type": "parallel", "between": ["ground.out",
                                   "output"]}},
                "drives": {"motor": {"coordinate": "a.angle", "motion": "6*pi*t^2"}}, "motion": {"from": 0, "to": 1, "step": 0.01},
                "output": {"turned": "b.rz"}}
            done = self.ok(model)
            self.column(done, "turned", 6 * math.pi * done.time**2, 1e-8)
            self.column(done, "motor.effort", 0.04 * 12 * math.pi, 1e-8)
            self.continuous(done, "output")

    def test_start_is_near_the_drive(self):
        b = sl.Build(73)
        b.body("rotor")
        R = sl.random_rotation(b.rng)
        b.joint("pin", "revolute", "ground", "rotor", b.vector(0.2), R, None, R)
        b.model["joints"]["pin"]["between"][1] = b.marker("rotor", sl.Geometry(b.model).pair(sl.Geometry(b.model).start(), "pin")[1], R)
        b.model["drives"] = {"motor": {"coordinate": "pin.angle", "motion": "4*pi + 2*pi*t"}}
        b.model["output"] = {"turned": "pin.angle"}
        done = self.ok(b.model, "kinematics")
        self.column(done, "turned", 4 * math.pi + 2 * math.pi * done.time, 1e-9)

    def test_cardan_shaft_counts_turns(self):
        """two shafts that meet at an angle: tan(out) = tan(in)/cos(angle) for the fork in the plane of the shafts, three turns on end"""
        bend = 0.6
        z2 = [math.sin(bend), 0, math.cos(bend)]
        model = {"roberval": 1, "space": "spatial", "gravity": [0, 0, 0], "bodies": {
            "ground": {"markers": {"out": {"at": [0, 0, 0], "axis": z2, "x": [math.cos(bend), 0, -math.sin(bend)]}}},
            "input": {"mass": 1, "inertia": [0.01, 0.01, 0.01], "markers": {"fork": {"axis": [1, 0, 0], "at": [0, 0, 0]}}},
            "output": {"mass": 1, "inertia": [0.02, 0.02, 0.03], "pose": {"rotate": {"axis": [0, 1, 0], "angle": bend}},
                       "markers": {"fork": {"axis": [0, 1, 0], "at": [0, 0, 0]}}}},
            "joints": {"a": {"type": "revolute", "between": ["ground", "input"]}, "cross": {"type": "perpendicular", "between": ["input.fork",
                    "output.fork"]},
                       "b": {"type": "revolute", "between": ["ground.out", "output"]}},
            "drives": {"motor": {"coordinate": "a.angle", "motion": "6*pi*t"}}, "motion": {"from": 0, "to": 1, "step": 0.01},
                 "output": {"out_angle": "b.angle"}}
        done = self.ok(model)
        a = 6 * math.pi * done.time
        # x1 = (cos a, sin a, 0) stays square to y2 = -sin b e + cos b y with e = (cos bend, 0, -sin bend): tan b = tan a / cos bend
        want = np.arctan2(np.sin(a), np.cos(a) * math.cos(bend))
        want += 2 * math.pi * np.round((a - want) / (2 * math.pi))
        self.column(done, "out_angle", want, 1e-9)
        for body in ("input", "output"):
            self.continuous(done, body)
        # torque ratio: the input works for the output's inertia alone, J b'' b' = T a'
        b1 = math.cos(bend) / (np.cos(a)**2 * math.cos(bend)**2 + np.sin(a)**2)
        db1 = -math.cos(bend) * 2 * np.sin(a) * np.cos(a) * math.sin(bend)**2 / (np.cos(a)**2 * math.cos(bend)**2 + np.sin(a)**2)**2
        self.column(done, "motor.effort", 0.03 * b1 * db1 * (6 * math.pi)**2, 1e-8)


class Energy(Space):
    """Power and gyroscopes."""

    def test_power_of_a_double_pendulum(self):
        def work(seed):
            b = sl.Build(seed)
            b.body("upper")
            b.body("lower")
            hinge(b, "shoulder", "ground", "upper", b.vector(0.3), b.vector())
            hinge(b, "elbow", "upper", "lower", b.vector(0.3), b.vector())
            b.drive("shoulder.angle", 0.9)
            b.drive("elbow.angle", 1.2)
            b.model["output"] = {"power": "D0.effort*shoulder.angle' + D1.effort*elbow.angle'"}
            bad, done = [], self.ok(b.model, "inverse", "--frame", "ground")
            moves = self.balance(bad, b.model, done, b.gravity)
            g = moves.geometry
            potential = np.zeros(len(moves.time))
            for i in range(len(moves.time)):
                for name in g.names:
                    r, R = moves.state(i)[name]
                    potential[i] -= g.mass[name] * b.gravity @ (r + R @ g.centroid[name])
            for i in moves.inner:                                               # dT = sum m v.a + w.(J al): no need to differentiate twice
                state, rates, kinetic = moves.state(i), moves.rates(i), 0.0
                for name in g.names:
                    v, w, a, al = rates[name]
                    R = state[name][1]
                    c, J = R @ g.centroid[name], R @ g.inertia[name] @ R.T
                    vc, ac = v + np.cross(w, c), a + np.cross(al, c) + np.cross(w, np.cross(w, c))
                    kinetic += g.mass[name] * vc @ ac + w @ J @ al
                self.close(bad, "power", done.series["power"][i], kinetic + moves.first(potential, i), RATES * max(1,
                        abs(done.series["power"]).max()))
            return bad
        self.each([(str(n), n) for n in seeds(81, 82, 83)], work)

    def test_a_balanced_rotor_passes_its_audit(self):
        """spun at a constant speed about a principal axis nothing acts: what is left of w x J w is rounding of |J| w^2, however fast it turns"""
        rng = np.random.default_rng(84)
        for k in range(12):
            with self.subTest(k):
                speed, kind = float(10**rng.uniform(0, 4)), ("revolute", "cylindrical")[k % 2]
                model = {"roberval": 1, "space": "spatial", "bodies": {
                    "ground": {"markers": {"A": {"at": [0, 0, 0], "axis": rng.normal(size=3).tolist()}}},
                    "rotor": {"mass": 1, "inertia": [0.3, 0.3, 0.5] if k % 3 else [1, 1, 1]}},
                    "joints": {"pin": {"type": kind, "between": ["ground.A", "rotor"]}},
                    "drives": {"motor": {"coordinate": "pin.angle", "motion": f"{speed!r}*t"}}, "motion": {"from": 0, "to": 1, "step": 0.05}}
                if kind == "cylindrical":
                    model["drives"]["push"] = {"coordinate": "pin.distance", "motion": "3*t"}
                done = self.ok(model)
                for c in ("pin.Fx", "pin.Fy", "pin.Tx", "pin.Ty", "motor.effort"):
                    self.column(done, c, 0, 1e-14 * speed**2)                   # a hundred roundings of |J| w^2

    def test_rotor_on_a_turning_table(self):
        """axle at any angle th from the vertical: the bearing's couple is W s sin th (C (s + W cos th) - A W cos th)/s about z x a"""
        for th, W, s, m, C, A, x in ((math.pi / 2, 2.0, 300.0, 3.0, 0.05, 0.03, 0.0), (0.8, -1.5, 120.0, 2.0, 0.04, 0.07, 0.4), (2.3, 3.0, -80.0, 1.0,
                0.02, 0.011, -0.3)):
            axle = np.array([math.sin(th), 0, math.cos(th)])
            at = [x, 0.1, 0.5]
            model = {"roberval": 1, "space": "spatial", "gravity": [0, 0, -9.81], "bodies": {
                "table": {"mass": 5, "inertia": [1, 1, 1], "markers": {"axle": {"at": at, "axis": list(axle), "x": [math.cos(th), 0,
                        -math.sin(th)]}}},
                "rotor": {"mass": m, "inertia": [A, A, C], "pose": {"at": at, "rotate": {"axis": [0, 1, 0], "angle": th}}}},
                "joints": {"pivot": {"type": "revolute", "between": ["ground", "table"]}, "axle": {"type": "revolute", "between": ["table.axle",
                        "rotor"]}},
                "drives": {"slow": {"coordinate": "pivot.angle", "motion": f"{W}*t"}, "fast": {"coordinate": "axle.angle", "motion": f"{s}*t"}},
                "motion": {"from": 0, "to": 0.5, "step": 0.01}}
            done = self.ok(model)
            T = W * math.sin(th) * (C * (s + W * math.cos(th)) - A * W * math.cos(th))             # along the axle marker's y = z x a/sin th
            size = abs(T) + m * 10
            F = np.array([-m * W * W * x, -m * W * W * 0.1, m * 9.81])                              # in the table's axes
            B = np.column_stack([[math.cos(th), 0, -math.sin(th)], [0, 1, 0], axle])
            for c, want in zip(sl.COMPONENTS, [*(B.T @ F), 0, T, 0]):
                self.column(done, f"axle.{c}", want, EXACT * size)
            for d in ("slow", "fast"):
                self.column(done, f"{d}.effort", 0, EXACT * size)


# ---- loads
class Loads(Space):
    """Every kind of load in space: each body's balance with the load's wrench worked out in Python."""

    def work(self, kind, seed, loads, extra, columns=None, **keys):
        """on_joint() with these loads instead; extra(b)(state, rates, t) their wrenches; columns(b, state, rates, t) values to be printed"""
        b = on_joint(kind, seed, "own", 1, **keys)
        b.model["loads"] = loads(b)
        bad = []
        done = self.ok(b.model, "inverse", "--frame", "ground")
        plain = {k: x for k, x in b.model.items() if k != "loads"}              # the python sum adds `extra` alone
        moves = sl.Moves(plain, done)
        for i in list(moves.inner):
            out, size = sl.imbalance(moves, done.series, i, b.gravity, extra=lambda s, r, t: extra(b, s, r, t))
            for body, w in out.items():
                if not np.abs(w).max() <= RATES * max(1, size):
                    bad.append(f"t={moves.time[i]:g}: {body} is out of balance by {np.round(w, 8).tolist()} of {size:.3g}")
            if columns:
                for name, want in columns(b, moves.state(i), moves.rates(i), moves.time[i]).items():
                    self.close(bad, name, done.series[name][i], want, RATES * max(1, np.abs(want)))
        return bad

    @staticmethod
    def point(b, state, rates, ref):
        body, p, _ = b.geometry().place(state, ref)
        v = rates[body][0] + np.cross(rates[body][1], p - state[body][0])
        return body, p, v

    def test_spring(self):
        def law(b, state, rates, t):
            (a, pa, va), (c, pc, vc) = (self.point(b, state, rates, x) for x in b.model["loads"]["coil"]["between"])
            u = sl.unit(pc - pa)
            length, rate = np.linalg.norm(pc - pa), u @ (vc - va)
            return a, pa, c, pc, u, 250 * (length - 0.3) + 12 * rate + 1e3 * (length - 0.1)**3 + 2 * rate + math.sin(t)

        def extra(b, state, rates, t):
            a, pa, c, pc, u, F = law(b, state, rates, t)
            W = {}
            sl.add(W, a, pa, F * u, np.zeros(3))
            sl.add(W, c, pc, -F * u, np.zeros(3))
            return W

        def loads(first):
            return lambda b: {"coil": {"type": "spring", "between": [b.marker(first, b.state[first][0] + b.vector(0.6)), b.marker("arm",
                    b.state["arm"][0] + b.vector(0.4))],
                                       "stiffness": 250, "free_length": 0.3, "damping": 12, "force": "1e3*(l-0.1)^3 + 2*l' + sin(t)"}}
        self.each([(f, "spherical", 91, loads(f), extra, lambda b, s, r, t: {"coil.force": law(b, s, r, t)[-1]}) for f in ("ground", "carrier")],
                  self.work)

    def test_torsion_spring(self):
        def law(b, state, rates):
            value, parts = b.geometry().coordinate(state, "test.angle")
            rate = sum(T @ rates[body][1] for body, _, _, T in parts)
            return parts, 7 * (value - 0.2) + 0.4 * rate + 3 * value**3

        def extra(b, state, rates, t):
            parts, T = law(b, state, rates)
            W = {}
            for body, p, F, n in parts:
                sl.add(W, body, p, F, -T * n)
            return W
        loads = lambda b: {"coil": {"type": "torsion-spring", "joint": "test", "stiffness": 7, "free_angle": 0.2, "damping": 0.4,
                                    "torque": "3*test.angle^3"}}

        def job(kind, **keys):
            return self.work(kind, 92, loads, extra, lambda b, s, r, t: {"coil.torque": law(b, s, r)[1]}, **keys)
        self.each([("revolute", "revolute", ), ("cylindrical", "cylindrical")], job)
        self.each([("screw", "screw", 92, loads, extra)], lambda k, n, lo, ex: self.work(k, n, lo, ex, pitch=0.1))

    def test_bushing(self):
        """-k x - c x' along the first's axes at the second marker, and the couple whose potential is k/2 of the rotation vector squared"""
        k, c = [900.0, 400.0, 600.0, 30.0, 20.0, 50.0], [8.0, 5.0, 6.0, 0.5, 0.3, 0.8]

        def law(same):
            def extra(b, state, rates, t):
                kk, cc = (k, c) if not same else ([*k[:3], 25.0, 25.0, 25.0], [*c[:3], 0.0, 0.0, 0.0])
                g = b.geometry()
                (a, p1, R1), (e, p2, R2) = (g.place(state, x) for x in b.model["loads"]["pad"]["between"])
                v1, v2 = (rates[n][0] + np.cross(rates[n][1], p2 - state[n][0]) for n in (a, e))
                x, xd = R1.T @ (p2 - p1), R1.T @ (v2 - v1)
                phi = sl.log(R1.T @ R2)
                H = sl.left_inverse(phi)
                phid = H @ R1.T @ (rates[e][1] - rates[a][1])
                F = -R1 @ (np.array(kk[:3]) * x + np.array(cc[:3]) * xd)
                T = -R1 @ H.T @ (np.array(kk[3:]) * phi + np.array(cc[3:]) * phid)
                W = {}
                sl.add(W, e, p2, F, T)
                sl.add(W, a, p2, -F, -T)
                return W
            return extra

        def loads(same):
            def make(b):
                q = b.state["arm"][0] + b.vector(0.3)
                R = sl.random_rotation(b.rng)
                return {"pad": {"type": "bushing", "between": [b.marker("carrier", q + b.vector(0.1), R), b.marker("arm", q,
                        R @ sl.exp([0.5, -0.4, 0.6]))],
                                  "stiffness": [*k[:3], 25, 25, 25] if same else k, "damping": [*c[:3], 0, 0, 0] if same else c}}
            return make
        self.each([("equal torsional stiffnesses", "spherical", 93, loads(True), law(True)), ("six stiffnesses", "spherical", 93, loads(False),
                                                                                              law(False)),
                   ("six stiffnesses, other joint", "inline", 94, loads(False), law(False))], self.work)

    def test_force_and_torque(self):
        def job(kind, frame):
            def values(b, state, t):
                g = b.geometry()
                angle = g.coordinate(state, "test.angle")[0]
                y = g.coordinate(state, f"y({b.model['loads']['push']['to']})")[0]
                F, T = np.array([10 * math.sin(3 * t), 5 * y, 4.0]), np.array([2 * math.cos(t), -3 * angle, 1.0])
                return F, T

            def extra(b, state, rates, t):
                F, T = values(b, state, t)
                body, p, _ = b.geometry().place(state, b.model["loads"]["push"]["to"])
                R = state["arm"][1] if frame == "body" else np.eye(3)
                W = {}
                sl.add(W, body, p, R @ F, R @ T)
                return W

            def loads(b):
                P = b.marker("arm", b.state["arm"][0] + b.vector(0.5), sl.random_rotation(b.rng))
                return {"push": {"type": "force", "to": P, "value": ["10*sin(3*t)", f"5*y({P})", 4], "frame": frame},
                        "twist": {"type": "torque", "to": "arm", "value": ["2*cos(t)", "-3*test.angle", 1], "frame": frame}}

            def columns(b, state, rates, t):
                F, T = values(b, state, t)
                return {**{f"push.F{c}": F[i] for i, c in enumerate("xyz")}, **{f"twist.T{c}": T[i] for i, c in enumerate("xyz")}}
            return self.work(kind, 95, loads, extra, columns if frame == "ground" else None)
        self.each([(f"{k} {f}", k, f) for k in ("revolute", "cylindrical") for f in ("ground", "body")], job)

    def test_field_and_energy(self):
        def field(b, state, rates, t):
            W, g = {}, b.geometry()
            for body in g.names:
                r, R = state[body]
                x, y, z = r + R @ g.centroid[body]
                sl.add(W, body, np.array([x, y, z]), g.mass[body] * np.array([3 * y * z, math.sin(x) - t, z * z + x]), np.zeros(3))
            return W

        def energy(b, state, rates, t):
            W, g = {}, b.geometry()
            P, Q = b.model["points"] if "points" in b.model else self.points[id(b.model)]
            x, d = g.coordinate(state, f"x({P})"), g.coordinate(state, f"distance({P}, {Q})")
            a, z = g.coordinate(state, "test.angle"), g.coordinate(state, f"z({Q})")
            for (_, parts), slope in ((x, 80 * (x[0] - 0.1)), (d, 2 * a[0] * d[0]), (a, d[0]**2 + math.cos(a[0]) * z[0]), (z, math.sin(a[0]))):
                for body, p, F, T in parts:
                    sl.add(W, body, p, -slope * F, -slope * T)
            return W

        def well(b):
            P, Q = (b.marker(n, b.state[n][0] + b.vector(0.5)) for n in ("arm", "carrier"))
            self.points[id(b.model)] = P, Q
            return {"well": {"type": "energy", "value": f"0.5*80*(x({P}) - 0.1)^2 + test.angle*distance({P}, {Q})^2 + sin(test.angle)*z({Q})"}}

        def value(b, state, rates, t):
            g, (P, Q) = b.geometry(), self.points[id(b.model)]
            x, d, a, z = (g.coordinate(state, n)[0] for n in (f"x({P})", f"distance({P}, {Q})", "test.angle", f"z({Q})"))
            return {"well.energy": 40 * (x - 0.1)**2 + a * d * d + math.sin(a) * z}
        self.points = {}
        tide = lambda b: {"tide": {"type": "field", "acceleration": ["3*y*z", "sin(x) - t", "z^2 + x"]}}     # noqa: E731
        self.each([("field", "cylindrical", 96, tide, field), ("energy", "cylindrical", 97, well, energy, value)], self.work)

    def test_damping_of_joints(self):
        """a number per free coordinate: against its rate"""
        def job(kind, coordinates, constants, keys):
            def extra(b, state, rates, t):
                W, g = {}, b.geometry()
                for c, d in zip(coordinates, constants):
                    parts = g.coordinate(state, f"test.{c}")[1]
                    rate = 0.0
                    for body, p, F, T in parts:
                        rate += F @ (rates[body][0] + np.cross(rates[body][1], p - state[body][0])) + T @ rates[body][1]
                    for body, p, F, T in parts:
                        sl.add(W, body, p, -d * rate * F, -d * rate * T)
                return W

            def loads(b):
                b.model["joints"]["test"]["damping"] = constants if len(constants) > 1 else constants[0]
                return {}
            return self.work(kind, 98, loads, extra, **keys)
        self.each([("revolute", "revolute", ["angle"], [0.7], {}), ("prismatic", "prismatic", ["distance"], [30.0], {}), ("screw", "screw", ["angle"],
                [0.7], {"pitch": 0.2}),
                   ("cylindrical", "cylindrical", ["distance", "angle"], [20.0, 0.8], {}), ("spherical", "spherical", ["rx", "ry", "rz"],
                                                                                            [0.7, 0.4, 0.9], {}),
                   ("planar", "planar", ["x", "y", "rz"], [20.0, 30.0, 0.9], {}), ("parallel", "parallel", ["x", "y", "z", "rz"], [20.0, 30.0, 10.0,
                           0.9], {}),
                   ("inline", "inline", ["z", "rx", "ry", "rz"], [20.0, 0.3, 0.5, 0.9], {}),
                   ("inplane", "inplane", ["x", "y", "rx", "ry", "rz"], [20.0, 25.0, 0.3, 0.5, 0.9], {}),
                   ("general", "general", ["y", "z", "ry"], [20.0, 25.0, 0.6], {"locked": ["x", "rx", "rz"]})], job)

    def test_rotating_frame(self):
        """a mechanism on a turntable that turns as told, seen from outside; and the same on ground, seen in the turning frame: the same
        motors' efforts and reactions in the joints' axes"""
        def job(seed, motion, speed):
            b = on_joint("cylindrical", seed, "own")
            b.model["gravity"] = [0, 0, 0]
            b.model["loads"] = {"twist": {"type": "torque", "to": "arm", "value": [1, 2, -1], "frame": "body"}}
            axis, center = sl.unit(b.vector()), b.vector(0.6)
            inside = sl.copy(b.model)
            inside["loads"]["spin"] = {"type": "rotating-frame", "speed": speed, "axis": list(2 * axis), "center": list(center)}
            outside = sl.copy(b.model)
            for j in outside["joints"].values():
                j["between"] = [r.replace("ground.", "table.") for r in j["between"]]
            R = sl.frame(axis, b.rng)
            place = {"at": list(center), "rotate": {"quaternion": list(sl.quaternion(R))}}
            outside["bodies"]["table"] = {"mass": 1, "inertia": [0.1, 0.1, 0.1], "markers": {**b.model["bodies"]["ground"]["markers"], "axle": place}}
            outside["bodies"]["ground"] = {"markers": {"axle": place}}
            outside["joints"]["axle"] = {"type": "revolute", "between": ["ground.axle", "table.axle"]}
            outside["drives"]["turn"] = {"coordinate": "axle.angle", "motion": motion}
            one, two, bad = self.ok(inside), self.ok(outside), []
            size = max(1.0, max(np.abs(x).max() for n, x in two.series.items() if n.split(".")[0] in b.model["joints"]))
            for n, x in one.series.items():
                if n.split(".")[0] in (*b.model["joints"], *b.model["drives"]):
                    self.close(bad, n, x, two.series[n], EXACT * 10 * size)
            return bad
        self.each([("steady", 101, "3*t", "3"), ("changing", 102, "0.5*t + 0.8*sin(2*t)", "0.5 + 1.6*cos(2*t)"), ("fast", 103, "-20*t + t^2",
                "-20 + 2*t")], job)


# ---- assembly
class Assembly(Space):
    """Far starts either assemble, or it is said that they do not; never a wrong pose in silence."""

    def assembled(self, model, start, done):
        g = sl.Geometry(model)
        moves = sl.Moves(model, done)
        for i in (0, len(moves.time) - 1):
            state = moves.state(i)
            for joint in model["joints"]:
                off = np.abs(g.error(state, joint, start)).max()
                self.assertLess(off, 1e-8, f"{joint} is off by {off:.3g} at t = {moves.time[i]:g}")
            for d, drive in model["drives"].items():
                value = g.coordinate(state, drive["coordinate"])[0]
                want = eval(drive["motion"], {"sin": math.sin, "t": moves.time[i], "pi": math.pi})
                self.assertLess(abs(math.remainder(value - want, 2 * math.pi)), 1e-8, f"{d}")

    def failure(self, done):
        self.assertEqual(done.code, 1, done.said())
        self.assertRegex(done.err.lower(), "no assembly found")

    @cli.long
    def test_one_body_turned_far(self):
        """hung on a driven joint the pose is determined, so a start turned by 100 to 180 degrees and moved by a metre finds just that"""
        def work(kind, seed, angle, keys):
            b = on_joint(kind, seed, "own", 1, **keys)
            start = b.geometry().start()
            reference = self.ok(b.model)
            model = sl.copy(b.model)
            axis = np.random.default_rng(seed).normal(size=3)
            R = sl.turn(axis, math.radians(angle)) @ b.state["arm"][1]
            model["bodies"]["arm"]["pose"] = {"at": list(b.state["arm"][0] + 0.5 * sl.unit(axis)), "rotate": {"quaternion": list(sl.quaternion(R))}}
            if kind == "screw":                                                 # its phase is that of the starting pose
                return []
            done = cli.run_model(model, "inverse")
            if done.code:
                self.failure(done)
                return [f"does not assemble: {done.err.strip()[-200:]}"]
            self.assembled(model, start, done)
            for c in ("x", "y", "z"):
                self.near(done.series[f"arm.{c}"], reference.series[f"arm.{c}"], 1e-8, c)
            return []
        jobs = [(f"{kind} {keys.get('locked', '')} {angle}", kind, 111 + k, angle, keys) for kind, keys in
                (("revolute", {}), ("prismatic", {}), ("cylindrical", {}), ("fixed", {}), ("planar", {}), ("parallel", {}), ("spherical", {}),
                 ("general", {"locked": ["x", "y", "z", "rx", "rz"]}))
                for k, angle in enumerate((100, 140, 170, 179))]
        self.each(jobs, work)

    def test_antiparallel_start(self):
        """a start with exactly opposite axes ends with equal ones, and says that it was turned over"""
        for kind in ("revolute", "prismatic", "cylindrical", "fixed", "parallel", "planar", "screw"):
            for axis in ([1, 0, 0], [0, 1, 0], [1, 2, 0]):
                with self.subTest(kind, axis=axis):
                    model = {"roberval": 1, "space": "spatial", "bodies": {"part": {"mass": 1, "inertia": [1, 1, 1], "pose": {"rotate": {"axis": axis,
                            "angle": math.pi}}}},
                             "joints": {"pin": {"type": kind, "between": ["ground", "part"], **({"pitch": 0.1} if kind == "screw" else {})}},
                             "drives": {}, "motion": {"from": 0, "to": 0.1, "step": 0.1}}
                    for c in {"revolute": ["angle"], "prismatic": ["distance"], "cylindrical": ["angle", "distance"], "screw": ["angle"],
                              "planar": ["x", "y", "rz"],
                              "parallel": ["x", "y", "z", "rz"], "fixed": []}[kind]:
                        model["drives"][f"d_{c}"] = {"coordinate": f"pin.{c}", "motion": "0.3"}
                    done = cli.run_model(model, "inverse", quiet=False)
                    if done.code == 1:
                        self.failure(done)
                        self.assertIn(kind, ("fixed", "prismatic"), "where a turn about the axis is free it is no obstacle")
                        continue
                    self.assertEqual(done.code, 0, done.said())
                    R = sl.matrix([done.series[f"part.q{c}"][0] for c in "wxyz"])
                    self.assertGreater(R[2, 2], 1 - 1e-12, "the axes point the same way")
                    notes = " ".join(str(n) for n in done.result["notes"]) + done.err
                    self.assertRegex(notes, "'part'.*turned")

    def test_loops_from_far(self):
        """a spatial four-bar whose rod and rocker start turned: right, or said"""
        found = 0
        for seed in range(121, 127):
            b = four_bar(seed, plane=False)
            start = b.geometry().start()
            for angle in (20, 60, 100, 150):
                model = sl.copy(b.model)
                rng = np.random.default_rng([seed, angle])
                for name in ("rod", "rocker"):
                    R = sl.turn(rng.normal(size=3), math.radians(angle)) @ b.state[name][1]
                    model["bodies"][name]["pose"]["rotate"] = {"quaternion": list(sl.quaternion(R))}
                with self.subTest(seed=seed, angle=angle):
                    done = cli.run_model(model, "inverse")
                    if done.code == 0:
                        self.assembled(model, start, done)
                        found += 1
                    else:
                        self.failure(done) if "no assembly found" in done.err.lower() else self.assertIn(done.code, (1,), done.said())
        self.assertGreaterEqual(found, 12, "half of them assemble")


class Drawings(unittest.TestCase):
    """space_laws.py under its own laws (runs without the program)."""

    def test_rotations(self):
        rng = np.random.default_rng(1)
        for _ in range(20):
            v, w = rng.normal(size=3), rng.normal(size=3)
            R = sl.random_rotation(rng)
            np.testing.assert_allclose(sl.exp(sl.log(R)), R, atol=1e-13)
            np.testing.assert_allclose(sl.matrix(sl.quaternion(R)), R, atol=1e-13)
            h = 1e-6
            rate = (sl.log(sl.exp(h * w) @ sl.exp(v)) - sl.log(sl.exp(-h * w) @ sl.exp(v))) / (2 * h)
            if np.linalg.norm(v) < 2.8:
                np.testing.assert_allclose(sl.left_inverse(v) @ w, rate, atol=1e-8)
        np.testing.assert_allclose(sl.euler("zyx", [0.1, 0.2, 0.3]), sl.turn([0, 0, 1], 0.1) @ sl.turn([0, 1, 0], 0.2) @ sl.turn([1, 0, 0], 0.3))

    def test_differences(self):
        """sin 3t at a step of 0.03: first 1e-12, second 1e-10"""
        t = 0.03 * np.arange(13) + 0.2
        self.assertLess(abs(sl.FIRST @ np.sin(3 * t) / 0.03 - 3 * math.cos(3 * t[6])), 1e-11)
        self.assertLess(abs(sl.SECOND @ np.sin(3 * t) / 0.03**2 + 9 * math.sin(3 * t[6])), 1e-10)

    def test_drawn_poses_are_assembled(self):
        for name, (make, _) in MECHANISMS.items():
            g = make(1).geometry()
            for joint in g.model["joints"]:
                self.assertLess(np.abs(g.error(g.start(), joint, g.start())).max(), 1e-12, f"{name} {joint}")

    def test_unit_wrenches_are_gradients(self):
        """each coordinate's wrench against differences of its value under a small twist of one body"""
        for kind, keys in KINDS:
            b = on_joint(kind, 9, "own", 1, **keys)
            g, state, h = b.geometry(), b.geometry().start(), 1e-6
            rng = np.random.default_rng(2)
            for d in b.model["drives"].values():
                for body in g.names:
                    v, w = rng.normal(size=3), rng.normal(size=3)
                    r, R = state[body]
                    name = d["coordinate"]
                    if name.startswith("test") and name.split(".")[1] in ("angle", "rx", "ry", "rz") and g.single_axis("test") is not None:
                        w = g.pair(state, "test")[2][:, 2 if name.endswith("angle") else sl.AXES[name.split(".")[1]]]    # on the joint's manifold
                    if name == "mount.angle":
                        w = g.pair(state, "mount")[2][:, 2]
                    ends = [g.coordinate({**state, body: (r + k * h * v, sl.exp(k * h * w) @ R)}, name)[0] for k in (1, -1)]
                    power = sum(F @ (v + np.cross(w, p - r)) + T @ w for n, p, F, T in g.coordinate(state, name)[1] if n == body)
                    self.assertLess(abs((ends[0] - ends[1]) / (2 * h) - power), 1e-7, f"{kind} {name} {body}")


if __name__ == "__main__":
    cli.main()
