/* A motor and its gear: effort and speed at its shaft, and what its rating allows there. Pure functions of numbers. */
#ifndef RBV_ANALYSIS_SIZING_MOTOR_H
#define RBV_ANALYSIS_SIZING_MOTOR_H

#include "model/model/model.h"

/* Between the coordinate of a drive and the shaft of its motor. */
typedef struct RbvShaft {
    double ratio;      /* speed of the shaft over that of the coordinate */
    double inertia;    /* [kg m^2] of the rotor, part of the drive's effort */
    double efficiency; /* of the gear */
    double still[2];   /* rates and second rates of the coordinate up to these are none (rbv_shaft_rest) */
} RbvShaft;

/* Effort at the shaft for the drive's effort; rate[2]: first and second rate of the coordinate. */
double rbv_shaft_effort(const RbvShaft *shaft, double effort, const double *rate);
/* Largest effort at a speed >= 0; 0 beyond the curve. Without a curve: the peak, up to the speed. */
double rbv_motor_peak(const RbvRatingDef *rating, double speed);
/* Largest rms effort at a mean speed; NaN: not given. */
double rbv_motor_continuous(const RbvRatingDef *rating, double speed);
/* Largest speed; INFINITY: not given. */
double rbv_motor_top_speed(const RbvRatingDef *rating);
/* Does the motor's shaft turn (N m, rad/s), or push (N, m/s)? */
bool rbv_sized_turns(const RbvModel *model, const RbvSized *drive);

#endif
