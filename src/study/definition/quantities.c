/* The quantities of a study against its model: their dimensions, units and limits. */
#include "core/base/names.h"
#include "model/read/fields.h"
#include "study/definition/reading.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

RbvStatus rbv_study_add_outputs(const RbvStudy *study, RbvModel *model, RbvDiagnostics *diagnostics) {
    RbvStatus status = RBV_OK;
    for (int32_t k = 0; status == RBV_OK && k < study->part_count; k++)
        if (study->parts[k].kind != RBV_AGGREGATE_PATH)
            status = rbv_model_add_output(model, study->parts[k].output, study->parts[k].text, diagnostics);
    return status;
}

/* ---- dimensions of parts ---- */

static void set_dimension(RbvStudyPart *part, RbvExprDimension of) {
    RbvExponents time = rbv_dimension_exponents(RBV_DIM_TIME);
    part->bare = of.bond == RBV_EXPR_BARE;
    part->exponents = of.exponents;
    if (part->kind == RBV_AGGREGATE_COUNT || part->kind == RBV_AGGREGATE_PATH) {
        part->bare = true;
        part->exponents = (RbvExponents){0};
    } else if (part->kind == RBV_AGGREGATE_ARGMAX) {
        part->bare = false;
        part->exponents = time;
    } else if (part->kind == RBV_AGGREGATE_INTEGRAL && !part->bare) {
        rbv_exponents_product(of.exponents, time, 2, &part->exponents);
    }
}

/* Add the output of a part to the model, and take its dimension. A mistake is reported where the quantity stands. */
static bool check_part(RbvStudyReader *reader, RbvModel *model, const RbvStudyQuantity *quantity, RbvStudyPart *part) {
    if (part->kind == RBV_AGGREGATE_PATH) {
        set_dimension(part, (RbvExprDimension){.bond = RBV_EXPR_BARE});
        return true;
    }
    RbvDiagnostics *messages = rbv_diagnostics_create();
    RbvStatus status = rbv_model_add_output(model, part->output, part->text, messages);
    for (int32_t k = 0; status == RBV_BAD_INPUT && k < rbv_diagnostics_count(messages); k++)
        rbv_study_error(reader, quantity->at, "collect: %s: %s", quantity->name,
                        rbv_diagnostics_at(messages, k).message);
    rbv_diagnostics_destroy(messages);
    reader->no_memory = reader->no_memory || status == RBV_NO_MEMORY;
    if (status != RBV_OK)
        return false;
    set_dimension(part, rbv_expr_dimension(model->outputs.items[model->outputs.count - 1].value));
    return true;
}

/* ---- the expression around them ---- */

static RbvExprMeaning resolve(void *context, const RbvExprName *name, double *value, int32_t *id, char *message,
                              size_t size) {
    const RbvStudyReader *reader = context;
    const size_t prefix = sizeof RBV_STUDY_PREFIX - 1;
    (void)value;
    const char *word = name->name ? name->name : name->function;
    if (name->name && strncmp(word, RBV_STUDY_PREFIX, prefix) == 0) {
        *id = 2 * (int32_t)strtol(word + prefix, NULL, 10);
        return RBV_EXPR_VARIABLE;
    }
    for (int32_t k = 0; name->name && k < reader->model->parameters.count; k++)
        if (strcmp(reader->model->parameters.items[k].name, word) == 0) {
            *id = 2 * k + 1;
            return RBV_EXPR_VARIABLE;
        }
    snprintf(message, size,
             "'%s' is no parameter of the model; around max(...), mean(...) and so on stand parameters, numbers and "
             "scalars of result.json",
             word);
    return RBV_EXPR_UNKNOWN;
}

static RbvExprDimension dimension_of(void *context, int32_t id) {
    const RbvStudyReader *reader = context;
    if (id % 2)
        return reader->model->parameters.items[id / 2].dimension;
    const RbvStudyPart *part = &reader->study->parts[id / 2];
    return (RbvExprDimension){part->bare ? RBV_EXPR_BARE : RBV_EXPR_KNOWN, part->exponents};
}

static const RbvSpline *no_table(void *context, const char *name) {
    (void)context;
    (void)name;
    return NULL;
}

static void check_limit(RbvStudyReader *reader, RbvStudyQuantity *quantity) {
    char is[RBV_NAME_SIZE], requested[RBV_NAME_SIZE];
    const char *text = quantity->limit_text ? quantity->limit_text : "", *unit_text = "";
    text += quantity->limit == RBV_LIMIT_LESS || quantity->limit == RBV_LIMIT_GREATER ? 1 : 2;
    text += strspn(text, " ");
    RbvUnit unit = {.factor = 1};
    RbvExprDimension own = rbv_expr_dimension(quantity->expr);
    RbvWritten form = rbv_written_as(text, &quantity->bound, &unit, &unit_text);
    if (form == RBV_WRITTEN_QUANTITY)
        quantity->bound *= unit.factor;
    rbv_exponents_words(unit.exponents, is, sizeof is);
    rbv_exponents_words(own.exponents, requested, sizeof requested);
    if (form == RBV_WRITTEN_EXPRESSION || form == RBV_WRITTEN_BAD_UNIT)
        rbv_study_error(reader, quantity->limit_at, "the limit '%s' is no number, and no number with a unit", text);
    else if (form == RBV_WRITTEN_QUANTITY && own.bond != RBV_EXPR_BARE &&
             !rbv_exponents_fit(unit.exponents, own.exponents))
        rbv_study_error(reader, quantity->limit_at, "the limit is %s, but '%s' is %s", is, quantity->name, requested);
}

static void check_quantity(RbvStudyReader *reader, RbvStudyQuantity *quantity) {
    RbvExprScope scope = {.context = reader, .resolve = resolve, .table = no_table, .variable_dimension = dimension_of};
    RbvExprError error = {0};
    char unit[64];
    quantity->expr = rbv_expr_parse(quantity->outer, &scope, &error);
    if (!quantity->expr) {
        rbv_study_error(reader, quantity->at, "collect: %s: %s", quantity->name, error.message);
        return;
    }
    RbvExprDimension of = rbv_expr_dimension(quantity->expr);
    if (of.bond != RBV_EXPR_BARE) {
        rbv_exponents_si(of.exponents, unit, sizeof unit);
        quantity->unit = rbv_study_copy(reader, unit, strlen(unit));
    }
    if (quantity->limit != RBV_LIMIT_NONE)
        check_limit(reader, quantity);
}

void rbv_study_check_quantities(RbvStudyReader *reader, RbvModel *model) {
    RbvStudy *study = reader->study;
    for (int32_t q = 0; q < study->quantity_count; q++) {
        RbvStudyQuantity *quantity = &study->quantities[q];
        bool good = *quantity->outer != '\0';
        for (int32_t k = 0; k < quantity->count; k++)
            good = check_part(reader, model, quantity, &study->parts[quantity->first + k]) && good;
        if (good)
            check_quantity(reader, quantity);
    }
}
