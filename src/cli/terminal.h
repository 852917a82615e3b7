/* How wide the page is. */
#ifndef RBV_CLI_TERMINAL_H
#define RBV_CLI_TERMINAL_H

/* Columns of standard output: what COLUMNS says, else the terminal's, else 100. */
int page_width(void);

#endif
