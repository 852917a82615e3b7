/* Binary archive of numbers: the same list of calls writes and reads them, so that writing and reading cannot differ.
 */
#ifndef RBV_CORE_BASE_ARCHIVE_H
#define RBV_CORE_BASE_ARCHIVE_H

#include "core/base/arena.h"
#include "core/base/text.h"

typedef struct RbvArchive {
    RbvText text;     /* writing: the bytes written */
    const char *from; /* reading: the bytes left; NULL: writing */
    size_t left;
    bool broken; /* reading: the bytes ended too soon */
} RbvArchive;

/* Write `size` bytes to the archive, or read them from it. */
void rbv_archive_keep(RbvArchive *archive, void *bytes, size_t size);
/* Write or read a string; a string read is allocated in the arena. */
void rbv_archive_string(RbvArchive *archive, const char **string, RbvArena *arena);
/* Reading: were exactly all bytes read? Writing: was there enough memory? */
bool rbv_archive_is_good(const RbvArchive *archive);

/* Checksum of bytes b_1 ... b_n, continued from `sum`: sum P^n + b_1 P^(n - 1) + ... + b_n mod 2^64 with P odd. It is
 * the same however the bytes are divided among calls, always detects one changed byte, and other damage but for one in
 * some 10^19. Not against intent. */
#define RBV_SUM_OF_NOTHING UINT64_C(14695981039346656037)
uint64_t rbv_archive_sum(uint64_t sum, const void *bytes, size_t size);

#define RBV_KEEP(archive, value) rbv_archive_keep(archive, &(value), sizeof(value))
#define RBV_KEEP_ARRAY(archive, array, count) rbv_archive_keep(archive, array, (size_t)(count) * sizeof *(array))

#endif
