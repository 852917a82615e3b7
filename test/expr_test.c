/* Expressions: what the grammar means, that values and derivatives are right, and that mistakes are found where they
 * are.
 *
 * The reference for derivatives is independent: random expressions are built as text and as a tree of this file, which
 * is evaluated in long double and differentiated by central differences of sixth order.
 */
#include "core/expr/expr.h"

#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define VARIABLES 4
#define WORK 20000

static double work[WORK];

/* ---- a scope: t u v w are variables 0..3, hinge.angle and its rates 10 + rate, n = 3, zero = 0, the table lift ----
 */

typedef struct Seen {
    RbvSpline *lift;
    char last[200];
} Seen;

static RbvExprMeaning resolve(void *context, const RbvExprName *name, double *value, int32_t *id, char *message,
                              size_t size) {
    Seen *seen = context;
    snprintf(seen->last, sizeof seen->last, "%s|%s|%s|%s|%d|%d", name->name ? name->name : "-",
             name->function ? name->function : "-", name->argument[0] ? name->argument[0] : "-",
             name->argument[1] ? name->argument[1] : "-", (int)name->argument_count, (int)name->rate);
    if (name->function != NULL) {
        *id = 50 + name->rate;
        return RBV_EXPR_VARIABLE;
    }
    const char *at = strchr("tuvw", name->name[0]);
    if (at != NULL && name->name[1] == '\0' && name->rate == 0) {
        *id = name->name[0] == 't' ? 0 : name->name[0] - 'u' + 1;
        return RBV_EXPR_VARIABLE;
    }
    if (strcmp(name->name, "hinge.angle") == 0) {
        *id = 10 + name->rate;
        return RBV_EXPR_VARIABLE;
    }
    if (strcmp(name->name, "n") == 0 || strcmp(name->name, "zero") == 0) {
        *value = name->name[0] == 'n' ? 3 : 0;
        return RBV_EXPR_CONSTANT;
    }
    snprintf(message, size, "there is no '%s'", name->name);
    return RBV_EXPR_UNKNOWN;
}

static const RbvSpline *table(void *context, const char *name) {
    Seen *seen = context;
    return strcmp(name, "lift") == 0 ? seen->lift : NULL;
}

static Seen seen;

static RbvExpr *try_parse(const char *text, RbvExprError *error) {
    RbvExprScope scope = {.context = &seen, .resolve = resolve, .table = table};
    return rbv_expr_parse(text, &scope, error);
}

static RbvExpr *parse(const char *text) {
    RbvExprError error;
    RbvExpr *expr = try_parse(text, &error);
    if (expr == NULL)
        fail_msg("%s: at %zu: %s", text, error.offset, error.message);
    assert_true(rbv_expr_work_size(expr) <= WORK);
    return expr;
}

/* Value at (t, u, v, w), each variable by its id. */
static void at_point(const RbvExpr *expr, const double point[VARIABLES], double x[VARIABLES]) {
    for (int32_t k = 0; k < rbv_expr_variable_count(expr); k++)
        x[k] = point[rbv_expr_variable(expr, k) % 10];
}

static double value_at(const char *text, double t) {
    RbvExpr *expr = parse(text);
    double x[VARIABLES] = {t}, v = rbv_expr_value(expr, x, work);
    rbv_expr_destroy(expr);
    return v;
}

/* f, f', f'' of a function of t alone */
static void jet_at(const char *text, double t, double f[3]) {
    RbvExpr *expr = parse(text);
    assert_int_equal(rbv_expr_variable_count(expr), 1);
    f[0] = rbv_expr_jet(expr, &t, work, &f[1], &f[2]);
    rbv_expr_destroy(expr);
}

static void assert_jet(const char *text, double t, double f0, double f1, double f2) {
    double f[3], expected[3] = {f0, f1, f2};
    jet_at(text, t, f);
    for (int k = 0; k < 3; k++) {
        if (!(fabs(f[k] - expected[k]) <= 1e-12 * (1 + fabs(expected[k])))) {
            fail_msg("%s at %g: derivative %d is %.17g, not %.17g", text, t, k, f[k], expected[k]);
        }
    }
}

static void close_to(double a, double b) {
    if (!(fabs(a - b) <= 1e-14 * (1 + fabs(b))))
        fail_msg("%.17g is not %.17g", a, b);
}

/* ---- random expressions ---- */

typedef long double Real;

typedef struct Tree {
    int op;
    Real number;
    int variable;
    struct Tree *a, *b, *c;
} Tree;

static Tree pool[4000];
static int pool_used;
static uint64_t seed = 88172645463325252u;

static unsigned draw(unsigned n) {
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (unsigned)((seed >> 20) % n);
}

enum { LEAVES = 2, OPS = 26 };

static Tree *grow_tree(int depth, int variables) {
    Tree *t = &pool[pool_used++];
    *t = (Tree){0};
    if (depth == 0) {
        t->op = (int)draw(LEAVES);
        t->number = (Real)((int)draw(400) - 200) / 64; /* exact in decimal and binary */
        t->variable = (int)draw((unsigned)variables);
        return t;
    }
    t->op = LEAVES + (int)draw(OPS);
    t->a = grow_tree(depth - 1, variables);
    t->b = grow_tree(depth - 1 - (int)draw((unsigned)depth), variables);
    t->c = grow_tree(0, variables);
    return t;
}

/* The ops: text pattern (a, b, c are operands) and its meaning, written by hand without the library. */
static const char *const pattern[LEAVES + OPS] = {
    "",
    "",
    "(a+b)",
    "(a-b-c)",
    "(a*b)",
    "(a/(2+sin(b)))",
    "(-a)",
    "a^2",
    "sin(a)^3",
    "(2+cos(a))^-2",
    "(2+cos(a))^1.5",
    "(2+cos(a))^sin(b)",
    "2^sin(a)",
    "sin(a)",
    "cos(a)",
    "atan(a)",
    "tanh(a)",
    "exp(sin(a))",
    "log(2+sin(a))",
    "sqrt(2+sin(a))",
    "asin(sin(a)/2)",
    "acos(sin(a)/2)",
    "atan2(sin(a),2+cos(b))",
    "sinh(sin(a))+cosh(cos(b))*tan(sin(a))",
    "step(sin(a),-2,b,2,c)",
    "ramp(sin(a),-2-sin(b),2)",
    "poly(sin(a),b,2,c)",
    "fourier(sin(a),1.5,b,2,c,0.5,-1)",
};

static Real rise(Real s) {
    return s * s * s * (10 + s * (6 * s - 15));
}

static Real meaning(const Tree *t, const Real *x) {
    if (t->op == 0)
        return t->number;
    if (t->op == 1)
        return x[t->variable];
    Real a = meaning(t->a, x), b = meaning(t->b, x), c = meaning(t->c, x), s = sinl(a), q;
    switch (t->op) {
    case 2: return a + b;
    case 3: return a - b - c;
    case 4: return a * b;
    case 5: return a / (2 + sinl(b));
    case 6: return -a;
    case 7: return a * a;
    case 8: return s * s * s;
    case 9: return 1 / ((2 + cosl(a)) * (2 + cosl(a)));
    case 10: return powl(2 + cosl(a), 1.5L);
    case 11: return powl(2 + cosl(a), sinl(b));
    case 12: return powl(2, s);
    case 13: return s;
    case 14: return cosl(a);
    case 15: return atanl(a);
    case 16: return tanhl(a);
    case 17: return expl(s);
    case 18: return logl(2 + s);
    case 19: return sqrtl(2 + s);
    case 20: return asinl(s / 2);
    case 21: return acosl(s / 2);
    case 22: return atan2l(s, 2 + cosl(b));
    case 23: return sinhl(s) + coshl(cosl(b)) * tanl(s);
    case 24: return b + (c - b) * rise((s + 2) / 4);
    case 25: q = (s + 2 + sinl(b)) / (4 + sinl(b)); return (4 + sinl(b)) * q * q * q * q * (2.5L - 3 * q + q * q);
    case 26: return b + 2 * s + c * s * s;
    default: return b + 2 * cosl(1.5L * s) + c * sinl(1.5L * s) + 0.5L * cosl(3 * s) - sinl(3 * s);
    }
}

static size_t spell(const Tree *t, char *out, size_t size) {
    if (t->op == 0)
        return (size_t)snprintf(out, size, "(%.9Lf)", t->number);
    if (t->op == 1)
        return (size_t)snprintf(out, size, "%c", "tuvw"[t->variable]);
    size_t n = 0;
    n += (size_t)snprintf(out + n, size - n, "(");
    const char *p = pattern[t->op];
    for (; *p != '\0'; p++) {
        bool letter_before = p > pattern[t->op] && p[-1] >= 'a' && p[-1] <= 'z';
        bool letter_after = p[1] >= 'a' && p[1] <= 'z';
        const Tree *operand = *p == 'a' ? t->a : *p == 'b' ? t->b : *p == 'c' ? t->c : NULL;
        if (operand != NULL && !letter_before && !letter_after) {
            n += spell(operand, out + n, size - n);
        } else {
            n += (size_t)snprintf(out + n, size - n, "%c", *p);
        }
        assert_true(n + 64 < size);
    }
    n += (size_t)snprintf(out + n, size - n, ")");
    return n;
}

/* Central differences of order six of f along direction e: f' and f''. */
static void differences(const Tree *t, const Real *x, const Real *e, Real *first, Real *second) {
    static const Real w1[] = {0.75L, -0.15L, 1.0L / 60}, w2[] = {1.5L, -0.15L, 1.0L / 90};
    const Real h = 5e-4L;
    *first = 0;
    *second = -49.0L / 18 * meaning(t, x);
    for (int k = 1; k <= 3; k++) {
        Real forward[VARIABLES], backward[VARIABLES];
        for (int i = 0; i < VARIABLES; i++) {
            forward[i] = x[i] + (Real)k * h * e[i];
            backward[i] = x[i] - (Real)k * h * e[i];
        }
        Real f = meaning(t, forward), b = meaning(t, backward);
        *first += w1[k - 1] * (f - b) / h;
        *second += w2[k - 1] * (f + b);
    }
    *second /= h * h;
}

static void check_random(int variables, int rounds) {
    static char text[60000];
    int checked = 0;
    for (int round = 0; round < rounds; round++) {
        pool_used = 0;
        Tree *t = grow_tree(1 + (int)draw(3), variables);
        spell(t, text, sizeof text);
        RbvExpr *expr = parse(text);
        int32_t n = rbv_expr_variable_count(expr);
        double point[VARIABLES], x[VARIABLES], g[VARIABLES], h[VARIABLES * VARIABLES];
        Real at[VARIABLES];
        for (int k = 0; k < VARIABLES; k++)
            at[k] = point[k] = ((int)draw(2000) - 1000) / 512.0;
        at_point(expr, point, x);
        double v = rbv_expr_jet(expr, x, work, g, h);
        assert_true(v == rbv_expr_value(expr, x, work));
        Real exact = meaning(t, at), scale = 1 + fabsl(exact);
        for (int32_t i = 0; i < n; i++)
            scale += fabsl((Real)g[i]);
        for (int32_t i = 0; i < n * n; i++)
            scale += fabsl((Real)h[i]);
        if (!(scale < 1e5L)) { /* too steep for differences */
            rbv_expr_destroy(expr);
            continue;
        }
        checked++;
        if (!(fabsl(v - exact) <= 1e-11L * scale))
            fail_msg("%s: %.17g, not %.17Lg", text, v, exact);
        for (int32_t i = 0; i < n; i++) {
            for (int32_t j = 0; j <= i; j++) {
                Real e[VARIABLES] = {0}, first, second, expected1 = g[i], expected2 = h[i * n + i];
                e[rbv_expr_variable(expr, i)] += 1;
                if (i != j) {
                    e[rbv_expr_variable(expr, j)] += 1;
                    expected1 += g[j];
                    expected2 += h[j * n + j] + 2 * h[i * n + j];
                }
                assert_true(h[i * n + j] == h[j * n + i]);
                differences(t, at, e, &first, &second);
                if (!(fabsl(first - expected1) <= 1e-8L * scale) || !(fabsl(second - expected2) <= 1e-6L * scale)) {
                    fail_msg("%s: jet %.12Lg %.12Lg, differences %.12Lg %.12Lg", text, expected1, expected2, first,
                             second);
                }
            }
        }
        rbv_expr_destroy(expr);
    }
    assert_true(checked > rounds / 2);
}

static void the_jet_agrees_with_high_order_differences_in_one_variable(void **state) {
    (void)state;
    check_random(1, 3000);
}

static void the_jet_agrees_with_high_order_differences_in_four_variables(void **state) {
    (void)state;
    check_random(4, 2000);
}

/* ---- meaning ---- */

static void operators_bind_as_in_mathematics(void **state) {
    (void)state;
    close_to(value_at("-2^2", 0), -4);
    close_to(value_at("2^3^2", 0), 512);
    close_to(value_at("2^-1", 0), 0.5);
    close_to(value_at("2^-2^2", 0), 1.0 / 16);
    close_to(value_at("-2^-2*8", 0), -2);
    close_to(value_at("10-4-3", 0), 3);
    close_to(value_at("16/4/2", 0), 2);
    close_to(value_at("2+3*4 - -5", 0), 19);
    close_to(value_at("2*-3", 0), -6);
    close_to(value_at("1+1 < 3", 0), 1);
    close_to(value_at("(1 > 2) + (2 >= 2)*10 + (1 != 2)*100 + (1 == 2)*1000 + (3 <= 2)*10000", 0), 110);
    close_to(value_at(".5 + 5. + 1e-1 + 1E1", 0), 15.6);
    close_to(value_at(" \t 2 *\n t ", 3), 6);
    close_to(value_at("n*t + pi", 2), 6 + 3.14159265358979323846);
}

static void units_in_brackets_multiply_the_number(void **state) {
    (void)state;
    close_to(value_at("180[deg]", 0), 3.14159265358979323846);
    close_to(value_at("30[deg] + 60[rpm]*t", 0.5), 3.14159265358979323846 * (1.0 / 6 + 1));
    close_to(value_at("250[N/mm] * 2 [mm]", 0), 500);
    close_to(value_at("2[mm]^2", 0), 4e-6);
}

static void every_function_means_what_it_says(void **state) {
    (void)state;
    close_to(value_at("sin(0.3)+cos(0.3)+tan(0.3)", 0), sin(0.3) + cos(0.3) + tan(0.3));
    close_to(value_at("asin(0.3)+acos(0.3)+atan(0.3)+atan2(1,-1)", 0),
             asin(0.3) + acos(0.3) + atan(0.3) + atan2(1, -1));
    close_to(value_at("sinh(1)+cosh(2)+tanh(3)+exp(1)+log(7)+sqrt(2)", 0),
             sinh(1) + cosh(2) + tanh(3) + exp(1) + log(7) + sqrt(2));
    close_to(value_at("abs(-3)+sign(-2)+floor(-0.5)+min(3,1,2)+max(1,4,2,3)", 0), 3 - 1 - 1 + 1 + 4);
    close_to(value_at("if(t > 1, 5, 6)", 1), 6);
    close_to(value_at("poly(2,1,2,3)", 0), 17);
    close_to(value_at("fourier(2,3,1,4,5,6,7)", 0), 1 + 4 * cos(6) + 5 * sin(6) + 6 * cos(12) + 7 * sin(12));
}

static void step_ramp_and_pulse_have_their_closed_forms(void **state) {
    (void)state;
    assert_jet("step(t,1,2,3,6)", 0.5, 2, 0, 0);
    assert_jet("step(t,1,2,3,6)", 3.5, 6, 0, 0);
    assert_jet("step(t,1,2,3,6)", 2, 4, 4 * 15.0 / 8 / 2, 0);
    assert_jet("step(t,1,2,3,6)", 1, 2, 0, 0);
    assert_jet("step(t,1,2,3,6)", 3, 6, 0, 0);
    assert_jet("ramp(t,1,3)", 0.5, 0, 0, 0);
    assert_jet("ramp(t,1,3)", 2, 2 * (2.5 / 16 - 3.0 / 32 + 1.0 / 64), 0.5, 15.0 / 16);
    assert_jet("ramp(t,1,3)", 3, 1, 1, 0);
    assert_jet("ramp(t,1,3)", 7, 5, 1, 0);
    assert_jet("pulse(t,1,5,2)", 0, 0, 0, 0);
    assert_jet("pulse(t,1,5,2)", 2, 0.5, 15.0 / 16, 0);
    assert_jet("pulse(t,1,5,2)", 4, 1, 0, 0);
    assert_jet("pulse(t,1,5,2)", 6, 0.5, -15.0 / 16, 0);
    assert_jet("pulse(t,1,5,2)", 8, 0, 0, 0);
    /* the ramp is the integral of the step: Gauss-Legendre with three points is exact for degree five */
    for (double end = 1.1; end <= 3; end += 0.3) {
        double m = 0.5 * (1 + end), r = 0.5 * (end - 1), g = sqrt(0.6);
        double integral = r / 9 *
                          (5 * value_at("step(t,1,0,3,1)", m - r * g) + 8 * value_at("step(t,1,0,3,1)", m) +
                           5 * value_at("step(t,1,0,3,1)", m + r * g));
        assert_true(fabs(integral - value_at("ramp(t,1,3)", end)) < 1e-14);
    }
}

static void derivatives_are_right_where_formulas_with_logarithms_fail(void **state) {
    (void)state;
    assert_jet("t^2", 0, 0, 0, 2);
    assert_jet("t^3", 0, 0, 0, 0);
    assert_jet("t^1", 0, 0, 1, 0);
    assert_jet("t^0", 0, 1, 0, 0);
    assert_jet("t^4", -2, 16, -32, 48);
    assert_jet("t^-1", -2, -0.5, -0.25, -0.25);
    assert_jet("t^-3", -2, -1.0 / 8, -3.0 / 16, -3.0 / 8);
    assert_jet("t^2.5", 0, 0, 0, 0);
    assert_jet("0^t", 2, 0, 0, 0);
    assert_jet("(-t)^101", -1, 1, -101, 10100);
    assert_jet("t^t", 1, 1, 1, 2);
    assert_jet("2^t", 3, 8, 8 * log(2), 8 * log(2) * log(2));
}

static void corners_take_the_derivative_from_the_right(void **state) {
    (void)state;
    assert_jet("abs(t)", 0, 0, 1, 0);
    assert_jet("abs(1-t)", 1, 0, 1, 0);
    assert_jet("abs(t^2-t)", 0, 0, 1, -2);
    assert_jet("min(t,1-t)", 0.5, 0.5, -1, 0);
    assert_jet("max(t,1-t)", 0.5, 0.5, 1, 0);
    assert_jet("max(0,t-1)", 1, 0, 1, 0);
    assert_jet("min(t^2,0)", 0, 0, 0, 0);
    assert_jet("floor(t)", 2, 2, 0, 0);
    assert_jet("if(t < 1, 0, (t-1)^2)", 1, 0, 0, 2);
    assert_jet("sign(t)*t", 3, 3, 1, 0);
}

static void a_branch_not_taken_does_not_leak(void **state) {
    (void)state;
    assert_jet("if(t > 0, sqrt(t), 0)", -1, 0, 0, 0);
    assert_jet("if(t > 0, 5*t, log(-1/zero))", 1, 5, 5, 0);
    assert_jet("if(t > 0, if(t > 2, 1/0, t), sqrt(t))*2 + 1", 1, 3, 2, 0);
    close_to(value_at("if(zero > 0, 1/zero, 4)", 0), 4);
    close_to(value_at("if(zero > 0, step(1,0,0,zero,1), 4)", 0), 4);
    assert_true(isnan(value_at("if(sqrt(t) > 1, 2, 3)", -1)));
    assert_true(isnan(value_at("if(t, 2, 3)", NAN)));
    double f[3];
    jet_at("if(t, 2, 3)", NAN, f);
    assert_true(isnan(f[0]) && isnan(f[1]) && isnan(f[2]));
    assert_true(isnan(value_at("(sqrt(t) > 1) + 2", -1)));
    assert_true(isnan(value_at("min(1, sqrt(t))", -1)));
    assert_true(isnan(value_at("sqrt(t)^0", -1)));
    assert_true(isnan(value_at("1^sqrt(t)", -1)));
    assert_true(isnan(value_at("step(sqrt(t),0,0,1,1)", -1)));
}

static void names_reach_the_scope_as_written(void **state) {
    (void)state;
    static const char *const cases[][2] = {
        {"hinge.angle", "hinge.angle|-|-|-|0|0"},
        {"hinge.angle'", "hinge.angle|-|-|-|0|1"},
        {"hinge.angle''", "hinge.angle|-|-|-|0|2"},
        {"distance( crank.A , ground.O )'", "-|distance|crank.A|ground.O|2|1"},
        {"angle(rod)", "-|angle|rod|-|1|0"},
        {"x(rod.P)''", "-|x|rod.P|-|1|2"},
        {"y(rod.P)", "-|y|rod.P|-|1|0"},
        {"z(rod.P)", "-|z|rod.P|-|1|0"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        RbvExpr *expr = parse(cases[k][0]);
        assert_string_equal(seen.last, cases[k][1]);
        rbv_expr_destroy(expr);
    }
    RbvExpr *expr = parse("u + t*u + hinge.angle'");
    assert_int_equal(rbv_expr_variable_count(expr), 3);
    assert_int_equal(rbv_expr_variable(expr, 0), 1);
    assert_int_equal(rbv_expr_variable(expr, 1), 0);
    assert_int_equal(rbv_expr_variable(expr, 2), 11);
    rbv_expr_destroy(expr);
    assert_true(rbv_expr_is_function("sin") && rbv_expr_is_function("fourier") && rbv_expr_is_function("pi"));
    assert_false(rbv_expr_is_function("t") || rbv_expr_is_function("sine"));
}

static void constants_have_no_variables(void **state) {
    (void)state;
    RbvExpr *expr = parse("sin(n)^2 + cos(n)^2");
    assert_int_equal(rbv_expr_variable_count(expr), 0);
    close_to(rbv_expr_jet(expr, NULL, work, work + 1, work + 2), 1);
    rbv_expr_destroy(expr);
    expr = rbv_expr_constant(2.5);
    close_to(rbv_expr_value(expr, NULL, work), 2.5);
    assert_true(rbv_expr_is_smooth(expr, 0, NULL));
    rbv_expr_destroy(expr);
}

static void tables_are_called_by_name(void **state) {
    (void)state;
    const double x[] = {0, 1, 2, 4, 5}, y[] = {0, 1, 8, 64, 125};
    RbvStatus status;
    seen.lift = rbv_spline_create("lift", 5, x, y, false, RBV_OUTSIDE_ERROR, &status);
    assert_non_null(seen.lift);
    double f[3];
    jet_at("2*lift(t^2)", 1.5, f); /* the spline is the cube: 2 t^6 */
    assert_true(fabs(f[0] - 2 * pow(1.5, 6)) < 1e-10 && fabs(f[1] - 12 * pow(1.5, 5)) < 1e-9);
    assert_true(fabs(f[2] - 60 * pow(1.5, 4)) < 1e-9);
    RbvExpr *expr = parse("1 + lift(5*t)");
    double t = 1.5;
    char message[100];
    assert_true(isnan(rbv_expr_value(expr, &t, work)));
    rbv_expr_explain(expr, &t, work, message, sizeof message);
    assert_string_equal(message, "lift(7.5): outside the table, 0 to 5");
    rbv_expr_destroy(expr);
    RbvExprError error;
    assert_null(try_parse("1 + lift(6)", &error));
    assert_int_equal(error.offset, 4);
    assert_null(try_parse("1 + lift(1,2)", &error));
    rbv_spline_destroy(seen.lift);
    seen.lift = NULL;
}

static void smoothness_is_judged_per_variable(void **state) {
    (void)state;
    static const struct {
        const char *text, *why; /* in the first variable; NULL: smooth */
    } cases[] = {
        {"sin(t)*sqrt(t)/t + asin(t)^1.5 + log(t)", NULL},
        {"t*abs(u)", NULL},
        {"u + abs(t)", NULL},
        {"step(t,0,0,1,1)+ramp(t,0,1)+pulse(t,0,1,1)", NULL},
        {"abs(n)*t", NULL},
        {"t + abs(t-1)", "abs"},
        {"min(t, 1)", "min"},
        {"2*max(1, 2, t)", "max"},
        {"sign(t)", "sign"},
        {"floor(t*3)", "floor"},
        {"if(t > 1, 2, 3)", "if"},
        {"if(n > 1, t, abs(t))", NULL},
        {"t + (t > 1)", ">"},
        {"t + if(u > 1, t, t^2)", NULL},
        {"t + if(u > 1, 2, abs(t))", "abs"},
        {"step(abs(t),0,0,1,1)", "abs"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        RbvExpr *expr = parse(cases[k].text);
        const char *why = NULL;
        bool smooth = rbv_expr_is_smooth(expr, 0, &why);
        if (smooth != (cases[k].why == NULL))
            fail_msg("%s", cases[k].text);
        if (!smooth)
            assert_string_equal(why, cases[k].why);
        rbv_expr_destroy(expr);
    }
}

static void mistakes_are_found_where_they_are(void **state) {
    (void)state;
    static const struct {
        const char *text;
        size_t offset;
        const char *part; /* of the message */
    } cases[] = {
        {"", 0, "empty"},
        {"   ", 0, "empty"},
        {"1 +", 3, "ends"},
        {"1 + sine(t)", 4, "did you mean 'sin'?"},
        {"1 + ln(t)", 4, "did you mean 'log'?"},
        {"2*sqr(t)", 2, "did you mean 'sqrt'?"},
        {"2*flor(t)", 2, "did you mean 'floor'?"},
        {"2*smth", 2, "there is no 'smth'"},
        {"(t + 1", 0, "not closed"},
        {"2*(t + (1)", 2, "not closed"},
        {"sin(t", 3, "not closed"},
        {"t + 1)", 5, "closes nothing"},
        {"2 t", 2, "operator"},
        {"30 deg", 3, "[deg]"},
        {"30[degg]*t", 3, "did you mean 'deg'?"},
        {"30[deg", 2, "not closed"},
        {"t[deg]", 1, "right after a number"},
        {"1,5", 1, "point"},
        {"t = 1", 2, "=="},
        {"1 < t < 2", 6, "chained"},
        {"t**2", 1, "^"},
        {"t \xC3\x97 2", 2, "write *"},
        {"2 \xE2\x88\x92 t", 2, "write -"},
        {"sin", 0, "sin(x)"},
        {"atan2(t)", 0, "2 arguments, not 1"},
        {"1 + step(t,0,1)", 4, "5 arguments, not 3"},
        {"max(t)", 0, "at least 2"},
        {"fourier(t,1,0,1)", 0, "pairs"},
        {"step(t, 1, 0, 1, 5)", 14, "x1 must be greater"},
        {"ramp(t, 1, n-3)", 11, "x1 must be greater"},
        {"pulse(t, 1, 2, 0)", 15, "positive"},
        {"sin(t)'", 6, "rate"},
        {"2'", 1, "rate"},
        {"n'", 0, "no rate"},
        {"1 + hinge.angle'''", 17, "first and second"},
        {"hinge.", 6, "missing after"},
        {"x(3)", 2, "point"},
        {"distance(a.P)", 0, "two points"},
        {"angle(a, b)", 0, "one argument"},
        {"1 + sqrt(-4)*t", 4, "sqrt of -4"},
        {"t + 1/zero", 4, "division of 1 by 0"},
        {"1e999", 0, "too large"},
        {"2 + $", 4, "'$'"},
        {"2 + 0x10", 5, "operator"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        RbvExprError error;
        RbvExpr *expr = try_parse(cases[k].text, &error);
        if (expr != NULL)
            fail_msg("'%s' was accepted", cases[k].text);
        if (error.offset != cases[k].offset || strstr(error.message, cases[k].part) == NULL) {
            fail_msg("'%s': at %zu: %s", cases[k].text, error.offset, error.message);
        }
    }
}

static void what_is_not_finite_is_explained(void **state) {
    (void)state;
    static const struct {
        const char *text;
        double t;
        const char *message;
    } cases[] = {
        {"1 + 2*sqrt(t)", -0.2, "sqrt of -0.2"},
        {"log(t - 1)", 1, "log of 0"},
        {"acos(t)", 1.5, "acos of 1.5"},
        {"2/(t - 1)", 1, "division of 2 by 0"},
        {"t^0.5", -2, "(-2)^0.5 is no real number"},
        {"exp(t)", 1000, "exp of 1000 is too large"},
        {"step(t, 1, 0, t - 2, 1)", 1, "step from x0 = 1 to x1 = -1, which must be greater"},
        {"t + 1", NAN, "t is nan"},
        {"sqrt(t)", 0, "sqrt of 0 has no finite derivative"},
    };
    setlocale(LC_ALL, "de_DE.UTF-8");
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        RbvExpr *expr = parse(cases[k].text);
        char message[100];
        rbv_expr_explain(expr, &cases[k].t, work, message, sizeof message);
        assert_string_equal(message, cases[k].message);
        rbv_expr_destroy(expr);
    }
    setlocale(LC_ALL, "C");
}

/* Text nested by `depth` times `open` ... `close`. */
static char *nested(int depth, const char *open, const char *close) {
    char *text = calloc(1, (size_t)depth * 16 + 16);
    assert_non_null(text);
    for (int k = 0; k < depth; k++)
        strcat(text, open);
    strcat(text, "t");
    for (int k = 0; k < depth; k++)
        strcat(text, close);
    return text;
}

static void nesting_is_limited_but_length_is_not(void **state) {
    (void)state;
    static const char *const pairs[][2] = {{"(", ")"}, {"sin(", ")"}, {"-", ""}, {"2^", ""}, {"if(1,", ",2)"}};
    for (size_t k = 0; k < sizeof pairs / sizeof pairs[0]; k++) {
        RbvExprError error;
        char *text = nested(100, pairs[k][0], pairs[k][1]);
        rbv_expr_destroy(parse(text));
        free(text);
        text = nested(101, pairs[k][0], pairs[k][1]);
        assert_null(try_parse(text, &error));
        assert_non_null(strstr(error.message, "100"));
        free(text);
    }
    char *text = malloc(200010);
    assert_non_null(text);
    strcpy(text, "t");
    for (int k = 0; k < 50000; k++)
        memcpy(text + 1 + 4 * k, "+t*t", 5);
    close_to(value_at(text, 1), 50001);
    free(text);
}

static void arbitrary_text_is_refused_or_evaluated(void **state) {
    (void)state;
    static const char *const words[] = {
        "t",    "u",   "1", ".5", "+",     "-", "*",     "/",           "^",    "(",  ")",     ",",
        "sin(", "if(", "<", "==", "[deg]", "'", "step(", "hinge.angle", "min(", "x(", "poly(", " "};
    char text[400];
    int parsed = 0;
    for (int round = 0; round < 100000; round++) {
        text[0] = '\0';
        for (unsigned k = 0, n = 1 + draw(9); k < n; k++)
            strcat(text, words[draw(sizeof words / sizeof words[0])]);
        RbvExprError error;
        RbvExpr *expr = try_parse(text, &error);
        if (expr == NULL) {
            assert_true(error.message[0] != '\0' && error.offset <= strlen(text));
            continue;
        }
        parsed++;
        double x[8] = {0.3, 0.7, 0.1, 0.2, 0.5, 0.6, 0.8, 0.9}, g[8], h[64];
        assert_true(rbv_expr_variable_count(expr) <= 8);
        double a = rbv_expr_value(expr, x, work), b = rbv_expr_jet(expr, x, work, g, h);
        assert_true((isnan(a) && isnan(b)) || fabs(a - b) <= 0);
        rbv_expr_destroy(expr);
    }
    assert_true(parsed > 1000);
}

/* ---- names of other expressions: f = u^2 sin(v), its rate f', its second rate f'', u' = 21 ... ---- */

static RbvExpr *of_f;

static RbvExprMeaning resolve_f(void *context, const RbvExprName *name, double *value, int32_t *id, char *message,
                                size_t size) {
    if (name->name == NULL || strcmp(name->name, "f") != 0)
        return resolve(context, name, value, id, message, size);
    *id = 7;
    return RBV_EXPR_DEFINED;
}

static const RbvExpr *defined_f(void *context, int32_t index) {
    (void)context;
    assert_int_equal(index, 7);
    return of_f;
}

static int32_t rate_f(void *context, int32_t id, int32_t order) {
    (void)context;
    return id + 20 * order;
}

/* The same by hand: f, f', f'' at u, v, w, u', v', u'', v''. */
static void by_hand(const double *x, double f[3]) {
    double u = x[0], v = x[1], u1 = x[3], v1 = x[4], u2 = x[5], v2 = x[6];
    f[0] = u * u * sin(v);
    f[1] = 2 * u * sin(v) * u1 + u * u * cos(v) * v1;
    f[2] = 2 * u * sin(v) * u2 + u * u * cos(v) * v2 + 2 * sin(v) * u1 * u1 + 4 * u * cos(v) * u1 * v1 -
           u * u * sin(v) * v1 * v1;
}

static double outer(int which, const double *x) {
    double f[3];
    by_hand(x, f);
    return which == 0 ? f[0] * x[2] + sin(f[0]) : which == 1 ? f[1] * f[0] + x[2] * f[1] : f[2] + x[2] * f[1] * f[0];
}

/* The place of an id among u, v, w, u', v', u'', v''. */
static int place_of(int32_t id) {
    return id < 20 ? id - 1 : id < 40 ? id - 21 + 3 : id - 41 + 5;
}

static void names_of_expressions_follow_the_chain_rule(void **state) {
    (void)state;
    static const char *const texts[] = {"f*w + sin(f)", "f'*f + w*f'", "f'' + w*f'*f"};
    RbvExprScope scope = {.context = &seen, .resolve = resolve_f, .table = table, .defined = defined_f, .rate = rate_f};
    of_f = parse("u^2*sin(v)");
    for (int which = 0; which < 3; which++) {
        RbvExprError error;
        RbvExpr *expr = rbv_expr_parse(texts[which], &scope, &error);
        assert_non_null(expr);
        int32_t n = rbv_expr_variable_count(expr);
        for (int round = 0; round < 50; round++) {
            double at[7], x[7], g[7], h[49];
            for (int k = 0; k < 7; k++)
                at[k] = ((int)draw(2000) - 1000) / 512.0;
            for (int32_t k = 0; k < n; k++)
                x[k] = at[place_of(rbv_expr_variable(expr, k))];
            double v = rbv_expr_jet(expr, x, work, g, h), scale = 1 + fabs(v);
            assert_true(v == rbv_expr_value(expr, x, work));
            assert_true(fabs(v - outer(which, at)) <= 1e-13 * (scale + 100));
            for (int32_t k = 0; k < n; k++)
                scale += fabs(g[k]);
            for (int32_t i = 0; i < n; i++) {
                static const double weight[3] = {0.75, -0.15, 1.0 / 60};
                double first = 0, mixed[7] = {0}, other[7];
                int p = place_of(rbv_expr_variable(expr, i));
                for (int s = -3; s <= 3; s++) {
                    double moved[7], y[7], unused[49], w = s ? (s > 0 ? 1 : -1) * weight[abs(s) - 1] / 1e-3 : 0;
                    memcpy(moved, at, sizeof moved);
                    moved[p] += s * 1e-3;
                    first += w * outer(which, moved);
                    for (int32_t k = 0; k < n; k++)
                        y[k] = moved[place_of(rbv_expr_variable(expr, k))];
                    rbv_expr_jet(expr, y, work, other, unused);
                    for (int32_t k = 0; k < n; k++)
                        mixed[k] += w * other[k];
                }
                /* third derivatives of f are left out: in the first of its second rate, in the second of its rate, by u
                 * and v themselves */
                if (which < 2 || p >= 2)
                    assert_true(fabs(g[i] - first) <= 1e-9 * (scale + 100));
                for (int32_t k = 0; k < n && which < 2; k++)
                    if (which == 0 || place_of(rbv_expr_variable(expr, k)) >= 3 || p >= 3)
                        assert_true(fabs(h[i * n + k] - mixed[k]) <= 1e-8 * (scale + 100));
            }
        }
        rbv_expr_destroy(expr);
    }
    rbv_expr_destroy(of_f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_jet_agrees_with_high_order_differences_in_one_variable),
        cmocka_unit_test(the_jet_agrees_with_high_order_differences_in_four_variables),
        cmocka_unit_test(operators_bind_as_in_mathematics),
        cmocka_unit_test(units_in_brackets_multiply_the_number),
        cmocka_unit_test(every_function_means_what_it_says),
        cmocka_unit_test(step_ramp_and_pulse_have_their_closed_forms),
        cmocka_unit_test(derivatives_are_right_where_formulas_with_logarithms_fail),
        cmocka_unit_test(corners_take_the_derivative_from_the_right),
        cmocka_unit_test(a_branch_not_taken_does_not_leak),
        cmocka_unit_test(names_reach_the_scope_as_written),
        cmocka_unit_test(names_of_expressions_follow_the_chain_rule),
        cmocka_unit_test(constants_have_no_variables),
        cmocka_unit_test(tables_are_called_by_name),
        cmocka_unit_test(smoothness_is_judged_per_variable),
        cmocka_unit_test(mistakes_are_found_where_they_are),
        cmocka_unit_test(what_is_not_finite_is_explained),
        cmocka_unit_test(nesting_is_limited_but_length_is_not),
        cmocka_unit_test(arbitrary_text_is_refused_or_evaluated),
    };
    return cmocka_run_group_tests_name("expr", tests, NULL, NULL);
}
