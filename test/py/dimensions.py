"""An algebra of dimensions of its own, and random expressions over it.  Written from docs/model-file.md (Dimensions), not from the program.

A dimension is a dict of exponents over m, kg, s, rad, cycle; a value is (firmness, dimension): NUMBER fits anything, LOOSE (t, sin) has its dimension
beside a factor only, KNOWN is a coordinate's, WRITTEN has a unit that somebody wrote, or is a force.
"""
import re
from fractions import Fraction as F

NUMBER, LOOSE, KNOWN, WRITTEN = range(4)
SYMBOLS = {"m": {"m": 1}, "kg": {"kg": 1}, "s": {"s": 1}, "rad": {"rad": 1}, "cycle": {"cycle": 1}, "N": {"kg": 1, "m": 1, "s": -2},
           "J": {"kg": 1, "m": 2, "s": -2}, "W": {"kg": 1, "m": 2, "s": -3}, "Pa": {"kg": 1, "m": -1, "s": -2}, "Hz": {"cycle": 1, "s": -1},
           "mm": {"m": 1}, "deg": {"rad": 1}, "rpm": {"rad": 1, "s": -1}, "t": {"kg": 1}, "kN": {"kg": 1, "m": 1, "s": -2}, "min": {"s": 1}}


def power(a, n):
    return {k: v * n for k, v in a.items() if v * n}


def times(a, b):
    out = dict(a)
    for k, v in b.items():
        out[k] = out.get(k, F(0)) + v
    return {k: v for k, v in out.items() if v}


def but_angle(a):
    return {k: v for k, v in a.items() if k != "rad"}


def unit(text):
    """The dimension of "N.m/rad", "kg/(m.s^2)", "m^0.5", "" """
    out, sign = {}, 1
    text = text.replace("(", "").replace(")", " ") if "/(" in text else text
    above, _, below = text.partition("/")
    below = below.replace("/", ".")
    for part, sign in ((above, 1), (below, -1)):
        for factor in filter(None, re.split(r"[. ](?![0-9])", part)):
            if factor == "1":
                continue
            symbol, _, n = factor.partition("^")
            out = times(out, power({k: F(v) for k, v in SYMBOLS[symbol].items()}, sign * F(n or 1)))
    return out


class Contradiction(Exception):
    """Two that do not fit, one of them written; at this node."""


class Judge:
    """Walks an expression as it is read: inner before outer, left to right.  `odd`: the nodes at which only coordinates contradict each other."""

    def __init__(self):
        self.odd = []

    def meet(self, a, b, node):
        if a[0] < KNOWN or b[0] < KNOWN:
            firm = [v for v in (a, b) if v[0] >= KNOWN]
            return firm[0] if firm else a if a == b else (NUMBER, {})
        if but_angle(a[1]) != but_angle(b[1]):
            if WRITTEN in (a[0], b[0]):
                raise Contradiction(node)
            self.odd.append(node)
            return (NUMBER, {})
        return (max(a[0], b[0]), a[1])

    def product(self, a, b, n=1):
        if NUMBER in (a[0], b[0]):
            return (NUMBER, {})
        return (max(a[0], b[0]), times(a[1], power(b[1], n)))

    def pure(self, a, node):
        if a[0] >= KNOWN and but_angle(a[1]):
            if a[0] == WRITTEN:
                raise Contradiction(node)
            self.odd.append(node)

    def alike(self, args):
        values = [self.judge(args[0])]
        for other in args[1:]:
            values.append(self.meet(values[-1], self.judge(other), other))
        return values[-1]

    def judge(self, node):
        kind, args = node.kind, node.args
        if kind == "leaf":
            return node.value
        if kind == "sum":
            total = self.judge(args[0])
            for term in args[1:]:
                total = self.meet(total, self.judge(term), term)
            return total
        if kind == "product":
            total = self.judge(args[0])
            for sign, factor in zip(node.signs, args[1:]):
                total = self.product(total, self.judge(factor), 1 if sign == "*" else -1)
            return total
        if kind == "minus":
            return self.judge(args[0])
        if kind == "compare":
            a = self.judge(args[0])
            self.meet(a, self.judge(args[1]), args[1])
            return (LOOSE, {})
        if kind == "power":
            a = self.judge(args[0])
            return a if a[0] == NUMBER else (a[0], power(a[1], node.exponent))
        return self.call(node.name, args, node)

    def call(self, name, args, node):
        if name in ("sin", "cos", "tan", "exp", "log", "sinh", "cosh", "tanh", "asin", "acos", "atan"):
            self.pure(self.judge(args[0]), args[0])
            return (KNOWN, {"rad": F(1)}) if name in ("asin", "acos", "atan") else (LOOSE, {})
        if name == "sqrt":
            a = self.judge(args[0])
            return a if a[0] == NUMBER else (a[0], power(a[1], F(1, 2)))
        if name in ("abs", "floor"):
            return self.judge(args[0])
        if name == "sign":
            self.judge(args[0])
            return (LOOSE, {})
        if name == "atan2":
            self.alike(args)
            return (KNOWN, {"rad": F(1)})
        if name in ("min", "max"):
            return self.alike(args)
        if name == "if":
            self.judge(args[0])
            return self.alike(args[1:])
        if name == "step":
            x = self.alike(args[:2])
            self.meet(x, self.judge(args[3]), args[3])
            return self.alike([args[2], args[4]])
        if name == "ramp":
            return self.alike(args)
        if name == "pulse":
            self.alike(args)
            return (LOOSE, {})
        if name == "poly":
            x, total = self.judge(args[0]), self.judge(args[1])
            for k, c in enumerate(args[2:], 1):
                value = self.judge(c)
                for _ in range(k):
                    value = self.product(value, x)
                total = self.meet(total, value, c)
            return total
        if name == "fourier":
            x = self.judge(args[0])
            self.pure(self.product(x, self.judge(args[1])), args[1])
            return self.alike(args[2:])
        self.meet(node.x, self.judge(args[0]), args[0])         # a table
        return node.y


class Node:
    def __init__(self, kind, args=(), **more):
        self.kind, self.args, self.offset = kind, list(args), 0
        self.__dict__.update(more)

    def text(self, at=0):
        """The text, noting where each node begins in it."""
        self.offset = at
        if self.kind == "leaf":
            return self.name
        if self.kind in ("sum", "product"):
            out = ""
            for sign, arg in zip([""] + self.signs, self.args):
                out += f" {sign} " if sign in "+-" and sign else sign
                wrap = arg.kind in ("sum", "compare", "minus") or (self.kind == "product" and arg.kind == "product")
                out += "(" * wrap
                out += arg.text(at + len(out)) + ")" * wrap
            return out
        if self.kind == "minus":
            return "-(" + self.args[0].text(at + 2) + ")"
        if self.kind == "compare":
            left = "(" + self.args[0].text(at + 1) + ") " + self.sign + " ("
            return left + self.args[1].text(at + len(left)) + ")"
        if self.kind == "power":
            return "(" + self.args[0].text(at + 1) + f")^{self.shown}"
        out = self.name + "("
        for k, arg in enumerate(self.args):
            out += ", " * (k > 0)
            out += arg.text(at + len(out))
        return out + ")"


def leaf(name, firmness, dimension=""):
    return Node("leaf", name=name, value=(firmness, unit(dimension) if isinstance(dimension, str) else dimension))


class Grower:
    """Random expressions.  `leaves` are (text, firmness, unit); about half of the composed ones are made to agree."""

    def __init__(self, rng, leaves, tables):
        self.rng, self.leaves, self.tables = rng, leaves, tables

    def leaf(self):
        return leaf(*self.rng.choice(self.leaves))

    def like(self, node, depth):
        """One of the same dimension as `node`, as far as a leaf of it is known; half of the time anything."""
        try:
            value = Judge().judge(node)
        except Contradiction:
            return self.grow(depth)
        same = [x for x in self.leaves if x[1] >= KNOWN and value[0] >= KNOWN and but_angle(unit(x[2])) == but_angle(value[1])]
        if not same or self.rng.random() < 0.3:
            return self.grow(depth)
        return leaf(*self.rng.choice(same))

    def alike(self, count, depth):
        first = self.grow(depth)
        return [first] + [self.like(first, depth) for _ in range(count - 1)]

    def width(self, first, number):
        """`number` in a unit that fits `first`, or not; written so that a later one is greater."""
        units = [u for u in ("s", "m", "N", "rad", "rad/s", "m/s") if self.rng.random() < 0.2]
        try:
            value = Judge().judge(first)
            units += [u for u in ("s", "m", "N", "rad", "rad/s", "m/s", "N.m") if value[0] >= KNOWN and but_angle(unit(u)) == but_angle(value[1])]
        except Contradiction:
            pass
        chosen = self.rng.choice(units + [""])
        return leaf(f"{number}[{chosen}]", WRITTEN, chosen) if chosen else leaf(str(number), NUMBER)

    def grow(self, depth):
        rng = self.rng
        if depth <= 0 or rng.random() < 0.15:
            return self.leaf()
        kind = rng.choice(["sum", "sum", "product", "product", "product", "minus", "power", "function", "function", "same", "compare", "shape", "table"])
        if kind == "sum":
            args = self.alike(rng.choice([2, 2, 3]), depth - 1)
            return Node("sum", args, signs=[rng.choice("+-") for _ in args[1:]])
        if kind == "product":
            args = [self.grow(depth - 1) for _ in range(rng.choice([2, 2, 3]))]
            return Node("product", args, signs=[rng.choice("**/") for _ in args[1:]])
        if kind == "minus":
            return Node("minus", [self.grow(depth - 1)])
        if kind == "power":
            shown, exponent = rng.choice([("2", F(2)), ("3", F(3)), ("(-1)", F(-1)), ("0.5", F(1, 2)), ("(3/2)", F(3, 2))])
            base = self.grow(depth - 1)
            if exponent.denominator == 2 and self.has_halves(base):
                shown, exponent = "2", F(2)
            return Node("power", [base], shown=shown, exponent=exponent)
        if kind == "function":
            name = rng.choice(["sin", "cos", "tan", "exp", "log", "sinh", "cosh", "tanh", "asin", "acos", "atan", "sqrt", "abs", "floor", "sign"])
            arg = self.grow(depth - 1)
            return Node("call", [arg], name="abs" if name == "sqrt" and self.has_halves(arg) else name)
        if kind == "same":
            name = rng.choice(["atan2", "min", "max", "if"])
            args = self.alike(3 if name in ("min", "max") and rng.random() < 0.3 else 2, depth - 1)
            return Node("call", [self.compare(depth - 1)] * (name == "if") + args, name=name)
        if kind == "compare":
            return self.compare(depth - 1)
        if kind == "table":
            name, x, y = rng.choice(self.tables)
            fits = [v for v in self.leaves if v[1] >= KNOWN and x[0] == WRITTEN and but_angle(unit(v[2])) == but_angle(x[1])]
            arg = leaf(*rng.choice(fits)) if fits and rng.random() < 0.6 else self.grow(depth - 1)
            return Node("call", [arg], name=name, x=x, y=y)
        return self.shape(depth - 1)

    def compare(self, depth):
        return Node("compare", self.alike(2, depth), sign=self.rng.choice(["<", "<=", ">", ">=", "==", "!="]))

    def shape(self, depth):
        name, x = self.rng.choice(["step", "ramp", "pulse", "poly", "fourier"]), self.grow(depth)
        if name == "step":
            y = self.alike(2, depth)
            return Node("call", [x, self.width(x, 0), y[0], self.width(x, 5), y[1]], name=name)
        if name in ("ramp", "pulse"):
            return Node("call", [x, self.width(x, 0), self.width(x, 5)] + [self.width(x, 2)] * (name == "pulse"), name=name)
        if name == "poly":
            return Node("call", [x] + [self.grow(0) for _ in range(self.rng.choice([1, 2, 3]))], name=name)
        return Node("call", [x, self.grow(0)] + self.alike(3, 0), name=name)

    @staticmethod
    def has_halves(node):
        try:
            return any(v.denominator > 1 for v in Judge().judge(node)[1].values())
        except Contradiction:
            return True
