/* The public interface: what it refuses, what it says, what it keeps. */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/machines.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PI 3.14159265358979324

/* A driven pendulum built in C: a rod of 1 m and 2 kg, hinge.angle = t^2. */
static RbvModel *pendulum(void) {
    RbvModel *model = rbv_model_create(RBV_PLANAR, "pendulum");
    assert_non_null(model);
    RbvBodyDef rod = rbv_body_def_default;
    rod.name = "rod";
    rod.mass = 2;
    rod.centroid[0] = 0.5;
    rod.inertia[2] = 2.0 / 12;
    RbvJointDef hinge = rbv_joint_def_default;
    hinge.name = "hinge";
    hinge.type = "revolute";
    hinge.between[0] = "ground";
    hinge.between[1] = "rod";
    const double gravity[3] = {0, -9.81, 0};
    assert_int_equal(rbv_model_set_gravity(model, gravity), RBV_OK);
    assert_int_equal(rbv_model_add_body(model, &rod, NULL), RBV_OK);
    assert_int_equal(rbv_model_add_joint(model, &hinge, NULL), RBV_OK);
    assert_int_equal(rbv_model_add_drive(model, "motor", "hinge.angle", "t^2", NULL), RBV_OK);
    assert_int_equal(rbv_model_set_motion(model, 0, 1, 0.1), RBV_OK);
    return model;
}

/* A rod that stands still in the air at 30 degrees: the pendulum of it carries nothing, and gravity has -m g c cos too
 * much. */
static void a_motion_built_in_c_is_compared_with_its_forces(void **unused) {
    (void)unused;
    RbvModel *model = pendulum();
    RbvSystem *system = machine_compile(model);
    static const char *const names[] = {"time",   "rod.x",     "rod.y",  "rod.angle", "rod.vx",
                                        "rod.vy", "rod.omega", "rod.ax", "rod.ay",    "rod.alpha"};
    const double turn = PI / 6, values[] = {0, 0, 0, turn, 0, 0, 0, 0, 0, 0, 1, 0, 0, turn, 0, 0, 0, 0, 0, 0};
    const RbvGivenMotion motion = {.from = "here", .count = 10, .samples = 2, .names = names, .values = values};
    RbvOptions options = rbv_options_default;
    RbvResult *result = NULL;
    options.inverse.prescribed = &motion;
    options.reactions.frame = RBV_FRAME_GROUND;
    assert_int_equal(rbv_inverse(system, &options, NULL, &result),
                     RBV_OK); /* the drive has an effort: whatever its own motion is */
    assert_int_equal(rbv_result_counts(result).samples, 2);
    assert_true(fabs(rbv_result_value(result, 0, rbv_result_find(result, "motor.effort")) -
                     2 * 9.81 * 0.5 * cos(turn)) < 1e-12);
    assert_true(fabs(rbv_result_value(result, 1, rbv_result_find(result, "hinge.Fy")) - 2 * 9.81) < 1e-12);
    assert_int_equal(rbv_result_find(result, "hinge.angle.residual"), -1);
    rbv_result_destroy(result);
    rbv_system_destroy(system);
    rbv_model_destroy(model);
}

static void assert_says(const RbvDiagnostics *diagnostics, const char *part) {
    if (!machine_says(diagnostics, RBV_ERROR, part)) {
        print_error("no error says '%s'; said was:\n", part);
        machine_print(diagnostics);
        fail();
    }
}

static void a_model_built_in_c_gives_the_closed_form(void **unused) {
    (void)unused;
    RbvModel *model = pendulum();
    RbvSystem *system = machine_compile(model);
    RbvResult *result = NULL;
    assert_int_equal(rbv_system_counts(system).coordinates, 3);
    assert_int_equal(rbv_system_counts(system).rows, 3);
    assert_int_equal(rbv_inverse(system, NULL, NULL, &result), RBV_OK);
    assert_int_equal(rbv_result_counts(result).samples, 11);
    int32_t effort = rbv_result_find(result, "motor.effort"), fx = rbv_result_find(result, "hinge.Fx");
    for (int32_t k = 0; k <= 10; k++) {
        double t = rbv_result_value(result, k, 0), phi = t * t, w = 2 * t, acceleration = 2;
        assert_near(t, 0.1 * k, 1e-15);
        /* J_O phi'' = T - m g l/2 cos phi; m x'' = Fx with x = l/2 cos phi */
        assert_near(rbv_result_value(result, k, effort), 2.0 / 3 * acceleration + 9.81 * cos(phi), 1e-12);
        assert_near(rbv_result_value(result, k, fx), -sin(phi) * acceleration - cos(phi) * w * w, 1e-12);
    }
    assert_string_equal(rbv_result_column(result, effort).unit, "N.m");
    assert_string_equal(rbv_result_column(result, fx).unit, "N");
    assert_int_equal(rbv_result_column(result, fx).verdict, RBV_UNIQUE);
    RbvMobility mobility = rbv_result_mobility(result);
    assert_int_equal(mobility.coordinates, 3);
    assert_int_equal(mobility.rank, 3);
    assert_int_equal(mobility.redundant, 0);
    assert_int_equal(mobility.degrees_of_freedom, 0);
    assert_int_equal(mobility.gruebler, 1);
    rbv_system_destroy(system); /* a result outlives its system and model */
    rbv_model_destroy(model);
    assert_near(rbv_result_value(result, 10, 0), 1, 1e-15);
    char *json = rbv_result_text(result, RBV_TEXT_JSON, NULL), *tables = rbv_result_text(result, RBV_TEXT_TABLES, NULL);
    assert_non_null(json);
    assert_non_null(tables);
    assert_non_null(strstr(json, "\"motor\""));
    free(json);
    free(tables);
    rbv_result_destroy(result);
}

/* Views choose names; without one everything is shown. What holds the model's contents needs no motion. */
static void views_choose_and_the_contents_are_told(void **unused) {
    (void)unused;
    RbvModel *model = pendulum();
    RbvSystem *system = machine_compile(model);
    RbvResult *result = NULL, *info = NULL;
    assert_int_equal(rbv_inverse(system, NULL, NULL, &result), RBV_OK);
    const char *const only[] = {"mot*"};
    RbvView view = rbv_view_default;
    view.only = only;
    view.only_count = 1;
    char *all = rbv_result_text(result, RBV_TEXT_SERIES, NULL), *some = rbv_result_text(result, RBV_TEXT_SERIES, &view),
         *page = rbv_result_text(result, RBV_TEXT_TABLES, &view);
    assert_int_equal(strncmp(all, "time [s],hinge.Fx [N],", 22), 0);
    assert_int_equal(strncmp(some, "time [s],motor.effort [N.m]\n", 28), 0);
    assert_non_null(strstr(page, "motor.effort"));
    assert_null(strstr(page, "hinge.Fx"));
    assert_int_equal(rbv_result_match_count(result, "hinge"), 3);
    assert_int_equal(rbv_result_match_count(result, "*.F[xy]"), 2);
    assert_int_equal(rbv_result_match_count(result, "nothing"), 0);
    assert_int_equal(rbv_info(system, NULL, NULL, &info), RBV_OK);
    assert_int_equal(rbv_result_counts(info).samples, 0);
    assert_int_equal(rbv_result_match_count(info, "rod"), 1);
    char *json = rbv_result_text(info, RBV_TEXT_JSON, NULL);
    assert_non_null(strstr(json, "\"total_mass\": 2,"));
    assert_null(rbv_result_text(NULL, RBV_TEXT_SERIES, NULL));
    assert_int_equal(rbv_info(NULL, NULL, NULL, &info), RBV_BAD_ARGUMENT);
    static const char *const words[] = {"check", "inverse", "statics"};
    assert_string_equal(rbv_nearest_word("chekc", 3, words), "check");
    assert_null(rbv_nearest_word("roberval", 3, words));
    free(all);
    free(some);
    free(page);
    free(json);
    rbv_result_destroy(info);
    rbv_result_destroy(result);
    rbv_system_destroy(system);
    rbv_model_destroy(model);
}

static void nothing_is_a_bad_argument(void **unused) {
    (void)unused;
    RbvModel *model = rbv_model_create(RBV_PLANAR, NULL);
    const double at[3] = {0}, bad[3] = {0, NAN, 0};
    RbvModel *read = model;
    RbvSystem *system = NULL;
    RbvResult *result = NULL;
    assert_string_equal(rbv_model_title(model), "");
    RbvModel *spatial = rbv_model_create(RBV_SPATIAL, "space");
    assert_non_null(spatial);
    rbv_model_destroy(spatial);
    assert_null(rbv_model_create((RbvSpace)7, "no space"));
    assert_int_equal(rbv_model_set_gravity(NULL, at), RBV_BAD_ARGUMENT);
    assert_int_equal(rbv_model_set_gravity(model, NULL), RBV_BAD_ARGUMENT);
    assert_int_equal(rbv_model_set_gravity(model, bad), RBV_BAD_ARGUMENT);
    assert_int_equal(rbv_model_set_motion(model, 1, 0, 0.1), RBV_BAD_ARGUMENT);
    assert_int_equal(rbv_model_set_motion(model, 0, 1, 0), RBV_BAD_ARGUMENT);
    assert_int_equal(rbv_model_set_motion(model, 0, NAN, 0.1), RBV_BAD_ARGUMENT);
    assert_int_equal(rbv_model_set_motion(NULL, 0, 1, 0.1), RBV_BAD_ARGUMENT);
    assert_int_equal(rbv_model_add_body(model, NULL, NULL), RBV_BAD_ARGUMENT);
    assert_int_equal(rbv_model_add_joint(NULL, NULL, NULL), RBV_BAD_ARGUMENT);
    assert_int_equal(rbv_model_add_joint(model, NULL, NULL), RBV_BAD_ARGUMENT);
    assert_int_equal(rbv_model_add_table(model, NULL, NULL), RBV_BAD_ARGUMENT);
    assert_int_equal(rbv_model_add_load(model, NULL, NULL), RBV_BAD_ARGUMENT);
    assert_int_equal(rbv_model_add_parameter(NULL, "a", 1, NULL, NULL), RBV_BAD_ARGUMENT);
    assert_int_equal(rbv_model_add_marker(NULL, "b", "m", at, 0, NULL), RBV_BAD_ARGUMENT);
    assert_int_equal(rbv_model_add_drive(NULL, "d", "a", "t", NULL), RBV_BAD_ARGUMENT);
    assert_int_equal(rbv_model_add_constraint(NULL, "d", "t", NULL), RBV_BAD_ARGUMENT);
    assert_int_equal(rbv_model_add_initial(NULL, "d", 0, NULL), RBV_BAD_ARGUMENT);
    assert_int_equal(rbv_model_add_output(NULL, "d", "t", NULL), RBV_BAD_ARGUMENT);
    assert_int_equal(rbv_model_read(&(RbvInput){.path = NULL}, NULL, &read), RBV_BAD_ARGUMENT);
    assert_int_equal(rbv_model_read(&(RbvInput){.path = "m", .text = NULL, .length = 3}, NULL, &read),
                     RBV_BAD_ARGUMENT);
    assert_int_equal(rbv_model_read(&(RbvInput){.path = "m", .text = "a: 1", .length = 4}, NULL, NULL),
                     RBV_BAD_ARGUMENT);
    assert_int_equal(rbv_system_create(NULL, NULL, NULL, &system), RBV_BAD_ARGUMENT);
    assert_int_equal(rbv_system_create(model, NULL, NULL, NULL), RBV_BAD_ARGUMENT);
    assert_int_equal(rbv_check(NULL, NULL, NULL, &result), RBV_BAD_ARGUMENT);
    assert_int_equal(rbv_kinematics(NULL, NULL, NULL, &result), RBV_BAD_ARGUMENT);
    assert_int_equal(rbv_inverse(NULL, NULL, NULL, &result), RBV_BAD_ARGUMENT);
    rbv_model_destroy(model);
    rbv_model_destroy(NULL);
    rbv_system_destroy(NULL);
    rbv_result_destroy(NULL);
    rbv_diagnostics_destroy(NULL);
    model = pendulum();
    system = machine_compile(model);
    assert_int_equal(rbv_inverse(system, NULL, NULL, NULL), RBV_BAD_ARGUMENT);
    assert_int_equal(rbv_check(system, NULL, NULL, NULL), RBV_BAD_ARGUMENT);
    assert_int_equal(rbv_kinematics(system, NULL, NULL, NULL), RBV_BAD_ARGUMENT);
    rbv_system_destroy(system);
    rbv_model_destroy(model);
}

static void choices_that_there_are_not_are_refused(void **unused) {
    (void)unused;
    RbvModel *model = pendulum();
    RbvSystem *system = NULL;
    for (int k = 4; k < 100; k += 3)
        assert_int_equal(
            rbv_system_create(model, &(RbvSystemOptions){.coordinates = (RbvCoordinatesChoice)k}, NULL, &system),
            RBV_BAD_ARGUMENT);
    assert_int_equal(rbv_system_create(model, &(RbvSystemOptions){.coordinates = (RbvCoordinatesChoice)-1, .tree = {0}},
                                       NULL, &system),
                     RBV_BAD_ARGUMENT);
    assert_int_equal(rbv_system_counts(NULL).coordinates, 0);
    assert_int_equal(rbv_system_counts(NULL).rows, 0);
    system = machine_compile(model);
    RbvStatus (*const analyses[])(const RbvSystem *, const RbvOptions *, RbvDiagnostics *, RbvResult **) = {
        rbv_check, rbv_assembly, rbv_kinematics, rbv_statics, rbv_inverse, rbv_simulate, rbv_track, rbv_modes};
    for (int choice = 0; choice < 10; choice++) {
        RbvOptions options = rbv_options_default;
        switch (choice) {
        case 0: options.reactions.frame = (RbvFrame)2; break;
        case 1: options.inverse.method = (RbvInverseMethod)99; break;
        case 2: options.inverse.by = (RbvReactionBy)3; break;
        case 3: options.reactions.criterion = (RbvCriterion)4; break;
        case 4: options.reactions.redundant = (RbvRedundant)4; break;
        case 5: options.statics.method = (RbvStaticsMethod)7; break;
        case 6: options.motion.method = (RbvMotionMethod)3; break;
        case 7: options.assembly.udwadia = (RbvUdwadiaForm)3; break;
        case 8: options.reactions.eliminated_count = 1; break; /* of no list */
        default: options.inverse.balance_count = -1; break;
        }
        for (size_t k = 0; k < sizeof analyses / sizeof *analyses; k++) {
            RbvResult *result = NULL;
            assert_int_equal(analyses[k](system, &options, NULL, &result), RBV_BAD_ARGUMENT);
            assert_null(result);
        }
    }
    rbv_system_destroy(system);
    rbv_model_destroy(model);
}

static void missing_strings_are_mistakes_not_crashes(void **unused) {
    (void)unused;
    RbvModel *model = pendulum();
    RbvDiagnostics *diagnostics = rbv_diagnostics_create();
    RbvBodyDef body = rbv_body_def_default;
    RbvJointDef joint = rbv_joint_def_default;
    RbvLoadDef load = rbv_load_def_default;
    RbvTableDef table = rbv_table_def_default;
    const double at[3] = {0};
    assert_int_not_equal(rbv_model_add_body(model, &body, diagnostics), RBV_OK);
    assert_int_not_equal(rbv_model_add_joint(model, &joint, diagnostics), RBV_OK);
    assert_int_not_equal(rbv_model_add_load(model, &load, diagnostics), RBV_OK);
    assert_int_not_equal(rbv_model_add_table(model, &table, diagnostics), RBV_OK);
    joint.name = "J";
    assert_int_not_equal(rbv_model_add_joint(model, &joint, diagnostics), RBV_OK);
    load.name = "L";
    assert_int_not_equal(rbv_model_add_load(model, &load, diagnostics), RBV_OK);
    load.name = "L2";
    load.type = "force";
    assert_int_not_equal(rbv_model_add_load(model, &load, diagnostics), RBV_OK);
    load.name = "L3";
    load.type = "spring";
    assert_int_not_equal(rbv_model_add_load(model, &load, diagnostics), RBV_OK);
    table.name = "T";
    table.count = 3;
    assert_int_not_equal(rbv_model_add_table(model, &table, diagnostics), RBV_OK);
    assert_int_not_equal(rbv_model_add_parameter(model, NULL, 1, NULL, diagnostics), RBV_OK);
    assert_int_not_equal(rbv_model_add_marker(model, NULL, "m", at, 0, diagnostics), RBV_OK);
    assert_int_not_equal(rbv_model_add_marker(model, "rod", NULL, at, 0, diagnostics), RBV_OK);
    assert_int_not_equal(rbv_model_add_marker(model, "rod", "m", NULL, 0, diagnostics), RBV_OK);
    assert_int_not_equal(rbv_model_add_drive(model, "d", NULL, "t", diagnostics), RBV_OK);
    assert_int_not_equal(rbv_model_add_drive(model, "d2", "hinge.angle", NULL, diagnostics), RBV_OK);
    assert_int_not_equal(rbv_model_add_constraint(model, "c", NULL, diagnostics), RBV_OK);
    assert_int_equal(rbv_model_add_nonideal(model, "c", "hinge.angle", NULL, diagnostics), RBV_BAD_ARGUMENT);
    assert_int_equal(rbv_model_add_nonideal(model, NULL, "hinge.angle", "1", diagnostics), RBV_BAD_ARGUMENT);
    assert_int_not_equal(rbv_model_add_nonideal(model, "nobody", "hinge.angle", "1", diagnostics), RBV_OK);
    assert_true(machine_says(diagnostics, RBV_ERROR, "there is no constraint 'nobody'"));
    assert_int_not_equal(rbv_model_add_initial(model, NULL, 0, diagnostics), RBV_OK);
    assert_int_not_equal(rbv_model_add_output(model, "o", NULL, diagnostics), RBV_OK);
    rbv_diagnostics_destroy(diagnostics);
    rbv_model_destroy(model);
}

/* A bead that slides down a wire of 45 degrees with friction mu falls along it with g (1 - mu)/sqrt(2). */
static void constraints_that_do_work_are_added_from_c(void **unused) {
    (void)unused;
    const double gravity[3] = {0, -9.81, 0}, mu = 0.25, t = 0.5;
    RbvModel *model = rbv_model_create(RBV_PLANAR, "bead");
    RbvDiagnostics *diagnostics = rbv_diagnostics_create();
    RbvBodyDef bead = rbv_body_def_default;
    bead.name = "bead", bead.particle = true, bead.mass = 2;
    assert_int_equal(rbv_model_set_gravity(model, gravity), RBV_OK);
    assert_int_equal(rbv_model_set_motion(model, 0, t, t), RBV_OK);
    assert_int_equal(rbv_model_add_body(model, &bead, diagnostics), RBV_OK);
    assert_int_equal(rbv_model_add_constraint(model, "wire", "(x(bead) + y(bead))/sqrt(2)", diagnostics), RBV_OK);
    assert_int_equal(rbv_model_add_nonideal(model, "wire", "x(bead)", "-0.25*abs(wire.effort)/sqrt(2)", diagnostics),
                     RBV_OK);
    assert_int_equal(rbv_model_add_nonideal(model, "wire", "y(bead)", "0.25*abs(wire.effort)/sqrt(2)", diagnostics),
                     RBV_OK);
    RbvSystem *system = machine_compile(model);
    RbvResult *result = NULL;
    assert_int_equal(rbv_simulate(system, NULL, diagnostics, &result), RBV_OK);
    double a = 9.81 * (1 - mu) / sqrt(2), N = 2 * 9.81 / sqrt(2);
    assert_near(rbv_result_value(result, 1, rbv_result_find(result, "bead.x")), 0.5 * a * t * t / sqrt(2), 1e-9);
    assert_near(rbv_result_value(result, 1, rbv_result_find(result, "wire.effort")), N, 1e-9);
    assert_near(rbv_result_value(result, 1, rbv_result_find(result, "wire.nonideal")), -mu * N * a * t, 1e-8);
    rbv_result_destroy(result);
    result = NULL;
    assert_int_equal(rbv_statics(system, NULL, diagnostics, &result), RBV_BAD_INPUT);
    assert_true(machine_says(diagnostics, RBV_ERROR, "constraint 'wire' does work (nonideal:)"));
    rbv_system_destroy(system);
    rbv_model_destroy(model);
    rbv_diagnostics_destroy(diagnostics);
}

static void mistakes_in_c_are_explained_without_a_position(void **unused) {
    (void)unused;
    RbvModel *model = pendulum();
    RbvDiagnostics *diagnostics = rbv_diagnostics_create();
    RbvJointDef joint = rbv_joint_def_default;
    RbvBodyDef body = rbv_body_def_default;
    joint.name = "elbow";
    joint.type = "revolut";
    joint.between[0] = "rot";
    joint.between[1] = "ground";
    assert_int_equal(rbv_model_add_joint(model, &joint, diagnostics), RBV_BAD_INPUT);
    assert_int_equal(rbv_model_add_drive(model, "two", "hinge.angel", "t", diagnostics), RBV_BAD_INPUT);
    assert_int_equal(rbv_model_add_drive(model, "three", "hinge.angle", "t +", diagnostics), RBV_BAD_INPUT);
    body.name = "rod";
    assert_int_equal(rbv_model_add_body(model, &body, diagnostics), RBV_BAD_INPUT);
    body.name = "heavy";
    body.mass = -1;
    assert_int_equal(rbv_model_add_body(model, &body, diagnostics), RBV_BAD_INPUT);
    assert_says(diagnostics, "'revolut'; did you mean 'revolute'?");
    assert_says(diagnostics, "no body 'rot'; did you mean 'rod'?");
    assert_says(diagnostics, "'angel'");
    assert_says(diagnostics, "the name 'rod' is taken");
    for (int32_t k = 0; k < rbv_diagnostics_count(diagnostics); k++) {
        RbvDiagnostic d = rbv_diagnostics_at(diagnostics, k);
        assert_int_equal(d.severity, RBV_ERROR);
        assert_int_equal(d.at.line, 0);
        assert_string_equal(d.file, "");
        assert_true(strlen(d.message) > 0);
    }
    RbvSystem *system = NULL; /* no longer compiled */
    assert_int_equal(rbv_system_create(model, NULL, diagnostics, &system), RBV_BAD_INPUT);
    assert_null(system);
    rbv_diagnostics_destroy(diagnostics);
    rbv_model_destroy(model);
}

static void an_empty_model_does_not_compile(void **unused) {
    (void)unused;
    RbvModel *model = rbv_model_create(RBV_PLANAR, "empty");
    RbvDiagnostics *diagnostics = rbv_diagnostics_create();
    RbvSystem *system = NULL;
    assert_int_equal(rbv_system_create(model, NULL, diagnostics, &system), RBV_BAD_INPUT);
    assert_says(diagnostics, "no bodies");
    rbv_diagnostics_destroy(diagnostics);
    rbv_model_destroy(model);
}

static void default_definitions_leave_open_what_must_be_given(void **unused) {
    (void)unused;
    RbvJointDef joint = rbv_joint_def_default;
    assert_true(isnan(joint.length) && isnan(joint.radius));
    for (int k = 0; k < 2; k++)
        assert_true(isnan(joint.radii[k]) && isnan(joint.teeth[k]));
    assert_near(joint.pressure_angle, PI / 9, 1e-15);
    assert_near(joint.helix_angle, 0, 0);
    assert_true(!joint.name && !joint.carrier && !joint.has_at && !joint.internal && !joint.crossed && !joint.flat);
    RbvBodyDef body = rbv_body_def_default;
    assert_true(!body.name && !body.particle && body.mass == 0 && body.angle == 0);
    RbvLoadDef load = rbv_load_def_default;
    assert_true(!load.name && isnan(load.free) && !load.body_frame);
    RbvTableDef table = rbv_table_def_default;
    assert_true(!table.name && table.count == 0 && table.smooth == 0);
    RbvOptions options = rbv_options_default;
    assert_true(isnan(options.from) && isnan(options.to) && isnan(options.step) && !options.progress);
    assert_int_equal(options.reactions.frame, RBV_FRAME_JOINT);
    assert_int_equal(options.inverse.method, RBV_METHOD_TWO_STEP);
}

static void result_accessors_answer_out_of_range(void **unused) {
    (void)unused;
    RbvModel *model = pendulum();
    RbvSystem *system = machine_compile(model);
    RbvResult *result = NULL;
    assert_int_equal(rbv_inverse(system, NULL, NULL, &result), RBV_OK);
    int32_t columns = rbv_result_counts(result).columns, samples = rbv_result_counts(result).samples;
    const int32_t outside[] = {-1, columns, INT32_MAX, INT32_MIN};
    for (int k = 0; k < 4; k++) {
        assert_true(isnan(rbv_result_value(result, 0, outside[k])));
        assert_string_equal(rbv_result_column(result, outside[k]).name, "");
        assert_string_equal(rbv_result_column(result, outside[k]).unit, "");
        assert_int_equal(rbv_result_column(result, outside[k]).verdict, RBV_UNIQUE);
    }
    assert_true(isnan(rbv_result_value(result, samples, 0)));
    assert_true(isnan(rbv_result_value(result, -1, 0)));
    assert_true(isnan(rbv_result_value(NULL, 0, 0)));
    assert_int_equal(rbv_result_find(result, "nobody.Fx"), -1);
    assert_int_equal(rbv_result_find(result, NULL), -1);
    assert_int_equal(rbv_result_find(NULL, "t"), -1);
    assert_int_equal(rbv_result_counts(NULL).samples, 0);
    for (int32_t c = 0; c < columns; c++)
        assert_int_equal(rbv_result_find(result, rbv_result_column(result, c).name), c);
    assert_null(rbv_result_text(NULL, RBV_TEXT_JSON, NULL));
    assert_null(rbv_result_text(NULL, RBV_TEXT_TABLES, NULL));
    assert_int_equal(rbv_result_write(NULL, "x", NULL, NULL), RBV_BAD_ARGUMENT);
    assert_int_equal(rbv_result_write(result, NULL, NULL, NULL), RBV_BAD_ARGUMENT);
    rbv_result_destroy(result);
    rbv_system_destroy(system);
    rbv_model_destroy(model);
}

static void statuses_and_diagnostics_always_have_words(void **unused) {
    (void)unused;
    for (int k = RBV_OK; k <= RBV_NOT_WRITABLE; k++)
        assert_true(strlen(rbv_status_text((RbvStatus)k)) > 0);
    assert_non_null(rbv_status_text((RbvStatus)999));
    assert_true(strlen(rbv_version()) >= 5);
    RbvDiagnostics *diagnostics = rbv_diagnostics_create();
    assert_int_equal(rbv_diagnostics_count(diagnostics), 0);
    rbv_diagnostics_destroy(diagnostics);
}

static RbvResult *run(const RbvSystem *system, double from, double to, double step) {
    RbvOptions options = rbv_options_default;
    options.from = from;
    options.to = to;
    options.step = step;
    RbvResult *result = NULL;
    assert_int_equal(rbv_inverse(system, &options, NULL, &result), RBV_OK);
    return result;
}

static void options_override_the_motion(void **unused) {
    (void)unused;
    RbvModel *model = pendulum();
    RbvSystem *system = machine_compile(model);
    RbvResult *result = run(system, 0.5, NAN, NAN); /* the model says to 1 by 0.1 */
    assert_int_equal(rbv_result_counts(result).samples, 6);
    assert_near(rbv_result_value(result, 0, 0), 0.5, 0);
    rbv_result_destroy(result);
    result = run(system, NAN, 0.25, NAN); /* 0, 0.1, 0.2 and `to` */
    assert_int_equal(rbv_result_counts(result).samples, 4);
    assert_near(rbv_result_value(result, 2, 0), 0.2, 1e-15);
    assert_near(rbv_result_value(result, 3, 0), 0.25, 0);
    rbv_result_destroy(result);
    result = run(system, NAN, NAN, 0.5);
    assert_int_equal(rbv_result_counts(result).samples, 3);
    rbv_result_destroy(result);
    result = run(system, 2, 2, 1); /* one instant */
    assert_int_equal(rbv_result_counts(result).samples, 1);
    assert_near(rbv_result_value(result, 0, rbv_result_find(result, "motor.effort")), 4.0 / 3 + 9.81 * cos(4), 1e-11);
    rbv_result_destroy(result);
    RbvDiagnostics *diagnostics = rbv_diagnostics_create();
    RbvOptions options = rbv_options_default;
    options.to = -1;
    assert_int_equal(rbv_inverse(system, &options, diagnostics, &result), RBV_BAD_INPUT);
    assert_null(result);
    assert_says(diagnostics, "to must not lie before from");
    options.to = INFINITY;
    assert_int_equal(rbv_kinematics(system, &options, NULL, &result), RBV_BAD_INPUT);
    rbv_diagnostics_destroy(diagnostics);
    rbv_system_destroy(system);
    rbv_model_destroy(model);
}

static void without_a_motion_an_analysis_over_time_says_so(void **unused) {
    (void)unused;
    RbvModel *model = rbv_model_create(RBV_PLANAR, "still");
    RbvBodyDef body = {.name = "b", .mass = 1, .inertia = {0, 0, 1}};
    assert_int_equal(rbv_model_add_body(model, &body, NULL), RBV_OK);
    RbvSystem *system = machine_compile(model);
    RbvDiagnostics *diagnostics = rbv_diagnostics_create();
    RbvResult *result = NULL;
    assert_int_equal(rbv_inverse(system, NULL, diagnostics, &result), RBV_BAD_INPUT);
    assert_says(diagnostics, "no motion");
    assert_int_equal(rbv_check(system, NULL, diagnostics, &result), RBV_OK); /* needs none */
    assert_int_equal(rbv_result_mobility(result).degrees_of_freedom, 3);
    rbv_result_destroy(result);
    rbv_diagnostics_destroy(diagnostics);
    rbv_system_destroy(system);
    rbv_model_destroy(model);
}

static bool stop_after(void *context, double share) {
    int *calls = context;
    assert_true(share >= 0 && share <= 1);
    return --*calls >= 0;
}

static void progress_can_interrupt_and_samples_are_kept(void **unused) {
    (void)unused;
    RbvModel *model = machine_read(machine_four_bar);
    RbvSystem *system = machine_compile(model);
    RbvOptions options = rbv_options_default;
    options.step = 1e-3;
    RbvResult *whole = NULL, *part = NULL;
    assert_int_equal(rbv_inverse(system, &options, NULL, &whole), RBV_OK);
    options.progress = stop_after;
    int calls, kept = 0, most = 0;
    options.context = &calls;
    for (int asked = 1; asked < 200;
         asked += 7) { /* it is asked within samples, too: those that were not finished are not there */
        calls = asked;
        assert_int_equal(rbv_inverse(system, &options, NULL, &part), RBV_INTERRUPTED);
        int32_t samples = part ? rbv_result_counts(part).samples : 0;
        assert_in_range(samples, most, rbv_result_counts(whole).samples - 1);
        for (int32_t k = 0; k < samples; k++)
            for (int32_t c = 0; c < rbv_result_counts(part).columns; c++)
                assert_true(rbv_result_value(part, k, c) == rbv_result_value(whole, k, c));
        kept += samples > most;
        most = samples;
        rbv_result_destroy(part);
    }
    assert_true(kept > 10);
    calls = 60;
    assert_int_equal(rbv_kinematics(system, &options, NULL, &part), RBV_INTERRUPTED);
    assert_true(rbv_result_counts(part).samples > 0);
    rbv_result_destroy(part);
    calls = 0; /* at once: nothing was done */
    assert_int_equal(rbv_inverse(system, &options, NULL, &part), RBV_INTERRUPTED);
    assert_null(part);
    rbv_result_destroy(whole);
    rbv_system_destroy(system);
    rbv_model_destroy(model);
}

static void null_diagnostics_swallow_messages(void **unused) {
    (void)unused;
    RbvModel *model = (RbvModel *)1;
    assert_int_equal(rbv_model_read(&(RbvInput){.path = "m", .text = "nonsense: [", .length = 11}, NULL, &model),
                     RBV_BAD_INPUT);
    assert_null(model);
    assert_int_equal(rbv_model_read(&(RbvInput){.path = "/nowhere/at/all.yaml"}, NULL, &model), RBV_BAD_INPUT);
    assert_null(model);
}

/* Nobody listens, and still the result says what its reader must know, each once. */
static void notes_reach_results_without_a_listener(void **unused) {
    (void)unused;
    typedef RbvStatus (*Analysis)(const RbvSystem *, const RbvOptions *, RbvDiagnostics *, RbvResult **);
    static const Analysis analyses[] = {rbv_info, rbv_check, rbv_assembly, rbv_kinematics, rbv_statics, rbv_inverse};
    RbvModel *model = pendulum();
    RbvBodyDef bare = rbv_body_def_default;
    bare.name = "bare";
    RbvJointDef pin = rbv_joint_def_default;
    pin.name = "pin";
    pin.type = "revolute";
    pin.between[0] = "rod";
    pin.between[1] = "bare";
    assert_int_equal(rbv_model_add_body(model, &bare, NULL), RBV_OK);
    assert_int_equal(rbv_model_add_joint(model, &pin, NULL), RBV_OK);
    assert_int_equal(rbv_model_add_drive(model, "rough", "pin.angle", "abs(t-0.33)", NULL), RBV_OK);
    for (int again = 0; again < 2; again++) { /* compiled twice */
        RbvSystem *system = machine_compile(model);
        for (size_t k = 0; k < sizeof analyses / sizeof analyses[0]; k++) {
            RbvResult *result = NULL;
            assert_int_equal(analyses[k](system, NULL, NULL, &result), RBV_OK);
            char *json = rbv_result_text(result, RBV_TEXT_JSON, NULL),
                 *note = json ? strstr(json, "drive 'rough' uses abs") : NULL;
            assert_non_null(note);
            assert_null(strstr(note + 1, "drive 'rough' uses abs"));
            assert_true(analyses[k] != rbv_inverse || strstr(json, "without mass: bare"));
            free(json);
            rbv_result_destroy(result);
        }
        rbv_system_destroy(system);
    }
    rbv_model_destroy(model);
}

/* --- threads
 * ----------------------------------------------------------------------------------------------------------- */

typedef struct Job {
    const RbvSystem *system;
    RbvInverseMethod method;
    RbvResult *result;
    RbvStatus status;
} Job;

static void *work(void *argument) {
    Job *job = argument;
    RbvOptions options = rbv_options_default;
    options.inverse.method = job->method;
    options.step = 2e-3;
    RbvDiagnostics *diagnostics = rbv_diagnostics_create();
    job->status = rbv_inverse(job->system, &options, diagnostics, &job->result);
    rbv_diagnostics_destroy(diagnostics);
    return NULL;
}

static void assert_threads_agree(const char *text) {
    RbvModel *model = machine_read(text);
    RbvSystem *system = machine_compile(model);
    Job alone = {.system = system}, jobs[4];
    work(&alone);
    assert_int_equal(alone.status, RBV_OK);
    pthread_t threads[4];
    for (int k = 0; k < 4; k++) {
        jobs[k] = (Job){.system = system};
        assert_int_equal(pthread_create(&threads[k], NULL, work, &jobs[k]), 0);
    }
    for (int k = 0; k < 4; k++)
        pthread_join(threads[k], NULL);
    for (int k = 0; k < 4; k++) {
        assert_int_equal(jobs[k].status, RBV_OK);
        assert_int_equal(rbv_result_counts(jobs[k].result).samples, rbv_result_counts(alone.result).samples);
        for (int32_t s = 0; s < rbv_result_counts(alone.result).samples; s++)
            for (int32_t c = 0; c < rbv_result_counts(alone.result).columns; c++)
                assert_true(rbv_result_value(jobs[k].result, s, c) == rbv_result_value(alone.result, s, c));
        rbv_result_destroy(jobs[k].result);
    }
    rbv_result_destroy(alone.result);
    rbv_system_destroy(system);
    rbv_model_destroy(model);
}

static void threads_that_share_a_system_get_the_same_numbers(void **unused) {
    (void)unused;
    assert_threads_agree(machine_four_bar);
    assert_threads_agree(machine_parallelogram);
}

static void both_methods_and_both_frames_agree(void **unused) {
    (void)unused;
    RbvModel *model = machine_read(machine_four_bar);
    RbvSystem *system = machine_compile(model);
    RbvOptions options = rbv_options_default;
    RbvResult *a = NULL, *b = NULL, *ground = NULL;
    assert_int_equal(rbv_inverse(system, &options, NULL, &a), RBV_OK);
    options.inverse.method = RBV_METHOD_LAGRANGE;
    assert_int_equal(rbv_inverse(system, &options, NULL, &b), RBV_OK);
    options.reactions.frame = RBV_FRAME_GROUND;
    assert_int_equal(rbv_inverse(system, &options, NULL, &ground), RBV_OK);
    int32_t fx = rbv_result_find(a, "A.Fx"), fy = rbv_result_find(a, "A.Fy"), angle = rbv_result_find(a, "crank.angle");
    for (int32_t s = 0; s < rbv_result_counts(a).samples; s++) {
        for (int32_t c = 0; c < rbv_result_counts(a).columns; c++) {
            double x = rbv_result_value(a, s, c);
            assert_near(rbv_result_value(b, s, c), x, 1e-9 * (1 + fabs(x)));
        }
        /* the first marker of A turns with the crank */
        double phi = rbv_result_value(a, s, angle), x = rbv_result_value(a, s, fx), y = rbv_result_value(a, s, fy);
        assert_near(rbv_result_value(ground, s, fx), cos(phi) * x - sin(phi) * y, 1e-8);
        assert_near(rbv_result_value(ground, s, fy), sin(phi) * x + cos(phi) * y, 1e-8);
    }
    rbv_result_destroy(a);
    rbv_result_destroy(b);
    rbv_result_destroy(ground);
    rbv_system_destroy(system);
    rbv_model_destroy(model);
}

/* A column of length 2 on a coil c = 10 under a dead load P, built in C for each P; *context counts. */
static RbvStatus column_at(void *context, double P, RbvDiagnostics *diagnostics, RbvModel **out) {
    RbvModel *model = rbv_model_create(RBV_PLANAR, "column");
    const double tip[3] = {0, 2, 0};
    RbvBodyDef bar = rbv_body_def_default;
    bar.name = "bar";
    bar.mass = 1;
    bar.inertia[2] = 0.5;
    bar.centroid[1] = 1;
    RbvJointDef foot = rbv_joint_def_default;
    foot.name = "foot";
    foot.type = "revolute";
    foot.between[0] = "ground";
    foot.between[1] = "bar";
    RbvLoadDef coil = rbv_load_def_default, push = rbv_load_def_default;
    coil.name = "coil";
    coil.type = "torsion-spring";
    coil.joint = "foot";
    coil.stiffness[0] = 10;
    push.name = "push";
    push.type = "force";
    push.to = "bar.tip";
    push.value[0] = "0";
    push.value[1] = "-P";
    ++*(int *)context;
    *out = model;
    RbvStatus status = rbv_model_add_parameter(model, "P", P, NULL, diagnostics);
    if (status == RBV_OK)
        status = rbv_model_add_body(model, &bar, diagnostics);
    if (status == RBV_OK)
        status = rbv_model_add_marker(model, "bar", "tip", tip, 0, diagnostics);
    if (status == RBV_OK)
        status = rbv_model_add_joint(model, &foot, diagnostics);
    if (status == RBV_OK)
        status = rbv_model_add_load(model, &coil, diagnostics);
    return status == RBV_OK ? rbv_model_add_load(model, &push, diagnostics) : status;
}

static void a_family_built_in_c_is_followed_through_its_bifurcation(void **unused) {
    (void)unused;
    int models = 0;
    RbvFamily family = {.parameter = "P", .unit = "N", .from = 0, .to = 8, .at = column_at, .context = &models};
    RbvResult *result = NULL;
    assert_int_equal(rbv_statics_follow(NULL, NULL, NULL, &result), RBV_BAD_ARGUMENT);
    assert_int_equal(rbv_statics_follow(&family, NULL, NULL, NULL), RBV_BAD_ARGUMENT);
    assert_int_equal(rbv_statics_follow(&family, NULL, NULL, &result), RBV_OK);
    assert_true(models > rbv_result_counts(result).samples);
    assert_string_equal(rbv_result_column(result, 0).name, "P");
    assert_string_equal(rbv_result_column(result, 0).unit, "N");
    assert_int_equal(rbv_result_counts(result).path_events, 1);
    RbvPathEvent event = rbv_result_path_event(result, 0);
    assert_string_equal(event.kind, "bifurcation");
    assert_string_equal(event.moves, "foot.angle");
    assert_string_equal(event.before, "stable");
    assert_string_equal(event.after, "unstable");
    assert_near(event.at, 5, 1e-9); /* c/L */
    assert_near(rbv_result_value(result, event.sample, 0), event.at, 0);
    assert_null(rbv_result_path_event(result, 1).kind);
    assert_null(rbv_result_path_event(NULL, 0).kind);
    RbvEquilibriumSummary rest = rbv_result_equilibrium(result);
    assert_true(rest.found);
    assert_string_equal(rest.stability, "stable");
    assert_near(rest.curvature, 10 / 1.5, 1e-12); /* c/(J + m h^2) */
    assert_near(rest.energy, 0, 1e-15);
    rbv_result_destroy(result);
    assert_false(rbv_result_equilibrium(NULL).found);
}

static void a_family_that_fails_half_way_keeps_its_places(void **unused) {
    (void)unused;
    static const char text[] = "roberval: 1\nspace: planar\ngravity: [0, -9.81]\nparameters: {L: 1}\nbodies:\n  "
                               "ground: {}\n  bob: {particle: true, mass: 1, pose: {at: [0, -1]}}\n"
                               "joints: {string: {type: link, between: [ground, bob], length: L}}\n";
    char path[] = "/tmp/rbv-family-XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0 && write(file, text, sizeof text - 1) == (ssize_t)(sizeof text - 1));
    close(file);
    RbvFamily *family = NULL;
    RbvResult *result = NULL;
    RbvDiagnostics *diagnostics = rbv_diagnostics_create();
    assert_int_equal(rbv_family_read(&(RbvInput){.path = path}, "M=1..2", diagnostics, &family), RBV_BAD_INPUT);
    assert_null(family);
    assert_says(diagnostics, "no such parameter; it has: L");
    assert_int_equal(rbv_family_read(&(RbvInput){.path = path}, "L=1..-0.5", diagnostics, &family), RBV_OK);
    assert_int_equal(rbv_statics_follow(family, NULL, diagnostics, &result), RBV_NO_EQUILIBRIUM);
    assert_says(diagnostics, "a length must be positive");
    assert_says(diagnostics, "the path ends at L = ");
    assert_non_null(result);
    int32_t last = rbv_result_counts(result).samples - 1;
    assert_true(last > 10);
    for (int32_t k = 0; k <= last; k++)
        assert_near(rbv_result_value(result, k, rbv_result_find(result, "bob.y")), -rbv_result_value(result, k, 0),
                    1e-12);
    rbv_result_destroy(result);
    rbv_family_destroy(family);
    rbv_family_destroy(NULL);
    rbv_diagnostics_destroy(diagnostics);
    remove(path);
}

/* The share of a component in a combination. */
static double share_of(const RbvMode *mode, const char *name) {
    for (int32_t k = 0; k < mode->count; k++)
        if (strcmp(mode->shares[k].name, name) == 0)
            return mode->shares[k].share;
    return 0;
}

/* Two choices among equally right reactions differ by the self-stress alone; what is called a determined sum does not
 * differ; what is not unique stands in a cluster. */
static void self_stress_is_what_two_choices_differ_by(void **unused) {
    (void)unused;
    RbvModel *model = machine_read(machine_parallelogram);
    RbvSystem *system = machine_compile(model);
    RbvOptions options = rbv_options_default;
    static const char *const eliminated[] = {"O2.Fx"};
    RbvResult *least = NULL, *other = NULL;
    assert_int_equal(rbv_inverse(system, &options, NULL, &least), RBV_OK);
    options.reactions.redundant = RBV_REDUNDANT_ELIMINATE;
    options.reactions.eliminated = eliminated;
    options.reactions.eliminated_count = 1;
    assert_int_equal(rbv_inverse(system, &options, NULL, &other), RBV_OK);
    assert_int_equal(rbv_result_counts(least).self_stresses, 1);
    const RbvMode *mode = rbv_result_self_stress(least, 0);
    const RbvCluster *cluster = rbv_result_cluster(least, 0);
    assert_int_equal(rbv_result_counts(least).clusters, 1);
    assert_int_equal(cluster->degree, 1);
    double amount = -rbv_result_value(least, 0, rbv_result_find(least, "O2.Fx")) / share_of(mode, "O2.Fx"), largest = 0;
    for (int32_t c = 1; c < rbv_result_counts(least).columns; c++) {
        const char *name = rbv_result_column(least, c).name;
        double change = rbv_result_value(other, 0, c) - rbv_result_value(least, 0, c), share = share_of(mode, name);
        bool named = false;
        assert_near(change, amount * share, 1e-10);
        largest = fmax(largest, fabs(share));
        for (int32_t k = 0; k < cluster->count; k++)
            named = named || strcmp(cluster->names[k], name) == 0;
        assert_int_equal(named, rbv_result_column(least, c).verdict == RBV_NOT_UNIQUE);
    }
    assert_near(largest, 1, 1e-12);
    for (int32_t k = 0; k < rbv_result_counts(least).sums; k++) {
        const RbvMode *sum = rbv_result_sum(least, k);
        double change = 0;
        for (int32_t n = 0; n < sum->count; n++) {
            int32_t c = rbv_result_find(least, sum->shares[n].name);
            change += sum->shares[n].share * (rbv_result_value(other, 0, c) - rbv_result_value(least, 0, c));
        }
        assert_near(change, 0, 1e-10);
    }
    assert_true(cluster->free_count > 0 && cluster->free[0].count > 0 && cluster->measure_count > 0);
    assert_non_null(rbv_result_remedy(least));
    assert_null(rbv_result_self_stress(least, 1));
    assert_null(rbv_result_self_stress(least, -1));
    assert_null(rbv_result_cluster(least, 1));
    assert_null(rbv_result_sum(NULL, 0));
    assert_null(rbv_result_remedy(NULL));
    rbv_result_destroy(least);
    rbv_result_destroy(other);
    rbv_system_destroy(system);
    rbv_model_destroy(model);
}

static const char *spell_redundant(const char *option) {
    return strcmp(option, "reactions.eliminated") == 0 ? "--redundant eliminate" : NULL;
}

/* True if the page of tables has the words. */
static bool page_has(const RbvResult *result, const char *words) {
    RbvView view = rbv_view_default;
    char *page = rbv_result_text(result, RBV_TEXT_TABLES, &view);
    bool has = page && strstr(page, words);
    free(page);
    return has;
}

/* Messages and pages name options as the caller's list spells them; without a speller by the fields of RbvOptions. */
static void options_are_named_by_their_fields(void **unused) {
    (void)unused;
    RbvModel *model = machine_read(machine_parallelogram);
    RbvSystem *system = machine_compile(model);
    RbvOptions options = rbv_options_default;
    static const char *const none[] = {"nowhere.Fx"}, *const one[] = {"O2.Fx"};
    options.reactions.redundant = RBV_REDUNDANT_ELIMINATE;
    options.reactions.eliminated_count = 1;
    for (int spelt = 0; spelt < 2; spelt++) {
        RbvDiagnostics *diagnostics = rbv_diagnostics_create();
        RbvResult *result = NULL;
        rbv_diagnostics_spell(diagnostics, spelt ? spell_redundant : NULL);
        options.reactions.eliminated = none;
        assert_int_equal(rbv_inverse(system, &options, diagnostics, &result), RBV_BAD_INPUT);
        assert_says(diagnostics, spelt ? "--redundant eliminate: there is no joint 'nowhere'"
                                       : "reactions.eliminated: there is no joint 'nowhere'");
        options.reactions.eliminated = one;
        assert_int_equal(rbv_inverse(system, &options, diagnostics, &result), RBV_OK);
        assert_true(page_has(result, spelt ? ", those named in --redundant eliminate= taken"
                                           : ", those named in reactions.eliminated= taken"));
        rbv_result_destroy(result);
        rbv_diagnostics_destroy(diagnostics);
    }
    rbv_system_destroy(system);
    rbv_model_destroy(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_model_built_in_c_gives_the_closed_form),
        cmocka_unit_test(nothing_is_a_bad_argument),
        cmocka_unit_test(choices_that_there_are_not_are_refused),
        cmocka_unit_test(missing_strings_are_mistakes_not_crashes),
        cmocka_unit_test(constraints_that_do_work_are_added_from_c),
        cmocka_unit_test(mistakes_in_c_are_explained_without_a_position),
        cmocka_unit_test(an_empty_model_does_not_compile),
        cmocka_unit_test(default_definitions_leave_open_what_must_be_given),
        cmocka_unit_test(result_accessors_answer_out_of_range),
        cmocka_unit_test(statuses_and_diagnostics_always_have_words),
        cmocka_unit_test(a_motion_built_in_c_is_compared_with_its_forces),
        cmocka_unit_test(options_override_the_motion),
        cmocka_unit_test(without_a_motion_an_analysis_over_time_says_so),
        cmocka_unit_test(progress_can_interrupt_and_samples_are_kept),
        cmocka_unit_test(null_diagnostics_swallow_messages),
        cmocka_unit_test(views_choose_and_the_contents_are_told),
        cmocka_unit_test(notes_reach_results_without_a_listener),
        cmocka_unit_test(threads_that_share_a_system_get_the_same_numbers),
        cmocka_unit_test(both_methods_and_both_frames_agree),
        cmocka_unit_test(a_family_built_in_c_is_followed_through_its_bifurcation),
        cmocka_unit_test(a_family_that_fails_half_way_keeps_its_places),
        cmocka_unit_test(self_stress_is_what_two_choices_differ_by),
        cmocka_unit_test(options_are_named_by_their_fields),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
