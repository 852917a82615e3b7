/* Somebody who watches an analysis and may want it to stop: the caller's progress function, asked between samples and
 * within them. */
#ifndef RBV_BASE_PROGRESS_H
#define RBV_BASE_PROGRESS_H

#include <stdbool.h>

/* NULL, or one that is all zero, watches nothing. Each analysis has its own. */
typedef struct RbvProgress {
    bool (*go_on)(void *context, double share); /* NULL: nobody asks */
    void *context;
    double share; /* of the analysis that is done, 0 to 1, as it was told last */
    bool stopped; /* the answer was no; it is not asked again */
} RbvProgress;

/* Ask. True: stop, with RBV_INTERRUPTED. */
static inline bool rbv_progress_stops(RbvProgress *progress) {
    if (!progress || !progress->go_on)
        return false;
    progress->stopped = progress->stopped || !progress->go_on(progress->context, progress->share);
    return progress->stopped;
}

/* The same, telling how much is done. */
static inline bool rbv_progress_stops_at(RbvProgress *progress, double share) {
    if (progress)
        progress->share = share;
    return rbv_progress_stops(progress);
}

/* Has it been stopped? */
static inline bool rbv_progress_stopped(const RbvProgress *progress) {
    return progress && progress->stopped;
}

#endif
