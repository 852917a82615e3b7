/* Binary archive of numbers; see archive.h. */
#include "core/base/archive.h"

#include <string.h>

void rbv_archive_keep(RbvArchive *archive, void *bytes, size_t size) {
    if (size == 0)
        return;
    if (!archive->from) {
        rbv_text_append(&archive->text, bytes, size);
        return;
    }
    archive->broken = archive->broken || size > archive->left;
    if (archive->broken)
        return;
    memcpy(bytes, archive->from, size);
    archive->from += size;
    archive->left -= size;
}

void rbv_archive_string(RbvArchive *archive, const char **string, RbvArena *arena) {
    size_t length = archive->from ? 0 : strlen(*string);
    RBV_KEEP(archive, length);
    if (!archive->from) {
        rbv_text_append(&archive->text, *string, length);
        return;
    }
    archive->broken = archive->broken || length > archive->left;
    *string = archive->broken ? "" : rbv_arena_copy(arena, archive->from, length);
    if (archive->broken || !*string) {
        archive->broken = true;
        *string = "";
        return;
    }
    archive->from += length;
    archive->left -= length;
}

bool rbv_archive_is_good(const RbvArchive *archive) {
    return archive->from ? !archive->broken && archive->left == 0 : !archive->text.no_memory;
}

uint64_t rbv_archive_sum(uint64_t sum, const void *bytes, size_t size) {
    const unsigned char *at = bytes;
    for (size_t k = 0; k < size; k++)
        sum = (sum ^ at[k]) * UINT64_C(1099511628211);
    return sum;
}
