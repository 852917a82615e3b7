/* Memory for computing, allocated once: one block, divided into the arrays of each thread; and the kernels that this
 * machine can run. */
#include "arrays/kernels.h"
#include "core/base/arena.h"

#include <stdlib.h>

/* Kernels that this machine can run. */

static bool machine_has(RbvTreeLanes name) {
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (name == RBV_LANES_AVX2)
        return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    if (name == RBV_LANES_AVX512)
        return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("avx2");
#else
    (void)name;
#endif
    return false;
}

/* The target of a name; NULL: not available on this machine or in this build. */
static const RbvTreeTarget *tree_target(RbvTreeLanes name) {
    switch (name) {
    case RBV_LANES_ONE: return &rbv_tree_one;
    case RBV_LANES_BASE: return &rbv_tree_base;
#if defined(__x86_64__)
    case RBV_LANES_AVX2: return machine_has(name) ? &rbv_tree_avx2 : NULL;
    case RBV_LANES_AVX512: return machine_has(name) ? &rbv_tree_avx512 : NULL;
    case RBV_LANES_BEST:
        return machine_has(RBV_LANES_AVX512) ? &rbv_tree_avx512
               : machine_has(RBV_LANES_AVX2) ? &rbv_tree_avx2
                                             : &rbv_tree_base;
#else
    case RBV_LANES_AVX2:
    case RBV_LANES_AVX512: return machine_has(name) ? &rbv_tree_base : NULL;
    case RBV_LANES_BEST: return &rbv_tree_base;
#endif
    }
    return NULL;
}

/* Alignment of lanes: length of the widest vector and of a cache line. */
#define ALIGNMENT 64

/* Limits of processing by parts: trees with more than 10 MB of forces, sines and cosines, in parts of 1 MB: sizes of
 * third-level and second-level caches. bench/tree.c: eight lanes of 10^4 joints in one pass take 5.2 ns per joint, by
 * parts 7.5; of 10^5 joints 14 to 24 and 9 to 20. */
#define DEEP 160000
#define PART 16384

/* Address of an array, and its size in numbers of all lanes. */
typedef struct Part {
    double **at;
    size_t count;
} Part;

static bool allot(Part *parts, size_t count, void **memory) {
    size_t total = ALIGNMENT;
    for (size_t k = 0; k < count; k++) {
        if (parts[k].count > (SIZE_MAX / 4 - total) / sizeof(double))
            return false;
        total += (parts[k].count * sizeof(double) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    }
    char *block = malloc(total);
    if (!block)
        return false;
    *memory = block;
    rbv_large_pages(block, total);
    block += ALIGNMENT - (uintptr_t)block % ALIGNMENT;
    for (size_t k = 0; k < count; k++) {
        *parts[k].at = (double *)(void *)block;
        block += (parts[k].count * sizeof(double) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    }
    return true;
}

static RbvStatus allot_scratch(const RbvTree *tree, RbvTreeScratch *scratch) {
    size_t L = RBV_MOST_LANES, links = (size_t)tree->link_count;
    double *held; /* memory for as many truth values */
    Part parts[] = {
        {&scratch->force, 6 * links * L},
        {&scratch->motion, 9 * (size_t)tree->saved_count * L},
        {&scratch->branch, 6 * (size_t)tree->saved_count * L},
        {&scratch->rest, 9 * ((size_t)tree->angle_count / RBV_TREE_ANGLES + 2) * L},
        {&scratch->moving, 9 * RBV_ABREAST},
        {&scratch->sine, ((size_t)tree->angle_count + 1) * L},
        {&scratch->cosine, ((size_t)tree->angle_count + 1) * L},
        {&scratch->pose, 12 * links * L},
        {&scratch->twist, 12 * links * L},
        {&scratch->column, 24 * (size_t)tree->column_count * L},
        {&scratch->inertia, 22 * links * L},
        {&scratch->total, 6 * links * L},
        {&scratch->dense, rbv_tree_is_dense(tree) ? (size_t)tree->nv * (2 * (size_t)tree->nv + RBV_MOST_LANES) * L : 0},
        {&scratch->reach, 7 * (size_t)tree->nv + (size_t)tree->nq},
        {&held, (size_t)tree->nv / sizeof(double) + 1},
        {&scratch->zeros, L},
        {&scratch->block, ((size_t)tree->nq + 2 * (size_t)tree->nv + 6 * (size_t)tree->body_count) * L},
    };
    if (!allot(parts, sizeof parts / sizeof *parts, &scratch->memory))
        return RBV_NO_MEMORY;
    scratch->held = (bool *)(void *)held;
    scratch->deep = DEEP, scratch->part = PART;
    for (size_t k = 0; k < L; k++)
        scratch->zeros[k] = 0;
    for (int k = 0; k < 9 * RBV_ABREAST; k++)
        scratch->moving[k] = 0;
    return RBV_OK;
}

RbvStatus rbv_tree_workspace_create(const RbvTree *tree, int32_t threads, RbvTreeWorkspace **out) {
    if (out)
        *out = NULL;
    if (!tree || !out || threads < 1)
        return RBV_BAD_ARGUMENT;
    RbvTreeWorkspace *workspace = calloc(1, sizeof *workspace);
    if (!workspace)
        return RBV_NO_MEMORY;
    workspace->target = tree_target(RBV_LANES_BEST);
    workspace->links = tree->link_count, workspace->bodies = tree->body_count, workspace->nq = tree->nq,
    workspace->nv = tree->nv;
    workspace->scratch = calloc((size_t)threads, sizeof *workspace->scratch);
    RbvStatus status = workspace->scratch ? RBV_OK : RBV_NO_MEMORY;
    for (int32_t k = 0; k < threads && status == RBV_OK; k++, workspace->threads++)
        status = allot_scratch(tree, workspace->scratch + k);
    if (status != RBV_OK) {
        rbv_tree_workspace_destroy(workspace);
        return status;
    }
    *out = workspace;
    return RBV_OK;
}

void rbv_tree_workspace_destroy(RbvTreeWorkspace *workspace) {
    if (!workspace)
        return;
    for (int32_t k = 0; k < workspace->threads; k++)
        free(workspace->scratch[k].memory);
    free(workspace->scratch);
    free(workspace);
}

bool rbv_tree_fits(const RbvTree *tree, const RbvTreeWorkspace *workspace) {
    return tree && workspace && workspace->links == tree->link_count && workspace->bodies == tree->body_count &&
           workspace->nq == tree->nq && workspace->nv == tree->nv;
}

RbvStatus rbv_tree_workspace_set_lanes(RbvTreeWorkspace *workspace, RbvTreeLanes lanes) {
    const RbvTreeTarget *target = tree_target(lanes);
    if (!workspace || !target)
        return RBV_BAD_ARGUMENT;
    workspace->target = target;
    return RBV_OK;
}

RbvTreeLanes rbv_tree_workspace_lanes(const RbvTreeWorkspace *workspace) {
    return workspace ? workspace->target->name : RBV_LANES_ONE;
}
