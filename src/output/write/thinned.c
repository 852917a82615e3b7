/* The samples that a page needs: as many as it has pixels across, and the extremes between them.
 *
 * The samples are divided into PIXELS runs of equal length. Of each the first sample is kept, and for each column the
 * samples of its least and largest value, where these leave the values at both ends by more than a pixel's height of
 * the column's range: a curve through the samples that are kept then differs from that through all by less than a
 * pixel. Where a column is smooth, few runs have such a sample. The least and largest values of the whole run are kept,
 * too, and both sides where values begin or cease to exist.
 *
 * Between samples the page goes straight. So that bodies stay together while it plays, as many samples are kept as
 * poses need to stay within BEND of their range of the straight lines. */
#include "core/base/tolerances.h"
#include "model/result/result.h"
#include "output/write/files.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Width and height of the widest plot, in pixels; pages of fewer than FEWEST times as many samples keep them all. */
#define PIXELS 1000
#define FEWEST 4
#define HEIGHT 1000.0
/* Part of a range by which a pose may leave the straight line between two samples that are kept. */
#define BEND (1.0 / 300)

typedef struct Thinning {
    const RbvResult *result;
    const bool *shown, *pose;       /* [columns] */
    bool *keep;                     /* [samples] */
    double *least, *most;           /* [columns] over the whole run; NaN: no value */
    double *pixel;                  /* [columns] height of a pixel; rounding beside other values of the unit is none */
    int32_t *low, *high;            /* [columns] sample of the least and largest value of the present run */
    double *low_value, *high_value; /* [columns] */
} Thinning;

static bool thinning_create(Thinning *t, RbvArena *arena) {
    size_t columns = (size_t)t->result->column_count + 1;
    t->keep = rbv_arena_array(arena, (size_t)t->result->sample_count + 1, sizeof *t->keep);
    double **const numbers[] = {&t->least, &t->most, &t->pixel, &t->low_value, &t->high_value};
    int32_t **const places[] = {&t->low, &t->high};
    bool good = t->keep;
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
        good = (*numbers[k] = rbv_arena_array(arena, columns, sizeof(double))) && good;
    for (size_t k = 0; k < sizeof places / sizeof *places; k++)
        good = (*places[k] = rbv_arena_array(arena, columns, sizeof(int32_t))) && good;
    return good;
}

static const char *unit_of(const Thinning *t, int32_t c) {
    return t->result->columns[c].unit ? t->result->columns[c].unit : "";
}

/* scale[columns]: largest magnitude among the columns of the same unit. Units are few: each is gone through once. */
static void find_scales(const Thinning *t, double *scale) {
    int32_t count = t->result->column_count;
    for (int32_t c = 0; c < count; c++)
        scale[c] = -1;
    for (int32_t c = 0; c < count; c++) {
        double largest = 0;
        if (scale[c] >= 0)
            continue;
        for (int32_t k = c; k < count; k++)
            if (t->shown[k] && strcmp(unit_of(t, k), unit_of(t, c)) == 0)
                largest = fmax(largest, fmax(fabs(t->least[k]), fabs(t->most[k])));
        for (int32_t k = c; k < count; k++)
            if (strcmp(unit_of(t, k), unit_of(t, c)) == 0)
                scale[k] = largest;
    }
}

/* Ranges of the columns, and the samples of their least and largest values. */
static void find_ranges(Thinning *t) {
    const RbvResult *result = t->result;
    for (int32_t c = 0; c < result->column_count; c++)
        t->least[c] = t->most[c] = NAN;
    for (int32_t k = 0; k < result->sample_count; k++)
        for (int32_t c = 0; c < result->column_count; c++) {
            double value = t->shown[c] ? rbv_result_value(result, k, c) : NAN;
            if (!(value >= t->least[c]) && !isnan(value))
                t->least[c] = value, t->low[c] = k;
            if (!(value <= t->most[c]) && !isnan(value))
                t->most[c] = value, t->high[c] = k;
        }
    find_scales(t, t->pixel);
    for (int32_t c = 0; c < result->column_count; c++) {
        double range = t->most[c] - t->least[c], rounding = RBV_SAME * t->pixel[c];
        t->pixel[c] = fmax(range, rounding) / HEIGHT;
        if (range > rounding)
            t->keep[t->low[c]] = t->keep[t->high[c]] = true;
    }
}

/* Takes sample k into the present run, which begins with it if `begins`. */
static void take_sample(Thinning *t, int32_t k, bool begins) {
    for (int32_t c = 0; c < t->result->column_count; c++) {
        if (!t->shown[c])
            continue;
        double value = rbv_result_value(t->result, k, c),
               before = k > 0 ? rbv_result_value(t->result, k - 1, c) : value;
        if (isnan(value) != isnan(before))
            t->keep[k] = t->keep[k - 1] = true;
        if (begins || value < t->low_value[c] || isnan(t->low_value[c]))
            t->low[c] = k, t->low_value[c] = value;
        if (begins || value > t->high_value[c] || isnan(t->high_value[c]))
            t->high[c] = k, t->high_value[c] = value;
    }
}

/* Keeps the first sample of a run first ... last and its extremes; the next run begins with the last. */
static void end_run(Thinning *t, int32_t first, int32_t last) {
    t->keep[first] = t->keep[last] = true;
    for (int32_t c = 0; c < t->result->column_count; c++) {
        if (!t->shown[c])
            continue;
        double a = rbv_result_value(t->result, first, c), b = rbv_result_value(t->result, last, c);
        if (fmin(a, b) - t->low_value[c] > t->pixel[c])
            t->keep[t->low[c]] = true;
        if (t->high_value[c] - fmax(a, b) > t->pixel[c])
            t->keep[t->high[c]] = true;
    }
}

/* The sample between two that is farthest off the straight lines of the poses between them; -1: none is too far off. */
static int32_t farthest(const Thinning *t, int32_t first, int32_t last) {
    double most = BEND * HEIGHT;
    int32_t at = -1;
    for (int32_t k = first + 1; k < last; k++)
        for (int32_t c = 0; c < t->result->column_count; c++) {
            if (!t->pose[c])
                continue;
            double a = rbv_result_value(t->result, first, c), b = rbv_result_value(t->result, last, c),
                   straight = a + (b - a) * (k - first) / (last - first),
                   off = fabs(rbv_result_value(t->result, k, c) - straight) / t->pixel[c];
            if (off > most)
                most = off, at = k;
        }
    return at;
}

/* Keeps samples until straight lines between them are near enough: each gap is parted where it is farthest off. */
static void straighten(Thinning *t) {
    for (int32_t first = 0, last; first < t->result->sample_count - 1; first = last) {
        for (last = first + 1; !t->keep[last]; last++) {
        }
        for (int32_t at = farthest(t, first, last); at >= 0; at = farthest(t, first, last)) {
            t->keep[at] = true;
            last = at;
        }
    }
}

int32_t *rbv_thinned_samples(const RbvResult *result, const bool *shown, const bool *pose, bool all, int32_t *count) {
    RbvArena arena = {0};
    Thinning t = {.result = result, .shown = shown, .pose = pose};
    int32_t samples = result->sample_count, *kept = malloc(((size_t)samples + 1) * sizeof *kept);
    bool thin = !all && samples > FEWEST * PIXELS, good = kept && (!thin || thinning_create(&t, &arena));
    if (good && thin) {
        find_ranges(&t);
        for (int32_t run = 0; run < PIXELS; run++) {
            int32_t first = (int32_t)((int64_t)run * (samples - 1) / PIXELS),
                    last = (int32_t)((int64_t)(run + 1) * (samples - 1) / PIXELS);
            for (int32_t k = first; k <= last; k++)
                take_sample(&t, k, k == first);
            end_run(&t, first, last);
        }
        straighten(&t);
    }
    *count = 0;
    for (int32_t k = 0; good && k < samples; k++)
        if (!thin || t.keep[k])
            kept[(*count)++] = k;
    rbv_arena_clear(&arena);
    if (!good)
        free(kept);
    return good ? kept : NULL;
}
