/* The pages of help. */
#ifndef RBV_CLI_HELP_H
#define RBV_CLI_HELP_H

#include "cli/call.h"

/* The list of commands, to standard output; the exit status. */
int print_overview(const Command *commands);
/* What a command does, its options, an example. */
int print_page(const Command *command);
/* There is no command of that name: what was probably meant. The exit status. */
int say_no_command(const Command *commands, const char *name);

#endif
