#!/usr/bin/env python3
"""Data for the tests of the page: what `roberval report` puts into pages of examples.

Usage: fixtures.py ROBERVAL [NAME ...]   writes data/NAME.json beside this script (all, or those named), each what stands in place of the token of the page.
"""
import json, os, re, subprocess, sys, tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.join(HERE, "..", "..")

FIXTURES = {
    "press": ["inverse", "examples/press/press.yaml", "--step", "20 ms"],
    "press_longer": ["inverse", "examples/press/press.yaml", "--step", "25 ms", "--set", "rod_length=800 mm"],
    "door": ["inverse", "examples/door/door.yaml", "--step", "40 ms"],
    "valvetrain": ["inverse", "examples/valvetrain/valvetrain.yaml", "--step", "0.2 ms"],
    "stewart": ["inverse", "examples/stewart/stewart.yaml", "--step", "0.25 s"],
    "robot": ["inverse", "examples/robot/robot.yaml", "--step", "0.15 s"],
    "planetary": ["inverse", "examples/planetary/planetary.yaml", "--step", "10 ms"],
    "truss": ["statics", "examples/truss/truss.yaml", "--follow", "push=0..20 N"],
    "suspension": ["statics", "examples/suspension/suspension.yaml", "--all"],
    "rotor": ["modes", "examples/rotor/rotor.yaml", "--follow", "speed=0..4000 rpm"],
    "sized": ["inverse", "web/test/sized.yaml", "--set", "gas=4 kN"],
    "swing": ["modes", "web/test/swing.yaml"],
}

STUDIES = {"study": ["study", "web/test/study.yaml"]}      # some of its variants lock


def data_of(program, command):
    """Runs a command into a folder, makes its page, and takes the data out again."""
    with tempfile.TemporaryDirectory() as folder:
        page = os.path.join(folder, "page.html")
        for call in ([*command, "--out", os.path.join(folder, "run")], ["report", os.path.join(folder, "run"), "--out", page]):
            done = subprocess.run([program, *call], cwd=TOP, capture_output=True, text=True, timeout=120)
            if done.returncode > (call[0] == "study"):
                sys.exit(done.stderr)
        with open(page) as file:
            data = re.search(r'<script type="application/json" id="roberval-data">(.*?)</script>', file.read(), re.S)
    return json.loads(data[1])


def main():
    program = os.path.abspath(sys.argv[1])
    found = {name: data_of(program, command) for name, command in {**FIXTURES, **STUDIES}.items()}
    found["overlay"] = {"results": found["press"]["results"] + found.pop("press_longer")["results"]}
    for name in sys.argv[2:] or found:
        with open(os.path.join(HERE, "data", name + ".json"), "w") as file:
            json.dump(found[name], file, separators=(",", ":"))


if __name__ == "__main__":
    main()
