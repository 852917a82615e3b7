/* Reads whole files as texts, and the files that a model names: these are in the model's folder or below, or in or
 * below one of the folders of the call (--path).
 *
 * A name is searched beside the model, then in those folders. Its path, with all links resolved, must be inside one of
 * these folders. Only regular files are opened, so that reading never waits.
 */
#define _XOPEN_SOURCE 700
#include "model/read/files.h"

#include "core/base/diagnostics.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static RbvStatus read_stream(FILE *file, size_t most, char **text, size_t *length) {
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

static FILE *open_regular(const char *path, int flags) {
    struct stat what;
    int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY | flags);
    if (file < 0)
        return NULL;
    bool regular = fstat(file, &what) == 0 && S_ISREG(what.st_mode);
    FILE *stream = regular ? fdopen(file, "rb") : NULL;
    int why = regular ? errno : 0;
    if (!stream)
        close(file);
    errno = why;
    return stream;
}

FILE *rbv_open_regular(const char *path) {
    return open_regular(path, 0);
}

RbvStatus rbv_read_regular_file(const char *path, size_t most, char **text, size_t *length) {
    *text = NULL;
    FILE *file = rbv_open_regular(path);
    if (!file)
        return errno == ENOMEM ? RBV_NO_MEMORY : RBV_BAD_INPUT;
    errno = 0;
    return read_stream(file, most, text, length);
}

RbvStatus rbv_read_file(const char *path, size_t most, char **text, size_t *length) {
    *text = NULL;
    FILE *file = fopen(path, "rb");
    if (!file)
        return errno == ENOMEM ? RBV_NO_MEMORY : RBV_BAD_INPUT;
    return read_stream(file, most, text, length);
}

/* Path folder/name, in the reader's arena; NULL if out of memory. */
static char *join(RbvReader *reader, const char *folder, size_t folder_length, const char *name) {
    size_t slash = folder_length > 0 && folder[folder_length - 1] != '/', length = strlen(name);
    char *path = rbv_arena_alloc(&reader->arena, folder_length + slash + length + 1);
    if (!path) {
        reader->no_memory = true;
        return NULL;
    }
    memcpy(path, folder, folder_length);
    if (slash)
        path[folder_length] = '/';
    memcpy(path + folder_length + slash, name, length);
    return path;
}

/* Length of the model's folder without its last slash; 0 for the current folder. */
static size_t folder_length(const RbvReader *reader) {
    const char *slash = strrchr(reader->file, '/');
    return slash ? (size_t)(slash - reader->file) + (slash == reader->file) : 0;
}

/* True if the real path is below the folder. */
static bool lies_below(RbvReader *reader, const char *real, const char *folder) {
    char *root = realpath(*folder ? folder : ".", NULL);
    reader->no_memory = reader->no_memory || (!root && errno == ENOMEM);
    size_t length = root ? strlen(root) : 0;
    bool below = root && (length == 1 || (strncmp(real, root, length) == 0 && real[length] == '/'));
    free(root);
    return below;
}

static bool is_in_folders(RbvReader *reader, const char *real) {
    char *own = join(reader, reader->file, folder_length(reader), "");
    bool allowed = own && lies_below(reader, real, own);
    for (int32_t k = 0; k < reader->call.folders.count && !allowed; k++)
        allowed = lies_below(reader, real, reader->call.folders.items[k]);
    return allowed;
}

bool rbv_climbs(const char *name) {
    int depth = 0;
    if (*name == '/')
        return true;
    for (const char *part = name; *part; part += strcspn(part, "/"), part += *part == '/') {
        size_t length = strcspn(part, "/");
        bool up = length == 2 && part[0] == '.' && part[1] == '.',
             here = length == 0 || (length == 1 && part[0] == '.');
        depth += up ? -1 : !here;
        if (depth < 0)
            return true;
    }
    return false;
}

/* Path shown in messages; *real (caller frees): the resolved path, or NULL with errno if it does not exist. */
static char *find_real_path(RbvReader *reader, const char *name, char **real) {
    char *shown = *name == '/' ? join(reader, "", 0, name) : join(reader, reader->file, folder_length(reader), name);
    *real = shown ? realpath(shown, NULL) : NULL;
    int why = errno;
    for (int32_t k = 0; k < reader->call.folders.count && shown && !*real && *name != '/'; k++) {
        char *other = join(reader, reader->call.folders.items[k], strlen(reader->call.folders.items[k]), name);
        *real = other ? realpath(other, NULL) : NULL;
        shown = *real ? other : shown;
    }
    errno = why;
    return shown;
}

/* Read a regular file. Its kind is checked before it is opened, because opening a device may have effects. */
static RbvStatus read_real(const char *real, size_t most, char **text, size_t *length) {
    struct stat what;
    if (stat(real, &what) == 0 && !S_ISREG(what.st_mode)) {
        errno = 0;
        return RBV_BAD_INPUT;
    }
    FILE *stream = open_regular(real, O_NOFOLLOW);
    if (!stream)
        return errno == ENOMEM ? RBV_NO_MEMORY : RBV_BAD_INPUT;
    errno = 0;
    return read_stream(stream, most, text, length);
}

/* Record the path among the files that the model has read. */
static void remember(RbvReader *reader, const char *path) {
    if (reader->model->refill)
        return;
    int32_t k = rbv_model_grow(reader->model, &reader->model->files, sizeof *reader->model->files.items);
    const char *kept = rbv_arena_copy(&reader->model->arena, path, strlen(path));
    if (k >= 0)
        reader->model->files.items[k] = kept;
    reader->no_memory = reader->no_memory || k < 0 || !kept;
}

bool rbv_read_named_file(RbvReader *reader, const char *name, RbvPosition at, size_t most, const char **path,
                         char **text, size_t *length) {
    char *real;
    *text = NULL;
    *path = find_real_path(reader, name, &real);
    if (!*path || (!real && errno == ENOMEM)) {
        reader->no_memory = true;
        return false;
    }
    if (real ? !is_in_folders(reader, real) : rbv_climbs(name)) {
        if (!reader->no_memory)
            rbv_reader_error(reader, at,
                             "'%s' lies outside the model's folder; files stand beside the model or below it, or in or "
                             "below a folder given by " RBV_OPTION_FOLDERS,
                             name);
        free(real);
        return false;
    }
    RbvStatus status = real ? read_real(real, most, text, length) : RBV_BAD_INPUT;
    if (status == RBV_NO_MEMORY)
        reader->no_memory = true;
    else if (status != RBV_OK)
        rbv_reader_error(reader, at, "cannot read %s: %s", *path,
                         errno ? strerror(errno) : "it is too large, or a folder, device or pipe");
    free(real);
    if (status == RBV_OK) {
        remember(reader, *path);
        rbv_model_take_text(reader->model, *text, *length);
    }
    return status == RBV_OK;
}
