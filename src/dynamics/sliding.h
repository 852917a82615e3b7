/* Coulomb friction of a motion: joints that slide, and joints that stick.
 *
 *   sliding: s_j = -mu_j N_j(R(s)) sign_j, with M a + C^T lambda = Q + sum_j s_j g_j;   R is linear in s, so that Newton on s needs one solution for each sliding joint
 *   sticking: a row holds the coordinate where it is; its force is friction, up to mu_static N
 * The sign belongs to the phase, not to the rate: at the instant at which a joint begins to slide its rate is zero.
 */
#ifndef RBV_DYNAMICS_SLIDING_H
#define RBV_DYNAMICS_SLIDING_H

#include "dynamics/saddle.h"
#include "reaction/friction_law.h"

typedef struct RbvSliding {
    RbvState *state;
    RbvSaddle *saddle;
    RbvReactions *reactions; /* for its unit wrenches */
    int32_t count;
    int32_t *joint;          /* [count] */
    int *sign;               /* [count] of the rate; 0: sticks */
    double *effort;          /* [count] of the last solution: of those that stick too */
    double *load;            /* [count] N of the last solution */
    double *base;            /* [rows] */
    double *answer, *a;      /* [count][rows], [count][n] of a unit effort */
    double *J;               /* [count][count + 1] */
    double *Q;               /* [n] */
    RbvWrench *wrenches;     /* [bodies] */
} RbvSliding;

/* False: no memory; to be destroyed all the same. */
bool rbv_sliding_create(RbvSliding *sliding, RbvState *state, RbvSaddle *saddle);
void rbv_sliding_destroy(RbvSliding *sliding);
/* a[n] and lambda[rows] at the loaded state, with friction. False: a number is not finite, or it jams. */
bool rbv_sliding_solve(RbvSliding *sliding, double *a, double *lambda);
/* The power of sliding friction [W]. */
double rbv_sliding_power(const RbvSliding *sliding);
/* Its wrenches on bodies, added. */
void rbv_sliding_push(const RbvSliding *sliding, RbvWrench *wrenches);
/* The rate of joint number i's coordinate. */
double rbv_sliding_rate(const RbvSliding *sliding, int32_t i);

#endif
