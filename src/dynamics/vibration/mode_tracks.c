/* Tracks of roots; see mode_tracks.h. The expected root is 2 a - b for the last two roots b, a; shapes are compared by
 * |x^H y|^2 / (x^H x) (y^H y). */
#include "dynamics/vibration/mode_tracks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Weight of the difference of orthogonal shapes, in units of the distance `unit` of roots. */
#define SHAPE 1.0
/* Distances that differ by less are equal: the first track continues to the first root, so that tracks that begin in
 * one root separate in the order of roots. */
#define TIE 1e-6

/* Allocates for `width` tracks and one more row. There are few tracks when the first row is made, so rows are moved
 * when more come. False: out of memory. */
static bool reserve(RbvModeTracks *t, int32_t width, int32_t n) {
    t->n = n;
    if (t->rows == t->capacity || width > t->width) {
        int32_t capacity = t->rows == t->capacity ? 2 * t->capacity + 128 : t->capacity,
                wide = width > t->width ? width + 4 : t->width;
        size_t cells = (size_t)capacity * (size_t)wide;
        double *at = calloc((size_t)capacity + 1, sizeof *at), *re = calloc(cells + 1, sizeof *re),
               *im = calloc(cells + 1, sizeof *im);
        double *shape = calloc(2 * (size_t)wide * (size_t)n + 1, sizeof *shape),
               *last = calloc(4 * (size_t)wide + 1, sizeof *last);
        bool good = at && re && im && shape && last;
        for (size_t k = 0; good && k < cells; k++)
            re[k] = im[k] = NAN;
        for (int32_t k = 0; good && k < t->rows; k++) {
            at[k] = t->at[k];
            memcpy(re + (size_t)k * (size_t)wide, t->re + (size_t)k * (size_t)t->width, (size_t)t->width * sizeof *re);
            memcpy(im + (size_t)k * (size_t)wide, t->im + (size_t)k * (size_t)t->width, (size_t)t->width * sizeof *im);
        }
        if (good && t->width > 0) {
            memcpy(shape, t->shape, 2 * (size_t)t->width * (size_t)n * sizeof *shape);
            memcpy(last, t->last, 4 * (size_t)t->width * sizeof *last);
        }
        double **const to[] = {&t->at, &t->re, &t->im, &t->shape, &t->last}, *const from[] = {at, re, im, shape, last};
        for (size_t k = 0; k < sizeof from / sizeof from[0]; k++) {
            free(good ? *to[k] : from[k]);
            if (good)
                *to[k] = from[k];
        }
        if (!good)
            return false;
        t->width = wide;
        t->capacity = capacity;
    }
    return true;
}

static double likeness(int32_t n, const double *x, const double *y) {
    double re = 0, im = 0, xx = 0, yy = 0;
    for (int32_t i = 0; i < n; i++) {
        re += x[i] * y[i] + x[n + i] * y[n + i];
        im += x[i] * y[n + i] - x[n + i] * y[i];
        xx += x[i] * x[i] + x[n + i] * x[n + i];
        yy += y[i] * y[i] + y[n + i] * y[n + i];
    }
    return xx > 0 && yy > 0 ? (re * re + im * im) / (xx * yy) : 0;
}

/* Distance of a root and its shape from those a track expects. `unit`: distance of roots that counts as much as a
 * difference of shapes. */
static double distance(const RbvModeTracks *t, int32_t track, const RbvModalMotion *motion, double unit) {
    const double *last = t->last + 4 * track;
    double re = 2 * last[0] - last[2], im = fabs(2 * last[1] - last[3]);
    double near = fmin(hypot(motion->real - re, motion->imaginary - im),
                       hypot(motion->real - last[0], motion->imaginary - last[1]));
    return near / unit + SHAPE * (1 - likeness(t->n, t->shape + 2 * (size_t)track * (size_t)t->n, motion->shape[0]));
}

static void take(RbvModeTracks *t, int32_t track, const RbvModalMotion *motion, bool fresh) {
    double *last = t->last + 4 * track;
    size_t cell = (size_t)t->rows * (size_t)t->width + (size_t)track;
    last[2] = fresh ? motion->real : last[0];
    last[3] = fresh ? motion->imaginary : last[1];
    t->re[cell] = last[0] = motion->real;
    t->im[cell] = last[1] = motion->imaginary;
    memcpy(t->shape + 2 * (size_t)track * (size_t)t->n, motion->shape[0], 2 * (size_t)t->n * sizeof *t->shape);
}

bool rbv_mode_tracks_add(RbvModeTracks *t, double at, int32_t n, const RbvModalMotions *motions) {
    int32_t old = t->count;
    double unit = 0;
    bool *taken = calloc((size_t)motions->count + 1, sizeof *taken), *gone = calloc((size_t)old + 1, sizeof *gone);
    double *far = malloc(((size_t)old * (size_t)motions->count + 1) * sizeof *far);
    bool good = taken && gone && far && (t->rows == 0 || t->n == n) &&
                reserve(t, old > motions->count ? old : motions->count, n);
    for (int32_t k = 0; k < motions->count; k++)
        unit += hypot(motions->items[k].real, motions->items[k].imaginary) / motions->count;
    unit = unit > 0 ? 0.2 * unit : 1;
    for (int32_t k = 0; good && k < old; k++)
        for (int32_t j = 0; j < motions->count; j++)
            far[(size_t)k * (size_t)motions->count + (size_t)j] = distance(t, k, &motions->items[j], unit);
    for (int32_t pass = 0; good && pass < old && pass < motions->count; pass++) {
        int32_t track = -1, root = -1;
        double least = INFINITY;
        for (int32_t k = 0; k < old; k++)
            for (int32_t j = 0; !gone[k] && j < motions->count; j++)
                if (!taken[j] && far[(size_t)k * (size_t)motions->count + (size_t)j] < least - TIE * (least < INFINITY))
                    least = far[(size_t)k * (size_t)motions->count + (size_t)j], track = k, root = j;
        if (track < 0)
            break;
        gone[track] = taken[root] = true;
        take(t, track, &motions->items[root], false);
    }
    for (int32_t j = 0; good && j < motions->count; j++) {
        if (taken[j])
            continue;
        good = reserve(t, t->count + 1, n);
        if (good)
            take(t, t->count++, &motions->items[j], true);
    }
    if (good)
        t->at[t->rows++] = at;
    free(taken);
    free(gone);
    free(far);
    return good;
}

double rbv_mode_tracks_value(const RbvModeTracks *t, int32_t row, int32_t c) {
    return (c % 2 ? t->im : t->re)[(size_t)row * (size_t)t->width + (size_t)(c / 2)];
}

int32_t rbv_mode_tracks_nearest(const RbvModeTracks *t, double re, double im) {
    int32_t nearest = -1;
    double least = INFINITY;
    for (int32_t k = 0; k < t->count; k++)
        for (int32_t row = t->rows - 1; row >= 0 && row >= t->rows - 2; row--) {
            double far =
                hypot(rbv_mode_tracks_value(t, row, 2 * k) - re, rbv_mode_tracks_value(t, row, 2 * k + 1) - im);
            if (far < least - TIE * hypot(re, im) * (least < INFINITY))
                least = far, nearest = k;
        }
    return nearest;
}

void rbv_mode_tracks_destroy(RbvModeTracks *t) {
    double *const parts[] = {t->at, t->re, t->im, t->shape, t->last};
    for (size_t k = 0; k < sizeof parts / sizeof parts[0]; k++)
        free(parts[k]);
    *t = (RbvModeTracks){0};
}
