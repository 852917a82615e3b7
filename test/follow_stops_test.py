#!/usr/bin/env python3
# ctest: natural joint
"""`statics --follow` with stops and one-sided joints: where they land and let go, and what they carry, against closed forms that are derived where they stand.

Tolerances: as in follow_test.py. An event is found to 1e-9 of the step between two places."""
import json
import math
import os
import random
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "py"))
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import cli                                                                                  # noqa: E402
import follow_test                                                                          # noqa: E402
from follow_test import BEYOND, TOL, coil, force, particle, pin, planar, spatial, spring    # noqa: E402


def shuffled(model, seed):
    """the same entries in another order"""
    out = json.loads(json.dumps(model))
    for section in ("joints", "loads", "stops"):
        names = list(out.get(section, {}))
        random.Random(seed).shuffle(names)
        if names:
            out[section] = {n: model[section][n] for n in names}
    return out


class Paths(follow_test.Follow):
    def one(self, event, kind, at, *supports, tol=TOL):
        self.assertEqual((event["kind"], sorted(event["supports"])), (kind, sorted(supports)))
        self.at(event, at, tol)

    def beside(self, done, name, at, past):
        """rows at values before, and behind"""
        p = done.series[name]
        return (p >= at) if past else (p <= at)


class Block(Paths):
    """A block on a spring k = 100 N/m, pushed by F to a wall at 0.2 m: F = k x as far as 20 N, then the wall carries F - 20 N, against the axis."""

    def model(self, stops, F="0 N", limit="1.2 m", **loads):
        bodies = {"ground": {"markers": {"O": [0, 0]}}, "block": particle(1, 1, 0)}
        return planar(bodies, {"rail": pin("ground.O", "block", "slot")},
                      {"k": spring("ground.O", "block", 100, 1), "push": force("block", "F", 0), **loads}, parameters={"F": F, "L": limit}, stops=stops)

    def forces(self, done, *stops):
        s = done.series
        total = sum(s[f"{n}.force"] for n in stops)
        self.near(total, -np.maximum(s["F"] - 20, 0), 1e-7, "walls")
        self.near(s["block.x"], 1 + np.minimum(s["F"], 20) / 100, 1e-10, "x")
        # ∫F dx up to the wall is in the spring, less F x of the force itself, which counts from the origin
        x = s["block.x"]
        self.near(s["equilibrium.energy"], 50 * (x - 1)**2 - s["F"] * x, 1e-7, "energy")

    def test_lands_and_lets_go(self):
        wall = {"wall": {"coordinate": "rail.x", "max": "1.2 m"}}
        for spec, kind in (("F=0..50 N", "land"), ("F=50..0 N", "release"), ("F=20.5..0 N", "release")):
            with self.subTest(spec):
                done = self.follow(self.model(wall), spec)
                event, = self.kinds(done, kind)
                self.one(event, kind, 20, "wall")
                self.assertEqual((event["before"], event["after"]), ("stable", "stable"))
                self.forces(done, "wall")
                free = done.series["F"] < 20
                self.assertTrue(np.all(np.abs(done.series["equilibrium.curvature"][free] - 100) < 1e-6), "k/m where it is free")
        done = self.follow(self.model(wall), "F=0..50 N")
        self.assertEqual(done.result["equilibrium"]["pressed"], [])
        self.assertEqual(done.result["follow"]["last"]["pressed"], ["wall"])

    def test_never_met(self):
        done = self.follow(self.model({"wall": {"coordinate": "rail.x", "max": "1.2 m"}}), "F=0..19.9 N")
        self.kinds(done)
        self.forces(done, "wall")

    def test_two_walls_at_one_place(self):
        """which of them carries what is not determined: together they carry the force"""
        walls = {n: {"coordinate": "rail.x", "max": "1.2 m"} for n in ("one", "two")}
        for seed in range(3):
            for spec, kind in (("F=0..50 N", "land"), ("F=50..0 N", "release")):
                with self.subTest(spec, seed=seed):
                    done = self.follow(shuffled(self.model(walls), seed), spec)
                    event, = self.kinds(done, kind)
                    self.one(event, kind, 20, "one", "two")
                    self.forces(done, "one", "two")
                    self.assertEqual(done.marks["one.force"], "not unique")

    def test_touches_at_the_start(self):
        """the wall just touches: pressed from the first place on, or left at once"""
        wall = {"wall": {"coordinate": "rail.x", "max": "1 m"}}
        for sign in (1, -1):
            done = self.follow(self.model(wall), f"F=0..{50 * sign} N")
            self.kinds(done)
            F = done.series["F"]
            self.near(done.series["wall.force"], -np.maximum(F, 0), 1e-7, "wall")
            self.near(done.series["block.x"], 1 + np.minimum(F, 0) / 100, 1e-10, "x")

    def test_a_wall_that_comes(self):
        """its place is the parameter: F = 20 N, the wall from 1.5 m to 1.05 m"""
        done = self.follow(self.model({"wall": {"coordinate": "rail.x", "max": "L"}}, F="20 N", limit="1.5 m"), "L=1.5..1.05 m")
        event, = self.kinds(done, "land")
        self.one(event, "land", 1.2, "wall")
        L = done.series["L"]
        self.near(done.series["wall.force"], -np.where(L < 1.2, 100 * (1.2 - L), 0), 1e-7, "wall")

    def test_named_with_a_constant(self):
        """stroke = distance - L may not exceed 0.2 m: the same wall, at L + 0.2 m; messages and forces are of the stroke"""
        model = self.model({"wall": {"coordinate": "stroke", "max": "200 mm"}}, limit="1 m")
        model["coordinates"] = {"stroke": "distance(ground.O, block) - L"}
        done = self.follow(model, "F=0..50 N")
        self.one(self.kinds(done, "land")[0], "land", 20, "wall")
        self.forces(done, "wall")
        model["parameters"]["F"] = "20 N"
        done = self.follow(model, "L=1.2..0.5 m")
        self.one(self.kinds(done, "land")[0], "land", 1, "wall")
        self.near(done.series["wall.force"], -np.maximum(100 * (1 - done.series["L"]), 0), 1e-7, "wall")

        model["parameters"]["F"] = "30 N"                    # in motion: off to the wall and back, again and again
        model["motion"] = {"from": "0 s", "to": "2 s", "step": "0.05 s"}
        model["stops"]["wall"]["restitution"] = 0.5
        plain = json.loads(json.dumps(model))
        plain["stops"]["wall"] |= {"coordinate": "rail.x", "max": "1.2 m"}
        one, other = self.ok(model, "simulate"), self.ok(plain, "simulate")
        self.near(one.series["block.x"], other.series["block.x"], 1e-8, "motion")
        self.assertGreater(len(one.result["integration"]["events"]), 1)
        self.assertEqual(len(one.result["integration"]["events"]), len(other.result["integration"]["events"]))

        model["stops"]["wall"]["max"] = "-200 mm"
        done = cli.run_model(model, "simulate")
        self.assertEqual(done.code, 2)
        self.assertIn("stroke is 0, beyond max -0.2", done.err)

        del model["motion"]
        model["coordinates"]["stroke"] = "2*distance(ground.O, block) - 2*L"       # twice the stroke, half of the force
        model["stops"]["wall"]["max"] = "0.4"
        model["parameters"]["F"] = "20 N"
        done = self.follow(model, "L=1.2..0.5 m")
        self.near(done.series["wall.force"], -np.maximum(100 * (1 - done.series["L"]), 0) / 2, 1e-7, "wall")

    def test_conditions_hold_as_at_the_start(self):
        wall = {"wall": {"coordinate": "rail.x", "max": "1.2 m"}}
        late = force("block", -5, 0, active="t > 5")
        done = self.follow(self.model(wall, late=late), "F=0..50 N")
        self.forces(done, "wall")
        # F = 100 (x - 1) = 10 N where the other force would set in
        soon = force("block", -5, 0, active="x(block) > 1.1")
        done = self.follow(self.model(wall, soon=soon), "F=0..50 N", code=1, ended="as far as")
        self.assertIn("condition (active:) of 'soon'", done.err)
        self.near(done.result["follow"]["reached"], 10, 1e-4, "reached")
        self.assertLessEqual(done.result["follow"]["reached"], 10)

    def test_a_wall_that_is_switched_off(self):
        done = self.follow(self.model({"wall": {"coordinate": "rail.x", "max": "1.2 m", "active": "t > 5"}}), "F=0..50 N")
        self.kinds(done)
        self.near(done.series["block.x"], 1 + done.series["F"] / 100, 1e-10, "x")

    def test_what_is_driven_jams(self):
        model = planar({"ground": {"markers": {"O": [0, 0]}}, "block": {"mass": 1, "inertia": 1, "pose": {"at": [1, 0]}}},
                       {"rail": pin("ground.O", "block", "prismatic")}, parameters={"s": "1 m"}, drives={"jack": {"coordinate": "rail.distance", "motion": "s"}},
                       stops={"wall": {"coordinate": "rail.distance", "max": "1.2 m"}})
        done = self.follow(model, "s=1..1.5 m", code=1, ended="as far as")
        self.assertIn("meets 'wall'", done.err)
        self.near(done.result["follow"]["reached"], 1.2, 1e-8, "reached")


class Lever(Paths):
    """A lever of length L on a torsion spring c, a force F across the axis x at its end: c phi = F L cos phi, a stop at phi0: F0 = c phi0 / (L cos phi0), and behind it the stop holds F L cos phi0 - c phi0."""
    c, L, limit = 30.0, 0.7, 0.4

    def model(self, space):
        markers = {"tip": [self.L, 0] if space == "planar" else [self.L, 0, 0]}
        body = {"mass": 2, "inertia": 0.1 if space == "planar" else [0.1, 0.1, 0.1], "markers": markers, "pose": {"at": [0, 0] if space == "planar" else [0, 0, 0]}}
        value = [0, "F"] if space == "planar" else [0, "F", 0]
        return (planar if space == "planar" else spatial)({"lever": body}, {"pivot": pin("ground", "lever")}, {"coil": coil("pivot", self.c), "push": force("lever.tip", *value)},
                                                          parameters={"F": "0 N"}, stops={"rest": {"coordinate": "pivot.angle", "max": self.limit}})

    def test_plane_and_space(self):
        at = self.c * self.limit / (self.L * math.cos(self.limit))
        for space in ("planar", "spatial"):
            for spec, kind in (("F=0..40 N", "land"), ("F=40..-10 N", "release")):
                with self.subTest(space, spec=spec):
                    done = self.follow(self.model(space), spec)
                    event, = self.kinds(done, kind)
                    self.one(event, kind, at, "rest")
                    s = done.series
                    phi, F = s["pivot.angle"], s["F"]
                    rest = np.where(F > at, F * self.L * math.cos(self.limit) - self.c * self.limit, 0)
                    self.near(s["rest.force"], -rest, 1e-7, "stop")
                    self.near(F * self.L * np.cos(phi) - self.c * phi - rest, 0 * F, 1e-7, "moments")


class Rope(Paths):
    """A block on a rail below a hook at height h, F against a spring k; a rope of length l gets taut at x0 = sqrt(l^2 - h^2). From there on its pull T has T x0/l = F - k x0."""
    k, h, l = 200.0, 0.3, 0.5

    def model(self, space):
        x0 = [0, self.h] if space == "planar" else [0, self.h, 0]
        bodies = {"ground": {"markers": {"O": [0] * len(x0), "hook": x0, "far": [-1] + [0] * (len(x0) - 1)}}, "block": particle(1, *([0.1] + [0] * (len(x0) - 1)))}
        joints = {"rope": {"type": "link" if space == "planar" else "distance", "between": ["ground.hook", "block"], "length": self.l, "unilateral": True}}
        if space == "planar":
            joints["rail"] = pin("ground.O", "block", "slot")
        else:
            joints |= {"y": {"type": "y", "between": ["ground.O", "block"]}, "z": {"type": "z", "between": ["ground.O", "block"]}}
        return (planar if space == "planar" else spatial)(bodies, joints, {"k": spring("ground.far", "block", self.k, 1), "push": force("block", *(["F"] + [0] * (len(x0) - 1)))}, parameters={"F": "0 N"})

    def test_taut(self):
        x0 = math.sqrt(self.l**2 - self.h**2)
        at = self.k * x0
        for space in ("planar", "spatial"):
            for seed, (spec, kind) in enumerate((("F=0..150 N", "land"), ("F=150..0 N", "release"))):
                with self.subTest(space, spec=spec):
                    done = self.follow(shuffled(self.model(space), seed), spec)
                    event, = self.kinds(done, kind)
                    self.one(event, kind, at, "rope")
                    s = done.series
                    self.near(s["rope.F"], np.maximum(s["F"] - at, 0) * self.l / x0, 1e-7, "pull")
                    self.near(s["block.x"], np.minimum(s["F"] / self.k, x0), 1e-10, "x")


class TwoBlocks(Paths):
    """Ground - k1 - block 1 - k2 - block 2 <- F in a row, stops for both displacements x1 <= d1, x2 <= d2.  k1 x1 = k2 (x2 - x1) = F while both are free.
    Stop 1 is met at F = k1 d1; from there F = k2 (x2 - d1), and stop 2 at F = k2 (d2 - d1). Stop 1 carries k2 (x2 - d1) - k1 d1, stop 2 F - k2 (d2 - d1)."""
    k1, k2, d1 = 300.0, 200.0, 0.1

    def model(self, d2):
        bodies = {"ground": {"markers": {"O": [0, 0]}}, "one": particle(1, 1, 0), "two": particle(1, 2, 0)}
        return planar(bodies, {"a": pin("ground.O", "one", "slot"), "b": pin("ground.O", "two", "slot")},
                      {"k1": spring("ground.O", "one", self.k1, 1), "k2": spring("one", "two", self.k2, 1), "push": force("two", "F", 0)}, parameters={"F": "0 N"},
                      stops={"first": {"coordinate": "a.x", "max": 1 + self.d1}, "second": {"coordinate": "b.x", "max": 2 + d2}})

    def forces(self, done, d2):
        s = done.series
        F = s["F"]
        x1 = np.minimum(F / self.k1, self.d1)
        x2 = np.minimum(x1 + F / self.k2, d2)
        self.near(s["one.x"], 1 + x1, 1e-10, "x1")
        self.near(s["two.x"], 2 + x2, 1e-10, "x2")
        self.near(s["first.force"], -(self.k2 * (x2 - x1) - self.k1 * x1), 1e-7, "first")
        self.near(s["second.force"], -(F - self.k2 * (x2 - x1)), 1e-7, "second")

    def test_one_after_the_other(self):
        d2 = 0.4
        F1, F2 = self.k1 * self.d1, self.k2 * (d2 - self.d1)
        for seed in range(4):
            done = self.follow(shuffled(self.model(d2), seed), "F=0..100 N")
            one, two = self.kinds(done, "land", "land")
            self.one(one, "land", F1, "first")
            self.one(two, "land", F2, "second")
            self.forces(done, d2)
            done = self.follow(shuffled(self.model(d2), seed), "F=100..0 N")
            two, one = self.kinds(done, "release", "release")
            self.one(two, "release", F2, "second")
            self.one(one, "release", F1, "first")
            self.forces(done, d2)

    def test_both_at_once(self):
        d2 = self.d1 + self.k1 * self.d1 / self.k2           # F1 = F2
        for seed in range(4):
            for spec, kind in (("F=0..100 N", "land"), ("F=100..0 N", "release")):
                with self.subTest(spec, seed=seed):
                    done = self.follow(shuffled(self.model(d2), seed), spec)
                    events = done.result["follow"]["events"]
                    self.assertEqual({e["kind"] for e in events}, {kind})
                    self.assertEqual(sorted(n for e in events for n in e["supports"]), ["first", "second"])
                    for e in events:                          # to rounding they may be two
                        self.at(e, self.k1 * self.d1, 1e-7)
                    self.forces(done, d2)


class Rows(Paths):
    """Blocks in a row, each tied to its neighbours and to ground by springs, pushed by random parts of F, each with a stop or two: the displacements x minimise x'K x/2 - F w'x between the stops, a convex problem
    with one solution. It is solved here by Gauss and Seidel with projection. Several stops are met and left on the way."""

    @staticmethod
    def solve(K, f, low, high):
        x = np.clip(np.zeros(len(f)), low, high)
        for _ in range(3000):
            before = x.copy()
            for i in range(len(f)):
                x[i] = min(max(x[i] + (f[i] - K[i] @ x) / K[i, i], low[i]), high[i])
            if np.abs(x - before).max() < 1e-15:
                break
        return x

    @cli.long
    def test_random(self):
        seen = []
        for seed in range(20):
            rng = np.random.default_rng(seed)
            n, space = int(rng.integers(2, 6)), ("planar", "spatial")[seed % 2]
            zeros = [0] * (1 if space == "planar" else 2)
            k, c, w = rng.uniform(50, 300, n), rng.uniform(50, 300, n), rng.uniform(-1, 1, n)
            K = np.zeros((n, n))
            bodies, joints, loads, stops = {"ground": {"markers": {}}}, {}, {}, {}
            low, high = np.full(n, -np.inf), np.full(n, np.inf)
            for i in range(n):
                K[i, i] += k[i]
                bodies["ground"]["markers"][f"g{i}"] = [2 * i - 10.0] + zeros
                bodies[f"b{i}"] = particle(1, 2 * i, *zeros)
                for axis in "yz"[:len(zeros)]:
                    joints[f"{axis}{i}"] = {"type": axis, "between": ["ground", f"b{i}"]}
                loads[f"k{i}"] = spring(f"ground.g{i}", f"b{i}", float(k[i]), 10)
                loads[f"f{i}"] = force(f"b{i}", f"{float(w[i])!r}*F", *zeros)
                if i:
                    K[i, i] += c[i]
                    K[i - 1, i - 1] += c[i]
                    K[i, i - 1] -= c[i]
                    K[i - 1, i] -= c[i]
                    loads[f"c{i}"] = spring(f"b{i - 1}", f"b{i}", float(c[i]), 2)
                limits = {}
                if rng.random() < 0.8:
                    high[i] = rng.uniform(0.01, 0.3)
                    limits["max"] = float(2 * i + high[i])
                if rng.random() < 0.8 or not limits:
                    low[i] = -rng.uniform(0.01, 0.3)
                    limits["min"] = float(2 * i + low[i])
                stops[f"s{i}"] = {"coordinate": f"x(b{i})", **limits}
            model = (planar if space == "planar" else spatial)(bodies, joints, loads, parameters={"F": "0 N"}, stops=stops)
            with self.subTest(seed=seed, n=n, space=space):
                done = self.follow(shuffled(model, seed), "F=-150..200 N")
                s = done.series
                seen += [e["kind"] for e in done.result["follow"]["events"]]
                for row in range(len(s["F"])):
                    x = self.solve(K, s["F"][row] * w, low, high)
                    self.near([s[f"b{i}.x"][row] - 2 * i for i in range(n)], x, 1e-8, f"places at F = {s['F'][row]}")
                    self.near([s[f"s{i}.force"][row] for i in range(n)], K @ x - s["F"][row] * w, 1e-5, f"forces at F = {s['F'][row]}")
        self.assertGreater(seen.count("land"), 20)
        self.assertGreater(seen.count("release"), 20)


class Props(Paths):
    """A beam of 30 N on props at x = -1, 0 and 1, a load P = 20 N at x = s, a spring that ties its left end. It tips about the right prop where the weights' moments balance: 30 (1) = P (s - 1), s = 1 + 30/P.
    Until then the two forces of three are not determined, but their sum 50 N and their moment are."""

    def test_three_props(self):
        bodies = {"ground": {"markers": {"A": [-1, -2]}}, "beam": {"mass": 3, "inertia": 1, "markers": {"A": [-1, 0], "B": [1, 0], "C": [0, 0], "L": ["s", 0]}}}
        stops = {n.lower(): {"coordinate": f"y(beam.{n})", "min": 0} for n in "ABC"}
        model = planar(bodies, {"side": {"type": "x", "between": ["ground", "beam"]}}, {"load": force("beam.L", 0, -20), "tie": spring("ground.A", "beam.A", 50, 2)}, [0, -10],
                       parameters={"s": 0}, stops=stops)
        for seed in range(3):
            done = self.follow(shuffled(model, seed), "s=0..3")
            event, = self.kinds(done, "release")
            self.one(event, "release", 2.5, "a", "c")
            s = done.series
            flat = s["s"] < 2.5
            a, b, c = (s[f"{n}.force"] for n in "abc")
            self.near((a + b + c)[flat], 50 + 0 * a[flat], 1e-7, "sum")
            self.near((b - a)[flat], 20 * s["s"][flat], 1e-7, "moment")
            for n in (a, b, c):
                self.assertTrue(np.all(n >= -1e-7), "props push")
            self.assertTrue(np.all(s["beam.angle"][s["s"] > 2.5 + 1e-6] < 0), "it tips")


class Truss(Paths):
    """von Mises' truss of follow_test.py with a floor: P(y) = -2 k (1 - L0/l) y while it is free, and on the floor at y0 it carries P - P(y0)."""
    k, h = follow_test.Truss.k, follow_test.Truss.h
    L0, y, P = follow_test.Truss.L0, follow_test.Truss.y, follow_test.Truss.P
    load = follow_test.Truss.load

    def model(self, floor, **more):
        model = follow_test.Truss().model(**more)
        model["stops"] = {"floor": {"coordinate": "y(top)", "min": floor}}
        return model

    def forces(self, done, floor):
        s = done.series
        y = s["top.y"]
        self.assertGreaterEqual(y.min(), floor - 1e-9)
        self.near(s["floor.force"], np.where(y > floor + 1e-9, 0, s["P"] - self.load(y)), 1e-7, "floor")
        free = y > floor + 1e-9
        self.near(s["P"][free], self.load(y)[free], 1e-7, "P(y)")
        rests = np.intersect1d(np.flatnonzero(~free), self.quiet(done))    # the row of an event is judged without what only touches
        self.assertGreater(len(rests), 3)
        self.assertTrue(np.all(s["equilibrium.unstable"][rests] == 0), "nothing moves on the floor")

    def test_floor_below_the_second_fold(self):
        """from the top through both folds, then down on the floor: the snap of the first fold lands on it"""
        floor = -0.3
        done = self.follow(self.model(floor), "P=0..80 N")
        first, second, land = self.kinds(done, "snap-through", "snap-through", "land")
        self.at(first, self.P)
        self.near(first["lands"]["bodies"]["top"]["at"], [0, floor], TOL, "it jumps to the floor")
        self.assertEqual(first["lands"]["pressed"], ["floor"])
        self.at(second, -self.P)
        self.one(land, "land", self.load(floor), "floor")
        self.assertEqual((land["before"], land["after"]), ("stable", "stable"))
        self.assertNotIn("turns_at", land)
        self.forces(done, floor)

    def test_the_floor_ends_the_unstable_part(self):
        """at y0 between the folds the unstable part meets the floor: the parameter turns there, as at a fold, and when P falls the top jumps up to the stable place of that load"""
        floor = 0.1
        done = self.follow(self.model(floor), "P=0..80 N")
        snap, land = self.kinds(done, "snap-through", "land")
        self.near(snap["lands"]["bodies"]["top"]["at"], [0, floor], TOL, "the floor catches it")
        self.one(land, "land", self.load(floor), "floor")
        self.assertEqual((land["before"], land["after"], land["turns_at"]), ("unstable", "stable", "least"))
        up = follow_test.newton(lambda v: np.array([self.load(v[0]) - self.load(floor)]), [0.5])[0]
        self.assertGreater(up, self.y)
        self.near(land["lands"]["bodies"]["top"]["at"], [0, up], 1e-5, "it jumps up")   # reached from 1e-6 of the range beyond: 2e-6 * 80 N over 1 kN/m of stiffness
        self.forces(done, floor)

    def test_back_from_the_floor(self):
        floor = 0.1
        done = self.follow(self.model(floor, start=0.2, load="80 N"), "P=80..-80 N")
        leave, snap = self.kinds(done, "release", "snap-through")
        self.one(leave, "release", self.load(floor), "floor")
        self.assertEqual((leave["before"], leave["after"]), ("stable", "unstable"))
        self.assertIsNotNone(leave["lands"])
        self.at(snap, self.P)
        self.assertEqual((snap["before"], snap["after"]), ("unstable", "stable"))
        self.forces(done, floor)


if __name__ == "__main__":
    cli.main()
