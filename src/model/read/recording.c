/* Streaming reader of a recorded motion from separated text: the columns of its header, then its rows, one after
 * another, from a file or a pipe. Only one block of text and one row are in memory. */
#define _POSIX_C_SOURCE 200809L
#include "core/base/diagnostics.h"
#include "core/base/names.h"
#include "model/model/model.h"
#include "model/read/csv.h"
#include "model/read/text_check.h"

#include <roberval/recording.h>

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Column and unit of a number of a row. */
typedef struct RbvRecordedColumn {
    int32_t column; /* -1: not in the file */
    double factor;  /* SI value of its unit */
} RbvRecordedColumn;

typedef struct RbvRecordingColumns {
    int32_t count;
    RbvCsvColumn *items; /* [count] columns of the file */
    bool *requested;     /* [count] */
    RbvRecordedColumn time;
    RbvRecordedColumn (*drive)[3]; /* [drives] value, rate, second rate */
    bool (*given)[2];              /* [drives] rate, second rate are in the file */
    bool *wraps; /* [drives] the heading says that the angle wraps at each turn: it is continued to the nearest turn */
    const char **notes; /* [note_count] */
    int32_t note_count;
} RbvRecordingColumns;

/* --- columns: time, and value and rates of each drive's coordinate --- */

/* Ending of the heading of an angle that restarts at each turn. */
#define WRAP " wrap"
/* Number of column names listed in a message. */
#define LISTED 6

typedef struct Search {
    RbvModel *model;
    RbvCsvLine *header;
    RbvArena *arena;
    RbvRecordingColumns *columns;
    int32_t drive; /* drive whose columns are searched */
} Search;

static void note(const Search *s, const char *format, ...) RBV_PRINTF(2, 3);

/* Add a note; at most one per column and one for all. */
static void note(const Search *s, const char *format, ...) {
    char text[600];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    for (int32_t k = 0; k < s->columns->note_count;
         k++) /* a note is not repeated: two drives may follow the same column */
        if (strcmp(s->columns->notes[k], text) == 0)
            return;
    const char *copy = rbv_arena_copy(s->arena, text, strlen(text));
    if (copy)
        s->columns->notes[s->columns->note_count++] = copy;
    else
        rbv_csv_no_memory(s->header);
}

/* Length of the heading without its ending `wrap`. */
static size_t length_to_wrap(const char *name, bool *wraps) {
    size_t length = strlen(name), word = strlen(WRAP);
    *wraps = length > word && strcmp(name + length - word, WRAP) == 0;
    length -= *wraps ? word : 0;
    while (*wraps && length > 0 && name[length - 1] == ' ')
        length--;
    return length;
}

/* Length of the heading without `wrap` and primes; *primes: their number (3: too many). */
static size_t base_length(const char *name, int *primes) {
    bool wraps;
    size_t length = length_to_wrap(name, &wraps);
    for (*primes = 0; length > 0 && name[length - 1] == '\'' && *primes < 3; ++*primes)
        length--;
    return length;
}

/* True if the texts are equal up to blanks. */
static bool reads_alike(const char *a, size_t length, const char *b) {
    const char *end = a + length;
    for (;; a++, b++) {
        a += strspn(a, " ");
        b += strspn(b, " ");
        if (a >= end || !*b)
            return a >= end && !*b;
        if (*a != *b)
            return false;
    }
}

/* True if the heading is the drive's name, its coordinate as written in the drive, or a name of that coordinate. */
static bool is_called(const Search *s, const char *name, size_t length) {
    const RbvModel *model = s->model;
    const RbvDrive *drive = &model->drives.items[s->drive];
    if (reads_alike(name, length, drive->name) || reads_alike(name, length, drive->coordinate))
        return true;
    for (int32_t k = 0; k < model->coordinates.count; k++) {
        const RbvNamedCoordinate *named = &model->coordinates.items[k];
        bool same =
            drive->of.named >= 0 ? drive->of.named == k : named->measure >= 0 && named->measure == drive->of.measure;
        if (same && reads_alike(name, length, named->name))
            return true;
    }
    return false;
}

/* True if the heading is another spelling of the drive's coordinate: hinge.rz for hinge.angle. */
static bool means(const Search *s, const char *name, size_t length) {
    char text[RBV_NAME_SIZE];
    RbvCoordinateRef of;
    RbvSource silent = {0};
    const RbvDrive *drive = &s->model->drives.items[s->drive];
    if (length == 0 || length >= sizeof text)
        return false;
    memcpy(text, name, length);
    text[length] = '\0';
    return rbv_model_coordinate(s->model, text, &of, NULL, &silent) && of.rate == 0 &&
           of.measure == drive->of.measure && of.named == drive->of.named;
}

static const char *column_name(const void *columns, int32_t k) {
    return ((const RbvRecordingColumns *)columns)->items[k].name;
}

/* SI value of the unit in a heading, checked against the requested dimension; [SI] is that of any dimension; without a
 * unit that of `units:`, with a note if that is not SI. */
static double factor_of(const Search *s, const RbvCsvColumn *column, RbvExprDimension requested) {
    char expected[RBV_DIMENSION_SIZE], is[RBV_DIMENSION_SIZE];
    RbvUnit unit;
    RbvDimension key = requested.bond < RBV_EXPR_KNOWN ? RBV_DIM_ANY : rbv_exponents_named(requested.exponents);
    if (strcmp(column->unit, "SI") == 0)
        return 1;
    if (!*column->unit) {
        const RbvShownUnit *bare = key == RBV_DIM_ANY ? NULL : &s->model->bare_unit[key];
        if (!bare || !bare->text || bare->factor == 1) {
            if (key != RBV_DIM_ANY && key != RBV_DIM_NONE)
                note(s,
                     "column '%s' of the recorded motion has no unit: its numbers are in %s; write %s [%s] where they "
                     "are",
                     column->name, rbv_dimension_si(key), column->name, rbv_dimension_si(key));
            return 1;
        }
        note(s, "column '%s' of the recorded motion has no unit: its numbers are in %s, as units: says", column->name,
             bare->text);
        return bare->factor;
    }
    if (!rbv_csv_unit(s->header, column, key, &unit))
        return 1;
    if (key == RBV_DIM_ANY && requested.bond >= RBV_EXPR_KNOWN &&
        !rbv_exponents_fit(requested.exponents, unit.exponents)) {
        rbv_exponents_words(requested.exponents, expected, sizeof expected);
        rbv_exponents_words(unit.exponents, is, sizeof is);
        rbv_csv_error(s->header, column->at, "column '%s' must be %s, but '%s' measures %s", column->name, expected,
                      column->unit, is);
    }
    return unit.factor;
}

/* Use column k as the drive's value (order 0), rate (1) or second rate (2). */
static void take_column(Search *s, int32_t k, int order) {
    RbvRecordingColumns *columns = s->columns;
    RbvRecordedColumn *to = &columns->drive[s->drive][order];
    RbvCoordinateRef of = s->model->drives.items[s->drive].of;
    of.rate = order;
    if (to->column >= 0) {
        rbv_csv_error(s->header, columns->items[k].at,
                      "columns '%s' and '%s' are both the motion of drive '%s'; keep one of them",
                      columns->items[to->column].name, columns->items[k].name, s->model->drives.items[s->drive].name);
        return;
    }
    bool wraps;
    length_to_wrap(columns->items[k].name, &wraps);
    if (wraps && (order > 0 || !rbv_coordinate_is_angle(s->model, &of)))
        rbv_csv_error(s->header, columns->items[k].at, "column '%s': only an angle wraps, at its turns; %s",
                      columns->items[k].name, order > 0 ? "a rate does not" : "this coordinate is none");
    columns->wraps[s->drive] = columns->wraps[s->drive] || wraps;
    *to = (RbvRecordedColumn){k, factor_of(s, &columns->items[k], rbv_coordinate_dimension(s->model, &of))};
    columns->requested[k] = true;
}

/* Find the columns of a drive by name, else by other spellings of the coordinate. */
static void find_drive(Search *s) {
    RbvRecordingColumns *columns = s->columns;
    RbvRecordedColumn *drive = columns->drive[s->drive];
    for (int round = 0; round < 2 && drive[0].column < 0; round++)
        for (int32_t k = 0; k < columns->count; k++) {
            int primes;
            const char *name = columns->items[k].name;
            size_t length = base_length(name, &primes);
            bool found = round == 0 ? is_called(s, name, length) : !columns->requested[k] && means(s, name, length);
            if (found && primes < 3)
                take_column(s, k, primes);
        }
    for (int order = 1; order < 3; order++)
        columns->given[s->drive][order - 1] = drive[order].column >= 0;
}

/* Write "time, hinge.angle and 3 more" into text: all columns, or only those that are not used. */
static int32_t list(const RbvRecordingColumns *columns, bool all, char *text, size_t size) {
    int32_t count = 0;
    size_t used = 0;
    text[0] = '\0';
    for (int32_t k = 0; k < columns->count; k++) {
        if (!all && columns->requested[k])
            continue;
        if (count++ >= LISTED || used + 1 >= size)
            continue;
        int n = snprintf(text + used, size - used, "%s%s", used ? ", " : "", columns->items[k].name);
        used = n > 0 && used + (size_t)n < size ? used + (size_t)n : size - 1;
    }
    if (count > LISTED && used + 1 < size)
        snprintf(text + used, size - used, " and %d more", (int)(count - LISTED));
    return count;
}

static void report_missing(const Search *s, const char *what) {
    char names[400];
    const RbvRecordingColumns *columns = s->columns;
    const RbvDrive *drive = s->drive < 0 ? NULL : &s->model->drives.items[s->drive];
    const char *sought = drive ? drive->coordinate : "time",
               *near = rbv_name_nearest(sought, columns->count, column_name, columns);
    list(columns, true, names, sizeof names);
    if (near)
        rbv_csv_error(s->header, (RbvPosition){s->header->number, 1}, "no column is %s '%s'; did you mean '%s'?", what,
                      sought, near);
    else
        rbv_csv_error(s->header, (RbvPosition){s->header->number, 1}, "no column is %s '%s'%s; there are %s", what,
                      sought,
                      strchr(sought, ',') && s->header->separator == ','
                          ? ", which stands in quotes where commas separate columns"
                          : "",
                      names);
}

static RbvStatus allocate(const RbvModel *model, RbvArena *arena, RbvRecordingColumns *columns) {
    size_t drives = (size_t)model->drives.count;
    columns->requested = rbv_arena_array(arena, (size_t)columns->count + 1, sizeof *columns->requested);
    columns->drive = rbv_arena_array(arena, drives + 1, sizeof *columns->drive);
    columns->given = rbv_arena_array(arena, drives + 1, sizeof *columns->given);
    columns->wraps = rbv_arena_array(arena, drives + 1, sizeof *columns->wraps);
    columns->notes = rbv_arena_array(arena, (size_t)columns->count + 1, sizeof *columns->notes);
    if (!columns->requested || !columns->drive || !columns->given || !columns->wraps || !columns->notes)
        return RBV_NO_MEMORY;
    memset(columns->requested, 0, ((size_t)columns->count + 1) * sizeof *columns->requested);
    for (size_t k = 0; k < drives; k++)
        for (int order = 0; order < 3; order++)
            columns->drive[k][order] = (RbvRecordedColumn){-1, 1};
    columns->time = (RbvRecordedColumn){-1, 1};
    return RBV_OK;
}

/* Assign the columns of the header; all errors are reported. Columns are in the arena. OK, BAD_INPUT or NO_MEMORY. */
static RbvStatus recording_find_columns(RbvModel *model, RbvCsvLine *header, RbvArena *arena,
                                        RbvRecordingColumns *columns) {
    Search s = {model, header, arena, columns, -1};
    char names[400];
    columns->items = rbv_csv_read_header(header, arena, &columns->count);
    if (columns->items && !header->no_memory && allocate(model, arena, columns) != RBV_OK)
        rbv_csv_no_memory(header);
    if (!columns->items || header->errors > 0)
        return header->no_memory ? RBV_NO_MEMORY : RBV_BAD_INPUT;
    for (int32_t k = 0; k < columns->count; k++)
        if (strcmp(columns->items[k].name, "time") == 0) {
            columns->time = (RbvRecordedColumn){
                k, factor_of(&s, &columns->items[k],
                             (RbvExprDimension){RBV_EXPR_KNOWN, rbv_dimension_exponents(RBV_DIM_TIME)})};
            columns->requested[k] = true;
        }
    if (columns->time.column < 0)
        report_missing(&s, "the");
    for (s.drive = 0; s.drive < model->drives.count; s.drive++) {
        find_drive(&s);
        if (columns->drive[s.drive][0].column < 0)
            report_missing(&s, "the coordinate of a drive,");
    }
    if (header->errors == 0 && list(columns, false, names, sizeof names) > 0)
        note(&s, "columns of the recorded motion that no drive follows are left out: %s", names);
    if (header->no_memory || model->no_memory)
        return RBV_NO_MEMORY;
    return header->errors == 0 ? RBV_OK : RBV_BAD_INPUT;
}

#define BLOCK ((size_t)1 << 16)
/* [bytes] longest line accepted */
#define LONGEST_LINE ((size_t)1 << 24)

typedef struct Recording {
    RbvRecording out; /* first member: the caller's pointer is a pointer to Recording */
    RbvArena arena;
    RbvCsvLine line;
    RbvRecordingColumns columns;
    double *values;              /* [columns] values of the current row */
    double *before;              /* [drives] values of the previous row; NaN: none */
    int file;                    /* descriptor */
    bool own;                    /* the descriptor is closed at the end */
    bool ended;                  /* the end of the file is in the buffer */
    char *buffer;                /* [capacity + 1] */
    size_t capacity, begin, end; /* [begin, end): text in the buffer that is not yet used */
    double size, read;           /* [bytes] size of the file, 0 if unknown; bytes read so far */
} Recording;

/* Append more text to the buffer. INTERRUPTED: a signal arrived. */
static RbvStatus fill_buffer(Recording *r) {
    if (r->begin > 0) {
        memmove(r->buffer, r->buffer + r->begin, r->end - r->begin);
        r->end -= r->begin;
        r->begin = 0;
    }
    if (r->end == r->capacity) {
        if (r->capacity >= LONGEST_LINE) {
            r->line.number++;
            rbv_csv_error(&r->line, (RbvPosition){r->line.number, 1},
                          "a line longer than 16 MiB; a recorded motion has a short one for each row");
            return RBV_BAD_INPUT;
        }
        char *grown = realloc(r->buffer, 2 * r->capacity + 1);
        if (!grown)
            return RBV_NO_MEMORY;
        r->buffer = grown;
        r->capacity *= 2;
    }
    ssize_t got = read(r->file, r->buffer + r->end, r->capacity - r->end);
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
static RbvStatus next_recorded_line(Recording *r, bool *more) {
    RbvCsvLine *line = &r->line;
    for (;;) {
        size_t next = r->end;
        char *end = find_end(r, &next);
        if (!end && !r->ended) {
            RbvStatus status = fill_buffer(r);
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

static double recorded_number(const Recording *r, RbvRecordedColumn from) {
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
    RbvStatus status = next_recorded_line(r, more);
    r->out.line = r->line.number;
    if (status != RBV_OK || !*more)
        return status;
    if (!is_text(r) || !rbv_csv_read_row(&r->line, r->columns.count, r->columns.requested, r->values))
        return RBV_BAD_INPUT;
    *t = recorded_number(r, r->columns.time);
    for (int32_t k = 0; k < r->out.drive_count; k++) {
        for (int order = 0; order < 3; order++)
            drives[k][order] = recorded_number(r, r->columns.drive[k][order]);
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

static RbvStatus read_recording_header(Recording *r, RbvModel *model) {
    bool more;
    RbvStatus status;
    do
        status = next_recorded_line(r, &more);
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
        status = recording_find_columns(model, &r->line, &r->arena, &r->columns);
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
    r->capacity = BLOCK;
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
        status = read_recording_header(r, model);
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
