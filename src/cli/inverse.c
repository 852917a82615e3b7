/* roberval inverse: drive efforts and reactions along the motion. */
#include "cli/commands.h"
#include "cli/run.h"

int command_inverse(const Call *call) {
    return run_analysis(call, rbv_inverse);
}
