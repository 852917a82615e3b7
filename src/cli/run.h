/* One run of an analysis: read, compile, analyse, show, write. */
#ifndef RBV_CLI_RUN_H
#define RBV_CLI_RUN_H

#include "cli/call.h"

typedef RbvStatus (*Analysis)(const RbvSystem *system, const RbvOptions *options, RbvDiagnostics *diagnostics,
                              RbvResult **result);
typedef RbvStatus (*FamilyAnalysis)(const RbvFamily *family, const RbvOptions *options, RbvDiagnostics *diagnostics,
                                    RbvResult **result);

/* The options of the call, which they point into. */
RbvOptions options_of(const Call *call);
/* Of the call's model; the exit status. */
int run_analysis(const Call *call, Analysis analysis);
/* Of its models along the parameter of --follow. */
int run_along(const Call *call, FamilyAnalysis analysis);

#endif
