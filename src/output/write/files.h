/* Files that are written: at a path that the user has named (output.c), and those of the folder of a run (folder.c,
 * keeper.c, series.c, scene_json.c). */
#ifndef RBV_OUTPUT_WRITE_FILES_H
#define RBV_OUTPUT_WRITE_FILES_H

#include "model/result/result.h"

#include <roberval/folder.h>

#include <stdio.h>

/* An output file at a path that the user has named: complete at its place in the end, or not there. */
typedef struct RbvOutputFile {
    FILE *stream;  /* stream to write to */
    int folder;    /* descriptor of the folder of the regular file that is created or replaced; -1: written directly to
                      what the path names */
    char *name;    /* name of the file in this folder */
    char part[48]; /* temporary name until the file is complete */
} RbvOutputFile;

/* Opens an output at `path`. Symbolic links are followed. A regular file is replaced at rbv_output_close; a device or
 * pipe is opened and written to. False: errno has the cause. */
bool rbv_output_open(RbvOutputFile *output, const char *path);
/* Closes an output. good: all was written (else errno has the cause). A complete regular file is brought to the disk
 * and renamed to its place; an incomplete one is removed. False: errno has the cause. */
bool rbv_output_close(RbvOutputFile *output, bool good);

/* Status for errno after a failure on a file: RBV_NO_MEMORY for ENOMEM, else RBV_NOT_WRITABLE with an error that names
 * the path. */
RbvStatus rbv_file_fail(const char *path, RbvDiagnostics *diagnostics);

/* Status for errno after a failed call on a file of the folder: RBV_NO_MEMORY for ENOMEM, else RBV_NOT_WRITABLE with an
 * error that names the file (NULL: the folder). */
RbvStatus rbv_folder_fail(const RbvFolder *folder, const char *file, RbvDiagnostics *diagnostics);

/* Creates a regular file `name` in the open folder and opens it for writing; returns its descriptor. A regular file of
 * that name is removed first; links are not followed; anything else of that name is an error. -1: errno has the cause.
 */
int rbv_create_in(int folder, const char *name);
/* Brings what was written to the disk (fsync); of a folder: the names in it. True also on file systems that have no
 * fsync. False: errno has the cause. */
bool rbv_sync(int file);

/* A result as result.json, series.csv, a page of tables, scene.json: new strings; NULL: out of memory, or no scene. */
char *rbv_json_of_result(const RbvResult *result);
char *rbv_series_of_result(const RbvResult *result, const RbvView *view);
char *rbv_tables_of_result(const RbvResult *result, const RbvView *view);
char *rbv_scene_of_result(const RbvResult *result);

/* The output folder of a run, locked for this run alone. */
typedef struct RbvFolderKeeper RbvFolderKeeper;

struct RbvFolder {
    char *path;  /* path as the caller gave it */
    size_t made; /* length of the shortest part of the path that this run created; 0: the whole path existed before */
    int folder;  /* file descriptor of the folder; -1: not open */
    int lock;    /* file descriptor of the lock file; -1: no lock */
    RbvFolderKeeper *keeper; /* keeper of a run whose samples and checkpoints are written during the run; NULL: none */
    bool abandoned;          /* the lock file is left of an earlier run that was killed */
};

/* Suffix of a file name until the file is complete. */
#define RBV_PART ".part"
#define RBV_CHECKPOINT "checkpoint"
#define RBV_CHECKPOINT_ROWS "checkpoint.rows"

/* Place of a message that is about no line of a file. */
#define RBV_NO_PLACE ((RbvPosition){0, 0})

/* Completes series.csv.part, which was written during the run, brings it to the disk and closes it. True: it has all
 * samples and the same first line as the result has now, and need not be written again. False: the caller must write
 * the series. A file that was changed from outside during the run is reported as a warning. */
bool rbv_folder_keeper_finish(RbvFolderKeeper *keeper, const RbvResult *result, const RbvView *view,
                              RbvDiagnostics *diagnostics);

/* Writes the last state that is still held in memory as a checkpoint, if no checkpoint has it yet; closes the files of
 * the keeper and frees the keeper. Files that were written stay. keeper may be NULL. */
void rbv_folder_keeper_close(RbvFolderKeeper *keeper);

/* Writes scene.json of a result that has one, directly into a file, since it may be large. False: errno has the cause.
 */
bool rbv_write_scene(const RbvResult *result, const RbvView *view, FILE *file);

/* Writers of series.csv and verdicts.csv in the units and columns of a view. */

/* A file to which samples are appended. */
typedef struct RbvSeriesFile {
    FILE *stream;
    uint64_t length, sum; /* number of bytes written [bytes], and their checksum (core/base/archive.h) */
} RbvSeriesFile;

/* Write series.csv or verdicts.csv to the file. False: errno has the cause. */
bool rbv_write_series(const RbvResult *result, const RbvView *view, FILE *file);
bool rbv_write_verdicts(const RbvResult *result, const RbvView *view, FILE *file);
/* Write choices.csv, a row for each motor and gear, and sizing.csv, a row for each figure; in SI units. False: errno
 * has the cause. */
bool rbv_write_choices(const RbvResult *result, const RbvView *view, FILE *file);
bool rbv_write_sizing(const RbvResult *result, const RbvView *view, FILE *file);

/* First line of series.csv; the caller frees it. NULL: out of memory. */
char *rbv_series_header(const RbvResult *result, const RbvView *view);
/* Appends the samples from number `first` to before `end`; the header line comes before sample 0. False: errno has the
 * cause. */
bool rbv_write_samples(const RbvResult *result, const RbvView *view, int32_t first, int32_t end, RbvSeriesFile *file);
/* Lines of all samples of a result, without the header; the caller frees them. NULL: out of memory. */
char *rbv_print_samples(const RbvResult *result, const RbvView *view, size_t *length);
/* Appends lines that rbv_print_samples has made. False: errno has the cause. */
bool rbv_write_lines(const char *lines, size_t length, RbvSeriesFile *file);

/* Numbers of the samples that a page of `result` needs (thinned.c), ascending: those whose loss would be seen in the
 * columns with shown[columns], or in the movement of bodies, whose columns have pose[columns]; or all of them. The
 * caller frees them; NULL: out of memory. */
int32_t *rbv_thinned_samples(const RbvResult *result, const bool *shown, const bool *pose, bool all, int32_t *count);

#endif
