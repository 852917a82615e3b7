/* Reactions of all rows, from the balance of forces on the bodies, D^T lambda = wrenches - (m, J) a.
 *
 * Where coordinates keep joints by themselves, the equations of motion have no multipliers of these joints' rows. Their
 * reactions are computed with the absolute system (the same model in absolute coordinates), whose saddle point system
 * has D in place of C:
 *
 *   [ M  D^T ] [ x      ]   [ wrenches - (m, J) a ]
 *   [ D   0  ] [ lambda ] = [ 0                   ]      x is zero, as far as a is the acceleration
 *
 * This is used for samples. What reads reactions between samples (friction, teeth, impulses) keeps the multipliers of
 * the motion, which balance its accelerations to rounding even at singular positions, and computes only the others:
 *
 *   D_kept^T lambda_kept = wrenches - (m, J) a - D_other^T lambda_other
 *
 * The same equation holds for impulses, with jumps of twists in place of a, and for the accelerations caused by a
 * single force. */
#ifndef RBV_DYNAMICS_ACCELERATIONS_KEPT_REACTIONS_H
#define RBV_DYNAMICS_ACCELERATIONS_KEPT_REACTIONS_H

#include "dynamics/accelerations/saddle.h"
#include "solution/reaction/reactions.h"

typedef struct RbvKeptReactions {
    RbvArena arena; /* owns the arrays */
    RbvState *state;
    RbvSaddle *motion;  /* saddle point system of the motion, over the state */
    RbvState *absolute; /* state of the absolute system; NULL: the motion has all multipliers itself */
    RbvSaddle *saddle;  /* saddle point system of the absolute system */
    bool *kept;         /* [rows] rows that carry a force and whose multipliers the motion does not have */
    double *lambda;     /* [rows] scratch */
    double *f, *x;      /* [bodies.size] scratch */
} RbvKeptReactions;

/* Creates the kept reactions; state and motion stay the caller's. False: out of memory; to be destroyed all the
 * same. */
bool rbv_kept_reactions_create(RbvKeptReactions *kept_reactions, RbvState *state, RbvSaddle *motion);
void rbv_kept_reactions_destroy(RbvKeptReactions *kept_reactions);
/* Forgets the factors: the next ones do not depend on those before. */
void rbv_kept_reactions_forget(RbvKeptReactions *kept_reactions);
/* Computes and factors the absolute system's matrix at the bodies of the state, whose positions are evaluated;
 * carrying[rows]: rows that carry forces, NULL: all. False: not finite, singular, or out of memory
 * (state->no_memory). */
bool rbv_kept_reactions_place(RbvKeptReactions *kept_reactions, const bool *carrying);
/* Finds a solution lambda[rows] for wrenches[bodies] and accelerations[bodies] (NULL: none), after
 * rbv_kept_reactions_place; there is an absolute system. False: a number is not finite. */
bool rbv_kept_reactions_solve(RbvKeptReactions *kept_reactions, const RbvWrench *wrenches,
                              const RbvTwist *accelerations, double *lambda);
/* Computes and factors the absolute system's matrix with only those rows of carrying[rows] (NULL: all) whose
 * multipliers the motion, already factored, does not have. The following functions then return the multipliers of all
 * rows. False: as rbv_kept_reactions_place. */
bool rbv_kept_reactions_prepare(RbvKeptReactions *kept_reactions, const bool *carrying);
/* a[size of v] and lambda[rows] for the state's wrenches, Q and gamma. False: a number is not finite. */
bool rbv_kept_reactions_accelerate(RbvKeptReactions *kept_reactions, double *a, double *lambda);
/* x[size of v] and lambda[rows] caused by the wrenches in rbv_saddle_wrenches of the motion alone; Q[size of v]
 * receives their generalized forces (x may be Q). False: a number is not finite. */
bool rbv_kept_reactions_answer(RbvKeptReactions *kept_reactions, double *Q, double *x, double *lambda);
/* x[size of v] and lambda[rows] of rbv_saddle_solve for f = 0 and g[rows of C]. False: a number is not finite. */
bool rbv_kept_reactions_jump(RbvKeptReactions *kept_reactions, const double *g, double *x, double *lambda);
/* lambda[rows], near a singular position: the multipliers that the absolute system's own solution for the state's
 * wrenches lacks (rbv_saddle_left), as in absolute coordinates. Afterwards rbv_kept_reactions_place is needed again.
 * False: singular, or a number is not finite. */
bool rbv_kept_reactions_left(RbvKeptReactions *kept_reactions, double *lambda);
/* Finds reactions->lambda[rows] with the wrenches L(lambda) along lines of centres of gears and belts, from the
 * multipliers bare[rows] (forces or impulses) without L. Q[size of v], mu[rows]: workspace. False: the iteration does
 * not settle. */
bool rbv_tooth_pushes(RbvReactions *reactions, RbvKeptReactions *kept_reactions, const double *bare, double *Q,
                      double *mu);

#endif
