"""statics --all against all equilibria of random chains of rods on springs: Newton's method from a grid of angles, and from places beside the tips of the energy, where springs have no length.

The truth is checked by itself: of two hinges the minima and maxima, with the tips that are maxima, are as many as the saddles (the Euler characteristic of the torus is 0)."""
import math
import os
import random
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "py"))
import cli              # noqa: E402

G = 9.81
SAME = 1e-5             # rad: both sides know places to 1e-8 or so, and no two of them are nearer than 1e-3
MISSED = 0.01           # of many machines: the search is bounded, and equilibria beside tips of the energy have small basins


class Chain:
    """Rods b0, b1, ... hung on hinges h0, h1, ..., with springs to ground and coils; q[k]: angles of the rods about ground."""

    def __init__(self, rng, n, springs, coils=0, smooth=False):
        self.n = n
        self.length = [rng.uniform(.5, 1.5) for _ in range(n)]
        self.mass = [rng.uniform(.3, 3) for _ in range(n)]
        self.centroid = [rng.uniform(.2, .9) * l for l in self.length]
        self.springs = []
        for j in range(springs):
            link = n - 1 if j == 0 else rng.randrange(n)
            self.springs.append({"at": [rng.uniform(-2, 2), rng.uniform(-2, 2)], "link": link, "arm": rng.uniform(.5, 1) * self.length[link],
                                 "k": math.exp(rng.uniform(math.log(5), math.log(80))), "free": 0 if smooth else rng.uniform(0.1, 1.2)})
        self.coils = [None] * n
        for i in rng.sample(range(n), coils):
            self.coils[i] = (math.exp(rng.uniform(math.log(30), math.log(150))), rng.uniform(-2, 2))
        self.start = [rng.uniform(-math.pi, math.pi) for _ in range(n)]

    def model(self, backwards=False):
        bodies, joints, loads, at = {"ground": {"markers": {f"A{j}": s["at"] for j, s in enumerate(self.springs)}}}, {}, {}, np.zeros(2)
        for i in range(self.n):
            markers = {f"S{j}": [s["arm"], 0] for j, s in enumerate(self.springs) if s["link"] == i}
            bodies[f"b{i}"] = {"mass": self.mass[i], "inertia": 0.1, "centroid": [self.centroid[i], 0], "markers": {"E": [self.length[i], 0], **markers}, "pose": {"at": at.tolist(), "angle": self.start[i]}}
            at = at + self.length[i] * np.array([math.cos(self.start[i]), math.sin(self.start[i])])
            joints[f"h{i}"] = {"type": "revolute", "between": ["ground" if i == 0 else f"b{i - 1}.E", f"b{i}"]}
            if self.coils[i]:
                loads[f"c{i}"] = {"type": "torsion-spring", "joint": f"h{i}", "stiffness": self.coils[i][0], "free_angle": self.coils[i][1]}
        for j, s in enumerate(self.springs):
            loads[f"s{j}"] = {"type": "spring", "between": [f"ground.A{j}", f"b{s['link']}.S{j}"], "stiffness": s["k"], "free_length": s["free"]}
        if backwards:
            bodies, joints, loads = (dict(reversed(part.items())) for part in (bodies, joints, loads))
        return {"roberval": 1, "space": "planar", "gravity": [0, -G], "bodies": bodies, "joints": joints, "loads": loads}

    def energy(self, q, without=None):
        """V [N], its gradient [N][n] and its second derivatives [N][n][n] at q [N][n]"""
        count, n = q.shape
        V, g, H, c, s = np.zeros(count), np.zeros((count, n)), np.zeros((count, n, n)), np.cos(q), np.sin(q)
        for k in range(n):
            weight = G * (self.mass[k] * self.centroid[k] + sum(self.mass[k + 1:]) * self.length[k])
            V += weight * s[:, k]
            g[:, k] += weight * c[:, k]
            H[:, k, k] -= weight * s[:, k]
        for spring in self.springs:
            if spring is without:
                continue
            arms = np.array([self.length[k] if k < spring["link"] else spring["arm"] if k == spring["link"] else 0 for k in range(n)])
            x, y, dx, dy = (c * arms).sum(1) - spring["at"][0], (s * arms).sum(1) - spring["at"][1], -s * arms, c * arms
            l = np.hypot(x, y) + 1e-300
            slope, force = (x[:, None] * dx + y[:, None] * dy) / l[:, None], spring["k"] * (l - spring["free"])
            bend = dx[:, :, None] * dx[:, None, :] + dy[:, :, None] * dy[:, None, :] - slope[:, :, None] * slope[:, None, :]
            for k in range(n):
                bend[:, k, k] += -x * c[:, k] * arms[k] - y * s[:, k] * arms[k]
            V += spring["k"] * (l - spring["free"])**2 / 2
            g += force[:, None] * slope
            H += spring["k"] * slope[:, :, None] * slope[:, None, :] + (force / l)[:, None, None] * bend
        for i, coil in enumerate(self.coils):
            if coil:
                turn = np.zeros(n)
                turn[i] = 1
                turn[max(i - 1, 0)] -= i > 0
                off = q @ turn - coil[1]
                V += coil[0] * off**2 / 2
                g += coil[0] * off[:, None] * turn
                H += coil[0] * np.outer(turn, turn)
        return V, g, H

    def beside_tips(self, draw, count):
        """Places where a spring of the last two rods before it is short, at any scale."""
        for s in self.springs:
            i = s["link"]
            if i == 0:
                continue
            q = draw.uniform(-math.pi, math.pi, (count, self.n))
            l, way = np.exp(draw.uniform(-11, -.7, count)), draw.uniform(0, 2 * math.pi, count)
            x, y = (s["at"][axis] + l * turn(way) - sum((self.length[k] * turn(q[:, k]) for k in range(i - 1)), np.zeros(count)) for axis, turn in ((0, np.cos), (1, np.sin)))
            a, b = self.length[i - 1], s["arm"]
            cosine = (x * x + y * y - a * a - b * b) / (2 * a * b)
            bent = np.arccos(np.clip(cosine, -1, 1)) * draw.choice([1, -1], count)
            q[:, i - 1] = np.arctan2(y, x) - np.arctan2(b * np.sin(bent), a + b * np.cos(bent))
            q[:, i] = q[:, i - 1] + bent
            yield q[np.abs(cosine) < 1]

    def tips(self):
        """How many places where a spring of two rods has no length are maxima: no force of the others outweighs it there."""
        count = 0
        for s in self.springs:
            a, b, far = self.length[0], s["arm"], math.hypot(*s["at"])
            if s["link"] == 0 or s["free"] == 0 or not abs(a - b) < far < a + b:
                continue
            for bent in (1, -1):
                bent *= math.acos((far * far - a * a - b * b) / (2 * a * b))
                one = math.atan2(s["at"][1], s["at"][0]) - math.atan2(b * math.sin(bent), a + b * math.cos(bent))
                q = np.array([one, one + bent])
                slope = np.array([[-a * math.sin(q[0]), -b * math.sin(q[1])], [a * math.cos(q[0]), b * math.cos(q[1])]])
                count += np.hypot(*np.linalg.solve(slope.T, self.energy(q[None], s)[1][0])) < s["k"] * s["free"]
        return count

    def hinges(self, q):
        """Angles of the hinges, within half a turn where nothing counts turns."""
        angles = np.diff(q, prepend=0)
        return np.array([a if coil else math.remainder(a, 2 * math.pi) for a, coil in zip(angles, self.coils)])

    def apart(self, a, b):
        return max(abs(x - y) if coil else abs(math.remainder(x - y, 2 * math.pi)) for x, y, coil in zip(a, b, self.coils))

    def equilibria(self, grid, beside=300):
        """(V, index, angles of hinges) of each; `beside`: starts beside the tips of each spring"""
        draw, axes = np.random.RandomState(1), []
        for coil in self.coils:
            far = math.pi * (3 if coil else 1)                     # coils of these stiffnesses turn no further
            axes.append((coil[1] if coil else 0.0123) + np.linspace(-far, far, grid * (2 if coil else 1), endpoint=False))
        q = np.stack([a.ravel() for a in np.meshgrid(*axes, indexing="ij")], 1).cumsum(1)
        q = np.concatenate([q, *self.beside_tips(draw, beside * self.n)])
        for _ in range(50):
            _, g, H = self.energy(q)
            step = np.linalg.solve(H + 1e-14 * np.abs(H).max((1, 2))[:, None, None] * np.eye(self.n), g[:, :, None])[:, :, 0]
            q -= step * np.minimum(1, .3 / np.maximum(np.abs(step).max(1), 1e-300))[:, None]
        V, g, H = self.energy(q)
        found = []
        for k in np.flatnonzero((np.abs(g).max(1) < 1e-8 * np.abs(H).max((1, 2))) & (np.abs(step).max(1) < 1e-8)):
            angles = self.hinges(q[k])
            if all(self.apart(angles, other) > 1e-4 for _, _, other in found):
                found.append((V[k], int((np.linalg.eigvalsh(H[k]) < 0).sum()), angles))
        return sorted(found, key=lambda e: e[0])


class AllEquilibria(cli.Case):
    def listed(self, chain, backwards=False):
        done = self.ok(chain.model(backwards), "statics", "--all")
        places = [(e["energy"], e["stability"], np.array([e["coordinates"][f"h{i}.angle"] for i in range(chain.n)])) for e in done.result["equilibria"]]
        return places, [str(note) for note in done.result.get("notes", [])]

    def compare(self, chain, grid):
        """How many there are, and how many are missing; what is listed is there, with its energy and stability."""
        tips = chain.tips() if chain.n == 2 and not any(chain.coils) else None
        for beside in (300, 3000):                                  # one beside a tip is not easy to find for Newton's method either
            wanted = chain.equilibria(grid, beside)
            sum_of_indices = sum((-1) ** index for _, index, _ in wanted)
            if tips is None or sum_of_indices + tips == 0:
                break
        else:
            self.fail("the truth itself lacks some")
        got, notes = self.listed(chain)
        for energy, stability, angles in got:
            near = [w for w in wanted if chain.apart(w[2], angles) < SAME]
            self.assertEqual(len(near), 1, angles)
            self.assertAlmostEqual(energy, near[0][0], delta=1e-8 * (1 + abs(energy)))
            self.assertEqual(stability, "unstable" if near[0][1] else "stable")
        self.assertEqual(len(got), len({min(range(len(wanted)), key=lambda k: chain.apart(wanted[k][2], g[2])) for g in got}))
        smooth = all(s["free"] == 0 for s in chain.springs)
        missing = len(wanted) - len(got)
        if smooth and missing == 0:
            self.assertEqual(sum_of_indices, 1 if all(chain.coils) else 0)
            self.assertFalse([n for n in notes if "lacks at least one" in n])
        if smooth and missing == 1:
            self.assertTrue([n for n in notes if "lacks at least one" in n])
        return len(wanted), missing

    @cli.long
    def test_double_pendulums_on_springs(self):
        """those of which the old search, by Newton and downhill alone, lacked saddles and maxima among them"""
        for seed in (0, 1, 4, 14, 21):
            with self.subTest(seed=seed):
                self.assertEqual(self.compare(Chain(random.Random(seed), 2, 2), 40)[1], 0)

    @cli.long
    def test_coils_and_springs_without_a_free_length(self):
        """the indices add up to 0, and to 1 where coils hold all hinges"""
        for seed, coils in ((3, 0), (5, 1), (8, 2)):
            with self.subTest(seed=seed):
                self.assertEqual(self.compare(Chain(random.Random(seed), 2, 1, coils, smooth=True), 40)[1], 0)

    @cli.long
    def test_a_triple_pendulum(self):
        self.assertEqual(self.compare(Chain(random.Random(2), 3, 1), 16)[1], 0)

    def test_order_of_the_file(self):
        chain = Chain(random.Random(4), 2, 2)
        (one, _), (other, _) = self.listed(chain), self.listed(chain, True)
        self.assertEqual([e[1] for e in one], [e[1] for e in other])
        for a, b in zip(one, other):
            self.assertLess(chain.apart(a[2], b[2]), SAME)

    @cli.unittest.skipUnless(cli.MORE, "long")
    def test_many(self):
        for n, springs, coils, smooth, seeds, grid in ((2, 1, 0, False, 40, 60), (2, 2, 0, False, 80, 60), (2, 3, 0, False, 30, 60), (2, 2, 1, False, 20, 60), (2, 1, 2, False, 20, 60),
                                                       (2, 2, 0, True, 20, 60), (3, 2, 0, False, 12, 22), (3, 1, 1, True, 6, 22)):
            all_of, missing = 0, 0
            for seed in range(1000, 1000 + seeds):
                with self.subTest(n=n, springs=springs, coils=coils, smooth=smooth, seed=seed):
                    there, lacks = self.compare(Chain(random.Random(seed), n, springs, coils, smooth), grid)
                    all_of, missing = all_of + there, missing + lacks
            print(f"{n} rods, {springs} springs, {coils} coils: {missing} of {all_of} missing", flush=True)
            self.assertLessEqual(missing, math.ceil(MISSED * all_of))


if __name__ == "__main__":
    cli.main()
