#!/usr/bin/env python3
# ctest: natural-slow joint-slow
"""Statics along a parameter: `statics --follow name=a..b`, through the command line.

What is expected comes from closed forms (derived where they stand), from energies written here and differentiated by a complex step, from the law
dV/dp = the partial derivative of V by p at fixed coordinates, or from separate `statics` runs at the same value of the parameter.

Tolerances: events are "found to rounding" (docs/statics.md), so 1e-9 relative is wide; a place is audited like a single one, 1e-9 of the loads; a
position is then off by that over its stiffness; integrals along a path are of local cubics through the places, see `integral`.
"""
import json
import math
import os
import sys
import tempfile

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "py"))
import cli              # noqa: E402

TOL, g, pi = 1e-9, 9.81, math.pi
DOWN = [0, -g]
BODIES = "ROBERVAL_COORDINATES" not in os.environ  # absolute coordinates
BEYOND = 2e-6                   # [m, rad] of landing places: they are reached from beyond the fold; one test asks how far beyond
KINDS = {"fold", "snap-through", "bifurcation", "flutter", "stability", "land", "release"}
SHARED = os.path.join(cli.ROOT, "..", "shared")


# ---- models ----------------------------------------------------------------------------------------------------------

def planar(bodies, joints=None, loads=None, gravity=None, **more):
    return {"roberval": 1, "space": "planar", **({"gravity": gravity} if gravity else {}), "bodies": bodies, "joints": joints or {},
            "loads": loads or {}, **more}


def spatial(*args, **more):
    return {**planar(*args, **more), "space": "spatial"}


def pin(first, second, kind="revolute", **more):
    return {"type": kind, "between": [first, second], **more}


def spring(first, second, stiffness, free):
    return {"type": "spring", "between": [first, second], "stiffness": stiffness, "free_length": free}


def coil(joint, stiffness, free=0.0):
    return {"type": "torsion-spring", "joint": joint, "stiffness": stiffness, "free_angle": free}


def force(to, *value, **more):
    return {"type": "force", "to": to, "value": list(value), **more}


def particle(mass, *at):
    return {"particle": True, "mass": mass, "pose": {"at": list(at)}}


# ---- numbers ---------------------------------------------------------------------------------------------------------

def slope(f, x):
    """df/dx by a complex step: exact to rounding; f of numpy functions"""
    return np.imag(f(x + 1e-30j)) / 1e-30


def newton(f, x, steps=60):
    """root of f by Newton, the Jacobian by central differences, which changes its speed and not where it ends"""
    x = np.array(x, float)
    for _ in range(steps):
        J = np.column_stack([(f(x + e) - f(x - e)) / 2e-6 for e in 1e-6 * np.eye(len(x))])
        x = x - np.linalg.solve(J, f(x))
    return x


def integral(p, f):
    """cumulated integral of f dp over the places of a path: between two of them by the cubics (of a common parameter: the chord length) through
    the four nearest. With steps of 1/50 of the range and of the path's features this is off by some 1e-7 of what is integrated."""
    p, f = np.asarray(p, float), np.asarray(f, float)
    s = np.concatenate([[0], np.cumsum(np.hypot(np.diff(p) / np.ptp(p), np.diff(f) / (np.ptp(f) or 1)))])
    out = [0.0]
    nodes, weights = np.polynomial.legendre.leggauss(5)
    for i in range(len(p) - 1):
        j = slice(max(0, min(i - 1, len(p) - 4)), max(0, min(i - 1, len(p) - 4)) + 4)
        middle, half = (s[i] + s[i + 1]) / 2, (s[i + 1] - s[i]) / 2
        x = (s[j] - middle) / half
        cp, cf = np.polyfit(x, p[j], 3), np.polyfit(x, f[j], 3)
        out.append(out[-1] + weights @ (np.polyval(cf, nodes) * np.polyval(np.polyder(cp), nodes)))
    return np.array(out)


class Follow(cli.Case):
    """`follow`: one run along a path, with what holds of every path checked."""

    def follow(self, model, spec, *flags, code=0, ended="to the end", **options):
        done = cli.run_model(model, "statics", "--follow", spec, *flags, **options)
        self.assertEqual(done.code, code, f"{spec}: {done.said()}")
        self.assertIsNotNone(done.result, spec)
        r, f, name = done.result, done.result["follow"], spec.split("=")[0].strip()
        self.assertEqual((r["analysis"], f["parameter"]), ("statics", name))
        for key in ("unit", "from", "to", "reached", "ended", "places", "events", "last"):
            self.assertIn(key, f)
        if ended:
            self.assertEqual(f["ended"], ended, done.said())
        p, n = done.series[name], f["places"]
        self.assertEqual([c.split(" ")[0] for c in done.columns], r["series"]["columns"])
        self.assertEqual(done.columns[0], f"{name} [{f['unit']}]" if f["unit"] else name)
        self.assertEqual((len(p), r["series"]["samples"]), (n, n))
        self.assertEqual((p[0], p[-1]), (f["from"], f["reached"]), "first and last place")
        if f["ended"] == "to the end":
            self.assertEqual(p[-1], f["to"])
        self.events(done, p)
        with self.subTest(f"{spec}: the audit, like that of a single one"):
            self.assertLessEqual(r["audit"]["max_force_imbalance"], TOL * self.size(done), "forces")
            self.assertLessEqual(r["audit"]["max_torque_imbalance"], TOL * self.size(done), "torques")
            self.assertLessEqual(r["audit"]["max_constraint_error"], TOL, "constraints")
        with self.subTest(f"{spec}: equilibrium is the first place, follow.last the last"):
            for place, row in ((r["equilibrium"], 0), (f["last"], -1)):
                for body, pose in place["bodies"].items():
                    self.near(pose["at"], [done.series[f"{body}.{x}"][row] for x in "xyz"[:len(pose["at"])]], 1e-12, f"{body} in row {row}")
                for coordinate, value in place["coordinates"].items():
                    self.near(value, done.series[coordinate][row], 1e-13 * max(1, abs(value)), f"{coordinate} in row {row}")
        return done

    def events(self, done, p):
        """they stand on places; folds, and only they, turn the parameter; only at an event the number of unstable motions changes"""
        events, u = done.result["follow"]["events"], done.series["equilibrium.unstable"]
        rows = [e["sample"] for e in events]
        self.assertEqual(rows, sorted(set(rows)))
        for e in events:
            self.assertIn(e["kind"], KINDS)
            self.assertEqual(p[e["sample"]], e["at"])
            one_sided = e["kind"] in ("land", "release")                     # there the parameter may turn, and the stable part may end
            self.assertEqual("supports" in e, one_sided, e["kind"])
            self.assertTrue(one_sided or ("turns_at" in e) == (e["kind"] in ("fold", "snap-through")), e["kind"])
            self.assertEqual("lands" in e, e["kind"] == "snap-through" or (one_sided and "turns_at" in e and {e["before"], e["after"]} == {"stable", "unstable"}), e["kind"])
            if "turns_at" in e and 0 < e["sample"] < len(p) - 1:
                sign = 1 if e["turns_at"] == "most" else -1
                near = sign * p[e["sample"] - 1:e["sample"] + 2]
                with self.subTest("a fold is further than its neighbours"):
                    self.assertLessEqual(near.max(), near[1] + TOL * np.ptp(p),
                                         f"fold at {e['at']!r}, before and behind it {p[e['sample'] - 1]!r}, {p[e['sample'] + 1]!r}")
        with self.subTest("places that turn the parameter are events"):
            turns = [i for i in range(1, len(p) - 1)                        # where two paths cross p wavers by the residual over a small angle
                     if (p[i] - p[i - 1]) * (p[i + 1] - p[i]) < 0 and min(abs(p[i] - p[i - 1]), abs(p[i + 1] - p[i])) > 1e-8 * np.ptp(p)]
            self.assertLessEqual(set(turns), {e["sample"] for e in events if "turns_at" in e})
        with self.subTest("the number of unstable motions changes at events only"):
            self.assertTrue(np.all((u == np.round(u)) & (u >= 0)))
            plain = [i for i in range(len(p)) if i not in rows]
            for i, j in zip(plain, plain[1:]):
                self.assertTrue(u[i] == u[j] or any(i < r < j for r in rows), f"{u[i]} to {u[j]} between rows {i} and {j}, {p[i]} and {p[j]}")
        curvature = done.series["equilibrium.curvature"]
        for i in set(range(len(p))) - set(rows):
            if np.isfinite(curvature[i]) and curvature[i] < -1e-6 * max(1.0, np.nanmax(np.abs(curvature))):
                self.assertGreater(u[i], 0, f"row {i}")

        with self.subTest("the place of an event is judged like any other"):
            for e in events:
                place = e["equilibrium"]
                if place["curvature"] is not None and place["curvature"] < -1e-3 * np.nanmax(np.abs(curvature)):
                    self.assertEqual(place["stability"], "unstable", f"{e['kind']} at {e['at']}, curvature {place['curvature']}")

    @staticmethod
    def size(done):
        """the largest force or torque of the path, of at least 1 N"""
        return max([1.0] + [np.nanmax(np.abs(v)) for k, v in done.series.items() if (done.units[k] or "") in ("N", "N.m")])

    def kinds(self, done, *want):
        self.assertEqual([e["kind"] for e in done.result["follow"]["events"]], list(want), done.result["follow"]["events"])
        return done.result["follow"]["events"]

    def at(self, event, want, tol=TOL):
        self.near(event["at"], want, tol * max(abs(want), 1e-3), f"{event['kind']} at")

    def quiet(self, done):
        """rows without those of events"""
        return np.setdiff1d(np.arange(done.result["follow"]["places"]), [e["sample"] for e in done.result["follow"]["events"]])

    def law(self, done, name, partial, tol=1e-6):
        """dV along the path = (the partial derivative of V by p) dp; rows of events stand too near to others for cubics and are left out"""
        rows = self.quiet(done)
        V = done.series["equilibrium.energy"][rows]
        got = integral(done.series[name][rows], np.broadcast_to(partial, done.series[name].shape)[rows])
        self.near(V - V[0], got, tol * np.ptp(V), f"energy against the integral of dV/d{name}")

    def alone(self, model, done, name, rows):
        """places of a path against separate runs from poses near them: displaced by 1e-4. Off by the residual over the stiffness at most:
        TOL (1 + largest curvature / curvature)"""
        columns = [k for k in done.series if k != name and done.marks[k] == "unique" and k != "equilibrium.unstable"]
        for i in rows:
            m = json.loads(json.dumps(model))
            m["parameters"][name] = f"{float(done.series[name][i])!r} {done.units[name] or ''}".strip()
            for body, b in m["bodies"].items():
                if body != "ground":
                    row = lambda x, body=body, i=i: float(done.series[f"{body}.{x}"][i])                            # noqa: E731
                    b["pose"] = {"at": [row(x) + 1e-4 for x in ("xy" if m["space"] == "planar" else "xyz")]}
                    if f"{body}.angle" in done.series:
                        b["pose"]["angle"] = row("angle") + 1e-4
                    elif f"{body}.qw" in done.series:
                        b["pose"]["rotate"] = {"quaternion": [row(x) for x in ("qw", "qx", "qy", "qz")]}
            one = cli.run_model(m, "statics", "--method", "lagrange")
            self.assertEqual(one.code, 0, f"row {i}: {one.said()}")
            e = one.result["equilibrium"]
            mu = done.series["equilibrium.curvature"]
            slack = TOL * (1 + np.nanmax(np.abs(mu)) / abs(mu[i])) if np.isfinite(mu[i]) else TOL
            for k in columns:
                if k in one.series:
                    self.near(done.series[k][i], one.series[k][0], slack * max(1, np.nanmax(np.abs(done.series[k]))), f"row {i}, {k}")
            for k in ("energy", "curvature"):
                got = done.series[f"equilibrium.{k}"]
                if e[k] is None:
                    self.assertTrue(np.isnan(got[i]), f"row {i}, {k}")
                else:
                    self.near(got[i], e[k], slack * max(1, np.nanmax(np.abs(got))), f"row {i}, {k}")
            self.assertEqual(done.series["equilibrium.unstable"][i] > 0, e["stability"] == "unstable", f"row {i}")


# ---- folds -----------------------------------------------------------------------------------------------------------

class Truss(Follow):
    """Two springs k of free length L0 = hypot(1, h) from (-1, 0) and (1, 0) to a guided top (0, y), l = hypot(1, y), load P downwards:

        V = k (l - L0)^2 + P y,   P(y) = -2 k (1 - L0/l) y,   V'' = 2 k (1 - L0/l^3)                [1/l - y^2/l^3 = 1/l^3]

    V'' = 0: l* = L0^(1/3), y* = sqrt(L0^(2/3) - 1), P* = 2 k y* (L0^(2/3) - 1) = 2 k y*^3.  Elsewhere P(y) = P* where, with c = y*^3,
    (y + c)^2 (1 + y^2) = L0^2 y^2, that is (y - y*)^2 (y^2 + 2 (c + y*) y + c^2/y*^2) = 0: it lands on y = -(c + y*) - sqrt((c + y*)^2 - y*^4)."""
    k, h, m = 1000.0, 0.5, 2.0
    L0 = math.hypot(1, h)
    y = math.sqrt(L0**(2 / 3) - 1)
    P = 2 * k * y**3
    landing = -(y**3 + y) - math.sqrt((y**3 + y)**2 - y**4)

    def model(self, start=h, load="0 N"):
        bodies = {"ground": {"markers": {"left": [-1, 0], "right": [1, 0], "rail": {"at": [0, 0], "angle": "90 deg"}}},
                  "top": particle(self.m, 0, start)}
        loads = {"bar1": spring("ground.left", "top", self.k, self.L0), "bar2": spring("ground.right", "top", self.k, self.L0),
                 "push": force("top", 0, "-P")}
        return planar(bodies, {"guide": pin("ground.rail", "top", "slot")}, loads, parameters={"P": load})

    def load(self, y):
        return -2 * self.k * (1 - self.L0 / np.hypot(1, y)) * y

    def energy(self, y):
        return self.k * (np.hypot(1, y) - self.L0)**2 + self.load(y) * y

    def on_the_curve(self, done):
        s = done.series
        y, l = s["top.y"], np.hypot(1, s["top.y"])
        second = 2 * self.k * (1 - self.L0 / l**3)
        self.near(s["P"], self.load(y), TOL * 100, "P(y)")
        self.near(s["top.x"], 0 * y, TOL, "x")
        self.near(s["equilibrium.energy"], self.energy(y), TOL * 100, "V(y)")
        self.near(s["equilibrium.curvature"], second / self.m, 1e-8 * self.k, "V''(y)/m")
        self.near(s["bar1.force"], self.k * (l - self.L0), TOL * 100, "bar")
        rows = self.quiet(done)
        self.assertEqual(list(s["equilibrium.unstable"][rows]), list((second[rows] < 0) * 1.0))

    def jump(self, event, sign):
        """the fold with the load at its most (sign 1, top at y*) or least (sign -1, top at -y*), and where it lands"""
        self.at(event, sign * self.P)
        self.assertEqual((event["turns_at"], event["moves"]), ("most" if sign > 0 else "least", "y(top)"))
        self.near(event["equilibrium"]["bodies"]["top"]["at"], [0, sign * self.y], TOL, "height at the fold")
        self.near(event["equilibrium"]["energy"], self.energy(self.y), TOL * 100, "energy at the fold")
        self.near(event["lands"]["bodies"]["top"]["at"], [0, sign * self.landing], BEYOND, "landing")
        self.near(event["lands"]["energy"], self.energy(self.landing), 100 * BEYOND, "energy of landing")
        self.near(event["lands"]["curvature"], 2 * self.k * (1 - self.L0 / math.hypot(1, self.landing)**3) / self.m, 1e4 * BEYOND, "its curvature")
        self.assertEqual(event["lands"]["stability"], "stable")

    def test_going_up(self):
        done = self.follow(self.model(), "P=0..80 N")
        self.on_the_curve(done)
        up, down = self.kinds(done, "snap-through", "snap-through")
        self.jump(up, 1)
        self.jump(down, -1)
        self.assertEqual([(e["before"], e["after"]) for e in (up, down)], [("stable", "unstable"), ("unstable", "stable")])
        self.assertEqual((done.series["P"][0], done.series["P"][-1]), (0, 80))
        self.near(done.series["P"].max(), 80, 0, "nothing beyond b")
        self.near(done.series["P"].min(), -self.P, TOL * 50, "back past a, to the lower fold")

    def test_coming_down_from_the_other_side(self):
        done = self.follow(self.model(-0.6, "80 N"), "P=80..-80 N")
        self.on_the_curve(done)
        first, second = self.kinds(done, "snap-through", "snap-through")
        self.jump(first, -1)
        self.jump(second, 1)
        self.assertEqual([(e["before"], e["after"]) for e in (first, second)], [("stable", "unstable"), ("unstable", "stable")])
        self.assertEqual((done.series["P"][0], done.series["P"][-1]), (80, -80))

    def test_from_the_unstable_part_back_past_the_start(self):
        """from between the folds up to the upper one, over it, and down on the stable part to a - (b - a): 10 - 50 N"""
        done = self.follow(self.model(0.1, "10 N"), "P=10..60 N", "--method", "lagrange", ended="back past the start")
        self.on_the_curve(done)
        self.assertEqual(done.series["equilibrium.unstable"][0], 1)
        (event,) = self.kinds(done, "snap-through")
        self.jump(event, 1)
        self.assertEqual((event["before"], event["after"]), ("unstable", "stable"))
        self.assertLessEqual(done.series["P"][-1], -40 + 1e-9)

    def test_a_range_too_short_to_come_back(self):
        """beyond the fold the load may go back by the length of the range, 35 N below 10 N: not as far as the lower fold at -42.9 N"""
        done = self.follow(self.model(0.45, "10 N"), "P=10..45 N", ended="back past the start")
        (event,) = self.kinds(done, "snap-through")
        self.jump(event, 1)
        self.on_the_curve(done)
        self.near(done.series["P"][-1], -25, 2, "about there it ends")

    def test_lands_at_the_load_of_the_fold(self):
        """the page prints that load beside it: it rests there at that load, to rounding"""
        done = self.follow(self.model(), "P=0..80 N")
        for e, sign in zip(self.kinds(done, "snap-through", "snap-through"), (1, -1)):
            with self.subTest(sign=sign):
                y = e["lands"]["bodies"]["top"]["at"][1]
                self.near(self.load(y), e["at"], TOL * 100, "load at which it would rest there")
                self.near(y, sign * self.landing, TOL, "height")

    def test_energy_and_displacement(self):
        """a dead load: dV/dP = y"""
        done = self.follow(self.model(), "P=0..80 N")
        self.law(done, "P", done.series["top.y"], 1e-5)

    def test_places_against_single_runs(self):
        done = self.follow(self.model(), "P=0..80 N")
        self.alone(self.model(), done, "P", self.quiet(done)[3::23])

    def test_every_method_finds_the_start(self):
        for method in ("energy", "lagrange", "virtual-power", "relaxation"):
            done = self.follow(self.model(0.45, "5 N"), "P=5..80 N", "--method", method)
            self.on_the_curve(done)
            self.jump(self.kinds(done, "snap-through", "snap-through")[0], 1)

    def test_small_and_large(self):
        """a contact of a keyboard and a roof: lengths by a, stiffness by b, so loads by a b"""
        for a, b in ((2e-3, 0.1), (50.0, 1e4)):
            bodies = {"ground": {"markers": {"left": [-a, 0], "right": [a, 0], "rail": {"at": [0, 0], "angle": "90 deg"}}},
                      "top": particle(self.m, 0, self.h * a)}
            loads = {"bar1": spring("ground.left", "top", self.k * b, self.L0 * a), "bar2": spring("ground.right", "top", self.k * b, self.L0 * a),
                     "push": force("top", 0, "-P")}
            mod = planar(bodies, {"guide": pin("ground.rail", "top", "slot")}, loads, parameters={"P": "0 N"})
            done = self.follow(mod, f"P=0..{80 * a * b!r} N")
            for e, sign in zip(self.kinds(done, "snap-through", "snap-through"), (1, -1)):
                self.at(e, sign * self.P * a * b)
                self.near(e["equilibrium"]["bodies"]["top"]["at"][1] / a, sign * self.y, TOL, "height")
                self.near(e["lands"]["bodies"]["top"]["at"][1] / a, sign * self.landing, BEYOND, "landing")


class Ring(Follow):
    """V = c (x^3/3 + (p^2 - 1) x): places x^2 + p^2 = 1, a ring; V'' = 2 c x: its half x > 0 is stable, folds at p = 1 and p = -1, x = 0,
    beyond which nothing holds the bead"""

    def model(self, c, start):
        return planar({"bead": particle(2.0, start, 0)}, {"wire": pin("ground", "bead", "y")},
                      {"hill": {"type": "energy", "value": f"{c!r}*(x(bead)^3/3 + (p^2 - 1)*x(bead))"}}, parameters={"p": "0"})

    def on_the_ring(self, done, c):
        s = done.series
        self.near(s["bead.x"]**2 + s["p"]**2, 1 + 0 * s["p"], TOL, "on the ring")
        self.near(s["equilibrium.curvature"], c * s["bead.x"], 1e-8 * c, "V''/m")

    def fold(self, event, p, order):
        self.at(event, p)
        self.near(event["equilibrium"]["bodies"]["bead"]["at"], [0, 0], 1e-7, "x at the fold")
        self.assertEqual((event["before"], event["after"]), order)
        self.assertIsNone(event["lands"])

    @cli.long
    def test_round_to_the_start(self):
        for c in (1.0, 1e4):
            with self.subTest(c=c):
                done = self.follow(self.model(c, 0.9), "p=0..2", ended="round to the start")
                self.on_the_ring(done, c)
                self.near([done.series["p"][-1], done.series["bead.x"][-1]], [0, 1], 0.05, "the start, within a step")
                most, least = self.kinds(done, "snap-through", "snap-through")
                self.fold(most, 1.0, ("stable", "unstable"))
                self.fold(least, -1.0, ("unstable", "stable"))

    def test_back_past_the_start(self):
        """0.9 to 1.05: it ends behind the fold, at 0.9 - 0.15"""
        done = self.follow(self.model(1.0, 0.4), "p=0.9..1.05", ended="back past the start")
        self.on_the_ring(done, 1.0)
        self.assertLessEqual(done.series["p"][-1], 0.75 + 1e-12)
        self.assertLess(done.series["bead.x"][-1], 0)
        (event,) = self.kinds(done, "snap-through")
        self.fold(event, 1.0, ("stable", "unstable"))

    def test_no_fold_in_the_range(self):
        done = self.follow(self.model(1.0, 0.5), "p=-0.9..0.9")
        self.on_the_ring(done, 1.0)
        self.kinds(done)


class Machine(Follow):
    """Zeeman's: a disk, r = 0.3 m, with springs from a peg on its rim to (-1.2, 0) and to (cx, cy), the parameters."""
    k, free, r = 100.0, 0.5, 0.3

    def model(self, cx, cy, start):
        bodies = {"ground": {"markers": {"A": [-1.2, 0], "C": ["cx", "cy"]}},
                  "disk": {"mass": 1.0, "inertia": 0.05, "pose": {"at": [0, 0], "angle": start}, "markers": {"E": [self.r, 0]}}}
        return planar(bodies, {"hub": pin("ground", "disk")}, {"s1": spring("ground.A", "disk.E", self.k, self.free),
                      "s2": spring("ground.C", "disk.E", self.k, self.free)}, parameters={"cx": cx, "cy": cy})

    def V(self, phi, cx, cy):
        x, y = self.r * np.cos(phi), self.r * np.sin(phi)
        stretch = lambda a, b: np.sqrt((x - a)**2 + (y - b)**2) - self.free                                         # noqa: E731
        return self.k / 2 * (stretch(-1.2, 0)**2 + stretch(cx, cy)**2)

    def moment(self, phi, cx, cy):
        return slope(lambda a: self.V(a, cx, cy), phi)

    def stiffness(self, phi, cx, cy, d=1e-3):
        """of the sixth order: exact to 1e-12"""
        f = lambda i: self.moment(phi + i * d, cx, cy)                                                              # noqa: E731
        return (45 * (f(1) - f(-1)) - 9 * (f(2) - f(-2)) + (f(3) - f(-3))) / (60 * d)

    def across(self, start):
        model = self.model("1.2 m", "-0.4 m", start)
        return model, self.follow(model, "cy=-0.4..0.4 m")

    def test_folds_are_where_both_derivatives_vanish(self):
        for start in (-1.5, 0.0):
            with self.subTest(start=start):
                self.both(self.across(start)[1])

    def both(self, done):
        for e, sign in zip(self.kinds(done, "snap-through", "snap-through"), (1, -1)):
            a = sign * done.series["hub.angle"][e["sample"]]
            want = newton(lambda x: np.array([self.moment(x[0], 1.2, x[1]), self.stiffness(x[0], 1.2, x[1])]), [a, sign * e["at"]])
            self.near(want, [a, sign * e["at"]], 1e-3, "the same fold")
            with self.subTest(turns_at=e["turns_at"]):
                self.at(e, sign * want[1])
                self.near(a, want[0], 1e-6, "angle at the fold, whose load is known to the square of this")
            with self.subTest(turns_at=e["turns_at"], what="landing"):
                land = e["lands"]["bodies"]["disk"]["angle"]
                self.near(self.moment(land, 1.2, e["at"]), 0, 100 * BEYOND, "it rests where it lands")
                self.assertGreater(self.stiffness(land, 1.2, e["at"]), 0)

    def test_places(self):
        model, done = self.across(-1.5)
        s, rows = done.series, self.quiet(done)
        self.near(s["equilibrium.energy"], self.V(s["hub.angle"], 1.2, s["cy"]), TOL * 60, "energy")
        K = self.stiffness(s["hub.angle"], 1.2, s["cy"])
        self.near(s["equilibrium.curvature"], K / 0.05, 1e-7 * 1000, "curvature")
        self.assertEqual(list(s["equilibrium.unstable"][rows]), list((K[rows] < 0) * 1.0))
        self.alone(model, done, "cy", rows[5::19])
        with self.subTest("moments balance to 1e-9 of the springs' 75 N at 0.3 m"):
            self.near(self.moment(s["hub.angle"], 1.2, s["cy"]), 0 * s["cy"], TOL * 75 * 0.3, "moment")

    def test_beside_the_cusp_no_fold(self):
        for cx in (0.8, 1.6):
            done = self.follow(self.model(f"{cx} m", "-0.4 m", -1.5), "cy=-0.4..0.4 m")
            self.kinds(done)
            self.assertEqual(done.series["equilibrium.unstable"].max(), 0)
            self.near(self.moment(done.series["hub.angle"], cx, done.series["cy"]), 0 * done.series["cy"], TOL * 75 * 0.3, f"cx = {cx}")


class Pendulum(Follow):
    def test_under_a_torque(self):
        """m g a cos(angle) = T: folds at T = m g a, level, and at -m g a, level the other way; nothing to land on. After one turn the
        pendulum hangs as it did at the start, without torque: round to the start"""
        a, m = 0.5, 2.0
        arm = {"mass": m, "inertia": 0.1, "centroid": [a, 0], "pose": {"at": [0, 0], "angle": -pi / 2}}
        mod = planar({"arm": arm}, {"hinge": pin("ground", "arm")}, {"twist": {"type": "torque", "to": "arm", "value": "T"}}, DOWN,
                     parameters={"T": "0 N.m"})
        done = cli.run_model(mod, "statics", "--follow", "T=0..12 N.m")
        s = done.series
        self.near(s["T"], m * g * a * np.cos(s["arm.angle"]), TOL * 10, "T(angle)")
        self.near(s["equilibrium.curvature"], -m * g * a * np.sin(s["arm.angle"]) / (0.1 + m * a * a), 1e-8 * 16, "curvature")
        most, least = done.result["follow"]["events"][:2]
        for e, T, angle in ((most, m * g * a, 0.0), (least, -m * g * a, pi)):
            self.at(e, T)
            self.near(e["equilibrium"]["coordinates"]["hinge.angle"], angle, TOL, "level")
            self.assertEqual((e["kind"], e["lands"]), ("snap-through", None))
        self.near(done.series["hinge.Fy"], m * g + 0 * s["T"], TOL * 20, "the pin carries the weight")
        with self.subTest("round to the start"):
            self.assertEqual(done.result["follow"]["ended"], "round to the start")
            self.near(s["arm.angle"][-1], 1.5 * pi, 0.1, "one turn")
            self.assertEqual(done.code, 0)


# ---- bifurcations, flutter -------------------------------------------------------------------------------------------

class Sideways(Follow):
    """A steep truss with n springs k from a ring of radius 1, whose top is free. As above, with n in place of 2,

        P(z) = -n k (1 - L0/l) z,   K_zz = n k (1 - L0/l^3),   K_xx = n k (1 - L0/l + s L0/l^3), s = mean of cos^2

    n = 2: s = 1, K_xx = 0 where l^3 - L0 l^2 + L0 = 0; n = 3 (in space): s = 1/2, l^3 - L0 l^2 + L0/2 = 0, for x and y at once."""
    k, m = 1000.0, 2.0

    def model(self, n, h):
        L0 = math.hypot(1, h)
        at = [[math.cos(2 * pi * i / n), math.sin(2 * pi * i / n), 0] if n > 2 else [(-1)**i, 0] for i in range(n)]
        bodies = {"ground": {"markers": {f"A{i}": at[i] for i in range(n)}}, "top": particle(self.m, *[0] * (len(at[0]) - 1), h)}
        loads = {f"s{i}": spring(f"ground.A{i}", "top", self.k, L0) for i in range(n)}
        loads["push"] = force("top", *[0] * (len(at[0]) - 1), "-P")
        return (planar if n == 2 else spatial)(bodies, {}, loads, parameters={"P": "0 N"})

    def expected(self, n, h):
        """(load at the fold, loads at lengths where K_xx = 0)"""
        L0 = math.hypot(1, h)
        load = lambda l: n * self.k * math.sqrt(l * l - 1) * (L0 / l - 1)                                           # noqa: E731
        roots = [r.real for r in np.roots([1, -L0, 0, L0 if n == 2 else L0 / 2]) if abs(r.imag) < 1e-12 and r.real > 1]
        return n * self.k * (L0**(2 / 3) - 1)**1.5, [load(l) for l in sorted(roots, reverse=True)]

    def along(self, done, n, h):
        s, up, L0 = done.series, "y" if n == 2 else "z", math.hypot(1, h)
        z = s[f"top.{up}"]
        l = np.hypot(1, z)
        self.near(s["P"], -n * self.k * (1 - L0 / l) * z, TOL * 4000, "P(z)")
        self.near(s["top.x"], 0 * z, 1e-7, "straight on: the top stays in the middle")
        along, across = n * self.k * (1 - L0 / l**3), n * self.k * (1 - L0 / l + (1 if n == 2 else 0.5) * L0 / l**3)
        self.near(s["equilibrium.curvature"], np.minimum(along, across) / self.m, 1e-7 * self.k, "curvature")
        rows = self.quiet(done)
        self.assertEqual(list(s["equilibrium.unstable"][rows]), list(((along < 0) + (n - 1) * (across < 0))[rows] * 1.0))
        self.near(s["equilibrium.energy"], n * self.k / 2 * (l - L0)**2 + s["P"] * z, TOL * 1e4, "energy")

    def test_two_bars(self):
        """stable; sideways at l = 2.74, upper fold, sideways stiff again at l = 1.30; the same mirrored; stable"""
        fold, (wide, narrow) = self.expected(2, 3.0)
        done = self.follow(self.model(2, 3.0), "P=0..4000 N")
        self.along(done, 2, 3.0)
        events = self.kinds(done, "bifurcation", "fold", "bifurcation", "bifurcation", "fold", "bifurcation")
        self.assertEqual([e.get("turns_at") for e in events], [None, "most", None, None, "least", None])
        self.assertEqual([e["before"] for e in events], ["stable"] + 5 * ["unstable"])
        self.assertEqual([e["after"] for e in events], 5 * ["unstable"] + ["stable"])
        self.assertEqual([e["moves"] for e in events], ["x(top)" if e["kind"] == "bifurcation" else "y(top)" for e in events])
        for e, want in zip(events, (wide, fold, narrow, -narrow, -fold, -wide)):
            with self.subTest("load at the event", kind=e["kind"], want=want):
                self.at(e, want)

    def test_three_bars_in_space_flat(self):
        fold, none = self.expected(3, 0.5)
        self.assertEqual(none, [])
        done = self.follow(self.model(3, 0.5), "P=0..300 N")
        self.along(done, 3, 0.5)
        for e, sign in zip(self.kinds(done, "snap-through", "snap-through"), (1, -1)):
            self.at(e, sign * fold)
            self.near(e["equilibrium"]["bodies"]["top"]["at"], [0, 0, sign * Truss.y], TOL, "height at the fold")
            self.near(e["lands"]["bodies"]["top"]["at"], [0, 0, sign * Truss.landing], BEYOND, "landing")

    def test_three_bars_in_space_steep(self):
        """sideways in both directions at once: neither fold nor bifurcation, `stability`"""
        fold, (wide,) = self.expected(3, 2.0)
        done = self.follow(self.model(3, 2.0), "P=0..3500 N")
        self.along(done, 3, 2.0)
        events = self.kinds(done, "stability", "fold", "fold", "stability")
        for e, want in zip(events, (wide, fold, -fold, -wide)):
            with self.subTest("load at the event", kind=e["kind"], want=want):
                self.at(e, want)


class Column(Follow):
    """A rigid column, length L, on a coil c, under a dead load P: V = c (phi - phi0)^2/2 + P (L cos(phi) - e sin(phi)), upright at phi = 0;
    e: the load stands beside the axis, on the side to which positive phi falls."""
    c, L, m, J = 10.0, 0.5, 2.0, 0.01

    def model(self, phi0=0.0, e=0.0, start=0.0, load="0 N"):
        bodies = {"ground": {"markers": {"O": {"at": [0, 0], "angle": pi / 2}}},
                  "column": {"mass": self.m, "inertia": self.J, "centroid": [self.L, 0], "pose": {"at": [0, 0], "angle": pi / 2 + start},
                             "markers": {"T": [self.L, e]}}}
        return planar(bodies, {"foot": pin("ground.O", "column")}, {"coil": coil("foot", self.c, phi0), "push": force("column.T", 0, "-P")},
                      parameters={"P": load})

    def second(self, phi, P, e=0.0):
        return (self.c - P * (self.L * np.cos(phi) - e * np.sin(phi))) / (self.J + self.m * self.L**2)

    def test_straight(self):
        done = self.follow(self.model(), "P=0..60 N")
        s = done.series
        self.near(s["foot.angle"], 0 * s["P"], 1e-7, "straight on")
        self.near(s["equilibrium.curvature"], self.second(0, s["P"]), 1e-8 * 20, "curvature")
        self.near(s["equilibrium.energy"], s["P"] * self.L, 1e-9 * 30, "energy")
        self.near(s["foot.Fx"], s["P"], TOL * 60, "the foot carries the load, along its axis")
        (event,) = self.kinds(done, "bifurcation")
        self.at(event, self.c / self.L)
        self.assertEqual((event["moves"], event["before"], event["after"]), ("foot.angle", "stable", "unstable"))
        rows = self.quiet(done)
        self.assertEqual(list(s["equilibrium.unstable"][rows]), list((s["P"][rows] > self.c / self.L) * 1.0))

    def test_imperfect(self):
        """c (phi - phi0) = P (L sin(phi) + e cos(phi)): smooth, to the side of the imperfection, stable all along"""
        for phi0, e in ((0.05, 0.0), (-0.05, 0.0), (0.0, 0.01), (1e-3, 0.0), (0.02, 0.03)):
            done = self.follow(self.model(phi0, e), "P=0..60 N")
            s, what = done.series, f"tilt {phi0}, off by {e}"
            phi = s["foot.angle"]
            self.kinds(done)
            self.near(self.c * (phi - phi0) - s["P"] * (self.L * np.sin(phi) + e * np.cos(phi)), 0 * phi, TOL * 30, what)
            self.near(s["equilibrium.curvature"], self.second(phi, s["P"], e), 1e-7 * 60, what)
            self.assertEqual(s["equilibrium.unstable"].max(), 0, what)
            self.assertTrue(np.all(np.diff(phi) * (1 if phi0 + e > 0 else -1) > 0), what)
            self.law(done, "P", self.L * np.cos(phi) - e * np.sin(phi), 1e-5)

    def test_against_its_imperfection(self):
        """from the other side, at 60 N, down: there c (phi - phi0) = P L sin(phi) folds where c = P L cos(phi), that is tan(phi) = phi - phi0"""
        phi0 = 0.05
        low, high = -1.4, 0.0                                                       # tan(phi) - phi + phi0 grows
        for _ in range(200):
            mid = 0.5 * (low + high)
            low, high = (mid, high) if math.tan(mid) - mid + phi0 < 0 else (low, mid)
        done = self.follow(self.model(phi0, start=-2.2, load="60 N"), "P=60..0 N", "--method", "lagrange", ended=None)
        event = done.result["follow"]["events"][0]
        self.assertEqual((event["kind"], event["before"], event["after"], event["turns_at"]), ("snap-through", "stable", "unstable", "least"))
        self.at(event, self.c / (self.L * math.cos(low)))
        self.near(event["equilibrium"]["coordinates"]["foot.angle"], low, 1e-8, "angle at the fold")
        P, a = event["at"], event["lands"]["coordinates"]["foot.angle"]
        self.near(self.c * (a - phi0) - P * self.L * math.sin(a), 0, 100 * BEYOND, "it rests where it lands")
        self.assertGreater(a, phi0)

    def test_buckled_down_to_the_fork(self):
        """c phi = P L sin(phi) from 30 N down: the load is least at the fork, 20 N, where the path goes straight on to the other side; both
        sides are stable. It ends past the start by as much as the range is long: 30 + 20 N"""
        done = self.follow(self.model(start=0.8, load="30 N"), "P=30..10 N", ended="back past the start")
        s = done.series
        phi = s["foot.angle"]
        self.near(self.c * phi - s["P"] * self.L * np.sin(phi), 0 * phi, TOL * 30, "on the path")
        self.assertGreater(phi[0], 1.4)
        self.assertLess(phi[-1], -1.4)
        self.assertGreaterEqual(s["P"][-1], 50 - 1e-9)
        event = [e for e in done.result["follow"]["events"] if "turns_at" in e]
        self.assertEqual(len(event), 1)
        self.at(event[0], self.c / self.L, 1e-9 if BODIES else 1e-8)    # P - 20 N is as phi^2, and forces along phi as phi^3: known to 1e-12, phi is to 1e-4
        self.assertEqual((event[0]["kind"], event[0]["turns_at"]), ("fold", "least"))
        self.assertEqual(s["equilibrium.unstable"].max(), 0)
        with self.subTest("stable before it, stable behind it"):
            self.assertEqual((event[0]["before"], event[0]["after"]), ("stable", "stable"))


class Chain(Follow):
    """Hencky's: n upright bars l, coils c at their n - 1 joints, foot and top held on the axis. With sideways places w_i of the joints
    V = c/2 sum((w_(i+1) - 2 w_i + w_(i-1))/l)^2 - P/(2 l) sum((w_(i+1) - w_i)^2); sines w_i = sin(k pi i/n) give P_k = (4 c/l) sin(k pi/(2 n))^2"""

    def chain(self, n, c, l):
        bodies, joints, loads = {"ground": {"markers": {"O": {"at": [0, 0], "angle": pi / 2}}}}, {}, {}
        for i in range(n):
            bodies[f"b{i}"] = {"mass": 0.1, "inertia": 1e-4, "centroid": [l / 2, 0], "pose": {"at": [0, i * l], "angle": pi / 2},
                               "markers": {"E": [l, 0]}}
            joints[f"j{i}"] = pin(f"b{i - 1}.E" if i else "ground.O", f"b{i}")
            if i:
                loads[f"c{i}"] = coil(f"j{i}", c)
        joints["top"] = pin("ground", f"b{n - 1}.E", "x")
        loads["push"] = force(f"b{n - 1}.E", 0, "-P")
        return planar(bodies, joints, loads, parameters={"P": "0 N"})

    def test_one_bifurcation_after_the_other(self):
        for n, count in ((6, 5), (40, 4)):
            c, l = 2.0, 0.1
            want = [4 * c / l * math.sin(k * pi / (2 * n))**2 for k in range(1, count + 1)]
            done = self.follow(self.chain(n, c, l), f"P=0..{1.05 * want[-1]!r} N")
            s, rows = done.series, self.quiet(done)
            for e, load in zip(self.kinds(done, *count * ["bifurcation"]), want):
                self.at(e, load)
            self.assertEqual(list(s["equilibrium.unstable"][rows]), [sum(p > x for x in want) for p in s["P"][rows]])
            for i in range(n):
                self.near(s[f"j{i}.angle"], 0 * s["P"], 1e-7, f"joint {i}: straight on")
            self.near(s["equilibrium.energy"], s["P"] * n * l, 1e-8 * n, "the load on its way")


class Ziegler(Follow):
    """Two bars L with coils c and point masses 2m, m at their ends, under P along the last. In c = L = m = 1, by virtual work,
    M = [[3, 1], [1, 1]], K = [[2 - P, P - 1], [-1, 1]] of the two absolute angles: det(K - w M) = 2 w^2 - (7 - 2 P) w + 1: the two
    frequencies meet where (7 - 2 P)^2 = 8, at P = 7/2 - sqrt 2, flutter."""
    c, L, m = 10.0, 0.5, 1.0

    def model(self):
        bodies = {"one": {"mass": 2 * self.m, "inertia": 0, "centroid": [self.L, 0], "markers": {"E": [self.L, 0]}},
                  "two": {"mass": self.m, "inertia": 0, "centroid": [self.L, 0], "markers": {"E": [self.L, 0]}, "pose": {"at": [self.L, 0]}}}
        loads = {"c1": coil("a", self.c), "c2": coil("b", self.c), "push": force("two.E", "-P", 0, frame="body")}
        return planar(bodies, {"a": pin("ground", "one"), "b": pin("one.E", "two")}, loads, parameters={"P": "0 N"})

    def verify(self, model):
        critical = (3.5 - math.sqrt(2)) * self.c / self.L
        done = self.follow(model, "P=0..80 N")
        (event,) = self.kinds(done, "flutter")
        self.at(event, critical)
        self.assertEqual((event["before"], event["after"]), ("stable", "unstable"))
        s, rows = done.series, self.quiet(done)
        self.assertEqual(list(s["equilibrium.unstable"][rows] > 0), list(s["P"][rows] > critical))
        self.near(s["a.angle"], 0 * s["P"], TOL, "straight")
        self.near(s["a.Fx"], s["P"], TOL * 80, "the foot carries the load")
        self.assertTrue(np.all(np.isnan(s["equilibrium.energy"])) and np.all(np.isnan(s["equilibrium.curvature"])), "no energy: empty columns")
        self.assertTrue(any("push" in n for n in done.result["notes"]), "a note names the load")
        self.assertEqual(done.result["method"], "lagrange")

    def test_in_the_plane(self):
        self.verify(self.model())

    def test_in_space(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "model.json")
            with open(path, "w", encoding="utf-8") as f:
                json.dump(self.model(), f)
            made = cli.run(["convert", path, "--to", "spatial"], out=False)
        self.assertEqual(made.code, 0, made.said())
        self.assertIn("space: spatial", made.out)
        self.verify(made.out)

    def test_energy_refuses(self):
        done = cli.run_model(self.model(), "statics", "--follow", "P=0..80 N", "--method", "energy")
        self.assertEqual(done.code, 2, done.said())
        self.assertIn("push", done.err)


class Governor(Follow):
    """A point mass on an arm l that hangs from a shaft turning at w: V = -m g l cos(phi) - m w^2 l^2 sin(phi)^2/2. Hanging it is stable up to
    w^2 = g/l; beyond, cos(phi) = g/(w^2 l); V''/(m l^2) = (g/l) cos(phi) - w^2 cos(2 phi). dV/dw = -m w l^2 sin(phi)^2."""
    m, l = 1.5, 0.4

    def model(self, angle, speed):
        side = {"axis": [0, 1, 0], "x": [1, 0, 0]}
        bodies = {"ground": {"markers": {"O": {"at": [0, 0, 0], **side}}},
                  "arm": {"mass": self.m, "inertia": [0, 0, 0], "centroid": [0, 0, -self.l], "markers": {"H": {"at": [0, 0, 0], **side}},
                          "pose": {"at": [0, 0, 0], "rotate": {"axis": [0, 1, 0], "angle": angle}}}}
        return spatial(bodies, {"hinge": pin("ground.O", "arm.H")}, {"spin": {"type": "rotating-frame", "speed": "w", "axis": [0, 0, 1]}}, [0, 0, -g],
                       parameters={"w": speed})

    def swung(self, done):
        s = done.series
        phi, w = s["hinge.angle"], s["w"]
        self.near(np.sin(phi) * (np.cos(phi) - g / (w**2 * self.l)), 0 * w, TOL, "the hinge's moment over m w^2 l^2")
        self.near(s["equilibrium.curvature"], g / self.l * np.cos(phi) - w**2 * np.cos(2 * phi), 1e-8 * 160, "curvature")
        self.near(s["equilibrium.energy"], -self.m * g * self.l * np.cos(phi) - self.m * (w * self.l * np.sin(phi))**2 / 2, TOL * 20, "energy")
        return phi, w

    def test_hanging(self):
        done = self.follow(self.model(0, "0 rpm"), "w=0..120 rpm")
        s = done.series
        self.assertEqual(done.columns[0], "w [rad/s]")
        self.near(s["w"][-1], 120 * 2 * pi / 60, 1e-14, "rpm")
        self.near(s["hinge.angle"], 0 * s["w"], 1e-7, "straight on")
        self.near(s["equilibrium.curvature"], g / self.l - s["w"]**2, 1e-8 * 150, "curvature")
        (event,) = self.kinds(done, "bifurcation")
        self.assertEqual(event["moves"], "hinge.angle")
        self.at(event, math.sqrt(g / self.l))

    def test_swung_out(self):
        done = self.follow(self.model(-1.4, "120 rpm"), "w=120..50 rpm")
        phi, w = self.swung(done)
        self.kinds(done)
        self.law(done, "w", -self.m * w * self.l**2 * np.sin(phi)**2, 1e-5)
        self.alone(self.model(-1.4, "120 rpm"), done, "w", range(3, len(w), 17))

    def test_down_through_the_fork(self):
        """like the buckled column: the speed is least where the arm hangs, then it swings out to the other side, stable"""
        for start in (-1.4, -1.2, 1.3):
            with self.subTest(start=start):
                done = self.follow(self.model(start, "120 rpm"), "w=120..30 rpm", ended="back past the start")
                phi, _ = self.swung(done)
                event = [e for e in done.result["follow"]["events"] if "turns_at" in e]
                self.assertEqual(len(event), 1)
                self.assertLess(phi[0] * phi[-1], 0)
                self.at(event[0], math.sqrt(g / self.l))


# ---- parameters of every kind ----------------------------------------------------------------------------------------

class Mechanism(Follow):
    """A driven crank carries an arm, the arm a bob on a rope; springs from ground to both. Everything is a parameter. Two freedoms: a, the turn
    of the arm, and b, the direction of the rope."""
    SET = {"ax": ("0.1 m", 0.1), "ay": ("500 mm", 0.5), "k": ("0.3 kN/m", 300.0), "l0": ("30 cm", 0.3), "Lk": ("0.4 m", 0.4), "m": ("2 kg", 2.0),
           "M": ("1500 g", 1.5), "th": ("20 deg", pi / 9)}

    def model(self):
        bodies = {"ground": {"markers": {"A": ["ax", "ay"], "B": [1.0, -0.3]}},
                  "crank": {"mass": 1.0, "inertia": 0.01, "centroid": [0.1, 0], "pose": {"at": [0, 0], "angle": "th"}, "markers": {"E": [0.2, 0]}},
                  "arm": {"mass": "m", "inertia": 0.03, "centroid": [0.25, 0.02], "pose": {"at": ["0.2*cos(th)", "0.2*sin(th)"], "angle": -0.3},
                          "markers": {"H": [0.2, 0.05], "T": [0.5, 0]}},
                  "bob": particle("M", 0.65, -0.4)}
        joints = {"O": pin("ground", "crank"), "Q": pin("crank.E", "arm"), "rope": pin("arm.T", "bob", "link", length="Lk")}
        loads = {"s": spring("ground.A", "arm.H", "k", "l0"), "t": spring("ground.B", "bob", 80.0, 0.1)}
        return planar(bodies, joints, loads, DOWN, drives={"motor": {"coordinate": "O.angle", "motion": "th"}},
                      parameters={k: v[0] for k, v in self.SET.items()})

    @staticmethod
    def V(a, b, v):
        """complex: points as x + iy would clash with the complex step, so pairs"""
        at = lambda o, c, s, x, y: (o[0] + c * x - s * y, o[1] + s * x + c * y)                                     # noqa: E731
        off = lambda p, q: np.sqrt((p[0] - q[0])**2 + (p[1] - q[1])**2)                                             # noqa: E731
        ct, st, ca, sa = np.cos(v["th"]), np.sin(v["th"]), np.cos(a), np.sin(a)
        E = at((0, 0), ct, st, 0.2, 0)
        T = at(E, ca, sa, 0.5, 0)
        bob = T[0] + v["Lk"] * np.cos(b), T[1] + v["Lk"] * np.sin(b)
        weights = 1.0 * 0.1 * st + v["m"] * at(E, ca, sa, 0.25, 0.02)[1] + v["M"] * bob[1]
        return g * weights + v["k"] / 2 * (off(at(E, ca, sa, 0.2, 0.05), (v["ax"], v["ay"])) - v["l0"])**2 + 40 * (off(bob, (1.0, -0.3)) - 0.1)**2

    # parameter: range, its partial derivative of V from other columns of the series
    RANGES = {"ax": ("ax=0.1..0.6 m", None),
              "ay": ("ay=500..900 mm", None),
              "k": ("k=0.3..0.9 kN/m", lambda s: (s["s.force"] / s["k"])**2 / 2),
              "l0": ("l0=30..5 cm", lambda s: -s["s.force"]),
              "Lk": ("Lk=0.4..0.7 m", lambda s: -s["rope.F"]),
              "m": ("m=2000..500 g", lambda s: g * (s["arm.y"] + 0.25 * np.sin(s["arm.angle"]) + 0.02 * np.cos(s["arm.angle"]))),
              "M": ("M=1.5..4 kg", lambda s: g * s["bob.y"]),
              "th": ("th=20..100 deg", lambda s: s["motor.effort"])}

    def paths(self):
        for name, (spec, partial) in self.RANGES.items():
            with self.subTest(name):
                done = self.follow(self.model(), spec)
                self.kinds(done)
                s = done.series
                a = s["arm.angle"]
                T = s["arm.x"] + 0.5 * np.cos(a), s["arm.y"] + 0.5 * np.sin(a)
                b = np.arctan2(s["bob.y"] - T[1], s["bob.x"] - T[0])
                values = {k: v[1] + 0 * a for k, v in self.SET.items()}
                values[name] = s[name]
                yield name, done, partial, (a, b, values)

    def test_forces_balance(self):
        """at every place, by an energy written here; a spring exerts 100 N and more"""
        for name, done, _, (a, b, v) in self.paths():
            self.near(slope(lambda x: self.V(x, b, v), a), 0 * a, TOL * 100, f"{name}: along the arm's turn")
            self.near(slope(lambda x: self.V(a, x, v), b), 0 * a, TOL * 100, f"{name}: along the rope's")
            self.near(done.series["equilibrium.energy"], self.V(a, b, v), TOL * 100, f"{name}: energy")
            by = lambda k: slope(lambda x: self.V(a, b, {**v, k: x}), v[k])                                        # noqa: B023,E731
            self.near(done.series["motor.effort"], by("th"), TOL * 100, f"{name}: effort")
            self.near(done.series["rope.F"], -by("Lk"), TOL * 100, f"{name}: tension of the rope")

    def test_energy_along_the_path(self):
        for name, done, partial, (a, b, v) in self.paths():
            there = slope(lambda x: self.V(a, b, {**v, name: x}), v[name])                                          # noqa: B023
            self.law(done, name, there, 1e-6)
            if partial:
                self.near(partial(done.series), there, TOL * max(100, np.abs(there).max()), f"{name}: what it works on")

    def test_places_against_single_runs(self):
        for name in ("k", "Lk", "th"):
            done = self.follow(self.model(), self.RANGES[name][0])
            self.alone(self.model(), done, name, (0, 7, 31, done.result["follow"]["places"] - 1))

    def test_there_and_back(self):
        up = self.follow(self.model(), "th=20..100 deg")
        there = self.model()
        there["parameters"]["th"] = "100 deg"
        down = self.follow(there, "th=100..20 deg")
        for k in up.series:
            if k != "equilibrium.unstable":
                size = max(1, np.nanmax(np.abs(up.series[k])))
                self.near(down.series[k][[0, -1]], up.series[k][[-1, 0]], 1e-8 * size, k)


class Parameters(Follow):
    def bob(self, **more):
        """on a spring: y = -(l0 + m g/k)"""
        p = {**{k: v for k, v in more.items() if k not in ("m", "k", "l0")}, "m": "500 g", "k": "100 N/m", "l0": "300 mm", **more}
        return planar({"bob": particle("m", 0, -0.4)}, {"rail": pin("ground", "bob", "x")}, {"s": spring("ground", "bob", "k", "l0")}, DOWN,
                      parameters=p)

    def test_units(self):
        """the series is in SI, to the last digit that the end of the range has"""
        for spec, head, ends, y in (("m=0.5..2 kg", "m [kg]", (0.5, 2.0), lambda p: 0.3 + p * g / 100), ("m=500..2000 g", "m [kg]", (0.5, 2.0), None),
                                    ("l0=300..450 mm", "l0 [m]", (0.3, 0.45), lambda p: p + 0.5 * g / 100),
                                    ("k=0.1..0.2 kN/m", "k [N/m]", (100, 200), lambda p: 0.3 + 0.5 * g / p),
                                    ("k=10..4 N/cm", "k [N/m]", (1000, 400), None)):
            done = self.follow(self.bob(), spec)
            name = head.split()[0]
            self.assertEqual(done.columns[0], head)
            self.near(done.series[name][[0, -1]], ends, 1e-13 * max(ends), spec)
            if y:
                self.near(done.series["bob.y"], -y(done.series[name]), TOL, spec)

    def test_without_a_unit_and_made_into_others(self):
        """a plain number n, from which a mass and a length are made"""
        done = self.follow(self.bob(n="1", half="n/2", m="half + 0*n", l0="0.1*n + 0.2"), "n=1..4")
        n = done.series["n"]
        self.assertEqual(done.columns[0], "n")
        self.near(done.series["bob.y"], -(0.1 * n + 0.2 + n / 2 * g / 100), TOL, "y(n)")
        done = self.follow(self.bob(half="0.3", m="half"), "half=0.3..0.9")
        self.near(done.series["bob.y"], -(0.3 + done.series["half"] * g / 100), TOL, "y(half)")

    def test_with_another_parameter_set(self):
        done = self.follow(self.bob(), "m=0.5..2 kg", "--set", "k=0.2 kN/m", "--set", "l0=150 mm")
        self.near(done.series["bob.y"], -(0.15 + done.series["m"] * g / 200), TOL, "y(m)")

    def test_an_angle_in_degrees_over_many_turns(self):
        """a coil's free angle: the drum follows it, turns are counted"""
        mod = planar({"drum": {"mass": 1.0, "inertia": 0.5}}, {"axle": pin("ground", "drum")}, {"coil": coil("axle", 2.0, "f")},
                     parameters={"f": "0 deg"})
        done = self.follow(mod, "f=0..1080 deg")
        self.assertEqual(done.columns[0], "f [rad]")
        self.near(done.series["f"][-1], 6 * pi, 1e-14, "b")
        self.near(done.series["drum.angle"], done.series["f"], TOL * 20, "angle")
        self.near(done.series["equilibrium.curvature"], 4 + 0 * done.series["f"], 1e-8, "curvature")

    def test_a_spring_that_gets_soft(self):
        """k = 100 to 1 N/m: y goes to -5.2 m along a smooth curve"""
        done = self.follow(self.bob(), "k=100..1 N/m")
        self.near(done.series["bob.y"], -(0.3 + 0.5 * g / done.series["k"]), TOL * 10, "y(k)")

    def test_a_softer_spring_under_more(self):
        """the same with 1 kg: y goes to -10.1 m"""
        done = self.follow(self.bob(m="1 kg"), "k=100..1 N/m")
        self.near(done.series["bob.y"], -(0.3 + g / done.series["k"]), TOL * 10, "y(k)")

    def test_the_end_is_the_last_that_is_possible(self):
        """a free length is 0 or more, a mass too: b = 0 is a model"""
        for spec, name, y in (("l0=0.3..0 m", "l0", lambda p: p + 0.5 * g / 100), ("m=0.5..0 kg", "m", lambda p: 0.3 + p * g / 100)):
            with self.subTest(spec):
                done = self.follow(self.bob(), spec)
                self.near(done.series["bob.y"], -y(done.series[name]), TOL, spec)

    def slider(self):
        """a slider-crank with weights and a spring, driven by its crank"""
        a, b = 0.3, 0.8
        bodies = {"crank": {"mass": 1.0, "inertia": 0.01, "centroid": [a / 2, 0], "markers": {"E": [a, 0]}},
                  "rod": {"mass": 2.0, "inertia": 0.1, "centroid": [b / 2, 0], "pose": {"at": [a, 0]}, "markers": {"E": [b, 0]}},
                  "shoe": {"mass": 0.5, "inertia": 0.01, "pose": {"at": [a + b, 0]}}}
        joints = {"O": pin("ground", "crank"), "A": pin("crank.E", "rod"), "B": pin("rod.E", "shoe"), "rail": pin("ground", "shoe", "prismatic")}
        return planar(bodies, joints, {"s": spring("ground", "shoe", 50.0, 0.6)}, DOWN,
                      drives={"motor": {"coordinate": "O.angle", "motion": "2*th + 0.1"}}, parameters={"th": "0 deg"})

    def test_a_drive_round_and_round(self):
        """no freedom is left: q = 2 th + 0.1 goes round; sin(rod) = -a sin(q)/b, V = m1 g a/2 sin(q) + m2 g a sin(q)/2 + k/2 (d - 0.6)^2;
        the effort is dV/dq = (dV/dth)/2"""
        done = self.follow(self.slider(), "th=0..200 deg")
        self.kinds(done)
        s, a, b = done.series, 0.3, 0.8
        q = 2 * s["th"] + 0.1
        V = lambda q: g * (0.5 + 1.0) * a * np.sin(q) + 25 * (a * np.cos(q) + np.sqrt(b * b - (a * np.sin(q))**2) - 0.6)**2     # noqa: E731
        self.near(s["crank.angle"], q, TOL, "the crank, with its turns")
        self.near(s["O.angle"], q, TOL, "the joint")
        self.near(np.sin(s["rod.angle"]), -a * np.sin(q) / b, TOL, "the rod")
        self.near(s["shoe.x"], a * np.cos(q) + np.sqrt(b * b - (a * np.sin(q))**2), TOL, "the shoe")
        self.near(s["motor.effort"], slope(V, q), TOL * 30, "effort")
        self.near(s["equilibrium.energy"] - s["equilibrium.energy"][0], V(q) - V(q[0]), TOL * 30, "energy")
        self.law(done, "th", 2 * s["motor.effort"], 1e-4)
        self.assertEqual(s["equilibrium.unstable"].max(), 0)

    def bars(self, weight):
        """two bars of 1 m from the origin to a shoe that is driven to d: the first at acos(d/2)"""
        bodies = {"one": {"mass": 1.0, "inertia": 0.1, "centroid": [0.5, 0], "pose": {"at": [0, 0], "angle": 0.9}, "markers": {"E": [1, 0]}},
                  "two": {"mass": 1.0, "inertia": 0.1, "centroid": [0.5, 0], "pose": {"at": [math.cos(0.9), math.sin(0.9)], "angle": -0.9},
                          "markers": {"E": [1, 0]}},
                  "shoe": {"mass": 1.0, "inertia": 0.1, "pose": {"at": [2 * math.cos(0.9), 0]}}}
        joints = {"O": pin("ground", "one"), "M": pin("one.E", "two"), "S": pin("two.E", "shoe"), "rail": pin("ground", "shoe", "prismatic")}
        return planar(bodies, joints, {}, DOWN if weight else None, drives={"ram": {"coordinate": "rail.distance", "motion": "d"}},
                      parameters={"d": "1.2 m"})

    def test_nothing_to_carry(self):
        done = self.follow(self.bars(False), "d=1.2..1.9 m")
        self.near(done.series["one.angle"], np.arccos(done.series["d"] / 2), TOL, "angle")
        self.near(done.series["ram.effort"], 0 * done.series["d"], TOL, "effort")

    def test_lock_up(self):
        """the ram pulls the bars straight, d = 2 m, with an effort that grows without bound: dV/dd = -m g/(2 tan(angle)), V = m g sin(angle)"""
        done = self.follow(self.bars(True), "d=1.2..2.5 m", code=1, ended="as far as")
        s = done.series
        angle = np.arccos(s["d"] / 2)
        self.near(s["one.angle"], angle, 1e-8 + TOL / np.sin(angle), "angle")
        self.near(s["ram.effort"] * np.tan(angle), -g / 2 + 0 * angle, 1e-7 * g, "effort")
        self.assertEqual(s["equilibrium.unstable"].max(), 0)
        self.assertGreater(s["d"][-1], 1.99)
        self.assertLess(s["d"][-1], 2.0)
        self.assertRegex(done.err, r"\bd = (1\.9|2\b)")


# ---- redundant mechanisms --------------------------------------------------------------------------------------------

class Redundant(Follow):
    def cranks(self):
        """a platform on three parallel cranks of 0.5 m, weights, a spring to its origin, and a push W along x"""
        at, turn = [0, 0.6, 1.5], 1.1
        c = 0.25 * math.cos(turn), 0.25 * math.sin(turn)
        bodies = {"ground": {"markers": {**{f"A{i}": [at[i], 0] for i in range(3)}, "S": [-1.5, 0.9]}}}
        for i in range(3):
            bodies[f"crank{i}"] = {"mass": 1, "inertia": 0.02, "pose": {"at": [at[i] + c[0], c[1]], "angle": turn},
                                   "markers": {"A": [-0.25, 0], "B": [0.25, 0]}}
        bodies["platform"] = {"mass": 4, "inertia": 0.8, "pose": {"at": [0.7 + 2 * c[0], 2 * c[1]]},
                              "markers": {"B0": [-0.7, 0], "B1": [-0.1, 0], "B2": [0.8, 0]}}
        joints = {f"A{i}": pin(f"ground.A{i}", f"crank{i}.A") for i in range(3)}
        joints.update({f"B{i}": pin(f"crank{i}.B", f"platform.B{i}") for i in range(3)})
        return planar(bodies, joints, {"s": spring("ground.S", "platform", 60.0, 1.0), "push": force("platform.B2", "W", 0)}, DOWN,
                      parameters={"W": "10 N"})

    def verify_cranks(self, done, turn):
        """V(turn) = (3*0.25 + 4*0.5) g sin(turn) + 30 (l - 1)^2 - W x(B2): one freedom; three cranks share what they carry, nobody knows how"""
        s = done.series
        P = lambda q: (0.7 + 0.5 * np.cos(q), 0.5 * np.sin(q))                                                      # noqa: E731
        V = lambda q: (2.75 * g * np.sin(q) + 30 * (np.sqrt((P(q)[0] + 1.5)**2 + (P(q)[1] - 0.9)**2) - 1)**2  # noqa: E731
                       - s["W"] * (P(q)[0] + 0.8))
        self.near(slope(V, turn), 0 * turn, TOL * 200, "moment about the cranks")
        self.near(s["equilibrium.energy"], V(turn), TOL * 300, "energy")
        pull = np.array([-1.5 - P(turn)[0], 0.9 - P(turn)[1]])
        pull = 60 * (1 - 1 / np.hypot(*pull)) * pull
        self.near(sum(s[f"A{i}.Fx"] for i in range(3)) + pull[0] + s["W"], 0 * turn, TOL * 200, "all along x")
        self.near(sum(s[f"A{i}.Fy"] for i in range(3)) + pull[1] - 7 * g, 0 * turn, TOL * 200, "all along y")
        marks = [f"A{i}.F{x}" for i in range(3) for x in "xy"]
        self.assertEqual({done.marks[k] for k in marks}, {"not unique"})
        self.assertIn("A0.Fx [N] (not unique)", done.columns)
        self.law(done, "W", -(P(turn)[0] + 0.8), 1e-5)

    def test_three_cranks(self):
        done = self.follow(self.cranks(), "W=10..60 N")
        self.kinds(done)
        self.near(done.series["platform.angle"], 0 * done.series["W"], TOL, "parallel")
        self.verify_cranks(done, done.series["crank0.angle"])
        self.alone(self.cranks(), done, "W", (4, 25, 50))

    def test_three_cranks_in_space(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "model.json")
            with open(path, "w", encoding="utf-8") as f:
                json.dump(self.cranks(), f)
            made = cli.run(["convert", path, "--to", "spatial"], out=False)
        self.assertEqual(made.code, 0, made.said())
        done = self.follow(made.out, "W=10..60 N")
        s = done.series
        turn = 2 * np.arctan2(s["crank0.qz"], s["crank0.qw"])
        self.verify_cranks(done, turn)
        self.near(s["platform.z"], s["platform.z"][0] + 0 * turn, TOL, "in its plane")

    def balance(self, coiled=False):
        path = os.path.join(SHARED, "acceptance", "roberval-balance", "model.yaml")
        if not os.path.exists(path):
            self.skipTest("no acceptance models here")
        with open(path, encoding="utf-8") as f:
            text = f.read()
        if coiled:
            text = text.replace("counter: 1 kg}", "counter: 1 kg, T: 0 N.m}")
            text += "  coil: {type: torsion-spring, joint: U, stiffness: 4}\n  twist: {type: torque, to: upper, value: T}\n"
        return text

    def test_roberval_balance_does_not_care_where_the_weight_sits(self):
        """left = 5 to 30 cm: it stays level, and neutral. About the lower pin of the left hanger: 0.2 A.Fx = left * 9.81 N. Level beams cannot be
        strained along, so that value is unique, as it is in single runs at both ends"""
        done = self.follow(self.balance(), "left=0.05..0.3 m")
        s = done.series
        self.kinds(done)
        self.assertEqual(s["equilibrium.unstable"].max(), 0)
        self.near(s["equilibrium.curvature"], 0 * s["left"], 1e-6, "curvature")
        self.assertEqual(done.result["follow"]["last"]["stability"], "neutral")
        single = [cli.run_model(self.balance(), "statics", "--set", f"left={x} m") for x in (0.05, 0.3)]
        with self.subTest("level"):
            for body in ("upper", "lower", "pan_left", "pan_right"):
                self.near(s[f"{body}.angle"], 0 * s["left"], TOL, f"{body} stays")
        with self.subTest("forces"):
            self.near(s["A.Fx"], s["left"] * g / 0.2, TOL * 15, "A.Fx")
            self.near(s["C.Fx"], -s["left"] * g / 0.2, TOL * 15, "C.Fx")
            self.near(s["U.Fy"] + s["L.Fy"], (0.4 + 0.4 + 0.3 + 0.3 + 2) * g + 0 * s["left"], TOL * 40, "all is carried")
        with self.subTest("verdicts"):
            for one in single:
                self.assertEqual(one.marks["A.Fx"], "unique")
                self.assertEqual({k: done.marks[k] for k in one.marks if k != "time"}, {k: v for k, v in one.marks.items() if k != "time"})

    def test_verdicts_that_change(self):
        """a coil k = 4 on the balance and a torque T: tilt T/k. Level, A.Fx is unique; tilted, the self-stress along the pans has a part in it"""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "model.yaml")
            with open(path, "w", encoding="utf-8") as f:
                f.write(self.balance(True))
            run = cli.run(["statics", path, "--follow", "T=0..2 N.m", "--out", os.path.join(folder, "out")], out=False)
            self.assertEqual(run.code, 0, run.said())
            with open(os.path.join(folder, "out", "verdicts.csv"), encoding="utf-8") as f:
                changes = [line.rstrip("\n").split(",") for line in f]
        done = self.follow(self.balance(True), "T=0..2 N.m")
        s = done.series
        self.near(s["upper.angle"], s["T"] / 4, TOL, "tilt")
        self.near(s["equilibrium.energy"] - s["equilibrium.energy"][0], -s["T"]**2 / 8, TOL * 10, "energy: k tilt^2/2 - T tilt")
        self.assertEqual(changes[0], ["T [N.m]", "component", "verdict"])
        self.assertEqual({c[1] for c in changes[1:]}, {"A.Fx", "B.Fx", "C.Fx", "D.Fx"})
        self.assertEqual({float(c[0]) for c in changes[1:]}, {s["T"][1]})
        self.assertEqual({c[2] for c in changes[1:]}, {"not unique"})
        self.assertEqual(done.marks["A.Fx"], "not unique")
        one = cli.run_model(self.balance(True), "statics")
        self.assertEqual((one.marks["A.Fx"], one.marks["A.Fy"]), ("unique", "not unique"))

    def plate(self, names):
        """a plate on links, the anchor of c at height p: no freedom, nothing moves, forces follow p. (model, forces and moment of the links)"""
        where, on = {"a": (-2, 0), "b": (0, -2), "c": (2, "p"), "d": (2, 2.5)}, {"a": (-0.5, 0), "b": (0, -0.5), "c": (0.5, 0), "d": (0.5, 0.7)}
        model = planar({"ground": {"markers": where}, "plate": {"mass": 3.0, "inertia": 0.2, "markers": on}},
                       {f"l{k}": pin(f"ground.{k}", f"plate.{k}", "link") for k in names}, {"f": force("plate.d", 10, -4)}, DOWN,
                       parameters={"p": "0 m"})

        def unit(k, p):
            e = np.array([where[k][0] - on[k][0], (p if k == "c" else where[k][1]) - on[k][1]])
            e = e / np.hypot(*e)
            return np.array([*e, on[k][0] * e[1] - on[k][1] * e[0]])
        return model, unit, -np.array([10, -4 - 3 * g, 0.5 * -4 - 0.7 * 10])

    def test_a_plate_on_three_links(self):
        """determinate: three forces from three equations"""
        model, unit, load = self.plate("bcd")
        done = self.follow(model, "p=0.1..0.5 m")
        s = done.series
        want = np.array([np.linalg.solve(np.column_stack([unit(k, p) for k in "bcd"]), load) for p in s["p"]])
        for k, F in zip("bcd", want.T):
            self.near(s[f"l{k}.F"], F, TOL * 100, k)
        self.assertEqual(s["equilibrium.unstable"].max(), 0)

    def test_a_plate_on_four_links(self):
        """at p = 0 links a and c are in one line and strain each other alone, else all four do"""
        model, unit, load = self.plate("abcd")
        done = self.follow(model, "p=0..0.5 m")
        s = done.series
        total = np.array([sum(s[f"l{k}.F"][i] * unit(k, p) for k in "abcd") for i, p in enumerate(s["p"])])
        self.near(total, load + 0 * total, TOL * 100, "forces and moment")
        self.assertEqual({done.marks[f"l{k}.F"] for k in "abcd"}, {"not unique"})
        self.assertEqual(cli.run_model(model, "statics", "--set", "p=0 m").marks["ld.F"], "unique")


# ---- what is written, what is refused --------------------------------------------------------------------------------

class Output(Follow):
    def test_columns_and_extremes(self):
        done = self.follow({**Truss().model(), "output": {"height": "y(top)", "work": "P*y(top)"}}, "P=0..0.08 kN")
        self.assertEqual(done.columns, ["P [N]", "guide.Fx [N] (free)", "guide.Fy [N]", "guide.Tz [N.m] (free)", "bar1.force [N]", "bar2.force [N]",
                                        "push.Fx [N]", "push.Fy [N]", "top.x [m]", "top.y [m]", "equilibrium.energy [J]",
                                        "equilibrium.curvature [1/s^2]", "equilibrium.unstable", "height [m]", "work [N.m]"])
        s = done.series
        self.assertEqual(list(s["height"]), list(s["top.y"]))
        self.near(s["work"], s["P"] * s["top.y"], 1e-12, "an output with the parameter in it")
        bar = done.result["loads"]["bar1"]
        for key, pick in (("min", np.argmin), ("max", np.argmax)):
            i = pick(s["bar1.force"])
            self.assertEqual((bar[key], bar[f"at_{key}"]), (s["bar1.force"][i], s["P"][i]), key)
        self.assertEqual(bar["first"], s["bar1.force"][0])
        self.assertEqual(done.files, ["result.json", "scene.json", "series.csv"])

    def test_json_is_strict_and_what_out_writes(self):
        for model, spec in ((Truss().model(), "P=0..80 N"), (Ziegler().model(), "P=0..60 N")):
            done = cli.run_model(model, "statics", "--follow", spec, "--json", quiet=False)
            self.assertEqual(done.code, 0, done.said())
            document = done.json()                                                       # refuses NaN and what stands around it
            self.assertEqual(document["follow"], done.result["follow"])
            self.assertEqual(document["equilibrium"], done.result["equilibrium"])
            self.assertNotIn("equilibria", document)
        self.assertNotIn("follow", cli.run_model(Truss().model(), "statics").result)

    def test_screen(self):
        done = cli.run_model(Truss().model(), "statics", "--follow", "P=0..80 N", quiet=False, out=False)
        self.assertEqual(done.code, 0, done.said())
        self.assertRegex(done.out, r"(?m)^along P from 0 to 80 N: \d+ places, to the end, 80 N$")
        self.assertRegex(done.out, rf"(?m)^snap-through at {Truss.P:.9g} N by y\(top\): stable before, unstable behind it; when P goes up, it jumps$")
        self.assertRegex(done.out, r"(?m)^end +80 +-46\.\d+$")
        self.assertRegex(done.out, r"at \[N\]")
        self.assertEqual(done.err, "")
        self.assertEqual(cli.run_model(Truss().model(), "statics", "--follow", "P=0..80 N").out, "")

    def test_screen_without_a_unit(self):
        done = cli.run_model(Ring().model(1.0, 0.5), "statics", "--follow", "p=-0.9..0.9", quiet=False, out=False)
        self.assertRegex(done.out, r"(?m)^along p from -0\.9 to 0\.9: \d+ places, to the end, 0\.9$")


class Errors(Follow):
    def refused(self, model, pattern, *call, command="statics"):
        done = cli.run_model(model, command, *call)
        self.assertEqual(done.code, 2, f"{call}: {done.said()}")
        self.assertRegex(done.err, pattern, call)
        self.assertEqual(done.files, [], call)

    def test_calls(self):
        model = Truss().model()
        for spec, pattern in (("Q=0..80 N", r"\bQ\b.*\bP\b"), ("P=0..80", "unit"), ("P=10..80 mm", r"dimension"), ("P=0..0 N", "empty"),
                              ("P=5..5 N", "empty"), ("P=", "name=a..b"), ("P", "name=a..b"), ("P=80 N", "name=a..b"), ("P=..80 N", "name=a..b"),
                              ("P=0..", "name=a..b"), ("=0..80 N", "name=a..b"), ("", "name=a..b"), ("P=0..nan N", "number"), ("P=a..b N", "number"),
                              ("P=0..80 lbs", "lbs|unit")):
            self.refused(model, pattern, "--follow", spec)
        none = cli.run(["statics", "model.yaml", "--follow"], out=False, quiet=False)
        self.assertEqual(none.code, 2)
        self.assertIn("--follow", none.err)
        self.refused(model, "follow.*--all|--all.*follow", "--follow", "P=0..80 N", "--all")
        self.refused(model, "penalty", "--follow", "P=0..80 N", "--method", "penalty")
        for command in ("check", "kinematics", "inverse"):
            self.refused(model, "follow", "--follow", "P=0..80 N", command=command)

    def test_locked_wheels(self):
        mod = planar({"sled": {"mass": 2, "inertia": 1}}, {"edge": pin("ground", "sled", "knife-edge")},
                     {"s": {"type": "bushing", "between": ["ground", "sled"], "stiffness": ["k", 50, 10]}}, DOWN, parameters={"k": "100 N/m"})
        self.refused(mod, "locked", "--follow", "k=100..200 N/m", "--locked")
        done = self.follow(mod, "k=100..200 N/m")
        self.near(done.series["sled.y"], -2 * g / 50 + 0 * done.series["k"], TOL, "without it the edge carries nothing")

    def test_nothing_to_start_from(self):
        loose = planar({"stone": particle("m", 0, 0)}, {}, {}, DOWN, parameters={"m": "1 kg"})
        done = cli.run_model(loose, "statics", "--follow", "m=1..2 kg")
        self.assertEqual(done.code, 1, done.said())
        self.assertRegex(done.err, "no equilibrium.*'stone'")
        apart = cli.run_model(Parameters().bars(True), "statics", "--follow", "d=2.5..1.2 m")
        self.assertEqual(apart.code, 1, apart.said())
        self.assertIn("no assembly", apart.err)

    def bob(self, length, p):
        return planar({"bob": particle(1.0, 0.1, -0.5)}, {"rope": pin("ground", "bob", "link", length=length)}, {}, DOWN, parameters={"p": p})

    def test_no_model_half_way(self):
        """a length of 0.2 - p + p^2 is negative from p = (1 - sqrt(0.2))/2 on"""
        done = self.follow(self.bob("0.2 - p*(1 - p)", "0"), "p=0..1", code=1, ended="as far as")
        s, limit = done.series, (1 - math.sqrt(0.2)) / 2
        self.near(s["bob.y"], -(0.2 - s["p"] * (1 - s["p"])), TOL, "what was reached is kept")
        self.near(s["p"][-1], limit, 1e-4, "as far as it goes")
        self.assertLessEqual(s["p"][-1], limit)
        self.assertRegex(done.err, r"length must be positive")
        self.assertRegex(done.err, r"\bp = 0\.276")

    def test_a_length_that_becomes_negative(self):
        """also where the end of the range is no model: docs/statics.md, the places so far are kept, and the exit status is 1"""
        done = cli.run_model(self.bob("p", "0.5 m"), "statics", "--follow", "p=0.5..-0.5 m")
        self.assertEqual(done.code, 1, done.said())
        self.assertRegex(done.err, r"\bp = ")
        self.near(done.series["bob.y"], -done.series["p"], TOL, "what was reached is kept")
        self.assertLess(done.series["p"][-1], 1e-3)

    def test_no_model_at_the_start(self):
        done = cli.run_model(self.bob("p", "0.5 m"), "statics", "--follow", "p=-0.5..0.5 m")
        self.assertIn(done.code, (1, 2), done.said())
        self.assertIn("length", done.err)


# ---- what a reader of the code found wrong once ----------------------------------------------------------------------

class Once(Follow):
    def flat(self, rise, others):
        """von Mises' truss, P = 2 k y (L/sqrt(1 + y^2) - 1), which weighs next to nothing, beside pendulums that have nothing to do with it"""
        L = math.hypot(1, rise)
        bodies = {"ground": {"markers": {"l": [-1, 0], "r": [1, 0], "rail": {"at": [0, 0], "angle": pi / 2}}}, "top": particle(1e-9, 0, rise)}
        joints = {"guide": pin("ground.rail", "top", "slot")}
        for k in range(others):
            bodies[f"b{k}"] = {"mass": 1, "inertia": 0.1, "centroid": [0.5, 0], "pose": {"at": [3 + k, 0], "angle": -pi / 2}}
            joints[f"j{k}"] = {**pin("ground", f"b{k}"), "at": [3 + k, 0]}
        loads = {"a": spring("ground.l", "top", 1000, L), "b": spring("ground.r", "top", 1000, L), "push": force("top", 0, "-P")}
        y = math.sqrt(L**(2 / 3) - 1)
        return planar(bodies, joints, loads, DOWN, parameters={"P": "0 N"}), 2000 * (L / math.hypot(1, y) - 1) * y, 1e-9 * g

    @cli.long
    def test_a_small_snap_of_a_large_machine(self):
        """whatever stands beside it, however wide the range, and where the range ends at the fold or a little behind it"""
        for rise, others, range_ in ((0.01, 10, 2), (0.01, 0, 4), (0.01, 60, 1000), (0.01, 10, 3e5), (0.003, 10, 100), (0.5, 20, 1.9), (0.5, 0, 1.17), (0.5, 0, 2.1)):
            with self.subTest(rise=rise, others=others, range=range_):
                model, fold, weight = self.flat(rise, others)
                done = self.follow(model, f"P=0..{range_ * fold!r} N")
                up, down = self.kinds(done, "snap-through", "snap-through")
                self.near([up["at"], down["at"]], [fold - weight, -fold - weight], 1e-9 * fold + 5e-12, "loads; rounding of stiffness over the machine: 1e-16 * 1 kN/m * 100 m")
                for event in (up, down):            # it lands on the other branch, not at the fold: there dP/dy is -2 k (L/(1 + y^2)^1.5 - 1)
                    y, L = event["lands"]["bodies"]["top"]["at"][1], math.hypot(1, rise)
                    self.near(2000 * y * (L / math.hypot(1, y) - 1), event["at"] + weight, 1e-9 * fold + 5e-12, "it rests where it lands")
                    self.assertGreater(-y * event["at"], rise * abs(event["at"]), "on the other side, further out than the truss is high")
                    self.assertEqual(event["lands"]["stability"], "stable")

    @cli.long
    def test_turning_round_is_not_coming_round(self):
        """28 turns of a driven hinge: at each it stands as it began, and the parameter has moved by little"""
        model = planar({"wheel": {"mass": 1, "inertia": 0.1, "centroid": [0.2, 0]}}, {"hub": pin("ground", "wheel")}, None, DOWN, parameters={"a": "0 deg"},
                       drives={"motor": {"coordinate": "hub.angle", "motion": "a"}})
        done = self.follow(model, "a=0..10000 deg")
        self.near(done.series["hub.angle"], done.series["a"], 1e-12 * 200, "turns are counted")
        self.near(done.series["motor.effort"], 0.2 * g * np.cos(done.series["a"]), 1e-9, "effort")

    def test_the_time_may_be_the_parameter(self):
        model = planar({"arm": {"mass": 1, "inertia": 0.1, "centroid": [0.5, 0]}}, {"pivot": pin("ground", "arm")}, None, DOWN, parameters={"T": "0 s"},
                       drives={"motor": {"coordinate": "pivot.angle", "motion": "t^2"}}, motion={"from": "T", "to": "9 s", "step": "1 s"})
        done = self.follow(model, "T=0..1.5 s")
        self.near(done.series["pivot.angle"], done.series["T"]**2, TOL, "t^2")

    def test_neutral_among_others(self):
        """a balanced wheel beside pendulums: its motion has no stiffness of its own, only rounding of the others'; dense and sparse"""
        for others in (5, 10, 40, 60, 67, 100):
            bodies = {"wheel": {"mass": 1, "inertia": 0.1}}
            joints = {"hub": pin("ground", "wheel")}
            for k in range(others):
                bodies[f"b{k}"] = {"mass": 1, "inertia": 0.1, "centroid": [0.5, 0], "pose": {"at": [3 + k, 0], "angle": -pi / 2}}
                joints[f"j{k}"] = {**pin("ground", f"b{k}"), "at": [3 + k, 0]}
            found = cli.run_model(planar(bodies, joints, None, DOWN), "statics").result["equilibrium"]
            self.assertEqual((found["stability"], found["falls_by"]), ("neutral", "hub.angle"), others)

    def test_wheels_that_carry_nothing(self):
        """three planets without loads, their centre moved: every force is zero, and that is no lock-up"""
        path = os.path.join(cli.ROOT, "examples", "planetary", "planetary.yaml")
        done = cli.run(["statics", path, "--follow", "centre=72..79 mm"])
        self.assertEqual(done.code, 0, done.said())
        self.assertEqual(done.result["follow"]["ended"], "to the end")

    def test_what_changes_without_moving_is_something(self):
        """mass changes the curvature k/m of a slider alone; a parameter that nothing reads changes nothing, and that is said"""
        model = planar({"a": {"mass": "m", "inertia": 1}}, {"rail": pin("ground", "a", "prismatic")}, {"s": spring("ground", "a", 10, 0.5)},
                       parameters={"m": "1 kg", "idle": 0})
        model["bodies"]["a"]["pose"] = {"at": [0.5, 0]}
        done = self.follow(model, "m=1..4 kg")
        self.near(done.series["equilibrium.curvature"], 10 / done.series["m"], 1e-9 * 10, "k/m")
        self.assertNotIn("depends", done.err + " ".join(done.result["notes"]))
        self.assertIn("nothing at rest depends on 'idle'", " ".join(self.follow(model, "idle=0..1").result["notes"]))

    def test_the_value_in_the_file_need_not_make_sense(self):
        model = planar({"a": particle(1, 0.5, 0)}, {"wire": pin("ground", "a", "y")}, {"s": spring("ground", "a", 10, "1 + 0*log(0.5 - P)"), "f": force("a", "P", 0)},
                       parameters={"P": 1})
        done = self.follow(model, "P=0..0.4")
        self.near(done.series["a.x"], 1 + done.series["P"] / 10, TOL, "l0 + P/k")


if __name__ == "__main__":
    cli.main()
