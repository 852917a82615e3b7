/* Kernels for every machine of its kind: two lanes (SSE2 and NEON), without fused multiply-add. */
#include "arrays/kernels.h"

#define RBV_NATIVE_LANES 2
#define NATIVE(name) name##_2

#define RBV_LANES 2
#include "arrays/width.h"
#undef RBV_LANES
#define RBV_LANES 1
#include "arrays/width.h"

const RbvTreeTarget rbv_tree_one = {RBV_LANES_ONE, &kernels_1, &kernels_1};
const RbvTreeTarget rbv_tree_base = {RBV_LANES_BASE, &kernels_1, &kernels_2};
