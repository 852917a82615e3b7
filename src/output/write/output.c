/* Writes all files that a user has named.
 *
 *   the path leads to          action
 *   nothing, a regular file    a new file beside it, synced, renamed to its place, folder synced; the old file stays
 *                              until then
 *   an open descriptor of ours it is written to (/dev/stdout, /proc/self/fd/3)
 *   device, pipe, FIFO         it is opened and written to, and stays what it is
 * Links are followed one by one: the file at their end is replaced in its own folder, and the links stay. A regular
 * file without write permission is not replaced. The new file gets the permissions of the old one. */
#define _DEFAULT_SOURCE
#include "output/write/files.h"

#include <roberval/folder.h>

#include "core/base/diagnostics.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Largest number of links in a row, as in Linux. */
#define MOST_LINKS 40
/* Largest number of temporary names tried in one process. */
#define MOST_PARTS 100
#define RIGHTS 0777

/* Target of a path after all links. */
typedef struct Place {
    int folder;     /* open descriptor of its folder; -1: no folder */
    char *path;     /* path after the last link */
    char *name;     /* file name, the end of `path` */
    int descriptor; /* open descriptor of this process that the path names; -1: none */
    bool there;
    struct stat what;
} Place;

bool rbv_sync(int file) {
    while (fsync(file) != 0)
        if (errno != EINTR)
            return errno == EINVAL || errno == ENOSYS || errno == EOPNOTSUPP ||
                   errno == EROFS; /* file systems without fsync */
    return true;
}

int rbv_create_in(int folder, const char *name) {
    struct stat what;
    if (fstatat(folder, name, &what, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(what.st_mode) &&
        unlinkat(folder, name, 0) != 0)
        return -1;
    return openat(folder, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
}

/* File name at the end of a path, after its last slash; "" if the path ends in no file name. */
static char *end_of(char *path) {
    char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    return strcmp(name, ".") == 0 || strcmp(name, "..") == 0 ? path + strlen(path) : name;
}

/* Folder of a path, "." for a bare name. The path is cut before the name until mend restores it. */
static const char *cut_folder(char *path, char *name) {
    if (name == path)
        return ".";
    if (name == path + 1)
        return "/";
    name[-1] = '\0';
    return path;
}

static void mend(char *path, char *name) {
    if (name > path + 1)
        name[-1] = '/';
}

/* Descriptor number of a path like "/proc/self/fd/3"; -1: any other path. */
static int own_descriptor(const char *folder, const char *name) {
    char own[40], *end;
    char *real = realpath(folder, NULL);
    snprintf(own, sizeof own, "/proc/%ld/fd", (long)getpid());
    bool is_own = real && strcmp(real, own) == 0;
    free(real);
    long number = is_own && *name >= '0' && *name <= '9' ? strtol(name, &end, 10) : -1;
    return number < 0 || *end || number > INT_MAX ? -1 : (int)number;
}

/* Path that a link leads to, relative links resolved from the link's folder; the caller frees it. NULL: errno has the
 * cause. */
static char *read_link(const Place *place) {
    char text[PATH_MAX];
    ssize_t length = readlinkat(place->folder, place->name, text, sizeof text - 1);
    size_t before = length > 0 && text[0] != '/' ? (size_t)(place->name - place->path) : 0;
    char *path = length > 0 ? malloc(before + (size_t)length + 1) : NULL;
    if (!path)
        return NULL;
    memcpy(path, place->path, before);
    memcpy(path + before, text, (size_t)length);
    path[before + (size_t)length] = '\0';
    return path;
}

/* Follows all links and finds folder and name at their end, or a descriptor of this process. False: errno has the
 * cause. */
static bool follow(Place *place) {
    for (int links = 0; links <= MOST_LINKS; links++) {
        place->name = end_of(place->path);
        if (!*place->name) {
            if (stat(place->path, &place->what) == 0)
                errno = EISDIR;
            return false;
        }
        const char *folder = cut_folder(place->path, place->name);
        place->descriptor = own_descriptor(folder, place->name);
        if (place->folder >= 0)
            close(place->folder);
        place->folder = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        mend(place->path, place->name);
        if (place->folder < 0 || place->descriptor >= 0)
            return place->descriptor >= 0;
        place->there = fstatat(place->folder, place->name, &place->what, AT_SYMLINK_NOFOLLOW) == 0;
        if (!place->there || !S_ISLNK(place->what.st_mode))
            return place->there || errno == ENOENT;
        char *next = read_link(place);
        if (!next)
            return false;
        free(place->path);
        place->path = next;
    }
    errno = ELOOP;
    return false;
}

/* Creates the temporary file beside the regular file that will be replaced, with the owner and permissions of that
 * file. -1: errno has the cause. */
static int begin_part(RbvOutputFile *output, const Place *place) {
    if (place->there && faccessat(place->folder, place->name, W_OK, AT_EACCESS) != 0)
        return -1;
    int file = -1;
    for (int k = 0; k < MOST_PARTS && file < 0; k++) {
        snprintf(output->part, sizeof output->part, "roberval-%ld-%d.part", (long)getpid(), k);
        file = openat(place->folder, output->part, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
        if (file < 0 && errno != EEXIST)
            return -1;
    }
    if (file >= 0 && place->there) {
        int lost = fchown(file, place->what.st_uid, place->what.st_gid) + fchmod(file, place->what.st_mode & RIGHTS);
        (void)lost; /* fails for a file of another owner or a file system without permissions: the new file then has the
                       caller's */
    }
    return file;
}

/* Opens the target of a path for writing and returns a descriptor; -1: errno has the cause. */
static int open_place(RbvOutputFile *output, const char *path, Place *place) {
    struct stat what;
    bool found = follow(place);
    int why = errno;
    if (place->descriptor >= 0)
        return dup(place->descriptor);
    bool there = stat(path, &what) == 0;
    if (there && !S_ISREG(what.st_mode))
        return open(path, O_WRONLY | O_NOCTTY | O_CLOEXEC);
    bool named = found && place->there && what.st_dev == place->what.st_dev && what.st_ino == place->what.st_ino;
    if (there && !named) /* a file without a name, reached by a descriptor link of another process */
        return open(path, O_WRONLY | O_TRUNC | O_NOCTTY | O_CLOEXEC);
    errno = why;
    if (!found || !(output->name = strdup(place->name)))
        return -1;
    output->folder = place->folder;
    return begin_part(output, place);
}

bool rbv_output_open(RbvOutputFile *output, const char *path) {
    *output = (RbvOutputFile){.folder = -1};
    Place place = {.folder = -1, .descriptor = -1, .path = strdup(path)};
    int file = place.path ? open_place(output, path, &place) : -1;
    output->stream = file >= 0 ? fdopen(file, "wb") : NULL;
    int why = errno;
    if (file >= 0 && !output->stream) { /* out of memory */
        close(file);
        if (output->folder >= 0)
            unlinkat(output->folder, output->part, 0);
    }
    if (place.folder >= 0 && (output->folder < 0 || !output->stream))
        close(place.folder);
    if (!output->stream)
        free(output->name);
    free(place.path);
    errno = why;
    return output->stream;
}

bool rbv_output_close(RbvOutputFile *output, bool good) {
    bool replaces = output->folder >= 0;
    good = good && fflush(output->stream) == 0 && (!replaces || rbv_sync(fileno(output->stream)));
    int why = errno;
    if (fclose(output->stream) != 0 && good) {
        good = false;
        why = errno;
    }
    if (replaces && good) {
        good = renameat(output->folder, output->part, output->folder, output->name) == 0 && rbv_sync(output->folder);
        why = errno;
    }
    if (replaces && !good)
        unlinkat(output->folder, output->part, 0);
    if (replaces)
        close(output->folder);
    free(output->name);
    errno = why;
    return good;
}

RbvStatus rbv_file_fail(const char *path, RbvDiagnostics *diagnostics) {
    if (errno == ENOMEM)
        return RBV_NO_MEMORY;
    rbv_diagnose(diagnostics, RBV_ERROR, NULL, (RbvPosition){0, 0}, "cannot write %s: %s", path, strerror(errno));
    return RBV_NOT_WRITABLE;
}

RbvStatus rbv_folder_fail(const RbvFolder *folder, const char *file, RbvDiagnostics *diagnostics) {
    if (errno == ENOMEM)
        return RBV_NO_MEMORY;
    rbv_diagnose(diagnostics, RBV_ERROR, NULL, RBV_NO_PLACE, file ? "cannot write %s/%s: %s" : "cannot write %s%s: %s",
                 folder->path, file ? file : "", strerror(errno));
    return RBV_NOT_WRITABLE;
}

RbvStatus rbv_file_write(const char *path, const void *bytes, size_t size, RbvDiagnostics *diagnostics) {
    RbvOutputFile output;
    if (!path || (!bytes && size > 0))
        return RBV_BAD_ARGUMENT;
    if (!rbv_output_open(&output, path))
        return rbv_file_fail(path, diagnostics);
    bool good = fwrite(bytes, 1, size, output.stream) == size;
    return rbv_output_close(&output, good) ? RBV_OK : rbv_file_fail(path, diagnostics);
}
