/* One line of separated text at a time: its cells, a header, a row of numbers. Lines come from a text (csv.c) or a
 * stream (recording.c). */
#ifndef RBV_MODEL_READ_CSV_LINE_H
#define RBV_MODEL_READ_CSV_LINE_H

#include "core/base/arena.h"
#include "core/base/units.h"
#include "model/read/csv.h"

#include <stdbool.h>

/* The current line, and the error count over all lines. */
typedef struct RbvCsvLine {
    const char *file;
    RbvDiagnostics *diagnostics;
    char *text, *end; /* text from `text` to `end`; *end may be overwritten temporarily */
    int32_t number;   /* of the line, from 1 */
    char separator;   /* of the header; '\0' for one column */
    int32_t errors;
    bool stopped; /* stop reading lines */
    bool no_memory;
} RbvCsvLine;

/* Largest number of errors; the last one stops reading. */
enum { RBV_CSV_MOST_ERRORS = 20 };

void rbv_csv_error(RbvCsvLine *line, RbvPosition at, const char *format, ...) RBV_PRINTF(3, 4);
void rbv_csv_no_memory(RbvCsvLine *line);
/* Line and column of a character of the current line. */
RbvPosition rbv_csv_position(const RbvCsvLine *line, const char *place);
/* Is the line blank or a comment? */
bool rbv_csv_is_empty(const RbvCsvLine *line);
/* Read the line as a header: sets the separator and returns columns without values, with distinct names, in the
 * arena. NULL: no valid columns (reported); else line->errors counts the errors. */
RbvCsvColumn *rbv_csv_read_header(RbvCsvLine *line, RbvArena *arena, int32_t *count);
/* Read the line as a row of numbers into values[count]. Cells of columns that are not requested[count] (NULL: all
 * are) may contain any text. False: an error was reported. */
bool rbv_csv_read_row(RbvCsvLine *line, int32_t count, const bool *requested, double *values);
/* Parse the unit in a column's heading, of the requested dimension (ANY: any). False: no unit, or of another
 * dimension (reported). */
bool rbv_csv_unit(RbvCsvLine *line, const RbvCsvColumn *column, RbvDimension requested, RbvUnit *unit);

#endif
