"""Run the roberval program and read what it writes.  Python 3 standard library and numpy only.

ROBERVAL names the binary; without it build/release/roberval beside this repository is taken.
The command line, series.csv and result.json are those of docs/command-line.md and docs/results.md.
"""
import csv
import json
import math
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

import numpy as np

ROOT = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
BINARY = os.path.abspath(os.environ.get("ROBERVAL", os.path.join(ROOT, "build", "release", "roberval")))
MORE = bool(os.environ.get("ROBERVAL_MORE"))        # `make test-all`: more instances of what would take long
TIMEOUT = float(os.environ.get("ROBERVAL_TIMEOUT", "240" if MORE else "60"))       # s of processor time; a run takes some ms (the longest of MORE 52 s), so this is a program that does not end
QUICK = bool(os.environ.get("ROBERVAL_QUICK"))      # `make test`: without what is @cli.long
long = unittest.skipIf(QUICK, "takes more than half a second of processor time: make test-all")
HANG = 1200             # s on the clock, for a program that waits; a busy machine is slow, so no test may depend on the clock

MESSAGE = re.compile(r"^(?P<file>.*?):(?P<line>\d+):(?P<column>\d+): (?P<kind>error|warning|note): (?P<text>.*)$")
HEAD = re.compile(r"^(?P<name>.*?)(?: \[(?P<unit>[^\]]*)\])?(?: \((?P<mark>[^)]*)\))?$")


def other_coordinates():
    """For scripts that compare other coordinates with absolute ones: which, run by the program that takes --coordinates."""
    global BINARY
    BINARY = os.path.abspath(os.environ.get("ROBERVAL_PLAIN", BINARY))
    return os.environ.get("ROBERVAL_COORDINATES", "natural")


def scratch():
    """Where results go that are read at once: in memory, where there is much of it, since programs wait until files are on the disk."""
    try:
        room = os.statvfs("/dev/shm")
        if os.access("/dev/shm", os.W_OK) and room.f_bavail * room.f_frsize > 4 << 30:
            return "/dev/shm"
    except OSError:
        pass
    return None


SCRATCH = scratch()


def have_binary():
    return os.access(BINARY, os.X_OK)


class Message:
    def __init__(self, match):
        self.file, self.line, self.column = match["file"], int(match["line"]), int(match["column"])
        self.kind, self.text = match["kind"], match["text"]

    def __repr__(self):
        return f"{self.line}:{self.column}: {self.kind}: {self.text}"


class Run:
    """One run: code, out, err, messages; and series, units, marks, result when written to --out."""

    def __init__(self, code, out, err, folder=None, keep=()):
        self.code, self.out, self.err = code, out, err
        self.messages = [Message(m) for m in map(MESSAGE.match, err.splitlines()) if m]
        self.errors = [m for m in self.messages if m.kind == "error"]
        self.files = sorted(os.listdir(folder)) if folder and os.path.isdir(folder) else []
        self.series, self.units, self.marks, self.columns = {}, {}, {}, []
        self.result = None
        if folder and os.path.exists(os.path.join(folder, "series.csv")):
            self.read_series(os.path.join(folder, "series.csv"))
        if folder and os.path.exists(os.path.join(folder, "result.json")):
            with open(os.path.join(folder, "result.json"), encoding="utf-8") as f:
                self.result = json.load(f, parse_constant=refuse_constant)
        self.scene = None
        if folder and os.path.exists(os.path.join(folder, "scene.json")):
            with open(os.path.join(folder, "scene.json"), encoding="utf-8") as f:
                self.scene = json.load(f, parse_constant=refuse_constant)

    def read_series(self, path):
        with open(path, encoding="utf-8", newline="") as f:
            rows = list(csv.reader(f))
        self.columns = rows[0]
        table = np.array([[float(x) if x else np.nan for x in row] for row in rows[1:]], float).reshape(-1, len(rows[0]))
        for i, head in enumerate(rows[0]):
            m = HEAD.match(head)
            self.series[m["name"]] = table[:, i]
            self.units[m["name"]] = m["unit"]
            self.marks[m["name"]] = m["mark"] or "unique"

    @property
    def time(self):
        return self.series["time"]

    def json(self):
        return json.loads(self.out, parse_constant=refuse_constant)

    def said(self):
        return f"exit {self.code}\n{self.err.strip()[-1500:]}"


def refuse_constant(name):
    raise ValueError(f"{name} is not JSON: what has no value is null")


def catches(pid, number):
    """True once the process has installed a handler for the signal; before, the signal would end it without a word."""
    with open(f"/proc/{pid}/status", encoding="ascii", errors="replace") as f:
        mask = next((line.split()[1] for line in f if line.startswith("SigCgt:")), "0")    # a process that ended has none
    return bool(int(mask, 16) >> (number - 1) & 1)


def limited(call, timeout=TIMEOUT, **options):
    """subprocess.run, but with a limit of processor time."""
    text = options.pop("input", None)
    if options.pop("capture_output", False):
        options.update(stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if text is not None:
        options["stdin"] = subprocess.PIPE
    with subprocess.Popen(call, **options) as program:
        try:
            resource.prlimit(program.pid, resource.RLIMIT_CPU, (math.ceil(timeout), math.ceil(timeout) + 5))
        except ProcessLookupError:
            pass                                                               # it is done already
        try:
            out, err = program.communicate(text, timeout=HANG)
        except BaseException:
            program.kill()
            raise
    if program.returncode == -signal.SIGXCPU:
        raise subprocess.TimeoutExpired(call, timeout, out, err)
    return subprocess.CompletedProcess(call, program.returncode, out, err)


def run(args, cwd=None, out=True, quiet=True, timeout=TIMEOUT, env=None):
    """Run with --out to a fresh folder (unless out is false) and read the results."""
    folder = tempfile.mkdtemp(prefix="rbv-out-", dir=SCRATCH) if out else None
    call = [BINARY] + [str(a) for a in args]
    if out:
        call += ["--out", folder]
    if quiet:
        call += ["--quiet"]
    try:
        done = limited(call, timeout, cwd=cwd, capture_output=True, env=env)
        return Run(done.returncode, done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace"), folder)
    except subprocess.TimeoutExpired:
        return Run("none", "", f"no answer in {timeout:g} s of processor time", folder)
    finally:
        if folder:
            shutil.rmtree(folder, ignore_errors=True)


def run_model(model, command="inverse", *flags, name=None, out=True, quiet=True, files=None, timeout=TIMEOUT):
    """model: a dict (written as JSON, which is YAML) or YAML text."""
    with tempfile.TemporaryDirectory(prefix="rbv-model-") as folder:
        text = model if isinstance(model, str) else json.dumps(model, indent=1)
        path = os.path.join(folder, name or ("model.yaml" if isinstance(model, str) else "model.json"))
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)
        for extra, content in (files or {}).items():
            with open(os.path.join(folder, extra), "w", encoding="utf-8") as f:
                f.write(content)
        return run([command, path, *flags], cwd=folder, out=out, quiet=quiet, timeout=timeout)


def check(model, *flags, **options):
    """`check MODEL --json`: (run, document)."""
    done = run_model(model, "check", "--json", *flags, out=False, **options)
    return done, (done.json() if done.code == 0 else None)


class Case(unittest.TestCase):
    """Base of all tests: needs the binary, compares with a stated tolerance."""

    @classmethod
    def setUpClass(cls):
        if not have_binary():
            raise unittest.SkipTest(f"no program at {BINARY} (set ROBERVAL)")

    def ok(self, model, command="inverse", *flags, **options):
        done = run_model(model, command, *flags, **options)
        self.assertEqual(done.code, 0, done.said())
        return done

    def near(self, got, want, tol, what=""):
        got, want = np.asarray(got, float), np.asarray(want, float)
        self.assertEqual(got.shape, want.shape, what)
        bad = ~(np.abs(got - want) <= tol)                                 # NaN is bad
        if bad.any():
            worst = np.nanargmax(np.where(np.isfinite(got), np.abs(got - want), np.inf)) if got.size else 0
            self.fail(f"{what}: got {got.ravel()[worst]!r}, expected {want.ravel()[worst]!r}, "
                      f"off by {abs(got.ravel()[worst] - want.ravel()[worst]):.3g}, allowed {np.max(tol):.3g}")

    def column(self, done, name, want, tol):
        self.assertIn(name, done.series, f"no column {name}; there are {done.columns}")
        got = done.series[name]
        self.near(got, np.broadcast_to(np.asarray(want, float), got.shape), tol, name)


def main():
    if not have_binary():
        print(f"note: no program at {BINARY}; only what needs none is run", file=sys.stderr)
    unittest.main(verbosity=1)
