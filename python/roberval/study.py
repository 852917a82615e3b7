"""Studies: one analysis for many values of a model's parameters; and what tolerances do to reactions."""
from __future__ import annotations

import csv
import io
import json
import os
from contextlib import closing
from typing import TYPE_CHECKING, Any, Dict, Iterator, List, Mapping, NamedTuple, Optional, Sequence, Union

import numpy as np

from . import document, inputs, options
from ._library import Handle, Texts, Unique, c_text, ffi, lib, take_text, text_of
from .errors import Messages, check, warn

if TYPE_CHECKING:  # pragma: no cover
    FloatArray = np.ndarray[Any, np.dtype[np.float64]]
    TextArray = np.ndarray[Any, np.dtype[np.str_]]

Path = Union[str, "os.PathLike[str]"]


class _Options:
    """Sets the options that a study names: those of the analyses' keyword arguments."""

    def __init__(self) -> None:
        self.keywords: Dict[str, Any] = {}
        self.keep: List[Any] = []

    def set(self, analysis: str, name: str, value: str, to: Any) -> None:
        """Put one more option into the library's options; ValueError, TypeError: why not."""
        key = {"from": "from_"}.get(name, name.replace("-", "_"))
        if key in ("follow", "hold", "record", "motors", "gears", "ask", "rows", "only", "units", "progress", "threads"):
            raise ValueError(f"{name} is not taken in a study")
        given: Any = {"true": True, "false": False}.get(value, value)
        try:
            given = float(value)
        except ValueError:
            pass
        self.keywords[key] = given
        call = options.call_of(analysis, self.keywords)
        if call.start is not None or call.motion is not None:
            raise ValueError(f"{name} with a file is not taken in a study")
        self.keep.append(call)
        to[0] = call.options[0]


@ffi.def_extern(error=False, onerror=inputs.Stray.keep)  # type: ignore[misc]
def rbv_py_option(study: Any, analysis: Any, name: Any, value: Any, to: Any, why: Any, size: int) -> bool:
    """Called by the library while it reads a study."""
    own: _Options = ffi.from_handle(study)
    try:
        own.set(text_of(analysis), text_of(name), text_of(value), to)
    except (TypeError, ValueError) as error:
        words = str(error).encode()[:size - 1]
        ffi.buffer(why, size)[:len(words) + 1] = words + b"\0"
        return False
    return True


class Study(Unique):
    """A study: a file, a text or a dict (docs/studies.md).

        rb.Study("sweep.yaml").run(threads=8)["peak"]

    Of a text and a dict the model is looked for in the current folder. `path`: further folders of tables and meshes.
    `extend`: samples more than the study says. `any_size`: more than 10 million variants are meant. In a dict values are as in
    the file: of a parameter with a unit texts ("2 kg").

    >>> import os, roberval as rb, tempfile
    >>> path = os.path.join(tempfile.mkdtemp(), "weight.yaml")
    >>> with open(path, "w") as file:
    ...     _ = file.write("roberval: 1\\nspace: planar\\ngravity: [0, -9.81]\\nparameters: {M: 2 kg}\\n"
    ...                    "bodies: {b: {mass: M, inertia: 1}}\\njoints: {w: {type: fixed, between: [ground, b]}}\\n")
    >>> rows = rb.Study({"study": 1, "model": path, "analysis": "statics", "vary": {"M": {"values": ["1 kg", "3 kg"]}},
    ...                  "collect": {"F": "w.Fy"}}).run(threads=1)
    >>> [round(float(F), 2) for F in rows["F"]]
    [9.81, 29.43]
    """

    def __init__(self, source: Union[Path, Mapping[str, Any], None] = None, *, text: Optional[str] = None,
                 path: Union[Path, Sequence[Path]] = (), extend: int = 0, any_size: bool = False) -> None:
        name: Any = source
        if isinstance(source, Mapping):
            text, name = json.dumps(document.plain(source, "")), "study"
        elif text is not None:
            name = source if source is not None else "study"
        elif source is None:
            raise ValueError("a study is a path, a text= or a dict")
        try:
            folders = [path] if isinstance(path, (str, os.PathLike)) else list(path)
        except TypeError:
            raise ValueError(f"path must be a folder or a list of folders, not {path!r}") from None
        self._options = _Options()
        self._handle_of_options = ffi.new_handle(self._options)
        self._folders = Texts(folders, "path")
        data = b"" if text is None else text.encode()
        self._texts = [c_text(name, "the study"), ffi.from_buffer("char[]", data + b"\0")]
        given = ffi.new("RbvStudyInput *")
        given.path = self._texts[0]
        if text is not None:
            given.text, given.length = self._texts[1], len(data)
        given.folder_count, given.folders = self._folders.count, self._folders.array
        given.options = lib.rbv_options_default
        given.set_option, given.context = lib.rbv_py_option, self._handle_of_options
        given.extend, given.any_size = options.whole(extend, "extend"), options.flag(any_size, "any_size")
        messages, out = Messages(), ffi.new("RbvStudy **")
        status = lib.rbv_study_read(given, messages.pointer, out)
        stray = inputs.Stray.take()
        if stray is not None:
            raise stray
        check(status, messages.all(), "reading the study")
        warn(messages.all(), 3)
        self._handle = Handle(out[0], lib.rbv_study_destroy)

    @property
    def counts(self) -> Dict[str, int]:
        """Numbers of variants, parameters and quantities."""
        counts = lib.rbv_study_counts(self._handle.pointer)
        return {"variants": counts.variants, "parameters": counts.parameters, "quantities": counts.quantities}

    @property
    def parameters(self) -> Dict[str, str]:
        """Names of the parameters that vary, with the units of their values."""
        columns = [lib.rbv_study_parameter(self._handle.pointer, k) for k in range(self.counts["parameters"])]
        return {text_of(c.name): text_of(c.unit) for c in columns}

    @property
    def quantities(self) -> Dict[str, str]:
        """Names of what is collected, with their SI units."""
        columns = [lib.rbv_study_quantity(self._handle.pointer, k) for k in range(self.counts["quantities"])]
        return {text_of(c.name): text_of(c.unit) for c in columns}

    def values(self, variant: int) -> Dict[str, float]:
        """Values of the parameters in a variant, counted from 1."""
        out = ffi.new("double[]", max(1, self.counts["parameters"]))
        if not lib.rbv_study_values(self._handle.pointer, options.whole(variant, "variant"), out):
            raise IndexError(f"there is no variant {variant}; they are counted from 1 to {self.counts['variants']}")
        return dict(zip(self.parameters, out))

    def run(self, *, threads: int = 0, out: Optional[Path] = None, resume: bool = False, stop_on_failure: bool = False,
            progress: Any = None) -> "StudyResult":
        """Compute all variants. `threads` 0: as many as there are processors. `out`: a folder for study.csv, study.json and the
        journal; `resume`: compute only what its journal does not have."""
        resume, stop_on_failure = options.flag(resume, "resume"), options.flag(stop_on_failure, "stop_on_failure")
        if resume and out is None:
            raise ValueError("resume is about rows in a folder: name it by out=")
        if options.whole(threads, "threads") > 256:
            raise ValueError("threads must be 256 at most")
        pointer, messages = self._handle.pointer, Messages()
        own = ffi.new("RbvStudyFolderOptions *")
        path = None if out is None else c_text(out, "out")
        own.path = ffi.NULL if path is None else path
        own.resume, own.threads = resume, options.whole(threads, "threads")
        folder = ffi.new("RbvStudyFolder **")
        check(lib.rbv_study_folder_open(pointer, own, messages.pointer, folder), messages.all(), "opening the folder")
        call = options.Call("study")
        call.progress = progress
        watch = inputs.Watch(call)
        state = ffi.new("RbvPyStudy *")
        state.watch.call, state.folder = watch.handle, folder[0]
        asked = ffi.new("RbvStudyRun *")
        asked.threads, asked.stop_on_failure = own.threads, stop_on_failure
        asked.next, asked.row = ffi.addressof(lib, "rbv_py_study_next"), ffi.addressof(lib, "rbv_py_study_row")
        asked.go_on, asked.context = ffi.addressof(lib, "rbv_py_study_go_on"), state
        asked.kept = own.path
        with closing(Handle(folder[0], lib.rbv_study_folder_close, self._handle)):
            status = lib.rbv_study_run(pointer, asked, messages.pointer)
            watch.raise_pending()
            if status in (lib.RBV_OK, lib.RBV_NOT_WRITABLE):
                status = lib.rbv_study_folder_finish(folder[0], 0.0, messages.pointer)
            check(status, messages.all(), "study")
            warn(messages.all(), 3)
            found = lib.rbv_study_folder_progress(folder[0])
            whole = found.done == found.all
            return StudyResult(self, take_text(lib.rbv_study_folder_text(folder[0], lib.RBV_TEXT_SERIES)),
                               take_text(lib.rbv_study_folder_text(folder[0], lib.RBV_TEXT_JSON)) if whole else "null",
                               take_text(lib.rbv_study_folder_text(folder[0], lib.RBV_TEXT_TABLES)) if whole else "")


class StudyResult(Mapping[str, "FloatArray"]):
    """Rows of a study: a mapping of names of parameters and quantities to arrays over the variants.

    Parameters are in their units, quantities in SI (`units`); nan: no value. `variant` has the numbers, from 1, `status`
    "done" or why a variant failed, `message` the words, `verdicts[name]` the verdict of each value, `statistics` what
    study.json holds (None where not all variants were computed)."""

    def __init__(self, study: Study, table: str, statistics: str, page: str) -> None:
        rows = list(csv.reader(io.StringIO(table)))[1:]
        self.units: Dict[str, str] = {**study.parameters, **study.quantities}
        self.statistics: Any = json.loads(statistics)
        self.variant = np.array([int(row[0]) for row in rows], dtype=np.int64)
        self.status: "TextArray" = np.array([row[-3] for row in rows], dtype=str)
        self.message: List[str] = [row[-1] for row in rows]
        self.verdicts: Dict[str, "TextArray"] = {}
        self._columns: Dict[str, "FloatArray"] = {}
        self._page = page
        at = 1
        for name in study.parameters:
            self._columns[name] = self._numbers(rows, at)
            at += 1
        for name in study.quantities:
            self._columns[name] = self._numbers(rows, at)
            self.verdicts[name] = np.array([row[at + 1] for row in rows], dtype=str)
            at += 2

    @staticmethod
    def _numbers(rows: List[List[str]], at: int) -> "FloatArray":
        column = np.array([float(row[at]) if row[at] else np.nan for row in rows], dtype=float)
        column.setflags(write=False)
        return column

    def __getitem__(self, name: str) -> "FloatArray":
        if name not in self._columns:
            raise KeyError(f"no column '{name}'; there are {', '.join(self._columns)}")
        return self._columns[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    def to_pandas(self) -> Any:
        """A DataFrame with a row for each variant; attrs["units"]."""
        import pandas
        frame = pandas.DataFrame({**self._columns, "status": self.status, "message": self.message},
                                 index=pandas.Index(self.variant, name="variant"))
        frame.attrs["units"] = dict(self.units)
        return frame

    def __repr__(self) -> str:
        return self._page.rstrip("\n") or f"{len(self.variant)} rows of {', '.join(self._columns)}"


class Tolerance(NamedTuple):
    """What all deviations together do to one component: arrays over the samples, in SI; nan: not determined."""

    unit: str
    verdict: List[str]  #: of each sample
    time: "FloatArray"  #: [s]
    nominal: "FloatArray"
    least: "FloatArray"  #: worst case
    largest: "FloatArray"
    sigma: "FloatArray"  #: standard deviation


class Tolerances(Mapping[str, Tolerance]):
    """What `Model.tolerance()` found (docs/tolerance.md): a mapping of the names of components to `Tolerance`.

    `causes` are the deviations, `influence(name, cause)` the derivative of a component by one of them at each sample,
    `json` what tolerance.json holds; printed it is the tables of the program."""

    def __init__(self, model: Any, call: options.Call, messages: Messages, analysis: Optional[str], coverage: float,
                 monte_carlo: int, seed: int) -> None:
        given = ffi.new("RbvToleranceInput *", lib.rbv_tolerance_input_default)
        word = None if analysis is None else c_text(analysis, "analysis")
        given.model, given.options, given.analysis = model[0], call.options, ffi.NULL if word is None else word
        given.coverage, given.monte_carlo, given.seed = coverage, monte_carlo, seed
        out = ffi.new("RbvTolerances **")
        with inputs.opened(call, None, messages):
            watch = inputs.Watch(call)
            status = lib.rbv_tolerance(given, messages.pointer, out)
        watch.raise_pending()
        check(status, messages.all(), "tolerance")
        warn(messages.all(), 4)
        self._handle = Handle(out[0], lib.rbv_tolerances_destroy)
        counts = lib.rbv_tolerances_counts(out[0])
        self.causes = [text_of(lib.rbv_tolerances_cause(out[0], k)) for k in range(counts.causes)]
        self._samples = int(counts.samples)
        self._rows = {text_of(lib.rbv_tolerances_value(out[0], k, 0).name): k for k in range(counts.rows)}

    def __getitem__(self, name: str) -> Tolerance:
        if name not in self._rows:
            raise KeyError(f"no component '{name}'; there are {', '.join(self._rows)}")
        from .result import VERDICTS
        found = [lib.rbv_tolerances_value(self._handle.pointer, self._rows[name], k) for k in range(self._samples)]
        columns = [np.array([getattr(value, key) for value in found]) for key in ("t", "nominal", "least", "largest", "sigma")]
        return Tolerance(text_of(found[0].unit), [VERDICTS[value.verdict] for value in found], *columns)

    def __iter__(self) -> Iterator[str]:
        return iter(self._rows)

    def __len__(self) -> int:
        return len(self._rows)

    def influence(self, name: str, cause: str) -> "FloatArray":
        """Derivative of a component by a cause at each sample, in SI; nan: not determined."""
        if name not in self._rows or cause not in self.causes:
            raise KeyError(f"no component '{name}' or no cause '{cause}'; causes are {', '.join(self.causes)}")
        row, number = self._rows[name], self.causes.index(cause)
        return np.array([lib.rbv_tolerances_influence(self._handle.pointer, row, k, number) for k in range(self._samples)])

    @property
    def json(self) -> Any:
        """What tolerance.json holds."""
        return json.loads(take_text(lib.rbv_tolerances_text(self._handle.pointer, lib.RBV_TEXT_JSON)))

    def __repr__(self) -> str:
        return take_text(lib.rbv_tolerances_text(self._handle.pointer, lib.RBV_TEXT_TABLES)).rstrip("\n")
