/* How a motion magnifies small differences of its start: a variation w of the state, carried along the steps.
 *
 *   w' = (df/dy) w,   (df/dy) w = (f(y + e w) - f(y)) / e
 * One step of w for each explicit step from t over h, by the method of order 4 with stages at 0, u, v, 1 of the step, u
 * and v those of two stages of Dormand and Prince's method, whose states y and rates f are there already: four
 * evaluations of f, at these states moved by e w, for the twelve and the projection that a step takes. The difference
 * that is carried at the start is that by which unit forces and torques, one of each for each body, with directions
 * from its name, would move the bodies along the constraints: it hangs on no coordinates and no order.
 *
 *   magnification: the largest so far of |w| over |w| at the start, |w| the largest movement of a number of q in w, of
 *     the size of the part that it moves.
 * At an event w is projected onto what holds after it; what a difference of its instant does besides is left out. Not
 * carried by the implicit method.
 */
#ifndef RBV_DYNAMICS_VARIATION_H
#define RBV_DYNAMICS_VARIATION_H

#include "dynamics/flow.h"
#include "solve/dormand_prince.h"

typedef struct RbvVariation {
    const double *unit_scale, *share; /* the caller's: [positions], [n] of the stepper */
    double *w;                        /* [size] of a length of about 1 */
    double *y[4], *f[4];              /* [size] of the step that w has not been carried over yet: at 0, u, v, 1 */
    double *k[4], *beside, *rate;     /* [size] stages of w; scratch */
    double t, h;                      /* [s] where that step begins, and how long it is; h = 0: there is none */
    double end;                       /* [s] where w is */
    double scale;                     /* log of what w has been divided by */
    double start, most;               /* log |w| at the start, and the largest since then */
    int32_t carried;                  /* steps since w was projected */
    bool closely;                     /* it has grown so much that w is carried by the motion's own method */
    RbvDormandPrince method;
    bool begun, lost; /* there is a w; it could not be carried on */
} RbvVariation;

bool rbv_variation_create(RbvVariation *variation, RbvFlow *flow, const double *unit_scale, const double *share);
void rbv_variation_destroy(RbvVariation *variation);
/* At the held state y[size] at t, with the saddle's factors. The flow's state is another one afterwards. */
void rbv_variation_begin(RbvVariation *variation, RbvFlow *flow, double t, const double *y);
/* A step from y at t over h has been accepted: what is needed of it. */
void rbv_variation_note(RbvVariation *variation, const RbvDormandPrince *method, double t, double h, const double *y);
/* w at `end` in that step, where the state is y1 with the rate f1. The flow's state is another one afterwards. */
void rbv_variation_carry(RbvVariation *variation, RbvFlow *flow, double end, const double *y1, const double *f1);
/* Other rows hold from here on, or rates have jumped: y is the state. The flow's state is another one afterwards. */
void rbv_variation_project(RbvVariation *variation, RbvFlow *flow, double t, const double *y);
/* NaN: nothing was carried. */
double rbv_variation_magnification(const RbvVariation *variation);

#endif
