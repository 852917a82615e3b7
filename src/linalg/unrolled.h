/* Kernels that are called with constants only: a copy for each, with its loops unrolled. */
#ifndef RBV_LINALG_UNROLLED_H
#define RBV_LINALG_UNROLLED_H

#define RBV_UNROLLED static inline __attribute__((always_inline))

#endif
