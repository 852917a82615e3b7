"""Random planar mechanisms, always assembled, and the rewritings of a model that must not change its answer.

A mechanism is drawn in its assembled state (body poses, joint points and directions on the ground plane); markers follow by
going into the bodies.  So every drawing closes exactly, whatever its topology.  Draws near a singular state are rejected by
the caller with planar.Mechanism.condition().
"""
import copy
import json
import math
import re

import numpy as np

import planar


def rotation(p):
    c, s = math.cos(p), math.sin(p)
    return np.array([[c, -s], [s, c]])


def wrapped(a):
    return (a + math.pi) % (2 * math.pi) - math.pi


class Builder:
    def __init__(self, rng, offset=True):
        self.rng, self.offset = rng, offset
        self.pose, self.model = {"ground": np.zeros(3)}, {
            "roberval": 1, "space": "planar", "gravity": [0.0, -9.81],
            "bodies": {"ground": {"markers": {}}}, "joints": {}, "drives": {}, "loads": {}}
        self.count = 0

    def body(self, name, at, angle=None, particle=False):
        rng = self.rng
        angle = rng.uniform(-2.5, 2.5) if angle is None else angle
        if particle:
            angle = 0.0
        self.pose[name] = np.array([at[0], at[1], angle])
        c = (rng.normal(0, 0.15, 2) if self.offset and not particle else np.zeros(2)).tolist()
        spec = {"mass": rng.uniform(0.5, 3.0), "pose": {"at": [float(at[0]), float(at[1])], "angle": float(angle)},
                "markers": {"G": list(c)}}
        if particle:
            spec["particle"] = True
            spec["pose"].pop("angle")
        else:
            spec["centroid"], spec["inertia"] = c, rng.uniform(0.05, 0.5)
        self.model["bodies"][name] = spec
        return name

    def marker(self, body, point, direction=None):
        """A marker of body at a point (and direction) of the ground plane; returns its reference."""
        self.count += 1
        name, (x, y, p) = f"m{self.count}", self.pose[body]
        at = (rotation(-p) @ (np.asarray(point, float) - [x, y])).tolist()
        self.model["bodies"][body]["markers"][name] = at if direction is None else {"at": at, "angle": float(direction - p)}
        return f"{body}.{name}"

    def joint(self, kind, a, b, point, direction=None, second=None, **keys):
        """second: another point (and direction) for the second marker; else the same."""
        name = f"J{len(self.model['joints']) + 1}"
        rng = self.rng
        if kind in ("revolute",):
            direction = rng.uniform(-3, 3) if rng.random() < 0.5 else None
            ends = [self.marker(a, point, direction), self.marker(b, point, rng.uniform(-3, 3) if rng.random() < 0.5 else None)]
        else:
            p2, d2 = second if second is not None else (point, direction)
            ends = [self.marker(a, point, direction), self.marker(b, p2, d2)]
        self.model["joints"][name] = {"type": kind, "between": ends, **keys}
        return name

    def revolute(self, a, b, p):
        return self.joint("revolute", a, b, p)

    def prismatic(self, a, b, p, direction, slide):
        p = np.asarray(p, float)
        return self.joint("prismatic", a, b, p, direction, (p + slide * rotation(direction)[:, 0], direction))

    def slot(self, a, b, p, direction, slide, value=0.0):
        p = np.asarray(p, float)
        e = rotation(direction)
        keys = {"value": value} if value else {}
        return self.joint("slot", a, b, p, direction, (p + e @ [slide, value], None), **keys)

    def link(self, a, p, b, q, given=True):
        keys = {"length": float(np.hypot(*(np.asarray(q, float) - p)))} if given else {}
        return self.joint("link", a, b, p, self.rng.uniform(-3, 3), (q, None), **keys)

    def start(self, coordinate):
        m = copy.deepcopy(self.model)
        m["drives"], m["loads"] = {}, {}
        mech = planar.Mechanism(m)
        return float(planar.value(mech.expression(coordinate)(mech.environment(list(mech.q0), 0.0))))

    def drive(self, coordinate, size=1.0, turns=0):
        """A smooth prescribed motion from the assembled value."""
        rng, name = self.rng, f"D{len(self.model['drives']) + 1}"
        c0 = self.start(coordinate) + 2 * math.pi * turns
        a, b, c = rng.uniform(-1.5, 1.5) * size, rng.uniform(-3, 3) * size, rng.uniform(-0.1, 0.1) * size
        w = rng.uniform(3, 9)
        self.model["drives"][name] = {"coordinate": coordinate,
                                      "motion": f"{c0!r} + {a!r}*t + {b!r}*t^2 + {c!r}*sin({w!r}*t)".replace("+ -", "- ")}
        return name

    def load(self, kind, **keys):
        name = f"L{len(self.model['loads']) + 1}"
        self.model["loads"][name] = {"type": kind, **keys}
        return name

    def random_loads(self, springs=2):
        rng = self.rng
        names = [n for n in self.pose if n != "ground"]
        turning = [n for n in names if "particle" not in self.model["bodies"][n]]
        for _ in range(springs):
            a, b = rng.choice(list(self.pose), 2, replace=False)
            keys = {"between": [self.marker(a, self.pose[a][:2] + rng.normal(0, 0.3, 2)),
                                self.marker(b, self.pose[b][:2] + rng.normal(0, 0.3, 2) + [0.4, 0.5])],
                    "stiffness": rng.uniform(20, 200), "free_length": rng.uniform(0.2, 0.8)}
            if rng.random() < 0.6:
                keys["damping"] = rng.uniform(1, 10)
            if rng.random() < 0.4:
                keys["force"] = f"{rng.uniform(5, 20)!r}*l^2 - {rng.uniform(0, 2)!r}*l' + 3*cos(4*t)"
            self.load("spring", **keys)
        revolutes = [n for n, j in self.model["joints"].items() if j["type"] == "revolute"]
        if revolutes and rng.random() < 0.7:
            j = str(rng.choice(revolutes))
            keys = {"joint": j, "stiffness": rng.uniform(1, 10), "free_angle": rng.uniform(-1, 1), "damping": rng.uniform(0, 1)}
            if rng.random() < 0.5:
                keys["torque"] = f"0.5*{j}.angle^3 - 0.2*{j}.angle' + sin(3*t)"
            self.load("torsion-spring", **keys)
        b = str(rng.choice(names))
        self.load("force", to=self.marker(b, self.pose[b][:2] + rng.normal(0, 0.3, 2)),
                  value=[rng.uniform(-20, 20), f"{rng.uniform(-20, 20)!r}*cos(3*t)"], frame="ground")
        if turning:
            b = str(rng.choice(turning))
            self.load("force", to=self.marker(b, self.pose[b][:2] + rng.normal(0, 0.3, 2)),
                      value=[f"5 - {rng.uniform(0, 9)!r}*t", rng.uniform(-20, 20)], frame="body")
            self.load("torque", to=str(rng.choice(turning)), value=f"{rng.uniform(-5, 5)!r} + 2*sin(5*t)")

    def finish(self, span=0.1, step=0.02, perturb=0.01):
        """Outputs for every body, the motion, and poses that are only nearly assembled."""
        m = self.model
        m["motion"] = {"from": 0.0, "to": span, "step": step}
        m["output"] = {}
        for b in self.pose:
            if b == "ground":
                continue
            m["output"].update({f"vx_{b}": f"x({b}.G)'", f"vy_{b}": f"y({b}.G)'", f"ax_{b}": f"x({b}.G)''", f"ay_{b}": f"y({b}.G)''"})
            if "particle" not in m["bodies"][b]:
                m["output"].update({f"w_{b}": f"angle({b})'", f"al_{b}": f"angle({b})''"})
        for name, d in m["drives"].items():
            m["output"]["r_" + name] = d["coordinate"] + "'"
            m["output"]["p_" + name] = f"{name}.effort*{d['coordinate']}'"
        if perturb and not any(needs_exact_pose(j) for j in m["joints"].values()):
            for b, spec in m["bodies"].items():
                if b != "ground":
                    pose = spec["pose"]
                    pose["at"] = (np.array(pose["at"]) + self.rng.uniform(-perturb, perturb, 2)).tolist()
                    if "angle" in pose:
                        pose["angle"] += float(self.rng.uniform(-perturb, perturb))
        if not m["loads"]:
            del m["loads"]
        return m


def needs_exact_pose(joint):
    """Gears take their phase, links without length their length, from the starting pose."""
    return joint["type"] == "gear" or joint["type"] in ("link", "distance") and "length" not in joint


# ---------------------------------------------------------------- drawings

def four_bar(rng):
    b = Builder(rng)
    A, B, P, Q = np.array([0, 0.]), np.array([1.0, 0.1]), rng.uniform([-.2, .3], [.2, .6]), rng.uniform([.9, .6], [1.3, 1.1])
    for n, at in (("crank", (A + P) / 2), ("coupler", P + [.3, .3]), ("rocker", (B + Q) / 2)):
        b.body(n, at)
    b.revolute("ground", "crank", A), b.revolute("crank", "coupler", P), b.revolute("rocker", "coupler", Q), b.revolute("ground", "rocker", B)
    b.drive("J1.angle", turns=int(rng.integers(-2, 3)))
    b.random_loads()
    return b.finish()


def slider_crank(rng):
    b = Builder(rng)
    P, S, d = rng.uniform([.1, .3], [.4, .5]), rng.uniform([.9, -.1], [1.4, .2]), rng.uniform(-.3, .3)
    b.body("crank", P / 2), b.body("rod", (P + S) / 2), b.body("slider", S)
    b.revolute("ground", "crank", [0, 0]), b.revolute("crank", "rod", P), b.revolute("rod", "slider", S)
    b.prismatic("ground", "slider", S - 0.7 * rotation(d)[:, 0], d, 0.7)
    b.drive(rng.choice(["J1.angle", "J4.distance", "angle(rod)"]))
    b.random_loads()
    return b.finish()


def pin_in_slot(rng):
    b = Builder(rng)
    P = rng.uniform([.3, .2], [.6, .5])
    O = np.array([1.2, -.2])
    d = math.atan2(*(P - O)[::-1])
    b.body("crank", P / 2), b.body("lever", (P + O) / 2)
    b.revolute("ground", "crank", [0, 0]), b.revolute("ground", "lever", O)
    off = rng.uniform(-.1, .1)
    b.slot("lever", "crank", P - rotation(d) @ [.4, off], d, .4, off)
    b.drive(rng.choice(["J1.angle", "J2.angle", "angle(lever)"]))
    b.random_loads()
    return b.finish()


def sleeve(rng):
    """Inverted slider: a bar slides through a turning sleeve (D3)."""
    b = Builder(rng)
    P, O = rng.uniform([.2, .4], [.4, .7]), np.array([1.1, .2])
    d = math.atan2(*(O - P)[::-1])
    b.body("crank", P / 2), b.body("bar", (P + O) / 2), b.body("sleeve", O)
    b.revolute("ground", "crank", [0, 0]), b.revolute("crank", "bar", P), b.revolute("ground", "sleeve", O)
    b.prismatic("bar", "sleeve", P, d, float(np.hypot(*(O - P))))
    b.drive("J1.angle")
    b.random_loads()
    return b.finish()


def watt(rng):
    """Six-bar: four-bar plus a dyad on the rocker (D6)."""
    b = Builder(rng)
    A, B, P, Q = np.array([0, 0.]), np.array([1.0, 0.]), rng.uniform([-.1, .4], [.1, .5]), rng.uniform([1., .7], [1.2, .9])
    C, R, S = np.array([2.0, -.1]), rng.uniform([1.3, .4], [1.5, .6]), rng.uniform([1.9, .7], [2.3, 1.0])
    for n, at in (("crank", P / 2), ("coupler", (P + Q) / 2), ("rocker", (B + Q) / 2), ("arm", (R + S) / 2), ("swing", (S + C) / 2)):
        b.body(n, at)
    for x, y, p in (("ground", "crank", A), ("crank", "coupler", P), ("coupler", "rocker", Q), ("ground", "rocker", B),
                    ("rocker", "arm", R), ("arm", "swing", S), ("swing", "ground", C)):
        b.revolute(x, y, p)
    b.drive("J1.angle", size=0.6)
    b.random_loads(3)
    return b.finish()


def tree(rng):
    """A branching chain of revolutes, slides and one weld; every freedom driven."""
    b = Builder(rng)
    at, names = {"ground": np.zeros(2)}, ["ground"]
    for k in range(5):
        parent = str(rng.choice(names[-3:]))
        name = f"b{k}"
        p = at[parent] + rng.uniform(-.5, .5, 2)
        at[name] = p + rng.uniform(-.4, .4, 2)
        b.body(name, at[name])
        kind = "fixed" if k == 3 else rng.choice(["revolute", "revolute", "prismatic"])
        if kind == "revolute":
            j = b.revolute(parent, name, p)
            b.drive(f"{j}.angle", turns=int(rng.integers(-1, 2)))
        elif kind == "prismatic":
            j = b.prismatic(parent, name, p, rng.uniform(-3, 3), rng.uniform(.2, .6))
            b.drive(f"{j}.distance", size=.3)
        else:
            b.joint("fixed", parent, name, p, rng.uniform(-3, 3))
        names.append(name)
    b.random_loads(3)
    return b.finish()


def linked(rng):
    """Two levers coupled by a massless bar, a third body on two bars and a guide; a ram between them."""
    b = Builder(rng)
    b.body("one", [.2, .3]), b.body("two", [1.2, .3]), b.body("top", [.8, 1.2])
    b.revolute("ground", "one", [0, 0]), b.revolute("ground", "two", [1, 0])
    b.link("one", rng.uniform([.2, .4], [.4, .6]), "two", rng.uniform([1.2, .5], [1.4, .7]))
    b.link("one", rng.uniform([0, .6], [.2, .8]), "top", rng.uniform([.5, 1.1], [.6, 1.3]))
    b.link("ground", [1.8, .8], "top", rng.uniform([1.1, 1.0], [1.2, 1.2]))
    b.slot("ground", "top", [.6, 1.6], rng.uniform(-.3, .3), .3)
    a, c = b.marker("one", [.3, .2]), b.marker("ground", [.9, -.4])
    b.drive(f"distance({c}, {a})", size=.4)
    b.random_loads()
    return b.finish()


def held_by_coordinates(rng):
    """x, y, angle and parallel joints, and absolute drives."""
    b = Builder(rng)
    b.body("table", [.3, .4]), b.body("tool", [.9, .7])
    d = rng.uniform(-1, 1)
    e = rotation(d)
    p, q = np.array([.1, .2]), np.array([.4, .6])
    b.joint("y", "ground", "table", p, d, (q, None), value=float((rotation(-d) @ (q - p))[1]))
    b.joint("parallel", "ground", "table", [.5, .1], d + .4, ([.2, .3], d + .4))
    p, q = np.array([.5, .3]), np.array([.8, .6])
    b.joint("x", "table", "tool", p, d - .3, (q, None), value=float((rotation(.3 - d) @ (q - p))[0]))
    b.drive("x(table.G)" if abs(math.cos(d)) > .4 else "y(table.G)", size=.3)
    b.drive("angle(tool)", size=.5)
    b.drive("J3.y", size=.3)
    b.random_loads()
    return b.finish()


def geared(rng):
    """A crank drives a wheel on a fixed bearing through a gear, the wheel drives a rocker's coupler."""
    b = Builder(rng)
    r1, r2, d = .3, .5, rng.uniform(-1, 1)
    c2 = (r1 + r2) * rotation(d)[:, 0]
    b.body("pinion", [0, 0]), b.body("wheel", c2), b.body("rod", c2 + [.6, .1]), b.body("block", c2 + [1.2, .0])
    m1, m2 = b.marker("pinion", [0, 0]), b.marker("wheel", c2)
    b.revolute("ground", "pinion", [0, 0]), b.revolute("ground", "wheel", c2)
    b.model["joints"]["mesh"] = {"type": "gear", "between": [m1, m2], "radii": [r1, r2],
                                 "pressure_angle": float(rng.choice([0.0, math.radians(20)]))}
    P = c2 + rotation(rng.uniform(1, 2)) @ [.25, 0]
    S = c2 + [1.2, .0]
    b.revolute("wheel", "rod", P), b.revolute("rod", "block", S), b.prismatic("ground", "block", S - [.5, 0], 0.0, .5)
    b.drive("J1.angle")
    b.random_loads()
    return b.finish()


def planetary(rng):
    """Sun, planet and carrier, sun and carrier driven."""
    b = Builder(rng)
    r1, r2, d = .2, .15, rng.uniform(-3, 3)
    c2 = (r1 + r2) * rotation(d)[:, 0]
    b.body("sun", [0, 0]), b.body("planet", c2), b.body("arm", c2 / 2)
    m1, m2 = b.marker("sun", [0, 0]), b.marker("planet", c2)
    b.revolute("ground", "sun", [0, 0]), b.revolute("ground", "arm", [0, 0]), b.revolute("arm", "planet", c2)
    b.model["joints"]["mesh"] = {"type": "gear", "between": [m1, m2], "radii": [r1, r2], "carrier": "arm", "pressure_angle": 0.0}
    b.drive("J1.angle"), b.drive("J2.angle")
    b.random_loads()
    return b.finish()


def graph(rng):
    """Any connected drawing: a random tree of random joints, loops while freedoms remain, drives until none is left."""
    b = Builder(rng)
    n = int(rng.integers(2, 6))
    at, names = {"ground": np.zeros(2)}, ["ground"]
    dof = 0

    def connect(a, c, kinds):
        kind = str(rng.choice(kinds))
        p = (at[a] + at[c]) / 2 + rng.uniform(-.3, .3, 2)
        d = rng.uniform(-3, 3)
        if kind == "revolute":
            b.revolute(a, c, p)
        elif kind == "prismatic":
            b.prismatic(a, c, p, d, rng.uniform(.2, .6))
        elif kind == "slot":
            b.slot(a, c, p, d, rng.uniform(.2, .6))
        elif kind == "link":
            b.link(a, p, c, p + rotation(d) @ [rng.uniform(.4, .8), 0])
        else:
            b.joint("fixed", a, c, p, d)
        return {"revolute": 2, "prismatic": 2, "slot": 1, "link": 1, "fixed": 3}[kind]
    for k in range(n):
        name = f"b{k}"
        parent = str(rng.choice(names))
        at[name] = at[parent] + rng.uniform(-.8, .8, 2)
        b.body(name, at[name])
        dof += 3 - connect(*((parent, name) if rng.random() < .7 else (name, parent)), ["revolute", "revolute", "prismatic", "slot", "link", "fixed"])
        names.append(name)
    for _ in range(int(rng.integers(0, 4))):
        kinds = ["slot", "link"] if dof < 3 else ["revolute", "prismatic", "slot", "link"]
        a, c = (str(x) for x in rng.choice(names, 2, replace=False))
        if dof >= 2:
            dof -= connect(a, c, kinds)
    candidates = []
    for name, j in b.model["joints"].items():
        candidates += {"revolute": [f"{name}.angle"], "prismatic": [f"{name}.distance"], "slot": [f"{name}.x"]}.get(j["type"], [])
    for k in range(n):
        candidates += [f"angle(b{k})", f"x(b{k}.G)", f"y(b{k}.G)"]
    order = [str(c) for c in rng.permutation(candidates)]
    rank = rank_of(b)
    for c in order:
        if rank == 3 * n:
            break
        name = b.drive(c, size=.4)
        new = rank_of(b)
        if new > rank:
            rank = new
        else:
            del b.model["drives"][name]
    if rank < 3 * n or len(b.model["drives"]) != dof:
        raise ArithmeticError("not a regular drawing")
    b.random_loads()
    return b.finish(span=.04, step=.01, perturb=.005)


def rank_of(b):
    m = copy.deepcopy(b.model)
    m["loads"] = {}
    mech = planar.Mechanism(m)
    mech.rows(list(mech.q0), 0.0)
    return mech.rank_and_null(mech.wrench_rows(mech.q0, 0.0))[0]


KINDS = (four_bar, slider_crank, pin_in_slot, sleeve, watt, tree, linked, held_by_coordinates, geared, planetary, graph)


def draw(kind, seed, least=2e-3, tries=40):
    """A mechanism of this kind with its reference solution, well away from singular states."""
    for k in range(tries):
        rng = np.random.default_rng([seed, k, KINDS.index(kind)])
        try:
            model = kind(rng)
            model = json.loads(json.dumps(model, default=float))
            mech = planar.Mechanism(model)
            table = mech.inverse()
        except (ArithmeticError, np.linalg.LinAlgError):
            continue
        if mech.condition() < least or mech.samples[0]["rank"] < len(mech.free):
            continue
        # far from dead centres: smaller steps stay on the same branch, and nothing races (accelerations stay of the order of the drives')
        fine = copy.deepcopy(model)
        fine["motion"]["step"] /= 4
        try:
            other = planar.Mechanism(fine).inverse()
        except (ArithmeticError, np.linalg.LinAlgError):
            continue
        if max(np.abs(other[n][::4] - x).max() for n, x in table.items() if n.endswith((".x", ".y", ".angle"))) < 1e-9 \
                and max(np.abs(v).max() for v in mech.v) < 15:
            return model, mech, table
    raise RuntimeError(f"no regular {kind.__name__} for seed {seed}")


# ---------------------------------------------------------------- rewritings

def each_length(model, f):
    """Apply f to every number of the file that is a length (not inside expressions)."""
    m = copy.deepcopy(model)
    vec = lambda v: [f(x) if isinstance(x, (int, float)) else x for x in v]
    for b in m["bodies"].values():
        for k, mk in b.get("markers", {}).items():
            if isinstance(mk, dict):
                mk["at"] = vec(mk["at"])
            else:
                b["markers"][k] = vec(mk)
        if "centroid" in b:
            b["centroid"] = vec(b["centroid"])
        if "pose" in b and "at" in b["pose"]:
            b["pose"]["at"] = vec(b["pose"]["at"])
    for j in m["joints"].values():
        if "length" in j:
            j["length"] = f(j["length"])
        if "value" in j and j["type"] in ("x", "y", "slot"):
            j["value"] = f(j["value"])
        if "radii" in j:
            j["radii"] = vec(j["radii"])
    for l in m.get("loads", {}).values():
        if "free_length" in l:
            l["free_length"] = f(l["free_length"])
    return m


def each_angle(model, f):
    m = copy.deepcopy(model)
    for b in m["bodies"].values():
        for mk in b.get("markers", {}).values():
            if isinstance(mk, dict) and "angle" in mk:
                mk["angle"] = f(mk["angle"])
        if "angle" in b.get("pose", {}):
            b["pose"]["angle"] = f(b["pose"]["angle"])
    for j in m["joints"].values():
        if "value" in j and j["type"] == "angle":
            j["value"] = f(j["value"])
        if isinstance(j.get("pressure_angle"), float):
            j["pressure_angle"] = f(j["pressure_angle"])
    for l in m.get("loads", {}).values():
        if "free_angle" in l:
            l["free_angle"] = f(l["free_angle"])
    return m


def in_mm_and_deg(model):
    m = each_angle(each_length(model, lambda x: x * 1000.0), math.degrees)
    m["units"] = {"length": "mm", "angle": "deg"}
    return m


def shuffled(model, rng):
    """Another order of bodies, joints, drives and loads."""
    m = copy.deepcopy(model)
    for key in ("bodies", "joints", "drives", "loads", "output"):
        if key in m:
            names = list(m[key])
            m[key] = {n: m[key][n] for n in (names[i] for i in rng.permutation(len(names)))}
    return m


def renamed(model):
    """Bodies, joints, drives, loads, markers under other names: (model, map old -> new)."""
    names = {}
    for key in ("bodies", "joints", "drives", "loads"):
        for n in model.get(key, {}):
            if n != "ground":
                names[n] = f"Q{n}_z"
    markers = {k: f"w_{k}" for b in model["bodies"].values() for k in b.get("markers", {})}

    def text(s):
        s = re.sub(r"\b([A-Za-z]\w*)\.(m\d+|G)\b", lambda x: f"{names.get(x[1], x[1])}.{markers[x[2]]}", s)
        s = re.sub(r"\b([A-Za-z]\w*)\.(angle|distance|x|y|effort)\b", lambda x: f"{names.get(x[1], x[1])}.{x[2]}", s)
        s = re.sub(r"\bangle\(([A-Za-z]\w*)\)", lambda x: f"angle({names.get(x[1], x[1])})", s)
        return names.get(s, s)

    def walk(x):
        if isinstance(x, dict):
            return {k: walk(v) for k, v in x.items()}
        if isinstance(x, list):
            return [walk(v) for v in x]
        return text(x) if isinstance(x, str) else x
    m = {}
    for key, part in model.items():
        if key in ("bodies", "joints", "drives", "loads"):
            m[key] = {names.get(n, n): {k: (v if k == "type" or k == "frame" else walk(v)) for k, v in s.items()} for n, s in part.items()}
        elif key == "output":
            m[key] = {n: text(v) for n, v in part.items()}
        else:
            m[key] = copy.deepcopy(part)
    for b in m["bodies"].values():
        b["markers"] = {markers[k]: v for k, v in b.get("markers", {}).items()}
    return m, names


def moved(model, angle, shift):
    """The whole mechanism with its gravity turned and shifted on the ground.  Only for models whose drives and expressions do not
    speak of ground x, y."""
    m = copy.deepcopy(model)
    R = rotation(angle)
    turn = lambda v: [float(x) for x in R @ np.array(v)]
    place = lambda v: [float(x) for x in R @ np.array(v) + shift]
    for name, b in m["bodies"].items():
        if name == "ground":
            for k, mk in b.get("markers", {}).items():
                at, a = (mk["at"], mk.get("angle", 0.0)) if isinstance(mk, dict) else (mk, 0.0)
                b["markers"][k] = {"at": place(at), "angle": a + angle}
        else:
            b["pose"] = {"at": place(b["pose"]["at"]), **({"angle": b["pose"].get("angle", 0.0) + angle} if not b.get("particle") else {})}
    m["gravity"] = turn(m["gravity"])
    for l in m.get("loads", {}).values():
        if l["type"] == "force" and l.get("frame", "ground") == "ground":
            x, y = (f"({v!r})" if isinstance(v, float) else f"({v})" for v in l["value"])
            c, s = f"({math.cos(angle)!r})", f"({math.sin(angle)!r})"
            l["value"] = [f"{c}*{x} - {s}*{y}", f"{s}*{x} + {c}*{y}"]
    for d in m.get("drives", {}).values():
        if d["coordinate"].startswith("angle("):
            d["motion"] = f"{d['motion']} + ({angle!r})"
        if d["coordinate"].startswith(("x(", "y(")):
            raise ValueError("absolute drive")
    m.pop("output", None)
    return m


def swapped(model, joint):
    """The joint with its bodies exchanged; drives and torsion springs on it follow their coordinate's sign."""
    m = copy.deepcopy(model)
    j = m["joints"][joint]
    j["between"] = j["between"][::-1]
    if "radii" in j:
        j["radii"] = j["radii"][::-1]
    for d in m["drives"].values():
        if d["coordinate"] in (f"{joint}.angle", f"{joint}.distance"):
            d["motion"] = f"-({d['motion']})"
    for l in m.get("loads", {}).values():
        if l.get("joint") == joint:
            l["free_angle"] = -l["free_angle"]
            if "torque" in l:
                l["torque"] = "-(" + l["torque"].replace(f"{joint}.angle'", f"(-{joint}.angle')").replace(
                    f"{joint}.angle^3", f"(-{joint}.angle)^3") + ")"
    return m
