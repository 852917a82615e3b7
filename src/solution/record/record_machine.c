/* Figures of the machine: its size, its mass, the correction of prescribed poses by assembly; and notes on bodies
 * whose inertia does not fit their size. They reveal an error of units. */
#include "solution/record/record.h"

#include "core/base/diagnostics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A radius of gyration above RADIUS_MOST times the size of the body and of the mechanism, or below RADIUS_LEAST
 * times the reach of the body's markers, cannot be intended. A wrong prefix is a factor of 30 (g for kg), 100
 * (kg.cm^2) or 1000 (kg.mm^2) in the radius; designed machines keep within 0.05 and 1, a shaft that represents all
 * that it drives reaches 4. */
#define POSITION_ROUNDING 1e-12 /* [m] of positions; no machine is as small */
#define RADIUS_MOST 8.0
#define RADIUS_LEAST 2e-3
/* A smaller correction is rounding of the poses: relative to the size, and in rad. */
#define CORRECTION_LEAST 1e-9

typedef struct Box {
    RbvVec3 low, high;
} Box;

static void include(Box *box, RbvVec3 p) {
    box->low = rbv_vec3(fmin(box->low.x, p.x), fmin(box->low.y, p.y), fmin(box->low.z, p.z));
    box->high = rbv_vec3(fmax(box->high.x, p.x), fmax(box->high.y, p.y), fmax(box->high.z, p.z));
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
    double longest = fmax(edge.x, fmax(edge.y, edge.z));
    return isfinite(longest) && longest > POSITION_ROUNDING ? longest : 0;
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
    *angle = body->particle ? 0 : 2 * asin(fmin(1, sqrt(sum / 8)));
    return rbv_norm(rbv_sub(origin, body->at));
}

RbvMachine rbv_machine_of(const RbvState *state) {
    const RbvModel *model = state->system->model;
    RbvMachine machine = {.size = size_of(state), .corrected = -1};
    double most = -1;
    for (int32_t b = 1; b < model->bodies.count; b++) {
        double angle, distance = correction_of(state, b, &angle),
                      reach = fmax(rbv_state_body_arm(state, b), 1e-3 * machine.size);
        distance = distance <= CORRECTION_LEAST * machine.size ? 0 : distance;
        angle = angle <= CORRECTION_LEAST ? 0 : angle;
        machine.mass += model->bodies.items[b].mass;
        if (!model->bodies.items[b].posed || distance + angle * reach <= most)
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
            fmax(reach[marker->body], rbv_norm(rbv_sub(marker->at, model->bodies.items[marker->body].centroid)));
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
        if (radius > RADIUS_MOST * fmax(reach, size) && fmax(reach, size) > 0)
            rbv_diagnose(diagnostics, RBV_NOTE, model->file, body->where,
                         "mass %.4g kg and inertia %.4g kg.m^2 of '%s' make a radius of gyration of %.3g m, while the "
                         "mechanism is %.3g m large: is a unit wrong?",
                         body->mass, moment, body->name, radius, fmax(reach, size));
        else if (radius < RADIUS_LEAST * reach)
            rbv_diagnose(diagnostics, RBV_NOTE, model->file, body->where,
                         "mass %.4g kg and inertia %.4g kg.m^2 of '%s' make a radius of gyration of %.3g m, while its "
                         "markers reach %.3g m from its centroid: is a unit wrong?",
                         body->mass, moment, body->name, radius, reach);
    }
    free(reaches);
    return true;
}
