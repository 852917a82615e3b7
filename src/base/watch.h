/* Somebody who watches an analysis and may want it to stop: the caller's progress function, asked between samples and
 * within them. */
#ifndef RBV_BASE_WATCH_H
#define RBV_BASE_WATCH_H

#include <stdbool.h>

/* NULL, or one that is all zero, watches nothing. Each analysis has its own. */
typedef struct RbvWatch {
    bool (*go_on)(void *context, double share); /* NULL: nobody asks */
    void *context;
    double share; /* of the analysis that is done, 0 to 1, as it was told last */
    bool stopped; /* the answer was no; it is not asked again */
} RbvWatch;

/* Ask. True: stop, with RBV_INTERRUPTED. */
static inline bool rbv_watch_stops(RbvWatch *watch) {
    if (!watch || !watch->go_on)
        return false;
    watch->stopped = watch->stopped || !watch->go_on(watch->context, watch->share);
    return watch->stopped;
}

/* The same, telling how much is done. */
static inline bool rbv_watch_stops_at(RbvWatch *watch, double share) {
    if (watch)
        watch->share = share;
    return rbv_watch_stops(watch);
}

/* Has it been stopped? */
static inline bool rbv_watch_stopped(const RbvWatch *watch) {
    return watch && watch->stopped;
}

#endif
