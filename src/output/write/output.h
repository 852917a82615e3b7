/* Output file at a path that the user has named: complete at its place in the end, or not there. */
#ifndef RBV_OUTPUT_WRITE_OUTPUT_H
#define RBV_OUTPUT_WRITE_OUTPUT_H

#include <roberval/result.h>

#include <stdio.h>

typedef struct RbvOutput {
    FILE *stream;  /* stream to write to */
    int folder;    /* descriptor of the folder of the regular file that is created or replaced; -1: written directly to
                      what the path names */
    char *name;    /* name of the file in this folder */
    char part[48]; /* temporary name until the file is complete */
} RbvOutput;

/* Opens an output at `path`. Symbolic links are followed. A regular file is replaced at rbv_output_close; a device or
 * pipe is opened and written to. False: errno has the cause. */
bool rbv_output_open(RbvOutput *output, const char *path);
/* Closes an output. good: all was written (else errno has the cause). A complete regular file is brought to the disk
 * and renamed to its place; an incomplete one is removed. False: errno has the cause. */
bool rbv_output_close(RbvOutput *output, bool good);

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

#endif
