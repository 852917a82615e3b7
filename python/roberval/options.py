"""Options of analyses by the names of the command line, with '_' for '-': values as there, or plain numbers in SI."""
from __future__ import annotations

import difflib
import math
import numbers
import os
from typing import Any, Callable, Dict, List, Mapping, Tuple, Union

import numpy as np

from ._library import Texts, c_text, ffi, lib

#: A value of an option.
Option = Union[None, bool, int, float, str, "os.PathLike[str]", List[Any], Tuple[Any, ...], Mapping[str, Any], Any]

COORDINATES = ("absolute", "natural", "joint", "mixed")
FRAMES = ("joint", "ground")
CRITERIA = ("default", "ranks", "svd", "qr")
BY = ("cut", "constraint", "body")
INVERSE_METHODS = ("two-step", "lagrange", "newton", "penalty", "augmented", "virtual-power", "recursive", "pseudo-inverse")
STATICS_METHODS = ("default", "energy", "lagrange", "penalty", "augmented", "virtual-power", "relaxation")
MOTION_METHODS = ("auto", "explicit", "implicit")
SORTS = ("rms", "inertia", "margin")
SIZED_BY = ("inverse", "simulate", "track", "statics")
UDWADIA = ("none", "symmetric", "cholesky")


def quantity(value: object, unit: str, name: str) -> float:
    """A number, or a text such as '10 ms', in SI."""
    if isinstance(value, str):
        out = ffi.new("double *")
        if not lib.rbv_quantity_read(c_text(value, name), c_text(unit, name) if unit else ffi.NULL, out):
            raise ValueError(f"{name} must be a number or a text with a unit{f' like {unit}' if unit else ''}, not {value!r}")
        return float(out[0])
    try:
        if isinstance(value, (numbers.Real, np.number)) and not isinstance(value, bool) and math.isfinite(float(value)):
            return float(value)
    except (OverflowError, TypeError):
        pass
    raise ValueError(f"{name} must be a number or a text with a unit{f' like {unit}' if unit else ''}, not {value!r}")


def real(value: Any, name: str) -> "np.ndarray[Any, Any]":
    """An array of real numbers, of the type it has. ValueError: it is none, or some of its numbers are masked."""
    try:
        array = np.asarray(value)
    except Exception as error:
        raise ValueError(f"{name} is no array of numbers: {error}") from None
    if array.dtype.kind not in "fiu":
        hint = "; times are numbers in s" if array.dtype.kind in "mM" else ""
        raise ValueError(f"{name} must be real numbers, not {array.dtype}{hint}")
    if isinstance(value, np.ma.MaskedArray) and bool(np.any(value.mask)):
        raise ValueError(f"{name} has masked numbers: fill them, or leave them out")
    return array


def choice(value: object, words: Tuple[str, ...], name: str) -> int:
    """The number of a word."""
    if isinstance(value, str) and value.replace("_", "-") in words:
        return words.index(value.replace("_", "-"))
    raise ValueError(f"{name} must be one of {', '.join(words)}, not {value!r}")


def flag(value: object, name: str) -> bool:
    """True or False."""
    if isinstance(value, (bool, np.bool_)):
        return bool(value)
    raise ValueError(f"{name} must be True or False, not {value!r}")


def whole(value: object, name: str, least: int = 0) -> int:
    """A whole number of the library, up to 2147483647."""
    if isinstance(value, (numbers.Integral, np.integer)) and not isinstance(value, bool) and least <= int(value) < 1 << 31:
        return int(value)
    limit = "on" if not isinstance(value, int) or value < least else "to 2147483647"
    raise ValueError(f"{name} must be a whole number from {least} {limit}, not {value!r}")


def names(value: object, name: str) -> List[str]:
    """A list of names, or a text 'a,b'."""
    items = value.split(",") if isinstance(value, str) else value
    if isinstance(items, (list, tuple)) and all(isinstance(item, str) for item in items):
        return [item.strip() for item in items]
    raise ValueError(f"{name} must be a name, a list of names or a text 'a,b', not {value!r}")


class Call:
    """What one call gives: the library's options, and all that they point to."""

    def __init__(self, analysis: str) -> None:
        self.analysis = analysis
        self.options: Any = ffi.new("RbvOptions *", lib.rbv_options_default)
        self.keep: List[Any] = []
        self.follow: str = ""
        self.hold: str = ""
        self.questions: List[str] = []
        self.only: List[str] = []
        self.rows = False
        self.model_units = False
        self.progress: object = None
        self.record: Any = None
        self.motion: Any = None
        self.motors: Any = None
        self.gears: Any = None
        self.start: Any = None

    def texts(self, items: List[str], what: str) -> Texts:
        """C strings that live as long as the call."""
        texts = Texts(items, what)
        self.keep.append(texts)
        return texts

    def list_of(self, group: Any, member: str, count: str, value: object, name: str) -> None:
        """Put names into a list of the options."""
        texts = self.texts(names(value, name), name)
        setattr(group, member, texts.array)
        setattr(group, count, texts.count)

    def system_key(self) -> Tuple[Any, ...]:
        """What the compiled system depends on."""
        tree = self.options.system.tree
        own = [[ffi.string(array[k]) for k in range(count)]
               for array, count in ((tree.cut, tree.cut_count), (tree.base, tree.base_count))]
        return (int(self.options.system.coordinates), tuple(own[0]), tuple(own[1]))


def _redundant(c: Call, value: object) -> None:
    reactions = c.options.reactions
    if isinstance(value, Mapping):
        value = "eliminate=" + ",".join(names(value.get("eliminate", []), "redundant"))
    if isinstance(value, str) and value.startswith("eliminate="):
        reactions.redundant = lib.RBV_REDUNDANT_ELIMINATE
        c.list_of(reactions, "eliminated", "eliminated_count", value[len("eliminate="):], "redundant")
        return
    kinds = {"min-norm": lib.RBV_REDUNDANT_MIN_NORM, "compliance": lib.RBV_REDUNDANT_COMPLIANCE}
    if not isinstance(value, str) or value not in kinds:
        raise ValueError(f"redundant must be min-norm, compliance or eliminate=JOINT.Fx,..., not {value!r}")
    reactions.redundant = kinds[value]


def _start(c: Call, value: object) -> None:
    if isinstance(value, str) and value == "statics":
        c.options.start_at_equilibrium = True
    else:
        c.start = value


def _motion(c: Call, value: object) -> None:
    if c.analysis == "check":
        c.options.check.along_motion = flag(value, "motion")
    else:
        c.motion = value


def _method(c: Call, value: object) -> None:
    o = c.options
    if c.analysis == "statics":
        o.statics.method = choice(value, STATICS_METHODS, "method")
    elif c.analysis == "inverse":
        o.inverse.method = choice(value, INVERSE_METHODS, "method")
    else:
        o.motion.method = choice(value, MOTION_METHODS, "method")


def _damping(c: Call, value: object) -> None:
    c.options.statics.damping = quantity(value, "1/s", "damping")
    if not c.options.statics.damping > 0:
        raise ValueError("damping must be positive")


def _positive(member: str, unit: str) -> Callable[[Call, object], None]:
    def put(c: Call, value: object) -> None:
        group, _, last = member.rpartition(".")
        number = quantity(value, "kg" if member == "penalty" and c.analysis == "inverse" else unit, last)
        if not number > 0:
            raise ValueError(f"{last} must be positive, not {value!r}")
        setattr(getattr(c.options, group) if group else c.options, last, number)
    return put


def _tolerance(c: Call, value: object) -> None:
    number = quantity(value, "", "tolerance")
    if not 1e-13 <= number <= 1e-2:
        raise ValueError(f"tolerance must be from 1e-13 to 1e-2, not {value!r}")
    c.options.motion.tolerance = number


def _samples(c: Call, value: object) -> None:
    if value != "steps":
        raise ValueError(f"samples must be 'steps', not {value!r}; step= gives samples at equal times")
    c.options.motion.every_step = True


def _reserve(c: Call, value: object) -> None:
    c.options.sizing.reserve = quantity(value, "", "reserve")
    if not c.options.sizing.reserve >= 1:
        raise ValueError(f"reserve must be at least 1, not {value!r}")


def _loads(c: Call, value: object) -> None:
    if not isinstance(value, Mapping) or not value:
        raise ValueError(f"loads must be load cases with their shares, such as {{'A': 0.7, 'B': 0.3}}, not {value!r}")
    texts = c.texts(names(list(value), "loads"), "loads")
    cases = ffi.new("RbvSizingCase[]", len(value))
    for k, share in enumerate(value.values()):
        cases[k].name, cases[k].share = texts.array[k], quantity(share, "", "loads")
    c.keep.append(cases)
    c.options.sizing.cases, c.options.sizing.case_count = cases, len(value)


def _analysis(c: Call, value: object) -> None:
    text = c.texts([SIZED_BY[choice(value, SIZED_BY, "analysis")]], "analysis")
    c.options.sizing.analysis = text.array[0]


def _threads(c: Call, value: object) -> None:
    c.options.threads = whole(value, "threads")
    if c.options.threads > 256:
        raise ValueError("threads must be 256 at most")


def _time(member: str) -> Callable[[Call, object], None]:
    def put(c: Call, value: object) -> None:
        setattr(c.options, member, quantity(value, "s", member))
    return put


def _member(group: str, member: str, convert: Callable[[object, str], Any]) -> Callable[[Call, object], None]:
    def put(c: Call, value: object) -> None:
        setattr(getattr(c.options, group), member, convert(value, member))
    return put


def _own(member: str, convert: Callable[[object, str], Any]) -> Callable[[Call, object], None]:
    def put(c: Call, value: object) -> None:
        setattr(c, member, convert(value, member))
    return put


def _text(value: object, name: str) -> str:
    if isinstance(value, str):
        return value
    raise ValueError(f"{name} must be a text, not {value!r}")


def _any(value: object, name: str) -> object:
    return value


ALL = "check assemble kinematics statics inverse simulate track size modes"
REACTIONS = "check statics inverse simulate track size"
TIMED = "check kinematics inverse simulate track size"

#: Name, analyses that take it, and how it is set.
TABLE: Dict[str, Tuple[str, Callable[[Call, Any], None]]] = {
    "from_": (ALL, lambda c, v: setattr(c.options, "from", quantity(v, "s", "from_"))),
    "to": (TIMED, _time("to")),
    "step": (TIMED, _time("step")),
    "coordinates": (ALL, lambda c, v: setattr(c.options.system, "coordinates", choice(v, COORDINATES, "coordinates"))),
    "cut": (ALL, lambda c, v: c.list_of(c.options.system.tree, "cut", "cut_count", v, "cut")),
    "base": (ALL, lambda c, v: c.list_of(c.options.system.tree, "base", "base_count", v, "base")),
    "frame": (REACTIONS, lambda c, v: setattr(c.options.reactions, "frame", choice(v, FRAMES, "frame"))),
    "redundant": (REACTIONS, _redundant),
    "norm_length": (REACTIONS, _positive("reactions.norm_length", "m")),
    "criterion": ("check", lambda c, v: setattr(c.options.reactions, "criterion", choice(v, CRITERIA, "criterion"))),
    "ask": ("check", _own("questions", lambda v, n: [v] if isinstance(v, str) else names(v, "ask"))),
    "rows": ("check", _own("rows", flag)),
    "motion": ("check inverse", _motion),
    "method": ("statics inverse simulate track", _method),
    "all": ("statics", _member("statics", "all", flag)),
    "locked": ("statics", _member("statics", "locked", flag)),
    "damping": ("statics", _damping),
    "penalty": ("statics inverse", _positive("penalty", "N/m")),
    "multipliers": ("statics inverse", _member("reactions", "multipliers", flag)),
    "follow": ("statics modes", _own("follow", _text)),
    "hold": ("statics", _own("hold", _text)),
    "balance": ("inverse", lambda c, v: c.list_of(c.options.inverse, "balance", "balance_count", v, "balance")),
    "reaction": ("inverse", lambda c, v: c.list_of(c.options.inverse, "reactions", "reaction_count", v, "reaction")),
    "by": ("inverse", lambda c, v: setattr(c.options.inverse, "by", choice(v, BY, "by"))),
    "record": ("inverse kinematics size", _own("record", _any)),
    "start": ("inverse simulate track size modes", _start),
    "tolerance": ("simulate track kinematics inverse size", _tolerance),
    "samples": ("simulate", _samples),
    "motors": ("size", _own("motors", _any)),
    "gears": ("size", _own("gears", _any)),
    "reserve": ("size", _reserve),
    "sort": ("size", lambda c, v: setattr(c.options.sizing, "sort", choice(v, SORTS, "sort"))),
    "loads": ("size", _loads),
    "analysis": ("size", _analysis),
    "modes": ("modes", lambda c, v: setattr(c.options.modes, "count", whole(v, "modes", 1))),
    "inputs": ("modes", lambda c, v: c.list_of(c.options.modes, "inputs", "input_count", v, "inputs")),
    "outputs": ("modes", lambda c, v: c.list_of(c.options.modes, "outputs", "output_count", v, "outputs")),
    "udwadia": ("assemble", lambda c, v: setattr(c.options.assembly, "udwadia", choice(v, UDWADIA, "udwadia"))),
    "null_space": ("assemble", _member("assembly", "null_space", flag)),
    "load_forces": ("assemble", _member("assembly", "load_forces", flag)),
    "threads": ("inverse kinematics size", _threads),
    "only": (ALL + " info", _own("only", names)),
    "units": (ALL + " info", lambda c, v: setattr(c, "model_units", choice(v, ("SI", "model"), "units") == 1)),
    "progress": (ALL, _own("progress", _any)),
}


def call_of(analysis: str, options: Mapping[str, Any], title: str = "") -> Call:
    """The call of keyword arguments. TypeError: the analysis, `title` in messages, has no such option; ValueError: a wrong
    value."""
    call = Call(analysis)
    for name, value in options.items():
        row = TABLE.get(name)
        if row is None or analysis not in row[0].split():
            own = [n for n, (analyses, _) in TABLE.items() if analysis in analyses.split()]
            near = difflib.get_close_matches(name, own, 1)
            hint = f"; did you mean '{near[0]}'?" if near else f"; it has {', '.join(own)}"
            raise TypeError(f"{title or analysis} has no option '{name}'{hint}")
        if value is not None:
            row[1](call, value)
    o = call.options
    if o.inverse.balance_count > 0 and o.inverse.method != lib.RBV_METHOD_NEWTON:
        raise ValueError("balance goes with method='newton': other methods solve for all of the mechanism at once")
    tree = o.system.tree.cut_count + o.system.tree.base_count
    if tree > 0 and o.system.coordinates != lib.RBV_COORDINATES_JOINT and o.inverse.method != lib.RBV_METHOD_RECURSIVE:
        raise ValueError("cut and base go with coordinates='joint' or method='recursive': elsewhere there is no tree")
    return call
