"""Runge and Kutta's classical method, for solutions to hold a motion against."""


def runge_kutta(f, y, t, steps):
    """y(t) of y' = f(y) from y at 0; y: an array."""
    h = t / steps
    for _ in range(steps):
        a = f(y)
        b = f(y + h / 2 * a)
        c = f(y + h / 2 * b)
        d = f(y + h * c)
        y = y + h / 6 * (a + 2 * b + 2 * c + d)
    return y
