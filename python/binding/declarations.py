"""The declarations of the public headers, as cffi reads them: without comments, preprocessor lines and attributes.

    python3 declarations.py INCLUDE      print them
"""
from __future__ import annotations

import pathlib
import re
import sys

#: Headers in an order in which each follows what it includes.
HEADERS = ("base", "result", "advice", "folder", "scene", "draw", "input", "model", "joints", "tree", "linkage", "system",
           "recording", "sizing", "options", "study", "tolerance", "analysis", "state", "simulation", "equations", "udwadia")


def of_header(text: str) -> str:
    """The declarations of one header's text."""
    text = re.sub(r"/\*.*?\*/", " ", text, flags=re.S)
    text = re.sub(r"//[^\n]*", " ", text)
    text = re.sub(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", "", text, flags=re.M)
    text = re.sub(r'extern "C" \{', "", text)
    text = re.sub(r"\bRBV_API\b|\bRBV_PRINTF\([^)]*\)", " ", text)
    lines = [" ".join(line.split()) for line in text.splitlines()]
    lines = [line for line in lines if line]
    if lines and lines[-1] == "}":  # of extern "C"
        lines.pop()
    return "\n".join(lines) + "\n"


def without_const(text: str) -> str:
    """`text` with members that point to arrays of constants as pointers to arrays: cffi misplaces their const."""
    return re.sub(r"const (double|bool) \(\*(\w+)\)\[", r"\1 (*\2)[", text)


def of_folder(include: pathlib.Path) -> str:
    """The declarations of all headers of the folder include/roberval."""
    folder = include / "roberval"
    here = {path.stem for path in folder.glob("*.h")} - {"roberval", "arrays"}
    if here != set(HEADERS):
        raise SystemExit(f"declarations.py: HEADERS and {folder} differ: {sorted(here ^ set(HEADERS))}")
    return without_const("".join(of_header((folder / f"{name}.h").read_text()) for name in HEADERS))


if __name__ == "__main__":
    print(of_folder(pathlib.Path(sys.argv[1])), end="")
