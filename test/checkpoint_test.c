/* ctest: long */
/* A motion that goes on from a checkpoint is the one without a break, to the last bit, wherever it was broken: stops,
 * friction, conditions, events, states, drives, turns, space, compliances, work of constraints, sparse factors. And
 * passing a checkpoint changes nothing but rounding. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <roberval/roberval.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST 4000

typedef struct Kept {
    void *state;
    size_t size;
    double *values;
    int32_t samples;
} Kept;

typedef struct Run {
    RbvSystem *system;
    RbvModel *model;
    RbvOptions options;
    RbvKeeper keeper;
    Kept kept[MOST];
    int32_t count;
    char *json, *series;
    RbvResult *result;
} Run;

static const char stops[] =
    "roberval: 1\nspace: planar\ngravity: [0.3, -9.81]\n"
    "bodies:\n"
    "  ball: {particle: true, mass: 2 kg, pose: {at: [0, 0.4]}}\n"
    "  block: {mass: 1, inertia: 0.1, pose: {at: [2, 0]}}\n"
    "  arm: {mass: 2, inertia: 0.1, centroid: [0.5, 0], pose: {at: [5, 0]}, markers: {P: [1, 0]}}\n"
    "  cart: {mass: 1, inertia: 0.2, pose: {at: [9, 0]}, markers: {C: [0, 0]}}\n"
    "  fan: {mass: 0.2, inertia: 0.01, centroid: [0, 0.1], pose: {at: [9, 0]}}\n"
    "  mate: {mass: 1, inertia: 0.2, pose: {at: [9, 2]}}\n"
    "joints:\n"
    "  rail: {type: prismatic, between: [ground, block], at: [2, 0], friction: {coefficient: 0.2, static: 0.3}}\n"
    "  pin: {type: revolute, between: [ground, arm], at: [5, 0]}\n"
    "  way: {type: prismatic, between: [ground, cart], at: [9, 0]}\n"
    "  way2: {type: prismatic, between: [ground, mate], at: [9, 2]}\n"
    "  axle: {type: revolute, between: [cart.C, fan]}\n"
    "constraints: {tie: {equation: 'way.distance - way2.distance'}}\n"
    "loads:\n"
    "  push: {type: force, to: block, value: ['5*sin(7*t)', 0]}\n"
    "  shove: {type: force, to: cart, value: [3, 0], active: '(t > 0.31)*(t < 0.9)'}\n"
    "  lean: {type: torque, to: arm, value: '-0.2*sum', active: 't > 0.5'}\n"
    "stops:\n"
    "  floor: {coordinate: y(ball), min: 0, restitution: 0.6}\n"
    "  bumper: {coordinate: way.distance, min: -1, max: 0.4, restitution: 0.5}\n"
    "drives:\n  spin: {coordinate: pin.angle, motion: '9*t', active: 't < 0.7'}\n  blow: {coordinate: axle.angle, "
    "motion: '40*t'}\n"
    "states:\n  sum: {rate: 'sin(pin.angle) - 0.3*sum', start: 0.2}\n"
    "events:\n  half: {when: 'y(ball) - 0.2'}\n"
    "output: {ratio: 'pin.Fx/2'}\n"
    "motion: {from: 0, to: 1.6, step: 0.02}\n";

static const char stiff[] = /* explicit, then implicit */
    "roberval: 1\nspace: planar\n"
    "bodies: {block: {particle: true, mass: 1, pose: {at: [1, 0]}}}\n"
    "loads: {spring: {type: spring, between: [ground, block], stiffness: 1e3, free_length: 0.5, damping: 1e5}, push: "
    "{type: force, to: block, value: [0, 'sin(3*t)']}}\n"
    "motion: {from: 0, to: 3, step: 0.05}\n";

static const char space[] = "roberval: 1\nspace: spatial\ngravity: [0, 0, -9.81]\n"
                            "bodies:\n"
                            "  top: {mass: 1, inertia: [0.02, 0.02, 0.01], centroid: [0, 0, 0.2], pose: {rotate: "
                            "{axis: [1, 0, 0], angle: 0.4}}, markers: {A: {at: [0, 0, 0.4], axis: [1, 0, 0]}}}\n"
                            "  rod: {mass: 0.3, inertia: [0.01, 0.01, 0.002], centroid: [0, 0.1, 0], pose: {at: [0, "
                            "-0.1557673369234601, 0.3684243976], rotate: {axis: [1, 0, 0], angle: 0.4}}}\n"
                            "joints:\n"
                            "  tip: {type: spherical, between: [ground, top], at: [0, 0, 0]}\n"
                            "  hinge: {type: revolute, between: [top.A, rod]}\n"
                            "drives: {motor: {coordinate: hinge.angle, motion: '25*t'}}\n"
                            "loads: {whirl: {type: torque, to: top, value: [0, 0, '2*cos(2*t)'], frame: body}}\n"
                            "motion: {from: 0, to: 0.6, step: 0.01}\n";

static const char shared[] = /* a door on two hinges with intervals of compliance */
    "roberval: 1\nspace: spatial\ngravity: [0, 0, -9.81]\n"
    "bodies: {door: {mass: 20, inertia: [3, 3, 1], centroid: [0.4, 0, 1], markers: {low: {at: [0, 0, 0.2], axis: [0, "
    "0, 1]}, high: {at: [0, 0, 1.8], axis: [0, 0, 1]}}}}\n"
    "joints:\n"
    "  low: {type: revolute, between: [ground, door.low], at: [0, 0, 0.2], axis: [0, 0, 1], compliance: {z: [1e-8, "
    "4e-8], x: 1e-8, y: 1e-8, rx: 1e-7, ry: 1e-7}}\n"
    "  high: {type: revolute, between: [ground, door.high], at: [0, 0, 1.8], axis: [0, 0, 1], compliance: {z: 2e-8, x: "
    "1e-8, y: 1e-8, rx: 1e-7, ry: 1e-7}}\n"
    "loads: {wind: {type: torque, to: door, value: [0, 0, '3*sin(4*t)']}}\n"
    "motion: {from: 0, to: 1, step: 0.02}\n";

static const char working[] = /* constraints that do work, equations on rates */
    "roberval: 1\nspace: planar\ngravity: [0, -9.81]\n"
    "bodies: {bead: {particle: true, mass: 1, pose: {at: [0.5, 0.25]}}, skate: {mass: 1, inertia: 0.2, pose: {at: [3, "
    "0]}}, wheel: {mass: 1, inertia: 0.1}}\n"
    "joints: {axle: {type: revolute, between: [ground, wheel], at: [0, 0]}}\n"
    "drives: {motor: {coordinate: axle.angle, motion: '40*t + 20*t^2'}}\n"
    "constraints:\n"
    "  bowl: {equation: 'y(bead) - x(bead)^2', nonideal: {x(bead): \"-0.1*abs(bowl.effort)*x(bead)'/sqrt(x(bead)'^2 + "
    "0.01)\"}}\n"
    "  edge: {velocity: \"x(skate)'*sin(angle(skate)) - y(skate)'*cos(angle(skate))\"}\n"
    "loads: {turn: {type: torque, to: skate, value: 'sin(3*t)'}}\n"
    "initial: {\"x(bead)'\": 0, \"x(skate)'\": 1, \"angle(skate)'\": 0.3}\n"
    "motion: {from: 0, to: 1, step: 0.02}\n";

/* A chain of n bars: large enough for sparse factors. */
static char *chain(int n) {
    char *text = malloc(400 * (size_t)(n + 2)), *at = text;
    assert_non_null(text);
    at += sprintf(at, "roberval: 1\nspace: planar\ngravity: [0, -9.81]\nbodies:\n");
    for (int k = 0; k < n; k++)
        at += sprintf(at, "  b%d: {mass: %g, inertia: %g, centroid: [0.5, 0], pose: {at: [%d, 0]}}\n", k,
                      k % 3 == 1 ? 0.001 : 2.0, k % 3 == 1 ? 1e-5 : 0.1, k);
    at += sprintf(at, "joints:\n");
    for (int k = 0; k < n; k++)
        k == 0 ? (at += sprintf(at, "  j0: {type: revolute, between: [ground, b0], at: [0, 0]}\n"))
               : (at += sprintf(at, "  j%d: {type: revolute, between: [b%d, b%d], at: [%d, 0]}\n", k, k - 1, k, k));
    sprintf(at, "drives: {motor: {coordinate: j0.angle, motion: '3*t'}}\nmotion: {from: 0, to: 0.7, step: 0.05}\n");
    return text;
}

/* Twenty links with stiff joints: 140 unknowns, found to be stiff on the way, then by sparse implicit systems. */
static char *stiff_chain(void) {
    char *text = malloc(20000), *at = text;
    assert_non_null(text);
    at += sprintf(at, "roberval: 1\nspace: planar\ngravity: [0, -9.81]\nbodies:\n");
    for (int k = 0; k < 20; k++)
        at += sprintf(at,
                      "  b%d: {mass: 1, inertia: 0.1, centroid: [0.5, 0], pose: {at: [%d, 0]}, markers: {P: [1, 0]}}\n",
                      k, k);
    at += sprintf(at, "joints:\n  j0: {type: revolute, between: [ground, b0]}\n");
    for (int k = 1; k < 20; k++)
        at += sprintf(at, "  j%d: {type: revolute, between: [b%d.P, b%d]}\n", k, k - 1, k);
    at += sprintf(at, "loads:\n");
    for (int k = 0; k < 20; k++)
        at += sprintf(at, "  s%d: {type: torsion-spring, joint: j%d, stiffness: 1e5, damping: 1e3, free_angle: 0}\n", k,
                      k);
    sprintf(at, "motion: {from: 0, to: 0.3, step: 0.1}\n");
    return text;
}

static RbvStatus take(void *context, const RbvResult *result, const void *state, size_t size,
                      RbvDiagnostics *diagnostics) {
    Run *run = context;
    (void)diagnostics;
    if (!state)
        return RBV_OK;
    int32_t stride = rbv_result_column(result, 0).stride, samples = rbv_result_counts(result).samples;
    const double *values = rbv_result_column(result, 0).values;
    assert_true(run->count < MOST);
    Kept *kept = &run->kept[run->count++];
    *kept = (Kept){.state = malloc(size),
                   .size = size,
                   .values = malloc((size_t)(samples * stride) * sizeof(double)),
                   .samples = samples};
    assert_true(kept->state && kept->values);
    memcpy(kept->state, state, size);
    memcpy(kept->values, values, (size_t)(samples * stride) * sizeof(double));
    return RBV_OK;
}

static void analyse(Run *run, RbvStatus expected) {
    RbvDiagnostics *diagnostics = rbv_diagnostics_create();
    run->options.samples.keeper = &run->keeper;
    RbvStatus status = rbv_simulate(run->system, &run->options, diagnostics, &run->result);
    for (int32_t k = 0; status != expected && k < rbv_diagnostics_count(diagnostics); k++)
        print_error("%s\n", rbv_diagnostics_at(diagnostics, k).message);
    assert_int_equal(status, expected);
    rbv_diagnostics_destroy(diagnostics);
    run->json = run->result ? rbv_result_text(run->result, RBV_TEXT_JSON, NULL) : NULL;
    run->series = run->result ? rbv_result_text(run->result, RBV_TEXT_SERIES, NULL) : NULL;
}

static void forget(Run *run) {
    for (int32_t k = 0; k < run->count; k++) {
        free(run->kept[k].state);
        free(run->kept[k].values);
    }
    free(run->json);
    free(run->series);
    rbv_result_destroy(run->result);
}

static RbvSystem *compile(const char *text, RbvModel **model) {
    RbvDiagnostics *diagnostics = rbv_diagnostics_create();
    RbvSystem *system = NULL;
    RbvStatus status =
        rbv_model_read(&(RbvInput){.path = "model", .text = text, .length = strlen(text)}, diagnostics, model);
    if (status == RBV_OK)
        status = rbv_system_create(*model, NULL, diagnostics, &system);
    for (int32_t k = 0; status != RBV_OK && k < rbv_diagnostics_count(diagnostics); k++)
        print_error("%s\n", rbv_diagnostics_at(diagnostics, k).message);
    assert_int_equal(status, RBV_OK);
    rbv_diagnostics_destroy(diagnostics);
    return system;
}

/* Where two texts part, for people. */
static void assert_same(const char *a, const char *b, int32_t from) {
    size_t k = 0;
    while (a[k] && a[k] == b[k])
        k++;
    size_t begin = k > 60 ? k - 60 : 0;
    if (a[k] != b[k])
        fail_msg("gone on from checkpoint %d: ...%.100s... is ...%.100s...", (int)from, a + begin, b + begin);
}

/* Broken at every `every`-th checkpoint of `steps` steps with ROBERVAL_MORE, else at a third of them, and with
 * ROBERVAL_QUICK (make test) at a ninth; there are `least`
 * of them, else this says little. */
static void break_everywhere(const char *text, int32_t steps, int32_t every, bool all_steps, int32_t least) {
    Run *whole = calloc(1, sizeof *whole), *rest = calloc(1, sizeof *rest);
    assert_true(whole && rest);
    whole->options = rbv_options_default;
    whole->options.motion.every_step = all_steps;
    whole->system = compile(text, &whole->model);
    whole->keeper = (RbvKeeper){.context = whole, .keep = take, .steps = steps};
    analyse(whole, RBV_OK);
    assert_true(whole->count >= least);
    int32_t apart = getenv("ROBERVAL_MORE") ? every : 3 * every + 1;
    if (getenv("ROBERVAL_QUICK"))
        apart *= 3;
    for (int32_t k = 0; k < whole->count; k += apart) {
        const Kept *kept = &whole->kept[k];
        *rest = (Run){.system = whole->system, .options = whole->options};
        rest->keeper = (RbvKeeper){
            .state = kept->state, .size = kept->size, .values = kept->values, .samples = kept->samples, .steps = steps};
        analyse(rest, RBV_OK);
        assert_same(whole->series, rest->series, k);
        assert_same(whole->json, rest->json, k);
        forget(rest);
    }
    forget(whole);
    rbv_system_destroy(whole->system);
    rbv_model_destroy(whole->model);
    free(rest);
    free(whole);
}

/* With a checkpoint at each step, and with none: the same to rounding, as far as the motion does not magnify it. */
static void pass_unharmed(const char *text) {
    Run *often = calloc(1, sizeof *often), *never = calloc(1, sizeof *never);
    assert_true(often && never);
    often->options = never->options = rbv_options_default;
    often->system = never->system = compile(text, &often->model);
    often->keeper.steps = 1;
    never->keeper.steps = INT32_MAX;
    analyse(often, RBV_OK);
    analyse(never, RBV_OK);
    int32_t samples = rbv_result_counts(never->result).samples;
    assert_int_equal(samples, rbv_result_counts(often->result).samples);
    for (int32_t c = 0; c < rbv_result_counts(never->result).columns; c++) {
        const RbvResultColumn column = rbv_result_column(never->result, c);
        const double *a = column.values, *b = rbv_result_column(often->result, c).values;
        int32_t stride = column.stride;
        double size = 1;
        for (int32_t k = 0; k < samples; k++)
            size = fmax(size, fabs(a[k * stride]));
        assert_int_equal(rbv_result_column(never->result, c).verdict, rbv_result_column(often->result, c).verdict);
        for (int32_t k = 0; k < samples; k++)
            if (fabs(a[k * stride] - b[k * stride]) > 1e-6 * size)
                fail_msg("%s at %g: %.17g, with checkpoints %.17g", rbv_result_column(never->result, c).name, a[0],
                         a[k * stride], b[k * stride]);
    }
    forget(often);
    forget(never);
    rbv_system_destroy(often->system);
    rbv_model_destroy(often->model);
    free(often);
    free(never);
}

static void test_stops(void **state) {
    (void)state;
    break_everywhere(stops, 1, 7, false, 150);
    break_everywhere(stops, 5, 9, true, 30);
    pass_unharmed(stops);
}

static void test_a_stiff_chain(void **state) {
    (void)state;
    char *text = stiff_chain();
    break_everywhere(text, 1, 17, false, 60);
    break_everywhere(text, 7, 5, false, 8);
    pass_unharmed(text);
    free(text);
}

static void test_space(void **state) {
    (void)state;
    break_everywhere(space, 1, 11, false, 40);
    break_everywhere(space, 3, 7, true, 12);
    pass_unharmed(space);
}

static void test_compliances(void **state) {
    (void)state;
    break_everywhere(shared, 1, 5, false, 15);
    pass_unharmed(shared);
}

static void test_work_of_constraints(void **state) {
    (void)state;
    break_everywhere(working, 1, 7, false, 45);
    pass_unharmed(working);
}

static void test_stiff(void **state) {
    (void)state;
    break_everywhere(stiff, 1, 11, false, 400);
    break_everywhere(stiff, 7, 3, true, 40);
}

static void test_sparse(void **state) {
    (void)state;
    char *text = chain(12);
    break_everywhere(text, 2, 9, false, 15);
    free(text);
}

static void test_what_does_not_fit_is_refused(void **state) {
    (void)state;
    Run *run = calloc(1, sizeof *run), *other = calloc(1, sizeof *other);
    assert_true(run && other);
    run->options = other->options = rbv_options_default;
    run->system = compile(working, &run->model);
    run->keeper = (RbvKeeper){.context = run, .keep = take, .steps = 3};
    analyse(run, RBV_OK);
    other->system = run->system;
    for (int k = 0; k < 3;
         k++) { /* cut short, by half, and of no length: a run that began and kept nothing yet, which begins anew */
        Kept *kept = &run->kept[1];
        other->keeper = (RbvKeeper){.state = kept->state,
                                    .size = k == 0   ? kept->size - 8
                                            : k == 1 ? kept->size / 2
                                                     : 0,
                                    .values = kept->values,
                                    .samples = kept->samples,
                                    .steps = 3};
        analyse(other, k < 2 ? RBV_BAD_INPUT : RBV_OK);
        if (k == 2)
            assert_string_equal(other->series, run->series);
        forget(other);
        other->json = other->series = NULL;
        other->result = NULL;
    }
    forget(run);
    rbv_system_destroy(run->system);
    rbv_model_destroy(run->model);
    free(run);
    free(other);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_stops),
                                       cmocka_unit_test(test_space),
                                       cmocka_unit_test(test_a_stiff_chain),
                                       cmocka_unit_test(test_compliances),
                                       cmocka_unit_test(test_work_of_constraints),
                                       cmocka_unit_test(test_sparse),
                                       cmocka_unit_test(test_stiff),
                                       cmocka_unit_test(test_what_does_not_fit_is_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
