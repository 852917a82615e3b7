/* Large pages: Linux's madvise; elsewhere nothing. */
#define _DEFAULT_SOURCE
#include "base/large_pages.h"

#include <stdint.h>

#if defined(__linux__)
#include <sys/mman.h>
#include <unistd.h>
#endif

/* Smaller blocks have few pages anyway, and would be given whole large ones for what is used of them. */
#define SCALE ((size_t)4 << 20)

void rbv_large_pages(void *memory, size_t size) {
#if defined(__linux__) && defined(MADV_HUGEPAGE)
    if (size < SCALE)
        return;
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), from = ((uintptr_t)memory + page - 1) / page * page,
              to = ((uintptr_t)memory + size) / page * page;
    (void)madvise((void *)from, to - from, MADV_HUGEPAGE); /* advice: refused, all goes on as before */
#else
    (void)memory, (void)size;
#endif
}
