/* Sines and cosines of all lanes against libm: error at most one unit in the last place more than libm's own half, near
 * multiples of pi/2 and for large angles too. */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdbool.h>

/* Two lanes of any machine; the same source gives the wider ones. */
#define RBV_LANES 2
#include "arrays/lanes.h"

#define HALF_PI 1.57079632679489662

static uint64_t seed = 12345;
static double uniform(void) {
    seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
    return (double)(seed >> 11) * 0x1p-53;
}

/* |got - exact| in units of the last place of exact, which is that of libm in long double. */
static double units(double got, long double exact) {
    int exponent;
    frexp((double)exact, &exponent);
    return (double)(fabsl(got - exact) / ldexpl(1, exponent - 53));
}

static double worst_of(double most, int count) {
    double worst = 0;
    for (int k = 0; k < count; k++) {
        double x = most * (2 * uniform() - 1);
        if (k % 4 == 0) /* close to a multiple of pi/2, where sine or cosine is small */
            x = HALF_PI * nearbyint(x / HALF_PI) * (1 + 0x1p-50 * (uniform() - 0.5));
        Lanes_2 angle = {x, -x}, s, c;
        sine_cosine_2(angle, &s, &c);
        assert_false(any_2(beyond_2(angle)));
        worst = fmax(worst, fmax(units(s[0], sinl(x)), units(c[0], cosl(x))));
        assert_true(s[1] == -s[0] && c[1] == c[0]);
    }
    return worst;
}

static void sines_are_good_to_the_last_place(void **unused) {
    (void)unused;
    assert_true(worst_of(1, 200000) < 1);
    assert_true(worst_of(10, 200000) < 1);
    assert_true(worst_of(RBV_LARGE_ANGLE, 200000) < 1);
}

static void large_angles_and_nonsense_are_left_to_libm(void **unused) {
    (void)unused;
    const double beyond[] = {1.0001 * RBV_LARGE_ANGLE, -1e300, INFINITY, -INFINITY, NAN};
    for (size_t k = 0; k < sizeof beyond / sizeof *beyond; k++) {
        Lanes_2 one = {0, beyond[k]}, other = {beyond[k], 0};
        assert_true(any_2(beyond_2(one)) && any_2(beyond_2(other)));
    }
    Lanes_2 zero = {0.0, -0.0}, s, c;
    sine_cosine_2(zero, &s, &c);
    assert_true(s[0] == 0 && s[1] == 0 && c[0] == 1 && c[1] == 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sines_are_good_to_the_last_place),
        cmocka_unit_test(large_angles_and_nonsense_are_left_to_libm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
