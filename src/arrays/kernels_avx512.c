/* The kernels for machines with AVX-512F: eight lanes. */
#include "arrays/kernels.h"

#if defined(__x86_64__)
#define RBV_NATIVE_LANES 8
#define NATIVE(name) name##_8

#define RBV_LANES 8
#include "arrays/width.h"
#undef RBV_LANES
#define RBV_LANES 1
#include "arrays/width.h"

const RbvTreeTarget rbv_tree_avx512 = {RBV_LANES_AVX512, &kernels_1, &kernels_8};
#endif
