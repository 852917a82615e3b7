/* Sliding friction; see sliding.h. */
#include "dynamics/contact/sliding.h"

#include "core/linalg/small.h"
#include "dynamics/accelerations/kept_reactions.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_STEPS 60
/* Newton's method ends when it would change no force by more than this part of the largest. */
#define EXACT 1e-13
/* Slip directions of contacts that begin to slide: largest number of iterations; change at which they have settled. */
#define MOST_TURNS 200
#define SAME_WAY 1e-13

bool rbv_sliding_create(RbvSliding *s, RbvState *state, RbvKeptReactions *kept_reactions) {
    const RbvSystem *system = state->system;
    size_t n = (size_t)system->coordinates.size, rows = (size_t)system->row_count;
    *s = (RbvSliding){.state = state, .kept_reactions = kept_reactions};
    s->friction = calloc((size_t)system->friction_count + 1, sizeof *s->friction);
    for (int32_t k = 0; s->friction && k < system->friction_count; k++)
        if (system->friction[k].stick_row >= 0)
            s->friction[s->count++] = k;
    size_t count = (size_t)s->count;
    s->reactions = rbv_reactions_create(system, RBV_FRAME_JOINT);
    s->slides = calloc(count + 1, sizeof *s->slides);
    s->toward = calloc(count + 1, sizeof *s->toward);
    s->slip = calloc(count + 1, sizeof *s->slip);
    s->slow = calloc(count + 1, sizeof *s->slow);
    s->begins = calloc(count + 1, sizeof *s->begins);
    s->off = calloc(count + 1, sizeof *s->off);
    s->loose = calloc(count + 1, sizeof *s->loose);
    s->mobility = calloc(count + 1, sizeof *s->mobility);
    s->held = calloc(n + 1, sizeof *s->held);
    s->force = calloc(count + 1, sizeof *s->force);
    s->effort = calloc(count + 1, sizeof *s->effort);
    s->load = calloc(count + 1, sizeof *s->load);
    s->base = calloc(rows + 1, sizeof *s->base);
    s->answer = calloc(count * rows + 1, sizeof *s->answer);
    s->a = calloc(count * n + 1, sizeof *s->a);
    s->unit = calloc(n + rows + 1, sizeof *s->unit);
    s->J = calloc(count * (count + 1) + 1, sizeof *s->J);
    s->Q = calloc(n + 1, sizeof *s->Q);
    return s->friction && s->reactions && s->slides && s->toward && s->slip && s->slow && s->off && s->begins &&
           s->loose && s->mobility && s->held && s->force && s->effort && s->load && s->base && s->answer && s->a &&
           s->unit && s->J && s->Q;
}

void rbv_sliding_destroy(RbvSliding *s) {
    rbv_reactions_destroy(s->reactions);
    free(s->friction);
    free(s->slides);
    free(s->toward);
    free(s->slip);
    free(s->slow);
    free(s->begins);
    free(s->off);
    free(s->loose);
    free(s->mobility);
    free(s->held);
    free(s->force);
    free(s->effort);
    free(s->load);
    free(s->base);
    free(s->answer);
    free(s->a);
    free(s->unit);
    free(s->J);
    free(s->Q);
    *s = (RbvSliding){0};
}

void rbv_sliding_push(const RbvSliding *s, RbvWrench *wrenches) {
    for (int32_t i = 0; i < s->count; i++)
        for (int c = 0; s->slides[i] && c < rbv_sliding_contact(s, i)->count; c++)
            rbv_friction_push(s->state, rbv_sliding_contact(s, i), c, s->effort[i][c], wrenches);
}

double rbv_sliding_power(const RbvSliding *s) {
    double sum = 0;
    for (int32_t i = 0; i < s->count; i++)
        for (int c = 0; s->slides[i] && c < rbv_sliding_contact(s, i)->count; c++)
            sum += s->effort[i][c] * rbv_friction_rate(s->state, rbv_sliding_contact(s, i), c);
    return sum;
}

void rbv_sliding_find_direction(RbvSliding *s, int32_t i) {
    const RbvFrictionContact *friction = rbv_sliding_contact(s, i);
    RbvSlipVector u;
    double size = rbv_friction_slide(s->state, friction, u),
           along = s->toward[i][0] * u[0] + s->toward[i][1] * u[1] + s->toward[i][2] * u[2];
    s->begins[i] = friction->count > 1 && size <= s->slow[i];
    bool own = friction->count > 1 && along > 0 && !s->begins[i];
    for (int c = 0; c < RBV_MOST_SLIP_DIRECTIONS; c++)
        s->slip[i][c] = own ? u[c] / size : s->toward[i][c];
}

/* Finds slip directions, and the answers to a unit force of each sliding contact. */
static bool find_answers(RbvSliding *s) {
    for (int32_t i = 0; i < s->count; i++) {
        s->begins[i] = false;
        if (!s->slides[i])
            continue;
        rbv_sliding_find_direction(s, i);
        if (!rbv_sliding_find_answer(s, i) || (s->begins[i] && !rbv_sliding_find_mobility(s, i)))
            return false;
    }
    return true;
}

/* Force that friction adds to the joint's wrench for multipliers lambda: across a bar, from both its ends. one: for a
 * unit force of contact `one`, with lambda its answer; -1: for all forces as they are. */
static RbvVec3 across(const RbvSliding *s, const RbvFrictionContact *friction, const double *lambda, int32_t one) {
    RbvVec3 sum = {0, 0, 0};
    if (s->state->system->model->joints.items[friction->joint].form != RBV_FORM_DISTANCE)
        return sum;
    for (int32_t j = 0; j < s->count; j++) {
        const RbvFrictionContact *other = rbv_sliding_contact(s, j);
        if (other->joint != friction->joint)
            continue;
        double force = one < 0 ? s->force[j] : j == one;
        for (int c = 0; c < other->count; c++) {
            double effort = s->slides[j] ? force * s->slip[j][c] * other->slip[c].lever : -lambda[other->stick_row + c];
            sum = rbv_add_scaled(sum, effort, rbv_friction_across(s->state, other, c));
        }
    }
    return sum;
}

/* Load N of friction contact i at lambda and the present forces; *slope: its derivative by the wrench of the joint. */
static double load_at(const RbvSliding *s, int32_t i, const double *lambda, RbvWrench *slope) {
    const RbvFrictionContact *friction = rbv_sliding_contact(s, i);
    RbvWrench whole = rbv_reactions_wrench(s->reactions, friction->joint, lambda, false), none = {{0, 0, 0}, {0, 0, 0}};
    whole.force = rbv_add(whole.force, across(s, friction, lambda, -1));
    *slope = none;
    return s->off[i] ? 0 : rbv_friction_load(s->state, friction, whole, slope);
}

/* Change of the load N of friction contact i when multipliers change by `answer` and the force of contact `one` by 1
 * (`one` = count: no force). */
static double change_of_load(const RbvSliding *s, int32_t i, const RbvWrench *slope, const double *answer,
                             int32_t one) {
    const RbvFrictionContact *friction = rbv_sliding_contact(s, i);
    RbvWrench change = rbv_reactions_wrench(s->reactions, friction->joint, answer, false);
    change.force = rbv_add(change.force, across(s, friction, answer, one));
    return rbv_dot(slope->force, change.force) + rbv_dot(slope->torque, change.torque);
}

/* Sets row i of Newton's equations at lambda; returns mu N. */
static double place_row(RbvSliding *s, int32_t i, const double *lambda) {
    int32_t n = s->count, w = n + 1;
    size_t rows = (size_t)s->state->system->row_count;
    double mu = s->slides[i] ? rbv_sliding_joint(s, i)->sizes->friction : 0;
    RbvWrench slope;
    s->load[i] = load_at(s, i, lambda, &slope);
    for (int32_t j = 0; j < n; j++) {
        s->J[i * w + j] = i == j;
        if (s->slides[i] && s->slides[j])
            s->J[i * w + j] += mu * change_of_load(s, i, &slope, s->answer + (size_t)j * rows, j);
    }
    s->J[i * w + n] = s->slides[i] ? -(s->force[i] + mu * s->load[i]) : 0;
    return mu * s->load[i];
}

/* Adds the forces of gears and belts along lines of centres. False: the iteration does not settle. */
static bool add_lines(RbvSliding *s, double *lambda) {
    RbvReactions *r = s->reactions;
    if (!r->has_line || !s->kept_reactions)
        return true;
    bool settled = rbv_tooth_pushes(r, s->kept_reactions, lambda, s->Q, s->unit + s->state->system->coordinates.size);
    memcpy(lambda, r->lambda, (size_t)s->state->system->row_count * sizeof *lambda);
    return settled;
}

/* Newton's method for s_j + mu_j N_j = 0; lambda: multipliers with the forces found. False: does not converge. */
static bool settle(RbvSliding *s, double *lambda) {
    int32_t n = s->count, w = n + 1;
    size_t rows = (size_t)s->state->system->row_count;
    for (int step = 0; step < MOST_STEPS; step++) {
        double largest = 0, change = 0;
        memcpy(lambda, s->base, rows * sizeof *lambda);
        for (int32_t i = 0; i < n; i++)
            for (size_t k = 0; s->slides[i] && k < rows; k++)
                lambda[k] += s->force[i] * s->answer[(size_t)i * rows + k];
        if (!add_lines(s, lambda))
            return false;
        for (int32_t i = 0; i < n; i++)
            largest = fmax(largest, place_row(s, i, lambda));
        if (!rbv_small_solve(s->J, n, 1e-12))
            return false;
        for (int32_t i = 0; i < n; i++)
            change = fmax(change, fabs(s->J[i * w + n]));
        if (!isfinite(change))
            return false;
        if (change <= EXACT * largest)
            return true;
        for (int32_t i = 0; i < n; i++)
            s->force[i] += s->slides[i] ? s->J[i * w + n] : 0;
    }
    return false;
}

void rbv_sliding_take_efforts(RbvSliding *s, const double *lambda) {
    for (int32_t i = 0; i < s->count; i++) {
        const RbvFrictionContact *friction = rbv_sliding_contact(s, i);
        for (int c = 0; c < friction->count; c++)
            s->effort[i][c] =
                s->slides[i] ? s->force[i] * s->slip[i][c] * friction->slip[c].lever : -lambda[friction->stick_row + c];
    }
}

/* Finds efforts along all slip directions, and a with sliding friction. */
static void take_efforts(RbvSliding *s, double *a, const double *lambda) {
    size_t n = (size_t)s->state->system->coordinates.size;
    memcpy(a, s->held, n * sizeof *a);
    rbv_sliding_take_efforts(s, lambda);
    for (int32_t i = 0; i < s->count; i++)
        for (size_t j = 0; s->slides[i] && j < n; j++)
            a[j] += s->force[i] * s->a[(size_t)i * n + j];
}

bool rbv_sliding_settle(RbvSliding *s, double *lambda) {
    if (settle(s, lambda))
        return true;
    for (int32_t i = 0; i < s->count; i++) /* starts from zero instead of the last friction forces */
        s->force[i] = 0;
    return settle(s, lambda);
}

bool rbv_sliding_solve(RbvSliding *s, double *a, double *lambda) {
    RbvState *state = s->state;
    double change = INFINITY;
    s->jams = false;
    rbv_reactions_place(s->reactions, state);
    if (!rbv_kept_reactions_accelerate(s->kept_reactions, s->held, s->base) || !find_answers(s))
        return false;
    for (int pass = 0; pass < MOST_TURNS && change > SAME_WAY; pass++) {
        s->jams = !rbv_sliding_settle(s, lambda);
        if (s->jams)
            return false;
        take_efforts(s, a, lambda);
        if (!rbv_sliding_turn_beginnings(s, &change))
            return false;
    }
    return true;
}

void rbv_sliding_lacks(const RbvSliding *s, const double *lambda, double *out) {
    RbvWrench slope;
    for (int32_t i = 0; i < s->count; i++)
        out[i] =
            s->slides[i] ? s->force[i] + rbv_sliding_joint(s, i)->sizes->friction * load_at(s, i, lambda, &slope) : 0;
}

bool rbv_sliding_answer(RbvSliding *s, const double *lambda, const double *change, const double *lack, double *force) {
    int32_t n = s->count, w = n + 1;
    for (int32_t i = 0; i < n; i++) {
        RbvWrench slope;
        place_row(s, i, lambda);
        load_at(s, i, lambda, &slope);
        s->J[i * w + n] = s->slides[i] ? -(lack ? lack[i] : 0) - rbv_sliding_joint(s, i)->sizes->friction *
                                                                     change_of_load(s, i, &slope, change, n)
                                       : 0;
    }
    bool good = rbv_small_solve(s->J, n, 1e-12);
    for (int32_t i = 0; i < n; i++)
        force[i] = good ? s->J[i * w + n] : 0;
    return good;
}
