/* Knots of tables over time; see table_knots.h. */
#include "dynamics/integration/table_knots.h"

#include "dynamics/accelerations/motion_expressions.h"

#include <math.h>

typedef struct Search {
    double t, next;
} Search;

static bool look(void *context, const RbvModel *model, const RbvExpr *expr) {
    Search *search = context;
    for (int32_t v = 0; v < rbv_expr_variable_count(expr); v++)
        if (rbv_variable_of(model, expr, v).kind == RBV_VARIABLE_TIME)
            search->next = fmin(search->next, rbv_expr_next_knot(expr, v, search->t));
    return true;
}

double rbv_table_knots_next(const RbvModel *model, double t) {
    Search search = {t, INFINITY};
    rbv_each_motion_expression(model, false, look, &search);
    return search.next;
}
