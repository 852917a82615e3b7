/* All kernels at one width, RBV_LANES, and their table LANED(kernels). Included by the files kernels_*.c, each compiled
 * for one kind of processor. */
/* Order matters: later headers use definitions of earlier ones. */
/* clang-format off */
#include "arrays/lanes.h"

#include "arrays/axes_kernel.h"
#include "arrays/angles_kernel.h"
#include "arrays/inverse_kernel.h"
#include "arrays/arm_kernel.h"
#include "arrays/ground_kernel.h"
#include "arrays/derivative_kernel.h"
#include "arrays/forward_kernel.h"
#include "arrays/position_kernel.h"
#include "arrays/gather_kernel.h"
/* clang-format on */

static const RbvTreeKernels LANED(kernels) = {
    .lanes = RBV_LANES,
    .kernel =
        {
            [RBV_KERNEL_INVERSE] = LANED(inverse),
            [RBV_KERNEL_FORCES] = LANED(forces),
            [RBV_KERNEL_REACTIONS] = LANED(reactions),
            [RBV_KERNEL_MASS_MATRIX] = LANED(mass_matrix),
            [RBV_KERNEL_FORWARD] = LANED(forward),
            [RBV_KERNEL_FORWARD_DENSE] = LANED(forward_dense),
            [RBV_KERNEL_DERIVATIVES] = LANED(derivatives),
            [RBV_KERNEL_CORIOLIS] = LANED(coriolis),
            [RBV_KERNEL_REGRESSOR] = LANED(regressor),
            [RBV_KERNEL_ENERGIES] = LANED(energies),
            [RBV_KERNEL_CENTRE_OF_MASS] = LANED(centre_of_mass),
            [RBV_KERNEL_MOMENTUM] = LANED(momentum),
            [RBV_KERNEL_POSE] = LANED(pose),
            [RBV_KERNEL_JACOBIAN] = LANED(jacobian),
            [RBV_KERNEL_MARKER_RATES] = LANED(marker_rates),
            [RBV_KERNEL_MOVE] = LANED(move),
            [RBV_KERNEL_DIFFERENCE] = LANED(difference),
            [RBV_KERNEL_PLACES] = LANED(place_links),
            [RBV_KERNEL_MOTIONS] = LANED(motions),
        },
    .gather = LANED(gather),
};
