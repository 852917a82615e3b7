/* Storage of the samples of a result, and running sums of the columns. */
#define _GNU_SOURCE
#include "core/base/arena.h"
#include "core/base/extremes.h"
#include "core/linalg/quadrature.h"
#include "model/result/result.h"

#include <fcntl.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* [bytes] of samples after which earlier ones are dropped from memory: large enough that the cost of the call is
 * negligible, small compared with the program's memory. */
#define BLOCK (1 << 22)

static size_t width(const RbvResult *result) {
    return (size_t)(result->column_count + result->hidden_count);
}

static size_t row_bytes(const RbvResult *result) {
    return width(result) * sizeof(double);
}

/* Create an unlinked file, which disappears when its descriptor is closed; -1: failed. */
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

/* Extend the file to `bytes` with all blocks allocated, so that a full disk is detected here and not by a signal at a
 * write. False: unchanged. */
static bool map_rows(RbvResult *result, size_t bytes) {
    int file = result->store.mapped > 0 ? result->store.file : nameless(result->store.folder);
    if (file < 0)
        return false;
    double *data = posix_fallocate(file, 0, (off_t)bytes) == 0
                       ? mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
                       : MAP_FAILED;
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

/* Move the samples back into memory if the disk is full. */
static bool hold_rows(RbvResult *result, size_t bytes) {
    bool mapped = result->store.mapped > 0;
    double *data = mapped ? malloc(bytes) : realloc(result->data, bytes);
    if (!data)
        return false;
    if (mapped) {
        memcpy(data, result->data, (size_t)result->sample_count * row_bytes(result));
        rbv_result_rows_clear(result);
    }
    rbv_large_pages(data, bytes);
    result->data = data;
    return true;
}

/* Add one sample of a column to its summary. */
static void gather(RbvSummary *s, double value, bool first) {
    if (first)
        *s = (RbvSummary){value, value, value, NAN, NAN, fabs(value)};
    if (!(fabs(value) <= s->peak))
        s->peak = rbv_max(s->peak, fabs(value));
    s->min = value < s->min ? value : s->min;
    s->max = value > s->max ? value : s->max;
}

/* Pending samples are added in batches of at least BATCH, for TOGETHER neighbouring columns at a time: column by
 * column each sample would be fetched from memory once per column, and sample by sample all sums once per sample. */
#define BATCH 16
#define TOGETHER 8

static void gather_rows(RbvResult *result) {
    RbvStore *store = &result->store;
    for (size_t c = 0, next; c < width(result); c = next) {
        next = c + TOGETHER < width(result) ? c + TOGETHER : width(result);
        for (size_t j = c; j < next; j++) {
            RbvSummary sum = store->sums[j];
            for (int32_t k = store->summed; k < result->sample_count; k++)
                gather(&sum, result->data[(size_t)k * width(result) + j], k == 0);
            store->sums[j] = sum;
        }
    }
    store->summed = result->sample_count;
}

/* Allocate the running sums, once, in the result's arena; a single sample needs none. False: out of memory. */
static bool begin_sums(RbvResult *result) {
    RbvStore *store = &result->store;
    if (!store->sums)
        store->sums = rbv_arena_array(&result->arena, width(result) + 1, sizeof *store->sums);
    if (!store->times)
        store->times =
            rbv_arena_alloc(&result->arena, sizeof *store->times + width(result) * sizeof store->times->of[0]);
    return store->sums && store->times;
}

bool rbv_result_reserve(RbvResult *result, int32_t samples) {
    if (samples <= result->capacity)
        return true;
    size_t bytes = (size_t)samples * row_bytes(result);
    bool many = result->store.folder && bytes > (size_t)result->store.above;
    if (!(many && map_rows(result, bytes)) && !hold_rows(result, bytes))
        return false;
    if (samples > 1 && !begin_sums(result))
        return false;
    result->capacity = samples;
    return true;
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

/* Drop the pages of earlier rows of a mapped, shared file from memory: no data are lost, pages are read again on
 * access. */
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

/* Set subnormal values to 0: they have lost digits and are rounding errors of 0. */
static void flush_to_zero(double *row, size_t count) {
    for (size_t c = 0; c < count; c++)
        row[c] = fabs(row[c]) < DBL_MIN ? 0 : row[c];
}

/* The running sums hold the first `summed` samples, or all of a file; if samples in the sums were removed, they are
 * invalid (-1) until the series begins again. */
void rbv_result_commit(RbvResult *result) {
    RbvStore *store = &result->store;
    flush_to_zero(rbv_result_next(result), width(result));
    if (result->sample_count < store->summed || result->sample_count == 0)
        store->summed = result->sample_count == 0 ? 0 : -1;
    result->sample_count++;
    if (store->sums && store->summed >= 0 && (store->mapped > 0 || result->sample_count - store->summed >= BATCH))
        gather_rows(result);
    drop_behind(result, result->sample_count);
}

/* Adds the sums of later samples, count of them from sample `before` on, to those of a column. A column that is not a
 * number somewhere is summed again: what the sums take from it hangs on where it begins. */
static void add_sums(RbvResult *result, size_t column, const RbvSummary *later, int32_t before, int32_t count) {
    RbvSummary *s = &result->store.sums[column];
    bool numbers = later->min <= later->max && isfinite(later->peak);
    for (int32_t k = before; !numbers && k < before + count; k++)
        gather(s, result->data[(size_t)k * width(result) + column], false);
    if (!numbers)
        return;
    s->peak = later->peak <= s->peak ? s->peak : rbv_max(s->peak, later->peak);
    s->min = later->min < s->min ? later->min : s->min;
    s->max = later->max > s->max ? later->max : s->max;
}

bool rbv_result_append(RbvResult *result, RbvResult *later) {
    RbvStore *store = &result->store;
    int32_t before = result->sample_count, count = later->sample_count, needed = before + count;
    int32_t capacity = result->capacity > INT32_MAX / 2 ? INT32_MAX : 2 * result->capacity;
    if (count == 0) /* check has no rows */
        return true;
    if (needed > result->capacity && !rbv_result_reserve(result, needed > capacity ? needed : capacity))
        return false;
    memcpy(rbv_result_next(result), later->data, (size_t)count * row_bytes(result));
    bool summed = store->sums && store->summed >= 0 && store->summed <= before && before > 0;
    if (summed && store->summed < before)
        gather_rows(result);
    result->sample_count = needed;
    if (!summed)
        return true;
    bool known = later->store.sums && later->store.summed >= 0 && later->store.summed <= count;
    if (known)
        gather_rows(later);
    for (size_t c = 0; known && c < width(result); c++)
        add_sums(result, c, &later->store.sums[c], before, count);
    if (known)
        store->summed = needed;
    if (store->mapped > 0)
        madvise(result->data, store->mapped, MADV_DONTNEED);
    return true;
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

RbvSummary rbv_result_sums(const RbvResult *result, int32_t column) {
    RbvSummary s = {NAN, NAN, NAN, NAN, NAN, NAN};
    if (result->sample_count == 0)
        return s;
    int32_t summed =
        result->store.summed > 0 && result->store.summed <= result->sample_count ? result->store.summed : 0;
    if (summed > 0)
        s = result->store.sums[column];
    for (int32_t k = summed; k < result->sample_count; k++) {
        const double *row = rbv_result_row(result, k);
        gather(&s, row[column], k == 0);
    }
    return s;
}

bool rbv_result_rms(const RbvResult *result, const int32_t *columns, int32_t count, double *rms) {
    RbvQuadrature squares;
    RbvArena arena = {0};
    bool good = rbv_quadrature_create(&squares, count, &arena), along = result->followed.parameter != NULL;
    for (int32_t k = 0; good && k < result->sample_count; k++) {
        const double *row = rbv_result_row(result, k);
        double *values = rbv_quadrature_next(&squares, row[0]);
        for (int32_t c = 0; c < count; c++)
            values[c] = row[columns[c]] * row[columns[c]];
    }
    if (good)
        rbv_quadrature_end(&squares);
    for (int32_t c = 0; good && c < count; c++) {
        double last = result->sample_count > 0 ? rbv_result_row(result, result->sample_count - 1)[columns[c]] : NAN;
        rms[c] = squares.time > 0 ? sqrt(rbv_max(0, squares.sum[c]) / squares.time) : fabs(last);
        rms[c] = along ? NAN : rms[c];
    }
    rbv_arena_clear(&arena);
    return good;
}
