"""What models are built from: tables of numbers, functions, numbers; and what evaluations are given."""
from __future__ import annotations

import json
import os
import subprocess
import sys

import conftest
import numpy as np
import pytest

import roberval as rb


def pendulum(**keywords):
    model = rb.Model.new("planar", gravity=[0, -9.81], **keywords)
    model.body("arm", mass=4, inertia=0.2, centroid=[0.4, 0])
    model.joint("s", "revolute", between=["ground", "arm"])
    return model.motion(1, 0.1)


# ---- tables ----


@pytest.mark.parametrize("x, y, place, words", [
    ([0, 2, 1], [0, 1, 2], "tables.lift", "its x must rise"),
    ([], [], "tables.lift", "two or more, and not 0 and 0"),
    ([0, 1, 2], [0, 1], "tables.lift", "not 3 and 2"),
    (["a", "b"], [1, 2], "tables.lift.x", "the x of a table of numbers is a list of numbers"),
    ([0, 1], [[1, 2], [3, 4]], "tables.lift.y", "the y of a table"),
    (1, 2, "tables.lift.x", "the x of a table"),
    ([0, 1], [0, np.nan], r"tables.lift.y\[1\]", "nan is no value"),
])
def test_mistakes_in_tables_name_the_table(x, y, place, words):
    """There is no tables.lift.file: the file is ours."""
    model = pendulum()
    with pytest.raises(rb.ModelError, match=f"^{place}: error: .*{words}"):
        model.table("lift", x, y).output("o", "lift(t/1[s])").simulate()


@pytest.mark.parametrize("name", ["a/b", "../x", "", "a\0b", "l" * 300])
def test_wrong_names_of_tables_are_refused(name):
    """They became names of files first."""
    with pytest.raises(rb.ModelError, match="tables"):
        pendulum().table(name, [0, 1], [0, 1]).output("o", "1").simulate()


def test_units_of_tables_are_two_texts():
    """"mm" became ("m", "m")."""
    with pytest.raises(rb.ModelError, match="tables.lift.units: error: the units of a table are two texts"):
        pendulum().table("lift", [0, 1], [0, 1], units="mm")


def test_tables_take_ranges_and_series():
    pandas = pytest.importorskip("pandas")
    model = pendulum().table("lift", range(3), pandas.Series([0.0, 2.0, 4.0])).output("o", "lift(t/1[s])")
    assert np.allclose(model.simulate()["o"], 2 * np.asarray(model.simulate()["time"]))


def test_folders_of_tables_are_removed_in_words_of_nobody(tmp_path):
    """-W error said "Implicitly cleaning up"; a fork must not remove the folder of its parent."""
    script = (f"import sys, os; sys.path[:0] = [{str(conftest.ROOT / 'python')!r}, {os.path.dirname(__file__)!r}]\n"
              "import test_building as t\n"
              "m = t.pendulum().table('lift', [0, 1], [0, 1]).output('o', 'lift(t/1[s])'); m.simulate()\n"
              "if os.fork() == 0: sys.exit(0)\n"
              "os.wait(); m.simulate(coordinates='natural'); print(m._source.folders[-1])\n")
    done = subprocess.run([sys.executable, "-W", "error", "-X", "dev", "-W", "ignore::DeprecationWarning", "-c", script],
                          capture_output=True, text=True, check=False)
    assert done.returncode == 0 and "cleaning" not in done.stderr, done.stderr
    assert not os.path.exists(done.stdout.strip()) and "roberval-" in done.stdout


def test_json_files_are_json(tmp_path):
    model = pendulum().table("lift", [0, 1], [0, 1]).output("o", "lift(t/1[s])")
    model.save(tmp_path / "m.json")
    assert json.loads((tmp_path / "m.json").read_text())["bodies"]["arm"]["mass"] == 4
    assert np.array_equal(rb.Model(tmp_path / "m.json").simulate()["o"], model.simulate()["o"])
    rb.Model(text=conftest.FOURBAR).save(tmp_path / "f.json")
    assert rb.Model(tmp_path / "f.json").to_dict() == json.loads((tmp_path / "f.json").read_text())


# ---- functions and numbers ----

LAW = {"type": "torsion-spring", "joint": "s", "torque": "f(s.angle)"}


@pytest.mark.parametrize("given", [(abs, -1), (abs, 0), (abs, 9), (abs, 1, 3), (abs, 1.0), (abs,)])
def test_wrong_numbers_of_arguments_are_refused(given):
    with pytest.raises(ValueError, match="function 'f' must be .callable, number of arguments., from 1 to 8"):
        pendulum(functions={"f": given}).load("l", **LAW).simulate()


@pytest.mark.parametrize("derivatives, found, words", [
    (0, (1, 2), "must return a number, not .1, 2."), (1, 1.0, "must return .value, gradient., not 1.0"),
    (2, (1.0, [1.0]), "must return .value, gradient, hessian."), (1, (1.0, [1.0, 2.0]), "must return .value, gradient.")])
def test_wrong_answers_name_the_function(derivatives, found, words):
    model = pendulum(functions={"f": (lambda x: found, 1, derivatives)}).load("l", **LAW)
    with pytest.raises((TypeError, ValueError), match="function 'f' " + words):
        model.simulate()


def test_numbers_that_are_too_large_are_refused():
    with pytest.raises(ValueError, match="w must be"):
        rb.Model(text=conftest.FOURBAR).set(w=10**400)


def test_inputs_stand_once():
    with pytest.raises(ValueError, match="inputs has 'u' twice"):
        rb.Model(text=conftest.PENDULUM).simulation(["u", "u"])


# ---- evaluations ----


@pytest.mark.parametrize("call, words", [
    (lambda e: e.set_drive("motor", "1 deg"), "drive motor: .* finite numbers in SI, not '1 deg', 0.0, 0.0"),
    (lambda e: e.set_drive("motor", 1, np.nan), "drive motor: .*, not 1, nan, 0.0"),
    (lambda e: e.set_body("crank", at=[np.nan, 0, 0]), "at must have 3 finite numbers"),
    (lambda e: e.set_body("crank", at=[0]), "at must have 3 finite numbers"),
    (lambda e: e.set_body("crank", angle="1 deg"), "angle must be real numbers"),
    (lambda e: e.set_body("ground", at=[0, 0]), "the ground has no motion"),
])
def test_wrong_motions_are_named(call, words):
    with pytest.raises(ValueError, match=words):
        call(rb.Model(text=conftest.FOURBAR).evaluation())


def test_bodies_of_the_plane_have_two_coordinates():
    evaluation = rb.Model(text=conftest.FOURBAR).evaluation()
    found = []
    for motion in (dict(at=[0, 0], angle=0.3, angular_velocity=2), dict(at=[0, 0, 0], angle=0.3, angular_velocity=[0, 0, 2])):
        evaluation.set_body("crank", **motion)
        evaluation.kinematics()
        found.append((evaluation["O.angle"], evaluation["O.angle'"]))
    assert found[0] == found[1] and np.allclose(found[0], (0.3, 2))
    spatial = rb.Model(conftest.EXAMPLES / "slider3d/slider3d.yaml")
    body = next(name for name in spatial.to_dict()["bodies"] if name != "ground")
    with pytest.raises(ValueError, match="at must have 3 finite numbers"):
        spatial.evaluation().set_body(body, at=[0, 0])
    with pytest.raises(ValueError, match="rotation must be a quaternion of length 1"):
        spatial.evaluation().set_body(body, rotation=[2, 0, 0, 0])
