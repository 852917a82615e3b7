/* Values of the model's expressions at a state: motions of drives, coordinates, results; and why one is not finite. */
#include "mechanics/system/system.h"

#include <math.h>
#include <stdio.h>

/* The value that a drive prescribes at the state's time: its own motion c(t), or for a drive with a target the quintic
 * from one value, rate and second rate to another. */

/* p(x) = a_0 + a_1 x + ... + a_5 x^5 over x = 0 ... 1 with p, p', p'' prescribed at both ends. */
static void quintic(const RbvDriveTarget *guide, double t, double target[3]) {
    double H = guide->to - guide->from, x = (t - guide->from) / H;
    double a0 = guide->start[0], a1 = H * guide->start[1], a2 = 0.5 * H * H * guide->start[2];
    double D = guide->end[0] - (a0 + a1 + a2), E = H * guide->end[1] - (a1 + 2 * a2),
           F = H * H * guide->end[2] - 2 * a2;
    double a3 = 10 * D - 4 * E + 0.5 * F, a4 = -15 * D + 7 * E - F, a5 = 6 * D - 3 * E + 0.5 * F;
    target[0] = a0 + x * (a1 + x * (a2 + x * (a3 + x * (a4 + x * a5))));
    target[1] = (a1 + x * (2 * a2 + x * (3 * a3 + x * (4 * a4 + x * 5 * a5)))) / H;
    target[2] = (2 * a2 + x * (6 * a3 + x * (12 * a4 + x * 20 * a5))) / (H * H);
}

/* The quintic; at both ends exactly the prescribed numbers. */
static void guided(const RbvDriveTarget *guide, double t, double target[3]) {
    const double *end = t == guide->from ? guide->start : NULL;
    if (t == guide->to)
        end = guide->end;
    if (!end) {
        quintic(guide, t, target);
        return;
    }
    for (int k = 0; k < 3; k++)
        target[k] = end[k];
}

/* Adds the decaying difference e exp(-r (t - t_0)) of a drive with a limit that follows its motion again since t_0, and
 * its rates. */
static void add_lag(const RbvState *state, const RbvRow *row, double target[3]) {
    if (!state->lag || state->lag[row->index][0] == 0)
        return;
    double r = state->system->model->drives.items[row->index].catch_up,
           e = state->lag[row->index][0] * exp(-r * (state->t - state->lag[row->index][1]));
    target[0] += e;
    target[1] -= r * e;
    target[2] += r * r * e;
}

double rbv_state_target(const RbvState *state, const RbvRow *row) {
    double target[3] = {0, 0, 0};
    if (!state->targets) {
        target[0] = rbv_expr_value(row->target, &state->t, state->work);
        add_lag(state, row, target);
        return target[0];
    }
    guided(&state->targets[row->index], state->t, target);
    return target[0];
}

void rbv_state_target_jet(const RbvState *state, const RbvRow *row, double target[3]) {
    if (state->targets) {
        guided(&state->targets[row->index], state->t, target);
    } else if (rbv_expr_variable_count(row->target) == 1) {
        target[0] = rbv_expr_jet(row->target, &state->t, state->work, &target[1], &target[2]);
    } else {
        target[0] = rbv_expr_value(row->target, NULL, state->work);
        target[1] = target[2] = 0;
    }
    if (!state->targets)
        add_lag(state, row, target);
}

void rbv_state_coordinate(const RbvState *state, const RbvCoordinateRef *of, double *value, double *rate) {
    const RbvModel *model = state->system->model;
    if (of->named < 0) {
        *value = state->measures[of->measure].value;
        *rate = state->measures[of->measure].rate;
        return;
    }
    const RbvConfiguration at = rbv_state_configuration(state);
    RbvJet f = rbv_configuration_jet(&at, rbv_coordinate_value(model, of), NULL);
    *value = f.value;
    *rate = 0;
    for (int32_t v = 0; v < f.count; v++)
        *rate += f.gradient[v] * state->measures[rbv_variable_of(model, rbv_coordinate_value(model, of), v).index].rate;
}

void rbv_state_push_coordinate(const RbvState *state, const RbvCoordinateRef *of, double effort, RbvWrench *wrenches) {
    const RbvModel *model = state->system->model;
    const RbvConfiguration at = rbv_state_configuration(state);
    if (of->named < 0) {
        rbv_push_measure(&at, wrenches, of->measure, effort);
        return;
    }
    RbvJet f = rbv_configuration_jet(&at, rbv_coordinate_value(model, of), NULL);
    for (int32_t v = 0; v < f.count; v++)
        rbv_push_measure(&at, wrenches, rbv_variable_of(model, rbv_coordinate_value(model, of), v).index,
                         effort * f.gradient[v]);
}

double rbv_state_expression(const RbvState *state, const RbvExpr *expr, const RbvResultValues *results, double *work) {
    const RbvModel *model = state->system->model;
    int32_t count = rbv_expr_variable_count(expr);
    double *x = work;
    for (int32_t v = 0; v < count; v++) {
        RbvVariable variable = rbv_variable_of(model, expr, v);
        int32_t k = variable.index;
        x[v] = NAN;
        switch (variable.kind) {
        case RBV_VARIABLE_TIME: x[v] = state->t; break;
        case RBV_VARIABLE_COORDINATE:
            x[v] = variable.part == 0        ? state->measures[k].value
                   : variable.part == 1      ? state->measures[k].rate
                   : results->measure_second ? results->measure_second[k]
                                             : NAN;
            break;
        case RBV_VARIABLE_EFFORT: x[v] = results->effort ? results->effort[k] : NAN; break;
        case RBV_VARIABLE_REACTION: x[v] = results->reaction ? results->reaction[k][variable.part] : NAN; break;
        case RBV_VARIABLE_MULTIPLIER: x[v] = results->multiplier ? results->multiplier[k] : NAN; break;
        case RBV_VARIABLE_CONTROL: x[v] = results->control ? results->control[k] : NAN; break;
        case RBV_VARIABLE_STOP: x[v] = results->stop ? results->stop[k] : NAN; break;
        case RBV_VARIABLE_STATE: x[v] = state->own[k]; break;
        case RBV_VARIABLE_LOAD: x[v] = state->load_value[k][variable.part]; break;
        case RBV_VARIABLE_LENGTH:
        case RBV_VARIABLE_PLACE: break; /* variables of loads only */
        }
    }
    return rbv_pieces_value(state->pieces, expr, 0, x, work + count);
}

/* Writes why the value or a derivative of the expression is not finite. False: all are finite. */
static bool explain_expression(const RbvConfiguration *at, const char *owner, const char *name, const RbvExpr *expr,
                               const RbvLocal *local, char *message, size_t size) {
    double value = rbv_configuration_value(at, expr, local);
    if (isfinite(value)) {
        RbvJet jet = rbv_configuration_jet(at, expr, local);
        for (int32_t v = 0; v < jet.count && isfinite(value); v++)
            value = jet.gradient[v];
        for (int32_t v = 0; v < jet.count * jet.count && isfinite(value); v++)
            value = jet.hessian[v];
        if (isfinite(value))
            return false;
    }
    char why[160] = "";
    rbv_expr_explain(expr, at->work, at->work + rbv_expr_variable_count(expr), why, sizeof why);
    snprintf(message, size, "%s '%s': %s", owner, name ? name : "", why);
    return true;
}

static bool explain_load(const RbvConfiguration *at, const RbvLoad *load, char *message, size_t size) {
    double force;
    if (load->kind == RBV_LOAD_SPRING && rbv_spring_has_no_direction(at, load, &force)) {
        snprintf(message, size,
                 "spring '%s' has no length and does not move, so that its force of %.6g N has no direction",
                 load->name ? load->name : "", force);
        return true;
    }
    for (int part = 0; part < 3 && load->value[part]; part++)
        /* l, and the position of each body, for expressions that read them */
        for (int32_t b = 1; b < at->model->bodies.count; b++) {
            RbvVec3 r = at->bodies[b].r;
            RbvLocal local = {{NAN, NAN}, {r.x, r.y, r.z}, b};
            if (load->measure_count > 0) {
                local.length[0] = at->measures[load->measure[0]].value;
                local.length[1] = at->measures[load->measure[0]].rate;
            }
            if (explain_expression(at, "load", load->name, load->value[part], &local, message, size))
                return true;
        }
    return false;
}

void rbv_state_explain(const RbvState *state, char *message, size_t size) {
    const RbvModel *model = state->system->model;
    const RbvConfiguration at = rbv_state_configuration(state);
    message[0] = '\0';
    for (int32_t k = 0; k < model->coordinates.count; k++)
        if (explain_expression(&at, "coordinate", model->coordinates.items[k].name, model->coordinates.items[k].value,
                               NULL, message, size))
            return;
    for (int32_t k = 0; k < model->drives.count && !state->targets; k++)
        if (explain_expression(&at, "drive", model->drives.items[k].name, model->drives.items[k].motion, NULL, message,
                               size))
            return;
    for (int32_t k = 0; k < model->constraints.count; k++)
        if (explain_expression(&at, "constraint", model->constraints.items[k].name,
                               model->constraints.items[k].equation, NULL, message, size))
            return;
    for (int32_t k = 0; k < model->loads.count; k++)
        if (explain_load(&at, &model->loads.items[k], message, size))
            return;
}
