/* Programs over cones against closed forms and against the simplex method. Tolerance 1e-9: the weight ends at 1e13, and
 * rounding near limits is some 1e-11. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/solve/programs.h"

#include <math.h>
#include <string.h>

#define N 3
#define TRIES 200

static uint32_t seed = 5;

static double number(void) {
    seed = seed * 1664525u + 1013904223u;
    return (double)(seed >> 8) / (double)(1u << 23) - 1;
}

static double dot(const double *a, const double *b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void near(double got, double want) {
    if (!(fabs(got - want) <= 1e-9 * fmax(1, fabs(want))))
        fail_msg("%.17g, expected %.17g", got, want);
}

/* |x - a| <= r as a cone. */
static void place_ball(RbvConeProgram *p, const double *a, double r) {
    p->radius = 1e4;
    p->limit[0] = r;
    for (int k = 0; k < N; k++) {
        p->force[k * (N + 1)] = -a[k];
        p->force[k * (N + 1) + 1 + k] = 1;
        p->c[k] = number();
    }
}

/* The farthest point of a ball is a + r c/|c|. */
static void the_farthest_point_of_a_ball(void **unused) {
    (void)unused;
    for (int n = 0; n < TRIES; n++) {
        RbvConeProgram p;
        double a[N] = {number(), number(), number()}, r = 0.1 + fabs(number()), x[N];
        assert_true(rbv_cone_program_create(&p, N, 1, 0));
        place_ball(&p, a, r);
        memcpy(x, a, sizeof x);
        near(rbv_cone_program_lack(&p, x), -r);
        assert_true(rbv_cone_program_solve(&p, x, INFINITY));
        near(dot(p.c, x), dot(p.c, a) + r * sqrt(dot(p.c, p.c)));
        rbv_cone_program_destroy(&p);
    }
}

/* Cut by h.x <= h.a + b |h|, b < r, the farthest point lies on the circle; and with e = h from a on the circle through
 * the middle. */
static void a_ball_that_is_cut(void **unused) {
    (void)unused;
    for (int n = 0; n < TRIES; n++) {
        RbvConeProgram p;
        double a[N] = {number(), number(), number()}, h[N] = {number(), number(), number()}, r = 0.1 + fabs(number()),
               b = r * (0.05 + 0.9 * fabs(number())), x[N], along, across;
        bool kept = n % 2;
        assert_true(rbv_cone_program_create(&p, N, 1, kept ? 0 : 1));
        place_ball(&p, a, r);
        for (int k = 0; k < N && !kept; k++)
            p.A[k] = h[k];
        p.b[0] = dot(h, a) + b * sqrt(dot(h, h));
        p.e = kept ? h : NULL;
        b = kept ? 0 : b;
        memcpy(x, a, sizeof x);
        assert_true(rbv_cone_program_solve(&p, x, INFINITY));
        along = dot(p.c, h) / sqrt(dot(h, h));
        across = sqrt(fmax(0, dot(p.c, p.c) - along * along));
        bool free = !kept && r * along / hypot(along, across) < b;
        near(dot(p.c, x), dot(p.c, a) + (free ? r * hypot(along, across) : b * along + sqrt(r * r - b * b) * across));
        rbv_cone_program_destroy(&p);
    }
}

/* Half planes alone, round the origin. */
static void polyhedra(void **unused) {
    (void)unused;
    for (int n = 0; n < TRIES; n++) {
        RbvConeProgram p;
        RbvProgram q;
        double x[N] = {0, 0, 0};
        const int32_t rows = 12;
        assert_true(rbv_cone_program_create(&p, N, 0, rows));
        assert_true(rbv_program_create(&q, N, rows));
        p.radius = 1e4;
        for (int32_t i = 0; i < rows; i++) {
            double *row = rbv_program_row(&q, 0.2 + fabs(number()));
            for (int k = 0; k < N; k++)
                row[k] = p.A[i * N + k] = i < 6 ? (i % 3 == k ? (i < 3 ? 1 : -1) : 0) : number();
            p.b[i] = q.b[i];
        }
        for (int k = 0; k < N; k++)
            p.c[k] = q.c[k] = number();
        assert_int_equal(rbv_program_solve(&q), RBV_PROGRAM_OPTIMAL);
        assert_true(rbv_cone_program_solve(&p, x, INFINITY));
        near(dot(p.c, x), dot(q.c, q.x));
        rbv_cone_program_destroy(&p);
        rbv_program_destroy(&q);
    }
}

/* It ends where it has enough, and begins nowhere but within the limits. */
static void ends_and_beginnings(void **unused) {
    (void)unused;
    RbvConeProgram p;
    double a[N] = {0, 0, 0}, x[N] = {0, 0, 0};
    assert_true(rbv_cone_program_create(&p, N, 1, 0));
    place_ball(&p, a, 1);
    double most = sqrt(dot(p.c, p.c));
    assert_true(rbv_cone_program_solve(&p, x, 0.1 * most));
    assert_true(dot(p.c, x) > 0.1 * most && dot(p.c, x) < 0.99 * most);
    x[0] = 2;
    near(rbv_cone_program_lack(&p, x), sqrt(dot(x, x)) - 1);
    assert_false(rbv_cone_program_solve(&p, x, INFINITY));
    rbv_cone_program_destroy(&p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_farthest_point_of_a_ball),
        cmocka_unit_test(a_ball_that_is_cut),
        cmocka_unit_test(polyhedra),
        cmocka_unit_test(ends_and_beginnings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
