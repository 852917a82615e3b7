#!/usr/bin/env python3
# ctest: joint-slow
"""Laws that every motion obeys: how a machine is written does not change how it moves; what is fully driven moves and is loaded as inverse dynamics says; errors follow the tolerance.
ROBERVAL_MOTION=30 draws so many machines."""
import glob
import math
import os
import random
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "py"))
import numpy as np      # noqa: E402
import yaml             # noqa: E402
import cli              # noqa: E402

BODIES = "ROBERVAL_COORDINATES" not in os.environ  # absolute coordinates
ROUNDS = int(os.environ.get("ROBERVAL_MOTION", "2"))
EXAMPLES = os.path.join(cli.ROOT, "examples")


def four_bar(rng):
    """A released four-bar with a spring, damping and a load that changes with time, as a dict. Markers are given, so that all can be placed anew."""
    a, b, c, d = rng.uniform(0.2, 0.3), rng.uniform(0.8, 1.0), rng.uniform(0.6, 0.8), rng.uniform(0.85, 1.0)
    angle = rng.uniform(0.3, 0.9)
    A = (a * math.cos(angle), a * math.sin(angle))
    e = math.hypot(d - A[0], A[1])
    turn = math.acos((b * b + e * e - c * c) / (2 * b * e)) + math.atan2(-A[1], d - A[0])
    B = (A[0] + b * math.cos(turn), A[1] + b * math.sin(turn))
    body = lambda at, angle, length, **more: {"mass": rng.uniform(1, 2), "inertia": rng.uniform(0.05, 0.1), "centroid": [0.4 * length, 0.05],     # noqa: E731
                                              "pose": {"at": list(at), "angle": angle}, "markers": {"P": [0, 0], "Q": [length, 0], **more}}
    return {
        "roberval": 1, "space": "planar", "gravity": [0, -9.81],
        "bodies": {
            "ground": {"markers": {"O": [0, 0], "C": [d, 0], "S": [0, 1]}},
            "crank": body((0, 0), angle, a),
            "coupler": body(A, turn, b, R=[0.5, 0.3]),
            "rocker": body((d, 0), math.atan2(B[1], B[0] - d), c),
        },
        "joints": {
            "O": {"type": "revolute", "between": ["ground.O", "crank.P"], "damping": 0.3},
            "A": {"type": "revolute", "between": ["crank.Q", "coupler.P"]},
            "B": {"type": "revolute", "between": ["coupler.Q", "rocker.Q"]},
            "C": {"type": "revolute", "between": ["ground.C", "rocker.P"]},
        },
        "loads": {
            "spring": {"type": "spring", "between": ["ground.S", "coupler.R"], "stiffness": 40, "free_length": 0.5, "damping": 1.5},
            "motor": {"type": "torque", "to": "crank", "value": "3*sin(2*t)"},
        },
        "initial": {"O.angle'": rng.uniform(-2, 2)},
        "motion": {"from": 0, "to": 1, "step": 0.05},
        "output": {"rate": "O.angle'", "acceleration": "O.angle''"},
    }


class Writing(cli.Case):
    """The same machine written otherwise."""
    FORCES = ["A.Fx", "A.Fy", "B.Fx", "B.Fy"]

    def machines(self):
        rng = random.Random(17)
        for _ in range(ROUNDS):
            seed = rng.random()
            yield four_bar(random.Random(seed)), four_bar(random.Random(seed)), self.ok(four_bar(random.Random(seed)), "simulate"), rng

    def same(self, one, other, names, scale=1.0, names_of_other=None, tolerance=2e-8):
        for name, twin in zip(names, names_of_other or names):
            x, y = one.series[name], scale * other.series[twin]
            self.near(y, x, tolerance * (np.abs(x).max() + 1e-3), name)

    def test_order_of_joints_and_bodies(self):
        for _, model, run, rng in self.machines():
            for key in ("joints", "bodies", "loads"):
                items = list(model[key].items())
                rng.shuffle(items)
                model[key] = dict(items)
            self.same(run, self.ok(model, "simulate"), ["rate", "acceleration"] + self.FORCES)

    def test_other_units(self):
        for _, model, run, _ in self.machines():
            model["units"] = {"length": "mm", "angle": "deg", "mass": "kg"}
            mm = lambda at: [1000 * x for x in at]                                                                                 # noqa: E731
            model["gravity"] = ["0 m/s^2", "-9.81 m/s^2"]
            for name, body in model["bodies"].items():
                body["markers"] = {k: mm(v) for k, v in body["markers"].items()}
                if name != "ground":
                    body.update(centroid=mm(body["centroid"]), inertia=f"{body['inertia']!r} kg.m^2", pose={"at": mm(body["pose"]["at"]), "angle": math.degrees(body["pose"]["angle"])})
            model["joints"]["O"]["damping"] = "0.3 N.m.s/rad"
            model["loads"]["spring"].update(stiffness="40 N/m", free_length="500 mm", damping="1.5 N.s/m")
            model["loads"]["motor"]["value"] = "3[N.m]*sin(2[rad/s]*t)"
            model["initial"]["O.angle'"] = f"{model['initial'][chr(79) + chr(46) + 'angle' + chr(39)]!r} rad/s"
            other = self.ok(model, "simulate")
            unit = math.pi / 180 if other.units["rate"].startswith("deg") else 1
            self.same(run, other, ["rate", "acceleration"], unit)
            self.same(run, other, self.FORCES)

    def test_reversed_joints(self):
        for _, model, run, _ in self.machines():
            for joint in model["joints"].values():
                joint["between"].reverse()
            model["initial"] = {name: -x for name, x in model["initial"].items()}
            self.same(run, self.ok(model, "simulate"), ["rate", "acceleration"], -1)

    def test_elsewhere_and_turned(self):
        for _, model, run, rng in self.machines():
            s, dx, dy = rng.uniform(-3, 3), rng.uniform(-5, 5), rng.uniform(-5, 5)
            place = lambda p: [dx + math.cos(s) * p[0] - math.sin(s) * p[1], dy + math.sin(s) * p[0] + math.cos(s) * p[1]]                  # noqa: E731
            model["gravity"] = [9.81 * math.sin(s), -9.81 * math.cos(s)]
            for name, body in model["bodies"].items():
                if name == "ground":
                    body["markers"] = {k: {"at": place(v), "angle": s} for k, v in body["markers"].items()}
                else:
                    body["pose"] = {"at": place(body["pose"]["at"]), "angle": body["pose"]["angle"] + s}
            self.same(run, self.ok(model, "simulate"), ["rate", "acceleration"] + self.FORCES)

    def test_another_start_of_time(self):
        for _, model, run, rng in self.machines():
            start = rng.choice([-7, 3, 50])
            model["motion"] = {"from": start, "to": start + 1, "step": 0.05}
            model["loads"]["motor"]["value"] = f"3*sin(2*(t - ({start})))"
            self.same(run, self.ok(model, "simulate"), ["rate", "acceleration"] + self.FORCES)

    def test_the_plane_in_space(self):
        for _, model, run, _ in self.machines():
            text = cli.run_model(model, "convert", "--to", "spatial", out=False)
            self.assertEqual(text.code, 0, text.said())
            self.same(run, self.ok(text.out, "simulate"), ["rate", "acceleration"])


class Driven(cli.Case):
    """Examples whose drives leave no freedom: `simulate` projects positions and rates onto the drives, so that it agrees with `inverse` to rounding. Where rows are on rates (wheels), the course itself
    is integrated in both, by different methods: there some tolerances are left."""
    QUICK = ("backhoe", "bricard", "cardan", "engine", "planetary", "press", "robot", "slider3d", "valvetrain")        # ROBERVAL_MORE=1 has all
    DEAD_POINTS = ("one.yaml", "shoes.yaml")                      # samples stand on the very instants at which friction and the load change their signs
    LIFTS = ("flies.yaml",)                                       # a follower leaves its cam, which inverse dynamics only warns of
    WHEELS = ("robot.yaml", "tyres.yaml")

    @cli.long
    def test_examples_agree_with_inverse_dynamics(self):
        agreed = set()
        for path in sorted(glob.glob(os.path.join(EXAMPLES, "*", "*.yaml"))):
            name = os.path.basename(path)
            with open(path, encoding="utf-8") as f:
                model = yaml.safe_load(f)
            if not model.get("drives") or not model.get("motion") or name in self.DEAD_POINTS + self.LIFTS or not (cli.MORE or name[:-5] in self.QUICK):
                continue
            runs = [cli.run([command, path]) for command in ("inverse", "simulate")]
            if runs[0].code == 2:                                 # something is left to move by forces
                continue
            self.assertEqual([run.code for run in runs], [0, 0], name + runs[1].said())
            if name not in self.WHEELS:
                self.assertEqual(runs[0].marks, {key: runs[1].marks[key] for key in runs[0].marks}, name)
            agreed.add(name[:-5])
            largest = {}
            for key, x in runs[0].series.items():
                largest[runs[0].units[key]] = max(largest.get(runs[0].units[key], 0), np.nanmax(np.abs(x), initial=0))
            for key, x in runs[0].series.items():
                y, unit = runs[1].series[key], runs[0].units[key]
                self.near(np.nan_to_num(y), np.nan_to_num(x), (2e-8 if name in self.WHEELS else 1e-9) * largest[unit] + 1e-10, f"{name}: {key}")
        self.assertLessEqual(set(self.QUICK), agreed)
        self.assertGreaterEqual(len(agreed), 25 if cli.MORE else len(self.QUICK))

    def test_samples_on_dead_points_of_what_rubs(self):
        """A ram reverses where a sample stands: the friction there has the sign of before or after, and passes the audit; everywhere else it is that of inverse dynamics."""
        rng = random.Random(12)
        for _ in range(ROUNDS + 2):
            r, l, n = rng.uniform(0.05, 0.15), rng.uniform(0.25, 0.5), rng.choice([1, 2, 2.5])
            text = f"""roberval: 1
space: planar
gravity: [0, -9.81]
bodies:
  crank: {{mass: 1, inertia: 0.1, markers: {{A: [{r!r}, 0]}}}}
  rod: {{mass: 1, inertia: 0.1, centroid: [{l / 2!r}, 0], pose: {{at: [{r!r}, 0]}}, markers: {{B: [{l!r}, 0]}}}}
  ram: {{mass: {rng.uniform(2, 8)!r}, inertia: 0.1, pose: {{at: [{r + l!r}, 0]}}}}
joints:
  O: {{type: revolute, between: [ground, crank]}}
  A: {{type: revolute, between: [crank.A, rod]}}
  B: {{type: revolute, between: [rod.B, ram]}}
  S: {{type: prismatic, between: [ground, ram], friction: {{coefficient: {rng.uniform(0.05, 0.3)!r}}}}}
drives: {{m: {{coordinate: O.angle, motion: "{n}*2*pi*t"}}}}
motion: {{from: 0, to: {2 / n!r}, step: {0.05 / n!r}}}
"""
            inverse, simulated = self.ok(text), self.ok(text, "simulate")
            ratio = np.abs(simulated.series["S.friction"] / simulated.series["S.Fy"])
            self.near(ratio, np.full(len(ratio), ratio[5]), 1e-9, "friction at every sample is the coefficient times the load")
            for name in ("S.friction", "m.effort", "B.Fx"):
                x, y = inverse.series[name], simulated.series[name]
                inner = [k for k in range(len(x)) if k % 10]
                self.near(y[inner], x[inner], 1e-9 * np.abs(x).max(), name)


class Redundant(cli.Case):
    def test_a_beam_on_many_cranks_swings_as_one_pendulum(self):
        """Parallel cranks of length L carry one beam: (sum I + M L^2) a'' = -(sum m c + M L) g cos a, whatever their number; more than two of them are redundant."""
        rng = random.Random(21)
        for n in (2, 3, 5):
            L, mass, beam = rng.uniform(0.5, 1), rng.uniform(1, 2), rng.uniform(2, 5)
            cranks = "".join(f"  c{i}: {{mass: {mass!r}, inertia: 0.05, centroid: [{0.5 * L!r}, 0], pose: {{at: [{i}, 0], angle: -0.4}}, markers: {{B: [{L!r}, 0]}}}}\n" for i in range(n))
            joints = "".join(f"  O{i}: {{type: revolute, between: [ground, c{i}], at: [{i}, 0]}}\n  B{i}: {{type: revolute, between: [c{i}.B, beam.P{i}]}}\n" for i in range(n))
            head = "roberval: 1\nspace: planar\ngravity: [0, -9.81]\nbodies:\n"
            motion = "motion: {from: 0, to: 3, step: 0.5}\n"
            many = self.ok(f"{head}{cranks}  beam: {{mass: {beam!r}, inertia: 1, pose: {{at: [{L * math.cos(0.4)!r}, {-L * math.sin(0.4)!r}]}}, markers: {{{', '.join(f'P{i}: [{i}, 0]' for i in range(n))}}}}}\n"
                           f"joints:\n{joints}{motion}output: {{turn: O0.angle}}\n", "simulate")
            total = n * mass + beam
            centre = (n * mass * 0.5 * L + beam * L) / total
            inertia = n * (0.05 + mass * 0.25 * L * L) + beam * L * L - total * centre ** 2
            one = self.ok(f"{head}  c: {{mass: {total!r}, inertia: {inertia!r}, centroid: [{centre!r}, 0], pose: {{angle: -0.4}}}}\njoints: {{O: {{type: revolute, between: [ground, c]}}}}\n{motion}output: {{turn: O.angle}}\n",
                          "simulate", "--tolerance", "1e-12")
            turned = one.series["turn"] - one.series["turn"][0]
            self.near(many.series["turn"] - many.series["turn"][0], turned, 1e-8, f"{n} cranks")
            if BODIES:
                self.assertLess(many.result["integration"]["rejected"], 10)
            self.assertLess(many.result["integration"]["evaluations"], one.result["integration"]["evaluations"], "repeated rows make no steps in vain")


class Tolerance(cli.Case):
    PENDULUM = """roberval: 1
space: planar
gravity: [0, -9.81]
bodies: {bob: {particle: true, mass: 1, pose: {at: [-1, 0]}}}
joints: {rod: {type: link, between: [ground, bob], length: 1}}
"""
    TOP = """roberval: 1
space: spatial
gravity: [0, 0, -9.81]
bodies: {top: {mass: 15, centroid: [0, 1, 0], inertia: [0.234375, 0.46875, 0.234375], markers: {C: [0, 1, 0]}}}
joints: {S: {type: spherical, between: [ground, top]}}
initial: {wx(top): 0, wy(top): 150, wz(top): -4.61538}
output: {x: "x(top.C)", y: "y(top.C)", z: "z(top.C)"}
motion: {from: 0, to: 0.2, step: 0.1}
"""

    def falls(self, model, names, everywhere=True):
        """Against the run of the smallest tolerance: no error is larger than 300 tolerances, and a tolerance of a thousandth gains a factor of 30 at least (steps
        are bounded by the samples and by turns of a radian, too: what they make better than a large tolerance asks for gains nothing there)."""
        best = self.ok(model, "simulate", "--tolerance", "1e-13")
        errors = []
        for tolerance in (1e-5, 1e-8, 1e-11):
            run = self.ok(model, "simulate", "--tolerance", repr(tolerance))
            errors.append(max(np.abs(run.series[name] - best.series[name]).max() / np.abs(best.series[name]).max() for name in names))
            self.assertLess(errors[-1], 300 * tolerance)
        if everywhere:
            self.assertLess(errors[1], errors[0] / 30 + 1e-12)
        self.assertLess(errors[2], errors[1] / 30 + 1e-12)

    def test_errors_fall_with_the_tolerance(self):
        self.falls(self.PENDULUM + "motion: {from: 0, to: 3, step: 0.5}\n", ["bob.x", "bob.y"])
        self.falls(self.TOP, ["x", "y", "z"], everywhere=False)
        for seed in range(ROUNDS):
            self.falls({**four_bar(random.Random(seed)), "motion": {"from": 0, "to": 6, "step": 3}}, ["rate"])

    @cli.long
    def test_constraints_hold_in_long_runs(self):
        end = 1e4 if cli.MORE else 4e3                                  # the drift of its steps alone would fail the audit after 3000 s
        run = self.ok(self.PENDULUM + f"motion: {{from: 0, to: {end}, step: {end / 4}}}\n", "simulate", "--tolerance", "1e-7")
        self.assertLess(run.result["integration"]["constraint_error"], 1e-12)
        self.near(np.hypot(run.series["bob.x"], run.series["bob.y"]), np.ones(5), 1e-14)
        self.near(run.series["energy"] - run.series["energy"][0], np.zeros(5), 1e-4 * 9.81)

    # All three bars go round; three wheels in mesh.
    DRAG_LINK = """
roberval: 1
space: planar
bodies:
  ground: {markers: {A: [0, 0], D: [0.1, 0]}}
  crank: {mass: 1, inertia: 0.05, centroid: [0.15, 0], markers: {A: [0, 0], B: [0.3, 0]}}
  rod: {mass: 0.5, inertia: 0.01, centroid: [0.125, 0], markers: {B: [0, 0], C: [0.25, 0]}, pose: {at: [0.3, 0], angle: 1.5}}
  follower: {mass: 1, inertia: 0.05, centroid: [0.14, 0], markers: {D: [0, 0], C: [0.28, 0]}, pose: {at: [0.1, 0], angle: 1.2}}
joints:
  a: {type: revolute, between: [ground.A, crank.A]}
  b: {type: revolute, between: [crank.B, rod.B]}
  c: {type: revolute, between: [rod.C, follower.C]}
  d: {type: revolute, between: [ground.D, follower.D]}
initial: {a.angle: 0.1, a.angle': 1000}
motion: {from: 0, to: 5, step: 1}
"""
    WHEELS = """
roberval: 1
space: planar
bodies:
  ground: {markers: {A: [0, 0], B: [0.3, 0], C: [0.3, 0.35]}}
  one: {mass: 1, inertia: 0.01}
  two: {mass: 1, inertia: 0.04, pose: {at: [0.3, 0]}}
  three: {mass: 1, inertia: 0.04, pose: {at: [0.3, 0.35]}}
joints:
  a: {type: revolute, between: [ground.A, one]}
  b: {type: revolute, between: [ground.B, two]}
  c: {type: revolute, between: [ground.C, three]}
  mesh: {type: gear, between: [one, two], radii: [0.1, 0.2]}
  idler: {type: gear, between: [two, three], radii: [0.2, 0.15]}
initial: {a.angle: 0.3, a.angle': 1e4}
motion: {from: 0, to: 1, step: 0.25}
"""

    @cli.long
    def test_constraints_hold_after_many_turns(self):
        """An angle of 10^4 rad is rounded by 10^-12 rad: joints must not open by it, nor teeth jump, and both go on counting. Spur wheels of the plane and of space."""
        space = {**yaml.safe_load(self.WHEELS.replace("1e4}", "10000.0}")), "space": "spatial"}
        for name, body in space["bodies"].items():
            if "inertia" in body:
                body["inertia"] = [body["inertia"]] * 2 + [1.5 * body["inertia"]]
            for points in (body.get("markers", {}), body.get("pose", {})):
                for key, at in points.items():
                    points[key] = at + [0]
        for model, speed in ((self.DRAG_LINK, None), (self.WHEELS, 1e4), (space, 1e4)):
            run = self.ok(model, "simulate", "--tolerance", "1e-6")
            self.assertLess(run.result["integration"]["constraint_error"], 2e-15)
            if speed:
                a, c = run.series["a.angle"], run.series["c.angle"]
                self.near(a, 0.3 + speed * run.series["time"], 1e-6 * speed)    # the tolerance
                self.near(c - c[0], (a - a[0]) * 0.1 / 0.15, 5e-12)             # a few roundings of such angles


if __name__ == "__main__":
    cli.main()
