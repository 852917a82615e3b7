/* Writes series.csv and verdicts.csv in the units and columns of a view. */
#ifndef RBV_OUTPUT_WRITE_SERIES_H
#define RBV_OUTPUT_WRITE_SERIES_H

#include "model/result/result.h"

#include <stdio.h>

/* A file to which samples are appended. */
typedef struct RbvSeriesFile {
    FILE *stream;
    uint64_t length, sum; /* number of bytes written [bytes], and their checksum (core/base/archive.h) */
} RbvSeriesFile;

/* Write series.csv or verdicts.csv to the file. False: errno has the cause. */
bool rbv_write_series(const RbvResult *result, const RbvView *view, FILE *file);
bool rbv_write_verdicts(const RbvResult *result, const RbvView *view, FILE *file);

/* First line of series.csv; the caller frees it. NULL: out of memory. */
char *rbv_series_header(const RbvResult *result, const RbvView *view);
/* Appends the samples from number `first` on; the header line comes before sample 0. False: errno has the cause. */
bool rbv_write_samples(const RbvResult *result, const RbvView *view, int32_t first, RbvSeriesFile *file);

#endif
