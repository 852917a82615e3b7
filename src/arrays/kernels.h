/* Between the public calls and the kernels: memory of one thread, arrays of one block of samples, tables of kernels by
 * width. Private to src/arrays.
 *
 * To add a kernel: its name in RbvKernelName, its source NAME_kernel.h with `static void LANED(NAME)(tree, scratch,
 * flow)`, one line in width.h. To call it: as the public calls in calls.c, with the sizes of its arrays. */
#ifndef RBV_ARRAYS_KERNELS_H
#define RBV_ARRAYS_KERNELS_H

#include "arrays/tree.h"
#include "core/linalg/small.h"

/* Inverse dynamics processes this many angles at a time. */
#define RBV_TREE_ANGLES 64

typedef enum RbvKernelName {
    RBV_KERNEL_INVERSE,
    RBV_KERNEL_MASS_MATRIX,
    RBV_KERNEL_FORWARD,
    RBV_KERNEL_FORWARD_DENSE,
    RBV_KERNEL_DERIVATIVES,
    RBV_KERNEL_CORIOLIS,
    RBV_KERNEL_REGRESSOR,
    RBV_KERNEL_ENERGIES,
    RBV_KERNEL_CENTRE_OF_MASS,
    RBV_KERNEL_MOMENTUM,
    RBV_KERNEL_POSE,
    RBV_KERNEL_JACOBIAN,
    RBV_KERNEL_MARKER_RATES,
    RBV_KERNEL_MOVE,
    RBV_KERNEL_DIFFERENCE,
    RBV_KERNEL_PLACES,
    RBV_KERNEL_MOTIONS,
    RBV_KERNEL_FORCES,
    RBV_KERNEL_REACTIONS,
    RBV_KERNEL_COUNT
} RbvKernelName;

enum { RBV_TREE_INPUTS = 5, RBV_TREE_OUTPUTS = 3 };

/* Numbers of a link in `pose` and in `twist`, and of a freedom in `column`, of the work arrays below. */
enum { RBV_POSE_SIZE = 12, RBV_TWIST_SIZE = 12, RBV_COLUMN_SIZE = 24 };

/* Work arrays of one thread. [..][L]: L numbers, one for each lane; a narrower kernel uses the front part of the
 * arrays. */
typedef struct RbvTreeScratch {
    void *memory;
    double *force;  /* [links][6][L] force and torque about the origin, in the link's axes */
    double *motion; /* [saved][9][L] angular velocity, angular acceleration, acceleration of the origin */
    double *branch; /* [saved][6][L] force and torque from children that are not the next link */
    double *rest;   /* [angles / RBV_TREE_ANGLES + 2][9][L] motions from which a part of a deep tree starts */
    double *moving; /* [9][RBV_ABREAST] one sample: motions of links whose forces are computed at once */
    double *sine;   /* [angles][L] */
    double *cosine;
    double *pose;    /* [links][12][L] axes R, row-major, and origin p in the ground's frame */
    double *twist;   /* [links][12][L] motion and acceleration */
    double *column;  /* [freedoms of links][24][L] columns of freedoms (ground_kernel.h) */
    double *inertia; /* [links][22][L] inertias */
    double *total;   /* [links][6][L] forces; for linkages: forces needed by the motion, and changes of accelerations */
    double *dense;   /* [nv][nv + RBV_MOST_LANES][L] rows of equations, then [nv][nv][L] a mass matrix, for trees whose
                        forward dynamics solves with it */
    double *reach;   /* [7 nv + nq] for inverse kinematics */
    bool *held;      /* [nv] inverse kinematics: coordinates at a limit */
    double *zeros;   /* [L] */
    int64_t deep;    /* trees with more angles times lanes than this are processed by parts (inverse_kernel.h) of `part`
                        angles times lanes, at least RBV_TREE_ANGLES L */
    int64_t part;
    double *block; /* [nq + 2 nv + 6 bodies][L] inputs of a block stored by sample */
} RbvTreeScratch;

/* One call: the kernel, the arrays of all samples and the numbers per sample of each array. */
typedef struct RbvTreeCall {
    RbvKernelName kernel;
    const double *in[RBV_TREE_INPUTS]; /* NULL: not given; in[1] and in[2] (v and a) with a size are zeros then */
    int64_t in_size[RBV_TREE_INPUTS];
    double *out[RBV_TREE_OUTPUTS]; /* NULL: not requested */
    int64_t out_size[RBV_TREE_OUTPUTS];
    double gravity[3];
    int32_t body; /* body and point of a marker */
    double point[3];
} RbvTreeCall;

/* Arrays of one block of lanes. Input k, number e: the lanes from in[k] + e in_step[k] on. Output k, number e, lane l:
 * out[k] + e out_step[k] + l apart[k]. */
typedef struct RbvTreeFlow {
    const RbvTreeCall *call;
    const double *in[RBV_TREE_INPUTS];
    ptrdiff_t in_step[RBV_TREE_INPUTS];
    double *out[RBV_TREE_OUTPUTS];
    ptrdiff_t out_step[RBV_TREE_OUTPUTS], apart[RBV_TREE_OUTPUTS];
} RbvTreeFlow;

typedef void RbvTreeKernel(const RbvTree *tree, RbvTreeScratch *scratch, const RbvTreeFlow *flow);

/* All kernels at one width. `gather`: to[n][lanes] of the n numbers of `lanes` samples stored one after the other from
 * `from` on; up to `beyond` numbers after them may be read. */
typedef struct RbvTreeKernels {
    int32_t lanes;
    RbvTreeKernel *kernel[RBV_KERNEL_COUNT];
    void (*gather)(const double *from, int64_t n, int64_t beyond, double *to);
} RbvTreeKernels;

/* Kernels of one instruction set: for one sample and for many. */
typedef struct RbvTreeTarget {
    RbvTreeLanes name;
    const RbvTreeKernels *one, *many;
} RbvTreeTarget;

extern const RbvTreeTarget rbv_tree_one, rbv_tree_base; /* base instruction set of this kind of machine */
#if defined(__x86_64__)
extern const RbvTreeTarget rbv_tree_avx2, rbv_tree_avx512;
#endif

struct RbvTreeWorkspace {
    const RbvTreeTarget *target;
    int32_t links, bodies, nq, nv, threads; /* sizes of the tree for which the workspace was created */
    RbvTreeScratch *scratch;                /* [threads] */
};

static inline bool rbv_tree_is_dense(const RbvTree *tree) {
    return tree->mimics || tree->nv <= RBV_DENSE_FREEDOMS;
}

/* Was the workspace created for such a tree? */
bool rbv_tree_fits(const RbvTree *tree, const RbvTreeWorkspace *workspace);

#endif
