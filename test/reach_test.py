#!/usr/bin/env python3
"""What a model may read: files of its folder and of those given by --path, whatever links, dots and pipes say; nothing of another file is ever shown."""
import itertools
import os
import random
import resource
import socket
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "py"))
import cli              # noqa: E402

SECRET = "root;x7secret;/bin/sh"
TABLE = "time [s],angle [rad]\n0,0\n1,1\n2,2\n3,3\n"
TETRAHEDRON = "solid t\n" + "".join(
    f"facet normal 0 0 0\nouter loop\n{''.join(f'vertex {p}' + chr(10) for p in t)}endloop\nendfacet\n"
    for t in (("0 0 0", "0 1 0", "1 0 0"), ("0 0 0", "1 0 0", "0 0 1"), ("0 0 0", "0 0 1", "0 1 0"), ("1 0 0", "0 1 0", "0 0 1"))) + "endsolid t\n"

USES = {
    "table": ("planar", "tables: {lift: {file: %s, x: time, y: angle}}\nbodies: {arm: {mass: 1, inertia: 1}}\njoints: {pin: {type: revolute, between: [ground, arm]}}\n"
                        "drives: {m: {coordinate: pin.angle, motion: lift(t)}}\n", TABLE),
    "curve": ("planar", "bodies: {cam: {}, roller: {pose: {at: [0, 2]}}}\njoints:\n  pin: {type: revolute, between: [ground, cam]}\n"
                        "  lift: {type: cam, between: [cam, roller], curve: {file: %s, x: time, y: angle}}\n", "time [m],angle [m]\n-2,2\n-1,1.9\n1,1.9\n2,2\n3,2\n"),
    "mesh": ("spatial", "bodies: {rock: {shape: [{mesh: {file: %s}, density: 1000}]}}\njoints: {glue: {type: fixed, between: [ground, rock]}}\n", TETRAHEDRON)}


class Reach(cli.Case):
    def setUp(self):
        temp = tempfile.TemporaryDirectory(prefix="rbv-reach-")
        self.addCleanup(temp.cleanup)
        self.top = os.path.realpath(temp.name)
        for folder in ("model/sub/deep", "data/more", "model2", "other"):
            os.makedirs(os.path.join(self.top, folder))
        for folder in ("model", "model/sub", "model/sub/deep", "data", "data/more", "model2", "other", "."):
            self.put(f"{folder}/secret.txt", SECRET)
            for use, (_, _, content) in USES.items():
                self.put(f"{folder}/{use}.dat", content)

    def put(self, path, content):
        with open(os.path.join(self.top, path), "w", encoding="utf-8") as f:
            f.write(content)

    def link(self, path, target):
        os.symlink(target, os.path.join(self.top, path))

    def check(self, use, name, *flags, model="model/m.yaml", cwd=None):
        space, text, _ = USES[use]
        path = os.path.join(self.top, model)
        with open(path, "w", encoding="utf-8") as f:
            f.write(f"roberval: 1\nspace: {space}\n" + text % f'"{name}"')

        def limits():
            resource.setrlimit(resource.RLIMIT_CPU, (60, 60))
            resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20))
        done = subprocess.run([cli.BINARY, "check", os.path.relpath(path, cwd) if cwd else path, "--json", *flags], cwd=cwd or self.top, capture_output=True, text=True,
                              timeout=cli.HANG, preexec_fn=limits)
        self.assertNotIn("x7secret", done.stdout + done.stderr)
        return done

    def accepted(self, use, name, *flags, **options):
        done = self.check(use, name, *flags, **options)
        self.assertEqual(done.returncode, 0, f"{use} {name} {flags}: {done.stderr}")

    def refused(self, use, name, *flags, why="lies outside the model's folder", **options):
        done = self.check(use, name, *flags, **options)
        self.assertEqual(done.returncode, 2, f"{use} {name} {flags}: {done.stderr}")
        self.assertRegex(done.stderr, rf"m\.yaml:\d+:\d+: error: .*{why}")
        if "lies outside" in done.stderr:
            self.assertIn("--path", done.stderr)

    def test_files_of_the_folder(self):
        for use in USES:
            for name in (f"{use}.dat", f"sub/{use}.dat", f"./sub/deep/../{use}.dat", f"sub/../{use}.dat", os.path.join(self.top, "model", "sub", f"{use}.dat")):
                self.accepted(use, name)
                self.accepted(use, name, cwd=os.path.join(self.top, "model"))

    def test_names_that_lead_out(self):
        for use in USES:
            for name in (f"../data/{use}.dat", f"sub/../../data/{use}.dat", f"../model2/{use}.dat", f"../{use}.dat", os.path.join(self.top, "data", f"{use}.dat"), "/etc/passwd",
                         "../../../../../../../../../etc/passwd", "../nowhere.dat", "/nowhere/at/all", "sub/deep/../../../nowhere/x"):
                self.refused(use, name)

    @cli.long
    def test_links_that_lead_out(self):
        """of files, of folders, of links, in the middle of a name"""
        self.link("model/data", "../data")
        self.link("model/sub/far", "../../data/more")
        self.link("model/round", "sub/far")
        for use in USES:
            self.link(f"model/{use}.lnk", f"../data/{use}.dat")
            self.link(f"model/{use}.twice", f"{use}.lnk")
            self.link(f"model/{use}.abs", os.path.join(self.top, "data", f"{use}.dat"))
            for name in (f"{use}.lnk", f"{use}.twice", f"{use}.abs", f"data/{use}.dat", f"sub/far/{use}.dat", f"round/{use}.dat", f"data/more/../{use}.dat"):
                self.refused(use, name)
                self.accepted(use, name, "--path", "data")
        self.link("model/leak.dat", "../data/secret.txt")
        for use in USES:
            self.refused(use, "leak.dat")

    def test_links_within(self):
        self.link("model/near", "sub/deep")
        self.link("model/up.dat", "sub/../table.dat")
        self.accepted("table", "near/table.dat")
        self.accepted("table", "up.dat")
        self.link("elsewhere", "model")                        # the folder itself may be reached by a link
        self.accepted("table", "sub/table.dat", model="elsewhere/m.yaml")
        self.refused("table", "../data/table.dat", model="elsewhere/m.yaml")

    def test_folders_of_the_call(self):
        """--path adds folders and no others; a name is looked for beside the model first"""
        for use in USES:
            self.accepted(use, f"../data/{use}.dat", "--path", "data")
            self.accepted(use, os.path.join(self.top, "data", "more", f"{use}.dat"), "--path", "other", "--path", "data/more")
            self.accepted(use, f"more/{use}.dat", "--path", "data")
            self.refused(use, f"../data/{use}.dat", "--path", "data/more")
            self.refused(use, f"../model2/{use}.dat", "--path", "other")
            self.refused(use, os.path.join(self.top, f"{use}.dat"), "--path", "data", "--path", "other")
        self.put("model/both.dat", TABLE)
        self.put("data/both.dat", "nothing")
        self.accepted("table", "both.dat", "--path", "data")
        for folder, why in (("nowhere", "No such file"), ("data/table.dat", "no folder")):
            done = self.check("table", "table.dat", "--path", folder)
            self.assertEqual(done.returncode, 2)
            self.assertRegex(done.stderr, rf"--path {folder}: .*{why}")

    def test_what_is_no_file(self):
        """pipes, sockets, folders and devices end the reading at once"""
        os.mkfifo(os.path.join(self.top, "model", "pipe"))
        with socket.socket(socket.AF_UNIX) as s:
            s.bind(os.path.join(self.top, "model", "socket"))
        for use in USES:
            for name in ("pipe", "socket", "sub"):
                self.refused(use, name, why="cannot read .*(folder, device or pipe|No such device)")
            for device in ("zero", "tty", "stdin", "full"):
                if os.path.exists(f"/dev/{device}"):
                    self.refused(use, f"/dev/{device}", "--path", "/dev", why="(cannot read|lies outside)")
            self.refused(use, "nothing.dat", why="cannot read .*No such file")

    def test_the_own_standard_input(self):
        """a model from standard input stands where the program runs"""
        for name, code in (("table.dat", 0), ("../data/table.dat", 2)):
            text = "roberval: 1\nspace: planar\n" + USES["table"][1] % name
            done = subprocess.run([cli.BINARY, "check", "-", "--json"], cwd=os.path.join(self.top, "model"), input=text, capture_output=True, text=True)
            self.assertEqual(done.returncode, code, done.stderr)

    @cli.long
    def test_random_ways(self):
        """names put together at random, against os.path.realpath"""
        self.link("model/data", "../data")
        self.link("data/back", "../model/sub")
        self.link("model/sub/two", "../../model2")
        rng = random.Random(3)
        parts = ["..", ".", "sub", "deep", "data", "more", "model", "model2", "back", "two"]
        seen = {True: 0, False: 0}
        for _ in range(150 if cli.MORE else 50):
            name = "/".join(rng.choices(parts, k=rng.randint(0, 4)) + ["table.dat"])
            folders = rng.choice(([], ["data"], ["model2"], ["data", "model2"], ["model/sub"]))
            real = os.path.realpath(os.path.join(self.top, "model", name))
            tried = [os.path.join(self.top, "model", name)] + [os.path.join(self.top, f, name) for f in folders]
            exists = [os.path.realpath(t) for t in tried if os.path.exists(t)]
            allowed = [os.path.join(self.top, f) for f in ["model"] + folders]
            good = bool(exists) and any(exists[0].startswith(a + "/") for a in allowed)
            done = self.check("table", name, *itertools.chain(*(("--path", f) for f in folders)))
            self.assertEqual(done.returncode, 0 if good else 2, f"{name} {folders} {real}: {done.stderr}")
            seen[good] += 1
        self.assertGreater(min(seen.values()), 15, seen)


if __name__ == "__main__":
    cli.main()
