/* In place of the library's own choice: polar coordinates. Linked into roberval_polar alone, by --wrap. */
#include "support/polar.h"

const RbvCoordinatesKind *__wrap_rbv_coordinates_kind(RbvCoordinatesChoice choice);

const RbvCoordinatesKind *__wrap_rbv_coordinates_kind(RbvCoordinatesChoice choice) {
    (void)choice;
    return &polar_coordinates;
}
