/* The balance of forces at a placed state at rest, and its one sparse linear system: what all methods of statics step
 * with.
 *
 *   [ K + mu kappa I + s M   C^T    ] [ y  ]   [ f ]
 *   [ C                     -c      ] [ l  ] = [ h ]
 * All is scaled: coordinates of rotation by 1/L, rows to unit gradients; kappa [N/m] is the largest entry of K. The
 * compliance c [m/N] makes it regular whatever the rank of C. When it acts on the change of the multipliers only (the
 * proximal method of multipliers), it leaves no error behind; with c = 1/alpha and h = -Phi this is Newton's step of
 * the penalty method. Bodies that are held barely (locked_bodies.h) stay where they are. It is written over the
 * coordinates of the system, whichever these are: C then has their own rows besides, and not those that they keep, and
 * K is made of that of bodies (coordinate_blocks.h).
 */
#ifndef RBV_STATICS_BALANCE_H
#define RBV_STATICS_BALANCE_H

#include "linalg/lu.h"
#include "statics/along_joints.h"
#include "statics/coordinate_blocks.h"
#include "statics/locked_bodies.h"

/* Compliance of the multipliers times kappa in proximal steps: rounding of rows over it stays small against the
 * multipliers. */
#define RBV_PROXIMAL 1e-8

typedef struct RbvBalance {
    const RbvSystem *system;
    RbvState *state;
    int32_t n, rows; /* rows of C: those that hold; in coordinates with rows of their own all of them, some of which
                        have no weight */
    bool yields;     /* rows are penalties now: weights have the factors of joints */
    bool locked;     /* rows on rates hold, too */
    double reach;    /* [m] size of the largest part of the mechanism */
    double apart;   /* [m] what rows may be off by besides rounding: how far the place moved that a method with yielding
                       rows found in other coordinates; else 0 */
    double *scale;  /* [n] of coordinates */
    int32_t *owner; /* [n] a body that moves by the coordinate */
    double *weight; /* [rows] of rows; 0: does not hold */
    /* at the placed state */
    double *gradient;  /* [n] -Q, scaled [N] */
    double *phi;       /* [rows] scaled [m] */
    double *C;         /* [nonzeros] scaled */
    double error;      /* largest |phi| beyond rounding of its points' coordinates, over the size of its part */
    double gap;        /* [m] largest |phi| */
    double force_size; /* [N] the largest load on a body, scaled */
    double V, V_size;  /* [J] NaN: some load has no energy */
    double *lambda;    /* [rows] scaled [N] */
    double kappa, compliance;
    double hardness; /* [N/m] the same of what bodies move by: along coordinates that keep joints springs may be soft,
                        but what their places are rounded by they feel in full */
    double least_kappa; /* [N/m] kappa is no less, 0 unless set: along a path stiffness may vanish at a place */
    /* the linear system */
    int32_t *start;              /* [n + rows + 1] */
    int32_t *width;              /* [n] entries of K in a row, the first of it */
    RbvCoordinateBlocks *blocks; /* how bodies' blocks become entries where v is no body twists; NULL: it is */
    int32_t *neighbour_start, *neighbour,
        *offset;    /* [bodies + 1], [pairs] sorted bodies j of body i, and where their columns begin in rows of i */
    int32_t *index; /* columns of the entries, row by row */
    int32_t *at, *at_transposed; /* [nonzeros of C] places of its entries */
    double *values;
    RbvLu *lu;
    RbvLockedBodies *held; /* NULL: nothing that has to stay; else with factors of the last multipliers */
    double *b;             /* [n + rows] */
    double *K_y;           /* [n] scratch */
    RbvAlongJoints *along; /* how steps go, over bodies: along the joints of a tree; NULL: each body by itself */
    double *kept;          /* [position_size] the q that steps start from; at first that of the creation */
    RbvTwist *pushed;      /* [bodies] scratch */
    RbvBodyState *places;  /* [2][bodies] scratch, where v is no body twists */
    int32_t value_count;
} RbvBalance;

/* For a state that is assembled at its time; the state stays the caller's. NULL: no memory. */
RbvBalance *rbv_balance_create(RbvState *state, bool locked);
void rbv_balance_destroy(RbvBalance *balance);
/* Other rows hold: what they weigh at the state. False: a number is not finite. */
bool rbv_balance_weigh(RbvBalance *balance);
/* From now on what is held barely at the placed state, with a singular value below `below`, stays where it is; all else
 * that is held then, too. False: no memory. */
bool rbv_balance_hold(RbvBalance *balance, double below);

/* Everything of the q in the state, at rest. False: a number is not finite. */
bool rbv_balance_place(RbvBalance *balance);
/* K for the multipliers, the matrix with its shifts, and its factors. False: singular. */
bool rbv_balance_factor(RbvBalance *balance, double mu, double mass, double compliance);
/* The same without factors. */
void rbv_balance_fill(RbvBalance *balance, double mu, double mass, double compliance);
/* K alone, of all bodies, for rbv_balance_stiffness. */
void rbv_balance_take_stiffness(RbvBalance *balance);
/* Multipliers l[rows] of what is held, from the others. */
void rbv_balance_complete(RbvBalance *balance, double *l);
/* A right-hand side [n + rows] that leaves what is held alone. */
void rbv_balance_leave_held(const RbvBalance *balance, double *b);
/* y[n] and l[rows] for f[n] and h[rows]; l may be NULL. */
void rbv_balance_solve(RbvBalance *balance, const double *f, const double *h, double *y, double *l);
/* The step to equilibrium: f = -gradient, h = -phi - c lambda; l are the new multipliers. `held`: Phi counts as 0.
 * What redundant rows contradict each other by, rounding of lengths, would drive their multipliers away step by step.
 */
void rbv_balance_newton(RbvBalance *balance, bool held, double *y, double *l);
/* Multipliers that leave the least force, with no regard to K: spoils the factors. */
bool rbv_balance_multipliers(RbvBalance *balance);
/* The largest force left over with multipliers l [N]. */
double rbv_balance_left(RbvBalance *balance, const double *l);
/* The largest multiplier [N]. */
double rbv_balance_largest(const RbvBalance *balance);
/* Sum of a[k] b[k] over the coordinates. */
double rbv_balance_dot(const RbvBalance *balance, const double *a, const double *b);
/* Keep q, go back to it, and q = kept + factor y. */
void rbv_balance_keep(RbvBalance *balance);
void rbv_balance_back(RbvBalance *balance);
void rbv_balance_move(RbvBalance *balance, const double *y, double factor);
/* The twists [bodies] of the motion x, and those that lead from the place of `from` to that of now: in scratch of the
 * balance, K_y too. */
const RbvTwist *rbv_balance_push(const RbvBalance *balance, const double *x);
/* out[n] = P^T of wrenches [bodies], scaled, at the placed state. */
void rbv_balance_pull(const RbvBalance *balance, const RbvWrench *wrenches, double *out);
const RbvTwist *rbv_balance_way(const RbvBalance *balance, const double *from);
/* How much of y may be taken so that no body turns by more than `turn` [rad] or moves by more than `move` times the
 * size of its part: 0 to 1. */
double rbv_balance_limit(const RbvBalance *balance, const double *y, double turn, double move);
/* The largest |x|, scaled coordinates, over the size of the part or what a turn of the body is worth in length,
 * whichever is less. */
double rbv_balance_extent(const RbvBalance *balance, const double *x);
/* Projection onto the constraints: from q near by to Phi = 0 by least movement, and place; spoils the factors. False:
 * it is not reached. */
bool rbv_balance_project(RbvBalance *balance);
/* y[n]: the least step, scaled, that brings the rows that hold as near to Phi = 0 as they go together, as far as they
 * are linear; spoils the factors. At a placed state. */
bool rbv_balance_towards(RbvBalance *balance, double *y);
/* The largest entry of K in a body's rows [N/m], where v is the body twists; with the K of the last factor. */
double rbv_balance_body_stiffness(const RbvBalance *balance, int32_t body);
/* out[n] = K x, scaled, with the K of the last factor. */
void rbv_balance_stiffness(const RbvBalance *balance, const double *x, double *out);

#endif
