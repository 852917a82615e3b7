#!/usr/bin/python3
"""assemble --load-forces and --null-space: potential and generalized force of each load, R with v = R z' and how it changes with z.

Sources: a four-bar with seven kinds of loads and a five-bar that were solved apart from this program (S1, S2 of the theory's reference, twelve digits given); the power of a load along a freedom, which is the same in all
coordinates; accelerations of `kinematics`; and differences of R from place to place.

Tolerances: 1e-9 of values up to 300 by the digits given; 1e-10 of the largest between coordinates, whose conditions are below 1e4; differences over h = 1e-4 are off by h^2 of third derivatives, up to 1e-6."""
import itertools
import os
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent / "py"))
import cli  # noqa: E402
import natural_statics_test as rest  # noqa: E402
import textbook  # noqa: E402

ALL = ((), ("--coordinates", "natural"), ("--coordinates", "natural", "--mixed"), ("--coordinates", "joint"))
NATURAL, MIXED = ALL[1], ALL[2]
EXAMPLES = sorted((Path(os.environ.get("ROBERVAL_SOURCE", cli.ROOT)) / "examples").rglob("*.yaml"))

# S1 at psi = 1: V and dV/dq over x1, y1, x2, y2, then s and psi
TERMS = {
    "weight of crank": (7.95938388693, [0.981, 8.829, 0, 0, 0, 0]), "weight of coupler": (44.4952602661, [-2.26384615385, 15.8469230769, 2.26384615385, 13.5830769231, 0, 0]),
    "weight of rocker": (22.159423748, [0, 0, -1.29078947368, 11.6171052632, 0, 0]), "to_ground": (39.1906232957, [-133.875258893, 45.7991834569, 0, 0, 0, 0]),
    "across": (81.7221793586, [-97.0656737738, 32.2818969327, -0.634607495837, 41.3642624271, 0, 0]), "hung": (1.52939522367, [-3.94638569944, 8.29270879208, 5.62451901421, 7.2600113676, 0, 0]),
    "long": (97.5398627744, [0, 0, 0, 0, 199.607801199, 0]), "coil": (10.2802, [0, 0, 0, 0, 0, 30.744]), "push": (20.5779527659, [-6.15384615385, 2.69230769231, -3.84615384615, 17.3076923077, 0, 0]),
    "turn": (None, [0, 0, 2.62899963635, 0.116484626977, 0, 0]), "spin": (-85.353534608, [-7.58367772371, -12.1952786305, -26.3449901775, -15.5737947534, 0, 0])}


class Terms(cli.Case):
    def asked(self, model, *flags):
        done = self.ok(model, "assemble", "--null-space", "--load-forces", *flags)
        space = done.result["null_space"]
        return done.result["load_forces"], space, np.array(space["R"]), np.array(space["dR"])

    def order(self, names, points):
        """where the numbers of these points, then the others, stand"""
        first = [names.index(f"{p} {c}") for p in points for c in "xy"]
        return first + [k for k in range(len(names)) if k not in first]


class Published(Terms):
    def four_bar(self):
        return {**rest.four_bar(), "initial": {"A.angle": 1.0}}

    def test_loads_of_a_four_bar(self):
        """S1: eleven terms; of points those on points, and of springs along s and psi in mixed coordinates, where these are numbers of q"""
        loads, _, _, _ = self.asked(self.four_bar(), *NATURAL)
        names = loads["coordinates"]
        at = self.order(names, [next(p for p in pair if f"{p} x" in names) for pair in (("crank.P1", "coupler.P1"), ("coupler.P2", "rocker.P2"))])
        self.assertEqual(loads["loads"].keys(), TERMS.keys())
        for name, (V, gradient) in TERMS.items():
            if name not in ("long", "coil"):
                self.near([-loads["loads"][name]["Q"][k] for k in at], gradient[:4], 1e-9, name)
            if V is not None:
                self.near(loads["loads"][name]["potential"], V, 1e-9, name)
        mixed, _, _, _ = self.asked(self.four_bar(), *MIXED)
        for name, number, force in (("long", "long.length", 199.607801199), ("coil", "A.angle", 30.744)):
            want = [-force if k == number else 0 for k in mixed["coordinates"]]
            self.near(mixed["loads"][name]["Q"], want, 1e-9, name)

    def test_null_space_of_a_five_bar(self):
        """S2: R and its three derivatives, by the two driven angles; and the accelerations of D2 by them"""
        m = rest.five_bar()
        m["drives"] = {"left": {"coordinate": "A.angle", "motion": textbook.turns(2., 3., 5.)}, "right": {"coordinate": "B.angle", "motion": textbook.turns(1.2, -2., 4.)}}
        m["motion"] = textbook.motion()
        _, space, R, dR = self.asked(m, *NATURAL)
        self.assertEqual(space["z"], ["A.angle", "B.angle"])
        names = space["coordinates"]
        points = [next(p for p in options if f"{p} x" in names) for options in (("two.P1", "three.P1"), ("three.P2", "four.P2"), ("five.P3", "four.P3"))]
        at = self.order(names, points)
        self.near(R[at], [[-0.909297426826, 0], [-0.416146836547, 0], [-0.610330526125, -0.461227143458], [-1.04770857316, 0.974333329258], [0, -0.838835177371], [0, 0.326121979029]], 1e-10)
        self.near(dR[0][0][at], [0.416146836547, -0.909297426826, 0.314373644276, -1.40752139093, 0, 0], 1e-9)
        self.near(dR[0][1][at], [0, 0, -0.0272658725001, 1.15790580829, 0, 0], 1e-9)
        self.near(dR[1][1][at], [0, 0, -0.175793034265, -1.32612468166, -0.326121979029, -0.838835177371], 1e-9)
        z, zz = np.array([3., -2.]), np.array([5., 4.])
        self.near((R @ zz + np.einsum("jki,j,k->i", dR, z, z))[at], [-0.801165605204, -10.2644110242, -2.44318007303, -33.2082704933, -4.6598286256, -2.05085279337], 1e-8)


def open_arm():
    """two freedoms in space, a fixed axis and one that leans, and a spring"""
    return {"roberval": 1, "space": "spatial", "gravity": [1, 2, -9.81],
            "bodies": {"ground": {"markers": {"O": {"at": [.1, .2, .3], "axis": [0, .6, .8]}, "S": [1, 1, 2]}},
                       "one": {"mass": 2, "inertia": [.2, .3, .25, .02, 0, .03], "centroid": [.2, .1, .3], "pose": {"at": [.1, .2, .3]},
                               "markers": {"O": {"at": [0, 0, 0], "axis": [0, .6, .8]}, "P": {"at": [.5, .2, .1], "axis": [.8, 0, .6]}}},
                       "two": {"mass": 1, "inertia": [.1, .12, .15], "centroid": [.1, .2, 0], "pose": {"at": [.6, .4, .4]}, "markers": {"P": {"at": [0, 0, 0], "axis": [.8, 0, .6]}, "E": [.4, .3, .2]}}},
            "joints": {"a": {"type": "revolute", "between": ["ground.O", "one.O"]}, "b": {"type": "cylindrical", "between": ["one.P", "two.P"]}},
            "loads": {"tie": {"type": "spring", "between": ["ground.S", "two.E"], "stiffness": 40, "free_length": .3}, "push": {"type": "force", "to": "two.E", "value": [3, -2, 5]}}}


def driven(z, model=None):
    m = {**(model or open_arm())}
    coordinates = ("a.angle", "b.angle", "b.distance")
    m["drives"] = {f"d{k}": {"coordinate": c, "motion": f"{z[k]!r} + {.3 * k - .5}*t + {.7 - k}*t^2"} for k, c in enumerate(coordinates)}
    m["motion"] = {"from": 0, "to": 0, "step": 1}
    return m


class Laws(Terms):
    def test_differences(self):
        """dR/dz is what R differs by from place to place, in points and vectors; in joint coordinates R is 1 and does not change"""
        z, h = np.array([.3, -.4, .1]), 1e-4
        _, space, R, dR = self.asked(driven(z.tolist()), *NATURAL)
        self.assertEqual(space["z"], ["a.angle", "b.angle", "b.distance"])
        for k in range(3):
            to, back = ([*map(float, z + s * h * np.eye(3)[k])] for s in (1, -1))
            difference = (self.asked(driven(to), *NATURAL)[2] - self.asked(driven(back), *NATURAL)[2]) / (2 * h)
            self.near(dR[:, k].T, difference, 1e-6, str(k))
        _, space, R, dR = self.asked(driven(z.tolist()), "--coordinates", "joint")
        self.near(sorted(R.sum(axis=1)), np.ones(3), 1e-12)
        self.near(dR, np.zeros_like(dR), 1e-11)

    def test_accelerations(self):
        """R z'' + sum dR z' z' are the accelerations of `kinematics`, in absolute coordinates too, where v is no rate of numbers"""
        m = driven([.3, -.4, .1])
        for body in ("one", "two"):
            m["bodies"][body] = {**m["bodies"][body]}
            m["bodies"][body]["centroid"] = [0, 0, 0]       # places in series are those of body frames
        _, space, R, dR = self.asked(m)
        moved = self.ok(m, "kinematics").series
        z, zz = np.array([-.5, -.2, .1]), 2 * np.array([.7, -.3, -1.3])
        for want, rates in (("v", z), ("a", None)):
            got = R @ rates if rates is not None else R @ zz + np.einsum("jki,j,k->i", dR, z, z)
            for name, value in zip(space["coordinates"], got):
                body, what = name.split(" ", 1)
                column = f"{body}.{want}{what}" if len(what) == 1 else f"{body}.{'omega' if want == 'v' else 'alpha'}{what[-1]}"
                self.near(value, moved[column][0], 1e-12, column)

    def test_power(self):
        """the power of a load along a freedom is the same in all coordinates; and its potential falls by that, as differences tell"""
        found = {}
        for flags in ALL:
            loads, space, R, _ = self.asked(open_arm(), *flags)
            for name, load in loads["loads"].items():
                found.setdefault(name, []).append((np.array(load["Q"]) @ R, load["potential"]))
        z, h = np.zeros(3), 1e-4
        at = lambda z: self.asked(driven(z))[0]["loads"]  # noqa: E731
        for name, values in found.items():
            for power, V in values[1:]:
                self.near(power, values[0][0], 1e-11, name)
                self.near(V, values[0][1], 1e-11, name)
            for k in range(3):
                to, back = ([*map(float, z + s * h * np.eye(3)[k])] for s in (1, -1))
                self.near(values[0][0][k], -(at(to)[name]["potential"] - at(back)[name]["potential"]) / (2 * h), 1e-5, name)

    def test_examples(self):
        """likewise of the examples: those that have these coordinates and can say it"""
        compared = 0
        for path in EXAMPLES if cli.MORE else [p for p in EXAMPLES if p.stem in ("arm", "scissor", "slider3d", "shaper", "cardan", "leg")]:
            runs = [cli.run(["assemble", path, "--null-space", "--load-forces", *flags], cwd=path.parent) for flags in ALL]
            for one, other in itertools.combinations([r.result for r in runs if r.code == 0 and r.result["null_space"].get("R")], 2):
                self.assertEqual(one["null_space"]["z"], other["null_space"]["z"], path)
                for name, load in one["load_forces"]["loads"].items():
                    powers = [np.array(r["load_forces"]["loads"][name]["Q"]) @ np.array(r["null_space"]["R"]) for r in (one, other)]
                    if powers[0].size:
                        self.near(powers[0], powers[1], 1e-9 * max(1, np.abs(powers[0]).max()), f"{path} {name}")
                        compared += 1
        self.assertGreater(compared, 40)

    def test_said(self):
        """what there is not is said, and options belong to assemble"""
        m = {**open_arm(), "constraints": {"c": {"velocity": "a.angle'^2 - b.angle'^2"}}}
        done = cli.run_model(m, "assemble", "--null-space")
        self.assertIn("not linear in the rates", done.result["null_space"]["missing"] if done.code == 0 else done.err)
        done = cli.run_model(driven([.1, .1, .1]), "inverse", "--null-space")
        self.assertEqual((done.code, "does not belong to inverse" in done.err), (2, True))
        out = self.ok(open_arm(), "assemble", "--null-space", "--load-forces", "--coordinates", "joint", quiet=False).out
        self.assertIn("weight of one", out)
        self.assertIn("v = R z'", out)


if __name__ == "__main__":
    cli.main()
