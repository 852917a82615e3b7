/* The kernels for machines with AVX2 and FMA: four lanes. */
#include "arrays/kernels.h"

#if defined(__x86_64__)
#define RBV_NATIVE_LANES 4
#define NATIVE(name) name##_4

#define RBV_LANES 4
#include "arrays/width.h"
#undef RBV_LANES
#define RBV_LANES 1
#include "arrays/width.h"

const RbvTreeTarget rbv_tree_avx2 = {RBV_LANES_AVX2, &kernels_1, &kernels_4};
#endif
