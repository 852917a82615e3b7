/* Reads one row of a series.csv as a start state: cells found by the names in the header, values in SI units. */
#define _POSIX_C_SOURCE 200809L
#include <roberval/result.h>

#include "core/base/arena.h"
#include "core/base/diagnostics.h"
#include "core/base/names.h"
#include "model/read/files.h"
#include "model/read/series_rows.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A sample is at the requested time if the difference is at most this part of the largest time. */
#define SAME_TIME 1e-9
#define NOWHERE ((RbvPosition){0, 0})

/* The row nearest to the requested time so far. */
typedef struct Nearest {
    double requested; /* [s] requested time; NaN: the last sample */
    char *line;
    int32_t number;
    double before, after, largest; /* [s] times of the samples before and after the requested time; largest time */
    double off;
} Nearest;

/* The start state and the memory that it owns. */
typedef struct Start {
    RbvStart out; /* first member: the caller's pointer is a pointer to Start */
    RbvArena arena;
    RbvSeriesRows rows;
    double *values;
    Nearest nearest;
    RbvDiagnostics *diagnostics;
} Start;

/* Keep the row if it is nearest to the requested time. Of two rows at one instant the later one is kept: it is the
 * state after the event. */
static RbvStatus look(Start *s, const char *line) {
    Nearest *n = &s->nearest;
    double t, requested = n->requested;
    RbvStatus status = rbv_series_rows_time(&s->rows, line, &t);
    if (status != RBV_OK)
        return status;
    double off = isnan(requested) ? 0 : fabs(t - requested);
    n->largest = fmax(n->largest, fabs(t));
    n->before = t <= requested ? t : n->before;
    n->after = t >= requested && isnan(n->after) ? t : n->after;
    if (off > n->off)
        return RBV_OK;
    free(n->line);
    n->line = strdup(line);
    n->number = s->rows.line;
    n->off = off;
    return n->line ? RBV_OK : RBV_NO_MEMORY;
}

static RbvStatus choose(Start *s) {
    const Nearest *n = &s->nearest;
    const char *from = s->out.from;
    double requested = n->requested;
    if (!n->line) {
        rbv_diagnose(s->diagnostics, RBV_ERROR, from, NOWHERE,
                     "the series has no sample: there is no state to start from");
        return RBV_BAD_INPUT;
    }
    if (n->off <= SAME_TIME * fmax(n->largest, fabs(requested)) || n->off == 0) {
        s->rows.line = n->number;
        RbvStatus status = rbv_series_rows_read(&s->rows, n->line, s->values);
        s->out.t = s->values[0];
        return status;
    }
    if (isnan(n->before) || isnan(n->after))
        rbv_diagnose(s->diagnostics, RBV_ERROR, from, NOWHERE, "there is no sample at t = %.9g s: the %s is at %.9g s",
                     requested, isnan(n->before) ? "first" : "last", isnan(n->before) ? n->after : n->before);
    else
        rbv_diagnose(s->diagnostics, RBV_ERROR, from, NOWHERE,
                     "there is no sample at t = %.9g s: the nearest are at %.9g s and %.9g s", requested, n->before,
                     n->after);
    return RBV_BAD_INPUT;
}

static RbvStatus read_header(Start *s, const char *line) {
    s->rows.arena = &s->arena;
    RbvStatus status = rbv_series_rows_head(&s->rows, line);
    if (status != RBV_OK)
        return status;
    s->values = rbv_arena_array(&s->arena, (size_t)s->rows.count, sizeof *s->values);
    return s->values ? RBV_OK : RBV_NO_MEMORY;
}

static RbvStatus take(void *context, const char *line) {
    Start *s = context;
    return s->rows.names ? look(s, line) : read_header(s, line);
}

static RbvStatus read_series(Start *s, FILE *file, double requested) {
    s->nearest = (Nearest){.requested = requested, .before = NAN, .after = NAN, .off = INFINITY};
    s->rows.from = s->out.from;
    s->rows.diagnostics = s->diagnostics;
    RbvStatus status = rbv_series_rows_each(&s->rows, file, take, s);
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
    rbv_diagnose(s->diagnostics, RBV_ERROR, NULL, NOWHERE, "cannot start from %s: %s%s", s->out.from,
                 why ? strerror(why) : "it is no regular file",
                 part   ? "; its run did not come to its end, --resume goes on with it"
                 : near ? "; did you mean --start statics?"
                        : "");
    return RBV_BAD_INPUT;
}

RbvStatus rbv_start_read(const char *folder, double t, RbvDiagnostics *diagnostics, RbvStart **start) {
    if (!folder || !start)
        return RBV_BAD_ARGUMENT;
    *start = NULL;
    Start *s = calloc(1, sizeof *s);
    size_t size = strlen(folder) + 32;
    char *path = malloc(size);
    RbvStatus status = s && path ? RBV_OK : RBV_NO_MEMORY;
    if (status == RBV_OK) {
        int length = snprintf(path, size, "%s/series.csv", folder);
        s->diagnostics = diagnostics;
        s->out.from = rbv_arena_copy(&s->arena, path, (size_t)length);
        status = s->out.from ? RBV_OK : RBV_NO_MEMORY;
    }
    FILE *file = status == RBV_OK ? rbv_open_regular(path) : NULL;
    if (status == RBV_OK)
        status = file ? read_series(s, file, t) : no_file(s, folder, path, size);
    if (file)
        fclose(file);
    free(path);
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
