/* Writes expressions, points and numbers of a planar model in the form of a spatial model; see to_spatial.h. */
#include "model/read/to_spatial.h"

#include "core/base/diagnostics.h"

#include <ctype.h>
#include <string.h>

void rbv_convert_refuse(RbvConverter *c, RbvPosition at, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    rbv_diagnose_list(c->diagnostics, RBV_ERROR, c->file, at, format, arguments);
    va_end(arguments);
    c->wrong = true;
}

/* Index of the item called name[length], or -1. */
static int32_t find(const RbvConverter *c, const char *name, size_t length, RbvNamedKind kind) {
    char owner[RBV_NAME_SIZE];
    if (length >= sizeof owner)
        return -1;
    memcpy(owner, name, length);
    owner[length] = '\0';
    return rbv_model_find(c->model, owner, kind);
}

static bool is_slide(const RbvConverter *c, const char *name, size_t length) {
    int32_t k = find(c, name, length, RBV_NAMED_JOINT);
    return k >= 0 && c->model->joints.items[k].coordinates & RBV_DIRECTION_X;
}

static bool is_torque(const RbvConverter *c, const char *name, size_t length) {
    int32_t k = find(c, name, length, RBV_NAMED_LOAD);
    return k >= 0 && c->model->loads.items[k].kind == RBV_LOAD_TORQUE;
}

/* Convert names in a text: slide.distance -> slide.x; twist.torque -> twist.Tz; angle(body) -> sum of joint angles. */
void rbv_convert_text(const RbvConverter *c, const char *text, RbvText *out) {
    for (const char *p = text; *p;) {
        if (!isalpha((unsigned char)*p)) {
            bool number = isdigit((unsigned char)*p) || *p == '.';
            do
                rbv_text_append(out, p++, 1);
            while (number && *p &&
                   (isalnum((unsigned char)*p) || *p == '.')); /* skip the exponent in 1e3: not a name */
            continue;
        }
        size_t length = 0;
        while (isalnum((unsigned char)p[length]) || p[length] == '_')
            length++;
        const char *after = p + length, *inside = after + strspn(after, " ");
        if (strncmp(after, ".distance", 9) == 0 && !isalnum((unsigned char)after[9]) && after[9] != '_' &&
            is_slide(c, p, length)) {
            rbv_text_append(out, p, length);
            rbv_text_add(out, ".x");
            p = after + 9;
        } else if (strncmp(after, ".torque", 7) == 0 && !isalnum((unsigned char)after[7]) && after[7] != '_' &&
                   is_torque(c, p, length)) {
            rbv_text_append(out, p, length);
            rbv_text_add(out, ".Tz");
            p = after + 7;
        } else if (length == 5 && strncmp(p, "angle", 5) == 0 && *inside == '(') {
            const char *close = strchr(inside, ')');
            inside += 1 + strspn(inside + 1, " ");
            int32_t body = find(c, inside, strcspn(inside, " )"), RBV_NAMED_BODY);
            p = close + 1;
            char marks[4] = "";
            for (size_t n = 0; *p == '\'' && n < 3; p++)
                marks[n++] = '\'';
            rbv_angle_sum(c, body < 0 ? 0 : body, marks, out);
        } else {
            rbv_text_append(out, p, length);
            p = after;
        }
    }
}

void rbv_convert_expression(RbvConverter *c, const RbvNode *node) {
    if (!node || node->kind != RBV_NODE_SCALAR || node->type != RBV_SCALAR_STRING) {
        if (node)
            rbv_emit_node(&c->out, node);
        return;
    }
    RbvText text = {0};
    rbv_convert_text(c, node->text, &text);
    rbv_emit_string(&c->out, text.data ? text.data : "");
    c->out.no_memory = c->out.no_memory || text.no_memory;
    rbv_text_clear(&text);
}

/* Write "[a, b" of a list of two, then `rest`. */
void rbv_convert_point(RbvConverter *c, const RbvNode *list, const char *rest) {
    rbv_text_add(&c->out, "[");
    for (int32_t k = 0; k < list->count && k < 2; k++) {
        rbv_text_add(&c->out, k ? ", " : "");
        rbv_convert_expression(c, list->items[k]);
    }
    rbv_text_format(&c->out, "%s]", rest);
}

/* Write {at, angle} of a pose or marker. */
void rbv_convert_place(RbvConverter *c, const RbvNode *map) {
    const RbvNode *at = rbv_node_child(map, "at"), *angle = rbv_node_child(map, "angle");
    rbv_text_add(&c->out, "{");
    if (at) {
        rbv_text_add(&c->out, "at: ");
        rbv_convert_point(c, at, ", 0");
    }
    if (angle) {
        rbv_text_add(&c->out, at ? ", rotate: {axis: [0, 0, 1], angle: " : "rotate: {axis: [0, 0, 1], angle: ");
        rbv_emit_node(&c->out, angle);
        rbv_text_add(&c->out, "}");
    }
    rbv_text_add(&c->out, "}");
}

void rbv_convert_number(RbvConverter *c, const char *before, double value, const char *after) {
    rbv_text_add(&c->out, before);
    rbv_text_number(&c->out, value);
    rbv_text_add(&c->out, after);
}

/* Write half of a value. */
void rbv_convert_half(RbvConverter *c, const RbvNode *node) {
    double number = node->number;
    RbvUnit unit;
    const char *unit_text = "";
    RbvWritten written =
        node->type == RBV_SCALAR_NUMBER ? RBV_WRITTEN_NUMBER : rbv_written_as(node->text, &number, &unit, &unit_text);
    if (written == RBV_WRITTEN_EXPRESSION) {
        rbv_text_format(&c->out, "\"(%s)/2\"", node->text);
    } else if (written == RBV_WRITTEN_NUMBER) {
        rbv_text_number(&c->out, 0.5 * number);
    } else {
        rbv_convert_number(c, "\"", 0.5 * number, " ");
        rbv_text_format(&c->out, "%s\"", unit_text);
    }
}
