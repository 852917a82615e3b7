/* Closed linkages (include/roberval/linkage.h), compiled: rows of closings on columns of links. Private to src/tree.
 *
 * A row is c(q) = 0. Its rate is  w . (motion of the second body - motion of the first),  with motions about O in the ground's axes (ground_kernel.h) and w the row's unit wrench about O. With the columns s of the
 * links on the way between the two bodies this is C v; lambda w is what the first body does to the second.
 */
#ifndef RBV_TREE_LINKAGE_H
#define RBV_TREE_LINKAGE_H

#include <roberval/linkage.h>

#include "tree/kernels.h"

/* A freedom that moves the two bodies of a closing against each other. */
typedef struct RbvLinkageStep {
    int32_t column; /* of links */
    int32_t v;
    double ratio;   /* of what mimics; negative where it carries the first body */
} RbvLinkageStep;

typedef struct RbvLinkageClosing {
    int32_t link[2];         /* -1: ground */
    double axes[2][9];       /* of the frames, row-major, in the link's axes */
    double place[2][3];
    uint32_t holds;
    int32_t row, rows;
    int32_t step, steps;
} RbvLinkageClosing;

struct RbvLinkage {
    RbvArena arena;
    const RbvTree *tree;
    int32_t count, rows, driven_count, free_count, step_count;
    RbvLinkageClosing *closing; /* [count] */
    int32_t *body;              /* [count][2] */
    RbvLinkageStep *step;       /* [step_count] */
    int32_t *driven;            /* [driven_count] of v */
    int32_t *driven_q;          /* [driven_count] of q */
    int32_t *free;              /* [free_count] of v: the others */
    int32_t *free_q;            /* [free_count] of q; -1: a part of a quaternion */
    bool simple;                /* no quaternions among the free ones */
    double *start;              /* [nq] of the model's starting poses; NULL: it comes from no model */
    const char **names;         /* [count] of the model's joints that close loops; NULL */
    double length;              /* [m] the size of all its parts: closings hold to rounding of it */
};

struct RbvLinkageWorkspace {
    RbvTreeWorkspace *tree;
    void *memory;
    int32_t rows, driven_count, free_count, nq, nv, bodies, count; /* of the linkage it is for */
    bool started;
    int32_t rank;
    double *q;        /* [nq] of the last good sample */
    double *now;      /* [nq] */
    double *trial;    /* [nq] */
    double *v, *a;    /* [nv] */
    double *tau;      /* [nv] */
    double *target;   /* [driven] */
    double *given;    /* [driven][3] q, v, a of the sample */
    double *c;        /* [rows] */
    double *bias;     /* [rows] */
    double *wrench;   /* [rows][6] moment about O, force */
    double *C;        /* [nv][rows] */
    double *QR;       /* [free][rows]: Householder's reflections, R in its upper part */
    double *diagonal; /* [free] of R */
    double *scale;    /* [free] of reflections */
    int32_t *order;   /* [free] columns of QR */
    double *right;    /* [rows + free] */
    double *x;        /* [free] */
    double *lambda;   /* [rows] */
    double *loads;    /* [bodies][6] */
    double *reactions; /* [bodies][6] */
    double *closing_reactions; /* [count][6] */
    double *sample;   /* [driven 3 + bodies 6] inputs of a sample of a batch by number */
    int64_t iterations;
};

/* Where it comes from: start[nq], names[count], copied. False: no memory. */
bool rbv_linkage_set_origin(RbvLinkage *linkage, const double *start, const char *const *names);

/* Is it a workspace of such a linkage? */
bool rbv_linkage_fits(const RbvLinkage *linkage, const RbvLinkageWorkspace *workspace);

/* Rows and C at q (workspace->now); the largest of c, lengths beside the linkage's. */
double rbv_linkage_rows(const RbvLinkage *linkage, RbvLinkageWorkspace *workspace);
/* Accelerations of the rows at a = 0 and the rates workspace->v, to bias. */
void rbv_linkage_bias(const RbvLinkage *linkage, RbvLinkageWorkspace *workspace);

/* The axes and the origin of a closing's frame in the ground's frame; places are known. */
void rbv_linkage_frame(const RbvLinkageWorkspace *workspace, const RbvLinkageClosing *closing, int side, double axes[9], double place[3]);

/* Factors Q R of the columns of C of the free numbers, with the largest column first. False: these are not independent. */
bool rbv_linkage_factor(const RbvLinkage *linkage, RbvLinkageWorkspace *workspace);
/* x[free] with the least |C_free x - right|, and that; right[rows] is lost. */
double rbv_linkage_solve(const RbvLinkage *linkage, RbvLinkageWorkspace *workspace);
/* lambda of least norm with C_free^T lambda = x. */
void rbv_linkage_solve_transposed(const RbvLinkage *linkage, RbvLinkageWorkspace *workspace);
/* lambda: number `index` of an orthonormal basis of what C_free^T takes to zero. */
void rbv_linkage_null(const RbvLinkage *linkage, RbvLinkageWorkspace *workspace, int32_t index);

/* From workspace->q to the driven positions workspace->target; then rows and factors are those of the new q. */
RbvStatus rbv_linkage_go(const RbvLinkage *linkage, RbvLinkageWorkspace *workspace);

#endif
