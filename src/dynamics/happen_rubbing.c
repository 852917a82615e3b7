/* Friction that sticks, and contacts that rub in impacts: open ones rub nothing, what is struck has friction as well (strike.h), what lands sticks or slides. */
#include "dynamics/happen.h"

#include "dynamics/strike.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of a body's mass, size and rate: less is rounding of no impulse. */
#define NO_IMPULSE 1e-9
/* Of the rates before: contacts beside the struck one that it does not press together. */
#define STAYS 1e-9

/* Friction sticks from now on, where the joint is. */
void rbv_hybrid_stick(RbvHybrid *h, int32_t i) {
    const RbvRub *rub = rbv_sliding_rub(&h->flow->sliding, i);
    h->flow->sliding.slides[i] = false;
    for (int32_t row = rub->stick_row; row < rub->stick_row + rub->count; row++)
        h->active[row] = true;
    rbv_rub_hold_here(h->flow->state, rub);
}

/* The contact of friction number i; -1: it cannot let go. */
static int32_t contact_of(const RbvHybrid *h, int32_t i) {
    for (int32_t k = 0; k < h->contacts.count; k++)
        if (h->contacts.items[k].joint == rbv_sliding_rub(&h->flow->sliding, i)->joint)
            return k;
    return -1;
}

/* From now on it slides, the way it does. */
static void slide(RbvHybrid *h, int32_t i) {
    RbvSliding *s = &h->flow->sliding;
    const RbvRub *rub = rbv_sliding_rub(s, i);
    s->slides[i] = true;
    s->force[i] = 0;
    rbv_sliding_turn(s, i);
    for (int32_t row = rub->stick_row; row < rub->stick_row + rub->count; row++)
        h->active[row] = false;
}

void rbv_hybrid_open_rubs(RbvHybrid *h) {
    for (int32_t i = 0; i < h->flow->sliding.count; i++) {
        int32_t k = contact_of(h, i);
        h->opened[i] = k >= 0 && !h->held[k];
        if (h->opened[i])
            slide(h, i);
    }
}

void rbv_hybrid_close_rubs(RbvHybrid *h) {
    RbvSliding *s = &h->flow->sliding;
    for (int32_t i = 0; i < s->count; i++) {
        int32_t k = contact_of(h, i);
        if (k < 0)
            continue;
        if (!h->held[k])
            slide(h, i);
        else if (h->opened[i] && rbv_sliding_rate(s, i) <= rbv_hybrid_rest_rate(h))
            rbv_hybrid_stick(h, i);
        else if (h->opened[i])
            rbv_sliding_turn(s, i);
    }
}

/* What is pressed anyway has impulses of rounding, as parts of the bodies' momenta. */
static bool is_struck(const RbvHybrid *h, int32_t i) {
    const RbvSystem *system = h->flow->system;
    const RbvModel *model = system->model;
    const RbvContact *contact = &h->contacts.items[h->impact.which[i]];
    const RbvMeasure *measure = &model->measures.items[system->terms[system->rows[contact->row].first].measure];
    double mass = 0, rate = fmax(rbv_stepper_speed(h->stepper, system->row_part[contact->row]), 1 / h->stepper->longest);
    for (int side = 0; side < 2; side++)
        mass = fmax(mass, model->bodies.items[model->markers.items[measure->marker[side]].body].mass);
    return h->impact.z[i] > NO_IMPULSE * mass * rate * rbv_hybrid_part_of_size(h, contact->row, 1);
}

/* Which closed contact is struck, and its friction: *rub -1: it has none. */
static RbvStatus find_struck(const RbvHybrid *h, int32_t *struck, int32_t *rub) {
    int32_t count = 0;
    *rub = -1;
    for (int32_t i = 0; i < h->impact.count; i++)
        count += is_struck(h, i);
    for (int32_t k = 0; k < h->flow->sliding.count; k++)
        for (int32_t i = 0; i < h->impact.count; i++) {
            if (h->impact.which[i] != contact_of(h, k) || !(rbv_sliding_joint(&h->flow->sliding, k)->sizes->friction > 0) || !is_struck(h, i))
                continue;
            if (count > 1 || !h->flow->sliding.slides[k]) {
                char text[250];
                snprintf(text, sizeof text, "rubs, and is struck by an impulse of %.6g N s together with others, or while it sticks: friction in such impacts is not in this version", h->impact.z[i]);
                return rbv_hybrid_fail(h, RBV_INCONSISTENT, h->contacts.items[h->impact.which[i]].name, text);
            }
            *struck = i, *rub = k;
        }
    return RBV_OK;
}

/* Generalized force of a unit force on way c: Q.v is its slip. */
static void pull_way(RbvHybrid *h, const RbvRub *rub, int c, double *Q) {
    rbv_rub_push(h->flow->state, rub, c, rub->way[c].lever, rbv_saddle_wrenches(h->flow->saddle));
    rbv_saddle_pull(h->flow->saddle, Q);
}

static double dot(const double *a, const double *b, int32_t n) {
    double sum = 0;
    for (int32_t j = 0; j < n; j++)
        sum += a[j] * b[j];
    return sum;
}

/* The mobilities of the contact, and its rates where it does not push. Q, x: [ways][n], mu [ways][rows]. */
static bool find_mobility(RbvHybrid *h, int32_t i, const RbvRub *rub, RbvStrike *strike, double *Q, double *x, double *mu) {
    RbvImpact *m = &h->impact;
    int32_t n = h->flow->n, rows = h->flow->system->row_count;
    const double *xn = m->x + (size_t)i * (size_t)n;
    for (int c = 0; c < rub->count; c++) {
        pull_way(h, rub, c, Q + (size_t)c * (size_t)n);
        if (!rbv_saddle_solve(h->flow->saddle, Q + (size_t)c * (size_t)n, NULL, x + (size_t)c * (size_t)n, mu + (size_t)c * (size_t)rows))
            return false;
    }
    strike->ways = rub->count;
    strike->Gnn = m->G[i * m->count + i];
    strike->w = m->away[i] - strike->Gnn * m->z[i];
    strike->away = strike->w - m->b[i];
    for (int c = 0; c < rub->count; c++) {
        const double *q = Q + (size_t)c * (size_t)n;
        strike->Gnt[c] = dot(q, xn, n);
        strike->u[c] = dot(q, h->flow->state->v, n) - m->z[i] * strike->Gnt[c];
        for (int d = 0; d < rub->count; d++)
            strike->Gtt[c][d] = dot(q, x + (size_t)d * (size_t)n, n);
    }
    return true;
}

/* Its impulses in place of the one without friction. False: another contact would be struck by them. */
static bool apply(RbvHybrid *h, int32_t i, const RbvRub *rub, const RbvStrike *strike, const double *x, const double *mu) {
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
    for (int c = 0; c < rub->count; c++) {
        for (int32_t j = 0; j < n; j++)
            state->v[j] += strike->friction[c] * x[(size_t)c * (size_t)n + (size_t)j];
        for (int32_t k = 0; k < rows; k++)
            m->impulse[k] += strike->friction[c] * mu[(size_t)c * (size_t)rows + (size_t)k];
        m->impulse[rub->stick_row + c] -= strike->friction[c] * rub->way[c].lever;
    }
    m->z[i] = strike->normal;
    rbv_coordinates_push(&h->flow->system->coordinates, rbv_state_at(state), state->v, state->twists);
    bool good = true;
    for (int32_t k = 0; k < m->count; k++) {
        m->away[k] = rbv_contacts_along(&h->contacts.items[m->which[k]], state, state->twists);
        good = good && m->away[k] >= -STAYS * fabs(strike->normal * strike->Gnn);
    }
    return good;
}

RbvStatus rbv_hybrid_strike(RbvHybrid *h) {
    int32_t struck = -1, k = -1, n = h->flow->n, rows = h->flow->system->row_count;
    RbvStatus status = find_struck(h, &struck, &k);
    if (status != RBV_OK || k < 0)
        return status;
    const RbvRub *rub = rbv_sliding_rub(&h->flow->sliding, k);
    const RbvJoint *joint = rbv_sliding_joint(&h->flow->sliding, k);
    RbvStrike strike = {.mu = joint->sizes->friction, .hold = joint->sizes->friction_static};
    double *room = calloc((size_t)rub->count * (size_t)(2 * n + rows) + 1, sizeof *room);
    if (!room)
        return RBV_NO_MEMORY;
    double *x = room + (size_t)rub->count * (size_t)n, *mu = x + (size_t)rub->count * (size_t)n;
    const char *name = h->contacts.items[h->impact.which[struck]].name;
    if (!find_mobility(h, struck, rub, &strike, room, x, mu))
        status = RBV_LOCKED;
    else if (!rbv_strike(&strike))
        status = rbv_hybrid_fail(h, RBV_LOCKED, name, "is struck, and its friction jams the impact");
    else if (!apply(h, struck, rub, &strike, x, mu))
        status = rbv_hybrid_fail(h, RBV_INCONSISTENT, name, "rubs, and is struck together with others: friction in such impacts is not in this version");
    free(room);
    return status;
}
