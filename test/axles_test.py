#!/usr/bin/python3
"""Wheels that share an axle: rows on rates that repeat each other in all positions, in motions from forces.

Held against: the equations of a unicycle with wheels (worked out below), integrated here by Runge and Kutta's method of order 4; a straight line with the mass of turning wheels; the same machine with one edge instead of several.

The unicycle: wheels of mass m, radius r, moments I about the axle and J across it, at y_k along the axle; a chassis of mass M, moment K about its centroid, which lies d ahead of the axle; speed v of the axle's middle, yaw rate w.
Wheel k turns at (v - y_k w)/r and is driven by the torque T_k. With a = m + I/r^2:
    (M + n a) v' - (sum a y_k) w' = M d w^2 + sum T_k/r
    -(sum a y_k) v' + (K + M d^2 + sum (a y_k^2 + J)) w' = -M d v w - sum y_k T_k/r
(what wheels add of second order, m y_k w^2 along the axle, has no power and no moment about its middle, but for sum m y_k, which is 0 here.)
"""
import math
import os
import sys
import unittest

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "py"))
import cli  # noqa: E402

COORDINATES = ("absolute", "natural", "joint")
RADIUS, AHEAD, START, TURN = 0.1, 0.05, (0.3, 0.2), 0.7
CHASSIS, INERTIA = 3.0, (0.1, 0.2, 0.15)
WHEEL, SPIN, ACROSS = 0.5, 0.01, 0.02


def cart(axles, ys, torques, to, upright):
    """wheels at (x, y) of a chassis; `upright`: a point of it is held at its height, else its wheels do that"""
    c, s = math.cos(TURN), math.sin(TURN)
    chassis = {"mass": CHASSIS, "inertia": INERTIA, "centroid": [AHEAD, 0, 0.02], "pose": {"at": [*START, RADIUS], "rotate": {"axis": [0, 0, 1], "angle": TURN}}, "markers": {"foot": [0.4, 0, -0.05]}}
    m = {"roberval": 1, "space": "spatial", "gravity": [0, 0, -9.81], "bodies": {"chassis": chassis}, "joints": {}, "loads": {}, "motion": {"from": 0, "to": to, "step": 0.1}}
    for k, (x, y) in enumerate((x, y) for x in axles for y in ys):
        chassis["markers"][f"seat{k}"] = {"at": [x, y, 0], "axis": [0, 1, 0]}
        m["bodies"][f"w{k}"] = {"mass": WHEEL, "inertia": [ACROSS, SPIN, ACROSS], "pose": {"at": [START[0] + c * x - s * y, START[1] + s * x + c * y, RADIUS], "rotate": chassis["pose"]["rotate"]},
                                "markers": {"H": {"at": [0, 0, 0], "axis": [0, 1, 0]}}}
        m["joints"][f"hub{k}"] = {"type": "revolute", "between": [f"chassis.seat{k}", f"w{k}.H"]}
        m["joints"][f"roll{k}"] = {"type": "wheel", "between": ["ground", f"w{k}.H"], "radius": RADIUS}
        m["loads"][f"motor{k}"] = {"type": "torque", "to": f"w{k}", "frame": "body", "value": [0, torques[k % len(torques)], 0]}
    if upright:
        m["constraints"] = {"level": {"equation": "z(chassis.foot) - 0.05[m]"}}
    return m


def unicycle(ys, torques, to):
    """x, y of the axle's middle every 0.1 s; steps of 1e-4 s are exact to 1e-12"""
    a = WHEEL + SPIN / RADIUS**2
    A = np.array([[CHASSIS + len(ys) * a, -a * sum(ys)], [-a * sum(ys), INERTIA[2] + CHASSIS * AHEAD**2 + sum(a * y * y + ACROSS for y in ys)]])
    F = np.array([sum(torques), -sum(y * t for y, t in zip(ys, torques))]) / RADIUS

    def f(z):
        _, _, p, v, w = z
        return np.array([v * math.cos(p), v * math.sin(p), w, *np.linalg.solve(A, F + CHASSIS * AHEAD * w * np.array([w, -v]))])
    z, h, out = np.array([*START, TURN, 0, 0]), 1e-3, [START]
    for k in range(round(to / h)):
        k1 = f(z)
        k2 = f(z + h / 2 * k1)
        k3 = f(z + h / 2 * k2)
        k4 = f(z + h * k3)
        z = z + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        if (k + 1) % 100 == 0:
            out.append(z[:2])
    return np.array(out)


class Axles(cli.Case):
    @cli.long
    def test_wheels_of_one_axle_are_a_unicycle(self):
        """errors of steps, each 1e-9 of the size (some 1 m) and some 100 of them, where turns are counted 1 rad a step; natural coordinates carry vectors, whose lengths share that"""
        for ys in ((0.25, -0.25), (0.25, 0.0, -0.25)) + (((0.25, 0.1, -0.1, -0.25),) if cli.MORE else ()):
            torques = [0.5 + 0.3 * k for k in range(len(ys))]
            want = unicycle(ys, torques, 2.0)
            for coordinates in COORDINATES:
                done = self.ok(cart([0], ys, torques, 2.0, True), "simulate", "--coordinates", coordinates)
                self.near(np.column_stack([done.series["chassis.x"], done.series["chassis.y"]]), want, 1e-7, f"{len(ys)} {coordinates}")
                self.assertEqual(done.result["mobility"]["redundant"], 2 * len(ys) - 3)     # heights beside that of the foot and one wheel's, ways of sliding sideways
                self.assertLess(done.result["integration"]["energy_error"], 1e-6)

    @cli.long
    def test_at_all_tolerances(self):
        """an axle from which a mass hangs, driven to some 20 m/s: the energy of 800 J is balanced, and finer steps come nearer (joint coordinates, in which the wheels' axes are exact)"""
        bodies = {"axle": {"mass": 1, "inertia": [0.1, 0.1, 0.1], "centroid": [0, 0, -0.03], "pose": {"at": [0, 0, 0.1]}, "markers": {k: {"at": [0, y, 0], "axis": [0, 1, 0]} for k, y in (("L", 0.3), ("R", -0.2))}}}
        m = {"roberval": 1, "space": "spatial", "gravity": [0, 0, -9.81], "bodies": bodies, "joints": {}, "loads": {}, "motion": {"from": 0, "to": 3, "step": 0.5}}
        for name, end, y, torque in (("left", "L", 0.3, 2.0), ("right", "R", -0.2, 1.2)):
            bodies[name] = {"mass": 0.5, "inertia": [0.02, 0.01, 0.02], "pose": {"at": [0, y, 0.1]}, "markers": {"H": {"at": [0, 0, 0], "axis": [0, 1, 0]}}}
            m["joints"] |= {f"hub_{name}": {"type": "revolute", "between": [f"axle.{end}", f"{name}.H"]}, f"roll_{name}": {"type": "wheel", "between": ["ground", f"{name}.H"], "radius": 0.1}}
            m["loads"][name[0]] = {"type": "torque", "to": name, "frame": "body", "value": [0, torque, 0]}
        want = self.ok(m, "simulate", "--coordinates", "joint", "--tolerance", "1e-10").series
        for tolerance in (1e-6, 1e-7, 1e-8, 1e-9, 1e-10):
            done = self.ok(m, "simulate", "--coordinates", "absolute", "--tolerance", repr(tolerance))
            most = max(300 * tolerance, 1e-7)                                               # some 400 steps, later ones shorter
            self.assertLess(done.result["integration"]["energy_error"], 800 * most, tolerance)
            for column in ("axle.x", "axle.y"):
                self.near(done.series[column], want[column], 10 * most, f"{column} {tolerance}")

    @cli.long
    def test_parallel_axles_lead_straight_on(self):
        """no wheel slides sideways: the car cannot turn; s = T t^2 / (2 r (M + n (m + I/r^2)))"""
        for axles, ys in (([0, 0.3], (0.25, -0.25)), ([0, 0.3, 0.5], (0.2, -0.25))):
            n, T = len(axles) * len(ys), (0.5, 0.9)
            total = sum(T[k % 2] for k in range(n))
            for coordinates in COORDINATES:
                done = self.ok(cart(axles, ys, T, 1.0, False), "simulate", "--coordinates", coordinates)
                way = total / RADIUS / (CHASSIS + n * (WHEEL + SPIN / RADIUS**2)) * done.time**2 / 2
                self.near(done.series["chassis.x"] - START[0], way * math.cos(TURN), 1e-7, coordinates)
                self.near(done.series["chassis.y"] - START[1], way * math.sin(TURN), 1e-7, coordinates)

    def test_other_orders_other_names(self):
        """which row is left out hangs on names; the motion does not, but for the error of steps"""
        m = cart([0], (0.25, -0.25), (0.5, 0.8), 1.0, True)
        backwards = {**m, **{k: dict(reversed(m[k].items())) for k in ("bodies", "joints", "loads")}}
        named = {**m, "joints": {("z" if k == "roll0" else k): v for k, v in m["joints"].items()}}
        want = self.ok(m, "simulate").series
        for other in (backwards, named):
            done = self.ok(other, "simulate").series
            for column in ("chassis.x", "chassis.y"):
                self.near(done[column], want[column], 1e-7, column)


class Plane(cli.Case):
    def test_edges_of_one_axle(self):
        """edges across one line, `velocity:` rows that say the same: the motion of one edge"""
        def sled(kinds):
            m = {"roberval": 1, "space": "planar", "bodies": {"sled": {"mass": 2, "inertia": 0.3, "centroid": [0.1, 0.05], "markers": {f"K{k}": [0, 0.2 * k] for k in range(4)}}},
                 "joints": {}, "constraints": {}, "loads": {"f": {"type": "force", "to": "sled.K1", "frame": "body", "value": [3, 1]}, "t": {"type": "torque", "to": "sled", "value": "2*cos(3*t)"}},
                 "motion": {"from": 0, "to": 3, "step": 0.1}}
            for k, kind in enumerate(kinds):
                if kind == "velocity":
                    m["constraints"][f"v{k}"] = {"velocity": f"y(sled.K{k})'*cos(angle(sled)) - x(sled.K{k})'*sin(angle(sled))"}
                else:
                    m["joints"][f"e{k}"] = {"type": kind, "between": ["ground", f"sled.K{k}"]}
            return m
        want = self.ok(sled(["knife-edge"]), "simulate", "--tolerance", "1e-11")
        for kinds in (["knife-edge"] * 2, ["wheel", "knife-edge", "velocity"], ["velocity"] * 3, ["knife-edge"] * 4):
            for coordinates in COORDINATES:
                done = self.ok(sled(kinds), "simulate", "--coordinates", coordinates)
                for column in ("sled.x", "sled.y", "sled.angle"):
                    self.near(done.series[column], want.series[column], 1e-6, f"{kinds} {coordinates} {column}")     # 100 steps of 1e-9 of some 10 m
                self.assertEqual(done.result["mobility"]["redundant"], len(kinds) - 1)


class Others(cli.Case):
    def test_control_drives_and_kinematics(self):
        """wheels led as they roll: the same way by a required motion, by drives, in kinematics"""
        m = cart([0], (0.25, -0.25), (0.0, 0.0), 1.0, True)
        drives = {"d0": {"coordinate": "hub0.angle", "motion": "3*t^2"}, "d1": {"coordinate": "hub1.angle", "motion": "2*t^2"}}
        required = {"require": {"p0": {"velocity": "hub0.angle' - 6*t"}, "p1": {"velocity": "hub1.angle' - 4*t"}}, "actuators": {k: {"coordinate": d["coordinate"]} for k, d in drives.items()}}
        want = self.ok({**m, "drives": drives}, "inverse")
        for coordinates in COORDINATES:
            for command in ("inverse", "kinematics", "simulate"):
                done = self.ok({**m, "drives": drives}, command, "--coordinates", coordinates)
                for column in ("chassis.x", "chassis.y"):
                    self.near(done.series[column], want.series[column], 1e-7, f"{command} {coordinates}")
            done = self.ok({**m, "track": required}, "track", "--coordinates", coordinates)
            for k in drives:
                self.near(done.series[f"{k}.effort"], want.series[f"{k}.effort"], 1e-6, coordinates)


if __name__ == "__main__":
    cli.main()
