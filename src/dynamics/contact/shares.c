/* Items that give way, and loads of one block of rows within the limits of friction, drives and contacts; see
 * shares.h. */
#include "dynamics/contact/shares.h"

#include "dynamics/contact/complementarity.h"
#include "solution/reaction/choice_block.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Loads of one block of rows within the limits of friction, drives and contacts. The multipliers lambda of a motion are
 * one choice; self-stresses N (columns, null vectors of C^T of the block) leave others open, lambda + N y. Wanted is y
 * of the least sum |F|^2 + |T|^2/L^2 of the joints' forces F and torques T (L: a length) with
 *
 *   |f_i| <= static N_i of friction contacts that stick,   |e| <= max of drives that follow,   no contact pulls
 *
 * The normal load N_i is convex in y and stands on the larger side: its tangent lies below it, so that every answer of
 * the convex quadratic program with tangents in place of N_i fulfils the limits. The tangents are renewed until y no
 * longer changes (convex-concave procedure, as in statics/hold.h). The iteration starts at the least norm without
 * limits, so that internal loads are no larger than necessary. Where no y fulfils all limits the answer is the one of
 * least sum of squares of the violations. The violations are then a motion: slip velocities on which no self-stress
 * does work. That motion begins. */

/* MOST_TANGENTS: most renewals of tangents; SHARE_STAYS: y has converged when it changes by less than this part. */
#define MOST_TANGENTS 60
#define SHARE_STAYS 1e-12
/* WITHIN: part of the scale of forces up to which a violated limit is rounding. */
#define WITHIN 1e-10
/* MOVES: part of the largest force of a self-stress up to which its effect on a limit is rounding and counts as zero. A
 * limit that no self-stress affects would otherwise be met by a self-stress beyond all bounds. */
#define MOVES 1e-10
/* Most half planes for each vector of friction, besides those along the axes. */
#define MOST_CUTS 24
/* Weight of a limit that no self-stress affects, as part of the largest weight. */
#define LEAST_WEIGHT 1e-12

/* One limit: a . y <= b. */
typedef struct ShareLimit {
    int32_t friction, drive, contact; /* number of the friction contact, of the limited drive, or of the contact that
                                         the limit belongs to; the others -1 */
    RbvSlipVector slip; /* friction: slip . f <= static N, slip a unit vector; drive: slip[0] is -1 or 1 */
} ShareLimit;

typedef struct BlockShare {
    const RbvState *state;
    const RbvSliding *sliding;
    const RbvSlipping *slipping;
    const RbvContacts *contacts;
    const RbvSolvability *s;
    int32_t block, p; /* number of the block; number of its self-stresses */
    RbvArena arena;
    double *H, *h;                     /* [p][p], [p]: the norm to be minimised is y.H y/2 + h.y */
    double *L;                         /* [p][p] H = L L^T */
    int32_t friction_count, *friction; /* [friction_count] numbers of the friction contacts of the block that stick */
    RbvWrench *reaction;    /* [friction contacts][p + 1] wrench of the joint for lambda, then for each column of N */
    double *friction_force; /* [friction contacts][RBV_MOST_SLIP_DIRECTIONS][p + 1] friction force f for lambda, then
                               for each column of N */
    double *slope;          /* [friction contacts][p + 1] static N linearised at y: constant, then gradient */
    double size;            /* [N] the largest friction force or friction limit: scale of forces */
    double *stress;         /* [p] the largest force of each self-stress, for a unit of y */
    ShareLimit *limit;      /* [limits] */
    int32_t limits, most;
    double *A, *b, *z; /* limits A y <= b: [most][p], [most]; z [most] multipliers of the limits: where the limits
                          contradict each other, in proportion to the violations */
    double *G, *q, *T, *weight, *work;
    bool *basic;               /* [most] */
    double *y, *last, *column; /* [p] answer, [p] answer of the last pass, [rows of the system] multipliers */
} BlockShare;

/* Is row k one of the block? */
static bool has_row(const BlockShare *x, int32_t k) {
    return rbv_solvability_holds(x->s, k) && rbv_solvability_block(x->s, k) == x->block;
}

static void add_limit(BlockShare *x, int32_t friction, int32_t drive, int32_t contact, const RbvSlipVector slip) {
    ShareLimit *to = &x->limit[x->limits];
    if (x->limits == x->most)
        return;
    *to = (ShareLimit){.friction = friction, .drive = drive, .contact = contact};
    memcpy(to->slip, slip, sizeof to->slip);
    x->limits++;
}

/* Adds the limits in both directions of each axis. */
static void add_axes(BlockShare *x, int32_t friction, int32_t drive, int count) {
    for (int c = 0; c < 2 * count; c++) {
        RbvSlipVector slip = {0};
        slip[c / 2] = c % 2 ? -1 : 1;
        add_limit(x, friction, drive, -1, slip);
    }
}

/* x->column: self-stress k as multipliers of all rows. */
static void place_column(BlockShare *x, int32_t k) {
    const RbvBlock *block = &x->s->blocks.blocks[x->block];
    for (int32_t r = 0; r < block->row_count; r++)
        x->column[block->rows[r]] = rbv_null_entry(&x->s->ranks[x->block], r, k);
}

/* The largest force of self-stress k, in rows of unit length. */
static double largest_force(const BlockShare *x, int32_t k) {
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
    if (!rbv_forms[s->state->system->model->joints.items[friction->joint].form].bar)
        return sum;
    for (int32_t j = 0; j < s->count; j++) {
        const RbvFrictionContact *other = rbv_sliding_contact(s, j);
        for (int c = 0; other->joint == friction->joint && c < other->count; c++) {
            double sliding = whole ? s->effort[j][c] : 0;
            double effort = s->slides[j] ? sliding : -lambda[other->stick_row + c];
            sum = rbv_add_scaled(sum, effort, rbv_friction_across(s->state, other, c));
        }
    }
    return sum;
}

/* Column `at` of x->reaction and x->friction_force: joints' wrenches and friction forces for multipliers lambda. */
static void place_surfaces(BlockShare *x, const double *lambda, int32_t at) {
    const RbvSliding *s = x->sliding;
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
static void factor_share(BlockShare *x) {
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
static void solve_lower(const BlockShare *x, double *v) {
    for (int32_t i = 0; i < x->p; i++) {
        for (int32_t j = 0; j < i; j++)
            v[i] -= x->L[i * x->p + j] * v[j];
        v[i] = x->L[i * x->p + i] > 0 ? v[i] / x->L[i * x->p + i] : 0;
    }
}

static void solve_upper(const BlockShare *x, double *v) {
    for (int32_t i = x->p - 1; i >= 0; i--) {
        for (int32_t j = i + 1; j < x->p; j++)
            v[i] -= x->L[j * x->p + i] * v[j];
        v[i] = x->L[i * x->p + i] > 0 ? v[i] / x->L[i * x->p + i] : 0;
    }
}

static double value_at(const BlockShare *x, const double *affine) {
    double sum = affine[0];
    for (int32_t k = 0; k < x->p; k++)
        sum += affine[k + 1] * x->y[k];
    return sum;
}

/* Friction force f at y of friction contact number `friction` of the block (0 ... friction_count - 1) [N or N m]. */
static void block_share_force(const BlockShare *x, int32_t i, RbvSlipVector force) {
    for (int c = 0; c < RBV_MOST_SLIP_DIRECTIONS; c++)
        force[c] = value_at(x, x->friction_force + (i * RBV_MOST_SLIP_DIRECTIONS + c) * (x->p + 1));
}

static double length_of(const RbvSlipVector slip) {
    return sqrt(slip[0] * slip[0] + slip[1] * slip[1] + slip[2] * slip[2]);
}

/* Friction limit static N [N or N m] of friction contact i of the block at y; x->slope: its tangent there. */
static double place_tangent(BlockShare *x, int32_t i) {
    const RbvSliding *s = x->sliding;
    const RbvWrench *part = x->reaction + i * (x->p + 1);
    double mu = rbv_sliding_limit(s, x->friction[i]), *slope = x->slope + i * (x->p + 1);
    RbvWrench sum = part[0], by;
    for (int32_t k = 0; k < x->p; k++)
        sum = rbv_wrench_add_scaled(sum, x->y[k], part[k + 1]);
    double limit = mu * rbv_friction_load(x->state, rbv_sliding_contact(s, x->friction[i]), sum, &by);
    slope[0] = limit;
    for (int32_t k = 0; k < x->p; k++) {
        slope[k + 1] = mu * (rbv_dot(by.force, part[k + 1].force) + rbv_dot(by.torque, part[k + 1].torque));
        slope[0] -= slope[k + 1] * x->y[k];
    }
    return limit;
}

/* Lists the friction contacts of the block that stick, and the limits of friction, drives and contacts. */
static void list_limits(BlockShare *x) {
    const RbvSliding *s = x->sliding;
    const RbvSlipping *slipping = x->slipping;
    const RbvSlipVector none = {0};
    x->friction_count = x->limits = 0;
    for (int32_t i = 0; i < s->count; i++)
        if (!s->slides[i] && has_row(x, rbv_sliding_contact(s, i)->stick_row)) {
            add_axes(x, x->friction_count, -1, rbv_sliding_contact(s, i)->count);
            x->friction[x->friction_count++] = i;
        }
    for (int32_t i = 0; i < slipping->count; i++)
        if (slipping->sign[i] == 0 && !slipping->off[i] && has_row(x, x->state->system->drive_row[slipping->drive[i]]))
            add_axes(x, -1, i, 1);
    for (int32_t i = 0; i < x->contacts->count; i++)
        if (has_row(x, x->contacts->items[i].row))
            add_limit(x, -1, -1, i, none);
}

/* Number of limits of the block, and of half planes for which space is needed. */
static int32_t most_limits(const BlockShare *x) {
    const RbvSliding *s = x->sliding;
    int32_t most = 2 * x->slipping->count + x->contacts->count + 1;
    for (int32_t i = 0; i < s->count; i++) {
        int directions = rbv_sliding_contact(s, i)->count;
        if (!s->slides[i] && has_row(x, rbv_sliding_contact(s, i)->stick_row))
            most += 2 * directions + (directions > 1 ? MOST_CUTS : 0);
    }
    return most;
}

static bool allocate_share(BlockShare *x) {
    x->most = most_limits(x);
    size_t p = (size_t)x->p, frictions = (size_t)x->sliding->count + 1, most = (size_t)x->most;
    const struct {
        double **to;
        size_t count;
    } numbers[] = {{&x->H, p * p},
                   {&x->L, p * p},
                   {&x->h, p},
                   {&x->stress, p},
                   {&x->y, p},
                   {&x->last, p},
                   {&x->b, most},
                   {&x->q, most},
                   {&x->z, most},
                   {&x->weight, most},
                   {&x->G, most * most},
                   {&x->work, most * (most + 3)},
                   {&x->A, most * p},
                   {&x->T, most * p + 6 * p},
                   {&x->slope, frictions * (p + 1)},
                   {&x->column, (size_t)x->state->system->row_count},
                   {&x->friction_force, frictions * RBV_MOST_SLIP_DIRECTIONS * (p + 1)}};
    bool memory = true;
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
        memory = (*numbers[k].to = rbv_arena_array(&x->arena, numbers[k].count + 1, sizeof(double))) && memory;
    x->friction = rbv_arena_array(&x->arena, frictions, sizeof *x->friction);
    x->reaction = rbv_arena_array(&x->arena, frictions * (p + 1), sizeof *x->reaction);
    x->limit = rbv_arena_array(&x->arena, most, sizeof *x->limit);
    x->basic = rbv_arena_array(&x->arena, most, sizeof *x->basic);
    return memory && x->friction && x->reaction && x->limit && x->basic;
}

/* Prepares the block for the multipliers lambda[rows], in the state at which s was decided. False: out of memory; to be
 * destroyed all the same. */
static bool block_share_create(BlockShare *x, const RbvShares *of, const RbvSolvability *s, int32_t block,
                               const double *lambda) {
    const RbvState *state = of->state;
    *x = (BlockShare){.state = state,
                      .sliding = of->sliding,
                      .slipping = of->slipping,
                      .contacts = &of->contacts,
                      .s = s,
                      .block = block,
                      .p = s->ranks[block].redundant};
    if (!allocate_share(x))
        return false;
    list_limits(x);
    rbv_least_norm_matrix(x->sliding->reactions, state, s, block, s->ranks[block].L, lambda, x->H, x->h, x->T);
    factor_share(x);
    place_surfaces(x, lambda, 0);
    for (int32_t k = 0; k < x->p; k++) {
        place_column(x, k);
        place_surfaces(x, x->column, k + 1);
        x->stress[k] = largest_force(x, k);
    }
    memcpy(x->column, lambda,
           (size_t)state->system->row_count * sizeof *lambda); /* from now on x->column has the multipliers for y = 0 */
    for (int32_t i = 0; i < x->friction_count; i++) {
        RbvSlipVector force;
        block_share_force(x, i, force);
        x->size = fmax(x->size, fmax(length_of(force), place_tangent(x, i)));
    }
    return true;
}

/* Prepares the block for the multipliers lambda[rows], in the state at which s was decided. False: out of memory; to be
 * destroyed all the same. */
static void block_share_destroy(BlockShare *x) {
    rbv_arena_clear(&x->arena);
    *x = (BlockShare){0};
}

/* Sets entries of a[p] that are rounding to zero; norm: length of the rows whose forces a has. */
static void leave_rounding(const BlockShare *x, double norm, double *a) {
    for (int32_t k = 0; k < x->p; k++)
        if (fabs(a[k]) * norm <= MOVES * x->stress[k])
            a[k] = 0;
}

/* Computes limit n, a . y <= b, with the present tangents. */
static void place_limit(BlockShare *x, int32_t n) {
    const ShareLimit *limit = &x->limit[n];
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
    int32_t row = limit->drive >= 0 ? x->state->system->drive_row[x->slipping->drive[limit->drive]]
                                    : x->contacts->items[limit->contact].row;
    x->b[n] = (limit->drive >= 0 ? rbv_slipping_limit(x->slipping, limit->drive) : 0) - slip * x->column[row];
    for (int32_t k = 0; k < x->p; k++)
        a[k] = slip * rbv_null_entry(&x->s->ranks[x->block], x->s->local[row], k);
    leave_rounding(x, x->s->ranks[x->block].row_norm[x->s->local[row]], a);
}

/* The largest violation of a limit at y, over the scale of forces. */
static double beyond(BlockShare *x) {
    double most = 0;
    for (int32_t i = 0; i < x->friction_count; i++) {
        RbvSlipVector force;
        block_share_force(x, i, force);
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

/* Does lambda itself (y = 0) fulfil the limits? */
static bool block_share_fits(BlockShare *x) {
    memset(x->y, 0, (size_t)x->p * sizeof *x->y);
    return beyond(x) <= WITHIN;
}

/* Adds a half plane in the direction of each friction force beyond its limit; the oldest half planes go. */
static void cut(BlockShare *x) {
    for (int32_t i = 0; i < x->friction_count; i++) {
        RbvSlipVector force;
        int32_t own = 0, oldest = -1;
        int directions = rbv_sliding_contact(x->sliding, x->friction[i])->count;
        block_share_force(x, i, force);
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
static bool run(BlockShare *x) {
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

/* Finds y; true: all limits are fulfilled. exact: y of the least norm within the limits; else the first y within the
 * limits. */
static bool block_share_solve(BlockShare *x, bool exact) {
    double excess = INFINITY;
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
        bool stays = pass > 0 && change <= SHARE_STAYS * size;
        excess = beyond(x);
        if (stays || (!exact && excess <= WITHIN))
            break;
        cut(x);
    }
    return excess <= WITHIN;
}

/* lambda[rows] += N y for the rows of the block. */
static void block_share_take(const BlockShare *x, double *lambda) {
    const RbvBlock *block = &x->s->blocks.blocks[x->block];
    for (int32_t r = 0; r < block->row_count; r++)
        for (int32_t k = 0; k < x->p; k++)
            lambda[block->rows[r]] += rbv_null_entry(&x->s->ranks[x->block], r, k) * x->y[k];
}

/* ---- what gives way ---- */

/* Relative to the limit: rounding. */
#define GIVES_WAY 1e-10
/* Relative to the accelerations that sum up to that of a row: smaller contradictions of rows are ignored. */
#define CONTRADICTS 1e-9
/* Relative to the largest velocity of the motion that begins: slower friction contacts stick. */
#define SLIDES 1e-6

bool rbv_shares_create(RbvShares *x, RbvSliding *sliding, RbvSlipping *slipping, const double *lambda) {
    const RbvSystem *system = sliding->state->system;
    size_t rows = (size_t)system->row_count + 1;
    *x = (RbvShares){.state = sliding->state, .sliding = sliding, .slipping = slipping, .lambda = lambda};
    bool contacts = rbv_contacts_create(&x->contacts, system);
    x->rows = rbv_arena_array(&x->arena, rows, sizeof *x->rows);
    x->asked = rbv_arena_array(&x->arena, rows, sizeof *x->asked);
    x->friction = rbv_arena_array(&x->arena, (size_t)sliding->count + 1, sizeof *x->friction);
    x->drive = rbv_arena_array(&x->arena, (size_t)slipping->count + 1, sizeof *x->drive);
    return contacts && x->rows && x->asked && x->friction && x->drive;
}

void rbv_shares_destroy(RbvShares *x) {
    rbv_contacts_destroy(&x->contacts);
    rbv_solvability_destroy(x->solvability);
    rbv_arena_clear(&x->arena);
    *x = (RbvShares){0};
}

bool rbv_shares_any(const RbvShares *x) {
    bool any = false;
    for (int32_t i = 0; i < x->sliding->count; i++)
        any = any || x->friction[i];
    for (int32_t i = 0; i < x->slipping->count; i++)
        any = any || x->drive[i];
    return any;
}

double rbv_shares_friction_margin(const RbvShares *x, int32_t i) {
    return 1 + GIVES_WAY - rbv_sliding_strain(x->sliding, i);
}

/* Ratio of force to limit of a friction contact, or a drive, in the motion's choice of multipliers; 0: within the
 * limit. */
static double friction_over(const RbvShares *x, int32_t i) {
    return rbv_shares_friction_margin(x, i) < 0 ? rbv_sliding_strain(x->sliding, i) : 0;
}

static double drive_over(const RbvShares *x, int32_t i) {
    const RbvSlipping *s = x->slipping;
    return rbv_slipping_needs_more(s, i) ? fabs(s->effort[i]) / fmax(rbv_slipping_limit(s, i), 1e-300) : 0;
}

static int32_t friction_row(const RbvShares *x, int32_t i) {
    return rbv_sliding_contact(x->sliding, i)->stick_row;
}

static int32_t drive_row(const RbvShares *x, int32_t i) {
    return x->state->system->drive_row[x->slipping->drive[i]];
}

/* Returns the friction contact, or drive, furthest beyond its limit in one block (-1: in all blocks not yet examined);
 * -1: none. */
static int32_t worst(const RbvShares *x, bool drives, int32_t block) {
    int32_t found = -1, count = drives ? x->slipping->count : x->sliding->count;
    double most = 0;
    for (int32_t i = 0; i < count; i++) {
        double over = drives ? drive_over(x, i) : friction_over(x, i);
        if (!(over > most))
            continue;
        int32_t row = drives ? drive_row(x, i) : friction_row(x, i);
        int32_t own = x->solvability ? rbv_solvability_block(x->solvability, row) : -1;
        if (block >= 0 ? own != block : own >= 0 && x->asked[own])
            continue;
        most = over;
        found = i;
    }
    return found;
}

/* Decides the ranks of the active rows. */
static RbvStatus decide_ranks(RbvShares *x) {
    const RbvState *state = x->state;
    const RbvSystem *system = x->state->system;
    bool same = x->solvability != NULL;
    for (int32_t k = 0; k < system->row_count; k++) {
        same = same && x->rows[k] == rbv_state_holds(state, k);
        x->rows[k] = rbv_state_holds(state, k);
    }
    if (!same) {
        rbv_solvability_destroy(x->solvability);
        x->solvability = rbv_solvability_create_of(system, x->rows, RBV_CRITERION_DEFAULT, true);
    }
    return x->solvability ? rbv_solvability_decide(x->solvability, state) : RBV_NO_MEMORY;
}

/* Scale of the acceleration that row k requires: from the present velocities and from accelerations that forces alone
 * would cause. The accelerations of the solution are no scale: where rows contradict each other they are arbitrary. */
static double size_of_row(const RbvShares *x, int32_t k) {
    const RbvState *state = x->state;
    const RbvRowPattern *C = &state->system->C;
    const double *inverse_mass = rbv_saddle_inverse_mass(x->sliding->kept_reactions->motion);
    double rate = 0, free = 0, scale = rbv_state_row_scale(state, k);
    for (int32_t e = C->start[k]; e < C->start[k + 1]; e++) {
        int32_t j = C->column[e];
        rate += fabs(state->C[e] * state->v[j]);
        free += fabs(state->C[e] * state->Q[j]) * inverse_mass[j];
    }
    return fabs(state->gamma[k]) + free + (scale > 0 ? rate * rate / scale : 0);
}

/* Returns whether the rows of block b require accelerations that no motion has, C a = gamma: self-stresses n, n^T C =
 * 0, then do work on gamma. */
static bool contradicts(const RbvShares *x, int32_t b) {
    const RbvBlock *block = &x->solvability->blocks.blocks[b];
    const RbvBlockRank *rank = &x->solvability->ranks[b];
    for (int32_t c = 0; c < rank->redundant; c++) {
        double work = 0, size = 0;
        for (int32_t r = 0; r < block->row_count; r++) {
            double n = rbv_null_entry(rank, r, c);
            work += n * x->state->gamma[block->rows[r]];
            size += fabs(n) * size_of_row(x, block->rows[r]);
        }
        if (fabs(work) > CONTRADICTS * size)
            return true;
    }
    return false;
}

/* Takes all items that slide in the motion that begins, with the friction that then acts. */
static void take_motion(RbvShares *x, const BlockShare *share) {
    RbvSliding *s = x->sliding;
    double most = 0;
    for (int32_t n = 0; n < share->limits; n++)
        most = fmax(most, share->z[n]);
    for (int32_t n = 0; n < share->limits; n++) {
        const ShareLimit *limit = &share->limit[n];
        if (!(share->z[n] > SLIDES * most))
            continue;
        if (limit->drive >= 0) {
            x->drive[limit->drive] = true;
            x->slipping->effort[limit->drive] = limit->slip[0];
        }
        if (limit->friction < 0)
            continue;
        int32_t i = share->friction[limit->friction];
        const RbvFrictionContact *friction = rbv_sliding_contact(s, i);
        RbvSlipVector force;
        block_share_force(share, limit->friction, force);
        if (force[0] == 0 && force[1] == 0 && force[2] == 0) /* no load presses the contact: it is dragged along */
            memcpy(force, limit->slip, sizeof force);
        for (int c = 0; c < friction->count; c++)
            s->effort[i][c] = force[c] * friction->slip[c].lever;
        x->friction[i] = true;
    }
}

/* Takes the item furthest beyond its limit. */
static void take_worst(RbvShares *x, int32_t block) {
    int32_t friction = worst(x, false, block), drive = worst(x, true, block);
    if (friction >= 0)
        x->friction[friction] = true;
    else if (drive >= 0)
        x->drive[drive] = true;
}

/* Decides what gives way in a block with an item beyond its limit. */
static RbvStatus verify_block(RbvShares *x, int32_t b) {
    bool open = rbv_has_null(&x->solvability->ranks[b]);
    if (!open || contradicts(x, b)) {
        int32_t drive = open ? worst(x, true, b) : -1;
        if (drive >= 0)
            x->drive[drive] = true;
        else
            take_worst(x, b);
        return RBV_OK;
    }
    BlockShare share;
    RbvStatus status = block_share_create(&share, x, x->solvability, b, x->lambda) ? RBV_OK : RBV_NO_MEMORY;
    if (status == RBV_OK && !block_share_solve(&share, false)) {
        take_motion(x, &share);
        if (!rbv_shares_any(x))
            take_worst(x, b);
    }
    block_share_destroy(&share);
    return status;
}

RbvStatus rbv_shares_find(RbvShares *x) {
    const RbvSliding *s = x->sliding;
    bool sticks = false;
    memset(x->friction, 0, (size_t)s->count * sizeof *x->friction);
    memset(x->drive, 0, (size_t)x->slipping->count * sizeof *x->drive);
    memset(x->asked, 0, (size_t)x->state->system->row_count * sizeof *x->asked);
    for (int32_t i = 0; i < s->count; i++)
        sticks = sticks || !s->slides[i];
    int32_t drive = worst(x, true, -1);
    if (!sticks) { /* only drives */
        if (drive >= 0)
            x->drive[drive] = true;
        return RBV_OK;
    }
    bool any = drive >= 0 || worst(x, false, -1) >= 0;
    RbvStatus status = any ? decide_ranks(x) : RBV_OK;
    for (int drives = 0; any && drives < 2; drives++)
        for (int32_t i; status == RBV_OK && !rbv_shares_any(x) && (i = worst(x, drives, -1)) >= 0;) {
            int32_t b = rbv_solvability_block(x->solvability, drives ? drive_row(x, i) : friction_row(x, i));
            x->asked[b] = true;
            status = verify_block(x, b);
        }
    return status;
}

RbvStatus rbv_shares_admit(RbvShares *x, const RbvSolvability *s, double *lambda) {
    const RbvSliding *sliding = x->sliding;
    RbvStatus status = RBV_OK;
    memset(x->asked, 0, (size_t)x->state->system->row_count * sizeof *x->asked);
    for (int32_t i = 0; status == RBV_OK && i < sliding->count; i++) {
        if (sliding->slides[i])
            continue;
        int32_t b = rbv_solvability_block(s, friction_row(x, i));
        if (x->asked[b] || !rbv_has_null(&s->ranks[b]))
            continue;
        x->asked[b] = true;
        BlockShare share;
        status = block_share_create(&share, x, s, b, lambda) ? RBV_OK : RBV_NO_MEMORY;
        if (status == RBV_OK && !block_share_fits(&share) && block_share_solve(&share, true))
            block_share_take(&share, lambda);
        block_share_destroy(&share);
    }
    return status;
}
