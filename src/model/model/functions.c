/* Functions of the calling program that expressions call by name, and the check that they provide the derivatives
 * that are needed. */
#include "core/base/diagnostics.h"
#include "model/model/model.h"

#include <stdio.h>
#include <string.h>

static double not_known(void *context, const double *x, double *gradient, double *hessian) {
    (void)context, (void)x, (void)gradient, (void)hessian;
    return NAN;
}

RbvStatus rbv_model_add_function(RbvModel *model, const RbvFunctionDef *def, RbvDiagnostics *diagnostics) {
    if (!model || !def || !def->name)
        return RBV_BAD_ARGUMENT;
    RbvSource source = {.diagnostics = diagnostics, .file = ""};
    const char *name = rbv_model_enter_word(model, def->name, &source);
    int32_t k = name ? rbv_model_grow(model, &model->functions, sizeof(RbvExprCallback *)) : -1;
    RbvExprCallback *function = name ? rbv_arena_alloc(&model->arena, sizeof *function) : NULL;
    if (!name)
        return rbv_model_wrong(model);
    if (k < 0 || !function || !rbv_name_table_add(&model->function_names, name, k))
        return rbv_model_no_memory(model);
    model->functions.items[k] = function;
    *function = (RbvExprCallback){name, 1, 0, not_known,
                                  NULL}; /* the name stays a function, so that its uses cause no further errors */
    if (!def->evaluate || def->argument_count < 1 || def->argument_count > RBV_CALLBACK_ARGUMENTS ||
        def->derivatives < 0 || def->derivatives > 2) {
        rbv_source_error(&source, NULL, "function '%s' needs evaluate, 1 to %d arguments, and 0, 1 or 2 derivatives",
                         name, RBV_CALLBACK_ARGUMENTS);
        return rbv_model_wrong(model);
    }
    *function = (RbvExprCallback){name, def->argument_count, def->derivatives, def->evaluate, def->context};
    return RBV_OK;
}

const RbvExprCallback *rbv_model_function(const RbvModel *model, const char *name) {
    int32_t k = rbv_name_table_find(&model->function_names, name);
    return k < 0 ? NULL : model->functions.items[k];
}

bool rbv_model_has_derivatives(const RbvExpr *expr, int32_t count, const char *what, const char *name, const char *path,
                               const RbvSource *source) {
    const char *function;
    if (!expr || rbv_expr_derivatives(expr, &function) >= count)
        return true;
    rbv_source_error(source, path, "%s '%s' is differentiated %s, but the function '%s' gives %s", what, name,
                     count == 2 ? "twice" : "once", function,
                     rbv_expr_derivatives(expr, &function) == 0 ? "no derivatives" : "no second derivatives");
    return false;
}
