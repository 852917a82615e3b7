/* Open trees of rigid bodies on plain arrays. Input: positions, velocities and accelerations of joints; output:
 * efforts. For control loops and for data.
 *
 * A tree is created once from a table of bodies. A workspace holds all memory for computing: after its creation nothing
 * is allocated (except by the threads of a batch, see below). Each function computes one sample, or many at once
 * (RbvTreeBatch). For loops, gears between any bodies, drives as functions of time, contacts: see system.h and
 * analysis.h.
 *
 * Inverse dynamics, by the recursion of Newton and Euler:
 *
 *   tau = M(q) a + c(q, v) + g(q) - sum of J^T (applied wrench)
 *
 * Units are SI: m, rad, kg, s, N, N m. A prismatic joint has q [m], v [m/s], tau [N]; a rotating one q [rad], v
 * [rad/s], tau [N m].
 *
 * Frames. The axes of a body's frame are fixed in the body. The frame of its joint is fixed in the parent: origin at
 * `place`, axes rotated by `turn` (both in the parent's frame; the parent of the first bodies is the ground). The
 * body's frame is the joint's frame moved by the joint; at q = 0 they coincide.
 *
 * Components of q and v for each kind of joint, in this order (nq and nv numbers):
 *   fixed        0, 0
 *   revolute     1, 1  angle about `axis`
 *   prismatic    1, 1  distance along `axis`
 *   screw        1, 1  angle about `axis`; advances by `pitch` along it for each rad
 *   cylindrical  2, 2  angle about `axis`, distance along it
 *   universal    2, 2  angle about `axis`, which is fixed in the parent; then angle about
 *                `second_axis` (given in the joint's frame at q = 0), which is fixed in the body
 *   planar       3, 3  distances along x and y of the joint's frame, then the angle about z.
 *                `axis` is not used
 *   spherical    4, 3  q: unit quaternion w x y z of the body's axes in the joint's frame;
 *                v: angular velocity relative to the parent, along the body's axes
 *   free         7, 6  q: position x y z of the body's origin in the joint's frame, then a
 *                quaternion as for spherical; v: the rates of x y z (along the axes of the
 *                joint's frame), then the angular velocity along the body's axes
 * a is the time derivative of v; the power of the efforts is tau . v. A quaternion may have any length but zero: only
 * its direction counts. Joints stand in q and v in the order of their bodies.
 *
 * Applied wrenches: [body count][6], force then torque about the body's origin, both along the body's own axes.
 * Reactions: [body count][6], force then torque about the body's origin, along the body's own axes, of the parent on
 * the body: everything that the joint transmits, including efforts of its motor and friction; at the end of a chain of
 * joints without masses, as for cylindrical joints, the reaction of its last joint.
 *
 * Statuses of all functions that compute: BAD_ARGUMENT (NULL where an array is needed, an index out of range, a
 * workspace of another tree), else OK. Input that is not finite gives output that is not finite. Arrays stay the
 * caller's. Input and output arrays may not overlap.
 *
 * Threads: computing does not change a tree; any number of threads may use one, each with its own workspace. No other
 * call may run during rbv_tree_set_body or rbv_tree_set_gravity. */
#ifndef ROBERVAL_TREE_H
#define ROBERVAL_TREE_H

#include <roberval/base.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum RbvTreeJoint {
    RBV_TREE_FIXED,
    RBV_TREE_REVOLUTE,
    RBV_TREE_PRISMATIC,
    RBV_TREE_SCREW,
    RBV_TREE_CYLINDRICAL,
    RBV_TREE_UNIVERSAL,
    RBV_TREE_PLANAR,
    RBV_TREE_SPHERICAL,
    RBV_TREE_FREE
} RbvTreeJoint;

/* A body and the joint that connects it to its parent. Arrays for joints with several freedoms are read as far as the
 * joint has numbers: lower and upper [nq], the others [nv]. */
typedef struct RbvTreeBody {
    const char *name; /* not empty, unique */
    int32_t parent;   /* index of a body before this one; -1: the ground */
    RbvTreeJoint joint;
    double place[3];       /* [m] origin of the joint's frame in the parent's frame */
    double turn[4];        /* quaternion w x y z of the joint's axes in the parent's frame; any length */
    double axis[3];        /* in the joint's frame; any length */
    double second_axis[3]; /* universal joint only */
    double pitch;          /* [m/rad] screw only; positive: right-handed */
    double mass;           /* [kg] >= 0 */
    double centre[3];      /* [m] centre of mass in the body's frame */
    double inertia[6]; /* [kg m^2] Ixx Iyy Izz Ixy Ixz Iyz about the centre of mass, along the body's axes. No principal
                          moment may be negative; a note reports one above the sum of the others, which no real body
                          has, but tables of robots do */
    double lower[7], upper[7]; /* [m, rad] limits of q, for inverse kinematics only; not for quaternions */
    double rotor[6]; /* [kg m^2, kg] inertia of the motor reflected to the joint (ratio^2 times its own): adds rotor * a
                        to the effort */
    double damping[6]; /* damping [N m s, N s/m] and friction [N m, N]: -damping * v - friction * sign(v) acts on the
                          joint, and the effort balances it; sign(0) = 0 */
    double friction[6];
    int32_t mimic; /* q = ratio * q of body `mimic` + offset: such a joint has no component of its own in q, v, tau.
                      Both joints are revolute, prismatic or screw. -1: none */
    double ratio, offset;
} RbvTreeBody;

/* Revolute about z at the ground's origin, without mass, without limits (-+infinity), mimic -1, ratio 1. */
RBV_API extern const RbvTreeBody rbv_tree_body_default;

typedef struct RbvTree RbvTree;

/* Create a tree of count >= 1 bodies under gravity[3] [m/s^2] in the ground's frame (NULL: none). The table and its
 * names are copied. On RBV_OK *tree is new, to be destroyed by the caller; else NULL. BAD_INPUT: diagnostics (may be
 * NULL) name the wrong body and the reason. */
RBV_API RbvStatus rbv_tree_create(int32_t count, const RbvTreeBody *bodies, const double *gravity,
                                  RbvDiagnostics *diagnostics, RbvTree **tree);
RBV_API void rbv_tree_destroy(RbvTree *tree);

/* Name of the model's coordinate at `index` of q ("hinge.angle", as in results: same value, sign and zero); "" if the
 * model has no coordinate for it (quaternions, angles of universal joints, free bodies). For a tree without model: the
 * name of the body. NULL: no such index. */
RBV_API const char *rbv_tree_coordinate(const RbvTree *tree, int32_t index);

/* Index in q of the coordinate of this name, or -1; for a body whose joint has several unnamed coordinates, the first.
 */
RBV_API int32_t rbv_tree_find_coordinate(const RbvTree *tree, const char *name);

/* Number of bodies; sizes of q and of v. */
RBV_API int32_t rbv_tree_body_count(const RbvTree *tree);
RBV_API int32_t rbv_tree_q_count(const RbvTree *tree);
RBV_API int32_t rbv_tree_v_count(const RbvTree *tree);

/* rbv_tree_find: index of a body by its name, or -1. rbv_tree_body: a body as created (with changed payloads), its name
 * owned by the tree; NULL: no such index. */
RBV_API int32_t rbv_tree_find(const RbvTree *tree, const char *name);
RBV_API const RbvTreeBody *rbv_tree_body(const RbvTree *tree, int32_t body);

/* First index of a body's joint in q and in v; -1: none (fixed, or a mimic joint). Number of components in q and in v.
 */
RBV_API int32_t rbv_tree_q_index(const RbvTree *tree, int32_t body);
RBV_API int32_t rbv_tree_v_index(const RbvTree *tree, int32_t body);
RBV_API int32_t rbv_tree_joint_q_count(const RbvTree *tree, int32_t body);
RBV_API int32_t rbv_tree_joint_v_count(const RbvTree *tree, int32_t body);
/* Index of the body whose joint has component `index` of v; -1: no such index. */
RBV_API int32_t rbv_tree_body_of_v(const RbvTree *tree, int32_t index);

/* Change mass, centre and inertia of a body (a payload taken up), as in RbvTreeBody; the parameters of the regressor
 * change, too. BAD_INPUT as rbv_tree_create: nothing is changed. */
RBV_API RbvStatus rbv_tree_set_body(RbvTree *tree, int32_t body, double mass, const double centre[3],
                                    const double inertia[6], RbvDiagnostics *diagnostics);
RBV_API RbvStatus rbv_tree_set_gravity(RbvTree *tree, const double gravity[3]); /* [m/s^2] in the ground's frame */

/* --- workspaces and batches --- */

/* Vector instructions that compute several samples at once. All give the same numbers up to rounding (1e-13 of the
 * largest term of a sum). */
typedef enum RbvTreeLanes {
    RBV_LANES_BEST,  /* the widest of this machine */
    RBV_LANES_ONE,   /* one sample after the other, base instructions of the machine only */
    RBV_LANES_BASE,  /* two samples at once: SSE2, NEON */
    RBV_LANES_AVX2,  /* four samples at once: AVX2 and FMA */
    RBV_LANES_AVX512 /* eight samples at once: AVX-512F */
} RbvTreeLanes;

/* All memory for computing of one calling thread; the call may start other threads, see RbvTreeBatch. Keeps no
 * reference to the tree. */
typedef struct RbvTreeWorkspace RbvTreeWorkspace;

/* Create a workspace for batches on up to `threads` >= 1 threads. On RBV_OK *workspace is new, to be destroyed by the
 * caller; else NULL. */
RBV_API RbvStatus rbv_tree_workspace_create(const RbvTree *tree, int32_t threads, RbvTreeWorkspace **workspace);
RBV_API void rbv_tree_workspace_destroy(RbvTreeWorkspace *workspace);
/* Select the vector instructions. BAD_ARGUMENT: this machine or this build does not have them; nothing is changed. */
RBV_API RbvStatus rbv_tree_workspace_set_lanes(RbvTreeWorkspace *workspace, RbvTreeLanes lanes);
RBV_API RbvTreeLanes
rbv_tree_workspace_lanes(const RbvTreeWorkspace *workspace); /* instructions in use, never RBV_LANES_BEST */

typedef enum RbvTreeLayout {
    RBV_BY_SAMPLE, /* [sample][n]: the n numbers of a sample are contiguous */
    RBV_BY_NUMBER  /* [n][sample]: faster, as the processor takes neighbouring samples at once */
} RbvTreeLayout;

/* Many samples in one call: each array of n numbers below then has count * n. A NULL batch: one sample. */
typedef struct RbvTreeBatch {
    int64_t count; /* >= 0 */
    RbvTreeLayout layout;
    int32_t
        threads; /* 0 or 1: the calling thread only; else this many, at most those of the workspace. Each call starts
                    them, which allocates memory of the operating system: pays off from some 0.2 ms of work on */
} RbvTreeBatch;

/* --- dynamics; array sizes of one sample --- */

/* Efforts tau[nv] for the motion q[nq], v[nv], a[nv] under gravity and wrenches[body count][6] (NULL: none);
 * reactions[body count][6] (NULL: not computed). */
RBV_API RbvStatus rbv_tree_inverse(const RbvTree *tree, RbvTreeWorkspace *workspace, const RbvTreeBatch *batch,
                                   const double *q, const double *v, const double *a, const double *wrenches,
                                   double *tau, double *reactions);

/* Terms of inverse dynamics without wrenches: tau = M(q) a + rbv_tree_velocity_terms + rbv_tree_gravity_terms. Gravity
 * terms: efforts that hold the tree at rest. Velocity terms: Coriolis and centrifugal forces, damping and friction. */
RBV_API RbvStatus rbv_tree_gravity_terms(const RbvTree *tree, RbvTreeWorkspace *workspace, const RbvTreeBatch *batch,
                                         const double *q, double *tau);
RBV_API RbvStatus rbv_tree_velocity_terms(const RbvTree *tree, RbvTreeWorkspace *workspace, const RbvTreeBatch *batch,
                                          const double *q, const double *v, double *tau);

/* Mass matrix M[nv][nv], symmetric, row-major, rotors included: kinetic energy = v . M v / 2. */
RBV_API RbvStatus rbv_tree_mass_matrix(const RbvTree *tree, RbvTreeWorkspace *workspace, const RbvTreeBatch *batch,
                                       const double *q, double *M);

/* Accelerations a[nv] from efforts tau[nv] and wrenches (NULL: none), with damping and friction, by articulated bodies.
 * If a freedom moves no mass the numbers are not finite. */
RBV_API RbvStatus rbv_tree_forward(const RbvTree *tree, RbvTreeWorkspace *workspace, const RbvTreeBatch *batch,
                                   const double *q, const double *v, const double *tau, const double *wrenches,
                                   double *a);

/* Derivatives of the efforts of rbv_tree_inverse. By q: dq[nv][nv], column k for a displacement along component k of v
 * (rbv_tree_move); for simple joints the partial derivative by q_k. By v: dv[nv][nv], with friction's sign(v) constant.
 * The derivative by a is M. tau[nv] (NULL: not computed). Wrenches (NULL: none) stay along the body's axes. */
RBV_API RbvStatus rbv_tree_derivatives(const RbvTree *tree, RbvTreeWorkspace *workspace, const RbvTreeBatch *batch,
                                       const double *q, const double *v, const double *a, const double *wrenches,
                                       double *dq, double *dv, double *tau);

/* C[nv][nv] with C v = Coriolis and centrifugal efforts (without damping and friction) and dM/dt - 2 C antisymmetric.
 */
RBV_API RbvStatus rbv_tree_coriolis_matrix(const RbvTree *tree, RbvTreeWorkspace *workspace, const RbvTreeBatch *batch,
                                           const double *q, const double *v, double *C);

/* Regressor Y[nv][10 body count]: tau = Y x + efforts of rotors, damping and friction, linear in the parameters x of
 * all bodies: mass, first moments mass * centre (3), inertia about the body's origin Ixx Iyy Izz Ixy Ixz Iyz.
 * rbv_tree_parameters gives x[10 body count] of the tree (one sample; no workspace). */
RBV_API RbvStatus rbv_tree_regressor(const RbvTree *tree, RbvTreeWorkspace *workspace, const RbvTreeBatch *batch,
                                     const double *q, const double *v, const double *a, double *Y);
RBV_API RbvStatus rbv_tree_parameters(const RbvTree *tree, double *x);

/* energies[2] [J]: kinetic (rotors included); potential, zero with all centres of mass at the height of the ground's
 * origin. */
RBV_API RbvStatus rbv_tree_energies(const RbvTree *tree, RbvTreeWorkspace *workspace, const RbvTreeBatch *batch,
                                    const double *q, const double *v, double *energies);

/* --- kinematics: a marker is a point[3] [m] in the frame of a body (NULL: its origin); body -1 is the ground --- */

/* pose[7] of a marker: position in the ground's frame, then the quaternion w x y z of the body's axes, w >= 0. */
RBV_API RbvStatus rbv_tree_pose(const RbvTree *tree, RbvTreeWorkspace *workspace, const RbvTreeBatch *batch,
                                int32_t body, const double *point, const double *q, double *pose);

/* J[6][nv]: J v = velocity of the marker, then angular velocity of its body, along the ground's axes. */
RBV_API RbvStatus rbv_tree_jacobian(const RbvTree *tree, RbvTreeWorkspace *workspace, const RbvTreeBatch *batch,
                                    int32_t body, const double *point, const double *q, double *J);
/* twist[6] = J v; bias[6] = (dJ/dt) v: accelerations of marker and body at a = 0. Either may be NULL. */
RBV_API RbvStatus rbv_tree_marker_rates(const RbvTree *tree, RbvTreeWorkspace *workspace, const RbvTreeBatch *batch,
                                        int32_t body, const double *point, const double *q, const double *v,
                                        double *twist, double *bias);

/* Centre of mass of all bodies [3] and J[3][nv] (NULL: not computed) with J v its velocity, in the ground's frame. NaN
 * for a tree without mass. */
RBV_API RbvStatus rbv_tree_centre_of_mass(const RbvTree *tree, RbvTreeWorkspace *workspace, const RbvTreeBatch *batch,
                                          const double *q, double *centre, double *J);

/* Momentum h[6] = A v (NULL: not computed) and A[6][nv] (NULL: not computed): momentum, then angular momentum about the
 * centre of mass of all bodies, along the ground's axes. Without rotors. */
RBV_API RbvStatus rbv_tree_momentum(const RbvTree *tree, RbvTreeWorkspace *workspace, const RbvTreeBatch *batch,
                                    const double *q, const double *v, double *h, double *A);

/* --- displacements of positions with quaternions --- */

/* Neutral q[nq], at which bodies coincide with their joints' frames: zeros, quaternions 1 0 0 0. */
RBV_API RbvStatus rbv_tree_neutral(const RbvTree *tree, double *q);
/* moved[nq]: q displaced along v[nv] * 1 s: q + v; a quaternion is multiplied by that of the rotation vector, and
 * normalised. */
RBV_API RbvStatus rbv_tree_move(const RbvTree *tree, RbvTreeWorkspace *workspace, const RbvTreeBatch *batch,
                                const double *q, const double *v, double *moved);
/* v[nv] with rbv_tree_move(from, v) = to; rotations of quaternions of at most pi. */
RBV_API RbvStatus rbv_tree_difference(const RbvTree *tree, RbvTreeWorkspace *workspace, const RbvTreeBatch *batch,
                                      const double *from, const double *to, double *v);

/* Result of inverse kinematics. */
typedef struct RbvTreeReach {
    int32_t iterations;
    double position_error; /* [m] */
    double angle_error;    /* [rad] */
    bool limited;          /* limits of joints are active at the solution */
} RbvTreeReach;

/* Inverse kinematics: q[nq], a start on entry, such that the marker has pose[7] (as in rbv_tree_pose), within the
 * joints' limits, with the least motion (in v's metric) in each step. `turn` false: position only. OK: both errors are
 * below tolerance (m, and rad). NOT_ASSEMBLED: they are not; q is the nearest found, and `reach` (may be NULL) holds
 * its errors. One sample. */
RBV_API RbvStatus rbv_tree_reach(const RbvTree *tree, RbvTreeWorkspace *workspace, int32_t body, const double *point,
                                 const double *pose, bool turn, double tolerance, double *q, RbvTreeReach *reach);

#ifdef __cplusplus
}
#endif
#endif
