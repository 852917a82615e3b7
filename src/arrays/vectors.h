/* Products of 3-vectors in arrays, and the rates of an axis fixed in a body. For linkages. */
#ifndef RBV_ARRAYS_VECTORS_H
#define RBV_ARRAYS_VECTORS_H

#include "arrays/linkage.h"

static inline double dot(const double *a, const double *b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline void cross(const double *a, const double *b, double *o) {
    o[0] = a[1] * b[2] - a[2] * b[1];
    o[1] = a[2] * b[0] - a[0] * b[2];
    o[2] = a[0] * b[1] - a[1] * b[0];
}

/* Rates of an axis u fixed in a moving body: u' = w x u and u'' = w' x u + w x u'. */
static inline void axis_rates(const RbvLinkageMotion *m, const double *u, double *du, double *ddu) {
    double t[3];
    cross(m->w, u, du);
    cross(m->w, du, t);
    cross(m->dw, u, ddu);
    for (int e = 0; e < 3; e++)
        ddu[e] += t[e];
}

#endif
