/* Knots of time; see knots.h. The sides of all expressions (core/expr/pieces.c) are evaluated on a grid that does not
 * depend on the steps, so that a resumed run finds the same knots. */
#include "dynamics/integration/knots.h"

#include "core/base/extremes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Grid points within the longest step. */
#define PLACES 64

/* ---- expressions that a motion depends on ---- */

typedef bool VisitExpression(void *context, const RbvModel *model, const RbvExpr *expr);

/* Calls visit() for each expression in the order of the model until a call returns false; expressions that are absent
 * are skipped. `decisions`: expressions of conditions and events are visited too. Returns false if a call returned
 * false. */
static bool each_motion_expression(const RbvModel *model, bool decisions, VisitExpression *visit, void *context) {
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

/* ---- knots of tables ---- */

typedef struct Search {
    double t, next;
} Search;

static bool look_for_knot(void *context, const RbvModel *model, const RbvExpr *expr) {
    Search *search = context;
    for (int32_t v = 0; v < rbv_expr_variable_count(expr); v++)
        if (rbv_variable_of(model, expr, v).kind == RBV_VARIABLE_TIME)
            search->next = rbv_min(search->next, rbv_expr_next_knot(expr, v, search->t));
    return true;
}

double rbv_table_knots_next(const RbvModel *model, double t) {
    Search search = {t, INFINITY};
    each_motion_expression(model, false, look_for_knot, &search);
    return search.next;
}

/* ---- changes of form ---- */

static bool add_timed(void *context, const RbvModel *model, const RbvExpr *expr) {
    RbvKnots *k = context;
    for (int32_t v = 0; v < rbv_expr_variable_count(expr); v++) {
        if (rbv_variable_of(model, expr, v).kind != RBV_VARIABLE_TIME)
            continue;
        double *x = calloc((size_t)rbv_expr_variable_count(expr) + 1, sizeof *x);
        int32_t sides = x ? rbv_expr_sides(expr, v, x, NULL, 0) : -1;
        free(x);
        if (sides <= 0)
            return sides == 0;
        if (k->count == k->capacity) {
            int32_t larger = 2 * k->capacity + 8;
            RbvTimedExpression *grown = realloc(k->items, (size_t)larger * sizeof *grown);
            if (!grown)
                return false;
            k->items = grown;
            k->capacity = larger;
        }
        k->items[k->count++] = (RbvTimedExpression){expr, v, k->total, sides};
        k->total += sides;
        return true;
    }
    return true;
}

bool rbv_knots_create(RbvKnots *k, const RbvModel *model, double from, double longest) {
    *k = (RbvKnots){.from = from, .step = longest / PLACES, .looked_until = from};
    bool good = each_motion_expression(model, true, add_timed, k);
    size_t variables = 1, sides = (size_t)k->total + 1;
    for (int32_t i = 0; i < k->count; i++) {
        size_t count = (size_t)rbv_expr_variable_count(k->items[i].expr);
        variables = variables > count ? variables : count;
    }
    k->x = malloc((variables + 3 * sides) * sizeof *k->x);
    if (!good || !k->x)
        return false;
    k->left = k->x + variables;
    k->right = k->left + sides;
    k->middle = k->right + sides;
    for (size_t v = 0; v < variables; v++)
        k->x[v] = NAN;
    return true;
}

void rbv_knots_destroy(RbvKnots *k) {
    free(k->items);
    free(k->x);
    *k = (RbvKnots){0};
}

/* side[total]: the side of each switch of an expression at time t: -1, 0, 1; 2 where it is not a number. */
static void look_at_sides(RbvKnots *k, double t, double *side) {
    for (int32_t i = 0; i < k->count; i++) {
        const RbvTimedExpression *item = &k->items[i];
        k->x[item->variable] = t;
        rbv_expr_sides(item->expr, item->variable, k->x, side + item->first, item->count);
        k->x[item->variable] = NAN;
    }
    for (int32_t i = 0; i < k->total; i++)
        side[i] = isnan(side[i]) ? 2 : (side[i] > 0) - (side[i] < 0);
}

static bool differ(const RbvKnots *k, const double *a, const double *b) {
    return memcmp(a, b, (size_t)k->total * sizeof *a) != 0;
}

/* Narrows the interval low ... high, at whose ends the sides left and right differ, to the neighbouring doubles around
 * the first change. */
static void narrow(RbvKnots *k, double low, double high) {
    for (;;) {
        double middle = 0.5 * (low + high);
        if (!(middle > low && middle < high))
            break;
        look_at_sides(k, middle, k->middle);
        bool before = differ(k, k->left, k->middle);
        *(before ? &high : &low) = middle;
    }
    k->low = low;
    k->high = high;
}

bool rbv_knots_next(RbvKnots *k, double t, double *low, double *high) {
    if (k->total == 0)
        return false;
    if (k->found && t >= k->high) {
        k->found = false;
        k->looked_until = t;
    }
    double until = t + PLACES * k->step, a = rbv_max(t, k->looked_until);
    bool looked = false;
    while (!k->found && a < until) {
        double b = k->from + k->step * (floor((a - k->from) / k->step) + 1);
        if (!(b > a))
            b = nextafter(b, INFINITY) > a ? nextafter(b, INFINITY) : a + k->step;
        if (!looked)
            look_at_sides(k, a, k->left);
        looked = true;
        look_at_sides(k, b, k->right);
        k->found = differ(k, k->left, k->right);
        if (k->found) {
            narrow(k, a, b);
        } else {
            memcpy(k->left, k->right, (size_t)k->total * sizeof *k->left);
            a = k->looked_until = b;
        }
    }
    *low = k->low;
    *high = k->high;
    return k->found;
}
