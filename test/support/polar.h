/* Polar coordinates of the plane for tests: v is no body twist, so that P, its transpose, the bias and C = D P are not
 * trivial. */
#ifndef ROBERVAL_TEST_POLAR_H
#define ROBERVAL_TEST_POLAR_H

#include "mechanics/coordinates/coordinates.h"

/* (rho, phi, turn) for each body, about a point beside the machines, which bodies do not pass. In space those of
 * absolute coordinates. */
extern const RbvCoordinatesKind polar_coordinates;

#endif
