/* Shows the progress of a run and answers ^C. */
#define _POSIX_C_SOURCE 200809L
#include "cli/progress.h"

#include "cli/call.h"

#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

/* [s] Interval between checks of the run; the delay after ^C is too short to notice. */
#define LOOK 0.05
/* [s] Waiting time after ^C before the run is abandoned; with the last check the program ends within one second. */
#define LEAVES 0.7
/* [s] Progress is shown after the first half second of an analysis and then every half second. Reading and compiling a
 * model is shown only after SHOWN_AFTER_READING. */
#define SHOWN_AFTER 0.5
#define SHOWN_AFTER_READING 5.0

static volatile sig_atomic_t interrupted, analysing;

static void on_interrupt(int number) {
    (void)number;
    if (interrupted) /* second ^C: exit at once */
        _exit(EXIT_INTERRUPT);
    if (!analysing) { /* no samples yet that could be kept */
        static const char words[] = "roberval: interrupted\n";
        if (write(STDERR_FILENO, words, sizeof words - 1) < 0)
            _exit(EXIT_INTERRUPT);
        _exit(EXIT_INTERRUPT);
    }
    interrupted = 1;
}

/* Handler of SIGUSR1: does nothing, but interrupts a system call that waits for a pipe. */
static void on_call(int number) {
    (void)number;
}

void catch_interrupts(void) {
    struct sigaction action = {.sa_handler = on_interrupt};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    struct sigaction call = {.sa_handler = on_call};
    sigaction(SIGUSR1, &call, NULL);
    struct sigaction ignore = {.sa_handler = SIG_IGN};
    sigaction(SIGXFSZ, &ignore, NULL); /* a write beyond the file size limit fails, as on a full disk */
}

bool is_interrupted(void) {
    return interrupted;
}

static double seconds_between(struct timespec a, struct timespec b) {
    return (double)(b.tv_sec - a.tv_sec) + 1e-9 * (double)(b.tv_nsec - a.tv_nsec);
}

static struct timespec now_plus(double seconds) {
    struct timespec t = {0};
    clock_gettime(CLOCK_MONOTONIC, &t);
    long nanoseconds = t.tv_nsec + (long)(seconds * 1e9);
    t.tv_sec += nanoseconds / 1000000000L;
    t.tv_nsec = nanoseconds % 1000000000L;
    return t;
}

void start_analysing(Progress *progress) {
    analysing = 1;
    progress->analysing = true;
}

bool on_progress(void *context, double share) {
    Progress *progress = context;
    progress->share = share;
    return !interrupted;
}

static void show_progress(Progress *progress) {
    struct timespec now = now_plus(0);
    double passed = seconds_between(progress->start, now), share = progress->share;
    double after = progress->analysing ? SHOWN_AFTER : SHOWN_AFTER_READING;
    if (!progress->terminal || passed < after || seconds_between(progress->last, now) < SHOWN_AFTER)
        return;
    if (share > 0) /* not NaN */
        fprintf(stderr, "\r%3.0f %%, %.0f s to go   ", 100 * share, passed / share - passed);
    else
        fprintf(stderr, "\r%.0f s   ", passed);
    fflush(stderr);
    progress->last = now;
    progress->shown = true;
}

/* Erase the progress line. */
static void wipe(const Progress *progress) {
    if (progress->shown)
        fputs("\r                              \r", stderr);
}

typedef struct Watched {
    RbvStatus (*work)(void *context);
    void *context;
    pthread_mutex_t lock;
    pthread_cond_t ended;
    bool done;
    RbvStatus status;
} Watched;

static void *run_work(void *context) {
    Watched *watched = context;
    RbvStatus status = watched->work(watched->context);
    pthread_mutex_lock(&watched->lock);
    watched->status = status;
    watched->done = true;
    pthread_cond_signal(&watched->ended);
    pthread_mutex_unlock(&watched->lock);
    return NULL;
}

/* End the program while the run still computes; no data of the run is touched. */
static void leave(const Progress *progress) {
    wipe(progress);
    fputs("roberval: interrupted in the middle of a long step\n", stderr);
    fflush(stderr);
    _exit(EXIT_INTERRUPT);
}

static void wait_for(Watched *watched, pthread_t thread, Progress *progress) {
    struct timespec asked = {0};
    bool stops = false;
    pthread_mutex_lock(&watched->lock);
    while (!watched->done) {
        struct timespec next = now_plus(LOOK);
        pthread_cond_timedwait(&watched->ended, &watched->lock, &next);
        if (watched->done)
            break;
        if (interrupted && !stops)
            asked = now_plus(0);
        stops = interrupted;
        if (stops)
            pthread_kill(thread, SIGUSR1);
        if (stops && seconds_between(asked, now_plus(0)) > LEAVES)
            leave(progress);
        show_progress(progress);
    }
    pthread_mutex_unlock(&watched->lock);
}

/* Start the run in a thread that blocks all signals but SIGUSR1. False: no thread could be started. */
static bool start_thread(pthread_t *thread, Watched *watched) {
    sigset_t all, before;
    pthread_condattr_t clock;
    if (pthread_mutex_init(&watched->lock, NULL) != 0 || pthread_condattr_init(&clock) != 0)
        return false;
    pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
    sigfillset(&all);
    sigdelset(&all, SIGUSR1);
    bool good = pthread_cond_init(&watched->ended, &clock) == 0 && pthread_sigmask(SIG_BLOCK, &all, &before) == 0;
    if (good) {
        good = pthread_create(thread, NULL, run_work, watched) == 0;
        pthread_sigmask(SIG_SETMASK, &before, NULL);
    }
    pthread_condattr_destroy(&clock);
    return good;
}

RbvStatus watch_work(Progress *progress, bool quiet, RbvStatus (*work)(void *context), void *context) {
    Watched watched = {.work = work, .context = context};
    pthread_t thread;
    progress->terminal = !quiet && isatty(STDERR_FILENO);
    progress->start = progress->last = now_plus(0);
    if (!start_thread(&thread, &watched)) /* without a thread ^C is answered at the next progress call of the work */
        return work(context);
    wait_for(&watched, thread, progress);
    pthread_join(thread, NULL);
    wipe(progress);
    return watched.status;
}
