/* The virtual motions of the reactions asked for, at the first state: into the result and its scene, and what is said
 * of those that are not there. */
#ifndef RBV_ANALYSIS_REQUESTED_MOTIONS_H
#define RBV_ANALYSIS_REQUESTED_MOTIONS_H

#include "analysis/instant.h"

/* After its forces, and self-stresses and sums, are recorded. False: no memory. */
bool rbv_requested_motions(RbvInstant *instant);

#endif
