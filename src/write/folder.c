/* A folder for the files of one run, held from open to close by a lock on DIR/roberval.lock.
 *
 * The lock is the system's (flock): it falls when its process ends, however it ends. The file says who holds it; one
 * that is found without a lock is left of a run that was killed, and is taken over.
 */
#define _DEFAULT_SOURCE
#include "write/folder.h"

#include "base/diagnostics.h"

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

/* mkdir -p, remembering where the first new folder was. */
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

/* What stands in the lock file, "process 12 on host"; "" when nothing does. */
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
        return; /* the lock holds, it only does not say for whom */
}

static bool is_same_file(int folder, int lock) {
    struct stat held, there;
    return fstat(lock, &held) == 0 && fstatat(folder, LOCK, &there, AT_SYMLINK_NOFOLLOW) == 0 &&
           held.st_dev == there.st_dev && held.st_ino == there.st_ino;
}

/* The lock file, locked; -1 with errno, EWOULDBLOCK: by another, who is named. A file that its holder removed meanwhile
 * is no lock: again. */
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

/* What stands where a file of the run shall, and is none that may go; NULL: nothing does. A lock is written into, so
 * that it may have no other name. */
static const char *stranger(const RbvFolder *folder, const char *name) {
    struct stat what;
    if (fstatat(folder->folder, name, &what, AT_SYMLINK_NOFOLLOW) != 0)
        return NULL;
    if (S_ISDIR(what.st_mode)) /* harms nobody: no file can be made there, which is said then */
        return NULL;
    if (S_ISREG(what.st_mode))
        return what.st_nlink > 1 && strcmp(name, LOCK) == 0 ? "a file that has another name, too" : NULL;
    return S_ISLNK(what.st_mode)    ? "a symbolic link"
           : S_ISFIFO(what.st_mode) ? "a FIFO"
           : S_ISSOCK(what.st_mode) ? "a socket"
                                    : "a device";
}

/* Nothing in the folder is followed, waited for or written to but files of runs. */
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

/* Files of a run that was killed while it wrote. */
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

/* Folders that were made for nothing go again: rmdir takes empty ones only. */
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
        unlinkat(folder->folder, LOCK, 0); /* while it is held, so that it is ours */
        close(folder->lock);
    }
    if (folder->folder >= 0)
        close(folder->folder);
    if (folder->path)
        remove_empty(folder);
    free(folder->path);
    free(folder);
}
