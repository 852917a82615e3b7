/* Writes series.csv and verdicts.csv: the columns of a view, in its units. */
#include "output/write/files.h"

#include "core/base/archive.h"
#include "core/base/text.h"
#include "model/result/result.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

/* Bytes collected before a write: large enough to make the cost of the system call negligible. */
#define SERIES_CHUNK (1u << 16)

bool rbv_write_lines(const char *lines, size_t length, RbvSeriesFile *file) {
    bool good = fwrite(lines, 1, length, file->stream) == length;
    file->sum = rbv_archive_sum(file->sum, lines, length);
    file->length += length;
    return good;
}

/* Writes the text to the file if it is longer than `above` bytes; file NULL: all stays in the text. False: errno has
 * the cause. */
static bool flush_series(RbvText *text, RbvSeriesFile *file, size_t above) {
    if (text->no_memory) {
        errno = ENOMEM;
        return false;
    }
    if (!file || text->length <= above)
        return true;
    bool good = rbv_write_lines(text->data, text->length, file);
    text->length = 0;
    return good;
}

/* Is the column shown? The first one always is. */
static bool is_series_column(const RbvResult *result, const RbvView *view, int32_t c) {
    return c == 0 || rbv_view_shows(view, result->columns[c].name);
}

static void put_header(RbvText *text, const RbvResult *result, const RbvView *view) {
    for (int32_t c = 0; c < result->column_count; c++) {
        const RbvColumn *column = &result->columns[c];
        const char *unit = rbv_series_unit(view, result, c).text;
        if (!is_series_column(result, view, c))
            continue;
        rbv_text_format(text, "%s%s", c ? "," : "", column->name);
        if (*unit)
            rbv_text_format(text, " [%s]", unit);
        if (column->has_verdict && column->verdict != RBV_UNIQUE)
            rbv_text_format(text, " (%s)", rbv_verdict_name(column->verdict));
    }
    rbv_text_add(text, "\n");
}

/* [column_count] SI value of the unit in which each column is shown, 0: not shown. The caller frees it; NULL: out of
 * memory. */
static double *unit_factors(const RbvResult *result, const RbvView *view) {
    double *factor = malloc((size_t)result->column_count * sizeof *factor);
    for (int32_t c = 0; factor && c < result->column_count; c++)
        factor[c] = is_series_column(result, view, c) ? rbv_series_unit(view, result, c).factor : 0;
    return factor;
}

/* Value in another unit, to 15 digits, so that 60 deg written in rad are 60 again. */
static double in_unit(double value, double factor) {
    char digits[40];
    if (factor == 1)
        return value;
    snprintf(digits, sizeof digits, "%.15g", value / factor);
    return strtod(digits, NULL);
}

/* Writes the values of one sample; a value that is not finite is empty. */
static void put_row(RbvText *text, const double *row, int32_t columns, const double *factor) {
    for (int32_t c = 0; c < columns; c++) {
        if (factor[c] == 0)
            continue;
        char *to = c ? rbv_text_reserve(text, 1) : NULL;
        if (to) {
            *to = ',';
            text->length++;
        }
        double value = isfinite(row[c]) ? in_unit(row[c], factor[c]) : (double)NAN;
        if (isfinite(value)) /* the conversion may overflow */
            rbv_text_number(text, value);
    }
    rbv_text_append(text, "\n", 1);
}

/* Writes the samples from number `first` to before `end`. False: errno has the cause. */
static bool put_rows(const RbvResult *result, const RbvView *view, int32_t first, int32_t end, RbvText *text,
                     RbvSeriesFile *file) {
    double *factor = unit_factors(result, view);
    bool good = factor != NULL;
    for (int32_t k = first; good && k < end; k++) {
        put_row(text, rbv_result_row(result, k), result->column_count, factor);
        good = flush_series(text, file, SERIES_CHUNK);
    }
    if (!factor)
        errno = ENOMEM;
    free(factor);
    return good && flush_series(text, file, 0);
}

char *rbv_print_samples(const RbvResult *result, const RbvView *view, size_t *length) {
    RbvText text = {0};
    bool good = put_rows(result, view, 0, result->sample_count, &text, NULL) && !text.no_memory;
    *length = text.length;
    if (!good)
        rbv_text_clear(&text);
    return good ? rbv_text_take(&text) : NULL;
}

char *rbv_series_header(const RbvResult *result, const RbvView *view) {
    RbvText text = {0};
    put_header(&text, result, view);
    return rbv_text_take(&text);
}

bool rbv_write_samples(const RbvResult *result, const RbvView *view, int32_t first, int32_t end, RbvSeriesFile *file) {
    RbvText text = {0};
    if (first == 0)
        put_header(&text, result, view);
    bool good = put_rows(result, view, first, end, &text, file);
    rbv_text_clear(&text);
    return good;
}

bool rbv_write_series(const RbvResult *result, const RbvView *view, FILE *file) {
    return rbv_write_samples(result, view, 0, result->sample_count, &(RbvSeriesFile){.stream = file});
}

char *rbv_series_of_result(const RbvResult *result, const RbvView *given) {
    const RbvView *view = given ? given : &rbv_view_default;
    RbvText text = {0};
    if (!result)
        return NULL;
    put_header(&text, result, view);
    if (!put_rows(result, view, 0, result->sample_count, &text, NULL))
        text.no_memory = true;
    return rbv_text_take(&text);
}

RbvStatus rbv_result_print_series(const RbvResult *result, const RbvView *given, FILE *stream) {
    if (!result || !stream)
        return RBV_BAD_ARGUMENT;
    errno = 0;
    if (rbv_write_series(result, given ? given : &rbv_view_default, stream) && fflush(stream) == 0 && !ferror(stream))
        return RBV_OK;
    return errno == ENOMEM ? RBV_NO_MEMORY : RBV_NOT_WRITABLE;
}

bool rbv_write_verdicts(const RbvResult *result, const RbvView *view, FILE *file) {
    RbvText text = {0};
    RbvShownUnit unit = rbv_series_unit(view, result, 0);
    rbv_text_format(&text, *unit.text ? "%s [%s],component,verdict\n" : "%s,component,verdict\n",
                    result->columns[0].name, unit.text);
    RbvSeriesFile to = {.stream = file};
    bool good = true;
    for (int32_t k = 0; good && k < result->change_count; k++) {
        const RbvVerdictChange *change = &result->changes[k];
        if (!is_series_column(result, view, change->column))
            continue;
        rbv_text_number(&text, in_unit(change->time, unit.factor));
        rbv_text_format(&text, ",%s,%s\n", result->columns[change->column].name, rbv_verdict_name(change->verdict));
        good = flush_series(&text, &to, SERIES_CHUNK);
    }
    good = good && flush_series(&text, &to, 0);
    rbv_text_clear(&text);
    return good;
}
