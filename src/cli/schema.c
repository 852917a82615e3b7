/* roberval schema: the JSON Schema of the model file, on standard output. */
#include "cli/commands.h"
#include "cli/say.h"

int command_schema(const Call *call) {
    (void)call;
    return print_taken(rbv_model_schema());
}
