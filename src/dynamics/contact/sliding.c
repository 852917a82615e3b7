/* Friction that slides or sticks: the direction in which slip begins; of a single contact its slip, its limit and the
 * system's answers to its force; velocities turned into that direction; at last all contacts of the motion together.
 * See sliding.h. */
#include "dynamics/contact/sliding.h"
#include "core/base/extremes.h"
#include "core/base/tolerances.h"

#include "core/linalg/small.h"
#include "dynamics/contact/complementarity.h"

#include <math.h>
#include <string.h>

/* Newton's method: most steps. */
#define MOST_STEPS 60
/* Slip directions of contacts that begin to slide: largest number of iterations. */
#define MOST_TURNS 200

bool rbv_sliding_create(RbvSliding *s, RbvState *state, RbvKeptReactions *kept_reactions) {
    const RbvSystem *system = state->system;
    size_t n = (size_t)system->coordinates.size, rows = (size_t)system->row_count;
    *s = (RbvSliding){.state = state, .kept_reactions = kept_reactions};
    s->friction = rbv_arena_array(&s->arena, (size_t)system->friction_count + 1, sizeof *s->friction);
    for (int32_t k = 0; s->friction && k < system->friction_count; k++)
        if (system->friction[k].stick_row >= 0)
            s->friction[s->count++] = k;
    size_t count = (size_t)s->count;
    s->reactions = rbv_reactions_create(system, RBV_FRAME_JOINT);
    s->toward = rbv_arena_array(&s->arena, count + 1, sizeof *s->toward);
    s->slip = rbv_arena_array(&s->arena, count + 1, sizeof *s->slip);
    s->mobility = rbv_arena_array(&s->arena, count + 1, sizeof *s->mobility);
    s->effort = rbv_arena_array(&s->arena, count + 1, sizeof *s->effort);
    bool memory = s->friction && s->reactions && s->toward && s->slip && s->mobility && s->effort;
    bool **const flags[] = {&s->slides, &s->begins, &s->off, &s->loose};
    for (size_t k = 0; k < sizeof flags / sizeof *flags; k++)
        memory = (*flags[k] = rbv_arena_array(&s->arena, count + 1, sizeof(bool))) && memory;
    const struct {
        double **to;
        size_t count;
    } numbers[] = {{&s->slow, count},   {&s->force, count},         {&s->load, count},
                   {&s->bare_a, n},     {&s->base, rows},           {&s->Q, n},
                   {&s->a, count * n},  {&s->answer, count * rows}, {&s->J, count * (count + 1)},
                   {&s->unit, n + rows}};
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
        memory = (*numbers[k].to = rbv_arena_array(&s->arena, numbers[k].count + 1, sizeof(double))) && memory;
    return memory;
}

void rbv_sliding_destroy(RbvSliding *s) {
    rbv_reactions_destroy(s->reactions);
    rbv_arena_clear(&s->arena);
    *s = (RbvSliding){0};
}

/* Direction in which a friction contact begins to slip, slip[n] for n <= 3 directions, from b[n], its slip acceleration
 * without its own friction [m/s^2], its mobility G[n][3] (slip acceleration per unit force [1/kg]) and the magnitude F
 * of its friction [N]: friction p of the disc |p| <= F with the slip acceleration b + G p against it, so that slip =
 * -p/F. Where G differs between directions this is neither the direction of b nor, where friction nearly holds, that of
 * G p. While the slip velocity u is small its direction stays near it: u/|u| approaches it at the rate F G/|u|. Where
 * friction can hold the contact slip is the direction in which it is pulled; where b is zero it is left as it is.
 * False: not found. */
static bool first_slip(int n, const double *b, const double *G, double F, double *slip) {
    double A[9], p[3] = {0}, w[3], work[RBV_COMPLEMENTARITY_WORK(3)], unmet, pull = 0, size = 0;
    RbvCone disc = {.size = n, .disc = true, .radius = F};
    RbvComplementarity problem = {.size = n, .count = 1, .cone = &disc, .A = A, .b = b, .p = p, .w = w, .work = work};
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            A[i * n + j] = G[3 * i + j];
    if (!rbv_complementarity_solve(&problem, &unmet))
        return false;
    for (int i = 0; i < n; i++) {
        size = hypot(size, p[i]);
        pull = hypot(pull, b[i]);
    }
    for (int i = 0; i < n && pull > 0; i++)
        slip[i] = size > 0 ? -p[i] / size : b[i] / pull;
    return true;
}

/* ---- a single friction contact: slip velocity, slip directions, limit ---- */

/* Slip directions of contacts that begin to slide depend on each other, so several passes may be needed. */
#define MOST_ALIGNMENTS 10

const RbvFrictionContact *rbv_sliding_contact(const RbvSliding *s, int32_t i) {
    return &s->state->system->friction[s->friction[i]];
}

const RbvJoint *rbv_sliding_joint(const RbvSliding *s, int32_t i) {
    return &s->state->system->model->joints.items[rbv_sliding_contact(s, i)->joint];
}

/* [m; 1 for sliding along a line] Where all slip directions are rotations, slip velocity over this is the angular
 * velocity. */
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

/* [N] Rounding of forces at friction contact i, from the loads and centrifugal forces in its part: joints of a body in
 * free fall carry no more, and contacts pressed by rounding alone could neither stick nor slide. */
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
            most = rbv_max(most, rbv_max(pull, rbv_max(rbv_norm(state->wrenches[b].force),
                                                       arm > 0 ? rbv_norm(state->wrenches[b].torque) / arm : 0)));
    }
    /* Smaller forces, as a part of the largest load, are rounding. */
    return RBV_ROUNDING * most;
}

double rbv_sliding_strain(const RbvSliding *s, int32_t i) {
    const RbvFrictionContact *friction = rbv_sliding_contact(s, i);
    double sum = 0, limit = rbv_sliding_limit(s, i) * s->load[i];
    for (int c = 0; c < friction->count; c++)
        sum += s->effort[i][c] * s->effort[i][c] / (friction->slip[c].lever * friction->slip[c].lever);
    bool over = !s->slides[i] && sum > limit * limit;
    return s->slides[i] || !(sum > 0) || (over && sqrt(sum) <= rounding_at(s, i)) ? 0
                                                                                  : sqrt(sum) / rbv_max(limit, 1e-300);
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

/* ---- answers of the system to the friction force of one contact ---- */

/* s->Q: generalized forces of the friction force `slip` [N] of contact i, given along its slip directions; its wrenches
 * are in the workspace of the saddle point system. */
static void sliding_push_unit(RbvSliding *s, int32_t i, const RbvSlipVector slip) {
    const RbvFrictionContact *friction = rbv_sliding_contact(s, i);
    RbvWrench *wrenches = rbv_saddle_wrenches(s->kept_reactions->motion);
    for (int c = 0; c < friction->count; c++)
        rbv_friction_push(s->state, friction, c, slip[c] * friction->slip[c].lever, wrenches);
    rbv_saddle_pull(s->kept_reactions->motion, s->Q);
}

/* a_i and answer_i: v' and multipliers for a unit force along slip[i]. False: a number is not finite. */
static bool sliding_find_answer(RbvSliding *s, int32_t i) {
    size_t n = (size_t)s->state->system->coordinates.size, rows = (size_t)s->state->system->row_count;
    sliding_push_unit(s, i, s->slip[i]);
    return rbv_kept_reactions_answer(s->kept_reactions, s->Q, s->a + (size_t)i * n, s->answer + (size_t)i * rows);
}

/* Mobility G of contact i: G_cd is the slip acceleration along d for a unit force along c. False: a number is not
 * finite. */
static bool sliding_find_mobility(RbvSliding *s, int32_t i) {
    int32_t n = s->state->system->coordinates.size;
    int count = rbv_sliding_contact(s, i)->count;
    for (int c = 0; c < count; c++) {
        RbvSlipVector unit = {0};
        unit[c] = 1;
        sliding_push_unit(s, i, unit);
        if (!rbv_saddle_solve(s->kept_reactions->motion, s->Q, NULL, s->unit, s->unit + n))
            return false;
        for (int d = 0; d < count; d++) {
            RbvSlipVector other = {0};
            other[d] = 1;
            sliding_push_unit(s, i, other);
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
    sliding_push_unit(s, i, slip);
    bool good = rbv_saddle_solve(s->kept_reactions->motion, s->Q, NULL, s->unit, s->unit + n);
    rbv_saddle_retract(s->kept_reactions->motion); /* a question, no part of the motion */
    for (int32_t j = 0; j < n; j++) {
        moves += s->unit[j] * s->Q[j];
        *alone += s->Q[j] * s->Q[j] * inverse_mass[j];
    }
    return good ? moves : NAN;
}

/* For all contacts that begin to slide: sets slip[i] to the direction in which slip would begin with the present
 * forces, and finds the answers along it. `free` is the slip acceleration without the contact's own friction, u' - G s
 * w. *change: largest change of a component of a direction. False: a number is not finite. */
static bool sliding_turn_beginnings(RbvSliding *s, double *change) {
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
        if (!first_slip(rbv_sliding_contact(s, i)->count, free, s->mobility[i], fabs(s->force[i]), slip))
            return false;
        for (int c = 0; c < RBV_MOST_SLIP_DIRECTIONS; c++) {
            *change = rbv_max(*change, fabs(slip[c] - s->slip[i][c]));
            s->slip[i][c] = slip[c];
        }
        good = sliding_find_answer(s, i);
    }
    return good;
}

/* ---- velocities of contacts that begin to slide, turned into the direction of slip ---- */

/* A[n][n + 1] = [P G P + w w^T | -P u], P = I - w w^T for the slip direction w: its solution is the impulse across w
 * after which no velocity across w is left. False: that velocity is rounding, or u points against w. */
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
        across = rbv_max(across, fabs(row[n]));
        for (int d = 0; d < n; d++)
            row[d] = G[3 * c + d] - Gw[c] * w[d] - w[c] * Gw[d] + (wGw + 1) * w[c] * w[d];
    }
    /* Remaining velocity across the direction of contacts that begin to slide, as a part of the slip speed. */
    return across > RBV_CANCELLED * size && along > 0;
}

/* Removes the slip velocity of contact i across its direction by an impulse of friction. True: v has changed. */
static bool align_contact(RbvSliding *s, int32_t i) {
    RbvState *state = s->state;
    int32_t n = state->system->coordinates.size;
    int count = rbv_sliding_contact(s, i)->count;
    double A[RBV_MOST_SLIP_DIRECTIONS * (RBV_MOST_SLIP_DIRECTIONS + 1)];
    RbvSlipVector impulse = {0};
    if (!rbv_state_move(state) || !place_alignment(s, i, A) || !rbv_small_solve(A, count, 0))
        return false;
    for (int c = 0; c < count; c++)
        impulse[c] = A[c * (count + 1) + count];
    sliding_push_unit(s, i, impulse);
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
            any = (s->slides[i] && s->begins[i] && align_contact(s, i)) || any;
        ever = ever || any;
    }
    return ever;
}

/* ---- friction as part of the reactions ---- */

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

/* ---- friction of the motion: all contacts together ---- */

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

/* Finds slip directions, and the answers to a unit force of each sliding contact. False: a number is not finite. */
static bool find_answers(RbvSliding *s) {
    for (int32_t i = 0; i < s->count; i++) {
        s->begins[i] = false;
        if (!s->slides[i])
            continue;
        rbv_sliding_find_direction(s, i);
        if (!sliding_find_answer(s, i) || (s->begins[i] && !sliding_find_mobility(s, i)))
            return false;
    }
    return true;
}

/* Force [N] on the second body, in ground axes, that friction adds to the joint's wrench for multipliers lambda: across
 * a bar, from both its ends; zero for other joints. one: for a unit force of contact `one`, with lambda its answer; -1:
 * for all forces as they are; s->count: for no sliding force, lambda alone. */
static RbvVec3 across(const RbvSliding *s, const RbvFrictionContact *friction, const double *lambda, int32_t one) {
    RbvVec3 sum = {0, 0, 0};
    if (!rbv_forms[s->state->system->model->joints.items[friction->joint].form].bar)
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

/* Load N [N] of friction contact i at lambda and the present forces, 0 if it is off; *slope: its derivative by the
 * wrench of the joint. */
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

/* Sets row i of Newton's equations at lambda, J ds = -(s + mu N), and load[i]; returns mu N. For a sticking contact the
 * row reads ds_i = 0, and mu counts as 0. */
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

/* Adds to lambda what the forces of gears and belts along lines of centres change of it. False: the iteration does not
 * settle. */
static bool add_lines(RbvSliding *s, double *lambda) {
    RbvReactions *r = s->reactions;
    if (!r->has_line || !s->kept_reactions)
        return true;
    bool settled = rbv_tooth_pushes(r, s->kept_reactions, lambda, s->Q, s->unit + s->state->system->coordinates.size);
    memcpy(lambda, r->lambda, (size_t)s->state->system->row_count * sizeof *lambda);
    return settled;
}

/* Newton's method for s_j + mu_j N_j = 0, from the present s; lambda = base + sum_j s_j answer_j: multipliers with the
 * forces found. False: does not converge. */
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
            largest = rbv_max(largest, place_row(s, i, lambda));
        if (!rbv_small_solve(s->J, n, 1e-12))
            return false;
        for (int32_t i = 0; i < n; i++)
            change = rbv_max(change, fabs(s->J[i * w + n]));
        if (!isfinite(change))
            return false;
        /* It ends when it would change no force by more than this part of the largest. */
        if (change <= RBV_ROUNDING * largest)
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

/* Finds efforts along all slip directions, and a = bare_a + sum_i s_i a_i, v' with sliding friction. */
static void take_efforts(RbvSliding *s, double *a, const double *lambda) {
    size_t n = (size_t)s->state->system->coordinates.size;
    memcpy(a, s->bare_a, n * sizeof *a);
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
    if (!rbv_kept_reactions_accelerate(s->kept_reactions, s->bare_a, s->base) || !find_answers(s))
        return false;
    for (int pass = 0; pass < MOST_TURNS && change > RBV_ROUNDING; pass++) {
        s->jams = !rbv_sliding_settle(s, lambda);
        if (s->jams)
            return false;
        take_efforts(s, a, lambda);
        if (!sliding_turn_beginnings(s, &change))
            return false;
    }
    return true;
}

void rbv_sliding_violations(const RbvSliding *s, const double *lambda, double *out) {
    RbvWrench slope;
    for (int32_t i = 0; i < s->count; i++)
        out[i] =
            s->slides[i] ? s->force[i] + rbv_sliding_joint(s, i)->sizes->friction * load_at(s, i, lambda, &slope) : 0;
}

bool rbv_sliding_answer(RbvSliding *s, const double *lambda, const double *change, const double *violation,
                        double *force) {
    int32_t n = s->count, w = n + 1;
    for (int32_t i = 0; i < n; i++) {
        RbvWrench slope;
        place_row(s, i, lambda);
        load_at(s, i, lambda, &slope);
        double own = violation ? violation[i] : 0, mu = rbv_sliding_joint(s, i)->sizes->friction;
        s->J[i * w + n] = s->slides[i] ? -own - mu * change_of_load(s, i, &slope, change, n) : 0;
    }
    bool good = rbv_small_solve(s->J, n, 1e-12);
    for (int32_t i = 0; i < n; i++)
        force[i] = good ? s->J[i * w + n] : 0;
    return good;
}
