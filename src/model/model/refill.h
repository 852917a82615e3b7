/* Refill: reading items of a model again, in place, after parameters have new values.
 *
 * While a model is being refilled its adding functions work as usual, but arrays do not grow: an item is stored at
 * the index that it got in the first reading, found by its name, or, without a name, next to the item stored before.
 * The old content is kept until the refill is committed or undone. All quantities derived while adding are thus
 * updated, and indices stay valid. An item that has no index from the first reading makes the refill differ; the
 * model is then restored.
 */
#ifndef RBV_MODEL_MODEL_REFILL_H
#define RBV_MODEL_MODEL_REFILL_H

#include "model/model/model.h"

typedef enum RbvAdditionKind {
    RBV_ADDED_PARAMETER,
    RBV_ADDED_COORDINATE,
    RBV_ADDED_CONSTRAINT,
    RBV_ADDED_VELOCITY,
    RBV_ADDED_NONIDEAL,
    RBV_ADDED_DRIVE,
    RBV_ADDED_LIMIT,
    RBV_ADDED_ROTOR,
    RBV_ADDED_REQUIREMENT,
    RBV_ADDED_REQUIRED_VELOCITY,
    RBV_ADDED_LOAD,
    RBV_ADDED_OUTPUT
} RbvAdditionKind;

typedef struct RbvAddition {
    struct RbvAddition *next;
    RbvAdditionKind kind;
    const char *text[3];
    double number; /* first value of a parameter; rate of a drive limit [1/s]; inertia of a rotor [kg m^2] */
    double ratio;  /* speed ratio of a rotor */
    const RbvLoadDef *load;
} RbvAddition;

/* Record an addition that ended with `status`. Not recorded: additions before the first parameter (they cannot read
 * one), and additions to a model that was read from a file. Returns `status`, or NO_MEMORY. */
RbvStatus rbv_model_keep_addition(RbvModel *model, RbvStatus status, const RbvAddition *addition);
/* For a model that is being refilled: set the parameter values[count] and read all recorded texts again. BAD_INPUT
 * (reported in diagnostics) or NO_MEMORY. Defined in additions_again.c. */
RbvStatus rbv_model_change_additions(RbvModel *model, const RbvParameterValue *values, int32_t count,
                                     RbvDiagnostics *diagnostics);

/* Saved content of one array item. */
typedef struct RbvKept {
    struct RbvKept *next; /* the item saved before */
    void *list;           /* the model's RBV_ARRAY */
    size_t size;
    int32_t index;
    void *copy; /* [size] */
} RbvKept;

typedef struct RbvRefill {
    RbvArena arena;                  /* memory of saved items and of all strings of this reading */
    RbvKept *kept;                   /* the item saved last */
    int32_t marker, load, mesh, cam; /* next indices of items without a name, in the joint being read; -1: none */
    bool differs;                    /* an item had no index, or the layout of results would change */
    bool *moved;                     /* [bodies] pose, centroid or marker of the body has changed */
    bool *again;                     /* [joints] the joint was read again */
    bool any_moved;
    /* state of the model before the refill */
    RbvArena own;
    RbvParameter *parameters;
    bool broken, no_memory;
    int32_t bare_notes;
    RbvVec3 gravity;
    double from, to, step, track_rate;
} RbvRefill;

/* Begin refilling. False: out of memory; the model is then not being refilled. */
bool rbv_refill_begin(RbvModel *model, RbvRefill *refill);
/* Announce that joint `index` is read next: sets the next indices for items without a name. */
void rbv_refill_joint(RbvModel *model, int32_t index);
/* All items saved since `before` belong to this body: mark the body as moved if any of them changed. */
void rbv_refill_note_moved(RbvModel *model, int32_t body, const RbvKept *before);
/* After all items are read: reuse the old strings where they are unchanged. False: the layout of results would change
 * (differs). */
bool rbv_refill_settle(RbvModel *model);
/* End refilling: keep the new content, or restore the old one. */
void rbv_refill_commit(RbvModel *model);
void rbv_refill_undo(RbvModel *model);

/* For adding functions: index of the next item without a name, zeroed; -1: there is none. */
int32_t rbv_refill_next(RbvModel *model, void *list, size_t size);
/* Index of the item called `name`, zeroed. Returns the item's name, or NULL: no such item (differs), or out of
 * memory. */
const char *rbv_refill_named(RbvModel *model, const char *name, RbvNamedKind kind, void *list, size_t size,
                             int32_t *index);
/* Save and zero the item at a known index. False: out of memory (remembered). */
bool rbv_refill_take(RbvModel *model, void *list, size_t size, int32_t index);
/* A marker was found by its name: if the first reading created the marker at the next index, advance that index. */
void rbv_refill_found(RbvModel *model, int32_t marker);

#endif
