"""Recorded motions, starts and given motions: what columns may be, files and folders, and where mistakes are."""
from __future__ import annotations

import datetime

import conftest
import numpy as np
import pytest

import roberval as rb

TIMES = np.linspace(0, 1, 11)


@pytest.fixture(scope="module")
def fourbar():
    return rb.Model(text=conftest.FOURBAR)


@pytest.fixture(scope="module")
def rows(fourbar):
    return {"time": TIMES, "motor": fourbar.parameters["w"] * TIMES}


@pytest.mark.parametrize("column, words", [
    (TIMES.astype("m8[s]"), "real numbers, not timedelta64.s.; times are numbers in s"),
    (np.array([datetime.datetime(2026, 1, 1)] * 11), "real numbers, not object"),
    (TIMES * 1j, "real numbers, not complex128"),
    (TIMES > 0.5, "real numbers, not bool"),
    ([str(t) for t in TIMES], "real numbers, not <U"),
    (np.ma.masked_greater(TIMES, 0.5), "has masked numbers"),
    (TIMES[:, None], r"has the shape \(11, 1\)"),
    (TIMES[:5], r"has the shape \(5,\)"),
])
@pytest.mark.parametrize("option", ["record", "motion", "start"])
def test_columns_are_real_numbers(fourbar, rows, option, column, words):
    """numpy made nanoseconds of times, dropped imaginary parts and masks, and read texts."""
    call = fourbar.inverse if option != "start" else rb.Model(text=conftest.PENDULUM).simulate
    with pytest.raises(ValueError, match=f"{option}: column 'motor' .*{words}"):
        call(**{option: dict(rows, motor=column)})
    with pytest.raises(ValueError, match=f"{option}: the name of a column must be a text, not 3"):
        call(**{option: {"time": TIMES, 3: TIMES}})


def test_trees_refuse_masked_arrays():
    tree = rb.Model(conftest.EXAMPLES / "arm/arm.yaml").tree()
    with pytest.raises(ValueError, match="q has masked numbers"):
        tree.gravity_terms(np.ma.masked_greater(np.ones(tree.nq), 0.5))
    assert tree.gravity_terms(np.ma.masked_greater(np.ones(tree.nq), 2)).shape == (tree.nv,)


def test_arrays_are_in_si_whatever_units_the_model_has(fourbar, rows):
    """Columns without a unit were in the units: of the model, and noted one by one."""
    text = conftest.FOURBAR.replace("space: planar", "space: planar\nunits: {angle: deg, time: ms}")
    text = text.replace("from: 0, to: 1 s, step: 10 ms", "from: 0, to: 1000, step: 10")
    plain = fourbar.inverse(record=rows)
    other = rb.Model(text=text).inverse(record=rows)
    assert np.array_equal(plain["motor.effort"], other["motor.effort"])
    assert not [note for note in plain.notes + other.notes if "has no unit" in note]
    degrees = {"time [ms]": 1000 * TIMES, "motor [deg]": np.degrees(rows["motor"])}
    assert np.allclose(fourbar.inverse(record=degrees)["motor.effort"], plain["motor.effort"], atol=1e-9)


def test_frames_are_dicts_of_columns(fourbar, rows):
    pandas = pytest.importorskip("pandas")
    expected = fourbar.inverse(record=rows)["motor.effort"]
    with_unit = pandas.DataFrame({"motor": rows["motor"], "time [s]": TIMES})
    assert np.array_equal(fourbar.inverse(record=with_unit)["motor.effort"], expected)
    with pytest.raises(ValueError, match="column 'time' must be real numbers"):
        fourbar.inverse(record=pandas.DataFrame({"motor": rows["motor"]}, index=pandas.to_timedelta(TIMES, unit="s")))
    pendulum = rb.Model(text=conftest.PENDULUM)
    first = pendulum.simulate(to=0.5)
    frame = first.to_pandas()
    assert np.array_equal(pendulum.simulate(start=frame)["hinge.angle"], pendulum.simulate(start=first)["hinge.angle"])
    turned = frame[["rod.x", "rod.y", "rod.vx", "rod.vy", "rod.omega", "rod.angle"]].copy()
    turned["rod.angle [deg]"] = np.degrees(turned.pop("rod.angle"))
    assert np.allclose(pendulum.simulate(start=turned)["hinge.angle"], pendulum.simulate(start=first)["hinge.angle"], atol=1e-9)


def test_files_and_folders_are_both_taken(fourbar, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = fourbar.kinematics()
    result.to_csv("o")
    record = fourbar.inverse(record="o/series.csv")
    assert np.array_equal(fourbar.inverse(record="o")["A.Fx"], record["A.Fx"])
    pendulum = rb.Model(text=conftest.PENDULUM)
    pendulum.simulate(to=0.5).to_csv("p")
    (tmp_path / "copy.csv").write_text((tmp_path / "p/series.csv").read_text())
    expected = pendulum.simulate(start="p")["hinge.angle"]
    for start in ("p/series.csv", tmp_path / "copy.csv", "p/series.csv@0.5", ("p/series.csv", "500 ms")):
        assert np.array_equal(pendulum.simulate(start=start)["hinge.angle"], expected)
    with pytest.raises(ValueError, match="start has no row at 0.7 s; the nearest is at 0.5 s"):
        pendulum.simulate(start="p/series.csv@0.7")


def test_mistakes_in_rows_have_their_line_in_the_record(fourbar):
    """In a model given as dict they had a key path of the model."""
    model = rb.Model(fourbar.to_dict())
    for rows, words in [({"time": [0, 1, 0.5], "motor": [0, 1, 2]}, "record:4:1: error: time must grow"),
                        ({"time": [0, 1, 2], "motor": [0, np.nan, 2]}, 'record:3:5: error: "nan" is not a number'),
                        ({"time": [], "motor": []}, "record:1:1: error: there is no row")]:
        with pytest.raises(rb.ModelError, match=words) as error:
            model.inverse(record=rows)
        assert error.value.diagnostics[0].path == ""


def test_given_motions_have_rows_in_rising_time():
    pendulum = rb.Model(text=conftest.PENDULUM)
    whole = pendulum.simulate(to=0.1)
    pendulum.inverse(motion=whole)
    with pytest.raises(rb.ModelError, match="the time of motion must grow"):
        pendulum.inverse(motion={name: whole[name][::-1] for name in whole})
    with pytest.raises(rb.ModelError, match="motion has no row"):
        pendulum.inverse(motion={name: whole[name][:0] for name in whole})
