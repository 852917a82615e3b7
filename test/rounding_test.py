#!/usr/bin/python3
"""What is equally right is chosen by a rule, not by rounding (decision 0042): the same model under each kernel of OpenBLAS that this processor can run, and with its bodies and joints in reverse order.
tools/test-rounding does the same for all examples, acceptance cases and pages."""
import importlib.machinery
import importlib.util
import math
import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "py"))
import cli              # noqa: E402

LOADER = importlib.machinery.SourceFileLoader("test_rounding", os.path.join(cli.ROOT, "tools", "test-rounding"))
ROUNDING = importlib.util.module_from_spec(importlib.util.spec_from_loader("test_rounding", LOADER))
LOADER.exec_module(ROUNDING)

# Shapes are known to rounding over the distance of their roots from others; those below are far from others.
SHAPE = 1e-9


def pendulums(count):
    """Equal pendulums side by side: `count` equal roots."""
    names = "cabd"[:count]
    return {"roberval": 1, "space": "planar", "gravity": [0, -10],
            "bodies": {n: {"mass": 1, "inertia": 0, "centroid": [0, -0.1]} for n in names},
            "joints": {f"{n}_pin": {"type": "revolute", "between": ["ground", n]} for n in names}}


def shaft(speed):
    """A disk on a shaft that is as stiff in all directions and damps: its two modes have one root at rest."""
    return {"roberval": 1, "space": "planar", "parameters": {"speed": speed, "k": "100 kN/m", "c": "20 N.s/m"},
            "bodies": {"disk": {"particle": True, "mass": 2.5}},
            "loads": {"shaft": {"type": "energy", "value": "0.5*k*(x(disk)^2 + y(disk)^2)"},
                      "rest": {"type": "force", "to": "disk", "value": ["-c*x(disk)'", "-c*y(disk)'"]}}}


def critical(damping):
    """m x'' + c x' + k x = 0 with m = 1, k = 100: a double real root where c = 20."""
    return {"roberval": 1, "space": "planar", "bodies": {"mass": {"mass": 1, "inertia": 1, "pose": {"at": [0.1, 0]}}},
            "joints": {"rail": {"type": "prismatic", "between": ["ground", "mass"], "damping": damping}},
            "loads": {"spring": {"type": "energy", "value": "50*rail.distance^2"}}, "initial": {"rail.distance": 0}}


def double_pendulum_on_a_cart():
    """It stands anywhere on its rail, and each of its rods hangs or is upright: four families of equilibria, each of two masses at heights of -1 and +1 rod."""
    return {"roberval": 1, "space": "planar", "gravity": [0, -10],
            "bodies": {"cart": {"mass": 3, "inertia": 1}, "upper": {"mass": 2, "inertia": 0, "centroid": [1, 0], "markers": {"end": [1, 0]}, "pose": {"at": [0, 0]}},
                       "lower": {"mass": 1, "inertia": 0, "centroid": [0.5, 0], "pose": {"at": [1, 0]}}},
            "joints": {"rail": {"type": "prismatic", "between": ["ground", "cart"]}, "shoulder": {"type": "revolute", "between": ["cart", "upper"]},
                       "elbow": {"type": "revolute", "between": ["upper.end", "lower"]}}}


class Rounding(cli.Case):
    def answers(self, model, command, *flags, reverse=True):
        """result.json under each kernel, and in reverse order."""
        cores = list(ROUNDING.cores(cli.BINARY))
        self.assertTrue(cores, "this processor runs one kernel only")
        runs = [cli.run_model(model, command, *flags)]
        for core in cores:
            os.environ["OPENBLAS_CORETYPE"] = core
            try:
                runs.append(cli.run_model(model, command, *flags))
            finally:
                del os.environ["OPENBLAS_CORETYPE"]
        if reverse:
            runs.append(cli.run_model(ROUNDING.reversed_order(model), command, *flags))
        for run in runs:
            self.assertEqual(run.code, 0, run.err)
        return [run.result for run in runs]

    def in_both_orders(self, model, command, *flags):
        """result.json of the model, and with its things in reverse order."""
        return [self.ok(order, command, *flags).result for order in (model, ROUNDING.reversed_order(model))]

    def same_modes(self, model, *flags):
        results = [r["modes"] for r in self.answers(model, "modes", *flags)]
        for modes in results[1:]:
            self.assertEqual(len(modes), len(results[0]))
            for one, other in zip(results[0], modes):
                self.assertEqual(set(one["shape"]), set(other["shape"]))
                for name, value in one["shape"].items():
                    self.near(other["shape"][name][0], value[0], SHAPE, name)
                    self.near(other["shape"][name][1], value[1], SHAPE, name)
        return results[0]

    def test_equal_pendulums_swing_one_by_one_in_the_order_of_names(self):
        modes = self.same_modes(pendulums(3))
        for mode, name in zip(modes, "abc"):
            self.near(mode["frequency"], 10 / (2 * math.pi), 1e-12)          # sqrt(g/l): 10 rad/s
            self.assertEqual({n: v for n, v in mode["shape"].items() if v != [0, 0]}, {f"{name}_pin.angle": [1, 0]})

    def test_a_shaft_as_stiff_in_all_directions_bends_along_x_then_y(self):
        modes = self.same_modes(shaft(0))
        self.assertEqual([[n for n, v in m["shape"].items() if v == [1, 0]] for m in modes], [["disk.x"], ["disk.y"]])

    def test_a_free_body_moves_along_its_axes(self):
        """six zeros: a motion for each coordinate, and no mixture of them"""
        model = {"roberval": 1, "space": "spatial", "bodies": {"box": {"mass": 2, "inertia": [0.1, 0.2, 0.3]}}}
        modes = self.same_modes(model)
        self.assertEqual(len(modes), 6)
        self.assertEqual(sorted(n for m in modes for n, v in m["shape"].items() if v != [0, 0]), sorted(f"box.{d}" for d in ("x", "y", "z", "rx", "ry", "rz")))

    def test_a_machine_that_moves_as_a_whole_is_told_by_its_bodies(self):
        """where no joint moves, what is left of joints is rounding"""
        model = {"roberval": 1, "space": "planar", "bodies": {"a": {"mass": 1, "inertia": 1}, "b": {"mass": 1, "inertia": 1, "pose": {"at": [1, 0]}}},
                 "joints": {"pin": {"type": "revolute", "between": ["a", "b"], "at": [0.5, 0]}},
                 "loads": {"coil": {"type": "torsion-spring", "joint": "pin", "stiffness": 5, "free_angle": 0}}}
        for mode in self.same_modes(model)[:3]:
            self.assertTrue(any(name.split(".")[0] in "ab" for name in mode["shape"]), mode)

    def test_what_a_shape_leaves_still_is_zero(self):
        """a top that spins on a plane can be moved along it: its turns are 1e-8 rad then by the differences that its matrices are of, of 4 mm each"""
        with open(os.path.join(cli.ROOT, "examples", "tippetop", "tippetop.yaml"), encoding="utf-8") as f:
            text = f.read()
        for mode, name in zip(cli.run_model(text, "modes").result["modes"], ("top.x", "top.y")):
            self.assertEqual({n: v for n, v in mode["shape"].items() if v != [0, 0]}, {name: [1, 0]})

    def test_a_double_real_root_is_two_modes(self):
        """c = 2 sqrt(k m): rounding parts the root by 1e-7 either along the axis or across it; a hundredth below it there is one pair"""
        for damping, count in ((20, 2), (20.2, 2), (19.8, 1)):
            modes = self.same_modes(critical(damping)) if damping != 20 else self.answers(critical(20), "modes")[0]["modes"]
            self.assertEqual(len(modes), count, damping)
        for result in self.answers(critical(20), "modes"):
            for mode in result["modes"]:
                self.near(mode["eigenvalue"][0], -10, 2e-6)                  # sqrt of rounding
                self.assertEqual(mode["eigenvalue"][1], 0)

    def test_of_extremes_that_come_again_the_first_is_named(self):
        """a weight that goes round: the same angles come again after each turn, but for rounding"""
        model = {"roberval": 1, "space": "planar", "gravity": [0, -9.81], "bodies": {"crank": {"mass": 2, "inertia": 0.01, "centroid": [0.3, 0]}},
                 "joints": {"pin": {"type": "revolute", "between": ["ground", "crank"]}}, "drives": {"motor": {"coordinate": "pin.angle", "motion": "2*pi*t"}},
                 "motion": {"from": 0, "to": 3, "step": 0.125}}
        for result in self.answers(model, "inverse"):
            motor = result["drives"]["motor"]
            self.assertEqual((motor["at_max"], motor["at_min"]), (0, 0.5))   # m g r at every turn's begin, -m g r at every half
            fx = result["reactions"]["pin"]["components"]["Fx"]
            self.assertEqual((fx["at_min"], fx["at_max"]), (0, 0.5))

    def test_the_least_of_what_begins_with_rounding_is_at_the_begin(self):
        """a turn that stands for a second but for 1e-17 rad, then turns; a difference of two equal places: the numbers of one column, or of its unit, say what is rounding, not those up to then"""
        model = {"roberval": 1, "space": "planar", "bodies": {"crank": {"mass": 2, "inertia": 0.01, "markers": {"P": [0.5, 0]}}},
                 "joints": {"pin": {"type": "revolute", "between": ["ground", "crank"]}}, "drives": {"motor": {"coordinate": "pin.angle", "motion": "step(t, 1, 0, 2, 1) - 1e-17*t"}},
                 "motion": {"from": 0, "to": 3, "step": 0.125}, "output": {"turned": "pin.angle", "beside": "x(crank.P) - 0.5[m]*cos(pin.angle)"}}
        run = cli.run_model(model, "kinematics", quiet=False)
        lines = [" ".join(line.split()) for line in run.out.splitlines()]
        self.assertIn("pin.angle rad 0 0 0 1 2", lines)                      # first, least and its time, largest and its time
        for result in self.answers(model, "kinematics"):
            turned, beside = result["outputs"]["turned"], result["outputs"]["beside"]
            self.assertEqual((turned["at_min"], turned["at_max"]), (0, 2))
            self.assertEqual((beside["at_min"], beside["at_max"]), (0, 0))

    @cli.long
    def test_bodies_that_touch_and_are_not_pressed_are_no_contact(self):
        """a plunger that a latch holds against its spring, and a ball before it on which nothing acts along their line: what is left of 1600 m/s^2 times the spring's part does not say that they are pressed"""
        for stiffness in (3000, 3700, 4000, 4300, 5100, 6700, 7300, 9100):
            model = {"roberval": 1, "space": "planar", "gravity": [0, -9.81],
                     "bodies": {"plunger": {"mass": 0.15, "inertia": 1e-4, "pose": {"at": [-0.06, 0]}}, "ball": {"particle": True, "mass": 0.05, "pose": {"at": [-0.06, 0]}}},
                     "joints": {"guide": {"type": "prismatic", "between": ["ground", "plunger"]}, "gap": {"type": "free", "between": ["plunger", "ball"]}},
                     "constraints": {"latch": {"equation": "guide.distance + 0.06"}, "rail": {"equation": "y(ball)"}}, "stops": {"face": {"coordinate": "gap.x", "min": 0}},
                     "loads": {"spring": {"type": "energy", "value": f"0.5*{stiffness}[N/m]*guide.distance^2"}}}
            for result in self.answers(model, "modes"):
                self.assertEqual([{n for n, v in mode["shape"].items() if v != [0, 0]} for mode in result["modes"]], [{"ball.x"}])
                self.assertTrue(any("no stop and no one-sided joint holds" in str(note) for note in result["notes"]), result["notes"])

    def test_residuals_that_are_rounding_come_in_the_order_of_names(self):
        """a closed linkage, whose rows hold to the last digits: none of them is larger than another"""
        model = {"roberval": 1, "space": "planar", "bodies": {n: {"mass": 1, "inertia": 0.1, "pose": {"at": at, "angle": angle}} for n, at, angle in (("crank", [0, 0], 1.1), ("rod", [0.45, 0.89], 0.3), ("rocker", [3, 0], 1.7))},
                 "joints": {"wrist": {"type": "revolute", "between": ["crank", "rod"], "at": [0.45, 0.89]}, "shaft": {"type": "revolute", "between": ["ground", "crank"], "at": [0, 0]},
                            "tip": {"type": "revolute", "between": ["rod", "rocker"], "at": [2.7, 1.6]}, "foot": {"type": "revolute", "between": ["ground", "rocker"], "at": [3, 0]}},
                 "drives": {"motor": {"coordinate": "shaft.angle", "motion": "0.7 + 1.3*t"}}}
        for result in self.answers(model, "assemble"):
            self.assertEqual(list(result["state"]["residuals"]), ["foot", "motor", "shaft", "tip", "wrist"])

    def test_a_start_beside_the_origin_by_rounding_is_one_at_the_origin(self):
        """Appell and Hamel's particle: constant accelerations; the size of what it is measured by was 1e-13 where it began 1e-13 beside its constraint's other points, and steps without end"""
        def particle(start):
            return {"roberval": 1, "space": "spatial",
                    "generalized": {"coordinates": {"u": {"start": start, "rate": 0.3}, "v": {"start": start, "rate": 0.4}, "w": {"start": start, "rate": -0.5}},
                                    "mass": [[1, 0, 0], [0, 1, 0], [0, 0, 1]], "force": [0, 0, -10]},
                    "constraints": {"wheelwork": {"velocity": "u'^2 + v'^2 - w'^2"}}, "motion": {"from": 0, "to": 1, "step": 0.25}}
        done = [cli.run_model(particle(start), "simulate") for start in (0, 1e-13)]
        for run in done:
            self.assertEqual(run.code, 0, run.err)
            self.assertLess(run.result["integration"]["steps"], 100)
        self.near(done[1].series["u"], done[0].series["u"], 1e-11)

    def test_the_motion_that_falls_is_named_by_the_body_where_no_joint_moves(self):
        """a rod on its tip that may fall either way, beside a joint that does not move then"""
        model = {"roberval": 1, "space": "spatial", "gravity": [0, 0, -9.81],
                 "bodies": {"post": {"mass": 1, "inertia": [0.1, 0.1, 0.01], "centroid": [0, 0, 0.5]}},
                 "joints": {"foot": {"type": "spherical", "between": ["ground", "post"]}}}
        names = {r["equilibrium"]["falls_by"] for r in self.answers(model, "statics")}
        self.assertEqual(len(names), 1, names)

    @cli.long
    def test_of_each_family_of_equilibria_one_is_listed(self):
        """energies 10 (2 +- 1 N.m of the upper rod with what it carries, 5 N.m of the lower one): -35, -25, 25, 35 J; angles within half a turn of where it hangs"""
        runs = self.answers(double_pendulum_on_a_cart(), "statics", "--all")
        for run in runs:
            found = run["equilibria"]
            self.assertEqual([e["stability"] for e in found], ["neutral", "unstable", "unstable", "unstable"])
            for equilibrium, energy, elbow in zip(found, (-35, -25, 25, 35), (0, 1, 1, 0)):
                self.assertAlmostEqual(equilibrium["energy"], energy, delta=1e-9)
                self.assertAlmostEqual(math.cos(equilibrium["coordinates"]["elbow.angle"]), 1 - 2 * elbow, delta=1e-9)
                self.assertLess(abs(equilibrium["coordinates"]["shoulder.angle"] - run["equilibrium"]["coordinates"]["shoulder.angle"]), math.pi + 1e-6)
            self.assertTrue(any("one of each family" in str(note) for note in run["notes"]), run["notes"])

    @cli.long
    def test_where_starts_begin_is_not_decided_by_the_order_of_the_file(self):
        """an equilibrium and its mirror image, and one with a spring that counts turns: the same list, each at the same place of it"""
        model = double_pendulum_on_a_cart()
        del model["bodies"]["cart"], model["joints"]["rail"]
        model["joints"]["shoulder"]["between"][0] = "ground"
        model["loads"] = {"coil": {"type": "torsion-spring", "joint": "shoulder", "stiffness": 12, "free_angle": "-90 deg"}}
        lists = [run["equilibria"] for run in self.answers(model, "statics", "--all")]
        for found in lists:
            self.assertEqual(len(found), len(lists[0]))
            for a, b in zip(found, lists[0]):
                self.assertEqual(a["stability"], b["stability"])
                for name, value in b["coordinates"].items():
                    self.assertAlmostEqual(a["coordinates"][name], value, delta=1e-7, msg=name)

    def test_freedoms_that_are_completed_are_chosen_from_ground_outward(self):
        """of the four hinges of a linkage one at ground, and of those the first in the alphabet; of a trolley and what it carries the joint at ground; of two bodies that nothing joins to ground the first"""
        linkage = {"roberval": 1, "space": "planar",
                   "bodies": {"ground": {"markers": {"D": [3, 0]}}, "rocker": {"mass": 1, "inertia": 1, "pose": {"at": [3, 0], "angle": "90 deg"}, "markers": {"E": [2, 0]}},
                              "bar": {"mass": 1, "inertia": 1, "pose": {"at": [0, 1]}, "markers": {"E": [3.1, 0.9]}},
                              "crank": {"mass": 1, "inertia": 1, "pose": {"at": [0, 0], "angle": "90 deg"}, "markers": {"E": [1, 0]}}},
                   "joints": {"a": {"type": "revolute", "between": ["bar.E", "rocker.E"]}, "d": {"type": "revolute", "between": ["ground.D", "rocker"]},
                              "b": {"type": "revolute", "between": ["crank.E", "bar"]}, "c": {"type": "revolute", "between": ["ground", "crank"]}}}
        rail = {"roberval": 1, "space": "planar", "bodies": {"block": {"mass": 1, "inertia": 1, "pose": {"at": [1, 1]}}, "trolley": {"mass": 1, "inertia": 1, "pose": {"at": [1, 1]}}},
                "joints": {"carries": {"type": "fixed", "between": ["trolley", "block"]}, "rail": {"type": "angle", "between": ["ground", "trolley"]}}}
        pair = {"roberval": 1, "space": "planar", "bodies": {"one": {"mass": 1, "inertia": 1}, "other": {"mass": 1, "inertia": 1, "pose": {"at": [1, 0]}}},
                "joints": {"pin": {"type": "fixed", "between": ["other", "one"]}}}
        for model, names in ((linkage, ["c.angle"]), (rail, ["rail.x", "rail.y"]), (pair, ["x(one)", "y(one)", "angle(one)"])):
            for result in self.in_both_orders(model, "assemble"):
                self.assertEqual([name for name in result["state"]["completed"] if not name.endswith("'")], names)
                self.assertRegex(str(result["notes"]), f"poses are nearest: {', '.join(names)}".replace("(", "[(]").replace(")", "[)]"))

    def test_all_joints_whose_friction_is_not_unique_are_named(self):
        """a block between two rough rails: each of them is said, not the one that the file has first"""
        model = {"roberval": 1, "space": "planar", "gravity": [0, -9.81], "bodies": {"block": {"mass": 1, "inertia": 1}},
                 "joints": {name: {"type": "prismatic", "between": ["ground", "block"], "friction": {"coefficient": 0.1}} for name in ("left", "right")},
                 "initial": {"left.distance'": 1}, "motion": {"from": 0, "to": 0.1, "step": 0.1}}
        driven = {**model, "drives": {"ram": {"coordinate": "left.distance", "motion": "t"}}}
        del driven["initial"]
        for command, given in (("modes", model), ("simulate", model), ("inverse", driven)):
            for order in (given, ROUNDING.reversed_order(given)):
                done = cli.run_model(order, command)
                self.assertNotEqual(done.code, 0)
                for name in ("left", "right"):
                    self.assertEqual(done.err.count(f"friction in joint '{name}' depends on its reaction"), 1, (command, done.err))

    def test_a_force_that_is_rounding_has_no_sign(self):
        """the belt of a shaper at rest carries nothing: its rounding is no force that turns negative"""
        shaper = ROUNDING.models.load((ROUNDING.ROOT / "examples/shaper/shaper.yaml").read_text(encoding="utf-8"))
        for result in self.in_both_orders(shaper, "statics"):
            self.assertLess(abs(result["reactions"]["belt"]["components"]["F"]["max"]), 1e-9)
            self.assertNotIn("turns negative", str(result["notes"]))

    @cli.long
    def test_wheels_in_mesh_keep_the_phases_of_the_starting_poses(self):
        """a planetary set with its sun held has one place (Willis): starts at random that lead a planet round the sun, or the sun on by a turn, were listed as others, as many as rounding let through"""
        for name in ("planetary", "floating_sun"):
            model = ROUNDING.models.load((ROUNDING.ROOT / f"examples/planetary/{name}.yaml").read_text(encoding="utf-8"))
            for result in self.in_both_orders(model, "statics", "--all"):
                self.assertEqual(len(result["equilibria"]), 1)
                self.near(result["equilibria"][0]["coordinates"]["carrier_bearing.angle"], 0, 1e-9)

    @cli.long
    def test_places_beside_a_singular_position_are_no_equilibria(self):
        """a scissor lift whose arms lie on each other: its joints press with 1e7 N there, beside which the 1 N that was left over of loads of 1e3 N seemed nothing; which of such places were listed was rounding"""
        lift = ROUNDING.models.load((ROUNDING.ROOT / "examples/scissor/at_rest.yaml").read_text(encoding="utf-8"))
        lists = [result["equilibria"] for result in self.in_both_orders(lift, "statics", "--all")]
        for found in lists:
            for equilibrium in found:
                self.assertGreater(abs(math.cos(equilibrium["bodies"]["a1"]["angle"])), 0.01, equilibrium["energy"])  # the arms of the first pair lie on each other at +-90 deg
            self.assertEqual([e["stability"] for e in found], [e["stability"] for e in lists[0]])
            for a, b in zip(found, lists[0]):
                self.near(a["energy"], b["energy"], 1e-4)                        # of 2e4 J

    def test_determined_sums_are_those_of_names(self):
        """four hinges of a flat linkage in space: three self-stresses, whose basis the order of the file decides; the nine sums are the same, and no self-stress changes them"""
        hinge = lambda *ends: {"type": "revolute", "between": list(ends)}
        bar = lambda at, turn: {"mass": 1, "inertia": [0.001, 0.01, 0.01], "pose": {"at": at, "rotate": {"axis": [0, 0, 1], "angle": turn}}}
        model = {"roberval": 1, "space": "spatial", "gravity": [0, 0, -9.81],
                 "bodies": {"ground": {"markers": {"D": [0.4, 0, 0]}}, "crank": {**bar([0, 0, 0], 1.05), "markers": {"B": [0.1, 0, 0]}}, "coupler": {**bar([0.05, 0.087, 0], 0.6), "markers": {"C": [0.35, 0, 0]}},
                            "rocker": {**bar([0.4, 0, 0], 1.75), "markers": {"C": [0.3, 0, 0]}}},
                 "joints": {"A": hinge("ground", "crank"), "B": hinge("crank.B", "coupler"), "C": hinge("coupler.C", "rocker.C"), "D": hinge("ground.D", "rocker")},
                 "drives": {"motor": {"coordinate": "A.angle", "motion": "1.05"}}}
        sums = []
        for result in self.in_both_orders(model, "check"):
            for group in result["groups"]:
                for mode in result["self_stress"]:
                    parts = [value * mode.get(name, 0) for name, value in group["combination"].items()]
                    self.near(sum(parts), 0, 1e-9 * max(1, max(abs(x) for x in parts)))
            sums.append({tuple(sorted(g["combination"])): g["combination"] for g in result["groups"]})
        for found in sums:
            self.assertEqual(set(found), set(sums[0]))
            for names, combination in found.items():
                for name in names:
                    self.near(combination[name] / combination[names[0]], sums[0][names][name] / sums[0][names][names[0]], 1e-9 * 100)  # of numbers up to 1e2

    def test_a_saddle_is_left_to_the_same_side(self):
        """an arm that falls over the saddle where it stands on end and its fore arm hangs: both sides are as low, and it ends on the same one, by the same turn"""
        model = {"roberval": 1, "space": "planar", "gravity": [0, -9.81],
                 "bodies": {"upper": {"mass": 3, "inertia": 0.06, "centroid": [0.25, 0], "pose": {"at": [0, 0], "angle": "90 deg"}, "markers": {"elbow": [0.5, 0]}},
                            "fore": {"mass": 2, "inertia": 0.03, "centroid": [0.2, 0], "pose": {"at": [0, 0.5], "angle": "-10 deg"}}},
                 "joints": {"shoulder": {"type": "revolute", "between": ["ground", "upper"]}, "elbow": {"type": "revolute", "between": ["upper.elbow", "fore"]}}}
        turns = {tuple(round(r["equilibrium"]["coordinates"][name] / (math.pi / 2), 6) for name in ("shoulder.angle", "elbow.angle")) for r in self.answers(model, "statics")}
        self.assertEqual(len(turns), 1, turns)
        shoulder, elbow = turns.pop()
        self.assertEqual(((shoulder + 1) % 4, elbow % 4), (0, 0))                # quarters of a turn: both hang


if __name__ == "__main__":
    cli.main()
