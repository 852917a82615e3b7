#!/usr/bin/python3
# ctest: natural-slow joint-slow
"""`roberval check`: what it advises is tried out, what it says of the way is held against the geometry, large blocks against small ones.

Sources: docs/theory.md, docs/verdicts.md, docs/decisions/0003 points 3 - 6.

Advice is right when following it works: after freeing the directions (the joint replaced by the kind named, or taken out) every reaction
of the model is unique and it moves no more than before; after giving the compliances none is left not unique; the components to measure pin
every self-stress by the null space of an oracle of our own (test/py/redundant_oracles.py: stress).
Large systems: a grid of crossed bars has 2(m-1)(n-1) self-stresses and one freedom (oracles.grid says why).
"""
import concurrent.futures
import copy
import json
import math
import os
import re
import sys
import unittest

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "py"))
import cli              # noqa: E402
import redundant_test   # noqa: E402
import rolling          # noqa: E402
import redundant_oracles as oracles             # noqa: E402
from redundant_oracles import G, INSTANT      # noqa: E402

POOL = concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 2)


def some(jobs):
    """Every fifth, the first of each machine among them; ROBERVAL_MORE=1: all."""
    first = {job[0]: job for job in reversed(jobs)}
    return [job for k, job in enumerate(jobs) if cli.MORE or k % 5 == 0 or job is first[job[0]]]


CRITERIA = ((), ("--criterion", "ranks"), ("--criterion", "svd"), ("--criterion", "qr"))
HELD = {"revolute": "x y", "prismatic": "y rz", "fixed": "x y rz", "slot": "y", "parallel": "rz", "x": "x", "y": "y", "angle": "rz",
        "knife-edge": "y",
        "wheel": "y", "gear": "", "link": "", "distance": "", "no joint": ""}
HELD = {k: frozenset(v.split()) for k, v in HELD.items()}
COMPONENT = {"x": "Fx", "y": "Fy", "rz": "Tz"}


def robot(*place):
    q, d = rolling.pose(*place)
    return rolling.robot(q, d)


def tied_cranks():
    """three cranks with a slide on two guides beside them, joined by a rod: two clusters of their own and a unique part between"""
    m = oracles.cranks()
    slide = oracles.guides(drive=False)
    for part in ("bodies", "joints"):
        for k, v in slide[part].items():
            if k != "ground":
                m[part][k] = v
    m["bodies"]["ground"]["markers"].update(slide["bodies"]["ground"]["markers"])
    m["bodies"]["slide"]["markers"]["tip"] = [.2, -.6]
    m["joints"]["rod"] = {"type": "link", "between": ["coupler.B2", "slide.tip"]}
    return m


MODELS = {
    "doubled door": oracles.door(), "bars": oracles.bars(), "five ropes": oracles.bars((-2., -.7, 0., 1., 2.2)), "three cranks": oracles.cranks(),
    "five cranks": oracles.cranks((0., .3, .6, 1., 1.5)), "three cranks driven": oracles.cranks(drive="1.1 + t", motion=INSTANT),
    "scissor lift with a mast": oracles.scissor(mast=True), "lift with two sides": oracles.scissor(sides=2),
          "one stage, two sides": oracles.scissor(1, sides=2),
    "planetary gear": oracles.planetary(), "four planets": oracles.planetary(4), "robot straight": robot(0.0),
          "robot steered": robot(-.2, -.3, .1),
    "two guides": oracles.guides(), "guide and slot": oracles.guides(kinds=("prismatic", "slot")),
          "three guides": oracles.guides(3, ("prismatic", "slot", "prismatic")),
    "two slots and a guide": oracles.guides(3, ("slot", "slot", "prismatic")), "lattice": oracles.lattice(),
          "lattice of one cell": oracles.lattice(1, 1),
    "grid": oracles.grid(3, 3, tail=2), "two clusters": tied_cranks(),
    **{name: system.model() for name, system in redundant_test.SYSTEMS.items()},
}


FOLDED = oracles.chain([(0, 0), (2, 0), (1, 0), (3, 0)])


def facts(model, *flags):
    done, doc = cli.check(model, *flags)
    if done.code != 0:
        raise AssertionError(done.said())
    return doc


FACTS = {}


def fact(name):
    if name not in FACTS:
        FACTS[name] = facts(MODELS[name])
    return FACTS[name]


def marks(doc):
    return {f"{j}.{c}": x["verdict"] for j, r in doc["reactions"].items() for c, x in r["components"].items()}


LINES = {"link": "F", "distance": "F", "gear": "Ft", "belt": "F", "rack": "F", "cam": "F"}


def line_of(model, component):
    """all parts of a joint that holds a single line are named by the force along it: bar.Fx -> bar.F; else None"""
    joint = component.split(".")[0]
    line = LINES.get(model["joints"].get(joint, {}).get("type"))
    return f"{joint}.{line}" if line else None


def split(direction):
    """'B2.x' -> (B2, x); 'rod' -> (rod, None): the one line that it holds"""
    joint, _, d = direction.partition(".")
    return joint, d or None


def holds(kind):
    """the directions of a kind as advice names it: slot, no joint, or general, locked: [x, rz]"""
    m = re.fullmatch(r"general, locked: \[(.*)\]", kind)
    return frozenset(m[1].split(", ")) if m else HELD[kind]


def soften(model, directions):
    """compliances at the directions; a link gives way alike along both axes"""
    for joint, axis in map(split, directions):
        held = HELD[model["joints"][joint]["type"]]
        for a in (axis,) if axis else sorted(held) or ("x", "y"):
            model["joints"][joint].setdefault("compliance", {})[a] = 1e-6
    return model


class Check(cli.Case):
    def free(self, model, *options):
        """the model with the advice followed: all of the options, which may be of several clusters"""
        m, gone = copy.deepcopy(model), {}
        for option in options:
            mine = {}
            for d in option["directions"]:
                joint, axis = split(d)
                mine.setdefault(joint, set()).add(axis)
            self.assertEqual(set(mine), set(option["replace"]))
            for joint, axes in mine.items():
                held = HELD[model["joints"][joint]["type"]]
                if len(held) < 2:
                    self.assertTrue(axes <= {None, *held}, option)
                    axes = held
                self.assertTrue(axes <= held, option)
                kind = option["replace"][joint]
                self.assertEqual(holds(kind), held - axes, f"{joint}: {option}")
                gone[joint] = gone.get(joint, frozenset()) | axes
        for joint, axes in gone.items():
            spec = m["joints"][joint]
            left = HELD[spec["type"]] - axes
            if not left:
                del m["joints"][joint]
                continue
            said = [o["replace"][joint] for o in options if joint in o["replace"] and holds(o["replace"][joint]) == left]
            kind = said[0].split(",")[0] if said else "general"              # of several clusters at one joint the text cannot know
            keep = {"value": spec["value"]} if "value" in spec else {}
            m["joints"][joint] = {"type": kind, "between": spec["between"], **keep,
                                  **({"locked": sorted(left)} if kind == "general" else {})}
        return m


class Advice(Check):
    def each(self):
        for name in MODELS:
            for item in fact(name)["advice"]:
                yield name, MODELS[name], fact(name), item

    def test_it_is_given_where_something_is_not_unique(self):
        redundant = 0
        for name in MODELS:
            with self.subTest(name):
                doc = fact(name)
                count = sum(a["self_stresses"] for a in doc["advice"])
                self.assertEqual(count, doc["mobility"]["redundant"])
                redundant += count > 0
                between = [c for a in doc["advice"] for c in a["between"]]
                self.assertEqual(len(between), len(set(between)), "a component belongs to one cluster")
                loose = {k for k, v in marks(doc).items() if v == "not unique"}
                named = set(between)
                for k in loose:
                    self.assertIn(line_of(MODELS[name], k) or k, named)
                self.assertTrue(named <= loose, named - loose)
        self.assertGreaterEqual(redundant, 12)

    def test_it_is_minimal_and_ranked(self):
        for name, _, _, item in self.each():
            with self.subTest(name):
                p = item["self_stresses"]
                for part, key in (("free", "directions"), ("measure", "at"), ("compliance", "at")):
                    self.assertTrue(item[part], part)
                    for option in item[part]:
                        self.assertEqual(len(option[key]), p, part)
                        self.assertEqual(len(set(option[key])), p, part)
                        self.assertGreater(option["independence"], 1e-6)
                        if part == "measure":
                            self.assertTrue(set(option["at"]) <= set(item["between"]))
                    chosen = [frozenset(o[key]) for o in item[part]]
                    self.assertEqual(len(set(chosen)), len(chosen), "no alternative twice")
                joints = [len(o["replace"]) for o in item["free"]]
                self.assertEqual(joints, sorted(joints), "fewest joints first")
                for part in ("measure", "compliance"):
                    best = [o["independence"] for o in item[part]]
                    self.assertTrue(all(a >= b - 1e-9 for a, b in zip(best, best[1:])), f"{part}: the best first: {best}")

    def test_freeing_it_makes_everything_unique(self):
        jobs = []
        for name, model, doc, item in self.each():
            others = [a["free"][0] for a in doc["advice"] if a is not item]
            for option in item["free"]:
                m = self.free(model, option, *others)
                jobs.append((name, option, m, doc))
        jobs = some(jobs)
        for (name, option, _, before), (done, doc) in zip(jobs, POOL.map(lambda job: cli.check(job[2]), jobs)):
            with self.subTest(name, free=option["directions"]):
                self.assertEqual(done.code, 0, done.said())
                self.assertEqual(doc["mobility"]["redundant"], 0)
                self.assertEqual(set(marks(doc).values()) - {"free"}, {"unique"})
                for key in ("mobility_without_drives", "degrees_of_freedom", "coordinates", "rank"):
                    self.assertEqual(doc["mobility"][key], before["mobility"][key], key)
                self.assertEqual(doc["advice"], [])

    def test_it_holds_in_any_axes(self):
        """the directions are those of the joints whatever the axes printed"""
        for name in ("three cranks", "planetary gear", "robot steered", "three guides"):
            with self.subTest(name):
                doc = facts(MODELS[name], "--frame", "ground")
                for item in doc["advice"]:
                    after = facts(self.free(MODELS[name], item["free"][0]))
                    self.assertEqual(after["mobility"]["redundant"], 0)
                    self.assertEqual(after["mobility"]["rank"], doc["mobility"]["rank"])

    @cli.long
    def test_compliances_decide_everything(self):
        jobs = []
        for name, model, doc, item in self.each():
            others = [a["compliance"][0] for a in doc["advice"] if a is not item]
            for option in item["compliance"]:
                m = soften(copy.deepcopy(model), [x for o in (option, *others) for x in o["at"]])
                jobs.append((name, option, m, doc))
        jobs = some(jobs)
        for (name, option, m, before), (done, doc) in zip(jobs, POOL.map(lambda job: cli.check(job[2]), jobs)):
            with self.subTest(name, soft=option["at"]):
                self.assertEqual(done.code, 0, done.said())
                want = {k: "compliance" if v == "not unique" else v for k, v in marks(before).items()}
                self.assertEqual(marks(doc), want)
                self.assertEqual(doc["mobility"]["rank"], before["mobility"]["rank"])

    def test_one_less_is_not_enough(self):
        """minimal: without one of its directions something stays not unique"""
        for name in ("five cranks", "lift with two sides", "three guides", "robot straight", "planetary gear"):
            for item in fact(name)["advice"]:
                for skipped in item["compliance"][0]["at"]:
                    m = soften(copy.deepcopy(MODELS[name]), [d for d in item["compliance"][0]["at"] if d != skipped])
                    self.assertIn("not unique", marks(facts(m)).values(), f"{name} {skipped}")

    def test_measuring_pins_every_self_stress(self):
        for name in MODELS:
            rows, p = oracles.stress(MODELS[name])
            doc = fact(name)
            self.assertEqual(p, doc["mobility"]["redundant"], name)
            for item in doc["advice"]:
                for option in item["measure"]:
                    with self.subTest(name, at=option["at"]):
                        N = np.array([rows[k] for k in option["at"]])
                        self.assertEqual(np.linalg.matrix_rank(N, 1e-6), item["self_stresses"])

    @cli.long
    def test_every_self_stress_balances(self):
        """modes, as printed, lie in the null space; as many as there are redundant rows"""
        for name in MODELS:
            with self.subTest(name):
                rows, p = oracles.stress(MODELS[name])
                modes = fact(name)["self_stress"]
                self.assertEqual(len(modes), p)
                if not p:
                    continue
                keys = [k for k in rows if np.abs(rows[k]).max() > 1e-9 and
                        (line_of(MODELS[name], k) == k if line_of(MODELS[name], k) else k.split(".")[1] in ("Fx", "Fy", "Tz"))]
                self.assertTrue({k for m in modes for k in m} <= set(keys))
                B = np.array([rows[k] for k in keys])
                M = np.array([[m.get(k, 0.0) for k in keys] for m in modes]).T
                self.near(B @ np.linalg.lstsq(B, M, rcond=None)[0], M, 1e-9)
                self.assertEqual(np.linalg.matrix_rank(M, 1e-6), p)
                for m in modes:
                    # in the scale of the block: a force, or a torque by its length
                    self.near(min(abs(abs(x) - 1) for x in m.values()), 0.0, 1e-12, str(m))

    @cli.long
    def test_groups_are_determined(self):
        """each is a combination of components that are not unique themselves; asked for, it is unique"""
        for name in MODELS:
            rows, p = oracles.stress(MODELS[name])
            doc = fact(name)
            loose = {k for k, v in marks(doc).items() if v == "not unique"}
            groups = [g["combination"] for g in doc["groups"]]
            for g in groups:
                with self.subTest(name, group=g):
                    self.assertTrue(set(g) <= loose)
                    self.assertGreater(len(g), 1)
                    size = max(abs(x) * np.abs(rows[k]).max() for k, x in g.items())
                    self.near(sum(x * rows[k] for k, x in g.items()), np.zeros(p), 1e-8 * max(1, size))
            if groups:
                ask = " + ".join(f"{x!r}*{k}" if x >= 0 else f"({x!r})*{k}" for k, x in groups[0].items())
                doc = facts(MODELS[name], "--ask", ask)
                self.assertEqual([a["verdict"] for a in doc["asked"]], ["unique"], f"{name}: {ask}")

    def test_nothing_to_advise(self):
        for model in (oracles.scissor(), oracles.cranks((0., .6)), oracles.guides(1), oracles.planetary(1), oracles.lattice(3, 1, braced=False)):
            doc = facts(model)
            self.assertEqual((doc["advice"], doc["self_stress"], doc["groups"], doc["mobility"]["redundant"]), ([], [], [], 0))
            self.assertEqual(set(marks(doc).values()) - {"free"}, {"unique"})

    def test_order_does_not_change_the_first_advice(self):
        """a set of directions as good as any; sorted or reversed it works all the same, with the same number of joints"""
        for name in ("three cranks", "lift with two sides", "three guides", "five cranks"):
            m = copy.deepcopy(MODELS[name])
            m["joints"] = dict(reversed(m["joints"].items()))
            m["bodies"] = dict(reversed(m["bodies"].items()))
            doc = facts(m)
            self.assertEqual(doc["mobility"]["redundant"], fact(name)["mobility"]["redundant"])
            for a, b in zip(doc["advice"], fact(name)["advice"]):
                self.assertEqual(len(a["free"][0]["replace"]), len(b["free"][0]["replace"]), name)
                self.near(a["free"][0]["independence"], b["free"][0]["independence"], 1e-9, name)


class Permanence(Check):
    def counts(self, model, *want):
        mob = facts(model)["mobility"]
        self.assertEqual((mob["redundant"], mob["redundant_permanent"], mob["redundant_momentary"]), want)
        return mob

    def test_permanent(self):
        for name in ("doubled door", "three cranks", "five cranks", "scissor lift with a mast", "lift with two sides", "planetary gear",
                     "robot straight",
                     "robot steered", "two guides", "three guides", "lattice", "grid"):
            with self.subTest(name):
                p = fact(name)["mobility"]["redundant"]
                self.counts(MODELS[name], p, p, 0)

    def test_momentary(self):
        """they move out of the flat position, and nothing is redundant there"""
        for name, model in {"folded four-bar": FOLDED, "flat parallelogram": oracles.cranks((0., .6), 0.0),
                            "folded, turned": oracles.chain([(0, 0), (1.6, 1.2), (.8, .6), (2.4, 1.8)]),
                            "folded five-bar": oracles.chain([(0, 0), (1, 0), (2.5, 0), (1.7, 0), (3, 0)])}.items():
            with self.subTest(name):
                mob = self.counts(model, 1, 0, 1)
                self.assertEqual(mob["rank"], mob["rows"] - 1)

    def test_stretched_ones_cannot_move_at_all(self):
        """as long as the distance of their feet: redundant in the one position that there is.  No motion can tell permanent from momentary:
        momentary by the first-order test of self-stresses, or not said"""
        for model in (oracles.chain([(0, 0), (1, 0), (2.5, 0), (4, 0)]), oracles.chain([(0, 0), (.8, .6), (2., 1.5), (3.2, 2.4)]),
                      oracles.chain([(0, 0), (1, 0), (2.5, 0)])):
            mob = facts(model)["mobility"]
            self.assertEqual(mob["redundant"], 1)
            self.assertIn((mob["redundant_permanent"], mob["redundant_momentary"]), ((0, 1), (None, None)))

    def test_bent_ones_have_none(self):
        for model in (oracles.chain([(0, 0), (1, .2), (2.5, .3), (4, 0)]), oracles.cranks((0., .6), .3),
                      oracles.chain([(0, 0), (1, .1), (2.5, 0), (4, 0), (4.5, 0)])):
            self.counts(model, 0, 0, 0)

    def test_a_driven_flat_four_bar(self):
        """a drive more does not make it permanent; nor does it hide it"""
        for model in (oracles.chain([(0, 0), (2, 0), (1, 0), (3, 0)], drive="0*t"), oracles.cranks((0., .6), 0.0, drive="0*t")):
            mob = facts(model)["mobility"]
            self.assertEqual((mob["redundant"], mob["redundant_momentary"]), (1, 1))

    def test_both_kinds(self):
        """three cranks, and a folded four-bar of its own"""
        m, flat = oracles.cranks(), copy.deepcopy(FOLDED)
        m["bodies"]["ground"]["markers"].update(flat["bodies"].pop("ground")["markers"])
        m["bodies"].update(flat["bodies"])
        m["joints"].update(flat["joints"])
        self.counts(m, 2, 1, 1)

    def test_three_cranks_lying_flat(self):
        """two self-stresses; one of them is there in every position that the cranks can reach"""
        self.counts(oracles.cranks(angle=0.0), 2, 1, 1)

    def test_the_text_says_which(self):
        for model, momentary in ((oracles.cranks(), False), (FOLDED, True)):
            done = cli.run_model(model, "check", out=False, quiet=False)
            self.assertEqual("position only" in done.out or "momentary" in done.out, momentary, done.out)


class Along(Check):
    def test_nothing_changes(self):
        m = oracles.cranks(drive="1.1 + 6*t", motion={"from": 0, "to": 1, "step": .02})
        along = facts(m, "--motion")["along_motion"]
        self.assertEqual((along["from"], along["to"], along["samples"]), (0, 1, 51))
        self.assertEqual(along["rank_changes"], [{"time": 0, "rank": 12, "redundant": 1, "safe": True}])

    def test_without_the_flag_nothing_of_the_way_is_said(self):
        self.assertIsNone(facts(oracles.cranks(drive="1.1 + t", motion={"from": 0, "to": 1, "step": .1})).get("along_motion"))

    def test_without_a_motion(self):
        done = cli.run_model(oracles.cranks(drive="1.1"), "check", "--motion", out=False)
        self.assertEqual(done.code, 2, done.said())
        self.assertIn("motion", done.err)
        done = cli.run_model(oracles.cranks(motion={"from": 0, "to": 1, "step": .1}), "check", "--motion", out=False)
        self.assertEqual(done.code, 2, "one freedom is left: " + done.said())

    def test_verdicts_that_turn_with_the_cranks(self):
        """the force along the cranks is loose: in ground's axes its Fx is nought when they stand upright, its Fy when they lie"""
        start = math.pi / 2 - .25
        m = oracles.cranks(angle=start, drive=f"{start!r} + 0.5*t", motion={"from": 0, "to": 1, "step": .1})
        changes = facts(m, "--motion", "--frame", "ground")["along_motion"]["verdict_changes"]
        names = {f"{p}{k}.Fx" for p in "AB" for k in range(3)}
        for t, verdict in ((.5, "unique"), (.6, "not unique")):
            self.assertEqual({(x["component"], x["verdict"]) for x in changes if abs(x["time"] - t) < 1e-9}, {(k, verdict) for k in names})
        for x in changes:
            self.assertIn(round(x["time"], 9), (0, .5, .6))
        changes = facts(m, "--motion")["along_motion"]["verdict_changes"]           # in the cranks' own axes at B nothing changes
        self.assertFalse([x for x in changes if x["component"].startswith("B") and x["time"] > 0])

    def test_the_worst_counts(self):
        """unique at the start (upright), not unique after: the verdict over the motion is the worse"""
        start = math.pi / 2
        m = oracles.cranks(angle=start, drive="pi/2 + t", motion={"from": 0, "to": .5, "step": .25})
        done = self.ok(m, "inverse", "--frame", "ground")
        self.assertEqual(done.marks["A0.Fx"], "not unique")
        self.assertIn("verdicts.csv", done.files)
        along = facts(m, "--motion", "--frame", "ground")["along_motion"]["verdict_changes"]
        self.assertIn({"time": .25, "component": "A0.Fx", "verdict": "not unique"}, along)

    def test_through_a_flat_position(self):
        """a sample there: exit 1, and what was found is kept; between samples: a note"""
        m = oracles.cranks((0., .6), -.25, drive="-0.25 + 0.5*t", motion={"from": 0, "to": 1, "step": .1})
        done = cli.run_model(m, "check", "--motion")
        self.assertEqual(done.code, 1, done.said())
        self.assertIn("0.5", done.err)
        self.assertIsNotNone(done.result)
        ranks = done.result["along_motion"]["rank_changes"]
        self.assertEqual([(x["rank"], x["redundant"]) for x in ranks], [(9, 0), (8, 1)])
        self.near(ranks[1]["time"], .5, 1e-9)
        changed = {x["component"] for x in done.result["along_motion"]["verdict_changes"] if x["verdict"] == "not unique"}
        self.assertEqual(changed, {f"{j}.Fx" for j in ("A0", "A1", "B0", "B1")})
        m["motion"]["step"] = .15
        done = cli.run_model(m, "check", "--motion", quiet=False)
        self.assertEqual(done.code, 0, done.said())
        self.assertTrue(any("branch" in n and ("0.5 " in n or "0.4999" in n) for n in done.result["notes"]), done.result["notes"])
        self.assertEqual([x["rank"] for x in done.result["along_motion"]["rank_changes"]], [9])
        inverse = cli.run_model(m, "inverse")
        self.assertEqual(inverse.code, 0, inverse.said())
        self.near(inverse.series["c1.angle"], inverse.series["c0.angle"], 1e-9)

    def test_a_dead_centre(self):
        """crank and rod in one line, driven at the slider: the drive cannot go through"""
        m = oracles.chain([(0, 0), (.6, .8), (2., 0)])
        m["joints"]["P2"] = {"type": "slot", "between": ["ground.first", "b1.B"]}
        m["drives"] = {"push": {"coordinate": "P2.x", "motion": "2 + t"}}
        m["motion"] = {"from": 0, "to": 1, "step": .1}
        reach = 1 + math.hypot(1.4, .8)
        done = cli.run_model(m, "check", "--motion")
        self.assertEqual(done.code, 1, done.said())
        self.assertIsNotNone(done.result)
        self.assertLess(done.result["along_motion"]["to"], reach - 2 + .1)


class Large(Check):
    def test_same_verdicts_as_by_singular_values(self):
        """478 rows in one block, and a few unique parts hung on it: by default sparse, by name dense"""
        model = oracles.grid(7, 8, tail=3)
        runs = list(POOL.map(lambda f: cli.check(model, *f), ((), ("--criterion", "svd"))))
        for done, _ in runs:
            self.assertEqual(done.code, 0, done.said())
        (_, a), (_, b) = runs
        keys = ("coordinates", "rows", "rank", "redundant", "degrees_of_freedom", "degrees_of_freedom_position", "gruebler",
                "mobility_without_drives")
        for key in keys:
            self.assertEqual(a["mobility"][key], b["mobility"][key], key)
        self.assertGreater(a["mobility"]["rows"], 420)
        self.assertEqual(a["mobility"]["redundant"], 2 * 6 * 7)
        self.assertEqual(a["mobility"]["degrees_of_freedom"], 1 + 2)
        self.assertEqual(marks(a), marks(b))
        for k, v in marks(a).items():
            if k[0] == "T" or k.startswith("roller") and not k.endswith("Fy"):
                self.assertIn(v, ("unique", "free"), k)
        self.assertEqual(set(marks(a).values()), {"unique", "not unique", "free"})
        self.assertTrue(a["mobility"]["decision"]["safe"] and b["mobility"]["decision"]["safe"])

    def test_corners_of_a_small_one_by_the_oracle(self):
        """2 x 4 cells against our own null space, to know what a grid looks like"""
        model = oracles.grid(2, 4)
        rows, p = oracles.stress(model)
        doc = facts(model)
        self.assertEqual((p, doc["mobility"]["redundant"]), (6, 6))
        for k, v in marks(doc).items():
            if v != "free":
                self.assertEqual(v, "not unique" if np.abs(rows[k]).max() > 1e-8 else "unique", k)

    def test_five_thousand_rows(self):
        model = oracles.grid(25, 26)
        before = os.times()
        done, doc = cli.check(model)
        after = os.times()
        spent = after.children_user + after.children_system - before.children_user - before.children_system
        self.assertEqual(done.code, 0, done.said())
        mob = doc["mobility"]
        self.assertGreater(mob["rows"], 5000)
        self.assertEqual((mob["redundant"], mob["degrees_of_freedom"]), (2 * 24 * 25, 1))
        self.assertEqual(mob["rank"], mob["rows"] - 1200)
        self.assertTrue(mob["decision"]["safe"])
        self.assertLess(spent, 5.0, "s of processor time")

    def test_a_long_one_without_redundancy(self):
        model = oracles.grid(1, 400)
        doc = facts(model)
        self.assertEqual((doc["mobility"]["redundant"], doc["mobility"]["degrees_of_freedom"]), (0, 1))
        self.assertEqual(set(marks(doc).values()), {"unique", "free"})

    def test_many_small_blocks(self):
        """a hundred doors: a redundant joint each, no large block"""
        m = oracles.door()
        for k in range(100):
            m["bodies"][f"d{k}"] = m["bodies"]["door"]
            for j, p in (("A", "a"), ("B", "b")):
                m["joints"][f"{j}{k}"] = {"type": "revolute", "between": [f"ground.{p}", f"d{k}.{p}"]}
        doc = facts(m)
        self.assertEqual(doc["mobility"]["redundant"], 101)
        self.assertEqual([a["self_stresses"] for a in doc["advice"]], [1] * 101)


class Criteria(Check):
    @cli.long
    def test_all_agree(self):
        small = [n for n in MODELS if n not in redundant_test.SYSTEMS]
        jobs = [(n, f) for n in small for f in CRITERIA[1:]]
        for (name, flags), (done, doc) in zip(jobs, POOL.map(lambda job: cli.check(MODELS[job[0]], *job[1]), jobs)):
            with self.subTest(name, flags=flags):
                self.assertEqual(done.code, 0, done.said())
                want = fact(name)
                self.assertEqual(marks(doc), marks(want))
                self.assertEqual({j: r["verdict"] for j, r in doc["reactions"].items()},
                                 {j: r["verdict"] for j, r in want["reactions"].items()})
                self.assertEqual({d: r["verdict"] for d, r in doc["drives"].items()}, {d: r["verdict"] for d, r in want["drives"].items()})
                self.assertEqual({k: v for k, v in doc["mobility"].items() if k != "decision"},
                                 {k: v for k, v in want["mobility"].items() if k != "decision"})
                self.assertEqual(doc["mobility"]["decision"]["criterion"], flags[1])
                self.assertEqual(len(doc["advice"]), len(want["advice"]))

    def test_the_decision(self):
        for name in MODELS:
            d = fact(name)["mobility"]["decision"]
            self.assertTrue(d["safe"], name)
            self.assertIs(type(d["exact"]), bool)
            self.assertGreater(d["smallest_kept"], d["threshold"])
            self.assertGreater(d["threshold"], 0)
            self.near(d["margin"], d["smallest_kept"] / d["threshold"], 1e-6 * d["margin"], name)
            self.assertGreater(d["margin"], 1e3)

    def test_close_to_flat(self):
        """a four-bar bent by e: its least singular value goes with e; far from safe it is unsure or decided exactly, never the wrong way"""
        last = math.inf
        for e in (1e-1, 1e-3, 1e-5):
            mob = facts(oracles.chain([(0, 0), (1, e), (2.5, 0), (4, 0)]))["mobility"]
            self.assertLess(mob["decision"]["margin"], last)
            last = mob["decision"]["margin"]
            self.assertEqual(mob["redundant"], 0, e)
            self.assertTrue(mob["decision"]["safe"], e)
        doc = facts(oracles.chain([(0, 0), (1, 1e-8), (2.5, 0), (4, 0)]))
        if not doc["mobility"]["decision"]["exact"]:
            self.assertFalse(doc["mobility"]["decision"]["safe"] and doc["mobility"]["decision"]["margin"] > 1e3)
            self.assertIn("unsure", marks(doc).values())

    def test_words(self):
        for flags in (("--criterion", "magic"), ("--criterion",), ("--criterion", "")):
            self.assertEqual(cli.run_model(oracles.door(), "check", *flags, out=False).code, 2)


class Ask(Check):
    def asked(self, model, *asks):
        flags = [x for a in asks for x in ("--ask", a)]
        return [(a["combination"], a["verdict"]) for a in facts(model, *flags)["asked"]]

    def test_combinations(self):
        rows, _ = oracles.stress(MODELS["three cranks driven"])
        rng = np.random.default_rng(7)
        names = [k for k in rows if k[-2:] in ("Fx", "Fy")]
        asks, want = [], []
        for _ in range(12):
            pick = rng.choice(names, 3, replace=False)
            c = rng.integers(-3, 4, 3)
            asks.append(" ".join(f"{x:+d}*{k}" for x, k in zip(c, pick)).lstrip("+"))
            want.append("unique" if np.abs(sum(x * rows[k] for x, k in zip(c, pick))).max() < 1e-9 else "not unique")
        got = self.asked(MODELS["three cranks driven"], *asks, "motor.effort", "A0.Fx", "B0.Fy", "A0.Tz")
        self.assertEqual([v for _, v in got], [*want, "unique", "not unique", "unique", got[-1][1]])
        self.assertEqual([a for a, _ in got][:12], asks)
        self.assertIn(got[-1][1], ("free", "unique"))

    def test_written_otherwise(self):
        for ask, want in (("A.Fy + B.Fy", "unique"), ("2*(A.Fy + B.Fy)/3", "unique"), ("A.Fy - B.Fy", "not unique"),
                          ("-A.Fy-B.Fy", "unique"),
                          ("k*A.Fy + 2*B.Fy", "unique"), ("A.Fy*0", "unique"), ("A.Fx", "unique")):
            self.assertEqual(self.asked({**oracles.door(), "parameters": {"k": 2}}, ask), [(ask, want)], ask)

    def test_with_compliances(self):
        soft = {"compliance": {"y": 1e-6}}
        self.assertEqual(self.asked(oracles.door(soft, soft), "A.Fy", "A.Fy + B.Fy", "A.Fx"),
                         [("A.Fy", "compliance"), ("A.Fy + B.Fy", "unique"), ("A.Fx", "unique")])

    def test_errors(self):
        for ask in ("X.Fx", "A.Fz", "A.Fq", "A", "Fy", "A.Fx*B.Fx", "A.Fy^2", "sin(A.Fy)", "abs(A.Fy)", "1/A.Fy", "A.Fy + A.angle",
                    "x(door.a)*A.Fy", "t*A.Fy",
                    "distance(door.a, ground.b)", "A.angle'", "A.Fy +", "(A.Fy", "", "A.Fy B.Fy", "max(A.Fy, B.Fy)",
                    "if(A.Fy > 0, A.Fy, B.Fy)"):
            with self.subTest(ask):
                done = cli.run_model(oracles.door(), "check", "--ask", ask, out=False)
                self.assertEqual(done.code, 2, done.said())
                self.assertIn("error", done.err)

    def test_did_you_mean(self):
        done = cli.run_model(oracles.cranks(), "check", "--ask", "AO.Fx", out=False)
        self.assertEqual(done.code, 2)
        self.assertIn("A0", done.err)

    def test_only_check_knows_it(self):
        done = cli.run_model(oracles.door(), "inverse", "--ask", "A.Fy", out=False)
        self.assertEqual(done.code, 2, done.said())


class Text(Check):
    def test_page(self):
        for name in ("three cranks driven", "scissor lift with a mast", "planetary gear", "robot straight", "lattice", "two clusters"):
            with self.subTest(name):
                done = cli.run_model(MODELS[name], "check", out=False, quiet=False)
                self.assertEqual(done.code, 0, done.said())
                text, doc = done.out, fact(name)
                for word in ("mobility", "Gruebler", "self-stress", "to make them unique", "measure ", "compliance"):
                    self.assertIn(word, text)
                self.assertIn(f"{doc['mobility']['redundant']} redundant", text)
                self.assertRegex(text, rf"mobility {doc['mobility']['mobility_without_drives']}\b")
                self.assertRegex(text, rf"(?i)Gruebler[^\n]*{doc['mobility']['gruebler']}\b")
                for item in doc["advice"]:
                    advice = text[text.index("to make them unique"):]
                    for d in item["free"][0]["directions"]:                   # what is taken out as a whole is named without directions
                        whole = item["free"][0]["replace"][split(d)[0]] == "no joint"
                        self.assertIn(split(d)[0] if whole else d, advice)
                for key, v in marks(doc).items():
                    if v == "not unique":
                        line = [x for x in text.splitlines() if x.startswith(key + " ")]
                        self.assertTrue(line and "not unique" in line[0], key)

    def test_a_plain_mechanism(self):
        done = cli.run_model(oracles.scissor(), "check", out=False, quiet=False)
        self.assertIn("Gruebler", done.out)
        for word in ("self-stress", "to make them unique", "not unique"):
            self.assertNotIn(word, done.out)

    def test_json_is_all_there_is(self):
        done = cli.run_model(oracles.cranks(), "check", "--json", out=False, quiet=False)
        self.assertIsInstance(json.loads(done.out), dict)


class Oracle(unittest.TestCase):
    """stress() on closed forms (without the program)"""

    def test_counts(self):
        for name, p in {"doubled door": 1, "bars": 1, "five ropes": 3, "three cranks": 1, "five cranks": 3, "scissor lift with a mast": 2,
                        "planetary gear": 2,
                        "four planets": 3, "robot straight": 2, "two guides": 2, "three guides": 3, "lattice": 8, "grid": 8}.items():
            self.assertEqual(oracles.stress(MODELS[name])[1], p, name)

    def test_weight(self):
        rows, _ = oracles.stress(oracles.door())
        self.assertAlmostEqual(abs(rows["A.Fy"][0]), math.sqrt(.5), delta=1e-12)
        self.assertGreater(G, 9)


if __name__ == "__main__":
    cli.main()
