/* Splines: the twice continuously differentiable cubic through table data, and zero-phase smoothing of measured data.
 */
#ifndef RBV_CORE_EXPR_SPLINE_H
#define RBV_CORE_EXPR_SPLINE_H

#include <roberval/base.h>

#include <stdbool.h>
#include <stdint.h>

/* points of look-ahead: the influence of later points is below 2^-64 of their values */
#define RBV_SPLINE_AHEAD 64

typedef struct RbvRunningSpline RbvRunningSpline;

/* Create a spline of `functions` functions of the same x. NULL: out of memory. */
RbvRunningSpline *rbv_running_spline_create(int32_t functions);
void rbv_running_spline_destroy(RbvRunningSpline *spline);
/* Number of points that may be added before known ones must be taken. */
int32_t rbv_running_spline_room(const RbvRunningSpline *spline);
/* Add the next point: x larger than the last one, y[functions]. */
void rbv_running_spline_add(RbvRunningSpline *spline, double x, const double *y);
/* Announce that there are no more points. */
void rbv_running_spline_close(RbvRunningSpline *spline);
/* Are the derivatives at the first point not yet taken known? */
bool rbv_running_spline_is_known(RbvRunningSpline *spline);
/* Take that point: d[functions] gets first and second derivative. Two points: a line, three: a parabola, one: NaN. */
void rbv_running_spline_take(RbvRunningSpline *spline, double (*d)[2]);

typedef struct RbvSpline RbvSpline;

typedef enum RbvSplineOutside {
    RBV_OUTSIDE_ERROR, /* no value outside the data: NaN */
    RBV_OUTSIDE_HOLD   /* the end value, with zero derivatives */
} RbvSplineOutside;

/* The interpolating cubic spline through (x[k], y[k]), k < count, x strictly increasing, all finite. count 2: the
 * straight line; 3: the parabola; else not-a-knot ends. periodic: y[0] must equal y[count-1] (within 1e-9 of the
 * range; then made equal), period x[count-1]-x[0], count >= 4; value, slope and curvature agree at the seam,
 * `outside` does not matter. Data is copied; `name` too. NULL with *status BAD_INPUT or NO_MEMORY. */
RbvSpline *rbv_spline_create(const char *name, int32_t count, const double *x, const double *y, bool periodic,
                             RbvSplineOutside outside, RbvStatus *status);
void rbv_spline_destroy(RbvSpline *spline);
const char *rbv_spline_name(const RbvSpline *spline);
/* First and last x of the data. */
void rbv_spline_range(const RbvSpline *spline, double *first, double *last);
bool rbv_spline_is_periodic(const RbvSpline *spline);
/* Does the spline keep the end value beyond its ends? */
bool rbv_spline_is_held(const RbvSpline *spline);
/* d[0..order] = value and derivatives at x, order <= 3. False (and NaN) outside the data unless periodic or held; also
 * for x not finite. A search by bisection with a fast path for equidistant x; no state. */
bool rbv_spline_eval(const RbvSpline *spline, double x, int order, double d[4]);

/* The first x' > x at which the third derivative jumps; infinite: none. */
double rbv_spline_next_knot(const RbvSpline *spline, double x);

/* Low-pass y[count] (sampled at strictly increasing x) with zero phase: a second-order Butterworth filter (bilinear,
 * pre-warped) run forward and backward, its own cut-off raised so that the two passes together are 3 dB down at
 * `cutoff` [cycles per unit of x]. Data that is not equidistant (beyond 1e-6 of the step) is first resampled through
 * the spline at count equidistant points, and the result sampled back at x. Ends: odd reflection, or wrap-around when
 * periodic. BAD_INPUT when cutoff is not in (0, half the sampling rate) or count < 8. */
RbvStatus rbv_smooth_zero_phase(int32_t count, const double *x, double *y, bool periodic, double cutoff);

#endif
