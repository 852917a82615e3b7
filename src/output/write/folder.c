/* The folder for the files of one run, and the files when the run is done.
 *
 * The folder is locked from open to close by DIR/roberval.lock.
 *
 * The lock is the system's (flock) and ends with its process, however the process ends. The file names the process that
 * has the lock. A lock file without a lock is left of a run that was killed; the new run takes it over. */
#define _DEFAULT_SOURCE
#include "output/write/files.h"

#include "core/base/diagnostics.h"
#include "model/result/result.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define LOCK "roberval.lock"

/* ---- the files of a run: each is written under a temporary name, and all are moved to their places together when all
 * are complete ---- */

typedef struct RunFile {
    const char *name, *part;
    bool (*write)(const RbvResult *result, const RbvView *view, FILE *stream);
    bool (*has)(const RbvResult *result); /* has the result this file? That of an earlier run is removed in any case */
} RunFile;

static bool write_result(const RbvResult *result, const RbvView *view, FILE *file) {
    (void)view;
    char *json = rbv_json_of_result(result);
    if (!json) {
        errno = ENOMEM;
        return false;
    }
    bool good = fputs(json, file) >= 0;
    free(json);
    return good;
}

static bool has_samples(const RbvResult *result) {
    return result->sample_count > 0;
}

static bool has_changes(const RbvResult *result) {
    return result->change_count > 0;
}

static bool has_choices(const RbvResult *result) {
    return result->choice_count > 0;
}

static bool has_sizing(const RbvResult *result) {
    return result->sized_count > 0;
}

static bool has_scene(const RbvResult *result) {
    return result->scene != NULL;
}

static bool has_always(const RbvResult *result) {
    (void)result;
    return true;
}

/* The samples come first: a run may have written them while it went on. result.json is the last to come to its place.
 */
static const RunFile run_files[] = {{"series.csv", "series.csv" RBV_PART, rbv_write_series, has_samples},
                                    {"verdicts.csv", "verdicts.csv" RBV_PART, rbv_write_verdicts, has_changes},
                                    {"choices.csv", "choices.csv" RBV_PART, rbv_write_choices, has_choices},
                                    {"sizing.csv", "sizing.csv" RBV_PART, rbv_write_sizing, has_sizing},
                                    {"scene.json", "scene.json" RBV_PART, rbv_write_scene, has_scene},
                                    {"result.json", "result.json" RBV_PART, write_result, has_always}};
#define RUN_FILES ((int)(sizeof run_files / sizeof run_files[0]))

/* ---- the folder ---- */

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
static int take_lock(int folder, char *holder, size_t size) {
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
static const char *foreign_kind(const RbvFolder *folder, const char *name) {
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
static RbvStatus refuse_name(const RbvFolder *folder, const char *name, RbvDiagnostics *diagnostics) {
    const char *what = foreign_kind(folder, name);
    if (!what)
        return RBV_OK;
    rbv_diagnose(diagnostics, RBV_ERROR, NULL, RBV_NO_PLACE,
                 "cannot write %s/%s: it is %s, and a run writes to files of its own alone; remove it, or name "
                 "another folder",
                 folder->path, name, what);
    return RBV_NOT_WRITABLE;
}

static RbvStatus refuse_foreign(const RbvFolder *folder, RbvDiagnostics *diagnostics) {
    static const char *const others[] = {LOCK, RBV_CHECKPOINT, RBV_CHECKPOINT RBV_PART, RBV_CHECKPOINT_ROWS};
    RbvStatus status = RBV_OK;
    for (int k = 0; k < RUN_FILES && status == RBV_OK; k++) {
        status = refuse_name(folder, run_files[k].name, diagnostics);
        status = status == RBV_OK ? refuse_name(folder, run_files[k].part, diagnostics) : status;
    }
    for (size_t k = 0; k < sizeof others / sizeof others[0] && status == RBV_OK; k++)
        status = refuse_name(folder, others[k], diagnostics);
    return status;
}

static bool has_checkpoint(const RbvFolder *folder) {
    return faccessat(folder->folder, RBV_CHECKPOINT, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

RbvStatus rbv_folder_is_free(const RbvFolder *folder, RbvDiagnostics *diagnostics) {
    if (!folder)
        return RBV_BAD_ARGUMENT;
    if (!has_checkpoint(folder))
        return RBV_OK;
    rbv_diagnose(diagnostics, RBV_ERROR, NULL, RBV_NO_PLACE,
                 "%s holds a run that was interrupted: go on with it by " RBV_OPTION_SIMULATE_RESUME
                 ", name another folder, or remove %s/" RBV_CHECKPOINT " to give it up",
                 folder->path, folder->path);
    return RBV_BAD_INPUT;
}

static RbvStatus lock_folder(RbvFolder *folder, RbvDiagnostics *diagnostics) {
    char holder[320] = "";
    folder->lock = take_lock(folder->folder, holder, sizeof holder);
    if (folder->lock >= 0) {
        folder->abandoned = holder[0] != '\0';
        if (folder->abandoned)
            rbv_diagnose(diagnostics, RBV_NOTE, NULL, RBV_NO_PLACE, "a run into %s did not come to its end: %s",
                         folder->path, holder);
        write_holder(folder->lock);
        return RBV_OK;
    }
    if (errno == ENOLCK || errno == ENOSYS || errno == EOPNOTSUPP) {
        rbv_diagnose(diagnostics, RBV_NOTE, NULL, RBV_NO_PLACE,
                     "%s lies where files cannot be locked: another run into it would not be noticed", folder->path);
        return RBV_OK;
    }
    if (errno != EWOULDBLOCK)
        return rbv_folder_fail(folder, LOCK, diagnostics);
    rbv_diagnose(diagnostics, RBV_ERROR, NULL, RBV_NO_PLACE,
                 "another run writes into %s: %s; name another folder, or wait for its end", folder->path,
                 *holder ? holder : "one that has just begun");
    return RBV_NOT_WRITABLE;
}

/* Notes the temporary files of a run that was killed while it wrote them. */
static void note_parts(const RbvFolder *folder, RbvDiagnostics *diagnostics) {
    for (int k = 0; k < RUN_FILES; k++)
        if (faccessat(folder->folder, run_files[k].part, F_OK, AT_SYMLINK_NOFOLLOW) == 0)
            rbv_diagnose(diagnostics, RBV_NOTE, NULL, RBV_NO_PLACE,
                         "%s/%s is left of a run that did not come to its end; it goes when this run writes its files",
                         folder->path, run_files[k].part);
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
        status = make_folder(folder) ? refuse_foreign(folder, diagnostics) : rbv_folder_fail(folder, NULL, diagnostics);
    }
    if (status == RBV_OK)
        status = lock_folder(folder, diagnostics);
    if (status != RBV_OK) {
        rbv_folder_close(folder);
        return status;
    }
    if (!has_checkpoint(folder))
        note_parts(folder, diagnostics);
    *out = folder;
    return RBV_OK;
}

/* Removes the folders that this run created if they are empty (rmdir removes empty folders only). */
static void remove_empty_folders(const RbvFolder *folder) {
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
        remove_empty_folders(folder);
    free(folder->path);
    free(folder);
}

/* Writes a file of the folder under its temporary name. False: incomplete; errno has the cause. */
static bool write_part(const RbvFolder *folder, const RbvResult *result, const RbvView *view, const RunFile *file) {
    int part = rbv_create_in(folder->folder, file->part);
    FILE *stream = part < 0 ? NULL : fdopen(part, "wb");
    if (!stream) {
        int why = errno;
        if (part >= 0)
            close(part);
        errno = why;
        return false;
    }
    errno = 0;
    bool good = file->write(result, view, stream);
    good = fflush(stream) == 0 && good && rbv_sync(part);
    int why = errno;
    good = fclose(stream) == 0 && good;
    errno = why ? why : errno;
    return good;
}

static void remove_parts(const RbvFolder *folder, int first) {
    int why = errno;
    for (int k = first; k < RUN_FILES; k++)
        unlinkat(folder->folder, run_files[k].part, 0);
    errno = why;
}

static bool remove_file(const RbvFolder *folder, const char *name) {
    return unlinkat(folder->folder, name, 0) == 0 || errno == ENOENT;
}

/* Renames all parts to their places. The old result.json is removed first and the new one is placed last: wherever this
 * stops, files that stand beside each other are of one run. Returns NULL, or the name of the file that failed. */
static const char *move_to_places(const RbvFolder *folder, const RbvResult *result) {
    for (int k = RUN_FILES - 1; k >= 0; k--)
        if ((k > 0 || !run_files[k].has(result)) && !remove_file(folder, run_files[k].name))
            return run_files[k].name;
    for (int k = 0; k < RUN_FILES; k++)
        if (run_files[k].has(result) &&
            renameat(folder->folder, run_files[k].part, folder->folder, run_files[k].name) != 0)
            return run_files[k].name;
    return rbv_sync(folder->folder) ? NULL : ".";
}

RbvStatus rbv_folder_write(RbvFolder *folder, const RbvResult *result, const RbvView *given,
                           RbvDiagnostics *diagnostics) {
    if (!folder || !result)
        return RBV_BAD_ARGUMENT;
    const RbvView *view = given ? given : &rbv_view_default;
    const char *failed = NULL;
    RbvStatus status = folder->keeper ? RBV_OK : rbv_folder_is_free(folder, diagnostics);
    if (status != RBV_OK)
        return status;
    int first = has_samples(result) && rbv_folder_keeper_finish(folder->keeper, result, view,
                                                                diagnostics); /* series.csv.part was written before */
    remove_parts(folder, first);
    for (int k = first; k < RUN_FILES && !failed; k++)
        if (run_files[k].has(result) && !write_part(folder, result, view, &run_files[k]))
            failed = run_files[k].name;
    failed = failed ? failed : move_to_places(folder, result);
    if (!failed)
        return RBV_OK;
    remove_parts(folder, 0);
    return rbv_folder_fail(folder, failed, diagnostics);
}

RbvStatus rbv_result_write(const RbvResult *result, const char *path, const RbvView *view,
                           RbvDiagnostics *diagnostics) {
    if (!result || !path)
        return RBV_BAD_ARGUMENT;
    RbvFolder *folder;
    RbvStatus status = rbv_folder_open(path, diagnostics, &folder);
    if (status == RBV_OK)
        status = rbv_folder_write(folder, result, view, diagnostics);
    rbv_folder_close(folder);
    return status;
}

char *rbv_result_text(const RbvResult *result, RbvTextForm form, const RbvView *view) {
    switch (form) {
    case RBV_TEXT_JSON: return rbv_json_of_result(result);
    case RBV_TEXT_SERIES: return rbv_series_of_result(result, view);
    case RBV_TEXT_TABLES: return rbv_tables_of_result(result, view);
    case RBV_TEXT_SCENE: return rbv_scene_of_result(result);
    default: return NULL;
    }
}
