/* Driven motion with conditions and states, and the stops that it violates; see driven.h.
 *
 * From sample to sample in steps (advance): a step is tried, by the integrator's error control if there are states, and
 * the conditions are evaluated at its end. Where none has changed the step is accepted; else locate finds the first
 * instant of a change, and settle switches rows and loads there until the conditions stay. There are no impulses: what
 * engages must fit the motion, but a drive that begins where it is (value: here) lets velocities jump. */
#include "dynamics/events/driven.h"

#include "core/base/diagnostics.h"
#include "core/base/extremes.h"
#include "core/base/tolerances.h"
#include "mechanics/system/contacts.h"
#include "solution/assembly/freedom_checks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Parts of a sample step at which conditions are evaluated. */
#define CONDITION_LOOKS 5
#define SWITCH_HALVINGS 70
/* Part of the time below which two instants are one. */
#define SAME_TIME 2e-16
/* Most rounds of switching at one instant, for conditions that read what they switch. */
#define MOST_ROUNDS 1000
/* Step control: the step after one with error e (in tolerances) is SAFETY e^(-1/8) times as long, within the bounds of
 * growth; RETREAT: factor after a step that failed; SHORTEST: least step, as part of the sample step. */
#define SAFETY 0.9
#define MOST_GROWTH 4.0
#define LEAST_GROWTH 0.2
#define RETREAT 0.25
#define SHORTEST 1e-12

/* Moves the motion to t [s], unless it is there. */
static RbvStatus go(RbvDriven *d, double t) {
    return d->motion->started && d->motion->previous == t ? RBV_OK : rbv_motion_go(d->motion, t);
}

/* Evaluates the motion and the measures that no row uses, at t [s] with the states y[own]. */
static RbvStatus place(RbvDriven *d, double t, const double *y) {
    RbvState *state = d->motion->state;
    if (d->own > 0)
        memcpy(state->own, y, (size_t)d->own * sizeof *y);
    RbvStatus status = go(d, t);
    if (status == RBV_OK)
        rbv_state_load(state); /* a load need not be finite here */
    return status;
}

/* f[own]: rates of the states y[own] at t [s], for the integrator. NOT_FINITE: reported. */
static RbvStatus rate(void *context, double t, const double *y, double *f) {
    RbvDriven *d = context;
    const RbvModel *model = d->system->model;
    RbvStatus status = place(d, t, y);
    for (int32_t k = 0; status == RBV_OK && k < d->own; k++) {
        f[k] = rbv_state_expression(d->motion->state, model->states.items[k].rate, NULL, d->work);
        if (isfinite(f[k]))
            continue;
        rbv_diagnose(d->motion->diagnostics, RBV_ERROR, model->file, model->states.items[k].where,
                     "at t = %.9g s the rate of the state '%s' is not finite", t, model->states.items[k].name);
        status = RBV_NOT_FINITE;
    }
    return status;
}

/* Integrates the states in one step from y0 at t0 to y1 at t1 [s], where the motion is then; *error in tolerances. */
static RbvStatus reach(RbvDriven *d, double t0, const double *y0, double t1, double *y1, double *error) {
    *error = 0;
    if (d->own == 0)
        return place(d, t1, y1);
    double *first = rbv_dormand_prince_first(&d->method);
    RbvStatus status = rate(d, t0, y0, first);
    for (int32_t k = 0; status == RBV_OK && k < d->own;
         k++) { /* relative to the largest value so far and to the change in the step */
        double size = rbv_max(rbv_max(d->size[k], fabs(y0[k])), (t1 - t0) * fabs(first[k]));
        d->weight[k] = size > 0 ? 1 / (d->tolerance * size) : 0;
    }
    if (status == RBV_OK)
        status = rbv_dormand_prince_step(&d->method, t0, y0, t1 - t0, d->weight, y1, error);
    return status == RBV_OK ? place(d, t1, y1) : status;
}

/* Returns whether the truth values of conditions differ from those in effect (d->activity.truth). d->before receives
 * those at the motion's state; *bad: name of a condition that is not finite, or NULL. */
static bool differs(RbvDriven *d, const char **bad) {
    *bad = rbv_conditions_decide(d->motion->state, NULL, NULL, d->before, d->work);
    return !*bad &&
           memcmp(d->before, d->activity.truth, (size_t)d->system->model->conditions.count * sizeof *d->before) != 0;
}

static RbvStatus not_finite(const RbvDriven *d, const char *name) {
    rbv_diagnose(d->diagnostics, RBV_ERROR, d->system->model->file, (RbvPosition){0, 0},
                 "at t = %.9g s '%s' has an active: that is not a finite number", d->motion->state->t, name);
    return RBV_NOT_FINITE;
}

/* INCONSISTENT (reported): a row that the condition engages is violated. */
static RbvStatus check_driven_fits(const RbvDriven *d, const RbvCondition *condition) {
    const RbvSystem *system = d->system;
    const RbvState *state = d->motion->state;
    for (int32_t k = 0; k < system->row_count; k++) {
        const RbvRow *row = &system->rows[k];
        /* Part of the row's size (of 1 rad for angles) by which an engaged row may be violated, and of the largest
         * velocity by which its rate may differ, both relative to the sizes of parts. */
        if (!rbv_condition_owns(condition, row) || row->on_rates ||
            fabs(state->phi[k]) <= RBV_FITS * (row->angular ? 1 : rbv_state_row_size(state, k)))
            continue;
        rbv_diagnose(d->diagnostics, RBV_ERROR, system->model->file, condition->where,
                     "at t = %.9g s '%s' engages where it does not fit: it is off by %.6g %s; with value: here it "
                     "would hold where it stands",
                     state->t, condition->name, fabs(state->phi[k]), row->angular ? "rad" : "m");
        return RBV_INCONSISTENT;
    }
    return RBV_OK;
}

/* INCONSISTENT (reported): a drive with a motion of its own engages at another velocity than its coordinate has. A
 * drive that begins at its present position (value: here) takes the coordinate along. */
static RbvStatus check_driven_rate(const RbvDriven *d, const RbvCondition *condition) {
    const RbvSystem *system = d->system;
    RbvState *state = d->motion->state;
    if (condition->of != RBV_CONDITION_DRIVE || condition->here)
        return RBV_OK;
    int32_t k = system->drive_row[condition->index];
    double fastest = 0, size = rbv_state_row_size(state, k),
           share = (system->rows[k].angular ? rbv_state_row_arm(state, k) : 1) / size;
    for (int32_t j = 0; j < d->motion->n; j++)
        fastest = rbv_max(fastest, fabs(state->v[j]) * d->motion->share[j]);
    rbv_state_jacobian(state);
    if (!rbv_state_rates(state))
        return rbv_motion_not_finite(d->motion, state->t);
    double error = rbv_state_row_times(state, k, state->v, NULL) - state->nu[k];
    if (fabs(error) * share <= RBV_FITS * rbv_max(fastest, fabs(state->nu[k]) * share))
        return RBV_OK;
    rbv_diagnose(d->diagnostics, RBV_ERROR, system->model->file, condition->where,
                 "at t = %.9g s '%s' engages where its rate does not fit: it is off by %.6g %s (value: here takes its "
                 "coordinate along from where it is)",
                 state->t, condition->name, fabs(error), system->rows[k].angular ? "rad/s" : "m/s");
    return RBV_INCONSISTENT;
}

/* Makes the truth values in d->before effective at the motion's state; velocities are found anew there if rows have
 * switched. INCONSISTENT (reported): what engages does not fit. Statuses of rbv_motion_switch, rbv_motion_go. */
static RbvStatus take(RbvDriven *d) {
    const RbvModel *model = d->system->model;
    RbvState *state = d->motion->state;
    RbvActivity *a = &d->activity;
    bool *now = d->before, rows = false;
    RbvStatus status = RBV_OK;
    for (int32_t k = 0; k < model->conditions.count; k++)
        if (now[k] != a->truth[k]) {
            rbv_condition_apply(d->system, &model->conditions.items[k], now[k], a->active, a->acting);
            rows = rows || model->conditions.items[k].of <= RBV_CONDITION_DRIVE;
        }
    for (int32_t k = 0; status == RBV_OK && k < model->conditions.count; k++) {
        if (now[k] && !a->truth[k]) {
            rbv_condition_hold_here(state, &model->conditions.items[k]);
            status = check_driven_fits(d, &model->conditions.items[k]);
            status = status == RBV_OK ? check_driven_rate(d, &model->conditions.items[k]) : status;
        }
        a->truth[k] = now[k];
    }
    d->switches++;
    if (status == RBV_OK && rows)
        status = rbv_motion_switch(d->motion);
    if (status == RBV_OK && rows)
        status = rbv_motion_go(d->motion, d->motion->previous);
    if (status == RBV_OK)
        rbv_state_load(state);
    return status;
}

/* Switches until conditions no longer change. LOCKED (reported): they change without end. */
static RbvStatus settle(RbvDriven *d) {
    const char *bad = NULL;
    RbvStatus status = RBV_OK;
    for (int round = 0; status == RBV_OK && differs(d, &bad); round++) {
        if (round == MOST_ROUNDS) {
            rbv_diagnose(d->diagnostics, RBV_ERROR, d->system->model->file, (RbvPosition){0, 0},
                         "at t = %.9g s conditions (active:) change without end", d->motion->state->t);
            return RBV_LOCKED;
        }
        status = take(d);
    }
    return status == RBV_OK && bad ? not_finite(d, bad) : status;
}

/* Finds an instant in (d->t, t] [s] at which conditions have changed, just after one at which they have not, by
 * bisection. Before: d->high has the states at t, where they have changed. Afterwards d->t is that instant, and the
 * motion is there. */
static RbvStatus locate(RbvDriven *d, double t) {
    double low = d->t, high = t, error;
    size_t size = (size_t)d->own * sizeof(double);
    const char *bad;
    RbvStatus status = RBV_OK;
    memcpy(d->low, d->y, size);
    for (int k = 0; status == RBV_OK && k < SWITCH_HALVINGS && high - low > SAME_TIME * rbv_max(fabs(high), t - d->t);
         k++) {
        double middle = 0.5 * (low + high);
        if (middle <= low || middle >= high)
            break;
        status = reach(d, low, d->low, middle, d->y, &error);
        bool later = status == RBV_OK && !differs(d, &bad);
        memcpy(later ? d->low : d->high, d->y, size);
        *(later ? &low : &high) = middle;
    }
    d->t = high;
    memcpy(d->y, d->high, size);
    return status == RBV_OK ? place(d, high, d->y) : status;
}

/* Tries a step from d->t to t [s]; d->high receives the states at t. aloud false: errors are not reported, since a
 * condition may end the step before them. */
static RbvStatus attempt(RbvDriven *d, double t, bool aloud, double *error) {
    RbvDiagnostics *report = d->motion->diagnostics;
    if (!aloud)
        d->motion->diagnostics = NULL;
    RbvStatus status = reach(d, d->t, d->y, t, d->high, error);
    d->motion->diagnostics = report;
    return status;
}

/* Factor for the length of the next step after one with this error [tolerances]. */
static double growth(double error) {
    return error > 0 ? rbv_min(MOST_GROWTH, rbv_max(LEAST_GROWTH, SAFETY * pow(error, -1.0 / RBV_DORMAND_PRINCE_ORDER)))
                     : MOST_GROWTH;
}

static RbvStatus too_fast(const RbvDriven *d) {
    rbv_diagnose(d->diagnostics, RBV_ERROR, d->system->model->file, (RbvPosition){0, 0},
                 "at t = %.9g s the states cannot be integrated further: no step is short enough for the tolerance",
                 d->t);
    return RBV_LOCKED;
}

/* One step towards `end` [s], no longer than `longest` [s], at most to the next switch of conditions. A step that fails
 * or has too large an error leaves d->t as it is and makes d->h shorter. */
static RbvStatus advance(RbvDriven *d, double end, double longest) {
    bool conditions = d->system->model->conditions.count > 0;
    const char *bad = NULL;
    double h = rbv_min(d->h, longest), error = 0, shortest = rbv_max(SHORTEST * longest, 8 * SAME_TIME * fabs(end));
    double t = d->t + h >= end - shortest ? end : d->t + h;
    bool aloud = h <= shortest;
    RbvStatus status = attempt(d, t, aloud, &error);
    if (status == RBV_NO_MEMORY || status == RBV_INTERRUPTED || (status != RBV_OK && aloud))
        return status;
    if (status != RBV_OK || error > 1) {
        d->h = (t - d->t) * (status != RBV_OK ? RETREAT : growth(error));
        return d->h > shortest || status != RBV_OK ? RBV_OK : too_fast(d);
    }
    if (conditions && differs(d, &bad)) {
        status = locate(d, t);
        if (status == RBV_OK)
            status = settle(d);
    } else {
        d->h = rbv_max(t == end ? h : 0,
                       (t - d->t) * growth(error)); /* a step shortened by a sample tells little about the next one */
        d->t = t;
        memcpy(d->y, d->high, (size_t)d->own * sizeof *d->y);
    }
    for (int32_t k = 0; k < d->own; k++)
        d->size[k] = rbv_max(d->size[k], fabs(d->y[k]));
    return status == RBV_OK && bad ? not_finite(d, bad) : status;
}

RbvStatus rbv_driven_go(RbvDriven *d, double t) {
    if (!d->stepwise)
        return rbv_motion_go(d->motion, t);
    bool conditions = d->system->model->conditions.count > 0;
    double longest = conditions ? (t - d->t) / CONDITION_LOOKS : t - d->t;
    RbvStatus status = RBV_OK;
    if (!d->motion->started)
        status = place(d, t, d->y);
    if (status == RBV_OK && conditions && d->t == t) /* the start: velocities are known now, conditions may read them */
        status = settle(d);
    while (status == RBV_OK && d->t < t) {
        double end = t, low, high;
        if (rbv_knots_next(&d->knots, d->t, &low, &high) && high < t)
            end = low > d->t ? low : high;
        status = advance(d, end, longest);
    }
    return status == RBV_OK ? place(d, t, d->y) : status;
}

/* Assembles the position at the start, at `from` [s], with the rows active there; *state is new and the caller's. */
static RbvStatus assemble_start(RbvDriven *d, double from, const RbvDriveTarget *targets, RbvProgress *progress,
                                RbvState **state) {
    const RbvSystem *system = d->system;
    RbvAssembly assembly = {.driven = true};
    if (!(*state = rbv_state_create(system)))
        return RBV_NO_MEMORY;
    (*state)->progress = progress;
    (*state)->targets = targets;
    RbvDiagnostics *reports = rbv_diagnostics_create();
    RbvStatus status = RBV_NO_MEMORY;
    if (reports && system->model->conditions.count > 0)
        status = rbv_activity_assemble(&d->activity, *state, from, false, reports, &assembly);
    else if (reports && system->rate_count > 0)
        status = rbv_assemble(*state, from, reports, &assembly);
    else if (reports)
        status = rbv_assemble_position(*state, from, reports, &assembly);
    status = rbv_blame_drives(*state, status, reports, d->diagnostics);
    rbv_diagnostics_destroy(reports);
    return status;
}

static bool allocate_states(RbvDriven *d) {
    size_t own = (size_t)d->own + 1;
    d->before = rbv_arena_array(&d->arena, (size_t)d->system->model->conditions.count + 1, sizeof *d->before);
    d->y = rbv_arena_array(&d->arena, 5 * own, sizeof *d->y);
    d->work = rbv_arena_array(&d->arena, (size_t)d->system->work_size + 64, sizeof *d->work);
    if (!d->before || !d->y || !d->work)
        return false;
    d->low = d->y + own, d->high = d->low + own, d->weight = d->high + own, d->size = d->weight + own;
    return d->own == 0 || rbv_dormand_prince_create(&d->method, d->own, rate, d);
}

RbvStatus rbv_driven_create(RbvDriven *d, const RbvSystem *system, double from, double step, RbvState *start,
                            const RbvDriveTarget *targets, double tolerance, RbvProgress *progress,
                            RbvDiagnostics *diagnostics, RbvMotion **motion) {
    const RbvModel *model = system->model;
    /* Relative tolerance of the states where the caller gives none. */
    *d = (RbvDriven){.system = system,
                     .diagnostics = diagnostics,
                     .own = model->states.count,
                     .t = from,
                     .h = INFINITY,
                     .tolerance = isnan(tolerance) ? RBV_SAME : tolerance,
                     .stepwise = model->states.count > 0 || model->conditions.count > 0};
    *motion = NULL;
    RbvState *state = NULL;
    RbvStatus status = d->stepwise && (!allocate_states(d) || !rbv_knots_create(&d->knots, model, from, step))
                           ? RBV_NO_MEMORY
                           : RBV_OK;
    if (status == RBV_OK && !start && (targets || model->conditions.count > 0))
        status = assemble_start(d, from, targets, progress, &state);
    else if (status == RBV_OK && model->conditions.count > 0)
        status = rbv_activity_take(&d->activity, start, diagnostics);
    if (status == RBV_OK)
        status = rbv_motion_create(system, from, state ? state : start, progress, diagnostics, motion);
    rbv_state_destroy(state);
    if (status != RBV_OK)
        return status;
    d->motion = *motion;
    d->activity.state = d->motion->state;
    for (int32_t k = 0; k < d->own; k++)
        d->y[k] = d->motion->state->own[k];
    return RBV_OK;
}

RbvStatus rbv_driven_continue(RbvDriven *d, const RbvMotion *from, RbvProgress *progress, RbvDiagnostics *diagnostics,
                              RbvMotion **motion) {
    *d = (RbvDriven){.system = from->system, .diagnostics = diagnostics, .t = from->state->t, .h = INFINITY};
    RbvStatus status = rbv_motion_continue(from, progress, diagnostics, motion);
    d->motion = *motion;
    d->activity.state = *motion ? (*motion)->state : NULL;
    return status;
}

void rbv_driven_destroy(RbvDriven *d) {
    rbv_activity_destroy(&d->activity);
    rbv_dormand_prince_destroy(&d->method);
    rbv_knots_destroy(&d->knots);
    rbv_arena_clear(&d->arena);
    *d = (RbvDriven){0};
}

/* ---- stops that a prescribed motion violates: checked at each sample, for a warning with the first time and the
 * largest violation ---- */

bool rbv_stop_violations_create(RbvStopViolations *p, const RbvSystem *system) {
    *p = (RbvStopViolations){system, calloc(2 * (size_t)system->model->stops.count + 1, sizeof *p->limits)};
    return p->limits != NULL;
}

void rbv_stop_violations_destroy(RbvStopViolations *p) {
    free(p->limits);
    *p = (RbvStopViolations){0};
}

/* Returns whether the condition of the stop is true, or it has none. */
static bool is_there(const RbvModel *model, int32_t stop, const bool *truth) {
    for (int32_t k = 0; truth && k < model->conditions.count; k++)
        if (model->conditions.items[k].of == RBV_CONDITION_STOP && model->conditions.items[k].index == stop)
            return truth[k];
    return true;
}

/* Limit k of p->limits: stop k / 2, its lower (even k) or upper limit. */
void rbv_stop_violations_look(RbvStopViolations *p, const RbvState *state, const bool *truth) {
    const RbvModel *model = p->system->model;
    for (int32_t k = 0; k < 2 * model->stops.count; k++) {
        const RbvStop *stop = &model->stops.items[k / 2];
        RbvStopViolation *limit = &p->limits[k];
        int32_t row = p->system->stop_row[k];
        if (row < 0 || !is_there(model, k / 2, truth))
            continue;
        /* Relative to the scale of the row: a stop passed by less is only touched. */
        double value, rate, fits = RBV_FITS * rbv_state_row_scale(state, row);
        rbv_state_coordinate(state, &stop->of, &value, &rate);
        double beyond = k % 2 ? value - stop->limit[1] : stop->limit[0] - value;
        if (!(beyond > fits))
            continue;
        if (!limit->passed)
            *limit = (RbvStopViolation){state->t, state->t, value, true};
        if (k % 2 ? value > limit->value : value < limit->value) {
            limit->at = state->t;
            limit->value = value;
        }
    }
}

void rbv_stop_violations_join(RbvStopViolations *p, const RbvStopViolations *later) {
    for (int32_t k = 0; k < 2 * p->system->model->stops.count; k++) {
        RbvStopViolation *to = &p->limits[k];
        const RbvStopViolation *from = &later->limits[k];
        bool further = k % 2 ? from->value > to->value : from->value < to->value;
        double first = to->passed ? to->first : from->first;
        if (!from->passed)
            continue;
        *to = !to->passed || further ? *from : *to;
        to->first = first;
    }
}

void rbv_stop_violations_note(const RbvStopViolations *p, RbvDiagnostics *diagnostics) {
    const RbvModel *model = p->system->model;
    for (int32_t k = 0; k < 2 * model->stops.count; k++) {
        const RbvStop *stop = &model->stops.items[k / 2];
        const RbvStopViolation *limit = &p->limits[k];
        if (!limit->passed)
            continue;
        const char *space = *stop->unit ? " " : "";
        const char *side = k % 2 ? "max" : "min";
        rbv_diagnose(
            diagnostics, RBV_WARNING, model->file, stop->where,
            "stop '%s' is passed from t = %.6g s on: %s is beyond %s = %.6g%s%s, farthest at t = %.6g s with %.6g%s%s",
            stop->name, limit->first, stop->coordinate, side, stop->limit[k % 2], space, stop->unit, limit->at,
            limit->value, space, stop->unit);
    }
}
