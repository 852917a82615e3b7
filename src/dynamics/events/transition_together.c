/* Impacts with several friction contacts, or with friction contacts that stick or slide already: all at once by the law
 * of restitution.h.
 *
 * The unknowns p_j are the impulses that open the gaps of the contacts in the impact, then those of all friction
 * contacts along their slip directions [N s]. Rows of sticking friction are released for the impact. x_j, mu_j: jumps
 * of velocities and impulses of rows for a unit impulse p_j; q_j: its generalized impulse:
 *
 *   A_jk = q_j . x_k,   w0_j = q_j . v,   v: velocities that the other rows leave,   w = w0 + A p
 *   velocities after = v + sum_j p_j x_j,   impulses of rows after = those of v + sum_j p_j mu_j
 *
 * N_k, the normal load of friction contact k, is that of the impulses of its joint, as of its forces
 * (friction_contacts.h) [N s]; a prescribed load has no impulse. */
#include "core/base/extremes.h"
#include "dynamics/events/transition.h"

#include "core/base/diagnostics.h"
#include "core/base/tolerances.h"
#include "dynamics/contact/restitution.h"

#include <math.h>
#include <string.h>

typedef struct Together {
    RbvArena arena; /* owns all arrays */
    RbvEventLoop *h;
    RbvRestitution solver;
    int32_t *first, *directions; /* [friction contacts] first unknown, number of slip directions */
    bool *was; /* [friction contacts] true: slid before; behind them, in the same block, solver.sticks */
    double *A, *w0, *p, *w, *back, *hold, *mu, *b, *work, *other; /* arrays of the solver, with its shapes */
    RbvCone *cone;                                                /* likewise */
    /* size: number of unknowns, solver.size. [size][n], [size][n], [size][rows] q_j (of slip directions), x_j, mu_j */
    double *q, *x, *multiplier;
    double *v, *impulse;       /* [n], [rows] velocities and impulses of the other rows alone, p = 0 */
    RbvWrench *alone, *answer; /* [friction contacts] wrench of the joint's impulses with p = 0; [friction
                                  contacts][size] with unit impulses alone */
} Together;

static bool allocate_together(Together *t, RbvEventLoop *h) {
    const RbvSliding *s = &h->flow->sliding;
    size_t frictions = (size_t)s->count, size = (size_t)h->impact.count + RBV_MOST_SLIP_DIRECTIONS * frictions,
           n = (size_t)h->flow->n, rows = (size_t)h->flow->system->row_count;
    *t = (Together){.h = h};
    t->first = rbv_arena_array(&t->arena, 2 * frictions + 1, sizeof *t->first);
    t->was = rbv_arena_array(&t->arena, 2 * frictions + 1, sizeof *t->was);
    t->alone = rbv_arena_array(&t->arena, frictions * (size + 1) + 1, sizeof *t->alone);
    t->cone = rbv_arena_array(&t->arena, (size_t)h->impact.count + frictions + 1, sizeof *t->cone);
    if (!t->first || !t->was || !t->alone || !t->cone)
        return false;
    t->directions = t->first + frictions;
    t->answer = t->alone + frictions;
    const struct {
        double **to;
        size_t count;
    } numbers[] = {{&t->A, size * size},
                   {&t->w0, size},
                   {&t->p, size},
                   {&t->w, size},
                   {&t->back, size},
                   {&t->other, 2 * size},
                   {&t->hold, frictions},
                   {&t->mu, frictions},
                   {&t->b, size},
                   {&t->work, RBV_COMPLEMENTARITY_WORK(size)},
                   {&t->q, size * n},
                   {&t->x, size * n},
                   {&t->multiplier, size * rows},
                   {&t->v, n},
                   {&t->impulse, rows}};
    bool memory = true;
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
        memory = (*numbers[k].to = rbv_arena_array(&t->arena, numbers[k].count + 1, sizeof(double))) && memory;
    return memory;
}

/* Force across a bar [N; for impulses N s] that an effort along slip direction c of `other` adds to the load of
 * `friction`, where both are friction contacts of one bar (at either end); else 0. */
static RbvVec3 across(const RbvEventLoop *h, const RbvFrictionContact *friction, const RbvFrictionContact *other, int c,
                      double effort) {
    RbvVec3 none = {0, 0, 0};
    return friction->joint == other->joint && rbv_forms[h->flow->system->model->joints.items[friction->joint].form].bar
               ? rbv_scale(effort, rbv_friction_across(h->flow->state, other, c))
               : none;
}

/* Evaluates the unit wrenches of all rows into loop->reactions, including contacts in the impact, whose rows become
 * active for a moment. */
static void place_reactions(RbvEventLoop *h) {
    for (int32_t i = 0; i < h->impact.count; i++)
        h->active[h->contacts.items[h->impact.which[i]].row] = true;
    rbv_state_place(h->flow->state);
    rbv_reactions_place(h->reactions, h->flow->state);
    for (int32_t i = 0; i < h->impact.count; i++)
        h->active[h->contacts.items[h->impact.which[i]].row] = false;
    rbv_state_place(h->flow->state);
    rbv_state_jacobian(h->flow->state);
}

/* ---- decision whether friction acts together ---- */

/* [N s] Largest impulse of a row; of rows that measure angles, over the size of their part. */
static double largest_impulse(const RbvEventLoop *h) {
    const RbvSystem *system = h->flow->system;
    double most = 0;
    for (int32_t k = 0; k < system->row_count; k++)
        most = rbv_max(most, fabs(h->impact.impulse[k]) * rbv_state_row_scale(h->flow->state, k) /
                                 rbv_max(rbv_state_row_size(h->flow->state, k), 1e-300));
    return most;
}

/* Returns whether friction contact i takes part in an impact elsewhere: it sticks and its rows need more than static
 * friction holds, or it slides and its friction is more than `least` [N s]. need: impulse of its rows along the slip
 * directions [N s]. */
static bool takes_part(const RbvEventLoop *h, int32_t i, double least) {
    const RbvSliding *s = &h->flow->sliding;
    const RbvFrictionContact *friction = rbv_sliding_contact(s, i);
    RbvWrench slope, whole = rbv_reactions_wrench(h->reactions, friction->joint, h->impact.impulse, false);
    double need = 0;
    for (int32_t k = 0; k < s->count; k++)
        for (int c = 0; !s->slides[k] && c < rbv_sliding_contact(s, k)->count; c++)
            whole.force = rbv_add(whole.force, across(h, friction, rbv_sliding_contact(s, k), c,
                                                      -h->impact.impulse[rbv_sliding_contact(s, k)->stick_row + c]));
    double load_of_friction =
        rbv_press_is_given(friction->surfaces->press) ? 0 : rbv_friction_load(h->flow->state, friction, whole, &slope);
    for (int c = 0; c < friction->count; c++)
        need = hypot(need, h->impact.impulse[friction->stick_row + c] / friction->slip[c].lever);
    return s->slides[i] ? rbv_sliding_joint(s, i)->sizes->friction * load_of_friction > least
                        : need > rbv_sliding_joint(s, i)->sizes->friction_static * load_of_friction + least;
}

/* What engages may have a small error of velocity, which needs no impact: returns whether the jump is larger. */
static bool jumps(const RbvEventLoop *h) {
    double most = 0, change = 0;
    for (int32_t j = 0; j < h->flow->n; j++) {
        most = rbv_max(most, rbv_max(fabs(h->impact.v[j]), fabs(h->flow->state->v[j])));
        change = rbv_max(change, fabs(h->flow->state->v[j] - h->impact.v[j]));
    }
    /* Relative to velocities: what engages fits. */
    return change > RBV_FITS * most;
}

bool rbv_event_loop_slides_together(RbvEventLoop *h) {
    const RbvSliding *s = &h->flow->sliding;
    int32_t struck = 0;
    bool hit = h->takes_along && h->impact.engaged && jumps(h), any = false;
    for (int32_t i = 0; i < h->impact.count; i++)
        struck += rbv_event_loop_is_struck(h, i);
    hit = hit || struck > 0;
    if (!hit || s->count == 0)
        return false;
    place_reactions(h);
    /* Relative to the largest impulse: smaller ones are rounding. */
    double least = RBV_SAME * largest_impulse(h);
    for (int32_t i = 0; i < s->count; i++) {
        int32_t k = rbv_event_loop_contact_of(h, i);
        bool here = false;
        for (int32_t j = 0; j < h->impact.count; j++)
            here = here || (h->impact.which[j] == k && rbv_event_loop_is_struck(h, j));
        bool bar = rbv_forms[rbv_sliding_joint(s, i)->form].bar; /* friction at two ends */
        any = any || (here ? struck > 1 || !s->slides[i] || bar : takes_part(h, i, least));
    }
    return any;
}

/* ---- effects of impulses ---- */

/* Releases friction that sticks, goes back to the velocities before, and finds the impulses without friction from
 * them. */
static RbvStatus let_go(Together *t) {
    RbvEventLoop *h = t->h;
    RbvSliding *s = &h->flow->sliding;
    RbvState *state = h->flow->state;
    memcpy(state->v, h->impact.v, (size_t)h->flow->n * sizeof *state->v);
    for (int32_t i = 0; i < s->count; i++) {
        t->was[i] = s->slides[i];
        if (!s->slides[i])
            rbv_event_loop_slide(h, i);
    }
    if (!rbv_state_place(state))
        return RBV_LOCKED;
    rbv_state_jacobian(state);
    return rbv_state_rates(state) && rbv_state_move(state) ? rbv_impact_solve(&h->impact, h->closed) : RBV_LOCKED;
}

static double dot(const double *a, const double *b, int32_t n) {
    double sum = 0;
    for (int32_t j = 0; j < n; j++)
        sum += a[j] * b[j];
    return sum;
}

/* Sets contacts as the first unknowns; v, impulse: velocities and impulses of the other rows without those of contacts.
 */
static void place_contacts(Together *t) {
    RbvEventLoop *h = t->h;
    const RbvImpact *m = &h->impact;
    int32_t n = h->flow->n, rows = h->flow->system->row_count;
    memcpy(t->v, h->flow->state->v, (size_t)n * sizeof *t->v);
    memcpy(t->impulse, m->impulse, (size_t)rows * sizeof *t->impulse);
    for (int32_t i = 0; i < m->count; i++) {
        const RbvContact *contact = &h->contacts.items[m->which[i]];
        double *x = t->x + (size_t)i * (size_t)n, *multiplier = t->multiplier + (size_t)i * (size_t)rows;
        memcpy(x, m->x + (size_t)i * (size_t)n, (size_t)n * sizeof *x);
        memcpy(multiplier, m->mu + (size_t)i * (size_t)rows, (size_t)rows * sizeof *multiplier);
        multiplier[contact->row] -= contact->sign;
        for (int32_t j = 0; j < n; j++)
            t->v[j] -= m->z[i] * x[j];
        for (int32_t k = 0; k < rows; k++)
            t->impulse[k] -= m->z[i] * multiplier[k];
    }
    for (int32_t i = 0; i < m->count; i++) {
        t->w0[i] = m->still[i] ? 0 : m->away[i];
        for (int32_t j = 0; j < m->count; j++) {
            t->A[i * t->solver.size + j] = m->G[i * m->count + j];
            t->w0[i] -= m->still[i] ? 0 : m->G[i * m->count + j] * m->z[j];
        }
    }
}

/* Adds the slip directions as unknowns. False: a number is not finite. */
static bool place_surfaces(Together *t) {
    RbvEventLoop *h = t->h;
    const RbvSliding *s = &h->flow->sliding;
    int32_t n = h->flow->n, rows = h->flow->system->row_count, size = t->solver.size;
    for (int32_t k = 0; k < s->count; k++) {
        const RbvFrictionContact *friction = rbv_sliding_contact(s, k);
        for (int c = 0; c < friction->count; c++) {
            int32_t j = t->first[k] + c;
            double *q = t->q + (size_t)j * (size_t)n;
            if (!rbv_event_loop_answer_slip(h, friction, c, q, t->x + (size_t)j * (size_t)n,
                                            t->multiplier + (size_t)j * (size_t)rows))
                return false;
            t->w0[j] = dot(q, t->v, n);
        }
    }
    for (int32_t j = h->impact.count; j < size; j++)
        for (int32_t i = 0; i < size; i++) {
            bool still = i < h->impact.count && h->impact.still[i];
            t->A[j * size + i] = still ? 0 : dot(t->q + (size_t)j * (size_t)n, t->x + (size_t)i * (size_t)n, n);
            t->A[i * size + j] = i < h->impact.count ? t->A[j * size + i] : t->A[i * size + j];
        }
    return true;
}

/* Finds the joint wrenches that load friction contacts, from the other rows and from unit impulses. */
static void place_loads(Together *t) {
    RbvEventLoop *h = t->h;
    const RbvSliding *s = &h->flow->sliding;
    size_t rows = (size_t)h->flow->system->row_count;
    int32_t size = t->solver.size;
    for (int32_t k = 0; k < s->count; k++) {
        const RbvFrictionContact *friction = rbv_sliding_contact(s, k);
        t->alone[k] = rbv_reactions_wrench(h->reactions, friction->joint, t->impulse, false);
        for (int32_t j = 0; j < size; j++)
            t->answer[k * size + j] =
                rbv_reactions_wrench(h->reactions, friction->joint, t->multiplier + (size_t)j * rows, false);
        for (int32_t i = 0; i < s->count; i++)
            for (int c = 0; c < rbv_sliding_contact(s, i)->count; c++) {
                RbvWrench *at = &t->answer[k * size + t->first[i] + c];
                at->force = rbv_add(at->force, across(h, friction, rbv_sliding_contact(s, i), c,
                                                      rbv_sliding_contact(s, i)->slip[c].lever));
            }
    }
}

/* Normal load N [N s] of friction contact `index` for the impulses p[size], and its gradient; `load` of the solver,
 * context: Together. A prescribed load has no impulse. */
static double load_of_friction(const void *context, int32_t index, const double *p, double *gradient) {
    const Together *t = context;
    const RbvFrictionContact *friction = rbv_sliding_contact(&t->h->flow->sliding, index);
    const RbvWrench *answer = t->answer + (size_t)index * (size_t)t->solver.size;
    RbvWrench slope = {{0, 0, 0}, {0, 0, 0}}, whole = t->alone[index];
    for (int32_t j = 0; j < t->solver.size; j++)
        whole = rbv_wrench_add_scaled(whole, p[j], answer[j]);
    bool prescribed = rbv_press_is_given(friction->surfaces->press);
    double load = prescribed ? 0 : rbv_friction_load(t->h->flow->state, friction, whole, &slope);
    for (int32_t j = 0; j < t->solver.size; j++)
        gradient[j] = rbv_dot(slope.force, answer[j].force) + rbv_dot(slope.torque, answer[j].torque);
    return load;
}

/* Sets up the solver of restitution.h. False: a number is not finite. */
static bool place_solver(Together *t) {
    RbvEventLoop *h = t->h;
    const RbvSliding *s = &h->flow->sliding;
    RbvImpact *m = &h->impact;
    int32_t size = m->count;
    for (int32_t k = 0; k < s->count; k++) {
        t->first[k] = size;
        size += t->directions[k] = rbv_sliding_contact(s, k)->count;
        t->mu[k] = rbv_sliding_joint(s, k)->sizes->friction;
        t->hold[k] = t->was[k] ? t->mu[k] : rbv_sliding_joint(s, k)->sizes->friction_static;
    }
    t->solver = (RbvRestitution){.contacts = m->count,
                                 .frictions = s->count,
                                 .size = size,
                                 .first = t->first,
                                 .directions = t->directions,
                                 .A = t->A,
                                 .w0 = t->w0,
                                 .still = m->still,
                                 .back = t->back,
                                 .hold = t->hold,
                                 .mu = t->mu,
                                 .load = load_of_friction,
                                 .context = t,
                                 .p = t->p,
                                 .w = t->w,
                                 .sticks = t->was + s->count,
                                 .b = t->b,
                                 .cone = t->cone,
                                 .work = t->work,
                                 .other = t->other};
    rbv_coordinates_velocities(&h->flow->system->coordinates, rbv_state_at(h->flow->state), m->v,
                               h->flow->state->twists);
    for (int32_t i = 0; i < m->count; i++) {
        const RbvContact *contact = &h->contacts.items[m->which[i]];
        t->back[i] =
            contact->restitution * rbv_min(rbv_contacts_along(contact, h->flow->state, h->flow->state->twists), 0);
    }
    place_contacts(t);
    if (!place_surfaces(t))
        return false;
    place_reactions(h);
    place_loads(t);
    return true;
}

/* ---- result ---- */

/* Finds velocities and impulses of all rows after the impact, from the p that the solver has found. */
static void apply_together(Together *t) {
    RbvEventLoop *h = t->h;
    RbvImpact *m = &h->impact;
    const RbvSliding *s = &h->flow->sliding;
    RbvState *state = h->flow->state;
    int32_t n = h->flow->n, rows = h->flow->system->row_count;
    memcpy(state->v, t->v, (size_t)n * sizeof *state->v);
    memcpy(m->impulse, t->impulse, (size_t)rows * sizeof *m->impulse);
    for (int32_t j = 0; j < t->solver.size; j++) {
        for (int32_t i = 0; i < n; i++)
            state->v[i] += t->p[j] * t->x[(size_t)j * (size_t)n + (size_t)i];
        for (int32_t k = 0; k < rows; k++)
            m->impulse[k] += t->p[j] * t->multiplier[(size_t)j * (size_t)rows + (size_t)k];
    }
    for (int32_t k = 0; k < s->count; k++)
        for (int c = 0; c < t->directions[k]; c++)
            m->impulse[rbv_sliding_contact(s, k)->stick_row + c] -=
                t->p[t->first[k] + c] * rbv_sliding_contact(s, k)->slip[c].lever;
    for (int32_t i = 0; i < m->count; i++) {
        m->z[i] = t->p[i];
        m->away[i] = t->w[i];
    }
    rbv_coordinates_velocities(&h->flow->system->coordinates, rbv_state_at(state), state->v, state->twists);
}

/* Lets friction contacts stick or slide as the impulses leave them; those that belong to a contact which was not
 * pressed before (loop->opened) are decided with the contacts. Logged is what slid and sticks, or stuck and slides. */
static RbvStatus take_phases(Together *t, bool logs) {
    RbvEventLoop *h = t->h;
    RbvSliding *s = &h->flow->sliding;
    if (!rbv_state_move(h->flow->state))
        return RBV_LOCKED;
    for (int32_t i = 0; i < s->count; i++) {
        bool sticks = t->solver.sticks[i], touches = rbv_event_loop_touches(h, i);
        if (sticks && touches && !h->opened[i])
            rbv_event_loop_stick(h, i);
        else
            rbv_sliding_turn(s, i);
        if (logs && touches && !h->opened[i] && sticks == t->was[i] &&
            !rbv_event_loop_log(h, rbv_sliding_joint(s, i)->name, sticks ? "stick" : "slip", NAN))
            return RBV_NO_MEMORY;
    }
    return rbv_impact_renew(&h->impact, h->closed);
}

RbvStatus rbv_event_loop_slide_together(RbvEventLoop *h, bool logs) {
    Together t;
    if (!allocate_together(&t, h)) {
        rbv_arena_clear(&t.arena);
        return RBV_NO_MEMORY;
    }
    RbvStatus status = let_go(&t);
    if (status == RBV_OK && !place_solver(&t))
        status = RBV_LOCKED;
    if (status == RBV_OK && !rbv_restitution_solve(&t.solver)) {
        const char *name = h->impact.count > 0 ? h->contacts.items[h->impact.which[0]].name : h->cause;
        status = rbv_event_loop_fail(h, RBV_INCONSISTENT, name,
                                     "brings an impact that friction jams: no impulses are found");
    }
    if (status == RBV_OK)
        rbv_restitution_compare(&t.solver);
    if (status == RBV_OK && (!t.solver.unique || t.solver.shared))
        rbv_diagnose(h->flow->diagnostics, RBV_NOTE, h->flow->system->model->file, (RbvPosition){0, 0},
                     t.solver.unique
                         ? "at t = %.9g s the rates after an impact in which several faces rub are determined, but not "
                           "how contacts and friction share its impulses: one answer is told"
                         : "at t = %.9g s Coulomb's law allows more than one motion after an impact in which several "
                           "faces rub: one of them goes on",
                     h->stepper->t);
    if (status == RBV_OK) {
        apply_together(&t);
        status = take_phases(&t, logs);
    }
    rbv_arena_clear(&t.arena);
    return status;
}
