/* Idle spins along a motion: the turn of a rod about its own line, which the row w.u = 0 controls.
 *
 * Position is solved with the row u.dtheta = 0 in every correction, which leaves the turn about u as predicted. Over a
 * step h the true turn of the body's axes A is that of Magnus, with angular velocities w0, w1 and accelerations alpha0,
 * alpha1 at its ends,
 *
 *   A(t + h) = exp(Omega) A(t),   Omega = h/2 (w0 + w1) + h^2/12 (alpha0 - alpha1 + w1 x w0) + O(h^5),
 *
 * and its missing part about u is added once the step is accepted. No other row and no force depends on it.
 */
#include "solution/motion/motion.h"

#include <stdlib.h>
#include <string.h>

/* A step whose turn differs from that of Magnus by more than this [rad] was a leap and not a motion: no turn is
 * added. */
#define LEAP 0.05
/* Corrections below this [rad] are rounding. */
#define TURN_ROUNDING 1e-15

bool rbv_motion_create_idle(RbvMotion *motion) {
    size_t count = (size_t)motion->system->idle_count + 1;
    motion->idle = calloc(count, sizeof *motion->idle);
    return motion->idle != NULL;
}

/* Turn, angular velocity and angular acceleration of the body at the accepted state. */
static RbvIdle idle_at_state(const RbvMotion *motion, const RbvLineSpin *spin) {
    const RbvState *state = motion->state;
    return (RbvIdle){state->bodies[spin->body].p, state->twists[spin->body].w, state->accelerations[spin->body].w};
}

/* Missing turn of a body about u [rad]. */
static double missing_turn(const RbvIdle *from, const RbvIdle *to, RbvVec3 u, double h) {
    RbvVec3 rates = rbv_scale(0.5 * h, rbv_add(from->w, to->w));
    RbvVec3 curved = rbv_add(rbv_sub(from->alpha, to->alpha), rbv_cross(to->w, from->w));
    RbvQuat whole = rbv_quat_product(rbv_quat_of_vector(rbv_add_scaled(rates, h * h / 12, curved)), from->p);
    RbvQuat rest = rbv_quat_product(whole, rbv_quat_conjugate(to->p));
    if (rest.w < 0)
        rest = (RbvQuat){-rest.w, rbv_scale(-1, rest.e)};
    if (2 * rbv_norm(rbv_cross(u, rest.e)) > LEAP)
        return 0;
    return 2 * atan2(rbv_dot(u, rest.e), rest.w);
}

/* Turn the body about its line by `angle`: the motion s of D_I s = e, which moves no other body. */
static void turn_body(RbvMotion *motion, const RbvLineSpin *spin, double angle) {
    memset(motion->x, 0, (size_t)motion->D->n * sizeof *motion->x);
    for (int32_t k = motion->solvability->rank; k < motion->D->n; k++)
        if (motion->solvability->independent[k] == spin->row)
            motion->x[k] = angle;
    rbv_lu_solve(motion->D->lu, motion->x);
    rbv_motion_displace(motion, motion->x);
}

void rbv_motion_spin(RbvMotion *motion, double t) {
    const RbvSystem *system = motion->system;
    RbvState *state = motion->state;
    bool turned = false;
    if (system->idle_count == 0)
        return;
    rbv_state_accelerate(state);
    for (int32_t k = 0, n = 0; k < system->spin_count; k++) {
        const RbvLineSpin *spin = &system->spins[k];
        if (spin->row < 0)
            continue;
        RbvIdle now = idle_at_state(motion, spin);
        const RbvMarkerState *a = &state->markers[spin->marker[0]], *b = &state->markers[spin->marker[1]];
        RbvVec3 d = rbv_sub(b->point, a->point);
        bool follows = motion->started && system->rate_count == 0; /* rows on rates, of spins too: integrated */
        double angle =
            follows ? missing_turn(&motion->idle[n], &now, rbv_scale(1 / rbv_norm(d), d), t - motion->previous) : 0;
        if (fabs(angle) > TURN_ROUNDING) {
            turn_body(motion, spin, angle);
            turned = true;
        }
        motion->idle[n++] = now;
    }
    if (!turned)
        return;
    rbv_state_place(state); /* rows may be written in the turned axes */
    rbv_motion_factor(motion);
    rbv_motion_factor_bodies(motion);
    if (system->coordinates.of_bodies ||
        !rbv_motion_rates(motion)) /* twists stay; other velocities may be written in the turned axes */
        rbv_state_move(state);
    for (int32_t k = 0, n = 0; k < system->spin_count; k++)
        if (system->spins[k].row >= 0)
            motion->idle[n++].p = state->bodies[system->spins[k].body].p;
}
