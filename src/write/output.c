/* The one way in which files that a user has named are written.
 *
 *   where the path leads to     what is done
 *   nothing, a regular file     a new file beside it, synced, renamed to its place, folder synced; what stood there
 *                               stays until then
 *   an open descriptor of ours  it is written to (/dev/stdout, /proc/self/fd/3)
 *   device, pipe, FIFO          it is opened and written to, and stays what it is
 * Links are followed one by one, so that the file they lead to is replaced in its own folder and they stay. A regular
 * file that may not be written is not replaced either; the new one has its rights.
 */
#define _DEFAULT_SOURCE
#include "write/output.h"

#include <roberval/result.h>

#include "base/diagnostics.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* As many links in a row as Linux follows. */
#define MOST_LINKS 40
/* Files of the same process and name for the time being. */
#define MOST_PARTS 100
#define RIGHTS 0777

/* Where a path leads to. */
typedef struct Place {
    int folder;     /* open, -1: not there */
    char *path;     /* the last of the links */
    char *name;     /* its end, in `path` */
    int descriptor; /* of this process; -1: none */
    bool there;
    struct stat what;
} Place;

bool rbv_sync(int file) {
    while (fsync(file) != 0)
        if (errno != EINTR)
            return errno == EINVAL || errno == ENOSYS || errno == EOPNOTSUPP ||
                   errno == EROFS; /* file systems that cannot */
    return true;
}

int rbv_create_in(int folder, const char *name) {
    struct stat what;
    if (fstatat(folder, name, &what, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(what.st_mode) &&
        unlinkat(folder, name, 0) != 0)
        return -1;
    return openat(folder, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
}

/* The end of the path, behind its last slash; "" where it is none of a file. */
static char *end_of(char *path) {
    char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    return strcmp(name, ".") == 0 || strcmp(name, "..") == 0 ? path + strlen(path) : name;
}

/* The folder of a path, "" stands for the one where the program runs; its end is cut off for the time being. */
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

/* "/proc/self/fd/3": the number; -1: the name of something else. */
static int own_descriptor(const char *folder, const char *name) {
    char own[40], *end;
    char *real = realpath(folder, NULL);
    snprintf(own, sizeof own, "/proc/%ld/fd", (long)getpid());
    bool is_own = real && strcmp(real, own) == 0;
    free(real);
    long number = is_own && *name >= '0' && *name <= '9' ? strtol(name, &end, 10) : -1;
    return number < 0 || *end || number > INT_MAX ? -1 : (int)number;
}

/* What the link says, seen from where it stands; to be freed. */
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

/* The folder and the name at the end of all links. False: errno. */
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

/* A regular file that will be replaced: the new one beside it, with its rights. */
static int begin_part(RbvOutput *output, const Place *place) {
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
        (void)lost; /* of another owner, or a file system without rights: it is the caller's own */
    }
    return file;
}

/* A descriptor to write to; -1: errno. */
static int open_place(RbvOutput *output, const char *path, Place *place) {
    struct stat what;
    bool found = follow(place);
    int why = errno;
    if (place->descriptor >= 0)
        return dup(place->descriptor);
    bool there = stat(path, &what) == 0;
    if (there && !S_ISREG(what.st_mode))
        return open(path, O_WRONLY | O_NOCTTY | O_CLOEXEC);
    bool named = found && place->there && what.st_dev == place->what.st_dev && what.st_ino == place->what.st_ino;
    if (there && !named) /* a file without a name, by a link of another process */
        return open(path, O_WRONLY | O_TRUNC | O_NOCTTY | O_CLOEXEC);
    errno = why;
    if (!found || !(output->name = strdup(place->name)))
        return -1;
    output->folder = place->folder;
    return begin_part(output, place);
}

bool rbv_output_open(RbvOutput *output, const char *path) {
    *output = (RbvOutput){.folder = -1};
    Place place = {.folder = -1, .descriptor = -1, .path = strdup(path)};
    int file = place.path ? open_place(output, path, &place) : -1;
    output->stream = file >= 0 ? fdopen(file, "wb") : NULL;
    int why = errno;
    if (file >= 0 && !output->stream) { /* no memory */
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

bool rbv_output_close(RbvOutput *output, bool good) {
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

RbvStatus rbv_file_write(const char *path, const void *bytes, size_t size, RbvDiagnostics *diagnostics) {
    RbvOutput output;
    if (!path || (!bytes && size > 0))
        return RBV_BAD_ARGUMENT;
    if (!rbv_output_open(&output, path))
        return rbv_file_fail(path, diagnostics);
    bool good = fwrite(bytes, 1, size, output.stream) == size;
    return rbv_output_close(&output, good) ? RBV_OK : rbv_file_fail(path, diagnostics);
}
