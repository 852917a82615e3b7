/* Columns of numbers with a header line: comma, semicolon or tab separated text. */
#ifndef RBV_MODEL_READ_CSV_H
#define RBV_MODEL_READ_CSV_H

#include <roberval/base.h>
#include <stddef.h>
#include <stdint.h>

typedef struct RbvCsvColumn {
    const char *name; /* header text before the bracket, trimmed: "angle" of "angle [deg]" */
    const char *unit; /* text in the brackets, "" when there is none */
    RbvPosition at;   /* of the header cell */
    double *values;   /* [row_count] */
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
void rbv_csv_destroy(RbvCsv *csv);

#endif
