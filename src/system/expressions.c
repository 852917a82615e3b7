/* The expressions of a model at a state: their variables, values, and why one is not finite. */
#include "system/system.h"

#include <stdio.h>

static const RbvVec3 nowhere = {NAN, NAN, NAN};

double rbv_state_expression(const RbvState *state, const RbvExpr *expr, double length, double length_rate, RbvVec3 place,
                            const RbvResultValues *results, double *work) {
    const RbvModel *model = state->system->model;
    int32_t count = rbv_expr_variable_count(expr);
    double *x = work;
    for (int32_t v = 0; v < count; v++) {
        RbvVariable variable = model->variables.items[rbv_expr_variable(expr, v)];
        const RbvMeasureState *measure = &state->measures[variable.kind == RBV_VARIABLE_COORDINATE ? variable.index : 0];
        switch (variable.kind) {
        case RBV_VARIABLE_TIME: x[v] = state->t; break;
        case RBV_VARIABLE_COORDINATE:
            x[v] = variable.part == 0 ? measure->value : variable.part == 1 ? measure->rate
                   : results && results->measure_second ? results->measure_second[variable.index] : NAN;
            break;
        case RBV_VARIABLE_LENGTH: x[v] = variable.part == 0 ? length : length_rate; break;
        case RBV_VARIABLE_PLACE: x[v] = variable.part == 0 ? place.x : variable.part == 1 ? place.y : place.z; break;
        case RBV_VARIABLE_EFFORT: x[v] = results && results->effort ? results->effort[variable.index] : NAN; break;
        case RBV_VARIABLE_REACTION:
            x[v] = results && results->reaction ? results->reaction[variable.index][variable.part] : NAN;
            break;
        case RBV_VARIABLE_MULTIPLIER: x[v] = results && results->multiplier ? results->multiplier[variable.index] : NAN; break;
        case RBV_VARIABLE_LOAD: x[v] = state->load_value[variable.index][variable.part]; break;
        }
    }
    return rbv_expr_value(expr, x, work + count);
}

double rbv_frame_speed(RbvState *state, const RbvLoad *load, double *rate) {
    double second;
    *rate = 0;
    if (rbv_expr_variable_count(load->value[0]) == 1)
        return rbv_expr_jet(load->value[0], &state->t, state->work, rate, &second);
    return rbv_expr_value(load->value[0], NULL, state->work);
}

void rbv_energy_variables(const RbvState *state, const RbvExpr *expr, double *x) {
    const RbvModel *model = state->system->model;
    for (int32_t v = 0; v < rbv_expr_variable_count(expr); v++) {
        RbvVariable variable = model->variables.items[rbv_expr_variable(expr, v)];
        x[v] = variable.kind == RBV_VARIABLE_TIME ? state->t : state->measures[variable.index].value;
    }
}

static bool explain_expression(const RbvState *state, const char *owner, const char *name, const RbvExpr *expr, double l,
                               double l_rate, RbvVec3 place, char *message, size_t size) {
    const RbvModel *model = state->system->model;
    double *work = state->work;
    double value = rbv_state_expression(state, expr, l, l_rate, place, NULL, work);
    int32_t count = rbv_expr_variable_count(expr);
    if (isfinite(value)) { /* its derivatives may not be */
        double *gradient = work + count, *hessian = gradient + count;
        rbv_expr_jet(expr, work, hessian + count * count, gradient, hessian);
        for (int32_t v = 0; v < count * (count + 1) && isfinite(value); v++)
            value = gradient[v];
        if (isfinite(value))
            return false;
    }
    for (int32_t v = 0; v < count; v++) /* a result as variable is not known here: nothing to explain */
        if (model->variables.items[rbv_expr_variable(expr, v)].kind >= RBV_VARIABLE_EFFORT)
            return false;
    char why[160] = "";
    rbv_expr_explain(expr, work, work + count, why, sizeof why);
    snprintf(message, size, "%s '%s': %s", owner, name ? name : "", why);
    return true;
}

void rbv_state_explain(const RbvState *state, char *message, size_t size) {
    const RbvModel *model = state->system->model;
    message[0] = '\0';
    for (int32_t k = 0; k < model->drives.count; k++) {
        const RbvDrive *drive = &model->drives.items[k];
        if (explain_expression(state, "drive", drive->name, drive->motion, NAN, NAN, nowhere, message, size))
            return;
    }
    for (int32_t k = 0; k < model->constraints.count; k++)
        if (explain_expression(state, "constraint", model->constraints.items[k].name, model->constraints.items[k].equation, NAN,
                               NAN, nowhere, message, size))
            return;
    for (int32_t k = 0; k < model->loads.count; k++) {
        const RbvLoad *load = &model->loads.items[k];
        double l = NAN, l_rate = NAN;
        if (load->kind == RBV_LOAD_SPRING) {
            l = state->measures[load->measure[0]].value;
            l_rate = state->measures[load->measure[0]].rate;
        }
        for (int part = 0; part < 3; part++)
            for (int32_t b = 1; load->value[part] && b < (load->kind == RBV_LOAD_FIELD ? model->bodies.count : 2); b++)
                if (explain_expression(state, "load", load->name, load->value[part], l, l_rate, state->bodies[b].r, message,
                                       size))
                    return;
    }
}
