/* Friction in impacts: by Routh's process for a contact struck alone (friction_impact.h), otherwise for all friction contacts at
 * once (transition_together.c). */
#include "dynamics/events/transition.h"

#include "dynamics/contact/friction_impact.h"

#include <math.h>
#include <stdlib.h>

/* Relative to the velocities before: contacts beside the struck one that it does not press together. */
#define STAYS 1e-9

/* Finds the closed contact that is struck, and its friction contact; *friction = -1: none. */
static void find_struck(const RbvEventLoop *h, int32_t *struck, int32_t *friction) {
    *friction = -1;
    for (int32_t k = 0; k < h->flow->sliding.count; k++)
        for (int32_t i = 0; i < h->impact.count; i++)
            if (h->impact.which[i] == rbv_event_loop_contact_of(h, k) &&
                rbv_sliding_joint(&h->flow->sliding, k)->sizes->friction > 0 && rbv_event_loop_is_struck(h, i))
                *struck = i, *friction = k;
}

static double dot(const double *a, const double *b, int32_t n) {
    double sum = 0;
    for (int32_t j = 0; j < n; j++)
        sum += a[j] * b[j];
    return sum;
}

/* Finds the mobilities of the contact, and its velocities without its own impulse. Q, x: [slip directions][n], mu:
 * [slip directions][rows]. */
static bool find_mobility(RbvEventLoop *h, int32_t i, const RbvFrictionContact *friction, RbvStrike *strike, double *Q,
                          double *x, double *mu) {
    RbvImpact *m = &h->impact;
    int32_t n = h->flow->n, rows = h->flow->system->row_count;
    const double *xn = m->x + (size_t)i * (size_t)n;
    for (int c = 0; c < friction->count; c++)
        if (!rbv_event_loop_answer_slip(h, friction, c, Q + (size_t)c * (size_t)n, x + (size_t)c * (size_t)n,
                                        mu + (size_t)c * (size_t)rows))
            return false;
    strike->directions = friction->count;
    strike->Gnn = m->G[i * m->count + i];
    strike->w = m->away[i] - strike->Gnn * m->z[i];
    strike->away = strike->w - m->b[i];
    for (int c = 0; c < friction->count; c++) {
        const double *q = Q + (size_t)c * (size_t)n;
        strike->Gnt[c] = dot(q, xn, n);
        strike->u[c] = dot(q, h->flow->state->v, n) - m->z[i] * strike->Gnt[c];
        for (int d = 0; d < friction->count; d++)
            strike->Gtt[c][d] = dot(q, x + (size_t)d * (size_t)n, n);
    }
    return true;
}

/* Replaces the impulse without friction by the impulses of Routh's process. False: another contact would be struck by
 * them. */
static bool apply(RbvEventLoop *h, int32_t i, const RbvFrictionContact *friction, const RbvStrike *strike,
                  const double *x, const double *mu) {
    RbvImpact *m = &h->impact;
    RbvState *state = h->flow->state;
    int32_t n = h->flow->n, rows = h->flow->system->row_count;
    const RbvContact *contact = &h->contacts.items[m->which[i]];
    double more = strike->normal - m->z[i];
    for (int32_t j = 0; j < n; j++)
        state->v[j] += more * m->x[(size_t)i * (size_t)n + (size_t)j];
    for (int32_t k = 0; k < rows; k++)
        m->impulse[k] += more * m->mu[(size_t)i * (size_t)rows + (size_t)k];
    m->impulse[contact->row] -= contact->sign * more;
    for (int c = 0; c < friction->count; c++) {
        for (int32_t j = 0; j < n; j++)
            state->v[j] += strike->friction[c] * x[(size_t)c * (size_t)n + (size_t)j];
        for (int32_t k = 0; k < rows; k++)
            m->impulse[k] += strike->friction[c] * mu[(size_t)c * (size_t)rows + (size_t)k];
        m->impulse[friction->stick_row + c] -= strike->friction[c] * friction->slip[c].lever;
    }
    m->z[i] = strike->normal;
    rbv_coordinates_velocities(&h->flow->system->coordinates, rbv_state_at(state), state->v, state->twists);
    bool good = true;
    for (int32_t k = 0; k < m->count; k++) {
        m->away[k] = rbv_contacts_along(&h->contacts.items[m->which[k]], state, state->twists);
        good = good && m->away[k] >= -STAYS * fabs(strike->normal * strike->Gnn);
    }
    return good;
}

RbvStatus rbv_event_loop_strike(RbvEventLoop *h, bool tells) {
    int32_t struck = -1, k = -1, n = h->flow->n, rows = h->flow->system->row_count;
    if (rbv_event_loop_slides_together(h))
        return rbv_event_loop_slide_together(h, tells);
    find_struck(h, &struck, &k);
    if (k < 0)
        return RBV_OK;
    const RbvFrictionContact *friction = rbv_sliding_contact(&h->flow->sliding, k);
    const RbvJoint *joint = rbv_sliding_joint(&h->flow->sliding, k);
    RbvStrike strike = {.mu = joint->sizes->friction, .hold = joint->sizes->friction_static};
    double *room = calloc((size_t)friction->count * (size_t)(2 * n + rows) + 1, sizeof *room);
    if (!room)
        return RBV_NO_MEMORY;
    double *x = room + (size_t)friction->count * (size_t)n, *mu = x + (size_t)friction->count * (size_t)n;
    RbvStatus status = RBV_OK;
    if (!find_mobility(h, struck, friction, &strike, room, x, mu))
        status = RBV_LOCKED;
    else if (!rbv_strike(&strike))
        status = rbv_event_loop_fail(h, RBV_LOCKED, h->contacts.items[h->impact.which[struck]].name,
                                     "is struck, and its friction jams the impact");
    else if (!apply(h, struck, friction, &strike, x, mu) ||
             rbv_event_loop_slides_together(h)) /* the impulses press other contacts together, or make them slide */
        status = rbv_event_loop_slide_together(h, tells);
    free(room);
    return status;
}
