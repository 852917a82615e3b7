/* The folder that a run writes into, held by that run alone. */
#ifndef RBV_WRITE_FOLDER_H
#define RBV_WRITE_FOLDER_H

#include <roberval/result.h>

typedef struct RbvFolderKeeper RbvFolderKeeper;

struct RbvFolder {
    char *path;              /* as given */
    size_t made;             /* length of the shortest part of the path that was not there before; 0: all was */
    int folder;              /* descriptor of the folder, -1: not open */
    int lock;                /* of its lock file, -1: not held */
    RbvFolderKeeper *keeper; /* of a run that is kept while it goes on; NULL: none */
    bool abandoned;          /* an earlier run was killed here */
};

/* What is written is called so until it is complete. */
#define RBV_PART ".part"
#define RBV_CHECKPOINT "checkpoint"
#define RBV_CHECKPOINT_ROWS "checkpoint.rows"

/* The status for errno after a call on a file of the folder failed; said with the file's name (NULL: the folder's). */
RbvStatus rbv_folder_fail(const RbvFolder *folder, const char *file, RbvDiagnostics *diagnostics);

/* series.csv.part, which was written along the run, has all samples, nothing was done to it (else it is said), and its
 * first line is that of the result as it is: it is on the disk and need not be written again. False: it must be. */
bool rbv_folder_keeper_finish(RbvFolderKeeper *keeper, const RbvResult *result, const RbvView *view,
                              RbvDiagnostics *diagnostics);

/* Its files are closed; what it has written stays, and the last state that is worth it (keeper.c). NULL is allowed. */
void rbv_folder_keeper_close(RbvFolderKeeper *keeper);

#endif
