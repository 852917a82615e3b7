"""Mechanisms as files: the neutral description for the peers, the model file for Roberval."""
import json

from mechanisms import quaternion
from reference import Reference


def neutral(mechanism):
    """See mechanism.h."""
    index = {"ground": -1, **{b.name: k for k, b in enumerate(mechanism.bodies)}}

    def numbers(values):
        return " ".join(repr(float(x)) for x in values)

    lines = ["gravity " + numbers(mechanism.gravity), f"step {mechanism.step!r}"]
    for b in mechanism.bodies:
        lines.append(f"body {b.name} " + numbers([b.mass, *b.centroid, *b.six]))
    for j in mechanism.joints:
        lines.append(f"joint {j.name} {j.kind} {int(j.cut)} {index[j.first]} {index[j.second]} "
                     + numbers([*j.R1.flat, *j.p1, *j.R2.flat, *j.p2]))
    place = {j.name: k for k, j in enumerate(mechanism.joints)}
    lines += [f"drive {d.name} {place[d.joint]}" for d in mechanism.drives]
    lines += [f"report {k}" for k in mechanism.reported]
    for k in range(mechanism.samples):
        lines.append("sample " + " ".join(numbers(c) for c in mechanism.coordinates(k * mechanism.step)))
        if mechanism.forward:
            efforts = Reference(mechanism, k * mechanism.step).efforts
            lines.append("efforts " + numbers(efforts[d.name] for d in mechanism.drives))
    return "\n".join(lines) + "\n"


def model(mechanism):
    """The model file (JSON is YAML). Bodies stand where they are at the start."""
    frames = mechanism.frames(0.0)
    markers = {name: {} for name in ["ground"] + [b.name for b in mechanism.bodies]}

    def marker(body, name, axes, place):
        markers[body][name] = {"at": [float(x) for x in place], "rotate": {"quaternion": [float(x) for x in quaternion(axes)]}}
        return f"{body}.{name}"

    joints = {}
    for j in mechanism.joints:
        joints[j.name] = {"type": j.kind, "between": [marker(j.first, f"{j.name}_1", j.R1, j.p1), marker(j.second, f"{j.name}_2", j.R2, j.p2)]}
    bodies = {"ground": {"markers": markers["ground"]}}
    for b in mechanism.bodies:
        R, r = frames[b.name]
        bodies[b.name] = {"mass": b.mass, "centroid": list(b.centroid), "inertia": b.six,
                          "pose": {"at": [float(x) for x in r.v], "rotate": {"quaternion": [float(x) for x in quaternion(R.v)]}},
                          "markers": markers[b.name]}
    drives = {}
    for d in mechanism.drives:
        kind = joints[d.joint]["type"]
        drives[d.name] = {"coordinate": f"{d.joint}.{'angle' if kind == 'revolute' else 'distance'}", "motion": d.expression}
    text = {"roberval": 1, "title": mechanism.title, "space": "spatial", "gravity": list(mechanism.gravity), "bodies": bodies, "joints": joints,
            "drives": drives, "motion": {"from": 0, "to": mechanism.step * (mechanism.samples - 1), "step": mechanism.step}}
    return json.dumps(text, indent=1) + "\n"
