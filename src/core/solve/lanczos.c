/* Lanczos' method; see lanczos.h. With V the B-orthonormal basis and T = V^T B OP V tridiagonal, an eigenpair (theta,
 * s) of T of j steps has the residual beta_j |s_j|. */
#include "core/solve/lanczos.h"

#include "core/base/tolerances.h"
#include "core/solve/lapack.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_LANCZOS_STEPS 60
#define LOOK_EVERY 4 /* steps between eigenvalue problems of T, which cost its cube */

typedef struct Basis {
    const RbvLanczos *problem;
    double *v;      /* [MOST_LANCZOS_STEPS + 1][n] */
    double *w, *Bw; /* [n] */
    double alpha[MOST_LANCZOS_STEPS], beta[MOST_LANCZOS_STEPS];
    double diagonal[MOST_LANCZOS_STEPS], off[MOST_LANCZOS_STEPS], vectors[MOST_LANCZOS_STEPS * MOST_LANCZOS_STEPS];
} Basis;

static double dot_product(int32_t n, const double *a, const double *b) {
    double sum = 0;
    for (int32_t k = 0; k < n; k++)
        sum += a[k] * b[k];
    return sum;
}

static void add_scaled(int32_t n, double factor, const double *a, double *b) {
    for (int32_t k = 0; k < n; k++)
        b[k] += factor * a[k];
}

/* Append w, scaled to B-length 1, as vector j. False: its B-length is not above `least`. */
static bool append(Basis *basis, int32_t j, double least) {
    int32_t n = basis->problem->n;
    basis->problem->weigh(basis->problem->context, basis->w, basis->Bw);
    double square = dot_product(n, basis->w, basis->Bw), length = sqrt(fmax(square, 0));
    if (!(length > least) || !isfinite(length))
        return false;
    for (int32_t k = 0; k < n; k++)
        basis->v[(size_t)j * (size_t)n + (size_t)k] = basis->w[k] / length;
    if (j > 0)
        basis->beta[j - 1] = length;
    return true;
}

/* Eigenpair of largest magnitude of T of `steps` steps: index of its column in vectors; -1: LAPACK failed. */
static int32_t ritz(Basis *basis, int32_t steps) {
    memcpy(basis->diagonal, basis->alpha, (size_t)steps * sizeof(double));
    memcpy(basis->off, basis->beta, (size_t)steps * sizeof(double));
    if (rbv_lapack_eigen_tridiagonal(steps, basis->diagonal, basis->off, basis->vectors) != RBV_OK)
        return -1;
    return fabs(basis->diagonal[0]) > fabs(basis->diagonal[steps - 1]) ? 0 : steps - 1;
}

/* Lanczos from vector 0: *value and x. */
static RbvLanczosEnd sweep(Basis *basis, double tolerance, double *value, double *x) {
    const RbvLanczos *problem = basis->problem;
    size_t n = (size_t)problem->n;
    RbvLanczosEnd end = RBV_LANCZOS_NOT_CONVERGED;
    int32_t steps = 0, best = -1;
    double largest = 0;
    while (end == RBV_LANCZOS_NOT_CONVERGED && steps < MOST_LANCZOS_STEPS) {
        if (!problem->apply(problem->context, basis->v + (size_t)steps * n, basis->w))
            return RBV_LANCZOS_FAILED;
        for (int pass = 0; pass < 2; pass++) { /* twice is enough for orthogonality */
            problem->weigh(problem->context, basis->w, basis->Bw);
            for (int32_t i = 0; i <= steps; i++) {
                double part = dot_product(problem->n, basis->v + (size_t)i * n, basis->Bw);
                add_scaled(problem->n, -part, basis->v + (size_t)i * n, basis->w);
                if (i == steps)
                    basis->alpha[steps] = pass == 0 ? part : basis->alpha[steps] + part;
            }
        }
        largest = fmax(largest, fabs(basis->alpha[steps]));
        /* Length, as a part of the largest so far, below which a new vector is rounding. */
        bool more = append(basis, steps + 1, RBV_CANCELLED * largest);
        steps++;
        if (more && steps % LOOK_EVERY != 0 && steps < MOST_LANCZOS_STEPS)
            continue;
        if ((best = ritz(basis, steps)) < 0)
            return RBV_LANCZOS_FAILED;
        double residual =
            more ? basis->beta[steps - 1] * fabs(basis->vectors[(size_t)best * (size_t)steps + (size_t)steps - 1]) : 0;
        if (residual <= tolerance * fabs(basis->diagonal[best]))
            end = RBV_LANCZOS_FOUND;
    }
    *value = basis->diagonal[best];
    memset(x, 0, n * sizeof *x);
    for (int32_t i = 0; i < steps; i++)
        add_scaled(problem->n, basis->vectors[(size_t)best * (size_t)steps + (size_t)i], basis->v + (size_t)i * n, x);
    return end;
}

RbvLanczosEnd rbv_lanczos(const RbvLanczos *problem, double tolerance, int32_t restarts, double *value, double *x) {
    size_t n = (size_t)problem->n;
    Basis *basis = calloc(1, sizeof *basis);
    RbvLanczosEnd end = RBV_LANCZOS_NO_MEMORY;
    *value = 0;
    if (basis) {
        *basis = (Basis){.problem = problem,
                         .v = malloc(((MOST_LANCZOS_STEPS + 1) * n + 1) * sizeof(double)),
                         .w = malloc((n + 1) * sizeof(double)),
                         .Bw = malloc((n + 1) * sizeof(double))};
        if (basis->v && basis->w && basis->Bw)
            end = RBV_LANCZOS_NOT_CONVERGED;
    }
    for (int32_t k = 0; end == RBV_LANCZOS_NOT_CONVERGED && k <= restarts; k++) {
        /* one application removes the part in the null space of B */
        if (!problem->apply(problem->context, x, basis->w))
            end = RBV_LANCZOS_FAILED;
        else if (!append(basis, 0, 0))
            end = RBV_LANCZOS_NONE;
        else
            end = sweep(basis, tolerance, value, x);
    }
    if (basis) {
        free(basis->v);
        free(basis->w);
        free(basis->Bw);
    }
    free(basis);
    return end;
}

/* ---- several eigenvalues ---- */

/* Steps of a sweep: at first MARGIN times as many as eigenvalues are sought, and SPARE; at most MOST_PER_VALUE times as
 * many, and MOST_SPARE. Eigenproblems of T are solved each time the steps have grown by GROWTH. */
#define MARGIN 2
#define SPARE 20
#define MOST_PER_VALUE 20
#define MOST_SPARE 300
#define GROWTH 1.2
/* Sweeps that find nothing new before the search is given up. */
#define MOST_SWEEPS 100
/* Part by which an eigenvalue found later must be larger than the smallest of the list: else both are equal. */
#define LARGER (1 + RBV_ROOT_EPS)

typedef struct Several {
    const RbvLanczos *problem;
    double tolerance;
    int32_t most, known, found;                   /* known: vectors from the caller, first in the list */
    int32_t capacity, steps;                      /* vectors in v; steps of the present sweep */
    double largest, left;                         /* largest magnitude taken; largest that was not */
    double *values, *x;                           /* the caller's */
    double *v, *w, *Bw, *next;                    /* [capacity + 1][n]; [n] */
    double *alpha, *beta, *theta, *off, *vectors; /* [capacity]; theta, vectors[capacity][capacity]: Ritz pairs */
    bool exact;                                   /* T describes an invariant subspace */
    bool stuck;                                   /* the sweep has found nothing, and knows nothing */
} Several;

static bool resize(double **array, size_t count) {
    double *larger = realloc(*array, (count + 1) * sizeof *larger);
    if (larger)
        *array = larger;
    return larger != NULL;
}

static bool reserve(Several *s, int32_t capacity) {
    size_t n = (size_t)s->problem->n, c = (size_t)capacity;
    if (capacity <= s->capacity)
        return true;
    s->capacity = capacity;
    return resize(&s->v, (c + 1) * n) && resize(&s->alpha, c) && resize(&s->beta, c) && resize(&s->theta, c) &&
           resize(&s->off, c) && resize(&s->vectors, c * c);
}

/* w := w without its parts along the vectors found and the first `count` of v. Returns the part along the last one. */
static double orthogonalise(Several *s, int32_t count) {
    const RbvLanczos *problem = s->problem;
    size_t n = (size_t)problem->n;
    double last = 0;
    for (int pass = 0; pass < 2; pass++) {
        problem->weigh(problem->context, s->w, s->Bw);
        for (int32_t i = 0; i < s->found + count; i++) {
            const double *along = i < s->found ? s->x + (size_t)i * n : s->v + (size_t)(i - s->found) * n;
            double part = dot_product(problem->n, along, s->Bw);
            add_scaled(problem->n, -part, along, s->w);
            last = i == s->found + count - 1 ? last + part : last;
        }
    }
    return last;
}

/* v[j] := w of B-length 1; *length: that of w. False: it is not above `least`. */
static bool take_vector(Several *s, int32_t j, double least, double *length) {
    size_t n = (size_t)s->problem->n;
    s->problem->weigh(s->problem->context, s->w, s->Bw);
    *length = sqrt(fmax(dot_product(s->problem->n, s->w, s->Bw), 0));
    if (!(*length > least) || !isfinite(*length))
        return false;
    for (size_t k = 0; k < n; k++)
        s->v[(size_t)j * n + k] = s->w[k] / *length;
    return true;
}

/* The Ritz pair that is number `place` by magnitude: theta is ascending, so it is at one of both ends. */
static int32_t by_magnitude(const Several *s, int32_t place) {
    int32_t low = 0, high = s->steps - 1;
    for (; place > 0; place--)
        if (fabs(s->theta[low]) > fabs(s->theta[high]))
            low++;
        else
            high--;
    return fabs(s->theta[low]) > fabs(s->theta[high]) ? low : high;
}

static double residual_of(const Several *s, int32_t k) {
    size_t steps = (size_t)s->steps;
    return s->exact ? 0 : s->beta[steps - 1] * fabs(s->vectors[(size_t)k * steps + steps - 1]);
}

/* Number of leading Ritz pairs, at most `most`, that have converged. *cut: the next one is lost beside the largest. */
static int32_t converged(Several *s, int32_t most, bool *cut) {
    double largest = fmax(s->largest, fabs(s->theta[by_magnitude(s, 0)]));
    *cut = false;
    for (int32_t count = 0; count < most && count < s->steps; count++) {
        int32_t k = by_magnitude(s, count);
        *cut = fabs(s->theta[k]) <= RBV_BALANCED * largest;
        if (*cut)
            s->left = fmax(s->left, fabs(s->theta[k]));
        if (*cut || residual_of(s, k) > s->tolerance * fabs(s->theta[k]))
            return count;
    }
    return most < s->steps ? most : s->steps;
}

/* x := the vector of Ritz pair k. False: OP x is not theta x; noise of OP has converged to something else. */
static bool form_vector(Several *s, int32_t k, double *x) {
    const RbvLanczos *problem = s->problem;
    memset(x, 0, (size_t)problem->n * sizeof *x);
    for (int32_t i = 0; i < s->steps; i++)
        add_scaled(problem->n, s->vectors[(size_t)k * (size_t)s->steps + (size_t)i],
                   s->v + (size_t)i * (size_t)problem->n, x);
    if (!problem->apply(problem->context, x, s->w))
        return false;
    add_scaled(problem->n, -s->theta[k], x, s->w);
    problem->weigh(problem->context, s->w, s->Bw);
    double square = dot_product(problem->n, s->w, s->Bw), size = RBV_BALANCED * s->theta[k];
    return square <= size * size;
}

/* Adds Ritz pair k to the list behind the known ones, in its order; the smallest leaves a full list. False: it does not
 * belong there. */
static bool insert(Several *s, int32_t k) {
    size_t n = (size_t)s->problem->n;
    double value = s->theta[k];
    bool full = s->found == s->most;
    int32_t place = s->found;
    if (full && (s->known == s->most || !(fabs(value) > LARGER * fabs(s->values[s->most - 1]))))
        return false;
    double *x = s->next;
    if (!form_vector(s, k, x)) {
        s->left = fmax(s->left, fabs(value));
        return false;
    }
    while (place > s->known && fabs(value) > fabs(s->values[place - 1]))
        place--;
    size_t moved = (size_t)(s->found - place - full);
    memmove(s->values + place + 1, s->values + place, moved * sizeof *s->values);
    memmove(s->x + (size_t)(place + 1) * n, s->x + (size_t)place * n, moved * n * sizeof *s->x);
    memcpy(s->x + (size_t)place * n, x, n * sizeof *x);
    s->values[place] = value;
    s->found += !full;
    s->largest = fmax(s->largest, fabs(value));
    return true;
}

/* Ritz pairs of the steps made so far. False: LAPACK failed. */
static bool find_pairs(Several *s) {
    memcpy(s->theta, s->alpha, (size_t)s->steps * sizeof *s->theta);
    memcpy(s->off, s->beta, (size_t)s->steps * sizeof *s->off);
    return rbv_lapack_eigen_tridiagonal(s->steps, s->theta, s->off, s->vectors) == RBV_OK;
}

/* Has the sweep found what it looks for? Then its converged pairs go into the list. *done: there is nothing else, or
 * nothing larger than a full list. */
static bool ends_sweep(Several *s, int32_t sought, bool last, bool *done) {
    bool cut, verifies = sought == 0;
    int32_t top = by_magnitude(s, 0), count = converged(s, verifies ? s->most : sought, &cut), taken = 0;
    double rough = residual_of(s, top);
    bool smaller = verifies && rough <= RBV_NOTICEABLE * fabs(s->theta[top]) &&
                   fabs(s->theta[top]) + rough <= LARGER * fabs(s->values[s->most - 1]);
    if (!s->exact && !smaller && !cut && count < (verifies ? 1 : sought) && !last)
        return false;
    while (taken < count && insert(s, by_magnitude(s, taken)))
        taken++;
    *done = taken == 0 && (s->exact || smaller || cut || count > 0);
    s->stuck = taken == 0 && !*done;
    return true;
}

/* One sweep. A list that is full needs only the certainty that the largest left is smaller. */
static RbvLanczosEnd sweep_several(Several *s, bool *done) {
    const RbvLanczos *problem = s->problem;
    int32_t sought = s->most - s->found, left = problem->n - s->found,
            most = sought * MOST_PER_VALUE + MOST_SPARE < left ? sought * MOST_PER_VALUE + MOST_SPARE : left;
    double largest = 0, length, next = MARGIN * sought + SPARE;
    s->exact = false;
    for (s->steps = 0; s->steps < most && !s->exact;) {
        if (!reserve(s, s->steps + 1 > s->capacity ? (s->steps + SPARE) * MARGIN : s->capacity))
            return RBV_LANCZOS_NO_MEMORY;
        if (!problem->apply(problem->context, s->v + (size_t)s->steps * (size_t)problem->n, s->w))
            return RBV_LANCZOS_FAILED;
        s->alpha[s->steps] = orthogonalise(s, s->steps + 1);
        largest = fmax(largest, fabs(s->alpha[s->steps]));
        s->exact = !take_vector(s, s->steps + 1, RBV_CANCELLED * largest, &length) || s->steps + 1 == left;
        s->beta[s->steps++] = length;
        if (!s->exact && s->steps < next && s->steps < most)
            continue;
        next = GROWTH * s->steps + 1;
        if (!find_pairs(s))
            return RBV_LANCZOS_FAILED;
        if (ends_sweep(s, sought, s->steps >= most, done))
            return s->stuck ? RBV_LANCZOS_NOT_CONVERGED : RBV_LANCZOS_FOUND;
    }
    return RBV_LANCZOS_NOT_CONVERGED;
}

/* First vector of a sweep: OP of a pseudo-random vector, the same in every run, without the vectors found. *any: it is
 * more than the noise of OP. False: OP failed. */
static bool start_sweep(Several *s, uint64_t seed, bool *any) {
    double before, after, noise = s->largest;
    for (int32_t k = 0; k < s->problem->n; k++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        s->w[k] = (double)(seed >> 11) / 4503599627370496.0 - 1;
    }
    for (int32_t k = 0; k < s->found; k++)
        noise = fmax(noise, fabs(s->values[k]));
    orthogonalise(s, 0);
    *any = take_vector(s, 0, 0, &before);
    if (!*any)
        return true;
    if (!s->problem->apply(s->problem->context, s->v, s->w))
        return false;
    orthogonalise(s, 0);
    *any = take_vector(s, 0, RBV_CANCELLED * noise, &after);
    return true;
}

static void destroy_several(Several *s) {
    double *const arrays[] = {s->v, s->w, s->Bw, s->next, s->alpha, s->beta, s->theta, s->off, s->vectors};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
        free(arrays[k]);
}

RbvLanczosEnd rbv_lanczos_largest(const RbvLanczos *problem, int32_t most, double tolerance, double *values, double *x,
                                  int32_t *found, double *left) {
    size_t n = (size_t)problem->n;
    Several s = {.problem = problem,
                 .tolerance = tolerance,
                 .most = most < problem->n ? most : problem->n,
                 .known = *found,
                 .found = *found,
                 .values = values,
                 .x = x};
    bool memory = resize(&s.w, n) && resize(&s.Bw, n) && resize(&s.next, n) && reserve(&s, MARGIN * s.most + SPARE);
    bool done = s.most <= s.found, any;
    RbvLanczosEnd end = memory ? RBV_LANCZOS_FOUND : RBV_LANCZOS_NO_MEMORY;
    for (int k = 0; end == RBV_LANCZOS_FOUND && !done && k < MOST_SWEEPS; k++) {
        if (!start_sweep(&s, 0x9E3779B97F4A7C15u + (uint64_t)k, &any))
            end = RBV_LANCZOS_FAILED;
        else if (s.found == problem->n || !any)
            done = true; /* OP has no other eigenvalue above its noise */
        else
            end = sweep_several(&s, &done);
    }
    *found = s.found;
    *left = s.left;
    destroy_several(&s);
    return end == RBV_LANCZOS_FOUND && !done ? RBV_LANCZOS_NOT_CONVERGED : end;
}
