#!/usr/bin/python3
"""What is far away and not connected changes nothing: a body fixed to ground, a marker of ground and a marker of a body that nothing uses, 1e3 to 1e10 m away,
and the distance of the starting poses. Verdicts, ranks and errors stay the same, values to rounding.

Values agree to 1e-9 of the largest of their unit, as results of two ways do; where the far body's own row is as large as the other's, adding
them up costs no digits, since nothing is added up across parts that are not connected."""
import copy
import os
import sys
import unittest

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "py"))
import cli              # noqa: E402
import mechanisms       # noqa: E402
import redundant_oracles as oracles             # noqa: E402

FAR = (1e3, 1e6, 1e10)
ALL = bool(os.environ.get("ROBERVAL_LONG"))


def with_moon(model, distance, angle):
    """A body fixed to ground far away, and far markers that nothing uses."""
    m = copy.deepcopy(model)
    at = [distance * np.cos(angle), distance * np.sin(angle)] + [0] * (m["space"] == "spatial")
    m.setdefault("bodies", {}).setdefault("ground", {}).setdefault("markers", {})["far_away"] = at
    first = next((b for b in m["bodies"] if b != "ground" and not m["bodies"][b].get("particle")), None)
    if first:
        m["bodies"][first].setdefault("markers", {})["far_out"] = at[::-1]
    m["bodies"]["moon"] = {"mass": 1, "inertia": [1, 1, 1] if m["space"] == "spatial" else 1, "pose": {"at": at}}
    m["joints"]["hold"] = {"type": "fixed", "between": ["ground", "moon"], "at": at}
    return m


def parts(document):
    """Verdicts and values of all but the moon's, and what is said of the whole."""
    marks, values = {}, {}
    for section in ("reactions", "drives", "constraints"):
        for name, entry in (document.get(section) or {}).items():
            if name == "hold":
                continue
            for component, one in entry.get("components", {"": entry}).items():
                marks[f"{name}.{component}"] = one["verdict"]
                unit = "N.m" if component.startswith("T") else one.get("unit", "N")
                for key in ("first", "min", "max"):
                    if one.get(key) is not None:
                        values[(unit, f"{name}.{component}.{key}")] = one[key]
    count = document["mobility"]
    marks["mobility"] = [count[k] for k in ("redundant", "degrees_of_freedom", "redundant_permanent")]
    marks["rank"] = count["rank"]
    marks["stability"] = (document.get("equilibrium") or {}).get("stability")
    return marks, values


class Far(cli.Case):
    def same(self, model, other, command, extra_rank, label, *flags):
        a, b = (cli.run_model(m, command, "--json", *flags, out=False) for m in (model, other))
        self.assertEqual(a.code, b.code, f"{label}: {a.said()}\n{b.said()}")
        if a.code:
            return
        (marks, values), (marks2, values2) = parts(a.json()), parts(b.json())
        marks["rank"] += extra_rank
        self.assertEqual(marks, marks2, label)
        largest = {}
        for (unit, _), v in values.items():
            largest[unit] = max(largest.get(unit, 0), abs(v))
        for (unit, name), v in values.items():
            self.assertAlmostEqual(v, values2[unit, name], delta=1e-9 * largest[unit] + 1e-300, msg=f"{label} {name}")

    def far(self, name, model, commands):
        for k, distance in enumerate(FAR if ALL else FAR[-2:]):
            other = with_moon(model, distance, 0.3 + k)
            rows = 6 if model["space"] == "spatial" else 3
            for command in commands:
                with self.subTest(name, distance=distance, command=command):
                    self.same(model, other, command, rows, f"{name} {distance:g} {command}")

    @cli.long
    def test_driven_mechanisms(self):
        for seed in range(3 if ALL else 1):
            for kind in mechanisms.KINDS:
                model = mechanisms.draw(kind, 1000 + seed)[0]
                model["motion"]["to"] = model["motion"]["from"] + 4 * model["motion"]["step"]
                self.far(kind.__name__, model, ("check", "inverse"))

    @cli.long
    def test_redundant_ones(self):
        for name, model in {"door": oracles.door(), "cranks": oracles.cranks(), "lying flat": oracles.cranks((0., .6), 0.0), "scissor": oracles.scissor(),
                            "planetary": oracles.planetary(), "guides": oracles.guides(), "bars": oracles.bars(), "lattice": oracles.lattice(),
                            "chain": oracles.chain([(0, 0), (2, 0), (1, 0), (3, 0)], drive="0*t")}.items():
            self.far(name, model, ("check", "statics"))

    def test_hung_on_springs(self):
        """equilibria of a chain of bars that a spring holds, and of one that nothing but springs hold"""
        rng = np.random.default_rng(5)
        for trial in range(6 if ALL else 2):
            k, l = rng.uniform(50, 400), rng.uniform(.1, .3)
            model = {"roberval": 1, "space": "planar", "gravity": [0, -9.81],
                     "bodies": {"ground": {"markers": {"A": [0, 0], "S": [0.2, 0.5], "T": [0.9, 0.6]}},
                                "one": {"mass": 1, "inertia": .02, "centroid": [.2, 0], "markers": {"A": [0, 0], "B": [.4, 0]}, "pose": {"angle": -0.4}},
                                "two": {"mass": 2, "inertia": .03, "centroid": [.15, .01], "markers": {"B": [0, 0], "C": [.3, 0]},
                                        "pose": {"at": [.37, -.16], "angle": -0.7}}},
                     "joints": {"a": {"type": "revolute", "between": ["ground.A", "one.A"]}, "b": {"type": "revolute", "between": ["one.B", "two.B"]}},
                     "loads": {"s": {"type": "spring", "between": ["ground.S", "one.B"], "stiffness": k, "free_length": l},
                               "u": {"type": "spring", "between": ["ground.T", "two.C"], "stiffness": 2 * k, "free_length": l}}}
            self.far(f"pinned {trial}", model, ("statics",))
            del model["joints"]["a"]
            model["loads"]["w"] = {"type": "spring", "between": ["ground.A", "one.A"], "stiffness": k, "free_length": l}
            self.far(f"free {trial}", model, ("statics",))

    def bar(self, gap, length, pose):
        """between two pins that are longer apart by `gap` than the bar"""
        return {"roberval": 1, "space": "planar", "gravity": [0, -9.81],
                "bodies": {"ground": {"markers": {"A": [0, 0], "B": [length * (1 + gap), 0]}},
                           "bar": {"mass": 2, "inertia": .1, "centroid": [length / 2, 0], "markers": {"A": [0, 0], "B": [length, 0]}, "pose": pose}},
                "joints": {"a": {"type": "revolute", "between": ["ground.A", "bar.A"]}, "b": {"type": "revolute", "between": ["ground.B", "bar.B"]}},
                "motion": {"from": 0, "to": 0, "step": 1}}

    @cli.long
    def test_a_gap_is_refused_or_not(self):
        """whatever else there is, and wherever the poses are; what is refused and what is not, is not said here but that some are of each kind"""
        rng, codes = np.random.default_rng(8), set()
        for gap in (0, 1e-12, 1e-7, 1e-5, 1e-3):
            length = 10 ** rng.uniform(-2, 2)
            plain = self.bar(gap, length, {"at": [0, 0], "angle": .1})
            first = {c: cli.run_model(plain, c, "--json", out=False) for c in ("check", "inverse", "statics")}
            self.far(f"gap {gap}", plain, ("check", "inverse", "statics"))
            for scale in (1e3, 1e6):
                at = (length * scale * rng.uniform(-1, 1, 2)).tolist()
                other = self.bar(gap, length, {"at": at, "angle": .1})
                for command, run in first.items():
                    codes.add(run.code)
                    with self.subTest("poses", gap=gap, scale=scale, command=command):
                        self.same(plain, other, command, 0, f"gap {gap}, poses {scale:g} away, {command}")
        self.assertEqual(codes, {0, 1})

    def test_far_starting_poses(self):
        """of an open chain that its drives place: one answer wherever the bodies are said to be"""
        rng = np.random.default_rng(9)
        for trial in range(4 if ALL else 2):
            lengths, angles = rng.uniform(.2, 2, 3), rng.uniform(-1, 1, 3)
            bodies, joints, drives, last = {}, {}, {}, "ground"
            for k, (l, a) in enumerate(zip(lengths, angles)):
                bodies[f"b{k}"] = {"mass": 1 + k, "inertia": .1, "centroid": [l / 2, 0], "markers": {"end": [l, 0]}, "pose": {"at": [k, k]}}
                joints[f"j{k}"] = {"type": "revolute", "between": [last, f"b{k}"]}
                drives[f"d{k}"] = {"coordinate": f"j{k}.angle", "motion": f"{a} + {k + 1}*t"}
                last = f"b{k}.end"
            bodies["extra"] = {"mass": 1, "inertia": 1}
            joints["hold"] = {"type": "prismatic", "between": ["ground", "extra"]}
            drives["slide"] = {"coordinate": "hold.distance", "motion": "t"}
            plain = {"roberval": 1, "space": "planar", "gravity": [0, -9.81], "bodies": bodies, "joints": joints, "drives": drives,
                     "motion": {"from": 0, "to": .2, "step": .1}}
            for scale in (1e4, 1e8):
                other = copy.deepcopy(plain)
                for b in other["bodies"].values():
                    b["pose"] = {"at": (scale * rng.uniform(-1, 1, 2)).tolist()}
                for command in ("check", "inverse", "statics"):
                    with self.subTest(trial=trial, scale=scale, command=command):
                        self.same(plain, other, command, 0, f"poses {scale:g} away {command}")

    def test_in_space(self):
        model = {"roberval": 1, "space": "spatial", "gravity": [0, 0, -9.81],
                 "bodies": {"door": {"mass": 20, "inertia": [3, 1, 2], "centroid": [.4, 0, 1], "markers": {"low": [0, 0, .2], "high": [0, 0, 1.8]}}},
                 "joints": {"low": {"type": "revolute", "between": ["ground", "door.low"], "at": [0, 0, .2], "axis": [0, 0, 1]},
                            "high": {"type": "revolute", "between": ["ground", "door.high"], "at": [0, 0, 1.8], "axis": [0, 0, 1]}},
                 "drives": {"push": {"coordinate": "low.angle", "motion": "0.2 + 3*t^2"}}, "motion": {"from": 0, "to": .5, "step": .125}}
        self.far("door", model, ("check", "inverse", "statics"))


if __name__ == "__main__":
    unittest.main(verbosity=1)
