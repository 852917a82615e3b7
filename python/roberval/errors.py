"""Errors and messages: those of the library as exceptions and warnings of Python."""
from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any, Callable, Dict, List, NamedTuple, Optional, Sequence, Type

from ._library import Handle, ffi, lib, text_of

if TYPE_CHECKING:  # pragma: no cover
    from .result import Result

WORDS = ("note", "warning", "error")


class Diagnostic(NamedTuple):
    """One message of the library."""

    severity: str  #: "note", "warning" or "error"
    file: str  #: "" where the message belongs to no file
    line: int  #: from 1; 0: no position
    column: int
    message: str
    path: str  #: key path in a model given as dict, "bodies.crank.mass"; "": none

    def __str__(self) -> str:
        place = self.path or (f"{self.file}:{self.line}:{self.column}" if self.line > 0 else self.file)
        return f"{place or 'roberval'}: {self.severity}: {self.message}"


class ModelWarning(UserWarning):
    """A warning of the library about a model or a result."""


class RobervalError(Exception):
    """An error of the library. `str(error)` is what the program prints."""

    #: Messages of the call, in order.
    diagnostics: List[Diagnostic]

    def __init__(self, text: str, diagnostics: Sequence[Diagnostic] = ()) -> None:
        super().__init__(text)
        self.diagnostics = list(diagnostics)

    def __reduce__(self) -> Any:  # for other processes; a result stays in its own
        return type(self), (str(self), self.diagnostics)


class ModelError(RobervalError):
    """The model, or what is asked of it, is wrong; `diagnostics` has every mistake with its place."""


class AnalysisError(RobervalError):
    """An analysis ended without an answer. `result` holds the samples done before, or is None."""

    result: "Optional[Result]"

    def __init__(self, text: str, diagnostics: Sequence[Diagnostic] = (), result: "Optional[Result]" = None) -> None:
        super().__init__(text, diagnostics)
        self.result = result


class NotAssembledError(AnalysisError):
    """No configuration was found that satisfies the constraints."""


class InconsistentError(AnalysisError):
    """Constraints or drives contradict each other."""


class LockedError(AnalysisError):
    """Lock-up: the motion cannot go on past the time named."""


class NoEquilibriumError(AnalysisError):
    """Statics found no equilibrium."""


class NotFiniteError(AnalysisError):
    """An expression, a table or a function gave no finite number."""


class AuditError(AnalysisError):
    """The result does not satisfy the laws of mechanics; it is not a result."""


class Interrupted(KeyboardInterrupt):
    """The analysis was interrupted. `result` holds the samples done before, or is None."""

    result: "Optional[Result]" = None

    def __reduce__(self) -> Any:
        return type(self), self.args


STATUSES = {
    lib.RBV_NOT_ASSEMBLED: NotAssembledError,
    lib.RBV_INCONSISTENT: InconsistentError,
    lib.RBV_LOCKED: LockedError,
    lib.RBV_NO_EQUILIBRIUM: NoEquilibriumError,
    lib.RBV_NOT_FINITE: NotFiniteError,
    lib.RBV_AUDIT_FAILED: AuditError,
}


class Messages:
    """A list of diagnostics of the library, for one call or several."""

    def __init__(self, file: str = "", path_of: Optional[Callable[[int], str]] = None) -> None:
        pointer = lib.rbv_diagnostics_create()
        if pointer == ffi.NULL:
            raise MemoryError("out of memory")
        self.handle = Handle(pointer, lib.rbv_diagnostics_destroy)
        self.pointer: Any = pointer
        lib.rbv_diagnostics_spell(self.pointer, ffi.addressof(lib, "rbv_py_spell"))
        self.file, self.path_of = file, path_of  # key paths of the lines of this file
        self.names: Dict[str, str] = {}  # what files of our own are called in messages

    def all(self) -> List[Diagnostic]:
        """Every message of the list."""
        found = []
        for k in range(lib.rbv_diagnostics_count(self.pointer)):
            d = lib.rbv_diagnostics_at(self.pointer, k)
            file = text_of(d.file)
            path = self.path_of(d.at.line) if self.path_of and d.at.line > 0 and file == self.file else ""
            found.append(Diagnostic(WORDS[d.severity], self.names.get(file, file), d.at.line, d.at.column, text_of(d.message),
                                    path))
        return found

    def take(self) -> List[Diagnostic]:
        """Every message of the list, which is empty afterwards."""
        found = self.all()
        lib.rbv_diagnostics_clear(self.pointer)
        return found


def warn(diagnostics: Sequence[Diagnostic], level: int = 3, notes: bool = False) -> None:
    """Warnings among the messages become warnings of Python; with `notes` notes, too, where nothing else holds them."""
    for d in diagnostics:
        if d.severity == "warning" or (notes and d.severity == "note"):
            warnings.warn(str(d), ModelWarning, stacklevel=level + 1)


def check(status: int, diagnostics: Sequence[Diagnostic], what: str, result: "Optional[Result]" = None) -> None:
    """Raise the exception of a status that is not OK."""
    if status == lib.RBV_OK:
        return
    errors = [str(d) for d in diagnostics if d.severity == "error"]
    text = "\n".join(errors) or f"{what}: {text_of(lib.rbv_status_text(status))}"
    if status == lib.RBV_NO_MEMORY:
        raise MemoryError(text)
    if status == lib.RBV_NOT_WRITABLE:
        raise OSError(text)
    if status == lib.RBV_INTERRUPTED:
        interrupted = Interrupted(what + ": interrupted")
        interrupted.result = result
        raise interrupted
    if status == lib.RBV_BAD_ARGUMENT:
        raise ValueError(text)
    kind: Optional[Type[AnalysisError]] = STATUSES.get(status)
    if kind is None:
        raise ModelError(text, diagnostics)
    raise kind(text, diagnostics, result)
