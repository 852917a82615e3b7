/* roberval simulate: motion from forces. */
#include "cli/commands.h"
#include "cli/run.h"

int command_simulate(const Call *call) {
    return run_analysis(call, rbv_simulate);
}
