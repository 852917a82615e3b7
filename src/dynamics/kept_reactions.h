/* Forces of all rows: what bodies lack, D^T lambda = wrenches - (m, J) a.
 *
 * Where coordinates keep joints by themselves, motion has no multipliers of these; the bodies are then those of the
 * system's absolute system in absolute coordinates, whose saddle point system has D for C:
 *
 *   [ M  D^T ] [ x      ]   [ wrenches - (m, J) a ]
 *   [ D   0  ] [ lambda ] = [ 0                   ]      x is zero, as far as a is the acceleration
 *
 * So for samples. What reads reactions between them (friction, teeth, impulses) keeps the multipliers that motion has,
 * with which its accelerations balance to rounding even at singular positions, and asks for the others alone:
 *
 *   D_kept^T lambda_kept = wrenches - (m, J) a - D_other^T lambda_other
 *
 * likewise of impulses, with changes of twists for accelerations, and of what a force by itself brings about.
 */
#ifndef RBV_DYNAMICS_KEPT_REACTIONS_H
#define RBV_DYNAMICS_KEPT_REACTIONS_H

#include "dynamics/saddle.h"

typedef struct RbvKeptReactions {
    RbvState *state;
    RbvSaddle *motion;  /* the saddle point system of the motion, over the state */
    RbvState *absolute; /* NULL: motion has all multipliers itself */
    RbvSaddle *saddle;  /* of the absolute system */
    bool *kept;         /* [rows] of those that carry, rows of which motion has no multipliers */
    double *lambda;     /* [rows] */
    double *f, *x;      /* [bodies.size] */
} RbvKeptReactions;

/* Both stay the caller's. False: no memory; to be destroyed all the same. */
bool rbv_kept_reactions_create(RbvKeptReactions *kept_reactions, RbvState *state, RbvSaddle *motion);
void rbv_kept_reactions_destroy(RbvKeptReactions *kept_reactions);
/* The next factors do not depend on those before. */
void rbv_kept_reactions_forget(RbvKeptReactions *kept_reactions);
/* D and its factors at the bodies of the state, which is placed; carrying[rows]: those that carry forces, NULL: all.
 * False: not finite, singular, or no memory (in the state). */
bool rbv_kept_reactions_place(RbvKeptReactions *kept_reactions, const bool *carrying);
/* Some lambda[rows] for wrenches[bodies] and accelerations[bodies] (NULL: none); there is a absolute system. False: a
 * number is not finite. */
bool rbv_kept_reactions_solve(RbvKeptReactions *kept_reactions, const RbvWrench *wrenches,
                              const RbvTwist *accelerations, double *lambda);
/* The same for rows of which motion, factored, has no multipliers; for its solutions with the multipliers of all rows:
 */
bool rbv_kept_reactions_prepare(RbvKeptReactions *kept_reactions, const bool *carrying);
/* a[size of v] and lambda[rows] for the state's wrenches, Q and gamma; */
bool rbv_kept_reactions_accelerate(RbvKeptReactions *kept_reactions, double *a, double *lambda);
/* for the wrenches of rbv_saddle_wrenches of the motion, which go to Q[size of v] (x may be Q); */
bool rbv_kept_reactions_answer(RbvKeptReactions *kept_reactions, double *Q, double *x, double *lambda);
/* for what is asked for alone: rbv_saddle_solve for f = 0 and g[rows of C]. */
bool rbv_kept_reactions_jump(RbvKeptReactions *kept_reactions, const double *g, double *x, double *lambda);
/* Near a singular position: what the absolute system's own accelerations and multipliers leave open (rbv_saddle_left),
 * as in absolute coordinates; after it the bearing is to be placed anew. */
bool rbv_kept_reactions_left(RbvKeptReactions *kept_reactions, double *lambda);

#endif
