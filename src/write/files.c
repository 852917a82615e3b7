/* series.csv, verdicts.csv and result.json: each is written beside its place and moved there when it is complete. */
#include "base/diagnostics.h"
#include "base/text.h"
#include "result/result.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Bytes gathered before a write: large enough that the system call does not count. */
#define CHUNK (1u << 16)

static RbvStatus cannot(RbvDiagnostics *diagnostics, const char *path) {
    rbv_diagnose(diagnostics, RBV_ERROR, NULL, (RbvPosition){0, 0}, "cannot write %s: %s", path, strerror(errno));
    return RBV_NOT_WRITABLE;
}

static bool make_folder(const char *folder) {
    char path[4096];
    size_t length = strlen(folder);
    if (length == 0 || length >= sizeof path) {
        errno = length == 0 ? ENOENT : ENAMETOOLONG;
        return false;
    }
    memcpy(path, folder, length + 1);
    for (size_t k = 1; k <= length; k++) {
        if (path[k] != '/' && path[k] != '\0')
            continue;
        char cut = path[k];
        path[k] = '\0';
        if (mkdir(path, 0777) != 0 && errno != EEXIST)
            return false;
        path[k] = cut;
    }
    return true;
}

typedef struct Output {
    char path[4300], temporary[4310];
    FILE *file;
} Output;

static bool open_output(Output *output, const char *folder, const char *name) {
    snprintf(output->path, sizeof output->path, "%s/%s", folder, name);
    snprintf(output->temporary, sizeof output->temporary, "%s.part", output->path);
    output->file = fopen(output->temporary, "wb");
    return output->file != NULL;
}

/* Everything must be on its way to the disk before the name is taken. */
static bool close_output(Output *output, bool good) {
    good = fflush(output->file) == 0 && good;
    int saved = errno;
    good = fclose(output->file) == 0 && good;
    if (good && rename(output->temporary, output->path) == 0)
        return true;
    if (!good && saved)
        errno = saved;
    saved = errno;
    remove(output->temporary);
    errno = saved;
    return false;
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

RbvStatus rbv_result_write(const RbvResult *result, const char *folder, RbvDiagnostics *diagnostics) {
    if (!result || !folder)
        return RBV_BAD_ARGUMENT;
    typedef bool (*Writer)(const RbvResult *, FILE *);
    const struct {
        const char *name;
        Writer write;
        bool wanted;
    } files[] = {{"series.csv", write_series, result->sample_count > 0},
                 {"verdicts.csv", write_verdicts, result->change_count > 0},
                 {"result.json", write_json, true}};
    if (!make_folder(folder))
        return cannot(diagnostics, folder);
    for (size_t k = 0; k < sizeof files / sizeof files[0]; k++) {
        Output output;
        errno = 0;
        if (!files[k].wanted) { /* one of an earlier run must not stand beside this result */
            char stale[4300];
            snprintf(stale, sizeof stale, "%s/%s", folder, files[k].name);
            remove(stale);
            continue;
        }
        if (!open_output(&output, folder, files[k].name))
            return cannot(diagnostics, output.path);
        if (!close_output(&output, files[k].write(result, output.file)))
            return cannot(diagnostics, output.path);
    }
    return RBV_OK;
}
