/* Finds the columns of a recorded motion: time, and value and rates of each drive's coordinate; see recording.h. */
#include "core/base/diagnostics.h"
#include "core/base/names.h"
#include "model/read/recording.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define WORDS 128
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

/* SI value of the unit in a heading, checked against the requested dimension; without a unit that of `units:`, with a
 * note if that is not SI. */
static double factor_of(const Search *s, const RbvCsvColumn *column, RbvExprDimension requested) {
    char wants[WORDS], is[WORDS];
    RbvUnit unit;
    RbvDimension key = requested.bond < RBV_EXPR_KNOWN ? RBV_DIM_ANY : rbv_exponents_named(requested.exponents);
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
        rbv_exponents_words(requested.exponents, wants, sizeof wants);
        rbv_exponents_words(unit.exponents, is, sizeof is);
        rbv_csv_error(s->header, column->at, "column '%s' must be %s, but '%s' measures %s", column->name, wants,
                      column->unit, is);
    }
    return unit.factor;
}

/* Use column k as the drive's value (order 0), rate (1) or second rate (2). */
static void take(Search *s, int32_t k, int order) {
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
                take(s, k, primes);
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

RbvStatus rbv_recording_find_columns(RbvModel *model, RbvCsvLine *header, RbvArena *arena,
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
    return header->no_memory || model->no_memory ? RBV_NO_MEMORY : header->errors == 0 ? RBV_OK : RBV_BAD_INPUT;
}
