/* Laws on their pieces; see pieces.h. */
#include "element/pieces.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void add(RbvPieces *p, const RbvExpr *expr, RbvLawOwner owner, int32_t index, int32_t places) {
    int32_t count = expr ? rbv_expr_switch_count(expr) : 0;
    if (count == 0)
        return;
    if (p->laws)
        p->laws[p->count] = (RbvLaw){expr, owner, index, p->total, count, places};
    p->count++;
    p->total += places * count;
}

/* Counted, and listed where there is room. */
static void list(RbvPieces *p, const RbvModel *model) {
    p->count = p->total = 0;
    for (int32_t k = 0; k < model->loads.count; k++)
        for (int part = 0; part < 3; part++)
            add(p, model->loads.items[k].value[part], RBV_LAW_LOAD, k, model->loads.items[k].kind == RBV_LOAD_FIELD ? 2 * model->bodies.count : 2);
    for (int32_t k = 0; k < model->states.count; k++)
        add(p, model->states.items[k].rate, RBV_LAW_STATE, k, 1);
    for (int32_t k = 0; k < model->generalized.count; k++)
        add(p, model->generalized.items[k].force, RBV_LAW_GENERALIZED, k, 1);
    for (int32_t k = 0; k < model->masses.count; k++)
        add(p, model->masses.items[k], RBV_LAW_MASS, k, 1);
    for (int32_t k = 0; k < model->nonideals.count; k++)
        add(p, model->nonideals.items[k].force, RBV_LAW_NONIDEAL, k, 1);
}

static int by_expression(const void *a, const void *b) {
    const RbvLaw *const *x = a, *const *y = b;
    uintptr_t u = (uintptr_t)(*x)->expr, v = (uintptr_t)(*y)->expr;
    return (u > v) - (u < v);
}

bool rbv_pieces_create(RbvPieces *p, const RbvModel *model) {
    *p = (RbvPieces){0};
    list(p, model);
    p->laws = calloc((size_t)p->count + 1, sizeof *p->laws);
    p->sorted = calloc((size_t)p->count + 1, sizeof *p->sorted);
    p->held = calloc((size_t)p->total + 1, sizeof *p->held);
    p->here = calloc((size_t)p->total + 1, sizeof *p->here);
    if (!p->laws || !p->sorted || !p->held || !p->here)
        return false;
    list(p, model);
    for (int32_t k = 0; k < p->count; k++)
        p->sorted[k] = &p->laws[k];
    qsort(p->sorted, (size_t)p->count, sizeof *p->sorted, by_expression);
    return true;
}

void rbv_pieces_destroy(RbvPieces *p) {
    free(p->laws);
    free(p->sorted);
    free(p->held);
    free(p->here);
    *p = (RbvPieces){0};
}

/* The law that an expression is; NULL: none. */
static const RbvLaw *find(const RbvPieces *p, const RbvExpr *expr) {
    const RbvLaw wanted = {.expr = expr}, *key = &wanted;
    if (!p || p->count == 0 || rbv_expr_switch_count(expr) == 0)
        return NULL;
    const RbvLaw **found = bsearch(&key, p->sorted, (size_t)p->count, sizeof *p->sorted, by_expression);
    return found ? *found : NULL;
}

static RbvExprPieces pieces_of(const RbvPieces *p, const RbvLaw *law, int32_t place) {
    int32_t first = law->first + place * law->count;
    return (RbvExprPieces){p->follows ? NULL : p->held + first, p->here + first, NULL};
}

double rbv_pieces_value(RbvPieces *p, const RbvExpr *expr, int32_t place, const double *x, double *work) {
    const RbvLaw *law = find(p, expr);
    if (!law)
        return rbv_expr_value(expr, x, work);
    const RbvExprPieces on = pieces_of(p, law, place);
    double value = rbv_expr_value_on(expr, x, work, &on);
    return isfinite(value) ? value : rbv_expr_value(expr, x, work);
}

static bool is_finite(int32_t n, double value, const double *gradient, const double *hessian) {
    for (int32_t k = 0; k < n; k++)
        value += gradient[k];
    for (int32_t k = 0; k < n * n; k++)
        value += hessian[k];
    return isfinite(value);
}

double rbv_pieces_jet(RbvPieces *p, const RbvExpr *expr, int32_t place, const double *x, double *work, double *gradient, double *hessian) {
    const RbvLaw *law = find(p, expr);
    if (!law)
        return rbv_expr_jet(expr, x, work, gradient, hessian);
    const RbvExprPieces on = pieces_of(p, law, place);
    double value = rbv_expr_jet_on(expr, x, work, gradient, hessian, &on);
    return is_finite(rbv_expr_variable_count(expr), value, gradient, hessian) ? value : rbv_expr_jet(expr, x, work, gradient, hessian);
}

int32_t rbv_pieces_left(const RbvPieces *p, int32_t k) {
    for (; k < p->count; k++)
        if (memcmp(p->held + p->laws[k].first, p->here + p->laws[k].first, (size_t)(p->laws[k].count * p->laws[k].places) * sizeof *p->held) != 0)
            return k;
    return -1;
}

void rbv_pieces_go_on(RbvPieces *p) {
    memcpy(p->held, p->here, (size_t)p->total * sizeof *p->held);
}

void rbv_law_describe(const RbvModel *model, const RbvLaw *law, char *text, size_t size) {
    const char *kind = "load", *name = "";
    switch (law->owner) {
    case RBV_LAW_LOAD: name = model->loads.items[law->index].name; break;
    case RBV_LAW_STATE: kind = "state", name = model->states.items[law->index].name; break;
    case RBV_LAW_GENERALIZED: kind = "generalized force on", name = model->generalized.items[law->index].name; break;
    case RBV_LAW_MASS: kind = "generalized mass of", name = model->generalized.items[law->index / model->generalized.count].name; break;
    case RBV_LAW_NONIDEAL: kind = "nonideal force of constraint", name = model->constraints.items[model->nonideals.items[law->index].constraint].name; break;
    }
    snprintf(text, size, "%s '%s'", kind, name ? name : "");
}
