"""Spatial mechanisms drawn at random, and what follows from the printed poses alone: velocities and accelerations by central differences,
free-body sums, the wrenches a joint can carry, least-norm reactions.  No multipliers and no equations of the program are used.

Conventions (docs/conventions.md, docs/decisions/0004): a wrench is (F, T) in ground axes; a joint's acts on its second body at the second marker, the
first receives the opposite about that same point.  Rotations are 3x3 matrices whose columns are the axes in ground.
"""
import json
import math
import re

import numpy as np

COMPONENTS = ("Fx", "Fy", "Fz", "Tx", "Ty", "Tz")
LOCKS = {"revolute": "x y z rx ry", "prismatic": "x y rx ry rz", "translational": "x y rx ry rz", "cylindrical": "x y rx ry", "spherical": "x y z",
         "planar": "z rx ry", "fixed": "x y z rx ry rz", "parallel": "rx ry", "inline": "x y", "inplane": "z", "point": "z", "x": "x", "y": "y", "z": "z"}
AXES = {"x": 0, "y": 1, "z": 2, "rx": 0, "ry": 1, "rz": 2}
COMPONENT = dict(zip(("x", "y", "z", "rx", "ry", "rz"), COMPONENTS))


# ---- rotations
def hat(v):
    return np.array([[0, -v[2], v[1]], [v[2], 0, -v[0]], [-v[1], v[0], 0]], float)


def exp(v):
    v = np.asarray(v, float)
    th = np.linalg.norm(v)
    if th < 1e-12:
        return np.eye(3) + hat(v)
    k = hat(v / th)
    return np.eye(3) + math.sin(th) * k + (1 - math.cos(th)) * k @ k


def turn(axis, angle):
    axis = np.asarray(axis, float)
    return exp(axis / np.linalg.norm(axis) * angle)


def quaternion(R):
    """[w, x, y, z], w >= 0, by the largest of the four squares"""
    four = np.array([1 + R[0, 0] + R[1, 1] + R[2, 2], 1 + R[0, 0] - R[1, 1] - R[2, 2], 1 - R[0, 0] + R[1, 1] - R[2, 2], 1 - R[0, 0] - R[1, 1] + R[2,
            2]])
    i = int(four.argmax())
    s = R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]
    a, b, c = R[0, 1] + R[1, 0], R[0, 2] + R[2, 0], R[1, 2] + R[2, 1]
    q = np.array([[four[0], *s], [s[0], four[1], a, b], [s[1], a, four[2], c], [s[2], b, c, four[3]]][i]) / (2 * math.sqrt(four[i]))
    return q if q[0] >= 0 else -q


def matrix(q):
    w, x, y, z = np.asarray(q, float) / np.linalg.norm(q)
    e = np.array([x, y, z])
    return (w * w - e @ e) * np.eye(3) + 2 * np.outer(e, e) + 2 * w * hat(e)


def log(R):
    w, *e = quaternion(R)
    s = np.linalg.norm(e)
    return 2 * math.atan2(s, w) * np.array(e) / s if s > 1e-14 else 2 * np.array(e)


def left_inverse(v):
    """d(rotation vector)/dt = left_inverse(v) w, w the angular velocity in the axes in which v stands"""
    th = np.linalg.norm(v)
    k = hat(v)
    c = 1 / 12 if th < 1e-4 else 1 / th**2 - (1 + math.cos(th)) / (2 * th * math.sin(th))
    return np.eye(3) - k / 2 + c * k @ k


def euler(word, angles):
    R = np.eye(3)
    for axis, a in zip(word, angles):
        R = R @ turn(np.eye(3)["xyz".index(axis)], a)
    return R


def random_rotation(rng):
    q = rng.normal(size=4)
    return matrix(q)


def unit(v):
    return np.asarray(v, float) / np.linalg.norm(v)


def frame(z, rng=None, x=None):
    """Right-handed axes with this z, and x near the given one (or random)."""
    z = unit(z)
    x = rng.normal(size=3) if x is None else np.asarray(x, float)
    x = unit(x - z * (z @ x))
    return np.column_stack([x, np.cross(z, x), z])


# ---- a model's geometry, read again from its dictionary
def rotation_of(rotate):
    if "axis" in rotate:
        return turn(rotate["axis"], rotate["angle"])
    if "quaternion" in rotate:
        return matrix(rotate["quaternion"])
    return euler(rotate["euler"], rotate["angles"])


def marker_of(m):
    if not isinstance(m, dict):
        return np.array(m, float), np.eye(3)
    at = np.array(m.get("at", [0, 0, 0]), float)
    if "rotate" in m:
        return at, rotation_of(m["rotate"])
    if "axis" not in m:
        return at, np.eye(3)
    z = unit(m["axis"])
    x = m.get("x", [1, 0, 0])
    if np.linalg.norm(np.cross(z, x)) < 1e-9:
        x = [0, 1, 0]
    return at, frame(z, x=x)


def tensor(six):
    a, b, c, d, e, f = list(six) + [0] * (6 - len(six))
    return np.array([[a, d, e], [d, b, f], [e, f, c]], float)


class Geometry:
    def __init__(self, model):
        self.model = model
        self.mass, self.centroid, self.inertia, self.markers, self.particle = {}, {}, {}, {}, {}
        self.names = [b for b in model["bodies"] if b != "ground"]
        for name, b in model["bodies"].items():
            b = b or {}
            self.mass[name] = b.get("mass", 0)
            self.centroid[name] = np.array(b.get("centroid", [0, 0, 0]), float)
            self.inertia[name] = tensor(b.get("inertia", [0, 0, 0]))
            self.particle[name] = b.get("particle", False)
            self.markers[name] = {k: marker_of(m) for k, m in b.get("markers", {}).items()}
        self.markers.setdefault("ground", {})

    def place(self, state, ref):
        """(body, origin, axes) of a marker in ground"""
        body, _, marker = ref.strip().partition(".")
        r, R = state[body]
        at, A = self.markers[body][marker] if marker else (np.zeros(3), np.eye(3))
        return body, r + R @ at, R @ A

    def pair(self, state, joint):
        j = self.model["joints"][joint]
        b1, p1, R1 = self.place(state, j["between"][0])
        b2, p2, R2 = self.place(state, j["between"][1])
        return b1, p1, R1, b2, p2, R2

    def start(self):
        """The poses of the file."""
        state = {"ground": (np.zeros(3), np.eye(3))}
        for name in self.names:
            pose = self.model["bodies"][name].get("pose", {})
            state[name] = np.array(pose.get("at", [0, 0, 0]), float), rotation_of(pose["rotate"]) if "rotate" in pose else np.eye(3)
        return state

    def single_axis(self, joint):
        """The axis of the one free turn, if the joint leaves just one."""
        j = self.model["joints"][joint]
        locks = j["locked"] if j["type"] == "general" else (LOCKS.get(j["type"]) or ("rx ry" if j["type"] == "screw" else "")).split()
        turns = [k for k in ("rx", "ry", "rz") if k not in locks]
        return AXES[turns[0]] if len(turns) == 1 else None

    def coordinate(self, state, name):
        """(value, [(body, point, F, T)]): the value, and the wrench that a unit effort brings to each body."""
        m = re.fullmatch(r"(\w+)\((.*)\)", name)
        if m and m[1] == "distance":
            (a, pa, _), (b, pb, _) = (self.place(state, s) for s in m[2].split(","))
            length = np.linalg.norm(pb - pa)
            u = (pb - pa) / length
            return length, [(b, pb, u, 0 * u), (a, pa, -u, 0 * u)]
        if m:
            b, p, _ = self.place(state, m[2])
            e = np.eye(3)["xyz".index(m[1])]
            return p @ e, [(b, p, e, 0 * e)]
        joint, what = name.split(".")
        b1, p1, R1, b2, p2, R2 = self.pair(state, joint)
        if what in ("distance", "x", "y", "z"):
            e = R1[:, AXES.get(what, 2)]
            return (p2 - p1) @ e, [(b2, p2, e, 0 * e), (b1, p2, -e, 0 * e)]
        Q = R1.T @ R2
        axis = self.single_axis(joint)
        if what == "angle" or axis == AXES[what]:
            axis = 2 if what == "angle" else axis
            w, *e = quaternion(Q)
            value = 2 * math.atan2(e[axis], w)
            value -= 2 * math.pi * round(value / (2 * math.pi))
            T = R1[:, axis]
        else:
            v = log(Q)
            value = v[AXES[what]]
            T = R1 @ left_inverse(v)[AXES[what]]
        return value, [(b2, p2, 0 * T, T), (b1, p2, 0 * T, -T)]

    def span(self, state, joint):
        """6 x n: the wrenches (F, T at the second marker, ground axes) that the joint can carry; None where it is not this table's business."""
        j = self.model["joints"][joint]
        _, p1, R1, _, p2, R2 = self.pair(state, joint)
        o, kind = np.zeros(3), j["type"]
        z1, z2 = R1[:, 2], R2[:, 2]
        locks = j["locked"] if kind == "general" else LOCKS.get(kind, "").split()
        out = [np.r_[R1[:, AXES[k]], o] if k in "xyz" else np.r_[o, R1[:, AXES[k]]] for k in locks]
        if kind in ("universal", "constant-velocity"):
            out = [np.r_[e, o] for e in R1.T]
        if kind in ("universal", "perpendicular"):
            out.append(np.r_[o, unit(np.cross(z1, z2))])
        if kind == "constant-velocity":
            out.append(np.r_[o, unit(z1 + z2)])
        if kind == "screw":
            out = [np.r_[R1[:, 0], o], np.r_[R1[:, 1], o], np.r_[o, R1[:, 0]], np.r_[o, R1[:, 1]], np.r_[z1, -j["pitch"] / (2 * math.pi) * z1]]
        if kind in ("link", "distance"):
            out = [np.r_[unit(p2 - p1), o]]
        return np.array(out).T if out else None

    def error(self, state, joint, start):
        """What the joint holds at zero, written from the words of its kind."""
        j = self.model["joints"][joint]
        _, p1, R1, _, p2, R2 = self.pair(state, joint)
        d, Q = R1.T @ (p2 - p1), R1.T @ R2
        kind = j["type"]
        locks = j["locked"] if kind == "general" else LOCKS.get(kind, "").split()
        out = [d[AXES[k]] - j.get("value", 0) for k in locks if k in "xyz"]
        turns = [AXES[k] for k in locks if k.startswith("r")]
        if len(turns) == 3:
            out += list(log(Q))
        elif len(turns) == 2:
            a = 3 - sum(turns)
            out += [Q[k, a] for k in turns] + [1 - Q[a, a]]                    # the axes agree, and point the same way
        if kind in ("universal", "constant-velocity"):
            out += list(d)
        if kind in ("universal", "perpendicular"):
            out.append(Q[2, 2])
        if kind == "constant-velocity":                                         # seen from either side the other axis leans the same way
            w, *e = quaternion(Q)
            out.append(e[2])
        if kind == "screw":
            out += [d[0], d[1], Q[0, 2], Q[1, 2]]
            _, q1, S1, _, q2, S2 = self.pair(start, joint)
            d0, Q0 = S1.T @ (q2 - q1), S1.T @ S2
            turned = math.atan2(Q[1, 0], Q[0, 0]) - math.atan2(Q0[1, 0], Q0[0, 0])
            turns_now = (d[2] - d0[2]) / j["pitch"]
            out.append(math.remainder(turned - 2 * math.pi * turns_now, 2 * math.pi))
        if kind in ("link", "distance"):
            _, q1, _, _, q2, _ = self.pair(start, joint)
            out.append(np.linalg.norm(p2 - p1) - j.get("length", np.linalg.norm(q2 - q1)))
        return np.array(out)


# ---- rates from samples
def weights(n, order):
    """Of the central difference of this order of derivative over 2 n + 1 samples, for a step of 1."""
    k = np.arange(-n, n + 1, dtype=float)
    A = np.vander(k / n, 2 * n + 1, increasing=True).T
    b = np.zeros(2 * n + 1)
    b[order] = math.factorial(order)
    return np.linalg.solve(A, b) / float(n)**order


HALF = 6                                                                        # 13 samples: error of order step^12
FIRST, SECOND = weights(HALF, 1), weights(HALF, 2)


def quaternion_product(p, q):
    return np.r_[p[0] * q[0] - p[1:] @ q[1:], p[0] * q[1:] + q[0] * p[1:] + np.cross(p[1:], q[1:])]


class Moves:
    """The printed motion: states at every sample, rates at the samples that have HALF neighbours on each side."""

    def __init__(self, model, done):
        self.geometry = Geometry(model)
        s, self.s = done.series, done.series
        self.time = done.time
        self.step = self.time[1] - self.time[0]
        self.inner = range(HALF, len(self.time) - HALF)
        self.r, self.q = {}, {}
        for b in self.geometry.names:
            self.r[b] = np.column_stack([s[f"{b}.{c}"] for c in "xyz"])
            if not self.geometry.particle[b]:
                self.q[b] = np.column_stack([s[f"{b}.q{c}"] for c in "wxyz"])

    def state(self, i):
        out = {"ground": (np.zeros(3), np.eye(3))}
        for b in self.geometry.names:
            out[b] = self.r[b][i], matrix(self.q[b][i]) if b in self.q else np.eye(3)
        return out

    def rates(self, i):
        """body -> (v of the frame's origin, w, a of the origin, alpha)"""
        out = {"ground": (np.zeros(3),) * 4}
        window = slice(i - HALF, i + HALF + 1)
        for b in self.geometry.names:
            v, a = FIRST @ self.r[b][window] / self.step, SECOND @ self.r[b][window] / self.step**2
            w = al = np.zeros(3)
            if b in self.q:
                q = self.q[b][i]
                conj = q * [1, -1, -1, -1]
                w = 2 * quaternion_product(FIRST @ self.q[b][window] / self.step, conj)[1:]
                al = 2 * quaternion_product(SECOND @ self.q[b][window] / self.step**2, conj)[1:]
            out[b] = v, w, a, al
        return out

    def second(self, values, i):
        return SECOND @ values[i - HALF:i + HALF + 1] / self.step**2

    def first(self, values, i):
        return FIRST @ values[i - HALF:i + HALF + 1] / self.step


def add(W, body, point, F, T):
    """Wrenches are summed about ground's origin."""
    if body != "ground":
        W[body] = W.get(body, np.zeros(6)) + np.r_[F, T + np.cross(point, F)]


def inertia_wrench(g, state, rates, gravity):
    """m (a - g) and the rate of spin of each body, about ground's origin."""
    W = {}
    for b in g.names:
        r, R = state[b]
        v, w, a, al = rates[b]
        c = R @ g.centroid[b]
        J = R @ g.inertia[b] @ R.T
        F = g.mass[b] * (a + np.cross(al, c) + np.cross(w, np.cross(w, c)) - gravity)
        add(W, b, r + c, F, J @ al + np.cross(w, J @ w))
    return W


def applied(g, state, rates, t, series=None, i=None):
    """Forces and torques with constant values, and springs: from the model, not from the printed columns."""
    W = {}
    for load in g.model.get("loads", {}).values():
        if load["type"] == "force":
            b, p, _ = g.place(state, load["to"])
            F = np.array(load["value"], float)
            add(W, b, p, state[b][1] @ F if load.get("frame") == "body" else F, np.zeros(3))
        elif load["type"] == "torque":
            b = load["to"]
            T = np.array(load["value"], float)
            add(W, b, state[b][0], np.zeros(3), state[b][1] @ T if load.get("frame") == "body" else T)
        elif load["type"] == "spring":
            (a, pa, _), (b, pb, _) = (g.place(state, s) for s in load["between"])
            va, vb = (rates[k][0] + np.cross(rates[k][1], p - state[k][0]) for k, p in ((a, pa), (b, pb)))
            length = np.linalg.norm(pb - pa)
            u = (pb - pa) / length
            F = load.get("stiffness", 0) * (length - load.get("free_length", 0)) + load.get("damping", 0) * (u @ (vb - va))
            add(W, a, pa, F * u, np.zeros(3))
            add(W, b, pb, -F * u, np.zeros(3))
        else:
            raise ValueError(load["type"])
    return W


def reaction(series, joint, i):
    return np.array([series[f"{joint}.{c}"][i] for c in COMPONENTS])


def imbalance(moves, series, i, gravity, extra=None):
    """(residual of every body, largest wrench that went into it); series in ground axes"""
    g, state, rates = moves.geometry, moves.state(i), moves.rates(i)
    W = inertia_wrench(g, state, rates, gravity)
    size = max(np.abs(w).max() for w in W.values())
    out = {b: -w for b, w in W.items()}
    for b, w in applied(g, state, rates, moves.time[i]).items():
        out[b] = out[b] + w
        size = max(size, np.abs(w).max())
    for b, w in (extra(state, rates, moves.time[i]) if extra else {}).items():
        out[b] = out[b] + w
        size = max(size, np.abs(w).max())
    for joint in g.model["joints"]:
        b1, _, _, b2, p2, _ = g.pair(state, joint)
        w = reaction(series, joint, i)
        add(out, b2, p2, w[:3], w[3:])
        add(out, b1, p2, -w[:3], -w[3:])
        size = max(size, np.abs(w).max())
    for name, drive in g.model.get("drives", {}).items():
        e = series[f"{name}.effort"][i]
        for b, p, F, T in g.coordinate(state, drive["coordinate"])[1]:
            add(out, b, p, e * F, e * T)
        size = max(size, abs(e))
    return out, size


def power(g, state, rates, joint, wrench):
    """of the joint's wrench on the relative motion of its two bodies at the second marker"""
    b1, _, _, b2, p2, _ = g.pair(state, joint)
    v1, v2 = (rates[b][0] + np.cross(rates[b][1], p2 - state[b][0]) for b in (b1, b2))
    return wrench[:3] @ (v2 - v1) + wrench[3:] @ (rates[b2][1] - rates[b1][1])


# ---- drawing mechanisms
class Build:
    """A model as a dictionary, drawn in an assembled state."""

    def __init__(self, seed, gravity=True, step=0.03, samples=17):
        self.rng = np.random.default_rng(seed)
        g = 9.81 * unit(self.rng.normal(size=3)) if gravity else np.zeros(3)
        self.model = {"roberval": 1, "space": "spatial", "gravity": list(g), "bodies": {"ground": {"markers": {}}}, "joints": {}, "drives": {},
                      "loads": {},
                      "motion": {"from": 0, "to": step * (samples - 1), "step": step}}
        self.state = {"ground": (np.zeros(3), np.eye(3))}
        self.count = 0

    @property
    def gravity(self):
        return np.array(self.model["gravity"])

    def vector(self, size=1.0):
        return self.rng.normal(size=3) * size

    def orientation(self, R):
        """The three ways to write it, in turn."""
        self.count += 1
        v = log(R)
        if self.count % 3 == 0 and np.linalg.norm(v) > 1e-3:
            return {"axis": list(unit(v)), "angle": float(np.linalg.norm(v))}
        if self.count % 3 == 1 and abs(R[2, 0]) < 0.99:
            return {"euler": "zyx", "angles": [math.atan2(R[1, 0], R[0, 0]), -math.asin(R[2, 0]), math.atan2(R[2, 1], R[2, 2])]}
        return {"quaternion": list(quaternion(R))}

    def body(self, name, at=None, R=None, mass=None, size=0.3):
        rng = self.rng
        at = self.vector(0.7) if at is None else np.asarray(at, float)
        R = random_rotation(rng) if R is None else R
        points, m = rng.normal(size=(5, 3)) * size, rng.uniform(0.2, 1, 5)
        m *= (rng.uniform(1, 3) if mass is None else mass) / m.sum()
        c = m @ points / m.sum()
        J = sum(k * ((p - c) @ (p - c) * np.eye(3) - np.outer(p - c, p - c)) for k, p in zip(m, points))
        self.model["bodies"][name] = {"mass": float(m.sum()), "centroid": list(c), "inertia": [J[0, 0], J[1, 1], J[2, 2], J[0, 1], J[0, 2], J[1, 2]],
                                      "pose": {"at": list(at), "rotate": self.orientation(R)}, "markers": {}}
        self.state[name] = at, R
        return name

    def marker(self, body, p, R=None):
        r, B = self.state[body]
        at = list(B.T @ (np.asarray(p, float) - r))
        markers = self.model["bodies"][body]["markers"]
        name = f"M{len(markers)}"
        if R is None:
            markers[name] = at
        else:
            A = B.T @ R
            self.count += 1
            axes = {"axis": list(A[:, 2] * 2), "x": list(A[:, 0] + 0.3 * A[:, 2])} if self.count % 2 else {"rotate": self.orientation(A)}
            markers[name] = {"at": at, **axes}
        return f"{body}.{name}"

    def joint(self, name, kind, a, b, p1, R1, p2=None, R2=None, **keys):
        p2, R2 = p1 if p2 is None else p2, R1 if R2 is None else R2
        self.model["joints"][name] = {"type": kind, "between": [self.marker(a, p1, R1), self.marker(b, p2, R2)], **keys}
        return name

    def geometry(self):
        return Geometry(self.model)

    def drive(self, coordinate, size=0.3, name=None, rate=None):
        g = self.geometry()
        value = g.coordinate(g.start(), coordinate)[0]
        w, phase = self.rng.uniform(1, 2.5) if rate is None else rate, self.rng.uniform(0, 6)
        name = name or f"D{len(self.model['drives'])}"
        self.model["drives"][name] = {"coordinate": coordinate, "motion": f"{float(value)!r} + {size!r}*(sin({w!r}*t + {phase!r}) - sin({phase!r}))"}
        return name

    def driven(self, drive, t):
        """The motion that the file writes, at t."""
        return eval(self.model["drives"][drive]["motion"], {"sin": np.sin, "cos": np.cos, "t": t, "pi": math.pi})

    def carrier(self, name="carrier", size=1.0):
        """A body that screws and slides through space as told: the first side of the joint under test."""
        self.body(name)
        R = random_rotation(self.rng)
        p = self.state[name][0] + self.vector(0.2)
        th = float(self.rng.uniform(-1, 1))
        self.joint("mount", "cylindrical", "ground", name, p, R, p + 0.2 * R[:, 2], R @ turn([0, 0, 1], th))
        self.drive("mount.angle", 0.6 * size)
        self.drive("mount.distance", 0.2 * size)
        return name


def drive_matrix(build, joint, body, drives):
    """Wrenches on the body (one of the joint's two) of the joint's span and of the drives: the square matrix that must be regular.  Lengths are
    of about 1 m."""
    g = build.geometry()
    state = g.start()
    r = state[body][0]
    columns = []
    p2 = g.pair(state, joint)[4]
    for w in g.span(state, joint).T:
        columns.append(np.r_[w[:3], w[3:] + np.cross(p2 - r, w[:3])])
    for c in drives:
        columns.append(sum(np.r_[F, T + np.cross(p - r, F)] for b, p, F, T in g.coordinate(state, c)[1] if b == body))
    return np.array(columns).T


def copy(model):
    return json.loads(json.dumps(model))


# ---- least norm
def equilibrium(g, state):
    """(A, local, owner): columns of A are the wrenches on all bodies, about ground's origin, of a unit wrench of each joint's span, then of unit
    drives; local the joint's wrench at its second marker, owner whose it is"""
    rows = {b: 6 * k for k, b in enumerate(g.names)}
    columns, local, owner = [], [], []

    def column(parts):
        a = np.zeros(6 * len(rows))
        W = {}
        for b, p, F, T in parts:
            add(W, b, p, F, T)
        for b, w in W.items():
            a[rows[b]:rows[b] + 6] += w
        return a
    for joint in g.model["joints"]:
        b1, _, _, b2, p2, _ = g.pair(state, joint)
        for w in g.span(state, joint).T:
            columns.append(column([(b2, p2, w[:3], w[3:]), (b1, p2, -w[:3], -w[3:])]))
            local.append(w)
            owner.append(joint)
    for name, d in g.model.get("drives", {}).items():
        columns.append(column(g.coordinate(state, d["coordinate"])[1]))
        local.append(np.zeros(6))
        owner.append(name)
    return np.array(columns).T, np.array(local), owner


def least_norm(g, state, rates, gravity, length, t=0.0, compliance=None):
    """({joint: wrench}, {drive: effort}, {joint: 6 x p self-stress wrenches}, residual) of least sum |F|^2 + |T|^2/L^2; with compliance {joint: six
    numbers in the first's axes} of least sum c w^2 instead, the energy that the joints store"""
    A, local, owner = equilibrium(g, state)
    rows = {b: 6 * k for k, b in enumerate(g.names)}
    f = np.zeros(A.shape[0])
    for b, w in inertia_wrench(g, state, rates, gravity).items():
        f[rows[b]:rows[b] + 6] += w
    for b, w in applied(g, state, rates, t).items():
        f[rows[b]:rows[b] + 6] -= w
    x = np.linalg.lstsq(A, f, rcond=1e-10)[0]
    u, s, vt = np.linalg.svd(A)
    N = vt[np.sum(s > 1e-9 * s[0]):].T
    metric = local / np.r_[1, 1, 1, length, length, length]
    if compliance:
        for k, o in enumerate(owner):
            if o in compliance:
                R1 = g.pair(state, o)[2]
                metric[k] = np.sqrt(compliance[o]) * np.r_[R1.T @ local[k][:3], R1.T @ local[k][3:]]
    joints = list(dict.fromkeys(o for o in owner if o in g.model["joints"]))
    pick = {j: [k for k, o in enumerate(owner) if o == j] for j in joints}
    one = np.eye(len(owner))
    stack = np.vstack([metric[pick[j]].T @ one[pick[j]] for j in joints])
    if N.size:
        x = x - N @ np.linalg.lstsq(stack @ N, stack @ x, rcond=1e-12)[0]
    wrenches = {j: local[k].T @ x[k] for j, k in pick.items()}
    efforts = {d: x[owner.index(d)] for d in g.model.get("drives", {})}
    stress = {j: local[k].T @ N[k] for j, k in pick.items()}
    return wrenches, efforts, stress, np.abs(A @ x - f).max()


# ---- the same mechanism written differently
def shuffled(model, rng):
    m = copy(model)
    for key in ("bodies", "joints", "drives", "loads"):
        names = list(m.get(key, {}))
        rng.shuffle(names)
        m[key] = {n: m[key][n] for n in names}
    return m


def renamed(model):
    """Every name reversed in order of the alphabet; (model, {old: new})"""
    names = {}
    for key in ("bodies", "joints", "drives", "loads"):
        for n in model.get(key, {}):
            if n != "ground":
                names[n] = f"q{97 - len(names)}_{n[::-1]}" if n[-1].isalpha() else f"q{97 - len(names)}_{n}"
    text = json.dumps(model)
    for old, new in names.items():
        text = re.sub(rf'(?<![\w.]){re.escape(old)}(?!\w)(?=[".,) ])', new, text)
    return json.loads(text), names


LENGTH_KEYS = {"at", "pitch", "length", "radii", "radius", "free_length", "value_length", "centroid"}


def in_other_units(model):
    """units: mm, deg, g: lengths times 1000, angles in degrees, masses in grams; what derives from them stays SI."""
    m = copy(model)
    m["units"] = {"length": "mm", "angle": "deg", "mass": "g"}

    def times(x, f):
        return [times(y, f) for y in x] if isinstance(x, list) else x * f

    def rotate(r):
        if "angle" in r:
            r["angle"] = math.degrees(r["angle"])
        if "angles" in r:
            r["angles"] = [math.degrees(a) for a in r["angles"]]
    for b in m["bodies"].values():
        for key, f in (("mass", 1e3), ("centroid", 1e3)):
            if key in b:
                b[key] = times(b[key], f)
        if "pose" in b:
            b["pose"]["at"] = times(b["pose"].get("at", [0, 0, 0]), 1e3)
            rotate(b["pose"].get("rotate", {}))
        for name, k in b.get("markers", {}).items():
            if isinstance(k, list):
                b["markers"][name] = times(k, 1e3)
            else:
                k["at"] = times(k.get("at", [0, 0, 0]), 1e3)
                rotate(k.get("rotate", {}))
    for j in m["joints"].values():
        for key in ("pitch", "length", "radii", "radius"):
            if key in j:
                j[key] = times(j[key], 1e3)
        if j["type"] in "xyz" and "value" in j:
            j["value"] *= 1e3
        for key in ("pressure_angle", "helix_angle"):
            if key in j:
                j[key] = math.degrees(j[key])
    for load in m.get("loads", {}).values():
        if "free_length" in load:
            load["free_length"] *= 1e3
    return m


def turned(model, R, shift=(0, 0, 0)):
    """The whole world turned by R and moved: ground's markers, poses, gravity, loads in ground axes."""
    m = copy(model)
    shift = np.asarray(shift, float)
    m["gravity"] = list(R @ model["gravity"])
    for name, b in m["bodies"].items():
        if name == "ground":
            for k, marker in b.get("markers", {}).items():
                at, A = marker_of(marker)
                b["markers"][k] = {"at": list(R @ at + shift), "rotate": {"quaternion": list(quaternion(R @ A))}}
        else:
            pose = b.get("pose", {})
            A = rotation_of(pose["rotate"]) if "rotate" in pose else np.eye(3)
            b["pose"] = {"at": list(R @ pose.get("at", [0, 0, 0]) + shift), "rotate": {"quaternion": list(quaternion(R @ A))}}
    for load in m.get("loads", {}).values():
        if load["type"] in ("force", "torque") and load.get("frame", "ground") == "ground":
            load["value"] = list(R @ load["value"])
    return m
