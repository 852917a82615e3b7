/* The model of a call: from its file, or from standard input. */
#ifndef RBV_CLI_INPUT_H
#define RBV_CLI_INPUT_H

#include "cli/call.h"

/* rbv_model_load, rbv_family_load and rbv_model_to_spatial on the model of the call; errors go to the diagnostics. */
RbvStatus read_model(const Call *call, RbvDiagnostics *diagnostics, RbvModel **model);
RbvStatus read_family(const Call *call, RbvDiagnostics *diagnostics, RbvFamily **family);
RbvStatus read_as_spatial(const Call *call, RbvDiagnostics *diagnostics, char **yaml);

#endif
