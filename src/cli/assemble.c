/* roberval assemble: the state at the first instant. */
#include "cli/commands.h"
#include "cli/run.h"
#include "cli/say.h"

int command_assemble(const Call *call) {
    if (call->options.udwadia != RBV_UDWADIA_NONE && call->coordinates != RBV_COORDINATES_ABSOLUTE) {
        wrong("--udwadia is written over the places of bodies, whose mass matrix has an inverse: not with "
              "--coordinates natural");
        return EXIT_CALL;
    }
    return run_analysis(call, rbv_assembly);
}
