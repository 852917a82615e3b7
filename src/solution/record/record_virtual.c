/* Writes virtual motions of reactions into the result; see record.h. */
#include "solution/record/record.h"

#include "mechanics/coordinates/natural.h"

#include <math.h>
#include <string.h>

static const char *copy_motion_name(RbvResult *result, const char *text) {
    return rbv_arena_copy(&result->arena, text, strlen(text));
}

/* Relative to the fastest body: slower motion is rounding. */
#define STANDS 1e-10

static double largest_motion(const RbvState *state, const double *u) {
    double most = 0;
    for (int32_t b = 1; b < state->system->bodies.count; b++) {
        RbvTwist twist = rbv_bodies_twist(&state->system->bodies, b, u);
        most = fmax(most, fmax(rbv_norm(twist.v), rbv_state_body_arm(state, b) * rbv_norm(twist.w)));
    }
    return most;
}

static void clear_small(double x[3], double least) {
    for (int k = 0; k < 3; k++)
        x[k] = fabs(x[k]) > least ? x[k] : 0;
}

static RbvVirtualBody moved(const RbvState *state, int32_t b, const double *u) {
    const RbvBody *body = &state->system->model->bodies.items[b];
    RbvTwist twist = rbv_bodies_twist(&state->system->bodies, b, u);
    RbvVec3 origin =
        rbv_add(twist.v, rbv_cross(twist.w, rbv_apply(&state->bodies[b].A, rbv_scale(-1, body->centroid))));
    return (RbvVirtualBody){body->name, {origin.x, origin.y, origin.z}, {twist.w.x, twist.w.y, twist.w.z}};
}

bool rbv_record_virtual_motion(RbvResult *result, const RbvState *state, const char *name, const double *u) {
    const RbvSystem *system = state->system;
    RbvVirtualMotion *motion = &result->virtual_motions[result->virtual_motion_count++];
    double most = u ? largest_motion(state, u) : 0;
    motion->name = copy_motion_name(result, name);
    motion->found = u != NULL;
    result->planar_motions = !system->bodies.spatial;
    motion->bodies = rbv_arena_array(&result->arena, u ? (size_t)system->bodies.count : 1, sizeof *motion->bodies);
    if (!motion->name || !motion->bodies)
        return false;
    for (int32_t b = 1; u && b < system->bodies.count; b++) {
        if (system->model->bodies.items[b].generalized)
            continue;
        RbvVirtualBody *body = &motion->bodies[motion->body_count++];
        *body = moved(state, b, u);
        clear_small(body->velocity, STANDS * most);
        clear_small(body->angular, STANDS * most / rbv_state_body_arm(state, b));
        body->name = copy_motion_name(result, body->name);
        if (!body->name)
            return false;
    }
    return true;
}

bool rbv_record_stretch(RbvResult *result, const RbvState *state, const char *name, const double *rates, double scale) {
    const RbvNatural *n = rbv_natural_of(&state->system->coordinates);
    RbvVirtualMotion *motion = &result->virtual_motions[result->virtual_motion_count++];
    double most = 0;
    for (int32_t k = 0; rates && k < n->basics_size; k++)
        most = fmax(most, fabs(rates[k]));
    *motion = (RbvVirtualMotion){.name = copy_motion_name(result, name), .found = rates != NULL, .stretches = true};
    motion->bodies = rbv_arena_array(&result->arena, (size_t)n->basic_count + 1, sizeof *motion->bodies);
    result->planar_motions = !state->system->bodies.spatial;
    if (!motion->name || !motion->bodies)
        return false;
    for (int32_t k = 0; rates && k < n->basic_count; k++) {
        char basic[RBV_NAME_SIZE];
        RbvVirtualBody *point = &motion->bodies[motion->body_count];
        if (n->basics[k].column < 0)
            continue;
        rbv_record_basic(state->system, k, basic, sizeof basic);
        *point = (RbvVirtualBody){.name = copy_motion_name(result, basic)};
        for (int d = 0; d < n->dims; d++)
            point->velocity[d] =
                fabs(rates[n->basics[k].column + d]) > STANDS * most ? scale * rates[n->basics[k].column + d] : 0;
        if (!point->name)
            return false;
        motion->body_count++;
    }
    return true;
}
