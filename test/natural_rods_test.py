#!/usr/bin/python3
"""Rods in natural coordinates: two points, six numbers and one row; their spin about their line, which is idle, is none of them.

Held against absolute coordinates, where a row on rates holds the spin; a published RSSR (P3 of the theory's reference, twelve digits); the forces of a truss, found joint by joint from its weights and nothing
else; inverse dynamics of a motion that was found."""
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent / "py"))
import cli  # noqa: E402
import idle_spin_test as idle  # noqa: E402
import space_reference_test as space  # noqa: E402

NATURAL = ("--coordinates", "natural")
METHODS = ("two-step", "lagrange", "newton", "virtual-power")


class Compared(cli.Case):
    def same(self, a, b, tol):
        """all columns, of the largest of their unit"""
        size = {}
        for name, values in b.series.items():
            size[b.units[name]] = max(size.get(b.units[name], 0), float(np.nanmax(np.abs(values))))
        self.assertEqual(list(a.series), list(b.series))
        for name, values in a.series.items():
            if "error" not in name:
                self.near(values, b.series[name], tol * max(size[b.units[name]], 1e-3), name)
                self.assertEqual(a.marks[name], b.marks[name], name)


class Rods(Compared):
    def test_which_they_are(self):
        """a rod has two points, which its balls share; a spin that something sees makes it a body like others"""
        for make in idle.MACHINES:
            m, drives = make(1)
            names = [name for name, _ in m.rods]
            said = cli.check(m.model(drives=drives), *NATURAL)[1]
            bodies = {b["name"]: b for b in said["coordinates"]["bodies"]}
            for name in names:
                self.assertEqual([bodies[name][k] for k in ("type", "numbers", "rigid_rows", "constant_mass")], ["2 points (a rod)", 6, 1, True])
            self.assertEqual([len([b for b in said["coordinates"]["basics"] if name in b["bodies"]]) for name in names], [2] * len(names))
            self.assertEqual(said["mobility"]["idle"], len(names))
            seen = cli.check({**m.model(drives=drives), "output": {"o": f"wy({names[0]})"}}, *NATURAL)[1]
            self.assertNotIn("rod", {b["name"]: b for b in seen["coordinates"]["bodies"]}[names[0]]["type"])
        # numbers less rows of rigid bodies, pins and drives: as many as freedoms without the spins
        said = cli.check(idle.four_bar(1)[0].model(), *NATURAL)[1]
        self.assertEqual(said["coordinates"]["numbers"] - said["coordinates"]["rigid_rows"] - said["coordinates"]["other_rows"] + said["mobility"]["redundant"], 1)

    def test_motions_and_forces_are_those_of_bodies(self):
        """place, turn and spin of rods, too, thin ones and thick ones, by each method"""
        for make in idle.MACHINES:
            for seed, thick in ((0, 0.0), (1, 0.2)):
                m, drives = make(seed, 0.7, thick)
                model = m.model(drives=drives)
                self.same(self.ok(model, "kinematics", *NATURAL), self.ok(model, "kinematics"), 1e-9)
                want = self.ok(model, "inverse", "--frame", "ground")
                for method in METHODS:
                    self.same(self.ok(model, "inverse", "--frame", "ground", "--method", method, *NATURAL), want, 1e-9)

    def test_equilibria(self):
        for make in idle.MACHINES:
            m, _ = make(2)
            spring = {"s": {"type": "torsion-spring", "joint": "a" if make is idle.four_bar else "king_left", "stiffness": 200, "free_angle": 0.1}}
            model = m.model(loads=spring)
            want = self.ok(model, "statics").result
            for method in ("energy", "lagrange", "virtual-power", "relaxation"):
                rest = self.ok(model, "statics", "--method", method, *NATURAL).result
                self.assertEqual(rest["equilibrium"]["stability"], "stable", method)
                self.near(rest["equilibrium"]["curvature"], want["equilibrium"]["curvature"], 1e-6 * want["equilibrium"]["curvature"], method)
                for name, value in want["equilibrium"]["coordinates"].items():
                    self.near(rest["equilibrium"]["coordinates"][name], value, 1e-7, name)

    def moving(self, make, thick):
        m, _ = make(3, 0.7, thick)
        c = "a.angle" if make is idle.four_bar else "slide.distance"
        return m, c, {**m.model(initial={c + "'": 0.6}), "motion": {"from": 0, "to": 0.2, "step": 0.01}}

    def test_thick_rods_move_as_in_absolute_coordinates(self):
        """both within 1e-9 a step: after some ten steps 1e-6"""
        for make in idle.MACHINES:
            _, _, model = self.moving(make, 0.15)
            self.same(self.ok(model, "simulate", "--frame", "ground", *NATURAL), self.ok(model, "simulate", "--frame", "ground"), 1e-6)

    def test_thin_rods_move_as_inverse_dynamics_says(self):
        """a drive that leads the free coordinate as it was found to move needs no effort, and joints carry the same; the energy stays"""
        for make in idle.MACHINES:
            m, c, model = self.moving(make, 0.0)
            got = self.ok(model, "simulate", "--frame", "ground", *NATURAL)
            self.assertLess(got.result["integration"]["energy_error"], 1e-7)
            for k in (0, 7, 20):
                x, v, a = (got.series[c + d][k] for d in ("", "'", "''"))
                driven = {n: w for n, w in model.items() if n != "initial"}
                driven |= {"drives": {"motor": {"coordinate": c, "motion": f"{x!r} + {v!r}*t + {a / 2!r}*t^2"}}, "motion": {"from": 0, "to": 0, "step": 1}}
                want = self.ok(driven, "inverse", "--frame", "ground")
                size = max(abs(float(w[0])) for n, w in want.series.items() if want.units[n] == "N")
                self.near(want.series["motor.effort"][0], 0, 1e-8 * size, "motor")
                for name in want.series:
                    if name.split(".")[0] in model["joints"] and name.split(".")[-1] in ("Fx", "Fy", "Fz"):
                        self.near(got.series[name][k], want.series[name][0], 1e-8 * size, name)

    def test_modes(self):
        for make in idle.MACHINES:
            m, _ = make(2, 0.7, 0.1)
            model = m.model(loads={"s": {"type": "torsion-spring", "joint": "a" if make is idle.four_bar else "king_left", "stiffness": 200, "free_angle": 0.1}})
            roots = [np.array([mode["eigenvalue"] for mode in self.ok(model, "modes", "--start", "statics", *more).result["modes"]]) for more in ((), NATURAL)]
            self.near(roots[1], roots[0], 1e-9 * np.max(np.abs(roots[0])))

    def test_published(self):
        """P3 with its balls: all wrenches; the rod's lambda = 63.6358155074 is a tension of 2 lambda L"""
        m, state = space.rssr()
        del m["joints"]["spin"]
        done = self.ok(space.posed(m, state()), "inverse", "--frame", "ground", *NATURAL)
        self.assertLess(done.result["natural"]["residual"], 1e-13)
        for joint, (F, T) in space.P3_TABLE.items():
            body = done.result["reactions"][joint]["on"]
            self.near(done.result["natural"]["elements"][body][joint]["F"], F, 1e-9, joint)
            self.near(done.result["natural"]["elements"][body][joint]["T"], T, 1e-9, joint)
        rod, = [r for r in done.result["natural"]["multipliers"] if r.get("body") == "rod"]
        self.assertEqual((rod["meaning"], rod["unit"]), ("tension", "N"))
        self.near([rod["value"], rod["lambda"]], [2 * 63.6358155074 * 1.3, 63.6358155074], 1e-8)


# A truss: two free joints on six rods from four points of ground and from each other, weights at its joints. Rods are uniform, so that half of each weight acts at either end.
FEET = np.array([[0, 0, 0], [1.1, .1, .05], [.3, 1.2, -.1], [1.4, 1.3, .2]])
HEADS = np.array([[.5, .4, 1.], [1.2, .7, 1.3]])
RODS = [(0, 4), (1, 4), (2, 4), (1, 5), (3, 5), (4, 5)]
WEIGHTS = [3., 5.]


def truss(rods):
    at = np.vstack([FEET, HEADS])
    m = {"roberval": 1, "space": "spatial", "gravity": [0, 0, -9.81], "bodies": {"ground": {"markers": {f"g{k}": FEET[k].tolist() for k in range(4)}}}, "joints": {},
         "motion": {"from": 0, "to": 0, "step": 1}}
    for n, mass in enumerate(WEIGHTS):
        m["bodies"][f"bob{n}"] = {"particle": True, "mass": mass, "pose": {"at": HEADS[n].tolist()}}
    for k, (a, b) in enumerate(rods):
        L = float(np.linalg.norm(at[b] - at[a]))
        x = (at[b] - at[a]) / L
        y = np.cross([0, 0, 1], x) / np.linalg.norm(np.cross([0, 0, 1], x))
        A = np.array([x, y, np.cross(x, y)]).T
        mass = .5 + .1 * k
        m["bodies"][f"rod{k}"] = {"mass": mass, "inertia": [0, mass * L**2 / 12, mass * L**2 / 12], "centroid": [L / 2, 0, 0], "markers": {"p": [0, 0, 0], "q": [L, 0, 0]},
                                  "pose": {"at": at[a].tolist(), "rotate": {"quaternion": [float(v) for v in space.space.quaternion(A)]}}}
        for end, name in ((a, "p"), (b, "q")):
            m["joints"][f"j{k}{name}"] = {"type": "spherical", "between": [f"ground.g{end}" if end < 4 else f"bob{end - 4}", f"rod{k}.{name}"]}
    return m, at


def balance(rods, at):
    """A N = w: the sum of N u over the rods of each free joint, and of what weighs on it, is zero."""
    A, w = np.zeros((6, len(rods))), np.zeros(6)
    for n, mass in enumerate(WEIGHTS):
        w[3 * n + 2] += 9.81 * mass
    for k, (a, b) in enumerate(rods):
        u = (at[b] - at[a]) / np.linalg.norm(at[b] - at[a])
        for end, sign in ((a, 1), (b, -1)):
            if end >= 4:
                A[3 * (end - 4):3 * (end - 4) + 3, k] += sign * u
                w[3 * (end - 4) + 2] += 9.81 * (.5 + .1 * k) / 2
    return A, w


class Truss(Compared):
    def test_two_points_for_six_rods(self):
        m, at = truss(RODS)
        done = self.ok(m, "inverse", "--frame", "ground", *NATURAL)
        self.same(done, self.ok(m, "inverse", "--frame", "ground"), 1e-9)
        rows = done.result["natural"]["multipliers"]
        self.assertEqual([(r["holds"].split()[0], r["meaning"], r["verdict"]) for r in rows], [("distance", "tension", "unique")] * 6)
        self.near([r["value"] for r in rows], np.linalg.solve(*balance(RODS, at)), 1e-10 * 100)
        said = cli.check(m, *NATURAL)[1]
        self.assertEqual([said["coordinates"][k] for k in ("numbers", "rigid_rows", "other_rows")], [6, 6, 0])
        self.assertEqual([said["mobility"][k] for k in ("idle", "redundant")], [6, 0])
        for method in ("lagrange", "energy"):
            rest = self.ok(m, "statics", "--frame", "ground", "--method", method, *NATURAL)
            self.near(rest.result["reactions"]["j0p"]["components"]["Fx"]["first"], done.series["j0p.Fx"][0], 1e-7)

    def test_one_rod_more(self):
        """redundant: which tensions are determined, and the sum of squares of lambda times the length of its gradient, of N sqrt 2 with two ends that move and N with one, is the least"""
        rods = RODS + [(2, 5)]
        m, at = truss(rods)
        done = self.ok(m, "inverse", *NATURAL)
        self.assertEqual(done.result["mobility"]["redundant"], 1)
        rows = done.result["natural"]["multipliers"]
        got, (A, w) = np.array([r["value"] for r in rows]), balance(rods, at)
        self.near(A @ got, w, 1e-9, "balance of joints")
        null = np.linalg.svd(A)[2][-1]
        for k, r in enumerate(rows):
            self.assertEqual(r["verdict"], "not unique" if abs(null[k]) > 1e-9 else "unique", rods[k])
        weight = np.array([2. if a >= 4 else 1. for a, _ in rods])
        self.near(np.sum(weight * got * null), 0, 1e-9, "least norm")
        self.same(done, self.ok(m, "inverse"), 1e-9)


if __name__ == "__main__":
    cli.main()
