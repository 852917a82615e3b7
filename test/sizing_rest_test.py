#!/usr/bin/python3
"""Sizing, the rest of sizing_test.py: plain bearings, guides and screws, what every rated model keeps to (errors stated, commands
that agree, nothing else changed), and ratings that are wrong."""
import json
import math
import os
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "py"))
import cli              # noqa: E402
from sizing import *    # noqa: E402, F403


class Plain(Sizing):
    def check(self, s, F, w, mean_pw, most=1e-3):
        """F, |w| at the samples; the mean of F |w| over time"""
        A = .02 * .015
        for k, x, limit in (("p", F / A, 20e6), ("v", w * .01, 2), ("pv", F / A * w * .01, 1e6)):
            self.same(s[k], x.max(), 1e-9, k)
            self.same(s[k + "_share"], x.max() / limit, 1e-9, k + "_share")
        self.figure(s, "pv_mean", mean_pw / A * .01, most)
        self.figure(s, "wear_per_hour", 1e-15 * mean_pw / A * .01 * 3600, most)
        self.figure(s, "life", 1e-4 / (1e-15 * mean_pw / A * .01 * 3600), most)

    def test_a_pin_in_the_plane(self):
        m = rotors(({"plain": PLAIN}, ("3000 + 1000*sin(2*pi*t)", 0)), motion="3*t - 2*sin(2*pi*t)/(2*pi)", space="planar")
        s, t = self.sizing(m)["plain"]["j0"], np.linspace(0, 1, 101)
        F, w = 3000 + 1000 * np.sin(2 * np.pi * t), 3 - 2 * np.cos(2 * np.pi * t)
        self.check(s, F, w, 9000)
        self.same(s["p_at"], .25)
        self.same(s["v_at"], .5)
        self.figure(s, "p_mean", 1e7, 1e-6)
        self.figure(s, "v_mean", .03, 1e-5)

    def test_a_pin_of_a_linkage(self):
        s = self.sizing(engine(**RATED))["plain"]["crankpin"]
        f = self.ok(engine(False), "inverse", "--step", "0.01 ms").series
        F, w = np.hypot(f["crankpin.Fx"], f["crankpin.Fy"]), np.abs(f["wp"])
        self.check(s, F[::50], w[::50], over(f["time"], F * w) / .1, 1e-2)

    def test_a_rod_end(self):
        """a ball that carries 3-4-0 and 12 along z: 13 kN; turned by an angular velocity along z"""
        m = {"roberval": 1, "space": "spatial", "bodies": {"b": {"mass": 1, "inertia": [.1, .1, .1], "markers": {"B": [0, 0, 1]}}, "ground": {"markers": {"B": [0, 0, 1]}}},
             "joints": {"j": {"type": "spherical", "between": ["ground", "b"], "plain": PLAIN}, "k": {"type": "inline", "between": ["ground.B", "b.B"]}, "see": {"type": "free", "between": ["ground", "b"]}},
             "drives": {"d": {"coordinate": "see.rz", "motion": "0.5*t"}}, "loads": {"F": {"type": "force", "to": "b", "value": [3000, 4000, 12000]}}, "motion": {"from": 0, "to": 1, "step": .05}}
        s = self.sizing(m)["plain"]["j"]
        self.same(s["p"], 13000 / 3e-4)
        self.same(s["v"], .5 * .01)
        self.same(s["pv_mean"], 13000 / 3e-4 * .005)
        self.same(s["life"], 1e-4 / (1e-15 * 13000 / 3e-4 * .005 * 3600))
        s = self.sizing(m, "statics")["plain"]["j"]
        self.same(s["p"], 13000 / 3e-4)
        self.same(s["p_share"], 13000 / 3e-4 / 20e6)
        self.assertEqual((s["v"], s["pv"], s["life"]), (None, None, None))

    def test_limits_that_are_not_given_have_no_share(self):
        s = self.sizing(rotors(({"plain": {"diameter": "20 mm", "width": "15 mm", "p": "20 MPa"}}, (3000, 0)), space="planar"))["plain"]["j0"]
        self.same(s["p_share"], 10 / 20)
        self.assertEqual((s["v_share"], s["pv_share"], s["wear_per_hour"], s["life"]), (None,) * 4)


class Guides(Sizing):
    def test_in_the_plane(self):
        g = self.sizing(slide("planar"))["guides"]["g"]
        P, P0 = 300 + 25000 * 7 / 250, 300 + 40000 * 7 / 500
        for k, x in (("P0", P0), ("s0", 40000 / P0), ("P", P), ("L10", (25000 / P)**3 * 5e4)):
            self.same(g[k], x, 1e-9, k)
        self.figure(g, "travel", .8, 5e-3)
        self.figure(g, "L10h", (25000 / P)**3 * 5e4 / .8 / 3600, 5e-3)

    def test_in_space_with_rollers_and_a_factor(self):
        g = self.sizing(slide("spatial", guide={"rollers": True, "factor": 1.2, "per": "100 km"}, force=(-300, 400, 0)))["guides"]["g"]
        P = 1.2 * (700 + 25000 * (5 / 300 + 6 / 200 + 7 / 250))
        P0 = 1.2 * (700 + 40000 * (5 / 600 + 6 / 400 + 7 / 500))
        for k, x in (("P0", P0), ("s0", 40000 / P0), ("P", P), ("L10", (25000 / P)**(10 / 3) * 1e5)):
            self.same(g[k], x, 1e-9, k)
        self.same(self.sizing(slide("spatial", guide={"factor": 1.2}), "statics")["guides"]["g"]["s0"], 40000 / (1.2 * (300 + 40000 * (5 / 600 + 6 / 400 + 7 / 500))), 1e-9)

    def test_the_mean_is_over_the_path(self):
        m = slide("planar", motion="0.4*t + 0.1*t^2", force=(0, "300 + 600*t"), torque=(0, 0, 0))
        g = self.sizing(m)["guides"]["g"]
        path = simpson(lambda t: .4 + .2 * t, 0, 1)
        P = (simpson(lambda t: (300 + 600 * t)**3 * (.4 + .2 * t), 0, 1) / path)**(1 / 3)
        self.figure(g, "travel", path, 1e-9)
        self.figure(g, "P", P, 1e-6)
        self.figure(g, "L10", (25000 / P)**3 * 5e4, 1e-5)
        self.figure(g, "L10h", (25000 / P)**3 * 5e4 / path / 3600, 1e-5)

    def test_without_static_moment_ratings_there_is_no_s0_of_moments(self):
        m = slide("planar")
        del m["joints"]["g"]["guide"]["m0z"]
        g = self.sizing(m)["guides"]["g"]
        self.assertIsNone(g["s0"])
        self.same(g["P"], 300 + 25000 * 7 / 250)

    def test_a_ball_screw(self):
        """2 kN, then 4 kN while it turns the other way; C 20 kN"""
        m = {"roberval": 1, "space": "spatial", "bodies": {"n": {"mass": 1, "inertia": [.1, .1, .1]}, "s": {"mass": 1, "inertia": [.1, .1, .1]}},
             "joints": {"r": {"type": "revolute", "between": ["ground", "s"]}, "p": {"type": "prismatic", "between": ["ground", "n"]},
                        "w": {"type": "screw", "pitch": "5 mm", "between": ["s", "n"], "screw_life": {"C": "20 kN", "C0": "30 kN", "factor": 1.1}}},
             "drives": {"d": {"coordinate": "r.angle", "motion": "60*t"}}, "loads": {"F": {"type": "force", "to": "n", "value": [0, 0, "2000 + 2000*t"]}}, "motion": {"from": 0, "to": 1, "step": .01}}
        s = self.sizing(m)["screws"]["w"]                                     # Fz is unique, though what holds x y rx ry is not
        P = 1.1 * simpson(lambda t: (2000 + 2000 * t)**3, 0, 1)**(1 / 3)
        self.figure(s, "P", P, 1e-6)
        self.figure(s, "L10", (20000 / P)**3, 1e-5)
        self.figure(s, "turns", 60 / (2 * math.pi), 1e-9)
        self.figure(s, "L10h", (20000 / P)**3 * 1e6 / (60 / (2 * math.pi)) / 3600, 1e-5)
        self.same(s["P0"], 4400)
        self.same(s["s0"], 30000 / 4400)


class Everywhere(Sizing):
    def machine(self):
        return engine(**RATED)

    def test_halving_the_step_changes_every_figure_by_less_than_its_error(self):
        runs = [self.sizing(self.machine(), "inverse", "--step", f"{h} ms") for h in (.5, .25, .125)]
        for a, b in zip(runs, runs[1:]):
            for kind in a:
                for name, item in a[kind].items():
                    for k, error in item["errors"].items():
                        if k in ("P0", "peak", "p", "v", "pv"):
                            continue                                           # largest of samples: the next test
                        with self.subTest(f"{kind} {name} {k}"):
                            self.near(b[kind][name][k], item[k], error + 1e-12 * abs(item[k]), f"{kind} {name} {k}")

    def test_halving_the_step_changes_the_largest_by_less_than_its_error(self):
        a, b = (self.sizing(self.machine(), "inverse", "--step", f"{h} ms") for h in (.5, .25))
        for kind in a:
            for name, item in a[kind].items():
                for k in ("P0", "peak", "p", "v", "pv"):
                    if item.get(k) is not None and k in item["errors"]:
                        with self.subTest(f"{kind} {name} {k}"):
                            self.near(b[kind][name][k], item[k], item["errors"][k] + 1e-12 * abs(item[k]), f"{kind} {name} {k}")

    def test_the_errors_are_not_large_for_what_is_smooth(self):
        """0.125 ms, 800 samples of a turn: less than 1 % of each figure"""
        for kind, items in self.sizing(self.machine(), "inverse", "--step", "0.125 ms").items():
            for name, item in items.items():
                for k, error in item["errors"].items():
                    self.assertLessEqual(error, .01 * abs(item[k]), f"{kind} {name} {k} {item[k]}")

    def test_simulate_and_inverse_agree(self):
        m = self.machine()
        a, b = self.sizing(m), self.sizing(m, "simulate")
        self.compare(a, b, 1e-6)

    def compare(self, a, b, relative):
        for kind in a:
            self.assertEqual(list(a[kind]), list(b[kind]))
            for name, item in a[kind].items():
                self.assertEqual(item["verdict"], b[kind][name]["verdict"])
                for k in item["units"]:
                    x, y = item[k], b[kind][name][k]
                    self.assertEqual(x is None, y is None, f"{kind} {name} {k}: {x} {y}")
                    if x is not None:
                        self.near(y, x, relative * abs(x) + item["errors"].get(k, 0) + b[kind][name]["errors"].get(k, 0), f"{kind} {name} {k}")

    def test_a_recorded_motion_gives_what_the_formula_gives(self):
        m = self.machine()
        a = self.sizing(m)
        t = np.arange(0, .1000001, .0005)
        rows = ["time [s],main.angle [rad],main.angle',main.angle''"] + [f"{x!r},{60*x + .3*math.sin(40*x)!r},{60 + 12*math.cos(40*x)!r},{-480*math.sin(40*x)!r}" for x in map(float, t)]
        del m["motion"]
        m["motion"] = ENGINE["motion"]
        b = self.sizing(m, "inverse", "--record", "record.csv", files={"record.csv": "\n".join(rows) + "\n"})
        self.compare(a, b, 1e-6)

    def test_ratings_change_no_other_number(self):
        for command in ("inverse", "simulate", "statics"):
            with self.subTest(command):
                bare, rated = self.ok(engine(False), command), self.ok(self.machine(), command)
                self.assertEqual(bare.columns, rated.columns)
                for k in bare.columns:
                    name = cli.HEAD.match(k)["name"]
                    self.assertTrue(np.array_equal(bare.series[name], rated.series[name], equal_nan=True), name)
                a, b = bare.result, rated.result
                for r in (a, b):
                    r.pop("sizing", None)
                    r["model"].pop("file", None)
                for k in sorted(set(a) | set(b)):
                    if k not in ("seconds", "notes"):
                        self.assertEqual(a.get(k), b.get(k), k)
                self.assertTrue(set(a["notes"]) <= set(b["notes"]))

    def test_other_commands_take_rated_models(self):
        for command in ("check", "kinematics", "assemble", "modes"):
            self.ok(self.machine(), command)

    def test_convert_keeps_or_names_the_ratings(self):
        done = cli.run_model(self.machine(), "convert", "--to", "spatial", out=False, quiet=False)
        self.assertEqual(done.code, 0, done.said())
        for key in ("bearing", "plain", "guide", "rating"):
            self.assertTrue(key + ":" in done.out or f'"{key}":' in done.out or key in done.err, f"{key} is lost in silence")
        self.ok(done.out)

    def test_impacts_and_the_end_by_an_event_are_within_the_error(self):
        m = {"roberval": 1, "space": "planar", "gravity": [0, -9.81], "bodies": {"p": {"mass": 2, "inertia": .1, "centroid": [.5, 0]}}, "joints": {"j": {"type": "revolute", "between": ["ground", "p"], "bearing": BALL}},
             "stops": {"s": {"coordinate": "j.angle", "min": "-60 deg", "restitution": .5}}, "events": {"e": {"when": "t - 0.8772", "do": "stop"}}, "initial": {"j.angle": 0, "j.angle'": 0}, "motion": {"from": 0, "to": 1, "step": .005}}
        fine = self.sizing(m, "simulate", "--step", "0.0001")["bearings"]["j"]
        for flags in ((), ("--samples", "steps")):
            b = self.sizing(m, "simulate", *flags)["bearings"]["j"]
            for k in ("turns", "P", "L10", "L10h"):
                self.near(b[k], fine[k], b["errors"][k] + fine["errors"][k], f"{k} {flags}")

    def test_units_of_the_model_change_nothing(self):
        """the same ratings in other units, by parameters, and as bare numbers in the units of the model"""
        a = self.sizing(rotors(({"bearings": {"a": {**BALL, "at": "-30 mm"}, "b": {**BALL, "at": "90 mm", "floating": True}}}, (600, 0, 200)), ({"plain": PLAIN}, (100, 0, 0))))
        m = rotors(({"bearings": {"a": {**BALL, "C": "c", "C0": 8, "at": -30}, "b": {**BALL, "C": 10, "C0": "0.8*c", "at": "9 cm", "floating": True}}}, ("600[N]", 0, "200[N]")),
                   ({"plain": {**PLAIN, "diameter": 20, "width": "w", "p": "200 bar", "pv": "1e6 Pa.m/s", "depth": .1}}, ("100[N]", 0, 0)), units={"length": "mm", "force": "kN"}, parameters={"c": "10 kN", "w": "1.5 cm"})
        m["bodies"]["b0"]["inertia"] = m["bodies"]["b1"]["inertia"] = [.01] * 3
        self.compare(a, self.sizing(m), 1e-12)

    def test_sizing_csv_is_the_json(self):
        import csv
        import subprocess
        import tempfile
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "m.json")
            with open(path, "w", encoding="utf-8") as f:
                json.dump(self.machine(), f)
            subprocess.run([cli.BINARY, "inverse", path, "--out", os.path.join(folder, "o"), "--quiet"], check=True, capture_output=True)
            with open(os.path.join(folder, "o", "sizing.csv"), encoding="utf-8", newline="") as f:
                rows = list(csv.DictReader(f))
            with open(os.path.join(folder, "o", "result.json"), encoding="utf-8") as f:
                s = json.load(f)["sizing"]
        self.assertEqual(len(rows), sum(len(i["units"]) for items in s.values() for i in items.values()))
        for r in rows:
            item = s[r["kind"]][r["name"]]
            self.assertEqual((r["value"] or None) and float(r["value"]), item[r["figure"]])
            self.assertEqual((r["error"] or None) and float(r["error"]), item["errors"].get(r["figure"]))
            self.assertEqual((r["unit"], r["verdict"]), (item["units"][r["figure"]], item["verdict"]))


class BadInput(Sizing):
    def test_bearings(self):
        for place, words, change in (
                ('"C"', ("C", "positive"), {"C": 0}), ('"C"', ("C", "positive"), {"C": "-10 kN"}), ('"C0"', ("C0", "positive"), {"C0": 0}),
                ('"C"', ("force", "mm"), {"C": "10 mm"}), ('"reliability"', ("90", "99"), {"reliability": 100}), ('"reliability"', ("90", "99"), {"reliability": 92}),
                ('"a_iso"', ("a_iso",), {"a_iso": 0}), ('"factor"', ("factor",), {"factor": -1}), ('"f0"', ("f0",), {"f0": 0}), ('"series"', ("deep-groove",), {"series": "deep-grove"}),
                ('"f0"', ("f0", "N"), {"f0": "13 N"})):
            with self.subTest(str(change)):
                self.refused(rotors(({"bearing": {**BALL, **change}}, (0, 1000, 0))), place, *words)
        for missing, b in (("C", {"series": "cylindrical-roller", "C0": 1}), ("f0", {"series": "deep-groove", "C": 1, "C0": 1}), ("angle", {"series": "angular-contact", "C": 1, "C0": 1}),
                           ("f0", {"series": "angular-contact", "C": 1, "C0": 1, "angle": "15 deg"}), ("Y0", {k: v for k, v in TAPER.items() if k != "Y0"})):
            with self.subTest("without " + missing):
                self.refused(rotors(({"bearing": b}, (0, 1000, 0))), '"', missing)
        self.refused(rotors(({"bearing": {"series": "angular-contact", "angle": "20 deg", "C": 1, "C0": 1}}, (0, 1000, 0))), '"angle"', "15", "40")

    def test_one_mistake_is_told_once(self):
        for change in ({"C": "10 mm"}, {"C": "t*1"}, {"C": None}, {"C": 1e200}, {"f0": "13 N"}):
            with self.subTest(str(change)):
                self.assertEqual(len(cli.run_model(rotors(({"bearing": {**BALL, **change}}, (0, 1000, 0)))).errors), 1)

    def test_keys_that_another_series_has_are_not_ignored_in_silence(self):
        for b in ({**BALL, "exponent": 4}, {**BALL, "angle": "25 deg"}, {**BALL, "Y": 1.6}, {**TAPER, "X": .5}, {**ROLLER, "f0": 13}):
            with self.subTest(str(b)):
                done = cli.run_model(rotors(({"bearing": b}, (0, 1000, 0))))
                self.assertTrue(done.code == 2 or any("j0" in n for n in done.result["notes"]), "neither refused nor noted")

    def test_the_names_of_a_pair_are_names(self):
        """letters, digits and _, starting with a letter, as the schema says"""
        for name in ("1a", "", "a b", "a,b", 'a"b', "a.b"):
            with self.subTest(name):
                self.assertEqual(cli.run_model(shaft({name: PAIR_A, "b": PAIR_B})).code, 2)

    def test_a_bearing_on_a_slot(self):
        m = engine()
        m["joints"]["bore"] = {"type": "slot", "between": ["ground", "piston"], "bearing": {**BALL}}
        self.refused(m, '"bearing"', "bearing", "slot")
        self.refused(engine(main={"guide": RATED["bore"]["guide"]}), '"guide"', "guide", "revolute")
        self.refused(engine(bore={"plain": PLAIN}), '"plain"', "plain", "prismatic")
        self.refused(engine(main={"bearing": BALL, "bearings": {"a": {**BALL, "at": 0}, "b": {**BALL, "at": 1}}}), '"bearing', "bearing")

    def test_pairs(self):
        a, b = PAIR_A, PAIR_B
        for name, pair, place, words in (("one place", {"a": a, "b": {**b, "at": "-0.04 m"}}, '"', ("place",)), ("both floating", {"a": {**a, "floating": True}, "b": b}, '"', ("floating",)),
                                         ("one", {"a": a}, '"bearings"', ("two",)), ("three", {"a": a, "b": b, "c": {**a, "at": .1}}, '"', ("two",)), ("no place", {"a": a, "b": {k: v for k, v in b.items() if k != "at"}}, '"b"', ("at",)),
                                         ("Z", {"arrangement": "Z", "a": {**TAPER, "at": 0}, "b": {**TAPER, "at": .1}}, '"arrangement"', ("X", "O")),
                                         ("balls in X", {"arrangement": "X", "a": {**a, "at": 0}, "b": {**a, "at": .1}}, '"', ("arrangement",))):
            with self.subTest(name):
                self.refused(shaft(pair), place, *words)

    def test_ratings(self):
        for place, words, rating in (('"peak"', ("peak", "continuous"), {"peak": 5, "continuous": 6}), ('"peak"', ("peak", "positive"), {"peak": 0}), ('"efficiency"', ("efficiency",), {"peak": 5, "efficiency": 1.1}),
                                     ('"efficiency"', ("efficiency",), {"peak": 5, "efficiency": 0}), ('"speed"', ("speed",), {"peak": 5, "speed": 0}), ('"speed"', ("m/s",), {"peak": 5, "speed": "2 m/s"}),
                                     ('"peak"', ("N", "torque"), {"peak": "5 N"}), ('"rating"', ("peak",), {"continuous": 5})):
            with self.subTest(str(rating)):
                m = wheel("t", rating)
                if rating == {"peak": 5, "continuous": 6}:
                    text = json.dumps(m, indent=1)
                    done = cli.run_model(text)
                    self.assertEqual(done.code, 2, done.said())
                    for w in words:
                        self.assertIn(w, done.errors[0].text)
                else:
                    self.refused(m, place, *words)

    def test_curves(self):
        for name, text, words in (("one row", "speed [rpm],peak [N.m]\n0,10\n", ("row",)), ("no peak", "speed [rpm],continuous [N.m]\n0,10\n10,9\n", ("peak",)), ("no speed", "n [rpm],peak [N.m]\n0,10\n10,9\n", ("speed",)),
                                  ("dimension", "speed [rpm],peak [N]\n0,10\n10,9\n", ("peak", "N.m")), ("speed in Hz", "speed [mm],peak [N.m]\n0,10\n10,9\n", ("speed",)), ("falls in speed", "speed [rpm],peak [N.m]\n0,10\n2000,9\n1000,8\n", ("speed",)),
                                  ("below continuous", "speed [rpm],peak [N.m],continuous [N.m]\n0,10,5\n1000,4,5\n", ("continuous",)), ("negative", "speed [rpm],peak [N.m]\n0,10\n1000,-1\n", ("negative",)), ("no number", "speed [rpm],peak [N.m]\n0,ten\n1000,1\n", ("ten",))):
            with self.subTest(name):
                done = cli.run_model(json.dumps(wheel("t", {"curve": {"file": "c.csv"}}), indent=1), files={"c.csv": text})
                self.assertEqual(done.code, 2, done.said())
                self.assertTrue(done.errors, done.said())
                for w in words:
                    self.assertIn(w, done.errors[0].text)
        self.refused(wheel("t", {"curve": {"file": "none.csv"}}), '"file"', "none.csv")

    def test_guides_plain_bearings_and_screws(self):
        for place, change in (('"C"', {"C": 0}), ('"per"', {"per": 0}), ('"per"', {"per": "50 h"}), ('"mz"', {"mz": -1}), ('"mz"', {"mz": "3 N"})):
            with self.subTest(str(change)):
                self.refused(slide("planar", guide=change), place, place.strip('"'))
        m = slide("spatial")
        del m["joints"]["g"]["guide"]["mx"]
        self.refused(m, '"', "mx")
        for place, change in (('"diameter"', {"diameter": 0}), ('"width"', {"width": "-1 mm"}), ('"wear"', {"wear": "1e-15 m/N"}), ('"p"', {"p": "20 N"}), ('"depth"', {"depth": 0})):
            with self.subTest(str(change)):
                self.refused(rotors(({"plain": {**PLAIN, **change}}, (0, 1000, 0))), place, place.strip('"'))

    def test_many_mistakes_come_in_one_run(self):
        m = engine(main={"bearing": {**BALL, "C": 0}}, bore={"guide": {"C": -1, "C0": "40 kN", "mz": 250, "per": "50 km"}}, crankpin={"plain": {**PLAIN, "width": 0}})
        m["drives"]["motor"]["rating"]["efficiency"] = 2
        done = cli.run_model(m)
        self.assertEqual(done.code, 2)
        self.assertEqual(len(done.errors), 4, done.said())


if __name__ == "__main__":
    cli.main()
