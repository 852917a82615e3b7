/* roberval convert MODEL --to spatial: a planar model as a spatial one, on standard output. */
#include "cli/cli.h"

#include <stdlib.h>

int command_convert(const Call *call) {
    RbvDiagnostics *diagnostics = rbv_diagnostics_create();
    char *yaml = NULL;
    RbvStatus status = diagnostics ? rbv_model_to_spatial(call->model, diagnostics, &yaml) : RBV_NO_MEMORY;
    print_diagnostics(diagnostics, call->quiet);
    int code = status == RBV_OK ? print_out(yaml) : exit_of(status);
    free(yaml);
    rbv_diagnostics_destroy(diagnostics);
    return code;
}
