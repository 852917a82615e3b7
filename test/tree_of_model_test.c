/* Trees of models: their efforts are those of the whole program, in absolute coordinates, for the same motion; what is
 * no open tree is refused. */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/machines.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A text that grows. */
static char text[60000];
static size_t used;
static void put(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    used += (size_t)vsnprintf(text + used, sizeof text - used, format, arguments);
    va_end(arguments);
    assert_true(used < sizeof text);
}

static uint64_t seed = 4711;
static double random_number(double most) {
    return most * machine_random(&seed);
}

/* A coordinate that is driven: amplitude sin(2 t + phase). */
typedef struct Driven {
    char coordinate[40], effort[40];
    double amplitude, phase;
} Driven;

static void put_marker(const char *name) {
    put("%s: {at: [%.17g, %.17g, %.17g], rotate: {axis: [%.17g, %.17g, %.17g], angle: %.17g}}", name,
        random_number(0.3), random_number(0.3), random_number(0.3), random_number(1), random_number(1),
        random_number(1), random_number(3));
}

enum { BODIES = 12 };
static const char *const kinds[] = {"revolute", "prismatic", "cylindrical", "revolute", "screw", "fixed"};
static const char *kind_of(int body) {
    return kinds[body % 6];
}
static int parent_of(int body) {
    return body == 0 ? -1 : body % 4 == 3 ? body / 2 : body - 1;
}

/* A tree in space; joints written from either side; every coordinate driven. Returns how many. */
static int put_tree(Driven *driven) {
    int count = 0;
    used = 0;
    put("roberval: 1\nspace: spatial\ngravity: [1, 2, -9.81]\nbodies:\n");
    for (int k = -1; k < BODIES; k++) {
        if (k < 0)
            put("  ground: {markers: {");
        else
            put("  b%d: {mass: %.17g, centroid: [%.17g, %.17g, %.17g], inertia: [%.17g, %.17g, %.17g, %.17g, %.17g, "
                "%.17g], markers: {",
                k, 2 + random_number(1), random_number(.1), random_number(.1), random_number(.1),
                0.02 + random_number(.003), 0.02 + random_number(.003), 0.02 + random_number(.003), random_number(.002),
                random_number(.002), random_number(.002));
        for (int child = 0; child < BODIES; child++) {
            char name[20];
            snprintf(name, sizeof name, "to%d", child);
            if (parent_of(child) == k)
                put_marker(name), put(", ");
        }
        if (k >= 0)
            put_marker("own");
        else
            put("unused: [0, 0, 0]");
        put("}}\n");
    }
    put("joints:\n");
    for (int k = 0; k < BODIES; k++) {
        char parent[20];
        snprintf(parent, sizeof parent, parent_of(k) < 0 ? "ground" : "b%d", parent_of(k));
        if (k % 5 == 2 || k % 5 == 4)
            put("  j%d: {type: %s, between: [b%d.own, %s.to%d]%s}\n", k, kind_of(k), k, parent, k,
                k % 6 == 4 ? ", pitch: 0.2" : "");
        else
            put("  j%d: {type: %s, between: [%s.to%d, b%d.own]%s}\n", k, kind_of(k), parent, k, k,
                k % 6 == 4 ? ", pitch: 0.2" : "");
    }
    put("drives:\n");
    for (int k = 0; k < BODIES; k++) {
        bool turns = k % 6 != 1 && k % 6 != 5, slides = k % 6 == 1 || k % 6 == 2;
        for (int part = 0; part < 2; part++) {
            if (!(part ? slides : turns))
                continue;
            Driven *d = driven + count;
            snprintf(d->coordinate, sizeof d->coordinate, "j%d.%s", k, part ? "distance" : "angle");
            snprintf(d->effort, sizeof d->effort, "m%d.effort", count);
            d->amplitude = part ? 0.2 : 0.8;
            d->phase = random_number(1);
            put("  m%d: {coordinate: %s, motion: \"%.17g*sin(2*t + %.17g)\"%s}\n", count, d->coordinate, d->amplitude,
                d->phase, count % 3 == 0 ? ", rotor: {inertia: 0.0002, ratio: 20}" : "");
            count++;
        }
    }
    put("motion: {from: 0, to: 2, step: 0.25}\n");
    return count;
}

static RbvTree *tree_of(const RbvModel *model) {
    RbvDiagnostics *diagnostics = rbv_diagnostics_create();
    RbvTree *tree = NULL;
    RbvStatus status = rbv_tree_from_model(model, diagnostics, &tree);
    if (status != RBV_OK)
        machine_print(diagnostics);
    assert_int_equal(status, RBV_OK);
    rbv_diagnostics_destroy(diagnostics);
    return tree;
}

static int32_t number_of(const RbvTree *tree, const char *coordinate) {
    for (int32_t k = 0; k < rbv_tree_q_count(tree); k++)
        if (strcmp(rbv_tree_coordinate(tree, k), coordinate) == 0) {
            assert_int_equal(rbv_tree_find_coordinate(tree, coordinate), k);
            return k;
        }
    fail_msg("no coordinate %s", coordinate);
    return -1;
}

static void efforts_are_those_of_the_whole_program(void **unused) {
    (void)unused;
    for (int round = 0; round < 4; round++) {
        Driven driven[2 * BODIES];
        int count = put_tree(driven);
        RbvModel *model = machine_read(text);
        RbvSystem *system = machine_compile(model);
        RbvTree *tree = tree_of(model);
        RbvTreeWorkspace *workspace = NULL;
        RbvResult *result = NULL;
        RbvDiagnostics *diagnostics = rbv_diagnostics_create();
        RbvStatus status = rbv_inverse(system, NULL, diagnostics, &result);
        if (status != RBV_OK)
            machine_print(diagnostics);
        assert_int_equal(status, RBV_OK);
        rbv_diagnostics_destroy(diagnostics);
        assert_int_equal(rbv_tree_workspace_create(tree, 1, &workspace), RBV_OK);
        assert_int_equal(rbv_tree_v_count(tree), count);
        assert_int_equal(rbv_tree_q_count(tree), count);
        for (int32_t sample = 0; sample < rbv_result_counts(result).samples; sample++) {
            double t = rbv_result_value(result, sample, 0), q[2 * BODIES], v[2 * BODIES], a[2 * BODIES],
                   tau[2 * BODIES], most = 0;
            for (int k = 0; k < count; k++) {
                int32_t at = number_of(tree, driven[k].coordinate);
                q[at] = driven[k].amplitude * sin(2 * t + driven[k].phase);
                v[at] = 2 * driven[k].amplitude * cos(2 * t + driven[k].phase);
                a[at] = -4 * q[at];
            }
            assert_int_equal(rbv_tree_inverse(tree, workspace, NULL, q, v, a, NULL, tau, NULL), RBV_OK);
            for (int k = 0; k < count; k++)
                most = fmax(most, fabs(tau[k]));
            for (int k = 0; k < count; k++) /* both to rounding of a chain of a dozen bodies; whole turns of the start
                                               may differ, angles not */
                assert_near(tau[number_of(tree, driven[k].coordinate)],
                            rbv_result_value(result, sample, rbv_result_find(result, driven[k].effort)), 1e-11 * most);
        }
        rbv_result_destroy(result);
        rbv_tree_workspace_destroy(workspace);
        rbv_tree_destroy(tree);
        rbv_system_destroy(system);
        rbv_model_destroy(model);
    }
}

/* Planar ones: a pendulum on a cart, and what else a coordinate has of its own. */
static void a_planar_tree_has_the_closed_form(void **unused) {
    (void)unused;
    RbvModel *model = machine_read("roberval: 1\nspace: planar\ngravity: [0, -9.81]\nbodies:\n  cart: {mass: 3, "
                                   "inertia: 1}\n  bob: {mass: 2, inertia: 0.1, markers: {pin: [0, 0.7]}}\n"
                                   "joints:\n  rail: {type: prismatic, between: [ground, cart], damping: 5}\n  pin: "
                                   "{type: revolute, between: [bob.pin, cart]}\n"
                                   "stops: {end: {coordinate: rail.distance, min: -2, max: 3}}\nloads: {wind: {type: "
                                   "force, to: bob, value: [1, 0]}}\n");
    RbvTree *tree = tree_of(model);
    RbvTreeWorkspace *workspace = NULL;
    assert_int_equal(rbv_tree_workspace_create(tree, 1, &workspace), RBV_OK);
    int32_t x = number_of(tree, "rail.distance"), turn = number_of(tree, "pin.angle");
    double q[2], v[2], a[2], tau[2];
    q[x] = 0.3, v[x] = 0.5, a[x] = -0.4;
    q[turn] = 0.6, v[turn] = 1.1, a[turn] = 2;
    assert_int_equal(rbv_tree_inverse(tree, workspace, NULL, q, v, a, NULL, tau, NULL), RBV_OK);
    /* the pin's first is the bob: its angle is that of the cart against the bob, the bob turns by phi = -angle. Centre
     * at 0.7 below the pin: m x'' + m l (phi'' cos phi - phi'^2 sin phi) */
    double phi = -q[turn], w = -v[turn], dw = -a[turn], l = 0.7, m = 2;
    assert_near(tau[x], (3 + m) * a[x] + m * l * (dw * cos(phi) - w * w * sin(phi)) + 5 * v[x], 1e-12);
    assert_near(-tau[turn], (0.1 + m * l * l) * dw + m * l * a[x] * cos(phi) + m * 9.81 * l * sin(phi), 1e-12);
    const RbvTreeBody *cart = rbv_tree_body(tree, rbv_tree_find(tree, "cart"));
    assert_true(cart->lower[0] == -2 && cart->upper[0] == 3);
    rbv_tree_workspace_destroy(workspace);
    rbv_tree_destroy(tree);
    rbv_model_destroy(model);
}

static void assert_refused(const char *model_text, const char *message) {
    RbvModel *model = machine_read(model_text);
    RbvDiagnostics *diagnostics = rbv_diagnostics_create();
    RbvTree *tree = NULL;
    assert_int_equal(rbv_tree_from_model(model, diagnostics, &tree), RBV_BAD_INPUT);
    assert_null(tree);
    if (!machine_says(diagnostics, RBV_ERROR, message)) {
        machine_print(diagnostics);
        fail_msg("not said: %s", message);
    }
    rbv_diagnostics_destroy(diagnostics);
    rbv_model_destroy(model);
}

static void what_is_no_open_tree_is_refused(void **unused) {
    (void)unused;
    assert_refused(machine_four_bar, "(revolute) closes a loop, or comes and goes, or holds no directions");
    assert_refused("roberval: 1\nspace: planar\nbodies: {a: {mass: 1, inertia: 1}}\njoints: {p: {type: revolute, "
                   "between: [ground, a]}}\nconstraints: {c: {equation: \"p.angle - 1\"}}\n",
                   "an open tree cannot have it: constraint 'c'");
    RbvModel *empty = rbv_model_create(RBV_PLANAR, "empty");
    RbvTree *tree = NULL;
    assert_int_equal(rbv_tree_from_model(empty, NULL, &tree), RBV_BAD_INPUT);
    rbv_model_destroy(empty);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(efforts_are_those_of_the_whole_program),
        cmocka_unit_test(a_planar_tree_has_the_closed_form),
        cmocka_unit_test(what_is_no_open_tree_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
