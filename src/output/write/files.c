/* Writes series.csv, verdicts.csv, scene.json and result.json: each under a temporary name, all moved to their places
 * together when all are complete. */
#define _DEFAULT_SOURCE
#include "model/result/result.h"
#include "output/write/folder.h"
#include "output/write/output.h"
#include "output/write/scene_json.h"
#include "output/write/series.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct File {
    const char *name, *part;
    bool (*write)(const RbvResult *result, const RbvView *view, FILE *stream);
    bool requested; /* the result has this file; a file of an earlier run is removed in any case */
} File;

/* Writes a file of the folder under its temporary name. False: incomplete; errno has the cause. */
static bool write_part(const RbvFolder *folder, const RbvResult *result, const RbvView *view, const File *file) {
    int part = rbv_create_in(folder->folder, file->part);
    FILE *stream = part < 0 ? NULL : fdopen(part, "wb");
    if (!stream) {
        int why = errno;
        if (part >= 0)
            close(part);
        errno = why;
        return false;
    }
    errno = 0;
    bool good = file->write(result, view, stream);
    good = fflush(stream) == 0 && good && rbv_sync(part);
    int why = errno;
    good = fclose(stream) == 0 && good;
    errno = why ? why : errno;
    return good;
}

static bool write_json(const RbvResult *result, const RbvView *view, FILE *file) {
    (void)view;
    char *json = rbv_result_json(result);
    if (!json) {
        errno = ENOMEM;
        return false;
    }
    bool good = fputs(json, file) >= 0;
    free(json);
    return good;
}

#define FILES 4

static void remove_parts(const RbvFolder *folder, const File *files, int first) {
    int why = errno;
    for (int k = first; k < FILES; k++)
        unlinkat(folder->folder, files[k].part, 0);
    errno = why;
}

static bool remove_file(const RbvFolder *folder, const char *name) {
    return unlinkat(folder->folder, name, 0) == 0 || errno == ENOENT;
}

/* Renames all parts to their places. The old result.json is removed first and the new one is placed last: wherever this
 * stops, files that stand beside each other are of one run. Returns NULL, or the name of the file that failed. */
static const char *take_places(const RbvFolder *folder, const File *files) {
    for (int k = FILES - 1; k >= 0; k--)
        if ((k > 0 || !files[k].requested) && !remove_file(folder, files[k].name))
            return files[k].name;
    for (int k = 0; k < FILES; k++)
        if (files[k].requested && renameat(folder->folder, files[k].part, folder->folder, files[k].name) != 0)
            return files[k].name;
    return rbv_sync(folder->folder) ? NULL : ".";
}

RbvStatus rbv_folder_write(RbvFolder *folder, const RbvResult *result, const RbvView *given,
                           RbvDiagnostics *diagnostics) {
    if (!folder || !result)
        return RBV_BAD_ARGUMENT;
    const RbvView all = rbv_view_default(), *view = given ? given : &all;
    const File files[FILES] = {{"series.csv", "series.csv" RBV_PART, rbv_write_series, result->sample_count > 0},
                               {"verdicts.csv", "verdicts.csv" RBV_PART, rbv_write_verdicts, result->change_count > 0},
                               {"scene.json", "scene.json" RBV_PART, rbv_write_scene, result->scene != NULL},
                               {"result.json", "result.json" RBV_PART, write_json, true}};
    const char *failed = NULL;
    RbvStatus status = folder->keeper ? RBV_OK : rbv_folder_is_free(folder, diagnostics);
    if (status != RBV_OK)
        return status;
    int first =
        files[0].requested && rbv_folder_keeper_finish(folder->keeper, result, view,
                                                       diagnostics); /* series.csv.part was written during the run */
    remove_parts(folder, files, first);
    for (int k = first; k < FILES && !failed; k++)
        if (files[k].requested && !write_part(folder, result, view, &files[k]))
            failed = files[k].name;
    failed = failed ? failed : take_places(folder, files);
    if (!failed)
        return RBV_OK;
    remove_parts(folder, files, 0);
    return rbv_folder_fail(folder, failed, diagnostics);
}

RbvStatus rbv_result_write(const RbvResult *result, const char *path, const RbvView *view,
                           RbvDiagnostics *diagnostics) {
    if (!result || !path)
        return RBV_BAD_ARGUMENT;
    RbvFolder *folder;
    RbvStatus status = rbv_folder_open(path, diagnostics, &folder);
    if (status == RBV_OK)
        status = rbv_folder_write(folder, result, view, diagnostics);
    rbv_folder_close(folder);
    return status;
}
