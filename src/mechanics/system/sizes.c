/* Sizes of the parts of a mechanism: the lengths in which tolerances, steps and scales are counted.
 *
 * A part is a set of bodies joined by rows, directly or through other bodies, ground excepted: two machines on one
 * ground are two parts, and neither depends on the other's size. Of a part,
 *
 *   arm^2  = mean over its points of |point - centroid of its body|^2
 *   size^2 = mean over its points of |point - their mean|^2 + arm^2, at the evaluated positions
 *
 * The arm is the length per radian of rotation, equal in every pose. Points are the markers that rows use. Ground's
 * origin, from which x(body) and similar measures count, is included only where a part has no extension without it.
 * Bodies without rows, and wheels whose only point is their centroid, have the size of the arms of loads on them, or of
 * their radius of gyration. */
#include "core/base/extremes.h"
#include "mechanics/system/builder.h"

#include "core/base/tolerances.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

static int32_t find(int32_t *parent, int32_t k) {
    while (parent[k] != k)
        k = parent[k] = parent[parent[k]];
    return k;
}

/* The markers of a term: two, and the carrier's of meshing wheels. Returns how many. */
static int32_t term_markers(const RbvSystem *system, int32_t term, int32_t markers[3]) {
    const RbvMeasure *measure = &system->model->measures.items[system->terms[term].measure];
    int32_t carrier = rbv_measure_carrier(measure, system->model);
    markers[0] = measure->marker[0];
    markers[1] = measure->marker[1];
    markers[2] = carrier;
    return carrier >= 0 ? 3 : 2;
}

static int32_t body_of(const RbvSystem *system, int32_t marker) {
    return system->model->markers.items[marker].body;
}

/* Joins the bodies of each row and numbers the parts in the order of bodies: part[bodies]. */
static void number_parts(RbvSystem *system, int32_t *parent) {
    int32_t bodies = system->model->bodies.count, markers[3];
    for (int32_t b = 0; b < bodies; b++)
        parent[b] = b;
    for (int32_t k = 0; k < system->row_count; k++) {
        int32_t first = 0;
        for (int32_t n = system->rows[k].first; n < system->rows[k].first + system->rows[k].count; n++)
            for (int32_t m = term_markers(system, n, markers) - 1; m >= 0; m--) {
                int32_t body = body_of(system, markers[m]);
                if (body > 0 && first > 0)
                    parent[find(parent, body)] = find(parent, first);
                first = body > 0 ? body : first;
            }
    }
    for (int32_t b = 0; b < bodies; b++)
        system->part[b] = -1;
    for (int32_t b = 1; b < bodies; b++) {
        int32_t root = find(parent, b);
        if (system->part[root] < 0)
            system->part[root] = system->part_count++;
        system->part[b] = system->part[root];
    }
}

/* The part of each row: of any of its bodies. Bodies of an initial condition may lie in two parts. */
static void find_row_parts(RbvSystem *system) {
    int32_t markers[3];
    for (int32_t k = 0; k < system->all_count; k++) {
        system->row_part[k] = -1;
        for (int32_t n = system->rows[k].first; n < system->rows[k].first + system->rows[k].count; n++)
            for (int32_t m = term_markers(system, n, markers) - 1; m >= 0; m--)
                if (body_of(system, markers[m]) > 0)
                    system->row_part[k] = system->part[body_of(system, markers[m])];
    }
}

static int by_part(const void *a, const void *b) {
    const RbvPartPoint *x = a, *y = b;
    return x->part != y->part ? (x->part > y->part) - (x->part < y->part)
                              : (x->marker > y->marker) - (x->marker < y->marker);
}

/* The points of all parts, each once. False if out of memory. */
static bool list_points(RbvSystem *system) {
    int32_t markers[3], count = 0, kept = 0;
    RbvPartPoint *points = malloc((3 * (size_t)system->term_count + 1) * sizeof *points);
    for (int32_t k = 0; points && k < system->row_count; k++)
        for (int32_t n = system->rows[k].first;
             system->row_part[k] >= 0 && n < system->rows[k].first + system->rows[k].count; n++)
            for (int32_t m = term_markers(system, n, markers) - 1; m >= 0; m--)
                points[count++] = (RbvPartPoint){system->row_part[k], markers[m]};
    if (count > 0)
        qsort(points, (size_t)count, sizeof *points, by_part);
    for (int32_t k = 0; k < count; k++)
        if (k == 0 || by_part(&points[k - 1], &points[k]) != 0)
            points[kept++] = points[k];
    system->part_point = points ? rbv_arena_alloc(&system->arena, (size_t)kept * sizeof *points) : NULL;
    if (system->part_point && kept > 0)
        memcpy(system->part_point, points, (size_t)kept * sizeof *points);
    system->part_point_count = kept;
    free(points);
    return system->part_point != NULL;
}

/* part_arm[parts] from the points of rows; where these give 0, from the points of loads; else from radii of gyration;
 * 0: the part has no arm. count[bodies]: workspace. */
void rbv_system_find_arms(RbvSystem *system, int32_t *count) {
    const RbvModel *model = system->model;
    double *sum = system->part_arm;
    memset(sum, 0, (size_t)system->part_count * sizeof *sum);
    memset(count, 0, (size_t)system->part_count * sizeof *count);
    for (int32_t k = 0; k < system->part_point_count; k++) {
        RbvPartPoint point = system->part_point[k];
        if (body_of(system, point.marker) == 0)
            continue;
        RbvVec3 arm = rbv_marker_arm(model, &model->markers.items[point.marker]);
        sum[point.part] += rbv_dot(arm, arm);
        count[point.part]++;
    }
    for (int32_t p = 0; p < system->part_count; p++) {
        sum[p] = sum[p] > 0 ? sqrt(sum[p] / count[p]) : 0;
        count[p] = sum[p] > 0; /* from here on: 1 if the arm is known */
    }
    for (int32_t k = 0; k < model->loads.count; k++)
        for (int side = 0; side < 2; side++) {
            int32_t marker = model->loads.items[k].marker[side], body = marker >= 0 ? body_of(system, marker) : 0;
            if (body > 0 && !count[system->part[body]])
                sum[system->part[body]] =
                    rbv_max(sum[system->part[body]], rbv_norm(rbv_marker_arm(model, &model->markers.items[marker])));
        }
    for (int32_t p = 0; p < system->part_count; p++)
        count[p] = sum[p] > 0;
    for (int32_t b = 1; b < model->bodies.count; b++) {
        const RbvBody *body = &model->bodies.items[b];
        if (!count[system->part[b]] && body->mass > 0 && !body->particle)
            sum[system->part[b]] =
                rbv_max(sum[system->part[b]],
                        sqrt(rbv_max(body->inertia[0], rbv_max(body->inertia[1], body->inertia[2])) / body->mass));
    }
}

bool rbv_system_find_parts(RbvSystem *system) {
    size_t bodies = (size_t)system->model->bodies.count;
    int32_t *scratch = malloc((bodies + 1) * sizeof *scratch);
    system->part = rbv_arena_alloc(&system->arena, bodies * sizeof *system->part);
    system->row_part = rbv_arena_alloc(&system->arena, ((size_t)system->all_count + 1) * sizeof *system->row_part);
    bool good = scratch && system->part && system->row_part;
    if (good) {
        number_parts(system, scratch);
        find_row_parts(system);
        system->part_arm = rbv_arena_alloc(&system->arena, (size_t)system->part_count * sizeof *system->part_arm);
        good = system->part_arm && list_points(system);
    }
    if (good)
        rbv_system_find_arms(system, scratch);
    free(scratch);
    return good;
}

/* *square = mean of |p - mean|^2 over the points of the part that begins at `first`, with ground's origin or without;
 * *largest: largest coordinate. Returns the first point of the next part. */
static int32_t spread(const RbvState *state, int32_t first, bool with_origin, double *square, double *largest) {
    const RbvSystem *system = state->system;
    int32_t end = first, count = 0;
    RbvVec3 mean = {0, 0, 0};
    *square = *largest = 0;
    for (int pass = 0; pass < 2; pass++)
        for (end = first;
             end < system->part_point_count && system->part_point[end].part == system->part_point[first].part; end++) {
            RbvVec3 p = state->markers[system->part_point[end].marker].point;
            if (system->part_point[end].marker == 0 && !with_origin)
                continue;
            if (pass == 0) {
                mean = rbv_add(mean, p);
                count++;
                *largest = rbv_max(*largest, rbv_max(fabs(p.x), rbv_max(fabs(p.y), fabs(p.z))));
            } else {
                RbvVec3 d = rbv_add_scaled(p, -1.0 / count, mean);
                *square += rbv_dot(d, d) / count;
            }
        }
    return end;
}

double rbv_state_part_arm(const RbvState *state, int32_t part) {
    double size = part >= 0 ? state->part_size[part] : 1;
    double arm = part >= 0 ? state->system->part_arm[part] : 0;
    /* Relative to the size: least arm, as a body that turns only about its own centroid is not a point. */
    return arm > 0 ? rbv_max(arm, RBV_LEAST_SCALE * size) : size;
}

/* True if points with this mean square [m^2] about their mean are more than one point. */
static bool is_spread(double square, double largest) {
    /* Relative to the largest coordinate: points nearer to each other are one. [m] Points nearer to each other than
     * this, of a part without an extension of its own, give no size: a particle that begins 1e-13 m beside the origin
     * begins at the origin. */
    double together = rbv_max(RBV_CANCELLED * largest, RBV_SAME);
    return square > together * together;
}

void rbv_state_measure_sizes(RbvState *state) {
    const RbvSystem *system = state->system;
    for (int32_t p = 0; p < system->part_count; p++)
        state->part_size[p] = system->part_arm[p];
    for (int32_t first = 0, end; first < system->part_point_count; first = end) {
        int32_t p = system->part_point[first].part;
        double square, largest;
        for (int with_origin = 0; with_origin < 2; with_origin++) {
            end = spread(state, first, with_origin, &square, &largest);
            if (is_spread(square, largest) || system->part_arm[p] > 0)
                break;
        }
        if (is_spread(square, largest))
            state->part_size[p] = sqrt(square + system->part_arm[p] * system->part_arm[p]);
    }
    for (int32_t p = 0; p < system->part_count; p++)
        if (!(state->part_size[p] > 0))
            state->part_size[p] = 1;
    for (int32_t b = 0; b < system->bodies.count; b++) {
        state->size[b] = system->part[b] >= 0 ? state->part_size[system->part[b]] : 1;
        state->arm[b] = rbv_state_part_arm(state, system->part[b]);
    }
}

void rbv_state_take_sizes(RbvState *state, const RbvState *from) {
    memcpy(state->part_size, from->part_size, (size_t)state->system->part_count * sizeof *state->part_size);
    memcpy(state->size, from->size, (size_t)state->system->bodies.count * sizeof *state->size);
    memcpy(state->arm, from->arm, (size_t)state->system->bodies.count * sizeof *state->arm);
}

double rbv_state_row_arm(const RbvState *state, int32_t row) {
    return rbv_state_part_arm(state, state->system->row_part[row]);
}

double *rbv_state_column_scales(const RbvState *state) {
    const RbvBodyColumns *bodies = &state->system->bodies;
    double *scale = malloc(((size_t)bodies->size + 1) * sizeof *scale);
    for (int32_t b = 1; scale && b < bodies->count; b++)
        for (int32_t c = bodies->start[b]; c < bodies->start[b + 1]; c++)
            scale[c] = rbv_bodies_is_rotation(bodies, b, c) ? 1 / rbv_state_body_arm(state, b) : 1;
    return scale;
}

double rbv_state_row_rounding(const RbvState *state, int32_t row) {
    const RbvSystem *system = state->system;
    double largest = 0;
    int32_t markers[3];
    for (int32_t n = system->rows[row].first; n < system->rows[row].first + system->rows[row].count; n++)
        for (int32_t m = term_markers(system, n, markers) - 1; m >= 0; m--) {
            const RbvMarkerState *at = &state->markers[markers[m]];
            largest = rbv_max(largest, rbv_max(rbv_norm(at->point), rbv_norm(at->arm)));
        }
    return 16 * DBL_EPSILON * largest;
}
