/* Families, whole turns and order of equilibria. Numbers are compared within bands. The list is
 * sorted by one number after the other: neighbours within the band form a group that is sorted by the next number. */
#include "statics/equilibria_list.h"

#include "core/base/tolerances.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool near(double a, double b, double band) {
    return (isnan(a) && isnan(b)) || fabs(a - b) <= band;
}

RbvKinship rbv_kinship(const RbvBalance *balance, bool level, int32_t falling) {
    const RbvModel *model = balance->system->model;
    RbvKinship k = {.level = level, .falling = falling, .V_size = balance->V_size, .load = balance->force_size};
    for (int32_t b = 1; b < model->bodies.count; b++) {
        RbvVec3 weight = rbv_scale(model->bodies.items[b].mass, model->gravity);
        k.height -= rbv_dot(weight, balance->state->bodies[b].r);
        k.weights += rbv_norm(weight) * (balance->reach + fabs(rbv_norm(balance->state->bodies[b].r)));
    }
    return k;
}

bool rbv_of_one_family(const RbvEquilibrium *a, const RbvKinship *its, const RbvEquilibrium *b,
                       const RbvKinship *other) {
    bool neutral = a->stability && strcmp(a->stability, "neutral") == 0;
    if (!a->stability || !b->stability || strcmp(a->stability, b->stability) != 0)
        return false;
    /* Difference of equal energies, as a part of V_size. Positions are known to at least its square root. */
    if (isfinite(a->energy) && isfinite(b->energy) &&
        !near(a->energy, b->energy, RBV_SAME * fmax(its->V_size, other->V_size)))
        return false;
    if (neutral && isfinite(a->energy) && isfinite(b->energy))
        return true;
    if (!neutral && !(its->level && other->level))
        return false;
    /* Relative difference of equal curvatures, loads and weights' energies, at positions that are known to about 1e-9.
     */
    if (isfinite(a->energy) && isfinite(b->energy))
        return its->falling == other->falling && near(a->curvature, b->curvature, RBV_FITS * fabs(a->curvature));
    return its->weights > 0 && near(its->height, other->height, RBV_FITS * fmax(its->weights, other->weights)) &&
           near(its->load, other->load, RBV_FITS * its->load);
}

static bool has_turns(RbvMeasureKind kind) {
    return rbv_measure_counts_turns(kind) || kind == RBV_MEASURE_TURN;
}

/* True if one turn more of measure m changes energy, rows or forces. */
static bool turn_counts(RbvBalance *b, int32_t m) {
    RbvMeasureMemory *memory = &b->state->memory[m], kept = *memory;
    double V = b->V, error = b->error, left = rbv_balance_residual(b, b->lambda);
    memory->turn = b->system->model->measures.items[m].kind == RBV_MEASURE_TWIST
                       ? b->state->measures[m].value + RBV_TWO_PI
                       : kept.turn + RBV_TWO_PI;
    bool same = rbv_balance_evaluate(b) && near(V, b->V, RBV_SAME * b->V_size) && near(error, b->error, RBV_SAME) &&
                near(left, rbv_balance_residual(b, b->lambda), RBV_SAME * fmax(b->force_size, rbv_balance_largest(b)));
    *memory = kept;
    rbv_balance_evaluate(b);
    return !same;
}

static double to_turn_of(double reference, double value) {
    /* Part of a turn: an angle within this band of half a turn counts as plus half a turn. */
    return isfinite(value) && isfinite(reference)
               ? value + RBV_TWO_PI * floor((reference - value) / RBV_TWO_PI + 0.5 + RBV_BALANCED)
               : value;
}

/* Of both signs of a quaternion the one nearer to the reference; if it is orthogonal to the reference, the one whose
 * first nonzero component is positive. */
static void to_side_of(const double *reference, double *p) {
    double side = 0;
    for (int k = 0; k < 4; k++)
        side += reference[k] * p[k];
    /* Difference of equal coordinates, as a part of the largest of their kind, or of one: coordinates are known to
     * about 1e-9, and are printed to six digits. */
    for (int k = 0; k < 4 && fabs(side) <= RBV_BALANCED; k++)
        side = p[k];
    for (int k = 0; k < 4 && side < 0; k++)
        p[k] = -p[k];
}

/* counts [measures]: whole turns of the measure change the equilibrium. */
static void coordinates_to_turn(const RbvModel *model, const bool *counts, const RbvEquilibrium *first,
                                RbvEquilibrium *to) {
    RbvShare *share = to->coordinates.shares;
    const RbvShare *reference = first->coordinates.shares;
    for (int32_t k = 0; k < model->joints.count; k++)
        for (int direction = 5; direction >= 0; direction--) { /* in the order of the result */
            const RbvJoint *joint = &model->joints.items[k];
            if (!(joint->coordinates >> direction & 1))
                continue;
            RbvMeasure measure = rbv_joint_coordinate(joint, direction);
            int32_t known =
                rbv_model_find_measure(model, measure.kind, measure.marker[0], measure.marker[1], measure.axis);
            if (has_turns(measure.kind) && (known < 0 || !counts[known]))
                share->share = to_turn_of(reference->share, share->share);
            share++, reference++;
        }
    for (int32_t k = 0; k < model->generalized.count; k++, share++, reference++) {
        int32_t m = model->generalized.items[k].measure;
        if (has_turns(model->measures.items[m].kind) && !counts[m])
            share->share = to_turn_of(reference->share, share->share);
    }
}

static bool body_turn_counts(const RbvModel *model, const bool *counts, int32_t body) {
    bool found = false;
    for (int32_t m = 0; m < model->measures.count; m++)
        for (int side = 0; side < 2 && counts[m]; side++)
            found = found || model->markers.items[model->measures.items[m].marker[side]].body == body;
    return found;
}

void rbv_equilibrium_to_one_turn(RbvBalance *balance, const RbvEquilibrium *first, RbvEquilibrium *to) {
    const RbvModel *model = balance->system->model;
    bool *counts = calloc((size_t)model->measures.count + 1, sizeof *counts);
    if (!counts) {
        balance->state->no_memory = true;
        return;
    }
    for (int32_t m = 0; m < model->measures.count; m++)
        counts[m] = has_turns(model->measures.items[m].kind) && turn_counts(balance, m);
    coordinates_to_turn(model, counts, first, to);
    for (int32_t b = 0; b < to->body_count; b++) {
        const RbvEntry *entry = &to->bodies[b];
        int32_t at = entry->first + entry->components, angles = entry->count - entry->components;
        if (angles == 1 && !body_turn_counts(model, counts, b + 1))
            to->pose[at] = to_turn_of(first->pose[at], to->pose[at]);
        else if (angles == 4)
            to_side_of(first->pose + at, to->pose + at);
    }
    free(counts);
}

typedef struct Order {
    RbvEquilibrium *list;
    double *key;                /* [count] the numbers that are compared now */
    int32_t *coordinate, *body; /* indices of coordinates and bodies in alphabetical order */
    int32_t coordinates, keys, bodies;
    double V_size;
} Order;

static double stability_key(const RbvEquilibrium *e) {
    static const char *const names[] = {"stable", "neutral", "unstable"};
    int k = 0;
    while (e->stability && k < 3 && strcmp(e->stability, names[k]) != 0)
        k++;
    return e->stability ? k : 3;
}

/* Number `which` of those that are compared: energy, stability, coordinates, poses. */
static double key_of(const Order *o, const RbvEquilibrium *e, int32_t which) {
    if (which == 0)
        return isfinite(e->energy) ? e->energy : 0;
    if (which == 1)
        return stability_key(e);
    which -= 2;
    if (which < o->coordinates)
        return e->coordinates.shares[o->coordinate[which]].share;
    which -= o->coordinates;
    const RbvEntry *entry = &e->bodies[o->body[which / 7]];
    return which % 7 < entry->count ? e->pose[entry->first + which % 7] : 0;
}

static double band_of(const Order *o, int32_t which, int32_t from, int32_t to) {
    double largest = 1;
    for (int32_t k = from; k < to && which > 1; k++)
        largest = fmax(largest, fabs(o->key[k]));
    return which == 0 ? RBV_SAME * o->V_size : RBV_BALANCED * largest;
}

/* Sorts list[from ... to) by number `which`, and those that are equal in it by the next. */
static void sort_part(Order *o, int32_t from, int32_t to, int32_t which) {
    if (to - from < 2 || which == o->keys)
        return;
    for (int32_t k = from; k < to; k++) {
        RbvEquilibrium item = o->list[k];
        double key = key_of(o, &item, which);
        int32_t n = k;
        for (; n > from && o->key[n - 1] > key; n--) {
            o->list[n] = o->list[n - 1];
            o->key[n] = o->key[n - 1];
        }
        o->list[n] = item;
        o->key[n] = key;
    }
    double band = band_of(o, which, from, to);
    for (int32_t k = from + 1, begin = from; k <= to; k++)
        if (k == to || !(o->key[k] - o->key[k - 1] <= band)) {
            sort_part(o, begin, k, which + 1); /* overwrites the keys before k */
            begin = k;
        }
}

bool rbv_sort_equilibria(RbvEquilibrium *list, int32_t count, double V_size) {
    if (count < 2)
        return true;
    RbvArena arena = {0};
    Order o = {.list = list, .V_size = V_size, .coordinates = list->coordinates.count, .bodies = list->body_count};
    o.keys = 2 + o.coordinates + 7 * o.bodies;
    o.key = rbv_arena_alloc(&arena, (size_t)count * sizeof *o.key);
    o.coordinate = rbv_arena_alloc(&arena, ((size_t)o.coordinates + 1) * sizeof *o.coordinate);
    o.body = rbv_arena_alloc(&arena, ((size_t)o.bodies + 1) * sizeof *o.body);
    bool good = o.key && o.coordinate && o.body;
    if (good) {
        for (int32_t k = 0, n; k < o.coordinates; k++) {
            const RbvShare *shares = list->coordinates.shares;
            for (n = k; n > 0 && strcmp(shares[o.coordinate[n - 1]].name, shares[k].name) > 0; n--)
                o.coordinate[n] = o.coordinate[n - 1];
            o.coordinate[n] = k;
        }
        for (int32_t k = 0, n; k < o.bodies; k++) {
            for (n = k; n > 0 && strcmp(list->bodies[o.body[n - 1]].name, list->bodies[k].name) > 0; n--)
                o.body[n] = o.body[n - 1];
            o.body[n] = k;
        }
        sort_part(&o, 0, count, 0);
    }
    rbv_arena_clear(&arena);
    return good;
}

/* Sum of (-1)^index over all equilibria, by Poincare and Hopf: with the index as the number of motions along which the
 * energy decreases, the sum is the Euler characteristic of the space of positions. For an open tree of hinges that
 * space is a torus: the sum is 0, with as many saddles as minima and maxima in the plane of two angles. Coils of
 * springs count turns; where each hinge has one, the energy increases without bound in all directions of a space
 * without holes: the sum is 1.
 * The energy has to be smooth: a spring with a free length has a tip where its points meet. They cannot meet if one of
 * the lengths along the bodies between them is longer than all others together. The sum checks a list of equilibria,
 * however they were found. */

typedef struct Tree {
    const RbvState *state;
    const RbvModel *model;
    int32_t *joint; /* [bodies] joint towards ground; -1: none yet */
} Tree;

static int32_t body_of_side(const Tree *t, int32_t joint, int side) {
    return t->model->markers.items[t->model->joints.items[joint].marker[side]].body;
}

static int32_t parent_of(const Tree *t, int32_t body) {
    int32_t joint = t->joint[body];
    return body_of_side(t, joint, body_of_side(t, joint, 0) == body);
}

static bool is_hinge(const RbvModel *model, const RbvJoint *joint) {
    int locks = model->space == RBV_PLANAR ? RBV_DIRECTION_X | RBV_DIRECTION_Y : RBV_DIRECTIONS_ALL & ~RBV_DIRECTION_RZ;
    return joint->locks == locks && joint->extra == RBV_EXTRA_NONE && !joint->unilateral && !joint->loose;
}

/* True if the model has hinges only, as many as bodies, and each body is linked to ground. */
static bool find_tree(Tree *t) {
    const RbvModel *m = t->model;
    if (m->joints.count != m->bodies.count - 1 || m->constraints.count || m->drives.count || m->stops.count ||
        m->conditions.count || m->generalized.count || m->states.count)
        return false;
    for (int32_t k = 0; k < m->bodies.count; k++)
        t->joint[k] = -1;
    for (int32_t k = 0; k < m->joints.count; k++)
        if (!is_hinge(m, &m->joints.items[k]))
            return false;
    for (int32_t found = 0, last = -1; found < m->joints.count; last = found) {
        if (found == last)
            return false;
        for (int32_t k = 0; k < m->joints.count; k++)
            for (int side = 0; side < 2; side++) {
                int32_t inner = body_of_side(t, k, side), outer = body_of_side(t, k, !side);
                if (outer != 0 && t->joint[outer] < 0 && (inner == 0 || t->joint[inner] >= 0) && t->joint[inner] != k)
                    t->joint[outer] = k, found++;
            }
    }
    return true;
}

static int32_t depth_of(const Tree *t, int32_t body) {
    int32_t count = 0;
    for (; body != 0; body = parent_of(t, body))
        count++;
    return count;
}

/* Adds one length of those between two points. */
static void add_length(double *most, double *sum, RbvVec3 *from, RbvVec3 to) {
    double length = rbv_norm(rbv_sub(to, *from));
    *most = fmax(*most, length);
    *sum += length;
    *from = to;
}

/* True if the points of the spring can meet. */
static bool may_vanish(const Tree *t, const RbvLoad *load) {
    int32_t body[2];
    RbvVec3 at[2];
    double most = 0, sum = 0;
    for (int side = 0; side < 2; side++) {
        body[side] = t->model->markers.items[load->marker[side]].body;
        at[side] = t->state->markers[load->marker[side]].point;
    }
    while (body[0] != body[1]) { /* the deeper body is replaced by its parent, and its point by the hinge's point */
        int deeper = depth_of(t, body[1]) > depth_of(t, body[0]);
        const RbvJoint *joint = &t->model->joints.items[t->joint[body[deeper]]];
        add_length(&most, &sum, &at[deeper], t->state->markers[joint->marker[1]].point);
        body[deeper] = parent_of(t, body[deeper]);
    }
    add_length(&most, &sum, &at[0], at[1]);
    /* Relative margin by which one length has to be longer. */
    return 2 * most <= sum * (1 + RBV_FITS);
}

/* True if whole turns do not change the load and it has no jumps; or for a coil, whose hinge is marked. */
static bool is_smooth(const Tree *t, const RbvLoad *load, bool *coiled) {
    switch (load->kind) {
    case RBV_LOAD_FORCE:
    case RBV_LOAD_TORQUE:
    case RBV_LOAD_DAMPING: return true;
    case RBV_LOAD_SPRING:
        return load->joint < 0 && !load->value[0] &&
               (load->free == 0 || load->stiffness[0] == 0 || !may_vanish(t, load));
    case RBV_LOAD_TORSION:
        if (load->joint >= 0 && load->stiffness[0] > 0)
            coiled[load->joint] = true;
        return load->joint >= 0 && load->stiffness[0] >= 0 && !load->value[0];
    default: return false;
    }
}

bool rbv_index_sum(const RbvState *state, int32_t *sum) {
    const RbvModel *model = state->system->model;
    Tree t = {.state = state, .model = model, .joint = malloc((size_t)model->bodies.count * sizeof *t.joint)};
    bool *coiled = calloc((size_t)model->joints.count + 1, sizeof *coiled);
    bool known = t.joint && coiled && find_tree(&t);
    for (int32_t k = 0; known && k < model->loads.count; k++)
        known = is_smooth(&t, &model->loads.items[k], coiled);
    *sum = 1;
    for (int32_t k = 0; known && k < model->joints.count; k++)
        if (!coiled[k])
            *sum = 0;
    free(t.joint);
    free(coiled);
    return known;
}
