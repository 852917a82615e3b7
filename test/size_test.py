#!/usr/bin/python3
"""roberval size: every motor of a catalogue with every gear against a run of inverse with that rotor, load cases against the sum of
damages of runs of their own, and wrong calls and catalogues.

Tolerance.  The load of a drive does not depend on its rotor: a pair and a run differ by rounding, 1e-9. Load cases are the same
integrals in another order, 1e-9.
"""
import copy
import csv
import json
import math
import os
import sys
import tempfile

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "py"))
import cli              # noqa: E402

BALL = {"series": "deep-groove", "C": "14 kN", "C0": "7.8 kN", "f0": 13}


def engine():
    return {"roberval": 1, "space": "planar", "units": {"length": "mm"}, "gravity": [0, "-9.81 m/s^2"], "parameters": {"n": "600 rpm", "F": "2 kN"},
            "bodies": {"crank": {"mass": "2 kg", "inertia": "0.004 kg.m^2", "markers": {"A": [50, 0]}},
                       "rod": {"mass": "1 kg", "inertia": "0.005 kg.m^2", "centroid": [70, 0], "pose": {"at": [50, 0]}, "markers": {"B": [200, 0]}},
                       "piston": {"mass": "1.5 kg", "inertia": "0.002 kg.m^2", "pose": {"at": [250, 0]}}},
            "joints": {"main": {"type": "revolute", "between": ["ground", "crank"], "bearing": BALL}, "crankpin": {"type": "revolute", "between": ["crank.A", "rod"], "plain": {"diameter": 20, "width": 15, "p": "20 MPa", "wear": "1e-15 m^2/N", "depth": 0.1}},
                       "wrist": {"type": "revolute", "between": ["rod.B", "piston"]}, "bore": {"type": "prismatic", "between": ["ground", "piston"], "guide": {"C": "25 kN", "C0": "40 kN", "mz": "250 N.m", "per": "50 km"}}},
            "drives": {"motor": {"coordinate": "main.angle", "motion": "n*t + 0.2*sin(n*t)", "rotor": {"inertia": "4e-4 kg.m^2", "ratio": 5},
                                 "rating": {"continuous": "12 N.m", "peak": "30 N.m", "speed": "4500 rpm", "efficiency": 0.95}}},
            "loads": {"gas": {"type": "force", "to": "piston", "value": ["-F*step(bore.distance', 0, 0, 1[m/s], 1)", 0]}},
            "cases": {"slow": {"n": "450 rpm", "F": "3 kN"}, "fast": {"n": "900 rpm"}},
            "motion": {"from": 0, "to": "0.1 s", "step": "0.5 ms"}}


def table(rows, head):
    return "\n".join([",".join(head)] + [",".join(str(x) for x in row) for row in rows]) + "\n"


class Size(cli.Case):
    def size(self, model, *flags, files=None, code=0):
        done = cli.run_model(model, "size", "--json", *flags, files=files, out=False)
        self.assertEqual(done.code, code, done.said())
        return done.json() if code == 0 else done

    def inverse(self, model, *flags):
        done = cli.run_model(model, "inverse", "--json", *flags, out=False)
        self.assertEqual(done.code, 0, done.said())
        return done.json()["sizing"]

    def close(self, a, b, what, tolerance=1e-9):
        self.assertTrue(abs(a - b) <= tolerance * max(abs(a), abs(b)), f"{what}: {a!r} is not {b!r}")

    def test_every_pair_is_the_run_with_that_rotor(self):
        """200 random motors and gears, with inertias and efficiencies of gears, and curves; both have the same drive"""
        rng = np.random.default_rng(28)
        motors = [(f"M{k}", rng.uniform(5, 30), rng.uniform(30, 80), rng.uniform(300, 900), rng.uniform(1e-5, 2e-3)) for k in range(20)]
        gears = [(rng.uniform(1, 12) * rng.choice([-1, 1]), rng.uniform(.5, 1), rng.uniform(0, 1e-4)) for k in range(10)]
        files = {"m.csv": table(motors, ("name", "continuous [N.m]", "peak [N.m]", "speed [rad/s]", "inertia [kg.m^2]")),
                 "g.csv": table(gears, ("ratio", "efficiency", "inertia [kg.m^2]"))}
        model = engine()
        choices = self.size(model, "--motors", "m.csv", "--gears", "g.csv", files=files)["sizing"]["choices"]["motor"]
        self.assertEqual(len(choices), 200)
        named = {m[0]: m for m in motors}
        for choice in choices if cli.MORE else [choices[k] for k in rng.choice(200, 40, replace=False)]:
            _, continuous, peak, speed, inertia = named[choice["motor"]]
            gear = next(g for g in gears if abs(g[0] - choice["ratio"]) < 1e-12)
            alone = copy.deepcopy(model)
            alone["drives"]["motor"]["rotor"] = {"inertia": inertia + gear[2], "ratio": gear[0]}
            alone["drives"]["motor"]["rating"] = {"continuous": continuous, "peak": peak, "speed": speed, "efficiency": gear[1]}
            drive = self.inverse(alone)["drives"]["motor"]
            for name in ("peak", "rms", "mean_speed", "top_speed", "rms_to_continuous", "margin_to_peak", "speed_to_limit"):
                self.close(choice[name], drive[name], f"{choice['motor']} {choice['gear']} {name}")
            self.close(choice["inertia_ratio"], drive["inertia_ratio_largest"], "inertia ratio")
            fails = [name for name, bad in (("rms", drive["rms_to_continuous"] > 1), ("peak", drive["margin_to_peak"] < 1), ("speed", drive["speed_to_limit"] > 1)) if bad]
            self.assertEqual(choice["fails"], ", ".join(fails))

    def test_the_choice_does_not_depend_on_the_rotor_that_the_model_has(self):
        files = {"m.csv": table([("A", 10, 40, 600, 1e-3)], ("name", "continuous", "peak", "speed", "inertia"))}
        with_rotor = self.size(engine(), "--motors", "m.csv", "--gears", "3,7", files=files)
        bare = engine()
        del bare["drives"]["motor"]["rotor"]
        bare["drives"]["motor"]["rating"] = {"peak": 1000, "efficiency": .95}
        without = self.size(bare, "--motors", "m.csv", "--gears", "3,7", files=files)
        for a, b in zip(with_rotor["sizing"]["choices"]["motor"], without["sizing"]["choices"]["motor"]):
            for name in ("peak", "rms", "inertia_ratio"):
                self.close(a[name], b[name], name)

    def test_a_motor_with_a_curve_and_the_order(self):
        files = {"m.csv": "name,inertia [kg.m^2],curve\nA,1e-4,a.csv\nB,1e-3,b.csv\n",
                 "a.csv": "speed [rpm],peak [N.m],continuous [N.m]\n0,60,30\n3000,60,25\n6000,20,5\n", "b.csv": "speed [rpm],peak [N.m]\n0,90\n5000,80\n"}
        model = engine()
        choices = self.size(model, "--motors", "m.csv", "--gears", "3,5", "--sort", "margin", files=files)["sizing"]["choices"]["motor"]
        keys = [-c["margin_to_peak"] for c in choices if c["fits"]]
        self.assertEqual(keys, sorted(keys))
        for choice in choices:
            alone = copy.deepcopy(model)
            alone["drives"]["motor"]["rotor"] = {"inertia": {"A": 1e-4, "B": 1e-3}[choice["motor"]], "ratio": choice["ratio"]}
            alone["drives"]["motor"]["rating"] = {"curve": {"file": choice["motor"].lower() + ".csv"}, "efficiency": .95}
            done = cli.run_model(alone, "inverse", "--json", files=files, out=False)
            drive = done.json()["sizing"]["drives"]["motor"]
            for name in ("margin_to_peak", "rms"):
                self.close(choice[name], drive[name], name)
            if choice["motor"] == "A":
                self.close(choice["rms_to_continuous"], drive["rms_to_continuous"], "curve of continuous")

    def test_reserve_and_the_limit_of_a_gear(self):
        files = {"m.csv": table([("A", 12, 24, 900, 4e-4)], ("name", "continuous", "peak", "speed", "inertia")), "g.csv": "name,ratio,peak [N.m]\ng5,5,1000\nweak,5,50\n"}
        model = engine()
        model["drives"]["motor"]["motion"] = "n*t"
        choices = {c["gear"]: c for c in self.size(model, "--motors", "m.csv", "--gears", "g.csv", files=files)["sizing"]["choices"]["motor"]}
        self.assertEqual((choices["g5"]["fails"], choices["weak"]["fails"]), ("", "gear"))
        choices = {c["gear"]: c for c in self.size(model, "--motors", "m.csv", "--gears", "g.csv", "--reserve", "1.2", files=files)["sizing"]["choices"]["motor"]}
        self.assertEqual(choices["g5"]["fails"], "rms, peak")   # 10.7 of 12, 22.1 of 24 N.m

    def test_a_drive_that_slips_has_no_choice(self):
        model = engine()
        model["drives"]["motor"]["max"] = "1 kN.m"
        files = {"m.csv": table([("A", 12, 24, 900, 4e-4)], ("name", "continuous", "peak", "speed", "inertia"))}
        result = self.size(model, "--motors", "m.csv", files=files)
        self.assertTrue(any("slips or is released" in note for note in result["notes"]))
        self.assertNotIn("choices", result["sizing"])

    def test_damages_of_load_cases_are_summed(self):
        model, shares = engine(), {"slow": .7, "fast": .3}
        mixed = self.size(model, "--loads", "slow:0.7,fast:0.3")["sizing"]
        of = {}
        for name in shares:
            alone = copy.deepcopy(model)
            alone["parameters"].update(model["cases"][name])
            of[name] = self.inverse(alone)
        mix = lambda kind, item, figure: [(share, of[name][kind][item][figure]) for name, share in shares.items()]
        for kind, item in (("bearings", "main"), ("guides", "bore")):
            self.close(mixed[kind][item]["L10h"], 1 / sum(s / x for s, x in mix(kind, item, "L10h")), f"{kind} L10h")
            self.close(mixed[kind][item]["P0"], max(x for _, x in mix(kind, item, "P0")), f"{kind} P0")
        self.close(mixed["plain"]["crankpin"]["life"], 1 / sum(s / x for s, x in mix("plain", "crankpin", "life")), "life")
        drive = mixed["drives"]["motor"]
        self.close(drive["rms"], math.sqrt(sum(s * x**2 for s, x in mix("drives", "motor", "rms"))), "rms")
        self.close(drive["motoring_mean"], sum(s * x for s, x in mix("drives", "motor", "motoring_mean")), "power")
        self.close(drive["peak"], max(x for _, x in mix("drives", "motor", "peak")), "peak")
        self.close(drive["margin_to_peak"], min(x for _, x in mix("drives", "motor", "margin_to_peak")), "margin")

    def test_one_case_alone_is_its_run_and_motors_see_all_cases(self):
        model = engine()
        alone = copy.deepcopy(model)
        alone["parameters"].update(model["cases"]["fast"])
        a, b = self.size(model, "--loads", "fast:1")["sizing"], self.inverse(alone)
        for name in ("P", "L10", "L10h", "s0"):
            self.close(a["bearings"]["main"][name], b["bearings"]["main"][name], name)
        files = {"m.csv": table([("A", 12, 24, 900, 4e-4)], ("name", "continuous", "peak", "speed", "inertia"))}
        mixed = self.size(model, "--loads", "slow:0.7,fast:0.3", "--motors", "m.csv", "--gears", "5", files=files)["sizing"]
        choice, drive = mixed["choices"]["motor"][0], mixed["drives"]["motor"]
        for name in ("peak", "rms", "mean_speed", "top_speed"):     # the same rotor and gear
            self.close(choice[name], drive[name], name)

    def test_ratings_are_the_same_in_all_cases_and_those_of_one_case_count(self):
        model = engine()
        model["parameters"].update(C="14 kN", f=1)
        model["joints"]["main"]["bearing"] = {**BALL, "C": "C", "factor": "f"}
        model["cases"] = {"small": {"C": "7 kN"}, "as": {}, "shocks": {"f": 2}}
        nominal = self.inverse(model)["bearings"]["main"]
        self.close(self.size(model, "--loads", "small:1")["sizing"]["bearings"]["main"]["L10"], nominal["L10"] / 8, "C of the case")
        self.assertIn("rating of 'main' differs between load cases", self.size(model, "--loads", "small:1,as:1", code=2).err)
        mixed = self.size(model, "--loads", "as:0.5,shocks:0.5")
        self.close(mixed["sizing"]["bearings"]["main"]["L10"], nominal["L10"] / (.5 + .5 * 8), "factor of the case")
        self.assertTrue(any("as 0.5, shocks 0.5" in note for note in mixed["notes"]))

    def test_without_a_run_in_time_no_motor_fits(self):
        files = {"m.csv": table([("A", 12, 24, 900, 4e-4)], ("name", "continuous", "peak", "speed", "inertia"))}
        for flags in (("--from", "0.02 s", "--to", "0.02 s"), ("--analysis", "statics")):
            result = self.size(engine(), "--motors", "m.csv", *flags, files=files)
            self.assertNotIn("choices", result["sizing"])
            self.assertTrue(any("needs a run in time" in note for note in result["notes"]), flags)

    def test_gears_by_their_units_and_that_of_the_drive(self):
        files = {"m.csv": table([("A", 12, 24, 900, 4e-4)], ("name", "continuous", "peak", "speed", "inertia")), "l.csv": "ratio [rad/m]\n5\n", "f.csv": "ratio,peak [N]\n5,9\n", "w.csv": "ratio [N]\n5\n"}
        own = self.size(engine(), "--motors", "m.csv", files=files)["sizing"]["choices"]["motor"]
        self.assertEqual([(c["gear"], c["ratio"]) for c in own], [("own", 5)])
        for name in ("l.csv", "f.csv"):     # of a length, and the drive turns
            said = self.size(engine(), "--motors", "m.csv", "--gears", name, files=files, code=2).err
            self.assertIn(f"{name}:1:{1 if name == 'l.csv' else 7}", said)
            self.assertIn("these gears are for a length", said)
        self.assertIn("'ratio' of a gear is not in N", self.size(engine(), "--motors", "m.csv", "--gears", "w.csv", files=files, code=2).err)

    def test_wrong_catalogues_and_calls_are_refused(self):
        head = ("name", "continuous", "peak", "speed", "inertia", "curve")
        files = {"twice.csv": table([("A", 12, 24, 900, 4e-4), ("B", 12, 24, 900, 4e-4), ("A", 13, 24, 900, 4e-4)], head[:5]), "m.csv": table([("A", 12, 24, 900, 4e-4)], head[:5]),
                 "up.csv": table([("A", 12, 24, 900, 4e-4, "../c.csv")], head)}
        for name, words in (("twice.csv", ":4:1: error: 'A' stands twice"), ("up.csv", ":2:1: error: 'A' names a curve outside the folder")):
            self.assertIn(words, self.size(engine(), "--motors", name, files=files, code=2).err)
        for flags in (("--sort", "margin"), ("--reserve", "1.2")):
            self.assertIn("go with --motors", self.size(engine(), *flags, code=2).err)
        self.assertIn("too large", self.size(engine(), "--loads", "slow:1e308,fast:1e308", code=2).err)
        self.assertIn("not by foo", self.size(engine(), "--analysis", "foo", code=2).err)

    def test_bounds_of_load_cases_do_not_hang_on_their_order(self):
        """a case without a range of compliances before one with a range, and after it"""
        hinge = {"type": "revolute", "between": ["ground", "b"]}
        model = {"roberval": 1, "space": "planar", "parameters": {"top": "1e-6 m/N"}, "bodies": {"b": {"mass": 100, "inertia": 8}},
                 "joints": {"p": {**hinge, "compliance": {"x": ["1e-6 m/N", "top"], "y": ["1e-6 m/N", "top"]}, "bearing": BALL}, "q": {**hinge, "compliance": {"x": "1e-6 m/N", "y": "1e-6 m/N"}}},
                 "drives": {"m": {"coordinate": "p.angle", "motion": "60[rpm]*t"}}, "loads": {"f": {"type": "force", "to": "b", "value": [981, 0]}},
                 "cases": {"closed": {"top": "1e-6 m/N"}, "open": {"top": "4e-6 m/N"}}, "motion": {"from": 0, "to": 1, "step": 0.1}}
        one, other = (self.size(model, "--loads", loads)["sizing"]["bearings"]["p"]["L10_least"] for loads in ("closed:1,open:1", "open:1,closed:1"))
        self.close(one, other, "L10_least")

    def test_a_length_without_rotor_needs_gears(self):
        model = engine()
        model["drives"] = {"push": {"coordinate": "bore.distance", "motion": "0.2 + 0.02*sin(30*t)"}}
        files = {"m.csv": table([("A", 12, 24, 900, 4e-4)], ("name", "continuous", "peak", "speed", "inertia"))}
        model["cases"] = {}
        self.assertIn("rad/m", " ".join(self.size(model, "--motors", "m.csv", files=files)["notes"]))
        self.assertEqual(len(self.size(model, "--motors", "m.csv", "--gears", "300,400", files=files)["sizing"]["choices"]["push"]), 2)

    def test_what_is_wrong_with_a_model_is_said_as_by_inverse(self):
        model = engine()
        model["drives"]["second"] = {"coordinate": "bore.distance", "motion": "0.2"}
        said = self.size(model, code=cli.run_model(model, "inverse").code).err
        self.assertIn("over-driven", said)

    def test_a_run_that_broke_off_is_not_sized(self):
        model = engine()
        model["drives"]["motor"]["motion"] = "0.4*sqrt(1 - t/0.05[s])"
        done = cli.run_model(model, "inverse", "--json", out=False)
        self.assertEqual(done.code, 1, done.said())
        self.assertNotIn("sizing", json.loads(done.out) if done.out.strip() else {})

    def test_a_motor_beyond_its_limits_is_shown(self):
        model = engine()
        model["drives"]["motor"]["rating"] = {"continuous": "3 N.m", "peak": "9 N.m", "speed": "1500 rpm"}
        done = cli.run_model(model, "size", out=False, quiet=False)
        self.assertIn("samples outside", done.out)
        self.assertIn("beyond what its motor can do", done.out)
        curve = copy.deepcopy(model)
        curve["drives"]["motor"]["rating"] = {"continuous": "3 N.m", "curve": {"file": "c.csv"}}
        a = self.size(model)["sizing"]["drives"]["motor"]
        b = self.size(curve, files={"c.csv": "speed [rpm],peak\n0,9\n1500,9\n"})["sizing"]["drives"]["motor"]
        self.assertEqual((a["margin_to_peak"], a["outside"]), (0, 201))
        self.assertEqual((b["margin_to_peak"], b["outside"]), (0, 201))

    def test_what_the_model_has_decides_by_which_analysis(self):
        model = engine()
        del model["drives"], model["loads"]["gas"], model["cases"]
        model["loads"]["weight"] = {"type": "torque", "to": "crank", "value": "1[N.m]"}
        self.assertEqual(self.size(model)["analysis"], "simulate")
        self.assertEqual(self.size(engine(), "--analysis", "simulate")["analysis"], "simulate")
        half = self.size(engine(), "--to", "0.05 s", "--step", "1 ms", "--threads", "2")
        self.assertEqual(half["series"]["samples"], 51)
        self.assertEqual(half["sizing"], self.inverse(engine(), "--to", "0.05 s", "--step", "1 ms"))

    def test_wrong_calls_and_catalogues(self):
        good = "name,continuous [N.m],peak [N.m],speed [rpm],inertia [kg.m^2]\nA,1,2,3000,1e-4\n"
        cases = ((("--gears", "3"), {}, "--gears goes with --motors"), (("--motors", "none.csv"), {}, "cannot be read"),
                 (("--motors", "m.csv"), {"m.csv": good.replace("inertia [kg.m^2]", "J")}, "no column 'inertia'"),
                 (("--motors", "m.csv"), {"m.csv": good.replace("[N.m],peak", "[kg],peak")}, "m.csv:1"),
                 (("--motors", "m.csv"), {"m.csv": good.replace("A,1,2", "A,3,2")}, "peak below its continuous"),
                 (("--motors", "m.csv"), {"m.csv": good.replace("1e-4", "x")}, "m.csv:2"), (("--motors", "m.csv"), {"m.csv": good.replace("1e-4", "-1")}, "negative inertia"),
                 (("--motors", "m.csv", "--gears", "3,,4"), {"m.csv": good}, "list of ratios"), (("--motors", "m.csv", "--gears", "0"), {"m.csv": good}, "list of ratios"),
                 (("--motors", "m.csv", "--gears", "g.csv"), {"m.csv": good, "g.csv": "ratio,efficiency\n3,1.2\n"}, "efficiency"),
                 (("--motors", "m.csv", "--reserve", "0.5"), {"m.csv": good}, "--reserve"), (("--sort", "price"), {}, "--sort"),
                 (("--loads", "slow:0"), {}, "--loads"), (("--loads", "none:1"), {}, "no load case 'none'"), (("--analysis", "modes"), {}, "size needs loads"))
        for flags, files, words in cases:
            with self.subTest(flags):
                done = self.size(engine(), *flags, files=files, code=2)
                self.assertIn(words, done.err)
        for case, words in (({"slow": {"m": 3}}, "no parameter 'm'"), ({"slow": {"n": 3}}, "needs one here"), ({"slow": {"n": "3 kg"}}, "in parameters:"), ({"slow": 3}, "must be a map"), ({"a b": {}}, "a b")):
            with self.subTest(case):
                model = engine()
                model["cases"] = case
                self.assertIn(words, self.size(model, code=2).err)

    def test_files(self):
        with tempfile.TemporaryDirectory() as folder:
            files = {"m.csv": 'name,continuous,peak,speed,inertia\n"A, ""big""",12,24,900,4e-4\nB,12,24,900,4e-4\n'}
            done = cli.run_model(engine(), "size", "--motors", "m.csv", "--out", folder, files=files, out=False)
            self.assertEqual(done.code, 0, done.said())
            with open(os.path.join(folder, "choices.csv"), newline="", encoding="utf-8") as f:
                rows = list(csv.DictReader(f))
            with open(os.path.join(folder, "result.json"), encoding="utf-8") as f:
                choices = json.load(f)["sizing"]["choices"]["motor"]
            self.assertEqual({r["motor"] for r in rows}, {'A, "big"', "B"})
            for row, choice in zip(rows, choices):
                self.assertEqual(float(row["rms [N.m]"]), choice["rms"])
                self.assertEqual(row["motor"], choice["motor"])


if __name__ == "__main__":
    cli.main()
