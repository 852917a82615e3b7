/* Sets of rows that pin all modes down, best first; see short.h. A search through the matroid of rows by depth, with a bounded number of steps. */
#include "solve/short.h"

#include "solve/rank.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Additions and multiplications, in steps of p^2: some tenths of a second. */
#define MOST_WORK 3e7
#define MOST_STEPS 200000
/* A row must be seen by more than this of its length beside those before it: less is rounding or a bad choice. */
#define INDEPENDENT 1e-6

typedef struct Search {
    int32_t k, p, most, found, steps, most_steps;
    const double *A;         /* [k][p] rows of orthonormal columns */
    const int32_t *owner, *order;
    const double *penalty;
    RbvRowSet *sets;
    int32_t *rows;           /* [most][p] storage of sets */
    int32_t *chosen;         /* [p] */
    double *basis;           /* [p][p] */
    double *rest;            /* [p] */
} Search;

static bool better(const RbvRowSet *a, const RbvRowSet *b) {
    if (a->owners != b->owners)
        return a->owners < b->owners;
    if (fabs(a->penalty - b->penalty) > 1e-9)
        return a->penalty < b->penalty;
    return a->independence > b->independence * (1 + 1e-9);
}

static int ascending(const void *a, const void *b) {
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

static void keep(Search *s, double independence) {
    RbvRowSet set = {.independence = independence};
    for (int32_t i = 0; i < s->p; i++) {
        bool seen = false;
        for (int32_t j = 0; j < i; j++)
            seen = seen || s->owner[s->chosen[j]] == s->owner[s->chosen[i]];
        set.owners += !seen;
        set.penalty += s->penalty[s->chosen[i]];
    }
    int32_t at = s->found;
    while (at > 0 && better(&set, &s->sets[at - 1]))
        at--;
    if (at == s->most)
        return;
    int32_t last = s->found < s->most ? s->found++ : s->most - 1;
    int32_t *storage = s->sets[last].rows ? s->sets[last].rows : s->rows + (size_t)last * (size_t)s->p;
    for (int32_t n = last; n > at; n--)
        s->sets[n] = s->sets[n - 1];
    set.rows = storage;
    memcpy(storage, s->chosen, (size_t)s->p * sizeof *storage);
    qsort(storage, (size_t)s->p, sizeof *storage, ascending);
    s->sets[at] = set;
}

static void descend(Search *s, int32_t depth, int32_t from, double independence) {
    if (depth == s->p) {
        keep(s, independence);
        return;
    }
    for (int32_t n = from; n <= s->k - (s->p - depth) && s->steps < s->most_steps; n++) {
        const double *row = s->A + (size_t)s->order[n] * (size_t)s->p;
        double *rest = s->basis + (size_t)depth * (size_t)s->p, left = 0;
        s->steps++;
        memcpy(rest, row, (size_t)s->p * sizeof *rest);
        for (int32_t b = 0; b < depth; b++) {
            const double *unit = s->basis + (size_t)b * (size_t)s->p;
            double dot = 0;
            for (int32_t c = 0; c < s->p; c++)
                dot += rest[c] * unit[c];
            for (int32_t c = 0; c < s->p; c++)
                rest[c] -= dot * unit[c];
        }
        for (int32_t c = 0; c < s->p; c++)
            left += rest[c] * rest[c];
        left = sqrt(left);
        if (!(left > INDEPENDENT))
            continue;
        for (int32_t c = 0; c < s->p; c++)
            rest[c] /= left;
        s->chosen[depth] = s->order[n];
        descend(s, depth + 1, n + 1, fmin(independence, left));
    }
}

static bool comes_before(const double *penalty, const double *length, int32_t a, int32_t b) {
    return penalty[a] != penalty[b] ? penalty[a] < penalty[b] : length[a] > length[b] * (1 + 1e-9);
}

int32_t rbv_short_sets(int32_t k, int32_t p, const double *R, const int32_t *owner, const double *penalty, int32_t most, RbvRowSet *sets,
                       int32_t *rows) {
    Search s = {.k = k, .p = p, .most = most, .owner = owner, .penalty = penalty, .sets = sets, .rows = rows};
    double *A = malloc(((size_t)k * (size_t)p + 1) * sizeof *A), *length = calloc((size_t)k + 1, sizeof *length);
    int32_t *order = malloc(((size_t)k + 1) * sizeof *order);
    s.chosen = malloc(((size_t)p + 1) * sizeof *s.chosen);
    s.basis = malloc(((size_t)p * (size_t)p + 1) * sizeof *s.basis);
    bool good = A && length && order && s.chosen && s.basis;
    memset(sets, 0, (size_t)most * sizeof *sets);
    if (good) {
        memcpy(A, R, (size_t)k * (size_t)p * sizeof *A);
        /* the length of a row then says how much of all self-stresses it sees */
        good = rbv_rank_orthonormalize(k, p, A) == RBV_OK;
    }
    if (good) {
        for (int32_t i = 0; i < k; i++) {
            order[i] = i;
            for (int32_t c = 0; c < p; c++)
                length[i] += A[i * p + c] * A[i * p + c];
        }
        /* welcome rows first, then those that see most: a search cut short has then seen the best */
        for (int32_t i = 1; i < k; i++)
            for (int32_t j = i; j > 0 && comes_before(penalty, length, order[j], order[j - 1]); j--) {
                int32_t swap = order[j];
                order[j] = order[j - 1], order[j - 1] = swap;
            }
        s.A = A;
        s.order = order;
        double steps = k + MOST_WORK / ((double)p * p);
        s.most_steps = steps < MOST_STEPS ? (int32_t)steps : MOST_STEPS;
        descend(&s, 0, 0, 1);
    }
    free(A);
    free(length);
    free(order);
    free(s.chosen);
    free(s.basis);
    return good ? s.found : -1;
}
