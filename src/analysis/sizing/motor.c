/* Motors and gears; see motor.h. */
#include "analysis/sizing/motor.h"

#include "core/base/tolerances.h"

#include <math.h>

double rbv_shaft_effort(const RbvShaft *s, double effort, const double *rate) {
    double own = s->inertia > 0 ? s->inertia * s->ratio * rate[1] : 0, load = effort / s->ratio - own;
    double along = 0; /* at rest: no power */
    if (fabs(rate[0]) > s->still[0])
        along = rate[0];
    else if (fabs(rate[1]) > s->still[1])
        along = rate[1];
    double power = load * s->ratio * along;
    /* without a second rate (an expression of coordinates) there is no rotor, and a drive at rest takes no power */
    if (power > 0)
        load /= s->efficiency;
    else if (power < 0)
        load *= s->efficiency;
    return load + own;
}

/* Linear between the rows of a curve; NaN beyond its last row. */
static double along(const double *x, const double *y, int32_t count, double at) {
    if (at <= x[0])
        return y[0];
    for (int32_t k = 1; k < count; k++)
        if (at <= x[k])
            return y[k - 1] + (y[k] - y[k - 1]) * (at - x[k - 1]) / (x[k] - x[k - 1]);
    return NAN;
}

double rbv_motor_peak(const RbvRatingDef *rating, double speed) {
    if (speed > rating->speed * (1 + RBV_SAME)) /* not with NaN */
        return 0;
    if (rating->curve_count == 0)
        return rating->peak;
    double peak = along(rating->curve_speed, rating->curve_peak, rating->curve_count, speed);
    return isnan(peak) ? 0 : fmin(peak, rating->peak); /* fmin of a number and NaN is the number */
}

double rbv_motor_continuous(const RbvRatingDef *rating, double speed) {
    if (!rating->curve_continuous)
        return rating->continuous;
    double allowed = along(rating->curve_speed, rating->curve_continuous, rating->curve_count, speed);
    return isnan(allowed) ? 0 : fmin(allowed, rating->continuous);
}

double rbv_motor_top_speed(const RbvRatingDef *rating) {
    double most = fmin(rating->speed, INFINITY);
    return rating->curve_count > 0 ? fmin(most, rating->curve_speed[rating->curve_count - 1]) : most;
}

bool rbv_sized_turns(const RbvModel *model, const RbvSized *of) {
    const RbvCoordinateRef *coordinate =
        of->actuator ? &model->actuators.items[of->index].of : &model->drives.items[of->index].of;
    return rbv_coordinate_is_angle(model, coordinate) || (!of->actuator && model->drives.items[of->index].has_rotor);
}
