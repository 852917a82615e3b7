/* The kinds of coordinates in which a system can be compiled; see coordinates.h. */
#include "mechanics/coordinates/coordinates.h"

const RbvCoordinatesKind *rbv_coordinates_kind(RbvCoordinatesChoice choice) {
    static const RbvCoordinatesKind *const kinds[] = {
        &rbv_absolute_coordinates, &rbv_natural_coordinates, &rbv_joint_coordinates,
        &rbv_mixed_coordinates}; /* in the order of RbvCoordinatesChoice */
    return kinds[choice];
}
