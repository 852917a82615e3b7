#!/usr/bin/python3
# ctest: polar-slow joint-slow
"""Laws that hold for every planar mechanism, on random ones (test/py/mechanisms.py), against the independent dense program
test/py/planar.py and against the program's own answer for the same mechanism written differently.

Tolerance.  All comparisons are relative to the largest value of the kind (force, torque, length, ...) in the mechanism, at 1e-9.
The drawings are kept at sigma_min/sigma_max > 2e-3, so a correct double precision program is at some 1e-12 and a
position solved to 1e-10 (the loosest the acceptance tests allow) still is below 1e-9 only if the residual is polished: that is intended.
ROBERVAL_SEEDS=n draws n of each kind (default 1, in `make test-all` 3).
"""
import copy
import json
import math
import os
import sys
import unittest
from concurrent.futures import ThreadPoolExecutor

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "py"))
import cli              # noqa: E402
import mechanisms       # noqa: E402
import planar           # noqa: E402

SEEDS = int(os.environ.get("ROBERVAL_SEEDS", "3" if cli.MORE else "1"))
RELATIVE = 1e-9
POOL = ThreadPoolExecutor(2)
DRAWN = {}


def drawn():
    """name -> (model, reference mechanism, reference table), drawn once."""
    if not DRAWN:
        for kind in mechanisms.KINDS:
            for seed in range(SEEDS * (4 if kind is mechanisms.graph else 1)):
                DRAWN[f"{kind.__name__}-{seed}"] = mechanisms.draw(kind, seed)
    return DRAWN


def kind_of(name):
    """The family a column belongs to, for the scale of its comparison."""
    last = name.split(".")[-1]
    return "force" if last in ("Fx", "Fy", "Tz", "F", "Ft", "Fr", "effort", "force", "torque") else \
        "position" if last in ("x", "y", "angle") else name.split("_")[0] if "_" in name else name


def scales(table):
    out = {}
    for name, x in table.items():
        if name != "time":
            out[kind_of(name)] = max(out.get(kind_of(name), 1e-3), float(np.abs(x).max()))
    for k in ("ax", "ay", "al"):
        out[k] = max(out.get(j, 0) for j in ("ax", "ay", "al"))
    return out


class Laws(cli.Case):
    def each(self, work, names=None):
        """work(name, model, mech, table) -> list of failures, over all mechanisms, two at a time."""
        jobs = [(n, *d) for n, d in drawn().items() if names is None or names(n)]
        self.assertTrue(jobs)
        for (name, *_), bad in zip(jobs, POOL.map(lambda j: self.guard(work, *j), jobs)):
            with self.subTest(name):
                self.assertFalse(bad, "\n".join(bad[:8]))

    def guard(self, work, *job):
        try:
            return work(*job) or []
        except Exception as why:                                              # reported with the mechanism's name
            return [f"{type(why).__name__}: {why}"]

    def solved(self, model, *flags):
        done = cli.run_model(model, "inverse", *flags)
        if done.code:
            raise AssertionError(done.said())
        return done

    def differences(self, got, want, names=lambda n: n, sign=lambda n: 1.0, skip=(), scale=None):
        """Columns of want against got[names(n)]*sign(n)."""
        scale, bad = scale or scales(want), []
        for n, x in want.items():
            if n == "time" or n.split(".")[-1] in skip or n in skip:
                continue
            m = names(n)
            if m not in got:
                bad.append(f"no column {m}")
                continue
            y = got[m] * sign(n)
            allowed = RELATIVE * scale.get(kind_of(n), 1.0)
            if y.shape != x.shape or not np.all(np.abs(y - x) <= allowed):
                bad.append(f"{m}: off by {np.nanmax(np.abs(y - x)) if y.shape == x.shape else 'shape'} of {np.abs(x).max():.4g}, allowed {allowed:.2g}")
        return bad

    def same(self, rewrite, names=None, **how):
        """The answer of the rewritten model is the answer of the model."""
        def work(name, model, mech, table):
            new = rewrite(model)
            new = new if isinstance(new, tuple) else (new,)
            a, b = self.solved(model), self.solved(*new)
            return self.differences(b.series, a.series, scale=scales(a.series), **how)
        self.each(work, names)


class Agreement(Laws):
    @cli.long
    def test_agrees_with_the_independent_program(self):
        def work(name, model, mech, table):
            done = self.solved(model)
            bad = self.differences(done.series, table)
            verdict = mech.samples[0]["verdict"]
            bad += [f"{c} marked {m}" for c, m in done.marks.items() if m != verdict.get(c, "unique")]
            for k, x in mech.samples[0]["verdict"].items():
                joint, c = k.split(".")
                got = done.result["reactions"][joint]["components"][c]["verdict"]
                if got != x:
                    bad.append(f"verdict of {k}: {got}, expected {x}")
            return bad
        self.each(work)

    @cli.long
    def test_agrees_in_ground_axes(self):
        def work(name, model, mech, table):
            return self.differences(self.solved(model, "--frame", "ground").series, planar.Mechanism(model).inverse("ground"))
        self.each(work)

    def test_kinematics_agrees_and_needs_no_masses(self):
        def work(name, model, mech, table):
            m = copy.deepcopy(model)
            for b in m["bodies"].values():
                for k in ("mass", "inertia"):
                    b.pop(k, None)
            m.pop("loads", None)
            m["output"] = {k: e for k, e in m["output"].items() if "effort" not in e}
            done = cli.run_model(m, "kinematics")
            if done.code:
                raise AssertionError(done.said())
            keep = {n: x for n, x in table.items() if n in m["output"] or n.split(".")[-1] in ("x", "y", "angle")}
            return self.differences(done.series, keep)
        self.each(work)

    def test_summary_is_the_series(self):
        """first, min, max, at_min, at_max, rms and peak_power of result.json are those of series.csv"""
        def work(name, model, mech, table):
            done, bad = self.solved(model), []

            def check(where, s, x, kind):
                want = {"first": x[0], "min": x.min(), "max": x.max()}
                for k, w in want.items():
                    if not abs(s[k] - w) <= 1e-12 * max(1.0, np.abs(x).max()):
                        bad.append(f"{where} {k}: {s[k]} but the series gives {w}")
                for k, w in (("at_min", x.min()), ("at_max", x.max())):
                    i = int(np.argmin(np.abs(done.time - s[k])))
                    if abs(done.time[i] - s[k]) > 1e-9 or abs(x[i] - w) > 1e-12 * max(1.0, np.abs(x).max()):
                        bad.append(f"{where} {k}: {s[k]}")
            for j, r in done.result["reactions"].items():
                for c, s in r["components"].items():
                    if s["verdict"] != "free":
                        check(f"{j}.{c}", s, done.series[f"{j}.{c}"], "reaction")
            for d, s in done.result["drives"].items():
                x = done.series[f"{d}.effort"]
                check(d, s, x, "drive")
                power = done.series["p_" + d]
                if abs(s["peak_power"]) - np.abs(power).max() > 1e-9 * max(1, np.abs(power).max()) or \
                        min(abs(abs(s["peak_power"]) - abs(p)) for p in power) > 1e-9 * max(1.0, np.abs(power).max()):
                    bad.append(f"{d} peak_power {s['peak_power']}, the powers are {power}")
                if not x.min() - 1e-9 <= s["rms"] and abs(s["rms"]) <= np.abs(x).max() + 1e-9:
                    bad.append(f"{d} rms {s['rms']}")
            return bad
        self.each(work)

    def test_audit_is_small(self):
        def work(name, model, mech, table):
            audit, bad = self.solved(model).result["audit"], []
            s = scales(table)["force"]
            # 1e-9 of the largest force; positions to 1e-10 as the acceptance tests ask
            for k, tol in (("max_force_imbalance", 1e-9 * s), ("max_torque_imbalance", 1e-9 * s), ("max_power_imbalance", 1e-8 * s), ("max_constraint_error", 1e-10)):
                if not (isinstance(audit[k], (int, float)) and 0 <= audit[k] <= tol):
                    bad.append(f"{k}: {audit[k]}, allowed {tol:.2g}")
            return bad
        self.each(work)

    def test_mobility(self):
        def work(name, model, mech, table):
            mob = self.solved(model).result["mobility"]
            rows = len(mech.phi(mech.q0, 0.0))
            want = {"coordinates": len(mech.free), "rows": rows, "rank": len(mech.free), "redundant": 0, "degrees_of_freedom": 0,
                    "degrees_of_freedom_position": 0, "gruebler": len(mech.free) - rows + len(mech.drives)}
            return [f"{k}: {mob[k]}, expected {x}" for k, x in want.items() if mob[k] != x]
        self.each(work)

    def test_check_without_drives(self):
        def work(name, model, mech, table):
            m = copy.deepcopy(model)
            del m["drives"]
            m.pop("output", None)
            done, doc = cli.check(m)
            if done.code:
                raise AssertionError(done.said())
            mob = doc["mobility"]
            rows = len(mech.phi(mech.q0, 0.0)) - len(mech.drives)
            want = {"rows": rows, "rank": rows, "redundant": 0, "degrees_of_freedom": len(mech.drives), "gruebler": len(mech.drives)}
            return [f"{k}: {mob[k]}, expected {x}" for k, x in want.items() if mob[k] != x]
        self.each(work)


class Invariance(Laws):
    def test_units(self):
        self.same(mechanisms.in_mm_and_deg)

    def test_order_of_bodies_and_joints(self):
        self.same(lambda m: mechanisms.shuffled(m, np.random.default_rng(5)))

    def test_names(self):
        def work(name, model, mech, table):
            new, names = mechanisms.renamed(model)
            a, b = self.solved(model), self.solved(new)

            def other(n):
                head, dot, tail = n.partition(".")
                return names.get(head, head) + dot + tail
            return self.differences(b.series, a.series, names=other)
        self.each(work)

    def test_rigid_move(self):
        """turned by 0.9 rad and shifted, with gravity and ground loads: reactions in joint axes, efforts unchanged"""
        def work(name, model, mech, table):
            new = mechanisms.moved(model, 0.9, np.array([3.0, -2.0]))
            a, b = self.solved(model), self.solved(new)
            forces = [k for k, s in model.get("loads", {}).items() if s["type"] == "force"]            # their columns, if any, are in ground axes
            bad = self.differences(b.series, {n: x for n, x in a.series.items() if kind_of(n) == "force" and n.split(".")[0] not in forces})
            Q = mechanisms.rotation(0.9)
            for body in model["bodies"]:
                if body != "ground":
                    p = Q @ np.array([a.series[f"{body}.x"], a.series[f"{body}.y"]]) + np.array([[3.0], [-2.0]])
                    for k, want in (("x", p[0]), ("y", p[1]), ("angle", a.series[f"{body}.angle"] + 0.9)):
                        if np.abs(b.series[f"{body}.{k}"] - want).max() > 1e-9:
                            bad.append(f"{body}.{k}")
            return bad
        self.each(work, lambda n: not any(d["coordinate"].startswith(("x(", "y(")) for d in drawn()[n][0]["drives"].values()))

    @cli.long
    def test_method(self):
        self.same(lambda m: (m, "--method", "two-step"))
        self.same(lambda m: (m, "--method", "lagrange"))
        self.same(lambda m: (m, "--method", "newton"))
        self.same(lambda m: (m, "--method", "virtual-power"))
        self.same(lambda m: (m, "--method", "recursive"))
        self.same(lambda m: (m, "--method", "recursive", "--coordinates", "joint"))

    def test_coordinates_absolute_is_the_default(self):
        self.same(lambda m: (m, "--coordinates", "absolute"))

    def test_json_or_yaml(self):
        """the same model as block YAML"""
        def yaml(x, pad=""):
            out = ""
            for k, v in x.items():
                if isinstance(v, dict) and v:
                    out += f"{pad}{k}:\n{yaml(v, pad + '  ')}"
                else:
                    out += f"{pad}{k}: {json.dumps(v)}\n"
            return out
        self.same(yaml)

    def test_from_to_step_flags(self):
        def rewrite(m):
            m = copy.deepcopy(m)
            motion = m.pop("motion")
            m["motion"] = {"from": 0, "to": 5, "step": 0.5}
            return m, "--from", str(motion["from"]), "--to", str(motion["to"]), "--step", str(motion["step"])
        self.same(rewrite, lambda n: n.endswith("-0"))

    def test_parameters_and_set(self):
        """a drive's start as a parameter with a wrong value, overridden: same answer"""
        def rewrite(m):
            m = copy.deepcopy(m)
            d = next(iter(m["drives"].values()))
            m["parameters"] = {"shift": 7.5}
            d["motion"] += " + shift"
            return m, "--set", "shift=0"
        self.same(rewrite, lambda n: n.endswith("-1"))


class Reactions(Laws):
    @cli.long
    def test_swapping_the_bodies_of_a_joint(self):
        """The reaction on the other body is opposite, about the other marker, in the other marker's axes."""
        def work(name, model, mech, table):
            a, bad = self.solved(model, "--frame", "ground"), []
            scale = scales(a.series)
            for joint, j in model["joints"].items():
                if j["type"] not in ("revolute", "prismatic", "fixed", "link", "parallel", "gear"):
                    continue                                                   # slot, x, y, angle are not symmetric
                if any(d["coordinate"] in (f"{joint}.x", f"{joint}.y") for d in model["drives"].values()):
                    continue
                new = mechanisms.swapped(model, joint)
                for k in [k for k, e in new["output"].items() if joint + "." in e]:
                    del new["output"][k]
                b = self.solved(new, "--frame", "ground")
                mine = [d for d, s in model["drives"].items() if s["coordinate"] in (f"{joint}.angle", f"{joint}.distance")]
                coil = [l for l, s in model.get("loads", {}).items() if s.get("joint") == joint]
                want = {n: x for n, x in a.series.items() if kind_of(n) in ("force", "position") and n.split(".")[0] not in (joint, *mine, *coil)}
                want.update({f"{d}.effort": -a.series[f"{d}.effort"] for d in mine})
                want.update({f"{c}.torque": -a.series[f"{c}.torque"] for c in coil})
                P = []
                for t in range(len(a.time)):
                    q = np.zeros(mech.n)
                    for body in mech.bodies[1:]:
                        q[3 * body.index:3 * body.index + 3] = [a.series[f"{body.name}.{k}"][t] for k in ("x", "y", "angle")]
                    P.append([mech.point(list(q), mech.reference(r)) for r in j["between"]])
                P = np.array(P)                                                # [time, end, xy]
                Fx, Fy, Tz = (a.series[f"{joint}.{c}"] for c in ("Fx", "Fy", "Tz"))
                d = P[:, 1] - P[:, 0]                                          # from the new point (first marker) to the old one
                want.update({f"{joint}.Fx": -Fx, f"{joint}.Fy": -Fy, f"{joint}.Tz": -Tz - (d[:, 0] * Fy - d[:, 1] * Fx)})
                if j["type"] == "gear":
                    r = j["radii"]
                    want.update({f"{joint}.Ft": a.series[f"{joint}.Ft"]})     # same sense on external gears: both turn in F's sense
                if j["type"] == "link":
                    want[f"{joint}.F"] = a.series[f"{joint}.F"]
                bad += [f"{joint} swapped: {x}" for x in self.differences(b.series, want, scale=scale)]
            return bad
        self.each(work)

    def test_ground_axes_are_the_joint_axes_turned(self):
        def work(name, model, mech, table):
            a, b, bad = self.solved(model), self.solved(model, "--frame", "ground"), []
            want = {n: x for n, x in a.series.items()}
            for joint, j in model["joints"].items():
                body, marker = mech.reference(j["between"][0])
                th = (a.series[f"{body.name}.angle"] if body.index else 0.0) + body.markers[marker][2]
                Fx, Fy = a.series[f"{joint}.Fx"], a.series[f"{joint}.Fy"]
                want[f"{joint}.Fx"], want[f"{joint}.Fy"] = np.cos(th) * Fx - np.sin(th) * Fy, np.sin(th) * Fx + np.cos(th) * Fy
            if a.result["frame"] != "joint" or b.result["frame"] != "ground":
                bad.append(f"frame {a.result['frame']}, {b.result['frame']}")
            return bad + self.differences(b.series, want)
        self.each(work)

    def test_every_body_is_in_balance(self):
        """Newton and Euler body by body from the printed numbers alone: action is reaction, and nothing is forgotten."""
        def work(name, model, mech, table):
            done, bad = self.solved(model, "--frame", "ground"), []
            s = done.series
            scale = scales(s)["force"]
            for i, t in enumerate(done.time):
                q, v, a = np.zeros(mech.n), np.zeros(mech.n), np.zeros(mech.n)
                for b in mech.bodies[1:]:
                    k = 3 * b.index
                    q[k:k + 3] = [s[f"{b.name}.{c}"][i] for c in ("x", "y", "angle")]
                    w, al = s[f"w_{b.name}"][i], s[f"al_{b.name}"][i]
                    r = mech.arm(q, b)                                        # outputs are those of the centroid
                    v[k:k + 3] = [s[f"vx_{b.name}"][i] + w * r[1], s[f"vy_{b.name}"][i] - w * r[0], w]
                    a[k:k + 3] = [s[f"ax_{b.name}"][i] + al * r[1] + w * w * r[0], s[f"ay_{b.name}"][i] - al * r[0] + w * w * r[1], al]
                W = mech.applied(q, v, t) - mech.inertia_wrench(q, v, a)
                for j in mech.joints.values():
                    F = np.array([s[f"{j.name}.Fx"][i], s[f"{j.name}.Fy"][i]])
                    p = mech.point(list(q), j.second)
                    for ref, sign in ((j.second, 1.0), (j.first, -1.0)):
                        k = 3 * ref[0].index
                        W[k:k + 2] += sign * F
                        W[k + 2] += sign * (s[f"{j.name}.Tz"][i] + (p[0] - q[k]) * F[1] - (p[1] - q[k + 1]) * F[0])
                C = mech.gradient(q, t)
                for d, name_ in enumerate(mech.drives):
                    W += s[f"{name_}.effort"][i] * C[mech.drive_start + d]
                worst = np.abs(W[mech.free]).max()
                if worst > RELATIVE * scale:
                    bad.append(f"t={t}: body {mech.bodies[mech.free[int(np.abs(W[mech.free]).argmax())] // 3].name} is out of balance by {worst:.3g}")
            return bad
        self.each(work)

    def test_power_in_is_the_rate_of_kinetic_energy(self):
        def work(name, model, mech, table):
            s, bad = self.solved(model).series, []
            for i, t in enumerate(s["time"]):
                q, v = np.zeros(mech.n), np.zeros(mech.n)
                dE = 0.0
                for b in mech.bodies[1:]:
                    k = 3 * b.index
                    q[k:k + 3] = [s[f"{b.name}.{c}"][i] for c in ("x", "y", "angle")]
                    w, r = s[f"w_{b.name}"][i], mech.arm(q, b)
                    vg = np.array([s[f"vx_{b.name}"][i], s[f"vy_{b.name}"][i]])
                    v[k:k + 3] = [vg[0] + w * r[1], vg[1] - w * r[0], w]
                    dE += b.mass * vg @ [s[f"ax_{b.name}"][i], s[f"ay_{b.name}"][i]] + b.inertia * w * s[f"al_{b.name}"][i]
                motors = sum(s[f"{d}.effort"][i] * s[f"r_{d}"][i] for d in mech.drives)
                loads = mech.applied(q, v, t) @ v
                size = max(1.0, abs(motors), abs(loads), abs(dE))
                if abs(motors + loads - dE) > 1e-9 * size * 10:               # three terms that cancel, of sums of some ten each
                    bad.append(f"t={t}: {motors} + {loads} - {dE} = {motors + loads - dE:.3g}")
            return bad
        self.each(work)


class Scale(Laws):
    def test_verdicts_and_ranks_do_not_depend_on_size(self):
        """lengths times 1e-3 .. 1e3: same ranks and verdicts, also for the redundant ones"""
        def scaled(model, f):
            m = mechanisms.each_length(model, lambda x: x * f)
            m.pop("output", None)
            m.pop("loads", None)
            for d in m["drives"].values():
                if not (d["coordinate"].endswith(".angle") or d["coordinate"].startswith("angle(")):
                    d["motion"] = f"({f!r})*({d['motion']})"
            return m

        def facts(model):
            done, doc = cli.check(model)
            if done.code:
                raise AssertionError(done.said())
            return {**{k: x for k, x in doc["mobility"].items() if isinstance(x, int)}, **{f"{j}.{c}": x["verdict"] for j, r in doc["reactions"].items() for c, x in r["components"].items()}}

        def work(name, model, mech, table):
            want, bad = facts(scaled(model, 1.0)), []
            for f in (1e-3, 1e-2, 30.0, 1e3):
                got = facts(scaled(model, f))
                bad += [f"lengths times {f:g}: {k} is {got[k]}, was {x}" for k, x in want.items() if got[k] != x]
            return bad
        self.each(work, lambda n: n.endswith(("-0", "-1")))


class Redundant(Laws):
    """Parallelograms with 2 to 4 cranks: what is not unique does not depend on how the model is written."""

    @classmethod
    def parallelogram(cls, n, seed, flat=False):
        rng = np.random.default_rng([n, seed])
        b = mechanisms.Builder(rng)
        angle, L = rng.uniform(.6, 1.2), rng.uniform(.3, .7)
        tip = L * mechanisms.rotation(angle)[:, 0]
        feet = [np.array([x, rng.uniform(-.2, .2)]) for x in np.cumsum(rng.uniform(.3, .7, n))]
        b.body("top", np.mean(feet, axis=0) + tip)
        for k, p in enumerate(feet):
            b.body(f"c{k}", p + tip / 2)
            b.revolute("ground", f"c{k}", p)
            b.revolute(f"c{k}", "top", p + tip)
        b.drive("angle(c0)", size=.5)
        b.random_loads()
        return b.finish(perturb=0)

    def cases(self):
        return [(n, s) for n in (2, 3, 4) for s in range(SEEDS)]

    def each_case(self, work):
        jobs = self.cases()
        for job, bad in zip(jobs, POOL.map(lambda j: self.guard(work, *j), jobs)):
            with self.subTest(cranks=job[0], seed=job[1]):
                self.assertFalse(bad, "\n".join(bad[:8]))

    def test_minimum_norm_values_and_verdicts(self):
        def work(n, seed):
            model = self.parallelogram(n, seed)
            mech = planar.Mechanism(model)
            done, table = self.solved(model), mech.inverse()
            bad = self.differences(done.series, table)
            mob = done.result["mobility"]
            if mob["redundant"] != n - 2 or mob["rank"] != len(mech.free):
                bad.append(f"mobility {mob}")
            for k, x in mech.samples[0]["verdict"].items():
                j, c = k.split(".")
                got = done.result["reactions"][j]["components"][c]["verdict"]
                if got != x:
                    bad.append(f"verdict of {k}: {got}, expected {x}")
                if done.marks[k] != x:
                    bad.append(f"mark of column {k}: {done.marks[k]}")
            if done.result["drives"]["D1"]["verdict"] != "unique":
                bad.append("the effort is unique")
            return bad
        self.each_case(work)

    def test_independent_of_order_units_and_sides(self):
        def work(n, seed):
            model = self.parallelogram(n, seed)
            a, bad = self.solved(model, "--frame", "ground"), []
            scale = scales(a.series)
            for k in range(3):
                b = self.solved(mechanisms.shuffled(model, np.random.default_rng(k)), "--frame", "ground")
                bad += [f"order {k}: {x}" for x in self.differences(b.series, a.series, scale=scale)]
            b = self.solved(mechanisms.in_mm_and_deg(model), "--frame", "ground")
            bad += [f"mm: {x}" for x in self.differences(b.series, a.series, scale=scale)]
            for m in ("lagrange", "two-step", "newton"):
                b = self.solved(model, "--frame", "ground", "--method", m)
                bad += [f"{m}: {x}" for x in self.differences(b.series, a.series, scale=scale)]
            new, names = mechanisms.renamed(model)
            b = self.solved(new, "--frame", "ground")
            other = lambda c: names.get(c.partition(".")[0], c.partition(".")[0]) + "".join(c.partition(".")[1:])
            bad += [f"names: {x}" for x in self.differences(b.series, a.series, names=other, scale=scale)]
            revolutes = [j for j in model["joints"]]
            swapped = mechanisms.swapped(model, revolutes[seed % len(revolutes)])
            j = revolutes[seed % len(revolutes)]
            b = self.solved(swapped, "--frame", "ground")
            want = {c: x for c, x in a.series.items() if kind_of(c) == "force" and not c.startswith("L")}
            bad += [f"swapped {j}: {x}" for x in self.differences(
                b.series, want, sign=lambda c: -1.0 if c.startswith(j + ".") else 1.0, scale=scale)]
            return bad
        self.each_case(work)

    def test_self_stress_modes_balance(self):
        """each mode is a set of joint forces that needs no load"""
        def work(n, seed):
            model = self.parallelogram(n, seed)
            model.pop("loads", None)
            model.pop("output", None)
            done, doc = cli.check(model, "--frame", "ground")
            if done.code:
                raise AssertionError(done.said())
            mech = planar.Mechanism(model)
            mech.inverse()
            q, s = mech.q[0], mech.samples[0]
            bad = [] if len(doc["self_stress"]) == n - 2 else [f"{len(doc['self_stress'])} modes"]
            for mode in doc["self_stress"]:
                W = np.zeros(mech.n)
                for key, x in mode.items():
                    name, c = key.split(".")
                    j = mech.joints[name]
                    p = mech.point(list(q), j.second)
                    F = np.array([x if c == "Fx" else 0, x if c == "Fy" else 0])
                    for ref, sign in ((j.second, 1.0), (j.first, -1.0)):
                        k = 3 * ref[0].index
                        W[k:k + 2] += sign * F
                        W[k + 2] += sign * ((x if c == "Tz" else 0) + (p[0] - q[k]) * F[1] - (p[1] - q[k + 1]) * F[0])
                if np.abs(W[mech.free]).max() > 1e-9 * max(map(abs, mode.values())):
                    bad.append(f"mode {mode} leaves {np.abs(W[mech.free]).max():.2g}")
            return bad
        self.each_case(work)


class Drawings(unittest.TestCase):
    """The drawings themselves, and planar.py under its own laws (runs without the program)."""

    @cli.long
    def test_reference_obeys_the_invariances(self):
        for name, (model, mech, table) in drawn().items():
            with self.subTest(name):
                new, names = mechanisms.renamed(model)
                for other, f in ((mechanisms.shuffled(model, np.random.default_rng(1)), lambda n: n),
                                 (new, lambda n: names.get(n.partition(".")[0], n.partition(".")[0]) + "".join(n.partition(".")[1:]))):
                    got = planar.Mechanism(other).inverse()
                    for n, x in table.items():
                        self.assertLess(np.abs(got[f(n)] - x).max(), 1e-9 * max(1, scales(table).get(kind_of(n), 1)), n)

    def test_reference_balances_power(self):
        for name, (model, mech, table) in drawn().items():
            with self.subTest(name):
                for i, t in enumerate(table["time"]):
                    q, v, a = mech.q[i], mech.v[i], mech.a[i]
                    motors = sum(table[f"{d}.effort"][i] * table[f"r_{d}"][i] for d in mech.drives)
                    loads = mech.applied(q, v, t) @ v
                    dE = mech.inertia_wrench(q, v, a) @ v
                    self.assertLess(abs(motors + loads - dE), 1e-9 * max(1, abs(motors), abs(loads), abs(dE)))

    def test_reference_differentiates_itself(self):
        """positions at t +- h (h = 1e-5) against velocity and acceleration: 1e-5 from h^2 and rounding over h^2"""
        for name, (model, mech, table) in list(drawn().items())[::3]:
            with self.subTest(name):
                h, q, t = 1e-4, mech.q[2], table["time"][2]
                qp, qm = mech.assemble(q, t + h), mech.assemble(q, t - h)
                a = np.abs(mech.a[2]).max()
                self.assertLess(np.abs((qp - qm) / (2 * h) - mech.v[2]).max(), 1e-5 * max(1, a))
                self.assertLess(np.abs((qp - 2 * q + qm) / h**2 - mech.a[2]).max(), 1e-4 * max(1, a) + 1e-5)


if __name__ == "__main__":
    cli.main()
