"""The C library: the binding, its version, and strings."""
from __future__ import annotations

import os
import threading
import weakref
from typing import Any, Callable, NoReturn, Sequence, Tuple

try:
    import numpy as np  # noqa: F401
except ImportError as error:  # pragma: no cover - depends on the machine
    raise ImportError("roberval needs numpy (Debian: python3-numpy)") from error

try:
    from roberval._binding import ffi as ffi, lib as lib  # type: ignore[import]
except ImportError as error:  # pragma: no cover - depends on the machine
    raise ImportError(f"the binding of roberval is missing or does not find its library: {error}. In the source tree, "
                      "'make python' builds it; it needs python3-cffi-backend") from error

#: Version of this package, which is that of the library.
__version__ = "0.1.0"

library_version: str = ffi.string(lib.rbv_version()).decode()
if library_version != __version__:
    raise ImportError(f"this is roberval {__version__} for Python, but the library libroberval found is of version "
                      f"{library_version}; install both of one version")


def text_of(pointer: Any) -> str:
    """A C string that stays its owner's; '' for NULL."""
    return "" if pointer == ffi.NULL else str(ffi.string(pointer), "utf-8", "replace")


def take_text(pointer: Any) -> str:
    """A C string that is freed."""
    if pointer == ffi.NULL:
        raise MemoryError("out of memory")
    try:
        return str(ffi.string(pointer), "utf-8", "replace")
    finally:
        lib.free(pointer)


def c_text(text: Any, what: str) -> Any:
    """A new C string of a text or path. ValueError: no text, or one with a NUL."""
    try:
        value = os.fspath(text) if not isinstance(text, str) else text
    except TypeError:
        raise ValueError(f"{what} must be a text, not {type(text).__name__}") from None
    try:
        data = value if isinstance(value, bytes) else value.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        raise ValueError(f"{what} has a character that is half of a pair, no text: {value!r}") from None
    if b"\0" in data:
        raise ValueError(f"{what} has a NUL character")
    return ffi.new("char[]", data)


class Handle:
    """An object of the library. It is destroyed when nothing refers to it, always before its `parents`: a cycle of garbage has
    no order of its own, so the finalizer, which is no part of the cycle, keeps them."""

    def __init__(self, pointer: Any, destroy: Callable[[Any], None], *parents: "Handle") -> None:
        self.pointer = pointer
        self.close = weakref.finalize(self, _end, destroy, pointer, parents)
        self.close.atexit = False  # a thread that ends with the program may use it to the last


def _end(destroy: Callable[[Any], None], pointer: Any, parents: Tuple[Handle, ...]) -> None:
    destroy(pointer)


def handle_of(handle: Any, kind: str, instead: str) -> Any:
    """The handle; TypeError: it is none, but what somebody who makes the object himself would give."""
    if not isinstance(handle, Handle):
        raise TypeError(f"{kind} objects are made by {instead}")
    return handle


class Alone:
    """Lets one call at a time use an object of the library: `with` it. Others are told so by a RuntimeError."""

    __slots__ = ("what", "lock", "thread")

    def __init__(self, what: str) -> None:
        self.what, self.lock, self.thread = what, threading.Lock(), 0

    def __enter__(self) -> None:
        if not self.lock.acquire(blocking=False):
            if self.thread == threading.get_ident():
                raise RuntimeError(f"this {self.what} is being used: by the call that runs this function")
            raise RuntimeError(f"this {self.what} is used by another thread; each thread needs its own")
        self.thread = threading.get_ident()

    def __exit__(self, *unused: object) -> None:
        self.thread = 0
        self.lock.release()


class Unique:
    """An object that stands for one of the library: there is no second one like it."""

    _instead = "make another"

    def __reduce_ex__(self, protocol: Any) -> NoReturn:
        raise TypeError(f"{type(self).__name__} objects can be neither copied nor pickled; {self._instead}")


class Texts:
    """A list of C strings that stays alive with this object."""

    def __init__(self, items: Sequence[object], what: str) -> None:
        self.own = [c_text(item, what) for item in items]
        self.array = ffi.new("char *[]", self.own) if self.own else ffi.NULL
        self.count = len(self.own)
