/* Geometry of toothed and strung wheels in space, found once in the starting pose and then carried by the carrier. */
#ifndef RBV_MODEL_MESH_H
#define RBV_MODEL_MESH_H

#include "model/model.h"

/* The mesh of a spatial gear, bevel, worm or belt whose markers and carrier are known: joint->mesh, radii from teeth.
 * False: said, or no memory (remembered). */
bool rbv_add_mesh(RbvModel *model, const RbvJointDef *def, RbvJoint *joint, const RbvSource *source);

/* The marker of a spatial rack that looks along the pinion's axis. False: said, or no memory (remembered). */
bool rbv_add_rack(RbvModel *model, RbvJoint *joint, const RbvSource *source);

#endif
