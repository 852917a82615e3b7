"""Two runs of one call that may differ in rounding alone: what differs beyond it.  Used by tools/test-rounding and rounding_test.py.

Statuses, words, names, counts, verdicts and notes are equal; numbers of tables but for the last digit shown; numbers of series and result.json within
max(1e-9 of the largest value of their unit, both errors), as MODEL.md section 8 says.  In a motion from forces the bound is what a start moved by 1e-13 changes
in either run (`moved`, `also`), times ten.  Steps, iterations, evaluations, times of computing and residuals (which are rounding) are not compared.
"""
import csv
import io
import json
import math
import os
import re

AGREE = 1e-9            # of the largest value of a unit: MODEL.md section 8
ROUNDING = 1e-12        # of what a number is a part of
TIMES = 10              # of what a start moved by 1e-13 of its size changes
NUMBER = re.compile(r"(?<![\w.])[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?(?![\w])")
# numbers of these lines are rounding, or count work
WORK = re.compile(r"^\s*audit:|left over|\b(steps?|iterations?|evaluations?|rejected|constraints to)\b")
# keys of result.json whose numbers are rounding, or count work
RESIDUALS = {"audit", "error", "steps", "rejected", "evaluations", "iterations", "energy_error", "constraint_error", "residuals", "safety", "factor", "seconds", "condition", "determinant", "corrections", "largest_correction", "residual", "version", "magnification"}
# of the many starts of --all, which search came first to a place that several come to: work too
FOUND_BY = re.compile(r"^/equilibria/\d+/method$")
SMALL = 1e-9            # a number of a table below this, beside others, is rounding (tools/make-docs takes the same)


def last_digit(text):
    """What one step of the last digit of a printed number is worth."""
    mantissa, _, exponent = text.lower().partition("e")
    return 10.0 ** (int(exponent or 0) - len(mantissa.partition(".")[2]))


def near_text(a, b):
    """Two printed numbers that differ by the last of the digits shown; trailing zeros are not printed, so the shorter is filled up to the longer."""
    if a == b:
        return True
    x, y = float(a), float(b)
    step = min(last_digit(a), last_digit(b))
    shown = max(abs(x), abs(y)) * 10.0 ** -5                                  # six digits are shown at most
    return abs(x - y) <= 1.01 * max(step, shown) or max(abs(x), abs(y)) < SMALL


def lines_differ(a, b, sort=False):
    """The first pair of lines that differ, or None."""
    one, two = a.splitlines(), b.splitlines()
    if sort:
        one, two = sorted(one), sorted(two)
    if len(one) != len(two):
        extra = [x for x in one if x not in two][:2] + [x for x in two if x not in one][:2]
        return f"{len(one)} lines and {len(two)}: " + " | ".join(extra)
    for x, y in zip(one, two):
        x, y = " ".join(x.split()), " ".join(y.split())
        if x == y:
            continue
        if NUMBER.sub("#", x) != NUMBER.sub("#", y):
            return f"{x} | {y}"
        if not WORK.search(x) and not all(near_text(p, q) for p, q in zip(NUMBER.findall(x), NUMBER.findall(y))):
            return f"{x} | {y}"
    return None


def table(text):
    rows = list(csv.reader(io.StringIO(text)))
    if not rows:
        return {}
    out = {}
    for k, head in enumerate(rows[0]):
        out[head] = [float(row[k]) if row[k] else math.nan for row in rows[1:]]
    return out


def unit_of(head):
    found = re.search(r"\[([^\]]*)\]", head)
    return found[1] if found else ""


def name_of(head):
    return re.split(r" [\[(]", head)[0]


def errors_of(result):
    """{column: stated error} of a result.json."""
    out = {}
    for joint, reaction in (result.get("reactions") or {}).items():
        for component, value in (reaction.get("components") or {}).items():
            out[f"{joint}.{component}"] = value.get("error") or 0
    for section in ("drives", "constraints"):
        for name, value in (result.get(section) or {}).items():
            if isinstance(value, dict):
                out[f"{name}.effort"] = value.get("error") or 0
    return out


def gap(x, y):
    if math.isnan(x) or math.isnan(y):
        return 0.0 if math.isnan(x) and math.isnan(y) else math.inf
    return abs(x - y)


def floors(largest, size=1.0):
    """Below these numbers of a unit are rounding of others: a turn is known to rounding of 1 rad, a place to that of the size, forces and torques are parts of each other by it.
    An impulse is that of forces over the run, an angular acceleration a difference of parts as large as the square of the fastest rate, so is one of places by the size."""
    out = {unit: ROUNDING * big for unit, big in largest.items()}
    force, torque, time, rate = largest.get("N", 0), largest.get("N.m", 0), largest.get("s", 0), largest.get("rad/s", 0)
    for unit, big in (("rad", 1), ("m", size), ("N", torque / size), ("N.m", force * size), ("J", max(force * size, torque)), ("W", force * largest.get("m/s", 0)), ("", 1),
                      ("N.s", force * time), ("N.m.s", force * size * time), ("rad/s^2", max(rate ** 2, 1e-3)), ("m/s^2", max(rate ** 2 * size, 1e-3))):
        out[unit] = ROUNDING * max(largest.get(unit, 0), big)
    for unit, big in (("rad/s", 0), ("m/s", rate * size)):                    # a rate of a place is a sum of turns' parts
        out[unit] = ROUNDING * max(largest.get(unit, 0), big, 1e-3)
    return out


def series_differ(a, b, moved, also, errors):
    """The first column that differs, or None.  a, b and from moved starts moved, also: texts of series.csv; errors: {column: allowed}."""
    one, two = table(a), table(b)
    away = [(run, table(text)) for run, text in ((one, moved), (two, also)) if text]
    if set(one) != set(two):
        return "columns " + ", ".join(sorted(set(one) ^ set(two))[:3])
    largest = {}
    for head, values in one.items():
        unit = unit_of(head)
        largest[unit] = max([largest.get(unit, 0.0)] + [abs(x) for x in values if math.isfinite(x)])
    floor = floors(largest)
    for head, values in one.items():
        if len(values) != len(two[head]):
            return f"{len(values)} rows and {len(two[head])}"
        if name_of(head).endswith(".error"):
            continue
        bound = max(AGREE * largest[unit_of(head)], errors.get(name_of(head), 0), floor.get(unit_of(head), 0))
        sensitive = 0.0
        for k, (x, y) in enumerate(zip(values, two[head])):
            for run, other in away:
                if k < len(other.get(head, ())):
                    change = gap(run[head][k], other[head][k])
                    sensitive = max(sensitive, change if math.isfinite(change) else 0)
            if gap(x, y) > max(bound, TIMES * sensitive):
                return f"{head} row {k}: {x!r} | {y!r} (allowed {max(bound, TIMES * sensitive):.2g})"
    return None


def sorted_words(text):
    """Words without their order, and without the places of the file that messages lead to."""
    return " ".join(sorted(re.findall(r"[^\s,;:]+", re.sub(r":\d+:\d+:", ":", text))))


def in_order_of_names(value):
    """Lists of named things, and of words, in the order of their text; notes by their words: what a file lists in another order is told in another order."""
    if isinstance(value, dict):
        return {k: in_order_of_names(v) for k, v in sorted(value.items())}
    if isinstance(value, list):
        items = [in_order_of_names(v) for v in value]
        if items and all(isinstance(v, str) for v in items):
            return sorted(sorted_words(v) for v in items)
        if items and all(isinstance(v, dict) and any(isinstance(x, str) for x in v.values()) for v in items):
            return sorted(items, key=lambda v: json.dumps([x for x in v.values() if isinstance(x, str)]))
        return items
    return value


VALUES = {"first", "min", "max"}


def with_errors(a):
    """A joint's reaction whose resultant has an error too: that of its components together."""
    if "resultant" not in a or "components" not in a:
        return a
    return dict(a, resultant=dict(a["resultant"], error=sum(c.get("error") or 0 for c in a["components"].values())))


def part_of(other, key, count=None):
    """What stands at the same place of another tree, or None."""
    if count is not None:
        return other[key] if isinstance(other, list) and len(other) == count else None
    return other.get(key) if isinstance(other, dict) else None


def json_differ(a, b, moved, also, scale, path=""):
    """The first place where two results differ, or None.  moved, also: the results from starts moved; scale: the largest number of this part of the tree."""
    last = path.rsplit("/", 1)[-1]
    if last in RESIDUALS or FOUND_BY.search(path):
        return None
    if isinstance(a, dict) and isinstance(b, dict):
        if set(a) != set(b):
            return f"{path}: keys " + ", ".join(sorted(set(a) ^ set(b))[:3])
        numbers = [abs(v) for v in a.values() if isinstance(v, float)]
        a, b = with_errors(a), with_errors(b)
        error = max(a.get("error") or 0, b.get("error") or 0)                 # two results agree that differ by no more than what they say they are off by
        for key in a:
            if key in VALUES and isinstance(a[key], (int, float)) and isinstance(b[key], (int, float)) and abs(a[key] - b[key]) <= error:
                continue
            found = json_differ(a[key], b[key], part_of(moved, key), part_of(also, key), max([scale if key not in a or not numbers else 0] + numbers), f"{path}/{key}")
            if found:
                return found
        return None
    if isinstance(a, list) and isinstance(b, list):
        if len(a) != len(b):
            return f"{path}: {len(a)} and {len(b)} entries"
        numbers = [abs(v) for v in a if isinstance(v, (int, float))] + ([1.0] if "/shape/" in path else [])    # of a mode: parts of its largest, which is 1
        for k, (x, y) in enumerate(zip(a, b)):
            found = json_differ(x, y, part_of(moved, k, len(a)), part_of(also, k, len(a)), max(numbers, default=scale), f"{path}/{k}")
            if found:
                return found
        return None
    if isinstance(a, bool) or isinstance(b, bool) or isinstance(a, str) or a is None or b is None:
        if isinstance(a, str) and isinstance(b, str):
            return f"{path}: {lines_differ(a, b)}" if lines_differ(a, b) else None
        return None if a == b else f"{path}: {a!r} | {b!r}"
    if isinstance(a, int) and isinstance(b, int):
        return None if a == b else f"{path}: {a} | {b}"
    changes = [abs(run - other) for run, other in ((a, moved), (b, also)) if isinstance(other, (int, float))]
    bound = max(1e-8 * max(abs(a), abs(b), scale) + 1e-9, TIMES * max(changes, default=0))
    return None if abs(a - b) <= bound else f"{path}: {a!r} | {b!r}"


class Answer:
    """What one run gave: status, words, files."""

    def __init__(self, code, out, err, folder):
        self.code, self.out, self.err = code, out, err
        self.files = {}
        for name in ("result.json", "series.csv", "verdicts.csv"):
            path = os.path.join(folder, name)
            if os.path.exists(path):
                with open(path, encoding="utf-8", errors="replace") as f:
                    self.files[name] = f.read()

    def differs(self, other, moved=None, reordered=False, also=None):
        """The first difference of `other` from this run, or None.  reordered: bodies and joints stand in another order.  moved, also: this run and the other from a start moved by 1e-13, if anything."""
        if self.code != other.code:
            return f"exit {self.code} | {other.code}: {(self.err or other.err).strip()[-200:]} | {other.err.strip()[-200:]}"
        if set(self.files) != set(other.files):
            return "files " + ", ".join(sorted(set(self.files) ^ set(other.files)))
        found = lines_differ(self.err, other.err) if not reordered else lines_differ(sorted_words(self.err), sorted_words(other.err))
        if found:
            return f"stderr: {found}"
        found = None if reordered else lines_differ(self.out, other.out)
        if found and not (moved and lines_differ(self.out, moved.out)):
            return f"stdout: {found}"
        mine, its, moved_one, other_one = (json.loads(run.files["result.json"]) if run and "result.json" in run.files else {} for run in (self, other, moved, also))
        if "series.csv" in self.files:
            own, others = errors_of(mine), errors_of(its)
            allowed = {name: max(own[name], others.get(name, 0)) for name in own}
            found = series_differ(self.files["series.csv"], other.files["series.csv"], *(run and run.files.get("series.csv") for run in (moved, also)), allowed)
            if found:
                return f"series.csv: {found}"
        if reordered:
            mine, its, moved_one, other_one = (in_order_of_names(result) for result in (mine, its, moved_one, other_one))
        found = json_differ(mine, its, moved_one, other_one, 0.0)
        if found:
            return f"result.json: {found}"
        if "verdicts.csv" in self.files:
            found = lines_differ(self.files["verdicts.csv"], other.files["verdicts.csv"], reordered)
            if found:
                return f"verdicts.csv: {found}"
        return None
