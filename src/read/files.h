/* Files: whole texts, and those that a model names. */
#ifndef RBV_READ_FILES_H
#define RBV_READ_FILES_H

#include "read/reader.h"

#include <stdio.h>

/* A whole file of at most `most` bytes, to be freed. */
RbvStatus rbv_read_file(const char *path, size_t most, char **text, size_t *length);
/* A regular file, opened for reading without waiting for what is none. NULL: errno, 0 for what is no regular file. */
FILE *rbv_open_regular(const char *path);
/* The same of a regular file. */
RbvStatus rbv_read_regular_file(const char *path, size_t most, char **text, size_t *length);
/* And of a file that the model names at a place: only one in the folders that it may read (--path). *path is what
 * messages call it. False: said, or no memory. */
bool rbv_read_named_file(RbvReader *reader, const char *name, RbvPosition at, size_t most, const char **path,
                         char **text, size_t *length);

#endif
