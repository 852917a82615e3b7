/* Changes parameter values of a compiled system: the model is refilled (model/model/refill.h), then the numbers of the
 * system are recomputed. Rows, positions in arrays and patterns stay.
 *
 * All numbers that follow from the model are computed beside the system by the functions that compiled it, and
 * compared. Only when all are known, and no operation can fail any more, are they written into the system. */
#include "core/base/diagnostics.h"
#include "mechanics/forms/form.h"
#include "mechanics/system/builder.h"
#include "mechanics/system/friction_contacts.h"
#include "model/model/refill.h"

#include <stdlib.h>
#include <string.h>

/* New numbers of the system, before they are written. */
typedef struct Numbers {
    RbvBuilder builder; /* rows and terms of the joints that are compiled again, one joint after the other */
    RbvSystem beside;   /* copy of the system with arrays of its own for what compiling writes */
    RbvArena arena;
    double *start_q, *absolute_start_q; /* of the system, and of its absolute system, which has the same rows */
    double *phase;                      /* [joints] former phases of screws (coordinates.h) */
    RbvCoordinates placed;              /* the coordinates laid out with the new numbers */
    bool alike;                         /* the numbers of the coordinates mean the same as before */
    RbvLineSpin *spins;
    int32_t *scratch; /* [bodies] */
} Numbers;

double rbv_system_parameter(const RbvSystem *system, int32_t parameter) {
    return system && parameter >= 0 && parameter < system->model->parameters.count
               ? system->model->parameters.items[parameter].value
               : (double)NAN;
}

const char *rbv_system_parameter_name(const RbvSystem *system, int32_t parameter) {
    return system && parameter >= 0 && parameter < system->model->parameters.count
               ? system->model->parameters.items[parameter].name
               : NULL;
}

const char *rbv_system_parameter_unit(const RbvSystem *system, int32_t parameter) {
    return rbv_system_parameter_name(system, parameter) ? system->model->parameters.items[parameter].unit : NULL;
}

/* ---- rows ---- */

static bool same_row(const RbvSystem *system, const RbvRow *before, const RbvBuilder *builder, const RbvRow *now) {
    bool same = before->owner == now->owner && before->index == now->index && before->direction == now->direction &&
                before->count == now->count && before->angular == now->angular && before->on_rates == now->on_rates;
    for (int32_t n = 0; same && n < now->count; n++)
        same = system->terms[before->first + n].measure == builder->terms[now->first + n].measure;
    return same;
}

/* True if the friction contacts have as many slip directions, and the same need of stick rows, as before. */
static bool same_friction(const RbvSystem *system) {
    bool same = true;
    for (int32_t i = 0; same && i < system->friction_count; i++) {
        const RbvFrictionContact *friction = &system->friction[i];
        const RbvJoint *joint = &system->model->joints.items[friction->joint];
        int count = 0;
        for (int k = 0; k < RBV_MOST_SLIP_DIRECTIONS; k++)
            count += rbv_friction_surfaces_slide(friction->surfaces, k, joint->sizes->friction_radius);
        same =
            count == friction->count && (friction->own || (joint->sizes->friction > 0) == (friction->stick_row >= 0));
    }
    return same;
}

/* Compiles the rows of the joints marked in `again`. False: out of memory, a mistake (reported), or other rows than
 * before. */
static bool compile_joints(Numbers *numbers, const RbvSystem *system, const bool *again) {
    RbvBuilder *builder = &numbers->builder;
    const RbvModel *model = system->model;
    bool same = same_friction(system);
    for (int32_t k = 0; k < model->joints.count && same; k++) {
        if (!again[k])
            continue;
        int32_t first = builder->row_count, count = system->joint_row[k + 1] - system->joint_row[k];
        rbv_joint_rows(builder, k);
        same = !builder->no_memory && !builder->wrong && builder->row_count - first == count;
        for (int32_t r = 0; same && r < count; r++)
            same = same_row(system, &system->rows[system->joint_row[k] + r], builder, &builder->rows[first + r]);
    }
    return same;
}

static bool compile_spins(Numbers *numbers, const RbvSystem *system) {
    RbvBuilder all = {.system = &numbers->beside,
                      .model = numbers->builder.model,
                      .rows = system->rows,
                      .terms = system->terms,
                      .row_count = system->row_count};
    all.term_count = system->row_count < system->all_count ? system->rows[system->row_count].first : system->term_count;
    bool same = rbv_compile_spins_again(&all, numbers->spins);
    numbers->builder.no_memory = numbers->builder.no_memory || all.no_memory;
    return same;
}

/* ---- all numbers ---- */

static size_t wheels_size(const RbvSystem *system) {
    return system->wheel ? (size_t)system->model->joints.count * sizeof *system->wheel : 0;
}

static bool allocate(Numbers *numbers, const RbvSystem *system) {
    const RbvModel *model = system->model;
    numbers->beside.wheel = rbv_arena_alloc(&numbers->arena, wheels_size(system));
    numbers->start_q =
        rbv_arena_alloc(&numbers->arena, ((size_t)system->coordinates.position_size + 1) * sizeof *system->start_q);
    numbers->spins = rbv_arena_alloc(&numbers->arena, ((size_t)system->spin_count + 1) * sizeof *system->spins);
    numbers->scratch = rbv_arena_alloc(&numbers->arena, ((size_t)model->bodies.count + 1) * sizeof *numbers->scratch);
    numbers->phase = rbv_arena_array(&numbers->arena, (size_t)model->joints.count + 1, sizeof *numbers->phase);
    numbers->absolute_start_q =
        system->absolute ? rbv_arena_array(&numbers->arena, (size_t)system->absolute->coordinates.position_size + 1,
                                           sizeof *numbers->absolute_start_q)
                         : NULL;
    if (!numbers->beside.wheel || !numbers->start_q || !numbers->spins || !numbers->scratch || !numbers->phase ||
        (system->absolute && !numbers->absolute_start_q))
        return false;
    if (system->wheel)
        memcpy(numbers->beside.wheel, system->wheel, wheels_size(system));
    return true;
}

/* Writes the constants of screws where the coordinates read them. */
static void put_phases(Numbers *numbers, RbvSystem *system, const bool *again) {
    const RbvRow *now = numbers->builder.rows;
    double *phase = system->coordinates.phase;
    for (int32_t k = 0; phase && k < system->model->joints.count; k++) {
        numbers->phase[k] = phase[k];
        int32_t count = again[k] ? system->joint_row[k + 1] - system->joint_row[k] : 0;
        now += count;
        if (count > 0 && system->model->joints.items[k].extra == RBV_EXTRA_SCREW)
            phase[k] = now[-1].constant;
    }
}

static void take_phases_back(const Numbers *numbers, RbvSystem *system) {
    for (int32_t k = 0; system->coordinates.phase && k < system->model->joints.count; k++)
        system->coordinates.phase[k] = numbers->phase[k];
}

/* Computes the starting poses as q, which other coordinates than absolute ones read through markers and joints. False
 * if out of memory; all numbers are then as before. */
static bool find_starts(Numbers *numbers, RbvSystem *system) {
    bool moved = system->model->refill->any_moved, good = true;
    put_phases(numbers, system, system->model->refill->again);
    if (moved || system->absolute)
        good = rbv_coordinates_start(&numbers->placed, numbers->start_q);
    if (good && moved && system->absolute)
        good = rbv_coordinates_start(&system->absolute->coordinates, numbers->absolute_start_q);
    if (!good)
        take_phases_back(numbers, system);
    return good;
}

/* Writes constants and coefficients of the compiled joints into the system's rows and terms. */
static void put_joints(const Numbers *numbers, RbvSystem *system, const bool *again) {
    const RbvRow *now = numbers->builder.rows;
    for (int32_t k = 0; k < system->model->joints.count; k++)
        for (int32_t r = system->joint_row[k]; again[k] && r < system->joint_row[k + 1]; r++, now++) {
            system->rows[r].constant = now->constant;
            for (int32_t n = 0; n < now->count; n++)
                system->terms[system->rows[r].first + n].coefficient =
                    numbers->builder.terms[now->first + n].coefficient;
        }
}

static void put(const Numbers *numbers, const double *start_q, RbvSystem *system) {
    const RbvModel *model = system->model;
    const RbvRefill *refill = model->refill;
    put_joints(numbers, system, refill->again);
    if (system->wheel)
        memcpy(system->wheel, numbers->beside.wheel, wheels_size(system));
    for (int32_t k = 0; k < model->constraints.count; k++)
        system->rows[system->constraint_row[k]].equation = model->constraints.items[k].equation;
    for (int32_t k = 0; k < model->drives.count; k++) {
        system->rows[system->drive_row[k]].target = model->drives.items[k].motion;
        system->rows[system->drive_row[k]].equation = rbv_coordinate_value(model, &model->drives.items[k].of);
    }
    for (int32_t k = 0; k < 2 * model->stops.count; k++)
        if (system->stop_row[k] >= 0) {
            system->rows[system->stop_row[k]].constant = model->stops.items[k / 2].limit[k % 2];
            system->rows[system->stop_row[k]].equation = rbv_coordinate_value(model, &model->stops.items[k / 2].of);
        }
    for (int32_t r = system->satisfied_count; r < system->all_count; r++) {
        const RbvInitial *initial = &model->initial.items[system->rows[r].index];
        system->rows[r].constant = initial->of.rate == 0 ? initial->value : 0;
        system->rows[r].equation = rbv_coordinate_value(model, &initial->of);
    }
    if (refill->any_moved || system->absolute) /* in other than absolute coordinates always */
        memcpy(system->start_q, start_q, (size_t)system->coordinates.position_size * sizeof *system->start_q);
    if (system->spin_count > 0)
        memcpy(system->spins, numbers->spins, (size_t)system->spin_count * sizeof *system->spins);
    rbv_system_place_friction(system);
    rbv_system_find_arms(system, numbers->scratch);
    system->generation++;
}

static RbvStatus refill(RbvSystem *system, RbvDiagnostics *diagnostics) {
    RbvModel *model = system->compiled;
    Numbers numbers = {.beside = *system, .alike = true};
    numbers.builder = (RbvBuilder){.system = &numbers.beside, .model = model, .diagnostics = diagnostics};
    bool memory = allocate(&numbers, system);
    bool same = memory && compile_joints(&numbers, system, model->refill->again) && compile_spins(&numbers, system);
    memory = memory && !numbers.builder.no_memory && (model->refill->differs || !model->no_memory);
    if (same && memory)
        memory = rbv_coordinates_layout(&system->coordinates, &numbers.arena, &numbers.placed, &numbers.alike);
    same = same && numbers.alike;
    if (same && memory)
        memory = find_starts(&numbers, system);
    if (same && memory)
        rbv_coordinates_adopt_layout(&system->coordinates, &numbers.placed);
    if (same && memory)
        put(&numbers, numbers.start_q, system);
    if (same && memory && system->absolute)
        put(&numbers, numbers.absolute_start_q, system->absolute);
    if (!same && memory && !numbers.builder.wrong)
        rbv_diagnose(diagnostics, RBV_ERROR, model->file, (RbvPosition){0, 0},
                     "these values change which rows the system is made of%s: read the model anew with them",
                     numbers.alike ? "" : ", or which points and vectors its coordinates");
    free(numbers.builder.rows);
    free(numbers.builder.terms);
    rbv_arena_clear(&numbers.arena);
    if (!memory)
        return RBV_NO_MEMORY;
    return same ? RBV_OK : RBV_BAD_INPUT;
}

static RbvStatus check(const RbvSystem *system, int32_t count, const RbvParameterValue *values,
                       RbvDiagnostics *diagnostics) {
    if (!system || count < 0 || (count > 0 && !values))
        return RBV_BAD_ARGUMENT;
    const RbvModel *model = system->model;
    for (int32_t k = 0; k < count; k++)
        if (values[k].parameter < 0 || values[k].parameter >= model->parameters.count || isinf(values[k].value))
            return RBV_BAD_ARGUMENT;
    bool known = model->source.change || model->additions, follows = rbv_coordinates_adapt(&system->coordinates);
    if (model->system_count == 1 + (system->absolute != NULL) && known && follows)
        return RBV_OK;
    const char *why =
        !known    ? "its model was read as one that does not change, or is built by a program without parameters"
        : follows ? "another system is compiled from its model"
                  : "its coordinates are laid out with them";
    rbv_diagnose(diagnostics, RBV_ERROR, model->file, (RbvPosition){0, 0},
                 "the parameters of this system cannot be given other values: %s", why);
    return RBV_BAD_INPUT;
}

RbvStatus rbv_system_set_parameters(RbvSystem *system, int32_t count, const RbvParameterValue *values,
                                    RbvDiagnostics *diagnostics) {
    RbvStatus status = check(system, count, values, diagnostics);
    if (status != RBV_OK || count == 0)
        return status;
    RbvModel *model = system->compiled;
    RbvDiagnostics *said = rbv_diagnostics_create();
    RbvRefill before;
    if (!said || !rbv_refill_begin(model, &before)) {
        rbv_diagnostics_destroy(said);
        return RBV_NO_MEMORY;
    }
    status = model->source.change ? model->source.change(model->source.context, model, values, count, said)
                                  : rbv_model_change_additions(model, values, count, said);
    if (status == RBV_OK)
        status = refill(system, said);
    if (status == RBV_OK)
        rbv_refill_commit(model);
    else
        rbv_refill_undo(model);
    if (status == RBV_BAD_INPUT) {
        rbv_diagnostics_sort(said);
        rbv_diagnostics_append(diagnostics, said);
    }
    rbv_diagnostics_destroy(said);
    return status;
}
