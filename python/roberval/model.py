"""Models, and every analysis of them."""
from __future__ import annotations

import json
import os
import shutil
import tempfile
import threading
import weakref
from contextlib import contextmanager
from typing import Any, Callable, Dict, Iterator, List, Mapping, Optional, Sequence, Tuple, Union

from . import document, inputs, options
from ._library import Handle, Texts, c_text, ffi, lib, take_text, text_of
from .arrays import Linkage, Tree
from .errors import Diagnostic, Messages, ModelError, check, warn
from .evaluation import Evaluation, Simulation
from .result import Result
from .study import Tolerances

Path = Union[str, "os.PathLike[str]"]
#: A function of the caller that expressions call: the function, its number of arguments, and how many orders of
#: derivatives it returns (0: a float alone; 1: (value, gradient); 2: (value, gradient, hessian)).
Function = Union[Tuple[Callable[..., Any], int], Tuple[Callable[..., Any], int, int]]

#: [bytes] Larger files of models are read by the library at each call.
LARGEST = 1 << 28

#: [bytes] Larger samples are held in a file without a name, mapped into memory.
LARGE = 1 << 26

ANALYSES = {name: getattr(lib, "rbv_" + ("assembly" if name == "assemble" else name))
            for name in ("info", "check", "assemble", "kinematics", "statics", "inverse", "simulate", "track", "size", "modes")}


class Compiled:
    """A model that was read, and the system compiled from it for one kind of coordinates."""

    def __init__(self, source: "Source", choices: Any, names: Sequence[str] = (), questions: Sequence[str] = ()) -> None:
        self.source = source
        messages = source.messages()
        model = ffi.new("RbvModel **")
        with source.input(names) as given:
            status = lib.rbv_model_read(given, messages.pointer, model)
        found = messages.all()
        source.raise_pending()
        check(status, found, "reading the model")
        self.owner = Handle(model[0], lib.rbv_model_destroy)
        self.model = self.owner.pointer
        for question in questions:
            status = lib.rbv_model_add_question(self.model, c_text(question, "ask"), messages.pointer)
            check(status, messages.all(), "ask")
        self.choices = choices
        self.pointer: Any = None

    def compile(self) -> "Compiled":
        """The system; before, what reads names of the model (recordings) may be opened."""
        if self.pointer is None:
            messages = self.source.messages()
            system = ffi.new("RbvSystem **")
            status = lib.rbv_system_create(self.model, self.choices, messages.pointer, system)
            check(status, messages.all(), "compiling the model")
            self.handle = Handle(system[0], lib.rbv_system_destroy, self.owner)
            self.pointer = self.handle.pointer
        return self

    def parameters(self) -> Dict[str, float]:
        """Parameters and their present values in SI."""
        found: Dict[str, float] = {}
        while True:
            name = lib.rbv_system_parameter_name(self.pointer, len(found))
            if name == ffi.NULL:
                return found
            found[text_of(name)] = float(lib.rbv_system_parameter(self.pointer, len(found)))

    def unit(self, name: str) -> str:
        """SI unit of a parameter; '' if it has none, or if there is no such parameter."""
        number = lib.rbv_system_find(self.pointer, lib.RBV_ITEM_PARAMETER, c_text(name, "a parameter"))
        return text_of(lib.rbv_system_parameter_unit(self.pointer, number))

    def numbers(self, values: Mapping[str, Any]) -> Dict[str, float]:
        """Values for parameters in SI, from numbers or texts with units; nan stands for None, the value of the model."""
        found: Dict[str, float] = {}
        out = ffi.new("double *")
        for name, value in values.items():
            number = lib.rbv_system_find(self.pointer, lib.RBV_ITEM_PARAMETER, c_text(name, "a parameter"))
            if number < 0:
                raise ValueError(f"the model has no parameter '{name}'; it has {', '.join(self.parameters()) or 'none'}")
            if isinstance(value, str):
                messages = self.source.messages()
                if lib.rbv_parameter_read(self.model, number, c_text(value, name), messages.pointer, out) != lib.RBV_OK:
                    raise ValueError(messages.all()[-1].message)
                found[name] = float(out[0])
            else:
                found[name] = float("nan") if value is None else options.quantity(value, self.unit(name), name)
        return found

    def set(self, numbers: Mapping[str, float]) -> "Compiled":
        """Give parameters these values of `numbers`."""
        if numbers:
            pairs = ffi.new("RbvParameterValue[]", len(numbers))
            for k, (name, value) in enumerate(numbers.items()):
                pairs[k].parameter = lib.rbv_system_find(self.pointer, lib.RBV_ITEM_PARAMETER, c_text(name, "a parameter"))
                pairs[k].value = value
            messages = self.source.messages()
            check(lib.rbv_system_set_parameters(self.pointer, len(numbers), pairs, messages.pointer), messages.all(), "set")
        return self


class Source:
    """Where a model comes from: a file, a text or a dict, with settings, folders and functions."""

    def __init__(self, source: Any, text: Optional[str], settings: Mapping[str, Any], path: Union[Path, Sequence[Path]],
                 functions: Mapping[str, Function]) -> None:
        self.paths: List[str] = []
        files: Dict[str, str] = {}
        self.text: Optional[str] = None
        self.name = "model"
        self.place = ""  # absolute path of the file that was read: the library looks for tables beside it
        if isinstance(source, Mapping):
            if text is not None:
                raise ValueError("a model is a path, a text or a dict, one of them")
            self.text, self.paths, files = document.to_text(source)
        elif text is not None:
            if not isinstance(text, str):
                raise ValueError(f"text must be a str, not {type(text).__name__}")
            self.text = text
            self.name = path_of(source) if source is not None else "model"
        elif source is None:
            raise ValueError("a model is a path, a text= or a dict")
        else:
            self._take_file(source)
        if not isinstance(settings, Mapping):
            raise ValueError("set must be a dict of parameters: {'lift': '0.2 mm'}")
        self.overrides = [f"{name}={value}" for name, value in settings.items() if isinstance(value, str)]
        self.numbers = {name: number_of(value, name) for name, value in settings.items() if not isinstance(value, str)}
        try:
            folders = [path] if isinstance(path, (str, os.PathLike)) else list(path)
            self.folders = [os.fspath(folder) for folder in folders]
        except TypeError:
            raise ValueError(f"path must be a folder or a list of folders, not {path!r}") from None
        self.tables: Dict[str, str] = {}  # files of tables of numbers, and what messages call them
        if files:  # the library reads tables from files
            self.folders.append(tempfile.mkdtemp(prefix="roberval-"))
            weakref.finalize(self, _remove, self.folders[-1], os.getpid())
        for table, content in files.items():
            path = os.path.join(self.folders[-1], document.table_file(table))
            self.tables[path] = f"tables.{table}"
            with open(path, "w", encoding="utf-8") as out:
                out.write(content)
        if not isinstance(functions, Mapping):
            raise ValueError("functions must be a dict: {'damper': (f, 2)}")
        self.functions = [inputs.UserFunction(name, given) for name, given in functions.items()]

    def _take_file(self, source: Any) -> None:
        """Read a model's file once: later calls read the same model, whatever becomes of the file and the present folder."""
        self.name = path_of(source)
        path = os.path.abspath(self.name)
        try:
            if os.path.isfile(path) and os.path.getsize(path) <= LARGEST:
                with open(path, encoding="utf-8") as file:
                    self.text, self.place = file.read(), path
        except (OSError, UnicodeError, ValueError):
            pass  # the library says what is wrong

    def messages(self) -> Messages:
        """An empty list of messages that knows key paths."""
        messages = Messages(self.name, self.path_of if self.paths else None)
        messages.names.update(self.tables)
        if self.place:
            messages.names[self.place] = self.name
        return messages

    def path_of(self, line: int) -> str:
        """Key path of a line of a model given as dict."""
        return self.paths[line - 1] if 0 < line <= len(self.paths) else ""

    @contextmanager
    def input(self, names: Sequence[str] = ()) -> Iterator[Any]:
        """The RbvInput of the model, with the names of its inputs."""
        given = ffi.new("RbvInput *", lib.rbv_input_default)
        name = c_text(self.place or self.name, "the model's path")
        given.path = name
        overrides, folders, chosen = Texts(self.overrides, "set"), Texts(self.folders, "path"), Texts(names, "inputs")
        defs = ffi.new("RbvFunctionDef[]", max(len(self.functions), 1))
        for k, function in enumerate(self.functions):
            function.fill(defs[k])
        data = None
        if self.text is not None:
            encoded = self.text.encode("utf-8", "surrogatepass")
            data = ffi.new("char[]", encoded)
            given.text, given.length = data, len(encoded)
        given.overrides, given.override_count = overrides.array, overrides.count
        given.folders, given.folder_count = folders.array, folders.count
        given.inputs, given.input_count = chosen.array, chosen.count
        given.functions, given.function_count = defs, len(self.functions)
        given.scene = True
        yield given
        del data

    def raise_pending(self) -> None:
        """Raise what a function of the caller has raised."""
        for function in self.functions:
            function.raise_pending()


def _remove(folder: str, process: int) -> None:
    if os.getpid() == process:  # and not a fork of it
        shutil.rmtree(folder, ignore_errors=True)


def path_of(source: Any) -> str:
    """The path of a model."""
    try:
        return os.fsdecode(source)
    except (TypeError, ValueError):
        raise ValueError(f"a model is a path, a text= or a dict, not {source!r}") from None


def number_of(value: object, name: str) -> float:
    """The value of a parameter in SI."""
    return options.quantity(value, "", f"parameter {name}")


class Model:
    """A machine: a model file by its path, its text (`text=`), or a dict in the keys of the model file.

    `set` gives parameters other values, `path` folders with tables and meshes, `functions` functions that expressions
    call: {"damper": (f, 2)}. Numbers are SI unless they are texts with units. A file is read once; tables and meshes that it
    names are read again by other coordinates, evaluations, trees and simulations.

    >>> import roberval as rb
    >>> m = rb.Model({"roberval": 1, "space": "planar", "gravity": [0, -9.81], "parameters": {"M": "2 kg", "u": "0 N.m"},
    ...               "bodies": {"arm": {"mass": "M", "inertia": 0.1, "centroid": [0.5, 0]}},
    ...               "joints": {"hinge": {"type": "revolute", "between": ["ground", "arm"]}},
    ...               "drives": {"motor": {"coordinate": "hinge.angle", "motion": "t"}}, "motion": {"from": 0, "to": 1, "step": 0.5}})
    >>> m.set(M="4 kg")
    >>> print(f"{m.inverse()['motor.effort'][0]:.2f} {m.parameters['M']}")
    19.62 4.0
    """

    def __init__(self, source: Any = None, *, text: Optional[str] = None, set: Mapping[str, Any] = {},
                 path: Union[Path, Sequence[Path]] = (), functions: Mapping[str, Function] = {}) -> None:
        self._build: Optional[Dict[str, Any]] = None
        self._open(Source(source, text, set, path, functions))
        own = self._source
        self._given = (document.plain(source, "") if isinstance(source, Mapping) else own.place or source,
                       own.text if own.place else text, dict(set), path, dict(functions))
        self._take_numbers()
        self._system(options.call_of("check", {}))  # mistakes are reported here
        self._warn()

    def _take_numbers(self) -> None:
        """Numbers given for parameters are in SI: with the units of the model they become texts of overrides."""
        source = self._source
        if not source.numbers:
            return
        plain = Compiled(source, ffi.NULL).compile()
        for name, value in source.numbers.items():
            source.overrides.append(f"{name}={value!r} {plain.unit(name)}".rstrip())

    def _open(self, source: Source) -> None:
        self._source = source
        self._systems: Dict[Tuple[Any, ...], Compiled] = {}
        self._values: Dict[str, float] = {}
        self._lock = threading.RLock()
        self._running = 0

    # ---- the model as data ----

    @classmethod
    def new(cls, space: str = "planar", *, title: str = "", gravity: Optional[Sequence[float]] = None,
            path: Union[Path, Sequence[Path]] = (), functions: Mapping[str, Function] = {}) -> "Model":
        """An empty model, to which `body`, `joint`, `load` and so on add items in the words of the model file."""
        model = cls.__new__(cls)
        model._build = {"roberval": 1, "space": space}
        if not isinstance(title, str) or not isinstance(functions, Mapping):
            raise ValueError("title must be a text, functions a dict: {'damper': (f, 2)}")
        if title:
            model._build["title"] = title
        if gravity is not None:
            model._build["gravity"] = document.plain(gravity, "gravity")
        model._given = (model._build, None, {}, path, dict(functions))
        model._systems = {}
        model._lock = threading.RLock()
        model._running = 0
        model._values = {}
        return model

    def add(self, section: str, name: str, **keys: Any) -> "Model":
        """Put an item into a section of a model made by `Model.new`: add("joints", "hinge", type="revolute", ...).

        A key that is a word of Python is written with '_' behind it: `from_`."""
        if self._build is None:
            raise TypeError("only a model made by Model.new grows; others are changed by to_dict()")
        item = {key[:-1] if key.endswith("_") else key: value for key, value in keys.items()}
        items = self._build.setdefault(section, {})
        if name in items:
            raise document.refuse(f"{section}.{name}", "the name is taken")
        items[name] = document.plain(item, f"{section}.{name}")
        self._systems = {}
        return self

    def body(self, name: str, **keys: Any) -> "Model":
        """Add a body: mass, centroid, inertia, markers, pose, ..."""
        return self.add("bodies", name, **keys)

    def joint(self, name: str, type: str, between: Sequence[str], **keys: Any) -> "Model":
        """Add a joint between two markers."""
        return self.add("joints", name, type=type, between=between, **keys)

    def drive(self, name: str, coordinate: str, motion: Any, **keys: Any) -> "Model":
        """Add a drive: the motion of a coordinate as an expression of t."""
        return self.add("drives", name, coordinate=coordinate, motion=motion, **keys)

    def load(self, name: str, type: str, **keys: Any) -> "Model":
        """Add a load: force, torque, spring, ..."""
        return self.add("loads", name, type=type, **keys)

    def table(self, name: str, x: Any, y: Any, *, units: Sequence[str] = ("", ""), **keys: Any) -> "Model":
        """Add a table: y at x, numbers in `units`; periodic, outside, smooth."""
        if not isinstance(units, (list, tuple)) or not all(isinstance(unit, str) for unit in units):
            raise document.refuse(f"tables.{name}.units", "the units of a table are two texts: ['deg', 'mm']")
        return self.add("tables", name, x=x, y=y, units=list(units), **keys)

    def constraint(self, name: str, **keys: Any) -> "Model":
        """Add a constraint: equation or velocity."""
        return self.add("constraints", name, **keys)

    def stop(self, name: str, coordinate: str, **keys: Any) -> "Model":
        """Add a stop of a coordinate: min, max, restitution."""
        return self.add("stops", name, coordinate=coordinate, **keys)

    def state(self, name: str, rate: str, **keys: Any) -> "Model":
        """Add a state of your own, x' = rate."""
        return self.add("states", name, rate=rate, **keys)

    def event(self, name: str, when: str, **keys: Any) -> "Model":
        """Add an event."""
        return self.add("events", name, when=when, **keys)

    def _entry(self, section: str, name: str, value: Any) -> "Model":
        if self._build is None:
            raise TypeError("only a model made by Model.new grows; others are changed by to_dict()")
        self._build.setdefault(section, {})[name] = document.plain(value, f"{section}.{name}")
        self._systems = {}
        return self

    def parameter(self, name: str, value: Any) -> "Model":
        """Add a parameter: a number, '250 N/mm', or an expression."""
        return self._entry("parameters", name, value)

    def coordinate(self, name: str, expression: str) -> "Model":
        """Name a coordinate."""
        return self._entry("coordinates", name, expression)

    def initial(self, name: str, value: Any) -> "Model":
        """Give a coordinate, or its rate, a value at the start."""
        return self._entry("initial", name, value)

    def output(self, name: str, expression: str) -> "Model":
        """Add a column to the results."""
        return self._entry("output", name, expression)

    def motion(self, to: Any, step: Any, from_: Any = 0) -> "Model":
        """The times of the samples."""
        if self._build is None:
            raise TypeError("only a model made by Model.new grows; others are changed by to_dict()")
        self._build["motion"] = document.plain({"from": from_, "to": to, "step": step}, "motion")
        self._systems = {}
        return self

    def to_dict(self) -> Dict[str, Any]:
        """The model in the keys of the model file, a copy; comments of files are lost."""
        if self._build is not None or isinstance(self._given[0], dict):
            return document.plain(self._build or self._given[0], "")  # type: ignore[no-any-return]
        messages = self._origin().messages()
        out = ffi.new("char **")
        with self._origin().input() as given:
            status = lib.rbv_model_to_json(given, messages.pointer, out)
        check(status, messages.all(), "reading the model")
        return json.loads(take_text(out[0]))  # type: ignore[no-any-return]

    def save(self, path: Path) -> None:
        """Write the model as a file; a model of a file or text as it stands there, but as JSON where the path ends with .json.
        Tables of numbers become files beside it."""
        source = self._origin()
        for table in source.tables:
            shutil.copy(table, os.path.dirname(os.path.abspath(path)))
        if os.fspath(path).endswith(".json"):
            text = json.dumps(document.tables_of(self.to_dict())[0], indent=2, ensure_ascii=False) + "\n"
        elif source.text is not None:
            text = source.text
        else:
            with open(source.name, encoding="utf-8") as file:
                text = file.read()
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    def __reduce__(self) -> Any:
        given = self._given
        return _rebuild, (self._build is not None, given, dict(self._values))

    # ---- compiling ----

    def _origin(self) -> Source:
        if self._build is not None and not self._systems:
            self._source = Source(self._build, None, {}, self._given[3], self._given[4])
        return self._source

    def _system(self, call: options.Call) -> Compiled:
        """The compiled system that a call needs; a call that asks has one of its own."""
        key = call.system_key()
        with self._lock:
            source = self._origin()
            if call.questions or call.record is not None:
                return self._with_values(Compiled(source, _choices(call), (), call.questions), call.record is None)
            if key not in self._systems:
                self._systems[key] = self._with_values(Compiled(source, _choices(call)), True)
            return self._systems[key]

    def _with_values(self, made: Compiled, now: bool) -> Compiled:
        if now:
            made.compile().set(self._values)
        return made

    def _warn(self) -> None:
        messages = self._source.messages()
        out = ffi.new("RbvResult **")
        system = next(iter(self._systems.values())).pointer
        if lib.rbv_info(system, ffi.NULL, messages.pointer, out) == lib.RBV_OK:
            lib.rbv_result_destroy(out[0])
        warn(messages.all(), 3)

    def set(self, /, **values: Any) -> None:
        """Give parameters other values: numbers in SI or texts with units; None: the value of the model.

        Evaluations, simulations, trees and linkages made before keep theirs."""
        with self._lock:
            if self._running:
                raise RuntimeError("parameters cannot be set while an analysis of the model runs")
            numbers = self._system(options.call_of("check", {})).numbers(values)
            done: List[Compiled] = []
            try:
                for made in self._systems.values():
                    done.append(made.set(numbers))
            except Exception:
                back = {name: self._values.get(name, float("nan")) for name in numbers}
                for made in done:
                    made.set(back)
                raise
            self._values.update(numbers)
            self._values = {name: value for name, value in self._values.items() if value == value}

    @property
    def parameters(self) -> Dict[str, float]:
        """Parameters and their present values in SI."""
        return self._system(options.call_of("check", {})).parameters()

    # ---- analyses ----

    def _run(self, analysis: str, keywords: Mapping[str, Any]) -> Result:
        call = options.call_of(analysis, keywords)
        if analysis == "info":
            call.options.scene = False
        else:
            call.options.scene = not (call.follow or call.hold)
        folder = c_text(os.environ.get("TMPDIR") or "/var/tmp", "TMPDIR")
        call.keep.append(folder)
        call.options.samples.folder, call.options.samples.memory = folder, LARGE
        if call.follow:
            return self._along(analysis, call)
        compiled = self._system(call)
        messages = self._source.messages()
        out = ffi.new("RbvResult **")
        if call.hold:
            compiled = Compiled(self._source, _choices(call)).compile().set(self._values)
        with inputs.opened(call, compiled, messages):
            compiled.compile()
            if call.record is not None:
                compiled.set(self._values)
            with self._going(call) as watch:
                if call.hold:
                    status = lib.rbv_statics_hold(compiled.pointer, c_text(call.hold, "hold"), call.options, messages.pointer,
                                                  out)
                else:
                    status = ANALYSES[analysis](compiled.pointer, call.options, messages.pointer, out)
        return self._finish(analysis, call, status, messages, out, watch)

    def _along(self, analysis: str, call: options.Call) -> Result:
        if call.hold:
            raise ValueError("follow and hold do not go together")
        messages = self._origin().messages()
        family = ffi.new("RbvFamily **")
        with self._at_values() as given:
            status = lib.rbv_family_read(given, c_text(call.follow, "follow"), messages.pointer, family)
        check(status, messages.all(), "follow")
        own = ffi.gc(family[0], lib.rbv_family_destroy)
        out = ffi.new("RbvResult **")
        along = {"statics": lib.rbv_statics_follow, "modes": lib.rbv_modes_follow}[analysis]
        with inputs.opened(call, None, messages), self._going(call) as watch:
            status = along(own, call.options, messages.pointer, out)
        return self._finish(analysis, call, status, messages, out, watch)

    @contextmanager
    def _at_values(self) -> Iterator[Any]:
        """The input of the model with the present values of its parameters."""
        source = self._origin()
        with self._lock:
            plain, before = self._system(options.call_of("check", {})), source.overrides
            source.overrides = before + [f"{name}={value!r} {plain.unit(name)}".rstrip() for name, value in self._values.items()]
            try:
                with source.input() as given:
                    yield given
            finally:
                source.overrides = before

    @contextmanager
    def _going(self, call: options.Call) -> Iterator["inputs.Watch"]:
        watch = inputs.Watch(call)
        with self._lock:
            self._running += 1
        try:
            yield watch
        finally:
            with self._lock:
                self._running -= 1

    def _finish(self, analysis: str, call: options.Call, status: int, messages: Messages, out: Any,
                watch: "inputs.Watch") -> Result:
        view = {"only": call.only, "rows": call.rows, "model_units": call.model_units}
        bare = out[0] != ffi.NULL and lib.rbv_result_is_bare(out[0])
        result = Result(out[0], view) if out[0] != ffi.NULL else None
        found = messages.all()
        watch.raise_pending(result)
        self._source.raise_pending()
        check(status, found, analysis, None if bare else result)
        warn(found, 4)
        assert result is not None
        return result

    def info(self, **keywords: Any) -> Result:
        """Contents of the model."""
        return self._run("info", keywords)

    def check(self, **keywords: Any) -> Result:
        """Mobility, redundancy, and which reactions are determined."""
        return self._run("check", keywords)

    def assemble(self, **keywords: Any) -> Result:
        """The assembled state at the start."""
        return self._run("assemble", keywords)

    def kinematics(self, **keywords: Any) -> Result:
        """Positions, velocities, accelerations along the motion."""
        return self._run("kinematics", keywords)

    def statics(self, **keywords: Any) -> Result:
        """Equilibrium with its stability and reactions; `follow="F=0..50 N"` along a parameter, `hold="F"` what friction holds."""
        return self._run("statics", keywords)

    def inverse(self, **keywords: Any) -> Result:
        """Efforts of drives and reactions along the motion."""
        return self._run("inverse", keywords)

    def simulate(self, **keywords: Any) -> Result:
        """Motion from forces."""
        return self._run("simulate", keywords)

    def track(self, **keywords: Any) -> Result:
        """Motion from forces with control that meets what track: requires."""
        return self._run("track", keywords)

    def size(self, **keywords: Any) -> Result:
        """What the model rates, by inverse or what suits it; `motors=`, `gears=` of a catalogue, `loads={"A": 0.7, "B": 0.3}`."""
        return self._run("size", keywords)

    def modes(self, **keywords: Any) -> Result:
        """Small motions about the start or the equilibrium; `follow=` along a parameter."""
        return self._run("modes", keywords)

    def tolerance(self, *, analysis: Optional[str] = None, coverage: float = 3.0, monte_carlo: int = 0, seed: int = 1,
                  **keywords: Any) -> Tolerances:
        """What the deviations under tolerances: do to reactions, efforts, loads and outputs; keywords are those of `analysis`,
        'statics', 'inverse', 'simulate' or 'track' (None: what suits the model)."""
        if analysis is not None:
            options.choice(analysis, options.SIZED_BY, "analysis")
        call = options.call_of(analysis or "inverse", keywords, "tolerance")
        with self._at_values() as given:
            return Tolerances(given, call, self._source.messages(), analysis, options.quantity(coverage, "", "coverage"),
                              options.whole(monte_carlo, "monte_carlo"), options.whole(seed, "seed"))

    # ---- instants, arrays, stepping ----

    def evaluation(self, **keywords: Any) -> Evaluation:
        """Kinematics and inverse dynamics at instants of your own."""
        call = options.call_of("inverse", keywords, "an evaluation")
        return Evaluation(Compiled(self._origin(), _choices(call)).compile().set(self._values), call)

    def simulation(self, inputs: Sequence[str] = (), **keywords: Any) -> Simulation:  # noqa: A002
        """A motion from forces that is stepped; `inputs` are parameters that you set between steps."""
        if isinstance(inputs, str) or not isinstance(inputs, (list, tuple)) or not all(isinstance(n, str) for n in inputs):
            raise ValueError(f"inputs must be a list of names: inputs=['u'], not {inputs!r}")
        twice = [name for k, name in enumerate(inputs) if name in inputs[:k]]
        if twice:
            raise ValueError(f"inputs has '{twice[0]}' twice")
        call = options.call_of("simulate", keywords, "a simulation")
        compiled = Compiled(self._origin(), _choices(call), list(inputs)).compile().set(self._values)
        return Simulation(compiled, call, list(inputs))

    def tree(self) -> Tree:
        """The open tree of the model on plain arrays."""
        return Tree.of_model(Compiled(self._origin(), ffi.NULL).compile().set(self._values))

    def linkage(self) -> Linkage:
        """The closed linkage of the model on plain arrays."""
        return Linkage.of_model(Compiled(self._origin(), ffi.NULL).compile().set(self._values))

    def __repr__(self) -> str:
        source = self._origin()
        return f"<roberval.Model {source.name!r}>"


def _rebuild(grows: bool, given: Any, values: Dict[str, float]) -> Model:
    """A model from its pickle."""
    source, text, settings, path, functions = given
    if grows:
        model = Model.new(path=path, functions=functions)
        model._build = source
        model._given = given
    else:
        model = Model(source, text=text, set=settings, path=path, functions=functions)
    if values:
        model.set(**values)
    return model


def _choices(call: options.Call) -> Any:
    return ffi.addressof(call.options, "system")
