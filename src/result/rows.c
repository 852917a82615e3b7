/* Where the samples of a result are, and what a series does, gathered as they come; see rows.h. */
#define _GNU_SOURCE
#include "result/rows.h"

#include <fcntl.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Bytes of samples after which those behind are dropped: large enough that the call does not count, small beside what a program takes. */
#define BLOCK (1 << 22)

static size_t width(const RbvResult *result) {
    return (size_t)(result->column_count + result->hidden_count);
}

static size_t row_bytes(const RbvResult *result) {
    return width(result) * sizeof(double);
}

/* A file that goes with its descriptor; -1: none can be made. */
static int nameless(const char *folder) {
    char path[4096];
#ifdef O_TMPFILE
    int file = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (file >= 0)
        return file;
#endif
    if (snprintf(path, sizeof path, "%s/roberval-rows-XXXXXX", folder) >= (int)sizeof path)
        return -1;
    int named = mkstemp(path);
    if (named >= 0)
        unlink(path);
    return named;
}

/* The file is made as long, with all its blocks: a disk that is full must be noticed here, not by a signal at a write. False: stays as it was. */
static bool map_rows(RbvResult *result, size_t bytes) {
    int file = result->store.mapped > 0 ? result->store.file : nameless(result->store.folder);
    if (file < 0)
        return false;
    double *data = posix_fallocate(file, 0, (off_t)bytes) == 0 ? mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0) : MAP_FAILED;
    if (data == MAP_FAILED) {
        if (result->store.mapped == 0)
            close(file);
        return false;
    }
    if (result->store.mapped > 0) {
        munmap(result->data, result->store.mapped);
    } else {
        if (result->sample_count > 0)
            memcpy(data, result->data, (size_t)result->sample_count * row_bytes(result));
        free(result->data);
    }
    result->data = data;
    result->store.file = file;
    result->store.mapped = bytes;
    return true;
}

/* Back into memory, where the disk has no more room. */
static bool hold_rows(RbvResult *result, size_t bytes) {
    bool mapped = result->store.mapped > 0;
    double *data = mapped ? malloc(bytes) : realloc(result->data, bytes);
    if (!data)
        return false;
    if (mapped) {
        memcpy(data, result->data, (size_t)result->sample_count * row_bytes(result));
        rbv_result_rows_clear(result);
    }
    result->data = data;
    return true;
}

/* One more sample of a column. `rms` is the sum of squares until it is asked for. */
static void gather(RbvSummary *s, double time, double value, bool first) {
    if (first)
        *s = (RbvSummary){value, value, value, time, time, 0, fabs(value)};
    if (value < s->min) {
        s->min = value;
        s->at_min = time;
    }
    if (value > s->max) {
        s->max = value;
        s->at_max = time;
    }
    s->peak = fmax(s->peak, fabs(value));
    s->rms += value * value;
}

/* One more row to the sums. */
static void gather_row(RbvResult *result, const double *row, bool first) {
    for (size_t c = 0; c < width(result); c++)
        gather(&result->store.sums[c], row[0], row[c], first);
}

/* Rows in a file are not read again for every column: sums of them from now on. False: no memory. */
static bool begin_sums(RbvResult *result) {
    result->store.sums = calloc(width(result), sizeof *result->store.sums);
    for (int32_t k = 0; result->store.sums && k < result->sample_count; k++)
        gather_row(result, result->data + (size_t)k * width(result), k == 0);
    result->store.summed = result->sample_count;
    return result->store.sums != NULL;
}

bool rbv_result_reserve(RbvResult *result, int32_t samples) {
    if (samples <= result->capacity)
        return true;
    size_t bytes = (size_t)samples * row_bytes(result);
    bool many = result->store.folder && bytes > (size_t)result->store.above;
    if (!(many && map_rows(result, bytes)) && !hold_rows(result, bytes))
        return false;
    result->capacity = samples;
    return result->store.sums || result->store.mapped == 0 || begin_sums(result);
}

bool rbv_result_reserve_in(RbvResult *result, int32_t samples, const char *folder, int64_t above) {
    result->store.folder = folder;
    result->store.above = above;
    return rbv_result_reserve(result, samples);
}

void rbv_result_rows_clear(RbvResult *result) {
    if (result->store.mapped > 0) {
        munmap(result->data, result->store.mapped);
        close(result->store.file);
    } else {
        free(result->data);
    }
    result->data = NULL;
    result->store.mapped = 0;
}

/* Of a file that is mapped and shared nothing is lost: the pages are read again where they are wanted. */
static void drop_behind(const RbvResult *result, int32_t k) {
    int32_t rows = (int32_t)(BLOCK / row_bytes(result)) + 1;
    if (result->store.mapped > 0 && k % rows == 0)
        madvise(result->data, result->store.mapped, MADV_DONTNEED);
}

const double *rbv_result_row(const RbvResult *result, int32_t k) {
    drop_behind(result, k);
    return result->data + (size_t)k * width(result);
}

double *rbv_result_next(RbvResult *result) {
    return result->data + (size_t)result->sample_count * width(result);
}

/* What is too small for a normal number has lost its digits: it is what rounding has left of nothing, and 0. */
static void flush_to_zero(double *row, size_t count) {
    for (size_t c = 0; c < count; c++)
        row[c] = fabs(row[c]) < DBL_MIN ? 0 : row[c];
}

/* The sums are of the first `summed` samples; where samples were taken back they are of no use (-1), until the series begins anew. */
void rbv_result_commit(RbvResult *result) {
    double *row = rbv_result_next(result);
    flush_to_zero(row, width(result));
    if (result->sample_count == 0)
        result->store.summed = 0;
    if (result->store.sums && result->store.summed == result->sample_count) {
        gather_row(result, row, result->sample_count == 0);
        result->store.summed++;
    } else {
        result->store.summed = -1;
    }
    result->sample_count++;
    drop_behind(result, result->sample_count);
}

bool rbv_result_adopt(RbvResult *result, const double *values, int32_t samples) {
    if (!rbv_result_reserve(result, samples))
        return false;
    result->sample_count = 0;
    for (int32_t k = 0; k < samples; k++) {
        memcpy(rbv_result_next(result), values + (size_t)k * width(result), row_bytes(result));
        rbv_result_commit(result);
    }
    return true;
}

RbvSummary rbv_result_summary(const RbvResult *result, int32_t column) {
    RbvSummary s = {NAN, NAN, NAN, NAN, NAN, NAN, NAN};
    if (result->sample_count == 0)
        return s;
    if (result->store.sums && result->store.summed == result->sample_count) {
        s = result->store.sums[column];
    } else {
        for (int32_t k = 0; k < result->sample_count; k++) {
            const double *row = rbv_result_row(result, k);
            gather(&s, row[0], row[column], k == 0);
        }
    }
    s.rms = sqrt(s.rms / result->sample_count);
    return s;
}
