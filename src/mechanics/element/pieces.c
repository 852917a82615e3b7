/* Piecewise laws; see pieces.h. */
#include "mechanics/element/pieces.h"

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

/* Counts the laws, and lists them if p->laws is allocated. */
static void list(RbvPieces *p, const RbvModel *model) {
    p->count = p->total = 0;
    for (int32_t k = 0; k < model->loads.count; k++)
        for (int part = 0; part < 3; part++)
            add(p, model->loads.items[k].value[part], RBV_LAW_LOAD, k,
                model->loads.items[k].kind == RBV_LOAD_FIELD ? 2 * model->bodies.count : 2);
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
    p->group = calloc((size_t)p->total + 1, sizeof *p->group);
    p->other = calloc((size_t)p->total + 1, sizeof *p->other);
    p->margins = calloc((size_t)p->total + 1, sizeof *p->margins);
    p->turned = calloc((size_t)p->total + 1, sizeof *p->turned);
    if (!p->laws || !p->sorted || !p->held || !p->here || !p->group || !p->other || !p->turned || !p->margins)
        return false;
    list(p, model);
    for (int32_t k = 0; k < p->count; k++)
        p->sorted[k] = &p->laws[k];
    for (int32_t k = 0; k < p->total; k++)
        p->group[k] = -1, p->margins[k] = NAN;
    size_t work = 0;
    for (int32_t k = 0; k < p->count; k++) {
        int32_t n = rbv_expr_variable_count(p->laws[k].expr);
        p->most_variables = n > p->most_variables ? n : p->most_variables;
        work = rbv_expr_work_size(p->laws[k].expr) > work ? rbv_expr_work_size(p->laws[k].expr) : work;
    }
    size_t n = (size_t)p->most_variables;
    p->room = calloc(4 * n + n * n + 1 + work, sizeof *p->room);
    qsort(p->sorted, (size_t)p->count, sizeof *p->sorted, by_expression);
    return p->room != NULL;
}

void rbv_pieces_destroy(RbvPieces *p) {
    free(p->laws);
    free(p->sorted);
    free(p->held);
    free(p->here);
    free(p->group);
    free(p->other);
    free(p->turned);
    free(p->margins);
    free(p->room);
    *p = (RbvPieces){0};
}

/* The law of an expression; NULL: none. */
static const RbvLaw *find(const RbvPieces *p, const RbvExpr *expr) {
    const RbvLaw requested = {.expr = expr}, *key = &requested;
    if (!p || p->count == 0 || rbv_expr_switch_count(expr) == 0)
        return NULL;
    const RbvLaw **found = bsearch(&key, p->sorted, (size_t)p->count, sizeof *p->sorted, by_expression);
    return found ? *found : NULL;
}

/* Index of the group in `between` of a law at a place; -1: the law is on its pieces. */
static int32_t between_of(const RbvPieces *p, const RbvLaw *law, int32_t place) {
    int32_t first = law->first + place * law->count;
    for (int32_t k = first; p->between_count > 0 && k < first + law->count; k++)
        if (p->group[k] >= 0)
            return p->group[k];
    return -1;
}

static RbvExprPieces pieces_of(const RbvPieces *p, const RbvLaw *law, int32_t place, int32_t between) {
    int32_t first = law->first + place * law->count;
    return (RbvExprPieces){.held = p->follows && between < 0 ? NULL : p->held + first,
                           .here = p->here + first,
                           .margins = p->margins + first};
}

static RbvExprPieces other_pieces(const RbvPieces *p, const RbvLaw *law, int32_t place) {
    int32_t first = law->first + place * law->count;
    return (RbvExprPieces){.held = p->other + first, .here = p->here + first};
}

double rbv_pieces_value(RbvPieces *p, const RbvExpr *expr, int32_t place, const double *x, double *work) {
    const RbvLaw *law = find(p, expr);
    if (!law)
        return rbv_expr_value(expr, x, work);
    int32_t between = between_of(p, law, place);
    RbvExprPieces on = pieces_of(p, law, place, between);
    double value = rbv_expr_value_on(expr, x, work, &on);
    if (between >= 0) {
        double share = p->between[between].share;
        on = other_pieces(p, law, place);
        value = (1 - share) * value + share * rbv_expr_value_on(expr, x, work, &on);
    }
    if (isfinite(value))
        return value;
    p->out_of_piece = true;
    return rbv_expr_value(expr, x, work);
}

static bool is_finite(int32_t n, double value, const double *gradient, const double *hessian) {
    for (int32_t k = 0; k < n; k++)
        value += gradient[k];
    for (int32_t k = 0; k < n * n; k++)
        value += hessian[k];
    return isfinite(value);
}

/* Combines gradient and hessian: (1 - share) of those passed in, share of those on the other pieces; returns the
 * combined value. */
static double mix_jets(RbvPieces *p, const RbvLaw *law, int32_t place, double share, const double *x, double *work,
                       double value, double *gradient, double *hessian) {
    const RbvExprPieces on = other_pieces(p, law, place);
    int32_t n = rbv_expr_variable_count(law->expr);
    double *first = p->room, *second = first + n;
    double other = rbv_expr_jet_on(law->expr, x, work, first, second, &on);
    for (int32_t k = 0; k < n; k++)
        gradient[k] = (1 - share) * gradient[k] + share * first[k];
    for (int32_t k = 0; k < n * n; k++)
        hessian[k] = (1 - share) * hessian[k] + share * second[k];
    return (1 - share) * value + share * other;
}

double rbv_pieces_jet(RbvPieces *p, const RbvExpr *expr, int32_t place, const double *x, double *work, double *gradient,
                      double *hessian) {
    const RbvLaw *law = find(p, expr);
    if (!law)
        return rbv_expr_jet(expr, x, work, gradient, hessian);
    int32_t between = between_of(p, law, place);
    const RbvExprPieces on = pieces_of(p, law, place, between);
    double value = rbv_expr_jet_on(expr, x, work, gradient, hessian, &on);
    if (between >= 0)
        value = mix_jets(p, law, place, p->between[between].share, x, work, value, gradient, hessian);
    if (is_finite(rbv_expr_variable_count(expr), value, gradient, hessian))
        return value;
    p->out_of_piece = true;
    return rbv_expr_jet(expr, x, work, gradient, hessian);
}

int32_t rbv_pieces_left(const RbvPieces *p) {
    for (int32_t k = 0; k < p->total; k++)
        if (p->group[k] < 0 && p->held[k] != p->here[k])
            return k;
    return -1;
}

const RbvLaw *rbv_pieces_law(const RbvPieces *p, int32_t at) {
    int32_t k = 0;
    while (k + 1 < p->count && p->laws[k + 1].first <= at)
        k++;
    return &p->laws[k];
}

void rbv_pieces_go_on(RbvPieces *p) {
    for (int32_t k = 0; k < p->total; k++)
        if (p->group[k] < 0)
            p->held[k] = p->other[k] = p->here[k];
}

void rbv_pieces_end_between(RbvPieces *p, int32_t k, bool other) {
    for (int32_t i = 0; i < p->total; i++) {
        if (p->group[i] == k) {
            p->held[i] = p->other[i] = other ? p->other[i] : p->held[i];
            p->group[i] = -1;
        }
        p->group[i] -= p->group[i] > k;
    }
    p->between_count--;
    for (int32_t i = k; i < p->between_count; i++)
        p->between[i] = p->between[i + 1];
}

void rbv_law_describe(const RbvModel *model, const RbvLaw *law, char *text, size_t size) {
    const char *kind = "load", *name = "";
    switch (law->owner) {
    case RBV_LAW_LOAD: name = model->loads.items[law->index].name; break;
    case RBV_LAW_STATE: kind = "state", name = model->states.items[law->index].name; break;
    case RBV_LAW_GENERALIZED: kind = "generalized force on", name = model->generalized.items[law->index].name; break;
    case RBV_LAW_MASS:
        kind = "generalized mass of", name = model->generalized.items[law->index / model->generalized.count].name;
        break;
    case RBV_LAW_NONIDEAL:
        kind = "nonideal force of constraint",
        name = model->constraints.items[model->nonideals.items[law->index].constraint].name;
        break;
    }
    snprintf(text, size, "%s '%s'", kind, name ? name : "");
}
