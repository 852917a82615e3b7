/* The equations of Newton's equilibrium of all bodies or of a group. */
#ifndef RBV_SOLUTION_REACTION_NEWTON_METHOD_H
#define RBV_SOLUTION_REACTION_NEWTON_METHOD_H

#include "core/base/arena.h"
#include "mechanics/system/system.h"

/* A joint whose wrench at the second marker is unknown: force [N], and torque over `length` [N], ground axes. */
typedef struct RbvNewtonJoint {
    int32_t joint, first, rows; /* index of the joint; first row and number of rows in the system */
    double length;
    double part[6][6]; /* [rows] from the wrench to the multiplier of each row */
} RbvNewtonJoint;

typedef struct RbvNewtonSystem {
    RbvArena arena; /* memory of the arrays */
    const RbvSystem *system;
    int32_t width; /* unknowns of a joint: six, in the plane three */
    int32_t joint_count, other_count;
    RbvNewtonJoint *joints;
    int32_t *other; /* rows that belong to no joint (drives, constraints ...): one effort each */
    int32_t body_rows, free_rows, zero_count;
    int32_t *column;         /* [body_rows] columns of bodies.size whose balance is an equation */
    int32_t *body;           /* [body_rows] body of that column */
    int32_t *zero, *zero_of; /* [zero_count] rows whose multiplier is set to zero; index of the row's joint, or
                                joint_count + index in `other` */
    int32_t unknowns, equations;
    int32_t *start, *index; /* pattern of the matrix by equations */
    double *values;
    int32_t count, row;           /* scratch: number of entries and equations written */
    int32_t *touch_start, *touch; /* [bodies + 1] starts, and ends of joints at each body: 2 joint + side */
    int32_t *entry_start, *entry, *entry_other; /* [bodies.size + 1] entries of D in each column; their `other` */
} RbvNewtonSystem;

/* Does the row act on one of the bodies marked in taken[bodies]? */
bool rbv_newton_row_acts(const RbvSystem *system, const bool *taken, int32_t row);
/* Equations of the bodies marked in taken[bodies] (NULL: all) with the joints and rows at them, for the rows active
 * in `state`; multipliers of the rows marked in zero[all held rows] (NULL: none) are zero. NULL: no memory. */
RbvNewtonSystem *rbv_newton_system_create(const RbvState *state, const bool *taken, const bool *zero);
void rbv_newton_system_destroy(RbvNewtonSystem *newton);

#endif
