/* In place of the library's own equations of Newton's equilibrium: one entry is off by a thousandth. Linked into
 * roberval_broken_newton alone, by --wrap. */
#include "solution/reaction/newton_system.h"

void __real_rbv_newton_system_fill(RbvNewtonSystem *newton, const RbvState *state);
void __wrap_rbv_newton_system_fill(RbvNewtonSystem *newton, const RbvState *state);

void __wrap_rbv_newton_system_fill(RbvNewtonSystem *newton, const RbvState *state) {
    __real_rbv_newton_system_fill(newton, state);
    for (int32_t e = newton->start[0]; e < newton->start[1]; e++)
        newton->values[e] *= e == newton->start[0] ? 1.001 : 1;
}
