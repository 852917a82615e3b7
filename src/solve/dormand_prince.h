/* One step of y' = f(t, y) by the Runge-Kutta method of order 8 of Dormand and Prince, with an estimate of its error
 * and an interpolant of order 7 over it.
 *
 *   k_i = f(t + c_i h, y + h sum_j a_ij k_j),   y1 = y + h sum b_i k_i
 *   error = h |e5|^2 / sqrt(|e5|^2 + |e3|^2 / 100)  of the differences e5, e3 to solutions of order 5 and 3, in the
 *     mean of squares of the weighted components (Hairer and Wanner's DOP853)
 * It keeps nothing from one step to the next: a run may begin again at any state that was accepted.
 */
#ifndef RBV_SOLVE_DORMAND_PRINCE_H
#define RBV_SOLVE_DORMAND_PRINCE_H

#include <roberval/base.h>

#include <stdint.h>

#define RBV_DORMAND_PRINCE_ORDER 8
#define RBV_DORMAND_PRINCE_STAGES 12

/* f[n] at t and y[n]. A status other than OK ends the step that is tried. */
typedef RbvStatus (*RbvRate)(void *context, double t, const double *y, double *f);

typedef struct RbvDormandPrince {
    int32_t n;
    double *k;     /* [16][n] rates of the stages; the first is that of y, the 13th that of y1 */
    double *stage; /* [n] */
    double *part;  /* [7][n] of the interpolant */
    double t, h;   /* of the interpolant */
    double *y;     /* [n] likewise, where it begins */
    RbvRate rate;
    void *context;
} RbvDormandPrince;

/* False: no memory; to be destroyed all the same. */
bool rbv_dormand_prince_create(RbvDormandPrince *dp, int32_t n, RbvRate rate, void *context);
void rbv_dormand_prince_destroy(RbvDormandPrince *dp);
/* The rate of y goes here before a step: [n]. */
double *rbv_dormand_prince_first(RbvDormandPrince *dp);
/* That of the state reached, for the interpolant, here. */
double *rbv_dormand_prince_last(RbvDormandPrince *dp);
/* A step of h from y[n] at t to y1[n]; *error in units of `weight`[n], by which components are multiplied (0: no part
 * in it): 1 is just allowed. */
RbvStatus rbv_dormand_prince_step(RbvDormandPrince *dp, double t, const double *y, double h, const double *weight,
                                  double *y1, double *error);
/* Of the last step, of h from y[n]: the place of stage i, from 1, in the step (0 ... 1), its state[n], and its rate[n].
 */
double rbv_dormand_prince_stage(const RbvDormandPrince *dp, int i, const double *y, double h, double *state,
                                const double **rate);
/* After a step to y1, which may have been corrected a little, with its rate in `last`: the interpolant between both.
 * Three calls of the rate. */
RbvStatus rbv_dormand_prince_interpolate(RbvDormandPrince *dp, double t, const double *y, double h, const double *y1);
/* y[n] at t + share h of the interpolant. */
void rbv_dormand_prince_at(const RbvDormandPrince *dp, double share, double *y);

#endif
