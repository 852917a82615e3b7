/* Large blocks of memory in large pages. */
#ifndef RBV_CORE_BASE_LARGE_PAGES_H
#define RBV_CORE_BASE_LARGE_PAGES_H

#include <stddef.h>

/* Ask the operating system for large pages (2 MiB) in memory[size], before anything is written to it: sweeps through it
 * then need few address lookups. Does nothing for small memory, or on systems without large pages. */
void rbv_large_pages(void *memory, size_t size);

#endif
