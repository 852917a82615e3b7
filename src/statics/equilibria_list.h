/* A list of equilibria that is told alike whatever the order of the file and the processor. */
#ifndef RBV_STATICS_EQUILIBRIA_LIST_H
#define RBV_STATICS_EQUILIBRIA_LIST_H

#include "result/result.h"
#include "statics/equilibrium.h"

/* What all places of a family have in common besides what is told of them. */
typedef struct RbvKinship {
    bool level;      /* a motion that nothing resists leads on */
    int32_t falling; /* with an energy, motions that it falls by */
    double V_size;   /* [J] of the terms of the energy */
    double height,
        weights; /* [J] energy of the weights alone, and the sum of its magnitudes at the size of the mechanism */
    double load; /* [N] the largest load on a body */
} RbvKinship;

RbvKinship rbv_kinship(const RbvBalance *balance, bool level, int32_t falling);
/* Are both of one family: stability, energy and curvature are the same within their bands, and neither is isolated?
 * Without an energy the heights of weights and the loads count instead; without weights they are left apart. */
bool rbv_of_one_family(const RbvEquilibrium *a, const RbvKinship *its, const RbvEquilibrium *b,
                       const RbvKinship *other);

/* Angles of coordinates and bodies at the placed balance come to within half a turn of `first`, where whole turns
 * change neither energy nor forces nor rows. */
void rbv_equilibrium_to_one_turn(RbvBalance *balance, const RbvEquilibrium *first, RbvEquilibrium *to);

/* By energy, then stability, then coordinates and places of bodies in the alphabet of their names; numbers within their
 * band are equal. V_size [J]. False: no memory. */
bool rbv_sort_equilibria(RbvEquilibrium *list, int32_t count, double V_size);

#endif
