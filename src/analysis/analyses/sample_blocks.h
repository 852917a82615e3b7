/* Samples of a motion in blocks, on several threads.
 *
 * A driven motion has no memory but its position. Rows of a recorded one are read by the caller's thread. The samples
 * after the first are divided into blocks of a size that depends on the model alone. A motion of its own, the guide,
 * goes ahead from the beginning of one block to that of the next, in steps as long as the branch allows. From each
 * beginning a block is a run of its own, with its own motion, forces, record and messages. Blocks are joined in their
 * order on the caller's thread: rows, verdicts, errors, audits, messages. Where the end of a block is another position
 * than the beginning of the next, which the guide has found in longer steps, that one and all later ones follow from
 * the end of the one before. Thus no number depends on how many threads there are. */
#ifndef RBV_ANALYSIS_ANALYSES_SAMPLE_BLOCKS_H
#define RBV_ANALYSIS_ANALYSES_SAMPLE_BLOCKS_H

#include "analysis/analyses/sample_run.h"

/* After the first sample: are there enough others, and may they be divided? NO_MEMORY. */
RbvStatus rbv_blocks_fit(RbvSampleRun *run, bool *fit);
/* All samples after the first, with the caller's keeper and progress function. Statuses of the analysis' functions. */
RbvStatus rbv_run_blocks(RbvSampleRun *run);

#endif
