/* What statics --all lists is audited: a place of rest passes, any other fails and is said.
 *
 * Pendulums of random length and mass on a pin, and a driven pair of bars: hung at random angles they are in balance
 * straight below and above their pin only. */
#include "core/base/diagnostics.h"
#include "solution/assembly/assemble.h"
#include "statics/verify.h"
#include "support/machines.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* The status of the audit of a pendulum at this angle, and whether it was said. */
static RbvStatus audited(double length, double mass, double angle, bool *said) {
    char text[600];
    snprintf(text, sizeof text,
             "roberval: 1\nspace: planar\ngravity: [0, -9.81]\nbodies:\n  bob: {mass: %.17g, inertia: 0.1, centroid: "
             "[%.17g, 0], pose: {angle: %.17g}}\n"
             "joints: {A: {type: revolute, between: [ground, bob]}}\n",
             mass, length, angle);
    RbvModel *model = machine_read(text);
    RbvSystem *system = machine_compile(model);
    RbvState *state = rbv_state_create(system);
    RbvDiagnostics *diagnostics = rbv_diagnostics_create();
    RbvOptions options = rbv_options_default;
    RbvReactions *reactions = rbv_reactions_create(system, options.reactions.frame);
    RbvRecordOptions record = {
        .analysis = "statics", .reactions = true, .series = true, .at_rest = true, .method = "energy"};
    RbvEquilibriumVerifier judge = {.options = &options, .diagnostics = diagnostics, .method = "energy"};
    judge.record = rbv_record_create(system, reactions, &record);
    RbvBalance *balance = rbv_balance_create(state, false);
    RbvEquilibriumSearch search;
    RbvStability stability = {0};
    assert_non_null(judge.record);
    assert_non_null(balance);
    assert_true(rbv_balance_evaluate(balance));
    assert_int_equal(rbv_equilibrium_create(&search, balance, NULL), RBV_OK);
    assert_true(rbv_balance_multipliers(balance));
    assert_int_equal(rbv_stability_find(balance, true, 0, &stability), RBV_OK);
    RbvStatus status = rbv_equilibrium_audit(&judge, &search, &stability, "it");
    *said = rbv_diagnostics_count(diagnostics) > 0;
    free(stability.direction);
    rbv_equilibrium_destroy(&search);
    rbv_balance_destroy(balance);
    rbv_record_destroy(judge.record);
    rbv_reactions_destroy(reactions);
    rbv_diagnostics_destroy(diagnostics);
    rbv_state_destroy(state);
    rbv_system_destroy(system);
    rbv_model_destroy(model);
    return status;
}

static void only_places_of_rest_pass(void **unused) {
    (void)unused;
    uint64_t seed = 23;
    for (int trial = 0; trial < 30; trial++) {
        double length = exp(3 * machine_random(&seed)), mass = exp(4 * machine_random(&seed)),
               off = pow(10, -6 * fabs(machine_random(&seed)));
        bool above = trial % 2, said = false;
        double rest = above ? 1.5707963267948966 : -1.5707963267948966;
        assert_int_equal(audited(length, mass, rest, &said), RBV_OK);
        assert_false(said);
        assert_int_equal(audited(length, mass, rest + (trial % 3 ? off : -off), &said), RBV_AUDIT_FAILED);
        assert_true(said);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(only_places_of_rest_pass)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
