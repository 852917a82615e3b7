/* Prescribed motion from a table like series.csv: all rows, columns found by their names in the header, values in SI
 * units. */
#define _POSIX_C_SOURCE 200809L
#include <roberval/result.h>

#include "core/base/diagnostics.h"
#include "core/base/units.h"
#include "model/read/files.h"
#include "model/read/series_head.h"
#include "model/read/series_rows.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Times [s] are equal if their difference is at most this part of the largest of them. */
#define SAME_TIME 1e-9
#define NOWHERE ((RbvPosition){0, 0})

/* The motion and the memory that it owns. */
typedef struct Given {
    RbvGivenMotion out; /* first member: the caller's pointer is a pointer to Given */
    RbvArena arena;
    RbvSeriesRows rows;
    double *values;
    int32_t capacity;
    double from, to; /* [s] interval of requested rows; NaN: no limit */
    double last;     /* time of the last row [s] */
    RbvDiagnostics *diagnostics;
} Given;

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
static RbvStatus check_units(const Given *g, const char *line) {
    int32_t k = 0;
    for (const char *cell = line; cell; cell = cell[strcspn(cell, ",")] ? cell + strcspn(cell, ",") + 1 : NULL, k++) {
        RbvSeriesHead head = rbv_series_head(cell, strcspn(cell, ","));
        RbvDimension want = dimension_of(g->rows.names[k]);
        if (head.unit_length == 0 || want == RBV_DIM_ANY ||
            (!isnan(head.is.factor) && rbv_unit_measures(&head.is, want)))
            continue;
        rbv_diagnose(g->diagnostics, RBV_ERROR, g->rows.from, (RbvPosition){g->rows.line, 1},
                     "column '%s' has the unit [%.*s]; it wants one such as [%s]", g->rows.names[k],
                     (int)head.unit_length, cell + head.unit, rbv_dimension_si(want));
        return RBV_BAD_INPUT;
    }
    return RBV_OK;
}

static RbvStatus read_row(Given *g, const char *line) {
    double t, from = g->from, to = g->to;
    RbvStatus status = rbv_series_rows_time(&g->rows, line, &t);
    if (status != RBV_OK)
        return status;
    if (t < g->last) {
        rbv_diagnose(g->diagnostics, RBV_ERROR, g->rows.from, (RbvPosition){g->rows.line, 1},
                     "the time %.9g s comes after %.9g s: rows follow each other in time", t, g->last);
        return RBV_BAD_INPUT;
    }
    g->last = t;
    double near = SAME_TIME * fmax(fabs(t), fmax(isnan(from) ? 0 : fabs(from), isnan(to) ? 0 : fabs(to)));
    if (t < from - near || t > to + near) /* NaN: no limit */
        return RBV_OK;
    if (g->out.samples == g->capacity) {
        int32_t capacity = g->capacity + g->capacity / 2 + 64;
        double *values = realloc(g->values, (size_t)capacity * (size_t)g->rows.count * sizeof *values);
        if (!values)
            return RBV_NO_MEMORY;
        g->values = values;
        g->capacity = capacity;
    }
    status = rbv_series_rows_read(&g->rows, line, g->values + (size_t)g->out.samples * (size_t)g->rows.count);
    g->out.samples += status == RBV_OK;
    return status;
}

static RbvStatus take(void *context, const char *line) {
    Given *g = context;
    if (g->rows.names)
        return read_row(g, line);
    RbvStatus status = rbv_series_rows_head(&g->rows, line);
    return status == RBV_OK ? check_units(g, line) : status;
}

static RbvStatus read_all(Given *g, FILE *file) {
    RbvStatus status = rbv_series_rows_each(&g->rows, file, take, g);
    if (status != RBV_OK || g->out.samples > 0)
        return status;
    rbv_diagnose(g->diagnostics, RBV_ERROR, g->rows.from, NOWHERE,
                 g->rows.names ? "the table has no row%s" : "the table is empty%s",
                 g->rows.line > 1 && (!isnan(g->from) || !isnan(g->to)) ? " between these times" : "");
    return RBV_BAD_INPUT;
}

/* File of a path: of a folder its series.csv. NULL if out of memory. */
static const char *file_of(Given *g, const char *path, bool *folder) {
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
    Given *g = calloc(1, sizeof *g);
    if (!g)
        return RBV_NO_MEMORY;
    g->diagnostics = diagnostics;
    g->from = from, g->to = to;
    g->last = -INFINITY;
    bool folder;
    g->out.from = file_of(g, path, &folder);
    g->rows = (RbvSeriesRows){.arena = &g->arena, .from = g->out.from, .diagnostics = diagnostics};
    FILE *file = !g->out.from ? NULL : folder ? rbv_open_regular(g->out.from) : fopen(g->out.from, "rb");
    RbvStatus status = file ? RBV_OK : !g->out.from || errno == ENOMEM ? RBV_NO_MEMORY : RBV_BAD_INPUT;
    if (status == RBV_BAD_INPUT)
        rbv_diagnose(diagnostics, RBV_ERROR, NULL, NOWHERE, "cannot take the motion from %s: %s", g->out.from,
                     errno ? strerror(errno) : "it is no regular file");
    if (file) {
        status = read_all(g, file);
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
    Given *g = (Given *)motion;
    if (!g)
        return;
    rbv_arena_clear(&g->arena);
    free(g->values);
    free(g);
}
