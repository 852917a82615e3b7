/* Copies the contents of a model into a result, with figures that follow by addition alone. */
#include "solution/record/record.h"

#include "core/linalg/small.h"

#include <math.h>
#include <string.h>

typedef struct Copier {
    const RbvModel *model;
    RbvArena *arena;
    RbvInfo *to;
    bool lost; /* no memory */
} Copier;

static void *info_array(Copier *c, int32_t count, size_t size) {
    void *block = rbv_arena_alloc(c->arena, ((size_t)count + 1) * size);
    c->lost = c->lost || !block;
    return block;
}

static const char *copy_text(Copier *c, const char *text) {
    const char *fresh = rbv_arena_copy(c->arena, text, strlen(text));
    c->lost = c->lost || !fresh;
    return fresh ? fresh : "";
}

/* A unit per rad is shown with rad: N/rad. */
static const char *unit_of(Copier *c, const RbvExprDimension *dimension) {
    char si[64];
    bool per_angle = dimension->exponents.half[RBV_OF_ANGLE] < 0;
    (per_angle ? rbv_exponents_si_whole : rbv_exponents_si)(dimension->exponents, si, sizeof si);
    return copy_text(c, si);
}

/* Counts the named markers of each body. */
static void count_markers(RbvInfoBody *const *of, const RbvModel *model) {
    for (int32_t m = 0; m < model->markers.count; m++)
        if (of[model->markers.items[m].body] && strchr(model->markers.items[m].name, '.') != NULL)
            of[model->markers.items[m].body]->markers++;
}

static void info_bodies(Copier *c) {
    const RbvModel *model = c->model;
    const bool spatial = model->space == RBV_SPATIAL;
    c->to->bodies = info_array(c, model->bodies.count, sizeof *c->to->bodies);
    RbvInfoBody **of = info_array(c, model->bodies.count, sizeof *of);
    for (int32_t b = 1; !c->lost && b < model->bodies.count; b++) {
        const RbvBody *body = &model->bodies.items[b];
        if (body->generalized)
            continue;
        RbvInfoBody *to = &c->to->bodies[c->to->body_count++];
        of[b] = to;
        *to = (RbvInfoBody){.name = copy_text(c, body->name),
                            .mass = body->mass,
                            .centroid = {body->centroid.x, body->centroid.y, body->centroid.z},
                            .moments = body->particle ? 0
                                       : spatial      ? 3
                                                      : 1};
        if (spatial)
            rbv_small_eigenvalues(body->inertia, to->moment);
        else
            to->moment[0] = body->inertia[2];
        for (int32_t k = 0; k < to->moments; k++)
            to->radius[k] = body->mass > 0 ? sqrt(fmax(to->moment[k], 0) / body->mass) : (double)NAN;
    }
    if (!c->lost)
        count_markers(of, model);
}

/* Counts one more item of its kind. */
static void count_kind(RbvInfoCount *kinds, int32_t *count, const char *kind) {
    int32_t k = 0;
    while (k < *count && strcmp(kinds[k].kind, kind) != 0)
        k++;
    if (k == *count)
        kinds[(*count)++].kind = kind;
    kinds[k].count++;
}

static void joints(Copier *c) {
    const RbvModel *model = c->model;
    RbvInfo *to = c->to;
    to->joints = info_array(c, model->joints.count, sizeof *to->joints);
    to->joint_kinds = info_array(c, model->joints.count, sizeof *to->joint_kinds);
    for (int32_t k = 0; !c->lost && k < model->joints.count; k++) {
        const RbvJoint *joint = &model->joints.items[k];
        to->joint_kinds[k] = (RbvInfoCount){NULL, 0};
        to->joints[to->joint_count++] = (RbvInfoJoint){copy_text(c, joint->name), joint->kind->name,
                                                       copy_text(c, model->markers.items[joint->marker[0]].name),
                                                       copy_text(c, model->markers.items[joint->marker[1]].name)};
    }
    for (int32_t k = 0; !c->lost && k < model->joints.count; k++)
        count_kind(to->joint_kinds, &to->joint_kind_count, model->joints.items[k].kind->name);
}

static RbvInfoItem *items(Copier *c, RbvInfoList *list, int32_t count) {
    list->items = info_array(c, count, sizeof *list->items);
    return c->lost ? NULL : list->items;
}

static void loads(Copier *c) {
    const RbvModel *model = c->model;
    RbvInfoItem *to = items(c, &c->to->loads, model->loads.count);
    c->to->load_kinds = info_array(c, model->loads.count, sizeof *c->to->load_kinds);
    for (int32_t k = 0; !c->lost && k < model->loads.count; k++)
        c->to->load_kinds[k] = (RbvInfoCount){NULL, 0};
    for (int32_t k = 0; !c->lost && k < model->loads.count; k++) {
        const RbvLoad *load = &model->loads.items[k];
        const char *kind = rbv_load_row(load->kind)->type;
        if (!load->name) /* the damping of a joint */
            continue;
        to[c->to->loads.count++] =
            (RbvInfoItem){.name = copy_text(c, load->name), .word = kind, .unit = "", .unit_x = ""};
        count_kind(c->to->load_kinds, &c->to->load_kind_count, kind);
    }
}

static void constraints_and_drives(Copier *c) {
    const RbvModel *model = c->model;
    RbvInfoItem *to = items(c, &c->to->constraints, model->constraints.count - model->requirement_count);
    for (int32_t k = 0; to && k < model->constraints.count - model->requirement_count; k++)
        to[c->to->constraints.count++] =
            (RbvInfoItem){.name = copy_text(c, model->constraints.items[k].name),
                          .word = model->constraints.items[k].on_rates ? "velocity" : "equation"};
    to = items(c, &c->to->drives, model->drives.count);
    for (int32_t k = 0; to && k < model->drives.count; k++)
        to[c->to->drives.count++] = (RbvInfoItem){.name = copy_text(c, model->drives.items[k].name),
                                                  .word = copy_text(c, model->drives.items[k].coordinate)};
}

static void constants(Copier *c) {
    const RbvModel *model = c->model;
    RbvInfoItem *to = items(c, &c->to->parameters, model->parameters.count);
    for (int32_t k = 0; to && k < model->parameters.count; k++) {
        const RbvParameter *p = &model->parameters.items[k];
        to[c->to->parameters.count++] = (RbvInfoItem){.name = copy_text(c, p->name),
                                                      .word = p->option ? copy_text(c, p->option) : NULL,
                                                      .unit = unit_of(c, &p->dimension),
                                                      .value = p->value};
    }
    to = items(c, &c->to->tables, model->tables.count);
    for (int32_t k = 0; to && k < model->tables.count; k++) {
        const RbvTable *t = &model->tables.items[k];
        RbvInfoItem *item = &to[c->to->tables.count++];
        *item = (RbvInfoItem){.name = copy_text(c, t->name),
                              .unit = unit_of(c, &t->y),
                              .unit_x = unit_of(c, &t->x),
                              .word = rbv_spline_is_periodic(t->spline) ? "periodic" : NULL};
        rbv_spline_range(t->spline, &item->from, &item->to);
    }
}

static const char *unit_of_coordinate(Copier *c, const RbvCoordinateRef *of) {
    RbvExprDimension dimension = rbv_coordinate_dimension(c->model, of);
    if (of->named >= 0 || rbv_measure_generalized(c->model, of->measure))
        return unit_of(c, &dimension);
    bool angle = rbv_coordinate_is_angle(c->model, of);
    return of->rate ? (angle ? "rad/s" : "m/s") : angle ? "rad" : "m";
}

static void info_coordinates(Copier *c) {
    const RbvModel *model = c->model;
    RbvInfoItem *to = items(c, &c->to->coordinates, model->coordinates.count);
    for (int32_t k = 0; to && k < model->coordinates.count; k++) {
        const RbvCoordinateRef of = {.measure = model->coordinates.items[k].measure,
                                     .named = model->coordinates.items[k].measure >= 0 ? -1 : k};
        RbvExprDimension dimension = rbv_coordinate_dimension(model, &of);
        to[c->to->coordinates.count++] = (RbvInfoItem){.name = copy_text(c, model->coordinates.items[k].name),
                                                       .word = copy_text(c, model->coordinates.items[k].text),
                                                       .unit = unit_of(c, &dimension)};
    }
}

static void initial_and_outputs(Copier *c) {
    const RbvModel *model = c->model;
    RbvInfoItem *to = items(c, &c->to->initial, model->initial.count);
    for (int32_t k = 0; to && k < model->initial.count; k++) {
        const RbvInitial *initial = &model->initial.items[k];
        to[c->to->initial.count++] = (RbvInfoItem){.name = copy_text(c, initial->coordinate),
                                                   .value = initial->value,
                                                   .unit = unit_of_coordinate(c, &initial->of)};
    }
    to = items(c, &c->to->outputs, model->outputs.count);
    for (int32_t k = 0; to && k < model->outputs.count; k++)
        to[c->to->outputs.count++] = (RbvInfoItem){.name = copy_text(c, model->outputs.items[k].name),
                                                   .unit = copy_text(c, model->outputs.items[k].unit)};
}

static void stops_and_events(Copier *c) {
    const RbvModel *model = c->model;
    static const char *const named_items[] = {[RBV_CONDITION_JOINT] = "joint",
                                              [RBV_CONDITION_CONSTRAINT] = "constraint",
                                              [RBV_CONDITION_DRIVE] = "drive",
                                              [RBV_CONDITION_LOAD] = "load",
                                              [RBV_CONDITION_STOP] = "stop"};
    RbvInfoItem *to = items(c, &c->to->stops, model->stops.count);
    for (int32_t k = 0; to && k < model->stops.count; k++)
        to[c->to->stops.count++] = (RbvInfoItem){.name = copy_text(c, model->stops.items[k].name),
                                                 .word = copy_text(c, model->stops.items[k].coordinate)};
    to = items(c, &c->to->events, model->events.count);
    for (int32_t k = 0; to && k < model->events.count; k++)
        to[c->to->events.count++] =
            (RbvInfoItem){.name = copy_text(c, model->events.items[k].name),
                          .word = model->events.items[k].deed == RBV_EVENT_STOP ? "stop" : "mark"};
    to = items(c, &c->to->conditions, model->conditions.count);
    for (int32_t k = 0; to && k < model->conditions.count; k++)
        to[c->to->conditions.count++] = (RbvInfoItem){.name = copy_text(c, model->conditions.items[k].name),
                                                      .word = named_items[model->conditions.items[k].of]};
}

/* States and generalized coordinates with equations of their own, requirements of the motion, actuators. */
static void equations(Copier *c) {
    const RbvModel *model = c->model;
    RbvInfoItem *to = items(c, &c->to->states, model->states.count);
    for (int32_t k = 0; to && k < model->states.count; k++)
        to[c->to->states.count++] = (RbvInfoItem){.name = copy_text(c, model->states.items[k].name),
                                                  .unit = copy_text(c, model->states.items[k].unit)};
    to = items(c, &c->to->generalized, model->generalized.count);
    for (int32_t k = 0; to && k < model->generalized.count; k++)
        to[c->to->generalized.count++] = (RbvInfoItem){.name = copy_text(c, model->generalized.items[k].name),
                                                       .unit = copy_text(c, model->generalized.items[k].unit)};
    int32_t first = model->constraints.count - model->requirement_count;
    to = items(c, &c->to->required, model->requirement_count);
    for (int32_t k = first; to && k < model->constraints.count; k++)
        to[c->to->required.count++] =
            (RbvInfoItem){.name = copy_text(c, model->constraints.items[k].name),
                          .word = model->constraints.items[k].on_rates ? "velocity" : "equation"};
    to = items(c, &c->to->actuators, model->actuators.count);
    for (int32_t k = 0; to && k < model->actuators.count; k++)
        to[c->to->actuators.count++] = (RbvInfoItem){.name = copy_text(c, model->actuators.items[k].name),
                                                     .word = copy_text(c, model->actuators.items[k].coordinate)};
}

static void files(Copier *c) {
    c->to->files = info_array(c, c->model->files.count, sizeof *c->to->files);
    for (int32_t k = 0; !c->lost && k < c->model->files.count; k++) {
        bool known = false;
        for (int32_t n = 0; n < c->to->file_count; n++)
            known = known || strcmp(c->to->files[n], c->model->files.items[k]) == 0;
        if (!known)
            c->to->files[c->to->file_count++] = copy_text(c, c->model->files.items[k]);
    }
}

/* Number of active rows of joints, constraints and drives; without those of stops. */
static int32_t rows_that_hold(const RbvSystem *system) {
    int32_t count = 0;
    for (int32_t k = 0; k < system->row_count; k++)
        count += !system->active || system->active[k];
    return count;
}

bool rbv_record_info(RbvResult *result, const RbvState *state) {
    const RbvSystem *system = state->system;
    const RbvModel *model = system->model;
    RbvMachine machine = rbv_machine_of(state);
    machine.corrected = -1; /* info does not assemble */
    Copier c = {.model = model, .arena = &result->arena, .to = &result->info};
    *c.to = (RbvInfo){.found = true,
                      .spatial = model->space == RBV_SPATIAL,
                      .has_motion = model->has_motion,
                      .from = model->from,
                      .to = model->to,
                      .step = model->step,
                      .gravity = {model->gravity.x, model->gravity.y, model->gravity.z},
                      .rows = rows_that_hold(system),
                      .mass = machine.mass,
                      .size = machine.size};
    info_bodies(&c);
    joints(&c);
    loads(&c);
    constraints_and_drives(&c);
    constants(&c);
    info_coordinates(&c);
    initial_and_outputs(&c);
    stops_and_events(&c);
    equations(&c);
    files(&c);
    return !c.lost && rbv_record_machine(result, model, &machine);
}
