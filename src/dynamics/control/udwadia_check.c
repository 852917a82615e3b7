/* Checks of Udwadia's equation: each a sum that should vanish, relative to its terms; see udwadia.h. */
#include "dynamics/control/udwadia_parts.h"

#include <math.h>

static double share(double error, double terms) {
    return terms > 0 ? fabs(error) / terms : fabs(error);
}

/* |Q_j| + |C_j| + |M| (|v'_i| + |v'|) at coordinate j: the terms of which a force is a difference. */
static double terms_of_force(const RbvUdwadia *u, int32_t j) {
    const RbvUdwadiaProblem *p = u->problem;
    double sum = fabs(p->Q[j]) + (p->C ? fabs(p->C[j]) : 0);
    for (int32_t i = 0; i < u->n; i++)
        sum += fabs(p->M[rbv_udwadia_at(j, u->n) + (size_t)i]) *
               (fabs(u->solution.ideal_acceleration[i]) + fabs(u->solution.acceleration[i]));
    return sum;
}

static void check_equations(RbvUdwadia *u) {
    RbvUdwadiaSolution *s = &u->solution;
    const RbvUdwadiaProblem *p = u->problem;
    double most = 0, terms = 0;
    for (int32_t i = 0; i < u->m; i++) {
        double gap = p->b[i] - (s->inconsistency > 0 ? s->residual[i] : 0), size = fabs(p->b[i]);
        for (int32_t j = 0; j < u->n; j++) {
            double a = p->A[rbv_udwadia_at(i, u->n) + (size_t)j];
            gap -= a * s->acceleration[j];
            size += fabs(a * s->acceleration[j]) + fabs(a * s->ideal_acceleration[j]);
        }
        most = fmax(most, fabs(gap) / u->R[i]);
        terms = fmax(terms, size / u->R[i]);
    }
    s->equations_error = share(most, terms);
}

/* v^T Q_i and v^T (Q^c - C) for the basis; Q_i^T (M^-1 Q_ni) with M^-1 Q_ni = v' - v'_i. */
static void check_work(RbvUdwadia *u) {
    RbvUdwadiaSolution *s = &u->solution;
    const double *C = u->problem->C;
    int32_t n = u->n;
    double product = 0, product_terms = 0;
    s->ideal_work_error = s->work_error = 0;
    for (int32_t j = 0; j < n; j++) {
        u->z[j] = terms_of_force(u, j);
        double along = s->acceleration[j] - s->ideal_acceleration[j];
        product += s->ideal[j] * along;
        product_terms += u->z[j] * (fabs(s->acceleration[j]) + fabs(s->ideal_acceleration[j]));
    }
    s->orthogonality_error = share(product, product_terms);
    for (int32_t k = 0; u->m > 0 && k < s->freedoms; k++) {
        double ideal = 0, all = 0, terms = 0;
        for (int32_t j = 0; j < n; j++) {
            double v = s->virtual_basis[rbv_udwadia_at(k, n) + (size_t)j];
            ideal += v * s->ideal[j];
            all += v * (s->constraint_force[j] - (C ? C[j] : 0));
            terms += fabs(v) * u->z[j];
        }
        s->ideal_work_error = fmax(s->ideal_work_error, share(ideal, terms));
        s->work_error = fmax(s->work_error, share(all, terms));
    }
}

/* Checks X Y X = X for X[m][n], Y[n][m], and that X Y is symmetric: errors relative to |X| |Y| |X| and |X| |Y|, in the
 * Frobenius norm. */
static void check_inverse(RbvUdwadia *u, int32_t m, int32_t n, const double *X, const double *Y, double *product_error,
                          double *symmetry_error) {
    double *XY = u->square, off = 0, skew = 0, size = sqrt(rbv_udwadia_dot(m * n, X, X)),
           inverse_size = sqrt(rbv_udwadia_dot(m * n, Y, Y));
    for (int32_t i = 0; i < m; i++)
        rbv_udwadia_transposed_times(n, m, Y, X + rbv_udwadia_at(i, n), XY + rbv_udwadia_at(i, m));
    for (int32_t i = 0; i < m; i++) {
        rbv_udwadia_transposed_times(m, n, X, XY + rbv_udwadia_at(i, m), u->x);
        for (int32_t j = 0; j < n; j++)
            off = fmax(off, fabs(u->x[j] - X[rbv_udwadia_at(i, n) + (size_t)j]));
        for (int32_t j = 0; j < i; j++)
            skew = fmax(skew, fabs(XY[rbv_udwadia_at(i, m) + (size_t)j] - XY[rbv_udwadia_at(j, m) + (size_t)i]));
    }
    *product_error = share(off, size * inverse_size * size);
    *symmetry_error = share(skew, size * inverse_size);
}

static void check_formulas(RbvUdwadia *u) {
    RbvUdwadiaSolution *s = &u->solution;
    int32_t n = u->n, m = u->m;
    double most = 0, terms = 0;
    check_inverse(u, m, n, s->B, s->B_plus, &s->penrose_error[0], &s->penrose_error[2]);
    check_inverse(u, n, m, s->B_plus, s->B, &s->penrose_error[1], &s->penrose_error[3]);
    for (int32_t j = 0; j < n; j++) {
        most = fmax(most, fabs(u->by_formula[j] - s->constraint_force[j]) / u->D[j]);
        terms = fmax(terms, terms_of_force(u, j) / u->D[j]);
    }
    s->formula_error = share(most, terms);
    rbv_udwadia_times(n, m, s->B_plus, s->error_signal, u->x);
    double size = 0;
    for (int32_t j = 0; j < n; j++) /* |M| (|v'_i| + |a|)^2 */
        size += terms_of_force(u, j) * (fabs(s->ideal_acceleration[j]) + fabs(s->free_acceleration[j]));
    s->gauss_error = m > 0 ? share(s->gauss - rbv_udwadia_dot(n, u->x, u->x), size) : 0;
}

void rbv_udwadia_check(RbvUdwadia *u) {
    check_equations(u);
    check_work(u);
    if (u->solution.regular) {
        check_formulas(u);
        return;
    }
    u->solution.formula_error = u->solution.gauss_error = NAN;
    for (int k = 0; k < 4; k++)
        u->solution.penrose_error[k] = NAN;
}
