/* Estimates the absolute error that rounding may cause in every printed reaction, effort and constraint force of a
 * sample.
 *
 * Constraint rows are exact to rounding, so positions are exact to rounding times kappa = 1/sigma, lengths over
 * lengths (motion.h, `amplification`), and forces follow from positions, velocities and accelerations:
 *
 *   |error| about eps kappa^2 (largest force that takes part in the connected part)
 * as long as kappa is moderate. Near a singular position forces change as fast as positions do, and no power of
 * kappa is a safe bound. There the sample is evaluated at two more positions, displaced by rounding to either side
 * along the direction nearest to singular; the difference is the error. Every number is computed anew at each of
 * them, so its own rounding shows as well. */
#include "solution/reaction/error.h"

#include "core/base/extremes.h"
#include "core/base/tolerances.h"
#include "mechanics/system/contacts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define EPS 2.3e-16
/* Above this nearness to a singular position (RbvMotion.nearness) neighbouring states are computed. */
#define NEAR_SINGULAR 30.0
/* Factor of kappa^2 eps: rounding of several operations in sequence. */
#define OPERATIONS 16.0
/* Factor of the difference from a neighbouring state: rounding is no larger than the displacement, but not always
 * along that direction. */
#define NEIGHBOUR 2.0
/* Factor of a method's error: values below this bound count as zero to its accuracy. */
#define MARGIN 2.0
/* The neighbours' difference is the error as long as forces change in proportion to the displacement. Forces that
 * grow as 1/angle and change by this share of themselves belong to an angle that may as well be zero. */
#define LOST 0.1

struct RbvErrors {
    RbvMotion *motion;
    RbvForces *forces;
    RbvReactions *reactions;
    double *q;             /* [position_size] saved state */
    double *step;          /* [larger of n and bodies.size] displacement of a neighbour */
    RbvForceValues values; /* values at the saved state */
};

static bool is_torque(const RbvSystem *system, int32_t joint, int component) {
    if (component >= RBV_FRICTION)
        return rbv_friction_is_torque(&system->model->joints.items[joint], component);
    return component >= RBV_TX && component <= RBV_TZ;
}

static bool effort_is_torque(const RbvSystem *system, int32_t drive) {
    return system->rows[system->drive_row[drive]].angular;
}

/* Sizes of part `part`; -1: of ground alone. */
static RbvForceSizes *size_of(RbvReactions *r, int32_t part) {
    return &r->size[part >= 0 ? part : r->system->part_count];
}

static RbvForceSizes *joint_size(RbvReactions *r, int32_t joint) {
    const RbvModel *model = r->system->model;
    const RbvJoint *j = &model->joints.items[joint];
    int32_t first = model->markers.items[j->marker[0]].body, second = model->markers.items[j->marker[1]].body;
    int32_t body = second > 0 ? second : first;
    return size_of(r, body > 0 ? r->system->part[body] : -1);
}

static RbvForceSizes *row_size(RbvReactions *r, int32_t row) {
    return size_of(r, r->system->row_part[row]);
}

/* Row of a stop: the rows of both limits belong to one part, and at least one of them exists. */
static int32_t stop_row(const RbvSystem *system, int32_t stop) {
    return system->stop_row[2 * stop] >= 0 ? system->stop_row[2 * stop] : system->stop_row[2 * stop + 1];
}

static bool stop_is_torque(const RbvReactions *r, int32_t stop) {
    return r->system->rows[stop_row(r->system, stop)].angular && r->stop_scale[stop] == 0;
}

/* Converts a force into the unit of the stop's push. */
static double of_stop(const RbvReactions *r, int32_t stop, double force) {
    return r->stop_scale[stop] > 0 ? force * r->stop_scale[stop] : force;
}

static inline void enlarge(double *to, double value) {
    if (value > *to || isnan(*to))
        *to = value;
}

/* Loads and inertia of a body. Fast rotation brings forces of m w^2 r on either side; even where they cancel,
 * rounding of positions leaves a part of them. */
static void body_sizes(RbvReactions *r, const RbvState *state, int32_t body) {
    double *size = size_of(r, r->system->part[body])->most, m = r->system->model->bodies.items[body].mass;
    RbvVec3 w = state->twists[body].w;
    double inertia =
        m * rbv_max(rbv_norm(state->accelerations[body].v), rbv_dot(w, w) * rbv_state_body_arm(state, body));
    enlarge(&size[0], rbv_max(rbv_norm(state->wrenches[body].force), inertia));
    enlarge(&size[1], rbv_norm(state->wrenches[body].torque));
}

void rbv_error_sizes(RbvReactions *r, const RbvState *state) {
    const RbvSystem *system = r->system;
    const RbvModel *model = system->model;
    memset(r->size, 0, ((size_t)system->part_count + 1) * sizeof *r->size);
    for (int32_t b = 1; b < system->bodies.count; b++)
        body_sizes(r, state, b);
    for (int32_t k = 0; k < model->joints.count; k++) {
        double *size = joint_size(r, k)->most;
        for (uint32_t left = r->possible[k]; left; left &= left - 1) { /* bit by bit */
            int c = __builtin_ctz(left);
            enlarge(&size[is_torque(system, k, c)], fabs(r->value[k][c]));
        }
    }
    for (int32_t k = 0; k < model->drives.count; k++) {
        double *size = row_size(r, system->drive_row[k])->most, arm = rbv_state_row_arm(state, system->drive_row[k]);
        enlarge(&size[0], fabs(r->effort[k]) / (effort_is_torque(system, k) ? arm : 1));
    }
    for (int32_t k = 0; k < model->stops.count; k++) {
        int32_t row = stop_row(system, k);
        double scale = system->rows[row].equation ? rbv_state_row_scale(state, row) : 0;
        r->stop_scale[k] = scale > 0 ? rbv_state_row_size(state, row) / scale : 0;
    }
    for (int32_t p = 0; p <= system->part_count; p++) {
        double arm = rbv_state_part_arm(state, p < system->part_count ? p : -1), *size = r->size[p].most;
        enlarge(&size[0], size[1] / arm);
        enlarge(&size[1], size[0] * arm);
    }
}

void rbv_error_least_force(RbvReactions *r, double force) {
    for (int32_t p = 0; p <= r->system->part_count; p++)
        enlarge(&r->size[p].most[0], force);
}

void rbv_error_floor(RbvReactions *r, double part) {
    const RbvSystem *system = r->system;
    for (int32_t k = 0; k < system->model->joints.count; k++) {
        const double *size = joint_size(r, k)->most;
        for (uint32_t left = r->possible[k]; left; left &= left - 1) { /* what is structurally zero has no error */
            int c = __builtin_ctz(left);
            r->error[k][c] = part * size[is_torque(system, k, c)];
        }
    }
    for (int32_t k = 0; k < system->model->drives.count; k++)
        r->effort_error[k] = part * row_size(r, system->drive_row[k])->most[effort_is_torque(system, k)];
    for (int32_t k = 0; k < system->model->constraints.count; k++)
        r->multiplier_error[k] = part * row_size(r, system->constraint_row[k])->most[0];
    for (int32_t k = 0; k < system->model->stops.count; k++)
        r->stop_error[k] = part * of_stop(r, k, row_size(r, stop_row(system, k))->most[stop_is_torque(r, k)]);
}

void rbv_error_keep(const RbvReactions *r, RbvForceValues *to) {
    const RbvModel *model = r->system->model;
    memcpy(to->component, r->value[0], (size_t)r->component_count * sizeof(double));
    memcpy(to->effort, r->effort, (size_t)model->drives.count * sizeof(double));
    memcpy(to->multiplier, r->multiplier, (size_t)model->constraints.count * sizeof(double));
    memcpy(to->stop, r->stop, (size_t)model->stops.count * sizeof(double));
}

void rbv_error_compare(RbvReactions *r, const RbvForceValues *values) {
    const RbvModel *model = r->system->model;
    for (int32_t k = 0; k < model->joints.count; k++)
        for (int c = 0; c < RBV_COMPONENT_COUNT; c++)
            if (rbv_component_in(r->possible[k], c))
                r->error[k][c] =
                    rbv_max(r->error[k][c],
                            NEIGHBOUR * fabs(r->value[k][c] - values->component[r->value[k] - r->value[0] + c]));
    for (int32_t k = 0; k < model->drives.count; k++)
        r->effort_error[k] = rbv_max(r->effort_error[k], NEIGHBOUR * fabs(r->effort[k] - values->effort[k]));
    for (int32_t k = 0; k < model->constraints.count; k++)
        r->multiplier_error[k] =
            rbv_max(r->multiplier_error[k], NEIGHBOUR * fabs(r->multiplier[k] - values->multiplier[k]));
    for (int32_t k = 0; k < model->stops.count; k++)
        r->stop_error[k] = rbv_max(r->stop_error[k], NEIGHBOUR * fabs(r->stop[k] - values->stop[k]));
}

/* Solves for the forces at the displaced states on either side, and again at the saved state. If a neighbour has no
 * solution, errors become as large as the forces. */
static RbvStatus ask_neighbours(RbvErrors *e) {
    RbvMotion *motion = e->motion;
    RbvStatus status = RBV_OK;
    rbv_error_keep(e->reactions, &e->values);
    rbv_motion_save_position(motion, e->q);
    int32_t size = rbv_motion_rounding_step(motion, e->step);
    rbv_forces_silence(e->forces, true);
    for (int side = 0; side < 2 && status != RBV_NO_MEMORY; side++) {
        for (int32_t k = 0; k < size; k++)
            e->step[k] = -e->step[k];
        status = rbv_motion_step_aside(motion, e->q, e->step) && rbv_state_load(motion->state)
                     ? rbv_forces_solve(e->forces)
                     : RBV_LOCKED;
        if (status == RBV_OK)
            rbv_error_compare(e->reactions, &e->values);
        else
            rbv_error_floor(e->reactions, 1);
    }
    rbv_forces_silence(e->forces, false);
    rbv_motion_restore_position(motion, e->q);
    bool restored = rbv_motion_evaluate(motion) && rbv_state_load(motion->state);
    if (status == RBV_NO_MEMORY)
        return status;
    return restored ? rbv_forces_solve(e->forces) : RBV_LOCKED;
}

/* Largest difference of a force from the kept values [N], torques over the arm of their part; *share: the largest
 * relative to the largest force of the part. */
static double largest_difference(RbvReactions *r, const RbvState *state, const RbvForceValues *values, double *share) {
    const RbvModel *model = r->system->model;
    double most = *share = 0;
    for (int32_t k = 0; k < model->joints.count; k++)
        for (int c = 0; c < RBV_COMPONENT_COUNT; c++) {
            if (!rbv_component_in(r->possible[k], c))
                continue;
            double difference = fabs(r->value[k][c] - values->component[r->value[k] - r->value[0] + c]),
                   size = joint_size(r, k)->most[is_torque(r->system, k, c)];
            enlarge(&most,
                    difference / (is_torque(r->system, k, c) ? rbv_state_row_arm(state, r->system->joint_row[k]) : 1));
            enlarge(share, difference > 0 ? difference / size : 0);
        }
    for (int32_t k = 0; k < model->drives.count; k++) {
        double difference = fabs(r->effort[k] - values->effort[k]),
               size = row_size(r, r->system->drive_row[k])->most[effort_is_torque(r->system, k)];
        enlarge(&most,
                difference / (effort_is_torque(r->system, k) ? rbv_state_row_arm(state, r->system->drive_row[k]) : 1));
        enlarge(share, difference > 0 ? difference / size : 0);
    }
    return most;
}

/* Error of a method that is exact only in a limit: the difference from its refined solution. If that fails, errors
 * become as large as the forces, or larger. */
static RbvStatus ask_method(RbvErrors *e) {
    RbvReactions *r = e->reactions;
    double share;
    if (!rbv_forces_refine(e->forces, true))
        return RBV_OK;
    rbv_error_keep(r, &e->values);
    rbv_forces_silence(e->forces, true);
    RbvStatus status = rbv_forces_solve(e->forces);
    rbv_forces_refine(e->forces, false);
    rbv_forces_silence(e->forces, false);
    if (status == RBV_NO_MEMORY)
        return status;
    if (status == RBV_OK) {
        rbv_error_compare(r, &e->values);
        r->method_error = NEIGHBOUR * largest_difference(r, e->motion->state, &e->values, &share);
        r->method_share = MARGIN * NEIGHBOUR * share;
        enlarge(&r->floor, NEIGHBOUR * share);
    } else {
        rbv_error_floor(r, rbv_max(1, rbv_forces_report(e->forces)->yield));
        r->method_error = NAN;
        r->method_share = 1;
        r->floor = 1;
    }
    return rbv_forces_solve(e->forces);
}

/* Error of a force or a torque (unit 1) of part p, where errors are a part of the sizes alone. */
static double part_error(const RbvReactions *r, int32_t p, int unit) {
    return rbv_min(r->floor, 1) * r->size[p].most[unit];
}

/* Errors that are the part r->floor of the sizes, of each component. Most samples have errors that are no larger than
 * those recorded before, and too small to put a verdict in doubt: nobody needs them, as the largest ones are printed.
 */
static void take_part(RbvReactions *r) {
    bool larger = r->floor >= RBV_NOTICEABLE * RBV_ROOT_EPS || r->system->model->stops.count > 0;
    for (int32_t p = 0; p <= r->system->part_count; p++)
        for (int unit = 0; unit < 2; unit++)
            larger = larger || !(part_error(r, p, unit) <= r->recorded_error[p][unit]);
    r->by_size = true;
    r->within_recorded = !larger;
    if (larger)
        rbv_error_floor(r, rbv_min(r->floor, 1));
}

void rbv_error_recorded(const RbvReactions *r) {
    for (int32_t p = 0; r->by_size && p <= r->system->part_count; p++)
        for (int unit = 0; unit < 2; unit++)
            enlarge(&r->recorded_error[p][unit], part_error(r, p, unit));
}

static RbvStatus estimate(RbvErrors *e) {
    const RbvMethodReport *report = rbv_forces_report(e->forces);
    double kappa = e->motion->amplification, left = report ? report->left : 0,
           part = rbv_max(OPERATIONS * EPS * kappa * kappa, left);
    rbv_error_sizes(e->reactions, e->motion->state);
    e->reactions->floor = part;
    e->reactions->within_recorded = e->reactions->by_size = false;
    /* a prescribed motion has no neighbouring states */
    bool near = e->motion->nearness > NEAR_SINGULAR && !e->motion->prescribed;
    if (near || report || rbv_forces_doubts(e->forces) || e->reactions->each_sample)
        rbv_error_floor(e->reactions, rbv_min(part, 1));
    else
        take_part(e->reactions);
    if (!near)
        return ask_method(e);
    e->reactions->floor = 1;
    /* a method with D^T D in its matrix rounds with kappa^2 even where its neighbours agree; where no digit is left,
     * the sign may be wrong as well */
    double bound = rbv_min(rbv_max(OPERATIONS * EPS * kappa, left), 1);
    if (report)
        bound = rbv_min(rbv_max(part, left), 2);
    rbv_error_floor(e->reactions, bound);
    RbvStatus status = ask_neighbours(e);
    return status == RBV_OK ? ask_method(e) : status;
}

static void widen_error(RbvReactions *r, double *error, double by, double size) {
    *error += by;
    enlarge(&r->floor, size > 0 ? rbv_min(by / size, 1) : 0);
}

/* Adds the error from residual forces to the reactions of a joint; that of friction follows them. */
static void doubt_joint(RbvErrors *e, int32_t k) {
    RbvReactions *r = e->reactions;
    int32_t first = r->system->joint_row[k], count = r->system->joint_row[k + 1] - first;
    double most = 0;
    for (int c = 0; c < rbv_reactions_components(r, k); c++) {
        double size = joint_size(r, k)->most[is_torque(r->system, k, c)], by = most * size;
        if (!rbv_component_in(r->possible[k], c))
            continue;
        if (c < RBV_FRICTION) {
            rbv_reactions_functional(r, e->motion->state, k, c, r->scratch);
            by = rbv_forces_doubt(e->forces, first, count, r->scratch);
            enlarge(&most, size > 0 ? by / size : 0);
        }
        widen_error(r, &r->error[k][c], by, size);
    }
}

/* Adds the errors from the residual forces of a prescribed motion, which may act anywhere. */
static void doubt_all(RbvErrors *e) {
    RbvReactions *r = e->reactions;
    const RbvSystem *system = r->system;
    const double one = 1;
    for (int32_t k = 0; k < system->model->joints.count; k++)
        doubt_joint(e, k);
    for (int32_t k = 0; k < system->model->drives.count; k++)
        widen_error(r, &r->effort_error[k], rbv_forces_doubt(e->forces, system->drive_row[k], 1, &one),
                    row_size(r, system->drive_row[k])->most[effort_is_torque(system, k)]);
    for (int32_t k = 0; k < system->model->constraints.count; k++)
        widen_error(r, &r->multiplier_error[k], rbv_forces_doubt(e->forces, system->constraint_row[k], 1, &one),
                    row_size(r, system->constraint_row[k])->most[0]);
}

RbvStatus rbv_errors_estimate(RbvErrors *e) {
    RbvStatus status = estimate(e);
    if (status == RBV_OK && rbv_forces_doubts(e->forces))
        doubt_all(e);
    return status;
}

/* Makes a verdict RBV_NOTICEABLE if the error is above the limit of its unit. True: it did. */
static bool doubt_verdict(RbvVerdict *verdict, double error, double limit) {
    if (*verdict == RBV_FREE || *verdict > RBV_UNSURE || error <= limit)
        return false;
    *verdict = RBV_UNSURE;
    return true;
}

static void gather_size(RbvForceSizes *sizes, int unit, double value, double error) {
    enlarge(&sizes->value[unit], fabs(value));
    enlarge(&sizes->sure[unit], fabs(value) - error);
    enlarge(&sizes->error[unit], error);
}

/* Share of what takes part below which the values of a unit are zero: rounding, or the accuracy of the method. */
static double none_of(const RbvReactions *r) {
    /* A value whose error is above this share of the largest of its unit in its connected part has the verdict
     * RBV_NOTICEABLE. Where all values of a unit are below RBV_ROOT_EPS times what takes part, they are rounding, and
     * no verdict becomes unsure by it. */
    return r->method_share <= RBV_NOTICEABLE ? rbv_max(RBV_ROOT_EPS, r->method_share) : RBV_ROOT_EPS;
}

/* Largest error allowed. Where all values are small beside what the tolerance of a motion may change (start at rest
 * with springs at their free lengths), no force acts, and that is certain. Values that have died out along a motion
 * are compared with the largest before: *past, which grows. */
static double limit_of(const RbvReactions *r, double value, double sure, double error, double most, double *past) {
    if (!r->regular)
        return RBV_NOTICEABLE * (rbv_max(value, error) > none_of(r) * most ? sure : most);
    enlarge(past, sure);
    return value <= RBV_NOTICEABLE * error
               ? INFINITY
               : RBV_NOTICEABLE * (rbv_max(value, error) > none_of(r) * most ? *past : rbv_max(most, *past));
}

static double limit_of_unit(const RbvReactions *r, const RbvForceSizes *sizes, int unit) {
    return limit_of(r, sizes->value[unit], sizes->sure[unit], sizes->error[unit], sizes->most[unit],
                    &r->past[2 * (sizes - r->size) + unit]);
}

static double limit_of_multiplier(const RbvReactions *r, int32_t constraint, double most) {
    double value = fabs(r->multiplier[constraint]), error = r->multiplier_error[constraint];
    return limit_of(r, value, rbv_max(value - error, 0), error, most,
                    &r->past[2 * (r->system->part_count + 1) + constraint]);
}

/* Is the multiplier of a constraint a force (0) or a torque (1)? -1: it has a unit of its own, or none. */
static int unit_of_multiplier(const RbvSystem *system, int32_t constraint) {
    const char *unit = system->model->constraints.items[constraint].unit;
    if (strcmp(unit, "N") == 0)
        return 0;
    return strcmp(unit, "N.m") == 0 ? 1 : -1;
}

/* Finds the largest values and errors of each part. */
static void find_largest(RbvReactions *r) {
    const RbvSystem *system = r->system;
    for (int32_t p = 0; p <= system->part_count; p++)
        for (int unit = 0; unit < 2; unit++)
            r->size[p].value[unit] = r->size[p].sure[unit] = r->size[p].error[unit] = 0;
    for (int32_t k = 0; k < system->model->joints.count; k++)
        for (int c = 0; c < RBV_COMPONENT_COUNT; c++)
            if (rbv_component_in(r->possible[k], c))
                gather_size(joint_size(r, k), is_torque(system, k, c), r->value[k][c], r->error[k][c]);
    for (int32_t k = 0; k < system->model->drives.count; k++)
        gather_size(row_size(r, system->drive_row[k]), effort_is_torque(system, k), r->effort[k], r->effort_error[k]);
    for (int32_t k = 0; k < system->model->constraints.count; k++)
        if (unit_of_multiplier(system, k) >= 0)
            gather_size(row_size(r, system->constraint_row[k]), unit_of_multiplier(system, k), r->multiplier[k],
                        r->multiplier_error[k]);
}

/* Is only the size of the forces of a part known? Then this size is the error of its values, except for torques on
 * which the neighbours agree (virtual work gives a motor's torque where joint forces are unknown): returns the size,
 * or 0. */
static double lost(const RbvReactions *r, const RbvForceSizes *sizes, int unit) {
    bool forces = sizes->value[0] > none_of(r) * sizes->most[0] && sizes->error[0] > LOST * sizes->value[0];
    return forces && sizes->error[unit] > RBV_NOTICEABLE * sizes->sure[unit] ? sizes->most[unit] : 0;
}

/* Enlarges errors of the parts where only the size of forces is known. False: there is no such part. */
static bool enlarge_lost(RbvReactions *r) {
    const RbvSystem *system = r->system;
    const RbvModel *model = system->model;
    bool any = false;
    for (int32_t p = 0; p <= system->part_count && !any; p++)
        any = lost(r, &r->size[p], 0) != 0 || lost(r, &r->size[p], 1) != 0;
    if (!any)
        return false;
    for (int32_t k = 0; k < model->joints.count; k++)
        for (int c = 0; c < RBV_COMPONENT_COUNT; c++)
            if (rbv_component_in(r->possible[k], c))
                enlarge(&r->error[k][c], lost(r, joint_size(r, k), is_torque(system, k, c)));
    for (int32_t k = 0; k < model->drives.count; k++)
        enlarge(&r->effort_error[k], lost(r, row_size(r, system->drive_row[k]), effort_is_torque(system, k)));
    for (int32_t k = 0; k < model->constraints.count; k++)
        enlarge(&r->multiplier_error[k], lost(r, row_size(r, system->constraint_row[k]), 0));
    for (int32_t k = 0; k < model->stops.count; k++)
        enlarge(&r->stop_error[k], of_stop(r, k, lost(r, row_size(r, stop_row(system, k)), stop_is_torque(r, k))));
    return true;
}

bool rbv_reactions_doubt(RbvReactions *r) {
    const RbvSystem *system = r->system;
    const RbvModel *model = system->model;
    bool any = false;
    if (r->floor < RBV_NOTICEABLE * RBV_ROOT_EPS) { /* no limit is below this floor */
        r->doubted = false;
        return false;
    }
    find_largest(r);
    if (enlarge_lost(r))
        find_largest(r);
    for (int32_t k = 0; k < model->joints.count; k++)
        for (int c = 0; c < RBV_COMPONENT_COUNT; c++)
            any = (rbv_component_in(r->possible[k], c) &&
                   doubt_verdict(&r->verdict[k][c], r->error[k][c],
                                 limit_of_unit(r, joint_size(r, k), is_torque(system, k, c)))) ||
                  any;
    for (int32_t k = 0; k < model->drives.count; k++)
        any = doubt_verdict(&r->effort_verdict[k], r->effort_error[k],
                            limit_of_unit(r, row_size(r, system->drive_row[k]), effort_is_torque(system, k))) ||
              any;
    for (int32_t k = 0; k < model->constraints.count; k++) {
        const RbvForceSizes *sizes = row_size(r, system->constraint_row[k]);
        int unit = unit_of_multiplier(system, k);
        double limit = unit >= 0 ? limit_of_unit(r, sizes, unit) : limit_of_multiplier(r, k, sizes->most[0]);
        any = doubt_verdict(&r->multiplier_verdict[k], r->multiplier_error[k], limit) || any;
    }
    for (int32_t k = 0; k < model->stops.count; k++)
        any = doubt_verdict(&r->stop_verdict[k], r->stop_error[k],
                            of_stop(r, k, limit_of_unit(r, row_size(r, stop_row(system, k)), stop_is_torque(r, k)))) ||
              any;
    r->doubted = any;
    return any;
}

bool rbv_error_values_create(const RbvReactions *r, RbvForceValues *values) {
    const RbvModel *model = r->system->model;
    size_t components = (size_t)r->component_count, drives = (size_t)model->drives.count,
           constraints = (size_t)model->constraints.count;
    values->component = malloc((components + drives + constraints + (size_t)model->stops.count + 1) * sizeof(double));
    if (!values->component)
        return false;
    values->effort = values->component + components;
    values->multiplier = values->effort + drives;
    values->stop = values->multiplier + constraints;
    return true;
}

void rbv_error_values_destroy(RbvForceValues *values) {
    free(values->component);
}

RbvErrors *rbv_errors_create(RbvMotion *motion, RbvForces *forces, RbvReactions *reactions) {
    RbvErrors *e = calloc(1, sizeof *e);
    if (!e)
        return NULL;
    e->motion = motion;
    e->forces = forces;
    e->reactions = reactions;
    e->q = malloc(((size_t)motion->system->coordinates.position_size + 1) * sizeof *e->q);
    e->step =
        malloc(((size_t)motion->system->coordinates.size + (size_t)motion->system->bodies.size + 1) * sizeof *e->step);
    bool good = rbv_error_values_create(reactions, &e->values);
    if (e->q && e->step && good)
        return e;
    rbv_errors_destroy(e);
    return NULL;
}

void rbv_errors_destroy(RbvErrors *e) {
    if (!e)
        return;
    free(e->q);
    free(e->step);
    rbv_error_values_destroy(&e->values);
    free(e);
}
