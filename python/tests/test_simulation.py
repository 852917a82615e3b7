"""Stepping under the caller's control."""
from __future__ import annotations

import copy
import gc
import math
import pickle
import threading

import conftest
import numpy as np
import pytest

import roberval as rb

LAW = conftest.PENDULUM.replace('torque: "-u"', 'torque: "8*hinge.angle + 2*hinge.angle\'"')


def test_control_in_small_steps_approaches_the_law_in_the_model():
    """A law held for h has an error of order h."""
    exact = rb.Model(text=LAW).simulate(to="1 s", step="1 s")["hinge.angle"][-1]
    errors = []
    for h in (2e-3, 1e-3):
        sim = rb.Model(text=conftest.PENDULUM).simulation(inputs=["u"])
        for k in range(1, round(1 / h) + 1):
            sim["u"] = -8 * sim["hinge.angle"] - 2 * sim["hinge.angle'"]
            sim.step_to(k * h)
        errors.append(abs(sim["hinge.angle"] - exact))
    assert errors[1] < 2e-3 and 1.8 < errors[0] / errors[1] < 2.2


def test_steps_give_the_motion_of_simulate():
    model = rb.Model(text=conftest.PENDULUM)
    result = model.simulate()
    sim = model.simulation()
    for k, t in enumerate(result.time[1:], 1):
        sim.step_to(float(t))
        assert abs(sim["hinge.angle"] - result["hinge.angle"][k]) < 1e-8
        assert sim.column("hinge.Fy").verdict == "unique" and sim.column("hinge.Fy").error < 1e-6
    assert set(result) <= set(sim.columns)


def test_save_and_restore_are_exact():
    model = rb.Model(text=conftest.PENDULUM)
    sim, other = model.simulation(["u"]), model.simulation(["u"])
    sim["u"] = 3
    sim.step("100 ms")
    state = sim.save()

    def run(s):
        found = []
        for k in range(20):
            s["u"] = math.sin(k)
            s.step(0.013)
            found.append((s.time, s["hinge.angle"], s["hinge.Fx"]))
        return found

    first = run(sim)
    sim.restore(state)
    other.restore(state)
    assert run(sim) == first and run(other) == first
    with pytest.raises(rb.ModelError, match="damaged"):
        sim.restore(state[:-1])
    with pytest.raises(ValueError):
        sim.restore("state")


def test_events_of_a_bounce():
    ball = {"roberval": 1, "space": "planar", "gravity": [0, -9.81],
            "bodies": {"ball": {"mass": 2, "particle": True, "pose": {"at": [0, 1]}}},
            "stops": {"floor": {"coordinate": "y(ball)", "min": 0, "restitution": 0.5}},
            "initial": {"x(ball)": 0, "y(ball)": 1, "x(ball)'": 0, "y(ball)'": 0}}
    sim = rb.Model(ball).simulation()
    sim.step(2, to_event=True)
    event, = sim.events
    assert event.name == "floor" and event.kind == "impact" and abs(event.time - math.sqrt(2 / 9.81)) < 1e-9
    assert sim.time == event.time


def test_parameters_of_the_model_hold_in_simulations():
    model = rb.Model(text=conftest.PENDULUM)
    model.set(m=5)
    sim = model.simulation(["u"])
    sim.step(0)
    assert abs(sim["hinge.angle''"] + 5 * 9.81 * 0.5 / (0.1 + 5 * 0.25)) < 1e-12


@pytest.mark.parametrize("inputs, words", [(["v"], "no such parameter; did you mean|no such parameter"),
                                           (["m"], "the input 'm' cannot stand here")])
def test_wrong_inputs_are_refused(inputs, words):
    with pytest.raises(rb.ModelError, match=words):
        rb.Model(text=conftest.PENDULUM).simulation(inputs=inputs)


def test_wrong_calls():
    sim = rb.Model(text=conftest.PENDULUM).simulation(["u"])
    with pytest.raises(KeyError, match="no input 'w'"):
        sim["w"] = 1
    for value in (math.nan, math.inf, None, "a", 1j, [1, 2]):
        with pytest.raises(ValueError):
            sim["u"] = value
    with pytest.raises(KeyError, match="no column"):
        sim["hinge.nothing"]
    with pytest.raises(ValueError):
        sim.step(-1)
    with pytest.raises(ValueError):
        sim.step("1 kg")
    sim.step(1)
    with pytest.raises(rb.ModelError, match="before the present instant"):
        sim.step_to(0.5)
    sim.close()
    for call in (lambda: sim.step(1), lambda: sim["hinge.angle"], lambda: sim.time, sim.save):
        with pytest.raises(ValueError, match="closed"):
            call()
    with pytest.raises(ValueError, match="inputs must be a list"):
        rb.Model(text=conftest.PENDULUM).simulation("u")


def test_another_thread_is_told_that_a_simulation_is_used():
    sim = rb.Model(text=conftest.PENDULUM).simulation()
    errors, going = [], threading.Event()

    def long():
        going.set()
        try:
            sim.step_to(200)
        except (RuntimeError, rb.AnalysisError) as error:
            errors.append(error)

    thread = threading.Thread(target=long)
    thread.start()
    going.wait()
    told = False
    while thread.is_alive() and not told:
        try:
            sim.step(0)
        except RuntimeError as error:
            told = "another thread" in str(error)
        except rb.ModelError:
            break
    thread.join()
    assert told


@pytest.mark.parametrize("kind", ["thread", "callback"])
def test_what_is_used_is_not_closed(kind):
    """close() freed what a step on another thread, or around a callback, still used."""
    told, armed = [], []

    def close():
        try:
            sim.close()
        except RuntimeError as error:
            told.append(str(error))

    def law(x):
        if armed and not told and kind == "callback":
            close()
        elif armed and not told:
            going.set()
            tried.wait(20)
        return 0.0

    going, tried = threading.Event(), threading.Event()
    text = conftest.PENDULUM.replace('torque: "-u"', 'torque: "f(hinge.angle\')"')
    sim = rb.Model(text=text, functions={"f": (law, 1)}).simulation()
    armed.append(True)
    thread = threading.Thread(target=lambda: sim.step(2))
    thread.start()
    if kind == "thread":
        going.wait(20)
        close()
        tried.set()
    thread.join()
    assert told and ("another thread" in told[0]) == (kind == "thread") and ("being used" in told[0]) == (kind == "callback")
    assert sim.time == 2
    sim.close()


def test_what_stands_for_one_object_is_not_copied():
    """A copy shared the handle; closing one freed it for both."""
    model = rb.Model(text=conftest.FOURBAR)
    for thing in (rb.Model(text=conftest.PENDULUM).simulation(), model.evaluation(), model.linkage(), model.linkage().tree):
        for copied in (copy.copy, copy.deepcopy, pickle.dumps):
            with pytest.raises(TypeError, match=f"{type(thing).__name__} objects can be neither copied nor pickled; "):
                copied(thing)


def test_memory_is_freed():
    import resource
    model = rb.Model(text=conftest.PENDULUM)

    def round_(count):
        for _ in range(count):
            with model.simulation(["u"]) as sim:
                sim.step(1e-3)
        gc.collect()
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    round_(100)
    before = round_(300)
    assert round_(1500) - before < 3000  # kB


def test_results_of_control_are_plain_numbers():
    sim = rb.Model(text=conftest.PENDULUM).simulation(["u"])
    sim["u"] = np.float32(2)
    sim.step(np.float64(0.01))
    assert isinstance(sim["u"], float) and sim["u"] == 2 and isinstance(sim.time, float)
