/* Expressions of a motion; see motion_expressions.h. */
#include "dynamics/accelerations/motion_expressions.h"

bool rbv_each_motion_expression(const RbvModel *model, bool decisions, RbvVisitExpression *visit, void *context) {
#define EACH(list, member)                                                                                             \
    for (int32_t i = 0; good && i < model->list.count; i++)                                                            \
    good = !model->list.items[i].member || visit(context, model, model->list.items[i].member)
    bool good = true;
    EACH(drives, motion);
    for (int c = 0; c < 3; c++)
        EACH(loads, value[c]);
    EACH(constraints, equation);
    EACH(nonideals, force);
    EACH(states, rate);
    EACH(generalized, force);
    for (int32_t i = 0; good && i < model->masses.count; i++)
        good = !model->masses.items[i] || visit(context, model, model->masses.items[i]);
    if (decisions) {
        EACH(conditions, active);
        EACH(events, when);
    }
#undef EACH
    return good;
}
