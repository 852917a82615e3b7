#!/usr/bin/env python3
"""Laws that jump or kink with the motion (if, abs, min, max, sign, floor, ends of step and tables): closed forms, independent integrations, and energies computed from the printed states."""
# ctest: natural joint
import math
import os
import random
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "py"))
import cli              # noqa: E402

METHODS = ("explicit", "implicit")
RANDOM_MOTIONS = 200 if cli.MORE else 12
RAIL = """roberval: 1
space: planar
bodies:
  ground: {markers: {O: [0, 0]}}
  p: {mass: 1, particle: true, pose: {at: [2, 0]}, markers: {P: [0, 0]}}
joints: {rail: {type: slot, between: [ground.O, p.P]}}
"""


def slid(law, pull, more="motion: {from: 0, to: 1, step: 0.01}\n"):
    """A particle on a rail from x = 2: x'' = pull - law(x)."""
    return RAIL + f'loads:\n  spring: {{type: spring, between: [ground.O, p.P], force: "{law}"}}\n  pull: {{type: force, to: p.P, value: [{pull}, 0]}}\n' + more


def to_and_fro(t, inside, outside, wall, start):
    """x(t) from rest at start < wall, x'' = inside before the wall, -outside behind it: a parabola, another one, and so on."""
    speed = math.sqrt(2 * inside * (wall - start))
    there, behind = speed / inside, 2 * speed / outside
    t %= 2 * there + behind
    if t <= there:
        return start + inside * t * t / 2
    t -= there
    if t <= behind:
        return wall + speed * t - outside * t * t / 2
    t -= behind
    return wall - speed * t + inside * t * t / 2


class Laws(cli.Case):
    def test_a_force_that_jumps_with_place(self):
        """30 N or 10 N against 12 N: parabolas. Positions are asked for to 100 times the tolerance, over some ten crossings."""
        for method in METHODS:
            done = self.ok(slid("if(l > 2.05, 30, 10)", 12, "motion: {from: 0, to: 3, step: 0.01}\n"), "simulate", "--method", method)
            want = [to_and_fro(t, 2, 18, 2.05, 2) for t in done.time]
            self.column(done, "p.x", want, 1e-7)
            integration = done.result["integration"]
            self.assertEqual(integration["events"], [])
            self.assertLess(integration["steps"], 300, method)   # each of some 13 crossings takes one step or two more
            energy = [v * v / 2 - 12 * x + 10 * x + 20 * max(0, x - 2.05) for x, v in zip(done.series["p.x"], done.series["p.vx"])]
            self.near(energy, [energy[0]] * len(energy), 1e-9, "energy")

    def test_the_same_with_a_named_coordinate(self):
        """The switch is in a named coordinate that the law uses, and in a bare one beside it."""
        done = self.ok(slid("10 + 20*beyond", 12) + 'coordinates: {beyond: "x(p.P) > 2.05"}\n', "simulate")
        self.column(done, "p.x", [to_and_fro(t, 2, 18, 2.05, 2) for t in done.time], 1e-7)

    def test_a_field_that_jumps_acts_on_each_body_where_it_is(self):
        """x'' = 2 before x = 2.05, -18 behind it, of two particles that start elsewhere: each has switches of its own."""
        field = 'loads: {field: {type: field, acceleration: ["if(x > 2.05, -18, 2)", 0]}}\n'
        bodies = "".join(f"  {name}: {{mass: {mass}, particle: true, pose: {{at: [{x}, {y}]}}}}\n" for name, mass, x, y in (("a", 1, 2, 0), ("b", 3, 1.9, 1)))
        done = self.ok(f"roberval: 1\nspace: planar\nbodies:\n{bodies}{field}motion: {{from: 0, to: 2, step: 0.01}}\n", "simulate")
        for name, start in (("a", 2), ("b", 1.9)):
            self.column(done, f"{name}.x", [to_and_fro(t, 2, 18, 2.05, start) for t in done.time], 1e-7)

    def test_a_power_that_has_no_value_beyond_its_piece(self):
        """A ball of 1 kg falls from 1 m on an elastic ground of 1e5 d^1.5: it comes back to where it was, energies to 1e-7 of 10 J, 30 tolerances for each of the contacts. The law is smooth to no order where it begins."""
        law = '"if(0.1 - y(p.P) > 0, 1e5*(0.1 - y(p.P))^1.5, 0)"'
        model = f"roberval: 1\nspace: planar\ngravity: [0, -9.81]\nbodies: {{p: {{mass: 1, particle: true, pose: {{at: [0, 1]}}, markers: {{P: [0, 0]}}}}}}\nloads: {{soft: {{type: force, to: p.P, value: [0, {law}]}}}}\nmotion: {{from: 0, to: 3, step: 0.01}}\n"
        done = self.ok(model, "simulate")
        energy = [v * v / 2 + 9.81 * y + 4e4 * max(0, 0.1 - y) ** 2.5 for y, v in zip(done.series["p.y"], done.series["p.vy"])]
        self.near(energy, [9.81] * len(energy), 1e-6, "energy")
        self.assertLess(done.result["integration"]["steps"], 500)

    def test_what_begins_to_act_stores_nothing(self):
        """3 N.m from 0.6 s on: the energy is that of the motion alone, and does not jump. 1e-8 J of 5 J are some steps of a tolerance each."""
        model = """roberval: 1
space: planar
bodies: {w: {mass: 1, inertia: 0.2}}
joints: {pin: {type: revolute, between: [ground, w]}}
loads: {twist: {type: torque, to: w, value: 3, active: "t > 0.6"}}
initial: {pin.angle: 0, pin.angle': 1}
motion: {from: 0, to: 1, step: 0.05}
"""
        done = self.ok(model, "simulate")
        self.column(done, "energy", [0.1 * (1 + 15 * max(0, t - 0.6)) ** 2 for t in done.time], 1e-8)
        self.column(done, "energy.error", 0, 1e-8)

    def test_states_and_generalized_forces(self):
        """u'' = 1 before u = 1, -3 behind it, and s' = 1 where u is behind it: s is the time that it was there."""
        model = """roberval: 1
space: planar
generalized: {coordinates: {u: {start: 0.5, rate: 0}}, mass: [[2]], force: ["if(u > 1, -6, 2)"]}
states: {s: {rate: "u > 1", start: 0}}
motion: {from: 0, to: 6, step: 0.02}
"""
        done = self.ok(model, "simulate")
        self.column(done, "u", [to_and_fro(t, 1, 3, 1, 0.5) for t in done.time], 1e-7)
        there, behind = 1.0, 2.0 / 3
        want = [(t // (2 * there + behind)) * behind + min(max(t % (2 * there + behind) - there, 0), behind) for t in done.time]
        self.column(done, "s", want, 1e-8)


def slow_down(t, F, m, k, x0):
    """x(t) of m x'' = -k x - F sign(x') from rest at x0: half swings about -+F/k of half the period, until F can hold it."""
    half, x, n = math.pi * math.sqrt(m / k), x0, 0
    while abs(k * x) > F:
        centre = math.copysign(F / k, x)
        if t < (n + 1) * half:
            return centre + (x - centre) * math.cos((t - n * half) * math.pi / half)
        x, n = 2 * centre - x, n + 1
    return x


class BackAndForth(cli.Case):
    """Laws both pieces of which push towards each other: the motion stays between them (Filippov)."""

    def test_a_brake_by_sign(self):
        """-2 sign(x') on a mass with a spring: half swings, then rest for good, where the force is what the spring asks for. Positions to 100 tolerances of 1 m; what rests is at rest to rounding of its rates before."""
        model = """roberval: 1
space: planar
bodies:
  ground: {markers: {W: [-3, 0]}}
  p: {mass: 1, inertia: 1}
joints: {rail: {type: prismatic, between: [ground, p]}}
loads:
  spring: {type: spring, between: [ground.W, p], stiffness: 10, free_length: 3}
  rub: {type: force, to: p, value: ["-2*sign(rail.distance')", 0]}
initial: {rail.distance: 1.1, rail.distance': 0}
output: {brake: "rub.Fx"}
motion: {from: 0, to: 8, step: 0.05}
"""
        for method in METHODS:
            done = self.ok(model, "simulate", "--method", method)
            self.column(done, "rail.distance", [slow_down(t, 2, 1, 10, 1.1) for t in done.time], 1e-7)
            self.assertLess(abs(done.series["rail.distance'"][-1]), 1e-10)
            self.near(done.series["brake"][-1], 10 * done.series["rail.distance"][-1], 1e-6, "what the brake holds")
            self.assertEqual(done.result["integration"]["events"], [])
            self.assertLess(done.result["integration"]["steps"], 2000 if method == "implicit" else 200)

    def test_it_holds_until_more_pushes(self):
        """A push of 3 t against -2 sign(x'): rest until 2/3 s, x' = 3/2 (t - 2/3)^2 from there."""
        model = RAIL.replace("[2, 0]", "[0, 0]") + """loads:
  rub: {type: force, to: p.P, value: ["-2*sign(x(p.P)')", 0]}
  push: {type: force, to: p.P, value: ["3*t", 0]}
initial: {x(p.P)': -1}
motion: {from: 0, to: 2, step: 0.05}
"""
        done = self.ok(model, "simulate")
        rest = (-2 + math.sqrt(4 + 6)) / 3     # -1 + 2 t + 3/2 t^2 = 0
        want = [-1 + 2 * t + 1.5 * t * t if t < rest else 1.5 * max(0, t - 2 / 3) ** 2 for t in done.time]
        self.column(done, "p.vx", want, 1e-8)

    def test_a_clutch_of_two_torques(self):
        """-+2 sign(w1 - w2) on two wheels: two switches that change together. They come together at (J1 w1 + J2 w2)/(J1 + J2), and 1 N.m on one turns both from there. 1e-7 is 12 tolerances of 8 rad/s."""
        model = """roberval: 1
space: planar
bodies: {a: {mass: 1, inertia: 0.2}, b: {mass: 1, inertia: 0.3, pose: {at: [1, 0]}}}
joints: {A: {type: revolute, between: [ground, a]}, B: {type: revolute, at: [1, 0], between: [ground, b]}}
loads:
  on_a: {type: torque, to: a, value: "-2*sign(A.angle' - B.angle')"}
  on_b: {type: torque, to: b, value: "2*sign(A.angle' - B.angle')"}
  push: {type: torque, to: a, value: 1}
initial: {A.angle': 8, B.angle': 0, A.angle: 0, B.angle: 0}
motion: {from: 0, to: 2, step: 0.05}
"""
        done = self.ok(model, "simulate")
        together = 8 / (1 / 0.2 + 2 / 0.3)     # a: -1/0.2, b: 2/0.3
        speed = 2 / 0.3 * together
        self.column(done, "A.angle'", [8 - 5 * t if t < together else speed + 2 * (t - together) for t in done.time], 1e-7)
        self.column(done, "B.angle'", [2 / 0.3 * t if t < together else speed + 2 * (t - together) for t in done.time], 1e-7)

    def test_a_state_between_two_rates(self):
        """s' = 2 - 5 (s > 1): s is 1 from 1/2 s on, where the rate is between both."""
        model = "roberval: 1\nspace: planar\ngeneralized: {coordinates: {u: {start: 0, rate: 1}}, mass: [[1]], force: [0]}\nstates: {s: {rate: \"2 - 5*(s > 1)\", start: 0}}\nmotion: {from: 0, to: 2, step: 0.05}\n"
        done = self.ok(model, "simulate")
        self.column(done, "s", [min(1, 2 * t) for t in done.time], 1e-8)


class Between(cli.Case):
    """What happens between two looks at a step, and is over at the second, is found all the same."""
    APEX = 1e-4     # m above 1 m: a throw that is there for a hundredth of a second, in steps of a tenth and more

    def thrown(self, more):
        speed = math.sqrt(2 * 9.81 * (1 + self.APEX))
        return f"""roberval: 1
space: planar
gravity: [0, -9.81]
bodies: {{p: {{mass: 1, particle: true, markers: {{P: [0, 0]}}}}}}
initial: {{y(p.P): 0, x(p.P): 0, y(p.P)': {speed!r}, x(p.P)': 0}}
{more}motion: {{from: 0, to: 0.9, step: 0.1}}
"""

    def test_a_force_in_a_thin_layer(self):
        """30 N more above 1 m, where the throw is for some ms: it comes down earlier by what it misses there."""
        done = self.ok(self.thrown("loads: {lid: {type: force, to: p.P, value: [0, \"if(y(p.P) > 1, -30, 0)\"]}}\n"), "simulate")
        rate = math.sqrt(2 * 9.81 * self.APEX)
        up, speed = (math.sqrt(2 * 9.81 * (1 + self.APEX)) - rate) / 9.81, math.sqrt(2 * 9.81 * (1 + self.APEX))
        down = up + 2 * rate / 39.81
        want = [speed * t - 9.81 * t * t / 2 if t < up else 1 - rate * (t - down) - 9.81 * (t - down) ** 2 / 2 for t in done.time]
        self.column(done, "p.y", want, 1e-8)

    def test_an_event_that_is_over_at_once(self):
        done = self.ok(self.thrown("events: {high: {when: \"y(p.P) - 1\", direction: rising, do: mark}}\n"), "simulate")
        self.assertEqual([e["name"] for e in done.result["integration"]["events"]], ["high"])

    def test_a_block_that_meets_its_belt_for_a_moment(self):
        """Stick and slip: without sticking the block would be faster than its belt for a hundredth of each swing. It never is."""
        model = """roberval: 1
space: planar
gravity: [0, -9.81]
bodies:
  ground: {markers: {W: [-1, 0]}}
  belt: {mass: 1, inertia: 1}
  block: {mass: 1, inertia: 0.1}
joints:
  track: {type: prismatic, between: [ground, belt]}
  rub: {type: prismatic, between: [belt, block], friction: {coefficient: 0.3, static: 0.4}}
drives: {run: {coordinate: track.distance, motion: "t"}}
loads: {spring: {type: spring, between: [ground.W, block], stiffness: 1000, free_length: 1}}
initial: {rub.distance: 0, rub.distance': 0}
motion: {from: 0, to: 2, step: 0.01}
"""
        done = self.ok(model, "simulate")
        self.assertLess(max(done.series["rub.distance'"]), 1e-8)
        kinds = [e["kind"] for e in done.result["integration"]["events"]]
        self.assertEqual(kinds, ["slip", "stick"] * (len(kinds) // 2) + ["slip"] * (len(kinds) % 2))
        self.assertGreater(len(kinds), 15)      # a swing takes 0.2 s


def random_law(rng):
    """A law of l with jumps and kinks between 0.5 and 3.5 m, and its integral from 0 as a function."""
    k, free, kink, more, edge, jump, top = (rng.uniform(*r) for r in ((20, 100), (1.5, 2.5), (1.2, 2.8), (20, 400), (1.2, 2.8), (-15, 15), (2.0, 3.0)))
    text = f"{k!r}*(l - {free!r}) + {more!r}*abs(l - {kink!r})*(l - {kink!r}) + if(l > {edge!r}, {jump!r}, 0) + 30*max(0, l - {top!r}) + 5*step(l, 1.4, 0, 1.9, 1)"

    def rise(s):
        return 0 if s <= 0 else s - 0.5 if s >= 1 else s ** 4 * (2.5 + s * (s - 3))

    def V(l):
        return k * (l - free) ** 2 / 2 + more * abs(l - kink) ** 3 / 3 + jump * max(0, l - edge) + 15 * max(0, l - top) ** 2 + 2.5 * rise((l - 1.4) / 0.5)
    return text, V


class Energies(cli.Case):
    def hold(self, done, kinetic_and_potential, what):
        """Energies computed from the printed states: the column is that, but for its zero, and `energy.error` is what it has changed by. 1e-11 of the largest: sums of a few terms, and the quadrature of V."""
        size = max(abs(e) for e in kinetic_and_potential) + max(abs(e) for e in done.series["energy"])
        change = [e - kinetic_and_potential[0] for e in kinetic_and_potential]
        self.near(done.series["energy"] - done.series["energy"][0], change, 1e-11 * size, what)
        self.near(done.series["energy.error"], change, 1e-11 * size, what)
        self.assertLessEqual(max(abs(c) for c in change), done.result["integration"]["energy_error"] + 1e-11 * size, what)
        self.assertLess(max(abs(c) for c in change), 1e-6 * size, what)

    def test_a_particle_on_a_spring_of_pieces(self):
        for seed in range(RANDOM_MOTIONS):
            rng = random.Random(seed)
            text, V = random_law(rng)
            m, x, y, u, v = rng.uniform(0.5, 3), rng.uniform(1, 2.5), rng.uniform(-1, 1), rng.uniform(-3, 3), rng.uniform(-3, 3)
            model = f"""roberval: 1
space: planar
bodies:
  ground: {{markers: {{O: [0, 0]}}}}
  p: {{mass: {m!r}, particle: true, pose: {{at: [{x!r}, {y!r}]}}, markers: {{P: [0, 0]}}}}
loads:
  spring: {{type: spring, between: [ground.O, p.P], force: "{text}"}}
initial: {{x(p.P): {x!r}, y(p.P): {y!r}, x(p.P)': {u!r}, y(p.P)': {v!r}}}
motion: {{from: 0, to: 2, step: 0.02}}
"""
            done = self.ok(model, "simulate", "--method", METHODS[seed % 6 == 5])
            s = done.series
            energy = [m * (a * a + b * b) / 2 + V(math.hypot(p, q)) for p, q, a, b in zip(s["p.x"], s["p.y"], s["p.vx"], s["p.vy"])]
            self.hold(done, energy, f"seed {seed}")

    def test_an_engine_whose_gas_jumps_with_place(self):
        """A slider-crank with a force on its piston that jumps halfway, in two orders of its bodies."""
        for method, reverse in (("explicit", False), ("explicit", True), ("implicit", False)):
            bodies = ["  crank: {mass: 3, inertia: 0.5, markers: {A: [0.1, 0]}, pose: {angle: 1}}\n",
                      "  rod: {mass: 1, inertia: 0.01, centroid: [0.1, 0], markers: {A: [0, 0], B: [0.25, 0]}, pose: {at: [0.05, 0.08]}}\n",
                      "  piston: {mass: 1, inertia: 0.01, markers: {P: [0, 0]}, pose: {at: [0.25, 0]}}\n"]
            model = "roberval: 1\nspace: planar\nbodies:\n  ground: {markers: {O: [0, 0]}}\n" + "".join(reversed(bodies) if reverse else bodies) + """joints:
  main: {type: revolute, between: [ground, crank]}
  pin: {type: revolute, between: [crank.A, rod.A]}
  wrist: {type: revolute, between: [rod.B, piston.P]}
  cylinder: {type: prismatic, between: [ground.O, piston.P]}
loads: {gas: {type: spring, between: [ground.O, piston.P], force: "-20000*if(1 - l/0.35 > 0.5, 2, 1)"}}
initial: {main.angle: 60 deg, main.angle': 150 rad/s}
motion: {from: 0, to: 0.15, step: 0.001}
"""
            done = self.ok(model, "simulate", "--method", method)
            s = done.series
            energy = [sum(m * (s[b + ".vx"][i] ** 2 + s[b + ".vy"][i] ** 2) / 2 + J * s[b + ".omega"][i] ** 2 / 2 for b, m, J in (("crank", 3, 0.5), ("piston", 1, 0.01)))
                      + ((s["rod.vx"][i] - 0.1 * math.sin(s["rod.angle"][i]) * s["rod.omega"][i]) ** 2 + (s["rod.vy"][i] + 0.1 * math.cos(s["rod.angle"][i]) * s["rod.omega"][i]) ** 2) / 2
                      + 0.005 * s["rod.omega"][i] ** 2 - 20000 * (l + min(l, 0.175))
                      for i, l in enumerate(s["piston.x"])]
            self.hold(done, energy, method)
            self.assertLess(done.result["integration"]["steps"], 3000, method)


if __name__ == "__main__":
    cli.main()
