"""Models as dicts: their text for the library, with the key path of each line, and back."""
from __future__ import annotations

import json
import math
import numbers
from typing import Any, Dict, List, Mapping, Tuple

import numpy as np

from .errors import Diagnostic, ModelError

#: Nesting above which a dict is no model.
DEEPEST = 60


def refuse(path: str, message: str) -> ModelError:
    """The error of a value that no model can have."""
    return ModelError(f"{path or 'model'}: error: {message}", [Diagnostic("error", "", 0, 0, message, path)])


def scalar(value: object, path: str) -> str:
    """A number, text, truth value or None as YAML."""
    if value is None:
        return "null"
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, str):
        if any(ord(c) < 32 and c not in "\t\n\r" for c in value):
            raise refuse(path, "the text has control characters")
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, numbers.Integral):
        return str(int(value))
    if isinstance(value, numbers.Real):
        number = float(value)
        if not math.isfinite(number):
            raise refuse(path, f"{number} is no value of a model")
        return repr(number)
    raise refuse(path, f"a {type(value).__name__} is no value of a model; there are numbers, texts, lists and dicts")


def is_list(value: object) -> bool:
    """A list, tuple, range or array of at least one dimension."""
    return isinstance(value, (list, tuple, range)) or (isinstance(value, np.ndarray) and value.ndim > 0)


def plain(value: Any, path: str, depth: int = 0) -> Any:
    """`value` of dicts, lists and scalars of Python alone, its own copy."""
    if depth > DEEPEST:
        raise refuse(path[:80], f"nested more than {DEEPEST} deep; does it contain itself?")
    if isinstance(value, Mapping):
        copy: Dict[str, Any] = {}
        for key, item in value.items():
            if not isinstance(key, str):
                raise refuse(path, f"a key must be a text, not {type(key).__name__}")
            copy[key] = plain(item, f"{path}.{key}" if path else key, depth + 1)
        return copy
    if hasattr(value, "__array__") and not isinstance(value, (np.ndarray, np.generic)):  # a Series
        value = np.asarray(value)
    if isinstance(value, np.ndarray) and value.dtype.kind in "biuf":
        if value.dtype.kind == "f" and not np.isfinite(value).all():
            raise refuse(path, "an array with nan or inf is no value of a model")
        return value.tolist()
    if is_list(value):
        return [plain(item, f"{path}[{k}]", depth + 1) for k, item in enumerate(value)]
    if isinstance(value, np.generic):
        value = value.item()
    scalar(value, path)
    return value


def flow(value: Any, path: str) -> str:
    """A value on one line."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(k, ensure_ascii=False)}: {flow(v, path)}" for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(flow(v, path) for v in value) + "]"
    return scalar(value, path)


def table_file(name: str) -> str:
    """Name of the file of a table of numbers; a wrong name is refused by the library."""
    return "table " + "".join(c if c.isalnum() or c == "_" else f"-{ord(c):x}" for c in name)[:200] + ".csv"


def tables_of(model: Dict[str, Any]) -> Tuple[Dict[str, Any], Dict[str, str]]:
    """The model with tables of numbers as tables of files, and the texts of these files by the names of the tables.

    A table of numbers has lists as `x` and `y`, no file, and perhaps `units`, a list of two."""
    given = model.get("tables")
    if not isinstance(given, dict):
        return model, {}
    files: Dict[str, str] = {}
    tables = dict(given)
    for name, table in given.items():
        if not isinstance(table, dict) or all(isinstance(table.get(axis, ""), str) for axis in "xy"):
            continue
        path = f"tables.{name}"
        x, y, units = table.get("x"), table.get("y"), table.get("units", ["", ""])
        if "file" in table:
            raise refuse(path, "a table of numbers has no file")
        for axis, column in (("x", x), ("y", y)):
            if not isinstance(column, list) or not all(isinstance(v, (int, float)) and v is not True for v in column):
                raise refuse(f"{path}.{axis}", f"the {axis} of a table of numbers is a list of numbers")
        assert isinstance(x, list) and isinstance(y, list)
        if len(x) != len(y) or len(x) < 2:
            raise refuse(path, f"x and y of a table have as many numbers, two or more, and not {len(x)} and {len(y)}")
        if not isinstance(units, list) or len(units) != 2 or not all(isinstance(u, str) for u in units):
            raise refuse(f"{path}.units", "the units of a table are two texts: ['deg', 'mm']")
        head = [word + (f" [{unit}]" if unit else "") for word, unit in zip("xy", units)]
        rows = [f"{float(a)!r},{float(b)!r}" for a, b in zip(x, y)]
        files[name] = "\n".join([",".join(head), *rows]) + "\n"
        tables[name] = {**{k: v for k, v in table.items() if k not in ("x", "y", "units")}, "file": table_file(name),
                        "x": "x", "y": "y"}
    return {**model, "tables": tables}, files


def to_text(model: Mapping[str, Any]) -> Tuple[str, List[str], Dict[str, str]]:
    """YAML of a model, the key path of each of its lines, and the files of its tables of numbers."""
    lines: List[str] = []
    paths: List[str] = []
    whole, files = tables_of(plain(model, ""))
    made = {f"tables.{name}.file": f"tables.{name}" for name in files}  # there is no such key

    def write(value: Mapping[str, Any], path: str, indent: str) -> None:
        for key, item in value.items():
            here = f"{path}.{key}" if path else key
            name = indent + json.dumps(key, ensure_ascii=False) + ":"
            paths.append(made.get(here, here))
            if isinstance(item, dict) and item:
                lines.append(name)
                write(item, here, indent + "  ")
            else:
                lines.append(f"{name} {flow(item, here)}")

    write(whole, "", "")
    return "\n".join(lines) + "\n", paths, files
