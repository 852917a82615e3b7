/* Direction in which friction contacts begin to slip; see first_slip.h. */
#include "dynamics/contact/first_slip.h"

#include "core/linalg/small.h"

#include <math.h>

/* HALVINGS: most bisections for alpha. LEAST: least alpha, as part of the trace of F G, so that directions without
 * mobility have a solution. */
#define HALVINGS 200
#define LEAST 1e-15

/* w for an alpha; returns |w|. */
static double way_at(int n, const double *b, const double *G, double F, double alpha, double *w) {
    double A[12], sum = 0;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++)
            A[i * (n + 1) + j] = F * G[3 * i + j] + (i == j ? alpha : 0);
        A[i * (n + 1) + n] = b[i];
    }
    if (!rbv_small_solve(A, n, 0))
        return INFINITY;
    for (int i = 0; i < n; i++) {
        w[i] = A[i * (n + 1) + n];
        sum += w[i] * w[i];
    }
    return sqrt(sum);
}

bool rbv_first_slip(int n, const double *b, const double *G, double F, double *slip) {
    double size = 0, trace = 0, w[3] = {0};
    for (int i = 0; i < n; i++) {
        size += b[i] * b[i];
        trace += F * fabs(G[4 * i]);
    }
    double low = LEAST * trace, high = sqrt(size); /* |w| <= |b|/alpha */
    if (!(size > 0) || !isfinite(size))
        return false;
    bool slides = way_at(n, b, G, F, low, w) > 1;
    for (int k = 0; slides && k < HALVINGS; k++) {
        double middle = 0.5 * (low + high);
        if (middle <= low || middle >= high)
            break;
        *(way_at(n, b, G, F, middle, w) > 1 ? &low : &high) = middle;
    }
    size = way_at(n, b, G, F, slides ? high : low, w);
    for (int i = 0; i < n && size > 0 && isfinite(size); i++)
        slip[i] = w[i] / size;
    return slides;
}
