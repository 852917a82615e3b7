/* Knots of tables along the time; see table_knots.h. */
#include "dynamics/table_knots.h"

#include "element/scene.h"

#include <math.h>

static double next_of(const RbvModel *model, const RbvExpr *expr, double t) {
    double next = INFINITY;
    for (int32_t v = 0; expr && v < rbv_expr_variable_count(expr); v++)
        if (rbv_variable_of(model, expr, v).kind == RBV_VARIABLE_TIME)
            next = fmin(next, rbv_expr_next_knot(expr, v, t));
    return next;
}

double rbv_table_knots_next(const RbvModel *model, double t) {
    double next = INFINITY;
    for (int32_t k = 0; k < model->drives.count; k++)
        next = fmin(next, next_of(model, model->drives.items[k].motion, t));
    for (int32_t k = 0; k < model->loads.count; k++)
        for (int i = 0; i < 3; i++)
            next = fmin(next, next_of(model, model->loads.items[k].value[i], t));
    for (int32_t k = 0; k < model->states.count; k++)
        next = fmin(next, next_of(model, model->states.items[k].rate, t));
    for (int32_t k = 0; k < model->constraints.count; k++)
        next = fmin(next, next_of(model, model->constraints.items[k].equation, t));
    return next;
}
