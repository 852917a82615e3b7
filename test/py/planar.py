"""An independent planar mechanism program: dense, slow, short.  It shares nothing with the program under test.

Input is a model as docs/model-file.md writes it, as a Python dict in plain SI numbers (expressions are allowed
where the contract allows them; no units but literals in brackets).  Absolute coordinates (x, y, phi) of each body frame;
ground is body 0, with columns of its own so that reactions on it come out of the same formula.

  position      Phi(q, t) = 0 by Gauss-Newton with minimum-norm steps from the poses of the file
  derivatives   the gradient of Phi by complex step (h = 1e-30), everything along the motion by second-order Taylor
                arithmetic in time (class Jet): no difference quotients anywhere
  velocity      C v = -Phi_t;   acceleration  C a = gamma,  gamma = -(d2/dt2 Phi along q + v t)          [SPEC C0.7]
  wrenches      D^T lam = Q - M a: D = C but for gears, whose row is the tangential velocity at the pitch point
                (SPEC K5); redundant rows: least sum |F|^2 + |T|^2/L^2 per biconnected block             [MODEL 9]
  reactions     force on the second body at its marker, torque about that point, axes of the first marker [MODEL 7]
  verdicts      a component c.lam is unique iff c N = 0, N = null(D^T)
"""
import math
import re

import numpy as np

COMPONENTS = ("Fx", "Fy", "Tz")


# ---------------------------------------------------------------- Taylor arithmetic in time, second order

class Jet:
    """a + b dt + c dt^2/2: value, rate, second rate."""
    __slots__ = ("a", "b", "c")
    __array_priority__ = 100

    def __init__(self, a, b=0.0, c=0.0):
        self.a, self.b, self.c = a, b, c

    @staticmethod
    def of(x):
        return x if isinstance(x, Jet) else Jet(x)

    def chain(self, f, f1, f2):
        """f(self) from the derivatives of f at the value."""
        return Jet(f, f1 * self.b, f1 * self.c + f2 * self.b * self.b)

    def __add__(self, o):
        o = Jet.of(o)
        return Jet(self.a + o.a, self.b + o.b, self.c + o.c)
    __radd__ = __add__

    def __neg__(self):
        return Jet(-self.a, -self.b, -self.c)

    def __sub__(self, o):
        return self + (-Jet.of(o))

    def __rsub__(self, o):
        return Jet.of(o) + (-self)

    def __mul__(self, o):
        o = Jet.of(o)
        return Jet(self.a * o.a, self.a * o.b + self.b * o.a, self.a * o.c + 2 * self.b * o.b + self.c * o.a)
    __rmul__ = __mul__

    def __truediv__(self, o):
        o = Jet.of(o)
        return self * o.chain(1 / o.a, -1 / o.a**2, 2 / o.a**3)

    def __rtruediv__(self, o):
        return Jet.of(o) / self


def value(x):
    """The real value, for decisions."""
    return float(np.real(x.a if isinstance(x, Jet) else x).flat[0]) if np.ndim(getattr(x, "a", x)) else \
        float(np.real(x.a if isinstance(x, Jet) else x))


def sin(x):
    return x.chain(math.sin(x.a), math.cos(x.a), -math.sin(x.a)) if isinstance(x, Jet) else np.sin(x)


def cos(x):
    return x.chain(math.cos(x.a), -math.sin(x.a), -math.cos(x.a)) if isinstance(x, Jet) else np.cos(x)


def exp(x):
    return x.chain(*[math.exp(x.a)] * 3) if isinstance(x, Jet) else np.exp(x)


def log(x):
    return x.chain(math.log(x.a), 1 / x.a, -1 / x.a**2) if isinstance(x, Jet) else np.log(x)


def sqrt(x):
    if isinstance(x, Jet):
        r = math.sqrt(x.a)
        return x.chain(r, 0.5 / r, -0.25 / r**3)
    return np.sqrt(x)


def atan(x):
    return x.chain(math.atan(x.a), 1 / (1 + x.a**2), -2 * x.a / (1 + x.a**2)**2) if isinstance(x, Jet) else np.arctan(x)


def asin(x):
    r = 1 - x.a**2 if isinstance(x, Jet) else None
    return x.chain(math.asin(x.a), r**-0.5, x.a * r**-1.5) if isinstance(x, Jet) else np.arcsin(x)


def power(x, y):
    if isinstance(y, Jet) and (value(y.b) or value(y.c)):
        return exp(Jet.of(y) * log(Jet.of(x)))
    n = y.a if isinstance(y, Jet) else y
    if isinstance(x, Jet):
        if n == int(n) and n >= 0:
            n = int(n)
            return x.chain(x.a**n, n * x.a**(n - 1) if n else 0.0, n * (n - 1) * x.a**(n - 2) if n > 1 else 0.0)
        return x.chain(x.a**n, n * x.a**(n - 1), n * (n - 1) * x.a**(n - 2))
    return x**n


def absolute(x):
    return -x if value(x) < 0 else x


def step(x, x0, y0, x1, y1):
    s = (x - x0) / (x1 - x0)
    if value(s) <= 0:
        return y0 + 0 * s
    if value(s) >= 1:
        return y1 + 0 * s
    return y0 + (y1 - y0) * (s * s * s * (10 - 15 * s + 6 * s * s))


def ramp(x, x0, x1):
    """The integral of step(x, x0, 0, x1, 1) from below x0."""
    s = (x - x0) / (x1 - x0)
    if value(s) <= 0:
        return 0 * s
    if value(s) >= 1:
        return x - (x0 + x1) / 2
    return (x1 - x0) * (s * s * s * s * (2.5 - 3 * s + s * s))


def pulse(x, x0, x1, w):
    """Up over x0 .. x0 + w, down over x1 .. x1 + w."""
    return step(x, x0, 0.0, x0 + w, 1.0) - step(x, x1, 0.0, x1 + w, 1.0)


def poly(x, *c):
    out = 0 * x
    for k in reversed(c):
        out = out * x + k
    return out


def fourier(x, w, a0, *ab):
    out = a0 + 0 * x
    for k in range(0, len(ab), 2):
        n = k // 2 + 1
        out = out + ab[k] * cos(n * w * x) + (ab[k + 1] * sin(n * w * x) if k + 1 < len(ab) else 0)
    return out


FUNCTIONS = {
    "sin": sin, "cos": cos, "tan": lambda x: sin(x) / cos(x), "exp": exp, "log": log, "sqrt": sqrt, "abs": absolute,
    "atan": atan, "asin": asin, "acos": lambda x: math.pi / 2 - asin(x),
    "sinh": lambda x: (exp(x) - exp(-x)) / 2, "cosh": lambda x: (exp(x) + exp(-x)) / 2,
    "tanh": lambda x: 1 - 2 / (exp(2 * x) + 1),
    "min": lambda *v: min(v, key=value), "max": lambda *v: max(v, key=value),
    "step": step, "ramp": ramp, "pulse": pulse, "poly": poly, "fourier": fourier,
    "if": lambda c, a, b: a if value(c) else b,
    "atan2": lambda y, x: atan(y / x) + (0 if value(x) > 0 else math.copysign(math.pi, value(y))),
    "floor": lambda x: math.floor(value(x)),
    "sign": lambda x: (value(x) > 0) - (value(x) < 0),
}

UNITS = {"deg": math.pi / 180, "rad": 1.0, "rpm": math.pi / 30, "m": 1.0, "mm": 1e-3, "s": 1.0, "ms": 1e-3, "N": 1.0,
         "kg": 1.0, "m/s": 1.0, "m/s^2": 1.0, "rad/s": 1.0, "deg/s": math.pi / 180, "kN": 1e3, "Hz": 2 * math.pi}

TOKEN = re.compile(r"\s*(?:(?P<num>\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?)|(?P<name>[A-Za-z_]\w*(?:\.[A-Za-z]\w*)?)"
                   r"|(?P<unit>\[[^\]]*\])|(?P<op><=|>=|==|!=|[-+*/^(),<>'])|(?P<bad>\S))")


class Expression:
    """Text -> closure.  env(name, arguments or None, rates) supplies names, coordinates and their rates."""

    def __init__(self, text):
        self.text = text
        self.tokens = []
        for m in TOKEN.finditer(text):
            kind = m.lastgroup
            if kind == "bad":
                raise ValueError(f"{text!r}: unexpected {m['bad']!r}")
            self.tokens.append((kind, m[kind]))
        self.at = 0
        self.run = self.compare()
        if self.at != len(self.tokens):
            raise ValueError(f"{text!r}: trailing {self.tokens[self.at:]}")

    def peek(self):
        return self.tokens[self.at][1] if self.at < len(self.tokens) else None

    def take(self):
        self.at += 1
        return self.tokens[self.at - 1]

    def compare(self):
        a = self.sum()
        if self.peek() in ("<", ">", "<=", ">=", "==", "!="):
            op, b = self.take()[1], self.sum()
            test = {"<": lambda x, y: x < y, ">": lambda x, y: x > y, "<=": lambda x, y: x <= y,
                    ">=": lambda x, y: x >= y, "==": lambda x, y: x == y, "!=": lambda x, y: x != y}[op]
            return lambda e: float(test(value(a(e)), value(b(e))))
        return a

    def sum(self):
        a = self.product()
        while self.peek() in ("+", "-"):
            op, b = self.take()[1], self.product()
            a = (lambda e, a=a, b=b: a(e) + b(e)) if op == "+" else (lambda e, a=a, b=b: a(e) - b(e))
        return a

    def product(self):
        a = self.unary()
        while self.peek() in ("*", "/"):
            op, b = self.take()[1], self.unary()
            a = (lambda e, a=a, b=b: a(e) * b(e)) if op == "*" else (lambda e, a=a, b=b: a(e) / b(e))
        return a

    def unary(self):
        if self.peek() == "-":
            self.take()
            a = self.unary()
            return lambda e: -a(e)
        if self.peek() == "+":
            self.take()
            return self.unary()
        return self.raised()

    def raised(self):
        a = self.atom()
        if self.peek() == "^":
            self.take()
            b = self.unary()
            return lambda e: power(a(e), b(e))
        return a

    def atom(self):
        kind, text = self.take()
        if kind == "num":
            x = float(text)
            if self.peek() and self.peek().startswith("["):
                x *= UNITS[self.take()[1][1:-1].strip()]
            return lambda e: x
        if text == "(":
            a = self.compare()
            assert self.take()[1] == ")"
            return a
        if kind != "name":
            raise ValueError(f"{self.text!r}: unexpected {text!r}")
        if self.peek() == "(":
            start = self.at
            self.take()
            if text in ("x", "y", "angle", "distance"):               # coordinates take references, not numbers
                names = []
                while self.peek() != ")":
                    token = self.take()[1]
                    if token != ",":
                        names.append(token)
                self.take()
                return self.rated(text, names)
            args = []
            if self.peek() != ")":
                args.append(self.compare())
                while self.peek() == ",":
                    self.take()
                    args.append(self.compare())
            assert self.take()[1] == ")", self.text
            f = FUNCTIONS[text]
            return lambda e: f(*[a(e) for a in args])
        return self.rated(text, None)

    def rated(self, name, args):
        order = 0
        while self.peek() == "'":
            self.take()
            order += 1
        return lambda e: e(name, args, order)


def rate(x, order):
    """The order-th time rate of a Jet, as a number (0: the Jet itself)."""
    return x if order == 0 else (x.b if order == 1 else x.c) if isinstance(x, Jet) else 0.0


# ---------------------------------------------------------------- the model

class Body:
    def __init__(self, name, spec, number):
        self.name, self.index = name, None
        self.markers = {}
        for key, m in spec.get("markers", {}).items():
            if isinstance(m, dict):
                self.markers[key] = (*[number(v) for v in m["at"]], number(m.get("angle", 0.0)))
            else:
                self.markers[key] = (*[number(v) for v in m], 0.0)
        self.markers[None] = (0.0, 0.0, 0.0)
        pose = spec.get("pose", {})
        self.pose = np.array([*[number(v) for v in pose.get("at", [0.0, 0.0])], number(pose.get("angle", 0.0))])
        self.particle = bool(spec.get("particle", False))
        if "shape" in spec:
            self.mass, cx, cy, self.inertia = composite(spec["shape"], number)
            self.centroid = np.array([cx, cy])
        else:
            self.mass, self.inertia = number(spec.get("mass", 0.0)), number(spec.get("inertia", 0.0))
            self.centroid = np.array([number(v) for v in spec.get("centroid", [0.0, 0.0])])


def polygon_moments(points):
    """Area, centroid and polar second moment about the centroid, by Green's theorem."""
    p = np.array(points, float)
    q = np.roll(p, -1, axis=0)
    w = p[:, 0] * q[:, 1] - q[:, 0] * p[:, 1]
    area = w.sum() / 2
    c = ((p + q) * w[:, None]).sum(axis=0) / (6 * area)
    polar = (w * ((p * p).sum(1) + (p * q).sum(1) + (q * q).sum(1))).sum() / 12
    return abs(area), c, abs(polar) - abs(area) * c @ c


def composite(parts, number):
    """Haug table 6.1.1 for the parts whose placement the contract states; voids have negative mass."""
    total, first, second = 0.0, np.zeros(2), 0.0
    for part in parts:
        if "rod" in part:
            a, b = (np.array([number(v) for v in part["rod"][k]]) for k in ("from", "to"))
            length, c = np.hypot(*(b - a)), (a + b) / 2
            area, k2 = length, length**2 / 12
        elif "disk" in part:
            c, r = np.array([number(v) for v in part["disk"]["at"]]), number(part["disk"]["radius"])
            area, k2 = math.pi * r * r, r * r / 2
        elif "polygon" in part:
            spec = part["polygon"]
            pts = [[number(v) for v in p] for p in (spec["points"] if isinstance(spec, dict) else spec)]
            area, c, polar = polygon_moments(pts)
            k2 = polar / area
        else:
            raise ValueError(f"shape {part}")
        m = number(part["mass"]) if "mass" in part else area * number(part["density"]) * number(part["thickness"])
        if part.get("void"):
            m = -m
        total += m
        first = first + m * c
        second += m * (k2 + c @ c)
    c = first / total
    return total, c[0], c[1], second - total * c @ c


class Joint:
    def __init__(self, name, spec, mech):
        self.name, self.spec, self.kind = name, spec, spec["type"]
        if self.kind == "translational":
            self.kind = "prismatic"
        self.first, self.second = (mech.reference(r) for r in spec["between"])
        self.rows = None


class Mechanism:
    def __init__(self, model, **overrides):
        self.model = model
        self.params = {}
        for name, text in model.get("parameters", {}).items():
            self.params[name] = self.number(overrides.get(name, text))
        spec = dict(model.get("bodies", {}))
        self.ground = Body("ground", spec.pop("ground", {}), self.number)
        self.ground.index = 0
        self.bodies = [self.ground]
        for name, s in spec.items():
            body = Body(name, s, self.number)
            body.index = len(self.bodies)
            self.bodies.append(body)
        self.by_name = {b.name: b for b in self.bodies}
        self.n = 3 * len(self.bodies)
        # ground is fixed; a particle does not turn
        self.free = [i for b in self.bodies[1:] for i in range(3 * b.index, 3 * b.index + (2 if b.particle else 3))]
        self.joints = {name: Joint(name, s, self) for name, s in model.get("joints", {}).items()}
        self.constraints = {name: Expression(s["equation"]) for name, s in model.get("constraints", {}).items()}
        self.drives = {name: (self.expression(s["coordinate"]), self.expression(s["motion"]))
                       for name, s in model.get("drives", {}).items()}
        self.loads = dict(model.get("loads", {}))
        self.outputs = {name: self.expression(e) for name, e in model.get("output", {}).items()}
        self.gravity = np.array([self.number(g) for g in model.get("gravity", [0.0, 0.0])])
        self.q0 = np.concatenate([b.pose for b in self.bodies])
        self.q0[:3] = 0.0
        self.turns, self.lengths, self.phases = {}, {}, {}
        self.fix_start()

    # ---- names and numbers
    def number(self, x):
        if isinstance(x, (int, float)):
            return float(x)
        return float(value(Expression(x).run(self.constant)))

    def constant(self, name, args, order):
        if name == "pi":
            return math.pi
        return self.params[name]

    def expression(self, x):
        if isinstance(x, (int, float)):
            return lambda env: float(x)
        return Expression(x).run

    def reference(self, text):
        body, _, marker = text.partition(".")
        return self.by_name[body], (marker or None)

    # ---- geometry; q is a list of scalars (numbers, complex vectors or Jets)
    def point(self, q, ref):
        body, marker = ref
        sx, sy, _ = body.markers[marker]
        x, y, p = q[3 * body.index:3 * body.index + 3]
        c, s = cos(p), sin(p)
        return x + c * sx - s * sy, y + s * sx + c * sy

    def turn(self, q, ref):
        body, marker = ref
        return q[3 * body.index + 2] + body.markers[marker][2]

    def relative(self, q, joint):
        """x, y of the second origin in the first's axes, and the angle (without turns)."""
        (x1, y1), (x2, y2) = self.point(q, joint.first), self.point(q, joint.second)
        th = self.turn(q, joint.first)
        c, s, dx, dy = cos(th), sin(th), x2 - x1, y2 - y1
        return c * dx + s * dy, c * dy - s * dx, self.turn(q, joint.second) - th

    def coordinate(self, q, name, args):
        if args is not None:
            refs = [self.reference(a) for a in args]
            if name == "angle":
                return q[3 * refs[0][0].index + 2]
            if name in ("x", "y"):
                return self.point(q, refs[0])[name == "y"]
            (x1, y1), (x2, y2) = self.point(q, refs[0]), self.point(q, refs[1])
            return sqrt((x2 - x1) * (x2 - x1) + (y2 - y1) * (y2 - y1))
        joint, what = name.split(".")
        x, y, angle = self.relative(q, self.joints[joint])
        if what in ("x", "distance"):
            return x
        if what == "y":
            return y
        return angle + 2 * math.pi * self.turns.get(joint, 0)

    def environment(self, q, t, extra=None):
        def env(name, args, order):
            if extra and name in extra and args is None:
                return rate(extra[name], order)
            if name == "t" and args is None:
                return t
            if name == "pi" and args is None:
                return math.pi
            if args is None and name in self.params:
                return self.params[name]
            return rate(self.coordinate(q, name, args), order)
        return env

    # ---- what the starting pose decides: turns, default lengths, gear phases
    def fix_start(self):
        t0 = self.number(self.model.get("motion", {}).get("from", 0.0)) if "motion" in self.model else 0.0
        q = list(self.q0)
        for name, s in self.model.get("drives", {}).items():
            joint, _, what = str(s["coordinate"]).partition(".")
            if joint in self.joints and what == "angle":
                want = value(self.drives[name][1](self.environment(q, t0)))
                have = value(self.relative(q, self.joints[joint])[2])
                self.turns[joint] = round((want - have) / (2 * math.pi))
        for joint in self.joints.values():
            if joint.kind in ("link", "distance"):
                (x1, y1), (x2, y2) = self.point(q, joint.first), self.point(q, joint.second)
                self.lengths[joint.name] = self.number(joint.spec.get("length", math.hypot(x2 - x1, y2 - y1)))
            if joint.kind == "gear":
                self.phases[joint.name] = None
                self.phases[joint.name] = value(self.gear_row(q, joint))

    # ---- constraint rows
    def gear_row(self, q, joint):
        r1, r2 = (self.number(r) for r in joint.spec["radii"])
        sign = -1.0 if joint.spec.get("internal") else 1.0
        carrier = self.by_name[joint.spec.get("carrier", "ground").partition(".")[0]]
        k = q[3 * carrier.index + 2]
        p1, p2 = q[3 * joint.first[0].index + 2], q[3 * joint.second[0].index + 2]
        out = r2 * (p2 - k) + sign * r1 * (p1 - k)
        return out - (self.phases[joint.name] or 0.0)

    def joint_rows(self, q, joint):
        kind, spec = joint.kind, joint.spec
        hold = self.number(spec.get("value", 0.0))
        if kind == "gear":
            return [self.gear_row(q, joint)]
        x, y, angle = self.relative(q, joint)
        wrap = lambda a: a - 2 * math.pi * round(value(a) / (2 * math.pi))
        if kind in ("link", "distance"):
            return [sqrt(x * x + y * y) - self.lengths[joint.name]]
        return {"revolute": lambda: [x, y], "prismatic": lambda: [y, wrap(angle)], "fixed": lambda: [x, y, wrap(angle)],
                "slot": lambda: [y - hold], "parallel": lambda: [wrap(angle)], "x": lambda: [x - hold],
                "y": lambda: [y - hold], "angle": lambda: [wrap(angle - hold)]}[kind]()

    def rows(self, q, t):
        out, env = [], self.environment(q, t)
        for joint in self.joints.values():
            r = self.joint_rows(q, joint)
            joint.rows = list(range(len(out), len(out) + len(r)))
            out += r
        self.joint_row_count = len(out)
        out += [e.run(env) for e in self.constraints.values()]
        self.constraint_start, self.drive_start = self.joint_row_count, len(out)
        out += [c(env) - m(env) for c, m in self.drives.values()]
        return out

    def phi(self, q, t):
        return np.array([value(r) for r in self.rows(list(q), t)])

    def gradient(self, q, t):
        """[rows, n] by complex step, all directions at once."""
        n, h = self.n, 1e-30
        seeded = [q[i] + 1j * h * (np.arange(n) == i) for i in range(n)]
        rows = self.rows(seeded, t)
        return np.array([np.imag(r) / h if np.ndim(r) else np.zeros(n) for r in rows]).reshape(len(rows), n)

    def taylor(self, q, v, a, t):
        """Rows with their first and second rates along q + v dt + a dt^2/2."""
        jets = [Jet(q[i], v[i], a[i]) for i in range(self.n)]
        return [Jet.of(r) for r in self.rows(jets, Jet(t, 1.0, 0.0))]

    # ---- motion
    def assemble(self, q, t, tol=1e-14, limit=60):
        q = np.array(q, float)
        scale = max(1e-3, self.size())
        last = np.inf
        for _ in range(limit):
            phi = self.phi(q, t)
            if phi.size == 0:
                return q
            err = np.abs(phi).max()
            if err <= tol * scale or (err < 1e-12 * max(1, scale) and err >= last):
                return q
            last = err
            step_, *_ = np.linalg.lstsq(self.gradient(q, t)[:, self.free], -phi, rcond=1e-11)
            worst = max(np.abs(step_).max(), 1e-300)
            q[self.free] += step_ * min(1.0, 0.5 * max(1, scale) / worst)
        if last < 1e-11 * max(1, scale):
            return q
        raise ArithmeticError(f"no assembly, gap {last:.3g}")

    def size(self):
        pts = [np.hypot(m[0], m[1]) for b in self.bodies for m in b.markers.values()]
        return max(pts + [0.0]) or 1.0

    def velocity(self, q, t):
        zero = np.zeros(self.n)
        C = self.gradient(q, t)[:, self.free]
        nu = -np.array([r.b for r in self.taylor(q, zero, zero, t)])
        v = zero.copy()
        v[self.free] = np.linalg.lstsq(C, nu, rcond=1e-11)[0]
        return v

    def acceleration(self, q, v, t):
        zero = np.zeros(self.n)
        C = self.gradient(q, t)[:, self.free]
        gamma = -np.array([r.c for r in self.taylor(q, v, zero, t)])
        a = zero.copy()
        a[self.free] = np.linalg.lstsq(C, gamma, rcond=1e-11)[0]
        return a

    # ---- forces
    def wrench_rows(self, q, t):
        D = self.gradient(q, t)
        for joint in self.joints.values():
            if joint.kind == "gear":
                D[joint.rows[0]] = self.gear_wrench(q, joint)[0]
        return D

    def gear_wrench(self, q, joint):
        """Row of the tangential relative velocity at the pitch point (so that -lam = Ft on the second), and the
        radial direction away from the first wheel."""
        q = list(q)
        (x1, y1), (x2, y2) = self.point(q, joint.first), self.point(q, joint.second)
        r1, r2 = (self.number(r) for r in joint.spec["radii"])
        u = np.array([x2 - x1, y2 - y1])
        u /= np.hypot(*u)
        c1, c2 = np.array([x1, y1]), np.array([x2, y2])
        if not joint.spec.get("internal"):
            pitch = c1 + r1 * u
        else:
            pitch = c1 + r1 * u if r1 > r2 else c1 - r1 * u
        arm = pitch - c2
        tangent = np.array([-arm[1], arm[0]]) / np.hypot(*arm)          # turns the second positively about z
        row = np.zeros(self.n)
        for ref, sign in ((joint.first, -1.0), (joint.second, 1.0)):
            i = 3 * ref[0].index
            s = pitch - np.array([q[i], q[i + 1]])
            row[i:i + 2] += sign * tangent
            row[i + 2] += sign * (s[0] * tangent[1] - s[1] * tangent[0])
        return row, u, pitch

    def push(self, Q, q, ref, force):
        i = 3 * ref[0].index
        x, y = self.point(list(q), ref)
        Q[i] += force[0]
        Q[i + 1] += force[1]
        Q[i + 2] += (x - q[i]) * force[1] - (y - q[i + 1]) * force[0]

    def applied(self, q, v, t, report=None):
        """Generalised applied forces on every body (frame origin), gravity and loads."""
        Q = np.zeros(self.n)
        jets = [Jet(q[i], v[i]) for i in range(self.n)]
        time = Jet(t, 1.0)
        env = self.environment(jets, time)
        number = lambda x, e=env: float(value(self.expression(x)(e)))
        for b in self.bodies[1:]:
            i = 3 * b.index
            s = self.arm(q, b)
            f = b.mass * self.gravity
            Q[i:i + 2] += f
            Q[i + 2] += s[0] * f[1] - s[1] * f[0]
        for name, spec in self.loads.items():
            kind = spec["type"]
            if kind == "force":
                ref = self.reference(spec["to"])
                f = np.array([number(x) for x in spec["value"]])
                if spec.get("frame", "ground") == "body":
                    p = q[3 * ref[0].index + 2]
                    f = np.array([math.cos(p) * f[0] - math.sin(p) * f[1], math.sin(p) * f[0] + math.cos(p) * f[1]])
                self.push(Q, q, ref, f)
            elif kind == "torque":
                Q[3 * self.reference(spec["to"])[0].index + 2] += number(spec["value"])
            elif kind == "spring":
                a, b = (self.reference(r) for r in spec["between"])
                (x1, y1), (x2, y2) = self.point(jets, a), self.point(jets, b)
                length = sqrt((x2 - x1) * (x2 - x1) + (y2 - y1) * (y2 - y1))
                f = number(spec.get("stiffness", 0.0)) * (length.a - number(spec.get("free_length", 0.0))) \
                    + number(spec.get("damping", 0.0)) * length.b
                if "force" in spec:
                    f += number(spec["force"], self.environment(jets, time, {"l": length}))
                u = np.array([(x2 - x1).a, (y2 - y1).a]) / length.a
                self.push(Q, q, a, f * u)
                self.push(Q, q, b, -f * u)
                if report is not None:
                    report[f"{name}.force"] = f
            elif kind == "torsion-spring":
                j = self.joints[spec["joint"]]
                angle = self.coordinate(jets, f"{j.name}.angle", None)
                f = number(spec.get("stiffness", 0.0)) * (angle.a - number(spec.get("free_angle", 0.0))) \
                    + number(spec.get("damping", 0.0)) * angle.b
                if "torque" in spec:
                    f += number(spec["torque"])
                Q[3 * j.first[0].index + 2] += f
                Q[3 * j.second[0].index + 2] -= f
                if report is not None:
                    report[f"{name}.torque"] = f
            else:
                raise ValueError(kind)
        return Q

    def arm(self, q, body):
        p = q[3 * body.index + 2]
        c = body.centroid
        return np.array([math.cos(p) * c[0] - math.sin(p) * c[1], math.sin(p) * c[0] + math.cos(p) * c[1]])

    def inertia_wrench(self, q, v, a):
        """m a_G at the origin and the moment of it, with I alpha."""
        W = np.zeros(self.n)
        for b in self.bodies[1:]:
            i = 3 * b.index
            s = self.arm(q, b)
            ag = np.array([a[i] - a[i + 2] * s[1] - v[i + 2]**2 * s[0], a[i + 1] + a[i + 2] * s[0] - v[i + 2]**2 * s[1]])
            W[i:i + 2] = b.mass * ag
            W[i + 2] = b.inertia * a[i + 2] + b.mass * (s[0] * ag[1] - s[1] * ag[0])
        return W

    def kinetic_energy(self, q, v):
        E = 0.0
        for b in self.bodies[1:]:
            i = 3 * b.index
            s = self.arm(q, b)
            vg = np.array([v[i] - v[i + 2] * s[1], v[i + 1] + v[i + 2] * s[0]])
            E += 0.5 * b.mass * vg @ vg + 0.5 * b.inertia * v[i + 2]**2
        return E

    # ---- blocks, null space, minimum norm
    def joint_point(self, q, joint):
        return np.array(self.point(list(q), joint.second), float)

    def blocks(self):
        """Biconnected blocks of the graph of bodies (ground included); joints, constraints and drives are edges."""
        edges = [(n, j.first[0].index, j.second[0].index) for n, j in self.joints.items()]
        for name, s in self.model.get("drives", {}).items():
            edges += self.drive_edges(name, s)
        return biconnected(len(self.bodies), edges)

    def drive_edges(self, name, spec):
        text = str(spec["coordinate"])
        m = re.fullmatch(r"(\w+)\((.*)\)", text)
        if m:
            who = sorted({self.reference(a.strip())[0].index for a in m[2].split(",")} | ({0} if m[1] != "distance" else set()))
            return [(name, who[k], who[k + 1]) for k in range(len(who) - 1)]
        j = self.joints[text.split(".")[0]]
        return [(name, j.first[0].index, j.second[0].index)]

    def lengths_of_blocks(self, q):
        """L of each joint: rms distance of its block's joint points (second markers) from their mean."""
        out = {}
        for block in self.blocks():
            names = [n for n in block if n in self.joints]
            if names:
                pts = np.array([self.joint_point(q, self.joints[n]) for n in names])
                L = math.sqrt(((pts - pts.mean(0))**2).sum(1).mean())
                out.update({n: L for n in names})
        return out

    def component_map(self, q, D, joint, frame="joint"):
        """[3, rows]: Fx, Fy, Tz on the second body about its marker as functions of lam (constraint force -D^T lam)."""
        i = 3 * joint.second[0].index
        W = np.zeros((3, D.shape[0]))
        W[:, joint.rows] = -D[joint.rows, i:i + 3].T
        if joint.first[0] is joint.second[0]:
            raise ValueError("joint within a body")
        x, y = self.point(list(q), joint.second)
        sx, sy = x - q[i], y - q[i + 1]
        W[2] -= sx * W[1] - sy * W[0]
        if frame == "joint":
            th = self.turn(list(q), joint.first)
            c, s = math.cos(th), math.sin(th)
            W[:2] = np.array([[c, s], [-s, c]]) @ W[:2]
        return W

    def rank_and_null(self, D):
        """Rank and null(D^T) after scaling: rotations by 1/Lc, rows by their norm."""
        n = len(self.free)
        if D.shape[0] == 0:
            return 0, np.zeros((0, 0)), np.zeros(0)
        Lc = self.size()
        cols = np.array([1.0 if i % 3 < 2 else 1.0 / Lc for i in self.free])
        S = D[:, self.free] * cols
        norms = np.linalg.norm(S, axis=1)
        norms[norms == 0] = 1.0
        U, s, _ = np.linalg.svd(S / norms[:, None])
        r = int((s > 1e-9 * s[0]).sum()) if s.size else 0
        N = U[:, r:] / norms[:, None]
        return r, N, s

    def solve(self, q, v, a, t, frame="joint"):
        """One sample: dict of everything the contract prints, plus verdicts and ranks."""
        D = self.wrench_rows(q, t)
        report = {}
        Q = self.applied(q, v, t, report)
        f = (Q - self.inertia_wrench(q, v, a))[self.free]
        rank, N, sigma = self.rank_and_null(D)
        weights = self.lengths_of_blocks(q) if N.size else {}

        def balanced(f):
            lam = np.linalg.lstsq(D[:, self.free].T, f, rcond=1e-12)[0] if D.shape[0] else np.zeros(0)
            lam = lam + (np.linalg.lstsq(D[:, self.free].T, f - D[:, self.free].T @ lam, rcond=1e-12)[0] if D.shape[0] else 0)
            if N.size:
                S = []
                for name, j in self.joints.items():
                    W = self.component_map(q, D, j, "ground")
                    L = weights[name]
                    S += [W[0], W[1], W[2] / L if L > 0 else W[2]]
                S = np.array(S)
                lam = lam - N @ np.linalg.lstsq(S @ N, S @ lam, rcond=1e-12)[0]
            return lam
        lam = balanced(f)
        residual = f - D[:, self.free].T @ lam if D.shape[0] else f
        extra = np.zeros(self.n)
        for j in self.joints.values():
            if j.kind == "gear" and self.gear_alpha(j):
                Ft = -lam[j.rows[0]]
                Fr = abs(Ft) * math.tan(self.gear_alpha(j))
                _, u, pitch = self.gear_wrench(q, j)
                report[j.name + ".Fr"] = Fr
                for ref, sign in ((j.first, -1.0), (j.second, 1.0)):
                    i = 3 * ref[0].index
                    F = sign * Fr * u
                    extra[i:i + 2] += F
                    extra[i + 2] += (pitch[0] - q[i]) * F[1] - (pitch[1] - q[i + 1]) * F[0]
        if extra.any():
            lam = balanced(f + extra[self.free])
        out = {"rank": rank, "sigma": sigma, "null": N, "lam": lam, "D": D, "weights": weights,
               "residual": float(np.abs(residual).max()) if residual.size else 0.0, "verdict": {}}
        for j in self.joints.values():
            W = self.component_map(q, D, j, frame)
            F = W @ lam
            if j.kind == "gear":
                Ft = -lam[j.rows[0]]
                report[j.name + ".Ft"] = Ft
                report.setdefault(j.name + ".Fr", 0.0)
                _, u, pitch = self.gear_wrench(q, j)
                R = report[j.name + ".Fr"] * u
                mx, my = self.joint_point(q, j)
                T = (pitch[0] - mx) * R[1] - (pitch[1] - my) * R[0]
                if frame == "joint":
                    th = self.turn(list(q), j.first)
                    R = np.array([math.cos(th) * R[0] + math.sin(th) * R[1], -math.sin(th) * R[0] + math.cos(th) * R[1]])
                F = F + np.array([R[0], R[1], T])
            if j.kind == "link":
                report[j.name + ".F"] = float(lam[j.rows[0]])               # row |d| - L: force on the second is -u lam
            for c, x, w in zip(COMPONENTS, F, W):
                report[f"{j.name}.{c}"] = x
                size = np.linalg.norm(w)
                if size < 1e-12:                                            # no row can give it: not held
                    out["verdict"][f"{j.name}.{c}"] = "free"
                else:
                    loose = np.abs(w @ N).max() / (size * np.abs(N).max()) if N.size else 0.0
                    out["verdict"][f"{j.name}.{c}"] = "not unique" if loose > 1e-7 else "unique"
        for k, name in enumerate(self.drives):
            report[f"{name}.effort"] = -lam[self.drive_start + k]
        out["values"] = report
        return out

    def gear_alpha(self, joint):
        a = joint.spec.get("pressure_angle", math.radians(20))
        return math.radians(float(a.split()[0])) if isinstance(a, str) else float(a)

    # ---- a whole motion
    def times(self):
        m = self.model["motion"]
        t0, t1, h = self.number(m["from"]), self.number(m["to"]), self.number(m["step"])
        n = int(math.floor((t1 - t0) / h + 1e-9)) if h > 0 else 0
        out = [t0 + i * h for i in range(n + 1)]
        if t1 - out[-1] > 1e-9 * max(h, 1e-300):
            out.append(t1)
        else:
            out[-1] = t1 if len(out) > 1 else out[-1]
        return np.array(out)

    def inverse(self, frame="joint", forces=True):
        """Columns by name over the samples; also .q .v .a .worst (smallest singular value ratio)."""
        q, times = self.q0, self.times()
        table, self.q, self.v, self.a, self.samples = {}, [], [], [], []
        last = None
        for t in times:
            guess = q if last is None else q + self.v[-1] * (t - last) + 0.5 * self.a[-1] * (t - last)**2
            q = self.assemble(guess, t)
            v = self.velocity(q, t)
            a = self.acceleration(q, v, t)
            self.q.append(q); self.v.append(v); self.a.append(a)
            row = {"time": t}
            for b in self.bodies[1:]:
                i = 3 * b.index
                row[f"{b.name}.x"], row[f"{b.name}.y"] = q[i], q[i + 1]
                if not b.particle:
                    row[f"{b.name}.angle"] = q[i + 2]
            s = None
            if forces:
                s = self.solve(q, v, a, t, frame)
                self.samples.append(s)
                row.update(s["values"])
            jets = [Jet(q[i], v[i], a[i]) for i in range(self.n)]
            env = self.environment(jets, Jet(t, 1.0))

            def with_results(name, args, order, env=env, row=row):
                if args is None and name in row and name.split(".")[-1] in ("effort", "force", "torque", "Fx", "Fy", "Tz", "F", "Ft"):
                    return row[name]
                return env(name, args, order)
            for name, e in self.outputs.items():
                row[name] = value(e(with_results))
            for k, x in row.items():
                table.setdefault(k, []).append(x)
            last = t
        return {k: np.array(x) for k, x in table.items()}

    def condition(self):
        """The smallest ratio sigma_min / sigma_max of the scaled rows over the samples: distance from a singular state."""
        return min(s["sigma"][s["rank"] - 1] / s["sigma"][0] for s in self.samples if s["rank"])


def biconnected(n, edges):
    """Edges grouped by biconnected block (Tarjan); parallel edges belong together."""
    adjacent = [[] for _ in range(n)]
    for k, (_, a, b) in enumerate(edges):
        adjacent[a].append((b, k))
        adjacent[b].append((a, k))
    order, low, stack, out, used = {}, {}, [], [], set()

    def visit(v, via):
        order[v] = low[v] = len(order)
        for w, k in adjacent[v]:
            if k == via or k in used and w not in order:
                continue
            if w not in order:
                stack.append(k); used.add(k)
                visit(w, k)
                low[v] = min(low[v], low[w])
                if low[w] >= order[v]:
                    block = []
                    while True:
                        e = stack.pop()
                        block.append(e)
                        if e == k:
                            break
                    out.append([edges[e][0] for e in block])
            elif order[w] < order[v] and k not in used:
                stack.append(k); used.add(k)
                low[v] = min(low[v], order[w])
    for v in range(n):
        if v not in order:
            visit(v, None)
    return out
