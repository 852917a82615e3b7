"""Kinematics and inverse dynamics at instants of the caller's own, and motions from forces that the caller steps."""
from __future__ import annotations

from typing import Any, Callable, Dict, List, NamedTuple, Sequence

import numpy as np

from . import inputs as given
from ._library import Alone, Handle, Unique, c_text, ffi, handle_of, lib, text_of
from .errors import check, warn
from .options import Call, flag, quantity, real
from .result import VERDICTS


class Value:
    """A column of the last evaluation or step: float(value), .verdict, .error."""

    __slots__ = ("name", "_owner", "_column")

    def __init__(self, owner: Any, name: str, column: Any) -> None:
        self.name, self._owner, self._column = name, owner, column

    def __float__(self) -> float:
        with self._owner._alone:
            self._owner._open()
            return float(self._column.value[0])

    @property
    def value(self) -> float:
        """The number, in SI; nan: not computed."""
        return float(self)

    @property
    def verdict(self) -> str:
        """Verdict of a reaction; 'unique' for other columns."""
        with self._owner._alone:
            self._owner._open()
            return VERDICTS[self._column.verdict[0]]

    @property
    def error(self) -> float:
        """Estimated rounding error; nan: no reaction."""
        with self._owner._alone:
            self._owner._open()
            return float(self._column.error[0])

    def __repr__(self) -> str:
        return f"<{self.name} = {float(self):.9g}, {self.verdict}>"


class Owned(Unique):
    """An object of the library that belongs to one thread at a time, with columns."""

    _pointer: Any
    _find: Callable[[Any, Any], Any]

    def _own(self, handle: Handle, find: Callable[[Any, Any], Any]) -> None:
        self._handle, self._pointer, self._find = handle, handle.pointer, find
        self._alone = Alone(type(self).__name__.lower())
        self._columns: Dict[str, Value] = {}

    def _open(self) -> Any:
        if self._pointer is None:
            raise ValueError(f"the {type(self).__name__.lower()} is closed")
        return self._pointer

    def column(self, name: str) -> Value:
        """The column of that name; it follows later evaluations or steps."""
        if not isinstance(name, str):
            raise ValueError(f"a column is named by a text, not by {name!r}")
        found = self._columns.get(name)
        if found is None:
            with self._alone:
                column = self._find(self._open(), c_text(name, "a column"))
            if column.value == ffi.NULL:
                raise KeyError(f"there is no column '{name}'")
            found = self._columns[name] = Value(self, name, column)
        return found

    def __getitem__(self, name: str) -> float:
        return float(self.column(name))

    def close(self) -> None:
        """Free the memory now. RuntimeError: a call still uses it."""
        with self._alone:
            if self._pointer is not None:
                self._handle.close()
                self._pointer = None

    def __enter__(self) -> Any:
        return self

    def __exit__(self, *unused: object) -> None:
        self.close()


#: What `Evaluation.set_body` takes, and how many numbers it has.
BODY_MOTION = {"at": 3, "angle": 1, "rotation": 4, "velocity": 3, "angular_velocity": 3, "acceleration": 3,
               "angular_acceleration": 3}


class Evaluation(Owned):
    """RbvEvaluation: set the time, drives or bodies, evaluate, read columns: `e["motor.effort"]`.

    >>> import roberval as rb
    >>> m = rb.Model({"roberval": 1, "space": "planar", "gravity": [0, -9.81], "parameters": {"M": "2 kg", "u": "0 N.m"},
    ...               "bodies": {"arm": {"mass": "M", "inertia": 0.1, "centroid": [0.5, 0]}},
    ...               "joints": {"hinge": {"type": "revolute", "between": ["ground", "arm"]}},
    ...               "drives": {"motor": {"coordinate": "hinge.angle", "motion": "t"}}, "motion": {"from": 0, "to": 1, "step": 0.5}})
    >>> e = m.evaluation()
    >>> e.set_drive("motor", 0.0, 0.0, 2.0)
    >>> e.inverse()
    >>> print(f"{e['motor.effort']:.3f}")      # 2 kg 9.81 m/s^2 0.5 m + (0.1 + 2 0.5^2) kg m^2 2 rad/s^2
    11.010
    """

    _instead = "Model.evaluation() makes another"

    def __init__(self, compiled: Any, call: Call) -> None:
        handle_of(getattr(compiled, "handle", None), "Evaluation", "Model.evaluation()")
        self._compiled, self._call = compiled, call
        self._messages = compiled.source.messages()
        self._watch = given.Watch(call)
        out = ffi.new("RbvEvaluation **")
        status = lib.rbv_evaluation_create(compiled.pointer, call.options, self._messages.pointer, out)
        check(status, self._messages.take(), "evaluation")
        self._own(Handle(out[0], lib.rbv_evaluation_destroy, compiled.handle, self._messages.handle), lib.rbv_evaluation_column)
        self._drives: Dict[str, int] = {}

    def _number(self, kind: int, name: str, word: str) -> int:
        if not isinstance(name, str):
            raise ValueError(f"a {word} is named by a text, not by {name!r}")
        number = int(lib.rbv_system_find(self._compiled.pointer, kind, c_text(name, word)))
        if number < 0:
            raise ValueError(f"the model has no {word} '{name}'")
        return number

    def set_time(self, t: Any) -> None:
        """The instant [s]."""
        instant = quantity(t, "s", "t")
        with self._alone:
            check(lib.rbv_evaluation_set_time(self._open(), instant), [], "set_time")

    def set_drive(self, name: str, value: float, rate: float = 0.0, second_rate: float = 0.0) -> None:
        """Value, rate and second rate of a drive in SI, instead of its own motion."""
        number = self._drives.get(name) if isinstance(name, str) else None
        if number is None:
            number = self._drives[name] = self._number(lib.RBV_ITEM_DRIVE, name, "drive")
        with self._alone:
            try:
                status = lib.rbv_evaluation_set_drive(self._open(), number, value, rate, second_rate)
            except TypeError:
                status = lib.RBV_BAD_ARGUMENT
        if status != lib.RBV_OK:
            raise ValueError(f"drive {name}: value (an angle up to 1e10 rad), rate and second rate must be finite numbers in SI, "
                             f"not {value!r}, {rate!r}, {second_rate!r}")

    def release_drive(self, name: str) -> None:
        """Let the drive follow its own motion again."""
        number = self._number(lib.RBV_ITEM_DRIVE, name, "drive")
        with self._alone:
            lib.rbv_evaluation_release_drive(self._open(), number)

    def set_state(self, name: str, value: float) -> None:
        """The value of one of the model's own states in SI."""
        number, value = self._number(lib.RBV_ITEM_STATE, name, "state"), quantity(value, "", f"state {name}")
        with self._alone:
            check(lib.rbv_evaluation_set_state(self._open(), number, value), [], "set_state")

    def set_body(self, name: str, **motion: Any) -> None:
        """Position and motion of a body's own frame along the ground's axes, in SI, for the next evaluation: at, angle (plane)
        or rotation (unit quaternion w x y z, space), velocity, angular_velocity, acceleration, angular_acceleration. What is
        not given is zero. In the plane vectors may have two numbers, and rotations one."""
        number = self._number(lib.RBV_ITEM_BODY, name, "body")
        of = ffi.new("RbvBodyMotion *", lib.rbv_body_motion_default)
        with self._alone:
            planar = self._find(self._open(), c_text(f"{name}.z", "a column")).value == ffi.NULL
        for key, value in motion.items():
            if key not in BODY_MOTION:
                raise TypeError(f"set_body has no '{key}'; it has {', '.join(BODY_MOTION)}")
            numbers = real(value, key).astype(float).ravel()
            if planar and numbers.size == 2 and BODY_MOTION[key] == 3:
                numbers = np.append(numbers, 0.0)
            elif planar and numbers.size == 1 and key.startswith("angular"):
                numbers = np.array([0.0, 0.0, numbers[0]])
            if numbers.size != BODY_MOTION[key] or not np.isfinite(numbers).all():
                raise ValueError(f"{key} must have {BODY_MOTION[key]} finite numbers, not {value!r}")
            setattr(of, key, numbers.tolist() if numbers.size > 1 else numbers[0])
        with self._alone:
            status = lib.rbv_evaluation_set_body(self._open(), number, of)
        if status != lib.RBV_OK:
            raise ValueError("the ground has no motion" if number == 0 else "rotation must be a quaternion of length 1")

    def set(self, **values: Any) -> None:
        """Give parameters other values in this evaluation, as `Model.set`."""
        with self._alone:
            self._open()
            self._compiled.set(self._compiled.numbers(values))

    def _evaluate(self, function: Callable[[Any], int], what: str) -> None:
        with self._alone:
            status = function(self._open())
        if status != lib.RBV_OK or self._watch.own.stopped:
            self._watch.own.stopped = False
            self._watch.raise_pending()
            self._compiled.source.raise_pending()
            check(status, self._messages.take(), what)

    def kinematics(self) -> None:
        """Positions, rates and accelerations."""
        self._evaluate(lib.rbv_evaluation_kinematics, "kinematics")

    def inverse(self) -> None:
        """Efforts, reactions and verdicts, audited."""
        self._evaluate(lib.rbv_evaluation_inverse, "inverse")

    @property
    def report(self) -> Dict[str, Any]:
        """How the last state was reached, and its residuals."""
        with self._alone:
            r = lib.rbv_evaluation_report(self._open())
        names: Sequence[str] = ("constraint_error", "correction", "rate_correction", "acceleration_correction",
                                "force_imbalance", "torque_imbalance", "power_imbalance")
        found: Dict[str, Any] = {name: getattr(r, name) for name in names}
        found["advance"] = ("followed", "leapt", "assembled", "given")[r.advance]
        return found


class Event(NamedTuple):
    """What happened during a step."""

    time: float  #: [s]
    name: str  #: of the contact, joint, drive, condition or event
    kind: str  #: "impact", "land", "release", "engage", "disengage", "stick", "slip", "limit", "event"
    impulse: float  #: [N s or N m s] of an impact; nan: none


class Simulation(Owned):
    """A motion that goes step by step: `sim["u"] = ...` sets an input, `sim.step("1 ms")` goes on, `sim["x"]` reads.

    A simulation belongs to one thread at a time.

    >>> import roberval as rb
    >>> m = rb.Model({"roberval": 1, "space": "planar", "gravity": [0, -9.81], "parameters": {"M": "2 kg", "u": "0 N.m"},
    ...               "bodies": {"arm": {"mass": "M", "inertia": 0.1, "centroid": [0.5, 0]}},
    ...               "joints": {"hinge": {"type": "revolute", "between": ["ground", "arm"]}},
    ...               "loads": {"motor": {"type": "torsion-spring", "joint": "hinge", "torque": "-u"}}})
    >>> with m.simulation(inputs=["u"]) as sim:
    ...     for k in range(100):
    ...         sim["u"] = 2 * 9.81 * 0.5      # the moment of the weight: it stays
    ...         sim.step("1 ms")
    ...     print(f"{sim.time:.1f} s, {abs(sim['hinge.angle']) < 1e-3}")
    0.1 s, True
    """

    _instead = "Model.simulation() makes another, and save() and restore() carry its state"

    def __init__(self, compiled: Any, call: Call, names: Sequence[str]) -> None:
        handle_of(getattr(compiled, "handle", None), "Simulation", "Model.simulation()")
        self._compiled, self._call = compiled, call
        self._messages = compiled.source.messages()
        self._watch = given.Watch(call)
        out = ffi.new("RbvSimulation **")
        with given.opened(call, compiled, self._messages):
            status = lib.rbv_simulation_create(compiled.pointer, call.options, self._messages.pointer, out)
        self._finish(status, "simulation")
        self._own(Handle(out[0], lib.rbv_simulation_destroy, compiled.handle, self._messages.handle), lib.rbv_simulation_column)
        self._inputs: Dict[str, int] = {}
        self._set: Dict[str, float] = {}
        for name in names:
            self._inputs[name] = int(lib.rbv_simulation_input(self._pointer, c_text(name, "an input")))

    def _finish(self, status: int, what: str) -> None:
        found = self._messages.take()
        self._watch.own.stopped = False
        self._watch.raise_pending()
        self._compiled.source.raise_pending()
        check(status, found, what)
        warn(found, 4)

    @property
    def inputs(self) -> List[str]:
        """Names of the inputs."""
        return list(self._inputs)

    def __setitem__(self, name: str, value: Any) -> None:
        if not isinstance(name, str) or name not in self._inputs:
            raise KeyError(f"there is no input {name!r}; the inputs are {', '.join(self._inputs) or 'none'}")
        number = float(value) if type(value) is float else self._compiled.numbers({name: value})[name]
        with self._alone:
            status = lib.rbv_simulation_set_input(self._open(), self._inputs[name], number)
        if status != lib.RBV_OK:
            raise ValueError(f"input {name} must be a finite number, not {value!r}")
        self._set[name] = number

    def __getitem__(self, name: str) -> float:
        """A column at the present instant; of an input the value that was set last, which holds from the next step on."""
        if self._set and isinstance(name, str) and name in self._set:
            with self._alone:
                self._open()
            return self._set[name]
        return super().__getitem__(name)

    @property
    def time(self) -> float:
        """The present instant [s]."""
        with self._alone:
            return float(lib.rbv_simulation_time(self._open()))

    def step_to(self, t: Any, *, to_event: bool = False) -> None:
        """Go on to the instant t; with to_event at most to the first event."""
        instant, stop = quantity(t, "s", "t"), flag(to_event, "to_event")
        with self._alone:
            status = lib.rbv_simulation_step_to(self._open(), instant, stop)
        if status != lib.RBV_OK or self._watch.own.stopped:
            self._finish(status, "step")
        elif lib.rbv_diagnostics_count(self._messages.pointer) > 0:
            warn(self._messages.take(), 3)

    def step(self, h: Any, *, to_event: bool = False) -> None:
        """Go on by h: a number [s] or '1 ms'. Instants that are multiples of h but for rounding become these multiples, so
        that a thousand steps of 1 ms end at 1 s."""
        length = quantity(h, "s", "h")
        if not length >= 0:
            raise ValueError(f"a step must not be negative: {h!r}")
        instant = self.time + length
        steps = instant / length if length > 0 else 0.0
        if 0 < steps < 1e9 and abs(steps - round(steps)) < 1e-6:
            instant = round(steps) * length
        self.step_to(instant, to_event=to_event)

    @property
    def events(self) -> List[Event]:
        """What happened during the last step, in order of time."""
        with self._alone:
            pointer = self._open()
            found = [lib.rbv_simulation_event(pointer, k) for k in range(lib.rbv_simulation_event_count(pointer))]
            return [Event(float(e.t), text_of(e.name), text_of(e.kind), float(e.impulse)) for e in found]

    def save(self) -> bytes:
        """The present state; `restore` goes on from there bit for bit."""
        state, size = ffi.new("void **"), ffi.new("size_t *")
        with self._alone:
            status = lib.rbv_simulation_save(self._open(), state, size)
        self._finish(status, "save")
        try:
            return bytes(ffi.buffer(state[0], size[0]))
        finally:
            lib.free(state[0])

    def restore(self, state: bytes) -> None:
        """Go back to a saved state of this model."""
        if not isinstance(state, (bytes, bytearray, memoryview)):
            raise ValueError(f"restore wants the bytes of save(), not a {type(state).__name__}")
        data = bytes(state)
        with self._alone:
            status = lib.rbv_simulation_restore(self._open(), ffi.from_buffer(data), len(data))
        self._finish(status, "restore")
        self._set.clear()

    @property
    def columns(self) -> List[str]:
        """Names of all columns."""
        with self._alone:
            result = lib.rbv_simulation_result(self._open())
            count = lib.rbv_result_counts(result).columns
            return [text_of(lib.rbv_result_column(result, k).name) for k in range(count)]
