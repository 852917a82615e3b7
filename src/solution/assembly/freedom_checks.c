/* Checks of drives, initial conditions and wheels against the freedoms that the rows leave at a state: gradients of
 * coordinates are projected onto the null space of the rows (freedom.h); one with no free part is one too many, one
 * left over is missing. */
#include "solution/assembly/freedom_checks.h"

#include "core/base/diagnostics.h"
#include "core/base/tolerances.h"
#include "solution/assembly/assemble.h"
#include "solution/assembly/freedom.h"
#include "solution/assembly/rate_solver.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Compares initial conditions with the available freedom: one too many, or one missing. */

/* *choice: true if the rows that are linear in the rates leave the rate of row k free. The nonlinear equations then
 * determine it up to the choice of a solution. */
static RbvStatus chooses_solution(RbvState *state, int32_t k, bool *choice) {
    size_t size = (size_t)state->system->coordinates.size * sizeof(double);
    double *scale = rbv_state_column_scales(state), *v = malloc(size + 1);
    RbvRateSolver rows = {0};
    RbvFreedom *freedom = NULL;
    *choice = false;
    if (v)
        memcpy(v, state->v, size);
    if (scale && v && rbv_rates_create(&rows, state, scale))
        freedom = rbv_freedom_create_without(state, state->system->row_count, rows.nonlinear);
    if (freedom)
        *choice = rows.nonlinear_count > 0 && rbv_freedom_take_row(freedom, state, k);
    bool good = freedom && !rbv_freedom_lost(freedom);
    if (v)
        memcpy(state->v, v, size);
    rbv_state_place(state);
    rbv_freedom_destroy(freedom);
    rbv_rates_destroy(&rows);
    free(scale);
    free(v);
    return good ? RBV_OK : RBV_NO_MEMORY;
}

/* The first row of initial conditions: on positions for rate 0, on rates for 1; the end for 2. */
static int32_t first_condition(const RbvSystem *system, int rate) {
    if (rate == 0)
        return system->satisfied_count;
    return rate == 1 ? system->position_count : system->all_count;
}

/* Describes the freedoms that joints, constraints and drives leave for conditions: "; without conditions ...". False if
 * out of memory. */
static bool describe_freedoms(RbvState *state, int rate, char *text, size_t size) {
    char names[400];
    text[0] = '\0';
    RbvFreedom *freedom = rbv_freedom_create(state, state->system->row_count, rate == 0);
    if (!freedom)
        return false;
    rbv_freedom_take_idle(freedom, state);
    int32_t left = rbv_freedom_complete(freedom, state, names, sizeof names);
    bool lost = rbv_freedom_lost(freedom);
    rbv_freedom_destroy(freedom);
    if (left == 0)
        snprintf(text, size, "; they leave nothing free");
    else if (left > 0)
        snprintf(text, size, "; without conditions %d freedom%s left, such as %s", (int)left,
                 left == 1 ? " is" : "s are", names);
    return !lost;
}

/* Takes the freedom of each condition. A condition without freedom is reported with `words`; NULL: not reported. */
static RbvStatus take_conditions(RbvState *state, RbvFreedom *freedom, int rate, const char *words,
                                 RbvDiagnostics *diagnostics) {
    const RbvSystem *system = state->system;
    RbvStatus status = RBV_OK;
    for (int32_t k = first_condition(system, rate); k < first_condition(system, rate + 1); k++) {
        const RbvInitial *initial = &system->model->initial.items[system->rows[k].index];
        if (rbv_freedom_take_row(freedom, state, k) || rbv_freedom_lost(freedom) ||
            initial->own) /* one that agrees may be one too many */
            continue;
        bool choice = false;
        if (rate && system->rate_equations && chooses_solution(state, k, &choice) != RBV_OK)
            return RBV_NO_MEMORY;
        if (choice)
            continue;
        char freedoms[500];
        if (words && !describe_freedoms(state, rate, freedoms, sizeof freedoms))
            return RBV_NO_MEMORY;
        if (words)
            rbv_diagnose(diagnostics, RBV_ERROR, system->model->file, initial->where, "initial condition '%s' %s%s",
                         initial->coordinate, words, freedoms);
        status = RBV_BAD_INPUT;
    }
    return rbv_freedom_lost(freedom) ? RBV_NO_MEMORY : status;
}

RbvStatus rbv_check_initial(RbvState *state, int rate, bool silent, const char *words, RbvDiagnostics *diagnostics) {
    const RbvSystem *system = state->system;
    const char *file = system->model->file;
    /* a driven motion leaves no freedom, but rows on rates leave positions free */
    bool quiet = silent && (rate == 1 || system->rate_count == 0),
         said = rate == 0 || system->all_count > system->position_count;
    /* Without conditions to check, only positions and C are evaluated. */
    if ((quiet || !said) && first_condition(system, rate) == first_condition(system, rate + 1)) {
        rbv_state_place(state);
        rbv_state_jacobian(state);
        return RBV_OK;
    }
    RbvFreedom *freedom = rbv_freedom_create(state, system->row_count, rate == 0);
    if (!freedom)
        return RBV_NO_MEMORY;
    RbvStatus status = take_conditions(state, freedom, rate, words, diagnostics);
    char missing[512];
    rbv_freedom_take_idle(freedom, state);
    int32_t left = quiet || status == RBV_NO_MEMORY ? 0 : rbv_freedom_complete(freedom, state, missing, sizeof missing);
    status = rbv_freedom_lost(freedom) ? RBV_NO_MEMORY : status;
    rbv_freedom_destroy(freedom);
    if (status != RBV_OK || !said)
        return status;
    if (left < 0)
        rbv_diagnose(diagnostics, RBV_NOTE, file, (RbvPosition){0, 0},
                     "freedoms without an initial condition start where the starting poses are nearest %s", missing);
    if (left > 0)
        rbv_diagnose(diagnostics, RBV_NOTE, file, (RbvPosition){0, 0},
                     rate
                         ? "%d freedom%s without an initial rate start%s at the least motion: %s"
                         : "%d freedom%s without an initial condition start%s where the starting poses are nearest: %s",
                     (int)left, rbv_plural(left), left == 1 ? "s" : "", missing);
    return RBV_OK;
}

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
        if (count != 0)
            status = count < 0 ? RBV_NO_MEMORY : RBV_BAD_INPUT;
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
        if (exists && rbv_forms[joint->form].directions && !(joint->locks >> direction & 1) &&
            rbv_freedom_is_free(freedom, state, &measure))
            return true;
    }
    return !rbv_forms[joint->form].directions;
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
            const char *comma = shown++ ? ", " : "";
            used +=
                (size_t)snprintf(text + used, size - used,
                                 requested ? "%sbody '%s' is held by joint '%s' alone" : "%snothing holds body '%s'",
                                 comma, model->bodies.items[b].name, requested ? model->joints.items[joint].name : "");
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

/* Checks at the assembled state that the centres of gears and belts keep their distance. */

static double distance_of(const RbvState *state, const RbvJoint *joint) {
    return rbv_norm(rbv_sub(state->markers[joint->marker[1]].point, state->markers[joint->marker[0]].point));
}

static bool radii_fit(const RbvState *state, int32_t k, RbvDiagnostics *diagnostics) {
    const RbvModel *model = state->system->model;
    const RbvJoint *joint = &model->joints.items[k];
    const double *r = state->system->wheel[k];
    double distance = distance_of(state, joint);
    if (rbv_forms[joint->form].teeth) {
        double requested = joint->internal ? fabs(r[0] - r[1]) : r[0] + r[1];
        /* Relative to the radii: tolerance for radii written with seven digits or more. */
        if (fabs(distance - requested) <= RBV_FITS * requested)
            return true;
        rbv_diagnose(diagnostics, RBV_ERROR, model->file, joint->where,
                     "the radii of gear '%s' do not fit: the centres are %.9g m apart, the pitch circles want %.9g m "
                     "(%s of the radii)",
                     joint->name, distance, requested, joint->internal ? "difference" : "sum");
        return false;
    }
    double least = joint->crossed ? r[0] + r[1] : fabs(r[0] - r[1]);
    if (distance > least)
        return true;
    rbv_diagnose(
        diagnostics, RBV_ERROR, model->file, joint->where,
        "the pulleys of belt '%s' lie inside each other: the centres are %.9g m apart, they must be more than %.9g m",
        joint->name, distance, least);
    return false;
}

static bool distance_held(RbvState *state, int32_t k, RbvFreedom *freedom, RbvDiagnostics *diagnostics) {
    const RbvModel *model = state->system->model;
    const RbvJoint *joint = &model->joints.items[k];
    RbvMeasure distance = {RBV_MEASURE_DISTANCE, {joint->marker[0], joint->marker[1]}, 0};
    if (!rbv_freedom_is_free(freedom, state, &distance))
        return true;
    rbv_diagnose(diagnostics, RBV_ERROR, model->file, joint->where,
                 "nothing holds the centre distance of %s '%s': its wheels need bearings on one carrier",
                 joint->kind->name, joint->name);
    return false;
}

/* True if the line of centres turns with the carrier: both centres are fixed on the carrier. */
static bool carrier_holds(RbvState *state, int32_t k, RbvFreedom *freedom, RbvDiagnostics *diagnostics) {
    const RbvModel *model = state->system->model;
    const RbvJoint *joint = &model->joints.items[k];
    if (!rbv_forms[joint->form].teeth)
        return true;
    int32_t on_carrier = -1;
    for (int32_t m = 0; m < model->markers.count && on_carrier < 0; m++)
        if (model->markers.items[m].body == joint->carrier && state->markers[m].body == joint->carrier)
            on_carrier = m;
    bool moves = false;
    /* a carrier that no joint touches has no evaluated marker and cannot hold a centre */
    if (joint->carrier != 0 && on_carrier < 0)
        moves = true;
    for (int axis = 0; axis < 2 && on_carrier >= 0 && !moves; axis++)
        for (int side = 0; side < 2; side++) {
            RbvMeasure place = {RBV_MEASURE_OFFSET, {on_carrier, joint->marker[side]}, axis};
            if (model->markers.items[joint->marker[side]].body != joint->carrier &&
                rbv_freedom_is_free(freedom, state, &place))
                moves = true;
        }
    if (!moves)
        return true;
    rbv_diagnose(diagnostics, RBV_ERROR, model->file, joint->where,
                 "the wheels of gear '%s' do not turn on '%s': their centres move against it; name the body that "
                 "carries them with carrier:",
                 joint->name, model->bodies.items[joint->carrier].name);
    return false;
}

/* True if each spatial wheel can only turn about its seat on the carrier, and is where it was in the starting pose. */
static bool seats_hold(RbvState *state, int32_t k, RbvFreedom *freedom, RbvDiagnostics *diagnostics) {
    const RbvModel *model = state->system->model;
    const RbvJoint *joint = &model->joints.items[k];
    const RbvMesh *mesh = &model->meshes.items[joint->mesh];
    const char *carrier = model->bodies.items[joint->carrier].name;
    for (int side = 0; side < 2; side++)
        for (int part = 0; part < 5; part++) {
            RbvMeasure measure = {part < 3 ? RBV_MEASURE_OFFSET : RBV_MEASURE_TILT,
                                  {mesh->seat[side], joint->marker[side]},
                                  part < 3 ? part : part + 3};
            RbvMeasureMemory memory = {0, {NAN, NAN}};
            RbvMeasureState measured;
            const char *body = model->bodies.items[model->markers.items[joint->marker[side]].body].name;
            if (part == 2 && mesh->parallel) /* along parallel axes wheels may slide */
                continue;
            if (rbv_freedom_is_free(freedom, state, &measure)) {
                rbv_diagnose(
                    diagnostics, RBV_ERROR, model->file, joint->where,
                    "nothing holds the axis of '%s' against '%s': the wheels of %s '%s' need bearings on one carrier%s",
                    body, carrier, joint->kind->name, joint->name,
                    rbv_forms[joint->form].teeth ? "; name it with carrier:" : ", ground");
                return false;
            }
            rbv_measure_place(&measure, model, state->markers, &memory, &measured);
            if (fabs(measured.value) <= RBV_FITS * (part < 3 ? joint->sizes->radii[side] : 1))
                continue;
            rbv_diagnose(diagnostics, RBV_ERROR, model->file, joint->where,
                         "the axis of '%s' lies elsewhere on '%s' than in the starting poses (off by %.3g %s): those "
                         "fix where the wheels of '%s' touch, so "
                         "they must fit the joints",
                         body, carrier, fabs(measured.value), part < 3 ? "m" : "rad", joint->name);
            return false;
        }
    return true;
}

RbvStatus rbv_check_wheels(RbvState *state, RbvDiagnostics *diagnostics) {
    const RbvSystem *system = state->system;
    const RbvModel *model = system->model;
    RbvFreedom *freedom = NULL;
    RbvStatus status = RBV_OK;
    for (int32_t k = 0; k < model->joints.count; k++) {
        if (!rbv_forms[model->joints.items[k].form].wheels)
            continue;
        if (!freedom) {
            /* the freedom of joints and constraints; drives may move a centre, but do not hold it */
            int32_t rows = model->drives.count > 0 ? system->drive_row[0] : system->row_count;
            freedom = rbv_freedom_create(state, rows, true);
            if (!freedom)
                return RBV_NO_MEMORY;
        }
        bool spatial = system->bodies.spatial,
             good = spatial ? seats_hold(state, k, freedom, diagnostics) : radii_fit(state, k, diagnostics);
        good = spatial ? good
                       : good && distance_held(state, k, freedom, diagnostics) &&
                             carrier_holds(state, k, freedom, diagnostics);
        if (!good)
            status = RBV_BAD_INPUT;
    }
    rbv_freedom_destroy(freedom);
    return status;
}
