/* Rows of series; see series_rows.h. */
#define _POSIX_C_SOURCE 200809L
#include "model/read/series_rows.h"

#include "core/base/diagnostics.h"
#include "core/base/units.h"
#include "model/read/series_head.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static RbvStatus wrong(const RbvSeriesRows *rows, const char *text, const char *cell, size_t length) {
    rbv_diagnose(rows->diagnostics, RBV_ERROR, rows->from, (RbvPosition){rows->line, 1}, "'%.*s' %s", (int)length, cell,
                 text);
    return RBV_BAD_INPUT;
}

/* Read a heading "rod.x [m]" or "rod.Fx [N] (not unique)": name, and SI value of the unit. */
static RbvStatus read_head(RbvSeriesRows *rows, const char *cell, size_t length) {
    size_t blank = strspn(cell, " ");
    blank = blank < length ? blank : length;
    RbvSeriesHead head =
        rbv_series_head(cell + blank, length - blank); /* columns with an unknown unit are not part of a state */
    rows->factors[rows->count] = head.is.factor;
    rows->names[rows->count] = rbv_arena_copy(rows->arena, cell + blank, head.name);
    return rows->names[rows->count++] ? RBV_OK : RBV_NO_MEMORY;
}

RbvStatus rbv_series_rows_each(RbvSeriesRows *rows, FILE *file, RbvStatus (*take)(void *context, const char *line),
                               void *context) {
    char *line = NULL;
    size_t room = 0;
    RbvStatus status = RBV_OK;
    errno = 0;
    while (status == RBV_OK && getline(&line, &room, file) >= 0) {
        line[strcspn(line, "\r\n")] = '\0';
        rows->line++;
        if (*line)
            status = take(context, line);
    }
    if (status == RBV_OK && errno == ENOMEM)
        status = RBV_NO_MEMORY;
    if (status == RBV_OK && ferror(file)) {
        rbv_diagnose(rows->diagnostics, RBV_ERROR, rows->from, (RbvPosition){0, 0}, "it cannot be read: %s",
                     strerror(errno));
        status = RBV_BAD_INPUT;
    }
    free(line);
    return status;
}

RbvStatus rbv_series_rows_head(RbvSeriesRows *rows, const char *line) {
    size_t count = 2;
    for (const char *c = line; *c; c++)
        count += *c == ',';
    rows->names = rbv_arena_array(rows->arena, count, sizeof *rows->names);
    rows->factors = rbv_arena_array(rows->arena, count, sizeof *rows->factors);
    RbvStatus status = rows->names && rows->factors ? RBV_OK : RBV_NO_MEMORY;
    for (const char *cell = line; status == RBV_OK && cell;
         cell = cell[strcspn(cell, ",")] ? cell + strcspn(cell, ",") + 1 : NULL)
        status = read_head(rows, cell, strcspn(cell, ","));
    if (status != RBV_OK || strcmp(rows->names[0], "time") == 0)
        return status;
    rbv_diagnose(rows->diagnostics, RBV_ERROR, rows->from, (RbvPosition){rows->line, 1},
                 "the series goes along '%s', not along time: none of its rows is a state at an instant",
                 rows->names[0]);
    return RBV_BAD_INPUT;
}

RbvStatus rbv_series_rows_time(const RbvSeriesRows *rows, const char *line, double *t) {
    size_t blank = strspn(line, " ");
    if (rbv_number_parse(line + blank, t) == 0)
        return wrong(rows, "is no time", line, strcspn(line, ","));
    *t *= rows->factors[0];
    return RBV_OK;
}

RbvStatus rbv_series_rows_read(const RbvSeriesRows *rows, const char *line, double *values) {
    for (int32_t k = 0; k < rows->count; k++) {
        size_t blank = strspn(line, " "), length = strcspn(line, ","), end = length;
        while (end > blank && line[end - 1] == ' ')
            end--;
        values[k] = NAN;
        if (end > blank && rbv_number_parse(line + blank, &values[k]) != end - blank)
            return wrong(rows, "is no number", line, length);
        values[k] *= rows->factors[k];
        line += length;
        if ((*line == ',') != (k + 1 < rows->count))
            return wrong(rows, "ends a row that has not as many cells as the header", line - length, length);
        line += *line == ',';
    }
    return RBV_OK;
}
