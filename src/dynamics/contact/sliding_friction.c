/* A single friction contact: slip velocity, slip directions, beginning of slip; see sliding.h. */
#include "dynamics/contact/sliding.h"

#include "core/linalg/small.h"
#include "dynamics/contact/first_slip.h"

#include <math.h>
#include <string.h>

/* Relative to the slip speed: remaining velocity across the direction of contacts that begin to slide; these depend on
 * each other, so several passes may be needed. */
#define ALIGNED 1e-12
#define MOST_ALIGNMENTS 10
/* Relative to the largest load: smaller forces are rounding. */
#define ROUNDED 1e-13

const RbvFrictionContact *rbv_sliding_contact(const RbvSliding *s, int32_t i) {
    return &s->state->system->friction[s->friction[i]];
}

const RbvJoint *rbv_sliding_joint(const RbvSliding *s, int32_t i) {
    return &s->state->system->model->joints.items[rbv_sliding_contact(s, i)->joint];
}

/* Where all slip directions are rotations, slip velocity over this is the angular velocity. */
static double scale(const RbvFrictionContact *friction) {
    return friction->slip[0].angular ? friction->slip[0].lever : 1;
}

double rbv_sliding_forward(const RbvSliding *s, int32_t i) {
    const RbvFrictionContact *friction = rbv_sliding_contact(s, i);
    RbvSlipVector u;
    rbv_friction_slide(s->state, friction, u);
    return (s->toward[i][0] * u[0] + s->toward[i][1] * u[1] + s->toward[i][2] * u[2]) / scale(friction);
}

double rbv_sliding_rate(const RbvSliding *s, int32_t i) {
    RbvSlipVector u;
    return rbv_friction_slide(s->state, rbv_sliding_contact(s, i), u) / scale(rbv_sliding_contact(s, i));
}

bool rbv_sliding_is_slow(const RbvSliding *s, int32_t i) {
    RbvSlipVector u;
    return rbv_sliding_contact(s, i)->count > 1 &&
           rbv_friction_slide(s->state, rbv_sliding_contact(s, i), u) <= s->slow[i];
}

double rbv_sliding_limit(const RbvSliding *s, int32_t i) {
    const RbvJoint *joint = rbv_sliding_joint(s, i);
    return s->loose[i] ? joint->sizes->friction : joint->sizes->friction_static;
}

/* Rounding of forces at friction contact i, from the loads and centrifugal forces in its part: joints of a body in free
 * fall carry no more, and contacts pressed by rounding alone could neither stick nor slide. */
static double rounding_at(const RbvSliding *s, int32_t i) {
    const RbvState *state = s->state;
    const RbvSystem *system = state->system;
    const RbvJoint *joint = rbv_sliding_joint(s, i);
    int32_t first = system->model->markers.items[joint->marker[0]].body,
            second = system->model->markers.items[joint->marker[1]].body,
            part = system->part[second > 0 ? second : first];
    double most = 0;
    for (int32_t b = 1; b < system->bodies.count; b++) {
        double arm = rbv_state_body_arm(state, b),
               pull = system->model->bodies.items[b].mass * rbv_dot(state->twists[b].w, state->twists[b].w) * arm;
        if (system->part[b] == part)
            most = fmax(most, fmax(pull, fmax(rbv_norm(state->wrenches[b].force),
                                              arm > 0 ? rbv_norm(state->wrenches[b].torque) / arm : 0)));
    }
    return ROUNDED * most;
}

double rbv_sliding_strain(const RbvSliding *s, int32_t i) {
    const RbvFrictionContact *friction = rbv_sliding_contact(s, i);
    double sum = 0, limit = rbv_sliding_limit(s, i) * s->load[i];
    for (int c = 0; c < friction->count; c++)
        sum += s->effort[i][c] * s->effort[i][c] / (friction->slip[c].lever * friction->slip[c].lever);
    bool over = !s->slides[i] && sum > limit * limit;
    return s->slides[i] || !(sum > 0) || (over && sqrt(sum) <= rounding_at(s, i)) ? 0 : sqrt(sum) / fmax(limit, 1e-300);
}

double rbv_sliding_second(const RbvSliding *s, int32_t i, RbvSlipVector second) {
    const RbvFrictionContact *friction = rbv_sliding_contact(s, i);
    double sum = 0;
    for (int c = 0; c < RBV_MOST_SLIP_DIRECTIONS; c++) {
        second[c] = c < friction->count ? rbv_friction_second(s->state, friction, c) : 0;
        sum += second[c] * second[c];
    }
    return sqrt(sum);
}

bool rbv_sliding_turn(RbvSliding *s, int32_t i) {
    RbvSlipVector u;
    double size = rbv_friction_slide(s->state, rbv_sliding_contact(s, i), u);
    for (int c = 0; size > 0 && c < RBV_MOST_SLIP_DIRECTIONS; c++)
        s->toward[i][c] = u[c] / size;
    return size > 0;
}

void rbv_sliding_release(RbvSliding *s, int32_t i) {
    const RbvFrictionContact *friction = rbv_sliding_contact(s, i);
    double sum = 0;
    RbvSlipVector u;
    s->slow[i] = 2 * rbv_friction_slide(s->state, friction, u);
    for (int c = 0; c < RBV_MOST_SLIP_DIRECTIONS; c++) {
        s->toward[i][c] = c < friction->count ? -s->effort[i][c] / friction->slip[c].lever : 0;
        sum += s->toward[i][c] * s->toward[i][c];
    }
    for (int c = 0; c < RBV_MOST_SLIP_DIRECTIONS; c++)
        s->toward[i][c] /= sqrt(sum);
    s->slides[i] = s->loose[i] = true;
    s->force[i] = 0;
}

void rbv_sliding_begin(RbvSliding *s, int32_t i) {
    memcpy(s->toward[i], s->slip[i], sizeof s->toward[i]);
}

void rbv_sliding_push_unit(RbvSliding *s, int32_t i, const RbvSlipVector slip) {
    const RbvFrictionContact *friction = rbv_sliding_contact(s, i);
    RbvWrench *wrenches = rbv_saddle_wrenches(s->kept_reactions->motion);
    for (int c = 0; c < friction->count; c++)
        rbv_friction_push(s->state, friction, c, slip[c] * friction->slip[c].lever, wrenches);
    rbv_saddle_pull(s->kept_reactions->motion, s->Q);
}

bool rbv_sliding_find_answer(RbvSliding *s, int32_t i) {
    size_t n = (size_t)s->state->system->coordinates.size, rows = (size_t)s->state->system->row_count;
    rbv_sliding_push_unit(s, i, s->slip[i]);
    return rbv_kept_reactions_answer(s->kept_reactions, s->Q, s->a + (size_t)i * n, s->answer + (size_t)i * rows);
}

bool rbv_sliding_find_mobility(RbvSliding *s, int32_t i) {
    int32_t n = s->state->system->coordinates.size;
    int count = rbv_sliding_contact(s, i)->count;
    for (int c = 0; c < count; c++) {
        RbvSlipVector unit = {0};
        unit[c] = 1;
        rbv_sliding_push_unit(s, i, unit);
        if (!rbv_saddle_solve(s->kept_reactions->motion, s->Q, NULL, s->unit, s->unit + n))
            return false;
        for (int d = 0; d < count; d++) {
            RbvSlipVector other = {0};
            other[d] = 1;
            rbv_sliding_push_unit(s, i, other);
            s->mobility[i][3 * c + d] = 0;
            for (int32_t j = 0; j < n; j++)
                s->mobility[i][3 * c + d] += s->unit[j] * s->Q[j];
        }
    }
    return true;
}

double rbv_sliding_moves(RbvSliding *s, int32_t i, const RbvSlipVector slip, double *alone) {
    int32_t n = s->state->system->coordinates.size;
    const double *inverse_mass = rbv_saddle_inverse_mass(s->kept_reactions->motion);
    double moves = 0;
    *alone = 0;
    rbv_sliding_push_unit(s, i, slip);
    bool good = rbv_saddle_solve(s->kept_reactions->motion, s->Q, NULL, s->unit, s->unit + n);
    for (int32_t j = 0; j < n; j++) {
        moves += s->unit[j] * s->Q[j];
        *alone += s->Q[j] * s->Q[j] * inverse_mass[j];
    }
    return good ? moves : NAN;
}

bool rbv_sliding_turn_beginnings(RbvSliding *s, double *change) {
    *change = 0;
    bool good = true, accelerated = false;
    for (int32_t i = 0; good && i < s->count; i++) {
        RbvSlipVector free, slip;
        if (!s->slides[i] || !s->begins[i])
            continue;
        if (!accelerated)
            rbv_state_accelerate(s->state);
        accelerated = true;
        rbv_sliding_second(s, i, free);
        for (int c = 0; c < RBV_MOST_SLIP_DIRECTIONS; c++)
            for (int d = 0; d < RBV_MOST_SLIP_DIRECTIONS; d++)
                free[c] -= s->mobility[i][3 * c + d] * s->force[i] * s->slip[i][d];
        memcpy(slip, s->slip[i], sizeof slip);
        rbv_first_slip(rbv_sliding_contact(s, i)->count, free, s->mobility[i], fabs(s->force[i]), slip);
        for (int c = 0; c < RBV_MOST_SLIP_DIRECTIONS; c++) {
            *change = fmax(*change, fabs(slip[c] - s->slip[i][c]));
            s->slip[i][c] = slip[c];
        }
        good = rbv_sliding_find_answer(s, i);
    }
    return good;
}

/* Builds [P G P + w w^T | -P u], P = I - w w^T for the slip direction w: its solution is the impulse across w after
 * which no velocity across w is left. False: that velocity is rounding, or u points against w. */
static bool place_alignment(const RbvSliding *s, int32_t i, double *A) {
    int n = rbv_sliding_contact(s, i)->count;
    const double *w = s->slip[i], *G = s->mobility[i];
    double along = 0, across = 0, Gw[RBV_MOST_SLIP_DIRECTIONS] = {0}, wGw = 0;
    RbvSlipVector u;
    double size = rbv_friction_slide(s->state, rbv_sliding_contact(s, i), u);
    for (int c = 0; c < n; c++) {
        along += u[c] * w[c];
        for (int d = 0; d < n; d++)
            Gw[c] += G[3 * c + d] * w[d];
        wGw += w[c] * Gw[c];
    }
    for (int c = 0; c < n; c++) {
        double *row = A + c * (n + 1);
        row[n] = along * w[c] - u[c];
        across = fmax(across, fabs(row[n]));
        for (int d = 0; d < n; d++)
            row[d] = G[3 * c + d] - Gw[c] * w[d] - w[c] * Gw[d] + (wGw + 1) * w[c] * w[d];
    }
    return across > ALIGNED * size && along > 0;
}

/* Removes the slip velocity of contact i across its direction by an impulse of friction. True: v has changed. */
static bool align_face(RbvSliding *s, int32_t i) {
    RbvState *state = s->state;
    int32_t n = state->system->coordinates.size;
    int count = rbv_sliding_contact(s, i)->count;
    double A[RBV_MOST_SLIP_DIRECTIONS * (RBV_MOST_SLIP_DIRECTIONS + 1)];
    RbvSlipVector impulse = {0};
    if (!rbv_state_move(state) || !place_alignment(s, i, A) || !rbv_small_solve(A, count, 0))
        return false;
    for (int c = 0; c < count; c++)
        impulse[c] = A[c * (count + 1) + count];
    rbv_sliding_push_unit(s, i, impulse);
    if (!rbv_saddle_solve(s->kept_reactions->motion, s->Q, NULL, s->unit, s->unit + n))
        return false;
    for (int32_t j = 0; j < n; j++)
        state->v[j] += s->unit[j];
    return true;
}

bool rbv_sliding_align(RbvSliding *s) {
    bool ever = false, any = true;
    for (int pass = 0; any && pass < MOST_ALIGNMENTS; pass++) {
        any = false;
        for (int32_t i = 0; i < s->count; i++)
            any = (s->slides[i] && s->begins[i] && align_face(s, i)) || any;
        ever = ever || any;
    }
    return ever;
}

/* Multipliers of joints with friction of their own: where they slide, as if their rows acted. */
void rbv_sliding_place_own(const RbvSliding *s, RbvReactions *reactions) {
    for (int32_t i = 0; i < s->count; i++) {
        const RbvFrictionContact *friction = rbv_sliding_contact(s, i);
        for (int c = 0; friction->own && s->slides[i] && c < friction->count; c++)
            reactions->lambda[friction->stick_row + c] = -s->effort[i][c];
    }
}

/* Sticking friction is the force of its row, chosen together with all others; sliding friction is that of the motion.
 */
void rbv_sliding_print(const RbvSliding *s, RbvReactions *reactions) {
    for (int32_t i = 0; i < s->count; i++) {
        const RbvFrictionContact *friction = rbv_sliding_contact(s, i);
        for (int c = 0; c < friction->count; c++)
            reactions->value[friction->joint][friction->slip[c].component] =
                s->slides[i] ? s->effort[i][c] : -reactions->lambda[friction->stick_row + c];
    }
}
