/* A state from the caller: the same numbers as the samples of a series, from drives and from bodies, one after the
 * other or in any order. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/machines.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Machines of the plane and of space, with springs, tables, redundant rows, gears, compliances, friction. */
static const char *const examples[] = {"pumpjack/pumpjack", "backhoe/backhoe",     "differential/differential",
                                       "slider3d/slider3d", "cardan/cardan",       "bricard/bricard",
                                       "governor/governor", "planetary/planetary", "door/compliant"};

typedef struct Rig {
    RbvDiagnostics *diagnostics;
    RbvModel *model;
    RbvSystem *system;
    RbvResult *inverse, *kinematics;        /* the series */
    double *inverse_size, *kinematics_size; /* [columns] */
    RbvEvaluation *evaluation;
} Rig;

/* What the digits of each column are measured by: the largest magnitude of all columns with its unit, since a torque
 * that cancels has the digits of those beside it. */
static double *sizes_of(const RbvResult *series) {
    int32_t columns = rbv_result_counts(series).columns;
    double *own = calloc((size_t)columns, sizeof *own), *of_kind = calloc((size_t)columns, sizeof *of_kind);
    assert_true(own && of_kind);
    for (int32_t c = 0; c < columns; c++) {
        const RbvResultColumn column = rbv_result_column(series, c);
        for (int32_t k = 0; k < rbv_result_counts(series).samples; k++) {
            double value = column.values[k * column.stride];
            assert_true(value == rbv_result_value(series, k, c) || isnan(value));
            own[c] = fmax(own[c], fabs(value));
        }
    }
    for (int32_t c = 0; c < columns; c++)
        for (int32_t other = 1; other < columns; other++)
            if (strcmp(rbv_result_column(series, c).unit, rbv_result_column(series, other).unit) == 0)
                of_kind[c] = fmax(of_kind[c], own[other]);
    free(own);
    return of_kind;
}

static void open_model(Rig *rig, RbvModel *model, double step) {
    *rig = (Rig){.model = model, .diagnostics = rbv_diagnostics_create(), .system = machine_compile(model)};
    RbvOptions options = rbv_options_default;
    options.step = step;
    assert_int_equal(rbv_inverse(rig->system, &options, NULL, &rig->inverse), RBV_OK);
    assert_int_equal(rbv_kinematics(rig->system, &options, NULL, &rig->kinematics), RBV_OK);
    rig->inverse_size = sizes_of(rig->inverse);
    rig->kinematics_size = sizes_of(rig->kinematics);
    assert_int_equal(rbv_evaluation_create(rig->system, NULL, rig->diagnostics, &rig->evaluation), RBV_OK);
}

static void open_example(Rig *rig, const char *name) {
    char path[400];
    snprintf(path, sizeof path, "%s/examples/%s.yaml", RBV_SOURCE_DIR, name);
    RbvModel *model = NULL;
    assert_int_equal(rbv_model_read(&(RbvInput){.path = path}, NULL, &model), RBV_OK);
    open_model(rig, model, NAN);
}

static void close_rig(Rig *rig) {
    rbv_evaluation_destroy(rig->evaluation);
    free(rig->inverse_size);
    free(rig->kinematics_size);
    rbv_result_destroy(rig->inverse);
    rbv_result_destroy(rig->kinematics);
    rbv_system_destroy(rig->system);
    rbv_model_destroy(rig->model);
    rbv_diagnostics_destroy(rig->diagnostics);
}

/* Before the first evaluation columns are NaN. */
static void columns_are_not_computed_at_first(void **unused) {
    (void)unused;
    Rig rig;
    open_example(&rig, "pumpjack/pumpjack");
    for (int32_t c = 0; c < rbv_result_counts(rig.inverse).columns; c++)
        assert_true(isnan(*rbv_evaluation_column(rig.evaluation, rbv_result_column(rig.inverse, c).name).value));
    close_rig(&rig);
}

/* Every column of the series' sample is the evaluation's, to `fit` of its size and, of what is zero but for rounding,
 * to that of the largest; bit for bit with fit 0. */
static void assert_sample(const Rig *rig, const RbvResult *series, int32_t sample, double fit) {
    const double *size = series == rig->inverse ? rig->inverse_size : rig->kinematics_size;
    double rounding = 0;
    for (int32_t c = 0; c < rbv_result_counts(series).columns; c++)
        rounding = fmax(rounding, 1e-14 * size[c]);
    for (int32_t c = 0; c < rbv_result_counts(series).columns; c++) {
        const double *got = rbv_evaluation_column(rig->evaluation, rbv_result_column(series, c).name).value;
        double expected = rbv_result_value(series, sample, c);
        assert_non_null(got);
        if (isnan(expected)) /* an output of forces, in kinematics */
            continue;
        const char *dot = strrchr(rbv_result_column(series, c).name, '.');
        bool either =
            fit > 0 && dot && dot[1] == 'q'; /* of a quaternion's two signs the one that goes on from the last */
        double off = either ? fmin(fabs(*got - expected), fabs(*got + expected)) : fabs(*got - expected);
        if (fit == 0 ? *got == expected : off <= fit * (1e-3 + size[c]) + rounding)
            continue;
        print_error("%s at sample %d: %.17g, in the series %.17g\n", rbv_result_column(series, c).name, (int)sample,
                    *got, expected);
        fail();
    }
}

static void evaluate_sample(const Rig *rig, int32_t sample, bool inverse) {
    assert_int_equal(rbv_evaluation_set_time(rig->evaluation, rbv_result_value(rig->inverse, sample, 0)), RBV_OK);
    RbvStatus status = inverse ? rbv_evaluation_inverse(rig->evaluation) : rbv_evaluation_kinematics(rig->evaluation);
    if (status != RBV_OK)
        machine_print(rig->diagnostics);
    assert_int_equal(status, RBV_OK);
}

/* How many samples of each example a test takes with ROBERVAL_MORE, usually, and with ROBERVAL_QUICK (make test). */
static int32_t some(int32_t more, int32_t usual, int32_t quick) {
    if (getenv("ROBERVAL_MORE"))
        return more;
    return getenv("ROBERVAL_QUICK") ? quick : usual;
}

static void states_in_the_order_of_samples_are_the_samples(void **unused) {
    (void)unused;
    for (size_t n = 0; n < sizeof examples / sizeof *examples; n++) {
        Rig rig;
        open_example(&rig, examples[n]);
        int32_t followed = 0, count = rbv_result_counts(rig.inverse).samples;
        for (int32_t k = 0; k < count; k++) {
            evaluate_sample(&rig, k, true);
            followed += rbv_evaluation_report(rig.evaluation).advance == RBV_FOLLOWED;
            assert_sample(&rig, rig.inverse, k, 1e-9);
            assert_sample(&rig, rig.kinematics, k, 1e-9);
        }
        if (followed < count * 9 / 10)
            fail_msg("%s: %d of %d states followed", examples[n], (int)followed, (int)count);
        close_rig(&rig);
    }
}

/* With steps over which drives go on smoothly nothing differs in any digit. */
static void successive_states_are_the_samples_bit_for_bit(void **unused) {
    (void)unused;
    const char *const texts[] = {machine_four_bar, machine_parallelogram, machine_slider_crank};
    for (int n = 0; n < 3; n++) {
        Rig rig;
        open_model(&rig, machine_read(texts[n]), 0.002);
        double w = n == 0 ? 6.283185307179586 : n == 1 ? 0.5 : 5, start = n == 1 ? 0.7 : 1;
        /* near its end inverse dynamics looks to both sides, which may change a last digit */
        for (int32_t k = 0; k + 2 < rbv_result_counts(rig.inverse).samples; k++) {
            double t = rbv_result_value(rig.inverse, k, 0);
            /* what 2*pi*t gives in an expression, so that the caller's numbers are those of the model */
            assert_int_equal(rbv_evaluation_set_drive(rig.evaluation, 0, start + w * t, w, 0), RBV_OK);
            evaluate_sample(&rig, k, true);
            assert_sample(&rig, rig.inverse, k, 0);
            assert_sample(&rig, rig.kinematics, k, 0);
        }
        close_rig(&rig);
    }
}

static void states_in_any_order_are_the_samples(void **unused) {
    (void)unused;
    uint64_t seed = 0x9e3779b97f4a7c15u;
    for (size_t n = 0; n < sizeof examples / sizeof *examples; n++) {
        Rig rig;
        open_example(&rig, examples[n]);
        int32_t count = rbv_result_counts(rig.inverse).samples;
        for (int32_t k = 0; k < some(40, 8, 3); k++) {
            int32_t sample = (int32_t)((machine_random(&seed) + 1) / 2 * count) % count;
            evaluate_sample(&rig, sample, k % 3 != 0);
            if (k % 3 != 0)
                assert_sample(&rig, rig.inverse, sample, 1e-8);
            assert_sample(&rig, rig.kinematics, sample, 1e-8);
        }
        close_rig(&rig);
    }
}

static double value(const RbvResult *series, int32_t sample, const char *body, const char *part) {
    char name[400];
    snprintf(name, sizeof name, "%s.%s", body, part);
    int32_t column = rbv_result_find(series, name);
    return column < 0 ? 0 : rbv_result_value(series, sample, column);
}

/* How a body moves in a sample of kinematics, each place and rate off by up to `off`. */
static RbvBodyMotion motion_of(const RbvResult *series, int32_t sample, const char *body, double off, uint64_t *seed) {
    RbvBodyMotion m = rbv_body_motion_default;
    static const char *const places[] = {"x", "y", "z"}, *const rates[] = {"vx", "vy", "vz"},
                             *const seconds[] = {"ax", "ay", "az"};
    static const char *const spins[] = {"omegax", "omegay", "omegaz"}, *const gains[] = {"alphax", "alphay", "alphaz"},
                             *const quaternion[] = {"qw", "qx", "qy", "qz"};
    double norm = 0;
    for (int k = 0; k < 3; k++) {
        m.at[k] = value(series, sample, body, places[k]) + off * machine_random(seed);
        m.velocity[k] = value(series, sample, body, rates[k]) + off * machine_random(seed);
        m.acceleration[k] = value(series, sample, body, seconds[k]) + off * machine_random(seed);
        m.angular_velocity[k] = value(series, sample, body, spins[k]);
        m.angular_acceleration[k] = value(series, sample, body, gains[k]);
    }
    for (int k = 0; k < 4; k++)
        norm += fabs(value(series, sample, body, quaternion[k]));
    for (int k = 0; norm > 0 && k < 4; k++)
        m.rotation[k] = value(series, sample, body, quaternion[k]);
    m.angle = value(series, sample, body, "angle");
    m.angular_velocity[2] += value(series, sample, body, "omega");
    m.angular_acceleration[2] += value(series, sample, body, "alpha");
    return m;
}

/* All bodies of a sample, off by `off`. Names of bodies are those of the columns "name.x". */
static void give_bodies(const Rig *rig, int32_t sample, double off, uint64_t *seed) {
    for (int32_t c = 0; c < rbv_result_counts(rig->kinematics).columns; c++) {
        char name[300];
        snprintf(name, sizeof name, "%s", rbv_result_column(rig->kinematics, c).name);
        char *dot = strrchr(name, '.');
        if (!dot || strcmp(dot, ".x") != 0)
            continue;
        *dot = 0;
        int32_t body = rbv_system_find(rig->system, RBV_ITEM_BODY, name);
        if (body <= 0)
            continue;
        RbvBodyMotion m = motion_of(rig->kinematics, sample, name, off, seed);
        assert_int_equal(rbv_evaluation_set_body(rig->evaluation, body, &m), RBV_OK);
    }
}

static void bodies_of_samples_give_their_forces(void **unused) {
    (void)unused;
    uint64_t seed = 0x2545f4914f6cdd1du;
    for (size_t n = 0; n < sizeof examples / sizeof *examples; n++) {
        Rig rig;
        open_example(&rig, examples[n]);
        int32_t count = rbv_result_counts(rig.inverse).samples;
        for (int32_t k = 0; k < some(15, 6, 2); k++) {
            int32_t sample = 1 + (int32_t)((machine_random(&seed) + 1) / 2 * count) % (count - 1);
            evaluate_sample(&rig, sample - 1, true); /* in space turns are counted from the last place */
            give_bodies(&rig, sample, 0, &seed);
            evaluate_sample(&rig, sample, true);
            assert_sample(&rig, rig.inverse, sample, 1e-7);
            RbvEvaluationReport report = rbv_evaluation_report(rig.evaluation);
            assert_int_equal(report.advance, RBV_GIVEN);
            assert_true(report.correction < 1e-9);
            assert_true(report.rate_correction < 1e-7);
        }
        close_rig(&rig);
    }
}

/* What drives of the user's own coordinates do is measured as well, its second rate with f_ij m_i' m_j'. */
static void bodies_give_what_coordinates_by_name_do(void **unused) {
    (void)unused;
    static const char text[] =
        "roberval: 1\nspace: planar\ngravity: [0, -9.81]\n"
        "bodies:\n"
        "  ground: {markers: {Q: [1, 0.2]}}\n"
        "  crank: {mass: 2, inertia: 0.02, centroid: [0.2, 0.01], pose: {angle: 0.5}, markers: {A: [0.5, 0]}}\n"
        "  rod: {mass: 1, inertia: 0.03, centroid: [0.5, 0], pose: {at: [0.5, 0.2], angle: 0}, markers: {B: [1, 0]}}\n"
        "joints: {O: {type: revolute, between: [ground, crank]}, A: {type: revolute, between: [crank.A, rod]}}\n"
        "coordinates: {far: \"distance(ground.Q, rod.B)\", g: \"2*distance(crank.A, ground.Q)^2 + "
        "x(rod.B)*sin(angle(rod)) + far^2\"}\n"
        "drives: {ram: {coordinate: far, motion: \"0.5 + 0.1*sin(3*t)\"}, push: {coordinate: g, motion: \"1 + 0.2*t + "
        "0.1*t^2\"}}\n"
        "motion: {from: 0, to: 0.2, step: 0.01}\n";
    uint64_t seed = 0x2545f4914f6cdd1du;
    Rig rig;
    open_model(&rig, machine_read(text), NAN);
    for (int32_t k = 1; k < 20; k++) {
        evaluate_sample(&rig, k - 1, true);
        give_bodies(&rig, k, 0, &seed);
        evaluate_sample(&rig, k, true);
        assert_sample(&rig, rig.inverse, k, 1e-7);
        RbvEvaluationReport report = rbv_evaluation_report(rig.evaluation);
        assert_int_equal(report.advance, RBV_GIVEN);
        assert_true(report.correction < 1e-9 && report.rate_correction < 1e-9 && report.acceleration_correction < 1e-7);
    }
    close_rig(&rig);
}

/* Bodies as a camera sees them: joints are met exactly all the same, and the report says how far off they were. */
static void bodies_that_are_off_are_brought_together(void **unused) {
    (void)unused;
    uint64_t seed = 0xda3e39cb94b95bdbu;
    Rig rig;
    open_model(&rig, machine_read(machine_four_bar), NAN);
    for (int32_t k = 0; k < 50; k++) {
        double off = 1e-3;
        give_bodies(&rig, k, off, &seed);
        evaluate_sample(&rig, k, true);
        RbvEvaluationReport report = rbv_evaluation_report(rig.evaluation);
        assert_true(report.correction > 1e-5 && report.correction < 20 * off);
        assert_true(report.constraint_error < 1e-12);
        assert_sample(&rig, rig.kinematics, k, 0.05);
    }
    close_rig(&rig);
}

/* Where the pendulum of closed form is put by the caller: m g x + I alpha. */
static void a_pendulum_put_anywhere_has_its_closed_form(void **unused) {
    (void)unused;
    static const char text[] = "roberval: 1\nspace: planar\ngravity: [0, -9.81]\n"
                               "bodies: {rod: {mass: 2, centroid: [0.3, 0], inertia: 0.06, markers: {P: [1, 0]}}}\n"
                               "joints: {pin: {type: revolute, between: [ground, rod]}}\n"
                               "drives: {motor: {coordinate: pin.angle, motion: 0}}\n";
    RbvModel *model = machine_read(text);
    RbvSystem *system = machine_compile(model);
    RbvEvaluation *evaluation = NULL;
    assert_int_equal(rbv_evaluation_create(system, NULL, NULL, &evaluation), RBV_OK);
    int32_t motor = rbv_system_find(system, RBV_ITEM_DRIVE, "motor");
    const double *effort = rbv_evaluation_column(evaluation, "motor.effort").value,
                 *ay = rbv_evaluation_column(evaluation, "rod.ay").value;
    const double *angle = rbv_evaluation_column(evaluation, "pin.angle").value,
                 *second = rbv_evaluation_column(evaluation, "pin.angle''").value;
    uint64_t seed = 88172645463325252u;
    for (int k = 0; k < 500; k++) {
        double q = 20 * machine_random(&seed), w = 5 * machine_random(&seed), a = 9 * machine_random(&seed);
        assert_int_equal(rbv_evaluation_set_drive(evaluation, motor, q, w, a), RBV_OK);
        assert_int_equal(rbv_evaluation_inverse(evaluation), RBV_OK);
        assert_near(*effort, (0.06 + 2 * 0.09) * a + 2 * 9.81 * 0.3 * cos(q), 1e-11);
        assert_near(*ay, 0, 1e-12);
        assert_near(*angle, q, 1e-12);
        assert_near(*second, a, 1e-12);
        assert_int_equal(*rbv_evaluation_column(evaluation, "motor.effort").verdict, RBV_UNIQUE);
        assert_true(*rbv_evaluation_column(evaluation, "motor.effort").error < 1e-10 &&
                    isnan(*rbv_evaluation_column(evaluation, "pin.angle").error));
        assert_ptr_equal(effort, rbv_evaluation_column(evaluation, "motor.effort").value);
    }
    assert_int_equal(rbv_evaluation_kinematics(evaluation), RBV_OK);
    assert_true(isnan(*effort) && !isnan(*angle)); /* nothing is left of the last one */
    rbv_evaluation_destroy(evaluation);
    rbv_system_destroy(system);
    rbv_model_destroy(model);
}

static void verdicts_are_those_of_the_state(void **unused) {
    (void)unused;
    Rig rig;
    open_model(&rig, machine_read(machine_parallelogram), NAN);
    for (int32_t k = 0; k < 20; k++) {
        evaluate_sample(&rig, k, true);
        for (int32_t c = 1; c < rbv_result_counts(rig.inverse).columns; c++)
            assert_int_equal(*rbv_evaluation_column(rig.evaluation, rbv_result_column(rig.inverse, c).name).verdict,
                             rbv_result_column(rig.inverse, c).verdict);
    }
    assert_int_equal(*rbv_evaluation_column(rig.evaluation, "O1.Fx").verdict, RBV_NOT_UNIQUE);
    close_rig(&rig);
}

/* Beyond the reach of the rocker: said, no numbers, and the next state is good again. */
static void what_cannot_be_reached_is_said_and_leaves_no_numbers(void **unused) {
    (void)unused;
    static const char text[] =
        "roberval: 1\nspace: planar\n"
        "bodies: {bar: {mass: 1, inertia: 0.1, pose: {angle: 0.3}, markers: {P: [1, 0]}}, block: {mass: 1, inertia: "
        "0.1, pose: {at: [1.9, 0]}}}\n"
        "joints: {pin: {type: revolute, between: [ground, bar]}, slide: {type: prismatic, between: [ground, block]},\n"
        "  rod: {type: link, between: [bar.P, block], length: 1}}\n"
        "drives: {push: {coordinate: slide.distance, motion: 1.9}}\n";
    RbvModel *model = machine_read(text);
    RbvSystem *system = machine_compile(model);
    RbvDiagnostics *diagnostics = rbv_diagnostics_create();
    RbvEvaluation *evaluation = NULL;
    assert_int_equal(rbv_evaluation_create(system, NULL, diagnostics, &evaluation), RBV_OK);
    const double *effort = rbv_evaluation_column(evaluation, "push.effort").value,
                 *angle = rbv_evaluation_column(evaluation, "pin.angle").value;
    for (int k = 0; k < 5; k++) {
        rbv_evaluation_set_drive(evaluation, 0, 1.5, 1, 0);
        assert_int_equal(rbv_evaluation_inverse(evaluation), RBV_OK);
        assert_near(fabs(*angle), acos(0.75), 1e-12);
        rbv_evaluation_set_drive(evaluation, 0, 2.5, 1, 0);
        assert_int_equal(rbv_evaluation_inverse(evaluation), RBV_NOT_ASSEMBLED);
        assert_true(isnan(*effort) && isnan(*angle));
        assert_true(rbv_diagnostics_count(diagnostics) > 0);
        assert_int_equal(rbv_result_counts(rbv_evaluation_result(evaluation)).samples, 0);
        rbv_diagnostics_clear(diagnostics);
        assert_int_equal(rbv_diagnostics_count(diagnostics), 0);
    }
    RbvBodyMotion far = rbv_body_motion_default;
    far.at[0] = 50;
    assert_int_equal(rbv_evaluation_set_body(evaluation, rbv_system_find(system, RBV_ITEM_BODY, "block"), &far),
                     RBV_OK);
    assert_int_not_equal(rbv_evaluation_inverse(evaluation), RBV_OK);
    assert_true(machine_says(diagnostics, RBV_ERROR, "off: "));
    rbv_evaluation_set_drive(evaluation, 0, 1.2, 0, 0);
    assert_int_equal(rbv_evaluation_inverse(evaluation), RBV_OK);
    assert_near(fabs(*angle), acos(0.6), 1e-12);
    rbv_evaluation_destroy(evaluation);
    rbv_diagnostics_destroy(diagnostics);
    rbv_system_destroy(system);
    rbv_model_destroy(model);
}

/* The drive's own motion has no value at the start, and none is needed. */
static void an_own_motion_that_does_not_fit_need_not(void **unused) {
    (void)unused;
    static const char text[] =
        "roberval: 1\nspace: planar\n"
        "bodies: {bar: {mass: 1, inertia: 0.1, pose: {angle: 0.3}, markers: {P: [1, 0]}}, block: {mass: 1, inertia: "
        "0.1, pose: {at: [1.9, 0]}}}\n"
        "joints: {pin: {type: revolute, between: [ground, bar]}, slide: {type: prismatic, between: [ground, block]},\n"
        "  rod: {type: link, between: [bar.P, block], length: 1}}\n"
        "drives: {push: {coordinate: slide.distance, motion: '3 + t'}}\n";
    RbvModel *model = machine_read(text);
    RbvSystem *system = machine_compile(model);
    RbvEvaluation *evaluation = NULL;
    assert_int_equal(rbv_evaluation_create(system, NULL, NULL, &evaluation), RBV_OK);
    assert_int_equal(rbv_evaluation_inverse(evaluation), RBV_NOT_ASSEMBLED);
    rbv_evaluation_set_drive(evaluation, 0, 1, 0, 0);
    assert_int_equal(rbv_evaluation_inverse(evaluation), RBV_OK);
    assert_near(fabs(*rbv_evaluation_column(evaluation, "pin.angle").value), acos(0.5), 1e-12);
    assert_int_equal(rbv_evaluation_release_drive(evaluation, 0), RBV_OK);
    assert_int_equal(rbv_evaluation_inverse(evaluation), RBV_NOT_ASSEMBLED);
    rbv_evaluation_destroy(evaluation);
    rbv_system_destroy(system);
    rbv_model_destroy(model);
}

static void where_wheels_roll_time_goes_on(void **unused) {
    (void)unused;
    Rig rig;
    open_example(&rig, "robot/robot");
    for (int32_t k = 0; k < 40; k++) {
        evaluate_sample(&rig, k, true);
        assert_sample(&rig, rig.inverse, k, 1e-9);
    }
    rbv_evaluation_set_time(rig.evaluation, rbv_result_value(rig.inverse, 10, 0));
    assert_int_equal(rbv_evaluation_inverse(rig.evaluation), RBV_BAD_INPUT);
    assert_true(machine_says(rig.diagnostics, RBV_ERROR, "later time"));
    uint64_t seed = 1;
    give_bodies(&rig, 10, 0, &seed);
    evaluate_sample(&rig, 10, true);
    assert_sample(&rig, rig.inverse, 10, 1e-7);
    evaluate_sample(&rig, 11, true);
    assert_sample(&rig, rig.inverse, 11, 1e-7);
    close_rig(&rig);
}

/* A gear that a state of the caller's shifts, and a brake that acts beyond a place: effort = m1 a + r (m2 r a + brake).
 */
static void conditions_hold_as_the_state_has_them(void **unused) {
    (void)unused;
    static const char text[] = "roberval: 1\nspace: planar\n"
                               "bodies: {one: {mass: 3, inertia: 1}, two: {mass: 2, inertia: 1, pose: {at: [0, 1]}}}\n"
                               "joints: {a: {type: prismatic, between: [ground, one]}, b: {type: prismatic, between: "
                               "[ground, two], at: [0, 1]}}\n"
                               "states: {gear: {rate: 0, start: 0}}\n"
                               "constraints: {low: {equation: b.distance - a.distance, active: gear < 0.5}, high: "
                               "{equation: b.distance - 2*a.distance, active: not (gear < 0.5)}}\n"
                               "loads: {brake: {type: force, to: two, value: [-3 - gear, 0], active: a.distance > 1}}\n"
                               "drives: {motor: {coordinate: a.distance, motion: 0.1*t}}\n";
    RbvModel *model = machine_read(text);
    RbvSystem *system = machine_compile(model);
    RbvEvaluation *evaluation = NULL;
    assert_int_equal(rbv_evaluation_create(system, NULL, NULL, &evaluation), RBV_OK);
    int32_t gear = rbv_system_find(system, RBV_ITEM_STATE, "gear");
    assert_int_equal(rbv_evaluation_set_state(evaluation, gear + 1, 0), RBV_BAD_ARGUMENT);
    assert_int_equal(rbv_evaluation_set_state(evaluation, gear, NAN), RBV_BAD_ARGUMENT);
    assert_int_equal(rbv_system_find(system, RBV_ITEM_STATE, "motor"), -1);
    const double *effort = rbv_evaluation_column(evaluation, "motor.effort").value,
                 *place = rbv_evaluation_column(evaluation, "b.distance").value,
                 *shown = rbv_evaluation_column(evaluation, "gear").value;
    const double *low = rbv_evaluation_column(evaluation, "low.effort").value,
                 *high = rbv_evaluation_column(evaluation, "high.effort").value;
    uint64_t seed = 88172645463325252u;
    for (int k = 0; k < 300; k++) {
        double x = 3 * machine_random(&seed), w = machine_random(&seed), a = 9 * machine_random(&seed),
               g = k % 3 == 0 ? 0 : machine_random(&seed), ratio = g < 0.5 ? 1 : 2, brake = x > 1 ? 3 + g : 0;
        assert_int_equal(rbv_evaluation_set_drive(evaluation, 0, x, w, a), RBV_OK);
        assert_int_equal(rbv_evaluation_set_state(evaluation, gear, g), RBV_OK);
        assert_int_equal(rbv_evaluation_inverse(evaluation), RBV_OK);
        assert_near(*place, ratio * x, 1e-12);
        assert_near(*effort, 3 * a + ratio * (2 * ratio * a + brake), 1e-11);
        assert_near(ratio > 1 ? *low : *high, 0, 0);
        assert_near(*shown, g, 0);
    }
    rbv_evaluation_destroy(evaluation);
    rbv_system_destroy(system);
    rbv_model_destroy(model);
}

/* Two drives take over from each other, the second of no value before; a coordinate by its own equation besides. Any
 * order of times gives what inverse gives on the way. */
static void conditions_hold_as_they_do_on_the_way(void **unused) {
    (void)unused;
    static const char text[] =
        "roberval: 1\nspace: planar\ngravity: [0, -9.81]\n"
        "bodies: {rod: {mass: 2, inertia: 0.3, centroid: [0.4, 0]}}\n"
        "joints: {pin: {type: revolute, between: [ground, rod]}}\n"
        "generalized: {coordinates: {u: {start: 0, rate: 3}}, mass: [['2 + u^2']], force: ['-u']}\n"
        "drives:\n"
        "  first: {coordinate: pin.angle, motion: t, active: 't < 1[s]'}\n"
        "  second: {coordinate: pin.angle, motion: '0.5 + sqrt(t - 0.75)', active: 'not (t < 1[s])'}\n"
        "  third: {coordinate: u, motion: 'sin(3*t)'}\n"
        "loads: {push: {type: torque, to: rod, value: 7, active: 'pin.angle > 0.6'}}\n"
        "motion: {from: 0, to: 2, step: 0.09}\n";
    Rig rig;
    open_model(&rig, machine_read(text), NAN);
    uint64_t seed = 1;
    int32_t count = rbv_result_counts(rig.inverse).samples;
    for (int k = 0; k < 200; k++) {
        int32_t sample = k < count ? k : (int32_t)((machine_random(&seed) * 0.5 + 0.5) * (count - 1));
        evaluate_sample(&rig, sample, true);
        assert_sample(&rig, rig.inverse, sample, 1e-9);
    }
    close_rig(&rig);
}

static void conditions_without_an_answer_are_said(void **unused) {
    (void)unused;
    static const char here[] = "roberval: 1\nspace: planar\nbodies: {rod: {mass: 2, inertia: 0.3}}\njoints: {pin: "
                               "{type: revolute, between: [ground, rod]}}\n"
                               "drives: {a: {coordinate: pin.angle, motion: t, active: 't > 1[s]', value: here}, b: "
                               "{coordinate: pin.angle, motion: t, active: 'not (t > 1[s])'}}\n";
    static const char flips[] = "roberval: 1\nspace: planar\nbodies: {rod: {mass: 2, inertia: 0.3}}\njoints: {pin: "
                                "{type: revolute, between: [ground, rod]}}\n"
                                "drives: {a: {coordinate: pin.angle, motion: 0, active: 'pin.angle > 1 or t < 1[s]'}, "
                                "b: {coordinate: pin.angle, motion: 2, active: 'not (pin.angle > 1 or t < 1[s])'}}\n";
    for (int k = 0; k < 2; k++) {
        RbvModel *model = machine_read(k == 0 ? here : flips);
        RbvSystem *system = machine_compile(model);
        RbvDiagnostics *diagnostics = rbv_diagnostics_create();
        RbvEvaluation *evaluation = NULL;
        assert_int_equal(rbv_evaluation_create(system, NULL, diagnostics, &evaluation),
                         k == 0 ? RBV_BAD_INPUT : RBV_OK);
        rbv_evaluation_set_time(evaluation, 1.5);
        assert_true(k == 0 || rbv_evaluation_inverse(evaluation) == RBV_INCONSISTENT);
        assert_true(machine_says(diagnostics, RBV_ERROR, k == 0 ? "value: here" : "what holds is not decided"));
        rbv_evaluation_set_time(evaluation, 0.5);
        assert_true(k == 0 || rbv_evaluation_inverse(evaluation) == RBV_OK);
        rbv_evaluation_destroy(evaluation);
        rbv_diagnostics_destroy(diagnostics);
        rbv_system_destroy(system);
        rbv_model_destroy(model);
    }
}

static void a_callers_bugs_are_refused(void **unused) {
    (void)unused;
    RbvModel *model = machine_read(machine_four_bar);
    RbvSystem *system = machine_compile(model);
    RbvEvaluation *evaluation = NULL;
    RbvBodyMotion motion = rbv_body_motion_default;
    assert_int_equal(rbv_evaluation_create(NULL, NULL, NULL, &evaluation), RBV_BAD_ARGUMENT);
    assert_int_equal(rbv_evaluation_create(system, NULL, NULL, NULL), RBV_BAD_ARGUMENT);
    assert_int_equal(rbv_evaluation_create(system, NULL, NULL, &evaluation), RBV_OK);
    assert_int_equal(rbv_evaluation_set_drive(evaluation, -1, 0, 0, 0), RBV_BAD_ARGUMENT);
    assert_int_equal(rbv_evaluation_set_drive(evaluation, 1, 0, 0, 0), RBV_BAD_ARGUMENT);
    assert_int_equal(rbv_evaluation_set_drive(evaluation, 0, NAN, 0, 0), RBV_BAD_ARGUMENT);
    assert_int_equal(rbv_evaluation_set_drive(NULL, 0, 0, 0, 0), RBV_BAD_ARGUMENT);
    assert_int_equal(rbv_evaluation_release_drive(evaluation, 7), RBV_BAD_ARGUMENT);
    assert_int_equal(rbv_evaluation_set_time(evaluation, INFINITY), RBV_BAD_ARGUMENT);
    assert_int_equal(rbv_evaluation_set_body(evaluation, 0, &motion), RBV_BAD_ARGUMENT);
    assert_int_equal(rbv_evaluation_set_body(evaluation, 99, &motion), RBV_BAD_ARGUMENT);
    motion.velocity[1] = NAN;
    assert_int_equal(rbv_evaluation_set_body(evaluation, 1, &motion), RBV_BAD_ARGUMENT);
    assert_int_equal(rbv_evaluation_inverse(NULL), RBV_BAD_ARGUMENT);
    assert_int_equal(rbv_evaluation_kinematics(NULL), RBV_BAD_ARGUMENT);
    assert_null(rbv_evaluation_column(evaluation, "motor.efort").value);
    assert_null(rbv_evaluation_column(evaluation, NULL).value);
    assert_null(rbv_evaluation_column(evaluation, "no.Fx").verdict);
    assert_null(rbv_evaluation_result(NULL));
    assert_int_equal(rbv_system_find(system, RBV_ITEM_DRIVE, "rotor"), -1);
    assert_int_equal(rbv_system_find(system, RBV_ITEM_DRIVE, "crank"), -1);
    assert_int_equal(rbv_system_find(system, RBV_ITEM_BODY, "ground"), 0);
    assert_int_equal(rbv_evaluation_inverse(evaluation), RBV_OK);
    rbv_evaluation_destroy(evaluation);
    rbv_evaluation_destroy(NULL);
    rbv_system_destroy(system);
    rbv_model_destroy(model);
}

static void what_is_not_driven_is_refused_by_name(void **unused) {
    (void)unused;
    static const char text[] =
        "roberval: 1\nspace: planar\nbodies: {rod: {mass: 2, centroid: [0.3, 0], inertia: 0.06}}\n"
        "joints: {pin: {type: revolute, between: [ground, rod]}}\n";
    RbvModel *model = machine_read(text);
    RbvSystem *system = machine_compile(model);
    RbvDiagnostics *diagnostics = rbv_diagnostics_create();
    RbvEvaluation *evaluation = NULL;
    assert_int_equal(rbv_evaluation_create(system, NULL, diagnostics, &evaluation), RBV_BAD_INPUT);
    assert_null(evaluation);
    assert_true(machine_says(diagnostics, RBV_ERROR, "pin.angle"));
    rbv_diagnostics_destroy(diagnostics);
    rbv_system_destroy(system);
    rbv_model_destroy(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_are_not_computed_at_first),
        cmocka_unit_test(states_in_the_order_of_samples_are_the_samples),
        cmocka_unit_test(successive_states_are_the_samples_bit_for_bit),
        cmocka_unit_test(states_in_any_order_are_the_samples),
        cmocka_unit_test(bodies_of_samples_give_their_forces),
        cmocka_unit_test(bodies_give_what_coordinates_by_name_do),
        cmocka_unit_test(bodies_that_are_off_are_brought_together),
        cmocka_unit_test(a_pendulum_put_anywhere_has_its_closed_form),
        cmocka_unit_test(verdicts_are_those_of_the_state),
        cmocka_unit_test(what_cannot_be_reached_is_said_and_leaves_no_numbers),
        cmocka_unit_test(an_own_motion_that_does_not_fit_need_not),
        cmocka_unit_test(where_wheels_roll_time_goes_on),
        cmocka_unit_test(conditions_hold_as_the_state_has_them),
        cmocka_unit_test(conditions_hold_as_they_do_on_the_way),
        cmocka_unit_test(conditions_without_an_answer_are_said),
        cmocka_unit_test(a_callers_bugs_are_refused),
        cmocka_unit_test(what_is_not_driven_is_refused_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
