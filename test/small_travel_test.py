#!/usr/bin/env python3
"""Motions whose travel is small beside the mechanism keep their balance of energy: work of a force that follows time, loss by friction, oscillations, stops, each against its closed form; and what
is really lost still fails the audit."""
import math
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "py"))
import cli              # noqa: E402

TOLERANCES = (1e-6, 1e-9, 1e-12)
SLIDE = {"planar": "space: planar\nbodies:\n  ground: {markers: {W: [-1, 0]}}\n  s: {mass: 2, inertia: 0.01}\n",
         "spatial": "space: spatial\nbodies:\n  ground: {markers: {W: [0, 0, -1]}}\n  s: {mass: 2, inertia: [0.01, 0.01, 0.01]}\n"}
MU, N = 0.3, 2 * 9.81


def slider(space, more, push=None, friction=""):
    """2 kg on a slide, with a weight where there is friction; push: along it."""
    value = f'"{push}", 0' if space == "planar" else f'0, 0, "{push}"'
    loads = f"loads: {{push: {{type: force, to: s, value: [{value}]}}}}\n" if push else ""
    gravity = ("gravity: [0, -9.81]\n" if space == "planar" else "gravity: [0, -9.81, 0]\n") if friction else ""
    return f"roberval: 1\n{SLIDE[space]}{gravity}joints: {{guide: {{type: prismatic, between: [ground, s]{friction}}}}}\n{loads}{more}"


def root(f, a, b):
    for _ in range(100):
        a, b = ((a + b) / 2, b) if f(a) * f((a + b) / 2) > 0 else (a, (a + b) / 2)
    return a


class SmallTravel(cli.Case):
    def ways(self):
        for space in SLIDE:
            for tolerance in TOLERANCES:
                yield space, tolerance

    def near_energy(self, done, want, tolerance):
        """The audit's own bound is 1000 tolerances of the size, or one for each step; here one for each of some 60 steps and 100 for a sample between them."""
        size = max(abs(w) for w in want)
        for t, got, energy in zip(done.time, done.series["energy"], want):
            self.assertLess(abs(got - energy), 200 * tolerance * size, f"t = {t}")

    def test_the_work_of_a_sinusoid(self):
        """F = a sin(w t) from rest: m v = a/w (1 - cos(w t)), and all of the work is kinetic energy. The travel is 0.4 um beside a mechanism of 1 m."""
        a, w = 1e-5, 6.0
        for space, tolerance in self.ways():
            model = slider(space, "motion: {from: 0, to: 3, step: 0.15}\n", f"{a!r}*sin({w!r}*t)")
            done = self.ok(model, "simulate", "--tolerance", repr(tolerance))
            start = done.series["energy"][0]
            speed = [a / w * (1 - math.cos(w * t)) / 2 for t in done.time]
            size = max(v * v for v in speed)
            for t, got, v in zip(done.time, done.series["energy"], speed):
                self.assertLess(abs(got - start - v * v), 200 * tolerance * size + 1e-16, f"t = {t}, {space}")

    def test_an_oscillation_of_little_amplitude(self):
        """1e-5 m beside 1 m: x = a cos(w t) and the energy k a^2/2, to 1e-9 of it."""
        k, a = 200.0, 1e-5
        for space, tolerance in self.ways():
            spring = f"loads: {{k: {{type: spring, between: [ground.W, s], stiffness: {k!r}, free_length: 1}}}}\ninitial: {{guide.distance: {a!r}}}\nmotion: {{from: 0, to: 3, step: 0.05}}\n"
            done = self.ok(slider(space, spring), "simulate", "--tolerance", repr(tolerance))
            self.near_energy(done, [k * a * a / 2] * len(done.time), tolerance)
            if tolerance == 1e-12:
                for t, x in zip(done.time, done.series["guide.distance"]):
                    self.assertLess(abs(x - a * math.cos(math.sqrt(k / 2) * t)), 1e-9 * a)

    def test_what_friction_takes(self):
        """From 1 mm/s to rest over v^2/(2 mu g) = 0.17 um: the loss is mu N s, all of the kinetic energy, at v/(mu g)."""
        v, g = 1e-3, 9.81
        for space, tolerance in self.ways():
            model = slider(space, f"initial: {{guide.distance': {v!r}}}\nmotion: {{from: 0, to: 0.0004, step: 0.00002}}\n", friction=f", friction: {{coefficient: {MU}}}")
            done = self.ok(model, "simulate", "--tolerance", repr(tolerance))
            stick = [e for e in done.result["integration"]["events"] if e["kind"] == "stick"]
            self.assertEqual(len(stick), 1)
            self.assertLess(abs(stick[0]["t"] - v / (MU * g)), 1e-9)
            self.near_energy(done, [v * v - MU * N * (v * min(t, v / (MU * g)) - MU * g * min(t, v / (MU * g))**2 / 2) for t in done.time], max(tolerance, 1e-11))

    def test_a_slider_between_near_stops(self):
        """A millimetre of play under 10 sin(6 t) N with friction: let go where 10 sin(6 t) = mu N, struck where the integral of (10 sin(6 t) - mu N)/m has come to 1 mm, with m v; and so in each half turn."""
        f, w, m = 10.0, 6.0, 2.0
        first = math.asin(MU * N / f) / w
        rate = lambda t: (f / w * (math.cos(w * first) - math.cos(w * t)) - MU * N * (t - first)) / m
        way = lambda t: (f / w * math.cos(w * first) * (t - first) - f / w**2 * (math.sin(w * t) - math.sin(w * first)) - MU * N * (t - first)**2 / 2) / m
        struck = root(lambda t: way(t) - 0.001, first, first + 0.2)
        for space, tolerance in self.ways():
            model = slider(space, "stops: {end: {coordinate: guide.distance, min: 0, max: 0.001}}\nmotion: {from: 0, to: 3, step: 0.05}\n", f"{f!r}*sin({w!r}*t)", f", friction: {{coefficient: {MU}}}")
            done = self.ok(model, "simulate", "--tolerance", repr(tolerance))
            hits = [e for e in done.result["integration"]["events"] if e["kind"] == "impact"]
            self.assertEqual(len(hits), 6)
            for k, hit in enumerate(hits):                                     # a place within 1e-9 of some cm, at 45 mm/s
                self.assertLess(abs(hit["t"] - struck - k * math.pi / w), 10 * tolerance + 1e-13)
                self.assertLess(abs(hit["impulse"] - m * rate(struck)), 100 * tolerance * m * rate(struck) + 1e-12)

    def test_what_is_lost_is_not_forgiven(self):
        """A drive that jumps by a micrometre lifts a weight without any work: a step however short loses the same, and the audit says so."""
        text = "space: planar\ngravity: [-9.81, 0]\nbodies: {s: {mass: 2, inertia: 0.01}}\n"
        for jump in (1e-6, 1e-2):
            model = f"roberval: 1\n{text}joints: {{guide: {{type: prismatic, between: [ground, s]}}}}\ndrives: {{m: {{coordinate: guide.distance, motion: \"if(t > 0.5, {jump!r}, 0)\"}}}}\nmotion: {{from: 0, to: 1, step: 0.1}}\n"
            done = cli.run_model(model, "simulate")
            self.assertEqual(done.code, 1, done.said())
            self.assertRegex(done.err, "balance of energy is off")
            self.near(done.result["integration"]["energy_error"], 2 * 9.81 * jump, 1e-6 * jump)

    def test_steps_stay_long_where_nothing_is_small(self):
        """A pendulum over its whole circle is bounded by places and rates as ever: the balance refuses no more than a step or two."""
        model = "roberval: 1\nspace: planar\ngravity: [0, -9.81]\nbodies: {arm: {mass: 1, inertia: 0.1, centroid: [0.5, 0]}}\njoints: {O: {type: revolute, between: [ground, arm]}}\nmotion: {from: 0, to: 10, step: 1}\n"
        done = self.ok(model, "simulate")
        self.assertLess(done.result["integration"]["rejected"], 40)
        self.assertLess(done.result["integration"]["steps"], 160)


if __name__ == "__main__":
    cli.main()
