/* roberval info: what is in a model. */
#include "cli/commands.h"
#include "cli/run.h"

int command_info(const Call *call) {
    return run_analysis(call, rbv_info);
}
