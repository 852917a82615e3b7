/* roberval track: control forces for required motions. */
#include "cli/commands.h"
#include "cli/run.h"

int command_track(const Call *call) {
    return run_analysis(call, rbv_track);
}
