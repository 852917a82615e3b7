/* Storage of the samples of a result: in memory; or, where there are many and the caller has named a folder, in an
 * unlinked, memory-mapped file in that folder. Parts of a mapped file that have been written or read are dropped from
 * memory block by block, so that a run of any length needs little memory. */
#ifndef RBV_MODEL_RESULT_ROWS_H
#define RBV_MODEL_RESULT_ROWS_H

#include "model/result/result.h"

/* Reserve space for `samples` rows in all. From then on, samples larger than `above` bytes in all are stored in
 * `folder`, a string that must stay valid as long as rows are reserved; NULL: all in memory. False: out of memory. */
bool rbv_result_reserve_in(RbvResult *result, int32_t samples, const char *folder, int64_t above);
/* Take over the samples of another run: values[samples][columns and hidden columns]. False: out of memory. */
bool rbv_result_adopt(RbvResult *result, const double *values, int32_t samples);
/* Sample k, all columns. To be read in ascending order: earlier rows of a mapped file are dropped from memory. */
const double *rbv_result_row(const RbvResult *result, int32_t k);
/* Summary of a column without the times of its extremes (rbv_result_summary has them). */
RbvSummary rbv_result_sums(const RbvResult *result, int32_t column);
void rbv_result_rows_clear(RbvResult *result);

#endif
