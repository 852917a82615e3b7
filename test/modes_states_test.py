#!/usr/bin/python3
# ctest: polar natural joint
"""Modes of what controllers, conditions, stops, friction and generalized coordinates add: roots of polynomials and of textbook matrices by numpy, transfer functions, and small motions of simulate."""
import random
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent / "py"))
import cli  # noqa: E402

G = 9.81
MASS, ARM, INERTIA = 2.0, 0.5, 0.1
J = INERTIA + MASS * ARM ** 2

# A rod that lies level on a controller's torque: its weight has no stiffness there.
PENDULUM = f"""roberval: 1
space: planar
gravity: [0, -{G}]
parameters: {{Kp: 40, Kd: 5, Ki: 30}}
bodies: {{rod: {{mass: {MASS}, inertia: {INERTIA}, centroid: [{ARM}, 0]}}}}
joints: {{hinge: {{type: revolute, between: [ground, rod]}}}}
states: {{integral: {{rate: "-hinge.angle", start: "{MASS * G * ARM}/Ki"}}}}
loads:
  control: {{type: torque, to: rod, value: "-Kp*hinge.angle - Kd*hinge.angle' + Ki*integral"}}
  hand: {{type: torque, to: rod, value: 0}}
initial: {{hinge.angle: 0, hinge.angle': 0}}
motion: {{from: 0, to: 0.2, step: 0.2}}
"""

# A block on a table, and another on a spring beside it; what is in it is filled in.
BLOCKS = """roberval: 1
space: planar
bodies: {a: {mass: 3, inertia: 1, pose: {at: [1, 0]}}, b: {mass: 2, inertia: 1, pose: {at: [2, 0]}}}
joints: {one: {type: prismatic, between: [ground, a]FRICTION}, two: {type: prismatic, between: [a, b]}}
loads:
  link: {type: spring, between: [a, b], stiffness: 50, free_length: 1}
  pull: {type: force, to: a, value: [PULL, -30]}
  more: {type: spring, between: [ground, b], stiffness: 70, free_length: 2, active: "t > 1[s]"}
stops: {wall: {coordinate: one.distance, min: 1}}
initial: {one.distance: PLACE, one.distance': SPEED, two.distance: 1, two.distance': 0}
"""


def same_roots(case, got, want, tol=1e-9):
    got, want = list(got), [w for w in want if w.imag >= -1e-9 * max(1, abs(w))]
    case.assertEqual(len(got), len(want), f"{got} for {want}")
    for w in want:
        best = min(got, key=lambda g: abs(g - w))
        case.assertLessEqual(abs(best - w), tol * max(abs(x) for x in want), f"{got} for {want}")
        got.remove(best)


class States(cli.Case):
    def modes(self, text, *flags):
        run = cli.run_model(text, "modes", "--json", *flags, out=False, quiet=False)
        self.assertEqual(run.code, 0, run.said())
        document = run.json()
        return [complex(*m["eigenvalue"]) for m in document["modes"]], document, run

    def test_a_controller_closes_the_loop(self):
        """J s^3 + Kd s^2 + Kp s + Ki = 0; the shape of the integral is that of the angle over -s"""
        draw = random.Random(1)
        for _ in range(5):
            Kp, Kd, Ki = draw.uniform(5, 60), draw.uniform(0.5, 9), draw.uniform(1, 90)
            got, document, _ = self.modes(PENDULUM, "--set", f"Kp={Kp!r}", "--set", f"Kd={Kd!r}", "--set", f"Ki={Ki!r}")
            same_roots(self, got, np.roots([J, Kd, Kp, Ki]))
            self.assertEqual(document["linearised"]["about"], "equilibrium")
            for mode in document["modes"]:
                s, angle, integral = complex(*mode["eigenvalue"]), complex(*mode["shape"]["hinge.angle"]), complex(*mode["shape"]["integral"])
                self.assertLessEqual(abs(integral * s + angle), 1e-9 * (abs(angle) + abs(s)))

    def test_units_of_states_play_no_part(self):
        """An actuator of first order whose pressure is counted in units of any size: J s^2 (T s + 1) + Kd s + Kp = 0"""
        T, Kp, Kd = 0.05, 30.0, 4.0
        want = np.roots([J * T, J, Kd, Kp])
        for unit in [1e-7, 1.0, 1e9]:
            text = PENDULUM.replace("states: {integral: {rate: \"-hinge.angle\", start: \"%s/Ki\"}}" % (MASS * G * ARM),
                                    "states: {pressure: {rate: \"((-Kp*hinge.angle - Kd*hinge.angle' + %r)*%r - pressure)/%r\", start: %r}}" % (MASS * G * ARM, unit, T, MASS * G * ARM * unit))
            text = text.replace("-Kp*hinge.angle - Kd*hinge.angle' + Ki*integral\"", f"pressure/{unit!r}\"")
            got, _, _ = self.modes(text, "--set", f"Kp={Kp}", "--set", f"Kd={Kd}")
            same_roots(self, got, want, 1e-8)

    def test_states_that_change(self):
        """An integral that is off moves: a note says that this is no equilibrium, and the machine accelerates"""
        _, document, run = self.modes(PENDULUM.replace("/Ki\"}}", "/Ki\"}, clock: {rate: 1, start: 0}}"))
        self.assertEqual(document["linearised"]["about"], "state")
        self.assertIn("the state 'clock' changes", run.err)
        self.assertEqual(sum(abs(complex(*m["eigenvalue"])) < 1e-9 for m in document["modes"]), 1)

    def test_where_it_becomes_unstable(self):
        """Hurwitz: at Ki = Kp Kd / J two roots are i sqrt(Kp / J)"""
        run = cli.run_model(PENDULUM, "modes", "--follow", "Ki=100..500")
        self.assertEqual(run.code, 0, run.said())
        event, = run.result["follow"]["events"]
        self.assertEqual(event["kind"], "flutter")
        self.assertLessEqual(abs(event["at"] - 40 * 5 / J), 1e-6 * event["at"])
        self.assertLessEqual(abs(event["eigenvalue"][1] - (40 / J) ** 0.5), 1e-6 * 10)
        for k, Ki in enumerate(run.series["Ki"]):
            want = np.roots([J, 5, 40, Ki])
            got = [complex(run.series[f"mode{n}.re"][k], run.series[f"mode{n}.im"][k]) for n in (1, 2)]
            same_roots(self, got, want, 1e-7)

    def test_transfer_function(self):
        """angle/torque = s / (J s^3 + Kd s^2 + Kp s + Ki), integral/torque = -1/(...), and an output that reads a state"""
        text = PENDULUM + 'output: {own: "integral^2 + 3*integral"}\n'
        _, document, _ = self.modes(text, "--inputs", "hand", "--outputs", "hinge.angle,integral,own")
        space = document["state_space"]
        A, B, C, D = (np.array(space[x]) for x in "ABCD")
        self.assertEqual([s["name"] for s in space["states"]], ["hinge.angle", "hinge.angle'", "integral"])
        for w in [0.1, 1.0, 7.0, 50.0]:
            s = 1j * w
            got = C @ np.linalg.solve(s * np.eye(3) - A, B) + D
            below = J * s ** 3 + 5 * s ** 2 + 40 * s + 30
            own = -(2 * MASS * G * ARM / 30 + 3) / below
            for value, want in zip(got[:, 0], [s / below, -1 / below, own]):
                self.assertLessEqual(abs(value - want), 1e-8 * abs(want))

    def test_simulate_moves_as_the_matrices_say(self):
        """A small deviation after 0.2 s is exp(A t) times the first; what is left out is of second order"""
        _, document, _ = self.modes(PENDULUM, "--inputs", "hand", "--outputs", "hinge.angle")
        A = np.array(document["state_space"]["A"])
        values, vectors = np.linalg.eig(A)
        step = (vectors @ np.diag(np.exp(0.2 * values)) @ np.linalg.inv(vectors)).real
        d = 1e-5
        ends = []
        for sign in (1, -1):
            text = PENDULUM.replace("initial: {hinge.angle: 0, hinge.angle': 0}", f"initial: {{hinge.angle: {sign * d}, hinge.angle': {-2 * sign * d}}}")
            text = text.replace("/Ki\"}", f"/Ki + {3 * sign * d}\"}}")
            run = cli.run_model(text, "simulate", "--tolerance", "1e-12")
            self.assertEqual(run.code, 0, run.said())
            ends.append(np.array([run.series[n][-1] for n in ("hinge.angle", "hinge.angle'", "integral")]))
        got = (ends[0] - ends[1]) / (2 * d)
        self.assertLessEqual(np.abs(got - step @ np.array([1, -2, 3])).max(), 1e-6) # tolerance 1e-12 over d, and d^2

    def test_generalized(self):
        """A system by its own equations: M, K, D of textbooks at its equilibrium, and a state that moves, by differences of its own right-hand side"""
        draw = random.Random(2)
        for _ in range(4):
            m, k1, k2, c, u0 = (draw.uniform(0.5, 3) for _ in range(5))
            text = f"""roberval: 1
space: planar
generalized:
  coordinates: {{u: {{start: {u0!r}, rate: 0}}, w: {{start: 0, rate: 0}}}}
  mass: [["{m!r}*(1 + u^2)", "0.3*u"], ["0.3*u", 1]]
  force: ["-{k1!r}*(u - {u0!r}) + {k2!r}*w - {c!r}*u'", "{k2!r}*(u - {u0!r}) - {k1!r}*w^3 - {k2!r}*w"]
"""
            M = np.array([[m * (1 + u0 ** 2), 0.3 * u0], [0.3 * u0, 1]])
            K, D = np.array([[k1, -k2], [-k2, k2]]), np.array([[c, 0], [0, 0]])
            A = np.block([[np.zeros((2, 2)), np.eye(2)], [-np.linalg.solve(M, K), -np.linalg.solve(M, D)]])
            for flags in [(), ("--start", "statics")]:
                got, document, _ = self.modes(text, *flags)
                same_roots(self, got, np.linalg.eigvals(A))
                self.assertLessEqual(abs(sum(document["modes"][0]["participation"].values()) - 1), 1e-12)
            # with a state of its own, and on the move
            text = text.replace("start: 0, rate: 0}}", "start: 0.4, rate: -0.7}}").replace(f"- {c!r}*u'", f"- {c!r}*u' + p") + 'states: {p: {rate: "w*u - 2*p", start: 0.6}}\n'

            def rate(z):
                u, w, du, dw, p = z
                M = np.array([[m * (1 + u ** 2), 0.3 * u], [0.3 * u, 1]])
                a = np.linalg.solve(M, np.array([-k1 * (u - u0) + k2 * w - c * du + p, k2 * (u - u0) - k1 * w ** 3 - k2 * w]))
                return np.array([du, dw, a[0], a[1], w * u - 2 * p])
            z = np.array([u0, 0.4, 0, -0.7, 0.6], complex)
            A = np.array([rate(z + 1e-30j * e).imag / 1e-30 for e in np.eye(5)]).T
            got, document, _ = self.modes(text)
            same_roots(self, got, np.linalg.eigvals(A))
            self.assertEqual(document["linearised"]["about"], "state")

    def blocks(self, pull=0, friction="", at=1.5, rate=0):
        return BLOCKS.replace("FRICTION", friction).replace("PULL", str(pull)).replace("PLACE", str(at)).replace("SPEED", str(rate))

    def test_conditions(self):
        """A spring that acts from t = 1 s: its stiffness is there, or not"""
        text = self.blocks().replace("free_length: 2", "free_length: 2.5")
        for at, stiffness in [(0.5, 0), (2, 70)]:
            M, K = np.diag([3.0, 2.0]), np.array([[50.0, -50], [-50, 50 + stiffness]])
            squares = np.linalg.eigvals(np.linalg.solve(M, K))
            got, _, _ = self.modes(text, "--from", str(at))
            same_roots(self, got, [1j * max(0, s.real) ** 0.5 for s in squares], 1e-7)

    def test_what_drives_let_go(self):
        """A drive that holds no more leaves its freedom; one that does takes it out"""
        text = self.blocks().replace("stops:", 'drives: {hold: {coordinate: one.distance, motion: 1.5, active: "t < 1[s]"}}\nstops:')
        text = text.replace("one.distance: 1.5, one.distance': 0, ", "").replace("free_length: 2", "free_length: 2.5")
        got, _, _ = self.modes(text, "--from", "0.5")
        same_roots(self, got, [5j])
        text = text.replace("initial: {", "initial: {one.distance: 1.5, one.distance': 0, ")
        got, _, _ = self.modes(text, "--from", "2")
        self.assertEqual(len(got), 2)

    def test_stops(self):
        """Pressed, a stop holds: sqrt(k/m) is left. Pulled away from it, or beside it, it does not."""
        spread = [0, 1j * (50 * (1 / 3 + 1 / 2)) ** 0.5]
        for pull, at, want in [(-4, 1, [5j]), (4, 1, spread), (-4, 1.5, spread)]:
            got, _, run = self.modes(self.blocks(pull, at=at))
            same_roots(self, got, want, 1e-7)
            self.assertEqual("these hold in this state: 'wall'" in run.err, want == [5j], run.err)

    def test_friction(self):
        """Within its limit of 0.2*30 N friction holds the first block; beyond, or where it slides, it does not"""
        spread = [0, 1j * (50 * (1 / 3 + 1 / 2)) ** 0.5]
        friction = ", friction: {coefficient: 0.2}"
        for pull, rate, want, word in [(5, 0, [5j], "sticks in 'one'"), (7, 0, spread, "slides in 'one'"), (5, 0.1, spread, "slides in 'one'")]:
            got, _, run = self.modes(self.blocks(pull, friction, rate=rate))
            same_roots(self, got, want, 1e-7)
            self.assertIn(word, run.err)

    def test_at_rest(self):
        """--start statics: what is pressed and what rubs holds, along a parameter too"""
        text = self.blocks(-4, ", friction: {coefficient: 0.2}").replace("[PULL", "[-4").replace("stiffness: 50", "stiffness: k").replace("space: planar", "space: planar\nparameters: {k: 50}", 1)
        got, _, run = self.modes(text, "--start", "statics")
        same_roots(self, got, [5j], 1e-7)
        self.assertIn("sticks in 'one'", run.err)
        run = cli.run_model(self.blocks(-4).replace("stiffness: 50", "stiffness: k").replace("space: planar", "space: planar\nparameters: {k: 50}", 1), "modes", "--start", "statics", "--follow", "k=50..200")
        self.assertEqual(run.code, 0, run.said())
        for k, im in zip(run.series["k"], run.series["mode1.im"]):
            self.assertLessEqual(abs(im - (k / 2) ** 0.5), 1e-8)

    def test_refusals(self):
        """A rope of no mass beside states; masses that are not symmetric"""
        text = PENDULUM.replace("bodies: {", "bodies: {pin: {mass: 0, inertia: 0, pose: {at: [0, 1]}}, ").replace("loads:", "loads:\n  b: {type: bushing, between: [ground.up, pin], stiffness: [10, 10, 1]}")
        text = text.replace("bodies: {", "bodies: {ground: {markers: {up: [0, 1]}}, ")
        run = cli.run_model(text, "modes", out=False)
        self.assertEqual(run.code, 1, run.said())
        self.assertIn("beside states: of the model's own", run.err)


if __name__ == "__main__":
    cli.main()
