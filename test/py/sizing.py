"""Machines with ratings, the factors of ISO 281 and ISO 76 and the formulas of sizing written again, for sizing_test.py and sizing_rest_test.py."""
import copy
import json
import math

import numpy as np

import cli

RPM = 2 * math.pi / 60
# ISO 281:2007 table 3, ISO 76:2006 table 3 (single row): f0 Fa/C0, e, Y
DEEP = [(.172, .19, 2.30), (.345, .22, 1.99), (.689, .26, 1.71), (1.03, .28, 1.55), (1.38, .30, 1.45), (2.07, .34, 1.31), (3.45, .38, 1.15), (5.17, .42, 1.04), (6.89, .44, 1.00)]
FIFTEEN = [(.178, .38, 1.47), (.357, .40, 1.40), (.714, .43, 1.30), (1.07, .46, 1.23), (1.43, .47, 1.19), (2.14, .50, 1.12), (3.57, .55, 1.02), (5.35, .56, 1.00), (7.14, .56, 1.00)]
CONTACT = {25: (.41, .87, .68, .38), 30: (.39, .76, .80, .33), 40: (.35, .57, 1.14, .26)}        # X, Y, e, Y0; X0 = 0.5
RELIABLE = {90: 1, 95: .64, 96: .55, 97: .47, 98: .37, 99: .25}
BALL = {"series": "deep-groove", "C": "10 kN", "C0": "8 kN", "f0": 13}
ROLLER = {"series": "cylindrical-roller", "C": "10 kN", "C0": "8 kN"}
TAPER = {"series": "tapered-roller", "C": "20 kN", "C0": "18 kN", "e": .37, "Y": 1.6, "Y0": .9}


def line(table, x, k):
    return float(np.interp(x, [r[0] for r in table], [r[k] for r in table]))


def deep_groove(Fr, Fa, b=BALL, table=DEEP, X=.56):
    x = b["f0"] * Fa / (float(b["C0"].split()[0]) * 1000)
    return X * Fr + line(table, x, 2) * Fa if Fa > line(table, x, 1) * Fr else Fr


def simpson(f, a, b, n=20000):
    """∫ f, smooth between a and b; f on columns."""
    t = np.linspace(a, b, 2 * n + 1)
    y = f(t) + 0 * t
    return (b - a) / (6 * n) * (y[0] + y[-1] + 4 * y[1::2].sum() + 2 * y[2:-1:2].sum())


def over(t, y):
    """∫ y dt over the columns of a fine run (Simpson; an even number of equal steps)."""
    return (t[1] - t[0]) / 3 * (y[0] + y[-1] + 4 * y[1::2].sum() + 2 * y[2:-1:2].sum())


def step01(x):
    x = np.clip(x, 0, 1)
    return x**3 * (10 - 15 * x + 6 * x * x)


def rotors(*each, motion="60[rpm]*t", to=1, step=.01, space="spatial", **more):
    """Rotors b0, b1, ... on hinges j0, j1, ... at ground's origin, about z: each (keys of the joint, force in ground's axes at its
    origin), turned alike."""
    n = 2 if space == "planar" else 3
    m = {"roberval": 1, "space": space, "bodies": {}, "joints": {}, "drives": {}, "loads": {}, "motion": {"from": 0, "to": to, "step": step}}
    for i, (keys, force) in enumerate(each):
        m["bodies"][f"b{i}"] = {"mass": 1, "inertia": .01 if n == 2 else [.01, .01, .01]}
        m["joints"][f"j{i}"] = {"type": "revolute", "between": ["ground", f"b{i}"], **copy.deepcopy(keys)}
        m["drives"][f"d{i}"] = {"coordinate": f"j{i}.angle", "motion": motion}
        m["loads"][f"f{i}"] = {"type": "force", "to": f"b{i}", "value": list(force)[:n]}
    m.update(more)
    return m


def wheel(motion, rating, J=.5, to=1, step=.01, rotor=None, **more):
    """A flywheel in the plane on a rated drive."""
    d = {"coordinate": "j.angle", "motion": motion, "rating": rating}
    if rotor:
        d["rotor"] = rotor
    return {"roberval": 1, "space": "planar", "bodies": {"w": {"mass": 1, "inertia": J}}, "joints": {"j": {"type": "revolute", "between": ["ground", "w"]}},
            "drives": {"m": d}, "motion": {"from": 0, "to": to, "step": step}, **more}


ENGINE = {
    "roberval": 1, "space": "planar", "gravity": [0, -9.81],
    "bodies": {"crank": {"mass": 2, "inertia": .004, "markers": {"A": [.05, 0]}},
               "rod": {"mass": 1, "inertia": .005, "centroid": [.07, 0], "pose": {"at": [.05, 0]}, "markers": {"B": [.2, 0]}},
               "piston": {"mass": 1.5, "inertia": .002, "pose": {"at": [.25, 0]}}},
    "joints": {"main": {"type": "revolute", "between": ["ground", "crank"]}, "crankpin": {"type": "revolute", "between": ["crank.A", "rod"]},
               "wrist": {"type": "revolute", "between": ["rod.B", "piston"]}, "bore": {"type": "prismatic", "between": ["ground", "piston"]}},
    "drives": {"motor": {"coordinate": "main.angle", "motion": "60*t + 0.3*sin(40*t)", "rotor": {"inertia": 4e-4, "ratio": 5}}},
    "loads": {"gas": {"type": "force", "to": "piston", "value": ["-2000*step(bore.distance', 0, 0, 1[m/s], 1)", 0]}},
    "output": {"w": "main.angle'", "al": "main.angle''", "wp": "crankpin.angle'", "v": "bore.distance'"},
    "motion": {"from": 0, "to": .1, "step": "0.5 ms"}}
RATING = {"continuous": 12, "peak": 30, "speed": "4500 rpm", "efficiency": .9}


def engine(rating=True, **joints):
    m = copy.deepcopy(ENGINE)
    if rating:
        m["drives"]["motor"]["rating"] = dict(RATING)
    for j, keys in joints.items():
        m["joints"][j].update(keys)
    return m


PAIR_A = {"at": "-40 mm", "series": "deep-groove", "C": "20 kN", "C0": "11 kN", "f0": 14}
PAIR_B = {"at": "60 mm", "series": "cylindrical-roller", "C": "30 kN", "C0": "26 kN", "floating": True}
PLAIN = {"diameter": "20 mm", "width": "15 mm", "p": "20 MPa", "v": "2 m/s", "pv": "1 MPa.m/s", "wear": "1e-15 m^2/N", "depth": "0.1 mm"}
RATED = dict(main={"bearing": {"series": "deep-groove", "C": "14 kN", "C0": "7.8 kN", "f0": 13}}, bore={"guide": {"C": "25 kN", "C0": "40 kN", "mz": 250, "per": "50 km"}},
             crankpin={"plain": {"diameter": "20 mm", "width": "15 mm", "p": "20 MPa", "v": "2 m/s", "pv": "1 MPa.m/s", "wear": "1e-15 m^2/N", "depth": "0.1 mm"}})


def shaft(bearings, force=(0, -900, 0), place=(0, 0, .1), motion="60[rpm]*t", joint="revolute", **more):
    """A shaft along z in space, carried by `bearings` of one hinge at its origin, pulled at `place`."""
    m = {"roberval": 1, "space": "spatial", "bodies": {"s": {"mass": 4, "inertia": [.02, .03, .01], "centroid": [0, .002, .03], "markers": {"P": list(place)}}},
         "joints": {"h": {"type": joint, "between": ["ground", "s"], "bearings": bearings}}, "drives": {"d": {"coordinate": "h.angle", "motion": motion}},
         "loads": {"F": {"type": "force", "to": "s.P", "value": list(force)}}, "motion": {"from": 0, "to": 1, "step": .01}}
    m.update(more)
    return m


def slide(space, motion="0.2*sin(2*pi*t)", guide=None, force=(0, 300, 400), torque=(5, 6, 7)):
    flat = space == "planar"
    keys = {"C": "25 kN", "C0": "40 kN", "mz": 250, "m0z": 500, "per": "50 km", **({} if flat else {"mx": 300, "my": 200, "m0x": 600, "m0y": 400}), **(guide or {})}
    return {"roberval": 1, "space": space, "bodies": {"b": {"mass": 2, "inertia": 1 if flat else [1, 1, 1]}}, "joints": {"g": {"type": "prismatic", "between": ["ground", "b"], "guide": keys}},
            "drives": {"d": {"coordinate": "g.distance", "motion": motion}}, "loads": {"F": {"type": "force", "to": "b", "value": list(force)[:2 if flat else 3]}, "T": {"type": "torque", "to": "b", "value": torque[2] if flat else list(torque)}},
            "motion": {"from": 0, "to": 1, "step": .01}}


class Sizing(cli.Case):
    def sizing(self, model, command="inverse", *flags, **options):
        self.done = self.ok(model, command, *flags, **options)
        return self.done.result["sizing"]

    def same(self, got, want, relative=1e-9, what=""):
        self.assertIsNotNone(got, what)
        self.near(got, want, relative * abs(want) + 1e-300, what)

    def figure(self, item, name, want, most, what=""):
        """A figure that is an integral: right within the error it states, which is at most `most` of it."""
        got, error = item[name], item["errors"].get(name)
        self.assertIsNotNone(got, f"{what} {name}: null, {item['why']}")
        self.assertIsNotNone(error, f"{what} {name} states no error")
        self.near(got, want, error + 1e-12 * abs(want), f"{what} {name} (states an error of {error:.3g})")
        self.assertLessEqual(error, most * abs(want), f"{what} {name}: the error stated is large; it is right to {abs(got - want):.3g} of {want:.6g}")

    def nothing(self, item, *names):
        for n in names:
            self.assertIsNone(item[n], f"{n}: {item[n]} although {item['verdict']}")
        self.assertTrue(item["why"], "no reason given")

    def notes(self):
        return " | ".join(self.done.result["notes"]).lower()

    def refused(self, model, place, *words, command="inverse", files=None):
        """Exit 2, and an error whose place is a line with `place` in it (model written one key a line), with each of the words."""
        text = json.dumps(model, indent=1)
        done = cli.run_model(text, command, files=files)
        self.assertEqual(done.code, 2, done.said())
        self.assertTrue(done.errors, done.said())
        lines = text.splitlines()
        self.assertTrue([e for e in done.errors if place in lines[e.line - 1] and all(w in e.text for w in words)], done.said())
