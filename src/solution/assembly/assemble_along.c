/* Poses along the joints: from ground outward, each joint places the next body.
 *
 * The locked coordinates of a joint have their locked values, driven and prescribed ones their targets, free ones the
 * values of the starting poses. In a tree this is the assembly itself, however far the drives are from the starting
 * poses; in a mechanism with loops it is another start for the assembly. */
#include "solution/assembly/assemble.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct Walk {
    const RbvSystem *system;
    double *target; /* [measures] values prescribed by drives and initial positions; NAN: none */
    RbvVec3 *at;    /* [bodies] origin of the body frame */
    RbvQuat *p;     /* [bodies] axes of the body frame */
    double *turn;   /* [bodies] angle about z, continuous (plane) */
    bool *placed;
    int32_t *queue, *first, *next; /* queue: [bodies]; joints of a body as lists: first[body], next[2 joints] */
} Walk;

static bool open_walk(Walk *w, const RbvState *state) {
    const RbvSystem *system = state->system;
    const RbvModel *model = system->model;
    size_t bodies = (size_t)model->bodies.count, joints = (size_t)model->joints.count;
    *w = (Walk){.system = system};
    w->target = malloc(((size_t)model->measures.count + 1) * sizeof *w->target);
    w->at = malloc(bodies * sizeof *w->at);
    w->p = malloc(bodies * sizeof *w->p);
    w->turn = calloc(bodies, sizeof *w->turn);
    w->placed = calloc(bodies, sizeof *w->placed);
    w->queue = malloc(bodies * sizeof *w->queue);
    w->first = malloc(bodies * sizeof *w->first);
    w->next = malloc((2 * joints + 1) * sizeof *w->next);
    return w->target && w->at && w->p && w->turn && w->placed && w->queue && w->first && w->next;
}

static void close_walk(Walk *w) {
    free(w->target);
    free(w->at);
    free(w->p);
    free(w->turn);
    free(w->placed);
    free(w->queue);
    free(w->first);
    free(w->next);
}

static void find_targets(Walk *w, const RbvState *state) {
    const RbvSystem *system = w->system;
    for (int32_t m = 0; m < system->model->measures.count; m++)
        w->target[m] = NAN;
    for (int32_t k = 0; k < system->position_count; k++) {
        const RbvRow *row = &system->rows[k];
        if (row->count != 1 || row->equation || (row->owner != RBV_OWNER_DRIVE && row->owner != RBV_OWNER_INITIAL))
            continue;
        int32_t m = system->terms[row->first].measure;
        w->target[m] = row->target ? rbv_state_target(state, row) : row->constant;
    }
}

/* Prescribed value of a measure between two markers; NAN if it has none or is not in the model. */
static double target_of(const Walk *w, RbvMeasureKind kind, const int32_t marker[2], int32_t axis) {
    int32_t m = rbv_model_find_measure(w->system->model, kind, marker[0], marker[1], axis);
    return m < 0 ? NAN : w->target[m];
}

static RbvMat3 axes_of(const Walk *w, int32_t body) {
    return w->system->bodies.spatial ? rbv_mat3_of_quat(w->p[body]) : rbv_mat3_about_z(w->turn[body]);
}

/* Rotation of the second marker in the first's axes as the joint prescribes it; `start`: in the starting poses. */
static RbvQuat relative_turn(const Walk *w, const RbvJoint *joint, RbvQuat start) {
    int held = joint->locks & RBV_DIRECTIONS_TURNS;
    if (held == RBV_DIRECTIONS_TURNS)
        return rbv_quat_identity();
    for (int axis = 0; axis < 3; axis++) {
        if (held != (RBV_DIRECTIONS_TURNS & ~(RBV_DIRECTION_RX << axis)))
            continue;
        double e = axis == 0   ? start.e.x
                   : axis == 1 ? start.e.y
                               : start.e.z,
               angle = target_of(w, RBV_MEASURE_TWIST, joint->marker, axis);
        angle = isfinite(angle) ? angle : 2 * atan2(e, start.w);
        return rbv_quat_of_vector(rbv_vec3(axis == 0 ? angle : 0, axis == 1 ? angle : 0, axis == 2 ? angle : 0));
    }
    return start;
}

/* Position of the second marker's origin in the first's axes as the joint prescribes it; `start`: in the starting
 * poses. */
static RbvVec3 relative_place(const Walk *w, const RbvJoint *joint, RbvVec3 start) {
    double d[3] = {start.x, start.y, start.z};
    bool single = (joint->locks & (joint->locks - 1)) == 0;
    for (int k = 0; k < 3; k++) {
        double target = target_of(w, RBV_MEASURE_OFFSET, joint->marker, k);
        if (joint->locks >> k & 1)
            d[k] = single ? joint->sizes->value : 0;
        else if (isfinite(target))
            d[k] = target;
    }
    return rbv_vec3(d[0], d[1], d[2]);
}

/* Places the body on side `to` of the joint from the body on the other side. A body not placed yet has its starting
 * pose in w->at, w->p and w->turn. */
static void place_next(Walk *w, const RbvJoint *joint, int to) {
    const RbvModel *model = w->system->model;
    const RbvMarker *m[2] = {&model->markers.items[joint->marker[0]], &model->markers.items[joint->marker[1]]};
    int32_t from = m[1 - to]->body, body = m[to]->body;
    bool spatial = w->system->bodies.spatial;
    RbvMat3 A[2] = {axes_of(w, m[0]->body), axes_of(w, m[1]->body)},
            frame = rbv_mat3_product(&A[0], &rbv_marker_axes(m[0])->A);
    RbvVec3 p[2] = {rbv_add(w->at[m[0]->body], rbv_apply(&A[0], m[0]->at)),
                    rbv_add(w->at[m[1]->body], rbv_apply(&A[1], m[1]->at))};
    RbvVec3 d = relative_place(w, joint, rbv_apply_transposed(&frame, rbv_sub(p[1], p[0])));
    if (spatial) {
        RbvQuat q[2] = {rbv_quat_product(w->p[m[0]->body], rbv_marker_axes(m[0])->p),
                        rbv_quat_product(w->p[m[1]->body], rbv_marker_axes(m[1])->p)};
        RbvQuat r = relative_turn(w, joint, rbv_quat_product(rbv_quat_conjugate(q[0]), q[1]));
        if (!model->bodies.items[body].particle && !model->bodies.items[from].particle)
            w->p[body] = rbv_quat_normalised(
                to ? rbv_quat_product(rbv_quat_product(q[0], r), rbv_quat_conjugate(rbv_marker_axes(m[1])->p))
                   : rbv_quat_product(rbv_quat_product(q[1], rbv_quat_conjugate(r)),
                                      rbv_quat_conjugate(rbv_marker_axes(m[0])->p)));
    } else if (!model->bodies.items[body].particle) {
        double angle = w->turn[m[1]->body] + m[1]->angle - w->turn[m[0]->body] - m[0]->angle,
               target = target_of(w, RBV_MEASURE_ANGLE, joint->marker, 2);
        bool single = (joint->locks & (joint->locks - 1)) == 0;
        double requested = joint->locks & RBV_DIRECTION_RZ ? (single ? joint->sizes->value : 0)
                           : isfinite(target)              ? target
                                                           : angle;
        w->turn[body] += (to ? 1 : -1) * (requested - angle);
    }
    A[to] = axes_of(w, body);
    frame = rbv_mat3_product(&A[0], &rbv_marker_axes(m[0])->A);
    RbvVec3 along = rbv_apply(&frame, d), arm = rbv_apply(&A[to], m[to]->at);
    w->at[body] = rbv_sub(to ? rbv_add(p[0], along) : rbv_sub(p[1], along), arm);
}

/* Places the neighbours of a placed body: by joints that lock directions (holding), or by joints that lock none.
 * Returns the new end of the queue. */
static int32_t place_others(Walk *w, int32_t body, bool holding, int32_t tail) {
    const RbvModel *model = w->system->model;
    for (int32_t k = w->first[body]; k >= 0; k = w->next[k]) {
        const RbvJoint *joint = &model->joints.items[k / 2];
        int to = 1 - k % 2;
        int32_t other = model->markers.items[joint->marker[to]].body;
        bool holds = joint->locks != 0 || joint->extra != RBV_EXTRA_NONE;
        if (w->placed[other] || joint->form != RBV_FORM_LOCKS || holds != holding)
            continue;
        place_next(w, joint, to);
        w->placed[other] = true;
        w->queue[tail++] = other;
    }
    return tail;
}

/* Breadth first; joints that lock no direction, whose coordinates may be driven, are used where no other joint leads
 * on. */
static void place_bodies(Walk *w) {
    const RbvModel *model = w->system->model;
    int32_t head = 0, late = 0, tail = 0;
    for (int32_t b = 0; b < model->bodies.count; b++)
        w->first[b] = -1;
    for (int32_t k = 2 * model->joints.count - 1; k >= 0; k--) {
        int32_t body = model->markers.items[model->joints.items[k / 2].marker[k % 2]].body;
        w->next[k] = w->first[body];
        w->first[body] = k;
    }
    w->placed[0] = true;
    w->queue[tail++] = 0;
    while (late < tail)
        tail = head < tail ? place_others(w, w->queue[head++], true, tail)
                           : place_others(w, w->queue[late++], false, tail);
}

bool rbv_place_along_joints(RbvState *state) {
    const RbvSystem *system = state->system;
    const RbvModel *model = system->model;
    Walk w;
    bool good = open_walk(&w, state);
    if (good) {
        for (int32_t b = 0; b < model->bodies.count; b++) {
            w.at[b] = model->bodies.items[b].at;
            w.p[b] = model->bodies.items[b].rotation;
            w.turn[b] = model->bodies.items[b].angle;
        }
        find_targets(&w, state);
        place_bodies(&w);
        for (int32_t b = 1; b < model->bodies.count; b++) {
            RbvMat3 A = axes_of(&w, b);
            state->bodies[b] = (RbvBodyState){rbv_add(w.at[b], rbv_apply(&A, model->bodies.items[b].centroid)), A,
                                              w.turn[b], w.p[b], 0};
        }
        rbv_coordinates_from_bodies(&system->coordinates, state->bodies, state->q);
    }
    close_walk(&w);
    return good;
}
