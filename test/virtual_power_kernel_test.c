/* The kernel of virtual power, broken: motions at a rate that is off by a hundredth. That method fails by its audit,
 * for all reactions and for one, and no other method does: they are different routes.
 *
 * The functions of solution/reaction/virtual_power.c are those here, which the linker takes instead of the library's.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "solution/reaction/virtual_power.h"
#include "support/machines.h"

static double factor = 1;
static int32_t calls;

void rbv_virtual_forces(const RbvMotion *motion, const double *Q, double *x) {
    rbv_state_body_inertia(motion->state, motion->state->accelerations, x);
    for (int32_t j = 0; j < motion->D->n; j++)
        x[j] = Q[j] - x[j];
}

double rbv_virtual_power(const RbvMotion *motion, const double *u, const double *x) {
    double sum = 0;
    for (int32_t j = 0; j < motion->D->n; j++)
        sum += u[j] * x[j];
    return sum;
}

void rbv_virtual_motion(const RbvMotion *motion, const double *rates, double *u) {
    calls++;
    for (int32_t k = 0; k < motion->D->n; k++)
        u[k] = factor * rates[motion->D->chosen[k]];
    rbv_lu_solve(motion->D->lu, u);
}

int32_t rbv_virtual_motion_of(const RbvMotion *motion, int32_t k, double *u, int32_t *moved) {
    calls++;
    int32_t count = rbv_lu_solve_unit(motion->D->lu, k, u, moved);
    for (int32_t n = 0; n < count; n++)
        u[moved[n]] *= factor;
    return count;
}

static RbvStatus inverse(RbvInverseMethod method, int32_t reactions, int32_t *count) {
    static const char *const names[] = {"B.Fx"};
    RbvModel *model = machine_read(machine_four_bar);
    RbvSystem *system = machine_compile(model);
    RbvOptions options = rbv_options_default();
    RbvResult *result = NULL;
    options.method = method;
    options.from = 0;
    options.to = 0.1;
    options.step = 0.1;
    options.reactions = names;
    options.reaction_count = reactions;
    calls = 0;
    RbvStatus status = rbv_inverse(system, &options, NULL, &result);
    *count = calls;
    rbv_result_destroy(result);
    rbv_system_destroy(system);
    rbv_model_destroy(model);
    return status;
}

static void others_do_not_use_it(void **unused) {
    (void)unused;
    int32_t count;
    factor = 1.01;
    for (RbvInverseMethod method = RBV_METHOD_TWO_STEP; method <= RBV_METHOD_PSEUDO_INVERSE; method++) {
        if (method == RBV_METHOD_VIRTUAL_POWER)
            continue;
        assert_int_equal(inverse(method, 0, &count), RBV_OK);
        assert_int_equal(count, 0);
    }
}

static void it_fails_when_it_is_broken(void **unused) {
    (void)unused;
    int32_t count;
    factor = 1;
    assert_int_equal(inverse(RBV_METHOD_VIRTUAL_POWER, 0, &count), RBV_OK);
    assert_int_equal(inverse(RBV_METHOD_VIRTUAL_POWER, 1, &count), RBV_OK);
    factor = 1.01;
    assert_int_equal(inverse(RBV_METHOD_VIRTUAL_POWER, 0, &count), RBV_AUDIT_FAILED);
    assert_int_equal(inverse(RBV_METHOD_VIRTUAL_POWER, 1, &count), RBV_LOCKED);
}

/* One motion for the reaction and one for the effort at each of two samples, and once the motion that is printed. */
static void a_single_reaction_takes_one_motion(void **unused) {
    (void)unused;
    int32_t count;
    factor = 1;
    assert_int_equal(inverse(RBV_METHOD_VIRTUAL_POWER, 1, &count), RBV_OK);
    assert_int_equal(count, 2 * 2 + 1);
    assert_int_equal(inverse(RBV_METHOD_VIRTUAL_POWER, 0, &count), RBV_OK);
    assert_int_equal(count, 2 * 9);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(others_do_not_use_it),
        cmocka_unit_test(it_fails_when_it_is_broken),
        cmocka_unit_test(a_single_reaction_takes_one_motion),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
