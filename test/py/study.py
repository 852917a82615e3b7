"""Models, study files and their results, for study_test.py and study_files_test.py.

Where docs/studies.md leaves a name open (members of study.json) it is read in one place only: `Summary`.
"""
import csv
import glob
import io
import json
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile

import numpy as np

import cli

SEED = int(os.environ.get("ROBERVAL_SEED", "29"))
EXAMPLES = os.path.join(cli.ROOT, "examples")
HEAD = re.compile(r"^(?P<name>[^ \[]+)(?: \[(?P<unit>[^\]]*)\])?$")
SI = {None: 1, "": 1, "m": 1, "mm": 1e-3, "cm": 1e-2, "kg": 1, "g": 1e-3, "rad": 1, "deg": math.pi / 180, "rad/s": 1, "rpm": math.pi / 30, "N": 1,
      "kN": 1e3, "N.m": 1, "s": 1, "ms": 1e-3}
Z95 = 1.959963984540054       # normal quantile of 97.5 %

# An arm on a motor.  At rest at angle 0 the motor holds m g L.
ARM = """roberval: 1
space: planar
gravity: [0, -9.81 m/s^2]
parameters: {m: 2 kg, L: 500 mm, w: 30 rpm, k: 1, j: 1}
bodies: {arm: {mass: m, inertia: "0.1[kg.m^2]*k", centroid: [L, 0]}}
joints: {pin: {type: revolute, between: [ground, arm]}}
drives: {motor: {coordinate: pin.angle, motion: "w*t + 0.3*j*sin(7*t)"}}
motion: {from: 0 s, to: 1 s, step: 30 ms}
output: {height: "L*sin(pin.angle)", turn: pin.angle}
"""

# A four-bar.  It turns round with b = 300 mm, locks up with b = 150 mm, and does not close with d = 900 mm.
FOUR = """roberval: 1
space: planar
gravity: [0, -9.81 m/s^2]
parameters: {a: 100 mm, b: 300 mm, c: 250 mm, d: 350 mm, w: 60 rpm, m: 1 kg}
bodies:
  ground: {markers: {A: [0, 0], D: [d, 0]}}
  crank: {mass: m, inertia: 0.01, centroid: ["a/2", 0], markers: {B: [a, 0]}}
  coupler: {mass: m, inertia: 0.01, centroid: ["b/2", 0], pose: {at: [a, 0], angle: 60 deg}, markers: {C: [b, 0]}}
  rocker: {mass: 1, inertia: 0.01, centroid: ["c/2", 0], pose: {at: [d, 0], angle: 100 deg}, markers: {C: [c, 0]}}
joints:
  A: {type: revolute, between: [ground.A, crank]}
  B: {type: revolute, between: [crank.B, coupler]}
  C: {type: revolute, between: [coupler.C, rocker.C]}
  D: {type: revolute, between: [ground.D, rocker]}
drives: {motor: {coordinate: A.angle, motion: "w*t"}}
motion: {from: 0 s, to: 1 s, step: 10 ms}
output: {swing: D.angle}
"""

# Only its parameters matter: what they were drawn as.  All are bare numbers.
BARE = """roberval: 1
space: planar
gravity: [0, -9.81 m/s^2]
parameters: {%s}
bodies: {arm: {mass: 1, inertia: 1, centroid: [1, 0]}}
joints: {pin: {type: revolute, between: [ground, arm]}}
drives: {motor: {coordinate: pin.angle, motion: "0*t"}}
motion: {from: 0 s, to: 1 s, step: 1 s}
"""


def bare(names):
    return BARE % ", ".join(f"{name}: 1" for name in names)


def text(study):
    """The study as YAML: one key on a line, its value in JSON; `correlate` is YAML already, since its keys are lists."""
    lines = [f"{key}: {value if key == 'correlate' else json.dumps(value)}" for key, value in {"study": 1, **study}.items()]
    return "\n".join(lines) + "\n"


def read(path):
    with open(path, "rb") as f:
        return f.read()


def without_run(path):
    """study.json to the letter of its numbers and the order of its members, without the member `run`."""
    document = json.loads(read(path), parse_float=str, parse_constant=cli.refuse_constant)
    document.pop("run", None)
    return json.dumps(document, indent=1)


def cubic(t, y, at=None):
    """The piecewise cubic through each sample and its neighbours: its integral, or its value at a time."""
    n, total = len(t), 0.0
    for i in range(n - 1):
        first = min(max(i - 1, 0), max(n - 4, 0))
        part = slice(first, first + min(4, n))
        p = np.polynomial.Polynomial(np.polynomial.polynomial.polyfit(t[part] - t[i], y[part], min(4, n) - 1))
        if at is None:
            total += p.integ()(t[i + 1] - t[i]) - p.integ()(0)
        elif t[i] <= at <= t[i + 1]:
            return p(at - t[i])
    return total


def wilson(over, count):
    """95 % interval of a share."""
    share, z = over / count, Z95
    middle = (share + z * z / (2 * count)) / (1 + z * z / count)
    half = z / (1 + z * z / count) * math.sqrt(share * (1 - share) / count + z * z / (4 * count * count))
    return middle - half, middle + half


class Table:
    """study.csv: texts by column, numbers by column, units."""

    def __init__(self, data):
        self.data = data
        rows = list(csv.reader(io.StringIO(data.decode("utf-8"), newline="")))
        self.columns, self.rows, self.units, self.names = rows[0], rows[1:], {}, []
        for head in rows[0]:
            m = HEAD.match(head)
            self.names.append(m["name"])
            self.units[m["name"]] = m["unit"]

    def __len__(self):
        return len(self.rows)

    def texts(self, name):
        i = self.names.index(name)
        return [row[i] for row in self.rows]

    def __getitem__(self, name):
        return np.array([float(x) if x else np.nan for x in self.texts(name)], float)

    def si(self, name):
        return self[name] * SI[self.units[name]]


def member(where, *names):
    """The member of an object under the first of these names that it has."""
    for name in names:
        if isinstance(where, dict) and name in where:
            return where[name]
    raise KeyError(f"none of {names}; there are {list(where)}")


def pair(interval):
    """An interval as (low, high), whether it is a list or has members."""
    return tuple(interval) if isinstance(interval, list) else (member(interval, "low", "from", "min", "lower"),
                                                               member(interval, "high", "to", "max", "upper"))


class Summary:
    """Statistics of one quantity in study.json.  All that is assumed on the names of members stands here."""

    def __init__(self, document, name):
        whole = member(document, "quantities", "statistics", "collect", "results")
        self.q = whole[name] if isinstance(whole, dict) else next(q for q in whole if q["name"] == name)

    def count(self):
        return self.q["count"]

    def mean(self):
        return self.q["mean"]

    def sigma(self):
        return self.q["sigma"]

    def mean_interval(self):
        return pair(member(self.q, "mean_interval", "mean_confidence", "mean_95"))

    def sigma_interval(self):
        return pair(member(self.q, "sigma_interval", "sigma_confidence", "sigma_95"))

    def has_intervals(self):
        return any(self.q.get(k) is not None for k in ("mean_interval", "mean_confidence", "mean_95"))

    def percentiles(self):
        p = self.q["percentiles"]
        if isinstance(p, list):
            p = {member(e, "percent", "p", "at"): e["value"] for e in p} if p and isinstance(p[0], dict) else dict(p)
        return {float(str(k).strip("p%")): v for k, v in p.items()}

    def extreme(self, which):
        """(value, variant) of the `least` or `largest`."""
        e = member(self.q, which, "min" if which == "least" else "max")
        return (e["value"], e["variant"]) if isinstance(e, dict) else (e, member(self.q, f"{which}_variant", f"{which}_at"))

    def over(self):
        """(number over the limit, Wilson's interval of its share)"""
        limit = self.q["limit"] if isinstance(self.q.get("limit"), dict) else self.q
        number = member(limit, "over", "over_limit")
        if isinstance(number, dict):
            limit, number = number, number["count"]
        return number, pair(member(limit, "interval", "over_interval", "wilson", "share_interval"))

    def correlation(self, parameter):
        return self.q["correlations"][parameter]


class Done(cli.Run):
    """A study that was run: beside code, out, err, errors the table, the document, the folder."""

    def __init__(self, code, out, err, folder):
        super().__init__(code, out, err)
        self.folder, self.table, self.document = folder, None, None
        if folder and os.path.exists(os.path.join(folder, "study.csv")):
            self.table = Table(read(os.path.join(folder, "study.csv")))
        if folder and os.path.exists(os.path.join(folder, "study.json")):
            self.document = json.loads(read(os.path.join(folder, "study.json")), parse_constant=cli.refuse_constant)

    def of(self, name):
        return Summary(self.document, name)


class Studies(cli.Case):
    """A folder with models and studies in it.  Programs run there, so that names are without folders."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="rbv-study-", dir=cli.SCRATCH)
        self.addCleanup(folder.cleanup)
        self.folder, self.outs = folder.name, 0
        self.write("arm.yaml", ARM)
        self.write("four.yaml", FOUR)

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def write(self, name, content):
        with open(self.path(name), "w", encoding="utf-8") as f:
            f.write(content if isinstance(content, str) else text(content))
        return name

    def example(self, name):
        """Copy of a folder of examples/; its models are then NAME/model.yaml."""
        shutil.copytree(os.path.join(EXAMPLES, name), self.path(name), dirs_exist_ok=True)

    def new_out(self):
        self.outs += 1
        return f"out{self.outs}"

    def call(self, *flags, name="study.yaml", out="out", program=None, quiet=True):
        return [program or cli.BINARY, "study", name] + ["--quiet"] * quiet + (["--out", out] if out else []) + [str(f) for f in flags]

    def study(self, study, *flags, name="study.yaml", out=None, code=0, before=(), quiet=True):
        """Run a study (a dict, YAML text, or None: the file is there); out: its folder, else a new one; code: the status wanted."""
        out = out or self.new_out()
        if study is not None:
            self.write(name, study)
        call = list(before) + self.call(*flags, name=name, out=out, quiet=quiet)
        ran = cli.limited(call, cwd=self.folder, capture_output=True)
        done = Done(ran.returncode, ran.stdout.decode("utf-8", "replace"), ran.stderr.decode("utf-8", "replace"), self.path(out))
        if code is not None:
            self.assertEqual(done.code, code, done.said())
        return done

    def refused(self, study, *flags, name="study.yaml"):
        """The errors of a study that is wrong: status 2, nothing computed."""
        done = self.study(study, *flags, "--threads", "1", name=name, code=2)     # a wrong path is found at variant 1, which is then the first
        self.assertIsNone(done.table, "refused, but study.csv was written")
        self.assertFalse(glob.glob(os.path.join(done.folder, "journal", "*")), "refused, but something was computed")
        return done

    def start(self, *flags, name="study.yaml", out="out", **options):
        return subprocess.Popen(self.call(*flags, name=name, out=out), cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                                **options)

    def alone(self, table, row, parameters, model, analysis="inverse", *flags):
        """The program run by itself with the parameters of a row."""
        sets = []
        for name in parameters:
            unit = table.units[name]
            sets += ["--set", f"{name}={table.texts(name)[row]}" + (f" {unit}" if unit else "")]
        return cli.run([analysis, model, *sets, *flags], cwd=self.folder)

    def same_files(self, a, b):
        """Bytes of study.csv, and study.json without its member `run`, of two folders."""
        one, two = (read(self.path(x, "study.csv")) for x in (a, b))
        if one != two:
            for k, (x, y) in enumerate(zip(one.splitlines(), two.splitlines())):
                self.assertEqual(x, y, f"line {k + 1} of study.csv in {a} and {b}")
            self.fail(f"study.csv of {a} and {b}: {len(one)} and {len(two)} bytes")
        self.assertEqual(without_run(self.path(a, "study.json")), without_run(self.path(b, "study.json")), f"study.json of {a} and {b}")

    def same_table(self, a, b):
        self.assertEqual(a.table.data, b.table.data)


def main():
    if not cli.have_binary():
        print(f"note: no program at {cli.BINARY}", file=sys.stderr)
    cli.unittest.main(verbosity=1)
