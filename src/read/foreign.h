/* Files of other kinds given as a model. Private to src/read/. */
#ifndef RBV_READ_FOREIGN_H
#define RBV_READ_FOREIGN_H

#include "read/tree.h"

/* Is the text something else than YAML or JSON? Then message[size] says what, and where it belongs. */
bool rbv_foreign_text(const char *text, size_t length, char *message, size_t size);
/* Is the tree a file that this program wrote itself, but no model? */
bool rbv_foreign_root(const RbvNode *root, char *message, size_t size);

#endif
