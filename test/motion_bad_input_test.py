#!/usr/bin/env python3
# ctest: joint
"""Motions that cannot be: each ends soon, with a message in the model's own words and the right status; and motions in which nothing happens end soon, too."""
import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "py"))
import cli              # noqa: E402

HEAD = "roberval: 1\nspace: planar\ngravity: [0, -9.81]\n"
ARM = "bodies: {a: {mass: 1, inertia: 0.1, centroid: [0.3, 0], markers: {E: [1, 0]}}}\njoints: {O: {type: revolute, between: [ground, a]}}\n"
SECOND = "motion: {from: 0, to: 1, step: 0.1}\n"


class Refused(cli.Case):
    def refused(self, text, status, pattern, *flags, space="planar"):
        head = HEAD if space == "planar" else HEAD.replace("planar", space).replace("-9.81]", "-9.81, 0]")
        done = cli.run_model(head + text, "simulate", *flags, timeout=10)
        self.assertEqual(done.code, status, done.said())
        self.assertRegex(done.err, pattern)
        return done

    def test_what_is_free_and_has_no_mass(self):
        self.refused("bodies: {a: {mass: 1, inertia: 0.1}, wisp: {particle: true, mass: 0, pose: {at: [1, 0]}}}\n" + SECOND, 1, "singular.*'wisp' has no mass")
        self.refused(ARM.replace("inertia: 0.1, centroid: [0.3, 0]", "inertia: 0") + SECOND, 1, "singular.*'a' has no inertia")
        # a light rod that a bob moves is none of it; the bob about itself is
        rod = "bodies: {rod: {markers: {B: [1, 0]}}, bob: {mass: 1, inertia: 0, pose: {at: [1, 0]}}, far: {mass: 1, inertia: 1, pose: {at: [5, 0]}}}\njoints: {p: {type: revolute, between: [ground, rod]}"
        self.refused(rod + ", f: {type: revolute, between: [rod.B, bob]}}\n" + SECOND, 1, r"singular: f\.angle moves no mass \(body 'bob' has no inertia\)$")
        self.refused(rod + "}\n" + SECOND, 1, r"singular: p\.angle, angle\(bob\) move no mass \(body 'rod' has no mass, body 'bob' has no inertia\)$")
        done = cli.run_model(HEAD + rod + ", f: {type: fixed, between: [rod.B, bob]}}\n" + SECOND, "simulate", timeout=10)
        self.assertEqual(done.code, 0, done.said())
        # a thin rod in space on a universal joint moves all it has; hung by a ball it turns about itself
        thin = "bodies: {r: {mass: 1, inertia: [0, 0.1, 0.1], centroid: [0.5, 0, 0]}}\njoints: {b: {type: %s, between: [ground, r]}}\n"
        self.refused((thin % "spherical") + SECOND, 1, r"singular: b\.rx moves no mass \(body 'r' has no inertia about one of its axes\)", space="spatial")

    def test_constraints_that_cannot_be_met_any_more(self):
        """The point at cos(angle) = 1 + t/5 reaches the end of its circle at t = 0, with an infinite rate."""
        done = self.refused(ARM + 'constraints: {c: {equation: "x(a.E) - 1 - 0.2*t"}}\nmotion: {from: -1, to: 1, step: 0.1}\n', 1, "at t = -?[0-9.e-]+ s the motion cannot go on: constraint 'c' is at a lock-up")
        self.assertEqual(len(done.time), 10)                      # what was found is kept

    def test_forces_that_are_no_numbers(self):
        self.refused(ARM + 'loads: {pull: {type: force, to: a, value: ["sqrt(0.55 - t)", 0]}}\n' + SECOND, 1, r"at t = 0\.55 s .*not finite: load 'pull': sqrt of -")
        self.refused('bodies: {a: {particle: true, mass: 1, pose: {at: [1, 0]}}}\nloads: {f: {type: force, to: a, value: ["5*x(a)^2", 0]}}\n' + SECOND.replace("to: 1", "to: 10"), 1, "forces change without bound")

    def test_drives_that_jump(self):
        """The arm is placed by the drive; what the jump takes nobody accounts for."""
        for motion in ("if(t > 0.5, 1, 0)", "if(t > 0.5, 2*t, t)"):
            self.refused(ARM + f'drives: {{m: {{coordinate: O.angle, motion: "{motion}"}}}}\n' + SECOND, 1, "balance of energy is off")

    def test_states_measure_what_their_rates_do(self):
        for text, pattern in (("states: {q: {rate: '1[m]', unit: kg}}", r":\d+: error: this is a length \[m\], but state 'q' is a mass"), ("states: {q: {rate: '1[m/s]', unit: rad}}", "whose rate is an angular velocity"),
                              ("states: {q: {rate: '1[m]', start: 2 kg}}", "this is a length"), ("states: {q: {rate: '1[m/s]', start: 1 m}}\nevents: {e: {when: t - 0.5, set: {q: '3[kg]'}}}", "this is a mass")):
            self.refused(ARM + text + "\n" + SECOND, 2, pattern)

    def test_limits_are_finite(self):
        self.refused(ARM + 'stops: {s: {coordinate: O.angle, min: "1e400"}}\n' + SECOND, 2, "'min' must be a finite number")

    def test_motion_and_options(self):
        self.refused(ARM, 2, "no motion: section")
        self.refused(ARM + "motion: {from: 1, to: 0, step: 0.1}\n", 2, "ends at 0 s, before it starts at 1 s")
        self.refused(ARM + "motion: {from: 0, to: 1, step: 1e-12}\n", 2, "1e\\+12 samples")
        for tolerance in ("0", "-1", "1", "abc", "1e-30", "nan"):
            self.refused(ARM + SECOND, 2, "--tolerance wants a number", "--tolerance", tolerance)


class Quiet(cli.Case):
    def test_nothing_moves_for_a_long_time(self):
        done = cli.run_model("roberval: 1\nspace: planar\nbodies: {a: {mass: 1, inertia: 0.1}}\nmotion: {from: 0, to: 1000000, step: 100000}\n", "simulate", timeout=2)
        self.assertEqual(done.code, 0, done.said())
        self.assertEqual(list(done.series["a.x"]), [0] * 11)
        self.assertLess(done.result["integration"]["steps"], 200)

    def test_an_arm_at_rest_for_a_long_time(self):
        text = HEAD + ARM.replace("[0.3, 0]", "[0, -0.3]").replace("[ground, a]}", "[ground, a], damping: 1}") + "motion: {from: 0, to: 1000000, step: 500000}\n"
        done = cli.run_model(text, "simulate", timeout=20)
        self.assertEqual(done.code, 0, done.said())
        self.assertLess(abs(done.series["O.angle"]).max(), 1e-12)

    @cli.long
    def test_a_run_without_end_can_be_interrupted(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "model.yaml")
            with open(path, "w", encoding="utf-8") as f:
                f.write(HEAD + "bodies: {a: {particle: true, mass: 1, pose: {at: [1, 0]}}}\nloads: {s: {type: spring, between: [ground, a], stiffness: 1e18, free_length: 0.9}}\n" + SECOND)
            with subprocess.Popen([cli.BINARY, "simulate", path, "--quiet", "--out", os.path.join(folder, "out")], stderr=subprocess.PIPE, text=True) as program:
                while program.poll() is None and not cli.catches(program.pid, signal.SIGTERM):
                    time.sleep(0.01)
                time.sleep(0.5)
                program.send_signal(signal.SIGINT)
                _, err = program.communicate(timeout=cli.HANG)
            self.assertEqual(program.returncode, 130, err)
            self.assertIn("interrupted", err)


if __name__ == "__main__":
    cli.main()
