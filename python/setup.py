"""The extension module of the package, and a wheel that holds the C libraries it needs.

ROBERVAL_INCLUDE and ROBERVAL_LIBRARY name the folders of headers and of libroberval. Without them it is the source tree's
build/release (`make release` builds it); an sdist holds the C sources in its folder c, and the library is built from them with
cmake. What libroberval needs beyond the C library is copied beside it (runpath $ORIGIN), with the licences of Debian's
packages."""
from __future__ import annotations

import os
import pathlib
import re
import shutil
import subprocess
import sys

from setuptools import setup
from setuptools.command.build_py import build_py
from setuptools.command.sdist import sdist

HERE = pathlib.Path(__file__).resolve().parent
OWN = HERE / "c"  # the C sources of an sdist
#: What the library is built from, in the source tree.
SOURCES = ("CMakeLists.txt", "LICENSE", "cmake", "include", "src", "tools/embed-page.c", "web/dist")


def build_library() -> str:
    """The folder of a library built from the sources in OWN."""
    folder = HERE / "build/c"
    if not shutil.which("cmake"):
        raise SystemExit("roberval: cmake is missing, with which libroberval is built (Debian: cmake ninja-build gcc pkg-config "
                         "libfyaml-dev libsuitesparse-dev libopenblas-serial-dev); or ROBERVAL_LIBRARY and ROBERVAL_INCLUDE "
                         "name the folders of one that is there")
    ninja = ["-G", "Ninja"] if shutil.which("ninja") else []
    subprocess.run(["cmake", "-S", str(OWN), "-B", str(folder), *ninja, "-DCMAKE_BUILD_TYPE=Release",
                    "-DCMAKE_C_FLAGS_RELEASE=-O3 -DNDEBUG", "-DRBV_TESTS=OFF", "-DRBV_BENCH=OFF", "-DRBV_MPI=OFF"], check=True)
    subprocess.run(["cmake", "--build", str(folder), "--target", "roberval_shared", "--parallel", str(os.cpu_count() or 1)],
                   check=True)
    return str(folder)


builds = any(word.startswith(("build", "bdist", "install", "develop", "editable")) for word in sys.argv[1:])
tree = OWN if OWN.is_dir() else HERE.parent
os.environ.setdefault("ROBERVAL_INCLUDE", str(tree / "include"))
if "ROBERVAL_LIBRARY" not in os.environ:
    os.environ["ROBERVAL_LIBRARY"] = build_library() if builds and tree == OWN else str(tree / "build/release")
LIBRARY = os.environ["ROBERVAL_LIBRARY"]
if builds and not list(pathlib.Path(LIBRARY).glob("libroberval.so*")):
    raise SystemExit(f"roberval: there is no libroberval in {LIBRARY}: 'make release' builds it, or ROBERVAL_LIBRARY names its "
                     "folder")
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


class WithSources(sdist):
    """The sources of the package with those of the C library."""

    def make_release_tree(self, base_dir: str, files: "list[str]") -> None:
        super().make_release_tree(base_dir, files)
        for name in SOURCES:
            source, target = tree / name, pathlib.Path(base_dir) / "c" / name
            target.parent.mkdir(parents=True, exist_ok=True)
            if source.is_dir():
                shutil.copytree(source, target, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copyfile(source, target)


setup(cffi_modules=["binding/bundled.py:ffibuilder"], cmdclass={"build_py": WithLibraries, "sdist": WithSources},
      options={"bdist_wheel": {"py_limited_api": "cp39"}})
