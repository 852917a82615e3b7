/* Forces of one sample; see forces.h. */
#include "reaction/forces.h"

#include "reaction/dependent_loads.h"
#include "base/diagnostics.h"
#include "linalg/small.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_STEPS 100
/* Tooth forces have settled when they change by less than this part of the largest. */
#define LINES_EXACT 1e-12
/* Newton on friction ends when it would change no effort by more than this part of the largest. */
#define FRICTION_EXACT 1e-13
/* A joint slower than this part of the fastest stands still: its friction is anything up to the limit. */
#define STANDS_STILL 1e-9
/* Starts from which other solutions of friction are looked for, and what counts as another. */
#define FAR_START 50.0
#define OTHER_SOLUTION 1e-6

struct RbvForces {
    const RbvSystem *system;
    RbvMotion *motion;
    RbvReactions *reactions;
    RbvDiagnostics *diagnostics, *heard; /* NULL while silent; the caller's */
    RbvChoice *choice;
    RbvKkt *kkt;
    bool choice_always;       /* eliminations are checked where nothing is redundant, too */
    bool judged;
    double *Q, *x;            /* [n] */
    double *before;           /* [joints] multipliers of the last pass */
    RbvWrench *wrenches;      /* [bodies] */
    int32_t friction_count;
    int32_t *joint;           /* [friction] */
    double *effort, *sign;    /* [friction] */
    double *limit;            /* [friction] residuals */
    double *J;                /* [friction][friction + 1] */
    double *base, *response;  /* [rows], [friction][rows] multipliers */
    bool *still_said;         /* [friction] */
    double *found;            /* [friction] the solution printed */
    bool *doubled;            /* [joints] another solution has other friction there */
    bool any_doubled, doubled_said, stale; /* stale: verdicts are older than what was found out about friction */
    char names[200];
};

static RbvStatus fail(const RbvForces *f, RbvStatus status, const char *format, const char *name) {
    char text[400];
    snprintf(text, sizeof text, format, name);
    rbv_diagnose(f->diagnostics, RBV_ERROR, f->system->model->file, (RbvPosition){0, 0}, "at t = %.9g s %s", f->motion->state->t, text);
    return status;
}

RbvStatus rbv_forces_create(RbvMotion *motion, RbvReactions *reactions, const RbvOptions *options, RbvDiagnostics *diagnostics,
                            RbvForces **out) {
    const RbvSystem *system = motion->system;
    size_t n = (size_t)system->bodies.size + 1, rows = (size_t)system->row_count + 1, joints = (size_t)system->model->joints.count;
    RbvForces *f = calloc(1, sizeof *f);
    *out = f;
    if (!f)
        return RBV_NO_MEMORY;
    f->system = system;
    f->motion = motion;
    f->reactions = reactions;
    f->diagnostics = f->heard = diagnostics;
    f->choice_always = options->redundant == RBV_REDUNDANT_ELIMINATE;
    f->joint = calloc(joints + 1, sizeof *f->joint);
    for (size_t k = 0; f->joint && k < joints; k++)
        if (system->friction_measure[k] >= 0)
            f->joint[f->friction_count++] = (int32_t)k;
    size_t count = (size_t)f->friction_count;
    f->Q = malloc(n * sizeof *f->Q);
    f->x = malloc(n * sizeof *f->x);
    f->before = calloc(joints + 1, sizeof *f->before);
    f->wrenches = malloc((size_t)system->model->bodies.count * sizeof *f->wrenches);
    f->effort = calloc(count + 1, sizeof *f->effort);
    f->sign = calloc(count + 1, sizeof *f->sign);
    f->limit = calloc(count + 1, sizeof *f->limit);
    f->J = calloc(count * (count + 1) + 1, sizeof *f->J);
    f->base = calloc(rows, sizeof *f->base);
    f->response = calloc(count * rows + 1, sizeof *f->response);
    f->still_said = calloc(count + 1, sizeof *f->still_said);
    f->found = calloc(count + 1, sizeof *f->found);
    f->doubled = calloc(joints + 1, sizeof *f->doubled);
    bool good = f->joint && f->Q && f->x && f->before && f->wrenches && f->effort && f->sign && f->limit && f->J && f->base && f->response && f->still_said &&
                f->found && f->doubled;
    RbvStatus status = good ? rbv_choice_create(system, options, diagnostics, &f->choice) : RBV_NO_MEMORY;
    if (status == RBV_OK)
        status = rbv_choice_fits(system, motion->solvability, diagnostics);
    if (status == RBV_OK && options->method == RBV_METHOD_LAGRANGE && !(f->kkt = rbv_kkt_create(motion)))
        status = RBV_NO_MEMORY;
    if (status == RBV_OK && rbv_choice_corners(f->choice) > 0 && (f->friction_count > 0 || reactions->has_line))
        rbv_diagnose(diagnostics, RBV_NOTE, system->model->file, (RbvPosition){0, 0},
                     "ranges over compliances are those of their corners and the middle; friction and tooth forces follow magnitudes, so that values "
                     "between may lie outside");
    if (status != RBV_OK) {
        rbv_forces_destroy(f);
        *out = NULL;
    }
    return status;
}

void rbv_forces_destroy(RbvForces *f) {
    if (!f)
        return;
    rbv_choice_destroy(f->choice);
    rbv_kkt_destroy(f->kkt);
    free(f->joint);
    free(f->Q);
    free(f->x);
    free(f->before);
    free(f->wrenches);
    free(f->effort);
    free(f->sign);
    free(f->limit);
    free(f->J);
    free(f->base);
    free(f->response);
    free(f->still_said);
    free(f->found);
    free(f->doubled);
    free(f);
}

void rbv_forces_silence(RbvForces *f, bool silent) {
    f->diagnostics = silent ? NULL : f->heard;
}

const RbvChoice *rbv_forces_choice(const RbvForces *f) {
    return f->choice;
}

/* lambda on the independent rows for generalized forces Q: C_I^T lambda = Q - M a. */
static void solve_multipliers(RbvForces *f, const double *Q) {
    RbvMotion *motion = f->motion;
    double *lambda = f->reactions->lambda;
    rbv_state_inertia(motion->state, motion->state->a, f->x);
    for (int32_t k = 0; k < motion->n; k++)
        f->x[k] = Q[k] - f->x[k];
    rbv_lu_solve_transposed(motion->lu, f->x);
    memset(lambda, 0, (size_t)f->system->row_count * sizeof *lambda);
    for (int32_t k = 0; k < motion->n; k++)
        lambda[motion->solvability->independent[k]] = f->x[k];
}

static RbvStatus solve(RbvForces *f, const double *Q) {
    RbvMotion *motion = f->motion;
    if (!f->kkt) {
        solve_multipliers(f, Q);
    } else {
        if (!rbv_kkt_matches(f->kkt, motion)) {
            rbv_kkt_destroy(f->kkt);
            f->kkt = rbv_kkt_create(motion);
            if (!f->kkt)
                return RBV_NO_MEMORY;
        }
        if (!rbv_kkt_factor(f->kkt, motion))
            return fail(f, RBV_LOCKED, "Lagrange's equations are singular%s", "");
        rbv_kkt_solve(f->kkt, motion, Q, motion->state->a, f->reactions->lambda);
        rbv_state_accelerate(motion->state);
    }
    bool choose = motion->solvability->redundant > 0 || f->choice_always;
    return choose ? rbv_choice_apply(f->choice, motion->state, motion->solvability, f->reactions, f->diagnostics) : RBV_OK;
}

/* Wrenches of a unit effort on a coordinate, times k. */
static void add_effort(const RbvForces *f, int32_t measure, double k, RbvWrench *wrenches) {
    const RbvState *state = f->motion->state;
    for (int side = 0; side < 2; side++) {
        int32_t body = state->markers[f->system->model->measures.items[measure].marker[side]].body;
        wrenches[body] = rbv_wrench_add_scaled(wrenches[body], k, state->measures[measure].gradient[side]);
    }
}

/* Loads, friction efforts as they are now, and what lambda pushes along lines of centres. */
static RbvStatus solve_with(RbvForces *f, bool lines) {
    const RbvState *state = f->motion->state;
    memcpy(f->wrenches, state->wrenches, (size_t)f->system->model->bodies.count * sizeof *f->wrenches);
    for (int32_t i = 0; i < f->friction_count; i++)
        if (f->effort[i] != 0)
            add_effort(f, f->system->friction_measure[f->joint[i]], f->effort[i], f->wrenches);
    if (lines)
        rbv_reactions_lines(f->reactions, state, f->wrenches);
    rbv_coordinates_pull(&f->system->coordinates, rbv_state_at(f->motion->state), f->wrenches, f->Q);
    return solve(f, f->Q);
}

/* Where tooth forces are redundant the pushes change the choice among them, and so the pushes: until they stay. Elsewhere the second pass finds them as
 * they were. */
static RbvStatus solve_lines(RbvForces *f) {
    const RbvSystem *system = f->system;
    RbvStatus status = solve_with(f, false);
    for (int step = 0; status == RBV_OK && f->reactions->has_line; step++) {
        double change = 0, largest = 0;
        for (int32_t k = 0; k < system->model->joints.count; k++)
            f->before[k] = f->reactions->lambda[system->joint_row[k]];
        status = solve_with(f, true);
        for (int32_t k = 0; k < system->model->joints.count; k++) {
            if (system->model->joints.items[k].form != RBV_FORM_GEAR)
                continue;
            double now = f->reactions->lambda[system->joint_row[k]];
            change = fmax(change, fabs(now - f->before[k]));
            largest = fmax(largest, fabs(now));
        }
        if (status != RBV_OK || change <= LINES_EXACT * largest || f->motion->solvability->redundant == 0)
            return status;
        if (step == MOST_STEPS)
            return fail(f, RBV_LOCKED, "tooth forces and the pushes that follow them do not settle%s", "");
    }
    return status;
}

/* The joint's force and torque in its own axes, from multipliers and lines. */
static void reaction_of(const RbvForces *f, int32_t joint, const double *lambda, bool lines, double out[3]) {
    const RbvReactions *r = f->reactions;
    const RbvMarkerState *axes = &f->motion->state->markers[rbv_joint_axes(&f->system->model->joints.items[joint])];
    RbvWrench sum = lines ? r->line[joint] : (RbvWrench){{0, 0, 0}, {0, 0, 0}};
    for (int32_t row = f->system->joint_row[joint]; row < f->system->joint_row[joint + 1]; row++)
        sum = rbv_wrench_add_scaled(sum, lambda[row], r->unit[row]);
    RbvVec3 force = rbv_apply_transposed(&axes->axes, sum.force);
    out[0] = force.x, out[1] = force.y, out[2] = sum.torque.z;
}

/* N of a joint with reaction w, and how it changes with w. */
static double load_of(const RbvJoint *joint, const double w[3], double slope[3]) {
    slope[0] = slope[1] = slope[2] = 0;
    if (joint->locks == (RBV_DIRECTION_X | RBV_DIRECTION_Y)) {
        double size = hypot(w[0], w[1]), r = joint->friction_radius;
        for (int k = 0; k < 2 && size > 0; k++)
            slope[k] = r * w[k] / size;
        return r * size;
    }
    bool ends = joint->locks & RBV_DIRECTION_RZ && joint->friction_radius > 0;
    double lever = ends ? 0.5 / joint->friction_radius : 0, sum = 0;
    for (int end = 0; end < 2; end++) {
        double part = 0.5 * w[1] + (end ? -lever : lever) * w[2], sign = part >= 0 ? 1 : -1;
        sum += fabs(part);
        slope[1] += 0.5 * sign;
        slope[2] += (end ? -lever : lever) * sign;
    }
    return sum;
}

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
    RbvStatus status = solve_with(f, false);
    memcpy(f->base, f->reactions->lambda, rows * sizeof *f->base);
    for (int32_t i = 0; status == RBV_OK && i < f->friction_count; i++) {
        double *response = f->response + (size_t)i * rows;
        memset(response, 0, rows * sizeof *response);
        if (f->sign[i] == 0)
            continue;
        f->effort[i] = 1;
        status = solve_with(f, false);
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
    for (int step = 0; step < MOST_STEPS; step++) {
        double largest = 0, change = 0;
        RbvStatus status = solve_lines(f);
        if (status != RBV_OK)
            return status;
        for (int32_t i = 0; i < n; i++) {
            const RbvJoint *joint = &model->joints.items[f->joint[i]];
            double reaction[3], slope[3], answer[3];
            reaction_of(f, f->joint[i], f->reactions->lambda, true, reaction);
            double mu = joint->friction * f->sign[i], load = load_of(joint, reaction, slope);
            for (int32_t j = 0; j < n; j++) {
                reaction_of(f, f->joint[i], f->response + (size_t)j * rows, false, answer);
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
            return solve_lines(f);
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
    return solve_lines(f);
}

static RbvStatus solve_friction(RbvForces *f) {
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
        return fail(f, RBV_LOCKED, "friction has no solution, the mechanism jams: no drive effort moves it against the friction of %s; "
                                   "smaller coefficients, other radii or longer guides are needed", jammed(f, f->names, sizeof f->names));
    return status == RBV_OK ? look_for_others(f) : status;
}

/* Multipliers, friction and printed values for the choice as it stands. */
static RbvStatus solve_and_print(void *context) {
    RbvForces *f = context;
    RbvStatus status = f->friction_count > 0 ? solve_friction(f) : solve_lines(f);
    if (status != RBV_OK)
        return status;
    rbv_reactions_print(f->reactions, f->motion->state);
    for (int32_t i = 0; i < f->friction_count; i++)
        f->reactions->value[f->joint[i]][RBV_FRICTION] = f->effort[i];
    rbv_choice_finish(f->choice, f->reactions);
    return RBV_OK;
}

RbvStatus rbv_forces_solve(RbvForces *f) {
    rbv_reactions_place(f->reactions, f->motion->state);
    RbvStatus status = f->motion->solvability->redundant > 0 ? rbv_motion_null(f->motion) : RBV_OK;
    return status == RBV_OK ? rbv_choice_over_ranges(f->choice, f->reactions, solve_and_print, f) : status;
}

static const char *const refusal =
    "friction in joint '%s' depends on its reaction, which the rigid model does not determine: the forces would not be unique. Free a direction "
    "(roberval check says which), or give the joints compliances";

RbvStatus rbv_forces_judge(RbvForces *f) {
    RbvReactions *r = f->reactions;
    rbv_reactions_judge(r, f->motion->state, f->motion->solvability);
    rbv_choice_judge(f->choice, f->motion->state, f->motion->solvability, r);
    if (!rbv_judge_dependent_loads(r, f->motion->state, NULL))
        return RBV_NO_MEMORY;
    for (int32_t i = 0; i < f->friction_count; i++) {
        const RbvJoint *joint = &f->system->model->joints.items[f->joint[i]];
        if (joint->friction > 0 && r->verdict[f->joint[i]][RBV_FRICTION] > RBV_COMPLIANCE) {
            rbv_diagnose(f->diagnostics, RBV_ERROR, f->system->model->file, joint->where, refusal, joint->name);
            return f->judged ? RBV_INCONSISTENT : RBV_BAD_INPUT;
        }
    }
    f->judged = true;
    f->stale = false;
    return !f->any_doubled || rbv_judge_dependent_loads(r, f->motion->state, f->doubled) ? RBV_OK : RBV_NO_MEMORY;
}

bool rbv_forces_stale(const RbvForces *f) {
    return f->stale;
}

void rbv_warn_friction(const RbvSystem *system, const RbvReactions *reactions, RbvDiagnostics *diagnostics) {
    for (int32_t k = 0; k < system->model->joints.count; k++) {
        const RbvJoint *joint = &system->model->joints.items[k];
        if (joint->friction > 0 && reactions->verdict[k][RBV_FRICTION] > RBV_COMPLIANCE)
            rbv_diagnose(diagnostics, RBV_WARNING, system->model->file, joint->where, refusal, joint->name);
    }
}
