/* Pictures beside a result: --svg, --frames. */
#ifndef RBV_CLI_PICTURE_H
#define RBV_CLI_PICTURE_H

#include "cli/call.h"

/* Does the call ask for one? And for it on standard output, where nothing else stands then? */
bool wants_picture(const Call *call);
bool prints_picture(const Call *call);
/* Options of pictures without a picture, or two things for standard output: a mistake was said. */
bool fits_picture(const Call *call);
/* Each file is written beside its place and moved there when it is complete. The exit status; what went wrong was said. */
int write_pictures(const Call *call, const RbvView *view, const RbvResult *result);
/* A text that is freed into a file, so; NULL: there was no memory for it. */
int write_text(const char *path, char *text);

#endif
