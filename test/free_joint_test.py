#!/usr/bin/python3
# ctest: polar-slow joint
"""Joints of type `free`: no row, all coordinates. And inertia tensors that no real body has, accepted on request.

Coordinates are compared with the printed poses by numpy alone; forces with m a, J a + w x J w; the rest of a mechanism must not notice a free joint."""
import math
import random
import sys
import unittest
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent / "py"))
import cli  # noqa: E402
import space  # noqa: E402

TOL = 1e-9      # rounding of double arithmetic, of numbers of order 1 to 100


def rotation_vector(R):
    w = np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]]) / 2
    angle = math.atan2(np.linalg.norm(w), (np.trace(R) - 1) / 2)
    return w * (angle / math.sin(angle) if angle > 1e-9 else 1)


def planar_arm(rng):
    """ground - a - b, both driven, and a body c on its own three drives through a free joint on b"""
    number = lambda: rng.uniform(-1, 1)
    markers = {"A": {"at": [number(), number()], "angle": number()}, "B": {"at": [number(), number()], "angle": number()}}
    bodies = {"ground": {"markers": {"G": {"at": [number(), number()], "angle": number()}}}}
    for name in "abc":
        bodies[name] = {"mass": 1 + number() / 2, "inertia": 0.5, "centroid": [number(), number()], "markers": markers}
    joints = {"p": {"type": "revolute", "between": ["ground.G", "a.A"]}, "q": {"type": "revolute", "between": ["a.B", "b.A"]},
              "f": {"type": "free", "between": ["b.B", "c.A"]}}
    drives = {"dp": {"coordinate": "p.angle", "motion": f"{number()} + 9*t + t^2"}, "dq": {"coordinate": "q.angle", "motion": f"{number()} - 7*t"}}
    for d in ("x", "y", "rz"):
        drives["d" + d] = {"coordinate": f"f.{d}", "motion": f"{number()} + {number()}*t + {number()}*t^2"}
    return {"roberval": 1, "space": "planar", "gravity": [0, -9.81], "bodies": bodies, "joints": joints, "drives": drives,
            "motion": {"from": 0, "to": 1, "step": 0.25}}


def spatial_arm(rng):
    """ground - a - b by hinges in general position"""
    vector = lambda: [rng.uniform(-1, 1) for _ in range(3)]
    frame = lambda: {"at": vector(), "axis": vector(), "x": vector()}
    bodies = {"ground": {"markers": {"G": frame(), "H": frame()}}}
    for name in "ab":
        bodies[name] = {"mass": 1.5, "inertia": [0.5, 0.6, 0.7], "centroid": vector(), "markers": {"A": frame(), "B": frame(), "C": frame()}}
    return {"roberval": 1, "space": "spatial", "gravity": [0, 0, -9.81], "bodies": bodies,
            "joints": {"p": {"type": "revolute", "between": ["ground.G", "a.A"]}, "q": {"type": "revolute", "between": ["a.B", "b.A"]}},
            "drives": {"dp": {"coordinate": "p.angle", "motion": f"{rng.uniform(-1, 1)} + t + t^2"},
                       "dq": {"coordinate": "q.angle", "motion": f"{rng.uniform(-1, 1)} - 2*t + t^3"}},
            "motion": {"from": 0, "to": 1, "step": 0.25}}


class Free(cli.Case):
    def test_coordinates_of_space_are_those_of_the_printed_poses(self):
        for seed in range(6):
            rng = random.Random(seed)
            model = spatial_arm(rng)
            first, second = rng.choice([("ground.H", "b.B"), ("b.C", "ground.H"), ("a.C", "b.B")])
            model["joints"]["f"] = {"type": "free", "between": [first, second]}
            model["output"] = {f"o_{d}": f"f.{d}" for d in ("x", "y", "z", "rx", "ry", "rz")}
            done = self.ok(model)

            def place(side, k):
                body, marker = side.split(".")
                at, axes = space.of_marker(model["bodies"][body]["markers"][marker])
                if body == "ground":
                    return at, axes
                R = space.of_quaternion([done.series[f"{body}.q{c}"][k] for c in "wxyz"])
                return np.array([done.series[f"{body}.{c}"][k] for c in "xyz"]) + R @ at, R @ axes
            for k in range(len(done.time)):
                (p, A), (r, B) = place(first, k), place(second, k)
                want = list(A.T @ (r - p)) + list(rotation_vector(A.T @ B))
                self.near([done.series[f"o_{d}"][k] for d in ("x", "y", "z", "rx", "ry", "rz")], want, TOL, f"seed {seed} sample {k}")

    def test_a_free_joint_that_measures_changes_nothing(self):
        for seed in range(6):
            rng = random.Random(seed)
            model = spatial_arm(rng)
            before = self.ok(model)
            names = list(model["joints"].items())
            names.insert(rng.randrange(3), ("f", {"type": "free", "between": rng.choice([["ground", "b"], ["b.B", "a.C"], ["ground.H", "a"]])}))
            model["joints"] = dict(names)
            after = self.ok(model)
            for name, values in before.series.items():
                self.near(after.series[name], values, TOL, name)            # the size of the mechanism, which scales tolerances, knows more points
            self.assertEqual(after.result["reactions"]["f"]["verdict"], "free")
            counts = [{k: v for k, v in done.result["mobility"].items() if isinstance(v, int)} for done in (before, after)]
            self.assertEqual(*counts)

    def test_driven_coordinates_of_the_plane_reach_far_starts(self):
        """all three drives of a free joint place the body where they say, in any order of the joints; power in is that of m a"""
        for seed in range(6):
            rng = random.Random(seed)
            model = planar_arm(rng)
            names = list(model["joints"].items())
            rng.shuffle(names)
            model["joints"] = dict(names)
            model["output"] = {"x": "f.x", "y": "f.y", "rz": "f.rz"}
            done = self.ok(model)
            for d in ("x", "y", "rz"):
                c = [float(v) for v in model["drives"]["d" + d]["motion"].replace("*t^2", "").replace("*t", "").split(" + ")]
                self.column(done, d, c[0] + c[1] * done.time + c[2] * done.time**2, TOL)

    def test_efforts_on_a_single_body(self):
        body = {"mass": 3, "inertia": [0.2, 0.3, 0.4]}
        model = {"roberval": 1, "space": "spatial", "gravity": [0, 0, -9.81], "bodies": {"b": body}, "joints": {"f": {"type": "free", "between": ["ground", "b"]}},
                 "drives": {d: {"coordinate": f"f.{d}", "motion": "t^2" if d in ("x", "z", "ry") else "0"} for d in ("x", "y", "z", "rx", "ry", "rz")},
                 "motion": {"from": 0, "to": 1, "step": 0.5}}
        del model["drives"]["y"]
        model["drives"]["across"] = {"coordinate": "f.y", "motion": "0"}
        model["drives"]["up"] = model["drives"].pop("z")
        model["drives"]["along"] = model["drives"].pop("x")
        done = self.ok(model)
        for name, want in (("along", 6), ("across", 0), ("up", 3 * (2 + 9.81)), ("rx", 0), ("ry", 0.6), ("rz", 0)):
            self.column(done, f"{name}.effort", want, TOL)

    def test_damping_is_a_number_for_each_coordinate(self):
        c = [1.5, 2.5, 3.5, 0.1, 0.2, 0.3]
        for k, d in enumerate(("x", "y", "z", "rx", "ry", "rz")):
            drives = {f"d{n}": {"coordinate": f"f.{n}", "motion": "0.5*t" if n == d else "0"} for n in ("x", "y", "z", "rx", "ry", "rz")}
            model = {"roberval": 1, "space": "spatial", "bodies": {"b": {"mass": 1, "inertia": [1, 1, 1]}}, "drives": drives,
                     "joints": {"f": {"type": "free", "between": ["ground", "b"], "damping": c}}, "motion": {"from": 0, "to": 1, "step": 0.5}}
            self.column(self.ok(model), f"d{d}.effort", c[k] * 0.5, TOL)
        plane = {"roberval": 1, "space": "planar", "bodies": {"b": {"mass": 1, "inertia": 1}}, "drives": {f"d{n}": {"coordinate": f"f.{n}", "motion": "2*t"} for n in ("x", "y", "rz")},
                 "joints": {"f": {"type": "free", "between": ["ground", "b"], "damping": [1, 2, 3]}}, "motion": {"from": 0, "to": 1, "step": 0.5}}
        done = self.ok(plane)
        for n, want in (("x", 2), ("y", 4), ("rz", 6)):
            self.column(done, f"d{n}.effort", want, TOL)
        plane["joints"]["f"]["damping"] = 3
        self.assertEqual(cli.run_model(plane, "check").code, 2)
        plane["joints"]["f"]["damping"] = [1, 2, 3]
        plane["bodies"]["b"] = {"mass": 1, "particle": True}
        done = cli.run_model(plane, "check")
        self.assertEqual(done.code, 2)
        self.assertRegex(done.err, "joint 'f' cannot damp rz: a particle does not turn")

    def test_alone_it_holds_nothing(self):
        for kind, count, body in (("planar", 3, {"mass": 1, "inertia": 1}), ("spatial", 6, {"mass": 1, "inertia": [1, 1, 1]})):
            model = {"roberval": 1, "space": kind, "bodies": {"b": body}, "joints": {"f": {"type": "free", "between": ["ground", "b"]}},
                     "motion": {"from": 0, "to": 1, "step": 0.5}}
            done, said = cli.check(model)
            self.assertEqual(done.code, 0, done.said())
            self.assertEqual(said["mobility"]["degrees_of_freedom"], count)
            self.assertEqual(said["mobility"]["rows"], 0)
            done = cli.run_model(model, "inverse")
            self.assertEqual(done.code, 2)
            self.assertRegex(done.err, r"f\.rz.*f\.x, f\.y")

    def test_of_the_plane_in_space(self):
        """convert --to spatial knows it"""
        model = planar_arm(random.Random(3))
        model["joints"]["f"]["damping"] = [1, 2, 3]
        model["drives"]["drz"]["motion"] = "0.3*t"
        done = cli.run_model(model, "convert", "--to", "spatial", out=False, quiet=False)
        self.assertEqual(done.code, 0, done.said())
        plane, space_ = self.ok(model), self.ok(done.out)
        for d in ("dx", "dy", "drz"):
            self.column(space_, f"{d}.effort", plane.series[f"{d}.effort"], 1e-8)


PUMA = {1: [0, 0, 0.35], 3: [0.066, 0.086, 0.0125]}      # kg m^2, as published by Armstrong, Khatib, Burdick (1986), about the centroids


class Unreal(cli.Case):
    def model(self, tensor, axis, **more):
        """a body that turns about a general axis through its centroid, with the angle t + t^2"""
        frame = {"at": [0, 0, 0], "axis": list(axis)}
        return {"roberval": 1, "space": "spatial", "bodies": {"ground": {"markers": {"O": frame}}, "b": {"mass": 2, "inertia": list(tensor), "markers": {"O": frame}, **more}},
                "joints": {"h": {"type": "revolute", "between": ["ground.O", "b.O"]}}, "drives": {"m": {"coordinate": "h.angle", "motion": "t + t^2"}},
                "motion": {"from": 0, "to": 1, "step": 0.25}}

    def tensors(self):
        yield from PUMA.values()
        rng = random.Random(7)
        for _ in range(4):                                  # one principal moment above the sum of the others, one negative
            Q = space.turn([rng.uniform(-1, 1) for _ in range(3)], rng.uniform(0, 3))
            for moments in ([0.1, 0.2, rng.uniform(0.4, 3)], [-0.1, 0.2, 0.25]):
                J = Q @ np.diag(moments) @ Q.T
                yield [J[0, 0], J[1, 1], J[2, 2], J[0, 1], J[0, 2], J[1, 2]]

    def test_refused_without_the_key_and_right_with_it(self):
        rng = random.Random(5)
        for tensor in self.tensors():
            n = space.unit([rng.uniform(-1, 1) for _ in range(3)])
            refused = cli.run_model(self.model(tensor, n), "inverse")
            self.assertEqual(refused.code, 2, tensor)
            self.assertRegex(refused.err, "realizable: false|they are positive")
            done = cli.run_model(self.model(tensor, n, realizable=False), "inverse", quiet=False)
            self.assertEqual(done.code, 0, done.said())
            full = list(tensor) + [0] * (6 - len(tensor))
            J = np.array([[full[0], full[3], full[4]], [full[3], full[1], full[5]], [full[4], full[5], full[2]]])
            self.column(done, "m.effort", 2 * n @ J @ n, TOL)
            self.near(done.series["h.Tx"]**2 + done.series["h.Ty"]**2,              # the couple across the axis: length of (J n alpha + w x J w) less its axial part
                      [np.sum((2 * J @ n + w * w * np.cross(n, J @ n) - (2 * n @ J @ n) * n)**2) for w in 1 + 2 * done.time], TOL, "couple")
            noted = cli.run_model(self.model(tensor, n, realizable=False), "check", "--json", out=False, quiet=False)
            self.assertEqual(noted.code, 0)

    def test_other_mistakes_stay_mistakes(self):
        for more, words in (({"mass": -1}, "mass is positive"), ({"realizable": "no"}, "true or false"),
                            ({"inertia": [1, 1, 1, 1]}, "three or six")):
            model = self.model([0, 0, 1], [0, 0, 1], realizable=False)
            model["bodies"]["b"].update(more)
            done = cli.run_model(model, "inverse")
            self.assertEqual(done.code, 2, more)
            self.assertRegex(done.err, words)
        plane = {"roberval": 1, "space": "planar", "bodies": {"b": {"mass": 1, "inertia": 1, "realizable": False}}, "motion": {"from": 0, "to": 1, "step": 1}}
        self.assertEqual(cli.run_model(plane, "check").code, 2)


class WithoutMass(cli.Case):
    """A published body with an inertia and no mass, as link 1 of a PUMA 560, counts as one of next to no mass."""

    def model(self, mass, **more):
        return {"roberval": 1, "space": "spatial", "gravity": [0, 0, -9.81],
                "bodies": {"link1": {"mass": mass, "inertia": [0, 0.35, 0], "realizable": False, **more}, "link2": {"mass": 17.4, "inertia": [0.13, 0.524, 0.539], "centroid": [0.1, 0, 0]}},
                "joints": {"j1": {"type": "revolute", "between": ["ground", "link1"], "axis": [0, 1, 0], "at": [0, 0, 0]}, "j2": {"type": "revolute", "between": ["link1", "link2"], "axis": [0, 0, 1], "at": [0, 0, 0]}},
                "drives": {"m1": {"coordinate": "j1.angle", "motion": "t^2"}, "m2": {"coordinate": "j2.angle", "motion": "sin(t)"}}, "motion": {"from": 0, "to": 1, "step": 0.25}}

    def test_efforts(self):
        for call in (["inverse"], ["inverse", "--method", "newton"], ["inverse", "--coordinates", "joint"]):
            got, near = self.ok(self.model(0), *call), self.ok(self.model(1e-9), *call)
            for name in ("m1.effort", "m2.effort", "j1.Fz"):
                self.near(got.series[name], near.series[name], 1e-6, name)       # the mass, times g and lengths of 1
            self.assertIn("an inertia but no mass", " ".join(got.result["notes"]))

    def test_not_unasked(self):
        self.assertIn("realizable: false accepts it", cli.run_model(self.model(0, realizable=True, inertia=[0.3, 0.35, 0.3]), "inverse").err)


if __name__ == "__main__":
    cli.main()
