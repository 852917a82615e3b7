#!/usr/bin/python3
"""Studies on disk: failed variants as rows, folders of variants, --resume after SIGKILL and ^C, damaged journals, refusals, --extend, parts and
ranks.  Files are compared byte for byte with those of an undisturbed run (study.json without its member `run`)."""
import glob
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time
import unittest

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "py"))
import cli              # noqa: E402
from study import Studies, main, SEED, ARM, FOUR, Done, read, text    # noqa: E402

ROUNDS = int(os.environ.get("ROBERVAL_ROUNDS", "25" if cli.MORE else "1"))       # four kills each
RANKS = os.path.join(os.path.dirname(cli.BINARY), "roberval-mpi")
MPI = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_rmaps_base_oversubscribe": "1"}

# some variants lock up, and one does not close: status 1
MIXED = {"model": "four.yaml", "analysis": "inverse", "vary": {"d": ["350 mm", "360 mm", "900 mm"], "b": {"from": "140 mm", "to": "300 mm", "steps": 9}},
         "collect": {"top": {"value": "max(abs(motor.effort))", "limit": "<= 3 N.m"}, "heat": "rms(motor.effort)", "when": "argmax(C.Fx)"}}
# some milliseconds each; a few of them fail
LONG = {"model": "four.yaml", "analysis": "inverse", "options": {"step": "1 ms"}, "design": "monte-carlo", "samples": 160, "seed": SEED,
        "vary": {"b": {"uniform": ["200 mm", "320 mm"]}, "m": {"normal": ["1 kg", "50 g"]}}, "collect": MIXED["collect"]}
RANDOM = {"model": "arm.yaml", "analysis": "statics", "vary": {"m": {"normal": ["2 kg", "0.1 kg"]}, "L": {"uniform": ["400 mm", "600 mm"]}},
          "collect": {"torque": {"value": "motor.effort", "limit": "<= 11 N.m"}}}


class Failed(Studies):
    """A failed variant is a row with its status and message; the others go on."""

    def test_rows(self):
        done = self.study(MIXED, code=1)
        t, seen = done.table, set()
        self.assertEqual(len(t), 27)
        for row in range(27):
            alone = self.alone(t, row, ("d", "b"), "four.yaml")
            status = t.texts("status")[row]
            self.assertEqual(status == "done", alone.code == 0, f"row {row + 1}: {status}, {alone.said()}")
            seen.add(status)
            if alone.code:
                self.assertEqual((t.texts("top")[row], t.texts("heat")[row], t.texts("when")[row]), ("", "", ""))
                want = "not assembled" if "no assembly" in alone.err else "locked"
                self.assertEqual(status, want, alone.err)
                self.assertIn(t.texts("message")[row].split(";")[0].split(":")[0], alone.err)
                self.assertTrue(t.texts("message")[row])
            else:
                self.assertEqual(t["top"][row], np.abs(alone.series["motor.effort"]).max())
                self.assertEqual(t.texts("message")[row], "")
        self.assertEqual(seen, {"done", "locked", "not assembled"})

    def test_what_a_model_refuses_is_bad_input(self):
        done = self.study({"model": "arm.yaml", "analysis": "inverse", "vary": {"m": ["1 kg", "-2 kg", "3 kg"]},
                           "collect": {"top": "max(motor.effort)"}}, code=1)
        self.assertEqual(done.table.texts("status"), ["done", "bad input", "done"])
        self.assertIn("-2", done.table.texts("message")[1])

    def test_stop_on_failure(self):
        whole = self.study(MIXED, code=1, out="whole")
        done = self.study(None, "--stop-on-failure", "--threads", 1, out="stopped", code=1)
        if done.table is not None:
            self.assertLess(sum(s == "done" for s in done.table.texts("status")), sum(s == "done" for s in whole.table.texts("status")))
        self.study(None, "--resume", out="stopped", code=1)
        self.same_files("whole", "stopped")
        good = {**MIXED, "vary": {"b": ["280 mm", "300 mm"]}}
        self.same_table(self.study(good, "--stop-on-failure"), self.study(good))

    def test_all_failed(self):
        done = self.study({**MIXED, "vary": {"b": ["140 mm", "150 mm"]}}, code=1)
        self.assertEqual(done.table.texts("status"), ["locked"] * 2)
        self.assertEqual(done.of("top").count(), 0)


class Keep(Studies):
    """variants/000123/ as --out of the analysis writes."""

    def folders(self, out):
        return sorted(os.path.basename(p) for p in glob.glob(self.path(out, "variants", "*")))

    def same_folder(self, ours, row, table, parameters, model, analysis, *flags):
        sets = []
        for name in parameters:
            unit = table.units[name]
            sets += ["--set", f"{name}={table.texts(name)[row]}" + (f" {unit}" if unit else "")]
        shutil.rmtree(self.path("alone"), ignore_errors=True)
        cli.limited([cli.BINARY, analysis, model, *sets, *flags, "--quiet", "--out", "alone"], cwd=self.folder, capture_output=True)
        self.assertEqual(sorted(os.listdir(ours)), sorted(os.listdir(self.path("alone"))), ours)
        for name in os.listdir(ours):
            self.assertTrue(read(os.path.join(ours, name)) == read(self.path("alone", name)), f"{name} of row {row + 1} is not that of --out")

    def test_series(self):
        for model, analysis, flags, vary in (("four.yaml", "inverse", {"step": "50 ms"}, {"b": ["150 mm", "280 mm", "300 mm"], "m": ["1 kg", "2 kg"]}),
                                             ("arm.yaml", "statics", {}, {"m": ["1 kg", "2 kg"]})):
            name = analysis
            done = self.study({"model": model, "analysis": analysis, "options": flags, "vary": vary, "keep": "series",
                               "collect": {"x": "max(motor.effort)"}}, "--threads", 2, out=name, code=None)
            self.assertEqual(self.folders(name), [f"{k + 1:06d}" for k in range(len(done.table))])
            for row in range(len(done.table)):
                self.same_folder(self.path(name, "variants", f"{row + 1:06d}"), row, done.table, vary, model, analysis,
                                 *(x for k, v in flags.items() for x in ("--" + k, v)))

    def test_failed_and_none(self):
        vary = {"b": ["300 mm", "150 mm", "290 mm", "160 mm"]}
        done = self.study({**MIXED, "vary": vary, "keep": "failed"}, out="failed", code=1)
        self.assertEqual(self.folders("failed"), ["000002", "000004"])
        for row in (1, 3):
            self.same_folder(self.path("failed", "variants", f"{row + 1:06d}"), row, done.table, vary, "four.yaml", "inverse")
        for keep in ({}, {"keep": "none"}):
            none = self.study({**MIXED, "vary": vary, **keep}, code=1)
            self.assertFalse(os.path.exists(os.path.join(none.folder, "variants")))
            self.same_table(none, done)


class Killed(Studies):
    """Whatever ends a run, --resume gives the files of an undisturbed one."""

    def setUp(self):
        super().setUp()
        self.random = random.Random(SEED)

    def undisturbed(self, study, threads=2):
        self.write("study.yaml", study)
        began = time.monotonic()
        done = self.study(None, "--threads", threads, out="whole", code=None)
        self.assertIn(done.code, (0, 1), done.said())
        self.code = done.code
        return time.monotonic() - began

    def stop(self, number, after, *flags, out="out"):
        """Run, and signal it after so many seconds; False: it was done before."""
        program = self.start(*flags, out=out)
        if number == signal.SIGINT:
            while program.poll() is None and not cli.catches(program.pid, signal.SIGTERM):
                time.sleep(0.001)
        time.sleep(after)
        alive = program.poll() is None
        program.send_signal(number)
        err = program.communicate()[1]
        alive = alive and program.returncode not in (0, 1)                 # it may have ended between the two
        if alive:
            self.assertEqual(program.returncode, -number if number == signal.SIGKILL else 130, err)
        return alive

    def stopped(self, number, span, *flags, out="out"):
        """Stop it at some time before its end, in a new folder."""
        for k in range(6):
            shutil.rmtree(self.path(out), ignore_errors=True)
            if self.stop(number, self.random.uniform(.3, .8) * span / (1 + k), *flags, out=out):
                return
        self.fail("was done too soon for this test to say anything")

    def resume(self, *flags, out="out"):
        self.study(None, "--resume", *flags, out=out, code=self.code)
        self.same_files("whole", out)

    def test_killed_at_random_instants(self):
        """killed several times; also at once, and before anything is on the disk"""
        span, stopped = self.undisturbed(LONG), 0
        for _ in range(ROUNDS):
            shutil.rmtree(self.path("out"), ignore_errors=True)
            flags = ()
            for k in range(4):
                stopped += self.stop(signal.SIGKILL, self.random.choice((.02, .6)) * self.random.random() * span, "--threads",
                                     self.random.choice((1, 2, 4)), *flags)
                flags = ("--resume",) if glob.glob(self.path("out", "journal", "*")) else ()
                if os.path.exists(self.path("out", "study.csv")):
                    break
            self.study(None, *flags, out="out", code=self.code)
            self.same_files("whole", "out")
        self.assertGreater(stopped, 0, "was done too soon for this test to say anything")

    def test_interrupted(self):
        span = self.undisturbed(LONG)
        self.stopped(signal.SIGINT, span, "--threads", 1)
        self.resume()

    def test_resume_of_what_is_done(self):
        """nothing is left to compute: the same files, the same status"""
        self.undisturbed(MIXED)
        self.study(MIXED, out="out", code=1)
        self.resume()
        self.resume("--threads", 1)

    @cli.long
    def test_what_was_computed_is_not_computed_again(self):
        """rows of the journal are there within a second, and are read"""
        span = self.undisturbed({**LONG, "samples": 600}, threads=1)
        if span < 2.5:
            self.skipTest("this machine is too quick")
        self.stopped(signal.SIGKILL, span, "--threads", 1)
        self.assertGreater(self.journal()[1], 0)
        began = time.monotonic()
        self.resume("--threads", 1)
        self.assertLess(time.monotonic() - began, 1.2 * span)

    def journal(self, out="out"):
        """The largest file of the journal, and its size."""
        paths = [p for p in glob.glob(self.path(out, "journal", "*")) if os.path.isfile(p)]
        return max(((p, os.path.getsize(p)) for p in paths), key=lambda x: x[1], default=(None, 0))

    def damaged(self, damage):
        """A copy of the stopped folder whose journal's bytes are changed."""
        shutil.rmtree(self.path("out"), ignore_errors=True)
        shutil.copytree(self.path("stopped"), self.path("out"))
        for name in ("study.csv", "study.json"):
            if os.path.exists(self.path("out", name)):
                os.remove(self.path("out", name))
        path = self.journal()[0]
        data = damage(bytearray(read(path)))
        with open(path, "wb") as f:
            f.write(data)

    def stop_with_rows(self, study):
        """`stopped`: some rows in the journal, and neither study.csv nor study.json.  ^C leaves all rows that were computed."""
        span = self.undisturbed(study)
        self.stopped(signal.SIGINT, span, "--threads", 1, out="stopped")
        self.assertGreater(self.journal("stopped")[1], 0)

    def test_torn_last_lines(self):
        self.stop_with_rows(LONG)
        for cut in (1, 2, 7, 40):
            self.damaged(lambda data: data[:-min(cut, len(data) - 1)])
            self.resume()
        self.damaged(lambda data: data + bytes(self.random.randrange(256) for _ in range(50)))
        self.resume()

    @cli.long
    def test_flipped_bytes(self):
        """a row whose checksum does not fit is computed again, or the journal is refused in words; no wrong number gets into the table"""
        self.stop_with_rows(LONG)
        size = self.journal("stopped")[1]
        for _ in range(8):
            at, bit = self.random.randrange(size), 1 << self.random.randrange(8)

            def flip(data):
                data[at] ^= bit
                return data
            self.damaged(flip)
            done = self.study(None, "--resume", out="out", code=None)
            if done.table is None:
                self.assertIn(done.code, (1, 2), done.said())
                self.assertRegex(done.err, "journal", f"byte {at}")
            else:
                self.assertEqual(done.code, self.code, done.said())
                self.same_files("whole", "out")

    @cli.long
    def test_a_deleted_journal(self):
        """nothing to go on from: refused in words, or all is computed"""
        self.stop_with_rows(LONG)
        shutil.rmtree(self.path("stopped", "journal"))
        done = self.study(None, "--resume", out="stopped", code=None)
        if done.table is None:
            self.assertIn(done.code, (1, 2), done.said())
            self.assertTrue(done.err.strip())
        else:
            self.same_files("whole", "stopped")

    @cli.long
    def test_files_that_cannot_be_written(self):
        """a full disk: the run ends with a message, and goes on later"""
        self.undisturbed(LONG)
        most = self.path("whole", "study.csv")
        limit = max(os.path.getsize(most) // 1024 // 2, 1)
        done = self.study(None, out="out", code=None, before=["bash", "-c", f"trap '' XFSZ; ulimit -f {limit}; exec \"$@\"", "-"])
        self.assertNotIn(done.code, (0, 2), done.said())
        self.assertTrue(done.err.strip())
        self.assertIsNone(done.table)
        self.resume()


class Folder(Studies):
    """Who may go on in a folder."""

    def no(self, pattern, *flags, study=None, out="out"):
        before = read(self.path(out, "study.csv")) if os.path.exists(self.path(out, "study.csv")) else None
        done = self.study(study, *flags, out=out, code=2)
        self.assertRegex(done.err, pattern)
        if before is not None:
            self.assertEqual(read(self.path(out, "study.csv")), before, "refused, but study.csv is another one")

    def test_a_finished_folder_takes_another_study(self):
        """without --resume its files are those of the new study alone"""
        first = {**RANDOM, "samples": 20}
        second = {**RANDOM, "samples": 10, "seed": 2}
        self.study(first, out="again")
        self.same_table(self.study(second, out="again"), self.study(second))

    def test_another_study_or_model_is_refused(self):
        self.example("engine")
        self.write("parts.csv", "m [kg]\n1\n2\n")
        study = {**RANDOM, "samples": 20}
        self.study(study, out="out")
        for other in ({"samples": 20, "seed": 2}, {"design": "sobol"}, {"collect": {"torque": "2*motor.effort"}},
                      {"vary": {**RANDOM["vary"], "L": {"uniform": ["400 mm", "500 mm"]}}},
                      {"analysis": "inverse", "collect": {"torque": {"value": "max(motor.effort)", "limit": "<= 11 N.m"}}}):
            with self.subTest(other=other):
                self.no("another|other|differ|changed", "--resume", study={**study, **other})
        self.write("study.yaml", study)
        self.write("arm.yaml", ARM.replace("0.1[kg.m^2]", "0.2[kg.m^2]"))
        with self.subTest("another model"):
            self.no("model", "--resume")
        self.write("arm.yaml", ARM)
        self.study(None, "--resume", out="out")

    def test_tables_belong_to_what_must_be_the_same(self):
        """the file of values, and the tables of the model"""
        self.example("engine")
        self.write("parts.csv", "n [rpm]\n2000\n3000\n")
        self.study({"model": "engine/engine.yaml", "analysis": "inverse", "options": {"to": "10 ms"}, "vary": {"parts": {"file": "parts.csv"}},
                    "collect": {"x": "max(dyno.effort)"}}, out="out")
        self.write("parts.csv", "n [rpm]\n2000\n3100\n")
        with self.subTest("other values"):
            self.no("another|other|differ|changed", "--resume")
        self.write("parts.csv", "n [rpm]\n2000\n3000\n")
        self.study(None, "--resume", out="out")
        table = read(self.path("engine", "pressure.csv")).decode()
        with open(self.path("engine", "pressure.csv"), "w", encoding="utf-8") as f:
            lines = table.rstrip("\n").split("\n")
            cells = re.split(r"([,;\t])", lines[len(lines) // 2])
            cells[-1] = repr(float(cells[-1]) * 1.01)
            f.write("\n".join(lines[:len(lines) // 2] + ["".join(cells)] + lines[len(lines) // 2 + 1:]) + "\n")
        self.no("model|table|pressure", "--resume")

    def test_nothing_to_resume(self):
        self.write("study.yaml", {**RANDOM, "samples": 20})
        done = self.study(None, "--resume", out="nowhere", code=None)      # all is missing there, or it is refused in words
        self.assertIn(done.code, (0, 2))
        self.assertTrue(done.err.strip() if done.code else len(done.table) == 20)
        done = cli.limited([cli.BINARY, "study", "study.yaml", "--resume"], cwd=self.folder, capture_output=True)
        self.assertEqual(done.returncode, 2, "--resume wants --out")
        self.assertIn(b"--out", done.stderr)

    def test_without_out_nothing_is_written(self):
        self.write("study.yaml", {**RANDOM, "samples": 20})
        before = sorted(os.listdir(self.folder))
        done = cli.limited([cli.BINARY, "study", "study.yaml"], cwd=self.folder, capture_output=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn(b"torque", done.stdout)
        self.assertEqual(sorted(os.listdir(self.folder)), before)

    def test_two_runs_in_one_folder(self):
        self.write("study.yaml", {**LONG, "samples": 3000})
        first = self.start("--threads", 1)
        try:
            while first.poll() is None and not glob.glob(self.path("out", "*")):
                time.sleep(0.01)
            for flags in ((), ("--resume",)):
                second = self.study(None, *flags, out="out", code=None)
                self.assertIsNone(first.poll(), "was done too soon for this test to say anything")
                self.assertIn(second.code, (1, 2), second.said())
                self.assertRegex(second.err, f"another run|{first.pid}")
        finally:
            first.kill()
            first.communicate()

    def test_a_folder_that_cannot_be_made(self):
        self.write("study.yaml", {**RANDOM, "samples": 20})
        self.write("out", "a file")
        done = self.study(None, out="out", code=None)
        self.assertIn(done.code, (1, 2), done.said())
        self.assertIn("out", done.err)
        self.assertEqual(read(self.path("out")), b"a file")

    def test_extend(self):
        """of finished studies, and again; the rows are those of a study of so many samples"""
        for design in ("monte-carlo", "sobol"):
            first = self.study({**RANDOM, "design": design, "samples": 20}, out=design)
            more = self.study(None, "--extend", 12, out=design)
            self.assertEqual(len(more.table), 32)
            self.assertTrue(more.table.data.startswith(first.table.data))
            self.assertEqual(more.of("torque").count(), 32)
            self.same_table(more, self.study({**RANDOM, "design": design, "samples": 32}))
            self.write("study.yaml", {**RANDOM, "design": design, "samples": 20})
            self.same_table(self.study(None, "--extend", 80, out=design), self.study({**RANDOM, "design": design, "samples": 100}))
        self.no("extend", "--extend", "5", study={**RANDOM, "design": "latin", "samples": 10}, out="latin")
        self.no("extend", "--extend", "5", study={**RANDOM, "vary": {"m": ["1 kg", "2 kg"]}}, out="grid")
        for wrong in ("0", "-3", "1.5", "many"):
            self.no("extend", "--extend", wrong, study={**RANDOM, "samples": 10}, out="new")

    @cli.long
    def test_extend_what_was_interrupted(self):
        self.write("study.yaml", LONG)
        program = self.start("--threads", 1)
        while program.poll() is None and not glob.glob(self.path("out", "journal", "*")):
            time.sleep(0.01)
        time.sleep(.3)
        program.kill()
        program.communicate()
        more = self.study(None, "--extend", 20, out="out", code=None)
        self.assertIn(more.code, (0, 1), more.said())
        self.same_table(more, self.study({**LONG, "samples": LONG["samples"] + 20}, code=more.code))


class Parts(Studies):
    """--part i/n and --merge, and ranks: the files of the undivided run."""

    def test_three_parts(self):
        for name, study, code in (("grid", MIXED, 1), ("random", {**RANDOM, "samples": 50}, 0), ("latin", {**RANDOM, "design": "latin", "samples": 50}, 0)):
            self.study(study, out=name, code=code)
            for part in (2, 1, 3):
                self.study(None, "--part", f"{part}/3", out=f"{name}3", code=None)
                self.assertFalse(os.path.exists(self.path(f"{name}3", "study.csv")), "a part does not write the table")
            self.study(None, "--merge", out=f"{name}3", code=code)
            self.same_files(name, f"{name}3")

    def test_a_part_takes_every_third_variant(self):
        """parts with more processes than variants are empty, not wrong"""
        study = {**RANDOM, "samples": 5}
        self.study(study, out="whole")
        for part in range(1, 9):
            self.study(None, "--part", f"{part}/8", out="out")
        self.study(None, "--merge", out="out")
        self.same_files("whole", "out")

    def test_parts_at_once(self):
        self.study(MIXED, out="whole", code=1)
        programs = [self.start("--part", f"{part}/3") for part in (1, 2, 3)]
        for program in programs:
            err = program.communicate()[1]
            self.assertIn(program.returncode, (0, 1), err)
        self.study(None, "--merge", out="out", code=1)
        self.same_files("whole", "out")

    def test_a_missing_part_is_told(self):
        self.write("study.yaml", MIXED)
        for part in (1, 3):
            self.study(None, "--part", f"{part}/3", out="out", code=None)
        done = self.study(None, "--merge", out="out", code=None)
        self.assertIn(done.code, (1, 2), done.said())
        self.assertRegex(done.err, r"2/3|part 2|missing|9 (of|variants)")
        self.assertIsNone(done.table)
        self.study(None, "--part", "2/3", out="out", code=None)
        self.study(None, "--merge", out="out", code=1)
        self.study(MIXED, out="whole", code=1)
        self.same_files("whole", "out")

    def test_a_part_of_another_study_is_not_merged(self):
        self.study(MIXED, "--part", "1/2", out="out", code=None)
        done = self.study({**MIXED, "vary": {"b": {"from": "140 mm", "to": "310 mm", "steps": 27}}}, "--part", "2/2", out="out", code=None)
        if done.code in (0, 1):
            merged = self.study(None, "--merge", out="out", code=None)
            self.assertIn(merged.code, (1, 2))
            self.assertIsNone(merged.table, merged.said())
            self.assertRegex(merged.err, "another|other|differ|changed|part")
        else:
            self.assertEqual(done.code, 2, done.said())

    @cli.long
    def test_a_part_is_killed_and_resumed(self):
        whole = self.study({**LONG, "samples": 120}, out="whole", code=None)
        self.study(None, "--part", "1/2", out="out", code=None)
        program = self.start("--part", "2/2", "--threads", 1)
        time.sleep(.3)
        program.kill()
        program.communicate()
        self.study(None, "--part", "2/2", "--resume", out="out", code=None)
        self.study(None, "--merge", out="out", code=whole.code)
        self.same_files("whole", "out")

    def test_undivided_after_parts(self):
        """--resume without --part computes what the missing parts would have"""
        self.study(MIXED, out="whole", code=1)
        self.study(None, "--part", "2/3", out="out", code=None)
        self.study(None, "--resume", out="out", code=1)
        self.same_files("whole", "out")

    def test_variants_of_parts_are_kept(self):
        study = {**MIXED, "keep": "failed", "vary": {"b": {"from": "140 mm", "to": "300 mm", "steps": 9}}}
        whole = self.study(study, out="whole", code=1)
        for part in (1, 2):
            self.study(None, "--part", f"{part}/2", out="out", code=None)
        self.study(None, "--merge", out="out", code=1)
        want = sorted(f"{k + 1:06d}" for k, s in enumerate(whole.table.texts("status")) if s != "done")
        self.assertEqual(sorted(os.listdir(self.path("out", "variants"))), want)


@unittest.skipUnless(os.access(RANKS, os.X_OK) and shutil.which("mpirun"), "no roberval-mpi beside the program, or no mpirun")
class Ranks(Studies):
    """roberval-mpi under mpirun."""

    def ranks(self, n, *flags, out, code=0, timeout=cli.HANG):
        call = ["mpirun", "--allow-run-as-root", "--oversubscribe", "-n", str(n)] * (n > 0) + self.call(*flags, out=out, program=RANKS)
        ran = subprocess.run(call, cwd=self.folder, env=MPI, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=timeout)
        done = Done(ran.returncode, ran.stdout.decode("utf-8", "replace"), ran.stderr.decode("utf-8", "replace"), self.path(out))
        self.assertEqual(done.code, code, done.said())
        return done

    def test_the_same_rows(self):
        """0: without mpirun it is one rank"""
        for name, study, code in (("grid", MIXED, 1), ("random", {**RANDOM, "samples": 200}, 0)):
            self.study(study, out=name, code=code)
            for n in (0, 1, 2, 4):
                self.ranks(n, out=f"{name}{n}", code=code)
                self.same_files(name, f"{name}{n}")

    def test_wrong_studies(self):
        """each mistake is told once"""
        self.write("study.yaml", {**MIXED, "vary": {"bb": ["1 mm"]}})
        done = self.ranks(2, out="out", code=2)
        self.assertEqual(done.err.count("'bb'"), 1, done.err)

    def test_killed_and_resumed(self):
        """all ranks are killed; a single process resumes, and ranks do"""
        whole = self.study(LONG, out="whole", code=None)
        for again in ("ranks", "alone"):
            program = subprocess.Popen(["mpirun", "--allow-run-as-root", "--oversubscribe", "-n", "2"] + self.call("--threads", 1, out=again,
                                                                                                                   program=RANKS), cwd=self.folder, env=MPI,
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
            while program.poll() is None and not glob.glob(self.path(again, "journal", "*")):
                time.sleep(.01)
            time.sleep(.2)
            for pid in self.children(program.pid):                         # ranks are killed at once, not told to end
                try:
                    os.kill(pid, signal.SIGKILL)
                except ProcessLookupError:
                    pass
            program.wait()
            if again == "ranks":
                self.ranks(2, "--resume", out=again, code=whole.code)
            else:
                self.study(None, "--resume", out=again, code=whole.code)
            self.same_files("whole", again)

    def children(self, pid):
        """All processes that descend from this one."""
        found, of = [], {}
        for path in glob.glob("/proc/[0-9]*/stat"):
            try:
                with open(path, encoding="utf-8", errors="replace") as f:
                    of.setdefault(int(f.read().rsplit(")", 1)[1].split()[1]), []).append(int(path.split("/")[2]))
            except (OSError, IndexError):
                pass
        for child in of.get(pid, []):
            found += [child] + self.children(child)
        return found


class Slurm(Studies):
    """A job array: its variable is put into --part by the shell."""

    def test_an_array_of_jobs(self):
        self.study(MIXED, out="whole", code=1)
        for task in range(1, 5):
            subprocess.run(["sh", "-c", 'exec "$0" study study.yaml --quiet --out out --part $SLURM_ARRAY_TASK_ID/4', cli.BINARY], cwd=self.folder,
                           env={**os.environ, "SLURM_ARRAY_TASK_ID": str(task)}, stderr=subprocess.DEVNULL, check=False)
        self.study(None, "--merge", out="out", code=1)
        self.same_files("whole", "out")


class Bytes(Studies):
    """What the files look like."""

    def test_the_table_can_be_read_back(self):
        """numbers in as few digits as give the same double; messages with commas are quoted; each row has all columns"""
        done = self.study(MIXED, code=1)
        self.assertEqual({len(row) for row in done.table.rows}, {len(done.table.columns)})
        self.assertEqual(done.table.columns[:5], ["variant", "d [mm]", "b [mm]", "top [N.m]", "top.verdict"])
        self.assertEqual(done.table.names[-3:], ["status", "verdict", "message"])
        for name in ("top", "heat", "when"):
            for cell in filter(None, done.table.texts(name)):
                self.assertLessEqual(len(cell), len(repr(float(cell))) + 4, cell)
        self.assertTrue(done.table.data.endswith(b"\n"))

    def test_only_the_files_that_are_told(self):
        done = self.study(MIXED, code=1)
        self.assertEqual(set(os.listdir(done.folder)) - {"journal"}, {"study.csv", "study.json"})
        self.assertTrue(os.listdir(os.path.join(done.folder, "journal")))
        self.assertNotIn("NaN", json.dumps(done.document))

    def test_two_runs_give_the_same_bytes(self):
        """a copy of the study and the model in another place"""
        self.study(MIXED, out="one", code=1)
        os.makedirs(self.path("elsewhere"))
        for name, content in (("elsewhere/four.yaml", FOUR), ("elsewhere/study.yaml", text(MIXED))):
            self.write(name, content)
        ran = cli.limited([cli.BINARY, "study", "study.yaml", "--quiet", "--out", "../two"], cwd=self.path("elsewhere"), capture_output=True)
        self.assertEqual(ran.returncode, 1, ran.stderr)
        self.same_files("one", "two")


if __name__ == "__main__":
    main()
