"""The sessions of docs/python.md give what stands there."""
from __future__ import annotations

import doctest
import os
import re

import conftest


def test_the_guide(monkeypatch):
    monkeypatch.chdir(conftest.ROOT)
    text = (conftest.ROOT / "docs/python.md").read_text(encoding="utf-8")
    sessions = "\n".join(re.findall(r"^```pycon\n(.*?)^```", text, flags=re.M | re.S))
    test = doctest.DocTestParser().get_doctest(sessions, {}, "docs/python.md", None, 0)
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    runner.run(test)
    assert test.examples and runner.failures == 0, os.linesep.join(str(e.source) for e in test.examples[:1])


def test_declarations_are_those_of_the_headers(tmp_path):
    """A binding built earlier from other headers is stale."""
    import cffi
    import sys
    sys.path.insert(0, str(conftest.ROOT / "python/binding"))
    import declarations
    ffi = cffi.FFI()
    ffi.cdef(declarations.of_folder(conftest.ROOT / "include"))
    from roberval._binding import lib
    functions = re.findall(r"\b(rbv_\w+)\(", declarations.of_folder(conftest.ROOT / "include"))
    missing = [name for name in functions if not hasattr(lib, name)]
    assert len(functions) > 150 and not missing
