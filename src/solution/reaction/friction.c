/* Coulomb friction: Newton on s_j + mu_j N_j(R(s)) = 0, R linear in the forces s along the slip directions; see
 * forces.h. */
#include "solution/reaction/forces_parts.h"

#include "core/base/diagnostics.h"
#include "core/linalg/small.h"

#include <stdio.h>
#include <string.h>

/* Newton has converged when it changes no force by more than this part of the largest. */
#define FRICTION_EXACT 1e-13
/* Or when changes no longer shrink, below this part: rounding is that of the largest forces, and friction may be
 * small beside them. */
#define FRICTION_FLOOR 1e-8
/* A joint slower than this part of the fastest stands still: its friction is between plus and minus its limit. */
#define STANDS_STILL 1e-9
/* Start of the search for other solutions, in multiples of the solution found; difference, as a part of the largest
 * force, above which a solution is another one. */
#define FAR_START 50.0
#define OTHER_SOLUTION 1e-6
/* Excess over the limit of sticking friction that counts as rounding. */
#define AT_LIMIT 1e-9

/* The fastest rate of the machine, relative to the size of its part [1/s]. */
static double fastest(const RbvForces *f) {
    double most = 0;
    for (int32_t k = 0; k < f->motion->n; k++)
        most = fmax(most, fabs(f->motion->state->v[k]) * f->motion->share[k]);
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
        most = fmax(most, rbv_norm(state->accelerations[b].v) +
                              rbv_norm(state->accelerations[b].w) * rbv_state_body_size(state, b));
    for (int c = 0; c < friction->count; c++)
        sum += fabs(rbv_friction_second(state, friction, c));
    return sum <= STANDS_STILL * most;
}

/* Slip directions of all contacts; those that stand still have none. */
static void find_directions(RbvForces *f) {
    double least = STANDS_STILL * fastest(f);
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

static RbvVec3 across(const RbvForces *f, const RbvFrictionContact *friction, int32_t one);

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
static void tell_still(RbvForces *f) {
    const RbvModel *model = f->system->model;
    for (int32_t i = 0; i < f->friction_count; i++) {
        const RbvFrictionContact *friction = &f->system->friction[i];
        const RbvJoint *joint = &model->joints.items[friction->joint];
        if (friction->own || f->slides[i] || f->still_said[i])
            continue;
        f->still_said[i] = true;
        double limit = friction->slip[0].lever * could_hold(f, friction);
        rbv_diagnose(f->diagnostics, RBV_NOTE, model->file, joint->where,
                     "joint '%s' stands still at t = %.6g s: its friction there is anything up to the limit, -%.6g to "
                     "%.6g %s; 0 is taken",
                     joint->name, f->motion->state->t, limit, limit, friction->slip[0].angular ? "N.m" : "N");
    }
}

/* Warns, once each, where a sticking contact needs more friction than its limit; it keeps sticking all the same. */
static void tell_slip(RbvForces *f) {
    const RbvModel *model = f->system->model;
    for (int32_t i = 0; i < f->friction_count; i++) {
        const RbvFrictionContact *friction = &f->system->friction[i];
        const RbvJoint *joint = &model->joints.items[friction->joint];
        if (!friction->own || f->still_said[i])
            continue;
        RbvWrench slope;
        double load = rbv_friction_load(f->motion->state, friction,
                                        rbv_reactions_wrench(f->reactions, friction->joint, f->reactions->lambda, true),
                                        &slope),
               need = 0;
        for (int c = 0; c < friction->count; c++)
            need = hypot(need, f->reactions->lambda[friction->stick_row + c]);
        if (need <= (1 + AT_LIMIT) * joint->sizes->friction_static * load)
            continue;
        f->still_said[i] = true;
        rbv_diagnose(
            f->diagnostics, RBV_WARNING, model->file, joint->where,
            "'%s' needs a friction of %.6g N at t = %.6g s, and no more than %.6g N is there: a real one slips",
            joint->name, need, f->motion->state->t, joint->sizes->friction_static * load);
    }
}

/* Response of the multipliers to a unit force on each sliding contact. */
static RbvStatus find_responses(RbvForces *f) {
    size_t rows = (size_t)f->system->row_count;
    memcpy(f->kept, f->force, (size_t)f->friction_count * sizeof *f->kept);
    memset(f->force, 0, (size_t)f->friction_count * sizeof *f->force);
    RbvStatus status = rbv_multipliers_for(f, false);
    memcpy(f->base, f->reactions->lambda, rows * sizeof *f->base);
    for (int32_t i = 0; status == RBV_OK && i < f->friction_count; i++) {
        double *response = f->response + (size_t)i * rows;
        memset(response, 0, rows * sizeof *response);
        if (!f->slides[i])
            continue;
        f->force[i] = 1;
        status = rbv_multipliers_for(f, false);
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

/* Force of friction on the surfaces besides the joint's wrench: across a bar, of both ends. one >= 0: of a unit
 * force of that contact alone; -1: of all as they are. */
static RbvVec3 across(const RbvForces *f, const RbvFrictionContact *friction, int32_t one) {
    RbvVec3 sum = {0, 0, 0};
    if (f->system->model->joints.items[friction->joint].form != RBV_FORM_DISTANCE)
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
    for (int step = 0; step < RBV_FORCES_STEPS; step++) {
        double largest = 0, change = 0;
        RbvStatus status = rbv_multipliers_with_lines(f);
        if (status != RBV_OK)
            return status;
        for (int32_t i = 0; i < n; i++)
            largest = fmax(largest, place_row(f, i));
        if (!rbv_small_solve(f->J, n, 1e-12))
            return RBV_OK;
        for (int32_t i = 0; i < n; i++) {
            f->force[i] += f->J[i * w + n];
            change = fmax(change, fabs(f->J[i * w + n]));
        }
        if (!isfinite(change))
            return RBV_OK;
        *settled = change <= FRICTION_EXACT * largest || (change <= FRICTION_FLOOR * largest && change > 0.5 * before);
        before = change;
        if (*settled)
            return rbv_multipliers_with_lines(f);
    }
    return RBV_OK;
}

static double largest_force(const RbvForces *f, const double *force) {
    double most = 0;
    for (int32_t i = 0; i < f->friction_count; i++)
        most = fmax(most, fabs(force[i]));
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
            if (fabs(f->force[i] - f->found[i]) > OTHER_SOLUTION * (size + largest_force(f, f->force)))
                f->doubled[i] = doubled = true;
    }
    memcpy(f->force, f->found, (size_t)n * sizeof *f->found);
    f->stale = f->stale || doubled != f->any_doubled;
    if (doubled && !f->doubled_said) {
        f->doubled_said = true;
        char text[800];
        snprintf(text, sizeof text,
                 "friction of %s holds with more than one set of forces (it is near to jamming): one of them is "
                 "printed, as not unique",
                 jammed(f, f->names, sizeof f->names));
        rbv_diagnose(f->diagnostics, RBV_WARNING, f->system->model->file, (RbvPosition){0, 0}, "at t = %.6g s %s",
                     f->motion->state->t, text);
    }
    f->any_doubled = doubled;
    return rbv_multipliers_with_lines(f);
}

RbvStatus rbv_friction_solve(RbvForces *f) {
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
        return rbv_forces_fail(
            f, RBV_LOCKED,
            "friction has no solution, the mechanism jams: no drive effort moves it against the friction of %s; "
            "smaller coefficients, other radii or longer guides are needed",
            jammed(f, f->names, sizeof f->names));
    status = status == RBV_OK ? look_for_others(f) : status;
    if (status == RBV_OK)
        tell_still(f), tell_slip(f);
    return status;
}
