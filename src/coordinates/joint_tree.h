/* A spanning tree of the bodies: each body hangs on one other by a joint, or on ground by nothing.
 *
 * An arc is the chart of the directions that its joint leaves free: with the joint's first and second marker,
 *
 *   P_2 = P_1 + A_1 x        A_2 = A_1 T
 *
 * x: the free translations, in the first marker's axes; T: no turn, a turn about one of its axes, any turn (a ball), or
 * about z_1 and then about z_2 square to it (a cross). Of a screw one number is free, its angle: x = (phase + pitch
 * angle/2pi) e_z, the phase being what its row holds (coordinates.h); the whole turns are those that z has made, and
 * whether the quaternion has made one more or less stands behind them.
 * The second may be the one that hangs on the first, or the first on the second. A body that no joint ties hangs on
 * ground by all directions; so it is in its centroid.
 *
 * Which joints are tree joints: those that hold most, so that few rows are left for what closes loops; of equal ones
 * those nearest to ground, so that loops are short; then the first of the model. No result hangs on it. Joints that
 * come and go, let go on one side, hold no directions, or that the user has cut are none. What an arc does not hold of
 * its joint (equal speeds of shafts) stays a row.
 */
#ifndef RBV_COORDINATES_JOINT_TREE_H
#define RBV_COORDINATES_JOINT_TREE_H

#include "coordinates/coordinates.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum RbvTreeJointTurn {
    RBV_TREE_JOINT_NO_TURN, /* A_2 = A_1, in the plane turned by what the joint holds */
    RBV_TREE_JOINT_AXIS,    /* about axis `axis` of both */
    RBV_TREE_JOINT_BALL,    /* any: a unit quaternion */
    RBV_TREE_JOINT_CROSS    /* about z_1, and then about z_2 = the turned x_1 */
} RbvTreeJointTurn;

/* The arc on which a body hangs. Its numbers of v: slides, then turns; of q: slides, then angles or a quaternion, and
 * behind all of the tree's the whole turns. */
typedef struct RbvJointTreeJoint {
    int32_t parent;   /* the body that carries it; 0: ground */
    int32_t joint;    /* -1: none, it is free */
    int32_t depth;    /* tree joints from ground */
    int32_t column;   /* its first in v */
    int32_t position; /* its first in q */
    int32_t whole;    /* where whole turns stand in q; -1: it has none */
    int8_t wholes;   /* how many: of its angles, of a screw's quaternion; in the plane of a turn that is held, for poses
                        may lie whole turns apart */
    int8_t sign;     /* 1: the joint's second marker is the body's; -1: its first is */
    int8_t slides;   /* how many translations are free, and */
    int8_t slide[3]; /* which */
    int8_t turns;    /* how many numbers of v turn it, behind those that shift it: 0 ... 3 */
    int8_t axis;     /* AXIS: 0 1 2 */
    bool screw;      /* AXIS: x goes with the angle */
    RbvTreeJointTurn turn;
    bool scalar; /* a generalized coordinate */
} RbvJointTreeJoint;

typedef struct RbvJointTree {
    int32_t *order;                 /* [bodies] parents before those that hang on them; ground first */
    RbvJointTreeJoint *tree_joints; /* [bodies] by body */
    uint8_t *kept;                  /* [joints] what tree joints hold: directions, and RBV_KEPT_EXTRA */
    int32_t size;                   /* numbers of v */
    int32_t positions;              /* numbers of q */
} RbvJointTree;

/* The tree of a model; arrays in `arena`. `cut` [joints] are no tree joints, `base` [bodies] hang on nothing (NULL:
 * none). False: no memory. */
bool rbv_joint_tree_create(const RbvModel *model, const bool *cut, const bool *base, RbvArena *arena,
                           RbvJointTree *tree);
/* How far a screw goes along its axis a radian; 0 of other tree joints. */
double rbv_tree_joint_lead(const RbvModel *model, const RbvJointTreeJoint *tree_joint);

#endif
