/* Bodies that rows constrain at points of one line only: their spin about that line is a freedom. Whether the spin is
 * idle; see rbv_compile_spins in builder.h and RbvLineSpin in system.h. */
#include "core/base/extremes.h"
#include "mechanics/system/builder.h"

#include "core/base/tolerances.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The line of a body, in body axes. */
typedef struct Line {
    int32_t body;
    RbvVec3 at, u;
    double length;
} Line;

/* True if the measure depends on the body on this side only through the position of its marker. */
static bool sees_point(const RbvMeasure *measure, int side) {
    RbvMeasureKind kind = measure->kind;
    bool second = kind == RBV_MEASURE_OFFSET || kind == RBV_MEASURE_TRACK || kind == RBV_MEASURE_REVOLVED;
    return kind == RBV_MEASURE_DISTANCE || (side == 1 && second);
}

static bool beside(const Line *line, RbvVec3 point) {
    RbvVec3 d = rbv_sub(point, line->at);
    /* Relative to the distance of the points, and to the trace of the tensor: tolerance for points beside the line and
     * for inertia that is not symmetric about it. Larger deviations would leave a torque about the line. */
    return rbv_norm(rbv_cross(line->u, d)) > RBV_SAME * rbv_max(line->length, rbv_norm(d));
}

/* What the rows use of each body. */
typedef struct Seen {
    bool axes;          /* rows depend on its orientation, or on points beside the line */
    int32_t first, far; /* two markers of the line; -1: none */
    Line line;
} Seen;

/* True if the row is one of a joint that makes both markers' points coincide. Such a row depends only on the position
 * of the first body's point, too, although it is written in that body's axes. */
static bool holds_point(const RbvModel *model, const RbvRow *row) {
    const uint8_t point = RBV_DIRECTION_X | RBV_DIRECTION_Y | RBV_DIRECTION_Z;
    return row->owner == RBV_OWNER_JOINT && row->direction >= 0 && row->direction < 3 &&
           (model->joints.items[row->index].locks & point) == point;
}

static void see_marker(const RbvModel *model, int32_t m, bool point_only, Seen *seen) {
    Seen *body = &seen[model->markers.items[m].body];
    body->axes = body->axes || !point_only;
    if (body->first < 0)
        body->first = m;
    RbvVec3 from = model->markers.items[body->first].at;
    double most = body->far < 0 ? 0 : rbv_norm(rbv_sub(model->markers.items[body->far].at, from));
    if (rbv_norm(rbv_sub(model->markers.items[m].at, from)) > most)
        body->far = m;
}

/* Collects the points that rows use of each body: two that are far apart. */
static void see_points(const RbvBuilder *builder, Seen *seen) {
    const RbvModel *model = builder->model;
    for (int32_t k = 0; k < builder->row_count; k++) {
        const RbvRow *row = &builder->rows[k];
        for (int32_t n = row->first; n < row->first + row->count; n++) {
            const RbvMeasure *measure = &model->measures.items[builder->terms[n].measure];
            for (int side = 0; side < 2; side++)
                see_marker(model, measure->marker[side], sees_point(measure, side) || holds_point(model, row), seen);
            /* Rows depend on the axes of the carrier. */
            if (measure->kind == RBV_MEASURE_MESH || measure->kind == RBV_MEASURE_TOOTH)
                seen[model->markers.items[model->meshes.items[measure->axis].seat[0]].body].axes = true;
        }
    }
}

/* Marks bodies whose other points are not on the line of these two. */
static void see_lines(const RbvBuilder *builder, Seen *seen) {
    const RbvModel *model = builder->model;
    for (int32_t b = 1; b < model->bodies.count; b++) {
        if (seen[b].far < 0)
            continue;
        RbvVec3 at = model->markers.items[seen[b].first].at, d = rbv_sub(model->markers.items[seen[b].far].at, at);
        seen[b].line = (Line){b, at, rbv_scale(1 / rbv_norm(d), d), rbv_norm(d)};
    }
    for (int32_t n = 0; n < builder->term_count; n++)
        for (int side = 0; side < 2; side++) {
            const RbvMarker *marker =
                &model->markers.items[model->measures.items[builder->terms[n].measure].marker[side]];
            Seen *body = &seen[marker->body];
            body->axes = body->axes || (body->far >= 0 && beside(&body->line, marker->at));
        }
}

/* True if the measure depends on the spin of the line's body. Axes along the line do not turn with the spin. */
static bool measure_sees(const RbvModel *model, int32_t index, const Line *line) {
    const RbvMeasure *measure = &model->measures.items[index];
    for (int side = 0; side < 2; side++) {
        const RbvMarker *marker = &model->markers.items[measure->marker[side]];
        if (marker->body != line->body)
            continue;
        if (sees_point(measure, side)) {
            if (beside(line, marker->at))
                return true;
            continue;
        }
        RbvVec3 axis = rbv_marker_axes(marker)->A.column[side ? measure->axis % 3 : measure->axis / 3 % 3];
        if (measure->kind != RBV_MEASURE_DOT || rbv_norm(rbv_cross(axis, line->u)) > RBV_SAME)
            return true;
    }
    return false;
}

static bool expression_sees(const RbvModel *model, const RbvExpr *expr, const Line *line) {
    for (int32_t v = 0; expr && v < rbv_expr_variable_count(expr); v++) {
        const RbvVariable *variable = &model->variables.items[rbv_expr_variable(expr, v)];
        if (variable->kind == RBV_VARIABLE_COORDINATE && measure_sees(model, variable->index, line))
            return true;
    }
    return false;
}

static bool coordinate_sees(const RbvModel *model, const RbvCoordinateRef *of, const Line *line) {
    const RbvExpr *value = rbv_coordinate_value(model, of);
    return value ? expression_sees(model, value, line) : measure_sees(model, of->measure, line);
}

/* True if J = a u u^T + b (1 - u u^T); *a is a. */
static bool is_symmetric(const RbvBody *body, RbvVec3 u, double *a) {
    const double *I = body->inertia;
    double trace = fabs(I[0]) + fabs(I[1]) + fabs(I[2]);
    RbvMat3 one = rbv_mat3_about_z(0);
    RbvVec3 Ju = rbv_body_momentum(body, &one, u), e = fabs(u.x) < 0.6 ? rbv_vec3(1, 0, 0) : rbv_vec3(0, 1, 0);
    e = rbv_cross(u, e);
    e = rbv_scale(1 / rbv_norm(e), e);
    RbvVec3 f = rbv_cross(u, e), Je = rbv_body_momentum(body, &one, e), Jf = rbv_body_momentum(body, &one, f);
    *a = rbv_dot(u, Ju);
    double off = rbv_max(rbv_max(fabs(rbv_dot(e, Ju)), fabs(rbv_dot(f, Ju))),
                         rbv_max(fabs(rbv_dot(e, Jf)), fabs(rbv_dot(e, Je) - rbv_dot(f, Jf))));
    return off <= RBV_SAME * trace;
}

static RbvSpinSeen load_sees(const RbvModel *model, const RbvLoad *load, const Line *line, bool turns) {
    const RbvMarker *at = &model->markers.items[load->marker[0]];
    bool here = at->body == line->body;
    if (load->kind == RBV_LOAD_ROTATING_FRAME)
        return turns ? RBV_SPIN_LOAD : RBV_SPIN_IDLE;
    const RbvLoadRow *kind = rbv_load_row(load->kind);
    if (kind->applied && here && (kind->torque || load->body_frame || beside(line, at->at)))
        return RBV_SPIN_LOAD;
    for (int32_t n = 0; n < load->measure_count; n++)
        if (measure_sees(model, load->measure[n], line))
            return RBV_SPIN_LOAD;
    for (int part = 0; part < 3; part++)
        if (expression_sees(model, load->value[part], line))
            return RBV_SPIN_LOAD;
    return RBV_SPIN_IDLE;
}

/* Finds the first load, nonideal force, output or initial rate that depends on the spin; *by is its name. */
static RbvSpinSeen others_see(const RbvModel *model, const Line *line, bool turns, const char **by) {
    for (int32_t k = 0; k < model->loads.count; k++)
        if (load_sees(model, &model->loads.items[k], line, turns) != RBV_SPIN_IDLE) {
            const RbvLoad *load = &model->loads.items[k];
            *by = load->name ? load->name : model->joints.items[load->joint].name;
            return load->name ? RBV_SPIN_LOAD : RBV_SPIN_DAMPING;
        }
    for (int32_t k = 0; k < model->nonideals.count; k++) {
        const RbvNonideal *nonideal = &model->nonideals.items[k];
        if (!measure_sees(model, nonideal->measure, line) && !expression_sees(model, nonideal->force, line))
            continue;
        *by = model->constraints.items[nonideal->constraint].name;
        return RBV_SPIN_LOAD;
    }
    for (int32_t k = 0; k < model->outputs.count; k++)
        if (expression_sees(model, model->outputs.items[k].value, line)) {
            *by = model->outputs.items[k].name;
            return RBV_SPIN_OUTPUT;
        }
    for (int32_t k = 0; k < model->initial.count; k++)
        if (model->initial.items[k].of.rate == 1 && coordinate_sees(model, &model->initial.items[k].of, line)) {
            *by = model->initial.items[k].coordinate;
            return RBV_SPIN_INITIAL;
        }
    return RBV_SPIN_IDLE;
}

static RbvSpinSeen verify(const RbvModel *model, const Line *line, const char **by) {
    const RbvBody *body = &model->bodies.items[line->body];
    double a = 0;
    if (body->mass > 0 && beside(line, body->centroid))
        return RBV_SPIN_CENTROID;
    if (!is_symmetric(body, line->u, &a))
        return RBV_SPIN_INERTIA;
    double trace = fabs(body->inertia[0]) + fabs(body->inertia[1]) + fabs(body->inertia[2]);
    return others_see(model, line, a > RBV_SAME * trace, by);
}

/* Inertia [kg m^2] used for an idle spin whose own inertia is too small to divide by; 0: the own inertia suffices.
 * Forces on points of the line have no moment about it, so u.w' = 0 whatever this value is: no motion and no reaction
 * depends on it. For a rod with inertia across the line: that inertia. For a rod with its mass in one point: its mass
 * times length^2; for a rod without mass: the mean mass of all bodies times length^2. */
static double standing_in(const RbvModel *model, const Line *line) {
    const RbvBody *body = &model->bodies.items[line->body];
    double about = 0, mass = body->mass,
           trace = fabs(body->inertia[0]) + fabs(body->inertia[1]) + fabs(body->inertia[2]);
    is_symmetric(body, line->u, &about);
    double across = 0.5 * (trace - about);
    /* Relative to the inertia across the line: if the inertia about the line is smaller, the spin is given the inertia
     * of standing_in. */
    if (about > RBV_LEAST_SCALE * across)
        return 0;
    for (int32_t b = 1; body->mass <= 0 && b < model->bodies.count; b++)
        mass += model->bodies.items[b].mass / model->bodies.count;
    if (across > 0)
        return across;
    return mass > 0 ? mass * line->length * line->length : 1;
}

/* A spherical joint of the body, or -1. */
static int32_t find_ball(const RbvModel *model, int32_t body) {
    for (int32_t k = 0; k < model->joints.count; k++) {
        const RbvJoint *joint = &model->joints.items[k];
        bool point =
            joint->extra == RBV_EXTRA_NONE && joint->locks == (RBV_DIRECTION_X | RBV_DIRECTION_Y | RBV_DIRECTION_Z);
        if (point && (model->markers.items[joint->marker[0]].body == body ||
                      model->markers.items[joint->marker[1]].body == body))
            return k;
    }
    return -1;
}

/* Describes the line as "from A to B" if the markers have two different names. */
static void describe_line(const RbvModel *model, const RbvLineSpin *spin, char *text, size_t size) {
    const char *first = model->markers.items[spin->marker[0]].name,
               *second = model->markers.items[spin->marker[1]].name;
    if (strcmp(first, second) == 0)
        snprintf(text, size, "'%s' about its own line", model->bodies.items[spin->body].name);
    else
        snprintf(text, size, "'%s' about its own line, from %s to %s,", model->bodies.items[spin->body].name, first,
                 second);
}

/* Appends the row u.w = 0 of an idle spin. */
static bool append_spin_row(RbvBuilder *builder, int32_t index) {
    RbvModel *model = builder->model;
    RbvLineSpin *spin = &builder->system->spins[index];
    int32_t measure = rbv_model_measure(model, RBV_MEASURE_SPIN, spin->marker[0], spin->marker[1], 6);
    RbvRow *row = measure < 0 ? NULL : rbv_builder_row(builder, RBV_OWNER_SPIN, index);
    if (!row)
        return false;
    row->on_rates = true;
    rbv_builder_term(builder, measure, 1);
    spin->row = builder->row_count - 1;
    builder->system->idle_count++;
    char line[400];
    describe_line(model, spin, line, sizeof line);
    rbv_model_note(
        model, builder->diagnostics, model->bodies.items[spin->body].where,
        "the spin of %s is idle: nothing sees it, no force hangs on it; it is counted as a freedom, and held", line);
    return true;
}

static RbvLineSpin spin_of(const RbvModel *model, const Seen *seen) {
    RbvLineSpin spin = {.body = seen->line.body,
                        .marker = {seen->first, seen->far},
                        .ball = find_ball(model, seen->line.body),
                        .row = -1,
                        .by = ""};
    spin.seen = verify(model, &seen->line, &spin.by);
    spin.stands_in = spin.seen == RBV_SPIN_IDLE ? standing_in(model, &seen->line) : 0;
    return spin;
}

static bool add_spin(RbvBuilder *builder, const Seen *seen) {
    RbvSystem *system = builder->system;
    RbvLineSpin *spin = &system->spins[system->spin_count++];
    *spin = spin_of(builder->model, seen);
    return spin->seen != RBV_SPIN_IDLE || append_spin_row(builder, system->spin_count - 1);
}

static size_t spatial_bodies(const RbvModel *model) {
    return model->space == RBV_SPATIAL ? (size_t)model->bodies.count : 0;
}

/* What the rows use of all bodies; to be freed with free(). NULL if out of memory. */
static Seen *see(const RbvBuilder *builder) {
    size_t bodies = spatial_bodies(builder->model);
    Seen *seen = malloc((bodies + 1) * sizeof *seen);
    for (size_t b = 0; seen && b < bodies; b++)
        seen[b] = (Seen){.first = -1, .far = -1};
    if (seen && bodies > 0) {
        see_points(builder, seen);
        see_lines(builder, seen);
    }
    return seen;
}

static bool spins(const RbvModel *model, const Seen *seen, size_t b) {
    return !seen[b].axes && !model->bodies.items[b].particle && seen[b].far >= 0;
}

void rbv_compile_spins(RbvBuilder *builder) {
    RbvSystem *system = builder->system;
    size_t bodies = spatial_bodies(builder->model);
    Seen *seen = see(builder);
    system->spins = rbv_arena_alloc(&system->arena, (bodies + 1) * sizeof *system->spins);
    bool good = seen && system->spins;
    for (size_t b = 1; good && b < bodies; b++)
        good = !spins(builder->model, seen, b) || add_spin(builder, &seen[b]);
    builder->no_memory = builder->no_memory || !good;
    free(seen);
}

bool rbv_compile_spins_again(RbvBuilder *builder, RbvLineSpin *out) {
    const RbvSystem *system = builder->system;
    size_t bodies = spatial_bodies(builder->model);
    int32_t count = 0;
    Seen *seen = bodies > 0 ? see(builder) : NULL;
    bool same = true;
    builder->no_memory = builder->no_memory || (bodies > 0 && !seen);
    for (size_t b = 1; seen && same && b < bodies; b++) {
        if (!spins(builder->model, seen, b))
            continue;
        same = count < system->spin_count && system->spins[count].body == (int32_t)b;
        if (!same)
            break;
        const RbvLineSpin *before = &system->spins[count];
        out[count] = spin_of(builder->model, &seen[b]);
        same = (out[count].seen == RBV_SPIN_IDLE) == (before->row >= 0);
        out[count].row = before->row;
        memcpy(out[count].marker, before->marker,
               sizeof before->marker); /* any two points of the line would do; the row has these */
        count++;
    }
    free(seen);
    return same && !builder->no_memory && count == system->spin_count;
}

void rbv_spin_describe(const RbvSystem *system, const RbvLineSpin *spin, char *text, size_t size) {
    static const char *const why[] = {
        [RBV_SPIN_IDLE] = "nothing sees it",
        [RBV_SPIN_CENTROID] = "its centroid lies beside the line",
        [RBV_SPIN_INERTIA] = "its inertia is not symmetric about the line",
        [RBV_SPIN_LOAD] = "load '",
        [RBV_SPIN_DAMPING] = "the damping of joint '",
        [RBV_SPIN_OUTPUT] = "output '",
        [RBV_SPIN_INITIAL] = "initial condition '",
    };
    const RbvModel *model = system->model;
    char line[400], mend[200] = "a universal joint at one end would hold it";
    describe_line(model, spin, line, sizeof line);
    if (spin->ball >= 0)
        snprintf(mend, sizeof mend, "joint '%s' as a universal joint would hold it",
                 model->joints.items[spin->ball].name);
    snprintf(text, size, "the spin of %s is free and not idle, since %s%s%s; %s", line, why[spin->seen], spin->by,
             spin->seen < RBV_SPIN_LOAD      ? ""
             : spin->seen < RBV_SPIN_OUTPUT  ? "' acts on it"
             : spin->seen == RBV_SPIN_OUTPUT ? "' sees it"
                                             : "' gives it",
             mend);
}
