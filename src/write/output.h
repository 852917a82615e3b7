/* A file that the user has named, while it is written: whole at its place in the end, or not there. */
#ifndef RBV_WRITE_OUTPUT_H
#define RBV_WRITE_OUTPUT_H

#include <roberval/base.h>

#include <stdio.h>

typedef struct RbvOutput {
    FILE *stream;  /* to write to */
    int folder;    /* of the regular file that this one will be, or replace; -1: what stands there is written to */
    char *name;    /* in the folder */
    char part[48]; /* what it is called until it is complete */
} RbvOutput;

/* Links are followed; a regular file will be replaced, what is no regular file (device, pipe) is opened. False: errno.
 */
bool rbv_output_open(RbvOutput *output, const char *path);
/* `good`: all was written (else errno says why not). The file is brought to the disk and takes its place, or goes.
 * False: errno. */
bool rbv_output_close(RbvOutput *output, bool good);

/* The status for errno after one of these failed on a file; said with its path. */
RbvStatus rbv_file_fail(const char *path, RbvDiagnostics *diagnostics);

/* A new regular file in an open folder, of which nothing of that name is followed: a regular file goes, anything else
 * is refused. -1: errno. */
int rbv_create_in(int folder, const char *name);
/* What was written reaches the disk, where the file system knows how; of a folder: the names in it. False: errno. */
bool rbv_sync(int file);

#endif
