/* Commands that have a file of their own, whose functions return the exit status; what they share. */
#ifndef RBV_CLI_COMMANDS_H
#define RBV_CLI_COMMANDS_H

#include "cli/call.h"

/* The analysis of the command on the model of the call (run.c). */
int command_analysis(const Call *call);
int command_report(const Call *call);
int command_init(const Call *call);
int command_study(const Call *call);
int command_tolerance(const Call *call);
int command_help(const Call *call);

/* Print the list of commands to standard output; returns the exit status. */
int print_overview(const Command *commands);
/* Print the description of a command, its options and an example to standard output; returns the exit status. */
int print_page(const Command *command);
/* Report an unknown command `name`, with the nearest known command; returns the exit status. */
int report_no_command(const Command *commands, const char *name);

/* rbv_model_read (with the questions of --ask), rbv_family_read and rbv_model_to_spatial on the model of the call, from
 * its file or from standard input; errors go to the diagnostics. */
RbvStatus read_model(const Call *call, RbvDiagnostics *diagnostics, RbvModel **model);
RbvStatus read_family(const Call *call, RbvDiagnostics *diagnostics, RbvFamily **family);
RbvStatus read_as_spatial(const Call *call, RbvDiagnostics *diagnostics, char **yaml);

/* Options of the analysis from the call; the result points into the call. */
RbvOptions options_of(const Call *call);

#endif
