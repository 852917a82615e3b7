/* The balance of impulses; see impact.h. */
#include "dynamics/impact.h"

#include "dynamics/complementarity.h"
#include "solve/lapack.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Energy may be gained by rounding, as a part of that of the impact. */
#define GAIN 1e-12
#define HALVINGS 40
/* Of the rate that an impact changed: slower than this is rounding. */
#define SLOW 1e-12

bool rbv_impact_create(RbvImpact *m, RbvFlow *flow, const RbvContacts *contacts) {
    size_t most = (size_t)contacts->count, n = (size_t)flow->n, rows = (size_t)flow->system->row_count;
    *m = (RbvImpact){.flow = flow, .contacts = contacts, .most = (int32_t)most};
    m->which = calloc(most + 1, sizeof *m->which);
    m->x = calloc(most * n + 1, sizeof *m->x);
    m->mu = calloc(most * rows + 1, sizeof *m->mu);
    m->G = calloc(most * most + 1, sizeof *m->G);
    m->b = calloc(most + 1, sizeof *m->b);
    m->z = calloc(most + 1, sizeof *m->z);
    m->work = calloc(most * (most + 3) + 1, sizeof *m->work);
    m->basic = calloc(most + 1, sizeof *m->basic);
    m->away = calloc(most + 1, sizeof *m->away);
    m->v = calloc(n + 1, sizeof *m->v);
    m->impulse = calloc(rows + 1, sizeof *m->impulse);
    return m->which && m->x && m->mu && m->G && m->b && m->z && m->work && m->basic && m->away && m->v && m->impulse;
}

void rbv_impact_destroy(RbvImpact *m) {
    free(m->which);
    free(m->x);
    free(m->mu);
    free(m->G);
    free(m->b);
    free(m->z);
    free(m->work);
    free(m->basic);
    free(m->away);
    free(m->v);
    free(m->impulse);
    *m = (RbvImpact){0};
}

static const RbvContact *contact(const RbvImpact *m, int32_t i) {
    return &m->contacts->items[m->which[i]];
}

/* The rate of gap i for x. */
static double along(const RbvImpact *m, int32_t i, const double *x) {
    const RbvState *state = m->flow->state;
    rbv_coordinates_push(&m->flow->system->coordinates, rbv_state_at(state), x, state->twists);
    return rbv_contacts_along(contact(m, i), state, state->twists);
}

/* x_i: what a unit impulse that opens gap i changes the rates by, and the other rows' answers mu_i. */
static bool respond(RbvImpact *m, int32_t i) {
    RbvFlow *flow = m->flow;
    const RbvSystem *system = flow->system;
    RbvState *state = flow->state;
    memset(state->wrenches, 0, (size_t)system->bodies.count * sizeof *state->wrenches);
    rbv_contacts_push(contact(m, i), state, state->wrenches);
    rbv_coordinates_pull(&system->coordinates, rbv_state_at(state), state->wrenches, flow->dq);
    return rbv_saddle_solve(flow->saddle, flow->dq, NULL, m->x + (size_t)i * (size_t)flow->n, m->mu + (size_t)i * (size_t)system->row_count);
}

static bool prepare(RbvImpact *m, const bool *closed) {
    m->count = 0;
    for (int32_t k = 0; k < m->most; k++)
        if (closed[k])
            m->which[m->count++] = k;
    for (int32_t i = 0; i < m->count; i++)
        if (!respond(m, i))
            return false;
    for (int32_t i = 0; i < m->count; i++)
        for (int32_t j = 0; j < m->count; j++)
            m->G[i * m->count + j] = along(m, i, m->x + (size_t)j * (size_t)m->flow->n);
    return true;
}

/* Impulses with restitutions times `part`, from rates u before and free[count] that the rows leave; the energy gained in *gain, over that of the impact. False: none are found. */
static bool try_restitution(RbvImpact *m, const double *before, const double *free_rate, double part, double *gain) {
    double work = 0, size = 0;
    for (int32_t i = 0; i < m->count; i++)
        m->b[i] = free_rate[i] + part * contact(m, i)->restitution * fmin(before[i], 0);
    if (!rbv_complementarity(m->count, m->G, m->b, m->z, m->work, m->basic))
        return false;
    for (int32_t i = 0; i < m->count; i++) {
        m->away[i] = free_rate[i];
        for (int32_t j = 0; j < m->count; j++)
            m->away[i] += m->G[i * m->count + j] * m->z[j];
        work += 0.5 * m->z[i] * (m->away[i] + free_rate[i]);
        size += 0.5 * m->z[i] * (fabs(m->away[i]) + fabs(free_rate[i]));
    }
    *gain = size > 0 ? work / size : 0;
    return true;
}

/* The largest common part of the restitutions with which no energy is gained. */
static bool restitute(RbvImpact *m, const double *before, const double *free_rate) {
    double gain, low = 0, high = 1;
    if (!try_restitution(m, before, free_rate, 1, &gain))
        return false;
    if (gain <= GAIN)
        return true;
    for (int k = 0; k < HALVINGS; k++) {
        double middle = 0.5 * (low + high);
        if (!try_restitution(m, before, free_rate, middle, &gain))
            return false;
        *(gain <= GAIN ? &low : &high) = middle;
    }
    return try_restitution(m, before, free_rate, low, &gain);
}

RbvStatus rbv_impact_solve(RbvImpact *m, const bool *closed) {
    RbvFlow *flow = m->flow;
    RbvState *state = flow->state;
    const RbvRowPattern *C = &flow->system->C;
    size_t n = (size_t)flow->n;
    int32_t rows = flow->system->row_count;
    if (!rbv_state_rates(state) || !rbv_saddle_factor(flow->saddle))
        return state->no_memory ? RBV_NO_MEMORY : RBV_LOCKED;
    for (int32_t k = 0; k < rows; k++) { /* the rows that hold now, with the rates from before */
        flow->g[k] = state->nu[k];
        for (int32_t e = C->start[k]; e < C->start[k + 1]; e++)
            flow->g[k] -= state->C[e] * state->v[C->column[e]];
    }
    memcpy(m->v, state->v, n * sizeof *m->v);
    if (!prepare(m, closed) || !rbv_saddle_solve(flow->saddle, NULL, flow->g, flow->dq, m->impulse))
        return state->no_memory ? RBV_NO_MEMORY : RBV_LOCKED;
    double *before = calloc(2 * (size_t)m->count + 1, sizeof *before), *free_rate = before ? before + m->count : NULL;
    if (!before)
        return RBV_NO_MEMORY;
    for (int32_t i = 0; i < m->count; i++)
        before[i] = along(m, i, m->v);
    for (size_t j = 0; j < n; j++)
        state->v[j] += flow->dq[j];
    for (int32_t i = 0; i < m->count; i++)
        free_rate[i] = along(m, i, state->v);
    bool good = restitute(m, before, free_rate);
    free(before);
    for (int32_t i = 0; good && i < m->count; i++) {
        const double *x = m->x + (size_t)i * n, *mu = m->mu + (size_t)i * (size_t)rows;
        for (size_t j = 0; j < n; j++)
            state->v[j] += m->z[i] * x[j];
        for (int32_t k = 0; k < rows; k++)
            m->impulse[k] += m->z[i] * mu[k];
        m->impulse[contact(m, i)->row] -= contact(m, i)->sign * m->z[i];
    }
    return good ? RBV_OK : RBV_LOCKED;
}

/* b: accelerations away from the closed contacts, when none of them pushes. */
static bool free_accelerations(RbvImpact *m, double *b) {
    RbvFlow *flow = m->flow;
    RbvState *state = flow->state;
    if (!rbv_state_move(state) || !rbv_state_load(state) || !rbv_saddle_solve(flow->saddle, state->Q, state->gamma, state->a, flow->mu))
        return false;
    for (int32_t i = 0; i < m->count; i++)
        b[i] = rbv_contacts_bias(contact(m, i), state);
    for (int32_t i = 0; i < m->count; i++)
        b[i] += along(m, i, state->a);
    return true;
}

/* The rates of the resting stops made zero, all at once: G_rr p = -u_r. */
static RbvStatus stop_resting(RbvImpact *m, const int32_t *rest, int32_t count, const double *G) {
    size_t n = (size_t)m->flow->n;
    double *A = calloc((size_t)count * (size_t)(count + 1) + 1, sizeof *A);
    int32_t *pivot = calloc((size_t)count + 1, sizeof *pivot);
    RbvStatus status = A && pivot ? RBV_OK : RBV_NO_MEMORY;
    if (status == RBV_OK) {
        double *u = A + (size_t)count * (size_t)count;
        memcpy(A, G, (size_t)count * (size_t)count * sizeof *A);
        for (int32_t i = 0; i < count; i++) {
            u[i] = -m->away[rest[i]];
            A[i * count + i] *= 1 + 1e-12; /* contacts that depend on each other */
        }
        status = count == 0 ? RBV_OK : rbv_lapack_lu(count, A, pivot);
        if (status == RBV_OK && count > 0)
            rbv_lapack_lu_solve(count, A, pivot, u);
        for (int32_t i = 0; status == RBV_OK && i < count; i++)
            for (size_t j = 0; j < n; j++)
                m->flow->state->v[j] += u[i] * m->x[(size_t)rest[i] * n + j];
    }
    free(A);
    free(pivot);
    return status == RBV_NO_MEMORY || status == RBV_OK ? status : RBV_LOCKED;
}

RbvStatus rbv_impact_contacts(RbvImpact *m, double rest_time, bool *held) {
    RbvFlow *flow = m->flow;
    RbvState *state = flow->state;
    int32_t count = 0;
    size_t most = (size_t)m->count;
    int32_t *rest = calloc(most + 1, sizeof *rest);
    double *b = calloc(most + most * most + 1, sizeof *b), *G = b ? b + most : NULL;
    bool good = rest && b && (m->count == 0 || free_accelerations(m, b)), memory = rest && b;
    for (int32_t i = 0; good && i < m->count; i++) {
        double speed = fabs(m->z[i]) * m->G[i * m->count + i];
        held[i] = false;
        if (m->away[i] <= SLOW * speed + 0.5 * rest_time * fmax(-b[i], 0)) {
            m->b[count] = b[i];
            rest[count++] = i;
        }
    }
    for (int32_t i = 0; good && i < count; i++)
        for (int32_t j = 0; j < count; j++)
            G[i * count + j] = m->G[rest[i] * m->count + rest[j]];
    good = good && (count == 0 || rbv_complementarity(count, G, m->b, m->z, m->work, m->basic));
    int32_t kept = 0;
    for (int32_t i = 0; good && i < count; i++)
        if (m->basic[i] && m->z[i] > 0) {
            held[rest[i]] = true;
            rest[kept++] = rest[i];
        }
    for (int32_t i = 0; good && i < kept; i++)
        for (int32_t j = 0; j < kept; j++)
            G[i * kept + j] = m->G[rest[i] * m->count + rest[j]];
    RbvStatus stopped = good ? stop_resting(m, rest, kept, G) : RBV_LOCKED;
    good = stopped == RBV_OK;
    memory = memory && stopped != RBV_NO_MEMORY;
    if (good)
        rbv_coordinates_push(&flow->system->coordinates, rbv_state_at(state), state->v, state->twists);
    free(rest);
    free(b);
    return good ? RBV_OK : !memory || state->no_memory ? RBV_NO_MEMORY : RBV_LOCKED;
}
