/* Random numbers, quantiles and designs of studies against their definitions. test/study_test.py holds them against
 * scipy. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "study/design/chances.h"
#include "study/design/design.h"
#include "study/design/random.h"
#include "study/design/sobol.h"

static void assert_near(double a, double b, double tolerance) {
    if (!(fabs(a - b) <= tolerance))
        fail_msg("%.17g is not %.17g to %g", a, b, tolerance);
}

/* Published values: Abramowitz and Stegun, tables 26.1, 26.8 and 26.10, and z of 1e-300 from the asymptotic series. */
static void quantiles(void **state) {
    (void)state;
    assert_near(rbv_normal_quantile(0.5), 0, 1e-16);
    assert_near(rbv_normal_quantile(0.975), 1.959963984540054, 2e-15);
    assert_near(rbv_normal_quantile(0.0013498980316300933), -3, 5e-15);
    assert_near(rbv_normal_quantile(1e-300), -37.0471, 1e-4);
    for (int k = 1; k < 2000; k++) {
        double z = -8 + 0.004 * k; /* above -8, where 1 - p still tells p */
        assert_near(rbv_normal_quantile(rbv_normal_probability(z)), z, 1e-14 * fmax(1, -z));
    }
    assert_near(rbv_student_quantile(1, 0.975), 12.706204736432095, 1e-9);
    assert_near(rbv_student_quantile(10, 0.975), 2.2281388519649385, 1e-10);
    assert_near(rbv_chi_squared_quantile(10, 0.975), 20.483177350807388, 1e-9);
    assert_near(rbv_chi_squared_quantile(2, 0.5), 2 * log(2), 1e-10);
    assert_near(rbv_triangle_quantile(0, 1, 4, 0.25), 1, 1e-15);
    assert_near(rbv_triangle_quantile(0, 1, 4, 0.0625), 0.5, 1e-15);
    double least, largest;
    rbv_wilson(0, 10, &least, &largest); /* z^2/(n + z^2) above 0 of n */
    assert_near(least, 0, 1e-15);
    assert_near(largest, 3.841458820694124 / 13.841458820694124, 1e-12);
}

/* The first points of two dimensions, by hand. */
static void sobol_points(void **state) {
    (void)state;
    static const double x[] = {0, 0.5, 0.75, 0.25, 0.375, 0.875}, y[] = {0, 0.5, 0.25, 0.75, 0.375, 0.875};
    for (uint32_t k = 0; k < 6; k++) {
        assert_near(rbv_sobol(0, k), x[k], 0);
        assert_near(rbv_sobol(1, k), y[k], 0);
    }
    for (int32_t d = 0; d < RBV_SOBOL_MOST; d++) { /* each of 1024 slices holds one of the first 1024 points */
        char seen[1024] = {0};
        for (uint32_t k = 0; k < 1024; k++)
            seen[(int)(rbv_sobol(d, k) * 1024)]++;
        for (int k = 0; k < 1024; k++)
            assert_int_equal(seen[k], 1);
    }
}

static void places_are_permutations(void **state) {
    (void)state;
    for (uint64_t count = 1; count < 300; count += 7) {
        char seen[300] = {0};
        for (uint64_t k = 0; k < count; k++)
            seen[rbv_random_place(5, 2, count, k)]++;
        for (uint64_t k = 0; k < count; k++)
            assert_int_equal(seen[k], 1);
    }
    assert_true(rbv_random(1, 1, 1) != rbv_random(1, 1, 2));
    assert_true(rbv_random(1, 1, 1) != rbv_random(1, 2, 1));
    assert_true(rbv_random(2, 1, 1) != rbv_random(1, 1, 1));
}

static void roots(void **state) {
    (void)state;
    double good[] = {1, 0.6, 0.6, 1}, bad[] = {1, 0.9, -0.9, 0.9, 1, 0.9, -0.9, 0.9, 1};
    assert_true(rbv_design_root(good, 2));
    assert_near(good[2], 0.6, 1e-15);
    assert_near(good[3], 0.8, 1e-15);
    assert_false(rbv_design_root(bad, 3));
}

/* The last parameter runs fastest; one that moves along has the same place. */
static void grids(void **state) {
    (void)state;
    static const double list[] = {7, 8, 9};
    const RbvFactor factors[] = {{.kind = RBV_FACTOR_RANGE, .lead = 0, .count = 2, .a = 10, .b = 20},
                                 {.kind = RBV_FACTOR_LIST, .lead = 1, .count = 3, .values = list},
                                 {.kind = RBV_FACTOR_RANGE, .lead = 1, .count = 3, .a = 1, .b = 100, .log = true}};
    const RbvDesign design = {.kind = RBV_DESIGN_GRID, .factor_count = 3, .factors = factors, .count = 6};
    static const double expected[6][3] = {{10, 7, 1}, {10, 8, 10}, {10, 9, 100}, {20, 7, 1}, {20, 8, 10}, {20, 9, 100}};
    assert_near(rbv_design_grid_size(3, factors), 6, 0);
    for (int k = 0; k < 6; k++) {
        double values[3];
        rbv_design_point(&design, k, values);
        for (int p = 0; p < 3; p++)
            assert_near(values[p], expected[k][p], 1e-14 * expected[k][p]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(quantiles), cmocka_unit_test(sobol_points),
                                       cmocka_unit_test(places_are_permutations), cmocka_unit_test(roots),
                                       cmocka_unit_test(grids)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
