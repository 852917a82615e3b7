/* Appends rows and finds them again. A line is the row as study.csv has it, a tab, 16 digits of its checksum. */
#define _GNU_SOURCE
#include "study/files/journal.h"

#include "core/base/archive.h"
#include "core/base/text.h"
#include "study/files/line.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define SUM_LENGTH 18   /* a tab, 16 digits, the end of the line */
#define SYNC_EVERY 1000 /* [ms] */
#define HEAD "study"    /* file of the journal that says of which study it is */

static int64_t now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* ---- reading ---- */

/* Is the line of `length` bytes whole? */
static bool is_whole(const char *line, size_t length) {
    char digits[17];
    if (length <= SUM_LENGTH || line[length - 1] != '\n' || line[length - SUM_LENGTH] != '\t')
        return false;
    size_t body = length - SUM_LENGTH;
    memcpy(digits, line + body + 1, 16);
    digits[16] = '\0';
    char *end;
    uint64_t sum = strtoull(digits, &end, 16);
    return *end == '\0' && sum == rbv_archive_sum(RBV_SUM_OF_NOTHING, line, body);
}

/* Is the line of a failed variant? Its status is the cell behind those of numbers and verdicts. */
static bool is_failed(const RbvStudy *study, const char *line) {
    for (int32_t k = 1 + study->parameter_count + 2 * study->quantity_count; k > 0 && line; k--) {
        line = strchr(line, ',');
        line = line ? line + 1 : NULL;
    }
    return line && strncmp(line, "done,", 5) != 0;
}

/* Take the rows of a file. *end: behind its last whole line. */
static RbvStatus take_file(RbvJournal *j, int file, int index, int64_t *end) {
    FILE *stream = fdopen(dup(file), "r");
    char *line = NULL;
    size_t capacity = 0;
    ssize_t length;
    int64_t at = 0;
    *end = 0;
    if (!stream)
        return RBV_NO_MEMORY;
    rewind(stream);
    while ((length = getline(&line, &capacity, stream)) > 0) {
        int64_t variant = is_whole(line, (size_t)length) ? strtoll(line, NULL, 10) : 0;
        if (variant >= 1 && variant <= j->study->design.count && j->places[variant - 1] < 0) {
            j->places[variant - 1] = index * RBV_JOURNAL_FILE + at;
            j->done++;
            j->failed += is_failed(j->study, line);
        } else if (variant < 1 && line[length - 1] == '\n') {
            j->damaged++;
        }
        at += length;
        if (line[length - 1] == '\n')
            *end = at;
    }
    free(line);
    fclose(stream);
    return RBV_OK;
}

struct RbvJournalReader {
    const RbvJournal *journal;
    FILE **streams; /* [file_count] */
    char *line;
    size_t capacity;
};

RbvJournalReader *rbv_journal_reader(const RbvJournal *journal) {
    RbvJournalReader *r = calloc(1, sizeof *r);
    if (!r)
        return NULL;
    r->journal = journal;
    r->streams = calloc((size_t)journal->file_count + 1, sizeof(FILE *));
    for (int k = 0; r->streams && k < journal->file_count; k++) {
        int copy = dup(journal->files[k]);
        r->streams[k] = copy >= 0 ? fdopen(copy, "r") : NULL;
        if (!r->streams[k]) {
            rbv_journal_reader_destroy(r);
            return NULL;
        }
    }
    return r;
}

void rbv_journal_reader_destroy(RbvJournalReader *r) {
    if (!r)
        return;
    for (int k = 0; r->streams && k < r->journal->file_count; k++)
        if (r->streams[k])
            fclose(r->streams[k]);
    free(r->streams);
    free(r->line);
    free(r);
}

const char *rbv_journal_line(RbvJournalReader *r, int64_t variant) {
    int64_t place = r->journal->places[variant - 1];
    FILE *stream = r->streams[place / RBV_JOURNAL_FILE];
    off_t at = (off_t)(place % RBV_JOURNAL_FILE);
    if (ftello(stream) != at && fseeko(stream, at, SEEK_SET) != 0)
        return NULL;
    ssize_t length = getline(&r->line, &r->capacity, stream);
    if (length <= 0 || !is_whole(r->line, (size_t)length)) {
        errno = EIO;
        return NULL;
    }
    r->line[length - SUM_LENGTH] = '\0';
    return r->line;
}

/* ---- the head: of which study the journal is ---- */

static void write_head(const RbvStudy *study, RbvText *text) {
    rbv_text_format(text, "version %s\nmodel %016" PRIx64 "\nstudy %016" PRIx64 "\ncolumns ", rbv_version(),
                    study->model_fingerprint, study->fingerprint);
    rbv_study_head(study, text);
    rbv_text_format(text, "\nvariants %" PRId64 "\n", study->design.count);
}

static char *read_head(const RbvJournal *j) {
    int file = openat(j->folder, HEAD, O_RDONLY | O_CLOEXEC);
    RbvText text = {0};
    char block[4096];
    ssize_t length = 0;
    while (file >= 0 && (length = read(file, block, sizeof block)) > 0)
        rbv_text_append(&text, block, (size_t)length);
    if (file < 0)
        return NULL;
    close(file);
    return rbv_text_take(&text);
}

static bool save_head(const RbvJournal *j) {
    RbvText text = {0};
    char name[40];
    write_head(j->study, &text);
    snprintf(name, sizeof name, HEAD ".%ld", (long)getpid());
    int file = text.no_memory ? -1 : openat(j->folder, name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    bool good = file >= 0 && write(file, text.data, text.length) == (ssize_t)text.length && fsync(file) == 0;
    if (file >= 0)
        close(file);
    good = good && renameat(j->folder, name, j->folder, HEAD) == 0 && (fsync(j->folder) == 0 || errno == EINVAL);
    rbv_text_clear(&text);
    return good;
}

/* Does the line that begins with `word` agree? */
static bool same_line(const char *head, const char *own, const char *word) {
    const char *a = strstr(head, word), *b = strstr(own, word);
    size_t length = b ? 1 + strcspn(b + 1, "\n") + 1 : 0; /* with the ends before and behind it */
    return a && b && strncmp(a, b, length) == 0;
}

static RbvStatus refuse(const RbvJournal *j, RbvDiagnostics *diagnostics, const char *why) {
    rbv_diagnose(diagnostics, RBV_ERROR, NULL, (RbvPosition){0, 0}, "%s holds rows of %s; name another folder", j->path,
                 why);
    return RBV_BAD_INPUT;
}

/* Is the journal of this study? A study that is extended has more variants than the journal. */
static RbvStatus check_head(const RbvJournal *j, const char *head, RbvDiagnostics *diagnostics) {
    RbvText text = {0};
    write_head(j->study, &text);
    if (text.no_memory)
        return RBV_NO_MEMORY;
    const char *variants = strstr(head, "\nvariants ");
    int64_t count = variants ? strtoll(variants + 10, NULL, 10) : 0;
    RbvStatus status = RBV_OK;
    if (!same_line(head, text.data, "version "))
        status = refuse(j, diagnostics, "another version of roberval");
    else if (!same_line(head, text.data, "\nstudy "))
        status = refuse(j, diagnostics, "another study, or the study file was changed since");
    else if (!same_line(head, text.data, "\nmodel "))
        status = refuse(j, diagnostics, "another model, or the model was changed since");
    else if (!same_line(head, text.data, "\ncolumns "))
        status = refuse(j, diagnostics, "other parameters or quantities");
    else if (count != j->study->design.count && j->study->samples == 0)
        status = refuse(j, diagnostics, "another number of variants");
    else if (count > j->study->design.count) {
        rbv_diagnose(diagnostics, RBV_ERROR, NULL, (RbvPosition){0, 0},
                     "%s holds a study of %" PRId64 " variants, extended by %" PRId64 "; say " RBV_OPTION_EXTEND
                     " %" PRId64 " again",
                     j->path, count, count - j->study->samples, count - j->study->samples);
        status = RBV_BAD_INPUT;
    }
    rbv_text_clear(&text);
    return status;
}

/* ---- opening ---- */

static RbvStatus fail(const char *path, RbvDiagnostics *diagnostics) {
    if (errno == ENOMEM)
        return RBV_NO_MEMORY;
    rbv_diagnose(diagnostics, RBV_ERROR, NULL, (RbvPosition){0, 0}, "cannot write %s: %s", path, strerror(errno));
    return RBV_NOT_WRITABLE;
}

/* A file without name, for a study without folder. */
static RbvStatus open_nameless(RbvJournal *j, RbvDiagnostics *diagnostics) {
    const char *folder = getenv("TMPDIR");
    RbvText path = {0};
    rbv_text_format(&path, "%s/roberval-study-XXXXXX", folder && *folder ? folder : "/var/tmp");
    if (path.no_memory)
        return RBV_NO_MEMORY;
    j->own = mkostemp(path.data, O_CLOEXEC);
    RbvStatus status = j->own >= 0 ? RBV_OK : fail(path.data, diagnostics);
    if (j->own >= 0)
        unlink(path.data);
    rbv_text_clear(&path);
    j->files[0] = j->own;
    j->file_count = 1;
    return status;
}

/* mkdir -p */
static bool make_folders(const char *path) {
    char *copy = strdup(path);
    bool good = copy != NULL;
    for (size_t k = 1; good && k <= strlen(path); k++) {
        if (path[k] != '/' && path[k] != '\0')
            continue;
        copy[k] = '\0';
        good = mkdir(copy, 0777) == 0 || errno == EEXIST;
        copy[k] = path[k];
    }
    free(copy);
    return good;
}

/* Open and lock DIR/journal: alone, or beside other parts. */
static RbvStatus open_folder(RbvJournal *j, bool shared, RbvDiagnostics *diagnostics) {
    RbvText path = {0};
    rbv_text_format(&path, "%s/journal", j->path);
    if (path.no_memory)
        return RBV_NO_MEMORY;
    bool made = make_folders(path.data);
    j->folder = made ? open(path.data, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    RbvStatus status = j->folder >= 0 ? RBV_OK : fail(path.data, diagnostics);
    if (status == RBV_OK && flock(j->folder, (shared ? LOCK_SH : LOCK_EX) | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
        rbv_diagnose(diagnostics, RBV_ERROR, NULL, (RbvPosition){0, 0}, "another run writes to %s at this moment",
                     j->path);
        status = RBV_NOT_WRITABLE;
    }
    rbv_text_clear(&path);
    return status;
}

/* Name of this part's file. */
static void own_name(const RbvStudyFolderOptions *options, char *name, size_t size) {
    snprintf(name, size, "%d", options->parts > 0 ? (int)options->part : 0);
}

/* Open the other files of the journal and take their rows. */
static RbvStatus take_others(RbvJournal *j, const char *own) {
    int copy = dup(j->folder);
    DIR *list = copy >= 0 ? fdopendir(copy) : NULL;
    RbvStatus status = list ? RBV_OK : RBV_NO_MEMORY;
    if (list)
        rewinddir(list);
    for (struct dirent *entry; status == RBV_OK && list && (entry = readdir(list));) {
        size_t digits = strspn(entry->d_name, "0123456789");
        if (digits == 0 || entry->d_name[digits] || strcmp(entry->d_name, own) == 0)
            continue;
        int file = openat(j->folder, entry->d_name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
        int *files = realloc(j->files, ((size_t)j->file_count + 1) * sizeof *files);
        if (files)
            j->files = files;
        if (!files || file < 0) {
            status = files ? RBV_OK : RBV_NO_MEMORY;
            continue;
        }
        int64_t end;
        j->files[j->file_count] = file;
        status = take_file(j, file, j->file_count++, &end);
    }
    if (list)
        closedir(list);
    return status;
}

/* Open this part's file, and take its rows; a torn end is cut off. */
static RbvStatus take_own(RbvJournal *j, const char *name, RbvDiagnostics *diagnostics) {
    j->own = openat(j->folder, name, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (j->own < 0)
        return fail(j->path, diagnostics);
    j->files[0] = j->own;
    j->file_count = 1;
    if (flock(j->own, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
        rbv_diagnose(diagnostics, RBV_ERROR, NULL, (RbvPosition){0, 0}, "another run computes part %s in %s", name,
                     j->path);
        return RBV_NOT_WRITABLE;
    }
    RbvStatus status = take_file(j, j->own, 0, &j->size);
    if (status == RBV_OK && ftruncate(j->own, (off_t)j->size) != 0)
        return fail(j->path, diagnostics);
    return status;
}

static void remove_tables(const RbvJournal *j) {
    unlinkat(j->folder, "../study.csv", 0);
    unlinkat(j->folder, "../study.json", 0);
}

/* Remove the files of an earlier study that was finished. */
static void remove_files(const RbvJournal *j) {
    int copy = dup(j->folder);
    DIR *list = copy >= 0 ? fdopendir(copy) : NULL;
    if (list)
        rewinddir(list); /* the offset is that of the descriptor, which others have read from */
    for (struct dirent *entry; list && (entry = readdir(list));)
        if (entry->d_name[0] != '.')
            unlinkat(j->folder, entry->d_name, 0);
    if (list)
        closedir(list);
    remove_tables(j);
}

static bool is_finished(const RbvJournal *j) {
    struct stat there;
    return fstatat(j->folder, "../study.json", &there, 0) == 0;
}

/* Is there a file with rows? */
static bool has_rows(const RbvJournal *j) {
    int copy = dup(j->folder);
    DIR *list = copy >= 0 ? fdopendir(copy) : NULL;
    struct stat there;
    bool found = false;
    if (list)
        rewinddir(list);
    for (struct dirent *entry; list && !found && (entry = readdir(list));)
        found = entry->d_name[0] >= '0' && entry->d_name[0] <= '9' &&
                fstatat(j->folder, entry->d_name, &there, 0) == 0 && there.st_size > 0;
    if (list)
        closedir(list);
    return found;
}

/* Rows that are there already: to be gone on with, to be replaced, or in the way. */
static RbvStatus check_rows(RbvJournal *j, const RbvStudyFolderOptions *options, RbvDiagnostics *diagnostics) {
    bool rows = has_rows(j);
    char *head = rows ? read_head(j) : NULL;
    bool goes_on = options->resume || options->merge;
    RbvStatus status = RBV_OK;
    if (head && !goes_on && options->parts == 0 && is_finished(j))
        remove_files(j);
    else if (head && !goes_on && options->parts == 0) {
        rbv_diagnose(diagnostics, RBV_ERROR, NULL, (RbvPosition){0, 0},
                     "%s holds a study that was not finished: go on with it by " RBV_OPTION_RESUME
                     ", or name another folder",
                     j->path);
        status = RBV_BAD_INPUT;
    } else if (head)
        status = check_head(j, head, diagnostics);
    else if (rows)
        status = refuse(j, diagnostics, "a study that it does not name");
    else if (options->merge) {
        rbv_diagnose(diagnostics, RBV_ERROR, NULL, (RbvPosition){0, 0}, "%s holds no rows of a study", j->path);
        status = RBV_BAD_INPUT;
    }
    free(head);
    if (status == RBV_OK && !save_head(j))
        status = fail(j->path, diagnostics);
    return status;
}

RbvStatus rbv_journal_open(RbvJournal *j, const RbvStudy *study, const RbvStudyFolderOptions *options,
                           RbvDiagnostics *diagnostics) {
    char name[20];
    int64_t count = study->design.count;
    *j = (RbvJournal){.study = study, .folder = -1, .own = -1, .alone = options->parts == 0};
    j->files = calloc(1, sizeof *j->files);
    j->places = malloc(((size_t)count + 1) * sizeof *j->places);
    if (!j->files || !j->places)
        return RBV_NO_MEMORY;
    for (int64_t k = 0; k < count; k++)
        j->places[k] = -1;
    if (!options->path)
        return open_nameless(j, diagnostics);
    j->path = strdup(options->path);
    if (!j->path)
        return RBV_NO_MEMORY;
    RbvStatus status = open_folder(j, options->parts > 0, diagnostics);
    if (status == RBV_OK)
        status = check_rows(j, options, diagnostics);
    own_name(options, name, sizeof name);
    if (status == RBV_OK)
        status = take_own(j, name, diagnostics);
    if (status == RBV_OK && options->parts > 0 && !options->resume && j->done > 0) {
        rbv_diagnose(diagnostics, RBV_ERROR, NULL, (RbvPosition){0, 0},
                     "%s holds rows of part %s: go on with it by " RBV_OPTION_RESUME ", or name another folder",
                     j->path, name);
        status = RBV_BAD_INPUT;
    }
    if (status == RBV_OK)
        status = take_others(j, name);
    if (status == RBV_OK && j->done < count)
        remove_tables(j); /* they are of fewer rows, and would say that the study is finished */
    if (status == RBV_OK && j->damaged > 0)
        rbv_diagnose(diagnostics, RBV_WARNING, NULL, (RbvPosition){0, 0},
                     "%" PRId64 " row%s of %s/journal %s damaged and computed again", j->damaged,
                     rbv_plural(j->damaged), j->path, j->damaged == 1 ? "is" : "are");
    return status;
}

/* ---- appending ---- */

#define QUICK 10            /* [ms] after the last row: it is no great loss */
#define WRITE_EVERY 100     /* [ms] */
#define MOST_BUFFERED 65536 /* bytes */

/* Write the rows of the buffer. False: errno has the cause; they count as not computed. */
static bool write_buffer(RbvJournal *j) {
    size_t written = 0;
    while (written < j->buffer.length) {
        ssize_t n = write(j->own, j->buffer.data + written, j->buffer.length - written);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            break;
        written += (size_t)n;
    }
    bool whole = written == j->buffer.length;
    int cause = errno;
    if (whole)
        j->size += (int64_t)written;
    else if (ftruncate(j->own, (off_t)j->size) == 0) /* a torn row would count as not computed all the same */
        j->done -= j->buffered;
    j->written_at = now();
    j->buffered = 0;
    rbv_text_clear(&j->buffer);
    errno = cause;
    return whole;
}

bool rbv_journal_sync(RbvJournal *j) {
    bool written = write_buffer(j);
    j->synced_at = now();
    return written && (!j->path || fdatasync(j->own) == 0 || errno == EINVAL || errno == EROFS);
}

RbvStatus rbv_journal_append(RbvJournal *j, int64_t variant, bool failed, const char *line, size_t length) {
    int64_t place = j->size + (int64_t)j->buffer.length, at = now();
    rbv_text_append(&j->buffer, line, length);
    rbv_text_format(&j->buffer, "\t%016" PRIx64 "\n", rbv_archive_sum(RBV_SUM_OF_NOTHING, line, length));
    if (j->buffer.no_memory)
        return RBV_NO_MEMORY;
    j->places[variant - 1] = place;
    j->done++;
    j->buffered++;
    j->failed += failed;
    bool due = at - j->row_at > QUICK || at - j->written_at > WRITE_EVERY || j->buffer.length > MOST_BUFFERED;
    j->row_at = at;
    if (at - j->synced_at >= SYNC_EVERY)
        return rbv_journal_sync(j) ? RBV_OK : RBV_NOT_WRITABLE;
    return !due || write_buffer(j) ? RBV_OK : RBV_NOT_WRITABLE;
}

/* ---- closing ---- */

/* Remove what opening has made, where no row came. */
static void remove_empty(const RbvJournal *j) {
    RbvText path = {0};
    unlinkat(j->folder, "0", 0);
    unlinkat(j->folder, HEAD, 0);
    rbv_text_format(&path, "%s/journal", j->path);
    if (!path.no_memory && rmdir(path.data) == 0)
        rmdir(j->path); /* fails, as it should, where the folder has other files */
    rbv_text_clear(&path);
}

void rbv_journal_close(RbvJournal *j) {
    if (j->own >= 0 && j->buffer.length > 0)
        write_buffer(j);
    rbv_text_clear(&j->buffer);
    if (j->path && j->own >= 0 && j->alone && j->done == 0 && !has_rows(j))
        remove_empty(j);
    for (int k = 0; k < j->file_count; k++)
        if (j->files[k] >= 0)
            close(j->files[k]);
    if (j->folder >= 0)
        close(j->folder);
    free(j->files);
    free(j->places);
    free(j->path);
    *j = (RbvJournal){.folder = -1, .own = -1};
}
