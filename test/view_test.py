#!/usr/bin/env python3
"""How results are shown: pages that fit, --only, --units model, --out -.

Random machines with random names and units. What a page or series.csv shows is held against result.json and the series without any of these options: they choose and convert,
and change nothing."""
import csv
import fcntl
import fnmatch
import io
import json
import math
import os
import pty
import random
import re
import struct
import sys
import tempfile
import termios
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "py"))
import cli              # noqa: E402

ROUNDS = int(os.environ.get("ROBERVAL_ROUNDS", "4"))
LENGTHS, ANGLES, TIMES = {"m": 1, "mm": 1e-3, "in": 0.0254, "km": 1e3}, {"rad": 1, "deg": math.pi / 180}, {"s": 1, "ms": 1e-3, "min": 60}
FORCES, TORQUES, SPEEDS = {"N": 1, "kN": 1e3}, {"N.m": 1, "N.mm": 1e-3}, {"m/s": 1, "mm/s": 1e-3}


def name(r, longest=12):
    return r.choice("abcdefgh") + "".join(r.choice("abcdxyz_019") for _ in range(r.randint(0, longest)))


def machine(r, longest=12, links=None, units=None):
    """A chain of driven links with weights and an output each, every name and number at random."""
    links, used = links or r.randint(1, 4), set()

    def fresh():
        while True:
            word = name(r, longest)
            if word not in used and word not in ("ground",):
                used.add(word)
                return word
    bodies, joints, drives, output, before = {"ground": {"markers": {"Q": ["0 m", "0 m"]}}}, {}, {}, {}, "ground"
    for k in range(links):
        body, joint, drive, series = (fresh() for _ in range(4))
        bodies[body] = {"mass": f"{r.uniform(1, 3)} kg", "inertia": f"{r.uniform(0.1, 1)} kg.m^2", "centroid": ["0.5 m", "0 m"],
                        "pose": {"at": [f"{k} m", "0 m"]}, "markers": {"P": ["0 m", "0 m"], "Q": ["1 m", "0 m"]}}
        joints[joint] = {"type": "revolute", "between": [f"{before}.Q", f"{body}.P"]}
        drives[drive] = {"coordinate": f"{joint}.angle", "motion": f"{r.uniform(-0.3, 0.3)}*sin({r.uniform(1, 9)}*t)"}
        output[series] = f"x({body}.Q)"
        before = body
    model = {"roberval": 1, "space": "planar", "gravity": ["0 m/s^2", "-9.81 m/s^2"], "bodies": bodies, "joints": joints, "drives": drives, "output": output,
             "motion": {"from": "0 s", "to": "1 s", "step": "0.125 s"}}
    if units:
        model["units"] = units
    return model


def call(model, *arguments, columns=None):
    env = {k: v for k, v in os.environ.items() if k != "COLUMNS"}
    if columns:
        env["COLUMNS"] = str(columns)
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "m.json"), "w", encoding="utf-8") as file:
            json.dump(model, file)
        return cli.limited([cli.BINARY, arguments[0], "m.json", *arguments[1:]], capture_output=True, text=True, cwd=folder, env=env)


def series(text):
    rows = list(csv.reader(io.StringIO(text)))
    heads = [cli.HEAD.match(h) for h in rows[0]]
    return {h["name"]: (h["unit"] or "", [float(row[k]) for row in rows[1:]]) for k, h in enumerate(heads)}


class Pages(cli.Case):
    def test_tables_and_lists_fit_the_width(self):
        r = random.Random(4)
        for longest in (3, 12, 70)[:ROUNDS]:
            model = machine(r, longest=longest)
            for command in ("check", "assemble", "kinematics", "statics", "inverse"):
                for columns in (None, r.randint(75, 99), r.randint(100, 200)):
                    done = call(model, command, columns=columns)
                    self.assertEqual(done.returncode, 0, done.stderr)
                    for line in done.stdout.splitlines():
                        alone = " " not in line.strip().replace(" |F|", "")                    # a name that is longer than the page
                        sentence = columns is None and re.match(r"note: |audit: |mobility |largest |completed ", line)
                        self.assertTrue(len(line) <= (columns or 100) or alone or sentence, f"{command} {columns}: {line}")

    def test_a_terminal_says_how_wide_it_is(self):
        model = machine(random.Random(3), links=2, longest=30)
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "m.json"), "w", encoding="utf-8") as file:
                json.dump(model, file)
            for width in (64, 90, 150):
                lines = self.on_a_terminal(width, folder, "inverse", "m.json")
                self.assertGreater(len(lines), 20)
                self.assertTrue(all(len(line) <= width or " " not in line.replace(" |F|", "") for line in lines), max(lines, key=len))

    def on_a_terminal(self, width, folder, *arguments):
        pid, terminal = pty.fork()
        if pid == 0:                                                                           # the program, on a terminal of that width
            os.chdir(folder)
            os.environ.pop("COLUMNS", None)
            fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", 24, width, 0, 0))
            os.execv(cli.BINARY, [cli.BINARY, *arguments])
        text = b""
        while True:
            try:
                part = os.read(terminal, 65536)
            except OSError:
                break
            if not part:
                break
            text += part
        self.assertEqual(os.waitpid(pid, 0)[1], 0)
        os.close(terminal)
        return text.decode().replace("\r\n", "\n").splitlines()

    def test_what_the_page_says_is_what_the_result_holds(self):
        r = random.Random(9)
        for _ in range(ROUNDS):
            model = machine(r, longest=r.choice([5, 40]))
            page, result = call(model, "inverse").stdout, json.loads(call(model, "inverse", "--json").stdout)
            for joint, reaction in result["reactions"].items():
                for component, values in reaction["components"].items():
                    if values["verdict"] != "free":
                        self.line_holds(page, f"{joint}.{component}", values)
                self.line_holds(page, f"{joint} |F|", {"unit": "N", **reaction["resultant"]})
            for drive, values in result["drives"].items():
                self.line_holds(page, f"{drive}.effort", values)

    def line_holds(self, page, what, values):
        found = re.search(rf"^{re.escape(what)}\s+(\S+)\s+(.*)$", page, re.M)
        self.assertTrue(found, what)
        self.assertEqual(found[1], values["unit"])
        for got, want in zip(found[2].split(), [values[k] for k in ("first", "min", "at_min", "max", "at_max")]):
            self.assertLessEqual(abs(float(got) - want), 1e-3 * abs(want), what)

    def test_a_machine_of_many_joints_is_shown_by_its_resultants(self):
        model = machine(random.Random(1), links=20)
        lines = call(model, "inverse").stdout.splitlines()
        self.assertLess(len(lines), 90)
        self.assertEqual(len([line for line in lines if " |F| " in line]), 20)
        self.assertFalse([line for line in lines if re.match(r"\S+\.F[xy] ", line)])
        joint = list(model["joints"])[7]
        asked = call(model, "inverse", "--only", joint).stdout
        self.assertRegex(asked, rf"(?m)^{joint}\.Fx ")
        self.assertRegex(asked, rf"(?m)^{joint}\.Fy ")


class Only(cli.Case):
    def test_series_and_tables_hold_what_fits_and_the_result_everything(self):
        r = random.Random(12)
        for _ in range(2 * ROUNDS):
            model = machine(r)
            everything = series(call(model, "inverse", "--out", "-").stdout)
            names = list(everything)[1:]
            owner = r.choice(names).split(".")[0]
            patterns = [r.choice([owner, owner[:1] + "*", "*.Fx", "*[a-e]", f"{owner}.*", r.choice(names), "?*.effort"]) for _ in range(r.randint(1, 2))]
            options = [x for p in patterns for x in ("--only", p)]
            wanted = [n for n in names if any(fnmatch.fnmatchcase(n, p) or fnmatch.fnmatchcase(n.split(".")[0], p) for p in patterns)]
            done = call(model, "inverse", "--out", "-", *options)
            self.assertEqual(done.returncode, 0, done.stderr)
            got = series(done.stdout)
            self.assertEqual(list(got), ["time"] + wanted, patterns)
            for column in got:
                self.assertEqual(got[column], everything[column])
            self.assertEqual(bool(wanted), not re.search("fits no name", done.stderr) or len(patterns) > 1)
            page = call(model, "inverse", *options).stdout
            shown = {m[1] for m in re.finditer(r"^(\S+)(?: \|F\|)?\s+\S.*unique$", page, re.M)}
            self.assertLessEqual(shown, set(wanted) | {n.split(".")[0] for n in wanted})
            self.assertEqual(call(model, "inverse", "--json", *options).stdout, call(model, "inverse", "--json").stdout)


def tables_on_bars(r):
    """Platforms each on three parallel bars, the third of which is one too many, with cams' notes of their own: (model, [joints of each platform])."""
    bodies, joints, drives, owners = {"ground": {"markers": {}}}, {}, {}, []
    for k in range(r.randint(2, 4)):
        bodies[f"plate{k}"] = {"mass": r.uniform(1, 9), "inertia": 1, "pose": {"at": [10 * k, 1]}, "markers": {}}
        mine = []
        for n in range(3):
            x = n - 1 + r.uniform(-0.2, 0.2)
            bodies["ground"]["markers"][f"g{k}{n}"], bodies[f"plate{k}"]["markers"][f"p{n}"] = [10 * k + x, 0], [x, 0]
            joint = f"{r.choice('abc')}{k}{n}"
            joints[joint] = {"type": "link", "between": [f"ground.g{k}{n}", f"plate{k}.p{n}"]}
            mine.append(joint)
        drives[f"push{k}"] = {"coordinate": f"x(plate{k})", "motion": f"{10 * k} + 0.1*t"}
        owners.append(mine)
    return {"roberval": 1, "space": "planar", "gravity": [0, -9.81], "bodies": bodies, "joints": joints, "drives": drives, "motion": {"from": 0, "to": 1, "step": 0.5}}, owners


class OnlyReactions(cli.Case):
    """Self-stresses, determined sums and advice follow --only; result.json does not."""

    def section(self, page, head):
        found = re.search(rf"(?m)^{head}.*\n((?: .*\n)*)", page)
        return found[1] if found else ""

    def test_modes_sums_and_advice(self):
        r = random.Random(13)
        for _ in range(ROUNDS):
            model, owners = tables_on_bars(r)
            whole = call(model, "check").stdout
            self.assertEqual(len(self.section(whole, "self-stress").splitlines()), len(owners), whole)
            for k, mine in enumerate(owners):
                pattern = r.choice(mine)
                page = call(model, "check", "--only", pattern).stdout
                modes = self.section(page, "self-stress")
                self.assertRegex(page, rf"self-stress at the first state: {len(owners)} ways .*, 1 of them through what is shown")
                self.assertEqual(modes, "".join(line + "\n" for line in self.section(whole, "self-stress").splitlines() if f" {pattern}." in line))
                others = [name for n, names in enumerate(owners) if n != k for name in names]
                for name in others:
                    self.assertNotRegex(page, rf"\b{name}\b", f"--only {pattern}")
                self.assertRegex(page, r"to make them unique")
                self.assertEqual(call(model, "check", "--only", pattern, "--json").stdout, call(model, "check", "--json").stdout)
            none = call(model, "check", "--only", "push0").stdout
            self.assertIn("none of them through what is shown", none)
            self.assertNotIn("to make them unique", none)

    def test_notes_of_other_joints_are_counted(self):
        """belts that go slack: each is warned of by name"""
        r = random.Random(14)
        for count in (2, 3, 4)[:ROUNDS]:
            names = [name(r) + str(k) for k in range(count)]
            model = {"roberval": 1, "space": "planar", "bodies": {"ground": {}}, "joints": {}, "drives": {}, "motion": {"from": 0, "to": 0.5, "step": 0.25}}
            for k, belt in enumerate(names):
                model["bodies"] |= {f"a{k}": {"mass": 1, "inertia": 1, "pose": {"at": [0, 9 * k]}}, f"b{k}": {"mass": 1, "inertia": 1, "pose": {"at": [2, 9 * k]}}}
                model["joints"] |= {f"pa{k}": {"type": "revolute", "between": ["ground", f"a{k}"], "at": [0, 9 * k]}, f"pb{k}": {"type": "revolute", "between": ["ground", f"b{k}"], "at": [2, 9 * k]},
                                    belt: {"type": "belt", "between": [f"a{k}", f"b{k}"], "radii": [0.5, 0.3], "preload": 0.1}}
                model["drives"][f"d{k}"] = {"coordinate": f"pa{k}.angle", "motion": "t^2"}
            notes = json.loads(call(model, "inverse", "--json").stdout)["notes"]
            self.assertEqual(len(notes), count, notes)
            kept = r.randrange(count)
            lines = [line for line in call(model, "inverse", "--only", names[kept]).stdout.splitlines() if line.startswith("note: ")]
            self.assertEqual(lines, [f"note: {notes[kept]}", f"note: {count - 1} note{'s' * (count > 2)} of what is not shown: result.json has all"])


class Units(cli.Case):
    def random_units(self, r):
        kinds = {"length": LENGTHS, "angle": ANGLES, "time": TIMES, "force": FORCES, "torque": TORQUES, "velocity": SPEEDS}
        return {key: r.choice(list(kinds[key])) for key in r.sample(list(kinds), r.randint(1, len(kinds)))}, {u: f for kind in kinds.values() for u, f in kind.items()}

    def test_series_in_the_models_units_is_the_same_series(self):
        r = random.Random(21)
        for k in range(2 * ROUNDS):
            units, factors = self.random_units(r)
            model = machine(r, units=units)
            command = ("kinematics", "inverse")[k % 2]
            si, own = series(call(model, command, "--out", "-").stdout), series(call(model, command, "--out", "-", "--units", "model").stdout)
            self.assertEqual(call(model, command, "--out", "-", "--units", "SI").stdout, call(model, command, "--out", "-").stdout)
            self.assertEqual(list(si), list(own))
            declared = {"m": units.get("length"), "rad": units.get("angle"), "s": units.get("time"), "N": units.get("force"), "N.m": units.get("torque"), "m/s": units.get("velocity")}
            for column, (unit, values) in si.items():
                self.assertEqual(own[column][0], declared.get(unit) or unit, column)
                factor = factors.get(own[column][0], 1) if declared.get(unit) else 1
                for a, b in zip(values, own[column][1]):
                    self.assertLessEqual(abs(a - b * factor), 1e-14 * abs(a) + 1e-300, column)
            self.assertEqual(call(model, command, "--json", "--units", "model").stdout, call(model, command, "--json").stdout)

    def test_pages_speak_of_the_models_units(self):
        r = random.Random(22)
        model = machine(r, links=1, units={"length": "mm", "angle": "deg", "time": "ms", "force": "kN"})
        page = call(model, "inverse", "--units", "model").stdout
        self.assertRegex(page, r"t = 0 to 1000 ms")
        self.assertRegex(page, r"at \[ms\]")
        joint = list(model["joints"])[0]
        self.assertRegex(page, rf"(?m)^{joint}\.Fx +kN ")
        state = call(model, "assemble", "--units", "model").stdout
        self.assertRegex(state, rf"(?m)^{joint}\.angle +\S+ +deg ")
        self.assertRegex(state, r"x \[mm\]")

    def test_energies_audit_and_gravity_too(self):
        """each figure of a page in the model's unit is its SI one by the factor"""
        factors = {"energy": ("kJ", 1e3), "force": ("kN", 1e3), "torque": ("N.mm", 1e-3), "power": ("kW", 1e3), "acceleration": ("mm/s^2", 1e-3), "length": ("mm", 1e-3), "stiffness": ("N/mm", 1e3)}
        r = random.Random(24)
        for _ in range(ROUNDS):
            chosen = r.sample(list(factors), r.randint(1, len(factors)))
            model = {"roberval": 1, "space": "planar", "units": {key: factors[key][0] for key in chosen}, "gravity": ["0 m/s^2", "-9.81 m/s^2"],
                     "bodies": {"rod": {"mass": f"{r.uniform(1, 9)} kg", "inertia": "0.1 kg.m^2", "centroid": ["0.4 m", "0 m"], "pose": {"angle": "-1.2 rad"}}},
                     "joints": {"pin": {"type": "revolute", "between": ["ground", "rod"]}}}
            unit = {key: factors[key] if key in chosen else (si, 1) for key, si in
                    {"energy": "J", "force": "N", "torque": "N.m", "power": "W", "acceleration": "m/s^2", "length": "m", "stiffness": "N/m"}.items()}
            for flags, said in (((), r"curvature (?P<c>\S+) 1/s\^2, energy (?P<energy>\S+) (?P<energy_unit>[\w.]+);"),
                                (("--method", "penalty"), r"penalty (?P<stiffness>\S+) (?P<stiffness_unit>\S+): positions are off by about (?P<length>\S+) (?P<length_unit>\S+), forces by (?P<force>\S+) (?P<force_unit>\w+)"),
                                ((), r"gravity (?P<acceleration>\S+) (?P<acceleration_unit>\S+) along -y")):
                si, own = (re.search(said, call(model, "statics", *flags, "--units", u).stdout).groupdict() for u in ("SI", "model"))
                for key, value in si.items():
                    if key == "c":
                        self.assertEqual(value, own[key])
                    elif not key.endswith("_unit"):
                        self.assertEqual(own[key + "_unit"], unit[key][0])
                        self.near(float(own[key]) * unit[key][1], float(value), (0.06 if key in ("length", "force") else 6e-3) * abs(float(value)), key)
            page = call(model, "statics", "--all", "--units", "model").stdout
            self.assertIn(f"energy [{unit['energy'][0]}]", page)
            model["drives"], model["motion"] = {"motor": {"coordinate": "pin.angle", "motion": "exp(t/1[s])"}}, {"from": "0 s", "to": "1 s", "step": "0.125 s"}
            audits = [re.search(r"audit: forces to (\S+) (\S+), torques to (\S+) (\S+), power to (\S+) (\S+), constraints", call(model, "inverse", "--units", u).stdout).groups() for u in ("SI", "model")]
            self.assertEqual(audits[1][1::2], tuple(unit[key][0] for key in ("force", "torque", "power")))
            for key, value, own in zip(("force", "torque", "power"), audits[0][0::2], audits[1][0::2]):
                self.near(float(own) * unit[key][1], float(value), 0.06 * float(value), key)

    def test_a_path_is_shown_in_the_unit_in_which_it_was_asked_for(self):
        r = random.Random(23)
        model = {"roberval": 1, "space": "planar", "gravity": [0, -9.81], "parameters": {"lean": "10 deg"},
                 "bodies": {"rod": {"mass": 1, "inertia": 0.1, "centroid": [0.4, 0], "pose": {"angle": "-80 deg"}}},
                 "joints": {"pin": {"type": "revolute", "between": ["ground", "rod"]}},
                 "loads": {"coil": {"type": "torsion-spring", "joint": "pin", "stiffness": "50 N.m/rad", "free_angle": "lean"}}}
        for unit, factor in ANGLES.items():
            a, b = r.uniform(0.1, 0.2) / factor, r.uniform(0.4, 0.6) / factor
            along = f"lean={a!r}..{b!r} {unit}"
            page = call(model, "statics", "--follow", along)
            self.assertEqual(page.returncode, 0, page.stderr)
            said = re.search(rf"along lean from (\S+) to (\S+) {unit}:", page.stdout)
            self.near([float(said[1]), float(said[2])], [a, b], 1e-8 / factor)
            self.assertRegex(page.stdout, rf"lean \[{unit}\]")
            si = series(call(model, "statics", "--follow", along, "--out", "-").stdout)["lean"]
            self.assertEqual(si[0], "rad")
            self.near([si[1][0], si[1][-1]], [a * factor, b * factor], 1e-12)
            own = series(call(model, "statics", "--follow", along, "--out", "-", "--units", "model").stdout)["lean"]
            self.assertEqual(own[0], unit)
            self.near([own[1][0], own[1][-1]], [a, b], 1e-11 / factor)


class StandardOutput(cli.Case):
    def test_series_on_standard_output_is_series_csv(self):
        r = random.Random(31)
        for command in ("assemble", "kinematics", "statics", "inverse"):
            model = machine(r)
            with tempfile.TemporaryDirectory() as folder:
                written = call(model, command, "--out", folder, "--quiet")
                self.assertEqual(written.returncode, 0, written.stderr)
                with open(os.path.join(folder, "series.csv"), encoding="utf-8") as file:
                    self.assertEqual(call(model, command, "--out", "-").stdout, file.read())
        for arguments, said in ((["check", "--out", "-"], "no series"), (["inverse", "--out", "-", "--json"], "both want standard output")):
            done = call(machine(r), *arguments)
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertRegex(done.stderr, said)

    def test_what_was_reached_is_shown_when_it_goes_wrong(self):
        model = {"roberval": 1, "space": "planar", "bodies": {"a": {"mass": 1, "inertia": 1}}, "joints": {"p": {"type": "prismatic", "between": ["ground", "a"]}},
                 "drives": {"d": {"coordinate": "p.distance", "motion": "sqrt(0.5 - t)"}}, "motion": {"from": 0, "to": 1, "step": 0.1}}
        done = call(model, "inverse", "--out", "-")
        self.assertEqual(done.returncode, 1)
        self.assertGreaterEqual(len(series(done.stdout)["time"][1]), 4)
        self.assertRegex(done.stderr, "error: ")


if __name__ == "__main__":
    cli.main()
