/* Progress display and interruption of a run.
 *
 * The run has its own thread. The main thread shows the progress and waits for ^C. On ^C it requests the run to stop,
 * which keeps the samples done so far. If the run does not answer, because an algorithm works on a large matrix, the
 * program ends without it.
 */
#ifndef RBV_CLI_PROGRESS_H
#define RBV_CLI_PROGRESS_H

#include <roberval/roberval.h>

#include <stdatomic.h>
#include <stdbool.h>
#include <time.h>

typedef struct Progress {
    bool shown, terminal;
    struct timespec start, last;
    _Atomic double share;  /* completed part of the analysis [0, 1]; NaN: unknown; 0: not reported yet */
    atomic_bool analysing; /* the analysis has begun: ^C keeps its samples */
} Progress;

/* Install the signal handlers. A file that may not grow (ulimit -f) is an error where the file is written. ^C ends the
 * program with exit status EXIT_INTERRUPT; once an analysis has begun, ^C requests the run to stop, and a second ^C
 * ends the program at once. */
void catch_interrupts(void);
/* True if ^C has requested the run to stop. */
bool is_interrupted(void);
/* Run work(context) and return its status. Unless quiet, the progress is shown on standard error if that is a terminal.
 * Work that does not stop within a second of ^C is abandoned and the program ends; files written so far stay. */
RbvStatus watch_work(Progress *progress, bool quiet, RbvStatus (*work)(void *context), void *context);
/* Mark the begin of the analysis: from now on ^C requests the analysis to stop. */
void start_analysing(Progress *progress);
/* Callback for RbvOptions.progress; context is a Progress. False requests the analysis to stop. */
bool on_progress(void *context, double share);

#endif
