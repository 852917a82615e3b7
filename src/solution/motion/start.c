/* The start of a driven motion: assembly, rank decision, the check that every freedom is driven once, and the choice of
 * independent rows. Also the start after active rows have changed (rbv_motion_switch: the position stays), and from the
 * starting poses again (rbv_motion_restart). */
#include "solution/motion/motion.h"

#include "core/base/diagnostics.h"
#include "solution/assembly/assemble.h"
#include "solution/assembly/freedom_checks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Describe spins that would be idle if no load or row depended on them: "; the spin of 'rod' ...". */
static void describe_spins(const RbvSystem *system, char *text, size_t size) {
    size_t used = 0;
    text[0] = '\0';
    for (int32_t k = 0; k < system->spin_count && used + 1 < size; k++) {
        char spin[800];
        if (system->spins[k].seen == RBV_SPIN_IDLE)
            continue;
        rbv_spin_describe(system, &system->spins[k], spin, sizeof spin);
        int n = snprintf(text + used, size - used, "; %s", spin);
        used = n > 0 && used + (size_t)n < size ? used + (size_t)n : size - 1;
    }
}

/* Text "from t = 0.5 s on " for a motion that was fully driven before; else empty. */
static void report_since(const RbvMotion *motion, char *when, size_t size) {
    when[0] = '\0';
    if (motion->started)
        snprintf(when, size, "from t = %.9g s on ", motion->state->t);
}

/* Report freedoms without a drive: coordinates that could be driven, or a missing joint. BAD_INPUT. */
static RbvStatus report_undriven(RbvMotion *motion) {
    RbvState *state = motion->state;
    char names[600], loose[400], spins[900], when[60];
    int32_t left = motion->system->bodies.size - motion->solvability->rank - motion->system->idle_count;
    RbvFreedom *freedom = rbv_freedom_create(state, motion->system->row_count, false);
    if (!freedom)
        return RBV_NO_MEMORY;
    rbv_freedom_take_idle(freedom, state);
    rbv_describe_loose(freedom, state, loose, sizeof loose);
    rbv_freedom_complete(freedom, state, names, sizeof names);
    bool lost = rbv_freedom_lost(freedom);
    rbv_freedom_destroy(freedom);
    if (lost)
        return RBV_NO_MEMORY;
    describe_spins(motion->system, spins, sizeof spins);
    report_since(motion, when, sizeof when);
    const char *is = left == 1 ? "is" : "are", *it = "them";
    if (left == 1)
        it = "it";
    rbv_diagnose(
        motion->diagnostics, RBV_ERROR, motion->system->model->file, (RbvPosition){0, 0},
        "%sthe motion is not determined: %d degree%s of freedom %s left without a drive; these coordinates could drive "
        "%s: %s%s%s%s. What forces do to it: simulate; where it rests: statics; small motions: modes",
        when, (int)left, rbv_plural(left), is, it, names, *loose ? "; or a joint is missing: " : "", loose, spins);
    return RBV_BAD_INPUT;
}

/* Check that the motion is fully driven and not over-driven. BAD_INPUT, reported. */
static RbvStatus check_driven(RbvMotion *motion) {
    const RbvModel *model = motion->system->model;
    RbvSolvability *s = motion->solvability;
    if (s->rank + motion->system->idle_count < motion->system->bodies.size)
        return report_undriven(motion);
    int32_t said = -1;
    char when[60];
    report_since(motion, when, sizeof when);
    for (int32_t k = 0; k < model->drives.count && s->redundant > 0; k++) {
        double one = 1;
        if (!rbv_state_holds(motion->state, motion->system->drive_row[k]))
            continue;
        RbvVerdict verdict = rbv_solvability_verdict(s, motion->system->drive_row[k], 1, &one);
        if (verdict == RBV_UNIQUE ||
            verdict == RBV_UNSURE) /* unsure: near a singular position it is not known whether the drive is redundant */
            continue;
        if (said < 0 && (said = rbv_report_overdriven(motion->state, false, when, RBV_ERROR, motion->diagnostics)) < 0)
            return RBV_NO_MEMORY;
        if (said == 0) /* near a singular position ranks may differ */
            rbv_diagnose(motion->diagnostics, RBV_ERROR, model->file, model->drives.items[k].where,
                         "%sthe system is over-driven: drive '%s' moves what joints and other drives already move; "
                         "take one of them away",
                         when, model->drives.items[k].name);
    }
    return said < 0 ? RBV_OK : RBV_BAD_INPUT;
}

/* Begin in the position of the state `at`, with its drive targets, whole turns and engaged rows; with rows on rates,
 * velocities are assembled too, since these rows depend on them. */
static RbvStatus begin_at(RbvMotion *motion, double t, const RbvState *at) {
    const RbvSystem *system = motion->system;
    RbvState *state = motion->state;
    double *scale = rbv_state_column_scales(state);
    state->t = t;
    state->targets = at->targets;
    memcpy(state->q, at->q, (size_t)system->coordinates.position_size * sizeof *state->q);
    memcpy(state->memory, at->memory, (size_t)system->model->measures.count * sizeof *state->memory);
    memcpy(state->row_turn, at->row_turn, (size_t)system->all_count * sizeof *state->row_turn);
    RbvStatus status = RBV_NO_MEMORY;
    if (scale)
        status = rbv_state_place(state) ? RBV_OK : RBV_NOT_FINITE;
    if (status == RBV_OK && motion->like)
        rbv_state_take_sizes(state, motion->like->state);
    else if (status == RBV_OK)
        rbv_state_measure_sizes(state);
    if (status == RBV_OK && system->rate_count > 0)
        status = rbv_assemble_velocity(state, scale, motion->diagnostics);
    free(scale);
    return status;
}

/* Choose independent rows for a fully driven motion. LOCKED (reported), NO_MEMORY. */
static RbvStatus take_rows(RbvMotion *motion) {
    RbvStatus status = rbv_motion_take_rows(motion);
    if (status == RBV_LOCKED)
        rbv_diagnose(motion->diagnostics, RBV_ERROR, motion->system->model->file, (RbvPosition){0, 0},
                     "at t = %.9g s rounding does not tell the position from one in which the drives do not determine "
                     "the motion (a dead centre or a branch point)",
                     motion->state->t);
    return status;
}

RbvStatus rbv_motion_start(RbvMotion *motion, double t, const RbvState *at) {
    RbvAssembly assembly = {.driven = true};
    motion->previous = t;
    RbvDiagnostics *said = rbv_diagnostics_create();
    RbvStatus status = !said                            ? RBV_NO_MEMORY
                       : at                             ? begin_at(motion, t, at)
                       : motion->system->rate_count > 0 ? rbv_assemble(motion->state, t, said, &assembly)
                                                        : rbv_assemble_position(motion->state, t, said, &assembly);
    if (motion->decisions == 0)
        status = rbv_blame_drives(motion->state, status, said, motion->diagnostics);
    else /* the motion was fully driven before */
        rbv_diagnostics_append(motion->diagnostics, said);
    rbv_diagnostics_destroy(said);
    if (status != RBV_OK)
        return status;
    if (!motion->solvability) /* after assembly, to limit the peak of memory */
        motion->solvability =
            rbv_solvability_create_of(motion->system, motion->state->active, RBV_CRITERION_DEFAULT, true);
    if (!motion->solvability)
        return RBV_NO_MEMORY;
    if (motion->like)
        rbv_solvability_take_lengths(motion->solvability, motion->like->solvability);
    rbv_state_place(motion->state);
    rbv_state_jacobian(motion->state);
    status = rbv_solvability_decide(motion->solvability, motion->state);
    motion->decisions++;
    if (status == RBV_OK)
        status = check_driven(motion);
    if (status != RBV_OK)
        return status;
    return take_rows(motion);
}

RbvStatus rbv_motion_switch(RbvMotion *motion) {
    RbvSolvability *fresh =
        rbv_solvability_create_of(motion->system, motion->state->active, RBV_CRITERION_DEFAULT, true);
    if (!fresh)
        return RBV_NO_MEMORY;
    rbv_solvability_destroy(motion->solvability);
    motion->solvability = fresh;
    if (!rbv_state_place(motion->state))
        return rbv_motion_not_finite(motion, motion->previous);
    rbv_state_jacobian(motion->state);
    RbvStatus status = rbv_solvability_decide(fresh, motion->state);
    motion->decisions++;
    if (status == RBV_OK)
        status = check_driven(motion);
    if (status != RBV_OK)
        return status == RBV_BAD_INPUT ? RBV_INCONSISTENT : status;
    motion->started = motion->followed = motion->factored_there =
        false; /* earlier values are not comparable any more */
    return take_rows(motion);
}

RbvStatus rbv_motion_restart(RbvMotion *motion, double t) {
    const RbvSystem *system = motion->system;
    RbvState *state = motion->state;
    memset(state->v, 0, (size_t)system->coordinates.size * sizeof *state->v);
    memset(state->row_turn, 0, (size_t)system->all_count * sizeof *state->row_turn);
    rbv_state_begin(state);
    motion->started = motion->followed = motion->factored_there = false;
    return rbv_motion_start(motion, t, NULL);
}
