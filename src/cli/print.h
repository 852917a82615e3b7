/* What the program prints: results to standard output, errors and notes to standard error; the width of the page. */
#ifndef RBV_CLI_PRINT_H
#define RBV_CLI_PRINT_H

#include <roberval/base.h>
#include <stddef.h>

/* Print diagnostics to stderr in the format of compilers; with `quiet` errors only. */
void print_diagnostics(const RbvDiagnostics *diagnostics, bool quiet);
/* Print "roberval: error: ..." as one line to stderr. Returns false. */
bool wrong(const char *format, ...) RBV_PRINTF(1, 2);
/* From now on the words of wrong() go to text[size], and nothing is printed; NULL: they are printed again. */
void capture_wrong(char *text, size_t size);
/* Print "roberval: note: ..." as one line to stderr. */
void report_note(const char *format, ...) RBV_PRINTF(1, 2);
/* Exit status of a status; nothing is printed. */
int exit_of(RbvStatus status);
/* Exit status of `status`; statuses without diagnostics (out of memory, bad argument) are reported on stderr. */
int report_status(RbvStatus status);
/* Exit status of `status` after all diagnostics are printed; a failure without any reported error is reported here. */
int report_end(RbvStatus status);
/* Print text to stdout; returns the exit status, 1 if stdout cannot be written. */
int print_out(const char *text);
/* Exit status of printing to stdout; a failure is reported on stderr. */
int report_printed(RbvStatus status);
/* Print text as print_out and free it; NULL: out of memory, reported. */
int print_taken(char *text);

/* An empty list of messages that writes options as the command line has them; NULL: out of memory. */
RbvDiagnostics *create_messages(void);

/* Print a page of tables, made safe for a terminal, and free it; NULL: out of memory, reported. */
int print_tables(char *text);

/* Columns of standard output: of COLUMNS, else of the terminal, else 100. *known (may be NULL): false for the default
 * of 100. */
int page_width(bool *known);

#endif
