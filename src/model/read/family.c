/* Family of models of one file along a parameter: the parsed file is kept, and models with other values of the
 * parameter are made from it (docs/decisions/0005-statics.md). */
#include "core/base/diagnostics.h"
#include "model/model/model.h"
#include "model/read/sections.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct FileFamily {
    RbvFamily family;
    RbvArena arena; /* all texts and lists below */
    char *path;
    RbvNodeTree *tree;
    char **overrides; /* [override_count + 1] copies; the last is the parameter's */
    int32_t override_count;
    RbvCallSettings call; /* copies; without overrides */
    char *text;           /* [length] text of the model file, kept by models for the scene */
    size_t length;
    char *name, unit_text[64], si[64];
    double factor;   /* SI value of the unit */
    char value[256]; /* "name=number unit" */
} FileFamily;

static RbvStatus at(void *context, double value, RbvDiagnostics *diagnostics, RbvModel **model) {
    FileFamily *file = context;
    char digits[40];
    rbv_number_print(digits, sizeof digits, value / file->factor);
    snprintf(file->value, sizeof file->value, "%s=%s%s%s", file->name, digits, *file->unit_text ? " " : "",
             file->unit_text);
    RbvCallSettings call = file->call;
    call.overrides = (RbvOverrides){file->override_count + 1, (const char *const *)file->overrides, RBV_OPTION_ALONG};
    RbvStatus status = rbv_read_changing(file->path, file->tree, false, &call, diagnostics, model);
    if (status != RBV_OK || !file->call.scene || rbv_model_keep_text(*model, file->text, file->length))
        return status;
    rbv_model_destroy(*model);
    *model = NULL;
    return RBV_NO_MEMORY;
}

static RbvStatus wrong_range(const FileFamily *file, RbvDiagnostics *diagnostics, const char *format,
                             const char *detail) {
    char text[500];
    snprintf(text, sizeof text, format, detail);
    rbv_diagnose(diagnostics, RBV_ERROR, file->path, (RbvPosition){0, 0}, RBV_OPTION_ALONG " %s", text);
    return RBV_BAD_INPUT;
}

typedef struct Value {
    double number;
    RbvUnit unit;
    RbvWritten written;
} Value;

/* Read a value "3", "3 mm" or "3[mm]" and copy its unit. */
static Value read_end(const char *text, size_t length, char *unit_text, size_t size) {
    char copy[128];
    const char *unit = "";
    Value value = {.written = RBV_WRITTEN_EXPRESSION, .unit = {.factor = 1}};
    if (length == 0 || length >= sizeof copy)
        return value;
    memcpy(copy, text, length);
    copy[length] = '\0';
    for (char *c = copy; *c; c++)
        *c = *c == '[' || *c == ']' ? ' ' : *c;
    while (length > 0 && copy[length - 1] == ' ')
        copy[--length] = '\0';
    value.written = rbv_written_as(copy, &value.number, &value.unit, &unit);
    bool quantity = value.written == RBV_WRITTEN_QUANTITY;
    if (!quantity)
        value.unit = (RbvUnit){.factor = 1};
    if (quantity && strlen(unit) >= size)
        value.written = RBV_WRITTEN_BAD_UNIT;
    snprintf(unit_text, size, "%s", quantity ? unit : "");
    return value;
}

/* Parse "name=a..b": a bare number a has the unit of b, otherwise each has its own. */
static RbvStatus parse_range(FileFamily *file, const char *along, RbvDiagnostics *diagnostics) {
    static const char form[] = "wants name=a..b such as F=0..50 N, not '%s'";
    const char *equal = strchr(along, '='), *dots = equal ? strstr(equal + 1, "..") : NULL;
    if (!dots || equal == along || dots == equal + 1 || dots[2] == '\0' || dots[2] == '.' || equal - along >= 100)
        return wrong_range(file, diagnostics, form, along);
    if (!(file->name = rbv_arena_alloc(&file->arena, (size_t)(equal - along) + 1)))
        return RBV_NO_MEMORY;
    along += strspn(along, " ");
    size_t length = (size_t)(equal - along);
    while (length > 0 && along[length - 1] == ' ')
        length--;
    memcpy(file->name, along, length);
    file->name[length] = '\0';
    char first[64], *last = file->unit_text;
    Value a = read_end(equal + 1, (size_t)(dots - equal - 1), first, sizeof first),
          b = read_end(dots + 2, strlen(dots + 2), last, sizeof file->unit_text);
    if (a.written == RBV_WRITTEN_BAD_UNIT || b.written == RBV_WRITTEN_BAD_UNIT)
        return wrong_range(file, diagnostics, "%s: that unit is not known", along);
    if (a.written == RBV_WRITTEN_EXPRESSION || b.written == RBV_WRITTEN_EXPRESSION)
        return wrong_range(file, diagnostics,
                           "%s: the ends of the range are numbers, with a unit where the parameter has one", along);
    if (a.written == RBV_WRITTEN_NUMBER)
        a.unit = b.unit;
    else if (b.written == RBV_WRITTEN_NUMBER)
        return wrong_range(file, diagnostics, "%s: write the unit after the second number", along);
    else if (!rbv_exponents_equal(a.unit.exponents, b.unit.exponents))
        return wrong_range(file, diagnostics, "%s: the units of the two ends measure different things", along);
    file->factor = b.unit.factor;
    if (b.written == RBV_WRITTEN_QUANTITY)
        rbv_exponents_si(b.unit.exponents, file->si, sizeof file->si);
    file->family = (RbvFamily){.parameter = file->name,
                               .unit = file->si,
                               .shown_unit = b.written == RBV_WRITTEN_QUANTITY ? file->unit_text : NULL,
                               .shown_factor = file->factor,
                               .from = a.number * a.unit.factor,
                               .to = b.number * b.unit.factor,
                               .at = at,
                               .context = file,
                               .one_model = true};
    if (!isfinite(file->family.from) || !isfinite(file->family.to))
        return wrong_range(file, diagnostics, "%s: the ends of the range are finite numbers", along);
    if (file->family.from == file->family.to)
        return wrong_range(file, diagnostics, "%s: the range is empty", along);
    return RBV_OK;
}

/* Check that the parameter exists; its own value need not be valid. */
static RbvStatus check_name(const FileFamily *file, RbvDiagnostics *diagnostics) {
    const RbvNode *root = rbv_node_tree_root(file->tree), *parameters = NULL;
    for (int32_t k = 0; root->kind == RBV_NODE_MAP && k < root->count; k++)
        if (strcmp(root->keys[k], "parameters") == 0)
            parameters = root->items[k];
    char names[400] = "";
    size_t used = 0;
    for (int32_t k = 0; parameters && parameters->kind == RBV_NODE_MAP && k < parameters->count; k++) {
        if (strcmp(parameters->keys[k], file->name) == 0)
            return RBV_OK;
        int n = snprintf(names + used, sizeof names - used, "%s%s", used ? ", " : "", parameters->keys[k]);
        used = n > 0 && used + (size_t)n < sizeof names ? used + (size_t)n : sizeof names - 1;
    }
    rbv_diagnose(diagnostics, RBV_ERROR, file->path, (RbvPosition){0, 0},
                 RBV_OPTION_ALONG " %s: the model has no such parameter; it has%s%s", file->name,
                 names[0] ? ": " : " none", names);
    return RBV_BAD_INPUT;
}

/* Check that the file can be read at the begin of the path; errors at its end are found while following it. */
static RbvStatus check_start(FileFamily *file, RbvDiagnostics *diagnostics) {
    RbvModel *model = NULL;
    RbvStatus status = at(file, file->family.from, diagnostics, &model);
    rbv_model_destroy(model);
    if (status != RBV_OK || file->family.from != 0)
        return status;
    status = at(file, 1e-6 * file->family.to, diagnostics,
                &model); /* a unit can be omitted for zero, but not for later values */
    rbv_model_destroy(model);
    return status;
}

/* Report a parameter that is both set and followed: P=3 and P=1..2. */
static RbvStatus check_not_set(const FileFamily *file, RbvDiagnostics *diagnostics) {
    size_t length = strlen(file->name);
    for (int32_t k = 0; k < file->override_count; k++)
        if (strncmp(file->overrides[k], file->name, length) == 0 && file->overrides[k][length] == '=')
            return wrong_range(file, diagnostics, "and " RBV_OPTION_OVERRIDES " both give a value to '%s'", file->name);
    return RBV_OK;
}

/* Copies of items[count], with space for one more; *copied: number of copies. */
static char **copy_list(RbvArena *arena, int32_t count, const char *const *items, int32_t *copied) {
    char **copies = rbv_arena_array(arena, (size_t)count + 1, sizeof *copies);
    for (*copied = 0; copies && *copied < count; (*copied)++)
        if (!(copies[*copied] = rbv_arena_copy(arena, items[*copied], strlen(items[*copied]))))
            break;
    return copies;
}

static bool copy_model_text(FileFamily *file, const RbvInput *input, const char *text, size_t length) {
    file->length = length;
    file->text = input->scene ? rbv_arena_copy(&file->arena, text, length) : NULL;
    return file->text || !input->scene;
}

static bool copy_call(FileFamily *file, const RbvInput *input) {
    RbvArena *arena = &file->arena;
    file->path = rbv_arena_copy(arena, input->path, strlen(input->path));
    file->overrides = copy_list(arena, input->override_count, input->overrides, &file->override_count);
    RbvCallSettings *call = &file->call;
    *call = rbv_call_settings(input);
    call->folders.items =
        (const char *const *)copy_list(arena, input->folder_count, input->folders, &call->folders.count);
    call->inputs = (const char *const *)copy_list(arena, input->input_count, input->inputs, &call->input_count);
    RbvFunctionDef *functions = rbv_arena_array(arena, (size_t)input->function_count + 1, sizeof *functions);
    for (int32_t k = 0; functions && k < input->function_count; k++) {
        functions[k] = input->functions[k];
        const char *name = functions[k].name;
        functions[k].name = name ? rbv_arena_copy(arena, name, strlen(name)) : "";
        if (!functions[k].name)
            return false;
    }
    call->functions = functions;
    if (file->overrides)
        file->overrides[file->override_count] = file->value;
    return file->path && file->overrides && call->folders.items && call->inputs && functions &&
           file->override_count == input->override_count && call->folders.count == input->folder_count &&
           call->input_count == input->input_count;
}

static RbvStatus load_family_text(const RbvInput *input, const char *text, size_t length, const char *along,
                                  RbvDiagnostics *diagnostics, RbvFamily **family) {
    FileFamily *file = calloc(1, sizeof *file);
    if (!file)
        return RBV_NO_MEMORY;
    file->family.context = file;
    RbvStatus status = copy_call(file, input) && copy_model_text(file, input, text, length) ? RBV_OK : RBV_NO_MEMORY;
    if (status == RBV_OK)
        status = parse_range(file, along, diagnostics);
    if (status == RBV_OK)
        status = rbv_read_tree(input->path, text, length, diagnostics, &file->tree);
    if (status == RBV_OK)
        status = check_not_set(file, diagnostics);
    if (status == RBV_OK)
        status = check_name(file, diagnostics);
    if (status == RBV_OK)
        status = check_start(file, NULL);
    if (status == RBV_BAD_INPUT && diagnostics && rbv_diagnostics_errors(diagnostics) == 0)
        status = check_start(file, diagnostics); /* second check, with messages: the first is silent, since notes of a
                                                    valid file are reported later with its models */
    if (status != RBV_OK)
        rbv_family_destroy(&file->family);
    else
        *family = &file->family;
    return status;
}

RbvStatus rbv_family_read(const RbvInput *input, const char *along, RbvDiagnostics *diagnostics, RbvFamily **family) {
    RbvStatus status = along && family ? rbv_check_input(input, diagnostics) : RBV_BAD_ARGUMENT;
    if (family)
        *family = NULL;
    if (status != RBV_OK || input->text)
        return status == RBV_OK ? load_family_text(input, input->text, input->length, along, diagnostics, family)
                                : status;
    char *text;
    size_t length;
    status = rbv_read_model_file(input->path, &text, &length, diagnostics);
    if (status == RBV_OK)
        status = load_family_text(input, text, length, along, diagnostics, family);
    free(text);
    return status;
}

void rbv_family_destroy(RbvFamily *family) {
    if (!family)
        return;
    FileFamily *file = family->context;
    rbv_node_tree_destroy(file->tree);
    rbv_arena_clear(&file->arena);
    free(file);
}
