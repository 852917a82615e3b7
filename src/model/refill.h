/* Reading things of a model again, in place: what parameters with new values make of them.
 *
 * While a model is being refilled its adding functions do what they always do, but nothing grows: a thing takes the
 * place it took the first time, by its name, or, where it has none, behind what was taken before it. What stood there
 * is kept, until it is clear that all went well. So all that is derived while adding is right again, and nobody who
 * holds an index needs to know. What would need a place that the first reading did not make differs: then the model is
 * put back as it was.
 */
#ifndef RBV_MODEL_REFILL_H
#define RBV_MODEL_REFILL_H

#include "model/model.h"

/* What stood in a place of a list. */
typedef struct RbvKept {
    struct RbvKept *next; /* kept before */
    void *list;           /* the model's RBV_ARRAY */
    size_t size;
    int32_t index;
    void *copy; /* [size] */
} RbvKept;

typedef struct RbvRefill {
    RbvArena arena;                  /* what is kept, and all strings of this reading */
    RbvKept *kept;                   /* the last one */
    int32_t marker, load, mesh, cam; /* the next places for what has no name, in the joint that is read */
    bool differs;                    /* a place was missing, or what a result is laid out by would change */
    bool *moved;                     /* [bodies] another place, centroid or marker */
    bool *again;                     /* [joints] read again */
    bool any_moved;
    /* of the model, as it was */
    RbvArena own;
    RbvParameter *parameters;
    bool broken, no_memory;
    int32_t bare_notes;
    RbvVec3 gravity;
    double from, to, step, track_rate;
} RbvRefill;

/* The model is being refilled from now on. False: no memory, and it is not. */
bool rbv_refill_begin(RbvModel *model, RbvRefill *refill);
/* Joint `index` is read next. */
void rbv_refill_joint(RbvModel *model, int32_t index);
/* All that was kept since `before` belongs to this body: has it moved? */
void rbv_refill_note_moved(RbvModel *model, int32_t body, const RbvKept *before);
/* All is read: strings that have not changed are those of before. False: something that results are laid out by would
 * change (differs). */
bool rbv_refill_settle(RbvModel *model);
/* It stays as it is now, or is again as it was; the model is no longer being refilled. */
void rbv_refill_commit(RbvModel *model);
void rbv_refill_undo(RbvModel *model);

/* Of the adding functions. The place of the next thing without a name, zeroed, or -1: there is none. */
int32_t rbv_refill_next(RbvModel *model, void *list, size_t size);
/* The place of the thing called `name`, zeroed; its own name, or NULL. */
const char *rbv_refill_named(RbvModel *model, const char *name, RbvNamedKind kind, void *list, size_t size,
                             int32_t *index);
/* A place that is known, zeroed. False: no memory (remembered). */
bool rbv_refill_take(RbvModel *model, void *list, size_t size, int32_t index);
/* A marker was found by its name: if this thing made it the first time, its place is taken. */
void rbv_refill_found(RbvModel *model, int32_t marker);

#endif
