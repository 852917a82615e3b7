/* Natural coordinates of joined bodies, in random states of random trees of joints, against the bodies' own motion; see
 * coordinates_test.c for free ones.
 *
 * The motion of a tree is made here from its joints: A_c = A_p R_0 T(t) R_1^T with T the relative motion that the
 * joint allows. What is taken along it is q(t), and differences of it and of the bodies are v, v', twists and
 * accelerations. Nothing of this is natural coordinates. Differences of sixth order with step 1e-2 lose 1e-12 times
 * seventh or eighth derivatives (of size 10 ... 100 down a chain), and 1e-11 by rounding. */
#include "mechanics/coordinates/natural.h"
#include "support/machines.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define STATES 30
#define BODIES 8
#define MOST 140
#define ENTRIES 4000
#define NUMBERS 16
#define STEP 1e-2
#define FIT 1e-8
static const double weight[3] = {0.75, -0.15, 1.0 / 60}, second[4] = {-49.0 / 18, 1.5, -0.15, 1.0 / 90};

static uint64_t seed = 0x853c49e6748fea9bu;

static double any(double most) {
    return most * machine_random(&seed);
}

static RbvVec3 any_vec3(double most) {
    return rbv_vec3(any(most), any(most), any(most));
}

/* The joint that carries a body: to which, and how. '-': none, the body is free. */
typedef struct Carried {
    int parent;
    char joint;
} Carried;

typedef struct Tree {
    RbvSpace space;
    int count; /* bodies with ground */
    Carried by[BODIES];
} Tree;

/* All that is shared: points of two and three bodies, directions of revolutes, cylinders, slides; bodies with one, two
 * and three points. */
static const Tree trees[] = {
    {RBV_SPATIAL, 7, {{0, 0}, {0, 'R'}, {1, 'S'}, {2, 'U'}, {3, 'C'}, {4, 'P'}, {1, 'S'}}},
    {RBV_SPATIAL, 8, {{0, 0}, {0, '-'}, {1, 'R'}, {1, 'R'}, {2, 'S'}, {2, 'S'}, {2, 'S'}, {2, 'S'}}},
    {RBV_SPATIAL, 6, {{0, 0}, {0, 'S'}, {1, 'S'}, {1, 'S'}, {2, 'F'}, {3, 'U'}}},
    {RBV_PLANAR, 7, {{0, 0}, {0, 'R'}, {1, 'R'}, {2, 'P'}, {2, 'R'}, {2, 'R'}, {3, 'R'}}},
    {RBV_PLANAR, 4, {{0, 0}, {0, '-'}, {1, 'R'}, {1, 'P'}}},
};

typedef struct Rig {
    const Tree *tree;
    RbvModel *model;
    RbvArena arena;
    RbvBodyColumns bodies;
    RbvCoordinates c;
    double motion[2][BODIES][3]
                 [6]; /* of joints or free bodies: x = [0] + [1] t + [2] t^2 / 2; two motions from one place */
    int32_t joint[BODIES];
    int32_t numbers[NUMBERS], number_count; /* measures that are numbers of q, of mixed coordinates */
    double expected[NUMBERS];               /* by the motion of joints, and by places of bodies (NaN) */
    double q[MOST], v[MOST], a[MOST];
    RbvBodyState placed[BODIES];
    RbvTwist twists[BODIES], accelerations[BODIES];
} Rig;

static RbvPosed here(const Rig *rig) {
    return (RbvPosed){rig->q, rig->placed, NULL, NULL, NULL};
}

/* What the joint lets the second marker do in the first's axes. */
static RbvMat3 allowed(char joint, bool spatial, const double x[6], RbvVec3 *shift) {
    RbvMat3 turn = rbv_mat3_identity();
    const RbvVec3 along = spatial ? rbv_vec3(0, 0, x[3]) : rbv_vec3(x[3], 0, 0);
    *shift = joint == 'C' || joint == 'P' ? along : rbv_vec3(0, 0, 0);
    if (joint == 'R' || joint == 'C')
        return rbv_mat3_about_z(x[0]);
    if (joint == 'S')
        return rbv_mat3_of_quat(rbv_quat_of_vector(rbv_vec3(x[0], x[1], x[2])));
    if (joint == 'U') {
        RbvMat3 first = rbv_mat3_about_z(x[0]), across = {{{1, 0, 0}, {0, 0, 1}, {0, -1, 0}}},
                last = rbv_mat3_about_z(x[1]), both = rbv_mat3_product(&first, &across);
        turn = rbv_mat3_product(&both, &last);
    }
    return turn;
}

static RbvMat3 axes_of(const RbvMarker *marker, bool spatial) {
    return spatial ? rbv_marker_axes(marker)->A : rbv_mat3_about_z(marker->angle);
}

/* Bodies at the time t of one of the two motions. */
static void bodies_at(const Rig *rig, int which, double t, RbvBodyState *to) {
    const bool spatial = rig->bodies.spatial;
    to[0] = (RbvBodyState){{0, 0, 0}, rbv_mat3_identity(), 0, rbv_quat_identity(), 0};
    for (int b = 1; b < rig->tree->count; b++) {
        const Carried *by = &rig->tree->by[b];
        double x[6];
        for (int k = 0; k < 6; k++)
            x[k] =
                rig->motion[which][b][0][k] + t * rig->motion[which][b][1][k] + t * t / 2 * rig->motion[which][b][2][k];
        to[b] = to[0];
        if (by->joint == '-') {
            to[b].r = rbv_vec3(x[3], x[4], spatial ? x[5] : 0);
            to[b].A =
                spatial ? rbv_mat3_of_quat(rbv_quat_of_vector(rbv_vec3(x[0], x[1], x[2]))) : rbv_mat3_about_z(x[0]);
            to[b].turn = spatial ? 0 : x[0];
        } else {
            const RbvJoint *joint = &rig->model->joints.items[rig->joint[b]];
            const RbvMarker *one = &rig->model->markers.items[joint->marker[0]],
                            *other = &rig->model->markers.items[joint->marker[1]];
            const RbvBodyState *parent = &to[by->parent];
            RbvVec3 shift;
            RbvMat3 R0 = axes_of(one, spatial), R1 = axes_of(other, spatial),
                    T = allowed(by->joint, spatial, x, &shift), base = rbv_mat3_product(&parent->A, &R0),
                    moved = rbv_mat3_product(&base, &T), back;
            for (int k = 0; k < 3; k++)
                back.column[k] = rbv_apply_transposed(&R1, rbv_mat3_identity().column[k]);
            to[b].A = rbv_mat3_product(&moved, &back);
            to[b].r = rbv_add(rbv_add(parent->r, rbv_apply(&parent->A, rbv_marker_arm(rig->model, one))),
                              rbv_apply(&base, shift));
            to[b].r = rbv_sub(to[b].r, rbv_apply(&to[b].A, rbv_marker_arm(rig->model, other)));
            if (!spatial)
                to[b].turn = parent->turn + one->angle + (by->joint == 'R' ? x[0] : 0) - other->angle;
        }
        to[b].p = spatial ? rbv_quat_of_mat3(&to[b].A) : rbv_quat_identity();
    }
}

/* First and second rates of bodies and of q along a motion. */
static void rates_of(const Rig *rig, int which, double *v, double *a, RbvTwist *twists, RbvTwist *accelerations) {
    RbvMat3 A1[BODIES], A2[BODIES];
    memset(A1, 0, sizeof A1);
    memset(A2, 0, sizeof A2);
    memset(twists, 0, BODIES * sizeof *twists);
    memset(accelerations, 0, BODIES * sizeof *accelerations);
    memset(v, 0, MOST * sizeof *v);
    memset(a, 0, MOST * sizeof *a);
    for (int n = -3; n <= 3; n++) {
        double q[MOST], one = n ? (n > 0 ? 1 : -1) * weight[abs(n) - 1] / STEP : 0,
                        two = second[abs(n)] / (STEP * STEP);
        RbvBodyState at[BODIES];
        bodies_at(rig, which, n * STEP, at);
        rbv_coordinates_from_bodies(&rig->c, at, q);
        for (int32_t k = 0; k < rig->c.size; k++) {
            v[k] += one * q[k];
            a[k] += two * q[k];
        }
        for (int b = 1; b < rig->tree->count; b++) {
            twists[b].v = rbv_add_scaled(twists[b].v, one, at[b].r);
            accelerations[b].v = rbv_add_scaled(accelerations[b].v, two, at[b].r);
            for (int k = 0; k < 3; k++) {
                A1[b].column[k] = rbv_add_scaled(A1[b].column[k], one, at[b].A.column[k]);
                A2[b].column[k] = rbv_add_scaled(A2[b].column[k], two, at[b].A.column[k]);
            }
        }
    }
    for (int b = 1; b < rig->tree->count; b++)
        for (int k = 0; k < 3; k++) {
            twists[b].w = rbv_add_scaled(twists[b].w, 0.5, rbv_cross(rig->placed[b].A.column[k], A1[b].column[k]));
            accelerations[b].w =
                rbv_add_scaled(accelerations[b].w, 0.5, rbv_cross(rig->placed[b].A.column[k], A2[b].column[k]));
        }
}

static void random_marker(RbvModel *model, const char *body, const char *name) {
    RbvVec3 at = any_vec3(1);
    if (model->space == RBV_PLANAR) {
        assert_int_equal(rbv_model_add_marker(model, body, name, (double[3]){at.x, at.y, 0}, any(3), NULL), RBV_OK);
        return;
    }
    RbvQuat p = rbv_quat_of_vector(any_vec3(2));
    assert_int_equal(rbv_model_add_frame(model, body, name, (double[3]){at.x, at.y, at.z},
                                         (double[4]){p.w, p.e.x, p.e.y, p.e.z}, NULL),
                     RBV_OK);
}

static void add_body(RbvModel *model, int b) {
    RbvBodyDef def = rbv_body_def_default;
    char name[2] = {(char)('a' + b), 0};
    def.name = name;
    def.mass = 1.5 + any(1);
    for (int k = 0; k < 3; k++) {
        def.inertia[k] = 1 + any(0.15);
        def.inertia[3 + k] = model->space == RBV_PLANAR ? 0 : any(0.1);
        def.centroid[k] = k == 2 && model->space == RBV_PLANAR ? 0 : any(1);
    }
    assert_int_equal(rbv_model_add_body(model, &def, NULL), RBV_OK);
}

static const char *type_of(char joint) {
    return joint == 'R'   ? "revolute"
           : joint == 'S' ? "spherical"
           : joint == 'U' ? "universal"
           : joint == 'C' ? "cylindrical"
           : joint == 'P' ? "prismatic"
                          : "fixed";
}

static void add_number(Rig *rig, RbvMeasureKind kind, int32_t one, int32_t other, int32_t axis, double expected) {
    assert_true(rig->number_count < NUMBERS);
    rig->expected[rig->number_count] = expected;
    rig->numbers[rig->number_count++] = rbv_model_measure(rig->model, kind, one, other, axis);
}

/* Angles and offsets of joints, and between the ends of joints distances, offsets along axes that are not aligned, and
 * directions in the plane. */
static void add_numbers(Rig *rig) {
    const bool spatial = rig->tree->space == RBV_SPATIAL;
    int32_t last = -1;
    for (int b = 1; b < rig->tree->count; b++) {
        char by = rig->tree->by[b].joint;
        if (by == '-')
            continue;
        const RbvJoint *joint = &rig->model->joints.items[rig->joint[b]];
        const double *x = rig->motion[0][b][0];
        if (by == 'R' || by == 'C')
            add_number(rig, spatial ? RBV_MEASURE_TWIST : RBV_MEASURE_ANGLE, joint->marker[0], joint->marker[1],
                       spatial ? 2 : 0, x[0]);
        if (by == 'P' || by == 'C')
            add_number(rig, RBV_MEASURE_OFFSET, joint->marker[0], joint->marker[1], spatial ? 2 : 0, x[3]);
        if (last >= 0 && rig->model->markers.items[last].body != rig->model->markers.items[joint->marker[1]].body &&
            rig->number_count + 5 < NUMBERS) {
            add_number(rig, RBV_MEASURE_DISTANCE, last, joint->marker[1], 0, NAN);
            add_number(rig, RBV_MEASURE_OFFSET, last, joint->marker[1], 1, NAN);
            if (!spatial)
                add_number(rig, RBV_MEASURE_DIRECTION, last, joint->marker[1], 0, NAN);
        }
        last = joint->marker[1];
    }
}

static void open_rig(Rig *rig, const Tree *tree, bool mixed) {
    *rig = (Rig){.tree = tree, .model = rbv_model_create(tree->space, "tree")};
    for (int b = 1; b < tree->count; b++) {
        add_body(rig->model, b);
        for (int m = 0; m < 2; m++)
            for (int x = 0; x < 6; x++)
                for (int k = 0; k < 3; k++)
                    rig->motion[m][b][k][x] = k == 0 && m == 1 ? rig->motion[0][b][0][x] : any(1);
    }
    for (int b = 1; b < tree->count; b++) {
        char names[2][20], joint[3] = {'j', (char)('0' + b), 0}, of[2] = {(char)('a' + b), 0}, parent[7] = "ground",
                           to[4] = {'t', 'o', (char)('0' + b), 0};
        if (tree->by[b].joint == '-')
            continue;
        if (tree->by[b].parent)
            snprintf(parent, sizeof parent, "%c", 'a' + tree->by[b].parent);
        random_marker(rig->model, parent, to);
        random_marker(rig->model, of, "at");
        snprintf(names[0], sizeof names[0], "%s.%s", parent, to);
        snprintf(names[1], sizeof names[1], "%s.at", of);
        RbvJointDef def = rbv_joint_def_default;
        def.name = joint;
        def.type = type_of(tree->by[b].joint);
        def.between[0] = names[0];
        def.between[1] = names[1];
        rig->joint[b] = rig->model->joints.count;
        assert_int_equal(rbv_model_add_joint(rig->model, &def, NULL), RBV_OK);
    }
    assert_true(rbv_bodies_create(rig->model, &rig->arena, &rig->bodies));
    if (mixed)
        add_numbers(rig);
    RbvFromRows rows = {.numbers = rig->numbers, .number_count = rig->number_count};
    assert_true(rbv_coordinates_create(mixed ? &rbv_mixed_coordinates : &rbv_natural_coordinates, rig->model,
                                       &rig->bodies, &rows, &rig->arena, &rig->c));
    assert_true(rig->c.position_size <= MOST && rig->c.own_rows <= MOST &&
                rig->c.own_pattern->start[rig->c.own_rows] <= ENTRIES);
    RbvBodyState bodies[BODIES];
    bodies_at(rig, 0, 0, bodies);
    rbv_coordinates_from_bodies(&rig->c, bodies, rig->q);
    rbv_coordinates_positions(&rig->c, rig->q, rig->placed);
    for (int b = 0; b < tree->count; b++) {
        assert_true(rbv_norm(rbv_sub(rig->placed[b].r, bodies[b].r)) < 1e-13);
        for (int k = 0; k < 3; k++)
            assert_true(rbv_norm(rbv_sub(rig->placed[b].A.column[k], bodies[b].A.column[k])) < 1e-13);
    }
    rates_of(rig, 0, rig->v, rig->a, rig->twists, rig->accelerations);
}

static void close_rig(Rig *rig) {
    rbv_arena_clear(&rig->arena);
    rbv_model_destroy(rig->model);
}

static void assert_twists(const Rig *rig, const RbvTwist *a, const RbvTwist *b) {
    for (int k = 1; k < rig->tree->count; k++) {
        assert_true(rbv_norm(rbv_sub(a[k].v, b[k].v)) < FIT * (1 + rbv_norm(b[k].v)));
        assert_true(rbv_norm(rbv_sub(a[k].w, b[k].w)) < FIT * (1 + rbv_norm(b[k].w)));
    }
}

static RbvVec3 between(const Rig *rig, const RbvMeasure *measure) {
    RbvVec3 p[2];
    for (int side = 0; side < 2; side++) {
        const RbvMarker *marker = &rig->model->markers.items[measure->marker[side]];
        p[side] = rbv_add(rig->placed[marker->body].r,
                          rbv_apply(&rig->placed[marker->body].A, rbv_marker_arm(rig->model, marker)));
    }
    return rbv_sub(p[1], p[0]);
}

/* Points of a distance or direction that come near to each other: z has large derivatives, and differences of it are
 * worth nothing; nor where a direction goes past half a turn. */
static bool is_close(const Rig *rig, int32_t row) {
    const RbvNatural *n = rbv_natural_of(&rig->c);
    if (row < n->row_count)
        return false;
    const RbvNaturalNumber *number = &n->numbers[row - n->row_count];
    const RbvMeasure *measure = &rig->model->measures.items[number->measure];
    bool points = measure->kind == RBV_MEASURE_DISTANCE || measure->kind == RBV_MEASURE_DIRECTION;
    return points && (rbv_norm(between(rig, measure)) < 1 ||
                      (measure->kind == RBV_MEASURE_DIRECTION && fabs(rig->q[number->column]) > 2));
}

/* The claims. */

static void bodies_move_as_they_do(Rig *rig) {
    RbvTwist found[BODIES];
    rbv_coordinates_velocities(&rig->c, here(rig), rig->v, found);
    assert_twists(rig, found, rig->twists);
    rbv_coordinates_accelerate(&rig->c, here(rig), rig->v, rig->a, found);
    assert_twists(rig, found, rig->accelerations);
    double v[MOST];
    rig->c.kind->take_rates(&rig->c, here(rig), rig->twists, v);
    for (int32_t k = 0; k < rig->c.size; k++)
        assert_true(
            (k >= rig->c.first_number && is_close(rig, rbv_natural_of(&rig->c)->row_count + k - rig->c.first_number)) ||
            fabs(v[k] - rig->v[k]) < FIT * (1 + fabs(rig->v[k])));
}

static double row_times(const Rig *rig, int32_t row, const double *entries, const double *x) {
    double sum = 0;
    for (int32_t e = rig->c.own_pattern->start[row]; e < rig->c.own_pattern->start[row + 1]; e++)
        sum += entries[e] * x[rig->c.own_pattern->column[e]];
    return sum;
}

static void own_rows_hold(Rig *rig) {
    double phi[MOST], entries[ENTRIES], gamma[MOST];
    rig->c.kind->rows(&rig->c, rig->q, phi, entries);
    rig->c.kind->rows_drift(&rig->c, rig->q, rig->v, gamma);
    for (int32_t row = 0; row < rig->c.own_rows; row++) {
        assert_true(fabs(phi[row]) < 1e-12);
        if (is_close(rig, row))
            continue;
        assert_true(fabs(row_times(rig, row, entries, rig->v)) < FIT);
        assert_true(fabs(row_times(rig, row, entries, rig->a) - gamma[row]) < FIT * (1 + fabs(gamma[row])));
    }
}

/* C is the gradient of Phi, and -gamma the rate of C v along v held: also where bodies are not rigid, and for v that
 * they cannot have. No row is without a gradient. */
static void own_rows_are_differentiated(Rig *rig) {
    double phi[MOST], entries[ENTRIES], gamma[MOST], rate[MOST] = {0}, change[MOST] = {0};
    for (int32_t k = 0; k < rig->c.size; k++) {
        rig->q[k] += any(0.1);
        rig->v[k] = any(1);
    }
    rig->c.kind->rows(&rig->c, rig->q, phi, entries);
    rig->c.kind->rows_drift(&rig->c, rig->q, rig->v, gamma);
    for (int n = -3; n <= 3; n++) {
        double q[MOST], near[MOST], C[ENTRIES], w = n ? (n > 0 ? 1 : -1) * weight[abs(n) - 1] / STEP : 0;
        memcpy(q, rig->q, sizeof q);
        for (int32_t k = 0; k < rig->c.size; k++)
            q[k] += n * STEP * rig->v[k];
        rig->c.kind->rows(&rig->c, q, near, C);
        for (int32_t row = 0; row < rig->c.own_rows; row++) {
            rate[row] += w * near[row];
            change[row] += w * row_times(rig, row, C, rig->v);
        }
    }
    for (int32_t row = 0; row < rig->c.own_rows; row++) {
        double most = 0;
        assert_true(fabs(row_times(rig, row, entries, rig->v) - rate[row]) < 1e-10 * (1 + fabs(rate[row])));
        assert_true(fabs(change[row] + gamma[row]) < 1e-10 * (1 + fabs(gamma[row])));
        for (int32_t e = rig->c.own_pattern->start[row]; e < rig->c.own_pattern->start[row + 1]; e++)
            most = fmax(most, fabs(entries[e]));
        assert_true(most > 1e-6);
    }
}

/* Second derivatives of own rows, u^T Phi_qq w, as differences of C u along w: also where bodies are not rigid. */
static void second_derivatives_are_those(Rig *rig) {
    double phi[MOST], w[MOST], u[MOST], change[MOST] = {0};
    for (int32_t k = 0; k < rig->c.size; k++) {
        rig->q[k] += any(0.1);
        w[k] = any(1);
        u[k] = any(1);
    }
    for (int n = -3; n <= 3; n++) {
        double q[MOST], C[ENTRIES], part = n ? (n > 0 ? 1 : -1) * weight[abs(n) - 1] / STEP : 0;
        memcpy(q, rig->q, sizeof q);
        for (int32_t k = 0; k < rig->c.size; k++)
            q[k] += n * STEP * w[k];
        rig->c.kind->rows(&rig->c, q, phi, C);
        for (int32_t row = 0; row < rig->c.own_rows; row++)
            change[row] += part * row_times(rig, row, C, u);
    }
    for (int32_t row = 0; row < rig->c.own_rows; row++)
        assert_true(fabs(rig->c.kind->rows_second(&rig->c, rig->q, row, u, w) - change[row]) <
                    1e-9 * (1 + fabs(change[row])));
}

/* What is taken is what joints do, and how far points are apart; it moves no body. */
static void numbers_are_measured(Rig *rig) {
    for (int32_t k = 0; k < rig->number_count; k++) {
        const RbvMeasure *measure = &rig->model->measures.items[rig->numbers[k]];
        double z = rig->q[rig->c.first_number + k], expected = rig->expected[k];
        if (isnan(expected)) {
            const RbvMarker *first = &rig->model->markers.items[measure->marker[0]];
            RbvVec3 d = between(rig, measure),
                    along = rbv_apply(&rig->placed[first->body].A,
                                      axes_of(first, rig->bodies.spatial).column[measure->axis]);
            expected = measure->kind == RBV_MEASURE_DISTANCE    ? rbv_norm(d)
                       : measure->kind == RBV_MEASURE_DIRECTION ? atan2(d.y, d.x)
                                                                : rbv_dot(d, along);
        }
        assert_true(fabs(z - expected) < 1e-12);
    }
}

/* x less what of it the own rows take: Gram and Schmidt, twice for the digits. */
static void make_rigid(const Rig *rig, double *x) {
    static double basis[MOST][MOST];
    double phi[MOST], entries[ENTRIES];
    rig->c.kind->rows(&rig->c, rig->q, phi, entries);
    int32_t n = rig->c.size, count = 0;
    for (int32_t row = 0; row <= rig->c.own_rows; row++) {
        double *y = row < rig->c.own_rows ? basis[count] : x, before = 0, after = 0;
        for (int32_t k = 0; k < n && row < rig->c.own_rows; k++)
            y[k] = 0;
        for (int32_t e = row < rig->c.own_rows ? rig->c.own_pattern->start[row] : 0;
             row < rig->c.own_rows && e < rig->c.own_pattern->start[row + 1]; e++)
            y[rig->c.own_pattern->column[e]] = entries[e];
        for (int32_t k = 0; k < n; k++)
            before += y[k] * y[k];
        for (int32_t pass = 0; pass < 2 * count; pass++) {
            const double *u = basis[pass % count];
            double dot = 0;
            for (int32_t k = 0; k < n; k++)
                dot += u[k] * y[k];
            for (int32_t k = 0; k < n; k++)
                y[k] -= dot * u[k];
        }
        for (int32_t k = 0; k < n; k++)
            after += y[k] * y[k];
        if (row == rig->c.own_rows || after < 1e-16 * before)
            continue;
        for (int32_t k = 0; k < n; k++)
            y[k] /= sqrt(after);
        count++;
    }
}

/* What sharing keeps holds for every v of rigid bodies: points of the two markers move alike along the kept directions,
 * and the bodies turn alike. */
static void what_is_kept_holds_by_itself(Rig *rig) {
    RbvTwist twists[BODIES];
    double v[MOST];
    for (int32_t k = 0; k < rig->c.size; k++)
        v[k] = any(1);
    make_rigid(rig, v);
    rbv_coordinates_velocities(&rig->c, here(rig), v, twists);
    for (int b = 1; b < rig->tree->count; b++) {
        if (rig->tree->by[b].joint == '-')
            continue;
        const RbvJoint *joint = &rig->model->joints.items[rig->joint[b]];
        const RbvMarker *one = &rig->model->markers.items[joint->marker[0]],
                        *other = &rig->model->markers.items[joint->marker[1]];
        RbvVec3 apart = rbv_sub(
            rbv_add(twists[b].v,
                    rbv_cross(twists[b].w, rbv_apply(&rig->placed[b].A, rbv_marker_arm(rig->model, other)))),
            rbv_add(twists[one->body].v, rbv_cross(twists[one->body].w, rbv_apply(&rig->placed[one->body].A,
                                                                                  rbv_marker_arm(rig->model, one)))));
        RbvMat3 R = axes_of(one, rig->bodies.spatial);
        RbvVec3 turning = rbv_sub(twists[b].w, twists[one->body].w);
        for (int k = 0; k < 6; k++) {
            RbvVec3 e = rbv_apply(&rig->placed[one->body].A, R.column[k % 3]);
            if (rig->c.kept[rig->joint[b]] & (1 << k))
                assert_true(fabs(rbv_dot(e, k < 3 ? apart : turning)) < 1e-10);
        }
        const char *all = rig->bodies.spatial ? "RSUCPF" : "RF";
        assert_true((rig->c.kept[rig->joint[b]] != 0) == (strchr(all, rig->tree->by[b].joint) != NULL));
    }
}

static void columns_are_those_that_move_a_body(Rig *rig) {
    RbvTwist twists[BODIES];
    for (int32_t k = 0; k < rig->c.size; k++) {
        double v[MOST] = {0};
        v[k] = 1;
        rbv_coordinates_velocities(&rig->c, here(rig), v, twists);
        for (int32_t b = 1; b < rig->tree->count; b++) {
            int32_t column[MOST], count = rig->c.kind->columns(&rig->c, b, column);
            bool listed = false;
            for (int32_t e = 0; e < count; e++)
                listed = listed || column[e] == k;
            assert_true(listed == (rbv_norm(twists[b].v) + rbv_norm(twists[b].w) > 1e-12));
        }
    }
}

static void pull_and_add_are_push_transposed(Rig *rig) {
    RbvTwist twists[BODIES];
    RbvWrench wrenches[BODIES];
    double v[MOST], Q[MOST], sum[MOST] = {0}, power = 0, work = 0;
    memset(wrenches, 0, sizeof wrenches);
    for (int b = 1; b < rig->tree->count; b++)
        wrenches[b] = (RbvWrench){any_vec3(1), any_vec3(1)};
    for (int32_t k = 0; k < rig->c.size; k++)
        v[k] = any(1);
    rbv_coordinates_velocities(&rig->c, here(rig), v, twists);
    rbv_coordinates_generalized_forces(&rig->c, here(rig), wrenches, Q);
    for (int32_t k = 0; k < rig->c.size; k++)
        power += Q[k] * v[k];
    for (int32_t b = 1; b < rig->tree->count; b++) {
        int32_t column[MOST], count = rig->c.kind->columns(&rig->c, b, column);
        double part[MOST] = {0};
        work += rbv_power(wrenches[b], twists[b]);
        rig->c.kind->add(&rig->c, here(rig), b, 1, &wrenches[b], part);
        for (int32_t k = 0; k < count; k++)
            sum[column[k]] += part[k];
    }
    assert_true(fabs(power - work) < 1e-12 * (1 + fabs(work)));
    for (int32_t k = 0; k < rig->c.size; k++)
        assert_true(fabs(sum[k] - Q[k]) < 1e-12 * (1 + fabs(Q[k])));
}

static RbvWrench momentum(const Rig *rig, int b, RbvTwist twist) {
    const RbvBody *body = &rig->model->bodies.items[b];
    const double *I = body->inertia;
    RbvVec3 w = rbv_apply_transposed(&rig->placed[b].A, twist.w);
    RbvVec3 Jw = rbv_vec3(I[0] * w.x + I[3] * w.y + I[4] * w.z, I[3] * w.x + I[1] * w.y + I[5] * w.z,
                          I[4] * w.x + I[5] * w.y + I[2] * w.z);
    if (!rig->bodies.spatial)
        Jw = rbv_vec3(0, 0, I[2] * w.z);
    return (RbvWrench){rbv_scale(body->mass, twist.v), rbv_apply(&rig->placed[b].A, Jw)};
}

/* The kinetic energy; and u.(M a - Q) = sum of twist(u).((m, J) acceleration + (0, w x J w) - wrench) for another
 * motion u from the same place, Q of the wrenches with -w x J w. */
static void masses_and_forces_are_those_of_bodies(Rig *rig) {
    RbvWrench wrenches[BODIES], less[BODIES];
    RbvTwist other[BODIES], unused[BODIES], bias[BODIES];
    double u[MOST], away[MOST], Q[MOST], Ma[MOST], Mv[MOST], energy = 0, twice = 0, sum = 0, expected = 0;
    memset(wrenches, 0, sizeof wrenches);
    rates_of(rig, 1, u, away, other, unused);
    for (int b = 1; b < rig->tree->count; b++) {
        RbvWrench p = momentum(rig, b, rig->twists[b]), given = {any_vec3(1), any_vec3(1)};
        RbvWrench inertia = momentum(rig, b, rig->accelerations[b]);
        RbvVec3 gyroscopic = rbv_cross(rig->twists[b].w, p.torque);
        energy += 0.5 * rbv_power(p, rig->twists[b]);
        wrenches[b] = (RbvWrench){given.force, rbv_sub(given.torque, gyroscopic)};
        expected += rbv_power(inertia, other[b]) + rbv_dot(gyroscopic, other[b].w) - rbv_power(given, other[b]);
    }
    rbv_coordinates_mass(&rig->c, here(rig), rig->v, Mv);
    rbv_coordinates_mass(&rig->c, here(rig), rig->a, Ma);
    rbv_coordinates_bias(&rig->c, here(rig), rig->v, bias);
    rbv_coordinates_force(&rig->c, here(rig), rig->v, wrenches, bias, unused, less, Q);
    for (int32_t k = 0; k < rig->c.size; k++) {
        twice += rig->v[k] * Mv[k];
        sum += u[k] * (Ma[k] - Q[k]);
    }
    assert_true(fabs(0.5 * twice - energy) < FIT * (1 + energy));
    assert_true(fabs(sum - expected) < FIT * (1 + fabs(expected)));
}

/* M x is the same in all places where every body has three vectors of its own; where one is derived it is not. */
static void the_mass_is_constant_where_it_says_so(Rig *rig) {
    const RbvNatural *n = rbv_natural_of(&rig->c);
    RbvBodyState bodies[BODIES];
    double q[MOST], x[MOST], here_[MOST], there[MOST], most = 0;
    bool crossed = false;
    bodies_at(rig, 0, 1, bodies);
    rbv_coordinates_from_bodies(&rig->c, bodies, q);
    for (int b = 1; b < rig->tree->count; b++)
        crossed = crossed || n->bodies[b].form == RBV_NATURAL_CROSSED;
    for (int32_t k = 0; k < rig->c.size; k++)
        x[k] = any(1);
    rbv_coordinates_mass(&rig->c, here(rig), x, here_);
    rbv_coordinates_mass(&rig->c, (RbvPosed){q, bodies, NULL, NULL, NULL}, x, there);
    for (int32_t k = 0; k < rig->c.size; k++)
        most = fmax(most, fabs(there[k] - here_[k]));
    assert_true((most == 0) == !crossed);
}

/* The two axes of a universal joint are vectors among the numbers: its row is their scalar product. */
static void axes_of_universal_joints_are_vectors(Rig *rig) {
    const RbvNatural *n = rbv_natural_of(&rig->c);
    for (int b = 1; b < rig->tree->count; b++)
        for (int side = 0; side < 2 && rig->tree->by[b].joint == 'U'; side++) {
            const RbvMarker *marker = &rig->model->markers.items[rig->model->joints.items[rig->joint[b]].marker[side]];
            RbvVec3 z = rbv_apply(&rig->placed[marker->body].A, axes_of(marker, true).column[2]);
            bool found = false;
            for (int32_t u = n->bodies[marker->body].first;
                 u < n->bodies[marker->body].first + n->bodies[marker->body].count; u++)
                found = found || (n->basics[n->uses[u].basic].vector &&
                                  rbv_norm(rbv_sub(rbv_use_at(n, u, rig->q, false), z)) < 1e-12);
            assert_true(found);
        }
}

static void (*const claims[])(Rig *) = {
    bodies_move_as_they_do,
    own_rows_hold,
    own_rows_are_differentiated,
    what_is_kept_holds_by_itself,
    columns_are_those_that_move_a_body,
    pull_and_add_are_push_transposed,
    masses_and_forces_are_those_of_bodies,
    the_mass_is_constant_where_it_says_so,
    axes_of_universal_joints_are_vectors,
    second_derivatives_are_those,
    numbers_are_measured,
};

static void put_through(bool mixed) {
    for (size_t tree = 0; tree < sizeof trees / sizeof *trees; tree++)
        for (int state = 0; state < STATES; state++)
            for (size_t k = 0; k < sizeof claims / sizeof *claims; k++) {
                Rig rig;
                open_rig(&rig, &trees[tree], mixed);
                claims[k](&rig);
                close_rig(&rig);
            }
}

static void joined_bodies(void **unused) {
    (void)unused;
    put_through(false);
}

static void joined_bodies_with_measured_numbers(void **unused) {
    (void)unused;
    put_through(true);
}

/* A body of two points and a vector: i with a pin along u to one that is free, j with a ball to another; both of nearly
 * no mass. */
static const char two_points_and_a_vector[] =
    "roberval: 1\n"
    "title: Two points and a vector\n"
    "space: spatial\n"
    "bodies:\n"
    "  b: {mass: 3, centroid: [0.4, 0.2, 0.1], inertia: [0.9, 1.1, 0.7, 0.05, -0.02, 0.04], markers: {i: {at: [0.1, 0, "
    "0.2], axis: [0, 0.6, 0.8]}, j: [0.9, 0.3, -0.1]}}\n"
    "  h: {mass: 1e-14, inertia: [1e-14, 1e-14, 1e-14], markers: {i: {at: [0, 0, 0], axis: [0, 0.6, 0.8]}}}\n"
    "  k: {mass: 1e-14, inertia: [1e-14, 1e-14, 1e-14], pose: {at: [0.9, 0.3, -0.1]}, markers: {j: [0, 0, 0]}}\n"
    "joints:\n"
    "  pin: {type: revolute, between: [h.i, b.i]}\n"
    "  ball: {type: spherical, between: [b.j, k.j]}\n";

static const double E61_q[9] = {0.418126492452, -0.245533656548, 0.5181699255,    0.662746493924, 0.590936285458,
                                0.764094895767, -0.636600449292, -0.109976745196, 0.763311852048};
static const double E61_P[3][9] = {{0.165605095541, 0.486185893024, 0.0700488822901, 0.834394904459, -0.486185893024,
                                    -0.0700488822901, 0.0700636942675, 0.15664010845, -0.532783402551},
                                   {-0.486185893024, 0.165605095541, -0.40547799318, 0.486185893024, 0.834394904459,
                                    0.40547799318, -0.15664010845, 0.0700636942675, 0.155808918135},
                                   {-0.0700488822901, 0.40547799318, 0.165605095541, 0.0700488822901, -0.40547799318,
                                    0.834394904459, 0.532783402551, -0.155808918135, 0.0700636942675}};
static const double E2_q[9] = {
    0.3, -0.4, 0.5, 0.662010614409, 0.311120574521, 0.0719160788494, 0.0260342680105, 0.44210408073, 0.896585856843};
static const double E2_v[9] = {
    0.2, 1.1, -0.6, -0.922582404237, 2.3377219342, 0.506752119512, -1.51181826125, -1.02383449219, 0.548748884484};
static const double E2_M[9][9] = {{2.14609151355, -0.00688268055345, -0.0139580571869, -0.367551582147, -0.157850144687,
                                   0.0951873713828, 0.161684156501, 0.00226253080008, -0.38438651485},
                                  {-0.00688268055345, 2.02961774045, -0.237030441528, 0.171615505794, -0.251077809047,
                                   0.232247075284, -0.109038024398, -0.02067903566, -0.320764938197},
                                  {-0.0139580571869, -0.237030441528, 1.66579973336, -0.0672712570091, 0.241813807772,
                                   0.112740198046, 0.196961936559, 0.0526760960691, 0.396833590285},
                                  {-0.367551582147, 0.171615505794, -0.0672712570091, 1.58901165074, -0.00688268055345,
                                   -0.0139580571869, 0.0316034476147, -0.0809158725107, 0.25372986838},
                                  {-0.157850144687, -0.251077809047, 0.241813807772, -0.00688268055345, 1.47253787764,
                                   -0.237030441528, 0.187691366108, 0.213966639776, 0.387278402383},
                                  {0.0951873713828, 0.232247075284, 0.112740198046, -0.0139580571869, -0.237030441528,
                                   1.10871987055, -0.0663052900888, -0.119189560255, -0.203545986169},
                                  {0.161684156501, -0.109038024398, 0.196961936559, 0.0316034476147, 0.187691366108,
                                   -0.0663052900888, 0.879619803533, -0.153940278069, 0.0926697387477},
                                  {0.00226253080008, -0.02067903566, 0.0526760960691, -0.0809158725107, 0.213966639776,
                                   -0.119189560255, -0.153940278069, 0.655591559573, 0.182037087411},
                                  {-0.38438651485, -0.320764938197, 0.396833590285, 0.25372986838, 0.387278402383,
                                   -0.203545986169, 0.0926697387477, 0.182037087411, 0.848402684633}};
static const double E2_less[9] = {-3.28877529472, -1.5237363072,  0.0610344651784, 2.6228041317, 1.91221948563,
                                  -1.17098640354, -1.36512796308, 1.8491453695,    3.10324617812};

typedef struct Reference {
    RbvModel *model;
    RbvArena arena;
    RbvBodyColumns bodies;
    RbvCoordinates c;
    int32_t column[9]; /* of r_i, r_j, u */
    double q[MOST];
} Reference;

static void open_reference(Reference *r, const double *q) {
    *r = (Reference){.model = machine_read(two_points_and_a_vector)};
    assert_true(rbv_bodies_create(r->model, &r->arena, &r->bodies));
    assert_true(rbv_coordinates_create(&rbv_natural_coordinates, r->model, &r->bodies, NULL, &r->arena, &r->c));
    assert_true(rbv_coordinates_start(&r->c, r->q));
    const RbvNatural *n = rbv_natural_of(&r->c);
    assert_int_equal(n->bodies[1].form, RBV_NATURAL_CROSSED);
    assert_int_equal(n->bodies[1].count, 3);
    for (int32_t u = n->bodies[1].first; u < n->bodies[1].first + 3; u++) {
        const RbvBasic *basic = &n->basics[n->uses[u].basic];
        int block = basic->vector ? 2 : n->uses[u].local.x > 0; /* the centroid is at x = 0.4 */
        for (int k = 0; k < 3; k++)
            r->column[3 * block + k] = basic->column + k;
        assert_true(n->uses[u].sign == 1);
    }
    for (int k = 0; k < 9; k++)
        r->q[r->column[k]] = q[k];
    rbv_coordinates_renew(&r->c, r->q);
}

/* SPEC-000 E2, 12 digits: the mass matrix and what velocities add. */
static void mass_of_two_points_and_a_vector(void **unused) {
    (void)unused;
    Reference r;
    double x[MOST] = {0}, out[MOST];
    open_reference(&r, E2_q);
    RbvBodyState bodies[4];
    rbv_coordinates_positions(&r.c, r.q, bodies);
    for (int j = 0; j < 9; j++) {
        x[r.column[j]] = 1;
        rbv_coordinates_mass(&r.c, (RbvPosed){r.q, bodies, NULL, NULL, NULL}, x, out);
        x[r.column[j]] = 0;
        for (int i = 0; i < 9; i++)
            assert_near(out[r.column[i]], E2_M[i][j], 2e-11);
    }
    memset(out, 0, sizeof out);
    for (int j = 0; j < 9; j++)
        x[r.column[j]] = E2_v[j];
    r.c.kind->inertia_drift(&r.c, (RbvPosed){r.q, bodies, NULL, NULL, NULL}, x, out);
    for (int i = 0; i < 9; i++)
        assert_near(out[r.column[i]], E2_less[i], 5e-11);
    rbv_arena_clear(&r.arena);
    rbv_model_destroy(r.model);
}

/* SPEC-000 E61, 12 digits: P = (0.5, 0.7, -0.3) as it follows from the core, differentiated, at numbers that are those
 * of no rigid body. */
static void a_point_of_two_points_and_a_vector(void **unused) {
    (void)unused;
    Reference r;
    open_reference(&r, E61_q);
    const RbvNatural *n = rbv_natural_of(&r.c);
    RbvCore core = rbv_natural_core(n, 1, r.q);
    RbvVec3 c =
        rbv_apply(&n->bodies[1].X_inverse,
                  rbv_sub(rbv_vec3(0.1, 0.5, -0.4), n->uses[n->bodies[1].point].local)); /* P from the centroid */
    for (int j = 0; j < 9; j++) {
        double v[MOST] = {0};
        v[r.column[j]] = 1;
        RbvCore rate = rbv_natural_core_rate(n, 1, &core, v);
        RbvVec3 P =
            rbv_add_scaled(rbv_add_scaled(rbv_add_scaled(rate.r1, c.x, rate.a[0]), c.y, rate.a[1]), c.z, rate.a[2]);
        const double found[3] = {P.x, P.y, P.z};
        for (int i = 0; i < 3; i++)
            assert_near(found[i], E61_P[i][j], 2e-11);
    }
    rbv_arena_clear(&r.arena);
    rbv_model_destroy(r.model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(joined_bodies),
        cmocka_unit_test(joined_bodies_with_measured_numbers),
        cmocka_unit_test(mass_of_two_points_and_a_vector),
        cmocka_unit_test(a_point_of_two_points_and_a_vector),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
