/* Largest term of a value, the scale of its rounding error: of u + v the larger term, of c u the term of u times c,
 * of u v those of u and v times the other factor; of all other operations the value itself. Example: 1 - cos(x) is
 * small, but its term is 1, so it is rounded to 1e-16 of 1. */
#include "core/expr/node.h"

#include <math.h>

/* Largest term of an instruction's result, from those of its arguments where the operation passes them on. w, part:
 * [slots] values and terms before the instruction. */
static double parts_of(const RbvExprInstruction *in, const double *w, const double *part) {
    double u = part[in->a], c = fabs(in->with.number);
    bool sum = in->op == RBV_OP_ADD || in->op == RBV_OP_SUBTRACT,
         shift = in->op == RBV_OP_ADD_CONSTANT || in->op == RBV_OP_SUBTRACT_FROM;
    if (sum || shift)
        return fmax(u, sum ? part[in->b] : c);
    return in->op == RBV_OP_MULTIPLY    ? fmax(fabs(w[in->b]) * u, fabs(w[in->a]) * part[in->b])
           : in->op == RBV_OP_MOVE      ? u
           : in->op == RBV_OP_SCALE     ? c * u
           : in->op == RBV_OP_DIVIDE_BY ? u / c
           : in->op == RBV_OP_DIVIDE    ? u / fabs(w[in->b])
                                        : 0;
}

double rbv_expr_parts(const RbvExpr *expr, const double *x, double *w) {
    if (expr->result < 0 || expr->variable_count == 0)
        return fabs(rbv_expr_value(expr, x, w));
    double *part = w + expr->slot_count;
    for (int32_t k = 0; k < expr->variable_count; k++)
        part[k] = fabs(w[k] = x[k]);
    for (int32_t k = 0; k < expr->program_count;) {
        const RbvExprInstruction *in = &expr->program[k];
        double from = parts_of(in, w, part);
        k = rbv_expr_step(expr, k, w);
        if (in->op != RBV_OP_BRANCH && in->op != RBV_OP_JUMP)
            part[in->out] = fmax(from, fabs(w[in->out]));
    }
    return part[expr->result];
}
