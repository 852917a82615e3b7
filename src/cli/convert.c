/* roberval convert MODEL --to spatial: a planar model as a spatial one, on standard output. */
#include "cli/commands.h"
#include "cli/input.h"
#include "cli/say.h"

#include <stdlib.h>

int command_convert(const Call *call) {
    if (!call->to_spatial) {
        RbvDiagnostics *said = rbv_diagnostics_create();
        RbvModel *model = NULL;
        RbvStatus read = said ? read_model(call, said, &model)
                              : RBV_NO_MEMORY; /* errors of the model are reported before the missing --to */
        if (read != RBV_OK)
            print_diagnostics(said, call->quiet);
        rbv_model_destroy(model);
        rbv_diagnostics_destroy(said);
        if (read != RBV_OK)
            return say_status(read);
        wrong("convert wants to know to what: roberval convert %s --to spatial", call->argument);
        return EXIT_CALL;
    }
    RbvDiagnostics *diagnostics = rbv_diagnostics_create();
    char *yaml = NULL;
    RbvStatus status = diagnostics ? read_as_spatial(call, diagnostics, &yaml) : RBV_NO_MEMORY;
    print_diagnostics(diagnostics, call->quiet);
    rbv_diagnostics_destroy(diagnostics);
    if (status == RBV_OK)
        return print_taken(yaml);
    free(yaml);
    return say_status(status);
}
