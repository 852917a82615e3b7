#!/usr/bin/env python3
"""Friction of bars and of constant-velocity joints in space: the same machine in the plane, closed forms, a swinging body by equations written here, and what friction holds.

Tolerances.  inverse: 1e-10, rounding. simulate: 1e-6, some tens of steps of 1e-9. --hold: 1e-8, as good as it says of itself.
"""
import json
import math
import os
import random
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "py"))
import numpy as np      # noqa: E402
import cli              # noqa: E402

L, CRANK, G = 0.5, 0.2, 9.81


def slider_crank(mu, radius, start=0.3, rub=None, **more):
    """a crank on a smooth shaft, a slider of 2 kg on a smooth rail, a rough bar between them: in the plane"""
    x, y = CRANK * math.cos(start), CRANK * math.sin(start)
    far = x + math.sqrt(L * L - y * y)
    return {"roberval": 1, "space": "planar",
            "bodies": {"crank": {"mass": 1, "inertia": 0.02, "pose": {"at": [0, 0], "angle": start}, "markers": {"A": [CRANK, 0]}}, "slider": {"mass": 2, "inertia": 0.1, "pose": {"at": [far, 0]}}},
            "joints": {"shaft": {"type": "revolute", "between": ["ground", "crank"]}, "rail": {"type": "prismatic", "between": ["ground", "slider"]},
                       "rod": {"type": "link", "between": ["crank.A", "slider"], "length": L, "friction": {"coefficient": mu, "radius": radius, **(rub or {})}}},
            "loads": {"work": {"type": "force", "to": "slider", "value": ["-30[N] - 20[N.s/m]*x(slider)'", 0]}}, "motion": {"from": 0, "to": 1, "step": 0.125}, **more}


def in_space(model):
    """the same in the xy plane of space; the crank's marker is turned, so that the bar's own axes are others there"""
    model = json.loads(json.dumps(model))
    model["space"] = "spatial"
    for body in model["bodies"].values():
        body["inertia"] = [0.9 * body["inertia"], 0.8 * body["inertia"], body["inertia"]]
        body["pose"]["at"].append(0)
        if "angle" in body["pose"]:
            body["pose"]["rotate"] = {"axis": [0, 0, 1], "angle": body["pose"].pop("angle")}
        for marker in body.get("markers", {}).values():
            marker.append(0)
    model["joints"]["rail"] = {"type": "prismatic", "between": ["ground", "slider"], "at": [0, 0, 0], "axis": [1, 0, 0]}
    for load in model["loads"].values():
        load["value"] = [0, 0, load["value"]] if load["type"] == "torque" else load["value"] + [0]
    return model


class Bars(cli.Case):
    def same(self, plane, space, tol):
        """bar and both ends: y lies along z, across the plane; nothing turns about x"""
        self.near(space.series["rod.F"], plane.series["rod.F"], tol * max(abs(plane.series["rod.F"])), "F")
        for end in ("first", "second"):
            most = max(abs(plane.series[f"rod.friction.{end}"]))
            self.near(space.series[f"rod.friction.{end}.ry"], plane.series[f"rod.friction.{end}"], tol * most, end)
            self.near(space.series[f"rod.friction.{end}.rx"], 0 * plane.time, tol * most, end)

    def test_inverse_as_in_the_plane(self):
        for mu, radius in ((0.1, 0.02), (0.4, 0.1)):
            model = slider_crank(mu, radius, drives={"motor": {"coordinate": "shaft.angle", "motion": "0.3 + 5*t"}})
            plane, space = (self.ok(m, "inverse") for m in (model, in_space(model)))
            self.near(space.series["motor.effort"], plane.series["motor.effort"], 1e-10)
            self.same(plane, space, 1e-11)
            self.assertEqual({space.marks[n] for n in space.marks if n.startswith(("rod.F", "rod.fr", "motor"))}, {"unique"})
            self.assertEqual({space.units[f"rod.friction.{n}"] for n in ("first.rx", "second.ry")}, {"N.m"})

    def test_simulate_as_in_the_plane(self):
        """thrown, it comes to rest and stays"""
        model = slider_crank(0.3, 0.05, 1.2, loads={"work": {"type": "force", "to": "slider", "value": ["-3[N] - 20[N.s/m]*x(slider)'", 0]}}, initial={"shaft.angle": 1.2, "shaft.angle'": 8},
                             motion={"from": 0, "to": 0.6, "step": 0.05})
        plane, space = (self.ok(m, "simulate") for m in (model, in_space(model)))
        self.near(space.series["shaft.angle"], plane.series["shaft.angle"], 1e-6)
        self.same(plane, space, 1e-6)
        self.assertLess(abs(space.result["integration"]["energy_error"]), 1e-6)

    def test_random_runs_as_in_the_plane(self):
        """they turn back many times, and come to rest"""
        for seed in range(6 if not cli.MORE else 30):
            rng = random.Random(seed)
            mu, radius, start, rate, force = rng.uniform(0.05, 0.5), rng.uniform(0.01, 0.1), rng.uniform(-3, 3), rng.uniform(-10, 10), rng.uniform(-40, 40)
            model = slider_crank(mu, radius, start, loads={"work": {"type": "force", "to": "slider", "value": [f"{force}[N] - 5[N.s/m]*x(slider)'", 0]}}, initial={"shaft.angle": start, "shaft.angle'": rate},
                                 motion={"from": 0, "to": 1, "step": 0.1})
            plane, space = (self.ok(m, "simulate") for m in (model, in_space(model)))
            self.near(space.series["shaft.angle"], plane.series["shaft.angle"], 1e-6, seed)

    def test_an_end_that_turns_back_does_not_stick(self):
        """Where the rod's turn is largest its end at the slider stands still for an instant, the machine does not: it slides back, as in the plane. Forces on the faces move nothing there, and could hold nothing."""
        model = slider_crank(0.48, 0.095, -2.66, loads={"work": {"type": "force", "to": "slider", "value": ["26.8[N] - 5[N.s/m]*x(slider)'", 0]}}, initial={"shaft.angle": -2.66, "shaft.angle'": -8.3}, motion={"from": 0, "to": 0.6, "step": 0.05})
        plane, space = (self.ok(m, "simulate") for m in (model, in_space(model)))
        told = [[(e["name"], e["kind"]) for e in done.result["integration"]["events"]] for done in (plane, space)]
        self.assertEqual(told[1], told[0])
        self.assertIn(("rod", "slip"), told[0])
        self.near(space.series["shaft.angle"], plane.series["shaft.angle"], 1e-6)

    @cli.long
    def test_it_holds_as_in_the_plane(self):
        """the force on the slider passes both friction circles (link_friction_test.py): the same interval, kept for ever within it and left beyond it"""
        for mu, radius in ((0.2, 0.02), (0.4, 0.1)):
            model = slider_crank(mu, radius, 0.04, parameters={"T": "0 N.m"}, loads={"work": {"type": "force", "to": "slider", "value": ["-30", 0]}, "hand": {"type": "torque", "to": "crank", "value": "T"}})
            rho, slope, ends = mu * radius, math.asin(CRANK * math.sin(0.04) / L), []
            for s in (-1, 1):
                tilt = slope + math.asin(2 * rho * s / L)
                ends.append(-30 / math.cos(tilt) * (CRANK * math.sin(0.04 + tilt) + s * rho))
            ends.sort()
            for build, rate in ((lambda model: model, "crank.omega"), (in_space, "crank.omegaz")):
                hold = self.ok(build(model), "statics", "--hold", "T").result["hold"]
                self.near([hold["min"], hold["max"]], ends, 1e-8)
                self.assertEqual(hold["at_limit"], ["rod"])
                still = self.ok(build({**model, "motion": {"from": 0, "to": 1e4, "step": 2500}}), "simulate", "--set", f"T={sum(ends) / 2!r} N.m")
                self.near(still.series["slider.x"], still.series["slider.x"][0] + 0 * still.time, 1e-14)
                self.near(still.series[rate], 0 * still.time, 1e-25)
                for T, moves in ((ends[1] - 1e-4, False), (ends[1] + 1e-4, True), (ends[0] + 1e-4, False), (ends[0] - 1e-4, True)):
                    done = self.ok(build({**model, "motion": {"from": 0, "to": 0.2, "step": 0.1}}), "simulate", "--set", f"T={T!r} N.m")
                    self.assertEqual(abs(done.series[rate][-1]) > 1e-9, moves, T)

    def test_struck_as_in_the_plane(self):
        """the slider runs against a stop, with and without restitution: the bar's ends rub in the impact"""
        for e in (0, 0.4):
            model = slider_crank(0.3, 0.05, 1.2, loads={}, initial={"shaft.angle": 1.2, "shaft.angle'": -6}, motion={"from": 0, "to": 0.2, "step": 0.02},
                                 stops={"wall": {"coordinate": "x(slider)", "max": 0.6, "restitution": e}})
            plane, space = (self.ok(m, "simulate") for m in (model, in_space(model)))
            self.assertIn("impact", [event["kind"] for event in space.result["integration"]["events"]])
            self.near(space.series["shaft.angle"], plane.series["shaft.angle"], 1e-6)
            self.near(space.series["rod.F.impulse"], plane.series["rod.F.impulse"], 1e-6)

    def test_a_rope_that_tightens(self):
        """a body that does not turn flies until its rope is taut: the blow P = m v_n along it, and k N across against the way, k = 2 mu r/l, N = P/sqrt(1 - k^2)"""
        mu, r, m, v = 0.4, 0.1, 2.0, np.array([3.0, 4.0])
        k = 2 * mu * r / L
        for space in (False, True):
            zero = [0] if space else []
            model = {"roberval": 1, "space": "spatial" if space else "planar", "gravity": [0, 0] + zero,
                     "bodies": {"b": {"mass": m, "inertia": [0.1] * 3 if space else 0.1, "pose": {"at": [0, -0.2] + zero}}},
                     "joints": {"level": {"type": "general", "locked": ["rx", "ry", "rz"], "between": ["ground", "b"]} if space else {"type": "parallel", "between": ["ground", "b"]},
                                "rope": {"type": "link", "between": ["ground", "b"], "length": L, "unilateral": True, "friction": {"coefficient": mu, "radius": r}}},
                     "initial": {"x(b)'": v[0], "y(b)'": v[1], **({"z(b)'": 0} if space else {})}, "motion": {"from": 0, "to": 0.4, "step": 0.01}, "output": {"u": "x(b)'", "w": "y(b)'"}}
            done = self.ok(model, "simulate")
            hit = next(e for e in done.result["integration"]["events"] if e["kind"] == "impact")["t"]
            at = np.array([0, -0.2]) + v * hit
            self.near(np.linalg.norm(at), L, 1e-8)
            n = at / L
            way = v - (v @ n) * n
            speed = np.linalg.norm(way)
            after = way * (1 - k * (v @ n) / math.sqrt(1 - k * k) / speed)
            sample = np.searchsorted(done.time, hit + 1e-9)
            # on the circle from there on: m dv/dt = -k N with N sqrt(1 - k^2) = m v^2/l, so 1/v grows by k/(l sqrt(1 - k^2)) each second
            left = 1 / (1 / np.linalg.norm(after) + k / (L * math.sqrt(1 - k * k)) * (done.time[sample] - hit))
            self.near(math.hypot(done.series["u"][sample], done.series["w"][sample]), left, 1e-7)

    def test_modes_as_in_the_plane(self):
        """beside a motion eigenvalues belong to coordinates, which are others in space; what friction adds to their sum does not"""
        shift = []
        for build in (lambda model: model, in_space):
            total = []
            for mu in (0.0, 0.2):
                model = slider_crank(mu, 0.05, 1.2, initial={"shaft.angle": 1.2, "shaft.angle'": 4}, loads={"work": {"type": "force", "to": "slider", "value": ["-30[N] - 200[N/m]*x(slider) - 20[N.s/m]*x(slider)'", 0]}})
                total.append(sum(m["eigenvalue"][0] for m in self.ok(build(model), "modes").result["modes"]))
            shift.append(total[1] - total[0])
        self.assertGreater(abs(shift[0]), 0.01)
        self.near(shift[1], shift[0], 1e-7)

    def test_a_body_that_does_not_turn(self):
        """on a sphere about the bar's foot: both couples are mu N r against the turn of the bar, N = |F|/sqrt(1 - (2 mu r/l)^2), and 2 mu r N/l acts against the way. Newton's law says the rest."""
        for upright in (False, True):
            at = np.array([0.1, -0.15, -math.sqrt(L * L - 0.0325)]) if upright else np.array([0.4, -0.15, -math.sqrt(L * L - 0.1825)])
            mu, r, m, rate = 0.3, 0.1, 2.0, np.array([-0.08, 0.13])
            model = {"roberval": 1, "space": "spatial", "gravity": [0, 0, -G], "bodies": {"b": {"mass": m, "inertia": [0.1, 0.1, 0.1], "pose": {"at": list(at)}}},
                     "joints": {"level": {"type": "general", "locked": ["rx", "ry", "rz"], "between": ["ground", "b"]}, "bar": {"type": "distance", "between": ["ground", "b"], "friction": {"coefficient": mu, "radius": r}}},
                     "drives": {"X": {"coordinate": "x(b)", "motion": f"{at[0]} + {rate[0]}*t"}, "Y": {"coordinate": "y(b)", "motion": f"{at[1]} + {rate[1]}*t"}}, "motion": {"from": 0, "to": 1, "step": 0.25}}
            done = self.ok(model, "inverse")
            for k, t in enumerate(done.time):
                x = at[:2] + rate * t
                z = -math.sqrt(L * L - x @ x)
                zr = -(x @ rate) / z
                p, v, a = np.array([*x, z]), np.array([*rate, zr]), np.array([0, 0, -(rate @ rate + zr * zr) / z])
                n, way, ratio = p / L, v / np.linalg.norm(v), 2 * mu * r / L
                # m (a - g) = -F n - ratio N way + (X, Y, 0), N = |F|/sqrt(1 - ratio^2): the third says F, of either sign
                root = math.sqrt(1 - ratio * ratio)
                F = next(F for F in (m * (a[2] + G) / (-n[2] - s * ratio / root * way[2]) for s in (1, -1)) if abs(m * (a[2] + G) + F * n[2] + ratio * abs(F) / root * way[2]) < 1e-9)
                N = abs(F) / root
                X = m * a[:2] + F * n[:2] + ratio * N * way[:2]
                self.near(done.series["bar.F"][k], F, 1e-10)
                self.near([done.series["X.effort"][k], done.series["Y.effort"][k]], X, 1e-10)
                # the couple on the bar, against n x v; in the bar's own axes
                y = np.array([0, 0, 1.0]) if not upright else np.array([1.0, 0, 0])
                y = y - (y @ n) * n
                y /= np.linalg.norm(y)
                M = -mu * r * N * np.cross(n, way)
                self.near([done.series["bar.friction.first.rx"][k], done.series["bar.friction.first.ry"][k]], [M @ np.cross(y, n), M @ y], 1e-10)
                self.near([done.series["bar.friction.second.rx"][k], done.series["bar.friction.second.ry"][k]], [-M @ np.cross(y, n), -M @ y], 1e-10)

    @cli.long
    def test_a_body_that_swings_and_turns(self):
        """hung by a marker beside its centre, it turns on the bar while the bar swings: Runge and Kutta on Newton's and Euler's equations"""
        mu, r, m, J, s = 0.25, 0.03, 1.5, np.array([0.02, 0.03, 0.025]), np.array([0.05, -0.1, 0.2])
        n0 = np.array([0.6, 0.0, -0.8])
        w0, bar0 = np.array([3.0, -2.0, 4.0]), np.array([0.8, 2.5, 0.6])       # of the body; of the bar, square to it
        p0 = L * n0 - s
        v0 = np.cross(bar0, L * n0) - np.cross(w0, s)

        def turned(q):
            w, x, y, z = q
            return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)], [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)], [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])

        def forces(p, R, v, w, F):
            arm = R @ s
            P, Pv = p + arm, v + np.cross(w, arm)
            n = P / L
            bar = np.cross(n, Pv) / L
            turn = w - bar - ((w - bar) @ n) * n
            e1, e2 = bar / np.linalg.norm(bar), turn / np.linalg.norm(turn)
            part = mu * r / L * np.linalg.norm(e2 - e1)
            N = abs(F) / math.sqrt(1 - part * part)
            M1, M2 = -mu * r * N * e1, -mu * r * N * e2                    # on the bar at its foot, on the body
            force = -F * n + np.cross(M1 - M2, n) / L
            Jw = R @ np.diag(J) @ R.T
            a = np.array([0, 0, -G]) + force / m
            alpha = np.linalg.solve(Jw, np.cross(arm, force) + M2 - np.cross(w, Jw @ w))
            away = n @ (a + np.cross(alpha, arm) + np.cross(w, np.cross(w, arm))) + Pv @ Pv / L
            return a, alpha, away, N

        def rates(y):
            p, q, v, w = y[:3], y[3:7], y[7:10], y[10:]
            R = turned(q / np.linalg.norm(q))
            none, one = forces(p, R, v, w, 0.0)[2], forces(p, R, v, w, 1.0)[2]
            F = none / (none - one)
            assert F > 0
            a, alpha, _, N = forces(p, R, v, w, F)
            dq = 0.5 * np.array([-q[1:] @ w, *(q[0] * w + np.cross(w, q[1:]))])
            return np.array([*v, *dq, *a, *alpha]), F, N

        y, h, places, tension = np.array([*p0, 1, 0, 0, 0, *v0, *w0]), 1e-4, [p0], [rates(np.array([*p0, 1, 0, 0, 0, *v0, *w0]))[1]]
        for k in range(3000):
            k1 = rates(y)[0]
            k2 = rates(y + h / 2 * k1)[0]
            k3 = rates(y + h / 2 * k2)[0]
            k4 = rates(y + h * k3)[0]
            y = y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
            if k % 500 == 499:
                places.append(y[:3])
                tension.append(rates(y)[1])
        model = {"roberval": 1, "space": "spatial", "gravity": [0, 0, -G], "bodies": {"b": {"mass": m, "inertia": list(J), "pose": {"at": list(p0)}, "markers": {"P": list(s)}}},
                 "joints": {"bar": {"type": "link", "between": ["ground", "b.P"], "friction": {"coefficient": mu, "radius": r}}},
                 "initial": {"x(b)'": v0[0], "y(b)'": v0[1], "wx(b)": w0[0], "wy(b)": w0[1], "wz(b)": w0[2]}, "motion": {"from": 0, "to": 0.3, "step": 0.05}}
        done = self.ok(model, "simulate")
        self.near(np.array([done.series["b.x"], done.series["b.y"], done.series["b.z"]]).T, np.array(places), 1e-7)
        self.near(done.series["bar.F"], tension, 1e-5)
        self.assertLess(abs(done.result["integration"]["energy_error"]), 1e-7)

    def test_it_says_what_it_needs(self):
        model = {"roberval": 1, "space": "spatial", "bodies": {"b": {"mass": 2, "inertia": [1, 1, 1], "pose": {"at": [0.3, -0.4, 0]}}},
                 "joints": {"bar": {"type": "link", "between": ["ground", "b"], "friction": {"coefficient": 0.1}}}}
        self.assertRegex(cli.run_model(model, "check").err, "needs the radius of its balls")
        model["joints"]["bar"]["friction"] = {"coefficient": 0.1, "radius": 0.01}
        model["bodies"]["b"] = {"mass": 2, "particle": True, "pose": {"at": [0.3, -0.4, 0]}}
        self.assertRegex(cli.run_model(model, "check").err, "a particle does not turn")


def shafts(bend, mu, r, m=0.0, J=(0.02, 0.05), **more):
    """two shafts that meet at the angle `bend`: the first in a bearing, the second is kept in line and carried, with its weight, by the joint"""
    out = {"axis": [0, math.sin(bend), math.cos(bend)]}
    return {"roberval": 1, "space": "spatial", "gravity": [-G if m else 0, 0, 0],
            "bodies": {"ground": {"markers": {"o": {"at": [0, 0, 0], **out}}}, "one": {"mass": 1, "inertia": [0.05, 0.05, J[0]]},
                       "two": {"mass": m or 1, "inertia": [0.08, 0.08, J[1]], "pose": {"at": [0, 0, 0], "rotate": {"axis": [1, 0, 0], "angle": -bend}}}},
            "joints": {"in": {"type": "revolute", "between": ["ground", "one"]}, "out": {"type": "general", "locked": ["rx", "ry"], "between": ["ground.o", "two"]},
                       "fast": {"type": "constant-velocity", "between": ["one", "two"], "friction": {"coefficient": mu, "radius": r}}},
            "motion": {"from": 0, "to": 1, "step": 0.125}, **more}


class Shafts(cli.Case):
    """With s, c the sine and cosine of half the bend, T the couple along the bisector and K = mu (r |F| + T) of friction against w_2 - w_1 = w (z_2 - z_1): shaft 1 feels T c + K s against it, shaft 2 T c - K s."""

    def test_driven_against_a_torque(self):
        for m in (0.0, 3.0):
            bend, mu, r, load = 0.6, 0.12, 0.04, 7.0
            s, c, F = math.sin(bend / 2), math.cos(bend / 2), m * G
            done = self.ok(shafts(bend, mu, r, m, drives={"motor": {"coordinate": "in.angle", "motion": "3*t"}},
                                  loads={"work": {"type": "torque", "to": "two", "value": [0, -load * math.sin(bend), -load * math.cos(bend)]}}), "inverse")
            T = (load + mu * r * F * s) / (c - mu * s)
            K = mu * (r * F + T)
            self.near(done.series["motor.effort"], T * c + K * s + 0 * done.time, 1e-10)
            self.near(np.hypot(done.series["fast.friction.rx"], done.series["fast.friction.ry"]), K + 0 * done.time, 1e-10)
            self.near(np.sqrt(sum(done.series[f"fast.T{k}"] ** 2 for k in "xyz")), T + 0 * done.time, 1e-10)
            self.near(np.sqrt(sum(done.series[f"fast.F{k}"] ** 2 for k in "xyz")), F + 0 * done.time, 1e-10)
            self.assertEqual({done.marks[n] for n in ("motor.effort", "fast.friction.rx", "fast.friction.ry")}, {"unique"})

    def test_runs_out_and_stays(self):
        """(J1 + J2) w' = -2 K s, and what accelerates either shaft: T c = K s |J1 - J2|/(J1 + J2)"""
        bend, mu, r, m, J, start = 0.8, 0.2, 0.05, 4.0, (0.02, 0.05), 6.0
        s, c, F = math.sin(bend / 2), math.cos(bend / 2), 4.0 * G
        K = mu * r * F / (1 - mu * s / c * abs(J[0] - J[1]) / sum(J))
        slow = 2 * K * s / sum(J)
        stop = start / slow
        done = self.ok(shafts(bend, mu, r, m, J, initial={"in.angle": 0, "in.angle'": start}, motion={"from": 0, "to": 2 * stop, "step": stop / 8}), "simulate")
        t = np.minimum(done.time, stop)
        self.near(done.series["in.angle"], start * t - slow * t * t / 2, 1e-6)
        self.near(done.series["in.angle'"][done.time > 1.01 * stop], 0 * done.time[done.time > 1.01 * stop], 1e-14)
        self.near([e["t"] for e in done.result["integration"]["events"] if e["kind"] == "stick"], [stop], 1e-6 * stop)
        self.assertLess(abs(done.result["integration"]["energy_error"]), 1e-6)

    def test_what_it_holds(self):
        """T c = -M s on the free shaft, so that a torque P on the first needs |M| = P/2s and |T| = P/2c: up to P (1/2s - mu/2c) = mu r F"""
        bend, mu, r, m = 0.7, 0.15, 0.05, 2.0
        s, c = math.sin(bend / 2), math.cos(bend / 2)
        most = mu * r * m * G / (0.5 / s - 0.5 * mu / c)
        model = shafts(bend, mu, r, m, parameters={"P": "0 N.m"}, loads={"hand": {"type": "torque", "to": "one", "value": [0, 0, "P"]}})
        hold = self.ok(model, "statics", "--hold", "P").result["hold"]
        self.near([hold["min"], hold["max"]], [-most, most], 1e-8)
        model["motion"] = {"from": 0, "to": 1e4, "step": 2500}
        still = self.ok(model, "simulate", "--set", f"P={0.99 * most!r} N.m")
        self.near(still.series["in.angle"], 0 * still.time, 1e-13)
        model["motion"] = {"from": 0, "to": 0.2, "step": 0.1}
        for part, moves in ((0.999, False), (1.001, True)):
            done = self.ok(model, "simulate", "--set", f"P={part * most!r} N.m")
            self.assertEqual(abs(done.series["in.angle'"][-1]) > 1e-9, moves)

    def test_it_says_what_it_needs(self):
        model = shafts(0.5, 0.1, 0.02)
        model["joints"]["fast"]["friction"] = {"coefficient": 0.1}
        self.assertRegex(cli.run_model(model, "check").err, "needs the radius at which its balls run")


class Breakaway(cli.Case):
    def test_samples_where_slip_begins(self):
        """Seven links in space, by turns on hinges and balls that rub, let go: where a hinge breaks loose it is at rest, without acceleration, beside others that stick. What holds it there is its friction, known and the same before and after, as its load is."""
        bodies = {f"b{k}": {"mass": 1, "inertia": [0.01, 0.1, 0.1], "pose": {"at": [k + 0.5, 0, 0]}} for k in range(7)}
        joints = {f"j{k}": {"type": "spherical" if k % 2 else "revolute", "between": [f"b{k - 1}" if k else "ground", f"b{k}"], "at": [k, 0, 0],
                            "friction": {"coefficient": 0.05, "radius": 0.05}, **({} if k % 2 else {"axis": [0, 0.6, 0.8]})} for k in range(7)}
        model = {"roberval": 1, "space": "spatial", "gravity": [0, 0, -9.81], "bodies": bodies, "joints": joints, "motion": {"from": 0, "to": 0.3, "step": 0.02}}
        slips, smooth = [], 0
        for kind in ("absolute", "joint"):
            done = self.ok(json.dumps(model), "simulate", "--samples", "steps", "--coordinates", kind)
            slips.append([(e["t"], e["name"]) for e in done.result["integration"]["events"] if e["kind"] == "slip"])
            for t, name in slips[-1]:
                at = [k for k, s in enumerate(done.time) if s == t]
                before, after = [done.series[f"{name}.friction"][k] for k in (at[0], at[-1])]
                if before * after > 0:                                     # else it slides on, the other way
                    smooth += 1
                    self.assertLess(abs(before - after), 1e-6 * abs(before), (kind, t, name))
        self.assertGreaterEqual(smooth, 4)
        self.assertEqual([name for _, name in slips[0]], [name for _, name in slips[1]])
        for a, b in zip(*slips):
            self.assertLess(abs(a[0] - b[0]), 1e-5)


class Both(cli.Case):
    def test_simulate_answers_to_inverse(self):
        """random bodies on rough bars and joints of equal speeds: with the efforts of inverse at an instant simulate accelerates as the drives do"""
        for seed in range(12 if not cli.MORE else 100):
            rng = random.Random(seed)
            bend, mu, r = rng.uniform(0.1, 1.2), rng.uniform(0.05, 0.3), rng.uniform(0.005, 0.05)
            model = shafts(bend, mu, r, rng.uniform(0.5, 3))
            model["bodies"]["one"]["markers"] = {"A": [0.2, 0.05, rng.uniform(-0.1, 0.1)]}
            model["bodies"]["slide"] = {"mass": rng.uniform(0.5, 2), "inertia": [0.02, 0.03, 0.04], "pose": {"at": [0.6, rng.uniform(-0.2, 0.2), rng.uniform(-0.3, 0.3)]}}
            model["joints"]["guide"] = {"type": "prismatic", "between": ["ground", "slide"], "at": model["bodies"]["slide"]["pose"]["at"], "axis": [rng.uniform(0.5, 1), rng.uniform(-0.5, 0.5), rng.uniform(-0.5, 0.5)]}
            model["joints"]["bar"] = {"type": "link", "between": ["one.A", "slide"], "friction": {"coefficient": mu, "radius": r}}
            model["motion"] = {"from": 0, "to": 0.001, "step": 0.001}
            rate, second = rng.uniform(2, 6) * rng.choice([1, -1]), rng.uniform(-20, 20)
            driven = {**model, "drives": {"motor": {"coordinate": "in.angle", "motion": f"{rate}*t + {second / 2}*t^2"}}}
            done = self.ok(driven, "inverse")
            free = {**model, "initial": {"in.angle": 0, "in.angle'": rate}, "loads": {"motor": {"type": "torque", "to": "one", "value": [0, 0, float(done.series["motor.effort"][0])]}}, "output": {"a": "in.angle''"}}
            ran = self.ok(free, "simulate")
            self.near(ran.series["a"][0], second, 1e-8 * (1 + abs(second) + rate * rate), seed)
            for name in ("bar.F", "bar.friction.first.rx", "bar.friction.second.ry", "fast.friction.rx", "fast.Tz"):
                self.near(ran.series[name][0], done.series[name][0], 1e-9 * (1 + abs(done.series["bar.F"][0])), f"{seed} {name}")


if __name__ == "__main__":
    unittest.main()
