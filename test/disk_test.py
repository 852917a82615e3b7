#!/usr/bin/python3
# ctest: slow
"""Long runs and the disk: killed or out of room at each call that changes a file, a run goes on to the bytes of one without a break; damage is said and never becomes a number; nobody's files are touched.

Needs test/preload/disk.c, which sanitizers do not bear. ROBERVAL_CALLS=all tries every call; else 5 of them (60 in `make test-all`), others for each ROBERVAL_SEED."""
import os
import random
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "py"))
import cli              # noqa: E402

LIBRARY = os.path.join(os.environ.get("ROBERVAL_PRELOAD", os.path.join(os.path.dirname(cli.BINARY), "test")), "disk.so")
EACH = os.environ.get("ROBERVAL_CALLS", "60" if cli.MORE else "5")
SEED = int(os.environ.get("ROBERVAL_SEED", "3"))
CLOCK = "400"           # times as fast: a checkpoint each 25 ms
MODEL = """
roberval: 1
space: planar
gravity: [0, -9.81]
parameters: {bounce: 0.99}
bodies:
  block: {particle: true, mass: 2 kg, pose: {at: [0, 1]}}
  arm: {mass: 2, inertia: 0.1, centroid: [0.5, 0], pose: {at: [3, 0]}}
  arm2: {mass: 2, inertia: 0.1, centroid: [0.5, 0], pose: {at: [4, 0]}}
joints:
  pin: {type: revolute, between: [ground, arm], at: [3, 0]}
  pin2: {type: revolute, between: [arm, arm2], at: [4, 0]}
stops: {floor: {coordinate: y(block), min: 0, restitution: bounce}}
motion: {from: 0, to: 40, step: 0.1}
"""
NAMES = ("series.csv", "verdicts.csv", "scene.json", "result.json", "series.csv.part", "verdicts.csv.part", "scene.json.part", "result.json.part", "checkpoint", "checkpoint.part", "checkpoint.rows",
         "roberval.lock")


def read(path):
    with open(path, "rb") as f:
        return f.read()


def write(path, data):
    with open(path, "wb") as f:
        f.write(data)


class Disk(cli.Case):
    """A motion of some 0.2 s, whole, and half a motion to go on with, made once."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        if not os.path.exists(LIBRARY):
            raise unittest.SkipTest(f"there is no {LIBRARY}")
        cls.temp = tempfile.mkdtemp(prefix="rbv-disk-")
        cls.addClassCleanup(shutil.rmtree, cls.temp, ignore_errors=True)
        cls.random = random.Random(SEED)
        cls.model = os.path.join(cls.temp, "m.yaml")
        write(cls.model, MODEL.encode())
        cls.whole, cls.half = os.path.join(cls.temp, "whole"), os.path.join(cls.temp, "half")
        done, (cls.calls, _, _, _) = cls.counted(cls.whole)
        assert done.returncode == 0, done.stderr
        for k in range(9, 1, -1):                                         # the latest kill that leaves much to do
            shutil.rmtree(cls.half, ignore_errors=True)
            killed = cls.simulate(cls.half, DISK_KILL=int(cls.calls * k / 10))
            if killed.returncode == -9 and cls.head(cls.half)[2] > 40:
                break
        assert cls.head(cls.half)[2] > 40, "no checkpoint with samples"

    @classmethod
    def simulate(cls, out, *flags, command="simulate", model=None, **settings):
        env = os.environ | {"LD_PRELOAD": LIBRARY, "ROBERVAL_CLOCK": CLOCK} | {f"ROBERVAL_{k}": str(v) for k, v in settings.items()}
        return subprocess.run([cli.BINARY, command, model or cls.model, "--out", out, "--json", *flags], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, env=env, timeout=cli.HANG)

    @classmethod
    def counted(cls, out, *flags, **settings):
        count = os.path.join(cls.temp, "count")
        done = cls.simulate(out, *flags, DISK_COUNT=count, **settings)
        return done, [float(x) for x in read(count).split()]

    @staticmethod
    def head(folder):
        """magic; bytes of the lines and of the state, samples, numbers of each"""
        path = os.path.join(folder, "checkpoint")
        return struct.unpack("<QQQQ", read(path)[16:48]) if os.path.exists(path) else (0, 0, 0, 0)

    def some_calls(self):
        count = int(self.calls)
        every = range(1, count + 1)
        return every if EACH == "all" or int(EACH) >= count else sorted(self.random.sample(every, int(EACH)))

    def copy(self, of=None):
        out = tempfile.mkdtemp(prefix="out-", dir=self.temp)
        shutil.rmtree(out)
        shutil.copytree(of or self.half, out)
        self.addCleanup(shutil.rmtree, out, ignore_errors=True)
        return out

    def check_whole(self, out, what):
        self.assertEqual(sorted(os.listdir(out)), sorted(os.listdir(self.whole)), what)
        for name in ("series.csv", "result.json", "scene.json"):
            self.assertTrue(read(os.path.join(out, name)) == read(os.path.join(self.whole, name)), f"{name} differs: {what}")

    def go_on(self, out, what):
        """Where a checkpoint stands, it can be resumed; else the run begins anew."""
        resumes = os.path.exists(os.path.join(out, "checkpoint"))
        done = self.simulate(out, *["--resume"] * resumes)
        self.assertEqual(done.returncode, 0, f"{what}: {done.stderr}")
        self.assertNotIn("warning", done.stderr)
        self.check_whole(out, what)

    def test_killed_at_any_call(self):
        out = os.path.join(self.temp, "killed")
        for k in self.some_calls():
            shutil.rmtree(out, ignore_errors=True)
            first = self.simulate(out, DISK_KILL=k)
            self.assertIn(first.returncode, (0, -9), first.stderr)       # 0: this time it had less to write
            if os.path.exists(os.path.join(out, "checkpoint")):           # and killed once more on the way
                self.simulate(out, "--resume", DISK_KILL=self.random.randint(1, int(self.calls)))
            self.go_on(out, f"killed at call {k} of {self.calls}")

    def test_no_room_from_any_call_on(self):
        out = os.path.join(self.temp, "full")
        for k in self.some_calls():
            shutil.rmtree(out, ignore_errors=True)
            first = self.simulate(out, DISK_FULL=k)
            self.assertIn(first.returncode, (0, 1), first.stderr)
            if first.returncode == 1:
                self.assertRegex(first.stderr, "cannot write .*full.*: No space left on device")
                self.assertFalse(os.path.exists(os.path.join(out, "result.json")))
            if k > 8:                                                      # some of the first make the lock and the checkpoint that says that the run has begun
                self.assertTrue(first.returncode == 0 or os.path.exists(os.path.join(out, "checkpoint")), k)
            self.go_on(out, f"full at call {k}")

    def damaged(self, data, width):
        """Ways in which bytes go wrong, by name"""
        at = self.random.randrange(len(data))
        flipped = bytearray(data)
        flipped[at] ^= 1 << self.random.randrange(8)
        rows = [data[k:k + width] for k in range(0, len(data), width)]
        a, b = sorted(self.random.sample(range(1, len(rows) - 1), 2))
        signs = bytearray(data)                                            # the sums must see two flips of the highest bit, too
        signs[8 * a + 7] ^= 0x80
        signs[8 * b + 7] ^= 0x80
        yield "flipped", bytes(flipped)
        yield "signs", bytes(signs)
        yield "cut", data[:at]
        yield "empty", b""
        yield "swapped", b"".join(rows[:a] + [rows[b]] + rows[a + 1:b] + [rows[a]] + rows[b + 1:])
        yield "shifted", data[width:] + data[:width]
        yield "zeros", data[:at] + bytes(len(data) - at)
        yield "noise", self.random.randbytes(len(data))
        yield "text", b"time [s]\n0\n"

    def test_damage_is_said(self):
        _, _, samples, width = self.head(self.half)
        for name, row in (("checkpoint", 64), ("checkpoint.rows", 8 * width)):
            data = read(os.path.join(self.half, name))
            data = data[:samples * row] if name == "checkpoint.rows" else data
            for what, bad in self.damaged(data, row):
                if bad == data:
                    continue
                out = self.copy()
                write(os.path.join(out, name), bad)
                before = {f: read(os.path.join(out, f)) for f in os.listdir(out) if f != "roberval.lock"}
                done = self.simulate(out, "--resume")
                self.assertEqual(done.returncode, 2, (name, what))
                self.assertRegex(done.stderr, rf"cannot resume in .*{name} (is damaged|is missing or too short)", (name, what))
                self.assertEqual({f: read(os.path.join(out, f)) for f in os.listdir(out)}, before, (name, what))
        out = self.copy()
        os.remove(os.path.join(out, "checkpoint.rows"))
        self.assertRegex(self.simulate(out, "--resume").stderr, "checkpoint.rows is missing")

    def test_samples_of_another_run(self):
        other = os.path.join(self.temp, "other")
        self.simulate(other, "--set", "bounce=0.8", DISK_KILL=int(self.calls * 0.8))
        self.assertGreater(self.head(other)[2], 20)
        for name, words in (("checkpoint.rows", "damaged|too short"), ("checkpoint", "another model")):
            out = self.copy()
            shutil.copy(os.path.join(other, name), out)
            done = self.simulate(out, "--resume")
            self.assertEqual(done.returncode, 2, name)
            self.assertRegex(done.stderr, words)

    def test_what_stands_behind_the_samples_is_not_read(self):
        out = self.copy()
        for name in ("checkpoint.rows", "series.csv.part"):
            with open(os.path.join(out, name), "ab") as f:
                f.write(self.random.randbytes(1000))
        self.go_on(out, "longer")

    def test_the_series_is_written_anew(self):
        """series.csv.part is never read for its numbers; that it was changed is said."""
        data = read(os.path.join(self.half, "series.csv.part"))
        for what, bad in self.damaged(data, data.index(b"\n") + 1):
            out = self.copy()
            write(os.path.join(out, "series.csv.part"), bad)
            done = self.simulate(out, "--resume")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.check_whole(out, what)
            if what in ("empty", "shifted", "noise", "text"):              # the others may lie behind what the checkpoint counts
                self.assertRegex(done.stderr, "warning: .*series.csv.part is not what the run has written there")

    def test_the_series_is_cut_while_it_is_written(self):
        for k in range(4):
            out = tempfile.mkdtemp(prefix="cut-", dir=self.temp)
            program = subprocess.Popen([cli.BINARY, "simulate", self.model, "--out", out, "--json"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                                       env=os.environ | {"LD_PRELOAD": LIBRARY, "ROBERVAL_CLOCK": CLOCK, "ROBERVAL_DISK_DAMAGE": os.path.join(out, "sign")})
            part = os.path.join(out, "series.csv.part")
            while program.poll() is None and not (os.path.exists(part) and os.path.getsize(part) > 5000 * (k + 1)):
                pass
            write(os.path.join(out, "sign"), b"")
            said = program.communicate()[1]
            self.assertEqual(program.returncode, 0, said)
            if os.path.exists(os.path.join(out, "sign")):                  # too late
                os.remove(os.path.join(out, "sign"))
            else:
                self.assertRegex(said, "warning: .*series.csv.part was changed while the run wrote it")
            self.check_whole(out, "cut")

    def test_all_that_changes_numbers_is_of_the_run(self):
        for flags in (("--coordinates", "natural"), ("--coordinates", "joint"), ("--coordinates", "joint", "--cut", "pin2"), ("--coordinates", "natural", "--mixed"), ("--tolerance", "1e-8"),
                      ("--method", "implicit"), ("--set", "bounce=0.8"), ("--from", "0.1"), ("--to", "41"), ("--step", "0.2"), ("--samples", "steps"), ("--frame", "ground"),
                      ("--redundant", "min-norm"), ("--redundant", "eliminate=pin.Fx"), ("--norm-length", "2"), ("--start", self.whole)):
            out = self.copy()
            done = self.simulate(out, "--resume", *flags)
            self.assertEqual(done.returncode, 2, flags)
            self.assertRegex(done.stderr, "the run there had another (model|option)", flags)
            self.assertEqual(read(os.path.join(out, "checkpoint")), read(os.path.join(self.half, "checkpoint")))
        out = self.copy()
        self.assertEqual(self.simulate(out, "--resume", "--only", "pin", "--units", "model").returncode, 0)  # these choose columns of the series, which is written anew

    def test_no_other_run_takes_the_folder(self):
        """An interrupted run is given up by removing its checkpoint, not by accident."""
        out = self.copy()
        os.remove(os.path.join(out, "roberval.lock"))
        before = {f: read(os.path.join(out, f)) for f in os.listdir(out)}
        for command in ("simulate", "check", "assemble", "statics", "modes", "info", "inverse"):
            done = self.simulate(out, command=command)
            self.assertEqual(done.returncode, 2, command)
            self.assertRegex(done.stderr, rf"{out} holds a run that was interrupted: go on with it by roberval simulate --resume, name another folder, or remove {out}/checkpoint")
            self.assertEqual({f: read(os.path.join(out, f)) for f in os.listdir(out)}, before)
        os.remove(os.path.join(out, "checkpoint"))
        self.assertEqual(self.simulate(out).returncode, 0)
        self.check_whole(out, "given up")

    @staticmethod
    def put(kind, path, victim):
        if kind == "link":
            os.symlink(victim, path)
        elif kind == "dangling":
            os.symlink(os.path.join(os.path.dirname(victim), "absent"), path)
        elif kind == "FIFO":
            os.mkfifo(path)
        else:
            with socket.socket(socket.AF_UNIX) as s:
                os.chdir(os.path.dirname(path))                            # names of sockets are short
                s.bind(os.path.basename(path))

    def test_nothing_in_the_folder_is_followed(self):
        victim = os.path.join(self.temp, "victim")
        for name in NAMES:
            kinds = [("link", "a symbolic link"), ("dangling", "a symbolic link"), ("FIFO", "a FIFO"), ("socket", "a socket")]
            for kind, words in kinds if cli.MORE else [kinds[0], self.random.choice(kinds[1:])]:
                write(victim, b"victim")
                out = self.copy()
                if os.path.exists(os.path.join(out, name)):
                    os.remove(os.path.join(out, name))
                self.put(kind, os.path.join(out, name), victim)
                before = os.lstat(os.path.join(out, name))
                for flags in (("--resume",), ()):
                    done = self.simulate(out, *flags, command="simulate" if flags else self.random.choice(["simulate", "info", "check", "statics"]))
                    self.assertEqual(done.returncode, 1, (name, kind, done.stderr))
                    self.assertIn(f"cannot write {out}/{name}: it is {words}", done.stderr)
                self.assertEqual(os.lstat(os.path.join(out, name)), before)
                self.assertEqual(read(victim), b"victim")
                self.assertFalse(os.path.exists(os.path.join(self.temp, "absent")))

    def test_other_names_of_files_keep_their_contents(self):
        """Hard links: what is replaced is one name, and into the lock, which is not, nothing is written."""
        victim = os.path.join(self.temp, "victim")
        for name in NAMES:
            write(victim, b"victim")
            out = tempfile.mkdtemp(prefix="hard-", dir=self.temp)
            os.link(victim, os.path.join(out, name))
            done = self.simulate(out)
            self.assertEqual(done.returncode, {"checkpoint": 2, "roberval.lock": 1}.get(name, 0), (name, done.stderr))
            self.assertEqual(read(victim), b"victim", name)

    def test_syncs_cost_little(self):
        """At most three for a checkpoint, one of these each 10 s, and one for each file and the folder at the end. How long they take hangs on the disk: of 10 s less than 5 %."""
        out = os.path.join(self.temp, "syncs")
        done, (_, syncs, taken, passed) = self.counted(out)
        self.assertEqual(done.returncode, 0, done.stderr)
        checkpoints = int(passed * float(CLOCK) / 10)
        self.assertGreaterEqual(syncs, 4)
        self.assertLessEqual(syncs, 3 * checkpoints + len(os.listdir(out)) + 1)
        self.assertLess(3 * taken / syncs, 0.05 * 10)
        slow = os.path.join(self.temp, "slow")
        done, (_, syncs, _, _) = self.counted(slow, "--to", "5", CLOCK="1")
        self.assertEqual((done.returncode, syncs), (0, len(os.listdir(slow)) + 1))    # of a run of less than 10 s no more than each file and the folder

    def test_an_interrupt_keeps_the_last_state(self):
        """The clock is the usual one, so no checkpoint is due but that of the beginning; ^C leaves one that is not far behind: the last state, whose samples lie in checkpoint.rows."""
        out = os.path.join(self.temp, "interrupted")
        program = subprocess.Popen([cli.BINARY, "simulate", self.model, "--out", out, "--quiet", "--to", "400"], stderr=subprocess.PIPE, text=True)
        rows, sample = os.path.join(out, "checkpoint.rows"), 8 * self.head(self.half)[3]      # [bytes]
        while program.poll() is None and not (os.path.exists(rows) and os.path.getsize(rows) > 100 * sample):
            time.sleep(0.001)
        program.send_signal(2)
        said = program.communicate()[1]
        self.assertEqual(program.returncode, 130, said)
        self.assertGreater(self.head(out)[2], 100)
        again = subprocess.run([cli.BINARY, "simulate", self.model, "--out", out, "--to", "400", "--resume", "--json"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        self.assertEqual(again.returncode, 0, again.stderr)
        self.assertNotIn("warning", again.stderr)
        whole = os.path.join(self.temp, "whole400")
        self.simulate(whole, "--to", "400")
        self.assertTrue(read(os.path.join(out, "series.csv")) == read(os.path.join(whole, "series.csv")))


if __name__ == "__main__":
    cli.main()
