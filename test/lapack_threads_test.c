/* Dense algebra on several threads at once: the serial OpenBLAS shares buffers, and lapack.c lets one call in at a
 * time. */
#define _POSIX_C_SOURCE 200809L /* fork */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/solve/lapack.h"

#include <math.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <threads.h>
#include <unistd.h>

#define N 40
#define THREADS 4
#define CALLS 5000
#define FORKS 100

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

/* Children of a process whose other thread computes do not wait for a lock that nobody opens. */
static void a_child_may_compute(void **unused) {
    (void)unused;
    thrd_t thread;
    Work work = {0, 0};
    const double one = 1;
    double product = 0;
    assert_int_equal(thrd_create(&thread, multiply, &work), thrd_success);
    for (int k = 0; k < FORKS; k++) {
        int status = 0;
        pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0) {
            alarm(30); /* ends a child that waits for ever */
            rbv_lapack_product(false, 1, 1, 1, &one, 1, &one, 1, &product, 1);
            _exit(product == 1 ? 0 : 1);
        }
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    }
    thrd_join(thread, NULL);
    assert_int_equal(work.wrong, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(threads_do_not_meet_in_openblas),
                                       cmocka_unit_test(a_child_may_compute)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
