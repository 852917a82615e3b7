"""Every number from Python is that of the program, bit for bit, and models as file, text and dict are the same."""
from __future__ import annotations

import csv
import io
import json
import math
import pathlib
import shlex
import subprocess

import conftest
import numpy as np
import pytest

import roberval as rb


def keywords(words):
    """Options of the command line as keyword arguments of a Model and of an analysis."""
    settings, call, k = {}, {}, 0
    while k < len(words):
        name, _, value = words[k][2:].partition("=")
        flag = name in ("all", "locked", "rows", "mixed", "multipliers", "null-space", "load-forces", "quiet")
        if not value and not flag and k + 1 < len(words) and not words[k + 1].startswith("--"):
            k += 1
            value = words[k]
        k += 1
        if name == "set":
            key, _, text = value.partition("=")
            settings[key.strip()] = text.strip()
        elif name in ("out", "json", "quiet"):
            continue
        elif name == "mixed":
            call["coordinates"] = "mixed"
        elif name == "from":
            call["from_"] = value
        elif name == "ask":
            call.setdefault("ask", []).append(value)
        elif name in ("threads", "modes"):
            call[name.replace("-", "_")] = int(value)
        elif name in ("tolerance", "damping"):
            call[name] = float(value)
        else:
            call[name.replace("-", "_")] = value or True
    return settings, call


def cases():
    """(path, analysis, words) of the acceptance cases and the examples."""
    found = []
    for case in sorted(conftest.ACCEPTANCE.glob("*/case.json")) if conftest.ACCEPTANCE.exists() else []:
        for k, step in enumerate(json.loads(case.read_text()).get("steps", [])):
            words = step.get("run", [])
            models = [w for w in words[1:] if w.endswith(".yaml")]
            if words and words[0] in rb.model.ANALYSES and len(models) == 1:
                options = [w for w in words[1:] if w != models[0]]
                found.append(pytest.param(case.parent / models[0], words[0], options, id=f"{case.parent.name}-{k}-{words[0]}"))
    for path in sorted(conftest.EXAMPLES.glob("*/*.yaml")):
        found.append(pytest.param(path, "", [], id=f"example-{path.parent.name}-{path.stem}"))
    return found


def same(a, b):
    """Equal to the last bit; nan is nan."""
    return np.array_equal(np.asarray(a, float), np.asarray(b, float), equal_nan=True)


def assert_same(result, out):
    """result.json and series.csv of the program's folder."""
    _, expected, series = out
    got = result.json
    assert json.dumps(got, sort_keys=True) == json.dumps(expected, sort_keys=True)
    rows = list(csv.reader(io.StringIO(series)))
    if not rows:
        return
    head = [cell.partition(" [")[0].replace(" (free)", "").replace(" (not unique)", "") for cell in rows[0]]
    for k, cell in enumerate(head):
        name = cell.partition(" (")[0]
        column = result[name]
        values = [float(row[k]) if row[k] else math.nan for row in rows[1:]]
        assert same(column, values), name
        assert not column.flags.writeable


@pytest.mark.parametrize("path, analysis, words", cases())
def test_numbers_are_those_of_the_program(path: pathlib.Path, analysis, words, tmp_path):
    if not analysis:
        words, analysis = [], "check"
    settings, call = keywords(words)
    out = conftest.program([analysis, str(path), *words], tmp_path / "out")
    try:
        result = getattr(rb.Model(path, set=settings), analysis)(**call)
    except rb.AnalysisError as error:
        assert out[0] == 1
        if error.result is None:
            return
        result = error.result
    except rb.ModelError:
        assert out[0] == 2
        return
    else:
        assert out[0] == 0
    assert_same(result, out)


MOTIONS = [path for path in sorted(conftest.EXAMPLES.glob("*/*.yaml"))]


@pytest.mark.parametrize("path", MOTIONS, ids=lambda p: f"{p.parent.name}-{p.stem}")
def test_file_text_and_dict_are_one_model(path, tmp_path):
    model = rb.Model(path)
    name = "inverse"
    try:
        expected = model.inverse()
    except (rb.ModelError, rb.AnalysisError):
        name, expected = "check", model.check()
    data = model.to_dict()
    again = [rb.Model(text=path.read_text(encoding="utf-8"), path=path.parent), rb.Model(data, path=path.parent)]
    again[1].save(tmp_path / "saved.yaml")
    again.append(rb.Model(tmp_path / "saved.yaml", path=path.parent))
    for other in again:
        result = getattr(other, name)()
        assert list(result) == list(expected)
        for column in expected:
            assert same(result[column], expected[column]), column
            assert result[column].unit == expected[column].unit
        assert result.verdicts == expected.verdicts
    assert again[1].to_dict() == data


def test_a_model_built_by_calls_is_the_same():
    built = rb.Model.new(space="planar", gravity=[0, -9.81])
    built.parameter("w", "6.283185307179586 rad/s")
    built.body("crank", mass=0.5, inertia=0.001, centroid=np.array([0.05, 0]), markers={"A": (0.1, 0)})
    built.body("rod", mass=np.float64(2), inertia=0.05, centroid=[0.2, 0], markers={"B": [0.4, 0]},
               pose={"at": [0.1, 0], "angle": "40 deg"})
    built.body("rocker", mass=1.5, inertia=0.02, centroid=[0.15, 0], markers={"B": [0.3, 0]},
               pose={"at": [0.4, 0], "angle": "90 deg"})
    built.body("ground", markers={"C": [0.4, 0]})
    built.joint("O", "revolute", ["ground", "crank"]).joint("A", "revolute", ["crank.A", "rod"])
    built.joint("B", "revolute", ["rod.B", "rocker.B"]).joint("C", "revolute", ["ground.C", "rocker"])
    built.drive("motor", "O.angle", "w*t").motion(to="1 s", step="10 ms")
    a, b = built.inverse(), rb.Model(text=conftest.FOURBAR).inverse()
    assert all(same(a[name], b[name]) for name in b)
    with pytest.raises(rb.ModelError, match="bodies.crank"):
        built.body("crank", mass=1)


def test_tables_of_numbers_are_tables_of_files(tmp_path):
    x = np.linspace(0, 2, 21)
    built = rb.Model.new().table("lift", x, 0.1 * np.sin(x), units=("s", "m"), outside="hold")
    built.body("b", mass=1, inertia=0.1).joint("rail", "prismatic", ["ground", "b"]).drive("d", "rail.distance", "lift(t)")
    built.motion(to=2, step=0.1)
    result = built.inverse()
    assert np.allclose(result["d.effort"], -0.1 * np.sin(np.linspace(0, 2, 21)), atol=1e-3)  # the spline
    built.save(tmp_path / "m.yaml")
    assert same(rb.Model(tmp_path / "m.yaml").inverse()["d.effort"], result["d.effort"])
    assert same(rb.Model(built.to_dict()).inverse()["d.effort"], result["d.effort"])
    for wrong in (dict(x=[0, 1], y=[0]), dict(x=[0, 1], y="y"), dict(x=[0, "a"], y=[1, 2])):
        with pytest.raises(rb.ModelError, match="tables.lift"):
            rb.Model({"roberval": 1, "space": "planar", "tables": {"lift": wrong}})


@pytest.mark.parametrize("coordinates", ["absolute", "natural", "joint"])
def test_set_is_a_new_reading(coordinates):
    model = rb.Model(text=conftest.FOURBAR)
    model.inverse(coordinates=coordinates)
    model.set(w="90 rpm")
    expected = rb.Model(text=conftest.FOURBAR, set={"w": "90 rpm"}).inverse(coordinates=coordinates)
    result = model.inverse(coordinates=coordinates)
    assert model.parameters["w"] == 3 * math.pi
    for name in expected:
        assert np.allclose(result[name], expected[name], rtol=1e-9, atol=1e-9 * np.abs(expected[name]).max(initial=1e-3))
    model.set(w=None)
    assert same(model.inverse()["motor.effort"], rb.Model(text=conftest.FOURBAR).inverse()["motor.effort"])


def test_verdicts_per_sample_are_those_of_verdicts_csv(tmp_path):
    """A parallelogram with three cranks is overconstrained at every sample, a toggle at some: as check --motion says."""
    path = conftest.EXAMPLES / "guide/guide.yaml"
    if not path.exists():
        path = sorted((conftest.EXAMPLES / "guide").glob("*.yaml"))[0]
    result = rb.Model(path).inverse()
    subprocess.run([conftest.PROGRAM, "inverse", path, "--quiet", "--out", tmp_path / "o"], check=True)
    changes = result.json.get("verdict_changes", [])
    for name, worst in result.verdicts.items():
        words = result[name].verdicts
        assert len(words) == len(result.time)
        order = [rb.VERDICTS.index(word) for word in words]
        assert rb.VERDICTS[max(order)] == worst
        switches = sum(1 for c in changes if c["component"] == name)
        assert np.count_nonzero(np.diff(order)) <= switches
