#!/usr/bin/env python3
"""libroberval-arrays needs the C library and libm, and holds what its headers declare; libroberval holds the same; a program that links both computes the same, whichever comes first.

The programs are test/arrays/alone.c, which ctest also runs by themselves: with the static library, with the shared one, and with both shared libraries in either order."""
import os
import re
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "py"))
import cli              # noqa: E402

BUILD = os.path.dirname(cli.BINARY)
SYSTEM = re.compile(r"(libc|libm|ld-linux[\w-]*)\.so\.\d+")
HEADERS = ("base.h", "tree.h", "linkage.h")


def sanitized():
    with open(os.path.join(BUILD, "CMakeCache.txt"), encoding="utf-8") as f:
        return "RBV_SANITIZE:BOOL=ON" in f.read()


def output(*call):
    return subprocess.run(call, capture_output=True, text=True, check=True).stdout


def needed(path):
    return re.findall(r"\(NEEDED\).*\[(.*)\]", output("readelf", "-d", path))


def exported(library):
    names = {line.split()[-1] for line in output("nm", "-D", "--defined-only", os.path.join(BUILD, library)).splitlines()}
    return {name for name in names if not name.startswith("__odr_asan.")}       # marks of AddressSanitizer beside constants


def declared(header):
    with open(os.path.join(cli.ROOT, "include", "roberval", header), encoding="utf-8") as f:
        return set(re.findall(r"^RBV_API[^;(]*?\b(\w+)[(;]", f.read(), re.M))


class ArraysLibrary(cli.Case):
    @unittest.skipIf(sanitized(), "sanitizers are libraries too")
    def test_it_needs_the_c_library_and_libm_only(self):
        for path in ("libroberval-arrays.so", "test/arrays_alone_static", "test/arrays_alone_shared"):
            others = [name for name in needed(os.path.join(BUILD, path)) if not SYSTEM.fullmatch(name)]
            self.assertEqual(others, ["libroberval-arrays.so.0"] if path.endswith("alone_shared") else [], path)

    def test_it_exports_what_its_headers_declare(self):
        ours = set().union(*map(declared, HEADERS))
        self.assertGreater(len(ours), 60)
        self.assertEqual(exported("libroberval-arrays.so"), ours)

    def test_libroberval_holds_the_same_functions(self):
        self.assertLessEqual(exported("libroberval-arrays.so"), exported("libroberval.so"))

    def test_a_program_may_link_both_in_either_order(self):
        for name, first, last in (("arrays_before", "roberval-arrays", "roberval"), ("arrays_behind", "roberval", "roberval-arrays")):
            program = os.path.join(BUILD, "test", name)
            both = [library for library in needed(program) if "roberval" in library]
            self.assertEqual(both, [f"lib{first}.so.0", f"lib{last}.so.0"])
            self.assertEqual(subprocess.run([program], check=False).returncode, 0)

    def test_its_headers_include_no_model(self):
        out = output("cc", "-std=c17", "-E", "-I", os.path.join(cli.ROOT, "include"), os.path.join(cli.ROOT, "test", "arrays", "alone.c"))
        self.assertEqual(set(re.findall(r'roberval/(\w+\.h)"', out)), {"arrays.h", *HEADERS})
        self.assertNotIn("RbvModel", out)


if __name__ == "__main__":
    cli.main()
