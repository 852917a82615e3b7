/* Reads catalogues of motors and gears: CSV files with units in their headings, or a list of ratios. */
#include "model/model/catalogue.h"
#include "core/base/diagnostics.h"
#include "model/model/sized.h"
#include "model/read/csv.h"
#include "model/read/fields.h"
#include "model/read/files.h"

#include <roberval/sizing.h>

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_BYTES (64u << 20)

/* A file that is read. */
typedef struct Source {
    RbvArena *arena;
    RbvDiagnostics *diagnostics;
    const char *path;
    RbvCsv *csv;
    RbvStatus status;
} Source;

/* Open a file as columns, those of `texts` as texts. */
static void open_source(Source *s, const char *texts) {
    char *text = NULL;
    size_t length = 0;
    s->status = rbv_read_regular_file(s->path, MOST_BYTES, &text, &length);
    if (s->status == RBV_NO_MEMORY)
        return;
    if (s->status != RBV_OK) {
        rbv_diagnose(s->diagnostics, RBV_ERROR, s->path, (RbvPosition){0, 0}, "it cannot be read: %s",
                     errno ? strerror(errno) : "not a regular file");
        return;
    }
    s->csv = rbv_csv_parse_texts(s->path, text, length, texts, s->diagnostics, &s->status);
    free(text);
}

static RbvCsvColumn *find_column(const Source *s, const char *name) {
    for (int32_t k = 0; s->csv && k < s->csv->column_count; k++)
        if (strcmp(s->csv->columns[k].name, name) == 0)
            return &s->csv->columns[k];
    return NULL;
}

/* Values of a column in SI. NULL: there is none (reported if `required`), or its unit is wrong (reported). */
static const double *numbers_of(Source *s, const char *name, RbvDimension dimension, bool required) {
    RbvCsvColumn *column = find_column(s, name);
    RbvCsvLine line = {.file = s->path, .diagnostics = s->diagnostics};
    RbvUnit unit = {.factor = 1};
    if (s->status != RBV_OK)
        return NULL;
    if (!column && required) {
        rbv_diagnose(s->diagnostics, RBV_ERROR, s->path, (RbvPosition){0, 0}, "the catalogue has no column '%s'", name);
        s->status = RBV_BAD_INPUT;
    }
    if (!column)
        return NULL;
    if (*column->unit && !rbv_csv_unit(&line, column, dimension, &unit)) {
        s->status = RBV_BAD_INPUT;
        return NULL;
    }
    for (int32_t k = 0; k < s->csv->row_count; k++)
        column->values[k] *= unit.factor;
    return column->values;
}

/* Value of row k of a column that may be missing. */
static double value_of(const double *values, int32_t k, double otherwise) {
    return values ? values[k] : otherwise;
}

/* Notes of columns that mean nothing here. */
static void note_unknown(const Source *s, const char *known) {
    for (int32_t k = 0; s->csv && k < s->csv->column_count; k++)
        if (!rbv_key_belongs(known, s->csv->columns[k].name))
            rbv_diagnose(s->diagnostics, RBV_NOTE, s->path, s->csv->columns[k].at,
                         "the column '%s' is not read; a catalogue has %s", s->csv->columns[k].name, known);
}

static void refuse_row(Source *s, int32_t k, const char *what, const char *why) {
    rbv_diagnose(s->diagnostics, RBV_ERROR, s->path, (RbvPosition){s->csv->lines[k], 1}, "'%s' %s", what, why);
    s->status = RBV_BAD_INPUT;
}

/* ---- motors ---- */

/* Path of the curve file beside the catalogue; NULL: no memory. */
static const char *path_beside(const Source *s, const char *name) {
    const char *slash = strrchr(s->path, '/');
    size_t folder = slash && name[0] != '/' ? (size_t)(slash - s->path) + 1 : 0, length = strlen(name);
    char *path = rbv_arena_alloc(s->arena, folder + length + 1);
    if (path) {
        memcpy(path, s->path, folder);
        memcpy(path + folder, name, length + 1);
    }
    return path;
}

static const double *copy_values(Source *s, const double *values, int32_t count) {
    double *copy = values ? rbv_arena_array(s->arena, (size_t)count + 1, sizeof *copy) : NULL;
    if (copy)
        memcpy(copy, values, (size_t)count * sizeof *copy);
    else if (values)
        s->status = RBV_NO_MEMORY;
    return copy;
}

static RbvStatus read_curve(Source *motors, const char *name, RbvRatingDef *rating) {
    Source s = {.arena = motors->arena, .diagnostics = motors->diagnostics, .path = path_beside(motors, name)};
    if (!s.path)
        return RBV_NO_MEMORY;
    open_source(&s, NULL);
    rating->curve_speed = numbers_of(&s, "speed", RBV_DIM_ANGULAR_VELOCITY, true);
    rating->curve_peak = numbers_of(&s, "peak", RBV_DIM_TORQUE, true);
    rating->curve_continuous = numbers_of(&s, "continuous", RBV_DIM_TORQUE, false);
    if (s.status == RBV_OK) {
        rating->curve_count = s.csv->row_count;
        rating->curve_speed = copy_values(&s, rating->curve_speed, rating->curve_count);
        rating->curve_peak = copy_values(&s, rating->curve_peak, rating->curve_count);
        rating->curve_continuous = copy_values(&s, rating->curve_continuous, rating->curve_count);
    }
    if (s.status == RBV_OK) {
        const char *wrong = rbv_rating_curve_wrong(rating);
        if (wrong)
            rbv_diagnose(s.diagnostics, RBV_ERROR, s.path, (RbvPosition){0, 0}, "the curve %s", wrong);
        s.status = wrong ? RBV_BAD_INPUT : RBV_OK;
    }
    rbv_csv_destroy(s.csv);
    return s.status;
}

static void read_motor(Source *s, RbvMotor *motor, int32_t k) {
    const RbvCsvColumn *curves = find_column(s, "curve"), *names = find_column(s, "name");
    const char *curve = curves ? curves->texts[k] : "";
    motor->name = rbv_arena_copy(s->arena, names->texts[k], strlen(names->texts[k]));
    if (!motor->name)
        s->status = RBV_NO_MEMORY;
    else if (*curve && rbv_climbs(curve))
        refuse_row(s, k, motor->name, "names a curve outside the folder of its catalogue");
    else if (*curve)
        s->status = read_curve(s, curve, &motor->rating);
    if (s->status != RBV_OK)
        return;
    const RbvRatingDef *r = &motor->rating;
    if (!*motor->name)
        refuse_row(s, k, "", "needs a name");
    else if (!(motor->inertia >= 0))
        refuse_row(s, k, motor->name, "has a negative inertia");
    else if (r->continuous <= 0 || r->peak <= 0 || r->speed <= 0)
        refuse_row(s, k, motor->name, "needs ratings that are positive");
    else if (r->peak < r->continuous)
        refuse_row(s, k, motor->name, "has a peak below its continuous rating");
    else if (r->curve_count > 0 && r->continuous > r->curve_peak[0])
        refuse_row(s, k, motor->name, "has a continuous rating above its curve");
    else if (isnan(r->peak) && r->curve_count == 0)
        refuse_row(s, k, motor->name, "needs a peak or a curve");
}

static int by_name(const void *a, const void *b) {
    const RbvMotor *const *x = a, *const *y = b;
    int order = strcmp((*x)->name, (*y)->name);
    return order != 0 ? order : (*x > *y) - (*x < *y);
}

/* Two motors of one name could not be told apart. NO_MEMORY, BAD_INPUT (reported). */
static RbvStatus check_names(Source *s, const RbvCatalogue *c) {
    const RbvMotor **list = malloc(((size_t)c->motor_count + 1) * sizeof(RbvMotor *));
    for (int32_t k = 0; list && k < c->motor_count; k++)
        list[k] = &c->motors[k];
    if (list)
        qsort(list, (size_t)c->motor_count, sizeof(RbvMotor *), by_name);
    for (int32_t k = 1; list && k < c->motor_count && s->status == RBV_OK; k++)
        if (strcmp(list[k - 1]->name, list[k]->name) == 0)
            refuse_row(s, (int32_t)(list[k] - c->motors), list[k]->name, "stands twice in the catalogue");
    bool good = list != NULL;
    free(list);
    return good ? s->status : RBV_NO_MEMORY;
}

static RbvStatus read_motors(RbvCatalogue *c, const char *path, RbvDiagnostics *diagnostics) {
    Source s = {.arena = &c->arena, .diagnostics = diagnostics, .path = path};
    open_source(&s, "name curve Name Motor motor type Type");
    if (s.status == RBV_OK && !find_column(&s, "name")) {
        rbv_diagnose(diagnostics, RBV_ERROR, path, (RbvPosition){0, 0}, "the catalogue has no column 'name'");
        s.status = RBV_BAD_INPUT;
    }
    bool curves = find_column(&s, "curve") != NULL;
    const double *continuous = numbers_of(&s, "continuous", RBV_DIM_TORQUE, !curves),
                 *peak = numbers_of(&s, "peak", RBV_DIM_TORQUE, !curves),
                 *speed = numbers_of(&s, "speed", RBV_DIM_ANGULAR_VELOCITY, !curves),
                 *inertia = numbers_of(&s, "inertia", RBV_DIM_INERTIA, true);
    note_unknown(&s, "name continuous peak speed inertia curve");
    c->motor_count = s.status == RBV_OK ? s.csv->row_count : 0;
    c->motors = rbv_arena_array(&c->arena, (size_t)c->motor_count + 1, sizeof *c->motors);
    for (int32_t k = 0; c->motors && s.status == RBV_OK && k < c->motor_count; k++) {
        RbvMotor *motor = &c->motors[k];
        *motor = (RbvMotor){.rating = rbv_rating_def_default, .inertia = inertia[k]};
        motor->rating.continuous = value_of(continuous, k, NAN);
        motor->rating.peak = value_of(peak, k, NAN);
        motor->rating.speed = value_of(speed, k, NAN);
        read_motor(&s, motor, k);
    }
    if (c->motors && s.status == RBV_OK)
        s.status = check_names(&s, c);
    rbv_csv_destroy(s.csv);
    return c->motors ? s.status : RBV_NO_MEMORY;
}

/* ---- gears ---- */

/* The ratio alone, without losses, inertia and limit. */
static RbvGear plain_gear(double ratio) {
    return (RbvGear){.ratio = ratio, .efficiency = 1, .peak = INFINITY};
}

/* The ratio of each drive's own rotor. */
static RbvStatus own_gear(RbvCatalogue *c) {
    c->gears = rbv_arena_array(&c->arena, 1, sizeof *c->gears);
    if (!c->gears)
        return RBV_NO_MEMORY;
    c->gear_count = 1;
    c->gears[0] = plain_gear(NAN);
    c->gears[0].name = "own";
    return RBV_OK;
}

/* "3,4,5". */
static RbvStatus read_ratios(RbvCatalogue *c, const char *list, RbvDiagnostics *diagnostics) {
    size_t most = 1;
    for (const char *at = list; *at; at++)
        most += *at == ',';
    c->gears = rbv_arena_array(&c->arena, most, sizeof *c->gears);
    for (const char *at = list; c->gears; at++) {
        char *end;
        double ratio = strtod(at, &end);
        size_t length = (size_t)(end - at);
        if (end == at || (*end && *end != ',') || ratio == 0 || !isfinite(ratio)) {
            rbv_diagnose(diagnostics, RBV_ERROR, "gears", (RbvPosition){0, 0},
                         "'%s' is neither a file nor a list of ratios such as 3,5,10", list);
            return RBV_BAD_INPUT;
        }
        RbvGear *gear = &c->gears[c->gear_count++];
        *gear = plain_gear(ratio);
        gear->name = rbv_arena_copy(&c->arena, at, length);
        if (!gear->name)
            return RBV_NO_MEMORY;
        at = end;
        if (!*at)
            return RBV_OK;
    }
    return RBV_NO_MEMORY;
}

/* What the unit of a column says of the coordinate: that of a length, of an angle; another one is refused. */
static RbvGearOf gear_of(Source *s, const char *name, RbvDimension angle, RbvDimension length, int power) {
    const RbvCsvColumn *column = find_column(s, name);
    RbvUnit unit;
    const char *unit_text;
    double number;
    if (s->status != RBV_OK || !column || !*column->unit)
        return RBV_GEAR_OF_ANY;
    char text[120];
    snprintf(text, sizeof text, "1 %s", column->unit);
    RbvExponents of_length;
    rbv_exponents_product((RbvExponents){0}, rbv_dimension_exponents(length), 2 * power, &of_length);
    if (rbv_written_as(text, &number, &unit, &unit_text) == RBV_WRITTEN_QUANTITY) {
        if (rbv_exponents_fit(unit.exponents, rbv_dimension_exponents(angle)))
            return RBV_GEAR_OF_ANGLE;
        if (rbv_exponents_fit(unit.exponents, of_length))
            return RBV_GEAR_OF_LENGTH;
    }
    rbv_diagnose(s->diagnostics, RBV_ERROR, s->path, column->at, "'%s' of a gear is not in %s", name, column->unit);
    s->status = RBV_BAD_INPUT;
    return RBV_GEAR_OF_ANY;
}

static void read_gear(Source *s, RbvGear *gear, int32_t k) {
    const RbvCsvColumn *names = find_column(s, "name");
    char text[40];
    snprintf(text, sizeof text, "%.6g", gear->ratio);
    const char *name = names ? names->texts[k] : text;
    gear->name = rbv_arena_copy(s->arena, name, strlen(name));
    if (!gear->name)
        s->status = RBV_NO_MEMORY;
    else if (gear->ratio == 0 || !isfinite(gear->ratio))
        refuse_row(s, k, gear->name, "needs a ratio that is not 0");
    else if (!(gear->efficiency > 0 && gear->efficiency <= 1))
        refuse_row(s, k, gear->name, "needs an efficiency above 0 and up to 1");
    else if (!(gear->inertia >= 0) || !(gear->peak > 0))
        refuse_row(s, k, gear->name, "needs an inertia that is not negative and a peak that is positive");
}

static RbvStatus read_gears(RbvCatalogue *c, const char *path, RbvDiagnostics *diagnostics) {
    Source s = {.arena = &c->arena, .diagnostics = diagnostics, .path = path};
    open_source(&s, "name");
    const double *ratio = numbers_of(&s, "ratio", RBV_DIM_ANY, true),
                 *efficiency = numbers_of(&s, "efficiency", RBV_DIM_NONE, false),
                 *inertia = numbers_of(&s, "inertia", RBV_DIM_INERTIA, false),
                 *peak = numbers_of(&s, "peak", RBV_DIM_ANY, false);
    RbvGearOf of_ratio = gear_of(&s, "ratio", RBV_DIM_NONE, RBV_DIM_LENGTH, -1),
              of_peak = gear_of(&s, "peak", RBV_DIM_TORQUE, RBV_DIM_FORCE, 1);
    note_unknown(&s, "name ratio efficiency inertia peak");
    const RbvCsvColumn *says = find_column(&s, of_ratio != RBV_GEAR_OF_ANY ? "ratio" : "peak");
    c->gear_at = says ? says->at : (RbvPosition){0, 0};
    c->gear_file = rbv_arena_copy(&c->arena, path, strlen(path));
    c->gear_count = s.status == RBV_OK ? s.csv->row_count : 0;
    c->gears = rbv_arena_array(&c->arena, (size_t)c->gear_count + 1, sizeof *c->gears);
    for (int32_t k = 0; c->gears && s.status == RBV_OK && k < c->gear_count; k++) {
        c->gears[k] = plain_gear(ratio[k]);
        c->gears[k].of = of_ratio != RBV_GEAR_OF_ANY ? of_ratio : of_peak;
        c->gears[k].efficiency = value_of(efficiency, k, 1);
        c->gears[k].has_efficiency = efficiency != NULL;
        c->gears[k].inertia = value_of(inertia, k, 0);
        c->gears[k].peak = value_of(peak, k, INFINITY);
        read_gear(&s, &c->gears[k], k);
    }
    rbv_csv_destroy(s.csv);
    return c->gears && c->gear_file ? s.status : RBV_NO_MEMORY;
}

RbvStatus rbv_catalogue_read(const char *motors, const char *gears, RbvDiagnostics *diagnostics,
                             RbvCatalogue **catalogue) {
    if (!motors || !catalogue)
        return RBV_BAD_ARGUMENT;
    RbvCatalogue *c = calloc(1, sizeof *c);
    *catalogue = NULL;
    RbvStatus status = c ? read_motors(c, motors, diagnostics) : RBV_NO_MEMORY;
    const char *ratios = gears ? gears : "";
    bool file = strpbrk(ratios, "/\\abcdfghijklmnopqrstuvwxyzABCDFGHIJKLMNOPQRSTUVWXYZ_") != NULL;
    if (status == RBV_OK && !gears)
        status = own_gear(c);
    else if (status == RBV_OK)
        status = file ? read_gears(c, ratios, diagnostics) : read_ratios(c, ratios, diagnostics);
    if (status == RBV_OK)
        *catalogue = c;
    else
        rbv_catalogue_destroy(c);
    return status;
}

void rbv_catalogue_destroy(RbvCatalogue *catalogue) {
    if (catalogue)
        rbv_arena_clear(&catalogue->arena);
    free(catalogue);
}
