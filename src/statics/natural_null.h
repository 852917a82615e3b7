/* The motions that the rows leave, in natural coordinates: [J; B] R = [0; 1] with B picking the independent coordinates, and dR/dz by accelerations (SPEC-000 A5, B7). At a placed state. */
#ifndef RBV_STATICS_NATURAL_NULL_H
#define RBV_STATICS_NATURAL_NULL_H

#include "statics/natural_rest.h"

typedef struct RbvRestNull {
    int32_t rank, f;      /* independent rows; freedoms = n - rank */
    int32_t *row, *column; /* [m] independent first; [n] dependent first */
    double *R;            /* [f][n] scaled; f vectors */
    double *dependent;    /* [rank][rank] factors of J's independent rows in dependent columns */
    int32_t *pivot;
    double *work;         /* [m][n] */
    double *x;            /* [n] */
} RbvRestNull;

/* False: no memory; to be destroyed all the same. */
bool rbv_rest_null_create(RbvRestNull *null, const RbvRest *rest);
void rbv_rest_null_destroy(RbvRestNull *null);
/* Choose rows and columns, R and the factors. False: singular. */
bool rbv_rest_null_find(RbvRestNull *null, RbvRest *rest);
/* Of J x = c for the independent rows c[rank] with independent coordinates that stay: x[n]. */
void rbv_rest_null_solve(RbvRestNull *null, const RbvRest *rest, const double *c, double *x);
/* Accelerations [n] of steady independent rates, at the rate y[n] = R z': J a = -y^T Phi_qq y, B a = 0. Leaves the rates in the state, which is to be placed again. */
void rbv_rest_accelerations(RbvRestNull *null, RbvRest *rest, const double *y, double *a);
/* d2q/dz_j dz_k [n] = dr_j/dz_k (R000-46, R000-47). */
void rbv_rest_second(RbvRestNull *null, RbvRest *rest, int32_t j, int32_t k, double *out);

#endif
