/* Sizing without a run: integrals of cubics, factors of ISO 281 and ISO 76, motors behind gears; and what a program in
 * C gives and gets. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "analysis/sizing/motor.h"
#include "analysis/sizing/rolling.h"
#include "core/linalg/quadrature.h"
#include "support/machines.h"

#include <roberval/roberval.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEG (3.14159265358979323846 / 180)

static bool close_to(double a, double b, double tolerance) {
    bool good = fabs(a - b) <= tolerance * fmax(fabs(a), fabs(b));
    if (!good)
        print_message("%.17g is not %.17g\n", a, b);
    return good;
}

/* ---- integrals ---- */

typedef double Function(double t, double place);

/* Integral over the samples t[count], and its error, of f and of f^2. */
static void integrate(Function *f, double place, const double *t, int32_t count, double sum[2], double error[2]) {
    RbvArena arena = {0};
    RbvQuadrature q;
    assert_true(rbv_quadrature_create(&q, 2, &arena));
    for (int32_t k = 0; k < count; k++) {
        double *g = rbv_quadrature_next(&q, t[k]);
        g[0] = f(t[k], place);
        g[1] = g[0] * g[0];
    }
    rbv_quadrature_end(&q);
    for (int k = 0; k < 2; k++) {
        sum[k] = q.sum[k];
        error[k] = q.error[k];
    }
    assert_true(close_to(q.time, t[count - 1] - t[0], 1e-14));
    rbv_arena_clear(&arena);
}

static double cubic(double t, double place) {
    return 1 + t * (2 - t * (3 - place * t));
}

static void cubics_are_exact_on_uneven_samples(void **state) {
    (void)state;
    for (int32_t count = 4; count < 23; count++) {
        double t[32] = {0}, w[32], sum[2], error[2], weighed = 0;
        for (int32_t k = 1; k < count; k++)
            t[k] = t[k - 1] + 0.1 + 0.07 * sin(3.0 * k);
        integrate(cubic, 1.5, t, count, sum, error);
        double T = t[count - 1], exact = T * (1 + T * (1 - T * (1 - 1.5 / 4 * T)));
        assert_true(fabs(sum[0] - exact) < 1e-13 * (1 + T * T * T * T));
        rbv_quadrature_weights(t, count, w);
        for (int32_t k = 0; k < count; k++)
            weighed += w[k] * cubic(t[k], 1.5);
        assert_true(close_to(weighed, sum[0], 1e-13));
    }
}

static double kink(double t, double place) {
    return fabs(t - place);
}

static double jump(double t, double place) {
    return t > place;
}

static double swing(double t, double place) {
    return sin(40 * t + place);
}

/* Wherever a kink or a jump is between samples, the change by a halved step is less than the stated error. */
static void errors_bound_the_change_by_a_halved_step(void **state) {
    (void)state;
    static Function *const of[] = {kink, jump, swing};
    for (size_t n = 0; n < 3; n++)
        for (int phase = 0; phase < 97; phase++) {
            double t[401], place = 0.5 + phase / (97.0 * 20), sums[2][2], errors[2][2];
            for (int32_t halved = 0; halved < 2; halved++) {
                int32_t count = halved ? 101 : 51;
                for (int32_t k = 0; k < count; k++)
                    t[k] = (double)k / (count - 1);
                integrate(of[n], place, t, count, sums[halved], errors[halved]);
            }
            for (int k = 0; k < 2; k++)
                assert_true(fabs(sums[0][k] - sums[1][k]) <= errors[0][k] + 1e-15);
        }
}

/* Two samples at one time begin a new piece: a jump there is no error. */
static void an_event_between_samples_is_no_error(void **state) {
    (void)state;
    const double t[] = {0, 0.1, 0.2, 0.3, 0.4, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1};
    RbvArena arena = {0};
    RbvQuadrature q;
    assert_true(rbv_quadrature_create(&q, 1, &arena));
    for (int32_t k = 0; k < 12; k++)
        *rbv_quadrature_next(&q, t[k]) = k < 5 ? 2 : 5;
    rbv_quadrature_end(&q);
    assert_true(close_to(q.sum[0], 2 * 0.4 + 5 * 0.6, 1e-14) && q.error[0] < 1e-14);
    rbv_arena_clear(&arena);
}

/* ---- rolling bearings ---- */

static RbvBearingDef deep_groove(double f0, double C0) {
    RbvBearingDef b = rbv_bearing_def_default;
    b.f0 = f0;
    b.C0 = C0;
    return b;
}

/* The rows of the table; a worked example: Fr = 5 kN, Fa = 2 kN, C0 = 10 kN has 5.33 kN there with Y in between
 * (github.com/jeevanjyoti4/dome, after Shigley, whose factors over Fa/C0 are those at f0 = 12.3). */
static void deep_groove_factors_are_those_of_the_table(void **state) {
    (void)state;
    static const double rows[][3] = {{0.172, 0.19, 2.30}, {0.345, 0.22, 1.99}, {0.689, 0.26, 1.71},
                                     {1.03, 0.28, 1.55},  {1.38, 0.30, 1.45},  {2.07, 0.34, 1.31},
                                     {3.45, 0.38, 1.15},  {5.17, 0.42, 1.04},  {6.89, 0.44, 1.00}};
    RbvBearingDef b = deep_groove(10, 1000);
    for (size_t k = 0; k < 9; k++) {
        double Fa = rows[k][0] * 1000 / 10, e = rows[k][1], Y = rows[k][2];
        double above = 0.99 * Fa / e, below = 1.01 * Fa / e;
        assert_true(
            close_to(rbv_rolling_dynamic(&b, RBV_BEARING_DEEP_GROOVE, above, Fa, NULL), 0.56 * above + Y * Fa, 1e-12));
        assert_true(close_to(rbv_rolling_dynamic(&b, RBV_BEARING_DEEP_GROOVE, below, Fa, NULL), below, 1e-12));
    }
    RbvBearingDef book = deep_groove(12.3, 10e3);
    assert_true(fabs(rbv_rolling_dynamic(&book, RBV_BEARING_DEEP_GROOVE, 5e3, 2e3, NULL) - 5.34e3) < 20);
    assert_true(rbv_rolling_static(&b, RBV_BEARING_DEEP_GROOVE, 100, 300) == 0.6 * 100 + 0.5 * 300);
    assert_true(rbv_rolling_static(&b, RBV_BEARING_DEEP_GROOVE, 100, 10) == 100);
}

static void other_series_have_their_factors(void **state) {
    (void)state;
    static const double contact[][5] = {
        {25, 0.68, 0.41, 0.87, 0.38}, {30, 0.80, 0.39, 0.76, 0.33}, {40, 1.14, 0.35, 0.57, 0.26}};
    RbvBearingDef b = deep_groove(10, 1000);
    for (size_t k = 0; k < 3; k++) {
        b.angle = contact[k][0] * DEG;
        double P = rbv_rolling_dynamic(&b, RBV_BEARING_ANGULAR_CONTACT, 100, 200, NULL);
        assert_true(close_to(P, contact[k][2] * 100 + contact[k][3] * 200, 1e-12));
        assert_true(rbv_rolling_dynamic(&b, RBV_BEARING_ANGULAR_CONTACT, 100, 99 * contact[k][1], NULL) == 100);
        assert_true(close_to(rbv_rolling_static(&b, RBV_BEARING_ANGULAR_CONTACT, 100, 300),
                             0.5 * 100 + contact[k][4] * 300, 1e-12));
    }
    b.e = 0.3, b.Y1 = 2.1, b.Y2 = 3.2, b.Y0 = 2.2, b.Y = 1.6;
    assert_true(close_to(rbv_rolling_dynamic(&b, RBV_BEARING_SELF_ALIGNING, 100, 20, NULL), 100 + 2.1 * 20, 1e-12));
    assert_true(close_to(rbv_rolling_dynamic(&b, RBV_BEARING_SELF_ALIGNING, 100, 40, NULL), 65 + 3.2 * 40, 1e-12));
    assert_true(close_to(rbv_rolling_dynamic(&b, RBV_BEARING_SPHERICAL_ROLLER, 100, 40, NULL), 67 + 3.2 * 40, 1e-12));
    assert_true(close_to(rbv_rolling_dynamic(&b, RBV_BEARING_TAPERED_ROLLER, 100, 40, NULL), 40 + 1.6 * 40, 1e-12));
    assert_true(rbv_rolling_dynamic(&b, RBV_BEARING_CYLINDRICAL_ROLLER, 100, 40, NULL) == 100);
    assert_true(close_to(rbv_rolling_induced(&b, RBV_BEARING_TAPERED_ROLLER, 320, 0), 100, 1e-12));
    assert_true(rbv_rolling_exponent(&b, RBV_BEARING_DEEP_GROOVE) == 3);
    assert_true(close_to(rbv_rolling_exponent(&b, RBV_BEARING_TAPERED_ROLLER), 10.0 / 3, 1e-15));
    static const double a1[][2] = {{90, 1}, {95, 0.64}, {96, 0.55}, {97, 0.47}, {98, 0.37}, {99, 0.25}};
    for (size_t k = 0; k < 6; k++)
        assert_true(rbv_rolling_a1(a1[k][0]) == a1[k][1]);
}

/* ---- motors ---- */

static void a_gear_loses_in_both_directions(void **state) {
    (void)state;
    const RbvShaft shaft = {.ratio = 4, .inertia = 0.01, .efficiency = 0.8, .still = {1e-9, 1e-9}};
    const double rising[] = {2, 3}, falling[] = {-2, 3}, beginning[] = {0, 3}, resting[] = {0, 0};
    double own = 0.01 * 4 * 3, load = 100.0 / 4 - own;
    assert_true(close_to(rbv_shaft_effort(&shaft, 100, rising), load / 0.8 + own, 1e-14));
    assert_true(close_to(rbv_shaft_effort(&shaft, 100, falling), load * 0.8 + own, 1e-14));
    assert_true(close_to(rbv_shaft_effort(&shaft, 100, beginning), load / 0.8 + own, 1e-14));
    assert_true(close_to(rbv_shaft_effort(&shaft, 100, resting), 25, 1e-14));
    const double speeds[] = {0, 100, 200}, peaks[] = {40, 40, 10}, continuous[] = {20, 15, 5};
    RbvRatingDef rating = rbv_rating_def_default;
    rating.curve_count = 3, rating.curve_speed = speeds, rating.curve_peak = peaks;
    rating.curve_continuous = continuous;
    assert_true(rbv_motor_peak(&rating, 150) == 25 && rbv_motor_peak(&rating, 201) == 0);
    assert_true(rbv_motor_continuous(&rating, 50) == 17.5 && rbv_motor_top_speed(&rating) == 200);
}

/* ---- a program in C ---- */

static double figure(const RbvResult *result, const char *item, const char *name) {
    for (int32_t k = 0; k < rbv_result_sized_count(result); k++)
        for (int32_t n = 0; n < rbv_result_sized(result, k).figure_count; n++)
            if (strcmp(rbv_result_sized(result, k).name, item) == 0 &&
                strcmp(rbv_result_sized(result, k).figures[n].name, name) == 0)
                return rbv_result_sized(result, k).figures[n].value;
    return NAN;
}

/* A rotor at 60 rpm under 1 kN in a bearing with C = 10 kN. */
static RbvModel *rotor(RbvDiagnostics *diagnostics) {
    RbvModel *model = rbv_model_create(RBV_PLANAR, "Rotor");
    RbvBodyDef body = rbv_body_def_default;
    RbvJointDef joint = rbv_joint_def_default;
    RbvLoadDef load = rbv_load_def_default;
    RbvBearingDef bearing = rbv_bearing_def_default;
    RbvRatingDef rating = rbv_rating_def_default;
    body.name = "wheel", body.mass = 1, body.inertia[2] = 0.1;
    joint.name = "axle", joint.type = "revolute", joint.between[0] = "ground", joint.between[1] = "wheel";
    load.name = "push", load.type = "force", load.to = "wheel", load.value[0] = "F", load.value[1] = "0";
    bearing.series = "deep-groove", bearing.C = 10e3, bearing.C0 = 5e3, bearing.f0 = 13;
    rating.peak = 5, rating.continuous = 2;
    assert_int_equal(rbv_model_add_parameter(model, "F", 1000, "N", diagnostics), RBV_OK);
    assert_int_equal(rbv_model_add_body(model, &body, diagnostics), RBV_OK);
    assert_int_equal(rbv_model_add_joint(model, &joint, diagnostics), RBV_OK);
    assert_int_equal(rbv_model_add_drive(model, "motor", "axle.angle", "6.2831853071795864769*t", diagnostics), RBV_OK);
    assert_int_equal(rbv_model_add_load(model, &load, diagnostics), RBV_OK);
    assert_int_equal(rbv_model_add_bearings(model, "axle", 1, &bearing, NULL, diagnostics), RBV_OK);
    assert_int_equal(rbv_model_rate_drive(model, "motor", &rating, diagnostics), RBV_OK);
    assert_int_equal(rbv_model_add_case(model, "light", 1, (const char *const[]){"F"}, (double[]){500}, diagnostics),
                     RBV_OK);
    assert_int_equal(rbv_model_add_case(model, "full", 0, NULL, NULL, diagnostics), RBV_OK);
    assert_int_equal(rbv_model_set_motion(model, 0, 1, 0.01), RBV_OK);
    return model;
}

static void a_model_built_in_c_is_sized(void **state) {
    (void)state;
    RbvDiagnostics *diagnostics = rbv_diagnostics_create();
    RbvModel *model = rotor(diagnostics);
    RbvSystem *system;
    RbvResult *result;
    assert_int_equal(rbv_system_create(model, NULL, diagnostics, &system), RBV_OK);
    assert_int_equal(rbv_inverse(system, NULL, diagnostics, &result), RBV_OK);
    assert_int_equal(rbv_result_sized_count(result), 2);
    assert_true(close_to(figure(result, "axle", "L10"), 1000, 1e-9));
    assert_true(close_to(figure(result, "axle", "L10h"), 1e9 / 3600, 1e-9));
    rbv_result_destroy(result);
    /* half of the time at half of the load: 1/L = 0.5/L1 + 0.5/(8 L1) */
    const RbvSizingCase cases[] = {{"light", 1}, {"full", 1}};
    RbvOptions options = rbv_options_default;
    options.sizing.case_count = 2;
    options.sizing.cases = cases;
    assert_int_equal(rbv_size(system, &options, diagnostics, &result), RBV_OK);
    assert_true(close_to(figure(result, "axle", "L10h"), 1e9 / 3600 / (0.5 + 0.5 / 8), 1e-9));
    rbv_result_destroy(result);
    rbv_system_destroy(system);
    rbv_model_destroy(model);
    rbv_diagnostics_destroy(diagnostics);
}

static void wrong_ratings_are_refused(void **state) {
    (void)state;
    RbvDiagnostics *diagnostics = rbv_diagnostics_create();
    RbvModel *model = rotor(diagnostics);
    RbvBearingDef bearing = rbv_bearing_def_default, pair[2] = {bearing, bearing};
    RbvGuideDef guide = rbv_guide_def_default;
    RbvScrewLifeDef screw = rbv_screw_life_def_default;
    RbvPlainDef plain = rbv_plain_def_default;
    assert_int_equal(rbv_model_add_bearings(model, "axle", 1, &bearing, NULL, diagnostics), RBV_BAD_INPUT);
    assert_int_equal(rbv_model_add_bearings(model, "axle", 2, pair, NULL, diagnostics), RBV_BAD_ARGUMENT);
    assert_int_equal(rbv_model_add_bearings(model, "axle", 3, pair, NULL, diagnostics), RBV_BAD_ARGUMENT);
    assert_int_equal(rbv_model_add_guide(model, "axle", &guide, diagnostics), RBV_BAD_INPUT);
    assert_int_equal(rbv_model_add_screw_life(model, "axle", &screw, diagnostics), RBV_BAD_INPUT);
    assert_int_equal(rbv_model_add_plain_bearing(model, "none", &plain, diagnostics), RBV_BAD_INPUT);
    assert_int_equal(rbv_model_rate_drive(model, "none", &rbv_rating_def_default, diagnostics), RBV_BAD_INPUT);
    assert_int_equal(rbv_model_add_case(model, "odd", 1, (const char *const[]){"G"}, (double[]){1}, diagnostics),
                     RBV_BAD_INPUT);
    assert_int_equal(rbv_size(NULL, NULL, NULL, NULL), RBV_BAD_ARGUMENT);
    rbv_model_destroy(model);
    rbv_diagnostics_destroy(diagnostics);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cubics_are_exact_on_uneven_samples),
        cmocka_unit_test(errors_bound_the_change_by_a_halved_step),
        cmocka_unit_test(an_event_between_samples_is_no_error),
        cmocka_unit_test(deep_groove_factors_are_those_of_the_table),
        cmocka_unit_test(other_series_have_their_factors),
        cmocka_unit_test(a_gear_loses_in_both_directions),
        cmocka_unit_test(a_model_built_in_c_is_sized),
        cmocka_unit_test(wrong_ratings_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
