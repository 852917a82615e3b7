/* roberval check: mobility, redundancy, verdicts. */
#include "cli/commands.h"
#include "cli/run.h"

int command_check(const Call *call) {
    return run_analysis(call, rbv_check);
}
