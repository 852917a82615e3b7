/* In place of the library's own choice: natural coordinates. Linked into roberval_natural alone, by --wrap. */
#include "mechanics/coordinates/coordinates.h"

const RbvCoordinatesKind *__wrap_rbv_coordinates_kind(RbvCoordinatesChoice choice);

const RbvCoordinatesKind *__wrap_rbv_coordinates_kind(RbvCoordinatesChoice choice) {
    (void)choice;
    return &rbv_natural_coordinates;
}
