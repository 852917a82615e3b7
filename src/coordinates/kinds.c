/* The coordinates that a system can be compiled in; see coordinates.h. */
#include "coordinates/coordinates.h"

const RbvCoordinatesKind *rbv_coordinates_kind(void) {
    return &rbv_absolute_coordinates;
}
