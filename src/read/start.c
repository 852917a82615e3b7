/* One row of a series.csv, as a state to start from: its cells by the names in the header, in SI units. */
#define _POSIX_C_SOURCE 200809L
#include <roberval/result.h>

#include "base/arena.h"
#include "base/diagnostics.h"
#include "base/names.h"
#include "base/units.h"
#include "read/series_head.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A sample is meant by a time that is off by this part of the times there are. */
#define SAME_TIME 1e-9
#define NOWHERE ((RbvPosition){0, 0})

/* What is handed out, and what holds it. */
typedef struct Start {
    RbvStart out; /* first: the caller's pointer is this one's */
    RbvArena arena;
    const char **names;
    double *factors, *values;
    int32_t line; /* of the file */
    RbvDiagnostics *diagnostics;
} Start;

static RbvStatus wrong(const Start *s, const char *text, const char *cell, size_t length) {
    rbv_diagnose(s->diagnostics, RBV_ERROR, s->out.from, (RbvPosition){s->line, 1}, "'%.*s' %s", (int)length, cell, text);
    return RBV_BAD_INPUT;
}

/* "rod.x [m]", "rod.Fx [N] (not unique)": the name, and the unit's value in SI. */
static RbvStatus read_head(Start *s, const char *cell, size_t length) {
    RbvSeriesHead head = rbv_series_head(cell, length); /* a unit that is not known is of something that is no part of a state */
    s->factors[s->out.count] = head.is.factor;
    s->names[s->out.count] = rbv_arena_copy(&s->arena, cell, head.name);
    return s->names[s->out.count++] ? RBV_OK : RBV_NO_MEMORY;
}

static RbvStatus read_header(Start *s, const char *line) {
    size_t count = 2;
    for (const char *c = line; *c; c++)
        count += *c == ',';
    s->names = rbv_arena_array(&s->arena, count, sizeof *s->names);
    s->factors = rbv_arena_array(&s->arena, count, sizeof *s->factors);
    s->values = rbv_arena_array(&s->arena, count, sizeof *s->values);
    RbvStatus status = s->names && s->factors && s->values ? RBV_OK : RBV_NO_MEMORY;
    for (const char *cell = line; status == RBV_OK && cell; cell = cell[strcspn(cell, ",")] ? cell + strcspn(cell, ",") + 1 : NULL)
        status = read_head(s, cell, strcspn(cell, ","));
    if (status != RBV_OK || strcmp(s->names[0], "time") == 0)
        return status;
    rbv_diagnose(s->diagnostics, RBV_ERROR, s->out.from, (RbvPosition){s->line, 1}, "the series goes along '%s', not along time: none of its rows is a state at an instant", s->names[0]);
    return RBV_BAD_INPUT;
}

/* All cells of the line; those that are empty are NaN. */
static RbvStatus read_row(Start *s, const char *line) {
    for (int32_t k = 0; k < s->out.count; k++) {
        size_t length = strcspn(line, ",");
        s->values[k] = NAN;
        if (length > 0 && rbv_number_parse(line, &s->values[k]) != length)
            return wrong(s, "is no number", line, length);
        s->values[k] *= s->factors[k];
        line += length;
        if ((*line == ',') != (k + 1 < s->out.count))
            return wrong(s, "ends a row that has not as many cells as the header", line - length, length);
        line += *line == ',';
    }
    return RBV_OK;
}

/* What stands nearest to the wanted time so far. */
typedef struct Nearest {
    char *line;
    int32_t number;
    double before, after, largest; /* [s] the samples next to it; the largest time */
    double off;
} Nearest;

/* Of two rows at one instant the later counts: it is the state after what happens there. */
static RbvStatus look(Start *s, Nearest *n, const char *line, double wanted) {
    double t;
    if (rbv_number_parse(line, &t) == 0)
        return wrong(s, "is no time", line, strcspn(line, ","));
    t *= s->factors[0];
    double off = isnan(wanted) ? 0 : fabs(t - wanted);
    n->largest = fmax(n->largest, fabs(t));
    n->before = t <= wanted ? t : n->before;
    n->after = t >= wanted && isnan(n->after) ? t : n->after;
    if (off > n->off)
        return RBV_OK;
    free(n->line);
    n->line = strdup(line);
    n->number = s->line;
    n->off = off;
    return n->line ? RBV_OK : RBV_NO_MEMORY;
}

static RbvStatus choose(Start *s, const Nearest *n, double wanted) {
    const char *from = s->out.from;
    if (!n->line) {
        rbv_diagnose(s->diagnostics, RBV_ERROR, from, NOWHERE, "the series has no sample: there is no state to start from");
        return RBV_BAD_INPUT;
    }
    if (n->off <= SAME_TIME * fmax(n->largest, fabs(wanted)) || n->off == 0) {
        s->line = n->number;
        RbvStatus status = read_row(s, n->line);
        s->out.t = s->values[0];
        return status;
    }
    if (isnan(n->before) || isnan(n->after))
        rbv_diagnose(s->diagnostics, RBV_ERROR, from, NOWHERE, "there is no sample at t = %.9g s: the %s is at %.9g s", wanted, isnan(n->before) ? "first" : "last", isnan(n->before) ? n->after : n->before);
    else
        rbv_diagnose(s->diagnostics, RBV_ERROR, from, NOWHERE, "there is no sample at t = %.9g s: the nearest are at %.9g s and %.9g s", wanted, n->before, n->after);
    return RBV_BAD_INPUT;
}

static RbvStatus read_series(Start *s, FILE *file, double wanted) {
    Nearest nearest = {.before = NAN, .after = NAN, .off = INFINITY};
    char *line = NULL;
    size_t room = 0;
    RbvStatus status = RBV_OK;
    errno = 0;
    while (status == RBV_OK && getline(&line, &room, file) >= 0) {
        line[strcspn(line, "\r\n")] = '\0';
        s->line++;
        if (s->line == 1)
            status = read_header(s, line);
        else if (*line)
            status = look(s, &nearest, line, wanted);
    }
    if (status == RBV_OK && (ferror(file) || errno == ENOMEM))
        status = errno == ENOMEM ? RBV_NO_MEMORY : RBV_BAD_INPUT;
    if (status == RBV_BAD_INPUT && ferror(file))
        rbv_diagnose(s->diagnostics, RBV_ERROR, s->out.from, NOWHERE, "it cannot be read: %s", strerror(errno));
    if (status == RBV_OK)
        status = choose(s, &nearest, wanted);
    free(nearest.line);
    free(line);
    return status;
}

static const char *statics(const void *context, int32_t k) {
    (void)context, (void)k;
    return "statics";
}

/* Why there is nothing to read. */
static RbvStatus no_file(const Start *s, const char *folder, char *path, size_t size) {
    int why = errno;
    if (why == ENOMEM)
        return RBV_NO_MEMORY;
    snprintf(path, size, "%s/series.csv.part", folder);
    FILE *part = why == ENOENT ? fopen(path, "rb") : NULL;
    const char *near = why == ENOENT && !part ? rbv_name_nearest(folder, 1, statics, NULL) : NULL;
    rbv_diagnose(s->diagnostics, RBV_ERROR, NULL, NOWHERE, "cannot start from %s: %s%s", s->out.from, strerror(why),
                 part ? "; its run did not come to its end, --resume goes on with it" : near ? "; did you mean --start statics?" : "");
    if (part)
        fclose(part);
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
    FILE *file = status == RBV_OK ? fopen(path, "rb") : NULL;
    if (status == RBV_OK)
        status = file ? read_series(s, file, t) : no_file(s, folder, path, size);
    if (file)
        fclose(file);
    free(path);
    if (status == RBV_OK) {
        s->out.names = s->names;
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
