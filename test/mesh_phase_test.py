#!/usr/bin/env python3
"""Phases of gears, belts and racks count from the starting poses, wherever the first sample is and however far the drive has gone by then; and no result hangs on the order
of bodies and joints, on the step, or on which of dependent rows were chosen.

Independent: the ratio of each wheel, known from the radii alone; one instant by two ways; one machine written in two orders.
"""
import copy
import math
import os
import random
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "py"))
import cli  # noqa: E402

TRIALS = int(os.environ.get("ROBERVAL_TRIALS", "12"))


def shuffled(rng, things):
    items = list(things.items())
    rng.shuffle(items)
    return dict(items)


def train(rng, wheels):
    """Wheels on fixed centres, each driven by one before it over a gear, a ring, an open or a crossed belt, or a rack that slides. Returns model, {body: turn per turn of the drive}."""
    ground = {}
    bodies = {"ground": {"markers": ground}}
    joints, ratio, place, radius = {}, {"w0": 1.0}, {"w0": (0.0, 0.0)}, {"w0": rng.uniform(0.05, 0.2)}

    def wheel(name, at):
        ground["C" + name] = list(at)
        bodies[name] = {"mass": rng.uniform(0.5, 2), "inertia": rng.uniform(0.01, 0.1), "centroid": [rng.uniform(-0.1, 0.1), 0.05],
                        "pose": {"at": list(at), "angle": rng.uniform(-3, 3)}}
        joints["b" + name] = {"type": "revolute", "between": ["ground.C" + name, name]}

    wheel("w0", (0, 0))
    for k in range(1, wheels):
        name, before = f"w{k}", f"w{rng.randrange(k)}"
        kind, way = rng.choice(["gear", "ring", "belt", "crossed"]), rng.uniform(-3, 3)
        r0, r1 = radius[before], rng.uniform(0.05, 0.2)
        if kind == "ring":
            r1 = r0 + rng.uniform(0.05, 0.2)
        distance = {"gear": r0 + r1, "ring": r1 - r0}.get(kind, r0 + r1 + rng.uniform(0.05, 0.3))
        x, y = place[before]
        place[name], radius[name] = (x + distance * math.cos(way), y + distance * math.sin(way)), r1
        wheel(name, place[name])
        ends, radii = [before, name], [r0, r1]
        ratio[name] = ratio[before] * r0 / r1 * (-1 if kind in ("gear", "crossed") else 1)
        if rng.random() < 0.5:
            ends, radii = ends[::-1], radii[::-1]
        joints["m" + name] = {"type": "gear" if kind in ("gear", "ring") else "belt", "between": ends, "radii": radii,
                              **({"internal": True} if kind == "ring" else {}), **({"crossed": True} if kind == "crossed" else {})}
    last = f"w{wheels - 1}"
    way, r = rng.uniform(-3, 3), radius[last]
    x, y = place[last][0] + r * math.sin(way), place[last][1] - r * math.cos(way)  # the rack's line, the wheel on its +y side
    ground["R"] = {"at": [x, y], "angle": way}
    bodies["rack"] = {"mass": 1.5, "inertia": 0.01, "pose": {"at": [x, y], "angle": way}}
    joints["guide"] = {"type": "prismatic", "between": ["ground.R", "rack"]}
    joints["mrack"] = {"type": "rack", "between": ["rack", last], "radius": r}
    model = {"roberval": 1, "space": "planar", "gravity": [0.3, -9.81], "bodies": shuffled(rng, bodies), "joints": shuffled(rng, joints)}
    return model, ratio, ("rack", (x, y), way, ratio[last] * r)


def planets(rng, count, carrier_driven):
    """Sun, planets at equal angles, a ring that is the ground: with two planets and more the constraints are redundant, and which rows depend on which changes as they go round."""
    r_sun, r_planet = rng.uniform(0.02, 0.05), rng.uniform(0.01, 0.03)
    arm, first = r_sun + r_planet, rng.uniform(-3, 3)
    bodies = {"sun": {"mass": 1, "inertia": 1e-3}, "arm": {"mass": 1, "inertia": 2e-3, "markers": {}}}
    joints = {"sun_shaft": {"type": "revolute", "between": ["ground", "sun"]}, "arm_shaft": {"type": "revolute", "between": ["ground", "arm"]}}
    for k in range(count):
        at = [arm * math.cos(first + 2 * math.pi * k / count), arm * math.sin(first + 2 * math.pi * k / count)]
        bodies["arm"]["markers"][f"P{k}"] = at
        bodies[f"planet{k}"] = {"mass": 0.2, "inertia": 1e-4, "pose": {"at": at}}
        joints[f"pin{k}"] = {"type": "revolute", "between": [f"arm.P{k}", f"planet{k}"]}
        joints[f"inner{k}"] = {"type": "gear", "between": ["sun", f"planet{k}"], "radii": [r_sun, r_planet], "carrier": "arm"}
        joints[f"outer{k}"] = {"type": "gear", "between": [f"planet{k}", "ground"], "radii": [r_planet, r_sun + 2 * r_planet], "internal": True, "carrier": "arm"}
    ratio = 1 + (r_sun + 2 * r_planet) / r_sun  # Willis: the sun turns so much faster than the arm
    drive = "arm_shaft.angle" if carrier_driven else "sun_shaft.angle"
    model = {"roberval": 1, "space": "planar", "gravity": [0, -9.81], "bodies": shuffled(rng, bodies), "joints": shuffled(rng, joints),
             "loads": {"drag": {"type": "torque", "to": "sun", "value": -0.3}}}
    return model, drive, ratio


class Turns(cli.Case):
    def near_columns(self, one, k, two, n, names=None):
        """Sample k of one and n of two: to 1e-9 of the largest of the unit, angles and all."""
        size = {}
        for name, unit in one.units.items():
            size[unit] = max(size.get(unit, 0), *abs(one.series[name]))
        for name in names or one.series:
            if one.marks.get(name, "unique") != "not unique" and name != "time":
                self.near(two.series[name][n], one.series[name][k], 1e-9 * size[one.units[name]] + 1e-300, name)

    def test_wheels_turn_by_their_ratios_from_the_poses(self):
        """angle = pose + ratio (drive - pose of the driven wheel), to rounding of some turns, for every wheel and the rack; drives up to thirty turns away"""
        for seed in range(TRIALS):
            with self.subTest(seed=seed):
                rng = random.Random(seed)
                model, ratio, (rack, at, way, per_turn) = train(rng, rng.randrange(2, 6))
                driven = rng.choice(list(ratio))
                start, speed = rng.uniform(-200, 200), rng.uniform(-20, 20)
                model["drives"] = {"motor": {"coordinate": f"b{driven}.angle", "motion": f"{start!r} + {speed!r}*t"}}
                model["motion"] = {"from": rng.uniform(-3, 3), "to": 4, "step": rng.choice([0.01, 0.3, 2])}
                done = self.ok(model)
                pose = {b: x["pose"]["angle"] for b, x in model["bodies"].items() if b in ratio}
                gone = (start + speed * done.time - pose[driven]) / ratio[driven]
                for wheel in ratio:
                    self.near(done.series[f"{wheel}.angle"], pose[wheel] + ratio[wheel] * gone, 1e-11 * abs(gone).max() * 5, wheel)
                self.near(done.series["rack.x"], at[0] + per_turn * gone * math.cos(way), 1e-11 * abs(gone).max(), "rack")

    def test_the_same_train_in_space(self):
        """the planar model as a spatial one: the same efforts, wherever it starts"""
        for seed in range(TRIALS // 2):
            with self.subTest(seed=seed):
                rng = random.Random(400 + seed)
                model, ratio, _ = train(rng, 3)
                driven = rng.choice(list(ratio))
                model["drives"] = {"motor": {"coordinate": f"b{driven}.angle", "motion": f"{rng.uniform(-3, 3)!r} + {rng.uniform(-20, 20)!r}*t + 2*t^2"}}
                model["motion"] = {"from": rng.choice([0, 0.7, 3.1]), "to": 4, "step": 0.1}
                plane = self.ok(model)
                spatial = cli.run_model(model, "convert", "--to", "spatial", out=False)
                self.assertEqual(spatial.code, 0, spatial.said())
                space = self.ok(spatial.out)
                size = abs(plane.series["motor.effort"]).max()
                self.near(space.series["motor.effort"], plane.series["motor.effort"], 1e-9 * size, "effort")
                for wheel in ratio:
                    turn = 2 * np.arctan2(space.series[f"{wheel}.qz"], space.series[f"{wheel}.qw"]) - plane.series[f"{wheel}.angle"]
                    self.near(np.remainder(turn + math.pi, 2 * math.pi) - math.pi, np.zeros(len(turn)), 1e-9, wheel)

    def test_any_sample_is_the_first(self):
        """a run that starts at a sample of a longer one says what that says there"""
        for seed in range(TRIALS):
            with self.subTest(seed=seed):
                rng = random.Random(100 + seed)
                if seed % 2:
                    model, drive, _ = planets(rng, rng.randrange(1, 4), rng.random() < 0.5)
                else:
                    model, ratio, _ = train(rng, 3)
                    drive = f"b{rng.choice(list(ratio))}.angle"
                model["drives"] = {"motor": {"coordinate": drive, "motion": f"{rng.uniform(-9, 9)!r} + {rng.uniform(-30, 30)!r}*t + 4*sin(3*t)"}}
                model["motion"] = {"from": 0, "to": 2, "step": 0.1}
                whole = self.ok(model)
                k = rng.randrange(1, len(whole.time))
                part = self.ok(model, "inverse", "--from", repr(float(whole.time[k])))
                self.near_columns(whole, k, part, 0)
                self.near_columns(whole, len(whole.time) - 1, part, len(part.time) - 1)

    @cli.long
    def test_planets_in_any_order(self):
        """Willis' ratio for the sun; no message, no doubt, and the same numbers, in whatever order joints and bodies are written and however the motion is divided"""
        for seed in range(TRIALS):
            with self.subTest(seed=seed):
                rng = random.Random(200 + seed)
                model, drive, ratio = planets(rng, rng.randrange(2, 5), True)
                model["drives"] = {"motor": {"coordinate": drive, "motion": "0.4 + 10*t + 15*t^2"}}
                model["motion"] = {"from": 0, "to": 0.7, "step": rng.choice([1e-3, 0.01, 0.07])}
                one = self.ok(model)
                self.assertEqual(one.err, "")
                self.near(one.series["sun.angle"], ratio * (0.4 + 10 * one.time + 15 * one.time**2), 1e-10 * ratio, "sun")
                other = copy.deepcopy(model)
                other["bodies"], other["joints"] = shuffled(rng, model["bodies"]), shuffled(rng, model["joints"])
                two = self.ok(other)
                self.near_columns(one, -1, two, -1)
                self.assertEqual({n: v for n, v in one.marks.items()}, {n: two.marks[n] for n in one.marks})
                self.assertNotIn("unsure", one.marks.values())

    def test_a_geared_linkage_keeps_its_phase(self):
        """a five-bar whose cranks are geared 1:2 comes back after two turns of the faster crank, not after one: both from the long run and from a late start"""
        for seed in range(TRIALS):
            with self.subTest(seed=seed):
                rng = random.Random(300 + seed)
                r = rng.uniform(0.1, 0.2)
                bodies = {"ground": {"markers": {"A": [0, 0], "B": [3 * r, 0]}},
                          "fast": {"mass": 1, "inertia": 0.01, "pose": {"angle": 0.5}, "markers": {"P": [0.05, 0]}},
                          "slow": {"mass": 1, "inertia": 0.02, "pose": {"at": [3 * r, 0], "angle": 1}, "markers": {"P": [0.06, 0]}}}
                p, q = (0.05 * math.cos(0.5), 0.05 * math.sin(0.5)), (3 * r + 0.06 * math.cos(1), 0.06 * math.sin(1))
                length = math.dist(p, q) * rng.uniform(0.8, 1.0)
                middle = ((p[0] + q[0]) / 2, (p[1] + q[1]) / 2)
                height = math.sqrt(length**2 - math.dist(p, q) ** 2 / 4)
                way = math.atan2(q[1] - p[1], q[0] - p[0])
                top = (middle[0] - height * math.sin(way), middle[1] + height * math.cos(way))
                for name, end in (("left", p), ("right", q)):
                    bodies[name] = {"mass": 0.5, "inertia": 0.01, "pose": {"at": list(end), "angle": math.atan2(top[1] - end[1], top[0] - end[0])}, "markers": {"T": [length, 0]}}
                joints = {"a": {"type": "revolute", "between": ["ground.A", "fast"]}, "b": {"type": "revolute", "between": ["ground.B", "slow"]},
                          "p": {"type": "revolute", "between": ["fast.P", "left"]}, "q": {"type": "revolute", "between": ["slow.P", "right"]},
                          "t": {"type": "revolute", "between": ["left.T", "right.T"]}, "mesh": {"type": "gear", "between": ["fast", "slow"], "radii": [r, 2 * r]}}
                model = {"roberval": 1, "space": "planar", "gravity": [0, -9.81], "bodies": bodies, "joints": shuffled(rng, joints),
                         "drives": {"motor": {"coordinate": "a.angle", "motion": "0.5 + 2*pi*t"}}, "motion": {"from": 0, "to": 4, "step": 0.25},
                         "output": {"tx": "x(left.T)", "ty": "y(left.T)"}}
                done = self.ok(model)
                for name in ("tx", "ty", "motor.effort"):
                    self.near(done.series[name][8:], done.series[name][:9], 1e-9 * max(1, *abs(done.series[name])), name)
                late = self.ok(model, "inverse", "--from", "3 s")
                self.near_columns(done, 12, late, 0)
                self.assertGreater(abs(done.series["ty"][4] - done.series["ty"][0]), 1e-3)  # after one turn it is elsewhere


if __name__ == "__main__":
    cli.main() if hasattr(cli, "main") else __import__("unittest").main()
