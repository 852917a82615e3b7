/* Studies from calls against the file that says the same, against closed forms, and what they refuse. */
#define _GNU_SOURCE
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include <roberval/roberval.h>

static char folder[] = "/tmp/rbv-study-XXXXXX";

/* A mass m at the distance L from a hinge that is held level: the effort is m g L. */
static const char lever[] =
    "roberval: 1\nspace: planar\ngravity: [0, -10 m/s^2]\nparameters: {m: 2 kg, L: 0.5 m}\n"
    "bodies: {arm: {mass: m, inertia: 0.1, centroid: [L, 0]}}\n"
    "joints: {hinge: {type: revolute, between: [ground, arm]}}\n"
    "drives: {hold: {coordinate: hinge.angle, motion: \"0\"}}\nmotion: {from: 0, to: 0, step: 1}\n";

static const char *in_folder(const char *name) {
    static char path[100];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static int set_up(void **state) {
    (void)state;
    if (!mkdtemp(folder))
        return 1;
    FILE *model = fopen(in_folder("lever.yaml"), "w");
    return !model || fputs(lever, model) < 0 || fclose(model) != 0;
}

static int tear_down(void **state) {
    (void)state;
    return unlink(in_folder("lever.yaml")) != 0 || rmdir(folder) != 0;
}

static RbvStudy *read_definition(const RbvStudyDefinition *definition) {
    RbvDiagnostics *diagnostics = rbv_diagnostics_create();
    RbvStudyInput input = {.path = in_folder("calls"), .definition = definition, .options = rbv_options_default};
    RbvStudy *study = NULL;
    rbv_study_read(&input, diagnostics, &study);
    for (int32_t k = 0; !study && k < rbv_diagnostics_count(diagnostics); k++)
        print_message("%s\n", rbv_diagnostics_at(diagnostics, k).message);
    rbv_diagnostics_destroy(diagnostics);
    assert_non_null(study);
    return study;
}

typedef struct Table {
    int32_t rows, unique;
    double parameters[100][4], values[100];
} Table;

static RbvStatus take_row(void *context, const RbvStudyRow *row) {
    Table *table = context;
    assert_int_equal(row->status, RBV_OK);
    table->rows++;
    table->unique += row->verdicts[0] == RBV_UNIQUE;
    memcpy(table->parameters[row->variant - 1], row->parameters, 2 * sizeof(double));
    table->values[row->variant - 1] = row->values[0];
    return RBV_OK;
}

static Table run(const RbvStudyDefinition *definition) {
    Table table = {0};
    RbvStudy *study = read_definition(definition);
    RbvDiagnostics *diagnostics = rbv_diagnostics_create();
    assert_int_equal(rbv_study_run(study, &(RbvStudyRun){.row = take_row, .context = &table}, diagnostics), RBV_OK);
    assert_int_equal(table.rows, rbv_study_counts(study).variants);
    rbv_diagnostics_destroy(diagnostics);
    rbv_study_destroy(study);
    return table;
}

static RbvStudyDefinition *begin(void) {
    RbvStudyDefinition *definition = rbv_study_definition_create("lever.yaml", "inverse");
    assert_non_null(definition);
    assert_int_equal(rbv_study_add_quantity(definition, "effort", "max(hold.effort)", "<= 12 N.m"), RBV_OK);
    return definition;
}

static void grid(void **state) {
    (void)state;
    RbvStudyDefinition *definition = begin();
    const double masses[] = {1, 2, 4};
    assert_int_equal(rbv_study_add_parameter(
                         definition, &(RbvVaryDef){.parameter = "m", .unit = "kg", .count = 3, .values = masses}),
                     RBV_OK);
    assert_int_equal(
        rbv_study_add_parameter(
            definition,
            &(RbvVaryDef){.parameter = "L", .unit = "mm", .from = 100, .to = 400, .steps = 3, .logarithms = true}),
        RBV_OK);
    Table table = run(definition);
    assert_int_equal(table.rows, 9);
    assert_int_equal(table.unique, 9);
    for (int k = 0; k < 9; k++) {
        double m = masses[k / 3], length = 100 * pow(2, k % 3);
        assert_true(table.parameters[k][0] == m && fabs(table.parameters[k][1] - length) < 1e-10);
        assert_true(fabs(table.values[k] - 10 * m * length * 1e-3) < 1e-9);
    }
    rbv_study_definition_destroy(definition);
}

static void moves_along(void **state) {
    (void)state;
    RbvStudyDefinition *definition = begin();
    const double masses[] = {1, 2, 4}, lengths[] = {0.8, 0.4, 0.2};
    assert_int_equal(rbv_study_add_parameter(
                         definition, &(RbvVaryDef){.parameter = "m", .unit = "kg", .count = 3, .values = masses}),
                     RBV_OK);
    assert_int_equal(
        rbv_study_add_parameter(
            definition, &(RbvVaryDef){.parameter = "L", .unit = "m", .with = "m", .count = 3, .values = lengths}),
        RBV_OK);
    Table table = run(definition);
    assert_int_equal(table.rows, 3);
    for (int k = 0; k < 3; k++)
        assert_true(fabs(table.values[k] - 8) < 1e-9); /* m L is the same */
    rbv_study_definition_destroy(definition);
}

/* Random designs: the same study as a file has the same fingerprint, and the same values to the last bit. */
static void random_design(void **state) {
    (void)state;
    RbvStudyDefinition *definition = begin();
    assert_int_equal(
        rbv_study_add_parameter(
            definition, &(RbvVaryDef){.parameter = "m", .unit = "kg", .chance = RBV_STUDY_NORMAL, .numbers = {2, 0.1}}),
        RBV_OK);
    assert_int_equal(
        rbv_study_add_parameter(
            definition,
            &(RbvVaryDef){.parameter = "L", .unit = "mm", .chance = RBV_STUDY_TRIANGLE, .numbers = {400, 450, 600}}),
        RBV_OK);
    assert_int_equal(rbv_study_add_correlation(definition, "m", "L", 0.9), RBV_OK);
    assert_int_equal(rbv_study_set_design(definition, "monte-carlo", 60, 7), RBV_OK);
    assert_int_equal(rbv_study_set_keep(definition, "none"), RBV_OK);
    Table table = run(definition);
    assert_int_equal(table.rows, 60);
    for (int k = 0; k < 60; k++)
        assert_true(fabs(table.values[k] - 10 * table.parameters[k][0] * table.parameters[k][1] * 1e-3) < 1e-9);
    static const char file[] = "study: 1\nmodel: lever.yaml\nanalysis: inverse\ndesign: monte-carlo\nsamples: 60\n"
                               "seed: 7\nvary: {m: {normal: [2 kg, 0.1 kg]}, L: {triangle: [400 mm, 450 mm, 600 mm]}}\n"
                               "correlate: {[m, L]: 0.9}\ncollect: {effort: max(hold.effort)}\n";
    RbvDiagnostics *diagnostics = rbv_diagnostics_create();
    RbvStudyInput input = {
        .path = in_folder("file"), .text = file, .length = strlen(file), .options = rbv_options_default};
    RbvStudy *study;
    assert_int_equal(rbv_study_read(&input, diagnostics, &study), RBV_OK);
    for (int k = 0; k < 60; k++) {
        double values[2];
        assert_true(rbv_study_values(study, k + 1, values));
        assert_memory_equal(values, table.parameters[k], sizeof values);
    }
    rbv_study_destroy(study);
    rbv_diagnostics_destroy(diagnostics);
    rbv_study_definition_destroy(definition);
}

static void refusals(void **state) {
    (void)state;
    RbvStudyDefinition *definition = rbv_study_definition_create("lever.yaml", "inverse");
    const double values[] = {1, NAN};
    assert_null(rbv_study_definition_create(NULL, "inverse"));
    assert_int_equal(rbv_study_add_parameter(definition, &(RbvVaryDef){.count = 1, .values = values}),
                     RBV_BAD_ARGUMENT);
    assert_int_equal(rbv_study_add_parameter(definition, &(RbvVaryDef){.parameter = "m", .count = 2, .values = values}),
                     RBV_BAD_ARGUMENT);
    assert_int_equal(rbv_study_add_parameter(definition, &(RbvVaryDef){.parameter = "m", .chance = RBV_STUDY_TABLE}),
                     RBV_BAD_ARGUMENT);
    assert_int_equal(rbv_study_add_quantity(definition, "effort", NULL, NULL), RBV_BAD_ARGUMENT);
    assert_int_equal(rbv_study_add_correlation(definition, "m", "L", INFINITY), RBV_BAD_ARGUMENT);
    assert_int_equal(rbv_study_set_design(definition, NULL, 1, 1), RBV_BAD_ARGUMENT);
    /* what is wrong in what it says is found when it is read, all at once */
    assert_int_equal(
        rbv_study_add_parameter(definition, &(RbvVaryDef){.parameter = "mass", .count = 1, .values = values}), RBV_OK);
    assert_int_equal(rbv_study_add_quantity(definition, "a \"name\"", "max(hold.effort)", "<= 1 kg"), RBV_OK);
    RbvDiagnostics *diagnostics = rbv_diagnostics_create();
    RbvStudyInput input = {.path = in_folder("calls"), .definition = definition, .options = rbv_options_default};
    RbvStudy *study;
    assert_int_equal(rbv_study_read(&input, diagnostics, &study), RBV_BAD_INPUT);
    assert_null(study);
    assert_true(rbv_diagnostics_count(diagnostics) >= 2);
    rbv_diagnostics_destroy(diagnostics);
    rbv_study_definition_destroy(definition);
    rbv_study_definition_destroy(NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(grid), cmocka_unit_test(moves_along),
                                       cmocka_unit_test(random_design), cmocka_unit_test(refusals)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
