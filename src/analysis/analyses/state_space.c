/* Inputs, outputs and their matrices; see modes.h.
 *
 * A and B come from the linearised motion (dynamics/vibration/linear_motion.c): for each state, and for a unit of each
 * input, the changes xi of positions and own states, dv of velocities, da of accelerations, dl of multipliers and ds of
 * the forces s of sliding friction. Outputs y are columns of a sample; along each of those changes they are
 * differentiated by differences of order 8, as the matrices are: C_k = dy/dh at (q + h xi_k, v + h dv_k, a + h da_k,
 * lambda + h dl_k, s + h ds_k),   D_k: the same with da, dl, ds of a unit of input k
 */
#include "analysis/analyses/modes.h"

#include "core/base/diagnostics.h"
#include "core/base/extremes.h"
#include "dynamics/vibration/linearisation.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Steps of the differences, as in linear_motion.c. */
#define STEP 2e-3
#define SPEED_STEP 1e-3
#define SPEED_PART 1e-2

/* An input: component `part` of a load, or the effort of a drive. */
typedef struct Input {
    int32_t drive, load, part; /* drive -1: the input is a load */
} Input;

/* A direction of differentiation: displacement of positions in v, followed by own states; changes of v, v', multipliers
 * and friction; NULL: none. */
typedef struct Direction {
    const double *places, *rates, *gains, *multipliers, *friction;
    int32_t stride; /* stride of `places` */
} Direction;

typedef struct Space {
    RbvArena arena; /* owns the arrays */
    RbvSpaceTask *task;
    RbvState *state;
    RbvSliding *sliding; /* the caller's friction, or NULL */
    double *frictions;   /* [friction contacts] friction forces at the state [N] */
    RbvLinear linear;
    RbvLinearSpace motions;
    RbvReactions *reactions;
    RbvRecord *record; /* record of one sample */
    Input *input;      /* [inputs] */
    int32_t *column;   /* [outputs] column of the record */
    int32_t outputs;
    double *force;              /* [inputs][n] generalized force of a unit of each input */
    double *q, *v, *own, *work; /* numbers of the state; work: [n] scratch */
    Direction direction;        /* direction of the present sweep, */
    bool sweeps;                /* while a sweep runs */
    double *value;              /* [outputs] values of the present evaluation */
} Space;

static bool no_input(const RbvSpaceTask *task, const char *name, const char *why) {
    rbv_diagnose(task->diagnostics, RBV_ERROR, task->system->model->file, (RbvPosition){0, 0}, "'%s' is no input: %s",
                 name, why);
    return false;
}

/* Find the load called name, "pull" or "pull.Fx", and its component. False: none, reported. */
static bool find_load(const RbvSpaceTask *task, const char *name, Input *input) {
    const RbvModel *model = task->system->model;
    size_t length = strcspn(name, ".");
    for (int32_t k = 0; k < model->loads.count; k++) {
        const RbvLoad *load = &model->loads.items[k];
        const RbvLoadColumns *columns = rbv_load_columns(load->kind, model->space == RBV_SPATIAL);
        char why[300];
        if (!load->name || strncmp(load->name, name, length) != 0 || load->name[length] != '\0')
            continue;
        bool law = rbv_load_row(load->kind)->law, acts = law || rbv_load_row(load->kind)->applied;
        int part = name[length] ? rbv_load_part_find(load->kind, model->space == RBV_SPATIAL, name + length + 1)
                   : columns->count == 1 ? 0
                                         : -1;
        snprintf(why, sizeof why,
                 acts ? "load '%s' has %d components; write %s.%s"
                      : "load '%s' is none of a force, torque, spring, torsion-spring",
                 load->name, columns->count, load->name, columns->part[0].name);
        if (!acts || part < 0)
            return no_input(task, name, why);
        *input = (Input){-1, k, part};
        return true;
    }
    return no_input(task, name, "there is no drive and no load of that name");
}

static bool find_input(const RbvSpaceTask *task, const char *name, Input *input) {
    const RbvModel *model = task->system->model;
    size_t length = strcspn(name, ".");
    for (int32_t k = 0; k < model->drives.count; k++)
        if (strncmp(model->drives.items[k].name, name, length) == 0 && model->drives.items[k].name[length] == '\0' &&
            (!name[length] || strcmp(name + length, ".effort") == 0)) {
            *input = (Input){k, -1, 0};
            return true;
        }
    return find_load(task, name, input);
}

RbvStatus rbv_space_open(RbvSpaceTask *task, const RbvSystem *system, const RbvOptions *options,
                         RbvDiagnostics *diagnostics) {
    *task = (RbvSpaceTask){.system = system, .options = options, .diagnostics = diagnostics};
    task->released = calloc((size_t)system->satisfied_count + 1, sizeof *task->released);
    RbvStatus status = task->released ? RBV_OK : RBV_NO_MEMORY;
    for (int32_t k = 0; task->released && k < options->modes.input_count; k++) {
        Input input = {-1, -1, 0};
        if (!find_input(task, options->modes.inputs[k], &input))
            status = RBV_BAD_INPUT;
        else if (input.drive >= 0)
            task->any = task->released[system->drive_row[input.drive]] = true;
    }
    return status;
}

void rbv_space_destroy(RbvSpaceTask *task) {
    free(task->released);
    task->released = NULL;
}

/* Wrenches of one unit of an input: of a force or torque along its axes, of a spring in tension. */
static void push_load(const RbvState *state, const Input *input, RbvWrench *wrenches) {
    const RbvLoad *load = &state->system->model->loads.items[input->load];
    RbvConfiguration now = rbv_state_configuration(state);
    if (rbv_load_row(load->kind)->law) {
        rbv_push_measure(&now, wrenches, load->measure[0], -1);
        return;
    }
    const RbvMarkerState *marker = &state->markers[load->marker[0]];
    bool torque = rbv_load_row(load->kind)->torque;
    RbvVec3 unit = rbv_axis(torque && state->system->model->space == RBV_PLANAR ? 2 : input->part), zero = {0, 0, 0};
    if (load->body_frame)
        unit = rbv_apply(&state->bodies[marker->body].A, unit);
    rbv_push_body(wrenches, marker->body, torque ? (RbvWrench){zero, unit} : rbv_wrench_at(marker->arm, unit, zero));
}

/* Generalized forces of a unit of each input. False: no memory. */
static bool take_forces(Space *s) {
    const RbvSystem *system = s->task->system;
    const RbvRowPattern *C = &system->C;
    int32_t n = system->coordinates.size, inputs = s->task->options->modes.input_count;
    RbvWrench *wrenches = malloc(((size_t)system->bodies.count + 1) * sizeof *wrenches);
    for (int32_t k = 0; wrenches && k < inputs; k++) {
        double *force = s->force + (size_t)k * (size_t)n;
        find_input(s->task, s->task->options->modes.inputs[k], &s->input[k]);
        int32_t row = s->input[k].drive >= 0 ? system->drive_row[s->input[k].drive] : -1;
        for (int32_t e = row < 0 ? 0 : C->start[row]; row >= 0 && e < C->start[row + 1]; e++)
            force[C->column[e]] += s->state->C[e];
        if (row >= 0)
            continue;
        memset(wrenches, 0, (size_t)system->bodies.count * sizeof *wrenches);
        push_load(s->state, &s->input[k], wrenches);
        rbv_coordinates_generalized_forces(&system->coordinates, rbv_state_at(s->state), wrenches, force);
    }
    free(wrenches);
    return wrenches != NULL;
}

/* ---- outputs ---- */

/* The column of that name, or the effort of a drive, or the only column of a load; -1: none. */
static int32_t find_column(const RbvResult *result, const char *name) {
    char text[RBV_NAME_SIZE];
    static const char *const parts[] = {"effort", "force", "torque", "energy"};
    int32_t column = rbv_result_find(result, name);
    for (size_t k = 0; column < 0 && k < sizeof parts / sizeof parts[0]; k++) {
        snprintf(text, sizeof text, "%.500s.%s", name, parts[k]);
        column = rbv_result_find(result, text);
    }
    return column;
}

static bool no_output(const Space *s, const char *name, const char *why) {
    rbv_diagnose(s->task->diagnostics, RBV_ERROR, s->task->system->model->file, (RbvPosition){0, 0},
                 "'%s' is no output: %s", name, why);
    return false;
}

/* Report reactions that are not unique, and so do not follow from the motion; and reactions at wheels that teeth push
 * apart, which do not follow from it alone. False: reported. */
static bool is_determined(const Space *s, const char *name, int32_t column, bool redundant) {
    const RbvResult *result = s->record->result;
    bool effort =
        strchr(result->columns[column].name, '.') && strcmp(strchr(result->columns[column].name, '.'), ".effort") == 0;
    if (!result->columns[column].has_verdict)
        return true;
    if (redundant)
        return no_output(
            s, name, "the mechanism is redundant, and what is not unique has no matrix; take coordinates and loads");
    return effort || !s->reactions->has_line ||
           no_output(
               s, name,
               "reactions where teeth or belts press their wheels apart are not among the outputs of this version");
}

static bool take_outputs(Space *s, bool redundant) {
    const RbvOptions *options = s->task->options;
    const RbvResult *result = s->record->result;
    bool good = true;
    for (int32_t k = 0; k < s->outputs; k++) {
        const char *name = options->modes.output_count > 0 ? options->modes.outputs[k] : result->outputs.items[k].name;
        s->column[k] = find_column(result, name);
        if (s->column[k] >= 1) {
            good = is_determined(s, name, s->column[k], redundant) && good;
            continue;
        }
        const char **names = malloc(((size_t)result->column_count + 1) * sizeof *names);
        for (int32_t c = 0; names && c < result->column_count; c++)
            names[c] = result->columns[c].name;
        const char *near = names ? rbv_nearest_word(name, result->column_count, names) : NULL;
        rbv_diagnose(s->task->diagnostics, RBV_ERROR, s->task->system->model->file, (RbvPosition){0, 0},
                     near ? "'%s' is no output: there is no such column; did you mean '%s'?"
                          : "'%s' is no output: there is no such column",
                     name, near);
        good = false;
        free(names);
    }
    return good;
}

/* Friction forces from multipliers of the sample, moved by h along the direction; friction with its own effort too. */
static void place_friction(Space *s, const Direction *direction, double h) {
    RbvSliding *sliding = s->sliding;
    if (!sliding)
        return;
    for (int32_t i = 0; i < sliding->count; i++) {
        sliding->force[i] = s->frictions[i] + (direction->friction ? h * direction->friction[i] : 0);
        if (sliding->slides[i])
            rbv_sliding_find_direction(sliding, i);
    }
    rbv_sliding_take_efforts(sliding, s->reactions->lambda);
    rbv_sliding_place_own(sliding, s->reactions);
}

/* The outputs at the state displaced by h along the direction, into value[outputs]. */
static RbvStatus evaluate(Space *s, const Direction *direction, double h) {
    RbvState *state = s->state;
    const RbvLinear *l = &s->linear;
    const RbvSystem *system = state->system;
    char why[256];
    memcpy(state->q, s->q, (size_t)system->coordinates.position_size * sizeof *state->q);
    for (int32_t j = 0; j < l->n; j++) {
        s->work[j] = direction->places ? h * direction->places[(size_t)j * (size_t)direction->stride] : 0;
        state->v[j] = s->v[j] + (direction->rates ? h * direction->rates[j] : 0);
        state->a[j] = l->a[j] + (direction->gains ? h * direction->gains[j] : 0);
    }
    for (int32_t k = 0; k < l->own; k++)
        state->own[k] =
            s->own[k] + (direction->places ? h * direction->places[(size_t)(l->n + k) * (size_t)direction->stride] : 0);
    rbv_coordinates_step(&system->coordinates, state->q, s->work);
    bool good = rbv_state_place(state);
    rbv_state_jacobian(state);
    good = good && rbv_state_masses(state) && rbv_state_rates(state) && rbv_state_move(state) && rbv_state_load(state);
    rbv_reactions_place(s->reactions, state);
    for (int32_t k = 0; k < system->row_count; k++)
        s->reactions->lambda[k] = l->lambda[k] + (direction->multipliers ? h * direction->multipliers[k] : 0);
    place_friction(s, direction, h);
    rbv_reactions_print(s->reactions, state);
    if (s->sliding)
        rbv_sliding_print(s->sliding, s->reactions);
    s->record->result->sample_count = 0;
    if (!good || !rbv_record_sample(s->record, state, s->reactions, why, sizeof why)) {
        if (!s->sweeps) /* in a sweep the step was too long */
            rbv_diagnose(s->task->diagnostics, RBV_ERROR, system->model->file, (RbvPosition){0, 0}, "%s",
                         good ? why : "forces or rows beside this state are not finite");
        return RBV_NOT_FINITE;
    }
    for (int32_t k = 0; k < s->outputs; k++)
        s->value[k] = rbv_result_value(s->record->result, 0, s->column[k]);
    return RBV_OK;
}

/* Step h along the direction: a part of the mechanism's size, or of its speed. */
static double step_of(const Space *s, const Direction *direction) {
    const RbvLinear *l = &s->linear;
    double places = 0, rates = 0, gains = 0, speed = 0;
    for (int32_t j = 0; j < l->n; j++) {
        places = rbv_max(places, direction->places
                                     ? fabs(direction->places[(size_t)j * (size_t)direction->stride] / l->scale[j])
                                     : 0);
        rates = rbv_max(rates, direction->rates ? fabs(direction->rates[j] / l->scale[j]) : 0);
        gains = rbv_max(gains, direction->gains ? fabs(direction->gains[j] / l->scale[j]) : 0);
        speed = rbv_max(speed, fabs(s->v[j] / l->scale[j]));
    }
    double h = INFINITY;
    if (places > 0)
        h = STEP * l->length / places;
    if (rates > 0)
        h = rbv_min(h, rbv_max(SPEED_STEP * l->length, SPEED_PART * speed) / rates);
    if (isfinite(h))
        return h;
    return gains > 0 ? l->length / gains : 1;
}

static RbvStatus evaluate_along(void *context, double h, double *value) {
    Space *s = context;
    RbvStatus status = evaluate(s, &s->direction, h);
    for (int32_t i = 0; status == RBV_OK && i < s->outputs; i++)
        value[i] = s->value[i];
    return status;
}

/* Column k of out[outputs][columns], by a sweep over own state number `own`. */
static RbvStatus differentiate_own(Space *s, const Direction *direction, int32_t own, double *out, int32_t columns,
                                   int32_t k) {
    double *column = calloc((size_t)s->outputs + 1, sizeof *column);
    s->direction = *direction;
    s->sweeps = true;
    RbvStatus status = column ? rbv_sweep(evaluate_along, s, s->own[own], s->outputs, column) : RBV_NO_MEMORY;
    s->sweeps = false;
    for (int32_t i = 0; status == RBV_OK && i < s->outputs; i++)
        out[(size_t)i * (size_t)columns + (size_t)k] = column[i];
    free(column);
    return status;
}

/* Column k of out[outputs][columns], by differences of order 8. */
static RbvStatus differentiate(Space *s, const Direction *direction, double *out, int32_t columns, int32_t k) {
    double h = step_of(s, direction);
    RbvStatus status = RBV_OK;
    for (int point = 1; point <= RBV_DIFFERENCE_POINTS; point++)
        for (int sign = -1; status == RBV_OK && sign <= 1; sign += 2) {
            status = evaluate(s, direction, sign * point * h);
            for (int32_t i = 0; i < s->outputs; i++)
                out[(size_t)i * (size_t)columns + (size_t)k] +=
                    sign * rbv_difference_weight[point - 1] / h * s->value[i];
        }
    return status;
}

/* C, D, and the values of outputs at the state. */
static RbvStatus take_matrices(Space *s, const RbvSignal *input, RbvSignal *output, double *C, double *D) {
    const RbvLinear *l = &s->linear;
    const RbvLinearSpace *m = &s->motions;
    const Direction none = {0};
    RbvStatus status = RBV_OK;
    size_t n = (size_t)l->n, rows = (size_t)l->rows, frictions = s->sliding ? (size_t)s->sliding->count : 0;
    for (int32_t k = 0; status == RBV_OK && k < l->size; k++) {
        Direction direction = {l->shape + k,
                               m->rate + (size_t)k * n,
                               m->gain + (size_t)k * n,
                               m->multiplier + (size_t)k * rows,
                               m->friction + (size_t)k * frictions,
                               l->size};
        status = m->place[k].own >= 0 ? differentiate_own(s, &direction, m->place[k].own, C, l->size, k)
                                      : differentiate(s, &direction, C, l->size, k);
    }
    for (int32_t k = 0; status == RBV_OK && k < m->inputs; k++) {
        double *multiplier = m->input_multiplier + (size_t)k * rows;
        if (s->input[k].drive >= 0) /* the drive carries the input */
            multiplier[s->task->system->drive_row[s->input[k].drive]] -= 1;
        Direction direction = {
            NULL, NULL, m->input_gain + (size_t)k * n, multiplier, m->input_friction + (size_t)k * frictions, 1};
        status = differentiate(s, &direction, D, m->inputs, k);
        for (int32_t i = 0; s->input[k].drive < 0 && i < s->outputs; i++) /* the input is part of the load */
            D[(size_t)i * (size_t)m->inputs + (size_t)k] += strcmp(output[i].name, input[k].name) == 0;
    }
    if (status == RBV_OK)
        status = evaluate(s, &none, 0);
    for (int32_t k = 0; status == RBV_OK && k < s->outputs; k++)
        output[k].at = s->value[k];
    return status;
}

/* ---- names ---- */

static bool name_generalized(RbvArena *arena, const RbvGeneralized *of, bool rate, RbvSignal *signal) {
    char text[RBV_NAME_SIZE + 2], unit[80];
    snprintf(text, sizeof text, "%s%s", of->name, rate ? "'" : "");
    snprintf(unit, sizeof unit, "%s%s", of->unit, of->unit[0] && rate ? "/s" : "");
    *signal = (RbvSignal){rbv_arena_copy(arena, text, strlen(text)), rbv_arena_copy(arena, unit, strlen(unit)), NAN};
    return signal->name && signal->unit;
}

/* "hinge.angle", "bob.x" or, where the centroid is not the origin of the frame, "bob.centroid.x"; with ' for rates.
 * False: no memory. */
static bool name_state(const Space *s, RbvArena *arena, const RbvLinearPlace *place, bool rate, RbvSignal *signal) {
    static const char *const plane[] = {"x", "y", "", "", "", "angle"}, *const space[] = {"x",  "y",  "z",
                                                                                          "rx", "ry", "rz"};
    const RbvSystem *system = s->task->system;
    const RbvModel *model = system->model;
    char text[2 * RBV_NAME_SIZE];
    bool turn = false;
    if (place->own >= 0) {
        const RbvOwnState *own = &model->states.items[place->own];
        *signal = (RbvSignal){rbv_arena_copy(arena, own->name, strlen(own->name)),
                              rbv_arena_copy(arena, own->unit, strlen(own->unit)), NAN};
        return signal->name && signal->unit;
    }
    if (place->joint >= 0) {
        const RbvJoint *joint = &model->joints.items[place->joint];
        turn = place->direction > 2;
        snprintf(text, sizeof text, "%s.%s%s", joint->name,
                 rbv_coordinate_name(rbv_joint_nature(joint->kind, joint->spatial), place->direction), rate ? "'" : "");
    } else {
        int32_t b = 1;
        while (place->column >= system->bodies.start[b + 1])
            b++;
        int direction = rbv_bodies_direction(&system->bodies, place->column - system->bodies.start[b]);
        const RbvBody *body = &model->bodies.items[b];
        if (body->generalized)
            return name_generalized(arena, &model->generalized.items[body->generalized - 1], rate, signal);
        turn = direction > 2;
        bool apart = !turn && rbv_norm(body->centroid) > 0;
        const char *const *names = system->bodies.spatial ? space : plane;
        snprintf(text, sizeof text, "%s.%s%s%s", body->name, apart ? "centroid." : "", names[direction],
                 rate ? "'" : "");
    }
    signal->name = rbv_arena_copy(arena, text, strlen(text));
    static const char *const units[2][2] = {{"m", "m/s"}, {"rad", "rad/s"}};
    signal->unit = units[turn][rate];
    signal->at = NAN;
    return signal->name != NULL;
}

static bool name_input(const Space *s, RbvArena *arena, const Input *input, RbvSignal *signal) {
    const RbvModel *model = s->task->system->model;
    char text[2 * RBV_NAME_SIZE];
    const char *unit;
    if (input->drive >= 0) {
        snprintf(text, sizeof text, "%s.effort", model->drives.items[input->drive].name);
        unit = model->drives.items[input->drive].unit;
    } else {
        const RbvLoad *load = &model->loads.items[input->load];
        const RbvLoadColumns *columns = rbv_load_columns(load->kind, model->space == RBV_SPATIAL);
        snprintf(text, sizeof text, "%s.%s", load->name, columns->part[input->part].name);
        unit = columns->part[input->part].unit;
    }
    signal->name = rbv_arena_copy(arena, text, strlen(text));
    signal->unit = rbv_arena_copy(arena, unit, strlen(unit));
    signal->at = NAN;
    return signal->name && signal->unit;
}

static bool name_output(const Space *s, RbvArena *arena, int32_t column, RbvSignal *signal) {
    const RbvColumn *from = &s->record->result->columns[column];
    signal->name = rbv_arena_copy(arena, from->name, strlen(from->name));
    signal->unit = rbv_arena_copy(arena, from->unit, strlen(from->unit));
    return signal->name && signal->unit;
}

/* Names of signals, A and B; memory for C and D, which take_matrices fills. */
static RbvStatus record_space(Space *s, RbvResult *result) {
    RbvArena *arena = &result->arena;
    const RbvLinear *l = &s->linear;
    size_t states = (size_t)l->size, inputs = (size_t)s->motions.inputs, outputs = (size_t)s->outputs;
    RbvSignal *state = rbv_arena_array(arena, states + 1, sizeof *state),
              *input = rbv_arena_array(arena, inputs + 1, sizeof *input),
              *output = rbv_arena_array(arena, outputs + 1, sizeof *output);
    double *A = rbv_arena_array(arena, states * states + 1, sizeof *A),
           *B = rbv_arena_array(arena, states * inputs + 1, sizeof *B);
    double *C = rbv_arena_array(arena, outputs * states + 1, sizeof *C),
           *D = rbv_arena_array(arena, outputs * inputs + 1, sizeof *D);
    bool good = state && input && output && A && B && C && D;
    for (size_t k = 0; good && k < states; k++)
        good = name_state(s, arena, &s->motions.place[k], (int32_t)k >= l->places, &state[k]);
    for (size_t k = 0; good && k < inputs; k++)
        good = name_input(s, arena, &s->input[k], &input[k]);
    for (size_t k = 0; good && k < outputs; k++)
        good = name_output(s, arena, s->column[k], &output[k]);
    if (!good)
        return RBV_NO_MEMORY;
    memcpy(A, l->A, states * states * sizeof *A);
    memcpy(B, s->motions.B, states * inputs * sizeof *B);
    RbvStatus status = take_matrices(s, input, output, C, D);
    result->oscillations.has_space = status == RBV_OK;
    result->oscillations.space =
        (RbvStateSpace){(int32_t)states, (int32_t)inputs, (int32_t)outputs, state, input, output, A, B, C, D};
    return status;
}

/* ---- the model ---- */

static bool allocate(Space *s) {
    const RbvSystem *system = s->task->system;
    const RbvOptions *options = s->task->options;
    size_t n = (size_t)system->coordinates.size, inputs = (size_t)options->modes.input_count;
    RbvRecordOptions what = {
        .analysis = "modes", .reactions = true, .series = true, .orders = 2, .stops = true, .states = true};
    s->outputs = options->modes.output_count > 0 ? options->modes.output_count : system->model->outputs.count;
    s->reactions = rbv_reactions_create(system, options->reactions.frame);
    s->record = s->reactions ? rbv_record_create(system, s->reactions, &what) : NULL;
    s->input = rbv_arena_array(&s->arena, inputs + 1, sizeof *s->input);
    s->force = rbv_arena_array(&s->arena, inputs * n + 1, sizeof *s->force);
    s->column = rbv_arena_array(&s->arena, (size_t)s->outputs + 1, sizeof *s->column);
    s->value = rbv_arena_array(&s->arena, (size_t)s->outputs + 1, sizeof *s->value);
    s->q = rbv_arena_array(&s->arena, (size_t)system->coordinates.position_size + 1, sizeof *s->q);
    s->v = rbv_arena_array(&s->arena, n + 1, sizeof *s->v);
    s->own = rbv_arena_array(&s->arena, (size_t)system->model->states.count + 1, sizeof *s->own);
    s->work = rbv_arena_array(&s->arena, n + 1, sizeof *s->work);
    s->frictions = rbv_arena_array(&s->arena, (size_t)system->friction_count + 1, sizeof *s->frictions);
    return s->frictions && s->own && s->record && s->input && s->force && s->column && s->value && s->q && s->v &&
           s->work && rbv_result_reserve(s->record->result, 1);
}

static RbvStatus fail_space(const Space *s, RbvStatus status, const char *text) {
    rbv_diagnose(s->task->diagnostics, RBV_ERROR, s->task->system->model->file, (RbvPosition){0, 0}, "%s", text);
    return status;
}

static RbvStatus linearise_space(Space *s, bool held) {
    RbvLinear *l = &s->linear;
    bool good = rbv_linear_create(l, s->state, s->sliding, held);
    for (int32_t i = 0; good && s->sliding && i < s->sliding->count; i++)
        s->frictions[i] = s->sliding->force[i];
    s->motions = (RbvLinearSpace){.inputs = s->task->options->modes.input_count, .force = s->force};
    l->space = &s->motions;
    if (good && s->task->any)
        good = rbv_linear_release(l, s->task->released);
    if (good && l->refusal)
        return fail_space(s, RBV_LOCKED, l->refusal);
    if (good && !rbv_linear_has_masses(l, &good) && good)
        return fail_space(
            s, RBV_LOCKED,
            "a motion that the joints leave free has no mass: there is no state-space model of places and rates");
    memcpy(s->q, s->state->q, (size_t)s->task->system->coordinates.position_size * sizeof *s->q);
    memcpy(s->v, s->state->v, (size_t)l->n * sizeof *s->v);
    memcpy(s->own, s->state->own, (size_t)l->own * sizeof *s->own);
    good = good && take_forces(s) && rbv_linear_in_motion(l);
    if (good)
        return RBV_OK;
    return l->refusal ? fail_space(s, RBV_LOCKED, l->refusal)
           : l->not_finite && !s->state->no_memory
               ? fail_space(s, RBV_NOT_FINITE, "forces or rows beside this state are not finite")
               : RBV_NO_MEMORY;
}

RbvStatus rbv_space_find(RbvSpaceTask *task, RbvState *state, RbvSliding *sliding, bool held, RbvResult *result) {
    Space s = {.task = task, .state = state, .sliding = sliding};
    RbvStatus status = allocate(&s) ? linearise_space(&s, held) : RBV_NO_MEMORY;
    if (status == RBV_OK && !take_outputs(&s, rbv_result_mobility(result).redundant > 0))
        status = RBV_BAD_INPUT;
    if (status == RBV_OK)
        status = record_space(&s, result);
    rbv_linear_space_destroy(&s.motions);
    rbv_linear_destroy(&s.linear);
    rbv_record_destroy(s.record);
    rbv_reactions_destroy(s.reactions);
    rbv_arena_clear(&s.arena);
    return status;
}
