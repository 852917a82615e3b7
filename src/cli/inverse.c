/* roberval inverse: drive efforts and reactions along the motion. */
#include "cli/commands.h"
#include "cli/run.h"
#include "cli/say.h"

#include <math.h>

int command_inverse(const Call *call) {
    if (call->options.penalty > 0 && call->options.method != RBV_METHOD_PENALTY &&
        call->options.method != RBV_METHOD_AUGMENTED) {
        wrong("--penalty belongs to --method penalty and --method augmented");
        return EXIT_CALL;
    }
    if (call->motion && !isnan(call->options.step)) {
        wrong("--motion has its own times: --from and --to choose among them, --step does not go with it");
        return EXIT_CALL;
    }
    return run_analysis(call, rbv_inverse);
}
