/* Transitions at the instant at which a step was cut; see event_loop.h. Laws that leave their pieces come first
 * (laws.c); where nothing else is due, the motion goes on. Otherwise passes are made until no indicator calls for
 * another one. A pass (settle_once):
 *
 *   do_events           log events and set states; where only events that set nothing are due, the pass ends here
 *   switch_conditions   switch rows and loads; what engages must fit
 *   jump                which gaps are zero; friction that comes to rest sticks; drives with limits are freed; then
 *                       begin_again, and once more while friction that gave way changes which contacts are pressed
 *   begin_again         exchange impulses (transition_impulses.c), for velocities and pressed contacts after the jump;
 *                       friction sticks, slides, gives way, and the motion restarts (transition_friction.c)
 *   look_again          evaluate conditions and events in the new state
 *
 * With control (flow->tracking) there are no conditions, contacts and friction; take_effort_limits replaces the middle
 * steps. */
#include "dynamics/events/transition.h"

#include "core/base/diagnostics.h"
#include "core/base/extremes.h"
#include "core/base/tolerances.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- efforts of actuators that reach or leave their limits: velocities do not jump, accelerations do ---- */

/* Logs efforts that reach or leave a limit, and restarts the motion. */
static RbvStatus take_effort_limits(RbvEventLoop *h) {
    RbvTracking *tracking = h->flow->tracking;
    const RbvModel *model = h->flow->system->model;
    for (int32_t i = 0; i < h->limits; i++) {
        if (tracking->limited[i] != tracking->phase[i] &&
            !rbv_event_loop_log(h, model->actuators.items[i].name, tracking->limited[i] != 0 ? "limit" : "release",
                                NAN))
            return RBV_NO_MEMORY;
        tracking->phase[i] = tracking->limited[i];
    }
    return rbv_stepper_restart(h->stepper);
}

RbvStatus rbv_event_loop_begin_control(RbvEventLoop *h) {
    RbvTracking *tracking = h->flow->tracking;
    const RbvModel *model = h->flow->system->model;
    rbv_tracking_mask(tracking);
    RbvStatus status = rbv_stepper_restart(h->stepper);
    for (int32_t i = 0; status == RBV_OK && i < h->limits; i++) {
        tracking->phase[i] = tracking->limited[i];
        if (tracking->limited[i] != 0)
            rbv_diagnose(h->flow->diagnostics, RBV_NOTE, model->file, model->actuators.items[i].where,
                         "actuator '%s' is at its limit from the start", model->actuators.items[i].name);
    }
    if (status == RBV_OK)
        status = rbv_event_loop_indicate(h, true, h->now);
    if (status == RBV_OK)
        rbv_event_loop_remember(h, h->now);
    return status;
}

/* ---- conditions that change: rows that become active must fit the present position ---- */

/* Verifies that rows that become active fit the present position; rows on rates and one-sided joints are not asked.
 * INCONSISTENT: reported. */
static RbvStatus check_position(const RbvEventLoop *h, const RbvCondition *condition) {
    const RbvSystem *system = h->flow->system;
    const RbvState *state = h->flow->state;
    for (int32_t k = 0; k < system->row_count; k++) {
        const RbvRow *row = &system->rows[k];
        if (!rbv_condition_owns(condition, row) || row->on_rates ||
            (row->owner == RBV_OWNER_JOINT && system->model->joints.items[row->index].unilateral))
            continue;
        char text[200];
        /* Relative to the scale of a row, and for rates to its speeds: largest error of position and of rate of what
         * engages. */
        if (!(fabs(state->phi[k]) <= rbv_event_loop_part_of_size(h, k, RBV_FITS))) {
            snprintf(
                text, sizeof text,
                "engages where it does not fit: it is off by %.6g %s; with value: here it would hold where it stands",
                fabs(state->phi[k]), row->angular ? "rad" : "m");
            return rbv_event_loop_fail(h, RBV_INCONSISTENT, condition->name, text);
        }
    }
    return RBV_OK;
}

/* A drive with a prescribed value must meet its coordinate there, with its own velocity; a drive that starts at the
 * present value (value: here) takes the coordinate along by an impulse. INCONSISTENT: reported; or as
 * rbv_event_loop_report_not_finite. */
static RbvStatus check_rate(const RbvEventLoop *h, const RbvCondition *condition) {
    const RbvSystem *system = h->flow->system;
    RbvState *state = h->flow->state;
    if (condition->of != RBV_CONDITION_DRIVE || condition->here)
        return RBV_OK;
    rbv_state_jacobian(state);
    if (!rbv_state_rates(state))
        return rbv_event_loop_report_not_finite(h);
    int32_t k = system->drive_row[condition->index];
    double size, rate = rbv_state_row_times(state, k, state->v, &size) - state->nu[k];
    size += fabs(state->nu[k]);
    if (fabs(rate) <= RBV_FITS * size + rbv_event_loop_part_of_size(h, k, RBV_FITS) *
                                            rbv_stepper_speed(h->stepper, system->row_part[k]))
        return RBV_OK;
    char text[200];
    snprintf(text, sizeof text,
             "engages where its rate does not fit: it is off by %.6g %s (value: here takes its coordinate along from "
             "where it is)",
             fabs(rate), system->rows[k].angular ? "rad/s" : "m/s");
    return rbv_event_loop_fail(h, RBV_INCONSISTENT, condition->name, text);
}

/* Verifies that the stop or one-sided joint of the condition is not violated already. INCONSISTENT: reported. */
static RbvStatus check_passed(const RbvEventLoop *h, const RbvCondition *condition) {
    for (int32_t k = 0; k < h->contacts.count; k++) {
        const RbvContact *contact = &h->contacts.items[k];
        bool of = (condition->of == RBV_CONDITION_STOP && condition->index == contact->stop) ||
                  (condition->of == RBV_CONDITION_JOINT && condition->index == contact->joint);
        double gap = of ? rbv_contacts_gap(contact, h->flow->state) : 0;
        if (gap >= -rbv_event_loop_part_of_size(h, contact->row, RBV_FITS))
            continue;
        char text[200];
        const char *unit = h->flow->system->rows[contact->row].angular ? "rad" : "m";
        if (contact->stop >= 0)
            unit = h->flow->system->model->stops.items[contact->stop].unit;
        snprintf(text, sizeof text, "engages where it does not fit: it is passed by %.6g %s", -gap, unit);
        return rbv_event_loop_fail(h, RBV_INCONSISTENT, condition->name, text);
    }
    return RBV_OK;
}

static RbvStatus check_fits(const RbvEventLoop *h, const RbvCondition *condition) {
    RbvStatus status = check_position(h, condition);
    if (status == RBV_OK)
        status = check_passed(h, condition);
    return status == RBV_OK ? check_rate(h, condition) : status;
}

/* Applies conditions whose indicator in now[] is no longer their truth: rows, loads, friction, drives with limits.
 * INCONSISTENT: what engages does not fit its position or velocity (reported). NO_MEMORY. */
static RbvStatus switch_conditions(RbvEventLoop *h, const double *now, bool logs) {
    const RbvSystem *system = h->flow->system;
    const RbvModel *model = system->model;
    for (int32_t k = 0; k < model->conditions.count; k++) {
        const RbvCondition *condition = &model->conditions.items[k];
        bool holds = now[h->contacts.count + k] != 0;
        if (holds == h->truth[k])
            continue;
        h->truth[k] = holds;
        h->before[h->contacts.count + k] = holds;
        h->switched[k] = true;
        rbv_condition_apply(system, condition, holds, h->active, h->acting);
        if (logs && !rbv_event_loop_log(h, condition->name, holds ? "engage" : "disengage", NAN))
            return RBV_NO_MEMORY;
        h->engages = h->engages || holds;
        if (holds)
            rbv_condition_hold_here(h->flow->state, condition);
        int32_t limited =
            condition->of == RBV_CONDITION_DRIVE ? rbv_slipping_find(&h->flow->slipping, condition->index) : -1;
        if (limited >= 0)
            rbv_slipping_switch(&h->flow->slipping, limited, holds, h->active);
        if (condition->of == RBV_CONDITION_JOINT)
            rbv_event_loop_switch_friction(h, condition->index, holds);
        RbvStatus status = holds && limited < 0 ? check_fits(h, condition) : RBV_OK;
        if (status != RBV_OK)
            return status;
    }
    return RBV_OK;
}

/* Returns whether velocities have changed since the beginning of the pass by more than rounding. */
static bool has_jumped(const RbvEventLoop *h) {
    double fastest = 0, most = 0;
    for (int32_t j = 0; j < h->flow->n; j++) {
        fastest = rbv_max(fastest, rbv_max(fabs(h->flow->state->v[j]), fabs(h->were[j])));
        most = rbv_max(most, fabs(h->flow->state->v[j] - h->were[j]));
    }
    /* Relative to the fastest velocity: a larger change of velocities is not rounding. */
    return most > RBV_CANCELLED * fastest;
}

/* To be called at the end of a pass; found[k] are the indicators of the state as it then is. A condition that has
 * switched and switches back, while neither velocities (compared with loop->were) nor states (sets) have jumped, does
 * so by rounding: active rows are placed anew and may be on the other side of the switching point. The condition is
 * kept as switched. */
static void keep_switched(RbvEventLoop *h, bool sets, double *found) {
    bool jumped = sets || has_jumped(h);
    for (int32_t k = 0; k < h->flow->system->model->conditions.count; k++) {
        h->switched[k] = h->switched[k] && !jumped;
        found[h->contacts.count + k] = h->switched[k] ? h->truth[k] : found[h->contacts.count + k];
    }
}

/* ---- jump of velocities, and transitions without end ---- */

/* Largest number of passes of transitions within so short a time [s]; more are taken to be endless. */
#define MOST_FLIPS 1000
/* Largest number of passes not caused by contacts within this part of the longest step (a thousandth of the
 * run, or less): more are a sliding mode whose switches rounding keeps from getting ever closer. Each would be a step,
 * and the run would have millions. */
#define MOST_OFTEN 2000
#define OFTEN_WITHIN 0.02

/* Closed contacts: those whose condition is true and whose gap is at most RBV_SAME. */
static void find_closed(RbvEventLoop *h) {
    /* Relative to the scale of its row: a contact with a smaller gap is closed. */
    for (int32_t k = 0; k < h->contacts.count; k++)
        h->closed[k] =
            rbv_event_loop_is_there(h, k) && rbv_contacts_gap(&h->contacts.items[k], h->flow->state) <=
                                                 rbv_event_loop_part_of_size(h, h->contacts.items[k].row, RBV_SAME);
}

/* Finds impulses and which contacts are pressed, decides friction with them, and restarts the motion. `was`, `before`:
 * the phases of friction after the impulses, with which changes are compared for the log. */
static RbvStatus begin_again(RbvEventLoop *h, const double *found, bool logs, bool *again) {
    RbvFlow *flow = h->flow;
    RbvStatus status = rbv_event_loop_exchange_impulses(h, found, logs, again);
    for (int32_t k = 0; status == RBV_OK && *again && k <= h->contacts.count;
         k++) /* rolling takes its impulse at the same instant */
        status = rbv_event_loop_exchange_impulses(h, found, logs, again);
    if (status != RBV_OK)
        return status;
    rbv_event_loop_close_friction(h);
    double kinetic = rbv_impact_audit_kinetic(&h->audit, flow->state);
    rbv_event_loop_find_stopped(h);
    rbv_event_loop_turn_back(h);
    bool *was = calloc((size_t)flow->sliding.count + 1, sizeof *was);
    RbvSlipVector *before = calloc((size_t)flow->sliding.count + 1, sizeof *before);
    bool memory = was && before;
    if (memory && flow->sliding.count > 0) {
        memcpy(was, flow->sliding.slides, (size_t)flow->sliding.count * sizeof *was);
        memcpy(before, flow->sliding.toward, (size_t)flow->sliding.count * sizeof *before);
    }
    rbv_event_loop_try_sticking(h);
    status = memory ? rbv_event_loop_begin_sticking(h, was, before, flow->slipping.before, logs) : RBV_NO_MEMORY;
    free(was);
    free(before);
    return status == RBV_OK ? rbv_event_loop_audit_restart(h, kinetic) : status;
}

/* Lets velocities jump, decides contacts anew and restarts the motion. `found`: indicators of the event; NULL: start of
 * the run. */
static RbvStatus jump(RbvEventLoop *h, const double *found, bool logs, bool *again) {
    find_closed(h);
    for (int32_t k = 0; k < h->contacts.count; k++) {
        if (logs && h->pressed[k] && !h->closed[k] && !rbv_event_loop_log(h, h->contacts.items[k].name, "release", NAN))
            return RBV_NO_MEMORY;
        h->pressed[k] = h->pressed[k] && h->closed[k];
    }
    rbv_event_loop_find_resting(h, found);
    if (!rbv_event_loop_stop_slow(h, logs))
        return RBV_NO_MEMORY;
    rbv_event_loop_free_drives(h);
    h->takes_along = h->engages;
    h->engages = false;
    RbvStatus status = begin_again(h, found, logs, again);
    for (int32_t k = 0; status == RBV_OK && k < h->contacts.count && rbv_event_loop_contacts_change(h); k++)
        status = begin_again(h, found, logs, again);
    h->changed = true;
    return status;
}

/* Reports endless changes and, for a condition that reverses itself (a sliding mode), advice against them. */
static RbvStatus report_endless(RbvEventLoop *h, int times, const char *within) {
    const RbvModel *model = h->flow->system->model;
    char text[600];
    bool condition = false;
    const char *jams = rbv_stepper_jams(h->stepper);
    if (jams)
        return rbv_event_loop_report_unsettled(h, NULL, jams);
    for (int32_t k = 0; k < model->conditions.count; k++)
        condition = condition || model->conditions.items[k].name == h->cause;
    snprintf(text, sizeof text, "changes without end: more than %d times within %s s%s", times, within,
             condition ? ", since its active: brings about that it ceases, and the other way round. A force with a "
                         "steep slope, such as tanh(x'/v0), does not switch; active: by a state that two events set, a "
                         "little apart, switches more rarely"
                       : "");
    return rbv_event_loop_report_unsettled(h, h->cause[0] ? h->cause : NULL, text);
}

/* Counts a pass; returns whether there are too many in too short a time. */
static bool is_endless(RbvEventLoop *h) {
    double t = h->stepper->t;
    if (t - h->flips_from > RBV_FITS) {
        h->flips_from = t;
        h->flips = 0;
    }
    return ++h->flips > MOST_FLIPS;
}

/* Counts a pass that a contact has not caused; returns whether there are too many for so short a part of the run.
 * Bounces of contacts get shorter until they rest, and are not counted. */
static bool is_frequent(RbvEventLoop *h) {
    double t = h->stepper->t;
    for (int32_t k = 0; k < h->contacts.count; k++)
        if (h->contacts.items[k].name == h->cause)
            return false;
    if (t - h->often_from > OFTEN_WITHIN * h->stepper->longest) {
        h->often_from = t;
        h->often = 0;
    }
    return ++h->often > MOST_OFTEN;
}

static RbvStatus report_frequent(RbvEventLoop *h) {
    char within[32];
    snprintf(within, sizeof within, "%.3g", OFTEN_WITHIN * h->stepper->longest);
    return report_endless(h, MOST_OFTEN, within);
}

/* ---- events, and the passes of a transition ---- */

/* Finds the values that an event sets (loop->set), from the states before all events of this instant. */
static RbvStatus set_states(RbvEventLoop *h, int32_t event) {
    const RbvModel *model = h->flow->system->model;
    RbvState *state = h->flow->state;
    for (int32_t k = 0; k < model->settings.count; k++) {
        const RbvSetting *setting = &model->settings.items[k];
        if (setting->event == event)
            h->set[setting->state] = rbv_state_expression(state, setting->value, NULL, h->value);
        if (setting->event == event && !isfinite(h->set[setting->state]))
            return rbv_event_loop_fail(h, RBV_NOT_FINITE, model->events.items[event].name,
                                       "sets a state to what is not finite");
    }
    return RBV_OK;
}

/* Logs and executes the events that `found` shows, each once at an instant. *sets: some set states; *others: indicators
 * of other kinds than events have changed. */
static RbvStatus do_events(RbvEventLoop *h, const double *found, bool *sets, bool *others) {
    const RbvModel *model = h->flow->system->model;
    int32_t first = h->contacts.count + model->conditions.count;
    RbvStatus status = RBV_OK;
    for (int32_t k = 0; k < model->states.count; k++)
        h->set[k] = h->flow->state->own[k];
    for (int32_t k = 0; status == RBV_OK && k < h->count; k++) {
        if (!rbv_event_loop_changes(h, k, found))
            continue;
        h->cause = rbv_event_loop_name_of(h, k);
        if (k < first || k >= first + model->events.count) {
            *others = true;
            continue;
        }
        const RbvEventDefinition *event = &model->events.items[k - first];
        bool logged = rbv_event_loop_is_logged(h, event);
        if (!logged)
            h->met[k - first] = fabs(h->before[k]);
        if (found[k] != 0 && !rbv_event_loop_is_rounded(h, k, found[k]))
            h->before[k] = found[k];
        else if (!logged) /* the side to which it changes */
            h->before[k] = -copysign(DBL_MIN, h->before[k]);
        if (logged)
            continue;
        if (!rbv_event_loop_log(h, event->name, "event", NAN))
            return RBV_NO_MEMORY;
        h->ended = h->ended || event->deed == RBV_EVENT_STOP;
        status = set_states(h, k - first);
    }
    for (int32_t k = 0; status == RBV_OK && k < model->states.count; k++) {
        *sets = *sets || h->set[k] != h->flow->state->own[k];
        h->flow->state->own[k] = h->set[k];
    }
    return status;
}

/* Evaluates conditions and events in the present state. All other indicators are 1: contacts, friction, drives and
 * efforts are decided already. */
static RbvStatus look_again(RbvEventLoop *h, double *found) {
    const RbvModel *model = h->flow->system->model;
    int32_t first = h->contacts.count, end = first + model->conditions.count + model->events.count;
    RbvStatus status = rbv_event_loop_indicate(h, true, found);
    for (int32_t k = 0; k < h->count; k++)
        found[k] = k < first || k >= end ? 1 : found[k];
    return status;
}

/* Evaluates conditions after events have set states. */
static RbvStatus renew_conditions(RbvEventLoop *h, double *found) {
    RbvStatus status = rbv_event_loop_indicate(h, false, h->now);
    for (int32_t k = h->contacts.count;
         status == RBV_OK && k < h->contacts.count + h->flow->system->model->conditions.count; k++)
        found[k] = h->now[k];
    return status;
}

/* One pass: executes what `found` shows; found[] then has the indicators of the new state. *jumped: velocities, rows or
 * states have changed; *again: another pass is needed, and on entry: the pass before said so, and this one jumps in any
 * case. */
static RbvStatus settle_once(RbvEventLoop *h, double *found, bool begins, bool *jumped, bool *again) {
    bool sets = false, others = begins || *again;
    double energy = rbv_power_energy(&h->flow->power, h->flow->state);
    memcpy(h->were, h->flow->state->v, (size_t)h->flow->n * sizeof *h->were);
    RbvStatus status = begins ? RBV_OK : do_events(h, found, &sets, &others);
    *jumped = others || sets;
    *again = false;
    if (status == RBV_OK && sets)
        status = renew_conditions(h, found);
    if (status == RBV_OK && *jumped && h->flow->tracking)
        status = take_effort_limits(h);
    else if (status == RBV_OK && *jumped)
        status = switch_conditions(h, found, !begins);
    if (status == RBV_OK && *jumped && !h->flow->tracking)
        status = jump(h, begins ? NULL : found, !begins, again);
    if (status == RBV_OK && *jumped)
        status = look_again(h, found);
    if (status == RBV_OK && *jumped)
        keep_switched(h, sets, found);
    if (status == RBV_OK && *jumped && !begins) /* energy lost in impacts, and energy of items that begin or cease to
                                                   act, is no error of the balance */
        rbv_stepper_give(h->stepper, rbv_power_energy(&h->flow->power, h->flow->state) - energy);
    return status;
}

RbvStatus rbv_event_loop_settle(RbvEventLoop *h, bool begins) {
    int32_t first = h->contacts.count;
    bool jumped = false, ever = false, again = false;
    RbvStatus status;
    for (int32_t k = 0; begins && k < h->flow->system->model->conditions.count; k++)
        h->before[first + k] = h->found[first + k] = h->truth[k];
    memset(h->switched, 0, (size_t)h->flow->system->model->conditions.count);
    do {
        status = settle_once(h, h->found, begins, &jumped, &again);
        ever = ever || jumped;
        if (begins && status == RBV_OK) /* what is so at the start of the run is no event */
            rbv_event_loop_remember(h, h->found);
        begins = false;
        if (status == RBV_OK && is_endless(h))
            status = report_endless(h, MOST_FLIPS, "1e-6");
        if (status == RBV_OK && jumped && is_frequent(h))
            status = report_frequent(h);
    } while (status == RBV_OK && jumped && (again || rbv_event_loop_any_changes(h, h->found)));
    if (status == RBV_OK && ever)
        rbv_event_loop_remember(h, h->found);
    return status;
}

/* Lets laws continue on their next pieces, if loop->now shows that one leaves its piece. *only: no other transition is
 * due there, and the indicators of the step that follows are stored. */
static RbvStatus pass_laws(RbvEventLoop *h, bool *only) {
    double *law = &h->now[h->laws];
    if (!(*law < 0))
        return RBV_OK;
    *law = 1;
    *only = !rbv_event_loop_any_changes(h, h->now);
    RbvStatus status = rbv_laws_go_on(h);
    if (status != RBV_OK || !*only)
        return status;
    status = rbv_event_loop_indicate(h, true, h->now); /* the effect of forces that have jumped; a law that is at its
                                                          bound to rounding leaves it in the next step */
    *law = 1;
    *only = status == RBV_OK && !rbv_event_loop_any_changes(h, h->now);
    if (*only)
        rbv_event_loop_remember(h, h->now);
    return status;
}

RbvStatus rbv_event_loop_make_transition(RbvEventLoop *h) {
    bool only = false;
    h->pending = false;
    RbvStatus status = pass_laws(h, &only);
    if (status != RBV_OK || only)
        return status;
    memcpy(h->found, h->now,
           (size_t)h->count * sizeof *h->found); /* indicators of the event that the step was cut for, as found there */
    rbv_laws_follow(h, true);
    status = rbv_event_loop_settle(h, false);
    rbv_laws_hold(h);
    return status;
}
