/* Fuzz target: expressions. Whatever text parses is evaluated with its jet, and the value must be that of the plain
 * evaluation. */
#include "core/expr/expr.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static RbvExprMeaning resolve(void *context, const RbvExprName *name, double *value, int32_t *id, char *message,
                              size_t size) {
    (void)context;
    const char *text = name->name ? name->name : name->function;
    if (text[0] == 'k') {
        *value = 1.5;
        return RBV_EXPR_CONSTANT;
    }
    if (strchr("txyz", text[0])) {
        *id = text[0] - 't' + name->rate;
        return RBV_EXPR_VARIABLE;
    }
    snprintf(message, size, "unknown");
    return RBV_EXPR_UNKNOWN;
}

static const RbvSpline *no_table(void *context, const char *name) {
    (void)context;
    (void)name;
    return NULL;
}

/* t is a time, x, y, z are a length and its rates, k, kg, ... are quantities of all sorts. */
static RbvExprDimension of_variable(void *context, int32_t id) {
    (void)context;
    if (id == 0)
        return (RbvExprDimension){RBV_EXPR_LOOSE, rbv_dimension_exponents(RBV_DIM_TIME)};
    return (RbvExprDimension){RBV_EXPR_KNOWN, rbv_dimension_exponents(id % 2 ? RBV_DIM_LENGTH : RBV_DIM_VELOCITY)};
}

static RbvExprDimension of_constant(void *context, const char *name) {
    (void)context;
    return (RbvExprDimension){name[1] ? RBV_EXPR_DECLARED : RBV_EXPR_BARE,
                              rbv_dimension_exponents((RbvDimension)((unsigned char)name[1] % RBV_DIM_COUNT))};
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *text = malloc(size + 1);
    if (!text)
        return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    RbvExprScope scope = {
        .resolve = resolve, .table = no_table, .variable_dimension = of_variable, .constant_dimension = of_constant};
    RbvExprError error;
    RbvExpr *expr = rbv_expr_parse(text, &scope, &error);
    if (!expr && error.offset > size)
        abort();
    char words[128];
    if (expr) /* what was inferred can be said */
        rbv_exponents_words(rbv_expr_dimension(expr).exponents, words, sizeof words);
    size_t n = expr ? (size_t)rbv_expr_variable_count(expr) : 0;
    if (expr && n < 50) {
        double *block = calloc(rbv_expr_work_size(expr) + n * n + 2 * n + 1, sizeof *block);
        double *x = block, *gradient = x + n, *hessian = gradient + n, *work = hessian + n * n;
        for (size_t k = 0; block && k < n; k++)
            x[k] = 0.3 + 0.7 * (double)k;
        if (block) {
            double plain = rbv_expr_value(expr, x, work), jet = rbv_expr_jet(expr, x, work, gradient, hessian);
            if (isfinite(plain) && fabs(plain - jet) > 1e-9 * (1 + fabs(plain)))
                abort();
            char why[160];
            rbv_expr_explain(expr, x, work, why, sizeof why);
        }
        free(block);
    }
    rbv_expr_destroy(expr);
    free(text);
    return 0;
}
