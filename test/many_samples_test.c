/* Samples that are held in a file instead of memory are the same numbers, to the last bit; and their figures, gathered
 * as they come, are those of the columns. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/linalg/quadrature.h"
#include "model/result/result.h"
#include "model/result/scales.h"
#include "support/machines.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A ball that bounces: steps, events and a series that grows. */
static const char bouncing[] =
    "roberval: 1\nspace: planar\ngravity: [0, -10]\nbodies:\n  ball: {particle: true, mass: 1, pose: {at: [0, 1]}}\n"
    "stops: {floor: {coordinate: y(ball), min: 0, restitution: 0.8}}\njoints: {wall: {type: x, between: [ground, "
    "ball]}}\nmotion: {from: 0, to: 2, step: 0.5 ms}\n";

typedef RbvStatus Analysis(const RbvSystem *, const RbvOptions *, RbvDiagnostics *, RbvResult **);

static RbvResult *run(const RbvSystem *system, Analysis *analysis, const char *folder, bool every_step) {
    RbvOptions options = rbv_options_default;
    options.motion.every_step = every_step;
    options.samples.folder = folder;
    options.samples.memory = 1;
    RbvResult *result = NULL;
    assert_int_equal(analysis(system, &options, NULL, &result), RBV_OK);
    assert_non_null(result);
    return result;
}

static void assert_text(char *a, char *b) {
    assert_non_null(a);
    assert_non_null(b);
    assert_string_equal(a, b);
    free(a);
    free(b);
}

static void assert_alike(const RbvResult *mapped, const RbvResult *held) {
    assert_true(mapped->store.mapped > 0);
    assert_int_equal(held->store.mapped, 0);
    assert_int_equal(rbv_result_counts(mapped).samples, rbv_result_counts(held).samples);
    for (int32_t c = 0; c < rbv_result_counts(held).columns; c++) {
        const RbvResultColumn column = rbv_result_column(mapped, c);
        const double *a = column.values, *b = rbv_result_column(held, c).values;
        int32_t stride = column.stride;
        assert_int_equal(stride, rbv_result_column(held, c).stride);
        for (int32_t k = 0; k < rbv_result_counts(held).samples; k++) {
            assert_memory_equal(&a[(size_t)k * (size_t)stride], &b[(size_t)k * (size_t)stride], sizeof(double));
            double value = rbv_result_value(mapped, k, c);
            assert_memory_equal(&value, &b[(size_t)k * (size_t)stride], sizeof value);
        }
    }
    assert_text(rbv_result_text(mapped, RBV_TEXT_SERIES, NULL), rbv_result_text(held, RBV_TEXT_SERIES, NULL));
    assert_text(rbv_result_text(mapped, RBV_TEXT_JSON, NULL), rbv_result_text(held, RBV_TEXT_JSON, NULL));
    assert_text(rbv_result_text(mapped, RBV_TEXT_TABLES, NULL), rbv_result_text(held, RBV_TEXT_TABLES, NULL));
}

static void compare(const char *text, Analysis *analysis, bool every_step) {
    RbvModel *model = machine_read(text);
    RbvSystem *system = machine_compile(model);
    RbvResult *mapped = run(system, analysis, ".", every_step), *held = run(system, analysis, NULL, every_step),
              *nowhere = run(system, analysis, "/no such folder", every_step);
    assert_alike(mapped, held);
    assert_int_equal(nowhere->store.mapped, 0); /* what cannot be a file stays in memory */
    assert_text(rbv_result_text(nowhere, RBV_TEXT_SERIES, NULL), rbv_result_text(held, RBV_TEXT_SERIES, NULL));
    rbv_result_destroy(mapped);
    rbv_result_destroy(held);
    rbv_result_destroy(nowhere);
    rbv_system_destroy(system);
    rbv_model_destroy(model);
}

static void samples_in_a_file_are_those_in_memory(void **unused) {
    (void)unused;
    compare(bouncing, rbv_simulate, false);
    compare(bouncing, rbv_simulate, true); /* grows */
    compare(machine_four_bar, rbv_inverse, false);
    compare(machine_four_bar, rbv_kinematics, false);
}

/* What two values of a column may differ by and be the same (extremes.c). */
static double same_of(const RbvResult *result, const RbvColumn *column, double peak) {
    RbvScales scales = rbv_scales(result);
    return fmax(1e-9 * peak, 2 * fmax(rbv_scales_rounding_of(&scales, column),
                                      column->has_error && isfinite(column->error) ? column->error : 0));
}

/* The time that is named for the least of column c (sign 1) or the largest (-1) is the first at which it is that, or
 * the same. */
static void assert_named(const RbvResult *result, int32_t c, double at, double extreme, double sign, double same) {
    int32_t row = 0;
    while (row < result->sample_count && !(sign * (rbv_result_row(result, row)[c] - extreme) <= same))
        row++;
    assert_true(row < result->sample_count);
    assert_true(at == rbv_result_row(result, row)[0]);
}

/* Against the columns themselves: first, least, largest, when; the root of mean squares over time by the weights of the
 * samples. */
static void figures_are_those_of_the_columns(void **unused) {
    (void)unused;
    RbvModel *model = machine_read(bouncing);
    RbvSystem *system = machine_compile(model);
    RbvResult *result = run(system, rbv_simulate, ".", true);
    double *weight = malloc(((size_t)result->sample_count + 1) * sizeof *weight);
    double *t = malloc(((size_t)result->sample_count + 1) * sizeof *t), time = 0;
    for (int32_t k = 0; k < result->sample_count; k++)
        t[k] = rbv_result_row(result, k)[0];
    rbv_quadrature_weights(t, result->sample_count, weight);
    for (int32_t k = 0; k < result->sample_count; k++)
        time += weight[k];
    free(t);
    assert_int_equal(result->store.summed, result->sample_count); /* else they would be read again, not gathered */
    for (int32_t c = 0; c < result->column_count + result->hidden_count; c++) {
        RbvSummary s = rbv_result_summary(result, c);
        int32_t least = 0, most = 0;
        double squares = 0, rms;
        for (int32_t k = 0; k < result->sample_count; k++) {
            double value = rbv_result_row(result, k)[c];
            least = value < rbv_result_row(result, least)[c] ? k : least;
            most = value > rbv_result_row(result, most)[c] ? k : most;
            squares += weight[k] * value * value;
        }
        assert_true(s.first == rbv_result_row(result, 0)[c]);
        assert_true(s.min == rbv_result_row(result, least)[c] && s.max == rbv_result_row(result, most)[c]);
        assert_named(result, c, s.at_min, s.min, 1, same_of(result, &result->columns[c], s.peak));
        assert_named(result, c, s.at_max, s.max, -1, same_of(result, &result->columns[c], s.peak));
        assert_true(s.peak == fmax(fabs(s.min), fabs(s.max)));
        assert_true(rbv_result_rms(result, &c, 1, &rms));
        assert_true(fabs(rms * rms * time - squares) <= 1e-11 * (fabs(squares) + 1e-300));
    }
    free(weight);
    rbv_result_destroy(result);
    rbv_system_destroy(system);
    rbv_model_destroy(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(samples_in_a_file_are_those_in_memory),
        cmocka_unit_test(figures_are_those_of_the_columns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
