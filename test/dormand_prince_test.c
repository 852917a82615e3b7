/* The numbers of the method are right when it has the order they promise, and its interpolant too. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/solve/dormand_prince.h"

#include <math.h>

/* y1' = t y2, y2' = -t y1: (sin, cos) of t^2/2; nonlinear in t, so that no condition of order holds by chance. And y3'
 * = y3^2 y1 keeps a nonlinear one with it. */
static RbvStatus rate(void *context, double t, const double *y, double *f) {
    (void)context;
    f[0] = t * y[1];
    f[1] = -t * y[0];
    f[2] = -y[2] * y[2] * t;
    return RBV_OK;
}

static void exact(double t, double *y) {
    y[0] = sin(t * t / 2);
    y[1] = cos(t * t / 2);
    y[2] = 1 / (1 + t * t / 2);
}

/* The error after `steps` steps to t = 2; of the interpolant at the worst of some places between in *between. */
static double error_of(int steps, double *between) {
    const double weight[3] = {1, 1, 1};
    RbvDormandPrince dp;
    double y[3] = {0, 1, 1}, next[3], right[3], estimate, h = 2.0 / steps, most = 0;
    assert_true(rbv_dormand_prince_create(&dp, 3, rate, NULL));
    *between = 0;
    for (int n = 0; n < steps; n++) {
        double t = n * h;
        rate(NULL, t, y, rbv_dormand_prince_first(&dp));
        assert_int_equal(rbv_dormand_prince_step(&dp, t, y, h, weight, next, &estimate), RBV_OK);
        rate(NULL, t + h, next, rbv_dormand_prince_last(&dp));
        assert_int_equal(rbv_dormand_prince_interpolate(&dp, t, y, h, next), RBV_OK);
        for (int k = 1; k < 8; k++) {
            double middle[3];
            rbv_dormand_prince_at(&dp, k / 8.0, middle);
            exact(t + h * k / 8, right);
            for (int i = 0; i < 3; i++)
                *between = fmax(*between, fabs(middle[i] - right[i]));
        }
        for (int i = 0; i < 3; i++)
            y[i] = next[i];
    }
    exact(2, right);
    for (int i = 0; i < 3; i++)
        most = fmax(most, fabs(y[i] - right[i]));
    rbv_dormand_prince_destroy(&dp);
    return most;
}

/* Halved steps: 2^8 for the method, and for the interpolant (order 7, so errors of h^8 locally) 2^8 as well; three
 * halves of a power are left for higher terms. */
static void steps_converge_with_order_eight(void **state) {
    (void)state;
    double between[2], coarse = error_of(8, &between[0]), fine = error_of(16, &between[1]);
    assert_in_range((int)(10 * log2(coarse / fine)), 70, 100);
    assert_in_range((int)(10 * log2(between[0] / between[1])), 65, 95);
    assert_true(fine < 1e-9);
}

/* From t = 1, where nothing vanishes: the mean of squares of the error is below the estimate, which is of a lower
 * order, at steps that a run would take. */
static void the_estimate_is_no_smaller_than_the_error(void **state) {
    (void)state;
    const double weight[3] = {1, 1, 1};
    RbvDormandPrince dp;
    assert_true(rbv_dormand_prince_create(&dp, 3, rate, NULL));
    for (double h = 0.1; h < 0.5; h *= 1.3) {
        double y[3], next[3], right[3], estimate, squares = 0;
        exact(1, y);
        rate(NULL, 1, y, rbv_dormand_prince_first(&dp));
        assert_int_equal(rbv_dormand_prince_step(&dp, 1, y, h, weight, next, &estimate), RBV_OK);
        exact(1 + h, right);
        for (int i = 0; i < 3; i++)
            squares += (next[i] - right[i]) * (next[i] - right[i]) / 3;
        assert_true(sqrt(squares) <= estimate + 1e-15);
    }
    rbv_dormand_prince_destroy(&dp);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(steps_converge_with_order_eight),
                                       cmocka_unit_test(the_estimate_is_no_smaller_than_the_error)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
