/* The model of a call, and one run of an analysis. */
#ifndef RBV_CLI_RUN_H
#define RBV_CLI_RUN_H

#include "cli/call.h"

/* rbv_model_load (with the questions of --ask), rbv_family_load and rbv_model_to_spatial on the model of the call, from
 * its file or from standard input; errors go to the diagnostics. */
RbvStatus read_model(const Call *call, RbvDiagnostics *diagnostics, RbvModel **model);
RbvStatus read_family(const Call *call, RbvDiagnostics *diagnostics, RbvFamily **family);
RbvStatus read_as_spatial(const Call *call, RbvDiagnostics *diagnostics, char **yaml);

/* Options of the analysis from the call; the result points into the call. */
RbvOptions options_of(const Call *call);

#endif
