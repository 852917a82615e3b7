/* Radau's method: its order where nothing is stiff, and stiff problems in steps that no explicit method could take. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/solve/radau.h"

#include <math.h>

static RbvStatus smooth(void *context, double t, const double *y, double *f) {
    (void)context;
    f[0] = t * y[1];
    f[1] = -t * y[0];
    f[2] = -y[2] * y[2] * t;
    return RBV_OK;
}

static double error_of(int steps) {
    const double weight[3] = {1e12, 1e12, 1e12};
    RbvRadau r;
    double y[3] = {0, 1, 1}, f[3], estimate, h = 2.0 / steps, right[3] = {sin(2), cos(2), 1.0 / 3}, most = 0;
    assert_true(rbv_radau_create(&r, 3, 1e-12, smooth, NULL, NULL));
    for (int n = 0; n < steps; n++) {
        smooth(NULL, n * h, y, f);
        rbv_radau_forget(&r);
        assert_int_equal(rbv_radau_step(&r, n * h, y, f, h, weight, y, &estimate), RBV_OK);
        assert_true(isfinite(estimate));
    }
    for (int i = 0; i < 3; i++)
        most = fmax(most, fabs(y[i] - right[i]));
    rbv_radau_destroy(&r);
    return most;
}

static void steps_converge_with_order_five(void **state) {
    (void)state;
    assert_in_range((int)(10 * log2(error_of(16) / error_of(32))), 46, 56);
}

/* Prothero and Robinson: y' = -k (y - cos t) - sin t, with steps 10^5 times as long as explicit ones could be: the
 * solution stays cos t. */
static RbvStatus stiff(void *context, double t, const double *y, double *f) {
    f[0] = -*(double *)context * (y[0] - cos(t)) - sin(t);
    return RBV_OK;
}

static void stiff_parts_are_followed_in_long_steps(void **state) {
    (void)state;
    const double weight[1] = {1e8};
    double k = 1e7, y[1] = {1}, f[1], estimate;
    RbvRadau r;
    assert_true(rbv_radau_create(&r, 1, 1e-8, stiff, &k, NULL));
    for (int n = 0; n < 100; n++) {
        stiff(&k, n * 0.01, y, f);
        assert_int_equal(rbv_radau_step(&r, n * 0.01, y, f, 0.01, weight, y, &estimate), RBV_OK);
        assert_true(fabs(y[0] - cos((n + 1) * 0.01)) < 1e-8);
    }
    rbv_radau_destroy(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(steps_converge_with_order_five),
                                       cmocka_unit_test(stiff_parts_are_followed_in_long_steps)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
