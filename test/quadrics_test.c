/* Common zeros of quadratic forms: found where there are some, by forms whose zeros are known, in axes turned at
 * random; not found where there are none. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/solve/quadrics.h"

#include <math.h>
#include <stdlib.h>

static uint64_t seed = 88172645463325252u;

static double any(void) {
    seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
    return (double)(seed >> 11) / 9007199254740992.0 * 2 - 1;
}

/* R[d][d] orthogonal. */
static void turn(int32_t d, double *R) {
    do {
        for (int32_t k = 0; k < d * d; k++)
            R[k] = any();
    } while (rbv_span(d, d, R, 1e-3) < d);
}

/* T[d][d] := R^T A R */
static void turned(int32_t d, const double *A, const double *R, double *T) {
    for (int32_t a = 0; a < d; a++)
        for (int32_t b = 0; b < d; b++) {
            T[a * d + b] = 0;
            for (int32_t i = 0; i < d; i++)
                for (int32_t j = 0; j < d; j++)
                    T[a * d + b] += R[i * d + a] * A[i * d + j] * R[j * d + b];
        }
}

/* x_j (x_j - x_(j+1)) = 0, j < p, in d = p + 1 unknowns: zeros (0, ..., 0, 1, ..., 1) alone. */
static void zeros_of_a_chain_are_found(void **unused) {
    (void)unused;
    for (int32_t p = 1; p <= 6; p++) {
        int32_t d = p + 1, met[8] = {0};
        double R[49], A[49], *T = malloc((size_t)(p * d * d) * sizeof *T);
        RbvQuadrics q;
        assert_non_null(T);
        turn(d, R);
        for (int32_t j = 0; j < p; j++) {
            for (int32_t k = 0; k < d * d; k++)
                A[k] = 0;
            A[j * d + j] = 1;
            A[j * d + j + 1] = -1;
            turned(d, A, R, T + j * d * d);
        }
        assert_true(rbv_quadrics_create(&q, p, d, T, 1e-9));
        assert_int_equal(q.p, p);
        for (int n = 0; n < 600; n++) {
            double w[7], x[7], size = 0;
            for (int32_t k = 0; k < d; k++)
                w[k] = any();
            if (!rbv_quadrics_descend(&q, w))
                continue;
            for (int32_t i = 0; i < d; i++) {
                x[i] = 0;
                for (int32_t a = 0; a < d; a++)
                    x[i] += R[i * d + a] * w[a];
                size += w[i] * w[i];
            }
            assert_true(fabs(size - 1) < 1e-12);
            int32_t zeros = 0;
            while (zeros < d - 1 && fabs(x[zeros]) < 1e-2)
                zeros++;
            for (int32_t i = zeros; i < d; i++)
                assert_true(fabs(x[i] / x[d - 1] - 1) < 1e-2);
            met[zeros]++;
        }
        assert_true(met[0] > 0 && met[1] > 0);
        rbv_quadrics_destroy(&q);
    }
}

static void definite_forms_have_none(void **unused) {
    (void)unused;
    for (int32_t d = 1; d <= 6; d++) {
        double R[36], A[36] = {0}, *T = malloc((size_t)(d * d) * sizeof *T);
        RbvQuadrics q;
        assert_non_null(T);
        turn(d, R);
        for (int32_t k = 0; k < d; k++)
            A[k * d + k] = 1.5 + any();
        turned(d, A, R, T);
        assert_true(rbv_quadrics_create(&q, 1, d, T, 1e-9));
        for (int n = 0; n < 20; n++) {
            double w[6];
            for (int32_t k = 0; k < d; k++)
                w[k] = any();
            assert_false(rbv_quadrics_descend(&q, w));
        }
        rbv_quadrics_destroy(&q);
    }
}

/* What is spanned does not depend on how often it is said. */
static void repeated_forms_count_once(void **unused) {
    (void)unused;
    int32_t d = 4, p = 7;
    double *T = malloc((size_t)(p * d * d) * sizeof *T);
    RbvQuadrics q;
    assert_non_null(T);
    for (int32_t k = 0; k < 2 * d * d; k++)
        T[k] = any();
    for (int32_t j = 2; j < p; j++) {
        double a = any(), b = any();
        for (int32_t k = 0; k < d * d; k++)
            T[j * d * d + k] = a * T[k] + b * T[d * d + k];
    }
    for (int32_t a = 0; a < d; a++) /* and a form that is none: antisymmetric */
        for (int32_t b = 0; b < d; b++)
            T[6 * d * d + a * d + b] = a < b ? 1 : a > b ? -1 : 0;
    assert_true(rbv_quadrics_create(&q, p, d, T, 1e-9));
    assert_int_equal(q.p, 2);
    rbv_quadrics_destroy(&q);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(zeros_of_a_chain_are_found),
        cmocka_unit_test(definite_forms_have_none),
        cmocka_unit_test(repeated_forms_count_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
