/* Large blocks of memory in large pages. */
#ifndef RBV_BASE_LARGE_PAGES_H
#define RBV_BASE_LARGE_PAGES_H

#include <stddef.h>

/* Ask the system for large pages (of 2 MiB) in memory[size] that nothing has been written to: sweeps through it then
 * look up few addresses of pages. Does nothing where it is small or the system has none. */
void rbv_large_pages(void *memory, size_t size);

#endif
