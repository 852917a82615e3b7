/* A system in natural coordinates at rest, dense: forces, rows and their derivatives, on which the methods of statics in these coordinates step.
 *
 *   unknown q: points and vectors;   Phi(q): rigid rows, and rows of joints, constraints and drives that sharing does not keep
 *   g = -Q,  J = Phi_q,  H = dg/dq,  K = H + sum lambda_k Phi_k,qq                                          (SPEC-000 A2, A3)
 * Rigid rows have constant second derivatives. Those of the others, and H, are central differences of J^T lambda and g along each coordinate: loads are smooth functions of points and vectors where bodies
 * are a little stretched, too, their axes being the nearest rotation. All is scaled: vectors by what a turn is worth in length, rows to unit gradients.
 */
#ifndef RBV_STATICS_NATURAL_REST_H
#define RBV_STATICS_NATURAL_REST_H

#include "statics/equilibrium.h"

/* Most coordinates: matrices are dense, and H takes two evaluations for each. */
#define RBV_REST_MOST 600

typedef struct RbvRest {
    RbvEquilibriumSearch *search; /* of the bodies: is asked at every step, and has the words */
    const RbvSystem *system;
    RbvState *state;
    int32_t n, m;        /* coordinates, rows */
    int32_t *row;        /* [m] which rows of C */
    double reach;        /* [m] size of the largest part */
    double *scale;       /* [n] of coordinates */
    double *step;        /* [n] of differences, in their own units */
    double *weight;      /* [m] of rows */
    double *lambda;      /* [m] scaled [N] */
    /* at the placed state */
    double *g;           /* [n] -Q, scaled [N] */
    double *phi;         /* [m] scaled [m] */
    double *J;           /* [m][n] scaled */
    double error;        /* the largest |phi| over the size of its part */
    double force_size;   /* [N] the largest of g */
    double V, V_size;    /* [J]; NaN: some load has no energy */
    /* by stiffness */
    double *K;           /* [n][n] scaled */
    double kappa;        /* [N/m] its largest entry, or what the loads over the reach would be */
    /* the linear system */
    double *A;           /* [n + m][n + m] factors */
    int32_t *pivot;
    double compliance;
    double *x;           /* [n + m] */
    double *kept;        /* [position_size] the q that steps start from */
    double *force, *other; /* [n] scratch */
} RbvRest;

/* For a state of the system in natural coordinates that is assembled. False: no memory; to be destroyed all the same. */
bool rbv_rest_create(RbvRest *rest, RbvState *state, RbvEquilibriumSearch *search);
void rbv_rest_destroy(RbvRest *rest);
/* Everything of the q in the state, at rest. False: a number is not finite. */
bool rbv_rest_place(RbvRest *rest);
/* K for these multipliers [m] at the placed state; NULL: H alone. False: a number is not finite. */
bool rbv_rest_stiffness(RbvRest *rest, const double *lambda);
/* out[n] = g + J^T lambda, and the largest of it [N]. */
double rbv_rest_left(const RbvRest *rest, const double *lambda, double *out);
/* What may be left over [N], and is it reached and no longer falls; `before`: left over a step ago. */
double rbv_rest_tolerance(RbvRest *rest);
bool rbv_rest_settled(RbvRest *rest, double left, double before);
/* Factors of [K + mu kappa, J^T; J, -compliance], and the solution (y, l) = rest->x for the right side (f, h), f[n] and h[m]; NULL: zero. False: singular. */
bool rbv_rest_factor(RbvRest *rest, double mu, double compliance);
void rbv_rest_solve(RbvRest *rest, const double *f, const double *h);
/* Multipliers that leave the least force: spoils the factors. */
bool rbv_rest_multipliers(RbvRest *rest);
/* Keep q; q = kept + factor y; q = kept. */
void rbv_rest_keep(RbvRest *rest);
void rbv_rest_move(RbvRest *rest, const double *y, double factor);
void rbv_rest_back(RbvRest *rest);
/* How much of y may be taken so that no body turns by more than `turn` [rad] or moves by more than `move` times its size: 0 to 1. Leaves the state to be placed again. */
double rbv_rest_limit(RbvRest *rest, const double *y, double turn, double move);
/* From q near by to Phi = 0 by least movement, and place; spoils the factors. False: it is not reached. */
bool rbv_rest_project(RbvRest *rest);
double rbv_rest_dot(const RbvRest *rest, const double *a, const double *b);

#endif
