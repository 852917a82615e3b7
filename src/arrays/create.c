/* Creates trees: table, names, sizes; changes masses and gravity. */
#include "arrays/tree.h"
#include "core/base/diagnostics.h"
#include "core/base/large_pages.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static uint32_t hash_of_name(const void *bodies, int32_t k) {
    const char *name = ((const RbvTreeBody *)bodies)[k].name;
    return rbv_hash(name, strlen(name));
}

int32_t rbv_tree_find(const RbvTree *tree, const char *name) {
    if (!tree || !name)
        return -1;
    for (uint32_t cell = rbv_index_cell(&tree->names, rbv_hash(name, strlen(name)));;
         cell = rbv_index_cell(&tree->names, cell + 1)) {
        int32_t body = rbv_index_at(&tree->names, cell);
        if (body < 0 || strcmp(tree->body[body].name, name) == 0)
            return body;
    }
}

/* Check every body, then names, then mimic joints. */
static bool check_table(RbvTree *tree, int32_t count, const RbvTreeBody *bodies, RbvDiagnostics *diagnostics) {
    bool good = true;
    for (int32_t k = 0; k < count; k++)
        good = rbv_tree_check_body(bodies, k, diagnostics) && good;
    if (!good)
        return false;
    for (int32_t k = 0; k < count; k++) {
        int32_t other = rbv_tree_find(tree, bodies[k].name);
        if (other != k) {
            rbv_diagnose(diagnostics, RBV_ERROR, NULL, (RbvPosition){0, 0},
                         "body %d of the tree has the name '%s', which body %d has already", (int)k, bodies[k].name,
                         (int)other);
            good = false;
        }
    }
    return rbv_tree_check_mimics(bodies, count, diagnostics) && good;
}

/* Copy the table and its names; a name of two bodies finds the first. */
static bool copy_table(RbvTree *tree, int32_t count, const RbvTreeBody *bodies) {
    tree->body = rbv_arena_array(&tree->arena, (size_t)count, sizeof *tree->body);
    if (!tree->body)
        return false;
    tree->body_count = count;
    for (int32_t k = 0; k < count; k++) {
        const char *name = bodies[k].name ? bodies[k].name : "";
        tree->body[k] = bodies[k];
        tree->body[k].name = rbv_arena_copy(&tree->arena, name, strlen(name));
        if (!tree->body[k].name)
            return false;
    }
    for (int32_t k = 0; k < count; k++)
        if ((k == 0 || rbv_tree_find(tree, tree->body[k].name) < 0) &&
            !rbv_index_table_add(&tree->names, k, hash_of_name, tree->body))
            return false;
    return true;
}

/* [count] zeroed elements of `size` bytes, a power of two, aligned to `size`. */
static void *aligned_array(RbvArena *arena, size_t count, size_t size) {
    char *room = rbv_arena_array(arena, count + 1, size);
    if (!room)
        return NULL;
    rbv_large_pages(room, (count + 1) * size);
    return room + (size - (uintptr_t)room % size) % size;
}

/* Set indices in q and v, and allocate links. */
static bool lay_out(RbvTree *tree) {
    size_t count = (size_t)tree->body_count;
    tree->body_q = rbv_arena_array(&tree->arena, count, sizeof *tree->body_q);
    tree->body_v = rbv_arena_array(&tree->arena, count, sizeof *tree->body_v);
    if (!tree->body_q || !tree->body_v)
        return false;
    for (int32_t k = 0; k < tree->body_count; k++) {
        const RbvTreeBody *b = tree->body + k;
        bool has = b->mimic < 0 && rbv_tree_joint_freedoms(b->joint) > 0;
        tree->body_q[k] = has ? tree->nq : -1;
        tree->body_v[k] = has ? tree->nv : -1;
        if (has)
            tree->nq += rbv_tree_joint_numbers(b->joint), tree->nv += rbv_tree_joint_freedoms(b->joint);
        tree->link_count += rbv_tree_links_of(b->joint);
    }
    size_t links = (size_t)tree->link_count;
    tree->link = rbv_arena_array(&tree->arena, links, sizeof *tree->link);
    tree->sweep = aligned_array(&tree->arena, links, sizeof *tree->sweep);
    tree->moments = aligned_array(&tree->arena, links, sizeof *tree->moments);
    tree->own = rbv_arena_array(&tree->arena, links, sizeof *tree->own);
    tree->mass = rbv_arena_array(&tree->arena, links, sizeof *tree->mass);
    tree->lumped = rbv_arena_array(&tree->arena, links, sizeof *tree->lumped);
    tree->angle_link = rbv_arena_array(&tree->arena, links, sizeof *tree->angle_link);
    tree->first = rbv_arena_array(&tree->arena, count, sizeof *tree->first);
    tree->last = rbv_arena_array(&tree->arena, count, sizeof *tree->last);
    tree->axes = rbv_arena_array(&tree->arena, count, sizeof *tree->axes);
    tree->turned = rbv_arena_array(&tree->arena, count, sizeof *tree->turned);
    tree->v_body = rbv_arena_array(&tree->arena, (size_t)tree->nv, sizeof *tree->v_body);
    if (!tree->link || !tree->sweep || !tree->moments || !tree->own || !tree->mass || !tree->lumped ||
        !tree->angle_link || !tree->first || !tree->last || !tree->axes || !tree->turned || !tree->v_body)
        return false;
    for (int32_t k = 0; k < tree->body_count; k++)
        for (int32_t f = 0; tree->body_v[k] >= 0 && f < rbv_tree_joint_freedoms(tree->body[k].joint); f++)
            tree->v_body[tree->body_v[k] + f] = k;
    return true;
}

/* More bodies could exceed int32_t indices. */
#define MOST_BODIES 100000000

RbvStatus rbv_tree_create(int32_t count, const RbvTreeBody *bodies, const double *gravity, RbvDiagnostics *diagnostics,
                          RbvTree **out) {
    if (out)
        *out = NULL;
    if (!out || !bodies || count < 1 ||
        (gravity && !(isfinite(gravity[0]) && isfinite(gravity[1]) && isfinite(gravity[2]))))
        return RBV_BAD_ARGUMENT;
    if (count > MOST_BODIES)
        return RBV_NO_MEMORY;
    RbvTree *tree = calloc(1, sizeof *tree);
    if (!tree)
        return RBV_NO_MEMORY;
    RbvStatus status = copy_table(tree, count, bodies) ? RBV_OK : RBV_NO_MEMORY;
    if (status == RBV_OK && !check_table(tree, count, bodies, diagnostics))
        status = RBV_BAD_INPUT;
    if (status == RBV_OK && !(lay_out(tree) && rbv_tree_compile(tree)))
        status = RBV_NO_MEMORY;
    for (int k = 0; gravity && k < 3; k++)
        tree->gravity[k] = gravity[k];
    if (status != RBV_OK) {
        rbv_tree_destroy(tree);
        return status;
    }
    *out = tree;
    return RBV_OK;
}

void rbv_tree_destroy(RbvTree *tree) {
    if (!tree)
        return;
    rbv_index_table_clear(&tree->names);
    rbv_arena_clear(&tree->arena);
    free(tree);
}

int32_t rbv_tree_body_count(const RbvTree *tree) {
    return tree ? tree->body_count : 0;
}
int32_t rbv_tree_q_count(const RbvTree *tree) {
    return tree ? tree->nq : 0;
}
int32_t rbv_tree_v_count(const RbvTree *tree) {
    return tree ? tree->nv : 0;
}

static bool has_body(const RbvTree *tree, int32_t body) {
    return tree && body >= 0 && body < tree->body_count;
}
const RbvTreeBody *rbv_tree_body(const RbvTree *tree, int32_t body) {
    return has_body(tree, body) ? tree->body + body : NULL;
}
int32_t rbv_tree_q_index(const RbvTree *tree, int32_t body) {
    return has_body(tree, body) ? tree->body_q[body] : -1;
}
int32_t rbv_tree_v_index(const RbvTree *tree, int32_t body) {
    return has_body(tree, body) ? tree->body_v[body] : -1;
}
int32_t rbv_tree_joint_q_count(const RbvTree *tree, int32_t body) {
    return has_body(tree, body) && tree->body_q[body] >= 0 ? rbv_tree_joint_numbers(tree->body[body].joint) : 0;
}
int32_t rbv_tree_joint_v_count(const RbvTree *tree, int32_t body) {
    return has_body(tree, body) && tree->body_v[body] >= 0 ? rbv_tree_joint_freedoms(tree->body[body].joint) : 0;
}
int32_t rbv_tree_body_of_v(const RbvTree *tree, int32_t index) {
    return tree && index >= 0 && index < tree->nv ? tree->v_body[index] : -1;
}

bool rbv_tree_name_coordinates(RbvTree *tree, const char *const *names) {
    const char **copies = rbv_arena_array(&tree->arena, (size_t)tree->nq, sizeof *copies);
    if (!copies)
        return false;
    for (int32_t k = 0; k < tree->nq; k++)
        if (!(copies[k] = rbv_arena_copy(&tree->arena, names[k], strlen(names[k]))))
            return false;
    tree->coordinates = copies;
    return true;
}
const char *rbv_tree_coordinate(const RbvTree *tree, int32_t index) {
    if (!tree || index < 0 || index >= tree->nq)
        return NULL;
    if (tree->coordinates)
        return tree->coordinates[index];
    int32_t body = tree->body_count - 1;
    while (tree->body_q[body] < 0 || tree->body_q[body] > index)
        body--;
    return tree->body[body].name;
}

int32_t rbv_tree_find_coordinate(const RbvTree *tree, const char *name) {
    if (!tree || !name || !*name)
        return -1;
    if (!tree->coordinates) {
        int32_t body = rbv_tree_find(tree, name);
        return body < 0 ? -1 : tree->body_q[body];
    }
    for (int32_t k = 0; k < tree->nq; k++)
        if (strcmp(tree->coordinates[k], name) == 0)
            return k;
    return -1;
}

RbvStatus rbv_tree_set_body(RbvTree *tree, int32_t body, double mass, const double centre[3], const double inertia[6],
                            RbvDiagnostics *diagnostics) {
    if (!has_body(tree, body) || !centre || !inertia)
        return RBV_BAD_ARGUMENT;
    RbvTreeBody changed = tree->body[body];
    changed.mass = mass;
    memcpy(changed.centre, centre, sizeof changed.centre);
    memcpy(changed.inertia, inertia, sizeof changed.inertia);
    if (!rbv_tree_check_mass(&changed, body, diagnostics))
        return RBV_BAD_INPUT;
    tree->body[body] = changed;
    rbv_tree_fold_mass(tree, body);
    rbv_tree_lump_masses(tree);
    rbv_tree_fill_sweep(tree);
    return RBV_OK;
}

RbvStatus rbv_tree_set_gravity(RbvTree *tree, const double gravity[3]) {
    if (!tree || !gravity || !(isfinite(gravity[0]) && isfinite(gravity[1]) && isfinite(gravity[2])))
        return RBV_BAD_ARGUMENT;
    memcpy(tree->gravity, gravity, sizeof tree->gravity);
    return RBV_OK;
}

RbvStatus rbv_tree_neutral(const RbvTree *tree, double *q) {
    if (!tree || !q)
        return RBV_BAD_ARGUMENT;
    for (int32_t k = 0; k < tree->nq; k++)
        q[k] = 0;
    for (int32_t k = 0; k < tree->link_count; k++)
        if (tree->link[k].kind == RBV_LINK_BALL)
            q[tree->link[k].q] = 1;
    return RBV_OK;
}
