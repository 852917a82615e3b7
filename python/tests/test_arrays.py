"""Trees and linkages on arrays: against the analyses, laws of mechanics, and wrong arguments."""
from __future__ import annotations

import warnings

import conftest
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import roberval as rb

ARM = conftest.EXAMPLES / "arm/arm.yaml"


@pytest.fixture(scope="module")
def tree():
    return rb.Model(ARM).tree()


@pytest.fixture(scope="module")
def samples(tree):
    rng = np.random.default_rng(1)
    return [rng.standard_normal((20, n)) for n in (tree.nq, tree.nv, tree.nv)]


def test_inverse_is_mass_matrix_and_terms(tree, samples):
    q, v, a = samples
    tau = tree.inverse(q, v, a)
    M, h, g = tree.mass_matrix(q), tree.velocity_terms(q, v), tree.gravity_terms(q)
    assert np.allclose(tau, np.einsum("kij,kj->ki", M, a) + h + g, rtol=1e-11, atol=1e-10)
    assert np.allclose(tree.forward(q, v, tau), a, atol=1e-9)
    assert np.allclose(tree.regressor(q, v, a) @ tree.parameters() , tau - _own(tree, v, a), atol=1e-9)


def _own(tree, v, a):
    """Efforts of rotors, damping and friction: what is left of a tree without masses."""
    empty = rb.Model(ARM).tree()
    for body in empty.bodies:
        empty.set_body(body, 0, [0, 0, 0], [0] * 6)
    return empty.inverse(np.zeros((len(v), tree.nq)), v, a)


def test_layouts_and_single_samples_agree(tree, samples):
    q, v, a = samples
    tau = tree.inverse(q, v, a)
    by_number = tree.inverse(np.ascontiguousarray(q.T), np.ascontiguousarray(v.T), np.ascontiguousarray(a.T), order="number")
    assert by_number.shape == tau.T.shape and np.allclose(by_number.T, tau, rtol=1e-12, atol=1e-11)
    assert np.allclose(tree.inverse(q, v, a, threads=2), tau, rtol=0, atol=0)
    for k in range(3):
        assert np.allclose(tree.inverse(q[k], v[k], a[k]), tau[k], rtol=1e-12, atol=1e-11)
    efforts, reactions = tree.inverse(q, v, a, reactions=True)
    assert reactions.shape == (20, len(tree.bodies), 6) and np.allclose(efforts, tau, atol=1e-11)


def test_contiguous_arrays_are_not_copied_and_others_are_converted(tree, samples):
    q, v, a = samples
    out = np.empty((20, tree.nv))
    assert tree.inverse(q, v, a, out=out) is out
    one = np.empty(tree.nv)
    assert tree.inverse(q[0], v[0], a[0], out=one) is one
    from roberval.arrays import Batch
    batch = Batch("sample", 1)
    taken = batch.take(q, (tree.nq,), "q")
    assert taken.__array_interface__["data"][0] == q.__array_interface__["data"][0]
    strided, single = np.repeat(q, 2, axis=0)[::2], q.astype(np.float32).astype(float)
    assert np.array_equal(tree.gravity_terms(strided), tree.gravity_terms(q))
    assert np.array_equal(tree.gravity_terms(q.astype(np.float32)), tree.gravity_terms(single))
    # samples at the end of a batch that do not fill a vector are computed another way: their last bits differ
    forwards = tree.gravity_terms(q)[::-1]
    assert np.allclose(tree.gravity_terms(q[::-1]), forwards, rtol=0, atol=1e-14 * np.abs(forwards).max())
    assert np.array_equal(tree.gravity_terms(q.tolist()), tree.gravity_terms(q))
    assert tree.gravity_terms(np.zeros((0, tree.nq))).shape == (0, tree.nv)


def test_poses_and_jacobians_agree_with_differences(tree, samples):
    q, v, _ = samples
    body, point, h = tree.bodies[-1], [0.1, 0.2, 0.3], 1e-6
    J = tree.jacobian(body, q, point)
    ahead, behind = tree.move(q, h * v), tree.move(q, -h * v)
    rate = (tree.pose(body, ahead, point)[:, :3] - tree.pose(body, behind, point)[:, :3]) / (2 * h)
    assert np.allclose(np.einsum("kij,kj->ki", J, v)[:, :3], rate, atol=1e-7)
    assert np.allclose(tree.difference(q, ahead), h * v, atol=1e-14)
    reach = tree.reach(body, tree.pose(body, q[0], point), q[0] + 0.05, point)
    assert reach.reached and np.allclose(tree.pose(body, reach.q, point), tree.pose(body, q[0], point), atol=1e-8)


@pytest.mark.parametrize("change, words", [
    (dict(q=np.zeros(3)), "q must have the shape"),
    (dict(v=np.zeros((20, 2))), "v must have the shape"),
    (dict(q="arm"), "q must be real numbers"),
    (dict(a=np.zeros(20, complex)), "a must be real numbers"),
    (dict(v=np.zeros((19, 6))), r"for the 20 samples of q"),
    (dict(order="C"), "order must be"),
    (dict(threads=0), "threads must be"),
    (dict(out=np.zeros((20, 6), np.float32)), "out must be a float64 array"),
    (dict(out=np.zeros((40, 6))[::2]), "out must be contiguous"),
    (dict(q=[[1, 2], [3]]), "q"),
    (dict(wrenches=np.zeros((20, 2, 6))), "wrenches must have the shape"),
])
def test_wrong_arguments_are_named(tree, samples, change, words):
    arguments = dict(zip("qva", samples), **change)
    with pytest.raises(ValueError, match=words):
        tree.inverse(arguments.pop("q"), arguments.pop("v"), arguments.pop("a"), **arguments)


def test_answers_may_overlap_what_is_read(tree, samples):
    """Shifted views gave the numbers of what was already overwritten."""
    q, v, a = samples
    expected = tree.gravity_terms(q[:10])
    for order, shift in (("sample", 0), ("sample", 7), ("number", 7), ("sample", -7)):
        own = q[:10] if order == "sample" else q[:10].T
        memory = np.concatenate([np.zeros(7), own.ravel(), np.zeros(7)])
        first, last = memory[7:67].reshape(own.shape), memory[7 + shift:67 + shift].reshape(own.shape)
        tau = tree.gravity_terms(first, out=last, order=order)
        assert tau is last and np.allclose(tau if order == "sample" else tau.T, expected, rtol=1e-12, atol=1e-11)
    line = np.concatenate([q[0], v[0], a[0], np.zeros(6)])
    parts = [line[6 * k:6 * k + 6] for k in range(3)]
    tau = tree.inverse(*parts, out=line[3:9])
    assert np.allclose(tau, tree.inverse(q[0], v[0], a[0]), rtol=1e-12, atol=1e-11)
    both = np.zeros((20, 7, 6))
    with pytest.raises(ValueError, match="share memory"):
        tree.inverse(q, v, a, out=both.reshape(-1)[:120].reshape(20, 6), reactions=both)


@pytest.mark.parametrize("call, words", [
    (lambda t, q: t.pose(-1, q), "body must be a name, 'ground', or an index of bodies from 0 to 6, not -1"),
    (lambda t, q: t.pose(True, q), "body must be a name"),
    (lambda t, q: t.pose(7, q), "body must be a name"),
    (lambda t, q: t.pose(0, q, [0, np.nan, 0]), "point must be 3 finite numbers"),
    (lambda t, q: t.inverse(q, q, q, out=np.zeros((20, 6), order="F")), "contiguous in C order"),
    (lambda t, q: t.set_gravity([0, 0, np.nan]), "gravity must be 3 finite numbers"),
    (lambda t, q: t.set_gravity([0, 0]), "gravity must be 3 finite numbers"),
    (lambda t, q: t.set_body("ground", 1, [0, 0, 0], [1] * 6), "the ground has no mass"),
    (lambda t, q: t.set_body(0, 1, [0, 0], [1] * 6), "centre must be 3 finite numbers"),
    (lambda t, q: t.reach(0, [0] * 7, q[0]), "the quaternion of pose is zero"),
    (lambda t, q: t.reach(0, [np.nan] + [1] * 6, q[0]), "pose must be 7 finite numbers"),
    (lambda t, q: t.reach(0, [1] * 7, q[0], tolerance=0), "tolerance must be positive"),
])
def test_wrong_bodies_and_numbers_are_named(tree, samples, call, words):
    with pytest.raises(ValueError, match=words):
        call(tree, samples[0])


def test_numbers_of_joints_without_coordinates_have_names():
    text = """roberval: 1
space: spatial
bodies: {box: {mass: 1, inertia: [1, 1, 1]}, arm: {mass: 1, inertia: [1, 1, 1]}}
joints: {pin: {type: revolute, between: [box, arm]}}
"""
    tree = rb.Model(text=text).tree()
    assert [name for name in tree.coordinates if name.startswith("box")] == [f"box[{k}]" for k in range(7)]
    assert "pin.angle" in tree.coordinates and len(set(tree.coordinates)) == tree.nq


ODD = st.one_of(st.none(), st.integers(), st.floats(), st.text(max_size=5), st.booleans(), st.binary(max_size=5),
                st.lists(st.floats(), max_size=9), st.just(np.zeros((2, 3, 4))), st.just(object()),
                st.just(np.zeros(6)), st.just(np.zeros((4, 6))), st.just(np.array(["a"])), st.just({}))


@settings(max_examples=int(__import__("os").environ.get("ROBERVAL_CALLS", "300")), deadline=None)
@given(q=ODD, v=ODD, a=ODD, name=st.sampled_from(["inverse", "forward", "mass_matrix", "pose", "reach", "move", "regressor",
                                                   "set_body", "energies", "momentum"]), options=st.dictionaries(
    st.sampled_from(["out", "order", "threads", "reactions"]), ODD, max_size=2))
def test_any_call_is_an_answer_or_an_exception(tree, q, v, a, name, options):
    function = getattr(tree, name)
    for arguments in ((q, v, a), (q, v), (q,)):
        try:
            function(*arguments, **options)
        except (ValueError, TypeError, rb.ModelError, rb.AnalysisError, OverflowError):
            pass


# ---- linkages ----


def test_a_linkage_has_the_efforts_and_reactions_of_inverse():
    model = rb.Model(text=conftest.FOURBAR)
    result = model.inverse(coordinates="joint")
    linkage = model.linkage()
    linkage.start()
    t = np.asarray(result.time)
    w = model.parameters["w"]
    sample = linkage.inverse((w * t)[:, None], np.full((len(t), 1), w), np.zeros((len(t), 1)), reactions=True, motion=True)
    assert np.allclose(sample.efforts[:, 0], result["motor.effort"], rtol=1e-9, atol=1e-9)
    name = linkage.closings[0]
    assert np.allclose(np.hypot(sample.closing_reactions[:, 0, 0], sample.closing_reactions[:, 0, 1]),
                       np.hypot(result[f"{name}.Fx"], result[f"{name}.Fy"]), rtol=1e-8, atol=1e-8)
    reactions, closings = linkage.unique()
    assert linkage.unique_efforts().all() and reactions.shape == (len(linkage.tree.bodies), 6) and closings.dtype == bool
    assert sample.motion.shape == (len(t), linkage.tree.nq + 2 * linkage.tree.nv)
    with pytest.raises(ValueError, match="start"):
        linkage.copy().inverse([0], [w], [0])


def test_linkages_say_what_is_not_finite():
    linkage = rb.Model(text=conftest.FOURBAR).linkage()
    with pytest.raises(ValueError, match="q must be 4 finite numbers|q must be 3 finite numbers"):
        linkage.start([np.nan] * linkage.tree.nq)
    linkage.start()
    with pytest.raises(ValueError, match="^q must be finite numbers$"):
        linkage.inverse([np.nan], [5], [0])
    with pytest.raises(ValueError, match="^v must be finite numbers; sample 1 is not$"):
        linkage.inverse([[0], [0.01]], [[5], [np.inf]], [[0], [0]])


def test_models_that_are_no_tree_say_so():
    with pytest.raises(rb.ModelError):
        rb.Model(text=conftest.FOURBAR).tree()


def test_what_a_tree_or_a_linkage_leaves_out_is_a_warning():
    """The library says it in notes, which were dropped."""
    spring = "loads: {s: {type: torsion-spring, joint: O, torque: \"-2*O.angle\"}}\n"
    model = rb.Model(text=conftest.FOURBAR + spring)
    with pytest.warns(rb.ModelWarning, match="has not the load 's'") as seen:
        linkage = model.linkage()
    assert seen[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        linkage.copy()
        rb.Model(ARM).tree()
    with pytest.warns(rb.ModelWarning, match="has not the load 'motor'"):
        rb.Model(text=conftest.PENDULUM).tree()
