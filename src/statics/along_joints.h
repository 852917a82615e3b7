/* Steps of the balance of bodies taken along the joints of a tree: what hangs on a joint that turns goes round with it,
 * whatever the angle.
 *
 * In joint coordinates of a deep tree every force is felt by all tree joints down to ground, so that K has as many
 * entries as pairs of links. The same step follows from the balance of the bodies, sparse, with the rows of all joints,
 * since it solves for the motion of least energy among those that the rows allow: in the tree these are the joints'
 * rates. They are read off (take_rates), and the place moves by them: joints of the tree hold exactly at every step,
 * however long it is; rows that close loops are met by the projection. A stretched chain hangs after 12 to 14 steps
 * (100 to 10 000 links), each of time proportional to its links.
 */
#ifndef RBV_STATICS_ALONG_JOINTS_H
#define RBV_STATICS_ALONG_JOINTS_H

#include "system/system.h"

typedef struct RbvAlongJoints {
    const RbvCoordinates *coordinates; /* of the tree */
    RbvBodyState *bodies;
    RbvTwist *twists;
    double *q, *step;
} RbvAlongJoints;

/* For a system in joint coordinates. NULL: no memory; to be destroyed. */
RbvAlongJoints *rbv_along_joints_create(const RbvSystem *system);
void rbv_along_joints_destroy(RbvAlongJoints *along);
/* Is the system in joint coordinates of a tree so deep that they are for it? */
bool rbv_along_joints_fits(const RbvSystem *system);
/* Move q of the bodies, absolute coordinates, by the step[bodies.size] of body twists that the joints allow. */
void rbv_along_joints_move(RbvAlongJoints *along, const RbvCoordinates *of_bodies, const double *step, double *q);

#endif
