/* A map of the file against its keys: unknown keys, missing keys and wrong types are said here; values come out in SI.
 */
#ifndef RBV_READ_FIELDS_H
#define RBV_READ_FIELDS_H

#include "model/keys.h"
#include "read/reader.h"

/* One checked map: `type` selects keys with an `only` list. */
typedef struct RbvFields {
    RbvReader *reader;
    const RbvNode *node;
    RbvPosition at; /* of the thing's name, or of the map */
    const RbvKey *keys;
    const char *type;
    const char *what; /* "body 'rod'", for messages */
    bool incomplete;  /* a required key is missing (said) */
    bool unknown;     /* some key does not belong here (said) */
} RbvFields;

/* Check that `node` is a map and its keys are known. False (said) when it is no map; unknown and missing keys are said
 * and ignored. */
bool rbv_fields_open(RbvFields *fields, RbvReader *reader, const RbvNode *node, RbvPosition at, const RbvKey *keys,
                     const char *type, const char *what);
/* What a thing of a section is called in messages, and where it stands. Not to be moved. */
typedef struct RbvLabel {
    char what[160];
    RbvPlaces places;
} RbvLabel;
/* Open dict's thing k, a `kind` ("stop"), with the keys that `key` has. False as of rbv_fields_open; the label and the
 * source are known all the same. */
bool rbv_fields_open_item(RbvFields *fields, RbvLabel *label, RbvSource *source, RbvReader *reader, const RbvKey *key,
                          const RbvNode *dict, int32_t k, const char *kind, const char *type);
/* The node under `key`, or NULL. */
const RbvNode *rbv_fields_node(const RbvFields *fields, const char *key);
/* The table's row for `key` and the fields' type. */
const RbvKey *rbv_fields_key(const RbvFields *fields, const char *key);

/* Each leaves *out alone when the key is absent or wrong (said). */
void rbv_fields_text(const RbvFields *fields, const char *key, const char **out);
void rbv_fields_bool(const RbvFields *fields, const char *key, bool *out);
void rbv_fields_choice(const RbvFields *fields, const char *key, int *out);
void rbv_fields_quantity(const RbvFields *fields, const char *key, double *out);
/* Fills out[0 ... length-1] and returns the length, 0 when absent or wrong. */
int rbv_fields_quantities(const RbvFields *fields, const char *key, double *out);
/* A quantity, or a list of two: out[0] and out[1], equal for one. */
void rbv_fields_range(const RbvFields *fields, const char *key, double out[2]);
/* Is the value of a key that stands here positive? Said when not. */
bool rbv_fields_positive(const RbvFields *fields, const char *key, double value);
/* Of the keys that are maps the one that stands here, when there is exactly one; else NULL. */
const RbvKey *rbv_fields_only_map(const RbvFields *fields);
void rbv_fields_expression(const RbvFields *fields, const char *key, const char **out);
int rbv_fields_expressions(const RbvFields *fields, const char *key, const char **out);
int rbv_fields_texts(const RbvFields *fields, const char *key, const char **out);
/* Every key that says where it belongs in the Def. A choice becomes the truth of "not the first word". */
void rbv_fields_fill(const RbvFields *fields, void *def);

/* The value of one scalar node. `name` for messages. */
bool rbv_read_quantity(RbvReader *reader, const RbvNode *node, RbvDimension dimension, const char *name, double *out);
/* The same of what the machine is made of. Numbers whose products of three are infinite, and masses whose squares are
 * nothing, cannot be computed with: said. */
bool rbv_read_measure(RbvReader *reader, const RbvNode *node, RbvDimension dimension, const char *name, double *out);
/* The rate r [1/s] of something that dies out by exp(-r t): Hz, which counts cycles, is refused. */
bool rbv_read_decay(RbvReader *reader, const RbvNode *node, const char *name, double *out);
/* A quantity with what it measures: a number without unit is bare. */
bool rbv_read_constant(RbvReader *reader, const RbvNode *node, RbvDimension dimension, const char *name, double *out,
                       RbvExprDimension *measured);
bool rbv_read_quantities(RbvReader *reader, const RbvNode *node, const RbvKey *key, double *out, int *count);
/* The text of an expression in SI; a number or quantity is converted and printed. */
bool rbv_read_expression(RbvReader *reader, const RbvNode *node, RbvDimension dimension, const char *name,
                         const char **out);

/* Does the string read as "NUMBER", "NUMBER UNIT" or neither? */
typedef enum RbvWritten {
    RBV_WRITTEN_NUMBER,
    RBV_WRITTEN_QUANTITY,
    RBV_WRITTEN_BAD_UNIT,
    RBV_WRITTEN_EXPRESSION
} RbvWritten;
RbvWritten rbv_written_as(const char *text, double *number, RbvUnit *unit, const char **unit_text);

#endif
