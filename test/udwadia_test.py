#!/usr/bin/env python3
"""assemble --udwadia: the worked examples of Udwadia's non-ideal constraints through the command line, and every vector and matrix against the formulas with numpy's pseudo-inverse."""
import math
import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "py"))
import numpy as np      # noqa: E402
import cli              # noqa: E402

SPEED = "sqrt(x(p)'^2 + y(p)'^2 + z(p)'^2)"
NONHOLONOMIC = """roberval: 1
space: spatial
gravity: [0, 0, -9.81]
bodies: {p: {particle: true, mass: 2, pose: {at: [1, 2, 0.5]}}}
loads: {push: {type: force, to: p, value: [1, -2, 0]}}
constraints: {row: {velocity: "y(p)' - z(p)*x(p)'"WORK}}
initial: {x(p): 1, y(p): 2, z(p): 0.5, x(p)': 0.3, z(p)': -0.4}
"""
DRAG = ", nonideal: {" + ", ".join(f"\"{c}(p)\": \"-0.7*{SPEED}*{c}(p)'\"" for c in "xyz") + "}"

PENDULUM = f"""roberval: 1
space: planar
gravity: [0, -9.81]
bodies: {{p: {{particle: true, mass: 3, pose: {{at: [{1.5 * math.sin(0.4)!r}, {-1.5 * math.cos(0.4)!r}]}}}}}}
constraints:
  once: {{equation: "x(p)^2 + y(p)^2 - 2.25"}}
  again: {{equation: "-3*x(p)^2 - 3*y(p)^2 + 6.75"}}
initial: {{x(p): {1.5 * math.sin(0.4)!r}, x(p)': {3 * math.cos(0.4)!r}}}
"""

WIRE = f"""roberval: 1
space: planar
bodies: {{p: {{particle: true, mass: 0.5, pose: {{at: [{0.8 * math.cos(0.6)!r}, {0.8 * math.sin(0.6)!r}]}}}}}}
constraints: {{wire: {{equation: "y(p)*cos(2*t) - x(p)*sin(2*t)"}}}}
initial: {{x(p): {0.8 * math.cos(0.6)!r}, x(p)': {0.25 * math.cos(0.6) - 1.6 * math.sin(0.6)!r}}}
motion: {{from: 0.3, to: 1, step: 0.1}}
"""

BEAD = """roberval: 1
space: planar
gravity: [0, -9.81]
bodies: {p: {particle: true, mass: 0.4, pose: {at: [0.6, 0.36]}}}
constraints:
  wire: {equation: "y(p) - x(p)^2", nonideal: {x(p): "-0.2*abs(wire.effort)*sqrt(1 + 4*x(p)^2)*x(p)'/sqrt(x(p)'^2 + y(p)'^2)", y(p): "-0.2*abs(wire.effort)*sqrt(1 + 4*x(p)^2)*y(p)'/sqrt(x(p)'^2 + y(p)'^2)"}}
initial: {x(p): 0.6, x(p)': 1.1}
"""

# name: (model, A, b, C, acceleration, Q_i, Q_ni), of the worked examples, computed once by formulas from their data; the pendulum and the wire also by their closed forms
EXAMPLES = {
    "nonholonomic": (NONHOLONOMIC.replace("WORK", ""), [[-0.5, 1, 0]], [-0.12], None, [0.048, -0.096, -9.81], [-0.904, 1.808, 0], [0, 0, 0]),
    "nonholonomic with work": (NONHOLONOMIC.replace("WORK", DRAG), [[-0.5, 1, 0]], [-0.12], [-0.10962321834356077, -0.054811609171780386, 0.1461642911247477],
                               [-0.006811609171780364, -0.12340580458589012, -9.736917854437626], [-0.904, 1.808, 0], [-0.10962321834356077, -0.054811609171780386, 0.1461642911247477]),
    "pendulum, stated twice": (PENDULUM, [[1.1682550269259515, -2.763182982008655], [-3.5047650807778545, 8.289548946025965]], [-18, 54], None,
                               [-5.855141679714059, 4.038712373365145], [-17.565425039142177, 41.54613712009544], [0, 0]),
    "turning wire": (WIRE, [[-0.5646424733950353, 0.8253356149096784]], [1], None, [-0.5646424733950353, 0.8253356149096787], [-0.2823212366975178, 0.41266780745483955], [0, 0]),
    "rough bead": (BEAD, [[-1.2, 1]], [2.42], [-0.4009836065573771, -0.48118032786885245], [-7.0172131147540995, -6.0006557377049194], [-2.4059016393442625, 2.004918032786885],
                   [-0.4009836065573771, -0.4811803278688524]),
}

CARTS = """roberval: 1
space: planar
generalized:
  coordinates: {x1: {start: 0.1, rate: 0.3}, q1: {start: -0.15, rate: -0.1}, x2: {start: -0.05, rate: 0.2}}
  mass: [[1, 0, 0], [0, 0, 0], [0, 0, 2]]
  force: ["-50*x1", "-80*q1", 0]
constraints: {tie: {equation: "x2 - x1 - q1"}}
"""

ARM = """roberval: 1
space: spatial
gravity: [0, 0, -9.81]
bodies:
  a: {mass: 2, inertia: [0.1, 0.2, 0.25, 0.01, 0, 0.02], pose: {at: [0.5, 0, 0], rotate: {axis: [0, 1, 0], angle: 0.3}}, markers: {P: [0.5, 0, 0]}}
  b: {mass: 1, inertia: [0.05, 0.04, 0.06], pose: {at: [1.4, 0, -0.2]}, markers: {P: [-0.4, 0, 0]}}
joints:
  A: {type: revolute, between: [ground, a], at: [0, 0, 0], axis: [0, 1, 0]}
  B: {type: spherical, between: [a.P, b.P]}
drives: {motor: {coordinate: A.angle, motion: "0.2*sin(3*t)"}}
initial: {wx(b): 0.4, wy(b): -0.7, wz(b): 1.1}
"""


class Udwadia(cli.Case):
    def solve(self, text, root="symmetric", code=0):
        run = cli.run_model(text, "assemble", "--udwadia", root)
        self.assertEqual(run.code, code, run.said())
        return run.result["udwadia"] if code == 0 else run

    def test_the_worked_examples(self):
        for name, (text, A, b, C, acceleration, ideal, nonideal) in EXAMPLES.items():
            for root in ("symmetric", "cholesky"):
                with self.subTest(name, root=root):
                    u = self.solve(text, root)
                    self.assertEqual(u["rank"], 1)
                    np.testing.assert_allclose(u["A"], A, atol=1e-12)
                    np.testing.assert_allclose(u["b"], b, atol=1e-11)
                    if C:
                        np.testing.assert_allclose(u["C"], C, atol=1e-12)
                    np.testing.assert_allclose(u["acceleration"], acceleration, atol=1e-11)
                    np.testing.assert_allclose(u["Q_i"], ideal, atol=1e-11)
                    np.testing.assert_allclose(u["Q_ni"], nonideal, atol=1e-11)

    def test_every_part_against_the_formulas(self):
        for text in [example[0] for example in EXAMPLES.values()] + [ARM]:
            for root in ("symmetric", "cholesky"):
                u = {k: np.array(v) if isinstance(v, list) and k not in ("coordinates", "rows") else v for k, v in self.solve(text, root).items()}
                M, Q, A, b = u["M"], u["Q"], u["A"], u["b"]
                C = u.get("C", np.zeros(len(Q)))
                values, vectors = np.linalg.eigh(M)
                S = vectors @ np.diag(np.sqrt(values)) @ vectors.T if root == "symmetric" else np.linalg.cholesky(M)
                B = A @ np.linalg.inv(S).T
                plus = np.linalg.pinv(B, rcond=1e-10)
                a = np.linalg.solve(M, Q)
                e = b - A @ a
                ideal, nonideal = S @ plus @ e, S @ (np.eye(len(Q)) - plus @ B) @ np.linalg.solve(S, C)
                size = 1e-10 * max(1, np.abs(Q).max(), np.abs(M).max(), np.abs(plus).max())
                for name, want in (("S", S), ("B", B), ("B_plus", plus), ("a", a), ("e", e), ("c", np.linalg.solve(M, C)), ("Q_i", ideal), ("Q_ni", nonideal), ("Q_c", ideal + nonideal),
                                   ("acceleration", a + np.linalg.solve(M, ideal + nonideal)), ("deviation", np.linalg.solve(M, ideal + nonideal))):
                    np.testing.assert_allclose(u[name], want, atol=size, err_msg=name)
                # virtual displacements: A v = 0, orthonormal in M, as many as there are freedoms
                self.assertEqual(len(u["basis"]), len(Q) - u["rank"])
                np.testing.assert_allclose(u["basis"] @ A.T, 0, atol=1e-11)
                np.testing.assert_allclose(u["basis"] @ M @ u["basis"].T, np.eye(len(Q) - u["rank"]), atol=1e-11)
                # Gauss: the least of (q'' - a)^T M (q'' - a)
                delta = np.linalg.solve(M, ideal)
                self.assertAlmostEqual(u["gauss"], delta @ M @ delta, delta=1e-9 * max(1, u["gauss"]))
                for check in ("orthogonality_error", "ideal_work_error", "work_error", "penrose_error", "formula_error", "gauss_error", "inconsistency"):
                    self.assertLess(abs(u[check]), 1e-9, check)

    def test_names_are_the_users(self):
        u = self.solve(ARM)
        self.assertEqual(u["coordinates"][:4], ["a x", "a y", "a z", "a turn about x"])
        self.assertIn("drive 'motor'", u["rows"])
        self.assertEqual(len(u["rows"]), len(u["b"]))
        self.assertNotIn("udwadia", cli.run_model(ARM, "assemble").result)

    def test_a_singular_mass_matrix(self):
        # two carts with the stretch of their spring as a coordinate without mass: the accelerations of the carts alone, lambda = -12 N
        u = self.solve(CARTS)
        self.assertEqual(u["coordinates"], ["x1", "q1", "x2"])
        np.testing.assert_allclose(u["acceleration"], [-50 * 0.1 - 80 * 0.15, (80 * 0.15) / 2 + 50 * 0.1 + 80 * 0.15, 80 * 0.15 / 2], atol=1e-11)
        self.assertAlmostEqual(abs(u["multipliers"][0]), 12, places=10)
        self.assertTrue(all(x is None for x in u["a"] + u["e"]))     # there is no M^-1

    def test_what_has_no_answer_is_said(self):
        text = "roberval: 1\nspace: planar\nbodies: {" + ", ".join(f"p{k}: {{particle: true, mass: 1}}" for k in range(31)) + "}\n"
        self.assertIn("--udwadia writes full matrices, of 1 to 60 coordinates and up to as many equations; the model has 62 and 0", self.solve(text, code=2).err)
        self.assertIn("accelerations are not unique", self.solve(CARTS.replace("constraints: {tie: {equation: \"x2 - x1 - q1\"}}\n", ""), code=1).err)
        self.assertIn("--udwadia is symmetric or cholesky", self.solve(ARM, "root", code=2).err)


if __name__ == "__main__":
    unittest.main()
