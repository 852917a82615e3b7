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

/* P of the checksum, the odd number nearest to 2^64 times the golden ratio, and its powers mod 2^64. */
#define POWER_1 UINT64_C(0x9E3779B97F4A7C15)
#define POWER_2 (POWER_1 * POWER_1)
#define POWER_4 (POWER_2 * POWER_2)

uint64_t rbv_archive_sum(uint64_t sum, const void *bytes, size_t size) {
    const unsigned char *at = bytes;
    for (; size >= 8; size -= 8, at += 8) { /* one product after the other for eight bytes; the others wait for none */
        uint64_t high = (at[0] * POWER_1 + at[1]) * POWER_2 + at[2] * POWER_1 + at[3],
                 low = (at[4] * POWER_1 + at[5]) * POWER_2 + at[6] * POWER_1 + at[7];
        sum = sum * (POWER_4 * POWER_4) + high * POWER_4 + low;
    }
    for (size_t k = 0; k < size; k++)
        sum = sum * POWER_1 + at[k];
    return sum;
}
