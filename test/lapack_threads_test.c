/* Dense algebra on several threads at once: the serial OpenBLAS shares buffers, and lapack.c lets one call in at a
 * time. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/solve/lapack.h"

#include <math.h>
#include <stdlib.h>
#include <threads.h>

#define N 40
#define THREADS 4
#define CALLS 5000

typedef struct Work {
    int number, wrong;
} Work;

/* The same product again and again, beside a product by the definition: rounding of sums of N terms of size 1. */
static int multiply(void *context) {
    Work *work = context;
    double *A = malloc(4 * N * N * sizeof *A), *B = A + N * N, *C = B + N * N, *expected = C + N * N;
    for (int k = 0; A && k < N * N; k++) {
        A[k] = sin(1.3 * k + work->number);
        B[k] = cos(0.7 * k * (work->number + 1));
        expected[k] = 0;
    }
    for (int k = 0; A && k < N * N * N; k++)
        expected[k / (N * N) * N + k % N] += A[k / (N * N) * N + k / N % N] * B[k / N % N * N + k % N];
    for (int call = 0; A && call < CALLS; call++) {
        bool right = true;
        rbv_lapack_product(false, N, N, N, A, N, B, N, C, N);
        for (int k = 0; k < N * N; k++)
            right = right && fabs(C[k] - expected[k]) < 1e-12;
        work->wrong += !right;
    }
    work->wrong += !A;
    free(A);
    return 0;
}

static void threads_do_not_meet_in_openblas(void **unused) {
    (void)unused;
    thrd_t threads[THREADS];
    Work work[THREADS];
    for (int k = 0; k < THREADS; k++) {
        work[k] = (Work){k, 0};
        assert_int_equal(thrd_create(&threads[k], multiply, &work[k]), thrd_success);
    }
    for (int k = 0; k < THREADS; k++) {
        thrd_join(threads[k], NULL);
        assert_int_equal(work[k].wrong, 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(threads_do_not_meet_in_openblas)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
