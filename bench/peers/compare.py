"""What a program printed against the reference."""
import numpy as np

from reference import Reference


class Printed:
    """Lines of one program, by way: time, efforts and accelerations[sample][drive], reactions[sample][joint], values."""

    def __init__(self, text):
        self.ways = {}
        for line in text.splitlines():
            word, way, *rest = line.split()
            mine = self.ways.setdefault(way, {"time": None, "effort": {}, "acceleration": {}, "reaction": {}, "value": {}, "verdict": {}})
            if word == "time":
                mine["time"] = float(rest[0])
            elif word in ("effort", "acceleration"):
                mine[word].setdefault(int(rest[0]), {})[rest[1]] = float(rest[2])
            elif word == "reaction":
                mine["reaction"].setdefault(int(rest[0]), {})[rest[1]] = np.array([float(x) for x in rest[2:]])
            elif word == "value":
                mine["value"][rest[0]] = float(rest[1])
            elif word == "verdict":
                mine["verdict"][rest[0]] = rest[1:]


def references(mechanism):
    return {k: Reference(mechanism, k * mechanism.step) for k in mechanism.reported}


def drive_error(refs, printed):
    """Largest difference of an effort, or of an acceleration where these are found, over the drives, relative to the largest reference value of that
    drive in the samples reported."""
    what = "acceleration" if printed["acceleration"] else "effort"
    if not printed[what]:
        return None
    true = {k: r.accelerations if what == "acceleration" else r.efforts for k, r in refs.items()}
    return max(max(abs(e[drive] - true[k][drive]) for k, e in printed[what].items()) / max(abs(t[drive]) for t in true.values())
               for drive in next(iter(true.values())))


def reaction_error(refs, printed):
    """Likewise of the reactions that are unique: forces relative to the joint's largest force, torques to its largest torque or to that force on the
    lever of the second body's centroid, whichever is more."""
    if not printed["reaction"]:
        return None
    worst = 0.0
    any_ref = next(iter(refs.values()))
    levers = {b.name: b.centroid for b in any_ref.mechanism.bodies}
    for joint in any_ref.mechanism.joints:
        force, torque = (max(np.abs(r.reactions[joint.name][part]).max() for r in refs.values()) for part in (slice(0, 3), slice(3, 6)))
        torque = max(torque, force * np.linalg.norm(levers[joint.second] - joint.p2), 1e-30)
        for k, reactions in printed["reaction"].items():
            difference = np.abs(reactions[joint.name] - refs[k].reactions[joint.name]) * ~refs[k].open[joint.name]
            worst = max(worst, difference[:3].max() / force, difference[3:].max() / torque)
    return worst


def imbalance(refs, printed):
    """What efforts and reactions leave over on a body, relative to the largest force and torque of inertia and weight."""
    if not printed["reaction"]:
        return None
    worst = 0.0
    for k, reactions in printed["reaction"].items():
        force, torque = refs[k].imbalance(printed["effort"][k], reactions)
        largest = max(np.abs(w).max() for w in refs[k].wanted.values())
        worst = max(worst, force / largest, torque / largest)
    return worst
