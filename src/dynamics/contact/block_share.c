/* Loads within limits; see block_share.h. */
#include "dynamics/contact/block_share.h"

#include "dynamics/contact/complementarity.h"
#include "solution/reaction/choice_block.h"

#include <math.h>
#include <string.h>

/* MOST_TANGENTS: most renewals of tangents; STAYS: y has converged when it changes by less than this part. */
#define MOST_TANGENTS 60
#define STAYS 1e-12
/* WITHIN: part of the scale of forces up to which a violated limit is rounding. */
#define WITHIN 1e-10
/* MOVES: part of the largest force of a self-stress up to which its effect on a limit is rounding and counts as zero. A
 * limit that no self-stress affects would otherwise be met by a self-stress beyond all bounds. */
#define MOVES 1e-10
/* Most half planes for each vector of friction, besides those along the axes. */
#define MOST_CUTS 24
/* Weight of a limit that no self-stress affects, as part of the largest weight. */
#define LEAST_WEIGHT 1e-12

static const RbvSliding *sliding_of(const RbvBlockShare *x) {
    return &x->flow->sliding;
}

/* Is row k one of the block? */
static bool has_row(const RbvBlockShare *x, int32_t k) {
    return rbv_solvability_holds(x->s, k) && rbv_solvability_block(x->s, k) == x->block;
}

static void add_limit(RbvBlockShare *x, int32_t friction, int32_t drive, int32_t contact, const RbvSlipVector slip) {
    RbvShareLimit *to = &x->limit[x->limits];
    if (x->limits == x->most)
        return;
    *to = (RbvShareLimit){.friction = friction, .drive = drive, .contact = contact};
    memcpy(to->slip, slip, sizeof to->slip);
    x->limits++;
}

/* Adds the limits in both directions of each axis. */
static void add_axes(RbvBlockShare *x, int32_t friction, int32_t drive, int count) {
    for (int c = 0; c < 2 * count; c++) {
        RbvSlipVector slip = {0};
        slip[c / 2] = c % 2 ? -1 : 1;
        add_limit(x, friction, drive, -1, slip);
    }
}

/* x->column: self-stress k as multipliers of all rows. */
static void place_column(RbvBlockShare *x, int32_t k) {
    const RbvBlock *block = &x->s->blocks.blocks[x->block];
    for (int32_t r = 0; r < block->row_count; r++)
        x->column[block->rows[r]] = rbv_null_entry(&x->s->ranks[x->block], r, k);
}

/* The largest force of self-stress k, in rows of unit length. */
static double largest_force(const RbvBlockShare *x, int32_t k) {
    const RbvBlock *block = &x->s->blocks.blocks[x->block];
    const RbvBlockRank *rank = &x->s->ranks[x->block];
    double most = 0;
    for (int32_t r = 0; r < block->row_count; r++)
        most = fmax(most, fabs(rbv_null_entry(rank, r, k)) * rank->row_norm[r]);
    return most;
}

/* Force across a bar by the friction of its ends, for multipliers lambda; whole: with the ends that slide. Zero if the
 * joint is no bar. */
static RbvVec3 across_bar(const RbvSliding *s, const RbvFrictionContact *friction, const double *lambda, bool whole) {
    RbvVec3 sum = {0, 0, 0};
    if (s->state->system->model->joints.items[friction->joint].form != RBV_FORM_DISTANCE)
        return sum;
    for (int32_t j = 0; j < s->count; j++) {
        const RbvFrictionContact *other = rbv_sliding_contact(s, j);
        for (int c = 0; other->joint == friction->joint && c < other->count; c++) {
            double effort = !s->slides[j] ? -lambda[other->stick_row + c] : whole ? s->effort[j][c] : 0;
            sum = rbv_add_scaled(sum, effort, rbv_friction_across(s->state, other, c));
        }
    }
    return sum;
}

/* Column `at` of x->reaction and x->friction_force: joints' wrenches and friction forces for multipliers lambda. */
static void place_surfaces(RbvBlockShare *x, const double *lambda, int32_t at) {
    const RbvSliding *s = sliding_of(x);
    for (int32_t i = 0; i < x->friction_count; i++) {
        const RbvFrictionContact *friction = rbv_sliding_contact(s, x->friction[i]);
        x->reaction[i * (x->p + 1) + at] = rbv_reactions_wrench(s->reactions, friction->joint, lambda, false);
        RbvVec3 *force = &x->reaction[i * (x->p + 1) + at].force;
        *force = rbv_add(*force, across_bar(s, friction, lambda, at == 0));
        for (int c = 0; c < friction->count; c++)
            x->friction_force[(i * RBV_MOST_SLIP_DIRECTIONS + c) * (x->p + 1) + at] =
                -lambda[friction->stick_row + c] / friction->slip[c].lever;
    }
}

/* Factors H = L L^T; a pivot that vanishes leaves its unknown at 0. */
static void factor(RbvBlockShare *x) {
    int32_t p = x->p;
    for (int32_t k = 0; k < p; k++)
        for (int32_t i = k; i < p; i++) {
            double sum = x->H[i * p + k];
            for (int32_t j = 0; j < k; j++)
                sum -= x->L[i * p + j] * x->L[k * p + j];
            if (i == k)
                x->L[k * p + k] = sum > 1e-14 * x->H[k * p + k] ? sqrt(sum) : 0;
            else
                x->L[i * p + k] = x->L[k * p + k] > 0 ? sum / x->L[k * p + k] : 0;
        }
}

/* v := L^-1 v, and v := L^-T v. */
static void solve_lower(const RbvBlockShare *x, double *v) {
    for (int32_t i = 0; i < x->p; i++) {
        for (int32_t j = 0; j < i; j++)
            v[i] -= x->L[i * x->p + j] * v[j];
        v[i] = x->L[i * x->p + i] > 0 ? v[i] / x->L[i * x->p + i] : 0;
    }
}

static void solve_upper(const RbvBlockShare *x, double *v) {
    for (int32_t i = x->p - 1; i >= 0; i--) {
        for (int32_t j = i + 1; j < x->p; j++)
            v[i] -= x->L[j * x->p + i] * v[j];
        v[i] = x->L[i * x->p + i] > 0 ? v[i] / x->L[i * x->p + i] : 0;
    }
}

static double value_at(const RbvBlockShare *x, const double *affine) {
    double sum = affine[0];
    for (int32_t k = 0; k < x->p; k++)
        sum += affine[k + 1] * x->y[k];
    return sum;
}

void rbv_block_share_force(const RbvBlockShare *x, int32_t i, RbvSlipVector force) {
    for (int c = 0; c < RBV_MOST_SLIP_DIRECTIONS; c++)
        force[c] = value_at(x, x->friction_force + (i * RBV_MOST_SLIP_DIRECTIONS + c) * (x->p + 1));
}

static double length_of(const RbvSlipVector slip) {
    return sqrt(slip[0] * slip[0] + slip[1] * slip[1] + slip[2] * slip[2]);
}

/* Friction limit static N [N or N m] of friction contact i of the block at y; x->slope: its tangent there. */
static double place_tangent(RbvBlockShare *x, int32_t i) {
    const RbvSliding *s = sliding_of(x);
    const RbvWrench *part = x->reaction + i * (x->p + 1);
    double mu = rbv_sliding_limit(s, x->friction[i]), *slope = x->slope + i * (x->p + 1);
    RbvWrench sum = part[0], by;
    for (int32_t k = 0; k < x->p; k++)
        sum = rbv_wrench_add_scaled(sum, x->y[k], part[k + 1]);
    double limit = mu * rbv_friction_load(x->flow->state, rbv_sliding_contact(s, x->friction[i]), sum, &by);
    slope[0] = limit;
    for (int32_t k = 0; k < x->p; k++) {
        slope[k + 1] = mu * (rbv_dot(by.force, part[k + 1].force) + rbv_dot(by.torque, part[k + 1].torque));
        slope[0] -= slope[k + 1] * x->y[k];
    }
    return limit;
}

/* Lists the friction contacts of the block that stick, and the limits of friction, drives and contacts. */
static void list_limits(RbvBlockShare *x) {
    const RbvSliding *s = sliding_of(x);
    const RbvSlipping *slipping = &x->flow->slipping;
    const RbvSlipVector none = {0};
    x->friction_count = x->limits = 0;
    for (int32_t i = 0; i < s->count; i++)
        if (!s->slides[i] && has_row(x, rbv_sliding_contact(s, i)->stick_row)) {
            add_axes(x, x->friction_count, -1, rbv_sliding_contact(s, i)->count);
            x->friction[x->friction_count++] = i;
        }
    for (int32_t i = 0; i < slipping->count; i++)
        if (slipping->sign[i] == 0 && !slipping->off[i] && has_row(x, x->flow->system->drive_row[slipping->drive[i]]))
            add_axes(x, -1, i, 1);
    for (int32_t i = 0; i < x->contacts->count; i++)
        if (has_row(x, x->contacts->items[i].row))
            add_limit(x, -1, -1, i, none);
}

/* Number of limits of the block, and of half planes for which space is needed. */
static int32_t most_limits(const RbvBlockShare *x) {
    const RbvSliding *s = sliding_of(x);
    int32_t most = 2 * x->flow->slipping.count + x->contacts->count + 1;
    for (int32_t i = 0; i < s->count; i++) {
        int directions = rbv_sliding_contact(s, i)->count;
        if (!s->slides[i] && has_row(x, rbv_sliding_contact(s, i)->stick_row))
            most += 2 * directions + (directions > 1 ? MOST_CUTS : 0);
    }
    return most;
}

static double *room(RbvBlockShare *x, size_t count) {
    double *at = rbv_arena_array(&x->arena, count + 1, sizeof *at);
    x->lost = x->lost || !at;
    return at;
}

static bool allocate(RbvBlockShare *x) {
    x->most = most_limits(x);
    size_t p = (size_t)x->p, frictions = (size_t)sliding_of(x)->count + 1, most = (size_t)x->most;
    x->H = room(x, p * p);
    x->L = room(x, p * p);
    x->h = room(x, p);
    x->stress = room(x, p);
    x->y = room(x, p);
    x->last = room(x, p);
    x->column = room(x, (size_t)x->flow->system->row_count);
    x->friction_force = room(x, frictions * RBV_MOST_SLIP_DIRECTIONS * (p + 1));
    x->slope = room(x, frictions * (p + 1));
    x->A = room(x, most * p);
    x->T = room(x, most * p + 6 * p);
    x->b = room(x, most);
    x->q = room(x, most);
    x->z = room(x, most);
    x->weight = room(x, most);
    x->G = room(x, most * most);
    x->work = room(x, most * (most + 3));
    x->friction = rbv_arena_array(&x->arena, frictions, sizeof *x->friction);
    x->reaction = rbv_arena_array(&x->arena, frictions * (p + 1), sizeof *x->reaction);
    x->limit = rbv_arena_array(&x->arena, most, sizeof *x->limit);
    x->basic = rbv_arena_array(&x->arena, most, sizeof *x->basic);
    return !x->lost && x->friction && x->reaction && x->limit && x->basic;
}

bool rbv_block_share_create(RbvBlockShare *x, const RbvFlow *flow, const RbvContacts *contacts, const RbvSolvability *s,
                            int32_t block, const double *lambda) {
    *x = (RbvBlockShare){.flow = flow, .contacts = contacts, .s = s, .block = block, .p = s->ranks[block].redundant};
    if (!allocate(x))
        return false;
    list_limits(x);
    rbv_least_norm_matrix(sliding_of(x)->reactions, flow->state, s, block, s->ranks[block].L, lambda, x->H, x->h, x->T);
    factor(x);
    place_surfaces(x, lambda, 0);
    for (int32_t k = 0; k < x->p; k++) {
        place_column(x, k);
        place_surfaces(x, x->column, k + 1);
        x->stress[k] = largest_force(x, k);
    }
    memcpy(x->column, lambda,
           (size_t)flow->system->row_count * sizeof *lambda); /* from now on x->column has the multipliers for y = 0 */
    for (int32_t i = 0; i < x->friction_count; i++) {
        RbvSlipVector force;
        rbv_block_share_force(x, i, force);
        x->size = fmax(x->size, fmax(length_of(force), place_tangent(x, i)));
    }
    return true;
}

void rbv_block_share_destroy(RbvBlockShare *x) {
    rbv_arena_clear(&x->arena);
    *x = (RbvBlockShare){0};
}

/* Entry of self-stress k at a row of the block. */
static double entry(const RbvBlockShare *x, int32_t row, int32_t k) {
    return rbv_null_entry(&x->s->ranks[x->block], x->s->local[row], k);
}

/* Sets entries of a[p] that are rounding to zero; norm: length of the rows whose forces a has. */
static void leave_rounding(const RbvBlockShare *x, double norm, double *a) {
    for (int32_t k = 0; k < x->p; k++)
        if (fabs(a[k]) * norm <= MOVES * x->stress[k])
            a[k] = 0;
}

/* Computes limit n, a . y <= b, with the present tangents. */
static void place_limit(RbvBlockShare *x, int32_t n) {
    const RbvShareLimit *limit = &x->limit[n];
    double *a = x->A + (size_t)n * (size_t)x->p;
    memset(a, 0, (size_t)x->p * sizeof *a);
    if (limit->friction >= 0) {
        const double *slope = x->slope + limit->friction * (x->p + 1);
        x->b[n] = slope[0];
        for (int32_t k = 0; k < x->p; k++)
            a[k] = -slope[k + 1];
        for (int c = 0; c < RBV_MOST_SLIP_DIRECTIONS; c++) {
            const double *f = x->friction_force + (limit->friction * RBV_MOST_SLIP_DIRECTIONS + c) * (x->p + 1);
            x->b[n] -= limit->slip[c] * f[0];
            for (int32_t k = 0; k < x->p; k++)
                a[k] += limit->slip[c] * f[k + 1];
        }
        leave_rounding(x, 1, a);
        return;
    }
    /* a drive's effort is -lambda; a contact does not pull: sign lambda <= 0 */
    double slip = limit->drive >= 0 ? -limit->slip[0] : x->contacts->items[limit->contact].sign;
    int32_t row = limit->drive >= 0 ? x->flow->system->drive_row[x->flow->slipping.drive[limit->drive]]
                                    : x->contacts->items[limit->contact].row;
    x->b[n] = (limit->drive >= 0 ? rbv_slipping_limit(&x->flow->slipping, limit->drive) : 0) - slip * x->column[row];
    for (int32_t k = 0; k < x->p; k++)
        a[k] = slip * entry(x, row, k);
    leave_rounding(x, x->s->ranks[x->block].row_norm[x->s->local[row]], a);
}

/* The largest violation of a limit at y, over the scale of forces. */
static double beyond(RbvBlockShare *x) {
    double most = 0;
    for (int32_t i = 0; i < x->friction_count; i++) {
        RbvSlipVector force;
        rbv_block_share_force(x, i, force);
        most = fmax(most, (length_of(force) - place_tangent(x, i)) / fmax(x->size, 1e-300));
    }
    for (int32_t n = 0; n < x->limits; n++) {
        const double *a = x->A + (size_t)n * (size_t)x->p;
        if (x->limit[n].friction >= 0)
            continue;
        place_limit(x, n);
        double over = -x->b[n], size = fabs(x->b[n]);
        for (int32_t k = 0; k < x->p; k++) {
            over += a[k] * x->y[k];
            size += fabs(a[k] * x->y[k]);
        }
        most = fmax(most, over / fmax(size, 1e-300));
    }
    return most;
}

bool rbv_block_share_fits(RbvBlockShare *x) {
    memset(x->y, 0, (size_t)x->p * sizeof *x->y);
    return beyond(x) <= WITHIN;
}

/* Adds a half plane in the direction of each friction force beyond its limit; the oldest half planes go. */
static void cut(RbvBlockShare *x) {
    for (int32_t i = 0; i < x->friction_count; i++) {
        RbvSlipVector force;
        int32_t own = 0, oldest = -1;
        int directions = rbv_sliding_contact(sliding_of(x), x->friction[i])->count;
        rbv_block_share_force(x, i, force);
        double size = length_of(force);
        if (directions == 1 || !(size > place_tangent(x, i)))
            continue;
        for (int c = 0; c < RBV_MOST_SLIP_DIRECTIONS; c++)
            force[c] /= size;
        for (int32_t n = 0; n < x->limits; n++)
            if (x->limit[n].friction == i && ++own == 2 * directions + 1)
                oldest = n;
        if (own >= 2 * directions + MOST_CUTS) {
            memmove(&x->limit[oldest], &x->limit[oldest + 1], (size_t)(x->limits - oldest - 1) * sizeof *x->limit);
            x->limits--;
        }
        add_limit(x, i, -1, -1, force);
    }
}

/* y of least norm within the present limits; z of the limits. False: not found. */
static bool run(RbvBlockShare *x) {
    int32_t p = x->p, m = x->limits;
    double most = 0, *mean = x->T + (size_t)x->most * (size_t)p; /* L^-1 h */
    memcpy(mean, x->h, (size_t)p * sizeof *mean);
    solve_lower(x, mean);
    for (int32_t n = 0; n < m; n++) {
        double *t = x->T + (size_t)n * (size_t)p;
        place_limit(x, n);
        memcpy(t, x->A + (size_t)n * (size_t)p, (size_t)p * sizeof *t);
        solve_lower(x, t);
        x->q[n] = x->b[n];
        for (int32_t k = 0; k < p; k++)
            x->q[n] += t[k] * mean[k];
    }
    for (int32_t i = 0; i < m; i++)
        for (int32_t j = 0; j < m; j++) {
            x->G[i * m + j] = 0;
            for (int32_t k = 0; k < p; k++)
                x->G[i * m + j] += x->T[(size_t)i * (size_t)p + (size_t)k] * x->T[(size_t)j * (size_t)p + (size_t)k];
            most = i == j ? fmax(most, x->G[i * m + j]) : most;
        }
    for (int32_t i = 0; i < m; i++)
        x->weight[i] = fmax(x->G[i * m + i], LEAST_WEIGHT * most);
    if (!rbv_complementarity(m, x->G, x->weight, x->q, x->z, x->work, x->basic))
        return false;
    for (int32_t k = 0; k < p; k++) {
        x->y[k] = -mean[k];
        for (int32_t n = 0; n < m; n++)
            x->y[k] -= x->T[(size_t)n * (size_t)p + (size_t)k] * x->z[n];
    }
    solve_upper(x, x->y);
    return true;
}

bool rbv_block_share_solve(RbvBlockShare *x, bool exact) {
    double off = INFINITY;
    memset(x->y, 0, (size_t)x->p * sizeof *x->y);
    for (int pass = 0; pass < MOST_TANGENTS; pass++) {
        double size = 0, change = 0;
        memcpy(x->last, x->y, (size_t)x->p * sizeof *x->y);
        for (int32_t i = 0; i < x->friction_count; i++)
            place_tangent(x, i);
        if (!run(x))
            return false;
        for (int32_t k = 0; k < x->p; k++) {
            size = fmax(size, fabs(x->y[k]));
            change = fmax(change, fabs(x->y[k] - x->last[k]));
        }
        bool stays = pass > 0 && change <= STAYS * size;
        off = beyond(x);
        if (stays || (!exact && off <= WITHIN))
            break;
        cut(x);
    }
    return off <= WITHIN;
}

void rbv_block_share_take(const RbvBlockShare *x, double *lambda) {
    const RbvBlock *block = &x->s->blocks.blocks[x->block];
    for (int32_t r = 0; r < block->row_count; r++)
        for (int32_t k = 0; k < x->p; k++)
            lambda[block->rows[r]] += rbv_null_entry(&x->s->ranks[x->block], r, k) * x->y[k];
}
