/* The problem of contact: random problems against the conditions themselves, which are evaluated here from A, b and p
 * alone; closed forms of a disc, of shared contacts and of contradictory limits. Matrices are A = J M^-1 J^T of random
 * directions J in fewer or more coordinates than unknowns, so that A is singular or regular. Tolerance 1e-10: weights
 * of 1e-9 are refined away, and sums of up to 40 terms are rounded. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "dynamics/contact/complementarity.h"

#include <math.h>
#include <string.h>

#define MOST 40
#define TOLERANCE 1e-10

static uint32_t seed = 11;

/* Between -1 and 1. */
static double number(void) {
    seed = seed * 1664525u + 1013904223u;
    return (double)(seed >> 8) / (double)(1u << 23) - 1;
}

typedef struct Problem {
    RbvComplementarity x;
    RbvCone cone[MOST];
    double A[MOST * MOST], b[MOST], p[MOST], w[MOST], work[MOST * (MOST + 9) + 1];
    int32_t normal[MOST]; /* number of the contact that presses disc k */
} Problem;

/* Adds a member; returns its number. */
static int32_t add(Problem *p, bool disc, int size, double radius) {
    p->cone[p->x.count] = (RbvCone){.first = p->x.size, .size = size, .disc = disc, .radius = radius};
    p->x.size += size;
    return p->x.count++;
}

/* A = J J^T for random J [size][rank], b = J v for a random v, so that p = 0 is no answer but one exists. */
static void fill(Problem *p, int rank) {
    double J[MOST][MOST], v[MOST];
    int32_t n = p->x.size;
    for (int k = 0; k < rank; k++)
        v[k] = number();
    for (int32_t i = 0; i < n; i++) {
        p->b[i] = p->p[i] = 0;
        for (int k = 0; k < rank; k++) {
            J[i][k] = number();
            p->b[i] += J[i][k] * v[k];
        }
    }
    for (int32_t i = 0; i < n; i++)
        for (int32_t j = 0; j < n; j++) {
            p->A[i * n + j] = 0;
            for (int k = 0; k < rank; k++)
                p->A[i * n + j] += J[i][k] * J[j][k];
        }
    p->x.cone = p->cone;
    p->x.A = p->A, p->x.b = p->b, p->x.p = p->p, p->x.w = p->w, p->x.work = p->work;
}

static double length(const double *a, int n) {
    double sum = 0;
    for (int c = 0; c < n; c++)
        sum += a[c] * a[c];
    return sqrt(sum);
}

static double load_of_contact(const void *context, int32_t k, const double *p, double *slope) {
    const Problem *problem = context;
    slope[problem->normal[k]] = 1;
    return p[problem->normal[k]];
}

/* The largest violation of the conditions of all members at p, over the largest number of p and the largest terms of w.
 */
static double violation(const Problem *p) {
    double w[MOST], most_p = 1e-3, most_w = 1e-3, worst = 0;
    int32_t n = p->x.size;
    for (int32_t i = 0; i < n; i++) {
        double terms = fabs(p->b[i]);
        w[i] = p->b[i];
        for (int32_t j = 0; j < n; j++) {
            w[i] += p->A[i * n + j] * p->p[j];
            terms += fabs(p->A[i * n + j] * p->p[j]);
        }
        most_p = fmax(most_p, fabs(p->p[i]));
        most_w = fmax(most_w, terms);
    }
    for (int32_t k = 0; k < p->x.count; k++) {
        const RbvCone *c = &p->cone[k];
        const double *P = p->p + c->first, *W = w + c->first;
        double along = 0;
        for (int i = 0; i < c->size; i++)
            along += P[i] * W[i];
        if (c->disc) { /* p.w is least: -r |w| */
            double r = c->radius * (p->x.load ? p->p[p->normal[k]] : 1);
            worst = fmax(worst,
                         fmax((length(P, c->size) - r) / most_p, (along + r * length(W, c->size)) / (most_p * most_w)));
        } else {
            worst = fmax(worst, (length(P + 1, c->size - 1) - P[0]) / most_p);
            worst = fmax(worst, (length(W + 1, c->size - 1) - W[0]) / most_w);
            worst = fmax(worst, fabs(along) / (most_p * most_w));
        }
    }
    return worst;
}

static void fulfils(Problem *p) {
    double unmet;
    assert_true(rbv_complementarity_solve(&p->x, &unmet));
    assert_true(unmet <= TOLERANCE);
    if (!(violation(p) <= TOLERANCE))
        fail_msg("a condition is missed by %.3g of %d unknowns", violation(p), p->x.size);
}

static void random_cones(void **unused) {
    (void)unused;
    for (int n = 0; n < 2000; n++) {
        Problem p = {.x = {0}};
        int count = 1 + n % 9;
        for (int k = 0; k < count; k++)
            add(&p, false, 1 + (n / 9 + k) % RBV_CONE_MOST, 0);
        fill(&p, 1 + n % (p.x.size + 4));
        fulfils(&p);
    }
}

/* Contacts alone, up to 20 of them. */
static void random_contacts(void **unused) {
    (void)unused;
    for (int n = 0; n < 5000; n++) {
        Problem p = {.x = {0}};
        for (int k = 0; k < 1 + n % 20; k++)
            add(&p, false, 1, 0);
        fill(&p, 1 + n % (p.x.size + 4));
        fulfils(&p);
    }
}

static void random_discs(void **unused) {
    (void)unused;
    for (int n = 0; n < 2000; n++) {
        Problem p = {.x = {0}};
        int count = 1 + n % 9;
        for (int k = 0; k < count; k++)
            add(&p, true, 1 + (n / 9 + k) % 3, n % 5 == 0 && k == 0 ? 0 : fabs(number()));
        fill(&p, 1 + n % (p.x.size + 4));
        fulfils(&p);
    }
}

/* Coulomb's law at contacts with a normal and one or two slip directions, coefficients up to 0.8. The law is not
 * convex: of 40 000 such problems Newton's method finds none of its ways in 8. What it finds fulfils the conditions. */
static void random_impacts_with_friction(void **unused) {
    (void)unused;
    int failed = 0;
    for (int n = 0; n < 2000; n++) {
        Problem p = {.x = {0}};
        int count = 1 + n % 9;
        for (int k = 0; k < count; k++) {
            int32_t contact = p.cone[add(&p, false, 1, 0)].first;
            p.normal[add(&p, true, 1 + n / 9 % 2, 0.4 * (1 + number()))] = contact;
        }
        fill(&p, 1 + n % (p.x.size + 4));
        p.x.load = load_of_contact;
        p.x.context = &p;
        double unmet;
        bool found = rbv_complementarity_solve(&p.x, &unmet);
        failed += !found;
        assert_true(!found || violation(&p) <= TOLERANCE);
    }
    assert_true(failed <= 2);
}

/* G = diag(g, h), b along x: sticks while |b|/g <= r, else slides along x; and with b oblique, the equation of the
 * beginning of slip, (r G + alpha) u = b with |u| = 1. */
static void one_disc(void **unused) {
    (void)unused;
    Problem p = {.x = {0}};
    add(&p, true, 2, 1);
    fill(&p, 2);
    memcpy(p.A, (double[]){2, 0, 0, 5}, 4 * sizeof(double));
    memcpy(p.b, (double[]){-1.5, 0}, 2 * sizeof(double));
    fulfils(&p);
    assert_true(p.cone[0].acts && fabs(p.p[0] - 0.75) < 1e-14 && p.p[1] == 0);
    memcpy(p.b, (double[]){-7, 0}, 2 * sizeof(double));
    memset(p.p, 0, sizeof p.p);
    fulfils(&p);
    assert_true(!p.cone[0].acts && fabs(p.p[0] - 1) < 1e-14 && fabs(p.w[0] + 5) < 1e-14);
    memcpy(p.b, (double[]){-3, 4}, 2 * sizeof(double));
    memset(p.p, 0, sizeof p.p);
    fulfils(&p);
    double u[2] = {-p.p[0], -p.p[1]}, alpha = p.w[0] / u[0];
    assert_true(alpha > 0 && fabs(length(u, 2) - 1) < 1e-14);
    assert_true(fabs((2 + alpha) * u[0] + 3) < 1e-13 && fabs((5 + alpha) * u[1] - 4) < 1e-13);
}

/* Three contacts below one body that only moves along their common normal carry the same part; with weights in
 * proportion to them. */
static void shared_contacts(void **unused) {
    (void)unused;
    double A[9], b[3] = {-6, -6, -6}, p[3], weight[3] = {1, 1, 0.5}, work[3 * 12 + 1 + 3];
    RbvCone cone[3];
    for (int k = 0; k < 9; k++)
        A[k] = 2;
    assert_true(rbv_complementarity_contacts(3, A, NULL, b, p, cone, work));
    for (int k = 0; k < 3; k++)
        assert_true(fabs(p[k] - 1) < 1e-6);
    assert_true(fabs(p[0] + p[1] + p[2] - 3) < 1e-14);
    assert_true(rbv_complementarity_contacts(3, A, weight, b, p, cone, work));
    assert_true(fabs(p[0] - 0.75) < 1e-6 && fabs(p[2] - 1.5) < 1e-6);
}

/* y <= 1 and y >= 4 in the norm y^2/2, with weights 1: multipliers in proportion to what is lacking, least in squares:
 * y = 2.5 and 1.5 at both. */
static void contradictory_limits(void **unused) {
    (void)unused;
    double A[4] = {1, -1, -1, 1}, b[2] = {1, -4}, p[2], work[2 * 11 + 1 + 2], weight[2] = {1, 1};
    RbvCone cone[2];
    assert_true(rbv_complementarity_contacts(2, A, weight, b, p, cone, work));
    assert_true(p[0] > 1e6 && fabs(p[1] / p[0] - 1) < 1e-6 && fabs(p[1] - p[0] - 2.5) < 1e-6);
}

/* A circle of radius 3 and a line at the distance 3 (1 - slack): the nearest point of the line to one at 1.5 along it.
 * It is in the circle, sqrt(9 - 9 (1 - slack)^2) from its middle, to 1e-9 of the radius however little the line enters;
 * where it does not, what is lacking is -slack. */
static void limits_that_can_just_be_met(void **unused) {
    (void)unused;
    for (int n = -16; n <= 16; n++) {
        double slack = n == 0 ? 0 : copysign(pow(10, 1 - fabs((double)n)), n), side = 3 * (1 - slack), unmet;
        RbvCone cone = {.size = 3};
        double A[9] = {0, 0, 0, 0, 1, 0, 0, 0, 0}, b[3] = {3, 1.5, side}, p[3] = {0}, c[3], weight[3] = {1, 1, 1},
               work[RBV_COMPLEMENTARITY_WORK(3)];
        RbvComplementarity problem = {
            .size = 3, .count = 1, .cone = &cone, .A = A, .b = b, .weight = weight, .p = p, .w = c, .work = work};
        assert_true(rbv_complementarity_solve(&problem, &unmet));
        double lacking = hypot(c[1], c[2]) - c[0], least = slack < 0 ? side - 3 : 0,
               along = sqrt(fmax(9 - side * side, 0));
        assert_true(lacking <= least + 3e-9 && (slack > 0.5 || lacking >= least - 3e-9));
        assert_true(slack < 1e-6 || fabs(c[1] - fmin(along, 1.5)) <= 1e-6);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_contacts),
        cmocka_unit_test(random_cones),
        cmocka_unit_test(random_discs),
        cmocka_unit_test(random_impacts_with_friction),
        cmocka_unit_test(one_disc),
        cmocka_unit_test(shared_contacts),
        cmocka_unit_test(contradictory_limits),
        cmocka_unit_test(limits_that_can_just_be_met),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
