/* series.csv, verdicts.csv and result.json: written beside their places, and moved there together when all are complete. */
#define _DEFAULT_SOURCE
#include "base/text.h"
#include "result/result.h"
#include "write/folder.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Bytes gathered before a write: large enough that the system call does not count. */
#define CHUNK (1u << 16)

typedef struct File {
    const char *name, *part;
    bool (*write)(const RbvResult *result, FILE *stream);
    bool wanted; /* one of an earlier run must not stand beside this result */
} File;

/* A file of the folder under its name for the time being, and whether it is complete. */
static bool write_part(const RbvFolder *folder, const RbvResult *result, const File *file) {
    int part = openat(folder->folder, file->part, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    FILE *stream = part < 0 ? NULL : fdopen(part, "wb");
    if (!stream) {
        int why = errno;
        if (part >= 0)
            close(part);
        errno = why;
        return false;
    }
    errno = 0;
    bool good = file->write(result, stream);
    good = fflush(stream) == 0 && good;
    int why = errno;
    good = fclose(stream) == 0 && good;
    errno = why ? why : errno;
    return good;
}

static bool flush(RbvText *text, FILE *file, size_t above) {
    if (text->no_memory) {
        errno = ENOMEM;
        return false;
    }
    if (text->length <= above)
        return true;
    bool good = fwrite(text->data, 1, text->length, file) == text->length;
    text->length = 0;
    return good;
}

static void header(RbvText *text, const RbvResult *result) {
    for (int32_t c = 0; c < result->column_count; c++) {
        const RbvColumn *column = &result->columns[c];
        rbv_text_format(text, "%s%s", c ? "," : "", column->name);
        if (*column->unit)
            rbv_text_format(text, " [%s]", column->unit);
        if (column->has_verdict && column->verdict != RBV_UNIQUE)
            rbv_text_format(text, " (%s)", rbv_verdict_name(column->verdict));
    }
    rbv_text_add(text, "\n");
}

static bool write_series(const RbvResult *result, FILE *file) {
    RbvText text = {0};
    header(&text, result);
    bool good = true;
    for (int32_t k = 0; good && k < result->sample_count; k++) {
        for (int32_t c = 0; c < result->column_count; c++) {
            if (c)
                rbv_text_append(&text, ",", 1);
            double value = rbv_result_value(result, k, c);
            if (isfinite(value))
                rbv_text_number(&text, value);
        }
        rbv_text_append(&text, "\n", 1);
        good = flush(&text, file, CHUNK);
    }
    good = good && flush(&text, file, 0);
    rbv_text_clear(&text);
    return good;
}

static bool write_verdicts(const RbvResult *result, FILE *file) {
    RbvText text = {0};
    const RbvColumn *along = &result->columns[0];
    rbv_text_format(&text, *along->unit ? "%s [%s],component,verdict\n" : "%s,component,verdict\n", along->name, along->unit);
    bool good = true;
    for (int32_t k = 0; good && k < result->change_count; k++) {
        rbv_text_number(&text, result->changes[k].time);
        rbv_text_format(&text, ",%s,%s\n", result->columns[result->changes[k].column].name, rbv_verdict_name(result->changes[k].verdict));
        good = flush(&text, file, CHUNK);
    }
    good = good && flush(&text, file, 0);
    rbv_text_clear(&text);
    return good;
}

static bool write_json(const RbvResult *result, FILE *file) {
    char *json = rbv_result_json(result);
    if (!json) {
        errno = ENOMEM;
        return false;
    }
    bool good = fputs(json, file) >= 0;
    free(json);
    return good;
}

#define FILES 3

static void remove_parts(const RbvFolder *folder, const File *files) {
    int why = errno;
    for (int k = 0; k < FILES; k++)
        unlinkat(folder->folder, files[k].part, 0);
    errno = why;
}

static bool remove_file(const RbvFolder *folder, const char *name) {
    return unlinkat(folder->folder, name, 0) == 0 || errno == ENOENT;
}

/* All parts take their places. result.json goes first and comes last: whatever happens on the way, files that stand beside each other are of one run. NULL, or the file
 * that could not be. */
static const char *take_places(const RbvFolder *folder, const File *files) {
    for (int k = FILES - 1; k >= 0; k--)
        if ((k > 0 || !files[k].wanted) && !remove_file(folder, files[k].name))
            return files[k].name;
    for (int k = 0; k < FILES; k++)
        if (files[k].wanted && renameat(folder->folder, files[k].part, folder->folder, files[k].name) != 0)
            return files[k].name;
    return NULL;
}

RbvStatus rbv_folder_write(RbvFolder *folder, const RbvResult *result, RbvDiagnostics *diagnostics) {
    if (!folder || !result)
        return RBV_BAD_ARGUMENT;
    const File files[FILES] = {{"series.csv", "series.csv" RBV_PART, write_series, result->sample_count > 0},
                               {"verdicts.csv", "verdicts.csv" RBV_PART, write_verdicts, result->change_count > 0},
                               {"result.json", "result.json" RBV_PART, write_json, true}};
    const char *failed = NULL;
    remove_parts(folder, files);
    for (int k = 0; k < FILES && !failed; k++)
        if (files[k].wanted && !write_part(folder, result, &files[k]))
            failed = files[k].name;
    failed = failed ? failed : take_places(folder, files);
    if (!failed)
        return RBV_OK;
    remove_parts(folder, files);
    return rbv_folder_fail(folder, failed, diagnostics);
}

RbvStatus rbv_result_write(const RbvResult *result, const char *path, RbvDiagnostics *diagnostics) {
    if (!result || !path)
        return RBV_BAD_ARGUMENT;
    RbvFolder *folder;
    RbvStatus status = rbv_folder_open(path, diagnostics, &folder);
    if (status == RBV_OK)
        status = rbv_folder_write(folder, result, diagnostics);
    rbv_folder_close(folder);
    return status;
}
