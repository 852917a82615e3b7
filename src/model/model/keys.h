/* Table of keys of the model file, and a dictionary of foreign words. The reader, the JSON Schema and the documentation
 * are made from this table. */
#ifndef RBV_MODEL_MODEL_KEYS_H
#define RBV_MODEL_MODEL_KEYS_H

#include "core/base/units.h"
#include "model/model/kinds.h"

#include <stdbool.h>
#include <stddef.h>

typedef enum RbvKeyKind {
    RBV_KEY_TEXT,   /* a string */
    RBV_KEY_CHOICE, /* one of `words` */
    RBV_KEY_BOOL,
    RBV_KEY_NUMBER,          /* a plain number */
    RBV_KEY_QUANTITY,        /* number, "NUMBER UNIT" or an expression of parameters, of dimension[0] */
    RBV_KEY_RANGE,           /* a quantity, or a list of two: least and largest */
    RBV_KEY_EXPRESSION,      /* a quantity, or an expression of what the model can measure */
    RBV_KEY_QUANTITIES,      /* list of least ... most quantities; dimension[k], the last one repeated */
    RBV_KEY_EXPRESSIONS,     /* list of least ... most expressions; dimension[k], the last one repeated */
    RBV_KEY_MATRIX,          /* list of lists of expressions */
    RBV_KEY_TEXTS,           /* list of strings */
    RBV_KEY_MAP,             /* fixed keys: children */
    RBV_KEY_MARKER,          /* a list of coordinates, or a map of children */
    RBV_KEY_LIST,            /* list of maps of children */
    RBV_KEY_DICT,            /* user's names to maps of children */
    RBV_KEY_MARKERS,         /* user's names to markers */
    RBV_KEY_EXPRESSION_DICT, /* user's names to expressions */
    RBV_KEY_QUANTITY_DICT,   /* user's names or coordinates to quantities */
    RBV_KEY_COORDINATE_DICT, /* coordinates to expressions */
    RBV_KEY_TOLERANCE_DICT,  /* names of parameters and "joint.x" to quantities, or maps of children */
    RBV_KEY_LATER            /* part of the language, not supported in this version */
} RbvKeyKind;

typedef struct RbvKey {
    const char *name;
    RbvKeyKind kind;
    bool required;
    RbvDimension dimension[6];
    int least, most;    /* of lists */
    int spatial;        /* list length in space, where it differs from `most`: the exact length, or the maximum */
    int in;             /* RBV_KIND_PLANE or RBV_KIND_SPACE alone; 0: both */
    const char *unless; /* another key that may replace this required key; NULL: none */
    const char *only;   /* blank-separated types that have this key; NULL: all */
    const struct RbvKey *children; /* ends with a NULL name */
    const char *const *words;      /* ends with NULL; of a DICT: the values of its member `arrangement` */
    size_t into; /* offset in the Def of the member that takes the value unchanged; 0: read by separate code */
    const char *doc;
} RbvKey;

/* The top level of a model file. */
extern const RbvKey rbv_model_keys[];

/* Does the key exist in a planar, or spatial, model? */
static inline bool rbv_key_exists(const RbvKey *key, bool spatial) {
    return key->in == 0 || (key->in & (spatial ? RBV_KIND_SPACE : RBV_KIND_PLANE));
}
/* Maximum and minimum length of a list in a planar, or spatial, model. */
static inline int rbv_key_most(const RbvKey *key, bool spatial) {
    return spatial && key->spatial ? key->spatial : key->most;
}
static inline int rbv_key_least(const RbvKey *key, bool spatial) {
    return key->least == key->most ? rbv_key_most(key, spatial) : key->least;
}

/* Is the word in the blank-separated list? A NULL list contains every word; an empty word (unknown type) is in every
 * list. */
bool rbv_key_belongs(const char *list, const char *word);

/* Dictionary from words of other programs and textbooks to the words of the model file (meanings.c). */
typedef enum RbvMeaningOf { RBV_MEANING_JOINT, RBV_MEANING_LOAD, RBV_MEANING_KEY } RbvMeaningOf;

/* Meaning of a foreign word: a space-separated list of candidate words, the likeliest first; or, with *sentence true,
 * a whole sentence where no single word fits. NULL: unknown word. Letter case, '-', '_' and blanks are ignored. */
const char *rbv_meaning(RbvMeaningOf of, const char *word, bool spatial, bool *sentence);

/* Advice, as a sentence, for a key that has no counterpart in this place; NULL: none. `where` names the item that
 * contains the key, such as "stop 'a'". */
const char *rbv_meaning_elsewhere(const char *where, const char *word);

#endif
