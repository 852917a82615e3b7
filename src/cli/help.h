/* The pages of help. */
#ifndef RBV_CLI_HELP_H
#define RBV_CLI_HELP_H

#include "cli/call.h"

/* Print the list of commands to standard output; returns the exit status. */
int print_overview(const Command *commands);
/* Print the description of a command, its options and an example to standard output; returns the exit status. */
int print_page(const Command *command);
/* Report an unknown command `name`, with the nearest known command; returns the exit status. */
int say_no_command(const Command *commands, const char *name);

#endif
