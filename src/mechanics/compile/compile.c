/* Compiles a model into a system: rows of constraints, drives, stops and initial conditions, the sparsity patterns of D
 * and C, coordinates, parts, and the markers and measures in use. */
#include "core/base/diagnostics.h"
#include "mechanics/forms/form.h"
#include "mechanics/system/builder.h"
#include "mechanics/system/friction_contacts.h"
#include "mechanics/system/system.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Finds the rows that coordinates keep by themselves, and the rows that depend only on relative motion of their bodies.
 */

/* True if the measure depends only on the relative position of its two bodies, neither being ground. */
static bool is_relative(const RbvModel *model, const RbvMeasure *measure) {
    int32_t a = model->markers.items[measure->marker[0]].body, b = model->markers.items[measure->marker[1]].body;
    if (a == 0 || b == 0 || a == b)
        return false;
    return measure->kind == RBV_MEASURE_OFFSET || measure->kind == RBV_MEASURE_ANGLE ||
           measure->kind == RBV_MEASURE_DISTANCE || measure->kind == RBV_MEASURE_ROTATION ||
           measure->kind == RBV_MEASURE_TILT || measure->kind == RBV_MEASURE_TWIST || measure->kind == RBV_MEASURE_DOT;
}

bool *rbv_system_relative_rows(const RbvSystem *system) {
    bool *relative = calloc((size_t)system->all_count + 1, sizeof *relative);
    for (int32_t k = 0; relative && k < system->all_count; k++) {
        relative[k] = true;
        for (int32_t n = 0; n < system->rows[k].count; n++)
            relative[k] = relative[k] &&
                          is_relative(system->model,
                                      &system->model->measures.items[system->terms[system->rows[k].first + n].measure]);
    }
    return relative;
}

bool *rbv_system_kept_rows(const RbvSystem *system, const RbvCoordinates *coordinates, RbvArena *arena) {
    bool *kept = rbv_arena_alloc(arena, (size_t)system->all_count + 1);
    for (int32_t k = system->row_count; kept && k < system->satisfied_count; k++)
        kept[k] = coordinates->keeps_spins;
    for (int32_t k = 0; kept && k < system->row_count; k++) {
        const RbvRow *row = &system->rows[k];
        uint8_t bit = (uint8_t)(row->direction >= 0 ? 1 << row->direction : RBV_KEPT_EXTRA);
        kept[k] = row->owner == RBV_OWNER_JOINT && coordinates->kept[row->index] & bit;
    }
    return kept;
}

/* Adds the variables of an equation as terms of its row; the value and the rate of one measure share a term. */
static void add_variables(RbvBuilder *builder, RbvRow *row, const RbvExpr *equation) {
    int32_t count = rbv_expr_variable_count(equation), terms = 0, first = row->first;
    RbvArena *arena = &builder->system->arena;
    int32_t *variable_term = rbv_arena_alloc(arena, (size_t)(count + 1) * sizeof *variable_term);
    bool *variable_rate = rbv_arena_alloc(arena, (size_t)(count + 1) * sizeof *variable_rate);
    row->variables = rbv_arena_alloc(arena, sizeof *row->variables);
    row->equation = equation;
    if (!variable_term || !variable_rate || !row->variables) {
        builder->no_memory = true;
        return;
    }
    *row->variables = (RbvRowVariables){variable_term, variable_rate};
    for (int32_t v = 0; v < count; v++) {
        RbvVariable variable = builder->model->variables.items[rbv_expr_variable(equation, v)];
        variable_term[v] = -1;
        if (variable.kind != RBV_VARIABLE_COORDINATE)
            continue;
        variable_rate[v] = variable.part == 1;
        for (int32_t n = 0; n < terms && variable_term[v] < 0; n++)
            if (builder->terms[first + n].measure == variable.index)
                variable_term[v] = n;
        if (variable_term[v] >= 0)
            continue;
        variable_term[v] = terms++;
        rbv_builder_term(builder, variable.index, 0);
        if (builder->no_memory)
            return;
    }
}

static void compile_constraint(RbvBuilder *builder, int32_t index) {
    const RbvConstraint *constraint = &builder->model->constraints.items[index];
    RbvRow *row = rbv_builder_row(builder, RBV_OWNER_CONSTRAINT, index);
    if (!row)
        return;
    row->on_rates = constraint->on_rates;
    add_variables(builder, row, constraint->equation);
}

/* Adds the coordinate of a drive, a stop or an initial condition to its row. */
static void add_coordinate(RbvBuilder *builder, RbvRow *row, const RbvCoordinateRef *of) {
    row->angular = rbv_coordinate_is_angle(builder->model, of);
    const RbvExpr *value = rbv_coordinate_value(builder->model, of);
    if (value)
        add_variables(builder, row, value);
    else
        rbv_builder_term(builder, of->measure, 1);
}

static void compile_drive(RbvBuilder *builder, int32_t index) {
    const RbvDrive *drive = &builder->model->drives.items[index];
    RbvRow *row = rbv_builder_row(builder, RBV_OWNER_DRIVE, index);
    if (!row)
        return;
    row->target = drive->motion;
    add_coordinate(builder, row, &drive->of);
}

/* One row for each finite limit of a stop. */
static void compile_stop(RbvBuilder *builder, int32_t index) {
    const RbvStop *stop = &builder->model->stops.items[index];
    for (int side = 0; side < 2; side++) {
        int32_t *at = &builder->system->stop_row[2 * index + side];
        *at = -1;
        if (!isfinite(stop->limit[side]))
            continue;
        *at = builder->row_count;
        RbvRow *row = rbv_builder_row(builder, RBV_OWNER_STOP, index);
        if (!row)
            return;
        row->constant = stop->limit[side];
        row->direction = (int8_t)side;
        add_coordinate(builder, row, &stop->of);
    }
}

/* Rows of initial conditions are used by assembly only: positions enter Phi, rates enter nu. */
static void compile_initial(RbvBuilder *builder, int32_t index) {
    const RbvInitial *initial = &builder->model->initial.items[index];
    RbvRow *row = rbv_builder_row(builder, RBV_OWNER_INITIAL, index);
    if (!row)
        return;
    row->constant = initial->of.rate == 0 ? initial->value : 0;
    add_coordinate(builder, row, &initial->of);
}

/* Pattern of D: the columns of each body of a row once, in the order of the row's terms. */
static bool compile_pattern(RbvBuilder *builder) {
    RbvSystem *system = builder->system;
    const RbvModel *model = builder->model;
    const RbvBodyColumns *bodies = &system->bodies;
    int32_t nonzeros = 0;
    for (int pass = 0; pass < 2; pass++) {
        if (pass == 1) {
            system->D.start =
                rbv_arena_alloc(&system->arena, ((size_t)system->all_count + 1) * sizeof *system->D.start);
            system->D.column = rbv_arena_alloc(&system->arena, ((size_t)nonzeros + 1) * sizeof *system->D.column);
            if (!system->D.start || !system->D.column)
                return false;
            nonzeros = 0;
        }
        for (int32_t k = 0; k < system->all_count; k++) {
            const RbvRow *row = &system->rows[k];
            int32_t begin = nonzeros;
            if (pass == 1)
                system->D.start[k] = begin;
            for (int32_t n = 0; n < 2 * row->count; n++) {
                RbvTerm *term = &system->terms[row->first + n / 2];
                int32_t body = model->markers.items[model->measures.items[term->measure].marker[n % 2]].body;
                int32_t slot = body == 0 ? -1 : nonzeros;
                for (int32_t earlier = 0; earlier < n && body != 0; earlier++) {
                    const RbvTerm *other = &system->terms[row->first + earlier / 2];
                    if (model->markers.items[model->measures.items[other->measure].marker[earlier % 2]].body == body) {
                        slot = other->slot[earlier % 2];
                        break;
                    }
                }
                term->slot[n % 2] = slot;
                if (slot != nonzeros)
                    continue;
                for (int32_t c = bodies->start[body]; c < bodies->start[body + 1]; c++) {
                    if (pass == 1)
                        system->D.column[nonzeros] = c;
                    nonzeros++;
                }
            }
        }
    }
    system->D.start[system->all_count] = nonzeros;
    system->D.count = system->all_count;
    return true;
}

static bool compile_places(RbvSystem *system) {
    system->start_q =
        rbv_arena_alloc(&system->arena, ((size_t)system->coordinates.position_size + 1) * sizeof *system->start_q);
    return system->start_q && rbv_coordinates_start(&system->coordinates, system->start_q);
}

/* Marks the markers that measures, loads and joints use, and ground's own axes. */
static void mark_used(const RbvModel *model, bool *used) {
    used[0] = true;
    for (int32_t m = 0; m < model->measures.count; m++)
        for (int side = 0; side < 2; side++)
            used[model->measures.items[m].marker[side]] = true;
    for (int32_t k = 0; k < model->loads.count; k++)
        for (int side = 0; side < 2; side++)
            used[model->loads.items[k].marker[side]] = true;
    for (int32_t k = 0; k < model->joints.count; k++)
        for (int side = 0; side < 2; side++) {
            const RbvMesh *mesh =
                model->joints.items[k].mesh >= 0 ? &model->meshes.items[model->joints.items[k].mesh] : NULL;
            used[model->joints.items[k].marker[side]] = true;
            if (rbv_forms[model->joints.items[k].form].rack)
                used[model->joints.items[k].rack] = true;
            if (mesh)
                used[mesh->seat[side]] = used[mesh->line[side]] = true;
        }
}

/* in_row[measures]: 1 if some row uses the measure, 2 if only unseen rows use it and nothing else does. */
static void mark_measures(const RbvSystem *system, uint8_t *in_row) {
    for (int32_t k = 0; k < system->all_count; k++)
        for (int32_t n = system->rows[k].first; n < system->rows[k].first + system->rows[k].count; n++) {
            int32_t m = system->terms[n].measure;
            bool unseen = system->unseen && k < system->satisfied_count && system->unseen[k] &&
                          system->model->prescribed.items[m].of_locks;
            in_row[m] = in_row[m] == 1 || !unseen ? 1 : 2;
        }
}

/* Lists the markers to be evaluated, and the measures: those of rows first, then those of unseen rows only, then
 * others. */
static bool compile_use(RbvSystem *system) {
    const RbvModel *model = system->model;
    size_t measures = (size_t)model->measures.count, markers = (size_t)model->markers.count;
    system->measure_order = rbv_arena_alloc(&system->arena, (measures + 1) * sizeof(int32_t));
    system->used_marker = rbv_arena_alloc(&system->arena, (markers + 1) * sizeof(int32_t));
    bool *used = calloc(markers + 1, 1);
    uint8_t *in_row = calloc(measures + 1, 1);
    bool good = system->measure_order && system->used_marker && in_row && used;
    if (good)
        mark_measures(system, in_row);
    int32_t count = 0;
    for (int pass = 0; good && pass < 3; pass++) {
        for (int32_t m = 0; m < model->measures.count; m++)
            if (in_row[m] == (pass + 1) % 3)
                system->measure_order[count++] = m;
        if (pass == 0)
            system->seen_measure_count = count;
        if (pass == 1)
            system->row_measure_count = count;
    }
    if (good)
        mark_used(model, used);
    for (int32_t m = 0; good && m < model->markers.count; m++)
        if (used[m])
            system->used_marker[system->used_marker_count++] = m;
    free(in_row);
    free(used);
    return good;
}

size_t rbv_largest_work(const RbvModel *model) {
    size_t work = 64;
#define LARGEST(expr)                                                                                                  \
    if (expr) {                                                                                                        \
        size_t n = (size_t)rbv_expr_most_variables(expr), need = rbv_expr_most_work(expr) + n * n + 2 * n + 16;        \
        work = need > work ? need : work;                                                                              \
    }
    for (int32_t k = 0; k < model->constraints.count; k++)
        LARGEST(model->constraints.items[k].equation)
    for (int32_t k = 0; k < model->nonideals.count; k++)
        LARGEST(model->nonideals.items[k].force)
    for (int32_t k = 0; k < model->coordinates.count; k++)
        LARGEST(model->coordinates.items[k].value)
    for (int32_t k = 0; k < model->drives.count; k++) {
        LARGEST(model->drives.items[k].motion)
        LARGEST(model->drives.items[k].most)
    }
    for (int32_t k = 0; k < model->loads.count; k++)
        for (int part = 0; part < 3; part++)
            LARGEST(model->loads.items[k].value[part])
    for (int32_t k = 0; k < model->outputs.count; k++)
        LARGEST(model->outputs.items[k].value)
    for (int32_t k = 0; k < model->questions.count; k++)
        LARGEST(model->questions.items[k].value)
    for (int32_t k = 0; k < model->states.count; k++)
        LARGEST(model->states.items[k].rate)
    for (int32_t k = 0; k < model->generalized.count; k++)
        LARGEST(model->generalized.items[k].force)
    for (int32_t k = 0; k < model->masses.count; k++)
        LARGEST(model->masses.items[k])
    for (int32_t k = 0; k < model->events.count; k++)
        LARGEST(model->events.items[k].when)
    for (int32_t k = 0; k < model->settings.count; k++)
        LARGEST(model->settings.items[k].value)
    for (int32_t k = 0; k < model->conditions.count; k++)
        LARGEST(model->conditions.items[k].active)
#undef LARGEST
    return work;
}

/* The constraint whose equation reads most; NULL: there is none. */
static const RbvConstraint *largest_equation(const RbvModel *model) {
    const RbvConstraint *most = NULL;
    for (int32_t k = 0; k < model->constraints.count; k++) {
        const RbvConstraint *other = &model->constraints.items[k];
        if (other->equation && (!most || rbv_expr_most_work(other->equation) > rbv_expr_most_work(most->equation)))
            most = other;
    }
    return most;
}

/* False, reported: the workspace of an expression has more than 2^30 doubles. */
static bool check_work(const RbvModel *model, RbvDiagnostics *diagnostics) {
    const size_t most = (size_t)1 << 30;
    const RbvConstraint *of = largest_equation(model);
    bool named = of && rbv_expr_most_work(of->equation) > most / 2;
    if (rbv_largest_work(model) <= most)
        return true;
    char which[RBV_NAME_SIZE + 20] = "an expression";
    if (named)
        snprintf(which, sizeof which, "the equation of '%s'", of->name);
    rbv_diagnose(diagnostics, RBV_ERROR, model->file, named ? of->where : (RbvPosition){0, 0},
                 "%s reads so many quantities that its second derivatives, one for each pair of them, take more than 8 "
                 "GB",
                 which);
    return false;
}

/* Rows of joints, constraints, drives, stops, sticking friction, idle spins; then of initial positions and initial
 * rates. */
static void compile_rows(RbvBuilder *builder) {
    RbvSystem *system = builder->system;
    RbvModel *model = builder->model;
    for (int32_t k = 0; k < model->joints.count; k++) {
        system->joint_row[k] = builder->row_count;
        rbv_joint_rows(builder, k);
    }
    system->joint_row[model->joints.count] = builder->row_count;
    if (!rbv_compile_friction(builder)) {
        builder->no_memory = true;
        return;
    }
    /* Adds the angles printed by kinematics, so that their turns are counted. */
    for (int32_t k = 0; model->space == RBV_SPATIAL && k < model->joints.count; k++) {
        const RbvJoint joint = model->joints.items[k];
        if (joint.coordinates & RBV_DIRECTION_RZ &&
            rbv_model_direction_measure(model, joint.marker[0], joint.marker[1], 5, joint.locks) < 0)
            builder->no_memory = true;
    }
    for (int32_t k = 0; k < model->constraints.count; k++) {
        system->constraint_row[k] = builder->row_count;
        compile_constraint(builder, k);
    }
    system->undriven_count = builder->row_count;
    for (int32_t k = 0; k < model->drives.count; k++) {
        system->drive_row[k] = builder->row_count;
        compile_drive(builder, k);
    }
    for (int32_t k = 0; k < model->stops.count; k++)
        compile_stop(builder, k);
    for (int32_t i = 0; i < system->friction_count; i++)
        rbv_compile_stick(builder, &system->friction[i]);
    system->row_count = builder->row_count;
    rbv_compile_spins(builder);
    system->satisfied_count = builder->row_count;
    for (int32_t rate = 0; rate < 2; rate++) {
        for (int32_t k = 0; k < model->initial.count; k++)
            if (model->initial.items[k].of.rate == rate)
                compile_initial(builder, k);
        if (rate == 0)
            system->position_count = builder->row_count;
    }
}

/* A required motion constrains nothing. */
static bool is_required(const RbvSystem *system, const RbvRow *row) {
    return row->owner == RBV_OWNER_CONSTRAINT && system->model->constraints.items[row->index].required;
}

/* Stops are inactive until contact, friction rows until the contact sticks. */
static bool compile_activity(RbvSystem *system) {
    bool any =
        system->model->stops.count > 0 || system->model->requirement_count > 0 || system->model->conditions.count > 0;
    for (int32_t k = 0; k < system->model->joints.count; k++)
        any = any ||
              (system->model->joints.items[k].has_friction && (system->model->joints.items[k].sizes->friction > 0 ||
                                                               system->model->joints.items[k].friction_law->own)) ||
              system->model->joints.items[k].unilateral;
    if (!any)
        return true;
    system->active = rbv_arena_alloc(&system->arena, (size_t)system->row_count + 1);
    for (int32_t k = 0; system->active && k < system->row_count; k++)
        system->active[k] = system->rows[k].owner != RBV_OWNER_STOP && system->rows[k].owner != RBV_OWNER_STICK &&
                            !is_required(system, &system->rows[k]);
    return system->active != NULL;
}

static bool has_wheels(const RbvModel *model) {
    for (int32_t k = 0; k < model->joints.count; k++)
        if (rbv_forms[model->joints.items[k].form].wheels)
            return true;
    return false;
}

/* Called when the rows are known, and with them the idle spins. */
static bool compile_coordinates(RbvBuilder *builder) {
    RbvSystem *system = builder->system;
    size_t bodies = (size_t)system->bodies.count;
    RbvRodLine *rods = system->idle_count > 0 ? rbv_arena_array(&system->arena, bodies, sizeof *rods) : NULL;
    if (system->idle_count > 0 && !rods)
        return false;
    for (size_t b = 0; rods && b < bodies; b++)
        rods[b] = (RbvRodLine){{-1, -1}};
    for (int32_t k = 0; rods && k < system->spin_count; k++)
        if (system->spins[k].row >= 0)
            memcpy(rods[system->spins[k].body].marker, system->spins[k].marker, sizeof rods->marker);
    RbvFromRows rows = {.rods = rods, .cut = builder->cut, .base = builder->base, .like = builder->like};
    if (builder->coordinates->mixed && !rbv_choose_numbers(builder, &rows))
        return false;
    return rbv_coordinates_create(builder->coordinates, builder->model, &system->bodies, &rows, &system->arena,
                                  &system->coordinates);
}

/* The pattern of C, with the rows that depend only on relative motion and the columns of numbers of q. */
static bool compile_movement(RbvSystem *system) {
    bool *relative = rbv_system_relative_rows(system), mixed = system->number_of != NULL;
    RbvRowPattern numbers;
    bool good = relative && (!mixed || rbv_pattern_numbers(system, &numbers)) &&
                rbv_coordinates_pattern(&system->coordinates, &system->D, relative, system->kept,
                                        mixed ? &numbers : NULL, &system->arena, &system->C);
    free(relative);
    return good;
}

/* Finds the rows that the coordinates satisfy by themselves. */
static bool compile_kept(RbvSystem *system) {
    if (!system->coordinates.kept)
        return true;
    system->kept = rbv_system_kept_rows(system, &system->coordinates, &system->arena);
    if (system->coordinates.kind->common)
        system->unseen = system->kept;
    return system->kept != NULL;
}

void rbv_system_put_phases(RbvSystem *system) {
    for (int32_t k = 0; system->coordinates.phase && k < system->model->joints.count; k++)
        if (system->model->joints.items[k].extra == RBV_EXTRA_SCREW)
            system->coordinates.phase[k] = system->rows[system->joint_row[k + 1] - 1].constant;
}

static bool compile(RbvBuilder *builder) {
    RbvSystem *system = builder->system;
    RbvModel *model = builder->model;
    size_t joints = (size_t)model->joints.count;
    if (!rbv_bodies_create(model, &system->arena, &system->bodies))
        return false;
    system->joint_row = rbv_arena_alloc(&system->arena, (joints + 1) * sizeof *system->joint_row);
    bool wheels = has_wheels(model);
    system->wheel = wheels ? rbv_arena_alloc(&system->arena, joints * sizeof *system->wheel) : NULL;
    system->constraint_row = rbv_arena_alloc(&system->arena, ((size_t)model->constraints.count + 1) * sizeof(int32_t));
    system->drive_row = rbv_arena_alloc(&system->arena, ((size_t)model->drives.count + 1) * sizeof(int32_t));
    system->stop_row = rbv_arena_alloc(&system->arena, (2 * (size_t)model->stops.count + 1) * sizeof(int32_t));
    if (!system->stop_row || !system->joint_row || (wheels && !system->wheel) || !system->constraint_row ||
        !system->drive_row)
        return false;
    compile_rows(builder);
    system->all_count = builder->row_count;
    if (builder->no_memory || !compile_coordinates(builder))
        return false;
    system->term_count = builder->term_count;
    system->rows = rbv_arena_alloc(&system->arena, ((size_t)system->all_count + 1) * sizeof *system->rows);
    system->terms = rbv_arena_alloc(&system->arena, ((size_t)system->term_count + 1) * sizeof *system->terms);
    if (!system->rows || !system->terms)
        return false;
    if (system->all_count)
        memcpy(system->rows, builder->rows, (size_t)system->all_count * sizeof *system->rows);
    if (system->term_count)
        memcpy(system->terms, builder->terms, (size_t)system->term_count * sizeof *system->terms);
    rbv_system_put_phases(system);
    rbv_system_place_friction(system);
    for (int32_t k = 0; k < system->row_count; k++) {
        system->rate_count += system->rows[k].on_rates && system->rows[k].owner != RBV_OWNER_STICK;
        system->rate_equations = system->rate_equations || (system->rows[k].on_rates && system->rows[k].equation);
    }
    system->work_size = (int32_t)rbv_largest_work(model);
    if (!compile_activity(system))
        return false;
    return compile_pattern(builder) && compile_kept(system) && compile_movement(system) && compile_places(system) &&
           rbv_system_find_parts(system) && compile_use(system);
}

static const char *joint_name(const void *model, int32_t k) {
    return ((const RbvModel *)model)->joints.items[k].name;
}

static const char *body_name(const void *model, int32_t k) {
    return ((const RbvModel *)model)->bodies.items[k].name;
}

/* found[joints] or found[bodies]: true for the named ones. NULL: none named, out of memory (noted in no_memory), or an
 * unknown name (reported with `format`, or with `perhaps` and the nearest name). */
static bool *find_named(RbvBuilder *builder, int32_t count, const char *const *names, RbvNamedKind what,
                        const char *format, const char *perhaps) {
    const RbvModel *model = builder->model;
    const bool joints = what == RBV_NAMED_JOINT;
    const int32_t all = joints ? model->joints.count : model->bodies.count;
    bool *found = count > 0 ? rbv_arena_array(&builder->system->arena, (size_t)all + 1, sizeof *found) : NULL;
    builder->no_memory = builder->no_memory || (count > 0 && !found);
    for (int32_t k = 0; found && k < count; k++) {
        const char *name = names[k] ? names[k] : "";
        int32_t at = rbv_model_find(model, name, what);
        if (at >= 0) {
            found[at] = true;
            continue;
        }
        const char *near = rbv_name_nearest(name, all, joints ? joint_name : body_name, model);
        rbv_diagnose(builder->diagnostics, RBV_ERROR, model->file, (RbvPosition){0, 0}, near ? perhaps : format, name,
                     near);
        builder->wrong = builder->wrong || at < 0;
    }
    return builder->wrong ? NULL : found;
}

/* Copies the choice of a system whose model has the same joints and bodies; without entries set if the counts differ.
 */
static bool *copy_named(RbvBuilder *builder, const bool *like, int32_t before, int32_t now) {
    bool *copy = like ? rbv_arena_array(&builder->system->arena, (size_t)now + 1, sizeof *copy) : NULL;
    builder->no_memory = builder->no_memory || (like && !copy);
    if (copy && before == now)
        memcpy(copy, like, (size_t)now * sizeof *copy);
    return copy;
}

static void choose_tree(RbvBuilder *builder, const RbvTreeChoice *tree, const RbvSystem *like) {
    const RbvModel *model = builder->model;
    if (like) {
        builder->cut =
            copy_named(builder, like->coordinates.from_rows.cut, like->model->joints.count, model->joints.count);
        builder->base =
            copy_named(builder, like->coordinates.from_rows.base, like->model->bodies.count, model->bodies.count);
        return;
    }
    builder->cut = find_named(builder, tree->cut_count, tree->cut, RBV_NAMED_JOINT, "there is no joint '%s' to cut",
                              "there is no joint '%s' to cut; did you mean '%s'?");
    builder->base =
        find_named(builder, tree->base_count, tree->base, RBV_NAMED_BODY, "there is no body '%s' to grow a tree from",
                   "there is no body '%s' to grow a tree from; did you mean '%s'?");
}

static const RbvTreeChoice any_tree;

static RbvStatus create(RbvModel *model, const RbvCoordinatesKind *coordinates, const RbvTreeChoice *tree,
                        const RbvSystem *like, RbvDiagnostics *diagnostics, RbvSystem **system) {
    if (model->broken) {
        rbv_diagnose(diagnostics, RBV_ERROR, model->file, (RbvPosition){0, 0},
                     "the model has mistakes and cannot be compiled");
        return RBV_BAD_INPUT;
    }
    if (model->bodies.count < 2) {
        rbv_diagnose(diagnostics, RBV_ERROR, model->file, (RbvPosition){0, 0},
                     "the model has no bodies besides ground");
        return RBV_BAD_INPUT;
    }
    if (!check_work(model, diagnostics))
        return RBV_BAD_INPUT;
    RbvSystem *fresh = calloc(1, sizeof *fresh);
    if (!fresh)
        return RBV_NO_MEMORY;
    fresh->model = model;
    RbvBuilder builder = {.system = fresh, .model = model, .coordinates = coordinates, .diagnostics = diagnostics};
    builder.like = like ? &like->coordinates : NULL;
    choose_tree(&builder, tree, like);
    bool good = builder.wrong ||
                (!builder.no_memory && compile(&builder) && !model->no_memory); /* model->no_memory: a note was lost */
    free(builder.rows);
    free(builder.terms);
    if (!good || builder.wrong) {
        rbv_system_destroy(fresh);
        return good ? RBV_BAD_INPUT : RBV_NO_MEMORY;
    }
    __atomic_fetch_add(
        &model->system_count, 1,
        __ATOMIC_RELAXED); /* analyses on other threads may compile the same model in other coordinates */
    fresh->compiled = model;
    RbvStatus status = !fresh->coordinates.of_bodies
                           ? create(model, &rbv_absolute_coordinates, &any_tree, NULL, NULL, &fresh->absolute)
                           : RBV_OK;
    if (status != RBV_OK) {
        rbv_system_destroy(fresh);
        return status;
    }
    *system = fresh;
    return RBV_OK;
}

RbvStatus rbv_system_create_of_bodies(RbvModel *model, RbvDiagnostics *diagnostics, RbvSystem **system) {
    *system = NULL;
    return create(model, &rbv_absolute_coordinates, &any_tree, NULL, diagnostics, system);
}

RbvStatus rbv_system_create_like(RbvModel *model, const RbvSystem *like, RbvDiagnostics *diagnostics,
                                 RbvSystem **system) {
    *system = NULL;
    return create(model, like->coordinates.kind, &any_tree, like, diagnostics, system);
}

RbvStatus rbv_system_create(RbvModel *model, const RbvSystemOptions *options, RbvDiagnostics *diagnostics,
                            RbvSystem **system) {
    static const RbvSystemOptions defaults;
    const RbvSystemOptions *o = options ? options : &defaults;
    const RbvTreeChoice *tree = &o->tree;
    if (!model || !system || tree->cut_count < 0 || (tree->cut_count > 0 && !tree->cut) || tree->base_count < 0 ||
        (tree->base_count > 0 && !tree->base) || (unsigned)o->coordinates > RBV_COORDINATES_MIXED)
        return RBV_BAD_ARGUMENT;
    *system = NULL;
    return create(model, rbv_coordinates_kind(o->coordinates), tree, NULL, diagnostics, system);
}

void rbv_system_destroy(RbvSystem *system) {
    if (!system)
        return;
    if (system->compiled)
        __atomic_fetch_sub(&system->compiled->system_count, 1, __ATOMIC_RELAXED);
    rbv_system_destroy(system->absolute);
    rbv_arena_clear(&system->arena);
    free(system);
}

RbvSystemCounts rbv_system_counts(const RbvSystem *system) {
    return system ? (RbvSystemCounts){system->bodies.size, system->row_count} : (RbvSystemCounts){0};
}

/* Number of a parameter; -1: none. The table of constants holds parameter k as 2k and table k as 2k + 1. */
static int32_t find_parameter(const RbvModel *model, const char *name) {
    int32_t constant = rbv_name_table_find(&model->constants, name);
    return constant >= 0 && constant % 2 == 0 ? constant / 2 : -1;
}

int32_t rbv_system_find(const RbvSystem *system, RbvSystemItem kind, const char *name) {
    if (!system || !name)
        return -1;
    switch (kind) {
    case RBV_ITEM_BODY: return rbv_model_find(system->model, name, RBV_NAMED_BODY);
    case RBV_ITEM_DRIVE: return rbv_model_find(system->model, name, RBV_NAMED_DRIVE);
    case RBV_ITEM_STATE: return rbv_model_find(system->model, name, RBV_NAMED_STATE);
    case RBV_ITEM_PARAMETER: return find_parameter(system->model, name);
    default: return -1;
    }
}

const char *rbv_system_row_owner(const RbvSystem *system, int32_t k) {
    const RbvModel *model = system->model;
    const RbvRow *row = &system->rows[k];
    switch (row->owner) {
    case RBV_OWNER_DRIVE: return model->drives.items[row->index].name;
    case RBV_OWNER_STOP: return model->stops.items[row->index].name;
    case RBV_OWNER_SPIN: return model->bodies.items[system->spins[row->index].body].name;
    case RBV_OWNER_INITIAL: return model->initial.items[row->index].coordinate;
    case RBV_OWNER_CONSTRAINT: return model->constraints.items[row->index].name;
    default: return model->joints.items[row->index].name;
    }
}

void rbv_system_row_name(const RbvSystem *system, int32_t k, char *text, size_t size) {
    static const char *const before[] = {[RBV_OWNER_JOINT] = "joint",
                                         [RBV_OWNER_CONSTRAINT] = "constraint",
                                         [RBV_OWNER_DRIVE] = "drive",
                                         [RBV_OWNER_INITIAL] = "initial condition",
                                         [RBV_OWNER_SPIN] = "the spin of",
                                         [RBV_OWNER_STOP] = "stop",
                                         [RBV_OWNER_STICK] = "friction in joint"};
    const RbvRow *row = &system->rows[k];
    const char *name = rbv_system_row_owner(system, k);
    if (row->owner == RBV_OWNER_JOINT && row->direction >= 0)
        snprintf(text, size, "joint '%s' (%s)", name, rbv_direction_name(row->direction));
    else
        snprintf(text, size, "%s '%s'", before[row->owner], name);
}
