/* Checks and enters nonideal constraints: forces along coordinates by which a constraint does work. */
#include "core/base/diagnostics.h"
#include "model/model/additions.h"
#include "model/model/refill.h"

#include <stdio.h>
#include <string.h>

#define FORCE_SCOPE (RBV_SCOPE_TIME | RBV_SCOPE_COORDINATES | RBV_SCOPE_RATES | RBV_SCOPE_IDEAL)

RbvDimension rbv_nonideal_dimension(const RbvModel *model, int32_t measure) {
    if (rbv_measure_generalized(model, measure))
        return RBV_DIM_ANY;
    RbvDimension along = rbv_exponents_named(rbv_measure_exponents(model->measures.items[measure].kind));
    return along == RBV_DIM_LENGTH ? RBV_DIM_FORCE : RBV_DIM_TORQUE;
}

bool rbv_nonideal_measure(RbvModel *model, const char *coordinate, int32_t *measure, const char *path,
                          const RbvSource *source) {
    RbvCoordinateRef of;
    if (!rbv_model_coordinate(model, coordinate, &of, path, source))
        return false;
    *measure = of.measure;
    if (of.measure < 0) {
        rbv_source_error(source, path,
                         "'%s' stands for an expression; a non-ideal force acts along a coordinate as it is",
                         coordinate);
        return false;
    }
    if (of.rate == 0 || rbv_measure_is_rate(model->measures.items[*measure].kind))
        return true;
    rbv_source_error(source, path, "'%s' is a rate; a non-ideal force acts along a coordinate, and may read its rate",
                     coordinate);
    return false;
}

/* Index for a nonideal force: new, or, while the model is refilled, that of the same constraint and coordinate; -1:
 * none. */
static int32_t place_of(RbvModel *model, int32_t constraint, const char *coordinate) {
    if (!model->refill)
        return rbv_model_grow(model, &model->nonideals, sizeof(RbvNonideal));
    for (int32_t k = 0; k < model->nonideals.count; k++) {
        const RbvNonideal *there = &model->nonideals.items[k];
        if (there->force && there->constraint == constraint && strcmp(there->coordinate, coordinate) == 0)
            return rbv_refill_take(model, &model->nonideals, sizeof(RbvNonideal), k) ? k : -1;
    }
    model->refill->differs = true;
    return -1;
}

RbvStatus rbv_insert_nonideal(RbvModel *model, int32_t constraint, const char *coordinate, const char *force,
                              const RbvSource *source) {
    char path[200];
    snprintf(path, sizeof path, "nonideal/%s", coordinate);
    RbvNonideal nonideal = {.constraint = constraint, .where = rbv_source_position(source, path, 0)};
    if (!rbv_nonideal_measure(model, coordinate, &nonideal.measure, path, source))
        return rbv_model_wrong(model);
    nonideal.coordinate = rbv_arena_copy(&model->arena, coordinate, strlen(coordinate));
    nonideal.force =
        rbv_model_expression(model, force, FORCE_SCOPE, rbv_nonideal_dimension(model, nonideal.measure), path, source);
    if (!nonideal.force)
        return rbv_model_wrong(model);
    int32_t k = nonideal.coordinate ? place_of(model, constraint, coordinate) : -1;
    if (k < 0) {
        rbv_expr_destroy(nonideal.force);
        return rbv_model_no_memory(model);
    }
    model->nonideals.items[k] = nonideal;
    model->constraints.items[constraint].nonideal = true;
    return RBV_OK;
}

RbvStatus rbv_model_add_nonideal(RbvModel *model, const char *constraint, const char *coordinate, const char *force,
                                 RbvDiagnostics *diagnostics) {
    if (!model || !constraint || !coordinate || !force)
        return RBV_BAD_ARGUMENT;
    RbvSource source = {.diagnostics = diagnostics, .file = ""};
    int32_t k = rbv_model_find(model, constraint, RBV_NAMED_CONSTRAINT);
    if (k >= 0)
        return rbv_model_keep_addition(
            model, rbv_insert_nonideal(model, k, coordinate, force, &source),
            &(RbvAddition){.kind = RBV_ADDED_NONIDEAL, .text = {constraint, coordinate, force}});
    rbv_source_error(&source, NULL, "there is no constraint '%s'", constraint);
    return rbv_model_wrong(model);
}

bool rbv_model_is_ideal(const RbvModel *model, const char *analysis, RbvDiagnostics *diagnostics) {
    if (model->nonideals.count == 0)
        return true;
    const RbvNonideal *first = &model->nonideals.items[0];
    rbv_diagnose(diagnostics, RBV_ERROR, model->file, first->where,
                 "constraint '%s' does work (nonideal:), which %s does not know; roberval simulate does",
                 model->constraints.items[first->constraint].name, analysis);
    return false;
}
