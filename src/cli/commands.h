/* Commands that have a file of their own; each function returns the exit status. */
#ifndef RBV_CLI_COMMANDS_H
#define RBV_CLI_COMMANDS_H

#include "cli/call.h"

/* The analysis of the command on the model of the call (run.c). */
int command_analysis(const Call *call);
int command_report(const Call *call);
int command_init(const Call *call);
int command_help(const Call *call);

/* Print the list of commands to standard output; returns the exit status. */
int print_overview(const Command *commands);
/* Print the description of a command, its options and an example to standard output; returns the exit status. */
int print_page(const Command *command);
/* Report an unknown command `name`, with the nearest known command; returns the exit status. */
int report_no_command(const Command *commands, const char *name);

#endif
