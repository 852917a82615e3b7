/* A library for LD_PRELOAD that stands between the program and the disk (disk_test.py). Counted are the calls that
 * change files: making, writing, syncing, renaming, removing, cutting.
 *
 *   ROBERVAL_DISK_KILL=k    the program is killed instead of the k-th of them; of a write half is done before
 *   ROBERVAL_DISK_FULL=k    from the k-th on there is no room: files cannot be made or grow; of the first write half is
 *                           done
 *   ROBERVAL_DISK_DAMAGE=F  between two of them, when F exists, it is removed and series.csv.part in its folder is cut
 *                           to nothing
 *   ROBERVAL_DISK_COUNT=F   at the end F says how many there were, how many of them syncs, the seconds that these took,
 *                           and the seconds from beginning to end
 *   ROBERVAL_CLOCK=f        the clock that does not go back runs f times as fast */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static long count, syncs, kill_at, full_from;
static double factor = 1, in_syncs;
static struct timespec start;

static void *next(const char *name) {
    return dlsym(RTLD_NEXT, name);
}

static double number(const char *name, double otherwise) {
    const char *text = getenv(name);
    return text ? strtod(text, NULL) : otherwise;
}

static double seconds(struct timespec a, struct timespec b) {
    return (double)(b.tv_sec - a.tv_sec) + 1e-9 * (double)(b.tv_nsec - a.tv_nsec);
}

static struct timespec now(void) {
    struct timespec t;
    syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &t);
    return t;
}

__attribute__((constructor)) static void begin(void) {
    kill_at = (long)number("ROBERVAL_DISK_KILL", 0);
    full_from = (long)number("ROBERVAL_DISK_FULL", 0);
    factor = number("ROBERVAL_CLOCK", 1);
    start = now();
}

__attribute__((destructor)) static void end(void) {
    const char *path = getenv("ROBERVAL_DISK_COUNT");
    FILE *file = path ? fopen(path, "w") : NULL;
    if (!file)
        return;
    fprintf(file, "%ld %ld %.9f %.9f\n", count, syncs, in_syncs, seconds(start, now()));
    fclose(file);
}

static void damage(void) {
    const char *sign = getenv("ROBERVAL_DISK_DAMAGE");
    char part[4096];
    if (!sign || access(sign, F_OK) != 0)
        return;
    snprintf(part, sizeof part, "%.*sseries.csv.part", (int)(strrchr(sign, '/') + 1 - sign), sign);
    if (truncate(part, 0) == 0)
        syscall(SYS_unlinkat, AT_FDCWD, sign, 0);
}

/* Is it the one at which the program dies? */
static bool dies(void) {
    damage();
    return ++count == kill_at;
}

static void die(void) {
    raise(SIGKILL);
}

static bool is_full(void) {
    if (full_from <= 0 || count < full_from)
        return false;
    errno = ENOSPC;
    return true;
}

static bool is_regular(int file) {
    struct stat what;
    return file > 2 && fstat(file, &what) == 0 && S_ISREG(what.st_mode);
}

int openat(int folder, const char *path, int flags, ...) {
    va_list arguments;
    va_start(arguments, flags);
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(arguments, mode_t) : 0;
    va_end(arguments);
    if (flags & O_CREAT) {
        if (dies())
            die();
        if (is_full())
            return -1;
    }
    return (int)syscall(SYS_openat, folder, path, flags, mode);
}

ssize_t write(int file, const void *bytes, size_t size) {
    if (!is_regular(file))
        return syscall(SYS_write, file, bytes, size);
    bool last = dies(), full = is_full();
    if (last || (full && count == full_from))
        syscall(SYS_write, file, bytes, size / 2);
    if (last)
        die();
    errno = ENOSPC;
    return full ? -1 : syscall(SYS_write, file, bytes, size);
}

int fflush(FILE *stream) {
    static int (*real)(FILE *);
    real = real ? real : (int (*)(FILE *))next("fflush");
    if (stream && is_regular(fileno(stream))) {
        if (dies())
            die();
        if (is_full())
            return EOF;
    }
    return real(stream);
}

int fsync(int file) {
    struct timespec before = now();
    if (dies())
        die();
    syncs++;
    long done = syscall(SYS_fsync, file);
    in_syncs += seconds(before, now());
    return (int)done;
}

int renameat(int from, const char *old, int to, const char *new) {
    if (dies())
        die();
    return (int)syscall(SYS_renameat2, from, old, to, new, 0);
}

int unlinkat(int folder, const char *path, int flags) {
    if (dies())
        die();
    return (int)syscall(SYS_unlinkat, folder, path, flags);
}

int ftruncate(int file, off_t length) {
    if (dies())
        die();
    return (int)syscall(SYS_ftruncate, file, length);
}

int clock_gettime(clockid_t clock, struct timespec *t) {
    long done = syscall(SYS_clock_gettime, clock, t);
    if (done == 0 && clock == CLOCK_MONOTONIC && factor > 1) {
        double passed = factor * seconds(start, *t);
        t->tv_sec = start.tv_sec + (time_t)passed;
        t->tv_nsec = (long)(1e9 * (passed - (double)(time_t)passed));
    }
    return (int)done;
}
