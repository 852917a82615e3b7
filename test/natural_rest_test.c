/* Kernels of statics in natural coordinates against differences: the motions R that rows leave, their derivative by accelerations at unit rates (R000-47), K of forces and rows; Newton's last steps, each of which
 * squares what is left; and that bodies, balanced again where points and vectors rest, stay where they are.
 *
 * Differences of step h = 1e-4 of the size leave h^2 = 1e-8 of third derivatives, and places known to 1e-15 leave 1e-15/h^2 = 1e-7 of second differences: 1e-5 is asked of both. */
#include "assembly/assemble.h"
#include "statics/natural_null.h"
#include "statics/natural_search.h"
#include "support/machines.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define STEP 1e-4
#define NEAR 1e-5

/* A five-bar with springs: two freedoms. */
static const char five_bar[] =
    "roberval: 1\nspace: planar\ngravity: [0, -9.81]\nbodies:\n  ground: {markers: {A: [0, 0], B: [2, 0]}}\n"
    "  two: {mass: 1.5, inertia: 0.15, centroid: [0.5, 0], pose: {at: [0, 0], angle: 2}, markers: {E: [1, 0]}}\n"
    "  three: {mass: 2, inertia: 0.45, centroid: [0.7, 0.1], pose: {at: [-0.416, 0.909], angle: 0.44}, markers: {E: [1.6, 0]}}\n"
    "  four: {mass: 1.8, inertia: 0.4, centroid: [0.6, -0.1], pose: {at: [2.326, 0.839], angle: 2.614}, markers: {E: [1.5, 0]}}\n"
    "  five: {mass: 1.2, inertia: 0.1, centroid: [0.4, 0], pose: {at: [2, 0], angle: 1.2}, markers: {E: [0.9, 0]}}\n"
    "joints:\n  A: {type: revolute, between: [ground.A, two]}\n  C: {type: revolute, between: [two.E, three]}\n  D: {type: revolute, between: [three.E, four.E]}\n"
    "  F: {type: revolute, between: [five.E, four]}\n  B: {type: revolute, between: [ground.B, five]}\n"
    "loads:\n  s: {type: spring, between: [two.E, five.E], stiffness: 300, free_length: 1.9}\n  k: {type: torsion-spring, joint: A, stiffness: 60, free_angle: 2}\n";

/* In space on balls, a cross, a hinge and a slide that no sharing keeps in full: bodies of three vectors and of two, rows of joints besides. */
static const char in_space[] =
    "roberval: 1\nspace: spatial\ngravity: [0.3, -1, -9.81]\nbodies:\n  ground: {markers: {G: [2, 0.5, 0]}}\n"
    "  a: {mass: 2, inertia: [0.3, 0.4, 0.5], centroid: [0.4, 0.1, 0], pose: {at: [0, 0, 0]}, markers: {E: [1, 0, 0]}}\n"
    "  b: {mass: 1, inertia: [0.1, 0.2, 0.25], centroid: [0.5, 0, 0.1], pose: {at: [1, 0, 0], rotate: {axis: [0, 0, 1], angle: 0.7}}, markers: {E: [1, 0, 0]}}\n"
    "  c: {mass: 3, inertia: [0.2, 0.3, 0.4], centroid: [0.3, 0, 0], pose: {at: [1.8, 0.6, 0], rotate: {axis: [0, 1, 0], angle: 0.4}}, markers: {E: [0.7, 0, 0], S: {at: [0.2, 0.1, 0], axis: [1, 0, 0]}}}\n"
    "  d: {mass: 0.5, inertia: [0.02, 0.03, 0.04], pose: {at: [2, 0.7, 0], rotate: {axis: [0, 1, 0], angle: 0.4}}, markers: {S: {at: [0, 0, 0], axis: [1, 0, 0]}}}\n"
    "joints:\n  A: {type: spherical, between: [ground, a]}\n  B: {type: universal, between: [a.E, b], at: [1, 0, 0]}\n  C: {type: revolute, between: [b.E, c]}\n  S: {type: prismatic, between: [c.S, d.S]}\n"
    "loads:\n  s: {type: spring, between: [ground.G, c.E], stiffness: 40, free_length: 1.5}\n  t: {type: spring, between: [ground.G, d], stiffness: 90, free_length: 0.5}\n"
    "  m: {type: bushing, between: [ground, a], stiffness: [10, 10, 10, 5, 6, 7]}\n";

/* Three parallel cranks: a row that repeats others. */
static const char cranks[] =
    "roberval: 1\nspace: planar\ngravity: [0, -9.81]\nbodies:\n  ground: {markers: {A: [0, 0], B: [1, 0], C: [2, 0], S: [3, 1]}}\n"
    "  a: {mass: 1, inertia: 0.1, pose: {at: [0, 0]}, markers: {P: [0, 1]}}\n  b: {mass: 1, inertia: 0.1, pose: {at: [1, 0]}, markers: {P: [0, 1]}}\n"
    "  c: {mass: 1, inertia: 0.1, pose: {at: [2, 0]}, markers: {P: [0, 1]}}\n"
    "  bar: {mass: 5, inertia: 1, pose: {at: [0, 1]}, markers: {A: [0, 0], B: [1, 0], C: [2, 0], E: [2.5, 0]}}\n"
    "joints:\n  A: {type: revolute, between: [ground.A, a]}\n  B: {type: revolute, between: [ground.B, b]}\n  C: {type: revolute, between: [ground.C, c]}\n"
    "  AP: {type: revolute, between: [a.P, bar.A]}\n  BP: {type: revolute, between: [b.P, bar.B]}\n  CP: {type: revolute, between: [c.P, bar.C]}\n"
    "loads: {s: {type: spring, between: [ground.S, bar.E], stiffness: 300, free_length: 0.3}}\n";

typedef struct Machine {
    RbvModel *model;
    RbvSystem *system;
    RbvState *bodies, *state;
    RbvBalance *balance;
    RbvEquilibriumSearch search;
    RbvRest rest;
    RbvRestNull null;
} Machine;

/* Assembled, and placed. */
static void build(Machine *m, const char *text) {
    RbvAssembly assembly = {.driven = true};
    *m = (Machine){.model = machine_read(text)};
    assert_int_equal(rbv_system_create_in(m->model, RBV_COORDINATES_NATURAL, NULL, &m->system), RBV_OK);
    m->bodies = rbv_state_create(m->system->twin);
    m->state = rbv_state_create(m->system);
    assert_true(m->bodies && m->state);
    assert_int_equal(rbv_assemble_position(m->bodies, 0, NULL, &assembly), RBV_OK);
    assert_int_equal(rbv_assemble_position(m->state, 0, NULL, &assembly), RBV_OK);
    m->balance = rbv_balance_create(m->bodies, false);
    assert_non_null(m->balance);
    assert_true(rbv_balance_place(m->balance));
    assert_int_equal(rbv_equilibrium_create(&m->search, m->balance, NULL), RBV_OK);
    assert_true(rbv_rest_create(&m->rest, m->state, &m->search));
    assert_true(rbv_rest_null_create(&m->null, &m->rest));
    assert_true(rbv_rest_place(&m->rest));
}

static void destroy(Machine *m) {
    rbv_rest_null_destroy(&m->null);
    rbv_rest_destroy(&m->rest);
    rbv_equilibrium_destroy(&m->search);
    rbv_balance_destroy(m->balance);
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

/* J R = 0, B R = 1, and as many motions as there are freedoms. */
static void spans(const char *text, int32_t freedoms) {
    Machine m;
    build(&m, text);
    RbvRest *r = &m.rest;
    assert_true(rbv_rest_null_find(&m.null, r));
    assert_int_equal(m.null.f, freedoms);
    for (int32_t k = 0; k < m.null.f; k++) {
        const double *R = m.null.R + (size_t)k * (size_t)r->n;
        for (int32_t i = 0; i < r->m; i++)
            assert_near(rbv_rest_dot(r, r->J + (size_t)i * (size_t)r->n, R), 0, 1e-12);
        for (int32_t i = 0; i < m.null.f; i++)
            assert_near(R[m.null.column[m.null.rank + i]], i == k, 0);
    }
    destroy(&m);
}

static void motions_span_what_rows_leave(void **unused) {
    (void)unused;
    spans(five_bar, 2);
    spans(in_space, 7); /* a ball 3, a cross 2, a hinge and a slide */
    spans(cranks, 1);
}

/* out = q where the independent coordinates have moved by dz from `start`, scaled. */
static void position(Machine *m, const double *start, const double *dz, double *out) {
    RbvRest *r = &m->rest;
    double *y = numbers(r->n), *c = numbers(r->m);
    memcpy(r->kept, start, (size_t)r->system->coordinates.position_size * sizeof *start);
    for (int32_t k = 0; k < m->null.f; k++)
        for (int32_t i = 0; i < r->n; i++)
            y[i] += dz[k] * m->null.R[(size_t)k * (size_t)r->n + (size_t)i];
    for (int pass = 0; pass < 12; pass++) {
        rbv_rest_move(r, y, 1);
        assert_true(rbv_rest_place(r));
        for (int32_t k = 0; k < m->null.rank; k++)
            c[k] = -r->phi[m->null.row[k]];
        rbv_rest_null_solve(&m->null, r, c, out);
        for (int32_t i = 0; i < r->n; i++)
            y[i] += out[i];
    }
    memcpy(out, y, (size_t)r->n * sizeof *y);
    free(y);
    free(c);
}

/* d2q/dz_j dz_k by accelerations, and by second differences of positions. */
static void second_derivatives(const char *text) {
    Machine m;
    build(&m, text);
    RbvRest *r = &m.rest;
    int32_t n = r->n;
    double *start = numbers(r->system->coordinates.position_size), *second = numbers(n), *sum = numbers(n), *y = numbers(n);
    memcpy(start, r->state->q, (size_t)r->system->coordinates.position_size * sizeof *start);
    assert_true(rbv_rest_null_find(&m.null, r));
    double *dz = numbers(m.null.f), most = 0;
    for (int32_t j = 0; j < m.null.f; j++)
        for (int32_t k = 0; k <= j; k++) {
            memcpy(r->state->q, start, (size_t)r->system->coordinates.position_size * sizeof *start);
            assert_true(rbv_rest_place(r));
            rbv_rest_second(&m.null, r, j, k, second);
            memset(sum, 0, (size_t)n * sizeof *sum);
            for (int way = 0; way < 4; way++) {
                double a = way & 1 ? -STEP : STEP, b = way & 2 ? -STEP : STEP;
                memset(dz, 0, (size_t)m.null.f * sizeof *dz);
                dz[j] += a;
                dz[k] += b;
                position(&m, start, dz, y);
                for (int32_t i = 0; i < n; i++)
                    sum[i] += (a * b > 0 ? 1 : -1) * y[i];
            }
            for (int32_t i = 0; i < n; i++) {
                assert_near(second[i], sum[i] / (4 * STEP * STEP), NEAR * (1 + fabs(second[i])));
                most = fmax(most, fabs(second[i]));
            }
        }
    assert_true(most > 0.1); /* they are not all zero */
    free(start), free(second), free(sum), free(y), free(dz);
    destroy(&m);
}

static void derivative_of_motions_by_accelerations(void **unused) {
    (void)unused;
    second_derivatives(five_bar);
    second_derivatives(in_space);
    second_derivatives(cranks);
}

/* K y is the difference of g + J^T lambda along y, for any multipliers. */
static void stiffness(const char *text) {
    Machine m;
    build(&m, text);
    RbvRest *r = &m.rest;
    uint64_t seed = 5;
    double *y = numbers(r->n), *ahead = numbers(r->n), *behind = numbers(r->n);
    for (int32_t k = 0; k < r->m; k++)
        r->lambda[k] = 100 * machine_random(&seed);
    for (int32_t j = 0; j < r->n; j++)
        y[j] = machine_random(&seed);
    assert_true(rbv_rest_stiffness(r, r->lambda));
    rbv_rest_keep(r);
    rbv_rest_move(r, y, STEP);
    assert_true(rbv_rest_place(r));
    rbv_rest_left(r, r->lambda, ahead);
    rbv_rest_move(r, y, -STEP);
    assert_true(rbv_rest_place(r));
    rbv_rest_left(r, r->lambda, behind);
    for (int32_t i = 0; i < r->n; i++)
        assert_near(rbv_rest_dot(r, r->K + (size_t)i * (size_t)r->n, y), (ahead[i] - behind[i]) / (2 * STEP), NEAR * r->kappa);
    free(y), free(ahead), free(behind);
    destroy(&m);
}

static void stiffness_of_forces_and_rows(void **unused) {
    (void)unused;
    stiffness(five_bar);
    stiffness(in_space);
    stiffness(cranks);
}

/* What is left after one step from beside the equilibrium, moved along a motion by z. */
static double left_after_a_step(Machine *m, const double *rest, const double *lambda, double z) {
    RbvRest *r = &m->rest;
    double *dz = numbers(m->null.f), *y = numbers(r->n), *f = numbers(r->n), *h = numbers(r->m);
    dz[0] = z;
    position(m, rest, dz, y);
    memcpy(r->lambda, lambda, (size_t)r->m * sizeof *lambda);
    assert_true(rbv_rest_stiffness(r, r->lambda));
    assert_true(rbv_rest_factor(r, 1e-11, 1e-10 / r->kappa));
    for (int32_t j = 0; j < r->n; j++)
        f[j] = -r->g[j];
    for (int32_t k = 0; k < r->m; k++)
        h[k] = -r->phi[k] - r->compliance * r->lambda[k];
    rbv_rest_solve(r, f, h);
    memcpy(r->lambda, r->x + r->n, (size_t)r->m * sizeof *r->lambda);
    rbv_rest_keep(r);
    rbv_rest_move(r, r->x, 1);
    assert_true(rbv_rest_place(r));
    double left = rbv_rest_left(r, r->lambda, f);
    free(dz), free(y), free(f), free(h);
    return left;
}

/* Half the distance leaves a quarter: K of exact second derivatives. One that lacks those of rows leaves a half. */
static void newton_squares_what_is_left(void **unused) {
    (void)unused;
    Machine m;
    build(&m, five_bar);
    RbvRest *r = &m.rest;
    assert_int_equal(rbv_equilibrium_natural(m.system, RBV_STATICS_LAGRANGE, &m.search), RBV_OK);
    rbv_coordinates_place(&m.bodies->system->coordinates, m.bodies->q, m.bodies->bodies);
    rbv_coordinates_take(&r->system->coordinates, m.bodies->bodies, r->state->q);
    assert_true(rbv_rest_place(r));
    assert_true(rbv_rest_multipliers(r));
    assert_true(rbv_rest_left(r, r->lambda, r->force) < 1e-9 * r->force_size);
    assert_true(rbv_rest_null_find(&m.null, r));
    double *rest = numbers(r->system->coordinates.position_size), *lambda = numbers(r->m);
    memcpy(rest, r->state->q, (size_t)r->system->coordinates.position_size * sizeof *rest);
    memcpy(lambda, r->lambda, (size_t)r->m * sizeof *lambda);
    double far = left_after_a_step(&m, rest, lambda, 0.04), half = left_after_a_step(&m, rest, lambda, 0.02), quarter = left_after_a_step(&m, rest, lambda, 0.01);
    assert_true(far > 1e-9 && half < 0.35 * far && quarter < 0.35 * half);
    free(rest), free(lambda);
    destroy(&m);
}

/* Bodies that are balanced anew where points and vectors rest move by rounding only, by each method that holds rows exactly. */
static void bodies_rest_where_points_do(void **unused) {
    (void)unused;
    static const RbvStaticsMethod methods[] = {RBV_STATICS_DEFAULT, RBV_STATICS_ENERGY, RBV_STATICS_LAGRANGE, RBV_STATICS_AUGMENTED, RBV_STATICS_VIRTUAL_POWER, RBV_STATICS_RELAXATION};
    static const char *const machines[] = {five_bar, in_space, cranks};
    for (size_t i = 0; i < sizeof machines / sizeof *machines; i++)
        for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
            Machine m;
            build(&m, machines[i]);
            assert_int_equal(rbv_equilibrium_natural(m.system, methods[k], &m.search), RBV_OK);
            assert_true(m.search.handed < 1e-10);
            destroy(&m);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(motions_span_what_rows_leave),
        cmocka_unit_test(derivative_of_motions_by_accelerations),
        cmocka_unit_test(stiffness_of_forces_and_rows),
        cmocka_unit_test(newton_squares_what_is_left),
        cmocka_unit_test(bodies_rest_where_points_do),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
