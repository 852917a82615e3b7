/* Recognition of files of other kinds given as a model. Private to src/read/. */
#ifndef RBV_MODEL_READ_FOREIGN_H
#define RBV_MODEL_READ_FOREIGN_H

#include "model/read/tree.h"

/* Is the text neither YAML nor JSON? Then message[size] names its kind and where it belongs. */
bool rbv_foreign_text(const char *text, size_t length, char *message, size_t size);
/* Is the tree a file written by this program that is no model? Then message[size] explains it. */
bool rbv_foreign_root(const RbvNode *root, char *message, size_t size);

#endif
