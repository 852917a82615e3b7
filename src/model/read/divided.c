/* Texts that are split at a comma. Inside brackets YAML splits at commas: {mass: 0,5 kg} is mass: 0 and a key "5 kg",
 * and [max(t, 1), 0] has three items. Readers of the pieces could not report the error. */
#include "model/read/divided.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* True for a scalar written without quotes, on one line. */
static bool is_plain(const RbvNode *node) {
    return node->kind == RBV_NODE_SCALAR && node->text_column > 0 && node->text_column == node->at.column &&
           *node->text;
}

/* Number of opening brackets that the text does not close; 0 or less if all are closed. */
static int open_in(const char *text) {
    int open = 0;
    for (; *text; text++)
        open += (*text == '(') - (*text == ')');
    return open;
}

static bool is_nothing(const RbvNode *node) {
    return node->kind == RBV_NODE_SCALAR && node->type == RBV_SCALAR_NULL && !*node->text;
}

static bool is_digit_at_end(const char *text) {
    size_t length = strlen(text);
    return length > 0 && isdigit((unsigned char)text[length - 1]);
}

/* Text of item k if it can be a piece of a split text: in a map a key without a value, in a list a plain text; else
 * NULL. */
static const char *piece(const RbvNode *node, int32_t k) {
    if (k >= node->count)
        return NULL;
    if (node->kind == RBV_NODE_MAP)
        return is_nothing(node->items[k]) ? node->keys[k] : NULL;
    return is_plain(node->items[k]) ? node->items[k]->text : NULL;
}

/* Join the pieces of an expression from item `first` on until its brackets are closed, into text; returns the number of
 * pieces behind the first. */
static int32_t gather(const RbvNode *node, int32_t first, char *text, size_t size) {
    int open = open_in(node->items[first]->text);
    size_t used = (size_t)snprintf(text, size, "%s", node->items[first]->text);
    int32_t k = first + 1;
    for (; open > 0; k++) {
        const char *more = piece(node, k);
        if (!more)
            return 0;
        open += open_in(more);
        used = used < size ? used + (size_t)snprintf(text + used, size - used, ", %s", more) : used;
    }
    return k - first - 1;
}

int32_t rbv_find_divided(const RbvNode *node, int32_t *from, char *message, size_t size) {
    char text[200];
    for (int32_t k = *from; k < node->count; k++) {
        const RbvNode *item = node->items[k];
        if (!is_plain(item))
            continue;
        int32_t pieces = open_in(item->text) > 0 ? gather(node, k, text, sizeof text) : 0;
        const char *next = node->kind == RBV_NODE_MAP ? piece(node, k + 1) : NULL;
        if (pieces > 0) {
            snprintf(message, size, "the commas of '%.150s' divide this %s: put the expression in quotes", text,
                     node->kind == RBV_NODE_MAP ? "map" : "list");
            *from = k + pieces + 1;
            return k;
        }
        if (next && isdigit((unsigned char)*next) && is_digit_at_end(item->text)) {
            snprintf(message, size, "is '%.60s,%.60s' one number? its decimals stand behind a point: %.60s.%.60s",
                     item->text, next, item->text, next);
            *from = k + 2;
            return k;
        }
    }
    return -1;
}
