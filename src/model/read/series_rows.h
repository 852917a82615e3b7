/* Reads rows of a table like series.csv: a header with names and units, then numbers separated by commas; empty cells
 * are NaN. */
#ifndef RBV_MODEL_READ_SERIES_ROWS_H
#define RBV_MODEL_READ_SERIES_ROWS_H

#include <roberval/result.h>

#include "core/base/arena.h"

#include <stdio.h>

typedef struct RbvSeriesRows {
    RbvArena *arena;  /* the caller's arena; holds the header data */
    const char *from; /* the file, for messages */
    RbvDiagnostics *diagnostics;
    int32_t line; /* current line number, for messages */
    int32_t count;
    const char **names; /* [count] names; the first is "time" */
    double *factors;    /* [count] factors to SI; NaN: unknown unit */
} RbvSeriesRows;

/* Call `take` for each non-empty line, the header first (rows->names is then NULL), until `take` returns a status
 * other than OK, which is returned; rows->line is updated. BAD_INPUT (reported): the file cannot be read; NO_MEMORY. */
RbvStatus rbv_series_rows_each(RbvSeriesRows *rows, FILE *file, RbvStatus (*take)(void *context, const char *line),
                               void *context);
/* Read names and units of a header line. BAD_INPUT (reported): the first column is not a time; NO_MEMORY. */
RbvStatus rbv_series_rows_head(RbvSeriesRows *rows, const char *line);
/* Read the time [s] at the start of a line. BAD_INPUT: reported. */
RbvStatus rbv_series_rows_time(const RbvSeriesRows *rows, const char *line, double *t);
/* Read all cells of a line into values[count]. BAD_INPUT: reported. */
RbvStatus rbv_series_rows_read(const RbvSeriesRows *rows, const char *line, double *values);

#endif
