/* Evaluation of a state set by the caller: time, drives, own states and bodies, and the results there; see
 * evaluation.h.
 */
#include "analysis/analyses/evaluation.h"

#include "core/base/diagnostics.h"
#include "core/base/extremes.h"
#include "core/base/tolerances.h"
#include "mechanics/system/contacts.h"
#include "solution/assembly/assemble.h"
#include "solution/assembly/freedom_checks.h"
#include "solution/record/samples.h"

#include <stdlib.h>
#include <string.h>

/* ---- conditions ----
 *
 * Conditions (active:) are functions of the time, of the user's own states and of the motion,
 * while active rows decide the motion. Conditions are therefore decided at the last position for the new time and
 * states, and again at each position found with them, until they agree. An evaluation has no history: a joint locked at
 * the position at which it engaged is refused.
 */

/* BAD_INPUT (reported): a condition depends on the instant at which it engaged. */
static RbvStatus check_conditions(const RbvEvaluation *e) {
    const RbvModel *model = e->system->model;
    for (int32_t k = 0; k < model->conditions.count; k++)
        if (model->conditions.items[k].here) {
            rbv_diagnose(e->diagnostics, RBV_ERROR, model->file, model->conditions.items[k].where,
                         "'%s' holds where it stands when it engages (value: here), and a single instant knows of no "
                         "earlier one: give it a value of its own",
                         model->conditions.items[k].name);
            return RBV_BAD_INPUT;
        }
    return RBV_OK;
}

/* Assemble a first state with its active conditions. Statuses of rbv_activity_assemble. */
static RbvStatus assemble_holding(RbvEvaluation *e, RbvState *first, RbvDiagnostics *diagnostics) {
    RbvAssembly assembly = {.driven = true};
    memcpy(first->own, e->own, (size_t)e->system->model->states.count * sizeof *first->own);
    rbv_activity_destroy(&e->activity);
    return rbv_activity_assemble(&e->activity, first, e->t, false, diagnostics, &assembly);
}

/* Put the motion's state back at the last position, for the time and the own states that the caller has set.
 * NOT_FINITE. */
static RbvStatus go_back(RbvEvaluation *e) {
    RbvMotion *motion = e->now.motion;
    rbv_evaluation_hold(e, (const RbvDriveMotion *)e->reached, e->t);
    rbv_motion_restore_position(motion, motion->saved.q);
    motion->state->t = e->t;
    return rbv_state_place(motion->state) && rbv_state_rates(motion->state) && rbv_state_move(motion->state)
               ? RBV_OK
               : RBV_NOT_FINITE;
}

/* Evaluate conditions at the motion's state. *differ: they differ from those with which the state was found, and other
 * rows are active from now on. NOT_FINITE, INCONSISTENT: reported; NO_MEMORY. */
static RbvStatus decide_conditions(RbvEvaluation *e, bool *differ) {
    const RbvModel *model = e->system->model;
    RbvMotion *motion = e->now.motion;
    RbvActivity *a = &e->activity;
    size_t count = (size_t)model->conditions.count;
    rbv_state_load(motion->state); /* evaluates measures that no row uses; a load need not be finite here */
    const char *bad = rbv_conditions_decide(motion->state, NULL, NULL, e->truth, a->work);
    *differ = false;
    if (bad) {
        rbv_diagnose(e->diagnostics, RBV_ERROR, model->file, (RbvPosition){0, 0},
                     "at t = %.9g s '%s' has an active: that is not a finite number", e->t, bad);
        return RBV_NOT_FINITE;
    }
    *differ = memcmp(e->truth, a->truth, count * sizeof *e->truth) != 0;
    for (int32_t k = 0; k < model->conditions.count; k++) {
        e->rows_differ =
            e->rows_differ || (e->truth[k] != a->truth[k] && model->conditions.items[k].of <= RBV_CONDITION_DRIVE);
        rbv_condition_apply(e->system, &model->conditions.items[k], e->truth[k], a->active, a->acting);
        a->truth[k] = e->truth[k];
    }
    if (!e->rows_differ)
        return RBV_OK;
    e->stands = false;
    RbvStatus status = rbv_motion_switch(motion);
    e->switched = status == RBV_OK;
    e->rows_differ = status != RBV_OK; /* on failure the switch is repeated */
    e->changed = true;                 /* ranks, forces and verdicts are decided again at the position reached */
    return status;
}

/* Report that conditions do not settle; the status. */
static RbvStatus report_contradictory(const RbvEvaluation *e) {
    rbv_diagnose(e->diagnostics, RBV_ERROR, e->system->model->file, (RbvPosition){0, 0},
                 "at t = %.9g s what holds is not decided: where conditions (active:) hold the mechanism stands where "
                 "they do not",
                 e->t);
    return RBV_INCONSISTENT;
}

const RbvBodyMotion rbv_body_motion_default = {.rotation = {1, 0, 0, 0}};

/* Set all results to NaN. */
static void clear_results(RbvEvaluation *e) {
    RbvResult *result = e->now.record->result;
    for (int32_t c = 0; c < result->column_count + result->hidden_count; c++)
        result->data[c] = NAN;
    result->sample_count = 0;
}

/* ---- creation ---- */

static bool create_known(RbvEvaluation *e) {
    const RbvSystem *system = e->system;
    size_t drives = (size_t)system->model->drives.count, positions = (size_t)system->coordinates.position_size,
           measures = (size_t)system->model->measures.count;
    double most = RBV_KNOWN_NUMBERS / (double)(drives + positions + measures + 1);
    e->known_capacity = (int32_t)rbv_max(1, rbv_min(RBV_MOST_KNOWN, most));
    e->known = rbv_arena_array(&e->arena, (size_t)e->known_capacity, sizeof *e->known);
    bool good = e->known != NULL;
    for (int32_t n = 0; good && n < e->known_capacity; n++) {
        e->known[n] = (RbvKnownPlace){.drives = rbv_arena_array(&e->arena, drives + 1, sizeof(double)),
                                      .q = rbv_arena_array(&e->arena, positions + 1, sizeof(double)),
                                      .memory = rbv_arena_array(&e->arena, measures + 1, sizeof(RbvMeasureMemory))};
        good = e->known[n].drives && e->known[n].q && e->known[n].memory;
    }
    return good;
}

/* Does the system have an equation that depends on t explicitly? */
static bool moves_with_time(const RbvSystem *system) {
    for (int32_t k = 0; k < system->row_count; k++)
        for (int32_t v = 0; system->rows[k].equation && v < rbv_expr_variable_count(system->rows[k].equation); v++)
            if (system->rows[k].variables->term[v] < 0)
                return true;
    return false;
}

static bool create_arrays(RbvEvaluation *e) {
    const RbvSystem *system = e->system;
    size_t drives = (size_t)system->model->drives.count + 1, bodies = (size_t)system->model->bodies.count;
    e->is_set = rbv_arena_array(&e->arena, drives, sizeof *e->is_set);
    e->set_motion = rbv_arena_array(&e->arena, drives, sizeof *e->set_motion);
    e->requested = rbv_arena_array(&e->arena, drives, sizeof *e->requested);
    e->reached = rbv_arena_array(&e->arena, drives, sizeof *e->reached);
    e->targets = rbv_arena_array(&e->arena, drives, sizeof *e->targets);
    e->q = rbv_arena_array(&e->arena, (size_t)system->coordinates.position_size + 1, sizeof *e->q);
    e->change = rbv_arena_array(&e->arena, (size_t)system->coordinates.size + 1, sizeof *e->change);
    e->is_prescribed = rbv_arena_array(&e->arena, bodies, sizeof *e->is_prescribed);
    e->prescribed = rbv_arena_array(&e->arena, bodies, sizeof *e->prescribed);
    e->twists = rbv_arena_array(&e->arena, bodies, sizeof *e->twists);
    e->accelerations = rbv_arena_array(&e->arena, bodies, sizeof *e->accelerations);
    e->truth = rbv_arena_array(&e->arena, (size_t)system->model->conditions.count + 1, sizeof *e->truth);
    e->own = rbv_arena_array(&e->arena, (size_t)system->model->states.count + 1, sizeof *e->own);
    for (int32_t k = 0; e->own && k < system->model->states.count; k++)
        e->own[k] = rbv_model_state_start(system->model, k);
    return e->truth && e->own && e->is_set && e->set_motion && e->requested && e->reached && e->targets && e->q &&
           e->change && e->is_prescribed && e->prescribed && e->twists && e->accelerations && create_known(e);
}

/* Is drive k inactive, or not yet known to be active? */
static bool may_rest(const RbvEvaluation *e, int32_t k) {
    const RbvModel *model = e->system->model;
    bool conditional = false;
    for (int32_t c = 0; c < model->conditions.count; c++)
        conditional = conditional ||
                      (model->conditions.items[c].of == RBV_CONDITION_DRIVE && model->conditions.items[c].index == k);
    return conditional && (!e->now.motion || !rbv_state_holds(e->now.motion->state, e->system->drive_row[k]));
}

/* Values, rates and second rates of every drive: those set by the caller, else of the drive's own motion. */
static RbvStatus find_drive_motions(RbvEvaluation *e, RbvDiagnostics *diagnostics) {
    const RbvModel *model = e->system->model;
    double *work = e->now.record->work;
    for (int32_t k = 0; k < model->drives.count; k++) {
        double *requested = e->requested[k];
        const RbvExpr *own = model->drives.items[k].motion;
        if (e->is_set[k]) {
            memcpy(requested, e->set_motion[k], sizeof e->requested[k]);
            continue;
        }
        requested[1] = requested[2] = 0;
        requested[0] = rbv_expr_variable_count(own) == 1 ? rbv_expr_jet(own, &e->t, work, &requested[1], &requested[2])
                                                         : rbv_expr_value(own, NULL, work);
        if (isfinite(requested[0]) && isfinite(requested[1]) && isfinite(requested[2]))
            continue;
        if (may_rest(e, k)) { /* an inactive drive needs no finite motion */
            requested[0] = requested[1] = requested[2] = 0;
            continue;
        }
        char why[160];
        rbv_expr_explain(own, &e->t, work, why, sizeof why);
        rbv_diagnose(diagnostics, RBV_ERROR, model->file, model->drives.items[k].where,
                     "at t = %.9g s drive '%s' is not finite%s%s", e->t, model->drives.items[k].name,
                     why[0] ? ": " : "", why);
        return RBV_NOT_FINITE;
    }
    return RBV_OK;
}

/* Forces and wheels of a new motion, and its first position, at the requested drive values. */
static RbvStatus begin_motion(RbvEvaluation *e) {
    RbvStatus status = rbv_instant_begin(&e->now, &e->options);
    if (status == RBV_OK)
        status = rbv_check_wheels(e->now.motion->state, e->diagnostics);
    if (status != RBV_OK)
        return status;
    e->now.motion->diagnostics = e->diagnostics;
    e->now.motion->state->targets = e->targets;
    memcpy(e->now.motion->state->own, e->own, (size_t)e->system->model->states.count * sizeof *e->own);
    rbv_evaluation_hold(e, (const RbvDriveMotion *)e->requested, e->t);
    status = rbv_motion_go(e->now.motion, e->t);
    if (status == RBV_OK)
        rbv_evaluation_note_reached(e);
    return status;
}

/* A motion that begins at e->t, with the conditions true there; `led`: drives use the targets of the evaluation. */
static RbvStatus create_motion(RbvEvaluation *e, bool led, RbvDiagnostics *diagnostics) {
    bool conditions = e->system->model->conditions.count > 0;
    RbvAssembly assembly = {.driven = true};
    if (!conditions && !led)
        return rbv_motion_create(e->system, e->t, NULL, &e->progress, diagnostics, &e->now.motion);
    RbvState *first = rbv_state_create(e->system);
    if (!first)
        return RBV_NO_MEMORY;
    first->targets = led ? e->targets : NULL;
    RbvStatus status = conditions                  ? assemble_holding(e, first, diagnostics)
                       : e->system->rate_count > 0 ? rbv_assemble(first, e->t, diagnostics, &assembly)
                                                   : rbv_assemble_position(first, e->t, diagnostics, &assembly);
    if (status == RBV_OK)
        status = rbv_motion_create(e->system, e->t, first, &e->progress, diagnostics, &e->now.motion);
    if (status == RBV_OK)
        e->activity.state = e->now.motion->state;
    rbv_state_destroy(first);
    return status;
}

/* Begin with all drives on their own motions. A failure to assemble is not an error here: the caller may set other
 * values. */
static RbvStatus try_own_motions(RbvEvaluation *e) {
    if (find_drive_motions(e, NULL) != RBV_OK)
        return RBV_OK;
    RbvStatus status = create_motion(e, false, NULL);
    if (status == RBV_BAD_INPUT) /* repeated, to report the error */
        status = create_motion(e, false, e->diagnostics);
    if (status == RBV_OK)
        return begin_motion(e);
    return status == RBV_BAD_INPUT || status == RBV_NO_MEMORY ? status : RBV_OK;
}

RbvStatus rbv_evaluation_create(const RbvSystem *system, const RbvOptions *given, RbvDiagnostics *diagnostics,
                                RbvEvaluation **evaluation) {
    if (!system || !evaluation)
        return RBV_BAD_ARGUMENT;
    *evaluation = NULL;
    if (given && !rbv_options_valid(given))
        return RBV_BAD_ARGUMENT;
    RbvEvaluation *e = calloc(1, sizeof *e);
    if (!e)
        return RBV_NO_MEMORY;
    e->system = system;
    e->options = given ? *given : rbv_options_default;
    e->progress = (RbvProgress){.go_on = e->options.progress, .context = e->options.context};
    e->diagnostics = diagnostics;
    e->times = moves_with_time(system);
    e->generation = system->generation;
    e->now = (RbvInstant){.system = system, .diagnostics = diagnostics};
    e->t = system->model->has_motion ? system->model->from : 0;
    e->t = isfinite(e->options.from) ? e->options.from : e->t;
    RbvRecordOptions what = {.analysis = "inverse",
                             .reactions = true,
                             .orders = 2,
                             .series = true,
                             .states = true,
                             .instant = true,
                             .method = rbv_method_kind(e->options.inverse.method)->name};
    RbvStatus status = rbv_model_without_motion(
        system->model, "inverse", RBV_TAKES_CONDITIONS | RBV_TAKES_STATES | RBV_TAKES_GENERALIZED | RBV_TAKES_LIMITS,
        diagnostics);
    if (status == RBV_OK)
        status = check_conditions(e);
    if (status == RBV_OK)
        status = create_arrays(e) ? rbv_instant_create(&e->now, &e->options, &what) : RBV_NO_MEMORY;
    if (status == RBV_OK && !rbv_result_reserve(e->now.record->result, 1))
        status = RBV_NO_MEMORY;
    if (status == RBV_OK) {
        clear_results(e); /* until the first evaluation */
        status = try_own_motions(e);
    }
    if (status != RBV_OK) {
        rbv_evaluation_destroy(e);
        return status;
    }
    *evaluation = e;
    return RBV_OK;
}

void rbv_evaluation_destroy(RbvEvaluation *e) {
    if (!e)
        return;
    rbv_instant_destroy(&e->now);
    rbv_activity_destroy(&e->activity);
    rbv_arena_clear(&e->arena);
    free(e);
}

/* ---- setting by the caller ---- */

RbvStatus rbv_evaluation_set_time(RbvEvaluation *e, double t) {
    if (!e || !isfinite(t))
        return RBV_BAD_ARGUMENT;
    e->t = t;
    return RBV_OK;
}

/* [rad] Beyond this the numbers for angles are 1e-6 apart and more: they tell no position. */
#define FARTHEST_ANGLE 1e10

RbvStatus rbv_evaluation_set_drive(RbvEvaluation *e, int32_t drive, double value, double rate, double second_rate) {
    if (!e || drive < 0 || drive >= e->system->model->drives.count || !isfinite(value) || !isfinite(rate) ||
        !isfinite(second_rate))
        return RBV_BAD_ARGUMENT;
    const RbvModel *model = e->system->model;
    if (rbv_coordinate_is_angle(model, &model->drives.items[drive].of) && fabs(value) > FARTHEST_ANGLE)
        return RBV_BAD_ARGUMENT;
    e->is_set[drive] = true;
    e->set_motion[drive][0] = value;
    e->set_motion[drive][1] = rate;
    e->set_motion[drive][2] = second_rate;
    return RBV_OK;
}

RbvStatus rbv_evaluation_release_drive(RbvEvaluation *e, int32_t drive) {
    if (!e || drive < 0 || drive >= e->system->model->drives.count)
        return RBV_BAD_ARGUMENT;
    e->is_set[drive] = false;
    return RBV_OK;
}

RbvStatus rbv_evaluation_set_state(RbvEvaluation *e, int32_t state, double value) {
    if (!e || state < 0 || state >= e->system->model->states.count || !isfinite(value))
        return RBV_BAD_ARGUMENT;
    e->own[state] = value;
    return RBV_OK;
}

static bool all_finite(const RbvBodyMotion *motion) {
    const double *const lists[] = {motion->at,
                                   &motion->angle,
                                   motion->rotation,
                                   motion->velocity,
                                   motion->angular_velocity,
                                   motion->acceleration,
                                   motion->angular_acceleration};
    static const int counts[] = {3, 1, 4, 3, 3, 3, 3};
    for (int n = 0; n < 7; n++)
        for (int k = 0; k < counts[n]; k++)
            if (!isfinite(lists[n][k]))
                return false;
    return true;
}

RbvStatus rbv_evaluation_set_body(RbvEvaluation *e, int32_t body, const RbvBodyMotion *motion) {
    if (!e || !motion || body < 1 || body >= e->system->model->bodies.count || !all_finite(motion))
        return RBV_BAD_ARGUMENT;
    const double *p = motion->rotation;
    /* Allowed deviation of a quaternion from unit length. */
    if (e->system->bodies.spatial && !(fabs(p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3] - 1) <= 2 * RBV_FITS))
        return RBV_BAD_ARGUMENT;
    e->prescribed[body] = *motion;
    e->is_prescribed[body] = e->any_prescribed = true;
    return RBV_OK;
}

/* ---- evaluation ---- */

/* Begin the motion that could not begin at creation, at the drive values requested now. */
static RbvStatus open_motion(RbvEvaluation *e) {
    rbv_evaluation_hold(e, (const RbvDriveMotion *)e->requested, e->t);
    RbvStatus status = create_motion(e, true, e->diagnostics);
    return status == RBV_OK ? begin_motion(e) : status;
}

/* Parameters of the system have changed: discard known positions; the motion continues from the last one. */
static void notice_change(RbvEvaluation *e) {
    if (e->generation == e->system->generation)
        return;
    e->generation = e->system->generation;
    e->times = moves_with_time(e->system);
    e->known_count = e->known_next = 0;
    e->stands = false;
    e->changed = e->now.motion != NULL;
    if (e->changed && e->now.motion->started)
        rbv_motion_renew(e->now.motion);
}

/* At the first position after a change of parameters: sizes, ranks, and data made from joints again. */
static RbvStatus take_change(RbvEvaluation *e) {
    RbvStatus status = rbv_motion_decide(e->now.motion);
    if (status == RBV_OK)
        status = rbv_instant_renew(&e->now, &e->options);
    if (status == RBV_OK)
        status = rbv_check_wheels(e->now.motion->state, e->diagnostics);
    e->changed = status != RBV_OK;
    e->stands = status == RBV_OK;
    return status;
}

/* Reach the requested values with the present active rows. */
static RbvStatus arrive_holding(RbvEvaluation *e) {
    RbvStatus status = find_drive_motions(e, e->diagnostics);
    if (status == RBV_OK && !e->now.motion)
        status = open_motion(e);
    if (status == RBV_OK)
        status = e->any_prescribed ? rbv_evaluation_arrive_at_bodies(e) : rbv_evaluation_arrive(e);
    e->switched = false;
    if (status == RBV_OK && e->changed)
        status = take_change(e);
    return status;
}

/* Most rounds for conditions to settle. */
#define ROUNDS 6

/* Repeat until conditions at the position reached are those with which it was found. */
static RbvStatus arrive_settled(RbvEvaluation *e) {
    bool conditions = e->system->model->conditions.count > 0, differ = conditions;
    RbvStatus status = RBV_OK;
    if (e->now.motion && conditions && e->now.motion->started) {
        status = go_back(e);
        if (status == RBV_OK)
            status = decide_conditions(e, &differ);
        differ = true;
    }
    for (int round = 0; status == RBV_OK && round < ROUNDS; round++) {
        status = arrive_holding(e);
        if (status == RBV_OK && conditions)
            status = decide_conditions(e, &differ);
        if (status == RBV_OK && (!conditions || !differ))
            return conditions && !e->any_prescribed ? find_drive_motions(e, e->diagnostics)
                                                    : RBV_OK; /* active drives are now known to have finite motions */
    }
    return status == RBV_OK ? report_contradictory(e) : status;
}

static RbvStatus arrive_at_set(RbvEvaluation *e) {
    e->progress.stopped = false; /* an earlier call was interrupted, not this one */
    notice_change(e);
    e->report = (RbvEvaluationReport){.force_imbalance = NAN, .torque_imbalance = NAN, .power_imbalance = NAN};
    if (e->now.motion)
        memcpy(e->now.motion->state->own, e->own, (size_t)e->system->model->states.count * sizeof *e->own);
    RbvStatus status = arrive_settled(e);
    for (int32_t b = 0; e->any_prescribed && b < e->system->model->bodies.count; b++)
        e->is_prescribed[b] = false;
    e->any_prescribed = false;
    e->report.constraint_error = status == RBV_OK ? e->now.motion->constraint_error : NAN;
    return status;
}

RbvStatus rbv_evaluation_kinematics(RbvEvaluation *e) {
    if (!e)
        return RBV_BAD_ARGUMENT;
    clear_results(e);
    RbvStatus status = arrive_at_set(e);
    if (status != RBV_OK)
        return status;
    char why[256];
    rbv_state_load(e->now.motion->state); /* loads may be infinite: kinematics does not depend on them */
    rbv_record_sample(e->now.record, e->now.motion->state, NULL, why, sizeof why);
    return RBV_OK;
}

RbvStatus rbv_evaluation_inverse(RbvEvaluation *e) {
    if (!e)
        return RBV_BAD_ARGUMENT;
    clear_results(e);
    rbv_audit_reset(&e->now.audit);
    RbvStatus status = arrive_at_set(e);
    if (status == RBV_OK)
        status = rbv_instant_solve(&e->now);
    if (status == RBV_OK) {
        e->report.force_imbalance = e->now.audit.force;
        e->report.torque_imbalance = e->now.audit.torque;
        e->report.power_imbalance = e->now.audit.power;
        status = rbv_instant_decide(&e->now);
    }
    if (status != RBV_OK)
        clear_results(e);
    return status;
}

/* ---- reading by the caller ---- */

RbvEvaluationReport rbv_evaluation_report(const RbvEvaluation *e) {
    return e ? e->report : (RbvEvaluationReport){0};
}

const RbvResult *rbv_evaluation_result(const RbvEvaluation *e) {
    return e ? e->now.record->result : NULL;
}

RbvEvaluationColumn rbv_evaluation_column(const RbvEvaluation *e, const char *name) {
    return rbv_column_of_last(rbv_evaluation_result(e), name);
}

RbvEvaluationColumn rbv_column_of_last(const RbvResult *result, const char *name) {
    static const RbvVerdict unique = RBV_UNIQUE;
    static const double none = NAN;
    int32_t index = result && name ? rbv_result_find(result, name) : -1;
    if (index < 0)
        return (RbvEvaluationColumn){NULL, NULL, NULL};
    const RbvColumn *column = &result->columns[index];
    return (RbvEvaluationColumn){.value = &result->data[index],
                                 .verdict = column->has_verdict ? &column->verdict : &unique,
                                 .error = column->has_verdict ? &column->error : &none};
}
