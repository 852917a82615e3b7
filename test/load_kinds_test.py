#!/usr/bin/python3
# ctest: smoke
"""Every kind of load, in the plane and in space: schema, program, results and docs/loads.md speak of the same kinds with the same columns.

The kinds come from `roberval schema`, so a new one fails here until it has an entry.  Each pushes on two driven bodies with random poses and rates: the audit, which has
its own formulas, must pass; without the load other forces must come out, so the audit has seen it; and twice the load changes every effort twice as much.
"""
import json
import os
import random
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "py"))
import cli              # noqa: E402

# type -> the keys of one load with {k} for its strength, in the plane and in space; None where there is no such kind
LOADS = {
    "force": ("to: q.Q, value: ['{k}*(1 + A.angle)', '-{k}*B.angle']", "to: q.Q, frame: body, value: ['{k}', '{k}*A.angle', '-{k}*B.angle']"),
    "torque": ("to: q, value: '{k}*B.angle'", "to: q, value: ['{k}', '{k}*A.angle', '-{k}*B.angle']"),
    "spring": ("between: [ground.G, q.Q], stiffness: {k}, free_length: 0.3, damping: {k}, force: \"{k}*l^2*l'\"",) * 2,
    "torsion-spring": ("joint: B, stiffness: {k}, free_angle: 0.3, damping: {k}, torque: '{k}*B.angle^3'",) * 2,
    "bushing": ("between: [ground.G, q.Q], stiffness: [{k}, {k}, {k}], damping: [{k}, {k}, {k}]",
                "between: [ground.G, q.Q], stiffness: [{k}, {k}, {k}, {k}, {k}, {k}], damping: [{k}, {k}, {k}, {k}, {k}, {k}]"),
    "rotating-frame": ("speed: '{s}*(1 + t)', center: [0.1, 0.2]", "speed: '{s}*(1 + t)', center: [0.1, 0.2, 0.3], axis: [1, 2, -3]"),
    "field": ("acceleration: ['{k}*x*y', '{k}*sin(t) + {k}*x']", "acceleration: ['{k}*x*y', '{k}*sin(t) + {k}*x', '-{k}*z']"),
    "energy": ("value: '{k}*A.angle^2*B.angle + {k}*sin(t)*A.angle'",) * 2,
}
NOT_LINEAR = ("rotating-frame",)

MODEL = """roberval: 1
space: {space}
gravity: {gravity}
bodies:
  ground: {{markers: {{G: {G}}}}}
  p: {{mass: 2, inertia: {J}, centroid: {c}, markers: {{A: {O}, B: {B}}}}}
  q: {{mass: 3, inertia: {J}, centroid: {c}, pose: {{at: {P}}}, markers: {{B: {O}, Q: {Q}}}}}
joints:
  A: {{type: revolute, between: [ground, p.A]}}
  B: {{type: revolute, between: [p.B, q.B]}}
drives:
  a: {{coordinate: A.angle, motion: "{a} + {b}*t + t^2"}}
  b: {{coordinate: B.angle, motion: "{c0} - {b}*t + t^3"}}
{loads}
motion: {{from: 0, to: 0.2, step: 0.1}}
"""


def model(rng, space, load):
    n = 3 if space == "spatial" else 2

    def place():
        return [round(rng.uniform(-1, 1), 3) for _ in range(n)]
    B = place()
    rng_rates = [round(rng.uniform(0.3, 1), 3) for _ in range(3)]
    return MODEL.format(space=space, gravity=place(), G=place(), Q=place(), B=B, P=B, c=place(), O=[0] * n, J="[0.5, 0.6, 0.7]" if n == 3 else 0.4,
                        a=rng_rates[0], b=rng_rates[1], c0=rng_rates[2], loads="loads: {load: {" + load + "}}" if load else "")


def kinds(space):
    """types of loads in the schema"""
    schema = json.loads(cli.run(["schema"], out=False, quiet=False).out)
    for part in schema["allOf"]:
        if part["if"]["properties"]["space"]["const"] == space:
            return part["then"]["properties"]["loads"]["additionalProperties"]["properties"]["type"]["enum"]
    raise AssertionError(f"the schema has no {space} models")


def documented():
    """type -> columns in the plane and in space, from the table of docs/loads.md"""
    found = {}
    with open(os.path.join(cli.ROOT, "docs", "loads.md"), encoding="utf-8") as page:
        for line in page:
            row = re.match(r"\| \[`([\w-]+)`\]\(#\1\) \| .*? \| (.*) \|", line)
            if not row:
                continue
            plane, _, space = row[2].partition("in space")
            plane, more = re.findall(r"`(\w+)`", plane), re.findall(r"`(\w+)`", space)
            if " to " in space:
                more = ["Fx", "Fy", "Fz", "Tx", "Ty", "Tz"][:["Fx", "Fy", "Fz", "Tx", "Ty", "Tz"].index(more[-1]) + 1]
            elif set(more) == {"Fz"}:
                more = plane + more
            found[row[1]] = (plane, more or plane)
    return found


class LoadKinds(cli.Case):
    def efforts(self, text, name):
        run = cli.run_model(text)
        self.assertEqual(run.code, 0, f"{name}: {run.err}\n{text}")
        return run, [x for column in ("a.effort", "b.effort") for x in run.series[column]]

    def test_same_kinds_everywhere(self):
        page = documented()
        for n, space in enumerate(("planar", "spatial")):
            self.assertEqual(set(kinds(space)), {kind for kind, texts in LOADS.items() if texts[n]})
        self.assertEqual(set(page), set(LOADS))
        unknown = cli.run_model(model(random.Random(1), "planar", "type: xyzzy"))
        for kind in LOADS:
            self.assertIn(kind, unknown.err)

    def test_every_kind(self):
        page, rng = documented(), random.Random(20)
        for space in ("planar", "spatial"):
            for kind, texts in LOADS.items():
                if not texts[space == "spatial"]:
                    continue
                seed, k = rng.random(), round(rng.uniform(1, 4), 3)
                load = "type: " + kind + ", " + texts[space == "spatial"]
                name = f"{kind} ({space})"
                none = self.efforts(model(random.Random(seed), space, None), name)[1]
                run, once = self.efforts(model(random.Random(seed), space, load.format(k=k, s=k)), name)
                twice = self.efforts(model(random.Random(seed), space, load.format(k=2 * k, s=2 * k)), name)[1]
                own = [column.split(".")[1] for column in run.columns if column.startswith("load.")]
                self.assertEqual([re.sub(r" .*", "", c) for c in own], page[kind][space == "spatial"], name)
                change = [x - y for x, y in zip(once, none)]
                self.assertGreater(max(map(abs, change)), 1e-3, f"{name} does nothing")
                if kind in NOT_LINEAR:
                    continue
                scale = max(map(abs, once + twice))
                for x, y, z in zip(none, once, twice):
                    self.assertLess(abs(z - 2 * y + x), 1e-9 * scale, name)


if __name__ == "__main__":
    cli.main()
