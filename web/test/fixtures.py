#!/usr/bin/env python3
"""Data for the tests of the page: runs of the program on examples, with scenes that are drawn by hand here.

Usage: fixtures.py ROBERVAL DIR   writes DIR/NAME.json, what a page gets in place of its token.
Only what these examples need of the model language is read: numbers with units, parameters, markers, poses, shapes.
"""
import base64, csv, json, math, os, re, struct, subprocess, sys, tempfile
import yaml

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "..", "..")
UNITS = {"m": 1, "mm": 1e-3, "cm": 1e-2, "kg": 1, "g": 1e-3, "t": 1e3, "deg": math.pi / 180, "rad": 1, "s": 1, "ms": 1e-3, "N": 1, "kN": 1e3}


class Model:
    """Numbers of a model file."""

    def __init__(self, text):
        self.tree = yaml.safe_load(text)
        self.text = text
        self.units = self.tree.get("units", {})
        self.names = {n: getattr(math, n) for n in ("sin", "cos", "sqrt", "atan2", "pi")}
        for name, value in self.tree.get("parameters", {}).items():
            try:
                self.names[name] = self.number(value, None)
            except (NameError, SyntaxError, KeyError):
                pass

    def number(self, value, dimension):
        if isinstance(value, (int, float)):
            return value * UNITS.get(self.units.get(dimension, "m"), 1) if dimension else value
        plain = re.fullmatch(r"\s*([-+]?[0-9.]+(?:[eE][-+]?[0-9]+)?)\s*([A-Za-z]+)?\s*", value)
        if plain and not plain[2]:
            return self.number(float(plain[1]), dimension)
        if plain:
            return float(plain[1]) * UNITS[plain[2]]
        written = re.sub(r"\[([A-Za-z]+)\]", lambda m: "*%r" % UNITS[m[1]], value).replace("^", "**")
        return eval(written, {"__builtins__": {}}, self.names)

    def point(self, values):
        return ([self.number(v, "length") for v in values] + [0, 0])[:3]

    def line(self, section, name):
        inside = False
        for number, line in enumerate(self.text.split("\n"), 1):
            if re.match(r"\S", line):
                inside = line.startswith(section + ":")
            if inside and re.match(r"  %s:" % re.escape(name), line):
                return number
        return None


def turned(angle):
    return [math.cos(angle / 2), 0, 0, math.sin(angle / 2)]


def product(p, q):
    return [p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3], p[0] * q[1] + p[1] * q[0] + p[2] * q[3] - p[3] * q[2],
            p[0] * q[2] - p[1] * q[3] + p[2] * q[0] + p[3] * q[1], p[0] * q[3] + p[1] * q[2] - p[2] * q[1] + p[3] * q[0]]


def rotated(q, v):
    w = product(product(q, [0] + list(v)), [q[0], -q[1], -q[2], -q[3]])
    return w[1:]


def along(axis):
    """The quaternion that turns z to the axis."""
    length = math.sqrt(sum(a * a for a in axis))
    x, y, z = (a / length for a in axis)
    if z < -1 + 1e-12:
        return [0, 1, 0, 0]
    w = math.sqrt((1 + z) / 2)
    return [w, -y / (2 * w), x / (2 * w), 0]


def marker_of(model, spec, spatial):
    if not isinstance(spec, dict):
        return model.point(spec), [1, 0, 0, 0]
    at = model.point(spec.get("at", [0, 0, 0]))
    if "angle" in spec:
        return at, turned(model.number(spec["angle"], "angle"))
    if "axis" in spec:
        return at, along([model.number(a, None) for a in spec["axis"]])
    return at, [1, 0, 0, 0]


def scene_of(model, path, size, series):
    tree, spatial = model.tree, model.tree["space"] == "spatial"
    symbol = 0.03 * (size or 0.3)
    bodies, markers, things, figures = [], [], [], []
    specs = {"ground": (tree["bodies"].get("ground") or {}), **{k: v for k, v in tree["bodies"].items() if k != "ground"}}
    index = {name: i for i, name in enumerate(specs)}
    where = {}

    def add_marker(name, on, at, turn):
        where[name] = len(markers)
        markers.append({"name": name, "on": on, "at": at, "turn": turn})

    first = {c["name"]: c["first"] for c in series}
    for name, spec in specs.items():
        body = index[name]
        at = [first.get(name + ".x", 0), first.get(name + ".y", 0), first.get(name + ".z", 0)]
        turn = [first.get(name + ".q" + a, 1 if a == "w" else 0) for a in "wxyz"] if spatial else turned(first.get(name + ".angle", 0))
        if name + ".x" not in first and "pose" in spec:
            pose = spec["pose"]
            at = model.point(pose.get("at", [0, 0, 0]))
            turn = turned(model.number(pose.get("angle", 0), "angle"))
        mass = model.number(spec["mass"], "mass") if "mass" in spec else None
        bodies.append({"name": name, "at": at, "turn": turn, "particle": bool(spec.get("particle")), "mass": mass,
                       "centroid": model.point(spec.get("centroid", [0, 0, 0])), "line": model.line("bodies", name)})
        add_marker(name, body, [0, 0, 0], [1, 0, 0, 0])
        for marker, where_it_is in (spec.get("markers") or {}).items():
            add_marker(name + "." + marker, body, *marker_of(model, where_it_is, spatial))

    def thing(kind, section, name, spec, kind_of, pair, axes, point):
        things.append({"kind": kind, "name": name, "type": kind_of, "line": model.line(section, name), "markers": pair, "axes": axes, "point": point, "figure": None})
        return len(things) - 1

    def figure(kind, role, of, body, on, **rest):
        figures.append({"kind": kind, "role": role, "of": of, "body": body, "on": on, **rest})

    joined = {}
    for name, spec in tree.get("joints", {}).items():
        pair = [where[m] for m in spec["between"]]
        second = spec["type"] in ("wheel", "knife-edge")
        of = thing("joint", "joints", name, spec, spec["type"], pair, pair[1] if second else pair[0], pair[1])
        for m in pair:
            joined.setdefault(markers[m]["on"], []).append(markers[m]["at"])
        one, two = markers[pair[0]], markers[pair[1]]
        on_ground = one["on"] == 0 or two["on"] == 0
        if not spatial:
            planar_symbol(figure, spec, of, one, two, symbol, on_ground)
        else:
            spatial_symbol(figure, spec, of, one, two, symbol)
    for name, spec in (tree.get("drives") or {}).items():
        joint = next((t for t in things if t["name"] == spec["coordinate"].split(".")[0]), None)
        of = thing("drive", "drives", name, spec, spec["coordinate"].split(".")[-1], joint and joint["markers"], None, None)
        if joint:
            one = markers[joint["markers"][0]]
            axis = rotated(one["turn"], [0, 0, 1] if spatial or "angle" in spec["coordinate"] else [1, 0, 0])
            things[of]["figure"] = len(figures)
            figure("turning" if "angle" in spec["coordinate"] else "arrow", "drive", of, -1, one["on"], at=one["at"], axis=axis)
    for name, spec in (tree.get("constraints") or {}).items():
        thing("constraint", "constraints", name, spec, "equation" if "equation" in spec else "velocity", None, None, None)
    for name, spec in (tree.get("loads") or {}).items():
        if "between" in spec:
            pair = [where[m] for m in spec["between"]]
            of = thing("load", "loads", name, spec, spec["type"], pair, None, pair[1])
            one, two = markers[pair[0]], markers[pair[1]]
            things[of]["figure"] = len(figures)
            figure("coil" if "stiffness" in spec else "damper", "load", of, -1, [one["on"], two["on"]],
                   **{"from": one["at"], "to": two["at"], "radius": 0.7 * symbol, "turns": 8})
            for m in (one, two):
                joined.setdefault(m["on"], []).append(m["at"])
        elif "to" in spec:
            at = where[spec["to"]]
            axes = where[spec["to"].split(".")[0]] if spec.get("frame") == "body" else None
            of = thing("load", "loads", name, spec, spec["type"], None, axes, at)
            figure("arrow", "load", of, -1, markers[at]["on"], at=markers[at]["at"], axis=[0, -1, 0])
            joined.setdefault(markers[at]["on"], []).append(markers[at]["at"])
    for name, spec in specs.items():
        substance(figure, model, name, spec, index[name], joined.get(index[name], []), symbol, spatial)
    units = {k: v for k, v in model.units.items()}
    up = [0, 0, 1] if spatial else [0, 1, 0]
    return {"scene": 1, "space": tree["space"], "title": tree.get("title", ""), "file": path, "text": model.text, "size": size or 0.3, "symbol": 2 * symbol,
            "up": up, "units": units, "bodies": bodies, "markers": markers, "things": things, "figures": figures, "failure": None}


def in_axes(marker, points):
    return [[a + b for a, b in zip(marker["at"], rotated(marker["turn"], p))] for p in points]


def planar_symbol(figure, spec, of, one, two, s, on_ground):
    kind = spec["type"]
    if kind == "revolute":
        if on_ground:
            ground = one if one["on"] == 0 else two
            x, y = ground["at"][0], ground["at"][1]
            figure("line", "symbol", of, -1, 0, points=[[x, y, 0], [x - s, y - 1.6 * s, 0], [x + s, y - 1.6 * s, 0]], closed=True, filled=False)
            figure("line", "ground", of, -1, 0, points=[[x - 1.6 * s, y - 1.6 * s, 0], [x + 1.6 * s, y - 1.6 * s, 0]], closed=False, filled=False)
            for k in range(6):
                px = x - 1.5 * s + 0.6 * k * s
                figure("line", "ground", of, -1, 0, points=[[px, y - 1.6 * s, 0], [px - 0.4 * s, y - 2.1 * s, 0]], closed=False, filled=False)
        figure("circle", "symbol", of, -1, two["on"], at=two["at"], turn=[1, 0, 0, 0], radius=0.5 * s, filled=False)
    elif kind == "prismatic":
        rail = in_axes(one, [[-14 * s, 0, 0], [14 * s, 0, 0]]) if one["on"] == 0 else in_axes(one, [[-6 * s, 0, 0], [6 * s, 0, 0]])
        figure("line", "ground" if one["on"] == 0 else "symbol", of, -1, one["on"], points=rail, closed=False, filled=False)
        shoe = in_axes(two, [[-1.5 * s, -0.7 * s, 0], [1.5 * s, -0.7 * s, 0], [1.5 * s, 0.7 * s, 0], [-1.5 * s, 0.7 * s, 0]])
        figure("line", "symbol", of, -1, two["on"], points=shoe, closed=True, filled=False)
    elif kind == "wheel":
        shoe = in_axes(two, [[-2 * s, -0.4 * s, 0], [2 * s, -0.4 * s, 0], [2 * s, 0.4 * s, 0], [-2 * s, 0.4 * s, 0]])
        figure("line", "symbol", of, -1, two["on"], points=shoe, closed=True, filled=False)
    elif kind == "cam":
        path = os.path.join(ROOT, "examples", "valvetrain", spec["curve"]["file"])
        rows = list(csv.reader(line for line in open(path) if not line.startswith("#")))
        scale = [UNITS.get(re.search(r"\[(\w+)\]", name)[1], 1) for name in rows[0]]
        points = [[float(r[0]) * scale[0], float(r[1]) * scale[1], 0] for r in rows[1:] if r]
        figure("line", "substance", of, one["on"], one["on"], points=in_axes(one, points), closed=True, filled=False)
        figure("line", "symbol", of, -1, two["on"], points=in_axes(two, [[-5 * s, 0, 0], [5 * s, 0, 0]]), closed=False, filled=False)
    else:
        box = in_axes(two, [[-.5 * s, -.5 * s, 0], [.5 * s, -.5 * s, 0], [.5 * s, .5 * s, 0], [-.5 * s, .5 * s, 0]])
        figure("line", "symbol", of, -1, two["on"], points=box, closed=True, filled=False)


def spatial_symbol(figure, spec, of, one, two, s):
    kind = spec["type"]
    if kind in ("revolute", "cylindrical"):
        half = 1.2 if kind == "revolute" else 2.4
        ends = in_axes(two, [[0, 0, -half * s], [0, 0, half * s]])
        figure("cylinder", "symbol", of, -1, two["on"], **{"from": ends[0], "to": ends[1], "radius": 0.6 * s})
    elif kind == "spherical":
        figure("sphere", "symbol", of, -1, two["on"], at=two["at"], radius=0.7 * s)
    elif kind == "universal":
        for marker in (one, two):
            ends = in_axes(marker, [[0, 0, -1.3 * s], [0, 0, 1.3 * s]])
            figure("cylinder", "symbol", of, -1, marker["on"], **{"from": ends[0], "to": ends[1], "radius": 0.3 * s})
    elif kind == "prismatic":
        figure("box", "symbol", of, -1, one["on"], at=one["at"], turn=one["turn"], size=[1.6 * s, 1.6 * s, 3 * s])
    else:
        figure("box", "symbol", of, -1, two["on"], at=two["at"], turn=two["turn"], size=[s, s, s])


def substance(figure, model, name, spec, body, points, s, spatial):
    for part in spec.get("shape") or []:
        role = "void" if part.get("void") else "substance"
        if "box" in part:
            b = part["box"]
            figure("box", role, -1, body, body, at=model.point(b["at"]), turn=[1, 0, 0, 0], size=model.point(b["size"]))
        elif "cylinder" in part:
            c = part["cylinder"]
            figure("cylinder", role, -1, body, body, **{"from": model.point(c["from"]), "to": model.point(c["to"]), "radius": model.number(c["radius"], "length")})
        elif "sphere" in part:
            figure("sphere", role, -1, body, body, at=model.point(part["sphere"]["at"]), radius=model.number(part["sphere"]["radius"], "length"))
        elif "disk" in part:
            figure("circle", role, -1, body, body, at=model.point(part["disk"]["at"]), turn=[1, 0, 0, 0], radius=model.number(part["disk"]["radius"], "length"), filled=True)
    if spec.get("shape") or body == 0:
        return
    distinct = []
    for p in points + ([model.point(spec["centroid"])] if "centroid" in spec and len(points) < 2 else []):
        if all(math.dist(p, q) > 1e-9 for q in distinct):
            distinct.append(p)
    if len(distinct) == 1 and len(spec.get("markers") or {}) > 0:
        distinct += [model.point(m) for m in spec["markers"].values() if isinstance(m, list)][:1]
    if spatial:
        middle = [sum(p[i] for p in distinct) / len(distinct) for i in range(3)] if distinct else [0, 0, 0]
        for p in distinct:
            figure("bar", "outline", -1, body, [body, body], **{"from": middle, "to": p, "radius": 0.3 * s})
    elif len(distinct) == 1:
        figure("circle", "outline", -1, body, body, at=distinct[0], turn=[1, 0, 0, 0], radius=0.8 * s, filled=True)
    elif len(distinct) == 2:
        figure("line", "outline", -1, body, body, points=distinct, closed=False, filled=False)
    elif distinct:
        middle = [sum(p[i] for p in distinct) / len(distinct) for i in range(2)]
        distinct.sort(key=lambda p: math.atan2(p[1] - middle[1], p[0] - middle[0]))
        figure("line", "outline", -1, body, body, points=distinct, closed=True, filled=True)


def series_of(folder):
    path = os.path.join(folder, "series.csv")
    if not os.path.exists(path):
        return {"columns": [], "samples": 0, "data": ""}, []
    rows = list(csv.reader(open(path)))
    columns, firsts, data = [], [], b""
    for k, head in enumerate(rows[0]):
        parts = re.fullmatch(r"(\S+)(?: \[(.*?)\])?(?: \((.*)\))?", head)
        values = [float(r[k]) if r[k] else math.nan for r in rows[1:]]
        columns.append({"name": parts[1], "unit": parts[2], "verdict": parts[3]})
        firsts.append({"name": parts[1], "first": values[0]})
        data += struct.pack("<%dd" % len(values), *values)
    for c in columns:
        solved = re.search(r"\.([FT][xyz]?|Ft|Fr|Fa|effort)$", c["name"])
        if c["verdict"] is None and solved:
            c["verdict"] = "unique"
    return {"columns": columns, "samples": len(rows) - 1, "data": base64.b64encode(data).decode()}, firsts


def run(program, command, model_path, *options):
    path = os.path.relpath(os.path.join(ROOT, model_path), ROOT)
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run([program, command, path, "--out", folder, *options], cwd=ROOT, capture_output=True, text=True, timeout=120)
        if done.returncode:
            sys.exit(done.stderr)
        with open(os.path.join(folder, "result.json")) as file:
            result = json.load(file)
        series, firsts = series_of(folder)
    with open(os.path.join(ROOT, model_path)) as file:
        model = Model(file.read())
    return {"scene": scene_of(model, path, result["model"]["size"], firsts), "result": result, "series": series}


def main():
    program, folder = os.path.abspath(sys.argv[1]), sys.argv[2]
    os.makedirs(folder, exist_ok=True)

    def write(name, *results):
        with open(os.path.join(folder, name + ".json"), "w") as file:
            json.dump({"results": list(results)}, file, separators=(",", ":"))

    press = run(program, "inverse", "examples/press/press.yaml", "--step", "20 ms")
    write("press", press)
    write("door", run(program, "inverse", "examples/door/door.yaml", "--step", "40 ms"))
    write("valvetrain", run(program, "inverse", "examples/valvetrain/valvetrain.yaml", "--step", "0.2 ms"))
    write("stewart", run(program, "inverse", "examples/stewart/stewart.yaml", "--step", "0.25 s"))
    write("robot", run(program, "inverse", "examples/robot/robot.yaml", "--step", "0.15 s"))
    write("truss", run(program, "statics", "examples/truss/truss.yaml", "--follow", "push=0..20 N"))
    write("suspension", run(program, "statics", "examples/suspension/suspension.yaml", "--all"))
    write("rotor", run(program, "modes", "examples/rotor/rotor.yaml", "--follow", "speed=0..4000 rpm"))
    write("swing", run(program, "modes", "web/test/swing.yaml"))
    write("overlay", press, run(program, "inverse", "examples/press/press.yaml", "--step", "25 ms", "--set", "rod_length=800 mm"))


if __name__ == "__main__":
    main()
