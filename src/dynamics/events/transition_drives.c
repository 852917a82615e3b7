/* Drives with limited effort where velocities jump: a limited effort has no impulse. Before contacts are decided anew
 * these drives follow or push at their limits; see transition.h. */
#include "dynamics/events/transition.h"

#include <math.h>

/* Relative to the fastest velocity: a smaller change by an impact is rounding. */
#define SAME_RATE 1e-11

/* Returns whether an impact occurs: a contact closes with a negative gap velocity. */
static bool is_met(const RbvEventLoop *h) {
    for (int32_t k = 0; k < h->contacts.count; k++)
        if (h->closed[k] && !h->held[k] && rbv_contacts_rate(&h->contacts.items[k], h->flow->state) < 0)
            return true;
    return false;
}

/* Returns whether what engages requires other velocities. */
static bool is_taken_along(const RbvEventLoop *h) {
    RbvState *state = h->flow->state;
    const RbvRowPattern *C = &h->flow->system->C;
    if (!h->engages || !rbv_state_place(state))
        return false;
    rbv_state_jacobian(state);
    if (!rbv_state_rates(state))
        return false;
    for (int32_t k = 0; k < h->flow->system->row_count; k++) {
        double off = state->nu[k], size = fabs(off);
        for (int32_t e = C->start[k]; h->active[k] && e < C->start[k + 1]; e++) {
            off -= state->C[e] * state->v[C->column[e]];
            size += fabs(state->C[e] * state->v[C->column[e]]);
        }
        if (h->active[k] && fabs(off) > SAME_RATE * size)
            return true;
    }
    return false;
}

void rbv_event_loop_free_drives(RbvEventLoop *h) {
    RbvSlipping *s = &h->flow->slipping;
    bool met = s->count > 0 && (is_met(h) || is_taken_along(h));
    for (int32_t i = 0; i < s->count; i++) {
        s->before[i] = s->sign[i];
        s->freed[i] = false;
        if (met && s->sign[i] == 0 && h->active[h->flow->system->drive_row[s->drive[i]]])
            rbv_slipping_free(s, i, true, h->active);
    }
}

/* A drive whose row was freed follows again if the impact has not changed its coordinate's velocity; otherwise it slips
 * towards its target. */
static void take_back(RbvEventLoop *h, int32_t i, double fastest) {
    RbvSlipping *s = &h->flow->slipping;
    double lag, surface = rbv_slipping_surface(s, i, &lag);
    rbv_slipping_free(s, i, false, h->active);
    if (fabs(surface) > SAME_RATE * fastest)
        rbv_slipping_slip(s, i, surface > 0 ? 1 : -1, h->active);
}

bool rbv_event_loop_decide_drives(RbvEventLoop *h, const double *found) {
    RbvSlipping *s = &h->flow->slipping;
    double lag, fastest = 0;
    bool rows = false;
    if (s->count == 0 || !rbv_state_move(h->flow->state))
        return false;
    for (int32_t j = 0; j < h->flow->n; j++)
        fastest = fmax(fastest, fmax(fabs(h->impact.v[j]), fabs(h->flow->state->v[j])));
    for (int32_t i = 0; i < s->count; i++) {
        bool caught = s->before[i] != 0 && found && found[h->laws - h->limits - s->count + i] < 0;
        bool released = s->freed[i] || s->sign[i] != 0;
        if (s->freed[i])
            take_back(h, i, fastest);
        else if (s->sign[i] != 0 && caught)
            rbv_slipping_engage(s, i, h->active);
        else if (s->sign[i] * rbv_slipping_surface(s, i, &lag) < -rbv_event_loop_rest_rate(h))
            s->sign[i] = -s->sign[i];
        rows = rows || (s->sign[i] == 0 && released);
    }
    return rows;
}
