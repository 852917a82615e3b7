#!/usr/bin/env python3
"""--out DIR: the files of a folder are of one run, whoever else writes into it, is killed, or finds no room."""
import csv
import json
import os
import random
import resource
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "py"))
import cli              # noqa: E402

PAIRS = int(os.environ.get("ROBERVAL_PAIRS", "25"))
SEED = int(os.environ.get("ROBERVAL_SEED", "7"))


def model(speed, samples):
    """An arm; title, times and every column of the series are functions of `speed`. An odd one carries a shelf on two
    pins: what they push each other along their line is open, and in ground axes the verdicts change when it begins to turn."""
    text = {"roberval": 1, "title": f"speed {speed}", "space": "planar", "gravity": [0, -9.81],
            "bodies": {"arm": {"mass": 2, "inertia": 0.1, "centroid": [0.5, 0]}},
            "joints": {"pin": {"type": "revolute", "between": ["ground", "arm"]}},
            "drives": {"motor": {"coordinate": "pin.angle", "motion": f"{speed}*(t - {speed})"}},
            "motion": {"from": speed, "to": speed + 1, "step": 1 / samples}, "output": {"speed": "pin.angle'"}}
    if speed % 2 == 1:
        text["bodies"]["shelf"] = {"mass": 1, "inertia": 1}
        text["joints"] |= {f"bracket{k}": {"type": "revolute", "between": ["arm", "shelf"], "at": [k, 0]} for k in range(2)}
    return text


class Folder(cli.Case):
    def setUp(self):
        self.random = random.Random(SEED)
        temp = tempfile.TemporaryDirectory(prefix="rbv-folder-")
        self.addCleanup(temp.cleanup)
        self.temp, self.out = temp.name, os.path.join(temp.name, "out")

    def write(self, name, content):
        path = os.path.join(self.temp, name)
        with open(path, "w", encoding="utf-8") as f:
            json.dump(content, f)
        return path

    def begin(self, path, command="inverse", *flags, **options):
        return subprocess.Popen([cli.BINARY, command, path, "--out", self.out, "--quiet", "--frame", "ground", *flags], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)

    def one_run(self, speeds, samples):
        """The files in the folder are complete and all of one run, which is told."""
        with open(os.path.join(self.out, "result.json"), encoding="utf-8") as f:
            result = json.load(f)
        speed = float(result["model"]["title"].split()[1])
        self.assertIn(speed, speeds)
        self.assertEqual(sorted(os.listdir(self.out)), ["result.json", "scene.json", "series.csv"] + ["verdicts.csv"] * (speed % 2 == 1))
        if speed % 2 == 1:
            with open(os.path.join(self.out, "verdicts.csv"), encoding="utf-8", newline="") as f:
                self.assertEqual({(float(row["time [s]"]), row["verdict"]) for row in csv.DictReader(f)}, {(cli.Run(0, "", "", self.out).time[1], "not unique")})
        done = cli.Run(0, "", "", self.out)
        self.assertEqual(len(done.time), samples[speeds.index(speed)] + 1)
        self.near([done.time[0], done.time[-1]], [speed, speed + 1], 1e-9)
        self.near(done.series["arm.angle"], speed * (done.time - speed), 1e-9 * speed * speed)
        self.near(done.series["speed"], speed + 0 * done.time, 1e-9 * speed)
        self.assertEqual(result["drives"]["motor"]["first"], done.series["motor.effort"][0])
        self.assertEqual(result["drives"]["motor"]["max"], max(done.series["motor.effort"]))
        return speed

    @cli.long
    def test_pairs(self):
        """Two at once: one wins, the other is told who holds the folder; or they come one after the other."""
        refused = 0
        for pair in range(20 * PAIRS):
            if pair >= PAIRS and refused > PAIRS // 5:
                break                                                    # on a busy machine fewer pairs meet
            speeds, samples = [10.0 + pair, 101.0 + 3 * pair], [self.random.randint(200, 4000) for _ in range(2)]
            paths = [self.write(f"{n}.json", model(speeds[n], samples[n])) for n in range(2)]
            runs = []
            for path in paths:
                runs.append(self.begin(path))
                time.sleep(self.random.choice((0, 0, 0.002, 0.01)))
            said = [run.communicate(timeout=cli.HANG)[1] for run in runs]
            codes = [run.returncode for run in runs]
            self.assertIn(sorted(codes), ([0, 0], [0, 1]), said)
            of = self.one_run(speeds, samples)
            if 1 in codes:
                refused += 1
                loser = codes.index(1)
                self.assertEqual(of, speeds[1 - loser])
                self.assertRegex(said[loser], rf"another run writes into .*out: (process {runs[1 - loser].pid} on \S+|one that has just begun); name another folder")
        self.assertGreater(refused, PAIRS // 5, "hardly any pair met")

    def test_many(self):
        """Eight at once"""
        speeds, samples = [float(10 + k) for k in range(8)], [1000 + 100 * k for k in range(8)]
        paths = [self.write(f"{k}.json", model(speeds[k], samples[k])) for k in range(8)]
        runs = [self.begin(path) for path in paths]
        said = [run.communicate(timeout=cli.HANG)[1] for run in runs]
        self.assertIn(0, [run.returncode for run in runs], said)
        self.assertLessEqual({run.returncode for run in runs}, {0, 1}, said)
        self.one_run(speeds, samples)

    def test_the_folder_is_held_from_the_beginning(self):
        """The second run is refused at once, long before the first has anything to write."""
        slow = self.write("slow.json", model(3e6, 10))
        first = self.begin(slow)
        while first.poll() is None and not os.path.exists(os.path.join(self.out, "roberval.lock")):
            time.sleep(0.002)
        second = self.begin(self.write("quick.json", model(1, 10)))
        said = second.communicate(timeout=cli.HANG)[1]
        self.assertEqual(second.returncode, 1, said)
        self.assertRegex(said, rf"process {first.pid} on |just begun")
        first.send_signal(signal.SIGINT)
        first.communicate(timeout=cli.HANG)
        self.assertEqual(first.returncode, 130)
        third = self.begin(self.write("quick.json", model(1, 10)))       # nothing is left of the lock
        said = third.communicate(timeout=cli.HANG)[1]
        self.assertEqual((third.returncode, said), (0, ""))
        self.one_run([1.0], [10])

    def killed(self, path):
        """Kill a run while it writes its series; False when it was too quick."""
        run = self.begin(path)
        part = os.path.join(self.out, "series.csv.part")
        while run.poll() is None and not os.path.exists(part):
            time.sleep(0.0005)
        run.kill()
        run.communicate()
        return os.path.exists(part), run.pid

    def test_what_a_killed_run_leaves(self):
        """It is named, and removed by the next run that writes; what was complete before stays until then."""
        quick = self.write("quick.json", model(1, 10))
        for trial in range(12):                                          # on a busy machine this test may not run while the program writes
            self.assertEqual(self.begin(quick).wait(), 0)
            left, pid = self.killed(self.write("large.json", model(2, 60000 * (1 + trial // 3))))
            if left:
                break
        self.assertTrue(left, "could not be killed while it wrote")
        done = cli.Run(0, "", "", self.out)
        self.assertEqual((done.result["model"]["title"], len(done.time)), ("speed 1", 11))
        wrong = self.write("wrong.json", model(1, 10) | {"drives": {}})   # a run that has nothing to write removes nothing
        said = subprocess.run([cli.BINARY, "inverse", wrong, "--out", self.out], capture_output=True, text=True)
        self.assertEqual(said.returncode, 2)
        self.assertRegex(said.stderr, rf"note: a run into {self.out} did not come to its end: process {pid} on ")
        for command in ("check", "inverse"):
            said = subprocess.run([cli.BINARY, command, quick, "--out", self.out, "--frame", "ground"], capture_output=True, text=True)
            self.assertEqual(said.returncode, 0, said.stderr)
            if command == "check":
                self.assertIn(f"{self.out}/series.csv.part is left of a run that did not come to its end", said.stderr)
                self.assertEqual(sorted(os.listdir(self.out)), ["result.json", "scene.json"])
            else:
                self.assertNotIn("note", said.stderr)
        self.one_run([1.0], [10])

    @cli.long
    def test_killed_at_any_time(self):
        """Whenever a run dies, what stands in the folder is of one run; the next run puts all in order."""
        speeds, samples = [5.0, 6.0], [3000, 2000]
        paths = [self.write(f"{k}.json", model(speeds[k], samples[k])) for k in range(2)]
        for k in range(12):
            run = self.begin(paths[k % 2])
            time.sleep(self.random.uniform(0, 0.06))
            run.kill()
            run.communicate()
            there = set(os.listdir(self.out)) if os.path.isdir(self.out) else set()
            if {"result.json", "series.csv"} <= there:          # (verdicts.csv, too, where there is one)
                for name in there - {"result.json", "scene.json", "series.csv", "verdicts.csv"}:
                    os.remove(os.path.join(self.out, name))
                self.one_run(speeds, samples)
            if k % 3 == 2:
                run = self.begin(paths[0])
                said = run.communicate(timeout=cli.HANG)[1]
                self.assertEqual(run.returncode, 0, said)
                self.assertEqual(self.one_run(speeds, samples), 5.0)

    def test_no_room(self):
        """A disk that is full (a limit of the file size stands for it): exit 1, said, nothing half written, what was there before stays."""
        quick, large = self.write("quick.json", model(1, 10)), self.write("large.json", model(2, 20000))
        self.assertEqual(self.begin(quick).wait(), 0)

        def limit():
            signal.signal(signal.SIGXFSZ, signal.SIG_DFL)        # as a shell's ulimit -f leaves it; Python ignores it
            resource.setrlimit(resource.RLIMIT_FSIZE, (100000, 100000))
        run = self.begin(large, preexec_fn=limit)
        said = run.communicate(timeout=cli.HANG)[1]
        self.assertEqual(run.returncode, 1, said)
        self.assertRegex(said, r"error: cannot write .*out/series.csv: File too large")
        self.assertEqual(self.one_run([1.0], [10]), 1.0)

    @unittest.skipIf(os.geteuid() == 0, "root may write everywhere")
    def test_no_right_to_write(self):
        os.mkdir(self.out, 0o555)
        run = self.begin(self.write("quick.json", model(1, 10)))
        self.assertRegex(run.communicate()[1], "cannot write .*out")
        self.assertEqual(run.returncode, 1)

    def test_places_that_cannot_be_written(self):
        quick = self.write("quick.json", model(1, 10))
        with open(self.out, "w"):
            pass
        for out in (self.out, self.out + "/deeper", "/proc/nowhere"):
            done = subprocess.run([cli.BINARY, "inverse", quick, "--out", out, "--quiet"], capture_output=True, text=True)
            self.assertEqual(done.returncode, 1, done.stderr)
            self.assertIn(f"cannot write {out}", done.stderr)
        os.remove(self.out)
        os.makedirs(os.path.join(self.out, "series.csv"))                  # a folder stands where a file shall
        done = subprocess.run([cli.BINARY, "inverse", quick, "--out", self.out, "--quiet"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 1)
        self.assertIn("series.csv: Is a directory", done.stderr)
        self.assertEqual(os.listdir(self.out), ["series.csv"])

    def test_nothing_in_the_folder_is_followed(self):
        """A link or a FIFO with the name of a file of runs is refused before anything is computed; what a link leads to stays."""
        victim, quick = os.path.join(self.temp, "victim"), self.write("quick.json", model(1, 10))
        with open(victim, "w") as f:
            f.write("victim")
        for name in ("series.csv", "result.json", "scene.json", "verdicts.csv", "series.csv.part", "result.json.part", "checkpoint", "checkpoint.part", "checkpoint.rows", "roberval.lock"):
            for make, words in ((lambda path: os.symlink(victim, path), "a symbolic link"), (os.mkfifo, "a FIFO")):
                os.makedirs(self.out)
                make(os.path.join(self.out, name))
                done = subprocess.run([cli.BINARY, "inverse", quick, "--out", self.out, "--quiet"], capture_output=True, text=True, timeout=cli.HANG)
                self.assertEqual(done.returncode, 1, (name, done.stderr))
                self.assertIn(f"cannot write {self.out}/{name}: it is {words}", done.stderr)
                self.assertEqual(os.listdir(self.out), [name])
                shutil.rmtree(self.out)
        with open(victim) as f:
            self.assertEqual(f.read(), "victim")

    def test_nobody_waits_for_a_file_of_a_folder(self):
        quick = self.write("quick.json", model(1, 10))
        self.assertEqual(self.begin(quick).wait(), 0)
        for name in ("series.csv", "result.json", "scene.json"):
            os.rename(os.path.join(self.out, name), os.path.join(self.temp, name))
            os.mkfifo(os.path.join(self.out, name))
            for call in (["report", self.out, "--out", os.path.join(self.temp, "x.html")], ["simulate", quick, "--start", self.out], ["inverse", quick, "--motion", self.out]):
                if call[0] == "report" or name == "series.csv":
                    done = subprocess.run([cli.BINARY, *call], capture_output=True, text=True, timeout=cli.HANG)
                    self.assertEqual(done.returncode, 2, done.stderr)
                    self.assertRegex(done.stderr, f"{self.out}/{name}.* no (regular )?file")
            os.replace(os.path.join(self.temp, name), os.path.join(self.out, name))

    def test_a_folder_made_for_nothing_goes(self):
        wrong = self.write("wrong.json", model(1, 10) | {"drives": {}})
        for out in (self.out, os.path.join(self.out, "a", "b")):
            self.assertEqual(subprocess.run([cli.BINARY, "inverse", wrong, "--out", out], capture_output=True).returncode, 2)
            self.assertFalse(os.path.exists(self.out))
        os.makedirs(os.path.join(self.out, "mine"))
        subprocess.run([cli.BINARY, "inverse", wrong, "--out", os.path.join(self.out, "mine", "a")], capture_output=True)
        self.assertTrue(os.path.isdir(os.path.join(self.out, "mine")))
        self.assertEqual(os.listdir(os.path.join(self.out, "mine")), [])

    def test_files_are_readable_by_others(self):
        """with the rights that the user's mask leaves"""
        self.assertEqual(self.begin(self.write("quick.json", model(1, 10)), umask=0o027).wait(), 0)
        for name in ("series.csv", "result.json"):
            self.assertEqual(stat.S_IMODE(os.stat(os.path.join(self.out, name)).st_mode), 0o640)

    def test_closed_standard_streams(self):
        """No file is opened in their place, into which words would go."""
        script = 'exec "$0" inverse "$1" --out o %s'
        for closed, code in (("2>&-", 0), ("1>&-", 1), ("0<&- 1>&- 2>&-", 1)):
            done = subprocess.run(["sh", "-c", script % closed, cli.BINARY, self.write("m.json", model(1, 4))], cwd=self.temp, capture_output=True)
            self.assertEqual(done.returncode, code, done.stderr)
            self.assertEqual(len(cli.Run(0, "", "", os.path.join(self.temp, "o")).time), 5)
            self.assertEqual(sorted(os.listdir(os.path.join(self.temp, "o"))), ["result.json", "scene.json", "series.csv"])

    def test_long_paths(self):
        out = os.path.join(self.temp, *["x" * 200] * 15)
        done = subprocess.run([cli.BINARY, "inverse", self.write("quick.json", model(1, 10)), "--out", out, "--quiet"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(sorted(os.listdir(out)), ["result.json", "scene.json", "series.csv"])


if __name__ == "__main__":
    cli.main()
