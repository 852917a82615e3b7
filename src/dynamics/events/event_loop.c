/* The event loop: its creation with the phases of the start, one step with the first transition in it, contacts that
 * share the load; see event_loop.h.
 *
 * A step: knots of time end it (knots.h); the stepper makes it; find_change evaluates the indicators at STEP_LOOKS
 * instants within it and at its end. Where a margin may have passed zero and returned between two of these, the search
 * looks there too. The bracket of the first change goes to crossing.c, and the step is cut there. */
#include "core/base/extremes.h"
#include "dynamics/events/transition.h"

#include "core/base/diagnostics.h"
#include "core/base/tolerances.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* STEP_LOOKS: instants within a step at which indicators are evaluated, besides its end. DIP_HALVINGS: most bisections
 * for the least gap of one contact. */
#define STEP_LOOKS 4
#define DIP_HALVINGS 70
/* Parts of the time between two evaluations at which the cubic through a contact's gap is evaluated. */
#define DIPS 8

/* Most repetitions of a step, shorter each time, when the instant of its transition is known too coarsely. */
#define TRIES 4

/* Returns whether indicators need forces or accelerations, and so the state projected onto the constraints: where
 * contacts are pressed, friction sticks or slides in several directions, drives follow within limits, laws read
 * multipliers or are between two pieces, or actuators have limits. */
static bool needs_projection(const RbvEventLoop *h) {
    for (int32_t k = 0; k < h->contacts.count; k++)
        if (h->pressed[k])
            return true;
    for (int32_t i = 0; i < h->flow->sliding.count; i++)
        if (!h->flow->sliding.slides[i] || rbv_sliding_contact(&h->flow->sliding, i)->count > 1)
            return true;
    for (int32_t i = 0; i < h->flow->slipping.count; i++)
        if (h->flow->slipping.sign[i] == 0)
            return true;
    for (int32_t k = 0; k < h->pieces.count; k++) /* a non-ideal law may read multipliers */
        if (h->pieces.laws[k].owner == RBV_LAW_NONIDEAL)
            return true;
    return h->limits > 0 || h->pieces.between_count > 0;
}

/* BAD_INPUT (reported): a stop is violated at the start. */
static RbvStatus check_start(RbvEventLoop *h) {
    const RbvModel *model = h->flow->system->model;
    for (int32_t k = 0; k < h->contacts.count; k++) {
        const RbvContact *contact = &h->contacts.items[k];
        /* Part of the row's size by which a stop may be violated at the start. */
        if (contact->stop < 0 || !rbv_event_loop_is_there(h, k) ||
            rbv_contacts_gap(contact, h->flow->state) >= -rbv_event_loop_part_of_size(h, contact->row, RBV_FITS))
            continue;
        const RbvStop *stop = &model->stops.items[contact->stop];
        double value, rate;
        rbv_state_coordinate(h->flow->state, &stop->of, &value, &rate);
        rbv_diagnose(h->flow->diagnostics, RBV_ERROR, model->file, stop->where,
                     "stop '%s' is passed at the start: %s is %.6g, beyond %s %.6g", stop->name, stop->coordinate,
                     value, contact->sign > 0 ? "min" : "max", stop->limit[contact->sign < 0]);
        return RBV_BAD_INPUT;
    }
    return RBV_OK;
}

/* Decides which friction contacts slide at the start: those with a slip velocity, and those that are off. The others
 * stick. */
static void begin_friction(RbvEventLoop *h) {
    RbvSliding *s = &h->flow->sliding;
    double rest = rbv_event_loop_rest_rate(h);
    for (int32_t i = 0; i < s->count; i++) {
        const RbvFrictionContact *friction = rbv_sliding_contact(s, i);
        s->slides[i] = rbv_sliding_rate(s, i) > rest && rbv_sliding_turn(s, i);
        s->slides[i] = s->slides[i] || s->off[i];
        if (!s->slides[i])
            rbv_event_loop_stick(h, i);
        for (int32_t row = friction->stick_row; s->slides[i] && row < friction->stick_row + friction->count; row++)
            h->active[row] = false;
    }
}

/* Decides which drives with a limit slip at the start, of those whose rows the assembly has left inactive: those whose
 * s (slipping.h, here the velocity `off`) is not zero. The others follow from their present position. */
static void begin_slipping(RbvEventLoop *h) {
    RbvSlipping *s = &h->flow->slipping;
    double lag;
    for (int32_t i = 0; i < s->count; i++) {
        double off = rbv_slipping_surface(s, i, &lag);
        if (s->off[i] || h->active[h->flow->system->drive_row[s->drive[i]]])
            continue;
        if (fabs(off) > rbv_event_loop_rest_rate(h))
            rbv_slipping_slip(s, i, off > 0 ? 1 : -1, h->active);
        else
            rbv_slipping_engage(s, i, h->active); /* its velocity fits: it follows from its present position */
    }
}

/* Allocates all arrays. False: out of memory. */
static bool allocate_loop(RbvEventLoop *h, RbvFlow *flow, RbvFrame frame) {
    const RbvSystem *system = flow->system;
    const RbvModel *model = system->model;
    bool contacts = rbv_contacts_create(&h->contacts, system);
    size_t n = (size_t)h->contacts.count + 1;
    h->limits = flow->tracking && flow->tracking->has_limits ? flow->tracking->actuators : 0;
    h->count = h->contacts.count + model->conditions.count + model->events.count + flow->sliding.count +
               flow->slipping.count + h->limits;
    size_t count = (size_t)h->count + 1;
    h->has_indicators = h->count > 0;
    h->laws = h->count++;
    h->active = rbv_arena_array(&h->arena, (size_t)system->row_count + 1, sizeof *h->active);
    h->acting = rbv_arena_array(&h->arena, (size_t)model->loads.count + 1, sizeof *h->acting);
    h->closed = rbv_arena_array(&h->arena, n, sizeof *h->closed);
    h->pressed = rbv_arena_array(&h->arena, n, sizeof *h->pressed);
    h->gaps = rbv_arena_array(&h->arena, 4 * n, sizeof *h->gaps);
    h->touching = rbv_arena_array(&h->arena, n + (size_t)system->row_count, sizeof *h->touching);
    h->truth = rbv_arena_array(&h->arena, (size_t)model->conditions.count + 1, sizeof *h->truth);
    h->switched = rbv_arena_array(&h->arena, (size_t)model->conditions.count + 1, sizeof *h->switched);
    h->were = rbv_arena_array(&h->arena, (size_t)flow->n + 1, sizeof *h->were);
    h->rests = rbv_arena_array(&h->arena, (size_t)flow->sliding.count + 1, sizeof *h->rests);
    h->opened = rbv_arena_array(&h->arena, (size_t)flow->sliding.count + 1, sizeof *h->opened);
    h->met = rbv_arena_array(&h->arena, (size_t)model->events.count + 1, sizeof *h->met);
    h->before = rbv_arena_array(&h->arena, count, sizeof *h->before);
    h->now = rbv_arena_array(&h->arena, count, sizeof *h->now);
    h->found = rbv_arena_array(&h->arena, count, sizeof *h->found);
    h->set = rbv_arena_array(&h->arena, (size_t)model->states.count + 1, sizeof *h->set);
    h->value = rbv_arena_array(&h->arena, (size_t)system->work_size + 64, sizeof *h->value);
    h->impulses.joint = rbv_arena_array(&h->arena, (size_t)model->joints.count + 1, sizeof *h->impulses.joint);
    h->impulses.drive = rbv_arena_array(&h->arena, (size_t)model->drives.count + 1, sizeof(double));
    h->impulses.constraint = rbv_arena_array(&h->arena, (size_t)model->constraints.count + 1, sizeof(double));
    h->impulses.stop = rbv_arena_array(&h->arena, (size_t)model->stops.count + 1, sizeof(double));
    h->reactions = rbv_reactions_create(system, frame);
    if (h->reactions)
        h->reactions->impulsive = true;
    bool impact = contacts && rbv_impact_create(&h->impact, &flow->sliding, &flow->slipping, &h->contacts) &&
                  rbv_impact_audit_create(&h->audit, system) &&
                  rbv_shares_create(&h->shares, &flow->sliding, &flow->slipping, flow->lambda);
    bool knots = rbv_knots_create(&h->knots, model, h->stepper->t, h->stepper->longest),
         pieces = rbv_pieces_create(&h->pieces, model);
    return impact && knots && pieces && rbv_crossing_create(h) && h->active && h->acting && h->closed && h->pressed &&
           h->gaps && h->touching && h->truth && h->switched && h->were && h->rests && h->opened && h->met &&
           h->before && h->now && h->found && h->set && h->value && h->reactions && h->impulses.joint &&
           h->impulses.drive && h->impulses.constraint && h->impulses.stop;
}

/* Sets active rows and loads, closed contacts and sticking friction contacts of the start; then makes the transition of
 * the start, in which velocities come to fit them. */
static RbvStatus begin_loop(RbvEventLoop *h) {
    RbvFlow *flow = h->flow;
    const RbvSystem *system = flow->system;
    RbvState *state = flow->state;
    for (int32_t k = 0; k < system->row_count; k++)
        h->active[k] = rbv_state_holds(state, k);
    for (int32_t k = 0; k < system->model->loads.count; k++)
        h->acting[k] = rbv_state_acts(state, k);
    const char *bad = rbv_conditions_decide(state, h->active, h->acting, h->truth, h->value);
    if (bad)
        return rbv_event_loop_fail(h, RBV_NOT_FINITE, bad, "has an active: that is not a finite number");
    for (int32_t k = 0; k < system->model->conditions.count;
         k++) { /* friction of joints and drives with limits that are off; such a drive may start behind its motion,
                   with its row inactive */
        const RbvCondition *condition = &system->model->conditions.items[k];
        for (int32_t f = 0; condition->of == RBV_CONDITION_JOINT && f < flow->sliding.count; f++)
            if (rbv_sliding_contact(&flow->sliding, f)->own &&
                rbv_sliding_contact(&flow->sliding, f)->joint == condition->index)
                flow->sliding.off[f] = !h->truth[k];
        int32_t i = condition->of == RBV_CONDITION_DRIVE ? rbv_slipping_find(&flow->slipping, condition->index) : -1;
        if (i < 0)
            continue;
        flow->slipping.off[i] = !h->truth[k];
        h->active[system->drive_row[condition->index]] =
            h->truth[k] && rbv_state_holds(state, system->drive_row[condition->index]);
    }
    for (int32_t k = 0; k < h->contacts.count; k++) /* rolling, where the contact is closed */
        rbv_contacts_hold_rest(&h->contacts.items[k], system,
                               rbv_state_holds(state, h->contacts.items[k].row) && rbv_event_loop_is_there(h, k),
                               h->active);
    state->active = h->active;
    state->acting = h->acting;
    rbv_saddle_set_active(flow->saddle, h->active);
    for (int32_t k = 0; k < system->model->conditions.count; k++)
        if (h->truth[k])
            rbv_condition_hold_here(state, &system->model->conditions.items[k]);
    begin_friction(h);
    begin_slipping(h);
    if (flow->tracking)
        return rbv_event_loop_begin_control(h);
    RbvStatus status = check_start(h);
    if (status == RBV_OK)
        status = rbv_event_loop_settle(h, true);
    return status;
}

RbvStatus rbv_event_loop_create(RbvEventLoop *h, RbvFlow *flow, RbvStepper *stepper, RbvFrame frame) {
    *h = (RbvEventLoop){.flow = flow, .stepper = stepper, .cause = ""};
    if (!allocate_loop(h, flow, frame))
        return RBV_NO_MEMORY;
    if (h->pieces.total > 0)
        flow->state->pieces = &h->pieces;
    stepper->rough = h->contacts.count == 0;
    rbv_laws_follow(h, true);
    RbvStatus status = h->has_indicators ? begin_loop(h) : RBV_OK;
    if (status == RBV_OK && h->pieces.total > 0)
        status = rbv_stepper_turn(stepper);
    rbv_laws_hold(h);
    return status;
}

void rbv_event_loop_destroy(RbvEventLoop *h) {
    if (h->flow && h->flow->state && h->flow->state->pieces == &h->pieces)
        h->flow->state->pieces = NULL; /* the state may outlive the event loop */
    rbv_impact_destroy(&h->impact);
    rbv_shares_destroy(&h->shares);
    rbv_impact_audit_destroy(&h->audit);
    rbv_knots_destroy(&h->knots);
    rbv_pieces_destroy(&h->pieces);
    rbv_contacts_destroy(&h->contacts);
    rbv_reactions_destroy(h->reactions);
    rbv_arena_clear(&h->arena);
    free(h->transitions);
    *h = (RbvEventLoop){0};
}

/* Evaluates the indicators at t [s], with forces only where they are needed; rbv_crossing_look. */
static RbvStatus look(RbvEventLoop *h, double t, bool *seen) {
    return rbv_crossing_look(h, t, needs_projection(h), seen);
}

/* ---- contacts that close and open again within a step ---- */

/* Keeps the gaps and gap rates of the previous evaluation and stores those of the present state. */
static void take_gaps(RbvEventLoop *h) {
    double *gaps = h->gaps + 2 * h->contacts.count;
    memcpy(h->gaps, gaps, 2 * (size_t)h->contacts.count * sizeof *gaps);
    for (int32_t k = 0; k < h->contacts.count; k++) {
        bool open = !h->pressed[k] && rbv_event_loop_is_there(h, k);
        gaps[2 * k] = open ? rbv_contacts_gap(&h->contacts.items[k], h->flow->state) : INFINITY;
        gaps[2 * k + 1] = open ? rbv_contacts_rate(&h->contacts.items[k], h->flow->state) : 0;
    }
}

/* May contact k, whose gap closes at the first of two evaluations and opens at the second, touch in between? By the
 * cubic through both: its gap falls below half of the smaller end. length [s]: the time between them. */
static bool may_dip(const RbvEventLoop *h, int32_t k, double length) {
    const double *a = h->gaps + 2 * k, *b = a + 2 * h->contacts.count;
    double least = INFINITY;
    if (!(a[1] < 0 && b[1] > 0) || !isfinite(a[0]) || !isfinite(b[0]))
        return false;
    for (int i = 1; i < DIPS; i++) {
        double x = (double)i / DIPS, y = 1 - x;
        least = rbv_min(least, y * y * ((1 + 2 * x) * a[0] + x * length * a[1]) +
                                   x * x * ((1 + 2 * y) * b[0] - y * length * b[1]));
    }
    return least < 0.5 * rbv_min(a[0], b[0]);
}

/* Searches contacts that close and open again between two evaluations at `low` and *high: bisection for the minimum of
 * the gap. *changed: an indicator has changed, at *high. */
static RbvStatus look_for_dips(RbvEventLoop *h, double low, double *high, bool *changed) {
    double end = *high;
    RbvStatus status = RBV_OK;
    for (int32_t k = 0; status == RBV_OK && !*changed && k < h->contacts.count; k++) {
        double a = low, b = end;
        bool seen;
        for (int i = 0; status == RBV_OK && may_dip(h, k, end - low) && !*changed && i < DIP_HALVINGS &&
                        b - a > RBV_EVENT_LOOP_INSTANT * rbv_max(fabs(b), end - low);
             i++) {
            double middle = 0.5 * (a + b);
            status = look(h, middle, &seen);
            if (status != RBV_OK || !seen || middle <= a || middle >= b)
                break;
            *changed = rbv_event_loop_any_changes(h, h->now);
            *high = *changed ? middle : *high;
            *(rbv_contacts_rate(&h->contacts.items[k], h->flow->state) < 0 ? &a : &b) = middle;
        }
    }
    return status;
}

/* ---- one step ---- */

/* Finds the first instant *t [s] of the last step at which an indicator has changed, or *changed false. h->now then has
 * the indicators of some instant of the search, not always those at *t. `dips`: margins may pass zero and return, so
 * gaps and margins are noted from the beginning of the step on. */
static RbvStatus find_change(RbvEventLoop *h, double *t, bool *changed) {
    RbvStepper *s = h->stepper;
    double low = s->before, high = s->t, length = s->t - s->before;
    bool seen;
    RbvStatus status = rbv_event_loop_indicate(h, true, h->now);
    bool at_end = status == RBV_OK && rbv_event_loop_any_changes(h, h->now),
         dips = (h->contacts.count > 0 || h->dips.count > 0) && status == RBV_OK && rbv_stepper_peek(s, s->before);
    *changed = false;
    if (dips) {
        take_gaps(h);
        status = rbv_event_loop_indicate(h, false, h->now);
        rbv_dips_note(h, s->before, true);
    }
    for (int k = 1; status == RBV_OK && !*changed && k <= STEP_LOOKS + (dips || at_end); k++) {
        double middle = k > STEP_LOOKS ? s->t : s->before + length * k / (STEP_LOOKS + 1), first = middle;
        status = look(h, middle, &seen);
        if (status != RBV_OK || !seen)
            continue;
        if (dips)
            take_gaps(h);
        *changed = k > STEP_LOOKS ? at_end : rbv_event_loop_any_changes(h, h->now);
        rbv_dips_note(h, middle, false);
        if (dips && !*changed)
            status = look_for_dips(h, low, &first, changed);
        if (dips && !*changed && status == RBV_OK)
            status = rbv_dips_search(h, look, &low, &first, changed);
        *(*changed ? &high : &low) = first;
    }
    if (status == RBV_OK && *changed)
        status = rbv_crossing_find(h, low, &high, needs_projection(h));
    if (status == RBV_OK && *changed && !needs_projection(h))
        status = rbv_crossing_find_projected(h, &high);
    *t = high;
    return status;
}

/* Passes the knots of time at the present instant (*passed); *end [s] becomes the next knot, if it is before *end. */
static RbvStatus pass_knots(RbvEventLoop *h, double *end, bool *passed) {
    double low, high;
    *passed = false;
    RbvStatus status = RBV_OK;
    while (status == RBV_OK && rbv_knots_next(&h->knots, h->stepper->t, &low, &high) && high < *end) {
        if (low > h->stepper->t) {
            *end = low;
            break;
        }
        rbv_laws_follow(h, false);
        status = rbv_stepper_pass(h->stepper, high);
        rbv_laws_hold(h);
        *passed = true;
    }
    return status;
}

RbvStatus rbv_event_loop_set_states(RbvEventLoop *h, const double *own) {
    RbvState *state = h->flow->state;
    RbvStatus status = rbv_stepper_visit(h->stepper, h->stepper->t);
    if (status != RBV_OK)
        return status;
    memcpy(state->own, own, (size_t)h->flow->own * sizeof *own);
    rbv_laws_follow(h, false);
    status = rbv_stepper_restart(h->stepper);
    rbv_laws_hold(h);
    if (status == RBV_OK && h->has_indicators)
        status = rbv_event_loop_indicate(h, true, h->now);
    h->pending = status == RBV_OK && h->has_indicators && rbv_event_loop_any_changes(h, h->now);
    return status;
}

/* Friction contacts that slide in several directions take their present slip direction. */
static void turn_directions(RbvEventLoop *h) {
    RbvSliding *s = &h->flow->sliding;
    for (int32_t i = 0; i < s->count; i++)
        if (s->slides[i] && rbv_sliding_contact(s, i)->count > 1 && !rbv_sliding_is_slow(s, i) &&
            rbv_sliding_rate(s, i) > rbv_event_loop_rest_rate(h))
            rbv_sliding_turn(s, i);
}

/* Friction contacts that slide faster than their slow rate [m/s] (sliding.h) have begun to slide: their slip direction
 * is that of the slip velocity from now on. */
static RbvStatus leave_beginnings(RbvEventLoop *h) {
    RbvSliding *s = &h->flow->sliding;
    bool slow = false, begun = false;
    for (int32_t i = 0; i < s->count; i++)
        slow = slow || (s->slides[i] && s->slow[i] > 0);
    RbvStatus status = slow ? rbv_stepper_visit(h->stepper, h->stepper->t) : RBV_OK;
    for (int32_t i = 0; slow && status == RBV_OK && i < s->count; i++) {
        RbvSlipVector u;
        if (!s->slides[i] || !(s->slow[i] > 0) ||
            rbv_friction_slide(h->flow->state, rbv_sliding_contact(s, i), u) <= s->slow[i])
            continue;
        s->slow[i] = 0;
        begun = true;
    }
    return status == RBV_OK && begun ? rbv_stepper_restart(h->stepper) : status;
}

RbvStatus rbv_event_loop_step(RbvEventLoop *h, double end) {
    double t, last = end;
    bool seen, passed = false;
    RbvStatus status = leave_beginnings(h);
    if (status == RBV_OK)
        status = pass_knots(h, &end, &passed);
    if (status == RBV_OK && passed && h->has_indicators) { /* forces or motions of drives have jumped */
        status = rbv_event_loop_indicate(h, true, h->now);
        h->pending = status == RBV_OK && rbv_event_loop_any_changes(h, h->now);
        if (h->pending)
            return RBV_OK;
    }
    bool again = status == RBV_OK;
    for (int tries = 0; again; tries++) {
        status = rbv_stepper_step(h->stepper, end);
        if (status != RBV_OK || (!h->has_indicators && h->pieces.total == 0))
            return status;
        status = find_change(h, &t, &h->pending);
        if (status == RBV_OK && h->pending)
            status = rbv_crossing_look(h, t, true, &seen);
        again = status == RBV_OK && h->pending && seen && tries < TRIES && rbv_stepper_shortens(h->stepper, t);
    }
    if (status == RBV_OK && h->pending)
        return rbv_stepper_cut(h->stepper, t);
    if (status == RBV_OK)
        status = rbv_stepper_visit(h->stepper, h->stepper->t);
    if (status == RBV_OK)
        status = rbv_event_loop_indicate(h, true, h->now);
    h->pending = status == RBV_OK && h->stepper->t >= last && rbv_event_loop_meets(h);
    if (status == RBV_OK && !h->pending) {
        rbv_event_loop_remember(h, h->now);
        turn_directions(h);
    }
    return status;
}

void rbv_event_loop_find_sharing(RbvEventLoop *h) {
    int32_t rows = h->flow->system->row_count;
    bool *sharing = h->touching + h->contacts.count, any = false;
    for (int32_t k = 0; h->has_indicators && k < h->contacts.count; k++) {
        /* Part of the row's size up to which a contact touches. */
        if (!h->touching[k] || fabs(rbv_contacts_gap(&h->contacts.items[k], h->flow->state)) >
                                   rbv_event_loop_part_of_size(h, h->contacts.items[k].row, RBV_SAME))
            continue;
        if (!any)
            memcpy(sharing, h->active, (size_t)rows * sizeof *sharing);
        sharing[h->contacts.items[k].row] = any = true;
    }
    h->flow->sharing = any ? sharing : NULL;
}
