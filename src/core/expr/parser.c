/* The tree of an expression, node by node; see parser.h. */
#include "core/expr/parser.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int32_t rbv_parser_fail(RbvExprParser *p, int32_t offset, const char *format, ...) {
    if (!p->failed) {
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(p->error->message, sizeof p->error->message, format, arguments);
        va_end(arguments);
        p->error->offset = (size_t)offset;
        p->failed = true;
    }
    return -1;
}

int32_t rbv_parser_no_memory(RbvExprParser *p) {
    return rbv_parser_fail(p, p->at, "no memory");
}

static bool grow(void *array, int32_t *capacity, size_t size) {
    if (*capacity > INT32_MAX / 4)
        return false;
    int32_t larger = *capacity == 0 ? 8 : 2 * *capacity;
    void *old;
    memcpy(&old, array, sizeof old);
    void *new = realloc(old, (size_t)larger * size);
    if (new == NULL)
        return false;
    memcpy(array, &new, sizeof new);
    *capacity = larger;
    return true;
}

int32_t rbv_parser_add(RbvExprParser *p, RbvExprKind kind, int32_t start) {
    RbvExprTree *t = p->tree;
    if (t->node_count == t->node_capacity && !grow(&t->nodes, &t->node_capacity, sizeof *t->nodes))
        return rbv_parser_no_memory(p);
    int32_t end = p->at;
    while (end > start && (t->text[end - 1] == ' ' || t->text[end - 1] == '\t'))
        end--;
    t->nodes[t->node_count] =
        (RbvExprNode){.kind = kind, .offset = start, .length = end - start, .id = -1, .variable = -1};
    return t->node_count++;
}

int32_t rbv_parser_add_number(RbvExprParser *p, double value, int32_t start) {
    int32_t node = rbv_parser_add(p, RBV_NODE_NUMBER, start);
    if (node >= 0)
        p->tree->nodes[node].number = value;
    return node;
}

bool rbv_parser_push(RbvExprParser *p, int32_t link) {
    if (p->pending_count == p->pending_capacity && !grow(&p->pending, &p->pending_capacity, sizeof *p->pending)) {
        rbv_parser_no_memory(p);
        return false;
    }
    p->pending[p->pending_count++] = link;
    return true;
}

int32_t rbv_parser_add_parent(RbvExprParser *p, RbvExprKind kind, int32_t start, int32_t mark) {
    RbvExprTree *t = p->tree;
    int32_t node = rbv_parser_add(p, kind, start);
    if (node < 0)
        return -1;
    t->nodes[node].first = t->link_count;
    t->nodes[node].count = p->pending_count - mark;
    for (int32_t k = mark; k < p->pending_count; k++) {
        if (t->link_count == t->link_capacity && !grow(&t->links, &t->link_capacity, sizeof *t->links)) {
            return rbv_parser_no_memory(p);
        }
        t->links[t->link_count++] = p->pending[k];
    }
    p->pending_count = mark;
    return node;
}

char rbv_parser_next(RbvExprParser *p) {
    while (p->tree->text[p->at] == ' ' || p->tree->text[p->at] == '\t' || p->tree->text[p->at] == '\n' ||
           p->tree->text[p->at] == '\r')
        p->at++;
    return p->tree->text[p->at];
}

bool rbv_parser_accept(RbvExprParser *p, char c) {
    if (rbv_parser_next(p) != c)
        return false;
    p->at++;
    return true;
}

bool rbv_parser_nest(RbvExprParser *p) {
    if (++p->nesting <= RBV_MOST_NESTING)
        return true;
    rbv_parser_fail(p, p->at, "nested deeper than %d; name a part of it as a parameter", RBV_MOST_NESTING);
    return false;
}
