/* How wide the page is. */
#ifndef RBV_CLI_TERMINAL_H
#define RBV_CLI_TERMINAL_H

#include <stdbool.h>

/* Columns of standard output: what COLUMNS says, else the terminal's, else 100. *known (may be NULL): not the last. */
int page_width(bool *known);

#endif
