/* Values of a number p, on which the loads depend, that friction can hold at rest: those for which forces exist with
 *
 *   C^T lambda = Q0 + p Q1,   |f_i(lambda)| <= mu_i N_i(lambda),   s_u lambda_u <= 0 of one-sided rows
 * with the rows of joints, constraints and drives, and of friction that sticks; s_u is rbv_hold_one_way. (lambda, p) =
 * z0 + Z y by the null space of [C^T, -Q1]; f_i is linear in y, and the load N_i is convex: its tangent at any y lies
 * below it. So each program "the largest p with |f_i| <= mu_i (tangent of N_i)" has solutions that satisfy the friction
 * law, and so do all between two of them. The tangents are renewed there until p gains no more (convex-concave
 * procedure). That gives an interval; many starts find others, since the loads may press one side or the other. |f| is
 * approximated by half planes where f is a vector, and where these do not converge, by cones. */
#ifndef RBV_STATICS_HOLD_H
#define RBV_STATICS_HOLD_H

#include "core/base/arena.h"
#include "core/solve/programs.h"
#include "mechanics/system/friction_contacts.h"
#include "solution/reaction/reactions.h"

/* Most disjoint intervals of p. */
#define RBV_MOST_HOLDS 16

/* Interval of p: friction holds for all p from end[0] to end[1], either of which may be infinite; and the friction
 * contacts that are at their limit at the ends. */
typedef struct RbvHoldInterval {
    double end[2];
    bool *at_limit[2]; /* [friction contacts] */
} RbvHoldInterval;

typedef struct RbvHoldProblem {
    RbvArena arena;        /* of all arrays but those of reactions and program */
    const RbvState *state; /* state at rest with its positions and Jacobian evaluated */
    const double *Q0, *Q1; /* [n] loads Q0 + p Q1 */
    double scale;          /* scale of p: the change of p that changes the loads by about their size */
    int32_t rows, vary;    /* rows: active rows; vary: number of unknowns y */
    int32_t *row;          /* [rows] indices of the active rows */
    double *z0, *Z;        /* [rows + 1], [vary][rows + 1]: lambda over `size`, and p over `scale` */
    double size;           /* [N] scale of forces */
    RbvReactions *reactions;
    RbvWrench *reaction; /* [friction contacts][vary + 1] wrench of the joint for z0 and for each column of Z */
    double *friction;    /* [friction contacts][RBV_MOST_SLIP_DIRECTIONS][vary + 1] f for z0 and for each column of Z */
    double *tangent;     /* [friction contacts][vary + 1] tangent of mu N */
    double *sides;       /* [friction contacts][RBV_MOST_SIDES][vary + 1] mu N as seen from each side */
    int32_t *side_count; /* [friction contacts] number of sides */
    double *y, *lambda;  /* [vary] unknowns; [rows of the system] multipliers */
    double *first;       /* [vary] workspace */
    RbvProgram program;  /* unknowns: y and the violation */
    RbvHoldInterval interval[RBV_MOST_HOLDS + 1]; /* [count] disjoint intervals; the last item is the one being found */
    int32_t count;
} RbvHoldProblem;

/* Finds the intervals; `at`: value of p of main interest. OK with count 0: friction holds at no p. NO_EQUILIBRIUM:
 * bodies without friction are out of balance at every p; BAD_INPUT: the problem is too large. Free with
 * rbv_hold_destroy in all cases. */
RbvStatus rbv_hold_solve(RbvHoldProblem *hold, const RbvState *state, const double *Q0, const double *Q1, double at,
                         double scale, bool locked);
void rbv_hold_destroy(RbvHoldProblem *hold);

/* Programs at the present tangents (hold_programs.c). */
/* Part of the size of forces by which friction may exceed its limit. */
#define RBV_HOLD_ABOVE 1e-11
/* Most sides of a contact: one row each of numbers 1 and its sides. A pin with a collar has eighteen of these
 * directions, the largest number. */
#define RBV_MOST_SIDES 24

/* Direction s in which the reaction of row k may push along the row's value: 1 up, -1 down (ropes, upper limits of
 * stops), 0 both. The multiplier of a one-sided row obeys s lambda <= 0. */
double rbv_hold_one_way(const RbvSystem *system, int32_t k);
/* |f| of friction contact i at y, and its direction `slip`; `ray`: without the constant terms. */
double rbv_hold_friction(const RbvHoldProblem *hold, int32_t i, const double *y, bool ray,
                         double slip[RBV_MOST_SLIP_DIRECTIONS]);
/* mu N of friction contact i at y; sets hold->tangent of this contact to its tangent there. */
double rbv_hold_tangent(RbvHoldProblem *hold, int32_t i, const double *y);
/* Sets the tangents of all contacts at y. */
void rbv_hold_tangents(RbvHoldProblem *hold, const double *y);
/* Sides of friction contact i into out[RBV_MOST_SIDES][vary + 1], each as mu times an affine function of y: all sides,
 * or those that meet at y. Returns their number, at least one. */
int32_t rbv_hold_sides(const RbvHoldProblem *hold, int32_t i, const double *y, double *out);
/* p at y, over its scale. */
double rbv_hold_value(const RbvHoldProblem *hold, const double *y);
/* True if friction holds at hold->y as it is; sets the tangents there. */
bool rbv_hold_fits(RbvHoldProblem *hold);
/* hold->y becomes the y of least violation; at: required value of p, over its scale, or NULL. Returns the violation;
 * infinite: not found. */
double rbv_hold_least_violation(RbvHoldProblem *hold, const double *at);
/* From a y that satisfies the tangents: x of hold->program gets the largest sign p. False: no more than `before` (of
 * sign p). *end: UNBOUNDED if p is unbounded. */
bool rbv_hold_push(RbvHoldProblem *hold, double sign, double before, RbvProgramEnd *end);

#endif
