/* Udwadia's equation on plain arrays: published motions, and random systems against the saddle point system in long
 * double. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/machines.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static RbvUdwadia *solver(int32_t n, int32_t m) {
    RbvUdwadia *u = NULL;
    assert_int_equal(rbv_udwadia_create(n, m, &u), RBV_OK);
    return u;
}

static double *random_matrix(int32_t rows, int32_t columns, uint64_t *seed) {
    double *x = malloc(((size_t)rows * (size_t)columns + 1) * sizeof *x);
    for (int32_t k = 0; k < rows * columns; k++)
        x[k] = machine_random(seed);
    return x;
}

/* X[p][q] Y[q][r]. */
static double *product(int32_t p, int32_t q, int32_t r, const double *X, const double *Y) {
    double *Z = calloc((size_t)p * (size_t)r + 1, sizeof *Z);
    for (int32_t i = 0; i < p; i++)
        for (int32_t k = 0; k < q; k++)
            for (int32_t j = 0; j < r; j++)
                Z[i * r + j] += X[i * q + k] * Y[k * r + j];
    return Z;
}

static double *transposed(int32_t p, int32_t q, const double *X) {
    double *Y = malloc(((size_t)p * (size_t)q + 1) * sizeof *Y);
    for (int32_t i = 0; i < p; i++)
        for (int32_t j = 0; j < q; j++)
            Y[j * p + i] = X[i * q + j];
    return Y;
}

static double largest(int32_t count, const double *x) {
    double most = 0;
    for (int32_t k = 0; k < count; k++)
        most = fmax(most, fabs(x[k]));
    return most;
}

static void assert_same(int32_t count, const double *x, const double *y, double tolerance) {
    for (int32_t k = 0; k < count; k++)
        assert_near(x[k], y[k], tolerance);
}

/* --- published motions
 * ------------------------------------------------------------------------------------------------ */

/* y' of a motion, y = (q[3], v[3]). */
typedef void Rate(RbvUdwadia *u, double t, const double *y, double *f);

static void run(Rate *rate, RbvUdwadia *u, double from, double to, int steps, double *y) {
    double h = (to - from) / steps, k[4][6], x[6];
    for (int s = 0; s < steps; s++) {
        double t = from + s * h;
        for (int stage = 0; stage < 4; stage++) {
            double part = stage == 0 ? 0 : stage == 3 ? h : h / 2;
            for (int j = 0; j < 6; j++)
                x[j] = y[j] + (stage ? part * k[stage - 1][j] : 0);
            rate(u, t + part, x, k[stage]);
        }
        for (int j = 0; j < 6; j++)
            y[j] += h / 6 * (k[0][j] + 2 * k[1][j] + 2 * k[2][j] + k[3][j]);
    }
}

/* A particle of 1.7 kg on the plane x tan 30 deg + z = 0; friction 0.3 of the ideal force against the velocity. */
static void rough_incline_rate(RbvUdwadia *u, double t, const double *y, double *f) {
    (void)t;
    static const double M[9] = {1.7, 0, 0, 0, 1.7, 0, 0, 0, 1.7}, Q[3] = {0, 0, -1.7 * 9.81}, b[1] = {0};
    const double A[3] = {tan(acos(-1.0) / 6), 0, 1}, speed = sqrt(y[3] * y[3] + y[4] * y[4] + y[5] * y[5]);
    RbvUdwadiaProblem problem = rbv_udwadia_problem_default;
    problem.M = M, problem.Q = Q, problem.A = A, problem.b = b;
    assert_int_equal(rbv_udwadia_solve(u, &problem), RBV_OK);
    const RbvUdwadiaSolution *s = rbv_udwadia_solution(u);
    double N = sqrt(s->ideal[0] * s->ideal[0] + s->ideal[1] * s->ideal[1] + s->ideal[2] * s->ideal[2]);
    double C[3] = {-0.3 * N * y[3] / speed, -0.3 * N * y[4] / speed, -0.3 * N * y[5] / speed};
    assert_near(N, 14.442705658913082, 1e-12); /* m g cos 30 deg */
    problem.C = C;
    assert_int_equal(rbv_udwadia_solve(u, &problem), RBV_OK);
    assert_near(
        sqrt(s->nonideal[0] * s->nonideal[0] + s->nonideal[1] * s->nonideal[1] + s->nonideal[2] * s->nonideal[2]),
        4.332811697673925, 1e-12);
    memcpy(f, y + 3, 3 * sizeof *f);
    memcpy(f + 3, s->acceleration, 3 * sizeof *f);
}

/* Closed form: hodograph v = v0 tan(phi/2)^(mu cot 30 deg) / sin phi, phi the angle from the steepest descent, its
 * times and places by quadrature. */
static void sliding_on_a_rough_incline_follows_the_hodograph(void **unused) {
    (void)unused;
    static const double times[4] = {0.1, 0.3, 0.6, 1.0};
    static const double states[4][6] = {{0.02031589921495573, 0.18732424127848055, -0.011729389880583994,
                                         0.39695630219532074, 1.7478690444678524, -0.2291828279289868},
                                        {0.1665056386238248, 0.4908227479442904, -0.09613207528105579,
                                         1.0337560858222337, 1.3069891030752723, -0.5968393544258804},
                                        {0.58979167676378, 0.8129687496483979, -0.3405163833453691, 1.7621847880423667,
                                         0.8842210380808707, -1.0173978617381239},
                                        {1.4670900050575186, 1.1027582972624543, -0.8470248093453676, 2.615451589128046,
                                         0.5987750233590183, -1.5100316790355115}};
    RbvUdwadia *u = solver(3, 1);
    double y[6] = {0, 0, 0, 0, 2, 0}, t = 0;
    for (int k = 0; k < 4; k++) {
        run(rough_incline_rate, u, t, times[k], 200, y);
        t = times[k];
        assert_same(6, y, states[k], 1e-10); /* of Runge and Kutta's fourth order with these steps */
    }
    rbv_udwadia_destroy(u);
}

/* A particle of 2 kg pushed by F(t) along y' = z x', whose constraint force also does the work of C = -a0 |u| u. */
static double drag;
static void nonholonomic_rate(RbvUdwadia *u, double t, const double *y, double *f) {
    static const double M[9] = {2, 0, 0, 0, 2, 0, 0, 0, 2};
    const double Q[3] = {1 + 0.5 * sin(t), -0.4, 0.3 * cos(2 * t)}, A[3] = {-y[2], 1, 0}, b[1] = {y[5] * y[3]};
    const double speed = sqrt(y[3] * y[3] + y[4] * y[4] + y[5] * y[5]),
                 C[3] = {-drag * speed * y[3], -drag * speed * y[4], -drag * speed * y[5]};
    RbvUdwadiaProblem problem = rbv_udwadia_problem_default;
    problem.M = M, problem.Q = Q, problem.A = A, problem.b = b, problem.C = C, problem.root = RBV_ROOT_CHOLESKY;
    assert_int_equal(rbv_udwadia_solve(u, &problem), RBV_OK);
    memcpy(f, y + 3, 3 * sizeof *f);
    memcpy(f + 3, rbv_udwadia_solution(u)->acceleration, 3 * sizeof *f);
}

/* Reference: reduction to two speeds by hand, integrated to 1e-13. State and M v' - F at t = 5 s. */
static void a_nonholonomic_row_that_does_work_moves_as_its_two_speeds(void **unused) {
    (void)unused;
    static const double expected[2][9] = {
        {12.109896570194245, -0.6276678605515249, -0.43103481765963575, 3.3663208516939322, -1.4510014944937235,
         -0.24080158331670307, -0.5254756002093607, -1.2191024452792574, 0},
        {7.816492069792216, 1.102067164922838, -0.05575572116108124, 1.5954140721348384, -0.08895346214241659,
         -0.10978768853086801, -0.7654443447695918, 0.06334129106796688, 0.052752737629133406}};
    RbvUdwadia *u = solver(3, 1);
    for (int k = 0; k < 2; k++) {
        double y[6] = {0, 0, 0.5, 1, 0.5, -0.2}, f[6];
        drag = k == 0 ? 0 : 0.3;
        nonholonomic_rate(u, 0, y, f);
        if (k == 1)
            assert_same(3, f + 3, (const double[]){0.22963274962599187, -0.08518362518700416, 0.18407345007480164},
                        1e-14);
        run(nonholonomic_rate, u, 0, 5, 2000, y);
        assert_same(6, y, expected[k], 1e-9);
        nonholonomic_rate(u, 5, y, f);
        assert_same(3, rbv_udwadia_solution(u)->constraint_force, expected[k] + 6, 1e-9);
    }
    rbv_udwadia_destroy(u);
}

/* Udwadia and Phohomsiri 2006: two carts of 1 and 2 kg, springs of 50 and 80 N/m, the stretch of the second a
 * coordinate of its own without mass. Closed form: its two modes. */
static void a_coordinate_without_mass_moves_as_its_constraint_says(void **unused) {
    (void)unused;
    static const double M[9] = {1, 0, 0, 0, 0, 0, 0, 0, 2}, A[3] = {-1, -1, 1}, b[1] = {0};
    static const double states[3][6] = {{0.052069113301253, -0.05512735020115693, -0.0030582368999039246,
                                         -7.013643681155204, 9.21873768920148, 2.205094008046277},
                                        {0.09719662782653375, -0.15076533954555216, -0.05356871171901842,
                                         -16.921058554970863, 22.95167213679295, 6.030613581822087},
                                        {0.06489699132417323, -0.1554683088389629, -0.09057131751478967,
                                         -15.682314273325693, 21.90104662688421, 6.218732353558516}};
    RbvUdwadia *u = solver(3, 1);
    const RbvUdwadiaSolution *s = rbv_udwadia_solution(u);
    RbvUdwadiaProblem problem = rbv_udwadia_problem_default;
    problem.M = M, problem.A = A, problem.b = b;
    for (int k = 0; k < 3; k++) {
        double Q[3] = {-50 * states[k][0], -80 * states[k][1], 0};
        problem.Q = Q;
        assert_int_equal(rbv_udwadia_solve(u, &problem), RBV_OK);
        assert_same(3, s->acceleration, states[k] + 3, 1e-12);
        assert_false(s->regular);
        assert_true(isnan(s->free_acceleration[0]) && isnan(s->B[0]) && isnan(s->gauss));
    }
    double Q[3] = {-5, 12, 0};
    problem.Q = Q;
    assert_int_equal(rbv_udwadia_solve(u, &problem), RBV_OK);
    assert_near(s->multipliers[0], -12, 1e-13);
    rbv_udwadia_destroy(u);
}

/* --- random systems
 * --------------------------------------------------------------------------------------------------- */

/* A = X Y of rank r, consistent: b = A w; Y is what is independent of it. M = J^T J (rank n, or less), in units that
 * are far apart. */
typedef struct System {
    int32_t n, m, r;
    double *M, *Q, *A, *b, *C, *Y, *by;
} System;

static void drop(System *s) {
    double *all[] = {s->M, s->Q, s->A, s->b, s->C, s->Y, s->by};
    for (size_t k = 0; k < sizeof all / sizeof all[0]; k++)
        free(all[k]);
}

static System random_system(int32_t n, int32_t m, int32_t r, int32_t mass_rank, double decades, uint64_t *seed) {
    double *J = random_matrix(mass_rank, n, seed), *w = random_matrix(n, 1, seed), *X = random_matrix(m, r, seed),
           *unit = random_matrix(n, 1, seed);
    System s = {
        n,   m, r, NULL, random_matrix(n, 1, seed), NULL, NULL, random_matrix(n, 1, seed), random_matrix(r, n, seed),
        NULL};
    for (int32_t j = 0; j < n; j++) {
        unit[j] = pow(10, decades * unit[j]);
        for (int32_t i = 0; i < mass_rank; i++)
            J[i * n + j] *= unit[j];
        for (int32_t i = 0; i < r; i++)
            s.Y[i * n + j] *= unit[j];
        s.Q[j] *= unit[j];
        s.C[j] *= unit[j];
        w[j] /= unit[j];
    }
    double *Jt = transposed(mass_rank, n, J);
    s.M = product(n, mass_rank, n, Jt, J);
    for (int32_t j = 0; j < n && mass_rank == n; j++)
        s.M[j * n + j] += 0.1 * unit[j] * unit[j];
    for (int32_t i = 0; i < m; i++) {
        double scale = pow(10, decades * machine_random(seed));
        for (int32_t k = 0; k < r; k++)
            X[i * r + k] *= scale;
    }
    s.A = product(m, r, n, X, s.Y);
    s.by = product(r, n, 1, s.Y, w);
    s.b = product(m, r, 1, X, s.by);
    free(J), free(Jt), free(w), free(X), free(unit);
    return s;
}

static RbvUdwadiaProblem problem_of(const System *s) {
    RbvUdwadiaProblem p = rbv_udwadia_problem_default;
    p.M = s->M, p.Q = s->Q, p.A = s->A, p.b = s->b, p.C = s->C;
    return p;
}

/* [M Y^T; Y 0] (x, mu) = (force, right), by elimination with pivots of the whole matrix, in long double. False:
 * singular. */
static bool saddle_point(const System *s, const double *force, const double *right, double *x, double *mu) {
    int32_t N = s->n + s->r;
    long double *K = calloc((size_t)N * (size_t)(N + 1), sizeof *K);
    int32_t *order = malloc((size_t)N * sizeof *order);
    double *size = malloc((size_t)N * sizeof *size);
    for (int32_t j = 0; j < s->n; j++) /* weights, as units are far apart */
        size[j] = s->M[j * s->n + j] > 0 ? sqrt(s->M[j * s->n + j]) : 1;
    for (int32_t k = s->n; k < N; k++)
        size[k] = 1;
    for (int32_t i = 0; i < N; i++)
        for (int32_t j = 0; j <= N; j++) {
            const double *Y = s->Y;
            double entry = j == N                  ? (i < s->n ? (force ? force[i] : 0)
                                                      : right  ? right[i - s->n]
                                                               : 0)
                           : i < s->n && j < s->n  ? s->M[i * s->n + j]
                           : i >= s->n && j < s->n ? Y[(i - s->n) * s->n + j]
                           : i < s->n              ? Y[(j - s->n) * s->n + i]
                                                   : 0;
            K[i * (N + 1) + j] = (long double)entry / size[i] / (j < N ? size[j] : 1);
        }
    bool good = true;
    for (int32_t k = 0; k < N; k++)
        order[k] = k;
    for (int32_t k = 0; k < N && good; k++) {
        int32_t row = k, column = k;
        for (int32_t i = k; i < N; i++)
            for (int32_t j = k; j < N; j++)
                if (fabsl(K[i * (N + 1) + j]) > fabsl(K[row * (N + 1) + column]))
                    row = i, column = j;
        for (int32_t j = 0; j <= N; j++) {
            long double keep = K[row * (N + 1) + j];
            K[row * (N + 1) + j] = K[k * (N + 1) + j];
            K[k * (N + 1) + j] = keep;
        }
        for (int32_t i = 0; i < N; i++) {
            long double keep = K[i * (N + 1) + column];
            K[i * (N + 1) + column] = K[i * (N + 1) + k];
            K[i * (N + 1) + k] = keep;
        }
        int32_t keep = order[column];
        order[column] = order[k];
        order[k] = keep;
        good = fabsl(K[k * (N + 1) + k]) > 1e-13L;
        for (int32_t i = 0; i < N && good; i++) {
            long double part = i == k ? 0 : K[i * (N + 1) + k] / K[k * (N + 1) + k];
            for (int32_t j = k; j <= N; j++)
                K[i * (N + 1) + j] -= part * K[k * (N + 1) + j];
        }
    }
    for (int32_t k = 0; k < N && good; k++) {
        long double value = K[k * (N + 1) + N] / K[k * (N + 1) + k] / size[order[k]];
        *(order[k] < s->n ? x + order[k] : mu + order[k] - s->n) = (double)value;
    }
    free(K), free(order), free(size);
    return good;
}

/* Each coordinate in its own unit: of mass 1. */
static void assert_same_accelerations(const System *s, const double *got, const double *expected, double tolerance) {
    double most = 0;
    for (int32_t j = 0; j < s->n; j++)
        most = fmax(most, fabs(expected[j]) * sqrt(s->M[j * s->n + j]));
    for (int32_t j = 0; j < s->n; j++)
        assert_near(got[j] * sqrt(s->M[j * s->n + j]), expected[j] * sqrt(s->M[j * s->n + j]),
                    tolerance * fmax(most, 1));
}

static void assert_same_forces(const System *s, const double *got, const double *expected, double tolerance) {
    double most = 0;
    for (int32_t j = 0; j < s->n; j++)
        most = fmax(most, fabs(expected[j]) / sqrt(s->M[j * s->n + j]));
    for (int32_t j = 0; j < s->n; j++)
        assert_near(got[j] / sqrt(s->M[j * s->n + j]), expected[j] / sqrt(s->M[j * s->n + j]),
                    tolerance * fmax(most, 1));
}

/* v', Q_i, Q_ni by the saddle point system of independent equations. */
static void assert_moves_as_the_saddle_point(const System *s, const RbvUdwadiaSolution *u, double tolerance) {
    double *x = calloc((size_t)s->n, sizeof *x), *d = calloc((size_t)s->n, sizeof *d),
           *mu = calloc((size_t)s->r + 1, sizeof *mu), *rest = calloc((size_t)s->r + 1, sizeof *rest);
    assert_true(saddle_point(s, s->Q, s->by, x, mu));
    assert_true(saddle_point(s, s->m > 0 ? s->C : NULL, NULL, d, rest));
    double *Mx = product(s->n, s->n, 1, s->M, x), *Md = product(s->n, s->n, 1, s->M, d);
    assert_same_accelerations(s, u->ideal_acceleration, x, tolerance);
    for (int32_t j = 0; j < s->n; j++) {
        x[j] += d[j];
        Mx[j] = s->m > 0 ? Mx[j] - s->Q[j] : 0;
    }
    assert_same_accelerations(s, u->acceleration, x, tolerance);
    assert_same_forces(s, u->ideal, Mx, tolerance);
    assert_same_forces(s, u->nonideal, Md, tolerance);
    for (int32_t j = 0; j < s->n; j++)
        assert_near(u->constraint_force[j], u->ideal[j] + u->nonideal[j], 0);
    free(x), free(d), free(mu), free(rest), free(Mx), free(Md);
}

static void assert_checks_are_rounding(const RbvUdwadiaSolution *u, double tolerance) {
    const double figures[] = {u->equations_error,  u->orthogonality_error, u->ideal_work_error, u->work_error,
                              u->formula_error,    u->gauss_error,         u->penrose_error[0], u->penrose_error[1],
                              u->penrose_error[2], u->penrose_error[3]};
    for (size_t k = 0; k < sizeof figures / sizeof figures[0]; k++)
        assert_true(figures[k] <= tolerance);
}

/* S S^T = M; B S^T = A; the four identities of Penrose; the gain; e, a, c; all by products of their own. */
static void assert_formulas(const System *s, const RbvUdwadiaSolution *u, RbvMassRoot root) {
    int32_t n = s->n, m = s->m;
    double *St = transposed(n, n, u->root), *M = product(n, n, n, u->root, St), *A = product(m, n, n, u->B, St);
    double *BBp = product(m, n, m, u->B, u->B_plus), *BpB = product(n, m, n, u->B_plus, u->B),
           *B = product(m, m, n, BBp, u->B), *Bp = product(n, n, m, BpB, u->B_plus);
    double *gain = product(n, n, m, u->root, u->B_plus), *Ma = product(n, n, 1, s->M, u->free_acceleration),
           *Mc = product(n, n, 1, s->M, u->c);
    double *Aa = product(m, n, 1, s->A, u->free_acceleration), *Qi = product(n, m, 1, u->gain, u->error_signal);
    assert_same(n * n, M, s->M, 1e-13 * largest(n * n, s->M));
    assert_same(m * n, A, s->A, 1e-13 * largest(m * n, s->A));
    assert_same(m * n, B, u->B, 1e-11 * largest(m * n, u->B));
    assert_same(n * m, Bp, u->B_plus, 1e-11 * largest(n * m, u->B_plus));
    assert_same(n * m, gain, u->gain, 1e-13 * largest(n * m, u->gain));
    assert_same(n, Ma, s->Q, 1e-12);
    assert_same(n, Mc, s->C, 1e-12);
    assert_same(n, Qi, u->ideal, 1e-10 * fmax(1, largest(n, Qi)));
    for (int32_t i = 0; i < m; i++) {
        assert_near(u->error_signal[i], s->b[i] - Aa[i], 1e-13 * (1 + fabs(s->b[i]) + fabs(Aa[i])));
        for (int32_t j = 0; j < m; j++)
            assert_near(BBp[i * m + j], BBp[j * m + i], 1e-11);
    }
    for (int32_t i = 0; i < n; i++)
        for (int32_t j = 0; j < n; j++) {
            assert_near(BpB[i * n + j], BpB[j * n + i], 1e-11);
            if (root == RBV_ROOT_CHOLESKY && j > i)
                assert_near(u->root[i * n + j], 0, 0);
            if (root == RBV_ROOT_SYMMETRIC)
                assert_near(u->root[i * n + j], u->root[j * n + i], 1e-14 * largest(n * n, u->root));
        }
    double *all[] = {St, M, A, BBp, BpB, B, Bp, gain, Ma, Mc, Aa, Qi};
    for (size_t k = 0; k < sizeof all / sizeof all[0]; k++)
        free(all[k]);
}

/* Rows span null(A) and are orthonormal in M; A^T lambda = -Q_i with lambda in the range of A; Gauss' function by its
 * definition. */
static void assert_basis_and_multipliers(const System *s, const RbvUdwadiaSolution *u) {
    int32_t n = s->n, m = s->m, f = n - s->r;
    double *Pt = transposed(f, n, u->virtual_basis), *AP = product(m, n, f, s->A, Pt),
           *PM = product(f, n, n, u->virtual_basis, s->M), *PMP = product(f, n, f, PM, Pt);
    double *At = transposed(m, n, s->A), *force = product(n, m, 1, At, u->multipliers);
    assert_int_equal(u->freedoms, f);
    for (int32_t i = 0; i < m; i++)
        for (int32_t k = 0; k < f; k++) {
            double terms = 0;
            for (int32_t j = 0; j < n; j++)
                terms += fabs(s->A[i * n + j] * Pt[j * f + k]);
            assert_near(AP[i * f + k], 0, 1e-11 * terms);
        }
    for (int32_t i = 0; i < f; i++)
        for (int32_t k = 0; k < f; k++)
            assert_near(PMP[i * f + k], i == k, 1e-11);
    for (int32_t j = 0; j < n; j++)
        force[j] = -force[j];
    assert_same_forces(s, force, u->ideal, 1e-10);
    if (u->regular) {
        double *Bpl = product(n, m, 1, u->B_plus, u->multipliers), *range = product(m, n, 1, u->B, Bpl),
               *d = calloc((size_t)n, sizeof *d);
        assert_same(m, range, u->multipliers, 1e-10 * fmax(1, largest(m, u->multipliers)));
        for (int32_t j = 0; j < n; j++)
            d[j] = u->ideal_acceleration[j] - u->free_acceleration[j];
        double *Md = product(n, n, 1, s->M, d), *gauss = product(1, n, 1, d, Md);
        assert_near(u->gauss, *gauss, 1e-12 * (1 + *gauss));
        free(Bpl), free(range), free(d), free(Md), free(gauss);
    }
    free(Pt), free(AP), free(PM), free(PMP), free(At), free(force);
}

static const struct {
    int32_t n, m, r;
} shapes[] = {{1, 0, 0}, {1, 1, 1},  {3, 1, 1}, {4, 9, 3},  {6, 4, 4},   {8, 6, 4},
              {5, 5, 5}, {5, 12, 5}, {7, 3, 0}, {12, 8, 5}, {20, 30, 13}};
#define SHAPES (sizeof shapes / sizeof shapes[0])

static void random_systems_move_as_the_saddle_point_says_by_either_root(void **unused) {
    (void)unused;
    uint64_t seed = 7;
    for (size_t k = 0; k < 20 * SHAPES; k++) {
        System s = random_system(shapes[k % SHAPES].n, shapes[k % SHAPES].m, shapes[k % SHAPES].r, shapes[k % SHAPES].n,
                                 0, &seed);
        RbvUdwadia *u = solver(s.n, s.m);
        const RbvUdwadiaSolution *solution = rbv_udwadia_solution(u);
        for (int root = RBV_ROOT_SYMMETRIC; root <= RBV_ROOT_CHOLESKY; root++) {
            RbvUdwadiaProblem p = problem_of(&s);
            p.root = (RbvMassRoot)root;
            assert_int_equal(rbv_udwadia_solve(u, &p), RBV_OK);
            assert_int_equal(solution->rank, s.r);
            assert_true(solution->regular);
            assert_true(solution->inconsistency < 1e-11);
            assert_moves_as_the_saddle_point(&s, solution, 1e-10);
            assert_checks_are_rounding(solution, 1e-11);
            assert_formulas(&s, solution, p.root);
            assert_basis_and_multipliers(&s, solution);
        }
        rbv_udwadia_destroy(u);
        drop(&s);
    }
}

/* Units of coordinates and of equations up to six decades apart, either way. */
static void neither_rank_nor_motion_depends_on_units(void **unused) {
    (void)unused;
    uint64_t seed = 11;
    for (size_t k = 0; k < 20 * SHAPES; k++) {
        System s = random_system(shapes[k % SHAPES].n, shapes[k % SHAPES].m, shapes[k % SHAPES].r, shapes[k % SHAPES].n,
                                 3, &seed);
        RbvUdwadia *u = solver(s.n, s.m);
        RbvUdwadiaProblem p = problem_of(&s);
        assert_int_equal(rbv_udwadia_solve(u, &p), RBV_OK);
        assert_int_equal(rbv_udwadia_solution(u)->rank, s.r);
        assert_moves_as_the_saddle_point(&s, rbv_udwadia_solution(u), 1e-9);
        assert_checks_are_rounding(rbv_udwadia_solution(u), 1e-9);
        rbv_udwadia_destroy(u);
        drop(&s);
    }
}

/* M = J^T J of any rank: where the saddle point system is regular the motion is its solution; where it is not, that is
 * said. */
static void singular_masses_move_where_virtual_displacements_move_mass(void **unused) {
    (void)unused;
    uint64_t seed = 13;
    int moved = 0, refused = 0;
    for (int k = 0; k < 300; k++) {
        int32_t n = 2 + k % 7, r = k / 7 % n, mass_rank = 1 + k / 3 % (n - 1);
        System s = random_system(n, r + k % 2, r, mass_rank, 0, &seed);
        RbvUdwadia *u = solver(s.n, s.m);
        RbvUdwadiaProblem p = problem_of(&s);
        RbvStatus status = rbv_udwadia_solve(u, &p);
        if (r + mass_rank < n) { /* some v has neither A v nor M v */
            assert_int_equal(status, RBV_LOCKED);
            refused++;
        } else {
            assert_int_equal(status, RBV_OK);
            const RbvUdwadiaSolution *solution = rbv_udwadia_solution(u);
            assert_false(solution->regular);
            assert_moves_as_the_saddle_point(&s, solution, 1e-8); /* of random systems some are nearly singular */
            assert_true(solution->equations_error < 1e-12 && solution->work_error < 1e-11 &&
                        solution->ideal_work_error < 1e-11 && solution->orthogonality_error < 1e-11);
            assert_true(isnan(solution->formula_error) && isnan(solution->gain[0]));
            moved++;
        }
        rbv_udwadia_destroy(u);
        drop(&s);
    }
    assert_true(moved > 50 && refused > 50);
}

/* b off the range of A by a known part: the residual is that part, the solution that of the rest. */
static void contradictions_are_said_with_their_residual(void **unused) {
    (void)unused;
    uint64_t seed = 17;
    for (size_t k = 0; k < 20 * SHAPES; k++) {
        System s = random_system(shapes[k % SHAPES].n, shapes[k % SHAPES].m, shapes[k % SHAPES].r, shapes[k % SHAPES].n,
                                 0, &seed);
        RbvUdwadia *u = solver(s.n, s.m);
        const RbvUdwadiaSolution *solution = rbv_udwadia_solution(u);
        RbvUdwadiaProblem p = problem_of(&s);
        assert_int_equal(rbv_udwadia_solve(u, &p), RBV_OK);
        double *off = random_matrix(s.m, 1, &seed), *y = product(s.n, s.m, 1, solution->B_plus, off),
               *range = product(s.m, s.n, 1, solution->B, y), *b = calloc((size_t)s.m + 1, sizeof *b);
        double size = pow(10, 4 * machine_random(&seed) - 2);
        for (int32_t i = 0; i < s.m; i++) {
            off[i] = s.m > s.r ? size * (off[i] - range[i]) : 0;
            b[i] = s.b[i] + off[i];
        }
        p.b = b;
        assert_int_equal(rbv_udwadia_solve(u, &p), s.m > s.r ? RBV_INCONSISTENT : RBV_OK);
        assert_same(s.m, solution->residual, off, 1e-11 * (1 + size));
        if (s.m > s.r)
            assert_true(solution->inconsistency > 1e-9);
        assert_moves_as_the_saddle_point(&s, solution, 1e-9);
        assert_checks_are_rounding(solution, 1e-10);
        p.noise = 2 * largest(s.m, off) * 10; /* b is known no better than that */
        assert_int_equal(rbv_udwadia_solve(u, &p), RBV_OK);
        free(off), free(y), free(range), free(b);
        rbv_udwadia_destroy(u);
        drop(&s);
    }
}

/* A row that rounding alone has filled is no equation; b = 0 and no forces leave nothing to contradict. */
static void rows_of_rounding_and_systems_at_rest_are_met(void **unused) {
    (void)unused;
    static const double M[4] = {1, 0, 0, 3}, Q[2] = {1, 0}, none[2] = {0, 0}, A[6] = {1, 1, 1e-17, -2e-17, 2, 2},
                        b[3] = {2, 0, 4}, zero[3] = {0, 0, 0};
    RbvUdwadia *u = solver(2, 3);
    RbvUdwadiaProblem p = {.M = M, .Q = Q, .A = A, .b = b};
    assert_int_equal(rbv_udwadia_solve(u, &p), RBV_OK);
    assert_int_equal(rbv_udwadia_solution(u)->rank, 1);
    /* least (v0 - 1)^2 + 3 v1^2 with v0 + v1 = 2 */
    assert_same(2, rbv_udwadia_solution(u)->acceleration, (const double[]){1.75, 0.25}, 1e-15);
    p.Q = none, p.b = zero;
    assert_int_equal(rbv_udwadia_solve(u, &p), RBV_OK);
    assert_same(2, rbv_udwadia_solution(u)->acceleration, none, 0);
    rbv_udwadia_destroy(u);
}

static void wrong_problems_are_refused(void **unused) {
    (void)unused;
    const double M[4] = {1, 0.5, 0.5, 1}, skew[4] = {1, 0.5, 0.4, 1}, saddle[4] = {1, 2, 2, 1},
                 negative[4] = {1, 0, 0, -1}, coupled[4] = {1, 0.5, 0.5, 0};
    const double hole[4] = {1, NAN, NAN, 1}, Q[2] = {1, 2}, A[2] = {1, 1}, b[1] = {0}, endless[1] = {INFINITY};
    const double *const bad[] = {skew, saddle, negative, coupled};
    RbvUdwadia *u = solver(2, 1), *other = u;
    RbvUdwadiaProblem p = {.M = M, .Q = Q, .A = A, .b = b}, without = p;
    assert_int_equal(rbv_udwadia_solve(u, &p), RBV_OK);
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
        p.M = bad[k];
        assert_int_equal(rbv_udwadia_solve(u, &p), RBV_BAD_INPUT);
    }
    p.M = hole;
    assert_int_equal(rbv_udwadia_solve(u, &p), RBV_NOT_FINITE);
    p.M = M, p.b = endless;
    assert_int_equal(rbv_udwadia_solve(u, &p), RBV_NOT_FINITE);
    without.A = NULL;
    assert_int_equal(rbv_udwadia_solve(u, &without), RBV_BAD_ARGUMENT);
    assert_int_equal(rbv_udwadia_solve(NULL, &p), RBV_BAD_ARGUMENT);
    assert_int_equal(rbv_udwadia_solve(u, NULL), RBV_BAD_ARGUMENT);
    assert_int_equal(rbv_udwadia_create(0, 1, &other), RBV_BAD_ARGUMENT);
    assert_null(other);
    assert_int_equal(rbv_udwadia_create(1, -1, &other), RBV_BAD_ARGUMENT);
    assert_int_equal(rbv_udwadia_create(1, 1, NULL), RBV_BAD_ARGUMENT);
    assert_int_equal(rbv_udwadia_create(1, INT32_MAX, &other), RBV_NO_MEMORY);
    assert_null(rbv_udwadia_solution(NULL));
    rbv_udwadia_destroy(NULL);
    rbv_udwadia_destroy(u);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sliding_on_a_rough_incline_follows_the_hodograph),
        cmocka_unit_test(a_nonholonomic_row_that_does_work_moves_as_its_two_speeds),
        cmocka_unit_test(a_coordinate_without_mass_moves_as_its_constraint_says),
        cmocka_unit_test(random_systems_move_as_the_saddle_point_says_by_either_root),
        cmocka_unit_test(neither_rank_nor_motion_depends_on_units),
        cmocka_unit_test(singular_masses_move_where_virtual_displacements_move_mass),
        cmocka_unit_test(contradictions_are_said_with_their_residual),
        cmocka_unit_test(rows_of_rounding_and_systems_at_rest_are_met),
        cmocka_unit_test(wrong_problems_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
