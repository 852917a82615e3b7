"""Motions from forces that are stepped under the caller's own control."""
from __future__ import annotations

from typing import Any, Dict, List, NamedTuple, Sequence

from . import inputs as given
from ._library import Handle, c_text, ffi, lib, text_of
from .errors import check, warn
from .evaluation import Owned
from .options import Call, quantity


class Event(NamedTuple):
    """What happened during a step."""

    time: float  #: [s]
    name: str  #: of the contact, joint, drive, condition or event
    kind: str  #: "impact", "land", "release", "engage", "disengage", "stick", "slip", "limit", "event"
    impulse: float  #: [N s or N m s] of an impact; nan: none


class Simulation(Owned):
    """A motion that goes step by step: `sim["u"] = ...` sets an input, `sim.step("1 ms")` goes on, `sim["x"]` reads.

    A simulation belongs to one thread at a time."""

    _instead = "Model.simulation() makes another, and save() and restore() carry its state"

    def __init__(self, compiled: Any, call: Call, names: Sequence[str]) -> None:
        self._compiled, self._call = compiled, call
        self._messages = compiled.source.messages()
        self._watch = given.Watch(call)
        out = ffi.new("RbvSimulation **")
        with given.opened(call, compiled, self._messages):
            status = lib.rbv_simulation_create(compiled.pointer, call.options, self._messages.pointer, out)
        self._finish(status, "simulation")
        self._own(Handle(out[0], lib.rbv_simulation_destroy, compiled.handle, self._messages.handle), lib.rbv_simulation_column)
        self._inputs: Dict[str, int] = {}
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
        if name not in self._inputs:
            raise KeyError(f"there is no input '{name}'; the inputs are {', '.join(self._inputs) or 'none'}")
        try:
            number = float(value)
        except (TypeError, ValueError):
            raise ValueError(f"input {name} must be a finite number in SI, not {value!r}") from None
        with self._alone:
            status = lib.rbv_simulation_set_input(self._open(), self._inputs[name], number)
        if status != lib.RBV_OK:
            raise ValueError(f"input {name} must be a finite number, not {value!r}")

    @property
    def time(self) -> float:
        """The present instant [s]."""
        return float(lib.rbv_simulation_time(self._open()))

    def step_to(self, t: Any, *, to_event: bool = False) -> None:
        """Go on to the instant t; with to_event at most to the first event."""
        instant = quantity(t, "s", "t")
        with self._alone:
            status = lib.rbv_simulation_step_to(self._open(), instant, to_event)
        if status != lib.RBV_OK or self._watch.own.stopped:
            self._finish(status, "step")
        elif lib.rbv_diagnostics_count(self._messages.pointer) > 0:
            warn(self._messages.take(), 3)

    def step(self, h: Any, *, to_event: bool = False) -> None:
        """Go on by h: a number [s] or '1 ms'."""
        length = quantity(h, "s", "h")
        if not length >= 0:
            raise ValueError(f"a step must not be negative: {h!r}")
        self.step_to(self.time + length, to_event=to_event)

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

    @property
    def columns(self) -> List[str]:
        """Names of all columns."""
        result = lib.rbv_simulation_result(self._open())
        count = lib.rbv_result_counts(result).columns
        return [text_of(lib.rbv_result_column(result, k).name) for k in range(count)]
