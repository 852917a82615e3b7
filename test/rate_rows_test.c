/* Rows on rates: knife edges and velocity: constraints. Psi, its derivatives and gamma against differences at random
 * states, on the level of the definition: psi(q, v, t) = C v - nu is what the row holds at zero, C = d psi/dv, and d
 * psi/dt = C v' - gamma along any motion.
 *
 * Differences of sixth order with step 1e-3 on functions of order one: truncation (1e-3)^6 and rounding 1e-16/1e-3
 * stay below 1e-11; 1e-9 is asked. */
#include "mechanics/system/system.h"
#include "solution/solvability/solvability.h"
#include "support/machines.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define STATES 20
#define STEP 1e-3
#define MOST 9
#define ROWS 9
static const double weight[3] = {0.75, -0.15, 1.0 / 60};

static const char text[] = "roberval: 1\nspace: planar\nbodies:\n"
                           "  ground: {markers: {G: {at: [0.2, -0.3], angle: 0.25}}}\n"
                           "  p: {mass: 2, inertia: 0.3, centroid: [0.12, 0.07], pose: {at: [0.1, 0.2], angle: 0.4}, "
                           "markers: {P: {at: [0.5, 0.1], angle: 0.3}}}\n"
                           "  q: {mass: 3, inertia: 0.5, centroid: [-0.2, 0.11], pose: {at: [1.3, 0.5], angle: -0.7}, "
                           "markers: {Q: {at: [0.3, -0.4], angle: 1.1}, R: [0.7, 0.2]}}\n"
                           "joints:\n"
                           "  edge: {type: knife-edge, between: [ground.G, q.Q]}\n"
                           "  skate: {type: wheel, between: [p.P, q.Q]}\n"
                           "  back: {type: knife-edge, between: [q.R, p.P]}\n"
                           "coordinates: {far: \"distance(p.P, q.R)\", g: \"far*sin(angle(q)) + x(p.P)*y(q.Q)^2\"}\n"
                           "constraints:\n"
                           "  side: {velocity: \"x(q.R)'*sin(angle(q)) - y(q.R)'*cos(angle(q)) + 0.2*sin(t)\"}\n"
                           "  mixed: {velocity: \"distance(p.P, q.R)*distance(p.P, q.R)' + edge.x*angle(p)' - t^2\"}\n"
                           "  speed: {velocity: \"x(p.P)'^2 + y(p.P)'^2 - (1 + 0.3*t)^2\"}\n"
                           "  curved: {velocity: \"sin(angle(p)')*x(p.P) + exp(0.1*y(q.R)')*angle(q) - 0.3*t\"}\n"
                           "  named: {velocity: \"g'*x(p.P) + g*angle(q)' + far*far' - 0.2*t\"}\n";
static const bool affine[ROWS] = {true, true, true, true, true, false, false, true};

typedef struct Rig {
    RbvModel *model;
    RbvSystem *system;
    RbvState *state;
    int32_t rows, size;
} Rig;

static Rig open_rig(void) {
    Rig rig = {.model = machine_read(text)};
    rig.system = machine_compile(rig.model);
    rig.state = rbv_state_create(rig.system);
    rig.rows = rbv_system_counts(rig.system).rows;
    rig.size = rbv_system_counts(rig.system).coordinates;
    assert_int_equal(rig.rows, 8);
    assert_int_equal(rig.size, 6);
    return rig;
}

static void close_rig(Rig *rig) {
    rbv_state_destroy(rig->state);
    rbv_system_destroy(rig->system);
    rbv_model_destroy(rig->model);
}

/* psi and C at q, v, t. */
static void evaluate(Rig *rig, const double *q, const double *v, double t, double psi[ROWS], double C[ROWS][MOST]) {
    RbvState *state = rig->state;
    memcpy(state->q, q, (size_t)rig->size * sizeof *q);
    memcpy(state->v, v, (size_t)rig->size * sizeof *v);
    state->t = t;
    assert_true(rbv_state_place(state));
    rbv_state_jacobian(state);
    assert_true(rbv_state_rates(state));
    memset(C, 0, ROWS * sizeof C[0]);
    for (int32_t k = 0; k < rig->rows; k++) {
        assert_true(state->phi[k] == 0); /* nothing is asked of positions */
        psi[k] = -state->nu[k];
        for (int32_t e = rig->system->D.start[k]; e < rig->system->D.start[k + 1]; e++) {
            C[k][rig->system->D.column[e]] += state->C[e];
            psi[k] += state->C[e] * v[rig->system->D.column[e]];
        }
    }
}

static void random_state(Rig *rig, uint64_t *seed, double *q, double *v, double *t) {
    for (int32_t c = 0; c < rig->size; c++) {
        q[c] = rig->system->start_q[c] + 0.3 * machine_random(seed);
        v[c] = 2 * machine_random(seed);
    }
    *t = 0.5 + 0.4 * machine_random(seed);
}

static void assert_close(double got, double expected, const char *what, int32_t row) {
    if (!(fabs(got - expected) <= 1e-9 * (1 + fabs(expected))))
        fail_msg("%s of row %d: %.15g, expected %.15g", what, (int)row, got, expected);
}

static void rows_are_the_derivatives_of_what_they_hold(void **unused) {
    (void)unused;
    Rig rig = open_rig();
    uint64_t seed = 4711;
    for (int n = 0; n < STATES; n++) {
        double q[MOST], v[MOST], t, psi[ROWS], C[ROWS][MOST], other[ROWS][MOST];
        random_state(&rig, &seed, q, v, &t);
        evaluate(&rig, q, v, t, psi, C);
        for (int32_t c = 0; c < rig.size; c++) {
            double sum[ROWS] = {0}, x[MOST], value[ROWS];
            for (int s = -3; s <= 3; s++) {
                memcpy(x, v, sizeof x);
                x[c] += s * STEP;
                evaluate(&rig, q, x, t, value, other);
                for (int32_t k = 0; k < rig.rows && s != 0; k++)
                    sum[k] += (s > 0 ? 1 : -1) * weight[abs(s) - 1] / STEP * value[k];
            }
            for (int32_t k = 0; k < rig.rows; k++)
                assert_close(C[k][c], sum[k], "d psi/dv", k);
        }
    }
    close_rig(&rig);
}

static void gamma_is_what_is_left_of_the_second_rate(void **unused) {
    (void)unused;
    Rig rig = open_rig();
    uint64_t seed = 815;
    for (int n = 0; n < STATES; n++) {
        double q[MOST], v[MOST], t, psi[ROWS], C[ROWS][MOST], gamma[ROWS], sum[ROWS] = {0};
        random_state(&rig, &seed, q, v, &t);
        evaluate(&rig, q, v, t, psi, C);
        assert_true(rbv_state_move(rig.state));
        memcpy(gamma, rig.state->gamma, (size_t)rig.rows * sizeof *gamma);
        for (int s = -3; s <= 3; s++) {
            double x[MOST], value[ROWS], other[ROWS][MOST];
            for (int32_t c = 0; c < rig.size; c++)
                x[c] = q[c] + s * STEP * v[c];
            evaluate(&rig, x, v, t + s * STEP, value, other);
            for (int32_t k = 0; k < rig.rows && s != 0; k++)
                sum[k] += (s > 0 ? 1 : -1) * weight[abs(s) - 1] / STEP * value[k];
        }
        for (int32_t k = 0; k < rig.rows; k++)
            assert_close(gamma[k], -sum[k], "gamma", k);
    }
    close_rig(&rig);
}

/* The edge between moving bodies: n.(velocity of the second's point less that of the first's material there), from
 * points of plain rotations. */
static void an_edge_sees_the_velocity_over_the_first_body(void **unused) {
    (void)unused;
    Rig rig = open_rig();
    uint64_t seed = 99;
    for (int n = 0; n < STATES; n++) {
        double q[MOST], v[MOST], t, psi[ROWS], C[ROWS][MOST];
        random_state(&rig, &seed, q, v, &t);
        evaluate(&rig, q, v, t, psi, C);
        /* q.Q from the centroid of q; body q has coordinates 3 ... 5 */
        double sx = 0.3 + 0.2, sy = -0.4 - 0.11, c = cos(q[5]), s = sin(q[5]);
        double ax = c * sx - s * sy, ay = s * sx + c * sy, nx = -sin(q[5] + 1.1), ny = cos(q[5] + 1.1);
        double px = q[3] + ax, py = q[4] + ay, ux = v[3] - v[5] * ay, uy = v[4] + v[5] * ax;
        assert_close(psi[0], nx * ux + ny * uy, "edge on ground", 0);
        double mx = v[0] - v[2] * (py - q[1]), my = v[1] + v[2] * (px - q[0]);
        assert_close(psi[1], nx * (ux - mx) + ny * (uy - my), "edge on a body", 1);
    }
    close_rig(&rig);
}

static void the_derivative_of_rows_along_a_motion_is_that_of_differences(void **unused) {
    (void)unused;
    Rig rig = open_rig();
    uint64_t seed = 2024;
    for (int n = 0; n < STATES; n++) {
        double q[MOST], v[MOST], w[MOST], t, psi[ROWS], C[ROWS][MOST], got[ROWS][MOST] = {{0}}, sum[ROWS][MOST] = {{0}},
                                                                       out[MOST];
        random_state(&rig, &seed, q, v, &t);
        for (int32_t c = 0; c < rig.size; c++)
            w[c] = machine_random(&seed);
        evaluate(&rig, q, v, t, psi, C);
        for (int32_t k = 0; k < rig.rows; k++) {
            rbv_state_row_derivative(rig.state, k, w, out);
            for (int32_t e = rig.system->D.start[k]; e < rig.system->D.start[k + 1]; e++)
                got[k][rig.system->D.column[e]] = out[e - rig.system->D.start[k]];
        }
        for (int s = -3; s <= 3; s++) {
            double x[MOST], value[ROWS], other[ROWS][MOST];
            for (int32_t c = 0; c < rig.size; c++)
                x[c] = q[c] + s * STEP * w[c];
            evaluate(&rig, x, v, t, value, other);
            for (int32_t k = 0; k < rig.rows && s != 0; k++)
                for (int32_t c = 0; c < rig.size; c++)
                    sum[k][c] += (s > 0 ? 1 : -1) * weight[abs(s) - 1] / STEP * other[k][c];
        }
        for (int32_t k = 0; k < rig.rows; k++)
            for (int32_t c = 0; c < rig.size && affine[k]; c++) /* with rates held, which affine rows do not read */
                assert_close(got[k][c], sum[k][c], "dC", k);
    }
    close_rig(&rig);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_the_derivatives_of_what_they_hold),
        cmocka_unit_test(gamma_is_what_is_left_of_the_second_rate),
        cmocka_unit_test(an_edge_sees_the_velocity_over_the_first_body),
        cmocka_unit_test(the_derivative_of_rows_along_a_motion_is_that_of_differences),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
