/* How far a run is, and how it is stopped. */
#ifndef RBV_CLI_PROGRESS_H
#define RBV_CLI_PROGRESS_H

#include <stdbool.h>
#include <time.h>

typedef struct Progress {
    bool shown, terminal;
    struct timespec start, last;
} Progress;

/* From now on a file that may not grow (ulimit -f) is an error where it is written, and ^C ends the program with its exit status, and once progress has begun asks the run to stop; a second one ends it at once. */
void catch_interrupts(void);
/* Was it asked to stop? */
bool is_interrupted(void);
/* The analysis begins. Shown where standard error is a terminal, unless quiet. */
Progress start_progress(bool quiet);
/* RbvOptions.progress, its context a Progress. */
bool on_progress(void *context, double share);
void end_progress(const Progress *progress);

#endif
