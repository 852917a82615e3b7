/* The output folder of a run, locked for this run alone. */
#ifndef RBV_OUTPUT_WRITE_FOLDER_H
#define RBV_OUTPUT_WRITE_FOLDER_H

#include <roberval/result.h>

#include <stdio.h>

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

#endif
