/* Kernels that this machine can run. */
#include "arrays/kernels.h"

static bool machine_has(RbvTreeLanes name) {
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (name == RBV_LANES_AVX2)
        return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    if (name == RBV_LANES_AVX512)
        return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("avx2");
#else
    (void)name;
#endif
    return false;
}

const RbvTreeTarget *rbv_tree_target(RbvTreeLanes name) {
    switch (name) {
    case RBV_LANES_ONE: return &rbv_tree_one;
    case RBV_LANES_BASE: return &rbv_tree_base;
#if defined(__x86_64__)
    case RBV_LANES_AVX2: return machine_has(name) ? &rbv_tree_avx2 : NULL;
    case RBV_LANES_AVX512: return machine_has(name) ? &rbv_tree_avx512 : NULL;
    case RBV_LANES_BEST:
        return machine_has(RBV_LANES_AVX512) ? &rbv_tree_avx512
               : machine_has(RBV_LANES_AVX2) ? &rbv_tree_avx2
                                             : &rbv_tree_base;
#else
    case RBV_LANES_AVX2:
    case RBV_LANES_AVX512: return machine_has(name) ? &rbv_tree_base : NULL;
    case RBV_LANES_BEST: return &rbv_tree_base;
#endif
    }
    return NULL;
}
