/* Items that give way; see shares.h. */
#include "dynamics/contact/shares.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Relative to the limit: rounding. */
#define LIMIT 1e-10
/* Relative to the accelerations that sum up to that of a row: smaller contradictions of rows are ignored. */
#define CONTRADICTS 1e-9
/* Relative to the largest velocity of the motion that begins: slower friction contacts stick. */
#define SLIDES 1e-6

bool rbv_shares_create(RbvShares *x, RbvFlow *flow) {
    size_t rows = (size_t)flow->system->row_count + 1;
    *x = (RbvShares){.flow = flow};
    bool contacts = rbv_contacts_create(&x->contacts, flow->system);
    x->rows = calloc(rows, sizeof *x->rows);
    x->asked = calloc(rows, sizeof *x->asked);
    x->friction = calloc((size_t)flow->sliding.count + 1, sizeof *x->friction);
    x->drive = calloc((size_t)flow->slipping.count + 1, sizeof *x->drive);
    return contacts && x->rows && x->asked && x->friction && x->drive;
}

void rbv_shares_destroy(RbvShares *x) {
    rbv_contacts_destroy(&x->contacts);
    rbv_solvability_destroy(x->solvability);
    free(x->rows);
    free(x->asked);
    free(x->friction);
    free(x->drive);
    *x = (RbvShares){0};
}

bool rbv_shares_any(const RbvShares *x) {
    for (int32_t i = 0; i < x->flow->sliding.count; i++)
        if (x->friction[i])
            return true;
    for (int32_t i = 0; i < x->flow->slipping.count; i++)
        if (x->drive[i])
            return true;
    return false;
}

double rbv_shares_friction_margin(const RbvShares *x, int32_t i) {
    return 1 + LIMIT - rbv_sliding_strain(&x->flow->sliding, i);
}

/* Ratio of force to limit of a friction contact, or a drive, in the motion's choice of multipliers; 0: within the
 * limit. */
static double friction_over(const RbvShares *x, int32_t i) {
    return rbv_shares_friction_margin(x, i) < 0 ? rbv_sliding_strain(&x->flow->sliding, i) : 0;
}

static double drive_over(const RbvShares *x, int32_t i) {
    const RbvSlipping *s = &x->flow->slipping;
    return rbv_slipping_needs_more(s, i) ? fabs(s->effort[i]) / fmax(rbv_slipping_limit(s, i), 1e-300) : 0;
}

static int32_t friction_row(const RbvShares *x, int32_t i) {
    return rbv_sliding_contact(&x->flow->sliding, i)->stick_row;
}

static int32_t drive_row(const RbvShares *x, int32_t i) {
    return x->flow->system->drive_row[x->flow->slipping.drive[i]];
}

/* Returns the friction contact, or drive, furthest beyond its limit in one block (-1: in all blocks not yet examined);
 * -1: none. */
static int32_t worst(const RbvShares *x, bool drives, int32_t block) {
    int32_t found = -1, count = drives ? x->flow->slipping.count : x->flow->sliding.count;
    double most = 0;
    for (int32_t i = 0; i < count; i++) {
        double over = drives ? drive_over(x, i) : friction_over(x, i);
        if (!(over > most))
            continue;
        int32_t own =
            x->solvability ? rbv_solvability_block(x->solvability, drives ? drive_row(x, i) : friction_row(x, i)) : -1;
        if (block >= 0 ? own != block : own >= 0 && x->asked[own])
            continue;
        most = over;
        found = i;
    }
    return found;
}

/* Decides the ranks of the active rows. */
static RbvStatus decide_ranks(RbvShares *x) {
    const RbvState *state = x->flow->state;
    const RbvSystem *system = x->flow->system;
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
static double size_of_row(const RbvFlow *flow, int32_t k) {
    const RbvState *state = flow->state;
    const RbvRowPattern *C = &flow->system->C;
    const double *inverse_mass = rbv_saddle_inverse_mass(flow->saddle);
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
            work += n * x->flow->state->gamma[block->rows[r]];
            size += fabs(n) * size_of_row(x->flow, block->rows[r]);
        }
        if (fabs(work) > CONTRADICTS * size)
            return true;
    }
    return false;
}

/* Takes all items that slide in the motion that begins, with the friction that then acts. */
static void take_motion(RbvShares *x, const RbvBlockShare *share) {
    RbvSliding *s = &x->flow->sliding;
    double most = 0;
    for (int32_t n = 0; n < share->limits; n++)
        most = fmax(most, share->z[n]);
    for (int32_t n = 0; n < share->limits; n++) {
        const RbvShareLimit *limit = &share->limit[n];
        if (!(share->z[n] > SLIDES * most))
            continue;
        if (limit->drive >= 0) {
            x->drive[limit->drive] = true;
            x->flow->slipping.effort[limit->drive] = limit->slip[0];
        }
        if (limit->friction < 0)
            continue;
        int32_t i = share->friction[limit->friction];
        const RbvFrictionContact *friction = rbv_sliding_contact(s, i);
        RbvSlipVector force;
        rbv_block_share_force(share, limit->friction, force);
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
    int32_t drive = worst(x, true, b);
    if (!rbv_has_null(&x->solvability->ranks[b])) {
        take_worst(x, b);
        return RBV_OK;
    }
    if (contradicts(x, b)) {
        if (drive >= 0)
            x->drive[drive] = true;
        else
            take_worst(x, b);
        return RBV_OK;
    }
    RbvBlockShare share;
    RbvStatus status = rbv_block_share_create(&share, x->flow, &x->contacts, x->solvability, b, x->flow->lambda)
                           ? RBV_OK
                           : RBV_NO_MEMORY;
    if (status == RBV_OK && !rbv_block_share_solve(&share, false)) {
        take_motion(x, &share);
        if (!rbv_shares_any(x))
            take_worst(x, b);
    }
    rbv_block_share_destroy(&share);
    return status;
}

RbvStatus rbv_shares_find(RbvShares *x) {
    const RbvSliding *s = &x->flow->sliding;
    bool sticks = false;
    memset(x->friction, 0, (size_t)s->count * sizeof *x->friction);
    memset(x->drive, 0, (size_t)x->flow->slipping.count * sizeof *x->drive);
    for (int32_t i = 0; i < s->count; i++)
        sticks = sticks || !s->slides[i];
    if (!sticks) { /* only drives */
        int32_t drive = -1;
        double most = 0;
        for (int32_t i = 0; i < x->flow->slipping.count; i++)
            if (drive_over(x, i) > most) {
                most = drive_over(x, i);
                drive = i;
            }
        if (drive >= 0)
            x->drive[drive] = true;
        return RBV_OK;
    }
    bool any = false;
    for (int32_t i = 0; !any && i < s->count; i++)
        any = friction_over(x, i) > 0;
    for (int32_t i = 0; !any && i < x->flow->slipping.count; i++)
        any = drive_over(x, i) > 0;
    RbvStatus status = any ? decide_ranks(x) : RBV_OK;
    if (any)
        memset(x->asked, 0, (size_t)x->flow->system->row_count * sizeof *x->asked);
    for (int drives = 0; any && drives < 2; drives++)
        for (int32_t i; status == RBV_OK && !rbv_shares_any(x) && (i = worst(x, drives, -1)) >= 0;) {
            int32_t b = rbv_solvability_block(x->solvability, drives ? drive_row(x, i) : friction_row(x, i));
            x->asked[b] = true;
            status = verify_block(x, b);
        }
    return status;
}

RbvStatus rbv_shares_admit(RbvShares *x, const RbvSolvability *s, double *lambda) {
    const RbvSliding *sliding = &x->flow->sliding;
    RbvStatus status = RBV_OK;
    memset(x->asked, 0, (size_t)x->flow->system->row_count * sizeof *x->asked);
    for (int32_t i = 0; status == RBV_OK && i < sliding->count; i++) {
        if (sliding->slides[i])
            continue;
        int32_t b = rbv_solvability_block(s, friction_row(x, i));
        if (x->asked[b] || !rbv_has_null(&s->ranks[b]))
            continue;
        x->asked[b] = true;
        RbvBlockShare share;
        status = rbv_block_share_create(&share, x->flow, &x->contacts, s, b, lambda) ? RBV_OK : RBV_NO_MEMORY;
        if (status == RBV_OK && !rbv_block_share_fits(&share) && rbv_block_share_solve(&share, true))
            rbv_block_share_take(&share, lambda);
        rbv_block_share_destroy(&share);
    }
    return status;
}
