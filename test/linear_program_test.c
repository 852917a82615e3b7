/* Linear programs against all corners: two or three unknowns in a box, with random half planes. Tolerance 1e-9: the
 * corners are well conditioned, rounding is 1e-14 over their distance from parallel. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/linalg/small.h"
#include "core/solve/programs.h"

#include <math.h>

#define MOST 14

static uint32_t seed = 7;

static double number(void) {
    seed = seed * 1664525u + 1013904223u;
    return (double)(seed >> 8) / (double)(1u << 23) - 1;
}

/* Do all rows hold at x? */
static bool inside(const RbvProgram *p, const double *x) {
    for (int32_t i = 0; i < p->rows; i++) {
        double sum = -p->b[i];
        for (int32_t j = 0; j < p->n; j++)
            sum += p->A[i * p->n + j] * x[j];
        if (sum > 1e-9)
            return false;
    }
    return true;
}

static double objective(const RbvProgram *p, const double *x) {
    double sum = 0;
    for (int32_t j = 0; j < p->n; j++)
        sum += p->c[j] * x[j];
    return sum;
}

/* The corner of the rows in `pick`, if there is one. */
static bool corner(const RbvProgram *p, const int32_t *pick, double *x) {
    double A[12];
    for (int32_t k = 0; k < p->n; k++) {
        for (int32_t j = 0; j < p->n; j++)
            A[k * (p->n + 1) + j] = p->A[pick[k] * p->n + j];
        A[k * (p->n + 1) + p->n] = p->b[pick[k]];
    }
    if (!rbv_small_solve(A, p->n, 1e-6))
        return false;
    for (int32_t k = 0; k < p->n; k++)
        x[k] = A[k * (p->n + 1) + p->n];
    return inside(p, x);
}

/* The largest objective of all corners; -INFINITY: there is none. */
static double best_corner(const RbvProgram *p) {
    double best = -INFINITY, x[3];
    int32_t pick[3];
    for (pick[0] = 0; pick[0] < p->rows; pick[0]++)
        for (pick[1] = pick[0] + 1; pick[1] < p->rows; pick[1]++)
            for (pick[2] = pick[1] + 1; pick[2] < (p->n == 3 ? p->rows : pick[1] + 2); pick[2]++)
                if (corner(p, pick, x))
                    best = fmax(best, objective(p, x));
    return best;
}

static void random_programs_end_in_their_best_corner(void **unused) {
    (void)unused;
    int feasible = 0, not_feasible = 0;
    for (int round = 0; round < 2000; round++) {
        RbvProgram p;
        assert_true(rbv_program_create(&p, 2 + round % 2, MOST));
        for (int32_t j = 0; j < p.n; j++) {
            p.c[j] = number();
            for (int side = -1; side <= 1; side += 2)
                rbv_program_row(&p, 3 + number())[j] = side;
        }
        while (p.rows < MOST - 2) {
            double *row = rbv_program_row(&p, number());
            for (int32_t j = 0; j < p.n; j++)
                row[j] = number();
        }
        double want = best_corner(&p);
        RbvProgramEnd end = rbv_program_solve(&p);
        assert_int_equal(end, isfinite(want) ? RBV_PROGRAM_OPTIMAL : RBV_PROGRAM_INFEASIBLE);
        feasible += end == RBV_PROGRAM_OPTIMAL;
        not_feasible += end == RBV_PROGRAM_INFEASIBLE;
        if (end == RBV_PROGRAM_OPTIMAL) {
            assert_true(inside(&p, p.x));
            assert_true(fabs(objective(&p, p.x) - want) <= 1e-9);
        }
        rbv_program_destroy(&p);
    }
    assert_true(feasible > 100 && not_feasible > 100);
}

static void a_cone_that_is_open_has_a_ray(void **unused) {
    (void)unused;
    RbvProgram p;
    assert_true(rbv_program_create(&p, 2, 3));
    double *row = rbv_program_row(&p, 1); /* y <= 1 + x, y >= -1 - x, x >= 2 */
    row[0] = -1, row[1] = 1;
    row = rbv_program_row(&p, 1);
    row[0] = -1, row[1] = -1;
    rbv_program_row(&p, -2)[0] = -1;
    p.c[0] = 1;
    assert_int_equal(rbv_program_solve(&p), RBV_PROGRAM_UNBOUNDED);
    double far[2] = {p.x[0] + 1e3 * p.ray[0], p.x[1] + 1e3 * p.ray[1]};
    assert_true(inside(&p, p.x) && inside(&p, far) && p.ray[0] > 0);
    p.c[0] = -1;
    assert_int_equal(rbv_program_solve(&p), RBV_PROGRAM_OPTIMAL);
    assert_true(fabs(p.x[0] - 2) < 1e-12);
    rbv_program_destroy(&p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_programs_end_in_their_best_corner),
        cmocka_unit_test(a_cone_that_is_open_has_a_ray),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
