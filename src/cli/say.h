/* What the program says: results on standard output, mistakes and notes on standard error. */
#ifndef RBV_CLI_SAY_H
#define RBV_CLI_SAY_H

#include <roberval/base.h>

/* Diagnostics to stderr as a compiler does; with `quiet` errors alone. */
void print_diagnostics(const RbvDiagnostics *diagnostics, bool quiet);
/* "roberval: error: ..." on a line of stderr. Returns false. */
bool wrong(const char *format, ...) RBV_PRINTF(1, 2);
/* "roberval: note: ..." likewise. */
void say_note(const char *format, ...) RBV_PRINTF(1, 2);
int exit_of(RbvStatus status);
/* The same, with a word on stderr where diagnostics have none. */
int say_status(RbvStatus status);
/* The same once all diagnostics are printed: nothing fails without a word. */
int say_end(RbvStatus status);
/* Text to stdout, behind what was printed there; the exit status, 1 when it cannot be written. */
int print_out(const char *text);
/* What printing there has come to, with a word where it failed. */
int say_printed(RbvStatus status);
/* The same of a text that is freed; NULL: there was no memory for it. */
int print_taken(char *text);

/* The same of a page for people, as a terminal may be given it. */
int print_tables(char *text);

#endif
