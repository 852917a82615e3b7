#!/usr/bin/env python3
"""Large models as YAML text: what grows with the number of bodies, in time and memory, shows here.

    large.py chain|ladder|grid|hanging|loops N [FILE]     about N bodies"""
import math
import sys

HEAD = "roberval: 1\nspace: planar\ngravity: [0, -9.81]\n"
TAIL = "motion: {from: 0, to: 0, step: 1}\n"


def chain(n):
    """n bars one behind the other in a zigzag, each driven against the one before."""
    yield HEAD + "bodies:\n"
    x = y = 0.0
    for k in range(n):
        angle = 0.1 * (k % 2)
        yield (f"  b{k}: {{mass: 1, inertia: 0.1, centroid: [0.5, 0], pose: {{at: [{x!r}, {y!r}], angle: {angle}}}, "
               "markers: {P: [0, 0], Q: [1, 0]}}\n")
        x, y = x + math.cos(angle), y + math.sin(angle)
    yield "joints:\n"
    for k in range(n):
        yield f"  j{k}: {{type: revolute, between: [{f'b{k - 1}.Q' if k else 'ground'}, b{k}.P]}}\n"
    yield "drives:\n"
    for k in range(n):
        yield f"  d{k}: {{coordinate: j{k}.angle, motion: \"{0.1 * (k % 2 - (k - 1) % 2) if k else 0.0}\"}}\n"
    yield TAIL


def ladder(n):
    """Four-bars in a row: each pair of cranks moves the next, one drive moves all. One block, as large as the mechanism."""
    cells = max(1, n // 2)
    yield HEAD + "bodies:\n  ground: {markers: {" + ",\n    ".join(f"G{k}: [{2 * k}, 0]" for k in range(cells + 1)) + "}}\n"
    for k in range(cells + 1):
        yield f"  crank{k}: {{mass: 1, inertia: 0.1, pose: {{at: [{2 * k}, 0], angle: 1}}, markers: {{O: [0, 0], A: [1, 0]}}}}\n"
    for k in range(cells):
        yield f"  rod{k}: {{mass: 1, inertia: 0.1, pose: {{at: [{2 * k + 0.5403023058681398!r}, 0.8414709848078965]}}, markers: {{A: [0, 0], B: [2, 0]}}}}\n"
    yield "joints:\n"
    for k in range(cells + 1):
        yield f"  o{k}: {{type: revolute, between: [ground.G{k}, crank{k}.O]}}\n"
    for k in range(cells):
        yield f"  a{k}: {{type: revolute, between: [crank{k}.A, rod{k}.A]}}\n  b{k}: {{type: revolute, between: [rod{k}.B, crank{k + 1}.A]}}\n"
    yield "drives: {motor: {coordinate: o0.angle, motion: \"1\"}}\n" + TAIL


def grid(n):
    """Four-bars beside each other, each with a drive of its own: as many blocks."""
    cells = max(1, n // 3)
    yield HEAD + "bodies:\n  ground: {markers: {" + ",\n    ".join(f"G{k}: [{4 * k}, 0], H{k}: [{4 * k + 2}, 0]" for k in range(cells)) + "}}\n"
    for k in range(cells):
        yield f"  crank{k}: {{mass: 1, inertia: 0.1, pose: {{at: [{4 * k}, 0], angle: 1}}, markers: {{A: [1, 0]}}}}\n"
        yield f"  rod{k}: {{mass: 1, inertia: 0.1, pose: {{at: [{4 * k + 0.5403023058681398!r}, 0.8414709848078965]}}, markers: {{B: [2, 0]}}}}\n"
        yield f"  rocker{k}: {{mass: 1, inertia: 0.1, pose: {{at: [{4 * k + 2}, 0], angle: 1}}, markers: {{B: [1, 0]}}}}\n"
    yield "joints:\n"
    for k in range(cells):
        yield (f"  o{k}: {{type: revolute, between: [ground.G{k}, crank{k}]}}\n  a{k}: {{type: revolute, between: [crank{k}.A, rod{k}]}}\n"
               f"  b{k}: {{type: revolute, between: [rod{k}.B, rocker{k}.B]}}\n  h{k}: {{type: revolute, between: [ground.H{k}, rocker{k}]}}\n")
    yield "drives:\n" + "".join(f"  m{k}: {{coordinate: o{k}.angle, motion: \"1\"}}\n" for k in range(cells)) + TAIL


def hanging(n):
    """n bars that hang from each other, without drives: for check and statics."""
    text = list(chain(n))
    yield from text[:text.index("drives:\n")]


def loops(n):
    """Four-bars that hang from each other, rocker by rocker, without drives: each keeps a freedom of its own, and all move the last."""
    cells = max(1, n // 3)
    yield HEAD + "bodies:\n  ground: {markers: {H: [2, 0]}}\n"
    for k in range(cells):
        yield f"  a{k}: {{mass: 1, inertia: 0.1, pose: {{at: [{3 * k}, 0], angle: 1}}, markers: {{Q: [1, 0]}}}}\n"
        yield f"  b{k}: {{mass: 1, inertia: 0.1, pose: {{at: [{3 * k + 0.5403023058681398!r}, 0.8414709848078965]}}, markers: {{Q: [2, 0]}}}}\n"
        yield f"  c{k}: {{mass: 1, inertia: 0.1, pose: {{at: [{3 * k + 2}, 0], angle: 1}}, markers: {{Q: [1, 0], R: {{at: [0.5403023058681398, -0.8414709848078965], angle: -1}}, S: {{at: [1.6209069176044193, -2.5244129544236893], angle: -1}}}}}}\n"
    yield "joints:\n"
    for k in range(cells):
        left, right = ("ground", "ground.H") if k == 0 else (f"c{k - 1}.R", f"c{k - 1}.S")
        yield (f"  o{k}: {{type: revolute, between: [{left}, a{k}]}}\n  p{k}: {{type: revolute, between: [a{k}.Q, b{k}]}}\n"
               f"  q{k}: {{type: revolute, between: [b{k}.Q, c{k}.Q]}}\n  r{k}: {{type: revolute, between: [{right}, c{k}]}}\n")
    yield TAIL


KINDS = {"chain": chain, "ladder": ladder, "grid": grid, "hanging": hanging, "loops": loops}


def write(kind, n, path):
    with open(path, "w", encoding="utf-8") as f:
        f.writelines(KINDS[kind](n))


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4) or sys.argv[1] not in KINDS:
        sys.exit(__doc__)
    if len(sys.argv) == 4:
        write(sys.argv[1], int(sys.argv[2]), sys.argv[3])
    else:
        sys.stdout.writelines(KINDS[sys.argv[1]](int(sys.argv[2])))
