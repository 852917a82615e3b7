/* Comma, semicolon or tab separated text: whole, as columns of numbers with a header line; or one line at a time, from
 * a stream (recording.c). */
#ifndef RBV_MODEL_READ_CSV_H
#define RBV_MODEL_READ_CSV_H

#include "core/base/arena.h"
#include "core/base/units.h"

#include <roberval/base.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A column of a header. */
typedef struct RbvCsvColumn {
    const char *name;   /* header text before the bracket, trimmed: "angle" of "angle [deg]" */
    const char *unit;   /* text in the brackets, "" when there is none */
    RbvPosition at;     /* of the header cell */
    double *values;     /* [row_count] */
    const char **texts; /* [row_count] of a column of texts; NULL: numbers */
} RbvCsvColumn;

typedef struct RbvCsv {
    int32_t column_count, row_count;
    RbvCsvColumn *columns;
    int32_t *lines; /* [row_count] line number of each row in the file */
    char *text;     /* storage of the strings above */
} RbvCsv;

/* Parse text[length] (`file` for messages): lines starting with '#' and empty lines are skipped, the first other line
 * is the header, cells may be quoted with '"', CR LF is accepted, a byte order mark is skipped. The separator is the
 * first of tab ; , in the header (a one-column file has none). Every cell must be a finite number with '.' as decimal
 * point. All errors (up to 20) are reported with file:line:column. Returns NULL on any error, with *status BAD_INPUT
 * or NO_MEMORY; else the table, to be destroyed by the caller, with *status OK. */
RbvCsv *rbv_csv_parse(const char *file, const char *text, size_t length, RbvDiagnostics *diagnostics,
                      RbvStatus *status);
/* As rbv_csv_parse; the columns named in the blank-separated list `texts` hold any texts. */
RbvCsv *rbv_csv_parse_texts(const char *file, const char *text, size_t length, const char *texts,
                            RbvDiagnostics *diagnostics, RbvStatus *status);
void rbv_csv_destroy(RbvCsv *csv);

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
