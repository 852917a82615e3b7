/* series.csv and verdicts.csv as a view wants them. */
#ifndef RBV_WRITE_SERIES_H
#define RBV_WRITE_SERIES_H

#include "result/view.h"

#include <stdio.h>

/* A file that samples are appended to, and what has gone there. */
typedef struct RbvSeriesFile {
    FILE *stream;
    uint64_t length, sum; /* bytes, and their checksum (base/archive.h) */
} RbvSeriesFile;

/* False: errno says why. */
bool rbv_write_series(const RbvResult *result, const RbvView *view, FILE *file);
bool rbv_write_verdicts(const RbvResult *result, const RbvView *view, FILE *file);

/* The first line, to be freed by the caller; NULL: no memory. */
char *rbv_series_header(const RbvResult *result, const RbvView *view);
/* The samples from number `first` on, with the header as it is now before number 0. */
bool rbv_write_samples(const RbvResult *result, const RbvView *view, int32_t first, RbvSeriesFile *file);

#endif
