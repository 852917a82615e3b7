#!/usr/bin/env python3
# ctest: natural
"""Starts with all bars in line, where constraints lose rank: accelerations are those of the motion that the rates belong to, rates of no motion are refused by name, and what nothing decides is unsure.

Truth, by hand: bars of signed lengths L_i along a line, turned by theta_i = w_i t + a_i t^2/2 + ...; each loop closes, sum L_i e^(i theta_i) = const:
  across, order 1 and 2: sum L w = 0, sum L a = 0;   along, order 2 and 3: sum L w^2 = 0, sum L w a = 0
so a = T z with T the null space of the rows L and L w, and T^T (H a - f) = 0 of the weights and inertias: at theta = 0 nothing else does work."""
import itertools
import math
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "py"))
import numpy as np      # noqa: E402
import cli              # noqa: E402

COORDINATES = [os.environ["ROBERVAL_COORDINATES"]] if os.environ.get("ROBERVAL_COORDINATES") else ["absolute", "natural", "joint"]


class Line:
    """Bars in line between ground points: one loop of three to five bars, and perhaps a second one, from within a bar of the first to the ground."""

    def __init__(self, seed, two=False):
        rng = self.rng = np.random.default_rng(seed)
        n = int(rng.integers(3, 6))
        self.L = list(rng.choice([-1, 1], n) * rng.uniform(0.4, 1.6, n))
        self.loops = [[(k, self.L[k]) for k in range(n)]]
        self.at = [None] * n          # of each bar: (bar, place on it) where it hangs; None: the end of the one before, or the ground
        if two:
            host, share = int(rng.integers(0, n)), rng.uniform(0.3, 0.7)
            second = rng.choice([-1, 1], 3) * rng.uniform(0.4, 1.6, 3)
            self.at += [(host, share), None, None]
            self.L += list(second)
            self.loops.append([(k, self.L[k]) for k in range(host)] + [(host, share * self.L[host])] + [(n + k, second[k]) for k in range(3)])
        self.n, self.first = len(self.L), n
        self.m, self.I, self.c = rng.uniform(0.5, 2, self.n), rng.uniform(0.05, 0.3, self.n), rng.uniform(0.2, 0.8, self.n)
        self.angle, self.scale = rng.uniform(-3, 3), rng.choice([0.1, 1, 10])

    def rows(self):
        A = np.zeros((len(self.loops), self.n))
        for k, loop in enumerate(self.loops):
            for bar, L in loop:
                A[k, bar] += L
        return A

    def rates(self):
        """w with A w = 0 and A w^2 = 0, by Newton from a random start; None: there are none near by."""
        A = self.rows()
        for _ in range(20):
            w = self.rng.normal(size=self.n)
            for _ in range(60):
                f = np.concatenate([A @ w, A @ w**2, [w @ w - 1]])
                if abs(f).max() < 1e-15:
                    break
                w = w - np.linalg.lstsq(np.vstack([A, 2 * A * w, 2 * w]), f, rcond=None)[0]
            B = np.vstack([A, A * w])
            s = np.linalg.svd(B, compute_uv=False)
            if abs(f).max() < 1e-14 and s[-1] > 0.05 and abs(w).min() > 0.02:
                return w
        return None

    def path(self, bar):
        """(bar, length) along which the place of a bar's first end is reached."""
        if bar == 0:
            return []
        if self.at[bar]:
            host, share = self.at[bar]
            return self.path(host) + [(host, share * self.L[host])]
        return self.path(bar - 1) + [(bar - 1, self.L[bar - 1])]

    def accelerations(self, w, g):
        """d(theta'')."""
        A = self.rows()
        T = np.linalg.svd(np.vstack([A, A * w]))[2][np.linalg.matrix_rank(np.vstack([A, A * w]), 1e-9):].T
        Y = self.arms()
        H = Y.T @ np.diag(self.m) @ Y + np.diag(self.I * self.scale**2)
        return T @ np.linalg.solve(T.T @ H @ T, -T.T @ Y.T @ (self.m * g))

    def arms(self):
        """places of the bars' centroids = arms times cos and sin of theta"""
        Y = np.zeros((self.n, self.n))
        for bar in range(self.n):
            for other, L in self.path(bar) + [(bar, self.c[bar] * self.L[bar])]:
                Y[bar, other] += L * self.scale
        return Y

    def project(self, theta, w):
        """onto loops that close, and their rates, by least squares"""
        A = self.rows() * self.scale
        J = lambda theta: np.vstack([-A * np.sin(theta), A * np.cos(theta)])  # noqa: E731
        for _ in range(8):
            step = np.linalg.lstsq(J(theta), np.concatenate([A @ np.cos(theta) - A.sum(1), A @ np.sin(theta)]), rcond=1e-13)[0]
            theta = theta - step
            if abs(step).max() < 1e-15:
                break
        return theta, w - np.linalg.lstsq(J(theta), J(theta) @ w, rcond=1e-13)[0]

    def beside(self, theta, w, g):
        """theta'' where loops do not lie flat: [H J^T; J 0], scaled"""
        A, Y, c, s = self.rows() * self.scale, self.arms(), np.cos(theta), np.sin(theta)
        X, Y = -Y * s, Y * c
        H = X.T @ (self.m[:, None] * X) + Y.T @ (self.m[:, None] * Y) + np.diag(self.I * self.scale**2)
        f = X.T @ (self.m * (Y @ w**2)) - Y.T @ (self.m * (X @ w**2 + g))
        d = 1 / np.sqrt(np.diag(H))
        J = np.vstack([-A * s, A * c]) * d
        size = 1 / np.linalg.norm(J, axis=1)
        K = np.block([[H * d[:, None] * d, (J * size[:, None]).T], [J * size[:, None], np.zeros((len(J), len(J)))]])
        return d * np.linalg.solve(K, np.concatenate([f * d, size * np.concatenate([A @ (c * w**2), A @ (s * w**2)])]))[:self.n]

    def motion(self, w, end, g=9.81, begin=0.01, steps=400):
        """w at the end: from `begin` of the time on, where second order is off by a part of 1e-6, by Runge's and Kutta's rule"""
        t = begin * end
        a = self.accelerations(w, g)
        theta, w = self.project(w * t + a * t**2 / 2, w + a * t)
        h = (end - t) / steps
        f = lambda theta, w: np.array([w, self.beside(theta, w, g)])  # noqa: E731
        for _ in range(steps):
            y = np.array([theta, w])
            k1 = f(*y)
            k2 = f(*(y + h / 2 * k1))
            k3 = f(*(y + h / 2 * k2))
            theta, w = self.project(*(y + h / 6 * (k1 + 2 * k2 + 2 * k3 + f(*(y + h * k3)))))
        return w

    def model(self, w, g=9.81, spatial=False, step=0.001, end=0.001):
        """Rates of all bars but the last of each loop, which joints decide."""
        turn = np.array([[math.cos(self.angle), -math.sin(self.angle)], [math.sin(self.angle), math.cos(self.angle)]])
        place = lambda x: [*map(float, turn @ [x * self.scale, 0])] + [0.0] * spatial  # noqa: E731
        x0 = [sum(L for _, L in self.path(k)) for k in range(self.n)]
        ends = {"Z": place(0), **{f"E{k}": place(sum(L for _, L in loop)) for k, loop in enumerate(self.loops)}}
        bodies, joints = {"ground": {"markers": {name: at for name, at in ends.items()}}}, {}
        last = [loop[-1][0] for loop in self.loops]
        for k in range(self.n):
            L, turned = self.L[k] * self.scale, self.angle
            vec = lambda x: [float(x), 0.0] + [0.0] * spatial  # noqa: E731
            I = self.I[k] * self.scale**2
            bodies[f"b{k}"] = {"mass": float(self.m[k]), "inertia": [float(0.5 * I), float(I), float(I)] if spatial else float(I), "centroid": vec(self.c[k] * L),
                               "pose": {"at": place(x0[k]), **({"rotate": {"axis": [0, 0, 1], "angle": turned}} if spatial else {"angle": turned})}, "markers": {"A": vec(0), "B": vec(L)}}
            hang = "ground.Z" if k == 0 else f"b{k - 1}.B"
            if self.at[k]:
                host, share = self.at[k]
                bodies[f"b{host}"]["markers"]["M"] = vec(share * self.L[host] * self.scale)
                hang = f"b{host}.M"
            joints[f"P{k}"] = {"type": "revolute", "between": [hang, f"b{k}.A"]}
        for k, bar in enumerate(last):
            joints[f"Q{k}"] = {"type": "revolute", "between": [f"b{bar}.B", f"ground.E{k}"]}
        before = lambda k: 0 if k == 0 else w[self.at[k][0]] if self.at[k] else w[k - 1]  # noqa: E731
        initial = {f"P{k}.angle'": float(w[k] - before(k)) for k in range(self.n) if k not in last}
        down = turn @ [0, -g]
        return {"roberval": 1, "space": "spatial" if spatial else "planar", "gravity": [*map(float, down)] + [0.0] * spatial, "bodies": bodies, "joints": joints, "initial": initial,
                "motion": {"from": 0, "to": end, "step": step}}


SEEDS = range(40) if cli.MORE else range(3)
FREE = 1e-6    # [rad] beside the position by less, a second freedom is counted
FOLLOWS = 1e-4    # what the test's own motion is off by where it begins and by its steps: 1e-5 where it was looked at with ten times as many; what gives way is off by 1e-2
LAW = 1e-8    # differences of fourth order are good to 1e-11, rates to 1e-14, over forms no smaller than 0.05 of the rates


class Singular(cli.Case):
    def simulate(self, model, coordinates):
        return self.ok(model, "simulate", "--coordinates", coordinates)

    @cli.long
    def test_accelerations_are_those_of_the_motion(self):
        for seed in SEEDS:
            for two, spatial in ((False, False), (True, False), (False, True), (True, True)):
                line = Line(seed, two)
                w = line.rates()
                if w is None:
                    continue
                truth = line.accelerations(w, 9.81)
                for coordinates in COORDINATES if seed == 0 or cli.MORE else COORDINATES[seed % len(COORDINATES):][:1]:
                    done = self.simulate(line.model(w, spatial=spatial, end=0), coordinates)
                    found = [done.series[f"b{k}.alpha{'z' * spatial}"][0] for k in range(line.n)]
                    self.near(found, truth, LAW * abs(truth).max(), f"{seed} {two} {spatial} {coordinates}")
                    self.assertNotIn("unsure", done.marks.values())

    @cli.long
    def test_the_motion_goes_on_from_there(self):
        """in the plane and in space, where rows repeat others besides, one loop or two: rates at the end, and energy as the audit holds it"""
        for seed in range(40) if cli.MORE else (0, 1):
            for two in (False, True):
                line = Line(seed, two)
                w = line.rates()
                if w is None:
                    continue
                w, end = 4 * w / math.sqrt(line.scale), 0.02 * math.sqrt(line.scale)
                truth = line.motion(w, end)
                for k, (coordinates, spatial) in enumerate(itertools.product(COORDINATES, (True, False))):
                    if cli.MORE or spatial or k % 3 == seed:
                        done = self.simulate(line.model(w, spatial=spatial, step=end / 4, end=end), coordinates)
                        found = np.array([done.series[f"b{k}.omega{'z' * spatial}"][-1] for k in range(line.n)])
                        self.near(found, truth, FOLLOWS * abs(truth).max(), f"{seed} {two} {spatial} {coordinates}")

    def test_forces_are_those_just_after(self):
        """What is unique at the start, against the two next samples, as a straight line: h^2 F'' is a part of 1e-4, F'' not being above some 100 F/s^2."""
        for seed in (1, 4, 8)[:1 + 2 * cli.MORE]:
            line = Line(seed)
            line.scale = 1
            w = line.rates()
            if w is None:       # this chain has no motion that is far from all others: whether one is found hangs on the test's own rounding
                self.assertNotEqual(seed, 1)
                continue
            done = self.simulate(line.model(w, step=1e-3, end=2e-3), COORDINATES[0])
            across = [name for name in done.series if name.split(".")[-1] in ("Fx", "Fy") and done.marks[name] == "unique"]
            turned = done.series
            for name in across:
                F = turned[name]
                self.near(F[0], 2 * F[1] - F[2], 1e-3 * max(abs(turned[n][0]) for n in across), name)

    def test_rates_of_no_motion_are_refused(self):
        """joints fit to first order, and not to second"""
        for seed in SEEDS:
            for two in (False, True):
                line = Line(seed, two)
                w = line.rates()
                if w is None:
                    continue
                A = line.rows()
                null = np.linalg.svd(A)[2][len(A):]
                wrong = w + null.T @ (null @ line.rng.normal(size=line.n)) * 0.5
                if abs(A @ wrong**2).max() < 1e-2:
                    continue
                for coordinates in COORDINATES if seed == 0 or cli.MORE else COORDINATES[seed % len(COORDINATES):][:1]:
                    done = cli.run_model(line.model(wrong, end=0), "simulate", "--coordinates", coordinates)
                    self.assertEqual(done.code, 1, f"{seed} {two} {coordinates}")
                    self.assertIn("contradict each other", done.err)
                    self.assertIn("joint 'P", done.err)
                    self.assertIn("these rates follow none of them", done.err)

    def test_constraints_that_contradict_each_other_are_named(self):
        """beside freedoms, and where drives leave none"""
        along = {"up": {"coordinate": "y(p)", "motion": "t"}, "turn": {"coordinate": "angle(p)", "motion": "2*t"}}
        for equations, drives in itertools.product((["x(p) - 2*t^2", "x(p) - t^2"], ["x(p) - t^2", "x(p) - 2*t^2"]), ({}, along)):
            model = {"roberval": 1, "space": "planar", "bodies": {"p": {"mass": 2, "inertia": 1}}, "constraints": {"one": {"equation": equations[0]}, "two": {"equation": equations[1]}},
                     "drives": drives, "motion": {"from": 0, "to": 0, "step": 0.1}}
            for coordinates in COORDINATES:
                done = cli.run_model(model, "simulate", "--coordinates", coordinates)
                self.assertEqual(done.code, 1)
                self.assertIn("constraint 'one', constraint 'two' contradict each other", done.err)
                self.assertIn("off by up to 1 m/s^2", done.err)
                self.assertNotIn("motions branch", done.err)

    def test_along_a_prescribed_motion_what_they_are_off_by_is_told(self):
        """value, rate or second rate, whichever it is"""
        turn = {"coordinate": "angle(p)", "motion": "t"}
        for other, off in (({"equation": "x(p) - 2*t^2"}, r"its second rate is off by 2 of its unit per s\^2"), ({"velocity": "2*x(p)' - 4*t - 6*t^2"}, r"at t = 0.1 s.*\(off by 0.06 of its unit\)")):
            model = {"roberval": 1, "space": "planar", "bodies": {"p": {"mass": 2, "inertia": 1}}, "constraints": {"one": {"equation": "x(p) - t^2"}, "two": other},
                     "drives": {"up": {"coordinate": "y(p)", "motion": "t"}, "turn": turn}, "motion": {"from": 0, "to": 1, "step": 0.1}}
            for command in ("inverse", "kinematics"):
                done = cli.run_model(model, command)
                self.assertEqual(done.code, 1)
                self.assertRegex(done.err, "constraint 'two' cannot be met")
                self.assertRegex(done.err, off)

    def test_from_rest_nothing_is_decided(self):
        """and nothing needs to be where no force acts"""
        line = Line(5)
        for coordinates in COORDINATES:
            done = self.simulate(line.model(np.zeros(line.n), end=0), coordinates)
            self.assertIn("motions branch and the rates choose none of them", " ".join(map(str, done.result["notes"])))
            self.assertEqual(done.marks["P1.Fy"], "unsure")
            done = self.simulate(line.model(np.zeros(line.n), g=0, end=0), coordinates)
            self.assertNotIn("branch", " ".join(map(str, done.result["notes"])))

    def parallelogram(self, d, backwards=False):
        """The one that lies flat, lifted by d [rad]: reactions across are those of a beam on two cranks that swing together, 11.445 N at the first pin."""
        bodies = {"ground": {"markers": {"D": [2, 0]}}, "a": {"mass": 1, "inertia": 0.1, "markers": {"E": [1, 0]}, "pose": {"angle": d}},
                  "b": {"mass": 1, "inertia": 0.2, "markers": {"E": [2, 0]}, "pose": {"at": [1, d]}}, "c": {"mass": 1, "inertia": 0.1, "markers": {"E": [1, 0]}, "pose": {"at": [2, 0], "angle": d}}}
        joints = {"A": {"type": "revolute", "between": ["ground", "a"]}, "B": {"type": "revolute", "between": ["a.E", "b"]}, "C": {"type": "revolute", "between": ["b.E", "c.E"]},
                  "D": {"type": "revolute", "between": ["ground.D", "c"]}}
        turn = (lambda x: dict(reversed(list(x.items())))) if backwards else dict
        return {"roberval": 1, "space": "planar", "gravity": [0, -9.81], "bodies": turn(bodies), "joints": turn(joints),
                "initial": {"A.angle": d, "A.angle'": 1, **({"B.angle": -d, "B.angle'": -1} if d < FREE else {})}, "motion": {"from": 0, "to": 0, "step": 1}}

    def wheel(self, at, **keys):
        """The flat parallelogram and a wheel of 1 kg m^2 beside it, at a place of the ground, and a joint to it."""
        model = self.parallelogram(0)
        model["bodies"]["ground"]["markers"]["Y"] = at
        model["bodies"]["w"] = {"mass": 1, "inertia": 1, "pose": {"at": at}}
        model["joints"]["W"] = {"type": "revolute", "between": ["ground.Y", "w"], **keys}
        return model

    def test_beside_what_has_no_such_equations(self):
        """in other parts of the machine it is no matter; with wheels that the first crank turns k times as fast (0.2 + 1 + k^2) alpha = -9.81; where forces follow reactions nothing is known"""
        gear = {"type": "gear", "between": ["a", "w"], "radii": [0.25, 0.25]}
        beside = {"friction": self.wheel([0, 3], friction={"coefficient": 0.2, "radius": 0.05}), "max": {**self.wheel([0, 3]), "drives": {"M": {"coordinate": "W.angle", "motion": "t^2", "max": 0.5}}},
                  "generalized": {**self.parallelogram(0), "generalized": {"coordinates": {"u": {"start": 0.1, "rate": 0}}, "mass": [["1"]], "force": ["-u"]}}}
        edge = self.wheel([0, 3])
        edge["joints"]["W"] = {"type": "knife-edge", "between": ["ground", "w"]}
        many = self.parallelogram(0)
        many["bodies"].update({f"p{k}": {"mass": 1, "inertia": 1, "pose": {"at": [0, k + 5]}} for k in range(101)})
        beside.update(edge=edge, many=many)
        turned = {1: self.wheel([-0.5, 0]), 2: self.wheel([-0.5, 0]), -2: self.wheel([-0.5, 0])}
        turned[1]["joints"]["G"] = {**gear, "pressure_angle": 0}
        turned[2]["joints"]["G"] = {"type": "belt", "between": ["a", "w"], "radii": [0.2, 0.1]}
        del turned[-2]["joints"]["W"]
        turned[-2]["constraints"] = {"R": {"velocity": "angle(w)' + 2*A.angle'"}}
        open_ = {"gears": self.wheel([-0.5, 0]), "generalized": self.parallelogram(0), "max": self.parallelogram(0)}
        open_["gears"]["joints"]["G"] = gear
        open_["generalized"].update(generalized={"coordinates": {"u": {"start": 0, "rate": 1}}, "mass": [["1"]], "force": ["0"]}, constraints={"R": {"equation": "u - A.angle"}}, initial={"B.angle": 0, "B.angle'": -1})
        open_["max"].update(drives={"M": {"coordinate": "A.angle", "motion": "t", "max": 0.5}}, initial={"B.angle": 0, "B.angle'": -1})
        for coordinates in COORDINATES:
            for name, model in beside.items():
                done = self.simulate(model, coordinates)
                self.near(done.series["A.Fy"][0], 11.445, 1e-6, f"{name} {coordinates}")
                self.assertEqual(done.marks["A.Fy"], "unique")
            for ratio, model in turned.items():
                done = self.simulate(model, coordinates)
                self.near([done.series["a.alpha"][0], done.series["b.alpha"][0]], [-9.81 / (1.2 + ratio**2), 0], 1e-6, f"{ratio} {coordinates}")
                self.assertEqual(done.marks["A.Fy"], "unique")
            for name, model in open_.items():
                done = self.simulate(model, coordinates)
                self.assertEqual(done.marks["A.Fy"], "unsure", name)
                self.assertRegex(" ".join(map(str, done.result["notes"])), f"singular position.*unsure: beside.*{name}")

    def test_near_the_position(self):
        """Fy of the first crank: (I + 0) alpha + ... = 11.445 N by the equation of the one freedom, (0.2 + 1) alpha = -9.81; it changes by 1 N/rad; accelerations next to the position are those there, but for what changes on the way."""
        for d in (0, 1e-13, 1e-11, 1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4):
            for coordinates in COORDINATES:
                for backwards in (False, True)[:1 + (d == 0)]:
                    done = self.simulate(self.parallelogram(d, backwards), coordinates)
                    self.near(done.series["A.Fy"][0], 11.445, 2 * d + 1e-6, f"{d} {coordinates}")
                    self.near(done.series["b.alpha"][0], 0, 10 * d + 1e-6, f"{d} {coordinates}")

    def test_a_sample_on_the_position(self):
        """a pendulum of (0.2 + 1) kg m^2 that comes to the flat position with 1 rad/s at the second of three samples, from where it must have been, backwards by Runge's and Kutta's rule"""
        f = lambda y: np.array([y[1], -9.81 * math.cos(y[0]) / 1.2])  # noqa: E731
        y, h = np.array([0.0, 1.0]), -0.1 / 2000
        for _ in range(2000):
            k1 = f(y)
            k2 = f(y + h / 2 * k1)
            k3 = f(y + h / 2 * k2)
            y = y + h / 6 * (k1 + 2 * k2 + 2 * k3 + f(y + h * k3))
        model = self.parallelogram(float(y[0]))
        model["bodies"]["b"]["pose"] = {"at": [math.cos(y[0]), math.sin(y[0])]}
        model["initial"] = {"A.angle": float(y[0]), "A.angle'": float(y[1])}
        model["motion"] = {"from": 0, "to": 0.2, "step": 0.1}
        for coordinates in COORDINATES:
            done = self.simulate(model, coordinates)
            self.near(done.series["A.angle"][1], 0, 1e-8, "on the position, to the tolerance of the motion")
            self.near(done.series["A.Fy"][1], 11.445, 1e-6, coordinates)
            self.near(done.series["b.alpha"][1], 0, 1e-6, coordinates)


if __name__ == "__main__":
    cli.main()
