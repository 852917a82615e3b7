#!/usr/bin/env python3
# ctest: natural joint
"""Statics with stops, one-sided joints and conditions: closed forms, the conditions of complementarity by numpy, and where the damped motion ends."""
import math
import os
import random
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "py"))
import numpy as np      # noqa: E402
import cli              # noqa: E402

ROUNDS = int(os.environ.get("ROBERVAL_ROUNDS", "12" if cli.MORE else "5"))
HEAD = "roberval: 1\nspace: planar\ngravity: [0, -10]\n"
ROD = HEAD + """
bodies: {r: {mass: 2, inertia: 0.05, centroid: [0.5, 0]}}
joints: {h: {type: revolute, between: [ground, r]}}
stops: {s: {coordinate: h.angle, min: -0.4}}
"""
BEAM = HEAD + """
parameters: {F: 0}
bodies: {beam: {mass: 3, inertia: 1, markers: {A: [-1, 0], B: [1, 0], C: [0, 0]}, pose: {at: [0, 0.3]}}}
joints: {side: {type: x, between: [ground, beam]}}
stops: {a: {coordinate: y(beam.A), min: 0}, b: {coordinate: y(beam.B), min: 0}}
loads: {up: {type: force, to: beam.B, value: [0, "F"]}}
"""
# forces are balanced to 1e-9 of the loads at least, places to what that moves
FORCE, PLACE = 1e-8, 1e-8


class ClosedForms(cli.Case):
    def statics(self, text, *flags):
        return self.ok(text, "statics", *flags)

    def value(self, done, name, want, tol=FORCE):
        self.near(done.series[name][:1], [want], tol, name)

    def test_a_rod_leans_on_a_stop(self):
        done = self.statics(ROD)
        self.value(done, "s.force", 2 * 10 * 0.5 * math.cos(0.4))
        self.value(done, "r.angle", -0.4, PLACE)
        self.value(done, "h.Fy", 20)
        self.assertEqual(done.result["equilibrium"]["stability"], "stable")
        self.assertEqual(done.marks["s.force"], "unique")
        self.assertEqual(done.result["stops"]["s"]["verdict"], "unique")
        off = self.statics(ROD.replace("min: -0.4", "min: -2"))     # it hangs before the stop
        self.value(off, "s.force", 0)
        self.value(off, "r.angle", -math.pi / 2, PLACE)
        self.near(off.result["equilibrium"]["curvature"], 2 * 10 * 0.5 / (0.05 + 2 * 0.25), 1e-6)

    def test_a_stop_that_is_passed_at_the_start(self):
        done = self.statics(ROD.replace("centroid: [0.5, 0]", "centroid: [0.5, 0], pose: {angle: -80 deg}"))
        self.value(done, "r.angle", -0.4, PLACE)

    def test_a_beam_lifts_off_one_of_its_stops(self):
        for F in (0, 6, 14):
            done = self.statics(BEAM, "--set", f"F={F}")
            self.value(done, "a.force", 15)
            self.value(done, "b.force", 15 - F)
            self.value(done, "beam.angle", 0, PLACE)
        for F in (16, 25):                                          # V = (30 - 2 F) sin(angle)
            done = self.statics(BEAM, "--set", f"F={F}")
            self.value(done, "a.force", 30 - F)
            self.value(done, "b.force", 0)
            self.value(done, "beam.angle", math.pi / 2, PLACE)
            self.assertEqual(done.result["equilibrium"]["stability"], "stable")
        done = self.statics(BEAM, "--set", "F=15")                  # V does not change with the angle
        self.value(done, "a.force", 15)
        self.value(done, "b.force", 0)
        self.assertEqual(done.result["equilibrium"]["stability"], "neutral")

    def test_more_stops_than_are_needed(self):
        third = "stops: {c: {coordinate: y(beam.C), min: 0}, "
        done = self.statics(BEAM.replace("stops: {", third))
        for name in "abc":                                          # least norm: the same on each
            self.value(done, f"{name}.force", 10)
            self.assertEqual(done.marks[f"{name}.force"], "not unique")
        done = self.statics(BEAM.replace("stops: {", third), "--set", "F=-100")
        # (a, c, b) = (-20/3, 130/3, 280/3) + s (1, -2, 1): of those that push all, the least norm has a = 0
        for name, want in (("a", 0), ("b", 100), ("c", 30)):
            self.value(done, f"{name}.force", want)
            self.assertEqual(done.marks[f"{name}.force"], "not unique")

    def test_ropes(self):
        rope = HEAD + """
bodies: {ground: {markers: {O: [0, 0], P: [1, 0]}}, m: {mass: 3, particle: true, pose: {at: [0.3, -0.2]}}}
joints: {p: {type: link, between: [ground.O, m], length: 1, unilateral: true}, q: {type: link, between: [ground.P, m], length: LENGTH, unilateral: true}}
"""
        done = self.statics(rope.replace("LENGTH", "2"))            # below O, off P by sqrt 2 < 2
        self.value(done, "p.F", 30)
        self.value(done, "q.F", 0)
        self.value(done, "m.y", -1, PLACE)
        self.near(done.result["equilibrium"]["curvature"], 10, 1e-6)
        done = self.statics(rope.replace("LENGTH", "1"))
        self.value(done, "p.F", 30 / math.sqrt(3))
        self.value(done, "q.F", 30 / math.sqrt(3))
        self.value(done, "m.x", 0.5, PLACE)

    def test_a_ball_comes_down_on_the_ground(self):
        done = self.statics("""roberval: 1
space: spatial
gravity: [0, 0, -10]
bodies: {ball: {mass: 3, inertia: [0.1, 0.1, 0.1], pose: {at: [0, 0, 0.5]}}}
joints: {roll: {type: ball, between: [ground, ball], radius: 0.2, unilateral: true}, x: {type: x, between: [ground, ball]}, y: {type: y, between: [ground, ball]}}
""")
        self.value(done, "ball.z", 0.2, PLACE)
        self.value(done, "roll.F", 30)

    def test_what_only_touches(self):
        well = HEAD.replace("-10", "0") + """
bodies: {p: {mass: 2, particle: true, pose: {at: [START, 0]}}}
joints: {rail: {type: y, between: [ground, p]}}
stops: {s: {coordinate: x(p), min: 0}}
loads: {v: {type: energy, value: "VALUE"}}
"""
        done = self.statics(well.replace("VALUE", "8*x(p)^2").replace("START", "0.3"))          # rests where the stop is
        self.value(done, "s.force", 0)
        self.value(done, "p.x", 0, PLACE)
        self.assertEqual(done.result["equilibrium"]["stability"], "stable")
        self.near(done.result["equilibrium"]["curvature"], 8, 1e-6)
        done = self.statics(well.replace("VALUE", "-8*x(p)^2 + 2*x(p)^4").replace("START", "0"))     # V falls away from the stop
        self.value(done, "p.x", math.sqrt(2), PLACE)
        self.assertEqual(done.result["equilibrium"]["stability"], "stable")

    def test_conditions_are_those_at_the_start(self):
        text = ROD.replace("min: -0.4}", 'min: -0.4, active: "t > 1"}, low: {coordinate: h.angle, min: -1}') + """
loads: {twist: {type: torque, to: r, value: 3, active: "t > 2"}}
motion: {from: 0, to: 3, step: 1}
"""
        for start, angle, twist in (("0", -1, 0), ("1.5", -0.4, 0), ("2.5", -0.4, 3)):
            done = self.statics(text, "--from", start)
            self.value(done, "r.angle", angle, PLACE)
            self.value(done, "s.force" if angle == -0.4 else "low.force", 10 * math.cos(angle) - twist)
            self.value(done, "twist.torque", twist, 0)

    def test_a_joint_that_does_not_hold(self):
        text = HEAD + """
bodies: {m: {mass: 3, particle: true, pose: {at: [0, -1]}}}
joints: {rope: {type: link, between: [ground, m], length: 1, active: "t > 1"}, guide: {type: x, between: [ground, m]}}
loads: {s: {type: spring, between: [ground, m], stiffness: 20, free_length: 1}}
"""
        done = self.statics(text)
        self.value(done, "m.y", -2.5, PLACE)
        self.value(done, "rope.F", 0, 0)
        self.value(self.statics(text, "--from", "2"), "rope.F", 30)

    def test_what_holds_where_it_stands(self):
        text = ROD.replace("min: -0.4", "min: -2") + """
initial: {h.angle: 0.3}
constraints: {latch: {equation: h.angle, value: here, active: "t < 1"}}
motion: {from: 0, to: 3, step: 1}
"""
        done = self.statics(text)
        self.value(done, "r.angle", 0.3, PLACE)
        self.value(done, "latch.effort", 10 * math.cos(0.3))
        self.value(self.statics(text, "--from", "1"), "r.angle", -math.pi / 2, PLACE)

    def test_what_has_no_equilibrium(self):
        done = cli.run_model(HEAD + """
bodies: {m: {mass: 3, particle: true, pose: {at: [0, 1]}}}
stops: {floor: {coordinate: y(m), min: 0}}
loads: {wind: {type: force, to: m, value: [1, 0]}}
""", "statics")
        self.assertEqual(done.code, 1)
        self.assertIn("no equilibrium found", done.err)
        done = cli.run_model(ROD + "drives: {d: {coordinate: h.angle, motion: \"-0.6\"}}\n", "statics")
        self.assertEqual(done.code, 1)
        self.assertIn("stops are passed at the start", done.err)

    def test_other_methods(self):
        for method in ("lagrange", "augmented", "virtual-power", "relaxation"):
            done = self.statics(ROD, "--method", method)
            self.value(done, "s.force", 10 * math.cos(0.4), 1e-6)
        done = cli.run_model(BEAM, "statics", "--method", "lagrange")     # nothing holds it before it is down
        self.assertEqual(done.code, 1)
        self.assertIn("--method energy", done.err)

    def test_simulate_starts_there(self):
        for text, force in ((ROD, "s.force"), (BEAM, "a.force")):
            rest, moves = self.statics(text), self.ok(text, "simulate", "--start", "statics", "--from", "0", "--to", "1", "--step", "0.25")
            self.near(moves.series[force], np.full(5, rest.series[force][0]), 1e-6, force)
            self.near(moves.series["energy"], np.full(5, moves.series["energy"][0]), 1e-9)

    def test_modes_about_what_leans(self):
        """A pendulum on a rod that leans on a stop: the rod holds, the pendulum swings; and a mass on a spring hung from a taut rope, beside a slack one."""
        text = ROD.replace("bodies: {r:", "bodies: {p: {mass: 1, inertia: 0.1, centroid: [0, -0.5], pose: {at: [1, 0]}}, r:").replace("joints: {", "joints: {k: {type: revolute, between: [r, p], at: [1, 0]}, ")
        done = self.ok(text, "modes", "--start", "statics", out=True)
        self.assertEqual([round(m["frequency"], 9) for m in done.result["modes"]], [round(math.sqrt(10 * 0.5 / (0.1 + 0.25)) / (2 * math.pi), 9)])
        self.assertIn("these hold where it rests: 's'", " ".join(done.result["notes"]))
        hung = HEAD + """
bodies: {ground: {markers: {P: [0.4, 0]}}, a: {mass: 1, particle: true, pose: {at: [0, -0.9]}}}
joints: {p: {type: link, between: [ground, a], length: 1, unilateral: true}, q: {type: link, between: [ground.P, a], length: 3, unilateral: true}}
"""
        done = self.ok(hung, "modes", "--start", "statics")
        self.near([m["frequency"] for m in done.result["modes"]], [math.sqrt(10) / (2 * math.pi)], 1e-7)


class Random(cli.Case):
    """Particles on zero-length springs, with stops and ropes: the energy is convex and so is what is allowed, so that there is one equilibrium."""

    def model(self, rng):
        n = rng.randint(2, 4)
        bodies, loads, stops, joints = {"ground": {"markers": {}}}, {}, {}, {}
        for k in range(n):
            bodies[f"p{k}"] = {"mass": rng.uniform(0.5, 3), "particle": True, "pose": {"at": [k + rng.uniform(-0.2, 0.2), rng.uniform(0.5, 1)]}}
            bodies["ground"]["markers"][f"A{k}"] = [k + rng.uniform(-1, 1), rng.uniform(0, 2)]
            loads[f"s{k}"] = {"type": "spring", "between": [f"ground.A{k}", f"p{k}"], "stiffness": rng.uniform(5, 30), "free_length": 0, "damping": 0}
            for axis in "xy":
                loads[f"d{k}{axis}"] = {"type": "spring", "between": [f"ground.A{k}", f"p{k}"], "stiffness": 0.0, "free_length": 0, "damping": 0}
                del loads[f"d{k}{axis}"]
            if rng.random() < 0.7:
                stops[f"floor{k}"] = {"coordinate": f"y(p{k})", "min": rng.uniform(-0.5, 0.5)}
            if rng.random() < 0.5:
                stops[f"wall{k}"] = {"coordinate": f"x(p{k})", "min": k - 0.3, "max": k + 0.3}
            if k > 0:
                loads[f"t{k}"] = {"type": "spring", "between": [f"p{k - 1}", f"p{k}"], "stiffness": rng.uniform(2, 20), "free_length": 0}
                if rng.random() < 0.7:
                    joints[f"rope{k}"] = {"type": "link", "between": [f"p{k - 1}", f"p{k}"], "length": rng.uniform(1.3, 1.8), "unilateral": True}
        return {"roberval": 1, "space": "planar", "gravity": [0, -10], "bodies": bodies, "joints": joints, "loads": loads, "stops": stops}, n

    def check_complementarity(self, model, n, done):
        x = np.array([[done.series[f"p{k}.x"][0], done.series[f"p{k}.y"][0]] for k in range(n)])
        left = np.array([[0.0, -10 * model["bodies"][f"p{k}"]["mass"]] for k in range(n)])
        place = lambda name: (x[int(name[1:])] if name[0] == "p" else np.array(model["bodies"]["ground"]["markers"][name[7:]]), int(name[1:]) if name[0] == "p" else None)
        pressed = 0
        for load in model["loads"].values():
            (a, i), (b, j) = map(place, load["between"])
            for body, force in ((i, load["stiffness"] * (b - a)), (j, load["stiffness"] * (a - b))):
                if body is not None:
                    left[body] += force
        for name, stop in model["stops"].items():
            k, axis = int(name[-1]), 0 if "wall" in name else 1
            force, at = done.series[f"{name}.force"][0], x[k][axis]
            left[k][axis] += force
            low, high = at - stop["min"], stop.get("max", np.inf) - at
            self.assertTrue(low > -PLACE and high > -PLACE, (name, low, high))
            self.assertTrue(abs(force) < 1e-7 or (force > 0 and low < PLACE) or (force < 0 and high < PLACE), (name, force, low, high))
            pressed += abs(force) > 1e-3
        for name, rope in model["joints"].items():
            (a, i), (b, j) = map(place, rope["between"])
            force, d = done.series[f"{name}.F"][0], b - a
            gap = rope["length"] - np.hypot(*d)
            self.assertTrue(gap > -PLACE and force > -1e-7 and (force < 1e-7 or gap < PLACE), (name, force, gap))
            left[i] += force * d / np.hypot(*d)
            left[j] -= force * d / np.hypot(*d)
            pressed += force > 1e-3
        self.near(left, np.zeros_like(left), 1e-6)
        return pressed

    def test_gaps_and_pushes_exclude_each_other(self):
        rng, pressed = random.Random(4), 0
        for _ in range(8 * ROUNDS):
            model, n = self.model(rng)
            done = self.ok(model, "statics")
            pressed += self.check_complementarity(model, n, done)
            self.assertEqual(done.result["equilibrium"]["stability"], "stable")
        self.assertGreater(pressed, 4 * ROUNDS)

    def test_the_damped_motion_ends_there(self):
        rng = random.Random(9)
        for _ in range(ROUNDS):
            model, n = self.model(rng)
            rest = self.ok(model, "statics")
            for k in range(n):                                      # a field of dampers: each particle to a carrier that stands far away in either direction
                for axis, far in (("X", [1e3, 0]), ("Y", [0, 1e3])):
                    model["bodies"]["ground"]["markers"][f"{axis}{k}"] = far
                    model["loads"][f"damp{axis}{k}"] = {"type": "spring", "between": [f"ground.{axis}{k}", f"p{k}"], "damping": 20}
            model["motion"] = {"from": 0, "to": 40, "step": 10}
            ends = self.ok(model, "simulate", "--tolerance", "1e-8")
            for k in range(n):
                for axis in "xy":
                    self.near(ends.series[f"p{k}.{axis}"][-1:], rest.series[f"p{k}.{axis}"][:1], 1e-5, f"p{k}.{axis}")


class AllEquilibria(cli.Case):
    """--all on V(x) + W(y) between stops: all pairs of the points where V' = 0, or V' presses on an end; the same for W"""

    def points(self, quartic, low, high):
        V = np.polynomial.Polynomial(quartic)
        d, dd = V.deriv(), V.deriv(2)
        found = [(r.real, dd(r.real) > 0, None) for r in d.roots() if abs(r.imag) < 1e-9 and low < r.real < high]
        return found + [(low, True, "min")] * (d(low) > 0) + [(high, True, "max")] * (d(high) < 0)

    def test_products_of_polynomials(self):
        draw = random.Random(7)
        for _ in range(ROUNDS):
            parts, names = [], ["x(a)", "y(a)"]
            for _k in range(2):
                low = draw.uniform(-1.2, -0.2)
                parts.append(([0, draw.uniform(-0.6, 0.6), -2, draw.uniform(-0.4, 0.4), 1], low, draw.uniform(0.3, 1.2)))
            V = " + ".join("(" + " + ".join(f"{c!r}*{n}^{k}" for k, c in enumerate(q) if k > 0) + ")" for (q, _, _), n in zip(parts, names))
            stops = ", ".join(f"s{n[0]}: {{coordinate: {n}, min: {low!r}, max: {high!r}}}" for (_, low, high), n in zip(parts, names))
            text = f"""roberval: 1
space: planar
bodies: {{a: {{mass: 2, particle: true, pose: {{at: [0.1, 0.1]}}}}}}
loads: {{well: {{type: energy, value: "{V}"}}}}
stops: {{{stops}}}
"""
            want = [(x, y, sx and sy, {n for n, e in (("sx", ex), ("sy", ey)) if e}) for x, sx, ex in self.points(*parts[0]) for y, sy, ey in self.points(*parts[1])]
            got = self.ok(text, "statics", "--all").result["equilibria"]
            self.assertEqual(len(got), len(want), f"{[e['bodies'] for e in got]} for {want}")
            for x, y, stable, pressed in want:
                e, = [e for e in got if math.hypot(e["bodies"]["a"]["at"][0] - x, e["bodies"]["a"]["at"][1] - y) < 1e-6]
                self.assertEqual(e["stability"], "stable" if stable else "unstable")
                self.assertEqual(set(e["pressed"]), pressed)

    @cli.long
    def test_a_particle_on_a_spring_within_a_rope(self):
        """what hangs on a spring from the origin and on a slack or taut rope from elsewhere: slack above or below the origin, by hand; taut where the force along the circle, of 1000 points, changes its sign. Places nearer to the
        origin than 0.1 m are not asked for: force turns round there, so that few starts lead to them."""
        stiff, weight, length, asked = 30.0, 9.81, 0.5, 0
        for seed in (1, 16, 21, 95, *range(200, 200 + ROUNDS)):
            rng = random.Random(seed)
            free = rng.uniform(0.4, 1)
            hook, start = np.array([rng.uniform(-.4, .4), rng.uniform(-.4, .4)]), [rng.uniform(-.3, .3), rng.uniform(-.3, .3)]

            def outward(turn):
                """along the circle, and along the rope"""
                p = hook + length * np.array([math.cos(turn), math.sin(turn)])
                force = -stiff * (1 - free / np.hypot(*p)) * p + [0, -weight]
                return force @ [-math.sin(turn), math.cos(turn)], force @ [math.cos(turn), math.sin(turn)]
            want = [np.array([0, y]) for y in (-free - weight / stiff, free - weight / stiff) if np.hypot(*([0, y] - hook)) < length and (y < 0 or free > weight / stiff)]
            turns = np.linspace(0.0123, 0.0123 + 2 * math.pi, 1001)
            for low, high in zip(turns, turns[1:]):
                if outward(low)[0] * outward(high)[0] < 0:
                    for _ in range(50):
                        middle = (low + high) / 2
                        low, high = (low, middle) if outward(low)[0] * outward(middle)[0] <= 0 else (middle, high)
                    if outward(low)[1] > 0:
                        want.append(hook + length * np.array([math.cos(low), math.sin(low)]))
            done = self.ok({"roberval": 1, "space": "planar", "gravity": [0, -weight], "bodies": {"ground": {"markers": {"H": hook.tolist()}}, "p": {"mass": 1, "particle": True, "pose": {"at": (hook + start).tolist()}}},
                            "joints": {"rope": {"type": "link", "between": ["ground.H", "p"], "length": length, "unilateral": True}},
                            "loads": {"s": {"type": "spring", "between": ["ground", "p"], "stiffness": stiff, "free_length": free}}}, "statics", "--all")
            found = [np.array(e["bodies"]["p"]["at"]) for e in done.result["equilibria"]]
            for p in found:
                self.assertTrue(any(np.hypot(*(p - w)) < 1e-6 for w in want), (seed, p, want))
            for w in want:
                if np.hypot(*w) > 0.1:
                    asked += 1
                    self.assertTrue(any(np.hypot(*(p - w)) < 1e-6 for p in found), (seed, w, found))
        self.assertGreater(asked, 2 * ROUNDS)

    def test_a_rope_and_a_condition(self):
        """A bead on a circle that a rope keeps from its lowest point: at both ends of the rope, and at the top; without the rope (active:) at the bottom and the top"""
        text = HEAD + """
bodies: {ground: {markers: {A: [0, 1.5]}}, r: {mass: 2, inertia: 0.05, centroid: [1, 0], markers: {E: [1, 0]}, pose: {angle: 0.3}}}
joints: {h: {type: revolute, between: [ground, r]}, rope: {type: link, between: [ground.A, r.E], length: 1.5, unilateral: true, active: "t < 1[s]"}}
"""
        sine = (1 + 1.5 ** 2 - 1.5 ** 2) / 3                        # |E - A|^2 = 1 + 2.25 - 3 sin
        for at, want in ((0, [(sine, "stable", ["rope"]), (sine, "stable", ["rope"]), (1, "unstable", [])]), (2, [(-1, "stable", []), (1, "unstable", [])])):
            got = self.ok(text, "statics", "--all", "--from", str(at)).result["equilibria"]
            self.assertEqual(len(got), len(want))
            for e, (s, stability, pressed) in zip(got, want):
                self.near([math.sin(e["bodies"]["r"]["angle"])], [s], 1e-8)
                self.assertEqual((e["stability"], e["pressed"]), (stability, pressed))


if __name__ == "__main__":
    cli.main()
