/* The laws of mechanics on a sample, by other formulas than those that it comes from:
 *
 *   closings do not open      rates and accelerations of their frames against each other, from the motions of their bodies, are zero (not C v and C a)
 *   forces balance            with the reactions of the closings as wrenches on its bodies the tree needs no effort where nothing is driven, and elsewhere the efforts found: by the recursion of Newton and
 *                             Euler in the axes of the links (not C^T lambda in the ground's)
 *
 * That closings are closed is what Newton's method ends with. The power of the efforts then is the rate of the energy.
 */
#include "tree/linkage.h"

#include <math.h>

/* Beside the terms that cancel: what redundant rates may contradict each other by (linkage_inverse.c); rounding is some 1e-14. */
#define LAW 1e-8

static double largest(const double *x, int32_t count) {
    double most = 0;
    for (int32_t k = 0; k < count; k++)
        most = fabs(x[k]) > most ? fabs(x[k]) : most;
    return most;
}
static double all_of(const double *x, int32_t count) {
    double sum = 0;
    for (int32_t k = 0; k < count; k++)
        sum += fabs(x[k]);
    return sum;
}

/* x beside its terms; numbers that are not finite are as wrong as can be. */
static double beside(double x, double terms) {
    double ratio = x > 0 ? x / terms : 0;
    return isfinite(x + terms) ? ratio : INFINITY;
}

static double motion_error(const RbvLinkage *linkage, RbvLinkageWorkspace *w) {
    double size = 1 + linkage->length, speed = all_of(w->v, w->nv);
    rbv_linkage_motions(linkage, w, w->a, w->right, w->bias);
    return fmax(beside(largest(w->right, w->rows), size * speed), beside(largest(w->bias, w->rows), size * (speed * speed + all_of(w->a, w->nv))));
}

/* Efforts that the tree needs under all wrenches, less those found; its terms are efforts without the closings, and what these do. */
static double balance_error(const RbvLinkage *linkage, RbvLinkageWorkspace *w, const double *efforts) {
    double terms = largest(w->effort_terms, w->nv) + (1 + linkage->length) * largest(w->sum, 6 * w->count);
    for (int32_t k = 0; k < w->driven_count; k++)
        w->tau[linkage->driven[k]] -= efforts[k];
    return beside(largest(w->tau, w->nv), terms);
}

bool rbv_linkage_audit(const RbvLinkage *linkage, RbvLinkageWorkspace *w, const double *efforts) {
    double motion = motion_error(linkage, w), balance = balance_error(linkage, w, efforts);
    w->motion_error = motion > w->motion_error ? motion : w->motion_error;
    w->balance_error = balance > w->balance_error ? balance : w->balance_error;
    return motion <= LAW && balance <= LAW;
}
