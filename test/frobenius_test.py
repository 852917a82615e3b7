#!/usr/bin/python3
"""check's test of Frobenius: differentials times a factor are integrable, alone and together; knife edges and rolling wheels are not, unless what else is held makes them so.

Each family is built so that the answer is known from theory: f dg is integrable (its surfaces are g = const); a row that is integrable modulo others (h1 = f1 dg1 + k dg2 beside h2 = f2 dg2) is integrable
with them alone; dz - y dx and knife edges are nonholonomic; a wheel on a body that one freedom is left to is integrable, as any direction field is."""
import os
import random
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "py"))
import cli              # noqa: E402

ROUNDS = int(os.environ.get("ROBERVAL_ROUNDS", "6"))
COORDINATES = ("x(a)", "y(a)", "angle(a)", "x(b)", "y(b)", "angle(b)")


class Frobenius(cli.Case):
    def ask(self, model):
        done, doc = cli.check(model)
        self.assertEqual(done.code, 0, done.said())
        return doc["rows_on_rates"]

    def free_bodies(self, rng, rows):
        put = lambda: {"mass": 1, "inertia": 1, "pose": {"at": [rng.uniform(-1, 1), rng.uniform(-1, 1)], "angle": rng.uniform(-2, 2)}}  # noqa: E731
        items = list(rows.items())
        rng.shuffle(items)
        return {"roberval": 1, "space": "planar", "bodies": {"a": put(), "b": put()}, "constraints": {n: {"velocity": v} for n, v in items}}

    def differential(self, rng, coordinates):
        """d of  c0 s0 s1 + c1 sin(s1) + c2 s2^2  in three of the coordinates, and a factor that never vanishes"""
        s = rng.sample(coordinates, 3)
        c = [rng.choice([-1, 1]) * rng.uniform(0.5, 2) for _ in range(3)]
        dg = f"({c[0]!r}*({s[0]}*{s[1]}' + {s[1]}*{s[0]}') + {c[1]!r}*cos({s[1]})*{s[1]}' + 2*{c[2]!r}*{s[2]}*{s[2]}')"
        f = f"(1.5 + {rng.uniform(0.2, 1)!r}*sin({rng.choice(coordinates)}) + {rng.uniform(0.1, 1)!r}*{rng.choice(coordinates)}^2)"
        return dg, f

    def test_differentials_with_a_factor_are_integrable(self):
        for seed in range(ROUNDS):
            rng = random.Random(f"one {seed}")
            dg, f = self.differential(rng, COORDINATES)
            found = self.ask(self.free_bodies(rng, {"c": f"{f}*{dg}"}))
            self.assertEqual((found["integrable"], found["independent"], found["nonholonomic_at_least"]), (True, 1, 0), seed)

    def test_a_row_may_be_integrable_with_another_alone(self):
        for seed in range(ROUNDS):
            rng = random.Random(f"two {seed}")
            (dg1, f1), (dg2, f2) = self.differential(rng, COORDINATES), self.differential(rng, COORDINATES)
            k = f"(1 + {rng.choice(COORDINATES)}*{rng.choice(COORDINATES)})"
            both = {"h1": f"{f1}*{dg1} + {k}*{dg2}", "h2": f"{f2}*{dg2}"}
            self.assertEqual(self.ask(self.free_bodies(rng, both))["integrable"], True, seed)
            self.assertEqual(self.ask(self.free_bodies(rng, {"h1": both["h1"]}))["integrable"], False, seed)

    def test_contact_forms_are_not(self):
        """dz - y dx in random coordinates, times a factor"""
        for seed in range(ROUNDS):
            rng = random.Random(f"contact {seed}")
            z, y, x = rng.sample(COORDINATES, 3)
            found = self.ask(self.free_bodies(rng, {"c": f"(2 + cos({rng.choice(COORDINATES)}))*({z}' - {rng.uniform(0.5, 2)!r}*{y}*{x}')"}))
            self.assertEqual((found["integrable"], found["nonholonomic_at_least"]), (False, 1), seed)

    def test_knife_edges_and_what_makes_them_integrable(self):
        for seed in range(ROUNDS):
            rng = random.Random(f"knife {seed}")
            angle, off = rng.uniform(-3, 3), [rng.uniform(-1, 1), rng.uniform(-1, 1)]
            body = {"mass": 1, "inertia": 1, "pose": {"at": off, "angle": angle}, "markers": {"K": {"at": [rng.uniform(0.2, 1), rng.uniform(-1, 1)], "angle": rng.uniform(-3, 3)}}}
            model = {"roberval": 1, "space": "planar", "bodies": {"a": body}, "joints": {"K": {"type": "knife-edge", "between": ["ground", "a.K"]}}}
            self.assertEqual(self.ask(model)["nonholonomic_at_least"], 1)
            for extra in ({"type": "angle", "between": ["ground", "a"], "value": angle}, {"type": "link", "between": ["ground", "a"]}):
                # without turning the edge is a slot; with two freedoms left and one row on rates the motion is a direction field
                held = {**model, "joints": {**model["joints"], "hold": extra}}
                self.assertEqual(self.ask(held)["integrable"], True, (seed, extra))

    def test_two_edges_of_one_body_and_of_two(self):
        for seed in range(ROUNDS):
            rng = random.Random(f"edges {seed}")
            put = lambda: {"mass": 1, "inertia": 1, "pose": {"at": [rng.uniform(-1, 1), rng.uniform(-1, 1)], "angle": rng.uniform(-2, 2)}}  # noqa: E731
            model = {"roberval": 1, "space": "planar", "bodies": {"a": put(), "b": put()},
                     "joints": {k: {"type": "knife-edge", "between": ["ground", k]} for k in "ab"}}
            model["joints"] = {f"K{k}": v for k, v in model["joints"].items()}
            self.assertEqual((self.ask(model)["independent"], self.ask(model)["nonholonomic_at_least"]), (2, 2))

    def test_rolling_in_space(self):
        for seed in range(ROUNDS):
            rng = random.Random(f"roll {seed}")
            r = rng.uniform(0.1, 0.6)
            body = {"mass": 1, "inertia": [1, 1, 1.5], "pose": {"at": [rng.uniform(-1, 1), rng.uniform(-1, 1), r], "rotate": {"axis": [1, rng.uniform(-0.3, 0.3), 0], "angle": rng.uniform(0.8, 1.5)}}}
            for kind in ("ball", "wheel"):
                model = {"roberval": 1, "space": "spatial", "bodies": {"a": body}, "joints": {"K": {"type": kind, "between": ["ground", "a"], "radius": r}}}
                found = self.ask(model)
                self.assertEqual((found["integrable"], found["independent"]), (False, 2), (seed, kind))
                self.assertEqual(found["nonholonomic_at_least"], 2 if kind == "ball" else 1, (seed, kind))
            # held to a straight way, with its axis held: two freedoms less the roll, x - r phi = const
            straight = {**model, "bodies": {"a": {**body, "pose": {"at": [0, 0, r], "rotate": {"axis": [1, 0, 0], "angle": 1.5707963267948966}}}}}
            straight["joints"] = {"K": straight["joints"]["K"], "axis": {"type": "parallel", "between": ["ground.Y", "a"]}}
            straight["bodies"]["ground"] = {"markers": {"Y": {"at": [0, 0, 0], "axis": [0, -1, 0]}}}
            self.assertEqual(self.ask(straight)["integrable"], True, seed)

    def test_what_is_left_out(self):
        rng = random.Random(5)
        one = self.ask(self.free_bodies(rng, {"c": "x(a)' - 0.3"}))
        self.assertEqual((one["integrable"], one["left_out"], bool(one["untested"])), (None, 1, True))
        two = self.ask(self.free_bodies(rng, {"c": "x(a)' - 0.3", "d": "y(b)' - x(b)*angle(b)'"}))
        self.assertEqual((two["integrable"], two["left_out"], two["rows"]), (False, 1, 2))
        three = self.ask(self.free_bodies(rng, {"c": "x(a)'^2 + y(a)'^2 - 1"}))
        self.assertEqual(three["integrable"], None)


if __name__ == "__main__":
    cli.main()
