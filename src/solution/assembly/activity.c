/* Decides which rows are active at the initial state; see activity.h. */
#include "solution/assembly/activity.h"

#include "core/base/diagnostics.h"
#include "core/base/tolerances.h"
#include "mechanics/system/contacts.h"
#include "mechanics/system/friction_contacts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Relative to the size, and to the size per second: gap and rate below which contact is closed, or sticks. */
#define PASSES 4

static bool create_activity(RbvActivity *a, RbvState *state, bool one_sided) {
    const RbvSystem *system = state->system;
    const RbvModel *model = system->model;
    *a = (RbvActivity){.state = state, .one_sided = one_sided};
    bool contacts = rbv_contacts_create(&a->contacts, system);
    a->active = rbv_arena_alloc(&a->arena, (size_t)system->row_count + 1);
    a->acting = rbv_arena_alloc(&a->arena, (size_t)model->loads.count + 1);
    a->truth = rbv_arena_array(&a->arena, (size_t)model->conditions.count + 1, sizeof *a->truth);
    a->open = rbv_arena_array(&a->arena, (size_t)a->contacts.count + 1, sizeof *a->open);
    a->slides = rbv_arena_array(&a->arena, (size_t)system->friction_count + 1, sizeof *a->slides);
    a->slips = rbv_arena_array(&a->arena, (size_t)model->drives.count + 1, sizeof *a->slips);
    a->work = rbv_arena_alloc(&a->arena, ((size_t)system->work_size + 64) * sizeof *a->work);
    if (!contacts || !a->active || !a->acting || !a->truth || !a->open || !a->slides || !a->slips || !a->work)
        return false;
    for (int32_t k = 0; k < system->row_count; k++)
        a->active[k] = rbv_state_holds(state, k);
    for (int32_t k = 0; k < model->loads.count; k++)
        a->acting[k] = rbv_state_acts(state, k);
    return true;
}

static RbvStatus report_condition_not_finite(const RbvState *state, const char *bad, RbvDiagnostics *diagnostics) {
    rbv_diagnose(diagnostics, RBV_ERROR, state->system->model->file, (RbvPosition){0, 0},
                 "at t = %.9g s '%s' has an active: that is not a finite number", state->t, bad);
    return RBV_NOT_FINITE;
}

RbvStatus rbv_activity_take(RbvActivity *a, RbvState *state, RbvDiagnostics *diagnostics) {
    if (!create_activity(a, state, false))
        return RBV_NO_MEMORY;
    state->active = a->active;
    state->acting = a->acting;
    rbv_state_place(state);
    rbv_state_move(state);
    rbv_state_load(state);
    const char *bad = rbv_conditions_decide(state, NULL, NULL, a->truth, a->work);
    return bad ? report_condition_not_finite(state, bad, diagnostics) : RBV_OK;
}

void rbv_activity_destroy(RbvActivity *a) {
    rbv_contacts_destroy(&a->contacts);
    rbv_arena_clear(&a->arena);
    *a = (RbvActivity){0};
}

/* Opens one-sided joints with a gap; those that are penetrated are closed. */
static void open_joints(RbvActivity *a, bool first) {
    const RbvSystem *system = a->state->system;
    for (int32_t k = 0; a->one_sided && k < a->contacts.count; k++) {
        const RbvContact *contact = &a->contacts.items[k];
        if (contact->joint < 0)
            continue;
        double gap = rbv_contacts_gap(contact, a->state) / rbv_state_row_size(a->state, contact->row);
        /* Relative to the size: accuracy of starting poses; and penetration of a one-sided joint from which on it is
         * closed. */
        a->open[k] = first ? gap > RBV_NOTICEABLE : a->open[k] && gap > -RBV_FITS;
        for (int32_t row = contact->row; a->open[k] && row < system->joint_row[contact->joint + 1]; row++)
            a->active[row] = false;
    }
}

/* Sets the rows by which joints stick themselves; `sliding`: only those that slide. */
static void hold_own(RbvActivity *a, bool sliding, bool holds) {
    const RbvSystem *system = a->state->system;
    for (int32_t i = 0; a->one_sided && i < system->friction_count; i++)
        for (int c = 0; system->friction[i].own && (!sliding || a->slides[i]) && c < system->friction[i].count; c++)
            a->active[system->friction[i].stick_row + c] = holds;
}

/* Sets the rows of drives with limits: inactive if the drive slips, else active. */
static void hold_drives(RbvActivity *a, bool slipping) {
    const RbvSystem *system = a->state->system;
    for (int32_t k = 0; k < system->model->drives.count; k++)
        if (system->model->drives.items[k].most && a->slips[k] == slipping)
            a->active[system->drive_row[k]] = !slipping;
}

/* Decides all active rows and acting loads at the state; *changed: whether the active rows differ from before. */
static RbvStatus decide_activity(RbvActivity *a, bool first, RbvDiagnostics *diagnostics, bool *changed) {
    const RbvSystem *system = a->state->system;
    bool *before = malloc((size_t)system->row_count + 1);
    if (!before)
        return RBV_NO_MEMORY;
    memcpy(before, a->active, (size_t)system->row_count);
    rbv_state_place(a->state);
    rbv_state_move(a->state);
    rbv_state_load(a->state);
    for (int32_t k = 0; a->one_sided && k < a->contacts.count; k++) /* reset */
        for (int32_t row = a->contacts.items[k].row, j = a->contacts.items[k].joint;
             j >= 0 && row < system->joint_row[j + 1]; row++)
            a->active[row] = true;
    hold_own(a, false, true);
    hold_drives(a, false);
    const char *bad = rbv_conditions_decide(a->state, a->active, a->acting, a->truth, a->work);
    /* The engaged position (value: here) is not known yet. */
    for (int32_t k = 0; k < system->model->conditions.count; k++)
        if (system->model->conditions.items[k].here)
            rbv_condition_apply(system, &system->model->conditions.items[k], false, a->active, a->acting);
    open_joints(a, first);
    hold_own(a, true, false);
    hold_drives(a, true);
    *changed = memcmp(before, a->active, (size_t)system->row_count) != 0;
    free(before);
    return bad ? report_condition_not_finite(a->state, bad, diagnostics) : RBV_OK;
}

/* Reports that rows are active only where they are assumed inactive, with the first condition that changes. */
static RbvStatus report_contradictory(const RbvActivity *a, const bool *before, RbvDiagnostics *diagnostics) {
    const RbvModel *model = a->state->system->model;
    const char *name = NULL;
    for (int32_t k = 0; !name && k < model->conditions.count; k++)
        name = a->truth[k] != before[k] ? model->conditions.items[k].name : NULL;
    const char *quote = name ? "'" : "";
    rbv_diagnose(diagnostics, RBV_ERROR, model->file, (RbvPosition){0, 0},
                 "at t = %.9g s what holds is not decided: where %s%s%s does, the mechanism stands where it does not, "
                 "and the other way round",
                 a->state->t, quote, name ? name : "a one-sided joint", quote);
    return RBV_INCONSISTENT;
}

/* Assembles until the active rows are those used in the assembly. */
static RbvStatus assemble_active(RbvActivity *a, double from, RbvDiagnostics *diagnostics, RbvAssembly *assembly) {
    bool changed = true;
    size_t conditions = (size_t)a->state->system->model->conditions.count;
    bool *before = malloc(conditions + 1);
    RbvStatus status = before ? RBV_OK : RBV_NO_MEMORY;
    for (int pass = 0; status == RBV_OK && changed && pass < PASSES; pass++) {
        memcpy(before, a->truth, conditions);
        status = rbv_assemble(a->state, from, pass == 0 ? diagnostics : NULL, assembly);
        if (status == RBV_OK)
            status = decide_activity(a, false, diagnostics, &changed);
    }
    if (status == RBV_OK && changed)
        status = report_contradictory(a, before, diagnostics);
    free(before);
    return status;
}

/* Resets positions to the starting poses and velocities to zero. */
static void start_again(RbvActivity *a) {
    const RbvSystem *system = a->state->system;
    memcpy(a->state->q, system->start_q, (size_t)system->coordinates.position_size * sizeof *a->state->q);
    memset(a->state->v, 0, (size_t)system->coordinates.size * sizeof *a->state->v);
}

/* Opens all closed one-sided joints, for initial rates that they would not allow, and resets the state to its starting
 * poses. False: there is none. */
static bool let_go(RbvActivity *a) {
    bool any = false;
    for (int32_t k = 0; a->one_sided && k < a->contacts.count; k++)
        if (a->contacts.items[k].joint >= 0 && !a->open[k])
            any = a->open[k] = true;
    start_again(a);
    return any;
}

static RbvStatus decide_and_assemble(RbvActivity *a, bool first, double from, RbvDiagnostics *diagnostics,
                                     RbvAssembly *assembly) {
    bool changed;
    RbvStatus status = decide_activity(a, first, diagnostics, &changed);
    return status == RBV_OK ? assemble_active(a, from, diagnostics, assembly) : status;
}

static bool contradicts(RbvStatus status) {
    return status == RBV_BAD_INPUT || status == RBV_INCONSISTENT;
}

/* Lets friction contacts slide, for initial rates that require it: those that could not stick alone, so that the order
 * of joints does not matter, else all. `status`: of the assembly with all of them sticking. */
static RbvStatus let_slide(RbvActivity *a, double from, RbvStatus status, RbvDiagnostics *report,
                           RbvAssembly *assembly) {
    const RbvSystem *system = a->state->system;
    int32_t own = 0;
    bool *alone = calloc((size_t)system->friction_count + 1, sizeof *alone);
    if (!alone)
        return RBV_NO_MEMORY;
    for (int32_t i = 0; i < system->friction_count; i++)
        own += system->friction[i].own;
    for (int32_t k = 0; own > 1 && k < system->friction_count; k++) {
        for (int32_t i = 0; i < system->friction_count; i++)
            a->slides[i] = i != k;
        start_again(a);
        alone[k] = system->friction[k].own && decide_and_assemble(a, true, from, NULL, assembly) == RBV_OK;
    }
    for (int pass = own > 1 ? 0 : 1; own > 0 && pass < 2 && contradicts(status); pass++) {
        for (int32_t i = 0; i < system->friction_count; i++)
            a->slides[i] = pass == 1 || !alone[i];
        rbv_diagnostics_clear(report);
        start_again(a);
        status = decide_and_assemble(a, true, from, report, assembly);
    }
    free(alone);
    return status;
}

/* Lets drives with limits slip, for initial conditions that require it: those that could not follow alone, so that the
 * order of drives does not matter, else all. */
static RbvStatus let_slip(RbvActivity *a, double from, RbvStatus status, RbvDiagnostics *report,
                          RbvAssembly *assembly) {
    const RbvModel *model = a->state->system->model;
    int32_t limited = 0;
    bool *alone = calloc((size_t)model->drives.count + 1, sizeof *alone);
    if (!alone)
        return RBV_NO_MEMORY;
    for (int32_t k = 0; k < model->drives.count; k++)
        limited += model->drives.items[k].most != NULL;
    for (int32_t k = 0; limited > 1 && k < model->drives.count; k++) {
        for (int32_t i = 0; i < model->drives.count; i++)
            a->slips[i] = model->drives.items[i].most && i != k;
        start_again(a);
        alone[k] = model->drives.items[k].most && decide_and_assemble(a, true, from, NULL, assembly) == RBV_OK;
    }
    for (int pass = limited > 1 ? 0 : 1; limited > 0 && pass < 2 && contradicts(status); pass++) {
        for (int32_t i = 0; i < model->drives.count; i++)
            a->slips[i] = model->drives.items[i].most && (pass == 1 || !alone[i]);
        rbv_diagnostics_clear(report);
        start_again(a);
        status = decide_and_assemble(a, true, from, report, assembly);
    }
    for (int32_t i = 0; i < model->drives.count && contradicts(status); i++)
        a->slips[i] = false;
    free(alone);
    return status;
}

static bool may_slip(const RbvModel *model, const RbvAssembly *assembly) {
    bool any = false;
    for (int32_t k = 0; k < model->drives.count; k++)
        any = any || model->drives.items[k].most;
    return any && assembly->may_slip && model->initial.count > 0;
}

void rbv_activity_hold_here(RbvActivity *a) {
    const RbvModel *model = a->state->system->model;
    for (int32_t k = 0; k < model->conditions.count; k++) {
        if (!model->conditions.items[k].here || !a->truth[k])
            continue;
        rbv_condition_apply(a->state->system, &model->conditions.items[k], true, a->active, a->acting);
        rbv_condition_hold_here(a->state, &model->conditions.items[k]);
    }
}

RbvStatus rbv_activity_assemble(RbvActivity *a, RbvState *state, double from, bool one_sided,
                                RbvDiagnostics *diagnostics, RbvAssembly *assembly) {
    bool any = state->system->model->conditions.count > 0;
    for (int32_t k = 0; k < state->system->model->joints.count; k++) {
        const RbvJoint *joint = &state->system->model->joints.items[k];
        any = any || (one_sided && (joint->unilateral || (joint->has_friction && joint->friction_law->own)));
    }
    any = any || (one_sided && may_slip(state->system->model, assembly));
    *a = (RbvActivity){0};
    if (!any)
        return rbv_assemble(state, from, diagnostics, assembly);
    RbvDiagnostics *report = rbv_diagnostics_create();
    if (!report || !create_activity(a, state, one_sided)) {
        rbv_diagnostics_destroy(report);
        return RBV_NO_MEMORY;
    }
    state->active = a->active;
    state->acting = a->acting;
    state->t = from;
    RbvStatus status = decide_and_assemble(a, true, from, report, assembly);
    if (one_sided && contradicts(status))
        status = let_slide(a, from, status, report, assembly);
    if (one_sided && contradicts(status) && may_slip(state->system->model, assembly))
        status = let_slip(a, from, status, report, assembly);
    if (contradicts(status) && let_go(a))
        status = decide_and_assemble(a, false, from, diagnostics, assembly);
    else
        rbv_diagnostics_append(diagnostics, report);
    rbv_diagnostics_destroy(report);
    if (status == RBV_OK && !one_sided)
        rbv_activity_hold_here(a);
    return status;
}

RbvStatus rbv_activity_find(RbvActivity *a, RbvState *state, RbvDiagnostics *diagnostics) {
    bool changed;
    if (!create_activity(a, state, true))
        return RBV_NO_MEMORY;
    for (int32_t k = 0; k < a->contacts.count; k++) {
        const RbvContact *contact = &a->contacts.items[k];
        double touches = RBV_SAME * rbv_state_row_size(state, contact->row);
        a->open[k] = rbv_contacts_gap(contact, state) > touches || rbv_contacts_rate(contact, state) > touches;
    }
    for (int32_t i = 0; i < state->system->friction_count; i++) {
        const RbvFrictionContact *friction = &state->system->friction[i];
        double u[RBV_MOST_SLIP_DIRECTIONS];
        a->slides[i] = friction->own && rbv_friction_slide(state, friction, u) >
                                            RBV_SAME * rbv_state_row_size(state, friction->stick_row);
        if (friction->own) /* sticks at its present position */
            rbv_friction_hold_here(state, friction);
    }
    state->active = a->active;
    state->acting = a->acting;
    return decide_activity(a, false, diagnostics, &changed);
}
