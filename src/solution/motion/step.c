/* Parts of one step of a driven motion besides its Newton iteration (motion.c): the predicted position, the position by
 * integration where there are rows on rates, the turns of idle spins, and the number of steps between two samples.
 *
 * Prediction: over the two last accepted states each number of v is the cubic with their v and v',
 *   v(t + h) = v + a h + c_2 h^2 + c_3 h^3,   movement = v h + a h^2/2 + c_2 h^3/3 + c_3 h^4/4,
 * with v, a at the last one and h [s] from there. With only one state c_2 = c_3 = 0. */
#include "core/base/diagnostics.h"
#include "core/base/extremes.h"
#include "core/base/tolerances.h"
#include "solution/motion/motion.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Steps longer than this multiple of the step before, or against its direction, are predicted from the last state
 * alone. */
#define LONGEST_REACH 2.5

void rbv_motion_save_rates(RbvMotion *motion, double t) {
    size_t size = (size_t)motion->n * sizeof(double);
    motion->before.span = motion->followed ? t - motion->previous : 0;
    memcpy(motion->before.v, motion->saved.v, size);
    memcpy(motion->before.a, motion->saved.a, size);
    memcpy(motion->saved.v, motion->state->v, size);
    memcpy(motion->saved.a, motion->state->a, size);
    motion->followed = true;
}

/* Factors of c_2 h^3/3 + c_3 h^4/4: c_2 = 3 A - B, c_3 = (2 A - B) / H, with A = (v_before - v + a H) / H^2 and
 * B = (a - a_before) / H, H [s] from the state before to the last one. */
typedef struct HigherTerms {
    double H, of_A, of_B;
} HigherTerms;

static inline double higher_term(const RbvMotion *motion, const HigherTerms *by, int32_t k) {
    const double a = motion->saved.a[k];
    return by->of_A * (motion->before.v[k] - motion->saved.v[k] + a * by->H) - by->of_B * (a - motion->before.a[k]);
}

void rbv_motion_predict(RbvMotion *motion, double h) {
    const double *v = motion->saved.v, *a = motion->saved.a, H = motion->before.span, half = 0.5 * h;
    double *restrict x = motion->x;
    for (int32_t k = 0; k < motion->n; k++)
        x[k] = h * (v[k] + half * a[k]);
    if (H * h <= 0 || fabs(h) > LONGEST_REACH * fabs(H))
        return;
    const double r = h / H;
    const HigherTerms by = {H, h * r * r * (1 + r / 2), h * h * r * (1.0 / 3 + r / 4)};
    double most = 0;
    for (int32_t k = 0; k < motion->n; k++)
        most = rbv_max(most, fabs(higher_term(motion, &by, k)) * motion->share[k]);
    /* The terms with c_2 and c_3 are omitted where they are below this part of the size for all numbers: they may be
     * rounding of velocities and accelerations. */
    for (int32_t k = 0; k < motion->n && most > RBV_CANCELLED; k++)
        x[k] += higher_term(motion, &by, k);
}

/* Motion with rows on rates: positions are the integral of v(q, t), C v = nu, so that rolling and sliding edges are
 * followed.
 *
 * One step of Gragg, Bulirsch and Stoer: modified midpoint rules with 2, 4, 6, ... substeps, whose errors are even in
 * the substep, extrapolated to zero substep. The holonomic rows are then satisfied to the same order, and motion.c
 * corrects their remaining residual with the rows' own factors.
 */

/* Largest difference of the last two extrapolations, over the size of the mechanism: rounding of the right-hand sides
 * is near 1e-15. */
#define ROLL_EXACT 3e-14

/* rate[position_size]: q' as plain numbers (of quaternions too), at q and t. Newton's method for v starts from the
 * velocity continued linearly from the saved state: a speed that passes through zero changes its sign there and does
 * not bounce. Changes q, v and t of the state. False: not finite, singular, or no convergence. */
static bool rate_at(RbvMotion *motion, const double *q, double t, double *rate) {
    RbvState *state = motion->state;
    const RbvCoordinates *coordinates = &motion->system->coordinates;
    memcpy(state->q, q, (size_t)coordinates->position_size * sizeof *q);
    rbv_coordinates_renew(coordinates, state->q);
    for (int32_t k = 0; k < motion->n; k++)
        state->v[k] = motion->saved.v[k] + (t - motion->previous) * motion->saved.a[k];
    state->t = t;
    bool good = rbv_state_place(state) && state->singular_measure < 0 && rbv_motion_factor(motion) &&
                rbv_motion_velocity(motion);
    if (good)
        rbv_coordinates_rate(coordinates, q, state->v, rate);
    return good;
}

/* out: q at t0 + H by the modified midpoint rule with `count` substeps, from q0 with the rate r0. before, here, rate:
 * workspace. All vectors are [position_size]. */
static bool midpoint(RbvMotion *motion, double t0, double H, int count, const double *q0, const double *r0,
                     double *before, double *here, double *rate, double *out) {
    int32_t n = motion->system->coordinates.position_size;
    double h = H / count;
    memcpy(before, q0, (size_t)n * sizeof *q0);
    for (int32_t k = 0; k < n; k++)
        here[k] = q0[k] + h * r0[k];
    for (int step = 1; step < count; step++) {
        if (!rate_at(motion, here, t0 + step * h, rate))
            return false;
        for (int32_t k = 0; k < n; k++) {
            double next = before[k] + 2 * h * rate[k];
            before[k] = here[k];
            here[k] = next;
        }
    }
    if (!rate_at(motion, here, t0 + H, rate))
        return false;
    for (int32_t k = 0; k < n; k++)
        out[k] = 0.5 * (here[k] + before[k] + h * rate[k]);
    return true;
}

bool rbv_motion_roll(RbvMotion *motion, double t0, double t1) {
    const RbvCoordinates *coordinates = &motion->system->coordinates;
    size_t n = (size_t)coordinates->position_size;
    const double *q0 = motion->saved.q;
    double *table = motion->table, *before = table + RBV_ROLL_COLUMNS * n, *here = before + n, *rate = here + n,
           *rate0 = rate + n;
    memcpy(motion->state->v, motion->saved.v, (size_t)motion->n * sizeof(double));
    rbv_coordinates_rate(coordinates, q0, motion->saved.v, rate0);
    for (int row = 0; row < RBV_ROLL_COLUMNS; row++) {
        double *fresh = table + (size_t)row * n, change = 0;
        if (!midpoint(motion, t0, t1 - t0, 2 * (row + 1), q0, rate0, before, here, rate, fresh))
            return false;
        /* Neville: column j of this row from column j-1 of this row and of the last one, which the table holds */
        for (size_t k = 0; k < n; k++) {
            double value = fresh[k], gain = 0;
            for (int j = 1; j <= row; j++) {
                double *cell = &table[(size_t)(j - 1) * n + k], old = *cell, ratio = (double)(row + 1) / (row + 1 - j);
                *cell = value;
                gain = (value - old) / (ratio * ratio - 1);
                value += gain;
            }
            fresh[k] = value;
            change = rbv_max(change, fabs(gain) * motion->scale[k] / (1 + fabs(q0[k]) * motion->scale[k]));
        }
        if (row > 1 && change <= ROLL_EXACT) {
            memcpy(motion->state->q, fresh, n * sizeof(double));
            rbv_coordinates_renew(coordinates, motion->state->q);
            motion->state->t = t1;
            return true;
        }
        if (!isfinite(change))
            return false;
    }
    return false;
}

/* Idle spins along a motion: the turn of a rod about its own line, with the unit vector u from its first marker to its
 * second. The row w.u = 0 belongs to the spin.
 *
 * Position is solved with the row u.dtheta = 0 in every correction, which leaves the turn about u as predicted. Over a
 * step h the true turn of the body's axes A is that of Magnus, with angular velocities w0, w1 and accelerations alpha0,
 * alpha1 at its ends,
 *
 *   A(t + h) = exp(Omega) A(t),   Omega = h/2 (w0 + w1) + h^2/12 (alpha0 - alpha1 + w1 x w0) + O(h^5),
 *
 * all in ground axes, and its missing part about u is added once the step is accepted. No other row and no force
 * depends on it.
 */

/* If the turn of a step differs from that of Magnus across u by more than this [rad], the step was a leap and not a
 * motion: no turn is added. */
#define LEAP 0.05

bool rbv_motion_create_idle(RbvMotion *motion) {
    size_t count = (size_t)motion->system->idle_count + 1;
    motion->idle = rbv_arena_array(&motion->arena, count, sizeof *motion->idle);
    return motion->idle != NULL;
}

/* Orientation, angular velocity and angular acceleration of the body in the present state. */
static RbvIdle idle_at_state(const RbvMotion *motion, const RbvLineSpin *spin) {
    const RbvState *state = motion->state;
    return (RbvIdle){state->bodies[spin->body].p, state->twists[spin->body].w, state->accelerations[spin->body].w};
}

/* Missing turn of a body about u [rad], positive by the right hand: from the orientation `to` on to the one that the
 * turn of Magnus reaches from `from` in h [s]. */
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

/* Turn the body about its line by `angle` [rad]: the movement x with D_I x = angle in the row of the spin, 0 in all
 * others, which moves no other body. */
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
        /* Corrections below this [rad] are rounding. */
        if (fabs(angle) > RBV_EXACT) {
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

/* Number of steps of a motion between two samples: the progress function is called before every step, and a motion that
 * would take too many steps is refused with a report.
 *
 * A step turns no body by more than a quarter of a radian (motion.c), so a drive c(t) that goes to and fro takes 4 int
 * |c'| dt steps between two samples, 25 for each turn. The integral is estimated from rates at instants that coincide
 * with no period of the drive, the multiples of the golden ratio.
 */

/* Most steps between two samples: some 150 000 turns with the rejected trial steps, a minute of a small mechanism. */
#define MOST_PACE_STEPS 1e7
/* Least number of steps for one turn; rejected trial steps come on top. */
#define STEPS_OF_A_TURN 25
/* Instants between two samples at which a drive's rate is taken. */
#define INSTANTS 256
#define GOLDEN 0.6180339887498949
#define TURN 6.283185307179586

/* Total variation of the target of drive k between the samples [rad or m]; along a prescribed path (targets) the
 * difference of its ends. */
static double variation(RbvState *state, const RbvPace *pace, int32_t k) {
    const RbvSystem *system = state->system;
    const RbvRow *row = &system->rows[system->drive_row[k]];
    double sum = 0;
    if (state->targets)
        return fabs(state->targets[k].end[0] - state->targets[k].start[0]);
    if (!row->target || !rbv_state_holds(state, system->drive_row[k]) || rbv_expr_variable_count(row->target) != 1)
        return 0;
    for (int n = 0; n < INSTANTS; n++) {
        double part = n * GOLDEN, t = pace->from + (pace->to - pace->from) * (part - floor(part)), first, second;
        rbv_expr_jet(row->target, &t, state->work, &first, &second);
        sum += isfinite(first) ? fabs(first) : 0;
    }
    return sum / INSTANTS * fabs(pace->to - pace->from);
}

/* The drive with the largest variation, and that variation in turns; a length counts as an angle at the arm of the part
 * that it moves. -1: no drives. */
static int32_t fastest(RbvState *state, const RbvPace *pace, double *turns) {
    const RbvSystem *system = state->system;
    int32_t which = -1;
    *turns = 0;
    for (int32_t k = 0; k < system->model->drives.count; k++) {
        bool angular = system->rows[system->drive_row[k]].angular;
        double of_drive =
            variation(state, pace, k) / (TURN * (angular ? 1 : rbv_state_row_arm(state, system->drive_row[k])));
        if (which < 0 || of_drive > *turns) {
            *turns = of_drive;
            which = k;
        }
    }
    return which;
}

static void report_pace(const RbvState *state, RbvDiagnostics *diagnostics, const RbvPace *pace, int32_t drive,
                        double turns) {
    const RbvSystem *system = state->system;
    const RbvModel *model = system->model;
    if (drive < 0) {
        rbv_diagnose(diagnostics, RBV_ERROR, model->file, (RbvPosition){0, 0},
                     "the motion cannot be followed between the samples at t = %.9g s and %.9g s: it takes more than "
                     "%.0g steps; motion: wants a smaller step",
                     pace->from, pace->to, MOST_PACE_STEPS);
        return;
    }
    bool angular = system->rows[system->drive_row[drive]].angular;
    double distance = turns * TURN * (angular ? 1 : rbv_state_row_arm(state, system->drive_row[drive]));
    rbv_diagnose(diagnostics, RBV_ERROR, model->file, model->drives.items[drive].where,
                 angular ? "the motion of drive '%s' turns about %.1g times between two samples, from t = %.9g s to "
                           "%.9g s: so fast a motion is not followed. Is it in the right "
                           "unit? Else motion: wants a smaller step"
                         : "the motion of drive '%s' goes about %.1g m up and down between two samples, from t = %.9g "
                           "s to %.9g s: so fast a motion is not followed. Is it "
                           "in the right unit? Else motion: wants a smaller step",
                 model->drives.items[drive].name, angular ? turns : distance, pace->from, pace->to);
}

RbvStatus rbv_motion_pace(RbvMotion *motion, RbvPace *pace) {
    if (rbv_progress_stops(motion->state->progress))
        return RBV_INTERRUPTED;
    pace->steps++;
    double span = fabs(pace->to - pace->from), done = fabs(motion->previous - pace->from) / span;
    if (pace->steps < RBV_SURE_STEPS || pace->steps <= MOST_PACE_STEPS * done)
        return RBV_OK;
    double turns;
    int32_t drive = fastest(motion->state, pace, &turns);
    report_pace(motion->state, motion->diagnostics, pace, turns * STEPS_OF_A_TURN < 0.01 * MOST_PACE_STEPS ? -1 : drive,
                turns);
    return RBV_LOCKED;
}

bool rbv_outruns(RbvState *state, const RbvPace *pace, RbvDiagnostics *diagnostics) {
    double turns;
    int32_t drive = fastest(state, pace, &turns);
    if (drive < 0 || turns * STEPS_OF_A_TURN <= MOST_PACE_STEPS)
        return false;
    report_pace(state, diagnostics, pace, drive, turns);
    return true;
}
