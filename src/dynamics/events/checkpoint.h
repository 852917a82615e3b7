/* State of a running motion: all numbers that cannot be computed from others, so that a run resumed from an archive
 * continues as if it had not stopped.
 *
 * All numbers that can be computed are computed anew by rbv_checkpoint_refresh, both in a run resumed from an archive
 * and in a run that only passes an instant at which an archive could be written: both have the same numbers to the last
 * bit. */
#ifndef RBV_DYNAMICS_EVENTS_CHECKPOINT_H
#define RBV_DYNAMICS_EVENTS_CHECKPOINT_H

#include "core/base/archive.h"
#include "dynamics/events/event_loop.h"

/* Writes the motion (flow, stepper and event loop) into the archive; or, if archive->from is set, reads the archive
 * into a motion of the same system as it was created. No transition may be pending. After reading the caller asks
 * rbv_archive_is_good. */
void rbv_checkpoint_keep(RbvArchive *archive, RbvEventLoop *loop);
/* Forgets factorisations and all that was derived from them, evaluates the state at stepper->t again and decides ranks
 * anew. To be called wherever an archive is written or could be, and after one is read. Statuses of rbv_flow_hold. */
RbvStatus rbv_checkpoint_refresh(RbvEventLoop *loop);

#endif
