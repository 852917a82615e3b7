/* Response of reactions to a unit push: any solution of C^T lambda = Q, here C A^- Q with A = C^T C; and the verdicts
 * of what responds to an open push. */
#include "solution/reaction/dependent_loads.h"

#include "core/base/arena.h"
#include "core/base/tolerances.h"
#include "core/solve/gram.h"
#include "mechanics/system/friction_contacts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PASSES 3

typedef struct Solver {
    RbvArena arena; /* memory of the arrays */
    RbvGram *gram;
    int32_t *node;
    double *Q, *x;
} Solver;

static void release_push(Solver *push) {
    rbv_gram_destroy(push->gram);
    rbv_arena_clear(&push->arena);
}

static bool prepare_push(Solver *push, const RbvState *state) {
    const RbvSystem *system = state->system;
    const RbvBodyColumns *bodies = &system->bodies;
    size_t n = (size_t)bodies->size + 1;
    push->node = rbv_arena_array(&push->arena, n, sizeof *push->node);
    push->Q = rbv_arena_array(&push->arena, n, sizeof *push->Q);
    push->x = rbv_arena_array(&push->arena, n, sizeof *push->x);
    if (!push->node || !push->Q || !push->x)
        return false;
    int32_t nodes = 0; /* each of at most three columns */
    for (int32_t b = 1; b < bodies->count; b++) {
        for (int32_t c = bodies->start[b]; c < bodies->start[b + 1]; c++)
            push->node[c] = nodes + (c - bodies->start[b]) / 3;
        nodes += (rbv_bodies_columns(bodies, b) + 2) / 3;
    }
    push->gram = rbv_gram_create(system->row_count, bodies->size, system->D.start, system->D.column, push->node);
    return push->gram && rbv_gram_factor(push->gram, state->D, 0);
}

/* Q of a force and torque at the point `at` on the body of marker j, and of their opposites at that point on the
 * body of marker i. */
static void set_push(Solver *push, const RbvState *state, const RbvMarkerState *i, const RbvMarkerState *j, RbvVec3 at,
                     RbvVec3 force, RbvVec3 torque) {
    const RbvBodyColumns *bodies = &state->system->bodies;
    memset(push->Q, 0, (size_t)bodies->size * sizeof *push->Q);
    for (int side = 0; side < 2; side++) {
        int32_t body = side ? j->body : i->body;
        double sign = side ? 1 : -1;
        if (body == 0)
            continue;
        const RbvMarkerState *end = side ? j : i;
        RbvWrench wrench = rbv_wrench_at(rbv_add(end->arm, rbv_sub(at, end->point)), force, torque);
        rbv_bodies_add(bodies, body, sign, &wrench, push->Q + bodies->start[body]);
    }
}

/* lambda with C^T lambda = Q; refined, since C^T C squares the condition number. */
static void answer(Solver *push, const RbvState *state, double *lambda) {
    const RbvSystem *system = state->system;
    memset(lambda, 0, (size_t)system->row_count * sizeof *lambda);
    for (int pass = 0; pass < PASSES; pass++) {
        rbv_gram_solve(push->gram, push->Q, push->x);
        for (int32_t r = 0; r < system->row_count; r++) {
            double sum = 0;
            for (int32_t e = system->D.start[r]; e < system->D.start[r + 1]; e++)
                sum += state->D[e] * push->x[system->D.column[e]];
            lambda[r] += sum;
            for (int32_t e = system->D.start[r]; e < system->D.start[r + 1]; e++)
                push->Q[system->D.column[e]] -= state->D[e] * sum;
        }
    }
}

static void worsen(RbvVerdict *verdict, RbvVerdict to) {
    *verdict = to > *verdict ? to : *verdict;
}

double rbv_push_on_component(const RbvReactions *r, const RbvState *state, const RbvPush *push, int32_t joint,
                             int component) {
    int32_t first = r->system->joint_row[joint], count = r->system->joint_row[joint + 1] - first;
    double sum = 0;
    if (component >= RBV_FRICTION)
        return push->joint == joint && push->component == component;
    rbv_reactions_functional(r, state, joint, component, r->scratch);
    for (int32_t n = 0; n < count; n++)
        sum += r->scratch[n] * push->lambda[first + n];
    if (push->joint == joint && component < RBV_LINE_F) {
        RbvVec3 own = component < RBV_TX ? push->own.force : push->own.torque;
        sum += rbv_along_axis(own, component % 3);
    }
    return sum;
}

/* Spreads the push's verdict to components and efforts that respond to it and have a better verdict. */
static void spread_verdict(RbvReactions *r, const RbvState *state, const RbvPush *push) {
    const RbvSystem *system = r->system;
    const RbvModel *model = system->model;
    for (int32_t k = 0; k < model->joints.count; k++)
        for (int c = 0; c < RBV_FRICTION; c++)
            if (rbv_component_in(r->possible[k], c) && r->verdict[k][c] < push->verdict &&
                r->verdict[k][c] != RBV_FREE && fabs(rbv_push_on_component(r, state, push, k, c)) > RBV_SAME)
                worsen(&r->verdict[k][c], push->verdict);
    for (int32_t k = 0; k < model->drives.count; k++)
        if (fabs(rbv_push_on_row(push, system->drive_row[k])) > RBV_SAME)
            worsen(&r->effort_verdict[k], push->verdict);
    for (int32_t k = 0; k < model->constraints.count; k++)
        if (fabs(rbv_push_on_row(push, system->constraint_row[k])) > RBV_SAME)
            worsen(&r->multiplier_verdict[k], push->verdict);
}

/* Returns a slot for one more push. NULL: no memory. */
static RbvPush *next_push(RbvReactions *r) {
    if (r->push_count == r->push_capacity) {
        RbvPush *grown = realloc(r->pushes, ((size_t)r->push_capacity + 1) * sizeof *grown);
        if (!grown)
            return NULL;
        r->pushes = grown;
        r->pushes[r->push_capacity] = (RbvPush){.lambda = malloc(((size_t)r->system->row_count + 1) * sizeof(double))};
        if (!r->pushes[r->push_capacity].lambda)
            return NULL;
        r->push_capacity++;
    }
    return &r->pushes[r->push_count++];
}

/* Bit mask of the components of the joint's reaction, in its own axes, on which the normal load depends. */
static int components_read(const RbvFrictionContact *friction, const RbvJoint *joint) {
    switch (friction->surfaces->press) {
    case RBV_PRESS_RADIAL: return 1 << RBV_FX | 1 << RBV_FY;
    case RBV_PRESS_ENDS:
        if (joint->sizes->friction_radius > 0)
            return 0x3f;
        return joint->spatial ? 1 << RBV_FX | 1 << RBV_FY : 1 << RBV_FY;
    case RBV_PRESS_BALLS: return 0x3f;
    case RBV_PRESS_ACROSS: return 1 << RBV_FY;
    case RBV_PRESS_NORMAL:
    case RBV_PRESS_THREAD: return 1 << RBV_FZ;
    case RBV_PRESS_GIVEN:
    case RBV_PRESS_WRAP: return 0;
    case RBV_PRESS_TEETH:
    case RBV_PRESS_BEARING:
    case RBV_PRESS_TOTAL: break;
    }
    return 1 << RBV_FX | 1 << RBV_FY | 1 << RBV_FZ;
}

/* Worst verdict of the components on which friction depends. */
static RbvVerdict friction_verdict(const RbvReactions *r, const RbvFrictionContact *friction) {
    const RbvJoint *joint = &r->system->model->joints.items[friction->joint];
    int read = components_read(friction, joint);
    RbvVerdict worst = RBV_UNIQUE;
    int pressing = rbv_forms[joint->form].pressing;
    if (pressing >= 0)
        return r->verdict[friction->joint][pressing];
    bool forces = read & 0x7, torques = read & 0x38;
    if (r->frame == RBV_FRAME_GROUND) /* ground axes mix forces, and torques */
        read = forces * 0x7 | torques * 0x38;
    for (int c = RBV_FX; c <= RBV_TZ; c++)
        if (read >> c & 1)
            worsen(&worst, r->verdict[friction->joint][c]);
    return worst;
}

static RbvPush *find_push(const RbvReactions *r, int32_t joint, int component) {
    for (int32_t k = 0; k < r->push_count; k++)
        if (r->pushes[k].joint == joint && r->pushes[k].component == component)
            return &r->pushes[k];
    return NULL;
}

/* Push of a unit effort on slip direction c of a friction contact. */
static void solve_friction_push(Solver *solver, const RbvState *state, const RbvFrictionContact *friction, int c,
                                RbvPush *push) {
    const RbvBodyColumns *bodies = &state->system->bodies;
    const RbvSlipDirection *slip = &friction->slip[c];
    memset(solver->Q, 0, (size_t)bodies->size * sizeof *solver->Q);
    for (int t = 0; t < slip->terms; t++)
        for (int side = 0; side < 2; side++) {
            int32_t body = state->markers[state->system->model->measures.items[slip->measure[t]].marker[side]].body;
            if (body > 0)
                rbv_bodies_add(bodies, body, slip->weight[t], &state->measures[slip->measure[t]].gradient[side],
                               solver->Q + bodies->start[body]);
        }
    answer(solver, state, push->lambda);
    push->joint = friction->joint;
    push->component = slip->component;
    push->own = (RbvWrench){{0, 0, 0}, {0, 0, 0}};
}

/* Push of a unit force along the line of centres that separates the wheels of gear k. */
static void solve_gear_push(Solver *solver, const RbvReactions *r, const RbvState *state, int32_t k, RbvPush *push) {
    const RbvJoint *joint = &r->system->model->joints.items[k];
    const RbvMarkerState *i = &state->markers[joint->marker[0]], *j = &state->markers[joint->marker[1]];
    RbvVec3 along = rbv_sub(j->point, i->point), none = {0, 0, 0}, at = j->point;
    RbvVec3 force = rbv_scale(1 / rbv_norm(along), along);
    if (joint->mesh >= 0)
        force = rbv_mesh_push(&r->system->model->meshes.items[joint->mesh], state->markers, &at);
    set_push(solver, state, i, j, at, force, none);
    answer(solver, state, push->lambda);
    push->joint = k;
    push->component = -1;
    push->own = (RbvWrench){force, rbv_cross(rbv_sub(at, j->point), force)};
    if (r->frame == RBV_FRAME_JOINT)
        push->own = (RbvWrench){rbv_apply_transposed(i->axes, push->own.force),
                                rbv_apply_transposed(i->axes, push->own.torque)};
}

/* One push that depends on an open reaction, of a gear (friction NULL) or of slip direction c of a friction contact:
 * spreads its verdict, *changed. False: no memory. */
static bool take_push(Solver *solver, RbvReactions *r, const RbvState *state, int32_t joint,
                      const RbvFrictionContact *friction, int c, RbvVerdict verdict, bool *changed) {
    RbvPush *push = find_push(r, joint, friction ? friction->slip[c].component : -1);
    if (verdict <= RBV_UNIQUE || (push && push->verdict >= verdict))
        return true;
    if (!push) {
        push = solver->gram || prepare_push(solver, state) ? next_push(r) : NULL;
        if (!push)
            return false;
        if (friction)
            solve_friction_push(solver, state, friction, c, push);
        else
            solve_gear_push(solver, r, state, joint, push);
    }
    push->verdict = verdict;
    spread_verdict(r, state, push);
    *changed = true;
    return true;
}

/* Friction of one contact, along each slip direction. */
static bool take_friction(Solver *solver, RbvReactions *r, const RbvState *state, const RbvFrictionContact *friction,
                          RbvFrictionPhase phase, bool *changed) {
    const RbvJoint *joint = &r->system->model->joints.items[friction->joint];
    RbvVerdict verdict = phase == RBV_FRICTION_OPEN ? RBV_NOT_UNIQUE : friction_verdict(r, friction);
    bool good = true;
    if (phase == RBV_FRICTION_STICKS)
        return true;
    for (int c = 0; good && c < friction->count; c++) {
        r->verdict[friction->joint][friction->slip[c].component] = verdict;
        for (int k = RBV_FX; friction->own && k <= RBV_LINE_F;
             k++) /* components that consist of friction alone, or of friction and the normal load */
            if (rbv_component_in(r->possible[friction->joint], k) &&
                (r->verdict[friction->joint][k] == RBV_FREE || r->verdict[friction->joint][k] < verdict))
                r->verdict[friction->joint][k] = verdict;
        if (joint->sizes->friction > 0)
            good = take_push(solver, r, state, friction->joint, friction, c, verdict, changed);
    }
    return good;
}

bool rbv_decide_dependent_loads(RbvReactions *r, const RbvState *state, const RbvFrictionPhase *phase) {
    const RbvSystem *system = r->system;
    const RbvModel *model = system->model;
    Solver solver = {0};
    bool good = true;
    r->push_count = 0;
    /* a load may open another one: repeat until nothing changes; verdicts only get worse, so this ends */
    for (bool changed = true; good && changed;) {
        changed = false;
        for (int32_t k = 0; good && k < model->joints.count; k++) /* the radial force depends on |Ft| */
            if (rbv_forms[model->joints.items[k].form].teeth && model->joints.items[k].sizes->pressure_angle > 0)
                good = take_push(&solver, r, state, k, NULL, 0, r->verdict[k][RBV_LINE_FT], &changed);
        for (int32_t i = 0; good && i < system->friction_count; i++)
            good = take_friction(&solver, r, state, &system->friction[i],
                                 phase                     ? phase[i]
                                 : system->friction[i].own ? RBV_FRICTION_STICKS
                                                           : RBV_FRICTION_SLIDES,
                                 &changed);
    }
    release_push(&solver);
    return good;
}
