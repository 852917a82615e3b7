/* Statics --hold: the position at `from` with its active rows (conditions, closed stops), the loads there at three
 * values of the parameter, and the interval of values at which friction can hold the position.
 */
#include <roberval/analysis.h>

#include "analysis/scene/scene.h"
#include "core/base/diagnostics.h"
#include "core/base/extremes.h"
#include "core/base/tolerances.h"
#include "solution/assembly/activity.h"
#include "solution/assembly/freedom_checks.h"
#include "solution/record/record.h"
#include "solution/record/samples.h"
#include "statics/hold.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Loads are evaluated at the parameter's value and at these multiples of the value beside it; a parameter of 0 counts
 * as 1. */
#define ASIDE 1.0
#define FAR_ASIDE -2.5

typedef struct Hold {
    RbvArena arena;    /* owns Q and active */
    RbvSystem *system; /* system in which v is the body twists */
    RbvSystem *caller; /* `system` itself, or the system whose absolute system it is: parameters belong to both */
    const RbvModel *model;
    const RbvOptions *options;
    RbvDiagnostics *diagnostics;
    RbvProgress *progress; /* of the states: the progress function of the options */
    RbvState *state;       /* state at the parameter's value */
    bool *active;          /* [rows] active rows there, friction included */
    int32_t parameter;
    double at, unit; /* the parameter's value, and the unit of its changes */
    double *Q[3];    /* [n] loads at the value and at the two changed values */
    RbvHoldProblem problem;
    RbvRecord *record;
} Hold;

static RbvStatus refuse_hold(const Hold *h, const char *format, const char *name) {
    rbv_diagnose(h->diagnostics, RBV_ERROR, h->model->file, (RbvPosition){0, 0}, format, name);
    return RBV_BAD_INPUT;
}

/* Assemble the state, with the rows and loads that conditions activate there. */
static RbvStatus assemble_place(const Hold *h, RbvState *state) {
    RbvActivity activity = {0};
    RbvDiagnostics *messages = rbv_diagnostics_create();
    RbvAssembly assembly = {.driven = true}; /* remaining freedoms keep their starting poses */
    bool conditions = h->model->conditions.count > 0;
    RbvStatus status = !messages ? RBV_NO_MEMORY
                       : conditions
                           ? rbv_activity_assemble(&activity, state, rbv_first_instant(h->model, h->options), false,
                                                   messages, &assembly)
                           : rbv_assemble_position(state, rbv_first_instant(h->model, h->options), messages, &assembly);
    if (status != RBV_OK || state == h->state) /* at changed values notes would be repeated */
        status = rbv_blame_drives(state, status, messages, h->diagnostics);
    rbv_diagnostics_destroy(messages);
    for (int32_t k = 0; k < h->system->row_count; k++)
        h->active[k] = rbv_state_holds(state, k);
    bool *acting = rbv_arena_alloc(&state->arena, (size_t)h->model->loads.count + 1);
    for (int32_t k = 0; acting && k < h->model->loads.count; k++)
        acting[k] = rbv_state_acts(state, k);
    state->active = h->active;
    state->acting = acting;
    rbv_activity_destroy(&activity);
    return status == RBV_OK && !acting ? RBV_NO_MEMORY : status;
}

/* Activate closed stops, and friction of active joints. BAD_INPUT (reported): a stop is penetrated. */
static RbvStatus take_contacts(const Hold *h, const RbvState *state, const bool *there) {
    RbvContacts contacts;
    RbvStatus status = rbv_contacts_create(&contacts, h->system) ? RBV_OK : RBV_NO_MEMORY;
    for (int32_t k = 0; status == RBV_OK && k < contacts.count; k++) {
        const RbvContact *contact = &contacts.items[k];
        if (contact->stop < 0 || !there[contact->stop])
            continue;
        double gap = rbv_contacts_gap(contact, state), size = rbv_state_row_scale(state, contact->row);
        /* As parts of the size: a stop with a gap up to RBV_SAME is closed, none may be penetrated by more than
         * RBV_FITS. RBV_SAME: allowed nonlinearity of the loads in the parameter, as a part of the loads. */
        h->active[contact->row] = gap <= RBV_SAME * size;
        if (gap < -RBV_FITS * size)
            status = refuse_hold(h, RBV_OPTION_HOLD ": stop '%s' is passed in this place", contact->name);
    }
    rbv_contacts_destroy(&contacts);
    for (int32_t i = 0; status == RBV_OK && i < h->system->friction_count; i++)
        for (int c = 0; c < h->system->friction[i].count && h->system->friction[i].stick_row >= 0; c++)
            h->active[h->system->friction[i].stick_row + c] =
                h->active[h->system->joint_row[h->system->friction[i].joint]];
    return status;
}

/* there[stops]: stops that exist according to their conditions. */
static void find_there(const RbvState *state, bool *there) {
    const RbvModel *model = state->system->model;
    for (int32_t k = 0; k < model->stops.count; k++)
        there[k] = true;
    for (int32_t k = 0; k < model->conditions.count; k++)
        if (model->conditions.items[k].of == RBV_CONDITION_STOP)
            there[model->conditions.items[k].index] =
                rbv_state_expression(state, model->conditions.items[k].active, NULL, state->work) != 0;
}

/* A new state of the system with its present parameters, at its position at rest, and the loads Q on its
 * coordinates. */
static RbvStatus stand_at_rest(const Hold *h, RbvState **out, double *Q) {
    RbvState *state = *out = rbv_state_create(h->system);
    bool *there = calloc((size_t)h->model->stops.count + 1, sizeof *there);
    if (state)
        state->progress = h->progress;
    RbvStatus status = state && there ? assemble_place(h, state) : RBV_NO_MEMORY;
    if (status == RBV_OK) {
        memset(state->v, 0, (size_t)h->system->coordinates.size * sizeof *state->v);
        memset(state->a, 0, (size_t)h->system->coordinates.size * sizeof *state->a);
        bool good = rbv_state_place(state) && rbv_state_move(state) && rbv_state_load(state);
        find_there(state, there);
        status = take_contacts(h, state, there);
        good = good && rbv_state_place(state); /* positions with the rows of closed stops */
        rbv_state_jacobian(state);
        if (status == RBV_OK && (!good || !rbv_state_move(state) || !rbv_state_load(state))) {
            refuse_hold(h, "the loads are not finite at this place%s", "");
            status = RBV_NOT_FINITE;
        }
    }
    if (status == RBV_OK)
        memcpy(Q, state->Q, (size_t)h->system->coordinates.size * sizeof *Q);
    free(there);
    return status;
}

/* Are the position and the entries of rows and friction the same as at the parameter's value? */
static bool is_same_place(const Hold *h, const RbvState *state) {
    const RbvRowPattern *C = &h->system->C;
    double size = 0, error = 0, change = 0;
    for (int32_t k = 0; k < h->system->coordinates.position_size; k++)
        size = rbv_max(size, fabs(h->state->q[k])), error = rbv_max(error, fabs(state->q[k] - h->state->q[k]));
    for (int32_t e = 0; e < C->start[h->system->row_count]; e++)
        change = rbv_max(change, fabs(state->C[e] - h->state->C[e]) / rbv_max(1, fabs(h->state->C[e])));
    /* Allowed change of the position with the parameter, as a part of its size. */
    return error <= RBV_SAME * rbv_max(1, size) && change <= RBV_SAME;
}

/* The loads at the value h->at + aside unit; the parameter is reset afterwards. */
static RbvStatus find_changed_loads(Hold *h, double aside, double *Q) {
    RbvState *state = NULL;
    const RbvParameterValue there = {h->parameter, h->at + aside * h->unit}, back = {h->parameter, h->at};
    RbvStatus status = rbv_system_set_parameters(h->caller, 1, &there, h->diagnostics);
    if (status != RBV_OK)
        return status;
    status = stand_at_rest(h, &state, Q);
    if (status == RBV_OK && !is_same_place(h, state))
        status =
            refuse_hold(h,
                        RBV_OPTION_HOLD
                        " %s: the parameter changes more than loads: with other values the machine stands elsewhere",
                        h->model->parameters.items[h->parameter].name);
    rbv_state_destroy(state);
    RbvStatus restored = rbv_system_set_parameters(h->caller, 1, &back, h->diagnostics);
    return status == RBV_OK ? restored : status;
}

/* Q0 and Q1 of Q = Q0 + p Q1, into Q[0] and Q[1]. */
static RbvStatus find_loads(Hold *h) {
    const char *name = h->model->parameters.items[h->parameter].name;
    double size = 0, change = 0, error = 0;
    for (int32_t j = 0; j < h->system->coordinates.size; j++) {
        double Q1 = (h->Q[1][j] - h->Q[0][j]) / (ASIDE * h->unit), far = h->Q[0][j] + FAR_ASIDE * h->unit * Q1;
        size = rbv_max(size, rbv_max(fabs(h->Q[0][j]), rbv_max(fabs(h->Q[1][j]), fabs(h->Q[2][j]))));
        change = rbv_max(change, fabs(Q1 * h->unit));
        error = rbv_max(error, fabs(far - h->Q[2][j]));
        h->Q[1][j] = Q1;
        h->Q[0][j] -= Q1 * h->at;
    }
    /* A parameter that changes the loads by less than this part of them does not change them. */
    if (!(change > RBV_CANCELLED * size))
        return refuse_hold(h, RBV_OPTION_HOLD " %s: no load depends on this parameter", name);
    return error <= RBV_SAME * size
               ? RBV_OK
               : refuse_hold(h, RBV_OPTION_HOLD " %s: the loads are not linear in this parameter", name);
}

/* Check that the parameter exists and that the model has friction and nothing that --hold cannot treat. BAD_INPUT,
 * reported. */
static RbvStatus check_hold(Hold *h, const char *parameter) {
    bool frictions = false, reads = false;
    h->parameter = rbv_system_find(h->system, RBV_ITEM_PARAMETER, parameter);
    if (h->parameter < 0)
        return refuse_hold(h, RBV_OPTION_HOLD " %s: the model has no such parameter", parameter);
    for (int32_t k = 0; k < h->model->joints.count; k++) {
        const RbvJoint *joint = &h->model->joints.items[k];
        frictions = frictions || (joint->has_friction && joint->sizes->friction > 0);
        reads = reads ||
                (joint->has_friction && joint->sizes->friction > 0 &&
                 joint->friction_law->surfaces[0].press != RBV_PRESS_TEETH &&
                 !rbv_press_is_given(
                     joint->friction_law->surfaces[0]
                         .press)); /* the pressing force may depend on the forces of teeth and preloads on bearings */
    }
    for (int32_t k = 0; reads && k < h->model->joints.count; k++) {
        const RbvJoint *joint = &h->model->joints.items[k];
        if (rbv_forms[joint->form].teeth && joint->sizes->pressure_angle > 0)
            return refuse_hold(h,
                               RBV_OPTION_HOLD " does not know how teeth that push their wheels apart load the "
                                               "bearings: gear '%s' needs pressure_angle: 0",
                               joint->name);
        if (rbv_forms[joint->form].strands && joint->sizes->preload > 0)
            return refuse_hold(h, RBV_OPTION_HOLD " does not know how the preload of '%s' loads its bearings",
                               joint->name);
    }
    if (!frictions)
        return refuse_hold(h, RBV_OPTION_HOLD " %s: no joint of the model has friction", parameter);
    if (!rbv_model_is_ideal(h->model, "statics " RBV_OPTION_HOLD, h->diagnostics) ||
        !rbv_model_without_generalized(h->model, "statics " RBV_OPTION_HOLD, h->diagnostics))
        return RBV_BAD_INPUT;
    return rbv_model_without_motion(h->model, "statics " RBV_OPTION_HOLD,
                                    RBV_TAKES_CONDITIONS | RBV_TAKES_STATES | RBV_TAKES_STOPS | RBV_TAKES_LIMITS,
                                    h->diagnostics);
}

/* The interval that contains the value, or the nearest one. */
static int32_t nearest_interval(const Hold *h) {
    int32_t best = 0;
    double least = INFINITY;
    for (int32_t k = 0; k < h->problem.count; k++) {
        const double *end = h->problem.interval[k].end;
        double apart = rbv_max(0, rbv_max(end[0] - h->at, h->at - end[1]));
        if (apart < least) {
            least = apart;
            best = k;
        }
    }
    return best;
}

/* Names of the joints whose friction is at its limit at an end of the interval. */
static RbvStatus keep_names(const Hold *h, const RbvHoldInterval *interval, RbvHoldable *held) {
    RbvArena *arena = &h->record->result->arena;
    held->at_limit = rbv_arena_alloc(arena, ((size_t)h->model->joints.count + 1) * sizeof *held->at_limit);
    for (int32_t k = 0; held->at_limit && k < h->model->joints.count; k++) {
        bool any = false;
        for (int32_t i = 0; i < h->system->friction_count; i++)
            for (int side = 0; side < 2; side++)
                any = any || (h->system->friction[i].joint == k && isfinite(interval->end[side]) &&
                              interval->at_limit[side][i]);
        if (any && !(held->at_limit[held->at_limit_count++] =
                         rbv_arena_copy(arena, h->model->joints.items[k].name, strlen(h->model->joints.items[k].name))))
            return RBV_NO_MEMORY;
    }
    return held->at_limit ? RBV_OK : RBV_NO_MEMORY;
}

/* Store the intervals in the result, the one of the value first. */
static RbvStatus keep_intervals(Hold *h) {
    const RbvParameter *parameter = &h->model->parameters.items[h->parameter];
    RbvArena *arena = &h->record->result->arena;
    RbvHoldable *held = &h->record->result->held;
    char unit[64] = "";
    if (parameter->dimension.bond > RBV_EXPR_BARE)
        rbv_exponents_si(parameter->dimension.exponents, unit, sizeof unit);
    *held = (RbvHoldable){.parameter = rbv_arena_copy(arena, parameter->name, strlen(parameter->name)),
                          .unit = rbv_arena_copy(arena, unit, strlen(unit)),
                          .at = h->at,
                          .count = h->problem.count};
    held->end = rbv_arena_alloc(arena, (size_t)held->count * sizeof *held->end);
    if (!held->parameter || !held->unit || !held->end)
        return RBV_NO_MEMORY;
    int32_t first = nearest_interval(h);
    for (int32_t k = 0, next = 1; k < held->count; k++)
        memcpy(held->end[k == first ? 0 : next++], h->problem.interval[k].end, sizeof *held->end);
    return keep_names(h, &h->problem.interval[first], held);
}

static RbvStatus solve_intervals(Hold *h) {
    const char *name = h->model->parameters.items[h->parameter].name;
    RbvStatus status =
        rbv_hold_solve(&h->problem, h->state, h->Q[0], h->Q[1], h->at, h->unit, h->options->statics.locked);
    if (status == RBV_BAD_INPUT)
        return refuse_hold(h, RBV_OPTION_HOLD " %s: the machine is too large for it", name);
    if (status == RBV_OK && h->problem.count > 0)
        return keep_intervals(h);
    if (status != RBV_OK && status != RBV_NO_EQUILIBRIUM)
        return status;
    refuse_hold(h,
                status == RBV_OK ? "friction holds this place at no value of %s"
                                 : "no value of %s holds this place: it is out of balance where no friction acts",
                name);
    return RBV_NO_EQUILIBRIUM;
}

static RbvStatus find_intervals(Hold *h) {
    size_t n = (size_t)h->system->coordinates.size + 1;
    for (int k = 0; k < 3; k++)
        if (!(h->Q[k] = rbv_arena_array(&h->arena, n, sizeof(double))))
            return RBV_NO_MEMORY;
    if (!(h->active = rbv_arena_array(&h->arena, (size_t)h->system->row_count + 1, sizeof *h->active)))
        return RBV_NO_MEMORY;
    h->at = rbv_system_parameter(h->system, h->parameter);
    h->unit = h->at != 0 ? fabs(h->at) : 1;
    RbvStatus status = stand_at_rest(h, &h->state, h->Q[0]);
    if (status == RBV_OK)
        status = find_changed_loads(h, ASIDE, h->Q[1]);
    if (status == RBV_OK)
        status = find_changed_loads(h, FAR_ASIDE, h->Q[2]);
    if (status == RBV_OK)
        status = find_loads(h);
    return status == RBV_OK ? solve_intervals(h) : status;
}

RbvStatus rbv_statics_hold(RbvSystem *given_system, const char *parameter, const RbvOptions *given,
                           RbvDiagnostics *diagnostics, RbvResult **result) {
    if (!given_system || !parameter || !result)
        return RBV_BAD_ARGUMENT;
    RbvSystem *system = given_system->absolute ? given_system->absolute : given_system; /* loads act on bodies */
    *result = NULL;
    RbvOptions options = given ? *given : rbv_options_default;
    if (!rbv_options_valid(&options))
        return RBV_BAD_ARGUMENT;
    RbvNotes notes;
    if (!rbv_notes_open(&notes, diagnostics))
        return RBV_NO_MEMORY;
    RbvProgress progress = {.go_on = options.progress, .context = options.context};
    Hold h = {.progress = &progress,
              .system = system,
              .caller = given_system,
              .model = system->model,
              .options = &options,
              .diagnostics = notes.report};
    RbvRecordOptions what = {.analysis = "statics"};
    RbvStatus status = check_hold(&h, parameter);
    if (status == RBV_OK)
        status = (h.record = rbv_record_create(system, NULL, &what)) ? RBV_OK : RBV_NO_MEMORY;
    if (status == RBV_OK)
        status = find_intervals(&h);
    if (status == RBV_OK &&
        (!rbv_notes_keep(&notes, h.model, h.record->result) || !rbv_scene_show(h.record->result, h.state, &options)))
        status = RBV_NO_MEMORY;
    if (status == RBV_OK) {
        *result = h.record->result;
        h.record->result = NULL;
    }
    status = rbv_scene_end(system, &options, "statics", status, notes.report, result);
    rbv_record_destroy(h.record);
    rbv_hold_destroy(&h.problem);
    rbv_state_destroy(h.state);
    rbv_arena_clear(&h.arena);
    rbv_notes_close(&notes);
    return status;
}
