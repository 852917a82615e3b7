/* The virtual motions of the requested reactions at the first state, recorded into the result and its scene, with notes
 * on reactions that have none.
 */
#ifndef RBV_ANALYSIS_ANALYSES_REQUESTED_MOTIONS_H
#define RBV_ANALYSIS_ANALYSES_REQUESTED_MOTIONS_H

#include "analysis/analyses/instant.h"

/* To be called after forces, self-stresses and sums of the instant are recorded. False: no memory. */
bool rbv_requested_motions(RbvInstant *instant);

#endif
