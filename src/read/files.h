/* Files: whole texts, and those that a model names. */
#ifndef RBV_READ_FILES_H
#define RBV_READ_FILES_H

#include "read/reader.h"

/* A whole file of at most `most` bytes, to be freed. */
RbvStatus rbv_read_file(const char *path, size_t most, char **text, size_t *length);
/* The path of a file named in the model: inside the model's folder, never above it. NULL: refused (said) or no memory. */
char *rbv_reader_path(RbvReader *reader, const char *file, RbvPosition at);

#endif
