/* A run that is kept while it goes on: series.csv.part, and beside it what is needed to go on from a place of it.
 *
 *   checkpoint        head, the lines that must be the same, the state; written beside its place and moved there
 *   checkpoint.rows   the samples as numbers, appended; as many as the checkpoint says belong to it
 * Whenever the process is killed, the checkpoint that stands there is complete, and its samples are.
 */
#define _DEFAULT_SOURCE
#include "base/diagnostics.h"
#include "result/result.h"
#include "write/folder.h"
#include "write/series.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define CHECKPOINT "checkpoint"
#define ROWS "checkpoint.rows"
#define SERIES "series.csv" RBV_PART
/* [s] between two writings. */
#define EVERY 0.4
#define NOWHERE ((RbvPosition){0, 0})

typedef struct Head {
    char magic[16];
    uint64_t run, state, rows, width; /* bytes, bytes, samples, numbers of each */
    uint64_t sum;                     /* of run and state */
} Head;

static const char magic[16] = "roberval-kept-1";

struct RbvFolderKeeper {
    RbvKeeper base;
    RbvFolder *folder;
    RbvView view;
    char *run;
    char *read;       /* the file that is gone on from: head, run, state */
    void *values;     /* checkpoint.rows, mapped */
    size_t value_bytes;
    FILE *series;     /* series.csv.part, NULL: not begun, or complete */
    char *header;     /* its first line */
    int rows;         /* checkpoint.rows, -1: not begun */
    int32_t in_series, in_rows; /* samples written */
    struct timespec last, last_state; /* of samples, of a state */
};

static uint64_t checksum(uint64_t sum, const char *bytes, size_t size) {
    for (size_t k = 0; k < size; k++)
        sum = (sum ^ (unsigned char)bytes[k]) * 1099511628211u;
    return sum;
}

/* False: errno. */
static bool put(int file, const void *bytes, size_t size) {
    const char *at = bytes;
    while (size > 0) {
        ssize_t done = write(file, at, size);
        if (done < 0 && errno != EINTR)
            return false;
        at += done > 0 ? done : 0;
        size -= done > 0 ? (size_t)done : 0;
    }
    return true;
}

static bool get(int file, void *bytes, size_t size) {
    char *at = bytes;
    while (size > 0) {
        ssize_t done = read(file, at, size);
        if (done == 0 || (done < 0 && errno != EINTR))
            return false;
        at += done > 0 ? done : 0;
        size -= done > 0 ? (size_t)done : 0;
    }
    return true;
}

/* The series that has been written as far as it is done; of a run that goes on it begins with the samples there were. The checkpoint of another run goes before its samples do. */
static const char *write_samples(RbvFolderKeeper *k, const RbvResult *result) {
    if (!k->series) {
        if (!k->base.state && unlinkat(k->folder->folder, CHECKPOINT, 0) != 0 && errno != ENOENT)
            return CHECKPOINT;
        int file = openat(k->folder->folder, SERIES, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
        k->series = file < 0 ? NULL : fdopen(file, "wb");
        if (!k->series)
            return SERIES;
        free(k->header);
        k->header = rbv_series_header(result, &k->view);
    }
    errno = 0;
    if (!rbv_write_samples(result, &k->view, k->in_series, k->series) || fflush(k->series) != 0)
        return SERIES;
    k->in_series = result->sample_count;
    return NULL;
}

static const char *write_rows(RbvFolderKeeper *k, const RbvResult *result, size_t width) {
    if (k->rows < 0) {
        off_t there = (off_t)((size_t)k->in_rows * width * sizeof(double));
        k->rows = openat(k->folder->folder, ROWS, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
        if (k->rows < 0 || ftruncate(k->rows, there) != 0 || lseek(k->rows, there, SEEK_SET) != there)
            return ROWS;
    }
    if (!put(k->rows, result->data + (size_t)k->in_rows * width, (size_t)(result->sample_count - k->in_rows) * width * sizeof(double)))
        return ROWS;
    k->in_rows = result->sample_count;
    return NULL;
}

static const char *write_checkpoint(RbvFolderKeeper *k, const RbvResult *result, size_t width, const void *state, size_t size) {
    Head head = {.run = strlen(k->run), .state = size, .rows = (uint64_t)result->sample_count, .width = width};
    memcpy(head.magic, magic, sizeof magic);
    head.sum = checksum(checksum(0, k->run, head.run), state, size);
    int file = openat(k->folder->folder, CHECKPOINT RBV_PART, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    bool good = file >= 0 && put(file, &head, sizeof head) && put(file, k->run, head.run) && put(file, state, size);
    int why = errno;
    if (file >= 0)
        close(file);
    if (good && renameat(k->folder->folder, CHECKPOINT RBV_PART, k->folder->folder, CHECKPOINT) == 0)
        return NULL;
    why = good ? errno : why;
    unlinkat(k->folder->folder, CHECKPOINT RBV_PART, 0);
    errno = why;
    return CHECKPOINT;
}

static double seconds_since(const struct timespec *then) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - then->tv_sec) + 1e-9 * (double)(now.tv_nsec - then->tv_nsec);
}

static RbvStatus keep(void *context, const RbvResult *result, const void *state, size_t size, RbvDiagnostics *diagnostics) {
    RbvFolderKeeper *k = context;
    if (state ? seconds_since(&k->last_state) < EVERY : seconds_since(&k->last) < 2 * EVERY) /* a state that comes soon takes the samples with it */
        return RBV_OK;
    size_t width = (size_t)(result->column_count + result->hidden_count);
    const char *failed = write_samples(k, result);
    failed = failed || !state ? failed : write_rows(k, result, width);
    failed = failed || !state ? failed : write_checkpoint(k, result, width, state, size);
    clock_gettime(CLOCK_MONOTONIC, &k->last);
    k->last_state = state ? k->last : k->last_state;
    return failed ? rbv_folder_fail(k->folder, failed, diagnostics) : RBV_OK;
}

static RbvStatus refuse(const RbvFolder *folder, const char *text, RbvDiagnostics *diagnostics) {
    rbv_diagnose(diagnostics, RBV_ERROR, NULL, NOWHERE, "cannot resume in %s: %s", folder->path, text);
    return RBV_BAD_INPUT;
}

/* The first line of `now` that `then` has not, up to its colon. */
static void name_difference(const char *now, const char *then, char *text, size_t size) {
    snprintf(text, size, "it is another run");
    for (const char *line = now; *line;) {
        size_t length = strcspn(line, "\n"), other = strcspn(then, "\n"), name = strcspn(line, ":");
        if (length != other || strncmp(line, then, length) != 0) {
            snprintf(text, size, "the run there had another %.*s", (int)name, line);
            return;
        }
        line += length + (line[length] != '\0');
        then += other + (then[other] != '\0');
    }
}

/* The checkpoint's bytes into k->read, checked. */
static RbvStatus read_checkpoint(RbvFolderKeeper *k, Head *head, RbvDiagnostics *diagnostics) {
    const RbvFolder *folder = k->folder;
    struct stat what;
    int file = openat(folder->folder, CHECKPOINT, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    if (file < 0)
        return refuse(folder, "there is no checkpoint; a run leaves one that was killed or interrupted after its first second", diagnostics);
    bool good = fstat(file, &what) == 0 && (size_t)what.st_size >= sizeof *head && get(file, head, sizeof *head) && memcmp(head->magic, magic, sizeof magic) == 0;
    size_t size = good ? (size_t)what.st_size - sizeof *head : 0;
    good = good && head->run <= size && head->state == size - head->run && head->rows <= INT32_MAX;
    k->read = good ? malloc(size + 1) : NULL;
    RbvStatus status = good && !k->read ? RBV_NO_MEMORY : RBV_OK;
    good = k->read && get(file, k->read, size) && checksum(0, k->read, size) == head->sum;
    close(file);
    return !good ? refuse(folder, "its checkpoint is damaged, or of another version", diagnostics) : status;
}

static RbvStatus read_values(RbvFolderKeeper *k, const Head *head, RbvDiagnostics *diagnostics) {
    struct stat what;
    int file = openat(k->folder->folder, ROWS, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    bool good = file >= 0 && fstat(file, &what) == 0 && head->width > 0 && head->rows <= (uint64_t)what.st_size / sizeof(double) / head->width;
    size_t size = good ? (size_t)(head->rows * head->width) * sizeof(double) : 0;
    if (good && size > 0) {
        void *values = mmap(NULL, size, PROT_READ, MAP_SHARED, file, 0);
        good = values != MAP_FAILED;
        k->values = good ? values : NULL;
        k->value_bytes = good ? size : 0;
    }
    if (file >= 0)
        close(file);
    return !good ? refuse(k->folder, ROWS " is missing or too short", diagnostics) : RBV_OK;
}

static RbvStatus find_resumed(RbvFolderKeeper *k, RbvDiagnostics *diagnostics) {
    Head head;
    char text[200];
    RbvStatus status = read_checkpoint(k, &head, diagnostics);
    if (status != RBV_OK)
        return status;
    if (head.run != strlen(k->run) || memcmp(k->read, k->run, head.run) != 0) {
        char *then = malloc(head.run + 1);
        if (!then)
            return RBV_NO_MEMORY;
        memcpy(then, k->read, head.run);
        then[head.run] = '\0';
        name_difference(k->run, then, text, sizeof text);
        free(then);
        return refuse(k->folder, text, diagnostics);
    }
    status = read_values(k, &head, diagnostics);
    k->base.state = k->read + head.run;
    k->base.size = head.state;
    k->base.values = k->values;
    k->base.samples = k->in_rows = (int32_t)head.rows;
    return status;
}

RbvStatus rbv_folder_keep(RbvFolder *folder, const RbvView *view, const char *run, bool resume, RbvDiagnostics *diagnostics, const RbvKeeper **keeper) {
    if (!folder || folder->keeper || !run || !keeper)
        return RBV_BAD_ARGUMENT;
    RbvFolderKeeper *k = calloc(1, sizeof *k);
    if (!k)
        return RBV_NO_MEMORY;
    folder->keeper = k;
    *k = (RbvFolderKeeper){.folder = folder, .view = view ? *view : rbv_view_default(), .rows = -1, .run = malloc(strlen(run) + 1)};
    k->base.context = k;
    k->base.keep = keep;
    clock_gettime(CLOCK_MONOTONIC, &k->last);
    k->last_state = k->last;
    if (!k->run)
        return RBV_NO_MEMORY;
    strcpy(k->run, run);
    *keeper = &k->base;
    return resume ? find_resumed(k, diagnostics) : RBV_OK;
}

void rbv_folder_forget(RbvFolder *folder) {
    static const char *const names[] = {CHECKPOINT, CHECKPOINT RBV_PART, ROWS};
    for (size_t k = 0; folder && k < sizeof names / sizeof names[0]; k++)
        unlinkat(folder->folder, names[k], 0);
}

/* Does the name still stand for the file that is written? */
static bool is_there(const RbvFolderKeeper *k) {
    struct stat ours, named;
    return fstat(fileno(k->series), &ours) == 0 && fstatat(k->folder->folder, SERIES, &named, AT_SYMLINK_NOFOLLOW) == 0 && ours.st_dev == named.st_dev && ours.st_ino == named.st_ino;
}

/* Verdicts stand in the first line, and may have changed since it was written; rows of samples do not change. */
bool rbv_folder_keeper_finish(RbvFolderKeeper *k, const RbvResult *result, const RbvView *view) {
    if (!k || !k->series)
        return false;
    char *now = rbv_series_header(result, view);
    bool good = now && k->header && strcmp(now, k->header) == 0 && result->sample_count >= k->in_series && is_there(k);
    free(now);
    good = good && write_samples(k, result) == NULL;
    good = fclose(k->series) == 0 && good;
    k->series = NULL;
    return good;
}

void rbv_folder_keeper_close(RbvFolderKeeper *k) {
    if (!k)
        return;
    if (k->series)
        fclose(k->series);
    if (k->rows >= 0)
        close(k->rows);
    free(k->header);
    free(k->run);
    free(k->read);
    if (k->values)
        munmap(k->values, k->value_bytes);
    free(k);
}
