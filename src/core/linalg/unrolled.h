/* For kernels that are called with constant sizes only: one copy for each size, with unrolled loops. */
#ifndef RBV_CORE_LINALG_UNROLLED_H
#define RBV_CORE_LINALG_UNROLLED_H

#define RBV_UNROLLED static inline __attribute__((always_inline))

#endif
