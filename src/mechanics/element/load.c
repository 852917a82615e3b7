/* The formulas of each load kind; see load.h. */
#include "mechanics/element/load.h"

const RbvLoadFormulas *rbv_load_formulas(RbvLoadKind kind) {
#define ROW(KIND, name) [RBV_LOAD_##KIND] = &rbv_load_##name,
    static const RbvLoadFormulas *const formulas[] = {RBV_LOAD_LIST(ROW)};
#undef ROW
    return formulas[kind];
}
