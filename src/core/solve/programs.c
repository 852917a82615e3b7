/* The simplex method, and the barrier method for cones; see programs.h. */
#include "core/solve/programs.h"

#include "core/base/tolerances.h"
#include "core/linalg/small.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Largest value of the extra variable after the first phase. */
#define MOST_PIVOTS 20000

bool rbv_program_create(RbvProgram *p, int32_t n, int32_t most) {
    size_t columns = (size_t)(2 * n + 2), rows = (size_t)most + 1;
    *p = (RbvProgram){.n = n, .most = most};
    p->A = rbv_arena_array(&p->arena, rows * (size_t)(n + 1), sizeof *p->A);
    p->b = rbv_arena_array(&p->arena, rows, sizeof *p->b);
    p->c = rbv_arena_array(&p->arena, (size_t)n + 1, sizeof *p->c);
    p->x = rbv_arena_array(&p->arena, (size_t)n + 1, sizeof *p->x);
    p->ray = rbv_arena_array(&p->arena, (size_t)n + 1, sizeof *p->ray);
    p->dictionary = rbv_arena_array(&p->arena, rows * columns, sizeof *p->dictionary);
    p->basic = rbv_arena_array(&p->arena, rows, sizeof *p->basic);
    p->other = rbv_arena_array(&p->arena, columns, sizeof *p->other);
    return p->A && p->b && p->c && p->x && p->ray && p->dictionary && p->basic && p->other;
}

void rbv_program_destroy(RbvProgram *p) {
    rbv_arena_clear(&p->arena);
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

static double *dictionary_row(const RbvProgram *p, int32_t i) {
    return p->dictionary + (size_t)i * (size_t)(columns_of(p) + 1);
}

/* First dictionary: slacks are b - A x + x0; the objective, in the last row, is that of the first phase, -x0. */
static void begin(RbvProgram *p) {
    int32_t columns = columns_of(p);
    for (int32_t i = 0; i < p->rows; i++) {
        double *row = dictionary_row(p, i);
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
    memset(dictionary_row(p, p->rows), 0, (size_t)(columns + 1) * sizeof(double));
    dictionary_row(p, p->rows)[columns - 1] = -1;
}

/* Exchange the variables of row i and column j. */
static void pivot(RbvProgram *p, int32_t i, int32_t j) {
    int32_t columns = columns_of(p), name = p->basic[i];
    double *row = dictionary_row(p, i), by = row[j];
    for (int32_t k = 0; k <= columns; k++)
        row[k] /= -by;
    row[j] = 1 / by;
    for (int32_t r = 0; r <= p->rows; r++) {
        double *other = dictionary_row(p, r), part = other[j];
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
    const double *objective = dictionary_row(p, p->rows);
    /* Rounding of numbers of about 1. */
    for (int32_t j = 0; j < columns_of(p); j++)
        if (objective[j] > RBV_SOLVED && p->other[j] != barred && (best < 0 || p->other[j] < p->other[best]))
            best = j;
    return best;
}

/* The row whose variable reaches zero first as that of column j grows; -1: none does. */
static int32_t leaving(const RbvProgram *p, int32_t j) {
    int32_t best = -1, columns = columns_of(p);
    double least = INFINITY;
    for (int32_t i = 0; i < p->rows; i++) {
        const double *row = dictionary_row(p, i);
        if (row[j] >= -RBV_SOLVED)
            continue;
        double ratio = fmax(row[columns], 0) / -row[j];
        if (ratio < least - RBV_SOLVED || (ratio <= least + RBV_SOLVED && best >= 0 && p->basic[i] < p->basic[best])) {
            least = fmin(ratio, least);
            best = i;
        }
    }
    return best;
}

/* Steps by Bland's rule. *column: the last entering one, along which the program is unbounded if that is returned. */
static RbvProgramEnd climb(RbvProgram *p, int32_t barred, int32_t *column) {
    for (int step = 0; step < MOST_PIVOTS; step++) {
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
    if (dictionary_row(p, p->rows)[columns] < -RBV_SAME)
        return RBV_PROGRAM_INFEASIBLE;
    for (int32_t i = 0; i < p->rows; i++) { /* the variable is zero: remove it from the rows */
        int32_t best = 0;
        if (p->basic[i] != extra)
            continue;
        for (int32_t j = 1; j < columns; j++)
            best = fabs(dictionary_row(p, i)[j]) > fabs(dictionary_row(p, i)[best]) ? j : best;
        pivot(p, i, best);
    }
    return RBV_PROGRAM_OPTIMAL;
}

/* The objective c.(p - m) in the present variables of the columns. */
static void set_objective(RbvProgram *p) {
    int32_t columns = columns_of(p);
    double *objective = dictionary_row(p, p->rows);
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
            objective[k] += weight * dictionary_row(p, i)[k];
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
        p->x[name % p->n] += (name < p->n ? 1 : -1) * dictionary_row(p, i)[columns];
        if (column >= 0)
            p->ray[name % p->n] += (name < p->n ? 1 : -1) * dictionary_row(p, i)[column];
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

/* --- the barrier method for cones --- */

/* The weight k of the objective: first value, growth factor, last value. */
#define FIRST_WEIGHT 1.0
#define GROWTH 8.0
#define LAST_WEIGHT 1e13
/* Most Newton steps at one weight; most halvings of a step. */
#define MOST_NEWTONS 60
#define HALVINGS 50
/* Added to the diagonal, as a part of the largest entry of the matrix, for directions without limits. */
#define REGULAR 1e-15

bool rbv_cone_program_create(RbvConeProgram *p, int32_t n, int32_t cones, int32_t rows) {
    size_t wide = (size_t)n + 1, m = (size_t)cones + 1;
    *p = (RbvConeProgram){.n = n, .cones = cones, .rows = rows};
    p->limit = rbv_arena_array(&p->arena, m * wide, sizeof *p->limit);
    p->force = rbv_arena_array(&p->arena, RBV_CONE_DIRECTIONS * m * wide, sizeof *p->force);
    p->A = rbv_arena_array(&p->arena, ((size_t)rows + 1) * wide, sizeof *p->A);
    p->b = rbv_arena_array(&p->arena, (size_t)rows + 1, sizeof *p->b);
    p->c = rbv_arena_array(&p->arena, wide, sizeof *p->c);
    p->work = rbv_arena_array(&p->arena, (wide + 1) * (wide + 2) + 4 * wide, sizeof *p->work);
    return p->limit && p->force && p->A && p->b && p->c && p->work;
}

void rbv_cone_program_destroy(RbvConeProgram *p) {
    rbv_arena_clear(&p->arena);
    *p = (RbvConeProgram){0};
}

static double affine(const double *of, const double *x, int32_t n) {
    double sum = of[0];
    for (int32_t k = 0; k < n; k++)
        sum += of[k + 1] * x[k];
    return sum;
}

static double dot_n(const double *a, const double *b, int32_t n) {
    double sum = 0;
    for (int32_t k = 0; k < n; k++)
        sum += a[k] * b[k];
    return sum;
}

/* t and f of cone i at x; returns |f|. */
static double cone_at(const RbvConeProgram *p, int32_t i, const double *x, double *t, double f[RBV_CONE_DIRECTIONS]) {
    double sum = 0;
    *t = affine(p->limit + i * (p->n + 1), x, p->n);
    for (int c = 0; c < RBV_CONE_DIRECTIONS; c++) {
        f[c] = affine(p->force + (RBV_CONE_DIRECTIONS * i + c) * (p->n + 1), x, p->n);
        sum += f[c] * f[c];
    }
    return sqrt(sum);
}

double rbv_cone_program_lack(const RbvConeProgram *p, const double *x) {
    double most = -INFINITY, t, f[RBV_CONE_DIRECTIONS];
    for (int32_t i = 0; i < p->cones; i++) {
        double size = cone_at(p, i, x, &t, f);
        most = fmax(most, size - t);
    }
    for (int32_t r = 0; r < p->rows; r++)
        most = fmax(most, dot_n(p->A + r * p->n, x, p->n) - p->b[r]);
    return most;
}

/* The sum of logarithms at x; -infinity outside a limit. */
static double barrier(const RbvConeProgram *p, const double *x) {
    double sum = 0, t, f[RBV_CONE_DIRECTIONS], room = p->radius * p->radius - dot_n(x, x, p->n);
    if (!(room > 0))
        return -INFINITY;
    for (int32_t i = 0; i < p->cones; i++) {
        double size = cone_at(p, i, x, &t, f);
        if (!(t > size))
            return -INFINITY;
        sum += log(t - size) + log(t + size);
    }
    for (int32_t r = 0; r < p->rows; r++) {
        double slack = p->b[r] - dot_n(p->A + r * p->n, x, p->n);
        if (!(slack > 0))
            return -INFINITY;
        sum += log(slack);
    }
    return sum + log(room);
}

/* Add the gradient and the Hessian of -log q, q = t^2 - |f|^2, of cone i to g and H; slope: scratch. */
static void add_cone(const RbvConeProgram *p, int32_t i, const double *x, double *g, double *H, double *slope) {
    int32_t n = p->n;
    const double *a = p->limit + i * (n + 1) + 1;
    double t, f[RBV_CONE_DIRECTIONS], size = cone_at(p, i, x, &t, f), q = (t - size) * (t + size);
    for (int32_t k = 0; k < n; k++) {
        slope[k] = t * a[k];
        for (int c = 0; c < RBV_CONE_DIRECTIONS; c++)
            slope[k] -= f[c] * p->force[(RBV_CONE_DIRECTIONS * i + c) * (n + 1) + 1 + k];
        g[k] -= 2 * slope[k] / q;
    }
    for (int32_t k = 0; k < n; k++)
        for (int32_t l = 0; l < n; l++) {
            double curved = -a[k] * a[l];
            for (int c = 0; c < RBV_CONE_DIRECTIONS; c++) {
                const double *F = p->force + (RBV_CONE_DIRECTIONS * i + c) * (n + 1) + 1;
                curved += F[k] * F[l];
            }
            H[k * n + l] += 2 * curved / q + 4 * slope[k] / q * (slope[l] / q);
        }
}

/* Gradient g and Hessian H of -k c.x - barrier. */
static void place(const RbvConeProgram *p, const double *x, double weight, double *g, double *H, double *slope) {
    int32_t n = p->n;
    double room = p->radius * p->radius - dot_n(x, x, n);
    memset(H, 0, (size_t)n * (size_t)n * sizeof *H);
    for (int32_t k = 0; k < n; k++)
        g[k] = 2 * x[k] / room - weight * p->c[k];
    for (int32_t i = 0; i < p->cones; i++)
        add_cone(p, i, x, g, H, slope);
    for (int32_t r = 0; r < p->rows; r++) {
        const double *row = p->A + r * n;
        double slack = p->b[r] - dot_n(row, x, n);
        for (int32_t k = 0; k < n; k++) {
            g[k] += row[k] / slack;
            for (int32_t l = 0; l < n; l++)
                H[k * n + l] += row[k] / slack * (row[l] / slack);
        }
    }
    for (int32_t k = 0; k < n; k++)
        for (int32_t l = 0; l < n; l++)
            H[k * n + l] += (k == l) * 2 / room + 4 * x[k] / room * (x[l] / room);
}

/* Entry [k][l] of the system [H + regular, e; e^T, 0 | -g; 0]. */
static double entry_of_step(const RbvConeProgram *p, const double *g, const double *H, double regular, int32_t k,
                            int32_t l) {
    int32_t n = p->n, size = n + (p->e != NULL);
    if (l == size)
        return k < n ? -g[k] : 0;
    if (k < n && l < n)
        return H[k * n + l] + (k == l) * regular;
    if (k < n)
        return p->e[k];
    return l < n ? p->e[l] : 0;
}

/* Newton's step: H step = -g with e.step = 0. Returns -g.step; NaN: no step. */
static double newton_step(const RbvConeProgram *p, const double *g, const double *H, double *S, double *step) {
    int32_t n = p->n, size = n + (p->e != NULL), wide = size + 1;
    double most = 0;
    for (int32_t k = 0; k < n; k++)
        most = fmax(most, H[k * n + k]);
    for (int32_t k = 0; k < size; k++)
        for (int32_t l = 0; l < wide; l++)
            S[k * wide + l] = entry_of_step(p, g, H, REGULAR * most, k, l);
    if (!rbv_small_solve(S, size, 0))
        return (double)NAN;
    for (int32_t k = 0; k < n; k++)
        step[k] = S[k * wide + size];
    return -dot_n(g, step, n);
}

/* Maximise at one weight by Newton's method. False: no step is found, or no memory. */
static bool center(RbvConeProgram *p, double *x, double weight, double enough) {
    int32_t n = p->n;
    double *g = p->work, *slope = g + n + 1, *step = slope + n + 1, *to = step + n + 1, *S = to + n + 1;
    double *H = malloc(((size_t)n * (size_t)n + 1) * sizeof *H);
    bool good = H != NULL, more = good;
    for (int pass = 0; more && pass < MOST_NEWTONS; pass++) {
        place(p, x, weight, g, H, slope);
        double gain = newton_step(p, g, H, S, step), now = weight * dot_n(p->c, x, n) + barrier(p, x), part = 1;
        good = isfinite(gain);
        /* Half of the square of Newton's decrement below which the iteration has converged. */
        more = good && gain > 2 * RBV_SAME;
        for (int halving = 0; more && halving <= HALVINGS; halving++, part *= 0.5) {
            for (int32_t k = 0; k < n; k++)
                to[k] = x[k] + part * step[k];
            if (weight * dot_n(p->c, to, n) + barrier(p, to) > now) {
                memcpy(x, to, (size_t)n * sizeof *x);
                break;
            }
            more = halving < HALVINGS; /* no further increase: rounding */
        }
        more = more && !(dot_n(p->c, x, n) > enough);
    }
    free(H);
    return good;
}

bool rbv_cone_program_solve(RbvConeProgram *p, double *x, double enough) {
    if (!isfinite(barrier(p, x)))
        return false;
    for (double weight = FIRST_WEIGHT; weight <= LAST_WEIGHT && !(dot_n(p->c, x, p->n) > enough); weight *= GROWTH)
        if (!center(p, x, weight, enough))
            return false;
    return true;
}
