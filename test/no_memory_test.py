#!/usr/bin/env python3
# ctest: long
"""Every allocation of the program fails once: it ends with status 3 and says why, or does without and gives the whole answer. Never a signal, never silence.

Needs test/preload/failing.c, which sanitizers do not bear. ROBERVAL_ALLOCATIONS=all tries every allocation of every case; else 25 of each (60 in `make test-all`), another set for
each ROBERVAL_SEED."""
import os
import random
import shutil
import sys
import tempfile
import unittest
from concurrent.futures import ThreadPoolExecutor

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "py"))
import cli              # noqa: E402

LIBRARY = os.path.join(os.environ.get("ROBERVAL_PRELOAD", "/nowhere"), "failing.so")
EXAMPLES = os.path.join(cli.ROOT, "examples")
EACH = os.environ.get("ROBERVAL_ALLOCATIONS", "60" if cli.MORE else "12")
POOL = ThreadPoolExecutor(2)

RICH = """%YAML 1.2
---
# everything that YAML has
roberval: 1
"title": "escaped \\u00e9 text
  over lines"
space: !!str planar
? units
: {length: mm}
gravity: &g [0, -9.81 m/s^2]
parameters: {n: 60 rpm, a: 50 mm}
bodies:
  crank: &c
    mass: 2 kg
    inertia: 0.02
    markers:
      O: [0, 0]
      A:
        - 50
        - 0
  rod: {<<: *c}
...
"""
MOTION = """roberval: 1
space: planar
gravity: [0, -9.81]
bodies:
  ball: {particle: true, mass: 1, pose: {at: [0, 0.2]}}
  block: {mass: 2, inertia: 0.1}
joints: {slide: {type: prismatic, between: [ground, block], friction: {coefficient: 0.3}}}
stops: {floor: {coordinate: y(ball), min: 0, restitution: 0.4}}
constraints: {hold: {equation: "x(ball)", active: "t > 0.1"}}
loads: {pull: {type: force, to: block, value: ["40*t + sum", 0]}}
states: {sum: {rate: "slide.distance", start: 0.1}}
events: {passes: {when: "slide.distance - 0.01"}}
motion: {from: 0, to: 0.5, step: 0.1}
"""
STUDY = """study: 1
model: {}
analysis: inverse
options: {{step: 100 ms}}
vary: {{r: [100 mm, 800 mm], rod_length: [700 mm, 710 mm]}}
collect: {{low: {{value: "min(height)", limit: ">= 0"}}, high: max(height)}}
"""
SHAPES = """roberval: 1
space: spatial
bodies:
  one: {shape: [{box: {at: [0, 0, 0], size: [0.1, 0.2, 0.3]}, density: 1000}, {sphere: {at: [0, 0, 0], radius: 0.02}, density: 1000, void: true}]}
  two: {shape: [{cylinder: {from: [0, 0, 0], to: [0.5, 0, 0], radius: 0.05}, density: 1000}], markers: {A: [0.5, 0, 0]}}
  three: {particle: true, mass: 1, pose: {at: [0.5, 0, 1]}}
joints: {a: {type: revolute, between: [ground, one]}, b: {type: universal, between: [one, two], at: [0, 0, 0]}, c: {type: link, between: [two.A, three]}}
loads: {pull: {type: force, to: two.A, value: [1, 0, 0], frame: body}, coil: {type: spring, between: [ground, three], stiffness: 5, free_length: 1, damping: 1}}
stops: {wall: {coordinate: z(three), max: 2}}
"""
TOO_SHORT = """roberval: 1
space: planar
bodies: {a: {mass: 1, inertia: 1, markers: {E: [1, 0]}}, b: {mass: 1, inertia: 1, markers: {E: [1, 0]}, pose: {at: [3, 0]}}}
joints: {p: {type: revolute, between: [ground, a]}, q: {type: revolute, between: [ground, b], at: [3, 0]}, r: {type: revolute, between: [a.E, b.E]}}
"""
RELAY = """roberval: 1
space: planar
bodies: {b: {mass: 2, inertia: 0.1, pose: {at: [0.3, 0]}}}
joints: {rail: {type: prismatic, between: [ground, b]}}
drives:
  a: {coordinate: rail.distance, motion: "0.3 + t^2", active: "t < 0.25"}
  c: {coordinate: rail.distance, motion: "t-0.25", value: here, active: "t >= 0.25"}
states: {s: {rate: "rail.distance - s", start: 1}}
stops: {bump: {coordinate: rail.distance, max: 0.5}}
motion: {from: 0, to: 0.5, step: 0.1}
"""
SHELF = """roberval: 1
space: planar
gravity: [0, -10]
bodies: {beam: {mass: 3, inertia: 1, markers: {A: [-1, 0], B: [1, 0], C: [0, 0]}, pose: {at: [0, -0.3]}}}
joints: {side: {type: x, between: [ground, beam]}, rope: {type: link, between: [ground, beam.A], length: 2, unilateral: true}}
stops: {a: {coordinate: y(beam.A), min: 0}, b: {coordinate: y(beam.B), min: 0, active: "t < 1"}, c: {coordinate: y(beam.C), min: 0}}
loads: {down: {type: force, to: beam.B, value: [0, -100]}}
"""
WALLS = """roberval: 1
space: planar
parameters: {F: 0, L: 1}
bodies: {ground: {markers: {O: [0, 0]}}, block: {particle: true, mass: 1, pose: {at: [1, 0]}}}
joints: {rail: {type: slot, between: [ground.O, block]}}
loads: {k: {type: spring, between: [ground.O, block], stiffness: 100, free_length: 1}, push: {type: force, to: block, value: [F, 0], active: "t < 1"}}
coordinates: {stroke: "rail.x - L"}
stops: {one: {coordinate: rail.x, max: 1.2}, two: {coordinate: stroke, max: 0.2}}
"""
BROKEN = ("roberval: 1\nspace: planar\nbodies: {a: {mass: [1, 2}}\n", "roberval: 1\nspace: planar\nbodies:\n  a: {mas: 1}\n  b: {mass: 1 m}\n  a: {mass: 1}\n",
          "{\"roberval\": 1, \"space\": \"planar\", \"bodies\": {\"a\": {\"mass\": \"1 kg\"}}, \"joints\": {\"j\": {\"type\": \"hinge\"}}}")


@unittest.skipUnless(os.path.exists(LIBRARY), "no library that makes allocations fail (a build with sanitizers has none)")
class NoMemory(cli.Case):
    def setUp(self):
        temp = tempfile.TemporaryDirectory(prefix="rbv-memory-")
        self.addCleanup(temp.cleanup)
        self.temp = temp.name
        self.random = random.Random(int(os.environ.get("ROBERVAL_SEED", "5")))

    def run_with(self, call, **settings):
        env = dict(os.environ, LD_PRELOAD=LIBRARY, **{f"ROBERVAL_FAIL_{k}": str(v) for k, v in settings.items()})
        done = cli.limited([cli.BINARY, *call], cwd=EXAMPLES, capture_output=True, env=env)
        return done.returncode, done.stdout, done.stderr.decode("utf-8", "replace")

    def wrong(self, call, whole, k, setting):
        """What is wrong with the run whose k-th allocation fails; None: nothing."""
        code, out, err = self.run_with(call, **{setting: k})
        if code == whole[0] and out == whole[1]:
            return None
        if code != 3:
            return f"{setting} {k}: exit {code}, {'part of' if out else 'no'} output: {err[-200:]}"
        if not err.rstrip().endswith("no memory"):
            return f"{setting} {k}: exit 3 without a word: {err[-200:]}"
        return f"{setting} {k}: exit 3 and part of the output" if out and not whole[1].startswith(out) else None

    def survives(self, *call, each=None):
        counter = os.path.join(self.temp, "count")
        whole = self.run_with(call, COUNT=counter)
        with open(counter) as f:
            count = int(f.read())
        self.assertIn(whole[0], (0, 1, 2), whole[2])
        self.assertGreater(count, 10)
        each = each or EACH
        chosen = range(1, count + 1) if each == "all" or count <= int(each) else sorted(self.random.sample(range(1, count + 1), int(each)))
        bad = [w for w in POOL.map(lambda k: self.wrong(call, whole, k, "AT"), chosen) if w]
        bad += [w for w in POOL.map(lambda k: self.wrong(call, whole, k, "FROM"), self.random.sample(range(1, count + 1), 5)) if w]
        self.assertFalse(bad, f"{' '.join(call)}: {len(bad)} of {len(chosen)} allocations\n" + "\n".join(bad[:10]))

    @cli.long
    def test_reading(self):
        """the first allocations are those of the reader: each of them"""
        for name, text in [("rich.yaml", RICH)] + [(f"broken{k}.{'json' if t[0] == '{' else 'yaml'}", t) for k, t in enumerate(BROKEN)]:
            path = os.path.join(self.temp, name)
            with open(path, "w", encoding="utf-8") as f:
                f.write(text)
            self.survives("check", path, each="all")

    def test_tables_and_meshes(self):
        self.survives("kinematics", "valvetrain/valvetrain.yaml")

    @cli.long
    def test_commands(self):
        for command in ("check", "inverse", "statics", "kinematics"):
            for form in ((), ("--json",)):
                self.survives(command, "door/door.yaml", *form)

    @cli.long
    def test_conditions_along_a_prescribed_motion(self):
        path = os.path.join(self.temp, "relay.yaml")
        with open(path, "w", encoding="utf-8") as f:
            f.write(RELAY)
        for command in ("kinematics", "inverse"):
            self.survives(command, path)
        with open(path, "w", encoding="utf-8") as f:
            f.write(SHELF)
        self.survives("statics", path)
        with open(path, "w", encoding="utf-8") as f:
            f.write(WALLS)
        self.survives("statics", path, "--follow", "F=15..30", each=40)

    def test_a_recorded_motion(self):
        path = os.path.join(self.temp, "walk.csv")
        with open(path, "w", encoding="utf-8") as f:
            f.write("time [s],hip.angle [deg],knee.rz [deg],ankle_moment [deg],bob [mm],marker\n0,30,-20,0,940,a\n0.1,31,-22,1,942,b\n0.2,30,-25,2,945,c\n0.3,27,-26,2,947,d\n")
        for command in ("kinematics", "inverse"):
            self.survives(command, "leg/leg.yaml", "--record", path, "--json")

    def test_a_given_motion(self):
        """and single reactions by taking a body out"""
        out = os.path.join(self.temp, "governor")
        self.assertEqual(self.run_with(["simulate", "governor/governor.yaml", "--to", "0.01", "--step", "0.01", "--quiet", "--out", out])[0], 0)
        self.survives("inverse", "governor/governor.yaml", "--motion", out, "--json", each=20)
        self.survives("inverse", "governor/governor.yaml", "--motion", out, "--coordinates", "natural", each=20)
        self.survives("inverse", "pumpjack/pumpjack.yaml", "--method", "virtual-power", "--reaction", "wrist.Fx", "--by", "body", "--coordinates", "natural", "--to", "0", each=20)

    @cli.long
    def test_modes(self):
        self.survives("modes", "suspension/suspension.yaml", "--start", "statics")
        self.survives("modes", "rotor/rotor.yaml", "--json")
        self.survives("modes", "rotor/rotor.yaml", "--follow", "speed=3000..4000 rpm", each=10)

    def test_other_machines(self):
        models = sorted(f"{d}/{f}" for d in os.listdir(EXAMPLES) if os.path.isdir(os.path.join(EXAMPLES, d)) for f in os.listdir(os.path.join(EXAMPLES, d)) if f.endswith(".yaml"))
        for model in models if EACH == "all" else self.random.sample(models, 4):
            for command in ("check", "kinematics", "inverse", "statics", "assemble") if EACH == "all" else self.random.sample(("check", "inverse", "statics", "assemble"), 1):
                self.survives(command, model, *self.random.choice(((), ("--json",))))

    def test_motion(self):
        """stops, friction, a state, a condition and an event, in one"""
        path = os.path.join(self.temp, "motion.yaml")
        with open(path, "w", encoding="utf-8") as f:
            f.write(MOTION)
        self.survives("simulate", path)
        self.survives("simulate", path, "--json")
        for coordinates in ("natural", "joint"):
            self.survives("simulate", path, "--coordinates", coordinates)

    @cli.long
    def test_starts_signals_limits_and_udwadia(self):
        path, out = os.path.join(self.temp, "hoist.yaml"), os.path.join(self.temp, "first")
        with open(path, "w", encoding="utf-8") as f:
            f.write("roberval: 1\nspace: planar\nbodies: {drum: {mass: 1, inertia: 0.5}}\njoints: {pin: {type: revolute, between: [ground, drum]}}\n"
                    "drives: {motor: {coordinate: pin.angle, motion: 4*t^2, max: \"3[N.m] - 0.1*abs(pin.angle')\", catch_up: 2}}\nloads: {twist: {type: torque, to: drum, value: 0.1}}\n"
                    "states: {sum: {rate: pin.angle, start: 0}}\noutput: {turn: pin.angle}\nmotion: {from: 0, to: 0.2, step: 0.1}\n")
        self.assertEqual(self.run_with(["simulate", path, "--quiet", "--out", out])[0], 0)
        self.survives("simulate", path, "--start", out, "--to", "0.3")
        self.survives("modes", "bicycle/bicycle.yaml", "--outputs", "lean,rear.x", "--json", each=40)
        self.survives("modes", "rotor/rotor.yaml", "--outputs", "bowl.x", "--json", each=40)
        self.survives("assemble", "door/door.yaml", "--udwadia", "cholesky", "--json")

    @cli.long
    def test_reports(self):
        """of a model, of a folder, of shapes and cams, and of a machine that does not assemble"""
        out = os.path.join(self.temp, "door")
        self.assertEqual(self.run_with(["inverse", "door/door.yaml", "--quiet", "--out", out])[0], 0)
        self.survives("report", "door/door.yaml", "--out", "-")
        self.survives("report", out, "--out", "-")
        self.survives("report", "valvetrain/valvetrain.yaml", "--analysis", "check", "--out", "-")
        for name, text in (("shapes.yaml", SHAPES), ("short.yaml", TOO_SHORT)):
            path = os.path.join(self.temp, name)
            with open(path, "w", encoding="utf-8") as f:
                f.write(text)
            self.survives("report", path, "--out", "-")

    def test_report_of_a_study(self):
        study, out = os.path.join(self.temp, "study.yaml"), os.path.join(self.temp, "study")
        with open(study, "w", encoding="utf-8") as f:
            f.write(STUDY.format(os.path.join(EXAMPLES, "press", "press.yaml")))
        self.assertEqual(self.run_with(["study", study, "--quiet", "--out", out])[0], 1)
        self.survives("report", out, "--out", "-", each="all")

    def test_pictures(self):
        """what is held twice, a virtual motion, of a model and of a folder; a stop and a constraint"""
        out, stops = os.path.join(self.temp, "door"), os.path.join(EXAMPLES, "..", "docs", "pictures", "models", "stops.yaml")
        self.assertEqual(self.run_with(["check", "door/door.yaml", "--quiet", "--out", out])[0], 0)
        self.survives("check", "door/door.yaml", "--svg", "-")
        self.survives("report", out, "--svg", "-", "--virtual-motion", "1")
        self.survives("check", stops, "--svg", "-", "--virtual-motion", "hinge.angle")
        self.survives("check", os.path.join(os.path.dirname(stops), "gear-internal.yaml"), "--frames", "-")

    def test_other_commands(self):
        self.survives("schema")
        shutil.copy(os.path.join(EXAMPLES, "press", "press.yaml"), self.temp)
        self.survives("convert", os.path.join(self.temp, "press.yaml"), "--to", "spatial")

    def contents(self, folder):
        files = {}
        for name in os.listdir(folder) if os.path.isdir(folder) else []:
            with open(os.path.join(folder, name), "rb") as f:
                files[name] = f.read()
        return files

    @cli.long
    def test_files(self):
        """what is written is whole, or not there"""
        out = os.path.join(self.temp, "out")
        self.assertEqual(self.run_with(["inverse", "door/door.yaml", "--quiet", "--out", out])[0], 0)
        good = self.contents(out)
        counter = os.path.join(self.temp, "count")
        self.run_with(["inverse", "door/door.yaml", "--quiet", "--out", out], COUNT=counter)
        with open(counter) as f:
            count = int(f.read())
        for k in range(count - 40, count + 1):
            shutil.rmtree(out, ignore_errors=True)
            code, _, err = self.run_with(["inverse", "door/door.yaml", "--quiet", "--out", out], AT=k)
            left = self.contents(out)
            self.assertIn(code, (0, 3), err)
            self.assertEqual(left, good if code == 0 else {}, f"{k}: {err}")
            self.assertTrue(code == 0 or "no memory" in err, err)


if __name__ == "__main__":
    cli.main()
