/* How far a run is, and how it is stopped.
 *
 * The run is on a thread of its own. The one that was there first shows how far it is and waits for ^C. It asks the
 * run to stop, which keeps what was done; where no answer comes, since some algorithm is in the middle of a large
 * matrix, it leaves it behind. */
#ifndef RBV_CLI_PROGRESS_H
#define RBV_CLI_PROGRESS_H

#include <roberval/roberval.h>

#include <stdatomic.h>
#include <stdbool.h>
#include <time.h>

typedef struct Progress {
    bool shown, terminal;
    struct timespec start, last;
    _Atomic double share;  /* of the analysis that is done, NaN: nobody knows; 0: not told */
    atomic_bool analysing; /* there is something that could be kept */
} Progress;

/* From now on a file that may not grow (ulimit -f) is an error where it is written, and ^C ends the program with its
 * exit status, and once an analysis has begun asks the run to stop; a second one ends it at once. */
void catch_interrupts(void);
/* Was it asked to stop? */
bool is_interrupted(void);
/* The run begins: do work(context) while how far it is stands on a terminal's standard error, unless quiet. Its status.
 * Work that does not stop within a second of ^C is left, and the program ends: what it has put on disk stays. */
RbvStatus watch_work(Progress *progress, bool quiet, RbvStatus (*work)(void *context), void *context);
/* The analysis begins: ^C asks it to stop. */
void start_analysing(Progress *progress);
/* RbvOptions.progress, its context a Progress. */
bool on_progress(void *context, double share);

#endif
