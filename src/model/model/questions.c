/* Questions: linear combinations of reactions whose verdict is requested (--ask 'A.Fz + D.Fz'). */
#include "core/base/diagnostics.h"
#include "model/model/model.h"

#include <stdlib.h>
#include <string.h>

/* Does the expression contain only reactions, and is it affine in them by its form? */
static bool is_linear(const RbvModel *model, const RbvExpr *expr, bool *no_memory) {
    int32_t n = rbv_expr_variable_count(expr);
    bool *chosen = malloc((size_t)n + 1), linear = n > 0;
    *no_memory = !chosen;
    for (int32_t v = 0; chosen && v < n; v++) {
        chosen[v] = true;
        linear = linear && rbv_variable_is_result(model->variables.items[rbv_expr_variable(expr, v)].kind);
    }
    linear = chosen && linear && rbv_expr_is_affine(expr, chosen);
    free(chosen);
    return linear;
}

RbvStatus rbv_model_add_question(RbvModel *model, const char *combination, RbvDiagnostics *diagnostics) {
    if (!model || !combination)
        return RBV_BAD_ARGUMENT;
    RbvSource source = {.diagnostics = diagnostics, .file = combination};
    int32_t k = rbv_model_grow(model, &model->questions, sizeof(RbvQuestion));
    const char *copy = rbv_arena_copy(&model->arena, combination, strlen(combination));
    if (k < 0 || !copy)
        return rbv_model_no_memory(model);
    RbvQuestion *question = &model->questions.items[k];
    question->text = copy;
    question->value =
        rbv_model_expression(model, combination, RBV_SCOPE_RESULTS | RBV_SCOPE_UNITLESS, RBV_DIM_ANY, NULL, &source);
    if (!question->value)
        return model->no_memory ? RBV_NO_MEMORY : RBV_BAD_INPUT;
    bool no_memory = false;
    if (is_linear(model, question->value, &no_memory))
        return RBV_OK;
    if (no_memory)
        return rbv_model_no_memory(model);
    rbv_source_error(
        &source, NULL,
        "not a linear combination of reactions, drive and constraint efforts, such as 'A.Fx + 2*B.Fy - motor.effort'");
    return RBV_BAD_INPUT;
}
