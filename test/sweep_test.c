/* Derivatives along a number of which neither size nor unit is known (dynamics/vibration/linearisation.h): of smooth
 * values, and of values that the number moves by their last digits alone. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "dynamics/vibration/linearisation.h"

#include <math.h>

#define AT 0.3

/* A parabola, a sine, a force of 900 N whose last digit changes with every step, and one that the number moves by
 * little. */
static RbvStatus beside(void *context, double h, double *value) {
    int *calls = context;
    double x = AT + h;
    value[0] = 3 * x * x - 2 * x;
    value[1] = sin(x);
    value[2] = 900 * (1 + ((*calls)++ % 3 - 1) * 2.3e-16);
    value[3] = 900 + 1e-3 * x;
    return RBV_OK;
}

static void derivatives_are_those_of_the_values_and_of_their_rounding_zero(void **unused) {
    (void)unused;
    int calls = 0;
    double out[4];
    assert_int_equal(rbv_sweep(beside, &calls, AT, 4, out), RBV_OK);
    assert_true(fabs(out[0] - (6 * AT - 2)) <=
                1e-9); /* two steps agree to 1e-10 of the value, which is a difference of parts ten times as large */
    assert_true(fabs(out[1] - cos(AT)) <= 1e-9);
    assert_true(out[2] == 0);
    assert_true(fabs(out[3] - 1e-3) <= 1e-12); /* 1e-9 of it */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(derivatives_are_those_of_the_values_and_of_their_rounding_zero)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
