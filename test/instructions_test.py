#!/usr/bin/env python3
# ctest: slow optimised
"""Instructions of the optimised program, counted by valgrind, stay within 5 % above what they were: times differ between machines and days, counts do not.

valgrind knows no AVX-512; OPENBLAS_CORETYPE=Haswell gives the same kernels on every processor. docs/speed.md has the figures of users' work; these are gates on the checked build.
A change that makes one smaller lowers its figure here."""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "py"))
import cli              # noqa: E402

# Name: arguments of the program, million instructions.
GATES = {
    "start": (["--version"], 0.72),
    "modes": (["modes", "chain.yaml"], 401),
    "lowest modes": (["modes", "long.yaml", "--modes", "20"], 3798),
    "check": (["check", "long.yaml"], 360),
    "rest": (["statics", "cable.yaml"], 932),
    "four-bar": (["inverse", "fourbar.yaml", "--threads", "1"], 34.5),
    "its kinematics": (["kinematics", "fourbar.yaml", "--threads", "1"], 26.4),
    "its check along the motion": (["check", "fourbar.yaml", "--motion", "--threads", "1"], 36.8),
    "platform": (["inverse", os.path.join(cli.ROOT, "examples/stewart/stewart.yaml"), "--to", "2", "--threads", "1"], 103),
    "loops": (["simulate", "loops.yaml", "--coordinates", "natural"], 1202),
    "ranks of loops": (["simulate", "row.yaml"], 165),
    "motion of the platform": (["simulate", os.path.join(cli.ROOT, "examples/stewart/stewart.yaml"), "--to", "0.4"], 333),
    "motion of links": (["simulate", "links.yaml"], 91.2),
    "line": (["inverse", "line.yaml", "--threads", "1"], 611),
    "press": (["inverse", os.path.join(cli.ROOT, "examples/press/press.yaml")], 30.4),
}

# A sample of an arm of seven axes (bench/tree), one a call or of a batch, with AVX2: instructions.
ARM = {"inverse": 1770, "batch": 612, "forward": 3830, "mass": 2010}
# Rank and all verdicts of a scissor grid of 12 641 rows (bench/verdicts), with reading and compiling it, with AVX2: million instructions.
GRID = 741


def chain(n):
    """n pendulums, each hanging on the one before."""
    bodies = {f"b{k}": {"mass": 1, "inertia": 0.01, "centroid": [0, -0.05], "pose": {"at": [0, -0.1 * k]}, "markers": {"E": [0, -0.1]}} for k in range(n)}
    joints = {f"j{k}": {"type": "revolute", "between": [f"b{k - 1}.E" if k else "ground", f"b{k}"]} for k in range(n)}
    return {"roberval": 1, "space": "planar", "gravity": [0, -9.81], "bodies": bodies, "joints": joints}


def line(n):
    """n driven links in space, at 201 samples: more unknowns than a dense factor serves, and so long that errors of forces need neighbouring states."""
    bodies = {"ground": {"markers": {"g": {"at": [0, 0, 0], "axis": [1, 0, 1]}}}}
    for k in range(n):
        bodies[f"b{k}"] = {"mass": 1, "inertia": [0.01, 0.02, 0.03], "centroid": [0.1, 0, 0], "pose": {"at": [0.2 * k, 0, 0]},
                           "markers": {"e": {"at": [0.2, 0, 0], "axis": [k % 2, (k + 1) % 2, 1]}, "s": {"at": [0, 0, 0], "axis": [(k + 1) % 2, k % 2, 1]}}}
    joints = {f"j{k}": {"type": "revolute", "between": [f"b{k - 1}.e" if k else "ground.g", f"b{k}.s"]} for k in range(n)}
    drives = {f"m{k}": {"coordinate": f"j{k}.angle", "motion": f"0.3*sin(2*t + {k})"} for k in range(n)}
    return {"roberval": 1, "space": "spatial", "gravity": [0, 0, -9.81], "bodies": bodies, "joints": joints, "drives": drives, "motion": {"from": 0, "to": 0.2, "step": 0.001}}


def links(n):
    """n links in space, level, on hinges across each other, let go; 51 samples."""
    bodies = {f"b{k}": {"mass": 1, "inertia": [0.01, 0.1, 0.1], "pose": {"at": [k + 0.5, 0, 0]}} for k in range(n)}
    joints = {f"j{k}": {"type": "revolute", "between": [f"b{k - 1}" if k else "ground", f"b{k}"], "at": [k, 0, 0], "axis": [0, 1, 0] if k % 2 else [0, 0.6, 0.8]} for k in range(n)}
    return {"roberval": 1, "space": "spatial", "gravity": [0, 0, -9.81], "bodies": bodies, "joints": joints, "motion": {"from": 0, "to": 0.5, "step": 0.01}}


def cable(n):
    """n links between particles, from a V whose ends are 0.6 of the length apart."""
    bodies, joints = {"ground": {"markers": {"E": [0.6, 0]}}}, {}
    for k in range(n):
        side = min(k, n - k) / n
        if k:
            bodies[f"K{k}"] = {"mass": 2 / n, "particle": True, "pose": {"at": [0.6 * k / n, -0.8 * side]}}
        joints[f"L{k}"] = {"type": "link", "between": [f"K{k}" if k else "ground", f"K{k + 1}" if k < n - 1 else "ground.E"], "length": 1 / n}
    return {"roberval": 1, "space": "planar", "gravity": [0, -9.81], "bodies": bodies, "joints": joints}


def fourbar():
    """A driven four-bar over a quarter of a turn, 1000 samples."""
    return {"roberval": 1, "space": "planar", "gravity": [0, -9.81],
            "bodies": {"crank": {"mass": 0.5, "inertia": 0.001, "centroid": [0.05, 0], "markers": {"A": [0.1, 0]}},
                       "rod": {"mass": 2, "inertia": 0.05, "centroid": [0.2, 0], "markers": {"B": [0.4, 0]}, "pose": {"at": [0.1, 0], "angle": "40 deg"}},
                       "rocker": {"mass": 1.5, "inertia": 0.02, "markers": {"B": [0.3, 0]}, "pose": {"at": [0.4, 0], "angle": "90 deg"}}, "ground": {"markers": {"C": [0.4, 0]}}},
            "joints": {name: {"type": "revolute", "between": between} for name, between in
                       (("O", ["ground", "crank"]), ("A", ["crank.A", "rod"]), ("B", ["rod.B", "rocker.B"]), ("C", ["ground.C", "rocker"]))},
            "drives": {"motor": {"coordinate": "O.angle", "motion": "pi/2*t"}}, "motion": {"from": 0, "to": 1, "step": 0.001}}


def loops(n):
    """n four-bars in a row, which fall for 0.1 s: in natural coordinates their equations have no pivots on the diagonal."""
    bar = {"mass": 1, "inertia": 1 / 12, "centroid": [0.5, 0], "markers": {"e": [1, 0]}}
    bodies = {"ground": {"markers": {f"g{k}": [k, 0] for k in range(n + 1)}}}
    joints = {f"A{k}": {"type": "revolute", "between": [f"ground.g{k}", f"v{k}"]} for k in range(n + 1)}
    for k in range(n + 1):
        bodies[f"v{k}"] = {**bar, "pose": {"at": [k, 0], "angle": "90 deg"}}
    for k in range(n):
        bodies[f"h{k}"] = {**bar, "pose": {"at": [k, 1]}}
        joints[f"B{k}"] = {"type": "revolute", "between": [f"v{k}.e", f"h{k}"]}
        joints[f"C{k}"] = {"type": "revolute", "between": [f"h{k}.e", f"v{k + 1}.e"]}
    return {"roberval": 1, "space": "planar", "gravity": [0, -9.81], "bodies": bodies, "joints": joints, "initial": {"A0.angle'": -1}, "motion": {"from": 0, "to": 0.1, "step": 0.05}}


def instructions(command, folder):
    """Instructions of a run, without what it writes."""
    done = subprocess.run(["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/out", *command], cwd=folder, capture_output=True,
                          text=True, env=dict(os.environ, OPENBLAS_CORETYPE="Haswell"))
    counted = re.search(r"Collected : (\d+)", done.stderr)
    if not counted:
        raise AssertionError(done.stderr[-2000:])
    return int(counted[1])


def millions(arguments):
    """Million instructions of a run of the program."""
    with tempfile.TemporaryDirectory() as folder:
        for name, model in (("chain", chain(220)), ("long", chain(3000)), ("cable", cable(1000)), ("links", links(5)), ("fourbar", fourbar()), ("loops", loops(60)), ("line", line(30)), ("row", {**loops(20), "motion": {"from": 0, "to": 0.2, "step": 0.01}})):
            with open(os.path.join(folder, f"{name}.yaml"), "w", encoding="utf-8") as file:
                json.dump(model, file)
        return instructions([os.environ["ROBERVAL"], *arguments], folder) / 1e6


def bench_with_avx2(case, name):
    """Path of a bench; the test is skipped where it is not built, or the processor has no AVX2."""
    bench = os.path.join(os.path.dirname(os.environ["ROBERVAL"]), "bench", name)
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        if not os.path.exists(bench) or " avx2 " not in file.read():
            case.skipTest(f"bench/{name} with AVX2")
    return bench


class Instructions(unittest.TestCase):
    def test_gates(self):
        for name, (arguments, limit) in GATES.items():
            with self.subTest(name):
                count = millions(arguments)
                print(f"{name}: {count:.2f} million", file=sys.stderr)
                self.assertLessEqual(count, 1.05 * limit)

    def test_arm(self):
        bench = bench_with_avx2(self, "tree")
        for what, limit in ARM.items():
            with self.subTest(what), tempfile.TemporaryDirectory() as folder:
                count = (instructions([bench, what, "1024"], folder) - instructions([bench, what, "0"], folder)) / 1024
                print(f"arm, {what}: {count:.0f}", file=sys.stderr)
                self.assertLessEqual(count, 1.05 * limit)

    def test_grid(self):
        with tempfile.TemporaryDirectory() as folder:
            count = instructions([bench_with_avx2(self, "verdicts"), "40"], folder) / 1e6
            print(f"grid: {count:.1f} million", file=sys.stderr)
            self.assertLessEqual(count, 1.05 * GRID)


if __name__ == "__main__":
    cli.main()
