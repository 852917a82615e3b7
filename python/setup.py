"""The extension module of the package, and a wheel that holds the C libraries it needs.

ROBERVAL_INCLUDE and ROBERVAL_LIBRARY name the folders of headers and of libroberval; default: the source tree's include and
build/release (`make release` builds it). What libroberval needs beyond the C library is copied beside it (runpath $ORIGIN),
with the licences of Debian's packages."""
from __future__ import annotations

import os
import pathlib
import re
import shutil
import subprocess

from setuptools import setup
from setuptools.command.build_py import build_py

HERE = pathlib.Path(__file__).resolve().parent
INCLUDE = os.environ.get("ROBERVAL_INCLUDE", str(HERE.parent / "include"))
LIBRARY = os.environ.get("ROBERVAL_LIBRARY", str(HERE.parent / "build/release"))
#: Libraries that every system has.
SYSTEM = re.compile(r"^(linux-vdso|ld-linux|lib(c|m|dl|pthread|rt|gcc_s)\.so)")


def needed(library: pathlib.Path) -> "dict[str, str]":
    """What a library needs, directly and indirectly, besides SYSTEM: name and path."""
    text = subprocess.run(["ldd", str(library)], capture_output=True, text=True, check=True).stdout
    found = re.findall(r"^\s*(\S+) => (\S+)", text, flags=re.M)
    return {name: path for name, path in found if not SYSTEM.match(name)}


class WithLibraries(build_py):
    """The package with libroberval and what it needs."""

    def run(self) -> None:
        super().run()
        package = pathlib.Path(self.build_lib) / "roberval"
        libs, licences = package / "libs", package / "licences"
        libs.mkdir(parents=True, exist_ok=True)
        licences.mkdir(exist_ok=True)
        main = next(p for p in sorted(pathlib.Path(LIBRARY).glob("libroberval.so.*")) if p.is_symlink())
        for name, path in {main.name: str(main), **needed(main)}.items():
            target = libs / name
            shutil.copyfile(os.path.realpath(path), target)
            target.chmod(0o755)
            subprocess.run(["patchelf", "--set-rpath", "$ORIGIN", str(target)], check=True)
            owner = subprocess.run(["dpkg-query", "-S", os.path.realpath(path)], capture_output=True, text=True, check=False)
            debian = owner.stdout.split(":")[0]
            text = pathlib.Path(f"/usr/share/doc/{debian}/copyright")
            if debian and text.exists():
                shutil.copyfile(text, licences / f"{debian}.txt")


setup(cffi_modules=["binding/bundled.py:ffibuilder"], cmdclass={"build_py": WithLibraries},
      options={"bdist_wheel": {"py_limited_api": "cp39"}})
