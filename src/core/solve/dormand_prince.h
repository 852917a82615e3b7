/* One step of y' = f(t, y) by the Runge-Kutta method of order 8 of Dormand and Prince, with an estimate of its error
 * and an interpolant of order 7 over the step; coefficients in dormand_prince.c.
 *
 *   k_i = f(t + c_i h, y + h sum_j a_ij k_j),   y1 = y + h sum b_i k_i
 *   error = h |e5|^2 / sqrt(|e5|^2 + |e3|^2 / 100)  of the differences e5, e3 to solutions of order 5 and 3, in the
 *     mean of squares of the weighted components (Hairer and Wanner's DOP853)
 * The integrator keeps nothing from one step to the next: a run may begin again at any accepted state.
 */
#ifndef RBV_CORE_SOLVE_DORMAND_PRINCE_H
#define RBV_CORE_SOLVE_DORMAND_PRINCE_H

#include <roberval/base.h>

#include <stdint.h>

#define RBV_DORMAND_PRINCE_ORDER 8
#define RBV_DORMAND_PRINCE_STAGES 12

/* Right-hand side f[n] at t and y[n]. A status other than OK ends the trial step. */
typedef RbvStatus (*RbvRate)(void *context, double t, const double *y, double *f);

typedef struct RbvDormandPrince {
    int32_t n;
    double *k;     /* [16][n] right-hand sides at the stages; the first is at y, the 13th at y1 */
    double *stage; /* [n] */
    double *part;  /* [7][n] coefficients of the interpolant */
    double t, h;   /* beginning and length of the interpolant's step */
    double *y;     /* [n] state at the beginning of the interpolant's step */
    RbvRate rate;
    void *context;
} RbvDormandPrince;

/* False: no memory; to be destroyed in both cases. */
bool rbv_dormand_prince_create(RbvDormandPrince *dp, int32_t n, RbvRate rate, void *context);
void rbv_dormand_prince_destroy(RbvDormandPrince *dp);
/* Where the caller puts f[n] at y before a step. */
double *rbv_dormand_prince_first(RbvDormandPrince *dp);
/* Where the caller puts f[n] at the state reached, for the interpolant. */
double *rbv_dormand_prince_last(RbvDormandPrince *dp);
/* A step of length h from y[n] at t to y1[n]. *error: the estimate over the components multiplied by `weight`[n] (0: a
 * component does not count), in the mean of squares; 1 is just allowed. Statuses of f. */
RbvStatus rbv_dormand_prince_step(RbvDormandPrince *dp, double t, const double *y, double h, const double *weight,
                                  double *y1, double *error);
/* Stage i, from 1, of the last step, of length h from y[n]: returns its place in the step (0 ... 1), and sets its
 * state[n] and its right-hand side *rate[n]. */
double rbv_dormand_prince_stage(const RbvDormandPrince *dp, int i, const double *y, double h, double *state,
                                const double **rate);
/* The interpolant between y and y1 of the last step. y1 may have been corrected a little; its right-hand side is in
 * rbv_dormand_prince_last. Calls f three times; statuses of f. */
RbvStatus rbv_dormand_prince_interpolate(RbvDormandPrince *dp, double t, const double *y, double h, const double *y1);
/* y[n] of the interpolant at t + share h. */
void rbv_dormand_prince_at(const RbvDormandPrince *dp, double share, double *y);

#endif
