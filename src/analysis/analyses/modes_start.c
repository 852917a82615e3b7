/* The state of modes, with its active rows and friction; see modes.h.
 *
 * A state of another result is the beginning of a motion: contacts under pressure and sticking friction are decided
 * there as simulate does. In equilibrium supports are as statics finds them; friction, which statics does not need,
 * sticks.
 */
#include "analysis/analyses/modes.h"

#include "analysis/analyses/start.h"
#include "core/base/diagnostics.h"
#include "dynamics/events/event_loop.h"
#include "solution/reaction/dependent_loads.h"
#include "solution/record/samples.h"
#include "statics/find_equilibrium.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Tolerance and longest step [s] of a run of one second: a contact that would bounce, or slide, for less than 1e-8 s
 * rests. */
#define LONGEST 0.1
#define DECISION_TOLERANCE 1e-9

/* Motion that would begin in the state, to decide contacts and friction. */
typedef struct Beginning {
    RbvFlow flow;
    RbvStepper stepper;
    RbvEventLoop loop;
} Beginning;

/* A list of names for a message. */
typedef struct Names {
    char text[300];
    size_t used;
} Names;

static void add_name(Names *names, const char *name) {
    int n =
        snprintf(names->text + names->used, sizeof names->text - names->used, "%s'%s'", names->used ? ", " : "", name);
    names->used =
        n > 0 && names->used + (size_t)n < sizeof names->text ? names->used + (size_t)n : sizeof names->text - 1;
}

static bool frictions(const RbvSystem *system) {
    for (int32_t i = 0; i < system->friction_count; i++)
        if (system->friction[i].stick_row >= 0)
            return true;
    return false;
}

/* Copy the active rows and loads into arrays of `s`, to which the state then refers. */
static RbvStatus keep_active(RbvModesStart *s, const RbvSystem *system) {
    RbvState *state = s->state;
    s->active = malloc((size_t)system->row_count + 1);
    s->acting = malloc((size_t)system->model->loads.count + 1);
    if (!s->active || !s->acting)
        return RBV_NO_MEMORY;
    for (int32_t k = 0; k < system->row_count; k++)
        s->active[k] = rbv_state_holds(state, k);
    for (int32_t k = 0; k < system->model->loads.count; k++)
        s->acting[k] = rbv_state_acts(state, k);
    state->active = s->active;
    state->acting = s->acting;
    return RBV_OK;
}

static void note_sticking(const RbvModesStart *s, const RbvSystem *system, RbvDiagnostics *diagnostics) {
    const RbvModel *model = system->model;
    Names sticks = {.used = 0};
    for (int32_t i = 0; i < system->friction_count; i++)
        if (system->friction[i].stick_row >= 0 && s->active[system->friction[i].stick_row])
            add_name(&sticks, model->joints.items[system->friction[i].joint].name);
    if (sticks.used)
        rbv_diagnose(diagnostics, RBV_NOTE, model->file, (RbvPosition){0, 0},
                     "friction sticks in %s and holds: modes are those of what it leaves free; a coefficient of 0 "
                     "leaves friction out",
                     sticks.text);
}

/* ---- a state of another result ---- */

static void note_contacts(const Beginning *b, RbvDiagnostics *diagnostics) {
    const RbvEventLoop *h = &b->loop;
    const RbvModel *model = b->flow.system->model;
    Names closed = {.used = 0};
    for (int32_t k = 0; k < h->contacts.count; k++) {
        if (h->pressed[k])
            add_name(&closed, h->contacts.items[k].name);
        else if (h->touching[k])
            rbv_diagnose(diagnostics, RBV_WARNING, model->file, (RbvPosition){0, 0},
                         "'%s' touches without being pressed: motions beside it are not those of a linear system; it "
                         "is taken as open",
                         h->contacts.items[k].name);
    }
    if (h->contacts.count > 0)
        rbv_diagnose(diagnostics, RBV_NOTE, model->file, (RbvPosition){0, 0},
                     closed.used ? "of stops and one-sided joints these hold in this state: %s"
                                 : "no stop and no one-sided joint holds in this state%s",
                     closed.text);
}

/* Does a friction contact with several slip directions only begin to slide? u/|u| has no derivative there. */
static bool only_begins(const RbvSliding *s, int32_t i) {
    const RbvFrictionContact *friction = rbv_sliding_contact(s, i);
    RbvSlipVector u;
    return friction->count > 1 && rbv_friction_slide(s->state, friction, u) <= s->slow[i];
}

static void note_sliding(const RbvModesStart *s, const RbvSliding *sliding, RbvDiagnostics *diagnostics) {
    const RbvModel *model = sliding->state->system->model;
    Names slides = {.used = 0}, others = {.used = 0};
    for (int32_t i = 0; i < sliding->count; i++)
        if (sliding->slides[i] && !sliding->off[i])
            add_name(s->sliding && s->sliding->slides[i] ? &slides : &others, rbv_sliding_joint(sliding, i)->name);
    if (slides.used)
        rbv_diagnose(
            diagnostics, RBV_NOTE, model->file, (RbvPosition){0, 0},
            "friction slides in %s: it follows the loads on the faces, which way they slide is that of the state",
            slides.text);
    if (others.used)
        rbv_diagnose(
            diagnostics, RBV_NOTE, model->file, (RbvPosition){0, 0},
            s->slides.reactions->has_line
                ? "friction slides in %s: where teeth or belts press their wheels apart what it does is not part of "
                  "the linearised motion"
                : "friction begins to slide in %s: what it does there is not that of a linear system, and is left out",
            others.text);
}

/* Check that sliding friction depends on unique reactions only. INCONSISTENT, reported. */
static RbvStatus decide_sliding(RbvModesStart *s, const RbvSystem *system, const double *lambda,
                                RbvDiagnostics *diagnostics) {
    RbvSliding *sliding = s->sliding;
    RbvReactions *reactions = sliding->reactions;
    RbvSolvability *solvability = rbv_solvability_create_of(system, s->state->active, RBV_CRITERION_DEFAULT, true);
    RbvFrictionPhase *phase = calloc((size_t)system->friction_count + 1, sizeof *phase);
    bool placed = solvability && phase && rbv_state_place(s->state);
    if (placed)
        rbv_state_jacobian(s->state);
    RbvStatus status = placed ? rbv_solvability_decide(solvability, s->state) : RBV_NO_MEMORY;
    for (int32_t i = 0; phase && i < system->friction_count; i++)
        phase[i] = RBV_FRICTION_SLIDES;
    for (int32_t i = 0; phase && i < sliding->count; i++)
        phase[sliding->friction[i]] = sliding->slides[i] ? RBV_FRICTION_SLIDES : RBV_FRICTION_STICKS;
    if (status == RBV_OK) {
        rbv_reactions_place(reactions, s->state);
        memcpy(reactions->lambda, lambda, (size_t)system->row_count * sizeof *lambda);
        rbv_reactions_decide(reactions, s->state, solvability);
        status = rbv_decide_dependent_loads(reactions, s->state, phase) ? RBV_OK : RBV_NO_MEMORY;
    }
    int32_t reported = -1; /* joint reported last; each once */
    for (int32_t i = 0; status == RBV_OK && i < sliding->count; i++) {
        const RbvFrictionContact *friction = rbv_sliding_contact(sliding, i);
        const RbvJoint *joint = rbv_sliding_joint(sliding, i);
        if (!sliding->slides[i] || reactions->verdict[friction->joint][friction->slip[0].component] <= RBV_COMPLIANCE ||
            friction->joint == reported)
            continue;
        rbv_diagnose(diagnostics, RBV_ERROR, system->model->file, joint->where,
                     "friction in joint '%s' depends on its reaction, which the rigid model does not determine: the "
                     "motion would not be unique. Free a direction (roberval check says which)",
                     joint->name);
        reported = friction->joint;
    }
    if (reported >= 0)
        status = RBV_INCONSISTENT;
    rbv_solvability_destroy(solvability);
    free(phase);
    return status;
}

/* Store sliding friction contacts for the linearised motion. */
static RbvStatus keep_sliding(RbvModesStart *s, const Beginning *b, RbvDiagnostics *diagnostics) {
    const RbvSliding *from = &b->flow.sliding;
    const RbvSystem *system = b->flow.system;
    bool any = false;
    if (!rbv_sliding_create(&s->slides, s->state, NULL))
        return RBV_NO_MEMORY;
    for (int32_t i = 0; i < from->count; i++) {
        bool constant = rbv_press_is_given(rbv_sliding_contact(from, i)->surfaces->press);
        s->slides.slides[i] =
            from->slides[i] && !from->off[i] && !only_begins(from, i) && (constant || !from->reactions->has_line);
        memcpy(s->slides.toward[i], from->toward[i], sizeof from->toward[i]);
        memcpy(s->slides.slip[i], from->slip[i], sizeof from->slip[i]);
        s->slides.slow[i] = from->slow[i];
        s->slides.force[i] = s->slides.slides[i] ? from->force[i] : 0;
        any = any || s->slides.slides[i];
    }
    s->sliding = any ? &s->slides : NULL;
    note_sliding(s, from, diagnostics);
    return any ? decide_sliding(s, system, b->flow.lambda, diagnostics) : RBV_OK;
}

/* Drives keep their earlier activity and hold with whatever effort is needed, whether or not simulate would let them
 * slip. */
static void hold_drives(RbvModesStart *s, const RbvSystem *system, const bool *before) {
    for (int32_t k = 0; k < system->model->drives.count; k++)
        s->active[system->drive_row[k]] = before[system->drive_row[k]];
}

static RbvStatus begin_run(Beginning *b, RbvModesStart *s, const RbvOptions *options, RbvDiagnostics *diagnostics) {
    RbvState *state = s->state;
    if (!rbv_flow_create(&b->flow, state, diagnostics))
        return RBV_NO_MEMORY;
    rbv_saddle_set_active(b->flow.saddle, state->active);
    RbvStatus status =
        rbv_stepper_create(&b->stepper, &b->flow, state->t, DECISION_TOLERANCE, LONGEST, options->motion.method);
    if (status == RBV_LOCKED || status == RBV_NOT_FINITE || status == RBV_INCONSISTENT) {
        rbv_diagnose(diagnostics, RBV_ERROR, state->system->model->file, (RbvPosition){0, 0},
                     "what is pressed and what sticks in this state is not decided: the equations of motion are %s "
                     "there; " RBV_OPTION_START_AT_EQUILIBRIUM " goes to where it rests",
                     status == RBV_NOT_FINITE ? "not finite" : "singular");
        return status;
    }
    return status == RBV_OK ? rbv_event_loop_create(&b->loop, &b->flow, &b->stepper, options->reactions.frame) : status;
}

static RbvStatus decide_by_motion(RbvModesStart *s, const RbvSystem *system, const RbvOptions *options,
                                  RbvDiagnostics *diagnostics) {
    Beginning *b = calloc(1, sizeof *b);
    bool *before = malloc((size_t)system->row_count + 1);
    RbvStatus status = b && before ? RBV_OK : RBV_NO_MEMORY;
    for (int32_t k = 0; before && k < system->row_count; k++)
        before[k] = rbv_state_holds(s->state, k);
    if (status == RBV_OK)
        status = begin_run(b, s, options, diagnostics);
    if (status == RBV_OK)
        status = keep_active(s, system);
    if (status == RBV_OK) {
        hold_drives(s, system, before);
        note_contacts(b, diagnostics);
        note_sticking(s, system, diagnostics);
        status = keep_sliding(s, b, diagnostics);
    }
    if (b) {
        rbv_event_loop_destroy(&b->loop);
        rbv_stepper_destroy(&b->stepper);
        rbv_flow_destroy(&b->flow);
    }
    free(b);
    free(before);
    return status;
}

static RbvStatus place_start(RbvModesStart *s, const RbvSystem *system, const RbvOptions *options,
                             RbvDiagnostics *diagnostics) {
    const RbvModel *model = system->model;
    const RbvStart *from = options->start;
    RbvAssembly assembly = {0};
    if (!(s->state = rbv_state_create(system)))
        return RBV_NO_MEMORY;
    s->progress = (RbvProgress){.go_on = options->progress, .context = options->context};
    s->state->progress = &s->progress;
    s->state->t = isnan(options->from) && from ? from->t : rbv_first_instant(model, options);
    RbvStatus status = from ? rbv_start_place(from, s->state, &s->activity, diagnostics)
                            : rbv_activity_assemble(&s->activity, s->state, s->state->t, true, diagnostics, &assembly);
    if (status == RBV_OK && (rbv_supports_any(model) || frictions(system)))
        return decide_by_motion(s, system, options, diagnostics);
    if (status == RBV_OK && s->activity.active)
        rbv_activity_hold_here(&s->activity);
    return status;
}

/* ---- in equilibrium ---- */

/* Equilibrium, with all friction contacts of active joints sticking. */
static RbvStatus rest_at_start(RbvModesStart *s, const RbvSystem *system, const RbvOptions *options,
                               RbvDiagnostics *diagnostics) {
    RbvStatus status =
        rbv_equilibrium_state(system, options, RBV_SUPPORTED_BY_ALL, diagnostics, &s->assembled, &s->state);
    if (status != RBV_OK || !frictions(system))
        return status;
    status = keep_active(s, system);
    for (int32_t i = 0; status == RBV_OK && i < system->friction_count; i++) {
        const RbvFrictionContact *friction = &system->friction[i];
        if (friction->stick_row < 0 || !s->active[system->joint_row[friction->joint]])
            continue;
        for (int c = 0; c < friction->count; c++)
            s->active[friction->stick_row + c] = true;
        rbv_friction_hold_here(s->state, friction);
    }
    if (status == RBV_OK)
        note_sticking(s, system, diagnostics);
    return status;
}

RbvStatus rbv_modes_start(const RbvSystem *system, const RbvOptions *options, RbvDiagnostics *diagnostics,
                          RbvModesStart *start) {
    *start = (RbvModesStart){0};
    return (options->start_at_equilibrium ? rest_at_start : place_start)(start, system, options, diagnostics);
}

void rbv_modes_start_destroy(RbvModesStart *s) {
    rbv_state_destroy(s->state);
    rbv_activity_destroy(&s->activity);
    rbv_sliding_destroy(&s->slides);
    free(s->active);
    free(s->acting);
    *s = (RbvModesStart){0};
}
