/* The samples of a result: in memory, or, where there are many and the caller has named a folder, in a file without a
 * name there, mapped. What has been written or read of a mapped file is dropped from memory block by block, so that a
 * run of any length takes little of it. */
#ifndef RBV_RESULT_ROWS_H
#define RBV_RESULT_ROWS_H

#include "result/result.h"

/* Room for `samples` rows in all; from here on more than `above` bytes of them go into `folder`, which must live as
 * long as rows are reserved; NULL: all stay in memory. False: no memory. */
bool rbv_result_reserve_in(RbvResult *result, int32_t samples, const char *folder, int64_t above);
/* As many samples at once, as another run has written them: [samples][columns and hidden ones]. False: no memory. */
bool rbv_result_adopt(RbvResult *result, const double *values, int32_t samples);
/* Sample k, all its columns. To be read in order: what lies behind is dropped. */
const double *rbv_result_row(const RbvResult *result, int32_t k);
/* What a column does, without the times of its extremes (rbv_result_summary). */
RbvSummary rbv_result_sums(const RbvResult *result, int32_t column);
void rbv_result_rows_clear(RbvResult *result);

#endif
