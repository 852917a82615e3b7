"""Open trees and closed linkages on numpy arrays.

Positions q, velocities v, accelerations a of one sample are arrays (n,); of N samples (N, n), or with order="number" (n, N);
matrices are (N, n, m) and (n, m, N). They are float64; contiguous ones are read where they are, others are copied. `out=`
takes the result, of the shape that the function returns, contiguous in C order. `threads=`, at most 64, computes a batch on
so many threads.

The frame of a body is that of its marker of the joint that holds it. Wrenches and reactions are a force, then a torque about
the body's origin, both along the body's axes."""
from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any, Dict, List, NamedTuple, Optional, Sequence, Tuple, Union

import numpy as np

from ._library import Alone, Handle, Unique, ffi, handle_of, lib, text_of
from .errors import check, warn
from .options import flag, quantity, real

if TYPE_CHECKING:  # pragma: no cover
    import numpy.typing as npt

    Array = npt.NDArray[np.float64]
    Like = npt.ArrayLike
else:
    Array = Like = Any

_FLOAT = np.dtype(np.float64)
_from_buffer = ffi.from_buffer
_NULL = ffi.NULL


#: About so many numbers are computed by one call of the library, in some hundredths of a second.
PART = 1 << 22
#: Vector instructions of trees, by their names.
LANES = {name: getattr(lib, "RBV_LANES_" + name.upper()) for name in ("best", "one", "base", "avx2", "avx512")
         if hasattr(lib, "RBV_LANES_" + name.upper())}


class Reach(NamedTuple):
    """Result of inverse kinematics."""

    q: "Array"
    reached: bool  #: both errors are below the tolerance
    iterations: int
    position_error: float  #: [m]
    angle_error: float  #: [rad]
    limited: bool  #: limits of joints are active


class Batch:
    """Shapes of one call: how many samples, in which order, and the caller's arrays for the answers."""

    __slots__ = ("count", "single", "by_number", "pointer", "first", "outs", "done")

    def __init__(self, order: str, threads: int, *outs: object) -> None:
        if not isinstance(order, str) or order not in ("sample", "number"):
            raise ValueError(f"order must be 'sample' ([N, n]) or 'number' ([n, N]), not {order!r}")
        if not isinstance(threads, int) or isinstance(threads, bool) or not 1 <= threads <= 64:
            raise ValueError(f"threads must be a whole number from 1 to 64, not {threads!r}")
        self.count, self.single, self.by_number = -1, False, order == "number"
        self.first, self.done = "", 0
        self.outs = [out for out in outs if isinstance(out, np.ndarray)]
        if any(np.may_share_memory(x, y) for k, x in enumerate(self.outs) for y in self.outs[:k]):
            raise ValueError("the arrays for the answers share memory")
        self.pointer = ffi.new("RbvTreeBatch *", {"layout": lib.RBV_BY_NUMBER if self.by_number else lib.RBV_BY_SAMPLE,
                                                  "threads": threads})

    def shape(self, inner: Tuple[int, ...]) -> Tuple[int, ...]:
        """Shape of an array with `inner` numbers a sample."""
        if self.single:
            return inner
        return inner + (self.count,) if self.by_number else (self.count,) + inner

    def take(self, value: Any, inner: Tuple[int, ...], name: str) -> "Array":
        """An input as contiguous float64; the first one decides on the number of samples."""
        array = real(value, name)
        array = np.ascontiguousarray(array, dtype=_FLOAT) if array.ndim else array.astype(float)
        if self.count < 0:
            self.single = array.ndim == len(inner)
            self.first = name
            axis = -1 if self.by_number else 0
            self.count = 1 if self.single else (array.shape[axis] if array.ndim == len(inner) + 1 else 0)
            self.pointer.count = self.count
            if array.ndim not in (len(inner), len(inner) + 1):
                raise ValueError(f"{name} must have the shape {self.wanted(inner)}, not {array.shape}")
        if array.shape != self.shape(inner):
            like = f" for the {self.count} samples of {self.first}" if not self.single and name != self.first else ""
            raise ValueError(f"{name} must have the shape {self.wanted(inner) if name == self.first else self.shape(inner)}"
                             f"{like}, not {array.shape}")
        return array.copy() if any(np.may_share_memory(array, out) for out in self.outs) else array

    def sample(self, array: "Array", k: int) -> Any:
        """Sample k of an array that was taken."""
        return array if self.single else array.take(k, -1 if self.by_number else 0)

    def wanted(self, inner: Tuple[int, ...]) -> str:
        """The shapes that the first array may have."""
        n = ", ".join(map(str, inner))
        return f"({n}{',' if len(inner) == 1 else ''}) or " + (f"({n}, N)" if self.by_number else f"(N, {n})")

    def run(self, function: Any, head: Sequence[Any], arrays: Sequence["Optional[Array]"], tail: Sequence[Any] = ()) -> int:
        """Status of function(tree, workspace, batch, ..., arrays, ...); head: what stands before the arrays. Long batches by
        sample are computed in parts, so that ^C ends them; self.done: samples before the last part."""
        each = sum(array.size for array in arrays if array is not None) // max(1, self.count)
        part = max(1024, min(65536, PART // max(1, each)))
        head = [*head[:2], self.pointer, *head[2:]]
        if self.single or self.by_number or self.count <= part:
            return int(function(*head, *map(pointer, arrays), *tail))
        for self.done in range(0, self.count, part):
            self.pointer.count = min(part, self.count - self.done)
            end = self.done + part
            status = function(*head, *[pointer(None if a is None else a[self.done:end]) for a in arrays], *tail)
            if status != lib.RBV_OK:
                return int(status)
        return int(lib.RBV_OK)

    def out(self, out: Optional["Array"], inner: Tuple[int, ...], name: str = "out") -> "Array":
        """The array that is written."""
        shape = self.shape(inner)
        if out is None:
            return np.empty(shape)
        if not isinstance(out, np.ndarray) or out.dtype != _FLOAT or out.shape != shape:
            what = f"{out.dtype} {out.shape}" if isinstance(out, np.ndarray) else type(out).__name__
            raise ValueError(f"{name} must be a float64 array of the shape {shape}, not {what}")
        if not out.flags.c_contiguous or not out.flags.writeable:
            raise ValueError(f"{name} must be contiguous in C order and writeable")
        return out


def pointer(array: Optional["Array"]) -> Any:
    """Where the numbers of an array are."""
    return _NULL if array is None else _from_buffer("double[]", array)


def numbers_of(value: Any, count: int, name: str) -> "Array":
    """`count` finite numbers of one sample, a copy."""
    array = np.array(real(value, name), float)
    if array.shape != (count,) or not np.isfinite(array).all():
        raise ValueError(f"{name} must be {count} finite numbers, not {value!r}")
    return array


def _outs(out: Any, count: int) -> List["Optional[Array]"]:
    """The caller's arrays for `count` answers; None: new ones."""
    if out is None:
        return [None] * count
    if not isinstance(out, (tuple, list)) or len(out) != count:
        raise ValueError(f"out must be {count} arrays, not {type(out).__name__}" if count > 1 else "out must be an array")
    return list(out)


class Tree(Unique):
    """An open tree of rigid bodies: `Model.tree()`.

    nq and nv are the sizes of q and v; `coordinates` names the numbers of q, "box[2]" those of a joint without coordinates;
    `bodies` names the bodies. A body is given by its name, or its index in `bodies`.

    >>> import roberval as rb
    >>> m = rb.Model({"roberval": 1, "space": "planar", "gravity": [0, -9.81], "parameters": {"M": "2 kg", "u": "0 N.m"},
    ...               "bodies": {"arm": {"mass": "M", "inertia": 0.1, "centroid": [0.5, 0]}},
    ...               "joints": {"hinge": {"type": "revolute", "between": ["ground", "arm"]}},
    ...               "motion": {"from": 0, "to": 1, "step": 0.5}})
    >>> tree = m.tree()
    >>> tree.inverse([0.0], [0.0], [2.0]).round(3)
    array([11.01])
    >>> tree.mass_matrix([[0.0], [1.0]]).round(3).tolist()     # a batch of two
    [[[0.6]], [[0.6]]]
    """

    def __init__(self, handle: Handle) -> None:
        self._handle, tree = handle_of(handle, "Tree", "Model.tree()"), handle.pointer
        self._tree = tree
        self.nq = int(lib.rbv_tree_q_count(tree))
        self.nv = int(lib.rbv_tree_v_count(tree))
        count = lib.rbv_tree_body_count(tree)
        self.bodies: List[str] = [text_of(lib.rbv_tree_body(tree, k).name) for k in range(count)]
        self.coordinates: List[str] = [text_of(lib.rbv_tree_coordinate(tree, k)) for k in range(self.nq)]
        for k, body in enumerate(self.bodies):
            for n in range(lib.rbv_tree_joint_q_count(tree, k)):
                at = lib.rbv_tree_q_index(tree, k) + n
                if at >= n and not self.coordinates[at]:
                    self.coordinates[at] = f"{body}[{n}]"
        #: The body whose joint has each number of v.
        self.moves: List[str] = [self.bodies[lib.rbv_tree_body_of_v(tree, k)] for k in range(self.nv)]
        self._local = threading.local()

    @property
    def lanes(self) -> str:
        """Vector instructions that this thread computes batches with: 'one', 'base', 'avx2', 'avx512'; 'best' sets the widest."""
        used = lib.rbv_tree_workspace_lanes(self._workspace(1))
        return next((name for name, value in LANES.items() if value == used), "base")

    @lanes.setter
    def lanes(self, name: str) -> None:
        if not isinstance(name, str) or name not in LANES:
            raise ValueError(f"lanes must be one of {', '.join(LANES)}, not {name!r}")
        self._workspace(1)
        own = self._local
        own.lanes = name
        for space in own.spaces.values():
            if lib.rbv_tree_workspace_set_lanes(space, LANES[name]) != lib.RBV_OK:
                raise ValueError(f"this machine or this build of the library has no {name}")

    @classmethod
    def of_model(cls, compiled: Any) -> "Tree":
        """The tree of a compiled model."""
        messages = compiled.source.messages()
        out = ffi.new("RbvTree **")
        status = lib.rbv_tree_from_model(compiled.model, messages.pointer, out)
        found = messages.all()
        check(status, found, "tree")
        warn(found, 3, notes=True)
        return cls(Handle(out[0], lib.rbv_tree_destroy))

    def _workspace(self, threads: int) -> Any:
        """This thread's workspace for so many threads."""
        own = self._local
        found = own.one if threads == 1 and hasattr(own, "one") else None
        if found is None:
            spaces: Dict[int, Any] = own.__dict__.setdefault("spaces", {})
            found = spaces.get(threads)
        if found is None:
            out = ffi.new("RbvTreeWorkspace **")
            check(lib.rbv_tree_workspace_create(self._tree, threads, out), [], "workspace")
            found = spaces[threads] = ffi.gc(out[0], lib.rbv_tree_workspace_destroy)
            if hasattr(own, "lanes"):
                lib.rbv_tree_workspace_set_lanes(found, LANES[own.lanes])
            if threads == 1:
                own.one = found
        return found

    def _body(self, body: Union[str, int]) -> int:
        if isinstance(body, str):
            if body == "ground":
                return -1
            if body not in self.bodies:
                raise ValueError(f"the tree has no body '{body}'; it has {', '.join(self.bodies)}")
            return self.bodies.index(body)
        if isinstance(body, (int, np.integer)) and not isinstance(body, bool) and 0 <= body < len(self.bodies):
            return int(body)
        raise ValueError(f"body must be a name, 'ground', or an index of bodies from 0 to {len(self.bodies) - 1}, not {body!r}")

    def _point(self, point: Optional["Like"]) -> Any:
        return _NULL if point is None else ffi.new("double[3]", numbers_of(point, 3, "point").tolist())

    # ---- dynamics ----

    def inverse(self, q: "Like", v: "Like", a: "Like", wrenches: "Optional[Like]" = None, *, out: "Optional[Array]" = None,
                reactions: "Union[bool, Array]" = False, order: str = "sample", threads: int = 1) -> Any:
        """Efforts tau (nv) of a motion, under wrenches (bodies, 6). With reactions=True (tau, reactions (bodies, 6)): of the
        parent on each body, all that the joint transmits, with the effort about its own axis."""
        nv = self.nv
        if (out is not None and wrenches is None and reactions is False and order == "sample"
                and type(q) is type(v) is type(a) is type(out) is np.ndarray
                and q.shape == (self.nq,) and v.shape == a.shape == out.shape == (nv,)
                and q.dtype is v.dtype is a.dtype is out.dtype is _FLOAT
                and q.flags.c_contiguous and v.flags.c_contiguous and a.flags.c_contiguous
                and out.flags.carray):
            status = lib.rbv_py_inverse(self._tree, getattr(self._local, "one", None) or self._workspace(1),
                                        _from_buffer("double[]", q), _from_buffer("double[]", v),
                                        _from_buffer("double[]", a), _from_buffer("double[]", out))
            if status == 0:
                return out
            if status > 0:
                check(status, [], "inverse")
        b = Batch(order, threads, out, reactions)
        q, v, a = b.take(q, (self.nq,), "q"), b.take(v, (nv,), "v"), b.take(a, (nv,), "a")
        w = None if wrenches is None else b.take(wrenches, (len(self.bodies), 6), "wrenches")
        tau = b.out(out, (nv,))
        r = None
        if reactions is not False:
            r = b.out(None if reactions is True else reactions, (len(self.bodies), 6), "reactions")
        status = b.run(lib.rbv_tree_inverse, [self._tree, self._workspace(threads)], [q, v, a, w, tau, r])
        check(status, [], "inverse")
        return tau if r is None else (tau, r)

    def forward(self, q: "Like", v: "Like", tau: "Like", wrenches: "Optional[Like]" = None, *,
                out: "Optional[Array]" = None, order: str = "sample", threads: int = 1) -> "Array":
        """Accelerations (nv) from efforts and wrenches."""
        b = Batch(order, threads, out)
        q, v, tau = b.take(q, (self.nq,), "q"), b.take(v, (self.nv,), "v"), b.take(tau, (self.nv,), "tau")
        w = None if wrenches is None else b.take(wrenches, (len(self.bodies), 6), "wrenches")
        a = b.out(out, (self.nv,))
        status = b.run(lib.rbv_tree_forward, [self._tree, self._workspace(threads)], [q, v, tau, w, a])
        check(status, [], "forward")
        return a

    def _of(self, function: Any, inputs: Sequence[Tuple[Any, int, str]], inner: Tuple[int, ...], out: "Optional[Array]",
            order: str, threads: int, before: Tuple[Any, ...] = ()) -> "Array":
        """A function of some inputs and one output."""
        b = Batch(order, threads, out)
        arrays = [b.take(value, (size,), name) for value, size, name in inputs]
        result = b.out(out, inner)
        status = b.run(function, [self._tree, self._workspace(threads), *before], [*arrays, result])
        check(status, [], function.__name__ if hasattr(function, "__name__") else "tree")
        return result

    def gravity_terms(self, q: "Like", *, out: "Optional[Array]" = None, order: str = "sample", threads: int = 1) -> "Array":
        """Efforts (nv) that hold the tree at rest."""
        return self._of(lib.rbv_tree_gravity_terms, [(q, self.nq, "q")], (self.nv,), out, order, threads)

    def velocity_terms(self, q: "Like", v: "Like", *, out: "Optional[Array]" = None, order: str = "sample",
                       threads: int = 1) -> "Array":
        """Coriolis and centrifugal efforts (nv), damping and friction."""
        return self._of(lib.rbv_tree_velocity_terms, [(q, self.nq, "q"), (v, self.nv, "v")], (self.nv,), out, order, threads)

    def mass_matrix(self, q: "Like", *, out: "Optional[Array]" = None, order: str = "sample", threads: int = 1) -> "Array":
        """M (nv, nv): kinetic energy v . M v / 2."""
        return self._of(lib.rbv_tree_mass_matrix, [(q, self.nq, "q")], (self.nv, self.nv), out, order, threads)

    def coriolis_matrix(self, q: "Like", v: "Like", *, out: "Optional[Array]" = None, order: str = "sample",
                        threads: int = 1) -> "Array":
        """C (nv, nv) with C v the Coriolis and centrifugal efforts, and dM/dt - 2 C antisymmetric."""
        return self._of(lib.rbv_tree_coriolis_matrix, [(q, self.nq, "q"), (v, self.nv, "v")], (self.nv, self.nv), out, order,
                        threads)

    def regressor(self, q: "Like", v: "Like", a: "Like", *, out: "Optional[Array]" = None, order: str = "sample",
                  threads: int = 1) -> "Array":
        """Y (nv, 10 bodies): efforts linear in the parameters of the bodies."""
        return self._of(lib.rbv_tree_regressor, [(q, self.nq, "q"), (v, self.nv, "v"), (a, self.nv, "a")],
                        (self.nv, 10 * len(self.bodies)), out, order, threads)

    def parameters(self) -> "Array":
        """x (10 bodies) of the regressor: mass, first moments, inertia about the origin Ixx Iyy Izz Ixy Ixz Iyz."""
        x = np.empty(10 * len(self.bodies))
        check(lib.rbv_tree_parameters(self._tree, pointer(x)), [], "parameters")
        return x

    def energies(self, q: "Like", v: "Like", *, out: "Optional[Array]" = None, order: str = "sample",
                 threads: int = 1) -> "Array":
        """Kinetic and potential energy [J]."""
        return self._of(lib.rbv_tree_energies, [(q, self.nq, "q"), (v, self.nv, "v")], (2,), out, order, threads)

    def derivatives(self, q: "Like", v: "Like", a: "Like", wrenches: "Optional[Like]" = None, *,
                    out: "Optional[Tuple[Array, Array, Array]]" = None, order: str = "sample",
                    threads: int = 1) -> Tuple["Array", "Array", "Array"]:
        """Derivatives of the efforts by q and v (nv, nv), and the efforts (nv); by a it is the mass matrix. `out`: three
        arrays for them."""
        outs = _outs(out, 3)
        b = Batch(order, threads, *outs)
        nv = self.nv
        q, v, a = b.take(q, (self.nq,), "q"), b.take(v, (nv,), "v"), b.take(a, (nv,), "a")
        w = None if wrenches is None else b.take(wrenches, (len(self.bodies), 6), "wrenches")
        dq, dv, tau = b.out(outs[0], (nv, nv)), b.out(outs[1], (nv, nv)), b.out(outs[2], (nv,))
        status = b.run(lib.rbv_tree_derivatives, [self._tree, self._workspace(threads)], [q, v, a, w, dq, dv, tau])
        check(status, [], "derivatives")
        return dq, dv, tau

    # ---- kinematics ----

    def pose(self, body: Union[str, int], q: "Like", point: "Optional[Like]" = None, *, out: "Optional[Array]" = None,
             order: str = "sample", threads: int = 1) -> "Array":
        """Pose (7) of a point of a body, given in its frame (None: its origin): position in the ground's frame, then the
        quaternion w x y z of the body's axes, w >= 0."""
        return self._of(lib.rbv_tree_pose, [(q, self.nq, "q")], (7,), out, order, threads,
                        (self._body(body), self._point(point)))

    def jacobian(self, body: Union[str, int], q: "Like", point: "Optional[Like]" = None, *, out: "Optional[Array]" = None,
                 order: str = "sample", threads: int = 1) -> "Array":
        """J (6, nv): velocity of a point, then angular velocity of its body, along the ground's axes."""
        return self._of(lib.rbv_tree_jacobian, [(q, self.nq, "q")], (6, self.nv), out, order, threads,
                        (self._body(body), self._point(point)))

    def marker_rates(self, body: Union[str, int], q: "Like", v: "Like", point: "Optional[Like]" = None, *,
                     out: "Optional[Tuple[Array, Array]]" = None, order: str = "sample",
                     threads: int = 1) -> Tuple["Array", "Array"]:
        """Twist (6) J v of a point of a body: its velocity, then the angular velocity of the body, along the ground's axes; and
        bias (6) (dJ/dt) v, its accelerations at a = 0."""
        outs = _outs(out, 2)
        b = Batch(order, threads, *outs)
        q, v = b.take(q, (self.nq,), "q"), b.take(v, (self.nv,), "v")
        twist, bias = b.out(outs[0], (6,)), b.out(outs[1], (6,))
        head = [self._tree, self._workspace(threads), self._body(body), self._point(point)]
        check(b.run(lib.rbv_tree_marker_rates, head, [q, v, twist, bias]), [], "marker_rates")
        return twist, bias

    def centre_of_mass(self, q: "Like", *, jacobian: bool = False, out: "Any" = None, order: str = "sample",
                       threads: int = 1) -> Any:
        """Centre of mass of all bodies (3) in the ground's frame; with jacobian=True (centre, J (3, nv)), J v its velocity. nan
        for a tree without mass. `out`: an array, or two."""
        outs = _outs(out if flag(jacobian, "jacobian") or out is None else (out,), 2 if jacobian else 1)
        b = Batch(order, threads, *outs)
        q = b.take(q, (self.nq,), "q")
        centre = b.out(outs[0], (3,))
        J = b.out(outs[1], (3, self.nv)) if jacobian else None
        check(b.run(lib.rbv_tree_centre_of_mass, [self._tree, self._workspace(threads)], [q, centre, J]), [], "centre_of_mass")
        return centre if J is None else (centre, J)

    def momentum(self, q: "Like", v: "Like", *, matrix: bool = False, out: "Any" = None, order: str = "sample",
                 threads: int = 1) -> Any:
        """h (6): momentum, then angular momentum about the centre of mass of all bodies, along the ground's axes, without
        rotors; with matrix=True (h, A (6, nv)), h = A v. `out`: an array, or two."""
        outs = _outs(out if flag(matrix, "matrix") or out is None else (out,), 2 if matrix else 1)
        b = Batch(order, threads, *outs)
        q, v = b.take(q, (self.nq,), "q"), b.take(v, (self.nv,), "v")
        h = b.out(outs[0], (6,))
        A = b.out(outs[1], (6, self.nv)) if matrix else None
        check(b.run(lib.rbv_tree_momentum, [self._tree, self._workspace(threads)], [q, v, h, A]), [], "momentum")
        return h if A is None else (h, A)

    def neutral(self, *, out: "Optional[Array]" = None) -> "Array":
        """q (nq) at which bodies coincide with their joints' frames."""
        b = Batch("sample", 1, out)
        b.single = True
        q = b.out(out, (self.nq,))
        check(lib.rbv_tree_neutral(self._tree, pointer(q)), [], "neutral")
        return q

    def move(self, q: "Like", v: "Like", *, out: "Optional[Array]" = None, order: str = "sample", threads: int = 1) -> "Array":
        """q displaced along v times 1 s."""
        return self._of(lib.rbv_tree_move, [(q, self.nq, "q"), (v, self.nv, "v")], (self.nq,), out, order, threads)

    def difference(self, start: "Like", end: "Like", *, out: "Optional[Array]" = None, order: str = "sample",
                   threads: int = 1) -> "Array":
        """v (nv) with move(start, v) = end."""
        return self._of(lib.rbv_tree_difference, [(start, self.nq, "start"), (end, self.nq, "end")], (self.nv,), out, order,
                        threads)

    def reach(self, body: Union[str, int], pose: "Like", q: "Like", point: "Optional[Like]" = None, *, turn: bool = True,
              tolerance: float = 1e-9) -> Reach:
        """Inverse kinematics from the start q: a pose (7) of a point of a body, as of `pose`; turn=False: its position alone."""
        target, start, turn = numbers_of(pose, 7, "pose"), numbers_of(q, self.nq, "q"), flag(turn, "turn")
        tolerance = quantity(tolerance, "", "tolerance")
        if turn and not target[3:].any():
            raise ValueError("the quaternion of pose is zero; turn=False reaches for the position alone")
        if not tolerance > 0:
            raise ValueError(f"tolerance must be positive, not {tolerance!r}")
        report = ffi.new("RbvTreeReach *")
        status = lib.rbv_tree_reach(self._tree, self._workspace(1), self._body(body), self._point(point), pointer(target),
                                    turn, tolerance, pointer(start), report)
        if status not in (lib.RBV_OK, lib.RBV_NOT_ASSEMBLED):
            check(status, [], "reach")
        return Reach(start, status == lib.RBV_OK, int(report.iterations), float(report.position_error),
                     float(report.angle_error), bool(report.limited))

    # ---- bodies ----

    def set_body(self, body: Union[str, int], mass: float, centre: Sequence[float], inertia: Sequence[float]) -> None:
        """Mass [kg], centre [m] in the body's frame, and inertia [kg m^2] about the centre along its axes (Ixx Iyy Izz Ixy Ixz
        Iyz) of a body: a payload taken up."""
        from .errors import Messages
        messages = Messages()
        index = self._body(body)
        if index < 0:
            raise ValueError("the ground has no mass to be set")
        numbers = [pointer(numbers_of(centre, 3, "centre")), pointer(numbers_of(inertia, 6, "inertia"))]
        status = lib.rbv_tree_set_body(self._tree, index, quantity(mass, "kg", "mass"), *numbers, messages.pointer)
        check(status, messages.all(), "set_body")

    def set_gravity(self, gravity: Sequence[float]) -> None:
        """Gravity [m/s^2] in the ground's frame."""
        check(lib.rbv_tree_set_gravity(self._tree, pointer(numbers_of(gravity, 3, "gravity"))), [], "set_gravity")


class LinkageSample(NamedTuple):
    """Inverse dynamics of a closed linkage, of one sample or of a batch."""

    efforts: "Array"  #: of the driven coordinates
    reactions: "Optional[Array]"  #: (bodies, 6) of the tree's joints
    closing_reactions: "Optional[Array]"  #: (closings, 6) of the first body on the second, about the second marker's origin,
    # along the first marker's axes, without efforts of drives of the joint
    motion: "Optional[Array]"  #: (nq + 2 nv): q, v, a of the whole tree


class Linkage(Unique):
    """A closed linkage: `Model.linkage()`. It follows one motion, so it belongs to one thread at a time; `copy()` makes
    another for another thread."""

    def __init__(self, tree: Handle, handle: Handle, compiled: Any) -> None:
        handle_of(handle, "Linkage", "Model.linkage()")
        self.tree = Tree(tree)
        self._handle, self._compiled = handle, compiled
        self._linkage = linkage = handle.pointer
        self._alone = Alone("linkage")
        count, self.closings = 0, []  # type: int, List[str]
        while lib.rbv_linkage_closing_name(linkage, count) != _NULL:
            self.closings.append(text_of(lib.rbv_linkage_closing_name(linkage, count)))
            count += 1
        #: Bodies that spin idly about a line of their own, and the number of rows of closings, drives and these.
        self.idle: List[str] = []
        while lib.rbv_linkage_idle(linkage, len(self.idle)) >= 0:
            self.idle.append(self.tree.bodies[lib.rbv_linkage_idle(linkage, len(self.idle))])
        self.rows = int(lib.rbv_linkage_row_count(linkage))
        self.driven = [int(lib.rbv_linkage_driven(linkage, k)) for k in range(lib.rbv_linkage_driven_count(linkage))]
        self._spaces: Dict[int, Any] = {}
        self._start: Optional[Array] = None

    @classmethod
    def of_model(cls, compiled: Any, notes: bool = True) -> "Linkage":
        """The linkage of a compiled model."""
        messages = compiled.source.messages()
        trees, linkages = ffi.new("RbvTree **"), ffi.new("RbvLinkage **")
        status = lib.rbv_linkage_from_model(compiled.model, messages.pointer, trees, linkages)
        found = messages.all()
        check(status, found, "linkage")
        if notes:
            warn(found, 3, notes=True)
        tree = Handle(trees[0], lib.rbv_tree_destroy)
        return cls(tree, Handle(linkages[0], lib.rbv_linkage_destroy, tree), compiled)

    def copy(self) -> "Linkage":
        """The same linkage with a motion of its own."""
        return Linkage.of_model(self._compiled, notes=False)

    def origin(self) -> "Array":
        """q (nq) of the model's starting poses; loops may be open."""
        q = np.empty(self.tree.nq)
        check(lib.rbv_linkage_origin(self._linkage, pointer(q)), [], "origin")
        return q

    def start(self, q: "Optional[Like]" = None) -> "Array":
        """Close the loops near q (default: the origin), and follow this branch from now on. Returns the closed q."""
        start = self.origin() if q is None else numbers_of(q, self.tree.nq, "q")
        with self._alone:
            for space in self._spaces.values():
                closed = start.copy()
                check(lib.rbv_linkage_start(self._linkage, space, pointer(closed)), [], "start")
            if not self._spaces:
                closed = start.copy()
                check(lib.rbv_linkage_start(self._linkage, self._new_space(1), pointer(closed)), [], "start")
        self._start = closed
        return closed.copy()

    def _new_space(self, threads: int) -> Any:
        out = ffi.new("RbvLinkageWorkspace **")
        check(lib.rbv_linkage_workspace_create(self._linkage, threads, out), [], "workspace")
        self._spaces[threads] = ffi.gc(out[0], lib.rbv_linkage_workspace_destroy)
        return self._spaces[threads]

    def _space(self, threads: int) -> Any:
        if self._start is None:
            raise ValueError("start() closes the loops first")
        if threads not in self._spaces:
            closed = self._start.copy()
            check(lib.rbv_linkage_start(self._linkage, self._new_space(threads), pointer(closed)), [], "start")
        return self._spaces[threads]

    def inverse(self, q: "Like", v: "Like", a: "Like", wrenches: "Optional[Like]" = None, *, out: "Optional[Array]" = None,
                reactions: bool = False, motion: bool = False, order: str = "sample", threads: int = 1) -> LinkageSample:
        """Efforts of the driven coordinates for their motion q, v, a (driven), in the order of `driven`."""
        b = Batch(order, threads, out)
        n, t = len(self.driven), self.tree
        q, v, a = b.take(q, (n,), "q"), b.take(v, (n,), "v"), b.take(a, (n,), "a")
        w = None if wrenches is None else b.take(wrenches, (len(t.bodies), 6), "wrenches")
        efforts = b.out(out, (n,))
        r = b.out(None, (len(t.bodies), 6)) if reactions else None
        c = b.out(None, (len(self.closings), 6)) if reactions else None
        m = b.out(None, (t.nq + 2 * t.nv,)) if motion else None
        report = ffi.new("RbvLinkageReport *")
        with self._alone:
            status = b.run(lib.rbv_linkage_inverse, [self._linkage, self._space(threads)], [q, v, a, w, efforts, r, c, m],
                           [report])
        failed = b.done + int(report.samples)
        for name, array in (("q", q), ("v", v), ("a", a), ("wrenches", w)) if status else ():
            if array is not None and not np.isfinite(b.sample(array, failed)).all():
                raise ValueError(f"{name} must be finite numbers" + (f"; sample {failed} is not" if not b.single else ""))
        check(status, [], f"inverse, sample {failed}")
        return LinkageSample(efforts, r, c, m)

    def unique(self) -> Tuple["npt.NDArray[np.bool_]", "npt.NDArray[np.bool_]"]:
        """Which reactions (bodies, 6) and closing reactions (closings, 6) of the last sample are unique."""
        bodies, closings = len(self.tree.bodies), len(self.closings)
        r, c = np.empty((bodies, 6), np.uint8), np.empty((closings, 6), np.uint8)
        with self._alone:
            status = lib.rbv_linkage_unique(self._linkage, self._space(1), ffi.from_buffer("uint8_t[]", r),
                                            ffi.from_buffer("uint8_t[]", c))
        check(status, [], "unique")
        return r.astype(bool), c.astype(bool)

    def unique_efforts(self) -> "npt.NDArray[np.bool_]":
        """Which efforts of the last sample are unique."""
        e = np.empty(len(self.driven), np.uint8)
        with self._alone:
            status = lib.rbv_linkage_unique_efforts(self._linkage, self._space(1), ffi.from_buffer("uint8_t[]", e))
        check(status, [], "unique_efforts")
        return e.astype(bool)
