/* Functions of the program in expressions: the same numbers as the same formulas written out, exact derivatives,
 * refusals where derivatives are missing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/expr/expr.h"
#include "support/machines.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* x^2 y + k sin(y), k the context. */
static double formula(void *context, const double *x, double *gradient, double *hessian) {
    double k = *(const double *)context;
    if (gradient) {
        gradient[0] = 2 * x[0] * x[1];
        gradient[1] = x[0] * x[0] + k * cos(x[1]);
    }
    if (hessian) {
        hessian[0] = 2 * x[1];
        hessian[1] = hessian[2] = 2 * x[0];
        hessian[3] = -k * sin(x[1]);
    }
    return x[0] * x[0] * x[1] + k * sin(x[1]);
}

/* The same without derivatives: nothing to fill in. */
static double value_alone(void *context, const double *x, double *gradient, double *hessian) {
    assert_true(!gradient && !hessian);
    return formula(context, x, NULL, NULL);
}

static double stroke(void *context, const double *x, double *gradient, double *hessian) {
    (void)context;
    if (gradient)
        gradient[0] = 5 + 0.3 * cos(3 * x[0]);
    if (hessian)
        hessian[0] = -0.9 * sin(3 * x[0]);
    return 1 + 5 * x[0] + 0.1 * sin(3 * x[0]);
}

static double undefined(void *context, const double *x, double *gradient, double *hessian) {
    (void)context, (void)gradient, (void)hessian;
    return x[0] < 0.5 ? 1 : (double)NAN;
}

static double three = 3;

static void add(RbvModel *model, const char *name, int32_t count, int32_t derivatives,
                double (*evaluate)(void *, const double *, double *, double *)) {
    RbvFunctionDef def = {name, count, derivatives, evaluate, &three};
    assert_int_equal(rbv_model_add_function(model, &def, NULL), RBV_OK);
}

/* ---- the expressions themselves, at random variables ---- */

static const RbvExprCallback in_scope = {"f", 2, 2, formula, &three};

static RbvExprMeaning resolve(void *context, const RbvExprName *name, double *value, int32_t *id, char *message,
                              size_t size) {
    (void)context, (void)value, (void)message, (void)size;
    *id = name->name[0] - 'a';
    return RBV_EXPR_VARIABLE;
}

static const RbvExprCallback *callback(void *context, const char *name) {
    (void)context;
    return strcmp(name, "f") == 0 ? &in_scope : NULL;
}

/* f written out is g: value, gradient and Hessian agree. */
static void a_function_is_its_formula(void **unused) {
    (void)unused;
    static const char *const pairs[][2] = {
        {"f(a, b)", "a^2*b + 3*sin(b)"},
        {"2*f(a*b, sin(a) + c) - a", "2*((a*b)^2*(sin(a) + c) + 3*sin(sin(a) + c)) - a"},
        {"f(f(a, b), 0.3)*c", "((a^2*b + 3*sin(b))^2*0.3 + 3*sin(0.3))*c"},
        {"if(a > 0, f(b, a), f(2, b))", "if(a > 0, b^2*a + 3*sin(a), 4*b + 3*sin(b))"},
        {"f(1.5, 2)*a + b - b", "(2.25*2 + 3*sin(2))*a + b - b"},
        {"f(a, a)", "a^3 + 3*sin(a)"},
        {"exp(f(0.1, a))/f(a, 1)", "exp(0.01*a + 3*sin(a))/(a^2 + 3*sin(1))"},
    };
    uint64_t seed = 88172645463325252u;
    RbvExprScope scope = {.resolve = resolve, .callback = callback};
    for (size_t p = 0; p < sizeof pairs / sizeof *pairs; p++) {
        RbvExprError error;
        RbvExpr *got = rbv_expr_parse(pairs[p][0], &scope, &error),
                *expected = rbv_expr_parse(pairs[p][1], &scope, &error);
        assert_true(got && expected);
        int32_t n = rbv_expr_variable_count(got);
        assert_int_equal(rbv_expr_variable_count(expected), n);
        double work[400], x[3], y[3], g[2][3], h[2][9];
        assert_true(rbv_expr_work_size(got) < 400 && rbv_expr_work_size(expected) < 400);
        for (int trial = 0; trial < 50; trial++) {
            double all[3];
            for (int k = 0; k < 3; k++)
                all[k] = 2 * machine_random(&seed);
            for (int32_t k = 0; k < n; k++) {
                x[k] = all[rbv_expr_variable(got, k)];
                y[k] = all[rbv_expr_variable(expected, k)];
                assert_int_equal(rbv_expr_variable(got, k), rbv_expr_variable(expected, k));
            }
            double v = rbv_expr_value(expected, y, work), size = 1 + fabs(v);
            assert_near(rbv_expr_value(got, x, work), v, 1e-13 * size);
            assert_near(rbv_expr_jet(got, x, work, g[0], h[0]), v, 1e-13 * size);
            rbv_expr_jet(expected, y, work, g[1], h[1]);
            for (int32_t k = 0; k < n; k++)
                assert_near(g[0][k], g[1][k], 1e-12 * (size + fabs(g[1][k])));
            for (int32_t k = 0; k < n * n; k++)
                assert_near(h[0][k], h[1][k], 1e-12 * (size + fabs(h[1][k])));
        }
        rbv_expr_destroy(got);
        rbv_expr_destroy(expected);
    }
}

/* ---- in models ---- */

#define SLIDER                                                                                                         \
    "roberval: 1\nspace: planar\ngravity: [0, -9.81]\nbodies:\n"                                                       \
    "  crank: {mass: 1, inertia: 0.001, pose: {at: [0, 0], angle: 1}, markers: {O: [0, 0], A: [0.1, 0]}}\n"            \
    "  rod: {mass: 1, centroid: [0.15, 0], inertia: 0.01, pose: {at: [0.054, 0.084], angle: -0.28}, markers: {A: [0, " \
    "0], B: [0.3, 0]}}\n"                                                                                              \
    "  slider: {mass: 1, inertia: 0.001, pose: {at: [0.34, 0]}, markers: {B: [0, 0]}}\n"                               \
    "joints:\n  O: {type: revolute, between: [ground, crank.O]}\n  A: {type: revolute, between: [crank.A, rod.A]}\n"   \
    "  B: {type: revolute, between: [rod.B, slider.B]}\n  slide: {type: prismatic, between: [ground, slider.B]}\n"

static RbvResult *inverse_of(RbvModel *model, RbvStatus expected, RbvDiagnostics *diagnostics) {
    RbvSystem *system = machine_compile(model);
    RbvOptions options = rbv_options_default;
    options.from = 0;
    options.to = 1;
    options.step = 0.05;
    RbvResult *result = NULL;
    assert_int_equal(rbv_inverse(system, &options, diagnostics, &result), expected);
    rbv_system_destroy(system);
    return result;
}

static void drives_and_loads_of_functions_are_those_of_formulas(void **unused) {
    (void)unused;
    RbvModel *formulas =
        machine_read(SLIDER "drives: {motor: {coordinate: O.angle, motion: '1 + 5*t + 0.1*sin(3*t)'}}\n"
                            "loads:\n  push: {type: force, to: slider.B, value: [\"slide.distance^2*slide.distance' + "
                            "3*sin(slide.distance')\", 0]}\n"
                            "  spring: {type: spring, between: [ground, rod.B], force: \"l^2*l' + 3*sin(l')\"}\n  "
                            "well: {type: energy, value: 'O.angle^2*A.angle + 3*sin(A.angle)'}\n");
    RbvModel *functions = machine_read(SLIDER);
    add(functions, "stroke", 1, 2, stroke);
    add(functions, "f", 2, 2, formula);
    add(functions, "rough", 2, 0, value_alone);
    assert_int_equal(rbv_model_add_drive(functions, "motor", "O.angle", "stroke(t)", NULL), RBV_OK);
    RbvLoadDef push = rbv_load_def_default, spring = rbv_load_def_default, well = rbv_load_def_default;
    push.name = "push", push.type = "force", push.to = "slider.B",
    push.value[0] = "rough(slide.distance, slide.distance')", push.value[1] = "0";
    spring.name = "spring", spring.type = "spring", spring.between[0] = "ground", spring.between[1] = "rod.B",
    spring.law = "rough(l, l')";
    well.name = "well", well.type = "energy", well.value[0] = "f(O.angle, A.angle)";
    assert_int_equal(rbv_model_add_load(functions, &push, NULL), RBV_OK);
    assert_int_equal(rbv_model_add_load(functions, &spring, NULL), RBV_OK);
    assert_int_equal(rbv_model_add_load(functions, &well, NULL), RBV_OK);
    RbvResult *expected = inverse_of(formulas, RBV_OK, NULL), *got = inverse_of(functions, RBV_OK, NULL);
    for (int32_t c = 0; c < rbv_result_counts(expected).columns; c++)
        for (int32_t k = 0; k < rbv_result_counts(expected).samples; k++) {
            double value = rbv_result_value(expected, k, c);
            assert_near(rbv_result_value(got, k, rbv_result_find(got, rbv_result_column(expected, c).name)), value,
                        1e-9 * (1 + fabs(value)));
        }
    rbv_result_destroy(expected);
    rbv_result_destroy(got);
    rbv_model_destroy(formulas);
    rbv_model_destroy(functions);
}

/* In statics the energy is differentiated twice. */
static void statics_with_functions_rests_where_formulas_do(void **unused) {
    (void)unused;
    static const char text[] =
        "roberval: 1\nspace: planar\nbodies: {bar: {mass: 1, inertia: 0.1, centroid: [0.5, 0], pose: {angle: 0.3}}}\n"
        "joints: {pin: {type: revolute, between: [ground, bar]}}\n";
    double at[2];
    for (int k = 0; k < 2; k++) {
        RbvModel *model = machine_read(text);
        RbvLoadDef well = rbv_load_def_default;
        well.name = "well", well.type = "energy",
        well.value[0] =
            k ? "f(pin.angle - 0.7, 2 + pin.angle)" : "(pin.angle - 0.7)^2*(2 + pin.angle) + 3*sin(2 + pin.angle)";
        add(model, "f", 2, 2, formula);
        assert_int_equal(rbv_model_add_load(model, &well, NULL), RBV_OK);
        RbvSystem *system = machine_compile(model);
        RbvResult *result = NULL;
        assert_int_equal(rbv_statics(system, NULL, NULL, &result), RBV_OK);
        assert_string_equal(rbv_result_equilibrium(result).stability, "stable");
        at[k] = rbv_result_value(result, 0, rbv_result_find(result, "bar.angle"));
        rbv_result_destroy(result);
        rbv_system_destroy(system);
        rbv_model_destroy(model);
    }
    assert_near(at[1], at[0], 1e-12);
}

static void assert_says(const RbvDiagnostics *diagnostics, const char *part) {
    if (machine_says(diagnostics, RBV_ERROR, part))
        return;
    machine_print(diagnostics);
    fail_msg("no error says '%s'", part);
}

static void missing_derivatives_are_refused_by_name(void **unused) {
    (void)unused;
    RbvDiagnostics *diagnostics = rbv_diagnostics_create();
    RbvModel *model = machine_read(SLIDER);
    add(model, "f", 2, 0, value_alone);
    add(model, "g", 2, 1, formula);
    assert_int_equal(rbv_model_add_drive(model, "motor", "O.angle", "g(t, 1)", diagnostics), RBV_BAD_INPUT);
    assert_says(
        diagnostics,
        "the motion of drive 'motor' is differentiated twice, but the function 'g' gives no second derivatives");
    assert_int_equal(rbv_model_add_constraint(model, "c", "f(O.angle, t) - 1", diagnostics), RBV_BAD_INPUT);
    assert_says(diagnostics, "constraint 'c' is differentiated twice, but the function 'f' gives no derivatives");
    RbvLoadDef well = rbv_load_def_default;
    well.name = "well", well.type = "energy", well.value[0] = "f(O.angle, 1)";
    assert_int_equal(rbv_model_add_load(model, &well, diagnostics), RBV_BAD_INPUT);
    assert_says(diagnostics, "the energy of 'well' is differentiated once, but the function 'f' gives no derivatives");
    assert_int_equal(rbv_model_add_drive(model, "other", "B.angle", "f(t)", diagnostics), RBV_BAD_INPUT);
    assert_says(diagnostics, "f takes 2 arguments, not 1");
    rbv_model_destroy(model);

    model = machine_read(SLIDER);
    add(model, "f", 2, 0, value_alone);
    RbvLoadDef push = rbv_load_def_default;
    push.name = "push", push.type = "force", push.to = "slider.B", push.value[0] = "f(slide.distance, 1)",
    push.value[1] = "0";
    assert_int_equal(rbv_model_add_load(model, &push, NULL), RBV_OK);
    RbvSystem *system = machine_compile(model);
    RbvResult *result = NULL;
    assert_int_equal(rbv_statics(system, NULL, diagnostics, &result), RBV_BAD_INPUT);
    assert_null(result);
    assert_says(diagnostics,
                "in statics load 'push' is differentiated once, but the function 'f' gives no derivatives");
    rbv_system_destroy(system);
    rbv_model_destroy(model);
    rbv_diagnostics_destroy(diagnostics);
}

static void a_function_without_a_value_ends_the_run_in_words(void **unused) {
    (void)unused;
    RbvDiagnostics *diagnostics = rbv_diagnostics_create();
    RbvModel *model = machine_read(SLIDER "drives: {motor: {coordinate: O.angle, motion: '1 + 5*t'}}\n");
    add(model, "brake", 1, 0, undefined);
    RbvLoadDef push = rbv_load_def_default;
    push.name = "push", push.type = "force", push.to = "slider.B", push.value[0] = "brake(t)", push.value[1] = "0";
    assert_int_equal(rbv_model_add_load(model, &push, NULL), RBV_OK);
    RbvResult *result = inverse_of(model, RBV_NOT_FINITE, diagnostics);
    assert_non_null(result);
    assert_int_equal(rbv_result_counts(result).samples, 10);
    assert_says(diagnostics, "load 'push': brake(0.5) is nan");
    rbv_result_destroy(result);
    rbv_model_destroy(model);
    rbv_diagnostics_destroy(diagnostics);
}

static void wrong_functions_are_refused(void **unused) {
    (void)unused;
    RbvDiagnostics *diagnostics = rbv_diagnostics_create();
    RbvModel *model = machine_read(SLIDER);
    RbvFunctionDef def = {"f", 9, 0, value_alone, NULL};
    assert_int_equal(rbv_model_add_function(NULL, &def, NULL), RBV_BAD_ARGUMENT);
    assert_int_equal(rbv_model_add_function(model, NULL, NULL), RBV_BAD_ARGUMENT);
    assert_int_equal(rbv_model_add_function(model, &def, diagnostics), RBV_BAD_INPUT);
    assert_says(diagnostics, "function 'f' needs evaluate, 1 to 8 arguments");
    def.name = "sin", def.argument_count = 1;
    assert_int_equal(rbv_model_add_function(model, &def, diagnostics), RBV_BAD_INPUT);
    def.name = "f";
    assert_int_equal(rbv_model_add_function(model, &def, diagnostics), RBV_BAD_INPUT);
    assert_says(diagnostics, "the name 'f' is taken");
    def.name = "no name";
    assert_int_equal(rbv_model_add_function(model, &def, diagnostics), RBV_BAD_INPUT);
    assert_int_equal(rbv_model_add_parameter(model, "f", 1, NULL, diagnostics), RBV_BAD_INPUT);
    rbv_model_destroy(model);
    rbv_diagnostics_destroy(diagnostics);
}

/* A text that calls a function of the call, and a parameter that is changed afterwards. */
static void texts_of_a_file_may_call_functions_of_the_call(void **unused) {
    (void)unused;
    static const char text[] = "roberval: 1\nspace: planar\nparameters: {a: 2}\n"
                               "bodies: {p: {mass: 2, particle: true}}\n"
                               "loads: {f: {type: force, to: p, value: [\"a*square(t, 3)\", 0]}}\n"
                               "initial: {x(p): 0, y(p): 0, x(p)': 0, y(p)': 0}\nmotion: {from: 1, to: 2, step: 1}\n";
    RbvFunctionDef square = {"square", 2, 0, value_alone, &three};
    RbvInput input = rbv_input_default;
    input.path = "model.yaml", input.text = text, input.length = strlen(text);
    RbvModel *model;
    RbvResult *result;
    assert_int_equal(rbv_model_read(&input, NULL, &model), RBV_BAD_INPUT);
    input.function_count = 1, input.functions = &square;
    RbvDiagnostics *diagnostics = rbv_diagnostics_create();
    assert_int_equal(rbv_model_read(&input, diagnostics, &model), RBV_OK);
    RbvSystem *system = machine_compile(model);
    for (int k = 0; k < 2; k++) {
        double a = k ? 5 : 2;
        RbvParameterValue value = {rbv_system_find(system, RBV_ITEM_PARAMETER, "a"), a};
        assert_int_equal(rbv_system_set_parameters(system, 1, &value, diagnostics), RBV_OK);
        assert_int_equal(rbv_simulate(system, NULL, diagnostics, &result), RBV_OK);
        assert_near(rbv_result_value(result, 0, rbv_result_find(result, "p.ax")), a * (3 + 3 * sin(3)) / 2, 1e-12);
        rbv_result_destroy(result);
    }
    rbv_system_destroy(system);
    rbv_model_destroy(model);
    input.function_count = -1;
    assert_int_equal(rbv_model_read(&input, diagnostics, &model), RBV_BAD_ARGUMENT);
    rbv_diagnostics_destroy(diagnostics);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_function_is_its_formula),
        cmocka_unit_test(drives_and_loads_of_functions_are_those_of_formulas),
        cmocka_unit_test(statics_with_functions_rests_where_formulas_do),
        cmocka_unit_test(missing_derivatives_are_refused_by_name),
        cmocka_unit_test(a_function_without_a_value_ends_the_run_in_words),
        cmocka_unit_test(wrong_functions_are_refused),
        cmocka_unit_test(texts_of_a_file_may_call_functions_of_the_call),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
