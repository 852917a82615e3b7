/* The linearised motion in natural coordinates, against differences of their own forces and rows.
 *
 * At the equilibrium F(q) = C^T lambda - Q vanishes with the multipliers of bodies and none of the rigid rows. Along
 * the motion v of a mode, of square s, and any other motion n that rows leave free,
 *   n^T dF(v) = s n^T M v
 * with dF by differences of order 4 along the retraction of natural coordinates, M their own mass matrix, C of the
 * joints: no stiffness K stands in it, and no body twist. */
#include "dynamics/vibration/linearisation.h"
#include "solution/assembly/absolute_state.h"
#include "statics/find_equilibrium.h"
#include "support/machines.h"

#include <roberval/analysis.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Differences of order 4: h^4 times fifth derivatives of about one, 1e-12, and rounding of 100 N over h. */
#define STEP 1e-3
#define FIT 1e-8

static const char plane[] = "roberval: 1\ntitle: two pendulums and a slide\nspace: planar\n"
                            "bodies:\n"
                            "  ground: {markers: {O: [0, 0], G: {at: [0.2, -1.3], angle: 20 deg}}}\n"
                            "  upper: {mass: 2 kg, inertia: 0.1 kg.m^2, centroid: [0.1, -0.3], pose: {at: [0, 0]}, "
                            "markers: {O: [0, 0], E: [0.05, -0.6]}}\n"
                            "  lower: {mass: 1 kg, inertia: 0.05 kg.m^2, centroid: [0, -0.25], pose: {at: [0.05, "
                            "-0.6]}, markers: {E: [0, 0], F: [0, -0.5]}}\n"
                            "  shoe: {mass: 0.7 kg, inertia: 0.02 kg.m^2, pose: {at: [0.482, -1.197], angle: 20 deg}, "
                            "markers: {G: [0, 0], F: [0, 0.1]}}\n"
                            "joints:\n"
                            "  A: {type: revolute, between: [ground.O, upper.O]}\n"
                            "  B: {type: revolute, between: [upper.E, lower.E]}\n"
                            "  C: {type: prismatic, between: [ground.G, shoe.G]}\n"
                            "loads:\n"
                            "  s: {type: spring, between: [lower.F, shoe.F], stiffness: 90 N/m, free_length: 0.3}\n"
                            "  t: {type: spring, between: [ground.G, shoe.G], stiffness: 200 N/m, free_length: 0.2}\n";

static const char space[] = "roberval: 1\ntitle: a ball and a universal joint\nspace: spatial\n"
                            "bodies:\n"
                            "  ground: {markers: {O: {at: [0, 0, 0]}, H: {at: [0.4, 0.2, -1]}}}\n"
                            "  upper: {mass: 2 kg, inertia: [0.2, 0.15, 0.1], centroid: [0.1, 0.05, -0.3], markers: "
                            "{O: {at: [0, 0, 0]}, E: {at: [0.05, 0, -0.6]}}}\n"
                            "  lower: {mass: 1 kg, inertia: [0.06, 0.05, 0.03], centroid: [0.02, 0, -0.25], pose: {at: "
                            "[0.05, 0, -0.6]}, markers: {E: {at: [0, 0, 0]}, F: {at: [0, 0.1, -0.5]}}}\n"
                            "joints:\n"
                            "  A: {type: revolute, between: [ground.O, upper.O]}\n"
                            "  B: {type: spherical, between: [upper.E, lower.E]}\n"
                            "loads:\n"
                            "  s: {type: spring, between: [ground.H, lower.F], stiffness: 120 N/m, free_length: 0.3}\n"
                            "gravity: [0, 0, -9.81]\n";

typedef struct Rig {
    const RbvSystem *system;
    RbvState *state;      /* in natural coordinates */
    const double *lambda; /* of bodies */
    double *q;            /* of the equilibrium */
} Rig;

/* F at q moved by h v. */
static void force(const Rig *rig, const double *v, double h, double *F) {
    const RbvSystem *system = rig->system;
    RbvState *state = rig->state;
    const int32_t n = system->coordinates.size;
    double *step = calloc((size_t)n + 1, sizeof *step);
    assert_non_null(step);
    for (int32_t j = 0; j < n; j++)
        step[j] = h * v[j];
    memcpy(state->q, rig->q, (size_t)system->coordinates.position_size * sizeof *state->q);
    memset(state->v, 0, (size_t)n * sizeof *state->v);
    rbv_coordinates_step(&system->coordinates, state->q, step);
    assert_true(rbv_state_place(state));
    rbv_state_jacobian(state);
    assert_true(rbv_state_rates(state) && rbv_state_move(state) && rbv_state_load(state));
    for (int32_t j = 0; j < n; j++)
        F[j] = -state->Q[j];
    for (int32_t k = 0; k < system->row_count; k++)
        for (int32_t e = system->C.start[k]; e < system->C.start[k + 1]; e++)
            F[system->C.column[e]] += state->C[e] * rig->lambda[k];
    free(step);
}

static double dot(int32_t n, const double *a, const double *b) {
    double sum = 0;
    for (int32_t j = 0; j < n; j++)
        sum += a[j] * b[j];
    return sum;
}

/* The motion of mode k in natural coordinates. */
static void motion_of(const Rig *rig, const RbvState *absolute, const RbvLinear *l, int32_t k, double *v) {
    const RbvBodyColumns *bodies = &rig->system->bodies;
    double *x = calloc((size_t)bodies->size + 1, sizeof *x);
    RbvTwist *twists = calloc((size_t)bodies->count + 1, sizeof *twists);
    assert_true(x && twists);
    for (int32_t i = 0; i < bodies->size; i++)
        x[i] = l->shape[i * l->size + k];
    for (int32_t b = 1; b < bodies->count; b++)
        twists[b] = rbv_bodies_twist(bodies, b, x);
    rig->system->coordinates.kind->take_rates(&rig->system->coordinates, rbv_state_at(absolute), twists, v);
    free(x);
    free(twists);
}

static void compare(const Rig *rig, const RbvState *absolute, const RbvLinear *l) {
    static const double weight[2] = {2.0 / 3, -1.0 / 12};
    const int32_t n = rig->system->coordinates.size;
    double *v = calloc(6 * (size_t)n + 1, sizeof *v), *u = v + n, *F = u + n, *dF = F + n, *Mv = dF + n;
    assert_non_null(v);
    double largest = 0;
    for (int32_t k = 0; k < l->size; k++)
        largest = fmax(largest, fabs(l->square[k]));
    for (int32_t k = 0; k < l->size; k++) {
        motion_of(rig, absolute, l, k, v);
        memset(dF, 0, (size_t)n * sizeof *dF);
        for (int point = 1; point <= 2; point++)
            for (int sign = -1; sign <= 1; sign += 2) {
                force(rig, v, sign * point * STEP, F);
                for (int32_t j = 0; j < n; j++)
                    dF[j] += sign * weight[point - 1] / STEP * F[j];
            }
        force(rig, v, 0, F);
        rbv_state_inertia(rig->state, v, Mv);
        assert_near(dot(n, v, Mv), 1, 1e-12);
        for (int32_t i = 0; i < l->size; i++) {
            motion_of(rig, absolute, l, i, u);
            assert_near(dot(n, u, F), 0, 1e-9 * largest);
            assert_near(dot(n, u, dF), l->square[k] * dot(n, u, Mv), FIT * largest);
        }
    }
    free(v);
}

static void check(const char *text, int32_t freedoms) {
    RbvModel *model = machine_read(text);
    RbvSystem *system = NULL;
    assert_int_equal(
        rbv_system_create(model, &(RbvSystemOptions){.coordinates = RBV_COORDINATES_NATURAL}, NULL, &system), RBV_OK);
    assert_true(system->absolute && system->coordinates.own_rows > 0 && !system->coordinates.of_bodies);
    RbvOptions options = rbv_options_default;
    RbvState *absolute = NULL;
    RbvMachine assembled;
    assert_int_equal(
        rbv_equilibrium_state(system->absolute, &options, RBV_SUPPORTED_BY_ALL, NULL, &assembled, &absolute), RBV_OK);
    RbvLinear bodies, natural;
    assert_true(rbv_linear_create(&bodies, absolute, NULL, true) && bodies.equilibrium && rbv_linear_at_rest(&bodies));
    assert_true(rbv_linear_create(&natural, absolute, NULL, true) && rbv_linear_at_rest_in(&natural, system));
    assert_int_equal(natural.size, freedoms);
    assert_int_equal(bodies.size, freedoms);
    assert_true(natural.square && bodies.square);
    for (int32_t k = 0; k < freedoms; k++)
        assert_near(natural.square[k], bodies.square[k],
                    1e-12 * fabs(bodies.square[freedoms - 1]) + 1e-11 * fabs(bodies.square[k]));
    Rig rig = {.system = system, .state = rbv_state_create(system), .lambda = natural.lambda};
    assert_non_null(rig.state);
    rbv_absolute_state_read(rig.state, absolute);
    rig.q = malloc((size_t)system->coordinates.position_size * sizeof *rig.q);
    assert_non_null(rig.q);
    memcpy(rig.q, rig.state->q, (size_t)system->coordinates.position_size * sizeof *rig.q);
    compare(&rig, absolute, &natural);
    free(rig.q);
    rbv_state_destroy(rig.state);
    rbv_linear_destroy(&natural);
    rbv_linear_destroy(&bodies);
    rbv_state_destroy(absolute);
    rbv_system_destroy(system);
    rbv_model_destroy(model);
}

static void test_plane(void **context) {
    (void)context;
    check(plane, 3);
}

static void test_space(void **context) {
    (void)context;
    check(space, 4);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_plane), cmocka_unit_test(test_space)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
