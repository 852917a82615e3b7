/* Pictures beside a result: --svg, --frames. */
#ifndef RBV_CLI_PICTURE_H
#define RBV_CLI_PICTURE_H

#include "cli/call.h"

/* requests_picture: true if the call requests a picture; prints_picture: true if that picture goes to standard output,
 * which then holds nothing else. */
bool requests_picture(const Call *call);
bool prints_picture(const Call *call);
/* Check the picture options. False (error reported): options of pictures without a picture, or two outputs for standard
 * output. */
bool fits_picture(const Call *call);
/* Check the ending of a file name: none, or one of `endings` (up to NULL). Devices, pipes and standard output may have
 * any name. False: error reported, which proposes endings[0]; `what` begins the message. */
bool fits_ending(const char *path, const char *const *endings, const char *what);
/* Write the pictures of --svg and --frames; errors are reported. Returns the exit status. */
int write_pictures(const Call *call, const RbvView *view, const RbvResult *result);

#endif
