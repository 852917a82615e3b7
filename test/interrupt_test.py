#!/usr/bin/env python3
"""^C and SIGTERM end a run soon, wherever it is, with status 130 and the samples that were done; motions too fast to follow are refused in words."""
import csv
import glob
import json
import math
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "py"))
import cli              # noqa: E402

SEED = int(os.environ.get("ROBERVAL_SEED", "11"))
ROUNDS = int(os.environ.get("ROBERVAL_INTERRUPTS", "1"))
EXAMPLES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "examples", "*", "*.yaml")
ANALYSES = ("check", "assemble", "kinematics", "statics", "inverse", "simulate", "track", "modes")
AT_MOST = 2.0           # s of processor time after the signal; the promise is about 1 s of the program as users get it, tests also run it with sanitizers
TICK = os.sysconf("SC_CLK_TCK")


def processor_time(pid):
    with open(f"/proc/{pid}/stat") as f:
        fields = f.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICK


def arm(motion, kind="revolute", coordinate="pin.angle", to=1, step=0.1, **more):
    return {"roberval": 1, "space": "planar", "bodies": {"arm": {"mass": 2, "inertia": 0.1, "centroid": [0.5, 0]}},
            "joints": {"pin": {"type": kind, "between": ["ground", "arm"]}}, "drives": {"motor": {"coordinate": coordinate, "motion": motion}},
            "motion": {"from": 0, "to": to, "step": step}, **more}


def cable(n, sweep=2.0, reach=None):
    """n bars of 1 m along an arc, both ends pinned; `reach`: the far end is put there, out of reach."""
    x = y = 0.0
    bodies, joints = {"ground": {}}, {}
    for k in range(n):
        a = -sweep / 2 + sweep * (k + 0.5) / n
        bodies[f"b{k}"] = {"mass": 1, "inertia": 0.1, "centroid": [0.5, 0], "pose": {"at": [x, y], "angle": a}, "markers": {"P": [0, 0], "Q": [1, 0]}}
        joints[f"j{k}"] = {"type": "revolute", "between": [f"b{k - 1}.Q" if k else "ground.A", f"b{k}.P"]}
        x, y = x + math.cos(a), y + math.sin(a)
    bodies["ground"] = {"markers": {"A": [0, 0], "B": [reach or x, y]}}
    joints["end"] = {"type": "revolute", "between": [f"b{n - 1}.Q", "ground.B"]}
    return {"roberval": 1, "space": "planar", "gravity": [0, -9.81], "bodies": bodies, "joints": joints}


class Interrupts(cli.Case):
    def setUp(self):
        self.random = random.Random(SEED)
        self.folder = tempfile.TemporaryDirectory(prefix="rbv-interrupt-")
        self.addCleanup(self.folder.cleanup)

    def start(self, model, command, *flags):
        path = os.path.join(self.folder.name, "model.json")
        with open(path, "w", encoding="utf-8") as f:
            f.write(model if isinstance(model, str) else json.dumps(model))
        return subprocess.Popen([cli.BINARY, command, path, "--quiet", *flags], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def interrupt(self, model, command, *flags, after=(0.02, 0.3)):
        """Send a signal once the program has its handlers and worked for a random time; (status, stderr), or None when it was done before.

        SIGTERM tells that they are there: between fork and exec the child has Python's own handler of SIGINT."""
        program, wanted = self.start(model, command, *flags), self.random.uniform(*after)
        while program.poll() is None and not (processor_time(program.pid) >= wanted and cli.catches(program.pid, signal.SIGTERM)):
            time.sleep(0.005)
        if program.poll() is not None:
            program.communicate()
            return None
        before = processor_time(program.pid)
        program.send_signal(self.random.choice((signal.SIGINT, signal.SIGTERM)))
        out, err = program.stdout.read(), program.stderr.read()
        _, status, usage = os.wait4(program.pid, 0)
        program.returncode = os.waitstatus_to_exitcode(status)
        program.stdout.close(), program.stderr.close()
        took = usage.ru_utime + usage.ru_stime - before
        self.assertEqual(program.returncode, 130, f"{command} {flags}: {err}")
        self.assertIn("interrupted", err)
        self.assertLess(took, AT_MOST, f"{command} {flags} went on for {took:.2f} s")
        return program.returncode, err

    def interrupted(self, *arguments, **options):
        for _ in range(ROUNDS):
            self.assertIsNotNone(self.interrupt(*arguments, **options), "was done too soon for this test to say anything")

    @cli.long
    def test_inside_a_sample(self):
        """a sample takes seconds"""
        for command in (["inverse"], ["kinematics"], ["check", "--motion"]):
            self.interrupted(arm(f"sin({self.random.uniform(6e6, 1e7)}*t)", step=0.1, to=1), *command)

    def test_what_was_done_is_kept(self):
        """slow samples behind quick ones: the quick ones are written, and they are right"""
        out = os.path.join(self.folder.name, "out")
        model = arm("if(t < 0.55, t, t + sin(1e7*(t - 0.55)) - 1e7*(t - 0.55))", step=0.1)
        self.interrupted(model, "inverse", "--out", out, after=(0.1, 0.3))
        with open(os.path.join(out, "series.csv"), newline="") as f:
            rows = list(csv.DictReader(f))
        self.assertEqual([float(r["time [s]"]) for r in rows], [0.1 * k for k in range(len(rows))])
        self.assertEqual(len(rows), 6)
        for row in rows:
            self.assertAlmostEqual(float(row["arm.angle [rad]"]), float(row["time [s]"]), delta=1e-12)
        with open(os.path.join(out, "result.json")) as f:
            json.load(f)

    def test_what_cannot_be_written_is_not_said_to_be(self):
        """a folder stands where a file shall, and the run is interrupted: both are said, and that anything was written is not"""
        for name in ("series.csv", "result.json"):
            out = os.path.join(self.folder.name, name)
            os.makedirs(os.path.join(out, name))
            _, err = self.interrupt(arm("if(t < 0.55, t, t + sin(1e7*(t - 0.55)) - 1e7*(t - 0.55))", step=0.1), "inverse", "--out", out, after=(0.1, 0.3))
            self.assertIn(f"{name}: Is a directory", err)
            self.assertNotIn("are written", err)
            self.assertEqual(os.listdir(out), [name])

    def test_in_assembly(self):
        self.interrupted(cable(self.random.randint(1500, 2500), reach=1e4), "check")

    @cli.long
    def test_in_statics(self):
        self.interrupted(cable(self.random.randint(90, 100)), "statics", "--method", "virtual-power")
        self.interrupted(cable(self.random.randint(350, 400)), "statics", "--method", "penalty")
        self.interrupted(cable(self.random.randint(350, 400)), "statics", "--all")

    @cli.long
    def test_in_a_long_step(self):
        """eigenvalues of a dense matrix ask nobody: they are left"""
        chain = cable(700, sweep=0.1)
        del chain["joints"]["end"]
        chain["gravity"] = [9.81, 0]
        self.interrupted(chain, "modes", after=(0.5, 0.8))

    @cli.long
    def test_every_analysis_of_the_examples(self):
        """at instants spread over what the analysis takes; whoever was done before says what it always does"""
        paths = sorted(glob.glob(EXAMPLES))
        calls = [(path, analysis) for path in paths for analysis in ANALYSES]
        instants = 5
        if not cli.MORE:
            calls, instants = self.random.sample(calls, 12), 2
        for path, analysis in calls:
            began = time.monotonic()
            undisturbed = subprocess.run([cli.BINARY, analysis, path, "--quiet"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
            took = time.monotonic() - began
            for _ in range(instants):
                program = subprocess.Popen([cli.BINARY, analysis, path, "--quiet"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
                time.sleep(self.random.uniform(0.01, max(took, 0.02)))
                before = processor_time(program.pid)
                os.kill(program.pid, signal.SIGINT)         # which waits for nobody, unlike send_signal
                err = program.stderr.read()
                _, status, usage = os.wait4(program.pid, 0)
                program.returncode = os.waitstatus_to_exitcode(status)
                program.stderr.close()
                self.assertIn(program.returncode, (130, undisturbed.returncode, -signal.SIGINT), f"{analysis} {path}: {err}")
                self.assertLess(usage.ru_utime + usage.ru_stime - before, AT_MOST, f"{analysis} {path}")

    @cli.long
    def test_while_reading(self):
        model = json.dumps(cable(20000))
        self.interrupted(model, "check", after=(0.02, 0.05))


class Bounded(cli.Case):
    """What cannot be reached is refused after a bounded search, whatever units its equation is in."""

    def test_a_drive_of_steep_gradient_that_is_out_of_reach(self):
        rng = random.Random(SEED)
        for _ in range(12):
            steep, length = 10 ** rng.uniform(6, 10), rng.uniform(0.5, 1.5)
            point = [[rng.uniform(-1, 1), rng.uniform(-1, 1)] for _ in range(3)]
            model = {"roberval": 1, "space": "planar", "bodies": {"ground": {"markers": {"p": point[0], "q": point[1]}},
                                                                  "lever": {"mass": 1, "inertia": 0.1, "pose": {"angle": rng.uniform(0, 6)}, "markers": {"t": [length, 0], "n": point[2]}}},
                     "joints": {"pin": {"type": "revolute", "between": ["ground", "lever"]}},
                     "coordinates": {"cable": f"{steep!r}*distance(ground.p, lever.t) + distance(ground.q, lever.n)"},
                     "drives": {"winch": {"coordinate": "cable", "motion": "1[m]"}}, "motion": {"from": 0, "to": 1, "step": 0.1}}
            if min(abs(math.hypot(*point[0]) - length), 1) * steep < 10:
                continue        # it may be in reach
            for command in ("assemble", "inverse"):
                began = os.times()
                done = cli.run_model(model, command, timeout=60)
                self.assertNotEqual(done.code, 0, done.said())
                self.assertIn("'winch'", done.err)
                self.assertLess(os.times().children_user - began.children_user, 2)

    def test_a_steep_drive_within_reach_is_led_there(self):
        """distances that are asked for in micrometres, told in the model's own expression"""
        for steep in (1, 1e6, 1e9):
            model = arm("t")
            model["bodies"]["ground"] = {"markers": {"p": [2, 0]}}
            model["bodies"]["arm"].update(markers={"t": [1, 0]}, pose={"angle": 3.0})
            model["coordinates"] = {"rope": f"{steep!r}*distance(ground.p, arm.t)"}
            model["drives"]["motor"] = {"coordinate": "rope", "motion": f"{1.5 * steep!r}"}
            done = self.ok(model, "assemble")
            angle = done.series["arm.angle"][0]
            self.assertAlmostEqual(math.hypot(2 - math.cos(angle), math.sin(angle)), 1.5, delta=1e-9)


class LateTimes(cli.Case):
    """Numbers next to t are so far apart: a motion of few of them is refused, one of some is noted."""

    def pendulum(self, start, span, step):
        return {"roberval": 1, "space": "planar", "gravity": [0, -9.81], "bodies": {"arm": {"mass": 1, "inertia": 0.1, "centroid": [0.5, 0]}},
                "joints": {"pin": {"type": "revolute", "between": ["ground", "arm"]}}, "motion": {"from": start, "to": start + span, "step": step}}

    def test_late(self):
        for start in (1e9, -3e9, 1e12):
            apart = math.ulp(start)
            for span, step in ((8 * apart, 8 * apart), (1000 * apart, apart), (16 * apart, 4 * apart)):
                done = cli.run_model(self.pendulum(start, span, step), "simulate", timeout=20)
                self.assertEqual(done.code, 2, done.said())
                self.assertIn("numbers are", done.err)
            done = self.ok(self.pendulum(start, 4000 * apart, 400 * apart), "simulate")
            self.assertIn("are off by", " ".join(done.result["notes"]))
            done = self.ok(self.pendulum(start, 1e5 * apart, 2e4 * apart), "simulate")
            self.assertNotIn("are off by", " ".join(done.result["notes"]))


class TooFast(cli.Case):
    """Steps are bounded, and the drive is named with about how often it turns."""

    def refused(self, model, command="inverse"):
        began = os.times()
        done = cli.run_model(model, command, timeout=120)
        ended = os.times()
        self.assertEqual(done.code, 1, done.said())
        self.assertLess(ended.children_user - began.children_user, 20)
        self.assertEqual(len(done.errors), 1, done.said())
        return done.errors[0].text

    def test_turns_are_counted(self):
        rng = random.Random(SEED)
        for power in (8, 9, 10, 12, 16):
            for motion, turns in (("sin(%r*t)", 2 / math.pi), ("%r*t", 1), ("1 + cos(%r*t)", 2 / math.pi)):
                speed, step = rng.uniform(1, 9) * 10 ** power, rng.uniform(0.1, 1)
                text = self.refused(arm(motion % speed, step=step, to=3 * step), rng.choice(("inverse", "kinematics")))
                self.assertRegex(text, "drive 'motor' turns about [0-9.e+]+ times between two samples, from t = 0 s to ")
                told, true = float(text.split("about ")[1].split()[0]), turns * speed * step / (2 * math.pi)
                self.assertLess(abs(math.log(told / true)), math.log(1.8), f"{motion % speed}: {told} for {true}")

    def test_the_fast_one_of_two_is_named(self):
        for names in (("slow", "fast"), ("fast", "slow")):
            model = arm("t")
            model["bodies"]["second"] = {"mass": 1, "inertia": 0.1}
            model["joints"]["knee"] = {"type": "revolute", "between": ["arm", "second"]}
            model["drives"] = {names[0]: {"coordinate": "pin.angle", "motion": "t" if names[0] == "slow" else "sin(3e9*t)"},
                               names[1]: {"coordinate": "knee.angle", "motion": "t" if names[1] == "slow" else "sin(3e9*t)"}}
            self.assertIn("'fast'", self.refused(model))

    def test_check_along_the_motion(self):
        done = cli.run_model(arm("sin(1e9*t)"), "check", "--motion", timeout=120)
        self.assertEqual(done.code, 1, done.said())
        self.assertIn("drive 'motor' turns about", done.err)

    def test_simulate(self):
        """a steady turn is integrated however fast it is; to and fro is not"""
        for motion in ("sin(4e8*t)", "1 + cos(7e10*t)"):
            self.assertIn("drive 'motor' turns about", self.refused(arm(motion), "simulate"))
        self.ok(arm("sin(50*t)"), "simulate")

    def test_fast_motions_that_can_be_followed_are(self):
        """some thousand turns between two samples: the angle counts them all"""
        for speed in (1e3, 3e4):
            done = self.ok(arm(f"{speed}*t", step=1, to=2), timeout=120)
            for t, angle in zip(done.time, done.series["arm.angle"]):
                self.assertAlmostEqual(angle, speed * t, delta=1e-9 * speed)

    def test_a_short_burst_is_followed(self):
        """a hundred turns in a ten-thousandth of the time between two samples"""
        done = self.ok(arm("step(t, 0.5, 0, 0.50001, 600)", step=0.1), timeout=120)
        self.assertAlmostEqual(done.series["arm.angle"][-1], 600, delta=1e-6)


if __name__ == "__main__":
    cli.main()
