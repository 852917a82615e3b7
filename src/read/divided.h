/* Texts that a comma has cut in two, in lists and maps written in brackets. Private to src/read/. */
#ifndef RBV_READ_DIVIDED_H
#define RBV_READ_DIVIDED_H

#include "read/tree.h"

/* The next item from *from on that is the first piece of such a text, with what is wrong in `message`; *from goes
 * behind its last piece. -1: there is none. */
int32_t rbv_find_divided(const RbvNode *node, int32_t *from, char *message, size_t size);

#endif
