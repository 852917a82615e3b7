/* Progress and interruption of an analysis: calls the caller's progress function between samples and within them. */
#ifndef RBV_CORE_BASE_PROGRESS_H
#define RBV_CORE_BASE_PROGRESS_H

#include <stdbool.h>

/* State of one analysis. NULL or all zero: no progress function. */
typedef struct RbvProgress {
    bool (*go_on)(void *context, double share); /* the caller's function; NULL: none */
    void *context;
    double share; /* completed share of the analysis, 0 to 1, as reported last */
    bool stopped; /* the function returned false; it is not called again */
} RbvProgress;

/* Call the progress function. True: stop with RBV_INTERRUPTED. */
static inline bool rbv_progress_stops(RbvProgress *progress) {
    if (!progress || !progress->go_on)
        return false;
    progress->stopped = progress->stopped || !progress->go_on(progress->context, progress->share);
    return progress->stopped;
}

/* As rbv_progress_stops, with a new completed share. */
static inline bool rbv_progress_stops_at(RbvProgress *progress, double share) {
    if (progress)
        progress->share = share;
    return rbv_progress_stops(progress);
}

/* True if the analysis was stopped; does not call the function. */
static inline bool rbv_progress_stopped(const RbvProgress *progress) {
    return progress && progress->stopped;
}

#endif
