"""Kinematics and inverse dynamics at instants of the caller's own."""
from __future__ import annotations

from typing import Any, Callable, Dict, Sequence

import numpy as np

from ._library import Alone, Handle, Unique, c_text, ffi, lib
from .errors import check
from .options import Call, quantity, real
from .result import VERDICTS


class Value:
    """A column of the last evaluation or step: float(value), .verdict, .error."""

    __slots__ = ("name", "_owner", "_column")

    def __init__(self, owner: Any, name: str, column: Any) -> None:
        self.name, self._owner, self._column = name, owner, column

    def __float__(self) -> float:
        self._owner._open()
        return float(self._column.value[0])

    @property
    def value(self) -> float:
        """The number, in SI; nan: not computed."""
        return float(self)

    @property
    def verdict(self) -> str:
        """Verdict of a reaction; 'unique' for other columns."""
        self._owner._open()
        return VERDICTS[self._column.verdict[0]]

    @property
    def error(self) -> float:
        """Estimated rounding error; nan: no reaction."""
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
        found = self._columns.get(name)
        if found is None:
            column = self._find(self._open(), c_text(name, "a column"))
            if column.value == ffi.NULL:
                raise KeyError(f"there is no column '{name}'")
            found = self._columns[name] = Value(self, name, column)
        return found

    def __getitem__(self, name: str) -> float:
        self._open()
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
    """RbvEvaluation: set the time, drives or bodies, evaluate, read columns: `e["motor.effort"]`."""

    _instead = "Model.evaluation() makes another"

    def __init__(self, compiled: Any, call: Call) -> None:
        self._compiled, self._call = compiled, call
        self._messages = compiled.source.messages()
        out = ffi.new("RbvEvaluation **")
        status = lib.rbv_evaluation_create(compiled.pointer, call.options, self._messages.pointer, out)
        check(status, self._messages.take(), "evaluation")
        self._own(Handle(out[0], lib.rbv_evaluation_destroy, compiled.handle, self._messages.handle), lib.rbv_evaluation_column)
        self._drives: Dict[str, int] = {}

    def _number(self, kind: int, name: str, word: str) -> int:
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
        number = self._drives.get(name)
        if number is None:
            number = self._drives[name] = self._number(lib.RBV_ITEM_DRIVE, name, "drive")
        with self._alone:
            try:
                status = lib.rbv_evaluation_set_drive(self._open(), number, value, rate, second_rate)
            except TypeError:
                status = lib.RBV_BAD_ARGUMENT
        if status != lib.RBV_OK:
            raise ValueError(f"drive {name}: value, rate and second rate must be finite numbers in SI, "
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
        if status != lib.RBV_OK:
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
        r = lib.rbv_evaluation_report(self._open())
        names: Sequence[str] = ("constraint_error", "correction", "rate_correction", "acceleration_correction",
                                "force_imbalance", "torque_imbalance", "power_imbalance")
        found: Dict[str, Any] = {name: getattr(r, name) for name in names}
        found["advance"] = ("followed", "leapt", "assembled", "given")[r.advance]
        return found

