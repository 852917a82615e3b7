/* Records additions; see additions.h. */
#include "model/model/additions.h"

#include <string.h>

static const char *copy_text(RbvModel *model, const char *text) {
    const char *copy = text ? rbv_arena_copy(&model->arena, text, strlen(text)) : NULL;
    model->no_memory = model->no_memory || (text && !copy);
    return copy;
}

static const RbvLoadDef *copy_load(RbvModel *model, const RbvLoadDef *def) {
    RbvLoadDef *copy = def ? rbv_arena_alloc(&model->arena, sizeof *copy) : NULL;
    model->no_memory = model->no_memory || (def && !copy);
    if (!copy)
        return NULL;
    *copy = *def;
    const char **const texts[] = {&copy->name,     &copy->type,     &copy->to,         &copy->value[0],
                                  &copy->value[1], &copy->value[2], &copy->between[0], &copy->between[1],
                                  &copy->joint,    &copy->law,      &copy->speed};
    for (size_t k = 0; k < sizeof texts / sizeof texts[0]; k++)
        *texts[k] = copy_text(model, *texts[k]);
    return copy;
}

RbvStatus rbv_model_keep_addition(RbvModel *model, RbvStatus status, const RbvAddition *addition) {
    bool parameter = addition->kind == RBV_ADDED_PARAMETER, ours = !model->source.change;
    if (status != RBV_OK || !ours || model->refill || (!parameter && !model->additions))
        return status;
    RbvAddition *kept = rbv_arena_alloc(&model->arena, sizeof *kept);
    if (!kept)
        return rbv_model_no_memory(model);
    *kept = *addition;
    for (int k = 0; k < 3; k++)
        kept->text[k] = copy_text(model, addition->text[k]);
    kept->load = copy_load(model, addition->load);
    if (model->last_addition)
        model->last_addition->next = kept;
    else
        model->additions = kept;
    model->last_addition = kept;
    return model->no_memory ? rbv_model_no_memory(model) : RBV_OK;
}
