"""What analyses are given besides options: functions of the caller, progress, starts, recorded and given motions."""
from __future__ import annotations

import os
import sys
import threading
from contextlib import contextmanager
from typing import Any, Iterator, List, Mapping, Optional, Tuple

import numpy as np

from ._library import c_text, ffi, lib, text_of
from .errors import Messages, check
from .options import Call, quantity, real


class Stray:
    """What a signal's handler raises while the library calls us, outside the functions' own try: kept for the end of the call on
    this thread, which raises it."""

    own = threading.local()

    @classmethod
    def keep(cls, kind: Any, error: BaseException, trace: Any) -> None:
        """For ffi.def_extern; the function returns what stands for an error."""
        cls.own.error = error

    @classmethod
    def take(cls) -> Optional[BaseException]:
        """The error kept, if there is one."""
        return cls.own.__dict__.pop("error", None)


class UserFunction:
    """A function of the caller that expressions of the model call."""

    def __init__(self, name: str, given: Any) -> None:
        if not (isinstance(given, tuple) and len(given) in (2, 3) and callable(given[0])
                and all(isinstance(n, int) for n in given[1:]) and 1 <= given[1] <= 8 and given[2:] in ((), (0,), (1,), (2,))):
            raise ValueError(f"function {name!r} must be (callable, number of arguments), from 1 to 8, or (callable, number, "
                             f"derivatives), from 0 to 2, not {given!r}")
        self.name = name
        self.call, self.count = given[0], given[1]
        self.derivatives = given[2] if len(given) == 3 else 0
        self.text = c_text(name, "the name of a function")
        self.handle = ffi.new_handle(self)
        self.pending: Optional[BaseException] = None

    def fill(self, to: Any) -> None:
        """The function for the library."""
        to.name, to.argument_count, to.derivatives = self.text, self.count, self.derivatives
        to.evaluate, to.context = lib.rbv_py_function, self.handle

    def evaluate(self, x: Any, gradient: Any, hessian: Any) -> float:
        """The value; an exception is kept, and there is no value then or later."""
        if self.pending is not None:
            return float("nan")
        try:
            found = self.call(*[x[k] for k in range(self.count)])
            try:
                if self.derivatives == 0:
                    return float(found)
                parts = [real(part, self.name).astype(float).ravel() for part in found]
                if len(parts) != self.derivatives + 1 or any(p.size != self.count**k for k, p in enumerate(parts)):
                    raise ValueError
            except (TypeError, ValueError) as error:
                what = ("a number", "(value, gradient)", "(value, gradient, hessian)")[self.derivatives]
                raise type(error)(f"function {self.name!r} must return {what}, not {found!r}") from None
            for to, part in zip((gradient, hessian), parts[1:]):
                if to != ffi.NULL:
                    ffi.buffer(to, 8 * part.size)[:] = part.tobytes()
            return float(parts[0][0])
        except BaseException as error:  # raised again when the analysis has ended
            self.pending = error
            return float("nan")

    def raise_pending(self) -> None:
        """Raise what the function, or a signal, has raised."""
        error, self.pending = self.pending, None
        error = Stray.take() or error
        if error is not None:
            raise error


@ffi.def_extern(error=float("nan"), onerror=Stray.keep)  # type: ignore[misc]
def rbv_py_function(context: Any, x: Any, gradient: Any, hessian: Any) -> float:
    """Called by the library, on any thread."""
    function: UserFunction = ffi.from_handle(context)
    return function.evaluate(x, gradient, hessian)


class Watch:
    """Progress of a call: signals, and the caller's function, some twenty times a second."""

    def __init__(self, call: Call) -> None:
        if not (call.progress is None or isinstance(call.progress, bool) or callable(call.progress)):
            raise ValueError(f"progress must be True or a function of the share done, not {call.progress!r}")
        self.progress = call.progress
        self.pending: Optional[BaseException] = None
        self.handle = ffi.new_handle(self)
        self.own = ffi.new("RbvPyWatch *")
        self.own.call = self.handle
        call.options.progress = ffi.addressof(lib, "rbv_py_watch")
        call.options.context = self.own
        call.keep.append(self)

    def ask(self, share: float) -> bool:
        """Shall the analysis go on?"""
        if self.progress is True:
            done = "" if share != share else f"{100 * share:3.0f} %"
            print(f"\rroberval: {done}", end="", file=sys.stderr, flush=True)
        elif callable(self.progress):
            return self.progress(share) is not False
        return True

    def raise_pending(self, result: Any = None) -> None:
        """Raise what the caller's function, or a signal, has raised."""
        if self.progress is True:
            print("\r" + " " * 20 + "\r", end="", file=sys.stderr, flush=True)
        error, self.pending = self.pending, None
        error = Stray.take() or error
        if isinstance(error, KeyboardInterrupt):
            from .errors import Interrupted
            interrupted = Interrupted("interrupted")
            interrupted.result = result
            raise interrupted from None
        if error is not None:
            raise error


@ffi.def_extern(error=False, onerror=Stray.keep)  # type: ignore[misc]
def rbv_py_ask(call: Any, share: float) -> bool:
    """Called by the library while an analysis runs, on its thread."""
    watch: Watch = ffi.from_handle(call)
    try:
        return not hasattr(Stray.own, "error") and watch.ask(share)
    except BaseException as error:
        watch.pending = error
        return False


def columns_of(data: Any, what: str) -> Tuple[List[str], "np.ndarray[Any, Any]"]:
    """Names and values [samples][names] of a result, a DataFrame or a dict of arrays; the time is the first of them."""
    if hasattr(data, "columns") and hasattr(data, "index"):  # a DataFrame
        pairs = [(name, data.iloc[:, k]) for k, name in enumerate(data.columns)]
        if not any(_is_time(name) for name, _ in pairs):
            pairs.insert(0, ("time", data.index))
    elif isinstance(data, Mapping):
        pairs = list(data.items())
    else:
        raise ValueError(f"{what} must be a file, a folder, a result, a DataFrame or a dict of arrays, "
                         f"not a {type(data).__name__}")
    pairs.sort(key=lambda pair: not _is_time(pair[0]))
    columns: List[Any] = []
    for name, given in pairs:
        if not isinstance(name, str):
            raise ValueError(f"{what}: the name of a column must be a text, not {name!r}")
        column = np.atleast_1d(real(given, f"{what}: column '{name}'")).astype(float)
        if column.ndim != 1 or (columns and column.shape != columns[0].shape):
            raise ValueError(f"{what}: column '{name}' has the shape {column.shape}; columns have one number for each row")
        columns.append(column)
    return [name for name, _ in pairs], np.column_stack(columns) if columns else np.zeros((0, 0))


def _is_time(name: object) -> bool:
    return isinstance(name, str) and name.partition("[")[0].strip() == "time"


def si_columns_of(data: Any, what: str) -> Tuple[List[str], "np.ndarray[Any, Any]"]:
    """The same with names without units, and values in SI."""
    names, values = columns_of(data, what)
    for k, name in enumerate(names):
        names[k], _, rest = name.partition("[")
        if rest:
            names[k] = names[k].strip()
            values[:, k] *= quantity("1 " + rest.partition("]")[0], "", f"{what}: column '{name}'")
    return names, np.ascontiguousarray(values)


def is_path(value: object) -> bool:
    """A text or a path."""
    return isinstance(value, (str, os.PathLike))


@contextmanager
def opened(call: Call, compiled: Any, messages: Messages) -> Iterator[None]:
    """Start, recording and given motion of a call, open while it runs."""
    ends: List[Any] = []
    try:
        if call.start is not None:
            _open_start(call, messages, ends)
        if call.motion is not None:
            _open_motion(call, messages, ends)
        if call.record is not None:
            _open_record(call, compiled, messages, ends)
        if call.motors is not None:
            _open_catalogue(call, messages, ends)
        yield
    finally:
        for end in ends:
            end()


def _open_start(call: Call, messages: Messages, ends: List[Any]) -> None:
    out = ffi.new("RbvStart **")
    given, t = call.start, float("nan")
    if isinstance(given, tuple) and len(given) == 2:
        given, t = given[0], quantity(given[1], "s", "start")
    if is_path(given):
        text = os.fspath(given)
        if isinstance(text, str) and "@" in text and "/" not in text[text.rindex("@"):]:
            text, _, at = text.rpartition("@")
            t = quantity(at, "s", "start")
        if not os.path.isfile(text):
            check(lib.rbv_start_read(c_text(text, "start"), t, messages.pointer, out), messages.all(), "start")
            ends.append(lambda: lib.rbv_start_destroy(out[0]))
            call.options.start = out[0]
            return
        names, values = _read_table(text, messages)
    else:
        names, values = si_columns_of(given, "start")
    if len(values) == 0 or names[:1] != ["time"]:
        raise ValueError("start wants columns with time, one row or more")
    row = len(values) - 1 if t != t else int(np.argmin(np.abs(values[:, 0] - t)))
    if abs(values[row, 0] - t) > 1e-9 * np.abs(values[:, 0]).max():  # equal but for rounding
        raise ValueError(f"start has no row at {t:.9g} s; the nearest is at {values[row, 0]:.9g} s")
    texts = call.texts(names, "start")
    numbers = ffi.new("double[]", [float(v) for v in values[row]])
    start = ffi.new("RbvStart *")
    name = c_text("start", "start")
    setattr(start, "from", name)
    start.t, start.count, start.names, start.values = float(values[row, 0]), len(names), texts.array, numbers
    call.keep += [start, numbers, name]
    call.options.start = start


def _read_table(path: str, messages: Messages) -> Tuple[List[str], "np.ndarray[Any, Any]"]:
    """Names and values of a file like series.csv, in SI."""
    out = ffi.new("RbvGivenMotion **")
    status = lib.rbv_given_motion_read(c_text(path, "start"), float("nan"), float("nan"), messages.pointer, out)
    check(status, messages.all(), "start")
    of = out[0]
    values = np.frombuffer(ffi.buffer(of.values, 8 * of.samples * of.count), float).reshape(of.samples, of.count).copy()
    names = [text_of(of.names[k]) for k in range(of.count)]
    lib.rbv_given_motion_destroy(of)
    return names, values


def _open_motion(call: Call, messages: Messages, ends: List[Any]) -> None:
    out = ffi.new("RbvGivenMotion **")
    if is_path(call.motion):
        status = lib.rbv_given_motion_read(c_text(call.motion, "motion"), getattr(call.options, "from"), call.options.to,
                                           messages.pointer, out)
        check(status, messages.all(), "motion")
        ends.append(lambda: lib.rbv_given_motion_destroy(out[0]))
        call.options.inverse.prescribed = out[0]
        return
    names, values = si_columns_of(call.motion, "motion")
    texts = call.texts(names, "motion")
    motion = ffi.new("RbvGivenMotion *")
    name = c_text("motion", "motion")
    setattr(motion, "from", name)
    motion.count, motion.samples, motion.names = len(names), len(values), texts.array
    motion.values = ffi.cast("double *", ffi.from_buffer(values)) if values.size else ffi.NULL
    call.keep += [motion, values, name]
    call.options.inverse.prescribed = motion


def _open_record(call: Call, compiled: Any, messages: Messages, ends: List[Any]) -> None:
    if not is_path(call.record):
        path = _table_file(call.record, ends)
        messages.names[path] = "record"
    else:
        path = os.fspath(call.record)
        if os.path.isdir(path):
            path = os.path.join(path, "series.csv")
    out = ffi.new("RbvRecording **")
    status = lib.rbv_recording_open(compiled.model, c_text(path, "record"), messages.pointer, out)
    check(status, messages.all(), "record")
    ends.append(lambda: lib.rbv_recording_destroy(out[0]))
    call.options.recording = out[0]


def _table_file(data: Any, ends: List[Any]) -> str:
    """A file of columns, deleted when the call ends; headings without a unit are in SI."""
    import tempfile
    names, values = columns_of(data, "record")
    with tempfile.NamedTemporaryFile("w", suffix=".csv", delete=False) as file:
        heads = [name if "[" in name else name + " [SI]" for name in names]
        file.write(",".join(f'"{head}"' if "," in head else head for head in heads) + "\n")
        for row in values.tolist():
            file.write(",".join(map(repr, row)) + "\n")
    ends.append(lambda: os.unlink(file.name))
    return file.name


def _catalogue_file(data: Any, what: str, ends: List[Any]) -> str:
    """A file with the columns of a DataFrame or a dict, which may hold texts."""
    import csv
    import tempfile
    pairs = list(data.items()) if hasattr(data, "items") else None
    if not pairs or not all(isinstance(name, str) for name, _ in pairs):
        raise ValueError(f"{what} must be a file, a DataFrame or a dict of columns, not {data!r}")
    columns = [[text if isinstance(text, str) else repr(float(text)) for text in column] for _, column in pairs]
    if len({len(column) for column in columns}) != 1:
        raise ValueError(f"{what}: columns have one value for each row")
    with tempfile.NamedTemporaryFile("w", suffix=".csv", delete=False, newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([[name for name, _ in pairs], *zip(*columns)])
    ends.append(lambda: os.unlink(file.name))
    return file.name


def _open_catalogue(call: Call, messages: Messages, ends: List[Any]) -> None:
    motors, gears = call.motors, call.gears
    if not is_path(motors):
        motors = _catalogue_file(motors, "motors", ends)
    if isinstance(gears, (list, tuple, np.ndarray)):
        gears = ",".join(repr(quantity(gear, "", "gears")) for gear in gears)
    elif gears is not None and not is_path(gears):
        gears = _catalogue_file(gears, "gears", ends)
    out = ffi.new("RbvCatalogue **")
    status = lib.rbv_catalogue_read(c_text(motors, "motors"), ffi.NULL if gears is None else c_text(gears, "gears"),
                                    messages.pointer, out)
    check(status, messages.all(), "motors")
    ends.append(lambda: lib.rbv_catalogue_destroy(out[0]))
    call.options.sizing.catalogue = out[0]
