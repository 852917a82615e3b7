/* Drives against the ratings of their motors.
 *
 * At the motor's shaft, with effort Q [N m or N] along the coordinate c, rotor J and speed ratio r:
 *
 *   T = (Q - J r^2 c'')/r k + J r c'',  speed = r c',  P = T speed
 *
 * k = 1/eta where the first part takes power from the motor, eta where it gives power back, eta the efficiency of the
 * gear; at rest, as the motion begins: by the sign of c''. Without a rotor r = 1 and J = 0. */
#include "analysis/sizing/motor.h"
#include "analysis/sizing/parts.h"

#include <math.h>
#include <stdio.h>

enum { SQUARE, SPEED, MOTORING, REGENERATING, INTEGRANDS };

static void begin(RbvSizing *sizing, RbvPart *part, bool first) {
    part->column[0] = part->printed[0] = part->entry->first;
    if (first) {
        part->least[0] = INFINITY;
        part->at[0] = part->outside_first = part->outside_last = NAN;
    }
    rbv_part_enters(sizing, part, 0);
    const RbvDrive *drive = part->of->actuator ? NULL : &sizing->model->drives.items[part->of->index];
    bool rotor = drive && drive->has_rotor;
    part->shaft = (RbvShaft){.ratio = rotor ? drive->rotor_ratio : 1,
                             .inertia = rotor ? drive->rotor_inertia : 0,
                             .efficiency = part->of->rating.efficiency};
    const RbvCoordinateRef *of = drive ? &drive->of : &sizing->model->actuators.items[part->of->index].of;
    rbv_shaft_rest(sizing->result, part->entry->rate, rbv_coordinate_is_angle(sizing->model, of), part->shaft.still);
    if (part->entry->aside || part->entry->count == 0) {
        snprintf(part->why, sizeof part->why, "its effort is not among those that were computed");
        part->lacks = true;
    }
}

static void take_inertia(RbvPart *part, double felt, const RbvShaft *shaft) {
    double own = shaft->inertia * shaft->ratio * shaft->ratio, share = (felt - own) / own;
    if (!(own > 0) || !isfinite(share))
        return;
    if (part->samples == 0)
        part->start[0] = part->start[1] = part->start[2] = share;
    part->start[1] = fmin(part->start[1], share);
    part->start[2] = fmax(part->start[2], share);
    part->samples++;
}

static void sample(RbvPart *part, const double *row, double *integrands) {
    const double t = row[0], *rate = row + part->entry->rate;
    const RbvRatingDef *rating = &part->of->rating;
    double v = part->shaft.ratio * rate[0], T = rbv_shaft_effort(&part->shaft, row[part->column[0]], rate), P = T * v;
    double limit = rbv_motor_peak(rating, fabs(v)), margin = limit > 0 ? limit / fabs(T) : 0;
    integrands[SQUARE] = T * T;
    integrands[SPEED] = fabs(v);
    integrands[MOTORING] = fmax(P, 0);
    integrands[REGENERATING] = fmax(-P, 0);
    rbv_peak_take(&part->largest[0], fabs(T), t);
    rbv_peak_take(&part->largest[1], fabs(v), t);
    rbv_peak_take(&part->largest[2], fmax(P, 0), t);
    rbv_peak_take(&part->largest[3], fmax(-P, 0), t);
    rbv_peak_take(&part->largest[4], 1 / margin, t);
    if (margin < part->least[0])
        part->least[0] = margin, part->at[0] = t;
    if (margin < 1 || fabs(v) > rbv_motor_top_speed(rating)) {
        part->outside_first = part->outside++ == 0 ? t : part->outside_first;
        part->outside_last = t;
    }
    part->plot[0] = v;
    part->plot[1] = T;
    take_inertia(part, rate[2], &part->shaft);
}

static void end(RbvSizing *sizing, RbvPart *part) {
    const RbvRatingDef *rating = &part->of->rating;
    double time = sizing->period, square = rbv_part_integral(sizing, part, SQUARE), ratio = fabs(part->shaft.ratio);
    bool moves = time > 0, turns = rbv_sized_turns(sizing->model, part->of);
    const char *effort = turns ? "N.m" : "N";
    const char *speed = turns ? "rad/s" : "m/s";
    double rms = moves ? sqrt(fmax(0, square) / time) : NAN;
    double rounding = part->off[0] / ratio;
    double rms_error =
        moves && rms > 0 ? rbv_part_integral_error(sizing, part, SQUARE) / (2 * rms * time) + rounding : rounding;
    double mean = moves ? rbv_part_integral(sizing, part, SPEED) / time : NAN, top = part->largest[1].value;
    double allowed = rbv_motor_continuous(rating, mean), limit = rbv_motor_top_speed(rating);
    static const char *const names[2][4] = {
        {"motoring_mean", "motoring_peak", "motoring_peak_at", "motoring_energy"},
        {"regenerating_mean", "regenerating_peak", "regenerating_peak_at", "regenerating_energy"}};
    rbv_part_figure(part, "peak", effort, part->largest[0].value, rounding + part->largest[0].error);
    rbv_part_figure(part, "peak_at", "s", part->largest[0].at, NAN);
    rbv_part_figure(part, "rms", effort, rms, rms_error);
    rbv_part_figure(part, "mean_speed", speed, mean, moves ? rbv_part_integral_error(sizing, part, SPEED) / time : NAN);
    rbv_part_figure(part, "top_speed", speed, moves ? top : NAN, part->largest[1].error);
    rbv_part_figure(part, "top_speed_at", "s", moves ? part->largest[1].at : NAN, NAN);
    for (int k = 0; k < 2; k++) {
        double energy = moves ? rbv_part_integral(sizing, part, MOTORING + k) : NAN,
               error = rbv_part_integral_error(sizing, part, MOTORING + k);
        rbv_part_figure(part, names[k][0], "W", energy / time, error / time);
        rbv_part_figure(part, names[k][1], "W", moves ? part->largest[2 + k].value : NAN, part->largest[2 + k].error);
        rbv_part_figure(part, names[k][2], "s", moves && part->largest[2 + k].value > 0 ? part->largest[2 + k].at : NAN,
                        NAN);
        rbv_part_figure(part, names[k][3], "J", sizing->shares ? NAN : energy, error);
    }
    rbv_part_figure(part, "rms_to_continuous", "", rms / allowed, rms_error / allowed);
    double least = part->least[0], most = part->largest[0].value;
    rbv_part_figure(part, "margin_to_peak", "", least, least * (least * part->largest[4].error + rounding / most));
    rbv_part_figure(part, "margin_at", "s", part->at[0], NAN);
    rbv_part_figure(part, "speed_to_limit", "", moves && isfinite(limit) ? top / limit : NAN,
                    part->largest[1].error / limit);
    rbv_part_figure(part, "outside", "", (double)part->outside, NAN);
    rbv_part_figure(part, "outside_first", "s", part->outside_first, NAN);
    rbv_part_figure(part, "outside_last", "s", part->outside_last, NAN);
    bool felt = part->samples > 0;
    rbv_part_figure(part, "inertia_ratio_first", "", felt ? part->start[0] : NAN, NAN);
    rbv_part_figure(part, "inertia_ratio_least", "", felt ? part->start[1] : NAN, NAN);
    rbv_part_figure(part, "inertia_ratio_largest", "", felt ? part->start[2] : NAN, NAN);
    if (part->outside > 0 && !part->lacks)
        rbv_part_note(sizing, part, "drive '%s' is beyond what its motor can do at %lld samples, from t = %.6g s on",
                      part->name, (long long)part->outside, part->outside_first);
    if (moves && allowed == 0 && !part->lacks)
        rbv_part_note(sizing, part,
                      "drive '%s': its mean speed is beyond the curve of its motor, which has no continuous "
                      "effort there",
                      part->name);
    if (moves && top == 0 && !part->lacks)
        rbv_part_note(sizing, part, "sizing of '%s': it does not move in this run", part->name);
}

const RbvPartKind rbv_part_drive = {INTEGRANDS, 0, begin, sample, end};
