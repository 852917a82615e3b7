#!/usr/bin/python3
"""inverse --method recursive: the reference problems to their digits, in all coordinates, and every example against two steps in absolute ones."""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "py"))
import cases_test           # noqa: E402
import cli                  # noqa: E402
import methods_test         # noqa: E402
import space_reference_test  # noqa: E402

COORDINATES = ("absolute", "natural", "joint")


class Recursive:
    """Every inverse of a class of reference problems by this method."""
    coordinates = "absolute"

    def ok(self, model, command="inverse", *flags, **options):
        return super().ok(model, command, *(("--method", "recursive", "--coordinates", self.coordinates) if command == "inverse" else ()), *flags, **options)


class Tree(Recursive, space_reference_test.Tree):
    """T1: a tree with a revolute and a prismatic joint beside each other on a first body"""


class TreeInJointCoordinates(Tree):
    coordinates = "joint"


class Linkages(Recursive, cases_test.Linkages):
    """D1: the pin that closes the loop by virtual power, then the recursion; D3, D6 and others"""


class LinkagesInJointCoordinates(Linkages):
    coordinates = "joint"


class Rssr(Recursive, space_reference_test.Rssr):
    """P3: balls, and a spin that nothing sees"""


class ParallelAxes(Recursive, space_reference_test.ParallelAxes):
    """P1: reactions across the plane are not unique, and those of least norm"""


class ParallelAxesInJointCoordinates(ParallelAxes):
    coordinates = "joint"


class Frames(Recursive, space_reference_test.Frames):
    """structures of every kind of joint, most of them redundant: drives and cut joints beside bodies that nothing moves"""

    @cli.long
    def test_random_frames(self):
        for seed in range(0, 40 if cli.MORE else 12, 1 if cli.MORE else 4):
            m, oracle = space_reference_test.random_frame(space_reference_test.np.random.default_rng(seed))
            for coordinates in ("absolute", "joint"):
                with self.subTest(seed=seed, coordinates=coordinates):
                    done = cli.run_model(m, "inverse", "--method", "recursive", "--coordinates", coordinates)
                    self.assertEqual(done.code, 0, done.said())
                    self.against(done, oracle, "joint")


class Gears(Recursive, cases_test.Gears):
    """tooth forces across the tree, and the pushes that follow them"""


class Examples(methods_test.Agreeing):
    @cli.long
    def test_examples(self):
        count = 0
        for path in methods_test.EXAMPLES[1::1 if cli.MORE else 4]:
            reference = methods_test.solve(path)
            if reference.code != 0:
                continue
            count += 1
            for coordinates in COORDINATES:
                with self.subTest(example=os.path.basename(path), coordinates=coordinates):
                    done = methods_test.solve(path, "--method", "recursive", "--coordinates", coordinates)
                    self.assertEqual(done.code, 0, done.said())
                    self.assertEqual(done.json()["method"], "recursive")
                    self.agree(reference.json(), done.json(), f"{os.path.basename(path)} {coordinates}")
        self.assertGreater(count, 25 if cli.MORE else 6)


def chain(count, across=None):
    """Bars one on the other in the plane, each driven against the one before; `across`: the last one's drive is an angle against ground."""
    bodies = {f"b{k}": {"mass": 1 + 0.1 * k, "inertia": 0.2, "centroid": [0.5, 0.05 * k], "pose": {"at": [k, 0]}, "markers": {"L": [0, 0], "R": [1, 0]}} for k in range(count)}
    joints = {f"j{k}": {"type": "revolute", "between": [f"b{k - 1}.R" if k else "ground", f"b{k}.L"]} for k in range(count)}
    drives = {f"d{k}": {"coordinate": f"j{k}.angle" if k < count - 1 or not across else f"angle(b{k})", "motion": f"{0.1 + 0.05 * k}*t + 0.2*t^2"} for k in range(count)}
    return {"roberval": 1, "space": "planar", "gravity": [0, -9.81], "bodies": bodies, "joints": joints, "drives": drives, "motion": {"from": 0, "to": 1, "step": 0.25}}


class Chains(methods_test.Agreeing):
    def test_drives_of_arcs_and_across_them(self):
        """a drive against ground moves on no arc alone; its effort acts on the last body, and on all before it"""
        for across in (False, True):
            model = chain(7, across)
            one = cli.run_model(model, "inverse")
            for coordinates in COORDINATES:
                two = cli.run_model(model, "inverse", "--method", "recursive", "--coordinates", coordinates)
                self.assertEqual(two.code, 0, two.said())
                self.agree(one.result, two.result, f"{across} {coordinates}")

    def test_a_chain_of_bars_by_hand(self):
        """at rest, horizontal: the motor of bar k holds up the weights beyond it, the sum of m_j g (x_j - k)"""
        model = chain(5)
        for drive in model["drives"].values():
            drive["motion"] = "0"
        done = cli.run_model(model, "inverse", "--method", "recursive")
        for k in range(5):
            want = sum((1 + 0.1 * j) * 9.81 * (j + 0.5 - k) for j in range(k, 5))
            self.assertAlmostEqual(done.result["drives"][f"d{k}"]["first"], want, delta=1e-12 * want)
            self.assertAlmostEqual(done.result["reactions"][f"j{k}"]["components"]["Fy"]["first"], sum((1 + 0.1 * j) * 9.81 for j in range(k, 5)), delta=1e-12 * 100)


class FreeBases(cli.Case):
    """a body that no joint ties down, with an arm on it, led by drives"""

    def solve(self, height, coordinates, turn="0", **more):
        model = {"roberval": 1, "space": "planar", "gravity": [0, -10],
                 "bodies": {"base": {"mass": 2, "inertia": 0.3, "markers": {"E": [0.2, 0]}}, "arm": {"mass": 1, "inertia": 0.1, "centroid": [0.4, 0], "pose": {"at": [0.2, 0]}, "markers": {"P": [0, 0]}}},
                 "joints": {"elbow": {"type": "revolute", "between": ["base.E", "arm.P"]}},
                 "drives": {"x": {"coordinate": "x(base)", "motion": "0"}, "y": {"coordinate": "y(base)", "motion": height}, "turn": {"coordinate": "angle(base)", "motion": turn},
                            "bend": {"coordinate": "elbow.angle", "motion": "0"}}, "motion": {"from": 0, "to": 1, "step": 0.25}, **more}
        done = cli.run_model(model, "inverse", "--method", "recursive", "--coordinates", coordinates)
        self.assertEqual(done.code, 0, done.said())
        return done

    def test_what_a_motion_asks_for_is_told(self):
        """held up: 3 kg at 10 m/s^2, and the arm's 1 kg at 0.6 m"""
        for coordinates in COORDINATES:
            self.assertIn("no joint ties 'base' down: its motion asks for a force of up to 30 N and a torque of up to 6 N.m about its centroid", "\n".join(self.solve("0", coordinates).result["notes"]))

    def test_a_free_fall_asks_for_nothing(self):
        for coordinates in COORDINATES:
            done = self.solve("-5*t^2", coordinates)
            self.assertIn("no joint ties 'base' down, and its motion asks for no force on it", "\n".join(done.result["notes"]))
            self.assertLess(abs(done.result["drives"]["y"]["max"]), 1e-12 * 30)

    def test_a_body_that_a_bar_ties_down_has_no_such_note(self):
        model = {"roberval": 1, "space": "planar", "gravity": [0, -10], "bodies": {"base": {"mass": 2, "inertia": 0.3, "pose": {"at": [1, 0]}}},
                 "joints": {"bar": {"type": "link", "between": ["ground", "base"], "length": 1}},
                 "drives": {"y": {"coordinate": "y(base)", "motion": "0.1*t"}, "turn": {"coordinate": "angle(base)", "motion": "0"}}, "motion": {"from": 0, "to": 1, "step": 0.25}}
        done = cli.run_model(model, "inverse", "--method", "recursive")
        self.assertEqual(done.code, 0, done.said())
        self.assertNotIn("ties", "\n".join(done.result.get("notes") or []))



if __name__ == "__main__":
    cli.main()
