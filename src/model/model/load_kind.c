/* Table of load kinds. */
#include "model/model/load_kind.h"

#include "model/model/joint_kind.h"

#include <string.h>

#define PLANE RBV_KIND_PLANE
#define SPACE RBV_KIND_SPACE
#define BOTH (RBV_KIND_PLANE | RBV_KIND_SPACE)
#define NONE                                                                                                           \
    {                                                                                                                  \
        0, {                                                                                                           \
            { 0 }                                                                                                      \
        }                                                                                                              \
    }

static const RbvLoadRow rows[] = {
    [RBV_LOAD_FORCE] = {"force", BOTH, {2, {{"Fx", "N"}, {"Fy", "N"}}}, {3, {{"Fx", "N"}, {"Fy", "N"}, {"Fz", "N"}}}},
    [RBV_LOAD_TORQUE] = {"torque", BOTH, {1, {{"torque", "N.m"}}}, {3, {{"Tx", "N.m"}, {"Ty", "N.m"}, {"Tz", "N.m"}}}},
    [RBV_LOAD_SPRING] = {"spring", BOTH, {1, {{"force", "N"}}}, {1, {{"force", "N"}}}},
    [RBV_LOAD_TORSION] = {"torsion-spring", BOTH, {1, {{"torque", "N.m"}}}, {1, {{"torque", "N.m"}}}},
    [RBV_LOAD_BUSHING] = {"bushing",
                          BOTH,
                          {3, {{"Fx", "N"}, {"Fy", "N"}, {"Tz", "N.m"}}},
                          {6, {{"Fx", "N"}, {"Fy", "N"}, {"Fz", "N"}, {"Tx", "N.m"}, {"Ty", "N.m"}, {"Tz", "N.m"}}}},
    [RBV_LOAD_ROTATING_FRAME] = {"rotating-frame", BOTH, NONE, NONE},
    [RBV_LOAD_FIELD] = {"field", BOTH, NONE, NONE},
    [RBV_LOAD_ENERGY] = {"energy", BOTH, {1, {{"energy", "J"}}}, {1, {{"energy", "J"}}}},
    [RBV_LOAD_DAMPING] = {"damping", 0, NONE, NONE}, /* damping of a joint: a key of joints */
};

int32_t rbv_load_kind_count(void) {
    return (int32_t)(sizeof rows / sizeof rows[0]);
}

const RbvLoadRow *rbv_load_row(RbvLoadKind kind) {
    return &rows[kind];
}

int32_t rbv_load_kind_find(const char *type) {
    for (int32_t kind = 0; kind < rbv_load_kind_count(); kind++)
        if (rows[kind].where && strcmp(rows[kind].type, type) == 0)
            return kind;
    return -1;
}

int rbv_load_part_find(RbvLoadKind kind, bool spatial, const char *name) {
    const RbvLoadColumns *columns = rbv_load_columns(kind, spatial);
    for (int part = 0; part < columns->count; part++)
        if (strcmp(columns->part[part].name, name) == 0)
            return part;
    return -1;
}
