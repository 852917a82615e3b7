#!/usr/bin/env python3
# ctest: natural
# ctest: polar-slow
# ctest: joint
"""Recorded motions (--record): the efforts of rows of a drive's own motion are those of the drive, to rounding where rates are recorded, else to the order of cubic splines; what simulate has written is balanced
without any effort; rows that are wrong are said with their line, and what was done before stays."""
import math
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "py"))
import numpy as np      # noqa: E402
import cli              # noqa: E402
from relay import RELAY  # noqa: E402

OTHER = os.environ.get("ROBERVAL_COORDINATES")
FOURBAR = """roberval: 1
space: planar
gravity: [0, -9.81]
bodies:
  ground: {markers: {A: [0, 0], D: [0.9, 0]}}
  crank: {mass: 1, inertia: 0.01, centroid: [0.1, 0], pose: {at: [0, 0], angle: 60 deg}, markers: {B: [0.2, 0]}}
  rod: {mass: 2, inertia: 0.1, centroid: [0.4, 0], pose: {at: [0.1, 0.17], angle: 20 deg}, markers: {C: [0.8, 0]}}
  rocker: {mass: 1.5, inertia: 0.05, centroid: [0.25, 0], pose: {at: [0.9, 0], angle: 95 deg}, markers: {C: [0.5, 0]}}
joints:
  a: {type: revolute, between: [ground.A, crank]}
  b: {type: revolute, between: [crank.B, rod]}
  c: {type: revolute, between: [rod.C, rocker.C]}
  d: {type: revolute, between: [ground.D, rocker]}
drives:
  motor: {coordinate: a.angle, motion: "MOTION"}
loads:
  brake: {type: torque, to: rocker, value: "2*sin(3*t)"}
motion: {from: 0, to: 2, step: 0.01}
output: {power: "motor.effort*a.angle'"}
"""
DRIVEN = FOURBAR.replace("MOTION", "1 + 2*pi*t + 0.3*sin(5*t)")
IDLE = FOURBAR.replace("MOTION", "0").replace("motion: {from: 0, to: 2, step: 0.01}\n", "")     # its own motion is not looked at
SPATIAL = """roberval: 1
space: spatial
gravity: [0, 0, -9.81]
bodies:
  base: {mass: 3, inertia: [0.1, 0.1, 0.05], centroid: [0, 0, 0.2], markers: {S: {at: [0, 0, 0.4], axis: [0, 1, 0]}}}
  arm: {mass: 2, inertia: [0.02, 0.1, 0.1], centroid: [0.3, 0, 0], pose: {at: [0, 0, 0.4], rotate: {axis: [0, 1, 0], angle: 0.1}}, markers: {S: {at: [0, 0, 0], axis: [0, 1, 0]}, P: {at: [0.6, 0, 0], axis: [1, 0, 0]}}}
  tool: {mass: 1, inertia: [0.01, 0.01, 0.01], pose: {at: [0.6, 0, 0.4]}, markers: {P: {at: [0, 0, 0], axis: [1, 0, 0]}}}
joints:
  column: {type: revolute, between: [ground, base]}
  shoulder: {type: revolute, between: [base.S, arm.S]}
  wrist: {type: prismatic, between: [arm.P, tool.P]}
drives:
  turn: {coordinate: column.angle, motion: "0.8*sin(2*t)"}
  lift: {coordinate: shoulder.angle, motion: "0.1 + 0.3*t^2"}
  reach: {coordinate: wrist.distance, motion: "0.05*(1 - cos(3*t))"}
motion: {from: 0, to: 1, step: 0.02}
"""
# numbers of a record are read to the last digit; a time that is rounded moves a sample by rounding of the motion
ROUNDING = 1e-12


def crank(t):
    """The motion of DRIVEN with its rates."""
    return 1 + 2 * np.pi * t + 0.3 * np.sin(5 * t), 2 * np.pi + 1.5 * np.cos(5 * t), -7.5 * np.sin(5 * t)


def table(heads, columns):
    rows = np.column_stack(columns)
    return ",".join(f'"{h}"' if "," in h else h for h in heads) + "\n" + "".join(",".join(map(repr, map(float, row))) + "\n" for row in rows)


def recorded(t, orders=3, factor=1.0, unit="rad"):
    jets = crank(t)[:orders]
    return table(["time [s]"] + [f"a.angle{chr(39) * k} [{unit}{'/s^2' if k == 2 else '/s' if k else ''}]" for k in range(orders)], [t] + [q / factor for q in jets])


class Record(cli.Case):
    def follow(self, model, text, *flags, command="inverse", **options):
        """The model along a record."""
        return self.ok(model, command, "--record", "record.csv", *flags, files={"record.csv": text}, **options)

    def alike(self, got, want, tol=ROUNDING, only=None, but=()):
        self.assertEqual(got.columns, want.columns)
        for name, values in want.series.items():
            if name not in but:
                size = max(1.0, float(np.nanmax(np.abs(values))))
                self.near(got.series[name][only] if only is not None else got.series[name], values[only] if only is not None else values, tol * size, name)

    # --- the same numbers ---

    def test_recorded_rates_are_taken_as_they_are(self):
        t = np.arange(201) * 0.01
        want = self.ok(DRIVEN)
        self.alike(self.follow(IDLE, recorded(t)), want)
        self.alike(self.follow(IDLE, recorded(t, factor=math.pi / 180, unit="deg")), want)
        done = self.follow(IDLE, recorded(t))
        self.assertEqual(done.result["notes"] if "notes" in done.result else [], [])

    def test_every_method(self):
        t = np.arange(41) * 0.05
        model = DRIVEN.replace("step: 0.01", "step: 0.05")
        for method in ("two-step", "lagrange", "newton", "virtual-power", "recursive", "penalty", "augmented"):
            want = cli.run_model(model, "inverse", "--method", method)
            with self.subTest(method):
                if OTHER and want.code == 2:                                    # these coordinates do not admit it
                    continue
                self.assertEqual(want.code, 0, want.said())
                # penalty is right to its own estimate alone, which rounding moves
                self.alike(self.follow(IDLE, recorded(t), "--method", method), want, 1e-9 if method in ("penalty", "augmented") else ROUNDING)

    def test_in_other_coordinates(self):
        t = np.arange(41) * 0.05
        for kind in ("natural", "joint"):
            done = self.follow(IDLE, recorded(t), "--coordinates", kind)
            self.alike(done, self.ok(DRIVEN.replace("step: 0.01", "step: 0.05"), "inverse", "--coordinates", kind))

    def test_several_drives_in_space(self):
        t = np.arange(51) * 0.02
        z = np.zeros_like(t)
        columns = {"wrist.distance [mm]": 50 * (1 - np.cos(3 * t)), "wrist.distance' [mm/s]": 150 * np.sin(3 * t), "wrist.distance'' [m/s^2]": 0.45 * np.cos(3 * t),
                   "turn": 0.8 * np.sin(2 * t), "turn'": 1.6 * np.cos(2 * t), "turn''": -3.2 * np.sin(2 * t), "temperature [K]": z,
                   "shoulder.angle": 0.1 + 0.3 * t**2, "shoulder.angle'": 0.6 * t, "shoulder.angle''": z + 0.6, "time [ms]": 1000 * t}
        done = self.follow(SPATIAL, table(list(columns), list(columns.values())), quiet=False)
        self.alike(done, self.ok(SPATIAL))
        self.assertIn("columns of the recorded motion that no drive follows are left out: temperature", done.out)
        self.assertNotIn("spline", done.out)
        self.alike(self.follow(SPATIAL, table(list(columns), list(columns.values())), command="kinematics"), self.ok(SPATIAL, "kinematics"))

    def test_conditions_and_states(self):
        t = np.arange(11) * 0.1
        z = np.zeros_like(t)
        text = table(["time", "a", "a'", "a''", "c", "c'", "c''"], [t, 0.3 + t**2, 2 * t, z + 2, 1.1 * (t - 0.55) + 0.4 * (t - 0.55)**2, 1.1 + 0.8 * (t - 0.55), z + 0.8])
        # what engages at t = 0.55 does so between two rows, where the quintic is the parabola
        self.alike(self.follow(RELAY, text), self.ok(RELAY), 1e-9)

    def test_other_names_of_a_coordinate(self):
        t = np.linspace(0, 1, 11)
        x, v, a = 2 + 0.3 * np.sin(t), 0.3 * np.cos(t), -0.3 * np.sin(t)
        model = """roberval: 1
space: planar
units: {length: mm}
bodies: {b: {mass: 2, inertia: 0.1, pose: {at: [2000, 0]}, markers: {P: [0, 0]}}}
joints: {rail: {type: prismatic, between: [ground, b]}}
coordinates: {far: "distance(b.P, ground)", half: "0.5*rail.distance"}
drives: {ram: {coordinate: COORDINATE, motion: "2"}}
"""
        for coordinate, size, names in ((("far"), 1, ("far", "ram", "distance(b.P, ground)", "distance( b.P,ground )")), ("'distance(b.P, ground)'", 1, ("far", "ram", "distance(b.P,ground)")),
                                        ("rail.distance", 1, ("rail.distance", "rail.x", "ram")), ("half", 0.5, ("half", "ram"))):
            for name in names:
                with self.subTest(coordinate=coordinate, name=name):
                    # in mm as units: says, which says nothing of rates, and nothing of a number times a length
                    text = table(["time", name, name + "' [m/s]" if size == 1 else name + "'", name + "''"], [t, (1000 if size == 1 else size) * x, size * v, size * a])
                    done = self.follow(model.replace("COORDINATE", coordinate), text, quiet=False)
                    self.column(done, "ram.effort", 2 / size * a, 1e-9)
                    self.assertEqual(f"column '{name}' of the recorded motion has no unit: its numbers are in mm, as units: says" in done.out, size == 1)
                    self.column(done, "b.x", x, 1e-14)
        # [SI], whatever units: says, and of any dimension
        text = table(["time [SI]", "far [SI]", "far' [SI]", "far'' [SI]"], [t, x, v, a])
        done = self.follow(model.replace("COORDINATE", "far"), text, quiet=False)
        self.column(done, "ram.effort", 2 * a, 1e-9)
        self.column(done, "b.x", x, 1e-14)
        self.assertNotIn("has no unit", done.out)

    def test_turns_and_wheels(self):
        """A train of gears goes on for many turns, and a disk that rolls is where its path takes it, as with the drive's own motion."""
        model = """roberval: 1
space: planar
bodies:
  ground: {markers: {A: [0, 0], B: [0.3, 0]}}
  pinion: {mass: 1, inertia: 0.01}
  wheel: {mass: 1, inertia: 0.04, pose: {at: [0.3, 0]}}
joints:
  a: {type: revolute, between: [ground.A, pinion]}
  b: {type: revolute, between: [ground.B, wheel]}
  mesh: {type: gear, between: [pinion, wheel], radii: [0.1, 0.2]}
constraints: {slow: {velocity: "angle(third)' - 0.5*angle(wheel)'"}}
drives: {motor: {coordinate: a.angle, motion: "100*t + 20*t^2"}}
initial: {angle(third): 0}
motion: {from: 1, to: 3, step: 0.1}
""".replace("joints:\n", "  third: {mass: 1, inertia: 0.1, pose: {at: [1, 0]}}\njoints:\n  c: {type: revolute, between: [ground.C, third]}\n", 1).replace("B: [0.3, 0]", "B: [0.3, 0], C: [1, 0]")
        t = 1 + np.arange(21) * 0.1
        done = self.follow(model, table(["time", "a.angle", "a.angle'", "a.angle''"], [t, 100 * t + 20 * t**2, 100 + 40 * t, 40 + 0 * t]))
        self.alike(done, self.ok(model), 1e-9)

    def test_what_simulate_wrote_needs_no_effort(self):
        """inverse after forward: along the series of a motion from forces, drives on all its freedoms have nothing to do."""
        free = """roberval: 1
space: planar
gravity: [0, -9.81]
bodies:
  one: {mass: 1, inertia: 0.1, centroid: [0.5, 0], markers: {B: [1, 0]}}
  two: {mass: 2, inertia: 0.2, centroid: [0.4, 0], pose: {at: [1, 0]}}
joints:
  h: {type: revolute, between: [ground, one]}
  g: {type: revolute, between: [one.B, two]}
loads: {push: {type: torque, to: two, value: "3*sin(4*t)"}}
"""
        motion = "motion: {from: 0, to: 2, step: 0.01}\n"
        drives = "drives: {m: {coordinate: h.angle, motion: 0}, n: {coordinate: g.rz, motion: 0}}\n"
        with tempfile.TemporaryDirectory(prefix="rbv-record-") as folder:
            path, out = os.path.join(folder, "free.yaml"), os.path.join(folder, "out")
            with open(path, "w", encoding="utf-8") as f:
                f.write(free + motion)
            self.assertEqual(cli.run(["simulate", path, "--out", out], out=False).code, 0)
            before = cli.Run(0, "", "", out)
            done = self.ok(free + drives, "inverse", "--record", os.path.join(out, "series.csv"))
        largest = max(np.max(np.abs(before.series[c])) for c in ("h.Fx", "h.Fy", "g.Fx", "g.Fy"))
        for drive in ("m", "n"):
            self.column(done, drive + ".effort", 0, 1e-11 * largest)
        for c in ("h.Fx", "h.Fy", "g.Fx", "g.Fy", "two.x", "two.angle"):
            self.near(done.series[c], before.series[c], 1e-11 * largest, c)

    # --- what the rows lack ---

    def errors(self, orders, counts, points=None):
        """The largest error of the effort over the inner half of the motion, by the number of rows."""
        out = []
        for n in counts:
            t = np.linspace(0, 2, n + 1) if points is None else points(n)
            exact = self.follow(IDLE, recorded(t))
            done = self.follow(IDLE, recorded(t, orders))
            inner = (t > 0.5) & (t < 1.5)
            out.append(np.max(np.abs(done.series["motor.effort"] - exact.series["motor.effort"])[inner]))
            self.near(done.series["rocker.angle"], exact.series["rocker.angle"], 1e-12, "places are recorded")
        return np.array(out)

    def test_orders_of_splines(self):
        """Second derivatives of cubic splines are right to the second order, first ones at their points to the fourth: so are efforts of values alone, and of values with rates."""
        for orders, expected in ((1, 2), (2, 4)):
            errors = self.errors(orders, (50, 100, 200))
            for k in range(2):
                self.assertAlmostEqual(math.log2(errors[k] / errors[k + 1]), expected, delta=0.25, msg=str(errors))

    def test_uneven_times(self):
        """The order stays; of values with rates, it is three where steps differ."""
        def uneven(n):
            s = np.linspace(0, 1, n + 1)
            return 2 * (s + 0.1 * np.sin(2 * np.pi * s))
        errors = self.errors(1, (50, 100, 200), uneven)
        self.assertAlmostEqual(math.log2(errors[1] / errors[2]), 2, delta=0.3, msg=str(errors))

    def test_few_rows(self):
        """Two rows are a line, three a parabola: closed form of a mass on a rail."""
        model = "roberval: 1\nspace: planar\nbodies: {b: {mass: 2, inertia: 0.1}}\njoints: {rail: {type: prismatic, between: [ground, b]}}\ndrives: {ram: {coordinate: rail.distance, motion: 0}}\n" \
                "output: {v: \"rail.distance'\"}\n"
        for rows, v, effort in (("0,0\n0.5,1\n", [2, 2], [0, 0]), ("0,0\n0.5,1\n1,1\n", [3, 1, -1], [-8] * 3)):
            done = self.follow(model, "time,ram\n" + rows)
            self.column(done, "v", v, 1e-14)
            self.column(done, "ram.effort", effort, 1e-12)
        done = self.follow(model, "time,ram,ram',ram''\n3,1,2,4\n")
        self.column(done, "ram.effort", [8], 1e-14)
        self.column(done, "time", [3], 0)

    def test_what_was_not_recorded_is_said(self):
        t = np.linspace(0, 2, 21)
        said = {1: "rates and second rates are those of a cubic spline through the recorded values: a.angle", 2: "second rates are those of a cubic spline through the recorded rates: a.angle"}
        for orders, words in said.items():
            self.assertIn(words, self.follow(IDLE, recorded(t, orders), quiet=False).out)
        text = table(["time", "motor", "motor''"], [t, crank(t)[0], crank(t)[2]])
        self.assertIn("note: rates are those of a cubic spline through the recorded values: a.angle", self.follow(IDLE, text, quiet=False).out)

    def test_an_angle_that_begins_anew(self):
        """at each turn: refused, with the mend; with the word `wrap` in its heading the forces are those of the angle that goes on"""
        t = 0.02 * np.arange(80)
        for start, speed, unit, turn in ((180, 500, "deg", 360), (-2, -40, "rad", 2 * math.pi)):      # 10 and 46 degrees a row
            angle = start + speed * t + (30 if unit == "deg" else 0.5) * np.sin(5 * t)
            wrapped = (angle + turn / 2) % turn - turn / 2
            first = next(k for k in range(1, 80) if abs(wrapped[k] - wrapped[k - 1]) > turn / 2)
            done = cli.run_model(IDLE, "inverse", "--record", "record.csv", files={"record.csv": table(["time", f"a.angle [{unit}]"], [t, wrapped])})
            self.assertEqual(done.code, 2)
            self.assertRegex(done.err, rf"record.csv:{first + 2}:1: error: at t = {t[first]:.9g} s 'a.angle' jumps by .* deg from one row to the next: an angle goes on beyond a turn.*'a.angle wrap \[...\]'")
            want = self.follow(IDLE, table(["time", f"a.angle [{unit}]"], [t, angle + turn * round((wrapped[0] - angle[0]) / turn)]))
            for heading in (f"a.angle wrap [{unit}]", f"motor wrap [{unit}]"):
                got = self.follow(IDLE, table(["time", heading], [t, wrapped]))
                for name in want.series:
                    if "error" not in name:
                        self.near(got.series[name], want.series[name], 1e-7 * max(1, float(np.max(np.abs(want.series[name])))), name)      # a turn more rounds 1e-16, over 0.02^2 s^2

    def test_angles_that_jump_are_told_where_they_do(self):
        """between the first two rows as well, and not where it is over; rates tell turns of more than half a one from jumps"""
        for values, t, by in (("0", "270", "270"), 0.1, 270), (("350", "10", "20"), 0.1, -340), (("0", "1", "200", "201"), 0.2, 199):
            rows = "".join(f"{0.1 * k!r},{v}\n" for k, v in enumerate(values))
            done = cli.run_model(IDLE, "inverse", "--record", "record.csv", files={"record.csv": "time,a.angle [deg]\n" + rows})
            self.assertEqual(done.code, 2)
            self.assertIn(f"at t = {t} s 'a.angle' jumps by {by} deg", done.err)
        self.follow(IDLE, "time,a.angle [deg]\n0,0\n0.1,200\n0.2,400\n0.5,1000\n")
        rows = [(0, 0), (0.1, 100), (0.2, 4000), (0.3, 7900)]
        self.follow(IDLE, "time,a.angle [deg],a.angle' [deg/s]\n" + "".join(f"{t},{390 * t / 0.1},3900\n" for t, _ in rows))
        done = cli.run_model(IDLE, "inverse", "--record", "record.csv", files={"record.csv": "time,a.angle [deg],a.angle' [deg/s]\n0,170,200\n0.1,-170,200\n0.2,-150,200\n"})
        self.assertEqual((done.code, "jumps by -340 deg" in done.err), (2, True))

    def test_what_does_not_wrap(self):
        done = cli.run_model(IDLE, "inverse", "--record", "record.csv", files={"record.csv": "time,a.angle,a.angle' wrap\n0,0,1\n1,1,1\n"})
        self.assertEqual(done.code, 2)
        self.assertRegex(done.err, "only an angle wraps, at its turns; a rate does not")

    # --- calls and streams ---

    def pipe(self, model, text, *flags, command="inverse"):
        with tempfile.TemporaryDirectory(prefix="rbv-record-") as folder:
            path = os.path.join(folder, "m.yaml")
            with open(path, "w", encoding="utf-8") as f:
                f.write(model)
            return cli.limited([cli.BINARY, command, path, "--record", "-", *flags], input=text.encode(), capture_output=True, cwd=folder)

    def test_pipes(self):
        t = np.arange(201) * 0.01
        done = self.pipe(IDLE, recorded(t), "--out", "-")
        self.assertEqual(done.returncode, 0, done.stderr)
        want = self.ok(DRIVEN)
        lines = done.stdout.decode().splitlines()
        self.assertEqual(lines[0].split(","), want.columns)
        got = np.array([[float(x) for x in line.split(",")] for line in lines[1:]])
        self.near(got[:, want.columns.index("motor.effort [N.m]")], want.series["motor.effort"], 1e-11)
        self.assertIn("cannot both be standard input", cli.limited([cli.BINARY, "inverse", "-", "--record", "-"], input=b"", capture_output=True).stderr.decode())

    def test_line_ends_and_comments(self):
        t = np.arange(21) * 0.1
        text = "# of the bench, run 7\n\n" + recorded(t).replace(",", ";")
        want = self.follow(IDLE, recorded(t))
        for end in ("\n", "\r\n", "\r"):
            done = self.follow(IDLE, "\ufeff" + text)
            self.alike(done, want, 0)
            piped = self.pipe(IDLE, text.replace("\n", end).rstrip(), "--out", "-")                         # the last line need not end
            self.assertEqual(piped.returncode, 0, piped.stderr)
            self.assertEqual(len(piped.stdout.splitlines()), 22)

    def test_a_pipe_that_comes_slowly_and_an_interrupt(self):
        """Rows come while it runs; ^C while it waits for more keeps what was done."""
        t = np.arange(400) * 0.005
        text = recorded(t).encode()
        with tempfile.TemporaryDirectory(prefix="rbv-record-") as folder:
            path, out = os.path.join(folder, "m.yaml"), os.path.join(folder, "out")
            with open(path, "w", encoding="utf-8") as f:
                f.write(IDLE)
            program = subprocess.Popen([cli.BINARY, "inverse", path, "--record", "-", "--out", out, "--quiet"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            for k in range(0, len(text), 7001):
                program.stdin.write(text[k:k + 7001])
                program.stdin.flush()
                time.sleep(0.01)
            until = time.time() + 60
            while time.time() < until:                                          # it waits for a row: no processor time passes
                with open(f"/proc/{program.pid}/stat") as f:
                    if f.read().rsplit(")", 1)[1].split()[0] == "S":
                        break
                time.sleep(0.02)
            time.sleep(0.3)
            program.send_signal(signal.SIGINT)
            self.assertEqual(program.wait(timeout=cli.HANG), 130)               # with its input still open
            _, err = program.communicate()
            self.assertIn(b"interrupted; the samples done are written", err)
            done = cli.Run(130, "", "", out)
        self.assertGreater(len(done.time), 300)
        self.assertLessEqual(len(done.time), 400)
        self.near(done.time, t[:len(done.time)], 0)

    def test_a_full_disk(self):
        t = np.arange(3000) * 0.001

        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (200000, 200000))
        with tempfile.TemporaryDirectory(prefix="rbv-record-") as folder:
            for name, text in (("m.yaml", IDLE), ("r.csv", recorded(t))):
                with open(os.path.join(folder, name), "w", encoding="utf-8") as f:
                    f.write(text)
            done = cli.limited([cli.BINARY, "inverse", "m.yaml", "--record", "r.csv", "--out", "out", "--quiet"], cwd=folder, capture_output=True, preexec_fn=limit)
            self.assertEqual(done.returncode, 1, done.stderr)
            self.assertIn(b"out/", done.stderr)
            self.assertFalse(os.path.exists(os.path.join(folder, "out", "result.json")))

    # --- what is wrong ---

    def refused(self, text, *said, model=IDLE, rows=None, flags=(), command="inverse"):
        done = cli.run_model(model, command, "--record", "record.csv", *flags, files={"record.csv": text})
        self.assertEqual(done.code, 2, done.said())
        for line in said:
            self.assertIn(line, done.err)
        self.assertEqual(len(done.err.strip().splitlines()), len(said), done.err)
        self.assertEqual(len(done.time) if done.series else None, rows)
        return done

    def test_columns_that_do_not_fit(self):
        self.refused("t,a.angle\n0,1\n1,2\n", "record.csv:1:1: error: no column is the 'time'; there are t, a.angle")
        self.refused("time,a.angel [deg]\n0,1\n1,2\n", "record.csv:1:1: error: no column is the coordinate of a drive, 'a.angle'; did you mean 'a.angel'?")
        self.refused("time,a.angle'\n0,1\n1,2\n", "record.csv:1:1: error: no column is the coordinate of a drive, 'a.angle'; did you mean 'a.angle''?")
        self.refused("time [m],a.angle [mm]\n0,1\n1,2\n", "1:1: error: column 'time' must be a time [s], but 'm' measures a length [m]", "1:10: error: column 'a.angle' must be an angle [rad], but 'mm' measures a length [m]")
        self.refused("time,a.angle,a.angle' [deg]\n0,1,2\n", "1:14: error: column 'a.angle'' must be an angular velocity [rad/s], but 'deg' measures an angle [rad]")
        self.refused("time,a.angle [dgg]\n0,1\n1,2\n", "record.csv:1:6: error: 'dgg' is no unit; did you mean 'deg'?")
        self.refused("time,a.angle,motor\n0,1,1\n", "record.csv:1:14: error: columns 'a.angle' and 'motor' are both the motion of drive 'motor'; keep one of them")
        self.refused("time,a.angle,a.angle\n0,1,1\n", "1:14: error: column \"a.angle\" stands twice in the header")
        self.refused("0,1\n1,2\n", "record.csv:1:1: error: a number in the header; the first line must name the columns")
        self.refused("", "record.csv:1:1: error: the file is empty; a header such as 'time [s], hinge.angle [deg]' and rows of numbers are expected")
        driven = SPATIAL.replace("wrist.distance", "'distance(arm.S, tool.P)'")
        self.refused("time,turn,lift,distance(arm.S, tool.P)\n0,1,2,3\n", "no column is the coordinate of a drive, 'distance(arm.S, tool.P)', which stands in quotes where commas separate columns; there are time, turn, lift, distance(arm.S, tool.P)",
                     model=driven)

    def test_rows_that_are_wrong(self):
        def rows(n):
            return "time,a.angle,a.angle',a.angle''\n" + "".join(f"{0.1 * k!r},{k},0,0\n" for k in range(n))
        bad = {"9,nan,0,0\n": "5:3: error: \"nan\" is not a number; every cell must hold a finite one", "9,1,0\n": "5:1: error: this row has 3 cells, the header has 4", "9,1,0,\n": "5:7: error: an empty cell",
               "9,1\n": "5:1: error: this row has 2 cells", "0.2,1,0,0\n": "5:1: error: time must grow from row to row: 0.2 s comes after 0.2 s", "0.1,1,0,0\n": "5:1: error: time must grow from row to row: 0.1 s comes after 0.2 s",
               "9,1e999,0,0\n": "5:3: error: \"1e999\" is too large for a number"}
        for row, words in bad.items():
            with self.subTest(row):
                done = self.refused(rows(3) + row + "10,1,0,0\n", "record.csv:" + words, rows=3)            # the rows before it are done, and stay
                self.near(done.time, [0, 0.1, 0.2], 0)
        self.refused(rows(3) + "9,1", "record.csv:5:1: error: this row has 2 cells", rows=3)                # a file that was cut

    def test_rows_before_a_bad_one_stay(self):
        """With splines too, which look ahead: all rows before the bad one are done, as if the record ended there."""
        t = np.arange(300) * 0.005
        text = recorded(t, 1)
        whole = self.follow(IDLE, text)
        cut = self.refused(text + "1.5,x\n", "record.csv:302:5: error: \"x\" is not a number", rows=300)
        self.alike(cut, whole, 0)

    def test_bytes_that_are_no_text(self):
        with tempfile.TemporaryDirectory(prefix="rbv-record-") as folder:
            path = os.path.join(folder, "r.csv")
            for data, words in ((b"time,a.angle\n0,1\n1,1\xff\n", b"r.csv:3:4: error: byte 0xFF is not UTF-8"), (b"\xff\xfet\0i\0", b"r.csv:1:1: error: the file is UTF-16 text; save it as UTF-8"),
                                (b"time,a.angle\n0,1\n1,\x001\n", b"r.csv:3:3: error: a NUL character"), (b"time,a.angle\n" + b"1" * (17 << 20), b"r.csv:2:1: error: a line longer than 16 MiB")):
                with open(path, "wb") as f:
                    f.write(data)
                done = self.pipe_file(path)
                self.assertEqual(done.returncode, 2, done.stderr)
                self.assertIn(words, done.stderr)

    def pipe_file(self, path):
        model = os.path.join(os.path.dirname(path), "m.yaml")
        with open(model, "w", encoding="utf-8") as f:
            f.write(IDLE)
        return cli.limited([cli.BINARY, "inverse", model, "--record", path], capture_output=True)

    def test_calls_that_are_wrong(self):
        rows = "time,a.angle\n0,1\n1,2\n"
        self.refused(rows, "a recorded motion has its own times, each row is a sample: from, to and step do not go with it", flags=["--from", "1"])
        self.refused(rows, "a recorded motion begins where its first row says: it does not go with a start in equilibrium", flags=["--start", "statics"])
        t = np.arange(3) * 0.1
        with tempfile.TemporaryDirectory(prefix="rbv-record-") as folder:
            path = os.path.join(folder, "s.csv")
            with open(path, "w", encoding="utf-8") as f:
                f.write(self.pipe(IDLE, recorded(t), "--out", "-", command="kinematics").stdout.decode())
            self.refused(rows, "--record says what the drives do, --motion what all bodies do: one of them", flags=["--motion", path])
        self.refused("time,a.angle\n0,1\n", "record.csv:2:1: error: a single row says nothing of how 'a.angle' moves; columns of its rate and second rate do")
        self.refused("time,a.angle\n", "record.csv:1:1: error: there is no row of numbers: nothing moves")
        still = "roberval: 1\nspace: planar\nbodies: {b: {mass: 1, inertia: 1}}\njoints: {j: {type: fixed, between: [ground, b]}}\n"
        self.refused("time\n0\n", "record.csv: error: the model has no drive whose motion could be recorded", model=still)
        for path, words in (("nowhere.csv", "the recorded motion nowhere.csv cannot be read: No such file or directory"), (".", ".: error: it cannot be read: Is a directory")):
            done = cli.run_model(IDLE, "inverse", "--record", path)
            self.assertEqual(done.code, 2)
            self.assertIn(words, done.err)
        self.assertIn("--record does not belong to simulate", cli.run_model(IDLE, "simulate", "--record", "r.csv").err)

    def test_rows_that_cannot_be_reached(self):
        """The record of a rocker that goes too far ends where the mechanism locks, with the time; the rows before stay."""
        model = IDLE.replace("coordinate: a.angle", "coordinate: d.angle").replace("motor.effort*a.angle'", "motor.effort")
        rows = "time,motor [deg]\n" + "".join(f"{0.1 * k!r},{95 + 2 * k}\n" for k in range(60))
        done = cli.run_model(model, "inverse", "--record", "r.csv", files={"r.csv": rows})
        self.assertEqual(done.code, 1, done.said())
        self.assertGreater(len(done.time), 3)
        self.assertRegex(done.err, r"t = [0-9.]+ s")


if __name__ == "__main__":
    cli.main()
