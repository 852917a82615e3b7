/* State of reading a model file, and the reading of its maps by their tables of keys and of its scalars: unknown keys,
 * missing keys and wrong types are reported; values are converted to SI. */
#ifndef RBV_MODEL_READ_FIELDS_H
#define RBV_MODEL_READ_FIELDS_H

#include "model/model/keys.h"
#include "model/model/model.h"
#include "model/read/tree.h"

/* Overrides of parameters, each "name=value", and the option that gave them, for messages. */
typedef struct RbvOverrides {
    int32_t count;
    const char *const *items;
    const char *option;
} RbvOverrides;

/* Additional folders for files that a model names: --path. */
typedef struct RbvFolders {
    int32_t count;
    const char *const *items;
} RbvFolders;

/* What a call gives besides the file and its name (RbvInput). */
typedef struct RbvCallSettings {
    RbvOverrides overrides;
    RbvFolders folders;
    int32_t input_count, function_count;
    const char *const *inputs;       /* names of parameters that are inputs of simulations */
    const RbvFunctionDef *functions; /* of the calling program */
    bool scene;                      /* RbvInput.scene */
} RbvCallSettings;

/* State of reading: the model, units, settings of the call, diagnostics. */
typedef struct RbvReader {
    RbvDiagnostics *diagnostics;
    const char *file;
    RbvModel *model;
    RbvArena arena;             /* strings and lists referenced by Defs */
    double unit[RBV_DIM_COUNT]; /* SI value of a bare 1 of each dimension */
    RbvCallSettings call;
    bool *override_used;            /* [call.overrides.count] */
    RBV_ARRAY(RbvBodyShape) shapes; /* shapes of the body being read, in the arena, if the model keeps shapes */
    bool no_memory;
} RbvReader;

/* Position source of one item: positions are looked up in its node. */
typedef struct RbvPlaces {
    const RbvNode *node;
    RbvPosition name_at;
} RbvPlaces;
RbvSource rbv_reader_source(const RbvReader *reader, const RbvPlaces *places);

/* Append a shape of the body being read, if the model keeps shapes. */
void rbv_reader_keep_shape(RbvReader *reader, const RbvBodyShape *shape);
void rbv_reader_error(RbvReader *reader, RbvPosition at, const char *format, ...) RBV_PRINTF(3, 4);

/* A checked map. `type` selects among keys with an `only` list. */
typedef struct RbvFields {
    RbvReader *reader;
    const RbvNode *node;
    RbvPosition at; /* position of the item's name, or of the map */
    const RbvKey *keys;
    const char *type;
    const char *what; /* "body 'rod'", for messages */
    bool incomplete;  /* a required key is missing (reported) */
    bool unknown;     /* the map has an unknown key (reported) */
} RbvFields;

/* Check that `node` is a map with known keys. False (reported): no map; unknown and missing keys are reported, and
 * reading continues. */
bool rbv_fields_open(RbvFields *fields, RbvReader *reader, const RbvNode *node, RbvPosition at, const RbvKey *keys,
                     const char *type, const char *what);
/* Description of an item of a section in messages, and its position. Must not be moved in memory. */
typedef struct RbvLabel {
    char what[160];
    RbvPlaces places;
} RbvLabel;
/* Open item k of `dict`, of a `kind` such as "stop", with the keys of `key`. False as in rbv_fields_open; label and
 * source are set in any case. */
bool rbv_fields_open_item(RbvFields *fields, RbvLabel *label, RbvSource *source, RbvReader *reader, const RbvKey *key,
                          const RbvNode *dict, int32_t k, const char *kind, const char *type);
/* The node under `key`, or NULL. */
const RbvNode *rbv_fields_node(const RbvFields *fields, const char *key);
/* The table row of `key` for the type of the fields. */
const RbvKey *rbv_fields_key(const RbvFields *fields, const char *key);

/* The following functions leave *out unchanged if the key is absent or wrong (reported). */
void rbv_fields_text(const RbvFields *fields, const char *key, const char **out);
void rbv_fields_bool(const RbvFields *fields, const char *key, bool *out);
void rbv_fields_choice(const RbvFields *fields, const char *key, int *out);
void rbv_fields_quantity(const RbvFields *fields, const char *key, double *out);
/* Fill out[0 ... length-1]; returns the length, 0 if absent or wrong. */
int rbv_fields_quantities(const RbvFields *fields, const char *key, double *out);
/* A quantity, or a list of two: out[0] and out[1]; a single quantity sets both. */
void rbv_fields_range(const RbvFields *fields, const char *key, double out[2]);
/* Check that the value of a present key is positive; else an error is reported. */
bool rbv_fields_positive(const RbvFields *fields, const char *key, double value);
/* The key of the only map value in these fields; NULL: none, or several. */
const RbvKey *rbv_fields_only_map(const RbvFields *fields);
void rbv_fields_expression(const RbvFields *fields, const char *key, const char **out);
int rbv_fields_texts(const RbvFields *fields, const char *key, const char **out);
/* Store every key that has an offset (`into`) in the Def. A choice is stored as a bool: not the first word. */
void rbv_fields_fill(const RbvFields *fields, void *def);

/* Read one scalar node as a quantity, in SI. `name`: for messages. */
bool rbv_read_quantity(RbvReader *reader, const RbvNode *node, RbvDimension dimension, const char *name, double *out);
/* Read a quantity that is a size or mass of the machine. Also reports numbers whose triple product overflows, and
 * masses whose square underflows. */
bool rbv_read_measure(RbvReader *reader, const RbvNode *node, RbvDimension dimension, const char *name, double *out);
/* Read a rate r [1/s] of a decay exp(-r t). Hz is refused because it counts cycles. */
bool rbv_read_decay(RbvReader *reader, const RbvNode *node, const char *name, double *out);
/* Read a quantity and its dimension: a number without unit is bare. */
bool rbv_read_constant(RbvReader *reader, const RbvNode *node, RbvDimension dimension, const char *name, double *out,
                       RbvExprDimension *measured);
bool rbv_read_quantities(RbvReader *reader, const RbvNode *node, const RbvKey *key, double *out, int *count);
/* The text of an expression, in SI; a number or quantity is converted and printed. */
bool rbv_read_expression(RbvReader *reader, const RbvNode *node, RbvDimension dimension, const char *name,
                         const char **out);

/* Form of a string: "NUMBER", "NUMBER UNIT" (possibly with a wrong unit), or an expression. */
typedef enum RbvWritten {
    RBV_WRITTEN_NUMBER,
    RBV_WRITTEN_QUANTITY,
    RBV_WRITTEN_BAD_UNIT,
    RBV_WRITTEN_EXPRESSION
} RbvWritten;
RbvWritten rbv_written_as(const char *text, double *number, RbvUnit *unit, const char **unit_text);

#endif
