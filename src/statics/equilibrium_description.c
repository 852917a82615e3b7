/* Description of an equilibrium in the user's coordinates: energy, stability, coordinates, compliance, poses.
 */
#include "statics/verify.h"

#include "core/base/tolerances.h"
#include "statics/stability.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Description {
    RbvArena *arena;
    RbvEquilibrium *to;
    const RbvBalance *balance;
    const double *u;           /* [n] motion in unscaled units, or NULL */
    RbvMeasureState *measured; /* [coordinates] evaluated measures */
    RbvMeasure *measure;
    double largest; /* largest velocity along the motion; angles times the arm of the body */
    bool lost;
} Description;

static const char *keep_text(Description *w, const char *text) {
    const char *fresh = rbv_arena_copy(w->arena, text, strlen(text));
    w->lost = w->lost || !fresh;
    return fresh ? fresh : "";
}

/* Adds one coordinate: its value, and its velocity along the motion. */
static void add_coordinate(Description *w, const char *name, RbvMeasure measure, bool angle) {
    const RbvState *state = w->balance->state;
    const RbvModel *model = w->balance->system->model;
    int32_t known = rbv_model_find_measure(model, measure.kind, measure.marker[0], measure.marker[1], measure.axis);
    RbvMeasureMemory memory = known >= 0 ? state->memory[known] : rbv_measure_no_memory(measure.kind);
    RbvMeasureState measured;
    memset(&measured, 0, sizeof measured);
    rbv_measure_place(&measure, model, state->markers, &memory, &measured);
    const char *kept = keep_text(w, name);
    w->measure[w->to->coordinates.count] = measure;
    w->measured[w->to->coordinates.count] = measured;
    w->to->coordinates.shares[w->to->coordinates.count++] = (RbvShare){kept, measured.value};
    if (!w->u)
        return;
    double rate = 0;
    for (int side = 0; side < 2; side++)
        rate += rbv_power(measured.gradient[side], rbv_bodies_twist(&w->balance->system->bodies,
                                                                    state->markers[measure.marker[side]].body, w->u));
    int32_t turned = state->markers[measure.marker[1]].body > 0 ? state->markers[measure.marker[1]].body
                                                                : state->markers[measure.marker[0]].body;
    rate = fabs(rate) * (angle ? rbv_state_body_arm(state, turned) : 1);
    /* Relative difference of equal velocities; of equal ones the coordinate whose name is first in the alphabet is
     * named. */
    bool equal = w->to->falls_by && fabs(rate - w->largest) <= RBV_FITS * w->largest;
    if (equal ? strcmp(kept, w->to->falls_by) < 0 : rate > w->largest) {
        w->largest = fmax(rate, w->largest);
        w->to->falls_by = kept;
    }
}

static void add_joint_coordinate(Description *w, const RbvJoint *joint, int direction) {
    char name[300];
    snprintf(name, sizeof name, "%s.%s", joint->name,
             rbv_coordinate_name(rbv_joint_nature(joint->kind, joint->spatial), direction));
    add_coordinate(w, name, rbv_joint_coordinate(joint, direction), direction > 2);
}

static void describe_coordinates(Description *w) {
    const RbvModel *model = w->balance->system->model;
    size_t most = 6 * (size_t)model->joints.count + (size_t)model->generalized.count + 1;
    w->measure = malloc(most * sizeof *w->measure);
    w->measured = malloc(most * sizeof *w->measured);
    w->lost = w->lost || !w->measure || !w->measured;
    w->to->coordinates.shares = rbv_arena_alloc(w->arena, most * sizeof *w->to->coordinates.shares);
    w->lost = w->lost || !w->to->coordinates.shares;
    for (int32_t k = 0; !w->lost && k < model->joints.count; k++)
        for (int direction = 5; direction >= 0; direction--) /* angles first */
            if (model->joints.items[k].coordinates >> direction & 1)
                add_joint_coordinate(w, &model->joints.items[k], direction);
    for (int32_t k = 0; !w->lost && k < model->generalized.count; k++)
        add_coordinate(w, model->generalized.items[k].name, model->measures.items[model->generalized.items[k].measure],
                       false);
}

/* Most coordinates for which the static compliance is computed: the table grows with their square. */
#define MOST_COMPLIANCES 60
/* Passes that remove the effect of the rows' small compliance. */
#define COMPLIANCE_PASSES 3

/* out[n] = gradient of coordinate k, scaled. */
static void coordinate_gradient(const Description *w, int32_t k, double *out) {
    const RbvBalance *b = w->balance;
    memset(out, 0, (size_t)b->n * sizeof *out);
    for (int side = 0; side < 2; side++) {
        int32_t body = b->state->markers[w->measure[k].marker[side]].body;
        if (body > 0)
            rbv_bodies_add(&b->system->bodies, body, 1, &w->measured[k].gradient[side],
                           out + b->system->bodies.start[body]);
    }
    for (int32_t j = 0; j < b->n; j++)
        out[j] *= b->scale[j];
}

/* Static compliance, the inverse of stiffness: [K C^T; C 0] (y, l) = (g_j, 0), and coordinate i moves by g_i.y. */
static bool describe_compliance(Description *w, RbvBalance *b) {
    int32_t count = w->to->coordinates.count;
    if (count == 0 || count > MOST_COMPLIANCES || !rbv_balance_factor(b, 0, 0, RBV_PROXIMAL / b->kappa))
        return true;
    size_t n = (size_t)b->n, rows = (size_t)b->rows;
    double *to = rbv_arena_alloc(w->arena, (size_t)count * (size_t)count * sizeof *to);
    double *f = malloc((2 * n + 2 * rows + 1) * sizeof *f), *y = f + n, *h = y + n, *l = h + rows,
           sizes[MOST_COMPLIANCES] = {0};
    for (int32_t j = 0; to && f && j < count; j++) {
        coordinate_gradient(w, j, f);
        sizes[j] = sqrt(rbv_balance_dot(b, f, f));
    }
    for (int32_t j = 0; to && f && j < count; j++) {
        coordinate_gradient(w, j, f);
        memset(h, 0, rows * sizeof *h);
        for (int pass = 0; pass < COMPLIANCE_PASSES; pass++) {
            rbv_balance_solve(b, f, h, y, l);
            for (size_t k = 0; k < rows; k++)
                h[k] = -b->compliance * l[k];
        }
        for (int32_t i = 0; i < count; i++) {
            double sum = 0;
            coordinate_gradient(w, i, b->K_y);
            for (size_t k = 0; k < n; k++)
                sum += b->K_y[k] * y[k];
            /* Compliances below this part of that of the stiffest motion count as zero. */
            double dust = RBV_DATA * sizes[i] * sizes[j] / b->kappa;
            to[i * count + j] = fabs(sum) <= dust ? 0 : sum;
        }
    }
    w->to->compliance = to && f ? to : NULL;
    free(f);
    return to && f;
}

/* A body that turns about a point at the end of its arm moves its centroid as much as it turns: the factor makes that
 * count as a rotation. */
#define TURNS_COUNT 2.0

/* Name of the largest component of a body's motion, as the user writes it: "angle(door)", "y(door)", "a turn of door
 * about x". */
static void name_motion(const RbvModel *model, int32_t body, RbvTwist twist, double arm, char *text, size_t size) {
    const double part[6] = {twist.v.x,
                            twist.v.y,
                            twist.v.z,
                            TURNS_COUNT * arm * twist.w.x,
                            TURNS_COUNT * arm * twist.w.y,
                            TURNS_COUNT * arm * twist.w.z};
    const char *name = model->bodies.items[body].name;
    int largest = 0;
    for (int k = 1; k < 6; k++)
        if (fabs(part[k]) > (1 + RBV_FITS) * fabs(part[largest]))
            largest = k;
    if (largest < 3)
        snprintf(text, size, "%c(%s)", 'x' + largest, name);
    else if (model->space == RBV_PLANAR)
        snprintf(text, size, "angle(%s)", name);
    else
        snprintf(text, size, "a turn of %s about %c", name, 'x' + largest - 3);
}

/* Names the body that moves most, where no joint has a coordinate that moves. */
static void name_moving_body(Description *w) {
    const RbvBodyColumns *bodies = &w->balance->system->bodies;
    double most = 0;
    int32_t which = 0;
    if (!w->u)
        return;
    for (int32_t i = 1; i < bodies->count; i++) {
        RbvTwist twist = rbv_bodies_twist(bodies, i, w->u);
        double size = fmax(rbv_norm(twist.v), rbv_state_body_arm(w->balance->state, i) * rbv_norm(twist.w));
        bool equal = which > 0 && fabs(size - most) <= RBV_FITS * most;
        if (equal ? strcmp(w->balance->system->model->bodies.items[i].name,
                           w->balance->system->model->bodies.items[which].name) < 0
                  : size > most)
            most = fmax(size, most), which = i;
    }
    /* Part of the largest motion of a body: joint coordinates that move less do not count as moving. */
    if (most == 0 || w->largest > RBV_SAME * most)
        return;
    char text[300];
    name_motion(w->balance->system->model, which, rbv_bodies_twist(bodies, which, w->u),
                rbv_state_body_arm(w->balance->state, which), text, sizeof text);
    w->to->falls_by = keep_text(w, text);
}

static void describe_bodies(Description *w, RbvRecord *record) {
    const RbvModel *model = w->balance->system->model;
    bool spatial = model->space == RBV_SPATIAL;
    const int32_t components = spatial ? 3 : 2;
    const int32_t angles = spatial ? 4 : 1;
    int32_t at = 0;
    w->to->bodies = rbv_arena_alloc(w->arena, (size_t)model->bodies.count * sizeof *w->to->bodies);
    w->to->pose = rbv_arena_alloc(w->arena, 7 * (size_t)model->bodies.count * sizeof *w->to->pose);
    w->lost = w->lost || !w->to->bodies || !w->to->pose;
    w->to->body_count = w->lost ? 0 : model->bodies.count - 1;
    for (int32_t b = 1; !w->lost && b < model->bodies.count; b++) {
        int32_t count = components + (model->bodies.items[b].particle ? 0 : angles);
        w->to->bodies[b - 1] = (RbvEntry){.name = keep_text(w, model->bodies.items[b].name),
                                          .kind = "",
                                          .first = at,
                                          .count = count,
                                          .components = components,
                                          .resultant = -1,
                                          .power = -1};
        at += count;
    }
    if (!w->lost)
        rbv_record_poses(record, w->balance->state, w->to->pose);
}

/* Names the closed supports. */
static void describe_supports(Description *w, const RbvSupports *s) {
    w->to->pressed = rbv_arena_alloc(w->arena, ((size_t)s->contacts.count + 1) * sizeof *w->to->pressed);
    w->lost = w->lost || !w->to->pressed;
    for (int32_t k = 0; !w->lost && k < s->contacts.count; k++) {
        bool again = w->to->pressed_count > 0 && strcmp(w->to->pressed[w->to->pressed_count - 1],
                                                        s->contacts.items[k].name) == 0; /* both sides of a stop */
        if (s->closed[k] && !again)
            w->to->pressed[w->to->pressed_count++] = keep_text(w, s->contacts.items[k].name);
    }
}

bool rbv_equilibrium_describe(RbvRecord *record, const RbvEquilibriumSearch *search, const RbvStability *stability,
                              const double *motion, const char *method, RbvEquilibrium *to) {
    RbvBalance *b = search->balance;
    bool penalty = search->coefficient > 0,
         moves = motion || stability->kind == RBV_NEUTRAL || stability->kind == RBV_UNSTABLE;
    *to = (RbvEquilibrium){.found = true,
                           .method = method,
                           .stability = rbv_stability_name(stability),
                           .energy = b->V,
                           .curvature = stability->curvature,
                           .flutter = stability->flutter > 0,
                           .iterations = search->steps,
                           .rounds = search->rounds,
                           .penalty = penalty ? search->coefficient : NAN,
                           .penalty_error = penalty ? search->position_error : NAN,
                           .penalty_force_error = penalty ? search->force_error : NAN};
    Description w = {.arena = &record->result->arena, .to = to, .balance = b};
    for (int32_t j = 0; j < b->n; j++)
        search->y[j] = b->scale[j] * (motion ? motion[j] : stability->direction[j]);
    w.u = moves ? search->y : NULL;
    describe_coordinates(&w);
    name_moving_body(&w);
    describe_bodies(&w, record);
    if (search->supports)
        describe_supports(&w, search->supports);
    if (!w.lost && stability->kind == RBV_STABLE && !stability->open &&
        !rbv_has_locked_rows(b)) /* the stiffness of locked rows is not in K */
        w.lost = !describe_compliance(&w, b);
    free(w.measure);
    free(w.measured);
    return !w.lost;
}
