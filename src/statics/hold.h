/* Which values of a number p that the loads depend on friction can hold: those for which forces exist with
 *
 *   C^T lambda = Q0 + p Q1,   |f_i(lambda)| <= mu_i N_i(lambda),   lambda_u >= 0 of one-sided joints
 * with the rows of joints, constraints and drives, and of friction that sticks. (lambda, p) = z0 + Z y by the null
 * space of [C^T, -Q1]; f_i is linear in y, and the load N_i is convex: its tangent at any y lies below it. So each
 * program "the largest p with |f_i| <= mu_i (tangent of N_i)" has solutions that really hold, and so do all between two
 * of them; the tangents are renewed there until p gains no more (the convex-concave procedure). That gives an interval;
 * many starts find others, since the loads may press one side or the other. |f| is approached by half planes where f is
 * a vector, and where these do not end, by cones (hold_cones.h).
 */
#ifndef RBV_STATICS_HOLD_H
#define RBV_STATICS_HOLD_H

#include "reaction/reactions.h"
#include "solve/linear_program.h"
#include "system/friction_contacts.h"

#define RBV_MOST_HOLDS 16

/* All p from end[0] to end[1] hold, an infinite one being none; the friction that is at its limit there. */
typedef struct RbvHoldInterval {
    double end[2];
    bool *at_limit[2]; /* [friction contacts] */
} RbvHoldInterval;

typedef struct RbvHoldProblem {
    const RbvState *state; /* placed, its Jacobian there, at rest */
    const double *Q0, *Q1; /* [n] */
    double scale;          /* of p: what changes the loads by about their size */
    int32_t rows, vary;    /* the rows that hold; the unknowns y */
    int32_t *row;          /* [rows] */
    double *z0, *Z;        /* [rows + 1], [vary][rows + 1]: of lambda over `size`, and of p over `scale` */
    double size;           /* [N] of forces */
    RbvReactions *reactions;
    RbvWrench *reaction; /* [friction contacts][vary + 1] the joint's wrench of z0 and of each column of Z */
    double *friction;    /* [friction contacts][RBV_MOST_SLIP_DIRECTIONS][vary + 1] f likewise */
    double *tangent;     /* [friction contacts][vary + 1] mu N */
    double *sides; /* [friction contacts][RBV_MOST_SIDES][vary + 1] mu N likewise, from each side (hold_sides.h) */
    int32_t *side_count;                      /* [friction contacts] */
    double *y, *lambda;                       /* [vary], [rows of the system] */
    double *first;                            /* [vary] scratch */
    RbvProgram program;                       /* over y and what is lacking */
    RbvHoldInterval held[RBV_MOST_HOLDS + 1]; /* [count] apart from each other; the last is being found */
    int32_t count;
} RbvHoldProblem;

/* The intervals; `at`: a value that is asked for above all. NO_EQUILIBRIUM: what friction does not touch is out of
 * balance at every p; BAD_INPUT: too large. None: friction holds at no p. To be destroyed in all cases. */
RbvStatus rbv_hold_solve(RbvHoldProblem *hold, const RbvState *state, const double *Q0, const double *Q1, double at,
                         double scale, bool locked);
void rbv_hold_destroy(RbvHoldProblem *hold);

#endif
