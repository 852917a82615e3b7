#!/usr/bin/env python3
"""Motions of many bodies: windows of four-bars whose motion is elliptic functions, chains of masses whose motion is a sum of modes."""
import cmath
import json
import math
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "bench", "peers", "motion"), os.path.join(HERE, "..", "bench", "peers"), os.path.join(HERE, "py")]
import cli              # noqa: E402
import machines         # noqa: E402


class LargeMotions(cli.Case):
    def windows(self, loops, step, count, tolerance, within):
        """A02 of IFToMM's library: twice a turn all links lie in line, and the rank falls by the number of loops."""
        machine = machines.windows(loops, step, count)
        done = self.ok(machine.model(), "simulate", "--tolerance", repr(tolerance))
        worst = 0
        for t, x, y in zip(done.time, done.series["px"], done.series["py"]):
            worst = max(worst, math.dist((x, y), machine.reference(t)[:2]))
        self.assertLess(worst, within)
        return done

    def test_windows_at_the_finest_tolerance(self):
        """Six passages through the line: crossed in steps of the usual length, with stages held to the rows. At each passage 1e-10 to 3e-9 of the energy were lost, and more than twice as many steps taken,
        as long as stages beside the rows were accelerated along what these hardly resist; now an error of the length for each tolerance is followed."""
        for tolerance, within in ((1e-10, 5e-8), (1e-12, 5e-10)):
            done = self.windows(10, 0.5, 20, tolerance, within)
            self.assertLess(abs(done.result["integration"]["energy_error"]), 1e3 * tolerance * 311)
        self.assertLess(done.result["integration"]["steps"], 400)
        self.assertLess(done.result["integration"]["rejected"], 40)

    @cli.long
    def test_many_windows_at_the_finest_tolerance(self):
        """Coordinates of 20 and 40 m: rounding of the rows over sigma^2 is some tolerances at best where stages lie well. The best trial is taken; shorter steps would have more stages near, lost 4.8e-6 J with 40 loops
        in twice the steps, and failed the audit."""
        for loops in (20, 40):
            done = self.windows(loops, 0.5, 20, 1e-12, 2e-9)
            self.assertLess(abs(done.result["integration"]["energy_error"]), 1e3 * 1e-12 * 30 * loops)
            self.assertLess(done.result["integration"]["steps"], 400)

    def test_many_windows(self):
        """Beyond 400 unknowns by the Schur complement; 120 loops up to the first passage."""
        self.windows(120, 0.05, 14, 1e-10, 1e-9)

    def many_loops(self, loops):
        """Bars of 1 m and 1 kg: loops + 1 on pivots 1 m apart, their ends joined by as many as there are loops."""
        bar = {"mass": 1, "inertia": 1 / 12}
        bodies = {"ground": {"markers": {f"G{k}": [k, 0] for k in range(loops + 1)}}}
        joints = {}
        for k in range(loops + 1):
            bodies[f"c{k}"] = {**bar, "pose": {"at": [k, 0.5], "angle": math.pi / 2}, "markers": {"O": [-0.5, 0], "B": [0.5, 0]}}
            joints[f"O{k}"] = {"type": "revolute", "between": [f"ground.G{k}", f"c{k}.O"]}
        for k in range(1, loops + 1):
            bodies[f"b{k}"] = {**bar, "pose": {"at": [k - 0.5, 1]}, "markers": {"A": [-0.5, 0], "B": [0.5, 0]}}
            joints[f"L{k}"] = {"type": "revolute", "between": [f"c{k - 1}.B", f"b{k}.A"]}
            joints[f"R{k}"] = {"type": "revolute", "between": [f"c{k}.B", f"b{k}.B"]}
        return json.dumps({"roberval": 1, "space": "planar", "gravity": [0, -9.81], "bodies": bodies, "joints": joints, "initial": {"O0.angle": math.pi / 2, "O0.angle'": -1},
                           "motion": {"from": 0, "to": 0.3, "step": 0.05}})

    def pivot_forces(self, loops, angle, rate):
        """Bar by bar: of b_k, which does not turn, each end carries half of what is vertical; moments of c_k about its pivot give what is horizontal at its end."""
        g, x, y = 9.81, math.cos(angle), math.sin(angle)
        turn = -((loops + 1) / 2 + loops) * g * x / ((loops + 1) / 3 + loops)
        ax, ay = -rate * rate * x - turn * y, -rate * rate * y + turn * x
        forces, left = [], 0.0
        for k in range(loops + 1):
            vertical = -(ay + g) * (0.5 if k in (0, loops) else 1)
            horizontal = (x * vertical - g * x / 2 - turn / 3) / y
            on_right = horizontal - left    # of b_(k + 1) on c_k
            left = -(ax + on_right)         # of b_(k + 1) on c_(k + 1): both together give it its acceleration
            forces.append((ax / 2 - horizontal, ay / 2 + g - vertical))
        return forces

    def test_forces_of_many_loops(self):
        """4805 unknowns, rows that nearly repeat each other (a singular value of 3e-5): forces are those of each bar by itself, unique, and no further off than said."""
        done = self.ok(self.many_loops(400), "simulate")
        most = 0
        for j in range(len(done.time)):
            for k, (fx, fy) in enumerate(self.pivot_forces(400, done.series["O0.angle"][j], done.series["O0.angle'"][j])):
                most = max(most, abs(done.series[f"O{k}.Fx"][j] - fx), abs(done.series[f"O{k}.Fy"][j] - fy))
        self.assertLess(most, 1e-8)
        for joint in done.result["reactions"].values():
            self.assertEqual(joint["components"]["Tz"]["verdict"], "free")
            for name in ("Fx", "Fy"):
                self.assertEqual(joint["components"][name]["verdict"], "unique")
                self.assertTrue(most < joint["components"][name]["error"] < 1e-2)

    def test_windows_that_fall(self):
        """Slow through the line, ten times in 10 s: at 1e-12 runs of 10 and 40 loops failed their audit after some 2000 steps and as many refused, since steps had become short before they came to the line. The rate at each sample
        is that of the energy of bars that turn alike, and no bar turns otherwise."""
        for loops in (1, 10, 40):
            bar = {"mass": 1, "inertia": 1 / 12, "centroid": [0.5, 0], "markers": {"e": [1, 0]}}
            bodies = {"ground": {"markers": {f"g{k}": [k, 0] for k in range(loops + 1)}}}
            bodies |= {f"v{k}": {**bar, "pose": {"at": [k, 0], "angle": math.pi / 2}} for k in range(loops + 1)}
            bodies |= {f"h{k}": {**bar, "pose": {"at": [k, 1]}} for k in range(loops)}
            joints = {f"O{k}": {"type": "revolute", "between": [f"ground.g{k}", f"v{k}"]} for k in range(loops + 1)}
            for k in range(loops):
                joints[f"B{k}"] = {"type": "revolute", "between": [f"v{k}.e", f"h{k}"]}
                joints[f"C{k}"] = {"type": "revolute", "between": [f"h{k}.e", f"v{k + 1}.e"]}
            done = self.ok(json.dumps({"roberval": 1, "space": "planar", "gravity": [0, -9.81], "bodies": bodies, "joints": joints, "initial": {"O0.angle'": -1},
                                       "motion": {"from": 0, "to": 10, "step": 0.1}}), "simulate", "--tolerance", "1e-12")
            inertia, weight = (loops + 1) / 3 + loops, ((loops + 1) / 2 + loops) * 9.81
            energy = [inertia * rate**2 / 2 + weight * math.sin(angle) for angle, rate in zip(done.series["O0.angle"], done.series["O0.angle'"])]
            self.assertLess(max(abs(one - energy[0]) for one in energy), 2e-10 * energy[0])
            for k in range(1, loops + 1):
                self.assertLess(max(abs(a - b) for a, b in zip(done.series["O0.angle"], done.series[f"O{k}.angle"])), 1e-12)
            self.assertLess(done.result["integration"]["steps"], 600)
            self.assertLess(done.result["integration"]["rejected"], 200)

    def test_light_links_in_space(self):
        """Six links, by turns on hinges and balls, every second lighter than the others: absolute coordinates, at last with masses as unlike as the Schur complement takes them, beside joint coordinates, which have no such rows."""
        for light in (1e-3, 1e-6, 3e-7):
            bodies, joints = {}, {}
            for k in range(6):
                mass = light if k % 2 else 1
                bodies[f"b{k}"] = {"mass": mass, "inertia": [0.01 * mass, 0.1 * mass, 0.1 * mass], "pose": {"at": [k + 0.5, 0, 0]}}
                joints[f"j{k}"] = {"type": "spherical" if k % 2 else "revolute", "between": [f"b{k - 1}" if k else "ground", f"b{k}"], "at": [k, 0, 0]}
                if k % 2 == 0:
                    joints[f"j{k}"]["axis"] = [0, 0.6, 0.8]
            model = json.dumps({"roberval": 1, "space": "spatial", "gravity": [0, 0, -9.81], "bodies": bodies, "joints": joints, "motion": {"from": 0, "to": 0.4, "step": 0.02}})
            absolute, joint = [self.ok(model, "simulate", "--tolerance", "1e-11", "--coordinates", kind) for kind in ("absolute", "joint")]
            for k in range(6):
                forces = [f"j{k}.{axis}" for axis in ("Fx", "Fy", "Fz")]
                size = max(abs(f) for name in forces for f in joint.series[name])
                for name in forces:
                    for a, b in zip(absolute.series[name], joint.series[name]):
                        self.assertLess(abs(a - b), 1e-10 * size, (light, name))       # ten times the tolerance of both

    SHAPES = {1: 0.2, 3: 0.1, 40: 0.01}
    STIFFNESS, DAMPING = 1e6, 1e5

    def chain(self, n, rail):
        """Masses of 1 kg in a row, 1 m apart, between walls, with springs and dampers; held at rest in a sum of modes, and let go. On rails, or points on a line."""
        places = [k + sum(a * math.sin(i * k * math.pi / (n + 1)) for i, a in self.SHAPES.items()) for k in range(n + 2)]
        bodies = {f"m{k}": {"mass": 1, "pose": {"at": [places[k], 0]}, **({"inertia": 1} if rail else {"particle": True})} for k in range(1, n + 1)}
        bodies["ground"] = {"markers": {"a": [0, 0], "b": [n + 1, 0]}}
        ends = ["ground.a", *(f"m{k}" for k in range(1, n + 1)), "ground.b"]
        loads = {f"s{k}": {"type": "spring", "between": [ends[k], ends[k + 1]], "stiffness": self.STIFFNESS, "damping": self.DAMPING, "free_length": 1} for k in range(n + 1)}
        joints = {f"r{k}": {"type": "prismatic" if rail else "y", "between": ["ground", f"m{k}"]} for k in range(1, n + 1)}
        return json.dumps({"roberval": 1, "space": "planar", "bodies": bodies, "joints": joints, "loads": loads, "motion": {"from": 0, "to": 0.5, "step": 0.1},
                           "output": {f"u{k}": f"x(m{k}) - {k}" for k in (1, 5, 50, n // 2)}})

    def mode(self, n, k, t):
        """Mode i: q'' + c l q' + k l q = 0, l = 4 sin^2(i pi/(2(n+1))), from rest."""
        u = 0
        for i, a in self.SHAPES.items():
            l = 4 * math.sin(i * math.pi / (2 * (n + 1)))**2
            half, root = self.DAMPING * l / 2, cmath.sqrt((self.DAMPING * l / 2)**2 - self.STIFFNESS * l)
            slow, fast = -half + root, -half - root
            u += a * math.sin(i * k * math.pi / (n + 1)) * ((slow * cmath.exp(fast * t) - fast * cmath.exp(slow * t)) / (slow - fast)).real
        return u

    def stiff_chain(self, n, rail, *flags):
        """Rates up to 4 c/m = 4e5 1/s, at which an explicit method would go in steps of 1e-5 s; what moves has rates of 5 to 90 1/s. Errors: 1e-10 of 300 m a step, some hundred steps."""
        done = self.ok(self.chain(n, rail), "simulate", "--tolerance", "1e-10", *flags, timeout=600)
        for j, t in enumerate(done.time):
            for k in (1, 5, 50, n // 2):
                self.near(done.series[f"u{k}"][j], self.mode(n, k, t), 1e-6, f"mass {k} at t = {t}")
        self.assertLess(done.result["integration"]["steps"], 2000)
        return done

    @cli.long
    def test_a_stiff_chain_by_modes(self):
        """1201 unknowns: more than are solved densely."""
        self.stiff_chain(300, False, "--method", "implicit")

    def test_the_program_finds_that_a_chain_is_stiff(self):
        """From rest into a decay of 7 us: the first steps must not pass over what the dampers take there, 0.08 J of 6600 J."""
        for tolerance in ("1e-6", "1e-8"):
            done = self.ok(self.chain(100, False), "simulate", "--tolerance", tolerance)
            self.assertEqual(done.result["integration"]["method"], "explicit, then implicit")
            self.assertLess(abs(done.result["integration"]["energy_error"]), 50 * float(tolerance) * 6600)

    @cli.long
    def test_a_stiff_chain_on_rails(self):
        """Rows of joints take part: each mass with its rail is a mechanism of its own."""
        self.stiff_chain(150, True, "--method", "implicit")

    @cli.long
    def test_pendulums_by_both_methods(self):
        """140 bars on hinges, tips joined by springs and dampers: what the implicit method finds sparsely the explicit one finds, too."""
        n = 140
        bodies = {f"p{k}": {"mass": 1, "inertia": 1 / 12, "centroid": [0.5, 0], "pose": {"at": [0.2 * k, 0], "angle": -1.2 + 0.5 * math.sin(k)}, "markers": {"tip": [1, 0]}} for k in range(n)}
        joints = {f"h{k}": {"type": "revolute", "between": ["ground", f"p{k}"]} for k in range(n)}
        loads = {f"s{k}": {"type": "spring", "between": [f"p{k}.tip", f"p{k + 1}.tip"], "stiffness": 50, "damping": 20, "free_length": 0.2} for k in range(n - 1)}
        model = json.dumps({"roberval": 1, "space": "planar", "gravity": [0, -9.81], "bodies": bodies, "joints": joints, "loads": loads, "motion": {"from": 0, "to": 0.5, "step": 0.25}})
        runs = [self.ok(model, "simulate", "--tolerance", "1e-10", "--method", method) for method in ("implicit", "explicit")]
        for k in range(n):
            self.near(runs[0].series[f"p{k}.angle"][-1], runs[1].series[f"p{k}.angle"][-1], 1e-6, f"bar {k}")
            self.near(runs[0].series[f"h{k}.Fy"][-1], runs[1].series[f"h{k}.Fy"][-1], 1e-3, f"hinge {k}")


class StiffMechanisms(cli.Case):
    """One large mechanism with stiff parts: its Jacobian is dense, the system of M, C and the derivatives of loads is not."""
    STIFFNESS, DAMPING, LEVER = 1e6, 1e5, 3.0

    def levers(self, n):
        """Masses of 1 kg in a row between walls, springs and dampers between them, and the middle of every two held by a mass of 3 kg: all rows together join one mechanism."""
        places = [k + sum(a * math.sin(i * k * math.pi / (n + 1)) for i, a in LargeMotions.SHAPES.items()) for k in range(n + 2)]
        bodies = {"ground": {"markers": {"a": [0, 0], "b": [n + 1, 0]}}}
        joints, constraints, loads = {}, {}, {}
        ends = ["ground.a", *(f"m{k}" for k in range(1, n + 1)), "ground.b"]
        for k in range(n + 1):
            if k > 0:
                bodies[f"m{k}"] = {"mass": 1, "particle": True, "pose": {"at": [places[k], 0]}}
                joints[f"r{k}"] = {"type": "y", "between": ["ground", f"m{k}"]}
            bodies[f"a{k}"] = {"mass": self.LEVER, "particle": True, "pose": {"at": [(places[k] + places[k + 1]) / 2, 0]}}
            joints[f"q{k}"] = {"type": "y", "between": ["ground", f"a{k}"]}
            sides = [f"x({end})" for end in ends[k:k + 2]]
            constraints[f"t{k}"] = {"equation": f"x(a{k}) - ({sides[0] if k > 0 else 0} + {sides[1] if k < n else n + 1})/2"}
            loads[f"s{k}"] = {"type": "spring", "between": [ends[k], ends[k + 1]], "stiffness": self.STIFFNESS, "damping": self.DAMPING, "free_length": 1}
        return {"roberval": 1, "space": "planar", "bodies": bodies, "joints": joints, "constraints": constraints, "loads": loads, "motion": {"from": 0, "to": 0.5, "step": 0.1},
                "output": {f"u{k}": f"x(m{k}) - {k}" for k in (1, 5, 50, n // 2)}}

    def mode(self, n, k, t):
        """The levers' masses are B^T B, tridiagonal (1, 2, 1), beside K, tridiagonal (-1, 2, -1): modes are sines, (1 + 3 (4 - l)/4) q'' + c l q' + k l q = 0 with l = 4 sin^2(i pi/(2(n+1)))."""
        u = 0
        for i, a in LargeMotions.SHAPES.items():
            l = 4 * math.sin(i * math.pi / (2 * (n + 1)))**2
            mass = 1 + self.LEVER * (4 - l) / 4
            half = self.DAMPING * l / (2 * mass)
            root = cmath.sqrt(half**2 - self.STIFFNESS * l / mass)
            slow, fast = -half + root, -half - root
            u += a * math.sin(i * k * math.pi / (n + 1)) * ((slow * cmath.exp(fast * t) - fast * cmath.exp(slow * t)) / (slow - fast)).real
        return u

    @cli.long
    def test_levers_by_modes(self):
        """1203 unknowns. Errors as of chains of masses: 1e-10 of 150 m a step, some hundred steps."""
        n = 150
        for method in ("implicit", "auto"):
            done = self.ok(self.levers(n), "simulate", "--tolerance", "1e-10", "--method", method, timeout=600)
            for j, t in enumerate(done.time):
                for k in (1, 5, 50, n // 2):
                    self.near(done.series[f"u{k}"][j], self.mode(n, k, t), 1e-6, f"{method}, mass {k} at t = {t}")
            self.assertLess(done.result["integration"]["steps"], 2000)
            self.assertIn("implicit", done.result["integration"]["method"])

    @cli.long
    def test_a_stiff_chain_is_found_at_a_fine_tolerance(self):
        """Many fast modes, and a tolerance that keeps steps below the bound of stability: 36000 explicit ones."""
        chain = LargeMotions()
        done = self.ok(chain.chain(300, False), "simulate", "--tolerance", "1e-10", timeout=600)
        self.assertEqual(done.result["integration"]["method"], "explicit, then implicit")
        self.assertLess(done.result["integration"]["steps"], 2000)
        for j, t in enumerate(done.time):
            for k in (1, 5, 50, 150):
                self.near(done.series[f"u{k}"][j], chain.mode(300, k, t), 1e-6, f"mass {k} at t = {t}")

    def links(self, n, to, stiffness=1e5, damping=1e3):
        """Bars of 1 m and 1 kg in a row, clamped at one end, with torsion springs and dampers between them; they fall."""
        bodies = {"ground": {"markers": {"O": [0, 0]}}}
        joints, loads = {}, {}
        for k in range(n):
            bodies[f"b{k}"] = {"mass": 1, "inertia": 1 / 12, "pose": {"at": [k + 0.5, 0]}, "markers": {"A": [-0.5, 0], "B": [0.5, 0]}}
            joints[f"h{k}"] = {"type": "revolute", "between": [f"b{k - 1}.B" if k > 0 else "ground.O", f"b{k}.A"]}
            loads[f"s{k}"] = {"type": "torsion-spring", "joint": f"h{k}", "stiffness": stiffness, "damping": damping, "free_angle": 0}
        return {"roberval": 1, "space": "planar", "gravity": [0, -9.81], "bodies": bodies, "joints": joints, "loads": loads, "motion": {"from": 0, "to": to, "step": to / 2}}

    @cli.long
    def test_links_by_both_methods(self):
        """Rates up to 5e4 1/s. Joints carry what changes by 1e5 N for each radian between neighbours, and these are off by 1e-9 or so."""
        n = 80
        runs = [self.ok(self.links(n, 0.1), "simulate", "--tolerance", "1e-10", "--method", method, timeout=600) for method in ("explicit", "implicit")]
        for k in range(n):
            self.near(runs[1].series[f"b{k}.angle"], runs[0].series[f"b{k}.angle"], 1e-7, f"bar {k}")
            self.near(runs[1].series[f"b{k}.y"], runs[0].series[f"b{k}.y"], 1e-9, f"bar {k}")
            self.near(runs[1].series[f"h{k}.Fy"], runs[0].series[f"h{k}.Fy"], 1e-3, f"hinge {k}")
        self.assertLess(2 * runs[1].result["integration"]["evaluations"], runs[0].result["integration"]["evaluations"])
        self.assertLess(runs[1].result["integration"]["constraint_error"], 1e-12)

    @cli.long
    def test_the_far_end_of_a_long_chain_falls_freely(self):
        """6001 unknowns and 1600 rows. What the clamp holds reaches 20 bars or so in 0.05 s; the others fall, and nothing passes through their hinges. Steps do not get more with the number of bars."""
        steps = []
        for n in (200, 800):
            done = self.ok(self.links(n, 0.05), "simulate", "--tolerance", "1e-7", timeout=600)
            for j, t in enumerate(done.time):
                for k in (n // 2, n - 1):
                    self.near(done.series[f"b{k}.y"][j], -9.81 * t * t / 2, 1e-7, f"bar {k} at t = {t}")
                    self.near(done.series[f"h{k}.Fy"][j], 0, 1e-4, f"hinge {k} at t = {t}")
            self.assertLess(done.series["b0.y"][-1], -1e-5)
            self.assertGreater(done.series["b0.y"][-1], -1e-2)
            self.assertLess(done.result["integration"]["constraint_error"], 1e-15 * 10 * n)
            steps.append(done.result["integration"]["steps"])
        self.assertLess(steps[1], 1.5 * steps[0])

    @cli.long
    def test_a_beam_in_space_comes_to_rest(self):
        """70 bodies 0.1 m apart on bushings, clamped, pushed by 1 N at the tip. Far from it nothing moves but by rounding at first. Once it has settled the tip is where the sum of what all bushings give way leads,
        F ((L - x)^2/k + 1/k_y); the next order is the square of slopes, 6e-6, and what is left of the slowest motion e^-50. Along the axis nothing is pulled, but turned bodies are shorter by the square of their slopes."""
        n, turn, push = 70, 1e6, 1e7
        bodies, loads = {"ground": {"markers": {"R": [0.05, 0, 0]}}}, {}
        for k in range(1, n + 1):
            bodies[f"b{k}"] = {"mass": 1, "inertia": [0.02, 0.01, 0.01], "pose": {"at": [0.1 * k, 0, 0]}, "markers": {"L": [-0.05, 0, 0], "R": [0.05, 0, 0]}}
            loads[f"s{k}"] = {"type": "bushing", "between": [f"b{k - 1}.R" if k > 1 else "ground.R", f"b{k}.L"], "stiffness": [push] * 3 + [turn] * 3, "damping": [push] * 3 + [turn] * 3}
        loads["tip"] = {"type": "force", "to": f"b{n}.R", "value": [0, 0, -1]}
        model = {"roberval": 1, "space": "spatial", "bodies": bodies, "loads": loads, "motion": {"from": 0, "to": 50, "step": 25}, "output": {"w": f"z(b{n}.R)", "y": f"y(b{n}.R)"}}
        tip = 0.1 * n + 0.05
        w = -sum((tip - (0.1 * k - 0.05))**2 / turn + 1 / push for k in range(1, n + 1))
        for method in ("implicit", "auto"):
            done = self.ok(model, "simulate", "--tolerance", "1e-8", "--method", method, timeout=600)
            self.near(done.series["w"][-1], w, 1e-5 * abs(w), f"{method}, deflection")
            self.near(done.series["y"], [0, 0, 0], 1e-9, f"{method}, sideways")
            self.assertLess(done.result["integration"]["steps"], 2000)

    def test_rows_that_repeat_others(self):
        """Each hinge twice: the same motion, whatever the rank of the rows."""
        model = self.links(40, 0.1)
        once = self.ok(model, "simulate", "--tolerance", "1e-9", "--method", "implicit")
        for k in range(1, 40):
            model["joints"][f"g{k}"] = {"type": "revolute", "between": [f"b{k - 1}.B", f"b{k}.A"]}
        twice = self.ok(model, "simulate", "--tolerance", "1e-9", "--method", "implicit")
        for k in range(40):
            self.near(twice.series[f"b{k}.angle"], once.series[f"b{k}.angle"], 1e-7, f"bar {k}")

    def test_what_is_not_sparse_is_refused(self):
        model = self.links(150, 0.1)
        model["states"] = {"clock": {"rate": 1}}
        done = cli.run_model(model, "simulate", "--method", "implicit")
        self.assertEqual(done.code, 2)
        self.assertIn("--method implicit takes more than 800 unknowns of positions and rates only without sliding friction, states, control,", done.err)
        self.assertIn("here are 1052", done.err)


if __name__ == "__main__":
    cli.main()
