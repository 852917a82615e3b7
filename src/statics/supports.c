/* One-sided supports, gap g >= 0, push p >= 0, g p = 0: which are closed, and the state that their rows allow. */
#include "statics/supports.h"

#include "core/base/tolerances.h"
#include "solution/assembly/assemble.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Steps to where no support is violated: their number, and the limit of each [rad, or parts of the size]. */
#define BACK_STEPS 300
#define BACK_STEP 0.3
/* Starts beside the start, and their largest rotation [rad]. */
#define TRIES 40
#define FARTHEST_TURN 3.0

bool rbv_supports_any(const RbvModel *model) {
    bool any = model->stops.count > 0;
    for (int32_t k = 0; k < model->joints.count; k++)
        any = any || model->joints.items[k].unilateral;
    return any;
}

static bool is_enabled(const RbvModel *model, const RbvContact *contact, const bool *truth) {
    for (int32_t k = 0; truth && k < model->conditions.count; k++) {
        const RbvCondition *condition = &model->conditions.items[k];
        if ((condition->of == RBV_CONDITION_STOP && condition->index == contact->stop) ||
            (condition->of == RBV_CONDITION_JOINT && condition->index == contact->joint))
            return truth[k];
    }
    return true;
}

bool rbv_supports_create(RbvSupports *s, RbvState *state, const bool *truth) {
    const RbvSystem *system = state->system;
    *s = (RbvSupports){0};
    if (!rbv_contacts_create(&s->contacts, system))
        return false;
    size_t rows = (size_t)system->row_count + 1, contacts = (size_t)s->contacts.count + 1;
    s->active = calloc(rows + 2 * contacts, sizeof *s->active);
    if (!s->active)
        return false;
    s->enabled = s->active + rows;
    s->closed = s->enabled + contacts;
    for (int32_t k = 0; k < system->row_count; k++)
        s->active[k] = rbv_state_holds(state, k);
    for (int32_t k = 0; k < s->contacts.count; k++) {
        s->enabled[k] = is_enabled(system->model, &s->contacts.items[k], truth);
        s->closed[k] = s->active[s->contacts.items[k].row];
    }
    state->active = s->active;
    return true;
}

void rbv_supports_destroy(RbvSupports *s) {
    rbv_contacts_destroy(&s->contacts);
    free(s->active);
    *s = (RbvSupports){0};
}

double rbv_supports_gap(const RbvSupports *s, int32_t k) {
    const RbvContact *contact = &s->contacts.items[k];
    const RbvState *state = s->balance->state;
    return rbv_contacts_gap(contact, state) / rbv_state_row_scale(state, contact->row);
}

double rbv_supports_push(const RbvSupports *s, int32_t k) {
    const RbvContact *contact = &s->contacts.items[k];
    return -contact->sign * rbv_contacts_force(contact, s->balance->state, s->balance->lambda[contact->row]);
}

int32_t rbv_supports_nearest(const RbvSupports *s) {
    int32_t nearest = -1;
    for (int32_t k = 0; k < s->contacts.count; k++)
        if (s->enabled[k] && !s->closed[k] && (nearest < 0 || rbv_supports_gap(s, k) < rbv_supports_gap(s, nearest)))
            nearest = k;
    return nearest;
}

/* One behind the last row of contact k. */
static int32_t end_of(const RbvSupports *s, const RbvSystem *system, int32_t k) {
    const RbvContact *contact = &s->contacts.items[k];
    return contact->joint >= 0 ? system->joint_row[contact->joint + 1] : contact->row + 1;
}

/* Closes or opens the rows of contact k, with multipliers 0. */
void rbv_supports_set(RbvSupports *s, int32_t k, bool holds) {
    for (int32_t row = s->contacts.items[k].row; row < end_of(s, s->balance->system, k); row++) {
        s->active[row] = holds;
        s->balance->lambda[row] = 0;
    }
    s->closed[k] = holds;
}

bool rbv_supports_copy(RbvSupports *s, RbvState *state, const RbvSupports *like, const bool *closed) {
    state->active = like->active;
    bool good = rbv_supports_create(s, state, NULL);
    for (int32_t k = 0; good && k < s->contacts.count; k++) {
        s->enabled[k] = like->enabled[k];
        s->closed[k] = closed ? closed[k] : like->closed[k];
        for (int32_t row = s->contacts.items[k].row; row < end_of(s, state->system, k); row++)
            s->active[row] = s->closed[k];
    }
    return good;
}

static bool place_supports(RbvSupports *s) {
    if (!rbv_balance_weigh(s->balance) || !rbv_balance_project(s->balance))
        return false;
    rbv_state_accept(s->balance->state);
    return true;
}

bool rbv_supports_switch(RbvSupports *s, int32_t k, bool holds) {
    rbv_supports_set(s, k, holds);
    s->changes++;
    return place_supports(s);
}

/* Closes the supports that are open, not switched off, and have a gap of `least` or less. Returns their number. */
static int32_t close_passed(RbvSupports *s, double least) {
    int32_t count = 0;
    for (int32_t k = 0; k < s->contacts.count; k++)
        if (s->enabled[k] && !s->closed[k] && rbv_supports_gap(s, k) <= least) {
            rbv_supports_set(s, k, true);
            count++;
        }
    return count;
}

/* Opens all supports but those that were[contacts] closed. */
static void open_others(RbvSupports *s, const bool *were) {
    for (int32_t k = 0; k < s->contacts.count; k++)
        if (s->closed[k] && !were[k])
            rbv_supports_set(s, k, false);
}

/* Steps to a state where no support is violated, each towards the violated supports' rows and limited to where linear
 * rows are useful. True if reached. */
static bool come_back(RbvSupports *s, const bool *were) {
    RbvBalance *b = s->balance;
    double *y = malloc(((size_t)b->n + 1) * sizeof *y);
    bool good = y != NULL, passed = true;
    b->state->no_memory = b->state->no_memory || !y;
    for (int step = 0; good && passed && step < BACK_STEPS; step++) {
        open_others(s, were);
        good = place_supports(s);
        passed = good && close_passed(s, -RBV_SAME) > 0;
        if (!passed)
            break;
        good = rbv_balance_weigh(b) && rbv_balance_step_to_rows(b, y);
        rbv_balance_store(b);
        if (good)
            rbv_balance_move(b, y, rbv_balance_limit(b, y, BACK_STEP, BACK_STEP));
    }
    free(y);
    return good && !passed;
}

/* As come_back, from pseudo-random positions around the start, at growing distance from it; always the same ones. */
static bool come_back_from_beside(RbvSupports *s, const bool *were) {
    RbvBalance *b = s->balance;
    uint64_t seed = 1;
    size_t size = (size_t)b->system->coordinates.position_size;
    double *start = malloc((size + (size_t)b->n + 1) * sizeof *start);
    bool good = false;
    b->state->no_memory = b->state->no_memory || !start;
    if (start)
        memcpy(start, b->state->q, size * sizeof *start);
    for (int try = 1; start && !good && try <= TRIES; try++) {
        rbv_shake(b->state, start, FARTHEST_TURN * try / TRIES, (double)try / TRIES, &seed, start + size);
        open_others(s, were);
        good = come_back(s, were);
    }
    free(start);
    return good;
}

bool rbv_supports_begin(RbvSupports *s, RbvBalance *balance) {
    s->balance = balance;
    bool *were = malloc((size_t)s->contacts.count + 1);
    balance->state->no_memory = balance->state->no_memory || !were;
    if (!were)
        return false;
    memcpy(were, s->closed, (size_t)s->contacts.count * sizeof *were);
    bool good = come_back(s, were) || come_back_from_beside(s, were);
    free(were);
    return good && (close_passed(s, RBV_SAME) == 0 || place_supports(s));
}

bool rbv_supports_settle(RbvSupports *s, double tolerance, bool *changed) {
    int32_t passed = rbv_supports_nearest(s), pulls = -1;
    *changed = true;
    if (passed >= 0 && rbv_supports_gap(s, passed) < -RBV_SAME)
        return rbv_supports_switch(s, passed, true);
    for (int32_t k = 0; k < s->contacts.count; k++)
        if (s->closed[k] && rbv_supports_push(s, k) < -tolerance &&
            (pulls < 0 || rbv_supports_push(s, k) < rbv_supports_push(s, pulls)))
            pulls = k;
    if (pulls >= 0)
        return rbv_supports_switch(s, pulls, false);
    *changed = false;
    return true;
}
