"""The builder for setup.py: the module finds the library in the folder libs beside it."""
from __future__ import annotations

import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import make_binding  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
ffibuilder = make_binding.builder(os.environ.get("ROBERVAL_INCLUDE", str(ROOT / "include")),
                           os.environ.get("ROBERVAL_LIBRARY", str(ROOT / "build/release")), "$ORIGIN/libs")
