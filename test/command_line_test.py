#!/usr/bin/env python3
# ctest: long
"""The call itself: commands, options, pages of help, models from standard input.

Nothing is listed here twice: commands and options are read from the pages of help, and each must then behave as its page says."""
import json
import os
import random
import re
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "py"))
import cli              # noqa: E402

PENDULUM = """roberval: 1
title: Pendulum
space: planar
gravity: [0, -9.81]
parameters: {m: 2 kg}
bodies: {rod: {mass: m, inertia: 0.1, centroid: [0.3, 0], markers: {O: [0, 0]}}}
joints: {pin: {type: revolute, between: [ground, rod.O]}}
drives: {motor: {coordinate: pin.angle, motion: "0.3*t"}}
motion: {from: 0, to: 1, step: 0.25}
"""


def call(*arguments, text=None, cwd=None, columns=None):
    env = {k: v for k, v in os.environ.items() if k != "COLUMNS"}
    if columns:
        env["COLUMNS"] = str(columns)
    return cli.limited([cli.BINARY, *arguments], input=text, capture_output=True, text=True, cwd=cwd, env=env)


def commands():
    return {m[1]: m[2] for m in re.finditer(r"^  roberval (\S+)(?: (MODEL|STUDY|\[\S+\]))?  ", call("help").stdout, re.M)}


def options(command):
    """{option: its value or ''} of a command's page."""
    page = call("help", command).stdout
    return {m[1]: m[2] for m in re.finditer(r"^  (--[a-z-]+) ?(\S.*?|)(?:  |$)", page.partition("\nOptions\n")[2].partition("\nExample\n")[0], re.M)}


class Pages(cli.Case):
    def test_every_command_has_a_page_with_an_example_of_it(self):
        found = commands()
        self.assertLessEqual({"check", "kinematics", "statics", "inverse", "convert", "schema", "help", "version"}, set(found))
        for command in found:
            page = call("help", command)
            self.assertEqual((page.returncode, page.stderr), (0, ""))
            self.assertRegex(page.stdout, rf"\ARoberval {command}|\Aroberval {command}\b")
            example = page.stdout.partition("\nExample\n")[2]
            self.assertIn(f"  roberval {command}", example)
            self.assertLessEqual(set(re.findall(r"--[a-z-]+", example)) - {"--version"}, set(options(command)), f"the example of {command}")
            self.assertEqual(call(command, "--help").stdout, page.stdout)
            self.assertEqual(call(command, "-h").stdout, page.stdout)

    def test_lines_fit_the_width(self):
        for columns in (40, 60, 79, 132, 300):
            for page in (call("help", columns=columns), *(call("help", c, columns=columns) for c in commands())):
                for line in page.stdout.partition("\nExample\n")[0].splitlines():
                    alone = re.fullmatch(r"  --[a-z-]+ \S+", line)         # the values of an option are not broken
                    self.assertTrue(len(line) <= columns or alone, line)

    @cli.long
    def test_every_option_of_a_page_is_taken_and_every_other_refused(self):
        pages = {c: options(c) for c in commands()}
        everything = {o: v for page in pages.values() for o, v in page.items()}
        self.assertGreater(len(everything), 15)
        for number, (command, page) in enumerate(pages.items()):
            for k, option in enumerate(everything):
                if option not in page and (k + number) % 4 and not cli.MORE:   # of what is refused a fourth, each option with other commands
                    continue
                done = call(command, option)
                if option == "--quiet" and option not in page:                 # what prints in any case
                    self.assertEqual((done.returncode, done.stdout), (0, call(command).stdout))
                    continue
                self.assertEqual(done.returncode, 2, f"{command} {option}")
                if option in page and page[option]:
                    self.assertRegex(done.stderr, f"{option} wants a value", command)
                elif option in page:
                    self.assertRegex(done.stderr, f"{command} wants a (model|study)", option)
                else:
                    self.assertTrue(re.search(f"{option} does not belong to {command}|{option}: {command} writes to standard output|wants a value", done.stderr), done.stderr)

    def test_an_option_without_effect_is_noted(self):
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "m.yaml"), "w", encoding="utf-8") as file:
                file.write(PENDULUM)
            plain, idle = call("kinematics", "m.yaml", cwd=folder), call("kinematics", "m.yaml", "--frame", "ground", cwd=folder)
            self.assertEqual((idle.returncode, idle.stdout), (0, plain.stdout))
            self.assertRegex(idle.stderr, "note: --frame has no effect on kinematics")
            self.assertEqual(call("kinematics", "m.yaml", "--frame", "ground", "--quiet", cwd=folder).stderr, "")

    def test_flags_take_no_value_and_values_may_stand_behind_an_equal_sign(self):
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "m.yaml"), "w", encoding="utf-8") as file:
                file.write(PENDULUM)
            self.assertRegex(call("inverse", "m.yaml", "--json=yes", cwd=folder).stderr, "--json takes no value")
            a, b = call("inverse", "m.yaml", "--set=m=3[kg]", "--json", cwd=folder), call("inverse", "m.yaml", "--set", "m=3 kg", "--json", cwd=folder)
            self.assertEqual((a.returncode, a.stdout), (0, b.stdout))
            os.rename(os.path.join(folder, "m.yaml"), os.path.join(folder, "-m.yaml"))
            self.assertEqual(call("inverse", "--quiet", "--", "-m.yaml", cwd=folder).returncode, 0)


class WrongWords(cli.Case):
    def edited(self, random_, word):
        """One letter left out, doubled, changed, or exchanged with its neighbour; not the first."""
        k = random_.randrange(1, len(word) - 1)
        return random_.choice([word[:k] + word[k + 1:], word[:k] + word[k] + word[k:], word[:k] + "x" + word[k + 1:], word[:k] + word[k + 1] + word[k] + word[k + 2:]])

    @cli.long
    def test_misspelt_commands_and_options_are_answered_with_the_one_meant(self):
        random_ = random.Random(5)
        names = commands()
        for command in names:
            for _ in range(3):
                word = self.edited(random_, command)
                if word not in names:
                    done = call(word)
                    self.assertEqual(done.returncode, 2)
                    self.assertRegex(done.stderr, f"no command '{word}'; did you mean '{command}'")
        for command in ("check", "statics", "inverse"):
            own = options(command)
            for option in own:
                word = "--" + self.edited(random_, option[2:]) if len(option) > 5 else "--ouut"
                if word not in own:
                    self.assertRegex(call(command, word).stderr, f"unknown option {word}; did you mean --")

    def test_a_model_is_no_command(self):
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "plain"), "w", encoding="utf-8") as file:
                file.write(PENDULUM)
            for name in ("plain", "gone.yaml", "-"):
                done = call(name, cwd=folder)
                self.assertEqual(done.returncode, 2)
                self.assertRegex(done.stderr, f"what is to be done with {name}.*roberval check {name}")

    def test_nothing_asked_shows_the_list_and_is_no_success(self):
        done = call()
        self.assertEqual((done.returncode, done.stdout), (2, call("help").stdout))
        self.assertRegex(call("--quiet").stderr, "a command comes first")

    def test_versions(self):
        said = call("version")
        self.assertRegex(said.stdout, r"\Aroberval \d+\.\d+\.\d+\n\Z")
        for word in ("-V", "--version"):
            self.assertEqual(call(word).stdout, said.stdout)


class StandardInput(cli.Case):
    def test_a_model_from_standard_input_is_the_model(self):
        for arguments in (["check"], ["inverse"], ["inverse", "--json"], ["kinematics"], ["statics"], ["statics", "--follow", "m=1..2 kg"], ["convert", "--to", "spatial"]):
            with tempfile.TemporaryDirectory() as folder:
                with open(os.path.join(folder, "m.yaml"), "w", encoding="utf-8") as file:
                    file.write(PENDULUM)
                from_file, piped = call(*arguments, "m.yaml", cwd=folder), call(*arguments, "-", text=PENDULUM, cwd=folder)
            self.assertEqual(from_file.returncode, 0, from_file.stderr)
            self.assertEqual(piped.returncode, 0, piped.stderr)
            self.assertEqual(piped.stdout.replace("<stdin>", "m.yaml"), from_file.stdout)
            self.assertEqual(piped.stderr.replace("<stdin>", "m.yaml"), from_file.stderr)

    def test_tables_are_found_in_the_folder_where_the_program_runs(self):
        text = PENDULUM.replace("motion: \"0.3*t\"", "motion: \"turn(t)\"").replace("bodies:", "tables: {turn: {file: turn.csv, x: time, y: turn}}\nbodies:")
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "turn.csv"), "w", encoding="utf-8") as file:
                file.write("time [s],turn [rad]\n" + "".join(f"{k / 4},{k * k / 16}\n" for k in range(6)))
            done = call("kinematics", "-", "--json", text=text, cwd=folder)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertNotEqual(call("kinematics", "-", text=text, cwd="/").returncode, 0)

    def test_mistakes_have_their_place_in_it(self):
        done = call("check", "-", text=PENDULUM.replace("mass: m", "mas: m"))
        self.assertEqual(done.returncode, 2)
        self.assertRegex(done.stderr, r"(?m)^<stdin>:6:16: error: unknown key 'mas'")
        self.assertEqual(call("check", "-", text="").returncode, 2)


class ReportOf(cli.Case):
    """report takes the options of the analysis it runs, and refuses those of others as its command does."""

    ARM = {"roberval": 1, "space": "planar", "gravity": [0, -9.81], "bodies": {"arm": {"mass": 1, "inertia": 0.1, "centroid": [0.5, 0], "markers": {"T": [1, 0]}}},
           "joints": {"pin": {"type": "revolute", "between": ["ground", "arm"]}}, "motion": {"from": 0, "to": 0.2, "step": 0.1}}

    def report(self, *flags, driven=False, results=()):
        model = {**self.ARM, **({"drives": {"motor": {"coordinate": "pin.angle", "motion": "t"}}} if driven else {})}
        with tempfile.TemporaryDirectory() as folder:
            path, page = os.path.join(folder, "arm.json"), os.path.join(folder, "arm.html")
            with open(path, "w", encoding="utf-8") as f:
                json.dump(model, f)
            for name, call in results:
                self.assertEqual(cli.run([*call, path, "--out", os.path.join(folder, name)], out=False).code, 0)
            done = cli.run(["report", path, "--out", page, *[f.replace("HERE", folder) for f in flags]], out=False, quiet=False)
            if done.code == 0:
                with open(page, encoding="utf-8") as f:
                    done.page = f.read()
            return done

    def test_what_is_computed_is_what_was_asked_for(self):
        for flags, words, driven in ((["--start", "statics"], "starts where it rests", False), (["--analysis", "simulate", "--method", "implicit"], '"method": "implicit"', False),
                                     (["--method", "newton", "--analysis=inverse"], '"method": "newton"', True), (["--coordinates", "natural"], "natural", False),
                                     (["--analysis", "modes", "--start", "statics"], "starts where it rests", False)):
            done = self.report(*flags, driven=driven)
            self.assertEqual(done.code, 0, f"{flags}: {done.said()}")
            self.assertIn(words, done.page.replace("\\u003c", "<"), flags)

    def test_from_a_folder(self):
        done = self.report("--analysis", "simulate", "--start", "HERE/run@0.1", "--to", "0.3", results=[("run", ["simulate"])])
        self.assertEqual(done.code, 0, done.said())

    def test_options_of_other_analyses(self):
        for flags, words in ((["--method", "newton"], "does not belong to report"), (["--analysis", "simulate", "--method", "newton"], "no method 'newton'"), (["--analysis", "statics", "--start", "statics"], "--start"),
                             (["--analysis", "simulate", "--balance", "arm"], "does not belong"), (["--analysis", "inverse", "--record", "x.csv"], "--record"), (["--analysis", "simulate", "--resume"], "--resume")):
            done = self.report(*flags)
            self.assertEqual(done.code, 2, f"{flags}: {done.said()}")
            self.assertIn(words, done.err)

    def test_what_leads_on(self):
        done = cli.run_model(self.ARM, "inverse")
        self.assertEqual(done.code, 2)
        for command in ("simulate", "statics", "modes"):
            self.assertIn(command, done.err)
        driven = {**self.ARM, "drives": {"motor": {"coordinate": "pin.angle", "motion": "t"}}}
        done = self.ok(driven, "inverse", "--method", "virtual-power", "--reaction", "pin.Tz,pin.Fx")
        self.assertIn("leaves that direction free", " ".join(done.result["notes"]))
        done = cli.run_model(driven, "inverse", "--svg", "x.svg", "--only", "motor*", "--x", "pin.angle", out=False)
        self.assertEqual(done.code, 2)
        self.assertIn("under output:", done.err)


if __name__ == "__main__":
    cli.main()
