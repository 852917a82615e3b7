/* First the loads of one block of rows (BlockShare); then the items that give way; see shares.h. */
#include "dynamics/contact/shares.h"
#include "core/base/extremes.h"
#include "core/base/tolerances.h"

#include "dynamics/contact/complementarity.h"
#include "solution/reaction/choice_block.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Loads of one block of rows within the limits of friction, drives and contacts. The multipliers lambda of a motion are
 * one choice; self-stresses N (columns, null vectors of C^T of the block) leave others open, lambda + N y. Wanted is y
 * of the least sum |F|^2 + |T|^2/L^2 of the joints' forces F and torques T (L: the block's length) with
 *
 *   |f_i| <= static N_i of friction contacts that stick,   |e| <= max of drives that follow,   no contact pulls
 *
 * f_i [N] is affine in y. Each limit says that c = B y + d is in a cone: (static N_i, f_i), (max, e), and one number,
 * the push of a contact. The norm is y.H y/2 + h.y; the program is solved by the multipliers p of its limits,
 *
 *   y = H^-1 (B^T p - h),   c = A p + b,   p and c in the cones, p.c = 0,   A = B H^-1 B^T,   b = d - B H^-1 h
 *
 * (complementarity.h). The normal load N_i is convex in y and stands on the larger side: its tangent lies below it, so
 * that every answer of the convex program with tangents in place of N_i fulfils the limits. The tangents are renewed
 * until y no longer changes (convex-concave procedure, as in statics/hold.h). The iteration starts at the least norm
 * without limits, so that internal loads are no larger than necessary. Where no y fulfils all limits the answer is the
 * one of least sum of squares of the violations. The violations are then a motion: slip velocities on which no
 * self-stress does work. That motion begins. */

/* Most renewals of tangents. */
#define MOST_TANGENTS 60
/* WITHIN: part of the scale of forces up to which a violated limit counts as met: limits that can only just be met are
 * met to 4e-10 (test/complementarity_test.c). */
#define WITHIN RBV_SAME

/* What a limit belongs to, the others -1: index in BlockShare.friction; among the limited drives (RbvSlipping); among
 * the contacts (RbvContacts). */
typedef struct ShareLimit {
    int32_t friction, drive, contact;
} ShareLimit;

/* The program of one block. Index i of friction contacts is that in `friction`. */
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
    int32_t friction_count, *friction; /* [friction_count] indices in RbvSliding of those that stick */
    RbvWrench *reaction;    /* [friction_count][p + 1] wrench of the joint for lambda, then for each column of N */
    double *friction_force; /* [friction_count][RBV_MOST_SLIP_DIRECTIONS][p + 1] friction force f [N], likewise */
    double *slope;          /* [friction_count][p + 1] static N linearised at y: constant, then gradient */
    double size;            /* [N] the largest friction force or friction limit: scale of forces */
    double *stress;         /* [p] the largest force of each self-stress, for a unit of y */
    int32_t limits, rows;   /* number of limits; of their numbers c */
    ShareLimit *limit;      /* [limits] */
    RbvCone *cone;          /* [limits] their numbers */
    double *B, *d, *T;      /* [rows][p], [rows], [rows][p]: c = B y + d; T = B L^-T */
    double *A, *b, *weight; /* [rows][rows], [rows], [rows] of the problem for the multipliers */
    double *z, *c, *work;   /* [rows], [rows] multipliers of the limits: where the limits contradict each other, in
                               proportion to the violations; c; workspace */
    double *y, *last, *mean, *column; /* [p] answer, [p] answer of the last pass, [p] L^-1 h, [rows of the system]
                                         lambda for y = 0 */
} BlockShare;

/* Is row k one of the block? */
static bool has_row(const BlockShare *x, int32_t k) {
    return rbv_solvability_holds(x->s, k) && rbv_solvability_block(x->s, k) == x->block;
}

/* Adds a limit with `size` numbers. */
static void add_limit(BlockShare *x, ShareLimit limit, int size) {
    x->limit[x->limits] = limit;
    x->cone[x->limits++] = (RbvCone){.first = x->rows, .size = size};
    x->rows += size;
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
        most = rbv_max(most, fabs(rbv_null_entry(rank, r, k)) * rank->row_norm[r]);
    return most;
}

/* Force [N] across a bar (else 0) by the friction of its ends, for lambda; whole: with the ends that slide. */
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

/* Column `at` of x->reaction and x->friction_force, for lambda: of y = 0 (at = 0), or of self-stress at - 1. */
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

/* Friction force f at y of friction contact i of the block (0 ... friction_count - 1) [N]. */
static void block_share_force(const BlockShare *x, int32_t i, RbvSlipVector force) {
    for (int c = 0; c < RBV_MOST_SLIP_DIRECTIONS; c++)
        force[c] = value_at(x, x->friction_force + (i * RBV_MOST_SLIP_DIRECTIONS + c) * (x->p + 1));
}

static double length_of(const RbvSlipVector slip) {
    return sqrt(slip[0] * slip[0] + slip[1] * slip[1] + slip[2] * slip[2]);
}

/* Friction limit static N [N] of friction contact i of the block at y; x->slope: its tangent there. */
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
    x->friction_count = 0;
    for (int32_t i = 0; i < s->count; i++)
        if (!s->slides[i] && has_row(x, rbv_sliding_contact(s, i)->stick_row)) {
            add_limit(x, (ShareLimit){x->friction_count, -1, -1}, 1 + rbv_sliding_contact(s, i)->count);
            x->friction[x->friction_count++] = i;
        }
    for (int32_t i = 0; i < slipping->count; i++)
        if (slipping->sign[i] == 0 && !slipping->off[i] && has_row(x, x->state->system->drive_row[slipping->drive[i]]))
            add_limit(x, (ShareLimit){-1, i, -1}, 2);
    for (int32_t i = 0; i < x->contacts->count; i++)
        if (has_row(x, x->contacts->items[i].row))
            add_limit(x, (ShareLimit){-1, -1, i}, 1);
}

/* Allocates what the limits need; sets their list. */
static bool allocate_share(BlockShare *x) {
    size_t p = (size_t)x->p, frictions = (size_t)x->sliding->count + 1,
           most = frictions + (size_t)x->slipping->count + (size_t)x->contacts->count;
    x->friction = rbv_arena_array(&x->arena, frictions, sizeof *x->friction);
    x->limit = rbv_arena_array(&x->arena, most, sizeof *x->limit);
    x->cone = rbv_arena_array(&x->arena, most, sizeof *x->cone);
    if (!x->friction || !x->limit || !x->cone)
        return false;
    list_limits(x);
    size_t rows = (size_t)x->rows;
    const struct {
        double **to;
        size_t count;
    } numbers[] = {{&x->H, p * p},
                   {&x->L, p * p},
                   {&x->h, p},
                   {&x->stress, p},
                   {&x->y, p},
                   {&x->last, p},
                   {&x->mean, p},
                   {&x->B, rows * p},
                   {&x->d, rows},
                   {&x->T, rows * p + 6 * p},
                   {&x->A, rows * rows},
                   {&x->b, rows},
                   {&x->weight, rows},
                   {&x->z, rows},
                   {&x->c, rows},
                   {&x->work, RBV_COMPLEMENTARITY_WORK(rows)},
                   {&x->slope, frictions * (p + 1)},
                   {&x->column, (size_t)x->state->system->row_count},
                   {&x->friction_force, frictions * RBV_MOST_SLIP_DIRECTIONS * (p + 1)}};
    bool memory = true;
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
        memory = (*numbers[k].to = rbv_arena_array(&x->arena, numbers[k].count + 1, sizeof(double))) && memory;
    x->reaction = rbv_arena_array(&x->arena, frictions * (p + 1), sizeof *x->reaction);
    return memory && x->reaction;
}

/* Prepares the block for lambda[rows], in the state at which s was decided. False: out of memory; to be destroyed. */
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
        x->size = rbv_max(x->size, rbv_max(length_of(force), place_tangent(x, i)));
    }
    return true;
}

/* Frees the arrays of the block. */
static void block_share_destroy(BlockShare *x) {
    rbv_arena_clear(&x->arena);
    *x = (BlockShare){0};
}

/* Sets entries of a[p] that are rounding to zero; norm: length of the rows whose forces a has. */
static void leave_rounding(const BlockShare *x, double norm, double *a) {
    /* Up to this part of the largest force of a self-stress its effect on a limit is rounding and counts as zero. A
     * limit that no self-stress affects would otherwise be met by a self-stress beyond all bounds. */
    for (int32_t k = 0; k < x->p; k++)
        if (fabs(a[k]) * norm <= RBV_DATA * x->stress[k])
            a[k] = 0;
}

/* Sets row n of B and d to a number that is affine in y: from[0] + sum_k from[k + 1] y_k, times `sign`. */
static void place_affine(BlockShare *x, int32_t n, double sign, const double *from) {
    x->d[n] = sign * from[0];
    for (int32_t k = 0; k < x->p; k++)
        x->B[(size_t)n * (size_t)x->p + (size_t)k] = sign * from[k + 1];
    leave_rounding(x, 1, x->B + (size_t)n * (size_t)x->p);
}

/* Sets row n of B and d to -sign times the multiplier of a system's row. */
static void place_multiplier(BlockShare *x, int32_t n, double sign, int32_t row) {
    const RbvBlockRank *rank = &x->s->ranks[x->block];
    x->d[n] = -sign * x->column[row];
    for (int32_t k = 0; k < x->p; k++)
        x->B[(size_t)n * (size_t)x->p + (size_t)k] = -sign * rbv_null_entry(rank, x->s->local[row], k);
    leave_rounding(x, rank->row_norm[x->s->local[row]], x->B + (size_t)n * (size_t)x->p);
}

/* Sets the numbers of limit k, with the present tangents: a drive's effort is -lambda; a contact does not pull, sign
 * lambda <= 0. */
static void place_limit(BlockShare *x, int32_t k) {
    const ShareLimit *limit = &x->limit[k];
    int32_t n = x->cone[k].first;
    if (limit->friction >= 0) {
        place_affine(x, n, 1, x->slope + limit->friction * (x->p + 1));
        for (int c = 0; c + 1 < x->cone[k].size; c++)
            place_affine(x, n + 1 + c, 1,
                         x->friction_force + (limit->friction * RBV_MOST_SLIP_DIRECTIONS + c) * (x->p + 1));
    } else if (limit->drive >= 0) {
        x->d[n] = rbv_slipping_limit(x->slipping, limit->drive);
        memset(x->B + (size_t)n * (size_t)x->p, 0, (size_t)x->p * sizeof *x->B);
        place_multiplier(x, n + 1, 1, x->state->system->drive_row[x->slipping->drive[limit->drive]]);
    } else {
        const RbvContact *contact = &x->contacts->items[limit->contact];
        place_multiplier(x, n, contact->sign, contact->row);
    }
}

/* The largest violation of a limit at y: of friction over the scale of forces, of others over their own terms. */
static double beyond(BlockShare *x) {
    double most = 0;
    for (int32_t i = 0; i < x->friction_count; i++) {
        RbvSlipVector force;
        block_share_force(x, i, force);
        most = rbv_max(most, (length_of(force) - place_tangent(x, i)) / rbv_max(x->size, 1e-300));
    }
    for (int32_t k = 0; k < x->limits; k++) {
        double c[2] = {0, 0}, size = 0;
        if (x->limit[k].friction >= 0)
            continue;
        place_limit(x, k);
        for (int i = 0; i < x->cone[k].size; i++) {
            const double *B = x->B + (size_t)(x->cone[k].first + i) * (size_t)x->p;
            c[i] = x->d[x->cone[k].first + i];
            size += fabs(c[i]);
            for (int32_t j = 0; j < x->p; j++) {
                c[i] += B[j] * x->y[j];
                size += fabs(B[j] * x->y[j]);
            }
        }
        most = rbv_max(most, (fabs(c[1]) - c[0]) / rbv_max(size, 1e-300));
    }
    return most;
}

/* Does lambda itself (y = 0) fulfil the limits? Sets y = 0. */
static bool block_share_fits(BlockShare *x) {
    memset(x->y, 0, (size_t)x->p * sizeof *x->y);
    return beyond(x) <= WITHIN;
}

/* A, b and weight of the problem for the multipliers. */
static void place_problem(BlockShare *x) {
    size_t p = (size_t)x->p, rows = (size_t)x->rows;
    double most = 0;
    memcpy(x->mean, x->h, p * sizeof *x->mean);
    solve_lower(x, x->mean);
    for (int32_t k = 0; k < x->limits; k++)
        place_limit(x, k);
    memcpy(x->T, x->B, rows * p * sizeof *x->T);
    for (size_t i = 0; i < rows; i++) {
        double *t = x->T + i * p;
        solve_lower(x, t);
        x->b[i] = x->d[i];
        for (size_t k = 0; k < p; k++)
            x->b[i] -= t[k] * x->mean[k];
    }
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < rows; j++) {
            x->A[i * rows + j] = 0;
            for (size_t k = 0; k < p; k++)
                x->A[i * rows + j] += x->T[i * p + k] * x->T[j * p + k];
            most = i == j ? rbv_max(most, x->A[i * rows + j]) : most;
        }
    for (int32_t k = 0; k < x->limits; k++) {
        /* Weight of a limit that no self-stress affects. */
        double weight = most > 0 ? RBV_CANCELLED * most : 1;
        for (int32_t i = x->cone[k].first; i < x->cone[k].first + x->cone[k].size; i++)
            weight = rbv_max(weight, x->A[(size_t)i * rows + (size_t)i]);
        for (int32_t i = x->cone[k].first; i < x->cone[k].first + x->cone[k].size; i++)
            x->weight[i] = weight;
    }
}

/* y of least norm within the present limits; z of the limits. False: not found. */
static bool run(BlockShare *x) {
    size_t p = (size_t)x->p;
    double unmet;
    place_problem(x);
    memset(x->z, 0, (size_t)x->rows * sizeof *x->z);
    RbvComplementarity problem = {.size = x->rows,
                                  .count = x->limits,
                                  .cone = x->cone,
                                  .A = x->A,
                                  .b = x->b,
                                  .weight = x->weight,
                                  .p = x->z,
                                  .w = x->c,
                                  .work = x->work};
    if (!rbv_complementarity_solve(&problem, &unmet))
        return false;
    for (size_t k = 0; k < p; k++) {
        x->y[k] = -x->mean[k];
        for (size_t n = 0; n < (size_t)x->rows; n++)
            x->y[k] += x->T[n * p + k] * x->z[n];
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
            size = rbv_max(size, fabs(x->y[k]));
            change = rbv_max(change, fabs(x->y[k] - x->last[k]));
        }
        /* y has converged when it changes by less than this part. */
        bool stays = pass > 0 && change <= RBV_CANCELLED * size;
        excess = beyond(x);
        if (stays || (!exact && excess <= WITHIN))
            break;
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
    /* Relative to the limit: rounding. */
    return 1 + RBV_DATA - rbv_sliding_strain(x->sliding, i);
}

/* Ratio of force to limit of a friction contact, or a drive, in the motion's choice of multipliers; 0: within the
 * limit. */
static double friction_over(const RbvShares *x, int32_t i) {
    return rbv_shares_friction_margin(x, i) < 0 ? rbv_sliding_strain(x->sliding, i) : 0;
}

static double drive_over(const RbvShares *x, int32_t i) {
    const RbvSlipping *s = x->slipping;
    return rbv_slipping_needs_more(s, i) ? fabs(s->effort[i]) / rbv_max(rbv_slipping_limit(s, i), 1e-300) : 0;
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

/* Decides the ranks of the active rows at the state; blocks are found anew when other rows are active than before. */
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
        /* Smaller contradictions of rows, as a part of the accelerations that sum up to that of a row, are ignored. */
        if (fabs(work) > RBV_SAME * size)
            return true;
    }
    return false;
}

/* Takes all items that slide in the motion that begins, with velocities in proportion to share->z; sets sliding->effort
 * to the friction that then acts, slipping->effort to the signs of drives' efforts. z of a limit (l, f) acts against f.
 */
static void take_motion(RbvShares *x, const BlockShare *share) {
    RbvSliding *s = x->sliding;
    double most = 0;
    for (int32_t k = 0; k < share->limits; k++)
        most = rbv_max(most, share->z[share->cone[k].first]);
    for (int32_t k = 0; k < share->limits; k++) {
        const ShareLimit *limit = &share->limit[k];
        const double *z = share->z + share->cone[k].first;
        /* Friction contacts that are slower than this part of the largest velocity of the motion that begins stick. */
        if (!(z[0] > RBV_FITS * most))
            continue;
        if (limit->drive >= 0) {
            x->drive[limit->drive] = true;
            x->slipping->effort[limit->drive] = z[1] > 0 ? -1 : 1;
        }
        if (limit->friction < 0)
            continue;
        int32_t i = share->friction[limit->friction];
        const RbvFrictionContact *friction = rbv_sliding_contact(s, i);
        RbvSlipVector force;
        block_share_force(share, limit->friction, force);
        bool unloaded = length_of(force) == 0; /* no load presses the contact: it is dragged along */
        for (int c = 0; c < friction->count && unloaded; c++)
            force[c] = -z[1 + c];
        for (int c = 0; c < friction->count; c++)
            s->effort[i][c] = force[c] * friction->slip[c].lever;
        x->friction[i] = true;
    }
}

/* Takes the friction contact furthest beyond its limit; if there is none, the drive. */
static void take_worst(RbvShares *x, int32_t block) {
    int32_t friction = worst(x, false, block), drive = worst(x, true, block);
    if (friction >= 0)
        x->friction[friction] = true;
    else if (drive >= 0)
        x->drive[drive] = true;
}

/* Decides what gives way in block b, which has an item beyond its limit: perhaps nothing. */
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
