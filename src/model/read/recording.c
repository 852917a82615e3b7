/* Rows of a recorded motion, read one after another from a file or a pipe; see recording.h. Only one block of text and
 * one row are in memory. */
#define _POSIX_C_SOURCE 200809L
#include "model/read/recording.h"

#include "core/base/diagnostics.h"
#include "model/read/text_check.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define BLOCK ((size_t)1 << 16)
/* [bytes] longest line accepted */
#define LONGEST_LINE ((size_t)1 << 24)

typedef struct Recording {
    RbvRecording out; /* first member: the caller's pointer is a pointer to Recording */
    RbvArena arena;
    RbvCsvLine line;
    RbvRecordingColumns columns;
    double *values;          /* [columns] values of the current row */
    double *before;          /* [drives] values of the previous row; NaN: none */
    int file;                /* descriptor */
    bool own;                /* the descriptor is closed at the end */
    bool ended;              /* the end of the file is in the buffer */
    char *buffer;            /* [room + 1] */
    size_t room, begin, end; /* [begin, end): text in the buffer that is not yet used */
    double size, read;       /* [bytes] size of the file, 0 if unknown; bytes read so far */
} Recording;

/* Append more text to the buffer. INTERRUPTED: a signal arrived. */
static RbvStatus fill(Recording *r) {
    if (r->begin > 0) {
        memmove(r->buffer, r->buffer + r->begin, r->end - r->begin);
        r->end -= r->begin;
        r->begin = 0;
    }
    if (r->end == r->room) {
        if (r->room >= LONGEST_LINE) {
            r->line.number++;
            rbv_csv_error(&r->line, (RbvPosition){r->line.number, 1},
                          "a line longer than 16 MiB; a recorded motion has a short one for each row");
            return RBV_BAD_INPUT;
        }
        char *grown = realloc(r->buffer, 2 * r->room + 1);
        if (!grown)
            return RBV_NO_MEMORY;
        r->buffer = grown;
        r->room *= 2;
    }
    ssize_t got = read(r->file, r->buffer + r->end, r->room - r->end);
    if (got < 0 && errno == EINTR)
        return RBV_INTERRUPTED;
    if (got < 0) {
        rbv_csv_error(&r->line, (RbvPosition){0, 0}, "it cannot be read: %s", strerror(errno));
        return RBV_BAD_INPUT;
    }
    r->ended = got == 0;
    r->end += (size_t)got;
    r->read += (double)got;
    return RBV_OK;
}

/* End of the line at the begin of the unused text, and the begin of the next line; NULL: the line is not complete in
 * the buffer. */
static char *find_end(const Recording *r, size_t *next) {
    char *begin = r->buffer + r->begin, *last = r->buffer + r->end, *feed = memchr(begin, '\n', (size_t)(last - begin));
    char *end = memchr(begin, '\r', (size_t)((feed ? feed : last) - begin));
    if (end && end + 1 == last && !r->ended) /* a line feed may follow in the next block */
        return NULL;
    if (!end)
        end = feed;
    if (!end)
        return NULL;
    *next = (size_t)(end - r->buffer) + 1 + (end[0] == '\r' && end + 1 < last && end[1] == '\n');
    return end;
}

/* Read the next line that is neither empty nor a comment. *more false: end of the recording. */
static RbvStatus next_line(Recording *r, bool *more) {
    RbvCsvLine *line = &r->line;
    for (;;) {
        size_t next = r->end;
        char *end = find_end(r, &next);
        if (!end && !r->ended) {
            RbvStatus status = fill(r);
            if (status != RBV_OK)
                return status;
            continue;
        }
        *more = r->begin < r->end;
        if (!*more)
            return RBV_OK;
        line->text = r->buffer + r->begin;
        line->end = end ? end : r->buffer + r->end;
        *line->end = '\0'; /* terminates the last number */
        line->number++;
        r->begin = next;
        if (line->number == 1)
            line->text += rbv_text_mark_length(line->text, (size_t)(line->end - line->text));
        if (!rbv_csv_is_empty(line))
            return RBV_OK;
    }
}

/* True if the line is text; else an error is reported. */
static bool is_text(Recording *r) {
    RbvCsvLine *line = &r->line;
    size_t length = (size_t)(line->end - line->text), bad = rbv_text_first_bad(line->text, length);
    if (bad == length)
        return true;
    line->errors++;
    rbv_text_refuse(line->file, rbv_csv_position(line, line->text + bad), line->text, length, bad, line->diagnostics);
    return false;
}

static double number(const Recording *r, RbvRecordedColumn from) {
    return from.column < 0 ? NAN : r->values[from.column] * from.factor;
}

/* Angle [rad] of a column that restarts at each turn, shifted by whole turns to be nearest to the previous angle. */
static double unwrapped(double angle, double before) {
    double turn = 2 * acos(-1.0);
    return isfinite(angle) && isfinite(before) ? angle + turn * round((before - angle) / turn) : angle;
}

static RbvStatus next_row(void *context, double *t, double (*drives)[3], bool *more, RbvDiagnostics *diagnostics) {
    Recording *r = context;
    r->line.diagnostics = diagnostics;
    RbvStatus status = next_line(r, more);
    r->out.line = r->line.number;
    if (status != RBV_OK || !*more)
        return status;
    if (!is_text(r) || !rbv_csv_read_row(&r->line, r->columns.count, r->columns.requested, r->values))
        return RBV_BAD_INPUT;
    *t = number(r, r->columns.time);
    for (int32_t k = 0; k < r->out.drive_count; k++) {
        for (int order = 0; order < 3; order++)
            drives[k][order] = number(r, r->columns.drive[k][order]);
        if (r->columns.wraps[k])
            r->before[k] = drives[k][0] = unwrapped(drives[k][0], r->before[k]);
    }
    return RBV_OK;
}

/* Part of the file that is used, [0, 1]; NaN if the size is unknown. */
static double share(void *context) {
    const Recording *r = context;
    return r->size > 0 ? fmin(1, (r->read - (double)(r->end - r->begin)) / r->size) : NAN;
}

static RbvStatus read_header(Recording *r, RbvModel *model) {
    bool more;
    RbvStatus status;
    do
        status = next_line(r, &more);
    while (status == RBV_INTERRUPTED);
    if (status == RBV_OK && !more) {
        rbv_csv_error(
            &r->line, (RbvPosition){1, 1},
            "the file is empty; a header such as 'time [s], hinge.angle [deg]' and rows of numbers are expected");
        return RBV_BAD_INPUT;
    }
    if (status == RBV_OK && !is_text(r))
        return RBV_BAD_INPUT;
    if (status == RBV_OK)
        status = rbv_recording_find_columns(model, &r->line, &r->arena, &r->columns);
    if (status != RBV_OK)
        return status;
    r->out.drive_count = model->drives.count;
    r->out.given = r->columns.given;
    r->out.notes = r->columns.notes;
    r->out.note_count = r->columns.note_count;
    r->values = rbv_arena_array(&r->arena, (size_t)r->columns.count, sizeof *r->values);
    r->before = rbv_arena_array(&r->arena, (size_t)model->drives.count + 1, sizeof *r->before);
    for (int32_t k = 0; r->before && k < model->drives.count; k++)
        r->before[k] = NAN;
    return r->values && r->before ? RBV_OK : RBV_NO_MEMORY;
}

static RbvStatus open_file(Recording *r, const char *path) {
    struct stat what;
    r->own = path && strcmp(path, "-") != 0;
    const char *name = r->own ? path : "<stdin>";
    r->line.file = r->out.name = rbv_arena_copy(&r->arena, name, strlen(name));
    r->buffer = malloc(BLOCK + 1);
    r->room = BLOCK;
    if (!r->out.name || !r->buffer)
        return RBV_NO_MEMORY;
    r->file = r->own ? open(path, O_RDONLY | O_CLOEXEC) : STDIN_FILENO;
    if (r->file < 0) {
        rbv_diagnose(r->line.diagnostics, RBV_ERROR, NULL, (RbvPosition){0, 0},
                     "the recorded motion %s cannot be read: %s", path, strerror(errno));
        return RBV_BAD_INPUT;
    }
    if (fstat(r->file, &what) == 0 && S_ISREG(what.st_mode))
        r->size = (double)what.st_size;
    return RBV_OK;
}

RbvStatus rbv_recording_open(RbvModel *model, const char *path, RbvDiagnostics *diagnostics, RbvRecording **recording) {
    if (!model || !recording)
        return RBV_BAD_ARGUMENT;
    *recording = NULL;
    Recording *r = calloc(1, sizeof *r);
    if (!r)
        return RBV_NO_MEMORY;
    *r = (Recording){
        .file = -1, .line = {.diagnostics = diagnostics}, .out = {.context = r, .next = next_row, .share = share}};
    RbvStatus status = open_file(r, path);
    if (status == RBV_OK)
        status = read_header(r, model);
    if (status == RBV_OK)
        *recording = &r->out;
    else
        rbv_recording_destroy(&r->out);
    return status;
}

void rbv_recording_destroy(RbvRecording *recording) {
    Recording *r = (Recording *)recording;
    if (!r)
        return;
    if (r->own && r->file >= 0)
        close(r->file);
    rbv_arena_clear(&r->arena);
    free(r->buffer);
    free(r);
}
