/* Table of load kinds: name in a model file, plane or space, and columns in results.
 *
 * RBV_LOAD_LIST names all kinds. For each second name in the list there must be checks (add_NAME in
 * src/model/model/loads.c), formulas (rbv_load_NAME in src/element/load_NAME.c) and the audit's own formulas (NAME in
 * src/solution/audit/loads.c); a missing one is a compiler error.
 */
#ifndef RBV_MODEL_MODEL_LOAD_KIND_H
#define RBV_MODEL_MODEL_LOAD_KIND_H

#include <stdbool.h>
#include <stdint.h>

/* In the order of the schema. The damping of a joint comes last; this kind has no entry under loads:, no name and no
 * column. */
#define RBV_LOAD_LIST(KIND)                                                                                            \
    KIND(FORCE, force)                                                                                                 \
    KIND(TORQUE, torque)                                                                                               \
    KIND(SPRING, spring)                                                                                               \
    KIND(TORSION, torsion)                                                                                             \
    KIND(BUSHING, bushing)                                                                                             \
    KIND(ROTATING_FRAME, rotating_frame)                                                                               \
    KIND(FIELD, field)                                                                                                 \
    KIND(ENERGY, energy)                                                                                               \
    KIND(DAMPING, damping)

typedef enum RbvLoadKind {
#define RBV_LOAD_MEMBER(KIND, name) RBV_LOAD_##KIND,
    RBV_LOAD_LIST(RBV_LOAD_MEMBER)
#undef RBV_LOAD_MEMBER
} RbvLoadKind;

/* Result columns of a load kind, in the order of RbvState.load_value. */
typedef struct RbvLoadColumns {
    int count;
    struct {
        const char *name, *unit;
    } part[6];
} RbvLoadColumns;

typedef struct RbvLoadRow {
    const char *type; /* under `type:` */
    int where;        /* RBV_KIND_PLANE, RBV_KIND_SPACE; 0: not written */
    RbvLoadColumns plane, space;
} RbvLoadRow;

int32_t rbv_load_kind_count(void);
const RbvLoadRow *rbv_load_row(RbvLoadKind kind);
static inline const RbvLoadColumns *rbv_load_columns(RbvLoadKind kind, bool spatial) {
    return spatial ? &rbv_load_row(kind)->space : &rbv_load_row(kind)->plane;
}
/* The kind whose `type:` is `type`, or -1. */
int32_t rbv_load_kind_find(const char *type);
/* Index of the kind's column called `name`, or -1. */
int rbv_load_part_find(RbvLoadKind kind, bool spatial, const char *name);

#endif
