/* Reads tables like series.csv: a header with names and units, then rows of numbers separated by commas; empty cells
 * are NaN. All rows are a prescribed motion, one row is the start of another run. Values are in SI units. */
#define _POSIX_C_SOURCE 200809L
#include "model/read/series.h"

#include "core/base/arena.h"
#include "core/base/diagnostics.h"
#include "core/base/names.h"
#include "core/base/tolerances.h"
#include "core/base/units.h"
#include "model/read/files.h"
#include "model/result/result.h"

#include <roberval/folder.h>

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Take the verdict in parentheses at the end of a heading, after a blank. */
static void take_verdict(RbvSeriesHead *head, const char *cell, size_t length) {
    for (int verdict = RBV_FREE; verdict <= RBV_NOT_UNIQUE && length > 0 && cell[length - 1] == ')'; verdict++) {
        const char *name = rbv_verdict_name((RbvVerdict)verdict);
        size_t size = strlen(name) + 2;
        if (length < size || cell[length - size] != '(' || memcmp(cell + length - size + 1, name, size - 2) != 0)
            continue;
        head->has_verdict = true;
        head->verdict = (RbvVerdict)verdict;
    }
}

RbvSeriesHead rbv_series_head(const char *cell, size_t length) {
    size_t name = strcspn(cell, "[("), end = name;
    RbvSeriesHead head = {.is = {.factor = 1}, .verdict = RBV_UNIQUE};
    name = name < length ? name : length;
    while (name > 0 && cell[name - 1] == ' ')
        name--;
    head.name = name;
    take_verdict(&head, cell, length);
    if (end >= length || cell[end] != '[')
        return head;
    const char *close = memchr(cell + end, ']', length - end);
    head.unit = end + 1;
    head.unit_length = close ? (size_t)(close - cell) - end - 1 : 0;
    if (!close || !rbv_unit_parse(cell + head.unit, head.unit_length, &head.is, NULL))
        head.is.factor = NAN;
    return head;
}

/* --- rows --- */

typedef struct SeriesRows {
    RbvArena *arena;  /* the caller's arena; holds the header data */
    const char *from; /* the file, for messages */
    RbvDiagnostics *diagnostics;
    int32_t line; /* current line number, for messages */
    int32_t count;
    const char **names; /* [count] names; the first is "time" */
    double *factors;    /* [count] factors to SI; NaN: unknown unit */
} SeriesRows;

static RbvStatus wrong_cell(const SeriesRows *rows, const char *text, const char *cell, size_t length) {
    rbv_diagnose(rows->diagnostics, RBV_ERROR, rows->from, (RbvPosition){rows->line, 1}, "'%.*s' %s", (int)length, cell,
                 text);
    return RBV_BAD_INPUT;
}

/* Read a heading "rod.x [m]" or "rod.Fx [N] (not unique)": name, and SI value of the unit. */
static RbvStatus read_series_heading(SeriesRows *rows, const char *cell, size_t length) {
    size_t blank = strspn(cell, " ");
    blank = blank < length ? blank : length;
    RbvSeriesHead head =
        rbv_series_head(cell + blank, length - blank); /* columns with an unknown unit are not part of a state */
    rows->factors[rows->count] = head.is.factor;
    rows->names[rows->count] = rbv_arena_copy(rows->arena, cell + blank, head.name);
    return rows->names[rows->count++] ? RBV_OK : RBV_NO_MEMORY;
}

/* Call `take` for each non-empty line, the header first (rows->names is then NULL), until `take` returns a status
 * other than OK, which is returned; rows->line is updated. BAD_INPUT (reported): the file cannot be read; NO_MEMORY. */
static RbvStatus series_rows_each(SeriesRows *rows, FILE *file, RbvStatus (*take)(void *context, const char *line),
                                  void *context) {
    char *line = NULL;
    size_t capacity = 0;
    RbvStatus status = RBV_OK;
    errno = 0;
    while (status == RBV_OK && getline(&line, &capacity, file) >= 0) {
        line[strcspn(line, "\r\n")] = '\0';
        rows->line++;
        if (*line)
            status = take(context, line);
    }
    if (status == RBV_OK && errno == ENOMEM)
        status = RBV_NO_MEMORY;
    if (status == RBV_OK && ferror(file)) {
        rbv_diagnose(rows->diagnostics, RBV_ERROR, rows->from, (RbvPosition){0, 0}, "it cannot be read: %s",
                     strerror(errno));
        status = RBV_BAD_INPUT;
    }
    free(line);
    return status;
}

/* Read names and units of a header line. BAD_INPUT (reported): the first column is not a time; NO_MEMORY. */
static RbvStatus series_rows_head(SeriesRows *rows, const char *line) {
    size_t count = 2;
    for (const char *c = line; *c; c++)
        count += *c == ',';
    rows->names = rbv_arena_array(rows->arena, count, sizeof *rows->names);
    rows->factors = rbv_arena_array(rows->arena, count, sizeof *rows->factors);
    RbvStatus status = rows->names && rows->factors ? RBV_OK : RBV_NO_MEMORY;
    for (const char *cell = line; status == RBV_OK && cell;
         cell = cell[strcspn(cell, ",")] ? cell + strcspn(cell, ",") + 1 : NULL)
        status = read_series_heading(rows, cell, strcspn(cell, ","));
    if (status != RBV_OK || strcmp(rows->names[0], "time") == 0)
        return status;
    rbv_diagnose(rows->diagnostics, RBV_ERROR, rows->from, (RbvPosition){rows->line, 1},
                 "the series goes along '%s', not along time: none of its rows is a state at an instant",
                 rows->names[0]);
    return RBV_BAD_INPUT;
}

/* Read the time [s] at the start of a line. BAD_INPUT: reported. */
static RbvStatus series_rows_time(const SeriesRows *rows, const char *line, double *t) {
    size_t blank = strspn(line, " ");
    if (rbv_number_parse(line + blank, t) == 0)
        return wrong_cell(rows, "is no time", line, strcspn(line, ","));
    *t *= rows->factors[0];
    return RBV_OK;
}

/* Read all cells of a line into values[count]. BAD_INPUT: reported. */
static RbvStatus series_rows_read(const SeriesRows *rows, const char *line, double *values) {
    for (int32_t k = 0; k < rows->count; k++) {
        size_t blank = strspn(line, " "), length = strcspn(line, ","), end = length;
        while (end > blank && line[end - 1] == ' ')
            end--;
        values[k] = NAN;
        if (end > blank && rbv_number_parse(line + blank, &values[k]) != end - blank)
            return wrong_cell(rows, "is no number", line, length);
        values[k] *= rows->factors[k];
        line += length;
        if ((*line == ',') != (k + 1 < rows->count))
            return wrong_cell(rows, "ends a row that has not as many cells as the header", line - length, length);
        line += *line == ',';
    }
    return RBV_OK;
}

/* --- a prescribed motion: all rows, columns found by their names in the header --- */

/* The motion and the memory that it owns. */
typedef struct PrescribedMotion {
    RbvGivenMotion out; /* first member: the caller's pointer is a pointer to PrescribedMotion */
    RbvArena arena;
    SeriesRows rows;
    double *values;
    int32_t capacity;
    double from, to; /* [s] interval of requested rows; NaN: no limit */
    double last;     /* time of the last row [s] */
    RbvDiagnostics *diagnostics;
} PrescribedMotion;

/* Dimension of a column of a body, by the part of its name behind the last point. */
static RbvDimension dimension_of(const char *name) {
    static const struct {
        const char *part;
        RbvDimension dimension;
    } parts[] = {{"x", RBV_DIM_LENGTH},
                 {"y", RBV_DIM_LENGTH},
                 {"z", RBV_DIM_LENGTH},
                 {"angle", RBV_DIM_ANGLE},
                 {"vx", RBV_DIM_VELOCITY},
                 {"vy", RBV_DIM_VELOCITY},
                 {"vz", RBV_DIM_VELOCITY},
                 {"omega", RBV_DIM_ANGULAR_VELOCITY},
                 {"omegax", RBV_DIM_ANGULAR_VELOCITY},
                 {"omegay", RBV_DIM_ANGULAR_VELOCITY},
                 {"omegaz", RBV_DIM_ANGULAR_VELOCITY},
                 {"ax", RBV_DIM_ACCELERATION},
                 {"ay", RBV_DIM_ACCELERATION},
                 {"az", RBV_DIM_ACCELERATION},
                 {"alpha", RBV_DIM_ANGULAR_ACCELERATION},
                 {"alphax", RBV_DIM_ANGULAR_ACCELERATION},
                 {"alphay", RBV_DIM_ANGULAR_ACCELERATION},
                 {"alphaz", RBV_DIM_ANGULAR_ACCELERATION}};
    const char *dot = strrchr(name, '.');
    for (size_t k = 0; dot && k < sizeof parts / sizeof *parts; k++)
        if (strcmp(dot + 1, parts[k].part) == 0)
            return parts[k].dimension;
    return strcmp(name, "time") == 0 ? RBV_DIM_TIME : RBV_DIM_ANY;
}

/* Check that the units in the header measure the quantity of their column. */
static RbvStatus check_units(const PrescribedMotion *g, const char *line) {
    int32_t k = 0;
    for (const char *cell = line; cell; cell = cell[strcspn(cell, ",")] ? cell + strcspn(cell, ",") + 1 : NULL, k++) {
        RbvSeriesHead head = rbv_series_head(cell, strcspn(cell, ","));
        RbvDimension required = dimension_of(g->rows.names[k]);
        if (head.unit_length == 0 || required == RBV_DIM_ANY ||
            (!isnan(head.is.factor) && rbv_unit_measures(&head.is, required)))
            continue;
        rbv_diagnose(g->diagnostics, RBV_ERROR, g->rows.from, (RbvPosition){g->rows.line, 1},
                     "column '%s' has the unit [%.*s]; it wants one such as [%s]", g->rows.names[k],
                     (int)head.unit_length, cell + head.unit, rbv_dimension_si(required));
        return RBV_BAD_INPUT;
    }
    return RBV_OK;
}

static RbvStatus read_motion_row(PrescribedMotion *g, const char *line) {
    double t, from = g->from, to = g->to;
    RbvStatus status = series_rows_time(&g->rows, line, &t);
    if (status != RBV_OK)
        return status;
    if (t < g->last) {
        rbv_diagnose(g->diagnostics, RBV_ERROR, g->rows.from, (RbvPosition){g->rows.line, 1},
                     "the time %.9g s comes after %.9g s: rows follow each other in time", t, g->last);
        return RBV_BAD_INPUT;
    }
    g->last = t;
    /* Times [s] are equal if their difference is at most this part of the largest of them: of a row and a limit, or of
     * a row and the requested time. */
    double largest = fmax(fabs(t), fmax(fabs(from), fabs(to))), near = RBV_SAME * largest; /* fmax leaves out NaN */
    if (t < from - near || t > to + near)                                                  /* NaN: no limit */
        return RBV_OK;
    if (g->out.samples == g->capacity) {
        int32_t capacity = g->capacity + g->capacity / 2 + 64;
        double *values = realloc(g->values, (size_t)capacity * (size_t)g->rows.count * sizeof *values);
        if (!values)
            return RBV_NO_MEMORY;
        g->values = values;
        g->capacity = capacity;
    }
    status = series_rows_read(&g->rows, line, g->values + (size_t)g->out.samples * (size_t)g->rows.count);
    g->out.samples += status == RBV_OK;
    return status;
}

static RbvStatus take_motion_line(void *context, const char *line) {
    PrescribedMotion *g = context;
    if (g->rows.names)
        return read_motion_row(g, line);
    RbvStatus status = series_rows_head(&g->rows, line);
    return status == RBV_OK ? check_units(g, line) : status;
}

static RbvStatus read_motion_rows(PrescribedMotion *g, FILE *file) {
    RbvStatus status = series_rows_each(&g->rows, file, take_motion_line, g);
    if (status != RBV_OK || g->out.samples > 0)
        return status;
    rbv_diagnose(g->diagnostics, RBV_ERROR, g->rows.from, RBV_NOWHERE,
                 g->rows.names ? "the table has no row%s" : "the table is empty%s",
                 g->rows.line > 1 && (!isnan(g->from) || !isnan(g->to)) ? " between these times" : "");
    return RBV_BAD_INPUT;
}

/* File of a path: of a folder its series.csv. NULL if out of memory. */
static const char *file_of(PrescribedMotion *g, const char *path, bool *folder) {
    struct stat what;
    size_t size = strlen(path) + 32;
    *folder = stat(path, &what) == 0 && S_ISDIR(what.st_mode);
    char *name = rbv_arena_alloc(&g->arena, size);
    if (name)
        snprintf(name, size, *folder ? "%s/series.csv" : "%s", path);
    return name;
}

RbvStatus rbv_given_motion_read(const char *path, double from, double to, RbvDiagnostics *diagnostics,
                                RbvGivenMotion **motion) {
    if (!path || !motion)
        return RBV_BAD_ARGUMENT;
    *motion = NULL;
    PrescribedMotion *g = calloc(1, sizeof *g);
    if (!g)
        return RBV_NO_MEMORY;
    g->diagnostics = diagnostics;
    g->from = from, g->to = to;
    g->last = -INFINITY;
    bool folder;
    g->out.from = file_of(g, path, &folder);
    g->rows = (SeriesRows){.arena = &g->arena, .from = g->out.from, .diagnostics = diagnostics};
    FILE *file = NULL;
    if (g->out.from)
        file = folder ? rbv_open_regular(g->out.from) : fopen(g->out.from, "rb");
    RbvStatus status = RBV_OK;
    if (!file)
        status = !g->out.from || errno == ENOMEM ? RBV_NO_MEMORY : RBV_BAD_INPUT;
    if (status == RBV_BAD_INPUT)
        rbv_diagnose(diagnostics, RBV_ERROR, NULL, RBV_NOWHERE, "cannot take the motion from %s: %s", g->out.from,
                     errno ? strerror(errno) : "it is no regular file");
    if (file) {
        status = read_motion_rows(g, file);
        fclose(file);
    }
    if (status != RBV_OK) {
        rbv_given_motion_destroy(&g->out);
        return status;
    }
    g->out.count = g->rows.count;
    g->out.names = g->rows.names;
    g->out.values = g->values;
    *motion = &g->out;
    return RBV_OK;
}

void rbv_given_motion_destroy(RbvGivenMotion *motion) {
    PrescribedMotion *g = (PrescribedMotion *)motion;
    if (!g)
        return;
    rbv_arena_clear(&g->arena);
    free(g->values);
    free(g);
}

/* --- a start state: one row, cells found by the names in the header --- */

/* The row nearest to the requested time so far. */
typedef struct Nearest {
    double requested; /* [s] requested time; NaN: the last sample */
    char *line;
    int32_t number;
    double before, after, largest; /* [s] times of the samples before and after the requested time; largest time */
    double difference;
} Nearest;

/* The start state and the memory that it owns. */
typedef struct Start {
    RbvStart out; /* first member: the caller's pointer is a pointer to Start */
    RbvArena arena;
    SeriesRows rows;
    double *values;
    Nearest nearest;
    RbvDiagnostics *diagnostics;
} Start;

/* Keep the row if it is nearest to the requested time. Of two rows at one instant the later one is kept: it is the
 * state after the event. */
static RbvStatus look(Start *s, const char *line) {
    Nearest *n = &s->nearest;
    double t, requested = n->requested;
    RbvStatus status = series_rows_time(&s->rows, line, &t);
    if (status != RBV_OK)
        return status;
    double difference = isnan(requested) ? 0 : fabs(t - requested);
    n->largest = fmax(n->largest, fabs(t));
    n->before = t <= requested ? t : n->before;
    n->after = t >= requested && isnan(n->after) ? t : n->after;
    if (difference > n->difference)
        return RBV_OK;
    free(n->line);
    n->line = strdup(line);
    n->number = s->rows.line;
    n->difference = difference;
    return n->line ? RBV_OK : RBV_NO_MEMORY;
}

static RbvStatus choose(Start *s) {
    const Nearest *n = &s->nearest;
    const char *from = s->out.from;
    double requested = n->requested;
    if (!n->line) {
        rbv_diagnose(s->diagnostics, RBV_ERROR, from, RBV_NOWHERE,
                     "the series has no sample: there is no state to start from");
        return RBV_BAD_INPUT;
    }
    if (n->difference <= RBV_SAME * fmax(n->largest, fabs(requested)) || n->difference == 0) {
        s->rows.line = n->number;
        RbvStatus status = series_rows_read(&s->rows, n->line, s->values);
        s->out.t = s->values[0];
        return status;
    }
    bool early = isnan(n->before);
    if (early || isnan(n->after))
        rbv_diagnose(s->diagnostics, RBV_ERROR, from, RBV_NOWHERE,
                     "there is no sample at t = %.9g s: the %s is at %.9g s", requested, early ? "first" : "last",
                     early ? n->after : n->before);
    else
        rbv_diagnose(s->diagnostics, RBV_ERROR, from, RBV_NOWHERE,
                     "there is no sample at t = %.9g s: the nearest are at %.9g s and %.9g s", requested, n->before,
                     n->after);
    return RBV_BAD_INPUT;
}

static RbvStatus read_start_header(Start *s, const char *line) {
    s->rows.arena = &s->arena;
    RbvStatus status = series_rows_head(&s->rows, line);
    if (status != RBV_OK)
        return status;
    s->values = rbv_arena_array(&s->arena, (size_t)s->rows.count, sizeof *s->values);
    return s->values ? RBV_OK : RBV_NO_MEMORY;
}

static RbvStatus take_start_line(void *context, const char *line) {
    Start *s = context;
    return s->rows.names ? look(s, line) : read_start_header(s, line);
}

static RbvStatus read_start(Start *s, FILE *file, double requested) {
    s->nearest = (Nearest){.requested = requested, .before = NAN, .after = NAN, .difference = INFINITY};
    s->rows.from = s->out.from;
    s->rows.diagnostics = s->diagnostics;
    RbvStatus status = series_rows_each(&s->rows, file, take_start_line, s);
    if (status == RBV_OK)
        status = choose(s);
    free(s->nearest.line);
    return status;
}

static const char *statics(const void *context, int32_t k) {
    (void)context, (void)k;
    return "statics";
}

/* Report why the series cannot be read. */
static RbvStatus no_file(const Start *s, const char *folder, char *path, size_t size) {
    int why = errno;
    if (why == ENOMEM)
        return RBV_NO_MEMORY;
    snprintf(path, size, "%s/series.csv.part", folder);
    bool part = why == ENOENT && access(path, F_OK) == 0;
    const char *near = why == ENOENT && !part ? rbv_name_nearest(folder, 1, statics, NULL) : NULL;
    rbv_diagnose(s->diagnostics, RBV_ERROR, NULL, RBV_NOWHERE, "cannot start from %s: %s%s", s->out.from,
                 why ? strerror(why) : "it is no regular file",
                 part   ? "; its run did not come to its end, " RBV_OPTION_RESUME " goes on with it"
                 : near ? "; did you mean " RBV_OPTION_START_AT_EQUILIBRIUM "?"
                        : "");
    return RBV_BAD_INPUT;
}

RbvStatus rbv_start_read(const char *folder, double t, RbvDiagnostics *diagnostics, RbvStart **start) {
    if (!folder || !start)
        return RBV_BAD_ARGUMENT;
    *start = NULL;
    Start *s = calloc(1, sizeof *s);
    size_t size = strlen(folder) + 32;
    char *path = s ? rbv_arena_alloc(&s->arena, size) : NULL;
    RbvStatus status = path ? RBV_OK : RBV_NO_MEMORY;
    if (status == RBV_OK) {
        int length = snprintf(path, size, "%s/series.csv", folder);
        s->diagnostics = diagnostics;
        s->out.from = rbv_arena_copy(&s->arena, path, (size_t)length);
        status = s->out.from ? RBV_OK : RBV_NO_MEMORY;
    }
    FILE *file = status == RBV_OK ? rbv_open_regular(path) : NULL;
    if (status == RBV_OK)
        status = file ? read_start(s, file, t) : no_file(s, folder, path, size);
    if (file)
        fclose(file);
    if (status == RBV_OK) {
        s->out.count = s->rows.count;
        s->out.names = s->rows.names;
        s->out.values = s->values;
        *start = &s->out;
    } else if (s) {
        rbv_start_destroy(&s->out);
    }
    return status;
}

void rbv_start_destroy(RbvStart *start) {
    Start *s = (Start *)start;
    if (!s)
        return;
    rbv_arena_clear(&s->arena);
    free(s);
}
