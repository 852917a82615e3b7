/* Questions: linear combinations of reactions whose verdict is asked for (--ask 'A.Fz + D.Fz'). */
#include "base/diagnostics.h"
#include "model/model.h"

#include <stdlib.h>
#include <string.h>

/* Nothing but reactions in it, and the same derivative, without curvature, at two places. */
static bool is_linear(const RbvModel *model, const RbvExpr *expr, bool *no_memory) {
    int32_t n = rbv_expr_variable_count(expr);
    for (int32_t v = 0; v < n; v++)
        if (!rbv_variable_is_result(model->variables.items[rbv_expr_variable(expr, v)].kind))
            return false;
    size_t size = (size_t)n;
    double *x = malloc((4 * size + size * size + rbv_expr_work_size(expr) + 1) * sizeof *x);
    *no_memory = !x;
    if (!x)
        return false;
    double *first = x + n, *gradient = first + n, *hessian = gradient + n, *scratch = hessian + n * n;
    bool linear = n > 0;
    for (int pass = 0; pass < 2; pass++) {
        for (int32_t v = 0; v < n; v++)
            x[v] = pass ? -3.7 + 1.3 * v : 2.9 - 0.7 * v;
        rbv_expr_jet(expr, x, scratch, gradient, hessian);
        for (int32_t v = 0; v < n; v++) {
            linear = linear && (pass == 0 || gradient[v] == first[v]);
            first[v] = gradient[v];
        }
        for (int32_t k = 0; k < n * n; k++)
            linear = linear && hessian[k] == 0;
    }
    free(x);
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
    question->value = rbv_model_expression(model, combination, RBV_SCOPE_RESULTS, NULL, &source);
    if (!question->value)
        return model->no_memory ? RBV_NO_MEMORY : RBV_BAD_INPUT;
    bool no_memory = false;
    if (is_linear(model, question->value, &no_memory))
        return RBV_OK;
    if (no_memory)
        return rbv_model_no_memory(model);
    rbv_source_error(&source, NULL, "not a linear combination of reactions, drive and constraint efforts, such as 'A.Fx + 2*B.Fy - motor.effort'");
    return RBV_BAD_INPUT;
}
