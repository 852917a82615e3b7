/* Whole files as texts, and the paths of files that a model names; see files.h. */
#include "read/files.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

RbvStatus rbv_read_file(const char *path, size_t most, char **text, size_t *length) {
    *text = NULL;
    FILE *file = fopen(path, "rb");
    if (!file)
        return errno == ENOMEM ? RBV_NO_MEMORY : RBV_BAD_INPUT;
    size_t capacity = 1 << 16, used = 0;
    char *data = malloc(capacity);
    while (data) {
        used += fread(data + used, 1, capacity - used, file);
        if (used < capacity || used > most)
            break;
        char *grown = realloc(data, capacity *= 2);
        if (!grown)
            free(data);
        data = grown;
    }
    bool failed = ferror(file) != 0;
    fclose(file);
    if (!data)
        return RBV_NO_MEMORY;
    if (failed || used > most) {
        free(data);
        return RBV_BAD_INPUT;
    }
    *text = data;
    *length = used;
    return RBV_OK;
}

char *rbv_reader_path(RbvReader *reader, const char *file, RbvPosition at) {
    if (file[0] == '/' || strstr(file, "..")) {
        rbv_reader_error(reader, at, "'%s' lies outside the model's folder; files stand beside the model or below it", file);
        return NULL;
    }
    const char *slash = strrchr(reader->file, '/');
    size_t folder = slash ? (size_t)(slash - reader->file) + 1 : 0, length = strlen(file);
    char *path = rbv_arena_alloc(&reader->arena, folder + length + 1);
    if (!path) {
        reader->no_memory = true;
        return NULL;
    }
    memcpy(path, reader->file, folder);
    memcpy(path + folder, file, length);
    return path;
}
