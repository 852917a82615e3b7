/* A worker: a model and its system, which get the values of one variant after another. One thread uses a worker. */
#ifndef RBV_STUDY_RUN_WORKER_H
#define RBV_STUDY_RUN_WORKER_H

#include "study/definition/study.h"

typedef struct RbvStudyWorker RbvStudyWorker;

/* go_on(context): asked often within variants; false ends them with RBV_INTERRUPTED. NULL: no memory. */
RbvStudyWorker *rbv_study_worker_create(const RbvStudy *study, bool (*go_on)(void *context), void *context);
void rbv_study_worker_destroy(RbvStudyWorker *worker);
/* Compute a variant, from 1: *row holds it until the next call. Statuses that are no row: NO_MEMORY, INTERRUPTED,
 * BAD_ARGUMENT; BAD_INPUT: result.json of variant 1 has no scalar of a path that is collected (see diagnostics). */
RbvStatus rbv_study_worker_run(RbvStudyWorker *worker, int64_t variant, RbvStudyRow *row, RbvDiagnostics *diagnostics);
/* Write the folder variants/000123 below `folder` as the analysis alone would. NOT_WRITABLE, NO_MEMORY: see
 * diagnostics. */
RbvStatus rbv_study_worker_keep(RbvStudyWorker *worker, int64_t variant, const char *folder,
                                RbvDiagnostics *diagnostics);

#endif
