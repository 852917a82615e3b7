"""Machines that move from forces: their start for the programs (neutral description of mechanism.h, model for Roberval), a point that is followed, and where it must be.

The references share nothing with any program: A01 and A02 are closed forms in elliptic functions; A03 and A04 were computed from equations reduced to one degree of freedom by
methods of order 8 and 16 with tolerance 1e-13 (the digits below are right to 1e-9 of the size; test/motion_reference_test.py has them, too).
"""
import json
import math

import files
from jets import jet
from mechanisms import EYE, Body, Joint, Mechanism

import numpy as np

# beta of the squeezer's crank at 0.01 s, 0.02 s, ...; P3 of Bricard's mechanism of square bars.
SQUEEZER = {0.01: 2.1601131315311175, 0.02: 8.184905889662305, 0.03: 15.810771195156018, 0.04: 24.375304972016185, 0.05: 33.82586776696113}
BRICARD = {
    0.5: (0.774717808039245, -0.9798150476556712, -0.19990615895343822), 1.0: (0.2744813192646052, -0.8867079387346571, -0.4623300026873537),
    1.5: (-0.27901757542109984, -0.8873613788327546, -0.46107459630306863), 2.0: (-0.7781353730333008, -0.9803526834432585, -0.19725267061716914),
    3.0: (-0.7712813589686139, -0.9792693298398014, -0.20256253265377364), 4.0: (0.2835510790817645, -0.8880228141230506, -0.4597993927757854),
    6.0: (0.265400787358638, -0.8854255620147364, -0.4647812110347094), 10.0: (0.9997309873038424, -0.9999999638258172, -0.0002689765122451167)}


def amplitude(u, m):
    """am(u | m), and the quarter period K(m), by the arithmetic-geometric mean (Abramowitz and Stegun 16.4, 17.6)."""
    a, b, c = [1.0], math.sqrt(1 - m), [math.sqrt(m)]
    while abs(c[-1]) > 1e-15:  # quadratic: what is left is below rounding
        a.append((a[-1] + b) / 2)
        c.append((a[-2] - b) / 2)
        b = math.sqrt(a[-2] * b)
    phi = 2 ** (len(a) - 1) * a[-1] * u
    for k in range(len(a) - 1, 0, -1):
        phi = (phi + math.asin(c[k] / a[k] * math.sin(phi))) / 2
    return phi, math.pi / (2 * a[-1])


class Machine(Mechanism):
    """A mechanism at its start: frames as {body: (x, y, angle)}, rates of the joints of the tree, a tracked point."""

    def __init__(self, name, title, gravity, bodies, joints, frames, track, step, count, size, rates=None, springs=(), torques=(), planar=True):
        super().__init__(name, title, gravity, bodies, joints, [], samples=1, step=step)
        self.places, self.rates, self.track, self.size, self.planar = frames, rates or {}, track, size, planar
        self.springs, self.torques, self.reported = springs, torques, list(range(1, count + 1))

    def frames(self, t):
        frames = {"ground": (jet(EYE), jet(np.zeros(3)))}
        for body, (x, y, angle) in self.places.items():
            c, s = math.cos(angle), math.sin(angle)
            frames[body] = (jet(np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])), jet(np.array([x, y, 0.0])))
        return frames

    def coordinates(self, t):
        angle = {"ground": 0.0, **{body: place[2] for body, place in self.places.items()}}
        return [[angle[j.second] - angle[j.first], self.rates.get(j.name, 0.0), 0.0] for j in self.joints if not j.cut]

    def neutral(self):
        index = {"ground": -1, **{b.name: k for k, b in enumerate(self.bodies)}}

        def numbers(values):
            return " ".join(repr(float(x)) for x in values)

        lines = [f"spring {index[a]} {index[b]} {numbers([*p, *q, k, length])}" for a, b, p, q, k, length in self.springs]
        lines += [f"torque {index[body]} {value!r}" for body, value in self.torques]
        lines.append(f"track {index[self.track[0]]} {numbers(self.track[1])}")
        return files.neutral(self) + "\n".join(lines) + "\n"

    def model(self):
        text = json.loads(files.model(self)) if not self.planar else self.planar_model()
        del text["drives"]
        body, place = self.track
        text["bodies"][body].setdefault("markers", {})["followed"] = list(place) if not self.planar else list(place[:2])
        text["motion"] = {"from": 0, "to": self.step * len(self.reported), "step": self.step}
        text["output"] = {f"p{c}": f"{c}({body}.followed)" for c in ("xy" if self.planar else "xyz")}
        return json.dumps(text) + "\n"

    def planar_model(self):
        markers = {name: {} for name in ["ground", *self.places]}

        def marker(body, name, place):
            markers[body][name] = [float(x) for x in place[:2]]
            return f"{body}.{name}"

        joints = {j.name: {"type": "revolute", "between": [marker(j.first, f"{j.name}_1", j.p1), marker(j.second, f"{j.name}_2", j.p2)]} for j in self.joints}
        loads = {f"spring{k}": {"type": "spring", "between": [marker(a, f"s{k}_1", p), marker(b, f"s{k}_2", q)], "stiffness": stiffness, "free_length": length}
                 for k, (a, b, p, q, stiffness, length) in enumerate(self.springs)}
        loads.update({f"torque{k}": {"type": "torque", "to": body, "value": value} for k, (body, value) in enumerate(self.torques)})
        bodies = {"ground": {"markers": markers["ground"]}}
        for b in self.bodies:
            x, y, angle = self.places[b.name]
            bodies[b.name] = {"mass": b.mass, "centroid": [float(c) for c in b.centroid[:2]], "inertia": b.six[2], "pose": {"at": [x, y], "angle": angle},
                              "markers": markers[b.name]}
        text = {"roberval": 1, "title": self.title, "space": "planar", "gravity": [float(g) for g in self.gravity[:2]], "bodies": bodies, "joints": joints, "loads": loads, "drives": {}}
        driven = sorted(self.rates)[:1]  # one degree of freedom: one rate decides the others
        if driven:
            angle = self.coordinates(0)[[j.name for j in self.joints if not j.cut].index(driven[0])][0]
            text["initial"] = {f"{driven[0]}.angle": angle, f"{driven[0]}.angle'": self.rates[driven[0]]}
        return text


def pendulum():
    """IFToMM A01: a point on a massless rod, 10 s."""
    machine = Machine("a01", "A01 pendulum", [0, -9.81, 0], [Body("bob", 1.0, [1, 0, 0], [1e-12] * 3)], [Joint("pivot", "revolute", "ground", "bob")],
                      {"bob": (0.0, 0.0, math.pi)}, ("bob", (1, 0, 0)), 0.5, 20, 1.0)

    def reference(t):
        phi, quarter = amplitude(0, 0.5)
        phi = -2 * math.asin(math.sqrt(0.5) * math.sin(amplitude(quarter - math.sqrt(9.81) * t, 0.5)[0]))
        return math.sin(phi), -math.cos(phi), 0.0

    def model():  # in the coordinates of the definition: a point and its distance
        return json.dumps({"roberval": 1, "title": machine.title, "space": "planar", "gravity": [0, -9.81], "bodies": {"bob": {"particle": True, "mass": 1, "pose": {"at": [-1, 0]}}},
                           "joints": {"rod": {"type": "link", "between": ["ground", "bob"], "length": 1}}, "motion": {"from": 0, "to": 10, "step": 0.5},
                           "output": {"px": "x(bob)", "py": "y(bob)"}}) + "\n"

    machine.reference, machine.model = reference, model
    return machine


def windows(n, step, count):
    """IFToMM A02: n four-bar windows, which pass through positions in which all links lie in line, and the rank of the constraints drops by n."""
    inertia = [1e-3, 1 / 12, 1 / 12]
    bodies = [Body(f"c{k}", 1.0, [0, 0, 0], inertia) for k in range(n + 1)] + [Body(f"b{k}", 1.0, [0, 0, 0], inertia) for k in range(1, n + 1)]
    frames = {f"c{k}": (float(k), 0.5, math.pi / 2) for k in range(n + 1)}
    frames.update({f"b{k}": (k - 0.5, 1.0, 0.0) for k in range(1, n + 1)})
    rates = {f"O{k}": -1.0 for k in range(n + 1)}
    rates.update({f"L{k}": 1.0 for k in range(1, n + 1)})
    joints = [Joint(f"O{k}", "revolute", "ground", f"c{k}", [k, 0, 0], [-0.5, 0, 0]) for k in range(n + 1)]
    joints += [Joint(f"L{k}", "revolute", f"c{k - 1}", f"b{k}", [0.5, 0, 0], [-0.5, 0, 0]) for k in range(1, n + 1)]
    joints += [Joint(f"R{k}", "pin", f"c{k}", f"b{k}", [0.5, 0, 0], [0.5, 0, 0], cut=True) for k in range(1, n + 1)]
    machine = Machine(f"a02_{n}", f"A02, {n} loop{'s' * (n > 1)}", [0, -9.81, 0], bodies, joints, frames, ("c0", (0.5, 0, 0)), step, count, 1.0, rates=rates)

    def reference(t):
        w2 = 9.81 * ((n + 1) / 2 + n) / ((n + 1) / 3 + n)
        energy = 0.5 + w2
        m, a = 2 * w2 / (energy + w2), math.sqrt((energy + w2) / 2)
        theta = math.pi + 2 * amplitude(a * t - amplitude(0, m)[1], m)[0]
        return math.sin(theta), math.cos(theta), 0.0

    machine.reference = reference
    return machine


def squeezer():
    """IFToMM A03, Andrews' squeezer: three loops, a motor, a spring, 0.05 s."""
    be, ga, ph, de, om, ep = -0.0617138900142764496, 0.455279819163070380, 0.222668390165885885, 0.487364979543842551, -0.222668390165885885, 1.23054744454982119
    A, B = (-0.06934, -0.00227), (-0.03635, 0.03273)
    F = (0.007 * math.cos(be), 0.007 * math.sin(be))
    G = (A[0] + 0.04 * math.cos(de), A[1] + 0.04 * math.sin(de))
    H = (A[0] + 0.04 * math.sin(ep), A[1] - 0.04 * math.cos(ep))

    def body(name, mass, inertia, centroid):
        return Body(name, mass, [*centroid, 0], [inertia / 2, inertia / 2 + 1e-9, inertia])

    bodies = [body("k1", 0.04325, 2.194e-6, [0.00092, 0]), body("k2", 0.00365, 4.410e-7, [-0.0115, 0]), body("k3", 0.02373, 5.255e-6, [0.01043, -0.01874]),
              body("k4", 0.00706, 5.667e-7, [0, -0.00579]), body("k5", 0.0705, 1.169e-5, [0.02308, 0.00916]), body("k6", 0.00706, 5.667e-7, [0.00579, 0]),
              body("k7", 0.05498, 1.912e-5, [0.00449, -0.01228])]
    joints = [Joint("O", "revolute", "ground", "k1"), Joint("F", "revolute", "k1", "k2", [0.007, 0, 0]), Joint("B", "revolute", "ground", "k3", [*B, 0]),
              Joint("AG", "revolute", "ground", "k5", [*A, 0]), Joint("AH", "revolute", "ground", "k7", [*A, 0]), Joint("G", "revolute", "k5", "k4", [0.04, 0, 0]),
              Joint("H", "revolute", "k7", "k6", [0, -0.04, 0])]
    joints += [Joint(name, "pin", "k2", other, [-0.028, 0, 0], place, cut=True) for name, other, place in
               (("E3", "k3", [0, -0.035, 0]), ("E4", "k4", [0, -0.02, 0]), ("E6", "k6", [0.02, 0, 0]))]
    frames = {"k1": (0.0, 0.0, be), "k2": (*F, be), "k3": (*B, ga), "k4": (*G, ph + de), "k5": (*A, de), "k6": (*H, om + ep), "k7": (*A, ep)}
    machine = Machine("a03", "A03 squeezer", [0, 0, 0], bodies, joints, frames, ("k1", (0.007, 0, 0)), 0.01, 5, 0.007,
                      springs=[("k3", "ground", (0.02, -0.018, 0), (0.014, 0.072, 0), 4530.0, 0.07785)], torques=[("k1", 0.033)])

    def reference(t):
        beta = SQUEEZER[round(t, 2)]
        return 0.007 * math.cos(beta), 0.007 * math.sin(beta), 0.0

    machine.reference = reference
    return machine


def bricard():
    """IFToMM A04: five square bars in a loop of six revolutes, one row redundant, 10 s."""
    points = np.array([[0, 0, 0], [1, 0, 0], [1, -1, 0], [1, -1, 1], [0, -1, 1], [0, 0, 1]], float)
    markers = {"x": np.array([[0, 0, 1], [1, 0, 0], [0, 1, 0]], float), "y": np.array([[0, 1, 0], [0, 0, 1], [1, 0, 0]], float), "z": EYE}
    bodies = []
    for k in range(5):
        along = np.abs(points[k + 1] - points[k])
        bodies.append(Body(f"rod{k + 1}", 1.0, (points[k] + points[k + 1]) / 2, 1.01 / 12 * (1 - along) + 0.02 / 12 * along))
    names = ["ground", *(b.name for b in bodies), "ground"]
    joints = [Joint(f"R{k + 1}", "revolute", names[k], names[k + 1], points[k], points[k], markers[axis], markers[axis]) for k, axis in enumerate("yzxyzx")]
    last = joints[5]
    last.first, last.second, last.cut = "ground", "rod5", True
    machine = Machine("a04", "A04 Bricard", [0, -9.81, 0], bodies, joints, {b.name: (0.0, 0.0, 0.0) for b in bodies}, ("rod2", (1, -1, 0)), 0.5, 20, 1.0, planar=False)
    machine.reference = lambda t: BRICARD.get(round(t, 1))
    return machine


def all_machines():
    return [pendulum(), windows(1, 0.5, 20), windows(10, 0.5, 20), windows(40, 0.5, 20), windows(400, 0.1, 10), squeezer(), bricard()]
