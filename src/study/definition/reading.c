/* What all sections of a study file are read with. */
#include "study/definition/reading.h"

#include "core/base/names.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void rbv_study_error(RbvStudyReader *reader, RbvPosition at, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    rbv_diagnose_list(reader->diagnostics, RBV_ERROR, reader->study->file, at, format, arguments);
    va_end(arguments);
}

const char *rbv_study_copy(RbvStudyReader *reader, const char *text, size_t length) {
    const char *copy = rbv_arena_copy(&reader->study->arena, text, length);
    reader->no_memory = reader->no_memory || !copy;
    return copy ? copy : "";
}

void *rbv_study_array(RbvStudyReader *reader, size_t count, size_t size) {
    void *array = rbv_arena_array(&reader->study->arena, count + 1, size);
    reader->no_memory = reader->no_memory || !array;
    return array;
}

static int32_t count_words(const char *const *words) {
    int32_t count = 0;
    while (words[count])
        count++;
    return count;
}

bool rbv_study_map(RbvStudyReader *reader, const RbvNode *node, const char *what, const char *const *keys) {
    if (node->kind != RBV_NODE_MAP) {
        rbv_study_error(reader, node->at, "%s must be a map", what);
        return false;
    }
    bool good = true;
    for (int32_t k = 0; k < node->count; k++) {
        int32_t n = 0;
        while (keys[n] && strcmp(keys[n], node->keys[k]) != 0)
            n++;
        if (keys[n])
            continue;
        const char *near = rbv_nearest_word(node->keys[k], count_words(keys), keys);
        if (near)
            rbv_study_error(reader, node->key_at[k], "%s has no key '%s'; did you mean '%s'?", what, node->keys[k],
                            near);
        else
            rbv_study_error(reader, node->key_at[k], "%s has no key '%s'", what, node->keys[k]);
        good = false;
    }
    return good;
}

const char *rbv_study_scalar(RbvStudyReader *reader, const RbvNode *node, const char *what) {
    if (node->kind == RBV_NODE_SCALAR && node->type != RBV_SCALAR_NULL && *node->text)
        return node->text;
    rbv_study_error(reader, node->at, "%s must be a text or a number", what);
    return NULL;
}

int rbv_study_word(RbvStudyReader *reader, const RbvNode *node, const char *what, const char *const *words) {
    const char *text = rbv_study_scalar(reader, node, what);
    char list[300] = "";
    for (int k = 0; text && words[k]; k++)
        if (strcmp(words[k], text) == 0)
            return k;
    for (int k = 0; words[k]; k++) {
        size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s", k ? ", " : "", words[k]);
    }
    if (text)
        rbv_study_error(reader, node->at, "%s cannot be '%s'; there are %s", what, text, list);
    return -1;
}

int64_t rbv_study_whole(RbvStudyReader *reader, const RbvNode *node, const char *what, int64_t least, int64_t most,
                        int64_t otherwise) {
    if (!node)
        return otherwise;
    bool number = node->kind == RBV_NODE_SCALAR && node->type == RBV_SCALAR_NUMBER;
    if (number && node->number >= (double)least && node->number <= (double)most && floor(node->number) == node->number)
        return (int64_t)node->number;
    rbv_study_error(reader, node->at, "%s must be a whole number from %lld to %lld", what, (long long)least,
                    (long long)most);
    return otherwise;
}

static const char *parameter_name(const void *context, int32_t k) {
    return ((const RbvModel *)context)->parameters.items[k].name;
}

int32_t rbv_study_find_parameter(RbvStudyReader *reader, const char *file, const char *name, RbvPosition at) {
    const RbvModel *model = reader->model;
    if (!model)
        return -1;
    for (int32_t k = 0; k < model->parameters.count; k++)
        if (strcmp(model->parameters.items[k].name, name) == 0)
            return k;
    const char *near = rbv_name_nearest(name, model->parameters.count, parameter_name, model);
    if (near)
        rbv_diagnose(reader->diagnostics, RBV_ERROR, file, at, "the model has no parameter '%s'; did you mean '%s'?",
                     name, near);
    else
        rbv_diagnose(reader->diagnostics, RBV_ERROR, file, at, "the model has no parameter '%s'%s", name,
                     model->parameters.count ? "" : "; it has none under parameters:");
    return -1;
}

const char *rbv_study_beside(RbvStudyReader *reader, const char *name) {
    const char *file = reader->study->file, *slash = strrchr(file, '/');
    size_t folder = slash && name[0] != '/' ? (size_t)(slash - file) + 1 : 0, length = strlen(name);
    char *path = rbv_study_array(reader, folder + length, 1);
    if (!path)
        return "";
    memcpy(path, file, folder);
    memcpy(path + folder, name, length + 1);
    return path;
}
