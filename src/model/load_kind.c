/* Load kinds of MODEL.md section 6 as a table. */
#include "model/load_kind.h"

#include <string.h>

static const RbvLoadRow rows[RBV_LOAD_KINDS] = {
    [RBV_LOAD_FORCE] = {"force", 2, {{"Fx", "N"}, {"Fy", "N"}}},
    [RBV_LOAD_TORQUE] = {"torque", 1, {{"torque", "N.m"}}},
    [RBV_LOAD_SPRING] = {"spring", 1, {{"force", "N"}}},
    [RBV_LOAD_TORSION] = {"torsion-spring", 1, {{"torque", "N.m"}}},
    [RBV_LOAD_BUSHING] = {"bushing", 3, {{"Fx", "N"}, {"Fy", "N"}, {"Tz", "N.m"}}},
    [RBV_LOAD_ROTATING_FRAME] = {"rotating-frame", 0, {{0}}},
    [RBV_LOAD_FIELD] = {"field", 0, {{0}}},
    [RBV_LOAD_ENERGY] = {"energy", 1, {{"energy", "J"}}},
    [RBV_LOAD_DAMPING] = {"damping", 0, {{0}}},
};

const RbvLoadRow *rbv_load_row(RbvLoadKind kind) {
    return &rows[kind];
}

int32_t rbv_load_kind_find(const char *type) {
    for (int32_t kind = 0; kind < RBV_LOAD_DAMPING; kind++)
        if (strcmp(rows[kind].type, type) == 0)
            return kind;
    return -1;
}

int rbv_load_part_find(RbvLoadKind kind, const char *name) {
    for (int part = 0; part < rows[kind].part_count; part++)
        if (strcmp(rows[kind].parts[part].name, name) == 0)
            return part;
    return -1;
}
