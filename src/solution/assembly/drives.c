/* Reports of too many drives and of remaining freedoms: which drives move the same freedom, and where a joint may be
 * missing. */
#include "solution/assembly/drives.h"

#include "core/base/diagnostics.h"
#include "solution/assembly/freedom.h"

#include <stdio.h>
#include <stdlib.h>

/* Largest number of drives for which dependent drives are searched. */
#define MOST_ASKED 40
/* Largest number of bodies named. */
#define MOST_BODIES 3

/* 1 if drive k has a freedom beside the drives before it except `without`; 0: no; -1: out of memory. */
static int is_free_without(RbvState *state, int32_t k, int32_t without, bool positions) {
    const RbvSystem *system = state->system;
    RbvFreedom *freedom = rbv_freedom_create(state, system->drive_row[0], positions);
    if (!freedom)
        return -1;
    for (int32_t j = 0; j < k; j++)
        if (j != without)
            rbv_freedom_take_row(freedom, state, system->drive_row[j]);
    int is_free = rbv_freedom_take_row(freedom, state, system->drive_row[k]);
    is_free = rbv_freedom_lost(freedom) ? -1 : is_free;
    rbv_freedom_destroy(freedom);
    return is_free;
}

/* The drives before k without any one of which drive k would have a freedom, as "'m', 'n'"; returns how many. -1: out
 * of memory. */
static int32_t name_partners(RbvState *state, int32_t k, bool positions, char *text, size_t size) {
    const RbvModel *model = state->system->model;
    int32_t count = 0;
    size_t used = 0;
    text[0] = '\0';
    for (int32_t j = 0; j < k && model->drives.count <= MOST_ASKED; j++) {
        int is_free = is_free_without(state, k, j, positions);
        if (is_free < 0)
            return -1;
        if (is_free && used < size)
            used +=
                (size_t)snprintf(text + used, size - used, "%s'%s'", count++ ? ", " : "", model->drives.items[j].name);
    }
    return count;
}

/* Reports one drive too many, with the drives that move the same freedom. False if out of memory. */
static bool report_overdriven_drive(RbvState *state, int32_t k, bool positions, const char *when, RbvSeverity severity,
                                    RbvDiagnostics *diagnostics) {
    const RbvModel *model = state->system->model;
    const RbvDrive *drive = &model->drives.items[k];
    char partners[400];
    int32_t count = name_partners(state, k, positions, partners, sizeof partners);
    if (count > 0)
        rbv_diagnose(
            diagnostics, severity, model->file, drive->where,
            count == 1 ? "%sthe system is over-driven: drives %s and '%s' move the same freedom; take one of them away"
                       : "%sthe system is over-driven: drives %s and '%s' together move one freedom less than they "
                         "are; take one of them away",
            when, partners, drive->name);
    else
        rbv_diagnose(
            diagnostics, severity, model->file, drive->where,
            model->drives.count == 1
                ? "%sthe system is over-driven: joints and constraints leave drive '%s' nothing to move; take it away"
                : "%sthe system is over-driven: here joints, constraints and the other drives leave drive '%s' nothing "
                  "to move; take one of the drives away",
            when, drive->name);
    return count >= 0;
}

int32_t rbv_report_overdriven(RbvState *state, bool positions, const char *when, RbvSeverity severity,
                              RbvDiagnostics *diagnostics) {
    const RbvSystem *system = state->system;
    int32_t drives = system->model->drives.count, count = 0;
    RbvFreedom *freedom = drives > 0 ? rbv_freedom_create(state, system->drive_row[0], positions) : NULL;
    bool good = drives == 0 || freedom;
    for (int32_t k = 0; good && k < drives; k++) {
        if (!rbv_state_holds(state, system->drive_row[k]) ||
            rbv_freedom_take_row(freedom, state, system->drive_row[k]) || rbv_freedom_lost(freedom))
            continue;
        count++;
        good = report_overdriven_drive(state, k, positions, when, severity, diagnostics);
    }
    good = good && !(freedom && rbv_freedom_lost(freedom));
    rbv_freedom_destroy(freedom);
    return good ? count : -1;
}

RbvStatus rbv_blame_drives(RbvState *state, RbvStatus failed, RbvDiagnostics *reported, RbvDiagnostics *diagnostics) {
    RbvStatus status = failed;
    if (failed == RBV_NOT_ASSEMBLED || failed == RBV_INCONSISTENT) {
        int32_t count = rbv_report_overdriven(state, true, "", RBV_ERROR, diagnostics);
        status = count < 0 ? RBV_NO_MEMORY : count > 0 ? RBV_BAD_INPUT : failed;
    }
    rbv_diagnostics_append(diagnostics, reported);
    return status;
}

/* Number of joints of each body, and the last of them; constraints and drives are not counted. */
static void count_joints(const RbvModel *model, int32_t *count, int32_t *last) {
    for (int32_t k = 0; k < model->joints.count; k++)
        for (int side = 0; side < 2; side++) {
            int32_t body = model->markers.items[model->joints.items[k].marker[side]].body;
            count[body]++;
            last[body] = k;
        }
}

/* True if the joint leaves a freedom at this state. */
static bool is_loose(RbvFreedom *freedom, const RbvState *state, const RbvJoint *joint) {
    for (int direction = 0; direction < 6; direction++) {
        bool exists = joint->spatial || RBV_DIRECTIONS_PLANAR >> direction & 1;
        RbvMeasure measure = {direction < 3     ? RBV_MEASURE_OFFSET
                              : !joint->spatial ? RBV_MEASURE_ANGLE
                                                : RBV_MEASURE_ROTATION,
                              {joint->marker[0], joint->marker[1]},
                              direction % 3};
        if (exists && joint->form == RBV_FORM_LOCKS && !(joint->locks >> direction & 1) &&
            rbv_freedom_is_free(freedom, state, &measure))
            return true;
    }
    return joint->form != RBV_FORM_LOCKS;
}

void rbv_describe_loose(RbvFreedom *freedom, const RbvState *state, char *text, size_t size) {
    const RbvModel *model = state->system->model;
    size_t used = 0;
    text[0] = '\0';
    int32_t shown = 0, *count = calloc((size_t)model->bodies.count, sizeof *count),
            *last = calloc((size_t)model->bodies.count, sizeof *last);
    if (count && last)
        count_joints(model, count, last);
    for (int requested = 0; count && last && requested < 2 && shown == 0;
         requested++) /* bodies without any joint first, else those with one joint */
        for (int32_t b = 1; b < model->bodies.count && shown < MOST_BODIES && used < size; b++) {
            int32_t joint = last[b];
            if (model->bodies.items[b].generalized || count[b] != requested ||
                (requested == 1 && !is_loose(freedom, state, &model->joints.items[joint])))
                continue;
            used += (size_t)snprintf(
                text + used, size - used,
                requested ? "%sbody '%s' is held by joint '%s' alone" : "%snothing holds body '%s'",
                shown++ ? ", " : "", model->bodies.items[b].name, requested ? model->joints.items[joint].name : "");
        }
    free(count);
    free(last);
}

bool rbv_note_untouched(const RbvSystem *system, RbvDiagnostics *diagnostics) {
    const RbvModel *model = system->model;
    bool *touched = calloc((size_t)model->bodies.count, sizeof *touched);
    for (int32_t k = 0; touched && k < system->row_count; k++)
        for (int32_t n = system->rows[k].first; n < system->rows[k].first + system->rows[k].count; n++)
            for (int side = 0; side < 2; side++)
                touched[model->markers.items[model->measures.items[system->terms[n].measure].marker[side]].body] = true;
    for (int32_t k = 0; touched && k < model->joints.count; k++) /* a joint of type free is intended */
        for (int side = 0; side < 2; side++)
            touched[model->markers.items[model->joints.items[k].marker[side]].body] = true;
    for (int32_t b = 1; touched && b < model->bodies.count; b++)
        if (!touched[b] && !model->bodies.items[b].generalized)
            rbv_diagnose(diagnostics, RBV_NOTE, model->file, model->bodies.items[b].where,
                         "nothing holds body '%s': no joint, constraint or drive touches it",
                         model->bodies.items[b].name);
    free(touched);
    return touched != NULL;
}
