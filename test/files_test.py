#!/usr/bin/python3
"""Files that the user names (--svg, --frames, report --out): what is no regular file is written to and stays, links are followed, a regular file is whole or stays as it was, and its ending says what is in it."""
# ctest: smoke
import base64
import json
import os
import shutil
import signal
import stat
import struct
import subprocess
import sys
import tempfile
import threading
import time
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "py"))
import cli              # noqa: E402

MODEL = {"roberval": 1, "space": "planar", "gravity": [0, -9.81], "bodies": {"arm": {"mass": 2, "inertia": 0.1, "centroid": [0.5, 0]}},
         "joints": {"pin": {"type": "revolute", "between": ["ground", "arm"]}}, "drives": {"motor": {"coordinate": "pin.angle", "motion": "3*t"}},
         "motion": {"from": 0, "to": 0.5, "step": 0.125}}
# (options, how the file begins)
KINDS = ((("inverse", "--svg"), b"<svg "), (("inverse", "--frames"), b'{"asset":'), (("report", "--out"), b"<!"))


class Files(cli.Case):
    def setUp(self):
        temp = tempfile.TemporaryDirectory(prefix="rbv-files-")
        self.addCleanup(temp.cleanup)
        self.temp = temp.name
        self.model = self.path("m.json")
        with open(self.model, "w", encoding="utf-8") as f:
            json.dump(MODEL, f)

    def path(self, *names):
        return os.path.join(self.temp, *names)

    def call(self, kind, path, *flags, **options):
        command, option = kind
        return subprocess.run([cli.BINARY, command, self.model, "--quiet", option, path, *flags], capture_output=True, timeout=cli.HANG, cwd=self.temp, **options)

    def made(self, kind, path, *flags, **options):
        done = self.call(kind, path, *flags, **options)
        self.assertEqual((done.returncode, done.stderr), (0, b""), (kind, path))
        return done

    def refused(self, code, words, kind, path, *flags):
        done = self.call(kind, path, *flags)
        self.assertEqual(done.returncode, code, (kind, path, done.stderr))
        self.assertRegex(done.stderr.decode("utf-8", "replace"), words)

    def begins(self, path, head):
        with open(path, "rb") as f:
            self.assertEqual(f.read(len(head)), head, path)

    def nothing_left(self, *names):
        self.assertEqual(sorted(os.listdir(self.temp)), sorted(("m.json",) + names))

    def test_devices_stay(self):
        """Devices of the test's own, made by root: a wrong program would replace those of the machine for everybody."""
        if os.geteuid() != 0:
            self.made(KINDS[0][0], "/dev/null")
        try:
            for name, minor in (("null", 3), ("full", 7)):
                os.mknod(self.path(name), 0o666 | stat.S_IFCHR, os.makedev(1, minor))
            with open(self.path("null"), "wb") as f:
                f.write(b"")
        except OSError:
            self.skipTest("no devices can be made here")
        os.symlink("null", self.path("link.png"))                          # what is no regular file may be called anything
        for kind, _ in KINDS:
            self.made(kind, self.path("null"))
            self.made(kind, self.path("link.png"))
            self.refused(1, "cannot write .*full: No space left", kind, self.path("full"))
        for name in ("null", "full"):
            self.assertTrue(stat.S_ISCHR(os.lstat(self.path(name)).st_mode))
        self.assertTrue(os.path.islink(self.path("link.png")))

    def test_fifos_are_written_to(self):
        os.mkfifo(self.path("pipe"))
        for kind, head in KINDS:
            read = []

            def take():
                with open(self.path("pipe"), "rb") as f:
                    read.append(f.read())
            reader = threading.Thread(target=take)
            reader.start()
            self.made(kind, self.path("pipe"))
            reader.join()
            self.assertEqual(read[0][:len(head)], head)
        self.assertTrue(stat.S_ISFIFO(os.lstat(self.path("pipe")).st_mode))

    def test_nobody_reads(self):
        """^C ends a program that waits for a reader."""
        os.mkfifo(self.path("pipe"))
        program = subprocess.Popen([cli.BINARY, "inverse", self.model, "--quiet", "--out", self.path("o"), "--svg", self.path("pipe")], stderr=subprocess.PIPE)
        while not os.path.exists(self.path("o", "result.json")):
            time.sleep(0.005)
        while program.poll() is None:                                      # it may not yet wait when the first comes
            program.send_signal(signal.SIGINT)
            time.sleep(0.05)
        self.assertEqual(program.returncode, 130, program.communicate()[1])

    def test_a_socket_is_not_replaced(self):
        import socket
        with socket.socket(socket.AF_UNIX) as s:
            s.bind(self.path("socket"))
            self.refused(1, "cannot write .*socket", KINDS[0][0], self.path("socket"))
        self.assertTrue(stat.S_ISSOCK(os.lstat(self.path("socket")).st_mode))

    def test_links_are_followed(self):
        os.makedirs(self.path("deep", "er"))
        for kind, head in KINDS:
            with open(self.path("victim"), "w") as f:
                f.write("victim")
            links = {"one": "victim", "two": "deep/one", "deep/one": "../one", "dangling": "deep/er/new", "absolute": self.path("deep", "absent")}
            for link, target in links.items():
                os.symlink(target, self.path(link))
            for link, target in (("two", "victim"), ("dangling", "deep/er/new"), ("absolute", "deep/absent")):
                self.made(kind, self.path(link))
                self.begins(self.path(target), head)
                self.assertFalse(os.path.islink(self.path(target)))
            for link in links:
                self.assertTrue(os.path.islink(self.path(link)))
                os.remove(self.path(link))
            for target in ("deep/er/new", "deep/absent", "victim"):
                os.remove(self.path(target))
        os.symlink("b", self.path("a"))
        os.symlink("a", self.path("b"))
        os.symlink("nowhere/x", self.path("c"))
        for link, why in (("a", "Too many levels"), ("c", "No such file"), ("", "Is a directory"), ("nowhere/x", "No such file"), ("m.json/x", "Not a directory")):
            self.refused(1, why, KINDS[0][0], self.path(link))
        shutil.rmtree(self.path("deep"))
        self.nothing_left("a", "b", "c")

    def test_descriptors(self):
        """A name of an open descriptor is that descriptor, file or pipe: what was written there before stays, what comes after follows."""
        os.symlink("/proc/self/fd/1", self.path("stdout"))                  # as /dev/stdout, which is the machine's
        os.symlink("/proc/self/fd", self.path("fd"))
        for kind, head in KINDS:
            for name in (self.path("stdout"), "/proc/self/fd/1", self.path("fd", "1")):
                self.assertEqual(self.call(kind, name).stdout[:len(head)], head)
                with open(self.path("file"), "wb") as f:
                    f.write(b"before\n")
                    f.flush()
                    command, option = kind
                    subprocess.run([cli.BINARY, command, self.model, option, name, "--quiet"], stdout=f, check=True)
                    f.write(b"after\n")
                with open(self.path("file"), "rb") as f:
                    text = f.read()
                self.assertEqual((text[:7 + len(head)], text[-6:]), (b"before\n" + head, b"after\n"))
        with open(self.path("seven"), "wb") as f:
            self.made(KINDS[0][0], f"/proc/self/fd/{f.fileno()}", pass_fds=[f.fileno()])
        self.begins(self.path("seven"), b"<svg ")
        self.refused(1, "cannot write /proc/self/fd/99", KINDS[0][0], "/proc/self/fd/99")

    def test_what_is_replaced(self):
        """A file keeps its rights, another name of it its contents; one that may not be written stays."""
        with open(self.path("x.svg"), "w") as f:
            f.write("before")
        os.chmod(self.path("x.svg"), 0o640)
        os.link(self.path("x.svg"), self.path("other"))
        self.made(KINDS[0][0], self.path("x.svg"))
        self.begins(self.path("x.svg"), b"<svg ")
        self.begins(self.path("other"), b"before")
        self.assertEqual(stat.S_IMODE(os.stat(self.path("x.svg")).st_mode), 0o640)
        self.made(KINDS[0][0], self.path("new.svg"), umask=0o027)
        self.assertEqual(stat.S_IMODE(os.stat(self.path("new.svg")).st_mode), 0o640)
        self.nothing_left("new.svg", "other", "x.svg")

    @unittest.skipIf(os.geteuid() == 0, "root may write everywhere")
    def test_no_right_to_write(self):
        with open(self.path("x.svg"), "w") as f:
            f.write("before")
        os.chmod(self.path("x.svg"), 0o444)
        self.refused(1, "Permission denied", KINDS[0][0], self.path("x.svg"))
        os.mkdir(self.path("locked"), 0o555)
        self.refused(1, "Permission denied", KINDS[0][0], self.path("locked", "x.svg"))
        self.begins(self.path("x.svg"), b"before")

    def test_what_nobody_has_named_is_not_followed(self):
        """The page that goes into a folder under a name of its own"""
        subprocess.run([cli.BINARY, "inverse", self.model, "--quiet", "--out", self.path("o")], check=True)
        os.mkdir(self.path("pages"))
        with open(self.path("victim"), "w") as f:
            f.write("victim")
        for make in (lambda path: os.symlink("../victim", path), os.mkfifo):
            for call, page in (([self.path("o")], "o/report.html"), ([self.model, "--out", self.path("pages")], "pages/m.html")):
                make(self.path(page))
                done = subprocess.run([cli.BINARY, "report", *call, "--quiet"], capture_output=True, text=True, timeout=cli.HANG)
                self.assertEqual(done.returncode, 1, done.stderr)
                self.assertIn(f"cannot write {self.path(page)}: it is no regular file", done.stderr)
                os.remove(self.path(page))
        self.begins(self.path("victim"), b"victim")
        self.refused(2, "cannot both be x", KINDS[0][0], "x", "--frames", "x")

    def test_names(self):
        """blanks, newlines, letters outside UTF-8, the longest"""
        for name in (b"a b.svg", b"\xff\xfe.svg", b"new\nline.svg", "Größe.svg".encode(), b"x" * 251 + b".svg", b"-.svg", b".svg"):
            path = os.path.join(os.fsencode(self.temp), name)
            self.made(KINDS[0][0], path)
            self.begins(path, b"<svg ")
        self.made(KINDS[0][0], "relative.svg")
        self.begins(self.path("relative.svg"), b"<svg ")
        self.refused(1, "File name too long", KINDS[0][0], self.path("x" * 252 + ".svg"))

    def test_a_killed_program_leaves_the_old_file(self):
        with open(self.path("x.html"), "w") as f:
            f.write("before")
        for k in range(8):
            program = subprocess.Popen([cli.BINARY, "report", self.model, "--quiet", "--out", self.path("x.html")])
            time.sleep(0.004 * k)
            program.kill()
            program.wait()
            with open(self.path("x.html"), "rb") as f:
                text = f.read()
            self.assertTrue(text == b"before" or text.rstrip().endswith(b"</html>"), k)

    def test_endings(self):
        wrong = {0: ("x.png", "x.gltf", "x.svgz", "x.svg.bak"), 1: ("x.svg", "x.obj", "x.bin"), 2: ("x.pdf", "x.svg", "x.json")}
        right = {0: ("x.svg", "x.SVG", "x", ".x", "a.b/x"), 1: ("x.gltf", "x.GLTF", "x.glb", "x"), 2: ("x.html", "x.htm", "x", "x.")}
        os.mkdir(self.path("a.b"))
        for k, (kind, head) in enumerate(KINDS):
            for name in (f"wrong{k}{x}" for x in wrong[k]):
                self.refused(2, f"call it wrong.*, not {name}", kind, name)
                self.assertFalse(os.path.exists(self.path(name)))
            for name in right[k]:
                self.made(kind, name)
                self.begins(self.path(name), b"glTF" if name.endswith("glb") else head)
        self.made(KINDS[2][0], "a.b")                                      # a folder: the page goes into it
        self.begins(self.path("a.b", "m.html"), b"<!")

    def test_binary_gltf(self):
        """The same objects and numbers as in the text, laid out as section 4.4 of the glTF 2.0 specification says"""
        for name in ("x.gltf", "x.glb"):
            self.made(KINDS[1][0], name)
        with open(self.path("x.gltf"), encoding="utf-8") as f:
            text = json.load(f)
        with open(self.path("x.glb"), "rb") as f:
            binary = f.read()
        magic, version, length, first, kind = struct.unpack("<4sIII4s", binary[:20])
        self.assertEqual((magic, version, length, kind, first % 4), (b"glTF", 2, len(binary), b"JSON", 0))
        packed = json.loads(binary[20:20 + first])
        second, kind = struct.unpack("<I4s", binary[20 + first:28 + first])
        self.assertEqual((kind, second % 4, 28 + first + second), (b"BIN\0", 0, len(binary)))
        numbers = base64.b64decode(text["buffers"][0].pop("uri").split(",")[1])
        self.assertEqual(binary[28 + first:][:len(numbers)], numbers)
        self.assertEqual(packed, text)
        self.assertGreater(len(text["animations"][0]["channels"]), 1)


if __name__ == "__main__":
    cli.main()
