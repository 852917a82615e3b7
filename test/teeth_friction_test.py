#!/usr/bin/env python3
"""Friction of teeth that roll at the pitch point: gears of parallel axes and of axes that meet, and racks, in the plane and in space.

With the mean distance r of the contact from the pitch point and the tooth force F = k Ft, k^2 = 1 + (tan a/cos b)^2 + tan^2 b, a couple C = mu F r opposes the turn of the wheels against each other.
So an external pair passes on (1 - mu k r/r2)/(1 + mu k r/r1) of its power, an internal one (1 + mu k r/r2)/(1 + mu k r/r1), r1 driving and the smaller; bevels of right angles turn against each other
about the line to the pitch point, with sin and cos of the pitch angle.
Tolerances.  inverse: 1e-10, rounding.  simulate: tolerance 1e-9 of a step, 1e-7.  --hold: 1e-8.
"""
import math
import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "py"))
import numpy as np      # noqa: E402
import cli              # noqa: E402

R1, R2, I1, I2, RUB, MU = 0.02, 0.05, 1e-4, 2e-3, 0.003, 0.1
STILL = 1e-15          # rad: rounding of one position


def factor(alpha=0.0, beta=0.0):
    return math.sqrt(1 + (math.tan(alpha) / math.cos(beta)) ** 2 + math.tan(beta) ** 2)


def pair(space, mu=MU, internal=False, alpha=0.0, beta=0.0, loads=None, rub=None, radius=RUB, **more):
    """wheels 1 and 2 on hinges of ground; loads T1, T2 about z"""
    at = (R2 - R1 if internal else R1 + R2)
    mesh = {"type": "gear", "between": ["one", "two"], "radii": [R1, R2], "pressure_angle": alpha, "helix_angle": beta, "friction": {"coefficient": mu, "radius": radius, **(rub or {})}}
    if internal:
        mesh["internal"] = True
    if space == "planar":
        bodies = {"one": {"mass": 1, "inertia": I1}, "two": {"mass": 2, "inertia": I2, "pose": {"at": [at, 0]}}}
    else:
        bodies = {"one": {"mass": 1, "inertia": [I1] * 3}, "two": {"mass": 2, "inertia": [I2] * 3, "pose": {"at": [at, 0, 0]}}}
    torque = {name: {"type": "torque", "to": body, "value": value if space == "planar" else [0, 0, value]} for name, (body, value) in (loads or {}).items()}
    joints = {"A": {"type": "revolute", "between": ["ground", "one"]}, "B": {"type": "revolute", "between": ["ground", "two"], "at": [at, 0] + ([] if space == "planar" else [0])}, "mesh": mesh}
    return {"roberval": 1, "space": space, "gravity": [0, 0] if space == "planar" else [0, 0, 0], "bodies": bodies, "joints": joints, "loads": torque, "motion": {"from": 0, "to": 1, "step": 0.25}, **more}


SPACES = ("planar", "spatial")


class Pairs(cli.Case):
    def test_efficiency_of_a_stage(self):
        """the drive on wheel 1 pulls wheel 2 against 3 N m, either way round: also the other way, driven back by what it lifts"""
        for space in SPACES:
            for internal in (False, True):
                for alpha, beta in ((0, 0), (math.radians(20), 0), (math.radians(20), math.radians(15))):
                    k, s = factor(alpha, beta), -1 if internal else 1
                    for way in (1, -1):
                        for torque in (3, -3):
                            model = pair(space, MU, internal, alpha, beta, {"load": ("two", torque)}, drives={"d": {"coordinate": "A.angle", "motion": f"{way}*10*t"}},
                                         output={"lost": f"d.effort*A.angle' + {torque}[N.m]*B.angle'"})
                            done = self.ok(model, "inverse")
                            rates = way * 10, -s * way * 10 * R1 / R2
                            e = MU * k * RUB * (-1 if rates[1] > rates[0] else 1)      # of |Ft|: the couple on wheel 2
                            # one: d + s r1 f - e |f| = 0;   two: torque + r2 f + e |f| = 0
                            f = [f for f in (-torque / (R2 + e), -torque / (R2 - e)) if abs(torque + R2 * f + e * abs(f)) < 1e-12][0]
                            self.near(done.series["d.effort"], e * abs(f) - s * R1 * f + 0 * done.time, 1e-10)
                            self.near(done.series["mesh.F"], k * abs(f) + 0 * done.time, 1e-9)
                            self.near(done.series["mesh.friction"], e * abs(f) + 0 * done.time, 1e-10)
                            self.near(done.series["lost"], MU * k * abs(f) * RUB * abs(rates[1] - rates[0]) + 0 * done.time, 1e-9)
                            self.assertEqual(done.units["mesh.friction"], "N.m")
                            self.assertEqual({done.marks[n] for n in ("mesh.friction", "mesh.F", "d.effort")}, {"unique"})
                            if torque * rates[1] < 0:                                  # it is driven from wheel 1
                                eta = (1 - s * MU * k * RUB / R2) / (1 + MU * k * RUB / R1)
                                self.near(-torque * rates[1] / (done.series["d.effort"] * rates[0]), eta + 0 * done.time, 1e-10)

    @cli.long
    def test_two_wheels_run_as_their_equations_say(self):
        """x the acceleration of wheel 1: I1 x = T1 + s r1 f - e |f|,   -s I2 x r1/r2 = T2 + r2 f + e |f|; from rest, through the end of slip and back: T1 changes at 0.5 s"""
        for space in SPACES:
            for internal in (False, True):
                s, k, alpha = -1 if internal else 1, factor(math.radians(25)), math.radians(25)
                model = pair(space, MU, internal, alpha, 0, {"pull": ("one", "if(t < 0.5[s], 0.5, -0.7)"), "load": ("two", "-0.3")})
                done = self.ok(model, "simulate", "--tolerance", "1e-10")

                def acceleration(T1, way):
                    for sign in (1, -1):                                               # of f
                        e = MU * k * RUB * (1 if way * (s * R1 / R2 + 1) > 0 else -1)
                        x, f = np.linalg.solve([[I1, -s * R1 + e * sign], [-s * I2 * R1 / R2, -R2 - e * sign]], [T1, -0.3])
                        if f * sign > 0:
                            return x
                a, b, c = acceleration(0.5, 1), acceleration(-0.7, 1), acceleration(-0.7, -1)
                self.assertTrue(a > 0 and b < 0 and c < 0)
                turn = 0.5 - 0.5 * a / b
                rate = [a * t if t < 0.5 else 0.5 * a + b * (t - 0.5) if t < turn else c * (t - turn) for t in done.time]
                self.near(done.series["A.angle'"], np.array(rate), 1e-6 * max(map(abs, rate)))
                self.assertLess(abs(done.result["integration"]["energy_error"]), 1e-7 * max(map(abs, done.series["energy"])))

    def test_breakaway(self):
        """load on wheel 2: wheel 1 is held between T2 r1/r2 (1 -+ m/r1)/(1 +- m/r2), m = static k r; simulate moves just beyond, and stays exactly within"""
        static, alpha, T2 = 0.4, math.radians(20), 2.0
        m = static * factor(alpha) * RUB
        ends = [T2 * R1 / R2 * (1 - m / R1) / (1 + m / R2), T2 * R1 / R2 * (1 + m / R1) / (1 - m / R2)]
        for space in SPACES:
            model = pair(space, MU, False, alpha, 0, {"pull": ("one", "T"), "load": ("two", T2)}, rub={"static": static}, parameters={"T": "0.8 N.m"})
            hold = self.ok(model, "statics", "--hold", "T").result["hold"]
            self.near([hold["min"], hold["max"]], ends, 1e-8)
            self.assertEqual(hold["at_limit"] if "at_limit" in hold else ["mesh"], ["mesh"])
            for T, moves in ((ends[0] * 0.999, True), (ends[0] * 1.001, False), (ends[1] * 0.999, False), (ends[1] * 1.001, True)):
                done = self.ok(model, "simulate", "--set", f"T={T!r} N.m")
                drift = max(abs(done.series["A.angle"]))
                if moves:
                    self.assertGreater(drift, 1)                                       # the coefficient of sliding is far below
                else:
                    self.assertLess(drift, STILL)
                    self.assertLess(max(abs(done.series["B.angle"])), STILL)

    def test_a_pair_that_cannot_be_driven_back(self):
        """m = mu r k >= r1: no torque on wheel 2 turns wheel 1; wheel 1 still turns wheel 2. Such teeth are of clocks at worst, the law is the same"""
        radius = 0.25                                                                  # mu r = 25 mm > r1 = 20 mm
        for space in SPACES:
            model = pair(space, MU, loads={"load": ("two", "T")}, radius=radius, parameters={"T": "1 N.m"})
            hold = self.ok(model, "statics", "--hold", "T").result["hold"]
            self.assertEqual((hold["min"], hold["max"]), (None, None))
            still = self.ok(model, "simulate", "--set", "T=10 N.m", "--to", "1e4", "--step", "5e3")
            for name in ("A.angle", "B.angle", "A.angle'", "B.angle'"):
                self.assertLess(max(abs(still.series[name])), STILL, name)
            driven = self.ok(pair(space, MU, loads={"load": ("two", "-1")}, radius=radius, drives={"d": {"coordinate": "A.angle", "motion": "-10*t"}}), "inverse")
            self.near(driven.series["d.effort"], -R1 / R2 * (1 + MU * radius / R1) / (1 - MU * radius / R2) + 0 * driven.time, 1e-10)

    def test_a_planet_gear_of_high_ratio_locks(self):
        """Two internal steps on one arm: the arm turns (1 - z1 z4/(z2 z3))^-1 times the output. Driven backwards its two losses are of the great power that runs round in it, and it stays; driven
        forwards it goes with the efficiency of the same balance, computed here body by body"""
        ra, rb, rc, rd = 0.10, 0.08, 0.081, 0.101                                      # fixed ring a with planet b; planet c, on the same shaft, with ring d: e = a - b = d - c
        self.assertAlmostEqual(ra - rb, rd - rc)
        e, m = ra - rb, MU * RUB
        bodies = {"arm": {"mass": 1, "inertia": 1e-3}, "planet": {"mass": 1, "inertia": 1e-3, "pose": {"at": [e, 0]}}, "out": {"mass": 1, "inertia": 1e-2}}
        rub = {"coefficient": MU, "radius": RUB}
        joints = {"A": {"type": "revolute", "between": ["ground", "arm"]}, "P": {"type": "revolute", "between": ["arm", "planet"], "at": [e, 0]}, "B": {"type": "revolute", "between": ["ground", "out"]},
                  "fixed": {"type": "gear", "between": ["planet", "ground"], "radii": [rb, ra], "internal": True, "carrier": "arm", "pressure_angle": 0, "friction": rub},
                  "moving": {"type": "gear", "between": ["planet", "out"], "radii": [rc, rd], "internal": True, "carrier": "arm", "pressure_angle": 0, "friction": rub}}
        model = {"roberval": 1, "space": "planar", "gravity": [0, 0], "bodies": bodies, "joints": joints, "motion": {"from": 0, "to": 1, "step": 0.25}}
        load = {"load": {"type": "torque", "to": "out", "value": "T"}}
        hold = self.ok({**model, "loads": load, "parameters": {"T": "1 N.m"}}, "statics", "--hold", "T").result["hold"]
        # forces of the teeth on the planet f1, f2 (tangential), couples g1, g2 within m |f|: out: T = rd f2 + g2, planet: rb f1 + rc f2 + g1 + g2 = 0, arm (free): f1 + f2 = 0 (no torque about its axle)
        # so (rc - rb) f2 + g1 + g2 = 0: |rc - rb| = 1 mm against 2 m = 0.6 mm: it runs; with r = 6 mm, 1.2 mm, it locks
        self.assertAlmostEqual(hold["min"], 0, 9)
        self.assertAlmostEqual(hold["max"], 0, 9)
        joints["fixed"]["friction"] = joints["moving"]["friction"] = {"coefficient": MU, "radius": 2 * RUB}
        hold = self.ok({**model, "loads": load, "parameters": {"T": "1 N.m"}}, "statics", "--hold", "T").result["hold"]
        self.assertEqual((hold["min"], hold["max"]), (None, None))
        still = self.ok({**model, "loads": load, "parameters": {"T": "100 N.m"}}, "simulate")
        self.assertLess(max(abs(still.series["A.angle"])), STILL)
        m *= 2
        driven = self.ok({**model, "loads": load, "parameters": {"T": "100 N.m"}, "drives": {"d": {"coordinate": "A.angle", "motion": "10*t"}}}, "inverse")
        w_planet, w_out = 10 * (1 - ra / rb), 10 + 10 * (1 - ra / rb - 1) * rc / rd
        best = []
        for f1 in (1, -1):
            for f2 in (1, -1):                                                         # their signs; couples on the planet oppose its turn against each ring
                g1, g2 = -m * np.sign(w_planet), -m * np.sign(w_planet - w_out)
                F1, F2 = np.linalg.solve([[rb + g1 * f1, rc + g2 * f2], [0, rd + g2 * f2]], [0, 100])
                if F1 * f1 > 0 and F2 * f2 > 0:
                    best.append((F1 + F2) * e)
        self.assertEqual(len(best), 1)
        self.near(abs(driven.series["d.effort"]), abs(best[0]) + 0 * driven.time, 1e-9)
        lost = driven.series["d.effort"][0] * 10 + 100 * w_out
        self.assertGreater(lost, 0)
        self.near(lost, m * (abs(driven.series["fixed.F"][0] * w_planet) + abs(driven.series["moving.F"][0] * (w_planet - w_out))), 1e-8)

    def test_what_is_asked_for(self):
        for space in SPACES:
            model = pair(space)
            del model["joints"]["mesh"]["friction"]["radius"]
            done = cli.run_model(model, "check")
            self.assertEqual(done.code, 2)
            self.assertRegex(done.err, "friction in 'mesh' needs the radius of its teeth, the mean distance of their contact from the pitch point: friction: {coefficient, radius}")
        worm = pair("spatial")
        worm["joints"]["mesh"] = {"type": "belt", "between": ["one", "two"], "radii": [R1, R2], "friction": {"coefficient": MU, "radius": RUB}}
        self.assertEqual(cli.run_model(worm, "check").code, 2)


def bevel(mu, r1, r2, loads, carried=False, **more):
    """axes z and x of ground, apex at the origin; pitch circles at (0, 0, r2) and (r1, 0, 0), pitch point (r1, 0, r2)"""
    bodies = {"ground": {"markers": {"A": {"at": [0, 0, r2], "axis": [0, 0, 1]}, "B": {"at": [r1, 0, 0], "axis": [1, 0, 0]}}},
              "one": {"mass": 1, "inertia": [I1] * 3, "pose": {"at": [0, 0, r2]}}, "two": {"mass": 1, "inertia": [I2] * 3, "pose": {"at": [r1, 0, 0]}, "markers": {"c": {"at": [0, 0, 0], "axis": [1, 0, 0]}}}}
    joints = {"A": {"type": "revolute", "between": ["ground.A", "one"]}, "B": {"type": "revolute", "between": ["ground.B", "two.c"]},
              "mesh": {"type": "bevel", "between": ["one", "two.c"], "radii": [r1, r2], "pressure_angle": "20 deg", "friction": {"coefficient": mu, "radius": RUB}}}
    if carried:
        bodies["frame"] = {"mass": 3, "inertia": [0.1] * 3, "markers": bodies["ground"]["markers"]}
        joints["A"]["between"][0], joints["B"]["between"][0], joints["mesh"]["carrier"] = "frame.A", "frame.B", "frame"
        joints["swing"] = {"type": "revolute", "between": ["ground", "frame"], "axis": [1, 2, 2]}
    return {"roberval": 1, "space": "spatial", "gravity": [0, 0, 0], "bodies": bodies, "joints": joints, "motion": {"from": 0, "to": 1, "step": 0.25},
            "loads": {name: {"type": "torque", "to": body, "value": value} for name, (body, value) in loads.items()}, **more}


class Bevels(cli.Case):
    def test_efficiency(self):
        """they turn against each other about the line to the pitch point, with sqrt(w1^2 + w2^2): couples C r2/l and C r1/l about the axes, l = |(r1, r2)|"""
        k = factor(math.radians(20))
        for r1, r2 in ((0.02, 0.05), (0.04, 0.03)):
            for way in (1, -1):
                load = -2 * (1 if way > 0 else -1)
                model = bevel(MU, r1, r2, {"load": ("two", [load, 0, 0])}, drives={"d": {"coordinate": "A.angle", "motion": f"{way}*10*t"}}, output={"lost": f"d.effort*A.angle' + {load}[N.m]*B.angle'", "w2": "B.angle'"})
                done = self.ok(model, "inverse")
                w2 = done.series["w2"]
                self.near(abs(w2), 10 * r1 / r2 + 0 * w2, 1e-10)
                length = math.hypot(r1, r2)
                lost = MU * done.series["mesh.F"] * RUB * math.hypot(10, 10 * r1 / r2)
                self.near(done.series["lost"], lost, 1e-9)
                drives = load * w2[0] < 0
                Ft = 2 / (r2 - MU * k * RUB * r1 / length * (1 if drives else -1))
                self.near(done.series["mesh.F"], k * Ft + 0 * w2, 1e-9)
                self.near(abs(done.series["d.effort"]), Ft * (r1 + MU * k * RUB * r2 / length * (1 if drives else -1)) + 0 * w2, 1e-9)
                self.assertEqual(done.marks["mesh.friction"], "unique")

    def test_what_holds(self):
        """T1 between T2 (r1 -+ m r2/l)/(r2 +- m r1/l), m = mu k r; within it nothing moves, beyond it does"""
        r1, r2 = 0.04, 0.03
        m, length = 0.3 * factor(math.radians(20)) * RUB, math.hypot(r1, r2)
        ends = [2 * (r1 - m * r2 / length) / (r2 + m * r1 / length), 2 * (r1 + m * r2 / length) / (r2 - m * r1 / length)]
        model = bevel(0.3, r1, r2, {"load": ("two", [2, 0, 0]), "pull": ("one", [0, 0, "T"])}, parameters={"T": "2.6 N.m"})
        found = []
        for sign in (1, -1):
            hold = self.ok(model, "statics", "--hold", "T", "--set", f"T={2.6 * sign} N.m").result["hold"]
            found.append(sorted((abs(hold["min"]), abs(hold["max"]))))
        self.near(found, [ends, ends], 1e-8)
        sign = math.copysign(1, hold["min"])
        for T, moves in ((ends[0] * 0.99, True), (ends[0] * 1.01, False), (ends[1] * 0.99, False), (ends[1] * 1.01, True)):
            done = self.ok(model, "simulate", "--set", f"T={sign * T!r} N.m")
            self.assertEqual(max(abs(done.series["A.angle"])) > STILL, moves)

    @cli.long
    def test_on_a_frame_that_swings_the_balance_of_energy_holds(self):
        """wheels and frame are driven by torques and turn about different axes: the audit of forces, powers and energy"""
        model = bevel(0.2, 0.02, 0.05, {"push": ("one", [0, 0, 0.3]), "turn": ("frame", [0.5, 0.2, 0.1])}, carried=True, initial={"A.angle'": 3, "swing.angle'": 1})
        done = self.ok(model, "simulate", "--tolerance", "1e-10")
        self.assertLess(abs(done.result["integration"]["energy_error"]), 1e-7 * max(map(abs, done.series["energy"])))
        slide = np.abs(done.series["mesh.friction"])
        self.near(slide, 0.2 * RUB * done.series["mesh.F"], 1e-9)


class Racks(cli.Case):
    def rack(self, space, mu, loads, **more):
        """rack along x, driven wheel above it"""
        flat = space == "planar"
        bodies = {"bar": {"mass": 2, "inertia": 0.01 if flat else [0.01] * 3}, "wheel": {"mass": 1, "inertia": I1 if flat else [I1] * 3, "pose": {"at": [0, R1] + ([] if flat else [0])}}}
        guide = {"type": "prismatic", "between": ["ground", "bar"]}
        if not flat:
            guide.update(at=[0, 0, 0], axis=[1, 0, 0])
        joints = {"G": guide, "A": {"type": "revolute", "between": ["ground", "wheel"], "at": [0, R1] + ([] if flat else [0])},
                  "mesh": {"type": "rack", "between": ["bar", "wheel"], "radius": R1, "friction": {"coefficient": mu, "radius": RUB}}}
        return {"roberval": 1, "space": space, "gravity": [0, 0] if flat else [0, 0, 0], "bodies": bodies, "joints": joints, "loads": loads, "motion": {"from": 0, "to": 1, "step": 0.25}, **more}

    def test_efficiency_and_what_holds(self):
        """the wheel turns w against the rack: its torque is F (r1 + mu r) to push F, F (r1 - mu r) to be driven"""
        for space in SPACES:
            zero = [0] if space == "planar" else [0, 0]
            for way in (1, -1):
                for F in (40, -40):
                    done = self.ok(self.rack(space, MU, {"load": {"type": "force", "to": "bar", "value": [F] + zero}}, drives={"d": {"coordinate": "A.angle", "motion": f"{way}*10*t"}}), "inverse")
                    rate = done.series["x(bar)'"] if "x(bar)'" in done.series else None
                    drives = abs(done.series["d.effort"][0]) > 40 * R1
                    self.near(abs(done.series["d.effort"]), 40 * (R1 + MU * RUB * (1 if drives else -1)) + 0 * done.time, 1e-10)
                    self.assertEqual(drives, done.series["d.effort"][0] * way > 0)      # power in
                    self.near(abs(done.series["mesh.friction"]), 40 * MU * RUB + 0 * done.time, 1e-11)
                    self.assertLess(max(done.series["mesh.friction"] * way), 0)
                    del rate
            torque = "T" if space == "planar" else [0, 0, "T"]
            model = self.rack(space, MU, {"load": {"type": "force", "to": "bar", "value": [40] + zero}, "brake": {"type": "torque", "to": "wheel", "value": torque}}, parameters={"T": f"{40 * R1} N.m"})
            signs = []
            for sign in (1, -1):
                hold = self.ok(model, "statics", "--hold", "T", "--set", f"T={sign * 40 * R1} N.m").result["hold"]
                signs.append((hold["min"], hold["max"]))
            ends = sorted(abs(x) for x in signs[0])
            self.near(ends, [40 * (R1 - MU * RUB), 40 * (R1 + MU * RUB)], 1e-8)
            still = self.ok(model, "simulate", "--set", f"T={math.copysign(40 * (R1 + 0.99 * MU * RUB), signs[0][0])!r} N.m")
            self.assertLess(max(abs(still.series["A.angle"])), STILL)


class Modes(cli.Case):
    def test_a_pair_that_slides(self):
        """wheel 2 on a spring and a damper, loaded by T: f = -(T + I2 q2'')/(r2 + e) of the pair's equations, so that q1 has M = I1 + n I2 r1/r2, n c r1/r2 and n d r1/r2, n = (r1 - e)/(r2 + e), e of the sign
        of the slip and of f; in either direction of both"""
        c, d = 50.0, 0.02
        for space in SPACES:
            for way in (1, -1):
                for T in (4, -4):
                    model = pair(space, 0.3, loads={"load": ("two", f"{T} - {c}*B.angle - {d}*B.angle'")}, initial={"A.angle": 0, "A.angle'": 5 * way})
                    done = cli.run_model(model, "modes", "--json", out=False)
                    self.assertEqual(done.code, 0, done.said())
                    e = 0.3 * RUB * way * (-1 if T > 0 else 1)
                    n = (R1 - e) / (R2 + e)
                    want = np.roots([I1 + n * I2 * R1 / R2, n * d * R1 / R2, n * c * R1 / R2])
                    got = [complex(*m["eigenvalue"]) for m in done.json()["modes"]]
                    self.near(sorted(np.abs(got))[:1], sorted(np.abs(want))[:1], 1e-8 * abs(want[0]))
                    self.near([got[0].real], [want[0].real], 1e-8 * abs(want[0]))


if __name__ == "__main__":
    unittest.main()
