"""Spatial mechanisms for tests: second-order Taylor arithmetic in time, builders of models, and an independent program for wrenches.
It shares nothing with the program under test.

Jet        value, rate, second rate of arrays: written once as a function of time, a pose gives its twist and acceleration exactly.
grow       poses of an open chain from the coordinates of its joints;  solve  unknown coordinates of closed loops, by Newton's method on jets.
Wrenches   Newton and Euler body by body against the lines along which joints can act, straight from docs/joints.md and decision 0004:
             sum over joints of  s W z  +  loads  =  m a, dH/dt        (wrenches about ground's origin, s = +1 on the second, -1 on the first)
           z by SVD; what is left open by least sum |F|^2 + |T|^2/L^2 (MODEL 9), T about the second marker, or by compliances: least sum c R^2.
           A component c of a reaction is unique iff c N = 0, N the null space of W.
"""
import math

import numpy as np

import planar

EYE = np.eye(3)
INSTANT = {"from": 0, "to": 0, "step": 0.001}
COMPONENTS = ("Fx", "Fy", "Fz", "Tx", "Ty", "Tz")
HELD = {"revolute": "x y z rx ry", "prismatic": "x y rx ry rz", "cylindrical": "x y rx ry", "spherical": "x y z", "planar": "z rx ry",
        "fixed": "x y z rx ry rz", "parallel": "rx ry", "inline": "x y", "inplane": "z", "x": "x", "y": "y", "z": "z", "universal": "x y z",
        "constant-velocity": "x y z", "perpendicular": "", "screw": "x y rx ry"}


# ---------------------------------------------------------------- Taylor arithmetic in time

class Jet:
    """a + b dt + c dt^2/2, arrays of one shape"""
    __array_priority__ = 100

    def __init__(self, a, b=None, c=None):
        self.a = np.asarray(a, float)
        self.b = np.zeros_like(self.a) if b is None else np.asarray(b, float)
        self.c = np.zeros_like(self.a) if c is None else np.asarray(c, float)

    @staticmethod
    def of(x):
        return x if isinstance(x, Jet) else Jet(x)

    def _each(self, f):
        return Jet(f(self.a), f(self.b), f(self.c))

    def _product(self, o, f):
        o = Jet.of(o)
        return Jet(f(self.a, o.a), f(self.a, o.b) + f(self.b, o.a), f(self.a, o.c) + 2 * f(self.b, o.b) + f(self.c, o.a))

    def chain(self, f, f1, f2):
        return Jet(f, f1 * self.b, f1 * self.c + f2 * self.b * self.b)

    def __add__(self, o):
        o = Jet.of(o)
        return Jet(self.a + o.a, self.b + o.b, self.c + o.c)
    __radd__ = __add__

    def __neg__(self):
        return self._each(np.negative)

    def __sub__(self, o):
        return self + -Jet.of(o)

    def __rsub__(self, o):
        return Jet.of(o) - self

    def __mul__(self, o):
        return self._product(o, np.multiply)
    __rmul__ = __mul__

    def __matmul__(self, o):
        return self._product(o, np.matmul)

    def __rmatmul__(self, o):
        return Jet.of(o) @ self

    def __truediv__(self, o):
        o = Jet.of(o)
        return self * o.chain(1 / o.a, -1 / o.a**2, 2 / o.a**3)

    def __rtruediv__(self, o):
        return Jet.of(o) / self

    def __getitem__(self, i):
        return self._each(lambda x: x[i])

    @property
    def T(self):
        return self._each(np.transpose)


def sin(x):
    x = Jet.of(x)
    return x.chain(np.sin(x.a), np.cos(x.a), -np.sin(x.a))


def cos(x):
    x = Jet.of(x)
    return x.chain(np.cos(x.a), -np.sin(x.a), -np.cos(x.a))


def sqrt(x):
    r = np.sqrt(x.a)
    return x.chain(r, .5 / r, -.25 / r**3)


def atan2(y, x):
    s, u = x.a**2 + y.a**2, x.a * y.b - y.a * x.b
    return Jet(np.arctan2(y.a, x.a), u / s, (x.a * y.c - y.a * x.c) / s - 2 * u * (x.a * x.b + y.a * y.b) / s**2)


def cross(x, y):
    return Jet.of(x)._product(y, np.cross)


def stack(parts):
    parts = [Jet.of(p) for p in parts]
    return Jet(*(np.stack([getattr(p, k) for p in parts]) for k in "abc"))


def unit(v):
    if isinstance(v, Jet):
        return v / sqrt(v @ v)
    v = np.asarray(v, float)
    return v / np.linalg.norm(v)


def time(t):
    return Jet(t, 1.0)


def poly(c, t=None):
    """c0 + c1 t + c2 t^2/2 as a jet at t = 0"""
    c = list(c) + [0, 0]
    return Jet(c[0], c[1], c[2])


def through(*c):
    """the same as an expression of the model"""
    c = [float(x) for x in c] + [0.0, 0.0]
    return f"poly(t, {c[0]!r}, {c[1]!r}, {c[2] / 2!r})"


# ---------------------------------------------------------------- turning

def skew(v):
    return np.array([[0, -v[2], v[1]], [v[2], 0, -v[0]], [-v[1], v[0], 0]])


def turn(axis, angle):
    """rotation about an axis by an angle (a number or a jet)"""
    K = skew(unit(axis))
    if isinstance(angle, Jet):
        return EYE + sin(angle) * K + (1 - cos(angle)) * (K @ K)
    return EYE + math.sin(angle) * K + (1 - math.cos(angle)) * (K @ K)


def quaternion(R):
    """[w, x, y, z], w >= 0"""
    w, V = np.linalg.eigh(np.array([                                       # the eigenvector of the largest eigenvalue (Bar-Itzhack)
        [R[0, 0] - R[1, 1] - R[2, 2], R[1, 0] + R[0, 1], R[2, 0] + R[0, 2], R[2, 1] - R[1, 2]],
        [R[1, 0] + R[0, 1], R[1, 1] - R[0, 0] - R[2, 2], R[2, 1] + R[1, 2], R[0, 2] - R[2, 0]],
        [R[2, 0] + R[0, 2], R[2, 1] + R[1, 2], R[2, 2] - R[0, 0] - R[1, 1], R[1, 0] - R[0, 1]],
        [R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1], np.trace(R)]]) / 3)
    x, y, z, s = V[:, 3]
    q = np.array([s, x, y, z])
    return [float(k) for k in (q if s >= 0 else -q)]


def of_quaternion(q):
    w, e = q[0], np.array(q[1:])
    n = w * w + e @ e
    return ((w * w - e @ e) * EYE + 2 * np.outer(e, e) + 2 * w * skew(e)) / n


def euler(word, angles):
    R = EYE
    for letter, a in zip(word, angles):
        R = R @ turn(EYE["xyz".index(letter)], a)
    return R


def of_rotate(spec):
    if spec is None:
        return EYE
    if "quaternion" in spec:
        return of_quaternion(spec["quaternion"])
    if "euler" in spec:
        return euler(spec["euler"], spec["angles"])
    return turn(spec["axis"], spec["angle"])


def of_marker(spec):
    """(place, axes) in the body"""
    if isinstance(spec, (list, tuple)):
        return np.array(spec, float), EYE
    at = np.array(spec.get("at", [0, 0, 0]), float)
    if "rotate" in spec:
        return at, of_rotate(spec["rotate"])
    z = unit(spec.get("axis", [0, 0, 1]))
    x = np.array(spec.get("x", EYE[0]), float)
    x = x - (x @ z) * z
    if "x" not in spec and np.linalg.norm(x) < 1e-9:
        x = EYE[1]
    x = unit(x)
    return at, np.column_stack([x, np.cross(z, x), z])


def floats(x):
    return [float(k) for k in np.asarray(x).ravel()]


def put(r, R=EYE):
    """{at, rotate}: a pose or a marker"""
    return {"at": floats(r), "rotate": {"quaternion": quaternion(np.asarray(R))}}


def rod(start, end, mass):
    return [{"rod": {"from": floats(start), "to": floats(end)}, "mass": mass}]


def tensor(I):
    """[Ixx, Iyy, Izz, Ixy, Ixz, Iyz] of a matrix"""
    return [float(I[i][j]) for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))]


def matrix(v):
    v = [v] * 3 if np.ndim(v) == 0 else list(v)
    v = v + [0] * (6 - len(v))
    return np.array([[v[0], v[3], v[4]], [v[3], v[1], v[5]], [v[4], v[5], v[2]]], float)


def model(bodies, joints=None, drives=None, loads=None, **more):
    m = {"roberval": 1, "space": "spatial", "bodies": bodies}
    for key, part in (("joints", joints), ("drives", drives), ("loads", loads)):
        if part:
            m[key] = part
    m.update(more)
    m.setdefault("motion", INSTANT)
    return m


# ---------------------------------------------------------------- motion

def place(m, state, name):
    """(origin, axes) of body.marker, jets"""
    body, _, marker = name.partition(".")
    r, R = state.get(body, (Jet(np.zeros(3)), Jet(EYE)))
    at, A = of_marker(m["bodies"][body]["markers"][marker]) if marker else (np.zeros(3), EYE)
    return Jet.of(r) + Jet.of(R) @ at, Jet.of(R) @ A


def grow(m, coordinates):
    """poses {body: (r, R)} of chains: {joint: jet of its angle or distance, or (distance, angle)}, from ground outwards"""
    state = {"ground": (Jet(np.zeros(3)), Jet(EYE))}
    for name, q in coordinates.items():
        spec = m["joints"][name]
        first, second = spec["between"]
        distance, angle = {"prismatic": (q, 0), "revolute": (0, q), "fixed": (0, 0)}.get(spec["type"], q)
        r, R = place(m, state, first)
        body, _, marker = second.partition(".")
        at, A = of_marker(m["bodies"][body]["markers"][marker]) if marker else (np.zeros(3), EYE)
        r = r + R @ (Jet.of(distance) * EYE[2])
        R = R @ turn(EYE[2], Jet.of(angle)) @ A.T
        state[body] = (r - R @ at, R)
    return state


def solve(f, x, t=0.0):
    """jets x(t) with f(x, t) = 0: values by Gauss and Newton from x, rates and second rates by the same steps on jets"""
    x = np.array(x, float)
    gradient = lambda: np.column_stack([Jet.of(f(Jet(x, e), Jet(t))).b for e in np.eye(len(x))])
    for _ in range(60):
        step = np.linalg.lstsq(gradient(), f(Jet(x), Jet(t)).a, rcond=1e-9)[0]
        x = x - step * min(1.0, .5 / max(1e-300, np.abs(step).max()))
        if np.abs(step).max() < 1e-15:
            break
    P = np.linalg.pinv(gradient(), rcond=1e-9)
    x = Jet(x)
    for _ in range(3):
        x = x - P @ f(x, time(t))
    r = f(x, time(t))
    worst = max(np.abs(r.a).max(), np.abs(r.b).max(), np.abs(r.c).max())
    assert worst < 1e-9 * (1 + np.abs(x.b).max()**2 + np.abs(x.c).max()), worst
    return x


def closure(m, state, joint):
    """what is left open at a joint, in its first's axes, of the directions that it holds: jets, zero where it is closed"""
    spec = m["joints"][joint]
    (p1, A1), (p2, A2) = (place(m, state, k) for k in spec["between"])
    d, B = A1.T @ (p2 - p1), A1.T @ A2
    held = spec.get("locked") or HELD[spec["type"]].split()
    out = [d["xyz".index(k)] for k in held if k in "xyz"]
    turns = {"rx": B[2, 1] if "rz" in held else -B[1, 2], "ry": B[0, 2], "rz": B[1, 0]}
    out += [turns[k] for k in held if k in turns]
    if spec["type"] in ("universal", "perpendicular"):
        out.append(B[2, 2])
    return out


def twist(pose):
    """w, dw/dt of a pose"""
    R = pose[1]
    W, A = R.b @ R.a.T, R.c @ R.a.T + R.b @ R.b.T
    vee = lambda S: np.array([S[2, 1] - S[1, 2], S[0, 2] - S[2, 0], S[1, 0] - S[0, 1]]) / 2
    return vee(W), vee(A)


def mass_of(spec):
    """mass, centroid, tensor in body axes"""
    if "shape" not in spec:
        return spec.get("mass", 0.0), np.array(spec.get("centroid", [0, 0, 0]), float), matrix(spec.get("inertia", 0.0))
    parts = []
    for p in spec["shape"]:
        a, b = (np.array(p["rod"][k], float) for k in ("from", "to"))
        parts.append((p["mass"], (a + b) / 2, p["mass"] / 12 * (((b - a) @ (b - a)) * EYE - np.outer(b - a, b - a))))
    M = sum(p[0] for p in parts)
    c = sum(p[0] * p[1] for p in parts) / M
    return M, c, sum(J + k * (((x - c) @ (x - c)) * EYE - np.outer(x - c, x - c)) for k, x, J in parts)


def pose_of(spec):
    p = spec.get("pose", {})
    return Jet(p.get("at", [0, 0, 0])), Jet(of_rotate(p.get("rotate")))


class Wrenches:
    def __init__(self, m, state=None):
        """state {body: (r, R)}: jets; without it the poses of the file, at rest"""
        self.m = m
        self.bodies = [b for b in m["bodies"] if b != "ground"]
        self.state = state or {b: pose_of(m["bodies"][b]) for b in self.bodies}
        self.state.setdefault("ground", (Jet(np.zeros(3)), Jet(EYE)))
        self.load = np.zeros(6 * len(self.bodies))
        self.inertia()
        self.applied()
        self.lines()

    def add(self, body, F, T, at):
        """a force at a point and a torque"""
        if body != "ground":
            k = 6 * self.bodies.index(body)
            self.load[k:k + 6] += np.r_[F, np.cross(at, F) + T]

    def inertia(self):
        g = np.array(self.m.get("gravity", [0, 0, 0]), float)
        for b in self.bodies:
            spec = self.m["bodies"][b]
            mass, c, J = mass_of(spec)
            r, R = self.state[b]
            rc = Jet.of(r) + Jet.of(R) @ c
            w, al = twist((r, R)) if not spec.get("particle") else (np.zeros(3), np.zeros(3))
            J = R.a @ J @ R.a.T if not spec.get("particle") else np.zeros((3, 3))
            self.add(b, mass * (g - rc.c), -J @ al - np.cross(w, J @ w), rc.a)

    def applied(self):
        for spec in self.m.get("loads", {}).values():
            if spec["type"] == "spring":
                (p1, _), (p2, _) = (place(self.m, self.state, k) for k in spec["between"])
                d = p2 - p1
                l = sqrt(d @ d)
                F = spec.get("stiffness", 0) * (l.a - spec.get("free_length", 0)) + spec.get("damping", 0) * l.b
                for sign, k, p in ((1, 0, p1), (-1, 1, p2)):
                    self.add(spec["between"][k].split(".")[0], sign * F * d.a / l.a, np.zeros(3), p.a)
                continue
            p, _ = place(self.m, self.state, spec["to"])
            body = spec["to"].split(".")[0]
            v = np.array(spec["value"], float)
            v = self.state[body][1].a @ v if spec.get("frame") == "body" else v
            self.add(body, v, np.zeros(3), p.a) if spec["type"] == "force" else self.add(body, np.zeros(3), v, p.a)

    def lines(self):
        """columns of unit wrenches on the second body, and where they are read"""
        self.read, cols, owner = {}, [], []
        for name, spec in self.m.get("joints", {}).items():
            bodies = [k.split(".")[0] for k in spec["between"]]
            (p1, A1), (p2, A2) = (place(self.m, self.state, k) for k in spec["between"])
            F, T, P, Z1, Z2 = [], [], p2.a, A1.a, A2.a
            kind = spec["type"]
            if kind == "wheel":                                              # first's z the ground's normal, second's z the axle
                n, axle = Z1[:, 2], Z2[:, 2]
                down = unit(-(n - (n @ axle) * axle)) * spec["radius"]
                F, T = list(EYE), [np.cross(down, e) for e in EYE]
            elif kind == "knife-edge":
                F, T = [unit(np.cross(Z1[:, 2], Z2[:, 0]))], [np.zeros(3)]
            elif kind in ("link", "distance"):
                F, T = [-unit(p2.a - p1.a)], [np.zeros(3)]
            else:
                held = spec.get("locked") or HELD[kind].split()
                for k in held:
                    F.append(Z1[:, "xyz".index(k)] if k in "xyz" else np.zeros(3))
                    T.append(np.zeros(3) if k in "xyz" else Z1[:, ("rx", "ry", "rz").index(k)])
                if kind == "screw":
                    F, T = F + [Z1[:, 2]], T + [-spec["pitch"] / (2 * math.pi) * Z1[:, 2]]
                if kind in ("universal", "perpendicular"):
                    F, T = F + [np.zeros(3)], T + [np.cross(Z1[:, 2], Z2[:, 2])]
                if kind == "constant-velocity":
                    F, T = F + [np.zeros(3)], T + [(Z1[:, 2] + Z2[:, 2]) / (1 + Z1[:, 2] @ Z2[:, 2])]
            axes = Z2 if kind in ("wheel", "knife-edge") else Z1
            self.read[name] = (len(cols), np.array(F).reshape(-1, 3).T, np.array(T).reshape(-1, 3).T, axes)
            for f, t in zip(F, T):
                cols.append(self.column(bodies[0], bodies[1], f, t, P))
                owner.append(name)
        self.efforts = {}
        for name, spec in self.m.get("drives", {}).items():
            self.efforts[name] = len(cols)
            cols.append(self.drive(spec["coordinate"]))
            owner.append(name)
        self.W, self.owner = np.array(cols).T, owner

    def column(self, first, second, F, T, P):
        c = np.zeros(6 * len(self.bodies))
        for body, s in ((first, -1), (second, 1)):
            if body != "ground":
                k = 6 * self.bodies.index(body)
                c[k:k + 6] += s * np.r_[F, np.cross(P, F) + T]
        return c

    def drive(self, coordinate):
        zero = np.zeros(3)
        if coordinate.startswith("distance("):
            a, b = (k.strip() for k in coordinate[9:-1].split(","))
            p, q = place(self.m, self.state, a)[0].a, place(self.m, self.state, b)[0].a
            return self.column(b.split(".")[0], a.split(".")[0], unit(p - q), zero, p)
        if coordinate[1] == "(":
            point = coordinate[2:-1]
            return self.column("ground", point.split(".")[0], EYE["xyz".index(coordinate[0])], zero, place(self.m, self.state, point)[0].a)
        joint, c = coordinate.split(".")
        first, second = self.m["joints"][joint]["between"]
        A, P = place(self.m, self.state, first)[1].a, place(self.m, self.state, second)[0].a
        if c in ("angle", "rx", "ry", "rz"):
            axis = 2 if c == "angle" else ("rx", "ry", "rz").index(c)              # a rotation vector only about no turn
            return self.column(first.split(".")[0], second.split(".")[0], zero, A[:, axis], P)
        return self.column(first.split(".")[0], second.split(".")[0], A[:, {"distance": 2, "x": 0, "y": 1, "z": 2}[c]], zero, P)

    def lengths(self):
        """{joint: L of its block}"""
        order, joints = ["ground", *self.bodies], self.m.get("joints", {})
        body = lambda k: order.index(k.split(".")[0])
        edges = [(n, *map(body, s["between"])) for n, s in joints.items()]
        for n, s in self.m.get("drives", {}).items():
            c = s["coordinate"]
            ends = c[c.index("(") + 1:-1].split(",") if "(" in c else joints[c.split(".")[0]]["between"]
            edges.append((n, *map(body, [k.strip() for k in ends] if len(ends) > 1 else ["ground", ends[0]])))
        out = {}
        for block in planar.biconnected(len(order), edges):
            p = np.array([self.place_of(joints[n]) for n in block if n in joints])
            L = (math.sqrt(((p - p.mean(0))**2).sum(1).mean()) if len(p) else 0) or 1.0
            out.update({n: L for n in block})
        return out

    ALIKE = ("link", "distance", "gear", "bevel", "worm", "belt", "parallel", "perpendicular", "angle", "free")      # both ends are alike: the middle

    def place_of(self, joint):
        ends = [place(self.m, self.state, end)[0].a for end in joint["between"]]
        return 0.5 * (ends[0] + ends[1]) if joint["type"] in self.ALIKE else ends[1]

    def answer(self, frame="joint", compliance=None, length=None):
        """values {joint.component, drive.effort}, marks, rank, redundant; compliance {joint: {x: .., rx: ..}} of every direction held"""
        U, s, Vt = np.linalg.svd(self.W)
        rank = int((s > 1e-9 * s[0]).sum())
        N = Vt[rank:].T
        z = -Vt[:rank].T @ ((U[:, :rank].T @ self.load) / s[:rank])
        bad = np.abs(self.W @ z + self.load).max()
        assert bad < 1e-7 * (1 + np.abs(self.load).max()), f"loads that nothing holds: {bad}"
        L = self.lengths()
        B = []
        for name, (k, F, T, axes) in self.read.items():
            n = F.shape[1]
            if compliance:
                F, T = axes.T @ F, axes.T @ T
                c = np.sqrt([compliance[name].get(d, 0.0) for d in ("x", "y", "z", "rx", "ry", "rz")])
                rows = c[:, None] * np.vstack([F, T])
            else:
                rows = np.vstack([F, T / (length or L[name])])
            B.append(np.zeros((6, len(self.owner))))
            B[-1][:, k:k + n] = rows
        if not compliance:
            for name, k in self.efforts.items():
                B.append(np.eye(len(self.owner))[k:k + 1])
        if N.shape[1]:
            B = np.vstack(B)
            z = z - N @ np.linalg.lstsq(B @ N, B @ z, rcond=1e-12)[0]
        values, marks = {}, {}
        for name, (k, F, T, axes) in self.read.items():
            A = EYE if frame == "ground" else axes.T
            C = np.vstack([A @ F, A @ T])
            for i, c in enumerate(COMPONENTS):
                row = np.zeros(len(self.owner))
                row[k:k + F.shape[1]] = C[i]
                values[f"{name}.{c}"] = row @ z
                open_ = N.shape[1] and np.abs(row @ N).max() > 1e-8
                marks[f"{name}.{c}"] = "free" if np.abs(row).max() < 1e-9 else "unique" if not open_ else "compliance" if compliance else "not unique"
        for name, k in self.efforts.items():
            values[f"{name}.effort"] = z[k]
            marks[f"{name}.effort"] = "not unique" if N.shape[1] and np.abs(N[k]).max() > 1e-8 else "unique"
        return {"values": values, "marks": marks, "rank": rank, "rows": len(self.owner), "redundant": len(self.owner) - rank}
