/* One line of separated text at a time: its cells, a header, a row of numbers. Lines come from a text (csv.c) or a
 * stream (recording.c). */
#ifndef RBV_READ_CSV_LINE_H
#define RBV_READ_CSV_LINE_H

#include "base/arena.h"
#include "base/units.h"
#include "read/csv.h"

#include <stdbool.h>

/* The line at hand, and what was said so far of all lines. */
typedef struct RbvCsvLine {
    const char *file;
    RbvDiagnostics *diagnostics;
    char *text, *end; /* *end may be written for a moment */
    int32_t number;   /* of the line, from 1 */
    char separator;   /* of the header; '\0' for one column */
    int32_t errors;
    bool stopped; /* no more lines are to be looked at */
    bool no_memory;
} RbvCsvLine;

/* Errors in all; the last one stops. */
enum { RBV_CSV_MOST_ERRORS = 20 };

void rbv_csv_error(RbvCsvLine *line, RbvPosition at, const char *format, ...) RBV_PRINTF(3, 4);
void rbv_csv_no_memory(RbvCsvLine *line);
/* The line and column of a character of the line. */
RbvPosition rbv_csv_position(const RbvCsvLine *line, const char *place);
/* Does the line say nothing: is it blank, or a comment? */
bool rbv_csv_is_empty(const RbvCsvLine *line);
/* The line as a header: its separator, and columns without values, each with a name of its own, in the arena. NULL:
 * they are not known (said); else line->errors tells whether all is well. */
RbvCsvColumn *rbv_csv_read_header(RbvCsvLine *line, RbvArena *arena, int32_t *count);
/* The line as a row of numbers into values[count]. Of columns that are not wanted[count] (NULL: all are) the cells may
 * hold anything. False: something is wrong with it (said). */
bool rbv_csv_read_row(RbvCsvLine *line, int32_t count, const bool *requested, double *values);
/* The unit in a heading, of a dimension that is wanted; ANY: whatever it measures. False: it is none, or of another
 * dimension (said). */
bool rbv_csv_unit(RbvCsvLine *line, const RbvCsvColumn *column, RbvDimension requested, RbvUnit *unit);

#endif
