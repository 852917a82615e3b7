/* The coordinates that a system can be compiled in; see coordinates.h. */
#include "coordinates/coordinates.h"

const RbvCoordinatesKind *rbv_coordinates_kind(RbvCoordinatesChoice choice) {
    static const RbvCoordinatesKind *const kinds[] = {&rbv_absolute_coordinates, &rbv_natural_coordinates,
                                                      &rbv_joint_coordinates,
                                                      &rbv_mixed_coordinates}; /* as RbvCoordinatesChoice */
    return kinds[choice];
}
