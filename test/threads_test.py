#!/usr/bin/env python3
# ctest: optimised
"""Samples of long motions in blocks on threads (decision 71): the same bytes for any number of threads, to rounding the numbers of runs that are not divided, and what goes
on from sample to sample goes on from block to block: turns, signs of quaternions, changes of verdicts, the first and the worst of what is violated, where a motion ends."""
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "py"))
import cli              # noqa: E402

import numpy as np      # noqa: E402

CARDAN, STEWART, DOOR = (os.path.join(cli.ROOT, "examples", name) for name in ("cardan/cardan.yaml", "stewart/stewart.yaml", "door/door.yaml"))


def four_bar(**more):
    """A crank that turns 10 times a second, by a coupler to a rocker that swings; 20 001 samples, ten blocks."""
    model = {"roberval": 1, "space": "planar", "gravity": [0, -9.81],
             "bodies": {"ground": {"markers": {"A": [0, 0], "D": [0.4, 0]}},
                        "crank": {"mass": 1, "inertia": 0.01, "centroid": [0.05, 0], "markers": {"B": [0.1, 0]}, "pose": {"at": [0, 0], "angle": 1.0}},
                        "coupler": {"mass": 2, "inertia": 0.05, "centroid": [0.2, 0], "markers": {"C": [0.4, 0]}, "pose": {"at": [0.05, 0.08], "angle": 0.3}},
                        "rocker": {"mass": 1.5, "inertia": 0.03, "centroid": [0.15, 0], "markers": {"C": [0.3, 0]}, "pose": {"at": [0.4, 0], "angle": 1.4}}},
             "joints": {"a": {"type": "revolute", "between": ["ground.A", "crank"]}, "b": {"type": "revolute", "between": ["crank.B", "coupler"]},
                        "c": {"type": "revolute", "between": ["coupler.C", "rocker.C"]}, "d": {"type": "revolute", "between": ["ground.D", "rocker"]}},
             "drives": {"motor": {"coordinate": "a.angle", "motion": "1 + 2*pi*10*t"}},
             "motion": {"from": 0, "to": "2 s", "step": "0.1 ms"}}
    model.update(more)
    return model


def three_cranks():
    """A coupler on three equal cranks, one too many, that turn ten times a second; 20 001 samples. What the cranks carry along themselves is not unique."""
    at = {"a": [0, 0], "b": [0.4, 0], "c": [0.2, 0.15]}
    return {"roberval": 1, "space": "planar", "gravity": [0, -9.81],
            "bodies": {"ground": {"markers": at}, "coupler": {"mass": 2, "inertia": 0.05, "centroid": [0.2, 0.1], "markers": at, "pose": {"at": [0.1, 0]}},
                       **{f"k{n}": {"mass": 1, "inertia": 0.01, "markers": {"tip": [0.1, 0]}, "pose": {"at": p}} for n, p in at.items()}},
            "joints": {**{n: {"type": "revolute", "between": [f"ground.{n}", f"k{n}"]} for n in at}, **{f"t{n}": {"type": "revolute", "between": [f"k{n}.tip", f"coupler.{n}"]} for n in at}},
            "drives": {"motor": {"coordinate": "a.angle", "motion": "2*pi*10*t"}}, "motion": {"from": 0, "to": "2 s", "step": "0.1 ms"}}


class Threads(cli.Case):
    def files(self, model, command, *options):
        """Exit status, what is said, and the bytes of the files of a run."""
        with tempfile.TemporaryDirectory() as folder:
            path = model
            if isinstance(model, dict):
                path = os.path.join(folder, "model.json")
                with open(path, "w", encoding="utf-8") as file:
                    cli.json.dump(model, file)
            done = subprocess.run([cli.BINARY, command, path, "--out", "out", *options], cwd=folder, capture_output=True)
            said = [done.returncode, done.stdout.replace(folder.encode(), b""), done.stderr.replace(folder.encode(), b"")]
            for name in ("series.csv", "result.json"):
                if os.path.exists(os.path.join(folder, "out", name)):
                    with open(os.path.join(folder, "out", name), "rb") as file:
                        said.append(file.read().replace(folder.encode(), b""))
        return said

    def test_any_number_of_threads_gives_the_same_bytes(self):
        cases = [(four_bar(), "inverse"), (four_bar(), "inverse", "--coordinates", "joint"), (four_bar(), "kinematics"), (four_bar(), "inverse", "--method", "newton"),
                 (CARDAN, "inverse", "--to", "2 s", "--step", "0.25 ms"), (STEWART, "inverse", "--step", "1 ms"), (STEWART, "kinematics", "--step", "1 ms"),
                 (three_cranks(), "check", "--motion", "--json"), (STEWART, "check", "--motion", "--json", "--step", "1 ms")]
        for case in cases:
            one = self.files(*case, "--threads", "1")
            self.assertEqual(one[0], 0, one)
            for threads in ("2", "7"):
                for a, b in zip(one, self.files(*case, "--threads", threads)):
                    self.assertEqual(a, b, f"{case[1:]} {threads}")

    def test_blocks_have_the_numbers_of_short_runs(self):
        """runs of up to 4096 samples of nine coordinates are not divided; the motion is periodic, so each turn is compared with the first. Rounding: 1e-15 times a condition of some 1e3"""
        long = self.ok(four_bar(), "inverse").series
        short = self.ok(four_bar(motion={"from": 0, "to": "0.1 s", "step": "0.1 ms"}), "inverse").series
        for name, column in short.items():
            if name == "time" or re.search(r"angle|\.turn", name):
                continue
            for turn in range(20):
                part = long[name][1000 * turn:1000 * turn + 1000]
                self.near(part, column[:1000], 1e-11 * (1 + np.abs(column).max()), f"{name} turn {turn}")

    def test_turns_and_quaternions_go_on(self):
        planar = self.ok(four_bar(), "kinematics").series
        for name in ("crank.angle", "a.angle"):
            self.near(np.diff(planar[name]), np.full(20000, 2e-3 * np.pi), 1e-9, name)
        for name in ("rocker.angle", "coupler.angle", "b.angle", "c.angle", "d.angle"):
            self.assertLess(np.abs(np.diff(planar[name])).max(), 0.02, name)
        with open(CARDAN, encoding="utf-8") as file:
            model = file.read()
        done = self.ok(model, "inverse", "--to", "2 s", "--step", "0.25 ms").series
        for body in ("drive_shaft", "driven_shaft"):
            q = np.array([done[f"{body}.{k}"] for k in ("qw", "qx", "qy", "qz")])
            self.assertGreater((q[:, 1:] * q[:, :-1]).sum(axis=0).min(), 0.9, body)
            self.assertLess(q[0].min(), -0.5, f"{body} turns on, and its quaternion with it")
        self.assertGreater(done["turn"][-1], 2 * np.pi * 49, "50 turns are counted")

    def test_what_is_violated_is_told_once(self):
        """a stop that is passed more and more, and a drive that needs more than its max: warnings name the first and the worst instant of the whole run"""
        rise = {"motor": {"coordinate": "a.angle", "motion": "1 + 60*t + 4*t^2", "max": 60}}
        model = four_bar(drives=rise, stops={"edge": {"coordinate": "d.angle", "max": 1.9}})
        done = self.ok(model, "inverse", quiet=False)
        series = done.series
        t, effort = series["time"], np.abs(series["motor.effort"])
        warned = [line for line in (done.out + done.err).splitlines() if "cannot follow its motion" in line]
        self.assertEqual(len(warned), 1, done.out)
        first, at, worst = (float(x) for x in re.search(r"from t = (\S+) s .* at t = (\S+) s with (\S+) of", warned[0]).groups())
        self.near([first, at, worst], [t[effort > 60][0], t[effort.argmax()], effort.max()], 1e-5 * effort.max(), warned[0])
        self.assertGreater(at, 1.5, "the worst is in a late block")
        passed = [line for line in (done.out + done.err).splitlines() if "stop 'edge' is passed" in line]
        self.assertEqual(len(passed), 1, done.out)
        del model["drives"]["motor"]["max"]
        angle = self.ok(model, "kinematics").series["d.angle"]
        first, at, worst = (float(x) for x in re.search(r"passed from t = (\S+) s .* at t = (\S+) s with (\S+)", passed[0].replace(" rad", "")).groups())
        self.near([first, at, worst], [t[angle > 1.9][0], t[angle.argmax()], angle.max()], 2e-6 * t[-1], passed[0])

    def test_friction_at_rest_keeps_its_range_and_is_told_once(self):
        """a slide that stands for the first tenth of a second, then moves: its friction there is anything up to mu times its weight; one that stands at the end, too. What stands
        at both sides of t = 0 is told once"""
        model = {"roberval": 1, "space": "planar", "gravity": [0, -9.81],
                 "bodies": {"ground": {"markers": {"p": [0, 0], "q": [0, 1]}},
                            **{name: {"mass": mass, "inertia": 0.1, "pose": {"at": [0, y]}} for name, mass, y in (("p", 2, 0), ("q", 3, 1))}},
                 "joints": {f"r{name}": {"type": "prismatic", "between": [f"ground.{name}", name], "friction": {"coefficient": 0.3}} for name in "pq"},
                 "drives": {"dp": {"coordinate": "rp.x", "motion": "if(t < 0.1, 0, (t - 0.1)^3)"}, "dq": {"coordinate": "rq.x", "motion": "if(t > 0.9, 0, (t - 0.9)^3)"}},
                 "motion": {"from": -0.5, "to": 1, "step": "0.1 ms"}}
        done = self.ok(model, "inverse", quiet=False)
        for joint, weight in (("rp", 2 * 9.81), ("rq", 3 * 9.81)):
            friction = done.result["reactions"][joint]["components"]["friction"]
            self.near([friction["range_min"], friction["range_max"]], [-0.3 * weight, 0.3 * weight], 1e-9 * weight, joint)
            self.assertEqual(sum(f"joint '{joint}' stands still" in note for note in done.result["notes"]), 1, done.result["notes"])

    def test_a_rod_that_spins_idly_goes_on_smoothly(self):
        """the spin of a rod with two balls is an integral along its motion, which no block may begin anew: third differences of its quaternion are those of a smooth motion"""
        model = {"roberval": 1, "space": "spatial", "gravity": [0, 0, -9.81],
                 "bodies": {"ground": {"markers": {"A": {"at": [0, 0, 0], "axis": [0, 0, 1]}, "R": {"at": [0.5, 0, 0.1], "axis": [1, 0, 0]}}},
                            "crank": {"mass": 1, "inertia": [0.01, 0.01, 0.01], "markers": {"A": {"at": [0, 0, 0], "axis": [0, 0, 1]}, "B": [0.1, 0, 0]}},
                            "rod": {"mass": 0.5, "inertia": [0.001, 0.01, 0.01], "centroid": [0.2, 0, 0], "pose": {"at": [0.1, 0, 0]}, "markers": {"B": [0, 0, 0], "C": [0.45, 0, 0]}},
                            "slide": {"mass": 1, "inertia": [0.01, 0.01, 0.01], "pose": {"at": [0.53, 0, 0.1]}, "markers": {"R": {"at": [0, 0, 0], "axis": [1, 0, 0]}}}},
                 "joints": {"a": {"type": "revolute", "between": ["ground.A", "crank.A"]}, "b": {"type": "spherical", "between": ["crank.B", "rod.B"]},
                            "c": {"type": "spherical", "between": ["rod.C", "slide.R"]}, "r": {"type": "prismatic", "between": ["ground.R", "slide.R"]}},
                 "drives": {"motor": {"coordinate": "a.angle", "motion": "2*pi*12*t"}}, "motion": {"from": 0, "to": 1, "step": "0.1 ms"}}
        series = self.ok(model, "inverse").series
        for name in ("rod.qw", "rod.qx", "rod.qy", "rod.qz"):
            third = np.abs(np.diff(series[name], 3))
            self.assertLess(third.max(), 1.5 * np.sort(third)[-40:].mean(), name)

    def test_a_motion_that_ends_in_a_later_block(self):
        """a long crank is turned until coupler and rocker lie in line, at .93 s: samples before are kept, the message is that of a short run"""
        grow = {"motor": {"coordinate": "a.angle", "motion": "1 + t"}}
        long_crank = four_bar(drives=grow, joints=dict(four_bar()["joints"]))
        long_crank["bodies"] = dict(long_crank["bodies"], crank=dict(long_crank["bodies"]["crank"], markers={"B": [0.45, 0]}))
        short = cli.run_model(dict(long_crank, motion={"from": 0, "to": "20 s", "step": "10 ms"}), "inverse")
        runs = [cli.run_model(dict(long_crank, motion={"from": 0, "to": "20 s", "step": "0.1 ms"}), "inverse", "--threads", n) for n in ("1", "3")]
        self.assertEqual(short.code, 1, short.said())
        self.assertEqual([r.code for r in runs], [1, 1], runs[0].said())
        self.assertEqual(*(r.err.split("model.json")[1] for r in runs))
        ends = [float(re.search(r"t = ([0-9.]+) s", r.err)[1]) for r in (short, *runs)]
        self.near(ends, [ends[0]] * 3, 0.02, "t at which it locks")
        self.assertGreater(ends[0], 0.9, "in the second block or later")
        samples = len(runs[0].series["time"])
        self.assertLess(abs(samples - ends[1] / 1e-4), 3)
        self.near(runs[0].series["b.Fx"][:short.series["time"].size * 100 - 99:100], short.series["b.Fx"], 1e-9 * np.abs(short.series["b.Fx"]).max(), "samples before")

    def test_check_finds_every_change_of_verdict_and_rank(self):
        """the self-stress of three cranks lies along them: where they stand upright, each 50 ms from 25 ms on, it has no horizontal part, and Fx of that one sample is unique; where
        they lie, Fy, and c carries nothing, since a and b are in one line. The rank is 12 of 13 rows all the time"""
        along = self.ok(three_cranks(), "check", "--motion").result["along_motion"]
        self.assertEqual([along[k] for k in ("from", "to", "samples")], [0, 2, 20001])
        self.assertEqual(along["rank_changes"], [{"time": 0, "rank": 12, "redundant": 1, "safe": True}])
        changes = {}
        for change in along["verdict_changes"]:
            changes.setdefault(change["component"], []).append((change["time"], change["verdict"]))
        for name, first, apart in (("a.Fx", 0.025, 0.05), ("b.Fx", 0.025, 0.05), ("c.Fx", 0.025, 0.025), ("a.Fy", 0.05, 0.05), ("b.Fy", 0.05, 0.05), ("c.Fy", 0.05, 0.05)):
            expected = [(t + d, v) for t in np.arange(first, 1.99, apart) for d, v in ((0, "unique"), (1e-4, "not unique"))]
            found = [(t, v) for t, v in changes[name] if 0.01 < t < 1.99]
            self.assertEqual([v for _, v in found], [v for _, v in expected], name)
            self.near([t for t, _ in found], [t for t, _ in expected], 1e-9, name)

    def test_check_ends_where_the_motion_does(self):
        """as inverse below: bars in line at .93 s; what check says of it is the same for any number of threads, and the rank is lost there"""
        model = four_bar(drives={"motor": {"coordinate": "a.angle", "motion": "1 + t"}}, motion={"from": 0, "to": "20 s", "step": "0.1 ms"})
        model["bodies"] = dict(model["bodies"], crank=dict(model["bodies"]["crank"], markers={"B": [0.45, 0]}))
        runs = [cli.run_model(model, "check", "--motion", "--threads", n) for n in ("1", "3")]
        inverse = cli.run_model(model, "inverse")
        self.assertEqual([r.code for r in (*runs, inverse)], [1, 1, 1], runs[0].said())
        self.assertEqual(*(r.err.split("model.json")[1] for r in runs))
        ends = [float(re.search(r"t = ([0-9.]+) s", r.err)[1]) for r in (*runs, inverse)]
        self.near(ends, [ends[0]] * 3, 2e-4, "t at which it locks")
        self.assertGreater(ends[0], 0.9, "in the second block or later")

    def rows(self, folder, model, count, change=None):
        """A record of the crank, which turns unevenly, each 0.1 ms; change(rows) alters it. Its path and that of the model."""
        t = np.arange(count) * 1e-4
        rows = [f"{x:.4f},{y:.12f}" for x, y in zip(t, 1 + 20 * np.pi * t + 0.3 * np.sin(7 * t))]
        if change:
            change(rows)
        paths = [os.path.join(folder, name) for name in ("run.csv", "model.json")]
        for path, text in zip(paths, ("\n".join(["time [s],a.angle [rad]", *rows, ""]), cli.json.dumps(model))):
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
        return paths

    def recorded(self, command, record, model, *options, pipe=False):
        """A run along a record: from its file, or through a pipe, whose rows are taken one after the other. Status, messages, series."""
        folder = os.path.dirname(record)
        with open(record, "rb") as file:
            done = subprocess.run([cli.BINARY, command, model, "--record", "-" if pipe else record, "--out", "out", *options], cwd=folder, capture_output=True,
                                  input=file.read() if pipe else b"")
        names, rows = "", b""
        with open(os.path.join(folder, "out", "series.csv"), "rb") as file:
            names, rows = file.readline(), file.read()
        said = done.stderr.decode().replace(folder, "").replace("run.csv", "R").replace("<stdin>", "R")
        return done.returncode, re.sub(r"^.*?(?=R:|model)", "", said, flags=re.M), names.decode().strip().split(","), np.genfromtxt(rows.splitlines(), delimiter=","), rows

    def test_a_record_in_blocks_is_that_of_a_pipe(self):
        """20 001 rows, ten blocks; rows that come through a pipe are taken one after the other. The same bytes for any number of threads, and to rounding the numbers of the pipe"""
        with tempfile.TemporaryDirectory() as folder:
            for command, coordinates in (("inverse", "absolute"), ("inverse", "joint"), ("kinematics", "absolute")):
                record, model = self.rows(folder, four_bar(), 20001)
                runs = [self.recorded(command, record, model, "--coordinates", coordinates, "--threads", n) for n in ("1", "2", "5")]
                one = self.recorded(command, record, model, "--coordinates", coordinates, pipe=True)
                self.assertEqual([r[0] for r in (*runs, one)], [0, 0, 0, 0], one[1])
                self.assertEqual([r[4] == runs[0][4] for r in runs], [True] * 3)
                self.assertEqual(one[3].shape[0], 20001)
                size = np.abs(one[3]).max(axis=0)
                for column, name in enumerate(one[2]):
                    self.near(runs[0][3][:, column], one[3][:, column], 1e-11 * (1 + size[column]), f"{command} {name}")

    def test_what_is_wrong_in_a_late_row_is_said_after_the_rows_before(self):
        """in the seventh block: a row without a number, a time that goes back, a jump of the crank by a turn; and a record that ends with the first row of a block"""
        def word(rows):
            rows[14000] = "1.4,x"

        def back(rows):
            rows[14000] = "1.3,89"

        def jump(rows):
            rows[14000:] = [f"{t},{float(a) + 6.2831853:.12f}" for t, a in (r.split(",") for r in rows[14000:])]
        with tempfile.TemporaryDirectory() as folder:
            for change in (word, back, jump):
                record, model = self.rows(folder, four_bar(), 20001, change)
                runs = [self.recorded("inverse", record, model, "--threads", n) for n in ("1", "3")] + [self.recorded("inverse", record, model, pipe=True)]
                self.assertEqual([r[0] for r in runs], [2, 2, 2], runs[0][1])
                self.assertEqual(len({r[1] for r in runs}), 1, f"{[r[1] for r in runs]}")
                self.assertIn("1400", runs[0][1], "the line is named")
                self.assertEqual([len(r[3]) for r in runs], [len(runs[2][3])] * 3, change)
                self.assertGreater(len(runs[0][3]), 13990)
            for row in (2 * 2048 + 1, 2 * 2048 + 3, 2 * 2048 + 150):       # behind the rows that are read ahead, where the spline looks already
                record, model = self.rows(folder, four_bar(), 12000, lambda rows: rows.__setitem__(row, f"{row * 1e-4},x"))
                runs = [self.recorded("inverse", record, model, pipe=p) for p in (False, True)]
                self.assertEqual([r[0] for r in runs], [2, 2])
                self.assertEqual(runs[0][1], runs[1][1], row)
                self.assertIn(f":{row + 2}:", runs[0][1])
            record, model = self.rows(folder, four_bar(), 1 + 2048 * 5)
            self.assertEqual([len(self.recorded("inverse", record, model, pipe=p)[3]) for p in (False, True)], [10241, 10241])

    def test_verdicts_of_an_uneven_record_have_the_times_of_its_rows(self):
        """three cranks that rest at 0 up to the first row of the second block, which lies elsewhere than so many equal steps from the start: there Fy ceases to be unique"""
        model = three_cranks()
        with tempfile.TemporaryDirectory() as folder:
            for rest in (1024, 1025, 2048, 2049):
                t = np.concatenate([np.arange(500) * 1e-4, 0.05 + np.arange(5500) * 1e-3])
                turn = np.where(np.arange(6000) < rest, 0, 2e-3 * (np.arange(6000) - rest + 1))
                record, path = self.rows(folder, model, 1, lambda rows: rows.__setitem__(slice(None), [f"{x:.4f},{a:.6f},0,0" for x, a in zip(t, turn)]))
                with open(record, encoding="utf-8") as file:
                    text = file.read().replace("time [s],a.angle [rad]", "time [s],a.angle [rad],a.angle' [rad/s],a.angle'' [rad/s^2]")
                with open(record, "w", encoding="utf-8") as file:
                    file.write(text)
                found = []
                for pipe in (False, True):
                    self.assertEqual(self.recorded("inverse", record, path, pipe=pipe)[0], 0)
                    with open(os.path.join(folder, "out", "verdicts.csv"), encoding="utf-8") as file:
                        found.append(file.read())
                self.assertEqual(*found)
                self.assertIn(f"{t[rest]:.6g}", found[0], rest)

    def test_what_is_inadmissible_is_said_alike_wherever_a_block_begins(self):
        """cranks upright at .925 s: there a.Fx is determined and cannot be taken away, be it the last sample of a block or the first of the next"""
        said = []
        for samples in (2047, 2048, 2049):
            done = cli.run_model(dict(three_cranks(), motion={"from": 0, "to": 2, "step": 0.925 / samples}), "check", "--motion", "--redundant", "eliminate=a.Fx")
            said.append((done.code, "it was admissible before" in done.err))
        self.assertEqual(len(set(said)), 1, said)

    def test_a_record_that_cannot_be_followed_any_more(self):
        """as above: bars in line at .93 s"""
        with tempfile.TemporaryDirectory() as folder:
            model = four_bar()
            model["bodies"] = dict(model["bodies"], crank=dict(model["bodies"]["crank"], markers={"B": [0.45, 0]}))
            record, path = self.rows(folder, model, 20001, lambda rows: rows.__setitem__(slice(None), [f"{k * 1e-4:.4f},{1 + k * 1e-4:.12f}" for k in range(20001)]))
            runs = [self.recorded("inverse", record, path, "--threads", n) for n in ("1", "3")] + [self.recorded("inverse", record, path, pipe=True)]
            self.assertEqual([r[0] for r in runs], [1, 1, 1], runs[0][1])
            self.assertEqual(runs[0][1], runs[1][1])
            ends = [float(re.search(r"t = ([0-9.]+) s", r[1])[1]) for r in runs]
            self.near(ends, [ends[2]] * 3, 2e-4, "t at which it locks")

    def test_an_interrupt_keeps_what_is_done(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "model.json")
            with open(path, "w", encoding="utf-8") as file:
                cli.json.dump(four_bar(motion={"from": 0, "to": "1000 s", "step": "0.1 ms"}), file)
            program = subprocess.Popen([cli.BINARY, "inverse", path, "--out", os.path.join(folder, "out"), "--threads", "2"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            while program.poll() is None and not cli.catches(program.pid, signal.SIGTERM):
                time.sleep(0.01)
            time.sleep(2)
            before = time.monotonic()
            program.send_signal(signal.SIGINT)
            said = program.communicate(timeout=cli.HANG)[1].decode()
            self.assertEqual(program.returncode, 130, said)
            self.assertLess(time.monotonic() - before, 60, "a run of 10 million samples ends at once; its samples are written")
            with open(os.path.join(folder, "out", "series.csv"), encoding="utf-8") as file:
                next(file)
                times = [float(line.split(",", 1)[0]) for line in file]
            self.assertGreater(len(times), 1000)
            self.near(np.diff(times), np.full(len(times) - 1, 1e-4), 1e-9, "no sample is missing between blocks")


if __name__ == "__main__":
    cli.main()
