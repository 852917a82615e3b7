/* Values of parameters given in the call (--set); see overrides.h. */
#include "model/read/overrides.h"

#include "core/base/diagnostics.h"

#include <stdio.h>
#include <string.h>

#define WORDS 128

static const RbvPosition nowhere = {0, 0};

/* Text behind "name =", with or without blanks; NULL: the item sets another name. */
static const char *value_of(const char *item, const char *name) {
    size_t length = strlen(name);
    item += strspn(item, " \t");
    if (strncmp(item, name, length) != 0)
        return NULL;
    item += length;
    item += strspn(item, " \t");
    return *item == '=' ? item + 1 + strspn(item + 1, " \t") : NULL;
}

const char *rbv_find_override(RbvReader *reader, const char *name) {
    const char *found = NULL;
    for (int32_t k = 0; k < reader->overrides.count; k++) {
        const char *value = value_of(reader->overrides.items[k], name);
        if (!value)
            continue;
        found = value;
        reader->override_used[k] = true;
    }
    return found;
}

const char *rbv_override_option(const RbvReader *reader, const char *name) {
    const char *last = reader->overrides.items[reader->overrides.count - 1];
    return strcmp(last, name) == 0 || value_of(last, name) ? reader->overrides.option : "--set";
}

/* Dimension of the value in the file; its errors are not reported, and its uses of other parameters are not recorded.
 */
static RbvExprDimension own_dimension(RbvReader *reader, const RbvNode *node, const char *name) {
    RbvExprDimension measured = {.bond = RBV_EXPR_BARE};
    RbvReader silent = *reader;
    double ignored;
    bool broken = reader->model->broken;
    int32_t uses = reader->model->uses.count;
    silent.diagnostics = NULL;
    rbv_read_constant(&silent, node, RBV_DIM_ANY, name, &ignored, &measured);
    reader->no_memory = silent.no_memory;
    reader->model->broken = broken;
    reader->model->uses.count = uses;
    return measured;
}

/* Copy "3[mm]" alone into copy[size] as the quantity "3 mm"; other texts are returned unchanged. */
static const char *as_quantity(const char *text, char *copy, size_t size) {
    const char *bracket = strchr(text, '['), *end = bracket ? strchr(bracket, ']') : NULL;
    double number;
    RbvUnit unit;
    const char *unit_text;
    if (!end || end[1] != '\0' || (size_t)(end - text) >= size)
        return text;
    snprintf(copy, size, "%.*s %.*s", (int)(bracket - text), text, (int)(end - bracket) - 1, bracket + 1);
    return rbv_written_as(copy, &number, &unit, &unit_text) == RBV_WRITTEN_QUANTITY ? copy : text;
}

static void lacks_unit(RbvReader *reader, const char *option, const char *name, const char *text, const RbvNode *node,
                       RbvWritten written) {
    if (written == RBV_WRITTEN_EXPRESSION)
        rbv_reader_error(reader, nowhere,
                         "%s %s=%s has no unit, but the model gives '%s' as %s; write units in brackets: 2[UNIT]*3",
                         option, name, text, name, node->text);
    else if (strcmp(option, "--set") == 0)
        rbv_reader_error(reader, nowhere,
                         "--set %s=%s has no unit, but the model gives '%s' as %s; write --set '%s=%s UNIT'", name,
                         text, name, node->text, name, text);
    else
        rbv_reader_error(reader, nowhere, "%s %s has no unit, but the model gives '%s' as %s; write %s '%s=a..b UNIT'",
                         option, name, name, node->text, option, name);
}

/* True if the dimension of the new value fits that of the parameter in the file. For two quantities the rules of a key
 * of that dimension apply: rad fits 1, J alone is no torque, 1/s is a frequency. An expression need not tell torque
 * from energy. */
static bool agree(RbvExprDimension fresh, RbvExprDimension own, bool quantities) {
    if (fresh.bond < RBV_EXPR_KNOWN || own.bond < RBV_EXPR_KNOWN)
        return true;
    RbvDimension named = rbv_exponents_named(own.exponents);
    return quantities && named != RBV_DIM_ANY ? rbv_exponents_suit(fresh.exponents, named)
                                              : rbv_exponents_fit(fresh.exponents, own.exponents);
}

void rbv_read_override(RbvReader *reader, const char *name, const char *text, const RbvNode *node, double *value,
                       RbvExprDimension *measured) {
    const char *option = rbv_override_option(reader, name), *unit_text;
    char copy[128];
    double number = 0;
    RbvUnit unit;
    if (!*text) {
        rbv_reader_error(reader, nowhere, "%s %s= has no value", option, name);
        return;
    }
    RbvExprDimension own = own_dimension(reader, node, name);
    RbvNode typed = {.kind = RBV_NODE_SCALAR, .type = RBV_SCALAR_STRING, .text = as_quantity(text, copy, sizeof copy)};
    RbvWritten written = rbv_written_as(typed.text, &number, &unit, &unit_text), own_written = RBV_WRITTEN_EXPRESSION;
    if (node->kind == RBV_NODE_SCALAR && node->text)
        own_written = rbv_written_as(node->text, &number, &unit, &unit_text);
    if (!rbv_read_constant(reader, &typed, RBV_DIM_ANY, name, value, measured))
        return;
    bool has_unit = measured->bond >= RBV_EXPR_KNOWN || (written == RBV_WRITTEN_EXPRESSION && strchr(text, '[')),
         zero = written == RBV_WRITTEN_NUMBER && *value == 0;
    bool wants_unit = own.bond == RBV_EXPR_DECLARED && rbv_exponents_named(own.exponents) != RBV_DIM_NONE;
    if (wants_unit && !has_unit && !zero) {
        lacks_unit(reader, option, name, text, node, written);
    } else if (!agree(*measured, own, written == RBV_WRITTEN_QUANTITY && own_written == RBV_WRITTEN_QUANTITY)) {
        char is[WORDS], wants[WORDS];
        rbv_exponents_words(measured->exponents, is, sizeof is);
        rbv_exponents_words(own.exponents, wants, sizeof wants);
        rbv_reader_error(reader, nowhere, "%s %s=%s: %s is of another dimension than the model's %s, %s", option, name,
                         text, is, node->text, wants);
    }
    if (wants_unit) /* also after a reported error, and for a bare 0 */
        *measured = own;
}

void rbv_check_overrides(RbvReader *reader) {
    for (int32_t k = 0; k < reader->overrides.count; k++) {
        if (reader->override_used[k])
            continue;
        char names[400] = "";
        size_t used = 0;
        for (int32_t n = 0; n < reader->model->parameters.count; n++) {
            int w = snprintf(names + used, sizeof names - used, "%s%s", used ? ", " : "",
                             reader->model->parameters.items[n].name);
            used = w > 0 && used + (size_t)w < sizeof names ? used + (size_t)w : sizeof names - 1;
        }
        rbv_reader_error(reader, nowhere, "--set %s: the model has no such parameter; %s%s", reader->overrides.items[k],
                         names[0] ? "it has: " : "it has none", names);
    }
}
