"""Functions of trees and linkages beside each other, and tolerances against closed forms."""
from __future__ import annotations

import conftest
import numpy as np
import pytest

import roberval as rb


def test_centre_momentum_and_rates_fit_each_other() -> None:
    """momentum is mass times velocity of the centre; twist and bias are J v and its change by differences"""
    tree = rb.Model(conftest.EXAMPLES / "arm/arm.yaml").tree()
    rng = np.random.default_rng(3)
    q, v = rng.standard_normal((5, 6)), rng.standard_normal((5, 6))
    centre, J = tree.centre_of_mass(q, jacobian=True)
    h, A = tree.momentum(q, v, matrix=True)
    mass = sum(tree.parameters()[::10])
    assert np.allclose(h, np.einsum("kij,kj->ki", A, v), atol=1e-13)
    assert np.allclose(h[:, :3], mass * np.einsum("kij,kj->ki", J, v), atol=1e-12)
    assert np.allclose(tree.centre_of_mass(q), centre)
    twist, bias = tree.marker_rates("link6", q, v, [0.1, 0, 0.2])
    assert np.allclose(twist, np.einsum("kij,kj->ki", tree.jacobian("link6", q, [0.1, 0, 0.2]), v), atol=1e-14)
    e = 1e-6
    ahead = tree.marker_rates("link6", q + e * v, v, [0.1, 0, 0.2])[0] - tree.marker_rates("link6", q - e * v, v, [0.1, 0, 0.2])[0]
    assert np.allclose(bias, ahead / (2 * e), atol=1e-7)
    out = np.empty((5, 6)), np.empty((5, 6, 6))
    assert tree.momentum(q, v, matrix=True, out=out)[1] is out[1] and np.array_equal(out[0], h)
    one = np.empty((5, 3))
    assert tree.centre_of_mass(q, out=one) is one
    assert tree.neutral(out=np.empty(6)).shape == (6,)
    assert len(tree.moves) == 6 and set(tree.moves) <= set(tree.bodies)


def test_long_batches_are_computed_in_parts() -> None:
    tree = rb.Model(conftest.EXAMPLES / "arm/arm.yaml").tree()
    rng = np.random.default_rng(4)
    q, v, a = (rng.standard_normal((150000, 6)) for _ in range(3))
    tau, reactions = tree.inverse(q, v, a, reactions=True)
    whole = tree.inverse(*(np.ascontiguousarray(x.T) for x in (q, v, a)), order="number")
    assert np.allclose(tau, whole.T, rtol=1e-13, atol=1e-12)
    assert reactions.shape == (150000, len(tree.bodies), 6)


def test_lanes_are_set_and_give_the_same_numbers() -> None:
    tree = rb.Model(conftest.EXAMPLES / "arm/arm.yaml").tree()
    q = np.random.default_rng(5).standard_normal((64, 6))
    best = tree.mass_matrix(q)
    for name in ("one", "base"):
        tree.lanes = name
        assert tree.lanes == name
        assert np.allclose(tree.mass_matrix(q), best, rtol=1e-12, atol=1e-12)


def test_the_idle_spin_of_a_rod_is_named() -> None:
    m = rb.Model({"roberval": 1, "space": "spatial",
                  "bodies": {"ground": {"markers": {"A": {"at": [0, 0, 0], "axis": [0, 0, 1]}, "R": {"at": [0.5, 0, 0.1], "axis": [1, 0, 0]}}},
                             "crank": {"mass": 1, "inertia": [0.01] * 3, "markers": {"A": {"at": [0, 0, 0], "axis": [0, 0, 1]}, "B": [0.1, 0, 0]}},
                             "rod": {"mass": 0.5, "inertia": [0, 0.01, 0.01], "centroid": [0.2, 0, 0], "pose": {"at": [0.1, 0, 0]}, "markers": {"B": [0, 0, 0], "C": [0.45, 0, 0]}},
                             "slide": {"mass": 1, "inertia": [0.01] * 3, "pose": {"at": [0.53, 0, 0.1]}, "markers": {"R": {"at": [0, 0, 0], "axis": [1, 0, 0]}}}},
                  "joints": {"a": {"type": "revolute", "between": ["ground.A", "crank.A"]}, "b": {"type": "spherical", "between": ["crank.B", "rod.B"]},
                             "c": {"type": "spherical", "between": ["rod.C", "slide.R"]}, "r": {"type": "prismatic", "between": ["ground.R", "slide.R"]}},
                  "drives": {"motor": {"coordinate": "a.angle", "motion": "t"}}, "motion": {"from": 0, "to": 1, "step": 0.1}})
    with pytest.warns(rb.ModelWarning):
        linkage = m.linkage()
    assert linkage.idle == ["rod"]
    assert linkage.rows >= 2


def test_tolerances_of_a_door() -> None:
    """an upper hinge 0.1 mm too high against 2 um/N: 50 N in the worst case, a third of it the standard deviation"""
    hinge = {"type": "revolute", "compliance": {"z": 1e-6}}
    m = rb.Model({"roberval": 1, "space": "spatial", "gravity": [0, 0, -9.81],
                  "bodies": {"ground": {"markers": {"bottom": [0, 0, .25], "top": [0, 0, 1.85]}},
                             "door": {"mass": 40, "inertia": [12, 15, 4], "centroid": [.45, 0, 1.05], "markers": {"bottom": [0, 0, .25], "top": [0, 0, 1.85]}}},
                  "joints": {k: {**hinge, "between": [f"ground.{k}", f"door.{k}"]} for k in ("bottom", "top")},
                  "drives": {"hand": {"coordinate": "bottom.angle", "motion": "0"}}, "tolerances": {"top.z": "0.1 mm"}})
    t = m.tolerance()
    assert t.causes == ["top.z"] and "bottom.Fz" in t and len(t) > 5
    one = t["bottom.Fz"]
    assert one.unit == "N" and one.verdict == ["compliance"]
    assert np.allclose([one.nominal[0], one.least[0], one.largest[0], one.sigma[0]], [196.2, 146.2, 246.2, 50 / 3], rtol=1e-9)
    assert np.allclose(np.abs(t.influence("bottom.Fz", "top.z")), 5e5, rtol=1e-9)
    assert np.isnan(t["bottom.Fx"].nominal[0]) and t["bottom.Fx"].verdict == ["not unique"]
    assert list(t.json["tolerances"]) == ["top.z"] and t.json["analysis"] == "statics"
    assert "196.2" in repr(t)
    with pytest.raises(KeyError, match="no component"):
        t["nix"]
    with pytest.raises(rb.ModelError):
        rb.Model(text=conftest.PENDULUM).tolerance()
