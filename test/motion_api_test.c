/* Motion from forces through the public headers alone, models built in C: control of required motions, rows on rates,
 * modes, long runs; against closed forms. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/machines.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define G 9.81

/* A particle of 2 kg in a plane with gravity, at (x, 0), with rates (u, 0). */
static RbvModel *particle(double x, double u) {
    RbvModel *model = rbv_model_create(RBV_PLANAR, "particle");
    RbvBodyDef def = rbv_body_def_default;
    const double gravity[3] = {0, -G, 0};
    assert_non_null(model);
    def.name = "p";
    def.particle = true;
    def.mass = 2;
    assert_int_equal(rbv_model_set_gravity(model, gravity), RBV_OK);
    assert_int_equal(rbv_model_add_body(model, &def, NULL), RBV_OK);
    assert_int_equal(rbv_model_add_initial(model, "x(p)", x, NULL), RBV_OK);
    assert_int_equal(rbv_model_add_initial(model, "y(p)", 0, NULL), RBV_OK);
    assert_int_equal(rbv_model_add_initial(model, "x(p)'", u, NULL), RBV_OK);
    assert_int_equal(rbv_model_add_initial(model, "y(p)'", 0, NULL), RBV_OK);
    assert_int_equal(rbv_model_set_motion(model, 0, 1, 0.1), RBV_OK);
    return model;
}

static double at(const RbvResult *result, int32_t sample, const char *column) {
    int32_t c = rbv_result_find(result, column);
    if (c < 0)
        fail_msg("there is no column %s", column);
    return rbv_result_value(result, sample, c);
}

/* x = sin 2t by one actuator; y' = t^2 by two of weights 1 and 3, which share 3 : 1. */
static void actuators_bring_about_what_is_required(void **unused) {
    (void)unused;
    RbvModel *model = particle(0, 2);
    RbvResult *result = NULL;
    assert_int_equal(rbv_model_require(model, "along", "x(p) - sin(2*t)", NULL), RBV_OK);
    assert_int_equal(rbv_model_require_velocity(model, "up", "y(p)' - t^2", NULL), RBV_OK);
    assert_int_equal(rbv_model_add_actuator(model, "fx", "x(p)", 1, INFINITY, NULL), RBV_OK);
    assert_int_equal(rbv_model_add_actuator(model, "light", "y(p)", 1, INFINITY, NULL), RBV_OK);
    assert_int_equal(rbv_model_add_actuator(model, "heavy", "y(p)", 3, INFINITY, NULL), RBV_OK);
    RbvSystem *system = machine_compile(model);
    assert_int_equal(rbv_track(system, NULL, NULL, &result), RBV_OK);
    assert_int_equal(rbv_result_counts(result).samples, 11);
    for (int32_t k = 0; k < 11; k++) {
        double t = 0.1 * k, lift = 2 * (G + 2 * t);
        assert_near(at(result, k, "p.x"), sin(2 * t), 1e-9);
        assert_near(at(result, k, "p.y"), t * t * t / 3, 1e-9);
        assert_near(at(result, k, "fx.effort"), -8 * sin(2 * t), 1e-8);
        assert_near(at(result, k, "light.effort"), 0.75 * lift, 1e-8);
        assert_near(at(result, k, "heavy.effort"), 0.25 * lift, 1e-8);
        assert_near(at(result, k, "along.error"), 0, 1e-9);
    }
    rbv_result_destroy(result);
    rbv_system_destroy(system);
    rbv_model_destroy(model);
}

/* What starts beside e = 0 comes back by e'' + 2 r e' + r^2 e = 0, and on rates by e' + r e = 0; without actuators by
 * control forces of least norm, here the forces on x and y themselves. */
static void errors_at_the_start_die_out(void **unused) {
    (void)unused;
    RbvModel *model = particle(0.1, 0);
    RbvResult *result = NULL;
    const double r = 3;
    assert_int_equal(rbv_model_require(model, "along", "x(p) - t^2", NULL), RBV_OK);
    assert_int_equal(rbv_model_require_velocity(model, "up", "y(p)' - 1", NULL), RBV_OK);
    assert_int_equal(rbv_model_set_track_rate(model, r), RBV_OK);
    RbvSystem *system = machine_compile(model);
    assert_int_equal(rbv_track(system, NULL, NULL, &result), RBV_OK);
    for (int32_t k = 0; k < 11; k++) {
        double t = 0.1 * k, e = 0.1 * (1 + r * t) * exp(-r * t), second = 0.1 * r * r * (r * t - 1) * exp(-r * t);
        assert_near(at(result, k, "along.error"), e, 1e-9);
        assert_near(at(result, k, "p.x"), t * t + e, 1e-9);
        assert_near(at(result, k, "along.effort"), 2 * (2 + second), 1e-8);
        assert_near(at(result, k, "up.error"), -exp(-r * t), 1e-9);
        assert_near(at(result, k, "up.effort"), 2 * (G + r * exp(-r * t)), 1e-8);
    }
    rbv_result_destroy(result);
    rbv_system_destroy(system);
    rbv_model_destroy(model);
}

/* 2 kg x'' = 8 sin 2t in size reaches 6 N where sin 2t = 3/4: there it ends, and what was done is kept. */
static void a_limit_that_is_too_low_ends_the_motion(void **unused) {
    (void)unused;
    RbvModel *model = particle(0, 2);
    RbvDiagnostics *diagnostics = rbv_diagnostics_create();
    RbvResult *result = NULL;
    assert_int_equal(rbv_model_require(model, "along", "x(p) - sin(2*t)", NULL), RBV_OK);
    assert_int_equal(rbv_model_add_actuator(model, "fx", "x(p)", 1, 6, NULL), RBV_OK);
    RbvSystem *system = machine_compile(model);
    assert_int_equal(rbv_track(system, NULL, diagnostics, &result), RBV_INCONSISTENT);
    assert_true(machine_says(
        diagnostics, RBV_ERROR,
        "requirement 'along' cannot be met any more within the limits of the actuators: at its limit is 'fx' (6 N)"));
    assert_non_null(result);
    int32_t samples = rbv_result_counts(result).samples, reached = (int32_t)floor(0.5 * asin(0.75) / 0.1) + 1;
    assert_int_equal(samples, reached);
    assert_near(at(result, samples - 1, "fx.effort"), -8 * sin(0.2 * (samples - 1)), 1e-8);
    rbv_result_destroy(result);
    rbv_system_destroy(system);
    rbv_diagnostics_destroy(diagnostics);
    rbv_model_destroy(model);
}

static void mistakes_are_explained(void **unused) {
    (void)unused;
    RbvDiagnostics *diagnostics = rbv_diagnostics_create();
    RbvModel *model = particle(0, 0);
    assert_int_equal(rbv_model_require(model, NULL, "x(p)", diagnostics), RBV_BAD_ARGUMENT);
    assert_int_equal(rbv_model_require(model, "a", "x(q) - t", diagnostics), RBV_BAD_INPUT);
    assert_true(machine_says(diagnostics, RBV_ERROR, "'q'"));
    assert_int_equal(rbv_model_require_velocity(model, "b", "x(p) - t", diagnostics), RBV_BAD_INPUT);
    assert_true(machine_says(diagnostics, RBV_ERROR, "rate"));
    assert_int_equal(rbv_model_add_actuator(model, "c", "x(p)", 0, 1, diagnostics), RBV_BAD_INPUT);
    assert_true(machine_says(diagnostics, RBV_ERROR, "weight of actuator 'c' must be positive"));
    assert_int_equal(rbv_model_add_actuator(model, "d", "x(p)", 1, -1, diagnostics), RBV_BAD_INPUT);
    assert_true(machine_says(diagnostics, RBV_ERROR, "max of actuator 'd' must be positive"));
    assert_int_equal(rbv_model_add_velocity_constraint(model, "e", "x(p) - 1", diagnostics), RBV_BAD_INPUT);
    assert_int_equal(rbv_model_set_track_rate(NULL, 1), RBV_BAD_ARGUMENT);
    rbv_model_destroy(model);
    rbv_diagnostics_destroy(diagnostics);
}

/* A skate of 2 kg that turns at w and goes at v runs on a circle of radius v/w; its blade carries m v w across. */
static RbvModel *skate(double v, double w) {
    RbvModel *model = rbv_model_create(RBV_PLANAR, "skate");
    RbvBodyDef def = rbv_body_def_default;
    assert_non_null(model);
    def.name = "s";
    def.mass = 2;
    def.inertia[2] = 0.3;
    assert_int_equal(rbv_model_add_body(model, &def, NULL), RBV_OK);
    assert_int_equal(
        rbv_model_add_velocity_constraint(model, "blade", "y(s)'*cos(angle(s)) - x(s)'*sin(angle(s))", NULL), RBV_OK);
    const char *const places[] = {"x(s)", "y(s)", "angle(s)"};
    for (int k = 0; k < 3; k++)
        assert_int_equal(rbv_model_add_initial(model, places[k], 0, NULL), RBV_OK);
    assert_int_equal(rbv_model_add_initial(model, "x(s)'", v, NULL), RBV_OK);
    assert_int_equal(rbv_model_add_initial(model, "angle(s)'", w, NULL), RBV_OK);
    assert_int_equal(rbv_model_set_motion(model, 0, 4, 0.25), RBV_OK);
    return model;
}

static void a_skate_runs_on_a_circle(void **unused) {
    (void)unused;
    const double v = 1.5, w = 0.7;
    RbvModel *model = skate(v, w);
    RbvSystem *system = machine_compile(model);
    RbvResult *result = NULL;
    assert_int_equal(rbv_simulate(system, NULL, NULL, &result), RBV_OK);
    assert_int_equal(rbv_result_counts(result).samples, 17);
    for (int32_t k = 0; k < 17; k++) {
        double t = 0.25 * k;
        assert_near(at(result, k, "s.x"), v / w * sin(w * t), 1e-8);
        assert_near(at(result, k, "s.y"), v / w * (1 - cos(w * t)), 1e-8);
        assert_near(at(result, k, "blade.effort"), 2 * v * w, 1e-7);
        assert_near(at(result, k, "energy"), 0.5 * (2 * v * v + 0.3 * w * w), 1e-8);
    }
    rbv_result_destroy(result);
    rbv_system_destroy(system);
    rbv_model_destroy(model);
}

typedef struct Kept {
    void *state;
    size_t size;
    double *values;
    int32_t samples, requested;
} Kept;

/* Keeps the state that was given as number `wanted`. */
static RbvStatus keep(void *context, const RbvResult *result, const void *state, size_t size,
                      RbvDiagnostics *diagnostics) {
    Kept *kept = context;
    (void)diagnostics;
    if (!state || kept->requested-- != 0)
        return RBV_OK;
    int32_t stride = rbv_result_column(result, 0).stride, samples = rbv_result_counts(result).samples;
    const double *values = rbv_result_column(result, 0).values;
    *kept = (Kept){.state = malloc(size),
                   .size = size,
                   .values = malloc((size_t)(samples * stride) * sizeof(double)),
                   .samples = samples,
                   .requested = -1};
    assert_true(kept->state && kept->values);
    memcpy(kept->state, state, size);
    memcpy(kept->values, values, (size_t)(samples * stride) * sizeof(double));
    return RBV_OK;
}

static void a_run_goes_on_from_what_its_keeper_kept(void **unused) {
    (void)unused;
    RbvModel *model = skate(1, 2);
    RbvSystem *system = machine_compile(model);
    RbvResult *whole = NULL, *rest = NULL;
    RbvOptions options = rbv_options_default;
    Kept kept = {.requested = 5};
    RbvKeeper keeper = {.context = &kept, .keep = keep, .steps = 3};
    options.samples.keeper = &keeper;
    assert_int_equal(rbv_simulate(system, &options, NULL, &whole), RBV_OK);
    assert_non_null(kept.state);
    assert_true(kept.samples > 1 && kept.samples < rbv_result_counts(whole).samples);
    keeper =
        (RbvKeeper){.state = kept.state, .size = kept.size, .values = kept.values, .samples = kept.samples, .steps = 3};
    assert_int_equal(rbv_simulate(system, &options, NULL, &rest), RBV_OK);
    char *a = rbv_result_text(whole, RBV_TEXT_SERIES, NULL), *b = rbv_result_text(rest, RBV_TEXT_SERIES, NULL);
    assert_string_equal(a, b);
    free(a);
    free(b);
    free(kept.state);
    free(kept.values);
    rbv_result_destroy(whole);
    rbv_result_destroy(rest);
    rbv_system_destroy(system);
    rbv_model_destroy(model);
}

/* A mass of 2 kg on a spring of 50 N/m: 5 rad/s. */
static void modes_of_a_model_built_in_c(void **unused) {
    (void)unused;
    RbvModel *model = rbv_model_create(RBV_PLANAR, "oscillator");
    RbvBodyDef body = rbv_body_def_default;
    RbvJointDef slide = rbv_joint_def_default;
    RbvLoadDef well = rbv_load_def_default;
    RbvResult *result = NULL;
    body.name = "m", body.mass = 2, body.inertia[2] = 1;
    slide.name = "slide", slide.type = "prismatic", slide.between[0] = "ground", slide.between[1] = "m";
    well.name = "well", well.type = "energy", well.value[0] = "25*slide.distance^2";
    assert_int_equal(rbv_model_add_body(model, &body, NULL), RBV_OK);
    assert_int_equal(rbv_model_add_joint(model, &slide, NULL), RBV_OK);
    assert_int_equal(rbv_model_add_load(model, &well, NULL), RBV_OK);
    RbvSystem *system = machine_compile(model);
    assert_int_equal(rbv_modes(system, NULL, NULL, &result), RBV_OK);
    assert_int_equal(rbv_result_counts(result).modes, 1);
    RbvModeSummary mode = rbv_result_mode(result, 0), none = rbv_result_mode(result, 1);
    assert_near(mode.frequency, 5 / (2 * 3.14159265358979324), 1e-9);
    assert_near(mode.re, 0, 1e-9);
    assert_near(mode.im, 5, 1e-9);
    assert_int_equal(mode.shape_count > 0, true);
    assert_near(none.frequency, 0, 0);
    assert_null(rbv_result_state_space(result)); /* none was asked for */
    rbv_result_destroy(result);
    rbv_system_destroy(system);
    rbv_model_destroy(model);
}

/* A wheel of 0.3 kg m^2 and a rotor of 0.002 kg m^2 that turns 10 times as fast: (0.3 + 0.002 10^2) alpha. It stays on
 * where a parameter takes another value. */
static void a_rotor_turns_with_a_drive(void **unused) {
    (void)unused;
    RbvModel *model = rbv_model_create(RBV_PLANAR, "rotor");
    RbvDiagnostics *said = rbv_diagnostics_create();
    RbvBodyDef wheel = rbv_body_def_default;
    RbvJointDef axle = rbv_joint_def_default;
    wheel.name = "wheel", wheel.mass = 2, wheel.inertia[2] = 0.3;
    axle.name = "axle", axle.type = "revolute", axle.between[0] = "ground", axle.between[1] = "wheel";
    assert_int_equal(rbv_model_add_parameter(model, "k", 1, NULL, NULL), RBV_OK);
    assert_int_equal(rbv_model_add_body(model, &wheel, NULL), RBV_OK);
    assert_int_equal(rbv_model_add_joint(model, &axle, NULL), RBV_OK);
    assert_int_equal(rbv_model_add_drive(model, "motor", "axle.angle", "k*t^2", NULL), RBV_OK);
    assert_int_equal(rbv_model_add_rotor(model, "motor", 1, 1, NULL), RBV_OK); /* the last counts */
    assert_int_equal(rbv_model_add_rotor(model, "motor", 0.002, 10, NULL), RBV_OK);
    assert_int_equal(rbv_model_add_rotor(NULL, "motor", 0.002, 10, NULL), RBV_BAD_ARGUMENT);
    assert_int_equal(rbv_model_add_rotor(model, NULL, 0.002, 10, NULL), RBV_BAD_ARGUMENT);
    assert_int_equal(rbv_model_set_motion(model, 0, 1, 0.5), RBV_OK);
    RbvSystem *system = machine_compile(model);
    for (int round = 0; round < 3; round++) {
        RbvResult *result = NULL;
        RbvParameterValue value = {.parameter = rbv_system_find(system, RBV_ITEM_PARAMETER, "k"), .value = 1 + round};
        assert_int_equal(rbv_system_set_parameters(system, 1, &value, said), RBV_OK);
        assert_int_equal(rbv_inverse(system, NULL, NULL, &result), RBV_OK);
        assert_near(at(result, 2, "motor.effort"), 0.5 * 2 * (1 + round), 1e-12);
        rbv_result_destroy(result);
    }
    rbv_system_destroy(system);
    rbv_model_destroy(model);
    rbv_diagnostics_destroy(said);
}

/* Of each wrong rotor it is said what is wrong. */
static void rotors_are_checked(void **unused) {
    (void)unused;
    static const struct {
        const char *drive, *text;
        double inertia, ratio;
    } wrong[] = {{"moter", "there is no drive 'moter'", 1, 1},
                 {"push", "inertia that is not negative", -1, 1},
                 {"push", "finite ratio", 1, NAN}};
    for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++) {
        RbvModel *model = particle(0, 0);
        RbvDiagnostics *said = rbv_diagnostics_create();
        RbvSystem *system = NULL;
        assert_int_equal(rbv_model_add_drive(model, "push", "x(p)", "t", NULL), RBV_OK);
        assert_int_equal(rbv_model_add_rotor(model, wrong[k].drive, wrong[k].inertia, wrong[k].ratio, said),
                         RBV_BAD_INPUT);
        assert_int_equal(rbv_diagnostics_count(said), 1);
        assert_non_null(strstr(rbv_diagnostics_at(said, 0).message, wrong[k].text));
        assert_int_not_equal(rbv_system_create(model, NULL, NULL, &system), RBV_OK);
        rbv_diagnostics_destroy(said);
        rbv_model_destroy(model);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(actuators_bring_about_what_is_required),
        cmocka_unit_test(errors_at_the_start_die_out),
        cmocka_unit_test(a_limit_that_is_too_low_ends_the_motion),
        cmocka_unit_test(mistakes_are_explained),
        cmocka_unit_test(a_skate_runs_on_a_circle),
        cmocka_unit_test(a_run_goes_on_from_what_its_keeper_kept),
        cmocka_unit_test(modes_of_a_model_built_in_c),
        cmocka_unit_test(a_rotor_turns_with_a_drive),
        cmocka_unit_test(rotors_are_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
