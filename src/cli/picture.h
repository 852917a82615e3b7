/* Pictures beside a result: --svg, --frames. */
#ifndef RBV_CLI_PICTURE_H
#define RBV_CLI_PICTURE_H

#include "cli/call.h"

/* Does the call ask for one? And for it on standard output, where nothing else stands then? */
bool wants_picture(const Call *call);
bool prints_picture(const Call *call);
/* Options of pictures without a picture, or two things for standard output: a mistake was said. */
bool fits_picture(const Call *call);
/* May a file with these contents be called so: has it no ending, or one of these (up to NULL)? A device, a pipe,
 * standard output are called as they are. Else it was said, with the first of them. */
bool fits_ending(const char *path, const char *const *endings, const char *what);
/* The exit status; what went wrong was said. */
int write_pictures(const Call *call, const RbvView *view, const RbvResult *result);

#endif
