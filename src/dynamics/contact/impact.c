/* Impacts by the balance of impulses; see impact.h. First the impulses of rows and contacts (rbv_impact_solve), then
 * which contacts stay closed (rbv_impact_contacts). */
#include "dynamics/contact/impact.h"
#include "core/base/extremes.h"
#include "core/base/tolerances.h"

#include "core/solve/lapack.h"
#include "dynamics/contact/restitution.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Part of the row's size. A bounce no higher than this is none. Contacts are told apart from touching to a tenth
 * of it; violations up to there would keep several contacts that bounce in turn going for ever. */
#define LOW RBV_ROUNDING
/* Newton's iteration for equations that are not linear in the velocities: most steps. */
#define MOST_PASSES 40

bool rbv_impact_create(RbvImpact *m, RbvSliding *sliding, RbvSlipping *slipping, const RbvContacts *contacts) {
    RbvState *state = sliding->state;
    const RbvSystem *system = state->system;
    size_t most = (size_t)contacts->count, n = (size_t)system->coordinates.size, rows = (size_t)system->row_count;
    *m = (RbvImpact){.state = state,
                     .kept_reactions = sliding->kept_reactions,
                     .saddle = sliding->kept_reactions->motion,
                     .sliding = sliding,
                     .slipping = slipping,
                     .contacts = contacts,
                     .most = (int32_t)most,
                     .n = (int32_t)n};
    const struct {
        double **to;
        size_t count;
    } numbers[] = {{&m->x, most * n},
                   {&m->mu, most * rows},
                   {&m->G, most * most},
                   {&m->b, most},
                   {&m->z, most},
                   {&m->weight, most},
                   {&m->last, most},
                   {&m->work, RBV_COMPLEMENTARITY_WORK(most) + most},
                   {&m->back, most},
                   {&m->least, most},
                   {&m->away, most},
                   {&m->v, n},
                   {&m->impulse, rows},
                   {&m->before, most},
                   {&m->free_rate, most},
                   {&m->v_last, n},
                   {&m->bare, most},
                   {&m->pressed, most},
                   {&m->speed, most},
                   {&m->part, most * most},
                   {&m->A, most * most},
                   {&m->u, most},
                   {&m->Q, n},
                   {&m->dv, n},
                   {&m->lambda, rows},
                   {&m->g, (size_t)system->C.count}};
    bool memory = true;
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
        memory = (*numbers[k].to = rbv_arena_array(&m->arena, numbers[k].count + 1, sizeof(double))) && memory;
    m->which = rbv_arena_array(&m->arena, most + 1, sizeof *m->which);
    m->rest_list = rbv_arena_array(&m->arena, most + 1, sizeof *m->rest_list);
    m->pivot = rbv_arena_array(&m->arena, most + 1, sizeof *m->pivot);
    m->cone = rbv_arena_array(&m->arena, most + 1, sizeof *m->cone);
    m->still = rbv_arena_array(&m->arena, most + 1, sizeof *m->still);
    m->rests = rbv_arena_array(&m->arena, most + 1, sizeof *m->rests);
    return memory && m->which && m->rest_list && m->pivot && m->cone && m->still && m->rests;
}

void rbv_impact_destroy(RbvImpact *m) {
    rbv_arena_clear(&m->arena);
    *m = (RbvImpact){0};
}

/* Closed contact i. */
static const RbvContact *contact(const RbvImpact *m, int32_t i) {
    return &m->contacts->items[m->which[i]];
}

/* Rate of gap i for v = x; the twists of the state become those of x. */
static double along(const RbvImpact *m, int32_t i, const double *x) {
    const RbvState *state = m->state;
    rbv_coordinates_velocities(&m->state->system->coordinates, rbv_state_at(state), x, state->twists);
    return rbv_contacts_along(contact(m, i), state, state->twists);
}

/* Acceleration of gap i for v' = a, without the bias of its measures. */
static double accelerates(const RbvImpact *m, int32_t i, const double *a) {
    const RbvState *state = m->state;
    rbv_coordinates_accelerate(&m->state->system->coordinates, rbv_state_at(state), state->v, a, state->accelerations);
    return rbv_contacts_along(contact(m, i), state, state->accelerations);
}

/* Wrenches on bodies of a unit push that opens gap i, in the workspace of the saddle point system. */
static const RbvWrench *unit_push(RbvImpact *m, int32_t i) {
    RbvWrench *wrenches = rbv_saddle_wrenches(m->saddle);
    rbv_contacts_push(contact(m, i), m->state, wrenches);
    return wrenches;
}

/* x_i, mu_i: change of v and impulses of the other rows for a unit impulse that opens gap i; m->Q: its generalized
 * impulse. */
static bool respond(RbvImpact *m, int32_t i) {
    unit_push(m, i);
    return rbv_kept_reactions_answer(m->kept_reactions, m->Q, m->x + (size_t)i * (size_t)m->n,
                                     m->mu + (size_t)i * (size_t)m->state->system->row_count);
}

/* Do other rows, or joints kept by the coordinates, hold gap i as it is? To be called right after respond: m->Q is then
 * the generalized force of its unit push, which is rounding where the coordinates keep the gap, and the wrenches of the
 * saddle point system are those of the push. */
static bool is_still(const RbvImpact *m, int32_t i) {
    const double *f = m->Q, *x = m->x + (size_t)i * (size_t)m->n;
    double alone = rbv_saddle_alone(m->saddle), moves = 0, rate = 0;
    for (int32_t j = 0; j < m->n; j++) {
        moves += f[j] * x[j];
        rate += f[j] * m->state->v[j];
    }
    /* A smaller part of the gap rate that a push would cause if no row were active: other rows hold the gap. */
    return isfinite(alone) && moves <= RBV_CANCELLED * alone && fabs(rate) <= m->least[m->which[i]];
}

/* Makes row and column i of G diagonal, for a gap that is held as it is: the contact takes no part, and its gap rate
 * counts as zero. */
static void leave_out(RbvImpact *m, int32_t i) {
    for (int32_t j = 0; j < m->count; j++)
        m->G[i * m->count + j] = m->G[j * m->count + i] = 0;
    for (int32_t j = 0; j < m->count; j++)
        m->G[i * m->count + i] = rbv_max(m->G[i * m->count + i], m->G[j * m->count + j]);
    if (!(m->G[i * m->count + i] > 0))
        m->G[i * m->count + i] = 1;
}

/* m->weight of the contacts which[count], numbers i of closed contacts (NULL: all), in the units of their
 * G[count][count]. */
static void weigh(RbvImpact *m, int32_t count, const int32_t *which, const double *G) {
    double scale = 0;
    for (int32_t i = 0; i < count; i++) {
        int32_t row = m->contacts->items[m->which[which ? which[i] : i]].row;
        double size = rbv_state_row_size(m->state, row);
        double row_scale = rbv_state_row_scale(m->state, row) / (size > 0 ? size : 1);
        m->weight[i] = row_scale > 0 ? row_scale * row_scale : 1;
        scale = rbv_max(scale, G[i * count + i] / m->weight[i]);
    }
    for (int32_t i = 0; i < count; i++)
        m->weight[i] *= scale;
}

/* Lists the closed contacts and finds x, mu, G, still and weight with the rows that are active now, which are factored.
 * False: a number is not finite. */
static bool prepare(RbvImpact *m, const bool *closed) {
    m->count = 0;
    for (int32_t k = 0; k < m->most; k++)
        if (closed[k])
            m->which[m->count++] = k;
    for (int32_t i = 0; i < m->count; i++) {
        if (!respond(m, i))
            return false;
        m->still[i] = is_still(m, i);
    }
    for (int32_t i = 0; i < m->count; i++)
        for (int32_t j = 0; j < m->count; j++)
            m->G[i * m->count + j] = along(m, i, m->x + (size_t)j * (size_t)m->n);
    for (int32_t i = 0; i < m->count; i++)
        if (m->still[i])
            leave_out(m, i);
    weigh(m, m->count, NULL, m->G);
    return true;
}

/* Impulses z and gap rates `away` after the impact, with the restitutions of restitution.h, from gap rates `before` the
 * impact and free_rate[count] that the active rows leave. False: none are found. */
static bool restitute(RbvImpact *m, const double *before, const double *free_rate) {
    for (int32_t i = 0; i < m->count; i++)
        m->back[i] = contact(m, i)->restitution * rbv_min(before[i], 0);
    RbvRestitution impact = {.contacts = m->count,
                             .size = m->count,
                             .A = m->G,
                             .w0 = free_rate,
                             .weight = m->weight,
                             .still = m->still,
                             .back = m->back,
                             .p = m->z,
                             .w = m->away,
                             .b = m->b,
                             .cone = m->cone,
                             .work = m->work};
    return rbv_restitution_solve(&impact);
}

/* Adds the impulse p of contact i: velocities, and impulses of all rows. */
static void add_push(RbvImpact *m, int32_t i, double p) {
    size_t n = (size_t)m->n;
    int32_t rows = m->state->system->row_count;
    const double *x = m->x + (size_t)i * n, *mu = m->mu + (size_t)i * (size_t)rows;
    for (size_t j = 0; j < n; j++)
        m->state->v[j] += p * x[j];
    for (int32_t k = 0; k < rows; k++)
        m->impulse[k] += p * mu[k];
    m->impulse[contact(m, i)->row] -= contact(m, i)->sign * p;
}

/* g = nu - C v of the active rows, at the velocities before the impact; engaged: it is more than rounding. */
static void find_misfit(RbvImpact *m) {
    const RbvState *state = m->state;
    const RbvRowPattern *C = &state->system->C;
    m->engaged = false;
    for (int32_t k = rbv_system_next_row(m->state->system, -1); k < C->count;
         k = rbv_system_next_row(m->state->system, k)) {
        double size = fabs(state->nu[k]);
        m->g[k] = state->nu[k];
        for (int32_t e = C->start[k]; e < C->start[k + 1]; e++) {
            m->g[k] -= state->C[e] * m->v[C->column[e]];
            size += fabs(state->C[e] * m->v[C->column[e]]);
        }
        /* Part of the terms of a row's rate: the row was fulfilled before the impact. */
        m->engaged = m->engaged || fabs(m->g[k]) > RBV_DATA * size;
    }
}

/* Velocities and impulses with the present Jacobian. Sets before[count], free_rate[count], dv. False: none are found.
 */
static bool solve(RbvImpact *m, double *before, double *free_rate) {
    RbvState *state = m->state;
    find_misfit(m);
    if (!rbv_kept_reactions_jump(m->kept_reactions, m->g, m->dv, m->impulse))
        return false;
    for (int32_t i = 0; i < m->count; i++)
        before[i] = along(m, i, m->v);
    for (int32_t j = 0; j < m->n; j++)
        state->v[j] = m->v[j] + m->dv[j];
    for (int32_t i = 0; i < m->count; i++)
        free_rate[i] = along(m, i, state->v);
    bool good = restitute(m, before, free_rate);
    for (int32_t i = 0; good && i < m->count; i++)
        add_push(m, i, m->z[i]);
    return good;
}

/* OK, or why it is not: out of memory, or no solution. */
static RbvStatus status_of(const RbvImpact *m, bool good, RbvStatus failed) {
    if (good)
        return RBV_OK;
    return m->state->no_memory ? RBV_NO_MEMORY : failed;
}

/* Factors for the active rows, and for the impulses of all of them. */
static bool factor_rows(RbvImpact *m) {
    return rbv_saddle_factor(m->saddle) && rbv_kept_reactions_prepare(m->kept_reactions, m->state->active);
}

RbvStatus rbv_impact_solve(RbvImpact *m, const bool *closed) {
    RbvState *state = m->state;
    double *last = m->v_last;
    memcpy(m->v, state->v, (size_t)m->n * sizeof *m->v);
    m->rest = m->slow = 0;
    bool good = true, settled = false;
    for (int pass = 0; good && !settled && pass < MOST_PASSES; pass++) {
        double change = 0, size = 0;
        memcpy(last, state->v, (size_t)m->n * sizeof *last);
        if (pass > 0 && !(good = rbv_state_place(state)))
            break;
        if (pass > 0)
            rbv_state_jacobian(state);
        good = rbv_state_rates(state) && factor_rows(m) && prepare(m, closed) && solve(m, m->before, m->free_rate);
        for (int32_t j = 0; j < m->n; j++) {
            change = rbv_max(change, fabs(state->v[j] - last[j]));
            size = rbv_max(size, fabs(state->v[j]) + fabs(m->v[j]));
        }
        settled =
            !m->state->system->rate_equations ||
            change <= RBV_ROUNDING * size; /* equations on velocities are linearised about those after the impact */
    }
    return status_of(m, good && settled, RBV_LOCKED);
}

RbvStatus rbv_impact_renew(RbvImpact *m, const bool *closed) {
    RbvState *state = m->state;
    bool good = rbv_state_place(state);
    if (good)
        rbv_state_jacobian(state);
    good = good && rbv_state_rates(state) && factor_rows(m) && prepare(m, closed);
    return status_of(m, good, RBV_LOCKED);
}

/* b, or 0 where it is rounding of its parts: where nothing presses two touching bodies together, the last digits must
 * not decide whether the contact is pressed. */
static double without_rounding(const RbvImpact *m, int32_t i, double b, double bias) {
    double force = 0;
    for (int32_t j = 0; j < m->n; j++)
        force = rbv_max(force, fabs(m->state->Q[j]));
    /* A smaller part of the acceleration that the largest force would give the gap alone, and of the parts of the gap's
     * acceleration, is rounding; it neither closes nor opens the gap. */
    return fabs(b) <= RBV_CANCELLED * (force * m->G[i * m->count + i] + fabs(bias) + fabs(b - bias)) ? 0 : b;
}

/* ---- which contacts stay closed: pushes, opening accelerations ---- */

/* b[m->count]: opening accelerations of the closed contacts when none of them pushes, but friction is that with the
 * pushes z of contacts rest[count]: the accelerations with these pushes as loads, minus G z. Without friction where it
 * has no solution. Changes Q, wrenches and a of the state. False: a number is not finite. */
static bool free_accelerations(RbvImpact *m, const int32_t *rest, int32_t count, const double *z, double *b) {
    RbvState *state = m->state;
    if (!rbv_state_move(state) || !rbv_state_load(state) || !rbv_slipping_push(m->slipping))
        return false;
    for (int32_t i = 0; i < count; i++) {
        const RbvWrench *unit = unit_push(m, rest[i]);
        rbv_saddle_pull(m->saddle, m->Q);
        for (int32_t j = 0; j < m->n; j++)
            state->Q[j] += z[i] * m->Q[j];
        for (int32_t k = 1; k < m->state->system->bodies.count; k++)
            state->wrenches[k] = rbv_wrench_add_scaled(state->wrenches[k], z[i], unit[k]);
    }
    if (!rbv_sliding_solve(m->sliding, state->a, m->lambda) &&
        !rbv_saddle_solve(m->saddle, state->Q, state->gamma, state->a, m->lambda))
        return false;
    for (int32_t i = 0; i < m->count; i++)
        b[i] = rbv_contacts_bias(contact(m, i), state);
    for (int32_t i = 0; i < m->count; i++) {
        double bias = b[i];
        b[i] += accelerates(m, i, state->a);
        for (int32_t j = 0; j < count; j++)
            b[i] -= m->G[i * m->count + rest[j]] * z[j];
        b[i] = without_rounding(m, i, b[i], bias);
    }
    return true;
}

/* m->z: the pushes of contacts rest[count], with the friction that they cause, iterated until they settle or
 * MOST_PASSES are done. G[count][count] of these contacts; b[m->count]: as of free_accelerations, renewed. m->b: b of
 * these contacts. False: none are found. */
static bool push(RbvImpact *m, const int32_t *rest, int32_t count, const double *G, double *b) {
    double *last = m->last;
    bool frictions = m->sliding->count > 0, settled = false;
    for (int pass = 0; !settled && pass < MOST_PASSES; pass++) {
        double change = 0, size = 0;
        for (int32_t i = 0; i < count; i++)
            m->b[i] = b[rest[i]];
        if (!rbv_complementarity_contacts(count, G, m->weight, m->b, m->z, m->cone, m->work))
            return false;
        for (int32_t i = 0; i < count; i++) {
            change = rbv_max(change, fabs(m->z[i] - (pass > 0 ? last[i] : 0)));
            size = rbv_max(size, fabs(m->z[i]));
            last[i] = m->z[i];
        }
        /* Pushes have settled when their friction changes them by less than this part of the largest. */
        settled = !frictions || change <= RBV_CANCELLED * size;
        if (!settled && !free_accelerations(m, rest, count, m->z, b))
            return false;
    }
    return true;
}

/* Makes the gap rates of the resting contacts zero, all at once, by impulses p of either sign: G_rr p = -u_r. Sets
 * rest, the largest of these impulses, and slow. */
static RbvStatus stop_resting(RbvImpact *m, const int32_t *rest, int32_t count, const double *G) {
    double *A = m->A, *u = m->u;
    memcpy(A, G, (size_t)count * (size_t)count * sizeof *A);
    for (int32_t i = 0; i < count; i++) {
        u[i] = -m->away[rest[i]];
        A[i * count + i] *= 1 + 1e-12; /* makes G_rr regular for contacts that depend on each other */
    }
    RbvStatus status = count == 0 ? RBV_OK : rbv_lapack_lu(count, A, m->pivot);
    if (status == RBV_OK && count > 0)
        rbv_lapack_lu_solve(count, A, m->pivot, u);
    for (int32_t i = 0; status == RBV_OK && i < count; i++) {
        add_push(m, rest[i], u[i]);
        m->rest = rbv_max(m->rest, fabs(u[i]));
    }
    for (int32_t k = 0; status == RBV_OK && k < m->count; k++) {
        double change = 0;
        for (int32_t i = 0; i < count; i++)
            change += m->G[k * m->count + rest[i]] * u[i];
        m->slow = rbv_max(m->slow, fabs(change));
    }
    return status == RBV_NO_MEMORY || status == RBV_OK ? status : RBV_LOCKED;
}

/* Does contact i of those at rest, which is not pressed, not open either: is |G z + b| rounding? */
static bool stays(const RbvImpact *m, int32_t i, int32_t count, const double *G) {
    double away = m->b[i], size = fabs(m->b[i]);
    for (int32_t j = 0; j < count; j++) {
        away += G[i * count + j] * m->z[j];
        size += fabs(G[i * count + j] * m->z[j]);
    }
    /* A smaller part of the accelerations that add up to that of a gap is rounding of forces that press elsewhere. */
    return size > 0 && fabs(away) <= RBV_SAME * size;
}

/* G[count][count] of the contacts which[count], numbers i of closed contacts: a part of m->G. */
static void take_part(const RbvImpact *m, const int32_t *which, int32_t count, double *G) {
    for (int32_t i = 0; i < count; i++)
        for (int32_t j = 0; j < count; j++)
            G[i * count + j] = m->G[which[i] * m->count + which[j]];
}

/* Finds the contacts at rest: those that do not open, or would return within rest_time, or rise no higher than LOW. The
 * pushes of resting contacts bring others back, so that they are found one after the other. A contact with gap rate u
 * and opening acceleration -back returns after 2 u/back and rises to u^2/(2 back). speed[m->count]: what the impact has
 * changed of gap rates; b, now [m->count]: opening accelerations without pushes, and with those of the contacts at
 * rest. rest[*count]: numbers i of the contacts at rest; G[*count][*count], m->z, m->cone: of these. False: none are
 * found. */
static bool find_rest(RbvImpact *m, double rest_time, const double *speed, double *b, double *now, bool *rests,
                      int32_t *rest, int32_t *count, double *G) {
    bool good = true;
    memcpy(now, b, (size_t)m->count * sizeof *now);
    for (bool grows = true; good && grows;) {
        grows = false;
        *count = 0;
        for (int32_t i = 0; i < m->count; i++) {
            double back = rbv_max(-now[i], 0), low = LOW * rbv_state_row_scale(m->state, contact(m, i)->row);
            /* Slower gap rates, as a part of that which the impact changed, are rounding. */
            bool joins = !rests[i] && !m->still[i] &&
                         m->away[i] <= RBV_CANCELLED * speed[i] + rbv_max(0.5 * rest_time * back, sqrt(2 * back * low));
            grows = grows || joins;
            rests[i] = rests[i] || joins;
            if (!rests[i])
                continue;
            rest[(*count)++] = i;
        }
        if (!grows)
            break;
        take_part(m, rest, *count, G);
        weigh(m, *count, rest, G);
        good = push(m, rest, *count, G, b);
        for (int32_t i = 0; good && i < m->count; i++) {
            now[i] = b[i];
            for (int32_t j = 0; j < *count; j++)
                now[i] += m->G[i * m->count + rest[j]] * m->z[j];
        }
    }
    return good;
}

RbvStatus rbv_impact_contacts(RbvImpact *m, double rest_time, bool *pressed, bool *touching) {
    RbvState *state = m->state;
    int32_t count = 0, kept = 0, *rest = m->rest_list;
    double *speed = m->speed, *G = m->part;
    memset(m->rests, 0, (size_t)m->count * sizeof *m->rests);
    bool good = m->count == 0 || free_accelerations(m, NULL, 0, NULL, m->bare);
    for (int32_t i = 0; good && i < m->count; i++) {
        speed[i] = fabs(m->z[i]) * m->G[i * m->count + i];
        pressed[i] = m->still[i] && pressed[i];
        touching[i] = m->still[i] && !pressed[i];
    }
    good = good && find_rest(m, rest_time, speed, m->bare, m->pressed, m->rests, rest, &count, G);
    for (int32_t i = 0; good && i < count; i++)
        touching[rest[i]] = !(m->cone[i].acts && m->z[i] > 0) && stays(m, i, count, G);
    for (int32_t i = 0; good && i < count; i++)
        if (m->cone[i].acts && m->z[i] > 0) {
            pressed[rest[i]] = true;
            rest[kept++] = rest[i];
        }
    if (good)
        take_part(m, rest, kept, G);
    RbvStatus stopped = good ? stop_resting(m, rest, kept, G) : RBV_LOCKED;
    good = stopped == RBV_OK;
    if (good)
        rbv_coordinates_velocities(&m->state->system->coordinates, rbv_state_at(state), state->v, state->twists);
    return status_of(m, good, stopped);
}
