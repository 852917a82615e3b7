/* Recorded motions whose rows come from the caller: the numbers of a drive's own motion, what the function says, what
 * is wrong. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/machines.h"

#include <math.h>

/* Rows of the motor of the four-bar, 1 + 2 pi t, from 0 by 0.01 s. */
typedef struct Rows {
    int32_t asked, count;
    int32_t breaks_at; /* row that fails */
    RbvStatus breaks;
    int32_t signals; /* so often a signal comes before a row */
    double still_at; /* the time does not grow beyond */
    double bad;      /* what is added to values */
} Rows;

static RbvStatus next_row(void *context, double *t, double (*drives)[3], bool *more, RbvDiagnostics *diagnostics) {
    Rows *rows = context;
    (void)diagnostics;
    if (rows->signals-- > 0)
        return RBV_INTERRUPTED;
    if (rows->breaks != RBV_OK && rows->asked == rows->breaks_at)
        return rows->breaks;
    *more = rows->asked < rows->count;
    *t = fmin(0.01 * rows->asked++, rows->still_at);
    const double turn = 2 * 3.14159265358979323846;
    drives[0][0] = 1 + turn * *t + rows->bad;
    drives[0][1] = turn;
    drives[0][2] = 0;
    return RBV_OK;
}

static double half(void *context) {
    const Rows *rows = context;
    return (double)rows->asked / rows->count;
}

typedef struct Machine {
    RbvModel *model;
    RbvSystem *system;
    RbvDiagnostics *diagnostics;
    RbvResult *result;
} Machine;

static bool all_given[1][2] = {{true, true}};

static Machine machine(void) {
    Machine m = {.model = machine_read(machine_four_bar), .diagnostics = rbv_diagnostics_create()};
    m.system = machine_compile(m.model);
    return m;
}

static RbvStatus follow(Machine *m, Rows *rows, RbvOptions options) {
    const RbvRecording recording = {.name = "rows",
                                    .drive_count = 1,
                                    .given = (const bool(*)[2])all_given,
                                    .context = rows,
                                    .next = next_row,
                                    .share = half};
    options.recording = &recording;
    rbv_result_destroy(m->result);
    m->result = NULL;
    return rbv_inverse(m->system, &options, m->diagnostics, &m->result);
}

static void drop(Machine *m) {
    rbv_result_destroy(m->result);
    rbv_diagnostics_destroy(m->diagnostics);
    rbv_system_destroy(m->system);
    rbv_model_destroy(m->model);
}

static Rows some(int32_t count) {
    return (Rows){.count = count, .still_at = INFINITY};
}

static void rows_give_the_numbers_of_the_drive(void **unused) {
    (void)unused;
    Machine m = machine();
    RbvResult *own = NULL;
    Rows rows = some(101);
    assert_int_equal(rbv_inverse(m.system, NULL, NULL, &own), RBV_OK);
    assert_int_equal(follow(&m, &rows, rbv_options_default), RBV_OK);
    assert_int_equal(rbv_result_counts(m.result).samples, 101);
    assert_int_equal(rbv_result_counts(m.result).columns, rbv_result_counts(own).columns);
    for (int32_t c = 0; c < rbv_result_counts(own).columns; c++)
        for (int32_t k = 0; k <= 100; k++)
            assert_near(rbv_result_value(m.result, k, c), rbv_result_value(own, k, c), 1e-11);
    rbv_result_destroy(own);
    drop(&m);
}

/* A signal that does not stop the analysis: the function is asked again; one that does ends it with what was done. */
static bool stops_at_half(void *context, double share) {
    (void)context;
    return share < 0.5;
}

static void signals_and_progress(void **unused) {
    (void)unused;
    Machine m = machine();
    Rows rows = some(101);
    rows.signals = 5;
    assert_int_equal(follow(&m, &rows, rbv_options_default), RBV_OK);
    assert_int_equal(rbv_result_counts(m.result).samples, 101);
    RbvOptions options = rbv_options_default;
    options.progress = stops_at_half;
    rows = some(100);
    assert_int_equal(follow(&m, &rows, options), RBV_INTERRUPTED);
    assert_in_range(rbv_result_counts(m.result).samples, 40, 60);
    drop(&m);
}

static void what_is_wrong_with_rows(void **unused) {
    (void)unused;
    Machine m = machine();
    Rows rows = some(101);
    rows.breaks = RBV_NOT_FINITE;
    rows.breaks_at = 50;
    assert_int_equal(follow(&m, &rows, rbv_options_default),
                     RBV_NOT_FINITE); /* the function's own status, after the rows before */
    assert_int_equal(rbv_result_counts(m.result).samples, 50);
    rows = some(101);
    rows.still_at = 0.305;
    assert_int_equal(follow(&m, &rows, rbv_options_default), RBV_BAD_INPUT);
    assert_int_equal(rbv_result_counts(m.result).samples, 32);
    assert_true(machine_says(m.diagnostics, RBV_ERROR, "time must grow from row to row: 0.305 s comes after 0.305 s"));
    rows = some(101);
    rows.bad = NAN;
    assert_int_equal(follow(&m, &rows, rbv_options_default), RBV_BAD_INPUT);
    assert_null(m.result);
    assert_true(machine_says(m.diagnostics, RBV_ERROR, "at t = 0 s 'O.angle' is not finite"));
    rows = some(0);
    assert_int_equal(follow(&m, &rows, rbv_options_default), RBV_BAD_INPUT);
    assert_true(machine_says(m.diagnostics, RBV_ERROR, "there is no row of numbers"));
    RbvOptions options = rbv_options_default;
    const RbvRecording other = {
        .name = "rows", .drive_count = 2, .given = (const bool(*)[2])all_given, .context = &rows, .next = next_row};
    options.recording = &other;
    assert_int_equal(rbv_kinematics(m.system, &options, m.diagnostics, &m.result), RBV_BAD_INPUT);
    assert_true(machine_says(m.diagnostics, RBV_ERROR, "the recording is not of the drives of this model"));
    drop(&m);
}

static void arguments(void **unused) {
    (void)unused;
    Machine m = machine();
    RbvRecording *recording;
    assert_int_equal(rbv_recording_open(NULL, "f", NULL, &recording), RBV_BAD_ARGUMENT);
    assert_int_equal(rbv_recording_open(m.model, "f", NULL, NULL), RBV_BAD_ARGUMENT);
    assert_int_equal(rbv_recording_open(m.model, "/nowhere/f.csv", m.diagnostics, &recording), RBV_BAD_INPUT);
    assert_null(recording);
    assert_true(machine_says(m.diagnostics, RBV_ERROR, "/nowhere/f.csv cannot be read"));
    rbv_recording_destroy(NULL);
    drop(&m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_give_the_numbers_of_the_drive),
        cmocka_unit_test(signals_and_progress),
        cmocka_unit_test(what_is_wrong_with_rows),
        cmocka_unit_test(arguments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
