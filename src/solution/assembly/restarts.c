/* Assembly from other poses: from bodies placed along the joints, and from poses turned and moved at random with
 * increasing amplitude, until all rows are satisfied. */
#include "core/base/extremes.h"
#include "solution/assembly/descent.h"

#include "core/base/diagnostics.h"
#include "core/base/names.h"
#include "solution/assembly/assemble.h"
#include "solution/assembly/freedom.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Poses along the joints: from ground outward, each joint places the next body.
 *
 * The locked coordinates of a joint have their locked values, driven and prescribed ones their targets, free ones the
 * values of the starting poses. In a tree this is the assembly itself, however far the drives are from the starting
 * poses; in a mechanism with loops it is another start for the assembly. */

typedef struct Walk {
    RbvArena arena;
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
    w->target = rbv_arena_alloc(&w->arena, ((size_t)model->measures.count + 1) * sizeof *w->target);
    w->at = rbv_arena_alloc(&w->arena, bodies * sizeof *w->at);
    w->p = rbv_arena_alloc(&w->arena, bodies * sizeof *w->p);
    w->turn = rbv_arena_array(&w->arena, bodies, sizeof *w->turn);
    w->placed = rbv_arena_array(&w->arena, bodies, sizeof *w->placed);
    w->queue = rbv_arena_alloc(&w->arena, bodies * sizeof *w->queue);
    w->first = rbv_arena_alloc(&w->arena, bodies * sizeof *w->first);
    w->next = rbv_arena_alloc(&w->arena, (2 * joints + 1) * sizeof *w->next);
    return w->target && w->at && w->p && w->turn && w->placed && w->queue && w->first && w->next;
}

static void close_walk(Walk *w) {
    rbv_arena_clear(&w->arena);
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
    int locked = joint->locks & RBV_DIRECTIONS_TURNS;
    if (locked == RBV_DIRECTIONS_TURNS)
        return rbv_quat_identity();
    for (int axis = 0; axis < 3; axis++) {
        if (locked != (RBV_DIRECTIONS_TURNS & ~(RBV_DIRECTION_RX << axis)))
            continue;
        double e = axis == 0   ? start.e.x
                   : axis == 1 ? start.e.y
                               : start.e.z,
               angle = target_of(w, RBV_MEASURE_TWIST, joint->marker, axis);
        angle = isfinite(angle) ? angle : 2 * atan2(e, start.w);
        double turn[3] = {0};
        turn[axis] = angle;
        return rbv_quat_of_vector(rbv_vec3(turn[0], turn[1], turn[2]));
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
        double requested = isfinite(target) ? target : angle;
        if (joint->locks & RBV_DIRECTION_RZ)
            requested = single ? joint->sizes->value : 0;
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
        if (w->placed[other] || !rbv_forms[joint->form].directions || holds != holding)
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

#define MOST_RESTARTS 60
#define HALF_TURN 3.14159
#define RESTART_WORK 60000 /* limit of rows times restarts: large mechanisms get fewer restarts */

/* The search, and the parts of the mechanism (sizes.c) that its nearest position d->best leaves open. Rows of other
 * parts do not depend on them, so closed parts stay in place. */
typedef struct Search {
    RbvArena arena;
    RbvDescent *d;
    int32_t *part;    /* [size] part of each column */
    bool *open, *now; /* [parts] open at d->best; open at the evaluated positions */
    int32_t open_count;
    double error; /* at d->best: the largest of a row, relative to its arm */
} Search;

/* Seed of one body's random numbers from its name, independent of its index in the model. Not 0. */
static uint64_t seed_of_body(uint64_t seed, const char *name) {
    uint64_t own = seed + 0x9E3779B97F4A7C15u * rbv_hash(name, strlen(name));
    own = (own ^ own >> 30) * 0xBF58476D1CE4E5B9u;
    own = (own ^ own >> 27) * 0x94D049BB133111EBu;
    return (own ^ own >> 31) | 1;
}

void rbv_shake(RbvState *state, const double *from, double turn, double move, uint64_t *seed, double *step) {
    const RbvBodyColumns *bodies = &state->system->bodies;
    for (int32_t b = 1; b < bodies->count; b++) {
        bool turns = rbv_bodies_turns(bodies, b);
        uint64_t own = seed_of_body(*seed, state->system->model->bodies.items[b].name);
        for (int32_t k = bodies->start[b]; k < bodies->start[b + 1]; k++) {
            bool rotation = turns && rbv_bodies_is_rotation(bodies, b, k);
            double most = move * rbv_state_body_size(state, b);
            if (rotation)
                most = turn / (bodies->spatial ? 1.7 : 1);
            step[k] = most * rbv_unit_random(&own);
        }
    }
    rbv_unit_random(seed);
    memcpy(state->q, from, (size_t)state->system->coordinates.position_size * sizeof(double));
    rbv_coordinates_step(&state->system->coordinates, state->q, step);
}

/* Perturbs the starting poses: rotations up to half a turn, positions up to the size of the part, more with each try.
 */
static void perturb(RbvDescent *d, int32_t attempt, int32_t attempts, uint64_t *seed) {
    double amount = (double)attempt / attempts;
    rbv_shake(d->state, d->start, rbv_min(1, 0.2 + 2 * amount) * HALF_TURN, amount, seed, d->step);
    rbv_descent_restore_turns(d);
}

static bool create_search(Search *s, RbvDescent *d) {
    const RbvSystem *system = d->system;
    const RbvBodyColumns *bodies = &system->bodies;
    *s = (Search){.d = d, .error = INFINITY, .open_count = system->part_count + 1};
    s->part = rbv_arena_alloc(&s->arena, ((size_t)system->coordinates.size + 1) * sizeof *s->part);
    s->open = rbv_arena_alloc(&s->arena, (size_t)system->part_count + 1);
    s->now = rbv_arena_alloc(&s->arena, (size_t)system->part_count + 1);
    if (!s->part || !s->open || !s->now)
        return false;
    for (int32_t b = 1; b < bodies->count; b++)
        for (int32_t k = bodies->start[b]; k < bodies->start[b + 1]; k++)
            s->part[k] = system->part[b];
    memset(s->open, true, (size_t)system->part_count);
    return true;
}

static void destroy_search(Search *s) {
    rbv_arena_clear(&s->arena);
}

/* Moves the bodies of parts that are closed at d->best back there. */
static void restore_closed_parts(Search *s) {
    RbvDescent *d = s->d;
    const RbvCoordinates *coordinates = &d->system->coordinates;
    if (!isfinite(s->error))
        return;
    rbv_coordinates_difference(coordinates, d->state->q, d->best, d->step);
    for (int32_t k = 0; k < coordinates->size; k++)
        d->step[k] = s->open[s->part[k]] ? 0 : d->step[k];
    rbv_coordinates_step(coordinates, d->state->q, d->step);
}

/* Takes the final position of a descent with this error as d->best if it closes more parts, or as many with a smaller
 * error. */
static void keep_nearest(Search *s, double error) {
    RbvDescent *d = s->d;
    int32_t count = 0;
    memset(s->now, false, (size_t)d->system->part_count);
    for (int32_t k = 0; k < d->rows; k++)
        for (int32_t e = d->system->C.start[k];
             !(rbv_descent_row_error(d, k) <= RBV_ASSEMBLY_TOLERANCE) && e < d->system->C.start[k + 1]; e++)
            s->now[s->part[d->system->C.column[e]]] = true;
    for (int32_t p = 0; p < d->system->part_count; p++)
        count += s->now[p];
    if (!(count < s->open_count || (count == s->open_count && error < s->error)))
        return;
    bool *open = s->open;
    s->open = s->now;
    s->now = open;
    s->open_count = count;
    s->error = error;
    memcpy(d->best, d->state->q, (size_t)d->system->coordinates.position_size * sizeof(double));
}

static double largest_error(const RbvDescent *d) {
    double most = 0;
    for (int32_t k = 0; k < d->rows; k++)
        most = rbv_max(most, fabs(d->phi[k]));
    return most;
}

/* True if other whole turns would reduce the errors of the rows. */
static bool other_turns_fit(RbvDescent *d) {
    double before = largest_error(d), after = 0;
    rbv_choose_turns(d->state);
    for (int32_t k = 0; k < d->rows; k++)
        after = rbv_max(after, d->weight[k] * fabs(d->state->phi[k]));
    rbv_descent_restore_turns(d);
    rbv_state_place(d->state);
    return after < 0.999 * before;
}

/* True at a stationary point of the error, C^T phi = 0, if only rows with constant gradients (angles), or rows on one
 * and the same measure, have errors: these rows contradict each other at any position. text: the names of rows with
 * errors. */
static bool contradictory(RbvDescent *d, char *text, size_t size) {
    const RbvSystem *system = d->system;
    double tolerance = 1e-6 * largest_error(d);
    bool angles = true, one_measure = true;
    int32_t measure = -1, count = 0;
    size_t used = 0;
    text[0] = '\0';
    for (int32_t k = 0; k < d->rows; k++) {
        const RbvRow *row = &system->rows[k];
        if (fabs(d->phi[k]) <= tolerance)
            continue;
        count++;
        const RbvTerm *terms = &system->terms[row->first];
        for (int32_t n = 0; n < row->count; n++)
            angles = angles && !row->equation &&
                     system->model->measures.items[terms[n].measure].kind == RBV_MEASURE_ANGLE; /* of the plane */
        one_measure = one_measure && row->count == 1 && !row->equation && (measure < 0 || measure == terms[0].measure);
        measure = terms[0].measure;
        char name[160];
        rbv_system_row_name(system, k, name, sizeof name);
        int n = snprintf(text + used, size - used, "%s%s", used ? ", " : "", name);
        used = n > 0 && used + (size_t)n < size ? used + (size_t)n : size - 1;
    }
    /* a single row may be at a position where its gradient vanishes */
    return (angles || (one_measure && count > 1)) && rbv_descent_is_stationary(d) && !other_turns_fit(d);
}

/* Number of other poses to start from: fewer for large mechanisms. */
static int32_t count_attempts(const RbvDescent *d) {
    int32_t attempts = RESTART_WORK / (d->rows + 1);
    if (attempts < 3)
        return 3;
    return attempts > MOST_RESTARTS ? MOST_RESTARTS : attempts;
}

static RbvStatus search_poses(Search *s, RbvDiagnostics *diagnostics, RbvAssembly *assembly) {
    RbvDescent *d = s->d;
    RbvState *state = d->state;
    const RbvModel *model = d->system->model;
    size_t size = (size_t)d->system->coordinates.position_size * sizeof(double);
    const int32_t attempts = count_attempts(d);
    uint64_t seed = 0x9E3779B97F4A7C15u;
    char text[1024];
    for (int32_t attempt = 0; attempt <= attempts; attempt++) {
        if (attempt == 1) {
            if (!rbv_place_along_joints(state))
                return RBV_NO_MEMORY;
            rbv_descent_restore_turns(d);
        } else if (attempt > 1) {
            perturb(d, attempt, attempts, &seed);
        }
        restore_closed_parts(s);
        if (attempt > 1 && attempt % 2 == 0)
            rbv_choose_turns(state);
        double error = rbv_descend(d);
        if (rbv_progress_stopped(state->progress))
            return RBV_INTERRUPTED;
        if (state->no_memory)
            return RBV_NO_MEMORY;
        if (isnan(error) && attempt == 0) {
            rbv_state_explain(state, text, sizeof text);
            rbv_diagnose(diagnostics, RBV_ERROR, model->file, (RbvPosition){0, 0},
                         "the starting poses give no finite numbers at t = %g s%s%s", state->t, text[0] ? ": " : "",
                         text);
            return RBV_NOT_FINITE;
        }
        keep_nearest(s, error);
        assembly->restarts = attempt;
        assembly->error = s->error;
        if (s->error <= RBV_ASSEMBLY_TOLERANCE)
            return RBV_OK;
        if (attempt == 0 && contradictory(d, text, sizeof text)) {
            char gaps[1024];
            if (!rbv_describe_gaps(state, gaps, sizeof gaps))
                return RBV_NO_MEMORY;
            rbv_diagnose(diagnostics, RBV_ERROR, model->file, (RbvPosition){0, 0},
                         "assembly is impossible at t = %g s: these contradict each other: %s (left: %s)", state->t,
                         text, gaps);
            return RBV_INCONSISTENT;
        }
    }
    memcpy(state->q, d->best, size);
    rbv_state_place(state);
    rbv_note_parallel_axes(model, diagnostics);
    char loop[800];
    if (!rbv_describe_gaps(state, text, sizeof text) || !rbv_describe_loop(state, loop, sizeof loop))
        return RBV_NO_MEMORY;
    rbv_diagnose(
        diagnostics, RBV_ERROR, model->file, (RbvPosition){0, 0},
        "no assembly found at t = %g s, from the starting poses and %d others; the nearest leaves gaps: %s%s%s",
        state->t, (int)attempts, text, *loop ? "; " : "", loop);
    return RBV_NOT_ASSEMBLED;
}

RbvStatus rbv_assemble_from_other_poses(RbvDescent *d, RbvDiagnostics *diagnostics, RbvAssembly *assembly) {
    Search s;
    RbvStatus status = create_search(&s, d) ? search_poses(&s, diagnostics, assembly) : RBV_NO_MEMORY;
    destroy_search(&s);
    return status;
}
