/* A spanning tree of the bodies: each body is connected to its parent by one tree joint, or to ground without a joint.
 *
 * A tree joint has as coordinates the motion that its joint leaves free. With the joint's first and second marker,
 *
 *   P_2 = P_1 + A_1 x        A_2 = A_1 T
 *
 * x: the free translations, in the first marker's axes. T: no rotation, a rotation about one of the axes, any rotation
 * (ball), or a rotation about z_1 and then about z_2 normal to it (cross). A screw has one free number, its angle:
 * x = (phase + pitch angle/2pi) e_z, where phase is the constant of its row (coordinates.h). Its whole turns are those
 * of the rotation about z; a further number tells whether the quaternion has made one turn more. The child may have the
 * second marker or the first. A body without a joint to any other is connected to ground in all directions, at its
 * centroid.
 *
 * Choice of the tree joints: those with the most locked directions, so that few rows are left for closing the loops;
 * among equal ones those nearest to ground, so that loops are short; then the first in the model. No result depends on
 * the choice. Joints with conditions, one-sided joints, joints without locked directions and joints that the user has
 * cut are not tree joints. A relation of the joint that the tree joint does not keep (equal speeds of shafts) stays a
 * row. */
#ifndef RBV_MECHANICS_COORDINATES_JOINT_TREE_H
#define RBV_MECHANICS_COORDINATES_JOINT_TREE_H

#include "mechanics/coordinates/coordinates.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum RbvTreeJointTurn {
    RBV_TREE_JOINT_NO_TURN, /* A_2 = A_1; in the plane turned by the joint's locked angle */
    RBV_TREE_JOINT_AXIS,    /* about axis `axis` of both markers */
    RBV_TREE_JOINT_BALL,    /* any rotation, by a unit quaternion */
    RBV_TREE_JOINT_CROSS    /* about z_1, then about z_2 = the turned x_1 */
} RbvTreeJointTurn;

/* The tree joint of a body. Its numbers in v: translations, then rotations. In q: translations, then angles or a
 * quaternion; the whole turns of all tree joints stand at the end of q. */
typedef struct RbvJointTreeJoint {
    int32_t parent;   /* parent body; 0: ground */
    int32_t joint;    /* index in the model; -1: no joint, the body is free */
    int32_t depth;    /* number of tree joints from ground */
    int32_t column;   /* first column in v */
    int32_t position; /* first column in q */
    int32_t whole;    /* first column of the whole turns in q; -1: none */
    int8_t wholes;    /* number of whole-turn counters in q: one per angle; one more for a screw's quaternion; one for a
                         locked angle of the    plane, as starting poses may lie whole turns apart */
    int8_t sign;      /* 1: the joint's second marker is on the child; -1: the first is */
    int8_t slides;    /* number of free translations */
    int8_t slide[3];  /* their axes */
    int8_t turns;     /* number of rotations in v, after the translations: 0 ... 3 */
    int8_t axis;      /* of RBV_TREE_JOINT_AXIS: 0, 1, 2 */
    bool screw;       /* of RBV_TREE_JOINT_AXIS: x follows from the angle */
    RbvTreeJointTurn turn;
    bool scalar; /* the body is a generalized coordinate */
} RbvJointTreeJoint;

typedef struct RbvJointTree {
    int32_t *order;                 /* [bodies] parents before their children; ground first */
    RbvJointTreeJoint *tree_joints; /* [bodies] tree joint of each body */
    uint8_t *kept;                  /* [joints] mask of directions that the tree joints keep, and RBV_KEPT_EXTRA */
    int32_t size;                   /* numbers of v */
    int32_t positions;              /* numbers of q */
} RbvJointTree;

/* Builds the tree of a model; arrays in `arena`. `cut` [joints]: joints that must not be tree joints; `base` [bodies]:
 * bodies connected to ground without a joint (NULL: none). False if out of memory. */
bool rbv_joint_tree_create(const RbvModel *model, const bool *cut, const bool *base, RbvArena *arena,
                           RbvJointTree *tree);
/* [m/rad] translation of a screw along its axis per radian; 0 for other tree joints. */
double rbv_tree_joint_lead(const RbvModel *model, const RbvJointTreeJoint *tree_joint);

#endif
