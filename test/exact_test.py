#!/usr/bin/python3
"""Random overconstrained planar systems of rational geometry: `roberval check` against exact integer arithmetic (py/exact.py).

What is compared with what
  mobility       coordinates, rows, rank, redundant and the counts made of them: equal, as integers
  verdicts       each component unique iff it vanishes on every exact self-stress; default, --criterion ranks, svd, qr, --frame ground
  invariance     the verdicts of the same system in other units, sizes, places, orders, names and masses: equal
  --ask          random rational combinations, about half of them determined: as the exact self-stresses say
  groups         each is determined and none of its parts is; together they span every determined pair
  self_stress    as many as rows are redundant, independent, each in equilibrium on every body, nonzero exactly where `not unique`

A verdict may be `unsure`, never wrong.  `unsure` must stay below 1 % of the verdicts on held components; the share is printed.
Systems made for doubt (cranks out of parallel by 1e-5 to 1e-7) have a test of their own without that limit.  A component whose exact
value is 0 in this position (a bar's force across the bar, a force along a slot in ground's axes) is determined: `unique` or `free`, both
say so.

Tolerances: verdicts, ranks and counts have none.  1e-9 (groups, self-stress), relative to the largest term of the sum that must vanish:
what the program prints has 16 digits, the smallest kept singular values are above 1e-4 in geometry of order 1, and below 1e-9 the program
may round shares to zero.

ROBERVAL_EXACT=10000 runs as many systems (default 60, in `make test-all` 300).  Seeds are fixed: system k is exact.system(k).  A failure names the seed and the
file that holds the model; `exact_test.py SEED` prints the model and the exact answer.
"""
import collections
import json
import os
import random
import sys
import tempfile
import unittest
from fractions import Fraction as Q

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "py"))
import cli              # noqa: E402
import exact            # noqa: E402

COUNT = int(os.environ.get("ROBERVAL_EXACT", "300" if cli.MORE else "60"))
T9 = 1e-9
UNSURE = 0.01
CRITERIA = ("ranks", "svd", "qr")
WORST = ("not unique", "unsure", "unique", "free")
ZERO = " (0 whatever the load)"
_kept = []


def folder():
    """Where models of failures stay."""
    if not _kept:
        _kept.append(tempfile.mkdtemp(prefix="rbv-exact-"))
    return _kept[0]


def verdicts(doc):
    """{joint.component or drive.effort: verdict}"""
    out = {f"{j}.{c}": x["verdict"] for j, r in doc["reactions"].items() for c, x in r["components"].items()}
    out.update({f"{d}.effort": x["verdict"] for d, x in doc["drives"].items()})
    return out


class Faults:
    """Collects what is wrong, then fails once with the first few and the number of all."""

    def __init__(self, case):
        self.case, self.list, self.systems = case, [], collections.Counter()

    def add(self, seed, model, text):
        path = os.path.join(folder(), f"{seed}.json")
        if seed not in self.systems:
            with open(path, "w", encoding="utf-8") as f:
                json.dump(model, f, indent=1)
        self.systems[seed] += 1
        self.list.append(f"seed {seed} ({model['title']}): {text}  [{path}]")

    def add_all(self, seed, model, wrong, what=""):
        """What is wrong with components; those that are 0 apart."""
        for texts in ([w for w in wrong if ZERO not in w], [w for w in wrong if ZERO in w]):
            if texts:
                self.add(seed, model, what + "; ".join(texts))

    def report(self):
        if self.list:
            shown = "\n".join(sorted(self.list, key=lambda text: ZERO in text)[:12])
            self.case.fail(f"{len(self.list)} faults in {len(self.systems)} systems\n{shown}")


_default = {}


def default(seed):
    """System, oracle, model, the plain run of `check` and its document; run once."""
    if seed not in _default:
        system, oracle = exact.system(seed)
        model = system.model()
        done, doc = cli.check(model)
        if doc:                                                          # what the tests need: 10000 documents are too many
            doc = {k: doc[k] for k in ("mobility", "self_stress", "groups")} | {
                "verdicts": verdicts(doc),
                "rows": [(r.get("joint", r.get("drive")), r["holds"], r["multiplier"], r["redundant_alone"]) for r in doc["rows"]], "joints": {j: r["verdict"] for j, r in doc["reactions"].items()}}
        _default[seed] = (system, oracle, model, done if done.code else None, doc)
    return _default[seed]


class Exact(cli.Case):
    def systems(self, faults, share=Q(1), why=""):
        """(seed, system, oracle, model, document) of a share of the systems, chosen by chance; what the program refuses is a fault."""
        seeds = range(COUNT) if share == 1 else random.Random(why).sample(range(COUNT), int(COUNT * share))
        for seed in seeds:
            system, oracle, model, failed, doc = default(seed)
            if failed:
                faults.add(seed, model, f"refused: {failed.said()[:600]}")
            else:
                yield seed, system, oracle, model, doc

    def compare(self, got, want, components, tally):
        """What is wrong of {component: verdict}; tally counts verdicts."""
        wrong = []
        for c, v in want.items():
            g = got.get(c)
            tally[g] += 1
            if g != v and g != "unsure" and not (g == "free" and not components[c].coefficients):
                wrong.append(f"{c} '{g}' for '{v}'" + (ZERO if not components[c].coefficients else ""))
        return wrong

    @staticmethod
    def rare(tally, what):
        """Prints the counts; (share of unsure, its limit, message)."""
        n = sum(tally.values())
        share = tally["unsure"] / n if n else 0
        print(f"{what}: {n} verdicts, {tally['unique']} unique, {tally['not unique']} not unique, "
              f"{tally['unsure']} unsure ({100 * share:.2f} %)", file=sys.stderr)
        return (share, UNSURE, f"{what}: too many unsure")

    # ---- counts and verdicts
    def test_mobility_is_exact(self):
        faults = Faults(self)
        for seed, system, o, model, doc in self.systems(faults):
            want = {"coordinates": o.coordinates, "rows": o.rows,
                    "rows_of_joints_and_constraints": o.joint_rows, "rows_of_drives": o.rows - o.joint_rows, "rank": o.rank, "redundant": o.redundant,
                    "degrees_of_freedom": o.coordinates - o.rank, "degrees_of_freedom_position": o.coordinates - o.rank_holonomic,
                    "gruebler": o.coordinates - o.joint_rows}
            got = {k: doc["mobility"][k] for k in want}
            if got != want:
                faults.add(seed, model, f"mobility: {', '.join(f'{k} {got[k]} for {want[k]}' for k in want if got[k] != want[k])}")
        faults.report()

    def test_verdicts_are_exact(self):
        faults, tally = Faults(self), collections.Counter()
        for seed, system, o, model, doc in self.systems(faults):
            got = doc["verdicts"]
            wrong = self.compare(got, o.verdict, o.components, tally)
            wrong += [f"{c} '{got.get(c)}' for 'free'" for c in o.free if got.get(c) != "free"]
            wrong += [f"{c} is unknown" for c in set(got) - set(o.verdict) - set(o.free)]
            for j, held in o.held.items():
                worst = min((got.get(c) for c in held), key=lambda v: WORST.index(v) if v in WORST else 0)
                if doc["joints"][j] != worst:
                    wrong.append(f"joint {j}: {doc['joints'][j]}, its worst is {worst}")
            faults.add_all(seed, model, wrong)
        rare = self.rare(tally, "default")
        faults.report()
        self.assertLess(*rare)

    def test_rows_are_exact(self):
        """a row's own multiplier is determined where no self-stress has a part in it, and only there; then the row cannot go without loss of rank"""
        faults, tally = Faults(self), collections.Counter()
        for seed, system, o, model, doc in self.systems(faults):
            owners = [n for n, j in system.joints.items() for _ in j.held] + list(system.drives)
            wrong = [] if [n for n, *_ in doc["rows"]] == owners else [f"rows of {doc['rows']} for {owners}"]
            for k, (owner, holds, verdict, alone) in enumerate(doc["rows"]):
                want = "not unique" if any(x[k] for x in o.null) else "unique"
                tally[verdict] += 1
                if verdict not in (want, "unsure") or alone != {"unique": False, "not unique": True, "unsure": None}[verdict]:
                    wrong.append(f"row {holds} of {owner}: '{verdict}' ({alone}) for '{want}'")
            faults.add_all(seed, model, wrong)
        rare = self.rare(tally, "rows")
        faults.report()
        self.assertLess(*rare)

    def test_multipliers_exist_where_the_loads_do_no_work(self):
        """weights at body origins and a force on one body; D^T lambda = Q by least squares"""
        faults, tally = Faults(self), collections.Counter()
        for seed, system, o, model, doc in self.systems(faults, Q(1, 3), "multipliers"):
            rng = random.Random(seed)
            name = rng.choice(list(system.bodies))
            push = [rng.uniform(-20, 20), rng.uniform(-20, 20)]
            gravity = rng.choice([[0, 0], [0, -9.81]])
            loaded = {**model, "gravity": gravity, "loads": {"push": {"type": "force", "to": name, "value": push}}}
            load, at = np.zeros(o.coordinates), 0
            for n, b in system.bodies.items():
                load[at:at + 2] = np.array(gravity) + (np.array(push) if n == name else 0)
                at += 2 if b.particle else 3
            W = np.array(o.matrix, float).reshape(o.coordinates, o.rows)
            left = load - W @ np.linalg.lstsq(W, load, rcond=1e-12)[0] if o.rows else load
            share = np.abs(left).max() / np.abs(load).max()
            done, answer = cli.check(loaded)
            got = answer["multipliers_at_rest"] if answer else {"exist": "refused"}
            tally[got["exist"]] += 1
            if got["exist"] is not None and not 1e-10 < share < 1e-6 and got["exist"] != (share <= 1e-10):
                faults.add(seed, loaded, f"multipliers: {got}, {share:.3g} is left over")
        faults.report()
        self.assertGreater(min(tally[True], tally[False]), 3, tally)
        self.assertLess(tally[None], 0.05 * sum(tally.values()), tally)

    def test_verdicts_in_ground_axes_are_exact(self):
        faults, tally = Faults(self), collections.Counter()
        for seed, system, o, model, doc in self.systems(faults, Q(1, 5), "ground"):
            done, doc = cli.check(model, "--frame", "ground")
            if done.code:
                faults.add(seed, model, done.said())
                continue
            got = verdicts(doc)
            held = {c: v for c, v in o.verdict_ground.items() if got.get(c) != "free" or o.ground[c].coefficients}
            wrong = self.compare(got, held, o.ground, tally)
            faults.add_all(seed, model, wrong, "--frame ground: ")
        rare = self.rare(tally, "ground axes")
        faults.report()
        self.assertLess(*rare)

    @cli.long
    def test_each_criterion_is_exact(self):
        faults, tally = Faults(self), {c: collections.Counter() for c in CRITERIA}
        for seed, system, o, model, _ in self.systems(faults, Q(1, 3), "criteria"):
            for criterion in CRITERIA:
                done, doc = cli.check(model, "--criterion", criterion)
                if done.code:
                    faults.add(seed, model, f"--criterion {criterion}: {done.said()[:300]}")
                    continue
                wrong = self.compare(verdicts(doc), o.verdict, o.components, tally[criterion])
                rank = doc["mobility"]["rank"]
                if rank != o.rank:
                    wrong.append(f"rank {rank} for {o.rank}")
                faults.add_all(seed, model, wrong, f"--criterion {criterion}: ")
        rare = [self.rare(tally[criterion], f"--criterion {criterion}") for criterion in CRITERIA]
        faults.report()
        for share in rare:
            self.assertLess(*share)

    def test_doubtful_systems_are_never_wrong(self):
        """Cranks out of parallel by 1e-5 to 1e-7, far above rounding, down to where a rank is in doubt: unsure or right.  `unique` may
        stand for a component that a unit self-stress moves by less than 4e-7: errors of 1e-10 over a singular value of 1e-3."""
        faults, tally = Faults(self), collections.Counter()
        for seed in range(COUNT // 3):
            system, o = exact.system(seed, "barely")
            model = system.model()
            done, doc = cli.check(model)
            if done.code:
                faults.add(seed, model, done.said()[:300])
                continue
            got, basis = verdicts(doc), o.basis()
            moved = {c: (np.linalg.norm(o.vector(c) @ basis), np.linalg.norm(o.vector(c))) for c, v in got.items() if v == "unique"}
            tiny = [c for c, (by, of) in moved.items() if by < 4e-7 * of]
            wrong = self.compare(got, {**o.verdict, **dict.fromkeys(tiny, "unique")}, o.components, tally)
            decision = doc["mobility"]["decision"]
            rank, safe, dropped = doc["mobility"]["rank"], decision["safe"], decision["largest_dropped"]
            # a singular value under the threshold that is printed is an error of lengths given to ten digits, by the program's word
            if rank < o.rank and safe and 1e-14 < dropped <= decision["threshold"]:
                tally["below the threshold"] += 1
                continue
            if rank != o.rank and safe:
                wrong.append(f"rank {rank} for {o.rank}, called safe")
            faults.add_all(seed, model, wrong)
        print(f"doubtful: {sum(tally.values())} verdicts, {tally['unsure']} unsure", file=sys.stderr)
        self.assertLessEqual(tally["below the threshold"], max(1, COUNT // 1000))
        faults.report()

    # ---- invariance
    def same(self, change, accept=lambda system: True):
        """The verdicts of 2 of 15 systems (40 of 300) after change(system, random) -> (model, the old names of new ones)."""
        faults, left = Faults(self), COUNT * 2 // 15
        for seed, system, o, model, doc in self.systems(faults, Q(1, 4), "change"):
            if not left:
                break
            if not accept(system):
                continue
            left -= 1
            rng = random.Random(f"change {seed}")
            changed, back = change(system, rng)
            done, other = cli.check(changed)
            if done.code:
                faults.add(seed, changed, done.said()[:300])
                continue
            got = verdicts(other)
            got = {back.get(c.split(".")[0], c.split(".")[0]) + "." + c.split(".")[1]: v for c, v in got.items()}
            if got != doc["verdicts"]:
                differ = {c: f"{c} '{v}', was '{doc['verdicts'].get(c)}'" for c, v in got.items() if doc["verdicts"].get(c) != v}
                zero = all(c in o.components and not o.components[c].coefficients for c in differ)
                faults.add(seed, changed, "; ".join(differ.values() or ["components missing"]) + (ZERO if differ and zero else ""))
            for k in ("coordinates", "rows", "rank", "redundant", "degrees_of_freedom"):
                if other["mobility"][k] != doc["mobility"][k]:
                    faults.add(seed, changed, f"{k} {other['mobility'][k]}, was {doc['mobility'][k]}")
        faults.report()

    def test_units_do_not_matter(self):
        self.same(lambda s, r: (s.model(units={"length": "mm", "angle": "deg", "mass": "g"}), {}))

    def test_size_does_not_matter_small(self):
        self.same(lambda s, r: (s.moved(scale=Q(1, 1000)).model(), {}))

    def test_size_does_not_matter_large(self):
        self.same(lambda s, r: (s.moved(scale=Q(1000)).model(), {}))

    def test_place_and_direction_do_not_matter(self):
        """Particles have the axes of ground, absolute drives too: such systems are left out."""
        def accept(s):
            return all(d.kind != "along" for d in s.drives.values()) and not any(s.particle(j.first) for j in s.joints.values())

        def move(s, r):
            return s.moved(rotation=r.choice(exact.SLANTED), shift=(Q(r.randint(-90, 90), 7), Q(r.randint(-90, 90), 8))).model(), {}
        self.same(move, accept)

    def test_order_does_not_matter(self):
        self.same(lambda s, r: (s.reversed().model(), {}))

    def test_names_do_not_matter(self):
        def rename(system, rng):
            old = [*system.bodies, *system.joints, *system.drives]
            new = [rng.choice("QZaMk") + "_" * rng.randint(0, 2) + str(i) for i in range(len(old))]
            rng.shuffle(new)
            names = dict(zip(old, new), ground="ground")
            return system.renamed(names).model(), {v: k for k, v in names.items()}
        self.same(rename)

    def test_masses_do_not_matter(self):
        self.same(lambda s, r: (s.model(masses=r), {}))

    # ---- combinations
    def test_asked_combinations(self):
        faults, tally, left = Faults(self), collections.Counter(), COUNT // 5
        for seed, system, o, model, _ in self.systems(faults, Q(1, 4), "ask"):
            if not left:
                break
            rng = random.Random(f"ask {seed}")
            questions = [exact.question(o, rng) for _ in range(3)]
            questions = [(exact.written(c, rng), c, v) for c, v in questions if c]
            if not questions:
                continue
            left -= 1
            done, doc = cli.check(model, *(x for text, *_ in questions for x in ("--ask", text)))
            if done.code:
                faults.add(seed, model, f"--ask {[q[0] for q in questions]}: {done.said()[:300]}")
                continue
            asked = doc["asked"]
            if len(asked) != len(questions):
                faults.add(seed, model, f"{len(asked)} answers to {len(questions)} questions")
                continue
            for (text, combination, unique), answer in zip(questions, asked):
                want = "unique" if unique else "not unique"
                tally[want] += 1
                tally["unsure"] += answer["verdict"] == "unsure"
                if answer["verdict"] not in (want, "unsure"):
                    faults.add(seed, model, f"--ask {text!r} '{answer['verdict']}' for '{want}'" + (ZERO if o.idle(combination) else ""))
        n = tally["unique"] + tally["not unique"]
        print(f"asked: {n} combinations, {tally['unique']} unique, {tally['unsure']} unsure", file=sys.stderr)
        faults.report()
        self.assertLess(tally["unsure"], max(2, UNSURE * n))

    @cli.long
    def test_groups(self):
        """A group is determined, its parts are not; groups span each determined sum of two."""
        faults, groups, pairs = Faults(self), 0, 0
        for seed, system, o, model, doc in self.systems(faults):
            found = doc["groups"]
            if found is None and o.redundant and not doc["mobility"]["decision"]["safe"]:
                continue        # a doubtful rank has no sure sums
            if found is None and o.redundant:
                faults.add(seed, model, "groups: null")
                continue
            basis, rows = o.basis(), []
            for g in found or []:
                groups += 1
                terms = g["combination"]
                unknown = [c for c in terms if c not in o.components]
                loose = [c for c in terms if c in o.components and o.verdict[c] != "not unique"]
                if unknown or loose or len(terms) < 2:
                    faults.add(seed, model, f"group {terms}: {unknown} unknown, {loose} determined alone, {len(terms)} terms")
                    continue
                vectors = [a * o.vector(c) for c, a in terms.items()]
                rows.append(sum(vectors))
                largest = max(np.abs(v @ basis).max() for v in vectors)
                off = np.abs(rows[-1] @ basis).max()
                if not off <= T9 * largest:
                    faults.add(seed, model, f"group {terms} is not determined: a self-stress adds {off / largest:.2g} of its largest term")
            span = np.array(rows) if rows else np.zeros((0, o.rows))
            for (c, a), (d, b) in self.pairs(o):
                pairs += 1
                want = a * o.vector(c) + b * o.vector(d)
                left = want - span.T @ np.linalg.lstsq(span.T, want, rcond=None)[0] if rows else want
                if np.linalg.norm(left) > T9 * np.linalg.norm(want):
                    faults.add(seed, model, f"{float(a)!r}*{c} + {float(b)!r}*{d} is determined, but no combination of groups")
        print(f"groups: {groups}, determined pairs: {pairs}", file=sys.stderr)
        faults.report()
        self.assertGreater(pairs, COUNT)

    @staticmethod
    def pairs(o):
        """Pairs of not unique components of which a combination is determined: ((component, factor), (component, factor))."""
        alike = collections.defaultdict(list)
        for c, image in o.image.items():
            if not any(image):
                continue
            lead = next(x for x in image if x)
            alike[tuple(x / Q(lead) for x in image)].append((c, 1 / (float(lead) * o.components[c].factor)))
        for same in alike.values():
            for (c, a), (d, b) in zip(same, same[1:]):
                big = max(abs(a), abs(b))
                first, second = a * o.vector(c), b * o.vector(d)
                if np.linalg.norm(first - second) > 1e-12 * np.linalg.norm(first):                # not one and the same force
                    yield (c, a / big), (d, -b / big)

    @staticmethod
    def of_bar(o, component):
        line = component.split(".")[0] + ".F"
        return line if line in o.components else None

    def test_self_stresses(self):
        faults, modes = Faults(self), 0
        for seed, system, o, model, doc in self.systems(faults):
            found = doc["self_stress"]
            modes += len(found)
            if not found and o.redundant and not doc["mobility"]["decision"]["safe"]:
                continue        # a doubtful rank has no sure self-stresses, and none are listed
            if len(found) != o.redundant:
                faults.add(seed, model, f"{len(found)} self-stresses, {o.redundant} redundant")
                continue
            if not found:
                continue
            matrix = np.array(o.matrix, float)
            stress, seen = [], set()
            for i, mode in enumerate(found):
                unknown = [c for c in mode if c not in o.components]
                if unknown:
                    faults.add(seed, model, f"self-stress {i + 1}: {unknown} unknown or free")
                    continue
                seen |= set(mode)
                # the multipliers whose components these are; of a bar F alone, which says Fx and Fy
                names = [c for c in o.components if self.of_bar(o, c) in (None, c)]
                if not set(mode) <= set(names):
                    faults.add(seed, model, f"self-stress {i + 1} names a bar by parts of its force: {mode}")
                    continue
                to = np.array([o.vector(c) for c in names])
                value = np.array([mode.get(c, 0.0) for c in names], float)
                x = np.linalg.lstsq(to, value, rcond=None)[0]
                if np.abs(to @ x - value).max() > T9 * np.abs(value).max():
                    faults.add(seed, model, f"self-stress {i + 1} has forces that its joints cannot carry: {mode}")
                    continue
                off, scale = np.abs(matrix @ x), np.abs(matrix) @ np.abs(x)
                if off.max() > T9 * scale.max():
                    faults.add(seed, model, f"self-stress {i + 1} is out of balance by {off.max() / scale.max():.2g}: {mode}")
                stress.append(x / np.linalg.norm(x))
                bad = [c for c, v in mode.items() if o.verdict[c] == "unique" and abs(v) > T9 * np.abs(value).max()]
                if bad:
                    faults.add(seed, model, f"self-stress {i + 1} moves {bad}, which are unique")
            if len(stress) == len(found) and np.linalg.svd(np.array(stress), compute_uv=False)[-1] < 1e-6:
                faults.add(seed, model, "self-stresses depend on each other")
            still = [c for c, v in o.verdict.items() if v == "not unique" and (self.of_bar(o, c) or c) not in seen]
            if still:
                faults.add(seed, model, f"no self-stress moves {still}, which are not unique")
        print(f"self-stresses: {modes}", file=sys.stderr)
        faults.report()


class Itself(unittest.TestCase):
    """The oracle and the generator, without the program."""

    @cli.long
    def test_ranks_agree_with_other_arithmetic(self):
        """Elimination over the integers, modulo two primes, and singular values in doubles."""
        for seed in range(60):
            system, o = exact.system(seed)
            matrix = np.array(o.matrix, float)
            with self.subTest(seed=seed):
                self.assertEqual([exact.rank_mod(o.matrix, p) for p in exact.PRIMES], [o.rank] * 2)
                self.assertEqual(np.linalg.matrix_rank(matrix, 1e-8), o.rank)
                self.assertEqual(exact.rank(o.matrix), o.rank)
                self.assertTrue(all(sum(a * x for a, x in zip(row, v)) == 0 for row in o.matrix for v in o.null))
                for c, v in o.verdict.items():                           # a determined functional adds nothing to the rank
                    f = [o.components[c].coefficients.get(k, Q(0)) for k in range(o.rows)]
                    for p in exact.PRIMES:
                        self.assertEqual(exact.rank_mod(o.matrix + [f], p), o.rank + (v == "not unique"), c)

    @cli.long
    def test_wrenches_against_differences(self):
        """Columns of the matrix are the gradients of the joints' equations: differences of relative coordinates."""
        h = 1e-6
        for seed in range(40):
            system, o = exact.system(seed)
            start, n = {}, 0
            for name, b in system.bodies.items():
                start[name] = n
                n += 2 if b.particle else 3

            def places(j, q):
                """Markers (place, angle from now) after the twist q."""
                out = []
                for body, p in ((j.first, j.p1), (j.second, j.p2)):
                    if body == "ground":
                        out.append((np.array(p, float), 0.0))
                        continue
                    k, b = start[body], system.bodies[body]
                    a = 0.0 if b.particle else q[k + 2]
                    r = np.array(exact.sub(p, b.at), float)
                    c, s = np.cos(a), np.sin(a)
                    out.append((np.array(b.at, float) + q[k:k + 2] + [c * r[0] - s * r[1], s * r[0] + c * r[1]], a))
                return out

            def value(j, held, q):
                (p1, a1), (p2, a2) = places(j, q)
                d1 = np.array(j.d1, float)
                c, s = np.cos(a1), np.sin(a1)
                e = np.array([c * d1[0] - s * d1[1], s * d1[0] + c * d1[1]])
                d = p2 - p1
                return {"x": e @ d, "y": e[0] * d[1] - e[1] * d[0], "r": a2 - a1, "l": -d @ d / 2}[held]

            k = 0
            for name, j in system.joints.items():
                for held in j.held:
                    column = np.array([float(row[k]) for row in o.matrix])
                    k += 1
                    if held == "k":
                        continue
                    for i in range(n):
                        q = np.zeros(n)
                        q[i] = h
                        slope = (value(j, held, q) - value(j, held, -q)) / (2 * h)
                        self.assertAlmostEqual(slope, column[i], delta=1e-7 * max(1, np.abs(column).max()), msg=f"seed {seed} {name} {i}")

    def test_by_hand(self):
        """Three parallel cranks: only the forces along them; a door on two hinges: both forces of both; two wheels of one axle."""
        s = exact.System()
        table = s.body((0, 2))
        for x in (0, 1, 3):
            crank = s.body((x, 1))
            s.joint("revolute", "ground", crank, (x, 0))
            s.joint("revolute", crank, table, (x, 2))
        o = exact.Oracle(s)
        self.assertEqual((o.rank, o.redundant, len(o.null)), (11, 1, 1))
        self.assertEqual(set(o.verdict.items()), {(f"j{k}.{c}", v) for k in range(6) for c, v in (("Fx", "unique"), ("Fy", "not unique"))})
        self.assertEqual([abs(Q(o.image[f"j{k}.Fy"][0], o.image["j4.Fy"][0])) for k in (0, 2, 4)], [2, 3, 1])
        self.assertTrue(o.determined({"j0.Fy": Q(1), "j2.Fy": Q(1), "j4.Fy": Q(1)}))
        self.assertFalse(o.determined({"j0.Fy": Q(1), "j2.Fy": Q(1)}))

        s = exact.System()
        leaf = s.body((1, 0))
        s.joint("revolute", "ground", leaf, (0, 0))
        s.joint("revolute", "ground", leaf, (0, 0), d1=(Q(3, 5), Q(4, 5)))
        o = exact.Oracle(s)
        self.assertEqual((o.rank, o.redundant), (2, 2))
        self.assertEqual(set(o.verdict.values()), {"not unique"})
        self.assertTrue(o.determined({"j0.Fx": Q(1), "j1.Fx": Q(3, 5), "j1.Fy": Q(-4, 5)}))

        s = exact.System()
        cart = s.body((0, 0), (Q(3, 5), Q(4, 5)))
        s.joint("knife-edge", "ground", cart, (5, 5), (0, 1))
        s.joint("knife-edge", "ground", cart, (0, 0), (0, -1))
        s.joint("knife-edge", "ground", cart, (0, 0), (2, 0))
        o = exact.Oracle(s)
        self.assertEqual((o.rank, o.rank_holonomic, o.redundant), (2, 0, 1))
        self.assertEqual(o.verdict, {"j0.Fy": "not unique", "j1.Fy": "not unique", "j2.Fy": "unique"})
        self.assertTrue(o.determined({"j0.Fy": Q(1), "j1.Fy": Q(1)}))

    @cli.long
    def test_the_mixture(self):
        """Most are redundant, many have joints of both verdicts, each kind and degree occurs, half of the questions are unique."""
        degrees, kinds, drives, asked, mixed, n = *(collections.Counter() for _ in range(4)), 0, 300 if cli.MORE else 150
        for seed in range(n):
            system, o = exact.system(seed)
            self.assertTrue(2 <= len(system.bodies) <= 8)
            degrees[o.redundant] += 1
            mixed += o.mixed()
            kinds.update(j.kind for j in system.joints.values())
            drives.update(d.kind for d in system.drives.values())
            rng = random.Random(f"ask {seed}")
            asked.update(v for c, v in (exact.question(o, rng) for _ in range(3)) if c)
        self.assertEqual(set(degrees), set(range(7)))
        self.assertGreater(n - degrees[0], 0.9 * n)
        self.assertGreater(mixed, 0.25 * n)
        self.assertEqual(set(kinds), set(exact.HELD))
        self.assertEqual(set(drives), {"angle", "rz", "x", "y", "distance", "between", "along", "heading"})
        self.assertTrue(0.35 < asked[True] / sum(asked.values()) < 0.65, asked)


def show(seed):
    system, o = exact.system(seed)
    print(json.dumps(system.model(), indent=1))
    print(f"{system.family}: {o.coordinates} coordinates, {o.rows} rows, rank {o.rank}, redundant {o.redundant}", file=sys.stderr)
    for c, v in o.verdict.items():
        print(f"{c:12} {v:12} {o.image[c] if v != 'unique' else ''}", file=sys.stderr)


if __name__ == "__main__":
    if len(sys.argv) == 2 and sys.argv[1].isdigit():
        show(int(sys.argv[1]))
    else:
        cli.main()
