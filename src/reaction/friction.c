/* Coulomb friction: Newton on s_j + mu_j N_j(R(s)) sign(rate_j) = 0, R linear in the efforts s; see forces.h. */
#include "reaction/forces_parts.h"
#include "reaction/friction_law.h"

#include "base/diagnostics.h"
#include "linalg/small.h"

#include <stdio.h>
#include <string.h>

/* Newton on friction ends when it would change no effort by more than this part of the largest. */
#define FRICTION_EXACT 1e-13
/* A joint slower than this part of the fastest stands still: its friction is anything up to the limit. */
#define STANDS_STILL 1e-9
/* Starts from which other solutions of friction are looked for, and what counts as another. */
#define FAR_START 50.0
#define OTHER_SOLUTION 1e-6

/* Which way each joint slides; those that stand still take no part. */
static void find_signs(RbvForces *f) {
    const RbvState *state = f->motion->state;
    const RbvModel *model = f->system->model;
    double fastest = 0;
    for (int32_t k = 0; k < f->motion->n; k++)
        fastest = fmax(fastest, fabs(state->v[k]) * f->motion->share[k]);
    for (int32_t i = 0; i < f->friction_count; i++) {
        int32_t measure = f->system->friction_measure[f->joint[i]];
        bool angle = rbv_measure_is_angle(model->measures.items[measure].kind);
        double rate = state->measures[measure].rate;
        int32_t body = state->markers[model->measures.items[measure].marker[1]].body;
        body = body > 0 ? body : state->markers[model->measures.items[measure].marker[0]].body;
        bool still = fabs(rate) * (angle ? rbv_state_body_arm(state, body) : 1) / rbv_state_body_size(state, body) <= STANDS_STILL * fastest;
        f->sign[i] = still ? 0 : rate > 0 ? 1 : -1;
        if (still)
            f->effort[i] = 0;
        if (!still || f->still_said[i])
            continue;
        f->still_said[i] = true;
        rbv_diagnose(f->diagnostics, RBV_NOTE, model->file, model->joints.items[f->joint[i]].where,
                     "joint '%s' stands still at t = %.6g s: its friction there is anything up to the limit; 0 is taken",
                     model->joints.items[f->joint[i]].name, state->t);
    }
}

/* How multipliers answer to a unit effort of each sliding joint. */
static RbvStatus find_responses(RbvForces *f) {
    size_t rows = (size_t)f->system->row_count;
    double *kept = f->limit; /* not in use yet */
    memcpy(kept, f->effort, (size_t)f->friction_count * sizeof *kept);
    memset(f->effort, 0, (size_t)f->friction_count * sizeof *f->effort);
    RbvStatus status = rbv_multipliers_for(f, false);
    memcpy(f->base, f->reactions->lambda, rows * sizeof *f->base);
    for (int32_t i = 0; status == RBV_OK && i < f->friction_count; i++) {
        double *response = f->response + (size_t)i * rows;
        memset(response, 0, rows * sizeof *response);
        if (f->sign[i] == 0)
            continue;
        f->effort[i] = 1;
        status = rbv_multipliers_for(f, false);
        f->effort[i] = 0;
        for (size_t k = 0; k < rows; k++)
            response[k] = f->reactions->lambda[k] - f->base[k];
    }
    memcpy(f->effort, kept, (size_t)f->friction_count * sizeof *kept);
    return status;
}

/* The joints that slide, by name. */
static const char *jammed(const RbvForces *f, char *names, size_t size) {
    size_t used = 0;
    names[0] = '\0';
    for (int32_t i = 0; i < f->friction_count; i++) {
        if (f->sign[i] == 0)
            continue;
        int n = snprintf(names + used, size - used, "%s'%s'", used ? ", " : "", f->system->model->joints.items[f->joint[i]].name);
        used = n > 0 && used + (size_t)n < size ? used + (size_t)n : size - 1;
    }
    return names;
}

/* Newton on s_j + mu_j N_j(R(s)) sign_j = 0 from the efforts as they are. *settled: it found a solution, and lambda is that of it. */
static RbvStatus newton(RbvForces *f, bool *settled) {
    const RbvModel *model = f->system->model;
    int32_t n = f->friction_count, w = n + 1;
    size_t rows = (size_t)f->system->row_count;
    *settled = false;
    for (int step = 0; step < RBV_FORCES_STEPS; step++) {
        double largest = 0, change = 0;
        RbvStatus status = rbv_multipliers_with_lines(f);
        if (status != RBV_OK)
            return status;
        for (int32_t i = 0; i < n; i++) {
            const RbvJoint *joint = &model->joints.items[f->joint[i]];
            double reaction[3], slope[3], answer[3];
            rbv_friction_reaction(f->reactions, f->motion->state, f->joint[i], f->reactions->lambda, true, reaction);
            double mu = joint->friction * f->sign[i], load = rbv_friction_load(joint, reaction, slope);
            for (int32_t j = 0; j < n; j++) {
                rbv_friction_reaction(f->reactions, f->motion->state, f->joint[i], f->response + (size_t)j * rows, false, answer);
                f->J[i * w + j] = (i == j) + mu * (slope[0] * answer[0] + slope[1] * answer[1] + slope[2] * answer[2]);
            }
            f->J[i * w + n] = -(f->effort[i] + mu * load);
            largest = fmax(largest, fabs(mu * load));
        }
        if (!rbv_small_solve(f->J, n, 1e-12))
            return RBV_OK;
        for (int32_t i = 0; i < n; i++) {
            f->effort[i] += f->J[i * w + n];
            change = fmax(change, fabs(f->J[i * w + n]));
        }
        if (!isfinite(change))
            return RBV_OK;
        *settled = change <= FRICTION_EXACT * largest;
        if (*settled)
            return rbv_multipliers_with_lines(f);
    }
    return RBV_OK;
}

static double largest_effort(const RbvForces *f, const double *effort) {
    double most = 0;
    for (int32_t i = 0; i < f->friction_count; i++)
        most = fmax(most, fabs(effort[i]));
    return most;
}

/* Strong friction can hold with two sets of forces. From far starts, pressed one way or the other, does Newton come to another solution? */
static RbvStatus look_for_others(RbvForces *f) {
    int32_t n = f->friction_count;
    double size = largest_effort(f, f->effort);
    bool doubled = false;
    memcpy(f->found, f->effort, (size_t)n * sizeof *f->found);
    memset(f->doubled, 0, (size_t)f->system->model->joints.count * sizeof *f->doubled);
    for (int start = 0; start < 2; start++) {
        bool settled;
        for (int32_t i = 0; i < n; i++) /* no friction pushes along the motion, so only one sign makes sense; far out, and none at all */
            f->effort[i] = start == 0 ? -f->sign[i] * (FAR_START * fabs(f->found[i]) + size) : 0;
        RbvStatus status = newton(f, &settled);
        if (status != RBV_OK)
            return status;
        for (int32_t i = 0; settled && i < n; i++)
            if (fabs(f->effort[i] - f->found[i]) > OTHER_SOLUTION * (size + largest_effort(f, f->effort)))
                f->doubled[f->joint[i]] = doubled = true;
    }
    memcpy(f->effort, f->found, (size_t)n * sizeof *f->found);
    f->stale = f->stale || doubled != f->any_doubled;
    if (doubled && !f->doubled_said) {
        f->doubled_said = true;
        char text[300];
        snprintf(text, sizeof text, "friction of %s holds with more than one set of forces (it is near to jamming): one of them is printed, as not unique",
                 jammed(f, f->names, sizeof f->names));
        rbv_diagnose(f->diagnostics, RBV_WARNING, f->system->model->file, (RbvPosition){0, 0}, "at t = %.6g s %s", f->motion->state->t, text);
    }
    f->any_doubled = doubled;
    return rbv_multipliers_with_lines(f);
}

RbvStatus rbv_friction_solve(RbvForces *f) {
    bool settled = false;
    find_signs(f);
    RbvStatus status = find_responses(f);
    if (status == RBV_OK)
        status = newton(f, &settled);
    if (status == RBV_OK && !settled) { /* from the last sample's friction it did not settle: from none */
        memset(f->effort, 0, (size_t)f->friction_count * sizeof *f->effort);
        status = newton(f, &settled);
    }
    if (status == RBV_OK && !settled)
        return rbv_forces_fail(f, RBV_LOCKED, "friction has no solution, the mechanism jams: no drive effort moves it against the friction of %s; "
                                   "smaller coefficients, other radii or longer guides are needed", jammed(f, f->names, sizeof f->names));
    return status == RBV_OK ? look_for_others(f) : status;
}
