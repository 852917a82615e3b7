/* Rows of a recorded motion as drive targets; see recorded.h.
 *
 * Rows are read ahead, since the spline knows the derivatives at a row only after RBV_SPLINE_AHEAD further rows or the
 * last one: read from the recording, checked, kept in a ring buffer and added to the spline; then completed and taken,
 * one by each rbv_recorded_next. `Read last` and `taken last` are different rows. */
#include "solution/motion/recorded.h"

#include "core/base/diagnostics.h"
#include "core/expr/spline.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Capacity for rows that wait for their derivatives: as many as the spline holds. */
#define WAITING (2 * RBV_SPLINE_AHEAD + 3)
/* An angle that differs from the expected one by more than this [rad] has been wrapped at a full turn. */
#define CUT 3.141592653589793

struct RbvRecorded {
    RbvArena arena;
    const RbvModel *model;
    const RbvRecording *recording;
    RbvDiagnostics *diagnostics;
    RbvProgress *progress;
    int32_t drives;
    int32_t *function;        /* [drives] index of the drive's function in the spline, -1: both derivatives are given */
    int32_t functions;        /* number of functions in the spline: drives of which a derivative is missing */
    RbvRunningSpline *spline; /* NULL: all derivatives are given */
    double *t, (*row)[3];     /* [WAITING] times [s], [WAITING][drives] value, rate, second rate: rows read and not yet
                                 taken; a ring buffer */
    int32_t first, count;     /* place of the oldest row in the ring buffer, number of rows in it */
    double before, span;      /* [s] time of the row read last, and time since the row before */
    double (*value)[3];       /* [drives] of the row read last: value, change of value since the row before, rate */
    int64_t read, taken;      /* numbers of rows so far */
    double *y, (*d)[2];      /* [functions] of one row: what the spline interpolates, its first and second derivative */
    RbvStatus ended;         /* status with which the rows ended */
    bool end;                /* no more rows can be read; some may wait to be taken */
    RbvDriveTarget *targets; /* [drives] targets from the row before the one taken last to that one */
    RbvRecordedRows *ahead;  /* rows taken before they are asked for; NULL: none */
    int32_t used_ahead;      /* number of them that have been asked for since */
    RbvStatus status_ahead;  /* how taking ahead ended: status, and whether more rows follow */
    bool more_ahead;
    RbvDiagnostics *messages_ahead; /* what was reported then */
};

/* Most rows of a recorded motion. */
#define MOST_ROWS 100000000

void rbv_recorded_rows_destroy(RbvRecordedRows *rows) {
    if (!rows)
        return;
    free(rows->t);
    free(rows->share);
    free(rows->targets);
    free(rows);
}

void rbv_recorded_destroy(RbvRecorded *r) {
    if (!r)
        return;
    rbv_running_spline_destroy(r->spline);
    rbv_recorded_rows_destroy(r->ahead);
    rbv_diagnostics_destroy(r->messages_ahead);
    rbv_arena_clear(&r->arena);
    free(r);
}

static bool allocate_recorded(RbvRecorded *r) {
    size_t n = (size_t)r->drives, rows = WAITING;
    r->function = rbv_arena_array(&r->arena, n, sizeof *r->function);
    r->t = rbv_arena_array(&r->arena, rows, sizeof *r->t);
    r->row = rbv_arena_array(&r->arena, rows * n, sizeof *r->row);
    r->value = rbv_arena_array(&r->arena, n, sizeof *r->value);
    r->y = rbv_arena_array(&r->arena, n, sizeof *r->y);
    r->d = rbv_arena_array(&r->arena, n, sizeof *r->d);
    r->targets = rbv_arena_array(&r->arena, n, sizeof *r->targets);
    return r->function && r->t && r->row && r->value && r->y && r->d && r->targets;
}

RbvStatus rbv_recorded_refuse(const RbvRecorded *r, const char *text) {
    rbv_diagnose(r->diagnostics, RBV_ERROR, r->recording->name,
                 (RbvPosition){r->recording->line, r->recording->line > 0}, "%s", text);
    return RBV_BAD_INPUT;
}

RbvStatus rbv_recorded_create(const RbvModel *model, const RbvRecording *recording, RbvProgress *progress,
                              RbvDiagnostics *diagnostics, RbvRecorded **recorded) {
    RbvRecorded *r = calloc(1, sizeof *r);
    *recorded = r;
    if (!r)
        return RBV_NO_MEMORY;
    *r = (RbvRecorded){.model = model,
                       .recording = recording,
                       .diagnostics = diagnostics,
                       .progress = progress,
                       .drives = model->drives.count,
                       .before = -INFINITY};
    if (r->drives == 0)
        return rbv_recorded_refuse(r, "the model has no drive whose motion could be recorded");
    if (recording->drive_count != r->drives || !recording->given || !recording->next)
        return rbv_recorded_refuse(r, "the recording is not of the drives of this model");
    if (!allocate_recorded(r))
        return RBV_NO_MEMORY;
    for (int32_t k = 0; k < r->drives; k++)
        r->function[k] = recording->given[k][0] && recording->given[k][1] ? -1 : r->functions++;
    r->spline = r->functions > 0 ? rbv_running_spline_create(r->functions) : NULL;
    return r->functions > 0 && !r->spline ? RBV_NO_MEMORY : RBV_OK;
}

/* Index in a row of the number that the spline interpolates: the rate (1) where only second rates are missing, else the
 * value (0). */
static int interpolated(const RbvRecorded *r, int32_t drive) {
    return r->recording->given[drive][0] ? 1 : 0;
}

/* Detect an angle that is wrapped at a full turn, which would turn the drive back: between two rows its change differs
 * by more than half a turn from what its rates there predict or, without rates, the change between the two rows before.
 * Stores the row in r->value. BAD_INPUT, reported. */
static RbvStatus look_for_cut(RbvRecorded *r, double t, int32_t k, const double row[3]) {
    const RbvDrive *drive = &r->model->drives.items[k];
    double *last = r->value[k], change = row[0] - last[0], span = t - r->before, expected = last[1] * span / r->span;
    bool rates = r->recording->given[k][0], known = r->read > (rates ? 0 : 1);
    if (rates)
        expected = 0.5 * (last[2] + row[1]) * span;
    bool cut = known && fabs(change - expected) > CUT && rbv_coordinate_is_angle(r->model, &drive->of);
    bool earlier = cut && !rates &&
                   fabs(expected) > fabs(change); /* the jump came one row earlier, the first that can be compared */
    if (cut) {
        double jump = earlier ? last[1] : change;
        rbv_diagnose(
            r->diagnostics, RBV_ERROR, r->recording->name,
            (RbvPosition){r->recording->line - (earlier && r->recording->line > 0), r->recording->line > 0},
            "at t = %.9g s '%s' jumps by %.4g deg from one row to the next: an angle goes on beyond a turn (350 deg, "
            "360 deg, 370 deg). Where it begins anew at each turn in the file, its heading says so: '%s wrap [...]'",
            earlier ? r->before : t, drive->coordinate, jump * 180 / CUT, drive->coordinate);
        return RBV_BAD_INPUT;
    }
    last[0] = row[0];
    last[1] = r->read > 0 ? change : 0;
    last[2] = row[1];
    return RBV_OK;
}

/* Check the row read: times grow, numbers are finite, angles are not wrapped. BAD_INPUT, reported. */
static RbvStatus check_row(RbvRecorded *r, double t, double (*row)[3]) {
    char text[256];
    if (!isfinite(t))
        return rbv_recorded_refuse(r, "the time of a row is not finite");
    if (!(t > r->before)) {
        snprintf(text, sizeof text, "time must grow from row to row: %.9g s comes after %.9g s", t, r->before);
        return rbv_recorded_refuse(r, text);
    }
    for (int32_t k = 0; k < r->drives; k++) {
        const bool *given = r->recording->given[k];
        if (!isfinite(row[k][0]) || (given[0] && !isfinite(row[k][1])) || (given[1] && !isfinite(row[k][2]))) {
            snprintf(text, sizeof text, "at t = %.9g s '%.100s' is not finite", t,
                     r->model->drives.items[k].coordinate);
            return rbv_recorded_refuse(r, text);
        }
        if (look_for_cut(r, t, k, row[k]) != RBV_OK)
            return RBV_BAD_INPUT;
    }
    r->span = t - r->before;
    r->before = t;
    return RBV_OK;
}

/* Read one row into the ring buffer and the spline; or r->end is set, with the reason in r->ended. INTERRUPTED: the
 * caller requests a stop. */
static RbvStatus read_row(RbvRecorded *r) {
    int32_t place = (r->first + r->count) % WAITING;
    double(*row)[3] = r->row + (size_t)place * (size_t)r->drives;
    const RbvRecording *from = r->recording;
    bool more = true;
    RbvStatus status;
    do
        status = from->next(from->context, &r->t[place], row, &more, r->diagnostics);
    while (status == RBV_INTERRUPTED && !rbv_progress_stops(r->progress));
    if (status == RBV_INTERRUPTED)
        return status;
    if (status == RBV_OK && more)
        status = check_row(r, r->t[place], row);
    if (status != RBV_OK || !more) {
        r->ended = status;
        r->end = true;
        if (r->spline)
            rbv_running_spline_close(r->spline);
        return RBV_OK;
    }
    r->count++;
    r->read++;
    for (int32_t k = 0; k < r->drives; k++)
        if (r->function[k] >= 0)
            r->y[r->function[k]] = row[k][interpolated(r, k)];
    if (r->spline)
        rbv_running_spline_add(r->spline, r->t[place], r->y);
    return RBV_OK;
}

/* Are the derivatives at the oldest row of the ring buffer known? */
static bool is_ready(const RbvRecorded *r) {
    return r->count > 0 && (!r->spline || rbv_running_spline_is_known(r->spline));
}

/* Missing derivatives of the oldest row, at t, from the spline. BAD_INPUT, reported; or the status with which rows
 * ended. */
static RbvStatus complete_row(RbvRecorded *r, double t, double (*row)[3]) {
    if (!r->spline)
        return RBV_OK;
    if (r->end && r->ended != RBV_OK && r->read == 1) /* already reported why there are no more rows */
        return r->ended;
    rbv_running_spline_take(r->spline, r->d);
    for (int32_t k = 0; k < r->drives; k++) {
        const bool *given = r->recording->given[k];
        if (r->function[k] < 0)
            continue;
        const double *d = r->d[r->function[k]];
        if (!given[0])
            row[k][1] = d[0];
        if (!given[1])
            row[k][2] = given[0] ? d[0] : d[1];
        if (isfinite(row[k][1]) && isfinite(row[k][2]))
            continue;
        char text[256];
        snprintf(text, sizeof text,
                 r->read == 1
                     ? "a single row says nothing of how '%.100s' moves; columns of its rate and second rate do"
                     : "the rates of '%.100s' at t = %.9g s are not finite: rows are too near to each other",
                 r->model->drives.items[k].coordinate, t);
        return rbv_recorded_refuse(r, text);
    }
    return RBV_OK;
}

static RbvStatus take_row(RbvRecorded *r, double *t, bool *more) {
    RbvStatus status = r->taken < MOST_ROWS ? RBV_OK : rbv_recorded_refuse(r, "more than 1e8 rows are refused");
    while (status == RBV_OK && !r->end && (!is_ready(r) || (r->taken == 0 && r->count < 2)))
        status = read_row(r);
    *more = status == RBV_OK && is_ready(r);
    if (status == RBV_OK && !*more)
        return r->ended == RBV_OK && r->taken == 0 ? rbv_recorded_refuse(r, "there is no row of numbers: nothing moves")
                                                   : r->ended;
    if (status != RBV_OK)
        return status;
    double(*row)[3] = r->row + (size_t)r->first * (size_t)r->drives;
    *t = r->t[r->first];
    status = complete_row(r, *t, row);
    for (int32_t k = 0; k < r->drives; k++) {
        RbvDriveTarget *target = &r->targets[k];
        target->from = r->taken > 0 ? target->to : *t;
        target->to = *t;
        memcpy(target->start, r->taken > 0 ? target->end : row[k], sizeof target->start);
        memcpy(target->end, row[k], sizeof target->end);
    }
    r->first = (r->first + 1) % WAITING;
    r->count--;
    r->taken++;
    return status;
}

/* Appends up to `most` rows that take_row gives; how it ended in *status and *more. False: no memory for them. */
static bool take_rows(RbvRecorded *r, int32_t most, RbvRecordedRows **out, RbvStatus *status, bool *more) {
    size_t drives = (size_t)r->drives, capacity = (size_t)most;
    RbvRecordedRows *rows = *out = calloc(1, sizeof *rows);
    *status = RBV_OK;
    *more = true;
    if (!rows)
        return false;
    rows->t = malloc(capacity * sizeof *rows->t);
    rows->share = malloc(capacity * sizeof *rows->share);
    rows->targets = malloc(capacity * drives * sizeof *rows->targets);
    if (!rows->t || !rows->share || !rows->targets)
        return false;
    while (rows->count < most) {
        *status = rbv_recorded_next(r, &rows->t[rows->count], more);
        if (*status != RBV_OK || !*more)
            break;
        memcpy(rows->targets + (size_t)rows->count * drives, r->targets, drives * sizeof *rows->targets);
        rows->share[rows->count++] = rbv_recorded_share(r);
    }
    return true;
}

RbvStatus rbv_recorded_next(RbvRecorded *r, double *t, bool *more) {
    const RbvRecordedRows *ahead = r->ahead;
    *more = true;
    if (ahead && r->used_ahead < ahead->count) {
        *t = ahead->t[r->used_ahead];
        memcpy(r->targets, ahead->targets + (size_t)r->used_ahead * (size_t)r->drives,
               (size_t)r->drives * sizeof *r->targets);
        r->used_ahead++;
        return RBV_OK;
    }
    if (ahead) { /* also of rows behind them that the spline has looked at: their status is returned there */
        rbv_diagnostics_join(r->diagnostics, r->messages_ahead);
        rbv_diagnostics_clear(r->messages_ahead);
    }
    if (!ahead || (r->status_ahead == RBV_OK && r->more_ahead))
        return take_row(r, t, more);
    *more = r->more_ahead;
    return r->status_ahead;
}

RbvStatus rbv_recorded_read_ahead(RbvRecorded *r, int32_t count, bool *enough) {
    RbvDiagnostics *diagnostics = r->diagnostics;
    RbvDriveTarget *last = malloc((size_t)r->drives * sizeof *last);
    RbvRecordedRows *rows = NULL;
    RbvStatus after;
    bool more, good = last && (r->messages_ahead = rbv_diagnostics_create());
    if (good) {
        memcpy(last, r->targets, (size_t)r->drives * sizeof *last);
        r->diagnostics = r->messages_ahead;
        good = take_rows(r, count, &rows, &after, &more);
        r->diagnostics = diagnostics;
    }
    if (good) {
        r->ahead = rows;
        r->status_ahead = after;
        r->more_ahead = more;
        *enough = rows->count == count;
        memcpy(r->targets, last, (size_t)r->drives * sizeof *last);
    } else {
        rbv_recorded_rows_destroy(rows);
    }
    free(last);
    return good ? RBV_OK : RBV_NO_MEMORY;
}

RbvStatus rbv_recorded_take(RbvRecorded *r, int32_t most, RbvRecordedRows **rows, bool *more) {
    RbvStatus status;
    return take_rows(r, most, rows, &status, more) ? status : RBV_NO_MEMORY;
}

double rbv_recorded_step(const RbvRecorded *r) {
    return r->count > 0 ? r->t[r->first] - r->targets[0].to : 1;
}

RbvDriveTarget *rbv_recorded_targets(const RbvRecorded *r) {
    return r->targets;
}

bool rbv_recorded_is_stored(const RbvRecorded *r) {
    return !isnan(rbv_recorded_share(r));
}

void rbv_recorded_report_to(RbvRecorded *r, RbvDiagnostics *diagnostics, RbvProgress *progress) {
    r->diagnostics = diagnostics;
    r->progress = progress;
}

void rbv_recorded_hold(RbvDriveTarget *targets, int32_t drives) {
    for (int32_t k = 0; k < drives; k++) {
        RbvDriveTarget *target = &targets[k];
        double H = target->to - target->from, *start = target->start;
        const double *end = target->end;
        start[0] = end[0] - H * (end[1] - 0.5 * H * end[2]);
        start[1] = end[1] - H * end[2];
        start[2] = end[2];
    }
}

double rbv_recorded_share(const RbvRecorded *r) {
    const RbvRecordedRows *ahead = r->ahead;
    if (ahead && r->used_ahead < ahead->count)
        return r->used_ahead > 0 ? ahead->share[r->used_ahead - 1] : 0;
    return r->recording->share ? r->recording->share(r->recording->context) : NAN;
}

/* The names of drives for which exactly these derivatives are given: rates, second rates. */
static int list_drives(const RbvRecorded *r, bool rates, bool seconds, char *text, size_t size) {
    int count = 0;
    size_t used = 0;
    text[0] = '\0';
    for (int32_t k = 0; k < r->drives; k++) {
        const bool *given = r->recording->given[k];
        if (given[0] != rates || given[1] != seconds)
            continue;
        int n = snprintf(text + used, size - used, "%s%s", used ? ", " : "", r->model->drives.items[k].coordinate);
        used = n > 0 && used + (size_t)n < size ? used + (size_t)n : size - 1;
        count++;
    }
    return count;
}

void rbv_recorded_note(const RbvRecorded *r, RbvDiagnostics *diagnostics) {
    static const struct {
        bool rates, seconds;
        const char *words;
    } kinds[] = {{false, false, "rates and second rates are those of a cubic spline through the recorded values"},
                 {false, true, "rates are those of a cubic spline through the recorded values"},
                 {true, false, "second rates are those of a cubic spline through the recorded rates"}};
    char names[400];
    for (int32_t k = 0; k < r->recording->note_count; k++)
        rbv_diagnose(diagnostics, RBV_NOTE, r->recording->name, (RbvPosition){0, 0}, "%s", r->recording->notes[k]);
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++)
        if (list_drives(r, kinds[k].rates, kinds[k].seconds, names, sizeof names) > 0)
            rbv_diagnose(diagnostics, RBV_NOTE, r->recording->name, (RbvPosition){0, 0}, "%s: %s", kinds[k].words,
                         names);
}
