"""What stands in scene.json, by geometry of its own: where markers and figures are at a sample; the JSON Schema of the scene."""
import numpy as np

VECTOR = {"type": "array", "items": {"type": "number"}, "minItems": 3, "maxItems": 3}
TURN = {"type": "array", "items": {"type": "number"}, "minItems": 4, "maxItems": 4}
INDEX, OPTIONAL, LINE = {"type": "integer", "minimum": 0}, {"type": ["integer", "null"], "minimum": 0}, {"type": ["integer", "null"], "minimum": 1}
TEXT, TRUTH, SIZE = {"type": "string"}, {"type": "boolean"}, {"type": "number", "minimum": 0}
PAIR = {"type": "array", "items": INDEX, "minItems": 2, "maxItems": 2}


def record(**members):
    return {"type": "object", "properties": members, "required": list(members), "additionalProperties": False}


def listed(item):
    return {"type": "array", "items": item}


# What each kind of figure has besides kind, role, of, body and on.
SHAPES = {
    "line": {"points": listed(VECTOR), "closed": TRUTH, "filled": TRUTH},
    "circle": {"at": VECTOR, "turn": TURN, "radius": SIZE, "filled": TRUTH},
    "box": {"at": VECTOR, "turn": TURN, "size": VECTOR},
    "cylinder": {"from": VECTOR, "to": VECTOR, "radius": SIZE},
    "cone": {"from": VECTOR, "to": VECTOR, "radius": SIZE},
    "sphere": {"at": VECTOR, "radius": SIZE},
    "wheel": {"at": VECTOR, "turn": TURN, "radius": SIZE, "width": SIZE, "teeth": INDEX, "internal": TRUTH},
    "mesh": {"vertices": listed(VECTOR), "triangles": listed({"type": "array", "items": INDEX, "minItems": 3, "maxItems": 3})},
    "bar": {"from": VECTOR, "to": VECTOR, "radius": SIZE},
    "coil": {"from": VECTOR, "to": VECTOR, "radius": SIZE, "turns": INDEX},
    "damper": {"from": VECTOR, "to": VECTOR, "radius": SIZE, "turns": INDEX},
    "strand": {"from": VECTOR, "to": VECTOR, "turn": {"type": "array", "items": TURN, "minItems": 2, "maxItems": 2}, "radii": {"type": "array", "items": SIZE}, "crossed": TRUTH},
    "arrow": {"at": VECTOR, "axis": VECTOR},
    "turning": {"at": VECTOR, "axis": VECTOR},
}
ROLES = ["substance", "void", "outline", "symbol", "ground", "load", "drive"]
TWO_BODIES = ("bar", "coil", "damper", "strand")


def figure_schema(kind):
    who = {"type": "integer", "minimum": -1}
    schema = record(kind={"const": kind}, role={"enum": ROLES}, of=who, body=who, on=PAIR if kind in TWO_BODIES else INDEX, **SHAPES[kind])
    if kind in ("arrow", "turning"):
        schema["properties"]["along"] = INDEX
    if kind in ("line", "cylinder", "box"):
        schema["properties"]["guide"] = record(markers=PAIR, axes={"enum": ["x", "y", "z", "xy", "xz", "yz"]}, beside={"type": "number", "exclusiveMinimum": 0}, period=INDEX)
    return schema


SCHEMA = record(
    scene={"const": 1}, space={"enum": ["planar", "spatial"]}, title=TEXT, file=TEXT, text={"type": ["string", "null"]}, size={"type": "number", "exclusiveMinimum": 0},
    symbol={"type": "number", "exclusiveMinimum": 0}, up=VECTOR, units={"type": "object", "additionalProperties": TEXT},
    bodies=listed(record(name=TEXT, at=VECTOR, turn=TURN, particle=TRUTH, mass={"type": ["number", "null"]}, centroid=VECTOR, line=LINE)),
    markers=listed(record(name=TEXT, on=INDEX, at=VECTOR, turn=TURN)),
    things=listed(record(kind={"enum": ["joint", "drive", "constraint", "load", "stop", "coordinate"]}, name=TEXT, type=TEXT, line=LINE, markers={"anyOf": [PAIR, {"type": "null"}]},
                         axes=OPTIONAL, point=OPTIONAL, figure=OPTIONAL)),
    figures=listed({"oneOf": [figure_schema(kind) for kind in SHAPES]}),
    virtual_motions={"anyOf": [{"type": "null"}, listed(record(name=TEXT, freedom=TEXT, unit=TEXT, rate={"type": ["number", "null"]}, bodies={
        "type": "object", "additionalProperties": record(velocity=VECTOR, angular={"anyOf": [VECTOR, {"type": "number"}]})}))]},
    failure={"anyOf": [{"type": "null"}, record(text=TEXT, gaps=listed(record(**{"of": INDEX, "from": VECTOR, "to": VECTOR, "length": SIZE, "angle": SIZE})), loop=listed(INDEX))]})


def rotated(p, v):
    """v turned by the quaternion p, from the sandwich product p v p*"""
    w, (x, y, z) = p[0], p[1:]
    u = np.array([x, y, z])
    t = 2 * np.cross(u, v)
    return v + w * t + np.cross(u, t)


class Picture:
    """A scene with its series: places in ground's axes."""

    def __init__(self, done):
        self.scene, self.series, self.space = done.scene, done.series, done.scene["space"]
        self.samples = len(done.series.get("time", [])) or 1

    def pose(self, body, sample):
        b = self.scene["bodies"][body]
        at, turn = np.array(b["at"], float), np.array(b["turn"], float)
        if body == 0 or b["name"] + ".x" not in self.series:
            return at, turn
        read = lambda part: self.series[f"{b['name']}.{part}"][sample]      # noqa: E731
        at[:2] = read("x"), read("y")
        if self.space == "spatial":
            at[2] = read("z")
        if b["particle"]:
            return at, turn
        if self.space == "spatial":
            return at, np.array([read("q" + c) for c in "wxyz"])
        half = read("angle") / 2
        return at, np.array([np.cos(half), 0, 0, np.sin(half)])

    def point(self, body, local, sample):
        at, turn = self.pose(body, sample)
        return at + rotated(turn, np.array(local, float))

    def direction(self, body, local, sample):
        return rotated(self.pose(body, sample)[1], np.array(local, float))

    def marker(self, index, sample):
        m = self.scene["markers"][index]
        return self.point(m["on"], m["at"], sample)

    def marker_axis(self, index, local, sample):
        m = self.scene["markers"][index]
        return self.direction(m["on"], rotated(np.array(m["turn"]), np.array(local, float)), sample)

    def thing(self, name):
        index = next(k for k, t in enumerate(self.scene["things"]) if t["name"] == name)
        return index, self.scene["things"][index]

    def of(self, name, *kinds):
        """figures of a thing, all kinds or these"""
        index, _ = self.thing(name)
        return [f for f in self.scene["figures"] if f["of"] == index and (not kinds or f["kind"] in kinds)]

    def places(self, figure, sample):
        """the figure's points"""
        on = figure["on"] if isinstance(figure["on"], list) else [figure["on"]] * 2
        if "points" in figure or "vertices" in figure:
            return [self.point(on[0], p, sample) for p in figure.get("points", figure.get("vertices"))]
        if "from" in figure:
            return [self.point(on[0], figure["from"], sample), self.point(on[1], figure["to"], sample)]
        return [self.point(on[0], figure["at"], sample)]

    def middle(self, figure, sample):
        return np.mean(self.places(figure, sample), axis=0)
