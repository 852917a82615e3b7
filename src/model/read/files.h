/* Reading of whole files, and of files named by a model. */
#ifndef RBV_MODEL_READ_FILES_H
#define RBV_MODEL_READ_FILES_H

#include "model/read/fields.h"

#include <stdio.h>

/* Read a whole file of at most `most` bytes into *text, to be freed by the caller. */
RbvStatus rbv_read_file(const char *path, size_t most, char **text, size_t *length);
/* Open a regular file for reading, without blocking on other kinds of files. NULL: see errno, 0 for a file that is
 * not regular. */
FILE *rbv_open_regular(const char *path);
/* Does the name alone leave its folder (absolute, or too many ..), whatever exists on disk? */
bool rbv_climbs(const char *name);
/* rbv_read_file for a regular file only. */
RbvStatus rbv_read_regular_file(const char *path, size_t most, char **text, size_t *length);
/* Read a file that the model names at position `at`; allowed are only files in the model's folder and in the folders
 * of --path. *path: name for messages. False: an error was reported, or out of memory. */
bool rbv_read_named_file(RbvReader *reader, const char *name, RbvPosition at, size_t most, const char **path,
                         char **text, size_t *length);

#endif
