"""Newton and Euler in NumPy on motions in closed form: what every program's numbers are compared with.

For each body m (a - g) and J alpha + omega x J omega at the centroid; the wrenches of joints and drives are the unknowns. Trees are summed from the
tips; loops solved as one dense system, in the least-squares sense of least norm, with its null space: a component that a null vector
moves is not unique. Nothing of this is shared with Roberval.
"""
import numpy as np

from jets import spin, time

HELD = {"revolute": ("xyz", "xy"), "prismatic": ("xy", "xyz"), "spherical": ("xyz", ""), "universal": ("xyz", "n"), "cylindrical": ("xy", "xy")}


class Reference:
    """At one time: efforts and accelerations by drive, reactions [F, T] by joint (on the second body, at its marker, ground axes), `open` [6 bools] by joint."""

    def __init__(self, mechanism, t):
        self.mechanism = mechanism
        self.frames = {name: (R, r) for name, (R, r) in mechanism.frames(t).items()}
        self.place = {j.name: (self.frames[j.second][1] + self.frames[j.second][0] @ j.p2).v for j in mechanism.joints}
        self.accelerations = {d.name: float(d.motion(time(t)).a) for d in mechanism.drives}
        self.wanted = {b.name: self.inertia_wrench(b) for b in mechanism.bodies}
        self.open = {j.name: np.zeros(6, bool) for j in mechanism.joints}
        if mechanism.tree:
            self.solve_tree()
        else:
            self.solve_loops()

    def inertia_wrench(self, body):
        """[m (a - g), Euler's torque about the ground's origin]: what joints and drives have to give."""
        R, r = self.frames[body.name]
        omega, alpha = spin(R)
        c = r + R @ body.centroid
        J = R.v @ body.inertia @ R.v.T
        force = body.mass * (c.a - self.mechanism.gravity)
        return np.concatenate([force, J @ alpha + np.cross(omega, J @ omega) + np.cross(c.v, force)])

    def axes(self, joint):
        return self.frames[joint.first][0].v @ joint.R1

    def effort(self, joint, wrench):
        """Split a wrench at the joint's point into what the drive gives along the free axis and the reaction."""
        axis = self.axes(joint)[:, 2]
        part = slice(3, 6) if joint.kind == "revolute" else slice(0, 3)
        value = axis @ wrench[part]
        rest = wrench.copy()
        rest[part] -= value * axis
        return value, rest

    def solve_tree(self):
        total = dict(self.wanted)
        self.efforts, self.reactions = {}, {}
        drives = {d.joint: d.name for d in self.mechanism.drives}
        for joint in reversed(self.mechanism.joints):
            wrench = total[joint.second]
            if joint.first != "ground":
                total[joint.first] = total[joint.first] + wrench
            local = np.concatenate([wrench[:3], wrench[3:] - np.cross(self.place[joint.name], wrench[:3])])
            self.efforts[drives[joint.name]], self.reactions[joint.name] = self.effort(joint, local)

    def directions(self, joint):
        """The unit wrenches [F, T at the point] of the joint's held directions."""
        axes = self.axes(joint)
        forces, torques = HELD[joint.kind]
        out = [np.concatenate([axes[:, "xyz".index(k)], np.zeros(3)]) for k in forces]
        for k in torques:
            normal = np.cross(axes[:, 2], (self.frames[joint.second][0].v @ joint.R2)[:, 2]) if k == "n" else axes[:, "xyz".index(k)]
            out.append(np.concatenate([np.zeros(3), normal / np.linalg.norm(normal)]))
        return np.array(out).T

    def solve_loops(self):
        bodies = {b.name: 6 * k for k, b in enumerate(self.mechanism.bodies)}
        by_name = {j.name: j for j in self.mechanism.joints}
        blocks = [(j, self.directions(j)) for j in self.mechanism.joints]
        for drive in self.mechanism.drives:
            joint = by_name[drive.joint]
            axis, zero = self.axes(joint)[:, 2], np.zeros(3)
            blocks.append((joint, np.concatenate([zero, axis] if joint.kind == "revolute" else [axis, zero])[:, None]))
        A = np.zeros((6 * len(bodies), sum(B.shape[1] for _, B in blocks)))
        at, spans = 0, []
        for joint, B in blocks:
            span = slice(at, at + B.shape[1])
            column = np.vstack([B[:3], B[3:] + np.cross(self.place[joint.name], B[:3].T).T])
            for name, sign in ((joint.second, 1), (joint.first, -1)):
                if name != "ground":
                    A[bodies[name]:bodies[name] + 6, span] += sign * column
            spans.append(span)
            at = span.stop
        b = np.concatenate([self.wanted[body.name] for body in self.mechanism.bodies])
        u, s, vt = np.linalg.svd(A)
        rank = int((s > 1e-9 * s[0]).sum())
        x = vt[:rank].T @ ((u.T[:rank] @ b) / s[:rank])
        assert np.abs(A @ x - b).max() < 1e-9 * np.abs(b).max(), "the motion does not fit the constraints"
        null = vt[rank:].T
        self.redundant = null.shape[1]
        self.reactions, self.efforts = {}, {}
        for (joint, B), span in zip(blocks, spans):
            if joint.name in self.reactions:
                break
            self.reactions[joint.name] = B @ x[span]
            self.open[joint.name] = np.linalg.norm(B @ null[span], axis=1) > 1e-8
        for drive, span in zip(self.mechanism.drives, spans[len(self.mechanism.joints):]):
            assert np.abs(null[span]).max(initial=0) < 1e-8
            self.efforts[drive.name] = x[span.start]

    def imbalance(self, efforts, reactions):
        """The largest force and torque (about its centroid) that these efforts and reactions leave over on a body."""
        rest = {name: -w for name, w in self.wanted.items()}
        drives = {d.joint: d.name for d in self.mechanism.drives}
        for joint in self.mechanism.joints:
            wrench = np.array(reactions[joint.name], float)
            if joint.name in drives:
                part = slice(3, 6) if joint.kind == "revolute" else slice(0, 3)
                wrench[part] += efforts[drives[joint.name]] * self.axes(joint)[:, 2]
            wrench[3:] += np.cross(self.place[joint.name], wrench[:3])
            for name, sign in ((joint.second, 1), (joint.first, -1)):
                if name != "ground":
                    rest[name] = rest[name] + sign * wrench
        force = torque = 0.0
        for body in self.mechanism.bodies:
            R, r = self.frames[body.name]
            c = (r + R @ body.centroid).v
            force = max(force, np.abs(rest[body.name][:3]).max())
            torque = max(torque, np.abs(rest[body.name][3:] - np.cross(c, rest[body.name][:3])).max())
        return force, torque
