/* A block arena: many small allocations that live and die together. */
#ifndef RBV_BASE_ARENA_H
#define RBV_BASE_ARENA_H

#include <stddef.h>

/* Zero-initialise it: RbvArena arena = {0}. It may be moved by assignment. One thread at a time. */
typedef struct RbvArena {
    struct RbvArenaBlock *blocks; /* newest first */
    size_t used;                  /* bytes taken from the newest block */
    size_t reserved;              /* bytes in all blocks */
} RbvArena;

/* `size` zeroed bytes, aligned to 16 when size is a multiple of it, else to 8; NULL when there is no memory. A size of
 * 0 gives a valid pointer. */
void *rbv_arena_alloc(RbvArena *arena, size_t size);
/* Zeroed [count] elements of `size` bytes, NULL also when count * size overflows. */
void *rbv_arena_array(RbvArena *arena, size_t count, size_t size);
/* A copy of text[length] with a NUL after it, NULL when there is no memory. */
char *rbv_arena_copy(RbvArena *arena, const char *text, size_t length);
/* Free everything; the arena is empty and can be used again. */
void rbv_arena_clear(RbvArena *arena);

#endif
