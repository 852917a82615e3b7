/* A block arena: bump allocation in blocks that double from 4 KiB to 1 MiB; large allocations get a block of their own.
 * Large pages by Linux's madvise; nothing on other systems. */
#define _DEFAULT_SOURCE
#include "core/base/arena.h"

#include <stdalign.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#if defined(__linux__)
#include <sys/mman.h>
#include <unistd.h>
#endif

enum { ALIGNMENT = 16, FIRST_BLOCK = 4096, LARGEST_BLOCK = 1 << 20 };

typedef struct RbvArenaBlock RbvArenaBlock;
struct RbvArenaBlock {
    RbvArenaBlock *next;
    size_t size; /* [bytes] of data */
    alignas(ALIGNMENT) unsigned char data[];
};

/* calloc: fresh pages of the operating system are zero already and are not written again. */
static RbvArenaBlock *new_block(RbvArena *arena, size_t size) {
    if (size > SIZE_MAX - sizeof(RbvArenaBlock) - arena->reserved)
        return NULL;
    RbvArenaBlock *block = calloc(1, sizeof *block + size);
    if (block == NULL)
        return NULL;
    block->size = size;
    arena->reserved += size;
    return block;
}

static size_t aligned(size_t size, size_t alignment) {
    return (size + alignment - 1) / alignment * alignment;
}

static void *allocate(RbvArena *arena, size_t size, size_t alignment) {
    if (size > SIZE_MAX - ALIGNMENT)
        return NULL;
    RbvArenaBlock *newest = arena->blocks;
    size_t begin = aligned(arena->used, alignment);
    if (newest != NULL && begin <= newest->size && size <= newest->size - begin) {
        arena->used = begin + size;
        return newest->data + begin;
    }
    size = aligned(size, ALIGNMENT);

    size_t usual = arena->reserved < FIRST_BLOCK ? FIRST_BLOCK : arena->reserved;
    if (usual > LARGEST_BLOCK)
        usual = LARGEST_BLOCK;
    bool own = size > usual / 4;
    RbvArenaBlock *block = new_block(arena, own ? size : usual);
    if (block == NULL)
        return NULL;
    if (own && newest != NULL) { /* behind the newest block, whose free space stays in use */
        block->next = newest->next;
        newest->next = block;
        return block->data;
    }
    block->next = newest;
    arena->blocks = block;
    arena->used = size;
    return block->data;
}

void *rbv_arena_alloc(RbvArena *arena, size_t size) {
    return allocate(arena, size,
                    size % ALIGNMENT == 0 ? ALIGNMENT : ALIGNMENT / 2); /* no gaps between items of 40 bytes */
}

void *rbv_arena_array(RbvArena *arena, size_t count, size_t size) {
    if (size != 0 && count > SIZE_MAX / size)
        return NULL;
    return rbv_arena_alloc(arena, count * size);
}

char *rbv_arena_copy(RbvArena *arena, const char *text, size_t length) {
    if (length == SIZE_MAX)
        return NULL;
    char *copy = allocate(arena, length + 1, 1); /* names are short: no gaps between them */
    if (copy == NULL)
        return NULL;
    if (length > 0)
        memcpy(copy, text, length);
    copy[length] = '\0';
    return copy;
}

void rbv_arena_clear(RbvArena *arena) {
    for (RbvArenaBlock *block = arena->blocks; block != NULL;) {
        RbvArenaBlock *next = block->next;
        free(block);
        block = next;
    }
    *arena = (RbvArena){0};
}

/* --- large blocks of memory in large pages --- */

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
