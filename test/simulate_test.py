#!/usr/bin/env python3
# ctest: joint
"""Motion from forces against laws and closed forms: what inverse dynamics finds put in place of the drives moves the machine again; momentum, energy, friction, stops."""
import math
import os
import random
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "py"))
import numpy as np      # noqa: E402
import cli              # noqa: E402

ROUNDS = int(os.environ.get("ROBERVAL_SIMULATE", "3"))

BODIES = "ROBERVAL_COORDINATES" not in os.environ      # which tolerances let be off their joints, and stiff springs feel that; other coordinates keep joints


class Run:
    """One run's series and result."""

    def __init__(self, case, command, text, status=0):
        done = cli.run_model(text, command)
        case.assertEqual(done.code, status, done.err)
        self.err, self.result, self.series = done.err, done.result, done.series

    def column(self, name):
        return [float(x) for x in self.series[name]]


def four_bar(rng, drive):
    """A four-bar with random lengths that closes, with a spring; driven, or with the torque T(t) at its crank from a table of numbers."""
    a, b, c, d = rng.uniform(0.2, 0.3), rng.uniform(0.8, 1.0), rng.uniform(0.6, 0.8), rng.uniform(0.85, 1.0)
    angle = 0.5
    ax, ay = a * math.cos(angle), a * math.sin(angle)
    dx, dy = d - ax, -ay
    e = math.hypot(dx, dy)
    turn = math.acos((b * b + e * e - c * c) / (2 * b * e)) + math.atan2(dy, dx)
    bx, by = ax + b * math.cos(turn), ay + b * math.sin(turn)
    rocker = math.atan2(by, bx - d)
    return f"""roberval: 1
space: planar
gravity: [0, -9.81]
bodies:
  ground: {{markers: {{O: [0, 0], C: [{d}, 0], S: [0, 1]}}}}
  crank: {{mass: 2, inertia: 0.05, centroid: [0.1, 0.02], pose: {{angle: {angle}}}, markers: {{A: [{a}, 0]}}}}
  coupler: {{mass: 1, inertia: 0.08, centroid: [0.4, 0], pose: {{at: [{ax}, {ay}], angle: {turn}}}, markers: {{B: [{b}, 0], P: [0.5, 0.3]}}}}
  rocker: {{mass: 1.5, inertia: 0.1, centroid: [0.3, 0], pose: {{at: [{d}, 0], angle: {rocker}}}, markers: {{B: [{c}, 0]}}}}
joints:
  O: {{type: revolute, between: [ground.O, crank]}}
  A: {{type: revolute, between: [crank.A, coupler]}}
  B: {{type: revolute, between: [coupler.B, rocker.B]}}
  C: {{type: revolute, between: [ground.C, rocker]}}
loads:
  spring: {{type: spring, between: [ground.S, coupler.P], stiffness: 40, free_length: 0.5, damping: 1.5}}
{drive}
output: {{tip: "x(coupler.P)", rate: "O.angle'"}}
"""


class Inverse(cli.Case):
    def test_a_machine_without_freedom_left_has_the_forces_of_inverse_dynamics(self):
        rng = random.Random(5)
        for _ in range(ROUNDS):
            w = rng.uniform(1, 4)
            drive = f'drives: {{motor: {{coordinate: O.angle, motion: "0.5 + {w}*t^2/2"}}}}\nmotion: {{from: 0, to: 1, step: 0.05}}'
            seed = rng.random()
            inverse = Run(self, "inverse", four_bar(random.Random(seed), drive))
            simulated = Run(self, "simulate", four_bar(random.Random(seed), drive))
            for name in ("motor.effort", "A.Fx", "B.Fy", "C.Fx", "spring.force", "tip"):
                size = max(abs(x) for x in inverse.column(name)) + 1e-300
                for x, y in zip(inverse.column(name), simulated.column(name)):
                    self.assertLess(abs(x - y), 2e-8 * size, name)

    def test_a_fitted_torque_gives_the_motion_back(self):
        """The effort over the crank's angle as a table: simulate must run through the same angles in the same times."""
        motion = 'drives: {motor: {coordinate: O.angle, motion: "0.5 + 2*t"}}\nmotion: {from: 0, to: 3, step: 0.002}'
        inverse = Run(self, "inverse", four_bar(random.Random(11), motion))
        pairs = zip(inverse.column("crank.angle"), inverse.column("motor.effort"))
        table = "angle [rad],torque [N.m]\n" + "".join(f"{a!r},{e!r}\n" for a, e in pairs)
        text = four_bar(random.Random(11), "initial: {O.angle: 0.5, O.angle': 2}\nmotion: {from: 0, to: 2.9, step: 0.1}")
        text = text.replace("loads:\n", "tables: {torque: {file: torque.csv, x: angle, y: torque}}\nloads:\n  motor: {type: torque, to: crank, value: \"torque(O.angle)\"}\n")
        done = cli.run_model(text, "simulate", files={"torque.csv": table})
        self.assertEqual(done.code, 0, done.err)
        for t, angle in zip(done.time, done.series["crank.angle"]):
            self.assertAlmostEqual(angle, 0.5 + 2 * t, delta=2e-6)  # splines of samples 0.004 rad apart are good to 1e-9 of the torque


class Laws(cli.Case):
    def test_two_bodies_that_meet_keep_momentum_and_lose_what_restitution_says(self):
        rng = random.Random(3)
        for _ in range(ROUNDS):
            m, M, u, e = rng.uniform(0.5, 3), rng.uniform(0.5, 3), rng.uniform(1, 4), rng.choice([0, 0.3, 0.8, 1])
            run = Run(self, "simulate", f"""roberval: 1
space: planar
bodies:
  a: {{mass: {m}, inertia: 0.1}}
  b: {{mass: {M}, inertia: 0.1, pose: {{at: [1, 0]}}}}
joints: {{ra: {{type: prismatic, between: [ground, a]}}, rb: {{type: prismatic, between: [ground, b], at: [1, 0]}}}}
stops: {{bump: {{coordinate: "distance(a, b)", min: 0.5, restitution: {e}}}}}
initial: {{x(a)': {u}}}
motion: {{from: 0, to: 1, step: 0.1}}
output: {{va: "x(a)'", vb: "x(b)'"}}
""")
            va, vb = run.column("va")[-1], run.column("vb")[-1]
            self.assertAlmostEqual(m * va + M * vb, m * u, delta=1e-9 * m * u)
            self.assertAlmostEqual(vb - va, e * u, delta=1e-9 * u)
            self.assertAlmostEqual(run.result["integration"]["events"][0]["t"], 0.5 / u, delta=1e-9)
            self.assertAlmostEqual(run.result["integration"]["events"][0]["impulse"], (1 + e) * u * m * M / (m + M), delta=1e-8)

    def test_a_load_that_begins_and_ends_keeps_the_balance_of_energy(self):
        """a constant force has a potential, which is no energy of the machine before it acts"""
        rng = random.Random(31)
        for _ in range(4):
            on, off, x, force, mass = rng.uniform(0.1, 0.4), rng.uniform(0.5, 0.8), rng.uniform(-20, 20), rng.uniform(-9, 9), rng.uniform(0.5, 3)
            run = Run(self, "simulate", f"""
roberval: 1
space: planar
bodies: {{block: {{particle: true, mass: {mass}, pose: {{at: [{x}, 0]}}}}}}
loads: {{push: {{type: force, to: block, value: [{force}, 0], active: "(t > {on})*(t < {off})"}}}}
motion: {{from: 0, to: 1, step: 0.05}}
""")
            self.assertAlmostEqual(run.column("block.vx")[-1], force / mass * (off - on), delta=1e-9)
            self.assertLess(max(abs(e) for e in run.column("energy.error")), 1e-8)

    def test_a_block_on_a_rough_plane_sticks_for_ever_or_slides_as_coulomb_says(self):
        for tilt, slides in ((0.2, False), (0.4, True)):
            g, mu = 9.81, 0.3
            run = Run(self, "simulate", f"""roberval: 1
space: planar
gravity: [{g * math.sin(tilt)}, {-g * math.cos(tilt)}]
bodies: {{block: {{mass: 2, inertia: 0.01}}}}
joints: {{slide: {{type: prismatic, between: [ground, block], friction: {{coefficient: {mu}}}}}}}
motion: {{from: 0, to: {1 if slides else 10000}, step: {0.1 if slides else 1000}}}
""")
            a = g * (math.sin(tilt) - mu * math.cos(tilt)) if slides else 0
            for t, x in zip(run.column("time"), run.column("block.x")):
                self.assertAlmostEqual(x, a * t * t / 2, delta=1e-9 if slides else 1e-15)  # in 10^4 s no more than rounding of one position

    def test_energy_and_vertical_angular_momentum_of_a_free_double_pendulum_in_space(self):
        run = Run(self, "simulate", """roberval: 1
space: spatial
gravity: [0, 0, -9.81]
bodies:
  a: {mass: 2, inertia: [0.1, 0.2, 0.15], centroid: [0.3, 0, 0]}
  b: {mass: 1, inertia: [0.05, 0.08, 0.07], centroid: [0.2, 0.1, 0], pose: {at: [0.6, 0, 0]}}
joints:
  s: {type: spherical, between: [ground, a]}
  h: {type: universal, between: [a, b], at: [0.6, 0, 0]}
initial: {wx(a): 1, wz(a): 2}
motion: {from: 0, to: 5, step: 0.25}
""")
        energy = run.column("energy")
        for x in energy:
            self.assertAlmostEqual(x, energy[0], delta=1e-6)
        self.assertLess(run.result["integration"]["constraint_error"], 1e-12)
        # Weight has no moment about the vertical through the ball: sum m (r x v)_z + (A J A^T w)_z stays.
        parts = {"a": (2, [0.1, 0.2, 0.15], [0.3, 0, 0]), "b": (1, [0.05, 0.08, 0.07], [0.2, 0.1, 0])}
        at = {name: np.array([run.column(f"{name}.{c}") for c in ("x", "y", "z", "vx", "vy", "vz", "omegax", "omegay", "omegaz", "qw", "qx", "qy", "qz")]).T for name in parts}
        momenta = []
        for k in range(len(energy)):
            momentum = np.zeros(3)
            for name, (mass, inertia, centroid) in parts.items():
                place, v, w, (qw, *e) = (at[name][k][i:j] for i, j in ((0, 3), (3, 6), (6, 9), (9, 13)))
                A = np.array([u + 2 * qw * np.cross(e, u) + 2 * np.cross(e, np.cross(e, u)) for u in np.eye(3)]).T
                arm = A @ centroid
                momentum += mass * np.cross(place + arm, v + np.cross(w, arm)) + A @ np.diag(inertia) @ A.T @ w
            momenta.append(momentum)
        momenta = np.array(momenta)
        self.assertGreater(np.ptp(momenta[:, 0]), 0.1)                   # the others do change
        self.assertGreater(abs(momenta[0, 2]), 0.1)
        self.assertLess(np.abs(momenta[:, 2] - momenta[0, 2]).max(), 1e-6)

    def test_damped_motion_ends_where_statics_says(self):
        text = """roberval: 1
space: planar
gravity: [0, -9.81]
bodies:
  ground: {markers: {S: [1, 0.4]}}
  arm: {mass: 1, inertia: 0.1, centroid: [0.4, 0], pose: {angle: -0.3}, markers: {E: [0.8, 0]}}
joints: {O: {type: revolute, between: [ground, arm], damping: 2}}
loads: {spring: {type: spring, between: [ground.S, arm.E], stiffness: 30, free_length: 0.3}}
motion: {from: 0, to: 40, step: 40}
"""
        rest = Run(self, "statics", text)
        moved = Run(self, "simulate", text)
        self.assertAlmostEqual(moved.column("arm.angle")[-1], rest.column("arm.angle")[0], delta=1e-7)
        self.assertAlmostEqual(moved.column("O.Fx")[-1], rest.column("O.Fx")[0], delta=1e-5)


class States(cli.Case):
    def test_a_state_of_the_users_own_is_integrated_with_the_motion(self):
        """A mass on a spring with a controller of second order: against the exponential of its matrix, by scaling and squaring."""
        rng = random.Random(8)
        for _ in range(ROUNDS):
            m, k, c, kp, ki = rng.uniform(1, 3), rng.uniform(20, 60), rng.uniform(0.5, 3), rng.uniform(5, 40), rng.uniform(5, 60)
            run = Run(self, "simulate", f"""roberval: 1
space: planar
parameters: {{kp: {kp}, ki: {ki}}}
bodies: {{cart: {{mass: {m}, inertia: 0.1}}}}
joints: {{rail: {{type: prismatic, between: [ground, cart], damping: {c}}}}}
loads: {{spring: {{type: force, to: cart, value: ["{k}*(0 - rail.distance) + kp*(0.3 - rail.distance) + ki*sum", 0]}}}}
states: {{sum: {{rate: "0.3 - rail.distance - 0.1*slow", start: 0.05}}, slow: {{rate: "sum - slow"}}}}
motion: {{from: 0, to: 3, step: 0.25}}
""")
            A = np.array([[0, 1, 0, 0, 0], [-(k + kp) / m, -c / m, ki / m, 0, 0.3 * kp / m], [-1, 0, 0, -0.1, 0.3], [0, 0, 1, -1, 0], [0, 0, 0, 0, 0]])
            step = np.eye(5)
            term = np.eye(5)
            for n in range(1, 25):
                term = term @ (A * 0.25 / 64) / n
                step = step + term
            step = np.linalg.matrix_power(step, 64)
            y = np.array([0, 0, 0.05, 0, 1.0])
            for x, s, w in zip(run.column("cart.x"), run.column("sum"), run.column("slow")):
                for got, want in ((x, y[0]), (s, y[2]), (w, y[3])):
                    self.assertAlmostEqual(got, want, delta=1e-8)
                y = step @ y

    def test_the_unit_of_a_state_is_that_of_its_rate_times_the_time(self):
        head = "roberval: 1\nspace: planar\nparameters: {far: 3 m}\nbodies: {a: {mass: 2, inertia: 0.1, centroid: [0.3, 0]}}\njoints: {r: {type: revolute, between: [ground, a]}}\nmotion: {from: 0, to: 0.1, step: 0.1}\n"
        for rate, unit, more in (("r.angle", " [rad.s]", ""), ("far - x(a)", " [m.s]", ""), ("2[1/s]*r.angle", " [rad]", ""), ("1[m/s^2]*sin(t)", " [m/s]", ""), ("2*r.angle", "", ""), ("x(a) - s", "", ""),
                                 ("x(a)'", " [m]", ", start: 5 mm"), ("x(a)'", " [m]", ", unit: m")):
            done = cli.run_model(head + f'states: {{s: {{rate: "{rate}"{more}}}}}\n', "simulate")
            self.assertEqual(done.code, 0, done.err)
            self.assertIn("s" + unit, done.columns, rate)

    def test_names(self):
        for text, pattern in (("states: {p: {rate: 1}}\n", "taken by"), ("parameters: {k: 1}\nstates: {k: {rate: 1}}\n", "taken by a parameter"),
                              ('states: {s: {rate: "q"}}\n', "unknown name 'q'"), ('states: {s: {rate: 1}}\nconstraints: {c: {equation: "x(p) - s"}}\n', "state 's' cannot stand here")):
            done = cli.run_model(Wrong.HEAD + text, "simulate")
            self.assertEqual(done.code, 2, done.err)
            self.assertRegex(done.err, pattern)


class Methods(cli.Case):
    STIFF = """roberval: 1
space: planar
gravity: [0, -9.81]
bodies:
  a: {mass: 1, inertia: 0.1, centroid: [0.4, 0]}
  b: {mass: 0.5, inertia: 0.02, centroid: [0.2, 0], pose: {at: [0.8, 0]}}
joints: {O: {type: revolute, between: [ground, a]}, P: {type: revolute, between: [a, b], at: [0.8, 0], damping: 2000}}
loads: {stiff: {type: torsion-spring, joint: P, stiffness: 1e6, free_angle: 0}}
motion: {from: 0, to: 1, step: 0.25}
"""

    def test_a_stiff_motion_is_found_to_be_and_all_methods_agree(self):
        runs = {}
        for method in ("auto", "explicit", "implicit"):
            done = cli.run_model(self.STIFF, "simulate", "--method", method)
            self.assertEqual(done.code, 0, done.err)
            runs[method] = done
        self.assertEqual(runs["auto"].result["integration"]["method"], "explicit, then implicit")
        self.assertLess(3 * runs["auto"].result["integration"]["evaluations"], runs["explicit"].result["integration"]["evaluations"])
        for method in ("auto", "implicit"):
            for name, allowed in (("a.angle", 2e-6), ("b.x", 2e-6), ("O.Fx", 1e-3)):  # the spring makes 1e-3 N m of 1e-9 rad, the tolerance
                size = abs(runs["explicit"].series[name]).max()
                for x, y in zip(runs[method].series[name], runs["explicit"].series[name]):
                    self.assertLess(abs(x - y), allowed * size, name)

    def test_steps_end_at_the_knots_of_tables(self):
        """A force that rises along a line, then stays: exact by parts. Every part is a polynomial, so that no step is refused. And one by a table with a
        hundred knots, a random cubic between each two: the velocity is the spline's integral, exact by Simpson's rule between knots."""
        model = """roberval: 1
space: planar
bodies: {p: {particle: true, mass: 2}}
tables: {f: {file: f.csv, x: t, y: F, outside: hold}}
loads: {push: {type: force, to: p, value: ["f(t)", 0]}}
motion: {from: 0, to: 3, step: 0.1}
output: {v: "x(p)'", F: "f(t)"}
"""
        done = cli.run_model(model, "simulate", files={"f.csv": "t [s],F [N]\n0.35,0\n1.65,4\n"})
        self.assertEqual(done.code, 0, done.err)
        for t, v in zip(done.time, done.series["v"]):
            s = min(max(t - 0.35, 0), 1.3)
            self.assertLess(abs(v - (s * s * 4 / 1.3 / 2 + 4 * max(t - 1.65, 0)) / 2), 1e-13)
        self.assertEqual(done.result["integration"]["rejected"], 0)
        rng = random.Random(5)
        rows = "".join(f"{k / 50!r},{rng.uniform(8, 12)!r}\n" for k in range(151))
        done = cli.run_model(model.replace("step: 0.1", "step: 0.01"), "simulate", files={"f.csv": "t [s],F [N]\n" + rows})
        self.assertEqual(done.code, 0, done.err)
        F, v = done.series["F"], done.series["v"]
        for k in range(0, len(v) - 2, 2):
            self.assertLess(abs(v[k + 2] - v[k] - (F[k] + 4 * F[k + 1] + F[k + 2]) * 0.02 / 6 / 2), 1e-12)
        self.assertEqual(done.result["integration"]["rejected"], 0)
        self.assertLess(done.result["integration"]["steps"], 170)

    def test_what_is_stiff_and_too_large_is_said(self):
        bodies = "".join(f"  p{k}: {{particle: true, mass: 1, pose: {{at: [{k}, 0.1]}}}}\n" for k in range(201))
        loads = "".join(f"  d{k}: {{type: spring, between: [ground.G, p{k}], stiffness: 10, free_length: 0, damping: 1e5}}\n" for k in range(201))
        done = cli.run_model(f"roberval: 1\nspace: planar\nbodies:\n  ground: {{markers: {{G: [-1, 0]}}}}\n{bodies}loads:\n{loads}states: {{clock: {{rate: 1}}}}\nmotion: {{from: 0, to: 0.005, step: 0.005}}\n", "simulate")
        self.assertEqual(done.code, 0, done.err)
        self.assertEqual(done.result["integration"]["method"], "explicit")
        self.assertRegex(" ".join(str(note) for note in done.result["notes"]), "motion is stiff: stability, not the tolerance, bounds the steps. The explicit method goes on with short ones, since the implicit method takes more than 800 unknowns .* without sliding friction, states, control")

    def test_a_stiff_pair_is_the_rigid_pendulum(self):
        """Held so stiffly that the two bars are one: the motion of the two fixed to each other, and of the one compound pendulum, by the energy of its fall."""
        done = cli.run_model(self.STIFF.replace("stiffness: 1e6", "stiffness: 1e9").replace("damping: 2000", "damping: 1e5"), "simulate")
        self.assertEqual(done.code, 0, done.err)
        rigid = cli.run_model(self.STIFF.replace("P: {type: revolute", "P: {type: fixed").replace(", damping: 2000", "").replace("loads: {stiff: {type: torsion-spring, joint: P, stiffness: 1e6, free_angle: 0}}\n", ""), "simulate")
        self.assertEqual(rigid.code, 0, rigid.err)
        moment, inertia = 1 * 0.4 + 0.5 * (0.8 + 0.2), 0.1 + 0.4 ** 2 + 0.02 + 0.5 * 1.0 ** 2
        for x, y, w in zip(done.series["a.angle"], rigid.series["a.angle"], done.series["a.omega"]):
            self.assertLess(abs(x - y), 1e-6)
            self.assertAlmostEqual(inertia * w * w / 2, -9.81 * moment * math.sin(x), delta=1e-5)

    def test_impacts_and_friction_by_the_implicit_method(self):
        text = """roberval: 1
space: planar
gravity: [0, -9.81]
bodies: {ball: {particle: true, mass: 0.4, pose: {at: [0, 1]}}}
stops: {floor: {coordinate: y(ball), min: 0, restitution: 0.5}}
motion: {from: 0, to: 2, step: 0.1}
"""
        done = cli.run_model(text, "simulate", "--method", "implicit")
        self.assertEqual(done.code, 0, done.err)
        t = math.sqrt(2 / 9.81)
        for k, event in enumerate(done.result["integration"]["events"][:5]):
            self.assertAlmostEqual(event["t"], t * (1 + 2 * (1 - 0.5 ** k)), delta=1e-7)
        text = """roberval: 1
space: planar
gravity: [0, -9.81]
bodies: {block: {mass: 2, inertia: 0.1}}
joints: {slide: {type: prismatic, between: [ground, block], friction: {coefficient: 0.3}}}
initial: {slide.distance: 0, slide.distance': 2}
motion: {from: 0, to: 1, step: 0.1}
"""
        done = cli.run_model(text, "simulate", "--method", "implicit")
        self.assertEqual(done.code, 0, done.err)
        a = 0.3 * 9.81
        self.assertEqual([e["kind"] for e in done.result["integration"]["events"]], ["stick"])
        self.assertAlmostEqual(done.result["integration"]["events"][0]["t"], 2 / a, delta=1e-8)
        for at, x, F in zip(done.series["time"], done.series["block.x"], done.series["slide.friction"]):
            rub = min(at, 2 / a)
            self.assertAlmostEqual(x, 2 * rub - a * rub ** 2 / 2, delta=1e-8)
            self.assertAlmostEqual(F, -2 * a if at < 2 / a else 0, delta=1e-8)

    def test_errors_know_how_stiff_the_loads_are(self):
        coarse, fine = (cli.run_model(self.STIFF, "simulate", "--tolerance", t) for t in ("1e-8", "1e-12"))
        for name in ("O.Fx", "O.Fy"):
            joint, component = name.split(".")
            off = abs(coarse.series[name] - fine.series[name]).max()
            if BODIES:
                self.assertGreater(off, 1e-5)  # much more than 1e-8 of 15 N
            self.assertLess(off, 10 * coarse.result["reactions"][joint]["components"][component]["error"])

    def test_a_start_without_forces_is_sure(self):
        """At rest, springs at their free lengths: 0 N, of which the tolerance could change 6e-7 N. Later m x'' of the centroid."""
        done = cli.run_model("""roberval: 1
space: planar
bodies: {ground: {markers: {A: [1, 0]}}, a: {mass: 2, inertia: 0.1, centroid: [0.3, 0]}}
joints: {r: {type: revolute, between: [ground, a]}}
loads: {t: {type: torque, to: a, value: t}, s: {type: spring, between: [ground.A, a], stiffness: 1000, free_length: 1}}
motion: {from: 0, to: 1, step: 0.25}
""", "simulate")
        self.assertEqual(done.code, 0, done.err)
        angle = np.array(done.series["time"]) ** 3 / 6 / (0.1 + 2 * 0.09)
        rate, second = np.array(done.series["time"]) ** 2 / 2 / 0.28, np.array(done.series["time"]) / 0.28
        self.near(done.series["r.Fx"], -2 * 0.3 * (rate**2 * np.cos(angle) + second * np.sin(angle)), 1e-6)
        components = done.result["reactions"]["r"]["components"]
        self.assertEqual([components[c]["verdict"] for c in ("Fx", "Fy")], ["unique", "unique"])
        self.assertTrue((5e-7 if BODIES else 0) < components["Fx"]["error"] < 1e-6)

    def test_what_has_died_out_is_as_sure_as_it_was(self):
        """A body with one point held whose spin is damped, I w' = -w: m w^2 r = 3.3 N at first, and e^(-40) of it at the end."""
        done = cli.run_model("""roberval: 1
space: planar
bodies: {a: {mass: 2, inertia: 0.02, centroid: [0.3, 0]}}
joints: {r: {type: revolute, between: [ground, a], damping: 0.2}}
initial: {r.angle': 3, r.angle: 0}
motion: {from: 0, to: 20, step: 0.5}
""", "simulate")
        self.assertEqual(done.code, 0, done.err)
        w = 3 * np.exp(-np.array(done.series["time"]))
        self.near(np.hypot(done.series["r.Fx"], done.series["r.Fy"]), 2 * 0.3 * w * np.hypot(w, 1), 1e-7)
        self.assertEqual([done.result["reactions"]["r"]["components"][c]["verdict"] for c in ("Fx", "Fy")], ["unique", "unique"])

    def test_what_has_no_mass_may_stand(self):
        """a table without mass on legs that are too many: its accelerations are rounding of 1e-24 m/s^2, which its audit took for some; forces balance the load"""
        for seed in range(4):
            r = random.Random(f"table {seed}")
            at = {n: [r.uniform(-1, 1), r.uniform(-1, 1), 0] for n in "abcde"[:r.choice([4, 5])]}
            jug, load = [r.uniform(-1, 1), r.uniform(-1, 1), 0], -400
            joints = {n: {"type": "inplane", "between": ["ground", f"table.{n}"]} for n in at}
            joints.update({"stop_x": {"type": "x", "between": ["ground", "table"]}, "stop_y": {"type": "y", "between": ["ground", "table"]}, "stop_turn": {"type": "y", "between": ["ground", "table.a"]}})
            done = cli.run_model({"roberval": 1, "space": "spatial", "bodies": {"table": {"markers": {**at, "jug": jug}}}, "joints": joints,
                                  "loads": {"jug": {"type": "force", "to": "table.jug", "value": [0, 0, load]}}, "motion": {"from": 0, "to": 0, "step": 1}}, "simulate")
            self.assertEqual(done.code, 0, done.err)
            legs = {n: done.series[f"{n}.Fz"][0] for n in at}
            for weight in ((lambda p: 1), (lambda p: p[0]), (lambda p: p[1])):
                self.near(sum(legs[n] * weight(at[n]) for n in at), -load * weight(jug), 1e-9)       # of 400 N

    def test_a_rigid_lattice_stands_still(self):
        """9 x 9 particles on links, many more than needed: nothing moves, rates are rounding of 1e-80, and both supports carry the weight between them"""
        bodies = {f"p{i}_{j}": {"particle": True, "mass": 1, "pose": {"at": [i, j]}} for i in range(9) for j in range(9)}
        pairs = [(f"p{i}_{j}", f"p{i + k}_{j + m}") for i in range(9) for j in range(9) for k, m in ((1, 0), (0, 1), (1, 1), (1, -1)) if f"p{i + k}_{j + m}" in bodies]
        joints = {f"l{n}": {"type": "link", "between": list(pair)} for n, pair in enumerate(pairs)}
        joints.update({"ax": {"type": "x", "between": ["ground", "p0_0"]}, "ay": {"type": "y", "between": ["ground", "p0_0"]}, "by": {"type": "y", "between": ["ground", "p8_0"]}})
        done = cli.run_model({"roberval": 1, "space": "planar", "gravity": [0, -9.81], "bodies": bodies, "joints": joints, "motion": {"from": 0, "to": 1, "step": 0.25}}, "simulate")
        self.assertEqual(done.code, 0, done.err)
        self.near(done.series["ay.Fy"] + done.series["by.Fy"], np.full(5, 81 * 9.81), 1e-9 * 81 * 9.81)
        self.near(done.series["p8_8.y"], np.full(5, 8.0), 1e-12)

    def test_no_such_method(self):
        done = cli.run_model(self.STIFF, "simulate", "--method", "euler")
        self.assertEqual(done.code, 2)
        self.assertRegex(done.err, "auto, explicit and implicit")


class Wrong(cli.Case):
    def refused(self, text, status, pattern):
        done = cli.run_model(text, "simulate")
        self.assertEqual(done.code, status, done.err)
        self.assertRegex(done.err, pattern)

    HEAD = "roberval: 1\nspace: planar\nbodies: {p: {particle: true, mass: 1}}\nmotion: {from: 0, to: 1, step: 0.1}\n"

    def test_stops(self):
        self.refused(self.HEAD + "stops: {s: {coordinate: x(p), min: 1}}\n", 2, "stop 's' is passed at the start")
        self.refused(self.HEAD + "stops: {s: {coordinate: x(p)}}\n", 2, "neither min nor max")
        self.refused(self.HEAD + "stops: {s: {coordinate: x(p), min: 2, max: 1}}\n", 2, "below its max")
        self.refused(self.HEAD + "stops: {s: {coordinate: x(p), min: -1, restitution: 1.5}}\n", 2, "between 0 and 1")

    def test_what_engages_must_fit(self):
        self.refused(self.HEAD + 'constraints: {c: {equation: "x(p) - 1", active: "t > 0.5"}}\n', 1, "'c' engages where it does not fit")

    def test_events(self):
        self.refused(self.HEAD + 'events: {e: {when: "1"}}\n', 2, "depends on nothing that changes")


if __name__ == "__main__":
    cli.main()
