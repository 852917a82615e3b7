/* Describes a mode with the user's names: how much each coordinate moves, and where its kinetic energy is.
 *
 * The shape consists of named joint coordinates, and of position and rotation of bodies at no such joint; of all
 * bodies where these are fewer than the freedoms of the mechanism. A coordinate m moves by its gradient times the
 * twists of the shape. Generalized coordinates and the user's own states have their own names, after v in the shape.
 * The shape is divided by its largest component, a complex number: this one becomes 1, and others lead or lag it. */
#include "core/base/extremes.h"
#include "core/base/tolerances.h"
#include "mechanics/element/measure.h"
#include "model/result/scales.h"
#include "solution/record/record.h"

#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Chooses the shapes of modes with equal roots: any combination of them is a mode as well, so a rule has to choose
 * (decision 0042). */

/* Columns with a smaller independent part are dependent: the root has fewer modes than its multiplicity (a chain),
 * and they stay unchanged. */
#define DEPENDENT 1e-5

typedef struct Equal {
    int32_t count, height, parts;
    double complex *shape;  /* [count][height] of v and the user's states; orthonormal */
    double complex *part;   /* [count][parts] of named coordinates */
    double complex *inert;  /* [height] scratch: M x */
    double complex *axis;   /* [count] direction of a chosen mode in the basis */
    double complex *chosen; /* [count][height] */
} Equal;

/* out[height] = M x; the user's states are copied. */
static void inertia(const Equal *e, const RbvState *state, const double complex *x, double *work, double complex *out) {
    int32_t n = state->system->coordinates.size;
    double *in = work, *force = work + n;
    for (int part = 0; part < 2; part++) {
        for (int32_t i = 0; i < n; i++)
            in[i] = part ? cimag(x[i]) : creal(x[i]);
        rbv_state_inertia(state, in, force);
        for (int32_t i = 0; i < n; i++)
            out[i] = part ? out[i] + force[i] * I : force[i];
    }
    for (int32_t i = n; i < e->height; i++)
        out[i] = x[i];
}

static double complex inner(int32_t size, const double complex *x, const double complex *y) {
    double complex sum = 0;
    for (int32_t i = 0; i < size; i++)
        sum += conj(x[i]) * y[i];
    return sum;
}

static void subtract(int32_t size, double complex factor, const double complex *x, double complex *y) {
    for (int32_t i = 0; i < size; i++)
        y[i] -= factor * x[i];
}

static void scale_column(int32_t size, double factor, double complex *x) {
    for (int32_t i = 0; i < size; i++)
        x[i] *= factor;
}

/* Gram and Schmidt, twice for each column to remove rounding of the first pass. False: the columns are dependent, or
 * have no mass. */
static bool orthonormalize(Equal *e, const RbvState *state, double *work) {
    size_t height = (size_t)e->height, parts = (size_t)e->parts;
    for (int32_t k = 0; k < e->count; k++) {
        double complex *x = e->shape + (size_t)k * height;
        double before = 0, after = 0;
        for (int pass = 0; pass < 2; pass++) {
            inertia(e, state, x, work, e->inert);
            before = pass ? before : creal(inner(e->height, x, e->inert));
            for (int32_t j = 0; j < k; j++) {
                double complex along = inner(e->height, e->shape + (size_t)j * height, e->inert);
                subtract(e->height, along, e->shape + (size_t)j * height, x);
                subtract(e->parts, along, e->part + (size_t)j * parts, e->part + (size_t)k * parts);
            }
        }
        inertia(e, state, x, work, e->inert);
        after = creal(inner(e->height, x, e->inert));
        if (!(after > DEPENDENT * DEPENDENT * before))
            return false;
        scale_column(e->height, 1 / sqrt(after), x);
        scale_column(e->parts, 1 / sqrt(after), e->part + (size_t)k * parts);
    }
    return true;
}

/* The coordinate that the modes together move most: |p_i|^2 = sum over the modes. -1: they move none. */
static int32_t moved_most(const Equal *e, const RbvOscillationPart *names) {
    int32_t most = -1;
    double largest = 0;
    for (int32_t i = 0; i < e->parts; i++) {
        double size = 0;
        for (int32_t k = 0; k < e->count; k++)
            size += creal(e->part[(size_t)k * (size_t)e->parts + (size_t)i] *
                          conj(e->part[(size_t)k * (size_t)e->parts + (size_t)i]));
        size = sqrt(size);
        /* Sizes with a smaller relative difference are equal: far above rounding of shapes, far below what tables show.
         */
        bool equal = most >= 0 && size > (1 - RBV_FITS) * largest && size < (1 + RBV_FITS) * largest;
        if (equal ? strcmp(names[i].name, names[most].name) < 0 : size > largest)
            most = i, largest = equal ? rbv_max(size, largest) : size;
    }
    return most;
}

/* Chooses the modes one by one; removes each from the parts of the basis. */
static void choose(Equal *e, const RbvOscillationPart *names) {
    size_t height = (size_t)e->height, parts = (size_t)e->parts;
    for (int32_t next = 0; next < e->count; next++) {
        int32_t i = moved_most(e, names);
        double size = 0;
        for (int32_t k = 0; k < e->count; k++) {
            e->axis[k] = i < 0 ? 0 : conj(e->part[(size_t)k * parts + (size_t)i]);
            size += creal(e->axis[k] * conj(e->axis[k]));
        }
        for (int32_t k = 0; k < e->count && size > 0; k++) {
            e->axis[k] /= sqrt(size);
            subtract(e->height, -e->axis[k], e->shape + (size_t)k * height, e->chosen + (size_t)next * height);
        }
        for (int32_t r = 0; r < e->parts; r++) {
            double complex along = 0;
            for (int32_t k = 0; k < e->count; k++)
                along += e->part[(size_t)k * parts + (size_t)r] * e->axis[k];
            for (int32_t k = 0; k < e->count; k++)
                e->part[(size_t)k * parts + (size_t)r] -= along * conj(e->axis[k]);
        }
        for (int32_t k = 0; i >= 0 && k < e->count; k++) /* exactly zero, so that rounding is not chosen again */
            e->part[(size_t)k * parts + (size_t)i] = 0;
    }
}

static void take(Equal *e, const RbvModalMotion *modes, RbvOscillationPart *const *parts) {
    for (int32_t k = 0; k < e->count; k++) {
        for (int32_t i = 0; i < e->height; i++)
            e->shape[(size_t)k * (size_t)e->height + (size_t)i] = modes[k].shape[0][i] + modes[k].shape[1][i] * I;
        for (int32_t i = 0; i < e->parts; i++)
            e->part[(size_t)k * (size_t)e->parts + (size_t)i] = parts[k][i].re + parts[k][i].im * I;
    }
}

/* Replaces the shapes [height] of modes[count], which have one root, by others of the same space; a shape contains v
 * and the user's states. parts[count][part_count]: how each mode moves the named coordinates. False: no memory. */
static bool choose_equal_modes(const RbvState *state, RbvModalMotion *modes, int32_t count, int32_t height,
                               RbvOscillationPart *const *parts, int32_t part_count) {
    Equal e = {.count = count, .height = height, .parts = part_count};
    size_t shapes = (size_t)count * (size_t)height, named = (size_t)count * (size_t)part_count;
    double complex *memory = calloc(2 * shapes + named + (size_t)height + (size_t)count + 1, sizeof *memory);
    double *work = malloc((2 * (size_t)state->system->coordinates.size + 1) * sizeof *work);
    if (memory && work) {
        e.shape = memory, e.chosen = e.shape + shapes, e.part = e.chosen + shapes, e.inert = e.part + named,
        e.axis = e.inert + height;
        take(&e, modes, parts);
        if (orthonormalize(&e, state, work)) {
            choose(&e, parts[0]);
            for (int32_t k = 0; k < count; k++)
                for (int32_t i = 0; i < height; i++) {
                    modes[k].shape[0][i] = creal(e.chosen[(size_t)k * (size_t)height + (size_t)i]);
                    modes[k].shape[1][i] = cimag(e.chosen[(size_t)k * (size_t)height + (size_t)i]);
                }
        }
    }
    bool good = memory && work;
    free(memory);
    free(work);
    return good;
}

/* Larger systems have too many numbers for a picture: twelve for each body and mode. */
#define MOST_BODIES 200

static const char *name_of(RbvRecord *record, const char *owner, const char *part, bool *good) {
    char name[300];
    int length = snprintf(name, sizeof name, "%s.%s", owner, part);
    const char *kept =
        rbv_arena_copy(&record->result->arena, name, length < (int)sizeof name ? (size_t)length : sizeof name - 1);
    *good = *good && kept;
    return kept ? kept : "";
}

static const char *keep_name(RbvRecord *record, const char *name, bool *good) {
    const char *kept = rbv_arena_copy(&record->result->arena, name, strlen(name));
    *good = *good && kept;
    return kept ? kept : "";
}

/* A named coordinate, as a linear function of a shape: sum of gradient . twist over two bodies, or number `column` of
 * the shape (column >= 0). */
typedef struct Coordinate {
    const char *name; /* the result's */
    RbvWrench gradient[2];
    int32_t body[2], column;
    bool spare; /* of a body at a joint that has named coordinates: listed where those do not describe the motion */
} Coordinate;

/* The coordinates of a model: of joints, of bodies, and the user's states; found once for all modes. */
typedef struct Coordinates {
    RbvRecord *record;
    const RbvState *state;
    RbvArena arena; /* owns the arrays */
    Coordinate *items;
    int32_t count, main; /* all; without those to spare */
    const char **shares; /* [4 bodies + drives] names of parts of energies, the result's; NULL: not named yet */
} Coordinates;

static int32_t joint_coordinates(const RbvModel *model) {
    int32_t count = 0;
    for (int32_t k = 0; k < model->joints.count; k++)
        for (int direction = 0; direction < 6; direction++)
            count += model->joints.items[k].coordinates >> direction & 1;
    return count;
}

/* A direction of a joint's coordinates. */
static Coordinate of_joint(const RbvState *state, const RbvJoint *joint, int direction) {
    const RbvModel *model = state->system->model;
    RbvMeasure measure = rbv_joint_coordinate(joint, direction);
    int32_t known = rbv_model_find_measure(model, measure.kind, measure.marker[0], measure.marker[1], measure.axis);
    RbvMeasureMemory memory = known >= 0 ? state->memory[known] : rbv_measure_no_memory(measure.kind);
    RbvMeasureState m;
    memset(&m, 0, sizeof m);
    rbv_measure_place(&measure, model, state->markers, &memory, &m);
    Coordinate c = {.column = -1};
    for (int side = 0; side < 2; side++) {
        c.gradient[side] = m.gradient[side];
        c.body[side] = state->markers[measure.marker[side]].body;
    }
    return c;
}

/* Position and rotation of body b, items[6]: x, y, angle; x, y, z, rx, ry, rz; or the number of a generalized
 * coordinate. Returns how many there are. */
static int of_body(Coordinates *all, int32_t b, bool *good) {
    static const char *const plane[] = {"x", "y", "angle"}, *const space[] = {"x", "y", "z", "rx", "ry", "rz"};
    const RbvSystem *system = all->state->system;
    const RbvBody *body = &system->model->bodies.items[b];
    Coordinate *items = all->items + all->count;
    bool spatial = system->bodies.spatial;
    if (body->generalized) {
        items[0] = (Coordinate){.name = keep_name(all->record, body->name, good), .column = system->bodies.start[b]};
        return 1;
    }
    static const int counts[2][2] = {{3, 2}, {6, 3}}; /* [space][particle] */
    const RbvVec3 frame = rbv_apply(&all->state->bodies[b].A, rbv_scale(-1, body->centroid));
    int count = counts[spatial][body->particle], moves = spatial ? 3 : 2;
    for (int k = 0; k < count; k++) {
        int axis = !spatial && k == 2 ? 2 : k % 3;
        const RbvVec3 e = rbv_vec3(axis == 0, axis == 1, axis == 2);
        items[k] = (Coordinate){.name = name_of(all->record, body->name, spatial ? space[k] : plane[k], good),
                                .body = {b, b},
                                .column = -1};
        if (k < moves)
            items[k].gradient[0] = (RbvWrench){e, rbv_cross(frame, e)};
        else
            items[k].gradient[0].torque = e;
    }
    return count;
}

/* Finds the coordinates at the state. False: no memory; to be cleared in both cases. */
static bool find_coordinates(Coordinates *all, RbvRecord *record, const RbvState *state) {
    const RbvModel *model = record->system->model;
    int32_t most = joint_coordinates(model) + 6 * model->bodies.count + model->states.count;
    *all = (Coordinates){.record = record, .state = state};
    all->items = rbv_arena_array(&all->arena, (size_t)most + 1, sizeof *all->items);
    all->shares = rbv_arena_array(&all->arena, 4 * (size_t)model->bodies.count + (size_t)model->drives.count + 1,
                                  sizeof *all->shares);
    bool *named = rbv_arena_array(&all->arena, (size_t)model->bodies.count + 1, sizeof *named);
    bool good = all->items && all->shares && named;
    for (int32_t k = 0; good && k < model->joints.count; k++) {
        const RbvJoint *joint = &model->joints.items[k];
        for (int direction = 5; direction >= 0; direction--) {
            if (!(joint->coordinates >> direction & 1))
                continue;
            Coordinate *c = &all->items[all->count++];
            *c = of_joint(state, joint, direction);
            c->name = name_of(record, joint->name,
                              rbv_coordinate_name(rbv_joint_nature(joint->kind, joint->spatial), direction), &good);
            for (int side = 0; side < 2; side++)
                named[model->markers.items[joint->marker[side]].body] = true;
        }
    }
    for (int32_t b = 1; good && b < model->bodies.count; b++) {
        int count = of_body(all, b, &good);
        for (int k = 0; k < count; k++)
            all->items[all->count + k].spare = named[b];
        all->count += count;
    }
    for (int32_t k = 0; good && k < model->states.count; k++)
        all->items[all->count++] = (Coordinate){.name = keep_name(record, model->states.items[k].name, &good),
                                                .column = record->system->coordinates.size + k};
    for (int32_t k = 0; k < all->count; k++)
        all->main += !all->items[k].spare;
    return good;
}

/* Motion of each coordinate into o->shape; `spare`: of those to spare too. False: no memory. */
static bool list_parts(Coordinates *all, RbvOscillation *o, const double *const shape[2], bool spare) {
    const RbvState *state = all->state;
    o->shape_count = 0;
    o->shape =
        rbv_arena_alloc(&all->record->result->arena, ((size_t)(spare ? all->count : all->main) + 1) * sizeof *o->shape);
    for (int part = 0; o->shape && part < 2; part++) {
        rbv_coordinates_velocities(&state->system->coordinates, rbv_state_at(state), shape[part], state->twists);
        o->shape_count = 0;
        for (int32_t k = 0; k < all->count; k++) {
            const Coordinate *c = &all->items[k];
            if (c->spare && !spare)
                continue;
            double moved = c->column >= 0 ? shape[part][c->column] : 0;
            for (int side = 0; side < 2 && c->column < 0; side++)
                moved += rbv_power(c->gradient[side], state->twists[c->body[side]]);
            RbvOscillationPart *to = &o->shape[o->shape_count++];
            to->name = c->name;
            *(part ? &to->im : &to->re) = moved;
        }
    }
    return o->shape != NULL;
}

/* Size of the largest part of the shape. */
static double largest_part(const RbvOscillation *o) {
    double largest = 0;
    for (int32_t k = 0; k < o->shape_count; k++)
        largest = rbv_max(largest, hypot(o->shape[k].re, o->shape[k].im));
    return largest;
}

/* Largest number of the shape, of v and of the user's states. */
static double largest_rate(const RbvSystem *system, const double *const shape[2]) {
    double largest = 0;
    for (int32_t k = 0; k < system->coordinates.size + system->model->states.count; k++)
        largest = rbv_max(largest, hypot(shape[0][k], shape[1][k]));
    return largest;
}

/* Shape of a mode. It contains all bodies where coordinates of joints do not describe the motion: they are fewer
 * than the freedoms, or do not move, as when a machine moves as a whole. */
static bool record_shape(Coordinates *all, RbvOscillation *o, const double *const shape[2], int32_t freedoms) {
    if (!list_parts(all, o, shape, all->main < freedoms + all->state->system->model->states.count))
        return false;
    /* Coordinates that move by less than this part of the largest motion do not move; rotations count as lengths by the
     * size of the mechanism. */
    return largest_part(o) > RBV_SAME * largest_rate(all->state->system, shape) || list_parts(all, o, shape, true);
}

/* Motion of the bodies' frames, for pictures. False: no memory. */
static bool record_body_shapes(RbvRecord *record, const RbvState *state, RbvOscillation *o,
                               const double *const shape[2]) {
    const RbvSystem *system = state->system;
    const RbvModel *model = system->model;
    bool good = true;
    if (model->bodies.count > MOST_BODIES)
        return true;
    o->bodies = rbv_arena_alloc(&record->result->arena, (size_t)model->bodies.count * sizeof *o->bodies);
    for (int part = 0; o->bodies && part < 2; part++) {
        rbv_coordinates_velocities(&system->coordinates, rbv_state_at(state), shape[part], state->twists);
        o->body_count = 0;
        for (int32_t b = 1; b < model->bodies.count; b++) {
            const RbvBody *body = &model->bodies.items[b];
            if (body->generalized)
                continue;
            RbvTwist t = state->twists[b];
            RbvVec3 v = rbv_add(t.v, rbv_cross(t.w, rbv_apply(&state->bodies[b].A, rbv_scale(-1, body->centroid))));
            RbvOscillationBody *moved = &o->bodies[o->body_count++];
            moved->name = part == 0 ? keep_name(record, body->name, &good) : moved->name;
            moved->at[0][part] = v.x, moved->at[1][part] = v.y, moved->at[2][part] = v.z;
            moved->turn[0][part] = t.w.x, moved->turn[1][part] = t.w.y, moved->turn[2][part] = t.w.z;
        }
    }
    return o->bodies && good;
}

/* Length scale of a coordinate; 0: unknown, of the user's states and generalized coordinates. */
static double coordinate_length(const char *name, double size) {
    const char *unit = rbv_coordinate_unit(name);
    return strcmp(unit, "rad") == 0 ? size : (double)(*unit != '\0');
}

/* *p = *p / (re + i im); 0 where |*p| is at most `nothing`. */
static void divide_complex(double *p_re, double *p_im, double re, double im, double nothing) {
    double a = *p_re, b = *p_im, square = re * re + im * im, size = hypot(a, b);
    *p_re = size > nothing ? (a * re + b * im) / square : 0;
    *p_im = size > nothing ? (b * re - a * im) / square : 0;
}

/* Divides the shape by its largest component. size [m] of the mechanism: shapes are found with rotations as lengths
 * by it, and are known to rounding of the longest. */
static void divide_by_largest(RbvOscillation *o, double size) {
    double largest = largest_part(o), longest = 0;
    const RbvOscillationPart *one = NULL;
    for (int32_t k = 0; k < o->shape_count; k++) {
        double part = hypot(o->shape[k].re, o->shape[k].im);
        longest = rbv_max(longest, coordinate_length(o->shape[k].name, size) * part);
        /* Components that are nearly as large as the largest: the first of them in the alphabet counts, so that neither
         * rounding nor the order of the model chooses. */
        if (part >= (1 - RBV_FITS) * largest && (!one || strcmp(o->shape[k].name, one->name) < 0))
            one = &o->shape[k];
    }
    if (!(largest > 0) || !one)
        return;
    /* Relative to the largest component, of any unit: a smaller one is rounding. */
    const double re = one->re, im = one->im, least = RBV_SUM_EXACT * largest,
                 moves = rbv_max(least, RBV_SAME * longest), turns = rbv_max(least, RBV_SAME * longest / size);
    for (int32_t k = 0; k < o->shape_count; k++) {
        double by = coordinate_length(o->shape[k].name, size);
        divide_complex(&o->shape[k].re, &o->shape[k].im, re, im,
                       by > 0 ? rbv_max(least, RBV_SAME * longest / by) : least);
    }
    for (int32_t k = 0; k < o->body_count; k++)
        for (int axis = 0; axis < 3; axis++) {
            divide_complex(&o->bodies[k].at[axis][0], &o->bodies[k].at[axis][1], re, im, moves);
            divide_complex(&o->bodies[k].turn[axis][0], &o->bodies[k].turn[axis][1], re, im, turns);
        }
}

/* Twice the kinetic energies of each body's directions for both parts of the shape, m |v|^2 + w.J w:
 * energy[bodies][4]; of a generalized coordinate q_k' (M q')_k in the first. inertia[2 n]: workspace. */
static void find_energies(const RbvState *state, const double *const shape[2], double *inertia, double *energy) {
    const RbvSystem *system = state->system;
    const RbvModel *model = system->model;
    for (int part = 0; part < 2; part++) {
        rbv_coordinates_velocities(&system->coordinates, rbv_state_at(state), shape[part], state->twists);
        if (model->generalized.count > 0)
            rbv_state_inertia(state, shape[part], inertia);
        for (int32_t b = 1; b < model->bodies.count; b++) {
            const RbvBody *body = &model->bodies.items[b];
            RbvTwist t = state->twists[b];
            double J[3][3];
            if (body->generalized) {
                energy[4 * b] += shape[part][system->bodies.start[b]] * inertia[system->bodies.start[b]];
                continue;
            }
            rbv_state_tensor(state, b, J);
            const double w[3] = {t.w.x, t.w.y, t.w.z}, v[3] = {t.v.x, t.v.y, t.v.z};
            for (int i = 0; i < 3; i++)
                energy[4 * b + i] += body->mass * v[i] * v[i];
            for (int i = 0; i < 3 && !body->particle; i++)
                for (int j = 0; j < 3; j++)
                    energy[4 * b + 3] += w[i] * J[i][j] * w[j];
        }
    }
}

/* Twice the kinetic energy of the rotor of drive k for both parts of the shape. */
static double rotor_energy(const RbvState *state, const double *const shape[2], int32_t k) {
    RbvRotor rotor;
    double sum = 0;
    for (int part = 0; rbv_state_rotor(state, k, &rotor) && part < 2; part++) {
        double rate = 0;
        for (int32_t c = 0; c < rotor.count; c++)
            rate += rotor.value[c] * shape[part][rotor.column[c]];
        sum += rotor.mass * rate * rate;
    }
    return sum;
}

/* Shares of the energy of each body's directions, of generalized coordinates and of rotors. False: no memory. */
static bool record_participation(Coordinates *all, RbvOscillation *o, const double *const shape[2]) {
    static const char *const names[] = {"x", "y", "z", "turn"};
    RbvRecord *record = all->record;
    const RbvState *state = all->state;
    const RbvModel *model = record->system->model;
    bool spatial = record->system->bodies.spatial, good = true;
    size_t bodies = 4 * (size_t)model->bodies.count, drives = (size_t)model->drives.count;
    RbvShare *shares = rbv_arena_alloc(&record->result->arena, (bodies + drives + 1) * sizeof *shares);
    double *energy = rbv_arena_alloc(&record->result->arena,
                                     (bodies + drives + (size_t)record->system->coordinates.size + 1) * sizeof *energy),
           *rotor = energy + bodies, sum = 0;
    if (!shares || !energy)
        return false;
    find_energies(state, shape, rotor + drives, energy);
    for (int32_t k = 0; k < model->drives.count; k++)
        sum += rotor[k] = rotor_energy(state, shape, k);
    for (size_t k = 4; k < bodies; k++)
        sum += energy[k];
    o->participation.shares = shares;
    for (size_t k = 4; k < bodies; k++) {
        const RbvBody *body = &model->bodies.items[k / 4];
        const char *part = k % 4 == 3 && !spatial ? "angle" : names[k % 4];
        /* Smaller shares of the energy are not listed. */
        if (!(energy[k] > RBV_SAME * sum))
            continue;
        if (!all->shares[k])
            all->shares[k] =
                body->generalized ? keep_name(record, body->name, &good) : name_of(record, body->name, part, &good);
        shares[o->participation.count++] = (RbvShare){all->shares[k], energy[k] / sum};
    }
    for (size_t k = 0; k < drives; k++) {
        if (!(rotor[k] > RBV_SAME * sum))
            continue;
        if (!all->shares[bodies + k])
            all->shares[bodies + k] = name_of(record, model->drives.items[k].name, "rotor", &good);
        shares[o->participation.count++] = (RbvShare){all->shares[bodies + k], rotor[k] / sum};
    }
    return good;
}

static bool record_mode(Coordinates *all, const RbvModalMotion *mode, int32_t freedoms) {
    RbvRecord *record = all->record;
    RbvOscillations *list = &record->result->oscillations;
    RbvOscillation *o = &list->items[list->count++];
    const double *const shape[] = {mode->shape[0], mode->shape[1]};
    double re = mode->real, im = mode->imaginary, size = hypot(re, im), pi = 3.14159265358979323846;
    *o = (RbvOscillation){.re = re, .im = im, .frequency = size / (2 * pi), .damping = (double)NAN};
    if (size > 0)
        o->damping = re == 0 ? 0 : -re / size;
    if (!record_shape(all, o, shape, freedoms) || !record_body_shapes(record, all->state, o, shape) ||
        !record_participation(all, o, shape))
        return false;
    divide_by_largest(o, record->result->machine.size > 0 ? record->result->machine.size : 1);
    return true;
}

static bool same_root(const RbvModalMotion *a, const RbvModalMotion *b) {
    /* Roots with a smaller relative difference are equal: well above the error of eigenvalues; shapes of roots further
     * apart are determined each by itself. */
    return hypot(a->real - b->real, a->imaginary - b->imaginary) <= RBV_ROOT_EPS * hypot(a->real, a->imaginary);
}

/* Replaces the shapes of modes with one root by others of the same space, by the rule. False: no memory. */
static bool choose_equal(Coordinates *all, RbvModalMotion *modes, int32_t count) {
    const RbvSystem *system = all->state->system;
    int32_t height = system->coordinates.size + system->model->states.count, parts = 0;
    RbvOscillationPart **moved = calloc((size_t)count, sizeof *moved);
    bool good = moved != NULL;
    for (int32_t k = 0; good && k < count; k++) {
        RbvOscillation o = {0};
        const double *const shape[] = {modes[k].shape[0], modes[k].shape[1]};
        good = list_parts(all, &o, shape, true);
        moved[k] = o.shape;
        parts = o.shape_count;
    }
    good = good && choose_equal_modes(all->state, modes, count, height, moved, parts);
    free(moved);
    return good;
}

bool rbv_record_oscillations(RbvRecord *record, const RbvState *state, RbvModalMotion *modes, int32_t count,
                             int32_t freedoms) {
    RbvOscillations *list = &record->result->oscillations;
    Coordinates all;
    bool good = find_coordinates(&all, record, state);
    list->items = rbv_arena_alloc(&record->result->arena, ((size_t)count + 1) * sizeof *list->items);
    good = good && list->items;
    for (int32_t k = 0, next; good && k < count; k = next) {
        for (next = k + 1; next < count && same_root(&modes[next - 1], &modes[next]); next++) {
        }
        good = next == k + 1 || choose_equal(&all, modes + k, next - k);
    }
    for (int32_t k = 0; good && k < count; k++)
        good = record_mode(&all, &modes[k], freedoms);
    rbv_arena_clear(&all.arena);
    return good;
}
