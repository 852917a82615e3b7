/* Decides what the equations A x = b of a group of bodies (newton_method.h) determine. A combination c.x of joint
 * wrenches and efforts is determined by these bodies alone if and only if it lies in the range of A^T
 * (determined.h). Forces between the bodies stay unknowns: a combination that the sum of the bodies' equations
 * determines is determined here too, since that sum is a combination of the equations.
 *
 * Values are those of the whole mechanism: what is determined here has the same value there. Friction and radial
 * tooth forces on these bodies depend on reactions; where the bodies do not determine one of those, no verdict is
 * unique. */
#include "solution/reaction/body_balance.h"

#include "core/base/diagnostics.h"

#include <stdlib.h>
#include <string.h>

/* Limit of the number of unknowns, since singular values are computed at every sample. */
#define MOST_UNKNOWNS 1500

static const char *body_name(const void *context, int32_t k) {
    return ((const RbvModel *)context)->bodies.items[k + 1].name;
}

static RbvStatus take_body(RbvBodyBalance *balance, const char *name) {
    const RbvModel *model = balance->system->model;
    int32_t body = rbv_model_find(model, name, RBV_NAMED_BODY);
    if (body > 0 && !model->bodies.items[body].generalized) {
        balance->body[body] = true;
        return RBV_OK;
    }
    const char *nearest = body < 0 ? rbv_name_nearest(name, model->bodies.count - 1, body_name, model) : NULL;
    if (body == 0)
        rbv_diagnose(balance->diagnostics, RBV_ERROR, model->file, (RbvPosition){0, 0},
                     RBV_OPTION_INVERSE_BALANCE ": ground is held by what is not in the model, and has no equations");
    else if (nearest)
        rbv_diagnose(balance->diagnostics, RBV_ERROR, model->file, (RbvPosition){0, 0},
                     RBV_OPTION_INVERSE_BALANCE ": there is no body '%s'; did you mean '%s'?", name, nearest);
    else
        rbv_diagnose(balance->diagnostics, RBV_ERROR, model->file, (RbvPosition){0, 0},
                     RBV_OPTION_INVERSE_BALANCE ": there is no body '%s'", name);
    return RBV_BAD_INPUT;
}

static bool marker_in_group(const RbvBodyBalance *balance, int32_t marker) {
    return balance->body[balance->system->model->markers.items[marker].body];
}

static void find_touched(RbvBodyBalance *balance) {
    const RbvSystem *system = balance->system;
    for (int32_t k = 0; k < system->model->joints.count; k++) {
        const RbvJoint *joint = &system->model->joints.items[k];
        balance->joint[k] = marker_in_group(balance, joint->marker[0]) || marker_in_group(balance, joint->marker[1]);
    }
    for (int32_t r = 0; r < system->satisfied_count; r++)
        balance->row[r] = rbv_newton_row_acts(system, balance->body, r);
}

static void forget_equations(RbvBodyBalance *balance) {
    rbv_newton_system_destroy(balance->newton);
    balance->newton = NULL;
    rbv_determined_clear(&balance->determined);
    rbv_arena_clear(&balance->work);
    balance->norm = balance->c = NULL;
    balance->all = NULL;
}

void rbv_body_balance_destroy(RbvBodyBalance *balance) {
    if (!balance)
        return;
    forget_equations(balance);
    rbv_arena_clear(&balance->arena);
    free(balance);
}

RbvStatus rbv_body_balance_create(const RbvSystem *system, const RbvOptions *options, RbvDiagnostics *diagnostics,
                                  RbvBodyBalance **out) {
    *out = NULL;
    if (options->inverse.balance_count == 0)
        return RBV_OK;
    if (options->inverse.method != RBV_METHOD_NEWTON) {
        rbv_diagnose(diagnostics, RBV_ERROR, system->model->file, (RbvPosition){0, 0},
                     RBV_OPTION_INVERSE_BALANCE " goes with " RBV_OPTION_INVERSE_METHOD
                                                " newton: other methods solve for all of the mechanism at once");
        return RBV_BAD_INPUT;
    }
    RbvBodyBalance *balance = calloc(1, sizeof *balance);
    if (!balance)
        return RBV_NO_MEMORY;
    balance->system = system;
    balance->diagnostics = diagnostics;
    balance->body = rbv_arena_array(&balance->arena, (size_t)system->bodies.count + 1, sizeof *balance->body);
    balance->joint = rbv_arena_array(&balance->arena, (size_t)system->model->joints.count + 1, sizeof *balance->joint);
    balance->row = rbv_arena_array(&balance->arena, (size_t)system->satisfied_count + 1, sizeof *balance->row);
    RbvStatus status = balance->body && balance->joint && balance->row ? RBV_OK : RBV_NO_MEMORY;
    for (int32_t k = 0; status == RBV_OK && k < options->inverse.balance_count; k++)
        status = take_body(balance, options->inverse.balance[k]);
    if (status != RBV_OK) {
        rbv_body_balance_destroy(balance);
        return status;
    }
    find_touched(balance);
    *out = balance;
    return RBV_OK;
}

/* A^T by rows scaled to unit length (norms into balance->norm): start[unknowns + 1], column and values[entries]. */
static void transpose(const RbvBodyBalance *balance, int32_t *start, int32_t *column, double *values) {
    const RbvNewtonSystem *n = balance->newton;
    for (int32_t e = 0; e < n->count; e++)
        start[n->index[e] + 1]++;
    for (int32_t k = 0; k < n->unknowns; k++)
        start[k + 1] += start[k];
    for (int32_t i = 0; i < n->equations; i++)
        for (int32_t e = n->start[i]; e < n->start[i + 1]; e++) {
            int32_t at = start[n->index[e]]++;
            column[at] = i;
            values[at] = n->values[e];
        }
    memmove(start + 1, start, (size_t)n->unknowns * sizeof *start);
    start[0] = 0;
    for (int32_t k = 0; k < n->unknowns; k++) {
        double sum = 0;
        for (int32_t e = start[k]; e < start[k + 1]; e++)
            sum += values[e] * values[e];
        balance->norm[k] = sum > 0 ? sqrt(sum) : 1;
        for (int32_t e = start[k]; e < start[k + 1]; e++)
            values[e] /= balance->norm[k];
    }
}

/* Sets up the equations at the state and finds which combinations of unknowns they determine. */
static RbvStatus decide_equations(RbvBodyBalance *balance, const RbvState *state) {
    forget_equations(balance);
    RbvNewtonSystem *n = balance->newton = rbv_newton_system_create(state, balance->body, NULL);
    if (!n)
        return RBV_NO_MEMORY;
    if (n->unknowns > MOST_UNKNOWNS) {
        rbv_diagnose(balance->diagnostics, RBV_ERROR, balance->system->model->file, (RbvPosition){0, 0},
                     RBV_OPTION_INVERSE_BALANCE ": %d unknowns act on these bodies, more than %d: name fewer",
                     (int)n->unknowns, MOST_UNKNOWNS);
        return RBV_BAD_INPUT;
    }
    size_t unknowns = (size_t)n->unknowns + 2, entries = (size_t)n->count + 1;
    RbvArena *work = &balance->work;
    int32_t *start = rbv_arena_array(work, unknowns, sizeof *start),
            *column = rbv_arena_array(work, entries, sizeof *column);
    double *values = rbv_arena_array(work, entries, sizeof *values);
    balance->norm = rbv_arena_array(work, unknowns, sizeof *balance->norm);
    balance->c = rbv_arena_array(work, unknowns, sizeof *balance->c);
    balance->all = rbv_arena_array(work, unknowns, sizeof *balance->all);
    RbvStatus status =
        start && column && values && balance->norm && balance->c && balance->all ? RBV_OK : RBV_NO_MEMORY;
    if (status == RBV_OK) {
        transpose(balance, start, column, values);
        for (int32_t k = 0; k < n->unknowns; k++)
            balance->all[k] = k;
        const RbvSparse A = {.rows = n->unknowns,
                             .columns = n->equations,
                             .start = start,
                             .column = column,
                             .values = values,
                             .row_norm = balance->norm};
        status = rbv_determined_decide(&balance->determined, &A, RBV_DECIDE_SVD, NULL);
    }
    return status;
}

/* Verdict of the combination in balance->c, which is scaled by the norms. */
static RbvVerdict verdict_of_combination(RbvBodyBalance *balance) {
    int32_t count_freedoms = balance->newton->unknowns;
    for (int32_t k = 0; k < count_freedoms; k++)
        balance->c[k] /= balance->norm[k];
    RbvDecision decision = rbv_determined_verdict(&balance->determined, count_freedoms, balance->all, balance->c);
    if (decision == RBV_DETERMINED)
        return RBV_UNIQUE;
    return decision == RBV_DOUBTFUL ? RBV_UNSURE : RBV_NOT_UNIQUE;
}

static void clear_combination(const RbvBodyBalance *balance) {
    memset(balance->c, 0, (size_t)balance->newton->unknowns * sizeof *balance->c);
}

/* balance->c += factor times multiplier `row` of joint k of the equations. */
static void add_multiplier(const RbvBodyBalance *balance, int32_t k, int32_t row, double factor) {
    const RbvNewtonSystem *n = balance->newton;
    for (int c = 0; c < n->width; c++)
        balance->c[n->width * k + c] += factor * n->joints[k].part[row][c];
}

RbvVerdict rbv_body_balance_verify_rows(RbvBodyBalance *balance, const double *c) {
    const RbvNewtonSystem *n = balance->newton;
    clear_combination(balance);
    for (int32_t r = 0; r < balance->system->row_count; r++)
        if (c[r] != 0 && !balance->row[r])
            return RBV_NOT_UNIQUE;
    for (int32_t k = 0; k < n->joint_count; k++)
        for (int32_t r = 0; r < n->joints[k].rows; r++)
            if (c[n->joints[k].first + r] != 0)
                add_multiplier(balance, k, r, c[n->joints[k].first + r]);
    for (int32_t k = 0; k < n->other_count; k++)
        balance->c[n->width * n->joint_count + k] = n->other[k] < balance->system->row_count ? c[n->other[k]] : 0;
    return balance->reported ? RBV_NOT_UNIQUE : verdict_of_combination(balance);
}

/* Verdict of a component of the wrench of joint k. Of gears, belts, line components and friction: the worst verdict
 * of the joint's multipliers, since these components depend on all of them. */
static RbvVerdict of_component(RbvBodyBalance *balance, const RbvReactions *reactions, const RbvState *state, int32_t k,
                               int component) {
    const RbvNewtonSystem *n = balance->newton;
    int32_t joint = n->joints[k].joint, count_freedoms = n->joints[k].rows;
    RbvVerdict worst = RBV_UNIQUE;
    bool line = rbv_forms[balance->system->model->joints.items[joint].form].wheels || component >= RBV_LINE_F;
    for (int32_t r = 0; line && r < count_freedoms;
         r++) { /* includes friction, which depends on all multipliers of the joint */
        clear_combination(balance);
        add_multiplier(balance, k, r, 1);
        RbvVerdict one = verdict_of_combination(balance);
        worst = one > worst ? one : worst;
    }
    if (line)
        return worst;
    clear_combination(balance);
    rbv_reactions_functional(reactions, state, joint, component, reactions->scratch);
    for (int32_t r = 0; r < count_freedoms; r++)
        add_multiplier(balance, k, r, reactions->scratch[r]);
    return verdict_of_combination(balance);
}

/* Does friction or a radial tooth force depend on the joint's reaction? */
static bool is_followed(const RbvSystem *system, int32_t joint) {
    const RbvJoint *of = &system->model->joints.items[joint];
    bool slanted = of->spatial && of->sizes->helix_angle != 0;
    return (of->has_friction && of->sizes->friction > 0) ||
           (rbv_forms[of->form].teeth && (of->sizes->pressure_angle > 0 || slanted));
}

static void worsen_unless_free(RbvVerdict *is, RbvVerdict than) {
    if (*is != RBV_FREE && than > *is)
        *is = than;
}

/* Verdicts of joints that act on the bodies; those of other joints become NOT_UNIQUE. */
static void decide_joints(RbvBodyBalance *balance, const RbvState *state, RbvReactions *reactions) {
    const RbvSystem *system = balance->system;
    for (int32_t k = 0; k < system->model->joints.count; k++)
        for (int component = 0; !balance->joint[k] && component < rbv_reactions_components(reactions, k); component++)
            worsen_unless_free(&reactions->verdict[k][component], RBV_NOT_UNIQUE);
    const RbvNewtonSystem *n = balance->newton;
    for (int32_t k = 0; k < n->joint_count; k++) {
        RbvVerdict *verdicts = reactions->verdict[n->joints[k].joint], worst = RBV_FREE;
        for (int component = 0; component < rbv_reactions_components(reactions, n->joints[k].joint); component++) {
            if (verdicts[component] == RBV_FREE ||
                !rbv_component_in(reactions->possible[n->joints[k].joint], component))
                continue;
            worsen_unless_free(&verdicts[component], of_component(balance, reactions, state, k, component));
            worst = verdicts[component] > worst ? verdicts[component] : worst;
        }
        if (worst != RBV_NOT_UNIQUE || !is_followed(system, n->joints[k].joint) || balance->reported)
            continue;
        balance->reported = true;
        rbv_diagnose(
            balance->diagnostics, RBV_NOTE, system->model->file, system->model->joints.items[n->joints[k].joint].where,
            RBV_OPTION_INVERSE_BALANCE ": friction or the push of teeth in joint '%s' follows its reaction, which "
                                       "these bodies alone do not determine: nothing of them is called unique",
            system->model->joints.items[n->joints[k].joint].name);
    }
}

static void decide_row(RbvBodyBalance *balance, int32_t row, RbvVerdict *is) {
    const RbvNewtonSystem *n = balance->newton;
    if (row < 0 || !balance->row[row]) {
        worsen_unless_free(is, row < 0 ? RBV_UNIQUE : RBV_NOT_UNIQUE);
        return;
    }
    for (int32_t k = 0; k < n->other_count; k++)
        if (n->other[k] == row) {
            clear_combination(balance);
            balance->c[n->width * n->joint_count + k] = 1;
            worsen_unless_free(is, verdict_of_combination(balance));
        }
}

/* Rank of the equations, and freedoms by Gruebler: coordinates of the bodies minus rows of joints and constraints. */
static void count_freedoms(RbvBodyBalance *balance) {
    const RbvNewtonSystem *n = balance->newton;
    balance->rank = balance->determined.rank.rank;
    balance->gruebler = n->body_rows;
    for (int32_t k = 0; k < n->joint_count; k++)
        balance->gruebler -= n->joints[k].rows;
    for (int32_t k = 0; k < n->other_count; k++)
        balance->gruebler -= balance->system->rows[n->other[k]].owner == RBV_OWNER_CONSTRAINT;
}

RbvStatus rbv_body_balance_verify(RbvBodyBalance *balance, const RbvState *state, RbvReactions *reactions) {
    const RbvSystem *system = balance->system;
    const RbvModel *model = system->model;
    RbvStatus status = decide_equations(balance, state);
    if (status != RBV_OK)
        return status;
    count_freedoms(balance);
    decide_joints(balance, state, reactions);
    for (int32_t k = 0; k < model->drives.count; k++)
        decide_row(balance, system->drive_row[k], &reactions->effort_verdict[k]);
    for (int32_t k = 0; k < model->constraints.count; k++)
        decide_row(balance, system->constraint_row[k], &reactions->multiplier_verdict[k]);
    for (int32_t k = 0; k < 2 * model->stops.count; k++)
        decide_row(balance, system->stop_row[k], &reactions->stop_verdict[k / 2]);
    for (int32_t k = 0; balance->reported && k < model->joints.count; k++)
        for (int component = 0; component < rbv_reactions_components(reactions, k); component++)
            worsen_unless_free(&reactions->verdict[k][component], RBV_NOT_UNIQUE);
    for (int32_t k = 0; balance->reported && k < model->drives.count; k++)
        worsen_unless_free(&reactions->effort_verdict[k], RBV_NOT_UNIQUE);
    for (int32_t k = 0; balance->reported && k < model->constraints.count; k++)
        worsen_unless_free(&reactions->multiplier_verdict[k], RBV_NOT_UNIQUE);
    return RBV_OK;
}
