"""Results: columns as read-only arrays with units, verdicts and errors, and all that result.json holds."""
from __future__ import annotations

import fnmatch
import json
import os
from typing import TYPE_CHECKING, Any, Dict, Iterator, List, Mapping, Optional, Tuple, Union

import numpy as np

from . import show
from ._library import Texts, c_text, ffi, lib, take_text, text_of
from .errors import Messages, check
from .options import whole

if TYPE_CHECKING:  # pragma: no cover
    import numpy.typing as npt

    FloatArray = npt.NDArray[np.float64]

#: Words of verdicts, from good to bad.
VERDICTS = ("free", "unique", "compliance", "unsure", "not unique")


class _Memory:
    """The samples of a result as numpy sees them; they live as long as an array refers to this object."""

    def __init__(self, owner: Any, address: int, samples: int, width: int, stride: int) -> None:
        self.owner = owner
        self.__array_interface__ = {"version": 3, "typestr": "<f8", "data": (address, True), "shape": (samples, width),
                                    "strides": (8 * stride, 8)}


class Column(np.ndarray):  # type: ignore[type-arg]
    """A column of a result: a read-only array, a number for each sample, in SI.

    A part of it, `c[2:4]`, is a column with the verdicts of these samples. Arithmetic with it gives plain arrays."""

    name: str  #: as in series.csv, without unit
    unit: str  #: SI; "" for a pure number
    error: float  #: estimated rounding error of the values, at the worst sample; nan: not estimated
    _worst: str
    _result: Any
    _index: int
    _samples: Any  # which samples of the result: numbers, or ... for all; None: not known

    def __array_finalize__(self, obj: Any) -> None:
        if obj is not None:
            for key, default in (("name", ""), ("unit", ""), ("error", float("nan")), ("_worst", ""), ("_result", None),
                                 ("_index", -1)):
                setattr(self, key, getattr(obj, key, default))
            self._samples = None

    def __getitem__(self, key: Any) -> Any:
        found = super().__getitem__(key)
        if isinstance(found, Column):
            own = self._samples
            found._samples = np.arange(self.size)[key] if own is ... else None if own is None else own[key]
        return found

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        def plain(x: Any) -> Any:
            return x.view(np.ndarray) if isinstance(x, Column) else x

        given = kwargs.get("out")
        kwargs.update({key: tuple(map(plain, x)) if key == "out" else plain(x) for key, x in kwargs.items()})
        found = getattr(ufunc, method)(*map(plain, inputs), **kwargs)
        return given[0] if given and len(given) == 1 and given[0] is not None else found

    def __array_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
        value = super().__array_function__(func, types, args, kwargs)
        return value.view(np.ndarray) if isinstance(value, Column) else value

    def __reduce__(self) -> Any:
        return self.view(np.ndarray).copy().__reduce__()

    @property
    def value(self) -> float:
        """The number of a column of one sample. ValueError: there are more."""
        if self.size != 1:
            raise ValueError(f"{self.name} has {self.size} samples; value is that of a single one")
        return float(self.flat[0])

    @property
    def verdicts(self) -> "npt.NDArray[np.str_]":
        """The verdict at each sample, as words. ValueError: it is not known which samples an array made of a column has."""
        words: "npt.NDArray[np.str_]" = np.array(VERDICTS)[self._codes()]
        return words

    @property
    def verdict(self) -> str:
        """The worst verdict of its samples: one of VERDICTS; "" for columns that are not reactions."""
        return VERDICTS[self._codes().max()] if self._worst and self._samples is not ... and self.size else self._worst

    def _codes(self) -> Any:
        if self._samples is None:
            raise ValueError("this array is made of a column: which samples it has is not known; slices of columns know it")
        count = self._result._counts.samples
        codes = np.empty(max(count, 1), np.uint8)
        lib.rbv_result_verdicts(self._result._pointer, self._index, ffi.from_buffer("uint8_t[]", codes))
        return codes[:count][self._samples]


class Result(Mapping[str, Column]):
    """What an analysis found: `r["motor.effort"]` is a column. In a notebook it shows its tables."""

    def __init__(self, pointer: Any, view: Optional[Dict[str, Any]] = None) -> None:
        self._pointer: Any = ffi.gc(pointer, lib.rbv_result_destroy)
        self._view = view or {}
        self._counts = lib.rbv_result_counts(pointer)
        self._names: Dict[str, int] = {}
        self._json: Optional[Dict[str, Any]] = None
        for k in range(self._counts.columns):
            self._names.setdefault(text_of(lib.rbv_result_column(pointer, k).name), k)
        first = lib.rbv_result_column(pointer, 0)
        self._data: Optional[FloatArray] = None
        if first.values != ffi.NULL:
            address = int(ffi.cast("uintptr_t", first.values))
            memory = _Memory(self._pointer, address, self._counts.samples, self._counts.columns, first.stride)
            self._data = np.asarray(memory)

    # ---- columns ----

    def __getitem__(self, name: str) -> Any:
        """The column of that name; with '*' or '?' in the name a list of the columns it fits."""
        if not isinstance(name, str):
            raise KeyError(name)
        if name not in self._names:
            if "*" in name or "?" in name:
                return [self._column(self._names[n]) for n in self._names if fnmatch.fnmatchcase(n, name)]
            near = show.nearest(name, list(self._names))
            raise KeyError(f"the result has no column '{name}'" + (f"; did you mean '{near}'?" if near else ""))
        return self._column(self._names[name])

    def _column(self, k: int) -> Column:
        of = lib.rbv_result_column(self._pointer, k)
        data = self._data[:, k] if self._data is not None else np.zeros(0)
        column = data.view(Column)
        column.name, column.unit, column.error = text_of(of.name), text_of(of.unit), float(of.error)
        column._worst = VERDICTS[of.verdict] if of.judged else ""
        column._result, column._index, column._samples = self, k, ...
        column.flags.writeable = False
        return column

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def __contains__(self, name: object) -> bool:
        return name in self._names

    __eq__ = object.__eq__  # two results are the same or not; columns are compared by numpy
    __hash__ = object.__hash__

    @property
    def index(self) -> Column:
        """Column 0: the time, or the parameter that is followed."""
        return self._column(0)

    @property
    def time(self) -> Column:
        """The time [s] of each sample."""
        return self["time"]  # type: ignore[no-any-return]

    @property
    def verdicts(self) -> Dict[str, str]:
        """The worst verdict of each reaction, effort and output of these."""
        found = {}
        for name, k in self._names.items():
            of = lib.rbv_result_column(self._pointer, k)
            if of.judged:
                found[name] = VERDICTS[of.verdict]
        return found

    # ---- what result.json holds ----

    @property
    def json(self) -> Dict[str, Any]:
        """All of result.json: numbers in SI, null where there is none."""
        if self._json is None:
            self._json = json.loads(take_text(lib.rbv_result_text(self._pointer, lib.RBV_TEXT_JSON, ffi.NULL)))
        return self._json

    def _member(self, *names: str) -> Any:
        return next((self.json[name] for name in names if name in self.json), None)

    @property
    def notes(self) -> List[str]:
        """Notes of the model and of the analysis, each once."""
        return list(self._member("notes") or [])

    @property
    def audit(self) -> Any:
        """How well the numbers satisfy the laws of mechanics."""
        return self._member("audit")

    @property
    def mobility(self) -> Any:
        """Coordinates, rows, rank, degrees of freedom."""
        return self._member("mobility")

    @property
    def self_stress(self) -> Any:
        """Independent self-stresses: lists of shares."""
        return self._member("self_stress")

    @property
    def sums(self) -> Any:
        """Sums of components that are unique although their parts are not."""
        return self._member("groups")

    @property
    def advice(self) -> Any:
        """What would make the rest unique."""
        return self._member("advice")

    @property
    def equilibrium(self) -> Any:
        """Statics: the equilibrium with its stability."""
        return self._member("equilibrium")

    @property
    def equilibria(self) -> Any:
        """Statics with all=True: every equilibrium found."""
        return self._member("equilibria")

    @property
    def modes(self) -> Any:
        """Modes: eigenvalues, frequencies, damping, shapes."""
        return self._member("modes")

    @property
    def sizing(self) -> Any:
        """What the model rates: drives, bearings, plain, guides, screws by name, their figures with units, errors and verdicts;
        after size with motors=: choices of motors and gears. None: nothing is rated."""
        return self._member("sizing")

    @property
    def events(self) -> Any:
        """Simulate: transitions; along a parameter: folds, snap-throughs, bifurcations."""
        within = self._member("integration", "follow") or {}
        return within.get("events", [])

    @property
    def state_space(self) -> "Optional[StateSpace]":
        """Modes with inputs or outputs: x' = A x + B u, y = C x + D u."""
        pointer = lib.rbv_result_state_space(self._pointer)
        return None if pointer == ffi.NULL else StateSpace(self._pointer, pointer)

    # ---- elsewhere ----

    def to_pandas(self) -> Any:
        """A DataFrame over the time (or parameter); attrs["units"] and attrs["verdicts"]."""
        return show.to_pandas(self)

    def to_csv(self, folder: "Union[str, os.PathLike[str]]") -> None:
        """Write series.csv, result.json and so on to a folder, as --out does."""
        messages = Messages()
        with _View(self._view) as view:
            status = lib.rbv_result_write(self._pointer, c_text(folder, "folder"), view, messages.pointer)
        check(status, messages.all(), "to_csv")

    def report(self, path: "Union[str, os.PathLike[str]]") -> None:
        """Write the page of pictures, tables and curves, HTML in one file."""
        messages = Messages()
        results = ffi.new("RbvResult *[]", [self._pointer])
        with _View(self._view) as view:
            status = lib.rbv_report_write(c_text(path, "path"), results, 1, view, messages.pointer)
        if status == lib.RBV_BAD_ARGUMENT:
            raise ValueError("this result has no page: info has no pictures, nor have results along a parameter (follow=, hold=)")
        check(status, messages.all(), "report")

    def plot(self, *columns: str, ax: Any = None) -> Any:
        """Draw columns ('*' allowed) over column 0 with matplotlib; what is not unique is hatched. Returns the axes."""
        return show.plot(self, columns, ax)

    def table(self, width: int = 100) -> str:
        """The tables of the program."""
        with _View(dict(self._view, width=whole(width, "width", 1))) as view:
            return take_text(lib.rbv_result_text(self._pointer, lib.RBV_TEXT_TABLES, view))

    def __repr__(self) -> str:
        return self.table(show.page_width()).rstrip("\n")

    def _repr_html_(self) -> str:
        return show.html(self)

    def __reduce__(self) -> Any:
        raise TypeError("a Result cannot be pickled; to_pandas() or dict of its columns can")


class _View:
    """How the library shows a result, while it is written."""

    def __init__(self, what: Mapping[str, Any]) -> None:
        self.view = ffi.new("RbvView *", lib.rbv_view_default)
        self.only = Texts(what.get("only", []), "only")
        self.view.only, self.view.only_count = self.only.array, self.only.count
        self.view.width = what.get("width", 100)
        self.view.rows = what.get("rows", False)
        self.view.model_units = what.get("model_units", False)

    def __enter__(self) -> Any:
        return self.view

    def __exit__(self, *unused: object) -> None:
        return None


class StateSpace:
    """x' = A x + B u, y - at = C x + D u; matrices are read-only arrays."""

    def __init__(self, owner: Any, of: Any) -> None:
        def matrix(pointer: Any, rows: int, columns: int) -> "FloatArray":
            if rows * columns == 0:
                return np.zeros((rows, columns))
            return np.asarray(_Memory(owner, int(ffi.cast("uintptr_t", pointer)), rows, columns, columns))

        def names(signals: Any, count: int) -> Tuple[str, ...]:
            return tuple(text_of(signals[k].name) for k in range(count))

        self.states: Tuple[str, ...] = names(of.state, of.states)
        self.inputs: Tuple[str, ...] = names(of.input, of.inputs)
        self.outputs: Tuple[str, ...] = names(of.output, of.outputs)
        self.at = np.array([of.output[k].at for k in range(of.outputs)])
        self.A = matrix(of.A, of.states, of.states)
        self.B = matrix(of.B, of.states, of.inputs)
        self.C = matrix(of.C, of.outputs, of.states)
        self.D = matrix(of.D, of.outputs, of.inputs)
