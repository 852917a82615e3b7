/* Ranks of a study: processes that share its variants. ranks.c is for one process, ranks_mpi.c for those of MPI; the
 * loop over variants is the same (study.c). */
#ifndef RBV_CLI_RANKS_H
#define RBV_CLI_RANKS_H

#include <roberval/study.h>

typedef struct Ranks Ranks;

/* Number of this process among all, from 0; only that of number 0 has the folder. */
int rank_number(void);
int rank_count(void);
/* The worst of the statuses of all processes, which wait for each other. */
RbvStatus rank_agree(RbvStatus status);
/* Have all processes read the same study? They wait for each other. */
bool rank_same(const RbvStudy *study);
/* Is this the first process of those that last came to rank_agree with another status than RBV_OK, or the first of all?
 * It reports what happened. */
bool rank_reports(void);
/* Begin to share the variants that the folder of the first process gives out. NULL: no memory. */
Ranks *rank_begin(const RbvStudy *study, RbvStudyFolder *folder);
/* The next variant of this process; false: there is none. */
bool rank_next(Ranks *ranks, int64_t *variant);
/* Send a row to the folder of the first process. */
RbvStatus rank_row(Ranks *ranks, const RbvStudyRow *row);
/* This process computes no more: send what is left, wait for the others, and free. The worst status of all. */
RbvStatus rank_end(Ranks *ranks, RbvStatus status);

/* The last call of a process, by the thread that called rank_number first. */
void rank_finish(void);

#endif
