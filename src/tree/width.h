/* All kernels at one width, RBV_LANES, and their table LANED(kernels). Included by the files kernels_*.c, which are compiled for one kind of processor each. */
#include "tree/lanes.h"

#include "tree/inverse_kernel.h"
#include "tree/gather_kernel.h"

static const RbvTreeKernels LANED(kernels) = {
    .lanes = RBV_LANES,
    .kernel = {[RBV_KERNEL_INVERSE] = LANED(inverse)},
    .gather = LANED(gather),
};
