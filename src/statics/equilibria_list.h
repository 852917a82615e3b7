/* List of equilibria whose content and order do not depend on the order of the file or on the processor. */
#ifndef RBV_STATICS_EQUILIBRIA_LIST_H
#define RBV_STATICS_EQUILIBRIA_LIST_H

#include "model/result/result.h"
#include "statics/equilibrium.h"

/* Properties that all equilibria of a family share, besides those in the result. */
typedef struct RbvKinship {
    bool level;             /* a motion without resistance (curvature zero) leads along the family */
    int32_t falling;        /* number of independent motions along which the energy decreases, if there is an energy */
    double V_size;          /* [J] size of the terms of the energy */
    double height, weights; /* height: [J] energy of the weights alone; weights: [J] sum of its magnitudes at the size
                               of the mechanism */
    double load;            /* [N] largest load on a body */
} RbvKinship;

RbvKinship rbv_kinship(const RbvBalance *balance, bool level, int32_t falling);
/* True if a and b belong to one family: stability, energy and curvature are equal within their bands, and neither is
 * isolated. Without an energy the energy of the weights and the loads are compared instead; without weights these are
 * left out. */
bool rbv_of_one_family(const RbvEquilibrium *a, const RbvKinship *its, const RbvEquilibrium *b,
                       const RbvKinship *other);

/* Brings the angles of coordinates and bodies at the evaluated balance to within half a turn of `first`, where whole
 * turns change neither energy nor forces nor rows. */
void rbv_equilibrium_to_one_turn(RbvBalance *balance, const RbvEquilibrium *first, RbvEquilibrium *to);

/* Sorts by energy, then stability, then coordinates and positions of bodies in alphabetical order of their names;
 * numbers within their band count as equal. V_size [J]. False if out of memory. */
bool rbv_sort_equilibria(RbvEquilibrium *list, int32_t count, double V_size);

/* *sum: sum of (-1)^index over all equilibria of the model, if none of them is degenerate. False: the sum is not
 * known. */
bool rbv_index_sum(const RbvState *state, int32_t *sum);

#endif
