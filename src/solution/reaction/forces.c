/* Solves for the forces of one sample of a driven motion: multipliers by a method and the choice where they are not
 * unique, the forces along lines of centres that depend on them, Coulomb friction, and the values printed.
 *
 *   D^T lambda = Q - (m, J) a,  Q = loads + lines(lambda) + sum_j s_j g_j,   s_j = -mu_j N_j(R_j) */
#include "solution/reaction/forces.h"

#include "core/base/arena.h"
#include "core/base/diagnostics.h"
#include "core/base/extremes.h"
#include "core/base/tolerances.h"
#include "core/linalg/small.h"
#include "solution/reaction/dependent_loads.h"
#include "solution/reaction/virtual_power.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Most steps of the iterations for friction and tooth forces. */
#define MOST_STEPS 100

struct RbvForces {
    RbvArena arena; /* memory of the arrays */
    const RbvSystem *system;
    RbvMotion *motion;
    RbvReactions *reactions;
    RbvDiagnostics *diagnostics, *report; /* NULL while reports are suppressed; the caller's */
    RbvChoice *choice;
    const RbvMethodKind *method;
    void *own;               /* data of the method */
    RbvRequested *requested; /* the caller's: solve for these alone; NULL: for all */
    bool placed;             /* evaluate unit wrenches of all rows nevertheless */
    bool choice_always;      /* check eliminations also where nothing is redundant */
    bool judged;
    double *Q;                                /* [bodies.size] forces on body twists */
    double *before;                           /* [joints] multipliers of the first rows in the last pass */
    RbvWrench *wrenches;                      /* [bodies] loads, friction and tooth forces about centroids */
    int32_t friction_count;                   /* number of the system's friction contacts */
    double *force;                            /* [friction] s along the slip direction, never positive [N] */
    double (*slip)[RBV_MOST_SLIP_DIRECTIONS]; /* [friction] slip direction u/|u|; 0: no sliding */
    bool *slides, *stands;                    /* [friction] slides; stands still for longer than an instant */
    double *load;                             /* [friction] N of the last solution [N] */
    double *kept;                             /* [friction] scratch */
    double *J;                                /* [friction][friction + 1] Newton's matrix and right-hand side */
    double *base, *response; /* [rows], [friction][rows] multipliers: without friction; per unit force */
    bool *still_reported;    /* [friction] already reported */
    double *found;           /* [friction] s of the solution printed */
    bool *doubled;           /* [friction] another solution has other friction there */
    RbvFrictionPhase *phase; /* [friction] as decided last */
    bool any_doubled, doubled_reported, stale; /* stale: verdicts are older than the state of friction */
    char names[RBV_NAME_SIZE];
};

/* Effort of friction contact i along its slip direction c [N or N m]. */
static double friction_effort(const RbvForces *f, int32_t i, int c) {
    return f->force[i] * f->slip[i][c] * f->system->friction[i].slip[c].lever;
}

/* Multipliers. */

/* Reports "at t = ... s" and the message; returns the status. */
static RbvStatus fail_sample(const RbvForces *f, RbvStatus status, const char *format, const char *name) {
    char text[400];
    snprintf(text, sizeof text, format, name);
    rbv_diagnose(f->diagnostics, RBV_ERROR, f->system->model->file, (RbvPosition){0, 0}, "at t = %.9g s %s",
                 f->motion->state->t, text);
    return status;
}

static RbvStatus solve_by_method(RbvForces *f) {
    RbvMotion *motion = f->motion;
    RbvStatus status = f->method->solve(f->own, motion, f->Q, f->reactions->lambda);
    if (status == RBV_LOCKED && f->method->explain) {
        char why[300];
        f->method->explain(f->own, why, sizeof why);
        return fail_sample(f, status, "%s", why);
    }
    if (status != RBV_OK)
        return status == RBV_LOCKED
                   ? fail_sample(f, status, RBV_OPTION_INVERSE_METHOD " %s finds no forces", f->method->name)
                   : status;
    bool choose = motion->solvability->redundant > 0 || f->choice_always;
    return choose ? rbv_choice_apply(f->choice, motion->state, motion->solvability, f->reactions, f->diagnostics)
                  : RBV_OK;
}

/* lambda for the loads and the friction in f->force: without forces along lines of centres, or with those of the
 * previous lambda. */
static RbvStatus multipliers_for(RbvForces *f, bool lines) {
    const RbvState *state = f->motion->state;
    memcpy(f->wrenches, state->wrenches, (size_t)f->system->model->bodies.count * sizeof *f->wrenches);
    for (int32_t i = 0; i < f->friction_count; i++)
        for (int c = 0; f->force[i] != 0 && c < f->system->friction[i].count; c++)
            rbv_friction_push(state, &f->system->friction[i], c, friction_effort(f, i, c), f->wrenches);
    if (lines)
        rbv_reactions_lines(f->reactions, state, f->wrenches);
    for (int32_t b = 1; b < f->system->bodies.count; b++)
        rbv_bodies_put(&f->system->bodies, b, (RbvTwist){f->wrenches[b].force, f->wrenches[b].torque}, f->Q);
    return solve_by_method(f);
}

/* lambda with the forces along lines of centres that belong to it. Where tooth forces are redundant, the radial forces
 * change the choice, and so the radial forces: iterates until they stay. Else the second pass confirms the first. */
static RbvStatus multipliers_with_lines(RbvForces *f) {
    const RbvSystem *system = f->system;
    RbvStatus status = multipliers_for(f, false);
    double before = INFINITY;
    for (int step = 0; status == RBV_OK && f->reactions->has_line; step++) {
        double change = 0, largest = 0;
        for (int32_t k = 0; k < system->model->joints.count; k++)
            f->before[k] = f->reactions->lambda[system->joint_row[k]];
        status = multipliers_for(f, true);
        for (int32_t k = 0; k < system->model->joints.count; k++) {
            if (!rbv_forms[system->model->joints.items[k].form].teeth)
                continue;
            double now = f->reactions->lambda[system->joint_row[k]];
            change = rbv_max(change, fabs(now - f->before[k]));
            largest = rbv_max(largest, fabs(now));
        }
        /* Iteration of tooth forces has converged when they change by less than this part of the largest. Or when
         * changes no longer shrink, below this part: near singular positions rounding is larger. */
        bool settled = change <= RBV_CANCELLED * largest || (change <= RBV_ROOT_EPS * largest && change > 0.5 * before);
        if (status != RBV_OK || settled || f->motion->solvability->redundant == 0)
            return status;
        before = change;
        if (step == MOST_STEPS)
            return fail_sample(f, RBV_LOCKED, "tooth forces and the pushes that follow them do not settle%s", "");
    }
    return status;
}

/* Coulomb friction: Newton on s_j + mu_j N_j(R(s)) = 0, R linear in the forces s along the slip directions. */

/* Start of the search for other solutions, in multiples of the solution found; difference, as a part of the largest
 * force, above which a solution is another one. */
#define FAR_START 50.0

/* The fastest rate of the machine, relative to the size of its part [1/s]. */
static double fastest(const RbvForces *f) {
    double most = 0;
    for (int32_t k = 0; k < f->motion->n; k++)
        most = rbv_max(most, fabs(f->motion->state->v[k]) * f->motion->share[k]);
    return most;
}

/* Slip speed of a contact, rotations times the arm, relative to the size of its part [1/s]. */
static double speed(const RbvForces *f, const RbvFrictionContact *friction) {
    const RbvState *state = f->motion->state;
    const RbvMeasure *measure = &f->system->model->measures.items[friction->slip[0].measure[0]];
    int32_t body = state->markers[measure->marker[1]].body;
    body = body > 0 ? body : state->markers[measure->marker[0]].body;
    double sum = 0, arm = rbv_state_body_arm(state, body);
    for (int c = 0; c < friction->count; c++) {
        double rate = rbv_friction_rate(state, friction, c) * (friction->slip[c].angular ? arm : 1);
        sum += rate * rate;
    }
    return sqrt(sum) / rbv_state_body_size(state, body);
}

/* Does a contact without slip velocity stay at rest, or does its velocity only reverse at this instant? */
static bool stays(const RbvForces *f, const RbvFrictionContact *friction) {
    const RbvState *state = f->motion->state;
    double most = 0, sum = 0;
    for (int32_t b = 1; b < state->system->bodies.count; b++)
        most = rbv_max(most, rbv_norm(state->accelerations[b].v) +
                                 rbv_norm(state->accelerations[b].w) * rbv_state_body_size(state, b));
    for (int c = 0; c < friction->count; c++)
        sum += fabs(rbv_friction_second(state, friction, c));
    /* A joint slower than this part of the fastest stands still: its friction is between plus and minus its limit. */
    return sum <= RBV_SAME * most;
}

/* Slip directions of all contacts; those that stand still have none. */
static void find_directions(RbvForces *f) {
    double least = RBV_SAME * fastest(f);
    for (int32_t i = 0; i < f->friction_count; i++) {
        const RbvFrictionContact *friction = &f->system->friction[i];
        double u[RBV_MOST_SLIP_DIRECTIONS], size = rbv_friction_slide(f->motion->state, friction, u);
        bool slides = !friction->own && speed(f, friction) > least && size > 0;
        bool stands = !friction->own && !slides && stays(f, friction);
        f->stale = f->stale || (f->judged && stands != f->stands[i]);
        f->slides[i] = slides;
        f->stands[i] = stands;
        f->force[i] = slides ? f->force[i] : 0;
        for (int c = 0; c < RBV_MOST_SLIP_DIRECTIONS; c++)
            f->slip[i][c] = slides ? u[c] / size : 0;
    }
}

/* Force of friction on the surfaces besides the joint's wrench: across a bar, of both ends. one >= 0: of a unit
 * force of that contact alone; -1: of all as they are. */
static RbvVec3 across(const RbvForces *f, const RbvFrictionContact *friction, int32_t one) {
    RbvVec3 sum = {0, 0, 0};
    if (!rbv_forms[f->system->model->joints.items[friction->joint].form].bar)
        return sum;
    for (int32_t j = 0; j < f->friction_count; j++) {
        const RbvFrictionContact *other = &f->system->friction[j];
        for (int c = 0; other->joint == friction->joint && f->slides[j] && (one < 0 || j == one) && c < other->count;
             c++)
            sum = rbv_add_scaled(sum, (one < 0 ? f->force[j] : 1) * f->slip[j][c] * other->slip[c].lever,
                                 rbv_friction_across(f->motion->state, other, c));
    }
    return sum;
}

/* Largest friction [N] that a contact at rest could exert, by its present normal load. */
static double could_hold(const RbvForces *f, const RbvFrictionContact *friction) {
    RbvWrench slope, whole = rbv_reactions_wrench(f->reactions, friction->joint, f->reactions->lambda, true);
    whole.force = rbv_add(whole.force, across(f, friction, -1));
    return f->system->model->joints.items[friction->joint].sizes->friction_static *
           rbv_friction_load(f->motion->state, friction, whole, &slope);
}

double rbv_forces_still(const RbvForces *f, int32_t friction) {
    const RbvFrictionContact *of = &f->system->friction[friction];
    return of->own || !f->stands[friction] || of->stick_row < 0 ? 0 : could_hold(f, of);
}

/* Reports the range of friction of contacts at rest, once each. */
static void report_still(RbvForces *f) {
    const RbvModel *model = f->system->model;
    for (int32_t i = 0; i < f->friction_count; i++) {
        const RbvFrictionContact *friction = &f->system->friction[i];
        const RbvJoint *joint = &model->joints.items[friction->joint];
        if (friction->own || f->slides[i] || f->still_reported[i])
            continue;
        f->still_reported[i] = true;
        double limit = friction->slip[0].lever * could_hold(f, friction);
        rbv_diagnose_once(
            f->diagnostics, (RbvOnce){"still", i}, RBV_NOTE, model->file, joint->where,
            "joint '%s' stands still at t = %.6g s: its friction there is anything up to the limit, -%.6g to "
            "%.6g %s; 0 is taken",
            joint->name, f->motion->state->t, limit, limit, friction->slip[0].angular ? "N.m" : "N");
    }
}

/* Warns, once each, where a sticking contact needs more friction than its limit; it keeps sticking all the same. */
static void report_slip(RbvForces *f) {
    const RbvModel *model = f->system->model;
    for (int32_t i = 0; i < f->friction_count; i++) {
        const RbvFrictionContact *friction = &f->system->friction[i];
        const RbvJoint *joint = &model->joints.items[friction->joint];
        if (!friction->own || f->still_reported[i])
            continue;
        RbvWrench slope;
        double load = rbv_friction_load(f->motion->state, friction,
                                        rbv_reactions_wrench(f->reactions, friction->joint, f->reactions->lambda, true),
                                        &slope),
               need = 0;
        for (int c = 0; c < friction->count; c++)
            need = hypot(need, f->reactions->lambda[friction->stick_row + c]);
        /* Excess over the limit of sticking friction that counts as rounding. */
        if (need <= (1 + RBV_SAME) * joint->sizes->friction_static * load)
            continue;
        f->still_reported[i] = true;
        rbv_diagnose_once(
            f->diagnostics, (RbvOnce){"slip", i}, RBV_WARNING, model->file, joint->where,
            "'%s' needs a friction of %.6g N at t = %.6g s, and no more than %.6g N is there: a real one slips",
            joint->name, need, f->motion->state->t, joint->sizes->friction_static * load);
    }
}

/* Response of the multipliers to a unit force on each sliding contact. */
static RbvStatus find_responses(RbvForces *f) {
    size_t rows = (size_t)f->system->row_count;
    memcpy(f->kept, f->force, (size_t)f->friction_count * sizeof *f->kept);
    memset(f->force, 0, (size_t)f->friction_count * sizeof *f->force);
    RbvStatus status = multipliers_for(f, false);
    memcpy(f->base, f->reactions->lambda, rows * sizeof *f->base);
    for (int32_t i = 0; status == RBV_OK && i < f->friction_count; i++) {
        double *response = f->response + (size_t)i * rows;
        memset(response, 0, rows * sizeof *response);
        if (!f->slides[i])
            continue;
        f->force[i] = 1;
        status = multipliers_for(f, false);
        f->force[i] = 0;
        for (size_t k = 0; k < rows; k++)
            response[k] = f->reactions->lambda[k] - f->base[k];
    }
    memcpy(f->force, f->kept, (size_t)f->friction_count * sizeof *f->force);
    return status;
}

/* The names of the joints that slide, as a list. */
static const char *jammed(const RbvForces *f, char *names, size_t size) {
    size_t used = 0;
    names[0] = '\0';
    for (int32_t i = 0; i < f->friction_count; i++) {
        if (!f->slides[i])
            continue;
        int n = snprintf(names + used, size - used, "%s'%s'", used ? ", " : "",
                         f->system->model->joints.items[f->system->friction[i].joint].name);
        used = n > 0 && used + (size_t)n < size ? used + (size_t)n : size - 1;
    }
    return names;
}

/* Row i of Newton's equations for s_i + mu_i N_i(R(s)) = 0; returns mu_i N_i. */
static double place_row(RbvForces *f, int32_t i) {
    const RbvFrictionContact *friction = &f->system->friction[i];
    int32_t n = f->friction_count, w = n + 1;
    size_t rows = (size_t)f->system->row_count;
    double mu = f->slides[i] ? f->system->model->joints.items[friction->joint].sizes->friction : 0;
    RbvWrench slope;
    RbvWrench whole = rbv_reactions_wrench(f->reactions, friction->joint, f->reactions->lambda, true);
    whole.force = rbv_add(whole.force, across(f, friction, -1));
    f->load[i] = rbv_friction_load(f->motion->state, friction, whole, &slope);
    for (int32_t j = 0; j < n; j++) {
        RbvWrench answer = rbv_reactions_wrench(f->reactions, friction->joint, f->response + (size_t)j * rows, false);
        answer.force = rbv_add(answer.force, across(f, friction, j));
        f->J[i * w + j] = (i == j) + mu * (rbv_dot(slope.force, answer.force) + rbv_dot(slope.torque, answer.torque));
    }
    f->J[i * w + n] = -(f->force[i] + mu * f->load[i]);
    return mu * f->load[i];
}

/* Newton from the present forces. *settled: it converged, and lambda belongs to the solution. */
static RbvStatus newton(RbvForces *f, bool *settled) {
    int32_t n = f->friction_count, w = n + 1;
    double before = INFINITY;
    *settled = false;
    for (int step = 0; step < MOST_STEPS; step++) {
        double largest = 0, change = 0;
        RbvStatus status = multipliers_with_lines(f);
        if (status != RBV_OK)
            return status;
        for (int32_t i = 0; i < n; i++)
            largest = rbv_max(largest, place_row(f, i));
        if (!rbv_small_solve(f->J, n, 1e-12))
            return RBV_OK;
        for (int32_t i = 0; i < n; i++) {
            f->force[i] += f->J[i * w + n];
            change = rbv_max(change, fabs(f->J[i * w + n]));
        }
        if (!isfinite(change))
            return RBV_OK;
        /* Newton has converged when it changes no force by more than this part of the largest. Or when changes no
         * longer shrink, below this part: rounding is that of the largest forces, and friction may be small beside
         * them. */
        *settled = change <= RBV_ROUNDING * largest || (change <= RBV_ROOT_EPS * largest && change > 0.5 * before);
        before = change;
        if (*settled)
            return multipliers_with_lines(f);
    }
    return RBV_OK;
}

static double largest_force(const RbvForces *f, const double *force) {
    double most = 0;
    for (int32_t i = 0; i < f->friction_count; i++)
        most = rbv_max(most, fabs(force[i]));
    return most;
}

/* Strong friction can have two solutions. Searches for another one, starting far from the solution found, and from
 * no friction. */
static RbvStatus look_for_others(RbvForces *f) {
    int32_t n = f->friction_count;
    double size = largest_force(f, f->force);
    bool doubled = false;
    memcpy(f->found, f->force, (size_t)n * sizeof *f->found);
    for (int32_t i = 0; i < n; i++)
        f->doubled[i] = false;
    for (int start = 0; start < 2; start++) {
        bool settled;
        for (int32_t i = 0; i < n; i++) /* friction opposes the motion, so only one sign makes sense: start far from the
                                           solution, and from none */
            f->force[i] = start == 0 && f->slides[i] ? -(FAR_START * fabs(f->found[i]) + size) : 0;
        RbvStatus status = newton(f, &settled);
        if (status != RBV_OK)
            return status;
        for (int32_t i = 0; settled && i < n; i++)
            if (fabs(f->force[i] - f->found[i]) > RBV_FITS * (size + largest_force(f, f->force)))
                f->doubled[i] = doubled = true;
    }
    memcpy(f->force, f->found, (size_t)n * sizeof *f->found);
    f->stale = f->stale || doubled != f->any_doubled;
    if (doubled && !f->doubled_reported) {
        f->doubled_reported = true;
        char text[800];
        snprintf(text, sizeof text,
                 "friction of %s holds with more than one set of forces (it is near to jamming): one of them is "
                 "printed, as not unique",
                 jammed(f, f->names, sizeof f->names));
        rbv_diagnose_once(f->diagnostics, (RbvOnce){"doubled", 0}, RBV_WARNING, f->system->model->file,
                          (RbvPosition){0, 0}, "at t = %.6g s %s", f->motion->state->t, text);
    }
    f->any_doubled = doubled;
    return multipliers_with_lines(f);
}

/* Forces of friction, and lambda with them. LOCKED: friction jams, reported. */
static RbvStatus solve_friction(RbvForces *f) {
    bool settled = false;
    find_directions(f);
    RbvStatus status = find_responses(f);
    if (status == RBV_OK)
        status = newton(f, &settled);
    if (status == RBV_OK && !settled) { /* no convergence from the friction of the last sample: start from none */
        memset(f->force, 0, (size_t)f->friction_count * sizeof *f->force);
        status = newton(f, &settled);
    }
    if (status == RBV_OK && !settled)
        return fail_sample(
            f, RBV_LOCKED,
            "friction has no solution, the mechanism jams: no drive effort moves it against the friction of %s; "
            "smaller coefficients, other radii or longer guides are needed",
            jammed(f, f->names, sizeof f->names));
    status = status == RBV_OK ? look_for_others(f) : status;
    if (status == RBV_OK)
        report_still(f), report_slip(f);
    return status;
}

/* The forces of a sample. */

void rbv_forces_destroy(RbvForces *f) {
    if (!f)
        return;
    rbv_choice_destroy(f->choice);
    if (f->method)
        f->method->destroy(f->own);
    rbv_arena_clear(&f->arena);
    free(f);
}

RbvStatus rbv_forces_create(RbvMotion *motion, RbvReactions *reactions, const RbvOptions *options,
                            RbvDiagnostics *diagnostics, RbvForces **out) {
    const RbvSystem *system = motion->system;
    size_t n = (size_t)system->bodies.size + 1, rows = (size_t)system->row_count + 1,
           joints = (size_t)system->model->joints.count;
    *out = NULL;
    RbvForces *f = calloc(1, sizeof *f);
    *out = f;
    if (!f)
        return RBV_NO_MEMORY;
    f->system = system;
    f->motion = motion;
    f->reactions = reactions;
    f->diagnostics = f->report = diagnostics;
    f->choice_always = options->reactions.redundant == RBV_REDUNDANT_ELIMINATE;
    f->friction_count = system->friction_count;
    size_t count = (size_t)f->friction_count;
    RbvArena *arena = &f->arena;
    f->Q = rbv_arena_array(arena, n, sizeof *f->Q);
    f->before = rbv_arena_array(arena, joints + 1, sizeof *f->before);
    f->wrenches = rbv_arena_array(arena, (size_t)system->model->bodies.count, sizeof *f->wrenches);
    f->force = rbv_arena_array(arena, count + 1, sizeof *f->force);
    f->slip = rbv_arena_array(arena, count + 1, sizeof *f->slip);
    f->slides = rbv_arena_array(arena, count + 1, sizeof *f->slides);
    f->stands = rbv_arena_array(arena, count + 1, sizeof *f->stands);
    f->load = rbv_arena_array(arena, count + 1, sizeof *f->load);
    f->kept = rbv_arena_array(arena, count + 1, sizeof *f->kept);
    f->phase = rbv_arena_array(arena, count + 1, sizeof *f->phase);
    f->J = rbv_arena_array(arena, count * (count + 1) + 1, sizeof *f->J);
    f->base = rbv_arena_array(arena, rows, sizeof *f->base);
    f->response = rbv_arena_array(arena, count * rows + 1, sizeof *f->response);
    f->still_reported = rbv_arena_array(arena, count + 1, sizeof *f->still_reported);
    f->found = rbv_arena_array(arena, count + 1, sizeof *f->found);
    f->doubled = rbv_arena_array(arena, count + 1, sizeof *f->doubled);
    bool good = f->Q && f->before && f->wrenches && f->force && f->slip && f->slides && f->stands && f->load &&
                f->kept && f->phase && f->J && f->base && f->response && f->still_reported && f->found && f->doubled;
    RbvStatus status = good ? rbv_choice_create(system, options, diagnostics, &f->choice) : RBV_NO_MEMORY;
    if (status == RBV_OK)
        status = rbv_choice_fits(system, motion->solvability, diagnostics);
    f->method = rbv_method_kind(options->inverse.method);
    if (status == RBV_OK && !(f->own = f->method->create(motion, options)))
        status = RBV_NO_MEMORY;
    if (status == RBV_OK && rbv_choice_corners(f->choice) > 0 && (f->friction_count > 0 || reactions->has_line))
        rbv_diagnose(diagnostics, RBV_NOTE, system->model->file, (RbvPosition){0, 0},
                     "ranges over compliances are those of their corners and the middle; friction and tooth forces "
                     "follow magnitudes, so that values "
                     "between may lie outside");
    if (status != RBV_OK) {
        rbv_forces_destroy(f);
        *out = NULL;
    }
    return status;
}

void rbv_forces_silence(RbvForces *f, bool silent) {
    f->diagnostics = silent ? NULL : f->report;
}

RbvChoice *rbv_forces_choice(const RbvForces *f) {
    return f->choice;
}

/* Multipliers, friction and printed values for the compliances in use. */
static RbvStatus solve_and_print(void *context) {
    RbvForces *f = context;
    RbvStatus status = f->friction_count > 0 ? solve_friction(f) : multipliers_with_lines(f);
    if (status != RBV_OK)
        return status;
    rbv_reactions_print(f->reactions, f->motion->state);
    for (int32_t i = 0; i < f->friction_count; i++) {
        const RbvFrictionContact *friction = &f->system->friction[i];
        for (int c = 0; !friction->own && c < friction->count; c++)
            f->reactions->value[friction->joint][friction->slip[c].component] = friction_effort(f, i, c);
    }
    rbv_choice_finish(f->choice, f->reactions);
    return RBV_OK;
}

void rbv_forces_ask(RbvForces *f, RbvRequested *requested, bool judged) {
    f->requested = requested;
    f->placed = judged;
}

bool rbv_forces_may_ask(const RbvForces *f, const RbvRequested *requested) {
    return requested->linear && f->friction_count == 0 && !f->reactions->has_line && !f->choice_always &&
           rbv_requested_determined(requested, f->reactions);
}

static RbvStatus solve_requested(RbvForces *f) {
    RbvMotion *motion = f->motion;
    RbvStatus status = motion->solvability->redundant > 0 ? rbv_motion_null(motion) : RBV_OK;
    if (status != RBV_OK)
        return status;
    if (f->placed)
        rbv_reactions_place(f->reactions, motion->state);
    if (rbv_requested_solve(f->requested, motion, f->reactions, motion->state->wrenches, f->placed))
        return RBV_OK;
    if (motion->state->no_memory)
        return RBV_NO_MEMORY;
    return motion->solvability->redundant > 0
               ? RBV_LOCKED
               : fail_sample(f, RBV_LOCKED, "a virtual motion does not keep the rows that stand still%s", "");
}

static RbvStatus fail_singular(const RbvForces *f, RbvStatus status) {
    char why[300];
    if (!f->method->explain)
        return fail_sample(f, status, "the equations of " RBV_OPTION_INVERSE_METHOD " %s are singular",
                           f->method->name);
    f->method->explain(f->own, why, sizeof why);
    return fail_sample(f, status, "%s", why);
}

RbvStatus rbv_forces_solve(RbvForces *f) {
    if (f->requested)
        return solve_requested(f);
    rbv_reactions_place(f->reactions, f->motion->state);
    RbvStatus status = f->motion->solvability->redundant > 0 ? rbv_motion_null(f->motion) : RBV_OK;
    if (status == RBV_OK && f->method->prepare && (status = f->method->prepare(f->own, f->motion)) == RBV_LOCKED)
        return fail_singular(f, status);
    return status == RBV_OK ? rbv_choice_over_ranges(f->choice, f->reactions, solve_and_print, f) : status;
}

static const char *const refusal = "friction in joint '%s' depends on its reaction, which the rigid model does not "
                                   "determine: the forces would not be unique. Free a direction "
                                   "(roberval check says which), or give the joints compliances";

RbvStatus rbv_forces_decide(RbvForces *f) {
    RbvReactions *r = f->reactions;
    rbv_reactions_decide(r, f->motion->state, f->motion->solvability);
    rbv_choice_decide(f->choice, f->motion->state, f->motion->solvability, r);
    if (!rbv_decide_dependent_loads(r, f->motion->state, NULL))
        return RBV_NO_MEMORY;
    int32_t reported = -1; /* last joint reported, so that each is reported once */
    for (int32_t i = 0; i < f->friction_count; i++) {
        const RbvFrictionContact *friction = &f->system->friction[i];
        const RbvJoint *joint = &f->system->model->joints.items[friction->joint];
        if (friction->own || !(joint->sizes->friction > 0) ||
            r->verdict[friction->joint][friction->slip[0].component] <= RBV_COMPLIANCE || friction->joint == reported)
            continue;
        rbv_diagnose(f->diagnostics, RBV_ERROR, f->system->model->file, joint->where, refusal, joint->name);
        reported = friction->joint;
    }
    if (reported >= 0)
        return f->judged ? RBV_INCONSISTENT : RBV_BAD_INPUT;
    f->judged = true;
    f->stale = false;
    bool open = false;
    for (int32_t i = 0; i < f->friction_count; i++) {
        bool still = f->system->model->joints.items[f->system->friction[i].joint].sizes->friction > 0 && f->stands[i];
        f->phase[i] = f->system->friction[i].own                   ? RBV_FRICTION_STICKS
                      : still || (f->any_doubled && f->doubled[i]) ? RBV_FRICTION_OPEN
                                                                   : RBV_FRICTION_SLIDES;
        open = open || f->phase[i] == RBV_FRICTION_OPEN;
    }
    return !open || rbv_decide_dependent_loads(r, f->motion->state, f->phase) ? RBV_OK : RBV_NO_MEMORY;
}

bool rbv_forces_refine(RbvForces *f, bool refined) {
    if (f->method->refine)
        f->method->refine(f->own, refined);
    return f->method->refine != NULL;
}

const RbvMethodReport *rbv_forces_report(const RbvForces *f) {
    return f->method->report ? f->method->report(f->own) : NULL;
}

const double *rbv_forces_surplus(const RbvForces *f) {
    return f->method->surplus ? f->method->surplus(f->own) : NULL;
}

bool rbv_forces_doubts(const RbvForces *f) {
    return f->method->doubt != NULL;
}

double rbv_forces_doubt(const RbvForces *f, int32_t first, int32_t count, const double *c) {
    return f->method->doubt(f->own, first, count, c);
}

void rbv_forces_see(RbvForces *f) {
    if (f->method->see)
        f->method->see(f->own, f->motion, f->reactions->lambda);
}

void rbv_forces_note(const RbvForces *f, RbvDiagnostics *diagnostics) {
    if (f->method->note)
        f->method->note(f->own, diagnostics);
}

bool rbv_forces_stale(const RbvForces *f) {
    return f->stale;
}

void rbv_warn_friction(const RbvSystem *system, const RbvReactions *reactions, RbvDiagnostics *diagnostics) {
    for (int32_t i = 0; i < system->friction_count; i++) {
        const RbvFrictionContact *friction = &system->friction[i];
        const RbvJoint *joint = &system->model->joints.items[friction->joint];
        if (!friction->own && joint->sizes->friction > 0 &&
            reactions->verdict[friction->joint][friction->slip[0].component] > RBV_COMPLIANCE)
            rbv_diagnose(diagnostics, RBV_WARNING, system->model->file, joint->where, refusal, joint->name);
    }
}
