/* Load kinds of MODEL.md section 6 as a table. */
#include "model/load_kind.h"

#include <string.h>

/* Kinds whose columns are others in space. */
static const RbvLoadRow spatial_rows[] = {
    [RBV_LOAD_FORCE] = {"force", 3, {{"Fx", "N"}, {"Fy", "N"}, {"Fz", "N"}}},
    [RBV_LOAD_TORQUE] = {"torque", 3, {{"Tx", "N.m"}, {"Ty", "N.m"}, {"Tz", "N.m"}}},
    [RBV_LOAD_BUSHING] = {"bushing", 6, {{"Fx", "N"}, {"Fy", "N"}, {"Fz", "N"}, {"Tx", "N.m"}, {"Ty", "N.m"}, {"Tz", "N.m"}}},
};

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

const RbvLoadRow *rbv_load_row(RbvLoadKind kind, bool spatial) {
    bool own = spatial && (kind == RBV_LOAD_FORCE || kind == RBV_LOAD_TORQUE || kind == RBV_LOAD_BUSHING);
    return own ? &spatial_rows[kind] : &rows[kind];
}

int32_t rbv_load_kind_find(const char *type) {
    for (int32_t kind = 0; kind < RBV_LOAD_DAMPING; kind++)
        if (strcmp(rows[kind].type, type) == 0)
            return kind;
    return -1;
}

int rbv_load_part_find(RbvLoadKind kind, bool spatial, const char *name) {
    const RbvLoadRow *row = rbv_load_row(kind, spatial);
    for (int part = 0; part < row->part_count; part++)
        if (strcmp(row->parts[part].name, name) == 0)
            return part;
    return -1;
}
