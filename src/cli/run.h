/* One run of an analysis: read, compile, analyse, show, write. */
#ifndef RBV_CLI_RUN_H
#define RBV_CLI_RUN_H

#include "cli/call.h"

typedef RbvStatus (*Analysis)(const RbvSystem *system, const RbvOptions *options, RbvDiagnostics *diagnostics,
                              RbvResult **result);
typedef RbvStatus (*FamilyAnalysis)(const RbvFamily *family, const RbvOptions *options, RbvDiagnostics *diagnostics,
                                    RbvResult **result);

/* Options of the analysis from the call; the result points into the call. */
RbvOptions options_of(const Call *call);
/* Run the analysis on the model of the call; returns the exit status. */
int run_analysis(const Call *call, Analysis analysis);
/* Run the analysis on the models along the parameter of --follow; returns the exit status. */
int run_along(const Call *call, FamilyAnalysis analysis);

#endif
