/* Efforts of least weighted square sum; see effort_split.h. */
#include "dynamics/control/effort_split.h"

#include "dynamics/contact/complementarity.h"

#include <math.h>

/* DEPENDENT: part of the magnitudes that a row was computed from; less is rounding, and the row depends on those before
 * it. */
#define DEPENDENT 1e-9
/* MET: part of the accelerations in a requirement up to which its residual counts as rounding. */
#define MET 1e-8
/* NO_ACCELERATION [m/s^2 or rad/s^2]: the squares of smaller accelerations underflow; such a requirement asks for
 * nothing. */
#define NO_ACCELERATION 1e-140
/* Diagonal entry of the projection below which the other efforts leave an effort no freedom. */
#define NO_FREEDOM 1e-12
/* Part of the limit within which an effort is at the limit, by rounding. */
#define AT_LIMIT 1e-12

bool rbv_effort_split_create(RbvEffortSplit *s, int32_t rows, int32_t count) {
    size_t r = (size_t)rows + 1, n = (size_t)count + 1, two = 2 * n;
    *s = (RbvEffortSplit){.rows = rows, .count = count};
    const struct {
        double **to;
        size_t count;
    } numbers[] = {
        {&s->E, r * n}, {&s->E_size, r * n}, {&s->d, r},         {&s->d_size, r}, {&s->weight, n},
        {&s->most, n},  {&s->effort, n},     {&s->basis, r * n}, {&s->left, n},   {&s->z, n},
        {&s->m, n},     {&s->G, two * two},  {&s->b, two},       {&s->p, two},    {&s->work, two * (two + 3)}};
    bool memory = true;
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
        memory = (*numbers[k].to = rbv_arena_array(&s->arena, numbers[k].count, sizeof(double))) && memory;
    s->limited = rbv_arena_array(&s->arena, n, sizeof *s->limited);
    s->done = rbv_arena_array(&s->arena, r, sizeof *s->done);
    s->bounded = rbv_arena_array(&s->arena, n, sizeof *s->bounded);
    s->basic = rbv_arena_array(&s->arena, two, sizeof *s->basic);
    return memory && s->limited && s->done && s->bounded && s->basic;
}

void rbv_effort_split_destroy(RbvEffortSplit *s) {
    rbv_arena_clear(&s->arena);
    *s = (RbvEffortSplit){0};
}

static double dot(int32_t n, const double *x, const double *y) {
    double sum = 0;
    for (int32_t i = 0; i < n; i++)
        sum += x[i] * y[i];
    return sum;
}

/* Entry (r, i) of E W^(-1/2), zero for efforts at a limit. */
static double entry(const RbvEffortSplit *s, int32_t r, int32_t i) {
    return s->limited[i] != 0 ? 0 : s->E[r * s->count + i] / sqrt(s->weight[i]);
}

/* s->left: row r of E W^(-1/2) without its part along the basis. Returns its norm over that of the magnitudes it was
 * computed from. */
static double take_left(RbvEffortSplit *s, int32_t r, int32_t rank) {
    double size = 0;
    int32_t n = s->count;
    for (int32_t i = 0; i < n; i++) {
        s->left[i] = entry(s, r, i);
        size += s->limited[i] != 0 ? 0 : s->E_size[r * n + i] * s->E_size[r * n + i] / s->weight[i];
    }
    for (int pass = 0; pass < 2; pass++) /* twice is enough */
        for (int32_t k = 0; k < rank; k++) {
            double along = dot(n, s->left, s->basis + k * n);
            for (int32_t i = 0; i < n; i++)
                s->left[i] -= along * s->basis[k * n + i];
        }
    return size > 0 ? sqrt(dot(n, s->left, s->left) / size) : 0;
}

/* z of least norm with the efforts at limits fixed, and an orthonormal basis of the rows, the most independent row
 * first. Returns the rank. */
static int32_t find_least(RbvEffortSplit *s) {
    int32_t n = s->count, rank = 0;
    for (int32_t i = 0; i < n; i++)
        s->z[i] = s->limited[i] * (s->limited[i] != 0 ? s->m[i] : 0);
    for (int32_t r = 0; r < s->rows; r++)
        s->done[r] = false;
    for (;;) {
        int32_t best = -1;
        double most = DEPENDENT;
        for (int32_t r = 0; r < s->rows; r++) {
            double share = s->done[r] ? 0 : take_left(s, r, rank);
            if (share > most) {
                most = share;
                best = r;
            }
        }
        if (best < 0)
            return rank;
        take_left(s, best, rank);
        double norm = sqrt(dot(n, s->left, s->left)), along = 0, has = 0;
        for (int32_t i = 0; i < n; i++) {
            s->basis[rank * n + i] = s->left[i] / norm;
            along += entry(s, best, i) * s->basis[rank * n + i];
            has += s->E[best * n + i] / sqrt(s->weight[i]) * s->z[i];
        }
        for (int32_t i = 0; i < n; i++)
            s->z[i] += (s->d[best] - has) / along * s->basis[rank * n + i];
        s->done[best] = true;
        rank++;
    }
}

/* Number of the requirement with the largest residual, or -1 if all are met. */
static int32_t find_unmet(const RbvEffortSplit *s) {
    int32_t worst = -1;
    double most = MET;
    for (int32_t r = 0; r < s->rows; r++) {
        double off = -s->d[r], size = s->d_size[r];
        for (int32_t i = 0; i < s->count; i++) {
            double u = s->z[i] / sqrt(s->weight[i]);
            off += s->E[r * s->count + i] * u;
            size += s->E_size[r * s->count + i] * fabs(u);
        }
        if (fabs(off) > most * size + NO_ACCELERATION) {
            most = fabs(off) / size;
            worst = r;
        }
    }
    return worst;
}

/* (I - Q^T Q)_ij of the basis Q. */
static double projection(const RbvEffortSplit *s, int32_t rank, int32_t i, int32_t j) {
    double sum = i == j;
    for (int32_t k = 0; k < rank; k++)
        sum -= s->basis[k * s->count + i] * s->basis[k * s->count + j];
    return sum;
}

/* Finds the efforts at their limits, as far as there is freedom; z is then the least with these fixed. */
static void bound(RbvEffortSplit *s, int32_t rank) {
    int32_t c = 0;
    for (int32_t i = 0; i < s->count; i++)
        if (isfinite(s->m[i]) && projection(s, rank, i, i) > NO_FREEDOM)
            s->bounded[c++] = i;
    for (int32_t i = 0; i < c; i++) {
        for (int32_t j = 0; j < c; j++) {
            double P = projection(s, rank, s->bounded[i], s->bounded[j]);
            s->G[i * 2 * c + j] = s->G[(c + i) * 2 * c + c + j] = P;
            s->G[i * 2 * c + c + j] = s->G[(c + i) * 2 * c + j] = -P;
        }
        s->b[i] = s->m[s->bounded[i]] - s->z[s->bounded[i]];
        s->b[c + i] = s->m[s->bounded[i]] + s->z[s->bounded[i]];
    }
    if (c > 0 && rbv_complementarity(2 * c, s->G, NULL, s->b, s->p, s->work, s->basic))
        for (int32_t j = 0; j < c; j++)
            s->limited[s->bounded[j]] = s->p[j] > s->p[c + j] ? 1 : s->p[j] < s->p[c + j] ? -1 : 0;
    find_least(s);
    for (int32_t i = 0; i < s->count; i++)
        if (fabs(s->z[i]) > s->m[i]) {
            s->limited[i] = fabs(s->z[i]) > s->m[i] * (1 + AT_LIMIT) ? (s->z[i] > 0 ? 1 : -1) : 0;
            s->z[i] = copysign(s->m[i], s->z[i]);
        }
}

int32_t rbv_effort_split_solve(RbvEffortSplit *s, bool *limits) {
    bool beyond = false;
    for (int32_t i = 0; i < s->count; i++) {
        s->m[i] = sqrt(s->weight[i]) * s->most[i];
        s->limited[i] = 0;
    }
    int32_t rank = find_least(s), unmet = find_unmet(s);
    *limits = unmet < 0;
    for (int32_t i = 0; i < s->count; i++)
        beyond = beyond || fabs(s->z[i]) > s->m[i];
    if (unmet < 0 && beyond) {
        bound(s, rank);
        unmet = find_unmet(s);
    }
    for (int32_t i = 0; i < s->count; i++)
        s->effort[i] = s->z[i] / sqrt(s->weight[i]);
    return unmet;
}
