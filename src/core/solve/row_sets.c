/* Sets of rows that determine all modes, best first; see sparse_null_space.h. A depth-first search through the matroid
 * of rows, with a bounded number of steps. Where the caller refuses all sets found, owners are taken one after the
 * other, each with as many of its rows as the caller accepts.
 */
#include "core/solve/sparse_null_space.h"

#include "core/base/tolerances.h"
#include "core/solve/rank.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Bounds of the search: additions and multiplications, in steps of p^2, some tenths of a second; and steps. */
#define MOST_SET_WORK 3e7
#define MOST_SET_STEPS 200000
/* Most numbers of rows without parts that are kept, 32 MB: with more, there are few steps for each row. */
#define MOST_KEPT 4000000
/* Least length where rows are freed (`verify`): the remaining mechanism must have a safe rank. RBV_RANK_BAND times the
 * rank's threshold is 1e-6, and a row may be short beside others. */
#define INDEPENDENT_FREED 1e-4
/* Most rows of one owner: a joint has six directions, and a relation. */
#define MOST_OF_OWNER 7

typedef struct Search {
    const RbvRowSearch *how;
    int32_t k, p, found, steps, most_steps;
    const double *A; /* [k][p] rows, of orthonormal columns */
    const int32_t *order;
    RbvRowSet *sets;
    int32_t *rows;            /* [most][p] memory of the sets' rows */
    int32_t *chosen, *sorted; /* [p] */
    double *basis;            /* [p][p] unit vectors of the chosen rows */
    /* Rows without their parts along the first d unit vectors, d = 1 ... p: rest[d - 1][k][p]. A row is known there
     * for the present choices if its age[d - 1][k] is that of the last of them, age_of[d - 1]. NULL: not kept. */
    double *rest;
    int32_t *age, *age_of, last_age; /* [p][k], [p] */
    double *spare;                   /* [p] such a row where they are not kept */
} Search;

static bool better(const Search *s, const RbvRowSet *a, const RbvRowSet *b) {
    if (a->owners != b->owners && !s->how->penalty_first)
        return a->owners < b->owners;
    if (fabs(a->penalty - b->penalty) > 1e-9)
        return a->penalty < b->penalty;
    return a->independence > b->independence * (1 + 1e-9);
}

static int ascending(const void *a, const void *b) {
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

static void keep_set(Search *s, double independence) {
    const RbvRowSearch *how = s->how;
    RbvRowSet set = {.independence = independence};
    for (int32_t i = 0; i < s->p; i++) {
        bool seen = false;
        for (int32_t j = 0; j < i; j++)
            seen = seen || how->owner[s->chosen[j]] == how->owner[s->chosen[i]];
        set.owners += !seen;
        set.penalty += how->verify ? 0 : how->penalty[s->chosen[i]];
    }
    if (s->found == how->most && !how->penalty_first && set.owners > s->sets[how->most - 1].owners)
        return;
    if (how->verify) {
        set.penalty = how->verify(how->context, s->p, s->chosen);
        s->steps += s->p;
    }
    int32_t at = s->found;
    while (at > 0 && better(s, &set, &s->sets[at - 1]))
        at--;
    if (at == how->most || !isfinite(set.penalty))
        return;
    memcpy(s->sorted, s->chosen, (size_t)s->p * sizeof *s->sorted);
    qsort(s->sorted, (size_t)s->p, sizeof *s->sorted, ascending);
    for (int32_t n = 0; n < s->found; n++)
        if (memcmp(s->sets[n].rows, s->sorted, (size_t)s->p * sizeof *s->sorted) == 0)
            return;
    int32_t last = s->found < how->most ? s->found++ : how->most - 1;
    int32_t *storage = s->sets[last].rows ? s->sets[last].rows : s->rows + (size_t)last * (size_t)s->p;
    for (int32_t n = last; n > at; n--)
        s->sets[n] = s->sets[n - 1];
    set.rows = storage;
    memcpy(storage, s->sorted, (size_t)s->p * sizeof *storage);
    s->sets[at] = set;
}

/* Row i without its parts along the first `depth` unit vectors, one after the other. */
static const double *rest_of(Search *s, int32_t depth, int32_t i) {
    size_t p = (size_t)s->p, k = (size_t)s->k, row = (size_t)i;
    int32_t known = s->rest ? depth : 0;
    while (known > 0 && s->age[(size_t)(known - 1) * k + row] != s->age_of[known - 1])
        known--;
    const double *from = known > 0 ? s->rest + ((size_t)(known - 1) * k + row) * p : s->A + row * p;
    for (; known < depth; known++) {
        const double *unit = s->basis + (size_t)known * p;
        double *to = s->rest ? s->rest + ((size_t)known * k + row) * p : s->spare, dot = 0;
        for (size_t c = 0; c < p; c++)
            dot += from[c] * unit[c];
        for (size_t c = 0; c < p; c++)
            to[c] = from[c] - dot * unit[c];
        if (s->rest)
            s->age[(size_t)known * k + row] = s->age_of[known];
        from = to;
    }
    return from;
}

/* Choose row i at this depth: its part outside the span of the rows chosen before becomes the next unit vector. Returns
 * the length of that part; 0: too short. */
static double choose(Search *s, int32_t depth, int32_t i) {
    const double *rest = rest_of(s, depth, i);
    double *unit = s->basis + (size_t)depth * (size_t)s->p, left = 0;
    s->steps++;
    for (int32_t c = 0; c < s->p; c++)
        left += rest[c] * rest[c];
    left = sqrt(left);
    /* Least length of a row outside the span of the rows before: less is rounding or a bad choice. */
    if (!(left > (s->how->verify ? INDEPENDENT_FREED : RBV_FITS)))
        return 0;
    for (int32_t c = 0; c < s->p; c++)
        unit[c] = rest[c] / left;
    s->chosen[depth] = i;
    s->age_of[depth] = ++s->last_age;
    return left;
}

static void descend(Search *s, int32_t depth, int32_t from, double independence) {
    if (depth == s->p) {
        keep_set(s, independence);
        return;
    }
    for (int32_t n = from; n <= s->k - (s->p - depth) && s->steps < s->most_steps; n++) {
        double left = choose(s, depth, s->order[n]);
        if (left > 0)
            descend(s, depth + 1, n + 1, fmin(independence, left));
    }
}

/* Choose the rows of `of` given by the bits of `mask`, from `depth` on. Returns the smallest remaining length, 0: they
 * are dependent. */
static double choose_all(Search *s, int32_t depth, const int32_t *of, unsigned mask) {
    double least = 1;
    for (int32_t n = 0; mask >> n && least > 0; n++)
        if (mask >> n & 1)
            least = fmin(least, choose(s, depth++, of[n]));
    return least;
}

static int32_t bits(unsigned mask) {
    int32_t count = 0;
    for (; mask; mask &= mask - 1)
        count++;
    return count;
}

/* Choose as many rows of the owner as are independent and accepted; among equal numbers the set of least penalty.
 * Returns their number. */
static int32_t choose_of_owner(Search *s, int32_t depth, const int32_t *of, int32_t count, double *independence) {
    const RbvRowSearch *how = s->how;
    for (int32_t requested = count < s->p - depth ? count : s->p - depth; requested > 0; requested--) {
        unsigned best = 0;
        double least = INFINITY;
        for (unsigned mask = 1; mask < 1u << count; mask++) {
            if (bits(mask) != requested || !(choose_all(s, depth, of, mask) > 0))
                continue;
            double penalty = how->verify(how->context, requested, s->chosen + depth);
            if (penalty < least) {
                least = penalty;
                best = mask;
            }
        }
        if (best) {
            *independence = fmin(*independence, choose_all(s, depth, of, best));
            return requested;
        }
    }
    return 0;
}

/* Owners one after the other, in the order of their first rows, starting once at each row of the order. */
static void by_owners(Search *s) {
    for (int32_t begin = 0; begin < s->k && s->steps < s->most_steps; begin++) {
        int32_t depth = 0;
        double independence = 1;
        for (int32_t n = 0; n < s->k && depth < s->p; n++) {
            int32_t of[MOST_OF_OWNER], count = 0, first = s->order[(begin + n) % s->k], owner = s->how->owner[first];
            bool seen = false;
            for (int32_t j = 0; j < depth; j++)
                seen = seen || s->how->owner[s->chosen[j]] == owner;
            for (int32_t i = 0; i < s->k && !seen && count < MOST_OF_OWNER; i++)
                if (s->how->owner[i] == owner)
                    of[count++] = i;
            depth += choose_of_owner(s, depth, of, count, &independence);
        }
        if (depth == s->p)
            keep_set(s, independence);
    }
}

static bool comes_before(const double *penalty, const double *length, int32_t a, int32_t b) {
    return penalty[a] != penalty[b] ? penalty[a] < penalty[b] : length[a] > length[b] * (1 + 1e-9);
}

/* Memory for rows without parts, unless they are too many. False: no memory. */
static bool keep_rests(Search *s) {
    size_t rows = (size_t)s->p * (size_t)s->k, numbers = rows * (size_t)s->p;
    if (numbers == 0 || numbers > MOST_KEPT)
        return true;
    s->rest = malloc(numbers * sizeof *s->rest);
    s->age = calloc(rows, sizeof *s->age);
    return s->rest && s->age;
}

int32_t rbv_null_space_sets(int32_t k, int32_t p, const double *R, const RbvRowSearch *how, RbvRowSet *sets,
                            int32_t *rows) {
    Search s = {.how = how, .k = k, .p = p, .sets = sets, .rows = rows};
    double *A = malloc(((size_t)k * (size_t)p + 1) * sizeof *A), *length = calloc((size_t)k + 1, sizeof *length);
    int32_t *order = malloc(((size_t)k + 1) * sizeof *order);
    s.chosen = malloc(((size_t)p + 1) * sizeof *s.chosen);
    s.sorted = malloc(((size_t)p + 1) * sizeof *s.sorted);
    s.basis = malloc(((size_t)p * (size_t)p + 1) * sizeof *s.basis);
    s.spare = malloc(((size_t)p + 1) * sizeof *s.spare);
    s.age_of = calloc((size_t)p + 1, sizeof *s.age_of);
    bool good = A && length && order && s.chosen && s.sorted && s.basis && s.spare && s.age_of && keep_rests(&s);
    memset(sets, 0, (size_t)how->most * sizeof *sets);
    if (good) {
        memcpy(A, R, (size_t)k * (size_t)p * sizeof *A);
        /* the squared length of a row is then its share in all self-stresses */
        good = rbv_rank_orthonormalize(k, p, A) == RBV_OK;
    }
    if (good) {
        for (int32_t i = 0; i < k; i++) {
            order[i] = i;
            for (int32_t c = 0; c < p; c++)
                length[i] += A[i * p + c] * A[i * p + c];
        }
        /* rows of least penalty first, then the longest, so that a search cut short has tried the best */
        for (int32_t i = 1; i < k; i++)
            for (int32_t j = i; j > 0 && comes_before(how->penalty, length, order[j], order[j - 1]); j--) {
                int32_t swap = order[j];
                order[j] = order[j - 1], order[j - 1] = swap;
            }
        s.A = A;
        s.order = order;
        double steps = k + MOST_SET_WORK / ((double)p * p);
        s.most_steps = steps < MOST_SET_STEPS ? (int32_t)steps : MOST_SET_STEPS;
        descend(&s, 0, 0, 1);
        if (s.found == 0 && how->verify) {
            s.steps = 0;
            by_owners(&s);
        }
    }
    free(A);
    free(length);
    free(order);
    free(s.chosen);
    free(s.sorted);
    free(s.basis);
    free(s.rest);
    free(s.age);
    free(s.age_of);
    free(s.spare);
    return good ? s.found : -1;
}
