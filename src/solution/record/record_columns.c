/* Defines the columns of an analysis; see record.h. */
#include "solution/record/record.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Columns {
    RbvResult *result;
    int32_t capacity;
    bool no_memory;
} Columns;

static const char *copy(Columns *columns, const char *text) {
    const char *fresh = rbv_arena_copy(&columns->result->arena, text, strlen(text));
    columns->no_memory = columns->no_memory || !fresh;
    return fresh ? fresh : "";
}

/* "owner.part", or "owner" if part is NULL. */
static const char *name_of_part(Columns *columns, const char *owner, const char *part) {
    size_t length = strlen(owner), rest = part ? strlen(part) + 1 : 0;
    char *name = rbv_arena_alloc(&columns->result->arena, length + rest + 1);
    columns->no_memory = columns->no_memory || !name;
    if (!name)
        return "";
    memcpy(name, owner, length + 1);
    if (part) {
        name[length] = '.';
        memcpy(name + length + 1, part, rest);
    }
    return name;
}

static int32_t add_column(Columns *columns, const char *owner, const char *part, const char *unit, bool has_verdict) {
    RbvResult *result = columns->result;
    int32_t index = result->column_count + result->hidden_count;
    if (index == columns->capacity) {
        int32_t capacity = columns->capacity + columns->capacity / 2 + 64;
        RbvColumn *grown = realloc(result->columns, (size_t)capacity * sizeof *grown);
        if (!grown) {
            columns->no_memory = true;
            return 0;
        }
        result->columns = grown;
        columns->capacity = capacity;
    }
    result->columns[index] = (RbvColumn){.name = name_of_part(columns, owner, part),
                                         .unit = unit,
                                         .has_verdict = has_verdict,
                                         .verdict = has_verdict ? RBV_FREE : RBV_UNIQUE};
    result->column_count++;
    return index;
}

static RbvEntry *add_entries(Columns *columns, RbvList *list, int32_t count) {
    list->items = rbv_arena_alloc(&columns->result->arena, ((size_t)count + 1) * sizeof *list->items);
    columns->no_memory = columns->no_memory || !list->items;
    list->count = list->items ? count : 0;
    return list->items;
}

static void component_columns(const RbvRecord *record, Columns *columns, int32_t k) {
    const RbvJoint *joint = &record->system->model->joints.items[k];
    RbvEntry *entry = &columns->result->joints.items[k];
    entry->first = columns->result->column_count;
    for (int component = 0; component < RBV_COMPONENT_COUNT; component++) {
        if (!rbv_component_in(record->printed[k], component))
            continue;
        bool turning = component >= RBV_FRICTION && rbv_friction_is_torque(joint, component);
        add_column(columns, joint->name, rbv_component_name((RbvComponent)component),
                   turning ? "N.m" : rbv_component_unit((RbvComponent)component), true);
        entry->count++;
        entry->components += component < RBV_LINE_F;
    }
}

static void joint_columns(RbvRecord *record, Columns *columns, const RbvReactions *reactions) {
    const RbvModel *model = record->system->model;
    RbvEntry *entries = add_entries(columns, &columns->result->joints, model->joints.count);
    for (int32_t k = 0; entries && k < model->joints.count; k++) {
        const RbvJoint *joint = &model->joints.items[k];
        RbvEntry *entry = &entries[k];
        *entry = (RbvEntry){.name = copy(columns, joint->name),
                            .kind = joint->kind->name,
                            .resultant = -1,
                            .power = -1,
                            .first = columns->result->column_count};
        entry->on = copy(columns, model->bodies.items[model->markers.items[joint->marker[1]].body].name);
        entry->by = copy(columns, model->bodies.items[model->markers.items[joint->marker[0]].body].name);
        record->printed[k] =
            reactions->printed[k] & (record->options.components ? record->options.components[k] : UINT32_MAX);
        entry->aside = record->options.balance && !record->options.balance->joint[k];
        if (!entry->aside)
            component_columns(record, columns, k);
    }
}

static void drive_column(const RbvRecord *record, Columns *columns, int32_t k) {
    const RbvDrive *drive = &record->system->model->drives.items[k];
    columns->result->drives.items[k].first =
        add_column(columns, drive->name, "effort", copy(columns, drive->unit), true);
}

static void constraint_column(const RbvRecord *record, Columns *columns, int32_t k) {
    const RbvConstraint *constraint = &record->system->model->constraints.items[k];
    columns->result->constraints.items[k].first =
        add_column(columns, constraint->name, "effort", copy(columns, constraint->unit), true);
}

/* What does not act on the balanced bodies has hidden columns. */
static void aside_columns(const RbvRecord *record, Columns *columns) {
    const RbvResult *result = columns->result;
    for (int32_t k = 0; k < result->joints.count; k++)
        if (result->joints.items[k].aside)
            component_columns(record, columns, k);
    for (int32_t k = 0; k < result->drives.count; k++)
        if (result->drives.items[k].aside)
            drive_column(record, columns, k);
    for (int32_t k = 0; k < result->constraints.count; k++)
        if (result->constraints.items[k].aside)
            constraint_column(record, columns, k);
}

/* Columns of drives, followed by the actuators of control. */
static void drive_columns(RbvRecord *record, Columns *columns) {
    const RbvModel *model = record->system->model;
    RbvResult *result = columns->result;
    RbvEntry *drives = add_entries(columns, &result->drives,
                                   model->drives.count + (record->options.tracks ? model->actuators.count : 0));
    for (int32_t k = model->drives.count; drives && k < result->drives.count; k++) /* actuators follow drives */
        drives[k] = (RbvEntry){.name = copy(columns, model->actuators.items[k - model->drives.count].name),
                               .kind = "",
                               .count = 1,
                               .resultant = -1,
                               .power = -1};
    for (int32_t k = 0; drives && k < model->drives.count; k++) {
        const RbvDrive *drive = &model->drives.items[k];
        drives[k] =
            (RbvEntry){.name = copy(columns, drive->name), .kind = "", .count = 1, .resultant = -1, .power = -1};
        drives[k].aside = record->options.balance && !record->options.balance->row[record->system->drive_row[k]];
        if (!drives[k].aside)
            drive_column(record, columns, k);
    }
    for (int32_t k = model->drives.count; drives && k < result->drives.count; k++)
        drives[k].first = add_column(columns, drives[k].name, "effort",
                                     copy(columns, model->actuators.items[k - model->drives.count].unit), true);
}

static void constraint_columns(RbvRecord *record, Columns *columns) {
    const RbvModel *model = record->system->model;
    RbvResult *result = columns->result;
    RbvEntry *constraints =
        add_entries(columns, &result->constraints,
                    model->constraints.count - (record->options.required ? 0 : model->requirement_count));
    for (int32_t k = 0; constraints && k < result->constraints.count; k++) {
        constraints[k] = (RbvEntry){.name = copy(columns, model->constraints.items[k].name),
                                    .kind = "",
                                    .count = 1,
                                    .resultant = -1,
                                    .power = -1};
        if (record->options.constraints && !record->options.constraints[k]) {
            constraints[k].first = -1;
            constraints[k].count = 0;
            continue;
        }
        constraints[k].aside =
            record->options.balance && !record->options.balance->row[record->system->constraint_row[k]];
        if (!constraints[k].aside)
            constraint_column(record, columns, k);
        if (!model->constraints.items[k].nonideal || !record->options.energy)
            continue;
        add_column(columns, model->constraints.items[k].name, "nonideal", "W", false);
        constraints[k].count = 2;
    }
}

static void stop_columns(RbvRecord *record, Columns *columns) {
    const RbvModel *model = record->system->model;
    RbvResult *result = columns->result;
    RbvEntry *stops = add_entries(columns, &result->stops, record->options.stops ? model->stops.count : 0);
    for (int32_t k = 0; stops && k < result->stops.count; k++) {
        stops[k] = (RbvEntry){
            .name = copy(columns, model->stops.items[k].name), .kind = "", .count = 1, .resultant = -1, .power = -1};
        stops[k].first = add_column(columns, model->stops.items[k].name, "force",
                                    copy(columns, model->stops.items[k].force_unit), true);
    }
}

static void load_columns(RbvRecord *record, Columns *columns) {
    const RbvModel *model = record->system->model;
    RbvResult *result = columns->result;
    RbvEntry *loads = add_entries(columns, &result->loads, model->loads.count);
    int32_t named = 0;
    for (int32_t k = 0; loads && k < model->loads.count; k++) {
        const RbvLoad *load = &model->loads.items[k];
        const RbvLoadColumns *own = rbv_load_columns(load->kind, model->space == RBV_SPATIAL);
        if (!load->name)
            continue;
        RbvEntry *entry = &loads[named++];
        *entry = (RbvEntry){.name = copy(columns, load->name),
                            .kind = rbv_load_row(load->kind)->type,
                            .count = own->count,
                            .resultant = -1,
                            .power = -1,
                            .first = result->column_count};
        for (int part = 0; part < own->count; part++)
            add_column(columns, load->name, own->part[part].name, own->part[part].unit, false);
    }
    result->loads.count = named;
}

static void result_columns(RbvRecord *record, Columns *columns, const RbvReactions *reactions) {
    joint_columns(record, columns, reactions);
    drive_columns(record, columns);
    constraint_columns(record, columns);
    stop_columns(record, columns);
    load_columns(record, columns);
}

/* Residuals of a prescribed motion along each freedom. */
static void residual_columns(const RbvRecord *record, Columns *columns) {
    const RbvSurplus *surplus = record->options.surplus;
    RbvEntry *entries = add_entries(columns, &columns->result->residuals, surplus ? surplus->count : 0);
    for (int32_t k = 0; entries && surplus && k < surplus->count; k++) {
        entries[k] =
            (RbvEntry){.name = copy(columns, surplus->names[k]), .kind = "", .count = 1, .resultant = -1, .power = -1};
        entries[k].first = add_column(columns, surplus->names[k], "residual", surplus->units[k], false);
    }
}

/* Columns of bodies: poses, then the recorded time derivatives; a particle has no columns of rotation. */
typedef struct BodyColumn {
    const char *name, *unit;
    bool turning;
} BodyColumn;

static const BodyColumn of_plane[] = {
    {"x", "m", false},      {"y", "m", false},      {"angle", "rad", true},
    {"vx", "m/s", false},   {"vy", "m/s", false},   {"omega", "rad/s", true},
    {"ax", "m/s^2", false}, {"ay", "m/s^2", false}, {"alpha", "rad/s^2", true},
};
static const BodyColumn of_space[] = {
    {"x", "m", false},
    {"y", "m", false},
    {"z", "m", false},
    {"qw", "", true},
    {"qx", "", true},
    {"qy", "", true},
    {"qz", "", true},
    {"vx", "m/s", false},
    {"vy", "m/s", false},
    {"vz", "m/s", false},
    {"omegax", "rad/s", true},
    {"omegay", "rad/s", true},
    {"omegaz", "rad/s", true},
    {"ax", "m/s^2", false},
    {"ay", "m/s^2", false},
    {"az", "m/s^2", false},
    {"alphax", "rad/s^2", true},
    {"alphay", "rad/s^2", true},
    {"alphaz", "rad/s^2", true},
};

static void body_columns(RbvRecord *record, Columns *columns) {
    const RbvModel *model = record->system->model;
    bool spatial = record->system->bodies.spatial;
    const BodyColumn *list = spatial ? of_space : of_plane;
    int shown = 3 + record->options.orders * 3;
    if (spatial)
        shown = 7 + record->options.orders * 6;
    record->first_body = columns->result->column_count;
    for (int32_t b = 1; b < model->bodies.count; b++)
        for (int n = 0; n < shown && !model->bodies.items[b].generalized; n++)
            if (!list[n].turning || !model->bodies.items[b].particle)
                add_column(columns, model->bodies.items[b].name, list[n].name, list[n].unit, false);
}

/* Marks of a coordinate's value and its first and second rate in names of columns. */
static const char *const primes[] = {"", "'", "''"};

/* Columns u, u', u'' of generalized coordinates. */
static void generalized_columns(RbvRecord *record, Columns *columns) {
    const RbvModel *model = record->system->model;
    for (int32_t k = 0; k < model->generalized.count; k++) {
        const RbvGeneralized *own = &model->generalized.items[k];
        record->known[record->coordinate_count] = own->measure;
        record->coordinates[record->coordinate_count++] = model->measures.items[own->measure];
        for (int order = 0; order <= record->options.orders; order++) {
            char name[RBV_NAME_SIZE + 2], unit[80];
            snprintf(name, sizeof name, "%s%s", own->name, primes[order]);
            snprintf(unit, sizeof unit, "%s%s", own->unit,
                     !own->unit[0] || order == 0 ? ""
                     : order == 1                ? "/s"
                                                 : "/s^2");
            add_column(columns, name, NULL, copy(columns, unit), false);
        }
    }
}

/* Columns of named joint coordinates (of_joints), and of generalized ones. Turns are counted by the model's measures
 * of the same kind. False: no memory. */
static bool coordinate_columns(RbvRecord *record, Columns *columns, bool of_joints) {
    const RbvModel *model = record->system->model;
    RbvArena *arena = &columns->result->arena;
    record->coordinates = rbv_arena_alloc(
        arena, (2 * (size_t)model->joints.count + (size_t)model->generalized.count + 1) * sizeof *record->coordinates);
    record->memory = rbv_arena_alloc(arena, (2 * (size_t)model->joints.count + (size_t)model->generalized.count + 1) *
                                                sizeof *record->memory);
    record->first_coordinate = columns->result->column_count;
    record->known = rbv_arena_alloc(arena, (2 * (size_t)model->joints.count + (size_t)model->generalized.count + 1) *
                                               sizeof *record->known);
    if (!record->coordinates || !record->memory || !record->known)
        return false;
    for (int32_t k = 0; of_joints && k < model->joints.count; k++) {
        const RbvJoint *joint = &model->joints.items[k];
        for (int direction = 5; direction >= 0; direction--) { /* angles first */
            if (!(joint->coordinates >> direction & 1))
                continue;
            bool angle = direction > 2;
            const char *name = rbv_coordinate_name(rbv_joint_nature(joint->kind, joint->spatial), direction);
            record->coordinates[record->coordinate_count++] = rbv_joint_coordinate(joint, direction);
            const RbvMeasure *measure = &record->coordinates[record->coordinate_count - 1];
            record->known[record->coordinate_count - 1] =
                rbv_model_find_measure(model, measure->kind, measure->marker[0], measure->marker[1], measure->axis);
            char rate[64];
            for (int order = 0; order <= record->options.orders; order++) {
                snprintf(rate, sizeof rate, "%s%s", name, primes[order]);
                static const char *const angles[] = {"rad", "rad/s", "rad/s^2"}, *const lengths[] = {"m", "m/s",
                                                                                                     "m/s^2"};
                add_column(columns, joint->name, rate, angle ? angles[order] : lengths[order], false);
            }
        }
    }
    generalized_columns(record, columns);
    return true;
}

static bool reads_results(const RbvModel *model, const RbvExpr *expr) {
    for (int32_t v = 0; v < rbv_expr_variable_count(expr); v++) {
        RbvVariableKind kind = model->variables.items[rbv_expr_variable(expr, v)].kind;
        if (rbv_variable_is_result(kind))
            return true;
    }
    return false;
}

static void equilibrium_columns(RbvRecord *record, Columns *columns) {
    record->first_equilibrium = columns->result->column_count;
    add_column(columns, "equilibrium", "energy", "J", false);
    add_column(columns, "equilibrium", "curvature", "1/s^2", false);
    add_column(columns, "equilibrium", "unstable", "", false);
}

static void output_columns(RbvRecord *record, Columns *columns, const RbvReactions *reactions) {
    const RbvModel *model = record->system->model;
    RbvResult *result = columns->result;
    RbvEntry *outputs = add_entries(columns, &result->outputs, model->outputs.count);
    record->mixes = rbv_arena_array(&result->arena, (size_t)model->outputs.count + 1, sizeof *record->mixes);
    columns->no_memory = columns->no_memory || !record->mixes;
    outputs = record->mixes ? outputs : NULL;
    for (int32_t k = 0; outputs && k < model->outputs.count; k++) {
        outputs[k] = (RbvEntry){.name = copy(columns, model->outputs.items[k].name),
                                .kind = "",
                                .count = 1,
                                .resultant = -1,
                                .power = -1,
                                .first = result->column_count};
        record->output_judged[k] = reactions && reads_results(model, model->outputs.items[k].value);
        int32_t column = add_column(columns, model->outputs.items[k].name, NULL,
                                    copy(columns, model->outputs.items[k].unit), record->output_judged[k]);
        if (!columns->no_memory)
            result->columns[column].mix = &record->mixes[k];
    }
}

/* Column of an impulse; `unit`: of the effort. */
static void add_impulse(Columns *columns, const char *name, const char *unit) {
    char text[64];
    snprintf(text, sizeof text, "%s%s", unit, unit[0] ? ".s" : "");
    add_column(columns, name, "impulse", copy(columns, text), false);
}

/* Columns of impulses of joints component by component, then of drives, constraints and stops. */
static void impulse_columns(RbvRecord *record, Columns *columns, const RbvReactions *reactions) {
    const RbvModel *model = record->system->model;
    char part[64];
    for (int32_t k = 0; k < model->joints.count; k++)
        for (int c = 0; c < RBV_FRICTION; c++)
            if (rbv_component_in(reactions->printed[k], c)) {
                snprintf(part, sizeof part, "%s.impulse", rbv_component_name((RbvComponent)c));
                add_column(columns, model->joints.items[k].name, part,
                           strcmp(rbv_component_unit((RbvComponent)c), "N") == 0 ? "N.s" : "N.m.s", false);
            }
    for (int32_t k = 0; k < model->drives.count; k++)
        add_impulse(columns, model->drives.items[k].name, model->drives.items[k].unit);
    for (int32_t k = 0; k < columns->result->constraints.count; k++)
        add_impulse(columns, model->constraints.items[k].name, model->constraints.items[k].unit);
    for (int32_t k = 0; k < model->stops.count; k++)
        add_impulse(columns, model->stops.items[k].name, model->stops.items[k].force_unit);
}

/* Columns of the left-hand sides of requirements. */
static void error_columns(const RbvRecord *record, Columns *columns) {
    const RbvModel *model = record->system->model;
    for (int32_t k = model->constraints.count - model->requirement_count; k < model->constraints.count; k++)
        add_column(columns, model->constraints.items[k].name, "error",
                   copy(columns, model->constraints.items[k].error_unit), false);
}

/* Columns of the forces of rigid rows, and of rows of numbers of q; rows without a force have none. */
static void multiplier_columns(const RbvRecord *record, Columns *columns) {
    RbvList *list = &columns->result->rigid_rows;
    RbvEntry *entries = add_entries(columns, list, record->options.rigid->coordinates.own_rows);
    list->count = 0;
    for (int32_t k = 0; entries && k < record->options.rigid->coordinates.own_rows; k++) {
        if (record->options.rigid_rows && !record->options.rigid_rows[k])
            continue;
        const char *unit, *name = rbv_record_multiplier_name(columns->result, record->options.rigid, k, &unit);
        columns->no_memory = columns->no_memory || !name;
        if (name && unit[0])
            entries[list->count++] = (RbvEntry){.name = name,
                                                .kind = "",
                                                .count = 1,
                                                .resultant = -1,
                                                .power = -1,
                                                .first = add_column(columns, name, NULL, unit, true)};
    }
    columns->result->natural.shown = !record->options.rigid_rows;
}

static void mode_columns(Columns *columns, int32_t count) {
    for (int32_t k = 1; k <= count; k++) {
        char name[24];
        snprintf(name, sizeof name, "mode%d", (int)k);
        add_column(columns, name, "re", "1/s", false);
        add_column(columns, name, "im", "rad/s", false);
    }
}

/* Does some joint have a range of compliances? */
static bool has_ranges(const RbvModel *model) {
    bool any = false;
    for (int32_t k = 0; k < model->joints.count; k++)
        for (int d = 0; d < 6; d++) {
            const double *compliance = rbv_joint_loose(&model->joints.items[k])->compliance[d];
            any = any || compliance[0] != compliance[1];
        }
    return any;
}

/* Hidden columns of what is sized: the speed of a joint, and its largest components within ranges of compliances; rate,
 * second rate and felt inertia of a drive. */
static void speed_columns(RbvRecord *record, Columns *columns) {
    const RbvModel *model = record->system->model;
    RbvResult *result = columns->result;
    bool ground = strcmp(result->frame, "ground") == 0; /* then the reaction in the joint's axes, too */
    bool ranges = !ground && model->sized.count > 0 && has_ranges(model);
    bool rates = record->options.drive_rates && result->drives.count > 0;
    if (model->sized.count > 0 || rates)
        result->fastest = add_column(columns, "", "fastest", "", false);
    for (int32_t k = 0; k < model->sized.count; k++) {
        const RbvSized *item = &model->sized.items[k];
        RbvEntry *joint = item->kind == RBV_SIZED_DRIVE ? NULL : &result->joints.items[item->index];
        if (!joint || joint->rate > 0)
            continue;
        joint->rate = add_column(columns, joint->name, "speed", "", false);
        for (int c = 0; ground && c < RBV_LINE_F; c++)
            add_column(columns, joint->name, "along", "", false);
        if (ranges)
            joint->most = add_column(columns, joint->name, "most", "", false);
        for (int c = 1; ranges && c < RBV_LINE_F; c++)
            add_column(columns, joint->name, "most", "", false);
    }
    for (int32_t k = 0; k < result->drives.count; k++) {
        bool actuator = k >= model->drives.count;
        int32_t index = actuator ? k - model->drives.count : k;
        if (!record->options.drive_rates && !rbv_model_rating(model, index, actuator))
            continue;
        RbvEntry *drive = &result->drives.items[k];
        drive->rate = add_column(columns, drive->name, "rate", "", false);
        add_column(columns, drive->name, "second", "", false);
        add_column(columns, drive->name, "felt", "", false);
        record->feels = record->feels || record->options.drive_rates || (!actuator && model->drives.items[k].has_rotor);
    }
}

/* Columns of the quantities that misfits move. False: no memory. */
static bool list_influenced(RbvRecord *record, const RbvReactions *reactions) {
    const RbvModel *model = record->system->model;
    const RbvResult *result = record->result;
    record->influences = rbv_influences_create(reactions);
    int32_t quantities = record->influences ? record->influences->quantities : 0;
    record->influenced = malloc(((size_t)quantities + 1) * sizeof *record->influenced);
    record->weight = malloc(((size_t)quantities + 1) * sizeof *record->weight);
    if (!record->influences || !record->influenced || !record->weight)
        return false;
    int32_t *at = record->influenced;
    for (int32_t k = 0; k < model->joints.count; k++)
        for (int c = 0; c < rbv_reactions_components(reactions, k); c++)
            *at++ = result->joints.items[k].aside ? -1 : rbv_record_column(record, k, c);
    for (int32_t k = 0; k < model->drives.count; k++)
        *at++ = result->drives.items[k].aside ? -1 : result->drives.items[k].first;
    for (int32_t k = 0; k < model->constraints.count; k++)
        *at++ = k < result->constraints.count && result->constraints.items[k].count > 0 &&
                        !result->constraints.items[k].aside
                    ? result->constraints.items[k].first
                    : -1;
    for (int32_t k = 0; k < model->stops.count; k++)
        *at++ = k < result->stops.count ? result->stops.items[k].first : -1;
    return true;
}

/* All columns in the order of series.csv, then those that only summaries show. False: no memory. */
static bool make_columns(RbvRecord *record, Columns *columns, const RbvReactions *reactions) {
    const RbvRecordOptions *options = &record->options;
    RbvResult *result = record->result;
    bool named = options->parameter != NULL, along = named && options->modes == 0, good = true;
    const char *unit = named ? copy(columns, options->unit) : "s";
    add_column(columns, named ? options->parameter : "time", NULL, unit, false);
    mode_columns(columns, options->modes);
    if (options->reactions)
        result_columns(record, columns, reactions);
    if (options->surplus)
        residual_columns(record, columns);
    if (options->orders > 0 || along || (options->series && record->system->model->generalized.count > 0))
        good = coordinate_columns(record, columns, options->orders > 0 || along);
    if (options->series)
        body_columns(record, columns);
    record->first_state = result->column_count;
    for (int32_t k = 0; options->states && k < record->system->model->states.count; k++)
        add_column(columns, record->system->model->states.items[k].name, NULL,
                   copy(columns, record->system->model->states.items[k].unit), false);
    record->first_multiplier = result->column_count;
    if (options->rigid)
        multiplier_columns(record, columns);
    record->first_error = result->column_count;
    if (options->tracks)
        error_columns(record, columns);
    record->first_impulse = result->column_count;
    if (options->impulses)
        impulse_columns(record, columns, reactions);
    record->first_energy = result->column_count;
    if (options->energy) {
        add_column(columns, "energy", NULL, "J", false);
        add_column(columns, "energy", "error", "J", false);
    }
    if (along)
        equilibrium_columns(record, columns);
    record->first_output = result->column_count;
    if (options->series)
        output_columns(record, columns, reactions);
    int32_t visible = result->column_count;
    for (int32_t k = 0; options->reactions && !options->components && k < result->joints.count; k++)
        result->joints.items[k].resultant = add_column(columns, result->joints.items[k].name, "resultant", "N", false);
    for (int32_t k = 0; options->reactions && k < result->drives.count; k++)
        result->drives.items[k].power = add_column(columns, result->drives.items[k].name, "power", "W", false);
    aside_columns(record, columns);
    if (options->reactions && !named && (record->system->model->sized.count > 0 || options->drive_rates))
        speed_columns(record, columns);
    result->hidden_count = result->column_count - visible;
    result->column_count = visible;
    RbvColumn *fitting =
        realloc(result->columns, ((size_t)visible + (size_t)result->hidden_count + 1) * sizeof *fitting);
    result->columns = fitting ? fitting : result->columns;
    result->influences.known = options->influences && rbv_influences_linear(reactions);
    good = good && !columns->no_memory && (!result->influences.known || list_influenced(record, reactions));
    record->last_verdict = calloc((size_t)visible + (size_t)result->hidden_count + 1, sizeof *record->last_verdict);
    return good && record->last_verdict && !columns->no_memory && rbv_result_name_columns(result);
}

RbvRecord *rbv_record_create(const RbvSystem *system, const RbvReactions *reactions, const RbvRecordOptions *options) {
    const RbvModel *model = system->model;
    RbvRecord *record = calloc(1, sizeof *record);
    RbvResult *result = calloc(1, sizeof *result);
    if (!record || !result) {
        free(record);
        free(result);
        return NULL;
    }
    Columns columns = {.result = result};
    record->system = system;
    record->result = result;
    record->options = *options;
    record->first_sample = true;
    result->analysis = options->analysis;
    result->method = options->method;
    result->frame = reactions && reactions->frame == RBV_FRAME_GROUND ? "ground" : "joint";
    result->title = copy(&columns, model->title);
    result->file = copy(&columns, model->file);
    result->length = NAN;
    result->machine.size = result->machine.mass = NAN;
    for (int d = 0; d < RBV_DIM_COUNT; d++)
        if (model->bare_unit[d].text)
            result->units[d] = (RbvShownUnit){copy(&columns, model->bare_unit[d].text), model->bare_unit[d].factor};
    record->work = malloc(((size_t)system->work_size + 64) * sizeof(double));
    bool reads = model->outputs.count > 0, combines = reads || model->questions.count > 0;
    record->second = malloc(((size_t)(reads ? model->measures.count : 0) + 1) * sizeof(double));
    record->last_quat = calloc(system->bodies.spatial ? 4 * (size_t)model->bodies.count : 1, sizeof(double));
    record->printed = calloc((size_t)model->joints.count + 1, sizeof *record->printed);
    record->output_judged = calloc((size_t)model->outputs.count + 1, sizeof(bool));
    record->valueless = calloc((size_t)model->outputs.count + 1, sizeof *record->valueless);
    record->chosen = malloc((size_t)model->variables.count + 1);
    record->multiplier =
        calloc((size_t)(options->rigid ? options->rigid->coordinates.own_rows : 0) + 1, sizeof *record->multiplier);
    record->combination = malloc((2 * (size_t)(combines ? system->row_count : 0) + 1) * sizeof(double));
    bool good = record->work && record->second && record->last_quat && record->printed && record->output_judged &&
                record->valueless && record->chosen && record->combination && record->multiplier;
    if (good)
        good = make_columns(record, &columns, reactions);
    if (!good) {
        rbv_record_destroy(record);
        return NULL;
    }
    return record;
}

void rbv_record_destroy(RbvRecord *record) {
    if (!record)
        return;
    rbv_result_destroy(record->result);
    free(record->work);
    free(record->second);
    free(record->last_quat);
    free(record->printed);
    free(record->output_judged);
    free(record->valueless);
    free(record->last_verdict);
    free(record->chosen);
    free(record->combination);
    free(record->multiplier);
    rbv_influences_destroy(record->influences);
    free(record->influenced);
    free(record->weight);
    free(record);
}
