/* roberval assemble: the state at the first instant. */
#include "cli/commands.h"
#include "cli/run.h"

int command_assemble(const Call *call) {
    return run_analysis(call, rbv_assembly);
}
