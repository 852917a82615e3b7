"""Planar systems with rational geometry, their exact statics, and a generator of overconstrained ones.  Python and numpy only.

A System holds everything in ground coordinates as fractions: body frames (origin, (cos, sin)), joints with the place and the direction
of both markers, drives.  `model` writes it as docs/model-file.md says; `Oracle` answers from the equilibrium matrix alone:

  column k   the wrench on the second body of a unit of multiplier k, about the second marker, and its opposite on the first
  null       integer basis of { x : A x = 0 }, fraction-free elimination: the self-stresses
  component  a linear functional of the joint's multipliers; determined iff it vanishes on that basis

Nothing is shared with planar.py or with the program.
"""
import math
import random
from fractions import Fraction as Q

import numpy as np

PRIMES = (2305843009213693951, 2305843009213693921)                      # 2^61 - 1 and the prime below it
HELD = {"revolute": "xy", "prismatic": "yr", "translational": "yr", "fixed": "xyr", "slot": "y", "parallel": "r", "angle": "r", "x": "x",
        "y": "y", "link": "l", "distance": "l", "knife-edge": "k", "general": None}
WHOLE = [(Q(1), Q(0)), (Q(0), Q(1)), (Q(-1), Q(0)), (Q(0), Q(-1))]
TRIPLES = [(3, 4, 5), (5, 12, 13), (8, 15, 17), (7, 24, 25), (20, 21, 29)]
SLANTED = [(Q(s * x, c), Q(t * y, c)) for a, b, c in TRIPLES for x, y in ((a, b), (b, a)) for s in (1, -1) for t in (1, -1)]


# ---------------------------------------------------------------- exact linear algebra

def primitive(row):
    g = math.gcd(*row)
    return [x // g for x in row] if g > 1 else row


def integers(row):
    """A rational row times the least common denominator, divided by its content."""
    m = math.lcm(*(x.denominator for x in row))
    return primitive([x.numerator * (m // x.denominator) for x in row])


def reduced(rows):
    """Fraction-free Gauss-Jordan: rows in echelon form, each zero in the other rows' pivot columns; [pivot column]."""
    rows, pivots, r = [integers(x) for x in rows], [], 0
    for c in range(len(rows[0]) if rows else 0):
        p = min((i for i in range(r, len(rows)) if rows[i][c]), key=lambda i: abs(rows[i][c]), default=None)
        if p is None:
            continue
        rows[r], rows[p] = rows[p], rows[r]
        top = rows[r]
        for i, row in enumerate(rows):
            if i != r and row[c]:
                g = math.gcd(top[c], row[c])
                f, h = top[c] // g, row[c] // g
                rows[i] = primitive([f * x - h * y for x, y in zip(row, top)])
        pivots.append(c)
        r += 1
    return rows[:r], pivots


def null_space(rows, columns):
    """Integer basis of the vectors that all rows annihilate."""
    rows, pivots = reduced(rows)
    basis = []
    for c in range(columns):
        if c in pivots:
            continue
        m = math.lcm(*(row[p] for row, p in zip(rows, pivots) if row[c])) if any(row[c] for row in rows) else 1
        v = [0] * columns
        v[c] = m
        for row, p in zip(rows, pivots):
            v[p] = -row[c] * (m // row[p])
        basis.append(primitive(v))
    return basis


def rank(rows):
    return len(reduced(rows)[1])


def rank_mod(rows, p):
    """Rank over the integers modulo p: never above the rational rank, and equal to it unless p divides a certain minor."""
    rows, r = [[x.numerator * pow(x.denominator, -1, p) % p for x in row] for row in rows], 0
    for c in range(len(rows[0]) if rows else 0):
        q = next((i for i in range(r, len(rows)) if rows[i][c]), None)
        if q is None:
            continue
        rows[r], rows[q] = rows[q], rows[r]
        inverse = pow(rows[r][c], -1, p)
        for i in range(r + 1, len(rows)):
            f = rows[i][c] * inverse % p
            if f:
                rows[i] = [(x - f * y) % p for x, y in zip(rows[i], rows[r])]
        r += 1
    return r


# ---------------------------------------------------------------- vectors

def add(p, q, f=1):
    return (p[0] + f * q[0], p[1] + f * q[1])


def sub(p, q):
    return (p[0] - q[0], p[1] - q[1])


def turn(d, p):
    """p turned by the direction d = (cos, sin)."""
    return (d[0] * p[0] - d[1] * p[1], d[1] * p[0] + d[0] * p[1])


def back(d, p):
    return turn((d[0], -d[1]), p)


def dot(p, q):
    return p[0] * q[0] + p[1] * q[1]


def perp(p):
    return (-p[1], p[0])


def root(x):
    """The rational square root, or None."""
    n, d = math.isqrt(x.numerator), math.isqrt(x.denominator)
    return Q(n, d) if n * n == x.numerator and d * d == x.denominator else None


# ---------------------------------------------------------------- a system

class Body:
    def __init__(self, at, direction, particle):
        self.at, self.direction, self.particle = at, direction, particle


class Joint:
    """p1, d1, p2, d2: place and direction of the first and the second marker, in ground coordinates."""

    def __init__(self, kind, first, second, p1, d1, p2, d2, locked):
        self.kind, self.first, self.second, self.p1, self.d1, self.p2, self.d2 = kind, first, second, p1, d1, p2, d2
        self.locked, self.explicit = locked, False
        self.held = locked if kind == "general" else HELD[kind]

    @property
    def axes(self):
        """The axes in which the reaction is reported."""
        return (self.d2, perp(self.d2)) if self.kind == "knife-edge" else (self.d1, perp(self.d1))

    def wrenches(self):
        """One (fx, fy, torque about p2) on the second body per row."""
        e, n = self.axes
        span = sub(self.p1, self.p2)
        unit = {"x": (*e, 0), "y": (*n, 0), "r": (0, 0, 1), "l": (*span, 0), "k": (*n, 0)}
        return [tuple(Q(v) for v in unit[h]) for h in self.held]

    def names(self):
        """Components it holds."""
        return {"x": ["Fx"], "y": ["Fy"], "r": ["Tz"], "l": ["Fx", "Fy"], "k": ["Fy"], "xy": ["Fx", "Fy"], "yr": ["Fy", "Tz"],
                "xr": ["Fx", "Tz"], "xyr": ["Fx", "Fy", "Tz"]}[self.held]


class Drive:
    """kind: angle, distance, x, y, rz of a joint; between two points; along: the absolute x or y of a point; heading: a body's angle."""

    def __init__(self, kind, joint=None, points=None, axis=None):
        self.kind, self.joint, self.points, self.axis = kind, joint, points, axis


class System:
    def __init__(self, family=""):
        self.bodies, self.joints, self.drives, self.family = {}, {}, {}, family

    # ---- building
    def body(self, at, direction=WHOLE[0], particle=False):
        name = f"b{len(self.bodies)}"
        self.bodies[name] = Body(tuple(map(Q, at)), direction, particle)
        return name

    def joint(self, kind, first, second, p1, p2=None, d1=WHOLE[0], d2=None, locked=None):
        name = f"j{len(self.joints)}"
        d2 = WHOLE[0] if self.particle(second) else d2 or d1                # a particle has no axes of its own
        d1 = WHOLE[0] if self.particle(first) else d1
        p1 = tuple(map(Q, p1))
        self.joints[name] = Joint(kind, first, second, p1, d1, tuple(map(Q, p2)) if p2 else p1, d2, locked)
        return name

    def drive(self, *args, **kw):
        name = f"d{len(self.drives)}"
        self.drives[name] = Drive(*args, **kw)
        return name

    def particle(self, body):
        return body != "ground" and self.bodies[body].particle

    def place(self, body):
        return (Q(0), Q(0)) if body == "ground" else self.bodies[body].at

    def direction(self, body):
        return WHOLE[0] if body == "ground" else self.bodies[body].direction

    # ---- the same system, seen otherwise
    def moved(self, scale=Q(1), rotation=WHOLE[0], shift=(Q(0), Q(0))):
        """Everything, ground's markers too, scaled, turned and shifted."""
        go = lambda p: add(shift, turn(rotation, (scale * p[0], scale * p[1])))
        new = System(self.family)
        for n, b in self.bodies.items():
            new.bodies[n] = Body(go(b.at), turn(rotation, b.direction), b.particle)
        for n, j in self.joints.items():
            k = new.joints[n] = Joint(j.kind, j.first, j.second, go(j.p1), turn(rotation, j.d1), go(j.p2), turn(rotation, j.d2), j.locked)
            k.explicit = j.explicit
        for n, d in self.drives.items():
            new.drives[n] = Drive(d.kind, d.joint, d.points and [(b, go(p)) for b, p in d.points], d.axis)
        return new

    def renamed(self, names):
        new = System(self.family)
        new.bodies = {names[n]: b for n, b in self.bodies.items()}
        for n, j in self.joints.items():
            k = new.joints[names[n]] = Joint(j.kind, names[j.first], names[j.second], j.p1, j.d1, j.p2, j.d2, j.locked)
            k.explicit = j.explicit
        for n, d in self.drives.items():
            new.drives[names[n]] = Drive(d.kind, d.joint and names[d.joint], d.points and [(names[b], p) for b, p in d.points], d.axis)
        return new

    def reversed(self):
        new = System(self.family)
        for part in ("bodies", "joints", "drives"):
            setattr(new, part, dict(reversed(getattr(self, part).items())))
        return new

    # ---- the model file
    def model(self, units=None, masses=None):
        """A dict, as docs/model-file.md says.  units: a map with length mm and angle deg; masses: a random generator."""
        long = 1000 if units else 1
        number = lambda x: float(x * long)
        angle = lambda d: math.atan2(d[1], d[0]) * (180 / math.pi if units else 1)
        markers = {n: {} for n in ("ground", *self.bodies)}

        def marker(body, name, p, d=None):
            p = back(self.direction(body), sub(p, self.place(body)))
            at = [number(p[0]), number(p[1])]
            markers[body][name] = at if d is None or self.particle(body) else {"at": at, "angle": angle(back(self.direction(body), d))}
            return f"{body}.{name}"

        joints, drives = {}, {}
        for n, j in self.joints.items():
            out = joints[n] = {"type": j.kind, "between": [marker(j.first, n + "_1", j.p1, j.d1), marker(j.second, n + "_2", j.p2, j.d2)]}
            d = back(j.d1, sub(j.p2, j.p1))
            if j.kind in ("x", "y", "slot") and (d[j.kind != "x"] or j.explicit):
                out["value"] = number(d[j.kind != "x"])
            if j.kind == "angle":
                out["value"] = angle(back(j.d1, j.d2))
            if j.held == "l" and j.explicit:
                out["length"] = math.sqrt(dot(d, d)) * long
            if j.kind == "general":
                out["locked"] = [{"x": "x", "y": "y", "r": "rz"}[h] for h in j.locked]
        for n, d in self.drives.items():
            j = self.joints.get(d.joint)
            if d.kind in ("angle", "rz"):
                coordinate, value = f"{d.joint}.{d.kind}", math.atan2(*reversed(back(j.d1, j.d2)))
            elif d.kind in ("distance", "x", "y"):
                coordinate, value = f"{d.joint}.{d.kind}", back(j.d1, sub(j.p2, j.p1))[d.kind == "y"]
            elif d.kind == "between":
                (a, p), (b, q) = d.points
                coordinate = f"distance({marker(a, n + '_1', p)}, {marker(b, n + '_2', q)})"
                value = math.sqrt(dot(sub(p, q), sub(p, q)))
            elif d.kind == "along":
                (a, p), = d.points
                coordinate, value = f"{d.axis}({marker(a, n + '_1', p)})", p[d.axis == "y"]
            else:
                (a, p), = d.points
                coordinate, value = f"angle({a})", math.atan2(*reversed(self.direction(a)))
            drives[n] = {"coordinate": coordinate, "motion": f"{float(value)!r} + 0*t"}
        bodies = {"ground": {"markers": markers["ground"]}}
        for n, b in self.bodies.items():
            mass, inertia = (masses.choice([0.01, 3, 250]), masses.choice([1e-4, 0.5, 40])) if masses else (1, 0.1)
            out = bodies[n] = {"mass": mass, "pose": {"at": [number(b.at[0]), number(b.at[1])]}, "markers": markers[n]}
            if b.particle:
                out["particle"] = True
            else:
                out["inertia"] = inertia
                out["pose"]["angle"] = angle(b.direction)
                if masses:
                    out["centroid"] = [long * masses.uniform(-1, 1), long * masses.uniform(-1, 1)]
        head = {"roberval": 1, "title": self.family, "space": "planar"}
        if units:
            head["units"] = units
        return {**head, "bodies": bodies, "joints": joints, **({"drives": drives} if drives else {})}


# ---------------------------------------------------------------- exact statics

class Functional:
    """A component as a linear functional of the multipliers: factor times the rational coefficients (factor: an irrational length)."""

    def __init__(self, coefficients, factor=1.0, exact=True):
        self.coefficients, self.factor, self.exact = {k: v for k, v in coefficients.items() if v}, factor, exact


class Oracle:
    def __init__(self, system):
        self.system = system
        start, n = {}, 0
        for name, b in system.bodies.items():
            start[name] = n
            n += 2 if b.particle else 3
        self.coordinates = n
        columns, holonomic = [], []
        self.components, self.ground, self.free, self.held = {}, {}, [], {}

        def column(first, second, p, w, turns=True):
            """The wrench w about p on the second, its opposite on the first; about each body's origin."""
            col = [Q(0)] * n
            for who, s in ((second, 1), (first, -1)):
                if who is None or who == "ground":
                    continue
                r = sub(p, system.place(who))
                c = start[who]
                col[c] += s * w[0]
                col[c + 1] += s * w[1]
                if not system.bodies[who].particle:
                    col[c + 2] += s * (w[2] + r[0] * w[1] - r[1] * w[0])
            columns.append(col)
            holonomic.append(turns)
            return len(columns) - 1

        for name, j in system.joints.items():
            ws = j.wrenches()
            at = [column(j.first, j.second, j.p2, w, j.kind != "knife-edge") for w in ws]
            e, f = j.axes
            value = {"Fx": lambda w: dot(e, w), "Fy": lambda w: dot(f, w), "Tz": lambda w: w[2]}
            for c, of in value.items():
                if c in j.names():
                    self.components[f"{name}.{c}"] = Functional({k: of(w) for k, w in zip(at, ws)})
                else:
                    self.free.append(f"{name}.{c}")
            for i, c in enumerate(("Fx", "Fy", "Tz")):
                self.ground[f"{name}.{c}"] = Functional({k: w[i] for k, w in zip(at, ws)})
            if j.held == "l":
                self.components[f"{name}.F"] = self.long(at[0], sub(j.p1, j.p2))
            self.held[name] = [c for c in self.components if c.startswith(name + ".")]
        self.joint_rows = len(columns)
        for name, d in system.drives.items():
            if d.kind in ("angle", "rz", "distance", "x", "y"):
                j = system.joints[d.joint]
                w = {"y": (*perp(j.d1), 0)}.get(d.kind, (*j.d1, 0) if d.kind in ("distance", "x") else (0, 0, 1))
                k = column(j.first, j.second, j.p2, w)
            elif d.kind == "between":
                (a, p), (b, q) = d.points
                k = column(a, b, q, (*sub(q, p), 0))
            elif d.kind == "along":
                k = column(None, d.points[0][0], d.points[0][1], (Q(d.axis == "x"), Q(d.axis == "y"), 0))
            else:
                k = column(None, d.points[0][0], d.points[0][1], (0, 0, 1))
            self.components[f"{name}.effort"] = self.long(k, sub(q, p)) if d.kind == "between" else Functional({k: Q(1)})
            self.ground[f"{name}.effort"] = self.components[f"{name}.effort"]
        self.rows = len(columns)
        self.columns = columns
        self.matrix = [list(row) for row in zip(*columns)]
        self.null = null_space(self.matrix, self.rows)
        self.redundant = len(self.null)
        self.rank = self.rows - self.redundant
        self.rank_holonomic = self.rank if all(holonomic) else rank([c for c, h in zip(columns, holonomic) if h])
        self.image = {c: self.on_null(f) for c, f in self.components.items()}
        self.verdict = {c: "not unique" if any(v) else "unique" for c, v in self.image.items()}
        self.verdict_ground = {c: "not unique" if any(self.on_null(f)) else "unique" for c, f in self.ground.items()}

    @staticmethod
    def long(k, span):
        """A force of unit length along span where the multiplier's is of span's length."""
        length = root(dot(span, span))
        return Functional({k: length}) if length else Functional({k: Q(1)}, math.sqrt(dot(span, span)), False)

    def on_null(self, f):
        """What each self-stress of the basis adds to the component (but for its factor)."""
        return [sum(v * x[k] for k, v in f.coefficients.items()) for x in self.null]

    def determined(self, combination):
        """Of {component: rational}; all components must be exact."""
        total = [0] * self.redundant
        for c, a in combination.items():
            total = [t + a * x for t, x in zip(total, self.image[c])]
        return not any(total)

    def idle(self, combination):
        """Whether a joint's part of {component: rational} is 0 whatever its multipliers, as Fx - cot(angle) Fy of a bar."""
        joints = {}
        for c, a in combination.items():
            total = joints.setdefault(c.split(".")[0], {})
            for k, v in self.components[c].coefficients.items():
                total[k] = total.get(k, 0) + a * v
        return any(not any(total.values()) for total in joints.values())

    def vector(self, component):
        """The functional in numbers, factor included."""
        f = self.components[component]
        out = np.zeros(self.rows)
        for k, v in f.coefficients.items():
            out[k] = float(v) * f.factor
        return out

    def basis(self):
        """The null space in numbers, orthonormal."""
        if not self.null:
            return np.zeros((self.rows, 0))
        n = np.array([[float(Q(x, max(map(abs, v)))) for x in v] for v in self.null]).T
        return np.linalg.qr(n)[0]

    def mixed(self):
        """Whether some joint has components of both verdicts."""
        real = lambda held: {self.verdict[c] for c in held if not c.endswith(".F") and self.components[c].coefficients}
        return any(len(real(held)) > 1 for held in self.held.values())


# ---------------------------------------------------------------- the generator

class Builder:
    """Random overconstrained systems; every choice comes from one random generator."""

    def __init__(self, rng, family):
        self.r, self.s = rng, System(family)

    # ---- random geometry
    def number(self, size=4):
        return Q(self.r.randint(-size * 4, size * 4), self.r.choice([1, 2, 3, 4, 4]))

    def point(self, size=4):
        return (self.number(size) / 2, self.number(size) / 2)

    def away(self, p, size=4):
        while True:
            q = self.point(size)
            if q != p:
                return q

    def direction(self):
        return self.r.choice(WHOLE if self.r.random() < 0.4 else SLANTED)

    def axis(self, d):
        """The direction d, or across it, or any: so that verdicts differ between the axes often, not always."""
        x = self.r.random()
        return d if x < 0.45 else perp(d) if x < 0.6 else self.direction()

    def body(self, at=None, particle=False):
        return self.s.body(at or self.point(), WHOLE[0] if particle else self.direction(), particle)

    def bodies(self):
        return ["ground", *self.s.bodies]

    # ---- joints that fit
    def join(self, kind, a, b, p=None, d=None):
        """A joint that fits as the bodies lie: the rest of its geometry is random."""
        r = self.r
        if r.random() < 0.3 and kind != "knife-edge" or b == "ground":
            a, b = b, a
        p, d = p or self.point(), d or self.direction()
        name = None
        if kind == "revolute":
            name = self.s.joint(kind, a, b, p, None, d, self.direction())
        elif kind == "fixed":
            name = self.s.joint(kind, a, b, p, None, d)
        elif kind in ("prismatic", "translational"):
            name = self.s.joint(kind, a, b, p, add(p, d, self.number()), d)
        elif kind == "slot":
            p2 = add(p, d, self.number())
            if r.random() < 0.3:
                p2 = add(p2, perp(d), self.number())
            name = self.s.joint(kind, a, b, p, p2, d, self.direction())
        elif kind == "parallel":
            name = self.s.joint(kind, a, b, p, self.point(), d)
        elif kind in ("angle", "x", "y"):
            name = self.s.joint(kind, a, b, p, self.point(), d, self.direction())
        elif kind in ("link", "distance"):
            p2 = self.away(p)
            if r.random() < 0.4:                                          # a bar of rational length
                p2 = add(p, self.direction(), r.choice([Q(1, 2), 1, Q(5, 3), 2, 3]))
            name = self.s.joint(kind, a, b, p, p2, d, self.direction())
        elif kind == "knife-edge":
            name = self.s.joint(kind, a, b, self.point(), p, self.direction(), d)
        elif kind == "general":
            locked = r.choice(["x", "y", "r", "xy", "yr", "xr", "xyr"])
            p2, d2 = p, d
            if "r" not in locked:
                d2 = self.direction()
            if "x" not in locked:
                p2 = add(p2, d, self.number())
            if "y" not in locked:
                p2 = add(p2, perp(d), self.number())
            name = self.s.joint(kind, a, b, p, p2, d, d2, locked)
        self.s.joints[name].explicit = r.random() < 0.5
        return name

    def bar(self, a, b, p, q, d=None, kind="link"):
        """A link from p on a to q on b."""
        if self.r.random() < 0.3:
            a, b, p, q = b, a, q, p
        name = self.s.joint(kind, a, b, p, q, d or self.axis(self.direction()), self.direction())
        self.s.joints[name].explicit = self.r.random() < 0.5
        return name

    ANY = ["revolute"] * 4 + ["slot"] * 3 + ["link"] * 2 + [k for k in HELD if k not in ("revolute", "slot", "link")]
    PAIRED = ["revolute revolute", "fixed slot", "fixed revolute", "prismatic prismatic", "prismatic revolute slot", "slot slot slot slot",
              "revolute parallel angle", "x y fixed", "link link link link", "parallel parallel", "revolute link link", "general fixed",
              "slot parallel prismatic"]

    # ---- additions to any system
    def redundant(self):
        return Oracle(self.s).redundant

    def extend(self, bodies):
        """Hang bodies on what there is, by single joints."""
        for _ in range(bodies):
            a = self.r.choice([n for n in self.bodies() if not self.particles(n)])
            self.join(self.r.choice(["revolute", "revolute", "fixed", "prismatic", "slot"]), a, self.body())

    def overconstrain(self, degree, tries=12):
        """Random joints until the degree of redundancy is reached; what overshoots is taken back."""
        for _ in range(tries):
            if self.redundant() >= degree:
                break
            a, b = self.r.sample(self.bodies(), 2)
            name = self.particle_joint(a, b) if self.particles(a, b) else self.join(self.r.choice(self.ANY), a, b)
            if self.redundant() > degree:
                del self.s.joints[name]

    def particles(self, *names):
        return any(map(self.s.particle, names))

    def particle_joint(self, a, b):
        p, q = self.s.place(a), self.s.place(b)
        p = p if self.particles(a) else self.away(q)
        q = q if self.particles(b) else self.away(p)
        return self.bar(a, b, p, q)

    def motors(self, chance=0.5):
        """Drives of free coordinates, each of a joint of its own."""
        r = self.r
        if r.random() > chance:
            return
        for _ in range(r.choice([1, 1, 2])):
            used = {d.joint for d in self.s.drives.values()}
            choice = []
            for n, j in self.s.joints.items():
                if n in used or self.particles(j.first, j.second):
                    continue
                choice += {"revolute": [(n, "angle")] * 3 + [(n, "rz")], "prismatic": [(n, "distance")] * 3 + [(n, "x")],
                           "translational": [(n, "distance")], "slot": [(n, "x"), (n, "rz")], "x": [(n, "y")], "y": [(n, "x")],
                           "parallel": [(n, "x"), (n, "y")], "angle": [(n, "x"), (n, "y")]}.get(j.kind, [])
            x = r.random()
            if x < 0.6 and choice:
                n, kind = r.choice(choice)
                self.s.drive(kind, joint=n)
            elif x < 0.85:
                a, b = r.sample(self.bodies(), 2)
                p = self.s.place(a) if self.particles(a) else self.point()
                q = self.s.place(b) if self.particles(b) else self.away(p)
                if p != q:
                    self.s.drive("between", points=[(a, p), (b, q)])
            else:
                a = r.choice(list(self.s.bodies))
                if self.particles(a) or r.random() < 0.5:
                    p = self.s.place(a) if self.particles(a) else self.point()
                    self.s.drive("along", points=[(a, p)], axis=r.choice("xy"))
                elif not any(d.kind == "heading" for d in self.s.drives.values()):
                    self.s.drive("heading", points=[(a, self.s.place(a))])

    # ---- families
    def random_graph(self):
        """A random tree of bodies, then random joints across it."""
        for _ in range(self.r.randint(2, 6)):
            a = self.r.choice(self.bodies())
            b = self.body()
            self.join(self.r.choice(self.ANY), a, b)
        self.overconstrain(self.r.randint(0, 6), 30)

    def cranks(self, equal=True, spread=None, number=None, v=None):
        """A table on parallel cranks (bodies or bars); equal: redundant permanently, else for the moment."""
        r = self.r
        d = self.direction()
        v = v or (lambda f: (f * d[0], f * d[1]))(r.choice([Q(1, 2), 1, Q(3, 2), 2]))
        table = self.body()
        base = self.body() if r.random() < 0.2 else "ground"
        where = self.point()
        for i in range(number or r.randint(2, 5)):
            where = add(where, spread, r.choice([Q(1, 2), 1, Q(4, 3), 2])) if spread else self.point()
            f = 1 if equal else r.choice([Q(1, 2), 1, Q(3, 4), 2, -1])
            top = add(where, v, f)
            if r.random() < 0.35:
                self.bar(base, table, where, top, self.axis(d))
                continue
            crank = self.body() if len(self.s.bodies) < 7 else None
            if not crank:
                self.bar(base, table, where, top, self.axis(d))
                continue
            for a, b, p in ((base, crank, where), (crank, table, top)):
                self.join("revolute", a, b, p, self.axis(d))

    def unequal_cranks(self):
        self.cranks(equal=False)

    def flat(self):
        """Cranks all in one line: singular for the moment."""
        d = self.direction()
        self.cranks(equal=self.r.random() < 0.5, spread=d, v=d)

    def nearly(self, least=4):
        """Cranks, one of them out of parallel by 1e-2 to 1e-4: that one is not redundant."""
        d = self.direction()
        table = self.body()
        off = Q(1, 10 ** self.r.randint(least - 2, least))
        n = self.r.randint(3, 5)
        for i in range(n):
            p = self.point()
            top = add(add(p, d, 2), perp(d), off if i == 0 else 0)
            if self.r.random() < 0.5:
                self.bar("ground", table, p, top, self.axis(d))
            else:
                crank = self.body()
                self.join("revolute", "ground", crank, p, self.axis(d))
                self.join("revolute", crank, table, top, self.axis(d))

    def barely(self):
        """The same, out of parallel by 1e-5 to 1e-7."""
        self.nearly(7)

    def doors(self):
        """Doubled joints: hinges on one axis, rails on one or parallel lines."""
        r = self.r
        base = "ground"
        for _ in range(r.randint(2, 4)):
            leaf = self.body()
            d, p = self.direction(), self.point()
            way = r.choice(["hinges", "hinge and slot", "rails", "rail and slot", "two pins", "welds", "single"])
            if way == "hinges":
                for _ in range(r.randint(2, 3)):
                    self.join("revolute", base, leaf, p, self.axis(d))
            elif way == "hinge and slot":
                self.join("revolute", base, leaf, p, self.axis(d))
                self.join("slot", base, leaf, add(p, d, -self.number()), d)
            elif way == "rails":
                for _ in range(r.randint(2, 3)):
                    self.join(r.choice(["prismatic", "translational"]), base, leaf, add(p, perp(d), r.choice([0, self.number()])), d)
            elif way == "rail and slot":
                self.join("prismatic", base, leaf, p, d)
                for _ in range(r.randint(1, 2)):
                    self.join("slot", base, leaf, add(p, perp(d), r.choice([0, self.number()])), d)
            elif way == "two pins":
                f = self.axis(d)
                self.join("revolute", base, leaf, p, f)
                self.join("revolute", base, leaf, add(p, d, r.choice([1, 2, Q(3, 2)])), f)
            elif way == "welds":
                self.join("fixed", base, leaf, p, d)
                self.join(r.choice(["fixed", "revolute", "parallel"]), base, leaf, None, d)
            else:
                self.join(r.choice(["revolute", "prismatic"]), base, leaf)
            base = r.choice([leaf, leaf, base])
        if self.redundant() == 0:
            self.overconstrain(1)

    def beams(self):
        """Bodies with built-in ends, rollers of one direction, props."""
        r = self.r
        base = "ground"
        for _ in range(r.randint(2, 3)):
            beam = self.body()
            d, p = self.direction(), self.point()
            self.join(r.choice(["fixed", "revolute", "revolute", "x"]), base, beam, p, d)
            for _ in range(r.randint(1, 3)):
                self.join(r.choice(["slot", "y", "slot", "parallel"]), base, beam, add(p, d, self.number()), r.choice([d, d, d, perp(d)]))
            if r.random() < 0.3:
                self.join("fixed", base, beam)
            base = r.choice([beam, "ground"])

    def grid(self, columns, rows):
        d, step = self.direction(), (self.r.choice([1, Q(3, 2), 2]), self.r.choice([1, Q(4, 3), 2]))
        at, bent = self.point(), self.r.random() < 0.5
        out = {}
        for i in range(columns):
            for k in range(rows):
                p = add(at, turn(d, (i * step[0], k * step[1])))
                out[i, k] = add(p, (self.number(1) / 16, self.number(1) / 16)) if bent else p
        return out

    def truss(self):
        """Particles at the nodes of a lattice, bars between them, some nodes on ground."""
        r = self.r
        nodes = self.grid(r.randint(2, 4), r.choice([2, 2, 3]))
        keys = list(nodes)
        fixed = set(r.sample(keys, r.randint(2, 3)) if r.random() < 0.3 else keys[:2 + (r.random() < 0.3)])
        while len(keys) - len(fixed) > 8:
            fixed.add(r.choice([k for k in keys if k not in fixed]))
        owner = {k: "ground" if k in fixed else self.body(nodes[k], True) for k in keys}
        bars = [(a, b) for i, a in enumerate(keys) for b in keys[i + 1:] if max(abs(a[0] - b[0]), abs(a[1] - b[1])) == 1
                and not {a, b} <= fixed and nodes[a] != nodes[b]]
        r.shuffle(bars)
        degree = r.randint(0, 5)
        bars.sort(key=lambda b: abs(b[0][0] - b[1][0]) + abs(b[0][1] - b[1][1]) - (r.random() < 0.2))
        for a, b in bars:
            d = self.axis(self.along(nodes[a], nodes[b]))
            name = self.bar(owner[a], owner[b], nodes[a], nodes[b], d, r.choice(["link", "link", "distance"]))
            if self.redundant() > degree:
                del self.s.joints[name]

    def along(self, p, q):
        """The direction from p to q when it is rational, else any."""
        v = sub(q, p)
        length = root(dot(v, v))
        return (v[0] / length, v[1] / length) if length else self.direction()

    def lattice(self):
        """Bars as bodies, pinned to each other at the nodes of a braced rectangle or a fan."""
        r = self.r
        nodes = self.grid(2, 2) if r.random() < 0.6 else self.grid(3, 2)
        keys = list(nodes)
        edges = [(a, b) for i, a in enumerate(keys) for b in keys[i + 1:] if max(abs(a[0] - b[0]), abs(a[1] - b[1])) == 1]
        if len(keys) > 4:
            edges = r.sample(edges, 8)
        bars = {e: self.body(add(nodes[e[0]], sub(nodes[e[1]], nodes[e[0]]), r.choice([0, Q(1, 2), Q(1, 3)]))) for e in edges}
        ground = r.sample(keys, r.randint(1, 2)) if r.random() < 0.8 else []
        for k in keys:
            meet = [(b, e) for e, b in bars.items() if k in e] + ([("ground", None)] if k in ground else [])
            star = r.random() < 0.5
            for i in range(1, len(meet)):
                e = meet[i][1] or meet[0][1]
                self.join("revolute", meet[0 if star else i - 1][0], meet[i][0], nodes[k], self.axis(self.along(nodes[e[0]], nodes[e[1]])))

    def blocks(self):
        """Redundant pairs along a chain, with bridges between them."""
        r, base = self.r, "ground"
        for _ in range(r.randint(2, 5)):
            new = self.body()
            if r.random() < 0.35:
                self.join(r.choice(["revolute", "prismatic", "fixed", "slot"]), base, new)
            else:
                d, p = self.direction(), self.point()
                for kind in r.choice(self.PAIRED).split():
                    self.join(kind, base, new, r.choice([p, None]), r.choice([d, d, None]))
            base = new if r.random() < 0.8 else r.choice(self.bodies())

    def islands(self):
        """Two or three systems that do not touch, sometimes a hundred times smaller or larger than each other."""
        for k in range(self.r.randint(2, 3)):
            part = Builder(self.r, "")
            for _ in range(20):
                part.s = System()
                self.r.choice([part.doors, part.beams, part.inline, part.wheels, part.singular])()
                if len(part.s.bodies) + len(self.s.bodies) <= 8:
                    break
            else:
                continue
            names = {"ground": "ground"}
            for table, mine, letter in ((part.s.bodies, self.s.bodies, "b"), (part.s.joints, self.s.joints, "j")):
                names.update({n: f"{letter}{len(mine) + i}" for i, n in enumerate(table)})
            other = part.s.moved(self.r.choice([Q(1), Q(1), Q(1), Q(1, 100), Q(100)])).renamed(names)
            self.s.bodies.update(other.bodies)
            self.s.joints.update(other.joints)

    def inline(self):
        """Particles or bodies on a line, held by bars along it: the bars' forces are not determined, the line is."""
        r, d, p = self.r, self.direction(), self.point()
        places = sorted({self.number() for _ in range(r.randint(4, 6))})
        owner = {x: "ground" if i in (0, len(places) - 1) else self.body(add(p, d, x), r.random() < 0.5) for i, x in enumerate(places)}
        for x, y in zip(places, places[1:]):
            if owner[x] != owner[y]:
                self.bar(owner[x], owner[y], add(p, d, x), add(p, d, y), self.axis(d))
        if len(self.s.bodies) < 2:
            self.join("revolute", "ground", self.body())
        if r.random() < 0.4:
            a = r.choice(list(self.s.bodies))
            self.bar("ground", a, add(p, perp(d), 2), self.s.place(a))

    def singular(self):
        """A plate on bars through one point or parallel, a guide square to a bar: rank lost for the moment."""
        r, plate = self.r, self.body()
        d, center = self.direction(), self.point()
        at = [self.direction() for _ in range(r.randint(3, 4))]
        together = r.random() < 0.5
        for e in at:
            if together:
                x, y = r.sample([Q(1), Q(2), Q(3), Q(-1), Q(3, 2)], 2)
                p, q = add(center, e, x), add(center, e, y)
            else:
                p = self.point()
                q, e = add(p, d, r.choice([1, 2, -1])), d
            self.bar("ground", plate, p, q, self.axis(e))
        rider = self.body()
        self.join("prismatic", r.choice(["ground", plate]), rider, None, d)
        p = self.point()
        self.bar("ground", rider, p, add(p, perp(d), 2), self.axis(d))

    def wheels(self):
        """Carts and trailers on knife-edges, wheels on common axles; some cut into another body's surface."""
        r, base = self.r, "ground"
        for _ in range(r.randint(2, 4)):
            cart = self.body()
            d, hub = self.direction(), self.point()
            if base != "ground" and r.random() < 0.8:
                self.join(r.choice(["revolute", "revolute", "fixed"]), base, cart)
            road = r.choice(["ground", "ground", "ground", base])
            for _ in range(r.randint(1, 3)):
                self.join_wheel(road, cart, add(hub, perp(d), self.number()), d)
            if r.random() < 0.4:
                self.join_wheel(road, cart, self.point(), r.choice([d, self.direction()]))
            base = cart

    def join_wheel(self, road, cart, p, d):
        self.s.joint("knife-edge", road, cart, self.point(), p, self.direction(), d)

    def turns(self):
        """Directions held several times round a loop."""
        r = self.r
        d = self.direction()
        names = ["ground"] + [self.body() for _ in range(r.randint(2, 4))]
        for a, b in zip(names, names[1:]):
            self.join(r.choice(["parallel", "prismatic", "angle", "fixed"]), a, b, None, r.choice([d, None]))
        for _ in range(r.randint(1, 3)):
            a, b = r.sample(names, 2)
            self.join(r.choice(["parallel", "angle", "prismatic"]), a, b, None, r.choice([d, None]))

    def scissor(self):
        """A lift of crossed arms, with a mast."""
        r = self.r
        d, at = self.direction(), self.point()
        w, h = r.choice([Q(3, 2), 2, 1]), r.choice([1, Q(3, 4), 2])
        on = lambda x, y: add(at, turn(d, (Q(x), Q(y))))
        base = "ground"
        for k in range(r.randint(1, 2)):
            one, two = self.body(), self.body()
            up = self.body()
            low, top = k * h, (k + 1) * h
            self.join("revolute", base, one, on(0, low), self.axis(d))
            self.s.joint("slot", base, two, on(0, low), on(w, low), d, self.direction())
            self.join("revolute", one, two, on(Q(w) / 2, Q(low + top) / 2), self.axis(d))
            self.join("revolute", two, up, on(0, top), self.axis(d))
            self.s.joint("slot", up, one, on(0, top), on(w, top), d, self.direction())
            base = up
        self.join(r.choice(["prismatic", "parallel", "slot", "slot"]), "ground", base, None, perp(d))
        if r.random() < 0.5:
            self.join(r.choice(["prismatic", "parallel", "slot", "x"]), "ground", base, None, perp(d))


FAMILIES = ("random_graph", "cranks", "doors", "truss", "blocks", "unequal_cranks", "beams", "lattice", "wheels", "islands", "inline",
            "scissor", "turns", "singular", "nearly", "flat", "random_graph", "blocks")
DRESS = {"random_graph": 0, "truss": 0.1, "lattice": 0.3, "nearly": 0.2, "barely": 0.1}


def system(seed, family=None):
    """The system of a seed, with its oracle: 2 to 8 bodies, redundancy 0 to 6 (0 in about one of ten)."""
    rng = random.Random(f"exact {seed}")
    family = family or FAMILIES[seed % len(FAMILIES)]
    while True:
        b = Builder(rng, f"{family} {seed}")
        getattr(b, family)()
        if rng.random() < 0.35 and len(b.s.bodies) < 7 and family not in ("random_graph", "truss"):
            b.extend(rng.randint(1, 2))
        if rng.random() < DRESS.get(family, 0.3):
            b.overconstrain(b.redundant() + rng.randint(1, 2), 4)
        b.motors(0.4 if family not in ("cranks", "scissor") else 0.7)
        if not 2 <= len(b.s.bodies) <= 8 or any(j.held == "l" and j.p1 == j.p2 for j in b.s.joints.values()):
            continue
        o = Oracle(b.s)
        if o.redundant > 6 or (o.redundant == 0 and rng.random() < 0.6):
            continue
        return b.s, o


# ---------------------------------------------------------------- questions to --ask

def question(oracle, rng):
    """A sparse rational combination of components, and whether the exact statics determine it: about half of them do."""
    exact = [c for c, f in oracle.components.items() if f.exact and f.coefficients]
    loose = [c for c in exact if oracle.verdict[c] == "not unique"]
    tight = [c for c in exact if oracle.verdict[c] == "unique"]
    some = lambda: Q(rng.randint(1, 6), rng.randint(1, 4)) * rng.choice([1, -1])
    combination = {}
    if len(loose) > 1:
        pick = rng.sample(loose, min(len(loose), oracle.redundant + 1))
        relations = null_space([list(map(Q, row)) for row in zip(*(oracle.image[c] for c in pick))], len(pick))
        relation = next((x for x in relations if max(map(abs, x)) <= 1000 * min(abs(v) for v in x if v)), None)
        if relation and rng.random() < 0.7:
            f = rng.choice([Q(1), Q(1), Q(-1), Q(1, 2), Q(3, 5)]) / max(map(abs, relation), default=1)
            combination = {c: f * v for c, v in zip(pick, relation) if v}
            if rng.random() < 0.25:                                       # one coefficient wrong
                c = rng.choice(list(combination))
                combination[c] *= rng.choice([Q(1, 2), Q(-1), Q(3, 2), Q(101, 100)])
        else:
            combination = {c: some() for c in pick[:3]}
    if tight and (not combination or rng.random() < 0.3):
        combination.update({c: some() for c in rng.sample(tight, min(len(tight), 2))})
    return combination, oracle.determined(combination)


def written(combination, rng):
    """As a user would write it: fractions or decimals; 1 left out."""
    text = ""
    for c, v in combination.items():
        a = abs(v)
        plain = "" if a == 1 else f"{a}*" if a.denominator == 1 or rng.random() < 0.3 else f"{float(a)!r}*"
        sign = ("-" if v < 0 else "") if not text else " - " if v < 0 else " + "
        text += sign + plain + c
    return text
