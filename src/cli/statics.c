/* roberval statics: equilibria of one model, or along a parameter. */
#include "cli/commands.h"
#include "cli/run.h"
#include "cli/say.h"

int command_statics(const Call *call) {
    if (call->options.damping > 0 && call->options.statics != RBV_STATICS_RELAXATION) {
        wrong("--damping belongs to --method relaxation");
        return EXIT_CALL;
    }
    if (call->options.penalty > 0 && call->options.statics != RBV_STATICS_PENALTY &&
        call->options.statics != RBV_STATICS_AUGMENTED) {
        wrong("--penalty belongs to --method penalty and --method augmented");
        return EXIT_CALL;
    }
    if (call->hold && (call->follow || call->options.all || call->options.statics != RBV_STATICS_DEFAULT)) {
        wrong("--hold asks of the place where the machine stands: it does not go with --follow, --all and --method");
        return EXIT_CALL;
    }
    if (call->mixed && (call->hold || call->follow)) {
        wrong("--mixed goes with one place and --all, not with %s", call->hold ? "--hold" : "--follow");
        return EXIT_CALL;
    }
    return call->follow ? run_along(call, rbv_statics_follow) : run_analysis(call, rbv_statics);
}
