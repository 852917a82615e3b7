/* The independent rows C_I of a driven motion at the placed state: their factors, the right-hand sides gathered, and v from C_I v = nu.
 *
 * Rows of equations on rates depend on v itself: there C v = nu is the linearization about v, and solving it anew is Newton's method.
 */
#include "motion/motion.h"

#include <stdlib.h>
#include <string.h>

/* Newton on velocities: from the last v it converges in a few steps, or not at all. */
#define MOST_NEWTON 25
#define NEWTON_EXACT 1e-14

/* Are the independent rows of a large system all its rows, in order? */
static bool takes_all(const RbvMotion *motion) {
    bool all = motion->n > RBV_LU_DENSE_LIMIT;
    for (int32_t k = 0; all && k < motion->n; k++)
        all = motion->solvability->independent[k] == k;
    return all;
}

/* C_I is C itself. */
static bool lend_rows(RbvMotion *motion) {
    const RbvRowPattern *C = &motion->system->C;
    for (int32_t k = 0; k < motion->system->held_count; k++)
        motion->place_of[k] = k < motion->n ? k : -1;
    rbv_lu_destroy(motion->lu);
    motion->lu = rbv_lu_create_lent(motion->n, C->start, C->column);
    motion->lent = true;
    return motion->lu != NULL;
}

bool rbv_motion_take_rows(RbvMotion *motion) {
    const RbvSystem *system = motion->system;
    const RbvSolvability *s = motion->solvability;
    size_t most = (size_t)system->C.start[system->held_count];
    motion->row_sets++;
    if (takes_all(motion))
        return lend_rows(motion);
    motion->lent = false;
    if (!motion->pattern)
        motion->pattern = malloc(((size_t)motion->n + 1 + most) * sizeof *motion->pattern);
    if (!motion->pattern)
        return false;
    int32_t at = 0, *start = motion->pattern, *index = start + motion->n + 1;
    for (int32_t k = 0; k < system->held_count; k++)
        motion->place_of[k] = -1;
    for (int32_t k = 0; k < motion->n; k++) {
        int32_t row = s->independent[k];
        motion->place_of[row] = k;
        start[k] = at;
        for (int32_t e = system->C.start[row]; e < system->C.start[row + 1]; e++)
            index[at++] = system->C.column[e];
    }
    start[motion->n] = at;
    if (motion->lu && rbv_lu_take_pattern(motion->lu, start, index))
        return true;
    rbv_lu_destroy(motion->lu);
    motion->lu = rbv_lu_create(motion->n, start, index);
    if (motion->n > RBV_LU_DENSE_LIMIT) { /* factors of other rows are allocated anew, so may their pattern be */
        free(motion->pattern);
        motion->pattern = NULL;
    }
    return motion->lu != NULL;
}

bool rbv_motion_factor(RbvMotion *motion) {
    const RbvSystem *system = motion->system;
    rbv_state_jacobian(motion->state);
    if (motion->lent)
        return rbv_lu_factor(motion->lu, motion->state->C, &motion->state->no_memory);
    double *to = rbv_lu_entries(motion->lu);
    for (int32_t k = 0; k < motion->n; k++) {
        int32_t row = motion->solvability->independent[k], count = system->C.start[row + 1] - system->C.start[row];
        memcpy(to, motion->state->C + system->C.start[row], (size_t)count * sizeof(double));
        to += count;
    }
    return rbv_lu_factor(motion->lu, rbv_lu_entries(motion->lu), &motion->state->no_memory);
}

void rbv_motion_gather(const RbvMotion *motion, const double *rows, double sign, double *out) {
    for (int32_t k = 0; k < motion->n; k++)
        out[k] = sign * rows[motion->solvability->independent[k]];
}

bool rbv_motion_velocity(RbvMotion *motion) {
    RbvState *state = motion->state;
    for (int pass = 0; pass < MOST_NEWTON; pass++) {
        if (!rbv_state_rates(state))
            return false;
        rbv_motion_gather(motion, state->nu, 1, motion->x);
        rbv_lu_solve(motion->lu, motion->x);
        double change = 0, size = 0;
        for (int32_t k = 0; k < motion->n; k++) {
            change = fmax(change, fabs(motion->x[k] - state->v[k]) * motion->share[k]);
            size = fmax(size, fabs(motion->x[k]) * motion->share[k]);
        }
        memcpy(state->v, motion->x, (size_t)motion->n * sizeof(double));
        if (!isfinite(size))
            return false;
        if (!motion->system->rate_equations || change <= NEWTON_EXACT * size)
            return true;
        if (!rbv_state_place(state) || !rbv_motion_factor(motion))
            return false;
    }
    return false;
}

void rbv_motion_save_position(const RbvMotion *motion, double *q) {
    memcpy(q, motion->state->q, (size_t)motion->system->coordinates.position_size * sizeof *q);
}

void rbv_motion_restore_position(RbvMotion *motion, const double *q) {
    memcpy(motion->state->q, q, (size_t)motion->system->coordinates.position_size * sizeof *q);
}
