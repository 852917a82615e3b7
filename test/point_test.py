#!/usr/bin/python3
"""A point on a plane, and a wheel that may slide sideways: closed forms, and one integration of Coulomb's law in Python."""
# ctest: joint natural
import sys
import unittest
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent / "py"))
import cli  # noqa: E402

G = 10.0


def puck(gravity, initial=None, mass=2.0, to=0.5, **joint):
    """A particle on the floor of ground."""
    model = {"roberval": 1, "space": "spatial", "gravity": list(gravity), "bodies": {"b": {"mass": mass, "particle": True}},
             "joints": {"floor": {"type": "point", "between": ["ground", "b"], **joint}}, "motion": {"from": 0, "to": to, "step": to / 20}}
    if initial:
        model["initial"] = initial
    return model


def slide(g, v, mu, to, steps=20000):
    """x, y, vx, vy of a point that slides on z = 0 under gravity g by Coulomb's law, by Runge and Kutta of fourth order."""
    def rate(y):
        speed = np.hypot(y[2], y[3])
        return np.array([y[2], y[3], g[0] + mu * g[2] * y[2] / speed, g[1] + mu * g[2] * y[3] / speed])
    y, h = np.array([0, 0, *v], float), to / steps
    for _ in range(steps):
        a = rate(y)
        b = rate(y + h / 2 * a)
        c = rate(y + h / 2 * b)
        y = y + h / 6 * (a + 2 * b + 2 * c + rate(y + h * c))
    return y


class Point(cli.Case):
    @cli.long
    def test_a_puck_thrown_across_a_slope(self):
        """its path bends downhill; friction is mu N against the velocity"""
        g, mu = (3.0, 0.0, -9.0), 0.2
        model = puck(g, {"x(b)'": 0, "y(b)'": 2}, friction={"coefficient": mu})
        done = self.ok(model, "simulate")
        x, y, vx, vy = slide(g, (0, 2), mu, 0.5)
        for name, want in (("b.x", x), ("b.y", y), ("b.vx", vx), ("b.vy", vy)):
            self.assertAlmostEqual(done.series[name][-1], want, delta=1e-8)
        self.near(done.series["floor.F"], 18 + 0 * done.time, 1e-9)
        self.near(np.hypot(done.series["floor.friction.x"], done.series["floor.friction.y"]), 3.6 + 0 * done.time, 1e-9)

    def test_within_the_cone_it_stays(self):
        """tan of the slope 0.25 < 0.3: friction m g sin in both directions of the slope; beyond it slides with the rest"""
        model = puck((1.5, 2.0, -10.0), friction={"coefficient": 0.3})
        done = self.ok(model, "simulate")
        self.near(done.series["b.x"], 0 * done.time, 1e-12)
        self.near(done.series["floor.friction.x"], -3 + 0 * done.time, 1e-9)
        self.near(done.series["floor.friction.y"], -4 + 0 * done.time, 1e-9)
        model["gravity"] = [3.0, 4.0, -10.0]
        done = self.ok(model, "simulate")
        self.near(done.series["b.x"], 0.6 * 2 * done.time ** 2 / 2, 1e-9)
        self.near(done.series["b.y"], 0.8 * 2 * done.time ** 2 / 2, 1e-9)

    def test_it_bounces_with_friction(self):
        """dropped from 0.2 m with 1.5 m/s along: rebound e v, and friction takes mu (1 + e) v of the rate along, at each blow"""
        e, mu, v = 0.5, 0.1, 2.0
        model = puck((0, 0, -G), {"x(b)'": 1.5, "y(b)'": 0, "z(b)": 0.2, "z(b)'": 0}, to=0.5, unilateral=True, restitution=e, friction={"coefficient": mu})
        done = self.ok(model, "simulate")
        blows = [x for x in done.result["integration"]["events"] if x["kind"] == "impact"]
        self.assertAlmostEqual(blows[0]["t"], 0.2, delta=1e-9)
        self.assertAlmostEqual(blows[1]["t"], 0.4, delta=1e-9)
        self.assertAlmostEqual(blows[0]["impulse"], 2 * (1 + e) * v, delta=1e-9)
        first, second = (done.time > 0.201) & (done.time < 0.399), (done.time > 0.401) & (done.time < 0.499)
        self.near(done.series["b.vx"][first], 1.5 - mu * (1 + e) * v + 0 * done.time[first], 1e-9)
        self.near(done.series["b.vx"][second], 1.5 - mu * (1 + e) * v * (1 + e) + 0 * done.time[second], 1e-9)

    def test_it_lifts_off(self):
        """pulled up by 40 t N: 20 N of weight are lifted from 0.5 s on"""
        model = puck((0, 0, -G), to=1.0, unilateral=True)
        model["loads"] = {"rope": {"type": "force", "to": "b", "value": [0, 0, "40*t"]}}
        done = self.ok(model, "simulate")
        self.assertEqual([(x["kind"], round(x["t"], 9)) for x in done.result["integration"]["events"]], [("release", 0.5)])
        late = np.maximum(done.time - 0.5, 0)
        self.near(done.series["b.z"], 20 * late ** 3 / 6, 1e-9)
        self.near(done.series["floor.F"], np.maximum(20 - 40 * done.time, 0), 1e-9)

    def test_inverse_says_where_it_would_pull(self):
        model = puck((0, 0, -G), unilateral=True)
        model["drives"] = {"x": {"coordinate": "x(b)", "motion": "t"}, "y": {"coordinate": "y(b)", "motion": "0*t"}}
        model["loads"] = {"rope": {"type": "force", "to": "b", "value": [0, 0, "60*t"]}}
        done = self.ok(model, "inverse", quiet=False)
        self.assertIn("the contact of 'floor' would have to pull from t = 0.35 s on", done.out)
        self.near(done.series["floor.Fz"], 20 - 60 * done.time, 1e-9)

    def test_in_the_plane(self):
        """a box of 2 kg on one point beside a slide that keeps it upright: a = g sin - mu g cos"""
        mu = 0.2
        model = {"roberval": 1, "space": "planar", "gravity": [3, -9], "bodies": {"b": {"mass": 2, "inertia": 0.1}},
                 "joints": {"floor": {"type": "point", "between": ["ground", "b"], "friction": {"coefficient": mu}, "unilateral": True}, "up": {"type": "angle", "between": ["ground", "b"]}},
                 "motion": {"from": 0, "to": 1, "step": 0.1}}
        done = self.ok(model, "simulate")
        self.near(done.series["b.x"], (3 - mu * 9) * done.time ** 2 / 2, 1e-9)
        self.near(done.series["floor.F"], 18 + 0 * done.time, 1e-9)
        self.near(done.series["floor.friction"], -3.6 + 0 * done.time, 1e-9)

    def test_legs_of_a_table(self):
        """three legs carry by the lever law, each unique; a fourth makes their pushes not unique, and with a load beyond an edge it begins to tip"""
        def table(legs, load):
            at = {"a": [-1, -1, 0], "b": [1, -1, 0], "c": [0, 1, 0], "d": [1, 1, 0]}
            return {"roberval": 1, "space": "spatial", "gravity": [0, 0, -G],
                    "bodies": {"t": {"mass": 3, "inertia": [1, 1, 1], "markers": {**{n: at[n] for n in legs}, "load": load}}},
                    "joints": {n: {"type": "point", "between": ["ground", f"t.{n}"], "unilateral": True} for n in legs},
                    "loads": {"w": {"type": "force", "to": "t.load", "value": [0, 0, -40]}}}
        done = self.ok(table("abc", [0, 0.5, 0]), "statics")
        load = [done.series[f"{n}.F"][0] for n in "abc"]
        c = (30 * 1 + 40 * 1.5) / 2
        for got, want in zip(load, ((70 - c) / 2, (70 - c) / 2, c)):
            self.assertAlmostEqual(got, want, delta=1e-8)
        done = cli.run_model(table("abcd", [0, 0, 0]), "check", quiet=False)
        self.assertEqual(done.code, 0, done.said())
        self.assertRegex(done.out, r"a\.Fz +N +not unique")
        model = table("abc", [0, -3, 0])                        # about the edge: 40*2 - 30*1 = (1 + 3*1^2) alpha; the middle rises by alpha
        model["motion"] = {"from": 0, "to": 0.1, "step": 0.05}
        done = self.ok(model, "simulate")
        alpha = 50 / 4
        for name, want in (("a.F", (70 + 3 * alpha) / 2), ("b.F", (70 + 3 * alpha) / 2), ("c.F", 0)):
            self.assertAlmostEqual(done.series[name][0], want, delta=1e-9)

    def test_bad_input(self):
        for change, word in (({"friction": {"coefficient": 0.2, "radius": 0.1}}, "has no radius"), ({"restitution": 0.5}, "unilateral: true is missing"),
                             ({"radius": 0.1}, "radius"), ({"lateral": False}, "lateral")):
            done = cli.run_model(puck((0, 0, -G), **change), "check")
            self.assertEqual(done.code, 2, done.said())
            self.assertIn(word, done.err)


class Lateral(cli.Case):
    M, R, J = 2.0, 0.3, 0.09

    def wheel(self, **joint):
        """A disk about y, kept upright and on its heading, on a road that falls to -y; pulled along x."""
        return {"roberval": 1, "space": "spatial", "gravity": [0, -3, -9],
                "bodies": {"ground": {"markers": {"side": {"at": [0, 0, 0], "axis": [0, 1, 0]}}},
                           "d": {"mass": self.M, "inertia": [0.05, self.J, 0.05], "markers": {"hub": {"at": [0, 0, 0], "axis": [0, 1, 0]}}, "pose": {"at": [0, 0, self.R]}}},
                "joints": {"road": {"type": "wheel", "between": ["ground", "d.hub"], "radius": self.R, **joint}, "up": {"type": "parallel", "between": ["ground.side", "d.hub"]}},
                "loads": {"pull": {"type": "force", "to": "d", "value": [3.3, 0, 0]}}, "initial": {"x(d)'": 1, **({"y(d)'": 0} if joint.get("lateral") is False else {})},
                "motion": {"from": 0, "to": 1, "step": 0.05}}

    def test_it_rolls_along_and_falls_sideways(self):
        """a = F/(m + J/R^2) along, g sin across; with its lateral row it keeps its line, and the road holds it"""
        a = 3.3 / (self.M + self.J / self.R ** 2)
        done = self.ok(self.wheel(lateral=False), "simulate")
        self.near(done.series["d.x"], done.time + a * done.time ** 2 / 2, 1e-9)
        self.near(done.series["d.y"], -3 * done.time ** 2 / 2, 1e-9)
        self.near(done.series["d.omegay"], (1 + a * done.time) / self.R, 1e-8)
        held = self.ok(self.wheel(), "simulate", "--frame", "ground")
        self.near(held.series["d.y"], 0 * held.time, 1e-12)
        self.near(held.series["road.Fy"], 3 * self.M + 0 * held.time, 1e-8)

    def test_friction_limits_its_rolling_alone(self):
        """mu N = 0.36 N turn it, less than rolling needs; sideways nothing rubs"""
        mu = 0.02
        done = self.ok(self.wheel(lateral=False, friction={"coefficient": mu}), "simulate")
        self.near(done.series["d.vx"], 1 + (3.3 - mu * 18) / self.M * done.time, 1e-8)
        self.near(done.series["d.omegay"], 1 / self.R + mu * 18 * self.R / self.J * done.time, 1e-8)
        self.near(done.series["d.vy"], -3 * done.time, 1e-9)
        self.near(done.series["road.friction"], -mu * 18 + 0 * done.time, 1e-9)

    def test_a_free_disk_keeps_its_energy(self):
        """a tilted disk that rolls and slides sideways on a level floor: energy stays, and no force acts across its rolling line"""
        model = self.wheel(lateral=False)
        model["gravity"] = [0, 0, -9.0]
        model["loads"] = {}
        del model["joints"]["up"]
        model["bodies"]["d"]["pose"]["rotate"] = {"axis": [1, 0, 0], "angle": 0.4}
        model["bodies"]["d"]["pose"]["at"][2] = self.R * np.cos(0.4)
        model["initial"] = {"wx(d)": 0.3, "wy(d)": 8.0, "wz(d)": 1.0}
        model["output"] = {"T": f"0.5*{self.M}*(x(d)'^2 + y(d)'^2 + z(d)'^2)"}
        done = self.ok(model, "simulate", "--tolerance", "1e-10", "--frame", "ground")
        s = done.series
        A = [np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)], [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)], [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])
             for w, x, y, z in zip(s["d.qw"], s["d.qx"], s["d.qy"], s["d.qz"])]
        spin = np.stack([s["d.omegax"], s["d.omegay"], s["d.omegaz"]], 1)
        inertia = [a @ np.diag([0.05, self.J, 0.05]) @ a.T for a in A]
        energy = s["T"] + np.array([0.5 * w @ J @ w for w, J in zip(spin, inertia)]) + self.M * 9 * s["d.z"]
        self.near(energy, energy[0] + 0 * energy, 1e-7)
        across = [np.cross([0, 0, 1], np.cross(a[:, 1], [0, 0, 1])) for a in A]            # sideways: no force
        for k, n in enumerate(across):
            F = np.array([s[f"road.F{c}"][k] for c in "xyz"])
            self.assertAlmostEqual(float(F @ n), 0, delta=1e-7)

    def test_bad_input(self):
        model = self.wheel(lateral=False)
        model["joints"]["road"]["type"] = "ball"
        done = cli.run_model(model, "check")
        self.assertEqual(done.code, 2, done.said())
        self.assertIn("lateral", done.err)
        done = cli.run_model({"roberval": 1, "space": "planar", "bodies": {"b": {"mass": 1, "inertia": 1}}, "joints": {"w": {"type": "wheel", "between": ["ground", "b"], "lateral": False}}}, "check")
        self.assertEqual(done.code, 2, done.said())
        self.assertIn("lateral", done.err)


if __name__ == "__main__":
    cli.main()
