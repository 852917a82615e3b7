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

from ._library import Alone, Handle, Unique, ffi, lib, text_of
from .errors import check, warn
from .options import real

if TYPE_CHECKING:  # pragma: no cover
    import numpy.typing as npt

    Array = npt.NDArray[np.float64]
    Like = npt.ArrayLike
else:
    Array = Like = Any

_FLOAT = np.dtype(np.float64)
_from_buffer = ffi.from_buffer
_NULL = ffi.NULL


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

    __slots__ = ("count", "single", "by_number", "pointer", "first", "outs")

    def __init__(self, order: str, threads: int, *outs: object) -> None:
        if order not in ("sample", "number"):
            raise ValueError(f"order must be 'sample' ([N, n]) or 'number' ([n, N]), not {order!r}")
        if not isinstance(threads, int) or isinstance(threads, bool) or not 1 <= threads <= 64:
            raise ValueError(f"threads must be a whole number from 1 to 64, not {threads!r}")
        self.count, self.single, self.by_number = -1, False, order == "number"
        self.first = ""
        self.outs = [out for out in outs if isinstance(out, np.ndarray)]
        if len(self.outs) == 2 and np.may_share_memory(self.outs[0], self.outs[1]):
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


class Tree(Unique):
    """An open tree of rigid bodies: `Model.tree()`.

    nq and nv are the sizes of q and v; `coordinates` names the numbers of q, "box[2]" those of a joint without coordinates;
    `bodies` names the bodies. A body is given by its name, or its index in `bodies`."""

    def __init__(self, handle: Handle) -> None:
        self._handle, tree = handle, handle.pointer
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
        self._local = threading.local()

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
        status = lib.rbv_tree_inverse(self._tree, self._workspace(threads), b.pointer, pointer(q), pointer(v), pointer(a),
                                      pointer(w), pointer(tau), pointer(r))
        check(status, [], "inverse")
        return tau if r is None else (tau, r)

    def forward(self, q: "Like", v: "Like", tau: "Like", wrenches: "Optional[Like]" = None, *,
                out: "Optional[Array]" = None, order: str = "sample", threads: int = 1) -> "Array":
        """Accelerations (nv) from efforts and wrenches."""
        b = Batch(order, threads, out)
        q, v, tau = b.take(q, (self.nq,), "q"), b.take(v, (self.nv,), "v"), b.take(tau, (self.nv,), "tau")
        w = None if wrenches is None else b.take(wrenches, (len(self.bodies), 6), "wrenches")
        a = b.out(out, (self.nv,))
        status = lib.rbv_tree_forward(self._tree, self._workspace(threads), b.pointer, pointer(q), pointer(v), pointer(tau),
                                      pointer(w), pointer(a))
        check(status, [], "forward")
        return a

    def _of(self, function: Any, inputs: Sequence[Tuple[Any, int, str]], inner: Tuple[int, ...], out: "Optional[Array]",
            order: str, threads: int, before: Tuple[Any, ...] = ()) -> "Array":
        """A function of some inputs and one output."""
        b = Batch(order, threads, out)
        arrays = [b.take(value, (size,), name) for value, size, name in inputs]
        result = b.out(out, inner)
        status = function(self._tree, self._workspace(threads), b.pointer, *before, *[pointer(x) for x in arrays],
                          pointer(result))
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

    def derivatives(self, q: "Like", v: "Like", a: "Like", wrenches: "Optional[Like]" = None, *, order: str = "sample",
                    threads: int = 1) -> Tuple["Array", "Array", "Array"]:
        """Derivatives of the efforts by q and v (nv, nv), and the efforts; by a it is the mass matrix."""
        b = Batch(order, threads)
        nv = self.nv
        q, v, a = b.take(q, (self.nq,), "q"), b.take(v, (nv,), "v"), b.take(a, (nv,), "a")
        w = None if wrenches is None else b.take(wrenches, (len(self.bodies), 6), "wrenches")
        dq, dv, tau = b.out(None, (nv, nv)), b.out(None, (nv, nv)), b.out(None, (nv,))
        status = lib.rbv_tree_derivatives(self._tree, self._workspace(threads), b.pointer, pointer(q), pointer(v), pointer(a),
                                          pointer(w), pointer(dq), pointer(dv), pointer(tau))
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

    def momentum(self, q: "Like", v: "Like", *, order: str = "sample", threads: int = 1) -> "Array":
        """Momentum, then angular momentum about the centre of mass of all bodies (6), along the ground's axes."""
        b = Batch(order, threads)
        q, v = b.take(q, (self.nq,), "q"), b.take(v, (self.nv,), "v")
        h = b.out(None, (6,))
        status = lib.rbv_tree_momentum(self._tree, self._workspace(threads), b.pointer, pointer(q), pointer(v), pointer(h),
                                       _NULL)
        check(status, [], "momentum")
        return h

    def neutral(self) -> "Array":
        """q (nq) at which bodies coincide with their joints' frames."""
        q = np.empty(self.nq)
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
        target, start = numbers_of(pose, 7, "pose"), numbers_of(q, self.nq, "q")
        if turn and not target[3:].any():
            raise ValueError("the quaternion of pose is zero; turn=False reaches for the position alone")
        if not 0 < float(tolerance) < float("inf"):
            raise ValueError(f"tolerance must be positive, not {tolerance!r}")
        report = ffi.new("RbvTreeReach *")
        status = lib.rbv_tree_reach(self._tree, self._workspace(1), self._body(body), self._point(point), pointer(target),
                                    bool(turn), float(tolerance), pointer(start), report)
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
        status = lib.rbv_tree_set_body(self._tree, index, float(mass), *numbers, messages.pointer)
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
        self.tree = Tree(tree)
        self._handle, self._compiled = handle, compiled
        self._linkage = linkage = handle.pointer
        self._alone = Alone("linkage")
        count, self.closings = 0, []  # type: int, List[str]
        while lib.rbv_linkage_closing_name(linkage, count) != _NULL:
            self.closings.append(text_of(lib.rbv_linkage_closing_name(linkage, count)))
            count += 1
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
            status = lib.rbv_linkage_inverse(self._linkage, self._space(threads), b.pointer, pointer(q), pointer(v),
                                             pointer(a), pointer(w), pointer(efforts), pointer(r), pointer(c), pointer(m),
                                             report)
        for name, array in (("q", q), ("v", v), ("a", a), ("wrenches", w)) if status else ():
            if array is not None and not np.isfinite(b.sample(array, report.samples)).all():
                raise ValueError(f"{name} must be finite numbers" + (f"; sample {report.samples} is not" if not b.single else ""))
        check(status, [], f"inverse, sample {report.samples}")
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
