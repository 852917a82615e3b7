/* Kernels of OpenBLAS that fit the processor. */
#ifndef RBV_CLI_KERNELS_H
#define RBV_CLI_KERNELS_H

/* To be called before any analysis, while there is one thread. */
void choose_kernels(void);

#endif
