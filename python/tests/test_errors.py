"""Wrong models, options and calls; interrupts; functions; threads; lifetimes."""
from __future__ import annotations

import gc
import multiprocessing
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
import warnings

import conftest
import numpy as np
import pytest

import roberval as rb


def test_errors_have_places_and_are_what_the_program_prints(tmp_path):
    path = tmp_path / "wrong.yaml"
    path.write_text(conftest.FOURBAR.replace("mass: 0.5", "mas: 0.5").replace("40 deg", "40 dg"))
    with pytest.raises(rb.ModelError) as error:
        rb.Model(path)
    done = subprocess.run([conftest.PROGRAM, "check", path], capture_output=True, text=True, check=False)
    assert str(error.value) == done.stderr.strip()
    first = error.value.diagnostics[0]
    assert first.severity == "error" and first.line == 6 and first.file == str(path) and len(error.value.diagnostics) >= 2


@pytest.mark.parametrize("change, path", [
    (lambda m: m["bodies"]["rod"].update(mass=-1), "bodies.rod.mass"),
    (lambda m: m["bodies"]["rod"].update(mss=1), "bodies.rod.mss"),
    (lambda m: m["bodies"]["rod"].update(mass=float("nan")), "bodies.rod.mass"),
    (lambda m: m["bodies"]["rod"].update(mass=1j), "bodies.rod.mass"),
    (lambda m: m["bodies"]["rod"].update(mass=object()), "bodies.rod.mass"),
    (lambda m: m["bodies"]["rod"].update(centroid=np.array([np.inf, 0])), "bodies.rod.centroid"),
    (lambda m: m.update(bodis={}), "bodis"),
])
def test_mistakes_in_dicts_have_key_paths(change, path):
    model = rb.Model(text=conftest.FOURBAR).to_dict()
    change(model)
    with pytest.raises(rb.ModelError) as error:
        rb.Model(model)
    assert path in [d.path for d in error.value.diagnostics]
    assert str(error.value).startswith(path)


def test_dicts_that_are_no_model():
    cycle = {"roberval": 1}
    cycle["bodies"] = cycle
    deep = {}
    for _ in range(100000):
        deep = {"a": deep}
    for wrong in (cycle, deep, {1: 2}, {}, {"roberval": 2}):
        with pytest.raises(rb.ModelError):
            rb.Model(wrong)
    del deep
    for wrong in (None, 3, 2.5, [1], object()):
        with pytest.raises(ValueError):
            rb.Model(wrong)
    with pytest.raises(rb.ModelError, match="no such file|No such file"):
        rb.Model("/nowhere/model.yaml")


def test_options_are_checked_by_name_and_value():
    model = rb.Model(text=conftest.FOURBAR)
    for call, kind, words in [
            (dict(stp=1), TypeError, "did you mean 'step'"), (dict(damping=3), TypeError, "no option 'damping'"),
            (dict(step="1 kg"), ValueError, "unit like s"), (dict(method="magic"), ValueError, "one of"),
            (dict(frame=3), ValueError, "one of"), (dict(threads=-1), ValueError, "whole number"),
            (dict(tolerance=3), ValueError, "1e-13"), (dict(to=float("inf")), ValueError, "to must be"),
            (dict(coordinates="polar"), ValueError, "absolute"), (dict(cut=["A"]), ValueError, "joint")]:
        with pytest.raises(kind, match=words):
            model.inverse(**call)
    for wrong in (dict(set=["a"]), dict(path=3), dict(functions=[1]), dict(functions={"f": 3})):
        with pytest.raises(ValueError):
            rb.Model(text=conftest.FOURBAR, **wrong)
    with pytest.raises(ValueError, match="progress"):
        model.inverse(progress=3)
    with pytest.raises(rb.ModelError, match="^record:1:1: error"):
        model.inverse(record={"time": [0, 1], "foo": [1, 2]})
    with pytest.raises(ValueError, match="no parameter 'v'"):
        model.set(v=1)


def test_texts_for_parameters_have_their_dimension():
    """set() took "5 Hz" for 5 rad/s where the parameter was computed, "5" for any, and evaluations took nan."""
    model = rb.Model(text=conftest.FOURBAR.replace(" rad/s}", " rad/s, f: 2*w}"))
    evaluation = model.evaluation()
    for set_ in (model.set, evaluation.set):
        for name, value, words in [("w", "3 kg", "another dimension than 'w', an angular velocity"), ("w", "5", "no unit; 'w' is"),
                                   ("w", "1 +", "no number"), ("w", np.nan, "w must be"), ("w", np.inf, "w must be"),
                                   ("w", True, "w must be"), ("f", "5 Hz", "the model gives 'f' none"), ("Q", 1, "no parameter 'Q'; it has w, f")]:
            with pytest.raises(ValueError, match=words):
                set_(**{name: value})
        set_(w="90 rpm", f=3)
        set_(w=0.5)
    assert model.parameters == {"f": 3, "w": 0.5}
    evaluation.set_time(2)
    evaluation.set(w="1 rad/s")
    evaluation.kinematics()
    assert abs(evaluation["O.angle"] - 2) < 1e-12
    evaluation.close()
    with pytest.raises(ValueError, match="closed"):
        evaluation.set(w=1)


def test_values_set_hold_along_a_parameter():
    """A number set for a parameter with a unit was given on without it, and refused."""
    model = rb.Model(text=conftest.PENDULUM)
    model.set(m=5)
    along = model.statics(follow="u=0..5 N.m")
    assert np.allclose(5 * 9.81 * 0.5 * np.cos(along["hinge.angle"]), along.index, atol=1e-6)


def test_analyses_that_fail_say_so_and_keep_samples():
    lock = conftest.FOURBAR.replace("markers: {B: [0.4, 0]}", "markers: {B: [0.2, 0]}").replace("angle: 40 deg", "angle: 10 deg")
    with pytest.raises(rb.AnalysisError) as error:
        rb.Model(text=lock).inverse()
    assert isinstance(error.value, (rb.LockedError, rb.NotAssembledError)) and error.value.diagnostics
    if error.value.result is not None:
        assert len(error.value.result.time) >= 1
    with pytest.raises(rb.ModelError, match="motion"):
        rb.Model(text=conftest.PENDULUM.replace("motion: {from: 0, to: 1 s, step: 10 ms}\n", "")).simulate()


def test_warnings_are_warnings():
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        rb.Model(conftest.EXAMPLES / "valvetrain/flies.yaml").inverse()
    assert any(issubclass(w.category, rb.ModelWarning) and "pull" in str(w.message) for w in seen)


def test_columns_outlive_their_result_and_model():
    model = rb.Model(text=conftest.FOURBAR)
    result = model.inverse()
    column, part = result["motor.effort"], result["A.Fx"][10:20]
    copy, part_copy = np.array(column), np.array(part)
    del model, result
    gc.collect()
    ballast = [np.ones(100000) for _ in range(50)]
    assert np.array_equal(column, copy) and np.array_equal(part, part_copy) and column.unit == "N.m"
    assert type(column + 1) is np.ndarray and type(np.maximum(column, 0)) is np.ndarray and type(np.sort(column)) is np.ndarray
    with pytest.raises(ValueError):
        column[0] = 1
    assert type(pickle.loads(pickle.dumps(column))) is np.ndarray
    del ballast


# ---- functions of the caller ----

STRUT = """roberval: 1
space: planar
gravity: [0, -9.81]
bodies: {p: {mass: 2, particle: true, pose: {at: [1, 0]}}}
loads: {f: {type: force, to: p, value: ["push(t, 2)", 0]}}
initial: {x(p): 1, y(p): 0, x(p)': 0, y(p)': 0}
motion: {from: 0, to: 1 s, step: 100 ms}
"""


def test_functions_are_called_and_their_exceptions_raised():
    result = rb.Model(text=STRUT, functions={"push": (lambda t, k: k * t, 2)}).simulate()
    assert np.allclose(result["p.x"], 1 + np.asarray(result.time) ** 3 / 6, atol=1e-9)

    class Own(Exception):
        pass

    def bad(t, k):
        if t > 0.5:
            raise Own("beyond")
        return 0.0

    for function, kind in ((bad, Own), (lambda t, k: None, TypeError), (lambda t, k: "x", ValueError), (lambda t: 1.0, TypeError)):
        with pytest.raises(kind):
            rb.Model(text=STRUT, functions={"push": (function, 2)}).simulate()
    with pytest.raises(rb.AnalysisError):
        rb.Model(text=STRUT, functions={"push": (lambda t, k: float("nan"), 2)}).simulate()
    for wrong in (3, (3, 1), (bad,), "f"):
        with pytest.raises(ValueError):
            rb.Model(text=STRUT, functions={"push": wrong})


def test_a_function_may_drop_its_model():
    box = []

    def push(t, k):
        box.clear()
        gc.collect()
        return k * t

    box.append(rb.Model(text=STRUT, functions={"push": (push, 2)}))
    result = box[0].simulate()
    assert np.isfinite(result["p.x"]).all()


# ---- progress, interrupts, threads, processes ----


def test_progress_is_asked_and_may_stop():
    model = rb.Model(text=conftest.FOURBAR)
    shares = []
    model.inverse(to=200, step=1e-3, threads=1, progress=shares.append)
    assert shares and all(0 <= s <= 1 for s in shares)
    with pytest.raises(rb.Interrupted) as error:
        model.inverse(to=200, step=1e-3, threads=1, progress=lambda share: share < 0.1)
    assert error.value.result is None or len(error.value.result.time) < 200001
    with pytest.raises(ZeroDivisionError):
        model.inverse(to=200, step=1e-3, progress=lambda share: 1 / 0)


@pytest.mark.parametrize("call", ["inverse(to=100000, step=1e-3)", "kinematics(to=20000, step=1e-3)",
                                  "simulation().step_to(1e6)"])
def test_control_c_ends_an_analysis(call):
    text = conftest.FOURBAR if "step_to" not in call else conftest.PENDULUM
    script = (f"import sys; sys.path.insert(0, {str(conftest.ROOT / 'python')!r})\nimport roberval as rb, time\n"
              f"m = rb.Model(text={text!r})\nprint('go', flush=True)\n"
              f"try:\n    m.{call}\nexcept rb.Interrupted as e:\n    print('interrupted', time.time(), flush=True)\n")
    child = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    assert child.stdout.readline().strip() == "go"
    time.sleep(0.5)
    sent = time.time()
    child.send_signal(signal.SIGINT)
    words = child.stdout.readline().split()
    child.wait(30)
    assert words[0] == "interrupted" and float(words[1]) - sent < 1


def test_control_c_ends_one_analysis_alone():
    """The signal that ended one analysis ended the next one, too."""
    script = (f"import sys; sys.path.insert(0, {str(conftest.ROOT / 'python')!r})\nimport roberval as rb\n"
              f"m = rb.Model(text={conftest.PENDULUM!r})\nprint('go', flush=True)\n"
              "try:\n    m.simulate(to=1e5)\nexcept rb.Interrupted:\n    pass\n"
              "s = m.simulation(); s.step(0.1); m.simulate(); print('done', flush=True)\n")
    child = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    assert child.stdout.readline().strip() == "go"
    time.sleep(0.5)
    child.send_signal(signal.SIGINT)
    assert child.communicate(timeout=60)[0].strip() == "done" and child.returncode == 0


def test_the_exception_of_a_signal_handler_ends_the_analysis():
    def late(number, frame):
        raise TimeoutError("too long")

    model = rb.Model(text=conftest.PENDULUM)
    before = signal.signal(signal.SIGALRM, late)
    try:
        for _ in range(3):
            signal.setitimer(signal.ITIMER_REAL, 0.2)
            with pytest.raises(TimeoutError):
                model.simulate(to=1e5)
            model.simulate()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_set_waits_for_no_running_analysis():
    model = rb.Model(text=conftest.FOURBAR)
    going = threading.Event()

    def watch(share):
        going.set()
        return not done.is_set()

    done = threading.Event()
    errors = []

    def run():
        try:
            model.inverse(to=100000, step=1e-3, progress=watch)
        except rb.Interrupted as error:
            errors.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    going.wait(20)
    with pytest.raises(RuntimeError, match="while an analysis"):
        model.set(w=3)
    done.set()
    thread.join()
    assert errors
    model.set(w=3)


def test_one_model_on_many_threads():
    model = rb.Model(text=conftest.FOURBAR)
    expected = np.array(model.inverse()["motor.effort"])
    found = [None] * 8

    def run(k):
        found[k] = np.array(model.inverse(threads=1 + k % 2)["motor.effort"])

    threads = [threading.Thread(target=run, args=(k,)) for k in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(np.array_equal(f, expected) for f in found)


def _peak(model):
    return float(np.abs(model.inverse()["motor.effort"]).max())


def test_models_go_to_other_processes():
    models = [rb.Model(text=conftest.FOURBAR, set={"w": w}) for w in (5, 6.0, "60 rpm")]
    models[0].set(w=7)
    with multiprocessing.get_context("spawn").Pool(2, initializer=sys.path.insert, initargs=(0, os.path.dirname(__file__))) as pool:
        assert pool.map(_peak, models) == [_peak(m) for m in models]
    with multiprocessing.get_context("fork").Pool(2) as pool:
        assert pool.map(_peak, models) == [_peak(m) for m in models]


# ---- evaluations, starts, records ----


def test_an_evaluation_has_the_numbers_of_inverse():
    model = rb.Model(text=conftest.FOURBAR)
    result, evaluation = model.inverse(), model.evaluation()
    w = model.parameters["w"]
    effort = evaluation.column("motor.effort")
    for k, t in enumerate(result.time):
        evaluation.set_time(float(t))
        evaluation.set_drive("motor", w * float(t), w, 0)
        evaluation.inverse()
        assert abs(evaluation["motor.effort"] - result["motor.effort"][k]) < 1e-9
        assert effort.verdict == "unique" and float(effort) == evaluation["motor.effort"]
    assert evaluation.report["advance"] == "followed"
    with pytest.raises(ValueError):
        evaluation.set_drive("engine", 1)
    with pytest.raises(ValueError):
        evaluation.set_drive("motor", float("nan"))
    evaluation.close()
    with pytest.raises(ValueError, match="closed"):
        evaluation.inverse()


def test_records_starts_and_motions_take_arrays_results_and_files(tmp_path):
    model = rb.Model(text=conftest.FOURBAR)
    t = np.linspace(0, 1, 101)
    rows = {"time": t, "motor": model.parameters["w"] * t}
    a = model.inverse(record=rows)
    b = model.inverse()
    assert np.allclose(a["motor.effort"], b["motor.effort"], atol=1e-5)
    assert np.array_equal(model.inverse(record=a.to_pandas()[["crank.angle"]].rename(columns={"crank.angle": "motor"}))["A.Fx"], a["A.Fx"])
    pendulum = rb.Model(text=conftest.PENDULUM)
    first = pendulum.simulate(to=0.5)
    first.to_csv(tmp_path / "out")
    by_file = pendulum.simulate(start=str(tmp_path / "out"), to=1)
    by_result = pendulum.simulate(start=first, to=1)
    whole = pendulum.simulate(to=1)
    assert np.array_equal(by_file["hinge.angle"], by_result["hinge.angle"])
    assert abs(by_result["hinge.angle"][-1] - whole["hinge.angle"][-1]) < 1e-8
    for wrong in (3, {"a": [1]}, {"time": [0, 1], "motor": [1]}, {"time": ["x"]}):
        with pytest.raises((ValueError, rb.ModelError)):
            model.inverse(record=wrong)


def test_results_show_themselves():
    result = rb.Model(conftest.EXAMPLES / "door/compliant.yaml").statics()
    assert "top.Fz" in repr(result) and "<table>" in result._repr_html_() and "compliance" in result._repr_html_()
    assert [c.name for c in result["top.F*"]] == ["top.Fx", "top.Fy", "top.Fz"]
    assert result["top.Fz"].value == float(result["top.Fz"][0])
    with pytest.raises(KeyError, match="did you mean"):
        result["top.Fzz"]
    assert result.equilibrium["stability"] if result.equilibrium and "stability" in result.equilibrium else True
    with pytest.raises(ValueError):
        rb.Model(text=conftest.FOURBAR).inverse()["motor.effort"].value


def test_plots_and_frames(tmp_path):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    result = rb.Model(text=conftest.FOURBAR).inverse()
    axes = result.plot("motor.effort", "A.F*")
    assert [line.get_label() for line in axes.get_lines()] == ["motor.effort [N.m]", "A.Fx [N]", "A.Fy [N]"]
    with pytest.raises(KeyError):
        result.plot("motor.torque")
    pandas = pytest.importorskip("pandas")
    frame = result.to_pandas()
    assert isinstance(frame, pandas.DataFrame) and frame.attrs["units"]["A.Fx"] == "N"
    assert frame.index.name == "time" and np.array_equal(frame["A.Fx"], result["A.Fx"])
    result.report(tmp_path / "page.html")
    assert (tmp_path / "page.html").read_text().lstrip().lower().startswith("<!doctype html")
    with pytest.raises(OSError):
        result.to_csv("/proc/nowhere")


def test_the_state_space_has_the_eigenvalues_of_the_modes():
    text = conftest.PENDULUM.replace("hinge.angle: 0", "hinge.angle: -1.5707963267948966")
    result = rb.Model(text=text).modes(inputs=["motor.torque"], outputs=["hinge.angle"])
    space = result.state_space
    assert space.inputs == ("motor.torque",) and space.outputs == ("hinge.angle",) and space.B.shape == (len(space.states), 1)
    found = np.sort_complex(np.linalg.eigvals(space.A))
    expected = np.array([complex(*mode["eigenvalue"]) for mode in result.modes])
    assert np.allclose(found, np.sort_complex(np.concatenate([expected, expected.conj()])), atol=1e-9)
    omega = np.sqrt(2 * 9.81 * 0.5 / 0.6)
    assert np.allclose(abs(found), omega, rtol=1e-9)
    with pytest.raises(ValueError):
        space.A[0, 0] = 1


def test_statics_along_a_parameter():
    model = rb.Model(text=conftest.PENDULUM)
    along = model.statics(follow="u=0..5 N.m")
    assert along.index.name == "u" and along.index.unit == "N.m"
    angle = np.asarray(along["hinge.angle"])
    assert np.allclose(2 * 9.81 * 0.5 * np.cos(angle), along.index, atol=1e-6)
    assert isinstance(along.events, list)


def test_cycles_of_garbage_are_freed_in_order():
    """A cycle has no order of its own; a system that outlived its model by a moment was read after it was freed."""
    for _ in range(30):
        model = rb.Model(text=conftest.FOURBAR)
        pendulum = rb.Model(text=conftest.PENDULUM)
        cycle = [model, model.linkage(), model.evaluation(), pendulum.simulation(["u"]), model.inverse(to=0.1)]
        cycle.append(cycle)
        for thing in cycle[:4]:
            thing.cycle = cycle
        del model, pendulum, thing, cycle
        gc.collect()


# ---- columns and results as Python objects ----


def test_parts_of_columns_have_the_verdicts_of_their_samples():
    """They had those of all samples."""
    name = "B.Fx"
    column = rb.Model(conftest.EXAMPLES / "robot/robot.yaml").inverse()[name]
    words = column.verdicts
    assert set(words) == {"unique", "not unique"}
    assert len(words) == len(column) and column.verdict == max(words, key=rb.VERDICTS.index)
    for part in (slice(2, 9), slice(None, None, -1), slice(None, None, 3), words == words[0], [5, 1, 1], ..., slice(0, 0)):
        assert list(column[part].verdicts) == list(words[part]) and column[part].name == name and column[part].unit == column.unit
    best = column[words == min(words, key=rb.VERDICTS.index)]
    assert best.verdict == min(words, key=rb.VERDICTS.index) and list(column[3:20][::-2][1:].verdicts) == list(words[3:20][::-2][1:])
    with pytest.raises(ValueError, match="which samples it has is not known"):
        column.repeat(2).verdicts


def test_columns_are_read_only_in_every_way():
    """x -= 1 ended in a RecursionError."""
    column = rb.Model(text=conftest.FOURBAR).inverse()["A.Fx"]
    before = np.array(column)
    with pytest.raises(ValueError, match="read-only"):
        column -= column[0]
    with pytest.raises(ValueError, match="read-only"):
        np.add(before, 1, out=column)
    own = column.copy()
    same = own
    own -= own[0]
    assert own is same and np.array_equal(own, before - before[0]) and np.array_equal(column, before)
    assert np.array_equal(np.add(column, 1, where=column > 0, out=np.zeros(len(column))), np.where(before > 0, before + 1, 0))


def test_results_compare_as_objects_and_refuse_what_they_have_not(tmp_path):
    model = rb.Model(text=conftest.FOURBAR)
    result, check = model.inverse(), model.check()
    assert result == result and result != model.inverse() and len({result, check}) == 2
    pytest.importorskip("matplotlib").use("Agg")
    with pytest.raises(TypeError, match="ax must be axes of matplotlib, not 5"):
        result.plot("A.Fx", ax=5)
    axes = rb.Model(conftest.EXAMPLES / "door/compliant.yaml").statics().plot("top.Fz")
    assert axes.get_xlabel() == "" and axes.get_lines()[0].get_marker() == "o"
    for call in (lambda: check.plot("A.Fx"), check.to_pandas):
        with pytest.raises(ValueError, match="has no samples"):
            call()
    for bare in (model.info(), rb.Model(text=conftest.PENDULUM).statics(follow="u=0..5 N.m")):
        with pytest.raises(ValueError, match="this result has no page"):
            bare.report(tmp_path / "page.html")


def _fail(text):
    rb.Model(text=text).inverse()


def test_errors_go_to_other_processes():
    """A Result cannot be pickled, and with it the error was lost."""
    lock = conftest.FOURBAR.replace("markers: {B: [0.4, 0]}", "markers: {B: [0.2, 0]}").replace("angle: 40 deg", "angle: 10 deg")
    with pytest.raises(rb.AnalysisError) as error:
        _fail(lock)
    error.value.result = rb.Model(text=conftest.FOURBAR).check()
    other = pickle.loads(pickle.dumps(error.value))
    assert type(other) is type(error.value) and str(other) == str(error.value) and other.result is None
    assert other.diagnostics == error.value.diagnostics
    interrupted = rb.Interrupted("inverse: interrupted")
    interrupted.result = error.value.result
    assert str(pickle.loads(pickle.dumps(interrupted))) == "inverse: interrupted"
    with multiprocessing.get_context("fork").Pool(1) as pool, pytest.raises(type(error.value)):
        pool.map(_fail, [lock])
