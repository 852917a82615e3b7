/* roberval modes: frequencies, damping and shapes of small motions. */
#include "cli/commands.h"
#include "cli/run.h"
#include "cli/say.h"

int command_modes(const Call *call) {
    if (call->follow && call->options.input_count + call->options.output_count > 0) {
        wrong("--inputs and --outputs are of one state: not with --follow");
        return EXIT_CALL;
    }
    return call->follow ? run_along(call, rbv_modes_follow) : run_analysis(call, rbv_modes);
}
