/* Virtual motions of the requested reactions; see requested_motions.h. */
#include "analysis/analyses/requested_motions.h"

#include "analysis/scene/scene.h"
#include "core/base/diagnostics.h"
#include "solution/reaction/natural_multipliers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Most sums named in a note; result.json has all. */
#define MOST_SUMS 3

static bool has(const RbvMode *mode, const char *name) {
    for (int32_t n = 0; n < mode->count; n++)
        if (strcmp(mode->shares[n].name, name) == 0)
            return true;
    return false;
}

/* Append a sum such as "A.Fx - 2 B.Fx" to text[size]. */
static void put_sum(const RbvMode *sum, char *text, size_t size) {
    for (int32_t n = 0; n < sum->count; n++) {
        size_t used = strlen(text);
        double share = sum->shares[n].share;
        const char *sign = n == 0 ? (share < 0 ? "-" : "") : share < 0 ? " - " : " + ";
        if (fabs(fabs(share) - 1) < 1e-9)
            snprintf(text + used, size - used, "%s%s", sign, sum->shares[n].name);
        else
            snprintf(text + used, size - used, "%s%.6g %s", sign, fabs(share), sum->shares[n].name);
    }
}

/* Note why no virtual motion moves the cut alone, and which sums are determined. */
static void note_locked(const RbvInstant *instant, const RbvRequestedPart *part) {
    const RbvResult *result = instant->record->result;
    char text[1500] = "";
    int32_t sums = 0, stress = 0;
    for (int32_t k = result->mode_count; k > 0; k--)
        stress = has(&result->modes[k - 1], part->name) ? k : stress;
    for (int32_t k = 0; k < result->group_count && sums < MOST_SUMS; k++) {
        if (!has(&result->groups[k], part->name))
            continue;
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s", sums++ ? ", " : "; determined are ");
        put_sum(&result->groups[k], text, sizeof text);
    }
    if (stress > 0)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%sit takes part in self-stress %d",
                 *text ? "; " : "; no sum with it is determined; ", (int)stress);
    rbv_diagnose(instant->diagnostics, RBV_NOTE, instant->system->model->file, (RbvPosition){0, 0},
                 "no virtual motion moves %s alone: cut there, the mechanism is still held by its other constraints, "
                 "so that the rigid model does not determine it%s",
                 part->name, text);
}

/* Text such as "the cut of A along x". */
static void describe(const RbvInstant *instant, const RbvRequestedPart *part, char *text, size_t size) {
    static const char *const ways[] = {"along x", "along y", "along z", "about x", "about y", "about z"};
    const RbvModel *model = instant->system->model;
    if (part->joint < 0)
        snprintf(text, size, "the value of %s", model->constraints.items[part->constraint].name);
    else
        snprintf(text, size, "the cut of %s %s", model->joints.items[part->joint].name,
                 part->component < RBV_LINE_F ? ways[part->component] : "along its line");
}

/* Note one-sided joints whose force is not requested: its sign is then not checked. */
static void note_unseen(const RbvInstant *instant) {
    const RbvModel *model = instant->system->model;
    for (int32_t k = 0; k < model->joints.count; k++) {
        const RbvJoint *joint = &model->joints.items[k];
        bool one_sided = joint->form == RBV_FORM_CAM || joint->form == RBV_FORM_BELT || joint->form == RBV_FORM_ROLL ||
                         (joint->form == RBV_FORM_DISTANCE && joint->unilateral);
        if (one_sided && rbv_component_in(instant->reactions->printed[k], RBV_LINE_F) &&
            !rbv_component_in(instant->requested->components[k], RBV_LINE_F))
            rbv_diagnose(instant->diagnostics, RBV_NOTE, model->file, joint->where,
                         "'%s' can push, or pull, one way only: whether it has to do so the other way is not looked at "
                         "without --reaction %s.F",
                         joint->name, joint->name);
    }
}

/* Virtual motions of drives, each at unit rate of its coordinate. False: no memory. */
static bool note_drives(RbvInstant *instant) {
    RbvRequested *requested = instant->requested;
    bool good = true;
    for (int32_t k = 0; good && k < instant->system->model->drives.count; k++) {
        char name[RBV_NAME_SIZE + 8];
        snprintf(name, sizeof name, "%s.effort", instant->system->model->drives.items[k].name);
        if (requested->drives[k])
            good = rbv_record_virtual_motion(
                instant->record->result, instant->motion->state, name,
                rbv_requested_drive(requested, instant->motion, k, requested->u) ? requested->u : NULL);
    }
    return good;
}

/* Virtual motions of rigid rows, whose bodies stretch: at the rate at which the power of loads and inertia equals the
 * printed value, for a bar at 1 m/s of elongation. False: no memory or failure of the solution. */
static bool note_rows(RbvInstant *instant) {
    RbvState *state = instant->motion->state;
    bool good = true;
    for (int32_t k = 0; good && k < instant->system->coordinates.own_rows && instant->requested->rigid_count > 0; k++) {
        char name[RBV_NAME_SIZE];
        double lambda;
        bool found;
        if (!instant->requested->rigid[k])
            continue;
        rbv_natural_row_name(instant->system, k, name, sizeof name);
        good = rbv_natural_by_row(instant->motion, instant->reactions, k, instant->rates, &lambda, &found) == RBV_OK &&
               rbv_record_stretch(instant->record->result, state, name, found ? instant->rates : NULL,
                                  rbv_record_multiplier_share(state, k));
        if (good && !found)
            rbv_diagnose(
                instant->diagnostics, RBV_NOTE, instant->system->model->file, (RbvPosition){0, 0},
                "no virtual motion varies %s alone: other rows hold it, too, and the value is that of least norm",
                name);
    }
    return good;
}

bool rbv_requested_motions(RbvInstant *instant) {
    RbvRequested *requested = instant->requested;
    RbvResult *result = instant->record->result;
    RbvReactions *reactions = instant->reactions;
    char freedom[RBV_NAME_SIZE + 40];
    rbv_reactions_place(reactions, instant->motion->state);
    result->virtual_motions = rbv_arena_array(&result->arena,
                                              (size_t)requested->count + (size_t)requested->rigid_count +
                                                  (size_t)instant->system->model->drives.count + 1,
                                              sizeof *result->virtual_motions);
    bool good = result->virtual_motions != NULL;
    for (int32_t k = 0; good && k < requested->count; k++) {
        const RbvRequestedPart *part = &requested->parts[k];
        RbvVerdict verdict = part->joint >= 0 ? reactions->verdict[part->joint][part->component]
                                              : reactions->multiplier_verdict[part->constraint];
        bool found = verdict == RBV_UNIQUE && requested->by == RBV_BY_CUT &&
                     rbv_requested_motion(requested, instant->motion, reactions, k, requested->u);
        if (requested->by ==
            RBV_BY_CUT) /* otherwise there are several motions, of rows, or of bodies that are no longer rigid */
            good = rbv_record_virtual_motion(result, instant->motion->state, part->name, found ? requested->u : NULL);
        describe(instant, part, freedom, sizeof freedom);
        if (good && found)
            good = rbv_scene_add_motion(result, instant->motion->state, part->name, freedom, requested->u);
        if (verdict == RBV_NOT_UNIQUE || verdict == RBV_COMPLIANCE)
            note_locked(instant, part);
    }
    good = good && note_drives(instant) && note_rows(instant);
    note_unseen(instant);
    return good;
}
