"""Functions of time as second-order jets: value, first and second time derivative, exact to rounding.

An element is a number or an array. What is bilinear obeys (f g)'' = f'' g + 2 f' g' + f g''; a function of one variable
(f o g)'' = f''(g) g'^2 + f'(g) g''.
"""
import numpy as np


class Jet:
    __array_ufunc__ = None

    def __init__(self, v, d=None, a=None):
        self.v = np.asarray(v, float)
        self.d = np.zeros_like(self.v) if d is None else np.asarray(d, float)
        self.a = np.zeros_like(self.v) if a is None else np.asarray(a, float)

    def __add__(self, other):
        other = jet(other)
        return Jet(self.v + other.v, self.d + other.d, self.a + other.a)

    def __neg__(self):
        return Jet(-self.v, -self.d, -self.a)

    def __sub__(self, other):
        return self + -jet(other)

    def __rsub__(self, other):
        return jet(other) + -self

    def __mul__(self, other):
        return bilinear(np.multiply, self, other)

    def __matmul__(self, other):
        return bilinear(np.matmul, self, other)

    def __rmatmul__(self, other):
        return bilinear(np.matmul, other, self)

    def __truediv__(self, other):
        return self * function(jet(other), lambda x: 1 / x, lambda x: -1 / x**2, lambda x: 2 / x**3)

    def __rtruediv__(self, other):
        return jet(other) / self

    def __getitem__(self, index):
        return Jet(self.v[index], self.d[index], self.a[index])

    @property
    def T(self):
        return Jet(self.v.T, self.d.T, self.a.T)

    __radd__ = __add__
    __rmul__ = __mul__


def jet(value):
    return value if isinstance(value, Jet) else Jet(value)


def time(t):
    return Jet(t, 1.0, 0.0)


def bilinear(op, f, g):
    f, g = jet(f), jet(g)
    return Jet(op(f.v, g.v), op(f.d, g.v) + op(f.v, g.d), op(f.a, g.v) + 2 * op(f.d, g.d) + op(f.v, g.a))


def function(x, f, f1, f2):
    return Jet(f(x.v), f1(x.v) * x.d, f2(x.v) * x.d**2 + f1(x.v) * x.a)


def sin(x):
    return function(jet(x), np.sin, np.cos, lambda v: -np.sin(v))


def cos(x):
    return function(jet(x), np.cos, lambda v: -np.sin(v), lambda v: -np.cos(v))


def sqrt(x):
    return function(jet(x), np.sqrt, lambda v: 0.5 / np.sqrt(v), lambda v: -0.25 * v**-1.5)


def atan2(y, x):
    square = x.v**2 + y.v**2
    rate = (x.v * y.d - y.v * x.d) / square
    return Jet(np.arctan2(y.v, x.v), rate, (x.v * y.a - y.v * x.a - 2 * rate * (x.v * x.d + y.v * y.d)) / square)


def stack(elements, shape=None):
    """An array jet out of scalar jets and numbers."""
    parts = [jet(e) for e in elements]
    out = [np.array([getattr(p, k) for p in parts], float) for k in "vda"]
    return Jet(*(o.reshape(shape) if shape else o for o in out))


def cross(f, g):
    return bilinear(np.cross, f, g)


def unit(f):
    return f / sqrt(bilinear(np.dot, f, f))


def columns(x, y, z):
    return stack([c[k] for k in range(3) for c in (jet(x), jet(y), jet(z))], (3, 3))


def turn(axis, angle):
    """Rotation by `angle` about coordinate axis 0, 1 or 2."""
    c, s = cos(angle), sin(angle)
    rows = {0: [1, 0, 0, 0, c, -s, 0, s, c], 1: [c, 0, s, 0, 1, 0, -s, 0, c], 2: [c, -s, 0, s, c, 0, 0, 0, 1]}
    return stack(rows[axis], (3, 3))


def spin(R):
    """Angular velocity and acceleration of a rotation jet, in the axes from which it turns."""
    def axial(m):
        return 0.5 * np.array([m[2, 1] - m[1, 2], m[0, 2] - m[2, 0], m[1, 0] - m[0, 1]])

    return axial(R.d @ R.v.T), axial(R.a @ R.v.T)
