/* Sticking and sliding friction at transitions: which friction contacts slide or stick after the impulses, and which
 * give way when the motion restarts. A friction contact that sticks has active rows (stick_row ...), which keep it
 * where it is; one that slides, or belongs to an open contact, has inactive rows and a slip direction. See
 * transition.h. */
#include "core/base/extremes.h"
#include "dynamics/events/transition.h"

#include "core/base/tolerances.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Friction contact i sticks from now on, at the present position. */
void rbv_event_loop_stick(RbvEventLoop *h, int32_t i) {
    const RbvFrictionContact *friction = rbv_sliding_contact(&h->flow->sliding, i);
    h->flow->sliding.slides[i] = false;
    for (int32_t row = friction->stick_row; row < friction->stick_row + friction->count; row++)
        h->active[row] = true;
    rbv_friction_hold_here(h->flow->state, friction);
}

int32_t rbv_event_loop_contact_of(const RbvEventLoop *h, int32_t i) {
    for (int32_t k = 0; k < h->contacts.count; k++)
        if (h->contacts.items[k].joint == rbv_sliding_contact(&h->flow->sliding, i)->joint)
            return k;
    return -1;
}

void rbv_event_loop_slide(RbvEventLoop *h, int32_t i) {
    RbvSliding *s = &h->flow->sliding;
    const RbvFrictionContact *friction = rbv_sliding_contact(s, i);
    s->slides[i] = true;
    s->force[i] = 0;
    rbv_sliding_turn(s, i);
    for (int32_t row = friction->stick_row; row < friction->stick_row + friction->count; row++)
        h->active[row] = false;
}

void rbv_event_loop_switch_friction(RbvEventLoop *h, int32_t joint, bool on) {
    RbvSliding *s = &h->flow->sliding;
    for (int32_t i = 0; i < s->count; i++) {
        if (!rbv_sliding_contact(s, i)->own || rbv_sliding_contact(s, i)->joint != joint)
            continue;
        s->off[i] = !on;
        (on ? rbv_event_loop_stick : rbv_event_loop_slide)(h, i);
        rbv_state_place(s->state);
    }
}

void rbv_event_loop_open_friction(RbvEventLoop *h) {
    for (int32_t i = 0; i < h->flow->sliding.count; i++) {
        int32_t k = rbv_event_loop_contact_of(h, i);
        h->opened[i] = k >= 0 && !h->pressed[k];
        if (h->opened[i])
            rbv_event_loop_slide(h, i);
    }
}

/* Slip velocity [m/s or rad/s] that counts as zero after impulses: rounding of the velocities before, or the rest
 * velocity. */
static double stopped_rate(const RbvEventLoop *h) {
    double before = 0;
    for (int32_t j = 0; j < h->flow->n; j++)
        before = rbv_max(before, fabs(h->impact.v[j]));
    /* Relative to the largest of the velocities before the impulses: a smaller slip velocity after them is zero. */
    return rbv_max(RBV_CANCELLED * before, rbv_event_loop_rest_rate(h));
}

void rbv_event_loop_close_friction(RbvEventLoop *h) {
    RbvSliding *s = &h->flow->sliding;
    for (int32_t i = 0; i < s->count; i++) {
        int32_t k = rbv_event_loop_contact_of(h, i);
        if (k < 0)
            continue;
        if (!h->pressed[k])
            rbv_event_loop_slide(h, i);
        else if (h->opened[i] && rbv_sliding_rate(s, i) <= stopped_rate(h))
            rbv_event_loop_stick(h, i);
        else if (h->opened[i])
            rbv_sliding_turn(s, i);
    }
}

/* A contact that was pressed already has impulses of rounding only, compared with the momenta of its bodies: mass times
 * the speed of its part, at least one scale of the row in the longest step. */
bool rbv_event_loop_is_struck(const RbvEventLoop *h, int32_t i) {
    const RbvSystem *system = h->flow->system;
    const RbvModel *model = system->model;
    const RbvContact *contact = &h->contacts.items[h->impact.which[i]];
    const RbvMeasure *measure = &model->measures.items[system->terms[system->rows[contact->row].first].measure];
    double mass = 0,
           rate = rbv_max(rbv_stepper_speed(h->stepper, system->row_part[contact->row]), 1 / h->stepper->longest);
    for (int side = 0; side < 2; side++)
        mass = rbv_max(mass, model->bodies.items[model->markers.items[measure->marker[side]].body].mass);
    /* Relative to a body's mass, size and velocity: smaller impulses are rounding. */
    return h->impact.z[i] > RBV_SAME * mass * rate * rbv_event_loop_part_of_size(h, contact->row, 1);
}

bool rbv_event_loop_answer_slip(RbvEventLoop *h, const RbvFrictionContact *friction, int c, double *Q, double *x,
                                double *mu) {
    rbv_friction_push(h->flow->state, friction, c, friction->slip[c].lever, rbv_saddle_wrenches(h->flow->saddle));
    return rbv_kept_reactions_answer(&h->flow->kept_reactions, Q, x, mu);
}

/* ---- restart of the motion: which contacts come to rest, which of them stick, and which give way ---- */

/* Relative to the speed U [m/s] that friction alone would give in the longest step, U = longest (mobility force), with
 * mobility [1/kg]: up to this slip speed u the direction is
 * that in which slip begins. u/|u| would follow that direction with the rate U/(longest u), which no step could
 * resolve; the error of the direction is at most the square of this part. */
#define BEGINNING 1e-5

/* Releases what gives way (shares.h): friction contacts slide in the direction in which they are pulled, drives slip
 * with the sign of the effort that they needed. *any: something gives way. */
static RbvStatus release_yielding(RbvEventLoop *h, bool *any) {
    RbvSliding *s = &h->flow->sliding;
    RbvSlipping *slipping = &h->flow->slipping;
    RbvStatus status = rbv_shares_find(&h->shares);
    *any = status == RBV_OK && rbv_shares_any(&h->shares);
    for (int32_t i = 0; *any && i < s->count; i++) {
        const RbvFrictionContact *friction = rbv_sliding_contact(s, i);
        if (!h->shares.friction[i])
            continue;
        rbv_sliding_release(s, i);
        for (int32_t row = friction->stick_row; row < friction->stick_row + friction->count; row++)
            h->active[row] = false;
    }
    for (int32_t i = 0; *any && i < slipping->count; i++)
        if (h->shares.drive[i]) {
            rbv_slipping_slip(slipping, i, slipping->effort[i] > 0 ? 1 : -1, h->active);
            slipping->freed[i] = true;
        }
    return status;
}

/* Contacts that began to slide at this instant (sliding->loose) but are accelerated backwards stick again. True: some
 * do. */
static bool stick_again(RbvEventLoop *h) {
    RbvSliding *s = &h->flow->sliding;
    bool any = false;
    for (int32_t i = 0; i < s->count; i++) {
        RbvSlipVector second;
        double size = rbv_sliding_second(s, i, second), forward = 0;
        if (!s->slides[i] || !s->loose[i])
            continue;
        for (int c = 0; c < RBV_MOST_SLIP_DIRECTIONS; c++)
            forward += second[c] * s->slip[i][c];
        /* Relative to an acceleration, or for pulls to the largest force: a smaller component the other way is
         * rounding. */
        if (forward < -RBV_SAME * size) {
            rbv_event_loop_stick(h, i);
            any = true;
        }
    }
    return any;
}

/* Drives that began to slip at this instant (slipping->freed), because friction stuck, follow again where friction has
 * given way since. */
static void follow_again(RbvEventLoop *h) {
    RbvSlipping *s = &h->flow->slipping;
    bool slides = false;
    for (int32_t i = 0; i < h->flow->sliding.count; i++)
        slides = slides || h->shares.friction[i];
    for (int32_t i = 0; slides && i < s->count; i++)
        if (s->freed[i]) {
            s->freed[i] = false;
            rbv_slipping_engage(s, i, h->active);
        }
}

/* Logs drives that slip, also in the other direction, or follow again ("engage"). was[limited drives]: signs of the
 * efforts before. False: out of memory. */
static bool log_slipping(RbvEventLoop *h, const int *was) {
    const RbvSlipping *s = &h->flow->slipping;
    for (int32_t i = 0; i < s->count; i++)
        if (was[i] != s->sign[i] && !rbv_event_loop_log(h, h->flow->system->model->drives.items[s->drive[i]].name,
                                                        s->sign[i] == 0 ? "engage" : "slip", NAN))
            return false;
    return true;
}

/* Returns whether contact i begins to slide in a plane. What stuck (not was[i]) is at rest, whatever the rounding of
 * its velocity. */
static bool begins_to_slide(const RbvEventLoop *h, int32_t i, const bool *was) {
    const RbvSliding *s = &h->flow->sliding;
    return s->slides[i] && rbv_sliding_contact(s, i)->count > 1 &&
           (!was[i] || !(rbv_sliding_rate(s, i) > rbv_event_loop_rest_rate(h)));
}

/* Contacts that begin to slide in a plane keep the direction in which slip begins while they are slow. */
static void begin_directions(RbvEventLoop *h, const bool *was) {
    RbvSliding *s = &h->flow->sliding;
    for (int32_t i = 0; i < s->count; i++) {
        double mobility = s->mobility[i][0] + s->mobility[i][4] + s->mobility[i][8];
        if (!begins_to_slide(h, i, was) || !s->begins[i])
            continue;
        rbv_sliding_begin(s, i);
        s->slow[i] = rbv_max(s->slow[i], BEGINNING * h->stepper->longest * mobility * fabs(s->force[i]));
    }
}

/* Returns whether contact i slides instead of sticking, sticks instead of sliding, or slides back along its one
 * direction. */
static bool changes_phase(const RbvSliding *s, int32_t i, bool was, const RbvSlipVector before) {
    return was != s->slides[i] || (was && rbv_sliding_contact(s, i)->count == 1 && before[0] != s->toward[i][0]);
}

/* Reverses contacts that an impact turned back, and those that were about to stop and have lost their remaining
 * velocity together with others that stick. True: some are reversed. */
bool rbv_event_loop_turn_back(RbvEventLoop *h) {
    RbvSliding *s = &h->flow->sliding;
    bool any = false;
    for (int32_t i = 0; i < s->count; i++)
        if (s->slides[i] && !h->rests[i] && !rbv_sliding_is_slow(s, i) &&
            rbv_sliding_forward(s, i) < -rbv_event_loop_rest_rate(h))
            any = rbv_sliding_turn(s, i) || any;
    return any;
}

/* Each pass releases what exceeds its limit, lets stick again what turns out to be held, and restarts the motion. Where
 * this does not end after some passes, the last phases stay. */
RbvStatus rbv_event_loop_begin_sticking(RbvEventLoop *h, const bool *was, const RbvSlipVector *before,
                                        const int *drives, bool logs) {
    RbvSliding *s = &h->flow->sliding;
    RbvStatus status = rbv_stepper_restart(h->stepper);
    if (status == RBV_OK && rbv_event_loop_turn_back(h))
        status = rbv_stepper_restart(h->stepper);
    bool any = true;
    int passes = 10 * (s->count + h->flow->slipping.count) + 10;
    while (status == RBV_OK && any && passes-- > 0) {
        status = release_yielding(h, &any);
        if (any)
            follow_again(h);
        any = status == RBV_OK && (any || stick_again(h));
        if (any)
            status = rbv_stepper_restart(h->stepper);
    }
    memset(s->loose, 0, (size_t)s->count * sizeof *s->loose);
    if (status == RBV_OK)
        begin_directions(h, was);
    for (int32_t i = 0; i < h->flow->slipping.count; i++)
        h->flow->slipping.freed[i] = false;
    for (int32_t i = 0; status == RBV_OK && logs && i < s->count; i++)
        if (changes_phase(s, i, was[i], before[i]) && rbv_event_loop_touches(h, i) &&
            !rbv_event_loop_log(h, rbv_sliding_joint(s, i)->name, s->slides[i] ? "slip" : "stick", NAN))
            status = RBV_NO_MEMORY;
    status = status == RBV_OK && logs && !log_slipping(h, drives) ? RBV_NO_MEMORY : status;
    return status;
}

/* Returns whether contact i, sliding in a plane, is so slow that an acceleration as large as its own could stop it
 * within RBV_BALANCED of the longest step; the direction of the acceleration is not asked. */
static bool rests(const RbvEventLoop *h, int32_t i) {
    const RbvSliding *s = &h->flow->sliding;
    RbvSlipVector u, second;
    return rbv_friction_slide(h->flow->state, rbv_sliding_contact(s, i), u) <=
           rbv_sliding_second(s, i, second) * RBV_BALANCED * h->stepper->longest;
}

/* Returns whether friction contact i comes to rest by the event `found`. */
static bool comes_to_rest(const RbvEventLoop *h, int32_t i, const double *found) {
    return found && found[h->laws - h->limits - h->flow->slipping.count - h->flow->sliding.count + i] < 0;
}

/* `found` tells of contacts that come to rest; if there are any, all others that are slow and would stop within
 * RBV_ROOT_EPS come to rest with them. In a mechanism that comes to rest all do so at one instant; which of them is
 * found is a matter of rounding.
 */
void rbv_event_loop_find_resting(RbvEventLoop *h, const double *found) {
    const RbvSliding *s = &h->flow->sliding;
    /* Part of the longest step: contacts that come to rest within this time of each other do so together. */
    double instant = RBV_ROOT_EPS * h->stepper->longest;
    bool any = false;
    for (int32_t i = 0; i < s->count; i++)
        any = any || (s->slides[i] && comes_to_rest(h, i, found));
    for (int32_t i = 0; i < s->count; i++) {
        RbvSlipVector u, second;
        double size = rbv_friction_slide(h->flow->state, rbv_sliding_contact(s, i), u),
               slows = rbv_sliding_second(s, i, second);
        int32_t row = rbv_sliding_contact(s, i)->stick_row;
        /* Relative to the largest speed of the contact's part so far: faster contacts do not stop at once, however
         * large forces are near a dead centre. */
        bool slow = rbv_sliding_rate(s, i) <= rbv_event_loop_part_of_size(h, row, RBV_FITS) *
                                                  rbv_stepper_speed(h->stepper, h->flow->system->row_part[row]);
        h->rests[i] = s->slides[i] && rbv_event_loop_touches(h, i) &&
                      (comes_to_rest(h, i, found) || (any && slow && size <= slows * instant));
    }
}

/* Adds contacts stopped by the impulses of contacts: what is left of the velocities before is rounding. */
void rbv_event_loop_find_stopped(RbvEventLoop *h) {
    const RbvSliding *s = &h->flow->sliding;
    for (int32_t i = 0; i < s->count; i++)
        h->rests[i] = h->rests[i] || (s->slides[i] && h->impact.count > 0 && rbv_sliding_rate(s, i) <= stopped_rate(h));
}

/* Lets friction contacts that come to rest stick, except those that have lifted off; those that slide in a plane and
 * have only turned slide on in the direction of their slip velocity. */
void rbv_event_loop_try_sticking(RbvEventLoop *h) {
    RbvSliding *s = &h->flow->sliding;
    for (int32_t i = 0; i < s->count; i++) {
        if (!s->slides[i] || !h->rests[i] || !rbv_event_loop_touches(h, i))
            continue;
        if (rbv_sliding_contact(s, i)->count > 1 && rbv_sliding_rate(s, i) > 0 && !rests(h, i))
            rbv_sliding_turn(s, i);
        else
            rbv_event_loop_stick(h, i);
    }
}

/* Returns whether contact i just turns back, moved by a motion that friction forces on it do not affect: no friction
 * could hold it. Then its direction is that of its acceleration, while it is as slow. */
static bool turns_back(RbvEventLoop *h, int32_t i) {
    RbvSliding *s = &h->flow->sliding;
    RbvSlipVector u, second, slip;
    double alone, size = rbv_sliding_second(s, i, second);
    for (int c = 0; c < RBV_MOST_SLIP_DIRECTIONS; c++)
        slip[c] = size > 0 ? second[c] / size : 0;
    /* Relative to the effect of a friction force without constraints: with a smaller effect the contact is held by
     * other rows. */
    if (!(size > 0) || !(rbv_sliding_moves(s, i, slip, &alone) <= RBV_CANCELLED * alone))
        return false;
    memcpy(s->toward[i], slip, sizeof slip);
    s->slow[i] = 2 * rbv_friction_slide(h->flow->state, rbv_sliding_contact(s, i), u);
    return true;
}

/* Contacts in a line need no such care: their slip velocity passes through zero by itself. */
bool rbv_event_loop_stop_slow(RbvEventLoop *h, bool logs) {
    const RbvSliding *s = &h->flow->sliding;
    for (int32_t i = 0; i < s->count; i++) {
        if (!s->slides[i] || rbv_sliding_contact(s, i)->count == 1 || !h->rests[i] || !rests(h, i))
            continue;
        if (turns_back(h, i)) {
            h->rests[i] = false;
            if (logs && !rbv_event_loop_log(h, rbv_sliding_joint(s, i)->name, "slip", NAN))
                return false;
            continue;
        }
        rbv_event_loop_stick(h, i);
        if (logs && !rbv_event_loop_log(h, rbv_sliding_joint(s, i)->name, "stick", NAN))
            return false;
    }
    return true;
}

/* Returns whether a pressed contact is pulled, sign lambda > 0 (contacts.h), by more than rounding of the forces. */
static bool is_pulled(const RbvEventLoop *h, int32_t k) {
    const RbvContact *contact = &h->contacts.items[k];
    double most = 0;
    for (int32_t j = 0; j < h->flow->n; j++)
        most = rbv_max(most, fabs(h->flow->state->Q[j]));
    return h->pressed[k] &&
           contact->sign * rbv_contacts_force(contact, h->flow->state, h->flow->lambda[contact->row]) > RBV_SAME * most;
}

/* begins: largest slip acceleration [m/s^2] of the contacts that slide from rest; 0: none. away: acceleration of the
 * gap of a touching contact, positive: it opens. */
bool rbv_event_loop_contacts_change(const RbvEventLoop *h) {
    const RbvSliding *s = &h->flow->sliding;
    RbvState *state = h->flow->state;
    double begins = 0;
    for (int32_t i = 0; i < s->count; i++) {
        RbvSlipVector second;
        double size = rbv_sliding_second(s, i, second);
        begins = s->slides[i] && rbv_event_loop_touches(h, i) && rbv_sliding_rate(s, i) <= rbv_event_loop_rest_rate(h)
                     ? rbv_max(begins, size)
                     : begins;
    }
    if (!(begins > 0) || h->flow->slipping.count > 0) /* drives with limits were decided together with the contacts */
        return false;
    bool changes = false;
    for (int32_t k = 0; k < h->contacts.count; k++) {
        const RbvContact *contact = &h->contacts.items[k];
        changes = changes || is_pulled(h, k);
        if (!h->touching[k] || h->pressed[k])
            continue;
        double away = rbv_contacts_bias(contact, state);
        rbv_state_accelerate(state);
        away += rbv_contacts_along(contact, state, state->accelerations);
        changes = changes || away < -RBV_SAME * begins;
    }
    return changes;
}
