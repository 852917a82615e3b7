#!/usr/bin/env python3
# ctest: slow
"""What is installed works: the program, its manual page and completions, documentation and examples; and programs in C that are built against it by pkg-config and by CMake,
with the shared and with the static library, and with those of trees and linkages on arrays.

Installs the build that the program belongs to into a folder (DESTDIR), as a packager does."""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "py"))
import cli              # noqa: E402

BUILD = os.path.dirname(cli.BINARY)
EXAMPLES = os.path.join(cli.ROOT, "examples")
ALONE = os.path.join(cli.ROOT, "test", "arrays", "alone.c")
PREFIX = "/opt/machines"
SHELLS = {"bash": "share/bash-completion/completions/roberval", "zsh": "share/zsh/site-functions/_roberval", "fish": "share/fish/vendor_completions.d/roberval.fish"}
LISTS = """cmake_minimum_required(VERSION 3.25)
project(machine C)
find_package(Roberval 0.1 REQUIRED)
foreach(kind shared static)
    add_executable(${kind} inverse.c)
    target_link_libraries(${kind} PRIVATE Roberval::${kind})
    add_executable(arrays_${kind} alone.c)
    target_link_libraries(arrays_${kind} PRIVATE Roberval::arrays_${kind} m)
endforeach()
"""


def sanitized():
    with open(os.path.join(BUILD, "CMakeCache.txt"), encoding="utf-8") as f:
        return "RBV_SANITIZE:BOOL=ON" in f.read()


@unittest.skipIf(sanitized(), "libraries with sanitizers are not for others")
class Installed(cli.Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.temp = tempfile.TemporaryDirectory(prefix="rbv-install-")
        cls.addClassCleanup(cls.temp.cleanup)
        cls.run_plainly(["cmake", "--install", BUILD, "--prefix", PREFIX], env={**os.environ, "DESTDIR": cls.temp.name})
        cls.top = cls.temp.name + PREFIX
        cls.lib = next(os.path.join(folder) for folder, _, files in os.walk(cls.top) if "libroberval.a" in files)
        cls.environment = {**os.environ, "PKG_CONFIG_PATH": os.path.join(cls.lib, "pkgconfig"), "LD_LIBRARY_PATH": cls.lib}

    @classmethod
    def run_plainly(cls, call, **options):
        done = subprocess.run(call, capture_output=True, text=True, **options)
        if done.returncode != 0:
            raise AssertionError(f"{' '.join(call)}: exit {done.returncode}\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
        return done.stdout

    def at(self, *parts):
        return os.path.join(self.top, *parts)

    def solves(self, program, static):
        """the example gives the servo's torque as the program does, and needs the shared library or does not"""
        out = self.run_plainly([program], cwd=EXAMPLES, env=self.environment)
        series = cli.run(["inverse", "press/press.yaml"], cwd=EXAMPLES).series
        first = next(line.split() for line in out.splitlines() if re.match(r" +0\.0000 s", line))
        self.near(float(first[2]), series["servo.effort"][0], 1e-5 * abs(series["servo.effort"][0]))
        needed = self.run_plainly(["readelf", "-d", program])
        self.assertEqual("libroberval.so" in needed, not static)

    def controls(self, program, static):
        """test/arrays/alone.c ends with 0, and needs the shared library of arrays or does not; never libroberval"""
        self.run_plainly([program], env=self.environment)
        needed = re.findall(r"libroberval[\w-]*\.so", self.run_plainly(["readelf", "-d", program]))
        self.assertEqual(needed, [] if static else ["libroberval-arrays.so"])

    def compile(self, name, flags, source=os.path.join(EXAMPLES, "c", "inverse.c")):
        program = os.path.join(self.temp.name, name)
        # the flags stand behind the source, as docs/library.md has them
        self.run_plainly(["sh", "-c", f"cc -std=c17 -Wall -Wextra -Werror {source} -o {program} {flags}"], env=self.environment)
        return program

    def test_uninstall_takes_away_what_was_installed_and_nothing_else(self):
        with tempfile.TemporaryDirectory(prefix="rbv-install-") as folder:
            environment = {**os.environ, "DESTDIR": folder}
            others = os.path.join(folder + PREFIX, "share/doc/other", "README"), os.path.join(folder + PREFIX, "bin", "rover")
            for path in others:
                os.makedirs(os.path.dirname(path), exist_ok=True)
                with open(path, "w", encoding="utf-8") as file:
                    file.write("not ours\n")
            self.run_plainly(["cmake", "--install", BUILD, "--prefix", PREFIX], env=environment)
            count = len(self.files(folder))
            self.assertGreater(count, 50)
            said = self.run_plainly([os.path.join(cli.ROOT, "tools", "uninstall"), BUILD, PREFIX], env=environment)
            self.assertIn(f"Removed {count - 2} files", said)
            self.assertEqual(self.files(folder), sorted(others))
            self.assertEqual([where for where, _, _ in os.walk(folder) if where.endswith("roberval")], [])

    def files(self, folder):
        return sorted(os.path.join(where, name) for where, _, names in os.walk(folder) for name in names)

    def test_pkg_config(self):
        self.solves(self.compile("shared", "$(pkg-config --cflags --libs roberval)"), False)
        self.solves(self.compile("static", "$(pkg-config --static --cflags --libs roberval | sed 's/-lroberval/-l:libroberval.a/')"), True)
        shared, static = "$(pkg-config --cflags --libs roberval-arrays) -lm", "$(pkg-config --static --cflags --libs roberval-arrays | sed 's/-lroberval-arrays/-l:libroberval-arrays.a/')"
        self.controls(self.compile("arrays_shared", shared, ALONE), False)
        self.controls(self.compile("arrays_static", static, ALONE), True)
        with open(os.path.join(cli.ROOT, "docs", "trees.md"), encoding="utf-8") as f:
            page = f.read()
        self.assertIn(shared, page)
        self.assertIn(static, page)
        with open(os.path.join(cli.ROOT, "docs", "library.md"), encoding="utf-8") as f:
            page = f.read()
        self.assertIn("$(pkg-config --cflags --libs roberval)", page)
        self.assertIn("$(pkg-config --static --cflags --libs roberval | sed 's/-lroberval/-l:libroberval.a/')", page)

    def test_cmake(self):
        project = os.path.join(self.temp.name, "project")
        os.mkdir(project)
        shutil.copy(os.path.join(EXAMPLES, "c", "inverse.c"), project)
        shutil.copy(ALONE, project)
        with open(os.path.join(project, "CMakeLists.txt"), "w", encoding="utf-8") as f:
            f.write(LISTS)
        build = os.path.join(project, "build")
        self.run_plainly(["cmake", "-G", "Ninja", "-S", project, "-B", build, f"-DCMAKE_PREFIX_PATH={self.top}"])
        self.run_plainly(["cmake", "--build", build])
        self.solves(os.path.join(build, "shared"), False)
        self.solves(os.path.join(build, "static"), True)
        self.controls(os.path.join(build, "arrays_shared"), False)
        self.controls(os.path.join(build, "arrays_static"), True)
        with open(os.path.join(project, "CMakeLists.txt"), "w", encoding="utf-8") as f:       # insisting on the static one
            f.write(LISTS.replace("0.1 REQUIRED", "0.1 REQUIRED COMPONENTS static"))
        self.run_plainly(["cmake", "-G", "Ninja", "-S", project, "-B", build + "2", f"-DCMAKE_PREFIX_PATH={self.top}"])

    def test_the_program(self):
        program = self.at("bin", "roberval")
        self.assertEqual(self.run_plainly([program, "version"]), self.run_plainly([cli.BINARY, "version"]))
        model = self.at("share/doc/roberval/examples/press/press.yaml")
        self.assertIn("servo.effort", self.run_plainly([program, "inverse", model]))
        self.assertFalse(os.path.exists(self.at("share/doc/roberval/out")))

    def test_the_manual_page(self):
        page = self.at("share/man/man1/roberval.1")
        with open(page, encoding="utf-8") as f:
            text = f.read().replace("\\-", "-").replace("\\(aq", "'")
        overview = self.run_plainly([cli.BINARY, "help"])
        for command in re.findall(r"^  roberval ([a-z]+)", overview, re.M):
            self.assertRegex(text, rf"(?m)^\.SS roberval {command}\b")
            for option in re.findall(r"^  (--[a-z-]+)", self.run_plainly([cli.BINARY, "help", command]), re.M):
                self.assertIn(f"\\fB{option}\\fR", text)
        if shutil.which("man") and shutil.which("groff"):
            shown = subprocess.run(["man", "--warnings", "-l", page], capture_output=True, text=True, env={**os.environ, "MANPAGER": "cat", "LC_ALL": "C.UTF-8"})
            self.assertEqual((shown.returncode, shown.stderr), (0, ""))
            self.assertIn("EXIT STATUS", shown.stdout)

    def complete(self, *words):
        """what bash offers for the last word"""
        script = (f". {self.at(SHELLS['bash'])}; COMP_WORDS=({' '.join(map(repr, words))}); COMP_CWORD={len(words) - 1}; _roberval; printf '%s\\n' \"${{COMPREPLY[@]}}\"")
        return self.run_plainly(["bash", "-c", script], cwd=EXAMPLES).split()

    def test_completion(self):
        commands = re.findall(r"^  roberval ([a-z]+)", self.run_plainly([cli.BINARY, "help"]), re.M)
        self.assertEqual(self.complete("roberval", ""), commands)
        self.assertEqual(self.complete("roberval", "kin"), ["kinematics"])
        self.assertEqual(self.complete("roberval", "help", "sta"), ["statics"])
        for command in commands:
            page = self.run_plainly([cli.BINARY, "help", command])
            self.assertEqual(set(self.complete("roberval", command, "--")), set(re.findall(r"^  (--[a-z-]+)", page, re.M)) | {"--help"}, command)
        self.assertEqual(self.complete("roberval", "inverse", "--frame", ""), ["joint", "ground"])
        self.assertEqual(self.complete("roberval", "statics", "--method", "=", "pen"), ["penalty"])
        self.assertEqual(self.complete("roberval", "inverse", "press.yaml", "--out", "pre"), ["press"])
        self.assertEqual(self.complete("roberval", "inverse", "pre"), [])                      # bash itself offers files
        for shell, path in SHELLS.items():
            self.assertTrue(os.path.exists(self.at(path)), shell)
            if shutil.which(shell):
                self.run_plainly([shell, "-n", self.at(path)])

    def test_pages_lead_to_each_other(self):
        """links of the installed pages lead to what is installed, but for those into the sources"""
        top = self.at("share/doc/roberval")
        pages = [os.path.join(folder, name) for folder, _, names in os.walk(top) for name in names if name.endswith(".md")]
        self.assertGreater(len(pages), 20)
        for page in pages:
            with open(page, encoding="utf-8") as f:
                text = re.sub(r"(?ms)^```.*?^```|`[^`\n]*`", "", f.read())
            for link in re.findall(r"\]\(([^)\s#]+)", text):
                if not re.match(r"[a-z]+:|(\.\./)*(src|include|test|fuzz|bench|tools|cmake|python)/", link):
                    self.assertTrue(os.path.exists(os.path.join(os.path.dirname(page), link)), f"{page}: {link}")


if __name__ == "__main__":
    cli.main()
