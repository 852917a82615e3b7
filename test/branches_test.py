#!/usr/bin/python3
"""Permanent or for a moment, where several branches meet: rows of flat parallelograms (the N-four-bar of the IFToMM collection, A02, N = 1 to 8).

With every crank along the line of the feet each window adds a self-stress. N + 1 branches meet there and in a random direction almost none of them lies; when the cranks turn together nothing is
redundant. Where one coupler carries three cranks one row repeats the others for good. The rank along that branch is counted here from the joints' own equations; it depends neither
on centroids, masses, order, units, drives nor on where the row stands."""
import copy
import json
import math
import os
import sys
import unittest

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "py"))
import cli              # noqa: E402
import mechanisms       # noqa: E402

TRIALS = 20 if os.environ.get("ROBERVAL_LONG") else 1


def row(windows, crank, widths, angle=0.0, turned=0.0, foot=(0.0, 0.0), wide=(), rng=None, name=""):
    """Cranks at `angle` to the line of the feet; `wide`: windows whose coupler also carries the next crank."""
    def at(x, y):
        c, s = math.cos(turned), math.sin(turned)
        return [foot[0] + c * x - s * y, foot[1] + s * x + c * y]
    markers, bodies, joints = {}, {}, {}
    feet = np.concatenate([[0], np.cumsum(widths)])
    top = lambda k: (feet[k] + crank * math.cos(angle), crank * math.sin(angle))
    def body(key, **more):
        bodies[key] = {"mass": 1, "inertia": .1, **more}
        if rng is not None:
            bodies[key]["mass"] = 10 ** rng.uniform(-2, 2)
            bodies[key]["centroid"] = rng.uniform(-2, 2, 2).tolist()
    for k in range(windows + 1):
        markers[f"{name}A{k}"] = at(feet[k], 0)
        body(f"{name}crank{k}", markers={"B": [crank, 0]}, pose={"at": at(feet[k], 0), "angle": turned + angle})
        joints[f"{name}p{k}"] = {"type": "revolute", "between": [f"ground.{name}A{k}", f"{name}crank{k}"]}
    for k in range(windows):
        if k and k - 1 in wide:
            continue
        ends = {"Q": [widths[k], 0]}
        if k in wide:
            ends["R"] = [widths[k] + widths[k + 1], 0]
        body(f"{name}bar{k}", markers=ends, pose={"at": at(*top(k)), "angle": turned})
        joints[f"{name}l{k}"] = {"type": "revolute", "between": [f"{name}crank{k}.B", f"{name}bar{k}"]}
        joints[f"{name}r{k}"] = {"type": "revolute", "between": [f"{name}crank{k + 1}.B", f"{name}bar{k}.Q"]}
        if k in wide:
            joints[f"{name}s{k}"] = {"type": "revolute", "between": [f"{name}crank{k + 2}.B", f"{name}bar{k}.R"]}
    return {"roberval": 1, "space": "planar", "bodies": {"ground": {"markers": markers}, **bodies}, "joints": joints}


def rank(model, driven):
    """Rows and rank of pins, from their own equations at the poses given."""
    names = [b for b in model["bodies"] if b != "ground"]
    lines = []
    for joint in model["joints"].values():
        part = np.zeros((2, 3 * len(names)))
        for sign, end in zip((-1, 1), joint["between"]):
            body, _, marker = end.partition(".")
            if body == "ground":
                continue
            pose, m = model["bodies"][body]["pose"], model["bodies"][body].get("markers", {}).get(marker, [0, 0])
            c, s, k = math.cos(pose["angle"]), math.sin(pose["angle"]), 3 * names.index(body)
            part[:, k:k + 3] += sign * np.array([[1, 0, -s * m[0] - c * m[1]], [0, 1, c * m[0] - s * m[1]]])
        lines.append(part)
    C = np.vstack(lines)
    if driven:
        C = np.vstack([C, np.eye(3 * len(names))[2:3]])
    return len(C), int(np.linalg.matrix_rank(C, 1e-9))


class Branches(cli.Case):
    def counts(self, model):
        done, document = cli.check(model)
        self.assertEqual(done.code, 0, done.said())
        m = document["mobility"]
        return m["redundant"], m["redundant_permanent"], m["redundant_momentary"]

    def compare(self, flat, open_, driven, label):
        rows, here = rank(flat, driven)
        _, there = rank(open_, driven)
        if driven:
            flat["drives"] = {"motor": {"coordinate": "p0.angle", "motion": repr(flat["bodies"]["crank0"]["pose"]["angle"])}}
        self.assertEqual(self.counts(flat), (rows - here, rows - there, there - here), label)

    @cli.long
    def test_the_collection_s(self):
        """unit lengths; with centroids and without, driven or not"""
        for windows in range(1, 9):
            for centroid in (None, [.5, 0]):
                for driven in (False, True):
                    flat = row(windows, 1.0, [1.0] * windows)
                    for name, body in flat["bodies"].items():
                        if centroid and name != "ground":
                            body["centroid"] = centroid
                    with self.subTest(windows=windows, centroid=centroid, driven=driven):
                        self.compare(flat, row(windows, 1.0, [1.0] * windows, .7), driven, "A02")

    @cli.long
    def test_random_rows(self):
        for trial in range(12 * TRIALS):
            rng = np.random.default_rng([77, trial])
            windows = int(rng.integers(1, 7))
            unit = 10 ** rng.uniform(-3, 3)
            crank, widths = unit * rng.uniform(.3, 2), (unit * rng.uniform(.3, 2, windows)).tolist()
            wide = [k for k in range(windows - 1) if rng.random() < .3]
            wide = [k for k in wide if k - 1 not in wide]
            how = {"turned": rng.uniform(-3, 3), "foot": (unit * rng.uniform(-3, 3, 2)).tolist(), "wide": wide}
            flat, open_ = row(windows, crank, widths, float(rng.integers(2)) * math.pi, rng=rng, **how), row(windows, crank, widths, .7, **how)
            flat = mechanisms.shuffled(flat, rng) if rng.random() < .5 else flat
            with self.subTest(trial=trial, windows=windows, wide=wide):
                self.compare(flat, open_, bool(rng.integers(2)), f"row {trial}")

    def test_rows_side_by_side(self):
        """machines of their own on one ground, each with branches of its own"""
        a, b, c = row(2, 1.0, [1.0, 1.0]), row(3, .5, [.7, .4, .9], foot=(5, 1), turned=.4, name="b"), row(2, 2.0, [1.0, .5], foot=(-4, 2), wide=[0], name="c")
        a["bodies"]["ground"]["markers"].update(b["bodies"].pop("ground")["markers"])
        a["bodies"]["ground"]["markers"].update(c["bodies"].pop("ground")["markers"])
        for other in (b, c):
            a["bodies"].update(other["bodies"])
            a["joints"].update(other["joints"])
        self.assertEqual(self.counts(a), (7, 1, 6))

    def test_in_space(self):
        """every loop of pins with parallel axes has three redundant rows more, and these last"""
        for windows in (1, 3):
            flat = row(windows, 1.0, [1.0] * windows, rng=np.random.default_rng(windows))
            text = cli.run_model(flat, "convert", "--to", "spatial", out=False)
            self.assertEqual(text.code, 0, text.said())
            self.assertEqual(self.counts(text.out), (4 * windows, 3 * windows, windows))


if __name__ == "__main__":
    unittest.main(verbosity=1)
