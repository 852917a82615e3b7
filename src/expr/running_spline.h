/* The cubic spline of spline.h through points that come one after another, of which only a window is kept: for records
 * of any length.
 *
 * What a point far ahead adds to the spline here falls by at least a half for each point between: RBV_SPLINE_AHEAD of
 * them leave nothing that rounding would. So the derivatives at a point are those of the one spline through all points,
 * with its not-a-knot ends, once so many have come behind it, or the last one has.
 */
#ifndef RBV_EXPR_RUNNING_SPLINE_H
#define RBV_EXPR_RUNNING_SPLINE_H

#include <stdbool.h>
#include <stdint.h>

/* 2^-64 of what stands there. */
#define RBV_SPLINE_AHEAD 64

typedef struct RbvRunningSpline RbvRunningSpline;

/* Of so many functions of the same x. NULL: no memory. */
RbvRunningSpline *rbv_running_spline_create(int32_t functions);
void rbv_running_spline_destroy(RbvRunningSpline *spline);
/* So many points may be added before known ones must be taken. */
int32_t rbv_running_spline_room(const RbvRunningSpline *spline);
/* The next point, x beyond that of the last, with y[functions]. */
void rbv_running_spline_add(RbvRunningSpline *spline, double x, const double *y);
/* There are no more points. */
void rbv_running_spline_close(RbvRunningSpline *spline);
/* Is what the spline does at the first point that was not taken known yet? */
bool rbv_running_spline_is_known(RbvRunningSpline *spline);
/* Take it: d[functions], first and second derivative there. Two points make a line, three a parabola, a single one
 * nothing (NaN). */
void rbv_running_spline_take(RbvRunningSpline *spline, double (*d)[2]);

#endif
