/* Open trees of rigid bodies on plain arrays: positions, rates and accelerations of joints in, efforts out. For control
 * loops and for data.
 *
 * A tree is created once from a table of bodies. A workspace holds all memory that computing needs: after its creation
 * nothing is allocated (but by the threads of a batch, see below). Each function computes one sample, or many at once
 * (RbvTreeBatch). Loops, gears between any bodies, drives as functions of time, contacts: see system.h and analysis.h.
 *
 *   inverse dynamics   tau = M(q) a + c(q, v) + g(q) - sum of J^T (wrench applied)       by the recursion of Newton and
 *                      Euler
 *
 * Units are SI: m, rad, kg, s, N, N m. A prismatic joint has q [m], v [m/s], tau [N]; a turning one q [rad], v [rad/s],
 * tau [N m].
 *
 * Frames. The axes of a body's frame are fixed in it. The frame of its joint is fixed in the parent: its origin at
 * `place`, its axes turned by `turn` (both in the parent's frame; the parent of the first bodies is the ground). The
 * body's frame is the joint's frame moved by the joint; at q = 0 they are the same.
 *
 * What q and v hold of each kind of joint, in this order (nq and nv numbers):
 *   fixed        0, 0
 *   revolute     1, 1  angle about `axis`
 *   prismatic    1, 1  distance along `axis`
 *   screw        1, 1  angle about `axis`; it moves `pitch` along it for each rad
 *   cylindrical  2, 2  angle about `axis`, distance along it
 *   universal    2, 2  angle about `axis`, which is fixed in the parent; then angle about `second_axis` (given in the
 *                joint's frame at q = 0), which is fixed in the body
 *   planar       3, 3  distances along x and y of the joint's frame, then the angle about z. `axis` is not read
 *   spherical    4, 3  q: unit quaternion w x y z of the body's axes in the joint's frame; v: angular velocity relative
 *                to the parent, along the body's axes
 *   free         7, 6  q: position x y z of the body's origin in the joint's frame, then a quaternion as of spherical;
 *                v: the rates of x y z (along the axes of the joint's frame), then the angular
 *                      velocity along the body's axes
 * a is the rate of v, and tau the efforts whose power is tau . v. A quaternion need not be of unit length: its length
 * does not count. Joints stand in q and v in the order of their bodies.
 *
 * Wrenches applied to bodies: [body count][6], force then torque about the body's origin, both along the body's own
 * axes. Reactions: [body count][6], likewise, of the parent on the body: all that goes through the joint, efforts of
 * its motor and friction too; at the end of a chain of joints without masses, as cylindrical ones are, it is that of
 * its last.
 *
 * Statuses of all that compute: BAD_ARGUMENT (NULL where something is needed, an index out of range, a workspace of
 * another tree), else OK. A number that is not finite gives numbers that are not. Arrays stay the caller's. In and out
 * arrays may not overlap.
 *
 * Threads: a tree is not changed by computing; any number of threads may use it, each with a workspace of its own.
 * While rbv_tree_set_body or rbv_tree_set_gravity runs, no other call may.
 */
#ifndef ROBERVAL_TREE_H
#define ROBERVAL_TREE_H

#include <roberval/model.h>

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

/* A body and the joint that holds it to its parent. The arrays of q of joints with several freedoms (lower, upper,
 * rotor, ...) are read as far as the joint has numbers: lower and upper [nq], the rest [nv]. */
typedef struct RbvTreeBody {
    const char *name; /* not empty, and no two alike */
    int32_t parent;   /* index of a body before this one; -1: the ground */
    RbvTreeJoint joint;
    double place[3];       /* [m] origin of the joint's frame in the parent's frame */
    double turn[4];        /* quaternion w x y z of the joint's axes in the parent's frame; its length does not count */
    double axis[3];        /* in the joint's frame; its length does not count */
    double second_axis[3]; /* of a universal joint */
    double pitch;          /* [m/rad] of a screw; positive: right-handed */
    double mass;           /* [kg] >= 0 */
    double centre[3];      /* [m] centre of mass in the body's frame */
    double inertia[6];     /* [kg m^2] Ixx Iyy Izz Ixy Ixz Iyz about the centre of mass, along the body's axes. No
                            * principal moment is negative; a note says it where one is above the sum of the others, as
                            * of no real body: tables of robots have such */
    double lower[7], upper[7]; /* [m, rad] of q, for inverse kinematics only; not of quaternions */
    double rotor[6]; /* [kg m^2, kg] inertia of the motor as the joint feels it (ratio^2 times its own): adds rotor * a
                        to the effort */
    double damping[6]; /* [N m s, N s/m] and friction [N m, N]: on the joint acts -damping * v - friction * sign(v),
                          which the effort overcomes; sign(0) = 0 */
    double friction[6];
    int32_t mimic; /* q = ratio * q of body `mimic` + offset: such a joint has no number of its own in q, v, tau. Both
                      joints are revolute, prismatic or screw. -1: none */
    double ratio, offset;
} RbvTreeBody;

/* Revolute about z at the ground's origin, without mass, without limits (-+infinity), mimic -1, ratio 1. */
RBV_API RbvTreeBody rbv_tree_body_default(void);

typedef struct RbvTree RbvTree;

/* A tree of count >= 1 bodies under gravity[3] [m/s^2] (NULL: none). The table and its names are copied. On RBV_OK
 * *tree is new, to be destroyed by the caller; else NULL. BAD_INPUT: the diagnostics (may be NULL) say which body is
 * wrong and why. */
RBV_API RbvStatus rbv_tree_create(int32_t count, const RbvTreeBody *bodies, const double *gravity,
                                  RbvDiagnostics *diagnostics, RbvTree **tree);
RBV_API void rbv_tree_destroy(RbvTree *tree);

/* The tree of a model without loops, constraints and gears: its bodies by their names, gravity, rotors of drives,
 * stops as limits, damping of joints. Its loads and friction, which depend on more than the tree, are left out with a
 * note. A body's frame is that of the marker by which it hangs (of a universal joint turned so that the frames of
 * both markers are alike at 0); of a body that nothing ties its own. A joint of several numbers is a chain of simple
 * ones; bodies without mass in between are named as its coordinates are, "joint.x". BAD_INPUT: the diagnostics say
 * what an open tree cannot have. */
RBV_API RbvStatus rbv_tree_from_model(const RbvModel *model, RbvDiagnostics *diagnostics, RbvTree **tree);

/* The coordinate of the model that number `index` of q is ("hinge.angle", as in results: the same value, sign and
 * zero); "" where the model has none for it (quaternions, angles of universal joints, free bodies). Of a tree that
 * comes from no model: the name of its body. NULL: no such index. */
RBV_API const char *rbv_tree_coordinate(const RbvTree *tree, int32_t index);

/* The index in q of the number with this name, or -1; of a body whose joint has several numbers and no names for them
 * the first. */
RBV_API int32_t rbv_tree_find_coordinate(const RbvTree *tree, const char *name);

/* Sizes: bodies; numbers of q and of v. */
RBV_API int32_t rbv_tree_body_count(const RbvTree *tree);
RBV_API int32_t rbv_tree_q_count(const RbvTree *tree);
RBV_API int32_t rbv_tree_v_count(const RbvTree *tree);

/* The index of a body by its name, or -1; a body as it was given (payloads changed), its name belonging to the tree;
 * NULL: no such index. */
RBV_API int32_t rbv_tree_find(const RbvTree *tree, const char *name);
RBV_API const RbvTreeBody *rbv_tree_body(const RbvTree *tree, int32_t body);

/* Where the numbers of a body's joint begin in q and in v; -1: it has none (fixed, or it mimics another). And how many
 * it has. */
RBV_API int32_t rbv_tree_q_index(const RbvTree *tree, int32_t body);
RBV_API int32_t rbv_tree_v_index(const RbvTree *tree, int32_t body);
RBV_API int32_t rbv_tree_joint_q_count(const RbvTree *tree, int32_t body);
RBV_API int32_t rbv_tree_joint_v_count(const RbvTree *tree, int32_t body);
/* The body whose joint has the number `index` of v; -1: no such index. */
RBV_API int32_t rbv_tree_body_of_v(const RbvTree *tree, int32_t index);

/* Another mass, centre and inertia of a body (a payload taken up), as in RbvTreeBody; the regressor's parameters change
 * with it. BAD_INPUT as of rbv_tree_create: nothing was changed. */
RBV_API RbvStatus rbv_tree_set_body(RbvTree *tree, int32_t body, double mass, const double centre[3],
                                    const double inertia[6], RbvDiagnostics *diagnostics);
RBV_API RbvStatus rbv_tree_set_gravity(RbvTree *tree, const double gravity[3]); /* [m/s^2] in the ground's frame */

/* --- workspaces and batches --- */

/* What of the processor is used for many samples at once. All give the same numbers to rounding (1e-13 of the largest
 * term summed). */
typedef enum RbvTreeLanes {
    RBV_LANES_BEST,  /* the widest that this machine has */
    RBV_LANES_ONE,   /* one sample after the other, no instructions beyond the machine's base */
    RBV_LANES_BASE,  /* two at once: SSE2, NEON */
    RBV_LANES_AVX2,  /* four at once: AVX2 and FMA */
    RBV_LANES_AVX512 /* eight at once: AVX-512F */
} RbvTreeLanes;

/* All memory that computing needs, of one thread of the caller; it may start others, see RbvTreeBatch. Keeps no
 * reference to the tree. */
typedef struct RbvTreeWorkspace RbvTreeWorkspace;

/* For batches on up to `threads` >= 1 threads. On RBV_OK *workspace is new, to be destroyed by the caller; else NULL.
 */
RBV_API RbvStatus rbv_tree_workspace_create(const RbvTree *tree, int32_t threads, RbvTreeWorkspace **workspace);
RBV_API void rbv_tree_workspace_destroy(RbvTreeWorkspace *workspace);
/* Which instructions are used. BAD_ARGUMENT: this machine or this build has them not; nothing was changed. */
RBV_API RbvStatus rbv_tree_workspace_set_lanes(RbvTreeWorkspace *workspace, RbvTreeLanes lanes);
RBV_API RbvTreeLanes
rbv_tree_workspace_lanes(const RbvTreeWorkspace *workspace); /* those in use, never RBV_LANES_BEST */

typedef enum RbvTreeLayout {
    RBV_BY_SAMPLE, /* [sample][n]: the n numbers of a sample side by side */
    RBV_BY_NUMBER  /* [n][sample]: faster, as a processor takes neighbouring samples at once */
} RbvTreeLayout;

/* Many samples in one call: each array of n numbers below is then one of count * n. NULL instead of it: one sample. */
typedef struct RbvTreeBatch {
    int64_t count; /* >= 0 */
    RbvTreeLayout layout;
    int32_t threads; /* 0 or 1: the caller's alone; else so many, at most those of the workspace. They are started by
                        each call, which the system needs memory for: worth it from some 0.2 ms of work on */
} RbvTreeBatch;

/* --- dynamics; sizes of one sample --- */

/* Efforts tau[nv] of the motion q[nq], v[nv], a[nv] under gravity and wrenches[body count][6] (NULL: none);
 * reactions[body count][6] on request (NULL: none). */
RBV_API RbvStatus rbv_tree_inverse(const RbvTree *tree, RbvTreeWorkspace *workspace, const RbvTreeBatch *batch,
                                   const double *q, const double *v, const double *a, const double *wrenches,
                                   double *tau, double *reactions);

/* Parts of it: tau = M(q) a + rbv_tree_velocity_terms + rbv_tree_gravity_terms, without wrenches. Gravity: the
 * efforts that hold the tree at rest. Velocity: Coriolis and centrifugal forces, damping and friction. */
RBV_API RbvStatus rbv_tree_gravity_terms(const RbvTree *tree, RbvTreeWorkspace *workspace, const RbvTreeBatch *batch,
                                         const double *q, double *tau);
RBV_API RbvStatus rbv_tree_velocity_terms(const RbvTree *tree, RbvTreeWorkspace *workspace, const RbvTreeBatch *batch,
                                          const double *q, const double *v, double *tau);

/* M[nv][nv], symmetric, row-major, rotors included: kinetic energy = v . M v / 2. */
RBV_API RbvStatus rbv_tree_mass_matrix(const RbvTree *tree, RbvTreeWorkspace *workspace, const RbvTreeBatch *batch,
                                       const double *q, double *M);

/* Accelerations a[nv] that efforts tau[nv] and wrenches (NULL: none) give; damping and friction act. By articulated
 * bodies. Where a freedom moves no mass the numbers are not finite. */
RBV_API RbvStatus rbv_tree_forward(const RbvTree *tree, RbvTreeWorkspace *workspace, const RbvTreeBatch *batch,
                                   const double *q, const double *v, const double *tau, const double *wrenches,
                                   double *a);

/* Derivatives of the efforts of rbv_tree_inverse: by q, dq[nv][nv]: column k for a displacement along v's direction k
 * (rbv_tree_move), which of simple joints is the partial derivative by q_k; by v, dv[nv][nv], where friction's
 * sign(v) counts as constant. By a it is M. tau[nv] too (NULL: not). Wrenches (NULL: none) stay along the body's
 * axes. */
RBV_API RbvStatus rbv_tree_derivatives(const RbvTree *tree, RbvTreeWorkspace *workspace, const RbvTreeBatch *batch,
                                       const double *q, const double *v, const double *a, const double *wrenches,
                                       double *dq, double *dv, double *tau);

/* C[nv][nv] with C v = Coriolis and centrifugal efforts (no damping, no friction) and dM/dt - 2 C antisymmetric. */
RBV_API RbvStatus rbv_tree_coriolis_matrix(const RbvTree *tree, RbvTreeWorkspace *workspace, const RbvTreeBatch *batch,
                                           const double *q, const double *v, double *C);

/* Y[nv][10 body count]: tau = Y x + rotors', damping's and friction's efforts, linear in the parameters x of all
 * bodies: mass, first moments mass * centre (3), inertia about the body's origin Ixx Iyy Izz Ixy Ixz Iyz.
 * rbv_tree_parameters gives x[10 body count] of the tree as it is (one sample; no workspace). */
RBV_API RbvStatus rbv_tree_regressor(const RbvTree *tree, RbvTreeWorkspace *workspace, const RbvTreeBatch *batch,
                                     const double *q, const double *v, const double *a, double *Y);
RBV_API RbvStatus rbv_tree_parameters(const RbvTree *tree, double *x);

/* energies[2]: kinetic (rotors included); potential, zero with all centres of mass at the height of the ground's
 * origin. [J] */
RBV_API RbvStatus rbv_tree_energies(const RbvTree *tree, RbvTreeWorkspace *workspace, const RbvTreeBatch *batch,
                                    const double *q, const double *v, double *energies);

/* --- kinematics: a marker is a point[3] of a body, in its frame (NULL: its origin); body -1 is the ground --- */

/* pose[7]: position in the ground's frame, then the quaternion w x y z of the body's axes, w >= 0. */
RBV_API RbvStatus rbv_tree_pose(const RbvTree *tree, RbvTreeWorkspace *workspace, const RbvTreeBatch *batch,
                                int32_t body, const double *point, const double *q, double *pose);

/* J[6][nv]: J v = velocity of the marker, then angular velocity of its body, along the ground's axes. */
RBV_API RbvStatus rbv_tree_jacobian(const RbvTree *tree, RbvTreeWorkspace *workspace, const RbvTreeBatch *batch,
                                    int32_t body, const double *point, const double *q, double *J);
/* twist[6] = J v; bias[6] = (dJ/dt) v: the accelerations of marker and body at a = 0. Either may be NULL. */
RBV_API RbvStatus rbv_tree_marker_rates(const RbvTree *tree, RbvTreeWorkspace *workspace, const RbvTreeBatch *batch,
                                        int32_t body, const double *point, const double *q, const double *v,
                                        double *twist, double *bias);

/* Centre of mass of all bodies [3] and J[3][nv] (NULL: not) with J v its velocity, in the ground's frame. NaN of a tree
 * without mass. */
RBV_API RbvStatus rbv_tree_centre_of_mass(const RbvTree *tree, RbvTreeWorkspace *workspace, const RbvTreeBatch *batch,
                                          const double *q, double *centre, double *J);

/* A[6][nv] (NULL: not) and h[6] = A v (NULL: not): momentum, then angular momentum about the centre of mass of all
 * bodies, along the ground's axes. Rotors are no part of it. */
RBV_API RbvStatus rbv_tree_momentum(const RbvTree *tree, RbvTreeWorkspace *workspace, const RbvTreeBatch *batch,
                                    const double *q, const double *v, double *h, double *A);

/* --- positions as points of a curved space: quaternions --- */

/* q[nq] of the joints' frames: zeros, quaternions 1 0 0 0. */
RBV_API RbvStatus rbv_tree_neutral(const RbvTree *tree, double *q);
/* moved[nq]: from q along the displacement v[nv] * 1 s: q + v; a quaternion is multiplied by that of the rotation
 * vector, and normalised. */
RBV_API RbvStatus rbv_tree_move(const RbvTree *tree, RbvTreeWorkspace *workspace, const RbvTreeBatch *batch,
                                const double *q, const double *v, double *moved);
/* v[nv] with rbv_tree_move(from, v) = to; turns of quaternions of at most pi. */
RBV_API RbvStatus rbv_tree_difference(const RbvTree *tree, RbvTreeWorkspace *workspace, const RbvTreeBatch *batch,
                                      const double *from, const double *to, double *v);

/* What inverse kinematics found. */
typedef struct RbvTreeReach {
    int32_t iterations;
    double position_error; /* [m] */
    double angle_error;    /* [rad] */
    bool limited;          /* limits of joints hold at the solution */
} RbvTreeReach;

/* q[nq], a start on entry, such that the marker has pose[7] (as of rbv_tree_pose): within the joints' limits, with
 * the least motion (in v's metric) in each step. With `turn` false the position alone counts. OK: both errors are
 * below tolerance (m, and rad); NOT_ASSEMBLED: they are not, and q is as near as was found; `reach` (may be NULL)
 * says how near. One sample. */
RBV_API RbvStatus rbv_tree_reach(const RbvTree *tree, RbvTreeWorkspace *workspace, int32_t body, const double *point,
                                 const double *pose, bool turn, double tolerance, double *q, RbvTreeReach *reach);

#ifdef __cplusplus
}
#endif
#endif
