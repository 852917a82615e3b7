/* Closed linkages on plain arrays. Input: positions, velocities and accelerations of the driven coordinates; output:
 * their efforts, all reactions and the motion of all joints.
 *
 * A linkage is an open tree (tree.h) and closings: joints between two of its bodies that close loops. Some components
 * of the tree's v are driven; the others follow from the loops. As for trees, nothing is allocated after a workspace
 * has been created.
 *
 *   C(q) v = 0     rows of the closings: virtual motions of their two bodies relative to each other;
 *                  q of joints that are not driven by Newton's method, from the previous sample
 *   C^T lambda     reactions of the closings on the tree;
 *                  lambda from the joints that are not driven, whose efforts are zero
 *   efforts        what inverse dynamics of the tree leaves on the driven coordinates
 *
 * If the closings have redundant rows (planar loops in space), lambda is the solution of least norm (forces in N,
 * torques in N m), and rbv_linkage_unique tells which reactions do not depend on that choice. */
#ifndef ROBERVAL_LINKAGE_H
#define ROBERVAL_LINKAGE_H

#include <roberval/tree.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Rows of a closing: what it constrains of its second frame relative to its first. Sums of RBV_HOLD_...; RBV_CLOSE_...
 * are the sums of common joints. */
enum {
    RBV_HOLD_X = 1,      /* offset of the second origin along the first frame's x is zero */
    RBV_HOLD_Y = 2,      /* offset along y is zero */
    RBV_HOLD_Z = 4,      /* offset along z is zero */
    RBV_HOLD_AXES = 8,   /* z axes are parallel (two rows) */
    RBV_HOLD_TURN = 16,  /* no rotation about z: x of the first frame is perpendicular to y of the second */
    RBV_HOLD_CROSS = 32, /* z axes are perpendicular */
    RBV_HOLD_EQUAL =
        64, /* shafts along z turn at equal speeds: no relative rotation about z, for any angle between the axes */
    RBV_HOLD_SCREW =
        128, /* offset along z = pitch times the rotation about z, with its whole turns; needs parallel axes */
    RBV_HOLD_DISTANCE = 256,  /* distance of the origins is fixed: a bar without mass */
    RBV_HOLD_TEETH = 512,     /* the `line` of teeth does no work on the bodies: gears, racks, belts. Not to be combined
                                 with other rows */
    RBV_CLOSE_SPHERICAL = 7,  /* X Y Z */
    RBV_CLOSE_REVOLUTE = 15,  /* rotation about z is free */
    RBV_CLOSE_PRISMATIC = 27, /* translation along z is free: all rows but Z */
    RBV_CLOSE_CYLINDRICAL = 11, /* rotation about and translation along z are free */
    RBV_CLOSE_UNIVERSAL =
        39, /* rotations about z of the first and z of the second frame are free; these axes are perpendicular */
    RBV_CLOSE_PLANAR = 12,            /* translations along x and y and rotation about z are free */
    RBV_CLOSE_CONSTANT_VELOCITY = 71, /* X Y Z and EQUAL */
    RBV_CLOSE_SCREW = 139,            /* screw motion about z with the pitch is free */
    RBV_CLOSE_FIXED = 31,
    RBV_CLOSE_PIN = 3,   /* revolute joint of a linkage whose tree moves in its x, y plane only: no redundant rows */
    RBV_CLOSE_SLIDE = 18 /* slide along x of such a planar linkage: Y and TURN */
};

/* Teeth of gears and racks, or strands of a belt. Wrenches (force, torque) are about the carrier's origin, along its
 * axes, on the second body; the opposite acts on the first. The power of the line, as a function of v of the tree, has
 * constant coefficients, since wheels turn (and racks slide) on the carrier; these coefficients and the initial sum of
 * positions are the constraint. */
typedef struct RbvTeeth {
    int32_t carrier;  /* index of the carrier body; -1: the ground */
    double line[6];   /* wrench for a unit reaction */
    double beside[6]; /* additional wrench for a unit reaction: helical teeth push along the axes. Does no work */
    double apart[6]; /* additional wrench for a unit of the reaction's absolute value: teeth push the wheels apart. Does
                        no work */
    double constant[6]; /* wrench independent of the reaction: tension of a belt. Does no work */
    double phase;       /* [m] sum of coefficients times components of q */
} RbvTeeth;

typedef struct RbvClosing {
    int32_t body[2];    /* two different bodies of the tree; -1: the ground */
    double place[2][3]; /* [m] origins of both frames, in the frames of the bodies */
    double turn[2][4];  /* quaternions w x y z of the axes of both frames; any length */
    uint32_t holds;     /* sum of RBV_HOLD_..., or RBV_CLOSE_... */
    /* The following members may be zero. */
    uint32_t drives; /* sum of RBV_HOLD_X, _Y, _Z, _TURN, _DISTANCE: free coordinates of the closing that are driven:
                        position of the second origin along the axes of the first frame, the angle about z with whole
                        turns, the distance of the origins */
    double pitch;    /* [m/rad] SCREW; positive: right-handed */
    double distance; /* [m] DISTANCE: > 0 */
    double damping[5], rotor[5]; /* for the coordinates X, Y, Z, TURN, DISTANCE, in the units of RbvTreeBody; rotors for
                                    driven coordinates */
    RbvTeeth teeth;              /* TEETH */
} RbvClosing;

typedef struct RbvLinkage RbvLinkage;
typedef struct RbvLinkageWorkspace RbvLinkageWorkspace;

/* Create the linkage of a tree with count closings. The tree must outlive the linkage. driven[driven_count]: the driven
 * coordinates: indices of v, of joints with angles and distances (not of quaternions), and from nv on the driven
 * coordinates of closings (nv + 0, nv + 1, ... in their order, X Y Z TURN DISTANCE of each; all of them), none twice.
 * On RBV_OK *linkage is new, to be destroyed by the caller; else NULL. BAD_INPUT: the reason is in diagnostics (may be
 * NULL).
 *
 * A body that closings and joints of the tree hold only at points of one line (a rod between balls) may spin about this
 * line. If the spin has no effect (the centre of mass lies on the line, the inertia is symmetric about it, no rotor and
 * no damping), the spin is idle: a note reports it, the component of the angular velocity along the line is set to
 * zero, and the angle is arbitrary. Otherwise BAD_INPUT. */
RBV_API RbvStatus rbv_linkage_create(const RbvTree *tree, int32_t count, const RbvClosing *closings,
                                     int32_t driven_count, const int32_t *driven, RbvDiagnostics *diagnostics,
                                     RbvLinkage **linkage);
RBV_API void rbv_linkage_destroy(RbvLinkage *linkage);

/* q[nq] of the model's starting poses, for rbv_linkage_start; loops may be open. For a linkage without a model: as
 * rbv_tree_neutral. */
RBV_API RbvStatus rbv_linkage_origin(const RbvLinkage *linkage, double *q);

/* rbv_linkage_closing_name: name of the model's joint of a closing; "": no model; NULL: no such index.
 * rbv_linkage_driven: index in v of a driven coordinate, or nv and more for a closing's coordinate; -1: no such index.
 */
RBV_API const char *rbv_linkage_closing_name(const RbvLinkage *linkage, int32_t index);
RBV_API int32_t rbv_linkage_driven(const RbvLinkage *linkage, int32_t index);

/* Index of the body of the tree with the idle spin number `index`, from 0; -1: no such index. */
RBV_API int32_t rbv_linkage_idle(const RbvLinkage *linkage, int32_t index);

/* Number of driven coordinates; number of rows: of all closings, of their driven coordinates and of idle spins. */
RBV_API int32_t rbv_linkage_driven_count(const RbvLinkage *linkage);
RBV_API int32_t rbv_linkage_row_count(const RbvLinkage *linkage);

/* Memory for one calling thread, for batches on up to `threads` >= 1 threads (at most 64). The workspace keeps the last
 * samples, from which the next one is found, and no reference to the linkage. */
RBV_API RbvStatus rbv_linkage_workspace_create(const RbvLinkage *linkage, int32_t threads,
                                               RbvLinkageWorkspace **workspace);
RBV_API void rbv_linkage_workspace_destroy(RbvLinkageWorkspace *workspace);

/* Close the loops near q[nq], with the driven coordinates of q fixed (angles of closings except whole turns, which the
 * first sample gives), and select the branch that is followed from here on. On RBV_OK q is closed. NOT_ASSEMBLED: the
 * loops do not close; LOCKED: the driven coordinates do not determine the others there. */
RBV_API RbvStatus rbv_linkage_start(const RbvLinkage *linkage, RbvLinkageWorkspace *workspace, double *q);

/* Report on a batch of samples. */
typedef struct RbvLinkageReport {
    int64_t samples;    /* number of computed samples; after a failure, the index of the failed sample */
    int64_t iterations; /* iterations of Newton's method, of all samples */
    /* Checks of the laws of mechanics: largest error of all samples, relative to the terms that cancel: */
    double gap;     /* gaps of the closings before the last Newton step: at most 1e-12 */
    double motion;  /* velocities and accelerations of the two frames of each closing against each other */
    double balance; /* efforts of the tree, with the reactions of the closings as wrenches, minus the efforts found */
} RbvLinkageReport;

/* Efforts[driven count] of the motion q, v, a[driven count] of the driven coordinates, in the order of `driven`, under
 * gravity and wrenches[body count][6] (NULL: none), which act as in rbv_tree_inverse. Outputs that may be NULL:
 * reactions[body count][6] of the tree's joints, as in rbv_tree_inverse; closing_reactions[closings][6]: force, then
 * torque about the second frame's origin, of the first body on the second, along the first frame's axes (without
 * efforts of the closing's driven coordinates); motion[nq + 2 nv]: q, v, a of the whole tree.
 *
 * `batch` as for trees (NULL: one sample), but each sample is computed from the one before (the first from the
 * workspace's last); several threads take shares of a batch, and their numbers agree with those of one thread to
 * rounding. A step: q is guessed from the last samples along their motion, then closed by Newton's method; the steps
 * and the signs of the closings' determinants verify that it stays on the branch. A sample too far away is reached in
 * smaller steps. Fastest, with one Newton step per sample, are samples some hundredths of a radian apart whose q, v and
 * a are consistent.
 *
 * Each sample is checked by the laws of mechanics, see RbvLinkageReport. NOT_ASSEMBLED, LOCKED: as rbv_linkage_start;
 * INCONSISTENT: more is driven than the loops allow and the velocities contradict each other, or a wrench turns a body
 * about the line of an idle spin; NOT_FINITE; AUDIT_FAILED: a law does not hold to 1e-8, which is an error of the
 * library or of numbers that differ by many orders of magnitude. After a failure the outputs of that sample and of all
 * later ones are NaN, `report` (may be NULL) holds its index, and the workspace stays where the loops last closed.
 * BAD_ARGUMENT also: no rbv_linkage_start before. */
RBV_API RbvStatus rbv_linkage_inverse(const RbvLinkage *linkage, RbvLinkageWorkspace *workspace,
                                      const RbvTreeBatch *batch, const double *q, const double *v, const double *a,
                                      const double *wrenches, double *efforts, double *reactions,
                                      double *closing_reactions, double *motion, RbvLinkageReport *report);

/* Uniqueness of each component of the last sample's reactions: reactions[body count][6], closing_reactions[closings][6]
 * as in rbv_linkage_inverse (either may be NULL): 1 unique, 0 not unique. */
RBV_API RbvStatus rbv_linkage_unique(const RbvLinkage *linkage, RbvLinkageWorkspace *workspace, uint8_t *reactions,
                                     uint8_t *closing_reactions);
/* Uniqueness of efforts[driven count] of the last sample: unique are those of coordinates on which no other drive acts.
 * The others are shared by the least norm of all reactions. */
RBV_API RbvStatus rbv_linkage_unique_efforts(const RbvLinkage *linkage, RbvLinkageWorkspace *workspace,
                                             uint8_t *efforts);

#ifdef __cplusplus
}
#endif
#endif
