/* One loop for threads, ranks, parts and resumed runs: a worker asks for the next variant and gives its row. */
#define _GNU_SOURCE
#include "study/run/worker.h"

#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <threads.h>

#define MOST_THREADS 256

typedef struct Run {
    const RbvStudy *study;
    const RbvStudyRun *asked;
    RbvDiagnostics *diagnostics;
    mtx_t lock;
    int64_t after; /* the next variant where the caller names none */
    atomic_bool stop;
    RbvStatus status; /* the first that is not OK */
} Run;

/* Within a variant: the caller is asked by one thread at a time, and only if no other is in a call. */
static bool go_on(void *context) {
    Run *run = context;
    if (atomic_load(&run->stop))
        return false;
    if (!run->asked->go_on || mtx_trylock(&run->lock) != thrd_success)
        return true;
    bool on = run->asked->go_on(run->asked->context);
    if (!on)
        atomic_store(&run->stop, true);
    mtx_unlock(&run->lock);
    return on;
}

static void end_with(Run *run, RbvStatus status) {
    if (run->status == RBV_OK)
        run->status = status;
    atomic_store(&run->stop, true);
}

static bool next(Run *run, int64_t *variant) {
    bool more = !atomic_load(&run->stop);
    mtx_lock(&run->lock);
    if (more && run->asked->go_on && !run->asked->go_on(run->asked->context)) {
        end_with(run, RBV_INTERRUPTED);
        more = false;
    }
    if (more && run->asked->next) {
        more = run->asked->next(run->asked->context, variant);
    } else if (more) {
        *variant = ++run->after;
        more = *variant <= run->study->design.count;
    }
    mtx_unlock(&run->lock);
    return more;
}

static void take_row(Run *run, const RbvStudyRow *row) {
    mtx_lock(&run->lock);
    if (run->status == RBV_OK) {
        RbvStatus status = run->asked->row ? run->asked->row(run->asked->context, row) : RBV_OK;
        if (status != RBV_OK)
            end_with(run, status);
        if (row->status != RBV_OK && run->asked->stop_on_failure)
            atomic_store(&run->stop, true);
    }
    mtx_unlock(&run->lock);
}

static bool is_kept(const Run *run, const RbvStudyRow *row) {
    RbvStudyKeep keep = run->study->keep;
    return run->asked->kept && (keep == RBV_KEEP_SERIES || (keep == RBV_KEEP_FAILED && row->status != RBV_OK));
}

static int work(void *context) {
    Run *run = context;
    RbvStudyWorker *worker = rbv_study_worker_create(run->study, go_on, run);
    RbvDiagnostics *messages = rbv_diagnostics_create();
    RbvStatus status = worker && messages ? RBV_OK : RBV_NO_MEMORY;
    int64_t variant;
    while (status == RBV_OK && next(run, &variant)) {
        RbvStudyRow row;
        status = rbv_study_worker_run(worker, variant, &row, messages);
        if (status != RBV_OK)
            break;
        if (is_kept(run, &row)) /* before its row: a row in the journal has its folder */
            status = rbv_study_worker_keep(worker, variant, run->asked->kept, messages);
        if (status == RBV_OK)
            take_row(run, &row);
    }
    mtx_lock(&run->lock);
    if (run->status == RBV_OK) /* of several threads the first says it */
        rbv_diagnostics_append(run->diagnostics, messages);
    /* an interrupted variant of a run that stops at a failure is no interruption of the run */
    bool own = status != RBV_INTERRUPTED || (run->asked->go_on && !run->asked->go_on(run->asked->context));
    if (status != RBV_OK && own)
        end_with(run, status);
    mtx_unlock(&run->lock);
    rbv_diagnostics_destroy(messages);
    rbv_study_worker_destroy(worker);
    return 0;
}

/* Threads that are asked for, or processors that the process may use; no more than there are variants. */
static int thread_count(const Run *run) {
    int64_t count = run->asked->threads;
    cpu_set_t set;
    if (count == 0)
        count = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
    count = count < run->study->design.count ? count : run->study->design.count;
    return (int)(count < MOST_THREADS ? count : MOST_THREADS);
}

RbvStatus rbv_study_run(const RbvStudy *study, const RbvStudyRun *asked, RbvDiagnostics *diagnostics) {
    if (!study || !asked || asked->threads < 0 || asked->threads > MOST_THREADS)
        return RBV_BAD_ARGUMENT;
    Run run = {.study = study, .asked = asked, .diagnostics = diagnostics};
    thrd_t threads[MOST_THREADS];
    int started = 0, requested = thread_count(&run);
    if (mtx_init(&run.lock, mtx_plain) != thrd_success)
        return RBV_NO_MEMORY;
    while (started + 1 < requested && thrd_create(&threads[started], work, &run) == thrd_success)
        started++;
    work(&run);
    for (int k = 0; k < started; k++)
        thrd_join(threads[k], NULL);
    mtx_destroy(&run.lock);
    return run.status;
}
