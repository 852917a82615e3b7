/* Numbers kept and taken back: the same list of calls writes them and reads them, so that nothing can be kept and
 * forgotten. */
#ifndef RBV_BASE_ARCHIVE_H
#define RBV_BASE_ARCHIVE_H

#include "base/arena.h"
#include "base/text.h"

typedef struct RbvArchive {
    RbvText text;     /* what was kept */
    const char *from; /* reading: what is left to be taken; NULL: writing */
    size_t left;
    bool broken; /* it ended too soon */
} RbvArchive;

/* `size` bytes to the archive, or from it. */
void rbv_archive_keep(RbvArchive *archive, void *bytes, size_t size);
/* A string; read into the arena. */
void rbv_archive_string(RbvArchive *archive, const char **string, RbvArena *arena);
/* Reading: was all of it taken, and no more? Writing: was there memory? */
bool rbv_archive_is_good(const RbvArchive *archive);

/* The checksum of bytes behind those of `sum` (FNV-1a, 64 bit): a changed byte always shows, any other damage but for
 * one in 10^19. */
#define RBV_SUM_OF_NOTHING UINT64_C(14695981039346656037)
uint64_t rbv_archive_sum(uint64_t sum, const void *bytes, size_t size);

#define RBV_KEEP(archive, value) rbv_archive_keep(archive, &(value), sizeof(value))
#define RBV_KEEP_ARRAY(archive, array, count) rbv_archive_keep(archive, array, (size_t)(count) * sizeof *(array))

#endif
