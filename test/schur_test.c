/* The Schur complement against elimination of the whole saddle point matrix in long double: chains of bodies of all
 * sizes of blocks, rows that repeat others, rows left out. */
#include "support/sparse.h"

#include "core/solve/schur.h"

#define BODIES 30
#define MOST (6 * BODIES)

typedef struct Saddle {
    int32_t n, rows;
    int32_t M_start[MOST + 1], M_column[6 * MOST], C_start[MOST + 1], C_column[12 * MOST], node[MOST];
    double M[6 * MOST], C[12 * MOST];
} Saddle;

/* Blocks of M: columns, all with so many (`same`) or up to so many; those before `coupled` have the diagonal alone. */
typedef struct Blocks {
    int32_t columns, coupled;
    bool same;
} Blocks;

/* M = A A^T + I in such blocks; one to three rows that join a body with the next, every seventh the one before again,
 * every eleventh zero. */
static void draw_saddle(Saddle *s, Blocks kind, uint64_t *seed) {
    int32_t first[BODIES + 1] = {0}, at = 0;
    for (int32_t b = 0; b < BODIES; b++) {
        int32_t count = kind.same ? kind.columns : pick(seed, 1, kind.columns);
        double A[36];
        first[b + 1] = first[b] + count;
        for (int k = 0; k < 36; k++)
            A[k] = machine_random(seed);
        for (int32_t i = 0; i < count; i++) {
            s->M_start[first[b] + i] = at;
            for (int32_t j = 0; j < count; j++) {
                s->M_column[at] = first[b] + j;
                s->M[at] = i == j;
                for (int k = 0; k < 6 && (i == j || (i >= kind.coupled && j >= kind.coupled)); k++)
                    s->M[at] += A[6 * i + k] * A[6 * j + k];
                at++;
            }
        }
    }
    s->n = first[BODIES];
    s->M_start[s->n] = at;
    s->rows = at = 0;
    for (int32_t b = 0; b + 1 < BODIES; b++)
        for (int32_t r = 0, most = pick(seed, 1, 3); r < most && s->rows + 1 < s->n; r++, s->rows++) {
            s->C_start[s->rows] = at;
            s->node[s->rows] = b;
            int32_t length = first[b + 2] - first[b];
            for (int32_t j = 0; j < length; j++, at++) {
                s->C_column[at] = first[b] + j;
                s->C[at] = s->rows % 11 == 10           ? 0
                           : s->rows % 7 == 3 && r == 1 ? 2 * s->C[at - length]
                                                        : machine_random(seed);
            }
        }
    s->C_start[s->rows] = at;
}

/* [M C^T; C -eps] x = b by Gauss with pivots. */
static void reference(const Saddle *s, double eps, const double *b, long double *x) {
    size_t total = (size_t)(s->n + s->rows), wide = total + 1;
    long double *a = get(total * wide, sizeof *a);
    for (int32_t i = 0; i < s->n; i++)
        for (int32_t e = s->M_start[i]; e < s->M_start[i + 1]; e++)
            a[(size_t)i * wide + (size_t)s->M_column[e]] = s->M[e];
    for (int32_t k = 0; k < s->rows; k++) {
        for (int32_t e = s->C_start[k]; e < s->C_start[k + 1]; e++)
            a[(size_t)(s->n + k) * wide + (size_t)s->C_column[e]] =
                a[(size_t)s->C_column[e] * wide + (size_t)(s->n + k)] = s->C[e];
        a[(size_t)(s->n + k) * (wide + 1)] = -(long double)eps;
    }
    for (size_t i = 0; i < total; i++)
        a[i * wide + total] = b[i];
    for (size_t k = 0; k < total; k++) {
        size_t pivot = k;
        for (size_t i = k + 1; i < total; i++)
            pivot = fabsl(a[i * wide + k]) > fabsl(a[pivot * wide + k]) ? i : pivot;
        for (size_t j = k; j < wide; j++) {
            long double keep = a[k * wide + j];
            a[k * wide + j] = a[pivot * wide + j], a[pivot * wide + j] = keep;
        }
        for (size_t i = k + 1; i < total; i++)
            for (size_t j = wide; j-- > k;)
                a[i * wide + j] -= a[i * wide + k] / a[k * wide + k] * a[k * wide + j];
    }
    for (size_t k = total; k-- > 0;) {
        x[k] = a[k * wide + total];
        for (size_t j = k + 1; j < total; j++)
            x[k] -= a[k * wide + j] * x[j];
        x[k] /= a[k * wide + k];
    }
    free(a);
}

/* b less what the system makes of x, without eps. */
static void residual(const Saddle *s, const double *b, const double *x, long double *left) {
    for (int32_t i = 0; i < s->n + s->rows; i++)
        left[i] = b[i];
    for (int32_t i = 0; i < s->n; i++)
        for (int32_t e = s->M_start[i]; e < s->M_start[i + 1]; e++)
            left[i] -= (long double)s->M[e] * x[s->M_column[e]];
    for (int32_t k = 0; k < s->rows; k++)
        for (int32_t e = s->C_start[k]; e < s->C_start[k + 1]; e++) {
            left[s->n + k] -= (long double)s->C[e] * x[s->C_column[e]];
            left[s->C_column[e]] -= (long double)s->C[e] * x[s->n + k];
        }
}

/* Errors are those of a condition 1/eps. */
static void solutions_are_those_of_the_whole_system(void **unused) {
    (void)unused;
    uint64_t seed = 71;
    static Saddle s;
    /* any blocks; bodies in space; these, particles and others; bodies in the plane */
    const Blocks kinds[] = {{6, 0, false}, {6, 3, true}, {6, 3, false}, {3, 6, true}};
    for (int round = 0; round < 40; round++) {
        const double eps = round / 4 % 2 ? 1e-3 : 1e-6;
        bool fits;
        double b[2 * MOST], x[2 * MOST];
        long double expected[2 * MOST];
        draw_saddle(&s, kinds[round % 4], &seed);
        RbvSchur *schur = rbv_schur_create(s.n, s.rows, s.M_start, s.M_column, s.C_start, s.C_column, s.node, &fits);
        assert_true(fits);
        assert_non_null(schur);
        for (int again = 0; again < 2; again++) {
            assert_true(rbv_schur_mass(schur, s.M));
            assert_true(rbv_schur_factor(schur, s.C, eps));
            memset(x, 0, sizeof x);
            for (int32_t i = 0; i < s.n + s.rows; i++)
                b[i] = machine_random(&seed);
            for (int32_t k = 10; k < s.rows; k += 11)
                b[s.n + k] = 0;
            rbv_schur_begin(schur);
            for (int pass = 0; pass < 2;
                 pass++) { /* of what is left of the equations without eps; the first is the solution for b */
                double size = 0, left[2 * MOST], change[2 * MOST];
                residual(&s, b, x, expected);
                for (int32_t i = 0; i < s.n + s.rows; i++)
                    left[i] = (double)expected[i];
                reference(&s, eps, left, expected);
                rbv_schur_correct(schur, b, x, change);
                for (int32_t i = 0; i < s.n + s.rows; i++)
                    size = fmax(size, fmax(fabs(x[i]), (double)fabsl(expected[i])));
                for (int32_t i = 0; i < s.n + s.rows; i++) {
                    assert_near(change[i], (double)expected[i], 1e4 * EPS / eps * size); /* |C M^-1 C^T| is some 40 */
                    x[i] += change[i];
                }
            }
        }
        rbv_schur_destroy(schur);
    }
}

/* Blocks that overlap, rows that look at a part of a block, and a body that too many rows join. */
static void other_patterns_are_refused(void **unused) {
    (void)unused;
    bool fits = true;
    const int32_t M_start[] = {0, 2, 4, 5}, M_column[] = {0, 1, 0, 1, 2}, overlap[] = {0, 1, 1, 2, 2},
                  C_start[] = {0, 1}, part[] = {0}, node[] = {0};
    assert_null(rbv_schur_create(3, 1, M_start, overlap, C_start, part, node, &fits));
    assert_false(fits);
    assert_null(rbv_schur_create(3, 1, M_start, M_column, C_start, part, node, &fits));
    assert_false(fits);
    int32_t many_start[101], many[100], nodes[100];
    for (int32_t k = 0; k < 100; k++)
        many_start[k] = k, many[k] = 2, nodes[k] = k;
    many_start[100] = 100;
    assert_null(rbv_schur_create(3, 100, M_start, M_column, many_start, many, nodes, &fits));
    assert_false(fits);
}

static void masses_that_are_not_positive_are_refused(void **unused) {
    (void)unused;
    bool fits;
    const int32_t M_start[] = {0, 2, 4}, M_column[] = {0, 1, 0, 1}, C_start[] = {0, 2}, C_column[] = {0, 1},
                  node[] = {0};
    const double C[] = {1, 1}, M[] = {1, 2, 2, 1}, good[] = {1, 0.5, 0.5, 1};
    RbvSchur *schur = rbv_schur_create(2, 1, M_start, M_column, C_start, C_column, node, &fits);
    assert_non_null(schur);
    assert_false(rbv_schur_mass(schur, M));
    assert_true(rbv_schur_mass(schur, good));
    assert_true(rbv_schur_factor(schur, C, 1e-10));
    rbv_schur_destroy(schur);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solutions_are_those_of_the_whole_system),
        cmocka_unit_test(other_patterns_are_refused),
        cmocka_unit_test(masses_that_are_not_positive_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
