#!/usr/bin/env python3
"""What happens on the way of a motion, and the conditions for it: against closed forms, laws and what Python makes of the same text."""
import math
import os
import random
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "py"))
import numpy as np      # noqa: E402
import cli              # noqa: E402

ROUNDS = int(os.environ.get("ROBERVAL_HAPPEN", "3"))
HEAD = "roberval: 1\nspace: planar\nbodies: {p: {particle: true, mass: 1}}\nmotion: {from: 0, to: 1, step: 0.1}\n"


def events(done, *kinds):
    return [(e["t"], e["name"], e["kind"]) for e in done.result["integration"]["events"] if not kinds or e["kind"] in kinds]


class Conditions(cli.Case):
    def grow(self, rng, depth):
        kind = rng.choice(["leaf"] if depth == 0 else ["leaf", "not", "and", "or", "and", "or", "bracket", "number"])
        if kind == "leaf":
            return f"{rng.choice(['t', 'a', 'b', '2*t - a'])} {rng.choice(['<', '<=', '>', '>=', '==', '!='])} {rng.choice(['b', 'a', '0.5', 't*t'])}"
        if kind == "number":
            return rng.choice(["0", "2", "(a > b) + (t > 0.3)", "t - 0.5"])
        if kind == "not":
            return f"not {self.grow(rng, 0) if rng.random() < 0.5 else '(' + self.grow(rng, depth - 1) + ')'}"
        if kind == "bracket":
            return f"({self.grow(rng, depth - 1)})"
        return f"{self.grow(rng, depth - 1)} {kind} {self.grow(rng, depth - 1)}"

    def test_and_or_not_are_what_python_makes_of_them(self):
        rng = random.Random(3)
        for _ in range(ROUNDS):
            a, b = rng.choice([0.25, 0.5, 0.75]), rng.choice([0.25, 0.5, 1.0])
            texts = [f"({self.grow(rng, 4)}) != 0" for _ in range(30)]
            lines = "".join(f'  o{k}: "{text}"\n' for k, text in enumerate(texts))
            done = self.ok(HEAD.replace("to: 1, step: 0.1", "to: 1, step: 0.125") + f"parameters: {{a: {a}, b: {b}}}\noutput:\n{lines}", "simulate")
            for k, text in enumerate(texts):
                want = [float(bool(eval(text, {"a": a, "b": b, "t": float(t)}))) for t in done.series["time"]]
                self.column(done, f"o{k}", want, 0)

    def test_what_the_first_part_decides_is_not_computed(self):
        done = self.ok(HEAD + 'output: {o: "t > 0.55 and log(t - 0.5) < 0", r: "t < 0.55 or log(t - 0.5) < -1", q: "x(p) > 1[m] and t > 0.5[s]"}', "simulate")
        self.column(done, "o", [float(t > 0.55) for t in done.series["time"]], 0)
        self.column(done, "r", [float(t < 0.55 or math.log(t - 0.5) < -1) for t in done.series["time"]], 0)

    def test_words_are_no_names(self):
        for word in ("and", "or", "not", "here"):
            for text in (f"parameters: {{{word}: 1}}\n", f"states: {{{word}: {{rate: 1}}}}\n", f"coordinates: {{{word}: x(p)}}\n", f'tables: {{{word}: {{x: [0, 1], y: [0, 1]}}}}\n'):
                done = cli.run_model(HEAD + text, "simulate")
                self.assertEqual(done.code, 2, text + done.err)
                self.assertIn(f"'{word}' has a meaning in expressions", done.err)

    def test_mistakes(self):
        for text, said in (("t and", "the expression ends"), ("and 1", "is missing before 'and'"), ("2*not t", "put it in parentheses"), ("0 < t < 1", "a < b and b < c"), ("not", "the expression ends"),
                           ("(t > 1 or)", "missing"), ("t > 1 andt < 2", "andt")):
            done = cli.run_model(HEAD + f'output: {{o: "{text}"}}', "simulate")
            self.assertEqual(done.code, 2, text + done.err)
            self.assertIn(said, done.err)


if __name__ == "__main__":
    cli.main()
