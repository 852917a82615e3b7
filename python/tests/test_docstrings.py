"""The examples in docstrings give what they say."""
from __future__ import annotations

import doctest
import importlib

import conftest  # noqa: F401
import pytest


@pytest.mark.parametrize("name", ["", ".model", ".evaluation", ".arrays", ".study"])
def test_docstrings(name: str) -> None:
    found = doctest.testmod(importlib.import_module("roberval" + name))
    assert found.attempted > 0
    assert found.failed == 0
