/* Steps of the static balance, taken along the joints of a tree: the bodies outboard of a turning joint rotate with it
 * exactly, whatever the angle.
 *
 * In joint coordinates of a deep tree a force on a body acts on all tree joints between it and ground, so that K has as
 * many entries as there are pairs of links. The same step follows from the sparse balance of the bodies with the rows
 * of all joints: it is the motion of least energy among those that the rows allow. In the tree these motions are the
 * joints' velocities. They are extracted from the body twists (take_rates), and the positions move by them. Tree joints
 * are thus satisfied exactly at every step, however long the step is; the rows that close loops are satisfied by the
 * projection. A stretched chain reaches its hanging equilibrium after 12 to 14 steps (100 to 10 000 links), each of
 * time proportional to the number of links. */
#ifndef RBV_STATICS_ALONG_JOINTS_H
#define RBV_STATICS_ALONG_JOINTS_H

#include "mechanics/system/system.h"

typedef struct RbvAlongJoints {
    const RbvCoordinates *coordinates; /* joint coordinates of the tree */
    RbvBodyState *bodies;
    RbvTwist *twists;
    double *q, *step;
} RbvAlongJoints;

/* Workspace for a system in joint coordinates; free it with rbv_along_joints_destroy. NULL if out of memory. */
RbvAlongJoints *rbv_along_joints_create(const RbvSystem *system);
void rbv_along_joints_destroy(RbvAlongJoints *along);
/* True if the system is in joint coordinates of a tree that is deep enough for them (rbv_articulated_fits). */
bool rbv_along_joints_fits(const RbvSystem *system);
/* Moves the positions q of the bodies (absolute coordinates of_bodies) along the tree joints, by the joint velocities
 * contained in the body twists step[bodies.size]. */
void rbv_along_joints_move(RbvAlongJoints *along, const RbvCoordinates *of_bodies, const double *step, double *q);

#endif
