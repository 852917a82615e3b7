/* What forces have too much of, along each freedom that joints, constraints and drives leave, of moving bodies as a
 * given motion has them:
 *
 *   residual = R^T (Q - (m, J) a),   D R = 0,  column k of R: freedom k at the rate 1 and the others at rest
 * It is zero where the motion obeys the laws of mechanics. Else a drive on that freedom would have to bring the
 * opposite, and where it would act nobody knows: on bodies it is put as the least forces that have this power, w = S^-2
 * R (R^T S^-2 R)^-1 residual, S: torques over the arm of their part.
 */
#ifndef RBV_REACTION_SURPLUS_H
#define RBV_REACTION_SURPLUS_H

#include "assembly/freedom.h"
#include "base/arena.h"

typedef struct RbvSurplus {
    const RbvSystem *system;
    RbvArena arena;
    int32_t count;
    const char **names, **units; /* [count] "hinge.angle", of the residual */
    RbvFreedomPick *picks;       /* [count] */
    bool *lost;                  /* [count] of the last sample: no longer a freedom of its own */
    double *R;                   /* [count][bodies.size] */
    double *value;               /* [count] of the last sample; NaN: lost */
    double *left, *inertia;      /* [bodies.size] w; (m, J) a */
    RbvWrench *missing;          /* [bodies] what would have to be added to the loads about centroids: -w */
    double share;                /* of the last sample: |w| over the largest force or inertia, torques over arms */
    int32_t worst;               /* the freedom whose residual has the largest share in w */
    char *text;                  /* [text_size] scratch for names */
    size_t text_size;
} RbvSurplus;

/* The freedoms at the placed state. NO_MEMORY; BAD_INPUT (said): the system is too large for its freedoms to be told
 * apart. To be destroyed in any case. */
RbvStatus rbv_surplus_create(RbvState *state, RbvDiagnostics *diagnostics, RbvSurplus **surplus);
void rbv_surplus_destroy(RbvSurplus *surplus);
/* R at the state, which is placed anew: rates have to be moved again afterwards. False: no memory. */
bool rbv_surplus_place(RbvSurplus *surplus, RbvState *state);
/* Residuals for forces less inertia b[bodies.size] at the accelerations of the state. False: no memory, or not finite.
 */
bool rbv_surplus_find(RbvSurplus *surplus, const RbvState *state, const double *b);

#endif
