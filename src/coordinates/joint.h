/* Joint coordinates (joint.c), for those that ask for their tree. */
#ifndef RBV_COORDINATES_JOINT_H
#define RBV_COORDINATES_JOINT_H

#include "coordinates/coordinates.h"
#include "coordinates/joint_tree.h"

/* The tree of a system in joint coordinates. */
const RbvJointTree *rbv_joint_tree_of(const RbvCoordinates *coordinates);

#endif
