/* Copies the contents of a model into a result, with figures that follow by addition alone, and the figures of the
 * machine at a state. */
#include "core/base/diagnostics.h"
#include "core/base/extremes.h"
#include "core/base/tolerances.h"
#include "core/linalg/small.h"
#include "solution/record/record.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Figures of the machine: its size, its mass, the correction of prescribed poses by assembly; and notes on bodies
 * whose inertia does not fit their size. They reveal an error of units. */

/* A radius of gyration above RADIUS_MOST times the size of the body and of the mechanism, or below RADIUS_LEAST
 * times the reach of the body's markers, cannot be intended. A wrong prefix is a factor of 30 (g for kg), 100
 * (kg.cm^2) or 1000 (kg.mm^2) in the radius; designed machines keep within 0.05 and 1, a shaft that represents all
 * that it drives reaches 4. */
#define RADIUS_MOST 8.0
#define RADIUS_LEAST 2e-3

typedef struct Box {
    RbvVec3 low, high;
} Box;

static void include(Box *box, RbvVec3 p) {
    box->low = rbv_vec3(rbv_min(box->low.x, p.x), rbv_min(box->low.y, p.y), rbv_min(box->low.z, p.z));
    box->high = rbv_vec3(rbv_max(box->high.x, p.x), rbv_max(box->high.y, p.y), rbv_max(box->high.z, p.z));
}

/* Longest edge [m] of the box, along ground's axes, around the markers that joints and loads use and the centroids
 * of bodies. */
static double size_of(const RbvState *state) {
    const RbvSystem *system = state->system;
    const RbvModel *model = system->model;
    Box box = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    for (int32_t n = 0; n < system->used_marker_count; n++) {
        int32_t m = system->used_marker[n];
        if (m > 0 || system->used_marker_count == 1) /* ground's origin always exists */
            include(&box, state->markers[m].point);
    }
    for (int32_t b = 1; b < model->bodies.count; b++)
        if (model->bodies.items[b].mass > 0)
            include(&box, state->bodies[b].r);
    RbvVec3 edge = rbv_sub(box.high, box.low);
    double longest = rbv_max(edge.x, rbv_max(edge.y, edge.z));
    /* [m] of positions; no machine is as small. */
    return isfinite(longest) && longest > RBV_CANCELLED ? longest : 0;
}

/* Distance of a body from its starting pose: of its frame's origin [m], and *angle [rad], at most half a turn, from
 * |A - A0|^2 = 8 sin(angle/2)^2. */
static double correction_of(const RbvState *state, int32_t b, double *angle) {
    const RbvBody *body = &state->system->model->bodies.items[b];
    const RbvBodyState *now = &state->bodies[b];
    RbvVec3 origin = rbv_sub(now->r, rbv_apply(&now->A, body->centroid));
    RbvMat3 start = rbv_body_axes(state->system->model, body);
    double sum = 0;
    for (int k = 0; k < 3; k++) {
        RbvVec3 apart = rbv_sub(now->A.column[k], start.column[k]);
        sum += rbv_dot(apart, apart);
    }
    *angle = body->particle ? 0 : 2 * asin(rbv_min(1, sqrt(sum / 8)));
    return rbv_norm(rbv_sub(origin, body->at));
}

RbvMachine rbv_machine_of(const RbvState *state) {
    const RbvModel *model = state->system->model;
    RbvMachine machine = {.size = size_of(state), .corrected = -1};
    double most = -1;
    for (int32_t b = 1; b < model->bodies.count; b++) {
        double angle, distance = correction_of(state, b, &angle),
                      reach = rbv_max(rbv_state_body_arm(state, b), 1e-3 * machine.size);
        /* A smaller correction is rounding of the poses: relative to the size, and in rad. */
        distance = distance <= RBV_SAME * machine.size ? 0 : distance;
        angle = angle <= RBV_SAME ? 0 : angle;
        machine.mass += model->bodies.items[b].mass;
        /* Of corrections that differ by rounding the first is named. */
        if (!model->bodies.items[b].posed || distance + angle * reach <= most + RBV_SAME * machine.size)
            continue;
        most = distance + angle * reach;
        machine.corrected = b;
        machine.distance = distance;
        machine.angle = angle;
    }
    return machine;
}

bool rbv_record_machine(RbvResult *result, const RbvModel *model, const RbvMachine *machine) {
    result->machine.size = machine->size;
    result->machine.mass = machine->mass;
    result->machine.gravity[0] = model->gravity.x;
    result->machine.gravity[1] = model->gravity.y;
    result->machine.gravity[2] = model->gravity.z;
    result->machine.axes = model->space == RBV_SPATIAL ? 3 : 2;
    if (machine->corrected < 0)
        return true;
    const char *name = model->bodies.items[machine->corrected].name;
    result->machine.corrected = rbv_arena_copy(&result->arena, name, strlen(name));
    result->machine.distance = machine->distance;
    result->machine.angle = machine->angle;
    return result->machine.corrected != NULL;
}

/* reach[bodies]: distance [m] of the farthest used marker from the centroid. */
static void find_reaches(const RbvSystem *system, double *reach) {
    const RbvModel *model = system->model;
    for (int32_t b = 0; b < model->bodies.count; b++)
        reach[b] = 0;
    for (int32_t n = 0; n < system->used_marker_count; n++) {
        const RbvMarker *marker = &model->markers.items[system->used_marker[n]];
        reach[marker->body] =
            rbv_max(reach[marker->body], rbv_norm(rbv_sub(marker->at, model->bodies.items[marker->body].centroid)));
    }
}

/* Notes friction radii much larger than the machine: probably in another unit. */
static void note_friction(const RbvState *state, double size, RbvDiagnostics *diagnostics) {
    const RbvModel *model = state->system->model;
    for (int32_t k = 0; k < model->joints.count; k++) {
        const RbvJoint *joint = &model->joints.items[k];
        if (size > 0 && joint->sizes->friction > 0 && joint->sizes->friction_radius > RADIUS_MOST * size)
            rbv_diagnose(
                diagnostics, RBV_NOTE, model->file, joint->where,
                "friction in '%s' has a radius of %.4g m, while the mechanism is %.3g m large: is a unit wrong?",
                joint->name, joint->sizes->friction_radius, size);
    }
}

bool rbv_note_inertias(const RbvState *state, RbvDiagnostics *diagnostics) {
    const RbvModel *model = state->system->model;
    double size = size_of(state), *reaches = malloc((size_t)model->bodies.count * sizeof *reaches);
    if (!reaches)
        return false;
    find_reaches(state->system, reaches);
    note_friction(state, size, diagnostics);
    for (int32_t b = 1; b < model->bodies.count; b++) {
        const RbvBody *body = &model->bodies.items[b];
        const double *J = body->inertia;
        double moment = model->space == RBV_SPATIAL ? 0.5 * (J[0] + J[1] + J[2]) : J[2],
               radius = sqrt(moment / body->mass), reach = reaches[b];
        if (body->particle || !(body->mass > 0) || !(moment > 0))
            continue;
        if (radius > RADIUS_MOST * rbv_max(reach, size) && rbv_max(reach, size) > 0)
            rbv_diagnose(diagnostics, RBV_NOTE, model->file, body->where,
                         "mass %.4g kg and inertia %.4g kg.m^2 of '%s' make a radius of gyration of %.3g m, while the "
                         "mechanism is %.3g m large: is a unit wrong?",
                         body->mass, moment, body->name, radius, rbv_max(reach, size));
        else if (radius < RADIUS_LEAST * reach)
            rbv_diagnose(diagnostics, RBV_NOTE, model->file, body->where,
                         "mass %.4g kg and inertia %.4g kg.m^2 of '%s' make a radius of gyration of %.3g m, while its "
                         "markers reach %.3g m from its centroid: is a unit wrong?",
                         body->mass, moment, body->name, radius, reach);
    }
    free(reaches);
    return true;
}

typedef struct Copier {
    const RbvModel *model;
    RbvArena *arena;
    RbvResult *result;
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
            to->radius[k] = body->mass > 0 ? sqrt(rbv_max(to->moment[k], 0) / body->mass) : (double)NAN;
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

static const char *spelt_option(Copier *c, const char *option) {
    const char *spelt = rbv_result_spelt(c->result, option);
    c->lost = c->lost || !spelt;
    return spelt;
}

static void constants(Copier *c) {
    const RbvModel *model = c->model;
    RbvInfoItem *to = items(c, &c->to->parameters, model->parameters.count);
    for (int32_t k = 0; to && k < model->parameters.count; k++) {
        const RbvParameter *p = &model->parameters.items[k];
        to[c->to->parameters.count++] = (RbvInfoItem){.name = copy_text(c, p->name),
                                                      .word = p->option ? spelt_option(c, p->option) : NULL,
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
    static const char *const units[2][2] = {{"m", "rad"}, {"m/s", "rad/s"}};
    return units[of->rate][angle];
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

/* What is rated: drives, bearings, guides, screws. */
static void sized_items(Copier *c) {
    static const char *const kinds[] = {[RBV_SIZED_DRIVE] = "rating",
                                        [RBV_SIZED_BEARING] = "bearing",
                                        [RBV_SIZED_PLAIN] = "plain",
                                        [RBV_SIZED_GUIDE] = "guide",
                                        [RBV_SIZED_SCREW] = "screw_life"};
    const RbvModel *model = c->model;
    RbvInfoItem *to = items(c, &c->to->sized, model->sized.count);
    for (int32_t k = 0; to && k < model->sized.count; k++) {
        const RbvSized *of = &model->sized.items[k];
        const char *name = of->kind != RBV_SIZED_DRIVE ? model->joints.items[of->index].name
                           : of->actuator              ? model->actuators.items[of->index].name
                                                       : model->drives.items[of->index].name;
        to[c->to->sized.count++] =
            (RbvInfoItem){.name = copy_text(c, name), .word = of->count == 2 ? "bearings" : kinds[of->kind]};
    }
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
    Copier c = {.model = model, .arena = &result->arena, .result = result, .to = &result->info};
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
    sized_items(&c);
    stops_and_events(&c);
    equations(&c);
    files(&c);
    return !c.lost && rbv_record_machine(result, model, &machine);
}
