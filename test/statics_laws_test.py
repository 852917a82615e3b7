"""Laws of statics over the command line: a hanging chain against the catenary, compliances against a second solve, and what --all must find.
# ctest: natural joint

The chain has n links of equal length l/n. Its joints lie on no catenary, but hanging chains have an exact law of their own: the horizontal force H is one for all
joints and the vertical force grows by the weight of one link, half of it to each end: tan(angle_k) = (V_0 + (k + 1/2) w) / H. Two unknowns V_0, H close the span.
"""
# ctest: polar-slow
import json
import math
import os
import subprocess
import sys
import tempfile
import unittest

import numpy

BINARY = os.environ.get("ROBERVAL", os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "build", "checked", "roberval"))
G = 9.81


def solve(command, text, *options):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "model.yaml")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        done = subprocess.run([BINARY, command, path, "--json", *options], capture_output=True, text=True, timeout=1200)
        if done.returncode != 0:
            raise AssertionError(f"exit {done.returncode}: {done.stderr}")
        return json.loads(done.stdout)


def statics(text, *options):
    return solve("statics", text, *options)


def chain(count, span, mass):
    """Links of one length on a line that sags to a V; length 1 altogether."""
    length, depth = 1 / count, math.sqrt(0.25 - span * span / 4)
    lines = ["roberval: 1", "space: planar", f"gravity: [0, -{G}]", "bodies:", f"  ground: {{markers: {{E: [{span}, 0]}}}}"]
    for k in range(count):
        ends = [((s * span), -2 * depth * min(s, 1 - s)) for s in (k * length, (k + 1) * length)]
        angle = math.atan2(ends[1][1] - ends[0][1], ends[1][0] - ends[0][0])
        middle = [(ends[0][i] + ends[1][i]) / 2 for i in (0, 1)]
        lines.append(f"  L{k}: {{mass: {mass / count}, inertia: {mass / count * length ** 2 / 12}, pose: {{at: [{middle[0]}, {middle[1]}], angle: {angle}}}, "
                     f"markers: {{a: [{-length / 2}, 0], b: [{length / 2}, 0]}}}}")
    lines.append("joints:")
    for k in range(count):
        lines.append(f"  J{k}: {{type: revolute, between: [{'ground' if k == 0 else f'L{k - 1}.b'}, L{k}.a]}}")
    lines.append(f"  E: {{type: revolute, between: [ground.E, L{count - 1}.b]}}")
    return "\n".join(lines) + "\n"


def hanging(count, span, mass):
    """H of the polygon: by symmetry the vertical force at the left end is half the weight; H from the span, by bisection."""
    w, l = mass * G / count, 1 / count

    def width(H):
        return sum(l / math.hypot(1, ((k + 0.5) * w - mass * G / 2) / H) for k in range(count))
    low, high = 1e-6, 1e6
    for _ in range(200):
        middle = math.sqrt(low * high)
        low, high = (middle, high) if width(middle) < span else (low, middle)
    angles = [math.atan(((k + 0.5) * w - mass * G / 2) / low) for k in range(count)]
    return low, angles


class Chain(unittest.TestCase):
    def compare(self, count, tolerance):
        result = statics(chain(count, 0.6, 2.0))
        H, angles = hanging(count, 0.6, 2.0)
        bodies = result["equilibrium"]["bodies"]
        for k in range(count):
            self.assertAlmostEqual(bodies[f"L{k}"]["angle"], angles[k], delta=tolerance, msg=f"link {k}")
        left = result["reactions"]["J0"]["components"]
        self.assertAlmostEqual(left["Fx"]["first"], -H, delta=tolerance * H)
        self.assertAlmostEqual(left["Fy"]["first"], 2.0 * G / 2, delta=tolerance * G)
        return result

    def test_twenty_links(self):
        self.assertEqual(self.compare(20, 1e-9)["equilibrium"]["stability"], "stable")

    def test_a_thousand_links(self):
        """the sparse path; forces are known to 1e-9 of the loads, and the slackest links turn by some 1e3 times that"""
        result = self.compare(1000, 1e-6)
        sag = min(body["at"][1] for body in result["equilibrium"]["bodies"].values())
        low, high = 1e-3, 1e3                      # the catenary y = a cosh(x/a) through the ends, length 1: the limit of ever shorter links
        for _ in range(200):
            a = math.sqrt(low * high)
            low, high = (a, high) if 2 * a * math.sinh(0.3 / a) > 1 else (low, a)
        self.assertAlmostEqual(sag, -low * (math.cosh(0.3 / low) - 1), delta=2e-5)


    def test_a_cable_of_a_thousand_links_in_space(self):
        """rods without mass between knots of one mass, hung between points of different heights across the axes of space: links in a vertical plane; the horizontal force is
        one, the vertical one grows by a knot's weight from link to link. Both from the span and the drop by Newton, and the knots follow. Slack: Newton in the program is
        exact to 1e-9 of the loads, and the lowest part turns by 1e3 times that."""
        count, span, drop, mass = 1000, (0.36, 0.48), -0.1, 2.0
        w, l, width = mass * G / (count - 1), 1 / count, math.hypot(*span)

        def ends(H, V):
            x = z = hh = hv = vv = 0.0
            for k in range(count):
                v = V + k * w
                T = math.hypot(H, v)
                x, z = x + l * H / T, z + l * v / T
                hh, hv, vv = hh + l * v * v / T ** 3, hv - l * H * v / T ** 3, vv + l * H * H / T ** 3
            return x, z, hh, hv, vv
        H, V = 4.0, -mass * G / 2
        for _ in range(100):
            x, z, hh, hv, vv = ends(H, V)
            det = hh * vv - hv * hv
            H, V = H + max(-0.5 * H, (vv * (width - x) - hv * (drop - z)) / det), V + (hh * (drop - z) - hv * (width - x)) / det
        lines = ["roberval: 1", "space: spatial", f"gravity: [0, 0, -{G}]", "bodies:", f"  ground: {{markers: {{E: [{span[0]}, {span[1]}, {drop}]}}}}"]
        end = numpy.array([span[0], span[1], drop])       # a V of the right length, swung 0.3 rad out of the plane
        along = end / numpy.linalg.norm(end)
        down = numpy.array([0, 0, -1.0]) + along[2] * along
        down /= numpy.linalg.norm(down)
        corner = end / 2 + math.sqrt(0.25 - end @ end / 4) * (math.cos(0.3) * down + math.sin(0.3) * numpy.cross(along, down))
        for k in range(1, count):
            s = 2 * k / count
            at = s * corner if s <= 1 else (2 - s) * corner + (s - 1) * end
            lines.append(f"  K{k}: {{particle: true, mass: {mass / (count - 1)}, pose: {{at: {at.tolist()}}}}}")
        lines.append("joints:")
        for k in range(count):
            a, b = "ground" if k == 0 else f"K{k}", "ground.E" if k == count - 1 else f"K{k + 1}"
            lines.append(f"  L{k}: {{type: link, between: [{a}, {b}], length: {l!r}}}")
        result = statics("\n".join(lines) + "\n")
        self.assertEqual(result["equilibrium"]["stability"], "stable")
        self.assertLessEqual(result["equilibrium"]["iterations"], 40, "links turn by 0.3 rad; the number of steps does not grow with that of links")
        self.assertEqual(result["reactions"]["L0"]["verdict"], "unique")    # three times as many columns as rows, nearly straight
        x = z = 0.0
        for k in range(count):
            v = V + k * w
            T = math.hypot(H, v)
            self.assertAlmostEqual(result["reactions"][f"L{k}"]["components"]["F"]["first"], T, delta=1e-6 * T)
            x, z = x + l * H / T, z + l * v / T
            if k < count - 1:
                at = result["equilibrium"]["bodies"][f"K{k + 1}"]["at"]
                for got, expected in zip(at, (x * span[0] / width, x * span[1] / width, z)):
                    self.assertAlmostEqual(got, expected, delta=1e-6)


class Modes(unittest.TestCase):
    """The lowest curvature of a straight chain of thin rods is the least eigenvalue of (K, M) in the rods' angles: x_k = l (theta_1 + ... + theta_k/2),
    K = m g l (N - k + 1/2) on the diagonal. Upside down the signs turn, and it is minus the largest."""

    def curvature(self, count, sign, *options):
        l, m = 1 / count, 1 / count
        lines = ["roberval: 1", "space: planar", f"gravity: [0, {-sign * G}]", "bodies:", "  ground: {}"]
        for k in range(count):
            lines.append(f"  b{k}: {{mass: {m!r}, inertia: {m * l * l / 12!r}, centroid: [0, {-l / 2!r}], pose: {{at: [0, {-k * l!r}]}}, markers: {{e: [0, {-l!r}]}}}}")
        lines.append("joints:")
        for k in range(count):
            lines.append(f"  j{k}: {{type: revolute, between: [{'ground' if k == 0 else f'b{k - 1}.e'}, b{k}]}}")
        found = statics("\n".join(lines) + "\n", *options)["equilibrium"]
        arms = numpy.tril(numpy.full((count, count), l), -1) + l / 2 * numpy.eye(count)
        factor = numpy.linalg.inv(numpy.linalg.cholesky(m * arms.T @ arms + m * l * l / 12 * numpy.eye(count)))
        exact = numpy.linalg.eigvalsh(factor @ numpy.diag(m * G * l * (count - numpy.arange(count) - 0.5)) @ factor.T)
        return found, exact

    def test_hanging(self):
        for count in (20, 200, 600):                # dense; sparse with 600 and 1800 coordinates
            found, exact = self.curvature(count, 1)
            self.assertEqual(found["stability"], "stable")
            self.assertAlmostEqual(found["curvature"], exact[0], delta=1e-8 * exact[0])

    def test_standing(self):
        for count in (20, 200):
            found, exact = self.curvature(count, -1, "--method", "lagrange")
            self.assertEqual(found["stability"], "unstable")
            self.assertAlmostEqual(found["curvature"], -exact[-1], delta=1e-8 * exact[-1])

    def test_a_light_pendulum_stands_among_heavy_ones(self):
        """a chain of 110 balls of 1000 kg hangs, a pendulum of 10 g stands upright beside it; gravity is oblique, so that rows of C are not those of axes. The pendulum has the
        curvature -g/l; Newton's method stays on the saddle, the default leaves it"""
        for angle in (0.3, 0.7, 1.1, 2.0, 2.9):
            for light in (1e-2, 1e-3, 1e-5):
                down = (math.sin(angle), -math.cos(angle))
                masses = [1000.0] * 110 + [light]
                lines = ["roberval: 1", "space: planar", f"gravity: [{G * down[0]!r}, {G * down[1]!r}]", "bodies:", "  ground:", "    markers:"]
                lines.append("      P: [3, 0]")
                for k, mass in enumerate(masses):
                    x, along = (0, 0.5 * (k + 1)) if mass > 1 else (3, -0.5)
                    lines.append(f"  b{k}: {{particle: true, mass: {mass!r}, pose: {{at: [{x + along * down[0]!r}, {along * down[1]!r}]}}}}")
                lines.append("joints:")
                above = ["ground"] + [f"b{k}" for k in range(109)] + ["ground.P"]
                lines += [f"  j{k}: {{type: link, between: [{above[k]}, b{k}], length: 0.5}}" for k in range(111)]
                text = "\n".join(lines) + "\n"
                saddle = statics(text, "--method", "lagrange")["equilibrium"]
                self.assertEqual(saddle["stability"], "unstable", f"{angle} {light}")
                self.assertAlmostEqual(saddle["curvature"], -2 * G, delta=1e-6 * G)
                if light < 1e-2:                    # what it would gain is less than 1e-9 of the energy, and the program says that it stands
                    continue
                rest = statics(text)["equilibrium"]
                self.assertEqual(rest["stability"], "stable", f"{angle} {light}")
                at = rest["bodies"]["b110"]["at"]
                self.assertAlmostEqual(at[0], 3 + 0.5 * down[0], delta=1e-6)
                self.assertAlmostEqual(at[1], 0.5 * down[1], delta=1e-6)


PENDULUM = """roberval: 1
space: planar
gravity: [0, -9.81]
parameters: {start: 1.0, twist: 0, push: 0}
bodies:
  rod: {mass: 2, inertia: 0.16666666666666666, pose: {at: ["0.5*cos(start)", "0.5*sin(start)"], angle: "start"}, markers: {O: [-0.5, 0], T: [0.5, 0]}}
  arm: {mass: 1, inertia: 0.08333333333333333, pose: {at: ["cos(start) + 0.5", "sin(start)"]}, markers: {A: [-0.5, 0]}}
joints:
  O: {type: revolute, between: [ground, rod.O]}
  A: {type: revolute, between: [rod.T, arm.A]}
loads:
  coil: {type: torsion-spring, joint: O, stiffness: 25, free_angle: 90 deg}
  coil2: {type: torsion-spring, joint: A, stiffness: 7, free_angle: -0.5}
  try_O: {type: energy, value: "-twist*O.angle - push*A.angle"}
"""


class Start(unittest.TestCase):
    """A block on a spring, downhill, whose rate alone is driven: s' = 0.3 sin t. At rest s = m g/k = 0.1962 m, then s = 0.1962 + 0.3 (1 - cos t) and the
    push is m s'' + k (s - 0.1962) = 0.6 cos t + 30 (1 - cos t)."""
    BLOCK = """roberval: 1
space: planar
gravity: [9.81, 0]
bodies:
  ground: {}
  block: {mass: 2, inertia: 1, pose: {at: [0.05, 0]}}
joints:
  rail: {type: prismatic, between: [ground, block]}
constraints:
  push: {velocity: "rail.distance' - 0.3*sin(t)"}
loads:
  spring: {type: spring, between: [ground, block], stiffness: 100, free_length: 0}
motion: {from: 0, to: 3, step: 0.5}
"""

    def test_positions_that_rates_leave_open(self):
        result = solve("inverse", self.BLOCK, "--start", "statics")
        push, spring = result["constraints"]["push"], result["loads"]["spring"]
        top = 0.6 * math.cos(3) + 30 * (1 - math.cos(3))
        self.assertAlmostEqual(push["first"], 0.6, delta=1e-9)
        self.assertAlmostEqual(push["max"], top, delta=1e-8 * top)
        self.assertAlmostEqual(spring["max"], 100 * (0.1962 + 0.3 * (1 - math.cos(3))), delta=1e-7)

    def test_initial_says_where_the_search_begins_and_no_more(self):
        result = solve("inverse", self.BLOCK + "initial: {rail.distance: 0.4}\n", "--start", "statics")
        self.assertAlmostEqual(result["constraints"]["push"]["first"], 0.6, delta=1e-9)
        self.assertAlmostEqual(solve("inverse", self.BLOCK + "initial: {rail.distance: 0.4}\n")["constraints"]["push"]["first"], 0.6 + 40 - 19.62, delta=1e-9)

    def test_what_drives_decide_stays(self):
        text = self.BLOCK.replace("constraints:\n  push: {velocity: \"rail.distance' - 0.3*sin(t)\"}", "drives: {push: {coordinate: rail.distance, motion: 0.3 + 0.1*t^2}}")
        one, other = (solve("inverse", text, *options)["drives"]["push"]["max"] for options in ((), ("--start", "statics")))
        self.assertAlmostEqual(one, other, delta=1e-12 * abs(one))

    def test_nowhere_to_rest(self):
        with self.assertRaisesRegex(AssertionError, r"exit 1: (?s:.*)no equilibrium found: nothing holds body 'block'"):
            solve("inverse", self.BLOCK.replace("stiffness: 100", "damping: 100"), "--start", "statics")


class Compliance(unittest.TestCase):
    def test_against_a_second_solve(self):
        """central differences of the equilibrium over a load along each coordinate: step 1e-3 N.m, error 1e-6 times the third derivative"""
        table = statics(PENDULUM)["equilibrium"]["compliance"]
        for load, column in (("twist", "O.angle"), ("push", "A.angle")):
            up, down = (statics(PENDULUM, "--set", f"{load}={value}")["equilibrium"]["coordinates"] for value in (1e-3, -1e-3))
            for row in ("O.angle", "A.angle"):
                self.assertAlmostEqual(table[row][column], (up[row] - down[row]) / 2e-3, delta=1e-7)


class Zigzag(unittest.TestCase):
    """A chain whose links lie level and slope by .1 rad by turns comes to hang straight: V = -m g l n^2 / 2."""

    def test_few_steps(self):
        for n, most in ((100, 40), (1000, 80), (5000, 120)):
            bodies, joints, x, y = {}, {}, 0.0, 0.0
            for k in range(n):
                angle = 0.1 * (k % 2)
                bodies[f"b{k}"] = {"mass": 1, "inertia": 0.1, "centroid": [0.5, 0], "pose": {"at": [x, y], "angle": angle}, "markers": {"P": [0, 0], "Q": [1, 0]}}
                joints[f"j{k}"] = {"type": "revolute", "between": [f"b{k - 1}.Q" if k else "ground", f"b{k}.P"]}
                x, y = x + math.cos(angle), y + math.sin(angle)
            at_rest = statics(json.dumps({"roberval": 1, "space": "planar", "gravity": [0, -G], "bodies": bodies, "joints": joints}))["equilibrium"]
            self.assertEqual(at_rest["stability"], "stable", n)
            self.assertAlmostEqual(at_rest["energy"] / (-G * n * n / 2), 1, 9, n)
            self.assertLess(at_rest["iterations"], most, n)


class Windows(unittest.TestCase):
    """Rows of squares that fall from standing pass a position in which all bars lie in line and all windows may fold."""

    def row(self, n):
        bar = {"mass": 1, "inertia": 1 / 12, "centroid": [0.5, 0], "markers": {"e": [1, 0]}}
        bodies = {"ground": {"markers": {f"g{k}": [k, 0] for k in range(n + 1)}}}
        joints = {}
        for k in range(n + 1):
            bodies[f"v{k}"] = {**bar, "pose": {"at": [k, 0], "angle": "90 deg"}}
            joints[f"A{k}"] = {"type": "revolute", "between": [f"ground.g{k}", f"v{k}"]}
        for k in range(n):
            bodies[f"h{k}"] = {**bar, "pose": {"at": [k, 1]}}
            joints[f"B{k}"] = {"type": "revolute", "between": [f"v{k}.e", f"h{k}"]}
            joints[f"C{k}"] = {"type": "revolute", "between": [f"h{k}.e", f"v{k + 1}.e"]}
        return json.dumps({"roberval": 1, "space": "planar", "gravity": [0, -G], "bodies": bodies, "joints": joints})

    def test_they_come_to_rest(self):
        """Bars hang or, where a window has folded, stand or lie: each is then at a height of halves of a metre."""
        for n in (1, 8, 28, 30, 45, 47, 60, 80):
            at_rest = statics(self.row(n))["equilibrium"]
            self.assertEqual(at_rest["stability"], "stable", n)
            above = at_rest["energy"] / G + n + (n + 1) / 2
            self.assertGreaterEqual(above, -1e-8 * n, n)
            self.assertLessEqual(abs(above - round(2 * above) / 2), 1e-8 * n, n)


class Inflection(unittest.TestCase):
    """V = c (x - x0)^n: what the lowest power says"""
    def kind(self, power, factor, place, start, method, mass=1.0):
        model = f'''{{"roberval": 1, "space": "planar", "bodies": {{"p": {{"particle": true, "mass": {mass!r}, "pose": {{"at": [0, {start!r}]}}}}}},
                    "joints": {{"l": {{"type": "x", "between": ["ground", "p"]}}}},
                    "loads": {{"w": {{"type": "energy", "value": "{factor!r}*((y(p) - {place!r}[m])/1[m])^{power}"}}}}}}'''
        return statics(model, "--method", method)

    def test_the_lowest_power_decides(self):
        """odd powers are neither stable nor unstable, however small or large; even ones are what their sign says, found with either method"""
        for power, sign, method, wanted in ((3, 1, "energy", "neutral"), (3, 1, "lagrange", "neutral"), (3, -1, "lagrange", "neutral"), (5, 1, "lagrange", "neutral"),
                                            (2, 1, "energy", "stable"), (2, -1, "lagrange", "unstable"), (4, 1, "energy", "stable"), (4, 1, "lagrange", "stable"), (4, -1, "lagrange", "unstable")):
            for factor, place, mass in ((1.0, -1.0, 1.0), (1e3, 0.3, 0.1), (2e-4, 0.2, 30.0)):
                with self.subTest(power=power, sign=sign, method=method, factor=factor):
                    result = self.kind(power, sign * factor, place, 0.5, method, mass)
                    self.assertEqual(result["equilibrium"]["stability"], wanted)
                    self.assertEqual(any("inflection" in note for note in map(str, result["notes"])), power % 2 == 1)
                    if wanted == "neutral":
                        self.assertEqual(result["equilibrium"]["curvature"], 0)
                    if power == 2:
                        self.assertAlmostEqual(result["equilibrium"]["curvature"] * mass / (2 * sign * factor), 1, delta=1e-9)


class All(unittest.TestCase):
    TEXT = PENDULUM.replace("stiffness: 25", "stiffness: 5").split("  arm:", maxsplit=1)[0] + """joints:
  O: {type: revolute, between: [ground, rod.O]}
loads:
  coil: {type: torsion-spring, joint: O, stiffness: 5, free_angle: 90 deg}
"""

    def test_every_root_is_found(self):
        """m g l cos a + k (a - pi/2) = 0 has three roots; at each the curvature is (k - m g l sin a) / (J + m l^2)"""
        found = statics(self.TEXT, "--all")["equilibria"]

        def torque(a):
            return 2 * G * 0.5 * math.cos(a) + 5 * (a - math.pi / 2)
        roots = []
        grid = [-4 + 0.001 * k for k in range(12000)]
        for a, b in zip(grid, grid[1:]):
            if torque(a) * torque(b) <= 0:
                for _ in range(100):
                    m = (a + b) / 2
                    a, b = (a, m) if torque(a) * torque(m) <= 0 else (m, b)
                roots.append(a)
        self.assertEqual(len(found), len(roots))
        for root in roots:
            near = min(found, key=lambda e, r=root: abs(e["coordinates"]["O.angle"] - r))
            self.assertAlmostEqual(near["coordinates"]["O.angle"], root, delta=1e-9)
            curvature = (5 - 2 * G * 0.5 * math.sin(root)) / (1 / 6 + 0.5)
            self.assertAlmostEqual(near["curvature"], curvature, delta=1e-7 * abs(curvature))
            self.assertEqual(near["stability"], "stable" if curvature > 0 else "unstable")
        energies = [e["energy"] for e in found]
        self.assertEqual(energies, sorted(energies))


if __name__ == "__main__":
    sys.exit(unittest.main())
