"""Studies: rows against analyses of single models, options, failures, folders."""
from __future__ import annotations

import conftest
import numpy as np
import pytest
import roberval as rb


def definition(tmp_path, **more):
    path = tmp_path / "fourbar.yaml"
    path.write_text(conftest.FOURBAR)
    return {"study": 1, "model": str(path), "analysis": "inverse", "options": {"step": "20 ms", "frame": "ground"},
            "vary": {"w": ["30 rpm", "60 rpm", "90 rpm"]}, "collect": {"peak": "max(abs(motor.effort))", "mean_force": "mean(O.Fx)"}, **more}


def test_rows_are_those_of_single_models(tmp_path):
    study = rb.Study(definition(tmp_path))
    assert study.counts == {"variants": 3, "parameters": 1, "quantities": 2}
    assert study.parameters == {"w": "rpm"} and study.quantities == {"peak": "N.m", "mean_force": "N"}
    found = study.run(threads=2)
    assert list(found) == ["w", "peak", "mean_force"] and list(found.variant) == [1, 2, 3]
    for k, speed in enumerate(found["w"]):
        alone = rb.Model(text=conftest.FOURBAR, set={"w": f"{speed} rpm"}).inverse(step="20 ms", frame="ground")
        assert found["peak"][k] == np.abs(alone["motor.effort"]).max()
    assert set(found.verdicts["peak"]) == {"unique"} and set(found.status) == {"done"}
    assert found.statistics["quantities"]["peak"]["largest"]["variant"] == 3
    assert study.values(2) == {"w": 60.0} and "peak" in repr(found)
    with pytest.raises(IndexError):
        study.values(4)


def test_a_study_with_random_numbers_in_a_folder(tmp_path):
    given = definition(tmp_path, vary={"w": {"uniform": ["30 rpm", "90 rpm"]}}, samples=20, seed=3)
    first = rb.Study(given).run(out=tmp_path / "out")
    again = rb.Study(given).run(out=tmp_path / "out", resume=True)
    assert np.array_equal(first["peak"], again["peak"]) and (tmp_path / "out/study.csv").exists()
    more = rb.Study(given, extend=5).run(out=tmp_path / "out", resume=True)
    assert len(more.variant) == 25 and np.array_equal(more["w"][:20], first["w"])
    frame = pytest.importorskip("pandas") and more.to_pandas()
    assert frame.loc[3, "peak"] == first["peak"][2] and frame.attrs["units"]["w"] == "rpm"


def test_failed_variants_are_rows(tmp_path):
    text = conftest.FOURBAR.replace("w: 6.283185307179586 rad/s", "w: 60 rpm, L: 0.4 m").replace("B: [0.4, 0]}, pose", "B: [L, 0]}, pose")
    path = tmp_path / "m.yaml"
    path.write_text(text)
    given = dict(definition(tmp_path), model=str(path), vary={"L": ["0.4 m", "0.05 m", "0.41 m"]})
    found = rb.Study(given).run()
    assert list(found.status == "done") == [True, False, True] and np.isnan(found["peak"][1]) and found.message[1]
    stopped = rb.Study(given).run(threads=1, stop_on_failure=True)
    assert list(stopped.variant) == [1, 2] and stopped.statistics is None


def test_mistakes_have_words(tmp_path):
    with pytest.raises(rb.ModelError, match="did you mean 'w'"):
        rb.Study(definition(tmp_path, vary={"ww": [1]}))
    with pytest.raises(rb.ModelError, match="inverse has no option 'stepp'"):
        rb.Study(definition(tmp_path, options={"stepp": 1}))
    with pytest.raises(rb.ModelError, match="not taken in a study"):
        rb.Study(definition(tmp_path, options={"record": "a.csv"}))
    with pytest.raises(ValueError, match="path, a text= or a dict"):
        rb.Study()


def test_progress_and_its_exceptions(tmp_path):
    given = definition(tmp_path, vary={"w": {"from": "30 rpm", "to": "90 rpm", "steps": 2000}})

    def stop(share):
        raise ZeroDivisionError("enough")

    with pytest.raises(ZeroDivisionError):
        rb.Study(given).run(progress=stop)
