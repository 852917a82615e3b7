/* Splines and smoothing: against cubics, against each other's continuity, and against the Butterworth gain in closed
 * form. */
#include "core/expr/spline.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#define PI 3.14159265358979323846
#define MOST 4096

static uint64_t seed = 362436069u;

static double draw(double low, double high) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * (double)(seed >> 11) / 9007199254740992.0;
}

static void near(double a, double b, double tolerance) {
    if (!(fabs(a - b) <= tolerance))
        fail_msg("%.17g is not %.17g within %g", a, b, tolerance);
}

static void random_knots(double *x, int32_t count) {
    x[0] = -1.3;
    for (int32_t k = 1; k < count; k++)
        x[k] = x[k - 1] + draw(0.02, 0.4);
}

static RbvSpline *create(int32_t count, const double *x, const double *y, bool periodic, RbvSplineOutside outside) {
    RbvStatus status = RBV_NO_MEMORY;
    RbvSpline *spline = rbv_spline_create("s", count, x, y, periodic, outside, &status);
    assert_non_null(spline);
    assert_int_equal(status, RBV_OK);
    return spline;
}

static void not_a_knot_reproduces_cubics(void **state) {
    (void)state;
    double x[40], y[40], d[4];
    for (int32_t count = 4; count <= 40; count++) {
        random_knots(x, count);
        double a = draw(-2, 2), b = draw(-2, 2), c = draw(-2, 2), e = draw(-2, 2);
        for (int32_t k = 0; k < count; k++)
            y[k] = a + x[k] * (b + x[k] * (c + x[k] * e));
        RbvSpline *spline = create(count, x, y, false, RBV_OUTSIDE_ERROR);
        for (int k = 0; k < 200; k++) {
            double s = draw(x[0], x[count - 1]);
            assert_true(rbv_spline_eval(spline, s, 3, d));
            double scale = 1 + fabs(a) + fabs(b * s) + fabs(c * s * s) + fabs(e * s * s * s);
            near(d[0], a + s * (b + s * (c + s * e)), 1e-12 * scale);
            near(d[1], b + s * (2 * c + 3 * s * e), 1e-10 * scale);
            near(d[2], 2 * c + 6 * s * e, 1e-8 * scale);
            near(d[3], 6 * e, 1e-6 * scale);
        }
        rbv_spline_destroy(spline);
    }
}

static void two_points_give_the_line_and_three_the_parabola(void **state) {
    (void)state;
    const double x[] = {1, 2, 5}, y[] = {1, 4, 25};
    double d[4];
    RbvSpline *spline = create(3, x, y, false, RBV_OUTSIDE_ERROR);
    assert_true(rbv_spline_eval(spline, 3.5, 3, d));
    near(d[0], 12.25, 1e-13);
    near(d[1], 7, 1e-13);
    near(d[2], 2, 1e-13);
    near(d[3], 0, 1e-13);
    rbv_spline_destroy(spline);
    spline = create(2, x, y, false, RBV_OUTSIDE_ERROR);
    assert_true(rbv_spline_eval(spline, 1.5, 3, d));
    near(d[0], 2.5, 1e-15);
    near(d[1], 3, 1e-15);
    near(d[2], 0, 0);
    rbv_spline_destroy(spline);
}

/* Jump of the derivatives 0..2 across s. */
static void assert_no_jump(const RbvSpline *spline, double left, double right, double scale) {
    double a[4], b[4];
    assert_true(rbv_spline_eval(spline, left, 2, a) && rbv_spline_eval(spline, right, 2, b));
    for (int k = 0; k < 3; k++)
        near(a[k], b[k], scale * 1e-9);
}

static void the_spline_interpolates_and_is_twice_continuously_differentiable(void **state) {
    (void)state;
    double x[30], y[30], d[4];
    for (int round = 0; round < 50; round++) {
        bool periodic = round % 2 == 1;
        int32_t count = 4 + round / 2;
        random_knots(x, count);
        for (int32_t k = 0; k < count; k++)
            y[k] = draw(-1, 1);
        if (periodic)
            y[count - 1] = y[0];
        RbvSpline *spline = create(count, x, y, periodic, RBV_OUTSIDE_ERROR);
        for (int32_t k = 0; k < count; k++) {
            assert_true(rbv_spline_eval(spline, x[k], 0, d));
            near(d[0], y[k], 1e-14);
            if (k > 0 && k + 1 < count)
                assert_no_jump(spline, x[k] - 1e-14, x[k] + 1e-14, 1e4);
        }
        double first, last;
        rbv_spline_range(spline, &first, &last);
        assert_true(first == x[0] && last == x[count - 1]);
        assert_true(rbv_spline_is_periodic(spline) == periodic);
        if (periodic) {
            assert_no_jump(spline, last - 1e-14, first, 1e4);
            for (int turn = -3; turn <= 3; turn++) {
                double s = draw(first, last), e[4];
                assert_true(rbv_spline_eval(spline, s, 2, d));
                assert_true(rbv_spline_eval(spline, s + turn * (last - first), 2, e));
                for (int k = 0; k < 3; k++)
                    near(d[k], e[k], 1e-8);
            }
        }
        rbv_spline_destroy(spline);
    }
}

static void the_periodic_spline_converges_to_the_sine(void **state) {
    (void)state;
    double x[129], y[129], d[4], before = 0;
    for (int32_t n = 16; n <= 128; n *= 2) {
        for (int32_t k = 0; k <= n; k++) {
            x[k] = 2 * PI * k / n;
            y[k] = sin(x[k]);
        }
        RbvSpline *spline = create(n + 1, x, y, true, RBV_OUTSIDE_ERROR);
        double error = 0;
        for (double s = 0; s < 2 * PI; s += 0.01) {
            rbv_spline_eval(spline, s, 2, d);
            error = fmax(error, fabs(d[0] - sin(s)));
            assert_true(fabs(d[2] + sin(s)) < 1.2 * pow(2 * PI / n, 2));
        }
        if (before > 0)
            assert_true(before / error > 14 && before / error < 18); /* fourth order */
        before = error;
        rbv_spline_destroy(spline);
    }
}

static void outside_is_refused_or_held(void **state) {
    (void)state;
    const double x[] = {0, 1, 2, 3}, y[] = {5, 1, 2, 7};
    double d[4];
    RbvSpline *spline = create(4, x, y, false, RBV_OUTSIDE_ERROR);
    assert_true(rbv_spline_eval(spline, 0, 2, d) && rbv_spline_eval(spline, 3, 2, d));
    assert_false(rbv_spline_eval(spline, -1e-9, 2, d));
    assert_true(isnan(d[0]) && isnan(d[1]) && isnan(d[2]));
    assert_false(rbv_spline_eval(spline, 3.0000001, 2, d));
    assert_false(rbv_spline_eval(spline, NAN, 2, d));
    rbv_spline_destroy(spline);
    spline = create(4, x, y, false, RBV_OUTSIDE_HOLD);
    assert_true(rbv_spline_eval(spline, 9, 3, d));
    assert_true(d[0] == 7 && d[1] == 0 && d[2] == 0 && d[3] == 0);
    assert_true(rbv_spline_eval(spline, -9, 1, d));
    assert_true(d[0] == 5 && d[1] == 0);
    assert_false(rbv_spline_eval(spline, INFINITY, 0, d));
    assert_string_equal(rbv_spline_name(spline), "s");
    rbv_spline_destroy(spline);
}

static void bad_data_is_refused(void **state) {
    (void)state;
    const double x[] = {0, 1, 2, 3, 4}, same[] = {0, 1, 1, 3, 4}, y[] = {0, 1, 2, 3, 0}, open[] = {0, 1, 2, 3, 1e-3};
    const double wrong[] = {0, NAN, 2, 3, 0}, huge[] = {1e308, -1e308, 1e308, -1e308, 0};
    RbvStatus status;
    assert_null(rbv_spline_create("", 1, x, y, false, RBV_OUTSIDE_ERROR, &status));
    assert_int_equal(status, RBV_BAD_INPUT);
    assert_null(rbv_spline_create("", 5, same, y, false, RBV_OUTSIDE_ERROR, &status));
    assert_null(rbv_spline_create("", 5, x, wrong, false, RBV_OUTSIDE_ERROR, &status));
    assert_null(rbv_spline_create("", 5, wrong, x, false, RBV_OUTSIDE_ERROR, &status));
    assert_null(rbv_spline_create("", 5, x, huge, false, RBV_OUTSIDE_ERROR, &status));
    assert_null(rbv_spline_create("", 5, x, open, true, RBV_OUTSIDE_ERROR, &status));
    assert_null(rbv_spline_create("", 3, x, y, true, RBV_OUTSIDE_ERROR, &status));
    assert_int_equal(status, RBV_BAD_INPUT);
}

/* ---- smoothing ---- */

/* Two passes of a bilinear second-order Butterworth filter, 3 dB down together at the cut-off. */
static double gain(double f, double cutoff, double rate) {
    double r = tan(PI * f / rate) / tan(PI * cutoff / rate);
    return 1 / (1 + (sqrt(2) - 1) * r * r * r * r);
}

static void periodic_sines_keep_phase_and_get_the_butterworth_gain(void **state) {
    (void)state;
    static double x[MOST], y[MOST];
    int32_t n = 400; /* period 1, 400 samples of it */
    for (int cycles = 0; cycles < 200; cycles += 7) {
        double phase = draw(0, 6);
        for (int32_t k = 0; k <= n; k++) {
            x[k] = 3 + (double)k / n;
            y[k] = 2 + cos(2 * PI * cycles * k / n + phase);
        }
        y[n] = y[0];
        assert_int_equal(rbv_smooth_zero_phase(n + 1, x, y, true, 20), RBV_OK);
        for (int32_t k = 0; k <= n; k++)
            near(y[k], 2 + gain(cycles, 20, n) * cos(2 * PI * cycles * k / n + phase), 1e-11);
    }
    near(gain(20, 20, n), sqrt(0.5), 1e-15);
}

static void inside_open_data_sines_get_the_same_gain(void **state) {
    (void)state;
    static double x[MOST], y[MOST];
    for (double f = 1; f < 60; f *= 1.7) {
        for (int32_t k = 0; k < MOST; k++) {
            x[k] = (k - 1000) * 0.005;
            y[k] = sin(2 * PI * f * x[k] + 0.3);
        }
        assert_int_equal(rbv_smooth_zero_phase(MOST, x, y, false, 10), RBV_OK);
        for (int32_t k = 1000; k < 3000; k++)
            near(y[k], gain(f, 10, 200) * sin(2 * PI * f * x[k] + 0.3), 1e-8);
    }
}

static void straight_lines_pass_unchanged(void **state) {
    (void)state;
    static double x[MOST], y[MOST];
    static const double cutoffs[] = {30, 3, 0.03, 1e-7};
    for (size_t c = 0; c < sizeof cutoffs / sizeof cutoffs[0]; c++) {
        bool is_long = cutoffs[c] >= 3; /* the memory of the filter fits into the data */
        for (int32_t k = 0; k < 1000; k++) {
            x[k] = k * 0.01;
            y[k] = 4 + (is_long ? 3 * x[k] : 0);
        }
        assert_int_equal(rbv_smooth_zero_phase(1000, x, y, false, cutoffs[c]), RBV_OK);
        for (int32_t k = 0; k < 1000; k++)
            near(y[k], 4 + (is_long ? 3 * x[k] : 0), is_long ? 1e-7 : 1e-13);
    }
}

static void unevenly_sampled_data_is_smoothed_alike(void **state) {
    (void)state;
    static double x[MOST], y[MOST];
    for (int periodic = 0; periodic < 2; periodic++) {
        int32_t n = 2000;
        for (int32_t k = 0; k <= n; k++) {
            double s = (double)k / n;
            x[k] = s + 0.02 * sin(2 * PI * s) / (2 * PI);
            y[k] = sin(2 * PI * 4 * x[k]) + 0.5 * sin(2 * PI * 60 * x[k]);
        }
        y[n] = y[0] = 0;
        assert_int_equal(rbv_smooth_zero_phase(n + 1, x, y, periodic == 1, 15), RBV_OK);
        for (int32_t k = n / 4; k < 3 * n / 4; k++) {
            double expected = gain(4, 15, n) * sin(2 * PI * 4 * x[k]) + 0.5 * gain(60, 15, n) * sin(2 * PI * 60 * x[k]);
            near(y[k], expected, 1e-4);
        }
    }
}

static void impossible_cutoffs_are_refused(void **state) {
    (void)state;
    double x[10], y[10];
    for (int k = 0; k < 10; k++)
        x[k] = y[k] = k;
    assert_int_equal(rbv_smooth_zero_phase(10, x, y, false, 0), RBV_BAD_INPUT);
    assert_int_equal(rbv_smooth_zero_phase(10, x, y, false, 0.5), RBV_BAD_INPUT);
    assert_int_equal(rbv_smooth_zero_phase(10, x, y, false, NAN), RBV_BAD_INPUT);
    assert_int_equal(rbv_smooth_zero_phase(7, x, y, false, 0.2), RBV_BAD_INPUT);
    x[3] = x[4];
    assert_int_equal(rbv_smooth_zero_phase(10, x, y, false, 0.2), RBV_BAD_INPUT);
    for (int k = 0; k < 10; k++)
        assert_true(y[k] == k);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(not_a_knot_reproduces_cubics),
        cmocka_unit_test(two_points_give_the_line_and_three_the_parabola),
        cmocka_unit_test(the_spline_interpolates_and_is_twice_continuously_differentiable),
        cmocka_unit_test(the_periodic_spline_converges_to_the_sine),
        cmocka_unit_test(outside_is_refused_or_held),
        cmocka_unit_test(bad_data_is_refused),
        cmocka_unit_test(periodic_sines_keep_phase_and_get_the_butterworth_gain),
        cmocka_unit_test(inside_open_data_sines_get_the_same_gain),
        cmocka_unit_test(straight_lines_pass_unchanged),
        cmocka_unit_test(unevenly_sampled_data_is_smoothed_alike),
        cmocka_unit_test(impossible_cutoffs_are_refused),
    };
    return cmocka_run_group_tests_name("spline", tests, NULL, NULL);
}
