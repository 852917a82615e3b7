/* Impulses of active rows and closed contacts at one instant; see transition.h. In this order: the impulses without
 * friction (impact.h); friction of the impact; drives with limits follow or slip; which contacts are pressed
 * afterwards; the impulses of joints, drives, constraints and stops as they are printed; their audit.
 *
 * A contact's impulse z >= 0 opens its gap; that of its row is -sign z, as lambda of a force (contacts.h). The impulse
 * f of friction [N s] acts along a slip direction; that of its row is -f lever [N s or N m s]. */
#include "core/base/extremes.h"
#include "dynamics/events/transition.h"

#include "core/base/tolerances.h"
#include "dynamics/contact/strike.h"

#include <math.h>
#include <stdlib.h>

/* ---- friction in impacts: by Routh's process for a contact struck alone (strike.h), otherwise for all
 * friction contacts at once (transition_together.c) ---- */

/* Finds the closed contact that is struck (*struck: index in the impact), and its friction contact; *friction = -1:
 * none. With several the last one; then all are solved together. */
static void find_struck(const RbvEventLoop *h, int32_t *struck, int32_t *friction) {
    *friction = -1;
    for (int32_t k = 0; k < h->flow->sliding.count; k++)
        for (int32_t i = 0; i < h->impact.count; i++)
            if (h->impact.which[i] == rbv_event_loop_contact_of(h, k) &&
                rbv_sliding_joint(&h->flow->sliding, k)->sizes->friction > 0 && rbv_event_loop_is_struck(h, i))
                *struck = i, *friction = k;
}

static double dot_velocity(const double *a, const double *b, int32_t n) {
    double sum = 0;
    for (int32_t j = 0; j < n; j++)
        sum += a[j] * b[j];
    return sum;
}

/* Finds the mobilities G [1/kg] of contact i of the impact, along its gap (n) and its slip directions (t), and its
 * rates without its own impulse, those of the others kept; away: the gap rate e |u-| that Newton's restitution
 * requires. Q, x: [slip directions][n], mu: [slip directions][rows], of rbv_event_loop_answer_slip. */
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
        strike->Gnt[c] = dot_velocity(q, xn, n);
        strike->u[c] = dot_velocity(q, h->flow->state->v, n) - m->z[i] * strike->Gnt[c];
        for (int d = 0; d < friction->count; d++)
            strike->Gtt[c][d] = dot_velocity(q, x + (size_t)d * (size_t)n, n);
    }
    return true;
}

/* Replaces the impulse without friction of contact i by the impulses of Routh's process; x, mu: of find_mobility.
 * False: a gap would close after them, so another contact is struck too. */
static bool apply_strike(RbvEventLoop *h, int32_t i, const RbvFrictionContact *friction, const RbvStrike *strike,
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
        /* Relative to the change of the struck contact's gap rate: other gaps that close no faster are not pressed
         * together. */
        good = good && m->away[k] >= -RBV_SAME * fabs(strike->normal * strike->Gnn);
    }
    return good;
}

/* To be called after the impulses without friction: adds friction of a contact struck alone (strike.h), or of
 * all friction contacts together. LOCKED or INCONSISTENT (reported), NO_MEMORY. */
static RbvStatus add_friction(RbvEventLoop *h, bool logs) {
    int32_t struck = -1, k = -1, n = h->flow->n, rows = h->flow->system->row_count;
    if (rbv_event_loop_slides_together(h))
        return rbv_event_loop_slide_together(h, logs);
    find_struck(h, &struck, &k);
    if (k < 0)
        return RBV_OK;
    const RbvFrictionContact *friction = rbv_sliding_contact(&h->flow->sliding, k);
    const RbvJoint *joint = rbv_sliding_joint(&h->flow->sliding, k);
    RbvStrike strike = {.mu = joint->sizes->friction, .hold = joint->sizes->friction_static};
    double *workspace = calloc((size_t)friction->count * (size_t)(2 * n + rows) + 1, sizeof *workspace);
    if (!workspace)
        return RBV_NO_MEMORY;
    double *x = workspace + (size_t)friction->count * (size_t)n, *mu = x + (size_t)friction->count * (size_t)n;
    RbvStatus status = RBV_OK;
    if (!find_mobility(h, struck, friction, &strike, workspace, x, mu))
        status = RBV_LOCKED;
    else if (!rbv_strike(&strike))
        status = rbv_event_loop_fail(h, RBV_LOCKED, h->contacts.items[h->impact.which[struck]].name,
                                     "is struck, and its friction jams the impact");
    else if (!apply_strike(h, struck, friction, &strike, x, mu) ||
             rbv_event_loop_slides_together(h)) /* the impulses press other contacts together, or make them slide */
        status = rbv_event_loop_slide_together(h, logs);
    free(workspace);
    return status;
}

/* ---- drives with limited effort: a limited effort has no impulse ----
 *
 * Before contacts are decided anew these drives follow or push at their limits. */

/* Returns whether an impact occurs: a contact closes with a negative gap velocity. */
static bool is_met(const RbvEventLoop *h) {
    for (int32_t k = 0; k < h->contacts.count; k++)
        if (h->closed[k] && !h->pressed[k] && rbv_contacts_rate(&h->contacts.items[k], h->flow->state) < 0)
            return true;
    return false;
}

/* Returns whether a condition that has become true requires other velocities: an active row has C v other than nu. */
static bool is_taken_along(const RbvEventLoop *h) {
    RbvState *state = h->flow->state;
    const RbvRowPattern *C = &h->flow->system->C;
    if (!h->engages || !rbv_state_place(state))
        return false;
    rbv_state_jacobian(state);
    if (!rbv_state_rates(state))
        return false;
    for (int32_t k = 0; k < h->flow->system->row_count; k++) {
        double error = state->nu[k], size = fabs(error);
        for (int32_t e = C->start[k]; h->active[k] && e < C->start[k + 1]; e++) {
            error -= state->C[e] * state->v[C->column[e]];
            size += fabs(state->C[e] * state->v[C->column[e]]);
        }
        /* Relative to the fastest velocity: a smaller change by an impact is rounding. */
        if (h->active[k] && fabs(error) > RBV_SOLVED * size)
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
 * towards its motion. fastest: largest velocity before or after. */
static void take_back(RbvEventLoop *h, int32_t i, double fastest) {
    RbvSlipping *s = &h->flow->slipping;
    double lag, surface = rbv_slipping_surface(s, i, &lag);
    rbv_slipping_free(s, i, false, h->active);
    if (fabs(surface) > RBV_SOLVED * fastest)
        rbv_slipping_slip(s, i, surface > 0 ? 1 : -1, h->active);
}

/* After the impulses: decides which drives with limits follow, which slip, and their signs. `found`: the indicators of
 * the event, or NULL. surface: s of slipping.h. True: the row of a drive that was free or slipped became active. */
static bool decide_drives(RbvEventLoop *h, const double *found) {
    RbvSlipping *s = &h->flow->slipping;
    double lag, fastest = 0;
    bool rows = false;
    if (s->count == 0 || !rbv_state_move(h->flow->state))
        return false;
    for (int32_t j = 0; j < h->flow->n; j++)
        fastest = rbv_max(fastest, rbv_max(fabs(h->impact.v[j]), fabs(h->flow->state->v[j])));
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

/* ---- impulses of contacts and rows ---- */

/* Decides which contacts are pressed from now on, makes their rows active and logs them; *again becomes true: rolling
 * rows of a contact become active or inactive. */
static RbvStatus take_contacts(RbvEventLoop *h, const double *found, bool logs, bool *again) {
    RbvImpact *m = &h->impact;
    bool *pressed = calloc(2 * (size_t)m->count + 1, sizeof *pressed), *touching = pressed ? pressed + m->count : NULL;
    double *impulse = calloc((size_t)m->count + 1, sizeof *impulse);
    RbvStatus status = pressed && impulse ? RBV_OK : RBV_NO_MEMORY;
    for (int32_t i = 0; status == RBV_OK && i < m->count; i++) {
        impulse[i] = m->z[i];
        pressed[i] = h->pressed[m->which[i]] && !(found && found[m->which[i]] < 0); /* a contact that is pulled opens */
    }
    if (status == RBV_OK)
        status = rbv_impact_contacts(m, RBV_BALANCED * h->stepper->longest, pressed, touching);
    for (int32_t k = 0; k < h->contacts.count; k++)
        h->touching[k] = false;
    for (int32_t i = 0; status == RBV_OK && i < m->count; i++) {
        int32_t k = m->which[i];
        const RbvContact *contact = &h->contacts.items[k];
        bool was = h->pressed[k], good = true;
        if (logs && !was && impulse[i] > 0)
            good = rbv_event_loop_log(h, contact->name, "impact", impulse[i]);
        if (logs && was != pressed[i])
            good = good && rbv_event_loop_log(h, contact->name, pressed[i] ? "land" : "release", NAN);
        h->pressed[k] = pressed[i];
        h->touching[k] = touching[i];
        h->active[contact->row] = pressed[i];
        status = good ? status : RBV_NO_MEMORY;
    }
    for (int32_t k = 0; k < h->contacts.count; k++) {
        const RbvContact *contact = &h->contacts.items[k];
        bool rolls = contact->joint >= 0 && contact->row + 1 < h->flow->system->joint_row[contact->joint + 1] &&
                     !h->flow->system->model->joints.items[contact->joint].has_friction;
        if (rolls && h->active[contact->row + 1] != h->pressed[k]) {
            rbv_contacts_hold_rest(contact, h->flow->system, h->pressed[k], h->active);
            *again = true;
        }
    }
    free(pressed);
    free(impulse);
    return status;
}

/* Activates the rows of contacts in the impact for a moment (all), so that their effects on bodies are evaluated; or
 * only those of contacts that are pressed. */
static void activate_met(RbvEventLoop *h, bool all) {
    for (int32_t i = 0; i < h->impact.count; i++)
        h->active[h->contacts.items[h->impact.which[i]].row] = all || h->pressed[h->impact.which[i]];
    rbv_state_place(h->flow->state);
}

/* Prints the impulses as joints, drives, constraints and stops print their forces. False: the forces along lines of
 * centres do not settle. */
static bool print_impulses(RbvEventLoop *h) {
    const RbvSystem *system = h->flow->system;
    RbvReactions *r = h->reactions;
    activate_met(h, true);
    rbv_reactions_place(r, h->flow->state);
    bool good = rbv_tooth_pushes(r, &h->flow->kept_reactions, h->impact.impulse, h->flow->dq, h->flow->mu);
    rbv_reactions_print(r, h->flow->state);
    activate_met(h, false);
    for (int32_t i = 0; i < system->friction_count; i++) {
        const RbvFrictionContact *friction = &system->friction[i];
        for (int c = 0; c < friction->count && friction->stick_row >= 0; c++)
            r->value[friction->joint][friction->slip[c].component] = -r->lambda[friction->stick_row + c];
    }
    return good;
}

/* Adds the impulses to the sums since the start of the run (loop->impulses). */
static void add_impulses(RbvEventLoop *h) {
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

/* rbv_impact_solve wants the rows of contacts and of their friction inactive, and the state evaluated. */
RbvStatus rbv_event_loop_exchange_impulses(RbvEventLoop *h, const double *found, bool logs, bool *again) {
    RbvFlow *flow = h->flow;
    RbvState *state = flow->state;
    *again = false;
    for (int32_t k = 0; k < h->contacts.count; k++)
        h->active[h->contacts.items[k].row] = false;
    rbv_event_loop_open_friction(h);
    if (!rbv_state_place(state))
        return rbv_event_loop_report_not_finite(h);
    rbv_state_jacobian(state);
    if (!rbv_state_rates(state) || !rbv_state_move(state) || !rbv_state_load(state))
        return rbv_event_loop_report_not_finite(h);
    rbv_impact_audit_begin(&h->audit, state);
    for (int32_t k = 0; k < h->contacts.count; k++)
        h->impact.least[k] = rbv_event_loop_least_rate(h, k);
    RbvStatus status = rbv_impact_solve(&h->impact, h->closed);
    if (status == RBV_OK)
        status = add_friction(h, logs);
    if (status == RBV_OK && decide_drives(h, found))
        status = rbv_impact_renew(&h->impact, h->closed);
    if (status == RBV_OK)
        status = take_contacts(h, found, logs, again);
    if (status == RBV_OK && !print_impulses(h))
        status = RBV_LOCKED;
    if (status == RBV_OK && logs)
        add_impulses(h);
    if (status == RBV_LOCKED)
        return rbv_event_loop_report_unsettled(h, NULL,
                                               "no impulses are found that contacts and joints could answer with");
    if (status == RBV_OK && !rbv_state_move(state))
        return rbv_event_loop_report_not_finite(h);
    return status == RBV_OK ? rbv_event_loop_audit_jump(h) : status;
}
