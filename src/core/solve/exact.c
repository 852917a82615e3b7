/* Fractions by continued fractions, elimination modulo two primes; see exact.h.
 *
 * The rank modulo a prime never exceeds the rank over the rationals, and is smaller only when the prime divides all
 * minors of the full rank: the larger of the two ranks is taken.
 */
#include "core/solve/exact.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef unsigned __int128 Wide;

/* Primes below 2^61. */
static const uint64_t primes[2] = {2305843009213693951u, 2305843009213693921u};

static uint64_t multiply(uint64_t a, uint64_t b, uint64_t p) {
    return (uint64_t)((Wide)a * b % p);
}

static uint64_t inverse(uint64_t a, uint64_t p) {
    uint64_t result = 1;
    for (uint64_t e = p - 2; e > 0; e >>= 1) {
        if (e & 1)
            result = multiply(result, a, p);
        a = multiply(a, a, p);
    }
    return result;
}

/* The first convergent of x within RBV_EXACT_NEAR. False: there is none. */
static bool fraction(double x, int64_t *numerator, int64_t *denominator) {
    double size = fmax(1, fabs(x)), rest = x;
    int64_t n0 = 1, n1 = (int64_t)floor(rest), d0 = 0, d1 = 1;
    if (!(fabs(x) < 1e9))
        return false;
    for (int step = 0; step < 40; step++) {
        if (fabs(x - (double)n1 / (double)d1) <= RBV_EXACT_NEAR * size) {
            *numerator = n1;
            *denominator = d1;
            return true;
        }
        rest -= floor(rest);
        if (!(rest > 1e-12))
            return false;
        rest = 1 / rest;
        int64_t whole = (int64_t)floor(rest), n2 = whole * n1 + n0, d2 = whole * d1 + d0;
        if (d2 > RBV_EXACT_DENOMINATOR)
            return false;
        n0 = n1, n1 = n2, d0 = d1, d1 = d2;
    }
    return false;
}

static int32_t eliminate(uint64_t *a, int32_t m, int32_t n, uint64_t p) {
    int32_t rank = 0;
    for (int32_t c = 0; c < n && rank < m; c++) {
        int32_t pivot = rank;
        while (pivot < m && a[(size_t)pivot * (size_t)n + (size_t)c] == 0)
            pivot++;
        if (pivot == m)
            continue;
        for (int32_t j = c; j < n && pivot != rank; j++) {
            uint64_t swap = a[(size_t)pivot * (size_t)n + (size_t)j];
            a[(size_t)pivot * (size_t)n + (size_t)j] = a[(size_t)rank * (size_t)n + (size_t)j];
            a[(size_t)rank * (size_t)n + (size_t)j] = swap;
        }
        const uint64_t *top = a + (size_t)rank * (size_t)n;
        uint64_t over = inverse(top[c], p);
        for (int32_t i = rank + 1; i < m; i++) {
            uint64_t *row = a + (size_t)i * (size_t)n;
            if (row[c] == 0)
                continue;
            uint64_t factor = multiply(row[c], over, p);
            for (int32_t j = c; j < n; j++)
                row[j] = (row[j] + p - multiply(factor, top[j], p)) % p;
        }
        rank++;
    }
    return rank;
}

int32_t rbv_exact_rank(int32_t m, int32_t n, const double *C, const double *unit) {
    size_t size = (size_t)m * (size_t)n;
    uint64_t *a = malloc((size + 1) * sizeof *a);
    int32_t best = a ? -1 : -2;
    bool good = a != NULL;
    for (int which = 0; good && which < 2; which++) {
        uint64_t p = primes[which];
        for (size_t k = 0; good && k < size; k++) {
            int64_t numerator = 0, denominator = 1;
            good = fraction(C[k] * unit[k % (size_t)n], &numerator, &denominator);
            uint64_t top = numerator < 0 ? p - (uint64_t)(-numerator) % p : (uint64_t)numerator % p;
            a[k] = denominator == 1 ? top % p : multiply(top, inverse((uint64_t)denominator, p), p);
        }
        int32_t rank = good ? eliminate(a, m, n, p) : -1;
        best = rank > best ? rank : best;
    }
    free(a);
    return best;
}
