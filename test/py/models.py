"""Model files as text with places: every example of the repository, its keys and scalars by line (for lines_test and schema_test).
Needs PyYAML for the places (python3-yaml); values are read by the YAML 1.2 core schema, not PyYAML's 1.1 rules."""
import glob
import math
import os
import re

import cli

try:
    import yaml
    LOADER = getattr(yaml, "CBaseLoader", yaml.BaseLoader)                    # libyaml's, where PyYAML has it: the same marks in a sixth of the time
except ImportError:                                                           # the tests that need places then skip
    yaml = None

INT, FLOAT = re.compile(r"[-+]?\d+$"), re.compile(r"[-+]?(\.\d+|\d+(\.\d*)?)([eE][-+]?\d+)?$")

# keys that are the user's names: path (with * for any name) of the map whose keys they are
NAMED = {("bodies",), ("bodies", "*", "markers"), ("joints",), ("coordinates",), ("constraints",), ("drives",), ("loads",), ("parameters",), ("tables",), ("output",), ("initial",), ("stops",), ("states",), ("events",), ("track", "require"), ("track", "actuators"), ("generalized", "coordinates")}
# scalars with a dimension -> a quantity of another dimension
WRONG = {"mass": "1 m", "inertia": "1 kg", "at": "1 kg", "angle": "1 kg", "centroid": "1 kg", "gravity": "1 kg", "stiffness": "1 kg", "free_length": "1 kg",
         "damping": "1 kg", "free_angle": "1 kg", "length": "1 kg", "radii": "1 kg", "radius": "1 kg", "density": "1 m", "thickness": "1 kg", "from": "1 kg",
         "to": "1 kg", "step": "1 kg", "pressure_angle": "1 kg", "width": "1 kg", "height": "1 kg", "base": "1 kg"}


def core(text):
    """A plain scalar by the YAML 1.2 core schema."""
    if text in ("", "~", "null", "Null", "NULL"):
        return None
    if text in ("true", "True", "TRUE"):
        return True
    if text in ("false", "False", "FALSE"):
        return False
    if INT.match(text):
        return int(text)
    if re.match(r"0x[0-9a-fA-F]+$|0o[0-7]+$", text):
        return int(text, 0)
    if FLOAT.match(text):
        return float(text)
    if re.match(r"[-+]?\.(inf|Inf|INF)$", text):
        return -math.inf if text[0] == "-" else math.inf
    if text in (".nan", ".NaN", ".NAN"):
        return math.nan
    return text


def data(node):
    if isinstance(node, yaml.MappingNode):
        return {k.value: data(v) for k, v in node.value}
    if isinstance(node, yaml.SequenceNode):
        return [data(v) for v in node.value]
    return node.value if node.style in ("'", '"', "|", ">") else core(node.value)


def load(text):
    return data(yaml.compose(text, Loader=LOADER))


class Place:
    """A key or scalar of the file: path (tuple), node, and its parent's path."""

    def __init__(self, path, node, kind, value=None):
        self.path, self.node, self.kind, self.value = path, node, kind, value

    @property
    def line(self):
        return self.node.start_mark.line + 1

    def replace(self, text, new):
        start = self.node.start_mark.index
        anchor = re.match(r"&\w+\s+", text[start:])                           # kept: its aliases are not broken
        return text[:start] + (anchor[0] if anchor else "") + new + text[self.node.end_mark.index:]


def star(path):
    """The path with the user's names replaced by *."""
    out = []
    for k in path:
        out.append("*" if tuple(out) in NAMED else k)
    return tuple(out)


def places(text):
    """All keys that the format knows, all scalars and all lists, in the order of the file."""
    out, seen = [], set()

    def walk(node, path):
        if id(node) in seen:                                                  # an alias: the place is its anchor's
            return
        seen.add(id(node))
        if isinstance(node, yaml.MappingNode):
            for k, v in node.value:
                if star(path) not in NAMED:
                    out.append(Place(path + (k.value,), k, "key", v))
                walk(v, path + (k.value,))
        elif isinstance(node, yaml.SequenceNode):
            out.append(Place(path, node, "list"))
            for i, v in enumerate(node.value):
                walk(v, path + (i,))
        else:
            out.append(Place(path, node, "scalar"))
    walk(yaml.compose(text, Loader=LOADER), ())
    return out


def is_model(text):
    return re.search(r"^[\"']?roberval[\"']?\s*:", text, re.M) is not None


def examples():
    """{name: (folder, text)}: all model files below examples/."""
    out = {}
    for path in sorted(glob.glob(os.path.join(cli.ROOT, "examples", "**", "*.yaml"), recursive=True)):
        with open(path, encoding="utf-8") as f:
            text = f.read()
        if is_model(text):
            out[os.path.relpath(path, cli.ROOT)] = (os.path.dirname(path), text)
    return out


def acceptance():
    """The acceptance models where they are at hand (ROBERVAL_ACCEPTANCE or ../shared/acceptance)."""
    root = os.environ.get("ROBERVAL_ACCEPTANCE", os.path.join(cli.ROOT, "..", "shared", "acceptance"))
    out = {}
    for path in sorted(glob.glob(os.path.join(root, "*", "*.yaml"))):
        with open(path, encoding="utf-8") as f:
            text = f.read()
        if is_model(text):
            out["acceptance/" + os.path.relpath(path, root)] = (os.path.dirname(path), text)
    return out
