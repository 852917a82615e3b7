/* The simplex method; see linear_program.h. */
#include "core/solve/linear_program.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Rounding of numbers of about 1. */
#define ROUNDING 1e-11
/* Largest value of the extra variable after the first phase. */
#define FEASIBLE 1e-9
#define MOST_STEPS 20000

bool rbv_program_create(RbvProgram *p, int32_t n, int32_t most) {
    size_t columns = (size_t)(2 * n + 2), rows = (size_t)most + 1;
    *p = (RbvProgram){.n = n, .most = most};
    p->A = calloc(rows * (size_t)(n + 1), sizeof *p->A);
    p->b = calloc(rows, sizeof *p->b);
    p->c = calloc((size_t)n + 1, sizeof *p->c);
    p->x = calloc((size_t)n + 1, sizeof *p->x);
    p->ray = calloc((size_t)n + 1, sizeof *p->ray);
    p->dictionary = calloc(rows * columns, sizeof *p->dictionary);
    p->basic = calloc(rows, sizeof *p->basic);
    p->other = calloc(columns, sizeof *p->other);
    return p->A && p->b && p->c && p->x && p->ray && p->dictionary && p->basic && p->other;
}

void rbv_program_destroy(RbvProgram *p) {
    free(p->A);
    free(p->b);
    free(p->c);
    free(p->x);
    free(p->ray);
    free(p->dictionary);
    free(p->basic);
    free(p->other);
    *p = (RbvProgram){0};
}

double *rbv_program_row(RbvProgram *p, double b) {
    if (p->rows == p->most)
        return NULL;
    double *row = p->A + (size_t)p->rows * (size_t)p->n;
    memset(row, 0, (size_t)p->n * sizeof *row);
    p->b[p->rows++] = b;
    return row;
}

/* Number of columns: p (n), m (n) and the variable of the first phase; the constant follows. */
static int32_t columns_of(const RbvProgram *p) {
    return 2 * p->n + 1;
}

static double *row_of(const RbvProgram *p, int32_t i) {
    return p->dictionary + (size_t)i * (size_t)(columns_of(p) + 1);
}

/* First dictionary: slacks are b - A x + x0; the objective, in the last row, is that of the first phase, -x0. */
static void begin(RbvProgram *p) {
    int32_t columns = columns_of(p);
    for (int32_t i = 0; i < p->rows; i++) {
        double *row = row_of(p, i);
        for (int32_t j = 0; j < p->n; j++) {
            row[j] = -p->A[(size_t)i * (size_t)p->n + (size_t)j];
            row[p->n + j] = -row[j];
        }
        row[columns - 1] = 1;
        row[columns] = p->b[i];
        p->basic[i] = columns + i;
    }
    for (int32_t j = 0; j < columns; j++)
        p->other[j] = j;
    memset(row_of(p, p->rows), 0, (size_t)(columns + 1) * sizeof(double));
    row_of(p, p->rows)[columns - 1] = -1;
}

/* Exchange the variables of row i and column j. */
static void pivot(RbvProgram *p, int32_t i, int32_t j) {
    int32_t columns = columns_of(p), name = p->basic[i];
    double *row = row_of(p, i), by = row[j];
    for (int32_t k = 0; k <= columns; k++)
        row[k] /= -by;
    row[j] = 1 / by;
    for (int32_t r = 0; r <= p->rows; r++) {
        double *other = row_of(p, r), part = other[j];
        if (r == i || part == 0)
            continue;
        for (int32_t k = 0; k <= columns; k++)
            other[k] = k == j ? part * row[j] : other[k] + part * row[k];
    }
    p->basic[i] = p->other[j];
    p->other[j] = name;
}

/* The column whose variable increases the objective, the first by name; -1: none. `barred`: a variable that stays
 * zero. */
static int32_t entering(const RbvProgram *p, int32_t barred) {
    int32_t best = -1;
    const double *objective = row_of(p, p->rows);
    for (int32_t j = 0; j < columns_of(p); j++)
        if (objective[j] > ROUNDING && p->other[j] != barred && (best < 0 || p->other[j] < p->other[best]))
            best = j;
    return best;
}

/* The row whose variable reaches zero first as that of column j grows; -1: none does. */
static int32_t leaving(const RbvProgram *p, int32_t j) {
    int32_t best = -1, columns = columns_of(p);
    double least = INFINITY;
    for (int32_t i = 0; i < p->rows; i++) {
        const double *row = row_of(p, i);
        if (row[j] >= -ROUNDING)
            continue;
        double ratio = fmax(row[columns], 0) / -row[j];
        if (ratio < least - ROUNDING || (ratio <= least + ROUNDING && best >= 0 && p->basic[i] < p->basic[best])) {
            least = fmin(ratio, least);
            best = i;
        }
    }
    return best;
}

/* Steps by Bland's rule. *column: the last entering one, along which the program is unbounded if that is returned. */
static RbvProgramEnd climb(RbvProgram *p, int32_t barred, int32_t *column) {
    for (int step = 0; step < MOST_STEPS; step++) {
        int32_t j = *column = entering(p, barred);
        if (j < 0)
            return RBV_PROGRAM_OPTIMAL;
        int32_t i = leaving(p, j);
        if (i < 0)
            return RBV_PROGRAM_UNBOUNDED;
        pivot(p, i, j);
    }
    return RBV_PROGRAM_GIVEN_UP;
}

/* First phase: find a corner. */
static RbvProgramEnd find_corner(RbvProgram *p) {
    int32_t columns = columns_of(p), extra = columns - 1, worst = -1, column;
    for (int32_t i = 0; i < p->rows; i++)
        if (p->b[i] < 0 && (worst < 0 || p->b[i] < p->b[worst]))
            worst = i;
    if (worst < 0)
        return RBV_PROGRAM_OPTIMAL;
    pivot(p, worst, extra);
    if (climb(p, -1, &column) != RBV_PROGRAM_OPTIMAL)
        return RBV_PROGRAM_GIVEN_UP;
    if (row_of(p, p->rows)[columns] < -FEASIBLE)
        return RBV_PROGRAM_INFEASIBLE;
    for (int32_t i = 0; i < p->rows; i++) { /* the variable is zero: remove it from the rows */
        int32_t best = 0;
        if (p->basic[i] != extra)
            continue;
        for (int32_t j = 1; j < columns; j++)
            best = fabs(row_of(p, i)[j]) > fabs(row_of(p, i)[best]) ? j : best;
        pivot(p, i, best);
    }
    return RBV_PROGRAM_OPTIMAL;
}

/* The objective c.(p - m) in the present variables of the columns. */
static void set_objective(RbvProgram *p) {
    int32_t columns = columns_of(p);
    double *objective = row_of(p, p->rows);
    memset(objective, 0, (size_t)(columns + 1) * sizeof *objective);
    for (int32_t j = 0; j < columns; j++)
        if (p->other[j] < 2 * p->n)
            objective[j] += p->other[j] < p->n ? p->c[p->other[j]] : -p->c[p->other[j] - p->n];
    for (int32_t i = 0; i < p->rows; i++) {
        int32_t name = p->basic[i];
        if (name >= 2 * p->n)
            continue;
        double weight = name < p->n ? p->c[name] : -p->c[name - p->n];
        for (int32_t k = 0; k <= columns; k++)
            objective[k] += weight * row_of(p, i)[k];
    }
}

/* Set x at the corner, and the ray along a column (-1: none). */
static void read(RbvProgram *p, int32_t column) {
    int32_t columns = columns_of(p);
    memset(p->x, 0, (size_t)p->n * sizeof *p->x);
    memset(p->ray, 0, (size_t)p->n * sizeof *p->ray);
    for (int32_t i = 0; i < p->rows; i++) {
        int32_t name = p->basic[i];
        if (name >= 2 * p->n)
            continue;
        p->x[name % p->n] += (name < p->n ? 1 : -1) * row_of(p, i)[columns];
        if (column >= 0)
            p->ray[name % p->n] += (name < p->n ? 1 : -1) * row_of(p, i)[column];
    }
    if (column >= 0 && p->other[column] < 2 * p->n)
        p->ray[p->other[column] % p->n] += p->other[column] < p->n ? 1 : -1;
}

RbvProgramEnd rbv_program_solve(RbvProgram *p) {
    int32_t column = -1;
    begin(p);
    RbvProgramEnd end = find_corner(p);
    if (end != RBV_PROGRAM_OPTIMAL)
        return end;
    set_objective(p);
    end = climb(p, columns_of(p) - 1, &column);
    read(p, end == RBV_PROGRAM_UNBOUNDED ? column : -1);
    return end;
}
