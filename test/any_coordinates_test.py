#!/usr/bin/env python3
"""Random machines of space in all coordinates: bodies joined at random by joints of all kinds, with loops, springs, dampers and rotors, every freedom driven. Joint coordinates with any joint cut, and natural ones, agree with
absolute ones in verdicts, values and words: check, inverse dynamics by its methods, and motion from forces.

Every machine is drawn in its assembled pose, so that its loops close whatever they are. Both routes round differently: values to 1e-8 of the largest of their unit, those of an integration to 1e-9 a step to 1e-5. Verdicts of a
motion from forces hang on how far its steps are off, which is another number in other coordinates: they are not compared.
ROBERVAL_COUNT: machines; ROBERVAL_SEED: the first.
"""
import json
import math
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "py"))
import numpy as np              # noqa: E402
import cli                      # noqa: E402
import space_laws as sl         # noqa: E402

COUNT = int(os.environ.get("ROBERVAL_COUNT", "80" if cli.MORE else "8"))
SEED = int(os.environ.get("ROBERVAL_SEED", "100"))
Z = [0, 0, 1]
# kind, keys, rows
KINDS = ([("revolute", {}, 5)] * 3 + [("prismatic", {}, 5), ("cylindrical", {}, 4), ("spherical", {}, 3), ("universal", {}, 4), ("constant-velocity", {}, 4), ("screw", {"pitch": 0.2}, 5), ("screw", {"pitch": -0.07}, 5),
         ("planar", {}, 3), ("fixed", {}, 6), ("parallel", {}, 2), ("perpendicular", {}, 1), ("inline", {}, 2), ("inplane", {}, 1), ("point", {"value": 0.02}, 1), ("link", {}, 1), ("distance", {}, 1), ("x", {}, 1), ("y", {"value": 0.13}, 1)] +
         [("general", {"locked": locked.split()}, len(locked.split())) for locked in ("rx ry rz", "rx rz", "x rx ry", "x z ry rz", "y z rx ry rz", "x z", "x y z rx rz", "y")])


class Machine(sl.Build):
    """What its generator draws: up to five bodies, most of them on a joint, some on none, and up to three joints more while freedoms are left."""

    def __init__(self, seed):
        super().__init__(seed)
        self.names, self.freedoms = ["ground"], 0
        rng = self.rng
        for k in range(int(rng.integers(1, 6))):
            parent = str(rng.choice(self.names))
            name = self.body(f"b{k}", at=self.state[parent][0] + self.vector(0.5))
            self.freedoms += 6
            if k == 0 or rng.random() < 0.9:
                self.join(*((parent, name) if rng.random() < 0.6 else (name, parent)), [kind for kind in KINDS if kind[2] >= 2 or rng.random() < 0.2])
            self.names.append(name)
        for _ in range(int(rng.integers(0, 4))):
            kinds = [kind for kind in KINDS if kind[2] < self.freedoms and kind[0] != "fixed"]
            if kinds:
                self.join(*(str(x) for x in rng.choice(self.names, 2, replace=False)), kinds)
        self.load()

    def length(self):
        return float(self.rng.uniform(-0.4, 0.4))

    def angle(self):
        return float(self.rng.uniform(-2.5, 2.5))

    def join(self, a, b, kinds):
        kind, keys, rows = kinds[self.rng.integers(len(kinds))]
        p, R = (self.state[a][0] + self.state[b][0]) / 2 + self.vector(0.25), sl.random_rotation(self.rng)
        self.joint(f"j{len(self.model['joints'])}", kind, a, b, p, R, *self.second(kind, keys, p, R), **keys)
        self.freedoms -= rows

    def second(self, kind, keys, p, R):
        """where the second marker may stand when the first is at p with axes R"""
        if kind == "universal" or kind == "perpendicular":
            cross = R @ sl.turn(Z, self.angle()) @ sl.turn([0, 1, 0], math.pi / 2) @ sl.turn(Z, self.angle())
            return (p if kind == "universal" else p + self.vector(0.3)), cross
        if kind == "constant-velocity":
            a = self.angle()
            return p, R @ sl.turn([math.cos(a), math.sin(a), 0], float(self.rng.uniform(0.2, 1.2)))
        if kind in ("link", "distance"):
            return p + self.vector(0.4), sl.random_rotation(self.rng)
        held = keys.get("locked") or {"screw": "x y rx ry".split()}.get(kind) or sl.LOCKS[kind].split()
        shift = [0 if k in held else self.length() for k in "xyz"]
        if "value" in keys:
            shift["xyz".index(next(k for k in held if k in "xyz"))] = keys["value"]
        turns = [k for k in ("rx", "ry", "rz") if k in held]
        axis = [float(k not in turns) for k in ("rx", "ry", "rz")]
        T = np.eye(3) if len(turns) == 3 else sl.turn(axis, self.angle()) if len(turns) == 2 else sl.random_rotation(self.rng)
        return p + R @ shift, R @ T

    def load(self):
        rng, loads = self.rng, self.model["loads"]
        for k in range(int(rng.integers(0, 3))):
            a, b = (str(x) for x in rng.choice(self.names, 2, replace=False))
            loads[f"s{k}"] = {"type": "spring", "between": [self.marker(a, self.state[a][0] + self.vector(0.3)), self.marker(b, self.state[b][0] + self.vector(0.4))], "stiffness": float(rng.uniform(5, 60)),
                              "free_length": float(rng.uniform(0.2, 1)), "damping": float(rng.uniform(0, 2))}
        for name, joint in self.model["joints"].items():
            if joint["type"] == "revolute" and rng.random() < 0.3:
                loads["t" + name] = {"type": "torsion-spring", "joint": name, "stiffness": float(rng.uniform(1, 10)), "damping": float(rng.uniform(0, 0.5))}


def drive_all(case, machine):
    """drives on what the program names where freedoms are left, from where its coordinates stand; some of them with a rotor. The model."""
    model, rng = sl.copy(machine.model), machine.rng
    model["motion"] = {"from": 0, "to": 0.3, "step": 0.05}
    names = re.search(r"these coordinates could drive (?:it|them): (.*?)(?:[.;] |\n|$)", cli.run_model(model, "kinematics").err)
    names = re.split(r", (?![^(]*\))", names[1]) if names else []
    if any(" " in re.sub(r"\(.*\)", "", name) for name in names):        # a turn of a body, which is no coordinate
        return model
    found = case.ok({**sl.copy(model), "output": {f"o{k}": name for k, name in enumerate(names)}}, "assemble").series
    for k, name in enumerate(names):
        size, rate, phase = (float(rng.uniform(*ends)) for ends in ((0.05, 0.3), (0.5, 2.5), (0, 6)))
        model["drives"][f"D{k}"] = {"coordinate": name, "motion": f"{float(found[f'o{k}'][0])!r} + {size!r}*(sin({rate!r}*t + {phase!r}) - sin({phase!r}))"}
        if re.fullmatch(r"j\d+\.angle", name) and rng.random() < 0.3:
            model["drives"][f"D{k}"]["rotor"] = {"inertia": float(rng.uniform(0.001, 0.05)), "ratio": float(rng.uniform(1, 10))}
    return model


class AnyCoordinates(cli.Case):
    def others(self, model, rng, count):
        """options: joint coordinates of the program's tree, of trees with joints cut, of one that grows from another body, natural coordinates"""
        joints = list(model["joints"])
        cuts = [[name] for name in joints] + [joints[::2], joints]
        chosen = [cuts[k] for k in rng.permutation(len(cuts))[:count]]
        bodies = [name for name in model["bodies"] if name != "ground"]
        base = bodies[len(joints) % len(bodies)]
        return [("joint",)] + [("joint", "--cut", ",".join(cut)) for cut in chosen] + [("joint", "--base", base), ("natural",)]

    def words(self, err):
        return re.sub(r"[-0-9.e+]+", "#", re.sub(r"\S*model\.json", "", err))

    def compare(self, model, others, command, *flags, tolerance=1e-8, marks=True):
        one = cli.run_model(model, command, *flags)
        for kind in others:
            with self.subTest(command=command, flags=flags, kind=kind):
                two = cli.run_model(model, command, *flags, "--coordinates", *kind)
                self.assertEqual(one.code, two.code, f"{one.err} {two.err}")
                self.assertEqual(self.words(one.err), self.words(two.err))
                if one.code == 0:
                    self.agree(one, two, tolerance, marks)
        return one

    def agree(self, one, two, tolerance, marks):
        self.assertEqual(list(one.series), list(two.series))
        if marks:
            self.assertEqual(one.marks, two.marks)
        size = {}
        for name, values in one.series.items():
            unit = one.units.get(name) or ""
            size[unit] = max(size.get(unit, 0), float(np.nanmax(np.abs(values), initial=0)))
        for name, values in one.series.items():
            if "error" not in name:
                off = float(np.nanmax(np.abs(values - two.series[name]), initial=0))
                self.assertLessEqual(off, tolerance * size[one.units.get(name) or ""] + 1e-9, name)

    @cli.long
    def test_random_machines(self):
        moved = 0
        for seed in sorted({*range(SEED, SEED + COUNT), 116}):           # 116: bodies at rest in a closed loop beside others that move
            with self.subTest(seed=seed):
                machine = Machine(seed)
                model = drive_all(self, machine)
                some = self.others(model, machine.rng, 5)
                one = self.compare(model, some, "inverse")
                for method in ("recursive", "newton", "lagrange", "virtual-power") if one.code == 0 else ():
                    self.compare(model, [some[0], some[1], some[-2]], "inverse", "--method", method, tolerance=1e-7)
                self.verdicts(machine.model, some[:2] + some[-2:-1])
                if one.code == 0 and seed % 2 == 0:
                    free = {**sl.copy(model), "drives": {}}
                    for moving in (model, free):
                        self.compare(moving, [some[1], some[-2]], "simulate", "--tolerance", "1e-9", tolerance=1e-5, marks=False)
                moved += one.code == 0
        self.assertGreater(moved, 0.7 * COUNT)

    def test_base(self):
        """of a machine that floats: which body is free is chosen, the tree is what check lists, and the motion is the same from each; what is no body, or has no tree, is refused"""
        link = lambda at: {"mass": 1.5, "inertia": [.1, .2, .15], "centroid": [.2, .1, 0], "pose": {"at": at}, "markers": {"a": {"at": [0, 0, 0], "axis": [0, .6, .8]}, "b": {"at": [.5, 0, .1], "axis": [1, 0, .2]}}}  # noqa: E731
        model = {"roberval": 1, "space": "spatial", "bodies": {"hull": link([0, 0, 0]), "arm": link([.5, 0, .1]), "hand": link([1, 0, .2])},
                 "joints": {"hip": {"type": "revolute", "between": ["hull.b", "arm.b"]}, "wrist": {"type": "universal", "between": ["arm.a", "hand.b"]}},
                 "loads": {"coil": {"type": "torsion-spring", "joint": "hip", "stiffness": 2, "free_angle": 1}, "push": {"type": "force", "to": "hand.a", "value": [1, -2, "3*sin(t)"], "frame": "body"}},
                 "motion": {"from": 0, "to": .5, "step": .1}}
        model["joints"]["hip"]["between"], model["joints"]["wrist"] = ["hull.a", "arm.a"], {"type": "spherical", "between": ["arm.b", "hand.a"]}
        model["bodies"]["arm"]["pose"], model["bodies"]["hand"]["pose"] = {"at": [0, 0, 0]}, {"at": [.5, 0, .1]}
        self.compare(model, [("joint", "--base", base) for base in ("hull", "arm", "hand", "arm,hand")], "simulate", "--tolerance", "1e-10", tolerance=1e-7, marks=False)
        for base, joints in (("arm", {"arm": None, "hull": "hip", "hand": "wrist"}), ("hand", {"hand": None, "arm": "wrist", "hull": "hip"})):
            arcs = self.ok(model, "check", "--coordinates", "joint", "--base", base).result["coordinates"]["arcs"]
            self.assertEqual({a["body"]: a.get("joint") for a in arcs}, joints)
        for flags, text in ((("--coordinates", "joint", "--base", "han"), "no body 'han' to grow a tree from; did you mean 'hand'?"), (("--base", "hand"), "--base goes with --coordinates joint")):
            done = cli.run_model(model, "check", *flags)
            self.assertEqual((done.code, text in done.err), (2, True), done.err)

    def verdicts(self, model, others):
        one = cli.run_model(model, "check", "--json", out=False)
        for kind in others:
            with self.subTest(command="check", kind=kind):
                two = cli.run_model(model, "check", "--json", "--coordinates", *kind, out=False)
                self.assertEqual(one.code, two.code, two.err)
                for key in ("mobility", "reactions", "drives", "self_stress", "advice") if one.code == 0 else ():
                    self.assertEqual(json.loads(one.out).get(key), json.loads(two.out).get(key), key)


if __name__ == "__main__":
    cli.main()
