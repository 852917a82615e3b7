/* Cubic spline through points that arrive one after another; see running_spline.h.
 *
 * The equations are those of spline.c for the second derivatives M_k at the points,
 *
 *   lower M_{k-1} + diagonal M_k + upper M_{k+1} = right.
 *
 * Elimination goes forward as points arrive and needs the previous row only:
 *
 *   D_k = diagonal_k - lower_k rho_{k-1},  rho_k = upper_k/D_k,  z_k = (right_k - lower_k z_{k-1})/D_k,
 *   M_k = z_k - rho_k M_{k+1}
 *
 * |rho_k| <= 1/2 after the first row, by induction: D_k >= 2 (h_{k-1} + h_k) - h_{k-1}/2. So back substitution may
 * begin RBV_SPLINE_AHEAD rows ahead of the requested M with any M of the right magnitude: here z. A row is eliminated
 * when it is known not to be the last one, which has other coefficients.
 */
#include "core/expr/running_spline.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Points in the window: RBV_SPLINE_AHEAD whose derivatives are computed at a time, RBV_SPLINE_AHEAD ahead of them,
 * and those that wait to be eliminated. */
#define KEPT (2 * RBV_SPLINE_AHEAD + 3)

struct RbvRunningSpline {
    int32_t functions;
    int32_t count;      /* points in the window */
    int32_t front;      /* index of the first point not taken */
    int32_t known;      /* M is known for points of the window before this index */
    int32_t eliminated; /* rows of the window before this index are eliminated */
    bool whole;         /* the window begins with the very first point */
    bool closed;
    double x[KEPT], rho[KEPT];
    double *y, *z, *M; /* [functions][KEPT] */
};

RbvRunningSpline *rbv_running_spline_create(int32_t functions) {
    RbvRunningSpline *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    *s = (RbvRunningSpline){.functions = functions, .whole = true, .eliminated = 1};
    size_t size = (size_t)functions * KEPT;
    s->y = calloc(3 * size + 1, sizeof *s->y);
    if (!s->y) {
        free(s);
        return NULL;
    }
    s->z = s->y + size;
    s->M = s->z + size;
    return s;
}

void rbv_running_spline_destroy(RbvRunningSpline *s) {
    if (!s)
        return;
    free(s->y);
    free(s);
}

/* h_k, and the slope of a function in the interval after point k. */
static double width(const RbvRunningSpline *s, int32_t k) {
    return s->x[k + 1] - s->x[k];
}

static double slope(const RbvRunningSpline *s, const double *y, int32_t k) {
    return (y[k + 1] - y[k]) / width(s, k);
}

/* Eliminate row k, whose neighbours are known; `last`: the next point is the last one. */
static void eliminate(RbvRunningSpline *s, int32_t k, bool last) {
    double h = width(s, k - 1), H = width(s, k), lower = h, diagonal = 2 * (h + H), upper = H;
    bool first = s->whole && k == 1;
    if (first) {
        diagonal = (h + H) * (h / H + 2);
        upper = (h + H) * (1 - h / H);
    }
    if (last) {
        diagonal = first ? 3 * (h + H)
                         : (h + H) * (H / h + 2); /* three points in all: the parabola; both end conditions coincide */
        lower = (h + H) * (1 - H / h);
        upper = 0;
    }
    double D = diagonal - (first ? 0 : lower * s->rho[k - 1]);
    s->rho[k] = upper / D;
    for (int32_t f = 0; f < s->functions; f++) {
        const double *y = s->y + (size_t)f * KEPT;
        double *z = s->z + (size_t)f * KEPT;
        double right = 6 * (slope(s, y, k) - slope(s, y, k - 1));
        z[k] = (first ? right : right - lower * z[k - 1]) / D;
    }
    s->eliminated = k + 1;
}

/* Back substitution of M from the last eliminated row. */
static void substitute(RbvRunningSpline *s) {
    int32_t end = s->eliminated - 1, begin = s->front > 1 || !s->whole ? s->front : 1;
    for (int32_t f = 0; f < s->functions; f++) {
        const double *z = s->z + (size_t)f * KEPT;
        double *M = s->M + (size_t)f * KEPT;
        M[end] = z[end];
        for (int32_t k = end - 1; k >= begin; k--)
            M[k] = z[k] - s->rho[k] * M[k + 1];
        bool three = s->closed && s->whole && s->count == 3;
        if (s->whole && s->front == 0)
            M[0] = three ? M[1] : M[1] - width(s, 0) / width(s, 1) * (M[2] - M[1]);
        if (s->closed)
            M[s->count - 1] = three ? M[1] : M[end] + width(s, end) / width(s, end - 1) * (M[end] - M[end - 1]);
    }
    s->known = s->closed ? s->count : s->eliminated - RBV_SPLINE_AHEAD;
}

/* Remove taken points from the window. */
static void move_up(RbvRunningSpline *s) {
    size_t left = (size_t)(s->count - s->front);
    if (s->front == 0)
        return;
    memmove(s->x, s->x + s->front, left * sizeof *s->x);
    memmove(s->rho, s->rho + s->front, left * sizeof *s->rho);
    for (int32_t f = 0; f < s->functions; f++) {
        double *y = s->y + (size_t)f * KEPT, *z = s->z + (size_t)f * KEPT;
        memmove(y, y + s->front, left * sizeof *y);
        memmove(z, z + s->front, left * sizeof *z);
    }
    s->count -= s->front;
    s->eliminated -= s->front;
    s->whole = false;
    s->front = s->known = 0;
}

int32_t rbv_running_spline_room(const RbvRunningSpline *s) {
    return s->front < s->known ? 0 : KEPT - (s->count - s->front);
}

void rbv_running_spline_add(RbvRunningSpline *s, double x, const double *y) {
    move_up(s);
    s->x[s->count] = x;
    for (int32_t f = 0; f < s->functions; f++)
        s->y[(size_t)f * KEPT + (size_t)s->count] = y[f];
    s->count++;
    while (s->eliminated < s->count - 2)
        eliminate(s, s->eliminated, false);
}

void rbv_running_spline_close(RbvRunningSpline *s) {
    s->closed = true;
    s->known = s->front; /* the last row gets the coefficients of an end */
    if (s->count >= 3)
        eliminate(s, s->count - 2, true);
}

bool rbv_running_spline_is_known(RbvRunningSpline *s) {
    if (s->front < s->known)
        return true;
    if (s->closed && s->count < 3 && s->whole) /* two points: a line; one: no derivatives */
        return s->front < s->count;
    if (s->front < s->count && (s->closed || s->count == KEPT))
        substitute(s);
    return s->front < s->known;
}

void rbv_running_spline_take(RbvRunningSpline *s, double (*d)[2]) {
    int32_t k = s->front++, left = k + 1 < s->count ? k : k - 1;
    for (int32_t f = 0; f < s->functions; f++) {
        const double *y = s->y + (size_t)f * KEPT, *M = s->M + (size_t)f * KEPT;
        double second = M[k];
        if (left < 0) {
            d[f][0] = d[f][1] = NAN;
            continue;
        }
        double h = width(s, left), along = slope(s, y, left);
        d[f][0] = left == k ? along - h * (2 * M[k] + M[k + 1]) / 6 : along + h * (M[left] + 2 * M[k]) / 6;
        d[f][1] = second;
    }
}
