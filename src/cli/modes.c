/* roberval modes: frequencies, damping and shapes of small motions. */
#include "cli/commands.h"
#include "cli/run.h"

int command_modes(const Call *call) {
    return call->follow ? run_along(call, rbv_modes_follow) : run_analysis(call, rbv_modes);
}
