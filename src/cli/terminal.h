/* Width of the page. */
#ifndef RBV_CLI_TERMINAL_H
#define RBV_CLI_TERMINAL_H

#include <stdbool.h>

/* Columns of standard output: of COLUMNS, else of the terminal, else 100. *known (may be NULL): false for the default
 * of 100. */
int page_width(bool *known);

#endif
