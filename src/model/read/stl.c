/* Reads STL: text "solid ... facet normal ... outer loop vertex x y z (3) endloop endfacet ... endsolid", or binary
 * with 80 bytes of header, a count, and 50 bytes per triangle. */
#include "model/read/stl.h"

#include "core/base/units.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEADER 84
#define RECORD 50

static uint32_t little_endian(const unsigned char *b) {
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static double float_at(const unsigned char *b) {
    uint32_t bits = little_endian(b);
    float value;
    memcpy(&value, &bits, sizeof value);
    return (double)value;
}

static bool add_corner(RbvVec3 at, RbvStl *stl, int32_t n, char *why, size_t size) {
    if (!isfinite(at.x + at.y + at.z)) {
        snprintf(why, size, "corner %d is not finite", (int)n + 1);
        return false;
    }
    stl->corner[n] = at;
    return true;
}

static bool parse_binary(const unsigned char *b, RbvStl *stl, char *why, size_t size) {
    for (int32_t k = 0; k < stl->count; k++)
        for (int c = 0; c < 3; c++) {
            const unsigned char *at = b + HEADER + (size_t)k * RECORD + 12 + 12 * c;
            if (!add_corner((RbvVec3){float_at(at), float_at(at + 4), float_at(at + 8)}, stl, 3 * k + c, why, size))
                return false;
        }
    return true;
}

/* Next word of the text, with its length; NULL at the end. */
static const char *next_word(const char **at, const char *end, size_t *length) {
    const char *p = *at;
    while (p < end && strchr(" \t\r\n", *p) && *p)
        p++;
    const char *start = p;
    while (p < end && *p && !strchr(" \t\r\n", *p))
        p++;
    *at = p;
    *length = (size_t)(p - start);
    return p > start ? start : NULL;
}

/* Read every "vertex x y z"; `stl` NULL: only count them. Returns the number of corners, or -1 with the reason in
 * `why`. */
static int32_t parse_ascii(const char *text, size_t length, RbvStl *stl, char *why, size_t size) {
    const char *at = text, *end = text + length, *word;
    size_t n;
    int32_t count = 0;
    while ((word = next_word(&at, end, &n)) != NULL) {
        if (n != 6 || strncmp(word, "vertex", 6) != 0)
            continue;
        double x[3];
        for (int k = 0; k < 3; k++) {
            char number[64] = "";
            word = next_word(&at, end, &n);
            if (word && n < sizeof number)
                memcpy(number, word, n);
            if (!word || n >= sizeof number || rbv_number_parse(number, &x[k]) != n) {
                snprintf(why, size, "corner %d is not three numbers", (int)count + 1);
                return -1;
            }
        }
        if (stl && !add_corner((RbvVec3){x[0], x[1], x[2]}, stl, count, why, size))
            return -1;
        count++;
    }
    return count;
}

bool rbv_stl_parse(const char *text, size_t length, RbvArena *arena, RbvStl *stl, char *why, size_t size) {
    *stl = (RbvStl){0};
    why[0] = '\0';
    uint32_t triangles = length >= HEADER ? little_endian((const unsigned char *)text + 80) : 0;
    bool binary = length >= HEADER && length == HEADER + (size_t)triangles * RECORD;
    if (!binary && (length < 5 || strncmp(text, "solid", 5) != 0)) {
        snprintf(
            why, size,
            "it is no STL file: neither text that begins with 'solid' nor a count of triangles that fits its size");
        return false;
    }
    int32_t corners = binary ? (int32_t)(3 * triangles) : parse_ascii(text, length, NULL, why, size);
    if (corners < 0)
        return false;
    if (corners < 12 || corners % 3 != 0) {
        snprintf(why, size, "it holds %d corners; a closed surface has at least four triangles of three", (int)corners);
        return false;
    }
    stl->count = corners / 3;
    stl->corner = rbv_arena_alloc(arena, (size_t)corners * sizeof *stl->corner);
    if (!stl->corner)
        return false;
    return binary ? parse_binary((const unsigned char *)text, stl, why, size)
                  : parse_ascii(text, length, stl, why, size) == corners;
}

static int by_place(const RbvVec3 *a, const RbvVec3 *b) {
    if (a->x != b->x)
        return a->x < b->x ? -1 : 1;
    if (a->y != b->y)
        return a->y < b->y ? -1 : 1;
    if (a->z == b->z)
        return 0;
    return a->z < b->z ? -1 : 1;
}

/* Edge of a triangle with its ends in sorted order; direction: 1 if the triangle runs from a to b, -1 from b to a. In a
 * closed surface the directions of each edge sum to 0. */
typedef struct Edge {
    RbvVec3 a, b;
    int direction;
} Edge;

static int by_ends(const void *x, const void *y) {
    const Edge *p = x, *q = y;
    int order = by_place(&p->a, &q->a);
    return order ? order : by_place(&p->b, &q->b);
}

bool rbv_stl_is_closed(const RbvStl *stl, RbvArena *arena, char *why, size_t size) {
    size_t edges = 3 * (size_t)stl->count, used = 0;
    Edge *edge = rbv_arena_alloc(arena, edges * sizeof *edge);
    why[0] = '\0';
    if (!edge)
        return false;
    for (size_t k = 0; k < edges; k++) {
        RbvVec3 a = stl->corner[k], b = stl->corner[k % 3 == 2 ? k - 2 : k + 1];
        int order = by_place(&a, &b);
        if (order != 0)
            edge[used++] = order < 0 ? (Edge){a, b, 1} : (Edge){b, a, -1};
    }
    qsort(edge, used, sizeof *edge, by_ends);
    for (size_t k = 0; k < used;) {
        size_t end = k;
        int sum = 0;
        while (end < used && by_ends(&edge[k], &edge[end]) == 0)
            sum += edge[end++].direction;
        if (sum != 0) {
            snprintf(
                why, size,
                "the surface is not closed: the edge from (%g, %g, %g) to (%g, %g, %g) has a triangle on one side only",
                edge[k].a.x, edge[k].a.y, edge[k].a.z, edge[k].b.x, edge[k].b.y, edge[k].b.z);
            return false;
        }
        k = end;
    }
    return true;
}
