/* The table of load kinds: what each is called in a model file, where it belongs and what it prints in results.
 *
 * One list names them all. By its second name a kind has its checks (add_NAME in src/model/loads.c), its formulas
 * (rbv_load_NAME in src/element/load_NAME.c) and the audit's own (NAME in src/audit/loads.c); the compiler misses what
 * is not there.
 */
#ifndef RBV_MODEL_LOAD_KIND_H
#define RBV_MODEL_LOAD_KIND_H

#include <stdbool.h>
#include <stdint.h>

/* In the order of the schema. The damping of a joint comes last: it has no entry under loads:, no name, no column. */
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

/* Columns of results, in the order of RbvState.load_value. */
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
/* The kind written as `type`, or -1. */
int32_t rbv_load_kind_find(const char *type);
/* The column of a kind called `name`, or -1. */
int rbv_load_part_find(RbvLoadKind kind, bool spatial, const char *name);

#endif
