"""The mechanisms that all programs compute, each with its motion in closed form.

A body's frame is a pair (R, r) of jets: axes and origin in ground. A joint stands between a marker of its first body and one of its second; the
joint's axis is the z of both (universal: the crosses are z of the first and z of the second). `cut` joints close loops: programs that work on trees
take the others as the tree, first body before second.
"""
import math

import numpy as np

from jets import Jet, atan2, bilinear, columns, cos, cross, jet, sin, spin, sqrt, stack, time, turn, unit

EYE = np.eye(3)
X_AXIS = np.array([[0, 0, 1], [1, 0, 0], [0, 1, 0]], float)  # a marker whose z is the body's x
Y_AXIS = np.array([[0, 1, 0], [0, 0, 1], [1, 0, 0]], float)  # a marker whose z is the body's y


class Body:
    def __init__(self, name, mass, centroid, inertia):
        self.name, self.mass, self.centroid = name, mass, np.asarray(centroid, float)
        self.six = [float(x) for x in (list(inertia) + [0] * 6)[:6]]  # xx yy zz xy xz yz about the centroid
        xx, yy, zz, xy, xz, yz = self.six
        self.inertia = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
        own = np.linalg.eigvalsh(self.inertia)
        assert own[0] >= 0 and own[0] + own[1] >= own[2] * (1 - 1e-12), f"{name}: no real body has this inertia"


class Joint:
    def __init__(self, name, kind, first, second, place1=(0, 0, 0), place2=(0, 0, 0), axes1=EYE, axes2=EYE, cut=False):
        self.name, self.kind, self.first, self.second, self.cut = name, kind, first, second, cut
        self.p1, self.p2 = np.asarray(place1, float), np.asarray(place2, float)
        self.R1, self.R2 = np.asarray(axes1, float), np.asarray(axes2, float)


class Drive:
    """A joint's angle (revolute) or distance (prismatic) as a model's expression of t and as a function of a jet t."""

    def __init__(self, name, joint, expression, motion):
        self.name, self.joint, self.expression, self.motion = name, joint, expression, motion


class Mechanism:
    def __init__(self, name, title, gravity, bodies, joints, drives, poses=None, samples=1001, step=1e-3):
        self.name, self.title, self.gravity = name, title, np.asarray(gravity, float)
        self.bodies, self.joints, self.drives, self.poses = bodies, joints, drives, poses
        self.samples, self.step = samples, step
        self.reported = sorted({round(k) for k in np.linspace(0, samples - 1, 11 if len(bodies) < 500 else 3)})
        self.forward = False  # whether accelerations are to be found from the efforts, too
        self.driven = {d.joint: d for d in drives}

    @property
    def tree(self):
        return not any(j.cut for j in self.joints)

    def frames(self, t):
        """Frame of each body at the time t, as jets."""
        at = time(t)
        if self.poses:
            return {"ground": (jet(EYE), jet(np.zeros(3))), **self.poses(at)}
        frames = {"ground": (jet(EYE), jet(np.zeros(3)))}
        for joint in self.joints:  # an open tree, revolutes
            R, r = frames[joint.first]
            angle = self.driven[joint.name].motion(at)
            mine = R @ (joint.R1 @ turn(2, angle) @ joint.R2.T)
            frames[joint.second] = (mine, r + R @ joint.p1 - mine @ joint.p2)
        return frames

    def coordinates(self, t):
        """For each joint of the tree: its coordinates, rates and accelerations as a flat list."""
        at = time(t)
        frames = None
        out = []
        for joint in self.joints:
            if joint.cut:
                continue
            if joint.name in self.driven:
                q = self.driven[joint.name].motion(at)
                out.append([float(q.v), float(q.d), float(q.a)])
                continue
            frames = frames or self.frames(t)
            out.append(joint_coordinates(joint, frames))
        return out


def joint_coordinates(joint, frames):
    (Ri, ri), (Rj, rj) = frames[joint.first], frames[joint.second]
    Ai, Aj = Ri @ joint.R1, Rj @ joint.R2
    Q, x = Ai.T @ Aj, Ai.T @ (rj + Rj @ joint.p2 - ri - Ri @ joint.p1)
    if joint.kind == "revolute":
        q = [atan2(Q[1, 0], Q[0, 0])]
    elif joint.kind == "prismatic":
        q = [x[2]]
    elif joint.kind == "universal":  # Rx(q1) Ry(q2) once z of the first is called x, z of the second y
        C = Jet(*(m[:, [1, 2, 0]][[2, 0, 1]] for m in (Q.v, Q.d, Q.a)))
        q = [atan2(C[2, 1], C[1, 1]), atan2(C[0, 2], C[0, 0])]
    elif joint.kind == "spherical":  # quaternion, relative angular velocity and acceleration in the first's axes
        omega, alpha = spin(Q)
        return list(quaternion(Q.v)) + list(omega) + list(alpha)
    return [float(c.v) for c in q] + [float(c.d) for c in q] + [float(c.a) for c in q]


def quaternion(R):
    """Unit quaternion w x y z of a rotation matrix, the largest component positive."""
    four = np.array([1 + R[0, 0] + R[1, 1] + R[2, 2], 1 + R[0, 0] - R[1, 1] - R[2, 2],
                     1 - R[0, 0] + R[1, 1] - R[2, 2], 1 - R[0, 0] - R[1, 1] + R[2, 2]])
    k = int(np.argmax(four))
    largest = math.sqrt(four[k]) / 2
    off = {(0, 1): R[2, 1] - R[1, 2], (0, 2): R[0, 2] - R[2, 0], (0, 3): R[1, 0] - R[0, 1],
           (1, 2): R[1, 0] + R[0, 1], (1, 3): R[0, 2] + R[2, 0], (2, 3): R[2, 1] + R[1, 2]}
    q = np.array([largest if i == k else off[min(i, k), max(i, k)] / (4 * largest) for i in range(4)])
    return q / np.linalg.norm(q)


# --- the four-bar ---------------------------------------------------------------------------------------------------------
FOUR_BAR = (1.0, 2.6, 1.9, 3.0)  # crank, coupler, rocker, ground
FOUR_BAR_BODIES = [
    Body("crank", 2.0, [0.45, 0.05, 0.04], [0.05, 0.18, 0.2, 0.01, 0.02, -0.015]),
    Body("coupler", 3.0, [1.2, 0.2, -0.06], [0.1, 1.65, 1.7, 0.05, 0.08, -0.04]),
    Body("rocker", 2.5, [0.9, -0.1, 0.08], [0.06, 0.78, 0.8, -0.03, 0.02, 0.01])]


def four_bar_poses(at):
    crank, coupler, rocker, ground = FOUR_BAR
    theta = 0.9 + 6 * at
    px, py = crank * cos(theta), crank * sin(theta)
    dx, dy = ground - px, 0 - py
    square = dx * dx + dy * dy
    along = (square + (coupler**2 - rocker**2)) / (2 * square)  # circles about the crank pin and the rocker's pivot
    aside = sqrt(coupler**2 / square - along * along)
    cx, cy = along * dx - aside * dy, along * dy + aside * dx
    phi, psi = atan2(cy, cx), atan2(py + cy, px + cx - ground)
    return {"crank": (turn(2, theta), stack([0, 0, 0])), "coupler": (turn(2, phi), stack([px, py, 0])),
            "rocker": (turn(2, psi), stack([ground, 0, 0]))}


def four_bar(name="four-bar RRRR, cut at P2", cut="P2", slug="fourbar"):
    """Four revolutes with parallel axes: 20 rows, three of them redundant. Each program may cut its loop where it is told to."""
    crank, coupler, rocker, ground = FOUR_BAR
    joints = [Joint("A", "revolute", "ground", "crank"),
              Joint("P1", "revolute", "crank", "coupler", [crank, 0, 0]),
              Joint("P2", "revolute", "coupler", "rocker", [coupler, 0, 0], [rocker, 0, 0]),
              Joint("B", "revolute", "ground", "rocker", [ground, 0, 0])]
    for joint in joints:
        joint.cut = joint.name == cut
    joints.sort(key=lambda joint: not joint.cut)  # the cut one first: the order is another, too
    return Mechanism(slug, name, [0, -9.2, -3.4], FOUR_BAR_BODIES, joints,
                     [Drive("motor", "A", "0.9 + 6*t", lambda at: 0.9 + 6 * at)], four_bar_poses)


def four_bar_exact():
    """One revolute, one spherical, one universal joint and one more revolute: no redundant row. The coupler's cross stands square to it."""
    crank, coupler, rocker, ground = FOUR_BAR
    joints = [Joint("A", "revolute", "ground", "crank"),
              Joint("B", "revolute", "ground", "rocker", [ground, 0, 0]),
              Joint("P2", "universal", "rocker", "coupler", [rocker, 0, 0], [coupler, 0, 0], EYE, Y_AXIS),
              Joint("P1", "spherical", "crank", "coupler", [crank, 0, 0], cut=True)]
    return Mechanism("fourbar_rsur", "four-bar RSUR", [0, -9.2, -3.4], FOUR_BAR_BODIES, joints,
                     [Drive("motor", "A", "0.9 + 6*t", lambda at: 0.9 + 6 * at)], four_bar_poses)


# --- the spatial slider-crank (IFToMM's, driven) ------------------------------------------------------------------------------
def slider_crank_motion(at):
    return 6 * at + sin(3 * at)


def slider_crank_poses(at, motion=slider_crank_motion):
    theta = motion(at)
    B = stack([0, 0.1 - 0.08 * sin(theta), 0.12 + 0.08 * cos(theta)])
    C = stack([sqrt(0.3**2 - B[1] * B[1] - B[2] * B[2]), 0, 0])
    e1 = unit(C - B)
    e2 = unit(cross([1.0, 0, 0], e1))
    return {"crank": (turn(0, theta), stack([0, 0.1, 0.12])), "rod": (columns(e1, e2, cross(e1, e2)), B), "slider": (jet(EYE), C)}


def slider_crank():
    bodies = [Body("crank", 0.12, [0, 0, 0], [1e-4, 0.8e-4, 0.6e-4]), Body("rod", 0.5, [0.15, 0, 0], [4e-4, 4e-3, 4e-3]),
              Body("slider", 2.0, [0, 0, 0], [2e-3, 2e-3, 2e-3])]
    joints = [Joint("main", "revolute", "ground", "crank", [0, 0.1, 0.12], [0, 0, 0], X_AXIS, X_AXIS),
              Joint("guide", "prismatic", "ground", "slider", axes1=X_AXIS, axes2=X_AXIS),
              Joint("cross", "universal", "slider", "rod", [0, 0, 0], [0.3, 0, 0], X_AXIS, Y_AXIS),
              Joint("pin", "spherical", "crank", "rod", [0, 0, 0.08], cut=True)]
    return Mechanism("slidercrank", "spatial slider-crank", [0, 0, -9.81], bodies, joints,
                     [Drive("motor", "main", "6*t + sin(3*t)", slider_crank_motion)], slider_crank_poses)


# --- an open chain ------------------------------------------------------------------------------------------------------------
def chain(count):
    bodies, joints, drives = [], [], []
    for k in range(count):
        bodies.append(Body(f"link{k}", 1.0, [0.1, 0.01, -0.005], [0.001, 0.004, 0.0045, 0.0001, -0.0002, 0.0001]))
        axes = EYE if k % 2 == 0 else Y_AXIS
        joints.append(Joint(f"j{k}", "revolute", f"link{k - 1}" if k else "ground", f"link{k}", [0.2 if k else 0, 0, 0], [0, 0, 0], axes, axes))
        phase = round(0.7 * k, 1)
        drives.append(Drive(f"m{k}", f"j{k}", f"0.2*sin(2*t + {phase})", lambda at, phase=phase: 0.2 * sin(2 * at + phase)))
    samples, step = {10: (1001, 1e-3), 100: (201, 5e-3), 1000: (51, 20e-3)}.get(count, (101, 1e-2))
    return Mechanism(f"chain{count}", f"chain of {count}", [0, 0, -9.81], bodies, joints, drives, samples=samples, step=step)


# --- random trees ---------------------------------------------------------------------------------------------------------------
def random_tree(count):
    """Each link hangs on one of those before it, anywhere and in any direction; forward dynamics is asked for, too."""
    random = np.random.default_rng(count)

    def rotation():
        axes, _ = np.linalg.qr(random.normal(size=(3, 3)))
        return axes * np.linalg.det(axes)

    bodies, joints, drives = [], [], []
    for k in range(count):
        spread, axes = random.uniform(0.001, 0.01, 3), rotation()  # integrals of x^2, y^2, z^2 over the mass
        tensor = axes @ np.diag(spread.sum() - spread) @ axes.T
        bodies.append(Body(f"link{k}", random.uniform(0.5, 2), random.uniform(-0.1, 0.1, 3),
                           [tensor[i, j] for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))]))
        joints.append(Joint(f"j{k}", "revolute", f"link{random.integers(k)}" if k else "ground", f"link{k}",
                            random.uniform(-0.3, 0.3, 3), axes1=rotation()))
        c, w, phase = (round(float(random.uniform(-1.5, 1.5)), 3) for _ in range(3))
        drives.append(Drive(f"m{k}", f"j{k}", f"{c} + 0.5*sin({2 * w}*t + {phase})",
                            lambda at, c=c, w=w, phase=phase: c + 0.5 * sin(2 * w * at + phase)))
    samples, step = {7: (1001, 1e-3), 30: (501, 2e-3), 100: (201, 5e-3)}[count]
    mechanism = Mechanism(f"tree{count}", f"random tree of {count}", [0, 0, -9.81], bodies, joints, drives, samples=samples, step=step)
    mechanism.forward = True
    return mechanism


# --- PUMA 560 (Armstrong, Khatib and Burdick; Corke) -----------------------------------------------------------------------------
# d, a, alpha, mass, centroid, inertia xx yy zz about the centroid, all in the link's frame (standard Denavit-Hartenberg). The published tensors of
# links 1 and 3 are no real body's. Moving k (1 - a a^T), a the axis of joint 3, from link 2 to link 3 (k = 0.004), and adding such a tensor and a
# mass on its axis to link 1, leaves all drive torques as they are: such a tensor does not feel the turn about a.
PUMA = [(0, 0, math.pi / 2, 1.0, [0, 0, 0], [0.175, 0.35, 0.175]),
        (0, 0.4318, 0, 17.4, [-0.3638, 0.006, 0.2275], [0.126, 0.520, 0.539]),
        (0.15005, 0.0203, -math.pi / 2, 4.8, [-0.0203, -0.0141, 0.070], [0.070, 0.086, 0.0165]),
        (0.4318, 0, math.pi / 2, 0.82, [0, 0.019, 0], [1.8e-3, 1.3e-3, 1.8e-3]),
        (0, 0, -math.pi / 2, 0.34, [0, 0, 0], [0.3e-3, 0.4e-3, 0.3e-3]),
        (0, 0, 0, 0.09, [0, 0, 0.032], [0.15e-3, 0.15e-3, 0.04e-3])]
PUMA_MOTION = [(0.1, 0.5, 1), (0.7, 0.4, 1), (-0.5, 0.3, 1), (0.2, 0.6, 2), (0.3, 0.5, 2), (-0.4, 0.7, 2)]


def puma():
    bodies, joints, drives = [], [], []
    for k, (d, a, alpha, mass, centroid, inertia) in enumerate(PUMA):
        bodies.append(Body(f"link{k + 1}", mass, centroid, inertia))
        axes = turn(0, alpha).v.T
        joints.append(Joint(f"j{k + 1}", "revolute", f"link{k}" if k else "ground", f"link{k + 1}", [0, 0, 0], -axes @ [a, 0, d], EYE, axes))
        c, A, w = PUMA_MOTION[k]
        drives.append(Drive(f"m{k + 1}", f"j{k + 1}", f"{c} + {A}*sin({w}*pi*t)", lambda at, c=c, A=A, w=w: c + A * sin(w * math.pi * at)))
    return Mechanism("puma", "PUMA 560", [0, 0, -9.81], bodies, joints, drives)


# --- Stewart platform -----------------------------------------------------------------------------------------------------------
BASE = [[math.cos(math.radians(x)), math.sin(math.radians(x)), 0] for x in (10, 110, 130, 230, 250, 350)]
TOP = [[0.6 * math.cos(math.radians(x)), 0.6 * math.sin(math.radians(x)), 0] for x in (50, 70, 170, 190, 290, 310)]


def platform(at):
    r = stack([0.1 * sin(2 * at), 0.08 * sin(3 * at + 0.4), 1 + 0.1 * sin(2.5 * at)])
    return turn(2, 0.2 * sin(2 * at + 0.3)) @ turn(0, 0.15 * sin(3 * at)), r


def leg(at, k):
    R, r = platform(at)
    d = r + R @ np.array(TOP[k]) - np.array(BASE[k])
    return sqrt(bilinear(np.dot, d, d))


def leg_expression(k):
    (ax, ay, _), (bx, by, _) = BASE[k], TOP[k]
    psi, phi = "(0.2*sin(2*t + 0.3))", "(0.15*sin(3*t))"
    x = f"0.1*sin(2*t) + ({bx!r})*cos{psi} - ({by!r})*sin{psi}*cos{phi} - ({ax!r})"
    y = f"0.08*sin(3*t + 0.4) + ({bx!r})*sin{psi} + ({by!r})*cos{psi}*cos{phi} - ({ay!r})"
    z = f"1 + 0.1*sin(2.5*t) + ({by!r})*sin{phi}"
    return f"sqrt(({x})^2 + ({y})^2 + ({z})^2)"


def stewart_poses(at):
    R, r = platform(at)
    poses = {"platform": (R, r)}
    for k in range(6):
        tip = r + R @ np.array(TOP[k])
        z = unit(tip - np.array(BASE[k]))
        y = unit(cross([1.0, 0, 0], z))
        axes = columns(cross(y, z), y, z)
        poses[f"lower{k}"], poses[f"upper{k}"] = (axes, jet(BASE[k])), (axes, tip)
    return poses


def stewart():
    bodies, joints, drives = [], [], []
    for k in range(6):
        bodies += [Body(f"lower{k}", 2.0, [0.005, 0, 0.25], [0.04, 0.045, 0.006]), Body(f"upper{k}", 1.5, [0, 0, -0.25], [0.03, 0.03, 0.002])]
        joints += [Joint(f"U{k}", "universal", "ground", f"lower{k}", BASE[k], [0, 0, 0], X_AXIS, Y_AXIS),
                   Joint(f"P{k}", "prismatic", f"lower{k}", f"upper{k}")]
        drives.append(Drive(f"ram{k}", f"P{k}", leg_expression(k), lambda at, k=k: leg(at, k)))
    bodies.append(Body("platform", 20.0, [0.02, -0.01, 0.05], [1.5, 1.6, 2.8, 0.05, 0.02, -0.03]))
    joints += [Joint(f"S{k}", "spherical", f"upper{k}", "platform", [0, 0, 0], TOP[k], cut=k > 0) for k in range(6)]
    return Mechanism("stewart", "Stewart platform", [0, 0, -9.81], bodies, joints, drives, stewart_poses)


def all_mechanisms():
    return [four_bar(), four_bar("four-bar RRRR, cut at B", "B", "fourbar_cut_B"), four_bar_exact(), slider_crank(),
            chain(10), chain(100), chain(1000), *map(random_tree, (7, 30, 100)), puma(), stewart()]
