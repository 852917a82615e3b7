/* Large pages by Linux's madvise; nothing on other systems. */
#define _DEFAULT_SOURCE
#include "core/base/large_pages.h"

#include <stdint.h>

#if defined(__linux__)
#include <sys/mman.h>
#include <unistd.h>
#endif

/* [bytes] smallest block: smaller ones have few pages anyway, and would get whole large pages for small use. */
#define SCALE ((size_t)4 << 20)

void rbv_large_pages(void *memory, size_t size) {
#if defined(__linux__) && defined(MADV_HUGEPAGE)
    if (size < SCALE)
        return;
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), from = ((uintptr_t)memory + page - 1) / page * page,
              to = ((uintptr_t)memory + size) / page * page;
    (void)madvise((void *)from, to - from, MADV_HUGEPAGE); /* a refusal of the advice has no consequence */
#else
    (void)memory, (void)size;
#endif
}
