/* In place of the library's own choice: joint coordinates. Linked into roberval_joint alone, by --wrap. */
#include "mechanics/coordinates/coordinates.h"

const RbvCoordinatesKind *__wrap_rbv_coordinates_kind(RbvCoordinatesChoice choice);

const RbvCoordinatesKind *__wrap_rbv_coordinates_kind(RbvCoordinatesChoice choice) {
    (void)choice;
    return &rbv_joint_coordinates;
}
