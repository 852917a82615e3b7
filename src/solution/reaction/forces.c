/* Solves for the forces of one sample; see forces.h. */
#include "solution/reaction/forces_parts.h"

#include "core/base/diagnostics.h"
#include "solution/reaction/dependent_loads.h"

#include <stdlib.h>

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
    f->choice_always = options->redundant == RBV_REDUNDANT_ELIMINATE;
    f->friction_count = system->friction_count;
    size_t count = (size_t)f->friction_count;
    f->Q = malloc(n * sizeof *f->Q);
    f->before = calloc(joints + 1, sizeof *f->before);
    f->wrenches = malloc((size_t)system->model->bodies.count * sizeof *f->wrenches);
    f->force = calloc(count + 1, sizeof *f->force);
    f->slip = calloc(count + 1, sizeof *f->slip);
    f->slides = calloc(count + 1, sizeof *f->slides);
    f->stands = calloc(count + 1, sizeof *f->stands);
    f->load = calloc(count + 1, sizeof *f->load);
    f->kept = calloc(count + 1, sizeof *f->kept);
    f->phase = calloc(count + 1, sizeof *f->phase);
    f->J = calloc(count * (count + 1) + 1, sizeof *f->J);
    f->base = calloc(rows, sizeof *f->base);
    f->response = calloc(count * rows + 1, sizeof *f->response);
    f->still_said = calloc(count + 1, sizeof *f->still_said);
    f->found = calloc(count + 1, sizeof *f->found);
    f->doubled = calloc(count + 1, sizeof *f->doubled);
    bool good = f->Q && f->before && f->wrenches && f->force && f->slip && f->slides && f->stands && f->load &&
                f->kept && f->phase && f->J && f->base && f->response && f->still_said && f->found && f->doubled;
    RbvStatus status = good ? rbv_choice_create(system, options, diagnostics, &f->choice) : RBV_NO_MEMORY;
    if (status == RBV_OK)
        status = rbv_choice_fits(system, motion->solvability, diagnostics);
    f->method = rbv_method_kind(options->method);
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

void rbv_forces_destroy(RbvForces *f) {
    if (!f)
        return;
    rbv_choice_destroy(f->choice);
    if (f->method)
        f->method->destroy(f->own);
    free(f->Q);
    free(f->before);
    free(f->wrenches);
    free(f->force);
    free(f->slip);
    free(f->slides);
    free(f->stands);
    free(f->load);
    free(f->kept);
    free(f->phase);
    free(f->J);
    free(f->base);
    free(f->response);
    free(f->still_said);
    free(f->found);
    free(f->doubled);
    free(f);
}

void rbv_forces_silence(RbvForces *f, bool silent) {
    f->diagnostics = silent ? NULL : f->report;
}

const RbvChoice *rbv_forces_choice(const RbvForces *f) {
    return f->choice;
}

/* Multipliers, friction and printed values for the compliances in use. */
static RbvStatus solve_and_print(void *context) {
    RbvForces *f = context;
    RbvStatus status = f->friction_count > 0 ? rbv_friction_solve(f) : rbv_multipliers_with_lines(f);
    if (status != RBV_OK)
        return status;
    rbv_reactions_print(f->reactions, f->motion->state);
    for (int32_t i = 0; i < f->friction_count; i++) {
        const RbvFrictionContact *friction = &f->system->friction[i];
        for (int c = 0; !friction->own && c < friction->count; c++)
            f->reactions->value[friction->joint][friction->slip[c].component] = rbv_friction_effort(f, i, c);
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
               : rbv_forces_fail(f, RBV_LOCKED, "a virtual motion does not keep the rows that stand still%s", "");
}

static RbvStatus fail_singular(const RbvForces *f, RbvStatus status) {
    char why[300];
    if (!f->method->explain)
        return rbv_forces_fail(f, status, "the equations of --method %s are singular", f->method->name);
    f->method->explain(f->own, why, sizeof why);
    return rbv_forces_fail(f, status, "%s", why);
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
    int32_t said = -1; /* last joint reported, so that each is reported once */
    for (int32_t i = 0; i < f->friction_count; i++) {
        const RbvFrictionContact *friction = &f->system->friction[i];
        const RbvJoint *joint = &f->system->model->joints.items[friction->joint];
        if (friction->own || !(joint->sizes->friction > 0) ||
            r->verdict[friction->joint][friction->slip[0].component] <= RBV_COMPLIANCE || friction->joint == said)
            continue;
        rbv_diagnose(f->diagnostics, RBV_ERROR, f->system->model->file, joint->where, refusal, joint->name);
        said = friction->joint;
    }
    if (said >= 0)
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
