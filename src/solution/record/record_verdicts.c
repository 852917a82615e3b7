/* Verdicts into the result: of columns, of rows one by one, of outputs that depend on reactions, of requested
 * combinations; mobility, rank, and the count of unknowns and equations. */
#include "core/base/extremes.h"
#include "core/base/tolerances.h"
#include "solution/reaction/dependent_loads.h"
#include "solution/reaction/error.h"
#include "solution/record/record.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Numbers of unknowns and equations of Newton's equilibrium, their rank, and Gruebler's count; see record.h. */

/* Names of the balanced bodies. False: no memory. */
static bool keep_names(RbvResult *result, const RbvBodyBalance *balance) {
    const RbvModel *model = balance->system->model;
    result->newton.bodies =
        rbv_arena_alloc(&result->arena, (size_t)model->bodies.count * sizeof *result->newton.bodies);
    result->newton.body_count = 0;
    for (int32_t b = 1; result->newton.bodies && b < model->bodies.count; b++) {
        if (!balance->body[b])
            continue;
        const char *name =
            rbv_arena_copy(&result->arena, model->bodies.items[b].name, strlen(model->bodies.items[b].name));
        if (!name)
            return false;
        result->newton.bodies[result->newton.body_count++] = name;
    }
    return result->newton.bodies != NULL;
}

bool rbv_record_newton(RbvRecord *record, const RbvState *state, const RbvSolvability *solvability) {
    RbvResult *result = record->result;
    const RbvBodyBalance *balance = record->options.balance;
    RbvNewtonSystem *whole = balance ? NULL : rbv_newton_system_create(state, NULL, NULL);
    const RbvNewtonSystem *newton = balance ? balance->newton : whole;
    if (!newton || (balance && !keep_names(result, balance)))
        return false;
    result->newton.found = true;
    result->newton.unknowns = newton->unknowns - (whole ? record->system->satisfied_count - record->system->row_count
                                                        : 0); /* no force acts on an idle spin */
    result->newton.equations = newton->equations;
    result->newton.rank =
        balance ? balance->rank
                : result->newton.unknowns - solvability->redundant; /* one self-stress for each redundant row */
    result->newton.gruebler = balance ? balance->gruebler : result->mobility.gruebler;
    rbv_newton_system_destroy(whole);
    return true;
}

/* Describes the constraint rows one by one: what each keeps constant, and whether its multiplier is determined.
 *
 * The rows C_X of a joint X may have a unique force C_X^T lambda_X while multipliers in lambda_X are not unique
 * (where the joint's own rows are dependent), and a multiplier may be unique where the force is not. lambda_i is
 * unique if and only if row i is no combination of the others; where row i is one, it can be removed alone without
 * any new motion. */

const char *rbv_record_joint_row(const RbvSystem *system, int32_t row) {
    const RbvRow *r = &system->rows[row];
    const RbvJoint *joint = &system->model->joints.items[r->index];
    int32_t part = row - system->joint_row[r->index];
    if (r->direction >= 0)
        return rbv_direction_name(r->direction);
    if (joint->track)
        return part == 0 ? "on the curve" : "on the curve, across";
    if (!rbv_forms[joint->form].directions)
        return rbv_forms[joint->form].row_names[part];
    switch (joint->extra) {
    case RBV_EXTRA_SCREW: return "lead";
    case RBV_EXTRA_SQUARE: return "right angle";
    default: return "twist";
    }
}

RbvRowVerdict rbv_record_row(const RbvSystem *system, const RbvResult *result, int32_t row, RbvVerdict verdict) {
    const RbvRow *r = &system->rows[row];
    RbvRowVerdict out = {.on_rates = r->on_rates, .verdict = verdict};
    if (r->owner == RBV_OWNER_JOINT) {
        out.entry = &result->joints.items[r->index];
        out.element = "joint";
        out.holds = rbv_record_joint_row(system, row);
    } else {
        bool drive = r->owner == RBV_OWNER_DRIVE;
        out.entry = &(drive ? &result->drives : &result->constraints)->items[r->index];
        out.element = drive ? "drive" : "constraint";
        out.holds = r->on_rates ? "velocity" : "equation";
        if (drive)
            out.holds = "motion";
    }
    return out;
}

bool rbv_record_rows(RbvRecord *record, RbvSolvability *solvability) {
    const RbvSystem *system = record->system;
    RbvResult *result = record->result;
    const double one = 1;
    result->rows = rbv_arena_alloc(&result->arena, ((size_t)system->row_count + 1) * sizeof *result->rows);
    if (!result->rows)
        return false;
    for (int32_t k = 0; k < system->row_count; k++)
        if (rbv_solvability_holds(solvability, k))
            result->rows[result->row_count++] =
                rbv_record_row(system, result, k, rbv_solvability_verdict(solvability, k, 1, &one));
    return true;
}

/* Coefficients of the multipliers in an expression with this gradient: record->combination[rows]. */
static void combine(RbvRecord *record, const RbvState *state, const RbvReactions *reactions, const RbvExpr *expr,
                    const double *gradient) {
    const RbvSystem *system = record->system;
    const RbvModel *model = system->model;
    int32_t n = rbv_expr_variable_count(expr);
    size_t rows = (size_t)system->row_count;
    double *size = record->combination + rows; /* sums of magnitudes, for comparison with terms that cancel */
    memset(record->combination, 0, 2 * rows * sizeof(double));
    for (int32_t v = 0; v < n; v++) {
        RbvVariable variable = model->variables.items[rbv_expr_variable(expr, v)];
        if (variable.kind == RBV_VARIABLE_EFFORT)
            record->combination[system->drive_row[variable.index]] -= gradient[v];
        if (variable.kind == RBV_VARIABLE_MULTIPLIER)
            record->combination[system->constraint_row[variable.index]] -= gradient[v];
        for (int side = 0; variable.kind == RBV_VARIABLE_STOP && side < 2; side++)
            if (system->stop_row[2 * variable.index + side] >= 0 &&
                rbv_state_holds(state, system->stop_row[2 * variable.index + side]))
                record->combination[system->stop_row[2 * variable.index + side]] -= gradient[v];
        if (variable.kind != RBV_VARIABLE_REACTION || variable.part >= RBV_FRICTION ||
            !rbv_component_in(reactions->possible[variable.index], variable.part))
            continue;
        int32_t first = system->joint_row[variable.index], count = system->joint_row[variable.index + 1] - first;
        rbv_reactions_functional(reactions, state, variable.index, variable.part, reactions->scratch);
        for (int32_t row = 0; row < count; row++) {
            record->combination[first + row] += gradient[v] * reactions->scratch[row];
            size[first + row] += fabs(gradient[v] * reactions->scratch[row]);
        }
    }
    /* A sum below this part of its terms is rounding of terms that cancel. */
    for (size_t k = 0; k < rows; k++)
        if (fabs(record->combination[k]) < RBV_CANCELLED * size[k])
            record->combination[k] = 0;
}

/* Verdict of a reaction, effort or force of a constraint or stop on which an expression depends. */
static RbvVerdict verdict_of(const RbvReactions *reactions, RbvVariable variable) {
    return variable.kind == RBV_VARIABLE_EFFORT       ? reactions->effort_verdict[variable.index]
           : variable.kind == RBV_VARIABLE_MULTIPLIER ? reactions->multiplier_verdict[variable.index]
           : variable.kind == RBV_VARIABLE_STOP       ? reactions->stop_verdict[variable.index]
           : variable.kind == RBV_VARIABLE_REACTION   ? reactions->verdict[variable.index][variable.part]
                                                      : RBV_UNIQUE;
}

/* Response of a result on which an expression depends to a unit of a push. */
static double push_on(const RbvReactions *reactions, const RbvState *state, const RbvPush *push, RbvVariable variable) {
    const RbvSystem *system = reactions->system;
    double sum = 0;
    switch (variable.kind) {
    case RBV_VARIABLE_EFFORT: return rbv_push_on_row(push, system->drive_row[variable.index]);
    case RBV_VARIABLE_MULTIPLIER: return rbv_push_on_row(push, system->constraint_row[variable.index]);
    case RBV_VARIABLE_STOP:
        for (int side = 0; side < 2; side++)
            if (system->stop_row[2 * variable.index + side] >= 0)
                sum += rbv_push_on_row(push, system->stop_row[2 * variable.index + side]);
        return sum;
    default: return rbv_push_on_component(reactions, state, push, variable.index, variable.part);
    }
}

/* Verdict of a combination with this gradient: not better than that of the open pushes to which it responds. */
static RbvVerdict with_pushes(const RbvRecord *record, const RbvState *state, const RbvReactions *reactions,
                              const RbvExpr *expr, const double *gradient, RbvVerdict verdict) {
    const RbvSystem *system = record->system;
    for (int32_t k = 0; k < reactions->push_count; k++) {
        const RbvPush *push = &reactions->pushes[k];
        double sum = 0, size = 0;
        for (int32_t v = 0; v < rbv_expr_variable_count(expr); v++) {
            RbvVariable variable = system->model->variables.items[rbv_expr_variable(expr, v)];
            if (!rbv_variable_is_result(variable.kind))
                continue;
            sum += gradient[v] * push_on(reactions, state, push, variable);
            size += fabs(gradient[v]);
        }
        if (fabs(sum) > RBV_SAME * size && push->verdict > verdict)
            verdict = push->verdict;
    }
    return verdict;
}

static void decide(RbvRecord *record, int32_t column, RbvVerdict verdict, double time) {
    RbvResult *result = record->result;
    if (record->first_sample || record->options.instant)
        result->columns[column].begins = verdict;
    if (record->options.instant) {
        result->columns[column].verdict = verdict;
        return;
    }
    if (!record->first_sample && record->last_verdict[column] != verdict &&
        !rbv_result_change(result, column, verdict, time))
        record->lost_change = true;
    record->last_verdict[column] = verdict;
    rbv_result_decide(result, column, verdict);
}

const double *rbv_record_gradient(RbvRecord *record, const RbvState *state, const RbvReactions *reactions, int32_t k) {
    const RbvExpr *expr = record->system->model->outputs.items[k].value;
    int32_t n = rbv_expr_variable_count(expr);
    RbvResultValues values = {.effort = reactions->effort,
                              .multiplier = reactions->multiplier,
                              .control = reactions->actuator,
                              .stop = reactions->stop,
                              .reaction = reactions->value,
                              .measure_second = record->second};
    double *x = record->work, *gradient = x + n, *hessian = gradient + n, *scratch = hessian + (size_t)n * (size_t)n;
    rbv_state_expression(state, expr, &values, x);
    rbv_expr_jet(expr, x, scratch, gradient, hessian);
    return gradient;
}

/* Verdict of an output of reactions: that of its derivative by the multipliers, at the values it was last evaluated
 * with, so that a sum can be unique although its parts are not. */
static RbvVerdict decide_output(RbvRecord *record, const RbvState *state, const RbvReactions *reactions,
                                RbvSolvability *solvability, const RbvChoice *choice, int32_t k) {
    const RbvSystem *system = record->system;
    const RbvModel *model = system->model;
    const RbvExpr *expr = model->outputs.items[k].value;
    int32_t n = rbv_expr_variable_count(expr);
    const double *gradient = rbv_record_gradient(record, state, reactions, k);
    /* nonlinear in reactions: the derivative at this one value is not sufficient, so the worst verdict of the parts
     * counts */
    RbvVerdict worst = RBV_UNIQUE;
    for (int32_t v = 0; v < n; v++) {
        RbvVariable variable = model->variables.items[rbv_expr_variable(expr, v)];
        record->chosen[v] = rbv_variable_is_result(variable.kind);
        RbvVerdict part = verdict_of(reactions, variable);
        worst = part > worst ? part : worst;
    }
    bool linear = rbv_expr_is_affine(expr, record->chosen);
    if (!linear || worst == RBV_UNIQUE)
        return worst;
    combine(record, state, reactions, expr, gradient);
    RbvVerdict verdict = rbv_choice_refine(choice, solvability, record->combination,
                                           rbv_solvability_decide_all(solvability, record->combination));
    verdict = with_pushes(record, state, reactions, expr, gradient, verdict);
    RbvVerdict of_bodies =
        record->options.balance ? rbv_body_balance_verify_rows(record->options.balance, record->combination) : RBV_FREE;
    verdict = of_bodies > verdict ? of_bodies : verdict;
    return verdict < RBV_UNSURE && reactions->doubted && worst >= RBV_UNSURE ? RBV_UNSURE : verdict;
}

bool rbv_record_verdicts(RbvRecord *record, const RbvState *state, const RbvReactions *reactions,
                         RbvSolvability *solvability, const RbvChoice *choice) {
    const RbvModel *model = record->system->model;
    const RbvResult *result = record->result;
    double time = record->options.parameter ? record->parameter : state->t;
    for (int32_t k = 0; k < model->joints.count; k++) {
        int32_t column = result->joints.items[k].first;
        for (int component = 0; record->printed[k] >> component; component++)
            if (rbv_component_in(record->printed[k], component))
                decide(record, column++, reactions->verdict[k][component], time);
    }
    for (int32_t k = 0; k < model->drives.count; k++)
        decide(record, result->drives.items[k].first, reactions->effort_verdict[k], time);
    for (int32_t k = model->drives.count; k < result->drives.count; k++) /* actuators: least weighted square */
        decide(record, result->drives.items[k].first, RBV_UNIQUE, time);
    for (int32_t k = 0; k < result->constraints.count; k++)
        if (result->constraints.items[k].count > 0)
            decide(record, result->constraints.items[k].first, reactions->multiplier_verdict[k], time);
    for (int32_t k = 0; k < result->stops.count; k++)
        decide(record, result->stops.items[k].first, reactions->stop_verdict[k], time);
    if (record->options.series && model->outputs.count > 0)
        rbv_record_second_rates(record, state);
    for (int32_t k = 0; record->options.series && k < model->outputs.count; k++)
        if (record->output_judged[k])
            decide(record, record->first_output + k, decide_output(record, state, reactions, solvability, choice, k),
                   time);
    return !record->lost_change;
}

bool rbv_record_asked(RbvRecord *record, const RbvState *state, const RbvReactions *reactions,
                      RbvSolvability *solvability, const RbvChoice *choice) {
    const RbvModel *model = record->system->model;
    RbvResult *result = record->result;
    int32_t count = model->questions.count;
    result->asked = rbv_arena_alloc(&result->arena, ((size_t)count + 1) * sizeof *result->asked);
    if (!result->asked)
        return false;
    for (int32_t k = 0; k < count; k++) {
        const RbvExpr *expr = model->questions.items[k].value;
        int32_t n = rbv_expr_variable_count(expr);
        double *x = record->work, *gradient = x + n, *hessian = gradient + n, *scratch = hessian + n * n;
        memset(x, 0, (size_t)n * sizeof *x);
        rbv_expr_jet(expr, x, scratch, gradient, hessian);
        combine(record, state, reactions, expr, gradient);
        const char *text =
            rbv_arena_copy(&result->arena, model->questions.items[k].text, strlen(model->questions.items[k].text));
        if (!text)
            return false;
        RbvVerdict verdict = rbv_choice_refine(choice, solvability, record->combination,
                                               rbv_solvability_decide_all(solvability, record->combination));
        result->asked[result->asked_count++] =
            (RbvAsked){text, with_pushes(record, state, reactions, expr, gradient, verdict)};
    }
    return true;
}

static void keep_error(RbvRecord *record, int32_t column, double error) {
    if (column < 0)
        return;
    RbvColumn *to = &record->result->columns[column];
    to->error = to->has_error && !record->options.instant ? rbv_max(to->error, error) : error;
    to->has_error = true;
}

void rbv_record_errors(RbvRecord *record, const RbvReactions *reactions) {
    RbvResult *result = record->result;
    const RbvModel *model = record->system->model;
    if (reactions->within_recorded)
        return;
    for (int32_t k = 0; k < model->joints.count; k++) {
        const double *error = reactions->error[k];
        int32_t column = result->joints.items[k].first;
        for (uint32_t left = record->printed[k]; left; left &= left - 1) /* bit by bit */
            keep_error(record, column++, error[__builtin_ctz(left)]);
        if (result->joints.items[k].resultant >= 0)
            keep_error(
                record, result->joints.items[k].resultant,
                sqrt(error[RBV_FX] * error[RBV_FX] + error[RBV_FY] * error[RBV_FY] + error[RBV_FZ] * error[RBV_FZ]));
    }
    for (int32_t k = 0; k < model->drives.count; k++)
        keep_error(record, result->drives.items[k].first, reactions->effort_error[k]);
    for (int32_t k = 0; k < result->constraints.count; k++)
        keep_error(record, result->constraints.items[k].first, reactions->multiplier_error[k]);
    for (int32_t k = 0; k < result->stops.count; k++)
        keep_error(record, result->stops.items[k].first, reactions->stop_error[k]);
    rbv_error_recorded(reactions);
}

static void keep_range(RbvResult *result, int32_t column, const double *range) {
    if (column < 0 || !range || result->columns[column].verdict != RBV_COMPLIANCE)
        return;
    double *to = result->ranges[column];
    to[0] = rbv_min(to[0], range[0]); /* of NaN and a number: the number */
    to[1] = rbv_max(to[1], range[1]);
}

bool rbv_record_make_ranges(RbvResult *result) {
    result->ranges = rbv_arena_alloc(&result->arena, ((size_t)(result->column_count + result->hidden_count) + 1) *
                                                         sizeof *result->ranges);
    for (int32_t c = 0; result->ranges && c < result->column_count + result->hidden_count; c++)
        result->ranges[c][0] = result->ranges[c][1] = NAN;
    return result->ranges != NULL;
}

bool rbv_record_ranges(RbvRecord *record, const RbvChoice *choice) {
    RbvResult *result = record->result;
    const RbvModel *model = record->system->model;
    if (rbv_choice_corners(choice) == 0)
        return true;
    if (!result->ranges && !rbv_record_make_ranges(result))
        return false;
    for (int32_t k = 0; k < model->joints.count; k++)
        for (int component = 0; component < RBV_COMPONENT_COUNT; component++)
            keep_range(result, rbv_record_column(record, k, component), rbv_choice_range(choice, k, component));
    for (int32_t k = 0; k < model->drives.count; k++)
        keep_range(result, result->drives.items[k].first, rbv_choice_effort_range(choice, k));
    for (int32_t k = 0; k < result->constraints.count; k++)
        keep_range(result, result->constraints.items[k].first, rbv_choice_multiplier_range(choice, k));
    return true;
}

bool rbv_record_still(RbvRecord *record, int32_t joint, int component, double limit) {
    RbvResult *result = record->result;
    int32_t column = rbv_record_column(record, joint, component);
    if (column < 0 || (!result->ranges && !(limit > 0)))
        return true;
    if (!result->ranges && !rbv_record_make_ranges(result))
        return false;
    double *to = result->ranges[column];
    bool first = record->options.instant || isnan(to[0]);
    if (limit > 0 || record->options.instant) {
        double size = limit > 0 ? limit : NAN;
        bool wider = !first && limit > 0;
        to[0] = wider ? rbv_min(to[0], -size) : -size;
        to[1] = wider ? rbv_max(to[1], size) : size;
    }
    return true;
}

/* Names of the idle freedoms: spins on which nothing acts. False: no memory. */
static bool list_idle(RbvRecord *record) {
    const RbvSystem *system = record->system;
    const RbvModel *model = system->model;
    RbvResult *result = record->result;
    if (result->idle && result->idle_count == system->idle_count) /* the same for all parameters */
        return true;
    result->idle = rbv_arena_alloc(&result->arena, ((size_t)system->idle_count + 1) * sizeof *result->idle);
    result->idle_count = 0;
    for (int32_t k = 0; result->idle && k < system->spin_count; k++) {
        const RbvLineSpin *spin = &system->spins[k];
        const char *const names[3] = {model->bodies.items[spin->body].name, model->markers.items[spin->marker[0]].name,
                                      model->markers.items[spin->marker[1]].name};
        const char *copy[3];
        if (spin->row < 0)
            continue;
        for (int n = 0; n < 3; n++)
            if (!(copy[n] = rbv_arena_copy(&result->arena, names[n], strlen(names[n]))))
                return false;
        result->idle[result->idle_count++] = (RbvIdleSpin){copy[0], copy[1], copy[2]};
    }
    return result->idle != NULL;
}

void rbv_record_length(RbvResult *result, const RbvSolvability *s) {
    int32_t most = 0;
    for (int32_t b = 0; b < s->blocks.block_count; b++)
        if (s->ranks[b].redundant > most) {
            most = s->ranks[b].redundant;
            result->length = s->ranks[b].L;
        }
}

bool rbv_record_mobility(RbvRecord *record, const RbvState *state, RbvSolvability *s) {
    static const char *const criteria[] = {"default", "ranks", "svd", "qr"};
    const RbvSystem *system = record->system;
    RbvResult *result = record->result;
    int32_t size = system->bodies.size, drives = 0, forces = 0, rates = system->rate_count;
    bool *without = calloc((size_t)system->row_count + 1, sizeof *without);
    if (!without)
        return false;
    for (int32_t k = 0; k < system->row_count; k++) {
        without[k] = rbv_row_is_force(&system->rows[k]);
        forces += without[k] && rbv_solvability_holds(s, k);
    }
    int32_t rank = forces > 0 ? rbv_solvability_rank_without(s, state, without) : s->rank, rows = s->row_count - forces;
    for (int32_t k = 0; k < system->row_count; k++)
        without[k] = rbv_row_is_force(&system->rows[k]) || system->rows[k].on_rates;
    int32_t position_rank = rates > 0 ? rbv_solvability_rank_without(s, state, without) : rank;
    for (int32_t k = 0; k < system->row_count; k++) {
        without[k] = rbv_row_is_force(&system->rows[k]) || system->rows[k].owner == RBV_OWNER_DRIVE;
        drives += system->rows[k].owner == RBV_OWNER_DRIVE && rbv_solvability_holds(s, k);
    }
    int32_t joint_rank = drives > 0 ? rbv_solvability_rank_without(s, state, without) : rank;
    free(without);
    result->mobility = (RbvMobility){.coordinates = size,
                                     .rows = rows,
                                     .rank = rank,
                                     .redundant = rows - rank,
                                     .degrees_of_freedom = size - rank,
                                     .degrees_of_freedom_position = size - position_rank,
                                     .gruebler = size - (rows - drives),
                                     .mobility = size - joint_rank,
                                     .permanent = -1,
                                     .drives = drives};
    result->rank_safe = s->safe;
    result->rank_exact = s->exact;
    result->rank_smallest = s->smallest;
    result->rank_dropped = s->dropped;
    result->rank_tau = s->tau;
    result->criterion = criteria[s->criterion];
    for (int32_t b = 0; b < s->blocks.block_count; b++)
        result->rank_sparse = result->rank_sparse || s->ranks[b].determined.probe;
    rbv_record_length(result, s);
    return rank >= 0 && position_rank >= 0 && joint_rank >= 0 && list_idle(record);
}
