/* Closed linkages on plain arrays: positions, rates and accelerations of the driven joints in; their efforts, all
 * reactions and the motion of all joints out.
 *
 * A linkage is an open tree (tree.h) and closings: joints between two of its bodies that close loops. Some numbers of
 * the tree's v are driven; the others follow from the loops. As of trees, nothing is allocated after a workspace has
 * been created.
 *
 *   C(q) v = 0             the closings, by virtual motions of their two bodies against each other; q of the joints
 *                          that are not driven by Newton's method from the sample before
 *   C^T lambda             their reactions on the tree; lambda from the joints that are not driven, whose efforts are
 *                          zero
 *   efforts                what inverse dynamics of the tree leaves on the driven ones
 *
 * Planar loops in space and the like hold more than is needed: then lambda is the one of least norm (forces in N,
 * torques in N m), and rbv_linkage_unique says which reactions do not depend on that choice.
 */
#ifndef ROBERVAL_LINKAGE_H
#define ROBERVAL_LINKAGE_H

#include <roberval/tree.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a closing holds, of its second frame against its first; sums of these. */
enum {
    RBV_HOLD_X = 1,      /* the second origin lies not off the first along the first x, */
    RBV_HOLD_Y = 2,      /* y, */
    RBV_HOLD_Z = 4,      /* z */
    RBV_HOLD_AXES = 8,   /* the z axes are parallel (two rows) */
    RBV_HOLD_TURN = 16,  /* no turn about z: x of the first is square to y of the second */
    RBV_HOLD_CROSS = 32, /* the z axes are square to each other */
    RBV_HOLD_EQUAL = 64, /* shafts along z turn at equal speeds: no turn about z, whatever the angle between the axes */
    RBV_HOLD_SCREW =
        128, /* z = pitch times the turn about z, whole turns those that z has made; the axes are parallel */
    RBV_HOLD_DISTANCE = 256,          /* the distance of the origins: a bar without mass */
    RBV_HOLD_TEETH = 512,             /* the `line` of teeth does no work on the bodies: gears, racks, belts. Alone */
    RBV_CLOSE_SPHERICAL = 7,          /* X Y Z */
    RBV_CLOSE_REVOLUTE = 15,          /* about z */
    RBV_CLOSE_PRISMATIC = 27,         /* along z: all but Z */
    RBV_CLOSE_CYLINDRICAL = 11,       /* about and along z */
    RBV_CLOSE_UNIVERSAL = 39,         /* about z of the first and z of the second, which are square */
    RBV_CLOSE_PLANAR = 12,            /* along x and y and about z */
    RBV_CLOSE_CONSTANT_VELOCITY = 71, /* X Y Z and EQUAL */
    RBV_CLOSE_SCREW = 139,            /* about z, and along it by the pitch */
    RBV_CLOSE_FIXED = 31,
    RBV_CLOSE_PIN =
        3, /* a revolute joint of a linkage whose tree moves in its x, y plane alone: nothing that is held twice */
    RBV_CLOSE_SLIDE = 18 /* along x likewise: Y and TURN */
};

/* Teeth, or the strands of a belt. Forces and torques about the carrier's origin, along its axes, on the second body;
 * their opposite acts on the first. The power of the line, as a function of the numbers of the tree, has constant
 * coefficients, since the wheels turn (and racks slide) on what the carrier holds: they and the position that they
 * add up to are the relation that is held. */
typedef struct RbvTeeth {
    int32_t carrier;    /* a body; -1: the ground */
    double line[6];     /* for a reaction of one */
    double beside[6];   /* what comes with it, times the reaction: helical teeth push along the axes. Does no work */
    double apart[6];    /* times the reaction's amount: teeth press the wheels apart. Does no work */
    double constant[6]; /* whatever the reaction: a belt's tension. Does no work */
    double phase;       /* [m] sum of coefficients times numbers of q */
} RbvTeeth;

typedef struct RbvClosing {
    int32_t body[2];    /* of the tree, not the same; -1: the ground */
    double place[2][3]; /* [m] origins of the frames, in the frames of the bodies */
    double turn[2][4];  /* quaternions w x y z of their axes; their lengths do not count */
    uint32_t holds;     /* RBV_HOLD_..., or RBV_CLOSE_... */
    /* What follows may be zero. */
    uint32_t drives; /* RBV_HOLD_X, _Y, _Z, _TURN, _DISTANCE: coordinates that it leaves free and that are driven:
                      * of the second origin along the axes of the first frame, the angle about z with whole turns,
                      * the distance of the origins */
    double pitch;    /* [m/rad] SCREW, positive: right-handed */
    double distance; /* [m] > 0: DISTANCE */
    double damping[5],
        rotor[5];   /* of the coordinates X, Y, Z, TURN, DISTANCE, as in RbvTreeBody; rotors of driven ones */
    RbvTeeth teeth; /* TEETH */
} RbvClosing;

typedef struct RbvLinkage RbvLinkage;
typedef struct RbvLinkageWorkspace RbvLinkageWorkspace;

/* The linkage of a tree, which has to outlive it, with count closings and driven numbers, in the order of `driven`:
 * indices of v, of joints with angles and distances (not of quaternions), and from nv on the driven coordinates of
 * closings (nv + 0, nv + 1, ... in their order, X Y Z TURN DISTANCE of each; all of them), none twice. On RBV_OK
 * *linkage is new, to be destroyed by the caller; else NULL. BAD_INPUT: the diagnostics (may be NULL) say what is
 * wrong.
 *
 * A body that closings and joints of the tree hold at points of one line only (a rod between balls) may spin about
 * it. Where nothing feels that (its centre lies on the line, its inertia is symmetric about it, no rotor and no
 * damping), the spin is idle: a note says so, and it is held, so that the angular velocity has no part along the
 * line; its angle counts for nothing. Else it is a mistake. */
RBV_API RbvStatus rbv_linkage_create(const RbvTree *tree, int32_t count, const RbvClosing *closings,
                                     int32_t driven_count, const int32_t *driven, RbvDiagnostics *diagnostics,
                                     RbvLinkage **linkage);
RBV_API void rbv_linkage_destroy(RbvLinkage *linkage);

/* The linkage of a model: its tree as of rbv_tree_from_model, through which all loops but their closings go, and the
 * coordinates that its drives move, in their order. Both new, to be destroyed by the caller, the linkage first.
 * BAD_INPUT: the diagnostics say what a linkage cannot have: constraints, cams, what rolls, joints that come and go
 * or may let go, drives on rates or on anything but a coordinate of a joint. */
RBV_API RbvStatus rbv_linkage_from_model(const RbvModel *model, RbvDiagnostics *diagnostics, RbvTree **tree,
                                         RbvLinkage **linkage);

/* q[nq] of the model's starting poses, which may leave loops open: for rbv_linkage_start. Of a linkage that comes from
 * no model: as rbv_tree_neutral. */
RBV_API RbvStatus rbv_linkage_origin(const RbvLinkage *linkage, double *q);

/* The joint of the model that a closing is; "": it comes from no model; NULL: no such index. The index in v of a
 * driven number, or nv and more: of a closing's coordinate; -1: no such index. */
RBV_API const char *rbv_linkage_closing_name(const RbvLinkage *linkage, int32_t index);
RBV_API int32_t rbv_linkage_driven(const RbvLinkage *linkage, int32_t index);

/* The body of the tree whose spin about its own line is idle and held, index 0, 1, ...; -1: no such index. */
RBV_API int32_t rbv_linkage_idle(const RbvLinkage *linkage, int32_t index);

/* Numbers of driven coordinates; of rows of all closings, of driven ones of theirs and of idle spins. */
RBV_API int32_t rbv_linkage_driven_count(const RbvLinkage *linkage);
RBV_API int32_t rbv_linkage_row_count(const RbvLinkage *linkage);

/* All memory of one thread of the caller, for batches on up to `threads` >= 1 threads (at most 64). It keeps the last
 * samples, from which the next one is found, and no reference to the linkage. */
RBV_API RbvStatus rbv_linkage_workspace_create(const RbvLinkage *linkage, int32_t threads,
                                               RbvLinkageWorkspace **workspace);
RBV_API void rbv_linkage_workspace_destroy(RbvLinkageWorkspace *workspace);

/* Close the loops near q[nq of the tree], the driven numbers as they are there (angles of closings but for whole
 * turns, which the first sample gives): this names the branch that is followed from here on. q is closed then.
 * NOT_ASSEMBLED: they do not close; LOCKED: the driven numbers do not determine the others there. */
RBV_API RbvStatus rbv_linkage_start(const RbvLinkage *linkage, RbvLinkageWorkspace *workspace, double *q);

/* Where computing many samples ended. */
typedef struct RbvLinkageReport {
    int64_t samples;    /* that were computed; of one that failed, its index */
    int64_t iterations; /* of Newton's method, of all of them */
    /* The laws of mechanics on what was computed, the largest error of all samples, beside the terms that cancel: */
    double gap;    /* closings, before the last step of Newton's method: at most 1e-12 */
    double motion; /* rates and accelerations of the frames of closings against each other */
    double
        balance; /* efforts that the tree, with the reactions of the closings as wrenches, needs beyond those found */
} RbvLinkageReport;

/* Efforts[driven count] of the motion q, v, a[driven count] of the driven joints, in the order of `driven`, under
 * gravity and wrenches[body count][6] (NULL: none), which act as in rbv_tree_inverse. Any of the following may be NULL:
 * reactions[body count][6] of the tree's joints, likewise; closing_reactions[closings][6], force, then torque about the
 * second frame's origin, of the first body on the second, along the first frame's axes (efforts of its driven
 * coordinates are no part of it); motion[nq + 2 nv]: q, v, a of the whole tree.
 *
 * `batch`: as of trees (NULL: one sample), but one sample follows the other, each from the one before (the first from
 * the workspace's last); on several threads shares of a batch, whose numbers are those of one thread to rounding. What
 * is gone in one step: guessed from the last samples along their motion, closed by Newton's method, and on the same
 * branch, as its steps and the signs of the closings' determinants tell; a sample that is farther is come to in smaller
 * steps. Fastest, with one step of Newton's method a sample, are samples some hundredths of a radian apart whose q, v
 * and a belong together.
 *
 * Each sample is checked by the laws of mechanics, see RbvLinkageReport. NOT_ASSEMBLED, LOCKED as of
 * rbv_linkage_start; INCONSISTENT: more is driven than the loops allow and the rates contradict each other, or a
 * wrench turns a body about the line of an idle spin; NOT_FINITE; AUDIT_FAILED: a law does not hold to 1e-8, which is
 * a mistake of the library or of numbers that differ by many orders. Then the outputs of that sample and all after it
 * are NaN, `report` (may be NULL) says which it was, and the workspace stays where the loops last closed on the way.
 * BAD_ARGUMENT also: no rbv_linkage_start before. */
RBV_API RbvStatus rbv_linkage_inverse(const RbvLinkage *linkage, RbvLinkageWorkspace *workspace,
                                      const RbvTreeBatch *batch, const double *q, const double *v, const double *a,
                                      const double *wrenches, double *efforts, double *reactions,
                                      double *closing_reactions, double *motion, RbvLinkageReport *report);

/* Which components of the last sample's reactions are unique: reactions[body count][6], closing_reactions[closings][6]
 * as of rbv_linkage_inverse (either may be NULL). Zero where a part is not. */
RBV_API RbvStatus rbv_linkage_unique(const RbvLinkage *linkage, RbvLinkageWorkspace *workspace, uint8_t *reactions,
                                     uint8_t *closing_reactions);
/* And which efforts[driven count]: those of coordinates that no other drive has a part in. Of the others it is the
 * least norm of all reactions that shares the load. */
RBV_API RbvStatus rbv_linkage_unique_efforts(const RbvLinkage *linkage, RbvLinkageWorkspace *workspace,
                                             uint8_t *efforts);

#ifdef __cplusplus
}
#endif
#endif
