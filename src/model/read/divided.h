/* Detects strings that a comma has divided into two items, in bracketed lists and maps. Private to src/read/. */
#ifndef RBV_MODEL_READ_DIVIDED_H
#define RBV_MODEL_READ_DIVIDED_H

#include "model/read/tree.h"

/* The first item from *from on that begins a divided string, with the error in `message`; *from moves behind its last
 * piece. -1: none. */
int32_t rbv_find_divided(const RbvNode *node, int32_t *from, char *message, size_t size);

#endif
