/* In place of the library's own choice: polar coordinates. Linked into roberval_polar alone, by --wrap. */
#include "support/polar.h"

const RbvCoordinatesKind *__wrap_rbv_coordinates_kind(void);

const RbvCoordinatesKind *__wrap_rbv_coordinates_kind(void) {
    return &polar_coordinates;
}
