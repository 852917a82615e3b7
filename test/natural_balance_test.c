/* The balance of statics in natural coordinates against differences: K of forces and rows, on the rigid rows and off
 * them; Newton's last steps, each of which squares what is left; what the rows leave free, by Gauss and Jordan; and
 * that bodies, balanced again where points and vectors rest, stay where they are, by every method.
 *
 * Differences of fourth order and of a step h = 2e-4 of the size leave h^4 = 2e-15 of fifth derivatives and rounding
 * over h, 1e-12, of forces: 1e-9 of the largest entry is asked. */
#include "core/solve/elimination.h"
#include "solution/assembly/assemble.h"
#include "statics/equilibrium.h"
#include "statics/stability.h"
#include "support/machines.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define STEP 2e-4
#define NEAR 1e-9
/* How far points and vectors are moved off the rigid rows: bodies are stretched by as much. */
#define STRETCH 0.05

/* A five-bar with springs: two freedoms. */
static const char five_bar[] =
    "roberval: 1\nspace: planar\ngravity: [0, -9.81]\nbodies:\n  ground: {markers: {A: [0, 0], B: [2, 0]}}\n"
    "  two: {mass: 1.5, inertia: 0.15, centroid: [0.5, 0], pose: {at: [0, 0], angle: 2}, markers: {E: [1, 0]}}\n"
    "  three: {mass: 2, inertia: 0.45, centroid: [0.7, 0.1], pose: {at: [-0.416, 0.909], angle: 0.44}, markers: {E: "
    "[1.6, 0]}}\n"
    "  four: {mass: 1.8, inertia: 0.4, centroid: [0.6, -0.1], pose: {at: [2.326, 0.839], angle: 2.614}, markers: {E: "
    "[1.5, 0]}}\n"
    "  five: {mass: 1.2, inertia: 0.1, centroid: [0.4, 0], pose: {at: [2, 0], angle: 1.2}, markers: {E: [0.9, 0]}}\n"
    "joints:\n  A: {type: revolute, between: [ground.A, two]}\n  C: {type: revolute, between: [two.E, three]}\n  D: "
    "{type: revolute, between: [three.E, four.E]}\n"
    "  F: {type: revolute, between: [five.E, four]}\n  B: {type: revolute, between: [ground.B, five]}\n"
    "loads:\n  s: {type: spring, between: [two.E, five.E], stiffness: 300, free_length: 1.9}\n  k: {type: "
    "torsion-spring, joint: A, stiffness: 60, free_angle: 2}\n";

/* In space on balls, a cross, a hinge and a slide that no sharing keeps in full: bodies of three vectors and of two,
 * rows of joints besides. */
static const char in_space[] =
    "roberval: 1\nspace: spatial\ngravity: [0.3, -1, -9.81]\nbodies:\n  ground: {markers: {G: [2, 0.5, 0]}}\n"
    "  a: {mass: 2, inertia: [0.3, 0.4, 0.5], centroid: [0.4, 0.1, 0], pose: {at: [0, 0, 0]}, markers: {E: [1, 0, "
    "0]}}\n"
    "  b: {mass: 1, inertia: [0.1, 0.2, 0.25], centroid: [0.5, 0, 0.1], pose: {at: [1, 0, 0], rotate: {axis: [0, 0, "
    "1], angle: 0.7}}, markers: {E: [1, 0, 0]}}\n"
    "  c: {mass: 3, inertia: [0.2, 0.3, 0.4], centroid: [0.3, 0, 0], pose: {at: [1.8, 0.6, 0], rotate: {axis: [0, 1, "
    "0], angle: 0.4}}, markers: {E: [0.7, 0, 0], S: {at: [0.2, 0.1, 0], axis: [1, 0, 0]}}}\n"
    "  d: {mass: 0.5, inertia: [0.02, 0.03, 0.04], pose: {at: [2, 0.7, 0], rotate: {axis: [0, 1, 0], angle: 0.4}}, "
    "markers: {S: {at: [0, 0, 0], axis: [1, 0, 0]}}}\n"
    "joints:\n  A: {type: spherical, between: [ground, a]}\n  B: {type: universal, between: [a.E, b], at: [1, 0, 0]}\n "
    " C: {type: revolute, between: [b.E, c]}\n  S: {type: prismatic, between: [c.S, d.S]}\n"
    "loads:\n  s: {type: spring, between: [ground.G, c.E], stiffness: 40, free_length: 1.5}\n  t: {type: spring, "
    "between: [ground.G, d], stiffness: 90, free_length: 0.5}\n"
    "  m: {type: bushing, between: [ground, a], stiffness: [10, 10, 10, 5, 6, 7]}\n";

/* Three parallel cranks: a row that repeats others. */
static const char cranks[] =
    "roberval: 1\nspace: planar\ngravity: [0, -9.81]\nbodies:\n  ground: {markers: {A: [0, 0], B: [1, 0], C: [2, 0], "
    "S: [3, 1]}}\n"
    "  a: {mass: 1, inertia: 0.1, pose: {at: [0, 0]}, markers: {P: [0, 1]}}\n  b: {mass: 1, inertia: 0.1, pose: {at: "
    "[1, 0]}, markers: {P: [0, 1]}}\n"
    "  c: {mass: 1, inertia: 0.1, pose: {at: [2, 0]}, markers: {P: [0, 1]}}\n"
    "  bar: {mass: 5, inertia: 1, pose: {at: [0, 1]}, markers: {A: [0, 0], B: [1, 0], C: [2, 0], E: [2.5, 0]}}\n"
    "joints:\n  A: {type: revolute, between: [ground.A, a]}\n  B: {type: revolute, between: [ground.B, b]}\n  C: "
    "{type: revolute, between: [ground.C, c]}\n"
    "  AP: {type: revolute, between: [a.P, bar.A]}\n  BP: {type: revolute, between: [b.P, bar.B]}\n  CP: {type: "
    "revolute, between: [c.P, bar.C]}\n"
    "loads: {s: {type: spring, between: [ground.S, bar.E], stiffness: 300, free_length: 0.3}}\n";

/* A body of two vectors, whose third is their cross product, and loads that have no energy. */
static const char crossed[] =
    "roberval: 1\nspace: spatial\ngravity: [0.3, -1, -9.81]\nbodies:\n  ground: {markers: {A: [0, 0, 0], B: {at: [1.5, "
    "0.2, 0.1], axis: [0.6, 0, 0.8]}}}\n"
    "  crank: {mass: 2, inertia: [0.3, 0.4, 0.5], centroid: [0.4, 0.1, 0.05], pose: {at: [0, 0, 0]}, markers: {E: "
    "[0.5, 0, 0]}}\n"
    "  rod: {mass: 1, inertia: [0.1, 0.2, 0.25], centroid: [0.5, 0.1, 0.1], pose: {at: [0.5, 0, 0], rotate: {axis: [0, "
    "0, 1], angle: 0.3}}, markers: {E: [1, 0, 0]}}\n"
    "joints:\n  A: {type: revolute, between: [ground.A, crank]}\n  B: {type: spherical, between: [crank.E, rod]}\n"
    "loads:\n  s: {type: spring, between: [ground.B, rod.E], stiffness: 40, free_length: 0.5}\n  f: {type: force, to: "
    "rod.E, frame: body, value: [3, -5, 7]}\n  t: {type: torque, to: crank, value: [1, 2, -4]}\n"
    "  m: {type: bushing, between: [ground, rod], stiffness: [10, 10, 10, 5, 6, 7]}\n";

typedef struct Machine {
    RbvModel *model;
    RbvSystem *system;
    RbvState *bodies, *state;
    RbvBalance *balance, *natural;
    RbvEquilibriumSearch search;
} Machine;

/* Assembled, and placed. */
static void build(Machine *m, const char *text) {
    RbvAssembly assembly = {.driven = true};
    *m = (Machine){.model = machine_read(text)};
    assert_int_equal(
        rbv_system_create(m->model, &(RbvSystemOptions){.coordinates = RBV_COORDINATES_NATURAL}, NULL, &m->system),
        RBV_OK);
    m->bodies = rbv_state_create(m->system->absolute);
    m->state = rbv_state_create(m->system);
    assert_true(m->bodies && m->state);
    assert_int_equal(rbv_assemble_position(m->bodies, 0, NULL, &assembly), RBV_OK);
    assert_int_equal(rbv_assemble_position(m->state, 0, NULL, &assembly), RBV_OK);
    m->balance = rbv_balance_create(m->bodies, false);
    m->natural = rbv_balance_create(m->state, false);
    assert_true(m->balance && m->natural);
    assert_true(rbv_balance_evaluate(m->balance) && rbv_balance_evaluate(m->natural));
    assert_int_equal(rbv_equilibrium_create(&m->search, m->balance, NULL), RBV_OK);
}

static void destroy(Machine *m) {
    rbv_equilibrium_destroy(&m->search);
    rbv_balance_destroy(m->balance);
    rbv_balance_destroy(m->natural);
    rbv_state_destroy(m->state);
    rbv_state_destroy(m->bodies);
    rbv_system_destroy(m->system);
    rbv_model_destroy(m->model);
}

static double *numbers(int32_t n) {
    double *x = calloc((size_t)n + 1, sizeof *x);
    assert_non_null(x);
    return x;
}

static void random_numbers(uint64_t *seed, double size, int32_t n, double *x) {
    for (int32_t j = 0; j < n; j++)
        x[j] = size * machine_random(seed);
}

/* K y is the derivative of g + C^T lambda along y, for any multipliers, at places that are on the rigid rows or off
 * them. */
static void stiffness(const char *text, double off) {
    static const struct {
        double at, weight;
    } points[] = {{1, 8.0 / 12}, {-1, -8.0 / 12}, {2, -1.0 / 12}, {-2, 1.0 / 12}};
    Machine m;
    build(&m, text);
    RbvBalance *b = m.natural;
    uint64_t seed = 5;
    double *y = numbers(b->n), *slope = numbers(b->n), *K_y = numbers(b->n);
    random_numbers(&seed, off, b->n, y);
    rbv_balance_store(b);
    rbv_balance_move(b, y, 1);
    assert_true(rbv_balance_evaluate(b));
    random_numbers(&seed, 100, b->rows, b->lambda);
    for (int32_t k = 0; k < b->rows; k++)
        b->lambda[k] = b->weight[k] == 0 ? 0 : b->lambda[k];
    for (int trial = 0; trial < 5; trial++) {
        random_numbers(&seed, 1, b->n, y);
        rbv_balance_fill_stiffness(b);
        double largest = b->kappa;
        rbv_balance_stiffness(b, y, K_y);
        memset(slope, 0, (size_t)b->n * sizeof *slope);
        rbv_balance_store(b);
        for (size_t p = 0; p < sizeof points / sizeof *points; p++) {
            rbv_balance_move(b, y, points[p].at * STEP);
            assert_true(rbv_balance_evaluate(b));
            rbv_balance_residual(b, b->lambda);
            for (int32_t j = 0; j < b->n; j++)
                slope[j] += points[p].weight / STEP * b->K_y[j];
        }
        rbv_balance_restore(b);
        assert_true(rbv_balance_evaluate(b));
        for (int32_t i = 0; i < b->n; i++)
            assert_near(K_y[i], slope[i], NEAR * largest);
    }
    free(y), free(slope), free(K_y);
    destroy(&m);
}

static void stiffness_of_forces_and_rows(void **unused) {
    (void)unused;
    static const char *const machines[] = {five_bar, in_space, cranks, crossed};
    for (size_t k = 0; k < sizeof machines / sizeof *machines; k++) {
        stiffness(machines[k], 0);
        stiffness(machines[k], STRETCH);
    }
}

/* Of an energy it is symmetric, on the rigid rows and off them. */
static void stiffness_of_an_energy_is_symmetric(void **unused) {
    (void)unused;
    Machine m;
    build(&m, in_space);
    RbvBalance *b = m.natural;
    uint64_t seed = 7;
    double *x = numbers(b->n), *y = numbers(b->n), *K_x = numbers(b->n), *K_y = numbers(b->n);
    random_numbers(&seed, STRETCH, b->n, x);
    rbv_balance_store(b);
    rbv_balance_move(b, x, 1);
    assert_true(rbv_balance_evaluate(b));
    random_numbers(&seed, 1, b->n, x);
    random_numbers(&seed, 1, b->n, y);
    rbv_balance_fill_stiffness(b);
    rbv_balance_stiffness(b, x, K_x);
    rbv_balance_stiffness(b, y, K_y);
    assert_near(rbv_balance_dot(b, y, K_x), rbv_balance_dot(b, x, K_y), 1e-13 * b->kappa * b->n);
    free(x), free(y), free(K_x), free(K_y);
    destroy(&m);
}

/* Gauss and Jordan with full pivoting: J R = 0, B R = 1, and as many motions as there are freedoms. */
static void spans(const char *text, int32_t freedoms) {
    Machine m;
    build(&m, text);
    RbvBalance *b = m.natural;
    size_t n = (size_t)b->n;
    double *J = numbers(b->rows * b->n), *work = numbers(b->rows * b->n), *R = numbers(b->n * b->n), smallest;
    int32_t *row = calloc((size_t)b->rows + 1, sizeof *row), *column = calloc(n + 1, sizeof *column);
    assert_true(row && column);
    for (int32_t k = 0; k < b->rows; k++)
        for (int32_t e = b->system->C.start[k]; e < b->system->C.start[k + 1]; e++)
            J[(size_t)k * n + (size_t)b->system->C.column[e]] = b->C[e];
    memcpy(work, J, (size_t)b->rows * n * sizeof *J);
    int32_t rank = rbv_gauss_jordan(b->rows, b->n, work, row, column, 1e-9, &smallest);
    assert_int_equal(b->n - rank, freedoms);
    rbv_gauss_jordan_null_space(b->n, work, row, column, rank, R);
    for (int32_t k = 0; k < freedoms; k++)
        for (int32_t i = 0; i < b->rows; i++)
            assert_near(rbv_balance_dot(b, J + (size_t)i * n, R + (size_t)k * n), 0, 1e-12);
    for (int32_t k = 0; k < freedoms; k++)
        for (int32_t i = 0; i < freedoms; i++)
            assert_near(R[(size_t)k * n + (size_t)column[rank + i]], i == k, 0);
    free(J), free(work), free(R), free(row), free(column);
    destroy(&m);
}

static void motions_span_what_rows_leave(void **unused) {
    (void)unused;
    spans(five_bar, 2);
    spans(in_space, 7); /* a ball 3, a cross 2, a hinge and a slide */
    spans(cranks, 1);
}

/* What is left after one step from beside the equilibrium, moved along a motion by z and brought back to the rows. */
static double left_after_a_step(Machine *m, const double *rest, const double *lambda, const double *motion, double z) {
    RbvBalance *b = m->natural;
    double *y = numbers(b->n), *l = numbers(b->rows);
    memcpy(b->state->q, rest, (size_t)b->system->coordinates.position_size * sizeof *rest);
    rbv_balance_store(b);
    rbv_balance_move(b, motion, z);
    assert_true(rbv_balance_project(b));
    memcpy(b->lambda, lambda, (size_t)b->rows * sizeof *lambda);
    assert_true(rbv_balance_factor(b, 1e-11, 0, 1e-10 / b->kappa));
    rbv_balance_newton(b, false, y, l);
    memcpy(b->lambda, l, (size_t)b->rows * sizeof *l);
    rbv_balance_store(b);
    rbv_balance_move(b, y, 1);
    assert_true(rbv_balance_evaluate(b));
    double left = rbv_balance_residual(b, b->lambda);
    free(y), free(l);
    return left;
}

/* Half the distance leaves a quarter: K of exact second derivatives. One that lacks those of rows leaves a half. */
static void newton_squares_what_is_left(void **unused) {
    (void)unused;
    Machine m;
    build(&m, five_bar);
    RbvBalance *b = m.natural;
    RbvStability stability;
    assert_int_equal(rbv_equilibrium_in_coordinates(m.system, rbv_equilibrium_by_energy, &m.search), RBV_OK);
    rbv_coordinates_positions(&m.bodies->system->coordinates, m.bodies->q, m.bodies->bodies);
    rbv_coordinates_from_bodies(&m.system->coordinates, m.bodies->bodies, m.state->q);
    assert_true(rbv_balance_evaluate(b) && rbv_balance_multipliers(b));
    assert_true(rbv_balance_residual(b, b->lambda) < 1e-9 * b->force_size);
    double *rest = numbers(m.system->coordinates.position_size), *lambda = numbers(b->rows);
    memcpy(rest, m.state->q, (size_t)m.system->coordinates.position_size * sizeof *rest);
    memcpy(lambda, b->lambda, (size_t)b->rows * sizeof *lambda);
    assert_int_equal(rbv_stability_find(b, true, 0, &stability), RBV_OK);
    assert_int_equal(stability.kind, RBV_STABLE);
    double step = 0.04 / rbv_balance_extent(b, stability.direction);
    double far = left_after_a_step(&m, rest, lambda, stability.direction, step),
           half = left_after_a_step(&m, rest, lambda, stability.direction, step / 2),
           quarter = left_after_a_step(&m, rest, lambda, stability.direction, step / 4);
    assert_true(far > 1e-9 && half < 0.35 * far && quarter < 0.35 * half);
    free(rest), free(lambda), free(stability.direction);
    destroy(&m);
}

/* Bodies that are balanced anew where points and vectors rest move by rounding only, by each method that holds rows
 * exactly. */
static void bodies_rest_where_points_do(void **unused) {
    (void)unused;
    static RbvEquilibriumMethod *const methods[] = {rbv_equilibrium_by_newton,        rbv_equilibrium_by_energy,
                                                    rbv_equilibrium_by_lagrange,      rbv_equilibrium_by_augmented,
                                                    rbv_equilibrium_by_virtual_power, rbv_equilibrium_by_relaxation};
    static const char *const machines[] = {five_bar, in_space, cranks};
    for (size_t i = 0; i < sizeof machines / sizeof *machines; i++)
        for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
            Machine m;
            build(&m, machines[i]);
            assert_int_equal(rbv_equilibrium_in_coordinates(m.system, methods[k], &m.search), RBV_OK);
            assert_true(m.search.transfer_move < 1e-10);
            destroy(&m);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stiffness_of_forces_and_rows), cmocka_unit_test(stiffness_of_an_energy_is_symmetric),
        cmocka_unit_test(motions_span_what_rows_leave), cmocka_unit_test(newton_squares_what_is_left),
        cmocka_unit_test(bodies_rest_where_points_do),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
