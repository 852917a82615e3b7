/* Writes a run to the disk while it goes on, so that it can be resumed: series.csv.part, and a checkpoint beside it.
 *
 *   checkpoint        head, the lines that identify the run, the state; written under a temporary name and renamed
 *   checkpoint.rows   the samples as numbers, appended; the checkpoint has the count of those that belong to it
 * All parts have checksums. The samples reach the disk before the checkpoint that counts them, so the checkpoint and
 * its samples are complete however the run ends. The first checkpoint records only that the run has begun. A state that
 * is not yet due is kept in memory and written when the folder is closed. series.csv.part is never read for its
 * numbers: a resumed run writes it anew. */
#define _DEFAULT_SOURCE
#include "core/base/archive.h"
#include "core/base/diagnostics.h"
#include "model/result/result.h"
#include "output/write/files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define SERIES "series.csv" RBV_PART
/* [s] between two writes of samples with a state (EVERY), or without one (SAMPLES_EVERY, short: rows are printed while
 * threads compute others), and between two checkpoints (SAVED_EVERY): bringing a checkpoint to the
 * disk takes some hundredths of a second. */
#define EVERY 0.1
#define SAMPLES_EVERY 0.03
#define SAVED_EVERY 10

typedef struct Head {
    char magic[16];
    uint64_t run, state, rows, width; /* [bytes], [bytes], number of samples, numbers per sample */
    uint64_t rows_sum;                /* checksum of the samples */
    uint64_t series, series_sum;      /* length of series.csv.part at that time [bytes], and its checksum */
    uint64_t sum;                     /* checksum of the head (with sum = 0), run text and state */
} Head;

static const char magic[16] = "roberval-kept-4";

/* A state from which the run can be resumed, kept in memory. */
typedef struct KeptState {
    Head head;
    char *state;
    size_t capacity;
    bool requested; /* not yet written to a checkpoint */
} KeptState;

struct RbvFolderKeeper {
    RbvKeeper base;
    RbvFolder *folder;
    RbvView view;
    char *run;    /* text that identifies the run; NULL: no checkpoints, only samples are written */
    char *read;   /* contents of the checkpoint that is resumed: run text, state */
    void *values; /* checkpoint.rows, memory-mapped [value_bytes] */
    size_t value_bytes;
    RbvSeriesFile series; /* series.csv.part; stream NULL: not begun, or complete */
    char *header;         /* first line of series.csv.part */
    int rows;             /* descriptor of checkpoint.rows; -1: not begun */
    uint64_t rows_sum;
    int32_t in_series, in_rows; /* number of samples written to each file */
    bool begun;                 /* a checkpoint of this run has been written */
    KeptState kept;
    struct timespec last, last_state, saved; /* times of the last samples, state, checkpoint */
};

/* Writes or reads `size` bytes completely. False: errno has the cause, or (get) the file ended. */
static bool write_bytes(int file, const void *bytes, size_t size) {
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

static bool read_bytes(int file, void *bytes, size_t size) {
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

static uint64_t sum_of(Head head, const char *run, const char *state) {
    head.sum = 0;
    uint64_t sum = rbv_archive_sum(RBV_SUM_OF_NOTHING, &head, sizeof head);
    return rbv_archive_sum(rbv_archive_sum(sum, run, head.run), state, head.state);
}

/* Writes a checkpoint of the kept state; `synced`: brings to the disk first the samples it counts, then the checkpoint.
 * Returns NULL, or the name of the file that failed. */
static const char *save_checkpoint(RbvFolderKeeper *k, bool synced) {
    int folder = k->folder->folder;
    Head *head = &k->kept.head;
    memcpy(head->magic, magic, sizeof magic);
    head->run = strlen(k->run);
    head->sum = sum_of(*head, k->run, k->kept.state);
    if (synced && k->rows >= 0 && !rbv_sync(k->rows))
        return RBV_CHECKPOINT_ROWS;
    int file = rbv_create_in(folder, RBV_CHECKPOINT RBV_PART);
    bool good = file >= 0 && write_bytes(file, head, sizeof *head) && write_bytes(file, k->run, head->run) &&
                write_bytes(file, k->kept.state, head->state) && (!synced || rbv_sync(file));
    int why = errno;
    if (file >= 0)
        close(file);
    if (good && renameat(folder, RBV_CHECKPOINT RBV_PART, folder, RBV_CHECKPOINT) == 0 &&
        (!synced || rbv_sync(folder))) {
        k->begun = true;
        k->kept.requested = false;
        return NULL;
    }
    why = good ? errno : why;
    unlinkat(folder, RBV_CHECKPOINT RBV_PART, 0);
    errno = why;
    return RBV_CHECKPOINT;
}

/* Keeps a copy of the state in memory until a checkpoint is due. False: out of memory. */
static bool hold_state(RbvFolderKeeper *k, const RbvResult *result, const void *state, size_t size) {
    KeptState *kept = &k->kept;
    char *copy = size > kept->capacity ? realloc(kept->state, size) : kept->state;
    if (size > kept->capacity && !copy)
        return false;
    kept->capacity = size > kept->capacity ? size : kept->capacity;
    kept->state = copy;
    if (size > 0)
        memcpy(copy, state, size);
    kept->head = (Head){.state = size,
                        .rows = (uint64_t)k->in_rows,
                        .width = (uint64_t)(result->column_count + result->hidden_count),
                        .rows_sum = k->rows_sum,
                        .series = k->series.length,
                        .series_sum = k->series.sum};
    return kept->requested = true;
}

/* Name of the file of samples in messages: of a run that cannot be resumed its part goes with the run. */
static const char *series_name(const RbvFolderKeeper *k) {
    return k->run ? SERIES : "series.csv";
}

/* Begins series.csv.part, unless it has begun. False: errno has the cause. */
static bool begin_series(RbvFolderKeeper *k, const RbvResult *result) {
    if (k->series.stream)
        return true;
    int file = rbv_create_in(k->folder->folder, SERIES);
    k->series = (RbvSeriesFile){file < 0 ? NULL : fdopen(file, "wb"), 0, RBV_SUM_OF_NOTHING};
    if (!k->series.stream)
        return false;
    free(k->header);
    k->header = rbv_series_header(result, &k->view);
    return true;
}

/* Appends samples that are not written yet, to before `end`, to series.csv.part; a resumed run begins with sample 0.
 * Returns NULL, or the name of the file that failed. */
static const char *write_samples(RbvFolderKeeper *k, const RbvResult *result, int32_t end) {
    errno = 0;
    if (!begin_series(k, result) || !rbv_write_samples(result, &k->view, k->in_series, end, &k->series) ||
        fflush(k->series.stream) != 0)
        return series_name(k);
    k->in_series = end;
    return NULL;
}

/* Appends the new samples as numbers to checkpoint.rows, in a resumed run after the samples that the checkpoint counts.
 * Returns NULL, or the name of the file that failed. */
static const char *write_rows(RbvFolderKeeper *k, const RbvResult *result) {
    size_t width = (size_t)(result->column_count + result->hidden_count);
    if (k->rows < 0) {
        off_t there = (off_t)((size_t)k->in_rows * width * sizeof(double));
        k->rows = there > 0
                      ? openat(k->folder->folder, RBV_CHECKPOINT_ROWS, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
                      : rbv_create_in(k->folder->folder, RBV_CHECKPOINT_ROWS);
        if (k->rows < 0 || ftruncate(k->rows, there) != 0 || lseek(k->rows, there, SEEK_SET) != there)
            return RBV_CHECKPOINT_ROWS;
    }
    const double *rows = result->data + (size_t)k->in_rows * width;
    size_t size = (size_t)(result->sample_count - k->in_rows) * width * sizeof(double);
    if (!write_bytes(k->rows, rows, size))
        return RBV_CHECKPOINT_ROWS;
    k->rows_sum = rbv_archive_sum(k->rows_sum, rows, size);
    k->in_rows = result->sample_count;
    return NULL;
}

/* Writes the first checkpoint before any other file: it records that the run has begun; in a resumed run, also that
 * series.csv.part no longer has its previous contents. False: out of memory. */
static bool begin_files(RbvFolderKeeper *k, const RbvResult *result, const char **failed) {
    if (!hold_state(k, result, k->base.state, k->base.size))
        return false;
    *failed = save_checkpoint(k, k->base.state); /* synced only if resumed: a new run has no data to lose yet */
    return true;
}

static double seconds_since(const struct timespec *then) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - then->tv_sec) + 1e-9 * (double)(now.tv_nsec - then->tv_nsec);
}

/* Callback of the run: writes the new samples, at most every EVERY [s] (without a state SAMPLES_EVERY); with a state
 * also the numbers, and a checkpoint every SAVED_EVERY [s]. RBV_NO_MEMORY, or RBV_NOT_WRITABLE with an error. */
static RbvStatus keep_sample(void *context, const RbvResult *result, const void *state, size_t size,
                             RbvDiagnostics *diagnostics) {
    RbvFolderKeeper *k = context;
    const char *failed = NULL;
    if (k->run && !k->begun && !begin_files(k, result, &failed))
        return RBV_NO_MEMORY;
    if (!failed && (state ? seconds_since(&k->last_state) < EVERY
                          : seconds_since(&k->last) < SAMPLES_EVERY)) /* the next state takes the samples with it */
        return RBV_OK;
    bool kept = state && k->run;
    failed = failed ? failed : write_samples(k, result, result->sample_count);
    failed = failed || !kept ? failed : write_rows(k, result);
    if (!failed && kept && !hold_state(k, result, state, size))
        return RBV_NO_MEMORY;
    if (!failed && kept && seconds_since(&k->saved) >= SAVED_EVERY) {
        failed = save_checkpoint(k, true);
        clock_gettime(CLOCK_MONOTONIC, &k->saved);
    }
    clock_gettime(CLOCK_MONOTONIC, &k->last);
    k->last_state = state ? k->last : k->last_state;
    return failed ? rbv_folder_fail(k->folder, failed, diagnostics) : RBV_OK;
}

/* Callbacks of a run whose parts are computed on several threads, without states. */
static char *print_part(void *context, const RbvResult *part, size_t *length) {
    const RbvFolderKeeper *k = context;
    return rbv_print_samples(part, &k->view, length);
}

static RbvStatus keep_text(void *context, const RbvResult *result, int32_t first, const char *text, size_t length,
                           RbvDiagnostics *diagnostics) {
    RbvFolderKeeper *k = context;
    const char *failed = NULL;
    if (k->run && !k->begun && !begin_files(k, result, &failed))
        return RBV_NO_MEMORY;
    failed = failed ? failed : write_samples(k, result, first);
    errno = 0;
    if (!failed && rbv_write_lines(text, length, &k->series) && fflush(k->series.stream) == 0) {
        k->in_series = result->sample_count;
        return RBV_OK;
    }
    return rbv_folder_fail(k->folder, failed ? failed : series_name(k), diagnostics);
}

static RbvStatus refuse_resume(const RbvFolder *folder, const char *text, RbvDiagnostics *diagnostics) {
    rbv_diagnose(diagnostics, RBV_ERROR, NULL, RBV_NO_PLACE, "cannot resume in %s: %s", folder->path, text);
    return RBV_BAD_INPUT;
}

/* Writes to text[size] the name (up to its colon) of the first line of `now` that differs from `then`. */
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

/* Opens a regular file of the folder for reading; *size: its length [bytes]. -1: not there or no regular file. */
static int open_kept(const RbvFolder *folder, const char *name, size_t *size) {
    struct stat what;
    int file = openat(folder->folder, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (file >= 0 && (fstat(file, &what) != 0 || !S_ISREG(what.st_mode))) {
        close(file);
        return -1;
    }
    *size = file >= 0 ? (size_t)what.st_size : 0;
    return file;
}

/* Reads the checkpoint into k->read and verifies its lengths and checksum. RBV_BAD_INPUT: missing, damaged or of
 * another version. */
static RbvStatus read_checkpoint(RbvFolderKeeper *k, Head *head, RbvDiagnostics *diagnostics) {
    size_t size;
    int file = open_kept(k->folder, RBV_CHECKPOINT, &size);
    if (file < 0)
        return refuse_resume(k->folder,
                             "there is no checkpoint; a run of simulate leaves one that was interrupted or killed",
                             diagnostics);
    bool good =
        size >= sizeof *head && read_bytes(file, head, sizeof *head) && memcmp(head->magic, magic, sizeof magic) == 0;
    size -= good ? sizeof *head : 0;
    good = good && head->run <= size && head->state == size - head->run && head->rows <= INT32_MAX;
    k->read = good ? malloc(size + 1) : NULL;
    RbvStatus status = good && !k->read ? RBV_NO_MEMORY : RBV_OK;
    good = k->read && read_bytes(file, k->read, size) && sum_of(*head, k->read, k->read + head->run) == head->sum;
    close(file);
    return !good && status == RBV_OK
               ? refuse_resume(k->folder,
                               "its " RBV_CHECKPOINT
                               " is damaged, or of another version; when it is removed, the run can begin anew",
                               diagnostics)
               : status;
}

/* Maps the samples that the checkpoint counts and verifies their checksum; samples after these are ignored.
 * RBV_BAD_INPUT: missing, too short or damaged. */
static RbvStatus read_values(RbvFolderKeeper *k, const Head *head, RbvDiagnostics *diagnostics) {
    size_t there, size = 0;
    if (head->rows == 0)
        return RBV_OK;
    int file = open_kept(k->folder, RBV_CHECKPOINT_ROWS, &there);
    bool good = file >= 0 && head->width > 0 && head->rows <= there / sizeof(double) / head->width;
    if (good) {
        size = (size_t)(head->rows * head->width) * sizeof(double);
        void *values = mmap(NULL, size, PROT_READ, MAP_SHARED, file, 0);
        good = values != MAP_FAILED;
        k->values = good ? values : NULL;
        k->value_bytes = good ? size : 0;
    }
    if (file >= 0)
        close(file);
    if (!good)
        return refuse_resume(k->folder,
                             RBV_CHECKPOINT_ROWS " is missing or too short; when " RBV_CHECKPOINT
                                                 " is removed, the run can begin anew",
                             diagnostics);
    k->rows_sum = rbv_archive_sum(RBV_SUM_OF_NOTHING, k->values, size);
    if (k->rows_sum == head->rows_sum)
        return RBV_OK;
    return refuse_resume(k->folder,
                         RBV_CHECKPOINT_ROWS
                         " is damaged: it does not hold the samples that were written there; when " RBV_CHECKPOINT
                         " is removed, the run can begin anew",
                         diagnostics);
}

/* Does the file begin with `length` bytes of this checksum and, if `whole`, have no others? */
static bool fits_sum(const RbvFolder *folder, const char *name, uint64_t length, uint64_t sum, bool whole) {
    char bytes[1 << 14];
    size_t there;
    int file = open_kept(folder, name, &there);
    bool good = file >= 0 && (whole ? there == length : there >= length);
    uint64_t found = RBV_SUM_OF_NOTHING;
    for (size_t part; good && length > 0; length -= part) {
        part = length < sizeof bytes ? (size_t)length : sizeof bytes;
        good = read_bytes(file, bytes, part);
        found = rbv_archive_sum(found, bytes, good ? part : 0);
    }
    if (file >= 0)
        close(file);
    return good && found == sum;
}

/* Reads the checkpoint to resume from, and offers its state and samples in k->base. RBV_BAD_INPUT: no valid checkpoint,
 * or one of another run. A changed series.csv.part is reported as a warning. */
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
        return refuse_resume(k->folder, text, diagnostics);
    }
    status = read_values(k, &head, diagnostics);
    if (status == RBV_OK && head.series > 0 && faccessat(k->folder->folder, SERIES, F_OK, AT_SYMLINK_NOFOLLOW) == 0 &&
        !fits_sum(k->folder, SERIES, head.series, head.series_sum, false))
        rbv_diagnose(diagnostics, RBV_WARNING, NULL, RBV_NO_PLACE,
                     "%s/" SERIES
                     " is not what the run has written there; it is written anew from " RBV_CHECKPOINT_ROWS,
                     k->folder->path);
    k->base.state = k->read + head.run;
    k->base.size = head.state;
    k->base.values = k->values;
    k->base.samples = k->in_rows = (int32_t)head.rows;
    return status;
}

RbvStatus rbv_folder_keep(RbvFolder *folder, const RbvView *view, const char *run, bool resume,
                          RbvDiagnostics *diagnostics, const RbvKeeper **keeper) {
    if (!folder || folder->keeper || (!run && resume) || !keeper)
        return RBV_BAD_ARGUMENT;
    RbvStatus status = resume ? RBV_OK : rbv_folder_is_free(folder, diagnostics);
    if (status != RBV_OK)
        return status;
    RbvFolderKeeper *k = calloc(1, sizeof *k);
    if (!k)
        return RBV_NO_MEMORY;
    folder->keeper = k;
    *k = (RbvFolderKeeper){.folder = folder,
                           .view = view ? *view : rbv_view_default,
                           .rows = -1,
                           .rows_sum = RBV_SUM_OF_NOTHING,
                           .run = run ? strdup(run) : NULL};
    k->base.context = k;
    k->base.keep = keep_sample;
    k->base.print = print_part;
    k->base.keep_text = keep_text;
    clock_gettime(CLOCK_MONOTONIC, &k->last);
    k->last_state = k->saved = k->last;
    *keeper = &k->base;
    if (run && !k->run)
        return RBV_NO_MEMORY;
    return resume ? find_resumed(k, diagnostics) : RBV_OK;
}

void rbv_folder_forget(RbvFolder *folder) {
    static const char *const names[] = {RBV_CHECKPOINT, RBV_CHECKPOINT RBV_PART, RBV_CHECKPOINT_ROWS};
    if (folder && folder->keeper)
        folder->keeper->kept.requested = false;
    for (size_t k = 0; folder && k < sizeof names / sizeof names[0]; k++)
        unlinkat(folder->folder, names[k], 0);
}

/* Is series.csv.part in the folder still the file that the run writes? */
static bool is_in_place(const RbvFolderKeeper *k) {
    struct stat ours, named;
    return fstat(fileno(k->series.stream), &ours) == 0 &&
           fstatat(k->folder->folder, SERIES, &named, AT_SYMLINK_NOFOLLOW) == 0 && ours.st_dev == named.st_dev &&
           ours.st_ino == named.st_ino;
}

/* The first line has verdicts, which may have changed since it was written. Written rows do not change, unless the file
 * is changed from outside. */
bool rbv_folder_keeper_finish(RbvFolderKeeper *k, const RbvResult *result, const RbvView *view,
                              RbvDiagnostics *diagnostics) {
    if (!k || !k->series.stream)
        return false;
    char *now = rbv_series_header(result, view);
    bool good = now && k->header && strcmp(now, k->header) == 0 && result->sample_count >= k->in_series;
    free(now);
    good = good && write_samples(k, result, result->sample_count) == NULL;
    bool whole = !good || (is_in_place(k) && fits_sum(k->folder, SERIES, k->series.length, k->series.sum, true));
    if (!whole)
        rbv_diagnose(diagnostics, RBV_WARNING, NULL, RBV_NO_PLACE,
                     "%s/" SERIES " was changed while the run wrote it; series.csv is written anew", k->folder->path);
    good = good && whole && rbv_sync(fileno(k->series.stream));
    good = fclose(k->series.stream) == 0 && good;
    k->series.stream = NULL;
    return good;
}

void rbv_folder_keeper_close(RbvFolderKeeper *k) {
    if (!k)
        return;
    if (k->kept.requested)
        save_checkpoint(k, true); /* on failure the previous checkpoint stays */
    if (k->series.stream) {       /* the run has not come to its end */
        if (!k->run && is_in_place(k))
            unlinkat(k->folder->folder, SERIES, 0);
        fclose(k->series.stream);
    }
    if (k->rows >= 0)
        close(k->rows);
    free(k->kept.state);
    free(k->header);
    free(k->run);
    free(k->read);
    if (k->values)
        munmap(k->values, k->value_bytes);
    free(k);
}
