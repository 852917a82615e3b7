#!/usr/bin/python3
"""Studies: each row is what the program gives by itself with --set, to the last bit; the values of grids, tables and random designs; the
quantities of `collect`, their units, limits and verdicts; the statistics of study.json.

Designs are compared with scipy.stats (qmc.Sobol, ppf of distributions, Kolmogorov and Smirnov), aggregates with numpy on series.csv.
Folders, journals, parts and ranks are in study_files_test.py, wrong studies in study_bad_input_test.py.
"""
import json
import math
import os
import sys

import numpy as np
from scipy import stats

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "py"))
import cli              # noqa: E402
from study import Studies, main, SEED, ARM, bare, cubic, wilson  # noqa: E402

STATIC = {"model": "arm.yaml", "analysis": "statics", "collect": {"torque": "motor.effort"}}
# model, analysis, options, two parameters with ranges around their values
MACHINES = [
    ("press/press.yaml", "inverse", {"to": "0.6 s", "step": "20 ms"}, {"rod_length": ("650 mm", "750 mm"), "air": ("15 kN", "25 kN")}),
    ("planetary/planetary.yaml", "inverse", {"to": "50 ms"}, {"n": ("1000 rpm", "2000 rpm"), "load": ("300 N.m", "500 N.m")}),
    ("engine/engine.yaml", "inverse", {"to": "20 ms"}, {"rod_length": ("130 mm", "160 mm"), "n": ("2000 rpm", "4000 rpm")}),
    ("shaper/shaper.yaml", "inverse", {"to": "0.3 s"}, {"crank": ("120 mm", "150 mm"), "strokes": ("30 rpm", "50 rpm")}),
    ("slider3d/slider3d.yaml", "inverse", {"to": "0.1 s"}, {"throw": ("60 mm", "90 mm"), "cut": ("100 N", "200 N")}),
    ("suspension/suspension.yaml", "statics", {}, {"payload": ("0 kg", "200 kg"), "rate": ("60 N/mm", "80 N/mm")}),
    ("door/compliant.yaml", "inverse", {"step": "0.1 s"}, {"lift": ("0 mm", "1 mm"), "width": ("0.8 m", "1 m")}),
    ("launcher/launcher.yaml", "simulate", {}, {"pressed": ("50 mm", "70 mm"), "k": ("3 N/mm", "5 N/mm")}),
]
DESIGNS = ("grid", "latin", "sobol", "monte-carlo")


def flags(options):
    return [x for key, value in options.items() for x in ("--" + key, value)]


class Alone(Studies):
    """Row k and the program by itself."""

    def compare(self, machine, design, threads=2):
        path, analysis, options, ranges = machine
        self.example(path.split("/")[0])
        base = cli.run([analysis, path, *flags(options)], cwd=self.folder)
        self.assertEqual(base.code, 0, base.said())
        finite = [c for c in base.series if np.isfinite(base.series[c]).all() and base.marks[c] != "free"]
        names = [c for c in finite if c.split(".")[-1] in ("Fx", "Fy", "Fz", "Tx", "Ty", "Tz", "effort")][:4]
        names += [c for c in base.result["outputs"] if c in finite][:2]
        one_state = analysis == "statics"
        calls = ("",) if one_state else ("max", "min", "first", "last", "argmax")
        collect = {f"{call or 'at'}{i}": f"{call}({name})" if call else name for i, name in enumerate(names) for call in calls}
        vary = {n: ({"from": a, "to": b, "steps": 2} if design == "grid" else {"uniform": [a, b]}) for n, (a, b) in ranges.items()}
        done = self.study({"model": path, "analysis": analysis, "options": options, "vary": vary, "collect": collect, "design": design,
                           **({} if design == "grid" else {"samples": 4, "seed": SEED})}, "--threads", threads)
        self.assertEqual(len(done.table), 4)
        for row in range(4):
            alone = self.alone(done.table, row, ranges, path, analysis, *flags(options))
            self.assertEqual(alone.code, 0, alone.said())
            for i, name in enumerate(names):
                x, t = alone.series[name], alone.time
                want = {"": x[0], "first": x[0], "last": x[-1], "max": np.nanmax(x), "min": np.nanmin(x), "argmax": t[np.nanargmax(x)]}
                for call in calls:
                    self.assertEqual(done.table[f"{call or 'at'}{i}"][row], want[call], f"{path} {design}, row {row + 1}: {call}({name})")

    def test_machines(self):
        """each machine with one design"""
        for i, machine in enumerate(MACHINES):
            with self.subTest(machine[0]):
                self.compare(machine, DESIGNS[(i + i // 4) % 4])

    @cli.long
    def test_machines_with_every_design(self):
        for machine in MACHINES:
            for design in DESIGNS:
                with self.subTest(machine[0], design=design):
                    self.compare(machine, design, threads=1)

    def test_coordinates(self):
        """joint coordinates to the last bit, natural ones to rounding"""
        for coordinates, most in (("joint", 0), ("absolute", 0), ("natural", 1e-9)):
            done = self.study({"model": "four.yaml", "analysis": "inverse", "options": {"coordinates": coordinates, "step": "50 ms"},
                               "vary": {"b": ["290 mm", "300 mm", "310 mm"], "m": ["1 kg", "2 kg"]},
                               "collect": {"top": "max(motor.effort)", "pin": "min(C.Fx)", "swing": "max(swing)"}})
            for row in range(6):
                alone = self.alone(done.table, row, ("b", "m"), "four.yaml", "inverse", "--coordinates", coordinates, "--step", "50 ms")
                for name, want in (("top", alone.series["motor.effort"].max()), ("pin", alone.series["C.Fx"].min()), ("swing", alone.series["swing"].max())):
                    self.near(done.table[name][row], want, most * abs(want), f"{coordinates}: {name} of row {row + 1}")

    def test_rows_that_change_what_is_compiled(self):
        """a compliance that is 0 or not, a mass that is 0 or not: the next row is not that of the one before"""
        self.example("door")
        for path, vary, name in (("door/compliant.yaml", {"c": [1e-6, 0, 2e-6, 0, 1e-6]}, "top.Fz"),
                                 ("arm.yaml", {"m": ["1 kg", "0 kg", "2 kg", "0 kg"]}, "motor.effort")):
            done = self.study({"model": path, "analysis": "inverse", "options": {"step": "0.2 s"}, "vary": vary, "collect": {"x": f"max({name})"}},
                              "--threads", 1, code=None)
            for row in range(len(done.table)):
                alone = self.alone(done.table, row, vary, path, "inverse", "--step", "0.2 s")
                self.assertEqual(done.table.texts("status")[row] == "done", alone.code == 0, f"{path}, row {row + 1}")
                if alone.code == 0:
                    self.assertEqual(done.table["x"][row], alone.series[name].max(), f"{path}, row {row + 1}")

    def test_a_parameter_that_another_one_is_computed_from(self):
        self.write("arm.yaml", ARM.replace("k: 1,", "k: 1, twice: 2*m,").replace("mass: m", "mass: twice"))
        done = self.study({**STATIC, "vary": {"m": ["1 kg", "2 kg"], "L": ["0.5 m", "1 m"]}})
        self.near(done.table["torque"], [2 * m * 9.81 * L for m in (1, 2) for L in (.5, 1)], 1e-12)

    def test_threads(self):
        for design in ("grid", "monte-carlo"):
            vary = {"b": {"from": "140 mm", "to": "320 mm", "steps": 10}, "m": {"from": "1 kg", "to": "2 kg", "steps": 3}}
            study = {"model": "four.yaml", "analysis": "inverse", "vary": vary, "design": design,
                     "collect": {"top": "max(abs(motor.effort))", "heat": "rms(motor.effort)"}}
            done = [self.study({**study, **({} if design == "grid" else {"samples": 30})}, "--threads", n, code=1, out=f"{design}{n}") for n in (1, 2, 4)]
            for n, other in zip((2, 4), done[1:]):
                self.same_files(f"{design}1", f"{design}{n}")


class Grid(Studies):
    """The values of parameters and their order."""

    def values(self, vary, **more):
        done = self.study({**STATIC, "vary": vary, **more})
        self.assertEqual(done.table.texts("variant"), [str(k + 1) for k in range(len(done.table))])
        return done.table

    def test_the_last_parameter_runs_fastest(self):
        t = self.values({"m": {"from": "1 kg", "to": "3 kg", "steps": 3}, "k": [1, 2], "L": ["200 mm", "300 mm"]})
        self.assertEqual(t.names[:4], ["variant", "m", "k", "L"])
        want = [(m, k, L) for m in (1, 2, 3) for k in (1, 2) for L in (.2, .3)]
        self.near(np.stack([t.si("m"), t.si("k"), t.si("L")], 1), want, 1e-15)
        self.near(t["torque"], [9.81 * m * L for m, _, L in want], 1e-12, "m g L")
        self.assertEqual(t.units["torque"], "N.m")
        self.assertIsNone(t.units["k"])

    def test_ranges(self):
        for vary, unit, want in (
                ({"from": "20 rpm", "to": "60 rpm", "steps": 41}, "rpm", np.arange(20, 61)),
                ({"from": "120 deg/s", "to": "60 rpm", "steps": 3}, "rpm", [20, 40, 60]),
                ({"from": "60 rpm", "to": "20 rpm", "steps": 3}, "rpm", [60, 40, 20]),
                ({"from": "10 rpm", "to": "1000 rpm", "steps": 3, "log": True}, "rpm", [10, 100, 1000]),
                ({"from": "20 rpm", "to": "60 rpm", "step": "10 rpm"}, "rpm", [20, 30, 40, 50, 60]),
                ({"from": "20 rpm", "to": "45 rpm", "step": "10 rpm"}, "rpm", [20, 30, 40]),
                ({"from": "0 rad/s", "to": "1 rad/s", "step": "0.1 rad/s"}, "rad/s", np.arange(11) / 10)):
            t = self.values({"w": vary})
            self.assertEqual(t.units["w"], unit, vary)
            self.near(t["w"], want, 1e-12 * np.max(want), str(vary))

    def test_bare_numbers_before_the_last_are_in_its_unit(self):
        self.near(self.values({"w": {"from": 20, "to": "60 rpm", "steps": 3}})["w"], [20, 40, 60], 1e-12)

    def test_lists_of_mixed_units(self):
        t = self.values({"L": ["80 mm", "9 cm", "0.1 m"]})
        self.near(t.si("L"), [.08, .09, .1], 1e-15)
        self.near(t["torque"], 2 * 9.81 * np.array([.08, .09, .1]), 1e-13)

    def test_tables(self):
        """rows of a file; the name under vary is free, or that of a parameter"""
        self.write("parts.csv", "# measured\nm [g];L [mm]\n1000;250\n2000;500\n4000;125\n")
        for vary in ({"parts": {"file": "parts.csv"}}, {"m": {"file": "parts.csv"}}):
            t = self.values(vary)
            self.near(t["torque"], 9.81 * np.array([.25, 1, .5]), 1e-12)
            self.assertEqual((t.units["m"], t.units["L"]), ("g", "mm"))
        t = self.values({"parts": {"file": "parts.csv"}, "k": [1, 2]})
        self.near(np.stack([t["m"], t["k"]], 1), [(m, k) for m in (1000, 2000, 4000) for k in (1, 2)], 0)

    def test_with(self):
        """moves along: it adds no variants"""
        t = self.values({"m": ["1 kg", "2 kg", "3 kg"], "L": {"with": "m", "values": ["100 mm", "300 mm", "200 mm"]}, "k": [1, 2]})
        self.assertEqual(len(t), 6)
        self.near(t.si("L"), np.repeat([.1, .3, .2], 2), 1e-15)
        t = self.values({"m": ["1 kg", "2 kg", "3 kg"], "L": {"with": "m", "from": "100 mm", "to": "500 mm"}})
        self.near(t.si("L"), [.1, .3, .5], 1e-15)

    def test_one_value_and_all_columns(self):
        t = self.values({"m": ["3 kg"]})
        self.assertEqual(t.names, ["variant", "m", "torque", "torque.verdict", "status", "verdict", "message"])
        self.assertEqual(t.rows[0][3:6], ["unique", "done", "unique"])

    def test_a_model_in_a_folder_and_json(self):
        """the model is beside the study, wherever the program runs; a study may be JSON"""
        os.makedirs(self.path("sub"))
        self.write("sub/model.yaml", ARM)
        self.write("sub/s.json", json.dumps({"study": 1, **STATIC, "model": "model.yaml", "vary": {"m": ["1 kg"]}}))
        self.near(self.study(None, name="sub/s.json").table["torque"], [9.81 / 2], 1e-13)
        ran = cli.limited([cli.BINARY, "study", "sub/s.json", "--json"], cwd=self.folder, capture_output=True)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        self.assertIn("torque", json.dumps(json.loads(ran.stdout)))


class Random(Studies):
    """latin, sobol, monte-carlo."""

    def draw(self, vary, samples, *more, names=None, **keys):
        self.write("bare.yaml", bare(names or [n for n in vary]))
        return self.study({"model": "bare.yaml", "analysis": "statics", "collect": {"x": "motor.effort"}, "vary": vary, "samples": samples, **keys},
                          *more).table

    def points(self, vary, samples, **keys):
        t = self.draw(vary, samples, **keys)
        return np.stack([t[n] for n in vary], 1)

    def test_sobol(self):
        """points 1 to N of scipy's sequence, to the last bit: ranges whose lengths are powers of two"""
        for d, n in ((1, 7), (4, 100), (20, 64)):
            names = [f"p{i}" for i in range(d)]
            got = self.points({p: {"uniform": [0, 2 ** (i % 3)]} for i, p in enumerate(names)}, n, design="sobol", seed=SEED)
            want = stats.qmc.Sobol(d, scramble=False).random_base2(math.ceil(math.log2(n + 1)))[1:n + 1] * [2 ** (i % 3) for i in range(d)]
            self.near(got, want, 0, f"{d} dimensions")

    @cli.long
    def test_sobol_of_100_dimensions(self):
        names = [f"p{i}" for i in range(100)]
        got = self.points({p: {"uniform": [0, 1]} for p in names}, 255, design="sobol")
        self.near(got, stats.qmc.Sobol(100, scramble=False).random_base2(8)[1:], 0)

    def test_distributions(self):
        """each by the place that the Sobol point gives"""
        cases = {"a": ({"normal": [3, .5]}, lambda u: 3 + .5 * stats.norm.ppf(u)), "b": ({"triangle": [1, 2, 5]}, lambda u: stats.triang.ppf(u, .25, 1, 4)),
                 "c": ({"from": 1, "to": 100, "steps": 5, "log": True}, lambda u: 100**u), "d": ({"from": 2, "to": 10, "steps": 3}, lambda u: 2 + 8 * u),
                 "e": ([5, 7, 11], lambda u: np.array([5, 7, 11])[(3 * u).astype(int)]), "f": ({"uniform": [-1, 1]}, lambda u: 2 * u - 1)}
        got = self.draw({n: c[0] for n, c in cases.items()}, 200, design="sobol")
        u = stats.qmc.Sobol(len(cases), scramble=False).random_base2(8)[1:201]
        for i, (name, (_, f)) in enumerate(cases.items()):
            want = f(u[:, i])
            self.near(got[name], want, 2e-14 * np.maximum(np.abs(want), 1), name)

    def test_units_are_those_of_the_last_number(self):
        done = self.study({**STATIC, "vary": {"L": {"normal": ["50 cm", "2 mm"]}, "m": {"triangle": ["0.9 kg", "1 kg", "1100 g"]}}, "design": "sobol",
                           "samples": 31})
        u = stats.qmc.Sobol(2, scramble=False).random_base2(5)[1:]
        self.assertEqual((done.table.units["L"], done.table.units["m"]), ("mm", "g"))
        self.near(done.table["L"], 500 + 2 * stats.norm.ppf(u[:, 0]), 1e-11)
        self.near(done.table["m"], stats.triang.ppf(u[:, 1], .5, 900, 200), 1e-10)
        self.near(done.table["torque"], 9.81 * done.table.si("L") * done.table.si("m"), 1e-12)

    def test_with_is_at_the_same_place(self):
        for design in ("sobol", "monte-carlo", "latin"):
            t = self.draw({"a": {"uniform": [0, 1]}, "b": {"with": "a", "normal": [0, 1]}, "c": {"with": "a", "uniform": [10, 14]}}, 50, design=design)
            self.near(t["b"], stats.norm.ppf(t["a"]), 1e-12 / np.minimum(t["a"], 1 - t["a"]), design)
            self.near(t["c"], 10 + 4 * t["a"], 1e-14)

    def test_tables_are_drawn_by_rows(self):
        self.write("parts.csv", "a,b\n" + "".join(f"{k},{k * k}\n" for k in range(1, 5)))
        for design in ("latin", "sobol", "monte-carlo"):
            t = self.draw({"parts": {"file": "parts.csv"}}, 400, names=("a", "b"), design=design)
            self.near(t["b"], t["a"]**2, 0)
            counts = [int((t["a"] == k).sum()) for k in range(1, 5)]
            self.assertGreater(stats.chisquare(counts).pvalue, 1e-4, f"{design}: {counts}")
            if design == "latin":
                self.assertEqual(counts, [100] * 4)

    def test_latin_takes_each_slice_once(self):
        for n in (1, 10, 97):
            t = self.draw({"a": {"uniform": [0, 1]}, "b": {"uniform": [0, 1]}, "c": {"normal": [0, 1]}}, n, design="latin", seed=SEED)
            for u in (t["a"], t["b"], stats.norm.cdf(t["c"])):
                self.assertEqual(sorted((u * n).astype(int)), list(range(n)))
            if n > 10:
                self.assertNotEqual(list(np.argsort(t["a"])), list(np.argsort(t["b"])))

    def test_variants_depend_on_seed_number_and_place_alone(self):
        a, b, c = ({n: {"uniform": [0, 1]} for n in names} for names in ("pq", "pqr", "uv"))
        first = self.points(a, 20, design="monte-carlo", seed=5)
        self.near(self.points(a, 50, design="monte-carlo", seed=5)[:20], first, 0, "N")
        self.near(self.points(b, 20, design="monte-carlo", seed=5)[:, :2], first, 0, "one more parameter")
        self.near(self.points(c, 20, design="monte-carlo", seed=5), first, 0, "other names")
        self.assertFalse((self.points(a, 20, design="monte-carlo", seed=6) == first).any())
        self.near(self.points(a, 20, design="monte-carlo"), self.points(a, 20, design="monte-carlo", seed=1), 0, "1 is the default")
        self.near(self.points(a, 20, design="sobol", seed=5), self.points(a, 20, design="sobol", seed=6), 0, "sobol has no seed")
        self.assertFalse((self.points(a, 20, design="latin", seed=5) == self.points(a, 20, design="latin", seed=6)).all())

    def test_monte_carlo_is_the_default_where_something_is_random(self):
        vary = {"p": {"uniform": [0, 1]}, "q": [1, 2]}
        self.near(self.points(vary, 10), self.points(vary, 10, design="monte-carlo"), 0)

    def test_uniform_and_independent(self):
        n = 2000
        for seed in (1, 2, 2**31 + 7):
            for design in ("monte-carlo", "latin"):
                t = self.draw({"a": {"uniform": [0, 1]}, "b": {"uniform": [0, 1]}, "c": {"normal": [0, 1]}, "d": {"triangle": [0, 1, 4]}}, n,
                              design=design, seed=seed)
                u = [t["a"], t["b"], stats.norm.cdf(t["c"]), stats.triang.cdf(t["d"], .25, 0, 4)]
                for x, name in zip(u, "abcd"):
                    self.assertGreater(stats.kstest(x, "uniform").pvalue, 1e-4, f"{design} {seed}: {name}")
                    self.assertLess(abs(np.corrcoef(x[1:], x[:-1])[0, 1]), 4.5 / math.sqrt(n), "one after the other")
                far = np.abs(np.corrcoef(u) - np.eye(4)).max()
                self.assertLess(far, 4.5 / math.sqrt(n), f"{design} {seed}")
                self.assertTrue(np.all((t["a"] > 0) & (t["a"] < 1)))

    def test_correlations(self):
        """of normal scores, whatever the distributions; each by itself stays as it was"""
        n = 4000
        want = np.array([[1, .6, -.3], [.6, 1, 0], [-.3, 0, 1]])
        vary = {"a": {"normal": [5, 2]}, "b": {"uniform": [0, 1]}, "c": {"triangle": [0, 1, 4]}}
        for design in ("monte-carlo", "latin", "sobol"):
            t = self.draw(vary, n, design=design, seed=3, correlate="{[a, b]: 0.6, [a, c]: -0.3}")
            u = [stats.norm.cdf(t["a"], 5, 2), t["b"], stats.triang.cdf(t["c"], .25, 0, 4)]
            for x in u:
                self.assertGreater(stats.kstest(x, "uniform").pvalue, 1e-4, design)
            got = np.corrcoef([stats.norm.ppf(np.clip(x, 1e-12, 1 - 1e-12)) for x in u])
            self.near(got, want, 4.5 * (1 - want**2 + 1e-12) / math.sqrt(n) + 1e-9, design)

    def test_the_means_of_a_closed_form(self):
        """m g L of two independent parameters: mean and sigma within three and a half standard errors"""
        n = 3000
        done = self.study({**STATIC, "vary": {"m": {"normal": ["2 kg", "0.1 kg"]}, "L": {"uniform": ["0.4 m", "0.6 m"]}}, "samples": n})
        q, s2 = done.of("torque"), .04 / 12
        sigma = 9.81 * math.sqrt((4 + .01) * (.25 + s2) - 4 * .25)
        self.near(done.table["torque"], 9.81 * done.table.si("m") * done.table.si("L"), 1e-12)
        self.assertLess(abs(q.mean() - 9.81), 3.5 * sigma / math.sqrt(n))
        self.assertLess(abs(q.sigma() / sigma - 1), 3.5 / math.sqrt(2 * n))


class Collect(Studies):
    """Aggregates, expressions of them, paths of result.json, units, limits, verdicts."""

    def test_every_aggregate(self):
        x = "motor.effort"
        collect = {"most": f"max({x})", "least": f"min({x})", "mean1": f"mean({x})", "heat": f"rms({x})", "begin": f"first({x})", "end": f"last({x})",
                   "when": f"argmax({x})", "width": f"range({x})", "area": f"integral({x})", "here": f"at({x}, 0.345)", "sample": f"at({x}, 0.3)",
                   "p95": f"percentile({x}, 95)", "p12": f"percentile({x}, 12.5)", "many": f"count({x} > 5[N.m])", "few": f"count({x} > 0 and t < 0.5[s])",
                   "size": f"max(abs({x}))", "power": f"max({x}*pin.angle')", "bound": f"mean(max({x}, 0))", "own": "max(height)", "turns": "last(turn)",
                   "force": "max(pin.resultant)", "spread": f"max(max({x}), -min({x}))", "share": f"max({x})/(m*9.81[m/s^2]*L)", "inner": f"max({x}/k)",
                   "both": f"rms({x})*2 + mean({x})"}
        for step in ("30 ms", "25 ms"):                                    # the first is no divisor of 1 s
            done = self.study({"model": "arm.yaml", "analysis": "inverse", "options": {"step": step},
                               "vary": {"m": ["1 kg", "3 kg"], "w": ["30 rpm", "70 rpm"], "k": [1, 2]}, "collect": collect})
            got = done.table
            for row in range(len(got)):
                run = self.alone(got, row, ("m", "w", "k"), "arm.yaml", "inverse", "--step", step)
                t, y, r = run.time, run.series[x], run.result
                m, k = got.si("m")[row], got["k"][row]
                exact = {"most": y.max(), "least": y.min(), "begin": y[0], "end": y[-1], "when": t[y.argmax()], "width": y.max() - y.min(),
                         "many": (y > 5).sum(),
                         "few": ((y > 0) & (t < .5)).sum(), "size": np.abs(y).max(), "own": run.series["height"].max(), "turns": run.series["turn"][-1],
                         "spread": max(y.max(), -y.min()), "inner": (y / k).max(),
                         "force": r["reactions"]["pin"]["resultant"]["max"]}
                for name, want in exact.items():
                    self.assertEqual(got[name][row], want, f"step {step}, row {row + 1}: {collect[name]}")
                T, heat, mean = t[-1] - t[0], math.sqrt(cubic(t, y * y) / (t[-1] - t[0])), cubic(t, y) / (t[-1] - t[0])
                self.near(got["heat"][row], r["drives"]["motor"]["rms"], 1e-14 * heat)
                near = {"mean1": mean, "heat": heat, "area": mean * T, "here": cubic(t, y, .345), "sample": cubic(t, y, .3), "p95": np.percentile(y, 95),
                        "p12": np.percentile(y, 12.5), "bound": cubic(t, np.maximum(y, 0)) / T, "share": y.max() / (m * 9.81 * .5), "both": 2 * heat + mean,
                        "force": np.hypot(run.series["pin.Fx"], run.series["pin.Fy"]).max()}
                for name, want in near.items():
                    self.near(got[name][row], want, 1e-9 * max(abs(want), 1e-3 * heat), f"step {step}, row {row + 1}: {collect[name]}")
                rate = np.gradient(run.series["turn"], t, edge_order=2)
                self.near(got["power"][row], (y * rate).max(), .05 * abs(y * rate).max(), "power, by differences")
        units = {"most": "N.m", "when": "s", "area": "N.m.s", "many": None, "own": "m", "turns": "rad", "force": "N", "share": None, "heat": "N.m",
                 "p95": "N.m", "here": "N.m"}
        for name, unit in units.items():
            if name == "area":                                             # however it is composed
                self.assertTrue(done.table.units[name])
                continue
            self.assertIn(done.table.units[name], (unit, unit or "1", unit or ""), name)

    def test_places_of_at_with_units(self):
        """as in other expressions: 0.3, 0.3[s], 300[ms]"""
        t = self.study({"model": "arm.yaml", "analysis": "inverse", "vary": {"m": ["1 kg"]},
                        "collect": {"a": "at(motor.effort, 0.3)", "b": "at(motor.effort, 0.3[s])", "c": "at(motor.effort, 300[ms])"}}).table
        self.near((t["b"][0], t["c"][0]), (t["a"][0], t["a"][0]), 1e-12 * abs(t["a"][0]))

    def test_resultants_and_reactions_in_space(self):
        self.example("slider3d")
        done = self.study({"model": "slider3d/slider3d.yaml", "analysis": "inverse", "options": {"to": "0.1 s"}, "vary": {"cut": ["100 N", "200 N"]},
                           "collect": {"f": "max(main.resultant)", "l": "min(main.resultant)", "tq": "max(cross_torque)", "m": "mean(main.resultant)"}})
        for row in range(2):
            run = self.alone(done.table, row, ("cut",), "slider3d/slider3d.yaml", "inverse", "--to", "0.1 s")
            self.assertEqual(done.table["f"][row], run.result["reactions"]["main"]["resultant"]["max"])
            self.assertEqual(done.table["l"][row], run.result["reactions"]["main"]["resultant"]["min"])
            self.assertEqual(done.table["tq"][row], run.series["cross_torque"].max())
            F = np.sqrt(sum(run.series[f"main.F{c}"]**2 for c in "xyz"))
            want = cubic(run.time, F) / (run.time[-1] - run.time[0])
            self.near(done.table["m"][row], want, 1e-9 * want)

    def test_paths(self):
        """scalars of result.json, by analyses with and without samples"""
        for name in ("door", "suspension"):
            self.example(name)
        done = self.study({"model": "arm.yaml", "analysis": "inverse", "vary": {"m": ["1 kg", "2 kg"]},
                           "collect": {"rms": "drives.motor.rms", "peak": "drives.motor.peak_power", "most": "drives.motor.max",
                                       "double": "2*drives.motor.rms", "n": "mobility.redundant"}})
        for row in range(2):
            d = self.alone(done.table, row, ("m",), "arm.yaml").result["drives"]["motor"]
            self.assertEqual([done.table[n][row] for n in ("rms", "peak", "most", "double", "n")], [d["rms"], d["peak_power"], d["max"], 2 * d["rms"], 0])
        done = self.study({"model": "door/door.yaml", "analysis": "check", "vary": {"high": ["1.8 m", "1.9 m"]},
                           "collect": {"n": "mobility.redundant", "rank": "mobility.rank"}})
        self.near(np.stack([done.table["n"], done.table["rank"]], 1), [[5, 6]] * 2, 0)
        done = self.study({"model": "suspension/suspension.yaml", "analysis": "modes", "vary": {"payload": ["0 kg", "100 kg"]},
                           "collect": {"f": "modes[0].frequency", "z": "modes[0].damping"}})
        for row in range(2):
            mode = self.alone(done.table, row, ("payload",), "suspension/suspension.yaml", "modes").result["modes"][0]
            self.assertEqual((done.table["f"][row], done.table["z"][row]), (mode["frequency"], mode["damping"]))

    def test_one_state(self):
        """a text without an aggregate is the value at the state"""
        done = self.study({"model": "arm.yaml", "analysis": "statics", "vary": {"m": ["1 kg", "2 kg"], "L": ["0.5 m", "1 m"]},
                           "collect": {"torque": "motor.effort", "force": "pin.Fy", "up": "pin.resultant", "ratio": "motor.effort/pin.Fy",
                                       "most": "max(motor.effort)"}})
        m, L = np.repeat([1, 2], 2), np.tile([.5, 1], 2)
        for name, want in (("torque", m * L * 9.81), ("force", m * 9.81), ("up", m * 9.81), ("ratio", L), ("most", m * L * 9.81)):
            self.near(done.table[name], want, 1e-12, name)
        done = self.study({"model": "four.yaml", "analysis": "assemble", "vary": {"b": ["280 mm", "300 mm"]}, "collect": {"s": "swing", "c": "C.angle"}})
        for row in range(2):
            self.assertEqual(done.table["s"][row], self.alone(done.table, row, ("b",), "four.yaml", "assemble").series["swing"][0])

    def test_what_an_analysis_does_not_compute_is_empty(self):
        done = self.study({"model": "four.yaml", "analysis": "kinematics", "vary": {"b": ["280 mm", "300 mm"]},
                           "collect": {"top": "max(motor.effort)", "swing": "max(swing)"}})
        self.assertEqual(done.table.texts("top"), ["", ""])
        self.assertEqual(done.table.texts("status"), ["done", "done"])
        for row in range(2):
            self.assertEqual(done.table["swing"][row], self.alone(done.table, row, ("b",), "four.yaml", "kinematics").series["swing"].max())

    def test_verdicts(self):
        """two hinges: their forces are not unique, their sum and the hand's effort are; the row has the worst"""
        self.example("door")
        collect = {"hinge": "max(bottom.Fz)", "hand": "max(hand.effort)", "sum": "max(weight)", "mixed": "max(bottom.Fz) + max(hand.effort)",
                   "force": "max(top.resultant)"}
        want = {"hinge": "not unique", "hand": "unique", "sum": "unique", "mixed": "not unique", "force": "not unique"}
        study = {"model": "door/door.yaml", "analysis": "inverse", "options": {"step": "0.2 s"}, "vary": {"width": ["0.8 m", "0.9 m"]}, "collect": collect}
        done = self.study(study)
        for name, verdict in want.items():
            self.assertEqual(done.table.texts(f"{name}.verdict"), [verdict] * 2, name)
        self.assertEqual(done.table.texts("verdict"), ["not unique"] * 2)
        done = self.study({**study, "collect": {"sum": "max(weight)", "hand": "max(hand.effort)"}})
        self.assertEqual(done.table.texts("verdict"), ["unique"] * 2)
        done = self.study({**study, "collect": {"hinge": {"value": "max(bottom.Fz)", "limit": "<= 1 kN"}}}, quiet=False)
        self.assertIn("not unique", done.err, "a limit on what is not unique is warned of")

    def test_compliances_are_a_verdict_of_their_own(self):
        self.example("door")
        done = self.study({"model": "door/compliant.yaml", "analysis": "statics", "vary": {"lift": ["0 mm", "0.2 mm"]}, "collect": {"top": "top.Fz"}})
        self.assertEqual(done.table.texts("top.verdict"), ["compliance"] * 2)
        self.near(np.abs(np.diff(done.table["top"])), [100], 1e-6, "the lift over both compliances")


class Statistics(Studies):
    """study.json, computed again from study.csv."""

    STUDY = {**STATIC, "vary": {"m": {"normal": ["2 kg", "0.2 kg"]}, "L": {"uniform": ["0.4 m", "0.6 m"]}}, "samples": 200, "seed": SEED,
             "collect": {"torque": {"value": "motor.effort", "limit": "<= 10.5 N.m"}, "force": {"value": "pin.Fy", "limit": ">= 17 N"}}}

    def test_moments_and_percentiles(self):
        done = self.study(self.STUDY)
        self.assertEqual(set(done.of("torque").percentiles()) >= {5, 50, 95}, True, done.of("torque").percentiles())
        for name in ("torque", "force"):
            x, q, n = done.table[name], done.of(name), 200
            self.assertEqual(q.count(), n)
            self.near(q.mean(), x.mean(), 1e-12 * abs(x.mean()))
            s = x.std(ddof=1)
            self.near(q.sigma(), s, 1e-10 * s)
            half = stats.t.ppf(.975, n - 1) * s / math.sqrt(n)
            self.near(q.mean_interval(), (x.mean() - half, x.mean() + half), 1e-9 * abs(x.mean()), "Student")
            self.near(q.sigma_interval(), tuple(s * math.sqrt((n - 1) / stats.chi2.ppf(p, n - 1)) for p in (.975, .025)), 1e-8 * s, "chi squared")
            for p, value in q.percentiles().items():
                self.near(value, np.percentile(x, p), 1e-12 * abs(x.mean()), f"percentile {p}")
            self.assertEqual(q.extreme("least"), (x.min(), x.argmin() + 1))
            self.assertEqual(q.extreme("largest"), (x.max(), x.argmax() + 1))
            for p in ("m", "L"):
                self.near(q.correlation(p), np.corrcoef(done.table[p], x)[0, 1], 1e-10, f"correlation with {p}")

    def test_limits(self):
        done = self.study(self.STUDY)
        for name, over in (("torque", done.table["torque"] > 10.5), ("force", done.table["force"] < 17)):
            number, interval = done.of(name).over()
            self.assertTrue(0 < over.sum() < 200)
            self.assertEqual(number, over.sum(), name)
            self.near(interval, wilson(number, 200), 1e-9, name)

    def test_few_variants_and_other_designs(self):
        """intervals are of monte-carlo alone; of two variants they are wide"""
        for design in ("latin", "sobol"):
            q = self.study({**self.STUDY, "design": design}).of("torque")
            self.assertFalse(q.has_intervals(), design)
        done = self.study({**self.STUDY, "samples": 2})
        x, q = done.table["torque"], done.of("torque")
        half = 12.706204736174698 * x.std(ddof=1) / math.sqrt(2)           # t of one degree of freedom, at 97.5 %
        self.near(q.mean_interval(), (x.mean() - half, x.mean() + half), 1e-9 * half)
        self.assertEqual(self.study({**self.STUDY, "samples": 1}).of("torque").count(), 1)

    def test_failed_variants_do_not_count(self):
        done = self.study({"model": "four.yaml", "analysis": "inverse", "vary": {"b": ["150 mm", "290 mm", "300 mm"]},
                           "collect": {"top": "max(motor.effort)"}}, code=1)
        self.assertEqual(done.of("top").count(), 2)
        self.near(done.of("top").mean(), done.table["top"][1:].mean(), 1e-12)
        self.assertEqual(done.of("top").extreme("largest")[1], np.nanargmax(done.table["top"]) + 1)

    def test_the_definition_and_the_line_on_the_terminal(self):
        done = self.study(self.STUDY)
        whole = json.dumps(done.document)
        for part in ("arm.yaml", "statics", "motor.effort", "0.2"):
            self.assertIn(part, whole)
        self.assertIn("run", done.document)
        out = cli.limited([cli.BINARY, "study", "study.yaml"], cwd=self.folder, capture_output=True).stdout.decode()
        self.assertRegex(out, r"200 variants of 2 parameters: (all|200) done")
        over = int((done.table["torque"] > 10.5).sum())
        self.assertRegex(out, r"torque +N\.m ")
        self.assertGreater(over, 0)

    def test_json(self):
        """study.json on standard output, nothing else there"""
        done = self.study(self.STUDY)
        printed = json.loads(cli.limited([cli.BINARY, "study", "study.yaml", "--json"], cwd=self.folder, capture_output=True).stdout)
        for document in (printed, done.document):
            document.pop("run")
        self.assertEqual(printed, done.document)

    def test_schema(self):
        import jsonschema
        schema = json.loads(cli.limited([cli.BINARY, "schema", "study"], capture_output=True).stdout)
        jsonschema.Draft202012Validator.check_schema(schema)
        good = {"study": 1, **self.STUDY, "options": {"tolerance": 1e-8}, "keep": "failed"}
        jsonschema.validate(good, schema)
        for bad in ({"vary": None}, {"analysis": "invers"}, {"keep": "all"}, {"sample": 3}, {"study": "one"}):
            with self.assertRaises(jsonschema.ValidationError, msg=str(bad)):
                jsonschema.validate({**good, **bad}, schema)


if __name__ == "__main__":
    main()
