/* A block arena: many small allocations with a common lifetime. */
#ifndef RBV_CORE_BASE_ARENA_H
#define RBV_CORE_BASE_ARENA_H

#include <stddef.h>

/* Ask the operating system for large pages (2 MiB) in memory[size], before anything is written to it: sweeps through it
 * then need few address lookups. Does nothing for small memory, or on systems without large pages. */
void rbv_large_pages(void *memory, size_t size);

/* Initialise with zeros: RbvArena arena = {0}. May be moved by assignment. One thread at a time. */
typedef struct RbvArena {
    struct RbvArenaBlock *blocks; /* newest first */
    size_t used;                  /* bytes used in the newest block */
    size_t reserved;              /* bytes in all blocks */
} RbvArena;

/* `size` zeroed bytes, aligned to 16 if size is a multiple of 16, else to 8; NULL: out of memory. A size of 0 gives a
 * valid pointer. */
void *rbv_arena_alloc(RbvArena *arena, size_t size);
/* Zeroed [count] elements of `size` bytes; NULL: out of memory, or count * size overflows. */
void *rbv_arena_array(RbvArena *arena, size_t count, size_t size);
/* A copy of text[length] with a NUL after it; NULL: out of memory. */
char *rbv_arena_copy(RbvArena *arena, const char *text, size_t length);
/* Free all blocks; the arena is then empty and can be used again. */
void rbv_arena_clear(RbvArena *arena);

#endif
