/* What a unit push along a line of centres does to reactions: any solution of C^T lambda = Q, here C A^- Q with A = C^T C; see spread.h. */
#include "analysis/spread.h"

#include "solve/gram.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A response below this part of the push is none. */
#define NO_RESPONSE 1e-9
#define PASSES 3

typedef struct Push {
    RbvGram *gram;
    int32_t *node;
    double *Q, *x, *lambda;
} Push;

static void release(Push *push) {
    rbv_gram_destroy(push->gram);
    free(push->node);
    free(push->Q);
    free(push->x);
    free(push->lambda);
}

static bool prepare(Push *push, const RbvState *state) {
    const RbvSystem *system = state->system;
    const RbvAbsolute *absolute = &system->absolute;
    size_t n = (size_t)absolute->size + 1;
    push->node = malloc(n * sizeof *push->node);
    push->Q = malloc(n * sizeof *push->Q);
    push->x = malloc(n * sizeof *push->x);
    push->lambda = malloc(((size_t)system->row_count + 1) * sizeof *push->lambda);
    if (!push->node || !push->Q || !push->x || !push->lambda)
        return false;
    for (int32_t b = 1; b < absolute->body_count; b++)
        for (int32_t c = absolute->start[b]; c < absolute->start[b + 1]; c++)
            push->node[c] = b - 1;
    push->gram = rbv_gram_create(system->row_count, absolute->size, system->start, system->column, push->node);
    return push->gram && rbv_gram_factor(push->gram, state->C, 0);
}

/* lambda with C^T lambda = Q of a unit force along the centres of joint k, refined against what the squared condition has cost. */
static void answer(Push *push, const RbvState *state, int32_t k) {
    const RbvSystem *system = state->system;
    const RbvAbsolute *absolute = &system->absolute;
    const RbvJoint *joint = &system->model->joints.items[k];
    const RbvMarkerState *i = &state->markers[joint->marker[0]], *j = &state->markers[joint->marker[1]];
    RbvVec3 d = rbv_sub(j->point, i->point), u = rbv_scale(1 / rbv_norm(d), d);
    memset(push->Q, 0, (size_t)absolute->size * sizeof *push->Q);
    memset(push->lambda, 0, (size_t)system->row_count * sizeof *push->lambda);
    for (int side = 0; side < 2; side++) {
        const RbvMarkerState *at = side ? j : i;
        RbvVec3 force = rbv_scale(side ? 1 : -1, u), torque = rbv_cross(at->arm, force);
        if (at->body == 0)
            continue;
        double *x = push->Q + absolute->start[at->body];
        x[0] += force.x;
        x[1] += force.y;
        if (rbv_absolute_columns(absolute, at->body) == 3)
            x[2] += torque.z;
    }
    for (int pass = 0; pass < PASSES; pass++) {
        rbv_gram_solve(push->gram, push->Q, push->x);
        for (int32_t r = 0; r < system->row_count; r++) {
            double sum = 0;
            for (int32_t e = system->start[r]; e < system->start[r + 1]; e++)
                sum += state->C[e] * push->x[system->column[e]];
            push->lambda[r] += sum;
            for (int32_t e = system->start[r]; e < system->start[r + 1]; e++)
                push->Q[system->column[e]] -= state->C[e] * sum;
        }
    }
}

static void worsen(RbvVerdict *verdict, RbvVerdict to) {
    *verdict = to > *verdict ? to : *verdict;
}

static void spread(RbvReactions *r, const RbvState *state, const Push *push, int32_t gear, RbvVerdict verdict) {
    const RbvSystem *system = r->system;
    const RbvModel *model = system->model;
    for (int32_t k = 0; k < model->joints.count; k++) {
        int32_t first = system->joint_row[k], count = system->joint_row[k + 1] - first;
        for (int c = 0; c < RBV_LINE_F; c++) {
            if (!r->held[k][c])
                continue;
            double sum = 0;
            rbv_reactions_functional(r, state, k, c, r->scratch);
            for (int32_t n = 0; n < count; n++)
                sum += r->scratch[n] * push->lambda[first + n];
            /* the push itself is part of the gear's force */
            bool own = k == gear && c < RBV_TX;
            if (!own && !(fabs(sum) > NO_RESPONSE))
                continue;
            worsen(&r->verdict[k][c], verdict);
            r->touched[k][c] = true;
        }
    }
    for (int32_t k = 0; k < model->drives.count; k++)
        if (fabs(push->lambda[system->drive_row[k]]) > NO_RESPONSE) {
            worsen(&r->effort_verdict[k], verdict);
            r->effort_touched[k] = true;
        }
    for (int32_t k = 0; k < model->constraints.count; k++)
        if (fabs(push->lambda[system->constraint_row[k]]) > NO_RESPONSE) {
            worsen(&r->multiplier_verdict[k], verdict);
            r->multiplier_touched[k] = true;
        }
}

bool rbv_spread_pushes(RbvReactions *r, const RbvState *state) {
    const RbvModel *model = r->system->model;
    Push push = {0};
    bool good = true;
    memset(r->touched, 0, (size_t)model->joints.count * sizeof *r->touched);
    memset(r->effort_touched, 0, (size_t)model->drives.count * sizeof *r->effort_touched);
    memset(r->multiplier_touched, 0, (size_t)model->constraints.count * sizeof *r->multiplier_touched);
    for (int32_t k = 0; good && k < model->joints.count; k++) {
        const RbvJoint *joint = &model->joints.items[k];
        RbvVerdict verdict = r->verdict[k][RBV_LINE_FT];
        if (joint->kind->form != RBV_FORM_GEAR || !(joint->pressure_angle > 0) || verdict <= RBV_UNIQUE)
            continue;
        good = push.gram || prepare(&push, state);
        if (!good)
            break;
        answer(&push, state, k);
        spread(r, state, &push, k, verdict);
    }
    release(&push);
    return good;
}
