/* Geometry of toothed and belt wheels in space. Computed once in the starting pose; fixed in the carrier's axes. */
#ifndef RBV_MODEL_MODEL_MESH_H
#define RBV_MODEL_MODEL_MESH_H

#include "model/model/model.h"

/* Compute and store the mesh of a spatial gear, bevel, worm or belt whose markers and carrier are known: sets
 * joint->mesh, and radii from teeth. False: an error was reported, or out of memory (remembered in the model). */
bool rbv_add_mesh(RbvModel *model, const RbvJointDef *def, RbvJoint *joint, const RbvSource *source);

/* Add the marker of a spatial rack: x along the rack, z along the pinion's axis (joint->rack). False: an error was
 * reported, or out of memory (remembered in the model). */
bool rbv_add_rack(RbvModel *model, RbvJoint *joint, const RbvSource *source);

#endif
