#!/usr/bin/python3
"""Wrong studies: each mistake is told with file:line:column, all of them at once, with what was probably meant; status 2, and nothing is computed."""
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "py"))
import cli              # noqa: E402
from study import Studies, main, ARM    # noqa: E402

# {0} is put into a line of its own kind; a study without mistakes otherwise
GOOD = """study: 1
model: arm.yaml
analysis: inverse
options: {to: 1 s}
vary:
  m: [1 kg, 2 kg]
collect:
  top: "max(motor.effort)"
"""
RANDOM = """study: 1
model: arm.yaml
analysis: statics
vary:
  m: {normal: [2 kg, 0.1 kg]}
  L: {uniform: [0.4 m, 0.6 m]}
samples: 10
collect:
  top: motor.effort
"""


class Bad(Studies):
    def told(self, study, line, pattern, *flags, file="study.yaml", column=None, only=True):
        """One error on that line of the file, that says so."""
        with self.subTest(mistake=study.split("\n")[line - 1] if file == "study.yaml" and line <= study.count("\n") else study):
            done = self.refused(study, *flags)
            self.assertTrue(done.errors, f"{study}\n{done.said()}")
            hits = [m for m in done.errors if os.path.basename(m.file) == file and m.line == line and re.search(pattern, m.text)]
            self.assertTrue(hits, f"nothing like {pattern!r} on line {line} of {file}:\n{done.said()}")
            if column is not None:
                self.assertEqual(hits[0].column, column, hits[0])
            if only:
                self.assertEqual(len(done.errors), 1, f"one mistake, more messages:\n{done.said()}")

    def change(self, old, new, pattern, base=GOOD, **options):
        """A study with one part replaced by a wrong one; the message is about the line where it stands."""
        self.assertEqual(base.count(old), 1, old)
        study = base.replace(old, new)
        line = options.pop("line", None) or base[:base.index(old)].count("\n") + 1
        self.told(study, line, pattern, **options)

    def test_the_good_ones(self):
        self.study(GOOD)
        self.study(RANDOM)


class Keys(Bad):
    def test_unknown_keys(self):
        self.change("options: ", "option: ", "option", line=4, column=1)
        self.told(GOOD + "sample: 3\n", 9, "'sample'.*(did you mean|may have)", column=1)
        self.told(GOOD.replace('top: "max(motor.effort)"', 'top: {value: "max(motor.effort)", limits: "<= 1 N.m"}'), 8, "limits")
        self.change("m: [1 kg, 2 kg]", "m: {from: 1 kg, to: 2 kg, stepps: 3}", "stepps")

    def test_required_keys(self):
        for key in ("model: arm.yaml\n", "analysis: inverse\n", "study: 1\n"):
            done = self.refused(GOOD.replace(key, ""))
            self.assertIn(key.split(":", maxsplit=1)[0], done.err)
        for key, first in (("vary", 5), ("collect", 7)):
            lines = GOOD.split("\n")
            done = self.refused("\n".join(lines[:first - 1] + lines[first + 1:]))
            self.assertIn(key, done.err)
        done = self.refused(RANDOM.replace("samples: 10\n", ""))
        self.assertIn("samples", done.err)

    def test_values(self):
        self.change("study: 1", "study: 2", "2|version", column=8)
        self.change("analysis: inverse", "analysis: invers", "'?invers'?.*inverse", column=11)
        self.change("analysis: inverse", "analysis: study", "study", only=False)
        self.change("analysis: inverse", "analysis: info", "info", only=False)
        self.told(RANDOM + "design: sobel\n", 10, "sobel.*sobol", column=9)
        self.told(RANDOM + "seed: 1.5\n", 10, "seed|whole", column=7)
        self.told(RANDOM + "keep: all\n", 10, "keep|all", column=7)
        for samples in ("0", "-3", "2.5", "many"):
            self.change("samples: 10", f"samples: {samples}", "samples|whole", base=RANDOM, only=False)

    def test_files(self):
        self.change("model: arm.yaml", "model: nobody.yaml", "cannot be read|nobody.yaml", column=8, only=False)
        self.assertIn("nobody.yaml", self.refused(GOOD.replace("arm.yaml", "nobody.yaml")).err)
        self.write("other.yaml", GOOD)
        self.change("model: arm.yaml", "model: other.yaml", "study|model", only=False)       # a study of a study
        self.change("model: arm.yaml", "model: study.yaml", "study|model", only=False)
        done = self.study(None, name="nowhere.yaml", code=2)
        self.assertIn("nowhere.yaml", done.err)

    def test_mistakes_of_the_model(self):
        """they are told with the model's file and line"""
        self.write("arm.yaml", ARM.replace("mass: m", "mas: m"))
        done = self.refused(GOOD)
        hits = [m for m in done.errors if os.path.basename(m.file) == "arm.yaml" and m.line == 5 and "'mas'" in m.text]
        self.assertTrue(hits, done.said())

    def test_syntax(self):
        done = self.refused("study: 1\nmodel: [arm.yaml\nanalysis: inverse\n")
        self.assertEqual(len(done.errors), 1, done.said())
        done = self.refused("study: 1\nstudy: 1\n" + GOOD.split("\n", 1)[1])
        self.assertTrue(any(m.line == 2 for m in done.errors), done.said())


class Vary(Bad):
    def test_parameters(self):
        self.change("m: [1 kg, 2 kg]", "mm: [1 kg, 2 kg]", "'mm'", column=3)
        self.change("m: [1 kg, 2 kg]", "LL: [1 m, 2 m]", "'LL'.*did you mean 'L'|has: m, L, w", column=3)
        self.change("m: [1 kg, 2 kg]", "w: [10 mm, 20 mm]", r"length|rad/s")
        self.change("m: [1 kg, 2 kg]", "m: [1 kg, 2 s]", r"time|mass")
        self.change("m: [1 kg, 2 kg]", "m: [1 kg, 2 lbs]", "lbs.*did you mean 'lb'")
        self.change("m: [1 kg, 2 kg]", "m: {from: 1 kg, to: 2 m, steps: 3}", "length|mass")
        self.change("m: [1 kg, 2 kg]", "m: []", "")

    def test_ranges(self):
        for wrong in ("{from: 1 kg, steps: 3}", "{from: 1 kg, to: 2 kg}", "{from: 1 kg, to: 2 kg, steps: 0}", "{from: 1 kg, to: 2 kg, steps: 2.5}",
                      "{from: 1 kg, to: 2 kg, steps: -3}",
                      "{from: 1 kg, to: 2 kg, step: 0 kg}", "{from: 1 kg, to: 2 kg, step: -0.1 kg}", "{from: 1 kg, to: 2 kg, step: 1 m}",
                      "{from: 1 kg, to: 2 kg, steps: 3, step: 1 kg}",
                      "{from: 0 kg, to: 2 kg, steps: 3, log: true}", "{from: -1 kg, to: 2 kg, steps: 3, log: true}",
                      "{from: 1 kg, to: 2 kg, steps: 3, log: maybe}"):
            self.change("m: [1 kg, 2 kg]", f"m: {wrong}", "")

    def test_distributions(self):
        for wrong, pattern in (("{normal: [2 kg, -0.1 kg]}", "sigma|negative|positive|-0.1"), ("{normal: [2 kg]}", "2|two|sigma"),
                               ("{normal: [2 kg, 1 m]}", "length|mass"),
                               ("{triangle: [1 kg, 4 kg, 3 kg]}", ""), ("{triangle: [1 kg, 2 kg]}", ""), ("{uniform: [1 kg, 2 kg, 3 kg]}", ""),
                               ("{uniform: 3 kg}", ""),
                               ("{normaal: [2 kg, 1 kg]}", "normaal.*did you mean 'normal'"), ("{normal: [2 kg, 1 kg], uniform: [1 kg, 2 kg]}", "")):
            self.change("m: {normal: [2 kg, 0.1 kg]}", f"m: {wrong}", pattern, base=RANDOM)
        done = self.refused(RANDOM + "design: grid\n")
        self.assertRegex(done.err, "grid|random|normal")

    def test_with(self):
        for wrong, pattern in (("{with: nobody, values: [1 m, 2 m]}", "nobody"), ("{with: m, values: [1 m, 2 m, 3 m]}", "2|3|two|three"),
                               ("{with: L, values: [1 m, 2 m]}", "L|itself"),
                               ("{with: m, values: [1 s, 2 s]}", "time|length")):
            self.told(GOOD.replace("  m: [1 kg, 2 kg]\n", f"  m: [1 kg, 2 kg]\n  L: {wrong}\n"), 7, pattern)
        self.refused(GOOD.replace("  m: [1 kg, 2 kg]\n", "  m: {with: L, values: [1 kg, 2 kg]}\n  L: {with: m, values: [1 m, 2 m]}\n"))

    def test_tables(self):
        study = GOOD.replace("m: [1 kg, 2 kg]", "parts: {file: parts.csv}")
        self.told(study, 6, "parts.csv")
        for content, pattern in (("", "empty|no |rows"), ("m [kg]\n", "empty|no |rows"), ("# nothing\n\n", "empty|no |rows"),
                                 ("mm [kg]\n1\n", "'?mm'?"), ("m [s]\n1\n", "time|mass"), ("m\n1\n", "unit|m"),
                                 ("m [kg]\nheavy\n", "heavy|number"), ("m [kg],L [m]\n1\n", "column|cell|2|1"), ("m [kg],m [kg]\n1,2\n", "m"),
                                 ("m [kg]\n1e999\n", ""), ("m [kg]\nnan\n", "")):
            with self.subTest(content=content):
                self.write("parts.csv", content)
                done = self.refused(study)
                self.assertIn("parts.csv", done.err)
                self.assertRegex(done.err, pattern or ".", content)
        self.write("parts.csv", "m [kg],L [m]\n1,0.5\n2,0.5\n3,x\n")
        self.assertRegex(self.refused(study).err, r"parts\.csv:4", "the line of the cell")
        self.write("parts.csv", "L [m]\n1\n")
        self.change("m: [1 kg, 2 kg]", "m: {file: parts.csv}", "'?m'?")    # the name is a parameter, so there must be its column
        self.write("parts.csv", "m [kg]\n1\n")
        self.refused(GOOD.replace("m: [1 kg, 2 kg]", "m: [1 kg, 2 kg]\n  parts: {file: parts.csv}"))          # two values for one parameter

    def test_too_many(self):
        """said before anything runs"""
        million = "{from: 1 kg, to: 2 kg, steps: 1000000}"
        study = GOOD.replace("m: [1 kg, 2 kg]", f"m: {million}\n  L: {million.replace('kg', 'm')}")
        done = self.refused(study)
        self.assertRegex(done.err, r"1e\+?12|1000000000000|10\^12|10¹²")
        study = GOOD.replace("m: [1 kg, 2 kg]", "m: {from: 1 kg, to: 2 kg, steps: 4000}\n  L: {from: 1 m, to: 2 m, steps: 4000}")
        self.assertIn("--yes", self.refused(study).err)
        self.assertIn("--yes", self.refused(RANDOM.replace("samples: 10", "samples: 10000001")).err)

    def test_101_parameters_of_sobol(self):
        names = [f"p{i}" for i in range(101)]
        self.write("many.yaml", ARM.replace("k: 1,", "k: 1, " + ", ".join(f"{n}: 1" for n in names) + ","))
        study = RANDOM.replace("arm.yaml", "many.yaml") + "design: sobol\n"
        head, tail = study.split("  m: {normal")
        done = self.refused(head + "".join(f"  {n}: {{uniform: [0, 1]}}\n" for n in names) + tail[tail.index("samples"):])
        self.assertIn("100", done.err)


class Correlate(Bad):
    def test_wrong_ones(self):
        for wrong, pattern in (("{[m, L]: 1.5}", "1.5|1"), ("{[m, nobody]: 0.5}", "nobody"), ("{[m, m]: 0.5}", "m"), ("{[m]: 0.5}", ""),
                               ("{m: 0.5}", ""), ("{[m, L]: 0.5, [L, m]: 0.4}", ""), ("{[m, L]: much}", "")):
            self.told(RANDOM + f"correlate: {wrong}\n", 10, pattern)
        self.told(RANDOM + "correlate: {[m, k]: 0.5}\n", 10, "'?k'?")      # a parameter that does not vary

    def test_a_matrix_that_is_not_positive(self):
        study = RANDOM.replace("samples", "  w: {uniform: [10 rpm, 20 rpm]}\nsamples") + "correlate: {[m, L]: 0.9, [m, w]: 0.9, [L, w]: -0.9}\n"
        self.told(study, 11, "positive|possible|correlat")

    def test_a_grid_has_none(self):
        self.refused(GOOD.replace("m: [1 kg, 2 kg]", "m: [1 kg, 2 kg]\n  L: [1 m, 2 m]") + "correlate: {[m, L]: 0.5}\n")


class Options(Bad):
    def test_unknown_ones(self):
        self.change("options: {to: 1 s}", "options: {tolerence: 1e-8}", "tolerence.*did you mean '?(--)?tolerance'?")
        self.change("options: {to: 1 s}", "options: {too: 1 s}", "too")
        self.change("options: {to: 1 s}", "options: {to: 1 m}", "'?to'?|length")
        self.change("options: {to: 1 s}", "options: {method: lagrang}", "lagrang.*did you mean|lagrange")
        self.change("options: {to: 1 s}", "options: {multipliers: 3}", "multipliers")

    def test_options_that_name_files_or_what_is_printed(self):
        for key, value in (("out", "x"), ("svg", "x.svg"), ("frames", "x.gltf"), ("json", "true"), ("quiet", "true"), ("only", "arm"),
                           ("units", "model"), ("record", "r.csv"),
                           ("at", "1"), ("view", "front"), ("title", "x"), ("motion", "m.csv"), ("set", "k=2"), ("resume", "true")):
            self.change("options: {to: 1 s}", f"options: {{{key}: {value}}}", key)

    def test_options_of_another_command(self):
        self.change("options: {to: 1 s}", "options: {modes: 3}", "modes")
        for key in ("follow", "hold"):
            study = RANDOM.replace("analysis: statics", f"analysis: statics\noptions: {{{key}: 'k=1..2'}}")
            self.told(study, 4, key)


class Collect(Bad):
    def test_expressions(self):
        for wrong, pattern, column in (("max(moto.effort)", "'moto|motor'?", None), ("maxx(motor.effort)", "maxx.*did you mean", None),
                                       ("max(motor.effort", "", None), ("max()", "", None),
                                       ("at(motor.effort)", "at", None), ("percentile(motor.effort)", "percentile", None),
                                       ("percentile(motor.effort, 101)", "100|101", None),
                                       ("mean(motor.effort, 2)", "mean", None), ("max(max(motor.effort))", "", None),
                                       ("max(motor.effort) + nobody", "nobody", None),
                                       ("max(nobody.resultant)", "nobody", None), ("max(motor.effort + 1[m])", "length|torque", None),
                                       ("max(motor.effort) + 1[kg]", "mass|torque", None),
                                       ("drives.motr.rms", "motr", None), ("drives.motor.rmss", "rmss", None),
                                       ("motor.effort", "max|samples|function", None), ("at(motor.effort, 3[m])", "length|time", None)):
            self.change('top: "max(motor.effort)"', f'top: "{wrong}"', pattern, column=column)

    def test_limits(self):
        for wrong, pattern in (("<= 900 kN", "force|torque"), ("900 N.m", "<=|>="), ("<= much", "much|number"), ("<= 9 lbs", "lbs"), ("", ""),
                               ("=< 9 N.m", "=<|<=")):
            self.change('top: "max(motor.effort)"', f'top: {{value: "max(motor.effort)", limit: "{wrong}"}}', pattern)
        self.change('top: "max(motor.effort)"', 'top: {limit: "<= 1 N.m"}', "value")

    def test_names(self):
        self.change('top: "max(motor.effort)"', '9top: "max(motor.effort)"', "9top")
        for name in ("m", "variant", "status"):                            # columns of the table already
            self.change('top: "max(motor.effort)"', f'{name}: "max(motor.effort)"', name)

    def test_an_empty_list(self):
        self.refused(GOOD.replace('collect:\n  top: "max(motor.effort)"\n', "collect: {}\n"))
        self.refused(GOOD.replace("vary:\n  m: [1 kg, 2 kg]\n", "vary: {}\n"))


class Together(Bad):
    def test_several_mistakes_at_once(self):
        done = self.refused("""study: 1
model: arm.yaml
analysis: inverse
options: {too: 1 s, tolerance: 1e-8}
vary:
  mm: [1 kg]
  L: {normal: [1 m, -1 mm]}
  w: [1 kg]
samples: 0
kep: none
collect:
  top: "max(moto.effort)"
  low: {value: "min(motor.effort)", limit: "<= 3 kg"}
""")
        lines = [m.line for m in done.errors]
        for line in (4, 6, 7, 8, 9, 10, 12, 13):
            self.assertIn(line, lines, done.said())
        self.assertEqual(lines, sorted(lines), "in the order of the file")
        self.assertTrue(all(os.path.basename(m.file) == "study.yaml" and m.column > 0 for m in done.errors))

    def test_the_study_is_named_as_it_was_called(self):
        os.makedirs(self.path("sub"))
        self.write("sub/s.yaml", GOOD.replace("study: 1", "study: 2").replace("arm.yaml", "../arm.yaml"))
        done = self.study(None, name="sub/s.yaml", code=2)
        self.assertEqual(done.errors[0].file, "sub/s.yaml")


class CommandLine(Bad):
    def test_parts(self):
        for wrong in ("17/16", "0/4", "-1/4", "3", "a/b", "1/0", "1/2/3", "1.5/2", ""):
            done = self.refused(GOOD, "--part", wrong)
            self.assertIn("part", done.err, wrong)

    def test_options(self):
        self.assertRegex(self.refused(GOOD, "--thread", "2").err, "did you mean '?--threads'?|--threads")
        self.refused(GOOD, "--threads", "0")
        self.refused(GOOD, "--threads", "many")
        self.refused(GOOD, "--set", "m=1 kg")
        self.refused(GOOD, "--part", "1/2", "--merge")
        self.write("study.yaml", GOOD)
        for flags in (["--part", "1/2"], ["--merge"], ["--resume"]):       # these want --out
            done = cli.limited([cli.BINARY, "study", "study.yaml", *flags], cwd=self.folder, capture_output=True)
            self.assertEqual(done.returncode, 2, flags)
            self.assertIn(b"--out", done.stderr)
        self.assertEqual(cli.limited([cli.BINARY, "study"], cwd=self.folder, capture_output=True).returncode, 2)

    def test_a_model_is_no_study(self):
        done = self.study(None, name="arm.yaml", code=2)
        self.assertIn("study", done.err)

    def test_merge_of_nothing(self):
        done = self.study(GOOD, "--merge", code=None)
        self.assertIn(done.code, (1, 2))
        self.assertTrue(done.err.strip())

    def test_help(self):
        out = cli.limited([cli.BINARY, "help", "study"], capture_output=True).stdout.decode()
        for option in ("--threads", "--resume", "--part", "--merge", "--extend", "--stop-on-failure", "--yes"):
            self.assertIn(option, out)
        self.assertIn("study", cli.limited([cli.BINARY, "help"], capture_output=True).stdout.decode())


if __name__ == "__main__":
    main()
