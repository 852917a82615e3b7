/* Linkages and their workspaces: closings into the axes of links, the ways between their bodies, all memory. */
#include "base/diagnostics.h"
#include "tree/linkage.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_NUMBERS 125000000 /* of the factors of C: 1 GB */

static bool finite(const double *x, int count) {
    for (int k = 0; k < count; k++)
        if (!isfinite(x[k]))
            return false;
    return true;
}

static bool wrong(RbvDiagnostics *diagnostics, const char *what, int32_t index, const char *why) {
    rbv_diagnose(diagnostics, RBV_ERROR, NULL, (RbvPosition){0, 0}, "%s %d of the linkage: %s", what, (int)index, why);
    return false;
}

static bool check_closing(const RbvTree *tree, const RbvClosing *c, int32_t index, RbvDiagnostics *diagnostics) {
    for (int side = 0; side < 2; side++) {
        if (c->body[side] < -1 || c->body[side] >= tree->body_count)
            return wrong(diagnostics, "closing", index, "it names a body that the tree has not");
        const double *t = c->turn[side];
        if (!finite(c->place[side], 3) || !finite(t, 4) || (t[0] == 0 && t[1] == 0 && t[2] == 0 && t[3] == 0))
            return wrong(diagnostics, "closing", index, "the place or the quaternion of a frame is not finite or zero");
    }
    if (c->body[0] == c->body[1])
        return wrong(diagnostics, "closing", index, "it is between a body and itself");
    if (c->holds == 0 || c->holds > 63 || ((c->holds & RBV_HOLD_CROSS) && (c->holds & RBV_HOLD_AXES)))
        return wrong(diagnostics, "closing", index, "it holds nothing, or what no joint holds (AXES and CROSS contradict each other)");
    return true;
}

static bool check_driven(const RbvTree *tree, int32_t count, const int32_t *driven, RbvDiagnostics *diagnostics) {
    for (int32_t k = 0; k < count; k++) {
        if (driven[k] < 0 || driven[k] >= tree->nv)
            return wrong(diagnostics, "driven number", k, "the tree has no such index of v");
        int32_t body = tree->v_body[driven[k]];
        RbvTreeJoint joint = tree->body[body].joint;
        if (joint == RBV_TREE_SPHERICAL || (joint == RBV_TREE_FREE && driven[k] - tree->body_v[body] > 2))
            return wrong(diagnostics, "driven number", k, "it is a part of an angular velocity, whose position is a quaternion");
        for (int32_t e = 0; e < k; e++)
            if (driven[e] == driven[k])
                return wrong(diagnostics, "driven number", k, "it is driven twice");
    }
    return true;
}

static int32_t row_count(uint32_t holds) {
    int32_t count = holds & RBV_HOLD_AXES ? 1 : 0; /* two rows */
    for (; holds; holds &= holds - 1)
        count++;
    return count;
}

/* Number of q of a number of v; -1: it has none of its own. */
static int32_t q_of(const RbvTree *tree, int32_t v) {
    int32_t body = tree->v_body[v], f = v - tree->body_v[body];
    RbvTreeJoint joint = tree->body[body].joint;
    return joint == RBV_TREE_SPHERICAL || (joint == RBV_TREE_FREE && f > 2) ? -1 : tree->body_q[body] + f;
}

/* Numbers of v by their place among the driven ones, or the others. */
static bool number_free(RbvLinkage *l, int32_t driven_count, const int32_t *driven) {
    l->driven_of = rbv_arena_array(&l->arena, (size_t)l->tree->nv, sizeof *l->driven_of);
    l->free_of = rbv_arena_array(&l->arena, (size_t)l->tree->nv, sizeof *l->free_of);
    if (!l->driven_of || !l->free_of)
        return false;
    l->simple = true;
    for (int32_t v = 0; v < l->tree->nv; v++)
        l->driven_of[v] = l->free_of[v] = -1;
    for (int32_t k = 0; k < driven_count; k++)
        l->driven[k] = driven[k], l->driven_q[k] = q_of(l->tree, driven[k]), l->driven_of[driven[k]] = k;
    for (int32_t v = 0; v < l->tree->nv; v++) {
        if (l->driven_of[v] >= 0)
            continue;
        l->free_of[v] = l->free_count;
        l->free[l->free_count] = v;
        l->free_q[l->free_count] = q_of(l->tree, v);
        l->simple = l->simple && l->free_q[l->free_count] >= 0;
        l->free_count++;
    }
    return true;
}

/* Freedoms from a link to ground that are not on the way of the other body. Steps NULL: count. */
static int32_t add_steps(const RbvTree *tree, const int32_t link[2], RbvLinkageStep *steps) {
    int32_t count = 0, at[2] = {link[0], link[1]};
    while (at[0] != at[1]) { /* parents stand before children: the later of the two is not on the other's way */
        int side = at[0] > at[1] ? 0 : 1;
        const RbvTreeLink *j = tree->link + at[side];
        for (int32_t f = 0; f < rbv_link_freedoms(j->kind); f++, count++)
            if (steps)
                steps[count] = (RbvLinkageStep){at[side], j->column + f, j->v + f, -1, (side ? 1 : -1) * tree->own[at[side]].ratio};
        at[side] = j->parent;
    }
    return count;
}

static void fold_frame(const RbvTree *tree, const RbvClosing *from, int side, RbvLinkageClosing *c) {
    const double *t = from->turn[side], *p = from->place[side];
    RbvMat3 F = rbv_mat3_of_quat(rbv_quat_normalised((RbvQuat){t[0], {t[1], t[2], t[3]}}));
    static const double same[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    const double *A = from->body[side] < 0 ? same : tree->axes[from->body[side]];
    for (int e = 0; e < 3; e++) {
        c->place[side][e] = A[e] * p[0] + A[3 + e] * p[1] + A[6 + e] * p[2];
        for (int k = 0; k < 3; k++)
            c->axes[side][3 * e + k] = A[e] * F.column[k].x + A[3 + e] * F.column[k].y + A[6 + e] * F.column[k].z;
    }
    c->link[side] = from->body[side] < 0 ? -1 : tree->last[from->body[side]];
}

/* Columns of each block: numbers of v that its steps have, each once. */
static bool add_entries(RbvLinkage *l) {
    RbvArena arena = {0};
    int32_t *seen = rbv_arena_array(&arena, (size_t)l->tree->nv, sizeof *seen), *at = rbv_arena_array(&arena, (size_t)l->tree->nv, sizeof *at);
    for (int32_t k = 0; seen && at && k < l->block_count; k++) {
        RbvLinkageBlock *b = l->block + k;
        b->entry = l->entry_count, b->values = l->value_count;
        for (int32_t s = b->step; s < b->step + b->steps; s++) {
            int32_t v = l->step[s].v;
            if (seen[v] != k + 1) {
                seen[v] = k + 1, at[v] = b->entries++;
                l->entry[l->entry_count++] = (RbvLinkageEntry){v, l->driven_of[v], l->free_of[v], -1};
                if (l->driven_of[v] >= 0)
                    l->drive[l->drive_count++] = (RbvLinkageDrive){l->driven_of[v], b->row, b->rows, b->values + (ptrdiff_t)b->rows * at[v]};
            }
            l->step[s].entry = at[v];
        }
        l->value_count += (ptrdiff_t)b->rows * b->entries;
    }
    bool good = seen && at;
    rbv_arena_clear(&arena);
    return good;
}

static double length_of(const double *u) {
    return sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
}

/* Distances count by the size of the linkage. */
static bool weigh(RbvLinkage *l) {
    for (int32_t k = 0; k < l->count; k++) {
        RbvLinkageClosing *c = l->closing + k;
        c->reach = length_of(c->place[0]) + length_of(c->place[1]);
        for (int32_t s = l->block[k].step; s < l->block[k].step + l->block[k].steps; s++)
            c->reach += length_of(l->tree->link[l->step[s].link].p);
    }
    l->weight = rbv_arena_array(&l->arena, (size_t)l->tree->nv, sizeof *l->weight);
    for (int32_t k = 0; l->weight && k < l->tree->link_count; k++) {
        const RbvTreeLink *j = l->tree->link + k;
        for (int32_t f = 0; f < rbv_link_freedoms(j->kind); f++)
            l->weight[j->v + f] = j->kind == RBV_LINK_SLIDE ? 1 / l->length : 1;
    }
    return l->weight;
}

static bool compile(RbvLinkage *l, const RbvClosing *closings) {
    const RbvTree *tree = l->tree;
    for (int32_t k = 0; k < tree->body_count; k++)
        l->length += sqrt(tree->body[k].place[0] * tree->body[k].place[0] + tree->body[k].place[1] * tree->body[k].place[1] + tree->body[k].place[2] * tree->body[k].place[2]);
    for (int32_t k = 0; k < l->count; k++) {
        RbvLinkageClosing *c = l->closing + k;
        for (int side = 0; side < 2; side++) {
            fold_frame(tree, closings + k, side, c);
            l->body[2 * k + side] = closings[k].body[side];
            l->length += sqrt(c->place[side][0] * c->place[side][0] + c->place[side][1] * c->place[side][1] + c->place[side][2] * c->place[side][2]);
        }
        c->holds = closings[k].holds;
        c->row = l->rows, c->rows = row_count(c->holds), l->rows += c->rows;
        l->block[l->block_count++] = (RbvLinkageBlock){.row = c->row, .rows = c->rows, .step = l->step_count, .steps = add_steps(tree, c->link, NULL)};
        l->step_count += l->block[k].steps;
    }
    if (!(l->length > 0))
        l->length = 1;
    l->step = rbv_arena_array(&l->arena, (size_t)l->step_count, sizeof *l->step);
    l->entry = rbv_arena_array(&l->arena, (size_t)l->step_count, sizeof *l->entry);
    l->drive = rbv_arena_array(&l->arena, (size_t)l->step_count, sizeof *l->drive);
    if (!l->step || !l->entry || !l->drive)
        return false;
    for (int32_t k = 0; k < l->count; k++)
        add_steps(tree, l->closing[k].link, l->step + l->block[k].step);
    return weigh(l) && add_entries(l);
}

static bool reserve(RbvLinkage *l, int32_t driven_count) {
    size_t count = (size_t)l->count, nv = (size_t)l->tree->nv;
    l->closing = rbv_arena_array(&l->arena, count, sizeof *l->closing);
    l->body = rbv_arena_array(&l->arena, 2 * count, sizeof *l->body);
    l->block = rbv_arena_array(&l->arena, count, sizeof *l->block);
    l->driven = rbv_arena_array(&l->arena, (size_t)driven_count, sizeof *l->driven);
    l->driven_q = rbv_arena_array(&l->arena, (size_t)driven_count, sizeof *l->driven_q);
    l->free = rbv_arena_array(&l->arena, nv, sizeof *l->free);
    l->free_q = rbv_arena_array(&l->arena, nv, sizeof *l->free_q);
    return l->closing && l->body && l->block && l->driven && l->driven_q && l->free && l->free_q;
}

RbvStatus rbv_linkage_create(const RbvTree *tree, int32_t count, const RbvClosing *closings, int32_t driven_count, const int32_t *driven, RbvDiagnostics *diagnostics, RbvLinkage **out) {
    if (out)
        *out = NULL;
    if (!out || !tree || count < 0 || (count > 0 && !closings) || driven_count < 0 || (driven_count > 0 && !driven))
        return RBV_BAD_ARGUMENT;
    bool good = check_driven(tree, driven_count, driven, diagnostics);
    int64_t rows = 0;
    for (int32_t k = 0; k < count; k++) {
        good = check_closing(tree, closings + k, k, diagnostics) && good;
        rows += row_count(closings[k].holds);
    }
    if (good && rows + driven_count < tree->nv)
        good = wrong(diagnostics, "driven number", driven_count, "it is missing: closings and driven numbers are fewer than the freedoms of the tree");
    if (!good)
        return RBV_BAD_INPUT;
    RbvLinkage *l = calloc(1, sizeof *l);
    if (!l)
        return RBV_NO_MEMORY;
    l->tree = tree, l->count = count, l->driven_count = driven_count;
    RbvStatus status = reserve(l, driven_count) && number_free(l, driven_count, driven) && compile(l, closings) && rbv_linkage_make_fronts(l) ? RBV_OK : RBV_NO_MEMORY;
    if (status == RBV_OK && l->QR_count > MOST_NUMBERS) {
        wrong(diagnostics, "closing", count - 1, "so many loops go through the same bodies that their equations take more than 1 GB");
        status = RBV_BAD_INPUT;
    }
    if (status != RBV_OK)
        rbv_linkage_destroy(l);
    else
        *out = l;
    return status;
}

void rbv_linkage_destroy(RbvLinkage *linkage) {
    if (!linkage)
        return;
    rbv_arena_clear(&linkage->arena);
    free(linkage);
}

int32_t rbv_linkage_driven_count(const RbvLinkage *linkage) {
    return linkage ? linkage->driven_count : 0;
}
int32_t rbv_linkage_row_count(const RbvLinkage *linkage) {
    return linkage ? linkage->rows : 0;
}

bool rbv_linkage_set_origin(RbvLinkage *l, const double *start, const char *const *names) {
    l->start = rbv_arena_array(&l->arena, (size_t)l->tree->nq, sizeof *l->start);
    l->names = rbv_arena_array(&l->arena, (size_t)l->count, sizeof *l->names);
    if (!l->start || !l->names)
        return false;
    memcpy(l->start, start, (size_t)l->tree->nq * sizeof *start);
    for (int32_t k = 0; k < l->count; k++)
        if (!(l->names[k] = rbv_arena_copy(&l->arena, names[k], strlen(names[k]))))
            return false;
    return true;
}

RbvStatus rbv_linkage_origin(const RbvLinkage *l, double *q) {
    if (!l || !q)
        return RBV_BAD_ARGUMENT;
    if (!l->start)
        return rbv_tree_neutral(l->tree, q);
    memcpy(q, l->start, (size_t)l->tree->nq * sizeof *q);
    return RBV_OK;
}

const char *rbv_linkage_closing_name(const RbvLinkage *l, int32_t index) {
    return !l || index < 0 || index >= l->count ? NULL : l->names ? l->names[index] : "";
}

int32_t rbv_linkage_driven(const RbvLinkage *l, int32_t index) {
    return !l || index < 0 || index >= l->driven_count ? -1 : l->driven[index];
}
