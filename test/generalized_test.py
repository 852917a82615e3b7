#!/usr/bin/env python3
# ctest: polar-slow joint
"""Systems by their own equations in generalized coordinates: against Runge and Kutta's method, closed forms, and the same systems written with bodies."""
import math
import os
import random
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "py"))
import numpy as np      # noqa: E402
import cli              # noqa: E402

ROUNDS = int(os.environ.get("ROBERVAL_GENERALIZED", "2"))


def rk4(f, y, to, steps):
    """The solution of y' = f(t, y) at `to`."""
    y, h = np.array(y, float), to / steps
    for k in range(steps):
        t = k * h
        a = f(t, y)
        b = f(t + h / 2, y + h / 2 * a)
        c = f(t + h / 2, y + h / 2 * b)
        d = f(t + h, y + h * c)
        y = y + h / 6 * (a + 2 * b + 2 * c + d)
    return y


class Generalized(cli.Case):
    def simulate(self, text, *flags, command="simulate"):
        done = cli.run_model("roberval: 1\n" + text, command, *flags)
        self.assertEqual(done.code, 0, done.err)
        self.result = done.result
        return {name: np.array([float(x) for x in values]) for name, values in done.series.items()}

    def refused(self, text, *words, command="simulate", code=2):
        done = cli.run_model("roberval: 1\n" + text, command)
        self.assertEqual(done.code, code, done.err)
        for word in words:
            self.assertIn(word, done.err)

    def test_mass_that_varies_with_place_rate_and_time(self):
        rng = random.Random(1)
        for _ in range(ROUNDS):
            a, b, c, k, d = (rng.uniform(0.1, 0.6) for _ in range(5))
            y = [rng.uniform(-1, 1) for _ in range(4)]
            series = self.simulate(f"""space: planar
generalized:
  coordinates: {{u: {{start: {y[0]}, rate: {y[2]}}}, w: {{start: {y[1]}, rate: {y[3]}}}}}
  mass: [["2 + u^2 + {a}*w'^2", "{b}*sin(w)"], ["{b}*sin(w)", "1.5 + {c}*sin(t)"]]
  force: ["-{k}*u + cos(2*t)", "-w - {d}*u'*w'"]
motion: {{from: 0, to: 2, step: 1}}
output: {{second: "u'' + w''"}}
""")

            def f(t, y):
                u, w, du, dw = y
                M = [[2 + u * u + a * dw * dw, b * math.sin(w)], [b * math.sin(w), 1.5 + c * math.sin(t)]]
                return np.array([du, dw, *np.linalg.solve(M, [-k * u + math.cos(2 * t), -w - d * du * dw])])
            expected = rk4(f, y, 2, 1500)
            for name, value in zip(("u", "w", "u'", "w'"), expected):
                self.assertAlmostEqual(series[name][-1], value, delta=2e-8)
            self.assertAlmostEqual(series["second"][-1], sum(f(2, expected)[2:]), delta=1e-7)
            self.assertAlmostEqual(series["u''"][-1] + series["w''"][-1], series["second"][-1], delta=1e-12)
            self.assertLess(np.abs(series["energy.error"]).max(), 1e-7)  # the work of what M gains is counted
            u, w, du, dw = expected
            energy = 0.5 * (du * du * (2 + u * u + a * dw * dw) + 2 * du * dw * b * math.sin(w) + dw * dw * (1.5 + c * math.sin(2)))
            self.assertAlmostEqual(series["energy"][-1], energy, delta=1e-7)

    def test_appell_and_hamels_particle(self):
        """u'^2 + v'^2 = a^2 w'^2: uniform acceleration -g/(1 + a^2) along w, a times it along the horizontal speed."""
        rng = random.Random(2)
        for _ in range(ROUNDS):
            a, m, g, turn, fall = rng.uniform(0.5, 1.2), rng.uniform(0.5, 2), 9.81, rng.uniform(0, 6), -rng.uniform(0.3, 1)
            speed = -a * fall
            series = self.simulate(f"""space: spatial
generalized:
  coordinates: {{u: {{start: 0, rate: {speed * math.cos(turn)}}}, v: {{start: 0, rate: {speed * math.sin(turn)}}}, w: {{start: 0, rate: {fall}}}}}
  mass: [[{m}, 0, 0], [0, {m}, 0], [0, 0, {m}]]
  force: [0, 0, {-m * g}]
constraints: {{c: {{velocity: "u'^2 + v'^2 - {a}^2*w'^2"}}}}
motion: {{from: 0, to: 2, step: 0.5}}
output: {{fz: "-2*{a}^2*c.effort*w'"}}
""")
            t, down = series["time"], -g / (1 + a * a)
            along = speed * t - 0.5 * a * down * t * t
            for name, value in (("u", along * math.cos(turn)), ("v", along * math.sin(turn)), ("w", fall * t + 0.5 * down * t * t)):
                self.assertLess(np.abs(series[name] - value).max(), 1e-8)
            self.assertLess(np.abs(series["fz"] - m * (down + g)).max(), 1e-7)
            self.assertEqual(self.result["mobility"]["degrees_of_freedom"], 2)

    def test_a_bead_on_a_parabola_is_one_written_with_bodies(self):
        rng = random.Random(3)
        for _ in range(ROUNDS):
            m, p, k, s, r, curve = (rng.uniform(0.3, 1.5) for _ in range(6))
            tail = "motion: {from: 0, to: 1.5, step: 0.25}\n"
            parts = f"  parabola: {{equation: \"y(bead) - {curve}*x(bead)^2\"}}\n"
            at = f"pose: {{at: [{s}, {curve * s * s}]}}"
            tied = self.simulate(f"""space: planar
gravity: [0, -9.81]
bodies: {{bead: {{particle: true, mass: {p}, {at}}}}}
generalized: {{coordinates: {{u: {{start: {s}, rate: {r}}}}}, mass: [[{m}]], force: ["-{k}*u - 0.2*u'"]}}
constraints:
  tie: {{equation: "x(bead) - u"}}
{parts}{tail}""")
            bodies = self.simulate(f"""space: planar
gravity: [0, -9.81]
bodies:
  ground: {{markers: {{P: [0, -3]}}}}
  bead: {{particle: true, mass: {p}, {at}}}
  slider: {{particle: true, mass: {m}, pose: {{at: [{s}, -3]}}}}
loads: {{push: {{type: force, to: slider, value: ["-{k}*x(slider) - 0.2*x(slider)'", "9.81*{m}"]}}}}
constraints:
  tie: {{equation: "x(bead) - x(slider)"}}
  rail: {{equation: "y(slider) + 3"}}
{parts}initial: {{x(slider): {s}, "x(slider)'": {r}}}
{tail}""")
            for one, other in (("u", "slider.x"), ("u'", "slider.vx"), ("u''", "slider.ax"), ("bead.y", "bead.y"), ("tie.effort", "tie.effort"), ("parabola.effort", "parabola.effort")):
                self.assertLess(np.abs(tied[one] - bodies[other]).max(), 1e-7 * (1 + np.abs(bodies[other]).max()), one)
            self.assertNotIn("u.x", tied)
            self.assertEqual([c for c in tied if c.startswith("u")], ["u", "u'", "u''"])

    def test_mass_may_be_singular_where_constraints_hold(self):
        series = self.simulate("""space: planar
generalized:
  coordinates: {u: {start: 1, rate: 0}, w: {}}
  mass: [[2, 0], [0, 0]]
  force: ["-8*u", 0]
constraints: {c: {equation: "w - u^2"}}
motion: {from: 0, to: 1, step: 0.5}
""")
        self.assertLess(np.abs(series["u"] - np.cos(2 * series["time"])).max(), 1e-8)
        self.assertLess(np.abs(series["w"] - np.cos(2 * series["time"]) ** 2).max(), 1e-8)
        self.refused("space: planar\ngeneralized: {coordinates: {u: {}, w: {}}, mass: [[2, 0], [0, 0]], force: [0, 0]}\nmotion: {from: 0, to: 1, step: 0.5}\n",
                     "has no mass", code=1)

    def test_drives_stops_events_and_states(self):
        series = self.simulate("""space: planar
generalized:
  coordinates: {u: {start: 0, rate: 1}, w: {start: 0}}
  mass: [["1", "0.5"], ["0.5", "2 + u"]]
  force: [0, s]
states: {s: {rate: "u'", start: 0}}
drives: {d: {coordinate: w, motion: "1 - cos(t)"}}
stops: {wall: {coordinate: u, max: 0.25, restitution: 0.5}}
output: {du: "u'"}
events: {half: {when: "u - 0.125", direction: rising}}
motion: {from: 0, to: 1, step: 0.1}
""")
        t = series["time"]
        self.assertLess(np.abs(series["w"] - 1 + np.cos(t)).max(), 1e-9)
        free = t - 0.5 * (1 - np.cos(t))        # u'' = -0.5 cos t until the wall
        before = free < 0.25
        self.assertTrue(0 < before.sum() < len(t))
        self.assertLess(np.abs(series["u"] - free)[before].max(), 1e-9)
        self.assertLess(np.abs(series["s"] - series["u"]).max(), 1e-9)
        low, high = 0.0, 0.6                    # the wall is met where t - (1 - cos t)/2 = 1/4; the rate is turned to half, and u'' goes on
        for _ in range(60):
            middle = 0.5 * (low + high)
            low, high = (middle, high) if middle - 0.5 * (1 - math.cos(middle)) < 0.25 else (low, middle)
        (hit, impulse), = [(e["t"], e["impulse"]) for e in self.result["integration"]["events"] if e["kind"] == "impact"]
        self.assertAlmostEqual(hit, low, delta=1e-9)
        self.assertAlmostEqual(impulse, 1.5 * (1 - 0.5 * math.sin(hit)), delta=1e-9)     # M_uu = 1; w is driven
        back = -0.5 * (1 - 0.5 * math.sin(hit)) + 0.5 * math.sin(hit)                    # u' = back - sin(t)/2
        after = t > hit
        self.assertGreater(after.sum(), 5)
        self.assertLess(np.abs(series["du"] - (back - 0.5 * np.sin(t)))[after].max(), 1e-9)
        self.assertLess(np.abs(series["u"] - (0.25 + back * (t - hit) + 0.5 * (np.cos(t) - math.cos(hit))))[after].max(), 1e-9)
        effort = 0.5 * series["u''"] + (2 + series["u"]) * np.cos(t) - series["s"]
        self.assertLess(np.abs(series["d.effort"] - effort).max(), 1e-8)
        happened = [(e["name"], e["kind"]) for e in self.result["integration"]["events"]]
        self.assertEqual(happened[:2], [("half", "event"), ("wall", "impact")])
        self.assertLess(np.abs(series["energy.error"]).max(), 1e-8)

    def test_starts_that_constraints_decide_must_fit(self):
        model = """space: planar
generalized: {{coordinates: {{u: {{start: {0}, rate: {1}}}, w: {{start: 0.6, rate: 0.4}}}}, mass: [[1, 0], [0, 1]], force: [0, 0]}}
constraints: {{c: {{equation: "w - 2*u"}}}}
motion: {{from: 0, to: 1, step: 0.5}}
"""
        rng = random.Random(4)
        for _ in range(ROUNDS):
            series = self.simulate(model.format(0.3 + rng.uniform(-2e-7, 2e-7), 0.2 + rng.uniform(-1e-7, 1e-7)))
            self.assertLess(np.abs(series["w"] - 2 * series["u"]).max(), 1e-15)
            self.assertLess(np.abs(series["w'"] - 2 * series["u'"]).max(), 1e-15)
            self.assertAlmostEqual(series["u"][-1], 0.5, delta=1e-6)
        self.refused(model.format(0.3001, 0.2), "'u'", code=1)
        self.refused(model.format(0.3, 0.2001), "'u''")

    def test_other_analyses(self):
        driven = """space: planar
bodies: {b: {mass: 1, inertia: 1}}
joints: {j: {type: revolute, between: [ground, b]}}
generalized: {coordinates: {u: {start: 1 rad}}, mass: [[1]], force: [0]}
constraints: {c: {equation: "j.angle - u^2"}}
drives: {d: {coordinate: u, motion: "1 + t"}}
motion: {from: 0, to: 1, step: 0.5}
"""
        series = self.simulate(driven, command="kinematics")
        self.assertLess(np.abs(series["b.angle"] - (1 + series["time"]) ** 2).max(), 1e-12)
        self.assertLess(np.abs(series["u'"] - 1).max(), 1e-12)
        for command in ("check", "assemble"):
            done = cli.run_model("roberval: 1\n" + driven, command)
            self.assertEqual(done.code, 0, done.err)
        for command in ("inverse", "statics", "modes"):
            done = cli.run_model("roberval: 1\n" + driven, command)
            self.assertEqual(done.code, 0, done.err)

    TIED = """space: planar
gravity: [0, -10]
bodies: {b: {mass: 2, inertia: 0.3, centroid: [0.5, 0]}}
joints: {pin: {type: revolute, between: [ground, b]}}
generalized:
  coordinates: {u: {}, w: {}}
  mass: [["2 + u^2", "0.3"], ["0.3", "1 + t"]]
  force: ["-3*u - 0.1*u' - w", "-5*w + 2*u*u'"]
constraints: {tie: {equation: "pin.angle - 2*u"}}
drives: {d: {coordinate: u, motion: "0.5*sin(t)"}, e: {coordinate: w, motion: "0.2*t^2"}}
motion: {from: 0, to: 2, step: 0.25}
"""

    def test_inverse_gives_the_efforts_of_the_equations(self):
        series = self.simulate(self.TIED, command="inverse")
        t = series["time"]
        u, du, ddu, w, dw, ddw = 0.5 * np.sin(t), 0.5 * np.cos(t), -0.5 * np.sin(t), 0.2 * t**2, 0.4 * t, 0.4
        turn = 2 * u                                                # (0.3 + 2 * 0.25) turn'' = -10 cos(turn) + tie
        tie = 0.8 * 2 * ddu + 10 * np.cos(turn)
        d = (2 + u**2) * ddu + 0.3 * ddw + 3 * u + 0.1 * du + w + 2 * tie
        e = 0.3 * ddu + (1 + t) * ddw + 5 * w - 2 * u * du
        for name, want in (("u", u), ("w", w), ("tie.effort", tie), ("d.effort", d), ("e.effort", e)):
            self.assertLess(np.abs(series[name] - want).max(), 1e-10, name)
        moved = self.simulate(self.TIED)
        for name in ("d.effort", "e.effort", "tie.effort", "pin.Fx"):
            self.assertLess(np.abs(series[name] - moved[name]).max(), 1e-9, name)
        self.refused(self.TIED.replace("2 + u^2", "u - 1"), "the generalized mass is negative", command="inverse", code=1)
        done = cli.run_model("roberval: 1\n" + self.TIED, "inverse", "--method", "lagrange")
        self.assertEqual(done.code, 2, done.err)

    def test_statics_of_equations(self):
        text = """space: planar
parameters: {a: 1}
generalized:
  coordinates: {u: {start: 0.5}, w: {start: 0.2}}
  mass: [[2, 0.5], [0.5, 1]]
  force: ["-3*u + a*w + 6 - 7*u'", "-2*w + a*u - w^3"]
"""
        def f(x):
            return np.array([-3 * x[0] + x[1] + 6, -2 * x[1] + x[0] - x[1]**3])
        x = np.array([2.0, 1.0])
        for _ in range(50):
            x = x - np.linalg.solve([[-3, 1], [1, -2 - 3 * x[1]**2]], f(x))
        for method in ("lagrange", "virtual-power", "relaxation"):
            done = cli.run_model("roberval: 1\n" + text, "statics", "--method", method)
            self.assertEqual(done.code, 0, done.err)
            self.assertLess(abs(done.series["u"][0] - x[0]) + abs(done.series["w"][0] - x[1]), 1e-7, method)
            self.assertEqual(done.result["equilibrium"]["stability"], "stable")
        self.assertLess(abs(done.result["equilibrium"]["coordinates"]["u"] - x[0]), 1e-7)
        done = cli.run_model("roberval: 1\n" + text.replace("-3*u", "3*u"), "statics")
        self.assertEqual(done.result["equilibrium"]["stability"], "unstable")
        # M u'' = force: with a force that turns, the eigenvalues of M^-1 K are a pair, and it flutters
        done = cli.run_model("roberval: 1\n" + text.replace("a*u - w^3", "-4*u").replace("a*w + 6", "4*w"), "statics")
        self.assertEqual(done.result["equilibrium"]["stability"], "unstable")

    def test_statics_of_equations_that_bodies_are_tied_to(self):
        text = self.TIED[:self.TIED.index("drives")].replace("-3*u", "-300*u") + "motion: {from: 0, to: 1, step: 0.5}\n"
        done = cli.run_model("roberval: 1\n" + text, "statics")
        self.assertEqual(done.code, 0, done.err)
        u = done.series["u"][0]                                     # -300 u - w = 2 tie, tie = 10 cos(2 u), w = 0
        self.assertLess(abs(300 * u + 20 * np.cos(2 * u)), 1e-8)
        self.assertLess(abs(done.series["tie.effort"][0] - 10 * np.cos(2 * u)), 1e-8)
        self.assertEqual(done.result["equilibrium"]["stability"], "stable")
        stopped = cli.run_model("roberval: 1\n" + text + "stops: {s: {coordinate: u, min: -0.02}}\n", "statics")
        self.assertEqual(stopped.code, 0, stopped.err)
        self.assertLess(abs(stopped.series["u"][0] + 0.02), 1e-9)
        self.assertLess(abs(stopped.series["s.force"][0] - (-300 * 0.02 + 20 * np.cos(0.04))), 1e-8)
        held = cli.run_model("roberval: 1\n" + text, "simulate", "--start", "statics")
        self.assertLess(np.abs(held.series["u"] - u).max(), 1e-7)

    def test_bad_input_is_told_at_its_place(self):
        def model(coordinates="{u: {start: 1}, w: {}}", mass="[[1, 0], [0, 1]]", force="[0, 0]", more=""):
            return f"space: planar\n{more}generalized:\n  coordinates: {coordinates}\n  mass: {mass}\n  force: {force}\nmotion: {{from: 0, to: 1, step: 0.5}}\n"
        for text, line, words in (
                (model(mass="[[1, 0]]"), 5, "mass has 1 entries"),
                (model(mass="[[1], [0, 1]]"), 5, "row 1 of mass has 1 entries"),
                (model(mass="[[1, 2], [3, 1]]"), 5, "symmetric"),
                (model(mass="[[1, 0], [0, \"u''\"]]"), 5, "second rates"),
                (model(mass="1"), 5, "must be a list"),
                (model(force="[1]"), 6, "force has 1 entries"),
                (model(force="[1, v]"), 6, "unknown name 'v'"),
                (model("{t: {}, w: {}}"), 4, "'t' has a meaning"),
                (model("{u: {start: 1 rad, rate: 1 m/s}, w: {}}"), 4, "velocity"),
                (model("{u: {begin: 1}, w: {}}"), 4, "unknown key 'begin'"),
                (model("{u: {start: \"w\"}, w: {}}"), 4, "unknown name 'w'"),
                (model(more="parameters: {u: 3}\n"), 5, "is taken by a parameter"),
                (model(more="bodies: {u: {mass: 3}}\n"), 5, "is taken by a body"),
                ("space: planar\nmotion: {from: 0, to: 1, step: 0.5}\n", 1, "lacks the key 'bodies'")):
            self.refused(text, words, f":{line}:" if "bodies'" not in words else words)
        self.refused(model(mass="[[1, u], [\"w + 1\", 5]]", coordinates="{u: {start: 0.5}, w: {start: 0}}"), "not symmetric", code=1)
        self.refused(model(mass="[[1, 2], [2, 1]]"), "negative", code=1)


if __name__ == "__main__":
    cli.main()
