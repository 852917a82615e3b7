/* The command line: what the commands share. */
#ifndef RBV_CLI_CLI_H
#define RBV_CLI_CLI_H

#include <roberval/roberval.h>

/* Exit statuses of MODEL.md section 9. */
enum { EXIT_DONE = 0, EXIT_ANALYSIS = 1, EXIT_CALL = 2, EXIT_FAULT = 3, EXIT_INTERRUPT = 130 };

typedef struct Call {
    const char *command, *model, *out, *follow;
    const char *overrides[64];
    int override_count;
    bool json, quiet, to_spatial;
    const char *questions[64], *eliminated[64];
    int question_count, eliminated_count;
    char eliminated_text[2048];
    RbvOptions options;
} Call;

/* Fill `call` from the arguments after the command. False: a mistake was said, exit 2. *help: help was asked for. */
bool parse_call(Call *call, int argc, char **argv, bool *help);

int command_analysis(const Call *call); /* check, kinematics, statics, inverse */
int command_convert(const Call *call);
int command_schema(void);

/* Diagnostics to stderr as a compiler does; notes only unless quiet. */
void print_diagnostics(const RbvDiagnostics *diagnostics, bool quiet);
int exit_of(RbvStatus status);
/* Text to stdout; exit status 1 when it cannot be written. */
int print_out(const char *text);

#endif
