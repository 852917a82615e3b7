"""Rows on rates for planar.py: knife edges, wheels and `velocity:` constraints, ways to one answer, and the mobile robot.

A row on rates is psi(q, v, t) = 0.  It is evaluated in first-order Taylor arithmetic along q, v, a: psi' is linear in a, so
    psi'(a = e_i) - psi'(a = 0)  is  d psi / d v_i  exactly, and  gamma = -psi'(a = 0).
A knife edge: n.(v2 - v1 at p), p the second marker's origin, n its y axis, v1 the velocity of the first body's material point at p.

The robot of Wojtyra and Fraczek (reconstructed): rows 1..22 are A B C D E F G (x, y each), H (line,
angle), the drive, W1..W5.  Multipliers lambda of M a + C^T lambda = Q: the force of row k on a body is -C_k^T lambda_k.  So
    A..G   Phi = r_i + s_i - r_j - s_j, i the first body: force on the second (j) +lambda in ground's axes;
    H      (r1 - r6).x1 and phi6 - phi1: force on the slider (6, the second) +lambda_15 x1, torque on it -lambda_16;
    steer  (r6 - r1).y1 - d: effort -lambda_17;
    W      n.v: force on the wheel's body (the second; ground is the first) -lambda n, so Fy = -lambda in the second marker's axes.
"""
import copy
import math

import numpy as np

import planar
from planar import Jet

KNIFE = ("knife-edge", "wheel")


class Rolling(planar.Mechanism):
    """planar.Mechanism with rows on rates, given poses; solves one state at a time."""

    def __init__(self, model, **overrides):
        m = copy.deepcopy(model)
        self.programs = {n: c["velocity"] for n, c in m.get("constraints", {}).items() if "velocity" in c}
        m["constraints"] = {n: c for n, c in m.get("constraints", {}).items() if "velocity" not in c}
        super().__init__(m, **overrides)
        self.model = model
        self.programs = {n: self.expression(e) for n, e in self.programs.items()}
        self.knives = [j for j in self.joints.values() if j.kind in KNIFE]

    def joint_rows(self, q, joint):
        return [] if joint.kind in KNIFE else super().joint_rows(q, joint)

    # ---- rows on rates
    def knife_row(self, q, joint):
        """q: Jets; the sideways velocity as a first-order Jet."""
        i = 3 * joint.first[0].index
        px, py = self.point(q, joint.second)
        th, dot = self.turn(q, joint.second), lambda x: Jet(Jet.of(x).b, Jet.of(x).c)
        w1, ux, uy = dot(q[i + 2]), dot(px) - dot(q[i]), dot(py) - dot(q[i + 1])
        ux, uy = ux + w1 * (py - q[i + 1]), uy - w1 * (px - q[i])
        return planar.cos(th) * uy - planar.sin(th) * ux

    def rates(self, q, v, a, t):
        jets, time = [Jet(q[i], v[i], a[i]) for i in range(self.n)], Jet(t, 1.0)

        def env(name, args, order):
            if args is None and name == "t":
                return time
            if args is None and name == "pi":
                return math.pi
            if args is None and name in self.params:
                return self.params[name]
            x = Jet.of(self.coordinate(jets, name, args))
            return x if order == 0 else Jet(x.b, x.c)
        return [Jet.of(self.knife_row(jets, j)) for j in self.knives] + [Jet.of(e(env)) for e in self.programs.values()]

    def all_rows(self, q, v, t):
        """C, gamma, and the error of the velocity rows: holonomic rows first, then knife edges, then velocity constraints."""
        zero = np.zeros(self.n)
        C = self.gradient(q, t).reshape(-1, self.n)
        still, moving = self.taylor(q, zero, zero, t), self.taylor(q, v, zero, t)
        error = C @ v + np.array([r.b for r in still])
        gamma = -np.array([r.c for r in moving])
        base = self.rates(q, v, zero, t)
        if base:
            P = np.zeros((len(base), self.n))
            for i in self.free:
                a = zero.copy()
                a[i] = 1.0
                P[:, i] = [r.b - s.b for r, s in zip(self.rates(q, v, a, t), base)]
            C, error, gamma = np.vstack([C, P]), np.append(error, [r.a for r in base]), np.append(gamma, [-r.b for r in base])
        return C, gamma, error

    def row_of(self, name):
        """Row of a drive or constraint, rows of a joint."""
        start = len(self.phi(self.q0, 0.0))
        if name in self.joints:
            j = self.joints[name]
            return [start + self.knives.index(j)] if j.kind in KNIFE else list(j.rows)
        if name in self.programs:
            return start + len(self.knives) + list(self.programs).index(name)
        if name in self.constraints:
            return self.constraint_start + list(self.constraints).index(name)
        return self.drive_start + list(self.drives).index(name)

    # ---- one state
    def velocity_from(self, q, guess, t):
        v = np.array(guess, float)
        for _ in range(50):
            C, _, error = self.all_rows(q, v, t)
            v[self.free] -= np.linalg.lstsq(C[:, self.free], error, rcond=1e-11)[0]
            if np.abs(error).max() < 1e-14 * (1 + np.abs(v).max()):
                break
        return v

    def acceleration_at(self, q, v, t):
        """Where the rows do not decide it, by Newton's law (free motion)."""
        C, gamma, _ = self.all_rows(q, v, t)
        C, n = C[:, self.free], len(self.free)
        M = np.array([self.inertia_wrench(q, 0 * v, e) for e in np.eye(self.n)]).T[np.ix_(self.free, self.free)]
        F = (self.applied(q, v, t) - self.inertia_wrench(q, v, 0 * v))[self.free]
        K = np.block([[M, C.T], [C, np.zeros((len(C), len(C)))]])
        a = np.zeros(self.n)
        a[self.free] = np.linalg.lstsq(K, np.append(F, gamma), rcond=1e-12)[0][:n]
        return a

    def map_of(self, q, C, name, frame="joint"):
        """[3, rows]: Fx, Fy, Tz on the second body about its marker, as functions of lambda."""
        j = self.joints[name]
        i, rows = 3 * j.second[0].index, self.row_of(name)
        W = np.zeros((3, C.shape[0]))
        W[:, rows] = -C[rows, i:i + 3].T
        px, py = self.point(list(q), j.second)
        W[2] -= (px - q[i]) * W[1] - (py - q[i + 1]) * W[0]
        if frame == "joint":
            th = self.turn(list(q), j.second if j.kind in KNIFE else j.first)
            c, s = math.cos(th), math.sin(th)
            W[:2] = np.array([[c, s], [-s, c]]) @ W[:2]
        W[np.abs(W) < 1e-14 * max(1e-300, np.abs(W).max())] = 0.0
        return W

    def components(self, q, C, frame):
        return {f"{n}.{c}": w for n in self.joints for c, w in zip(planar.COMPONENTS, self.map_of(q, C, n, frame))}

    def null(self, C):
        """Rank and a basis of null(C^T) after scaling of columns and rows."""
        S = C[:, self.free] * np.array([1.0 if i % 3 < 2 else 1.0 / self.size() for i in self.free])
        norms = np.linalg.norm(S, axis=1)
        U, s, _ = np.linalg.svd(S / norms[:, None])
        r = int((s > 1e-9 * s[0]).sum())
        return r, U[:, r:] / norms[:, None]

    def answer(self, q, v, a, t, frame="joint", eliminate=(), compliance=None, eliminate_frame=None):
        """Values and verdicts of everything at one state.  eliminate: names of components that read zero;
        compliance: {component of the joint's own axes: value}; else (and for what stays open) least norm."""
        C, _, _ = self.all_rows(q, v, t)
        f = (self.applied(q, v, t) - self.inertia_wrench(q, v, a))[self.free]
        lam = np.linalg.lstsq(C[:, self.free].T, f, rcond=1e-12)[0]
        residual = np.abs(C[:, self.free].T @ lam - f).max()
        rank, N = self.null(C)
        shown = self.components(q, C, frame)
        open_ = np.eye(N.shape[1])                                            # columns: combinations of N that are still free

        def settle(A, lam, open_):
            """min |A (lam + N open_ z)|; what A does not see stays open"""
            X = A @ N @ open_
            U, s, Vt = np.linalg.svd(X)
            r = int((s > 1e-9 * max(1e-300, np.linalg.norm(A) * np.abs(N).max())).sum())
            z = Vt[:r].T @ ((U[:, :r].T @ -(A @ lam)) / s[:r])
            return lam + N @ open_ @ z, open_ @ Vt[r:].T
        marks = {}
        if N.shape[1]:
            rest = np.eye(N.shape[1])
            if eliminate:
                own = self.components(q, C, eliminate_frame or frame)
                A = np.array([own[e] for e in eliminate])
                lam, rest = settle(A, lam, open_)
            elif compliance:
                own = self.components(q, C, "joint")
                A = np.array([math.sqrt(c) * own[e] for e, c in compliance.items()]) / math.sqrt(max(compliance.values()))
                lam, rest = settle(A, lam, open_)
                open_ = rest
            if rest.shape[1]:
                length, ground = self.lengths_of_blocks(q), self.components(q, C, "ground")
                A = np.array([w / length[k.split(".")[0]] if k.endswith("Tz") else w for k, w in ground.items()])
                lam, _ = settle(A, lam, rest)
        values = {k: float(w @ lam) for k, w in shown.items()}
        for k, w in shown.items():
            size = np.linalg.norm(w) * (np.abs(N).max() if N.size else 1.0)
            loose = np.abs(w @ N).max() / size if N.size and size else 0.0
            still = np.abs(w @ N @ open_).max() / size if N.size and open_.shape[1] and size else 0.0
            marks[k] = "free" if not np.any(w) else "unique" if loose < 1e-7 else "not unique" if still > 1e-7 else "compliance"
        for name in [*self.programs, *self.constraints, *self.drives]:
            values[f"{name}.effort"] = float(-lam[self.row_of(name)])
        return {"values": values, "marks": marks, "lam": lam, "C": C, "null": N, "rank": rank, "residual": residual}

    # ---- the reported motion
    def poses(self, series, i):
        q = np.zeros(self.n)
        for b in self.bodies[1:]:
            k = 3 * b.index
            q[k:k + 2] = series[f"{b.name}.x"][i], series[f"{b.name}.y"][i]
            if not b.particle:
                q[k + 2] = series[f"{b.name}.angle"][i]
        return q

    def states(self, series, times, guess=None):
        """(q, v, a) at the reported poses, v and a from the rows alone."""
        out = []
        v = np.zeros(self.n) if guess is None else guess
        for i, t in enumerate(times):
            q = self.poses(series, i)
            v = self.velocity_from(q, v, t)
            out.append((q, v, self.acceleration_at(q, v, t)))
        return out


def accelerations(model):
    """outputs of the second rates of each body frame, named A0_body, A1_body, A2_body; of the first V0_body ..."""
    out = {}
    for b, spec in model["bodies"].items():
        if b != "ground":
            for k, c in enumerate(("x", "y", "angle")):
                if not (k == 2 and spec.get("particle")):
                    out[f"A{k}_{b}"], out[f"V{k}_{b}"] = f"{c}({b})''", f"{c}({b})'"
    return out


def reported(mech, series, i):
    """q, v, a of a sample as the program says them (outputs of `accelerations`)."""
    q, v, a = mech.poses(series, i), np.zeros(mech.n), np.zeros(mech.n)
    for b in mech.bodies[1:]:
        for k in range(2 if b.particle else 3):
            v[3 * b.index + k], a[3 * b.index + k] = series[f"V{k}_{b.name}"][i], series[f"A{k}_{b.name}"][i]
    return q, v, a


def balance(mech, series, times):
    """Newton and Euler body by body from the printed numbers (--frame ground): the largest that is left over, and the largest term.
    Joints push on both their bodies; drives and constraints push along the gradients of planar.py and this file."""
    worst, size = 0.0, 1e-300
    for i, t in enumerate(times):
        q, v, a = reported(mech, series, i)
        inertia = mech.inertia_wrench(q, v, a)
        W = mech.applied(q, v, t) - inertia
        for j in mech.joints.values():
            F = np.array([series[f"{j.name}.{c}"][i] for c in planar.COMPONENTS])
            p = mech.point(list(q), j.second)
            for ref, sign in ((j.second, 1.0), (j.first, -1.0)):
                k = 3 * ref[0].index
                W[k:k + 2] += sign * F[:2]
                W[k + 2] += sign * (F[2] + (p[0] - q[k]) * F[1] - (p[1] - q[k + 1]) * F[0])
            size = max(size, np.abs(F).max())
        C, _, _ = mech.all_rows(q, v, t)
        for name in [*mech.programs, *mech.constraints, *mech.drives]:
            W += series[f"{name}.effort"][i] * C[mech.row_of(name)]
        worst = max(worst, np.abs(W[mech.free]).max())
        size = max(size, np.abs(inertia[mech.free]).max())
    return worst, size


def runge_kutta(f, y, times, step):
    """Classical fourth order from sample to sample, the last substeps even; returns y at times."""
    out, y = [np.array(y, float)], np.array(y, float)
    for t0, t1 in zip(times[:-1], times[1:]):
        n = max(1, int(math.ceil((t1 - t0) / step)))
        h = (t1 - t0) / n
        for k in range(n):
            t = t0 + k * h
            k1 = f(t, y)
            k2 = f(t + h / 2, y + h / 2 * k1)
            k3 = f(t + h / 2, y + h / 2 * k2)
            k4 = f(t + h, y + h * k3)
            y = y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        out.append(y)
    return np.array(out)


# ---------------------------------------------------------------- the mobile robot

a_ = 0.05
BODIES = ("platform", "front", "rear", "rod_front", "rod_rear", "slider", "trolley")
PAIRS = ("A", "B", "C", "D", "E", "F", "G")
WHEELS = {"W1": "front", "W2": "rear", "W3": "platform", "W4": "platform", "W5": "trolley"}
LOOSE, FIRM = ("B", "C", "W1", "W2", "W3", "W4"), ("A", "D", "E", "F", "G", "H", "W5")
MASS = ((12.0, .35), (.5, .002), (.5, .002), (.3, .0015625), (.3, .0015625), (.4, .001), (5.0, .1))
SPEED = "x(platform)'*cos(angle(platform)) + y(platform)'*sin(angle(platform))"


def pose(delta=0.0, heading=0.0, trolley=0.0, x=0.0, y=0.0):
    """The 21 coordinates and d at a steering angle (left positive), heading and trolley angle against the platform."""
    a, rot = a_, lambda p: np.array([[math.cos(p), -math.sin(p)], [math.sin(p), math.cos(p)]])
    D = np.array([4 * a - a * math.cos(delta), -a * math.sin(delta)])
    F = np.array([3 * a, D[1] + math.sqrt(25 * a * a - (3 * a - D[0])**2)])
    rod = math.atan2(F[1] - D[1], F[0] - D[0])
    M = (D + F) / 2
    hitch = np.array([-8 * a, 0]) - rot(trolley) @ [5 * a, 0]
    local = [(0, 0, 0), (4 * a, 0, delta), (-4 * a, 0, -delta), (*M, rod), (-M[0], M[1], math.pi - rod), (0, F[1], 0), (*hitch, trolley)]
    q = []
    for lx, ly, p in local:
        q += [*(np.array([x, y]) + rot(heading) @ [lx, ly]), p + heading]
    return np.array(q), float(F[1])


def steering(d):
    """delta of a slider position, by Newton on d(delta) = -a sin(delta) + a sqrt(25 - (1 - cos(delta))^2)."""
    s = (5 * a_ - d) / a_
    for _ in range(50):
        r = math.sqrt(25 - (1 - math.cos(s))**2)
        ds = (-a_ * math.sin(s) + a_ * r - d) / (-a_ * math.cos(s) - a_ * (1 - math.cos(s)) * math.sin(s) / r)
        s -= ds
        if abs(ds) < 1e-15:
            break
    return s


def robot(q, steer, speed=None, motion=None, compliance=None, initial=True, **more):
    """The model at poses q; steer: motion of the drive; speed: what the platform's forward speed is (an expression)."""
    at = lambda x, y, p=None: {"at": [x * a_, y * a_], "angle": p} if p is not None else [x * a_, y * a_]
    markers = [{"A": at(-8, 0), "B": at(4, 0), "C": at(-4, 0), "L": at(0, 4), "M": at(0, -4), "Hy": at(0, 0, math.pi / 2)},
               {"B": at(0, 0), "D": at(-1, 0)}, {"C": at(0, 0), "E": at(1, 0)}, {"D": at(-2.5, 0), "F": at(2.5, 0)},
               {"E": at(-2.5, 0), "G": at(2.5, 0)}, {"F": at(3, 0), "G": at(-3, 0), "Hy": at(0, 0, math.pi / 2)},
               {"A": at(5, 0), "N": at(-2, 0)}]
    pin = lambda i, j, m: {"type": "revolute", "between": [f"{BODIES[i]}.{m}", f"{BODIES[j]}.{m}"]}
    knife = lambda p: {"type": "knife-edge", "between": ["ground", p]}
    m = {"roberval": 1, "space": "planar",
         "bodies": {b: {"mass": MASS[k][0], "inertia": MASS[k][1], "markers": markers[k],
                        "pose": {"at": [float(x) for x in q[3 * k:3 * k + 2]], "angle": float(q[3 * k + 2])}}
                    for k, b in enumerate(BODIES)},
         "joints": {"A": pin(0, 6, "A"), "B": pin(0, 1, "B"), "C": pin(0, 2, "C"), "D": pin(1, 3, "D"), "E": pin(2, 4, "E"),
                    "F": pin(3, 5, "F"), "G": pin(4, 5, "G"), "H": {"type": "prismatic", "between": ["platform.Hy", "slider.Hy"]},
                    "W1": knife("front.B"), "W2": knife("rear.C"), "W3": knife("platform.L"), "W4": knife("platform.M"),
                    "W5": knife("trolley.N")},
         "drives": {"steer": {"coordinate": "H.distance", "motion": steer}}}
    if speed is not None:
        m["constraints"] = {"speed": {"velocity": f"{SPEED} - ({speed})"}}
    if initial:
        m["initial"] = {"x(platform)": float(q[0]), "y(platform)": float(q[1]), "angle(platform)": float(q[2]),
                        "A.angle": float(q[20] - q[2])}
    if motion:
        m["motion"] = motion
    for j, c in (compliance or {}).items():
        m["joints"][j]["compliance"] = c
    m.update(more)
    return m


def reactions_of(lam, q):
    """Theory's multipliers as what the program prints with --frame ground (signs: docstring above)."""
    out = {}
    for k, j in enumerate(PAIRS):
        out.update({f"{j}.Fx": lam[2 * k], f"{j}.Fy": lam[2 * k + 1], f"{j}.Tz": 0.0})
    out.update({"H.Fx": math.cos(q[2]) * lam[14], "H.Fy": math.sin(q[2]) * lam[14], "H.Tz": -lam[15], "steer.effort": -lam[16]})
    for k, (w, b) in enumerate(WHEELS.items()):
        th = q[3 * BODIES.index(b) + 2]
        out.update({f"{w}.Fx": math.sin(th) * lam[17 + k], f"{w}.Fy": -math.cos(th) * lam[17 + k], f"{w}.Tz": 0.0})
    return out


def in_joint_axes(values, q):
    """From ground's axes to the joint's: of the first marker, of the second for wheels."""
    angle = lambda b: q[3 * BODIES.index(b) + 2]
    turn = {"A": angle("platform"), "B": angle("platform"), "C": angle("platform"), "D": angle("front"), "E": angle("rear"),
            "F": angle("rod_front"), "G": angle("rod_rear"), "H": angle("platform") + math.pi / 2,
            **{w: angle(b) for w, b in WHEELS.items()}}
    out = dict(values)
    for j, th in turn.items():
        x, y = values[f"{j}.Fx"], values[f"{j}.Fy"]
        out[f"{j}.Fx"], out[f"{j}.Fy"] = math.cos(th) * x + math.sin(th) * y, -math.sin(th) * x + math.cos(th) * y
    return out


def drive_along(times, d, speed, start, step=1 / 400):
    """x, y, heading, trolley's angle at times by the robot's closed-form kinematics: d(t) and speed(t) are functions.
    W1: heading' = u tan(delta)/(4a); hitch velocity u x1 - 8a heading' y1; W5 lies 7a behind the hitch."""
    def f(t, y):
        u, w = speed(t), speed(t) * math.tan(steering(d(t))) / (4 * a_)
        r = y[3] - y[2]
        return np.array([u * math.cos(y[2]), u * math.sin(y[2]), w, (-u * math.sin(r) - 8 * a_ * w * math.cos(r)) / (7 * a_)])
    return runge_kutta(f, start, times, step)
