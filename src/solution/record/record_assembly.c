/* Describes an assembled state in the user's terms: poses relative to the starting poses, coordinates and what
 * determines them, residuals. */
#include "solution/record/record.h"

#include "solution/assembly/assemble.h"
#include "solution/assembly/freedom.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Words {
    const RbvModel *model;
    const RbvSystem *system;
    RbvState *state;
    RbvResult *result;
    RbvAssembled *to;
    RbvNameTable completed, coordinates; /* names of completed freedoms and of coordinates in `to` */
    bool lost;                           /* no memory */
} Words;

static void *assembly_array(Words *w, size_t count, size_t size) {
    void *block = rbv_arena_alloc(&w->result->arena, (count + 1) * size);
    w->lost = w->lost || !block;
    return block;
}

static const char *keep_word(Words *w, const char *text, size_t length) {
    const char *fresh = rbv_arena_copy(&w->result->arena, text, length);
    w->lost = w->lost || !fresh;
    return fresh ? fresh : "";
}

static void assembled_bodies(Words *w, int32_t first) {
    const RbvBodyColumns *columns = &w->system->bodies;
    double *step = calloc((size_t)w->system->coordinates.size + 1, sizeof *step);
    RbvTwist *moved = calloc((size_t)columns->count, sizeof *moved);
    w->to->bodies = assembly_array(w, (size_t)columns->count, sizeof *w->to->bodies);
    w->lost = w->lost || !step || !moved;
    if (!w->lost) {
        rbv_coordinates_difference(&w->system->coordinates, w->system->start_q, w->state->q, step);
        rbv_coordinates_velocities(&w->system->coordinates, rbv_state_at(w->state), step, moved);
    }
    for (int32_t b = 1; !w->lost && b < columns->count; b++) {
        bool turns = rbv_bodies_turns(columns, b);
        const char *name = w->model->bodies.items[b].name;
        if (w->model->bodies.items[b].generalized)
            continue;
        w->to->bodies[w->to->body_count++] = (RbvPlacedBody){.name = keep_word(w, name, strlen(name)),
                                                             .first = first,
                                                             .spatial = columns->spatial,
                                                             .turns = turns,
                                                             .moved = rbv_norm(moved[b].v),
                                                             .turned = rbv_norm(moved[b].w)};
        static const int32_t widths[2][2] = {{4, 6}, {6, 13}}; /* [space][turns] */
        first += widths[columns->spatial][turns];
    }
    free(step);
    free(moved);
}

/* Splits a list of names: "O.angle, x(rod)". */
static void take_names(Words *w, const char *names, const char *tick) {
    for (const char *at = names; *at;) {
        size_t length = strcspn(at, ",");
        char name[RBV_NAME_SIZE];
        snprintf(name, sizeof name, "%.*s%s", (int)(length < 290 ? length : 290), at, tick);
        const char *kept = keep_word(w, name, strlen(name));
        w->lost = w->lost || !rbv_name_table_add(&w->completed, kept, w->to->completed_count);
        w->to->completed[w->to->completed_count++] = kept;
        at += length + strspn(at + length, ", ");
    }
}

/* Freedoms that neither rows nor initial conditions determine, of positions and of rates. */
static void completed(Words *w) {
    const RbvSystem *system = w->system;
    const size_t most = (size_t)w->system->bodies.size, size = 300 * most + 300;
    char *names = malloc(size);
    w->to->completed = assembly_array(w, 2 * most, sizeof *w->to->completed);
    w->to->named = true;
    w->lost = w->lost || !names;
    for (int rate = 0; !w->lost && rate < 2; rate++) {
        RbvFreedom *freedom = rbv_freedom_create(w->state, system->row_count, rate == 0);
        w->lost = !freedom;
        for (int32_t k = rate ? system->position_count : system->satisfied_count;
             freedom && k < (rate ? system->all_count : system->position_count); k++)
            rbv_freedom_take_row(freedom, w->state, k);
        bool named = freedom && rbv_freedom_complete(freedom, w->state, names, size) >= 0;
        w->lost = w->lost || rbv_freedom_lost(freedom);
        rbv_freedom_destroy(freedom);
        w->to->named = w->to->named && named;
        if (!w->lost && named)
            take_names(w, names, rate ? "'" : "");
    }
    free(names);
}

/* What determines the coordinate, or (rate) its rate? `of`: its prescription, NULL where the model has none. */
static const char *decided_by(const Words *w, const char *name, const RbvPrescribed *of, bool rate) {
    if (of && of->drive)
        return "drive";
    if (of && of->initial[rate])
        return "initial";
    char rate_name[RBV_NAME_SIZE + 2];
    snprintf(rate_name, sizeof rate_name, "%s%s", name, rate ? "'" : "");
    return rbv_name_table_find(&w->completed, rate_name) >= 0 ? "nearest" : "";
}

typedef struct Units {
    const char *value, *rate;
} Units;

static const Units of_angle = {"rad", "rad/s"}, of_length = {"m", "m/s"};

static Units units_of(Words *w, const RbvCoordinateRef *of) {
    RbvCoordinateRef rate = *of, value = *of;
    char text[64];
    Units units = rbv_coordinate_is_angle(w->model, of) ? of_angle : of_length;
    if (of->named < 0 && !rbv_measure_generalized(w->model, of->measure))
        return units;
    value.rate = 0;
    rate.rate = 1;
    rbv_exponents_si(rbv_coordinate_dimension(w->model, &value).exponents, text, sizeof text);
    units.value = keep_word(w, text, strlen(text));
    rbv_exponents_si(rbv_coordinate_dimension(w->model, &rate).exponents, text, sizeof text);
    units.rate =
        rbv_coordinate_dimension(w->model, &rate).bond == RBV_EXPR_BARE ? "" : keep_word(w, text, strlen(text));
    return units;
}

static void add_coordinate(Words *w, const char *name, const RbvPrescribed *of, Units units, double value,
                           double rate) {
    if (rbv_name_table_find(&w->coordinates, name) >= 0)
        return;
    char rate_name[RBV_NAME_SIZE + 2];
    snprintf(rate_name, sizeof rate_name, "%s'", name);
    w->to->coordinates[w->to->coordinate_count++] =
        (RbvCoordinateState){.name = keep_word(w, name, strlen(name)),
                             .rate_name = keep_word(w, rate_name, strlen(rate_name)),
                             .unit = units.value,
                             .rate_unit = units.rate,
                             .value = value,
                             .rate = rate,
                             .by = decided_by(w, name, of, false),
                             .rate_by = decided_by(w, name, of, true)};
    w->lost = w->lost || !rbv_name_table_add(&w->coordinates, w->to->coordinates[w->to->coordinate_count - 1].name,
                                             w->to->coordinate_count - 1);
}

/* A coordinate of a joint along a direction that the joint does not lock. */
static void joint_coordinate(Words *w, const RbvJoint *joint, int direction) {
    const RbvState *state = w->state;
    RbvMeasure measure = rbv_joint_coordinate(joint, direction);
    if (direction > 2 && joint->spatial && (joint->locks & RBV_DIRECTIONS_TURNS) == 0)
        measure.kind = RBV_MEASURE_ROTATION;
    int32_t known = rbv_model_find_measure(w->model, measure.kind, measure.marker[0], measure.marker[1], measure.axis);
    RbvMeasureMemory memory = known >= 0 ? state->memory[known] : rbv_measure_no_memory(measure.kind);
    RbvMeasureState measured;
    memset(&measured, 0, sizeof measured);
    rbv_measure_place(&measure, w->model, state->markers, &memory, &measured);
    rbv_measure_move(&measure, w->model, state->markers, state->twists, &measured);
    char name[RBV_NAME_SIZE];
    snprintf(name, sizeof name, "%s.%s", joint->name,
             rbv_coordinate_name(rbv_joint_nature(joint->kind, joint->spatial), direction));
    add_coordinate(w, name, known >= 0 ? &w->model->prescribed.items[known] : NULL,
                   direction > 2 ? of_angle : of_length, measured.value, measured.rate);
}

static bool turns(const Words *w, const RbvJoint *joint) {
    return !w->model->bodies.items[w->model->markers.items[joint->marker[0]].body].particle &&
           !w->model->bodies.items[w->model->markers.items[joint->marker[1]].body].particle;
}

/* A coordinate that the model names. */
static void other_coordinate(Words *w, const char *written, const RbvCoordinateRef *of) {
    char name[RBV_NAME_SIZE];
    double value, rate;
    snprintf(name, sizeof name, "%s", written);
    name[strcspn(name, "'")] = '\0';
    rbv_state_coordinate(w->state, of, &value, &rate);
    const RbvPrescribed *prescribed =
        of->named >= 0 ? &w->model->coordinates.items[of->named].prescribed : &w->model->prescribed.items[of->measure];
    add_coordinate(w, name, prescribed, units_of(w, of), value, rate);
}

/* Coordinates of joints along free directions, angles first, then those of drives and initial conditions, and named
 * ones. */
static void assembled_coordinates(Words *w) {
    const RbvModel *model = w->model;
    w->to->coordinates = assembly_array(w,
                                        6 * (size_t)model->joints.count + (size_t)model->drives.count +
                                            (size_t)model->initial.count + (size_t)model->coordinates.count,
                                        sizeof *w->to->coordinates);
    for (int32_t k = 0; !w->lost && k < model->joints.count; k++) {
        const RbvJoint *joint = &model->joints.items[k];
        for (int direction = 5; direction >= 0; direction--) {
            bool exists =
                (joint->spatial || RBV_DIRECTIONS_PLANAR >> direction & 1) && (direction < 3 || turns(w, joint));
            if (rbv_forms[joint->form].directions && exists && !(joint->locks >> direction & 1))
                joint_coordinate(w, joint, direction);
        }
    }
    for (int32_t k = 0; !w->lost && k < model->drives.count; k++)
        other_coordinate(w, model->drives.items[k].coordinate, &model->drives.items[k].of);
    for (int32_t k = 0; !w->lost && k < model->initial.count; k++)
        other_coordinate(w, model->initial.items[k].coordinate, &model->initial.items[k].of);
    for (int32_t k = 0; !w->lost && k < model->coordinates.count; k++) {
        const RbvNamedCoordinate *named = &model->coordinates.items[k];
        const RbvCoordinateRef of = {.measure = named->measure, .named = named->measure >= 0 ? -1 : k};
        other_coordinate(w, named->name, &of);
    }
}

static void residuals(Words *w) {
    static const char *const kinds[] = {"joint", "constraint", "drive", "initial", "", "stop", "joint"}; /* RbvOwner */
    RbvResidual *list = calloc((size_t)w->system->all_count + 1, sizeof *list);
    int32_t count = list ? rbv_residuals(w->state, true, list) : 0;
    w->to->residuals = assembly_array(w, (size_t)count, sizeof *w->to->residuals);
    w->lost = w->lost || !list;
    for (int32_t k = 0; !w->lost && k < count; k++) {
        w->to->residuals[w->to->residual_count++] = (RbvLeftOver){keep_word(w, list[k].name, strlen(list[k].name)),
                                                                  kinds[w->system->rows[list[k].row].owner],
                                                                  list[k].length,
                                                                  list[k].angle,
                                                                  list[k].length_rate,
                                                                  list[k].angle_rate};
    }
    free(list);
}

bool rbv_record_assembly(RbvRecord *record, RbvState *state, int32_t tries) {
    Words w = {.model = record->system->model,
               .system = record->system,
               .state = state,
               .result = record->result,
               .to = &record->result->assembled};
    *w.to = (RbvAssembled){.found = true, .tries = tries};
    assembled_bodies(&w, record->first_body);
    if (!w.lost)
        residuals(&w);
    if (!w.lost)
        completed(&w);
    if (!w.lost)
        assembled_coordinates(&w);
    rbv_name_table_clear(&w.completed);
    rbv_name_table_clear(&w.coordinates);
    return !w.lost;
}
