"""Inverse dynamics of mechanisms of a textbook (Garcia de Jalon and Bayo, chapter 6), with numbers of a program of their own in natural coordinates, by Newton's equilibrium and by virtual
power: twelve digits. Each is one state, at t = 0: a model, flags and what columns of series.csv are there."""
import math

import numpy as np

import space_laws

GROUND = ("--frame", "ground")


def turns(angle, rate, second):
    return f"{angle!r} + {rate!r}*t + {second / 2!r}*t^2"


def motion():
    return {"from": 0, "to": 1e-3, "step": 1e-3}


def bar(at, angle, mass, inertia, centroid, **markers):
    return {"pose": {"at": list(at), "angle": angle}, "mass": mass, "inertia": inertia, "centroid": list(centroid), "markers": markers}


def four_bar(**motor):
    """Crank 2, coupler 3, rocker 4 at 0.9 rad, 6 rad/s, -12 rad/s^2."""
    bodies = {"ground": {"markers": {"B": [3, 0], "D": [1.5, 3]}},
              "b2": bar([0, 0], 0.9, 2, 0.2, [0.45, 0.05], P1=[1, 0]),
              "b3": bar([0.621609968271, 0.783326909627], 0.443824750018, 3, 1.7, [1.2, 0.2], P2=[2.6, 0], E=[2, 0.5], P3=[1.3, 0.8]),
              "b4": bar([3, 0], 1.58673836738, 2.5, 0.8, [0.9, -0.1], P2=[1.9, 0], P=[1.1, -0.6])}
    joints = {"A": {"type": "revolute", "between": ["ground", "b2"]}, "J1": {"type": "revolute", "between": ["b2.P1", "b3"]},
              "J2": {"type": "revolute", "between": ["b3.P2", "b4.P2"]}, "B": {"type": "revolute", "between": ["ground.B", "b4"]}}
    drives = motor or {"motor": {"coordinate": "A.angle", "motion": turns(0.9, 6.0, -12.0)}}
    return {"roberval": 1, "space": "planar", "gravity": [0, -9.81], "bodies": bodies, "joints": joints, "drives": drives, "motion": motion()}


def d1():
    m = four_bar()
    m["loads"] = {"push": {"type": "force", "to": "b3.E", "value": [10, -20]}, "twist": {"type": "torque", "to": "b4", "value": 5},
                  "strut": {"type": "spring", "between": ["ground.D", "b3.P3"], "stiffness": 300, "free_length": 1.1, "damping": 15}}
    return m, {"motor.effort": 74.2997166629, "A.Fx": -115.38367051, "A.Fy": -25.2363721852, "J1.Fx": -107.269346999, "J1.Fy": -11.4653890617, "J2.Fx": -24.9904915378,
               "J2.Fy": -73.8648067376, "B.Fx": -17.1147527114, "B.Fy": 97.073795636}


def d1_actuator():
    """The same by a ram between ground and the crank: from A to point 2 of the coupler, pushing apart."""
    m, _ = d1()
    m["drives"] = {"ram": {"coordinate": "distance(ground, b3.P2)", "motion": turns(3.52537493543, -2.47176569679, -31.5170779715)}}
    return m, {"ram.effort": -180.35621279}


def d2():
    """Five bars, two motors, three springs, one of them not linear: loads that follow lengths and angles."""
    P1, P2, P3 = [-0.416146836547, 0.909297426826], [1.03000545062, 1.59387288821], [2.32612197903, 0.838835177371]

    def turn(a, b):
        return math.atan2(b[1] - a[1], b[0] - a[0])
    m = {"roberval": 1, "space": "planar", "gravity": [0, -9.81],
         "bodies": {"ground": {"markers": {"B": [2, 0]}}, "two": bar([0, 0], 2.0, 1.5, .15, [.5, 0], P=[1, 0]), "three": bar(P1, turn(P1, P2), 2.0, .45, [.7, .1], Q=[1.6, 0]),
                    "four": bar(P3, turn(P3, P2), 1.8, .4, [.6, -.1], Q=[1.5, 0]), "five": bar([2, 0], 1.2, 1.2, .1, [.4, 0], R=[.9, 0])},
         "joints": {"A": {"type": "revolute", "between": ["ground", "two"]}, "P": {"type": "revolute", "between": ["two.P", "three"]}, "Q": {"type": "revolute", "between": ["three.Q", "four.Q"]},
                    "R": {"type": "revolute", "between": ["four", "five.R"]}, "B": {"type": "revolute", "between": ["ground.B", "five"]}},
         "drives": {"M2": {"coordinate": "A.angle", "motion": turns(2.0, 3.0, 5.0)}, "M5": {"coordinate": "B.angle", "motion": turns(1.2, -2.0, 4.0)}},
         "loads": {"s13": {"type": "spring", "between": ["two.P", "five.R"], "free_length": 1.9, "force": "300[N/m]*(1 + 0.4[1/m^2]*(l - 1.9[m])^2)*(l - 1.9[m])"},
                   "s2": {"type": "torsion-spring", "joint": "A", "stiffness": 60, "free_angle": 2.0}, "s5": {"type": "torsion-spring", "joint": "B", "stiffness": 50, "free_angle": 1.2}},
         "motion": motion()}
    return m, {"M2.effort": 320.449035181, "M5.effort": -286.002782522}


def d3():
    """A coupler slides through a sleeve that turns about a fixed point."""
    x1, y1, x2, y2, x3, y3 = 0.36287689714, 0.712965888049, 3.24619507049, -0.115572772012, 2.22397205997, 0.85699882618
    m = {"roberval": 1, "space": "planar", "gravity": [0, -9.81],
         "bodies": {"ground": {"markers": {"B": [1.8, 0.3]}}, "b2": bar([0, 0], 1.1, 1, 0.06, [0.4, 0], P1=[0.8, 0]),
                    "b3": bar([x1, y1], math.atan2(y2 - y1, x2 - x1), 2.2, 1.5, [1.4, 0.05]),
                    "b4": bar([1.8, 0.3], math.atan2(y3 - 0.3, x3 - 1.8), 0.9, 0.05, [0.2, 0.1], slide={"at": [0, 0], "angle": -1.2})},
         "joints": {"A": {"type": "revolute", "between": ["ground", "b2"]}, "J1": {"type": "revolute", "between": ["b2.P1", "b3"]},
                    "S": {"type": "prismatic", "between": ["b3", "b4.slide"]}, "B": {"type": "revolute", "between": ["ground.B", "b4"]}},
         "drives": {"motor": {"coordinate": "A.angle", "motion": turns(1.1, 4.0, -7.0)}}, "motion": motion()}
    angle = math.atan2(y2 - y1, x2 - x1)
    N = -34.3578747707
    return m, {"motor.effort": -0.608464180985, "S.Fx": -N * math.sin(angle), "S.Fy": N * math.cos(angle), "S.Tz": 1.39511538931, "A.Fx": -4.12177869405, "A.Fy": -6.79911183903,
               "J1.Fx": -3.7141441251, "J1.Fy": -9.63531559465, "B.Fx": 7.34271302888, "B.Fy": 42.2227752946}


def d4():
    """Two wheels on fixed centres; the contact force stands 20 degrees off the common tangent."""
    m = {"roberval": 1, "space": "planar", "gravity": [0, -9.81],
         "bodies": {"ground": {"markers": {"J": [0.859802840213, 0.265968185995]}}, "w1": bar([0, 0], 0.3 + 0.8, 4, 0.3, [0.02, 0.01]),
                    "w2": bar([0.859802840213, 0.265968185995], 0.3 + math.pi + 1.9, 7, 1.1, [0, 0])},
         "joints": {"A": {"type": "revolute", "between": ["ground", "w1"]}, "B": {"type": "revolute", "between": ["ground.J", "w2"]},
                    "mesh": {"type": "gear", "between": ["w1", "w2"], "radii": [0.35, 0.55], "pressure_angle": "20 deg"}},
         "loads": {"brake": {"type": "torque", "to": "w2", "value": -12}},
         "drives": {"motor": {"coordinate": "A.angle", "motion": turns(0.3 + 0.8, 5.0, 9.0)}}, "motion": motion()}
    return m, {"motor.effort": -0.903000259266, "mesh.Fx": 6.66624588863, "mesh.Fy": -8.78604145923, "mesh.Tz": 5.7}


def d6():
    """A dyad of two bars behind the four-bar."""
    m = four_bar()
    xP, yP, x3, y3 = 3.58238825517, 1.10942504039, 5.17038589921, 0.913814502571
    m["bodies"]["ground"]["markers"]["C"] = [4.5, -0.2]
    m["bodies"]["b5"] = bar([xP, yP], math.atan2(y3 - yP, x3 - xP), 1.4, 0.35, [0.7, 0.1], P3=[1.6, 0])
    m["bodies"]["b6"] = bar([4.5, -0.2], math.atan2(y3 + 0.2, x3 - 4.5), 1.1, 0.18, [0.6, 0], P3=[1.3, 0])
    m["joints"].update({"P": {"type": "revolute", "between": ["b4.P", "b5"]}, "J3": {"type": "revolute", "between": ["b5.P3", "b6.P3"]}, "C": {"type": "revolute", "between": ["ground.C", "b6"]}})
    return m, {"motor.effort": 52.4821550481, "J1.Fx": -138.090019121, "J1.Fy": -85.4027867984}


def about(axis, angle):
    return {"axis": axis, "angle": angle}


def p1():
    """The four-bar D1 in space with four parallel hinges, three rows too many: reactions of least norm with a length of 1 m."""
    plane, _ = d1()
    tensors = {"b2": [0.03, 0.18, 0.2], "b3": [0.1, 1.65, 1.7], "b4": [0.05, 0.77, 0.8]}

    def space(at):
        return [*at, 0]
    bodies = {"ground": {"markers": {"B": [3, 0, 0], "D": [1.5, 3, 0]}}}
    for name, body in plane["bodies"].items():
        if name != "ground":
            bodies[name] = {"pose": {"at": space(body["pose"]["at"]), "rotate": about([0, 0, 1], body["pose"]["angle"])}, "mass": body["mass"], "inertia": tensors[name] + [0, 0, 0],
                            "centroid": space(body["centroid"]), "markers": {k: space(v) for k, v in body["markers"].items()}}
    bodies["b3"]["markers"]["E"] = [2, 0.5, 0.4]
    bodies["b4"]["markers"]["E"] = [0.6, 0, 0.2]
    loads = {"push": {"type": "force", "to": "b3.E", "value": [10, -20, 15]}, "across": {"type": "force", "to": "b4.E", "value": [0, 0, -8]}, "twist": {"type": "torque", "to": "b4", "value": [0, 0, 5]},
             "strut": plane["loads"]["strut"]}
    m = {**plane, "space": "spatial", "gravity": [0, 0, 0], "bodies": bodies, "loads": loads}
    m["gravity"] = [0, -9.81, 0]
    want = {"motor.effort": 74.2997166629}
    reactions = {"A": ([-115.38367051, -25.2363721852, -5.32858063231], [-14.9529056331, 1.01188458256, 0.0]), "J1": ([-107.269346999, -11.4653890617, -5.32858063231], [-10.7788850337, -2.30041425521, 0.0]),
                 "J2": ([-24.9904915378, -73.8648067376, 9.67141936769], [6.07890947715, 0.536057265258, 0.0]), "B": ([-17.1147527114, 97.073795636, -1.67141936769], [-19.6528811897, -0.752472407391, 0.0])}
    for joint, (F, T) in reactions.items():
        want.update(zip((f"{joint}.{c}" for c in ("Fx", "Fy", "Fz", "Tx", "Ty", "Tz")), F + T))
    return m, want


def axes(z, x):
    """rotate: of a frame with this z, whose x is nearest to that."""
    return {"quaternion": list(space_laws.quaternion(space_laws.frame(np.array(z, float), x=np.array(x, float))))}


def p3():
    """A rod between two balls, its spin idle, from a crank to a rocker about a tilted axis."""
    r1, r2 = (0.382421093642, 0.322108843619, 0.0), (1.23735796358, 1.29878771005, 0.0719815273131)
    d = [b - a for a, b in zip(r1, r2)]
    L = 1.3
    x4 = [(b - a) / 0.9 for a, b in zip((1.2, 0.4, 0.1), r2)]
    rod = 1.5 * L * L / 12
    m = {"roberval": 1, "space": "spatial", "gravity": [0, 0, -9.81],
         "bodies": {"ground": {"markers": {"B": {"at": [1.2, 0.4, 0.1], "rotate": axes([0.6, 0, 0.8], [0.8, 0, -0.6])}}},
                    "crank": {"pose": {"at": [0, 0, 0], "rotate": about([0, 0, 1], 0.7)}, "mass": 2, "centroid": [0.2, 0.03, 0.05], "inertia": [0.02, 0.05, 0.06, 0.001, 0.002, 0], "markers": {"P1": [0.5, 0, 0]}},
                    "rod": {"pose": {"at": list(r1), "rotate": axes(np.cross(d, np.cross([0, 0, 1], d)), d)}, "mass": 1.5, "centroid": [L / 2, 0, 0], "inertia": [0, rod, rod, 0, 0, 0],
                            "markers": {"P2": [L, 0, 0], "E": [0.3 * L, 0, 0]}},
                    "rocker": {"pose": {"at": [1.2, 0.4, 0.1], "rotate": axes([0.6, 0, 0.8], x4)}, "mass": 3, "centroid": [0.4, -0.05, 0.02], "inertia": [0.05, 0.25, 0.27, 0, -0.004, 0.003],
                               "markers": {"P2": [0.9, 0, 0]}}},
         "joints": {"A": {"type": "revolute", "between": ["ground", "crank"]}, "J1": {"type": "spherical", "between": ["crank.P1", "rod"]}, "J2": {"type": "spherical", "between": ["rod.P2", "rocker.P2"]},
                    "B": {"type": "revolute", "between": ["ground.B", "rocker"]}},
         "loads": {"push": {"type": "force", "to": "rod.E", "value": [4, -3, 6]}}, "drives": {"motor": {"coordinate": "A.angle", "motion": turns(0.7, 5.0, -8.0)}}, "motion": motion()}
    want = {"motor.effort": -10.013107179}
    for joint, F in {"A": [-127.937779476, -137.122659427, 20.0537437421, 3.55974618512, -2.97266606668, 0.0], "J1": [-123.684304983, -127.394948764, 0.433743742068],
                     "J2": [-88.6967620343, -123.154706778, -27.5936066364], "B": [43.1137967629, 132.252007619, 91.2108305899, 61.3477786678, -6.85885719331, -46.0108340009]}.items():
        want.update(zip((f"{joint}.{c}" for c in ("Fx", "Fy", "Fz", "Tx", "Ty", "Tz")), F))
    return m, want


def problems():
    """(name, model, flags, columns)"""
    for make in (d1, d1_actuator, d2, d3, d4, d6, p1, p3):
        model, want = make()
        yield make.__name__, model, GROUND + (("--norm-length", "1") if make is p1 else ()), want
