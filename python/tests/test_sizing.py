"""Sizing in Python: the numbers of the program, catalogues from arrays, load cases, values that were set."""
import json
import subprocess

import numpy as np
import pytest

import conftest
import roberval as rb

ENGINE = {"roberval": 1, "space": "planar", "gravity": [0, -9.81], "parameters": {"n": "600 rpm"},
          "bodies": {"crank": {"mass": 2, "inertia": 0.004, "markers": {"A": [0.05, 0]}},
                     "rod": {"mass": 1, "inertia": 0.005, "centroid": [0.07, 0], "pose": {"at": [0.05, 0]}, "markers": {"B": [0.2, 0]}},
                     "piston": {"mass": 1.5, "inertia": 0.002, "pose": {"at": [0.25, 0]}}},
          "joints": {"main": {"type": "revolute", "between": ["ground", "crank"], "bearing": {"series": "deep-groove", "C": 14e3, "C0": 7.8e3, "f0": 13}},
                     "crankpin": {"type": "revolute", "between": ["crank.A", "rod"]}, "wrist": {"type": "revolute", "between": ["rod.B", "piston"]},
                     "bore": {"type": "prismatic", "between": ["ground", "piston"]}},
          "drives": {"motor": {"coordinate": "main.angle", "motion": "n*t", "rotor": {"inertia": 4e-4, "ratio": 5},
                               "rating": {"continuous": 12, "peak": 30, "speed": "4500 rpm", "efficiency": 0.95}}},
          "cases": {"slow": {"n": "300 rpm"}, "fast": {"n": "900 rpm"}},
          "motion": {"from": 0, "to": 0.1, "step": 5e-4}}
MOTORS = {"name": ["A", 'B "big"'], "continuous [N.m]": [6, 12], "peak [N.m]": [18, 30], "speed [rpm]": [6000, 4500], "inertia [kg.cm^2]": [2, 4]}


def test_every_number_is_the_programs(tmp_path):
    path = tmp_path / "engine.json"
    path.write_text(json.dumps(ENGINE))
    said = json.loads(subprocess.run([conftest.PROGRAM, "inverse", path, "--json"], capture_output=True, text=True, check=True).stdout)
    assert rb.Model(ENGINE).inverse().sizing == said["sizing"]


def test_size_with_a_catalogue_of_arrays():
    model = rb.Model(ENGINE)
    result = model.size(motors=MOTORS, gears=[3, 5, 7], sort="rms", reserve=1.1)
    choices = result.sizing["choices"]["motor"]
    assert len(choices) == 6 and {c["motor"] for c in choices} == set(MOTORS["name"])
    for choice in choices:
        other = json.loads(json.dumps(ENGINE))
        other["drives"]["motor"]["rotor"] = {"inertia": {"A": 2e-4}.get(choice["motor"], 4e-4), "ratio": choice["ratio"]}
        assert np.isclose(choice["rms"], rb.Model(other).inverse().sizing["drives"]["motor"]["rms"], rtol=1e-9)
    gears = {"ratio": [5], "efficiency": [0.95]}
    assert model.size(motors=MOTORS, gears=gears).sizing["choices"]["motor"][0]["ratio"] == 5
    assert rb.Model({**ENGINE, "drives": {"motor": {"coordinate": "main.angle", "motion": "n*t"}}}).inverse().sizing["drives"] == {}


def test_load_cases_leave_the_values_that_were_set():
    model = rb.Model(ENGINE)
    model.set(n="450 rpm")
    before = model.inverse()["motor.effort"].copy()
    mixed = model.size(loads={"slow": 0.7, "fast": 0.3}).sizing["bearings"]["main"]
    slow, fast = (rb.Model(ENGINE, set={"n": n}).inverse().sizing["bearings"]["main"]["L10h"] for n in ("300 rpm", "900 rpm"))
    assert np.isclose(mixed["L10h"], 1 / (0.7 / slow + 0.3 / fast), rtol=1e-9)
    assert np.array_equal(model.inverse()["motor.effort"], before)


@pytest.mark.parametrize("options, words", [({"motors": 5}, "motors must be"), ({"motors": {"name": ["A"], "peak": [1, 2]}}, "one value for each row"),
                                            ({"loads": {"slow": 0}}, "must be positive"), ({"loads": ["slow"]}, "loads must be"), ({"reserve": 0.5}, "reserve"),
                                            ({"sort": "price"}, "sort must be"), ({"loads": {"none": 1}}, "no load case 'none'"), ({"analysis": "modes"}, "analysis must be"),
                                            ({"motors": "none.csv"}, "cannot be read")])
def test_wrong_options(options, words):
    with pytest.raises((ValueError, rb.ModelError), match=words):
        rb.Model(ENGINE).size(**options)
