#!/usr/bin/env python3
"""Conditions, states, stops and events along a prescribed motion (kinematics, inverse): against closed forms and simulate."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "py"))
import numpy as np      # noqa: E402
import cli              # noqa: E402
from relay import HEAD, RELAY  # noqa: E402

# places are exact but for rounding; states to the tolerance of 1e-9 a step
EXACT, STATES = 1e-12, 1e-8


def relay(t):
    """Place, rate, second rate, load and state of RELAY."""
    late, u = t >= 0.55, t - 0.55
    x = np.where(late, 0.6025 + 1.1 * u + 0.4 * u**2, 0.3 + t**2)
    v = np.where(late, 1.1 + 0.8 * u, 2 * t)
    a = np.where(late, 0.8, 2.0)
    early = t**2 - 2 * t + 2.3                                  # s' = x - s: a particular solution, and the rest dies out
    first = early - 1.3 * np.exp(-t)
    at = 0.55**2 - 1.1 + 2.3 - 1.3 * np.exp(-0.55)
    later = 0.6025 + 1.1 * u + 0.4 * u**2 - (1.1 + 0.8 * u) + 0.8
    second = later + (at - (0.6025 - 1.1 + 0.8)) * np.exp(-u)
    return x, v, a, np.where(x > 0.5, 5.0, 0.0), np.where(late, second, first)


class Conditions(cli.Case):
    def test_drives_take_over_from_each_other_between_samples(self):
        for step in (0.1, 0.03, 0.7):
            done = self.ok(RELAY, "inverse", "--step", str(step))
            x, v, a, k, s = relay(done.time)
            late = done.time >= 0.55
            self.column(done, "x", x, EXACT)
            self.column(done, "v", v, 1e-11)
            self.column(done, "a.effort", np.where(late, 0, 2 * a - k), 1e-11)
            self.column(done, "c.effort", np.where(late, 2 * a - k, 0), 1e-11)
            self.column(done, "k.Fx", k, 0)
            self.column(done, "rail.Fy", 20, 1e-11)
            self.column(done, "s", s, STATES)
            self.assertEqual(done.result["mobility"]["degrees_of_freedom"], 0)
            self.assertLess(done.result["audit"]["max_force_imbalance"], 1e-9)

    def test_kinematics_has_the_same_places(self):
        done = self.ok(RELAY, "kinematics")
        x, v, a, _, s = relay(done.time)
        self.column(done, "rail.distance", x, EXACT)
        self.column(done, "rail.distance'", v, 1e-11)
        self.column(done, "rail.distance''", a, 1e-10)
        self.column(done, "s", s, STATES)

    def test_simulate_agrees(self):
        inverse, simulate = self.ok(RELAY), self.ok(RELAY, "simulate")
        for name, tol in (("x", 1e-8), ("a.effort", 1e-6), ("c.effort", 1e-6), ("rail.Fy", 1e-6), ("s", 1e-7)):
            self.near(inverse.series[name], simulate.series[name], tol, name)

    def test_a_joint_passes_a_body_on(self):
        text = HEAD + """
bodies: {ground: {markers: {S: [1, 1]}}, b: {mass: 2, inertia: 0.1}, c: {mass: 3, inertia: 0.2, pose: {at: [1, 1]}}}
joints:
  rail: {type: prismatic, between: [ground, b]}
  shelf: {type: fixed, between: [ground.S, c], active: "rail.distance < 0.25"}
  grip: {type: fixed, between: [b, c], value: here, active: "rail.distance >= 0.25"}
drives: {a: {coordinate: rail.distance, motion: "t^2"}}
motion: {from: 0, to: 1, step: 0.05}
output: {x: x(c), y: y(c)}
"""
        done = self.ok(text)
        held = done.time >= 0.5
        self.column(done, "x", np.where(held, 0.75 + done.time**2, 1), 1e-12)
        self.column(done, "y", 1, 1e-12)
        self.column(done, "grip.Fx", np.where(held, 6, 0), 1e-10)
        self.column(done, "grip.Fy", np.where(held, 30, 0), 1e-10)
        self.column(done, "shelf.Fy", np.where(held, 0, 30), 1e-10)
        self.column(done, "a.effort", np.where(held, 10, 4), 1e-10)
        self.assertEqual(done.result["mobility"]["rank"], 6)

    def test_a_condition_may_read_a_state(self):
        text = RELAY.replace('active: "rail.distance > 0.5"', 'active: "s < 0.8"')
        done = self.ok(text)
        self.column(done, "k.Fx", np.where(relay(done.time)[4] < 0.8, 5, 0), 0)
        self.assertGreater(len(set(done.series["k.Fx"])), 1)

    def test_no_pulse_is_too_short(self):
        text = RELAY.replace("rail.distance - s", "if(t > 0.3 and t < 0.30001, 1e5, 0)").replace("start: 1}", 'start: 0}')
        for command in ("kinematics", "inverse"):
            done = self.ok(text, command)
            self.column(done, "s", np.where(done.time > 0.3000001, 1, 0), 1e-8)

    def test_what_does_not_fit_ends_the_motion(self):
        done = cli.run_model(RELAY.replace("value: here, ", ""))
        self.assertEqual(done.code, 1)
        self.assertIn("at t = 0.55 s 'c' engages where it does not fit: it is off by 0.6025 m", done.err)
        self.assertEqual(len(done.time), 6)                     # 0 ... 0.5 are kept

    def test_a_drive_with_a_place_of_its_own_fits_its_rate(self):
        own = RELAY.replace("value: here, ", "").replace("1.1*(t-0.55)", "0.6025 + 1.1*(t-0.55)")
        self.column(self.ok(own), "v", relay(np.append(np.arange(10) / 10, 1))[1], 1e-11)
        done = cli.run_model(own.replace("1.1*(t", "0.9*(t"))
        self.assertEqual(done.code, 1)
        self.assertIn("at t = 0.55 s 'c' engages where its rate does not fit: it is off by 0.2 m/s", done.err)

    def test_drives_missing_and_too_many_on_the_way(self):
        lost = cli.run_model(RELAY.replace("t >= 0.55", "t >= 0.6"), "kinematics")
        self.assertEqual(lost.code, 1)
        self.assertRegex(lost.err, r"from t = 0.55\d* s on the motion is not determined: 1 degree of freedom .*rail.distance")
        for command in ("inverse", "kinematics", "check"):
            twice = cli.run_model(RELAY.replace("t < 0.55", "t < 0.6"), command, *["--motion"][:command == "check"])
            self.assertEqual(twice.code, 1)
            self.assertRegex(twice.err, r"from t = 0.55\d* s on the system is over-driven: drives 'a' and 'c' move the same freedom")
        self.assertEqual(cli.run_model(RELAY.replace("t < 0.55", "t > 0.55")).code, 2)          # at `from`: the model is wrong
        at_once = cli.run_model(RELAY.replace("t >= 0.55", "t >= 0"))
        self.assertEqual(at_once.code, 2)
        self.assertNotIn("from t =", at_once.err)

    def test_drives_that_always_hold_still_exclude_each_other(self):
        text = RELAY.replace(', active: "t < 0.55"', "").replace(', value: here, active: "t >= 0.55"', "")
        self.assertIn("move the same coordinate", cli.run_model(text).err)

    def test_conditions_without_end(self):
        text = RELAY.replace("1.1*(t-0.55)", "0.5*(t-0.55)").replace('active: "t < 0.55"', 'value: here, active: "t < 0.55"').replace('"t < 0.55"', "\"t < 0.55 or rail.distance' < 1\"").replace('"t >= 0.55"', "\"t >= 0.55 and rail.distance' >= 1\"")
        done = cli.run_model(text)
        self.assertEqual(done.code, 1)
        self.assertIn("at t = 0.55 s conditions (active:) change without end", done.err)


class States(cli.Case):
    def test_turns_are_counted_while_stages_go_back_and_forth(self):
        text = HEAD + """
bodies: {b: {mass: 1, inertia: 1}}
joints: {pin: {type: revolute, between: [ground, b]}}
drives: {m: {coordinate: pin.angle, motion: "20*t"}}
states: {area: {rate: pin.angle, start: 0}, wave: {rate: "cos(pin.angle)*pin.angle'", start: 0}}
loads: {brake: {type: torque, to: b, value: "-area"}}
motion: {from: 0, to: 3, step: 0.5}
"""
        for command in ("kinematics", "inverse"):
            done = self.ok(text, command)
            self.column(done, "area", 10 * done.time**2, 1e-6)          # of 90
            self.column(done, "wave", np.sin(20 * done.time), 1e-7)     # 60 radians of it
        self.column(done, "m.effort", 10 * done.time**2, 1e-6)

    def test_tolerance_is_what_a_step_may_be_off_by(self):
        off = []
        for tolerance in ("1e-4", "1e-7", "1e-10"):
            done = self.ok(RELAY, "kinematics", "--tolerance", tolerance, "--step", "0.5")
            off.append(np.max(np.abs(done.series["s"] - relay(done.time)[4])))
        self.assertTrue(off[0] < 1e-3 and off[1] < 1e-6 and off[2] < 1e-9, off)

    def test_rolling_and_states_go_together(self):
        text = HEAD + """
bodies: {w: {mass: 1, inertia: 1}}
joints: {edge: {type: knife-edge, between: [ground, w]}}
constraints: {speed: {velocity: "x(w)'*cos(angle(w)) + y(w)'*sin(angle(w)) - 1"}}
drives: {steer: {coordinate: angle(w), motion: "2*t"}}
states: {way: {rate: "sqrt(x(w)'^2 + y(w)'^2)", start: 0}, height: {rate: "y(w)", start: 0}}
motion: {from: 0, to: 2, step: 0.25}
output: {y: y(w)}
"""
        done = self.ok(text, "kinematics")
        self.column(done, "way", done.time, 1e-8)
        self.column(done, "y", 0.5 * (1 - np.cos(2 * done.time)), 1e-9)
        self.column(done, "height", 0.5 * done.time - 0.25 * np.sin(2 * done.time), 1e-8)

    def test_what_grows_without_bound_is_no_result(self):
        done = cli.run_model(RELAY.replace("rail.distance - s", "s^2").replace("to: 1", "to: 2"))       # s = 1/(1 - t)
        self.assertEqual(done.code, 1)
        self.assertRegex(done.err, r"at t = (0\.99|1)\S* s (the states cannot be integrated|the rate of the state 's' is not finite)")
        self.near(done.series["s"][:-1], 1 / (1 - done.time[:-1]), 1e-6)

    def test_inverse_with_statics_as_start(self):
        text = RELAY.replace(', active: "t < 0.55"', "").replace('  c: {coordinate: rail.distance, motion: "1.1*(t-0.55) + 0.4*(t-0.55)^2", value: here, active: "t >= 0.55"}\n', "")
        text = text.replace(', active: "rail.distance > 0.5"', "")
        done = self.ok(text, "inverse", "--start", "statics")
        t = done.time
        self.column(done, "s", t**2 - 2 * t + 2.3 - 1.3 * np.exp(-t), STATES)


    def test_conditions_at_an_equilibrium(self):
        plain, rested = self.ok(RELAY), self.ok(RELAY, "inverse", "--start", "statics")
        for name in ("x", "a.effort", "c.effort", "s"):
            self.near(rested.series[name], plain.series[name], 1e-9, name)


class Check(cli.Case):
    """check --motion: at each sample the verdicts are those of check at that instant, and what is said to change is where they do"""

    def test_verdicts_are_those_of_each_instant(self):
        text = HEAD + """
bodies: {b: {mass: 1, inertia: 1, markers: {E: [1, 0]}}, c: {mass: 1, inertia: 1, pose: {at: [2, 0]}}}
joints: {p: {type: revolute, between: [ground, b]}, q: {type: prismatic, between: [ground, c], at: [2, 0]}, clamp: {type: fixed, between: [ground, b], value: here, active: "s > 1"}}
states: {s: {rate: 2, start: 0}}
drives: {a: {coordinate: p.angle, motion: t, active: "not (s > 1)"}, d: {coordinate: q.distance, motion: t}}
motion: {from: 0, to: 1, step: 0.125}
"""
        done = self.ok(text, "check", "--motion")
        along = done.result["along_motion"]
        self.assertEqual([(r["rank"], r["redundant"]) for r in along["rank_changes"]], [(6, 0), (6, 2)])
        self.near([r["time"] for r in along["rank_changes"]], [0, 0.625], 1e-12)
        at = {}
        for start, t in (("0", 0.25), ("3", 0.75)):                        # the same instants by themselves, the state being what it is then
            one = self.ok(text.replace("start: 0", f"start: {start}"), "check", "--from", str(t)).result
            at[t] = {f"{j}.{c}": x["verdict"] for j, entry in one["reactions"].items() for c, x in entry["components"].items()}
        self.assertEqual({n for n in at[0.25] if at[0.25][n] != at[0.75][n]} - {"clamp.Tz"}, {"p.Fx", "p.Fy", "clamp.Fx", "clamp.Fy"})
        for name, verdict in at[0.75].items():                              # of both the worse one
            joint, component = name.split(".")
            self.assertEqual(done.result["reactions"][joint]["components"][component]["verdict"], verdict, name)

class Flags(cli.Case):
    def test_stops_and_events(self):
        text = RELAY + """
stops: {bump: {coordinate: rail.distance, max: 0.8}, low: {coordinate: rail.distance, min: 0.4, active: "t > 0.15"}, far: {coordinate: rail.distance, min: 0.3, max: 9}}
events: {half: {when: "rail.distance - 0.5"}}
"""
        for command in ("kinematics", "inverse"):
            done = self.ok(text, command)
            notes = "\n".join(done.result["notes"])
            self.assertIn("stop 'bump' is passed from t = 0.8 s on: rail.distance is beyond max = 0.8 m, farthest at t = 1 s with 1.1785 m", notes)
            self.assertIn("stop 'low' is passed from t = 0.2 s on: rail.distance is beyond min = 0.4 m, farthest at t = 0.2 s with 0.34 m", notes)
            self.assertNotIn("'far'", notes)
            self.assertIn(f"{command} does not look for events", notes)
            self.assertNotIn("stops hold nothing", notes)

    def test_a_rope_that_would_push(self):
        text = HEAD + """
bodies: {b: {mass: 1, particle: true, pose: {at: [0, -1]}}}
joints: {rope: {type: link, between: [ground, b], unilateral: true}}
drives: {d: {coordinate: x(b), motion: "0*t"}}
motion: {from: 0, to: 1, step: 0.25}
loads: {lift: {type: force, to: b, value: [0, "40*t"]}}
"""
        done = self.ok(text)
        self.column(done, "rope.F", 10 - 40 * done.time, 1e-11)
        self.assertIn("the rope 'rope' would have to push from t = 0.5 s on (F = -10 N)", "\n".join(done.result["notes"]))


if __name__ == "__main__":
    cli.main()
