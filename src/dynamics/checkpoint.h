/* All numbers of a motion that do not follow from others: what a run needs to go on from here as if it had not stopped.
 *
 * Whatever follows from them is made anew, by refresh(), in a run that goes on from an archive and in one that only
 * passes the place where it could be: both have the same numbers to the last bit.
 */
#ifndef RBV_DYNAMICS_CHECKPOINT_H
#define RBV_DYNAMICS_CHECKPOINT_H

#include "base/archive.h"
#include "dynamics/event_loop.h"

/* Write the motion of flow, stepper and event loop, or read it into those of the same system, as created. Nothing is
 * pending. */
void rbv_checkpoint_keep(RbvArchive *archive, RbvEventLoop *loop);
/* Forget factors and what was found from them, evaluate the state again, decide ranks anew. Statuses of rbv_flow_hold.
 */
RbvStatus rbv_checkpoint_refresh(RbvEventLoop *loop);

#endif
