/* Rows of a table like series.csv: a header with names and units, then numbers, separated by commas; empty cells are
 * NaN. */
#ifndef RBV_READ_SERIES_ROWS_H
#define RBV_READ_SERIES_ROWS_H

#include <roberval/result.h>

#include "base/arena.h"

#include <stdio.h>

typedef struct RbvSeriesRows {
    RbvArena *arena;  /* the caller's, like what follows: where the header is kept */
    const char *from; /* the file, for messages */
    RbvDiagnostics *diagnostics;
    int32_t line; /* of the file, for messages */
    int32_t count;
    const char **names; /* [count] the first is "time" */
    double *factors;    /* [count] SI; NaN: a unit that is not known */
} RbvSeriesRows;

/* Each line of the file that is not empty, the header first (rows->names is still NULL), until `take` is not OK, which
 * is then returned; rows->line counts. BAD_INPUT (said): it cannot be read; NO_MEMORY. */
RbvStatus rbv_series_rows_each(RbvSeriesRows *rows, FILE *file, RbvStatus (*take)(void *context, const char *line),
                               void *context);
/* Names and units of a header line. BAD_INPUT (said): its first column is no time; NO_MEMORY. */
RbvStatus rbv_series_rows_head(RbvSeriesRows *rows, const char *line);
/* The time [s] that begins a line. BAD_INPUT: said. */
RbvStatus rbv_series_rows_time(const RbvSeriesRows *rows, const char *line, double *t);
/* All cells of a line: values[count]. BAD_INPUT: said. */
RbvStatus rbv_series_rows_read(const RbvSeriesRows *rows, const char *line, double *values);

#endif
