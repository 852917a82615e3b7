/* The equations of Newton's equilibrium of bodies, all of them or some: see newton_system.c. */
#ifndef RBV_REACTION_NEWTON_SYSTEM_H
#define RBV_REACTION_NEWTON_SYSTEM_H

#include "system/system.h"

/* A joint whose wrench at the second marker is unknown: its force [N], and its torque over `length` [N], ground axes.
 */
typedef struct RbvNewtonJoint {
    int32_t joint, first, rows; /* its rows among those of the system */
    double length;
    double part[6][6]; /* [rows] from the wrench to the multiplier of each row */
} RbvNewtonJoint;

typedef struct RbvNewtonSystem {
    const RbvSystem *system;
    int32_t width; /* unknowns of a joint: six, in the plane three */
    int32_t joint_count, other_count;
    RbvNewtonJoint *joints;
    int32_t *other; /* rows of drives, constraints and what else is no joint's: an effort each */
    int32_t body_rows, free_rows, zero_count;
    int32_t *column;         /* [body_rows] of bodies, balanced one by one */
    int32_t *body;           /* [body_rows] whose it is */
    int32_t *zero, *zero_of; /* [zero_count] rows of joints and others whose multiplier is said to be zero; which joint
                                it is, or joint_count + which of the others */
    int32_t unknowns, equations;
    int32_t *start, *index; /* the pattern, by equations */
    double *values;
    int32_t count, row;                         /* scratch: entries and equations written */
    int32_t *touch_start, *touch;               /* [bodies + 1] ends of joints at each body: 2 joint + side */
    int32_t *entry_start, *entry, *entry_other; /* [bodies.size + 1] entries of D in each column, of which of `other` */
} RbvNewtonSystem;

/* Does the row act on one of the bodies marked in taken[bodies]? */
bool rbv_newton_row_acts(const RbvSystem *system, const bool *taken, int32_t row);
/* Of the bodies marked in taken[bodies] (NULL: all) with what touches them, as rows hold in `state`; multipliers of the
 * rows marked in zero[all held rows] (NULL: none) are zero. NULL: no memory. */
RbvNewtonSystem *rbv_newton_system_create(const RbvState *state, const bool *taken, const bool *zero);
void rbv_newton_system_destroy(RbvNewtonSystem *newton);
/* The entries at the placed state. */
void rbv_newton_system_fill(RbvNewtonSystem *newton, const RbvState *state);
/* The right-hand side b[equations] for the inertia (m, J) a - Q of bodies, inertia[bodies.size]; lambda[held rows] of
 * what is among the unknowns x[unknowns]. */
void rbv_newton_system_push(const RbvNewtonSystem *newton, const RbvState *state, const double *inertia, double *b);
void rbv_newton_system_multipliers(const RbvNewtonSystem *newton, const double *x, double *lambda);

#endif
