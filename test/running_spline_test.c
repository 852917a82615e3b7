/* The spline that keeps a window is the spline of all points: against rbv_spline_eval for every number of points, equal
 * and very unequal steps, and slopes of a sine with the orders of cubic splines. */
#include "core/expr/spline.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#define MOST 1000
#define FUNCTIONS 3

static uint64_t seed = 362436069u;

static double draw(double low, double high) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * (double)(seed >> 11) / 9007199254740992.0;
}

static double x[MOST], y[FUNCTIONS][MOST], found[MOST][FUNCTIONS][2];

/* All points through the window: as many as there is room for, then what is known. */
static void run(int32_t count) {
    RbvRunningSpline *spline = rbv_running_spline_create(FUNCTIONS);
    assert_non_null(spline);
    int32_t added = 0, taken = 0;
    while (taken < count) {
        while (added < count && rbv_running_spline_room(spline) > 0) {
            double at[FUNCTIONS];
            for (int f = 0; f < FUNCTIONS; f++)
                at[f] = y[f][added];
            rbv_running_spline_add(spline, x[added++], at);
            if (added == count)
                rbv_running_spline_close(spline);
        }
        assert_true(rbv_running_spline_is_known(spline));
        while (rbv_running_spline_is_known(spline))
            rbv_running_spline_take(spline, found[taken++]);
        assert_true(taken <= added);
        assert_true(added - taken <= 2 * RBV_SPLINE_AHEAD + 3);
    }
    assert_int_equal(taken, count);
    assert_false(rbv_running_spline_is_known(spline));
    rbv_running_spline_destroy(spline);
}

/* Rounding: slopes are differences of values over steps, second derivatives those of slopes. */
static void compare(int32_t count) {
    run(count);
    double least = INFINITY;
    for (int32_t k = 1; k < count; k++)
        least = fmin(least, x[k] - x[k - 1]);
    for (int f = 0; f < FUNCTIONS; f++) {
        RbvStatus status;
        RbvSpline *whole = rbv_spline_create("s", count, x, y[f], false, RBV_OUTSIDE_ERROR, &status);
        assert_non_null(whole);
        double size = 0;
        for (int32_t k = 0; k < count; k++)
            size = fmax(size, fabs(y[f][k]));
        for (int32_t k = 0; k < count; k++) {
            double d[4];
            assert_true(rbv_spline_eval(whole, x[k], 2, d));
            for (int order = 1; order <= 2; order++)
                if (!(fabs(found[k][f][order - 1] - d[order]) <= 1e-13 * size / pow(least, order)))
                    fail_msg("%d points, derivative %d at point %d: %.17g is not %.17g", (int)count, order, (int)k,
                             found[k][f][order - 1], d[order]);
        }
        rbv_spline_destroy(whole);
    }
}

static void set_values(int32_t count) {
    for (int32_t k = 0; k < count; k++) {
        y[0][k] = sin(3 * x[k]);
        y[1][k] = draw(-1, 1);
        y[2][k] = k == count / 2; /* what one point does far away */
    }
}

static void equals_the_whole_spline(void **state) {
    (void)state;
    const int32_t counts[] = {2,   3,   4,   5,   6,   7,   63,  64,  65,  66,  128, 129, 130, 131,
                              132, 133, 134, 194, 195, 196, 197, 198, 260, 261, 262, 263, 500, MOST};
    for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++) {
        for (int32_t k = 0; k < counts[c]; k++)
            x[k] = 0.01 * k;
        set_values(counts[c]);
        compare(counts[c]);
        for (int32_t k = 1; k < counts[c]; k++)
            x[k] = x[k - 1] + draw(0.002, 0.02);
        set_values(counts[c]);
        compare(counts[c]);
    }
}

/* Steps that grow and shrink by a third each: what lies ahead counts most, and where they turn. */
static void equals_it_on_uneven_points(void **state) {
    (void)state;
    double step = 0.01;
    x[0] = 5;
    for (int32_t k = 1; k < 400; k++) {
        step *= k / 20 % 2 ? 1 / 1.3 : 1.3;
        x[k] = x[k - 1] + step;
    }
    set_values(400);
    compare(400);
}

/* At inner points the slope of a cubic spline through equal steps is right to the fourth order, its second derivative
 * to the second. */
static void has_the_orders_of_splines(void **state) {
    (void)state;
    double worst[2][2] = {{0}};
    for (int fine = 0; fine < 2; fine++) {
        int32_t count = fine ? 801 : 401;
        double h = 4.0 / (count - 1);
        for (int32_t k = 0; k < count; k++)
            x[k] = h * k;
        set_values(count);
        run(count);
        for (int32_t k = count / 4; k < 3 * count / 4; k++) {
            worst[fine][0] = fmax(worst[fine][0], fabs(found[k][0][0] - 3 * cos(3 * x[k])));
            worst[fine][1] = fmax(worst[fine][1], fabs(found[k][0][1] + 9 * sin(3 * x[k])));
        }
    }
    assert_true(fabs(log2(worst[0][0] / worst[1][0]) - 4) < 0.1);
    assert_true(fabs(log2(worst[0][1] / worst[1][1]) - 2) < 0.1);
}

/* What errors of single values, independent of each other, do to derivatives: the root of the sum of squares of what
 * a value of 1 alone does everywhere. Of the spline through equal steps h it is known by its response to waves, S'(w)
 * = 6 sin w/(4 + 2 cos w)/h and S''(w) = 12 (cos w - 1)/(4 + 2 cos w)/h^2: in the mean over w 1.18/h and 6/h^2
 * (docs/record.md). */
static void noise_of_values(void **state) {
    (void)state;
    double sum[2] = {0, 0}, mean[2] = {0, 0};
    const int waves = 1000;
    for (int k = 0; k < waves; k++) {
        double w = 3.14159265358979323846 * (k + 0.5) / waves, below = 4 + 2 * cos(w);
        mean[0] += pow(6 * sin(w) / below, 2) / waves;
        mean[1] += pow(12 * (cos(w) - 1) / below, 2) / waves;
    }
    for (int32_t k = 0; k < 401; k++)
        x[k] = 0.01 * k;
    set_values(401);
    run(401);
    for (int32_t k = 0; k < 401; k++)
        for (int order = 0; order < 2; order++)
            sum[order] += pow(found[k][2][order] * (order ? 1e-4 : 1e-2), 2);
    for (int order = 0; order < 2; order++)
        assert_true(fabs(sqrt(sum[order] / mean[order]) - 1) < 1e-9);
    print_message("a value off by 1 at one point: slopes by %.4f/h, second derivatives by %.4f/h^2\n", sqrt(sum[0]),
                  sqrt(sum[1]));
}

static void says_nothing_of_one_point(void **state) {
    (void)state;
    double at[FUNCTIONS] = {1, 2, 3}, d[FUNCTIONS][2];
    RbvRunningSpline *spline = rbv_running_spline_create(FUNCTIONS);
    rbv_running_spline_add(spline, 0, at);
    assert_false(rbv_running_spline_is_known(spline));
    rbv_running_spline_close(spline);
    assert_true(rbv_running_spline_is_known(spline));
    rbv_running_spline_take(spline, d);
    assert_true(isnan(d[0][0]) && isnan(d[2][1]));
    assert_false(rbv_running_spline_is_known(spline));
    rbv_running_spline_destroy(spline);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals_the_whole_spline),   cmocka_unit_test(equals_it_on_uneven_points),
        cmocka_unit_test(has_the_orders_of_splines), cmocka_unit_test(noise_of_values),
        cmocka_unit_test(says_nothing_of_one_point),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
