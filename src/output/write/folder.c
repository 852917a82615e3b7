/* The folder for the files of one run, locked from open to close by DIR/roberval.lock.
 *
 * The lock is the system's (flock) and ends with its process, however the process ends. The file names the process that
 * has the lock. A lock file without a lock is left of a run that was killed; the new run takes it over. */
#define _DEFAULT_SOURCE
#include "output/write/folder.h"

#include "core/base/diagnostics.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define LOCK "roberval.lock"
#define NOWHERE ((RbvPosition){0, 0})

/* Creates the folder with all its parents (mkdir -p) and opens it; folder->made: where the first new folder ends in the
 * path. */
static bool make_folder(RbvFolder *folder) {
    char *path = folder->path;
    size_t length = strlen(path);
    for (size_t k = 1; k <= length; k++) {
        if (path[k] != '/' && path[k] != '\0')
            continue;
        char cut = path[k];
        path[k] = '\0';
        bool made = mkdir(path, 0777) == 0;
        path[k] = cut;
        if (!made && errno != EEXIST)
            return false;
        if (made && folder->made == 0)
            folder->made = k;
    }
    folder->folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    return folder->folder >= 0;
}

/* Reads the owner from the lock file, "process 12 on host"; "" if it is empty. */
static void read_holder(int lock, char *text, size_t size) {
    ssize_t length = pread(lock, text, size - 1, 0);
    text[length > 0 ? length : 0] = '\0';
    text[strcspn(text, "\r\n")] = '\0';
}

static void write_holder(int lock) {
    char host[256] = "", text[320];
    gethostname(host, sizeof host - 1);
    int length = snprintf(text, sizeof text, "process %ld on %s\n", (long)getpid(), *host ? host : "this host");
    if (ftruncate(lock, 0) != 0 || pwrite(lock, text, (size_t)length, 0) != length)
        return; /* the lock is valid without the owner's name */
}

static bool is_same_file(int folder, int lock) {
    struct stat held, there;
    return fstat(lock, &held) == 0 && fstatat(folder, LOCK, &there, AT_SYMLINK_NOFOLLOW) == 0 &&
           held.st_dev == there.st_dev && held.st_ino == there.st_ino;
}

/* Opens and locks the lock file; returns its descriptor. -1: errno has the cause; EWOULDBLOCK: another process has the
 * lock, its name is in `holder`. If the owner removed the file before the lock was obtained, tries again with a new
 * file. */
static int take(int folder, char *holder, size_t size) {
    for (;;) {
        int lock = openat(folder, LOCK, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0666);
        if (lock < 0)
            return -1;
        bool locked = flock(lock, LOCK_EX | LOCK_NB) == 0;
        int why = errno;
        if (locked && !is_same_file(folder, lock)) {
            close(lock);
            continue;
        }
        read_holder(lock, holder, size);
        if (locked)
            return lock;
        close(lock);
        errno = why;
        if (why != EINTR)
            return -1;
    }
}

/* Kind of an object that stands at the place of a file of the run and that the run must not replace; NULL: none. The
 * lock file is written into, so it must not have a second hard link. */
static const char *stranger(const RbvFolder *folder, const char *name) {
    struct stat what;
    if (fstatat(folder->folder, name, &what, AT_SYMLINK_NOFOLLOW) != 0)
        return NULL;
    if (S_ISDIR(what.st_mode)) /* harmless: no file can be created there, and that error is reported then */
        return NULL;
    if (S_ISREG(what.st_mode))
        return what.st_nlink > 1 && strcmp(name, LOCK) == 0 ? "a file that has another name, too" : NULL;
    return S_ISLNK(what.st_mode)    ? "a symbolic link"
           : S_ISFIFO(what.st_mode) ? "a FIFO"
           : S_ISSOCK(what.st_mode) ? "a socket"
                                    : "a device";
}

/* Refuses a folder with a link, FIFO, socket or device at the place of a file of the run: a run writes to regular files
 * of its own only. Returns RBV_NOT_WRITABLE with an error. */
static RbvStatus refuse_strangers(const RbvFolder *folder, RbvDiagnostics *diagnostics) {
    static const char *const names[] = {LOCK,
                                        "series.csv",
                                        "verdicts.csv",
                                        "scene.json",
                                        "result.json",
                                        "series.csv" RBV_PART,
                                        "verdicts.csv" RBV_PART,
                                        "scene.json" RBV_PART,
                                        "result.json" RBV_PART,
                                        RBV_CHECKPOINT,
                                        RBV_CHECKPOINT RBV_PART,
                                        RBV_CHECKPOINT_ROWS};
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
        const char *what = stranger(folder, names[k]);
        if (!what)
            continue;
        rbv_diagnose(diagnostics, RBV_ERROR, NULL, NOWHERE,
                     "cannot write %s/%s: it is %s, and a run writes to files of its own alone; remove it, or name "
                     "another folder",
                     folder->path, names[k], what);
        return RBV_NOT_WRITABLE;
    }
    return RBV_OK;
}

static bool is_interrupted(const RbvFolder *folder) {
    return faccessat(folder->folder, RBV_CHECKPOINT, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

RbvStatus rbv_folder_is_free(const RbvFolder *folder, RbvDiagnostics *diagnostics) {
    if (!folder)
        return RBV_BAD_ARGUMENT;
    if (!is_interrupted(folder))
        return RBV_OK;
    rbv_diagnose(diagnostics, RBV_ERROR, NULL, NOWHERE,
                 "%s holds a run that was interrupted: go on with it by roberval simulate --resume, name another "
                 "folder, or remove %s/" RBV_CHECKPOINT " to give it up",
                 folder->path, folder->path);
    return RBV_BAD_INPUT;
}

static RbvStatus hold(RbvFolder *folder, RbvDiagnostics *diagnostics) {
    char holder[320] = "";
    folder->lock = take(folder->folder, holder, sizeof holder);
    if (folder->lock >= 0) {
        folder->abandoned = holder[0] != '\0';
        if (folder->abandoned)
            rbv_diagnose(diagnostics, RBV_NOTE, NULL, NOWHERE, "a run into %s did not come to its end: %s",
                         folder->path, holder);
        write_holder(folder->lock);
        return RBV_OK;
    }
    if (errno == ENOLCK || errno == ENOSYS || errno == EOPNOTSUPP) {
        rbv_diagnose(diagnostics, RBV_NOTE, NULL, NOWHERE,
                     "%s lies where files cannot be locked: another run into it would not be noticed", folder->path);
        return RBV_OK;
    }
    if (errno != EWOULDBLOCK)
        return rbv_folder_fail(folder, LOCK, diagnostics);
    rbv_diagnose(diagnostics, RBV_ERROR, NULL, NOWHERE,
                 "another run writes into %s: %s; name another folder, or wait for its end", folder->path,
                 *holder ? holder : "one that has just begun");
    return RBV_NOT_WRITABLE;
}

/* Notes the temporary files of a run that was killed while it wrote them. */
static void note_parts(const RbvFolder *folder, RbvDiagnostics *diagnostics) {
    static const char *const names[] = {"series.csv" RBV_PART, "verdicts.csv" RBV_PART, "scene.json" RBV_PART,
                                        "result.json" RBV_PART};
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++)
        if (faccessat(folder->folder, names[k], F_OK, AT_SYMLINK_NOFOLLOW) == 0)
            rbv_diagnose(diagnostics, RBV_NOTE, NULL, NOWHERE,
                         "%s/%s is left of a run that did not come to its end; it goes when this run writes its files",
                         folder->path, names[k]);
}

RbvStatus rbv_folder_open(const char *path, RbvDiagnostics *diagnostics, RbvFolder **out) {
    if (!path || !out)
        return RBV_BAD_ARGUMENT;
    *out = NULL;
    RbvFolder *folder = calloc(1, sizeof *folder);
    if (!folder)
        return RBV_NO_MEMORY;
    folder->folder = folder->lock = -1;
    folder->path = malloc(strlen(path) + 1);
    RbvStatus status = folder->path ? RBV_OK : RBV_NO_MEMORY;
    if (status == RBV_OK) {
        strcpy(folder->path, path);
        status =
            make_folder(folder) ? refuse_strangers(folder, diagnostics) : rbv_folder_fail(folder, NULL, diagnostics);
    }
    if (status == RBV_OK)
        status = hold(folder, diagnostics);
    if (status != RBV_OK) {
        rbv_folder_close(folder);
        return status;
    }
    if (!is_interrupted(folder))
        note_parts(folder, diagnostics);
    *out = folder;
    return RBV_OK;
}

/* Removes the folders that this run created if they are empty (rmdir removes empty folders only). */
static void remove_empty(const RbvFolder *folder) {
    char *path = folder->path;
    for (size_t k = strlen(path); folder->made > 0 && k >= folder->made; k--) {
        if (path[k] != '/' && path[k] != '\0')
            continue;
        path[k] = '\0';
        if (rmdir(path) != 0)
            return;
    }
}

void rbv_folder_close(RbvFolder *folder) {
    if (!folder)
        return;
    rbv_folder_keeper_close(folder->keeper);
    if (folder->lock >= 0) {
        unlinkat(folder->folder, LOCK, 0); /* while locked: no other run can have created it */
        close(folder->lock);
    }
    if (folder->folder >= 0)
        close(folder->folder);
    if (folder->path)
        remove_empty(folder);
    free(folder->path);
    free(folder);
}
