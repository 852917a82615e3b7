/* The table of load kinds: what each is called in a model file and what it prints in results. */
#ifndef RBV_MODEL_LOAD_KIND_H
#define RBV_MODEL_LOAD_KIND_H

#include <stdbool.h>
#include <stdint.h>

typedef enum RbvLoadKind {
    RBV_LOAD_FORCE, RBV_LOAD_TORQUE, RBV_LOAD_SPRING, RBV_LOAD_TORSION, RBV_LOAD_BUSHING, RBV_LOAD_ROTATING_FRAME,
    RBV_LOAD_FIELD, RBV_LOAD_ENERGY,
    RBV_LOAD_DAMPING, /* of a joint: no entry under loads:, no name, no column */
    RBV_LOAD_KINDS
} RbvLoadKind;

typedef struct RbvLoadPart {
    const char *name, *unit;
} RbvLoadPart;

typedef struct RbvLoadRow {
    const char *type;       /* under `type:` */
    int part_count;         /* columns of results, in the order of RbvState.load_value */
    RbvLoadPart parts[6];
} RbvLoadRow;

const RbvLoadRow *rbv_load_row(RbvLoadKind kind, bool spatial);
/* Kinds that can be written under loads: those before RBV_LOAD_DAMPING. -1 when there is no such type. */
int32_t rbv_load_kind_find(const char *type);
/* The column of a kind called `name`, or -1. */
int rbv_load_part_find(RbvLoadKind kind, bool spatial, const char *name);

#endif
