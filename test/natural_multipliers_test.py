"""Multipliers of natural coordinates as the forces they stand for, and reactions by the equations of each body.

Sources: published and independently computed problems (D1, D3, D4, P2, P3 of the theory's reference), whose multipliers are those of the same points; and the reactions that inverse prints, which come of the
multipliers of joints on bodies in absolute rows: another matrix, other masses. 12 digits given: 1e-9 off values of 100, 1e-7 where the pose is found from rounded lengths."""
import math
import os
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "py"))
import cli                      # noqa: E402
import cases_test as plane      # noqa: E402
import space_reference_test as space  # noqa: E402

NATURAL = ("--coordinates", "natural", "--frame", "ground")
EXAMPLES = os.path.join(os.environ.get("ROBERVAL_SOURCE", os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")), "examples")
PLANAR, SPATIAL = ("Fx", "Fy", "Tz"), ("Fx", "Fy", "Fz", "Tx", "Ty", "Tz")


class Multipliers(cli.Case):
    def solved(self, m, *flags):
        done = self.ok(m, "inverse", *NATURAL, *flags)
        self.assertLess(done.result["natural"]["residual"], 1e-13)
        return done

    def row(self, done, holds, body=None):
        found = [r for r in done.result["natural"]["multipliers"] if r["holds"] == holds and (body is None or r.get("body") == body)]
        self.assertEqual(len(found), 1, [r["holds"] for r in done.result["natural"]["multipliers"]])
        return found[0]

    def element(self, done, body, joint, want, tol, part="F"):
        self.near(done.result["natural"]["elements"][body][joint][part], want, tol, f"{body} {joint} {part}")

    def against_reactions(self, done):
        """Where an element's wrench is unique, it is the printed reaction; how many numbers that were."""
        count, size = 0, max(abs(x[0]) for k, x in done.series.items() if k.split(".")[-1] in SPATIAL)
        for body, joints in done.result["natural"]["elements"].items():
            for joint, e in joints.items():
                sign = 1 if done.result["reactions"][joint]["on"] == body else -1
                names = SPATIAL if len(e["F"]) == 3 else PLANAR
                for name, x in zip(names, e["F"] + e["T"]):
                    if e["verdict"] == "unique" and f"{joint}.{name}" in done.series:
                        self.near(sign * x, done.series[f"{joint}.{name}"][0], 1e-11 * size, f"{body} {joint}.{name}")
                        count += 1
        return count


class Published(Multipliers):
    def test_four_bar(self):
        """D1: lambda = (45.0475252508, 9.63626473569, -21.4701887717) of the three bars: tensions N = 2 lambda L"""
        m = plane.four_bar()
        m["loads"] = {"push": {"type": "force", "to": "coupler.E", "value": [10, -20], "frame": "ground"}, "twist": {"type": "torque", "to": "rocker", "value": 5},
                      "strut": {"type": "spring", "between": ["ground.D", "coupler.P"], "stiffness": 300, "free_length": 1.1, "damping": 15}}
        done = self.solved(m)
        for body, lam, L in (("crank", 45.0475252508, 1), ("coupler", 9.63626473569, 2.6), ("rocker", -21.4701887717, 1.9)):
            rows = [r for r in done.result["natural"]["multipliers"] if r.get("body") == body]
            self.assertEqual([(r["meaning"], r["unit"], r["verdict"]) for r in rows], [("tension", "N", "unique")])
            self.near([rows[0]["value"], rows[0]["lambda"]], [2 * lam * L, lam], 1e-7, body)
        self.near(self.row(done, "motion")["value"], 74.2997166629, 1e-7)
        self.element(done, "crank", "A", (-115.38367051, -25.2363721852), 1e-7)
        self.element(done, "coupler", "P1", (-107.269346999, -11.4653890617), 1e-7)
        self.element(done, "crank", "P1", (107.269346999, 11.4653890617), 1e-7)
        self.element(done, "rocker", "P2", (-24.9904915378, -73.8648067376), 1e-7)
        self.element(done, "rocker", "B", (-17.1147527114, 97.073795636), 1e-7)

    def test_bar_through_a_sleeve(self):
        """D3: the slide is held by rows; its normal force and couple are in the bar's axes, -34.3578747707 N along rot(e), 1.39511538931 N m"""
        psi, q = 1.1, [0.36287689714, 0.712965888049]
        th = math.atan2(-0.115572772012 - q[1], 3.24619507049 - q[0])
        m = plane.model(
            {"crank": {"mass": 1.0, "centroid": [.4, 0], "inertia": .06, "pose": {"angle": 1.1}, "markers": {"P": [.8, 0]}},
             "bar": {"mass": 2.2, "centroid": [1.4, .05], "inertia": 1.5, "pose": {"at": q, "angle": th}, "markers": {"line": [0, 0]}},
             "sleeve": {"mass": .9, "centroid": [.2, .1], "inertia": .05, "pose": {"at": [1.8, .3], "angle": th + 1.2}, "markers": {"line": {"at": [0, 0], "angle": -1.2}}},
             "ground": {"markers": {"B": [1.8, .3]}}},
            {"A": {"type": "revolute", "between": ["ground", "crank"]}, "P": {"type": "revolute", "between": ["crank.P", "bar"]},
             "B": {"type": "revolute", "between": ["ground.B", "sleeve"]}, "slide": {"type": "prismatic", "between": ["bar.line", "sleeve.line"]}},
            {"motor": {"coordinate": "A.angle", "motion": plane.through(psi, 4, -7)}}, gravity=plane.DOWN)
        done = self.solved(m)
        across = np.array([-math.sin(th), math.cos(th)])
        self.element(done, "sleeve", "slide", -34.3578747707 * across, 1e-7)
        self.element(done, "sleeve", "slide", [1.39511538931], 1e-7, "T")
        self.near(self.row(done, "y")["value"], -34.3578747707, 1e-7)
        self.near(self.row(done, "rz")["value"], 1.39511538931, 1e-7)
        self.element(done, "crank", "A", (-4.12177869405, -6.79911183903), 1e-7)
        self.element(done, "bar", "P", (-3.7141441251, -9.63531559465), 1e-7)
        self.element(done, "sleeve", "B", (7.34271302888, 42.2227752946), 1e-7)
        self.near(self.row(done, "distance crank.P - ground")["value"], 2 * 6.43775840183 * .8, 1e-7)

    def test_gear(self):
        """D4: torques 3.62727272727 and 5.7 N m at the radii .35 and .55; the contact force on wheel 2 stands in the bearings"""
        C = [0.859802840213, 0.265968185995]
        m = plane.model({"ground": {"markers": {"I": [0, 0], "J": C}},
                         "pinion": {"mass": 4, "centroid": [.02, .01], "inertia": .3, "pose": {"angle": 1.1}, "markers": {"I": [0, 0]}},
                         "wheel": {"mass": 7, "inertia": 1.1, "pose": {"at": C}, "markers": {"J": [0, 0]}}},
                        {"I": {"type": "revolute", "between": ["ground.I", "pinion.I"]}, "J": {"type": "revolute", "between": ["ground.J", "wheel.J"]},
                         "mesh": {"type": "gear", "between": ["pinion.I", "wheel.J"], "radii": [.35, .55], "pressure_angle": "20 deg"}},
                        {"motor": {"coordinate": "I.angle", "motion": plane.through(1.1, 5, 9)}}, {"brake": {"type": "torque", "to": "wheel", "value": -12}}, gravity=plane.DOWN)
        done = self.solved(m)
        self.near(self.row(done, "motion")["value"], -0.903000259266, 1e-7)
        self.near(abs(self.row(done, "ratio")["value"]), 5.7 / .55, 1e-7)
        self.element(done, "wheel", "J", (-6.66624588863, 7 * 9.81 + 8.78604145923), 1e-7)
        self.element(done, "pinion", "I", (5.845297102879451, 28.22370225702242), 1e-7)
        self.near(done.result["natural"]["elements"]["wheel"]["mesh"]["T"][0], 5.7, 1e-7)

    def test_rssr(self):
        """P3: all wrenches; the rod's lambda = 63.6358155074 is a tension of 2 lambda L, and unit vectors' rows mean nothing"""
        for spin in ("perpendicular", "universal"):
            m, state = space.rssr(spin)
            done = self.solved(space.posed(m, state()))
            for joint, (F, T) in space.P3_TABLE.items():
                body = done.result["reactions"][joint]["on"]
                self.element(done, body, joint, F, 1e-9)
                self.element(done, body, joint, T, 1e-9, "T")
            self.near(self.row(done, "distance rod.K - crank.J", "rod")["value"], 2 * 63.6358155074 * 1.3, 1e-8)
            self.near(self.row(done, "motion")["value"], space.P3_MOTOR, 1e-9)
            norms = [r for r in done.result["natural"]["multipliers"] if r["holds"].startswith("length 1")]
            self.assertTrue(norms)
            self.assertEqual({(r["value"], r["verdict"]) for r in norms}, {(None, "meaningless")})

    def test_parallel_axes(self):
        """P2: what is unique: forces in the plane, the motor, and sums across it. The one direction of all axes is shared round the loop, so that torques between two of them are not told"""
        m, state = space.four_bar()
        done = self.solved(space.posed(m, state(0.0)))
        force = {}
        for joint, want in space.P1_TABLE.items():
            e = done.result["natural"]["elements"][done.result["reactions"][joint]["on"]][joint]
            self.near(e["F"][:2], want[:2], 1e-9, joint)
            self.assertEqual(e["verdict"], "not unique")
            self.assertEqual(e["T"], [None] * 3)
            force[joint] = e["F"][2]
        self.near(force["A"] + force["B"], -7.06728573335 + 0.0672857333501, 1e-9)
        self.near(force["J"] - force["K"], -7.06728573335 - 7.93271426665, 1e-9)
        self.near(self.row(done, "motion")["value"], space.P1_MOTOR, 1e-9)


class Series(Multipliers):
    def test_columns(self):
        """--multipliers: at each sample what result.json has of the first; of later ones what a run of that instant alone says"""
        m, state = space.rssr()
        m["motion"] = {"from": 0, "to": .2, "step": .05}
        m = space.posed(m, state())
        done = self.solved(m, "--multipliers")
        listed = {r["row"]: r for r in done.result["natural"]["multipliers"] if "body" in r and r["value"] is not None}
        self.assertTrue(listed)
        self.assertEqual(set(listed), {c for c in done.series if ".row" in c})
        for name, r in listed.items():
            self.assertEqual((done.units[name], done.marks[name], r["verdict"]), (r["unit"], "unique", "unique"))
            self.near(done.series[name][0], r["value"], 1e-12 * (1 + abs(r["value"])), name)
        for i in (1, 3):
            other = self.solved({**m, "motion": {"from": .05 * i, "to": .05 * i, "step": 1}})
            for r in other.result["natural"]["multipliers"]:
                if r["row"] in listed:
                    self.near(done.series[r["row"]][i], r["value"], 1e-7 * (1 + abs(r["value"])), r["row"])

    def test_pendulum(self):
        """closed form: of a bob that a rod carries from its pivot, N = m (g cos + w^2 r) at every angle"""
        m = plane.model({"bob": {"mass": 2, "inertia": 0, "centroid": [.7, 0], "pose": {"angle": .3}, "markers": {"O": [0, 0], "bob": [.7, 0]}}},
                        {"O": {"type": "revolute", "between": ["ground", "bob.O"]}}, {"motor": {"coordinate": "O.angle", "motion": ".3 + 4*t"}}, gravity=plane.DOWN,
                        motion={"from": 0, "to": 1, "step": .1})
        done = self.solved(m, "--multipliers")
        self.column(done, "bob.row1", 2 * (16 * .7 - 9.81 * np.sin(.3 + 4 * done.time)), 1e-11)

    def printed(self, m, command, *flags):
        """the lines of the table, by the name in front: lambda, and the value"""
        done = self.ok(m, command, *NATURAL, "--multipliers", *flags, quiet=False)
        lines = done.out.split("multiplier  ")[1].split("\n\n")[0].splitlines()[1:]
        rows = done.result["natural"]["multipliers"]
        self.assertEqual(len(lines), len(rows))
        for line, r in zip(lines, rows):
            words = line.split()
            self.assertTrue(line.startswith(r["row"]), line)
            self.assertEqual(words[-1], r["verdict"].split()[-1])
            if abs(r["value"] or 0) > 1e-9:  # rounding is printed as 0
                figures = [float(w) for w in words if w.lstrip("-")[:1].isdigit()]  # at least four digits of them, as the page is wide
                self.near([figures[0], figures[-1]], [r["lambda"], r["value"]], 1e-3 * max(map(abs, figures)), line)
        return done

    def test_table(self):
        """what result.json has stands in the printed table, too; of a motion the extremes of its tensions besides"""
        m, state = space.rssr()
        self.printed(space.posed(m, state()), "inverse")
        m["motion"] = {"from": 0, "to": .2, "step": .05}
        done = self.printed(space.posed(m, state()), "inverse")
        line = next(x for x in done.out.split("rigid row ")[1].splitlines() if x.startswith("rod.row1"))
        self.assertIn(f" {done.series['rod.row1'].max():.6g} ", line)
        self.assertNotIn("multiplier ", self.ok(m, "inverse", *NATURAL, quiet=False).out)

    def test_statics(self):
        """S1, printed: the three bars at rest, and their columns; of a path, of a penalty, in other coordinates there are none"""
        import natural_statics_test as rest
        done = self.printed(rest.four_bar(), "statics")
        for body, lam, L in (("crank", 25.9962218159, 1), ("coupler", -13.3048627635, 2.6), ("rocker", -10.4359780571, 1.9)):
            self.near(done.series[f"{body}.row1"], [2 * lam * L], 1e-7, body)
        for flags, why in ((("--method", "penalty"), "no equilibrium of rigid bodies"), (("--coordinates", "joint"), "--coordinates natural")):
            done = cli.run_model(rest.four_bar(), "statics", *NATURAL, "--multipliers", *flags)
            self.assertEqual(done.code, 2)
            self.assertIn(why, done.err)
        m = {**rest.four_bar(), "parameters": {"F": "1 N"}}
        done = cli.run_model(m, "statics", *NATURAL, "--multipliers", "--follow", "F=1..2 N")
        self.assertEqual((done.code, "not of a path" in done.err), (2, True), done.err)

    def test_rows_that_yield(self):
        """penalty on the rows of D1: off from the published multipliers by no more than is told, which falls as 1/alpha; augmented ones to their digits, and of redundant rows those of least norm"""
        m = plane.four_bar()
        m["loads"] = {"push": {"type": "force", "to": "coupler.E", "value": [10, -20], "frame": "ground"}, "twist": {"type": "torque", "to": "rocker", "value": 5},
                      "strut": {"type": "spring", "between": ["ground.D", "coupler.P"], "stiffness": 300, "free_length": 1.1, "damping": 15}}
        published = {"crank.row1": 2 * 45.0475252508, "coupler.row1": 2 * 9.63626473569 * 2.6, "rocker.row1": -2 * 21.4701887717 * 1.9}

        def off(done):
            rows = {r["row"]: r["value"] for r in done.result["natural"]["multipliers"]}
            return max(abs(rows[k] - v) for k, v in published.items())
        told = []
        for alpha in (1e4, 1e5, 1e6, 1e7):
            done = self.solved(m, "--multipliers", "--method", "penalty", "--penalty", str(alpha))
            error = done.result["natural"]["penalty"]["force_error"]
            self.assertLess(off(done), 1.5 * error)      # of values that are 1/sqrt 2 of multipliers of unit gradients
            self.assertGreater(off(done), .1 * error)
            told.append(error * alpha)
        self.near(told, [told[-1]] * 4, 1e-2 * told[-1], "as 1/alpha")
        self.assertLess(off(self.solved(m, "--method", "penalty", "--penalty", "1e7")) / 90, 2e-6)   # six digits, as the text claims of 1e7
        done = self.solved(m, "--multipliers", "--method", "augmented", "--penalty", "1e5")
        self.assertLess(off(done), 1e-8)
        self.assertLess(done.result["natural"]["augmented"]["rounds"], 8)
        loop, state = space.four_bar()
        loop = space.posed(loop, state(0.0))
        whole, rounds = self.solved(loop, "--multipliers"), self.solved(loop, "--multipliers", "--method", "augmented")
        size = max(abs(r["value"] or 0) for r in whole.result["natural"]["multipliers"])
        for one, other in zip(whole.result["natural"]["multipliers"], rounds.result["natural"]["multipliers"]):
            self.assertEqual((one["row"], one["verdict"]), (other["row"], other["verdict"]))
            if one["value"] is not None:
                self.near(other["value"], one["value"], 1e-8 * size, one["row"])

    def test_refused(self):
        done = cli.run_model(plane.four_bar(), "inverse", "--multipliers")
        self.assertEqual(done.code, 2)
        self.assertIn("--multipliers: they are those of points and vectors: --coordinates natural", done.err)
        m = plane.four_bar()
        m["joints"]["B"]["friction"] = {"coefficient": .1, "radius": .01}
        done = cli.run_model(m, "inverse", "--multipliers", "--coordinates", "natural")
        self.assertEqual(done.code, 2)
        self.assertIn("friction is not among the forces", done.err)


class Examples(Multipliers):
    @cli.long
    def test_elements_are_the_reactions(self):
        least = {"arm/arm": 60, "backhoe/backhoe": 40, "engine/engine": 15, "leg/leg": 15, "pumpjack/pumpjack": 20, "scissor/scissor": 35, "slider3d/slider3d": 35, "stewart/stewart": 150, "planetary/one_planet": 15}
        for name, count in least.items():
            done = cli.run(["inverse", os.path.join(EXAMPLES, name + ".yaml"), *NATURAL])
            self.assertEqual(done.code, 0, done.said())
            self.assertLess(done.result["natural"]["residual"], 1e-13)
            self.assertGreaterEqual(self.against_reactions(done), count, name)

    def test_universal_joint(self):
        """its two axes are vectors of the shafts; the redundant bearings are a row that is rounding alone"""
        path = os.path.join(EXAMPLES, "cardan/cardan.yaml")
        done, other = cli.run(["inverse", path, *NATURAL]), cli.run(["inverse", path, "--frame", "ground"])
        self.assertEqual(done.code, 0, done.said())
        for name in ("motor.effort", "ratio", "joint_torque"):
            self.near(done.series[name], other.series[name], 1e-9 * np.abs(other.series[name]).max(), name)

    def test_what_there_is_not(self):
        m = plane.four_bar()
        done = self.ok(m, "inverse")
        self.assertNotIn("natural", done.result)
        m["joints"]["B"]["friction"] = {"coefficient": .1, "radius": .01}
        done = self.ok(m, "inverse", "--coordinates", "natural")
        self.assertIn("friction", done.result["natural"]["missing"])


if __name__ == "__main__":
    cli.main()
