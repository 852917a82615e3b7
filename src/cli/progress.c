/* How far a run is, and how it is stopped; see progress.h. */
#define _POSIX_C_SOURCE 200809L
#include "cli/progress.h"

#include "cli/call.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

static volatile sig_atomic_t interrupted, analysing;

static void on_interrupt(int number) {
    (void)number;
    if (interrupted) /* asked twice: at once */
        _exit(EXIT_INTERRUPT);
    if (!analysing) { /* nothing is done yet that could be kept */
        static const char words[] = "roberval: interrupted\n";
        if (write(STDERR_FILENO, words, sizeof words - 1) < 0)
            _exit(EXIT_INTERRUPT);
        _exit(EXIT_INTERRUPT);
    }
    interrupted = 1;
}

void catch_interrupts(void) {
    struct sigaction action = {.sa_handler = on_interrupt};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    struct sigaction ignore = {.sa_handler = SIG_IGN};
    sigaction(SIGXFSZ, &ignore, NULL); /* a file that may not grow is said as a full disk is, where it is written */
}

bool is_interrupted(void) {
    return interrupted;
}

static double seconds_between(struct timespec a, struct timespec b) {
    return (double)(b.tv_sec - a.tv_sec) + 1e-9 * (double)(b.tv_nsec - a.tv_nsec);
}

Progress start_progress(bool quiet) {
    analysing = 1;
    Progress progress = {.terminal = !quiet && isatty(STDERR_FILENO)};
    clock_gettime(CLOCK_MONOTONIC, &progress.start);
    progress.last = progress.start;
    return progress;
}

/* Called now and then: ^C stops; a terminal sees how far it is, twice a second, after the first half second. */
bool on_progress(void *context, double share) {
    Progress *progress = context;
    struct timespec now;
    if (interrupted)
        return false;
    if (!progress->terminal || clock_gettime(CLOCK_MONOTONIC, &now) != 0 || seconds_between(progress->last, now) < 0.5)
        return true;
    double passed = seconds_between(progress->start, now);
    if (isnan(share)) /* of a pipe nobody knows */
        fprintf(stderr, "\r%.0f s   ", passed);
    else
        fprintf(stderr, "\r%3.0f %%, %.0f s to go   ", 100 * share, share > 0 ? passed / share - passed : 0);
    fflush(stderr);
    progress->last = now;
    progress->shown = true;
    return true;
}

void end_progress(const Progress *progress) {
    if (progress->shown)
        fputs("\r                              \r", stderr);
}
