/* Residuals of a prescribed motion: forces minus inertia along each freedom that joints, constraints and drives
 * leave,
 *
 *   residual = R^T (Q - (m, J) a),   D R = 0,  column k of R: freedom k at the rate 1 and the others at rest
 * A residual is zero where the motion obeys the laws of mechanics. Else a drive on that freedom would have to exert
 * the opposite; its place is unknown, so the residual is put on bodies as the least forces that have this power,
 *
 *   w = S^-2 R (R^T S^-2 R)^-1 residual        S: torques over the arm of their part */
#ifndef RBV_SOLUTION_REACTION_SURPLUS_H
#define RBV_SOLUTION_REACTION_SURPLUS_H

#include "core/base/arena.h"
#include "solution/assembly/freedom.h"

typedef struct RbvSurplus {
    const RbvSystem *system;
    RbvArena arena;
    int32_t count;
    const char **names, **units; /* [count] "hinge.angle", unit of the residual */
    RbvFreedomPick *picks;       /* [count] */
    bool *lost;                  /* [count] at the last sample: no longer an independent freedom */
    double *R;                   /* [count][bodies.size] */
    double *value;               /* [count] residuals of the last sample; NaN: lost */
    double *left, *inertia;      /* [bodies.size] residual force w; inertia (m, J) a */
    RbvWrench *missing;          /* [bodies] wrench that would have to be added to the loads about centroids: -w */
    double share;                /* of the last sample: |w| over the largest force or inertia, torques over arms */
    int32_t worst;               /* index of the freedom with the largest part of w; -1: none */
    double *A, *z;               /* [count][count], [count] scratch: R^T S^-2 R and the solution with it */
    int32_t *pivot;              /* [count] scratch */
    char *text;                  /* [text_size] scratch for names */
    size_t text_size;
} RbvSurplus;

/* Finds the freedoms at a state whose positions are evaluated. NO_MEMORY; BAD_INPUT, reported: the system is too
 * large to separate its freedoms. To be destroyed in any case. */
RbvStatus rbv_surplus_create(RbvState *state, RbvDiagnostics *diagnostics, RbvSurplus **surplus);
void rbv_surplus_destroy(RbvSurplus *surplus);
/* R at the state, whose positions are evaluated again: velocities have to be evaluated afterwards. False: no memory. */
bool rbv_surplus_place(RbvSurplus *surplus, RbvState *state);
/* Residuals for forces minus inertia b[bodies.size] at the accelerations of the state. False: singular, or not
 * finite. */
bool rbv_surplus_find(RbvSurplus *surplus, const RbvState *state, const double *b);

#endif
