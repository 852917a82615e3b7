/* Stiffness and energy of loads and rows at random states, against sixth-order differences along the retraction (r +
 * dr, exp(dtheta) A).
 *
 * Energy: dV = -Q.dq. Stiffness: column j of K is the difference of C^T lambda - Q along e_j, plus half the cross
 * product of the body's torque and e_j, which the turn of the axes adds. Step 1e-3: truncation 1e-18 times seventh
 * derivatives, rounding 1e-13: 1e-9 of the largest entry is asked. */
#include "mechanics/system/system.h"
#include "support/machines.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#define STATES 12
#define STEP 1e-3
#define MOST 18
#define MOST_Q 21
static const double weight[3] = {0.75, -0.15, 1.0 / 60};

#define SPACE_BODIES                                                                                                   \
    "roberval: 1\nspace: spatial\ngravity: [0.3, -1, -9.81]\nbodies:\n"                                                \
    "  ground: {markers: {G: {at: [0.2, -0.3, 0.1], axis: [1, 2, 3]}}}\n"                                              \
    "  p: {mass: 2, inertia: [0.3, 0.4, 0.5, 0.05, -0.02, 0.03], centroid: [0.12, 0.07, -0.1], pose: {at: [0.1, 0.2, " \
    "0.3], rotate: {axis: [1, -1, 2], angle: 0.4}},\n"                                                                 \
    "      markers: {P: {at: [0.5, 0.1, 0.2], axis: [0.3, -1, 0.5]}}}\n"                                               \
    "  q: {mass: 3, inertia: [0.5, 0.6, 0.7], centroid: [-0.2, 0.11, 0.3], pose: {at: [1.3, 0.5, -0.4], rotate: "      \
    "{euler: zyx, angles: [0.7, -0.3, 0.2]}},\n"                                                                       \
    "      markers: {Q: {at: [0.3, -0.4, 0.2], rotate: {euler: xzx, angles: [1.1, 0.5, -0.6]}}, R: [0.7, 0.2, "        \
    "-0.3]}}\n"                                                                                                        \
    "joints:\n"                                                                                                        \
    "  C: {type: cylindrical, between: [p.P, q.Q]}\n"

#define PLANE_BODIES                                                                                                   \
    "roberval: 1\nspace: planar\ngravity: [0.4, -9.81]\nbodies:\n"                                                     \
    "  ground: {markers: {G: {at: [0.2, -0.3], angle: 0.3}}}\n"                                                        \
    "  p: {mass: 2, inertia: 0.3, centroid: [0.12, 0.07], pose: {at: [0.1, 0.2], angle: 0.4}, markers: {P: {at: "      \
    "[0.5, 0.1], angle: 0.2}}}\n"                                                                                      \
    "  q: {mass: 3, inertia: 0.5, centroid: [-0.2, 0.11], pose: {at: [1.3, 0.5], angle: -0.7}, markers: {Q: {at: "     \
    "[0.3, -0.4], angle: 1.1}, R: [0.7, 0.2]}}\n"                                                                      \
    "joints:\n"                                                                                                        \
    "  C: {type: revolute, between: [p.P, q.Q]}\n"                                                                     \
    "  S: {type: slot, between: [ground.G, q.R]}\n"

static const char with_energy_in_space[] = SPACE_BODIES
    "  U: {type: universal, between: [ground.G, p.P]}\n"
    "constraints: {E: {equation: 'C.angle^2*C.distance - 0.1 + 0.3*sin(C.distance)'}}\n"
    "loads:\n"
    "  dead: {type: force, to: p.P, value: [3, -2, 5], frame: ground}\n"
    "  spring: {type: spring, between: [ground.G, q.R], stiffness: 40, free_length: 0.5}\n"
    "  hard: {type: spring, between: [p.P, q.R], stiffness: 10, free_length: 0.4, force: '30*(l - 0.4)^3 + 2'}\n"
    "  coil: {type: torsion-spring, joint: C, stiffness: 7, free_angle: 0.3}\n"
    "  mount: {type: bushing, between: [ground.G, q.Q], stiffness: [100, 80, 60, 5, 6, 7]}\n"
    "  well: {type: energy, value: '3*C.angle^2*C.distance + exp(C.distance)'}\n"
    "  spin: {type: rotating-frame, speed: 3, axis: [1, 2, 2], center: [0.1, 0, 0.2]}\n"
    "  wind: {type: field, acceleration: [0.5, -0.2, 0.1]}\n";

static const char without_energy_in_space[] =
    SPACE_BODIES "loads:\n"
                 "  follower: {type: force, to: p.P, value: [3, '2 + C.angle', 5], frame: body}\n"
                 "  pull: {type: force, to: q.R, value: ['2*C.distance^2', 1, 'sin(C.angle)'], frame: ground}\n"
                 "  fixed: {type: torque, to: q, value: [1, 2, 3], frame: ground}\n"
                 "  own: {type: torque, to: p, value: [1, -2, '3*C.distance'], frame: body}\n"
                 "  spin: {type: rotating-frame, speed: '3 + 2*t', axis: [1, 2, 2], center: [0.1, 0, 0.2]}\n"
                 "  planet: {type: field, acceleration: ['-x/(1 + x^2 + y^2)', '-y*z', 'x*y']}\n";

static const char with_energy_in_plane[] =
    PLANE_BODIES "loads:\n"
                 "  dead: {type: force, to: p.P, value: [3, -2], frame: ground}\n"
                 "  turn: {type: torque, to: q, value: 4}\n"
                 "  spring: {type: spring, between: [ground.G, q.R], stiffness: 40, free_length: 0.5}\n"
                 "  coil: {type: torsion-spring, joint: C, stiffness: 7, free_angle: 0.3, torque: '5*C.angle^3'}\n"
                 "  mount: {type: bushing, between: [ground.G, q.Q], stiffness: [100, 80, 5]}\n"
                 "  well: {type: energy, value: '3*C.angle^2*S.x'}\n"
                 "  spin: {type: rotating-frame, speed: 3, center: [0.1, 0.2]}\n";

static const char without_energy_in_plane[] = PLANE_BODIES
    "loads:\n"
    "  follower: {type: force, to: p.P, value: [3, '2 + C.angle'], frame: body}\n"
    "  pull: {type: force, to: q.R, value: ['2*S.x^2', 1], frame: ground}\n"
    "  own: {type: torque, to: p, value: '3*S.x'}\n"
    "  far: {type: spring, between: [ground.G, p.P], stiffness: 4, free_length: 0.5, force: 'l^2*S.x + C.angle'}\n"
    "  planet: {type: field, acceleration: ['-x/(1 + x^2 + y^2)', '-y*x']}\n";

static double force_at(RbvState *state, const double *q, int32_t along, double step, const double *lambda, double *G) {
    const RbvSystem *system = state->system;
    int32_t n = system->coordinates.size;
    double move[MOST] = {0}, size;
    if (along >= 0)
        move[along] = step;
    memcpy(state->q, q, (size_t)system->coordinates.position_size * sizeof *q);
    rbv_coordinates_step(&system->coordinates, state->q, move);
    assert_true(rbv_state_place(state));
    rbv_state_jacobian(state);
    rbv_state_rates(state);
    rbv_state_move(state);
    assert_true(rbv_state_load(state));
    for (int32_t j = 0; j < n; j++)
        G[j] = -state->Q[j];
    for (int32_t k = 0; k < system->row_count; k++)
        for (int32_t e = system->D.start[k]; e < system->D.start[k + 1]; e++)
            G[system->D.column[e]] += lambda[k] * state->C[e];
    return rbv_state_energy(state, &size);
}

typedef struct Dense {
    const RbvBodyColumns *bodies;
    double K[MOST][MOST];
} Dense;

static void add_block(void *context, int32_t i, int32_t j, double factor, const double *block, int32_t width) {
    Dense *dense = context;
    const RbvBodyColumns *a = dense->bodies;
    for (int32_t r = 0; r < rbv_bodies_columns(a, i); r++)
        for (int32_t c = 0; c < rbv_bodies_columns(a, j); c++)
            dense->K[a->start[i] + r][a->start[j] + c] +=
                factor * block[rbv_bodies_direction(a, r) * width + rbv_bodies_direction(a, c)];
}

/* What the turn e_j of a body's axes adds to the torque rows of the same body: half of torque x e_j. */
static void turn_axes(const RbvSystem *system, const double *G, int32_t j, double *column) {
    const RbvBodyColumns *a = &system->bodies;
    for (int32_t b = 1; b < a->count && a->spatial; b++) {
        int32_t first = a->start[b] + 3;
        if (j < first || j >= a->start[b + 1])
            continue;
        RbvVec3 e = rbv_vec3(j == first, j == first + 1, j == first + 2),
                T = rbv_vec3(G[first], G[first + 1], G[first + 2]);
        RbvVec3 half = rbv_scale(0.5, rbv_cross(T, e));
        column[first] += half.x, column[first + 1] += half.y, column[first + 2] += half.z;
    }
}

static void try(const char *text, bool has_energy) {
    RbvModel *model = machine_read(text);
    RbvSystem *system = machine_compile(model);
    RbvState *state = rbv_state_create(system);
    int32_t n = system->coordinates.size;
    uint64_t seed = 7;
    assert_true(n <= MOST && system->coordinates.position_size <= MOST_Q);
    for (int trial = 0; trial < STATES; trial++) {
        double q[MOST_Q], step[MOST], lambda[16], G[MOST], size = 1;
        for (int32_t k = 0; k < n; k++)
            step[k] = 0.3 * machine_random(&seed);
        for (int32_t k = 0; k < system->row_count; k++)
            lambda[k] = 5 * machine_random(&seed);
        memcpy(q, system->start_q, (size_t)system->coordinates.position_size * sizeof *q);
        rbv_coordinates_step(&system->coordinates, q, step);
        double V = force_at(state, q, -1, 0, lambda, G);
        assert_true(has_energy == !isnan(V));
        Dense dense = {.bodies = &system->bodies};
        RbvStiffnessSink sink = {&dense, add_block, NULL};
        rbv_state_stiffness(state, lambda, &sink);
        for (int32_t i = 0; i < n; i++)
            for (int32_t j = 0; j < n; j++)
                size = fmax(size, fabs(dense.K[i][j]));
        for (int32_t j = 0; j < n; j++) {
            double column[MOST] = {0}, slope = 0, Gp[MOST], none[16] = {0};
            for (int m = 1; m <= 3; m++)
                for (int sign = -1; sign <= 1; sign += 2) {
                    slope += sign * weight[m - 1] * force_at(state, q, j, sign * m * STEP, none, Gp) / STEP;
                    force_at(state, q, j, sign * m * STEP, lambda, Gp);
                    for (int32_t i = 0; i < n; i++)
                        column[i] += sign * weight[m - 1] * Gp[i] / STEP;
                }
            turn_axes(system, G, j, column);
            force_at(state, q, -1, 0, none, Gp);
            if (has_energy)
                assert_near(slope, Gp[j], 1e-9 * size);
            for (int32_t i = 0; i < n; i++) {
                assert_near(dense.K[i][j], column[i], 1e-9 * size);
                if (has_energy)
                    assert_near(dense.K[i][j], dense.K[j][i], 1e-11 * size);
            }
        }
    }
    rbv_state_destroy(state);
    rbv_system_destroy(system);
    rbv_model_destroy(model);
}

static void loads_with_energy(void **unused) {
    (void)unused;
    try(with_energy_in_space, true);
    try(with_energy_in_plane, true);
}

static void loads_without(void **unused) {
    (void)unused;
    try(without_energy_in_space, false);
    try(without_energy_in_plane, false);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(loads_with_energy), cmocka_unit_test(loads_without)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
