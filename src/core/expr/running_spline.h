/* Cubic spline of spline.h through points that arrive one after another, with only a window of points kept: for
 * records of any length.
 *
 * The influence of a point on the spline falls by at least a half for each point between: beyond RBV_SPLINE_AHEAD
 * points it is below rounding. So the derivatives at a point equal those of the one spline through all points, with
 * its not-a-knot ends, as soon as RBV_SPLINE_AHEAD later points, or the last point, have been added.
 */
#ifndef RBV_CORE_EXPR_RUNNING_SPLINE_H
#define RBV_CORE_EXPR_RUNNING_SPLINE_H

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

#endif
