/* Magnification of small differences of the start by the motion: a variation w of the state, carried along the steps.
 *
 *   w' = (df/dy) w,   (df/dy) w = (f(y + e w) - f(y)) / e
 *
 * One step of w for each explicit step from t over h, by the method of order 4 with stages at 0, u, v, 1 of the step,
 * where u and v are those of two stages of Dormand and Prince's method, whose states y and rates f are available: four
 * evaluations of f, at these states moved by e w, compared with the twelve and the projection that a step takes. The
 * initial difference is that by which unit forces and torques, one of each for each body, with directions derived from
 * its name, would move the bodies along the constraints: it depends neither on coordinates nor on order.
 *
 *   magnification: the largest so far of |w| over |w| at the start; |w| is the largest movement of an entry of q in w,
 *     relative to the size of the part that it moves.
 *
 * At an event w is projected onto the rows active after it; the further effect of a difference of its instant is
 * neglected. The implicit method does not carry w. */
#ifndef RBV_DYNAMICS_INTEGRATION_VARIATION_H
#define RBV_DYNAMICS_INTEGRATION_VARIATION_H

#include "core/solve/dormand_prince.h"
#include "dynamics/integration/flow.h"

typedef struct RbvVariation {
    RbvArena arena;                   /* owns the arrays */
    const double *unit_scale, *share; /* the caller's: [positions], [n] scales of the stepper */
    double *w;                        /* [size] scaled to a length of about 1 */
    double *y[4], *f[4]; /* [size] states and rates at 0, u, v, 1 of the step over which w has not been carried yet */
    double *k[4], *shifted, *rate; /* [size] stages of w; workspace */
    double t, h;                   /* [s] start and length of that step; h = 0: none */
    double end;                    /* [s] time of w */
    double scale;                  /* log of the accumulated scaling of w */
    double start, most;            /* log |w| at the start, and its largest value since then */
    int32_t carried;               /* number of steps since w was projected */
    bool closely;                  /* true: w has grown so much that it is carried by the motion's own method */
    RbvDormandPrince method;
    bool begun, lost; /* w exists; w could not be carried on */
} RbvVariation;

bool rbv_variation_create(RbvVariation *variation, RbvFlow *flow, const double *unit_scale, const double *share);
void rbv_variation_destroy(RbvVariation *variation);
/* Starts w at the projected state y[size] at t, with the saddle's factors there. The flow's state is changed. */
void rbv_variation_begin(RbvVariation *variation, RbvFlow *flow, double t, const double *y);
/* Keeps what is needed of an accepted step from y at t over h. */
void rbv_variation_note(RbvVariation *variation, const RbvDormandPrince *method, double t, double h, const double *y);
/* Carries w to `end` in that step, where the state is y1 with the rate f1. The flow's state is changed. */
void rbv_variation_carry(RbvVariation *variation, RbvFlow *flow, double end, const double *y1, const double *f1);
/* Projects w at the state y at t where other rows become active or velocities have jumped. The flow's state is changed.
 */
void rbv_variation_project(RbvVariation *variation, RbvFlow *flow, double t, const double *y);
/* Returns the magnification; NaN: w was not carried. */
double rbv_variation_magnification(const RbvVariation *variation);

#endif
