/* Saddle point systems of trees with few constraint rows; M^-1 by the articulated-body method:
 *
 *   M x + C^T l = f,  C x - eps l = g:   S l = C M^-1 f - g,  S = C M^-1 C^T + eps I,  x = M^-1 (f - C^T l)
 *
 * M is never formed. S is full, of the size of the number of rows. The interface is that of core/solve/schur.h;
 * corrections use the residual of the equations without eps. */
#include "dynamics/accelerations/saddle_parts.h"

#include "mechanics/coordinates/articulated.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Largest number of rows with entries: S is full. */
#define MOST_ROWS 300

struct RbvTreeSchur {
    RbvArena arena; /* owns the arrays */
    const RbvCoordinates *coordinates;
    const RbvRowPattern *C;
    RbvArticulated *mass;
    const double *entries; /* entries of C */
    int32_t rows;          /* number of rows with entries */
    int32_t *row;          /* [rows] their indices in C */
    double *S;             /* [rows][rows] Cholesky factor of S */
    double *l;             /* [rows] workspace */
    double *x;             /* [n] workspace */
};

RbvTreeSchur *rbv_tree_schur_create(const RbvCoordinates *coordinates, const RbvRowPattern *C, bool *fits) {
    RbvTreeSchur *s = calloc(1, sizeof *s);
    *fits = true;
    if (!s)
        return NULL;
    s->coordinates = coordinates;
    s->C = C;
    s->row = rbv_arena_array(&s->arena, ((size_t)C->count + 1), sizeof *s->row);
    for (int32_t k = 0; s->row && k < C->count; k++)
        if (C->start[k + 1] > C->start[k])
            s->row[s->rows++] = k;
    bool few = s->rows <= MOST_ROWS;
    if (s->row && few)
        s->mass = rbv_articulated_create(coordinates, fits);
    size_t rows = few ? (size_t)s->rows : 0;
    *fits = *fits && few;
    s->S = rbv_arena_array(&s->arena, (rows * rows + 1), sizeof *s->S);
    s->l = rbv_arena_array(&s->arena, (rows + 1), sizeof *s->l);
    s->x = rbv_arena_array(&s->arena, ((size_t)coordinates->size + 1), sizeof *s->x);
    if (s->row && s->mass && s->S && s->l && s->x)
        return s;
    rbv_tree_schur_destroy(s);
    return NULL;
}

void rbv_tree_schur_destroy(RbvTreeSchur *s) {
    if (!s)
        return;
    rbv_articulated_destroy(s->mass);
    rbv_arena_clear(&s->arena);
    free(s);
}

bool rbv_tree_schur_mass(RbvTreeSchur *s, RbvPosed at, double *diagonal) {
    if (!rbv_articulated_factor(s->mass, at))
        return false;
    rbv_articulated_diagonal(s->mass, diagonal);
    return true;
}

static double row_times(const RbvTreeSchur *s, int32_t k, const double *x) {
    double sum = 0;
    for (int32_t e = s->C->start[k]; e < s->C->start[k + 1]; e++)
        sum += s->entries[e] * x[s->C->column[e]];
    return sum;
}

/* x += factor C_k^T. */
static void add_row(const RbvTreeSchur *s, int32_t k, double factor, double *x) {
    for (int32_t e = s->C->start[k]; e < s->C->start[k + 1]; e++)
        x[s->C->column[e]] += factor * s->entries[e];
}

/* S = L L^T in place, below the diagonal. */
static bool factor_schur(RbvTreeSchur *s) {
    const int32_t m = s->rows;
    for (int32_t j = 0; j < m; j++)
        for (int32_t i = j; i < m; i++) {
            double sum = s->S[(size_t)i * (size_t)m + (size_t)j];
            for (int32_t p = 0; p < j; p++)
                sum -= s->S[(size_t)i * (size_t)m + (size_t)p] * s->S[(size_t)j * (size_t)m + (size_t)p];
            if (i == j && !(sum > 0 && isfinite(sum)))
                return false;
            s->S[(size_t)i * (size_t)m + (size_t)j] =
                i == j ? sqrt(sum) : sum / s->S[(size_t)j * (size_t)m + (size_t)j];
        }
    return true;
}

bool rbv_tree_schur_factor(RbvTreeSchur *s, const double *C, double eps) {
    const int32_t m = s->rows;
    s->entries = C;
    for (int32_t j = 0; j < m; j++) {
        memset(s->x, 0, (size_t)s->coordinates->size * sizeof *s->x);
        add_row(s, s->row[j], 1, s->x);
        rbv_articulated_solve(s->mass, s->x);
        for (int32_t i = j; i < m; i++)
            s->S[(size_t)i * (size_t)m + (size_t)j] = row_times(s, s->row[i], s->x);
        s->S[(size_t)j * (size_t)m + (size_t)j] +=
            s->S[(size_t)j * (size_t)m + (size_t)j] > 0 ? eps : 1; /* a row that is left out carries nothing */
    }
    return factor_schur(s);
}

/* l = S^-1 l. */
static void solve_schur(const RbvTreeSchur *s, double *l) {
    const int32_t m = s->rows;
    for (int32_t i = 0; i < m; i++) {
        for (int32_t p = 0; p < i; p++)
            l[i] -= s->S[(size_t)i * (size_t)m + (size_t)p] * l[p];
        l[i] /= s->S[(size_t)i * (size_t)m + (size_t)i];
    }
    for (int32_t i = m - 1; i >= 0; i--) {
        for (int32_t p = i + 1; p < m; p++)
            l[i] -= s->S[(size_t)p * (size_t)m + (size_t)i] * l[p];
        l[i] /= s->S[(size_t)i * (size_t)m + (size_t)i];
    }
}

void rbv_tree_schur_correct(RbvTreeSchur *s, RbvPosed at, const double *b, const double *x, double *change) {
    const int32_t n = s->coordinates->size;
    rbv_coordinates_mass(s->coordinates, at, x, change); /* f - M x - C^T l */
    for (int32_t i = 0; i < n; i++)
        change[i] = b[i] - change[i];
    for (int32_t k = 0; k < s->C->count; k++)
        change[n + k] = 0;
    for (int32_t j = 0; j < s->rows; j++)
        add_row(s, s->row[j], -x[n + s->row[j]], change);
    if (s->rows > 0) {
        memcpy(s->x, change, (size_t)n * sizeof *s->x);
        rbv_articulated_solve(s->mass, s->x);
    }
    for (int32_t j = 0; j < s->rows; j++) /* C M^-1 (f - M x - C^T l) - (g - C x) */
        s->l[j] = row_times(s, s->row[j], s->x) - b[n + s->row[j]] + row_times(s, s->row[j], x);
    solve_schur(s, s->l);
    for (int32_t j = 0; j < s->rows; j++) {
        change[n + s->row[j]] = s->l[j];
        add_row(s, s->row[j], -s->l[j], change);
    }
    rbv_articulated_solve(s->mass, change);
}
