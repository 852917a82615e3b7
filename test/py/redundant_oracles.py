"""Oracles and mechanisms for redundant_values_test.py and check_test.py: what decides redundant reactions, friction of joints, and models with
self-stresses of every sort.  It shares nothing with the program under test.

Statics      a system of redundant_test at rest: reactions of least norm, with components left out, with compliances and misfits.
             A joint that gives way by c along a component of its reaction R has the offset  misfit - c R  there; offsets of all joints
             must be those of some small displacement of the bodies: orthogonal to every self-stress,  N^T (S R - misfit) = 0.
Rubbing      planar and rolling mechanisms with Coulomb friction: the effort -mu N sign(rate) on the joint's coordinate is applied as a load
             along the coordinate's gradient, and iterated with the reactions it causes until both stand still.
"""
import copy
import math

import numpy as np

import planar
import rolling
from planar import Jet

G = 9.81


# ---------------------------------------------------------------- reactions at rest

class Statics:
    def __init__(self, system):
        """system: redundant_test.System.  Components {joint.component}; those of links are F, the tension."""
        names, A = system.columns()
        self.names = [f"{j}.{c}" for j, c in names]
        self.A = np.array([[float(x) for x in row] for row in A])
        order = ["ground", *system.bodies]
        blocks = planar.biconnected(len(order), [(n, order.index(j[1]), order.index(j[2])) for n, j in system.joints.items()])
        self.metric = np.ones(len(names))                                     # 1/L for torques
        for block in blocks:
            pts = np.array([[float(x) for x in system.joints[n][5]] for n in block])
            L = math.sqrt(((pts - pts.mean(0))**2).sum(1).mean()) or 1.0
            for k, (j, c) in enumerate(names):
                if j in block and c == "Tz":
                    self.metric[k] = 1 / L
        for k, (j, c) in enumerate(names):
            if c == "F":
                p1, p2 = system.joints[j][3], system.joints[j][5]
                self.A[:, k] /= math.hypot(float(p2[0] - p1[0]), float(p2[1] - p1[1]))
        self.particular = np.linalg.lstsq(self.A, -system.load(), rcond=1e-12)[0]
        assert np.abs(self.A @ self.particular + system.load()).max() < 1e-9
        U, s, Vt = np.linalg.svd(self.A)
        self.null = Vt[int((s > 1e-10 * s[0]).sum()):].T

    def settle(self, B, d, R, N):
        """The R + N z of least |B R - d|, and the part of N that it leaves open."""
        X = B @ N
        U, s, Vt = np.linalg.svd(X)
        r = int((s > 1e-8 * max(1e-300, np.abs(B).max())).sum())
        return R + N @ (Vt[:r].T @ ((U[:, :r].T @ (d - B @ R)) / s[:r])), N @ Vt[r:].T

    def answer(self, compliance=None, misfit=None, eliminate=()):
        """({component: value}, {component: verdict})"""
        R, N = self.particular, self.null
        left = N
        if compliance:
            c = np.array([compliance.get(n, 0.0) for n in self.names])
            d = np.array([(misfit or {}).get(n, 0.0) for n in self.names])
            keep = c > 0
            assert not np.any(N.T @ np.where(keep, 0, d) > 1e-12 * np.abs(d).max()), "a rigid loop out of fit"
            root = np.sqrt(c[keep])
            B = np.zeros((keep.sum(), len(c)))
            B[:, keep] = np.diag(root)
            # |sqrt(c) R - d/sqrt(c)|^2 / 2 is the energy but for a constant
            scale = root.max()
            R, left = self.settle(B / scale, d[keep] / root / scale, R, N)
        open_ = left
        if eliminate:
            B = np.array([np.eye(len(self.names))[self.names.index(e)] for e in eliminate])
            R, left = self.settle(B, np.zeros(len(B)), R, N)
        if left.shape[1]:
            R, _ = self.settle(np.diag(self.metric), np.zeros(len(R)), R, left)
        loose = lambda M, k: M.shape[1] and np.abs(M[k]).max() > 1e-8
        marks = {n: "unique" if not loose(N, k) else "not unique" if loose(open_, k) else "compliance" for k, n in enumerate(self.names)}
        return dict(zip(self.names, R)), marks


# ---------------------------------------------------------------- friction

class Rubbing(rolling.Rolling):
    """friction: {joint: (coefficient, radius or None)}; compliance: {joint.component: m/N or rad/(N m)} of the joint's axes."""

    def __init__(self, model, **overrides):
        m = copy.deepcopy(model)
        self.friction, self.soft = {}, {}
        for name, j in m["joints"].items():
            f = j.pop("friction", None)
            if f:
                self.friction[name] = (f["coefficient"], f.get("radius"))
            for d, c in j.pop("compliance", {}).items():
                self.soft[f"{name}.{ {'x': 'Fx', 'y': 'Fy', 'rz': 'Tz'}[d] }"] = c
        self.extra = 0.0
        super().__init__(m, **overrides)
        self.friction = {n: tuple(None if x is None else self.number(x) for x in f) for n, f in self.friction.items()}

    def applied(self, q, v, t, report=None):
        return super().applied(q, v, t, report) + self.extra

    def gear_wrench(self, q, joint):
        """teeth of an internal pair push the inner wheel towards the middle of the outer one: against planar.py's direction"""
        row, u, pitch = super().gear_wrench(q, joint)
        return row, -u if joint.spec.get("internal") else u, pitch

    def slip(self, name):
        """name of the coordinate along which the joint rubs"""
        return f"{name}.angle" if self.joints[name].kind == "revolute" else f"{name}.x"

    def rate_of(self, name, q, v):
        jets = [Jet(q[i], v[i]) for i in range(self.n)]
        return Jet.of(self.coordinate(jets, self.slip(name), None)).b

    def gradient_of(self, name, q):
        h = 1e-30
        seeded = [q[i] + 1j * h * (np.arange(self.n) == i) for i in range(self.n)]
        return np.imag(self.coordinate(seeded, self.slip(name), None)) / h

    def press(self, name, F):
        """the normal load (times the radius, for a pin) of a reaction Fx, Fy, Tz in the joint's axes"""
        mu, r = self.friction[name]
        kind = self.joints[name].kind
        if kind == "revolute":
            return r * math.hypot(F[0], F[1])
        if r:
            return abs(F[1] / 2 + F[2] / (2 * r)) + abs(F[1] / 2 - F[2] / (2 * r))
        return abs(F[1])

    def rub(self, q, v, a, t, gears=False, limit=2000):
        """{column: value} of one state: reactions in joint axes, efforts, frictions."""
        efforts = dict.fromkeys(self.friction, 0.0)
        slip = {n: self.rate_of(n, q, v) for n in efforts}
        slip = {n: 0.0 if abs(x) < 1e-12 else math.copysign(1.0, x) for n, x in slip.items()}
        grads = {n: self.gradient_of(n, q) for n in efforts}
        for _ in range(limit):
            self.extra = sum(e * grads[n] for n, e in efforts.items())
            values = self.solve(q, v, a, t)["values"] if gears else self.answer(q, v, a, t, compliance=self.soft or None)["values"]
            new = {n: -self.friction[n][0] * slip[n] * self.press(n, [values[f"{n}.{c}"] for c in planar.COMPONENTS]) for n in efforts}
            worst = max((abs(new[n] - efforts[n]) for n in new), default=0.0)
            efforts = new
            if worst <= 1e-13 * max([1.0, *map(abs, new.values())]):
                break
        else:
            raise ArithmeticError("no friction stands still")
        self.extra = 0.0
        return {**values, **{f"{n}.friction": e for n, e in efforts.items()}}


# ---------------------------------------------------------------- self-stresses of a model by its own geometry

def stress(model, q=None):
    """{component: row on the self-stresses} and their number, in joint axes, at the starting pose (or q)."""
    mech = rolling.Rolling(model)
    q = mech.assemble(mech.q0, 0.0) if q is None else q
    zero = np.zeros(mech.n)
    if any(j.kind == "gear" for j in mech.joints.values()):
        C = mech.wrench_rows(q, 0.0)
    else:
        C, _, _ = mech.all_rows(q, zero, 0.0)
    _, N = mech.null(C)
    if N.shape[1]:
        N = np.linalg.qr(N)[0]
    rows = {k: w @ N for k, w in mech.components(q, C, "joint").items()}
    for name, j in mech.joints.items():
        if j.kind in ("link", "distance"):
            rows[f"{name}.F"] = N[j.rows[0]]
        if j.kind == "gear":
            rows[f"{name}.Ft"] = rows[f"{name}.F"] = -N[j.rows[0]]
    return rows, N.shape[1]


# ---------------------------------------------------------------- mechanisms

def model(bodies, joints, **more):
    return {"roberval": 1, "space": "planar", "bodies": bodies, "joints": joints, **more}


INSTANT = {"from": 0, "to": 0, "step": 1}


def door(lower=None, upper=None, turned=0.0, mass=10.0, **more):
    """A door on two pins one above the other: how they share its weight is open; lower, upper: keys of the joints."""
    mark = lambda y: {"at": [0, y], "angle": turned}
    bodies = {"ground": {"markers": {"a": mark(0), "b": mark(2)}},
              "door": {"mass": mass, "inertia": 1, "centroid": [.5, 1], "markers": {"a": mark(0), "b": mark(2)}}}
    joints = {"A": {"type": "revolute", "between": ["ground.a", "door.a"], **(lower or {})},
              "B": {"type": "revolute", "between": ["ground.b", "door.b"], **(upper or {})}}
    return model(bodies, joints, gravity=[0, -G], motion=INSTANT, **more)


def bars(xs=(-1.0, 0.0, 1.0), length=3.0, keys=(), pull=100.0):
    """A plate hung from vertical bars (links): one self-stress from three on."""
    ground, plate, joints = {}, {}, {}
    for k, x in enumerate(xs):
        ground[f"g{k}"], plate[f"p{k}"] = [x, length], [x, 0]
        joints[f"bar{k}"] = {"type": "link", "between": [f"ground.g{k}", f"plate.p{k}"], **(keys[k] if k < len(keys) else {})}
    joints["side"] = {"type": "x", "between": ["ground", "plate"]}
    return model({"ground": {"markers": ground}, "plate": {"mass": 1, "inertia": 1, "markers": plate}}, joints, motion=INSTANT,
                 loads={"pull": {"type": "force", "to": "plate", "value": [0, -pull]}})


def cranks(feet=(0.0, .6, 1.5), angle=1.1, length=.5, drive=None, pins=None, **more):
    """Parallel cranks on one coupler; the marker of each crank's foot is along the crank at the start."""
    tip = length * np.array([math.cos(angle), math.sin(angle)])
    bodies = {"ground": {"markers": {f"A{k}": [float(x), 0.0] for k, x in enumerate(feet)}},
              "coupler": {"mass": 3, "inertia": .4, "centroid": [.4, .05], "pose": {"at": [float(x) for x in tip]},
                          "markers": {f"B{k}": [float(x), 0.0] for k, x in enumerate(feet)}}}
    joints = {}
    for k, x in enumerate(feet):
        bodies[f"c{k}"] = {"mass": 1 + .2 * k, "inertia": .05, "centroid": [length / 2, 0], "pose": {"at": [float(x), 0.0], "angle": angle},
                           "markers": {"A": [0.0, 0.0], "B": [length, 0.0]}}
        joints[f"A{k}"] = {"type": "revolute", "between": [f"ground.A{k}", f"c{k}.A"], **((pins or {}).get(f"A{k}", {}))}
        joints[f"B{k}"] = {"type": "revolute", "between": [f"c{k}.B", f"coupler.B{k}"], **((pins or {}).get(f"B{k}", {}))}
    if drive:
        more["drives"] = {"motor": {"coordinate": "angle(c0)", "motion": drive}}
    return model(bodies, joints, gravity=[0, -G], **more)


def chain(points, drive=None, **more):
    """Bars through the points, a pin at each, ground at both ends."""
    bodies, joints = {"ground": {"markers": {"first": list(points[0]), "last": list(points[-1])}}}, {}
    n = len(points) - 1
    for k in range(n):
        (x0, y0), (x1, y1) = points[k], points[k + 1]
        L = math.hypot(x1 - x0, y1 - y0)
        bodies[f"b{k}"] = {"mass": 1, "inertia": .1, "centroid": [L / 2, 0],
                           "pose": {"at": [x0, y0], "angle": math.atan2(y1 - y0, x1 - x0)},
                           "markers": {"A": [0, 0], "B": [L, 0]}}
        joints[f"P{k}"] = {"type": "revolute", "between": [f"b{k - 1}.B" if k else "ground.first", f"b{k}.A"]}
    joints[f"P{n}"] = {"type": "revolute", "between": [f"b{n - 1}.B", "ground.last"]}
    if drive:
        more["drives"] = {"motor": {"coordinate": "P0.angle", "motion": drive}}
    return model(bodies, joints, **more)


def scissor(stages=2, half=1.0, angle=.5, sides=1, mast=False, drive=True):
    """A lift of crossed bars on a foot and a roller; sides copies in one plane carry one platform; mast: the platform also slides along a
    vertical mast, which repeats what the bars hold."""
    L, w, h = 2 * half, 2 * half * math.cos(angle), 2 * half * math.sin(angle)
    bodies = {"ground": {"markers": {"foot": [0, 0], "rail": [0, 0], "mast": {"at": [0, 0], "angle": math.pi / 2}}}}
    joints = {}
    for s in range(sides):
        for k in range(stages):
            bodies[f"a{s}{k}"] = {"mass": 2, "inertia": 1, "centroid": [half, 0], "pose": {"at": [0, k * h], "angle": angle},
                                  "markers": {"low": [0, 0], "mid": [half, 0], "high": [L, 0]}}
            bodies[f"b{s}{k}"] = {"mass": 2, "inertia": 1, "centroid": [half, 0], "pose": {"at": [w, k * h], "angle": math.pi - angle},
                                  "markers": {"low": [0, 0], "mid": [half, 0], "high": [L, 0]}}
            joints[f"mid{s}{k}"] = {"type": "revolute", "between": [f"a{s}{k}.mid", f"b{s}{k}.mid"]}
            if k:
                joints[f"knee_a{s}{k}"] = {"type": "revolute", "between": [f"b{s}{k - 1}.high", f"a{s}{k}.low"]}
                joints[f"knee_b{s}{k}"] = {"type": "revolute", "between": [f"a{s}{k - 1}.high", f"b{s}{k}.low"]}
        joints[f"foot{s}"] = {"type": "revolute", "between": ["ground.foot", f"a{s}0.low"]}
        joints[f"wheel{s}"] = {"type": "slot", "between": ["ground.rail", f"b{s}0.low"]}
        joints[f"hinge{s}"] = {"type": "revolute", "between": ["platform.hinge", f"b{s}{stages - 1}.high"]}
        joints[f"roller{s}"] = {"type": "slot", "between": ["platform.hinge", f"a{s}{stages - 1}.high"]}
    bodies["platform"] = {"mass": 5, "inertia": 2, "pose": {"at": [0, stages * h]},
                          "markers": {"hinge": [0, 0], "mast": {"at": [0, 0], "angle": math.pi / 2}}}
    if mast:
        joints["mast"] = {"type": "prismatic", "between": ["ground.mast", "platform.mast"]}
    more = {"drives": {"ram": {"coordinate": "angle(a00)", "motion": f"{angle!r} + 0.1*t"}}} if drive else {}
    return model(bodies, joints, gravity=[0, -G], motion=INSTANT, **more)


def planetary(planets=3, rs=.2, rp=.1, pressure=True, frictions=None, **more):
    """Sun drives, ring stands still, the carrier is loaded; all planets do the same."""
    c = rs + rp
    place = [(c * math.cos(p), c * math.sin(p)) for p in (.3 + 2 * math.pi * k / planets for k in range(planets))]
    alpha = {} if pressure else {"pressure_angle": 0}
    bodies = {"ground": {"markers": {"o": [0, 0]}}, "sun": {"mass": 2, "inertia": .04, "markers": {"o": [0, 0]}},
              "carrier": {"mass": 3, "inertia": .2, "markers": {"o": [0, 0], **{f"p{k}": list(p) for k, p in enumerate(place)}}}}
    joints = {"sun_bearing": {"type": "revolute", "between": ["ground.o", "sun.o"]},
              "carrier_bearing": {"type": "revolute", "between": ["ground.o", "carrier.o"]}}
    for k, p in enumerate(place):
        bodies[f"planet{k}"] = {"mass": .5, "inertia": .003, "pose": {"at": list(p)}, "markers": {"o": [0, 0]}}
        joints[f"pin{k}"] = {"type": "revolute", "between": [f"carrier.p{k}", f"planet{k}.o"]}
        joints[f"sun_mesh{k}"] = {"type": "gear", "between": ["sun.o", f"planet{k}.o"], "radii": [rs, rp], "carrier": "carrier", **alpha}
        joints[f"ring_mesh{k}"] = {"type": "gear", "between": ["ground.o", f"planet{k}.o"], "radii": [rs + 2 * rp, rp], "internal": True,
                                   "carrier": "carrier", **alpha}
    for j, f in (frictions or {}).items():
        joints[j]["friction"] = f
    more.setdefault("drives", {"motor": {"coordinate": "angle(sun)", "motion": "2*t + 3*t^2"}})
    more.setdefault("loads", {"machine": {"type": "torque", "to": "carrier", "value": -40}})
    return model(bodies, joints, motion=INSTANT, **more)


def guides(n=2, kinds=("prismatic", "prismatic"), at=((0, 0), (1, .5), (2, 0)), angle=.4, drive=True, **more):
    """A slide on n parallel guides."""
    g, s, joints = {}, {}, {}
    for k in range(n):
        g[f"g{k}"] = s[f"s{k}"] = {"at": list(at[k]), "angle": angle}
        joints[f"guide{k}"] = {"type": kinds[k % len(kinds)], "between": [f"ground.g{k}", f"slide.s{k}"]}
    if drive:
        more["drives"] = {"ram": {"coordinate": "x(slide)", "motion": "0.2*t"}}
    return model({"ground": {"markers": g}, "slide": {"mass": 4, "inertia": 1, "centroid": [.7, .1], "markers": s}}, joints,
                 gravity=[0, -G], motion=INSTANT, **more)


def lattice(columns=3, rows=2, braced=True):
    """A truss: links between particles, on a pin and a roller; braced: both diagonals in each cell, one more than needed."""
    bodies, joints = {"ground": {"markers": {}}}, {}
    for i in range(columns + 1):
        for j in range(rows + 1):
            bodies[f"n{i}{j}"] = {"mass": 1, "particle": True, "pose": {"at": [float(i), float(j)]}}
    link = lambda a, b: joints.__setitem__(f"{a}_{b}", {"type": "link", "between": [a, b]})
    for i in range(columns + 1):
        for j in range(rows + 1):
            if i < columns:
                link(f"n{i}{j}", f"n{i + 1}{j}")
            if j < rows:
                link(f"n{i}{j}", f"n{i}{j + 1}")
            if i < columns and j < rows:
                link(f"n{i}{j}", f"n{i + 1}{j + 1}")
                if braced:
                    link(f"n{i + 1}{j}", f"n{i}{j + 1}")
    bodies["ground"]["markers"] = {"a": [0, 0], "b": [float(columns), 0]}
    joints["pin_x"] = {"type": "x", "between": ["ground.a", "n00"]}
    joints["pin_y"] = {"type": "y", "between": ["ground.a", "n00"]}
    joints["roller"] = {"type": "y", "between": ["ground.b", f"n{columns}0"]}
    return model(bodies, joints, gravity=[0, -G], motion=INSTANT)


def grid(m, n, half=.5, angle=.6, tail=0, drive=False):
    """m x n cells, in each two crossed bars, cells pinned corner to corner: a rhombic scissor that folds as a whole.  Bars 2mn; pins mn
    in the
    middle and 4mn - (m+1)(n+1) at corners; it stands on a pin and a roller, so one freedom, and 2(m-1)(n-1) self-stresses.
    tail: hanging bars in a chain at the far corner, whose reactions are unique."""
    w, h, L = 2 * half * math.cos(angle), 2 * half * math.sin(angle), 2 * half
    bodies, joints, ends = {"ground": {"markers": {"o": [0, 0]}}}, {}, {}
    ends[(0, 0)] = [("ground", "o")]
    for i in range(m):
        for j in range(n):
            up, down = f"u{i}_{j}", f"d{i}_{j}"
            bodies[up] = {"mass": 1, "inertia": .1, "centroid": [half, 0], "pose": {"at": [i * w, j * h], "angle": angle},
                          "markers": {"A": [0, 0], "M": [half, 0], "B": [L, 0]}}
            bodies[down] = {"mass": 1, "inertia": .1, "centroid": [half, 0], "pose": {"at": [i * w, (j + 1) * h], "angle": -angle},
                            "markers": {"A": [0, 0], "M": [half, 0], "B": [L, 0]}}
            joints[f"m{i}_{j}"] = {"type": "revolute", "between": [f"{up}.M", f"{down}.M"]}
            for place, end in (((i, j), (up, "A")), ((i + 1, j + 1), (up, "B")), ((i, j + 1), (down, "A")), ((i + 1, j), (down, "B"))):
                ends.setdefault(place, []).append(end)
    for (i, j), who in ends.items():
        for k in range(1, len(who)):
            joints[f"p{i}_{j}_{k}"] = {"type": "revolute", "between": [".".join(who[k - 1]), ".".join(who[k])]}
    joints["roller"] = {"type": "slot", "between": ["ground.o", f"d{m - 1}_0.B"]}
    last, marker, x, y = f"u{m - 1}_{n - 1}", "B", m * w, n * h
    for k in range(tail):
        bodies[f"t{k}"] = {"mass": 1, "inertia": .1, "centroid": [.1, 0], "pose": {"at": [x + .2 * k, y]},
                           "markers": {"A": [0, 0], "B": [.2, 0]}}
        joints[f"T{k}"] = {"type": "fixed", "between": [f"{last}.{marker}", f"t{k}.A"]} if k == 0 else \
            {"type": "revolute", "between": [f"{last}.{marker}", f"t{k}.A"]}
        if k == 0:
            bodies[last]["markers"]["B"] = {"at": [L, 0], "angle": -angle}
        last, marker = f"t{k}", "B"
    return model(bodies, joints, gravity=[0, -G])
