/* The two ways to stability against each other: all eigenvalues on a basis of the tangent space (stability.c), and
 * shifted Lanczos on the sparse system (stability_sparse.c).
 *
 * K u = mu M u on the tangent space is a problem at any state with any multipliers, equilibrium or not, so random
 * ones are taken: many directions fall there. Lanczos' tolerance is 1e-10 of the distance to the shift, and the mean
 * of u^T K u removes most of it: 1e-7 of the curvature is asked (LEAST_MASS moves it by 1e-12 only). */
#include "solution/assembly/assemble.h"
#include "statics/stability.h"
#include "support/machines.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Five bodies in space on ball joints, springs between them: 15 freedoms. */
static const char chain_in_space[] =
    "roberval: 1\nspace: spatial\ngravity: [0.3, -1, -9.81]\nbodies:\n  ground: {markers: {G: [2, 0.5, 0]}}\n"
    "  a: {mass: 2, inertia: [0.3, 0.4, 0.5], centroid: [0.4, 0.1, 0], pose: {at: [0, 0, 0]}, markers: {E: [1, 0, "
    "0]}}\n"
    "  b: {mass: 1, inertia: [0.1, 0.2, 0.25], centroid: [0.5, 0, 0.1], pose: {at: [1, 0, 0], rotate: {axis: [0, 0, "
    "1], angle: 0.7}}, markers: {E: [1, 0, 0]}}\n"
    "  c: {mass: 3, inertia: [0.2, 0.3, 0.4], centroid: [0.3, 0, 0], pose: {at: [1.8, 0.6, 0], rotate: {axis: [0, 1, "
    "0], angle: 0.4}}, markers: {E: [0.7, 0, 0]}}\n"
    "  d: {particle: true, mass: 0.5, pose: {at: [2, 1, 1]}}\n"
    "joints:\n  A: {type: spherical, between: [ground, a]}\n  B: {type: universal, between: [a.E, b], at: [1, 0, 0]}\n "
    " C: {type: revolute, between: [b.E, c]}\n"
    "loads:\n  s: {type: spring, between: [ground.G, c.E], stiffness: 40, free_length: 1.5}\n  t: {type: spring, "
    "between: [b.E, d], stiffness: 90, free_length: 0.5}\n"
    "  m: {type: bushing, between: [ground, a], stiffness: [10, 10, 10, 5, 6, 7]}\n";

/* In the plane, with three parallel cranks (a redundant row) and a bar without mass that a spring holds. */
static const char cranks[] =
    "roberval: 1\nspace: planar\ngravity: [0, -9.81]\nbodies:\n  ground: {markers: {A: [0, 0], B: [1, 0], C: [2, 0], "
    "S: [3, 1]}}\n"
    "  a: {mass: 1, inertia: 0.1, pose: {at: [0, 0]}, markers: {P: [0, 1]}}\n  b: {mass: 1, inertia: 0.1, pose: {at: "
    "[1, 0]}, markers: {P: [0, 1]}}\n"
    "  c: {mass: 1, inertia: 0.1, pose: {at: [2, 0]}, markers: {P: [0, 1]}}\n"
    "  bar: {mass: 5, inertia: 1, pose: {at: [0, 1]}, markers: {A: [0, 0], B: [1, 0], C: [2, 0], E: [2.5, 0]}}\n"
    "  rod: {mass: 0, inertia: 0, pose: {at: [2.5, 1]}, markers: {E: [0.5, 0.2]}}\n"
    "joints:\n  A: {type: revolute, between: [ground.A, a]}\n  B: {type: revolute, between: [ground.B, b]}\n  C: "
    "{type: revolute, between: [ground.C, c]}\n"
    "  AP: {type: revolute, between: [a.P, bar.A]}\n  BP: {type: revolute, between: [b.P, bar.B]}\n  CP: {type: "
    "revolute, between: [c.P, bar.C]}\n"
    "  R: {type: revolute, between: [bar.E, rod]}\n"
    "loads: {s: {type: spring, between: [ground.S, rod.E], stiffness: 300, free_length: 0.3}}\n";

/* Nothing but a frame. */
static const char rigid[] = "roberval: 1\nspace: planar\ngravity: [0, -9.81]\nbodies:\n  ground: {}\n  a: {mass: 1, "
                            "inertia: 1}\njoints: {W: {type: fixed, between: [ground, a]}}\n";

/* Two bodies that nothing but a slide holds, level: neutral. */
static const char level[] =
    "roberval: 1\nspace: planar\ngravity: [0, -9.81]\nbodies:\n  ground: {}\n  a: {mass: 1, inertia: 1}\n  b: {mass: "
    "2, inertia: 1, pose: {at: [1, 0]}}\n"
    "joints:\n  A: {type: prismatic, between: [ground, a]}\n  B: {type: revolute, between: [a, b]}\n"
    "loads: {s: {type: torsion-spring, joint: B, stiffness: 100}}\n";

/* A rod without mass that is pushed towards its pin, and a pendulum. */
static const char pushed[] =
    "roberval: 1\nspace: planar\ngravity: [0, -9.81]\nbodies:\n  ground: {markers: {B: [3, 0]}}\n"
    "  rod: {mass: 0, inertia: 0, markers: {E: [1, 0]}}\n  bob: {mass: 1, inertia: 0.1, centroid: [0, -1], pose: {at: "
    "[3, 0]}}\n"
    "joints:\n  A: {type: revolute, between: [ground, rod]}\n  B: {type: revolute, between: [ground.B, bob]}\n"
    "loads: {f: {type: force, to: rod.E, value: [-10, 0]}}\n";

typedef struct Both {
    RbvModel *model;
    RbvSystem *system;
    RbvState *state;
    RbvBalance *balance;
    RbvStability dense, sparse;
} Both;

/* At the assembled start, moved at random when `seed`, with multipliers of the size `push`. */
static Both find_both(const char *text, uint64_t *seed, double push) {
    Both both = {.model = machine_read(text)};
    RbvAssembly assembly = {.driven = true};
    both.system = machine_compile(both.model);
    both.state = rbv_state_create(both.system);
    assert_non_null(both.state);
    if (seed) {
        double *step = calloc((size_t)both.system->coordinates.size, sizeof *step);
        assert_non_null(step);
        rbv_shake(both.state, both.system->start_q, 0.6, 0.3, seed, step);
        free(step);
    }
    assert_int_equal(rbv_assemble_position(both.state, 0, NULL, &assembly), RBV_OK);
    both.balance = rbv_balance_create(both.state, false);
    assert_non_null(both.balance);
    assert_true(rbv_balance_evaluate(both.balance));
    for (int32_t k = 0; seed && k < both.balance->rows; k++)
        both.balance->lambda[k] = push * machine_random(seed);
    assert_int_equal(rbv_stability_find(both.balance, true, 0, &both.dense), RBV_OK);
    both.sparse = (RbvStability){.kind = RBV_UNDECIDED, .curvature = NAN, .margin = NAN};
    both.sparse.direction = calloc(2 * (size_t)both.balance->n, sizeof(double));
    assert_non_null(both.sparse.direction);
    both.sparse.nearest = both.sparse.direction + both.balance->n;
    assert_int_equal(rbv_stability_sparse(both.balance, &both.sparse), RBV_OK);
    return both;
}

static void destroy(Both *both) {
    free(both->dense.direction);
    free(both->sparse.direction);
    rbv_balance_destroy(both->balance);
    rbv_state_destroy(both->state);
    rbv_system_destroy(both->system);
    rbv_model_destroy(both->model);
}

static void agree(const char *text, int trials, double push) {
    uint64_t seed = 77;
    for (int k = 0; k < trials; k++) {
        Both both = find_both(text, &seed, push);
        assert_int_equal(both.sparse.kind, both.dense.kind);
        assert_int_equal(both.sparse.falling, both.dense.falling > 0);
        assert_near(both.sparse.curvature, both.dense.curvature, 1e-7 * fabs(both.dense.curvature));
        if (!isnan(both.dense.margin))
            assert_near(both.sparse.margin, both.dense.margin, 1e-7 * fabs(both.dense.margin));
        destroy(&both);
    }
}

static void curvatures_of_random_states_agree(void **unused) {
    (void)unused;
    agree(chain_in_space, 40, 100); /* most of them fall */
    agree(chain_in_space, 20, 1);
}

static void without_mass_and_with_a_redundant_row(void **unused) {
    (void)unused;
    Both both = find_both(cranks, NULL, 0);
    assert_int_equal(both.dense.kind, both.sparse.kind);
    assert_near(both.sparse.curvature, both.dense.curvature, 1e-7 * fabs(both.dense.curvature));
    destroy(&both);
}

static void what_has_no_mass_falls_without_a_curvature(void **unused) {
    (void)unused;
    Both both = find_both(pushed, NULL, 0);
    assert_int_equal(both.dense.kind, RBV_UNSTABLE);
    assert_int_equal(both.sparse.kind, RBV_UNSTABLE);
    assert_true(isnan(both.dense.curvature) && isnan(both.sparse.curvature));
    destroy(&both);
}

static void what_cannot_move_is_stable_and_has_no_curvature(void **unused) {
    (void)unused;
    Both both = find_both(rigid, NULL, 0);
    assert_int_equal(both.dense.kind, RBV_STABLE);
    assert_int_equal(both.sparse.kind, RBV_STABLE);
    assert_true(isnan(both.sparse.curvature));
    destroy(&both);
}

static void a_level_slide_is_neutral(void **unused) {
    (void)unused;
    Both both = find_both(level, NULL, 0);
    assert_int_equal(both.dense.kind, RBV_NEUTRAL);
    assert_int_equal(both.sparse.kind, RBV_NEUTRAL);
    destroy(&both);
}

/* A body of mass m = 2 and inertia J = 0.3 hangs by a blade that is d = 0.4 ahead of its centroid and points along x:
 * the blade carries m g. With a spring k along x and a coil c (turned so that the moment balances) the motions s
 * along the blade and the turn a obey m s'' = -k s - m g a and (J + m d^2) a'' = -c a: two curvatures, k/m and c/(J +
 * m d^2), whatever the coupling by the blade's force, which turns with the body. Differences of fourth order with
 * steps of 1e-3: 1e-9. */
static void locked(const char *space, double k, double c, RbvStabilityKind kind) {
    char text[1200];
    bool spatial = strcmp(space, "spatial") == 0;
    snprintf(text, sizeof text,
             "roberval: 1\nspace: %s\ngravity: [0, -9.81%s]\nbodies:\n  ground: {}\n  b: {mass: 2, inertia: %s, "
             "markers: {edge: [0.4, 0%s]}}\n"
             "joints:\n  edge: {type: knife-edge, between: [ground, b.edge]}\n%s"
             "loads: {s: {type: energy, value: \"%g*%s^2/2 + %g*(%s + 2*9.81*0.4/%g)^2/2\"}}\n",
             space, spatial ? ", 0" : "", spatial ? "[0.3, 0.3, 0.3]" : "0.3", spatial ? ", 0" : "",
             spatial ? "  floor: {type: planar, between: [ground, b]}\n" : "", k, spatial ? "floor.x" : "x(b)", c,
             spatial ? "floor.rz" : "angle(b)", c);
    RbvModel *model = machine_read(text);
    RbvSystem *system = machine_compile(model);
    RbvState *state = rbv_state_create(system);
    RbvAssembly assembly = {.driven = true};
    RbvStability stability;
    assert_int_equal(rbv_assemble_position(state, 0, NULL, &assembly), RBV_OK);
    RbvBalance *balance = rbv_balance_create(state, true);
    assert_non_null(balance);
    assert_true(rbv_balance_evaluate(balance) && rbv_balance_multipliers(balance));
    assert_true(rbv_balance_residual(balance, balance->lambda) < 1e-9);
    assert_int_equal(rbv_stability_find(balance, true, 0, &stability), RBV_OK);
    double along = k / 2, turning = c / (0.3 + 2 * 0.16), least = fabs(along) < fabs(turning) ? along : turning;
    assert_int_equal(stability.kind, kind);
    assert_near(stability.margin, least, 1e-9 * fabs(turning));
    assert_int_equal(stability.falling, (along < 0) + (turning < 0));
    free(stability.direction);
    rbv_balance_destroy(balance);
    rbv_state_destroy(state);
    rbv_system_destroy(system);
    rbv_model_destroy(model);
}

static void a_locked_blade_carries_a_force_that_turns(void **unused) {
    (void)unused;
    static const char *const spaces[] = {"planar", "spatial"};
    for (int n = 0; n < 2; n++) {
        locked(spaces[n], 50, 30, RBV_STABLE);
        locked(spaces[n], 200, 30, RBV_STABLE);
        locked(spaces[n], -10, 30, RBV_UNSTABLE);
        locked(spaces[n], 50, -30, RBV_UNSTABLE);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(curvatures_of_random_states_agree),
        cmocka_unit_test(without_mass_and_with_a_redundant_row),
        cmocka_unit_test(what_has_no_mass_falls_without_a_curvature),
        cmocka_unit_test(what_cannot_move_is_stable_and_has_no_curvature),
        cmocka_unit_test(a_level_slide_is_neutral),
        cmocka_unit_test(a_locked_blade_carries_a_force_that_turns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
