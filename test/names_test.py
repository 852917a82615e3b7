#!/usr/bin/env python3
"""Names may be long, up to 255 letters, and are then good for everything; longer ones are refused where they stand. Parameters come before what uses them. An output without a
value says why."""
import json
import math
import os
import random
import re
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "py"))
import cli              # noqa: E402

ROUNDS = int(os.environ.get("ROBERVAL_ROUNDS", "3"))
MOST = 255
THINGS = ("body", "marker", "joint", "drive", "load", "output", "parameter", "constraint", "slide", "block")


def word(r, length):
    return r.choice("abcdefgh") + "".join(r.choice("abcdefghxyz_0123456789") for _ in range(length - 1))


def names_of(r, length):
    """a name of that many letters for each thing, no two the same"""
    names = {thing: word(r, length) for thing in THINGS}
    return names if len(set(names.values())) == len(names) else names_of(r, length)


def machine(n):
    """A driven arm with a spring, and a block on a slide that an equation moves: every thing is named and used by name."""
    return {"roberval": 1, "space": "planar", "gravity": [0, -9.81], "parameters": {n["parameter"]: 0.5},
            "bodies": {n["body"]: {"mass": 2, "inertia": 0.1, "centroid": [n["parameter"], 0], "markers": {n["marker"]: [1, 0]}}, n["block"]: {"mass": 1, "inertia": 0.1}},
            "joints": {n["joint"]: {"type": "revolute", "between": ["ground", n["body"]]}, n["slide"]: {"type": "prismatic", "between": ["ground", n["block"]]}},
            "constraints": {n["constraint"]: {"equation": f"{n['slide']}.distance - 0.3 - x({n['body']}.{n['marker']})/10"}},
            "drives": {n["drive"]: {"coordinate": f"{n['joint']}.angle", "motion": "t"}},
            "loads": {n["load"]: {"type": "spring", "between": [f"{n['body']}.{n['marker']}", n["block"]], "stiffness": 100, "free_length": 0.1}},
            "output": {n["output"]: f"{n['drive']}.effort/1[N.m] + ({n['joint']}.Fx + {n['load']}.force + {n['constraint']}.effort)/1[N] + angle({n['body']})/1[rad] "
                                    f"+ dot({n['body']}.{n['marker']}.x, ground.x)*distance({n['body']}.{n['marker']}, {n['block']})/1[m]"},
            "motion": {"from": 0, "to": 1, "step": 0.25}}


class Names(cli.Case):
    def plain(self, model, n):
        """the model with short names instead"""
        text = json.dumps(model)
        for k, thing in enumerate(THINGS):
            text = text.replace(n[thing], f"thing{k}")
        return text

    @cli.long
    def test_long_names_do_all_that_short_ones_do(self):
        r = random.Random(3)
        for length in [MOST, 127, 128] + [r.randint(60, MOST) for _ in range(ROUNDS)]:
            n = names_of(r, length)
            model = machine(n)
            for command in ("inverse", "kinematics", "statics", "assemble"):
                long, short = self.ok(model, command), self.ok(self.plain(model, n), command)
                self.assertEqual(self.plain(long.columns, n), json.dumps(short.columns), length)
                for a, b in zip(long.columns, short.columns):
                    a, b = cli.HEAD.match(a)["name"], cli.HEAD.match(b)["name"]
                    self.near(np.nan_to_num(long.series[a], nan=1e9), np.nan_to_num(short.series[b], nan=1e9), 1e-12, b)
            for call in (["check", "--ask", f"{n['joint']}.Fx + {n['drive']}.effort"], ["inverse", "--only", n["joint"]], ["statics", "--all"], ["info"],
                         ["convert", "--to", "spatial"], ["inverse", "--set", f"{n['parameter']}=0.4"]):
                done = cli.run_model(model, *call, out=False, quiet=False)
                self.assertEqual(done.code, 0, f"{length} {call[0]}: {done.said()}")
            model["output"] = {n["output"]: f"{n['joint']}.Fz"}                         # and in what is said of mistakes
            done = cli.run_model(model, "inverse")
            self.assertIn(f"joint '{n['joint'][:100]}", done.err)

    def test_longer_ones_are_refused_where_they_stand(self):
        r = random.Random(4)
        for thing in THINGS:
            n = names_of(r, 20)
            model = machine(n)
            long = word(r, r.choice((MOST + 1, r.randint(MOST + 2, 3000))))
            text = json.dumps(model, indent=1).replace(n[thing], long)
            done = cli.run_model(text, "inverse")
            self.assertEqual(done.code, 2, done.said())
            first = done.errors[0]
            self.assertEqual(first.text, f"the name '{long[:40]}...' has {len(long)} letters; a name has at most {MOST}", thing)
            at = next((k, line.index(long)) for k, line in enumerate(text.splitlines(), 1) if long in line)
            self.assertEqual((first.line, first.column), (at[0], at[1]), thing)


class Parameters(cli.Case):
    def test_one_that_is_defined_further_down(self):
        """chains of parameters in random orders: the first that comes too early is told so"""
        r = random.Random(5)
        for _ in range(4 * ROUNDS):
            names = [f"p{k}{r.choice('xyz')}" for k in range(r.randint(2, 6))]
            values = {names[0]: "0.5"} | {b: f"2*{a}" for a, b in zip(names, names[1:])}
            order = r.sample(names, len(names))
            model = {"roberval": 1, "space": "planar", "parameters": {name: values[name] for name in order},
                     "bodies": {"b": {"mass": names[-1], "inertia": 1}}, "joints": {"j": {"type": "revolute", "between": ["ground", "b"]}}}
            early = [(b, a) for b in order for a in names if values[b] == f"2*{a}" and order.index(a) > order.index(b)]
            done = cli.run_model(model, "check")
            said = [m.text for m in done.errors if "further down" in m.text]
            self.assertEqual(said, [f"'{a}' is defined further down; parameters may use earlier ones" for _, a in early], order)
            self.assertEqual(done.code, 2 if early else 0, done.said())

    def test_one_that_is_made_of_itself(self):
        model = {"roberval": 1, "space": "planar", "parameters": {"a": "2*a"}, "bodies": {"b": {"mass": "a", "inertia": 1}}, "joints": {}}
        self.assertIn("'a' is what is being defined here", cli.run_model(model, "check").errors[0].text)

    def test_elsewhere_an_unknown_name_is_unknown(self):
        model = {"roberval": 1, "space": "planar", "parameters": {"size": 1}, "bodies": {"b": {"mass": "sizes", "inertia": 1}}, "joints": {}}
        self.assertIn("did you mean 'size'", cli.run_model(model, "check").errors[0].text)


class Valueless(cli.Case):
    """An output that has no value at a sample leaves an empty cell, and a note says why."""

    def arm(self, **output):
        return {"roberval": 1, "space": "planar", "gravity": [0, -9.81], "bodies": {"arm": {"mass": 2, "inertia": 0.1, "centroid": [0.5, 0]}},
                "joints": {"pin": {"type": "revolute", "between": ["ground", "arm"]}}, "drives": {"motor": {"coordinate": "pin.angle", "motion": "t"}},
                "motion": {"from": 0, "to": 1, "step": 0.1}, "output": output}

    def test_what_an_analysis_does_not_compute(self):
        model = self.arm(a="2*motor.effort", b="pin.Fx", c="pin.angle''", d="pin.angle + x(arm)")
        lacking = {"kinematics": {"a": "efforts of drives", "b": "reactions"}, "assemble": {"a": "efforts of drives", "b": "reactions", "c": "second rates"}, "statics": {}, "inverse": {}}
        for command, lacks in lacking.items():
            done = self.ok(model, command)
            empty = {name for name in "abcd" if math.isnan(done.series[name][0])}
            self.assertEqual(empty, set(lacks), command)
            notes = [note for note in done.result["notes"] if "has no value" in note]
            self.assertEqual(notes, [f"output '{name}' has no value: {command} computes no {what}" for name, what in lacks.items()])
            shown = cli.run_model(model, command, out=False, quiet=False)
            self.assertEqual(shown.out.count("has no value"), len(lacks), command)

    def test_where_it_has_none(self):
        r = random.Random(6)
        for _ in range(2 * ROUNDS):
            last = r.randint(1, 9)
            done = self.ok(self.arm(z=f"sqrt({last / 10 + 0.05} - t)"), "kinematics")
            self.assertEqual(int(sum(math.isnan(v) for v in done.series["z"])), 10 - last)
            self.assertEqual(len([n for n in done.result["notes"] if re.match(rf"output 'z' has no value at {10 - last} of 11 samples, first at t = {(last + 1) / 10:g} s: sqrt of -0.05", n)]), 1, done.result["notes"])
            inverse = cli.run_model(self.arm(z=f"sqrt({last / 10 + 0.05} - t)"))
            self.assertEqual(inverse.code, 1)
            self.assertIn("output 'z' is not finite", inverse.err)


if __name__ == "__main__":
    cli.main()
