/* What happens where a step was cut: events are told, conditions switched, rates jump, contacts and friction are decided anew; see hybrid.h. */
#include "dynamics/happen.h"

#include "base/diagnostics.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of the size of the part: a contact nearer than that is closed; what engages may be off by so much. */
#define CLOSED 1e-9
#define FITS 1e-6
/* Of the longest step: bounces shorter than this count as rest. */
#define REST 1e-7
/* Of the longest step: what one comes to rest later, or came sooner, than another does so with it. */
#define COMPANY 1e-8
/* Of the rates so far: what is faster does not stop at once, however large the forces are near a dead centre. */
#define SLOW 1e-6
/* Of the rates before an impact. */
#define STOPPED 1e-12
/* Of an acceleration: a part of it that goes back, and is no rounding. */
#define BACK 1e-9
/* Impulses of teeth and of bearings have settled when they change by less than this part of the largest. */
#define SETTLED 1e-13
#define MOST_PASSES 100
/* Of the rate U that friction alone would give in the longest step: up to it what begins to slide keeps to the way in which motion begins. u/|u| would follow that with the rate U/(longest u), which no step could; it is off by no
 * more than the square of this part. */
#define BEGINNING 1e-5
/* So many things within so short a time: without end. */
#define MOST_FLIPS 1000
#define FLIPS_WITHIN 1e-6

static RbvStatus say_not_finite(const RbvHybrid *h) {
    char why[256] = "";
    if (h->flow->state->no_memory)
        return RBV_NO_MEMORY;
    rbv_flow_explain(h->flow, why, sizeof why);
    rbv_diagnose(h->flow->diagnostics, RBV_ERROR, h->flow->system->model->file, (RbvPosition){0, 0}, "at t = %.9g s what happens leads to numbers that are not finite%s%s", h->stepper->t, why[0] ? ": " : "", why);
    return RBV_NOT_FINITE;
}

/* Closed are those that are pressed, or reached and there. */
static void find_closed(RbvHybrid *h) {
    for (int32_t k = 0; k < h->contacts.count; k++)
        h->closed[k] = rbv_hybrid_is_there(h, k) && rbv_contacts_gap(&h->contacts.items[k], h->flow->state) <= rbv_hybrid_part_of_size(h, h->contacts.items[k].row, CLOSED);
}

/* What begins to hold must fit where it stands. */
static RbvStatus check_position(const RbvHybrid *h, const RbvCondition *condition) {
    const RbvSystem *system = h->flow->system;
    const RbvState *state = h->flow->state;
    for (int32_t k = 0; k < system->row_count; k++) {
        const RbvRow *row = &system->rows[k];
        if (!rbv_condition_owns(condition, row) || row->on_rates || (row->owner == RBV_OWNER_JOINT && system->model->joints.items[row->index].unilateral))
            continue;
        char text[200];
        if (!(fabs(state->phi[k]) <= rbv_hybrid_part_of_size(h, k, FITS))) {
            snprintf(text, sizeof text, "engages where it does not fit: it is off by %.6g %s; with value: here it would hold where it stands", fabs(state->phi[k]), row->angular ? "rad" : "m");
            return rbv_hybrid_fail(h, RBV_INCONSISTENT, condition->name, text);
        }
    }
    return RBV_OK;
}

/* A drive that has a place of its own must meet its coordinate there with its own rate; one that begins wherever it is (value: here) takes the coordinate along, by an impulse. */
static RbvStatus check_rate(const RbvHybrid *h, const RbvCondition *condition) {
    const RbvSystem *system = h->flow->system;
    RbvState *state = h->flow->state;
    if (condition->of != RBV_CONDITION_DRIVE || condition->here)
        return RBV_OK;
    rbv_state_jacobian(state);
    if (!rbv_state_rates(state))
        return say_not_finite(h);
    int32_t k = system->drive_row[condition->index];
    double rate = -state->nu[k], size = fabs(state->nu[k]);
    for (int32_t e = system->C.start[k]; e < system->C.start[k + 1]; e++) {
        double part = state->C[e] * state->v[system->C.column[e]];
        rate += part;
        size += fabs(part);
    }
    if (fabs(rate) <= FITS * size + rbv_hybrid_part_of_size(h, k, FITS) * rbv_stepper_speed(h->stepper, system->row_part[k]))
        return RBV_OK;
    char text[200];
    snprintf(text, sizeof text, "engages where its rate does not fit: it is off by %.6g %s (value: here takes its coordinate along from where it is)", fabs(rate), system->rows[k].angular ? "rad/s" : "m/s");
    return rbv_hybrid_fail(h, RBV_INCONSISTENT, condition->name, text);
}

/* What is one-sided must not be passed already. */
static RbvStatus check_passed(const RbvHybrid *h, const RbvCondition *condition) {
    for (int32_t k = 0; k < h->contacts.count; k++) {
        const RbvContact *contact = &h->contacts.items[k];
        bool of = (condition->of == RBV_CONDITION_STOP && condition->index == contact->stop) || (condition->of == RBV_CONDITION_JOINT && condition->index == contact->joint);
        double gap = of ? rbv_contacts_gap(contact, h->flow->state) : 0;
        if (gap >= -rbv_hybrid_part_of_size(h, contact->row, FITS))
            continue;
        char text[200];
        snprintf(text, sizeof text, "engages where it does not fit: it is passed by %.6g %s", -gap, h->flow->system->rows[contact->row].angular ? "rad" : "m");
        return rbv_hybrid_fail(h, RBV_INCONSISTENT, condition->name, text);
    }
    return RBV_OK;
}

static RbvStatus check_fits(const RbvHybrid *h, const RbvCondition *condition) {
    RbvStatus status = check_position(h, condition);
    if (status == RBV_OK)
        status = check_passed(h, condition);
    return status == RBV_OK ? check_rate(h, condition) : status;
}

/* Conditions that have changed take effect. */
static RbvStatus switch_conditions(RbvHybrid *h, const double *now, bool tells) {
    const RbvSystem *system = h->flow->system;
    const RbvModel *model = system->model;
    for (int32_t k = 0; k < model->conditions.count; k++) {
        const RbvCondition *condition = &model->conditions.items[k];
        bool holds = now[h->contacts.count + k] != 0;
        if (holds == h->truth[k])
            continue;
        h->truth[k] = holds;
        h->before[h->contacts.count + k] = holds;
        rbv_condition_apply(system, condition, holds, h->active, h->acting);
        if (tells && !rbv_hybrid_tell(h, condition->name, holds ? "engage" : "disengage", NAN))
            return RBV_NO_MEMORY;
        h->engages = h->engages || holds;
        if (holds)
            rbv_condition_hold_here(h->flow->state, condition);
        RbvStatus status = holds ? check_fits(h, condition) : RBV_OK;
        if (status != RBV_OK)
            return status;
    }
    return RBV_OK;
}

/* Which contacts are pressed from now on, and what is told of them; *again: what rolls with one begins or ceases to. */
static RbvStatus take_contacts(RbvHybrid *h, const double *found, bool tells, bool *again) {
    RbvImpact *m = &h->impact;
    bool *held = calloc(2 * (size_t)m->count + 1, sizeof *held), *touching = held ? held + m->count : NULL;
    double *impulse = calloc((size_t)m->count + 1, sizeof *impulse);
    RbvStatus status = held && impulse ? RBV_OK : RBV_NO_MEMORY;
    for (int32_t i = 0; status == RBV_OK && i < m->count; i++) {
        impulse[i] = m->z[i];
        held[i] = h->held[m->which[i]] && !(found && found[m->which[i]] < 0); /* what is pulled lets go */
    }
    if (status == RBV_OK)
        status = rbv_impact_contacts(m, REST * h->stepper->longest, held, touching);
    for (int32_t k = 0; k < h->contacts.count; k++)
        h->touching[k] = false;
    for (int32_t i = 0; status == RBV_OK && i < m->count; i++) {
        int32_t k = m->which[i];
        const RbvContact *contact = &h->contacts.items[k];
        bool was = h->held[k], good = true;
        if (tells && !was && impulse[i] > 0)
            good = rbv_hybrid_tell(h, contact->name, "impact", impulse[i]);
        if (tells && was != held[i])
            good = good && rbv_hybrid_tell(h, contact->name, held[i] ? "land" : "release", NAN);
        h->held[k] = held[i];
        h->touching[k] = touching[i];
        h->active[contact->row] = held[i];
        status = good ? status : RBV_NO_MEMORY;
    }
    for (int32_t k = 0; k < h->contacts.count; k++) {
        const RbvContact *contact = &h->contacts.items[k];
        bool rolls = contact->joint >= 0 && contact->row + 1 < h->flow->system->joint_row[contact->joint + 1] && !h->flow->system->model->joints.items[contact->joint].has_friction;
        if (rolls && h->active[contact->row + 1] != h->held[k]) {
            rbv_contacts_hold_rest(contact, h->flow->system, h->held[k], h->active);
            *again = true;
        }
    }
    free(held);
    free(impulse);
    return status;
}

/* The rows of contacts that were met hold for a moment, so that what they do on bodies is there. */
static void hold_met(RbvHybrid *h, bool all) {
    for (int32_t i = 0; i < h->impact.count; i++)
        h->active[h->contacts.items[h->impact.which[i]].row] = all || h->held[h->impact.which[i]];
    rbv_state_place(h->flow->state);
}

/* Teeth push wheels apart, and bearings answer. False: they do not settle. */
static bool add_tooth_impulses(RbvHybrid *h) {
    RbvFlow *flow = h->flow;
    RbvState *state = flow->state;
    const RbvSystem *system = flow->system;
    RbvReactions *r = h->reactions;
    for (int pass = 0; r->has_line && pass < MOST_PASSES; pass++) {
        double change = 0, largest = 0;
        memset(state->wrenches, 0, (size_t)system->bodies.count * sizeof *state->wrenches);
        rbv_reactions_lines(r, state, state->wrenches);
        rbv_coordinates_pull(&system->coordinates, rbv_state_at(state), state->wrenches, flow->dq);
        if (!rbv_saddle_solve(flow->saddle, flow->dq, NULL, flow->dq, flow->mu))
            return false;
        for (int32_t k = 0; k < system->row_count; k++) {
            double next = h->impact.impulse[k] + flow->mu[k];
            change = fmax(change, fabs(next - r->lambda[k]));
            largest = fmax(largest, fabs(next));
            r->lambda[k] = next;
        }
        if (change <= SETTLED * largest)
            return true;
    }
    return !r->has_line;
}

/* The impulses of an impact, as joints, drives, constraints and stops print their forces. False: there are none. */
static bool print_impulses(RbvHybrid *h) {
    const RbvSystem *system = h->flow->system;
    RbvReactions *r = h->reactions;
    memcpy(r->lambda, h->impact.impulse, (size_t)system->row_count * sizeof *r->lambda);
    hold_met(h, true);
    rbv_reactions_place(r, h->flow->state);
    bool good = add_tooth_impulses(h);
    rbv_reactions_print(r, h->flow->state);
    hold_met(h, false);
    for (int32_t i = 0; i < system->rub_count; i++) {
        const RbvRub *rub = &system->rubs[i];
        for (int c = 0; c < rub->count && rub->stick_row >= 0; c++)
            r->value[rub->joint][rub->way[c].component] = -r->lambda[rub->stick_row + c];
    }
    return good;
}

/* They are added to those since the beginning. */
static void add_impulses(RbvHybrid *h) {
    const RbvModel *model = h->flow->system->model;
    const RbvReactions *r = h->reactions;
    for (int32_t k = 0; k < model->joints.count; k++)
        for (int32_t c = 0; c < rbv_reactions_components(r, k); c++)
            h->impulses.joint[k][c] += r->value[k][c];
    for (int32_t k = 0; k < model->drives.count; k++)
        h->impulses.drive[k] += r->effort[k];
    for (int32_t k = 0; k < model->constraints.count; k++)
        h->impulses.constraint[k] += r->multiplier[k];
    for (int32_t k = 0; k < model->stops.count; k++)
        h->impulses.stop[k] += r->stop[k];
}

/* What gives way begins to slide, the way it is pulled, or to slip. *any: something does. */
static RbvStatus let_go(RbvHybrid *h, bool *any) {
    RbvSliding *s = &h->flow->sliding;
    RbvSlipping *slipping = &h->flow->slipping;
    RbvStatus status = rbv_shares_find(&h->shares);
    *any = status == RBV_OK && rbv_shares_any(&h->shares);
    for (int32_t i = 0; *any && i < s->count; i++) {
        const RbvRub *rub = rbv_sliding_rub(s, i);
        if (!h->shares.face[i])
            continue;
        rbv_sliding_release(s, i);
        for (int32_t row = rub->stick_row; row < rub->stick_row + rub->count; row++)
            h->active[row] = false;
    }
    for (int32_t i = 0; *any && i < slipping->count; i++)
        if (h->shares.drive[i]) {
            rbv_slipping_slip(slipping, i, slipping->effort[i] > 0 ? 1 : -1, h->active);
            slipping->freed[i] = true;
        }
    return status;
}

/* What has begun to slide at this instant, but is accelerated back, sticks after all. True: something does. */
static bool stick_again(RbvHybrid *h) {
    RbvSliding *s = &h->flow->sliding;
    bool any = false;
    for (int32_t i = 0; i < s->count; i++) {
        RbvWay second;
        double size = rbv_sliding_second(s, i, second), forward = 0;
        if (!s->slides[i] || !s->loose[i])
            continue;
        for (int c = 0; c < RBV_MOST_WAYS; c++)
            forward += second[c] * s->way[i][c];
        if (forward < -BACK * size) {
            rbv_hybrid_stick(h, i);
            any = true;
        }
    }
    return any;
}

/* Drives that slipped because friction stuck follow again where some of it has given way since. */
static void follow_again(RbvHybrid *h) {
    RbvSlipping *s = &h->flow->slipping;
    bool slides = false;
    for (int32_t i = 0; i < h->flow->sliding.count; i++)
        slides = slides || h->shares.face[i];
    for (int32_t i = 0; slides && i < s->count; i++)
        if (s->freed[i]) {
            s->freed[i] = false;
            rbv_slipping_engage(s, i, h->active);
        }
}

/* Which drives slip, the other way too, or follow again. False: no memory. */
static bool tell_slipping(RbvHybrid *h, const int *was) {
    const RbvSlipping *s = &h->flow->slipping;
    for (int32_t i = 0; i < s->count; i++)
        if (was[i] != s->sign[i] && !rbv_hybrid_tell(h, h->flow->system->model->drives.items[s->drive[i]].name, s->sign[i] == 0 ? "engage" : "slip", NAN))
            return false;
    return true;
}

/* Does it begin to slide, in one of several directions? What stuck rests, whatever the rounding of its rate. */
static bool begins_to_slide(const RbvHybrid *h, int32_t i, const bool *was) {
    const RbvSliding *s = &h->flow->sliding;
    return s->slides[i] && rbv_sliding_rub(s, i)->count > 1 && (!was[i] || !(rbv_sliding_rate(s, i) > rbv_hybrid_rest_rate(h)));
}

/* Faces that begin to slide in a plane keep to the way in which they do while they are slow. */
static void begin_ways(RbvHybrid *h, const bool *was) {
    RbvSliding *s = &h->flow->sliding;
    for (int32_t i = 0; i < s->count; i++) {
        double mobility = s->mobility[i][0] + s->mobility[i][4] + s->mobility[i][8];
        if (!begins_to_slide(h, i, was) || !s->begins[i])
            continue;
        rbv_sliding_begin(s, i);
        s->slow[i] = fmax(s->slow[i], BEGINNING * h->stepper->longest * mobility * fabs(s->force[i]));
    }
}

/* Does it slide where it stuck, stick where it slid, or slide back along its one way? */
static bool changes_phase(const RbvSliding *s, int32_t i, bool was, const RbvWay before) {
    return was != s->slides[i] || (was && rbv_sliding_rub(s, i)->count == 1 && before[0] != s->toward[i][0]);
}

/* Joints that an impact turned back slide the other way, and those that were about to stop and have lost the rest of their rates with others that stick. True: some do. */
static bool turn_back(RbvHybrid *h) {
    RbvSliding *s = &h->flow->sliding;
    bool any = false;
    for (int32_t i = 0; i < s->count; i++)
        if (s->slides[i] && !h->rests[i] && rbv_sliding_forward(s, i) < -rbv_hybrid_rest_rate(h))
            any = rbv_sliding_turn(s, i) || any;
    return any;
}

/* The motion begins again at the state; friction that sticks does so within its limits. was[count], before[count]: what slid, and the ways of it; drives[...]: the signs of drives before. */
static RbvStatus restart(RbvHybrid *h, const bool *was, const RbvWay *before, const int *drives, bool tells) {
    RbvSliding *s = &h->flow->sliding;
    RbvStatus status = rbv_stepper_restart(h->stepper);
    if (status == RBV_OK && turn_back(h))
        status = rbv_stepper_restart(h->stepper);
    bool any = true;
    int passes = 10 * (s->count + h->flow->slipping.count) + 10;
    while (status == RBV_OK && any && passes-- > 0) {
        status = let_go(h, &any);
        if (any)
            follow_again(h);
        any = status == RBV_OK && (any || stick_again(h));
        if (any)
            status = rbv_stepper_restart(h->stepper);
    }
    memset(s->loose, 0, (size_t)s->count * sizeof *s->loose);
    if (status == RBV_OK)
        begin_ways(h, was);
    for (int32_t i = 0; i < h->flow->slipping.count; i++)
        h->flow->slipping.freed[i] = false;
    for (int32_t i = 0; status == RBV_OK && tells && i < s->count; i++)
        if (changes_phase(s, i, was[i], before[i]) && rbv_hybrid_touches(h, i) && !rbv_hybrid_tell(h, rbv_sliding_joint(s, i)->name, s->slides[i] ? "slip" : "stick", NAN))
            status = RBV_NO_MEMORY;
    status = status == RBV_OK && tells && !tell_slipping(h, drives) ? RBV_NO_MEMORY : status;
    return status;
}

/* Is what slides in a plane slower than what its acceleration would stop in no time? */
static bool rests(const RbvHybrid *h, int32_t i) {
    const RbvSliding *s = &h->flow->sliding;
    RbvWay u, second;
    return rbv_rub_slide(h->flow->state, rbv_sliding_rub(s, i), u) <= rbv_sliding_second(s, i, second) * REST * h->stepper->longest;
}

/* Has friction number i come to rest? */
static bool comes_to_rest(const RbvHybrid *h, int32_t i, const double *found) {
    return found && found[h->count - h->limits - h->flow->slipping.count - h->flow->sliding.count + i] < 0;
}

/* Which faces come to rest: those that led here, and with them all that stand still but for rounding, or would within no time. Of a mechanism that comes to rest all do so at one instant; which of them is found is rounding. */
static void find_resting(RbvHybrid *h, const double *found) {
    const RbvSliding *s = &h->flow->sliding;
    double instant = COMPANY * h->stepper->longest;
    bool any = false;
    for (int32_t i = 0; i < s->count; i++)
        any = any || (s->slides[i] && comes_to_rest(h, i, found));
    for (int32_t i = 0; i < s->count; i++) {
        RbvWay u, second;
        double size = rbv_rub_slide(h->flow->state, rbv_sliding_rub(s, i), u), slows = rbv_sliding_second(s, i, second);
        int32_t row = rbv_sliding_rub(s, i)->stick_row;
        bool slow = rbv_sliding_rate(s, i) <= rbv_hybrid_part_of_size(h, row, SLOW) * rbv_stepper_speed(h->stepper, h->flow->system->row_part[row]);
        h->rests[i] = s->slides[i] && rbv_hybrid_touches(h, i) && (comes_to_rest(h, i, found) || (any && slow && size <= slows * instant));
    }
}

/* Impulses have stopped it: of the rates before, what is left is rounding. */
static void find_stopped(RbvHybrid *h) {
    const RbvSliding *s = &h->flow->sliding;
    double before = 0;
    for (int32_t j = 0; j < h->flow->n; j++)
        before = fmax(before, fabs(h->impact.v[j]));
    for (int32_t i = 0; i < s->count; i++)
        h->rests[i] = h->rests[i] || (s->slides[i] && h->impact.count > 0 && rbv_sliding_rate(s, i) <= fmax(STOPPED * before, rbv_hybrid_rest_rate(h)));
}

/* Joints that come to rest may stick, not those that have lifted off; those that slide in a plane and have only turned go on. */
static void try_sticking(RbvHybrid *h) {
    RbvSliding *s = &h->flow->sliding;
    for (int32_t i = 0; i < s->count; i++) {
        if (!s->slides[i] || !h->rests[i] || !rbv_hybrid_touches(h, i))
            continue;
        if (rbv_sliding_rub(s, i)->count > 1 && rbv_sliding_rate(s, i) > 0 && !rests(h, i))
            rbv_sliding_turn(s, i);
        else
            rbv_hybrid_stick(h, i);
    }
}

/* Faces that slide in a plane come to rest with what is left of their rates: friction takes that by an impulse. False: no memory. */
static bool stop_slow(RbvHybrid *h, bool tells) {
    const RbvSliding *s = &h->flow->sliding;
    for (int32_t i = 0; i < s->count; i++) {
        if (!s->slides[i] || rbv_sliding_rub(s, i)->count == 1 || !h->rests[i] || !rests(h, i))
            continue;
        rbv_hybrid_stick(h, i);
        if (tells && !rbv_hybrid_tell(h, rbv_sliding_joint(s, i)->name, "stick", NAN))
            return false;
    }
    return true;
}

/* Nothing settles: because drives push into a stop, or as said, of what is named. */
static RbvStatus say_unsettled(RbvHybrid *h, const char *name, const char *what) {
    if (rbv_hybrid_say_stuck(h))
        return RBV_LOCKED;
    if (name)
        return rbv_hybrid_fail(h, RBV_LOCKED, name, what);
    rbv_diagnose(h->flow->diagnostics, RBV_ERROR, h->flow->system->model->file, (RbvPosition){0, 0}, "at t = %.9g s %s", h->stepper->t, what);
    return RBV_LOCKED;
}

/* Impulses of what holds and of contacts that are closed, and which of these are pressed then; *again: what rolls with one begins or ceases to. */
static RbvStatus exchange_impulses(RbvHybrid *h, const double *found, bool tells, bool *again) {
    RbvFlow *flow = h->flow;
    RbvState *state = flow->state;
    *again = false;
    for (int32_t k = 0; k < h->contacts.count; k++)
        h->active[h->contacts.items[k].row] = false;
    rbv_hybrid_open_rubs(h);
    if (!rbv_state_place(state))
        return say_not_finite(h);
    rbv_state_jacobian(state);
    if (!rbv_state_rates(state) || !rbv_state_move(state) || !rbv_state_load(state))
        return say_not_finite(h);
    rbv_impact_audit_begin(&h->audit, state);
    for (int32_t k = 0; k < h->contacts.count; k++)
        h->impact.least[k] = rbv_hybrid_least_rate(h, k);
    RbvStatus status = rbv_impact_solve(&h->impact, h->closed);
    if (status == RBV_OK && rbv_hybrid_decide_drives(h, found))
        status = rbv_impact_renew(&h->impact, h->closed);
    if (status == RBV_OK)
        status = rbv_hybrid_strike(h);
    if (status == RBV_OK)
        status = take_contacts(h, found, tells, again);
    if (status == RBV_OK && !print_impulses(h))
        status = RBV_LOCKED;
    if (status == RBV_OK && tells)
        add_impulses(h);
    if (status == RBV_LOCKED)
        return say_unsettled(h, NULL, "no impulses are found that contacts and joints could answer with");
    if (status == RBV_OK && !rbv_state_move(state))
        return say_not_finite(h);
    return status == RBV_OK ? rbv_hybrid_audit_jump(h) : status;
}

/* Contacts that touch are pressed, or not, with the friction that holds or slides then; and the motion begins again. */
static RbvStatus begin_again(RbvHybrid *h, const double *found, bool tells, bool *again) {
    RbvFlow *flow = h->flow;
    RbvStatus status = exchange_impulses(h, found, tells, again);
    for (int32_t k = 0; status == RBV_OK && *again && k <= h->contacts.count; k++) /* rolling takes its impulse at the same instant */
        status = exchange_impulses(h, found, tells, again);
    if (status != RBV_OK)
        return status;
    rbv_hybrid_close_rubs(h);
    double kinetic = rbv_impact_audit_kinetic(&h->audit, flow->state);
    find_stopped(h);
    turn_back(h);
    bool *was = calloc((size_t)flow->sliding.count + 1, sizeof *was);
    RbvWay *before = calloc((size_t)flow->sliding.count + 1, sizeof *before);
    bool memory = was && before;
    if (memory && flow->sliding.count > 0) {
        memcpy(was, flow->sliding.slides, (size_t)flow->sliding.count * sizeof *was);
        memcpy(before, flow->sliding.toward, (size_t)flow->sliding.count * sizeof *before);
    }
    try_sticking(h);
    status = memory ? restart(h, was, before, flow->slipping.before, tells) : RBV_NO_MEMORY;
    free(was);
    free(before);
    return status == RBV_OK ? rbv_hybrid_audit_restart(h, kinetic) : status;
}

/* Has friction given way from rest, and drives the faces of a contact together that touched without being pressed while it stuck? */
static bool presses_now(const RbvHybrid *h) {
    const RbvSliding *s = &h->flow->sliding;
    RbvState *state = h->flow->state;
    double begins = 0;
    for (int32_t i = 0; i < s->count; i++) {
        RbvWay second;
        double size = rbv_sliding_second(s, i, second);
        begins = s->slides[i] && rbv_hybrid_touches(h, i) && rbv_sliding_rate(s, i) <= rbv_hybrid_rest_rate(h) ? fmax(begins, size) : begins;
    }
    if (!(begins > 0) || h->flow->slipping.count > 0) /* drives with limits were decided with the contacts */
        return false;
    bool pressed = false;
    for (int32_t k = 0; k < h->contacts.count; k++) {
        const RbvContact *contact = &h->contacts.items[k];
        if (!h->touching[k] || h->held[k])
            continue;
        double away = rbv_contacts_bias(contact, state);
        rbv_coordinates_push(&h->flow->system->coordinates, rbv_state_at(state), state->a, state->twists);
        away += rbv_contacts_along(contact, state, state->twists);
        rbv_coordinates_push(&h->flow->system->coordinates, rbv_state_at(state), state->v, state->twists);
        pressed = pressed || away < -BACK * begins;
    }
    return pressed;
}

/* Rates jump, contacts are decided anew, and the motion begins again. `found`: the indicators that led here; NULL: at the beginning. */
static RbvStatus jump(RbvHybrid *h, const double *found, bool tells, bool *again) {
    find_closed(h);
    for (int32_t k = 0; k < h->contacts.count; k++) {
        if (tells && h->held[k] && !h->closed[k] && !rbv_hybrid_tell(h, h->contacts.items[k].name, "release", NAN))
            return RBV_NO_MEMORY;
        h->held[k] = h->held[k] && h->closed[k];
    }
    find_resting(h, found);
    if (!stop_slow(h, tells))
        return RBV_NO_MEMORY;
    rbv_hybrid_free_drives(h);
    h->engages = false;
    RbvStatus status = begin_again(h, found, tells, again);
    for (int32_t k = 0; status == RBV_OK && k < h->contacts.count && presses_now(h); k++)
        status = begin_again(h, found, tells, again);
    h->changed = true;
    return status;
}

/* Too many in too short a time. */
static bool is_endless(RbvHybrid *h) {
    double t = h->stepper->t;
    if (t - h->flips_from > FLIPS_WITHIN) {
        h->flips_from = t;
        h->flips = 0;
    }
    return ++h->flips > MOST_FLIPS;
}

/* What an event sets, from the values before it. */
static RbvStatus set_states(RbvHybrid *h, int32_t happening) {
    const RbvModel *model = h->flow->system->model;
    RbvState *state = h->flow->state;
    for (int32_t k = 0; k < model->settings.count; k++) {
        const RbvSetting *setting = &model->settings.items[k];
        if (setting->happening == happening)
            h->set[setting->state] = rbv_state_expression(state, setting->value, NULL, h->value);
        if (setting->happening == happening && !isfinite(h->set[setting->state]))
            return rbv_hybrid_fail(h, RBV_NOT_FINITE, model->happenings.items[happening].name, "sets a state to what is not finite");
    }
    return RBV_OK;
}

/* Events that `found` shows are told and done, each once at an instant: *sets: some set states, *others: more than events has changed. */
static RbvStatus do_events(RbvHybrid *h, const double *found, bool *sets, bool *others) {
    const RbvModel *model = h->flow->system->model;
    int32_t first = h->contacts.count + model->conditions.count;
    RbvStatus status = RBV_OK;
    for (int32_t k = 0; k < model->states.count; k++)
        h->set[k] = h->flow->state->own[k];
    for (int32_t k = 0; status == RBV_OK && k < h->count; k++) {
        if (!rbv_hybrid_changes(h, k, found))
            continue;
        h->cause = rbv_hybrid_name_of(h, k);
        if (k < first || k >= first + model->happenings.count) {
            *others = true;
            continue;
        }
        const RbvHappening *happening = &model->happenings.items[k - first];
        bool told = rbv_hybrid_is_told(h, happening);
        if (!told)
            h->met[k - first] = fabs(h->before[k]);
        if (found[k] != 0 && !rbv_hybrid_is_rounded(h, k, found[k]))
            h->before[k] = found[k];
        else if (!told) /* the side it goes to */
            h->before[k] = -copysign(DBL_MIN, h->before[k]);
        if (told)
            continue;
        if (!rbv_hybrid_tell(h, happening->name, "event", NAN))
            return RBV_NO_MEMORY;
        h->ended = h->ended || happening->deed == RBV_EVENT_STOP;
        status = set_states(h, k - first);
    }
    for (int32_t k = 0; status == RBV_OK && k < model->states.count; k++) {
        *sets = *sets || h->set[k] != h->flow->state->own[k];
        h->flow->state->own[k] = h->set[k];
    }
    return status;
}

/* Conditions and events as they are now; contacts and friction have been decided. */
static RbvStatus look_again(RbvHybrid *h, double *found) {
    const RbvModel *model = h->flow->system->model;
    int32_t first = h->contacts.count, end = first + model->conditions.count + model->happenings.count;
    RbvStatus status = rbv_hybrid_indicate(h, true, found);
    for (int32_t k = 0; k < h->count; k++)
        found[k] = k < first || k >= end ? 1 : found[k];
    return status;
}

/* Conditions as they are after events have set states. */
static RbvStatus renew_conditions(RbvHybrid *h, double *found) {
    RbvStatus status = rbv_hybrid_indicate(h, false, h->now);
    for (int32_t k = h->contacts.count; status == RBV_OK && k < h->contacts.count + h->flow->system->model->conditions.count; k++)
        found[k] = h->now[k];
    return status;
}

/* One round: what `found` shows is done. *jumped: rates, rows or states are others now; *again: and there is more to decide. */
static RbvStatus settle_once(RbvHybrid *h, double *found, bool begins, bool *jumped, bool *again) {
    bool sets = false, others = begins || *again;
    double energy = rbv_power_energy(&h->flow->power, h->flow->state);
    RbvStatus status = begins ? RBV_OK : do_events(h, found, &sets, &others);
    *jumped = others || sets;
    *again = false;
    if (status == RBV_OK && sets)
        status = renew_conditions(h, found);
    if (status == RBV_OK && *jumped && h->flow->tracking)
        status = rbv_hybrid_take_limits(h);
    else if (status == RBV_OK && *jumped)
        status = switch_conditions(h, found, !begins);
    if (status == RBV_OK && *jumped && !h->flow->tracking)
        status = jump(h, begins ? NULL : found, !begins, again);
    if (status == RBV_OK && *jumped)
        status = look_again(h, found);
    if (status == RBV_OK && *jumped && !begins) /* what impacts take, and what begins or ceases to act brings, is no error of the balance */
        rbv_stepper_give(h->stepper, rbv_power_energy(&h->flow->power, h->flow->state) - energy);
    return status;
}

RbvStatus rbv_hybrid_settle(RbvHybrid *h, bool begins) {
    int32_t first = h->contacts.count;
    bool jumped = false, ever = false, again = false;
    RbvStatus status;
    for (int32_t k = 0; begins && k < h->flow->system->model->conditions.count; k++)
        h->before[first + k] = h->found[first + k] = h->truth[k];
    do {
        status = settle_once(h, h->found, begins, &jumped, &again);
        ever = ever || jumped;
        if (begins && status == RBV_OK) /* what is so at the beginning has not happened */
            rbv_hybrid_remember(h, h->found);
        begins = false;
        if (status == RBV_OK && is_endless(h))
            status = say_unsettled(h, h->cause, "changes without end: more than 1000 times within 1e-6 s");
    } while (status == RBV_OK && jumped && (again || rbv_hybrid_any_changes(h, h->found)));
    if (status == RBV_OK && ever)
        rbv_hybrid_remember(h, h->found);
    return status;
}

RbvStatus rbv_hybrid_happen(RbvHybrid *h) {
    h->pending = false;
    memcpy(h->found, h->now, (size_t)h->count * sizeof *h->found); /* what the step was cut for, as it was found there */
    return rbv_hybrid_settle(h, false);
}
