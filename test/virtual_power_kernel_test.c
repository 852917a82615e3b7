/* The kernel of virtual power, broken: motions at a rate that is off by a hundredth. That method fails by its audit,
 * for all reactions and for one, and no other method does: they are different routes.
 *
 * solution/reaction/virtual_power.c is compiled into this program, which the linker takes instead of the library's,
 * with solutions for motions that are counted and broken here. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/linalg/lu.h"
#include "support/machines.h"

/* Columns of the three bodies of the four-bar. */
enum { COLUMNS = 9 };

static double factor = 1;
static int32_t calls;

static void solve_motion(RbvLu *lu, double *u) {
    calls++;
    rbv_lu_solve(lu, u);
    for (int32_t k = 0; k < COLUMNS; k++)
        u[k] *= factor;
}

static int32_t solve_unit_motion(RbvLu *lu, int32_t k, double *u, int32_t *moved) {
    calls++;
    int32_t count = rbv_lu_solve_unit(lu, k, u, moved);
    for (int32_t n = 0; n < count; n++)
        u[moved[n]] *= factor;
    return count;
}

#define rbv_lu_solve solve_motion
#define rbv_lu_solve_unit solve_unit_motion
#include "solution/reaction/virtual_power.c"
#undef rbv_lu_solve
#undef rbv_lu_solve_unit

static RbvStatus inverse(RbvInverseMethod method, int32_t reactions, int32_t *count) {
    static const char *const names[] = {"B.Fx"};
    RbvModel *model = machine_read(machine_four_bar);
    RbvSystem *system = machine_compile(model);
    RbvOptions options = rbv_options_default;
    RbvResult *result = NULL;
    options.inverse.method = method;
    options.from = 0;
    options.to = 0.1;
    options.step = 0.1;
    options.inverse.reactions = names;
    options.inverse.reaction_count = reactions;
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
